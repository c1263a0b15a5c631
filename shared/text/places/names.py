"""Every name of the gazetteer in one automaton, with how strictly each must be written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import ahocorasick

from shared.query.quantity import Entity, PlaceKind
from shared.text.places import tables
from shared.text.places.tables import fold, split

if TYPE_CHECKING:
    from collections.abc import Iterator

Form = Literal["name", "adjective", "code"]


class Case(Enum):
    """What a name's letters must look like in the text to count as the name."""

    ANY = "any"
    CAPITALISED = "caps"
    COMPANY = "strict"  # a common word: only beside a word that tells a company
    UPPER = "upper"
    POSTAL = "postal"
    LONE_US = "us"
    THE_STATES = "the states"
    BEFORE_NOUN = "before noun"  # "Asian countries", where "Asian" alone may tell of people


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing that a name may mean."""

    entity: Entity
    form: Form = "name"
    case: Case = Case.ANY


# Words that are written small all the time and name a place only with a capital.
_CAPITALISED = {
    "polish", "pole", "poles", "dane", "danes", "swede", "swedes", "finn", "finns", "turk", "turks", "lao",
    "serb",
    "croat", "slovene", "brit", "brits", "thai", "scots", "dominican", "jersey", "nevis", "tobago", "salvador",
    "emirates", "timor", "gaza", "nordic", "baltic", "baltics", "nordics", "wales", "helena", "small states",
    "the au", "the commonwealth", "sids", "soviet", "pitcairn", "bonaire", "burkina", "guinean", "rio",
    "canton", "calif",
    "coke", "citi", "lilly", "dell", "disney", "harvard", "stanford", "yale", "goodwill", "smithsonian",
    "pentagon",
    "the fed", "cis", "hp", "honda", "ford", "gap", "block", "saxony", "normandy", "brittany", "lincoln",
    "ups", "gm",
    "reunion", "madras", "ge", "bp", "mit", "un", "amd", "cvs",
}  # fmt: skip
_UPPER = {"us", "png", "fsm", "au", "who", "sec", "roc", "rok", "rsa", "mit", "un", "ups", "cis", "ssa",
          "sids", "eff",
          "amd", "lao pdr", "aarp", "bih", "v4", "eac", "hp", "bp", "gsk", "sf", "gdr"}  # fmt: skip
# ISO3 codes that are words or other well-known abbreviations.
_UNSAFE_ISO3 = {"NPL", "BLM", "COM", "AND", "ARE", "CAN", "PER", "NOR", "MAR", "SEN", "MAC", "GEO", "TLS",
                "PRI", "PCN", "ALA",
                "ATA", "IOT", "CHI", "TON", "COD", "GAB", "GUM", "GIN", "CAF", "ISR", "BEN", "DOM", "MUS",
                "NAM", "CUB",
                "MYS", "VAT", "COL", "FIN", "GUY", "FRO", "POL", "ESP", "ARM", "LIE", "SUR", "SUN", "SPM",
                "PSE", "HTI", "PAN", "MIC", "LIC", "LDC", "IDA"}  # fmt: skip
_NO_PLURAL = re.compile(r"(?:s|h|ese|x|z|man|qi)$")


def variants(name: str) -> set[str]:
    """The folded spellings of a name: with and without hyphens, apostrophes, commas; ``&``, ``St.``."""
    base = fold(name)
    found = {base}
    for old, new in (("&", "and"), ("-", " "), ("'", ""), (",", ""), ("st. ", "st "), ("st. ", "saint "),
    ("saint ", "st "),
                     ("saint ", "st. "), (" & ", " and the ")):  # fmt: skip
        found |= {form.replace(old, new) for form in found if old in form}
    return found


def _named(entity: Entity, names: list[str], case: Case = Case.ANY) -> Iterator[tuple[str, Sense]]:
    for name in names:
        for form in variants(name):
            yield form, Sense(entity, "name", _case_of(form, name, case))


def _case_of(form: str, name: str, case: Case) -> Case:
    if form in _UPPER and name.isupper():
        return Case.UPPER
    if case is Case.ANY and form in _CAPITALISED:
        return Case.CAPITALISED
    return case


def _adjectives(entity: Entity, words: list[str]) -> Iterator[tuple[str, Sense]]:
    for word in words:
        for form in variants(word):
            case = Case.CAPITALISED if form in _CAPITALISED else Case.ANY
            yield form, Sense(entity, "adjective", Case.BEFORE_NOUN if form == "asian" else case)
            if not _NO_PLURAL.search(form) and entity.kind is not PlaceKind.COUNTRY_GROUP:
                yield f"{form}s", Sense(entity, "adjective", case)


def _country_senses() -> Iterator[tuple[str, Sense]]:
    known = tables.countries()
    for row in tables.rows("countries.tsv"):
        entity = known[row["iso3"]]
        yield from _named(
            entity, [row["name"], *(alias for alias in split(row["aliases"]) if alias != "the States")]
        )
        yield from _adjectives(entity, split(row["adjectives"]))
        if row["iso3"] not in _UNSAFE_ISO3:
            yield row["iso3"].lower(), Sense(entity, "code", Case.UPPER)
    united_states = known["USA"]
    yield "usa", Sense(united_states)
    yield "us", Sense(united_states, "name", Case.LONE_US)
    yield "the states", Sense(united_states, "name", Case.THE_STATES)
    for iso3 in ("COD", "COG"):
        yield "congo", Sense(known[iso3])
        yield "congolese", Sense(known[iso3], "adjective")
    yield "columbia", Sense(known["COL"])  # the usual slip; the city of that name is the other sense
    for iso3 in ("VIR", "VGB"):
        yield "virgin islands", Sense(known[iso3])


def _group_senses() -> Iterator[tuple[str, Sense]]:
    known = tables.groups()
    for row in tables.rows("groups.tsv"):
        entity = known[row["key"]].entity
        # The short income names are adjectives of anything; they name the group only with a noun, as aliases do.
        own = [row["name"]] if "income" not in row["key"] and row["key"] != "fragile" else []
        yield from _named(entity, own + split(row["aliases"]))
        yield from _adjectives(entity, split(row["adjectives"]))


def _state_senses() -> Iterator[tuple[str, Sense]]:
    known = tables.states()
    for row in tables.rows("us_states.tsv"):
        if row["iso3"]:
            continue
        entity = known[row["postal"]]
        yield from _named(entity, [row["name"], *split(row["aliases"])])
        yield from _adjectives(entity, split(row["adjectives"]))
        yield row["postal"].lower(), Sense(entity, "code", Case.POSTAL)
    for shared, postals in (
        ("carolina", "NC SC"),
        ("the carolinas", "NC SC"),
        ("dakota", "ND SD"),
        ("the dakotas", "ND SD"),
    ):
        for postal in postals.split():
            yield shared, Sense(known[postal], "name", Case.CAPITALISED)


def _other_senses() -> Iterator[tuple[str, Sense]]:
    for entity, row in tables.cities():
        yield from _named(entity, [row["name"], *split(row["aliases"])], Case(row["flag"] or "any"))
    for entity, row in tables.regions():
        yield from _named(entity, [row["name"], *split(row["aliases"])])
        yield from _adjectives(entity, split(row["adjectives"]))
    for entity, row in tables.organizations():
        case = Case(row["flag"] or "any")
        yield from _named(entity, [row["name"]], case)
        for alias in split(row["aliases"]):
            # "Apple Inc" and "Google" need no capital though "Apple" does; an alias of one common word does.
            common = alias.lower() in {"meta", "snap"} or (" " not in alias and case is Case.COMPANY)
            yield from _named(entity, [alias], case if common else Case.ANY)


@dataclass(frozen=True, slots=True)
class NameIndex:
    """``senses`` by folded name, and the automaton that finds the names in a folded text."""

    senses: dict[str, tuple[Sense, ...]]
    automaton: ahocorasick.Automaton


@lru_cache(maxsize=1)
def index() -> NameIndex:
    """The index over countries, groups, states, cities, regions and organisations."""
    senses: dict[str, list[Sense]] = {}
    for source in (_country_senses, _group_senses, _state_senses, _other_senses):
        for name, sense in source():
            known = senses.setdefault(name, [])
            if all(other.entity.code != sense.entity.code for other in known):
                known.append(sense)
    for phrase in tables.lines("not_places.txt"):
        senses[phrase] = []
    automaton = ahocorasick.Automaton()
    for name in senses:
        automaton.add_word(name, name)
    automaton.make_automaton()
    return NameIndex({name: tuple(found) for name, found in senses.items()}, automaton)

"""What a superlative orders by: the quantity named, the sense of its adjective, or the size of a place."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, trimmed
from functions.understand.rules import signals
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan
from functions.understand.sets import Population
from shared.query.quantity import PlaceKind
from shared.query.readings import MeasureMention
from shared.runtime.errors import CannotRead

AGENT = re.compile(
    r"\b(?P<what>(?:[a-z0-9-]+\s){0,3}?[a-z0-9-]+)?\s?\b(?P<agent>emitters?|spenders?|producers?|"
    r"exporters?|importers?|consumers?|polluters?|growers?|recipients?|users|borrowers?|debtors?|"
    r"donors?|investors?|performers?)\b"
)
_AGENT_NOUNS = {
    "emitter": "emissions",
    "spender": "expenditure",
    "producer": "production",
    "exporter": "exports",
    "importer": "imports",
    "consumer": "consumption",
    "polluter": "emissions",
    "grower": "production",
    "recipient": "received",
    "user": "use",
    "borrower": "debt",
    "debtor": "debt",
}
RANK_FORM = (
    r"\b(?:which|what|who|where|has|have|had|is|are|was|were|the|with|list|show|of|name|"
    r"that|whose|by|in terms of|based on|according to|measured by|countries|number of|"
    r"level of|levels of|amount of|rank(?:ed|ing)?|places?|table|find|their|people's|"
    r"does|do|did|there|overall|some|experienced?|seen?|ones?|rates? of)\b"
)
_CHANGE_NOUN = re.compile(
    r"^(?:reduction|increase|decrease|growth|decline|drop|rise|fall|improvement|change|gain|loss|progress)s?$"
)
_BY_SHARE = re.compile(
    r"\b(?:by|as|in) (?:a |the )?(?:share|percentage|percent|proportion|%) of (?:the |their |its |"
    r"total )?(?P<base>land|population|gdp|territory|area)(?: area)?\b"
)
_BY_NAMED = re.compile(
    r",\s(?:by|as measured by|measured by|judged by|in terms of|based on)\s(?P<by>[^,?]+?)"
    r"(?:,?\s(?:in\s)?Y\d+)?[\s,?.]*$"
)
_BARE_SIZE = re.compile(r"\b(?:largest|biggest|smallest|tiniest|greatest|big|small|large)\b")
_AGE_WORD = re.compile(r"\b(?P<word>oldest|youngest|longest|shortest)\b")


_SPOKEN_BY = r"\b(?:from|according to|via|using|says?|per)\s(?:(?:the|an?)\s)?"
"""Before a publisher's name, which is no quantity beside an adjective that tells one."""
_GROWING_THINGS = re.compile(
    r"^(?:populations?|people|econom(?:y|ies)|gdp|countr(?:y|ies)|nations?|states?|cit(?:y|ies)|counties|places?|towns?)?$"
)
_BY_WOMEN = re.compile(r"\b(?:wom[ae]n|mothers?|per|born|births?|famil(?:y|ies)|couples?)\b")
_US_PLACES = frozenset({PlaceKind.US_STATE, PlaceKind.US_COUNTY, PlaceKind.CITY})


def in_the_us(population: Population) -> bool:
    """Whether the members are places within the United States, whose wealth is told by their households' income."""
    member, container = population.mention.member, population.mention.container
    if member in {PlaceKind.US_STATE, PlaceKind.US_COUNTY}:
        return True
    entity = container.entity if container is not None else None
    return (
        entity is not None
        and member in {PlaceKind.CITY, PlaceKind.PLACE}
        and (entity.kind in _US_PLACES or entity.keys.get("iso3") == "USA")
    )


def ranked_measures(scan: Scan, order: signals.Order, population: Population) -> list[MeasureMention]:
    """The quantities that the order may be by, the likeliest first; none when no quantity is told."""
    found = _ranked_measures(scan, order, population)
    if order.lexeme and found and found[0].text == "gdp per capita" and in_the_us(population):
        return [MeasureMention(text="median household income")]
    return found


def _ranked_measures(scan: Scan, order: signals.Order, population: Population) -> list[MeasureMention]:
    rest = order.rest
    if order.growing:
        thing = trimmed(without_marks(re.sub(RANK_FORM, " ", rest)))
        if not _GROWING_THINGS.match(thing) and not signals.grows(rest):
            raise _by_change(thing)
    grown = signals.grows(rest) or (
        (
            "population growth"
            if re.search(r"\bpopulations?\b", rest) or population.noun not in {"countries", "economies", "members"}
            else "gdp growth"
        )
        if order.growing
        else None
    )
    if grown and (order.growing or re.search(r"\bgrow|\bexpand", rest)):
        return [MeasureMention(text=grown)]
    agent = AGENT.search(rest)
    if agent:
        rest = (
            rest[: agent.start("agent")]
            + _AGENT_NOUNS.get(agent["agent"].removesuffix("s"), agent["agent"])
            + rest[agent.end("agent") :]
        )
    named_by = _BY_NAMED.search(rest)
    if named_by and is_known(trimmed(without_marks(named_by["by"]))) and not _BY_SHARE.search(rest):
        by = quantity(named_by["by"], RANK_FORM)
        if by is not None:
            return [by]
    aged = _ranked_by_age(scan, rest)
    if aged is not None:
        return [aged]
    share = _BY_SHARE.search(rest)
    base = rest[: share.start()] + " " + rest[share.end() :] if share else rest
    wanted = quantity(base, RANK_FORM, r"\bgrow(?:n|s|th)? the\b")
    if (
        order.lexeme
        and wanted is not None
        and not is_known(wanted.text)
        and trimmed(without_marks(re.sub(RANK_FORM, " ", base))) in {"place", "places", "people", "world"}
    ):
        wanted = None
    if order.lexeme and wanted is not None and re.search(rf"{_SPOKEN_BY}{re.escape(wanted.text)}$", rest):
        wanted = None
    if wanted is not None and wanted.text == "fertility rate" and re.search(r"\b(?:children|kids)\b", rest):
        wanted = wanted if _BY_WOMEN.search(rest) else MeasureMention(text="children")
    changed = signals.changed_quantity(wanted.text) if wanted else None
    if wanted is not None and _CHANGE_NOUN.match(wanted.text):
        raise CannotRead(
            "it orders by a change and does not say of what",
            ["Which countries have the highest population growth?"],
        )
    if changed:
        growth = signals.growth_of(changed)
        if growth:
            return [MeasureMention(text=growth)]
        raise _by_change(changed)
    if wanted is None and order.lexeme:
        wanted = signals.lexeme_measure(order.lexeme)
    elif wanted is not None and signals.is_adjective(wanted.text):
        wanted = signals.lexeme_measure(wanted.text)
    if wanted is not None:
        if share and "(%" not in wanted.text and not wanted.share:
            wanted = MeasureMention(text=f"{wanted.text} (% of {share['base']})", share=True)
        if (
            wanted.text.startswith("forest area")
            and "(%" not in wanted.text
            and not re.search(r"\barea|\bmost forests?\b", scan.masked)
        ):
            wanted = MeasureMention(text="forest area (% of land area)", share=True)
        return [wanted]
    return _sized(scan, population)


def _by_change(what: str) -> CannotRead:
    return CannotRead(
        f"it orders by the change of {what}, and I can order by published figures only",
        [f"Which countries have the highest {what}?", f"How has {what} changed in Kenya since 2000?"],
    )


def _ranked_by_age(scan: Scan, rest: str) -> MeasureMention | None:
    """As in "Oldest population" and "where people live the longest": the word itself tells the quantity."""
    word = _AGE_WORD.search(scan.masked)
    left = trimmed(without_marks(re.sub(RANK_FORM, " ", rest)))
    if word is None:
        return None
    if word["word"] in {"longest", "shortest"}:
        lives = re.fullmatch(r"(?:people|women|men|they|citizens|inhabitants)? ?(?:live|lives|living|lived)", left)
        return MeasureMention(text="life expectancy") if lives else None
    if not re.fullmatch(r"(?:populations?|people|citizens|inhabitants)?", left):
        return None
    if word["word"] == "oldest":
        return MeasureMention(text="population ages 65 and above (% of total population)", share=True)
    return MeasureMention(text="median age")


def _sized(scan: Scan, population: Population) -> list[MeasureMention]:
    """What "largest" orders by when no quantity is named: the usual sense first."""
    if not _BARE_SIZE.search(scan.masked) and not re.search(r"\btop\b|\brank", scan.masked):
        return []
    area, people = MeasureMention(text="surface area"), MeasureMention(text="population")
    if population.noun == "economies":
        return [MeasureMention(text="gdp")]
    if not _BARE_SIZE.search(scan.masked):
        return []
    if population.mention.member in {PlaceKind.CITY, PlaceKind.US_COUNTY, PlaceKind.PLACE}:
        return [people]
    if population.mention.member in {PlaceKind.COMPANY}:
        return [MeasureMention(text="revenue"), MeasureMention(text="market capitalization")]
    if population.mention.member is PlaceKind.ORGANIZATION:
        return [MeasureMention(text="revenue"), MeasureMention(text="total assets")]
    return [area, people]

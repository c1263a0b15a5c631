"""The names in a question, as the rules need them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from functions.understand.measures import is_known
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention
from shared.text.places import PlaceMatch, by_name, find_mentions
from shared.text.source_words import SPEAKS_FIRST

MONEY = (
    r"dollars?|yen|euros?|pounds?(?: sterling)?|rupees?|pesos?|francs?|kron[aeo]r?|krones?|reais|"
    r"real|won|yuan|renminbi|rubles?"
    r"|roubles?|liras?|rands?|dinars?|dirhams?|ri[yj]als?|shekels?|bahts?|rupiahs?|ringgits?|"
    r"shillings?|nairas?|cedis?|zlotys?"
    r"|forints?|korunas?|currency|hryvnias?|birrs?|takas?|kwachas?|afghanis?|lempiras?|quetzals?|soles?"
)
_OF_MONEY = re.compile(rf"\b(?P<place>[a-z]+(?: [a-z]+)?)\s(?:{MONEY})\b", re.IGNORECASE)
_WORLD_EVENT = re.compile(
    r"(?:the )?world (?:cups?|wars?|series|records?|championships?|titles?|tours?|map|news|leaders?)\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\bexchange rates?\b|\bper (?:us |u\.s\. |american )?dollar\b|\bto the (?:us |u\.s\. |american )?dollar\b",
    re.IGNORECASE,
)
_SAID_BY = re.compile(
    r"(?:\b(?:according to|from|by|per|via|using|based on|source|sources|reported by|published by|"
    r"says|in)\b:?\s(?:the\s)?(?:data (?:from|of|by)\s(?:the\s)?)?(?:latest\s)?|\()$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"^(?:'s)?\s(?:data(?:base|set)?|figures?|numbers|statistics|stats|estimates?|says?|reports?|\))", re.IGNORECASE
)
_PLURAL_PEOPLE = re.compile(r"\b[A-Z][a-z]{3,}s\b")
_LOWER_PEOPLE = re.compile(r"\b[a-z]{3,}(?:ian|ean|ander|can|nian|vian|dan|man|ish|oan|nese)s\b")
_LEAD = re.compile(
    r"(?:[,(]?\s*\b(?:as reported by|reported by|published by|according to|based on|using|per|via|"
    r"from|by|source:?|data from|in)\s(?:the\s)?(?:data (?:from|of|by)\s(?:the\s)?)?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Named:
    """``text[start:end]`` is a name, ``mention`` what it was read as; ``people`` tells "Kenyans" from "Kenya"."""

    start: int
    end: int
    mention: EntityMention
    people: bool = False


def find_names(text: str) -> list[Named]:
    """Every name in ``text`` whose figures may be asked for, in order, without overlaps."""
    found = [m for m in find_mentions(text) if not _WORLD_EVENT.match(text[m.start :])]
    named = [Named(m.start, m.end, m.mention, _people(m)) for m in found if not _another_speaks(text, m, found)]
    named += _peoples(text, named)
    if _RATE.search(text) and not named:
        named += _owners_of_money(text)
    return sorted(named, key=lambda name: name.start)


def without_speakers(text: str) -> str:
    """``text`` without "according to ...": who published a figure is for later stages."""
    first = SPEAKS_FIRST.match(text)
    if first is not None and is_known(first["what"]):
        text = f"{first['asks']}{text[first.start('what') :]}"
    found = find_mentions(text)
    for match in reversed(found):
        if _another_speaks(text, match, found):
            lead = _LEAD.search(text, 0, match.start)
            start = lead.start() if lead else match.start
            after = re.match(
                r"(?:'s)?(?:\s(?:data(?:base|set)?|figures?|numbers|statistics|stats|estimates?|"
                r"says?|reports?))*\)?,?",
                text[match.end :],
                re.IGNORECASE,
            )
            end = match.end + (after.end() if after else 0)
            text = f"{text[:start]} {text[end:]}"
    return re.sub(r"\s+", " ", text).strip(" ,")


def _another_speaks(text: str, match: PlaceMatch, found: list[PlaceMatch]) -> bool:
    """Whether a name is the one whose word is taken ("according to ...") and not the one asked about."""
    if match.entity is None or match.entity.kind is not PlaceKind.ORGANIZATION:
        return False
    others = [m for m in found if m is not match and not (m.entity and m.entity.kind is PlaceKind.ORGANIZATION)]
    if not others and not re.search(r"according to|data from", text[: match.start], re.IGNORECASE):
        return False
    return bool(_SAID_BY.search(text[: match.start]) or _SAID.match(text[match.end :]))


def _peoples(text: str, known: list[Named]) -> list[Named]:
    """Peoples in the plural ("Germans") whose singular is an adjective of a place."""
    found: list[Named] = []
    for match in (*_PLURAL_PEOPLE.finditer(text), *_LOWER_PEOPLE.finditer(text)):
        if any(name.start < match.end() and match.start() < name.end for name in known):
            continue
        singular = match.group()[:-1].capitalize()
        place = next((m for m in find_mentions(f"{singular} economy") if m.end == len(singular)), None)
        if place is not None and place.form == "adjective":
            found.append(Named(match.start(), match.end(), place.mention, people=True))
    return found


def _people(match: PlaceMatch) -> bool:
    return (
        match.form == "adjective"
        and match.text.lower().endswith("s")
        and not match.text.lower().endswith(("ss", "ese"))
    )


def _owners_of_money(text: str) -> list[Named]:
    """The places whose money an exchange rate is of: "the Japanese yen per US dollar"."""
    found: list[Named] = []
    for match in _OF_MONEY.finditer(text):
        words = match["place"]
        if re.search(r"(?:per|to the|to|against the|in|a|one)\s$", text[: match.start("place")], re.IGNORECASE):
            continue
        for inner in find_mentions(f"{words} economy"):
            if inner.end <= len(words) and not re.fullmatch(r"us|u\.s\.|american", inner.text, re.IGNORECASE):
                start = match.start("place") + inner.start
                found.append(Named(start, start + len(inner.text), inner.mention))
    return found[:1] or _country_of_money(text)


_MONEYS = {
    "yen": "Japan",
    "rupee": "India",
    "yuan": "China",
    "renminbi": "China",
    "won": "South Korea",
    "baht": "Thailand",
    "ringgit": "Malaysia",
    "rupiah": "Indonesia",
    "zloty": "Poland",
    "forint": "Hungary",
    "lira": "Turkey",
    "ruble": "Russia",
    "rouble": "Russia",
    "rand": "South Africa",
    "naira": "Nigeria",
    "shekel": "Israel",
    "euro": "Euro area",
    "sterling": "United Kingdom",
    "hryvnia": "Ukraine",
    "cedi": "Ghana",
    "birr": "Ethiopia",
    "taka": "Bangladesh",
    "dong": "Vietnam",
}
_MONEY_NAMED = re.compile(rf"\b(?P<money>{'|'.join(_MONEYS)})s?\b", re.IGNORECASE)


def _country_of_money(text: str) -> list[Named]:
    """A money that one place alone uses stands for the place: "yen per dollar"."""
    match = _MONEY_NAMED.search(text)
    entity = by_name(_MONEYS[match["money"].lower()]) if match else None
    if match is None or entity is None:
        return []
    mention = EntityMention(text=match.group(), status="resolved", entity=entity)
    return [Named(match.start(), match.end(), mention)]

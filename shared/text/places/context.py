"""Settle names of several places by the words and the other names around them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.query.quantity import Entity, PlaceKind
from shared.text.places import tables

if TYPE_CHECKING:
    from shared.text.places.mentions import Hit
    from shared.text.places.names import Sense

_FAMILIES = {
    PlaceKind.COUNTRY: "country",
    PlaceKind.COUNTRY_GROUP: "country",
    PlaceKind.US_STATE: "state",
    PlaceKind.US_COUNTY: "state",
    PlaceKind.CITY: "city",
    PlaceKind.COMPANY: "company",
    PlaceKind.ORGANIZATION: "company",
    PlaceKind.PLACE: "place",
}
_BEFORE = {
    "state": re.compile(r"\b(?:state|commonwealth)\sof\s$"),
    "country": re.compile(r"\b(?:country|nation|republic)\sof\s(?:the\s)?$"),
    "city": re.compile(r"\bcity\sof\s$"),
}
_AFTER = {
    "state": re.compile(
        r"\s\(?(?:the\s)?(?:us\s|u\.s\.\s)?state\b|,\s?(?:the\s)?(?:usa?|u\.s\.a?\.?|united states)(?![a-z])"
    ),
    "country": re.compile(r"\s\(?(?:the\s)?country\b"),
    "city": re.compile(r"\s\(?(?:the\s)?(?:city|metro|downtown)\b"),
}
_WORDS = {
    "state": re.compile(r"\b(?:states|(?:us|u\.s\.|american|which|other|every|each)\sstate|state's|statewide)\b"),
    "country": re.compile(r"\b(?:countr(?:y|ies)|nations?)\b"),
    "city": re.compile(r"\b(?:city|cities|metro)\b"),
}
_IN_STATE = re.compile(r"\s?,?\s(?:in\s)?")


def family(entity: Entity) -> str:
    """``country``, ``state``, ``city``, ``company`` or ``place``: what is compared with like."""
    return _FAMILIES[entity.kind]


def settle(folded: str, hits: list[Hit]) -> list[Hit]:
    """The hits with ``City, State`` joined into one and ambiguous names settled where the text does."""
    hits = _joined(folded, hits)
    hits = [_cued(folded, hit) for hit in hits]
    chosen = _voted(folded, hits)
    return [_kept(hit, chosen) if len(hit.senses) > 1 and chosen else hit for hit in hits]


def _joined(folded: str, hits: list[Hit]) -> list[Hit]:
    """``Springfield, Illinois`` and ``Paris, France`` as one name each; ``Georgia, USA`` too."""
    found: list[Hit] = []
    for hit in hits:
        last = found[-1] if found else None
        if last and last.senses and hit.senses and _IN_STATE.fullmatch(folded, last.end, hit.start):
            comma = "," in folded[last.end : hit.start]
            inside = tuple(
                sense for sense in last.senses if any(_lies_in(sense, whole, comma=comma) for whole in hit.senses)
            )
            if inside:
                found[-1] = replace(last, end=hit.end, senses=inside)
                continue
        found.append(hit)
    return found


def _lies_in(part: Sense, whole: Sense, *, comma: bool) -> bool:
    keys = part.entity.keys
    if part.entity.kind is PlaceKind.CITY:
        if whole.entity.kind is PlaceKind.US_STATE:
            return keys.get("state") == whole.entity.keys["postal"] and (comma or whole.form != "adjective")
        return comma and whole.entity.kind is PlaceKind.COUNTRY and keys["country"] == whole.entity.keys["iso3"]
    if part.entity.kind is PlaceKind.US_STATE:
        return comma and whole.form != "adjective" and whole.entity.keys.get("iso3") == "USA"
    return False


def _cued(folded: str, hit: Hit) -> Hit:
    if len(hit.senses) < 2:
        return hit
    for name, before in _BEFORE.items():
        if before.search(folded, 0, hit.start) or _AFTER[name].match(folded, hit.end):
            fitting = tuple(sense for sense in hit.senses if family(sense.entity) == name)
            if fitting:
                return replace(hit, senses=fitting)
    return hit


def _voted(folded: str, hits: list[Hit]) -> str | None:
    """The family that the settled names, or failing them the words, or all names together point at."""
    settled = [hit.senses[0].entity for hit in hits if len(hit.senses) == 1]
    votes = {family(entity) for entity in settled if entity.keys.get("iso3") != "USA"} & {
        "country",
        "state",
        "city",
    }
    if votes:
        return votes.pop() if len(votes) == 1 else None
    worded = [name for name, pattern in _WORDS.items() if pattern.search(folded)]
    if len(worded) == 1:
        return worded[0]
    open_hits = [{family(sense.entity) for sense in hit.senses} for hit in hits if len(hit.senses) > 1]
    if len(open_hits) > 1:
        common = set.intersection(*open_hits) & {"country", "state", "city"}
        return common.pop() if len(common) == 1 else None
    return None


def _kept(hit: Hit, chosen: str) -> Hit:
    fitting = tuple(sense for sense in hit.senses if family(sense.entity) == chosen)
    return replace(hit, senses=fitting) if fitting else hit


def state_of(entity: Entity) -> str | None:
    """The postal code of the US state that ``entity`` is or lies in."""
    keys = entity.keys
    if entity.kind is PlaceKind.US_STATE:
        return keys["postal"]
    if entity.kind is PlaceKind.US_COUNTY:
        by_fips = {state.keys["fips"]: postal for postal, state in tables.states().items()}
        return by_fips.get(keys["fips"][:2])
    return keys.get("state")

"""US counties, looked up only where a text says what kind they are: county, parish, borough, independent city."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from shared.query.quantity import Entity, PlaceKind
from shared.text.places import tables
from shared.text.places.names import Sense, variants
from shared.text.places.tables import County, fold

if TYPE_CHECKING:
    from shared.text.places.mentions import Hit

_WORD = re.compile(
    r"(?<![a-z])(?P<kind>count(?:y|ies)|parish(?:es)?|boroughs?|census areas?|municipality|municipios?"
    r"|planning region|city)(?![a-z])"
)
_TOKEN = re.compile(r"[a-z0-9.'-]+")
_LIST = re.compile(r"(?:\s?,\s?(?:and\s)?|\s(?:and|or|vs\.?|versus|&)\s)$")
_SINGULAR = {"counties": "county", "parishes": "parish", "boroughs": "borough", "census areas": "census area",
             "municipios": "municipio"}  # fmt: skip
_STATE_AFTER = re.compile(r"\s?,?\s?(?:in\s(?:the\sstate\sof\s)?)?$")
_STANDS_ALONE = re.compile(r"(?:^|[,;:(]|\b(?:the|in|of|for|from|to|at|and|or|vs|versus|than|is|was|does|did)) ?$")
"""Before ``county of Texas``: the county of that name; after other words it is one or each of the state's."""
LONGEST = 5
CITY = "city"
"""The kind of the cities of Virginia, and three others, that are in no county and count as one."""


@lru_cache(maxsize=1)
def by_local_name() -> dict[str, tuple[County, ...]]:
    """Counties by folded name with its kind (``harris county``), most populous first."""
    found: dict[str, list[County]] = {}
    for county in tables.counties():
        for form in variants(county.local_name):
            found.setdefault(form, []).append(county)
    return {name: tuple(same) for name, same in found.items()}


def add(folded: str, hits: list[Hit]) -> list[Hit]:
    """``hits`` with the counties that the text names in place of the shorter names inside them."""
    from shared.text.places.mentions import Hit  # noqa: PLC0415 - the two modules know each other

    spans: list[tuple[int, int, tuple[County, ...]]] = []
    for word in _WORD.finditer(folded):
        kind = _SINGULAR.get(word["kind"], word["kind"])
        for start, end, same in _named_before(folded, word, kind):
            upto, meant = _with_state(folded, end, same, hits)
            # A city that is its own county is meant only with its state: elsewhere are cities of its name.
            if kind != CITY or (upto > end and len(meant) == 1):
                spans.append((start, upto, meant))
    if not spans:
        return hits
    found = [
        Hit(start, end, tuple(Sense(county.entity) for county in same)) for start, end, same in _in_one_state(spans)
    ]
    kept = [hit for hit in hits if all(hit.end <= other.start or hit.start >= other.end for other in found)]
    return kept + found


def _named_before(folded: str, word: re.Match[str], kind: str) -> list[tuple[int, int, tuple[County, ...]]]:
    """The counties named right before ``word``; several before a plural (``Harris and Dallas counties``)."""
    found: list[tuple[int, int, tuple[County, ...]]] = []
    limit, end = word.start(), word.end()
    while True:
        tokens = [(token.start(), token.end()) for token in _TOKEN.finditer(folded, max(0, limit - 60), limit)]
        tokens = tokens[-LONGEST:]
        named = None
        for start, _ in tokens:
            name = f"{folded[start:limit].strip()} {kind}"
            if name in by_local_name():
                named = (start, end, by_local_name()[name])
                break
        if named is None:
            break
        if word["kind"] != kind and not found and _is_state_name(folded[named[0] : limit]):
            break
        found.append(named)
        joint = _LIST.search(folded, 0, named[0])
        if word["kind"] == kind or joint is None:
            break
        limit = end = joint.start()
    # "counties of Texas" and "each county of Texas" are those of the state, though there is a Texas County.
    if not found and word["kind"] == kind:
        after = re.compile(r"\sof\s((?:[a-z.'-]+\s?){1,3})").match(folded, word.end())
        if after:
            words = after[1].split()
            for count in range(len(words), 0, -1):
                name = " ".join(words[:count])
                if _is_state_name(name) and not _STANDS_ALONE.search(folded, 0, word.start()):
                    break
                if f"{name} {kind}" in by_local_name():
                    found.append((word.start(), after.start(1) + len(name), by_local_name()[f"{name} {kind}"]))
                    break
    return found


def _with_state(folded: str, end: int, same: tuple[County, ...], hits: list[Hit]) -> tuple[int, tuple[County, ...]]:
    """The county in the state that follows it, with the state in its span; else in a state named elsewhere."""
    named: list[str] = []
    for hit in hits:
        postals = [sense.entity.keys["postal"] for sense in hit.senses if _is_state(sense.entity)]
        inside = tuple(county for county in same if county.state in postals)
        if hit.start >= end and _STATE_AFTER.fullmatch(folded, end, hit.start) and inside:
            return hit.end, inside
        named += postals
    code = re.match(r"\s?,?\s([a-z]{2})(?![a-z])", folded[end:])
    if code and "," in code.group():
        inside = tuple(county for county in same if county.state == code[1].upper())
        if inside:
            return end + code.end(), inside
    inside = tuple(county for county in same if county.state in named)
    return end, inside or same


def _in_one_state(spans: list[tuple[int, int, tuple[County, ...]]]) -> list[tuple[int, int, tuple[County, ...]]]:
    """Counties named together lie in one state, when there is exactly one that has them all."""
    if len(spans) < 2:
        return spans
    common = set.intersection(*({county.state for county in same} for _, _, same in spans))
    if len(common) != 1:
        return spans
    return [(start, end, tuple(c for c in same if c.state in common)) for start, end, same in spans]


@lru_cache(maxsize=1)
def _state_names() -> frozenset[str]:
    return frozenset(fold(entity.name) for entity in tables.states().values())


def _is_state_name(text: str) -> bool:
    """``Texas counties`` are those of the state, though there are counties of that name elsewhere."""
    return text.strip() in _state_names()


def _is_state(entity: Entity) -> bool:
    return entity.kind is PlaceKind.US_STATE or "postal" in entity.keys


@lru_cache(maxsize=1)
def _of_codes() -> dict[str, Entity]:
    return {county.entity.keys["fips"]: county.entity for county in tables.counties()}


def by_fips(fips: str) -> Entity | None:
    """The county with a five-digit FIPS code."""
    return _of_codes().get(fips)


def in_state(postal: str) -> tuple[Entity, ...]:
    """The counties of one state, most populous first."""
    return tuple(county.entity for county in tables.counties() if county.state == postal)


def named(name: str) -> tuple[Entity, ...]:
    """The counties of a name with or without its state: ``Harris County``, ``Harris County, Texas``."""
    folded = fold(name)
    local, _, state = folded.partition(",")
    same = by_local_name().get(local.strip(), ())
    wanted = state.strip()
    if wanted:
        names = {
            postal for postal, entity in tables.states().items() if wanted in {fold(entity.name), postal.lower()}
        }
        same = tuple(county for county in same if county.state in names)
    return tuple(county.entity for county in same)

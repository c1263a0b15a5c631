"""Census tracts, which are named by a number and the county that they lie in."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.query.quantity import Entity, PlaceKind

if TYPE_CHECKING:
    from shared.text.places.mentions import Hit
    from shared.text.places.names import Sense

_TRACT = re.compile(
    r"(?<![a-z])(?:census )?tract (?:no\.? |number |#)?(?P<number>\d{1,6})(?:\.(?P<part>\d{2}))?"
    r"(?:, (?:in )?| in | of )(?:the )?$"
)
CODE = 6
"""Digits of a tract's code, the last two of which are its part."""


def add(folded: str, hits: list[Hit]) -> list[Hit]:
    """``hits`` in which a county behind the number of a tract is that tract: ``tract 1011.10 in Kent County``."""
    return [_widened(folded, hit) for hit in hits]


def _widened(folded: str, hit: Hit) -> Hit:
    if not hit.senses or any(sense.entity.kind is not PlaceKind.US_COUNTY for sense in hit.senses):
        return hit
    found = _TRACT.search(folded, 0, hit.start)
    if found is None:
        return hit
    senses = tuple(_inside(sense, found) for sense in hit.senses)
    return replace(hit, start=found.start(), senses=senses)


def _inside(sense: Sense, found: re.Match[str]) -> Sense:
    number, part = found["number"], found["part"]
    if len(number) == CODE:
        code = number
        number, part = str(int(code[:4])), code[4:].replace("00", "")
    else:
        code = f"{int(number):04}{part or '00'}"
    county = sense.entity
    name = f"Census Tract {number}{f'.{part}' if part else ''}, {county.name}"
    keys = {"fips": county.keys["fips"] + code[:CODE]}
    return replace(sense, entity=Entity(name=name, kind=PlaceKind.PLACE, keys=keys))

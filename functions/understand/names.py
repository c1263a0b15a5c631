"""The names in a question, as the rules need them."""

from __future__ import annotations

from dataclasses import dataclass

from shared.query.readings import EntityMention
from shared.text.places import find_mentions


@dataclass(frozen=True, slots=True)
class Named:
    """``text[start:end]`` is a name, and ``mention`` what it was read as."""

    start: int
    end: int
    mention: EntityMention


def find_names(text: str) -> list[Named]:
    """Every name in ``text``, in order, without overlaps."""
    return [Named(found.start, found.end, found.mention) for found in find_mentions(text)]

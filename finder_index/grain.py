"""Levels: the kinds of places or bodies that a search names ("by county") and that a table has figures of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

EVERY = frozenset({"every"})
"""The levels of a table that has figures of places of every level, or does not say."""

_EACH = r"(?:by|each|every|all|across|per|in|of|for|a|the)\s+(?:u\.?s\.?\s+)?"
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (level, re.compile(pattern, re.IGNORECASE))
    for level, pattern in (
        ("county", rf"\b{_EACH}count(?:y|ies)\b|\bcounties\b"),
        ("zip", r"\bzip(?: ?codes?)?\b|\bzctas?\b"),
        ("tract", r"\btracts?\b"),
        ("metro", r"\bmetro(?:politan)?(?: statistical)? areas?\b"),
        ("city", rf"\b{_EACH}(?:cities|towns)\b|\b(?:by|each|every|per) (?:city|town)\b"),
        ("state", rf"\b{_EACH}states\b|\b(?:by|each|every|per) (?:u\.?s\.? )?state\b"),
        ("company", r"\b(?:a|the|this|each|every) (?:company|corporation|firm)\b"),
    )
)
_HELD: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (level, re.compile(pattern, re.IGNORECASE))
    for level, pattern in (
        ("county", r"\bcount(?:y|ies)\b"),
        ("zip", r"\bzip code|\bzcta"),
        ("tract", r"\btracts?\b"),
        ("metro", r"\bmetropolitan\b"),
        ("city", r"\bcit(?:y|ies)\b|\bplaces?\b|\btowns?\b"),
        ("state", r"\bstates?\b"),
        ("company", r"\bcompan(?:y|ies)\b"),
    )
)
_UNITED = re.compile(r"\bunited states\b", re.IGNORECASE)
_ALL = re.compile(r"\bevery level\b|\ball levels\b", re.IGNORECASE)


def levels_asked(texts: Iterable[str]) -> frozenset[str]:
    """The levels that a search names, none when it names no kind of place."""
    joined = _UNITED.sub(" ", " . ".join(texts))
    return frozenset(level for level, pattern in _ASKED if pattern.search(joined))


def levels_held(terms: Mapping[str, str]) -> frozenset[str]:
    """The levels of a table, from its grain and from whom its source covers."""
    text = _UNITED.sub(" ", f"{terms.get('grain', '')} . {terms.get('scope', '')}")
    if not terms.get("grain") or _ALL.search(text):
        return EVERY
    return frozenset(level for level, pattern in _HELD if pattern.search(text))


def lacks(asked: frozenset[str], held: frozenset[str]) -> bool:
    """Whether a table has none of the levels that are asked for."""
    return bool(asked) and held != EVERY and not asked & held

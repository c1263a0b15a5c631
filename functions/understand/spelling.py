"""Misspelt quantity words, corrected against the words that questions about figures use.

A word is corrected only when it is no word of the language that we know, is no name, and lies one slip (two
for a long word) from a quantity word with the same first letter. Each correction is disclosed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance import OSA

from shared.query.quantity import PlaceKind
from shared.text.places import PlaceMatch, find_mentions

_WORDS = Path(__file__).parent / "words"
_WORD = re.compile(r"(?<![\w'-])[A-Za-z]{3,}(?![\w'-])")
_OWNER = re.compile(r"(?<![\w'-])(?P<owner>[A-Za-z]{4,})s(?=\s[a-z])")
_SHORTEST = 5
_TWO_SLIPS = 8
_SHORT_FORMS = {"gpd": "gdp", "gdb": "gdp", "dgp": "gdp", "gdpp": "gdp", "popn": "population", "popl": "population"}


@lru_cache(maxsize=1)
def quantities() -> frozenset[str]:
    """The words that misspellings are corrected to."""
    return frozenset((_WORDS / "quantities.txt").read_text("utf-8").split())


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Every word that is known to be rightly spelt."""
    return frozenset((*quantities(), *(_WORDS / "known.txt").read_text("utf-8").split()))


def corrected(text: str) -> tuple[str, list[tuple[str, str]]]:
    """``text`` with its misspelt quantity words put right, and each pair of wrong and right word."""
    suspects = [match for match in _WORD.finditer(text) if _suspect(match.group().lower())]
    if not suspects:
        return text, []
    names = [(found.start, found.end) for found in find_mentions(text)]
    fixes: list[tuple[str, str]] = []
    for match in reversed(suspects):
        if any(start < match.end() and match.start() < end for start, end in names):
            continue
        right = nearest(match.group().lower())
        if right is not None:
            text = text[: match.start()] + right + text[match.end() :]
            fixes.append((match.group(), right))
    return text, fixes[::-1]


def with_apostrophes(text: str) -> str:
    """``text`` with the apostrophe put into a country's possessive ("nepals exports"), unless it is a word."""
    names = [(found.start, found.end) for found in find_mentions(text)]
    for match in reversed(list(_OWNER.finditer(text))):
        if match.group().lower() in vocabulary() or any(a < match.end() and match.start() < b for a, b in names):
            continue
        owner = find_mentions(match["owner"])
        if len(owner) == 1 and owner[0].form != "adjective" and _whole_country(owner[0], match["owner"]):
            text = f"{text[: match.end() - 1]}'s{text[match.end() :]}"
    return text


def _whole_country(found: PlaceMatch, text: str) -> bool:
    whole = (found.start, found.end) == (0, len(text))
    return whole and found.entity is not None and found.entity.kind is PlaceKind.COUNTRY


def _suspect(word: str) -> bool:
    if word in _SHORT_FORMS:
        return True
    if len(word) < _SHORTEST or word in vocabulary():
        return False
    return not any(
        word.endswith(ending) and word.removesuffix(ending) in vocabulary() for ending in ("s", "es", "ed", "d")
    )


@lru_cache(maxsize=4096)
def nearest(word: str) -> str | None:
    """The quantity word that ``word`` (lower case) misspells, or ``None``."""
    if word in _SHORT_FORMS:
        return _SHORT_FORMS[word]
    close = process.extract(word, quantities(), scorer=OSA.distance, score_cutoff=2, limit=10)
    fitting = [
        (distance, abs(len(known) - len(word)), known)
        for known, distance, _ in close
        if known[0] == word[0] and distance <= (1 if min(len(known), len(word)) < _TWO_SLIPS else 2)
    ]
    return min(fitting)[2] if fitting else None

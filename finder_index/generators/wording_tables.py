"""The hand-written tables of how people ask for a quantity."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

WORDING = Path(__file__).parent / "wording"


@dataclass(frozen=True, slots=True)
class Wording:
    """Phrases that denote the quantity, and abbreviations or near synonyms of it."""

    phrases: tuple[str, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermMeaning:
    """One published meaning of a term: ``rank`` 1 is the plain one, ``label`` tells it from the others."""

    term: str
    label: str
    rank: int


def read_wording(path: Path) -> dict[str, Wording]:
    """Read ``code, phrases, aliases``. Raises ``ValueError`` with file and line for a malformed row."""
    wording: dict[str, Wording] = {}
    for number, cells in _rows(path, ("code", "phrases", "aliases")):
        code, phrases, aliases = cells
        if code in wording:
            raise ValueError(f"{path.name}:{number}: {code} is listed twice")
        wording[code] = Wording(_split(phrases), _split(aliases))
        if not wording[code].phrases:
            raise ValueError(f"{path.name}:{number}: {code} has no phrase")
    return wording


def read_meanings(path: Path) -> dict[str, list[TermMeaning]]:
    """Read ``term, variable, label, rank`` as a table by variable; ranks of a term run from 1 without gaps."""
    by_variable: dict[str, list[TermMeaning]] = defaultdict(list)
    ranks: dict[str, list[int]] = defaultdict(list)
    for number, (term, variable, label, rank) in _rows(path, ("term", "indicator", "label", "rank")):
        ranks[term].append(int(rank))
        if ranks[term] != list(range(1, len(ranks[term]) + 1)):
            raise ValueError(f"{path.name}:{number}: the ranks of {term!r} do not run from 1 without gaps")
        by_variable[variable].append(TermMeaning(term, label, int(rank)))
    return by_variable


def _split(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split("|") if part.strip())


def _rows(path: Path, columns: tuple[str, ...]) -> list[tuple[int, list[str]]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    if tuple(lines[0].split("\t")) != columns:
        raise ValueError(f"{path.name}:1: the columns must be {', '.join(columns)}")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{path.name}:{number}: {len(cells)} cells, expected {len(columns)}")
        rows.append((number, cells))
    return rows

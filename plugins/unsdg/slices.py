"""Which of a series' rows answer: a total and its breakdowns stand side by side in the database.

A plain question is answered by the total of every dimension. Where a dimension has no total, it may be that the
series is about one value of it (deaths under the age of five), or that one age group holds all others (15 and
over). Else nothing is added up and nothing is picked: the values are told, for the reader to name one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plugins.unsdg.records import TOTALS, UNSPECIFIED, Cell, SeriesData
from shared.query.evidence import FailureStatus

REPORTING = "Reporting Type"
GLOBAL = "G"
"""Who reports is no part of a whole: what the agencies made comparable goes before what a country says itself."""
AGE = "Age"

_AGES = re.compile(r"(?P<low>\d+)\s*(?:-\s*(?P<high>\d+)|\+)|(?P<under><=?)\s*(?P<limit>\d+)\s*(?P<unit>[YM])")
OLDEST = 200
LABELS = {
    "FEMALE": "female",
    "MALE": "male",
    "RURAL": "rural areas",
    "URBAN": "urban areas",
    "ALLAREA": "all areas",
    "BOTHSEX": "both sexes",
    "GRAD23": "grades 2 and 3",
    "PRIMAR": "the end of primary school",
    "LOWSEC": "the end of lower secondary school",
    "SKILL_READ": "reading",
    "SKILL_MATH": "mathematics",
    "LITE": "literacy",
    "NUME": "numeracy",
    "ARSP": "spreadsheet formulas",
    "CMFL": "copying files",
    "COPA": "copy and paste",
    "EMAIL": "e-mail with attachments",
    "EPRS": "electronic presentations",
    "INST": "connecting devices",
    "PCPR": "programming",
    "SOFT": "installing software",
    "TRAF": "transferring files",
    "Q1": "the poorest fifth",
    "ABT2ACHIEVE": "target on track to be achieved",
    "ABT2DIGRESS": "moving away from the target",
    "ABT2EXCEED": "target on track to be exceeded",
    "ABT2INSUFNT": "progress at an insufficient rate",
    "ABT2NONTLT": "no national target",
    "ABT2NOPROG": "no progress",
}
"""Codes whose own description an answer may leave out."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The rows of one area that answer. ``stands_for`` pairs dimensions without a total with their value."""

    cells: tuple[Cell, ...]
    stands_for: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NoTotal:
    """A dimension that has no total for an area, and the values that it has."""

    dimension: str
    codes: tuple[str, ...]

    @property
    def status(self) -> FailureStatus:
        """Several values are a question to the reader; one alone is no figure of the whole."""
        return FailureStatus.AMBIGUOUS if len(self.codes) > 1 else FailureStatus.NO_DATA


def slice_of(data: SeriesData, cells: Sequence[Cell], wanted: Mapping[str, str]) -> Slice | NoTotal:
    """The rows of one area's cells that answer, with ``wanted`` values of dimensions and totals of the others."""
    kept, told = list(cells), []
    for dimension in sorted({name for cell in cells for name in cell.dimensions}):
        codes = sorted({cell.dimensions.get(dimension, "") for cell in kept})
        chosen = _chosen(data, dimension, codes, wanted.get(dimension))
        if chosen is None:
            return NoTotal(dimension, tuple(codes))
        kept = [cell for cell in kept if cell.dimensions.get(dimension, "") in chosen]
        code = next(iter(sorted(chosen)), "")
        if dimension in wanted or dimension == REPORTING or code in UNSPECIFIED or is_total(data, dimension, code):
            continue
        if len(_known(data, dimension, codes)) > 1:
            told.append((dimension, code))
    return Slice(tuple(kept), tuple(told))


def _chosen(data: SeriesData, dimension: str, codes: Sequence[str], wanted: str | None) -> set[str] | None:
    if wanted is not None:
        return {wanted}
    totals = {code for code in codes if is_total(data, dimension, code)}
    if totals:
        return totals
    if dimension == REPORTING:
        return {GLOBAL} if GLOBAL in codes else set(codes[:1]) if len(codes) == 1 else None
    if len(codes) == 1 and (dimension == AGE or len(_known(data, dimension, codes)) == 1):
        has_total = any(is_total(data, dimension, code) for code in _known(data, dimension, codes))
        return None if has_total else set(codes)
    covering = covering_age(codes) if dimension == AGE else None
    return {covering} if covering else None


def _known(data: SeriesData, dimension: str, codes: Iterable[str]) -> set[str]:
    """Every value that the dimension has in the series, whether this area has it or not."""
    return {code.code for code in data.dimensions.get(dimension, ())} | set(codes)


def is_total(data: SeriesData, dimension: str, code: str) -> bool:
    """Whether a code is the total of its dimension."""
    return code in TOTALS or any(one.is_total for one in data.dimensions.get(dimension, ()) if one.code == code)


def ages_of(code: str) -> tuple[float, float] | None:
    """The first and last year of age of ``15-24``, ``15+`` and ``<5Y``; ``None`` for anything else."""
    found = _AGES.fullmatch(code)
    if found is None:
        return None
    if found["under"]:
        limit = int(found["limit"]) / (12 if found["unit"] == "M" else 1)
        return 0, limit if found["under"] == "<=" else limit - 1 / 12
    return int(found["low"]), int(found["high"] or OLDEST)


def covering_age(codes: Sequence[str]) -> str | None:
    """The one age group that holds all others, or ``None``."""
    spans = {code: ages for code in codes if (ages := ages_of(code)) is not None}
    if len(spans) < len(codes) or not spans:
        return None
    low, high = min(span[0] for span in spans.values()), max(span[1] for span in spans.values())
    return next((code for code, span in spans.items() if span == (low, high)), None)


def spoken(data: SeriesData, dimension: str, code: str) -> str:
    """A value of a dimension as a reader is told it."""
    ages = ages_of(code) if dimension == AGE else None
    if ages is not None:
        limit, unit = code.strip("<=YM"), "month" if code.endswith("M") else "year"
        if code.startswith("<"):
            return f"{'up to' if '=' in code else 'under'} {limit} {unit}{'' if limit == '1' else 's'}"
        return f"ages {int(ages[0])} and over" if ages[1] == OLDEST else f"ages {int(ages[0])} to {int(ages[1])}"
    said = data.called(dimension, code)
    return said if said != code and code not in LABELS else LABELS.get(code, f"{dimension} {code}")

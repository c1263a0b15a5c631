"""By what a series is split, and which of the values of that dimension stand side by side.

A dimension's total is no part. Age groups overlap in the database (15 to 24 beside 15 to 49): of them the groups
that do not overlap and reach over most years of age are taken. Whether the parts make up a whole is the measure's
matter: counts must, and rates never do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor

from plugins.unsdg.measures import series_of
from plugins.unsdg.records import UNSPECIFIED, Cell, SeriesData
from plugins.unsdg.slices import AGE, ages_of, covering_age, is_total, spoken
from shared.query.discovery import TableDocument

DIMENSIONS: dict[str, str] = {
    r"sex|gender|sexes|genders|men and women|women and men": "Sex",
    r"age|ages|age groups?|age bands?": AGE,
    r"urban and rural|rural and urban|urban or rural|urban/rural|locations?|areas?|residence": "Location",
    r"(?:income |wealth )?quintiles?|quantiles?|fifths?": "Quantile",
    r"education(?: levels?)?|level of education": "Education level",
    r"(?:type of )?skills?|subjects?": "Type of skill",
    r"(?:level|status|level[ _/]status)": "Level/Status",
    r"migratory status|migration status": "Migratory status",
    r"(?:name of )?(?:non-communicable )?diseases?|causes?": "Name of non-communicable disease",
}  # fmt: skip
"""The publisher's dimension by the words that a question names it with."""
_DIMENSIONS = [(re.compile(words), dimension) for words, dimension in DIMENSIONS.items()]
_BY = re.compile(r",? by (?:sex|age|urban/rural|location|type of skill|education level)(?: and [a-z ]+)?(?=$| \()")

_OF_PART = re.compile(
    r",? (?:among|of|for|in) (?:women|men|girls|boys|urban areas|rural areas)\b"
    r"|\b(?:female|male|women|men|rural|urban)\b(?: (?=\w))?|,\s*$"
)
"""Words that limit a phrase to a part."""


@dataclass(frozen=True, slots=True)
class Split:
    """The codes of a dimension that stand side by side, its total where it has one, and what was left out."""

    dimension: str
    codes: tuple[str, ...]
    total: str | None
    overlapping: tuple[str, ...] = ()


def dimension_named(text: str) -> str | None:
    """The publisher's dimension that is asked for, or ``None`` for one that it has not."""
    words = text.strip().casefold()
    return next((dimension for pattern, dimension in _DIMENSIONS if pattern.fullmatch(words)), None)


def splits_of(data: SeriesData, cells: Iterable[Cell]) -> dict[str, Split]:
    """By dimension, every split into at least two parts that the cells of one area have."""
    cells = [cell for cell in cells if cell.reported]
    found = {}
    for dimension in sorted({name for cell in cells for name in cell.dimensions}):
        codes = sorted({cell.dimensions[dimension] for cell in cells if dimension in cell.dimensions})
        split = _split(data, dimension, [code for code in codes if code and code not in UNSPECIFIED])
        if len(split.codes) > 1:
            found[dimension] = split
    return found


def _split(data: SeriesData, dimension: str, codes: Sequence[str]) -> Split:
    totals = [code for code in codes if is_total(data, dimension, code)]
    parts = [code for code in codes if code not in totals]
    if dimension != AGE:
        return Split(dimension, tuple(parts), totals[0] if totals else None)
    # The one age group that holds all others is their total; a group of an unreadable span is no part of a row.
    covering = None if totals else covering_age(parts)
    parts = [code for code in parts if code != covering and ages_of(code) is not None]
    apart = disjoint(parts)
    left = tuple(code for code in parts if code not in apart)
    return Split(dimension, tuple(apart), totals[0] if totals else covering, left)


def disjoint(codes: Sequence[str]) -> list[str]:
    """The age groups without overlap that reach over most years of age, youngest first; of equals the finer."""
    spans = sorted(
        ((ages[0], floor(ages[1]) + 1, code) for code in codes if (ages := ages_of(code)) is not None),
        key=lambda span: (span[1], span[0]),
    )
    best: list[tuple[float, int, list[str]]] = [(0, 0, [])]
    for place, (low, end, code) in enumerate(spans):
        before = max((n for n in range(place) if spans[n][1] <= low), default=-1)
        reach, count, chosen = best[before + 1]
        own = (reach + end - low, count + 1, [*chosen, code])
        best.append(max(best[-1], own, key=lambda one: (one[0], one[1])))
    return best[-1][2]


def as_whole(document: TableDocument) -> TableDocument:
    """A document of a series, without the part that it may be limited to."""
    if not document.terms.get("slice"):
        return document
    terms = {name: value for name, value in document.terms.items() if name not in {"slice", "constraints"}}
    title = _BY.sub("", document.terms.get("publishedAs", "")) or document.title
    return document.model_copy(
        update={
            "variable": series_of(document),
            "title": title,
            "queries": tuple(dict.fromkeys(_OF_PART.sub("", query).strip() for query in document.queries)),
            "terms": terms | {"measuredProperty": _OF_PART.sub("", terms.get("measuredProperty", title))},
        }
    )


def told(data: SeriesData, dimension: str, codes: Sequence[str]) -> list[str]:
    """The codes as a reader is told them."""
    return [spoken(data, dimension, code) for code in codes]

"""Quantities that the World Bank publishes in parts which make up a whole.

The whole is a published total, or it is 100% where the parts are published as shares of it. That the parts
really add up is not taken on trust: ``disagreement`` holds every year of the series against the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from plugins.choice.wording import plain, words
from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.partition_table import INCOMPLETE, PARTITIONS, SHARE_WORDS, Incomplete, Partition
from plugins.worldbank.records import IndicatorSet

HUNDRED = Decimal(100)
TOLERANCE = Decimal("0.02")
"""How far the sum of the parts may be from the whole, as a share of it."""
YEARS_NAMED = 6


def partitions_of(measure: str, dimension: str | None, *, shares: bool = False) -> list[Partition]:
    """The partitions that split a measure by a dimension, by the words for both, the best first.

    Published totals come first, unless ``shares`` are asked for or the measure's words are of shares.
    """
    if not dimension:
        return []
    shares = shares or asks_for_shares(measure)
    found = [
        partition
        for partition in PARTITIONS
        if _names(measure, partition.measures) and _names(dimension, partition.dimensions)
    ]
    return sorted(found, key=lambda partition: (partition.total is None) is not shares)


def asks_for_shares(text: str) -> bool:
    """Whether the words ask for percentages rather than for numbers."""
    return "share" in words(text)


def incomplete_of(measure: str, dimension: str | None) -> Incomplete | None:
    """The split of which only some parts are at hand, by the words for measure and dimension."""
    return next(
        (
            split
            for split in INCOMPLETE
            if dimension and _names(measure, split.measures) and _names(dimension, split.dimensions)
        ),
        None,
    )


def partition_by_key(key: str) -> Partition | None:
    """The partition with this ``key``."""
    return next((partition for partition in PARTITIONS if partition.key == key), None)


async def read_partition(partition: Partition, entity: str, client: WorldBankClient) -> IndicatorSet:
    """The whole series of every part, and of the total where one is published, in one request."""
    return await client.indicator_set(partition.indicators, entity)


def disagreement(partition: Partition, found: IndicatorSet) -> str | None:
    """In which years the parts do not make up the whole, with the sums; ``None`` when they do in every year.

    Only years that report all of them can tell. A sum that is right in one year may be a coincidence, so one
    wrong year is enough to refuse the split.
    """
    wrong: list[str] = []
    for year in found.years():
        added = sum((found.by_indicator[part.indicator][year] for part in partition.parts), start=Decimal(0))
        whole = HUNDRED if partition.total is None else found.by_indicator[partition.total][year]
        if abs(added - whole) > abs(whole) * TOLERANCE:
            wrong.append(f"{year} ({_shown(added, whole, is_share=partition.total is None)})")
    return _listed(wrong) if wrong else None


def _names(text: str, names: Sequence[str]) -> bool:
    wanted = _content(text)
    return any(wanted == _content(name) for name in names)


def _content(text: str) -> frozenset[str]:
    """What tells one split from another; words that are all of form ("people") stand for themselves."""
    return words(text) - SHARE_WORDS or frozenset(plain(text).split())


def _shown(added: Decimal, whole: Decimal, *, is_share: bool) -> str:
    return f"{round(added, 1)}%" if is_share else f"{added} of {whole}"


def _listed(years: Sequence[str]) -> str:
    if len(years) > YEARS_NAMED:
        return f"{len(years)} years, among them {', '.join(years[-YEARS_NAMED:])}"
    return ", ".join(years)

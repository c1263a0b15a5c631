"""Totals that the World Bank publishes together with parts that add up to them.

Shares of a whole are no partition: the whole itself is not a published figure.
"""

from __future__ import annotations

from dataclasses import dataclass

from plugins.choice.wording import words
from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.records import IndicatorSet
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a total: its indicator, its published title and what it is called among the parts."""

    indicator: str
    title: str
    name: str


@dataclass(frozen=True, slots=True)
class Partition:
    """A total and its parts. ``measures`` and ``dimensions`` are the words that a question uses for them."""

    total: str
    title: str
    unit: Unit
    measures: tuple[str, ...]
    dimensions: tuple[str, ...]
    parts: tuple[Part, ...]

    def part_measures(self, source: str) -> tuple[Measure, ...]:
        """The measures of the parts, in order."""
        return tuple(
            Measure(
                source=source,
                variable=part.indicator,
                name=part.title,
                unit=self.unit,
                additive=True,
                grain="country",
            )
            for part in self.parts
        )


PARTITIONS = (
    Partition(
        total="SP.POP.TOTL",
        title="Population, total",
        unit=PEOPLE,
        measures=("population", "people", "inhabitants", "number of people"),
        dimensions=("urban and rural", "rural", "urban", "residence", "urbanization", "place of residence", "area"),
        parts=(
            Part("SP.URB.TOTL", "Urban population", "urban"),
            Part("SP.RUR.TOTL", "Rural population", "rural"),
        ),
    ),
)


def partition_of(measure: str, dimension: str | None) -> Partition | None:
    """The partition that splits a measure by a dimension, by the words for both."""
    if not dimension:
        return None
    for partition in PARTITIONS:
        named = any(words(measure) == words(name) for name in partition.measures)
        split = any(words(dimension) == words(name) for name in partition.dimensions)
        if named and split:
            return partition
    return None


def partition_by_total(indicator: str) -> Partition | None:
    """The partition of a total by its indicator."""
    return next((partition for partition in PARTITIONS if partition.total == indicator), None)


async def read_partition(
    partition: Partition, entity: str, client: WorldBankClient, *, years: tuple[int, int] | None
) -> IndicatorSet:
    """The figures of the total and of every part, in one request."""
    indicators = [partition.total, *(part.indicator for part in partition.parts)]
    return await client.indicator_set(indicators, entity, years=years)

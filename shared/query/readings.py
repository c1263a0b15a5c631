"""Typed readings of a question: what is asked, of whom, over which span, with no word about sources.

A reading says only what the question says. Mentions keep the asker's words beside what they were
read as; resolving them against a publisher comes later. The table ``READING_TYPES`` maps the wire
name of each type to its model.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from shared.query.quantity import Entity, Exact, Frozen, PlaceKind

EARTH = "the world"


class PeriodKindAsked(StrEnum):
    """How a question places its quantity in time."""

    LATEST = "latest"
    YEAR = "year"
    RANGE = "range"
    SINCE = "since"
    YEARS_AGO = "years_ago"
    LAST_YEARS = "last_years"
    ALL = "all"


class PeriodAsked(Frozen):
    """The span a question asks for.

    ``year``: ``start`` is the year. ``range``: ``start`` to ``end`` inclusive. ``since``: ``start`` on.
    ``years_ago``: ``count`` years before the newest figure. ``last_years``: the ``count`` newest years.
    ``latest`` and ``all`` need nothing. ``fiscal`` marks a fiscal year. ``text`` keeps the asker's words.
    """

    kind: PeriodKindAsked = PeriodKindAsked.LATEST
    start: int | None = None
    end: int | None = None
    count: int | None = None
    fiscal: bool = False
    text: str = ""

    @property
    def explicit_year(self) -> int | None:
        """The one year that was asked for by number, which must be the year that is returned."""
        return self.start if self.kind is PeriodKindAsked.YEAR else None


class EntityMention(Frozen):
    """A name in the question and what it was read as.

    ``status`` is ``resolved`` (one entity is meant), ``ambiguous`` (``candidates`` lists 2 to 5 of them,
    most likely first) or ``unknown`` (the name is kept, nothing is guessed).
    """

    text: str
    status: Literal["resolved", "ambiguous", "unknown"]
    entity: Entity | None = None
    candidates: tuple[Entity, ...] = ()

    @property
    def label(self) -> str:
        """The entity's common name, or the asker's words."""
        return self.entity.name if self.entity else self.text


class MeasureMention(Frozen):
    """The quantity in the asker's words, without place, period, threshold and direction.

    ``text`` is normalised for discovery (``gdp per capita``); ``per_capita`` and ``share`` say that the
    question itself asked for that form. ``subject`` is set when a share names its whole
    (``share of the population that is rural`` gives text ``rural population``, share True).
    """

    text: str
    per_capita: bool = False
    share: bool = False


class PopulationMention(Frozen):
    """A set of members: every ``member`` kind inside ``container``, or the entities listed.

    "countries in Africa" is member ``country``, container Africa. "the world's countries" has no
    container. "France, Spain and Italy" as a set has ``listed``. ``fact_filter`` narrows by a fact
    ("landlocked countries", "low income countries").
    """

    member: PlaceKind
    text: str
    container: EntityMention | None = None
    listed: tuple[EntityMention, ...] = ()
    fact_filter: str | None = None


class Comparator(StrEnum):
    """How a value is held against a threshold."""

    GREATER = ">"
    AT_LEAST = ">="
    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    BETWEEN = "between"


class Threshold(Frozen):
    """A numeric bound, parsed once: ``value`` is in plain units (``$100 million`` is 100000000, unit USD)."""

    comparator: Comparator
    value: Exact
    upper: Exact | None = None
    unit: str | None = None
    text: str


class Condition(Frozen):
    """One condition of a filter: a measure held against a threshold, or against another entity's figure.

    Exactly one of ``threshold`` and ``reference`` is set. "population over 10 million" has a threshold, which
    brings its own comparator. "a higher life expectancy than Japan" and "bigger than France" have a
    ``reference`` (Japan, France), whose figure of the same measure and year is the bound, and ``comparator`` says
    how a member's figure is held against it; ``between`` has no meaning there. The reference itself is never
    among the members that meet the condition.
    """

    measure: MeasureMention
    threshold: Threshold | None = None
    reference: EntityMention | None = None
    comparator: Comparator = Comparator.GREATER

    @model_validator(mode="after")
    def _one_bound(self) -> Condition:
        if (self.threshold is None) == (self.reference is None):
            raise ValueError("a condition has either a threshold or a reference")
        if self.reference is not None and self.comparator is Comparator.BETWEEN:
            raise ValueError("one figure is no span to be between")
        return self


class Direction(StrEnum):
    """Which end of an order is asked for."""

    HIGHEST = "highest"
    LOWEST = "lowest"


class _Reading(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ValueReading(_Reading):
    """One measure of one entity at one time."""

    type: Literal["value"] = "value"
    entity: EntityMention
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()


class ComparisonReading(_Reading):
    """One measure over entities that the question names."""

    type: Literal["comparison"] = "comparison"
    entities: tuple[EntityMention, ...] = Field(min_length=2)
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()
    direction: Direction | None = None


class RankingReading(_Reading):
    """The first or last members of a population by a measure."""

    type: Literal["ranking"] = "ranking"
    population: PopulationMention
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()
    direction: Direction = Direction.HIGHEST
    count: int | None = Field(default=None, ge=1)


class Movement(StrEnum):
    """Which way a figure went between two years."""

    RISE = "rise"
    FALL = "fall"
    EITHER = "either"


class ChangeRankingReading(_Reading):
    """The members of a population by how much a measure of each changed over a span.

    ``movement`` keeps those whose figure rose, or fell; ``direction`` says which end of these is asked for, by the
    size of the change. Without a direction the change of every member is asked for, the largest rise first.
    ``relative`` orders by the change in percent of the first figure. A span without ``text`` was not named.
    """

    type: Literal["change_ranking"] = "change_ranking"
    population: PopulationMention
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=10)
    movement: Movement = Movement.EITHER
    direction: Direction | None = Direction.HIGHEST
    relative: bool = False
    count: int | None = Field(default=None, ge=1)


class PopulationValueReading(_Reading):
    """A measure for every member of a population."""

    type: Literal["population_value"] = "population_value"
    population: PopulationMention
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()


class BreakdownReading(_Reading):
    """A quantity split into parts that add up to it."""

    type: Literal["breakdown"] = "breakdown"
    entity: EntityMention
    measure: MeasureMention
    dimension: str
    period: PeriodAsked = PeriodAsked()
    direction: Direction | None = None
    count: int | None = Field(default=None, ge=1)


class TrendReading(_Reading):
    """How a measure of one or more entities moved over a span; with ``extreme``, when it was highest or lowest."""

    type: Literal["trend"] = "trend"
    entities: tuple[EntityMention, ...] = Field(min_length=1)
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked(kind=PeriodKindAsked.ALL)
    extreme: Direction | None = None


class DifferenceReading(_Reading):
    """The difference between two figures: two entities at one time, or one entity at two times."""

    type: Literal["difference"] = "difference"
    entities: tuple[EntityMention, ...] = Field(min_length=1, max_length=2)
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()
    relative: bool = False
    """True when the difference is asked as a percentage."""


class RatioReading(_Reading):
    """One figure divided by another."""

    type: Literal["ratio"] = "ratio"
    numerator_entity: EntityMention
    numerator: MeasureMention
    denominator_entity: EntityMention
    denominator: MeasureMention
    period: PeriodAsked = PeriodAsked()
    as_percent: bool = False


class CorrelationReading(_Reading):
    """Whether two measures move together over the members of a population."""

    type: Literal["correlation"] = "correlation"
    population: PopulationMention
    x: MeasureMention
    y: MeasureMention
    period: PeriodAsked = PeriodAsked()


class FilteredListReading(_Reading):
    """The members of a population that meet every condition."""

    type: Literal["filtered_list"] = "filtered_list"
    population: PopulationMention
    conditions: tuple[Condition, ...] = Field(min_length=1)
    period: PeriodAsked = PeriodAsked()
    exhaustive: bool = True


class ItemListReading(_Reading):
    """The members of a relation or group: neighbours, members, the countries of a continent.

    ``relation`` is ``borders`` (those that border ``entity``), ``members`` (of ``population.container``)
    or another relation in the asker's words.
    """

    type: Literal["item_list"] = "item_list"
    relation: str
    population: PopulationMention
    entity: EntityMention | None = None


class YesNoReading(_Reading):
    """Whether a figure meets a threshold, or exceeds another entity's figure."""

    type: Literal["yes_no"] = "yes_no"
    entity: EntityMention
    measure: MeasureMention
    period: PeriodAsked = PeriodAsked()
    threshold: Threshold | None = None
    other: EntityMention | None = None
    comparator: Comparator = Comparator.GREATER


class VagueAspectReading(_Reading):
    """An aspect of an entity with no one measure ("the economy of Kenya")."""

    type: Literal["vague_aspect"] = "vague_aspect"
    entity: EntityMention
    aspect: str
    period: PeriodAsked = PeriodAsked()


class StatusReading(_Reading):
    """Whether an entity has a property ("is Nepal landlocked?"). ``object`` is what a relation is held with."""

    type: Literal["status"] = "status"
    entity: EntityMention
    attribute: str
    object: EntityMention | None = None


class AggregateOperation(StrEnum):
    """How a population is reduced to one figure."""

    COUNT = "count"
    SUM = "sum"
    MEAN = "mean"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"


class AggregateReading(_Reading):
    """One figure over a population: how many members (that meet a condition), their total or their mean."""

    type: Literal["aggregate"] = "aggregate"
    operation: AggregateOperation
    population: PopulationMention
    measure: MeasureMention | None = None
    conditions: tuple[Condition, ...] = ()
    period: PeriodAsked = PeriodAsked()


class TopicalReading(_Reading):
    """A search for records about a subject."""

    type: Literal["topical"] = "topical"
    subject: str


class GrantGraphReading(_Reading):
    """Who funds whom. ``direction`` is seen from the entity named."""

    type: Literal["grant_graph"] = "grant_graph"
    entity: EntityMention | None = None
    direction: Literal["made_by", "received_by", "overview"]


Reading = Annotated[
    ValueReading
    | ComparisonReading
    | RankingReading
    | ChangeRankingReading
    | PopulationValueReading
    | BreakdownReading
    | TrendReading
    | DifferenceReading
    | RatioReading
    | CorrelationReading
    | FilteredListReading
    | ItemListReading
    | YesNoReading
    | VagueAspectReading
    | StatusReading
    | AggregateReading
    | TopicalReading
    | GrantGraphReading,
    Field(discriminator="type"),
]

READING_TYPES: dict[str, type[_Reading]] = {
    model.model_fields["type"].default: model
    for model in (
        ValueReading,
        ComparisonReading,
        RankingReading,
        ChangeRankingReading,
        PopulationValueReading,
        BreakdownReading,
        TrendReading,
        DifferenceReading,
        RatioReading,
        CorrelationReading,
        FilteredListReading,
        ItemListReading,
        YesNoReading,
        VagueAspectReading,
        StatusReading,
        AggregateReading,
        TopicalReading,
        GrantGraphReading,
    )
}

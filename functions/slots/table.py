"""The table from query type to the slots it needs. Code only: a reading has always the same slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functions.slots.aspects import measures_of
from functions.slots.narrowing import with_filters
from shared.query.identifiers import SlotId
from shared.query.readings import (
    AggregateReading,
    BreakdownReading,
    ChangeRankingReading,
    ComparisonReading,
    Condition,
    CorrelationReading,
    DifferenceReading,
    FilteredListReading,
    ItemListReading,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    PopulationValueReading,
    RankingReading,
    RatioReading,
    Reading,
    StatusReading,
    TrendReading,
    VagueAspectReading,
    ValueReading,
    YesNoReading,
)
from shared.query.slots import Slot, SlotKind

FACT_ATTRIBUTES = frozenset(
    {
        "capital",
        "capital city",
        "currency",
        "official name",
        "region",
        "subregion",
        "continent",
        "income group",
        "income level",
        "lending type",
        "languages",
        "language",
        "official language",
        "calling code",
        "internet domain",
        "country code",
        "iso code",
    }
)
"""Attributes that are words rather than quantities."""


def _slot(n: int, kind: SlotKind, role: str, **fields: Any) -> Slot:
    return Slot(id=SlotId(f"slot:{n}"), kind=kind, role=role, **fields)


def fact_named(text: str) -> str | None:
    """The attribute in words that a text names, in the singular ("capitals" is ``capital``), or ``None``."""
    words = text.casefold().strip()
    singulars = (words, words.removesuffix("s"), words.removesuffix("ies") + "y")
    return next((name for name in singulars if name in FACT_ATTRIBUTES), None)


def _value(reading: ValueReading) -> tuple[Slot, ...]:
    relation = fact_named(reading.measure.text)
    if relation is not None:
        return (
            _slot(1, SlotKind.FACT, "value", measure=reading.measure, entity=reading.entity, relation=relation),
        )
    return (
        _slot(1, SlotKind.VALUE, "value", measure=reading.measure, entity=reading.entity, period=reading.period),
    )


def _comparison(reading: ComparisonReading) -> tuple[Slot, ...]:
    fact = fact_named(reading.measure.text)
    return tuple(
        _slot(
            n,
            SlotKind.FACT if fact else SlotKind.VALUE,
            "entity",
            measure=reading.measure,
            entity=entity,
            period=reading.period,
            relation=fact,
            shared_key="measure",
        )
        for n, entity in enumerate(reading.entities, start=1)
    )


def _population(reading: RankingReading | PopulationValueReading) -> tuple[Slot, ...]:
    return (
        _slot(
            1,
            SlotKind.POPULATION,
            "population",
            measure=reading.measure,
            population=reading.population,
            period=reading.period,
        ),
    )


def _breakdown(reading: BreakdownReading) -> tuple[Slot, ...]:
    return (
        _slot(
            1,
            SlotKind.CATEGORIES,
            "categories",
            measure=reading.measure,
            entity=reading.entity,
            dimension=reading.dimension,
            period=reading.period,
        ),
    )


def _trend(reading: TrendReading) -> tuple[Slot, ...]:
    return tuple(
        _slot(
            n,
            SlotKind.SERIES,
            "series",
            measure=reading.measure,
            entity=entity,
            period=reading.period,
            shared_key="measure",
        )
        for n, entity in enumerate(reading.entities, start=1)
    )


def ends_of(period: PeriodAsked) -> tuple[PeriodAsked, PeriodAsked]:
    """The first and the last point of a span, each as something a value slot can ask for."""
    latest = PeriodAsked()
    if period.kind is PeriodKindAsked.RANGE and period.start is not None and period.end is not None:
        return (
            PeriodAsked(kind=PeriodKindAsked.YEAR, start=period.start, fiscal=period.fiscal, text=period.text),
            PeriodAsked(kind=PeriodKindAsked.YEAR, start=period.end, fiscal=period.fiscal, text=period.text),
        )
    if period.kind in {PeriodKindAsked.SINCE, PeriodKindAsked.YEAR} and period.start is not None:
        return PeriodAsked(kind=PeriodKindAsked.YEAR, start=period.start, text=period.text), latest
    if period.kind in {PeriodKindAsked.LAST_YEARS, PeriodKindAsked.YEARS_AGO} and period.count is not None:
        return PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=period.count, text=period.text), latest
    return PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=1, text=period.text), latest


def _difference(reading: DifferenceReading) -> tuple[Slot, ...]:
    if len(reading.entities) == 2:
        left, right = reading.entities
        before = after = reading.period
    else:
        left = right = reading.entities[0]
        before, after = ends_of(reading.period)
    return (
        _slot(
            1,
            SlotKind.VALUE,
            "left",
            measure=reading.measure,
            entity=left,
            period=before,
            shared_key="measure",
        ),
        _slot(
            2,
            SlotKind.VALUE,
            "right",
            measure=reading.measure,
            entity=right,
            period=after,
            shared_key="measure",
        ),
    )


def _change_ranking(reading: ChangeRankingReading) -> tuple[Slot, ...]:
    return tuple(
        _slot(
            n,
            SlotKind.POPULATION,
            role,
            measure=reading.measure,
            population=reading.population,
            period=period,
            shared_key="measure",
        )
        for n, (role, period) in enumerate(zip(("before", "after"), ends_of(reading.period), strict=True), start=1)
    )


def _ratio(reading: RatioReading) -> tuple[Slot, ...]:
    same = reading.numerator.text.casefold() == reading.denominator.text.casefold()
    shared = "measure" if same else None
    return (
        _slot(
            1,
            SlotKind.VALUE,
            "numerator",
            measure=reading.numerator,
            entity=reading.numerator_entity,
            period=reading.period,
            shared_key=shared,
        ),
        _slot(
            2,
            SlotKind.VALUE,
            "denominator",
            measure=reading.denominator,
            entity=reading.denominator_entity,
            period=reading.period,
            shared_key=shared,
        ),
    )


def _correlation(reading: CorrelationReading) -> tuple[Slot, ...]:
    return tuple(
        _slot(
            n,
            SlotKind.POPULATION,
            role,
            measure=measure,
            population=reading.population,
            period=reading.period,
        )
        for n, (role, measure) in enumerate((("x", reading.x), ("y", reading.y)), start=1)
    )


def _conditions(
    conditions: tuple[Condition, ...], population: PopulationMention, period: PeriodAsked
) -> tuple[Slot, ...]:
    """A population for each condition, then the figure of each entity that a condition is held against.

    A condition's population and its reference share a key: one measure and one year serve both.
    """
    populations = [
        _slot(
            n,
            SlotKind.POPULATION,
            "condition",
            measure=condition.measure,
            population=population,
            period=period,
            threshold=condition.threshold,
            shared_key=f"condition:{n}" if condition.reference else None,
        )
        for n, condition in enumerate(conditions, start=1)
    ]
    against = [(n, condition) for n, condition in enumerate(conditions, start=1) if condition.reference]
    references = [
        _slot(
            len(populations) + place,
            SlotKind.VALUE,
            "reference",
            measure=condition.measure,
            entity=condition.reference,
            period=period,
            shared_key=f"condition:{n}",
        )
        for place, (n, condition) in enumerate(against, start=1)
    ]
    return (*populations, *references)


def _filtered_list(reading: FilteredListReading) -> tuple[Slot, ...]:
    return _conditions(reading.conditions, reading.population, reading.period)


def _item_list(reading: ItemListReading) -> tuple[Slot, ...]:
    return (
        _slot(
            1,
            SlotKind.MEMBERS,
            "members",
            entity=reading.entity,
            population=reading.population,
            relation=reading.relation,
        ),
    )


def _yes_no(reading: YesNoReading) -> tuple[Slot, ...]:
    first = _slot(
        1,
        SlotKind.VALUE,
        "value",
        measure=reading.measure,
        entity=reading.entity,
        period=reading.period,
        threshold=reading.threshold,
        shared_key="measure" if reading.other else None,
    )
    if reading.other is None:
        return (first,)
    other = _slot(
        2,
        SlotKind.VALUE,
        "other",
        measure=reading.measure,
        entity=reading.other,
        period=reading.period,
        shared_key="measure",
    )
    return first, other


def _vague_aspect(reading: VagueAspectReading) -> tuple[Slot, ...]:
    return tuple(
        _slot(
            n,
            SlotKind.VALUE,
            "aspect",
            measure=MeasureMention(text=measure),
            entity=reading.entity,
            period=reading.period,
        )
        for n, measure in enumerate(measures_of(reading.aspect), start=1)
    )


def _status(reading: StatusReading) -> tuple[Slot, ...]:
    return (
        _slot(
            1,
            SlotKind.FACT,
            "status",
            entity=reading.entity,
            relation=reading.attribute,
            object=reading.object,
        ),
    )


def _aggregate(reading: AggregateReading) -> tuple[Slot, ...]:
    if reading.conditions:
        return _conditions(reading.conditions, reading.population, reading.period)
    if reading.measure is None:
        relation = "members"
        return (_slot(1, SlotKind.MEMBERS, "members", population=reading.population, relation=relation),)
    return (
        _slot(
            1,
            SlotKind.POPULATION,
            "members",
            measure=reading.measure,
            population=reading.population,
            period=reading.period,
        ),
    )


SLOT_RULES: dict[str, Callable[[Any], tuple[Slot, ...]]] = {
    "value": _value,
    "comparison": _comparison,
    "ranking": _population,
    "change_ranking": _change_ranking,
    "population_value": _population,
    "breakdown": _breakdown,
    "trend": _trend,
    "difference": _difference,
    "ratio": _ratio,
    "correlation": _correlation,
    "filtered_list": _filtered_list,
    "item_list": _item_list,
    "yes_no": _yes_no,
    "vague_aspect": _vague_aspect,
    "status": _status,
    "aggregate": _aggregate,
}
"""``topical`` and ``grant_graph`` have no slots: no mounted source offers their access path."""

MISSING_ACCESS_PATH: dict[str, tuple[str, str]] = {
    "topical": (
        "no mounted source offers a search of records by subject",
        "a source with a predicate or topical search, declared in its access document",
    ),
    "grant_graph": (
        "no mounted source offers the grants between funders and recipients as a graph",
        "an index of grant edges that can be traversed in both directions",
    ),
}


def slots_for(reading: Reading) -> tuple[Slot, ...]:
    """The slots a reading needs; empty when no access path for its type exists."""
    rule = SLOT_RULES.get(reading.type)
    return with_filters(rule(reading)) if rule else ()

"""The combine stage: from executed figures to the result that the query type promises. Pure code.

Its only judgments are whether figures are like for like and whether a quantity adds up; without a clear yes
nothing is composed, and the reader is told why.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from functions.combine import orders, pairs, series, single
from functions.combine.aggregates import aggregate
from functions.combine.changes import change_ranking
from functions.combine.conversion import conversions
from functions.combine.correlation import correlation
from functions.combine.filters import filtered_list
from functions.combine.group_totals import group_totals
from functions.combine.outcome import Outcome
from functions.combine.parts import breakdown
from functions.combine.ratios import ratio
from shared.query.annotated import AnnotatedQuery, Annotation, Failed, Noted
from shared.query.evidence import Failure, FailureStatus
from shared.query.material import Material
from shared.query.slots import FILTER
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.text.articles import spoken_publisher

Combiner = Callable[[Material, RunContext], Awaitable[Outcome]]

COMBINERS: dict[str, Combiner] = {
    "value": single.value,
    "comparison": orders.comparison,
    "ranking": orders.ranking,
    "change_ranking": change_ranking,
    "population_value": orders.population_value,
    "breakdown": breakdown,
    "trend": series.trend,
    "difference": pairs.difference,
    "ratio": ratio,
    "correlation": correlation,
    "filtered_list": filtered_list,
    "item_list": single.items,
    "yes_no": pairs.yes_no,
    "vague_aspect": single.aspects,
    "status": single.status,
    "aggregate": aggregate,
}


async def combine(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Write one ``Combined`` for each meaning, and why any composition was refused.

    Groups without a figure of their own are added up first, and amounts in local currency that are held against
    others are converted; from then on such a figure is one like any other.
    A reading without executed figures gets nothing: its failures say already what went wrong.
    """
    outcome = Outcome()
    totals = await group_totals(query, outcome, context)
    query = query.model_copy(update={"annotations": [*query.annotations, *totals]})
    converted = await conversions(query, outcome, context)
    material = Material.of(query.model_copy(update={"annotations": [*query.annotations, *converted]}))
    combiner = COMBINERS.get(material.reading.type)
    if nobody := _nobody_left(material):
        outcome.refuse(FailureStatus.NO_DATA, nobody)
    elif combiner is not None and any(material.served.values()):
        made = await combiner(material, context)
        outcome.combined += made.combined
        outcome.refused += made.refused
        outcome.notes += [note for note in made.notes if note not in outcome.notes]
    if outcome.combined:
        context.say(f"combined the figures as {outcome.combined[0].result}")
    writer = Writer(query, "combine")
    annotations = [
        *totals,
        *converted,
        *(writer.write(combined, n=n) for n, combined in enumerate(outcome.combined)),
    ]
    for n, refused in enumerate(outcome.refused):
        context.say(f"not combined: {refused.reason}")
        failure = Failure(
            stage="combine",
            source=refused.source,
            slot=refused.slot,
            status=refused.status,
            reason=refused.reason,
        )
        annotations.append(
            writer.write(
                Failed(failure=failure),
                slot=refused.slot,
                source=refused.source,
                n=1000 + n,
            )
        )
    annotations += [writer.write(Noted(disclosure=note), n=2000 + n) for n, note in enumerate(outcome.notes)]
    return annotations


def _nobody_left(material: Material) -> str | None:
    """Why there is nobody to have figures of, when a filter lists nobody."""
    for slot in material.role(FILTER):
        for served in material.served.get(slot.id, ()):
            if served.executed.empty is not None and slot.population is not None:
                publisher = spoken_publisher(served.executed.response.publisher)
                return f"{publisher} lists nobody as {slot.population.text}"
    return None

"""The figure of a named group that its source has none for: the sum of its members' figures.

It is formed only of one measure over one period, and only of a quantity that adds up. The sum is a computation
over the members' receipts, and whoever has no figure is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from functions.combine import arithmetic
from functions.combine.outcome import Outcome, named
from functions.combine.tasks import QUANTITY_ADDS_UP, AddsUpRequest
from shared.query.annotated import GROUP_TOTAL, AnnotatedQuery, Annotation, Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Measure, Operation
from shared.query.identifiers import ComputationId
from shared.query.material import Cell, Served, to_add_up
from shared.query.quantity import Entity
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError
from shared.text.places import group_as_of, group_list_name


async def group_totals(query: AnnotatedQuery, outcome: Outcome, context: RunContext) -> list[Annotation]:
    """One ``GROUP_TOTAL`` for each slot and meaning whose group has to be added up; refusals go to ``outcome``."""
    writer = Writer(query, "combine")
    written: list[Annotation] = []
    told: set[str] = set()
    for served in to_add_up(query):
        cells = [cell for cell in served.reported() if cell.numeric]
        group, measure = served.executed.sum_of, served.executed.measure
        if group is None or not cells:
            continue
        reason = _several_periods(cells) or await does_not_add_up(measure, [c.entity.name for c in cells], context)
        if reason:
            text = f"no total of {measure.name} is formed for {group.name}: {reason}"
            outcome.refuse(FailureStatus.NOT_COMPARABLE, text, cell=cells[0])
            continue
        made = _sum(served, group, cells)
        written.append(
            writer.write(
                Combined(
                    meaning=served.meaning,
                    result=GROUP_TOTAL,
                    computations=(made,),
                    matched=len(cells),
                    tested=len(cells) + len(served.unreported()),
                ),
                slot=served.slot.id,
                n=len(written),
            )
        )
        if group.name not in told:
            told.add(group.name)
            outcome.note(DisclosureKind.MEMBERS, _provenance(served, group, cells))
        if served.unreported():
            outcome.note(
                DisclosureKind.COVERAGE,
                f"the total of {measure.name} for {group.name}, {cells[0].period}, lacks "
                f"{named(served.unreported())}",
            )
    return written


def _sum(served: Served, group: Entity, cells: Sequence[Cell]) -> Computation:
    measure = served.executed.measure
    return Computation(
        id=ComputationId(f"c:{served.slot.id}:{served.meaning}:total"),
        operation=Operation.SUM,
        inputs=tuple(cell.receipt for cell in cells),
        value=arithmetic.total([cell.value for cell in cells]),
        unit=measure.unit.code,
        formula=f"sum of {measure.name}, {cells[0].period}, over {len(cells)} members of {group.name}",
    )


def _provenance(served: Served, group: Entity, cells: Sequence[Cell]) -> str:
    """That the figure is added up, from whom, and whose list says who belongs to the group."""
    everyone = len(cells) + len(served.unreported())
    of = f"{len(cells)}" if len(cells) == everyone else f"{len(cells)} of {everyone}"
    publisher = served.executed.response.publisher
    text = f"{publisher} has no figure of {group.name} itself: it is added up here from those of {of} members"
    whose, as_of = group_list_name(group), group_as_of(group)
    if whose is None:
        return text
    dated = "" if as_of in {None, "customary"} else f" ({as_of})"
    return f"{text}, which belong to it by {whose}{dated}"


def _several_periods(cells: Sequence[Cell]) -> str | None:
    periods = sorted({cell.period.text for cell in cells})
    return f"its members' figures are of several periods ({', '.join(periods)})" if len(periods) > 1 else None


async def does_not_add_up(measure: Measure, members: Sequence[str], context: RunContext) -> str | None:
    """Why members' figures must not be summed: as the publisher declares it, else as it is judged."""
    if measure.additive is not None:
        return None if measure.additive else f"{measure.name} of a group is not the sum of its members'"
    request = AddsUpRequest(
        measure=measure.name,
        definition=measure.definition,
        unit=measure.unit.label,
        unit_kind=measure.unit.kind.value,
        per=measure.unit.per,
        members=tuple(members[:20]),
    )
    try:
        reply = await context.judge(QUANTITY_ADDS_UP, request)
    except ModelError as error:
        return f"no judgment could be had on whether {measure.name} adds up ({error})"
    return None if reply.adds_up == "yes" else reply.why or f"{measure.name} is not known to add up"

"""The figure of a named group that its source has none for: the sum of its members' figures.

It is formed only of one measure over one period, and only of a quantity that adds up. The sum is a computation
over the members' receipts, and whoever has no figure is named. Of a course over time there is a sum for each year
that every member has a figure of, and for no other: a line must not rise because a member joins it.
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
from shared.query.slots import SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError
from shared.text.articles import spoken, spoken_publisher
from shared.text.places import group_as_of, group_list_name


async def group_totals(query: AnnotatedQuery, outcome: Outcome, context: RunContext) -> list[Annotation]:
    """One ``GROUP_TOTAL`` for each slot and meaning whose group has to be added up; refusals go to ``outcome``.

    It holds one computation, or for a series one for each year, oldest first.
    """
    writer = Writer(query, "combine")
    written: list[Annotation] = []
    told: set[str] = set()
    for served in to_add_up(query):
        cells = [cell for cell in served.reported() if cell.numeric]
        group, measure = served.executed.sum_of, served.executed.measure
        if group is None or not cells:
            continue
        by_period = _by_period(cells)
        course = served.slot.kind is SlotKind.SERIES
        reason = (_uneven(by_period) if course else _several_periods(by_period)) or await does_not_add_up(
            measure, [c.entity.name for c in cells], context
        )
        if reason:
            text = f"no total of {measure.name} is formed for {group.name}: {reason}"
            outcome.refuse(FailureStatus.NOT_COMPARABLE, text, cell=cells[0])
            continue
        made = tuple(_sum(served, group, own, dated=course) for own in by_period)
        each = by_period[-1]
        written.append(
            writer.write(
                Combined(
                    meaning=served.meaning,
                    result=GROUP_TOTAL,
                    computations=made,
                    matched=len(each),
                    tested=len(each) + (0 if course else len(served.unreported())),
                ),
                slot=served.slot.id,
                n=len(written),
            )
        )
        if group.name not in told:
            told.add(group.name)
            outcome.note(DisclosureKind.MEMBERS, _provenance(served, group, each, course=course))
        if course and served.unreported():
            outcome.note(
                DisclosureKind.COVERAGE,
                f"{measure.name} of {group.name} is added up only for years of which every member has a figure: "
                f"not for {named(served.unreported())}",
            )
        elif served.unreported():
            outcome.note(
                DisclosureKind.COVERAGE,
                f"the total of {measure.name} for {group.name}, {cells[0].period}, lacks "
                f"{named(served.unreported())}",
            )
    return written


def _by_period(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells of each period, the oldest first."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.period.text, []).append(cell)
    return [found[period] for period in sorted(found)]


def _sum(served: Served, group: Entity, cells: Sequence[Cell], *, dated: bool) -> Computation:
    measure = served.executed.measure
    made = f"c:{served.slot.id}:{served.meaning}:total"
    return Computation(
        id=ComputationId(f"{made}:{cells[0].period}" if dated else made),
        operation=Operation.SUM,
        inputs=tuple(cell.receipt for cell in cells),
        value=arithmetic.total([cell.value for cell in cells]),
        unit=measure.unit.code,
        formula=f"sum of {measure.name}, {cells[0].period}, over {len(cells)} members of {group.name}",
    )


def _provenance(served: Served, group: Entity, cells: Sequence[Cell], *, course: bool) -> str:
    """That the figure is added up, from whom, and whose list says who belongs to the group."""
    everyone = len(cells) + (0 if course else len(served.unreported()))
    of = f"{len(cells)}" if len(cells) == everyone else f"{len(cells)} of {everyone}"
    publisher = spoken_publisher(served.executed.response.publisher)
    text = (
        f"{publisher} has no figure of {spoken(group.name)} itself: it is added up here from those of {of} members"
    )
    throughout = "; the members are the same in every year" if course else ""
    whose, as_of = group_list_name(group), group_as_of(group)
    if whose is None:
        return text + throughout
    dated = "" if as_of in {None, "customary"} else f" ({as_of})"
    return f"{text}, which belong to it by {whose}{dated}{throughout}"


def _several_periods(by_period: Sequence[Sequence[Cell]]) -> str | None:
    periods = [cells[0].period.text for cells in by_period]
    return f"its members' figures are of several periods ({', '.join(periods)})" if len(periods) > 1 else None


def _uneven(by_period: Sequence[Sequence[Cell]]) -> str | None:
    """Why sums of several years would not be of the same members."""
    first = {cell.entity for cell in by_period[0]}
    for cells in by_period[1:]:
        if other := first.symmetric_difference(cell.entity for cell in cells):
            names = named(sorted(entity.name for entity in other))
            return f"{names}: no figure in every year ({cells[0].period})"
    return None


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

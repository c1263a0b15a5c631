"""Presenter of trends."""

from __future__ import annotations

from functions.present import charts, tables
from functions.present.draft import Draft, View
from functions.present.wording import computed, listed, possessive, running, shown, sources, when
from shared.query.annotated import Combined
from shared.query.evidence import Computation, Operation
from shared.query.material import Cell


def trend(view: View, draft: Draft) -> None:
    """First, last and change of each entity; every figure of the leading meaning is claimed."""
    for number, combined in enumerate(view.combined[:1] if view.leading_only else view.combined):
        by_slot: dict[str, list[Cell]] = {}
        for cell in view.cells(combined):
            by_slot.setdefault(cell.slot, []).append(cell)
        for place, cells in enumerate(by_slot.values()):
            ends = [row for row in combined.rows if row.slot == cells[0].slot and row.rank is not None]
            if ends:
                _ended(cells, view.cells_of(ends), combined, draft, leading=number == 0 and place == 0)
            else:
                _moved(cells, combined, draft, leading=number == 0 and place == 0)
    cells = view.cells(view.leading)
    for cell in cells:
        draft.claim(cell)
    draft.table = tables.over_time(cells)
    first, last = cells[0], cells[-1]
    title = f"{first.measure.name}, {min(c.period.text for c in cells)} to {max(c.period.text for c in cells)}"
    if len({cell.entity for cell in cells}) == 1:
        title = f"{last.entity.name}: {title}"
    chart = charts.lines("chart:1", title, cells)
    draft.charts += [chart] if chart else []


def _ended(cells: list[Cell], ends: list[Cell], combined: Combined, draft: Draft, *, leading: bool) -> None:
    """The highest or lowest figure of the course, and every year that has it."""
    first, last, end = cells[0], cells[-1], ends[0]
    span = f"{first.period} to {last.period}"
    made = next(
        one
        for one in combined.computations
        if one.operation in _ENDS and set(one.inputs) == {cell.receipt for cell in cells}
    )
    order = _ENDS[made.operation]
    draft.claim_computed(
        made,
        text=f"{order} {end.measure.name}, {end.entity.name}, {span}: {shown(end, exact=True)}",
        measure=f"{order} {end.measure.name}",
        entity=end.entity,
        period=span,
    )
    for cell in ends:
        draft.claim(cell)
    draft.names.add(span)

    def words(*, exact: bool) -> str:
        years = listed([cell.period.text for cell in ends])
        name = running(end.measure.name)
        return (
            f"{possessive(end.entity.name)} {name} was {order} in {years}, at {shown(end, exact=exact)}, "
            f"among the figures of {first.period} to {last.period}"
        )

    tail = f", according to {sources(cells)}." if leading else "."
    draft.say(words(exact=False) + tail, words(exact=True) + tail)


_ENDS = {Operation.MINIMUM: "lowest", Operation.MAXIMUM: "highest"}


def _moved(cells: list[Cell], combined: Combined, draft: Draft, *, leading: bool) -> None:
    first, last = cells[0], cells[-1]
    draft.claim(first)
    draft.claim(last)
    made = {
        computation.operation: computation
        for computation in combined.computations
        if computation.inputs == (last.receipt, first.receipt)
    }
    span = f"{first.period} to {last.period}"
    for computation in made.values():
        if isinstance(computation.value, bool):
            continue
        change = computed(computation.value, computation.unit, last, exact=True)
        draft.claim_computed(
            computation,
            text=f"{last.measure.name}, {last.entity.name}, change {span}: {change}",
            measure=f"{_WHAT[computation.operation]} {last.measure.name}",
            entity=last.entity,
            period=span,
        )

    def words(*, exact: bool) -> str:
        verb = "stayed at" if last.value == first.value else ("rose" if last.value > first.value else "fell")
        moved = (
            f"{verb} {shown(first, exact=exact)}"
            if last.value == first.value
            else f"{verb} from {shown(first, exact=exact)}"
        )
        text = f"{possessive(last.entity.name)} {running(last.measure.name)} {moved}{when(first.period)}"
        if last.value != first.value:
            text += f" to {shown(last, exact=exact)}"
        else:
            text += ", and again was that"
        return text + f"{when(last.period)}{_by(made, last, exact=exact)}"

    tail = f", according to {sources(cells)}." if leading else "."
    draft.say(words(exact=False) + tail, words(exact=True) + tail)


_WHAT = {Operation.DIFFERENCE: "change in", Operation.PERCENT_CHANGE: "percent change in"}


def _by(made: dict[Operation, Computation], cell: Cell, *, exact: bool) -> str:
    """The change in brackets: relative where that has meaning, else absolute, without its sign."""
    change = made.get(Operation.PERCENT_CHANGE) or made.get(Operation.DIFFERENCE)
    if change is None or isinstance(change.value, bool) or change.value == 0:
        return ""
    sign = "+" if change.value > 0 else "-"
    return f" ({sign}{computed(abs(change.value), change.unit, cell, exact=exact)})"

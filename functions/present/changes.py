"""Presenter of a ranking by change: the members asked for, each with both figures and what lies between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from functions.present import charts
from functions.present.draft import Draft, View
from functions.present.orders import NAMED_IN_TEXT, claimed, group
from functions.present.wording import according, computed, listed, running, shown
from shared.query.answer import Table
from shared.query.evidence import Computation, Operation
from shared.query.material import Cell
from shared.query.quantity import UnitKind, plain_digits
from shared.query.readings import ChangeRankingReading, Direction, Movement
from shared.text.articles import spoken

_MOST = {Movement.RISE: "rise", Movement.FALL: "fall", Movement.EITHER: "change"}


@dataclass(frozen=True, slots=True)
class Moved:
    """One member: its rank, both figures, the change and, where that has a meaning, the change in percent."""

    rank: int | None
    first: Cell
    last: Cell
    change: Computation
    percent: Computation | None

    def made(self, *, relative: bool) -> Computation:
        """The computation that the order is by."""
        return self.percent if relative and self.percent is not None else self.change


def change_ranking(view: View, draft: Draft) -> None:
    """The members shown, in order, with both receipts and the computation of each; the text names the first few."""
    reading = view.material.reading
    if not isinstance(reading, ChangeRankingReading):
        raise TypeError(f"changes were asked of a {reading.type} reading")
    members = _members(view)
    measure = members[0].last.measure
    relative = reading.relative and measure.unit.kind is not UnitKind.PERCENT
    span = f"{members[0].first.period} to {members[0].last.period}"
    for one in claimed(members):
        draft.claim(one.last)
        draft.claim(one.first)
        for made in filter(None, (one.change, one.percent)):
            kind = "percent change" if made.operation is Operation.PERCENT_CHANGE else "change"
            amount = computed(_number(made), made.unit, one.last, exact=True)
            draft.claim_computed(
                made,
                text=f"{kind} in {measure.name}, {one.last.entity.name}, {span}: {amount}",
                measure=f"{kind} in {measure.name}",
                entity=one.last.entity,
                period=span,
            )
    among = _among(view, reading)
    draft.names |= {among, span}
    tail = according(view, [members[0].last])

    def words(*, exact: bool) -> str:
        if reading.direction is None:
            return _every(members, among, relative=relative, exact=exact) + tail
        return _order(members, reading, among, relative=relative, exact=exact) + tail

    draft.say(words(exact=False), words(exact=True))
    draft.table = _table(members, relative=relative)
    changes = [one.made(relative=relative) for one in members]
    axis = f"Change in {running(measure.name)}, {span} ({changes[0].unit})"
    bars = [(one.last.entity.name, _number(made)) for one, made in zip(members, changes, strict=True)]
    chart = charts.changes("chart:1", axis, bars)
    draft.charts += [chart] if chart else []


def _members(view: View) -> list[Moved]:
    lead = view.leading
    by_id = {made.id: made for made in lead.computations}
    cells = view.cells(lead)
    members = []
    for place in range(0, len(cells), 2):
        row = lead.rows[place]
        change, *percent = (by_id[made] for made in row.computations)
        members.append(Moved(row.rank, cells[place + 1], cells[place], change, percent[0] if percent else None))
    return members


def _among(view: View, reading: ChangeRankingReading) -> str:
    """The population, and how many of it have both years where some have not."""
    what, tested = group(reading.population), view.leading.tested
    slots = {row.slot: row.meaning for row in view.leading.rows}
    everyone: set[str] = set()
    for slot, meaning in slots.items():
        served = view.material.at(slot, meaning)
        everyone |= {cell.entity.name for cell in served.reported()} | set(served.unreported())
    if tested is None or tested == len(everyone):
        return what
    return f"the {tested} of {len(everyone)} {what} that report both years"


def _order(
    members: Sequence[Moved], reading: ChangeRankingReading, among: str, *, relative: bool, exact: bool
) -> str:
    first, *others = members
    exact = exact or _blurred(members[:NAMED_IN_TEXT], relative=relative)
    end = "smallest" if reading.direction is Direction.LOWEST else "largest"
    kind = _MOST[reading.movement]
    basis = "relative " if relative else ""
    span = f"from {first.first.period} to {first.last.period}"
    figures = f"from {shown(first.first, exact=exact)} to {shown(first.last, exact=exact)}"
    text = (
        f"{spoken(first.last.entity.name)} had the {end} {basis}{kind} in {running(first.last.measure.name)} among "
        f"{among} {span}: {_amount(first, reading, relative=relative, exact=exact)}, {figures}"
    )
    if others:
        named = [
            f"{spoken(one.last.entity.name)} ({_amount(one, reading, relative=relative, exact=exact)})"
            for one in others[: NAMED_IN_TEXT - 1]
        ]
        text += f", followed by {listed(named)}"
    return text


def _every(members: Sequence[Moved], among: str, *, relative: bool, exact: bool) -> str:
    first, last = members[0], members[-1]
    name = running(first.last.measure.name)
    span = f"from {first.first.period} to {first.last.period}"
    ends = [
        f"{_signed(one, relative=relative, exact=exact)} in {spoken(one.last.entity.name)}" for one in (first, last)
    ]
    if len(members) == 1:
        return f"the change in {name} {span} is {ends[0]}"
    return f"the change in {name} of {among} {span} goes from {ends[0]} to {ends[1]}"


def _amount(one: Moved, reading: ChangeRankingReading, *, relative: bool, exact: bool) -> str:
    if reading.movement is Movement.EITHER:
        return _signed(one, relative=relative, exact=exact)
    return _size(one, relative=relative, exact=exact)


def _signed(one: Moved, *, relative: bool, exact: bool) -> str:
    value = _number(one.change)
    if value == 0:
        return "no change"
    return f"a {'rise' if value > 0 else 'fall'} of {_size(one, relative=relative, exact=exact)}"


def _size(one: Moved, *, relative: bool, exact: bool) -> str:
    made = one.made(relative=relative)
    return computed(abs(_number(made)), made.unit, one.last, exact=exact)


def _blurred(members: Sequence[Moved], *, relative: bool) -> bool:
    """Whether rounding would show changes as equal that are not."""
    seen = {
        _size(one, relative=relative, exact=False): abs(_number(one.made(relative=relative))) for one in members
    }
    return any(
        seen[_size(one, relative=relative, exact=False)] != abs(_number(one.made(relative=relative)))
        for one in members
    )


def _number(made: Computation) -> Decimal:
    if isinstance(made.value, bool):
        raise TypeError(f"{made.id} is a verdict and no amount")
    return made.value


def _table(members: Sequence[Moved], *, relative: bool) -> Table:
    """One row a member: rank, name, both figures, the change and the change in percent where all have one."""
    first = members[0]
    title = charts.axis_title(first.last.measure)
    percent = all(one.percent is not None for one in members)
    heads = ["Rank", "Name", f"{title}, {first.first.period}", f"{title}, {first.last.period}"]
    changes = [f"Change ({first.change.unit})", *(["Change in %"] if percent else [])]
    rows = []
    for one in members:
        made = [one.change, *([one.percent] if percent and one.percent is not None else [])]
        amounts = [plain_digits(_number(each)) for each in made]
        rows.append(
            (
                None if one.rank is None else str(one.rank),
                one.last.entity.name,
                one.first.observation.printed,
                one.last.observation.printed,
                *(reversed(amounts) if relative else amounts),
            )
        )
    return Table(columns=(*heads, *(reversed(changes) if relative else changes)), rows=tuple(rows))

"""Presenters of what is found over a population: members that meet conditions, one figure, a correlation."""

from __future__ import annotations

from decimal import Decimal

from functions.present import charts, tables
from functions.present.conditions import condition_words
from functions.present.draft import Draft, View
from functions.present.lists import LISTED_IN_TEXT
from functions.present.orders import CLAIMED, group
from functions.present.single import stated
from functions.present.wording import apart, computed, listed, publishers_of, running, shown, sources, when
from shared.query.annotated import Combined
from shared.query.answer import Table
from shared.query.evidence import Computation, Operation
from shared.query.material import Cell
from shared.query.quantity import Unit
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    Condition,
    CorrelationReading,
    FilteredListReading,
    PopulationMention,
)
from shared.text.articles import spoken


def _count(combined: Combined) -> Computation:
    return next(made for made in combined.computations if made.operation is Operation.COUNT)


def _first_cells(view: View, combined: Combined) -> list[Cell]:
    """For each member, its cell of the first condition (rows of one member follow each other)."""
    first = combined.rows[0].slot if combined.rows else None
    return [view.cell(row) for row in combined.rows if row.slot == first]


def _publishers(view: View) -> str:
    return publishers_of(one.executed.response.publisher for one in view.material.everything())


def filtered_list(view: View, draft: Draft) -> None:
    """The members that meet every condition, the largest of the first measure first, and how many they are."""
    reading = view.material.reading
    if not isinstance(reading, FilteredListReading):
        raise TypeError(f"a filtered list was asked of a {reading.type} reading")
    _matching(view, draft, reading.population, reading.conditions)


def _unit_of(view: View, condition: Condition) -> Unit | None:
    """The unit that the leading meaning of a condition is published in."""
    ours = [
        one.executed.measure.unit
        for one in view.material.everything()
        if one.slot.measure == condition.measure
        and one.slot.threshold == condition.threshold
        and (view.leading_slot(one) or not view.leading.rows)
    ]
    return ours[0] if ours else None


def _held_against(view: View, draft: Draft) -> None:
    """The figures that members were held against, each in a sentence, in the leading meaning."""
    for slot in view.material.role("reference"):
        keys = {view.material.at(r.slot, r.meaning).key for r in view.leading.rows} or {
            served.key for served in view.material.served.get(slot.id, ())[:1]
        }
        for served in view.material.served.get(slot.id, ()):
            if served.key not in keys:
                continue
            for cell in served.reported()[:1]:
                draft.claim(cell)
                draft.say(f"{stated(cell)}.", f"{stated(cell, exact=True)}.")


def _matching(view: View, draft: Draft, population: PopulationMention, conditions: tuple[Condition, ...]) -> None:
    lead = view.leading
    for row in lead.rows[:CLAIMED]:
        draft.claim(view.cell(row))
    cells = _first_cells(view, lead)
    what = group(population)
    bounds = listed([condition_words(condition, _unit_of(view, condition)) for condition in conditions])
    draft.names |= {what, bounds, *(cell.entity.name for cell in cells)}
    made = _count(lead)
    draft.claim_computed(
        made,
        text=f"{what} with {bounds}: {lead.matched}",
        measure=f"number of {what} with {bounds}",
        entity=what,
        period=_period_of(view),
    )
    source = f", according to {_publishers(view)}."
    if not cells:
        year = _period_of(view)
        draft.names |= {year} if year else set()
        draft.say(f"None of the {what} had {bounds}{f' in {year}' if year else ''}{source}")
        _held_against(view, draft)
        return
    bound = view.material.at(cells[0].slot, cells[0].meaning).slot.threshold
    names = [f"{spoken(cell.entity.name)} ({apart(cell, bound)})" for cell in cells[:LISTED_IN_TEXT]]
    exact = [f"{spoken(cell.entity.name)} ({shown(cell, exact=True)})" for cell in cells[:LISTED_IN_TEXT]]
    names += ["others"] if len(cells) > LISTED_IN_TEXT else []
    exact += ["others"] if len(cells) > LISTED_IN_TEXT else []
    head = f"{lead.matched} of the {what} had {bounds}{when(cells[0].period)}"
    draft.say(f"{head}: {listed(names)}{source}", f"{head}: {listed(exact)}{source}")
    _held_against(view, draft)
    draft.table = _condition_table(view, lead)
    chart = charts.bars("chart:1", f"{cells[0].measure.name}, {cells[0].period}", cells)
    draft.charts += [chart] if chart else []


def _period_of(view: View) -> str | None:
    periods = {cell.period.text for one in view.material.everything() for cell in one.reported() if cell.numeric}
    return next(iter(periods)) if len(periods) == 1 else None


def _condition_table(view: View, combined: Combined) -> Table:
    slots = list(dict.fromkeys(row.slot for row in combined.rows))
    by_member: dict[str, dict[str, Cell]] = {}
    for row in combined.rows:
        cell = view.cell(row)
        by_member.setdefault(cell.entity.code, {})[row.slot] = cell
    first = next(iter(by_member.values()))
    return Table(
        columns=("Name", *(f"{charts.axis_title(first[slot].measure)}, {first[slot].period}" for slot in slots)),
        rows=tuple(
            (next(iter(cells.values())).entity.name, *(cells[slot].observation.printed for slot in slots))
            for cells in by_member.values()
        ),
    )


_AGGREGATE_WORDS = {
    AggregateOperation.SUM: "the total of",
    AggregateOperation.MEAN: "the unweighted mean of",
    AggregateOperation.MEDIAN: "the median of",
    AggregateOperation.MINIMUM: "the smallest",
    AggregateOperation.MAXIMUM: "the largest",
    AggregateOperation.COUNT: "the number of figures of",
}


def aggregate(view: View, draft: Draft) -> None:
    """The one figure; the members it was made from are its evidence."""
    reading = view.material.reading
    if not isinstance(reading, AggregateReading):
        raise TypeError(f"an aggregate was asked of a {reading.type} reading")
    lead = view.leading
    what = group(reading.population)
    draft.names.add(what)
    if reading.conditions and not view.material.role("members"):
        _matching(view, draft, reading.population, reading.conditions)
        return
    if reading.measure is None:
        made = _count(lead)
        cells = view.cells(lead)
        draft.claim_computed(made, text=f"{what}: {lead.matched}", measure=f"number of {what}", entity=what)
        verb = "is" if lead.matched == 1 else "are"
        draft.say(f"There {verb} {lead.matched} {what}, according to {_publishers(view)}.")
        draft.table = tables.of_members([(cell.entity.name, cell.entity.code) for cell in cells])
        return
    _reduced(view, draft, reading, what)


def _reduced(view: View, draft: Draft, reading: AggregateReading, what: str) -> None:
    lead = view.leading
    cells = view.cells(lead)
    first, made = cells[0], lead.computations[0]
    if isinstance(made.value, bool):
        raise TypeError(f"{made.id} is a verdict and no amount")
    words = f"{_AGGREGATE_WORDS[reading.operation]} {running(first.measure.name)}"
    extreme = reading.operation in {AggregateOperation.MINIMUM, AggregateOperation.MAXIMUM}
    if extreme:
        for cell in cells:
            draft.claim(cell)
    amount, exactly = (computed(made.value, made.unit, first, exact=exact) for exact in (False, True))
    draft.claim_computed(
        made,
        text=f"{words}, {what}, {first.period}: {exactly}",
        measure=f"{reading.operation.value} of {first.measure.name}",
        entity=what,
        period=first.period.text,
    )
    whose = f" ({listed([spoken(cell.entity.name) for cell in cells])})" if extreme else ""
    missing = " that report it" if (lead.tested or 0) > (lead.matched or 0) else ""
    text = f"{words[0].upper()}{words[1:]} over {what}{missing}{when(first.period)} was "
    tail = f"{whose}, according to {_publishers(view)}."
    draft.say(f"{text}{amount}{tail}", f"{text}{exactly}{tail}")
    if reading.operation is AggregateOperation.MEAN:
        _weighed(view, draft)
    draft.table = tables.by_member(sorted(cells, key=lambda cell: (-cell.value, cell.entity.name)))


def _weighed(view: View, draft: Draft) -> None:
    """The publisher's own figure of the group beside the unweighted mean of its members."""
    row = view.leading.rows[0]
    whole = view.material.at(row.slot, row.meaning).of_all()
    if whole is None or not whole.numeric:
        return
    draft.claim(whole)
    head = f"{_publishers(view)}'s own figure for {spoken(whole.entity.name)}, which is no such mean, was "
    draft.say(
        f"{head}{shown(whole)}{when(whole.period)}.", f"{head}{shown(whole, exact=True)}{when(whole.period)}."
    )


def correlation(view: View, draft: Draft) -> None:
    """Both coefficients and over how many members; what the coefficients cannot show is disclosed."""
    reading = view.material.reading
    lead = view.leading
    cells = view.cells(lead)
    pairs = list(zip(cells[::2], cells[1::2], strict=True))
    x, y = pairs[0]
    what = group(reading.population) if isinstance(reading, CorrelationReading) else "members"
    both = f"{running(x.measure.name)} and {running(y.measure.name)}"
    draft.names |= {what, both}
    made = {computation.operation: computation for computation in lead.computations}
    labels = {
        Operation.PEARSON: "Pearson correlation",
        Operation.SPEARMAN: "Spearman rank correlation",
        Operation.COUNT: "number of members with both",
    }
    for operation, label in labels.items():
        value = made[operation].value
        draft.claim_computed(
            made[operation],
            text=f"{label}, {x.measure.name} and {y.measure.name}, {what}, {x.period}: {value}",
            measure=f"{label}: {x.measure.name} and {y.measure.name}",
            entity=what,
            period=x.period.text,
        )
    pearson, spearman = _plain(made[Operation.PEARSON]), _plain(made[Operation.SPEARMAN])
    tail = f" over {lead.matched} {what}{when(x.period)}, according to {sources(cells)}."
    text = f"{both[0].upper()}{both[1:]} {_strength(pearson)}: Pearson's coefficient is "
    draft.say(
        f"{text}{_short(pearson)} and Spearman's is {_short(spearman)}{tail}",
        f"{text}{pearson} and Spearman's is {spearman}{tail}",
    )
    draft.table = Table(
        columns=("Name", charts.axis_title(x.measure), charts.axis_title(y.measure)),
        rows=tuple((a.entity.name, a.observation.printed, b.observation.printed) for a, b in pairs),
    )
    chart = charts.points("chart:1", f"{x.measure.name} and {y.measure.name}, {x.period}", pairs)
    draft.charts += [chart] if chart else []


def _plain(made: Computation) -> Decimal:
    return Decimal(0) if isinstance(made.value, bool) else made.value


def _short(value: Decimal) -> str:
    return format(value.quantize(Decimal("0.01")), "f") if abs(value) >= Decimal("0.01") else format(value, "f")


def _strength(pearson: Decimal) -> str:
    """Plain words for a coefficient; the coefficient itself stands beside them."""
    size = abs(pearson)
    if size < Decimal("0.2"):
        return "hardly move together"
    strength = "weakly" if size < Decimal("0.5") else ("moderately" if size < Decimal("0.8") else "strongly")
    return f"move {strength} {'together' if pearson > 0 else 'against each other'}"

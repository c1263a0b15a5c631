"""Presenters of what is computed from two figures: a difference, a ratio, a verdict."""

from __future__ import annotations

from decimal import Decimal

from functions.present import charts, tables
from functions.present.draft import Draft, View
from functions.present.wording import apart, computed, possessive, running, shown, sources, too_close, verb, when
from shared.query.annotated import Combined
from shared.query.evidence import Computation, Operation
from shared.query.material import Cell
from shared.query.readings import Comparator, YesNoReading

RELATIONS: dict[Comparator, str] = {
    Comparator.GREATER: "more than",
    Comparator.AT_LEAST: "at least",
    Comparator.LESS: "less than",
    Comparator.AT_MOST: "at most",
    Comparator.EQUAL: "exactly",
    Comparator.BETWEEN: "between",
}


def _by_operation(combined: Combined) -> dict[Operation, Computation]:
    return {made.operation: made for made in combined.computations}


def _amount(made: Computation, cell: Cell, *, exact: bool) -> str:
    if isinstance(made.value, bool):
        raise TypeError(f"{made.id} is a verdict and no amount")
    return computed(abs(made.value), made.unit, cell, exact=exact)


def difference(view: View, draft: Draft) -> None:
    """How much more, or how much it changed, with both figures."""
    lead = view.leading
    high, low = view.cells(lead)
    draft.claim(high)
    draft.claim(low)
    over_time = high.entity == low.entity
    span = f"{low.period} to {high.period}" if over_time else high.period.text
    whom = high.entity if over_time else f"{high.entity.name} and {low.entity.name}"
    name = whom if isinstance(whom, str) else whom.name
    for made in lead.computations:
        if isinstance(made.value, bool):
            continue
        kind = "percent difference" if made.operation is Operation.PERCENT_CHANGE else "difference"
        kind = kind.replace("difference", "change") if over_time else kind
        amount = computed(made.value, made.unit, high, exact=True)
        draft.claim_computed(
            made,
            text=f"{kind} in {high.measure.name}, {name}, {span}: {amount}",
            measure=f"{kind} in {high.measure.name}",
            entity=whom,
            period=span,
        )
    tail = f", according to {sources([high, low])}."
    draft.say(
        _difference_words(lead, high, low, exact=False) + tail,
        _difference_words(lead, high, low, exact=True) + tail,
    )
    draft.table = tables.by_measure([high, low])
    if not over_time:
        chart = charts.bars("chart:1", f"{high.measure.name}, {high.period}", [high, low])
        draft.charts += [chart] if chart else []


def _difference_words(combined: Combined, high: Cell, low: Cell, *, exact: bool) -> str:
    made = _by_operation(combined)
    amount = _amount(made[Operation.DIFFERENCE], high, exact=exact)
    relative = made.get(Operation.PERCENT_CHANGE)
    share = f" ({_amount(relative, high, exact=exact)})" if relative is not None and relative.value != 0 else ""
    name = running(high.measure.name)
    exact = exact or too_close([high, low])
    one, two = shown(high, exact=exact), shown(low, exact=exact)
    if high.value == low.value:
        return f"There is no difference in {name}: both figures are {one}"
    if high.entity == low.entity:
        moved = "rose" if high.value > low.value else "fell"
        return (
            f"{possessive(high.entity.name)} {name} {moved} by {amount}{share}, "
            f"from {two}{when(low.period)} to {one}{when(high.period)}"
        )
    return (
        f"{possessive(high.entity.name)} {name} {verb(name)} {amount}{share} more than "
        f"{possessive(low.entity.name)}{when(high.period)}: {one} against {two}"
    )


def ratio(view: View, draft: Draft) -> None:
    """The quotient with its two figures and its formula."""
    made = view.leading.computations[0]
    cells = view.cells(view.leading)
    draft.table = tables.by_measure(cells)
    if isinstance(made.value, bool):
        raise TypeError(f"{made.id} is a verdict and no amount")
    if len(cells) == 1:
        _published_ratio(cells[0], made, draft)
        return
    top, bottom = cells
    draft.claim(top)
    draft.claim(bottom)
    kind = "share of" if made.unit == "%" else "ratio to"
    measure = f"{top.measure.name}, {kind} {bottom.measure.name}"
    if top.measure.variable == bottom.measure.variable:
        measure = f"{kind.split(maxsplit=1)[0]} of {top.measure.name}"
    whom = top.entity if top.entity == bottom.entity else f"{top.entity.name} and {bottom.entity.name}"
    amount = computed(made.value, made.unit, top, exact=True)
    draft.claim_computed(
        made, text=f"{made.formula}: {amount}", measure=measure, entity=whom, period=top.period.text
    )
    tail = f", according to {sources([top, bottom])}."
    draft.say(
        _ratio_words(made, top, bottom, exact=False) + tail, _ratio_words(made, top, bottom, exact=True) + tail
    )


def _published_ratio(cell: Cell, made: Computation, draft: Draft) -> None:
    """A ratio that its publisher gives itself: the published share, and the plain number it amounts to."""
    draft.claim(cell)
    amount = computed(_number(made), made.unit, cell, exact=True)
    if made.unit is None:
        draft.claim_computed(
            made,
            text=f"{made.formula}, {cell.period}: {amount}",
            measure=f"ratio: {cell.measure.name}",
            entity=cell.entity,
            period=cell.period.text,
        )
    else:
        draft.keep(made)

    def words(*, exact: bool) -> str:
        plain = f", a ratio of {computed(_number(made), None, cell, exact=exact)}" if made.unit is None else ""
        name = running(cell.measure.name)
        said = f"{possessive(cell.entity.name)} {name} {verb(name)} {shown(cell, exact=exact)}"
        return f"{said}{when(cell.period)}{plain}, according to {sources([cell])}."

    draft.say(words(exact=False), words(exact=True))


def _ratio_words(made: Computation, top: Cell, bottom: Cell, *, exact: bool) -> str:
    amount = _amount(made, top, exact=exact)
    negative = not isinstance(made.value, bool) and made.value < 0
    amount = f"-{amount}" if negative else amount
    one, two = shown(top, exact=exact), shown(bottom, exact=exact)
    whose = possessive(top.entity.name)
    other = "its" if top.entity == bottom.entity else possessive(bottom.entity.name)
    name, divisor = running(top.measure.name), running(bottom.measure.name)
    if top.measure.variable == bottom.measure.variable:
        times = f"{amount} of" if made.unit == "%" else f"{amount} times"
        return f"{whose} {name}{when(top.period)} {verb(name)} {times} {other}: {one} against {two}"
    if made.unit == "%":
        return f"{whose} {name}{when(top.period)} {verb(name)} {amount} of {other} {divisor}: {one} of {two}"
    return f"{whose} {name} divided by {other} {divisor} was {amount}{when(top.period)}: {one} over {two}"


def yes_no(view: View, draft: Draft) -> None:
    """The verdict first, then the figure and its margin."""
    reading = view.material.reading
    if not isinstance(reading, YesNoReading):
        raise TypeError(f"a verdict was asked of a {reading.type} reading")
    if reading.threshold is not None:
        draft.names.add(reading.threshold.text)
    combined = view.leading
    cells = view.cells(combined)
    for cell in cells:
        draft.claim(cell)
    made = _by_operation(combined)
    margin, verdict = made[Operation.DIFFERENCE], made[Operation.COMPARE]
    first = cells[0]
    answer = "yes" if combined.verdict else "no"
    draft.claim_computed(
        verdict,
        text=f"{verdict.formula} ({first.measure.name}): {answer}",
        measure=f"verdict on {first.measure.name}",
        entity=first.entity,
        period=first.period.text,
    )
    gap = computed(_number(margin), margin.unit, first, exact=True)
    draft.claim_computed(
        margin,
        text=f"{margin.formula} ({first.measure.name}): {gap}",
        measure=f"margin in {first.measure.name}",
        entity=first.entity,
        period=first.period.text,
    )
    head = answer.capitalize()
    tail = f", according to {sources(cells)}."
    draft.say(
        f"{head}: {_verdict_words(reading, cells, margin, exact=False)}{tail}",
        f"{head}: {_verdict_words(reading, cells, margin, exact=True)}{tail}",
    )
    if len(view.cells(view.leading)) > 1:
        draft.table = tables.by_member(view.cells(view.leading))


def _number(made: Computation) -> Decimal:
    if isinstance(made.value, bool):
        raise TypeError(f"{made.id} is a verdict and no amount")
    return made.value


def _verdict_words(reading: YesNoReading, cells: list[Cell], margin: Computation, *, exact: bool) -> str:
    first = cells[0]
    exact = exact or too_close(cells)
    name = running(first.measure.name)
    figure = (shown(first, exact=True) if exact else apart(first, reading.threshold)) + when(first.period)
    said = f"{possessive(first.entity.name)} {name} {verb(name)} {figure}"
    gap = _number(margin)
    amount = _amount(margin, first, exact=exact)
    if len(cells) > 1:
        other = cells[1]
        held = f"{possessive(other.entity.name)} was {shown(other, exact=exact)}"
        if gap == 0:
            return f"{said} and {held}, the same"
        return f"{said} and {held}, {amount} {'less' if gap > 0 else 'more'}"
    bound = reading.threshold.text if reading.threshold else "the bound"
    if gap == 0:
        return f"{said}, exactly the bound of “{bound}”"
    return f"{said}, which is {amount} {'above' if gap > 0 else 'below'} the bound of “{bound}”"

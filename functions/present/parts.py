"""Presenter of breakdowns."""

from __future__ import annotations

from decimal import Decimal

from functions.present import charts
from functions.present.charts import axis_title
from functions.present.draft import Draft, View
from functions.present.wording import computed, possessive, running, shown, sources, when
from shared.query.answer import Table
from shared.query.evidence import Operation
from shared.query.material import TOTAL, Cell
from shared.query.quantity import Unit, UnitKind
from shared.text.figures import format_quantity, format_short

NAMED_IN_TEXT = 6
SHARE = Unit(kind=UnitKind.PERCENT, code="%", label="percent")
"""A share whose whole the sentence names by itself."""


def breakdown(view: View, draft: Draft) -> None:
    """Each part with its share, and the whole that they were checked against; or groups that make up no whole."""
    first = view.cells(view.leading)[0]
    if view.material.at(first.slot, first.meaning).executed.apart:
        _side_by_side(view, draft)
    elif view.cells(view.leading)[-1].index == TOTAL:
        _parts_of_a_total(view, draft)
    else:
        _published_shares(view, draft)


def _published_shares(view: View, draft: Draft) -> None:
    """Parts that are published as percentages: each as it stands, and what all of them add up to."""
    lead = view.leading
    parts = view.cells(lead)
    served = view.material.at(parts[0].slot, parts[0].meaning)
    split, whole = served.executed.measure, served.executed.whole or "the whole"
    names = [_name(served.executed.categories, cell) for cell in parts]
    draft.names |= {*names, split.name}
    for cell in parts:
        draft.claim(cell)
    entity, period = parts[0].entity, parts[0].period
    rows: list[tuple[str, str | None]] = [
        (name, cell.observation.printed) for name, cell in zip(names, parts, strict=True)
    ]

    def words(*, exact: bool) -> str:
        write = format_quantity if exact else format_short
        each = [f"{name} {write(cell.value, SHARE)}" for name, cell in zip(names, parts, strict=True)]
        return f"{possessive(entity.name)} {running(split.name)}{when(period)}: {'; '.join(each[:NAMED_IN_TEXT])}"

    tail = f", according to {sources(parts)}."
    draft.say(words(exact=False) + tail, words(exact=True) + tail)
    for made in lead.computations:
        if made.operation is not Operation.SUM or isinstance(made.value, bool):
            draft.keep(made)
            continue
        added = format_short(made.value, SHARE)
        draft.claim_computed(
            made,
            text=f"{split.name}, sum of all parts, {entity.name}, {period}: {added}",
            measure=f"{split.name}: sum of all parts",
            entity=entity,
            period=period.text,
        )
        draft.say(f"The parts are shares of {whole} and add up to {added}.")
        rows.append(("All parts", format(made.value, "f")))
    heading = f"Share of {whole} (%)"
    draft.table = Table(columns=("Part", heading), rows=tuple(rows))
    _draw(draft, f"{entity.name}: {split.name}, {period}", parts, names, heading)


def _side_by_side(view: View, draft: Draft) -> None:
    """Each group's own figure, and that of all, with the word that they are not added up."""
    cells = view.cells(view.leading)
    groups = [cell for cell in cells if cell.index != TOTAL]
    whole = cells[-1] if cells[-1].index == TOTAL else None
    served = view.material.at(groups[0].slot, groups[0].meaning)
    of = served.executed.measure
    names = [_name(served.executed.categories, cell) for cell in groups]
    draft.names |= {*names, of.name, running(of.name)}
    for cell in cells:
        draft.claim(cell)
    entity, period = groups[0].entity, groups[0].period

    def words(*, exact: bool) -> str:
        each = [f"{name} {shown(cell, exact=exact)}" for name, cell in zip(names, groups, strict=True)]
        all_of_them = f" ({shown(whole, exact=exact)} in all)" if whole is not None else ""
        said = f"{possessive(entity.name)} {running(of.name)}{when(period)}{all_of_them}"
        return f"{said}: {'; '.join(each[:NAMED_IN_TEXT])}"

    tail = f", according to {sources(groups)}."
    draft.say(words(exact=False) + tail, words(exact=True) + tail)
    draft.say("These are figures of each group by itself and do not add up.")
    rows = [(name, cell.observation.printed) for name, cell in zip(names, groups, strict=True)]
    rows += [("All", whole.observation.printed)] if whole is not None else []
    draft.table = Table(columns=("Group", axis_title(of)), rows=tuple(rows))
    numbers = [(name, cell) for name, cell in zip(names, groups, strict=True) if cell.numeric]
    heading = f"{entity.name}: {of.name}, {period}"
    _draw(draft, heading, [cell for _, cell in numbers], [name for name, _ in numbers], axis_title(of))


def _draw(draft: Draft, title: str, parts: list[Cell], names: list[str], axis: str) -> None:
    chart = charts.bars("chart:1", title, parts, names=names)
    if chart is None:
        return
    # The bars are different measures, so the axis is named for what they have in common.
    encoding = chart.spec["encoding"]
    spec = {**chart.spec, "encoding": {**encoding, "x": {**encoding["x"], "title": axis}}}
    draft.charts.append(chart.model_copy(update={"spec": spec}))


def _parts_of_a_total(view: View, draft: Draft) -> None:
    lead = view.leading
    cells = view.cells(lead)
    parts, whole = [cell for cell in cells if cell.index != TOTAL], cells[-1]
    served = view.material.at(whole.slot, whole.meaning)
    names = [_name(served.executed.categories, cell) for cell in parts]
    draft.names |= set(names)
    draft.claim(whole)
    for name, cell in zip(names, parts, strict=True):
        draft.claim(cell, part=name)
    named = {str(cell.receipt): name for name, cell in zip(names, parts, strict=True)}
    shares: dict[str, Decimal] = {}
    for made in lead.computations:
        if made.operation is not Operation.PERCENT_OF:
            draft.keep(made)
        elif not isinstance(made.value, bool):
            name = named[made.inputs[0]]
            shares[name] = made.value
            draft.claim_computed(
                made,
                text=f"{name}, share of {whole.measure.name}, {whole.entity.name}, {whole.period}: {made.value}%",
                measure=f"share of {whole.measure.name}: {name}",
                entity=whole.entity,
                period=whole.period.text,
            )
    _text(draft, names, parts, whole, shares)
    draft.table = Table(
        columns=("Part", axis_title(whole.measure), "Share (%)"),
        rows=(
            *(
                (name, cell.observation.printed, format(shares[name], "f") if name in shares else None)
                for name, cell in zip(names, parts, strict=True)
            ),
            ("Total", whole.observation.printed, None),
        ),
    )
    title = f"{whole.entity.name}: {whole.measure.name}, {whole.period}"
    _draw(draft, title, parts, names, axis_title(whole.measure))


def _name(categories: tuple[str, ...], cell: Cell) -> str:
    return categories[cell.index] if cell.index < len(categories) else cell.observation.note or f"part {cell.index}"


def _text(draft: Draft, names: list[str], parts: list[Cell], whole: Cell, shares: dict[str, Decimal]) -> None:
    def words(*, exact: bool) -> str:
        each = []
        for name, cell in list(zip(names, parts, strict=True))[:NAMED_IN_TEXT]:
            share = f", {computed(shares[name], '%', cell, exact=exact)}" if name in shares else ""
            each.append(f"{name} {shown(cell, exact=exact)}{share}")
        each += ["others"] if len(parts) > NAMED_IN_TEXT else []
        return (
            f"Of {possessive(whole.entity.name)} {running(whole.measure.name)}{when(whole.period)} "
            f"({shown(whole, exact=exact)}): {'; '.join(each)}"
        )

    tail = f", according to {sources([whole])}."
    draft.say(words(exact=False) + tail, words(exact=True) + tail)

"""Presenters of comparisons, rankings and a population's values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from functions.present import charts, tables
from functions.present.draft import Draft, View
from functions.present.wording import (
    according,
    computed,
    listed,
    possessive,
    running,
    shown,
    sources,
    too_close,
    when,
)
from shared.query.annotated import Combined
from shared.query.material import Cell
from shared.query.readings import (
    ComparisonReading,
    Direction,
    PopulationMention,
    PopulationValueReading,
    RankingReading,
)
from shared.text.articles import spoken

NAMED_IN_TEXT = 5
CLAIMED = 250
_Member = TypeVar("_Member")


def claimed(members: Sequence[_Member]) -> list[_Member]:
    """Of thousands the first ones, and the last, which a sentence about all of them names."""
    return [*members[:CLAIMED], *members[CLAIMED:][-1:]]


def comparison(view: View, draft: Draft) -> None:
    """The entities in order with the gap between two."""
    lead = view.leading
    _compared(view, lead, draft)
    cells = view.cells(lead)
    if cells[0].numeric:
        draft.table = tables.by_member(cells, ranks=[row.rank for row in lead.rows])
        chart = charts.bars("chart:1", f"{cells[0].measure.name}, {cells[0].period}", cells)
        draft.charts += [chart] if chart else []
    else:
        draft.table = tables.by_measure(cells)


def _compared(view: View, combined: Combined, draft: Draft) -> None:
    cells = view.cells(combined)
    for cell in cells:
        draft.claim(cell)
    if not cells[0].numeric:
        facts = [f"{possessive(cell.entity.name)} {running(cell.measure.name)} is {shown(cell)}" for cell in cells]
        draft.say(f"{listed(facts)}, according to {sources(cells)}.")
        return
    reading = view.material.reading
    lowest = isinstance(reading, ComparisonReading) and reading.direction is Direction.LOWEST

    def words(*, exact: bool) -> str:
        first, *others = cells
        exact = exact or too_close(cells)
        if all(cell.value == first.value for cell in others):
            names = listed([spoken(cell.entity.name) for cell in cells])
            same = f"{running(first.measure.name)}, {shown(first, exact=exact)}{when(first.period)}"
            return f"{names} had the same {same}"
        order = "lowest" if lowest else "highest"
        if len(cells) == 2:
            order = "lower" if lowest else "higher"
        rest = listed([f"{shown(cell, exact=exact)} in {spoken(cell.entity.name)}" for cell in others])
        return (
            f"{spoken(first.entity.name)} had the {order} {running(first.measure.name)}{when(first.period)}: "
            f"{shown(first, exact=exact)}, against {rest}"
        )

    tail = according(view, cells)
    draft.say(words(exact=False) + tail, words(exact=True) + tail)
    for made in combined.computations:
        high = max(cells, key=lambda cell: cell.value)
        low = min(cells, key=lambda cell: cell.value)
        if isinstance(made.value, bool):
            continue
        said = computed(made.value, made.unit, high)
        exactly = computed(made.value, made.unit, high, exact=True)
        draft.claim_computed(
            made,
            text=f"{high.measure.name}, {high.entity.name} over {low.entity.name}, {high.period}: {exactly}",
            measure=f"difference in {high.measure.name}",
            entity=f"{high.entity.name} and {low.entity.name}",
            period=high.period.text,
        )
        if made.value != 0:
            draft.say(f"The difference is {said}.", f"The difference is {exactly}.")


def group(mention: PopulationMention) -> str:
    """The population in words, as it was asked for: ``counties in the United States``."""
    text = mention.text or f"{mention.member.value.replace('_', ' ')}s"
    if mention.container is None:
        return text
    within = f" in {mention.container.label}"
    return f"{text.removesuffix(within)} in {spoken(mention.container.label)}" if text.endswith(within) else text


def reporting(view: View, what: str) -> str:
    """The population, and how many of it report the period where some do not (``the 10 of 12 countries that``)."""
    row = view.leading.rows[0]
    served, first = view.material.at(row.slot, row.meaning), view.cell(row)
    having = [cell for cell in served.reported() if cell.numeric]
    everyone = len(having) + len(served.unreported())
    having = [cell for cell in having if cell.period == first.period]
    if len(having) == everyone:
        return what
    return f"the {len(having)} of {everyone} {what} that report it"


def ranking(view: View, draft: Draft) -> None:
    """The members shown, in order; the text names the first few."""
    reading = view.material.reading
    lead = view.leading
    cells = view.cells(lead)
    for cell in cells:
        draft.claim(cell)
    lowest = isinstance(reading, RankingReading) and reading.direction is Direction.LOWEST
    among = f" among {reporting(view, group(reading.population))}" if isinstance(reading, RankingReading) else ""
    draft.names.add(among.removeprefix(" among "))
    _order_text(view, cells, draft, among=among, order="lowest" if lowest else "highest")
    draft.table = tables.by_member(cells, ranks=[row.rank for row in lead.rows])
    title = f"{'Lowest' if lowest else 'Highest'} {running(cells[0].measure.name)}, {cells[0].period}"
    chart = charts.bars("chart:1", title, cells)
    draft.charts += [chart] if chart else []


def _order_text(view: View, cells: Sequence[Cell], draft: Draft, *, among: str, order: str) -> None:
    first = cells[0]
    level = [cell for cell in cells if cell.value == first.value]
    others = cells[len(level) :]

    def words(*, exact: bool) -> str:
        held = f"{running(first.measure.name)}{among}{when(first.period)}"
        if len(level) > 1:
            names = [spoken(cell.entity.name) for cell in level[:NAMED_IN_TEXT]]
            names += ["others"] if len(level) > len(names) else []
            text = f"{listed(names)} share the {order} {held}, {shown(first, exact=exact)}"
        else:
            text = f"{spoken(first.entity.name)} had the {order} {held}, {shown(first, exact=exact)}"
        if others and len(level) < NAMED_IN_TEXT:
            next_ones = others[: NAMED_IN_TEXT - 1]
            named = [f"{spoken(cell.entity.name)} ({shown(cell, exact=exact)})" for cell in next_ones]
            text += f", followed by {listed(named)}"
        return text

    tail = according(view, cells)
    draft.say(words(exact=False) + tail, words(exact=True) + tail)


def population_value(view: View, draft: Draft) -> None:
    """Every member's figure, the largest first; the text names the ends."""
    reading = view.material.reading
    lead = view.leading
    cells = view.cells(lead)
    for cell in claimed(cells):
        draft.claim(cell)
    whom = reporting(view, group(reading.population)) if isinstance(reading, PopulationValueReading) else ""
    of = f" of {whom}" if whom else ""
    draft.names.add(whom)
    first, last = cells[0], cells[-1]

    def words(*, exact: bool) -> str:
        if len(cells) == 1:
            return f"{first.entity.name}: {shown(first, exact=exact)}{when(first.period)}"
        return (
            f"The {running(first.measure.name)}{of}{when(first.period)} goes from {shown(first, exact=exact)} "
            f"({first.entity.name}) down to {shown(last, exact=exact)} ({last.entity.name})"
        )

    tail = according(view, cells)
    draft.say(words(exact=False) + tail, words(exact=True) + tail)
    draft.table = tables.by_member(cells)
    chart = charts.bars("chart:1", f"{first.measure.name}, {first.period}", cells)
    draft.charts += [chart] if chart else []

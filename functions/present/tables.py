"""Answers as tables of printed values: every digit, the unit in the heading where it is one for all."""

from __future__ import annotations

from collections.abc import Sequence

from functions.present.charts import axis_title
from shared.query.answer import Table
from shared.query.material import Cell


def printed_period(cell: Cell) -> str | None:
    """The period, or nothing for what carries no date."""
    return None if cell.period.text == "undated" else cell.period.text


def by_member(cells: Sequence[Cell], *, ranks: Sequence[int | None] = (), kind: str = "Name") -> Table | None:
    """One row a member: rank if there is one, name, value, period."""
    if not cells:
        return None
    ranked = bool(ranks) and all(rank is not None for rank in ranks)
    head = (kind, axis_title(cells[0].measure), "Period")
    rows: list[tuple[str | None, ...]] = []
    for place, cell in enumerate(cells):
        cols: tuple[str | None, ...] = (cell.entity.name, cell.observation.printed, printed_period(cell))
        rows.append((str(ranks[place]), *cols) if ranked else cols)
    return Table(columns=("Rank", *head) if ranked else head, rows=tuple(rows))


def by_measure(cells: Sequence[Cell]) -> Table | None:
    """One row a measure: its published name, entity, value, unit and period."""
    if not cells:
        return None
    return Table(
        columns=("Measure", "Name", "Value", "Unit", "Period"),
        rows=tuple(
            (
                cell.measure.name,
                cell.entity.name,
                cell.observation.printed,
                cell.measure.unit.label if cell.numeric else None,
                printed_period(cell),
            )
            for cell in cells
        ),
    )


def over_time(cells: Sequence[Cell]) -> Table | None:
    """One row a period, one column an entity; a period an entity lacks is an empty cell."""
    if not cells:
        return None
    entities = list(dict.fromkeys(cell.entity.name for cell in cells))
    found = {(cell.period.text, cell.entity.name): cell.observation.printed for cell in cells}
    periods = sorted({cell.period.text for cell in cells})
    return Table(
        columns=("Period", *(f"{name}: {axis_title(cells[0].measure)}" for name in entities)),
        rows=tuple((period, *(found.get((period, name)) for name in entities)) for period in periods),
    )


def of_members(names: Sequence[tuple[str, str]], *, kind: str = "Name") -> Table | None:
    """One row a member with its code."""
    return Table(columns=(kind, "Code"), rows=tuple(names)) if names else None

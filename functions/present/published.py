"""What the sources of an answer draw themselves: components and links, each resting on the answer's own figures."""

from __future__ import annotations

from dataclasses import dataclass, field

from functions.present.draft import View
from functions.present.wording import listed, publishers_of
from shared.query.answer import Chart
from shared.query.material import Cell, Served
from shared.query.published import PublishedChart

MOST = 4


@dataclass(slots=True)
class _Offered:
    """One chart of all places that it is offered for, with the answer's figures of what it shows."""

    chart: PublishedChart
    served: Served
    cells: list[Cell] = field(default_factory=list)


def published(view: View) -> list[Chart]:
    """The publishers' charts of the leading result; those of several places that are alike in all else are one."""
    if not view.combined:
        return []
    rows = view.cells(view.leading)
    offered: dict[str, _Offered] = {}
    for served in view.material.everything():
        if not served.executed.charts:
            continue
        cells = [cell for cell in rows if (cell.slot, cell.meaning) == (served.slot.id, served.meaning)]
        for chart in served.executed.charts if cells else ():
            known = offered.setdefault(chart.alike, _Offered(chart, served))
            places = tuple(dict.fromkeys((*known.chart.places, *chart.places)))
            known.chart = known.chart.model_copy(update={"places": places})
            known.cells += cells
    return [_chart(one, number) for number, one in enumerate(list(offered.values())[:MOST], start=1)]


def _chart(offered: _Offered, number: int) -> Chart:
    executed, population = offered.served.executed, offered.served.slot.population
    names = listed(list(dict.fromkeys(cell.entity.name for cell in offered.cells)))
    whom = population.text if population is not None else names
    title = f"{executed.measure.name}: {whom}"
    return Chart(
        id=f"published:{number}",
        title=title,
        description=f"{title}, as {publishers_of([executed.response.publisher])} draws it from its live figures.",
        kind="published",
        component=offered.chart.component(title),
        evidence=tuple(dict.fromkeys(cell.receipt for cell in offered.cells)),
        related=True,
    )

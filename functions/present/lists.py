"""Presenters of members: those of a relation or group, and those that meet conditions."""

from __future__ import annotations

from functions.present import tables
from functions.present.draft import Draft, View
from functions.present.orders import group
from functions.present.wording import listed, sources
from shared.query.evidence import Computation, Operation
from shared.query.identifiers import ComputationId
from shared.query.readings import ItemListReading
from shared.text.articles import spoken

LISTED_IN_TEXT = 20


def counted(meaning: str, cells_cited: tuple[str, ...], count: int, *, of: str) -> Computation:
    """How many there are, as a computation over what was counted."""
    return Computation(
        id=ComputationId(f"c:{meaning}:count"),
        operation=Operation.COUNT,
        inputs=cells_cited,
        value=count,
        unit=None,
        formula=f"count of {of}",
    )


def items(view: View, draft: Draft) -> None:
    """All members by name, with how many there are; that there are none is an answer that the source gives."""
    reading = view.material.reading
    if not isinstance(reading, ItemListReading):
        raise TypeError(f"a list of items was asked of a {reading.type} reading")
    lead = view.leading
    cells = view.cells(lead)
    served = next(one for one in view.material.everything() if one.meaning == lead.meaning)
    statement = served.of_all()
    counted_over = cells or ([statement] if statement is not None else served.reported())
    what, whom = group(reading.population), reading.entity.label if reading.entity else None
    about = f"{what} ({reading.relation} {whom})" if whom else what
    draft.names |= {what, about, *(cell.entity.name for cell in cells)}
    made = counted(lead.meaning, tuple(cell.receipt for cell in counted_over), len(cells), of=about)
    for cell in cells or ([statement] if statement is not None else []):
        draft.claim(cell)
    draft.claim_computed(
        made, text=f"{about}: {len(cells)} listed", measure=f"number of {about}", entity=whom or what
    )
    if not cells:
        said = (
            f"{spoken(whom)} borders no {what}"
            if whom and reading.relation == "borders"
            else f"there are no {about}"
        )
        draft.say(f"None: {said}, according to {sources(counted_over)}.")
        return
    names = [spoken(cell.entity.name) for cell in cells]
    shown = listed(names) if len(names) <= LISTED_IN_TEXT else f"{', '.join(names[:LISTED_IN_TEXT])} and others"
    head = f"{_subject(reading, what, whom, len(cells))}: {shown}"
    draft.say(f"{head}, according to {sources(cells)}.")
    draft.table = tables.of_members([(cell.entity.name, cell.entity.code) for cell in cells])


def _subject(reading: ItemListReading, what: str, whom: str | None, count: int) -> str:
    if whom and reading.relation == "borders":
        return (
            f"{spoken(whom)} borders {count} {what}"
            if count != 1
            else f"{spoken(whom)} borders {count} of the {what}"
        )
    if whom:
        return f"{count} {what} are listed as {reading.relation} {whom}"
    return f"{count} {what} are listed" if count != 1 else f"{count} is listed ({what})"

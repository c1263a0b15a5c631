"""Results that compute nothing: a value, a fact, a status, several aspects, a list of members."""

from __future__ import annotations

from functions.combine.members import listed_members
from functions.combine.outcome import Outcome, row
from shared.query.annotated import Combined
from shared.query.evidence import FailureStatus
from shared.query.material import Material
from shared.runtime.context import RunContext


async def value(material: Material, context: RunContext) -> Outcome:
    """One figure (or fact) a meaning."""
    del context
    outcome = Outcome()
    for served in material.everything():
        cells = served.reported()
        if cells:
            outcome.combined.append(
                Combined(meaning=served.meaning, result="value", rows=tuple(row(cell) for cell in cells))
            )
        else:
            outcome.refuse(FailureStatus.NO_DATA, f"{served.executed.measure.name} has no reported figure")
    return outcome


async def status(material: Material, context: RunContext) -> Outcome:
    """Whether the entity has the property; a "no" is a result like a "yes"."""
    del context
    outcome = Outcome()
    for served in material.everything():
        cells = served.reported()
        if not cells:
            outcome.refuse(FailureStatus.NO_DATA, f"{served.executed.measure.name} is not on record")
            continue
        flags = [cell.observation.flag for cell in cells]
        outcome.combined.append(
            Combined(
                meaning=served.meaning,
                result="status",
                rows=tuple(row(cell) for cell in cells),
                verdict=flags[0] if len(cells) == 1 else None,
            )
        )
    return outcome


async def aspects(material: Material, context: RunContext) -> Outcome:
    """The first meaning of every aspect that was answered, as one result."""
    del context
    outcome = Outcome()
    leading = [served[0] for slot in material.slots if (served := material.served.get(slot.id, ()))]
    rows = [row(cell) for served in leading for cell in served.reported()[:1]]
    if rows:
        outcome.combined.append(Combined(meaning=leading[0].meaning, result="vague_aspect", rows=tuple(rows)))
    return outcome


async def items(material: Material, context: RunContext) -> Outcome:
    """The members that the source lists, by name. A member it flags as none is left out."""
    del context
    outcome = Outcome()
    for served in material.everything():
        cells = listed_members(served, outcome)
        if cells is None:
            continue
        outcome.combined.append(
            Combined(
                meaning=served.meaning,
                result="item_list",
                rows=tuple(row(cell) for cell in cells),
                matched=len(cells),
            )
        )
    return outcome

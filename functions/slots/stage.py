"""The slots stage: which pieces of data does the reading need? Code only."""

from __future__ import annotations

from functions.slots.table import MISSING_ACCESS_PATH, slots_for
from shared.query.annotated import AnnotatedQuery, Annotation, SlotsNeeded
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.writing import Writer
from shared.runtime.context import RunContext


async def slots(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Write the slots of the current reading, or refuse a type that no access path serves."""
    writer = Writer(query, "slots")
    reading = query.current_reading()
    needed = slots_for(reading)
    if not needed:
        reason, needs = MISSING_ACCESS_PATH[reading.type]
        return [writer.fail(Unanswerable(status=FailureStatus.INFEASIBLE, reason=reason, needs=needs))]
    for slot in needed:
        context.say(f"needs {slot.kind.value}: {slot.describes}")
    return [writer.write(SlotsNeeded(slots=needed))]

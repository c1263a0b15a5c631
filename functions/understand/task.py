"""The judgment ``understand``: a question becomes typed readings. Nothing in it knows of any source."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from shared.models.tasks import Task
from shared.query.quantity import Frozen
from shared.query.readings import Reading

MAX_READINGS = 4


class UnderstandRequest(Frozen):
    """The question as it was asked; ``today`` anchors "last year" and "in five years"."""

    question: str = Field(min_length=1)
    today: date


class UnderstandReply(Frozen):
    """One to four readings, best first, and what was assumed on the way to them."""

    readings: tuple[Reading, ...]
    notes: tuple[str, ...] = ()


def _fault(request: UnderstandRequest, reply: UnderstandReply) -> str | None:
    """Why a reply does not keep to the request, or ``None``."""
    del request
    if not reply.readings:
        return "the reply has no reading; raise that it cannot be read instead"
    if len(reply.readings) > MAX_READINGS:
        return f"the reply has {len(reply.readings)} readings and at most {MAX_READINGS} are kept"
    return None


UNDERSTAND: Task[UnderstandRequest, UnderstandReply] = Task(
    name="understand",
    version=1,
    request=UnderstandRequest,
    reply=UnderstandReply,
    validate=_fault,
    effort="low",
)

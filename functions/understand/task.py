"""The judgment ``understand``: a question becomes typed readings. Nothing in it knows of any source."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel, Field

from functions.understand.grounded import not_grounded, years_of_its_own
from functions.understand.instructions import INSTRUCTIONS
from shared.models.tasks import Task
from shared.query.quantity import Entity, Frozen, PlaceKind
from shared.query.readings import Reading
from shared.text.places import by_name, find_mentions
from shared.text.remarks import fault_of

MAX_READINGS = 4
MOST_NOTES = 6
UNTOLD = "it is none of the forms of questions that can be answered"
"""Why a question is not read, where a model's own reason is not fit to be shown."""


class UnderstandRequest(Frozen):
    """The question as it was asked; ``today`` anchors "last year" and "in five years"."""

    question: str = Field(min_length=1)
    today: date


class UnderstandReply(Frozen):
    """One to four readings, best first, and what was assumed on the way to them.

    ``unreadable`` is why there is none, from a reader that cannot raise.
    """

    readings: tuple[Reading, ...]
    notes: tuple[str, ...] = ()
    unreadable: str = ""


def _fault(request: UnderstandRequest, reply: UnderstandReply) -> str | None:
    """Why a reply does not keep to the request, or ``None``."""
    if not reply.readings:
        return "the reply has no reading; raise that it cannot be read instead"
    if len(reply.readings) > MAX_READINGS:
        return f"the reply has {len(reply.readings)} readings and at most {MAX_READINGS} are kept"
    return not_grounded(request.question, reply.readings)


def _declines(reply: UnderstandReply) -> str | None:
    return None if reply.readings else reply.unreadable.strip() or None


def _settle(request: UnderstandRequest, reply: UnderstandReply) -> UnderstandReply:
    """The reply with our own gazetteer's identifiers for its names, and with the remarks that may be shown."""
    if len(reply.readings) > MAX_READINGS:
        return reply  # it is refused for that, and may be too long to look through
    known = (request.question,)
    said = reply.unreadable.strip()
    notes = [note for note in reply.notes[:MOST_NOTES] if fault_of(note, known) is None]
    if reply.readings and (years := years_of_its_own(request.question, reply.readings[0])):
        notes.append(f"the question does not say {' or '.join(map(str, years))}; it was read so")
    return UnderstandReply(
        readings=tuple(_settled(reading) for reading in reply.readings),
        notes=tuple(notes),
        unreadable=UNTOLD if said and fault_of(said, known) is not None else said,
    )


def _settled(value: Any) -> Any:
    if isinstance(value, Entity):
        return _known(value.name, value.kind) or value.model_copy(update={"keys": {}})
    if isinstance(value, tuple):
        return tuple(_settled(inner) for inner in value)
    if isinstance(value, BaseModel):
        return value.model_copy(update={name: _settled(getattr(value, name)) for name in type(value).model_fields})
    return value


def _known(name: str, kind: PlaceKind) -> Entity | None:
    """The gazetteer's entity of a name, also of one that it finds in texts and does not list: census tracts."""
    known = by_name(name, kind=kind) or by_name(name)
    if known is None and kind is PlaceKind.COUNTRY_GROUP:
        known = by_name(f"{name} countries")
    if known is None:
        found = find_mentions(name)
        whole = len(found) == 1 and found[0].text.casefold() == name.strip().casefold()
        known = found[0].entity if whole and found[0].form == "name" else None
    return known


UNDERSTAND: Task[UnderstandRequest, UnderstandReply] = Task(
    name="understand",
    version=2,
    request=UnderstandRequest,
    reply=UnderstandReply,
    validate=_fault,
    effort="low",
    purpose="reading the question",
    instructions=INSTRUCTIONS,
    hidden=frozenset({"keys"}),
    settle=_settle,
    declines=_declines,
    fallback=True,
    max_tokens=2048,
)

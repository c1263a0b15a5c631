"""The judgment "which of the places of this name is meant?", for sources whose own list of a name has several."""

from __future__ import annotations

from collections.abc import Sequence

from shared.models.tasks import Task
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Frozen
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError

AMBIGUOUS, NONE = "ambiguous", "none"
"""What a reply says instead of an id: that the question leaves it open, and that it means a place not offered."""
MOST_OFFERED = 25
MOST_TOLD = 5

_INSTRUCTIONS = f"""\
Choose the place that the asker means by "name". The question is there for its context; candidates are the places \
of that name that a publisher knows, with what kind of place each is and what it lies in.
The reply: {{"place": candidate id | "{AMBIGUOUS}" | "{NONE}", "why": "..."}}
- A place that the question holds against other places, or ranks among them, is of their kind and level: beside a \
state stands the state, beside a country the country.
- A state, county or country that is named with the place says which one it is.
- {AMBIGUOUS}: the question does not tell which is meant. When in doubt, {AMBIGUOUS}: the asker is then asked, and \
that is right. That one place is larger or better known than the others is no reason to choose it.
- {NONE}: the question means a place that is not among the candidates.
why: one short sentence."""


class PlaceCandidate(Frozen):
    """A place on offer: its ``kind`` in the publisher's words, and the names of what it ``lies_in``."""

    id: str
    name: str
    kind: str = ""
    lies_in: tuple[str, ...] = ()


class PlaceRequest(Frozen):
    """A name and the places that bear it; ``within`` is the one area that was named with it and holds them all."""

    question: str
    name: str
    within: str
    candidates: tuple[PlaceCandidate, ...]


class PlaceReply(Frozen):
    """The id of the place that is meant, or ``ambiguous`` or ``none``."""

    place: str
    why: str = ""


def _allowed(request: PlaceRequest) -> list[str]:
    return [*(candidate.id for candidate in request.candidates), AMBIGUOUS, NONE]


def _only_offered(request: PlaceRequest, reply: PlaceReply) -> str | None:
    return None if reply.place in _allowed(request) else f"the place {reply.place} was not offered"


CHOOSE_PLACE = Task(
    name="choose_place",
    version=1,
    request=PlaceRequest,
    reply=PlaceReply,
    validate=_only_offered,
    purpose="choosing among places of one name",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"place": _allowed(request)},
    fallback=True,
    max_tokens=512,
)

KINDS: tuple[str, ...] = ("city", "town", "borough", "village", "cdp", "censusdesignatedplace")
"""Kinds of settlement, in the order in which one stands before another of its name in one area."""


async def place_by_kind(request: PlaceRequest, context: RunContext) -> PlaceReply:
    """The built-in rule: the only place, or in one area the city before the town of its name; else no guess."""
    del context
    if len(request.candidates) == 1:
        return PlaceReply(place=request.candidates[0].id, why="no other place is of that name")
    if request.within:
        standing = [_standing(candidate) for candidate in request.candidates]
        if standing.count(min(standing)) == 1:
            chosen = request.candidates[standing.index(min(standing))]
            return PlaceReply(place=chosen.id, why=f"it is the only {chosen.kind} of that name in {request.within}")
    return PlaceReply(place=AMBIGUOUS, why="several places are of that name")


def _standing(candidate: PlaceCandidate) -> int:
    kind = candidate.kind.casefold()
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


async def choose_place(
    name: str,
    candidates: Sequence[PlaceCandidate],
    *,
    question: str,
    context: RunContext,
    within: str = "",
) -> str | Unanswerable:
    """The id of the place meant, or why none was chosen.

    ``candidates`` are at least one, in the publisher's order; a single one is taken without a judgment. ``within``
    names the area that was said with the name, where all of them lie in it.
    """
    if len(candidates) == 1:
        return candidates[0].id
    if len(candidates) > MOST_OFFERED:
        return several_places(name, candidates)
    request = PlaceRequest(question=question, name=name, within=within, candidates=tuple(candidates))
    try:
        reply = await context.judge(CHOOSE_PLACE, request)
    except ModelError as error:
        return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no place could be chosen for “{name}”: {error}")
    if reply.place == AMBIGUOUS:
        return several_places(name, candidates)
    if reply.place == NONE:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY,
            reason=f"none of the places called “{name}” is the one that is meant: {_told(candidates)}",
        )
    chosen = next(one for one in candidates if one.id == reply.place)
    context.disclose(f"of {len(candidates)} places called “{name}”, {_one(chosen)} was taken to be meant")
    return reply.place


def several_places(name: str, candidates: Sequence[PlaceCandidate]) -> Unanswerable:
    """The refusal to guess among places of one name."""
    return Unanswerable(
        status=FailureStatus.AMBIGUOUS,
        reason=f"several places are named {name} ({_told(candidates)}); add the state or country",
    )


def _told(candidates: Sequence[PlaceCandidate]) -> str:
    words = [_one(candidate) for candidate in candidates[:MOST_TOLD]]
    more = len(candidates) - len(words)
    return "; ".join(words) + (f" and {more} more" if more > 0 else "")


def _one(place: PlaceCandidate) -> str:
    """A place with what tells it from others of its name, and its id."""
    further = place.lies_in[:1] or ((place.kind,) if place.kind else ())
    return f"{', '.join((place.name or place.id, *further))} [{place.id}]"

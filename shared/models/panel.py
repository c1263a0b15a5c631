"""The panel rule: several members read one question, and two that agree settle it.

The first two members are asked together. When the structures of their readings are the same, that settles it;
otherwise the next member is asked, until two agree or the panel is used up. A tie goes to the simpler type.
Whoever is slow is left, as ``polling`` says, and the result says so.

Where members are models and none of them can be reached, the context's built-in members read instead, by the same
rule, and the result says that as well. A model that answers nonsense is no reason for that: its failure is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from shared.models.polling import Poll, panel_deadline, poll
from shared.models.structure import simplicity
from shared.models.tasks import Judge, Task
from shared.query.annotated import PanelVote
from shared.runtime.context import RunContext, stood_in
from shared.runtime.errors import CannotRead, ModelUnavailable

AGREED = 2
"""How many members settle a reading."""

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class PanelResult(Generic[R]):
    """What a panel came to: the replies in the order of their weight, and how each member voted."""

    replies: tuple[R, ...]
    votes: tuple[PanelVote, ...]
    notes: tuple[str, ...] = ()


async def ask_panel(
    members: Sequence[Judge],
    task: Task[Q, R],
    request: Q,
    context: RunContext,
    *,
    shape: Callable[[R], str],
    alike: Callable[[R], str] | None = None,
    deadline_seconds: float | None = None,
) -> PanelResult[R]:
    """Ask the members for ``task`` by the panel rule.

    ``shape`` gives the structure of a reply, which is what the members agree on; it begins with the type. ``alike``
    gives what they must have in common besides, such as the places that their readings name.
    Raises what the first failing member raised when nobody answered (``CannotRead`` before all else, and
    ``ModelUnavailable`` only when no member could be reached), and ``DeadlineExceeded`` or ``Cancelled`` when the
    run must stop.
    """
    limit = panel_deadline() if deadline_seconds is None else deadline_seconds
    try:
        return await _asked(members, task, request, context, shape=shape, alike=alike or shape, limit=limit)
    except ModelUnavailable as error:
        if not task.fallback or not any(member.can(task) for member in context.panel_stand_in):
            raise
        context.say("no language model could be reached; the built-in reader reads the question")
        stand_in = context.panel_stand_in
        result = await _asked(stand_in, task, request, context, shape=shape, alike=alike or shape, limit=limit)
        return replace(result, notes=(stood_in(task, error), *result.notes))


async def _asked(
    members: Sequence[Judge],
    task: Task[Q, R],
    request: Q,
    context: RunContext,
    *,
    shape: Callable[[R], str],
    alike: Callable[[R], str],
    limit: float,
) -> PanelResult[R]:
    def agreed(replies: Mapping[int, R]) -> bool:
        return any(count >= AGREED for count in Counter(map(alike, replies.values())).values())

    polled = await poll(members, task, request, context, settled=agreed, limit=limit)
    notes = _notes(polled, limit, settled=agreed(polled.replies))
    return PanelResult(_ordered(polled, shape, alike), _votes(polled, shape), notes)


def _ordered(polled: Poll[R], shape: Callable[[R], str], alike: Callable[[R], str]) -> tuple[R, ...]:
    """The chosen reply first: most votes for all of it, then for its structure, the simpler type, the earlier."""
    shapes = {index: shape(reply) for index, reply in polled.replies.items()}
    whole = {index: alike(reply) for index, reply in polled.replies.items()}
    votes = Counter(whole.values()), Counter(shapes.values())

    def weight(index: int) -> tuple[int, int, int, int]:
        return -votes[0][whole[index]], -votes[1][shapes[index]], simplicity(shapes[index]), index

    order = sorted(shapes, key=weight)
    return tuple(polled.replies[index] for index in order)


def _votes(polled: Poll[R], shape: Callable[[R], str]) -> tuple[PanelVote, ...]:
    """One vote for each member that answered or failed."""
    found = []
    for index in sorted(polled.replies.keys() | polled.failures.keys()):
        reply, failure = polled.replies.get(index), polled.failures.get(index)
        found.append(
            PanelVote(
                member=polled.name(index),
                structure=shape(reply) if reply is not None else None,
                error=str(failure) if failure is not None else None,
            )
        )
    return tuple(found)


def _notes(polled: Poll[R], limit: float, *, settled: bool) -> tuple[str, ...]:
    slow = () if settled else polled.late
    return (
        *(f"{name} had not answered {limit:g} s after the start; the reading rests on the others" for name in slow),
        *(
            f"{polled.name(index)} gave no reading: {error}"
            for index, error in sorted(polled.failures.items())
            if not isinstance(error, CannotRead)
        ),
    )

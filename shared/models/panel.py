"""The panel rule: several members read one question, and two that agree settle it.

The first two members are asked together. When the structures of their readings are the same, that settles it;
otherwise the next member is asked, until two agree or the panel is used up. A tie goes to the simpler type.
Nobody waits for a slow member: once one has answered, the others have until the panel's deadline after the
start, and then whoever answered is gone with, and the result says so. When nobody has answered by then, the next
member is asked without waiting any longer.

Where members are models and none of them can be reached, the context's built-in members read instead, by the same
rule, and the result says that as well. A model that answers nonsense is no reason for that: its failure is shown.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from shared.models.structure import simplicity
from shared.models.tasks import Judge, Task
from shared.query.annotated import PanelVote
from shared.runtime.context import RunContext, stood_in
from shared.runtime.errors import (
    BudgetExhausted,
    CannotRead,
    DeadlineExceeded,
    ModelError,
    ModelUnavailable,
    ReplyInvalid,
    UsageError,
)

DEADLINE_VARIABLE = "NEURALKG_PANEL_DEADLINE_SECONDS"
DEADLINE_SECONDS = 7.0
ASKED_TOGETHER = 2

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class PanelResult(Generic[R]):
    """What a panel came to: the replies in the order of their weight, and how each member voted."""

    replies: tuple[R, ...]
    votes: tuple[PanelVote, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Answers(Generic[R]):
    members: Sequence[Judge]
    shape: Callable[[R], str]
    replies: dict[int, R] = field(default_factory=dict)
    failures: dict[int, Exception] = field(default_factory=dict)

    def agreed(self) -> str | None:
        """The structure that two members gave, or ``None``."""
        return next((shape for shape, count in self._counts().items() if count >= 2), None)

    def _counts(self) -> Counter[str]:
        return Counter(self.shape(self.replies[index]) for index in sorted(self.replies))

    def ordered(self) -> tuple[R, ...]:
        """The chosen reply first: most votes, then the simpler type, then the earlier member."""
        counts = self._counts()
        order = sorted(
            self.replies,
            key=lambda index: (
                -counts[self.shape(self.replies[index])],
                simplicity(self.shape(self.replies[index])),
                index,
            ),
        )
        return tuple(self.replies[index] for index in order)

    def votes(self) -> tuple[PanelVote, ...]:
        """One vote for each member that answered or failed."""
        found = []
        for index in sorted(self.replies.keys() | self.failures.keys()):
            reply = self.replies.get(index)
            found.append(
                PanelVote(
                    member=self.members[index].name,
                    structure=self.shape(reply) if reply is not None else None,
                    error=str(self.failures[index]) if index in self.failures else None,
                )
            )
        return tuple(found)


def panel_deadline() -> float:
    """Seconds after the start at which slow members are left, from the environment or 7.

    Raises ``UsageError`` when the variable is no positive number.
    """
    written = os.environ.get(DEADLINE_VARIABLE, "").strip()
    if not written:
        return DEADLINE_SECONDS
    try:
        seconds = float(written)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 3600.0:
        raise UsageError(f"{DEADLINE_VARIABLE} must be a number of seconds above 0, and it is {written!r}")
    return seconds


async def ask_panel(
    members: Sequence[Judge],
    task: Task[Q, R],
    request: Q,
    context: RunContext,
    *,
    shape: Callable[[R], str],
    deadline_seconds: float | None = None,
) -> PanelResult[R]:
    """Ask the members for ``task`` by the panel rule.

    ``shape`` gives the structure of a reply, which is what the members agree on; it begins with the type.
    Raises what the first failing member raised when nobody answered (``CannotRead`` before all else, and
    ``ModelUnavailable`` only when no member could be reached), and ``DeadlineExceeded`` or ``Cancelled`` when the
    run must stop.
    """
    limit = panel_deadline() if deadline_seconds is None else deadline_seconds
    try:
        return await _asked(members, task, request, context, shape=shape, limit=limit)
    except ModelUnavailable as error:
        if not task.fallback or not any(member.can(task) for member in context.panel_stand_in):
            raise
        context.say("no language model could be reached; the built-in reader reads the question")
        result = await _asked(context.panel_stand_in, task, request, context, shape=shape, limit=limit)
        return replace(result, notes=(stood_in(task, error), *result.notes))


async def _asked(
    members: Sequence[Judge],
    task: Task[Q, R],
    request: Q,
    context: RunContext,
    *,
    shape: Callable[[R], str],
    limit: float,
) -> PanelResult[R]:
    able = [member for member in members if member.can(task)]
    if not able:
        raise ModelUnavailable(f"no model is configured that can judge {task.name}")
    answers: _Answers[R] = _Answers(able, shape)
    leave_at = time.monotonic() + limit
    pending: dict[asyncio.Task[R], int] = {}
    late: list[str] = []
    try:
        asked = 0
        while True:
            together = ASKED_TOGETHER if asked == 0 else 1
            for index in range(asked, min(asked + together, len(able))):
                pending[asyncio.create_task(context.ask_member(able[index], task, request))] = index
            asked = min(asked + together, len(able))
            await _gather(pending, answers, leave_at, context, others=asked < len(able))
            settled = answers.agreed() is not None
            out_of_time = bool(answers.replies) and time.monotonic() >= leave_at
            if settled or out_of_time or asked == len(able):
                late = [able[index].name for index in pending.values()]
                break
    finally:
        for waiting in pending:
            waiting.cancel()
        if pending:
            await asyncio.gather(*pending, return_exceptions=True)
    if not answers.replies:
        raise _why_nobody(answers)
    notes = _notes(late, answers, limit, settled=answers.agreed() is not None)
    return PanelResult(answers.ordered(), answers.votes(), notes)


async def _gather(
    pending: dict[asyncio.Task[R], int],
    answers: _Answers[R],
    leave_at: float,
    context: RunContext,
    *,
    others: bool,
) -> None:
    """Wait for the members asked, until two agree or the panel's time is up for those who are slow.

    Without an answer it is only up when there are ``others`` to ask.
    """
    while pending and answers.agreed() is None:
        timeout = context.deadline.remaining
        if answers.replies or others:
            timeout = min(timeout, leave_at - time.monotonic())
            if timeout <= 0:
                return
        done, _ = await asyncio.wait(pending, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        context.check()
        for finished in done:
            index = pending.pop(finished)
            try:
                answers.replies[index] = finished.result()
            except (ModelError, BudgetExhausted) as error:
                answers.failures[index] = error


def _why_nobody(answers: _Answers[R]) -> Exception:
    failures = [answers.failures[index] for index in sorted(answers.failures)]
    for kind in (CannotRead, BudgetExhausted, ReplyInvalid):
        found = next((error for error in failures if isinstance(error, kind)), None)
        if found is not None:
            return found
    return next(iter(failures), DeadlineExceeded("no member of the panel answered in time"))


def _notes(late: list[str], answers: _Answers[R], limit: float, *, settled: bool) -> tuple[str, ...]:
    notes = (
        []
        if settled
        else [
            f"{name} had not answered {limit:g} s after the start; the reading rests on the others" for name in late
        ]
    )
    notes += [
        f"{answers.members[index].name} gave no reading: {error}"
        for index, error in sorted(answers.failures.items())
        if not isinstance(error, CannotRead)
    ]
    return tuple(notes)

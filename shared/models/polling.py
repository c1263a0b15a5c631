"""Asks the members of a panel for one judgment: two together, the others one by one, and nobody is waited for long.

Whether what has been answered settles the matter is the caller's rule; this is only about whom to ask, and when to
stop waiting.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pydantic import BaseModel

from shared.models.tasks import Judge, Task
from shared.runtime.context import RunContext
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
MOST_MEMBERS = 3

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

Settled = Callable[[Mapping[int, R]], bool]
"""Whether the replies so far, by the member's number, settle the matter."""


@dataclass(slots=True)
class Poll(Generic[R]):
    """Who was asked and what came of it, by the member's number in ``members``."""

    members: Sequence[Judge]
    replies: dict[int, R] = field(default_factory=dict)
    failures: dict[int, Exception] = field(default_factory=dict)
    late: tuple[str, ...] = ()
    """The members that had not answered when the others settled the matter, or when their time was up."""

    def name(self, index: int) -> str:
        """What a member is called."""
        return self.members[index].name

    def why_nobody(self) -> Exception:
        """What to raise when there is no reply: the failure that tells most."""
        failures = [self.failures[index] for index in sorted(self.failures)]
        for kind in (CannotRead, BudgetExhausted, ReplyInvalid):
            found = next((error for error in failures if isinstance(error, kind)), None)
            if found is not None:
                return found
        return next(iter(failures), DeadlineExceeded("no member of the panel answered in time"))


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


async def poll(
    members: Sequence[Judge],
    task: Task[Q, R],
    request: Q,
    context: RunContext,
    *,
    settled: Settled[R],
    limit: float,
) -> Poll[R]:
    """Ask the members until ``settled``, or until all have been asked and have answered or are late.

    Nobody waits for a slow member: once one has answered, the others have until ``limit`` seconds after the start.
    When nobody has answered by then, the next member is asked without waiting any longer. Raises
    ``ModelUnavailable`` when no member can judge the task, what the member raised that tells most when nobody
    answered, and ``DeadlineExceeded`` or ``Cancelled`` when the run must stop.
    """
    able = [member for member in members if member.can(task)][:MOST_MEMBERS]
    if not able:
        raise ModelUnavailable(f"no model is configured that can judge {task.name}")
    polled: Poll[R] = Poll(able)
    leave_at = time.monotonic() + limit
    pending: dict[asyncio.Task[R], int] = {}
    try:
        asked = 0
        while True:
            together = ASKED_TOGETHER if asked == 0 else 1
            for index in range(asked, min(asked + together, len(able))):
                pending[asyncio.create_task(context.ask_member(able[index], task, request))] = index
            asked = min(asked + together, len(able))
            await _gather(pending, polled, leave_at, context, settled, others=asked < len(able))
            out_of_time = bool(polled.replies) and time.monotonic() >= leave_at
            if settled(polled.replies) or out_of_time or asked == len(able):
                polled.late = tuple(able[index].name for index in pending.values())
                break
    finally:
        for waiting in pending:
            waiting.cancel()
        if pending:
            await asyncio.gather(*pending, return_exceptions=True)
    if not polled.replies:
        raise polled.why_nobody()
    return polled


async def _gather(
    pending: dict[asyncio.Task[R], int],
    polled: Poll[R],
    leave_at: float,
    context: RunContext,
    settled: Settled[R],
    *,
    others: bool,
) -> None:
    """Wait for the members asked, until the matter is settled or the time is up for those who are slow.

    Without an answer it is only up when there are ``others`` to ask.
    """
    while pending and not settled(polled.replies):
        timeout = context.deadline.remaining
        if polled.replies or others:
            timeout = min(timeout, leave_at - time.monotonic())
            if timeout <= 0:
                return
        done, _ = await asyncio.wait(pending, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        context.check()
        for finished in done:
            index = pending.pop(finished)
            try:
                polled.replies[index] = finished.result()
            except (ModelError, BudgetExhausted) as error:
                polled.failures[index] = error

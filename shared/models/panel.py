"""The panel rule: several members read one question, and two that agree settle it.

The first two members are asked together. When the structures of their readings are the same, that settles it;
otherwise the next member is asked, until two agree or the panel is used up. A tie goes to the simpler type.
Nobody waits for a slow member: once one has answered, the others have until the panel's deadline after the
start, and then whoever answered is gone with, and the result says so.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Generic, TypeVar

from pydantic import BaseModel

from shared.models.tasks import Judge, Task
from shared.query.annotated import PanelVote
from shared.query.quantity import Entity
from shared.query.readings import EntityMention, MeasureMention, PopulationMention, Reading
from shared.runtime.context import RunContext
from shared.runtime.errors import (
    BudgetExhausted,
    CannotRead,
    DeadlineExceeded,
    ModelError,
    ModelUnavailable,
    UsageError,
)

DEADLINE_VARIABLE = "NEURALKG_PANEL_DEADLINE_SECONDS"
DEADLINE_SECONDS = 7.0
ASKED_TOGETHER = 2
MAX_READINGS = 4

SIMPLEST_FIRST = (
    "value",
    "status",
    "comparison",
    "item_list",
    "ranking",
    "population_value",
    "trend",
    "difference",
    "yes_no",
    "ratio",
    "aggregate",
    "filtered_list",
    "breakdown",
    "correlation",
    "topical",
    "grant_graph",
    "vague_aspect",
)
"""What a tie is settled by: the type that asks for less comes first."""

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


# Structure ------------------------------------------------------------------------------------------


def structure(reading: Reading) -> str:
    """A reading's type and the shape of each field, ignoring wording: ``value(entity=name, period=year...)``."""
    fields = ", ".join(
        f"{name}={_shape(getattr(reading, name))}" for name in type(reading).model_fields if name != "type"
    )
    return f"{reading.type}({fields})"


def _shape(value: object) -> str:
    match value:
        case None:
            return "-"
        case Enum():
            return str(value.value)
        case bool():
            return "yes" if value else "no"
        case int() | Decimal():
            return "number"
        case str():
            return "words"
        case tuple():
            shapes = [_shape(item) for item in value]
            return "[" + " ".join(shapes) + "]"
        case EntityMention() | Entity():
            return "name"
        case MeasureMention():
            return "measure"
        case PopulationMention():
            within = "in name" if value.container else "all"
            listed = f" of {len(value.listed)}" if value.listed else ""
            return f"{value.member.value} {within}{listed}"
        case BaseModel():
            inner = (
                f"{name}={_shape(getattr(value, name))}"
                for name in type(value).model_fields
                if name not in {"text"}
            )
            return "(" + " ".join(inner) + ")"
    return type(value).__name__


def same_subject(one: Reading, other: Reading) -> bool:
    """Whether two readings are about the same names and sets; measures and types may differ."""
    return bool(_subjects(one) & _subjects(other)) or not (_subjects(one) or _subjects(other))


def _subjects(reading: Reading) -> frozenset[str]:
    found: set[str] = set()
    for name in type(reading).model_fields:
        value = getattr(reading, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, EntityMention):
                found.add(item.label.casefold())
            elif isinstance(item, PopulationMention):
                found.add((item.container.label if item.container else item.member.value).casefold())
                found |= {mention.label.casefold() for mention in item.listed}
    return frozenset(found)


# The rule -------------------------------------------------------------------------------------------


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

    def ordered(self, simplicity: Callable[[str], int]) -> tuple[R, ...]:
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
    Raises what the first failing member raised when nobody answered (``CannotRead`` before all else), and
    ``DeadlineExceeded`` or ``Cancelled`` when the run must stop.
    """
    able = [member for member in members if member.can(task)]
    if not able:
        raise ModelUnavailable(f"no model is configured that can judge {task.name}")
    limit = panel_deadline() if deadline_seconds is None else deadline_seconds
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
            await _gather(pending, answers, leave_at, context)
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
    return PanelResult(answers.ordered(_simplicity), answers.votes(), notes)


async def _gather(
    pending: dict[asyncio.Task[R], int], answers: _Answers[R], leave_at: float, context: RunContext
) -> None:
    """Wait for the members asked, until two agree or the panel's time is up for those who are slow."""
    while pending and answers.agreed() is None:
        timeout = context.deadline.remaining
        if answers.replies:
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
    refusal = next((error for error in failures if isinstance(error, CannotRead)), None)
    return refusal or next(iter(failures), DeadlineExceeded("no member of the panel answered in time"))


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


def _simplicity(shape: str) -> int:
    kind = shape.partition("(")[0]
    return SIMPLEST_FIRST.index(kind) if kind in SIMPLEST_FIRST else len(SIMPLEST_FIRST)


def kept_readings(replies: Sequence[Sequence[Reading]]) -> tuple[Reading, ...]:
    """Up to four readings: the chosen one, what other members read instead, then each one's alternatives.

    ``replies`` are the members' readings, the chosen member's first. A reading about another subject than the
    chosen one is dropped, and so is one that says the same again.
    """
    chosen = replies[0][0]
    kept: list[Reading] = [chosen]
    shapes = {structure(chosen)}
    for other in replies[1:]:
        first = other[0]
        if structure(first) not in shapes and same_subject(chosen, first):
            kept.append(first)
            shapes.add(structure(first))
    for alternative in replies[0][1:]:
        if alternative not in kept and same_subject(chosen, alternative):
            kept.append(alternative)
    return tuple(kept[:MAX_READINGS])

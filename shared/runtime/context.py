"""Everything a stage needs besides the annotated query, carried explicitly: nothing is global.

A context belongs to one stage of one run. Two questions in flight share the ports, which are stateless, and
nothing else.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from shared.models.judged import judged
from shared.models.tasks import Judge, Task, metered, validated
from shared.query.answer import ModelUsage
from shared.runtime.budget import Budget
from shared.runtime.deadline import Deadline
from shared.runtime.errors import Cancelled, CannotRead, ModelUnavailable, ReplyBroken, ReplyInvalid
from shared.runtime.phase import Phase
from shared.text.remarks import fault_of

if TYPE_CHECKING:
    from shared.query.annotated import AskOptions, Judged
    from shared.runtime.http import HttpRequest, HttpResponse
    from shared.runtime.ports import Embedder, Finder, Transport

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


@dataclass(slots=True)
class Meter:
    """What a stage used: model calls by task, and traffic with publishers."""

    models: list[ModelUsage] = field(default_factory=list)
    requests: int = 0
    bytes_received: int = 0


@dataclass(slots=True)
class RunContext:
    """A stage's ports, limits and outlets.

    ``say`` appends a progress line. ``today`` is injected so that relative years are testable.
    """

    options: AskOptions
    deadline: Deadline
    transport: Transport
    finder: Finder
    embedder: Embedder
    judges: Sequence[Judge]
    """Asked in turn for a task until one that can answer does; the built-in judge stands last."""
    panel: Sequence[Judge]
    """The members asked for a reading of the question, in order."""
    say: Callable[[str], None]
    panel_stand_in: Sequence[Judge] = ()
    """The built-in members: they read the question when no model of the panel can be reached."""
    phase: Phase = field(default_factory=Phase)
    budget: Budget = field(default_factory=Budget)
    meter: Meter = field(default_factory=Meter)
    today: Callable[[], date] = field(default=lambda: utc_now().date())
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    judged: list[Judged] = field(default_factory=list)
    """What language models were asked and said; the runner writes it down with the stage's work."""
    told: list[str] = field(default_factory=list)
    """What the answer must say of how judgments came about; the runner writes it down with the stage's work."""

    def check(self) -> None:
        """Raise ``Cancelled`` or ``DeadlineExceeded`` when the work must stop."""
        if self.cancelled.is_set():
            raise Cancelled("the run was cancelled")
        self.deadline.check()

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send a request to a publisher within the deadline, and count it."""
        self.check()
        response = await self.transport.send(request, deadline=self.deadline)
        self.meter.requests += 1
        self.meter.bytes_received += len(response.body)
        return response

    async def judge(self, task: Task[Q, R], request: Q) -> R:
        """Ask for a bounded judgment; the reply is validated, retried once, and then refused visibly.

        The first judge that can judge the task is asked. When it is a model that cannot be reached, and the task
        allows it, the built-in judge stands in and the answer says so; a reply that breaks its contract is never
        made good by another judge. Raises ``PhaseViolation`` in ``execute``, ``ReplyInvalid`` or
        ``ModelUnavailable``.
        """
        self.phase.require_judging(f"the judgment {task.name}")
        able = [judge for judge in self.judges if judge.can(task)]
        if not able:
            raise ModelUnavailable(f"no model is configured that can judge {task.name}")
        try:
            return await self.ask_member(able[0], task, request)
        except ModelUnavailable as error:
            builtin = next((judge for judge in able[1:] if not metered(judge)), None)
            if not task.fallback or builtin is None or not metered(able[0]):
                raise
            self.disclose(stood_in(task, error))
        return await self.ask_member(builtin, task, request)

    def disclose(self, text: str) -> None:
        """Have the answer say how a judgment came about; the same is said once."""
        if text not in self.told:
            self.told.append(text)

    async def ask_member(self, judge: Judge, task: Task[Q, R], request: Q) -> R:
        """Ask one judge, with the validation and the single retry that every reply gets."""
        self.phase.require_judging(f"the judgment {task.name}")
        reason: str | None = None
        asked = time.perf_counter()
        for _ in range(2):
            self.check()
            shown = ""
            began = time.perf_counter()
            try:
                reply = await judge.ask(task, request, self, hint=reason)
                reason = validated(task, request, reply)
            except ValidationError as error:
                reason = f"the reply does not parse: {faults(error)}"
            except ReplyBroken as error:
                reason = shown = str(error)
            except CannotRead:
                self._count(judge, task, began)
                raise
            self._count(judge, task, began)
            if reason is None:
                self._record(judge, task, request, reply, asked)
                return reply
            shown = shown or _fit_to_show(reason, request)
        self._record(judge, task, request, None, asked, why=shown)
        raise ReplyInvalid(f"{judge.name} broke the contract of {task.id} twice: {shown}")

    def _record(
        self, judge: Judge, task: Task[Q, R], request: Q, reply: R | None, asked: float, *, why: str = ""
    ) -> None:
        if metered(judge):
            seconds = time.perf_counter() - asked
            self.judged.append(judged(task, request, reply, by=judge.name, seconds=seconds, why=why))

    def _count(self, judge: Judge, task: Task[Q, R], began: float) -> None:
        if metered(judge):
            return
        self.meter.models.append(
            ModelUsage(
                model=judge.name,
                task=task.id,
                calls=1,
                tokens=0,
                usd=Decimal(0),
                seconds=time.perf_counter() - began,
            )
        )


_PLACE_IN_TEXT = re.compile(r" at line \d+ column \d+")
_DIGITS = re.compile(r"\d{3,}")


def _fit_to_show(reason: str, request: BaseModel) -> str:
    """What was wrong with a reply, as people may read it: without figures and markup that only the reply has."""
    said, given = _PLACE_IN_TEXT.sub("", reason), request.model_dump_json()
    made_up = any(digits not in given for digits in _DIGITS.findall(said))
    fit = not made_up and fault_of(said, (given,), naming=True) is None
    return said if fit else "the reply does not keep to what was asked for"


_MOST_FAULTS = 3


def faults(error: ValidationError) -> str:
    """What is wrong with a reply, place by place, without the values that stand there."""
    told = error.errors(include_url=False, include_context=False, include_input=False)
    words = [f"{'.'.join(map(str, one['loc'])) or 'the reply'}: {one['msg']}" for one in told[:_MOST_FAULTS]]
    more = len(told) - len(words)
    return "; ".join(words) + (f"; and {more} more" if more > 0 else "")


def stood_in(task: Task[Q, R], error: ModelUnavailable) -> str:
    """How a judgment is disclosed that no model could be asked for."""
    what = task.purpose or task.name
    return f"no language model could be asked for {what} ({error}); the built-in rules did it"

"""A language model as a judge: budget before each call, accounts after it, and nothing taken on trust.

Every request that is sent is one call: it is reserved for at its worst price, settled at what the reply says it
cost, and counted in the meter, whether it was the first or a repetition and however it ended. A call that may have
been worked on and whose cost nobody told (a connection that broke, a call that was cancelled) is settled at the
worst price, so that a run never spends more than it may.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import stamina
from pydantic import BaseModel

from shared.models.prompt import system_text, user_text
from shared.models.providers.chat import Adapted, CallFailed, ChatModel, ChatReply, ChatRequest, Passing, Spent
from shared.models.schema import is_closed, reply_schema
from shared.models.settings import CALL_SECONDS
from shared.query.answer import ModelUsage
from shared.runtime.errors import CannotRead, ModelUnavailable, ReplyBroken

if TYPE_CHECKING:
    from shared.models.prices import Price
    from shared.models.tasks import Effort, Task
    from shared.runtime.context import RunContext
    from shared.runtime.deadline import Deadline

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

ATTEMPTS = 4
"""How often one judgment's call is sent while the server's failures are of the passing kind."""
FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0
DOUBLINGS = 2
"""How often an empty or cut-off completion is asked for again at twice the length."""
MOST_OF_THE_TIME = 1 / 3
"""The share of a run's remaining time that a judgment may take when rules may stand in for it."""
MOST_TOKENS = 16_384
BYTES_A_TOKEN = 3
"""Fewer than a token of any common tokenizer has, so that a reservation is rather too large."""
MESSAGE_TOKENS = 200
"""What the schema and the format of the messages may add to a prompt, at most, beside its texts."""
_NOTHING = Spent()


class ModelJudge:
    """``Judge`` over one language model. ``seconds`` is what one judgment may take, repetitions included."""

    metered = True

    def __init__(
        self,
        model: ChatModel,
        price: Price,
        *,
        seconds: float = CALL_SECONDS,
        effort: Effort | None = None,
        first_wait: float = FIRST_WAIT,
    ) -> None:
        self._model, self._price = model, price
        self._seconds, self._effort, self._first_wait = seconds, effort, first_wait

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def can(self, task: Task[Q, R]) -> bool:
        """A model judges what it has instructions for."""
        return bool(task.instructions)

    async def ask(self, task: Task[Q, R], request: Q, context: RunContext, *, hint: str | None = None) -> R:
        """Ask the model. Raises as ``Judge`` says, and ``BudgetExhausted`` when no further call may be made."""
        chat = self._chat(task, request, hint)
        seconds = self._seconds
        if task.fallback:
            # A provider that hangs must leave the rules that stand in for it, and all that follows, their time.
            seconds = min(seconds, context.deadline.remaining * MOST_OF_THE_TIME)
        deadline = context.deadline.within(seconds)
        try:
            async with asyncio.timeout(deadline.remaining):
                reply = await self._completed(chat, task, context, deadline)
        except TimeoutError as error:
            context.check()
            raise ModelUnavailable(f"{self.name} gave no answer in {seconds:.2g} s") from error
        if reply.fault is not None:
            raise ReplyBroken(reply.fault)
        judged = task.reply.model_validate_json(json_text(reply.text))
        if task.settle is not None:
            judged = task.settle(request, judged)
        if task.declines is not None and (why := task.declines(judged)) is not None:
            raise CannotRead(why, [])
        return judged

    def _chat(self, task: Task[Q, R], request: Q, hint: str | None) -> ChatRequest:
        schema = reply_schema(task, request)
        return ChatRequest(
            task=task.name,
            system=system_text(task),
            user=user_text(request, hint),
            schema=schema,
            closed=is_closed(schema),
            max_tokens=task.max_tokens,
            effort=self._effort or task.effort,
        )

    async def _completed(
        self, chat: ChatRequest, task: Task[Any, Any], context: RunContext, deadline: Deadline
    ) -> ChatReply:
        """A completion that is whole; an empty or cut-off one is asked for again at twice the length."""
        for _ in range(DOUBLINGS + 1):
            reply = await self._repeated(chat, task, context, deadline)
            whole = bool(reply.text.strip()) and not reply.cut_off
            if whole or reply.fault is not None:
                return reply
            chat = replace(chat, max_tokens=min(2 * chat.max_tokens, MOST_TOKENS))
        what = "was cut off" if reply.text.strip() else "was empty"
        raise ReplyBroken(f"the reply {what}, {DOUBLINGS + 1} times over")

    async def _repeated(
        self, chat: ChatRequest, task: Task[Any, Any], context: RunContext, deadline: Deadline
    ) -> ChatReply:
        """One completion, asked for again while the failures are passing ones and there is time."""

        def again(error: Exception) -> bool | timedelta:
            if not isinstance(error, Passing):
                return False
            if error.wait is None:
                return True
            # Whoever must be left alone for longer than there is time for is not asked again.
            return timedelta(seconds=error.wait) if error.wait < deadline.remaining else False

        async for attempt in stamina.retry_context(
            on=again,
            attempts=ATTEMPTS,
            timeout=None,
            wait_initial=self._first_wait,
            wait_max=LONGEST_WAIT,
            wait_jitter=self._first_wait,
        ):
            with attempt:
                return await self._adapted(chat, task, context, deadline)
        raise AssertionError("the loop either returns or raises")

    async def _adapted(
        self, chat: ChatRequest, task: Task[Any, Any], context: RunContext, deadline: Deadline
    ) -> ChatReply:
        """One completion; a server that does not know a parameter is asked again without it, at once."""
        while True:
            try:
                return await self._call(chat, task, context, deadline)
            except Adapted:  # each parameter is left out once, so this ends
                continue

    async def _call(
        self, chat: ChatRequest, task: Task[Any, Any], context: RunContext, deadline: Deadline
    ) -> ChatReply:
        """One request: reserved for, sent, settled and counted."""
        context.check()
        worst = self._worst(chat)
        context.budget.reserve(worst)
        began = time.perf_counter()
        spent: Spent | None = None
        try:
            reply = await self._model.complete(chat, deadline=deadline)
            spent = reply.spent
        except CallFailed as failure:
            spent = _NOTHING if failure.free else None
            raise
        finally:
            self._settle(task, context, spent, worst=worst, seconds=time.perf_counter() - began)
        return reply

    def _worst(self, chat: ChatRequest) -> Decimal:
        size = len(chat.system.encode()) + len(chat.user.encode()) + len(str(chat.schema))
        return self._price.at_most(read=size // BYTES_A_TOKEN + MESSAGE_TOKENS, written=chat.max_tokens)

    def _settle(
        self, task: Task[Any, Any], context: RunContext, spent: Spent | None, *, worst: Decimal, seconds: float
    ) -> None:
        tokens = spent.tokens if spent else 0
        usd = worst
        if spent is not None:
            usd = spent.usd if spent.usd is not None else self._price.of(spent)
        crossed = context.budget.settle(reserved=worst, usd=usd, tokens=tokens, seconds=seconds)
        context.meter.models.append(
            ModelUsage(model=self.name, task=task.id, calls=1, tokens=tokens, usd=usd, seconds=seconds)
        )
        if crossed:
            context.say(f"{self.name} crossed the budget with {task.name}: {crossed}; its reply is kept")


def json_text(text: str) -> str:
    """The JSON of a completion, without a code fence and the reasoning that some servers leave before it."""
    text = text.strip()
    if text.startswith("<think>"):
        text = text.rpartition("</think>")[2].strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text[text.index("\n") + 1 : -3].strip()
    return text

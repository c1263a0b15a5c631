"""The built-in judge: the embedded default for bounded judgments, deterministic and free.

It is a table from task name to a function of the task's request. It is asked like any model and its replies
go through the same validation.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from shared.models.tasks import Task
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelUnavailable

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

BuiltinRule = Callable[[Any, RunContext], Awaitable[BaseModel]]
"""Answers one task's request; typed by the task, so the request is ``Any`` here."""


class BuiltinJudge:
    """Judges the tasks it has a rule for, and says honestly that it cannot judge the others."""

    name = "builtin"

    def __init__(self, rules: Mapping[str, BuiltinRule]) -> None:
        self._rules = dict(rules)

    def can(self, task: Task[Q, R]) -> bool:
        """Whether there is a rule for the task."""
        return task.name in self._rules

    async def ask(self, task: Task[Q, R], request: Q, context: RunContext, *, hint: str | None = None) -> R:
        """Answer by rule. A rule gives the same answer again, so ``hint`` changes nothing."""
        del hint
        rule = self._rules.get(task.name)
        if rule is None:
            raise ModelUnavailable(f"the built-in judge has no rule for {task.id}")
        reply = await rule(request, context)
        return task.reply.model_validate(reply.model_dump()) if not isinstance(reply, task.reply) else reply

"""The built-in members of the understanding panel."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from functions.understand import reader
from functions.understand.task import UNDERSTAND, UnderstandReply, UnderstandRequest
from shared.models.tasks import Judge, Task
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelUnavailable


class Rules:
    """The deterministic reader as a member of the panel."""

    name = "rules"

    def can(self, task: Task[Any, Any]) -> bool:
        """Only understanding is read by rule."""
        return task.name == UNDERSTAND.name

    async def ask(
        self, task: Task[Any, Any], request: BaseModel, context: RunContext, *, hint: str | None = None
    ) -> Any:
        """Read by rule. Raises ``CannotRead``."""
        del hint, context
        if not isinstance(request, UnderstandRequest):
            raise ModelUnavailable(f"{self.name} cannot judge {task.id}")
        found = reader.read(request.question, today=request.today)
        return UnderstandReply(readings=found.readings, notes=found.notes)


def builtin_panel() -> tuple[Judge, ...]:
    """The members of the embedded default, in the order in which they are asked."""
    return (Rules(),)

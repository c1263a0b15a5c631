"""The contract of a judgment: a named, versioned task with a typed request, offered ids and a typed reply.

Whoever judges, the built-in judge or a language model, gets the same task and its reply goes through the same
validation: parsed into the reply type, then checked by the task's own validator, which may only accept ids that
were offered. One retry with the reason, then ``ReplyInvalid``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from pydantic import BaseModel

if TYPE_CHECKING:
    from shared.runtime.context import RunContext

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Task(Generic[Q, R]):
    """A judgment that may be asked for.

    ``validate`` returns a reason when the reply does not keep to the request (an id that was not offered),
    else ``None``. ``effort`` is the reasoning effort a language model is asked for.
    """

    name: str
    version: int
    request: type[Q]
    reply: type[R]
    validate: Callable[[Q, R], str | None]
    effort: str = "minimal"

    @property
    def id(self) -> str:
        """Name and version, as they stand in traces."""
        return f"{self.name}.v{self.version}"


class Judge(Protocol):
    """Answers tasks. ``name`` is what accounting and traces call it."""

    @property
    def name(self) -> str:
        """The model's name, or ``builtin``."""

    def can(self, task: Task[Q, R]) -> bool:
        """Whether this judge has an answer to give for the task at all."""

    async def ask(self, task: Task[Q, R], request: Q, context: RunContext, *, hint: str | None = None) -> R:
        """Answer one request. ``hint`` is why the last reply was not accepted.

        Raises ``ModelUnavailable``, ``CannotRead`` (understanding only) or a pydantic ``ValidationError``.
        """


def validated(task: Task[Q, R], request: Q, reply: R) -> str | None:
    """Why ``reply`` is not acceptable, or ``None``."""
    if not isinstance(reply, task.reply):
        return f"the reply is not a {task.reply.__name__}"
    return task.validate(request, reply)

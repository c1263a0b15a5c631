"""The contract of a judgment: a named, versioned task with a typed request, offered ids and a typed reply.

Whoever judges, the built-in judge or a language model, gets the same task and its reply goes through the same
validation: parsed into the reply type, then checked by the task's own validator, which may only accept ids that
were offered. One retry with the reason, then ``ReplyInvalid``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, get_args

from pydantic import BaseModel

if TYPE_CHECKING:
    from shared.runtime.context import RunContext

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

Effort = Literal["none", "minimal", "low", "medium", "high"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)

Offered = Mapping[str, Sequence[str] | Sequence[int]]
"""What a reply may name, by the place of it in the reply: ``{"groups.documents": [...]}``. A place that is a
mapping (``{"verdicts": [...]}``) has exactly these keys."""


@dataclass(frozen=True, slots=True)
class Task(Generic[Q, R]):
    """A judgment that may be asked for.

    ``validate`` returns a reason when the reply does not keep to the request (an id that was not offered),
    else ``None``. The rest is for language models, which judge only tasks that have ``instructions``:

    - ``purpose``: what the judgment is for, in words for people: "reading the question".
    - ``instructions``: what to judge and how, and the form of the reply. They never hold a question's words or a
      publisher's: those go in the request, which is data.
    - ``offered``: the ids that the reply may use, so that a server that can be held to a schema is held to them.
    - ``hidden``: properties of the reply that no model is asked for.
    - ``settle``: puts into an accepted reply what code knows and a model must not say, as identifiers.
    - ``declines``: why a reply says that the request cannot be judged, or ``None``; it becomes ``CannotRead``.
    - ``fallback``: whether the built-in judge may answer when no model can be reached. The answer then says so.
    - ``effort`` is the reasoning effort and ``max_tokens`` the length of a reply that is asked for at first.
    """

    name: str
    version: int
    request: type[Q]
    reply: type[R]
    validate: Callable[[Q, R], str | None]
    effort: Effort = "minimal"
    purpose: str = ""
    instructions: str = ""
    offered: Callable[[Q], Offered] | None = None
    hidden: frozenset[str] = frozenset()
    settle: Callable[[Q, R], R] | None = None
    declines: Callable[[R], str | None] | None = None
    fallback: bool = False
    max_tokens: int = 1024

    @property
    def id(self) -> str:
        """Name and version, as they stand in traces."""
        return f"{self.name}.v{self.version}"


class Judge(Protocol):
    """Answers tasks. ``name`` is what accounting and traces call it.

    A judge whose attribute ``metered`` is true counts its own calls in the context's meter, one for each request
    that it sends; the others are counted by the context, one for each time they are asked.
    """

    @property
    def name(self) -> str:
        """The model's name, or ``builtin``."""

    def can(self, task: Task[Q, R]) -> bool:
        """Whether this judge has an answer to give for the task at all."""

    async def ask(self, task: Task[Q, R], request: Q, context: RunContext, *, hint: str | None = None) -> R:
        """Answer one request. ``hint`` is why the last reply was not accepted.

        Raises ``ModelUnavailable``, ``ReplyBroken``, ``CannotRead`` (where the task may be declined) or a pydantic
        ``ValidationError``.
        """


def metered(judge: Judge) -> bool:
    """Whether a judge counts its own calls."""
    return bool(getattr(judge, "metered", False))


def validated(task: Task[Q, R], request: Q, reply: R) -> str | None:
    """Why ``reply`` is not acceptable, or ``None``."""
    if not isinstance(reply, task.reply):
        return f"the reply is not a {task.reply.__name__}"
    return task.validate(request, reply)

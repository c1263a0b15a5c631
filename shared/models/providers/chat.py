"""The port that every provider of language models fills: one request, one reply, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from shared.models.tasks import Effort
from shared.runtime.errors import ModelUnavailable

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a model is asked. ``schema`` is that of the reply, ``closed`` whether it lists all it allows.

    ``task`` names the judgment, ``max_tokens`` is the length of the reply, reasoning included.
    """

    task: str
    system: str
    user: str
    schema: Mapping[str, Any]
    closed: bool
    max_tokens: int
    effort: Effort


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens that a call used.

    ``read`` counts all that was read; ``cached`` of it came from the server's cache and ``stored`` was put there.
    ``usd`` is what the provider says that it charged, ``None`` when it does not say.
    """

    read: int = 0
    written: int = 0
    cached: int = 0
    stored: int = 0
    usd: Decimal | None = None

    @property
    def tokens(self) -> int:
        """Read and written together."""
        return self.read + self.written


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One completion. ``fault`` says why it is none that was asked for, such as a call of a foreign tool.

    ``spent`` is ``None`` when the server did not say. ``cut_off``: the length allowed was reached.
    """

    text: str
    spent: Spent | None
    cut_off: bool = False
    fault: str | None = None


class ChatModel(Protocol):
    """One model at one provider."""

    @property
    def name(self) -> str:
        """The model's name at its provider."""

    async def complete(self, request: ChatRequest, *, deadline: Deadline) -> ChatReply:
        """Send one request and read its reply; nothing is repeated here.

        Raises ``CallFailed`` kinds of ``ModelUnavailable``, and ``ReplyBroken`` for an answer that is too large, no
        UTF-8 or no JSON. Cancelling closes the connection.
        """


class CallFailed(ModelUnavailable):
    """A call gave no completion. ``free``: the server turned it away, so that it cost nothing."""

    def __init__(self, reason: str, *, free: bool) -> None:
        self.free = free
        super().__init__(reason)


class Passing(CallFailed):
    """A failure that may pass; ``wait`` is how many seconds the server asks to be left alone, if it says so."""

    def __init__(self, reason: str, *, free: bool, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason, free=free)


class Adapted(CallFailed):
    """The server does not know a parameter of ours; it is left out from now on, and the call is worth repeating."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, free=True)


class TurnedAway(CallFailed):
    """The server says that the request is wrong. ``told`` is its reason in small letters, never to be shown."""

    def __init__(self, reason: str, *, told: str) -> None:
        self.told = told
        super().__init__(reason, free=True)

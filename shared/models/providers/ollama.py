"""Ollama's own ``POST /api/chat``, which can be told how much to read: its default would cut a long prompt off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shared.models.prompt import with_schema
from shared.models.providers.chat import Adapted, ChatReply, ChatRequest, Spent, TurnedAway
from shared.models.providers.wire import Wire, counted, whole
from shared.runtime.errors import ModelUnavailable, ReplyBroken

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline

SMALLEST_CONTEXT = 4096
CHARACTERS_A_TOKEN = 3
"""Fewer than any tokenizer needs for prose, so that the context is rather too large."""
_OPTIONAL = {"think": ("think",), "format": ("format", "grammar", "schema")}


@dataclass(slots=True)
class OllamaChat:
    """``ChatModel`` over Ollama's own API."""

    wire: Wire
    model: str
    left_out: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The model's name, or where it is until the server has said what it has."""
        return self.model or f"the model at {self.wire.server}"

    async def complete(self, request: ChatRequest, *, deadline: Deadline) -> ChatReply:
        """See ``ChatModel``."""
        if not self.model:
            self.model = await self._served(deadline)
        body = self.body(request)
        try:
            answer = await self.wire.post("/api/chat", body, deadline=deadline)
        except TurnedAway as refusal:
            for name, words in _OPTIONAL.items():
                if name in body and any(word in refusal.told for word in words):
                    self.left_out.add(name)
                    raise Adapted(f"{self.wire.server} does not take {name}") from refusal
            raise
        return _reply(answer)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as it is sent."""
        # The form is told as well as enforced: a grammar alone lets a small model wander.
        system = with_schema(request.system, request.schema)
        needed = (len(system) + len(request.user)) // CHARACTERS_A_TOKEN + request.max_tokens
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.user}],
            "stream": False,
            "format": request.schema,
            "think": request.effort in {"medium", "high"},
            "options": {
                "temperature": 0,
                "num_predict": request.max_tokens,
                "num_ctx": max(SMALLEST_CONTEXT, 1 << (needed - 1).bit_length()),
            },
        }
        return {name: value for name, value in body.items() if name not in self.left_out}

    async def _served(self, deadline: Deadline) -> str:
        """The first model that the server has."""
        answer = await self.wire.get("/api/tags", deadline=deadline)
        try:
            return str(answer["models"][0]["name"])
        except (KeyError, IndexError, TypeError) as error:
            raise ModelUnavailable(f"{self.wire.server} has no model; name one in NEURALKG_MODELS") from error


def _reply(answer: Mapping[str, Any]) -> ChatReply:
    message = answer.get("message")
    if not isinstance(message, dict):
        raise ReplyBroken("the answer holds no completion")
    content = message.get("content")
    return ChatReply(
        content if isinstance(content, str) else "",
        _spent(answer),
        cut_off=answer.get("done_reason") == "length",
        fault="the reply calls a tool, and no tool was offered" if message.get("tool_calls") else None,
    )


def _spent(answer: Mapping[str, Any]) -> Spent | None:
    """What was used. The server leaves out what it read from its own cache."""
    if not counted(answer, "prompt_eval_count", "eval_count"):
        return None
    return Spent(read=whole(answer.get("prompt_eval_count")), written=whole(answer.get("eval_count")))

"""Anthropic's ``POST /v1/messages``: the reply is the forced call of one tool whose input has the reply's schema.

The instructions are marked for the provider's prompt cache: they are the same for every request of a task. A model
that cannot be forced to call a tool (one that always reasons) is held to the schema by its output format instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shared.models.providers.chat import Adapted, ChatReply, ChatRequest, Spent, TurnedAway
from shared.models.providers.wire import Wire, counted, whole
from shared.runtime.errors import ReplyBroken

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline

VERSION = "2023-06-01"
TOOL = "reply"
_UNFORCED = "tool_choice"
_REFUSALS = ("tool_choice", "thinking")


@dataclass(slots=True)
class AnthropicChat:
    """``ChatModel`` over Anthropic's messages."""

    wire: Wire
    model: str
    left_out: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model

    async def complete(self, request: ChatRequest, *, deadline: Deadline) -> ChatReply:
        """See ``ChatModel``."""
        try:
            answer = await self.wire.post("/v1/messages", self.body(request), deadline=deadline)
        except TurnedAway as refusal:
            if _UNFORCED not in self.left_out and any(word in refusal.told for word in _REFUSALS):
                self.left_out.add(_UNFORCED)
                raise Adapted(f"{self.model} cannot be made to call a tool") from refusal
            raise
        return self._reply(answer)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as it is sent."""
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": request.user}],
        }
        if _UNFORCED in self.left_out:
            effort = "low" if request.effort in {"none", "minimal"} else request.effort
            schema = {"type": "json_schema", "schema": request.schema}
            return body | {"output_config": {"format": schema, "effort": effort}}
        tool = {"name": TOOL, "description": f"Give the judgment {request.task}.", "input_schema": request.schema}
        choice = {"type": "tool", "name": TOOL, "disable_parallel_tool_use": True}
        return body | {"tools": [tool], "tool_choice": choice}

    def _reply(self, answer: Mapping[str, Any]) -> ChatReply:
        blocks = answer.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            raise ReplyBroken("the answer holds no completion")
        calls = [block for block in blocks if block.get("type") == "tool_use"]
        fault = None
        if answer.get("stop_reason") == "refusal":
            fault = "the model declined to answer"
        elif any(call.get("name") != TOOL for call in calls) or (calls and _UNFORCED in self.left_out):
            fault = "the reply calls a tool that was not offered"
        elif len(calls) > 1:
            fault = "the reply was given twice over"
        return ChatReply(
            _text(blocks, calls),
            _usage(answer.get("usage")),
            cut_off=answer.get("stop_reason") == "max_tokens",
            fault=fault,
        )


def _text(blocks: list[dict[str, Any]], calls: list[dict[str, Any]]) -> str:
    """The reply as JSON text: the tool's input, else what was written."""
    if calls:
        try:
            return _json(calls[0].get("input"))
        except RecursionError as error:
            raise ReplyBroken("the reply is nested too deep") from error
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "".join(text for text in texts if isinstance(text, str))


def _json(value: object) -> str:
    """JSON text whose numbers have the digits that came: the standard writer would make floats of decimals."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value)


def _usage(usage: object) -> Spent | None:
    """What was used; ``input_tokens`` leaves out what the cache was asked for or given."""
    if not isinstance(usage, dict) or not counted(usage, "input_tokens", "output_tokens"):
        return None
    cached, stored = whole(usage.get("cache_read_input_tokens")), whole(usage.get("cache_creation_input_tokens"))
    return Spent(
        read=whole(usage.get("input_tokens")) + cached + stored,
        written=whole(usage.get("output_tokens")),
        cached=cached,
        stored=stored,
    )

"""Any server that speaks OpenAI's ``POST /chat/completions``: OpenAI, vLLM, llama.cpp, LM Studio, Ollama, and more.

A reply is held to its schema where the server can do that, else to JSON, else it is only asked for. What a server
turns away is left out from then on, per model: which of its parameters a server knows is found out by asking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shared.models.prompt import with_schema
from shared.models.providers.chat import Adapted, ChatReply, ChatRequest, Spent, TurnedAway
from shared.models.providers.wire import Wire, counted, whole
from shared.runtime.errors import ModelUnavailable, ReplyBroken

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline

FORMATS = ("json_schema", "json_object", "text")
"""How a reply is held to its form, the strictest first."""

HINTS: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema", "structured output", "json mode", "grammar"),
    "reasoning_effort": ("reasoning_effort", "reasoning"),
    "chat_template_kwargs": ("chat_template_kwargs", "enable_thinking"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens",),
    "provider": ("no endpoints", "require_parameters"),
}
"""The words by which a server says which of the parameters it does not take."""

MOST_CHARGED = 1000
"""Dollars that one call can have cost; what is said to be more is no charge, and the worst is settled for."""

OPTIONAL = ("provider", "response_format", "reasoning_effort", "chat_template_kwargs", "temperature", "max_tokens")


@dataclass(slots=True)
class OpenAIChat:
    """``ChatModel`` over chat completions. ``own`` tells a server of one's own from OpenAI's."""

    wire: Wire
    model: str
    own: bool = True
    left_out: set[str] = field(default_factory=set)
    form: int = 0
    """Which of ``FORMATS`` the server takes; it only grows."""

    @property
    def name(self) -> str:
        """The model's name, or where it is until the server has said what it serves."""
        return self.model or f"the model at {self.wire.server}"

    async def complete(self, request: ChatRequest, *, deadline: Deadline) -> ChatReply:
        """See ``ChatModel``."""
        if not self.model:
            self.model = await self._served(deadline)
        body = self.body(request)
        try:
            answer = await self.wire.post("/chat/completions", body, deadline=deadline)
        except TurnedAway as refusal:
            raise self._adapted(refusal, body) from refusal
        return self.reply(answer)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as it is sent."""
        form = FORMATS[self.form]
        system = request.system if form == "json_schema" else with_schema(request.system, request.schema)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": request.user}],
            "stream": False,
        }
        if form == "json_schema":
            schema = {"name": request.task, "strict": request.closed, "schema": request.schema}
            body["response_format"] = {"type": form, "json_schema": schema}
        elif form == "json_object":
            body["response_format"] = {"type": form}
        body |= {name: value for name, value in self.extras(request).items() if name not in self.left_out}
        # Newer models of OpenAI's know only the longer name, older servers only the shorter one.
        longer = ("max_tokens" in self.left_out) != (not self.own)
        body["max_completion_tokens" if longer else "max_tokens"] = request.max_tokens
        return body

    def extras(self, request: ChatRequest) -> dict[str, Any]:
        """What a server may not know: it is left out once the server has turned it away."""
        if not self.own:
            # Some of OpenAI's models know no "minimal"; all of them know "low".
            return {"reasoning_effort": "low" if request.effort == "minimal" else request.effort}
        extras: dict[str, Any] = {"temperature": 0}
        if request.effort in {"none", "minimal"}:
            extras["chat_template_kwargs"] = {"enable_thinking": False}
        else:
            extras["reasoning_effort"] = request.effort
        return extras

    def _adapted(self, refusal: TurnedAway, body: Mapping[str, Any]) -> ModelUnavailable:
        """Leave out what the server complains of. A complaint that names nothing of ours is final."""
        for name in OPTIONAL:
            if not any(word in refusal.told for word in HINTS[name]):
                continue
            if name == "response_format" and self.form < len(FORMATS) - 1:
                self.form += 1
                return Adapted(f"{self.wire.server} does not take the form {FORMATS[self.form - 1]}")
            if name in self.left_out or (name not in body and name != "max_tokens"):
                continue
            self.left_out.add(name)
            return Adapted(f"{self.wire.server} does not take {name}")
        return refusal

    async def _served(self, deadline: Deadline) -> str:
        """The first model that the server lists."""
        answer = await self.wire.get("/models", deadline=deadline)
        try:
            return str(answer["data"][0]["id"])
        except (KeyError, IndexError, TypeError) as error:
            raise ModelUnavailable(f"{self.wire.server} lists no model; name one in NEURALKG_MODELS") from error

    def reply(self, answer: Mapping[str, Any]) -> ChatReply:
        """The completion in an answer."""
        spent = read_usage(answer.get("usage"))
        if isinstance(error := answer.get("error"), dict):
            raise self.wire.refusal(_status(error), "")
        try:
            choice = answer["choices"][0]
            message = choice["message"]
            if isinstance(error := choice.get("error"), dict):
                raise self.wire.refusal(_status(error), "")
            calls, content = message.get("tool_calls"), message.get("content")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ReplyBroken("the answer holds no completion") from error
        fault = None
        if calls or message.get("function_call"):
            fault = "the reply calls a tool, and no tool was offered"
        elif isinstance(message.get("refusal"), str) and message["refusal"]:
            fault = "the model declined to answer"
        elif choice.get("finish_reason") == "content_filter":
            fault = "the provider's filter withheld the reply"
        text = content if isinstance(content, str) else _joined(content)
        return ChatReply(text, spent, cut_off=choice.get("finish_reason") == "length", fault=fault)


def read_usage(usage: object) -> Spent | None:
    """What a ``usage`` object says, ``None`` when there is none. OpenRouter puts its charge, in dollars, in it."""
    if not isinstance(usage, dict):
        return None
    usd = _dollars(usage.get("cost"))
    if usd is None and not counted(usage, "prompt_tokens", "completion_tokens"):
        return None
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    return Spent(
        read=whole(usage.get("prompt_tokens")),
        written=whole(usage.get("completion_tokens")),
        cached=whole(details.get("cached_tokens")),
        stored=whole(details.get("cache_write_tokens")),
        usd=usd,
    )


def _dollars(cost: object) -> Decimal | None:
    if isinstance(cost, bool) or not isinstance(cost, int | Decimal):
        return None
    return Decimal(cost) if Decimal(cost).is_finite() and 0 <= cost <= MOST_CHARGED else None


def _status(error: Mapping[str, Any]) -> int:
    code = error.get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _joined(content: object) -> str:
    """The text of a content that comes in parts."""
    if not isinstance(content, list):
        return ""
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))

"""A stand-in for servers of language models: real HTTP on a free port, in the wire formats of all providers.

It is the only fake among the tests. A test says what it answers, request by request: a ``Reply`` is a behaviour of
the wire (a status, a delay, a body that breaks off) around a text, and a *script* gives the reply to a request as
the server understood it. ``scripted_tasks`` plays a model that answers each task by a function of its data.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shared.models.prompt import CLOSING, FAULT_OPENING, OPENING
from tests.support.served import served

_TASK = re.compile(r"^The judgment: (\w+)$", re.MULTILINE)
USAGE = (100, 20)
"""Tokens read and written that are reported unless a reply says otherwise."""
_PIECE_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it was understood. ``data`` is the task's request, ``hint`` the fault of the last reply."""

    dialect: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    task: str
    data: Any
    hint: str | None
    model: str
    schema: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does: answer ``text`` as a completion, or misbehave.

    ``after`` is how long the first byte takes, ``slow`` how long the body then takes, in seconds. ``raw`` stands
    for the whole body, ``cut`` ends the connection after so many bytes of it. ``tool`` makes the completion a call
    of that tool. ``usage`` are tokens read and written, ``None`` for an answer that does not tell.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    slow: float = 0.0
    raw: bytes | None = None
    cut: int | None = None
    tool: str | None = None
    finish: str | None = None
    usage: tuple[int, int] | None = USAGE
    cost: str | None = None
    error: Mapping[str, Any] | None = None


Script = Callable[[Asked], Reply | Awaitable[Reply]]


def right(value: Any, **how: Any) -> Reply:
    """A completion that is ``value`` as JSON."""
    return Reply(json.dumps(value), **how)


def refusing(status: int, *, code: str = "some_error", message: str = "", **headers: str) -> Reply:
    """An error in the form that the providers share."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, headers=named, error={"type": code, "code": code, "message": message})


def in_turn(*replies: Reply) -> Script:
    """The replies one after the other; the last one for all that follow."""
    left = list(replies)

    def script(_: Asked) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return script


def scripted_tasks(answers: Mapping[str, Callable[[Any], Any]], *, after: float = 0.0) -> Script:
    """A model that answers each task by a function of its data; what the function returns is the reply's JSON."""

    def script(asked: Asked) -> Reply:
        return right(answers[asked.task](asked.data), after=after)

    return script


@dataclass
class ModelServer:
    """The running server: ``asked`` are the requests so far, ``left`` how many clients went away in the middle."""

    script: Script
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    left: int = 0
    models: Sequence[str] = ("stand-in",)

    async def chat(self, request: Request) -> Response:
        dialect = _DIALECTS[request.url.path]
        body = json.loads(await request.body())
        asked = _understood(dialect, request, body)
        self.asked.append(asked)
        made = self.script(asked)
        reply = made if isinstance(made, Reply) else await made
        return _Behaving(self, _payload(dialect, reply, asked), reply)

    async def list_models(self, request: Request) -> Response:
        if request.url.path == "/api/tags":
            return JSONResponse({"models": [{"name": name} for name in self.models]})
        return JSONResponse({"object": "list", "data": [{"id": name} for name in self.models]})


class _Behaving(Response):
    """Sends a payload the way the reply says, and sees when the client goes away."""

    def __init__(self, server: ModelServer, payload: bytes, reply: Reply) -> None:
        super().__init__()
        self._server, self._payload, self._reply = server, payload, reply

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        gone = asyncio.create_task(_gone(receive))
        work = asyncio.create_task(self._send(scope, receive, send))
        done, _ = await asyncio.wait({gone, work}, return_when=asyncio.FIRST_COMPLETED)
        if work not in done:
            self._server.left += 1
            work.cancel()
        gone.cancel()
        await asyncio.gather(gone, work, return_exceptions=True)

    async def _send(self, scope: Any, receive: Any, send: Any) -> None:
        reply = self._reply
        await asyncio.sleep(reply.after)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(self._payload)).encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        payload = self._payload if reply.cut is None else self._payload[: reply.cut]
        for piece in _pieces(payload, reply.slow):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            if reply.slow:
                await asyncio.sleep(_PIECE_SECONDS)
        # An application that does not finish what it announced has its connection dropped.
        if reply.cut is None:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _pieces(payload: bytes, slow: float) -> Iterator[bytes]:
    size = len(payload) if not slow else max(1, int(len(payload) * _PIECE_SECONDS / slow))
    for at in range(0, len(payload), max(size, 1)):
        yield payload[at : at + size]


# Reading requests -------------------------------------------------------------------------------------


def _understood(dialect: str, request: Request, body: Mapping[str, Any]) -> Asked:
    if dialect == "anthropic":
        system = "".join(part["text"] for part in body["system"])
        schema = next((tool["input_schema"] for tool in body.get("tools", ())), None)
    else:
        system = next(message["content"] for message in body["messages"] if message["role"] == "system")
        schema = body.get("format") or (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    user = next(message["content"] for message in body["messages"] if message["role"] == "user")
    inside = user.partition(OPENING)[2].partition(CLOSING)[0]
    hint = user.partition(FAULT_OPENING)[2].partition("\n<")[0].strip() or None
    task = _TASK.search(system)
    return Asked(
        dialect=dialect,
        path=request.url.path,
        headers=dict(request.headers),
        body=body,
        task=task[1] if task else "",
        data=json.loads(inside) if inside else None,
        hint=json.loads(hint) if hint else None,
        model=body["model"],
        schema=schema,
    )


# Writing replies --------------------------------------------------------------------------------------


def _payload(dialect: str, reply: Reply, asked: Asked) -> bytes:
    if reply.raw is not None:
        return reply.raw
    if reply.error is not None:
        return json.dumps(_ERRORS[dialect](reply.error)).encode()
    return json.dumps(_COMPLETIONS[dialect](reply, asked)).encode()


def _openai_completion(reply: Reply, asked: Asked) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tool:
        call = {"id": "call_1", "type": "function", "function": {"name": reply.tool, "arguments": reply.text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    finish = reply.finish or ("tool_calls" if reply.tool else "stop")
    answer: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if reply.usage is not None:
        read, written = reply.usage
        answer["usage"] = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        if reply.cost is not None:
            answer["usage"]["cost"] = float(reply.cost)
    return answer


def _anthropic_completion(reply: Reply, asked: Asked) -> dict[str, Any]:
    forced = "tools" in asked.body
    content: list[dict[str, Any]] = []
    if reply.tool or forced:
        try:
            given = json.loads(reply.text) if reply.text else None
        except ValueError:
            given = None
        if given is not None:
            content = [{"type": "tool_use", "id": "toolu_1", "name": reply.tool or "reply", "input": given}]
        elif reply.text:
            content = [{"type": "text", "text": reply.text}]
    elif reply.text:
        content = [{"type": "text", "text": reply.text}]
    finish = {None: "tool_use" if content and "input" in content[0] else "end_turn", "length": "max_tokens"}
    answer: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": finish.get(reply.finish, reply.finish),
    }
    if reply.usage is not None:
        answer["usage"] = {"input_tokens": reply.usage[0], "output_tokens": reply.usage[1]}
    return answer


def _ollama_completion(reply: Reply, asked: Asked) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool:
        message = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": reply.tool}}]}
    answer = {"model": asked.model, "message": message, "done": True, "done_reason": reply.finish or "stop"}
    if reply.usage is not None:
        answer |= {"prompt_eval_count": reply.usage[0], "eval_count": reply.usage[1]}
    return answer


_DIALECTS = {
    "/v1/chat/completions": "openai",
    "/api/v1/chat/completions": "openrouter",
    "/v1/messages": "anthropic",
    "/api/chat": "ollama",
}
_COMPLETIONS: Mapping[str, Callable[[Reply, Asked], dict[str, Any]]] = {
    "openai": _openai_completion,
    "openrouter": _openai_completion,
    "anthropic": _anthropic_completion,
    "ollama": _ollama_completion,
}
_ERRORS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "openai": lambda error: {"error": dict(error)},
    "openrouter": lambda error: {"error": dict(error)},
    "anthropic": lambda error: {"type": "error", "error": dict(error)},
    "ollama": lambda error: {"error": f"{error['message'] or error['code']}"},
}


@asynccontextmanager
async def model_server(script: Script) -> AsyncIterator[ModelServer]:
    """The server, on a free port of this machine, in the test's own loop."""
    standing = ModelServer(script)
    routes = [Route(path, standing.chat, methods=["POST"]) for path in _DIALECTS]
    routes += [Route(path, standing.list_models) for path in ("/v1/models", "/api/v1/models", "/api/tags")]
    async with served(Starlette(routes=routes)) as url:
        standing.url = url
        yield standing

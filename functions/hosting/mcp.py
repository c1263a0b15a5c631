"""The Model Context Protocol over one POST, by the protocol's official library; a face gives its tools.

No session is kept: each request stands for itself, in the handshake eras and in the self-contained form of
2026-07-28. The library is loaded by the first request, since a face is mostly asked in other ways.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server import Server, ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

LIST_SECONDS = 3600
"""How long a client may keep the list of tools: it changes only with the program."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool: its arguments as they came, the HTTP request it came in, and an outlet for progress."""

    arguments: dict[str, Any]
    request: Request
    say: Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. ``call`` returns a JSON object, and whether it is an error that the caller may mend."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    call: Callable[[Call], Awaitable[tuple[dict[str, Any], bool]]]


class McpFace:
    """An ASGI application for ``POST`` at one address. ``lifespan`` must be open while it serves.

    There is no session, so nothing to stream apart from replies and nothing to end: a route takes no other method.
    """

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        name: str,
        title: str,
        instructions: str,
        max_body: int,
        streamed: bool = False,
    ) -> None:
        """``streamed`` replies as server-sent events, which carry progress and keep a slow reply's line open."""
        self._tools = {tool.name: tool for tool in tools}
        self._name, self._title, self._instructions = name, title, instructions
        self._max_body, self._streamed = max_body, streamed
        self._starting = asyncio.Lock()
        self._stop = asyncio.Event()
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """Serve within this block; calls that are still at work when it ends are cancelled."""
        try:
            yield
        finally:
            self._stop.set()
            if self._running is not None:
                await self._running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        manager = await self._started()
        await manager.handle_request(scope, receive, send)

    async def _started(self) -> StreamableHTTPSessionManager:
        async with self._starting:
            if self._manager is None:
                server = await asyncio.to_thread(self._server)
                from mcp.server.streamable_http_manager import (  # noqa: PLC0415 - the library is slow to load
                    StreamableHTTPSessionManager,
                )

                manager = StreamableHTTPSessionManager(
                    server,
                    stateless=True,
                    json_response=not self._streamed,
                    max_request_body_size=self._max_body,
                )
                ready = asyncio.Event()
                self._running = asyncio.create_task(self._run(manager, ready), name="mcp")
                await ready.wait()
                self._manager = manager
        return self._manager

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        # The manager's task group must be entered and left by one task.
        async with manager.run():
            ready.set()
            await self._stop.wait()

    def _server(self) -> Server[Any]:
        from mcp import types  # noqa: PLC0415 - the library is slow to load
        from mcp.server import CacheHint, Server  # noqa: PLC0415
        from mcp.shared.exceptions import MCPError  # noqa: PLC0415

        listed = [
            types.Tool(
                name=tool.name,
                title=tool.title,
                description=tool.description,
                input_schema=tool.input_schema,
                annotations=types.ToolAnnotations(
                    read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False
                ),
            )
            for tool in self._tools.values()
        ]

        async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
            return types.ListToolsResult(tools=listed)

        async def call_tool(context: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
            tool = self._tools.get(params.name)
            if tool is None:
                told = f"there is no tool {params.name[:100]!r}; there are {', '.join(self._tools)}"
                raise MCPError(types.INVALID_PARAMS, told)
            said = 0

            async def say(text: str) -> None:
                nonlocal said
                said += 1
                await context.session.report_progress(said, message=text)

            assert context.request is not None  # noqa: S101 - it came by HTTP
            made, failed = await tool.call(Call(params.arguments or {}, context.request, say))
            text = json.dumps(made, ensure_ascii=False)
            return types.CallToolResult(
                content=[types.TextContent(text=text)], structured_content=made, is_error=failed
            )

        hint = CacheHint(ttl_ms=LIST_SECONDS * 1000, scope="public")
        return Server(
            self._name,
            version=_version(),
            title=self._title,
            instructions=self._instructions,
            cache_hints={"tools/list": hint, "server/discover": hint},
            on_list_tools=list_tools,
            on_call_tool=call_tool,
        )


def _version() -> str:
    try:
        return version("neuralkg")
    except PackageNotFoundError:
        return "0"

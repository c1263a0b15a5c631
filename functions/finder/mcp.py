"""The Model Context Protocol over one POST: no session, one JSON-RPC request in and one response out.

Both eras are served: the handshake (``initialize``) and the self-contained request of 2026-07-28, which is found
by ``server/discover``. The server calls nobody back, so there is no stream to open.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from functions.finder.settings import MAX_QUERY

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022
_META_VERSION = "io.modelcontextprotocol/protocolVersion"
_META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_INSTRUCTIONS = (
    "Finds published statistical tables by what they measure. It gives no figures: each table says how to ask."
)

Tool = Callable[[dict[str, Any]], Awaitable[tuple[dict[str, Any], bool]]]
"""Answers a call with a JSON object, and whether it is an error that the caller may mend."""

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "search_tables",
        "title": "Search published tables",
        "description": (
            "Which published tables describe this quantity? Give a short description such as 'median household "
            "income'. Returns ranked tables with their variable, source and how to ask for figures."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": MAX_QUERY},
                "sources": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
                "pageSize": {"type": "integer", "minimum": 1, "maximum": 100},
            },
            "required": ["query"],
        },
        "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
    },
    {
        "name": "find_variable",
        "title": "Find a published variable",
        "description": "Every source's table of one published variable, by its exact id. No search, no model.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "minLength": 1},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50},
            },
            "required": ["id"],
        },
        "annotations": {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False},
    },
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: a JSON-RPC message, or nothing for a notification."""

    status: int
    message: dict[str, Any] | None = None


class ProtocolError(Exception):
    """A request that is not one of the protocol's."""

    def __init__(self, code: int, message: str, *, status: int = 200, data: object = None) -> None:
        self.code, self.message, self.status, self.data = code, message, status, data
        super().__init__(message)


async def answer(given: object, headers: Mapping[str, str], tools: Mapping[str, Tool]) -> Reply:
    """Answer one JSON-RPC message."""
    if not isinstance(given, dict) or given.get("jsonrpc") != "2.0" or not isinstance(given.get("method"), str):
        return _failed(
            None, ProtocolError(INVALID_REQUEST, "the body must be one JSON-RPC 2.0 request", status=400)
        )
    number, method, params = given.get("id"), given["method"], given.get("params", {})
    if "id" not in given:
        return Reply(202)
    if isinstance(number, bool) or not isinstance(number, str | int):
        return _failed(None, ProtocolError(INVALID_REQUEST, "id must be text or a number", status=400))
    if not isinstance(params, dict):
        return _failed(number, ProtocolError(INVALID_PARAMS, "params must be an object"))
    try:
        modern = _check_version(method, params, headers)
        result = await _result(method, params, tools)
    except ProtocolError as error:
        return _failed(number, error)
    if modern and method in {"server/discover", "tools/list"}:
        result |= {"ttlMs": 3_600_000, "cacheScope": "public"}
    if modern:
        result |= {"resultType": "complete"}
    return Reply(200, {"jsonrpc": "2.0", "id": number, "result": result})


def unreadable() -> Reply:
    """The answer to a body that is no JSON."""
    return _failed(None, ProtocolError(PARSE_ERROR, "the body is not JSON", status=400))


def _check_version(method: str, params: dict[str, Any], headers: Mapping[str, str]) -> bool:
    """Whether a request is self-contained; raises when its version is not served, or it contradicts itself."""
    meta = params.get("_meta")
    written = headers.get("mcp-protocol-version")
    stated = meta.get(_META_VERSION) if isinstance(meta, dict) else None
    if written is not None and written not in (*HANDSHAKE_VERSIONS, *MODERN_VERSIONS):
        raise _unsupported(written)
    if stated is None:
        if written in MODERN_VERSIONS:
            raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {_META_VERSION}", status=400)
        return False
    assert isinstance(meta, dict)  # noqa: S101 - it has a version
    if written is not None and stated != written:
        raise ProtocolError(HEADER_MISMATCH, "MCP-Protocol-Version is not the version in params._meta", status=400)
    if stated not in MODERN_VERSIONS:
        raise _unsupported(stated)
    if _META_CAPABILITIES not in meta:
        raise ProtocolError(INVALID_PARAMS, f"params._meta lacks {_META_CAPABILITIES}", status=400)
    if headers.get("mcp-method", method) != method:
        raise ProtocolError(HEADER_MISMATCH, "Mcp-Method is not the method of the body", status=400)
    return True


def _unsupported(requested: object) -> ProtocolError:
    supported = [*HANDSHAKE_VERSIONS, *MODERN_VERSIONS]
    data = {"supported": supported, "requested": requested}
    return ProtocolError(UNSUPPORTED_VERSION, f"protocol version {requested} is not served", status=400, data=data)


async def _result(method: str, params: dict[str, Any], tools: Mapping[str, Tool]) -> dict[str, Any]:
    about = {
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "neuralkg-finder", "title": "Finder of published tables", "version": _version()},
        "instructions": _INSTRUCTIONS,
    }
    match method:
        case "initialize":
            asked = params.get("protocolVersion")
            agreed = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
            return {"protocolVersion": agreed, **about}
        case "server/discover":
            return {"supportedVersions": [*HANDSHAKE_VERSIONS, *MODERN_VERSIONS], **about}
        case "ping":
            return {}
        case "tools/list":
            return {"tools": list(TOOLS)}
        case "tools/call":
            return await _called(params, tools)
    raise ProtocolError(METHOD_NOT_FOUND, f"there is no method {method[:100]}")


async def _called(params: dict[str, Any], tools: Mapping[str, Tool]) -> dict[str, Any]:
    name, arguments = params.get("name"), params.get("arguments") or {}
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ProtocolError(INVALID_PARAMS, f"there is no tool {str(name)[:100]!r}; there are {', '.join(tools)}")
    if not isinstance(arguments, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object")
    made, failed = await tool(arguments)
    return {
        "content": [{"type": "text", "text": json.dumps(made, ensure_ascii=False)}],
        "structuredContent": made,
        "isError": failed,
    }


def _failed(number: str | int | None, error: ProtocolError) -> Reply:
    told = {"code": error.code, "message": error.message} | ({"data": error.data} if error.data is not None else {})
    return Reply(error.status, {"jsonrpc": "2.0", "id": number, "error": told})


def _version() -> str:
    try:
        return version("neuralkg")
    except PackageNotFoundError:
        return "0"

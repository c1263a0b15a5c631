"""What the finder offers over the Model Context Protocol: two tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from functions.finder.settings import MAX_QUERY
from functions.hosting.mcp import Call, McpFace, Tool

Answer = Callable[[Call], Awaitable[tuple[dict[str, Any], bool]]]

INSTRUCTIONS = (
    "Finds published statistical tables by what they measure. It gives no figures: each table says how to ask."
)
SEARCH = (
    "Which published tables describe this quantity? Give a short description such as 'median household "
    "income'. Returns ranked tables with their variable, source and how to ask for figures."
)
SEARCH_SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1, "maxLength": MAX_QUERY},
        "sources": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
        "pageSize": {"type": "integer", "minimum": 1, "maximum": 100},
    },
    "required": ["query"],
}
VARIABLE = "Every source's table of one published variable, by its exact id. No search, no model."
VARIABLE_SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50},
    },
    "required": ["id"],
}


DESCRIPTIONS = {"search_tables": SEARCH, "find_variable": VARIABLE}


def face(search_tables: Answer, find_variable: Answer, *, max_body: int) -> McpFace:
    """The address ``/mcp`` over the two functions."""
    return McpFace(
        [
            Tool("search_tables", "Search published tables", SEARCH, SEARCH_SCHEMA, search_tables),
            Tool("find_variable", "Find a published variable", VARIABLE, VARIABLE_SCHEMA, find_variable),
        ],
        name="neuralkg-finder",
        title="Finder of published tables",
        instructions=INSTRUCTIONS,
        max_body=max_body,
    )

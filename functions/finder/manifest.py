"""The manifest by which the registry is discovered: the registry itself, and its search as a tool."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from functions.finder.replies import REGISTRY_TYPE
from functions.finder.tools import DESCRIPTIONS

_QUERIES = [
    "which tables publish median household income",
    "find a table of gdp by country",
    "unemployment rate tables",
]


def manifest(base: str, entries: int) -> dict[str, Any]:
    """The manifest as the standard has it, for a service at ``base``."""
    domain = urlsplit(base).hostname or "localhost"
    return {
        "specVersion": "1.0",
        "host": {"displayName": "NeuralKG finder of published tables", "documentationUrl": f"{base}/"},
        "entries": [
            {
                "identifier": f"urn:air:{domain}:registry:tables",
                "displayName": "Registry of published statistical tables",
                "type": REGISTRY_TYPE,
                "url": f"{base}/ard",
                "description": f"Which of {entries:,} published tables describe a quantity, and how to ask for it.",
                "tags": ["registry", "statistics", "search"],
                "representativeQueries": _QUERIES,
            },
            {
                "identifier": f"urn:air:{domain}:tools:tables",
                "displayName": "Search of published tables as a tool",
                "type": "application/mcp-server-card+json",
                "description": "The same search over the Model Context Protocol.",
                "tags": ["statistics", "search"],
                "capabilities": list(DESCRIPTIONS),
                "representativeQueries": _QUERIES,
                "data": {
                    "name": "neuralkg-finder",
                    "title": "Finder of published tables",
                    "remotes": [{"type": "streamable-http", "url": f"{base}/mcp"}],
                    "tools": [{"name": name, "description": text} for name, text in DESCRIPTIONS.items()],
                },
            },
        ],
    }

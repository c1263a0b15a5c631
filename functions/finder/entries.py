"""Table documents as entries of the registry standard: exactly one of ``url`` and ``data``, 2 to 5 queries."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

from finder_index.families import publisher_of
from finder_index.filters import TABLE_TYPE
from functions.finder.documents import Documents, path_of
from shared.query.discovery import TableDocument

LEAST_QUERIES, MOST_QUERIES = 2, 5
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def listed_entry(document: TableDocument, base: str) -> dict[str, Any]:
    """An entry that names its document by ``url``."""
    return _entry(document) | {"url": f"{base}/okf/file?path={quote(path_of(document))}"}


def full_entry(document: TableDocument, documents: Documents) -> dict[str, Any]:
    """An entry that carries its document, the ``okf:`` terms beside the standard's keys: the finder's own form."""
    found = documents.of(document)
    path, body = found if found else (path_of(document), "")
    terms = {f"okf:{key}": value for key, value in document.terms.items()}
    own = {"okf:source": document.source, "okf:variable": document.variable}
    data = {
        "mediaType": TABLE_TYPE,
        "path": path,
        "markdown": body,
        "representativeQueries": list(document.queries),
    }
    return _entry(document) | terms | own | {"data": data}


def standard_entry(document: TableDocument, documents: Documents) -> dict[str, Any]:
    """An entry of nothing but the standard's keys; the terms stand in ``metadata``."""
    found = documents.of(document)
    terms = document.terms | {"source": document.source, "variable": document.variable}
    data = {"mediaType": TABLE_TYPE, "path": path_of(document), "markdown": found[1] if found else ""}
    return _entry(document) | {"metadata": terms, "data": data}


def _entry(document: TableDocument) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "identifier": document.identifier,
        "displayName": document.title,
        "type": TABLE_TYPE,
        "description": document.description,
        "representativeQueries": queries_of(document),
    }
    if document.tags:
        entry["tags"] = list(document.tags)
    if moment := updated_at(document):
        entry["updatedAt"] = moment
    return entry


def queries_of(document: TableDocument) -> list[str]:
    """2 to 5 things that people ask: where a leaf has fewer, its title and subject complete them."""
    found = list(dict.fromkeys(document.queries))
    if len(found) < LEAST_QUERIES:
        more = (document.title, document.terms.get("measuredProperty", ""), f"{document.title}, by place and year")
        found = list(dict.fromkeys([*found, *filter(None, more)]))[:LEAST_QUERIES]
    return found[:MOST_QUERIES]


def updated_at(document: TableDocument) -> str | None:
    """When the figures were published, as a moment; ``None`` where only less is known."""
    return moment_of(document.terms.get("vintage", ""))


def moment_of(vintage: str) -> str | None:
    """The moment that a day begins; ``None`` for what is no day."""
    return f"{vintage}T00:00:00Z" if _DATE.fullmatch(vintage) else None


def publisher(document: TableDocument) -> str:
    """The domain of the document's publisher."""
    return publisher_of(document.identifier)

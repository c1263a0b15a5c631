"""A leaf as fields, and its text: what the generators of whole catalogs yield by the hundred thousand.

The front matter is written by hand rather than by a YAML library, which takes a millisecond a document; the
strings are JSON strings wherever they could be read as anything but text, and JSON strings are YAML.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

TermValue = str | Sequence[str]
MAX_QUERIES = 5
"""Agentic Resource Discovery asks for 2 to 5 representative queries."""
LONGEST_NAME = 120

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./()+-]*(?: [A-Za-z0-9_./()+%$-]+)*")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_OUTSIDE_NAME = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class LeafFields:
    """One table. ``terms`` are ``okf:`` terms without the prefix; an empty value is not written."""

    variable: str
    title: str
    description: str
    queries: Sequence[str]
    tags: Sequence[str]
    type: str = "Statistical Table"
    resource: str = ""
    aliases: Sequence[str] = ()
    terms: Mapping[str, TermValue] = field(default_factory=dict)
    status: str = ""
    """``deprecated`` for what the publisher keeps only as history."""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One way in which a source is asked: its name, the request, and the key that it takes."""

    name: str
    request: str
    key: str


@dataclass(frozen=True, slots=True)
class AccessFields:
    """How a source is asked. ``notes`` are lines of the body's coverage list."""

    source: str
    publisher: str
    domain: str
    licence: str
    title: str
    description: str
    resource: str
    scope: str
    key_type: TermValue
    grain: Sequence[str]
    frequency: str
    coverage: str
    completeness: str
    operations: Sequence[Operation]
    vintage: str = ""
    tags: Sequence[str] = ()
    notes: Sequence[str] = ()
    family: str = ""


def clean(text: str) -> str:
    """One line of printable text."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def leaf_text(leaf: LeafFields) -> str:
    """The document of a leaf; the same fields always give the same bytes.

    Raises ``ValueError`` for a leaf without title, description or two queries.
    """
    queries = list(unique(leaf.queries))[:MAX_QUERIES]
    title = clean(leaf.title)
    if not title or not leaf.description or len(queries) < 2:
        raise ValueError(f"{leaf.variable}: a leaf needs a title, a description and two queries")
    lines = [
        "---",
        f"type: {leaf.type}",
        f"title: {scalar(title)}",
        f"description: {scalar(clean(leaf.description))}",
    ]
    if leaf.status:
        lines.append(f"status: {leaf.status}")
    if leaf.resource:
        lines.append(f"resource: {scalar(leaf.resource)}")
    _add_list(lines, "tags", list(unique(leaf.tags)))
    _add_list(lines, "representativeQueries", queries)
    lines.append(f"okf:variable: {scalar(leaf.variable)}")
    spoken = {query.casefold() for query in queries} | {title.casefold()}
    # Lists of terms are joined by commas by whoever reads them, so an alias holds none.
    aliases = (alias.replace(",", "") for alias in leaf.aliases)
    _add_list(lines, "okf:aliases", [alias for alias in unique(aliases) if alias.casefold() not in spoken])
    _add_terms(lines, leaf.terms)
    body = leaf.body or "How to ask for it: [access](_access.md)."
    return "\n".join([*lines, "---", "", body, ""])


def access_text(access: AccessFields) -> str:
    """The access document of a source."""
    lines = [
        "---",
        "type: API Endpoint",
        f"title: {scalar(clean(access.title))}",
        f"description: {scalar(clean(access.description))}",
        f"resource: {scalar(access.resource)}",
    ]
    _add_list(lines, "tags", ["api", *access.tags])
    _add_terms(
        lines,
        {
            "source": access.source,
            "publisher": access.publisher,
            "publisherDomain": access.domain,
            "licence": access.licence,
            "family": access.family,
            "scope": access.scope,
            "keyType": access.key_type,
            "grain": access.grain,
            "frequency": access.frequency,
            "coverage": access.coverage,
            "completeness": access.completeness,
            "vintage": access.vintage,
            "operations": [operation.name for operation in access.operations],
        },
    )
    rows = [f"| `{o.name}` | `{o.request}` | {o.key} |" for o in access.operations]
    body = ["# Operations", "", "| Operation | Request | Key |", "|---|---|---|", *rows, "", "# Coverage", ""]
    body += [f"- {clean(note)}" for note in (access.coverage, access.completeness, *access.notes)]
    return "\n".join([*lines, "---", "", *body, ""])


def scalar(text: str) -> str:
    """A text as a YAML scalar on one line."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_OF_YAML:
        return text
    return json.dumps(text, ensure_ascii=False)


def unique(texts: Sequence[str] | Iterator[str]) -> Iterator[str]:
    """The texts cleaned, without empty ones and without those that differ only in letter case."""
    seen: set[str] = set()
    for text in texts:
        kept = clean(text)
        if kept and kept.casefold() not in seen:
            seen.add(kept.casefold())
            yield kept


def file_name(variable: str) -> str:
    """The leaf's file, which is also the last part of its URN.

    A variable that holds other characters than those of a URN, or is too long for a file name, is
    shortened and told apart by a hash of the whole.
    """
    stem = _OUTSIDE_NAME.sub("_", variable).strip(".")
    if stem == variable and len(stem) <= LONGEST_NAME and stem not in {"index", "log", "_access"}:
        return f"{stem}.md"
    return f"{stem[:LONGEST_NAME]}-{hashlib.sha256(variable.encode()).hexdigest()[:8]}.md"


def _add_list(lines: list[str], key: str, items: Sequence[str]) -> None:
    if items:
        lines.append(f"{key}: [{', '.join(_flow(item) for item in items)}]")


def _add_terms(lines: list[str], terms: Mapping[str, TermValue]) -> None:
    for name, value in terms.items():
        if isinstance(value, str):
            if text := clean(value):
                lines.append(f"okf:{name}: {scalar(text)}")
        elif value:
            if odd := next((item for item in value if "," in item or not item.strip()), None):
                raise ValueError(f"okf:{name}: lists of terms are joined by commas, so {odd!r} may not hold one")
            lines.append(f"okf:{name}: [{', '.join(_flow(item) for item in value)}]")


def _flow(text: str) -> str:
    # Commas and brackets end a plain scalar inside a flow list; scalar() lets neither through unquoted.
    return scalar(text)

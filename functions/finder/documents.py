"""The raw Open Knowledge Format documents behind the tables: read by path, and never from outside the corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from functions.finder.faults import BadRequest, NotFound
from shared.query.discovery import TableDocument

MAX_PATH = 512
MOST_LISTED = 1000
NAMESPACE = "okf"
"""What an identifier has before ``<source>.<leaf>``, or before the name of a mounted catalog."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The corpora of the mounted catalogs, by catalog; the built-in one needs no ``name:`` before its paths."""

    corpora: Mapping[str, Path]

    def text(self, path: str) -> str:
        """A document; raises ``NotFound``, also for everything that lies outside or is no document."""
        found = self._inside(path)
        if found is None or found.suffix != ".md" or not found.is_file():
            raise _no_document(path)
        try:
            return found.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise _no_document(path) from error

    def listing(self, path: str, *, first: int = 0) -> dict[str, Any]:
        """What a folder holds, at most a thousand files at a time; raises ``NotFound``."""
        found = self._inside(path or ".")
        if found is None or not found.is_dir():
            raise NotFound(
                "folder_unknown", f"there is no folder {path[:MAX_PATH]!r}", do="See /okf/index for the top."
            )
        inside = sorted(found.iterdir())
        files = [item.name for item in inside if item.suffix == ".md" and item.is_file()]
        shown = files[first : first + MOST_LISTED]
        return {
            "dir": "" if path in {"", "."} else path.strip("/"),
            "dirs": [item.name for item in inside if item.is_dir() and not item.name.startswith(".")],
            "files": shown,
            "total": len(files),
            "next": first + len(shown) if first + len(shown) < len(files) else None,
        }

    def of(self, document: TableDocument) -> tuple[str, str] | None:
        """Path and markdown body of a table's leaf, ``None`` where the leaves are not at hand."""
        path = path_of(document)
        try:
            return path, body_of(self.text(path))
        except BadRequest:
            return None

    def _inside(self, path: str) -> Path | None:
        """The file that a path names, or ``None`` when it names none inside the corpus."""
        name, colon, rest = path.partition(":")
        if colon and name in self.corpora:
            root = self.corpora[name]
        elif colon or not self.corpora:
            return None
        else:
            root, rest = next(iter(self.corpora.values())), path
        if not rest or len(rest) > MAX_PATH or "\\" in rest or any(ord(letter) < 32 for letter in rest):
            return None
        parts = PurePosixPath(rest)
        if parts.is_absolute() or any(part.startswith(".") for part in parts.parts):
            return None
        try:
            root = root.resolve()
            found = (root / parts).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return found if found.is_relative_to(root) else None


def path_of(document: TableDocument) -> str:
    """Where a table's leaf lies: in its corpus, after ``name:`` for that of a mounted catalog."""
    before, _, stem = document.identifier.rpartition(f":{document.source}.")
    catalog = before.rpartition(":")[2]
    prefix = "" if catalog == NAMESPACE else f"{catalog}:"
    return f"{prefix}sources/{document.source}/{stem}.md"


def body_of(text: str) -> str:
    """A document without its front matter."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return text.strip()
    closing = next((n for n, line in enumerate(lines[1:], start=1) if line.rstrip() == "---"), 0)
    return "\n".join(lines[closing + 1 :]).strip()


def _no_document(path: str) -> NotFound:
    return NotFound(
        "document_unknown", f"there is no document {path[:MAX_PATH]!r}", do="See /okf/index for what there is."
    )

"""Write one Open Knowledge Format document: YAML front matter, then markdown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

FrontMatter = Mapping[str, str | int | list[str] | list[dict[str, str]]]


class _Dumper(yaml.SafeDumper):
    """Indents list items below their key, as people write them."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002, ARG002
        super().increase_indent(flow, indentless=False)


def document_text(front: FrontMatter, body: str) -> str:
    """The text of a document; the same fields always give the same bytes."""
    kept = {key: value for key, value in front.items() if value not in ("", [])}
    head = yaml.dump(kept, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return f"---\n{head}---\n\n{body.strip()}\n"


def write_documents(folder: Path, documents: Mapping[str, str]) -> list[Path]:
    """Write ``documents`` (file name to text) into ``folder`` and remove documents no longer generated."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in set(folder.glob("*.md")) - {folder / name for name in documents}:
        stale.unlink()
    written = []
    for name, text in sorted(documents.items()):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            written.append(path)
    return written

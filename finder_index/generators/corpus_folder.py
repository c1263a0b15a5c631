"""Write a hundred thousand leaves into a corpus folder: fast, resumable, and without stale files.

A catalog whose inputs and generators are unchanged is not generated again. One that was cut off starts over,
but a file that is already right is only compared, so that a second run is never slower than the first.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_IMPORTED = re.compile(r"^from finder_index\.generators\.(\w+) import", re.MULTILINE)
_MODULES = re.compile(r"^from finder_index\.generators import (?:\(([^)]+)\)|(.+))$", re.MULTILINE)
_READ = re.compile(r'"([\w.]+\.(?:tsv|gz))"')

STATE = "generated"
"""Folder of the corpus that remembers what was generated, beside ``sources``."""


@dataclass(slots=True)
class Written:
    """How many documents were written anew, were right already, or were removed as no longer generated."""

    written: int = 0
    unchanged: int = 0
    removed: int = 0


def write_leaves(out: Path, documents: Iterable[tuple[str, str]], sources: Sequence[str]) -> Iterator[Written]:
    """Write ``(path, text)`` below ``out``; the running counts are yielded after each document.

    ``sources`` are the folders that belong to these documents and to no others: what else lies in them is
    removed at the end. Raises ``ValueError`` for a path that comes twice or lies elsewhere.
    """
    folders = {f"sources/{source}": out / "sources" / source for source in sources}
    present = {name: _sizes(folder) for name, folder in folders.items()}
    seen: set[str] = set()
    counts = Written()
    for path, text in documents:
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            raise ValueError(f"{path}: the document lies outside its catalog's sources, {', '.join(sources)}")
        if path in seen:
            raise ValueError(f"{path}: two documents have this path")
        seen.add(path)
        data = text.encode()
        size = present[folder].pop(name, None)
        target = folders[folder] / name
        if size == len(data) and target.read_bytes() == data:
            counts.unchanged += 1
        else:
            target.write_bytes(data)
            counts.written += 1
        yield counts
    for name, left in present.items():
        for stale in left:
            (folders[name] / stale).unlink()
            counts.removed += 1
    yield counts


def _sizes(folder: Path) -> dict[str, int]:
    """The documents that are there, with their sizes in bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    with os.scandir(folder) as entries:
        return {entry.name: entry.stat().st_size for entry in entries if entry.name.endswith(".md")}


def signature(inputs: Sequence[Path], module: str) -> str:
    """A sha256 over the input files and over the code, wording and data of the generator in ``module``."""
    digest = hashlib.sha256()
    for path in (*inputs, *generator_files(module)):
        digest.update(f"{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def generator_files(module: str) -> list[Path]:
    """The files that a generator is made of: its module, what that imports of this package, what they read."""
    here = Path(__file__).parent
    found: dict[str, str] = {}
    waiting = [module.rpartition(".")[2]]
    while waiting:
        name = waiting.pop()
        if name not in found and (here / f"{name}.py").is_file():
            found[name] = (here / f"{name}.py").read_text(encoding="utf-8")
            waiting += _IMPORTED.findall(found[name])
            waiting += re.findall(r"\w+", " ".join(map("".join, _MODULES.findall(found[name]))))
    read = {file for text in found.values() for file in _READ.findall(text)}
    carried = [path for path in (*here.glob("wording/*"), *here.glob("data/*")) if path.name in read]
    return sorted([*(here / f"{name}.py" for name in found), *carried])


def read_state(out: Path, name: str) -> dict[str, Any]:
    """What an earlier run remembers of a catalog; empty when there is nothing readable."""
    try:
        state = json.loads((out / STATE / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if isinstance(state, dict) else {}


def write_state(out: Path, name: str, state: dict[str, Any]) -> None:
    """Remember a finished catalog; written whole or not at all."""
    folder = out / STATE
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f".{name}.json"
    fresh.write_text(json.dumps(state, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(folder / f"{name}.json")


def documents_in(out: Path, sources: Sequence[str]) -> int:
    """How many documents lie in the folders of these sources."""
    return sum(len(_sizes(out / "sources" / source)) for source in sources)

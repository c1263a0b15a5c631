"""Two ways to search one set of tables, each in a process of its own: the documented one, and the index.

A process reads commands as JSON lines and answers each with one: ``search``, ``narrow``, ``fetch``, ``together``,
``memory``. Vectors of phrasings come as files, so that nothing but the search is in the time.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

BEST = 150
Mask = NDArray[np.bool_]


class Way(Protocol):
    """A way to search, ready to be asked."""

    def best(self, queries: NDArray[np.float32], allowed: Mask | None) -> list[int]:
        """The rows of the best tables."""

    def fetch(self, rows: list[int]) -> list[dict[str, Any]]:
        """Their documents."""


class Documented:
    """float16 vectors widened to float32 and normalised, metadata in one JSON file, all rows sorted."""

    def __init__(self, folder: Path) -> None:
        vectors = np.load(folder / "vectors.npy").astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self.vectors = vectors
        self.meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))

    def best(self, queries: NDArray[np.float32], allowed: Mask | None) -> list[int]:
        scores = (self.vectors @ queries.T).max(axis=1)
        found: list[int] = []
        for row in np.argsort(-scores, kind="stable"):
            if allowed is None or allowed[row]:
                found.append(int(row))
                if len(found) == BEST:
                    break
        return found

    def fetch(self, rows: list[int]) -> list[dict[str, Any]]:
        return [self.meta[row] for row in rows]


class Indexed:
    """The mapped index."""

    def __init__(self, folder: Path) -> None:
        from finder_index.index import load_index

        self.index = load_index(folder / "index")

    def best(self, queries: NDArray[np.float32], allowed: Mask | None) -> list[int]:
        return [row for row, _ in self.index.scan(queries, allowed).best(BEST)]

    def fetch(self, rows: list[int]) -> list[dict[str, Any]]:
        return [self.index.entry(row) for row in rows]


def memory() -> dict[str, float]:
    """Resident megabytes of this process, and of them those that no file stands behind."""
    sizes = {"resident": 0, "private": 0}
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == "Rss":
            sizes["resident"] += int(rest.split()[0])
        elif name == "Anonymous":
            sizes["private"] += int(rest.split()[0])
    return {name: round(size / 1024, 1) for name, size in sizes.items()}


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2])
    if kind == "indexed":
        import finder_index.index  # noqa: F401 - imports are no part of a load
    before = memory()
    began = time.perf_counter()
    way: Way = {"documented": Documented, "indexed": Indexed}[kind](folder)
    answer({"load": time.perf_counter() - began, "before": before})
    began = time.perf_counter()
    if isinstance(way, Indexed):
        way.index.table.warm()
    answer({"warm": time.perf_counter() - began})
    queries = [np.ascontiguousarray(one) for one in np.load(folder / "queries.npy")]
    masks: dict[str, Mask] = dict(np.load(folder / "masks.npz"))
    for line in sys.stdin:
        command = json.loads(line)
        answer(COMMANDS[command["do"]](way, queries, masks, command))


def search(way: Way, queries: list[Any], masks: dict[str, Mask], command: dict[str, Any]) -> dict[str, Any]:
    began = time.perf_counter()
    rows = way.best(queries[command["query"]], masks.get(command.get("mask", "")))
    found = time.perf_counter()
    way.fetch(rows)
    return {"seconds": found - began, "fetch": time.perf_counter() - found, "rows": rows}


def together(way: Way, queries: list[Any], _masks: dict[str, Mask], command: dict[str, Any]) -> dict[str, Any]:
    """Searches a second when so many callers ask at once."""

    def one(number: int) -> None:
        way.best(queries[number % len(queries)], None)

    with ThreadPoolExecutor(command["callers"]) as callers:
        began = time.perf_counter()
        list(callers.map(one, range(command["count"])))
        return {"rate": command["count"] / (time.perf_counter() - began)}


def measured(_way: Way, _queries: list[Any], _masks: dict[str, Mask], _command: dict[str, Any]) -> dict[str, Any]:
    return dict(memory())


COMMANDS: dict[str, Callable[[Way, list[Any], dict[str, Mask], dict[str, Any]], dict[str, Any]]] = {
    "search": search,
    "together": together,
    "memory": measured,
}


def answer(found: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

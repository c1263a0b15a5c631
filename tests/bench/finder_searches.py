"""Whole searches of a built index, from text to documents: the labelled ones, with the packaged model."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path

from finder_index.finder import LocalFinder
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.query.discovery import FinderRequest
from shared.runtime.deadline import Deadline

CASES = Path(__file__).parents[1] / "cases" / "finder.jsonl"


async def whole(built: Path, callers: int) -> dict[str, float]:
    """Searches from text to documents, embedding and built-in reranker included: one by one, then many at once."""
    lines = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    texts = [line["query"] for line in lines if not line.get("none")]
    embedder = PackagedEmbedder()
    await embedder.warm()
    finder = LocalFinder.open(embedder, path=built, corpus=None)
    finder.index.table.warm()

    async def search(text: str) -> float:
        began = time.perf_counter()
        await finder.search(FinderRequest(texts=(text,)), deadline=Deadline.after(60))
        return time.perf_counter() - began

    for text in texts[:10]:
        await search(text)
    seconds = sorted([await search(text) for text in texts[10:]])
    waiting = iter(texts)

    async def caller() -> None:
        for text in waiting:
            await search(text)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return {
        "searches": len(seconds),
        "median ms": 1e3 * statistics.median(seconds),
        "p95 ms": 1e3 * seconds[round(len(seconds) * 0.95) - 1],
        f"a second at {callers} callers": len(texts) / (time.perf_counter() - began),
    }

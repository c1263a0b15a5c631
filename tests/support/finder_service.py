"""A finder over a small corpus of several sources, a judge whose replies the test writes, and its service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from finder_index.build import build_index
from finder_index.finder import LocalFinder
from finder_index.index import load_index
from finder_index.limits import Limits
from finder_index.rerank_task import RerankRequest
from functions.finder.server import create_finder
from functions.finder.settings import FinderSettings
from tests.support.finder_corpora import CountingEmbedder, make_corpus

Rank = Callable[[RerankRequest], Any]

SOURCES = ("alpha", "beta", "delta", "epsilon", "gamma", "kappa", "zeta")
TABLES = {
    source: {
        f"{source}.{n}": f"Interest rate of {source} {kind}" for n, kind in enumerate(("banks", "loans", "bonds"))
    }
    for source in SOURCES
} | {"herds": {"Z": "Zebra herds of herds"}}
TABLES["alpha"]["shared"] = "Shared quantity of alpha"
TABLES["beta"]["shared"] = "Shared quantity of beta"


class ScriptedJudge:
    """Ranks tables as the test says; remembers what it was asked."""

    def __init__(self, rank: Rank | None = None, name: str = "scripted") -> None:
        self.name = name
        self.rank = rank or everything(80)
        self.asked: list[RerankRequest] = []

    def can(self, task: Any) -> bool:
        return bool(task.name == "rerank_tables")

    async def ask(self, task: Any, request: Any, context: Any, *, hint: str | None = None) -> Any:
        self.asked.append(request)
        found = self.rank(request)
        if isinstance(found, Awaitable):
            found = await found
        if isinstance(found, Exception):
            raise found
        return task.reply.model_validate(found)


def everything(score: float) -> Rank:
    """Scores every card alike."""
    return lambda request: {
        "ranked": [{"i": card.number, "score": score} for card in request.cards][: request.most]
    }


async def hang(_: RerankRequest) -> None:
    await asyncio.sleep(3600)


async def small_finder(
    root: Path,
    judge: ScriptedJudge | None = None,
    *,
    limits: Limits | None = None,
    embedder: CountingEmbedder | None = None,
    tables: dict[str, dict[str, str]] | None = None,
) -> LocalFinder:
    """A finder over ``TABLES`` or other tables; the corpus lies in ``root / "corpus"``."""
    corpus = make_corpus(root / "corpus", TABLES if tables is None else tables)
    embedder = embedder or CountingEmbedder()
    await build_index(corpus, root / "index", CountingEmbedder())
    index = load_index(root / "index")
    return LocalFinder(index, embedder, limits=limits or Limits(), judges=[judge] if judge else [])


def service(finder: LocalFinder, root: Path, **settings: Any) -> Starlette:
    return create_finder(finder, corpora={"built-in": root / "corpus"}, settings=FinderSettings(**settings))


def client(app: Starlette, *, address: str = "192.0.2.1") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 1234), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://finder.test")


async def mounted_finder(root: Path) -> tuple[LocalFinder, dict[str, Path]]:
    """The small finder with a second catalog beside it, ``more``; and the folders of leaves by catalog."""
    from finder_index.mounts import Mount, mount

    tables = {"india": {"shared": "Shared quantity of india", "Tea": "Tea harvest of india"}}
    corpus = make_corpus(root / "more", tables)
    await build_index(corpus, root / "more" / "index", CountingEmbedder())
    small = await small_finder(root)
    index = mount(small.index, [Mount("more", root / "more")])
    finder = LocalFinder(index, CountingEmbedder(), limits=Limits())
    return finder, {"built-in": root / "corpus", "more": root / "more"}

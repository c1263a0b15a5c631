"""The routes by which the finder tells of itself: its manifest, its health and its counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, PlainTextResponse, Response

from functions.finder import page
from functions.finder.face import Face
from functions.finder.manifest import manifest

if TYPE_CHECKING:
    from starlette.requests import Request


class Telling(Face):
    """What is served, and how the searches went."""

    async def manifest(self, request: Request) -> Response:
        """``GET /.well-known/ard.json``, and the older ``ai-catalog.json``."""
        made = manifest(self.base(request), len(self._service.finder.index))
        return JSONResponse(made, headers={"Cache-Control": "public, max-age=3600"})

    async def robots(self, request: Request) -> Response:
        """``GET /robots.txt``: where the manifest is."""
        return PlainTextResponse(f"User-agent: *\nAllow: /\nAgentmap: {self.base(request)}/.well-known/ard.json\n")

    async def health(self, _: Request) -> Response:
        """``GET /health``: what is served, and how the searches went."""
        service, index = self._service, self._service.finder.index
        summary = service.ledger.summary()
        del summary["days"], summary["models"], summary["steps"]
        made = {
            "status": "ok",
            "entries": len(index),
            "catalogs": service.catalogs(),
            "sources": len(index.sources),
            "model": index.manifest["model"],
            "dimension": index.manifest["dimension"],
            "reranker": service.finder.search_of_index.scorer.name,
            "index": service.index_told(),
            **summary,
        }
        return JSONResponse(made, headers={"Cache-Control": "no-store"})

    async def stats(self, _: Request) -> Response:
        """``GET /stats``: the counters for people."""
        return page.stats_page(self._service.ledger.summary())

    async def stats_json(self, _: Request) -> Response:
        """``GET /stats.json``: the counters, per day and per model."""
        told = {**self._service.ledger.summary(), "index": self._service.index_told()}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

"""The finder's HTTP face: search, exact lookups, browsing, the registry standard, and a page for people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from finder_index.index import CORPUS
from functions.finder import browse, facets, incoming, page, tools
from functions.finder.corpora import corpora_of
from functions.finder.entries import full_entry, listed_entry
from functions.finder.envelope import Envelope
from functions.finder.faults import INTERNAL, BadRequest, NotFound, fault_of, http_fault
from functions.finder.incoming import SearchCall
from functions.finder.manifest import manifest
from functions.finder.port import port_routes
from functions.finder.replies import full_reply, standard_reply
from functions.finder.service import Service
from functions.finder.serving import OneIndexEach
from functions.finder.settings import FinderSettings
from functions.hosting.mcp import Call
from shared.query.discovery import FinderReply, TableDocument
from shared.runtime.errors import Cancelled, NeuralKGError

if TYPE_CHECKING:
    from finder_index.finder import LocalFinder
    from functions.finder.published import IndexWatch

VARIABLE_LIMIT, MAX_VARIABLE_LIMIT = 20, 50
VARIABLES_LIMIT, MAX_VARIABLES_LIMIT = 200, 500
_GONE = 499
"""Nobody reads this status: whoever would have is gone."""


def create_finder(
    finder: LocalFinder,
    *,
    corpora: Mapping[str, Path] | None = None,
    settings: FinderSettings | None = None,
    watch: IndexWatch | None = None,
) -> Starlette:
    """The service over an opened finder.

    ``corpora`` are the folders of leaves by catalog, the built-in one first; by default the packaged leaves and
    those that ``ARD_CATALOGS`` mounts.

    ``watch`` follows the published index that the finder came from, for as long as the service runs.
    ``app.state.service`` is the ``Service``; its ``use`` changes the index without dropping a request.
    """
    service = Service.over(
        finder,
        corpora_of(CORPUS) if corpora is None else corpora,
        settings or FinderSettings.from_environment(),
    )
    service.watch = watch
    face = _Face(service)
    mcp = tools.face(face.search_tables, face.find_variable, max_body=service.settings.max_body)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(service.keep_writing())]
        if watch is not None:
            tasks.append(asyncio.create_task(watch.keep_up(service)))
        async with mcp.lifespan():
            yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        service.ledger.flush()

    registry = [
        Route("/search", face.standard_search, methods=["POST"]),
        Route("/explore", face.explore, methods=["POST"]),
        Route("/agents", face.agents),
        Route("/agents/entry", face.entry),
    ]
    app = Starlette(
        routes=[
            Route("/", face.home),
            Route("/style.css", page.stylesheet),
            Route("/search", face.search, methods=["POST"]),
            Route("/ask", face.ask, methods=["GET", "POST"]),
            Route("/mcp", mcp, methods=["POST"]),
            Route("/variable", face.variable),
            Route("/variables", face.variables),
            Route("/publishers", face.publishers),
            Route("/agents", face.agents),
            Route("/agents/entry", face.entry),
            Route("/explore", face.explore, methods=["POST"]),
            Mount("/ard", routes=registry),
            Mount("/port", routes=port_routes(service, face.caller)),
            Route("/.well-known/ard.json", face.manifest),
            Route("/.well-known/ai-catalog.json", face.manifest),
            Route("/robots.txt", face.robots),
            Route("/okf/index", face.okf_index),
            Route("/okf/file", face.okf_file),
            Route("/health", face.health),
            Route("/stats", face.stats),
            Route("/stats.json", face.stats_json),
        ],
        middleware=[Middleware(Envelope), Middleware(OneIndexEach, service=service)],
        exception_handlers={
            HTTPException: _http_problem,
            NeuralKGError: _designed_problem,
            Exception: _fault,
        },
        lifespan=lifespan,
    )
    app.state.service = service
    return app


class _Face:
    """The routes, thin: each reads, calls the service and writes."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._settings = service.settings

    # ---- searches ------------------------------------------------------------------------------

    async def search(self, request: Request) -> Response:
        """``POST /search``: the finder's own form."""
        call = incoming.search_call(await incoming.json_object(request, most=self._settings.max_body))
        reply, left = await self._search(call, request)
        return self._full(request, call, reply, left)

    async def standard_search(self, request: Request) -> Response:
        """``POST /ard/search``: nothing but the standard's keys."""
        call = incoming.search_call(await incoming.json_object(request, most=self._settings.max_body))
        _refuse_ignored(call)
        reply, left = await self._search(call, request)
        made = standard_reply(call, reply, self._service.documents, self._base(request), self._settings.upstreams)
        headers = self._headers(left) | {"X-Finder-Eligibility": reply.eligibility}
        return JSONResponse(made, headers=headers)

    async def ask(self, request: Request) -> Response:
        """``/ask``: a search in plain words, of at most 400 characters."""
        if request.method == "HEAD":
            # A search is work, and a client that throws its answer away should not cause it.
            raise HTTPException(405, headers={"Allow": "GET, POST"})
        if request.method == "POST":
            given = await incoming.json_object(request, most=self._settings.max_body)
            query = given.get("query", given.get("q", given.get("question")))
            sources, size = given.get("sources"), given.get("pageSize")
        else:
            params = request.query_params
            query = params.get("query", params.get("q", params.get("question")))
            sources = [name for text in params.getlist("source") for name in text.split(",") if name] or None
            size = params.get("pageSize")
        call = incoming.plain_call(query, sources=sources, page_size=size)
        reply, left = await self._search(call, request)
        return self._full(request, call, reply, left)

    async def search_tables(self, called: Call) -> tuple[dict[str, Any], bool]:
        """The tool that searches."""
        given = called.arguments
        try:
            call = incoming.plain_call(
                given.get("query"), sources=given.get("sources"), page_size=given.get("pageSize")
            )
            reply, _ = await self._search(call, called.request)
        except Cancelled:
            raise
        except NeuralKGError as error:
            return fault_of(error).as_json(), True
        settings, documents = self._settings, self._service.documents
        return full_reply(call, reply, documents, self._base(called.request), settings.upstreams), False

    async def find_variable(self, called: Call) -> tuple[dict[str, Any], bool]:
        """The tool that looks a variable up."""
        try:
            return await self._variable(called.arguments.get("id"), called.arguments.get("limit")), False
        except NeuralKGError as error:
            return fault_of(error).as_json(), True

    async def _search(self, call: SearchCall, request: Request) -> tuple[FinderReply, int | None]:
        return await self._service.search(call, self.caller(request), request.is_disconnected)

    def _full(self, request: Request, call: SearchCall, reply: FinderReply, left: int | None) -> Response:
        made = full_reply(call, reply, self._service.documents, self._base(request), self._settings.upstreams)
        return JSONResponse(made, headers=self._headers(left))

    def _headers(self, left: int | None) -> dict[str, str]:
        headers = {"Cache-Control": "no-store"}
        if left is not None:
            headers |= {"X-RateLimit-Limit": str(self._settings.daily_limit), "X-RateLimit-Remaining": str(left)}
        return headers

    # ---- exact lookups -------------------------------------------------------------------------

    async def variable(self, request: Request) -> Response:
        """``GET /variable?id=``: every source's document of one variable, in every catalog, the widest first."""
        params = request.query_params
        return JSONResponse(await self._variable(params.get("id"), params.get("limit")))

    async def _variable(self, variable: object, limit: object) -> dict[str, Any]:
        if not isinstance(variable, str) or not variable.strip():
            raise BadRequest("id_missing", "id must name a published variable", do="/variable?id=SP.POP.TOTL")
        most = _whole("limit", limit, VARIABLE_LIMIT, MAX_VARIABLE_LIMIT)
        found = await self._service.finder.by_variable(variable.strip())
        # A margin of error has no table of its own: it is told which figures it belongs to.
        lookups = self._service.finder.lookups
        qualified = [] if found else await asyncio.to_thread(lookups.qualified_by, variable.strip())
        documents = self._service.documents
        return {
            "variable": variable.strip(),
            "results": [full_entry(document, documents) for document in found[:most]],
            "total": len(found),
            "companionOf": [full_entry(document, documents) for document in qualified[:most]],
            "catalogs": list(self._service.catalogs()),
        }

    async def variables(self, request: Request) -> Response:
        """``GET /variables``: the dimensions a quantity is split by, or the variables split by exactly those."""
        params = request.query_params
        parts = tuple(params.get(key, "").strip() for key in ("populationType", "measuredProperty", "statType"))
        if not all(parts):
            raise BadRequest(
                "quantity_missing",
                "populationType, measuredProperty and statType are all required",
                do="/variables?populationType=Person&measuredProperty=count&statType=measuredValue",
            )
        quantity = (parts[0], parts[1], parts[2])
        most = _whole("limit", params.get("limit"), VARIABLES_LIMIT, MAX_VARIABLES_LIMIT)
        lookups = self._service.finder.lookups
        named = {"populationType": parts[0], "measuredProperty": parts[1], "statType": parts[2]}
        if "constraints" not in params:
            splits = await asyncio.to_thread(lookups.splits, quantity)
            shown = [{"constraints": list(one.constraints), "variables": one.variables} for one in splits[:most]]
            return JSONResponse({**named, "dimensions": shown, "total": len(splits)})
        wanted = sorted({part.strip() for part in params["constraints"].split(",") if part.strip()})
        found = await asyncio.to_thread(lookups.variables, quantity, wanted)
        made = [
            {
                "variable": document.variable,
                "identifier": document.identifier,
                "source": document.source,
                "displayName": document.title,
                "constraints": document.terms.get("constraints", ""),
            }
            for document in found[:most]
        ]
        return JSONResponse({**named, "constraints": wanted, "variables": made, "total": len(found)})

    async def publishers(self, _: Request) -> Response:
        """``GET /publishers``: whom a filter may name."""
        return JSONResponse({"publishers": self._service.publishers()})

    # ---- browsing ------------------------------------------------------------------------------

    async def agents(self, request: Request) -> Response:
        """``GET /agents``: tables by filter, order and page."""
        params = request.query_params
        conditions = browse.conditions_of(params.get("filter", ""))
        listing = await asyncio.to_thread(
            browse.list_tables,
            self._service.finder.index,
            conditions,
            order=browse.checked_order(params.get("orderBy", "")),
            size=_whole("pageSize", params.get("pageSize"), browse.PAGE_SIZE, browse.MAX_PAGE),
            first=browse.offset_of(params.get("pageToken", "")),
        )
        made: dict[str, Any] = {
            "items": [listed_entry(document, self._base(request)) for document in listing.documents],
            "total": listing.total,
        }
        if listing.following is not None:
            made["pageToken"] = browse.token_of(listing.following)
        return JSONResponse(made, headers={"Cache-Control": "public, max-age=300"})

    async def entry(self, request: Request) -> Response:
        """``GET /agents/entry?id=``: one table, with its document."""
        identifier = request.query_params.get("id", request.query_params.get("identifier", "")).strip()
        if not identifier:
            raise BadRequest("id_missing", "id must be a table's identifier", do="See /agents for what there is.")
        document = await asyncio.to_thread(self._service.finder.lookups.by_identifier, identifier)
        if document is None:
            raise NotFound("entry_unknown", f"there is no table {identifier[:200]!r}", do="See /agents.")
        return JSONResponse(full_entry(document, self._service.documents))

    async def explore(self, request: Request) -> Response:
        """``POST /explore``: how many of the matched tables have each value of a field."""
        given = await incoming.json_object(request, most=self._settings.max_body)
        asked = facets.facet_requests(given.get("resultType"))
        query = given.get("query") or {}
        if not isinstance(query, dict):
            raise BadRequest("query_invalid", "query must be an object with text and filter")
        if query.get("text") is not None or query.get("texts") is not None:
            matched = await self._matched(given, request)
            entries = [document.model_dump() for document in matched]
            found = await asyncio.to_thread(facets.counted, asked, entries)
        else:
            search = incoming.search_call({"query": {**query, "text": "every table"}})
            _refuse_ignored(search)
            finder = self._service.finder
            allowed, _ = await asyncio.to_thread(finder.search_of_index.filters.allowed, search.request)
            found = await asyncio.to_thread(facets.counted_in_index, asked, finder, allowed)
        return JSONResponse({"resultType": "facets", "facets": found})

    async def _matched(self, given: dict[str, Any], request: Request) -> list[TableDocument]:
        """All tables that a search lets through: its threshold is that of the facets too."""
        kept: dict[str, Any] = {
            key: given[key] for key in ("query", "sources", "excludeSources", "catalogs") if key in given
        }
        call = incoming.search_call({**kept, "pageSize": incoming.MAX_PAGE})
        _refuse_ignored(call)
        reply, _ = await self._search(call, request)
        found = list(reply.results)
        while found and len(found) < reply.qualified and reply.results:
            further = call.request.model_copy(update={"first": len(found)})
            reply, _ = await self._search(SearchCall(further), request)
            found += reply.results
        return found

    # ---- documents and the standard's address ---------------------------------------------------

    async def okf_index(self, request: Request) -> Response:
        """``GET /okf/index?dir=``: what a folder of the corpus holds."""
        params = request.query_params
        first = _whole("first", params.get("first"), 0, 10_000_000, least=0)
        return JSONResponse(
            await asyncio.to_thread(self._service.documents.listing, params.get("dir", ""), first=first)
        )

    async def okf_file(self, request: Request) -> Response:
        """``GET /okf/file?path=``: one document as it is."""
        path = request.query_params.get("path", "")
        if not path:
            raise BadRequest("path_missing", "path must name a document", do="See /okf/index for what there is.")
        text = await asyncio.to_thread(self._service.documents.text, path)
        return PlainTextResponse(text, media_type="text/markdown; charset=utf-8")

    async def manifest(self, request: Request) -> Response:
        """``GET /.well-known/ard.json``, and the older ``ai-catalog.json``."""
        made = manifest(self._base(request), len(self._service.finder.index))
        return JSONResponse(made, headers={"Cache-Control": "public, max-age=3600"})

    async def robots(self, request: Request) -> Response:
        """``GET /robots.txt``: where the manifest is."""
        return PlainTextResponse(f"User-agent: *\nAllow: /\nAgentmap: {self._base(request)}/.well-known/ard.json\n")

    # ---- health and people -----------------------------------------------------------------------

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

    async def home(self, request: Request) -> Response:
        """``GET /``: the search page, and what was found for ``q``."""
        sources = list(self._service.finder.sources)
        query, source = request.query_params.get("q"), request.query_params.get("source", "")
        if query is None or request.method == "HEAD":
            return page.form_page(sources, len(self._service.finder.index))
        try:
            call = incoming.plain_call(query, sources=source or None)
            reply, _ = await self._search(call, request)
        except Cancelled:
            raise
        except NeuralKGError as error:
            return page.refused_page(query, source, fault_of(error), sources)
        return page.result_page(query, source, reply, sources)

    # ---- who asks, and where we are --------------------------------------------------------------

    def _base(self, request: Request) -> str:
        return self._settings.base_url or f"{request.url.scheme}://{request.url.netloc}"

    def caller(self, request: Request) -> str:
        """The address that a quota is counted for. Only what our own proxies wrote is believed."""
        peer = request.client.host if request.client else "unknown"
        if not self._settings.trusted_proxies:
            return peer
        forwarded = [part.strip() for part in request.headers.get("x-forwarded-for", "").split(",") if part.strip()]
        return forwarded[-min(self._settings.trusted_proxies, len(forwarded))] if forwarded else peer


def _refuse_ignored(call: SearchCall) -> None:
    """The standard's responses have no place to tell that a filter was ignored, so such a filter is refused."""
    if call.ignored:
        raise BadRequest(
            "filter_unsupported",
            f"tables cannot be filtered by {', '.join(call.ignored)}",
            allowed=list(incoming.FILTER_KEYS),
        )


def _whole(key: str, given: object, default: int, most: int, *, least: int = 1) -> int:
    """A whole number, brought into its range; raises ``BadRequest`` for anything else."""
    if given is None or given == "":
        return default
    text = str(given).strip()
    if isinstance(given, bool) or not text.lstrip("-").isdecimal() or len(text) > 12:
        raise BadRequest(f"{key.lower()}_invalid", f"{key} must be a whole number from {least} to {most}")
    return min(most, max(least, int(text)))


async def _designed_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, NeuralKGError)  # noqa: S101 - registered for it
    if isinstance(error, Cancelled):
        return Response(status_code=_GONE)
    return fault_of(error).response()


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    return http_fault(error.status_code, (error.headers or {}).get("Allow"), error.detail).response(error.headers)


async def _fault(_: Request, __: Exception) -> Response:
    return INTERNAL.response()

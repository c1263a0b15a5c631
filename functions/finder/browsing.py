"""The routes that list tables without a search, count them by facet, and show documents."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from functions.finder import browse, facets, incoming
from functions.finder.entries import full_entry, listed_entry
from functions.finder.face import Face, refuse_ignored, whole
from functions.finder.faults import BadRequest, NotFound
from functions.finder.incoming import SearchCall

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.finder.searching import Searching
    from functions.finder.service import Service
    from shared.query.discovery import TableDocument


class Browsing(Face):
    """Lists, facets and documents. Facets of a text are those of a search."""

    def __init__(self, service: Service, searching: Searching) -> None:
        super().__init__(service)
        self._searching = searching

    async def agents(self, request: Request) -> Response:
        """``GET /agents``: tables by filter, order and page."""
        params = request.query_params
        conditions = browse.conditions_of(params.get("filter", ""))
        listing = await asyncio.to_thread(
            browse.list_tables,
            self._service.finder.index,
            conditions,
            order=browse.checked_order(params.get("orderBy", "")),
            size=whole("pageSize", params.get("pageSize"), browse.PAGE_SIZE, browse.MAX_PAGE),
            first=browse.offset_of(params.get("pageToken", "")),
        )
        made: dict[str, Any] = {
            "items": [listed_entry(document, self.base(request)) for document in listing.documents],
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
            refuse_ignored(search)
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
        refuse_ignored(call)
        reply, _ = await self._searching.searched(call, request)
        found = list(reply.results)
        while found and len(found) < reply.qualified and reply.results:
            further = call.request.model_copy(update={"first": len(found)})
            reply, _ = await self._searching.searched(SearchCall(further), request)
            found += reply.results
        return found

    async def okf_index(self, request: Request) -> Response:
        """``GET /okf/index?dir=``: what a folder of the corpus holds."""
        params = request.query_params
        first = whole("first", params.get("first"), 0, 10_000_000, least=0)
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

"""The routes and the tool that search, and the page for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from functions.finder import incoming, page
from functions.finder.face import Face, refuse_ignored
from functions.finder.faults import fault_of
from functions.finder.replies import full_reply, standard_reply
from shared.runtime.errors import Cancelled, NeuralKGError

if TYPE_CHECKING:
    from starlette.requests import Request

    from functions.finder.incoming import SearchCall
    from functions.hosting.mcp import Call
    from shared.query.discovery import FinderReply


class Searching(Face):
    """Searches by meaning."""

    async def search(self, request: Request) -> Response:
        """``POST /search``: the finder's own form."""
        call = incoming.search_call(await incoming.json_object(request, most=self._settings.max_body))
        reply, left = await self.searched(call, request)
        return self._full(request, call, reply, left)

    async def standard_search(self, request: Request) -> Response:
        """``POST /ard/search``: nothing but the standard's keys."""
        call = incoming.search_call(await incoming.json_object(request, most=self._settings.max_body))
        refuse_ignored(call)
        reply, left = await self.searched(call, request)
        made = standard_reply(call, reply, self._service.documents, self.base(request), self._settings.upstreams)
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
        reply, left = await self.searched(call, request)
        return self._full(request, call, reply, left)

    async def search_tables(self, called: Call) -> tuple[dict[str, Any], bool]:
        """The tool that searches."""
        given = called.arguments
        try:
            call = incoming.plain_call(
                given.get("query"), sources=given.get("sources"), page_size=given.get("pageSize")
            )
            reply, _ = await self.searched(call, called.request)
        except Cancelled:
            raise
        except NeuralKGError as error:
            return fault_of(error).as_json(), True
        settings, documents = self._settings, self._service.documents
        return full_reply(call, reply, documents, self.base(called.request), settings.upstreams), False

    async def searched(self, call: SearchCall, request: Request) -> tuple[FinderReply, int | None]:
        """The reply, and how many searches the caller has left today."""
        return await self._service.search(call, self.caller(request), request.is_disconnected)

    def _full(self, request: Request, call: SearchCall, reply: FinderReply, left: int | None) -> Response:
        made = full_reply(call, reply, self._service.documents, self.base(request), self._settings.upstreams)
        return JSONResponse(made, headers=self._headers(left))

    def _headers(self, left: int | None) -> dict[str, str]:
        headers = {"Cache-Control": "no-store"}
        if left is not None:
            headers |= {"X-RateLimit-Limit": str(self._settings.daily_limit), "X-RateLimit-Remaining": str(left)}
        return headers

    async def home(self, request: Request) -> Response:
        """``GET /``: the search page, and what was found for ``q``."""
        sources = list(self._service.finder.sources)
        query, source = request.query_params.get("q"), request.query_params.get("source", "")
        if query is None or request.method == "HEAD":
            return page.form_page(sources, len(self._service.finder.index))
        try:
            call = incoming.plain_call(query, sources=source or None)
            reply, _ = await self.searched(call, request)
        except Cancelled:
            raise
        except NeuralKGError as error:
            return page.refused_page(query, source, fault_of(error), sources)
        return page.result_page(query, source, reply, sources)

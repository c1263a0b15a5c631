"""The ``Finder`` port over HTTP, whole: what the program's own stages ask. See ``shared/adapters/http_finder.py``.

The public ``/search`` gives entries of the registry standard, which leave things out; here a request and a reply
travel as they are. Quotas, turns and counters are those of every search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from functions.finder import incoming
from functions.finder.faults import BadRequest
from functions.finder.incoming import SearchCall
from shared.query.discovery import Family, FamilySplit, FinderRequest, TableDocument

if TYPE_CHECKING:
    from functions.finder.service import Service

_DOCUMENTS = TypeAdapter(tuple[TableDocument, ...])
_SPLITS = TypeAdapter(tuple[FamilySplit, ...])
_HEADERS = {"Cache-Control": "no-store"}


def port_routes(service: Service, caller: Callable[[Request], str]) -> list[Route]:
    """``POST /search`` takes a ``FinderRequest``; ``GET /variable?id=`` gives every document of a variable.

    ``GET /splits`` takes a ``Family``'s fields and gives what it is split by; ``GET /split_by`` takes each
    ``dimension`` besides and gives the variables that are limited in exactly these.
    """

    async def search(request: Request) -> Response:
        data = await incoming.body(request, most=service.settings.max_body)
        try:
            wanted = FinderRequest.model_validate_json(data)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the body"
            raise BadRequest("request_invalid", f"{where}: {first['msg']}", do="Send a FinderRequest.") from error
        reply, _ = await service.search(SearchCall(wanted), caller(request), request.is_disconnected)
        return Response(reply.model_dump_json(), media_type="application/json", headers=_HEADERS)

    async def variable(request: Request) -> Response:
        found = await service.finder.by_variable(request.query_params.get("id", ""))
        return Response(_DOCUMENTS.dump_json(found), media_type="application/json", headers=_HEADERS)

    async def splits(request: Request) -> Response:
        found = await service.finder.splits(_family(request))
        return Response(_SPLITS.dump_json(found), media_type="application/json", headers=_HEADERS)

    async def split_by(request: Request) -> Response:
        found = await service.finder.split_by(_family(request), request.query_params.getlist("dimension"))
        return Response(_DOCUMENTS.dump_json(found), media_type="application/json", headers=_HEADERS)

    return [
        Route("/search", search, methods=["POST"]),
        Route("/variable", variable),
        Route("/splits", splits),
        Route("/split_by", split_by),
    ]


def _family(request: Request) -> Family:
    try:
        return Family.model_validate(
            {name: request.query_params[name] for name in Family.model_fields if name in request.query_params}
        )
    except ValidationError as error:
        missing = ", ".join(str(one["loc"][0]) for one in error.errors())
        raise BadRequest("quantity_missing", f"the family lacks {missing}", do="Send a Family's fields.") from error

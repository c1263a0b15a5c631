"""The reports over HTTP: ``GET /billing`` and ``GET /scaling``, with ``since`` and ``until``.

``POST /sums`` adds up the records that came since it was called before; the scheduler calls it every hour.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.hosting.instance import version
from functions.reports.asked import asked_window
from functions.reports.reports import AddUp, Reports
from shared.accounting.window import Window
from shared.runtime.errors import ArchiveError, NeuralKGError, UsageError

if TYPE_CHECKING:
    from starlette.requests import Request

NAME = "reports"
_NEW = {"Cache-Control": "no-store"}


def create_reports(reports: Reports, add_up: AddUp) -> Starlette:
    """The application."""

    def report(make: Callable[[Window], Awaitable[BaseModel]]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            made = await make(asked_window(request))
            return Response(made.model_dump_json(indent=2), media_type="application/json", headers=_NEW)

        return answer

    async def sums(_: Request) -> Response:
        return JSONResponse({"added": await add_up()}, headers=_NEW)

    return Starlette(
        routes=[
            Route("/health", _health),
            Route("/billing", report(reports.billing)),
            Route("/scaling", report(reports.scaling)),
            Route("/sums", sums, methods=["POST"]),
        ],
        exception_handlers={NeuralKGError: _problem},
    )


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok", "name": NAME, "version": version(), "ports": "open"}, headers=_NEW)


async def _problem(_: Request, error: Exception) -> Response:
    """One error shape: bad input 400, an archive that does not answer 503, anything else 500."""
    kinds = ((UsageError, "bad_input", 400), (ArchiveError, "archive_unavailable", 503))
    code, status = next(((c, s) for kind, c, s in kinds if isinstance(error, kind)), ("failed", 500))
    body = {"error": {"code": code, "message": str(error), "allowed": None, "do": None}}
    return JSONResponse(body, status, _NEW | ({"Retry-After": "10"} if status == 503 else {}))

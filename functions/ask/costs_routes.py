"""Where ``/costs`` and ``/usage`` are found. What they are made with is loaded by the first who asks for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from functions.ask.costs import Costs
    from functions.ask.server import Draw
    from functions.reports.reports import Reports

OpenReports = Callable[[], "Reports"]
"""Opens the reports, when they are first asked for."""


def cost_routes(open_reports: OpenReports, draw: Draw | None) -> list[Route]:
    """The routes; a question does not wait for what they need to be imported."""
    made: list[Costs] = []

    def face() -> Costs:
        if not made:
            from functions.ask.costs import Costs  # noqa: PLC0415 - loading it takes a tenth of a second

            made.append(Costs(open_reports(), draw))
        return made[0]

    def route(path: str, answer: Callable[[Costs, Request], Awaitable[Response]]) -> Route:
        async def later(request: Request) -> Response:
            return await answer(face(), request)

        return Route(path, later)

    return [
        route("/costs", lambda costs, request: costs.costs(request)),
        route("/costs/{name}.svg", lambda costs, request: costs.chart(request)),
        route("/usage", lambda costs, request: costs.usage(request)),
    ]

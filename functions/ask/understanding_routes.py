"""Where ``/understanding`` is found. The tasks' modules are imported by the first who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shared.query.identifiers import RunId
from shared.runtime.errors import UsageError
from shared.runtime.spill import unspill

if TYPE_CHECKING:
    from functions.ask.application import Application
    from functions.ask.understanding import Understanding


def understanding_routes(app: Application) -> list[Route]:
    """The page and its data; ``run`` names a run."""

    async def found(request: Request) -> Understanding:
        from functions.ask.understanding import run_understood, understanding  # noqa: PLC0415 - see above

        strange = set(request.query_params) - {"run"}
        if strange:
            raise UsageError(
                f"{sorted(strange)[0][:80]!r} is no parameter of this page; run is",
                allowed=["run"],
                do="Leave it out, or name a run with run.",
            )
        if "run" not in request.query_params:
            return understanding()
        run, answer = await app.result(RunId(request.query_params["run"]))
        annotations = await unspill(app.archive, await app.store.annotations(run.run_id))
        return understanding(run_understood(run, annotations, await app.store.steps(run.run_id), answer))

    async def as_page(request: Request) -> Response:
        from functions.ask.understanding_page import page  # noqa: PLC0415

        return page(await found(request))

    async def as_json(request: Request) -> Response:
        return JSONResponse((await found(request)).model_dump(mode="json"), headers={"Cache-Control": "no-store"})

    return [Route("/understanding", as_page), Route("/api/understanding", as_json)]

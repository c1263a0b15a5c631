"""The HTTP face over one application object, embedded or in the cloud."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.ask import incoming, pages
from functions.ask.envelope import Envelope
from functions.ask.problems import Problem, problem_of
from functions.ask.stream import event_stream, position
from functions.ask.worker import Busy, Worker
from shared.query.answer import Answer, Chart
from shared.query.identifiers import RunId
from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from functions.ask.application import Application
    from shared.runtime.records import RunRecord

Draw = Callable[[Chart], bytes]
"""Draws a chart as SVG; slow the first time, so it is called in a thread."""

_HTTP_PROBLEMS = {
    404: ("not_found", "There is nothing at this address.", "See / for what there is."),
    405: ("method_not_allowed", "This address does not take that method.", "Use one of the allowed methods."),
}
_LEFT_SECONDS = 0.25


def create_app(
    app: Application,
    *,
    concurrency: int = 3,
    deadline_seconds: float = 60.0,
    draw: Draw | None = None,
    patience: float = 2.0,
    grace: float = 2.0,
) -> Starlette:
    """The face over an opened application, which stays open for as long as the face serves.

    ``concurrency`` questions run at a time; another waits ``patience`` seconds for its turn. A stream whose client
    left may be resumed within ``grace`` seconds, then its run is cancelled.
    """
    face = _Face(
        Worker(app, concurrency=concurrency, patience=patience, grace=grace),
        deadline_seconds=deadline_seconds,
        draw=draw,
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await face.worker.close()

    return Starlette(
        routes=[
            Route("/", face.page),
            Route("/style.css", pages.stylesheet),
            Route("/runs/{run_id}.json", face.run_answer),
            Route("/runs/{run_id}/charts/{n:int}.svg", face.chart),
            Route("/runs/{run_id}", face.run_page),
            _question_route("/ask", face.ask, "GET", "POST"),
            _question_route("/api/stream", face.stream, "GET"),
            Route("/api/submit", face.submit, methods=["POST"]),
            Route("/api/runs/{run_id}", face.run),
            Route("/api/runs/{run_id}/trace", face.trace),
            Route("/health", face.health),
        ],
        middleware=[Middleware(Envelope)],
        exception_handlers={
            HTTPException: _http_problem,
            NeuralKGError: _designed_problem,
            Exception: _fault,
        },
        lifespan=lifespan,
    )


class _Face:
    def __init__(self, worker: Worker, *, deadline_seconds: float, draw: Draw | None) -> None:
        self.worker = worker
        self._app = worker.app
        self._deadline = deadline_seconds
        self._draw = draw

    # ---- questions -----------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """One question, one answer."""
        answer = await self._answer(request, await incoming.incoming(request))
        return _answer_response(answer)

    async def stream(self, request: Request) -> Response:
        """One question as server-sent events; with ``Last-Event-ID``, the rest of a stream that broke off."""
        last = request.headers.get("last-event-id")
        if last:
            run_id, after = position(last)
            await self._app.store.get(run_id)
            return Response(status_code=204) if after is None else event_stream(self.worker, run_id, after=after)
        question, options = incoming.from_query(request).checked(
            self._app.registry, deadline_seconds=self._deadline
        )
        return event_stream(self.worker, await self.worker.start(question, options, streamed=True))

    async def submit(self, request: Request) -> Response:
        """Start a question and reply at once with the address of its run."""
        given = await incoming.incoming(request)
        question, options = given.checked(self._app.registry, deadline_seconds=self._deadline)
        run_id = await self.worker.start(question, options)
        url = f"/api/runs/{run_id}"
        return JSONResponse({"run_id": run_id, "url": url}, status_code=202, headers={"Location": url})

    async def _answer(self, request: Request, given: incoming.Incoming) -> Answer:
        """Answer within this request; the run is cancelled when its client leaves."""
        question, options = given.checked(self._app.registry, deadline_seconds=self._deadline)
        run_id = await self.worker.start(question, options)
        answering = asyncio.ensure_future(self._app.wait(run_id))
        try:
            while not answering.done():
                await asyncio.wait({answering}, timeout=_LEFT_SECONDS)
                if not answering.done() and await request.is_disconnected():
                    await self._app.cancel(run_id)
            return await answering
        except asyncio.CancelledError:
            await self._app.cancel(run_id)
            raise

    # ---- runs ----------------------------------------------------------------------------------

    async def run(self, request: Request) -> Response:
        """Where a run stands, with its answer once there is one."""
        run, answer = await self._result(request)
        found = answer.model_dump(mode="json") if answer else None
        return JSONResponse(_summary(run) | {"answer": found}, headers={"Cache-Control": "no-store"})

    async def run_answer(self, request: Request) -> Response:
        """A run's answer object alone."""
        run, answer = await self._result(request)
        if answer is None:
            return JSONResponse(_summary(run), status_code=202, headers={"Cache-Control": "no-store"})
        return _answer_response(answer)

    async def trace(self, request: Request) -> Response:
        """Every step, annotation and event of a run."""
        (run, _), store = await self._result(request), self._app.store
        return JSONResponse(
            {
                "run": run.model_dump(mode="json"),
                "steps": [step.model_dump(mode="json") for step in await store.steps(run.run_id)],
                "annotations": [
                    {"key": a.key} | a.model_dump(mode="json") for a in await store.annotations(run.run_id)
                ],
                "events": [{"n": n} | e.model_dump(mode="json") for n, e in await store.events(run.run_id)],
            },
            headers={"Cache-Control": "no-store"},
        )

    async def health(self, _: Request) -> Response:
        """Whether questions can be answered: the store is read, and the slots are counted."""
        await self._app.store.recent(limit=1)
        slots = {"total": self.worker.concurrency, "free": self.worker.free}
        return JSONResponse({"status": "ok", "sources": self._app.registry.names(), "slots": slots})

    # ---- pages ---------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The question form, and the answer to the question in ``q``."""
        if "q" not in request.query_params:
            return pages.form(self._app.registry.names())
        if request.method == "HEAD":
            raise HTTPException(405, headers={"Allow": "GET"})
        given = incoming.from_query(request)
        as_json = request.query_params.get("view") == "json"
        try:
            answer = await self._answer(request, given)
        except NeuralKGError as error:
            if as_json:
                raise
            return pages.refused(_problem(error), given, self._app.registry.names())
        return _answer_response(answer) if as_json else self._page_of(answer, given)

    async def run_page(self, request: Request) -> Response:
        """A run's answer as a page, or its progress so far."""
        try:
            run, answer = await self._result(request)
        except NeuralKGError as error:
            return pages.refused(_problem(error), incoming.Incoming(""), self._app.registry.names())
        if answer is None:
            return pages.running(run, await self._app.store.events(run.run_id))
        return self._page_of(
            answer, incoming.Incoming(answer.question, run.options.sources, run.options.on_ambiguity)
        )

    async def chart(self, request: Request) -> Response:
        """One chart of an answer, drawn."""
        _, answer = await self._result(request)
        charts = answer.charts if answer is not None else ()
        n = request.path_params["n"]
        if self._draw is None or n >= len(charts):
            raise HTTPException(404)
        return pages.svg(await asyncio.to_thread(self._draw, charts[n]))

    def _page_of(self, answer: Answer, given: incoming.Incoming) -> Response:
        return pages.answered(answer, given, self._app.registry.names(), drawn=self._draw is not None)

    async def _result(self, request: Request) -> tuple[RunRecord, Answer | None]:
        return await self._app.result(RunId(request.path_params["run_id"]))


def _summary(run: RunRecord) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        "question": run.question,
        "status": run.status.value,
        "stage": run.cursor_stage,
        "cancel_requested": run.cancel_requested,
        "created_at": run.created_at.isoformat(),
        "deadline_at": run.deadline_at.isoformat(),
    }


def _answer_response(answer: Answer) -> Response:
    headers = {"Cache-Control": "no-store", "X-Run-Id": answer.run_id}
    return Response(answer.to_json(), media_type="application/json", headers=headers)


def _question_route(path: str, face: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
    route = Route(path, face, methods=list(methods))
    # A question is work, and a client that throws its answer away should not cause it.
    route.methods = set(methods)
    return route


# ---- errors, in one shape ------------------------------------------------------------------------


def _problem(error: NeuralKGError) -> Problem:
    if isinstance(error, Busy):
        return Problem("busy", "Too many questions are being answered now.", 429, 1, None, "Ask again in a moment.")
    problem = problem_of(error)
    if isinstance(error, incoming.TooLarge):
        return replace(problem, status=413)
    return replace(problem, status=415) if isinstance(error, incoming.WrongType) else problem


def _problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    more = {"Cache-Control": "no-store"} | ({"Retry-After": "1"} if problem.status in {429, 503} else {})
    return JSONResponse(problem.as_json(), status_code=problem.status, headers={**more, **(headers or {})})


async def _designed_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, NeuralKGError)  # noqa: S101 - registered for it
    return _problem_response(_problem(error))


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code, message, do = _HTTP_PROBLEMS.get(error.status_code, ("http_error", error.detail, "Check the request."))
    allowed = (error.headers or {}).get("Allow")
    methods = sorted(allowed.replace(" ", "").split(",")) if allowed else None
    return _problem_response(Problem(code, message, error.status_code, 1, methods, do), error.headers)


async def _fault(_: Request, __: Exception) -> Response:
    do = "Tell whoever runs this service the X-Request-Id of this response."
    return _problem_response(Problem("internal", "The system failed.", 500, 1, None, do))

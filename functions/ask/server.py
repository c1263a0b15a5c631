"""The HTTP face over one application object, embedded or in the cloud."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.ask import incoming, pages, replies, tools
from functions.ask.costs_routes import OpenReports, cost_routes
from functions.ask.policy import HEADERS
from functions.ask.rates import Rates
from functions.ask.stream import event_stream, position
from functions.ask.understanding_routes import understanding_routes
from functions.ask.worker import Worker
from functions.hosting.caller import caller_of
from functions.hosting.envelope import Envelope
from functions.hosting.mcp import Call
from shared.query.answer import Answer, Chart
from shared.query.identifiers import RunId
from shared.runtime.errors import DeadlineExceeded, NeuralKGError
from shared.runtime.records import RunStatus

if TYPE_CHECKING:
    from functions.ask.application import Application
    from shared.runtime.records import RunRecord

log = logging.getLogger(__name__)

Draw = Callable[[Chart], bytes]
"""Draws a chart as SVG; slow the first time, so it is called in a thread."""

_LEFT_SECONDS = 0.25
MAX_WAIT = 900.0
"""Seconds that ``/ask`` waits for an answer: within what the platform lets a request take."""


def create_app(
    app: Application,
    *,
    concurrency: int = 3,
    deadline_seconds: float = 60.0,
    draw: Draw | None = None,
    patience: float = 2.0,
    grace: float = 2.0,
    wait_seconds: float = MAX_WAIT,
    per_minute: int = 0,
    proxies: int = 0,
    elsewhere: bool = False,
    reports: OpenReports | None = None,
) -> Starlette:
    """The face over an opened application, which stays open for as long as the face serves.

    ``concurrency`` questions run at a time; another waits ``patience`` seconds for its turn. A stream whose client
    left may be resumed within ``grace`` seconds, then its run is cancelled. ``/ask`` waits ``wait_seconds`` for an
    answer and then replies with the address of its run. A client may ask ``per_minute`` questions, 0 for any
    number; ``proxies`` says how many of our own stand in front and tell the client's address. Runs that are worked
    on ``elsewhere`` are not cancelled when the face closes. With ``reports`` there are ``/costs`` and ``/usage``.
    """
    face = _Face(
        Worker(app, concurrency=concurrency, patience=patience, grace=grace, elsewhere=elsewhere),
        deadline_seconds=deadline_seconds,
        draw=draw,
        wait_seconds=wait_seconds,
        rates=Rates(per_minute),
        proxies=proxies,
    )

    mcp = tools.face(face.tool, max_body=incoming.MAX_BODY)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mcp.lifespan():
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
            Route("/mcp", mcp, methods=["POST"]),
            Route("/api/submit", face.submit, methods=["POST"]),
            Route("/api/runs/{run_id}", face.run),
            Route("/api/runs/{run_id}/trace", face.trace),
            Route("/health", face.health),
            *understanding_routes(app),
            *(cost_routes(reports, draw) if reports is not None else ()),
        ],
        middleware=[Middleware(Envelope, headers=HEADERS, fault=replies.fault)],
        exception_handlers={
            HTTPException: replies.http_problem,
            NeuralKGError: replies.designed_problem,
        },
        lifespan=lifespan,
    )


class _Face:
    def __init__(
        self,
        worker: Worker,
        *,
        deadline_seconds: float,
        draw: Draw | None,
        wait_seconds: float,
        rates: Rates,
        proxies: int,
    ) -> None:
        self.worker = worker
        self._app = worker.app
        self._deadline = deadline_seconds
        self._draw = draw
        self._wait = wait_seconds
        self._rates, self._proxies = rates, proxies

    # ---- questions -----------------------------------------------------------------------------

    async def ask(self, request: Request) -> Response:
        """One question, one answer; 202 with the address of its run when that takes longer than may be waited."""
        given = await incoming.incoming(request)
        wait = replies.preferred_wait(request, self._wait)
        run_id = await self._start(request, given)
        try:
            answer = await self._awaited(request, run_id, seconds=wait)
        except DeadlineExceeded:
            # Whoever works on it may have died: it is driven on, and its answer is to be found.
            answer = None
        return replies.answered(answer) if answer is not None else replies.accepted(run_id)

    async def stream(self, request: Request) -> Response:
        """One question as server-sent events; with ``Last-Event-ID``, the rest of a stream that broke off."""
        last = request.headers.get("last-event-id")
        if last:
            run_id, after = position(last)
            run = await self._app.store.get(run_id)
            if after is None:
                return Response(status_code=204)
            resumed = run.status is RunStatus.RUNNING
            return event_stream(self.worker, run_id, after=after, resumed=resumed)
        run_id = await self._start(request, incoming.from_checked_query(request), streamed=True)
        return event_stream(self.worker, run_id)

    async def submit(self, request: Request) -> Response:
        """Start a question and reply at once with the address of its run."""
        return replies.accepted(await self._start(request, await incoming.incoming(request), waited_for=False))

    async def tool(self, call: Call) -> tuple[dict[str, Any], bool]:
        """One question by the Model Context Protocol; the run is cancelled when its client leaves."""
        try:
            run_id = await self._start(call.request, incoming.from_object(dict(call.arguments)))
            try:
                async for _, event in self._app.watch(run_id):
                    await call.say(event.text)
                answer = await self._app.wait(run_id)
            except asyncio.CancelledError:
                await self._app.cancel(run_id)
                raise
        except NeuralKGError as error:
            return replies.problem_for(error).as_json(), True
        return answer.model_dump(mode="json"), False

    async def _start(
        self, request: Request, given: incoming.Incoming, *, streamed: bool = False, waited_for: bool = True
    ) -> RunId:
        """Start a run; a question that cannot be asked costs its client nothing."""
        question, options = given.checked(self._app.registry, deadline_seconds=self._deadline)
        self._rates.admit(caller_of(request, proxies=self._proxies))
        run_id = await self.worker.start(question, options, streamed=streamed, waited_for=waited_for)
        log.info("run %s is asked for", run_id)
        return run_id

    async def _answer(self, request: Request, given: incoming.Incoming) -> Answer:
        """Answer within this request, however long it takes."""
        run_id = await self._start(request, given)
        return await self._awaited(request, run_id) or await self._app.wait(run_id)

    async def _awaited(self, request: Request, run_id: RunId, *, seconds: float | None = None) -> Answer | None:
        """The run's answer, ``None`` after ``seconds``; the run is cancelled when its client leaves meanwhile."""
        answering = asyncio.ensure_future(self._app.wait(run_id))
        until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        gone = False
        try:
            while not answering.done():
                left = _LEFT_SECONDS if until is None else until - asyncio.get_running_loop().time()
                if left <= 0:
                    return None
                await asyncio.wait({answering}, timeout=min(_LEFT_SECONDS, left))
                if not gone and not answering.done() and await request.is_disconnected():
                    # Once: each cancellation is a message to whoever works on the run.
                    await self._app.cancel(run_id)
                    gone = True
            return answering.result()
        except asyncio.CancelledError:
            await self._app.cancel(run_id)
            raise
        finally:
            answering.cancel()

    # ---- runs ----------------------------------------------------------------------------------

    async def run(self, request: Request) -> Response:
        """Where a run stands, with its answer once there is one."""
        run, answer = await self._result(request)
        found = answer.model_dump(mode="json") if answer else None
        return JSONResponse(replies.summary(run) | {"answer": found}, headers={"Cache-Control": "no-store"})

    async def run_answer(self, request: Request) -> Response:
        """A run's answer object alone."""
        run, answer = await self._result(request)
        if answer is None:
            return JSONResponse(replies.summary(run), status_code=202, headers={"Cache-Control": "no-store"})
        return replies.answered(answer)

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
            return pages.refused(replies.problem_for(error), given, self._app.registry.names())
        return replies.answered(answer) if as_json else self._page_of(answer, given)

    async def run_page(self, request: Request) -> Response:
        """A run's answer as a page, or its progress so far."""
        try:
            run, answer = await self._result(request)
        except NeuralKGError as error:
            return pages.refused(replies.problem_for(error), incoming.Incoming(""), self._app.registry.names())
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
        if self._draw is None or n >= len(charts) or charts[n].kind != "vega-lite":
            raise HTTPException(404)
        return pages.svg(await asyncio.to_thread(self._draw, charts[n]))

    def _page_of(self, answer: Answer, given: incoming.Incoming) -> Response:
        return pages.answered(answer, given, self._app.registry.names(), drawn=self._draw is not None)

    async def _result(self, request: Request) -> tuple[RunRecord, Answer | None]:
        return await self._app.result(RunId(request.path_params["run_id"]))


def _question_route(path: str, face: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
    route = Route(path, face, methods=list(methods))
    # A question is work, and a client that throws its answer away should not cause it.
    route.methods = set(methods)
    return route

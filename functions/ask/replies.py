"""Every response of the face that is no page: answers, runs under way, and errors in one shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from functions.ask import incoming
from functions.ask.problems import Problem, problem_of
from functions.ask.rates import TooFast
from functions.ask.worker import Busy
from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from starlette.requests import Request

    from shared.query.answer import Answer
    from shared.query.identifiers import RunId
    from shared.runtime.records import RunRecord

_HTTP_PROBLEMS = {
    404: ("not_found", "There is nothing at this address.", "See / for what there is."),
    405: ("method_not_allowed", "This address does not take that method.", "Use one of the allowed methods."),
}


def summary(run: RunRecord) -> dict[str, Any]:
    """Where a run stands, without its answer."""
    return {
        "run_id": run.run_id,
        "question": run.question,
        "status": run.status.value,
        "stage": run.cursor_stage,
        "cancel_requested": run.cancel_requested,
        "created_at": run.created_at.isoformat(),
        "deadline_at": run.deadline_at.isoformat(),
    }


def answered(answer: Answer) -> Response:
    """The answer object, exactly as every other way of asking gives it."""
    headers = {"Cache-Control": "no-store", "X-Run-Id": answer.run_id}
    return Response(answer.to_json(), media_type="application/json", headers=headers)


def accepted(run_id: RunId) -> Response:
    """202 with the address of a run that goes on."""
    url = f"/api/runs/{run_id}"
    headers = {"Location": url, "Cache-Control": "no-store", "X-Run-Id": run_id}
    return JSONResponse({"run_id": run_id, "url": url}, status_code=202, headers=headers)


def preferred_wait(request: Request, most: float) -> float:
    """Seconds to wait for an answer: what the client prefers (RFC 7240), within what may be waited."""
    wait = most
    for preference in ",".join(request.headers.getlist("prefer")).lower().replace(" ", "").split(","):
        name, _, value = preference.partition("=")
        if name == "respond-async":
            wait = 0.0
        elif name == "wait" and value.isdecimal():
            wait = min(most, float(value))
    return wait


# ---- errors, in one shape ------------------------------------------------------------------------


def problem_for(error: NeuralKGError) -> Problem:
    """The problem that a designed error is over HTTP."""
    if isinstance(error, TooFast):
        allowed = f"{error.per_minute} questions a minute"
        return Problem("too_fast", f"{str(error).capitalize()}.", 429, 1, allowed, "Wait, then ask again.")
    if isinstance(error, Busy):
        return Problem("busy", "Too many questions are being answered now.", 429, 1, None, "Ask again in a moment.")
    problem = problem_of(error)
    if isinstance(error, incoming.TooLarge):
        return replace(problem, status=413)
    return replace(problem, status=415) if isinstance(error, incoming.WrongType) else problem


def _problem_response(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    more = {"Cache-Control": "no-store"} | ({"Retry-After": "1"} if problem.status in {429, 503} else {})
    return JSONResponse(problem.as_json(), status_code=problem.status, headers={**more, **(headers or {})})


async def designed_problem(_: Request, error: Exception) -> Response:
    """The response to a designed error, with when to come back where that is known."""
    assert isinstance(error, NeuralKGError)  # noqa: S101 - registered for it
    wait = {"Retry-After": str(ceil(error.seconds))} if isinstance(error, TooFast) else None
    return _problem_response(problem_for(error), wait)


async def http_problem(_: Request, error: Exception) -> Response:
    """The response to an address or a method that there is not."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code, message, do = _HTTP_PROBLEMS.get(error.status_code, ("http_error", error.detail, "Check the request."))
    allowed = (error.headers or {}).get("Allow")
    methods = sorted(allowed.replace(" ", "").split(",")) if allowed else None
    return _problem_response(Problem(code, message, error.status_code, 1, methods, do), error.headers)


async def fault(_: Request, __: Exception) -> Response:
    """The response to an error that nobody foresaw; its details stay in the log."""
    do = "Tell whoever runs this service the X-Request-Id of this response."
    return _problem_response(Problem("internal", "The system failed.", 500, 1, None, do))

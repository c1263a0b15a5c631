"""A run as server-sent events: ``progress`` lines in order, then the answer, which is the last event.

Every event has an id, ``<run id>:<number>`` and at the end ``<run id>:answer``. A client that lost its connection
sends the last one back as ``Last-Event-ID`` and gets what it missed out of the store; when there is nothing left
to send, the reply is 204, which tells an ``EventSource`` to stop. ``error`` ends a stream whose run cannot go on.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, NamedTuple

from sse_starlette import EventSourceResponse, ServerSentEvent

from functions.ask.intake import BadInput
from functions.ask.problems import problem_of
from shared.query.identifiers import RunId
from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from functions.ask.worker import Worker
    from shared.query.annotated import ProgressEvent

HEARTBEAT_SECONDS = 10
RETRY_MILLISECONDS = 500
_FINISHED = "answer"
_NUMBER = re.compile(r"[0-9]{1,9}")


class Position(NamedTuple):
    """Where in a run a client stands; ``after`` is ``None`` when it has everything."""

    run_id: RunId
    after: int | None


def position(event_id: str) -> Position:
    """Read a ``Last-Event-ID``; raises ``BadInput`` for one that was never given out."""
    run_id, colon, at = event_id.rpartition(":")
    if colon and run_id and (at == _FINISHED or _NUMBER.fullmatch(at)):
        return Position(RunId(run_id), None if at == _FINISHED else int(at))
    raise BadInput(
        "event_id_unknown",
        f"{event_id[:80]!r} is not the id of an event.",
        allowed="the id of the last event received, or no Last-Event-ID at all",
        do="Ask the question anew.",
    )


def event_stream(worker: Worker, run_id: RunId, *, after: int = 0, resumed: bool = False) -> EventSourceResponse:
    """The response that streams a run from the event after ``after``; ``resumed`` where the run goes on."""
    return EventSourceResponse(
        _events(worker, run_id, after, resumed=resumed),
        ping=HEARTBEAT_SECONDS,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Run-Id": run_id},
    )


async def _events(worker: Worker, run_id: RunId, after: int, *, resumed: bool) -> AsyncIterator[ServerSentEvent]:
    last = after
    async with worker.watching(run_id, resumed=resumed):
        try:
            async for n, event in worker.app.watch(run_id, after=after):
                last = n
                if event.kind in {"progress", "error"}:
                    yield _progress(run_id, n, event)
            answer = await worker.app.wait(run_id)
        except NeuralKGError as error:
            yield _event("error", f"{run_id}:{last}", json.dumps(problem_of(error).as_json()))
            return
        yield _event("answer", f"{run_id}:{_FINISHED}", answer.to_json(indent=None))


def _progress(run_id: RunId, n: int, event: ProgressEvent) -> ServerSentEvent:
    data = {"n": n, "stage": event.stage, "reading": event.reading, "text": event.text, "at": event.at.isoformat()}
    return _event("progress", f"{run_id}:{n}", json.dumps(data, ensure_ascii=False))


def _event(name: str, event_id: str, data: str) -> ServerSentEvent:
    return ServerSentEvent(data=data, event=name, id=event_id, retry=RETRY_MILLISECONDS)

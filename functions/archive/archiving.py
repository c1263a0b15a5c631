"""Completes the archive of a run that has ended, keeps what it used for the reports, and announces its answer."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from pydantic_core import from_json, to_json

from functions.hosting import tracecontext
from shared.accounting.costs import spent_on_models
from shared.accounting.usage_record import kept_of, usage_name, usage_record
from shared.query.answer import Answer
from shared.runtime.closing import answer_name, trace_name
from shared.runtime.errors import RunNotFound
from shared.runtime.history import read_history
from shared.runtime.messages import Announced, Ended
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunRecord, RunStatus
from shared.runtime.trace import trace_document

log = logging.getLogger(__name__)


async def archive_run(
    ended: Ended, *, store: RunStore, archive: Archive, announce: Callable[[Announced], Awaitable[object]]
) -> None:
    """Work on one message. Again for a run that is archived, it does nothing.

    The usage record is written last: where it stands, all was done before. So an answer is announced at least once,
    and again only by a try that came that far and no further. Raises what the store, the archive and ``announce``
    raise.
    """
    try:
        run = await store.get(ended.run_id)
    except RunNotFound:
        log.warning("a message names run %s, which does not exist or has expired", ended.run_id)
        return
    if run.status is RunStatus.RUNNING:
        log.warning("run %s is said to have ended and goes on", run.run_id)
        return
    record_name = usage_name(run)
    if record_name in [name async for name in archive.list(record_name)]:
        return
    data = await _answer(run, archive)
    trace = await _trace(run, archive, data)
    if trace is None:
        trace = trace_document(run, await read_history(store, run.run_id), from_json(data))
        await archive.put(trace_name(run.run_id), trace)
        log.info("the trace of run %s was archived afterwards", run.run_id)
    # An archive tells an object's address only when it is written; writing the same again changes nothing.
    address = await archive.put(answer_name(run.run_id), data)
    answer = Answer.model_validate_json(data)
    await announce(Announced(run.run_id, str(answer.status), address))
    left = kept_of(trace, data)
    record = usage_record(run, answer, await store.steps(run.run_id), kept=left)
    await archive.put(record_name, to_json(record))
    usage = record.usage
    # What the metric `answer-usd` is made of, and the alert on it.
    told = {"usd": float(spent_on_models(record)), "seconds": usage.seconds, "status": str(record.status)}
    with tracecontext.at(tracecontext.current(), **told):
        log.info("run %s was archived", run.run_id)


async def _answer(run: RunRecord, archive: Archive) -> bytes:
    """The answer that was committed: no other is the run's, whatever a late worker has left in the archive."""
    if run.answer_blob is not None:
        return await archive.get(run.answer_blob)
    data: bytes = to_json(run.answer)
    return data


async def _trace(run: RunRecord, archive: Archive, data: bytes) -> bytes | None:
    """The archived trace, if it tells of the answer that was committed; a late worker may have left another."""
    if trace_name(run.run_id) not in {name async for name in archive.list(trace_name(run.run_id))}:
        return None
    trace = await archive.get(trace_name(run.run_id))
    told, committed = from_json(trace).get("answer"), from_json(data)
    # A trace is archived before its answer can name it.
    return trace if isinstance(told, dict) and told | {"trace": None} == committed | {"trace": None} else None

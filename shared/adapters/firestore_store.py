"""The run store in Firestore.

Every operation that changes something reads what it decides on, and writes on condition that it still is so, in one
request: whole or not at all. When another was faster it looks again. A worker remembers the documents of the steps
that it holds as they were when it last saw them, so that a commit needs no read unless somebody else wrote.

An answer can be lost after the write was done. What a claim, a commit, a release or an event has written therefore
carries a token of its own, by which the operation knows its own work when it looks again.

Runs expire: every document carries ``expires_at``, by which the database deletes it some time later. Nothing rests
on when it does: a document past it counts as gone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from shared.adapters.firestore_documents import (
    ANNOTATIONS,
    EVENTS,
    LEASED,
    NEWEST,
    OPEN,
    STEPS,
    annotation_of,
    counted,
    event_of,
    event_path,
    expired,
    line,
    not_found,
    open_since,
    open_step,
    run_fields,
    run_of,
    run_path,
    step_of,
    step_path,
)
from shared.adapters.firestore_errors import Overtaken
from shared.adapters.firestore_reads import first, leaving, present, readable, since_when, stands_open, under
from shared.adapters.firestore_steps import (
    Held,
    HeldSteps,
    committed,
    given_back,
    holding,
    holds,
    opened_now,
    taken,
)
from shared.adapters.firestore_values import ABSENT, Operations, Put, Stored
from shared.adapters.firestore_wire import Database, Turn
from shared.query.annotated import Annotation, ProgressEvent
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.errors import RunNotFound, UsageError
from shared.runtime.records import (
    BudgetTotals,
    Claimed,
    ClaimOutcome,
    RunRecord,
    RunStatus,
    StepCommit,
    StepRecord,
    StepRef,
    outcome_of,
)


class FirestoreStore:
    """A ``RunStore`` in one Firestore database.

    ``patience`` is how many seconds an operation may take with all its attempts, ``call_seconds`` one call to
    Firestore. ``emulator`` is ``host:port``, by default that of ``FIRESTORE_EMULATOR_HOST``. Use it from one event
    loop.
    """

    def __init__(
        self,
        *,
        project: str,
        database: str = "(default)",
        clock: Callable[[], datetime] = utc_now,
        patience: float = 15.0,
        call_seconds: float = 8.0,
        emulator: str | None = None,
    ) -> None:
        self._clock = clock
        self._database = Database(
            project, database, emulator=emulator, patience=patience, call_seconds=call_seconds
        )
        self._held = HeldSteps()

    @property
    def operations(self) -> Operations:
        """Documents read, written and deleted by this store since it was made."""
        return self._database.operations

    async def create(self, run: RunRecord) -> RunRecord:
        """See ``RunStore.create``. Raises ``UsageError`` for an id that names no document."""
        opening = StepRef(run_id=run.run_id, reading=run.cursor_reading, stage=run.cursor_stage)
        try:
            path, step_at = run_path(run.run_id), step_path(opening)
        except RunNotFound as error:
            raise UsageError(f"{run.run_id[:200]!r} can be no run's id: use letters, digits and -_.") from error
        step = open_step(opening, n=1, now=self._clock(), expires_at=run.expires_at)

        async def attempt(turn: Turn) -> RunRecord:
            try:
                await self._database.put(turn, [Put(path, run_fields(run), ABSENT), Put(step_at, step)])
            except Overtaken:
                (found,) = await self._database.get(turn, path)
                if found is None:
                    raise
                return run_of(found)
            return run

        return await self._database.patiently(attempt)

    async def get(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.get``."""
        return run_of(await self._run(run_id))

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        """See ``RunStore.claim``."""
        paths = run_path(step.run_id), step_path(step)
        token = secrets.token_hex(8)

        async def attempt(turn: Turn) -> Claimed:
            found, document = await self._database.get(turn, *paths)
            if found is None:
                raise not_found(step.run_id)
            run, now = run_of(found), self._clock()
            record = step_of(document) if document is not None else None
            outcome = outcome_of(run, record, now)
            if document is None or record is None:
                return Claimed(outcome=outcome, run=run)
            if record.next is not None:
                since = await stands_open(self._database, turn, run, record.next)
                record = record.model_copy(update={"next_open_since": since})
            if not (turn.unsure and holds(document, token)):
                if outcome is not ClaimOutcome.CLAIMED:
                    return Claimed(outcome=outcome, record=record, run=run)
                document = await self._database.change(turn, document, taken(record, owner, token, now, lease))
            self._held.remember(step.run_id, Held(token, found, document))
            return Claimed(
                outcome=ClaimOutcome.CLAIMED,
                record=step_of(document),
                run=run,
                token=token,
                annotation_count=counted(found, "annotation_count"),
            )

        return await self._database.patiently(attempt)

    async def renew(
        self, step: StepRef, *, token: str, lease: timedelta, spent: BudgetTotals | None = None
    ) -> RunRecord:
        """See ``RunStore.renew``."""
        paths = run_path(step.run_id), step_path(step)

        async def attempt(turn: Turn) -> RunRecord:
            held = holding(step, token, *await self._database.get(turn, *paths))
            now = self._clock()
            held.step = await self._database.change(
                turn, held.step, {"lease_until": now + lease, "changed_at": now}
            )
            if spent is not None:
                held.run = await self._database.change(turn, held.run, {"budget": spent.model_dump_json()})
            self._held.remember(step.run_id, held)
            return run_of(held.run)

        return await self._database.patiently(attempt)

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        """See ``RunStore.commit``. Raises ``TooLarge`` for what no document or no one commit can hold."""

        async def attempt(turn: Turn) -> None:
            held = await leaving(self._database, self._held, turn, step, token)
            if held is None:
                return
            there = await present(self._database, turn, held.run, result) if turn.overtaken else {}
            await self._database.put(turn, committed(held, result, present=there, now=self._clock()))

        await self._database.patiently(attempt)

    async def release(self, step: StepRef, *, token: str, error: str) -> None:
        """See ``RunStore.release``."""

        async def attempt(turn: Turn) -> None:
            held = await leaving(self._database, self._held, turn, step, token)
            if held is not None:
                await self._database.change(turn, held.step, given_back(token, error, self._clock()))

        await self._database.patiently(attempt)

    async def note_published(self, step: StepRef, *, since: datetime) -> bool:
        """See ``RunStore.note_published``. When only the answer was lost it is ``False``, and noted again later."""
        path = step_path(step)

        async def attempt(turn: Turn) -> bool:
            (found,) = await self._database.get(turn, path)
            if found is None or open_since(found) != since:
                return False
            await self._database.change(turn, found, opened_now(self._clock()))
            return True

        return await self._database.patiently(attempt)

    async def annotations(self, run_id: RunId, *, after: int = 0) -> list[Annotation]:
        """See ``RunStore.annotations``."""
        found = await under(self._database, run_id, ANNOTATIONS, now=self._clock(), after=after)
        return [annotation_of(document) for document in found]

    async def steps(self, run_id: RunId) -> list[StepRecord]:
        """See ``RunStore.steps``."""
        found = await under(self._database, run_id, STEPS, now=self._clock())
        records = [step_of(document) for document in found]
        opened = {record.step.id: open_since(document) for record, document in zip(records, found, strict=True)}
        return [
            record.model_copy(update={"next_open_since": opened.get(record.next.id)}) if record.next else record
            for record in records
        ]

    async def add_event(self, run_id: RunId, event: ProgressEvent) -> int:
        """See ``RunStore.add_event``."""
        path, mark, tried = run_path(run_id), secrets.token_hex(8), 0

        async def attempt(turn: Turn) -> int:
            nonlocal tried
            held = self._held.of(run_id)
            again = turn.unsure or turn.overtaken
            run = held.run if held is not None and not again else (await self._database.get(turn, path))[0]
            if run is None:
                raise not_found(run_id)
            if turn.unsure and tried:
                (written,) = await self._database.get(turn, event_path(run, tried))
                if written is not None and written.fields.get("mark") == mark:
                    return tried
            tried = counted(run, "event_count") + 1
            fields = run.fields | {"event_count": tried}
            body = line(tried, event.model_dump_json(), run) | {"mark": mark}
            puts = [Put(path, fields, run.version), Put(event_path(run, tried), body)]
            version, _ = await self._database.put(turn, puts)
            if held is not None:
                held.run = Stored(path, fields, version)
            return tried

        return await self._database.patiently(attempt)

    async def events(self, run_id: RunId, *, after: int = 0) -> list[tuple[int, ProgressEvent]]:
        """See ``RunStore.events``."""
        now = self._clock()
        return [event_of(found) for found in await under(self._database, run_id, EVENTS, now=now, after=after)]

    async def progress(self, run_id: RunId, *, after: int = 0) -> tuple[RunRecord, list[tuple[int, ProgressEvent]]]:
        """See ``RunStore.progress``. By the run's count of events it is plain whether there are any to read."""
        run = await self._run(run_id)
        return run_of(run), await self.events(run_id, after=after) if counted(run, "event_count") > after else []

    async def request_cancel(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.request_cancel``."""
        path = run_path(run_id)

        async def attempt(turn: Turn) -> RunRecord:
            (found,) = await self._database.get(turn, path)
            if found is None:
                raise not_found(run_id)
            run = run_of(found)
            if run.status is RunStatus.RUNNING and not run.cancel_requested:
                run = run_of(await self._database.change(turn, found, {"cancel_requested": True}))
            return run

        return await self._database.patiently(attempt)

    async def stalled(self, *, waiting: timedelta, limit: int = 100) -> list[StepRecord]:
        """See ``RunStore.stalled``. Of claimed steps, those are found first whose lease ran out first."""
        now = self._clock()
        found = await first(self._database, LEASED, limit, now=now, upto=now)
        found += await first(self._database, OPEN, limit, now=now, upto=now - waiting)
        found.sort(key=since_when)
        return readable(found[:limit], step_of)

    async def recent(self, *, limit: int = 50) -> list[RunRecord]:
        """See ``RunStore.recent``."""
        return readable(await first(self._database, NEWEST, limit, now=self._clock()), run_of)

    async def purge(self) -> int:
        """Zero: the database deletes by the policy on ``expires_at``, which each document of a run carries."""
        return 0

    async def close(self) -> None:
        """Release the channel; operations after it raise ``StoreUnavailable``."""
        await self._database.close()

    async def _run(self, run_id: RunId) -> Stored:
        """A run's document. Raises ``RunNotFound``, also for a run that has expired."""
        path = run_path(run_id)

        async def attempt(turn: Turn) -> Stored:
            (found,) = await self._database.get(turn, path)
            if found is None or expired(found, self._clock()):
                raise not_found(run_id)
            return found

        run = await self._database.patiently(attempt)
        if held := self._held.of(run_id):
            held.run = run
        return run

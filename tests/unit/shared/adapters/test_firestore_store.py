"""What is particular to the run store in Firestore: its documents, their limits, what it costs, what it deletes."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import timedelta
from importlib import resources
from uuid import uuid4

import pytest

from shared.adapters import firestore_documents as documents
from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.firestore_values import SHARDS, Operations, Put, Query, size_of
from shared.adapters.firestore_wire import DOCUMENT_LIMIT, Database, Turn
from shared.query.identifiers import RunId, StageName
from shared.runtime.errors import RunNotFound, StoreCorrupt, StoreNewer, StoreUnavailable, TooLarge, UsageError
from shared.runtime.records import SCHEMA_VERSION, ClaimOutcome, RunStatus, StepRef
from tests.conformance.run_store.adapters import Clock
from tests.conformance.run_store.test_run_store import (
    FIRST,
    LEASE,
    RUN,
    SECOND,
    WAITING,
    claimed,
    note,
    record,
    result,
    said,
)

QUERIES = [value for value in vars(documents).values() if isinstance(value, Query)]
NO_DOCUMENT = ["", ".", "..", "x" * 1496, "भ" * 200]
PLACE = documents.run_path(RUN)
FOREIGN = ["a/b", "..", "runs/x", "%2F", "भारत", "x" * 3000, "a b\n", "__x__"]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def project():
    return f"place-{uuid4().hex[:16]}"


@pytest.fixture
async def store(firestore_emulator, project, clock):
    store = FirestoreStore(
        project=project, clock=clock, emulator=firestore_emulator.address, patience=30.0, call_seconds=20.0
    )
    yield store
    await store.close()


@pytest.fixture
async def database(firestore_emulator, project):
    """The database as it is, to see and to spoil what the store keeps in it."""
    database = Database(project, "(default)", emulator=firestore_emulator.address, patience=30.0, call_seconds=20.0)
    yield database
    await database.close()


def turn():
    return Turn(time.monotonic() + 30)


def indexed(query):
    """The index that a query needs: what of, in which scope, and the fields in their order."""
    order = ((query.field, "DESCENDING" if query.descending else "ASCENDING"),)
    fields = (("shard", "ASCENDING"), *order) if query.sharded else order
    return query.collection, "COLLECTION_GROUP" if query.group else "COLLECTION", fields


async def spent(store, work):
    """What an operation costs."""
    before = store.operations.reads, store.operations.writes
    await work
    return store.operations.reads - before[0], store.operations.writes - before[1]


class TestCosts:
    async def test_each_operation_reads_and_writes_as_few_documents_as_can_be(self, store, clock):
        assert await spent(store, store.create(record(clock))) == (0, 2)
        claim = None

        async def claiming():
            nonlocal claim
            claim = await claimed(store)

        assert await spent(store, claiming()) == (2, 1)
        assert await spent(store, store.get(RUN)) == (1, 0)
        assert await spent(store, store.progress(RUN)) == (1, 0)
        assert await spent(store, store.add_event(RUN, said(clock, "x"))) == (0, 2)
        assert await spent(store, store.progress(RUN)) == (2, 0)
        assert await spent(store, store.progress(RUN, after=1)) == (1, 0)
        assert await spent(store, store.renew(FIRST, token=claim.token, lease=LEASE)) == (2, 1)
        written = result(annotations=[note(str(n), n=n) for n in range(3)], events=[said(clock, "y")] * 2)
        assert await spent(store, store.commit(FIRST, token=claim.token, result=written)) == (0, 3 + 2 + 3)
        assert await spent(store, store.annotations(RUN)) == (3, 0)
        assert await spent(store, store.annotations(RUN, after=3)) == (1, 0)
        assert await spent(store, store.events(RUN, after=1)) == (2, 0)
        assert await spent(store, store.steps(RUN)) == (2, 0)
        assert await spent(store, store.request_cancel(RUN)) == (1, 1)
        assert await spent(store, store.request_cancel(RUN)) == (1, 0)
        assert await spent(store, store.recent()) == (1, 0)
        assert await spent(store, store.stalled(waiting=WAITING)) == (2, 0)
        assert store.operations.deletes == 0

    async def test_a_duplicate_of_a_finished_step_costs_a_look_and_no_more(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        assert await spent(store, store.claim(FIRST, owner="two", lease=LEASE)) == (3, 0)
        claim = await claimed(store, SECOND)
        third = SECOND.model_copy(update={"stage": StageName("discover")})
        await store.commit(SECOND, token=claim.token, result=result(SECOND, following=third))
        # By the run's cursor it is plain that the follow-up was taken up.
        assert await spent(store, store.claim(FIRST, owner="two", lease=LEASE)) == (2, 0)

    async def test_a_commit_of_a_step_claimed_by_another_instance_of_the_worker_reads_what_it_needs(
        self, store, firestore_emulator, project, clock
    ):
        await store.create(record(clock))
        claim = await claimed(store)
        again = FirestoreStore(project=project, clock=clock, emulator=firestore_emulator.address)
        assert await spent(again, again.commit(FIRST, token=claim.token, result=result())) == (2, 3)
        await again.close()

    async def test_what_was_not_done_is_not_counted(self, store, clock):
        with pytest.raises(RunNotFound):
            await store.request_cancel(RunId("nobody"))
        assert store.operations == Operations(reads=1)


class TestLimits:
    async def test_an_annotation_over_a_mebibyte_is_refused_with_its_size_and_nothing_is_written(
        self, store, clock
    ):
        await store.create(record(clock))
        claim = await claimed(store)
        large = note("x" * 1_100_000, n=7)
        written = result(annotations=[note("small"), large], events=[said(clock, "x")])
        with pytest.raises(TooLarge, match=r"annotations/-1\.understand\.-\.-\.7 would be .* 1,100,\d\d\d bytes"):
            await store.commit(FIRST, token=claim.token, result=written)
        assert await store.annotations(RUN) == []
        assert await store.events(RUN) == []
        await store.commit(FIRST, token=claim.token, result=result())

    async def test_an_answer_or_an_event_over_a_mebibyte_is_refused(self, store, clock):
        await store.create(record(clock))
        with pytest.raises(TooLarge, match="events/1 would be"):
            await store.add_event(RUN, said(clock, "x" * 1_100_000))
        claim = await claimed(store)
        ended = result(following=None, ended=RunStatus.ENDED, answer={"text": "x" * 1_100_000})
        with pytest.raises(TooLarge, match="would be a document"):
            await store.commit(FIRST, token=claim.token, result=ended)
        assert (await store.get(RUN)).status is RunStatus.RUNNING

    async def test_a_question_over_a_mebibyte_is_refused(self, store, clock):
        with pytest.raises(TooLarge, match="would be a document"):
            await store.create(record(clock).model_copy(update={"question": "?" * 1_100_000}))

    async def test_a_document_of_just_the_limit_is_taken(self, database):
        path = "runs/x/annotations/y"
        room = DOCUMENT_LIMIT - size_of(path, {"a": "", "b": "", "n": 1})
        half = "ß" * (room // 4)
        fields = {"a": half, "b": half + "x" * (room - 2 * len(half.encode())), "n": 1}
        assert size_of(path, fields) == DOCUMENT_LIMIT
        await database.put(turn(), [Put(path, fields)])
        (found,) = await database.get(turn(), path)
        assert found.fields == fields

    async def test_hundreds_of_annotations_travel_in_one_commit(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        written = [note("x" * 2_000, n=n) for n in range(700)]
        await store.commit(FIRST, token=claim.token, result=result(annotations=written))
        assert await store.annotations(RUN) == written

    async def test_a_commit_over_ten_mebibytes_is_refused_with_its_size_and_nothing_is_written(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        written = [note("x" * 250_000, n=n) for n in range(43)]
        with pytest.raises(TooLarge, match=r"are 10,\d\d\d,\d\d\d bytes, and Firestore takes at most 10,485,760"):
            await store.commit(FIRST, token=claim.token, result=result(annotations=written))
        assert await store.annotations(RUN) == []


class TestNames:
    @pytest.mark.parametrize("run_id", NO_DOCUMENT, ids=lambda run_id: run_id[:10])
    async def test_what_can_be_no_runs_id_is_not_found_and_not_created(self, store, clock, run_id):
        with pytest.raises(RunNotFound):
            await store.get(RunId(run_id))
        with pytest.raises(RunNotFound):
            await store.claim(FIRST.model_copy(update={"run_id": run_id}), owner="one", lease=LEASE)
        with pytest.raises(UsageError, match="can be no run's id"):
            await store.create(record(clock, RunId(run_id)))

    @pytest.mark.parametrize("name", FOREIGN, ids=lambda name: ascii(name[:10]))
    async def test_a_foreign_message_finds_nothing_whatever_it_names(self, store, clock, name):
        await store.create(record(clock))
        step = StepRef(run_id=RUN, reading=0, stage=StageName(name))
        assert (await store.claim(step, owner="one", lease=LEASE)).outcome is ClaimOutcome.NOT_SCHEDULED
        with pytest.raises(RunNotFound):
            await store.claim(FIRST.model_copy(update={"run_id": name}), owner="one", lease=LEASE)

    async def test_ids_and_keys_with_any_characters_are_kept_apart(self, store, clock):
        ids = [RunId(name) for name in ("a/b", "a%2Fb", "a", "भारत", "a b")]
        for n, run_id in enumerate(ids):
            await store.create(record(clock, run_id))
            claim = await claimed(store, FIRST.model_copy(update={"run_id": run_id}))
            odd = note(str(n)).model_copy(update={"slot": "x/y", "source": "..%/भ"})
            first, second = (step.model_copy(update={"run_id": run_id}) for step in (FIRST, SECOND))
            await store.commit(first, token=claim.token, result=result(annotations=[odd], following=second))
        for n, run_id in enumerate(ids):
            assert (await store.get(run_id)).run_id == run_id
            (found,) = await store.annotations(run_id)
            assert (found.payload.disclosure.text, found.slot, found.source) == (str(n), "x/y", "..%/भ")


class TestExpiry:
    async def test_nothing_of_an_expired_run_is_shown_although_it_is_still_there(self, store, database, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        written = result(annotations=[note("old")], events=[said(clock, "x")])
        await store.commit(FIRST, token=claim.token, result=written)
        clock.forward(8 * 86_400)
        assert await store.purge() == 0
        assert await database.get(turn(), PLACE) != [None]
        assert await store.annotations(RUN) == []
        assert await store.events(RUN) == []
        assert await store.steps(RUN) == []

    async def test_expired_runs_do_not_stand_before_live_ones(self, store, clock):
        for n in range(7):
            await store.create(record(clock, RunId(f"old-{n}")))
            step = FIRST.model_copy(update={"run_id": RunId(f"old-{n}")})
            if n % 2:
                await claimed(store, step)
        clock.forward(8 * 86_400)
        for n in range(3):
            await store.create(record(clock, RunId(f"new-{n}")))
            clock.forward(1)
        clock.forward(20)
        assert [s.step.run_id for s in await store.stalled(waiting=WAITING, limit=2)] == ["new-0", "new-1"]
        assert [run.run_id for run in await store.recent(limit=2)] == ["new-2", "new-1"]
        assert [run.run_id for run in await store.recent(limit=9)] == ["new-2", "new-1", "new-0"]

    async def test_what_is_left_of_an_expired_run_does_not_stand_in_the_way_of_a_new_one(
        self, store, database, clock
    ):
        """The database deletes documents one by one, so a run may be gone before what stands under it."""
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("old")]))
        kept = await database.get(turn(), f"{PLACE}/annotations/-1.understand.-.-.0", f"{PLACE}/steps/0.slots")
        fresh = RunId("fresh")
        for document in kept:
            path = document.path.replace(PLACE, documents.run_path(fresh))
            await database.put(turn(), [Put(path, document.fields)])
        clock.forward(8 * 86_400)
        first, second = (step.model_copy(update={"run_id": fresh}) for step in (FIRST, SECOND))
        await store.create(record(clock, fresh))
        claim = await claimed(store, first)
        await store.commit(first, token=claim.token, result=result(annotations=[note("new")], following=second))
        assert await store.annotations(fresh) == [note("new")]
        await claimed(store, second)

    async def test_a_run_is_kept_to_its_last_second(self, store, clock):
        await store.create(record(clock))
        clock.forward(7 * 86_400 - 1)
        assert (await store.get(RUN)).run_id == RUN
        clock.forward(1)
        with pytest.raises(RunNotFound):
            await store.get(RUN)


class TestDamage:
    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({"options": "{"}, "AskOptions"),
            ({"status": "asleep"}, "RunRecord"),
            ({"options": None}, "it has no options"),
            ({"expires_at": None}, "it has no expires_at"),
        ],
    )
    async def test_a_run_that_does_not_parse_is_told_with_its_document(self, store, database, clock, changes, told):
        await store.create(record(clock))
        (found,) = await database.get(turn(), PLACE)
        await database.change(turn(), found, changes)
        with pytest.raises(StoreCorrupt, match=rf"the document {PLACE} cannot be read .*{told}"):
            await store.get(RUN)

    async def test_a_step_an_annotation_and_an_event_that_do_not_parse_are_told(self, store, database, clock):
        await store.create(record(clock))
        at = clock() + timedelta(days=1)
        for path in (f"{PLACE}/annotations/x", f"{PLACE}/events/1", f"{PLACE}/steps/x"):
            await database.put(turn(), [Put(path, {"n": 1, "body": "{}", "expires_at": at})])
        with pytest.raises(StoreCorrupt, match="annotations/x cannot be read"):
            await store.annotations(RUN)
        with pytest.raises(StoreCorrupt, match="events/1 cannot be read"):
            await store.events(RUN)
        with pytest.raises(StoreCorrupt, match="steps/x cannot be read"):
            await store.steps(RUN)

    async def test_what_a_damaged_document_holds_is_not_told(self, store, database, clock):
        await store.create(record(clock))
        (found,) = await database.get(turn(), PLACE)
        await database.change(turn(), found, {"options": '{"sources": "a secret"}'})
        with pytest.raises(StoreCorrupt) as caught:
            await store.get(RUN)
        assert "secret" not in str(caught.value)


class TestSpread:
    """Run ids and times rise, so neither documents nor entries of an index lie in their order."""

    def test_runs_of_the_same_second_lie_apart_and_every_shard_has_its_share(self):
        ids = [RunId(f"20261129T101500-{n:012x}") for n in range(2_000)]
        names = [documents.run_path(run_id) for run_id in ids]
        assert len(set(names)) == len(ids)
        assert len({name[: len("runs/") + 2] for name in names}) == 256
        shares = Counter(documents.shard_of(run_id) for run_id in ids)
        assert sorted(shares) == list(range(SHARDS))
        assert max(shares.values()) < 2 * len(ids) / SHARDS

    async def test_a_run_and_all_of_its_steps_carry_its_shard(self, store, database, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        await claimed(store, SECOND)
        found = await database.get(turn(), PLACE, *map(documents.step_path, (FIRST, SECOND)))
        assert {one.fields["shard"] for one in found} == {documents.shard_of(RUN)}

    async def test_stalled_steps_and_newest_runs_of_all_shards_come_in_the_order_of_their_time(self, store, clock):
        ids = [RunId(f"of-{n}") for n in range(30)]
        assert {documents.shard_of(run_id) for run_id in ids} == set(range(SHARDS))
        for n, run_id in enumerate(ids):
            await store.create(record(clock, run_id))
            if n % 2:
                await claimed(store, FIRST.model_copy(update={"run_id": run_id}))
            clock.forward(1)
        clock.forward(120)
        for limit in (7, 100):
            stalled = await store.stalled(waiting=WAITING, limit=limit)
            assert [one.step.run_id for one in stalled] == ids[:limit]
            assert [run.run_id for run in await store.recent(limit=limit)] == ids[::-1][:limit]


class TestClosing:
    async def test_a_closed_store_is_unavailable_and_closing_again_does_nothing(self, store, clock):
        await store.create(record(clock))
        await store.close()
        await store.close()
        with pytest.raises(StoreUnavailable, match="is closed"):
            await store.get(RUN)

    async def test_the_emulator_is_found_by_the_environment(self, firestore_emulator, project, clock, monkeypatch):
        for name, value in firestore_emulator.environment.items():
            monkeypatch.setenv(name, value)
        store = FirestoreStore(project=project, clock=clock, patience=30.0, call_seconds=20.0)
        await store.create(record(clock))
        assert (await store.get(RUN)).run_id == RUN
        await store.close()

    async def test_without_credentials_it_is_said_what_to_do(self, monkeypatch, tmp_path):
        monkeypatch.delenv("FIRESTORE_EMULATOR_HOST", raising=False)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
        store = FirestoreStore(project="p")
        with pytest.raises(Exception, match="GOOGLE_APPLICATION_CREDENTIALS") as caught:
            await store.get(RUN)
        assert type(caught.value).__name__ == "StoreError"
        await store.close()


class TestInfrastructure:
    """``infra/firestore.json`` is what Terraform makes the database of."""

    @pytest.fixture
    def table(self):
        return json.loads(resources.files("infra").joinpath("firestore.json").read_text(encoding="utf-8"))

    def test_the_indexes_are_those_that_the_queries_use_and_no_others(self, table):
        used = {indexed(query) for query in QUERIES}
        listed = {
            (row["collection"], index["query_scope"], ((row["field"], index["order"]),))
            for row in table["fields"]
            for index in row["indexes"]
        } | {
            (row["collection"], row["query_scope"], tuple((one["field"], one["order"]) for one in row["fields"]))
            for row in table["composite_indexes"]
        }
        assert len(QUERIES) == 6
        assert listed == used

    def test_an_index_in_the_order_of_time_begins_with_the_shard(self, table):
        for row in table["fields"]:
            if row["field"].endswith(("_at", "_since", "_until")):
                assert row["indexes"] == [], row["field"]
        assert all(row["fields"][0]["field"] == "shard" for row in table["composite_indexes"])

    def test_each_collection_is_deleted_by_its_own_expiry(self, table):
        by = {(row["collection"], row["field"]) for row in table["fields"] if row["ttl"]}
        assert by == {(name, "expires_at") for name in ("runs", "steps", "annotations", "events")}

    def test_no_field_is_listed_twice(self, table):
        names = [(row["collection"], row["field"]) for row in table["fields"]]
        assert len(names) == len(set(names))

    async def test_every_field_that_is_ever_written_is_listed(self, store, database, table, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        seen: set[tuple[str, str]] = set()

        async def look():
            paths = [PLACE, f"{PLACE}/steps/-1.understand", f"{PLACE}/steps/0.slots"]
            paths += [f"{PLACE}/events/1", f"{PLACE}/annotations/-1.understand.-.-.0"]
            for found in await database.get(turn(), *paths):
                if found is not None:
                    seen.update((found.path.split("/")[-2], name) for name in found.fields)

        await look()
        await store.add_event(RUN, said(clock, "x"))
        await store.release(FIRST, token=claim.token, error="the archive is full")
        await look()
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("a")]))
        await look()
        claim = await claimed(store, SECOND)
        ended = result(
            SECOND, following=None, ended=RunStatus.ENDED, answer={"status": "x"}, answer_blob="runs/x/answer.json"
        )
        await store.commit(SECOND, token=claim.token, result=ended)
        await look()
        assert seen == {(row["collection"], row["field"]) for row in table["fields"]}


async def test_what_cannot_be_read_of_one_run_keeps_nobody_from_the_others(store, database, clock):
    for run_id in (RUN, "other", "newer"):
        await store.create(record(clock, RunId(run_id)))
    (step,) = await database.get(turn(), f"{PLACE}/steps/{FIRST.id}")
    await database.change(turn(), step, {"ref": "{}"})
    (newer,) = await database.get(turn(), documents.run_path(RunId("newer")))
    await database.change(turn(), newer, {"schema_version": SCHEMA_VERSION + 1})
    with pytest.raises(StoreNewer, match=f"run newer was stored in form {SCHEMA_VERSION + 1}"):
        await store.get(RunId("newer"))
    clock.forward(20)
    assert sorted(one.step.run_id for one in await store.stalled(waiting=WAITING)) == ["newer", "other"]
    assert sorted(run.run_id for run in await store.recent()) == sorted([RUN, "other"])

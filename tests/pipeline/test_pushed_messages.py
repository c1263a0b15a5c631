"""Runs whose every message goes through the real Pub/Sub emulator and is pushed to the functions by HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from google.pubsub_v1.types import PubsubMessage
from starlette.applications import Starlette
from starlette.routing import Route

from functions.archive.archiving import archive_run
from functions.ask.questions import submit_question
from functions.hosting.push import PushReceiver, Received
from functions.sweep.duty import quitter, settle_letter
from plugins.mounted import mounted_plugins
from shared.adapters.folder_archive import FolderArchive
from shared.adapters.pubsub_bus import PubSubBus
from shared.adapters.pubsub_clients import open_publisher
from shared.adapters.sqlite_store import SqliteStore
from shared.query.identifiers import RunId, StageName
from shared.runtime.client import RunClient
from shared.runtime.context import RunContext
from shared.runtime.errors import ArchiveError
from shared.runtime.messages import Ended, read_ended, read_letter, read_question, read_step
from shared.runtime.records import StepRef
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE
from shared.runtime.stage import Stage
from shared.runtime.topology import Names
from tests.support.machine import FAST, NoPort, trivial
from tests.support.pubsub import PROJECT, pulled, topics


@dataclass
class Functions:
    """All functions of the product behind one port, each with only its own part."""

    store: SqliteStore
    bus: PubSubBus
    archive: FolderArchive
    stages: list[Stage]
    delivered: list[StepRef] = field(default_factory=list)
    attempts: list[tuple[str, int | None]] = field(default_factory=list)
    receivers: dict[str, PushReceiver[Any]] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)
    """Stages whose every message fails, as if a part that they need were away."""

    def __post_init__(self) -> None:
        quits = quitter(store=self.store, bus=self.bus, archive=self.archive, on_ended=self.tell)
        client = RunClient(store=self.store, bus=self.bus, archive=self.archive)
        announce = self.bus.send
        kept = {"store": self.store, "archive": self.archive, "announce": announce}
        asks = {"announce": announce, "registry": mounted_plugins(), "deadline_seconds": 60.0}
        for stage in self.stages:
            runner = StageRunner(
                [stage],
                store=self.store,
                bus=self.bus,
                archive=self.archive,
                context_factory=partial(
                    RunContext, transport=NoPort(), finder=NoPort(), embedder=NoPort(), judges=(), panel=()
                ),
                pace=FAST,
                order=PIPELINE,
                on_ended=self.tell,
            )
            self._receive(
                f"/{stage.name}/", partial(read_step, only=StageName(stage.name)), partial(self._step, runner)
            )
        self._receive("/ask/push/questions", read_question, partial(submit_question, submit=client.submit, **asks))
        self._receive("/archive/", read_ended, partial(archive_run, **kept))
        settle = partial(settle_letter, runner=quits, bus=self.bus, **kept)
        self._receive("/sweep/push/dead-letters", read_letter, settle, kept=False)

    def _receive(self, path: str, reader: Any, take: Any, *, kept: bool = True) -> None:
        async def taken(received: Received[Any]) -> None:
            self.attempts.append((path, received.attempt))
            await take(received.message)

        self.receivers[path] = PushReceiver(
            function=path.strip("/"),
            reader=reader,
            take=taken,
            seconds=20.0,
            dead_letters=self.bus.send if kept else None,
        )

    async def _step(self, runner: StageRunner, step: StepRef) -> None:
        if step.stage in self.failing:
            raise ArchiveError("the archive is away")
        self.delivered.append(step)
        await runner.handle(step)

    async def tell(self, run_id: RunId) -> None:
        await self.bus.send(Ended(run_id))

    def routes(self) -> list[Route]:
        async def endpoint(request: Any) -> Any:
            return await self.receivers[request.url.path](request)

        return [Route(path, endpoint, methods=["POST"]) for path in self.receivers]


@asynccontextmanager
async def served(emulator: Any, folder: Path, stages: list[Stage]):
    """The functions on a port of their own, and topics that push to it."""
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    names = [*PIPELINE, "ask", "archive", "sweep"]
    async with topics(emulator, endpoints={name: f"{address}/{name}" for name in names}, attempts=5) as made:
        store = SqliteStore(folder / "runs-3.sqlite3")
        bus = PubSubBus(PROJECT, made.environment, emulator=emulator.address)
        functions = Functions(store, bus, FolderArchive(folder / "archive"), stages)
        app = Starlette(routes=functions.routes())
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", timeout_graceful_shutdown=2))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield functions, Names(made.environment)
        finally:
            server.should_exit = True
            await serving
            await bus.close()
            await store.close()


async def publish(emulator: Any, topic: str, data: bytes, **attributes: str) -> str:
    """Publish as anybody might; returns the message's id."""
    message = PubsubMessage(data=data, attributes={key.replace("_", "-"): v for key, v in attributes.items()})
    async with await open_publisher(emulator.address) as client:
        told = await client.publish(topic=f"projects/{PROJECT}/topics/{topic}", messages=[message], timeout=5)
    return str(told.message_ids[0])


def question(text: str, *, seconds: float = 60) -> bytes:
    return json.dumps({"question": text, "options": {"deadline_seconds": seconds}}).encode()


async def test_a_question_asked_by_message_is_answered_by_message(pubsub_emulator, tmp_path):
    async with served(pubsub_emulator, tmp_path, trivial(statuses=("partial", "complete"))) as (functions, names):
        message_id = await publish(pubsub_emulator, names.questions, question("What is it?"))
        (told,) = await pulled(pubsub_emulator, names.answers, count=1, seconds=60)
        run = await functions.store.get(RunId(f"q-{message_id}"))
        kept = await functions.archive.get(f"runs/{run.run_id}/answer.json")
        worked = Counter(step.id for step in functions.delivered)
    body = json.loads(told.data)
    assert (body["run_id"], body["status"]) == (run.run_id, "complete")
    assert body["answer"].endswith(f"runs/{run.run_id}/answer.json")
    assert json.loads(kept) == run.answer
    assert (tmp_path / "archive" / f"usage/{run.created_at:%Y/%m/%d}/{run.run_id}.json").exists()
    expected = [f"{reading}.{stage}" for reading in (0, 1) for stage in PIPELINE[1:]]
    assert set(worked) == {"-1.understand", *expected}
    assert not sum(receiver.counts["again"] for receiver in functions.receivers.values())


async def test_the_same_question_published_twice_under_its_own_id_is_answered_once(pubsub_emulator, tmp_path):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, names):
        event = {"ce_type": "neuralkg.question.v1", "ce_specversion": "1.0", "ce_source": "/x", "ce_id": "mine-1"}
        await publish(pubsub_emulator, names.questions, question("What is it?"), **event)
        await publish(pubsub_emulator, names.questions, question("What is it?"), **event)
        (told,) = await pulled(pubsub_emulator, names.answers, count=1, seconds=60)
        # An answer may be announced twice, but it is the same one.
        again = await pulled(pubsub_emulator, names.answers, count=2, seconds=1)
        assert {message.data for message in again} <= {told.data}
        assert [run.run_id for run in await functions.store.recent()] == ["c-mine-1"]
        steps = await functions.store.steps(RunId("c-mine-1"))
    assert json.loads(told.data)["run_id"] == "c-mine-1"
    assert [record.attempts for record in steps] == [1] * 10


async def test_a_question_that_cannot_be_asked_is_rejected_by_message_and_not_tried_again(
    pubsub_emulator, tmp_path
):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, names):
        message_id = await publish(pubsub_emulator, names.questions, b'{"question": "", "options": {}}')
        (told,) = await pulled(pubsub_emulator, names.answers, count=1, seconds=60)
        assert await functions.store.recent() == []
        assert functions.receivers["/ask/push/questions"].counts == {"done": 1}
    body = json.loads(told.data)
    assert (body["run_id"], body["status"], body["answer"]) == (f"q-{message_id}", "rejected", None)
    assert body["error"]["code"] == "question_empty"


async def test_a_step_whose_every_try_fails_ends_its_run_with_a_failure_that_is_told(pubsub_emulator, tmp_path):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, names):
        functions.failing.add("select")
        await publish(pubsub_emulator, names.questions, question("What is it?", seconds=5))
        (told,) = await pulled(pubsub_emulator, names.answers, count=1, seconds=60)
        (run,) = await functions.store.recent()
        (letter,) = await pulled(pubsub_emulator, names.of("dead-letters-kept"), count=1, seconds=20)
        # The emulator counts deliveries and yet does not tell the number in what it pushes.
        tries = [path for path, _ in functions.attempts if path == "/select/"]
    assert json.loads(told.data)["status"] == "failed"
    assert run.answer is not None
    assert "select was tried too often" in run.answer["failures"][0]["reason"]
    assert len(tries) == 5
    assert json.loads(letter.data)["stage"] == "select"


async def test_a_step_that_was_given_up_in_time_is_answered_once_what_it_needs_is_back(pubsub_emulator, tmp_path):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, names):
        functions.failing.add("select")
        await publish(pubsub_emulator, names.questions, question("What is it?"))
        assert await pulled(pubsub_emulator, names.of("dead-letters-kept"), count=1, seconds=30)
        functions.failing.clear()
        (told,) = await pulled(pubsub_emulator, names.answers, count=1, seconds=60)
    assert json.loads(told.data)["status"] == "complete"


@pytest.mark.parametrize(
    ("data", "attributes", "reason"),
    [
        (b"\xff\xfe", {}, "unknown_type"),
        (b"\xff\xfe", {"ce_type": "neuralkg.step.v1"}, "not_json"),
        (b'{"run_id": "run-1", "reading": 0, "stage": "plan"}', {"ce_type": "neuralkg.step.v1"}, "other_stage"),
        (b'{"run_id": "run-1", "reading": 0, "stage": "slots"}', {"ce_type": "neuralkg.step.v9"}, "future_version"),
    ],
)
async def test_a_foreign_message_is_delivered_once_and_kept_with_the_reason(
    pubsub_emulator, tmp_path, data, attributes, reason
):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, names):
        message_id = await publish(pubsub_emulator, names.stage("slots"), data, **attributes)
        (letter,) = await pulled(pubsub_emulator, names.of("dead-letters-kept"), count=1, seconds=30)
        async with asyncio.timeout(20):
            while not functions.receivers["/sweep/push/dead-letters"].counts["foreign"]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert await pulled(pubsub_emulator, names.of("dead-letters-kept"), count=1, seconds=1) == []
        counts = functions.receivers["/slots/"].counts
    assert bytes(letter.data) == data
    assert letter.attributes["neuralkg-reason"] == reason
    assert letter.attributes["neuralkg-message-id"] == message_id
    assert counts == {"foreign": 1, f"foreign.{reason}": 1}


async def test_a_message_of_a_run_that_does_not_exist_is_delivered_once(pubsub_emulator, tmp_path):
    async with served(pubsub_emulator, tmp_path, trivial()) as (functions, _):
        await functions.bus.publish(StepRef(run_id=RunId("nobody"), reading=0, stage=StageName("plan")))
        async with asyncio.timeout(20):
            while not functions.receivers["/plan/"].counts:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert functions.receivers["/plan/"].counts == {"done": 1}

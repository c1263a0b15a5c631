"""Functions as processes of the functions framework, over the emulators of Pub/Sub and Firestore.

``ask``, ``understand`` and ``slots`` are served; what follows on them stays on the topic of ``discover``.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import httpx
import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.pubsub_topology import create_topology, delete_topology
from shared.query.identifiers import RunId, StageName
from shared.runtime.messages import Wire, encode, read_step
from shared.runtime.records import RunStatus, StepRef, StepState
from shared.runtime.topology import KEPT, Names
from tests.support.collector import Collector, collecting
from tests.support.framework import Functions, addresses, framework
from tests.support.pubsub import PROJECT, own_environment, pulled, quick

QUESTION = "What is the population of Kenya?"
TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@dataclass
class Cloud:
    functions: Functions
    names: Names
    collector: Collector
    firestore: str


@pytest.fixture(scope="module")
def cloud(firestore_emulator, pubsub_emulator, tmp_path_factory) -> Iterator[Cloud]:
    folder, urls = tmp_path_factory.mktemp("functions"), addresses(["ask", "understand", "slots"])
    topics = quick(own_environment())
    asyncio.run(create_topology(topics, PROJECT, endpoints=urls, emulator=pubsub_emulator.address))
    with collecting() as collector:
        environment = {
            "GOOGLE_CLOUD_PROJECT": PROJECT,
            "NEURALKG_ENVIRONMENT": topics.environment,
            "NEURALKG_ARCHIVE": str(folder / "archive"),
            "NEURALKG_FINDER_URL": "http://127.0.0.1:1",
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            **firestore_emulator.environment,
            **pubsub_emulator.environment,
        }
        with framework(urls, environment, folder) as functions:
            yield Cloud(functions, Names(topics.environment), collector, firestore_emulator.address)
        assert functions.codes == dict.fromkeys(urls, 0)
    asyncio.run(delete_topology(topics, PROJECT, emulator=pubsub_emulator.address))


@pytest.fixture
async def store(cloud) -> AsyncIterator[FirestoreStore]:
    store = FirestoreStore(project=PROJECT, emulator=cloud.firestore)
    yield store
    await store.close()


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=30) as client:
        yield client


def push_of(step: StepRef) -> dict[str, object]:
    """A request's body as Pub/Sub sends it."""
    wire = encode(step, source="/tests")
    message = {
        "data": base64.b64encode(wire.data).decode(),
        "attributes": dict(wire.attributes),
        "messageId": "1",
        "publishTime": "2026-01-01T00:00:00Z",
    }
    return {"message": message, "subscription": "projects/p/subscriptions/s", "deliveryAttempt": 1}


async def next_step(cloud: Cloud, emulator, run_id: str) -> StepRef:
    """The step of the run that waits on the topic of ``discover``."""
    for _ in range(10):
        for message in await pulled(emulator, cloud.names.stage("discover"), count=1):
            step = read_step(Wire(message.data, dict(message.attributes), message.message_id))
            if step.run_id == run_id:
                return step
    raise AssertionError(f"no message of run {run_id} came")


async def test_a_question_passes_through_two_functions_as_one_trace(cloud, store, client, pubsub_emulator):
    ask = cloud.functions.urls["ask"]
    reply = await client.post(
        f"{ask}/api/submit", json={"question": QUESTION}, headers={"traceparent": f"00-{TRACE}-{SPAN}-01"}
    )
    assert reply.status_code == 202
    run_id = reply.json()["run_id"]
    step = await next_step(cloud, pubsub_emulator, run_id)
    assert (step.reading, step.stage) == (0, "discover")

    # What the stages decided is in the store, and the follow-up of the last one stands open.
    annotations = await store.annotations(RunId(run_id))
    assert annotations[0].stage == "understand"
    assert {one.stage for one in annotations} == {"understand", "slots"}
    states = {one.step.stage: one.state for one in await store.steps(RunId(run_id))}
    assert states == {"understand": StepState.DONE, "slots": StepState.DONE, "discover": StepState.OPEN}

    # One trace: the client's, the request's, the submission's and below that each stage's.
    spans = {span.name: span for span in cloud.collector.spans if span.trace == TRACE}
    assert set(spans) == {"ask POST", "submit", "understand", "slots"}
    assert spans["ask POST"].parent == SPAN
    assert spans["submit"].parent == spans["ask POST"].id
    assert spans["understand"].parent == spans["slots"].parent == spans["submit"].id
    assert {name: span.service for name, span in spans.items()} == {
        "ask POST": "neuralkg-ask",
        "submit": "neuralkg-ask",
        "understand": "neuralkg-understand",
        "slots": "neuralkg-slots",
    }
    about = {"run_id": run_id, "stage": "slots", "attempt": 1}
    assert spans["slots"].attributes == {f"neuralkg.{key}": value for key, value in about.items()}
    assert step.traceparent == f"00-{TRACE}-{spans['submit'].id}-01"
    assert b"Kenya" not in b"".join(cloud.collector.bodies)

    # The log lines of the stage belong to it.
    lines = [json.loads(line) for line in cloud.functions.logs["slots"].read_text().splitlines()]
    (ended,) = [line for line in lines if run_id in line["message"] and "ended after" in line["message"]]
    assert ended["logging.googleapis.com/trace"] == f"projects/{PROJECT}/traces/{TRACE}"
    assert ended["logging.googleapis.com/spanId"] == spans["slots"].id
    assert (ended["run_id"], ended["stage"], ended["severity"]) == (run_id, "slots", "INFO")

    # The same message again decides nothing anew: it is refused while its follow-up may still be on its way, and
    # then hands that over once more.
    again = StepRef(run_id=RunId(run_id), reading=0, stage=StageName("slots"))
    replies = []
    while 204 not in replies and len(replies) < 40:
        replies.append((await client.post(cloud.functions.urls["slots"], json=push_of(again))).status_code)
        await asyncio.sleep(0.3)
    assert set(replies[:-1]) <= {503}
    assert replies[-1] == 204
    assert (await next_step(cloud, pubsub_emulator, run_id)).stage == "discover"
    assert await store.annotations(RunId(run_id)) == annotations


FOREIGN = {
    "not_json": b"{nonsense",
    "not_an_envelope": b'{"question": "?"}',
    "other_stage": json.dumps(push_of(StepRef(run_id=RunId("r"), reading=0, stage=StageName("plan")))).encode(),
}


async def test_what_is_foreign_is_acknowledged_and_put_aside_with_its_reason(cloud, client, pubsub_emulator):
    slots = cloud.functions.urls["slots"]
    before = (await client.get(f"{slots}/health")).json()["messages"]["/"].get("foreign", 0)
    for body in FOREIGN.values():
        assert (await client.post(slots, content=body)).status_code == 204
    letters = await pulled(pubsub_emulator, cloud.names.of(KEPT), count=len(FOREIGN))
    told = {letter.attributes["neuralkg-reason"]: letter.attributes["neuralkg-function"] for letter in letters}
    assert told == dict.fromkeys(FOREIGN, "slots")
    health = (await client.get(f"{slots}/health")).json()
    assert health["messages"]["/"]["foreign"] == before + len(FOREIGN)


async def test_a_message_of_an_unknown_run_is_done_with(cloud, client):
    step = StepRef(run_id=RunId("20200101T000000-000000000000"), reading=0, stage=StageName("slots"))
    assert (await client.post(cloud.functions.urls["slots"], json=push_of(step))).status_code == 204


async def test_a_stream_tells_progress_while_the_run_goes_on_and_leaving_it_cancels(cloud, store, client):
    ask = cloud.functions.urls["ask"]
    names: list[str] = []
    async with asyncio.timeout(60), client.stream("GET", f"{ask}/api/stream", params={"q": QUESTION}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        run_id = RunId(stream.headers["x-run-id"])
        async for line in stream.aiter_lines():
            if line.startswith("data: ") and '"stage": "slots"' in line:
                break
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
        assert set(names) == {"progress"}
        assert (await store.get(run_id)).status is RunStatus.RUNNING
    for _ in range(200):
        if (await store.get(run_id)).cancel_requested:
            break
        await asyncio.sleep(0.1)
    assert (await store.get(run_id)).cancel_requested


@pytest.mark.parametrize("name", ["ask", "understand", "slots"])
async def test_a_function_tells_its_name_and_version_and_that_it_is_open(cloud, client, name):
    reply = await client.get(f"{cloud.functions.urls[name]}/health")
    assert (reply.status_code, reply.json()["status"]) == (200, "ok")
    assert reply.headers["x-function"].split("/")[0] == name

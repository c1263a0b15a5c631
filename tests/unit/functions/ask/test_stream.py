from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import uvicorn

from functions.ask.intake import BadInput
from functions.ask.server import create_app
from functions.ask.stream import position
from shared.runtime.records import RunStatus
from tests.support import answers
from tests.support.scripted import ScriptedApplication, presenting, scripted, waiting


class Event(NamedTuple):
    name: str
    id: str
    data: Any


async def read(lines: AsyncIterator[str]) -> AsyncIterator[Event]:
    fields: dict[str, str] = {}
    async for line in lines:
        if not line and "data" in fields:
            yield Event(fields["event"], fields["id"], json.loads(fields["data"]))
            fields = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


@asynccontextmanager
async def listening(app: ScriptedApplication, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    """The face behind a real socket, since only there can a client leave."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(app, **options), log_level="error", lifespan="on", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        async with httpx.AsyncClient(base_url=address, timeout=10) as client:
            while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)
            yield client
    finally:
        server.should_exit = True
        await running
        listener.close()


async def stream(client: httpx.AsyncClient, headers: dict[str, str] | None = None, **query: str) -> list[Event]:
    async with client.stream("GET", "/api/stream", params=query, headers=headers) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        return [event async for event in read(response.aiter_lines())]


async def test_progress_comes_in_order_and_the_answer_comes_last(tmp_path: Path) -> None:
    async with scripted(tmp_path, present=presenting(lambda _: answers.answer())) as app, listening(app) as client:
        events = await stream(client, question="What is India's GDP?")
    assert [event.name for event in events] == ["progress"] * (len(events) - 1) + ["answer"]
    assert events[0].data["text"] == "read the question"
    numbers = [event.data["n"] for event in events[:-1]]
    assert numbers == sorted(numbers)
    run_id = events[-1].data["run_id"]
    assert events[-1].data["status"] == "complete"
    assert [event.id for event in events] == [f"{run_id}:{n}" for n in numbers] + [f"{run_id}:answer"]


async def test_a_stream_is_resumed_after_the_last_event_that_arrived(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app, listening(app) as client:
        whole = await stream(client, question="x")
        rest = await stream(client, {"Last-Event-ID": whole[2].id}, question="x")
        assert rest == whole[3:]
        assert len(await app.store.recent()) == 1
        done = await client.get("/api/stream", params={"question": "x"}, headers={"Last-Event-ID": whole[-1].id})
        assert done.status_code == 204
        unknown = await client.get("/api/stream", headers={"Last-Event-ID": "nobody:3"})
        assert unknown.json()["error"]["code"] == "run_not_found"


async def test_the_run_of_a_client_that_left_is_cancelled_and_its_slot_comes_back(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with scripted(tmp_path, select=waiting(gate)) as app, listening(app, concurrency=1, grace=0.1) as client:
        async with client.stream("GET", "/api/stream", params={"question": "x"}) as response:
            async for _ in read(response.aiter_lines()):
                break
            run_id = response.headers["x-run-id"]
            assert (await client.get("/health")).json()["slots"]["free"] == 0
        for _ in range(300):
            run = await app.store.get(run_id)  # type: ignore[arg-type]
            if run.status is not RunStatus.RUNNING:
                break
            await asyncio.sleep(0.02)
        assert run.status is RunStatus.CANCELLED
        for _ in range(100):
            if (await client.get("/health")).json()["slots"]["free"] == 1:
                return
            await asyncio.sleep(0.02)
        pytest.fail("the slot did not come back")


async def test_a_client_that_comes_back_in_time_keeps_its_run(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with scripted(tmp_path, select=waiting(gate)) as app, listening(app, grace=1.0) as client:
        async with client.stream("GET", "/api/stream", params={"question": "x"}) as response:
            async for event in read(response.aiter_lines()):
                last = event.id
                break
        await asyncio.sleep(0.2)
        resuming = asyncio.create_task(stream(client, {"Last-Event-ID": last}, question="x"))
        await asyncio.sleep(1.2)
        gate.set()
        events = await resuming
    assert events[-1].name == "answer"
    assert events[-1].data["status"] == "complete"


async def test_asking_by_ask_and_leaving_cancels_the_run(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with scripted(tmp_path, select=waiting(gate)) as app, listening(app, concurrency=1) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get("/ask", params={"question": "x"}, timeout=0.3)
        for _ in range(300):
            (run,) = await app.store.recent()
            if run.status is not RunStatus.RUNNING:
                break
            await asyncio.sleep(0.02)
        assert run.status is RunStatus.CANCELLED


async def until(app: ScriptedApplication, run_id: str, status: RunStatus) -> None:
    for _ in range(500):
        if (await app.store.get(run_id)).status is status:  # type: ignore[arg-type]
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"the run was not {status}")


async def test_a_client_that_comes_back_to_another_instance_keeps_its_run_until_it_leaves_that_too(
    tmp_path: Path,
) -> None:
    gate, options = asyncio.Event(), {"grace": 0.4, "elsewhere": True}
    async with (
        scripted(tmp_path, select=waiting(gate)) as app,
        listening(app, **options) as first,
        listening(app, **options) as second,
    ):
        async with first.stream("GET", "/api/stream", params={"question": "x"}) as response:
            run_id = response.headers["x-run-id"]
            async for event in read(response.aiter_lines()):
                last = event.id
                break
        async with second.stream("GET", "/api/stream", headers={"Last-Event-ID": last}) as response:
            events = read(response.aiter_lines())
            await anext(events)
            await asyncio.sleep(1.0)
            assert (await app.store.get(run_id)).status is RunStatus.RUNNING
            assert not (await app.store.get(run_id)).cancel_requested
        await until(app, run_id, RunStatus.CANCELLED)
        kinds = [event.kind for _, event in await app.store.events(run_id)]
        assert (kinds.count("watched"), kinds.count("left")) == (1, 1)
        rest = await stream(second, {"Last-Event-ID": last})
        assert {event.name for event in rest[:-1]} == {"progress"}
        assert not [event for event in rest[:-1] if "instance" in event.data["text"]]


async def test_a_run_that_was_only_submitted_outlives_whoever_watched_it_elsewhere(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with (
        scripted(tmp_path, select=waiting(gate)) as app,
        listening(app, grace=0.1, elsewhere=True) as first,
        listening(app, grace=0.1, elsewhere=True) as second,
    ):
        run_id = (await first.post("/api/submit", json={"question": "x"})).json()["run_id"]
        async with second.stream("GET", "/api/stream", headers={"Last-Event-ID": f"{run_id}:0"}) as response:
            async for _ in read(response.aiter_lines()):
                break
        await asyncio.sleep(0.6)
        gate.set()
        await until(app, run_id, RunStatus.ENDED)


@pytest.mark.parametrize(
    "event_id", ["", "x", ":3", "r:", "r:-1", "r:1.5", "r:" + "9" * 10, "r:" + "9" * 5000, "r:\u0663"]
)
def test_an_event_id_that_was_never_given_out_is_refused(event_id: str) -> None:
    with pytest.raises(BadInput):
        position(event_id)


def test_an_event_id_names_run_and_place() -> None:
    assert position("a:b:7") == ("a:b", 7)
    assert position("r:answer") == ("r", None)


@pytest.mark.parametrize(("elsewhere", "statuses"), [(True, {202}), (False, {202, 429})])
async def test_a_question_that_nobody_waits_for_holds_a_slot_only_where_it_is_worked_on(
    tmp_path: Path, elsewhere: bool, statuses: set[int]
) -> None:
    gate = asyncio.Event()
    async with (
        scripted(tmp_path, select=waiting(gate)) as app,
        listening(app, concurrency=1, patience=0.05, elsewhere=elsewhere) as client,
    ):
        replies = [await client.post("/api/submit", json={"question": f"x {n}"}) for n in range(3)]
        assert {reply.status_code for reply in replies} == statuses
        gate.set()
        for reply in replies:
            if reply.status_code == 202:
                await until(app, reply.json()["run_id"], RunStatus.ENDED)

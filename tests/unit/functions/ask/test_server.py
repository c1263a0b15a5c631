from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.ask.rates import Rates
from functions.ask.server import _Face, create_app
from functions.ask.worker import Worker
from functions.hosting import tracecontext
from functions.hosting.logs import JsonLines
from shared.query.annotated import AnnotatedQuery
from shared.query.answer import Answer, Chart
from shared.query.identifiers import RunId
from shared.query.published import Component
from shared.runtime.errors import DeadlineExceeded
from shared.runtime.records import RunStatus
from tests.support import answers
from tests.support.scripted import ScriptedApplication, presenting, scripted, waiting

QUESTION = "What is India's GDP?"
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"


@asynccontextmanager
async def serving(app: ScriptedApplication, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    face = create_app(app, **options)
    transport = httpx.ASGITransport(app=face, raise_app_exceptions=False)
    async with (
        face.router.lifespan_context(face),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        yield client


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with scripted(tmp_path, present=presenting(lambda _: answers.answer())) as app, serving(app) as client:
        yield client


def problem(response: httpx.Response) -> dict[str, Any]:
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "allowed", "do"}
    return body["error"]


# ---- questions -----------------------------------------------------------------------------------


async def test_ask_gives_the_answer_object_by_get_and_by_post(client: httpx.AsyncClient) -> None:
    by_get = await client.get("/ask", params={"question": QUESTION})
    by_post = await client.post("/ask", json={"question": QUESTION, "sources": ["WDI"], "deadline_seconds": 20})
    for response in (by_get, by_post):
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/json"
        answer = Answer.model_validate(response.json())
        assert answer.question == QUESTION
        assert str(answer.receipts[0].value) == "3567551674623.01"


async def test_options_may_stand_beside_the_question_or_in_an_object_of_their_own(
    client: httpx.AsyncClient,
) -> None:
    body = {"question": QUESTION, "options": {"on_ambiguity": "all", "assumptions": {"measure": "X"}}}
    run_id = (await client.post("/api/submit", json=body)).json()["run_id"]
    trace = (await client.get(f"/api/runs/{run_id}/trace")).json()
    assert trace["run"]["options"]["on_ambiguity"] == "all"
    assert trace["run"]["options"]["assumptions"] == {"measure": "X"}


@pytest.mark.parametrize(
    ("parameters", "code", "allowed"),
    [
        ({}, "question_empty", "1 to 2,000 characters"),
        ({"question": "  "}, "question_empty", "1 to 2,000 characters"),
        ({"question": "a" * 2001}, "question_too_long", "1 to 2,000 characters"),
        ({"question": "x", "source": "imf"}, "source_unknown", ["countryfacts", "worldbank"]),
        ({"question": "x", "on_ambiguity": "guess"}, "on_ambiguity_unknown", ["answer", "all", "ask"]),
        ({"question": "x", "deadline": "-1"}, "deadline_out_of_range", "more than 0 and at most 900 seconds"),
        ({"question": "x", "assume": "foo=bar"}, "assumption_unknown", ["measure", "entity"]),
        (
            {"question": "x", "assume": "y"},
            "assumption_malformed",
            "key=value, as an answer's alternatives list them",
        ),
    ],
)
async def test_bad_input_is_told_in_one_shape(
    client: httpx.AsyncClient, parameters: dict[str, str], code: str, allowed: object
) -> None:
    for address in ("/ask", "/api/stream"):
        response = await client.get(address, params=parameters)
        assert response.status_code == 400
        error = problem(response)
        assert (error["code"], error["allowed"]) == (code, allowed)
        assert error["do"] or code == "source_unknown"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "body_not_json"),
        (b"{", "body_not_json"),
        (b'{"question": "x", "deadline_seconds": "\\ud800"}', "deadline_out_of_range"),
        (b'{"question": "x", "assumptions": {"measure": "\\ud800"}}', "assumption_malformed"),
        (b'{"question": "x", "assumptions": {"measure": "' + b"a" * 500 + b'"}}', "assumption_malformed"),
        (b"[]", "body_not_json"),
        (b'"x"', "body_not_json"),
        (b"\xff\xfe", "body_not_json"),
        (b"[" * 30_000, "body_not_json"),
        (b'{"question": 5}', "value_mistyped"),
        (b'{"question": "x", "sources": [1]}', "value_mistyped"),
        (b'{"question": "x", "deadline_seconds": true}', "value_mistyped"),
        (b'{"question": "x", "assumptions": []}', "value_mistyped"),
        (b'{"question": "x", "options": 7}', "value_mistyped"),
        (b'{"question": "x", "query": "y"}', "key_unknown"),
        (b'{"question": null}', "question_empty"),
    ],
)
async def test_a_body_that_is_no_question_is_refused(client: httpx.AsyncClient, body: bytes, code: str) -> None:
    response = await client.post("/ask", content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, problem(response)["code"]) == (400, code)


async def test_a_parameter_that_means_nothing_is_refused_to_programs_and_let_be_in_a_page(
    client: httpx.AsyncClient,
) -> None:
    for path in ("/ask", "/api/stream"):
        response = await client.get(path, params={"question": QUESTION, "bogus": "1"})
        assert (response.status_code, problem(response)["code"]) == (400, "key_unknown")
        assert "'bogus'" in problem(response)["message"]
        assert {"question", "q", "source", "on_ambiguity", "deadline", "assume"} <= set(
            problem(response)["allowed"]
        )
        assert problem(response)["do"] == "Leave them out."
    assert (await client.get("/", params={"q": QUESTION, "utm_source": "mail"})).status_code == 200


async def test_a_body_over_64_kb_is_refused_whether_or_not_its_length_is_declared(
    client: httpx.AsyncClient,
) -> None:
    big = json.dumps({"question": "x" * 66_000}).encode()

    async def chunks() -> AsyncIterator[bytes]:
        yield big

    for content in (big, chunks()):
        response = await client.post("/ask", content=content, headers={"Content-Type": "application/json"})
        assert (response.status_code, problem(response)["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_body_that_is_not_declared_as_json_is_refused(client: httpx.AsyncClient, kind: str) -> None:
    response = await client.post("/ask", content=b'{"question": "x"}', headers={"Content-Type": kind})
    assert (response.status_code, problem(response)["code"]) == (415, "content_type_unsupported")


async def test_unknown_addresses_and_methods_have_the_same_error_shape(client: httpx.AsyncClient) -> None:
    assert problem(await client.get("/nothing"))["code"] == "not_found"
    response = await client.get("/api/submit")
    assert (response.status_code, problem(response)["allowed"]) == (405, ["POST"])
    assert problem(await client.delete("/ask"))["code"] == "method_not_allowed"
    missing = await client.get("/api/runs/nobody")
    assert (missing.status_code, problem(missing)["code"]) == (404, "run_not_found")


async def test_no_question_is_asked_by_head_and_the_methods_told_are_those_that_work(
    client: httpx.AsyncClient,
) -> None:
    for path, methods in (("/ask", {"GET", "POST"}), ("/api/stream", {"GET"}), ("/?q=x", {"GET"})):
        response = await client.head(path, params={"question": "x"} if path != "/?q=x" else None)
        assert response.status_code == 405
        assert set(response.headers["allow"].split(", ")) == methods
        assert not response.content
    assert problem(await client.put("/ask"))["allowed"] == ["GET", "POST"]
    assert (await client.head("/")).status_code == 200


async def test_every_response_has_a_request_id_and_keeps_a_plain_one(client: httpx.AsyncClient) -> None:
    kept = await client.get("/health", headers={"X-Request-Id": "abc-1"})
    made = await client.get("/nothing", headers={"X-Request-Id": "a b\x7f"})
    assert kept.headers["x-request-id"] == "abc-1"
    assert made.headers["x-request-id"] not in {"", "a b\x7f"}


class _Gone:
    """A request whose client has left."""

    async def is_disconnected(self) -> bool:
        return True


async def test_a_client_that_leaves_cancels_its_run_once(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app:
        cancelled: list[str] = []

        async def cancel(run_id: str) -> None:
            cancelled.append(run_id)

        async def wait(_: str) -> str:
            await asyncio.sleep(1.0)
            return "answer"

        app.cancel, app.wait = cancel, wait
        face = _Face(
            Worker(app, concurrency=1),  # type: ignore[arg-type]
            deadline_seconds=60,
            draw=None,
            wait_seconds=60,
            rates=Rates(0),
            proxies=0,
        )
        assert await face._awaited(_Gone(), RunId("r")) == "answer"  # type: ignore[arg-type, comparison-overlap]
    assert cancelled == ["r"]


async def test_a_run_that_has_not_ended_in_its_time_is_still_to_be_found(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app, serving(app) as client:

        async def late(_: str) -> None:
            raise DeadlineExceeded("the run has not ended")

        app.wait = late
        response = await client.post("/ask", json={"question": "x"})
    assert response.status_code == 202
    assert response.json()["url"] == response.headers["location"]


async def test_a_line_joins_the_request_to_its_run(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "functions.ask")
    lines: list[str] = []
    form = JsonLines(function="ask", project=None)
    caplog.handler.addFilter(lambda record: lines.append(form.format(record)) is None)
    async with scripted(tmp_path) as app, serving(app) as client:
        response = await client.get("/ask", params={"question": QUESTION}, headers={"X-Request-Id": "abc-3"})
    told = next(made for line in lines if "is asked for" in (made := json.loads(line))["message"])
    assert told["message"] == f"run {response.json()['run_id']} is asked for"
    assert told["request_id"] == "abc-3"
    assert "India" not in "".join(lines)


async def test_an_error_that_nobody_foresaw_is_found_in_the_logs_by_its_request_id(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        logging.getLogger("functions.ask").warning("about to fail")
        raise ValueError("no more")

    ids: list[object] = []

    class Noting(logging.Filter):
        def filter(self, _: logging.LogRecord) -> bool:
            ids.append(tracecontext.fields().get("request_id"))
            return True

    caplog.handler.addFilter(Noting())
    async with scripted(tmp_path) as app, serving(app) as client:
        app.submit = broken
        response = await client.post("/ask", json={"question": "x"}, headers={"X-Request-Id": "abc-2"})
    assert response.status_code == 500
    assert problem(response)["code"] == "internal"
    assert response.headers["x-request-id"] == "abc-2"
    assert "content-security-policy" in response.headers
    assert ids[:2] == ["abc-2", "abc-2"]
    assert [line.message for line in caplog.records][1] == "a request failed unexpectedly"


# ---- runs ----------------------------------------------------------------------------------------


async def test_a_submitted_question_is_accepted_and_then_answered(client: httpx.AsyncClient) -> None:
    accepted = await client.post("/api/submit", json={"question": QUESTION})
    assert accepted.status_code == 202
    assert accepted.headers["location"] == accepted.json()["url"]
    for _ in range(200):
        run = (await client.get(accepted.json()["url"])).json()
        if run["answer"]:
            break
        await asyncio.sleep(0.01)
    assert run["status"] == "ended"
    assert run["answer"]["status"] == "complete"
    twin = await client.get(f"/runs/{run['run_id']}.json")
    assert twin.json() == run["answer"]
    trace = (await client.get(f"/api/runs/{run['run_id']}/trace")).json()
    assert [step["step"]["stage"] for step in trace["steps"]][-1] == "present"


async def test_health_counts_slots_and_names_sources(client: httpx.AsyncClient) -> None:
    health = (await client.get("/health")).json()
    assert health == {"status": "ok", "sources": ["countryfacts", "worldbank"], "slots": {"total": 3, "free": 3}}


# ---- slots ---------------------------------------------------------------------------------------


async def test_more_questions_than_slots_are_turned_away_and_slots_come_back(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with (
        scripted(tmp_path, select=waiting(gate)) as app,
        serving(app, concurrency=1, patience=0.05) as client,
    ):
        first = asyncio.create_task(client.get("/ask", params={"question": "one"}))
        await asyncio.sleep(0.05)
        busy = await client.get("/ask", params={"question": "two"})
        assert (busy.status_code, problem(busy)["code"], busy.headers["retry-after"]) == (429, "busy", "1")
        gate.set()
        assert (await first).status_code == 200
        await asyncio.sleep(0.05)
        assert (await client.get("/health")).json()["slots"]["free"] == 1
        assert (await client.get("/ask", params={"question": "three"})).status_code == 200


async def test_a_question_waits_a_moment_for_a_slot(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app, serving(app, concurrency=1) as client:
        asked = [client.get("/ask", params={"question": f"question {n}"}) for n in range(5)]
        assert [response.status_code for response in await asyncio.gather(*asked)] == [200] * 5


async def test_a_run_that_cannot_be_created_gives_its_slot_back(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app, serving(app, concurrency=1) as client:
        await app.store.close()
        failed = await client.get("/ask", params={"question": "x"})
        assert (failed.status_code, problem(failed)["code"]) == (503, "store_unavailable")
        assert (await client.get("/health")).status_code == 503


async def test_a_question_whose_asker_is_cancelled_is_cancelled_and_frees_its_slot(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with scripted(tmp_path, select=waiting(gate)) as app, serving(app, concurrency=1) as client:
        asking = asyncio.create_task(client.get("/ask", params={"question": "one"}))
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        (run,) = await app.store.recent()
        for _ in range(100):
            run = await app.store.get(run.run_id)
            if run.status is not RunStatus.RUNNING:
                break
            await asyncio.sleep(0.02)
        assert run.status is RunStatus.CANCELLED
        await asyncio.sleep(0.05)
        assert (await client.get("/health")).json()["slots"]["free"] == 1


# ---- pages ---------------------------------------------------------------------------------------


async def test_the_page_answers_without_script_and_links_its_json(client: httpx.AsyncClient) -> None:
    page = await client.get("/", params={"q": QUESTION, "source": "", "on_ambiguity": "answer"})
    assert page.status_code == 200
    assert "India&#x27;s GDP was $3,567,551,674,623.01 in 2023 (nominal)." in page.text
    assert answers.GDP_URL.replace("&", "&amp;") in page.text
    assert "<script" not in page.text
    twin = page.text.partition('type="application/json" href="')[2].partition('"')[0]
    assert (await client.get(twin)).json()["question"] == QUESTION
    permalink = await client.get(twin.removesuffix(".json"))
    assert "3,567,551,674,623.01" in permalink.text
    assert (await client.get("/", params={"q": QUESTION, "view": "json"})).json()["status"] == "complete"


async def test_a_hostile_question_is_shown_as_text(tmp_path: Path) -> None:
    def made(_: AnnotatedQuery) -> Answer:
        return answers.answer(text=HOSTILE)

    async with scripted(tmp_path, present=presenting(made)) as app, serving(app) as client:
        pages = [
            await client.get("/", params={"q": HOSTILE}),
            await client.get("/", params={"q": HOSTILE, "source": HOSTILE}),
        ]
    for page in pages:
        assert "<script>" not in page.text
        assert "<img src=x" not in page.text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text


async def test_pages_allow_no_script_and_nothing_from_elsewhere(client: httpx.AsyncClient) -> None:
    policy = (await client.get("/")).headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy


async def test_bad_input_on_the_page_keeps_the_form_and_says_what_is_allowed(client: httpx.AsyncClient) -> None:
    page = await client.get("/", params={"q": "x", "source": "imf"})
    assert page.status_code == 400
    assert "There is no source called &#x27;imf&#x27;." in page.text
    assert "countryfacts, worldbank" in page.text
    assert 'name="q"' in page.text


async def test_an_address_that_is_no_link_is_not_made_one(tmp_path: Path) -> None:
    evil = answers.NOMINAL_RECEIPT.model_copy(update={"page_url": "javascript:alert(1)"})

    def made(_: AnnotatedQuery) -> Answer:
        return answers.answer(receipts=(evil,))

    async with scripted(tmp_path, present=presenting(made)) as app, serving(app) as client:
        page = await client.get("/", params={"q": QUESTION})
    assert "javascript:alert(1)" in page.text
    assert 'href="javascript' not in page.text


async def test_a_run_under_way_has_a_page_that_loads_itself_again(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with scripted(tmp_path, select=waiting(gate)) as app, serving(app) as client:
        run_id = (await client.post("/api/submit", json={"question": QUESTION})).json()["run_id"]
        await asyncio.sleep(0.1)
        page = await client.get(f"/runs/{run_id}")
        assert 'http-equiv="refresh"' in page.text
        assert "did discover" in page.text
        assert (await client.get(f"/runs/{run_id}.json")).status_code == 202
        gate.set()


async def test_charts_are_drawn_when_there_is_something_to_draw_with(tmp_path: Path) -> None:
    async with scripted(tmp_path, present=presenting(lambda _: answers.answer())) as app:
        async with serving(app, draw=lambda chart: f"<svg>{chart.title}</svg>".encode()) as client:
            page = await client.get("/", params={"q": QUESTION})
            address = page.text.partition('<img src="')[2].partition('"')[0]
            drawing = await client.get(address)
            assert drawing.headers["content-type"].startswith("image/svg+xml")
            assert drawing.text == "<svg>GDP of India</svg>"
            assert (await client.get(address.replace("/0.svg", "/9.svg"))).status_code == 404
        async with serving(app) as client:
            assert "<img" not in (await client.get("/", params={"q": QUESTION})).text


async def test_a_chart_that_its_publisher_draws_is_linked_to_and_not_drawn(tmp_path: Path) -> None:
    component = Component(
        element="datacommons-line",
        attributes={"header": "GDP of India"},
        script="https://publisher.example/charts.js",
        page_url="https://publisher.example/chart?of=IND&what=GDP",
    )
    own = Chart(id="published:1", title="GDP of India", kind="published", component=component)
    made = answers.answer(charts=(own,))
    drawing = {"draw": lambda chart: b"<svg/>"}
    async with scripted(tmp_path, present=presenting(lambda _: made)) as app, serving(app, **drawing) as client:
        page = await client.get("/", params={"q": QUESTION})
        assert (
            '<a href="https://publisher.example/chart?of=IND&amp;what=GDP" rel="noopener noreferrer">' in page.text
        )
        assert "charts.js" not in page.text
        assert "<img" not in page.text
        (given,) = (await client.get("/ask", params={"question": QUESTION})).json()["charts"]
        assert given["component"]["script"] == "https://publisher.example/charts.js"
        run_id = (await client.get("/ask", params={"question": QUESTION})).json()["run_id"]
        assert (await client.get(f"/runs/{run_id}/charts/0.svg")).status_code == 404


# ---- how long, and how often ---------------------------------------------------------------------


async def test_a_question_that_takes_longer_than_may_be_waited_goes_on_under_its_address(tmp_path: Path) -> None:
    release = asyncio.Event()

    async def slow(query: AnnotatedQuery, context: Any) -> Any:
        await release.wait()
        return await presenting(lambda _: answers.answer())(query, context)

    async with scripted(tmp_path, present=slow) as app, serving(app, wait_seconds=0.05) as client:
        response = await client.get("/ask", params={"question": QUESTION})
        assert response.status_code == 202
        url = response.headers["location"]
        assert response.json() == {"run_id": response.headers["x-run-id"], "url": url}
        assert (await client.get(url)).json()["answer"] is None
        release.set()
        await app.wait(RunId(response.json()["run_id"]))
        assert (await client.get(url)).json()["answer"]["status"] == "complete"


@pytest.mark.parametrize("prefer", ["respond-async", "wait=0", "return=minimal, WAIT=0"])
async def test_a_client_may_prefer_not_to_wait(client: httpx.AsyncClient, prefer: str) -> None:
    response = await client.post("/ask", json={"question": QUESTION}, headers={"Prefer": prefer})
    assert response.status_code == 202


@pytest.mark.parametrize("prefer", ["wait=30", "wait=x", "wait=-1", "wait=99999999", "handling=strict"])
async def test_other_preferences_still_get_the_answer(client: httpx.AsyncClient, prefer: str) -> None:
    response = await client.post("/ask", json={"question": QUESTION}, headers={"Prefer": prefer})
    assert (response.status_code, response.json()["status"]) == (200, "complete")


async def test_a_client_that_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    async with (
        scripted(tmp_path, present=presenting(lambda _: answers.answer())) as app,
        serving(app, per_minute=2, proxies=1) as client,
    ):
        mine, other = {"X-Forwarded-For": "6.6.6.6, 198.51.100.1"}, {"X-Forwarded-For": "198.51.100.2"}
        # What is no question costs nothing.
        assert (await client.get("/ask", params={"question": ""}, headers=mine)).status_code == 400
        for _ in range(2):
            assert (await client.get("/ask", params={"question": QUESTION}, headers=mine)).status_code == 200
        for address in ("/ask?question=x", "/api/stream?question=x", "/?q=x&view=json"):
            refused = await client.get(address, headers=mine)
            assert (refused.status_code, problem(refused)["code"]) == (429, "too_fast")
            assert 25 <= int(refused.headers["retry-after"]) <= 30
        assert (await client.get("/ask", params={"question": QUESTION}, headers=other)).status_code == 200

"""``/understanding`` shows every judgment and a run's own readings, escaped and without a script."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.ask.server import create_app
from functions.hosting.task_table import described
from functions.local.settings import Settings
from functions.local.wiring import open_application
from functions.present.word_task import WORD_ANSWER
from shared.models.settings import ModelSettings
from shared.query.annotated import AnnotatedQuery, Annotation, Failed, Judged, PanelVote, Understood
from shared.query.evidence import Failure, FailureStatus
from shared.runtime.context import RunContext
from tests.support import answers
from tests.support.competent import answer as competent_answer
from tests.support.model_server import Asked, Reply, model_server, right
from tests.support.scripted import presenting, scripted

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
FAIR = "In 2015, India's GDP (current US$) stood at about $2.1 trillion."


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[httpx.AsyncClient]:
    face = create_app(app)
    transport = httpx.ASGITransport(app=face, raise_app_exceptions=False)
    async with (
        face.router.lifespan_context(face),
        httpx.AsyncClient(transport=transport, base_url="http://test") as client,
    ):
        yield client


async def understand_hostile(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Members, notes and judgments that are made of markup."""
    votes = (
        PanelVote(member=HOSTILE, structure=f"value({HOSTILE})"),
        PanelVote(member="m2", structure=None, error=HOSTILE),
    )
    understood = Understood(readings=(answers.READING,), votes=votes, notes=(HOSTILE,))
    judged = Judged(task=HOSTILE, by=HOSTILE, offered={"x": (HOSTILE,)}, chosen={"x": (HOSTILE,)}, why=HOSTILE)
    failed = Failed(
        failure=Failure(stage="understand", source=None, slot=None, status=FailureStatus.NO_DATA, reason=HOSTILE)
    )
    payloads = (understood, judged, failed)
    return [Annotation(reading=-1, stage="understand", n=n, payload=one) for n, one in enumerate(payloads)]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    present = presenting(lambda _: answers.answer())
    async with scripted(tmp_path, present=present, understand=understand_hostile) as app, served(app) as client:
        yield client


async def run_of(client: httpx.AsyncClient, question: str) -> str:
    return str((await client.get("/ask", params={"question": question})).json()["run_id"])


async def test_the_page_lists_every_judgment_the_panels_rule_and_the_limits(client: httpx.AsyncClient) -> None:
    page = await client.get("/understanding")
    assert page.status_code == 200
    found = (await client.get("/api/understanding")).json()
    assert [one["name"] for one in found["tasks"]] == [one.name for one in described()]
    assert found["run"] is None
    assert (found["limits"]["model_calls"], found["limits"]["usd"], found["limits"]["model_seconds"]) == (
        20, "1.00", 90.0,
    )  # fmt: skip
    assert found["panel"]["deadline_seconds"] == 7.0
    for one in described():
        assert f"<td>{one.name}</td><td>{one.version}</td><td>{one.stage}</td>" in page.text
    assert "until 7 s after the start" in page.text
    assert "20 calls, for at most $1.00 and 90 s" in page.text


async def test_every_page_leads_to_it_and_an_answer_to_its_own(client: httpx.AsyncClient) -> None:
    for page in ("/", "/understanding"):
        menu = re.search(r'<nav aria-label="Pages">.*</nav>', (await client.get(page)).text)
        assert menu is not None
        assert re.findall(r'href="([^"]+)"', menu[0]) == ["/understanding", "/costs", "/usage"]
    run_id = await run_of(client, "What is India's GDP?")
    assert f'<a href="/understanding?run={run_id}">' in (await client.get(f"/runs/{run_id}")).text


async def test_the_page_of_wide_tables_is_broader_than_the_others(client: httpx.AsyncClient) -> None:
    style = (await client.get("/style.css")).text
    widths = dict(re.findall(r"^(body(?:\.broad)?) {[^}]*max-width: (\d+)rem", style, re.MULTILINE))
    assert int(widths["body"]) < int(widths["body.broad"]) <= 80  # a screen of 1,280 pixels
    assert '<body class="broad">' in (await client.get("/understanding")).text
    assert '<body class="broad">' not in (await client.get("/")).text


async def test_hostile_text_of_members_and_judgments_is_shown_as_text(client: httpx.AsyncClient) -> None:
    run_id = await run_of(client, HOSTILE)
    page = (await client.get("/understanding", params={"run": run_id})).text
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("&lt;script&gt;") >= 8


async def test_a_page_without_a_script_has_a_caption_for_every_table_and_headings_in_order(
    client: httpx.AsyncClient,
) -> None:
    run_id = await run_of(client, "What is India's GDP?")
    for page in ("/understanding", f"/understanding?run={run_id}"):
        text = (await client.get(page)).text
        assert text.count("<h1>") == 1
        assert text.count("<table>") == text.count('role="region" aria-label="') > 0
        assert all('scope="col"' in head for head in re.findall(r"<th[ >][^>]*", text))
        assert "<script" not in text


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [({"run": "nothing"}, 404, "run_not_found"), ({"runs": "x"}, 400, "bad_input")],
)
async def test_what_is_not_there_is_told(client: httpx.AsyncClient, query: Any, status: int, code: str) -> None:
    for path in ("/understanding", "/api/understanding"):
        response = await client.get(path, params=query)
        assert (response.status_code, response.json()["error"]["code"]) == (status, code)
        assert response.json()["error"]["do"]


async def test_a_run_with_models_shows_votes_choices_costs_and_the_wording(tmp_path: Path) -> None:
    async def script(asked: Asked) -> Reply:
        if asked.task == WORD_ANSWER.name:
            return right({"text": FAIR, "claims": [one["id"] for one in asked.data["claims"]]})
        return right(await competent_answer(asked.task, asked.data), usage=(1000, 100))

    async with model_server(script) as server:
        environment = {
            "NEURALKG_PROVIDER": "openai", "NEURALKG_MODEL_URL": server.url, "NEURALKG_MODELS": "m1,m2,m3",
        }  # fmt: skip
        settings = Settings(
            home=tmp_path,
            store=tmp_path / "runs.sqlite3",
            archive=tmp_path / "archive",
            models=ModelSettings.from_environment(environment),
        )
        async with open_application(settings) as app, served(app) as client:
            run_id = await run_of(client, "What was India's GDP in 2015?")
            found = (await client.get("/api/understanding", params={"run": run_id})).json()["run"]
            page = (await client.get("/understanding", params={"run": run_id})).text
            answer = (await client.get(f"/runs/{run_id}.json")).json()
    assert answer["text"] == FAIR
    assert [(one["name"], one["chosen"]) for one in found["members"]] == [("m1", True), ("m2", True)]
    assert found["agreement"].startswith("2 of the 2 members")
    assert [(one["type"], one["chosen"], one["status"]) for one in found["readings"]] == [
        ("value", True, "complete")
    ]
    judged = {one["what"]: one for one in found["choices"] if one["by"] == "m1"}
    assert {one.partition(".")[0] for one in judged} >= {"select_source_documents", "word_answer"}
    for one in judged.values():
        assert set(one["chosen"]) <= set(one["offered"])
        assert one["seconds"] > 0
    assert judged[WORD_ANSWER.id]["chosen"]
    asked = found["asked"]
    assert sum(one["calls"] for one in asked if one["model"].startswith("m")) == answer["usage"]["model_calls"]
    assert sum(one["tokens"] for one in asked) == answer["usage"]["tokens"]
    assert sum(Decimal(one["usd"]) for one in asked) == Decimal(answer["usage"]["usd"])
    assert found["worded"]["taken"]
    for words in ("m1", "select_source_documents", "The answer&#x27;s sentences are those of m1"):
        assert words in page


async def test_a_run_by_the_rules_alone_shows_what_was_chosen_of_what_was_found(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, store=tmp_path / "runs.sqlite3", archive=tmp_path / "archive")
    async with open_application(settings) as app, served(app) as client:
        run_id = await run_of(client, "What was India's GDP in 2015?")
        found = (await client.get("/api/understanding", params={"run": run_id})).json()["run"]
    assert found["worded"] is None
    (choice,) = [one for one in found["choices"] if "worldbank" in one["what"]]
    assert "GDP (current US$)" in choice["offered"]
    assert "GDP (current US$)" in choice["chosen"]

"""The tool ``ask``, through the protocol's official client over a real socket."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client

from shared.query.annotated import AnnotatedQuery
from shared.query.answer import Answer
from shared.runtime.records import RunStatus
from tests.support import answers
from tests.support.scripted import presenting, scripted
from tests.unit.functions.ask.test_stream import listening

QUESTION = "What is India's GDP?"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_of_either_era_gets_the_answer_object_and_progress(tmp_path: Path, mode: Any) -> None:
    said: list[str | None] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        said.append(message)

    async with (
        scripted(tmp_path, present=presenting(lambda _: answers.answer())) as app,
        listening(app) as http,
        Client(f"{http.base_url}/mcp", mode=mode) as client,
    ):
        (tool,) = (await client.list_tools()).tools
        assert (tool.name, tool.input_schema["required"]) == ("ask", ["question"])
        result = await client.call_tool("ask", {"question": QUESTION}, progress_callback=heard)
    answer = Answer.model_validate(result.structured_content)
    assert result.is_error is False
    assert (answer.question, str(answer.receipts[0].value)) == (QUESTION, "3567551674623.01")
    assert said[0] == "read the question"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "question_empty"),
        ({"question": 5}, "value_mistyped"),
        ({"question": "x", "sources": ["imf"]}, "source_unknown"),
        ({"question": "x", "nonsense": 1}, "key_unknown"),
    ],
)
async def test_a_bad_argument_is_an_error_that_the_caller_may_mend(
    tmp_path: Path, arguments: dict[str, Any], code: str
) -> None:
    async with (
        scripted(tmp_path) as app,
        listening(app) as http,
        Client(f"{http.base_url}/mcp") as client,
    ):
        result = await client.call_tool("ask", arguments)
    assert result.is_error is True
    assert result.structured_content["error"]["code"] == code


async def test_the_run_of_a_client_that_leaves_is_cancelled(tmp_path: Path) -> None:
    begun = asyncio.Event()

    async def stuck(query: AnnotatedQuery, context: Any) -> Any:
        begun.set()
        await asyncio.Event().wait()

    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    body["params"] = {"name": "ask", "arguments": {"question": QUESTION}}
    async with scripted(tmp_path, present=stuck) as app, listening(app) as http:
        accepted = {"Accept": "application/json, text/event-stream"}
        calling = asyncio.create_task(http.post("/mcp", json=body, headers=accepted))
        await asyncio.wait_for(begun.wait(), 5)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        (run,) = await app.store.recent()
        async with asyncio.timeout(5):
            while (await app.store.get(run.run_id)).status is RunStatus.RUNNING:  # noqa: ASYNC110 - a store
                await asyncio.sleep(0.02)
        assert (await app.store.get(run.run_id)).status is RunStatus.CANCELLED


async def test_no_other_method_is_taken(tmp_path: Path) -> None:
    async with scripted(tmp_path) as app, listening(app) as http:
        assert isinstance(http, httpx.AsyncClient)
        for method in ("GET", "DELETE"):
            assert (await http.request(method, "/mcp")).status_code == 405

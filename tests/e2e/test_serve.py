"""``neuralkg serve`` as a process: questions, streams and pages over a real socket, and its end."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from shared.query.answer import Answer
from tests.e2e.conftest import COMMAND, ROOT, Cli, environment

pytestmark = pytest.mark.slow

QUESTION = "What is India's GDP?"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOSTILE = "<script>alert(1)</script> GDP of India"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    home = tmp_path_factory.mktemp("serve")
    serving = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"], env=environment(home), cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert serving.stderr is not None
    first = serving.stderr.readline()
    assert "NeuralKG listens on http://127.0.0.1:" in first, first + serving.stderr.read()
    address = first.split(" on ")[1].split()[0]
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client
    serving.send_signal(signal.SIGINT)
    _, said = serving.communicate(timeout=30)
    assert serving.returncode == 0
    assert said in {"", "stopped\n"}


def test_ask_answers_by_get_and_by_post(service: httpx.Client) -> None:
    by_get = service.get("/ask", params={"question": QUESTION})
    by_post = service.post("/ask", json={"question": QUESTION})
    for response in (by_get, by_post):
        answer = Answer.model_validate(response.json())
        assert answer.status == "complete"
        assert answer.receipts[0].variable == "NY.GDP.MKTP.CD"


def test_the_stream_tells_each_decision_and_ends_with_the_answer(service: httpx.Client) -> None:
    events: list[tuple[str, str]] = []
    with service.stream("GET", "/api/stream", params={"question": QUESTION}) as response:
        fields: dict[str, str] = {}
        for line in response.iter_lines():
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields:
                events.append((fields["event"], fields["data"]))
                fields = {}
    assert [name for name, _ in events[:-1]] == ["progress"] * (len(events) - 1)
    assert len(events) > 5
    assert events[-1][0] == "answer"
    assert Answer.model_validate(json.loads(events[-1][1])).status == "complete"


def test_limits_hold_over_a_real_socket(service: httpx.Client) -> None:
    big = json.dumps({"question": "x" * 66_000}).encode()
    response = service.post("/ask", content=big, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["error"]["code"]) == (413, "body_too_large")
    assert service.post("/ask", content=b"x", headers={"Content-Type": "text/plain"}).status_code == 415
    assert service.put("/ask").status_code == 405
    assert service.get("/ask", params={"question": "x", "source": "imf"}).status_code == 400


def test_the_page_shows_the_answer_and_a_hostile_question_as_text(service: httpx.Client) -> None:
    page = service.get("/", params={"q": QUESTION})
    assert "NY.GDP.MKTP.CD" in page.text
    hostile = service.get("/", params={"q": HOSTILE})
    assert "<script>" not in hostile.text
    assert "&lt;script&gt;" in hostile.text


def test_a_taken_port_is_told_before_anything_is_loaded(service: httpx.Client, cli: Cli, tmp_path: Path) -> None:
    done = cli("serve", "--port", str(service.base_url.port))
    assert done.returncode == 2
    assert "Cannot listen on 127.0.0.1 port" in done.stderr
    assert not (tmp_path / "home").exists()


def test_a_browser_shows_how_a_question_was_understood(service: httpx.Client, tmp_path: Path) -> None:
    if not CHROMIUM:
        pytest.skip("no Chromium is installed")
    run_id = service.get("/ask", params={"question": HOSTILE}).json()["run_id"]
    good = service.get("/ask", params={"question": QUESTION}).json()["run_id"]
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom"]
    base = str(service.base_url).rstrip("/")
    for run, wanted in ((good, "select_source_documents"), (good, "GDP (current US$)"), (run_id, "&lt;script&gt;")):
        address = f"{base}/understanding?run={run}"
        shown = subprocess.run(
            [CHROMIUM, *flags, f"--user-data-dir={tmp_path}", address],
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert wanted in shown.stdout, shown.stderr[-2000:]
        assert "<script" not in shown.stdout
        assert "Content Security Policy" not in shown.stderr

"""Log lines are what Cloud Logging reads, and are joined to the trace of the task that wrote them."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator

import pytest

from functions.hosting import tracecontext
from functions.hosting.logs import JsonLines, log_as_json
from functions.hosting.tracecontext import SpanId, at, fresh, parsed

TRACE, SPAN = "a1" * 16, "b2" * 8


def line(record: logging.LogRecord, project: str | None = "my-project") -> dict[str, object]:
    text = JsonLines(function="slots", project=project).format(record)
    assert "\n" not in text
    made: dict[str, object] = json.loads(text)
    return made


def record(level: int = logging.INFO, message: str = "took %d", *args: object, **more: object) -> logging.LogRecord:
    return logging.LogRecord("functions.slots", level, "x.py", 1, message, args, **{"exc_info": None, **more})


def test_a_line_says_what_happened_where():
    made = line(record(logging.WARNING, "took %d\nsteps", 3))
    assert made["severity"] == "WARNING"
    assert made["message"] == "took 3\nsteps"
    assert made["function"] == "slots"
    assert "logging.googleapis.com/trace" not in made


def test_a_line_belongs_to_the_trace_of_its_task():
    with at(SpanId(TRACE, SPAN), run_id="r-1", stage="slots", attempt=2):
        made = line(record())
    assert made["logging.googleapis.com/trace"] == f"projects/my-project/traces/{TRACE}"
    assert made["logging.googleapis.com/spanId"] == SPAN
    assert (made["run_id"], made["stage"], made["attempt"]) == ("r-1", "slots", 2)
    assert tracecontext.current() is None
    assert tracecontext.fields() == {}


def test_an_exception_is_one_line_that_tells_where_it_came_from_and_nothing_of_what_was_asked():
    question = "What is India's GDP?"
    try:
        try:
            int(question)
        except ValueError as error:
            raise ExceptionGroup(question, [LookupError(question)]) from error
    except ExceptionGroup:
        made = line(record(logging.ERROR, "failed", exc_info=sys.exc_info()))
    told = str(made["exception"])
    assert "India" not in json.dumps(made)
    assert [kind for kind in ("ValueError", "ExceptionGroup", "LookupError") if kind in told.splitlines()] == [
        "ValueError",
        "ExceptionGroup",
        "LookupError",
    ]
    assert "test_logs.py" in told


async def test_two_tasks_do_not_share_their_fields():
    async def work(run_id: str) -> object:
        with at(fresh(), run_id=run_id):
            await asyncio.sleep(0)
            return line(record())["run_id"]

    assert await asyncio.gather(work("a"), work("b")) == ["a", "b"]


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    names = ("functions", "shared", "plugins", "finder_index", "neuralkg", "uvicorn", "uvicorn.error")
    changed = [root, *map(logging.getLogger, names)]
    before = [(one, one.handlers[:], one.level, one.propagate) for one in changed]
    yield root
    for one, handlers, level, propagate in before:
        one.handlers[:], one.propagate = handlers, propagate
        one.setLevel(level)


def test_the_process_logs_to_standard_output_and_libraries_stay_quiet(root, capsys):
    log_as_json(function="slots", project=None, level="info")
    logging.getLogger("functions.slots").info("seen")
    logging.getLogger("functions.slots").debug("unseen")
    logging.getLogger("httpx").info("GET https://api.example.org/?key=secret")
    printed = capsys.readouterr().out.splitlines()
    assert [json.loads(one)["message"] for one in printed] == ["seen"]


@pytest.mark.parametrize("level", ["debug", "info"])
def test_no_level_has_a_library_tell_what_it_sends(root, capsys, level):
    log_as_json(function="ask", project=None, level=level)
    for library in ("sse_starlette.sse", "mcp.server", "openai._base_client", "google.auth", "asyncio"):
        logging.getLogger(library).debug("chunk: %s", "What is India's GDP?")
        logging.getLogger(library).info("chunk: %s", "What is India's GDP?")
    assert capsys.readouterr().out == ""


def test_what_the_server_tells_is_a_line_like_any_other(root, capsys):
    server = logging.getLogger("uvicorn.error")
    server.handlers[:], server.propagate = [logging.StreamHandler(sys.stderr)], False
    log_as_json(function="ask", project=None, level="info")
    server.error("Exception in ASGI application")
    printed = capsys.readouterr()
    assert json.loads(printed.out)["message"] == "Exception in ASGI application"
    assert printed.err == ""


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "nonsense",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"01-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
    ],
)
def test_a_header_of_another_form_names_no_trace(header):
    assert parsed(header) is None


def test_a_header_is_read_as_it_is_written():
    assert parsed(f"00-{TRACE}-{SPAN}-01") == SpanId(TRACE, SPAN)
    assert parsed(SpanId(TRACE, SPAN, sampled=False).traceparent) == SpanId(TRACE, SPAN, sampled=False)
    assert parsed(fresh().traceparent) is not None

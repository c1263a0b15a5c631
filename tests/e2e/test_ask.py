"""Questions from the shell: what is printed where, exit codes, several processes, reading along in a pipe."""

from __future__ import annotations

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shared.query.answer import Answer
from tests.e2e.conftest import COMMAND, ROOT, Cli, environment

pytestmark = pytest.mark.slow

QUESTION = "What is India's GDP?"
NOMINAL = re.compile(r"https://api\.worldbank\.org/v2/country/\S*IND\S*/indicator/NY\.GDP\.MKTP\.CD")


def test_json_puts_the_answer_object_and_nothing_else_on_standard_output(cli: Cli) -> None:
    done = cli("ask", "--json", QUESTION)
    assert done.returncode == 0
    answer = Answer.model_validate(json.loads(done.stdout))
    assert answer.question == QUESTION
    assert NOMINAL.search(answer.receipts[0].request.url)
    assert done.stderr.count("\n") >= 5
    assert "\x1b" not in done.stdout + done.stderr


def test_the_printed_answer_carries_the_exact_request_of_the_nominal_value_first(cli: Cli) -> None:
    done = cli("ask", "--quiet", QUESTION)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    found = NOMINAL.search(done.stdout)
    assert found is not None
    other = done.stdout.find("NY.GDP.MKTP.KD")
    assert other == -1 or found.start() < other
    assert "CC BY" in done.stdout
    assert "recorded figures" in done.stdout


def test_the_question_may_come_as_several_words(cli: Cli) -> None:
    done = cli("ask", "--json", "--quiet", "population", "of", "Kenya")
    assert json.loads(done.stdout)["question"] == "population of Kenya"


@pytest.mark.parametrize(
    ("question", "options", "code", "status"),
    [
        ("Which countries border India?", (), 0, {"complete"}),
        ("What is the GDP of Atlantis?", (), 3, {"unanswered", "refused"}),
        ("What is the GDP of India in 1850?", (), 3, {"unanswered", "refused"}),
        ("What is India's GDP?", ("--on-ambiguity", "ask"), 4, {"needs_clarification"}),
    ],
)
def test_the_exit_code_tells_how_the_question_ended(
    cli: Cli, question: str, options: tuple[str, ...], code: int, status: set[str]
) -> None:
    done = cli("ask", "--json", "--quiet", *options, question)
    assert json.loads(done.stdout)["status"] in status
    assert done.returncode == code


def test_a_clarification_is_settled_by_sending_back_an_assumption(cli: Cli) -> None:
    asked = json.loads(cli("ask", "--json", "--quiet", "--on-ambiguity", "ask", QUESTION).stdout)
    option = asked["clarification"]["options"][-1]
    assert option["value"] is not None
    pairs = [part for key, value in option["assumptions"].items() for part in ("--assume", f"{key}={value}")]
    settled = cli("ask", "--json", "--quiet", "--on-ambiguity", "ask", *pairs, QUESTION)
    assert settled.returncode == 0
    assert option["value"] in {claim["value"] for claim in json.loads(settled.stdout)["claims"]}


def test_a_chart_is_drawn_on_request(cli: Cli, tmp_path: Path) -> None:
    question = "How did the population of Kenya change since 2000?"
    target = tmp_path / "chart.json"
    done = cli("ask", "--quiet", "--chart", str(target), question)
    assert done.returncode == 0
    assert "vega-lite" in json.loads(target.read_text())["$schema"]
    pytest.importorskip("vl_convert", exc_type=ImportError)
    drawing = tmp_path / "chart.svg"
    assert cli("ask", "--quiet", "--chart", str(drawing), question).returncode == 0
    assert drawing.read_text().startswith("<svg")


def test_several_processes_share_one_store(cli: Cli) -> None:
    questions = ["What is India's GDP?", "What is the population of Kenya?", "Which countries border India?"]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda question: cli("ask", "--json", "--quiet", question), questions))
    assert [one.returncode for one in done] == [0, 0, 0], [one.stderr for one in done]
    runs = json.loads(cli("run", "list", "--json").stdout)
    assert {run["question"] for run in runs} == set(questions)
    assert {run["status"] for run in runs} <= {"complete", "partial"}


def test_whoever_reads_along_may_leave(home: Path) -> None:
    asking = subprocess.Popen(
        [*COMMAND, "ask", QUESTION], env=environment(home), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert asking.stdout is not None
    assert asking.stderr is not None
    asking.stdout.close()
    said = asking.stderr.read().decode()
    asking.stderr.close()
    assert asking.wait(60) in {0, 141}
    assert "Traceback" not in said
    assert "Exception ignored" not in said


def test_a_submitted_question_is_answered_after_its_asker_left(cli: Cli) -> None:
    submitted = cli("submit", QUESTION)
    assert submitted.returncode == 0, submitted.stderr
    run_id = submitted.stdout.strip()
    watched = cli("run", "watch", "--json", run_id)
    assert watched.returncode == 0, watched.stderr
    assert json.loads(watched.stdout)["run_id"] == run_id
    assert watched.stderr.count("\n") >= 5
    shown = cli("run", "show", "--json", run_id)
    assert shown.stdout == watched.stdout
    assert "had already ended" in cli("run", "cancel", run_id).stdout
    trace = json.loads(cli("run", "trace", run_id).stdout)
    assert trace["answer"]["run_id"] == run_id
    assert trace["events"][0]["stage"] == "understand"


def test_find_lists_tables_and_their_source(cli: Cli) -> None:
    done = cli("find", "--json", "life expectancy at birth")
    assert done.returncode == 0
    assert "SP.DYN.LE00.IN" in [found["variable"] for found in json.loads(done.stdout)["results"]][:3]
    assert "worldbank" in cli("find", "life expectancy").stdout


def test_doctor_finds_what_questions_need_in_place(cli: Cli) -> None:
    found = {one["name"]: one["state"] for one in json.loads(cli("doctor", "--json").stdout)}
    assert found["Embedding model"] == found["Index"] == found["Run store"] == "ok"
    assert found["Figures of worldbank"] == "ok"


def test_doctor_says_what_is_wrong_and_how_to_put_it_right(cli: Cli, home: Path) -> None:
    home.mkdir()
    (home / "runs-3.sqlite3").write_bytes(b"broken" * 1000)
    done = cli("doctor")
    assert done.returncode == 1
    assert "NEURALKG_STORE" in done.stdout


def test_help_is_at_hand_quickly_and_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv=['neuralkg','--help']\n"
        "from functions.local.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'numpy', 'pydantic', 'onnxruntime', 'starlette', 'httpx', 'vl_convert'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [*COMMAND[:1], "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "ask" in done.stdout

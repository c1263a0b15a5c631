"""The table of judgments: complete, well described, and the one that the documentation shows."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from functions.hosting.task_table import HEADINGS, TASKS, TaskRow, builtin_rules, cells, described
from shared.runtime.settings import load_stages

ROOT = Path(__file__).parents[4]


def _written() -> set[str]:
    """Every ``NAME = Task(...)`` of the tree, as ``module:NAME``."""
    found = set()
    for folder in ("functions", "plugins", "finder_index", "shared"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if "Task(" not in text:
                continue
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for node in ast.walk(ast.parse(text)):
                target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
                value = getattr(node, "value", None)
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "Task" and target is not None:
                    found.add(f"{module}:{ast.unparse(target)}")
    return found


def test_every_task_of_the_tree_stands_in_the_table_once() -> None:
    rows = [row.path for row in TASKS]
    assert set(rows) == _written()
    assert len(rows) == len(set(rows))


def test_no_two_tasks_have_one_name() -> None:
    names = [one.name for one in described()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("row", TASKS, ids=lambda row: row.path)
def test_a_task_says_what_it_is_for_and_its_stage_may_judge(row: TaskRow) -> None:
    task = row.task
    assert task.purpose
    assert task.instructions
    if row.stage != "finder":
        assert next(stage for stage in load_stages().stages if stage.name == row.stage).judging_allowed


def test_exactly_the_tasks_that_rules_may_stand_in_for_have_a_rule() -> None:
    read_by_a_panel = {"understand"}
    assert builtin_rules().keys() == {one.name for one in described() if one.fallback} - read_by_a_panel


def test_a_row_that_leads_to_no_task_is_an_error() -> None:
    with pytest.raises(TypeError, match="is no task"):
        _ = TaskRow("functions.hosting.task_table:HEADINGS", "select").task


def test_the_documentation_holds_the_table() -> None:
    page = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
    rows = [HEADINGS, ("---",) * len(HEADINGS), *(cells(one) for one in described())]
    assert "\n".join(f"| {' | '.join(row)} |" for row in rows) in page


def command(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "functions.local.cli", "tasks", *arguments],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_command_prints_the_table_and_its_json() -> None:
    printed = command().splitlines()
    assert printed[0].split()[0] == "task"
    assert {line.split()[0] for line in printed[1:]} == {one.id for one in described()}
    read = json.loads(command("--json"))
    assert [one["name"] for one in read] == [one.name for one in described()]
    assert all(one["instructions"] for one in read)

"""``make``: targets are listed, and a question reaches the command exactly as it was typed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import ROOT

Make = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Runs a copy of the Makefile where everything seems installed and neuralkg prints its arguments."""
    for name in ("Makefile", "pyproject.toml", "requirements/ci.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "neuralkg"):
        (programs / name).write_text('#!/bin/sh\nfor argument in "$@"; do printf "%s\\n" "$argument"; done\n')
        (programs / name).chmod(0o755)
    (tmp_path / ".venv" / ".runtime-installed").touch()
    clean = {
        name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKELEVEL", "Q", "ARGS"}
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", *arguments], cwd=tmp_path, env=clean, capture_output=True, text=True, check=False, timeout=60
        )

    return run


@pytest.mark.parametrize(
    "question",
    [
        "What is India's GDP?",
        'the "richest" country',
        "companies over $100 million and $(shell echo pwned) `echo pwned`",
        "GDP #1 in 2020; echo pwned",
        "100% of A\\B",
        "--help",
        "¿PIB de la India?",
    ],
)
def test_a_question_arrives_as_it_was_typed(make: Make, question: str) -> None:
    done = make("ask", f"Q={question}", "ARGS=--source 'World Bank' --json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["ask", "--source", "World Bank", "--json", "--", question]


def test_ask_without_a_question_says_how_to_give_one(make: Make) -> None:
    done = make("ask")
    assert done.returncode == 2
    assert "make ask Q=" in done.stderr


def test_help_is_the_default_and_lists_every_target(make: Make) -> None:
    listed = make().stdout
    targets = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    for target in targets[1].split():
        assert f"make {target} " in listed


def test_clean_removes_what_can_be_made_again_and_nothing_else(make: Make, tmp_path: Path) -> None:
    made = [".venv", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", "dist", "shared/__pycache__"]
    kept = [
        ".git/hooks/__pycache__", ".cache/checkov/lib/__pycache__", ".neuralkg/runs", ".neuralkg/__pycache__",
        "infra/terraform/environments/dev/.terraform", "shared/runtime", "shared/data/dist",
    ]  # fmt: skip
    for folder in (*made, *kept):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "x").touch()
    files = ["infra/terraform/environments/dev/terraform.tfvars", "infra/terraform/environments/dev/x.tfstate"]
    for name in files:
        (tmp_path / name).touch()
    done = make("clean")
    assert done.returncode == 0, done.stderr
    assert [folder for folder in made if (tmp_path / folder).exists()] == []
    assert [name for name in (*(f"{one}/x" for one in kept), *files) if not (tmp_path / name).exists()] == []


def test_an_old_python_is_told_in_words(tmp_path: Path) -> None:
    old = tmp_path / "python-old"
    old.write_text('#!/bin/sh\ncase "$2" in *platform*) echo 3.9.2;; *) exit 1;; esac\n')
    old.chmod(0o755)
    done = subprocess.run(
        ["bash", str(ROOT / "tools" / "find_python.sh")],
        env=os.environ | {"PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "3.9.2" in done.stderr

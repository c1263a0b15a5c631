"""Each command of docs/operating.md is one that its program has, with options that it takes."""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from functions.local.cli import app
from tests.support.terraform import INFRA

ROOT = INFRA.parent
GUIDE = ROOT / "docs" / "operating.md"
TERRAFORM = {
    "init": {"-backend-config"},
    "plan": {"-out", "-detailed-exitcode"},
    "apply": set[str](),
    "output": {"-json"},
    "destroy": set[str](),
}


def commands() -> list[str]:
    """The lines of the guide's blocks for a shell."""
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def words_of(program: str) -> list[list[str]]:
    """Each use of a program: its words up to where the shell takes over again."""
    found = []
    for line in commands():
        # Within $(...) stands a command as any other.
        for part in [line.split(' "$(')[0], *re.findall(r"\$\(([^()]*)\)", line)]:
            words = shlex.split(re.sub(r"[<>].*", "", part))
            words = words[1:] if words and words[0] == "eval" else words
            words = [words[0].partition("=")[2].lstrip("$("), *words[1:]] if words and "=$(" in words[0] else words
            if words and words[0].removeprefix(".venv/bin/") == program:
                found.append(words)
    return found


@pytest.mark.parametrize("words", words_of("neuralkg"), ids=" ".join)
def test_neuralkg_has_the_command_and_takes_its_options(words: list[str]) -> None:
    command: Any = typer.main.get_command(app)
    rest = words[1:]
    while hasattr(command, "commands"):
        assert rest[0] in command.commands, f"there is no {rest[0]} in {' '.join(words)}"
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context(words[0], list(rest)).close()


@pytest.mark.parametrize("words", words_of("terraform"), ids=" ".join)
def test_terraform_is_run_in_an_environment_with_options_that_it_takes(words: list[str]) -> None:
    folder = words[1].removeprefix("-chdir=")
    assert (ROOT / folder / "main.tf").is_file()
    assert words[2] in TERRAFORM
    options = {word.partition("=")[0] for word in words[3:] if word.startswith("-")}
    assert options <= TERRAFORM[words[2]]


@lru_cache(maxsize=1)
def gcloud_tree() -> Any:
    """Every command and option of the CLI, which it carries for completing them."""
    gcloud = shutil.which("gcloud")
    assert gcloud is not None, "The Google Cloud CLI is not here: https://cloud.google.com/sdk/docs/install"
    asked = subprocess.run(
        [gcloud, "info", "--format=value(installation.sdk_root)"], capture_output=True, text=True, check=True
    )
    file = Path(asked.stdout.strip()) / "data" / "cli" / "gcloud_completions.py"
    return runpy.run_path(str(file))["STATIC_COMPLETION_CLI_TREE"]


@pytest.mark.parametrize("words", words_of("gcloud"), ids=" ".join)
def test_gcloud_has_the_command_and_takes_its_options(words: list[str]) -> None:
    tree = gcloud_tree()
    everywhere, rest = set(tree["flags"]), words[1:]
    while tree["commands"]:
        assert rest[0] in tree["commands"], f"there is no {rest[0]} in {' '.join(words)}"
        tree, rest = tree["commands"][rest[0]], rest[1:]
    options = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert options <= everywhere | set(tree["flags"])


def test_every_command_of_the_guide_is_looked_at() -> None:
    checked = {"neuralkg", "terraform", "gcloud"}
    firsts = {
        re.sub(r"^(?:eval \"\$\(|\w+=\$\()", "", line).split()[0].removeprefix(".venv/bin/") for line in commands()
    }
    assert checked <= firsts
    for other in firsts - checked - {"cp", "curl"}:
        assert (ROOT / other).is_file(), f"{other} is neither a program nor a file"


def test_what_is_copied_is_there() -> None:
    for line in commands():
        if line.startswith("cp "):
            assert (ROOT / line.split()[1]).is_file()


def test_an_option_that_is_not_there_would_be_told() -> None:
    command: Any = typer.main.get_command(app)
    with pytest.raises(Exception, match="No such option"):
        command.commands["letters"].commands["show"].make_context("show", ["--most", "1"])


@pytest.mark.parametrize("program", ["gcloud", "neuralkg", "terraform"])
def test_no_use_of_a_program_is_overlooked(program: str) -> None:
    text = "\n".join(commands())
    assert len(words_of(program)) == len(re.findall(rf"(?<![\w/=.-]){program} |/{program} ", text)) > 5

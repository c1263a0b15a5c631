"""``neuralkg environment``: what Terraform made becomes the variables that the program reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from functions.hosting.settings import CloudSettings
from functions.local.outputs import NAMES, environment_of
from shared.runtime.errors import UsageError

VARIABLES = {
    "GOOGLE_CLOUD_PROJECT": "my-project-1",
    "NEURALKG_ENVIRONMENT": "dev",
    "NEURALKG_ARCHIVE": "gs://my-project-1-neuralkg-dev-archive",
    "NEURALKG_FIRESTORE_DATABASE": "neuralkg-dev",
    "NEURALKG_FINDER_URL": "https://neuralkg-dev-finder-abc-ew.a.run.app",
    "NEURALKG_INDEX": "gs://my-project-1-neuralkg-dev-index/index",
}


def outputs(**changes: object) -> str:
    value = {**VARIABLES, "NEURALKG_LOG": "info", **changes}
    return json.dumps(
        {
            "environment": {"sensitive": False, "type": ["map", "string"], "value": value},
            "topics": {"sensitive": False, "type": ["map", "string"], "value": {}},
        }
    )


def command(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "functions.local.cli", "environment", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_variables_are_those_that_a_function_is_given() -> None:
    found = environment_of(outputs(), "outputs.json")
    assert found == VARIABLES
    settings = CloudSettings.from_environment(found)
    assert (settings.project, settings.archive) == ("my-project-1", VARIABLES["NEURALKG_ARCHIVE"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not JSON"),
        ("[]", "no output 'environment'"),
        ("{}", "no output 'environment'"),
        ('{"environment": {"value": null}}', "no output 'environment'"),
        ('{"environment": "dev"}', "no output 'environment'"),
    ],
)
def test_what_terraform_did_not_print_is_told(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        environment_of(text, "outputs.json")
    assert "terraform output -json" in str(error.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_variable_that_is_missing_is_named(name: str) -> None:
    with pytest.raises(UsageError, match=f"lacks {name}"):
        environment_of(outputs(**{name: None}), "outputs.json")


def test_a_value_that_no_function_would_take_is_refused() -> None:
    with pytest.raises(UsageError, match="GOOGLE_CLOUD_PROJECT is 'my project'"):
        environment_of(outputs(GOOGLE_CLOUD_PROJECT="my project"), "outputs.json")


def test_a_shell_can_take_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "outputs.json"
    file.write_text(outputs(NEURALKG_INDEX="gs://bucket/a$b"), encoding="utf-8")
    done = command(str(file))
    assert done.returncode == 0, done.stderr
    shell = subprocess.run(
        ["/bin/sh", "-c", 'eval "$1"; echo "$NEURALKG_INDEX $NEURALKG_ENVIRONMENT"', "sh", done.stdout],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shell.stdout == "gs://bucket/a$b dev\n"


def test_it_is_read_from_a_pipe_too_and_given_as_json() -> None:
    done = command("-", "--json", given=outputs())
    assert json.loads(done.stdout) == VARIABLES


def test_a_file_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    done = command(str(tmp_path / "none.json"))
    assert done.returncode == 2
    assert "none.json cannot be read" in done.stderr

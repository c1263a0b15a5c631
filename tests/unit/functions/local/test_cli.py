from __future__ import annotations

from importlib import metadata

from typer.testing import CliRunner

from functions.local.checks import figures
from functions.local.cli import app


def test_the_version_is_that_of_the_package() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"neuralkg {metadata.version('neuralkg')}\n")


def test_the_doctor_gives_each_date_of_the_figures_once() -> None:
    found = {finding.name: finding.detail for finding in figures()}
    dates = "2021-02, 2021-09-15, 2023, 2024, 2026-04, 2026-07-01"
    assert found["Figures of worldbank"] == f"recorded; their files are of {dates}"

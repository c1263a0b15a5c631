"""``neuralkg index build``: over the program's leaves, and over publishers' catalogs in one go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from finder_index import cli_actions
from finder_index.cli_actions import verify_index
from functions.local.cli import app
from tests.support.finder_corpora import CountingEmbedder

EXTRACTS = Path(__file__).parents[2] / "finder_index" / "generators" / "extracts"


def test_catalogs_become_leaves_and_an_index_in_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_actions, "embedder_of_environment", CountingEmbedder)
    index, corpus = tmp_path / "index", tmp_path / "corpus"
    words = ["index", "build", "--catalogs", str(EXTRACTS), "--index", str(index), "--corpus", str(corpus)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    entries = json.loads((index / "manifest.json").read_text())["entries"]
    assert entries > 500
    assert f"{entries:,} leaves of " in done.stdout
    assert f"{entries:,} entries: {entries:,} embedded anew" in done.stdout
    assert verify_index(index, corpus) == []
    again = CliRunner().invoke(app, words)
    assert f"{entries:,} entries: 0 embedded anew, {entries:,} unchanged" in again.stdout


def test_a_folder_without_catalogs_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["index", "build", "--catalogs", str(tmp_path / "none")])
    assert done.exit_code != 0
    assert "here is no folder of catalogs at" in done.output

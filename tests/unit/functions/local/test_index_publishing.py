"""``neuralkg index publish``, ``generations``, ``rollback`` and ``fetch`` at the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from finder_index.build import build_index
from finder_index.index import damaged_files
from functions.local.cli import app
from tests.support.archives import address_of
from tests.support.finder_corpora import CountingEmbedder, make_corpus


def built(root: Path, title: str) -> Path:
    corpus = make_corpus(root / title, {"alpha": {"a": title, "b": "Tea harvest"}})
    asyncio.run(build_index(corpus, corpus / "index", CountingEmbedder()))
    return corpus / "index"


def neuralkg(*words: object) -> Result:
    return CliRunner().invoke(app, ["index", *map(str, words)])


@pytest.mark.parametrize("kind", ["folder", "gcs"])
def test_an_index_is_published_listed_rolled_back_and_fetched(kind, request, tmp_path, monkeypatch):
    address = address_of(kind, request, tmp_path, monkeypatch)
    one, two = built(tmp_path, "One"), built(tmp_path, "Two")
    first = neuralkg("publish", "--to", address, "--index", one)
    assert first.exit_code == 0, first.output
    assert "pieces uploaded" in first.stdout
    again = neuralkg("publish", "--to", address, "--index", one)
    assert "is in use already and has these very files; nothing was uploaded" in again.stdout
    second = neuralkg("publish", "--to", address, "--index", two)
    names = [done.stdout.split()[0] for done in (first, second)]
    assert neuralkg("generations", "--at", address).stdout.splitlines() == [f"  {names[0]}", f"* {names[1]}"]
    assert neuralkg("rollback", "--at", address).stdout == f"{names[0]} is in use.\n"
    assert neuralkg("generations", "--at", address).stdout.splitlines() == [f"* {names[0]}", f"  {names[1]}"]
    fetched = neuralkg("fetch", "--from", address, "--to", tmp_path / "local")
    path = Path(fetched.stdout.strip())
    assert path == tmp_path / "local" / names[0]
    assert damaged_files(path) == []
    last = neuralkg("publish", "--to", address, "--index", two, "--keep", 1)
    assert f"No longer kept: {names[0]}" in last.stdout


def test_bad_addresses_and_names_are_told_and_leave_with_their_codes(tmp_path):
    bad = neuralkg("publish", "--to", "ftp://host/index", "--index", tmp_path)
    assert bad.exit_code == 2
    assert "must be gs://bucket/prefix, s3://bucket/prefix or a folder's path" in bad.stderr.replace("\n", " ")
    nothing = neuralkg("rollback", "--at", tmp_path / "empty")
    assert nothing.exit_code == 2
    assert "no generation to go back to" in nothing.stderr
    empty = neuralkg("fetch", "--from", tmp_path / "empty", "--to", tmp_path / "local")
    assert empty.exit_code == 1
    assert "no index is published at" in empty.stderr.lower()

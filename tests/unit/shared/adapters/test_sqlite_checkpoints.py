"""The log of the SQLite file is carried into the file beside the commits, and waited for by nobody."""

from __future__ import annotations

import logging
import shutil
import sqlite3

from shared.adapters import sqlite_checkpoints
from shared.adapters.sqlite_checkpoints import Checkpoints
from shared.adapters.sqlite_store import SqliteStore
from tests.unit.shared.adapters.test_sqlite_store import open_at, run


def runs_without_the_log(path, copy):
    """How many runs the file holds by itself."""
    shutil.copy(path, copy)
    db = sqlite3.connect(copy)
    try:
        ((count,),) = db.execute("SELECT count(*) FROM runs").fetchall()
    finally:
        db.close()
    return count


async def test_after_so_many_commits_the_log_is_carried_over(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_checkpoints, "EVERY", 20)
    path = tmp_path / "runs.sqlite3"
    store: SqliteStore = open_at(path)
    for n in range(19):
        await store.create(run(f"run-{n}"))
    before = path.stat().st_size
    await store.create(run("run-19"))
    store._file._checkpoints.close()  # waits for it
    assert path.stat().st_size > before
    assert runs_without_the_log(path, tmp_path / "copy.sqlite3") == 20
    await store.create(run("another"))
    assert (await store.get("another")).run_id == "another"
    assert len(await store.recent()) == 21
    await store.close()


def test_a_checkpoint_that_fails_is_told_and_harms_nothing(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(sqlite_checkpoints, "EVERY", 1)
    checkpoints = Checkpoints(tmp_path / "no folder" / "runs.sqlite3")
    with caplog.at_level(logging.WARNING):
        checkpoints.committed()
        checkpoints.close()
    assert "could not be carried into the file" in caplog.text

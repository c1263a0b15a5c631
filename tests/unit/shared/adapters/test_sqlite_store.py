"""What is particular to the SQLite file: what it is mistaken for, and how its troubles are told."""

import os
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.adapters.sqlite_file import APPLICATION_ID, SCHEMA_VERSION
from shared.adapters.sqlite_store import SqliteStore
from shared.query.annotated import AskOptions
from shared.runtime.errors import StoreCorrupt, StoreUnavailable
from shared.runtime.records import RunRecord

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def run(run_id="one", question="?"):
    return RunRecord(
        run_id=run_id,
        question=question,
        options=AskOptions(),
        created_at=NOW,
        deadline_at=NOW + timedelta(seconds=60),
        expires_at=NOW + timedelta(days=7),
        cursor_stage="understand",
    )


def open_at(path, **rest):
    return SqliteStore(path, clock=lambda: NOW, **rest)


async def test_the_folder_is_made_and_the_file_marked_as_ours(tmp_path):
    path = tmp_path / "deep" / "er" / "runs.sqlite3"
    store = open_at(path)
    await store.create(run())
    await store.close()
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()


def test_a_file_that_is_not_a_database_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / "runs.sqlite3"
    path.write_bytes(b"my shopping list\n" * 100)
    with pytest.raises(StoreCorrupt, match=r"runs\.sqlite3 is damaged or is not a database"):
        open_at(path)
    assert path.read_bytes() == b"my shopping list\n" * 100


def test_a_database_of_something_else_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / "runs.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="a database of something else"):
        open_at(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(("other", "age"), [(SCHEMA_VERSION + 1, "a newer"), (SCHEMA_VERSION - 1, "an older")])
def test_a_file_of_another_version_is_refused(tmp_path, other, age):
    path = tmp_path / "runs.sqlite3"
    open_at(path)
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {other}")
    db.close()
    with pytest.raises(StoreCorrupt, match=f"{age} version .schema {other},"):
        open_at(path)


async def test_a_file_that_is_damaged_in_the_middle_is_told(tmp_path):
    path = tmp_path / "runs.sqlite3"
    store = open_at(path)
    for n in range(50):
        await store.create(run(f"run-{n}", "x" * 2000))
    await store.close()
    whole = bytearray(path.read_bytes())
    whole[4096:] = os.urandom(len(whole) - 4096)
    path.write_bytes(whole)
    with pytest.raises(StoreCorrupt, match="damaged"):
        await open_at(path).recent()


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match=r"the folder of the run store .* cannot be made"):
        open_at(tmp_path / "file" / "runs.sqlite3")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_is_read_only_is_told(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreUnavailable, match="read only"):
            open_at(tmp_path / "runs.sqlite3")
    finally:
        tmp_path.chmod(0o700)


async def test_a_full_disk_is_told_and_what_was_committed_stays(tmp_path):
    store = open_at(tmp_path / "runs.sqlite3")
    await store.create(run("kept"))
    # The page limit is SQLite's own way to run out of room.
    (pages,) = store._file._connection.execute("PRAGMA page_count").fetchone()
    store._file._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreUnavailable, match="the disk is full"):
        await store.create(run("lost", "x" * 1_000_000))
    store._file._connection.execute("PRAGMA max_page_count = 1000000")
    assert [found.run_id for found in await store.recent()] == ["kept"]
    await store.create(run("after"))
    await store.close()


async def test_a_file_held_too_long_by_another_process_is_told(tmp_path):
    store = open_at(tmp_path / "runs.sqlite3", patience=0.1)
    other = sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="held by another process"):
        await store.create(run())
    assert await store.recent() == []  # readers are never held up
    other.execute("ROLLBACK")
    other.close()
    await store.create(run())
    await store.close()


async def test_a_store_that_was_closed_says_so(tmp_path):
    store = open_at(tmp_path / "runs.sqlite3")
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable, match="is closed"):
        await store.recent()


def test_many_openers_at_once_make_one_store(tmp_path):
    stores, failures = [], []

    def opening():
        try:
            stores.append(open_at(tmp_path / "runs.sqlite3", patience=20))
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=opening) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(stores) == 6
    for store in stores:
        store._file._connection.close()


def test_times_are_kept_to_the_microsecond(tmp_path: Path):
    exact = datetime(2026, 3, 1, 23, 59, 59, 999_999, tzinfo=UTC)
    from shared.adapters.sqlite_rows import micros, moment

    assert moment(micros(exact)) == exact


async def test_a_row_that_cannot_be_read_is_told(tmp_path):
    store = open_at(tmp_path / "runs.sqlite3")
    await store.create(run())
    store._file._connection.execute("UPDATE runs SET options = '{\"colour\": 1}'")
    with pytest.raises(StoreCorrupt, match=r"holds a row that cannot be read .AskOptions."):
        await store.get("one")
    await store.close()

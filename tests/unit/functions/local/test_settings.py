from __future__ import annotations

from pathlib import Path

import pytest

from functions.ask.intake import BadInput
from functions.local.settings import STORE_NAME, Settings
from shared.adapters.sqlite_file import SCHEMA_VERSION


def test_the_home_is_in_the_users_data_folder() -> None:
    assert Settings.from_environment({"HOME": "/home/ada"}).home == Path("/home/ada/.local/share/neuralkg")
    assert Settings.from_environment({"HOME": "/h", "XDG_DATA_HOME": "/data"}).home == Path("/data/neuralkg")
    assert Settings.from_environment({"HOME": "/h", "XDG_DATA_HOME": "relative"}).home == Path(
        "/h/.local/share/neuralkg"
    )


def test_store_and_archive_lie_in_the_home_unless_named() -> None:
    settings = Settings.from_environment({"NEURALKG_HOME": "/kept"})
    assert (settings.store, settings.archive) == (Path("/kept/runs-3.sqlite3"), Path("/kept/archive"))
    named = Settings.from_environment({"NEURALKG_STORE": "/a/b.db", "NEURALKG_ARCHIVE": "/c", "HOME": "/h"})
    assert (named.store, named.archive) == (Path("/a/b.db"), Path("/c"))


def test_the_stores_name_tells_its_schema() -> None:
    assert f"runs-{SCHEMA_VERSION}.sqlite3" == STORE_NAME


def test_defaults_and_values() -> None:
    settings = Settings.from_environment({"HOME": "/h"})
    assert (settings.live, settings.concurrency, settings.deadline_seconds) == (False, 3, 60.0)
    assert (settings.per_minute, settings.proxies) == (0, 0)
    rates = Settings.from_environment({"HOME": "/h", "NEURALKG_RATE": "30", "NEURALKG_PROXIES": "1"})
    assert (rates.per_minute, rates.proxies) == (30, 1)
    values = {"NEURALKG_LIVE": "1", "NEURALKG_CONCURRENCY": "8", "NEURALKG_DEADLINE": "12.5", "HOME": "/h"}
    settings = Settings.from_environment(values)
    assert (settings.live, settings.concurrency, settings.deadline_seconds) == (True, 8, 12.5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NEURALKG_LIVE", "maybe"),
        ("NEURALKG_CONCURRENCY", "0"),
        ("NEURALKG_CONCURRENCY", "-1"),
        ("NEURALKG_CONCURRENCY", "many"),
        ("NEURALKG_CONCURRENCY", "65"),
        ("NEURALKG_RATE", "often"),
        ("NEURALKG_RATE", "9999999999999999999999"),
        ("NEURALKG_PROXIES", "11"),
        ("NEURALKG_DEADLINE", "0"),
        ("NEURALKG_DEADLINE", "nan"),
        ("NEURALKG_DEADLINE", "soon"),
        ("NEURALKG_LOG", "banana"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=name):
        Settings.from_environment({name: value, "HOME": "/h"})

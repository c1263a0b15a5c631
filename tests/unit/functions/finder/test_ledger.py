"""Counters and quotas outlive the process, are added up over processes, and never stop a search."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from functions.finder.faults import QuotaSpent
from functions.finder.ledger import Ledger
from functions.finder.settings import FinderSettings
from shared.query.discovery import FinderUsage, StepUsage
from shared.runtime.errors import UsageError
from tests.support.finder_service import client, service, small_finder

USAGE = FinderUsage(
    seconds=0.5,
    model_calls=2,
    tokens=70,
    usd="0.00057",
    steps=(StepUsage(step="rerank", seconds=0.4, model="ranker", calls=2, tokens=70, usd="0.00057"),),
)


def test_counters_survive_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "state.sqlite3"
    first = Ledger(file)
    first.record("match", 0.1, USAGE)
    first.record("503", 2.0)
    first.charge("a", 10)
    first.flush()
    second = Ledger(file)
    found = second.summary()
    assert found["searches"] == {"total": 2, "last_at": found["searches"]["last_at"], "callers_today": 1}
    assert found["outcomes"] == {"match": 1, "503": 1}
    assert found["failures_by_status"] == {"503": 1}
    assert found["models"] == {"ranker": {"calls": 2, "tokens": 70, "usd": "0.00057"}}
    assert found["since"] == first.summary()["since"]
    assert found["kept"] == {"survives_restart": True, "problem": None}


def test_what_was_written_once_is_not_written_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "s")
    ledger.record("match", 0.1)
    ledger.flush()
    ledger.flush()
    assert ledger.summary()["searches"]["total"] == 1
    assert Ledger(tmp_path / "s").summary()["searches"]["total"] == 1


def test_two_processes_add_up(tmp_path: Path) -> None:
    one, two = Ledger(tmp_path / "s"), Ledger(tmp_path / "s")
    for ledger in (one, two):
        ledger.record("match", 0.1)
        ledger.flush()
    assert Ledger(tmp_path / "s").summary()["searches"]["total"] == 2


def test_a_quota_survives_a_restart_and_ends_with_the_day(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    ledger = Ledger(tmp_path / "s")
    assert ledger.charge("a", 1, now=now) == 0
    ledger.flush()
    again = Ledger(tmp_path / "s")
    with pytest.raises(QuotaSpent) as refused:
        again.charge("a", 1, now=now)
    assert 0 < refused.value.seconds <= 86_401
    assert again.charge("a", 1, now=now + timedelta(days=1)) == 0


def test_addresses_are_not_kept(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "s")
    ledger.charge("192.0.2.77", 5)
    ledger.flush()
    assert b"192.0.2.77" not in (tmp_path / "s").read_bytes()


def test_a_file_that_cannot_be_written_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"not a database at all, for certain" * 10)
    ledger = Ledger(tmp_path / "s")
    ledger.record("match", 0.1)
    ledger.charge("a", 5)
    ledger.flush()
    found = ledger.summary()
    assert found["searches"]["total"] == 1
    assert found["kept"]["survives_restart"] is False
    assert "not a database" in found["kept"]["problem"]


def test_the_median_and_the_95th_percentile_are_within_a_bucket() -> None:
    ledger = Ledger()
    for _ in range(90):
        ledger.record("match", 0.1)
    for _ in range(10):
        ledger.record("match", 3.0)
    found = ledger.summary()["latency_seconds"]
    assert 0.1 <= found["median"] <= 0.115
    assert 3.0 <= found["p95"] <= 3.45


async def test_the_service_writes_its_counters_when_it_ends(tmp_path: Path) -> None:
    app = service(await small_finder(tmp_path), tmp_path, state=tmp_path / "s")
    async with app.router.lifespan_context(app), client(app) as http:
        await http.post("/search", json={"query": {"text": "interest rate"}})
        assert (await http.get("/stats.json")).json()["searches"]["total"] == 1
    app = service(await small_finder(tmp_path), tmp_path, state=tmp_path / "s")
    async with client(app) as http:
        assert (await http.get("/stats.json")).json()["searches"]["total"] == 1
        assert (await http.get("/health")).json()["searches"]["total"] == 1
        assert "searches" in (await http.get("/stats")).text


def test_settings_are_read_under_their_documented_names() -> None:
    settings = FinderSettings.from_environment(
        {
            "AGENT_FINDER_PORT": "7860",
            "AGENT_FINDER_BIND_HOST": "0.0.0.0",
            "SEARCH_LIMIT_PER_DAY": "0",
            "TRUST_PROXY": "1",
            "AGENT_FINDER_QUERY_TIMEOUT": "30",
            "AGENT_FINDER_MAX_BODY": "1000",
            "NEURALKG_HOME": "home",
            "ARD_UPSTREAMS": "other=https://other.example/search",
        }
    )
    assert (settings.port, settings.host, settings.daily_limit, settings.trusted_proxies) == (7860, "0.0.0.0", 0, 1)
    assert (settings.query_seconds, settings.max_body) == (30.0, 1000)
    assert settings.state == Path("home/finder.sqlite3")
    assert [upstream.url for upstream in settings.upstreams] == ["https://other.example/search"]
    assert FinderSettings.from_environment({}) == FinderSettings()
    assert FinderSettings.from_environment({"K_SERVICE": "finder"}).query_seconds == 55.0
    for bad in ({"AGENT_FINDER_PORT": "x"}, {"TRUST_PROXY": "-1"}, {"ARD_UPSTREAMS": "nothing"}):
        with pytest.raises(UsageError, match=next(iter(bad))):
            FinderSettings.from_environment(bad)

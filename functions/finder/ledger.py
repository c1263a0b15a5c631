"""Counters and daily quotas that survive a restart: one SQLite file, written now and then, or memory alone.

Several processes may share the file: each adds what it counted since it last wrote. A file that cannot be
written stops no search; ``/health`` says so.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any

from functions.finder.faults import QuotaSpent
from shared.query.discovery import FinderUsage
from shared.query.quantity import exact_decimal

KEPT_DAYS = 90
_BUCKET = 1.15
_NANO = 10**9
_SCHEMA = """
create table if not exists counters (day text, name text, value integer, primary key (day, name)) without rowid;
create table if not exists callers (day text, caller text, value integer, primary key (day, caller)) without rowid;
create table if not exists facts (name text primary key, value text) without rowid;
"""


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


@dataclass(slots=True)
class Ledger:
    """Counts searches. ``path`` is ``None`` for memory alone; ``problem`` says why a file is not kept."""

    path: Path | None = None
    problem: str | None = None
    since: datetime = field(default_factory=utc_now)
    _known: Counter[tuple[str, str]] = field(default_factory=Counter)
    _added: Counter[tuple[str, str]] = field(default_factory=Counter)
    _callers: Counter[tuple[str, str]] = field(default_factory=Counter)
    _callers_added: Counter[tuple[str, str]] = field(default_factory=Counter)
    _last: str = ""
    _salt: str = field(default_factory=lambda: secrets.token_hex(8))
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._written(self._load)

    # ---- what is counted -----------------------------------------------------------------------

    def charge(self, caller: str, limit: int, *, now: datetime | None = None) -> int | None:
        """Take one search off a caller's day; returns how many are left. Raises ``QuotaSpent``."""
        at = now or utc_now()
        key = (at.date().isoformat(), hashlib.sha256(f"{self._salt}{caller}".encode()).hexdigest()[:16])
        with self._lock:
            used = self._callers[key]
            if limit and used >= limit:
                midnight = datetime.combine(at.date() + timedelta(days=1), datetime.min.time(), UTC)
                self._count(key[0], "refused:quota")
                raise QuotaSpent(limit, max(1, int((midnight - at).total_seconds()) + 1))
            self._callers[key] += 1
            self._callers_added[key] += 1
        return limit - used - 1 if limit else None

    def record(self, outcome: str, seconds: float, usage: FinderUsage | None = None) -> None:
        """Count one search: ``match``, ``no_match``, ``left`` or the status of a failure."""
        now = utc_now()
        day = now.date().isoformat()
        with self._lock:
            self._last = now.isoformat(timespec="seconds")
            self._count(day, "searches")
            self._count(day, f"outcome:{outcome}")
            self._count(day, f"seconds:{_bucket(seconds)}")
            for step in usage.steps if usage else ():
                name = step.model or "none"
                self._count(day, f"step:{step.step}:microseconds", round(step.seconds * 1e6))
                if step.model:
                    self._count(day, f"model:{name}:calls", max(1, step.calls))
                    self._count(day, f"model:{name}:tokens", step.tokens)
                    self._count(day, f"model:{name}:nanodollars", round(exact_decimal(step.usd) * _NANO))

    def _count(self, day: str, name: str, value: int = 1) -> None:
        self._added[day, name] += value

    # ---- what is told --------------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """The totals, for ``/health`` and ``/stats.json``."""
        with self._lock:
            counts = self._known + self._added
            callers = len({caller for (_, caller), used in self._callers.items() if used})
            last = self._last
        totals = _totals(counts)
        days = sorted({day for day, _ in counts}, reverse=True)
        per_day = {day: _totals(Counter({k: v for k, v in counts.items() if k[0] == day})) for day in days}
        return {
            "searches": {"total": totals.pop("total"), "last_at": last or None, "callers_today": callers},
            **totals,
            "days": {
                day: {"total": found["total"], "outcomes": found["outcomes"]} for day, found in per_day.items()
            },
            "kept": {"survives_restart": self.path is not None and self.problem is None, "problem": self.problem},
            "since": self.since.isoformat(timespec="seconds"),
        }

    # ---- the file ------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write what was counted since the last time; it stays counted if the file cannot be written."""
        if not self.path:
            return
        with self._lock:
            added, callers = +self._added, +self._callers_added
            if self._written(lambda: self._write(added, callers)):
                self._known += added
                self._added.subtract(added)
                self._callers_added.subtract(callers)

    def _written(self, work: Any) -> bool:
        if not self.path:
            return False
        try:
            work()
        except (sqlite3.Error, OSError) as error:
            self.problem = f"counters are not kept: {error}"
            return False
        self.problem = None
        return True

    def _open(self) -> sqlite3.Connection:
        assert self.path is not None  # noqa: S101 - only called where there is a file
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=2.0)
        try:
            connection.executescript(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _load(self) -> None:
        today = utc_now().date().isoformat()
        with closing(self._open()) as file, file:
            file.execute("insert or ignore into facts values ('salt', ?)", (self._salt,))
            file.execute("insert or ignore into facts values ('since', ?)", (self.since.isoformat(),))
            facts = dict(file.execute("select name, value from facts"))
            self._salt, self._last = facts["salt"], facts.get("last", "")
            self.since = datetime.fromisoformat(facts["since"])
            for day, name, value in file.execute("select day, name, value from counters"):
                self._known[day, name] += value
            for day, caller, value in file.execute(
                "select day, caller, value from callers where day = ?", (today,)
            ):
                self._callers[day, caller] += value

    def _write(self, added: Mapping[tuple[str, str], int], callers: Mapping[tuple[str, str], int]) -> None:
        add = "on conflict do update set value = value + excluded.value"
        today = utc_now().date()
        with closing(self._open()) as file, file:
            rows = [(*key, value) for key, value in added.items()]
            file.executemany(f"insert into counters values (?, ?, ?) {add}", rows)  # noqa: S608 - a constant
            rows = [(*key, value) for key, value in callers.items()]
            file.executemany(f"insert into callers values (?, ?, ?) {add}", rows)  # noqa: S608
            file.execute("insert or replace into facts values ('last', ?)", (self._last,))
            file.execute("delete from callers where day < ?", (today.isoformat(),))
            file.execute("delete from counters where day < ?", ((today - timedelta(days=KEPT_DAYS)).isoformat(),))


def _bucket(seconds: float) -> int:
    """The least n for which 1 ms times 1.15 to the n is not less."""
    edge, n = 0.001, 0
    while edge < seconds and n < 200:
        edge, n = edge * _BUCKET, n + 1
    return n


def _totals(counts: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    by_name: Counter[str] = Counter()
    for (_, name), value in counts.items():
        by_name[name] += value
    outcomes = {name.partition(":")[2]: n for name, n in by_name.items() if name.startswith("outcome:")}
    buckets = sorted((int(name.partition(":")[2]), n) for name, n in by_name.items() if name.startswith("seconds:"))
    return {
        "total": by_name["searches"],
        "outcomes": outcomes,
        "failures_by_status": {name: n for name, n in outcomes.items() if name.isdecimal()},
        "refused_by_quota": by_name["refused:quota"],
        "latency_seconds": {"median": _quantile(buckets, 0.5), "p95": _quantile(buckets, 0.95)},
        "steps": _steps(by_name),
        "models": _models(by_name),
    }


def _quantile(buckets: list[tuple[int, int]], share: float) -> float | None:
    """The upper edge of the bucket in which the quantile lies, so at most 15% too high."""
    total, seen = sum(n for _, n in buckets), 0
    for bucket, n in buckets:
        seen += n
        if seen >= share * total:
            return round(0.001 * float(_BUCKET**bucket), 4)
    return None


def _steps(by_name: Mapping[str, int]) -> dict[str, float]:
    parts = {name.split(":")[1]: n for name, n in by_name.items() if name.startswith("step:")}
    return {step: round(microseconds / 1e6, 6) for step, microseconds in parts.items()}


def _models(by_name: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, value in by_name.items():
        if name.startswith("model:"):
            model, _, unit = name.removeprefix("model:").rpartition(":")
            dollars = unit == "nanodollars"
            known = found.setdefault(model, {"calls": 0, "tokens": 0, "usd": "0"})
            known["usd" if dollars else unit] = format(exact_decimal(value) / _NANO, "f") if dollars else value
    return found

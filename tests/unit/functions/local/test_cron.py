"""Schedules come round when cron says."""

from __future__ import annotations

from datetime import datetime

import pytest

from functions.local.cron import Schedule
from shared.runtime.errors import UsageError


@pytest.mark.parametrize(
    ("schedule", "now", "then"),
    [
        ("* * * * *", "2026-03-01T10:00:59", "2026-03-01T10:01:00"),
        ("* * * * *", "2026-12-31T23:59:00", "2027-01-01T00:00:00"),
        ("*/15 * * * *", "2026-03-01T10:45:00", "2026-03-01T11:00:00"),
        ("5/20 * * * *", "2026-03-01T10:06:00", "2026-03-01T10:25:00"),
        ("0 6 * * *", "2026-03-01T06:00:00", "2026-03-02T06:00:00"),
        ("30 9-17/4 * * 1-5", "2026-03-06T17:30:00", "2026-03-09T09:30:00"),
        ("0 0 1,15 * *", "2026-03-01T00:00:00", "2026-03-15T00:00:00"),
        ("0 0 29 2 *", "2026-03-01T00:00:00", "2028-02-29T00:00:00"),
        ("0 0 13 * 5", "2026-03-07T00:00:00", "2026-03-13T00:00:00"),
        ("0 0 13 * 5", "2026-03-13T00:00:00", "2026-03-20T00:00:00"),
        ("0 0 * * 7", "2026-03-02T00:00:00", "2026-03-08T00:00:00"),
    ],
)
def test_the_next_time_is_that_of_cron(schedule: str, now: str, then: str) -> None:
    assert Schedule(schedule).after(datetime.fromisoformat(now)) == datetime.fromisoformat(then)


@pytest.mark.parametrize(
    ("schedule", "told"),
    [
        ("every minute", "has 2 fields"),
        ("60 * * * *", "'60' for the minute"),
        ("* * * JAN *", "'JAN' for the month"),
        ("5-1 * * * *", "'5-1' for the minute"),
        ("*/0 * * * *", "'\\*/0' for the minute"),
        ("* * 0 * *", "'0' for the day"),
        ("0 0 31 2 *", "never comes round"),
    ],
)
def test_what_is_no_schedule_is_told(schedule: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Schedule(schedule).after(datetime(2026, 3, 1))  # noqa: DTZ001 - the minute is what counts

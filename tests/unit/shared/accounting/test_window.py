from datetime import UTC, datetime, timedelta

import pytest

from shared.accounting.window import window
from shared.runtime.errors import UsageError

NOW = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "until", "start", "end"),
    [
        (None, None, NOW - timedelta(days=1), NOW),
        ("90m", None, NOW - timedelta(minutes=90), NOW),
        ("7d", None, NOW - timedelta(days=7), NOW),
        ("4w", "1d", NOW - timedelta(weeks=4), NOW - timedelta(days=1)),
        ("2026-11-01", "2026-11-30", datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)),
        ("2026-11-30T08:00+02:00", None, datetime(2026, 11, 30, 6, tzinfo=UTC), NOW),
        ("2026-11-30T08:00", "2026-11-30T09:00Z", NOW.replace(hour=8, minute=0), NOW.replace(hour=9, minute=0)),
    ],
)
def test_a_period_is_a_span_a_date_or_a_time(since, until, start, end):
    found = window(since, until, now=NOW)
    assert (found.start, found.end) == (start, end)


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        ("yesterday", None, "since is 'yesterday'; it must be a span such as 90m"),
        ("24", None, "since is '24'"),
        ("2026-13-01", None, "since is '2026-13-01'"),
        ("99999w", None, "longer than 366 days"),
        ("1h", "2h", "is empty"),
        ("2026-12-24", None, "is empty"),
        ("1h", "soon", "until is 'soon'"),
        ("2020-01-01", None, "longer than 366 days"),
        ("-1h", None, "since is '-1h'"),
    ],
)
def test_a_period_that_cannot_be_is_told_with_what_is_allowed(since, until, told):
    with pytest.raises(UsageError, match=told):
        window(since, until, now=NOW)


def test_a_window_holds_its_start_and_not_its_end_and_touches_whole_days():
    found = window("2026-11-29T23:59", "2026-11-30T00:01", now=NOW)
    assert found.holds(found.start)
    assert not found.holds(found.end)
    assert [str(day) for day in found.days] == ["2026-11-29", "2026-11-30"]
    assert [str(day) for day in window("2026-11-29", "2026-11-29", now=NOW).days] == ["2026-11-29"]

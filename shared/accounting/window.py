"""The span of time that a report is about, as a person writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Self

from pydantic import model_validator

from shared.query.quantity import Frozen
from shared.runtime.errors import UsageError

DEFAULT_SINCE = "24h"
LONGEST = timedelta(days=366)

_SPAN = re.compile(r"([0-9]{1,5})([mhdw])")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_FORMS = "a span such as 90m, 24h, 7d or 4w, a date such as 2026-11-30, or a time such as 2026-11-30T08:00Z"
_ALLOWED = {"since": _FORMS, "until": f"{_FORMS}, later than since", "longest": f"{LONGEST.days} days"}


class Window(Frozen):
    """From ``start`` until just before ``end``, both in UTC."""

    start: datetime
    end: datetime

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.start >= self.end:
            raise ValueError("the window ends before it begins")
        return self

    @property
    def seconds(self) -> float:
        """How long it is."""
        return (self.end - self.start).total_seconds()

    @property
    def days(self) -> Iterator[date]:
        """Every day (UTC) that it touches, in order."""
        day = self.start.date()
        while datetime.combine(day, time(), UTC) < self.end:
            yield day
            day += timedelta(days=1)

    def holds(self, moment: datetime) -> bool:
        """Whether ``moment`` lies in it."""
        return self.start <= moment < self.end


def window(since: str | None = None, until: str | None = None, *, now: datetime) -> Window:
    """The window that was asked for, by default the last 24 hours. Raises ``UsageError`` saying what is allowed.

    A date alone begins at midnight UTC; as ``until`` it names the last day that counts.
    """
    end = now if not until else _moment("until", until, now, last=True)
    start = _moment("since", since or DEFAULT_SINCE, now, last=False)
    if start >= end:
        raise UsageError(
            f"the period from {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} (UTC) is empty: "
            "since must name an earlier time than until",
            allowed=_ALLOWED,
            do="Give an earlier since or a later until.",
        )
    if end - start > LONGEST:
        raise UsageError(
            f"the period is longer than {LONGEST.days} days; ask for less at a time",
            allowed=_ALLOWED,
            do="Ask for less at a time.",
        )
    return Window(start=start.astimezone(UTC), end=end.astimezone(UTC))


def _moment(option: str, text: str, now: datetime, *, last: bool) -> datetime:
    given = text.strip()
    try:
        if span := _SPAN.fullmatch(given):
            return now - int(span[1]) * _UNITS[span[2]]
        if re.fullmatch(r"\d{4}-\d\d-\d\d", given):
            return datetime.combine(date.fromisoformat(given), time(), UTC) + timedelta(days=int(last))
        moment = datetime.fromisoformat(given)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{option} is {text[:80]!r}; it must be {_FORMS}",
            allowed=_FORMS,
            do=f"Give {option} in one of these forms, such as {option}=7d.",
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

"""When a schedule of the table of functions comes round, as Cloud Scheduler reads it."""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.runtime.errors import UsageError

_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_LONGEST = timedelta(days=4 * 366)
"""The 29th of February is the rarest of times."""


class Schedule:
    """Five fields of numbers, ``*``, ranges, lists and steps; raises ``UsageError`` for anything else."""

    def __init__(self, text: str) -> None:
        fields = text.split()
        if len(fields) != len(_FIELDS):
            raise UsageError(f"the schedule {text!r} has {len(fields)} fields; it takes five, such as * * * * *")
        self.text = text
        self._minutes, self._hours, self._days, self._months, weekdays = (
            _numbers(field, *bounds, schedule=text) for field, bounds in zip(fields, _FIELDS, strict=True)
        )
        self._weekdays = {day % 7 for day in weekdays}
        # Where both days are named, either will do; that is how cron has always read them.
        self._either = not fields[2].startswith("*") and not fields[4].startswith("*")

    def after(self, now: datetime) -> datetime:
        """The first time after ``now``, to the minute."""
        then = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
        while then - now < _LONGEST:
            if then.month not in self._months or not self._has_day(then):
                then = then.replace(hour=0, minute=0) + timedelta(days=1)
            elif then.hour not in self._hours:
                then = then.replace(minute=0) + timedelta(hours=1)
            elif then.minute not in self._minutes:
                then += timedelta(minutes=1)
            else:
                return then
        raise UsageError(f"the schedule {self.text!r} never comes round")

    def _has_day(self, then: datetime) -> bool:
        day, weekday = then.day in self._days, then.isoweekday() % 7 in self._weekdays
        return day or weekday if self._either else day and weekday


def _numbers(field: str, name: str, least: int, most: int, *, schedule: str) -> set[int]:
    found: set[int] = set()
    for part in field.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            first, last = str(least), str(most)
        elif not dash:
            last = str(most) if slash else first
        numbers = (first, last, step if slash else "1")
        if not all(number.isdecimal() for number in numbers):
            raise _wrong(schedule, name, part)
        low, high, by = map(int, numbers)
        if not least <= low <= high <= most or by < 1:
            raise _wrong(schedule, name, part)
        found.update(range(low, high + 1, by))
    return found


def _wrong(schedule: str, name: str, part: str) -> UsageError:
    return UsageError(f"the schedule {schedule!r} has {part!r} for the {name}, which is no time of that kind")

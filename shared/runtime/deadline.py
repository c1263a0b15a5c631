"""A point in time by which work must be done, carried explicitly through every wait."""

from __future__ import annotations

import time
from dataclasses import dataclass

from shared.runtime.errors import DeadlineExceeded


@dataclass(frozen=True, slots=True)
class Deadline:
    """``at`` is on the monotonic clock, in seconds."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The deadline ``seconds`` from now."""
        return cls(time.monotonic() + seconds)

    @property
    def remaining(self) -> float:
        """Seconds left; zero when the time is up."""
        return max(0.0, self.at - time.monotonic())

    def check(self) -> None:
        """Raise ``DeadlineExceeded`` when the time is up."""
        if self.remaining <= 0.0:
            raise DeadlineExceeded("the run's time is up")

    def within(self, seconds: float) -> Deadline:
        """The earlier of this deadline and ``seconds`` from now."""
        return Deadline(min(self.at, time.monotonic() + seconds))

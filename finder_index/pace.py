"""How fast a build goes and how long it will still take, in words."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """Measures from the first figure it is given: what went before was no embedding. ``clock`` gives seconds."""

    clock: Callable[[], float] = time.monotonic
    _began: tuple[float, int] | None = field(init=False, default=None)

    def text(self, done: int, total: int) -> str:
        """``12,000 of 118,703 entries embedded, 250 a second, 7 min 6 s left``."""
        line = f"{done:,} of {total:,} entries embedded"
        now = self.clock()
        since, before = self._began = self._began or (now, done)
        if done <= before or now <= since:
            return line
        rate = (done - before) / (now - since)
        line += f", {rate:,.0f} a second"
        return line if done >= total else f"{line}, {_span((total - done) / rate)} left"


def _span(seconds: float) -> str:
    whole = max(1, round(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

"""How fast a build goes and how long it will still take, in words."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Pace:
    """Measures from its making. ``clock`` gives seconds."""

    clock: Callable[[], float] = time.monotonic
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.clock()

    def text(self, done: int, total: int) -> str:
        """``12,000 of 118,703 entries embedded, 250 a second, 7 min 6 s left``."""
        line = f"{done:,} of {total:,} entries embedded"
        elapsed = self.clock() - self._began
        if not done or elapsed <= 0:
            return line
        rate = done / elapsed
        line += f", {rate:,.0f} a second"
        return line if done >= total else f"{line}, {_span((total - done) / rate)} left"


def _span(seconds: float) -> str:
    whole = max(1, round(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

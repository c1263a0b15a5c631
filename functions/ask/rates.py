"""How often one client may ask: a steady rate with room for a burst, forgotten as time passes."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from shared.runtime.errors import NeuralKGError

REMEMBERED = 10_000
"""Clients kept in mind; what grows with the number of hostile addresses would be an attack's best help."""


class TooFast(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """A client asked more often than it may; ``seconds`` is when its next question is welcome."""

    def __init__(self, per_minute: int, seconds: float) -> None:
        super().__init__(f"you may ask {per_minute} questions a minute, and have asked more")
        self.per_minute, self.seconds = per_minute, seconds


class Rates:
    """Admits questions, ``per_minute`` for each client; 0 admits all.

    The generic cell rate algorithm: one time for each client, up to which what it asked is paid for. A client may
    be a whole minute's questions ahead, so a burst of ``per_minute`` is fine and a stream faster than that is not.
    """

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._clock = per_minute, clock
        self._paid_until: OrderedDict[str, float] = OrderedDict()

    def admit(self, client: str) -> None:
        """Count one question; raises ``TooFast`` and counts nothing when it is one too many."""
        if not self._per_minute:
            return
        now, cost = self._clock(), 60.0 / self._per_minute
        paid_until = max(now, self._paid_until.pop(client, now)) + cost
        over = paid_until - now - 60.0
        # Spent or not, the client is the one last seen; the others are forgotten first.
        self._paid_until[client] = paid_until if over <= 1e-9 else paid_until - cost
        if len(self._paid_until) > REMEMBERED:
            self._paid_until.popitem(last=False)
        if over > 1e-9:
            raise TooFast(self._per_minute, over)

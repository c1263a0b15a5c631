"""The phase guard: no model call and no resolution of meaning while a stage executes a plan."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shared.runtime.errors import PhaseViolation


@dataclass(slots=True)
class Phase:
    """The stage a run is in, and whether judgments may be asked for in it."""

    stage: str = ""
    judging_allowed: bool = True

    @contextmanager
    def during(self, stage: str, *, judging_allowed: bool) -> Iterator[None]:
        """Enter a stage, and leave it however its work ends."""
        before = (self.stage, self.judging_allowed)
        self.stage, self.judging_allowed = stage, judging_allowed
        try:
            yield
        finally:
            self.stage, self.judging_allowed = before

    def require_judging(self, what: str) -> None:
        """Raise ``PhaseViolation`` when ``what`` (a model call, a resolution) is not allowed now."""
        if not self.judging_allowed:
            raise PhaseViolation(f"{what} was asked for in {self.stage}, where only code may decide")

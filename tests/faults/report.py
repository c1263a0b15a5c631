"""What came of many questions among faults."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Report:
    """``violated`` holds what does not hold, by run; with nothing in it and no ``stray`` runs all is well."""

    how: str
    asked: int
    seconds: float = 0.0
    steps: int = 0
    attempts: int = 0
    hung: int = 0
    """Questions whose model or stage gave no answer; they end visibly when their time is up."""
    dead_letters: int = 0
    restarts: int = 0
    cuts: int = 0
    """Connections to the emulators that were cut."""
    struck: dict[str, int] = field(default_factory=dict)
    violated: dict[str, list[str]] = field(default_factory=dict)
    stray: list[str] = field(default_factory=list)
    """Runs that have not ended."""

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.violated and not self.stray

    def wrong(self, run_id: str, found: Iterable[str]) -> None:
        """Add what does not hold of a run."""
        for one in found:
            self.violated.setdefault(run_id, []).append(one)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {"passed": self.passed, **asdict(self)}

    def text(self) -> str:
        """All of it for people."""
        rate = self.asked / (self.seconds or 1)
        struck = ", ".join(f"{count} {fault}" for fault, count in self.struck.items())
        lines = [
            f"{self.how}: {self.asked} questions in {self.seconds:.1f} s, {rate:.1f} a second",
            f"  faults: {struck}; {self.hung} questions without an answer in time",
            f"  {self.restarts} processes started again, {self.cuts} connections cut, "
            f"{self.dead_letters} dead letters",
            f"  {self.steps} steps in {self.attempts} attempts",
        ]
        for run_id, found in self.violated.items():
            lines += [f"  !! {run_id}: {one}" for one in found]
        lines += [f"  !! {run_id} has not ended" for run_id in self.stray]
        lines.append("  every run ended once, and used what it uses without faults" if self.passed else "  FAILED")
        return "\n".join(lines)

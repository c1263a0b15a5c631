"""Where a fault strikes: by chance, but the same for one seed, and never twice at one place."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CALM = "calm"


@dataclass(frozen=True)
class Chances:
    """``rates`` says how often each fault strikes, from 0 to 1. ``folder`` remembers, for all processes, where.

    While there is a file called ``calm`` in the folder, none strikes.
    """

    folder: Path
    rates: Mapping[str, float]
    seed: int = 0

    @classmethod
    def from_json(cls, text: str) -> Chances:
        """What ``to_json`` wrote for another process."""
        given = json.loads(text)
        return cls(Path(given["folder"]), given["rates"], given["seed"])

    def to_json(self) -> str:
        """For another process."""
        return json.dumps({"folder": str(self.folder), "rates": dict(self.rates), "seed": self.seed})

    def strikes(self, fault: str, place: str) -> bool:
        """Whether the fault strikes here and now; a second time at one place it never does."""
        digest = hashlib.sha256(f"{self.seed} {fault} {place}".encode()).digest()
        if int.from_bytes(digest[:8]) / 2**64 >= self.rates.get(fault, 0.0):
            return False
        if (self.folder / CALM).exists():
            return False
        try:
            (self.folder / f"{fault}.{digest.hex()[:24]}").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def counted(self) -> dict[str, int]:
        """How often each fault has struck."""
        found = Counter(file.name.partition(".")[0] for file in self.folder.iterdir())
        return {fault: found[fault] for fault in self.rates}

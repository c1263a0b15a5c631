"""Vectors that a build has paid for, kept beside the index until it is whole: a build that was cut off goes on.

Two files grow together, a line of 16 bytes and a vector for each text. What one of them has more than the other
after a crash is cut off, so that at most the batch that was being written is embedded again.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
DIGEST = 16
"""Bytes of a text's signature."""


@dataclass(slots=True)
class Journal:
    """A folder with the vectors of one model. Nothing is on disk before the first ``add``."""

    folder: Path
    model: str
    dimension: int

    @classmethod
    def beside(cls, out: Path, model: str, dimension: int) -> Journal:
        """The journal of the index at ``out``; that of another model, which is of no use, is dropped."""
        journal = cls(out.parent / f".{out.name}.journal", model, dimension)
        if journal.folder.exists() and journal._head() != journal._wanted():
            journal.drop()
        return journal

    def read(self) -> tuple[list[bytes], NDArray[Any]]:
        """Signatures and their vectors, float16 of shape (texts, dimension)."""
        import numpy as np  # noqa: PLC0415 - numpy is loaded by those who build

        if not self.folder.exists():
            return [], np.zeros((0, self.dimension), np.float16)
        width = 2 * self.dimension
        whole = min(self._signatures.stat().st_size // DIGEST, self._vectors.stat().st_size // width)
        os.truncate(self._signatures, whole * DIGEST)
        os.truncate(self._vectors, whole * width)
        names = self._signatures.read_bytes()
        vectors = np.fromfile(self._vectors, dtype=np.float16).reshape(whole, self.dimension)
        return [names[at : at + DIGEST] for at in range(0, len(names), DIGEST)], vectors

    def add(self, signatures: Sequence[bytes], vectors: NDArray[np.float16]) -> None:
        """Append a batch and wait until it is on disk."""
        if not self.folder.exists():
            self.folder.mkdir(parents=True)
            self._signatures.touch()
            self._vectors.touch()
            (self.folder / "model.json").write_text(json.dumps(self._wanted()) + "\n", encoding="utf-8")
        for file, data in ((self._vectors, vectors.tobytes()), (self._signatures, b"".join(signatures))):
            with file.open("ab") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())

    def drop(self) -> None:
        """Remove it all."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wanted(self) -> dict[str, Any]:
        return {"format": FORMAT, "model": self.model, "dimension": self.dimension}

    def _head(self) -> Any:
        try:
            return json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    @property
    def _signatures(self) -> Path:
        return self.folder / "signatures"

    @property
    def _vectors(self) -> Path:
        return self.folder / "vectors"

"""Pieces of a file by their place, read without mapping it: what a search looks at does not stay resident."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BRIDGED = 16
"""Up to so many rows that were not asked for are read along with those around them, to save a call."""


class Pieces:
    """A file that stays open, also when it is replaced in its folder. Safe to share between threads."""

    __slots__ = ("_file",)

    def __init__(self, path: Path) -> None:
        """Open a file; raises ``OSError``."""
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)

    def __len__(self) -> int:
        return os.fstat(self._file).st_size

    def read(self, start: int, length: int) -> bytes:
        """``length`` bytes from ``start`` on. Raises ``OSError``, also when the file ends before."""
        data = os.pread(self._file, length, start)
        if len(data) != length:
            raise OSError(f"the file ends at byte {start + len(data)}, wanted up to {start + length}")
        return data

    def rows(self, rows: NDArray[Any], *, offset: int, width: int, kind: type[np.generic]) -> NDArray[Any]:
        """Rows of a matrix that begins at ``offset`` and has ``width`` numbers of ``kind`` a row."""
        import numpy as np  # noqa: PLC0415 - numpy is loaded by those who search

        size = width * np.dtype(kind).itemsize
        order = np.argsort(rows, kind="stable")
        sorted_rows = rows[order]
        found = np.empty((len(rows), width), dtype=kind)
        breaks = np.flatnonzero(np.diff(sorted_rows) > BRIDGED) + 1
        for first, last in zip((0, *breaks.tolist()), (*breaks.tolist(), len(rows)), strict=True):
            if first == last:
                continue
            low, high = int(sorted_rows[first]), int(sorted_rows[last - 1])
            run = np.frombuffer(self.read(offset + low * size, (high - low + 1) * size), dtype=kind)
            found[order[first:last]] = run.reshape(-1, width)[sorted_rows[first:last] - low]
        return found

"""The leaves of a corpus as one file, so that they travel with the index that was built from them."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.runtime.errors import IndexDamaged

LEAVES = "leaves.zip"
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The same leaves give the same bytes whenever they are packed."""


@contextmanager
def pack_leaves(corpus: Path | None) -> Iterator[Path | None]:
    """The leaves of ``corpus`` packed into a file for as long as the context lasts; ``None`` for no corpus."""
    if corpus is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="leaves-") as folder:
        packed = Path(folder) / LEAVES
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as pack:
            for file in sorted(corpus.glob("sources/**/*.md")):
                entry = zipfile.ZipInfo(file.relative_to(corpus).as_posix(), _WHEN)
                entry.compress_type = zipfile.ZIP_DEFLATED
                pack.writestr(entry, file.read_bytes())
        yield packed


def unpack_leaves(packed: Path, into: Path) -> None:
    """Unpack leaves into a folder. Raises ``IndexDamaged`` for what is no pack of leaves."""
    try:
        with zipfile.ZipFile(packed) as pack:
            for entry in pack.infolist():
                parts = entry.filename.split("/")
                if parts[0] != "sources" or not entry.filename.endswith(".md") or {"", ".", ".."} & set(parts):
                    raise IndexDamaged(f"{packed.name} holds {entry.filename[:200]!r}, which is no leaf")
                pack.extract(entry, into)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise IndexDamaged(f"{packed.name} is no pack of leaves: {error}") from error

"""The files of an index: arrays merged from new leaves and from the index before, and how they are written."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from finder_index.vectors import COARSE_GRAPH, COARSE_ROWS, SMALL, write_coarse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from finder_index.digest import Digest
    from finder_index.index import LoadedIndex

ROW = [
    ("start", "<u8"), ("length", "<u4"), ("source", "<u2"), ("key", "<u8"), ("leaf", "<u8"),
    ("text_high", "<u8"), ("text_low", "<u8"),
]  # fmt: skip
"""Where the stored document stands, the code of its source, the hashes of its variable, its leaf and its text."""
HIT = [("row", "<u4"), ("kind", "u1"), ("rank", "u1")]
SAMPLES = 64
SAMPLE = 4096


def row_table(rows: int) -> NDArray[Any]:
    """An empty table of rows."""
    import numpy as np  # noqa: PLC0415 - numpy is loaded by those who build

    return np.zeros(rows, dtype=ROW)


@dataclass(slots=True)
class Arrays:
    """Everything of an index but its vectors, rows in the order of ``files``."""

    files: list[str]
    sources: dict[str, int]
    rows: NDArray[Any]
    phrase_keys: NDArray[Any]
    phrase_hits: NDArray[Any]
    word_keys: NDArray[Any]
    word_rows: NDArray[Any]
    lines: list[bytes]

    @classmethod
    def merge(
        cls,
        files: list[str],
        leaves: Mapping[str, int],
        digests: Mapping[str, Digest],
        before: LoadedIndex | None,
        kept: Mapping[str, int],
    ) -> Arrays:
        """Rows of ``digests`` as they were read, rows of ``kept`` as they stand in ``before``."""
        import numpy as np  # noqa: PLC0415

        folders = [file.split("/")[1] for file in files]
        sources = dict.fromkeys(sorted(set(folders)), 0)
        for name in folders:
            sources[name] += 1
        codes = {name: code for code, name in enumerate(sources)}
        rows = row_table(len(files))
        rows["source"] = [codes[name] for name in folders]
        rows["leaf"] = [leaves[file] for file in files]
        lines: list[bytes] = []
        moved = np.full(len(before) if before is not None else 0, -1, np.int64)
        phrases: list[tuple[int, int, int, int]] = []
        words: list[tuple[int, int]] = []
        for row, file in enumerate(files):
            digest = digests.get(file)
            if digest is None and before is not None:
                old = kept[file]
                moved[old] = row
                lines.append(before.line(old))
                rows[row]["key"] = before.rows[old]["key"]
                rows[row]["text_high"] = before.rows[old]["text_high"]
                rows[row]["text_low"] = before.rows[old]["text_low"]
            elif digest is not None:
                lines.append(digest.line)
                rows[row]["key"] = digest.key
                rows[row]["text_high"] = int.from_bytes(digest.signature[:8], "big")
                rows[row]["text_low"] = int.from_bytes(digest.signature[8:], "big")
                phrases += [(key, row, kind, rank) for key, kind, rank in digest.phrases]
                words += [(key, row) for key in digest.words]
        lengths = np.fromiter((len(line) for line in lines), np.uint64, len(lines))
        rows["length"] = lengths
        rows["start"] = np.cumsum(lengths) - lengths
        keys = np.array([phrase[0] for phrase in phrases], np.uint64)
        hits = np.array([phrase[1:] for phrase in phrases], dtype=HIT)
        word_keys = np.array([word[0] for word in words], np.uint64)
        word_rows = np.array([word[1] for word in words], np.uint32)
        if before is not None and len(moved):
            still = moved[before.phrase_hits_all["row"]] >= 0
            old_hits = before.phrase_hits_all[still]
            old_hits["row"] = moved[old_hits["row"]]
            keys = np.concatenate([keys, before.phrase_keys[still]])
            hits = np.concatenate([hits, old_hits])
            every = np.repeat(before.word_keys, np.diff(before.word_starts))
            still = moved[before.word_rows] >= 0
            word_keys = np.concatenate([word_keys, every[still]])
            word_rows = np.concatenate([word_rows, moved[before.word_rows[still]].astype(np.uint32)])
        order = np.lexsort((hits["row"], keys))
        word_order = np.lexsort((word_rows, word_keys))
        return cls(
            files, sources, rows, keys[order], hits[order], word_keys[word_order], word_rows[word_order], lines
        )

    def described_twice(self) -> tuple[str, str] | None:
        """Two files of one source that name the same variable, or ``None``."""
        seen: dict[tuple[int, int], str] = {}
        for file, source, key in zip(self.files, self.rows["source"], self.rows["key"], strict=True):
            if other := seen.get((int(source), int(key))):
                return other, file
            seen[int(source), int(key)] = file
        return None

    def write(self, writer: IndexWriter) -> None:
        """Write all of it."""
        import numpy as np  # noqa: PLC0415

        keys, starts = np.unique(self.word_keys, return_index=True)
        writer.array("rows.npy", self.rows)
        writer.array("phrase_keys.npy", self.phrase_keys)
        writer.array("phrase_hits.npy", self.phrase_hits)
        writer.array("word_keys.npy", keys)
        writer.array("word_starts.npy", np.append(starts, len(self.word_keys)).astype(np.uint32))
        writer.array("word_rows.npy", self.word_rows)
        writer.lines("entries.jsonl", self.lines)


class IndexWriter:
    """Writes an index in a folder beside ``out`` and moves it there whole; what was there is kept until then."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._sizes: dict[str, dict[str, Any]] = {}
        self._extra: dict[str, Any] = {}

    def __enter__(self) -> Self:
        self._out.parent.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=f".{self._out.name}-", dir=self._out.parent))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def array(self, name: str, array: NDArray[Any]) -> None:
        """Write an array as ``name``."""
        import numpy as np  # noqa: PLC0415

        with (self._folder / name).open("wb") as stream:
            np.save(stream, array, allow_pickle=False)
        self._measure(name)

    def lines(self, name: str, lines: Iterable[bytes]) -> None:
        """Write lines as ``name``."""
        with (self._folder / name).open("wb") as stream:
            stream.writelines(lines)
        self._measure(name)

    def vectors(self, vectors: NDArray[Any]) -> None:
        """Write the vectors and, where there are many, the coarse ones that are searched first."""
        self.array("vectors.npy", vectors)
        if len(vectors) > SMALL:
            self._extra["step"] = write_coarse(self._folder, vectors)
            self._measure(COARSE_ROWS)
            self._measure(COARSE_GRAPH)

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest and put the folder in the place of what was there."""
        whole = {**manifest, **self._extra, "files": self._sizes}
        (self._folder / "manifest.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        self._folder.chmod(0o755)
        if self._out.exists():
            shutil.rmtree(self._out)
        self._folder.rename(self._out)

    def _measure(self, name: str) -> None:
        file = self._folder / name
        self._sizes[name] = {"bytes": file.stat().st_size, "sample": sample_of(file), "sha256": sha256_of(file)}


def sha256_of(file: Path) -> str:
    """The sha256 of a whole file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sample_of(file: Path) -> str:
    """A hash of a file's size and of pieces spread over it: a quarter of a megabyte is read, whatever the size."""
    size = file.stat().st_size
    digest = hashlib.blake2b(str(size).encode(), digest_size=16)
    with file.open("rb") as stream:
        for place in starts_of_samples(size):
            stream.seek(place)
            digest.update(stream.read(SAMPLE))
    return digest.hexdigest()


def starts_of_samples(size: int) -> Sequence[int]:
    """Where the pieces begin: all of a small file, else spread evenly from the first byte to the last."""
    if size <= SAMPLES * SAMPLE:
        return range(0, size, SAMPLE)
    return [at * (size - SAMPLE) // (SAMPLES - 1) for at in range(SAMPLES)]

"""The files of an index: arrays merged from new leaves and from the index before, and how they are written."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from finder_index.coarse import COARSE_GRAPH, COARSE_ROWS, write_coarse
from finder_index.vectors import SMALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from finder_index.digest import Digest
    from finder_index.index import LoadedIndex

ROW = [
    ("start", "<u8"), ("length", "<u4"), ("source", "<u2"), ("key", "<u8"), ("leaf", "<u8"),
    ("text_high", "<u8"), ("text_low", "<u8"), ("name", "<u8"), ("quantity", "<u8"), ("split", "<u8"),
    ("type", "<u2"),
]  # fmt: skip
"""Where the stored document stands, the code of its source, the hashes of its variable, its leaf, its text, its
identifier, its quantity and what that is split by, and the code of its type."""
_CARRIED = ("key", "text_high", "text_low", "name", "quantity", "split")
"""What a row keeps for as long as its leaf is the same."""
HIT = [("row", "<u4"), ("kind", "u1"), ("rank", "u1")]
SAMPLES = 64
SAMPLE = 4096


def row_table(rows: int) -> NDArray[Any]:
    """An empty table of rows."""
    import numpy as np  # noqa: PLC0415 - numpy is loaded by those who build

    return np.zeros(rows, dtype=ROW)


class _Postings:
    """What is looked up: rows by phrase, by word, by tag and by the variables that qualify their figures."""

    def __init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        self._phrases: list[tuple[int, int, int, int]] = []
        self._words: list[tuple[int, int]] = []
        self._companions: list[tuple[int, int]] = []
        self._tags: list[tuple[str, int]] = []
        none = np.empty(0, np.uint64), np.empty(0, np.uint32)
        self._old_phrases = none[0], np.empty(0, dtype=HIT)
        self._old_words = self._old_companions = none

    def add(self, row: int, digest: Digest) -> None:
        """Add what a leaf was read to have."""
        self._phrases += [(key, row, kind, rank) for key, kind, rank in digest.phrases]
        self._words += [(key, row) for key in digest.words]
        self._companions += [(key, row) for key in digest.companions]
        self._tags += [(tag, row) for tag in dict.fromkeys(digest.tags)]

    def carry(self, before: LoadedIndex, moved: NDArray[Any]) -> None:
        """Add what an index has of the rows that it shares; ``moved`` is where each is now, or -1."""
        import numpy as np  # noqa: PLC0415

        still = moved[before.phrase_hits_all["row"]] >= 0
        hits = before.phrase_hits_all[still]
        hits["row"] = moved[hits["row"]]
        self._old_phrases = before.phrase_keys[still], hits
        columns = before.columns
        every = np.repeat(before.word_keys, np.diff(before.word_starts))
        self._old_words = _kept(every, before.word_rows, moved)
        self._old_companions = _kept(columns.companion_keys, columns.companion_rows, moved)
        for place, tag in enumerate(columns.tags()):
            self._tags += [(tag, row) for row in moved[columns.rows_of_tag(place)].tolist() if row >= 0]

    def write(self, writer: IndexWriter) -> None:
        """Write the arrays, each sorted by what it is looked up by."""
        import numpy as np  # noqa: PLC0415

        keys = np.concatenate([np.array([one[0] for one in self._phrases], np.uint64), self._old_phrases[0]])
        hits = np.concatenate([np.array([one[1:] for one in self._phrases], dtype=HIT), self._old_phrases[1]])
        order = np.lexsort((hits["row"], keys))
        writer.array("phrase_keys.npy", keys[order])
        writer.array("phrase_hits.npy", hits[order])
        word_keys, word_rows = _sorted_pairs(self._words, self._old_words)
        words, starts = np.unique(word_keys, return_index=True)
        writer.array("word_keys.npy", words)
        writer.array("word_starts.npy", np.append(starts, len(word_keys)).astype(np.uint32))
        writer.array("word_rows.npy", word_rows)
        companion_keys, companion_rows = _sorted_pairs(self._companions, self._old_companions)
        writer.array("companion_keys.npy", companion_keys)
        writer.array("companion_rows.npy", companion_rows)
        self._tags.sort()
        sizes = Counter(tag for tag, _ in self._tags)
        writer.lines("tags.txt", (f"{tag}\n".encode() for tag in sizes))
        writer.array("tag_starts.npy", np.cumsum([0, *sizes.values()]).astype(np.uint32))
        writer.array("tag_rows.npy", np.array([row for _, row in self._tags], np.uint32))


def _kept(keys: NDArray[Any], rows: NDArray[Any], moved: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The keys and rows of what is still there."""
    now = moved[rows]
    return keys[now >= 0], now[now >= 0].astype("u4")


def _sorted_pairs(
    pairs: Sequence[tuple[int, int]], old: tuple[NDArray[Any], NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any]]:
    import numpy as np  # noqa: PLC0415

    keys = np.concatenate([np.array([key for key, _ in pairs], np.uint64), old[0]])
    rows = np.concatenate([np.array([row for _, row in pairs], np.uint32), old[1]])
    order = np.lexsort((rows, keys))
    return keys[order], rows[order]


@dataclass(slots=True)
class Arrays:
    """Everything of an index but its vectors, rows in the order of ``files``; ``types`` by their codes."""

    files: list[str]
    sources: dict[str, int]
    rows: NDArray[Any]
    lines: list[bytes]
    listed: list[str]
    types: list[str]
    postings: _Postings

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
        moved = np.full(len(before) if before is not None else 0, -1, np.int64)
        moved[list(kept.values())] = [row for row, file in enumerate(files) if file in kept]
        found = _Postings()
        lines, listed = [b""] * len(files), [""] * len(files)
        types = [""] * len(files)
        for row, file in enumerate(files):
            if digest := digests.get(file):
                lines[row], listed[row], types[row] = digest.line, digest.listed, digest.type
                found.add(row, digest)
                for column, value in zip(_CARRIED, digest.numbers, strict=True):
                    rows[row][column] = value
        if before is not None and len(moved):
            found.carry(before, moved)
            olds = np.flatnonzero(moved >= 0)
            for column in _CARRIED:
                rows[column][moved[olds]] = before.rows[column][olds]
            old_listed, old_types = before.columns.name_lines(), before.manifest["types"]
            for row, old, code in zip(
                moved[olds].tolist(), olds.tolist(), before.rows["type"][olds].tolist(), strict=True
            ):
                lines[row], listed[row], types[row] = before.line(old), old_listed[old], old_types[code]
        lengths = np.fromiter((len(line) for line in lines), np.uint64, len(lines))
        rows["length"] = lengths
        rows["start"] = np.cumsum(lengths) - lengths
        type_names = sorted(set(types))
        type_codes = {name: code for code, name in enumerate(type_names)}
        rows["type"] = [type_codes[name] for name in types]
        return cls(files, sources, rows, lines, listed, type_names, found)

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
        writer.array("rows.npy", self.rows)
        writer.lines("entries.jsonl", self.lines)
        writer.lines("names.tsv", (f"{line}\n".encode() for line in self.listed))
        self.postings.write(writer)


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

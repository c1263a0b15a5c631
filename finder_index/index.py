"""A built index, memory-mapped: loading reads the manifest and maps the rest.

Rows are entries. Documents are parsed when they are asked for, so that the size of the corpus does not
decide how long a process takes to start.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.lexical import phrase_hash
from finder_index.signature import corpus_signature, wording_signature
from shared.query.discovery import TableDocument
from shared.runtime.errors import IndexDamaged, IndexStale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 2
CURRENT = Path(__file__).parent / "current"
CORPUS = Path(__file__).parent / "corpus"
FILES = ("vectors.npy", "entries.jsonl", "rows.npy", "phrases.npy", "words.npy")
QUERY, ALIAS, TITLE, MEANING = 0, 1, 2, 3
"""Kinds of phrase in ``phrases.npy``; for a meaning, ``rank`` tells how plain it is."""
WIDENED_ROWS = 20_000
"""Up to this many rows the vectors are kept as float32 too; beyond it they are widened block by block."""
BLOCK = 8192
REBUILD = "rebuild it with: neuralkg index build"


@dataclass(frozen=True, slots=True)
class PhraseHit:
    """An entry that lists a phrase exactly; ``kind`` and ``rank`` as written by the build."""

    row: int
    kind: int
    rank: int


@dataclass(slots=True)
class LoadedIndex:
    """The arrays of an index. ``vectors`` is float16 of shape (entries, dimension)."""

    manifest: dict[str, Any]
    vectors: NDArray[Any]
    _rows: NDArray[Any]
    _phrases: NDArray[Any]
    _words: NDArray[Any]
    _entries: bytes | mmap.mmap
    _wide: NDArray[np.float32] | None = None
    _parsed: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.vectors.shape[0])

    @property
    def sources(self) -> list[str]:
        """Names of the sources, in the order of their codes."""
        return list(self.manifest["sources"])

    def entry(self, row: int) -> dict[str, Any]:
        """The stored document of a row."""
        known = self._parsed.get(row)
        if known is None:
            start, length = int(self._rows["start"][row]), int(self._rows["length"][row])
            known = self._parsed[row] = json.loads(self._entries[start : start + length])
        return known

    def document(self, row: int, score: float = 0.0) -> TableDocument:
        """A row as the finder returns it."""
        entry = self.entry(row)
        fields = {key: entry[key] for key in TableDocument.model_fields if key in entry}
        return TableDocument(**fields, score=score)

    def signature(self, row: int) -> str:
        """What the row's vector was made from."""
        return str(self.entry(row)["signature"])

    def source(self, row: int) -> str:
        """The name of a row's source."""
        return self.sources[int(self._rows["source"][row])]

    def source_codes(self) -> NDArray[Any]:
        """The code of every row's source."""
        codes: NDArray[Any] = self._rows["source"]
        return codes

    def rows_of_variable(self, variable: str) -> list[int]:
        """Rows that describe this published variable, exactly."""
        found = (self._rows["key"] == phrase_hash(variable)).nonzero()[0]
        return [int(row) for row in found if self.entry(int(row))["variable"] == variable]

    def phrase_hits(self, key: str) -> list[PhraseHit]:
        """The entries that list a phrase, by its key."""
        wanted = phrase_hash(key)
        keys = self._phrases["key"]
        low = int(keys.searchsorted(wanted, side="left"))
        high = int(keys.searchsorted(wanted, side="right"))
        return [PhraseHit(int(p["row"]), int(p["kind"]), int(p["rank"])) for p in self._phrases[low:high]]

    def rows_with_word(self, word: str) -> NDArray[Any]:
        """The rows that use a word in title, queries or aliases."""
        wanted = phrase_hash(word)
        keys = self._words["key"]
        rows: NDArray[Any] = self._words["row"][
            int(keys.searchsorted(wanted, side="left")) : int(keys.searchsorted(wanted, side="right"))
        ]
        return rows

    def similarities(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of every row with every query; shape (entries, queries)."""
        import numpy as np  # noqa: PLC0415

        if self._wide is None and len(self) <= WIDENED_ROWS:
            self._wide = np.ascontiguousarray(self.vectors, dtype=np.float32)
        if self._wide is not None:
            return self._wide @ queries.T
        result = np.empty((len(self), queries.shape[0]), dtype=np.float32)
        for start in range(0, len(self), BLOCK):
            block = self.vectors[start : start + BLOCK].astype(np.float32)
            result[start : start + BLOCK] = block @ queries.T
        return result


def load_index(path: Path, *, model: str | None = None) -> LoadedIndex:
    """Map an index. Raises ``IndexDamaged`` when a file is missing or cut short, or the model is another.

    The sizes of all files are checked against each other; their hashes are what ``verify`` reads.
    """
    import numpy as np  # noqa: PLC0415

    manifest = read_manifest(path)
    if model is not None and manifest["model"] != model:
        raise IndexDamaged(
            f"the index at {path.name} was embedded with {manifest['model']}, this program embeds with {model}; "
            f"{REBUILD}"
        )
    try:
        arrays = {
            name: np.load(path / name, mmap_mode="r", allow_pickle=False) for name in FILES if name.endswith(".npy")
        }
        with (path / "entries.jsonl").open("rb") as lines:
            entries = mmap.mmap(lines.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError, EOFError) as error:
        raise IndexDamaged(
            f"a file of the index at {path.name} is missing or cut short: {error}; {REBUILD}"
        ) from error
    vectors, rows = arrays["vectors.npy"], arrays["rows.npy"]
    expected = (manifest["entries"], manifest["dimension"])
    if vectors.shape != expected or vectors.dtype != np.float16 or rows.shape != expected[:1]:
        raise IndexDamaged(
            f"the vectors of the index at {path.name} have shape {vectors.shape}, "
            f"the manifest says {expected}; {REBUILD}"
        )
    if len(rows) and int(rows["start"][-1]) + int(rows["length"][-1]) != len(entries):
        raise IndexDamaged(f"entries.jsonl of the index at {path.name} does not fit rows.npy; {REBUILD}")
    return LoadedIndex(manifest, vectors, rows, arrays["phrases.npy"], arrays["words.npy"], entries)


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest. Raises ``IndexDamaged`` when it is missing, malformed or of another format."""
    try:
        manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise IndexDamaged(f"there is no index at {path.name}; make it with: neuralkg index build") from error
    except (OSError, ValueError) as error:
        raise IndexDamaged(
            f"the manifest of the index at {path.name} cannot be read: {error}; {REBUILD}"
        ) from error
    needed = {"format", "model", "dimension", "entries", "sources", "corpus", "wording", "files"}
    if not isinstance(manifest, dict) or not needed <= manifest.keys():
        raise IndexDamaged(f"the manifest of the index at {path.name} lacks some of its keys; {REBUILD}")
    if manifest["format"] != FORMAT:
        raise IndexDamaged(
            f"the index at {path.name} has format {manifest['format']}, expected {FORMAT}; {REBUILD}"
        )
    return manifest


def damaged_files(path: Path) -> list[str]:
    """What is wrong with the files of an index, one sentence each; empty when their hashes all match."""
    manifest = read_manifest(path)
    problems = []
    for name in FILES:
        file = path / name
        if name not in manifest["files"]:
            problems.append(f"{name} is not in the manifest")
        elif not file.exists():
            problems.append(f"{name} is missing")
        elif hashlib.sha256(file.read_bytes()).hexdigest() != manifest["files"][name]:
            problems.append(f"{name} is not the file that was built: its sha256 differs from the manifest's")
    return problems


def require_sound(path: Path, corpus: Path) -> None:
    """Raise ``IndexDamaged`` for a changed file and ``IndexStale`` when the corpus is another."""
    if problems := damaged_files(path):
        raise IndexDamaged(f"the index at {path.name} is damaged: {'; '.join(problems)}; {REBUILD}")
    require_current(path, corpus)


def require_current(path: Path, corpus: Path) -> None:
    """Raise ``IndexStale`` when the index was built from other leaves than ``corpus`` holds, or by other rules."""
    manifest = read_manifest(path)
    if manifest["wording"] != wording_signature():
        raise IndexStale(f"the index at {path.name} was built by other rules of wording than these; {REBUILD}")
    if manifest["corpus"] != corpus_signature(corpus):
        raise IndexStale(
            f"the index at {path.name} was built from other leaves than those in {corpus.name}; {REBUILD}"
        )


def best_first(scores: NDArray[Any], rows: Sequence[int] | NDArray[Any]) -> list[int]:
    """``rows`` by descending score, ties by row."""
    ordered: Iterable[int] = sorted((int(row) for row in rows), key=lambda row: (-float(scores[row]), row))
    return list(ordered)

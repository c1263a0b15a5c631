"""A built index, memory-mapped: loading reads the manifest and maps the rest.

Rows are entries. Documents are parsed when they are asked for, so that the size of the corpus does not
decide how long a process takes to start.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from finder_index.coarse import COARSE_GRAPH, COARSE_ROWS
from finder_index.columns import Columns
from finder_index.index_files import ROW, sample_of, sha256_of
from finder_index.lexical import phrase_hash
from finder_index.pieces import Pieces
from finder_index.signature import corpus_signature, wording_signature
from finder_index.vectors import SMALL, Scan, VectorTable
from shared.query.discovery import TableDocument
from shared.runtime.errors import IndexDamaged, IndexForeign, IndexStale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 4
CURRENT = Path(__file__).parent / "current"
CORPUS = Path(__file__).parent / "corpus"
ARRAYS = (
    "vectors.npy", "rows.npy", "phrase_keys.npy", "phrase_hits.npy", "word_keys.npy", "word_starts.npy",
    "word_rows.npy", "tag_starts.npy", "tag_rows.npy", "companion_keys.npy", "companion_rows.npy",
)  # fmt: skip
FILES = (*ARRAYS, "entries.jsonl", "tags.txt", "names.tsv")
COARSE = (COARSE_ROWS, COARSE_GRAPH)
"""Only large indexes have these."""
QUERY, ALIAS, TITLE, MEANING = 0, 1, 2, 3
"""Kinds of phrase in ``phrase_hits.npy``; for a meaning, ``rank`` tells how plain it is."""
KEPT_ENTRIES = 1024
"""Stored documents that are kept parsed."""
REBUILD = "rebuild it with: neuralkg index build"


@dataclass(frozen=True, slots=True)
class PhraseHit:
    """An entry that lists a phrase exactly; ``kind`` and ``rank`` as written by the build."""

    row: int
    kind: int
    rank: int


@dataclass(slots=True)
class LoadedIndex:
    """The arrays of an index, mapped. ``vectors`` is float16 of shape (entries, dimension)."""

    manifest: dict[str, Any]
    table: VectorTable
    rows: NDArray[Any]
    phrase_keys: NDArray[Any]
    phrase_hits_all: NDArray[Any]
    word_keys: NDArray[Any]
    word_starts: NDArray[Any]
    word_rows: NDArray[Any]
    file: Pieces
    """The stored documents."""
    columns: Columns
    _codes: NDArray[Any] | None = None
    _keys: NDArray[Any] | None = None
    _parsed: dict[int, dict[str, Any]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def vectors(self) -> NDArray[Any]:
        """All vectors, float16 of shape (entries, dimension)."""
        return self.table.vectors

    def __len__(self) -> int:
        return len(self.table)

    @property
    def sources(self) -> list[str]:
        """Names of the sources, in the order of their codes."""
        return list(self.manifest["sources"])

    def entry(self, row: int) -> dict[str, Any]:
        """The stored document of a row."""
        known = self._parsed.get(row)
        if known is None:
            known = json.loads(self.line(row))
            with self._lock:
                self._parsed[row] = known
                while len(self._parsed) > KEPT_ENTRIES:
                    self._parsed.pop(next(iter(self._parsed)))
        return known

    def line(self, row: int) -> bytes:
        """The stored document of a row as it stands in its file, line end included."""
        return self.file.read(int(self.rows["start"][row]), int(self.rows["length"][row]))

    def document(self, row: int, score: float = 0.0) -> TableDocument:
        """A row as the finder returns it."""
        entry = self.entry(row)
        fields = {key: entry[key] for key in TableDocument.model_fields if key in entry}
        return TableDocument(**fields, score=score)

    def signatures(self) -> list[bytes]:
        """What each row's vector was made from: 16 bytes for the text and the model."""
        pairs = zip(self.rows["text_high"].tolist(), self.rows["text_low"].tolist(), strict=True)
        return [high.to_bytes(8, "big") + low.to_bytes(8, "big") for high, low in pairs]

    def source(self, row: int) -> str:
        """The name of a row's source."""
        return self.sources[int(self.source_codes()[row])]

    def source_codes(self) -> NDArray[Any]:
        """The code of every row's source."""
        import numpy as np  # noqa: PLC0415

        if self._codes is None:
            self._codes = np.ascontiguousarray(self.rows["source"])
        return self._codes

    def rows_of_variable(self, variable: str) -> list[int]:
        """Rows that describe this published variable, exactly."""
        import numpy as np  # noqa: PLC0415

        if self._keys is None:
            self._keys = np.ascontiguousarray(self.rows["key"])
        found = (self._keys == np.uint64(phrase_hash(variable))).nonzero()[0]
        return [int(row) for row in found if self.entry(int(row))["variable"] == variable]

    def phrase_hits(self, key: str) -> list[PhraseHit]:
        """The entries that list a phrase, by its key."""
        low, high = _span(self.phrase_keys, phrase_hash(key))
        return [PhraseHit(int(p["row"]), int(p["kind"]), int(p["rank"])) for p in self.phrase_hits_all[low:high]]

    def rows_with_word(self, word: str) -> NDArray[Any]:
        """The rows that use a word in title, queries or aliases, in ascending order."""
        low, high = _span(self.word_keys, phrase_hash(word))
        if low == high:
            return self.word_rows[:0]
        return self.word_rows[int(self.word_starts[low]) : int(self.word_starts[high])]

    def scan(self, queries: NDArray[np.float32], allowed: NDArray[np.bool_] | None = None) -> Scan:
        """Score rows with phrasings; see ``VectorTable.scan``."""
        return self.table.scan(queries, allowed)

    def similarities(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Exact cosine of every row with every query; shape (entries, queries)."""
        import numpy as np  # noqa: PLC0415

        return self.table.cosines(np.arange(len(self)), queries)


def _span(keys: NDArray[Any], wanted: int) -> tuple[int, int]:
    import numpy as np  # noqa: PLC0415

    value = np.uint64(wanted)
    return int(keys.searchsorted(value, side="left")), int(keys.searchsorted(value, side="right"))


def load_index(path: Path, *, model: str | None = None, dimension: int | None = None) -> LoadedIndex:
    """Map an index.

    Raises ``IndexDamaged`` when a file is missing, cut short or not the one that was built, and
    ``IndexForeign`` when the model or the dimension is another. Of each file its size and a sample are
    checked; the whole is what ``verify`` reads.
    """
    import numpy as np  # noqa: PLC0415

    manifest = read_manifest(path)
    if model is not None and manifest["model"] != model:
        raise IndexForeign(
            f"the index at {path.name} was embedded with {manifest['model']}, this program embeds with {model}; "
            f"{REBUILD}"
        )
    if dimension is not None and manifest["dimension"] != dimension:
        raise IndexForeign(
            f"the index at {path.name} has vectors of {manifest['dimension']} dimensions, this program's have "
            f"{dimension}; {REBUILD}"
        )
    large = manifest["entries"] > SMALL
    try:
        arrays = {name: np.load(path / name, mmap_mode="r", allow_pickle=False) for name in ARRAYS}
        entries = Pieces(path / "entries.jsonl")
        pieces = Pieces(path / "vectors.npy")
        columns = Columns(
            arrays["tag_starts.npy"], arrays["tag_rows.npy"], arrays["companion_keys.npy"],
            arrays["companion_rows.npy"], Pieces(path / "tags.txt"), Pieces(path / "names.tsv"),
        )  # fmt: skip
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
    if rows.dtype != np.dtype(ROW):
        raise IndexDamaged(f"rows.npy of the index at {path.name} has other columns than this program; {REBUILD}")
    try:
        problems = _not_as_built(path, manifest)
    except OSError as error:
        problems = [str(error)]
    if problems:
        raise IndexDamaged(f"the index at {path.name} is damaged: {'; '.join(problems)}; {REBUILD}")
    table = VectorTable(vectors, path if large else None, float(manifest.get("step", 1.0)), pieces)
    return LoadedIndex(
        manifest,
        table,
        rows,
        phrase_keys=arrays["phrase_keys.npy"],
        phrase_hits_all=arrays["phrase_hits.npy"],
        word_keys=arrays["word_keys.npy"],
        word_starts=arrays["word_starts.npy"],
        word_rows=arrays["word_rows.npy"],
        file=entries,
        columns=columns,
    )


def files_of(manifest: dict[str, Any]) -> tuple[str, ...]:
    """The names of an index's files beside its manifest."""
    return (*FILES, *COARSE) if manifest["entries"] > SMALL else FILES


def _not_as_built(path: Path, manifest: dict[str, Any]) -> list[str]:
    """What a look at sizes and samples finds."""
    problems = []
    for name in files_of(manifest):
        built = manifest["files"].get(name)
        if built is None:
            problems.append(f"{name} is not in the manifest")
            continue
        size = (path / name).stat().st_size
        if size != built["bytes"]:
            problems.append(f"{name} has {size} bytes where {built['bytes']} were written")
        elif sample_of(path / name) != built["sample"]:
            problems.append(f"{name} is not the file that was built")
    return problems


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
    needed = {"format", "model", "dimension", "entries", "sources", "corpus", "wording", "files", "types"}
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
    for name in files_of(manifest):
        file = path / name
        if name not in manifest["files"]:
            problems.append(f"{name} is not in the manifest")
        elif not file.exists():
            problems.append(f"{name} is missing")
        elif sha256_of(file) != manifest["files"][name]["sha256"]:
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

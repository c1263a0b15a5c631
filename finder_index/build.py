"""Build an index of a corpus, embedding only what changed since the index that is there.

An index is a folder: ``vectors.npy`` (float16, one row an entry), ``entries.jsonl`` (one document a line),
``rows.npy`` (where each line stands, its source and variable), ``phrases.npy`` and ``words.npy`` (which
rows list a phrase or use a word) and ``manifest.json`` with the model, the counts and the sha256 of every file.
The same corpus and model give the same bytes but for the last digits of vectors.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.index import ALIAS, FORMAT, MEANING, QUERY, TITLE, LoadedIndex, load_index
from finder_index.leaves import Leaf, read_corpus
from finder_index.lexical import content, phrase_hash, phrase_key
from finder_index.signature import wording_signature
from shared.runtime.errors import IndexDamaged

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from shared.runtime.ports import Embedder

BATCH = 96
Progress = Callable[[int, int], None]
"""Called with entries embedded so far and entries to embed."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did: entries in the index, how many were embedded anew, how many kept their vector."""

    entries: int
    embedded: int
    reused: int
    sources: dict[str, int]
    model: str
    dimension: int
    signature: str


async def build_index(corpus: Path, out: Path, embedder: Embedder, progress: Progress | None = None) -> BuildReport:
    """Build the index of ``corpus`` into ``out``, which is replaced only when the build is whole.

    Raises ``CorpusInvalid`` for a document that does not parse, and what the embedder raises.
    """
    import numpy as np  # noqa: PLC0415

    read = read_corpus(corpus)
    signatures = [_signature(leaf, embedder.model) for leaf in read.leaves]
    known = _known_vectors(out, embedder)
    missing = [row for row, signature in enumerate(signatures) if signature not in known]
    vectors = np.empty((len(read.leaves), embedder.dimension), dtype=np.float16)
    for row, signature in enumerate(signatures):
        if signature in known:
            vectors[row] = known[signature]
    for start in range(0, len(missing), BATCH):
        rows = missing[start : start + BATCH]
        vectors[rows] = await embedder.embed([read.leaves[row].index_text for row in rows])
        if progress:
            progress(min(start + BATCH, len(missing)), len(missing))
    sources = dict(sorted(Counter(leaf.source for leaf in read.leaves).items()))
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "model": embedder.model,
        "dimension": embedder.dimension,
        "entries": len(read.leaves),
        "sources": sources,
        "corpus": read.signature,
        "wording": wording_signature(),
    }
    files = _files(read.leaves, signatures, vectors, names=list(sources))
    _write(out, manifest, files)
    return BuildReport(
        entries=len(read.leaves),
        embedded=len(missing),
        reused=len(read.leaves) - len(missing),
        sources=sources,
        model=embedder.model,
        dimension=embedder.dimension,
        signature=read.signature,
    )


def _signature(leaf: Leaf, model: str) -> str:
    return hashlib.sha256(f"{model}\0{leaf.index_text}".encode()).hexdigest()[:32]


def _known_vectors(out: Path, embedder: Embedder) -> dict[str, NDArray[float32]]:
    """Vectors of the index that is there, by signature; none when it is absent, damaged or of another model."""
    try:
        index: LoadedIndex = load_index(out, model=embedder.model)
    except IndexDamaged:
        return {}
    return {index.signature(row): index.vectors[row] for row in range(len(index))}


def _entries(leaves: Sequence[Leaf], signatures: Sequence[str]) -> list[bytes]:
    lines = []
    for leaf, signature in zip(leaves, signatures, strict=True):
        entry = leaf.document().model_dump(mode="json", exclude={"score"})
        entry |= {"file": leaf.file, "signature": signature}
        lines.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return lines


def _phrases(leaves: Sequence[Leaf]) -> list[tuple[int, int, int, int]]:
    """(hash, row, kind, rank) for every exact phrase, sorted by hash."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for row, leaf in enumerate(leaves):
        phrases = [
            *((query, QUERY, 1) for query in leaf.queries),
            (leaf.title, TITLE, 1),
            (leaf.variable, TITLE, 1),
            *((alias, ALIAS, 1) for alias in leaf.aliases),
            *((item["term"], MEANING, int(item["rank"])) for item in json.loads(leaf.terms.get("meaningOf", "[]"))),
        ]
        for text, kind, rank in phrases:
            key = (phrase_hash(phrase_key(text)), row)
            # A query is stronger evidence than a meaning of the same phrase, except that the meaning's rank
            # orders the tables among which the phrase is shared.
            found[key] = min(found.get(key, (kind, rank)), (kind, rank))
    return sorted((key, row, kind, rank) for (key, row), (kind, rank) in found.items())


def _words(leaves: Sequence[Leaf]) -> list[tuple[int, int]]:
    """(hash of a word, row that uses it) for every word of title, queries and aliases, sorted."""
    found = set()
    for row, leaf in enumerate(leaves):
        terms = [item["term"] for item in json.loads(leaf.terms.get("meaningOf", "[]"))]
        for word in set(content(". ".join([leaf.title, *leaf.queries, *leaf.aliases, *terms]))):
            found.add((phrase_hash(word), row))
    return sorted(found)


def _files(
    leaves: Sequence[Leaf], signatures: Sequence[str], vectors: NDArray[Any], *, names: list[str]
) -> dict[str, bytes]:
    """The files of an index by name, all but the manifest."""
    import numpy as np  # noqa: PLC0415

    entries = _entries(leaves, signatures)
    rows = np.zeros(len(entries), dtype=[("start", "<u8"), ("length", "<u4"), ("source", "<u2"), ("key", "<u8")])
    start = 0
    for row, (leaf, line) in enumerate(zip(leaves, entries, strict=True)):
        rows[row] = (start, len(line), names.index(leaf.source), phrase_hash(leaf.variable))
        start += len(line)
    phrases = np.array(_phrases(leaves), dtype=[("key", "<u8"), ("row", "<u4"), ("kind", "u1"), ("rank", "u1")])
    words = np.array(_words(leaves), dtype=[("key", "<u8"), ("row", "<u4")])
    return {
        "vectors.npy": _npy(vectors),
        "entries.jsonl": b"".join(entries),
        "rows.npy": _npy(rows),
        "phrases.npy": _npy(phrases),
        "words.npy": _npy(words),
    }


def _write(out: Path, manifest: dict[str, Any], files: dict[str, bytes]) -> None:
    """Write the folder beside ``out`` and move it there whole."""
    manifest["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    files["manifest.json"] = (json.dumps(manifest, indent=1) + "\n").encode()
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        fresh.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        fresh.rename(out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _npy(array: NDArray[Any]) -> bytes:
    import numpy as np  # noqa: PLC0415

    buffer = BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()

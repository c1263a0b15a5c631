"""Build an index of a corpus: read the leaves that changed, embed the texts that are new, write the rest again.

A build is incremental twice. A leaf whose file (and its source's access document) is as it was keeps its stored
document, phrases and words; a text that was embedded before, in the index that is there or in a build that was cut
off, keeps its vector. The same corpus and model give the same bytes but for the last digits of vectors.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.digest import Digest, read_digests
from finder_index.index import FORMAT, LoadedIndex, load_index
from finder_index.index_files import Arrays, IndexWriter
from finder_index.journal import Journal
from finder_index.leaves import read_access, read_leaf
from finder_index.signature import ACCESS_FILE, fingerprints, signature_of, wording_signature
from shared.runtime.errors import CorpusInvalid, IndexDamaged, ModelUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from shared.runtime.ports import Embedder

BATCH = 512
"""Texts that are embedded and put on disk together: what a crash can cost."""
Progress = Callable[[int, int], None]
"""Called with entries embedded so far and entries to embed."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did: entries in the index, how many were embedded anew, how many kept their vector.

    ``resumed`` of the reused vectors came from a build that was cut off.
    """

    entries: int
    embedded: int
    reused: int
    sources: dict[str, int]
    model: str
    dimension: int
    signature: str
    resumed: int = 0


async def build_index(
    corpus: Path,
    out: Path,
    embedder: Embedder,
    progress: Progress | None = None,
    *,
    extends: Sequence[str] = (),
) -> BuildReport:
    """Build the index of ``corpus`` into ``out``, which is replaced only when the build is whole.

    ``extends`` names sources of other catalogs that this one adds leaves to. Raises ``CorpusInvalid`` for a
    document that does not parse, and what the embedder raises; a build that failed while it was embedding is
    taken up where it stopped.
    """
    prints = fingerprints(corpus)
    leaves = _leaves(corpus, prints)
    before = _index_there(out, embedder)
    fresh, kept = _changed(leaves, before)
    digests = {digest.file: digest for digest in read_digests(corpus, fresh, embedder.model)}
    arrays = Arrays.merge(list(leaves), leaves, digests, before, kept)
    _require_distinct(corpus, arrays)
    journal = Journal.beside(out, embedder.model, embedder.dimension)
    vectors, embedded, resumed = await _vectors(
        arrays, digests, before, journal, embedder=embedder, progress=progress
    )
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "model": embedder.model,
        "dimension": embedder.dimension,
        "entries": len(leaves),
        "sources": arrays.sources,
        "corpus": signature_of(prints),
        "wording": wording_signature(),
        "extends": sorted(extends),
        "types": arrays.types,
    }
    with IndexWriter(out) as writer:
        arrays.write(writer)
        writer.vectors(vectors)
        writer.finish(manifest)
    journal.drop()
    return BuildReport(
        entries=len(leaves),
        embedded=embedded,
        reused=len(leaves) - embedded,
        sources=arrays.sources,
        model=embedder.model,
        dimension=embedder.dimension,
        signature=manifest["corpus"],
        resumed=resumed,
    )


def _leaves(corpus: Path, prints: Mapping[str, bytes]) -> dict[str, int]:
    """A number for each leaf that changes with its name, its bytes or its source's access document."""
    folders = corpus / "sources"
    if not folders.is_dir():
        raise CorpusInvalid(f"{corpus.name}: there is no sources folder in the corpus")
    access = {}
    for folder in sorted(path for path in folders.iterdir() if path.is_dir()):
        read_access(corpus, folder)
        access[f"sources/{folder.name}"] = prints[f"sources/{folder.name}/{ACCESS_FILE}"]
    found = {}
    for name, fingerprint in prints.items():
        folder_name, _, file = name.rpartition("/")
        if file != ACCESS_FILE:
            whole = name.encode() + b"\0" + access[folder_name] + fingerprint
            found[name] = int.from_bytes(hashlib.blake2b(whole, digest_size=8).digest(), "big")
    return found


def _index_there(out: Path, embedder: Embedder) -> LoadedIndex | None:
    """The index that is there; ``None`` when it is absent, damaged or of another model."""
    try:
        return load_index(out, model=embedder.model, dimension=embedder.dimension)
    except IndexDamaged:
        return None


def _changed(leaves: Mapping[str, int], before: LoadedIndex | None) -> tuple[list[str], dict[str, int]]:
    """Files to read, and for the others the row that they had in the index before."""
    if before is None or before.manifest["wording"] != wording_signature():
        return list(leaves), {}
    rows = {int(number): row for row, number in enumerate(before.rows["leaf"])}
    kept = {file: rows[number] for file, number in leaves.items() if number in rows}
    return [file for file in leaves if file not in kept], kept


def _require_distinct(corpus: Path, arrays: Arrays) -> None:
    """Raise ``CorpusInvalid`` when two leaves of one source name the same variable."""
    if pair := arrays.described_twice():
        first, second = pair
        leaf = read_leaf(corpus, corpus / second, read_access(corpus, (corpus / second).parent))
        raise CorpusInvalid(f"{leaf.file}:{leaf.line}: {leaf.variable} is already described by {first}")


async def _vectors(
    arrays: Arrays,
    digests: Mapping[str, Digest],
    before: LoadedIndex | None,
    journal: Journal,
    *,
    embedder: Embedder,
    progress: Progress | None,
) -> tuple[NDArray[Any], int, int]:
    """Vectors of all rows, how many were embedded now, and how many came from the journal."""
    import numpy as np  # noqa: PLC0415 - numpy is loaded by those who build

    names, saved = journal.read()
    vectors = np.empty((len(arrays.rows), embedder.dimension), dtype=np.float16)
    wanted: dict[bytes, list[int]] = {}
    for row, (high, low) in enumerate(zip(arrays.rows["text_high"], arrays.rows["text_low"], strict=True)):
        wanted.setdefault(int(high).to_bytes(8, "big") + int(low).to_bytes(8, "big"), []).append(row)
    if before is not None:
        _take(vectors, wanted, before.signatures(), before.vectors)
    resumed = _take(vectors, wanted, names, saved)
    texts = {
        digests[arrays.files[rows[0]]].signature: digests[arrays.files[rows[0]]].text for rows in wanted.values()
    }
    total = sum(len(rows) for rows in wanted.values())
    done = 0
    for batch in _batches(texts):
        found = (await embedder.embed([texts[name] for name in batch])).astype(np.float16)
        if found.shape != (len(batch), embedder.dimension) or not np.isfinite(found).all():
            raise ModelUnavailable(
                f"{embedder.model} gave vectors of shape {found.shape} for {len(batch)} texts of dimension "
                f"{embedder.dimension}, or parts that are no numbers"
            )
        journal.add(batch, found)
        for name, vector in zip(batch, found, strict=True):
            vectors[wanted[name]] = vector
            done += len(wanted[name])
        if progress:
            progress(done, total)
    return vectors, total, resumed


def _take(
    vectors: NDArray[Any], wanted: dict[bytes, list[int]], names: Sequence[bytes], known: NDArray[Any]
) -> int:
    """Fill in what is known and no longer want it; returns how many rows were filled."""
    filled: list[int] = []
    taken: list[int] = []
    for place, name in enumerate(names):
        rows = wanted.pop(name, [])
        filled += rows
        taken += [place] * len(rows)
    if filled:
        vectors[filled] = known[taken]
    return len(filled)


def _batches(texts: Mapping[bytes, str]) -> Iterator[list[bytes]]:
    """Batches of texts of like length, in an order that keeps the pace even from first to last."""
    names = sorted(texts, key=lambda name: (len(texts[name]), name))
    batches = [names[at : at + BATCH] for at in range(0, len(names), BATCH)]
    random.Random(0).shuffle(batches)  # noqa: S311 - nothing secret is drawn
    yield from batches

"""The finder's search beside the documented way, in one run: ``python -m tests.bench.bench_finder``.

Both ways run in processes of their own and are asked in turn, so that what else the machine does meets both. With
``--index`` the tables are those of a built index and the phrasings are embedded labelled searches; otherwise, and
for ``--dimension 1536``, vectors are made: clustered, so that thousands of rows lie near each query.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from finder_index.columns import Name, name_line
from finder_index.digest import Digest
from finder_index.index import FORMAT, load_index
from finder_index.index_files import Arrays, IndexWriter
from finder_index.signature import wording_signature
from tests.bench.finder_searches import whole

ROOT = Path(__file__).parents[2]
LABELLED = ROOT / "tests" / "unit" / "finder_index" / "labelled_phrasings.tsv"
BUILT = ROOT / ".neuralkg" / "index" / "catalogs"
ENTRIES = 118_703
PHRASINGS = 8
WORDED = (
    "{}", "what is the {}?", "{} by country", "tables for {}", "{} of a place", "statistics of {}", "latest {}",
    "how large is {}",
)  # fmt: skip


class Process:
    """A way of searching, running beside this process."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.finder_ways", kind, str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        self.started: dict[str, Any] = self._read() | self._read()

    def ask(self, **command: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        stdin = cast("IO[str]", self.process.stdin)
        stdin.write(json.dumps(command) + "\n")
        stdin.flush()
        return self._read()

    def close(self) -> None:
        cast("IO[str]", self.process.stdin).close()
        self.process.wait(30)

    def _read(self) -> dict[str, Any]:
        return dict(json.loads(cast("IO[str]", self.process.stdout).readline()))


@contextmanager
def running(folder: Path) -> Iterator[dict[str, Process]]:
    ways = {kind: Process(kind, folder) for kind in ("documented", "indexed")}
    try:
        yield ways
    finally:
        for way in ways.values():
            way.close()


def made_vectors(rows: int, dimension: int) -> NDArray[np.float16]:
    random = np.random.default_rng(7)
    centres = random.normal(size=(2_000, dimension)).astype(np.float32)
    vectors = np.empty((rows, dimension), np.float16)
    for at in range(0, rows, 8192):
        count = min(8192, rows - at)
        block = centres[random.integers(0, len(centres), count)]
        block = block + 0.8 * random.normal(size=block.shape).astype(np.float32)
        vectors[at : at + count] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return vectors


def write_made(folder: Path, dimension: int) -> None:
    """An index of made vectors with made documents of the usual size."""
    vectors = made_vectors(ENTRIES, dimension)
    files = sorted(f"sources/made{row % 12:02}/{row:06}.md" for row in range(ENTRIES))
    digests = {file: made_digest(file, number) for number, file in enumerate(files)}
    arrays = Arrays.merge(files, dict.fromkeys(files, 0), digests, None, {})
    manifest = {
        "format": FORMAT, "model": "made", "dimension": dimension, "entries": ENTRIES, "sources": arrays.sources,
        "corpus": "", "wording": wording_signature(), "extends": [], "types": arrays.types,
    }  # fmt: skip
    with IndexWriter(folder / "index") as writer:
        arrays.write(writer)
        writer.vectors(vectors)
        writer.finish(manifest)
    random = np.random.default_rng(8)
    chosen = vectors[random.integers(0, ENTRIES, (40, 1))].astype(np.float32)
    queries = chosen + 0.5 * dimension**-0.5 * random.normal(size=(40, PHRASINGS, dimension)).astype(np.float32)
    np.save(folder / "queries.npy", queries / np.linalg.norm(queries, axis=2, keepdims=True))


def made_digest(file: str, number: int) -> Digest:
    source = file.split("/")[1]
    entry: dict[str, Any] = {
        "identifier": f"urn:air:example.org:okf:{source}.{number}", "source": source, "variable": f"V.{number}",
        "title": f"Quantity number {number}", "description": "A quantity of a place by year. " * 6,
        "queries": [f"quantity {number} {part}" for part in ("by place", "by year", "of a place")],
        "tags": ["country", "year"], "terms": {"unit": "%", "statType": "measuredValue", "note": "x" * 250},
    }  # fmt: skip
    return Digest(
        file=file, place=1, source=source, variable=f"V.{number}", key=number, text="", signature=bytes(16),
        line=json.dumps(entry).encode() + b"\n", phrases=((number, 0, 1),), words=(number % 5000,),
        type="Statistical Table", tags=("country", "year"), companions=(), name=number, quantity=0, split=0,
        listed=name_line(Name(entry["title"], entry["identifier"], entry["variable"], "")),
    )  # fmt: skip


def use_built(folder: Path, built: Path) -> None:
    """A built index as it stands, and labelled searches embedded in eight wordings each."""
    from shared.adapters.packaged_embedder import PackagedEmbedder

    (folder / "index").symlink_to(built.resolve(), target_is_directory=True)
    with LABELLED.open(encoding="utf-8", newline="") as lines:
        texts = [row["query"] for row in csv.DictReader(lines, delimiter="\t")][::4][:48]
    embedder = PackagedEmbedder()
    found = [asyncio.run(embedder.embed([words.format(text) for words in WORDED])) for text in texts]
    np.save(folder / "queries.npy", np.stack(found))


def write_documented(folder: Path) -> None:
    """What the documented way loads: the same vectors and the same documents, and the masks of narrow filters."""
    index = load_index(folder / "index")
    (folder / "vectors.npy").symlink_to((folder / "index" / "vectors.npy").resolve())
    with (folder / "meta.json").open("wb") as meta:
        meta.write(b"[")
        for row in range(len(index)):
            meta.write((b"," if row else b"") + index.line(row).strip())
        meta.write(b"]")
    codes = index.source_codes()
    sizes = np.bincount(codes, minlength=len(index.sources))
    source = int(np.argsort(sizes)[len(sizes) // 2])
    tags = np.zeros(len(index), dtype=bool)
    tags[:: len(index) // 400] = True
    half = np.zeros(len(index), dtype=bool)
    half[::2] = True
    np.savez(folder / "masks.npz", source=codes == source, tags=tags, half=half)


def floor(rows: int, dimension: int) -> tuple[float, float]:
    """Seconds that two threads need to read the 8-bit rows once, and gigabytes a second."""
    data = np.ones((rows * dimension // 8,), dtype=np.uint64)
    halves = np.array_split(data, 2)
    seconds = []
    with ThreadPoolExecutor(2) as threads:
        for _ in range(12):
            began = time.perf_counter()
            list(threads.map(np.bitwise_or.reduce, halves))
            seconds.append(time.perf_counter() - began)
    return min(seconds), data.nbytes / min(seconds) / 1e9


def compare(folder: Path, callers: int) -> dict[str, Any]:
    """Ask both ways in turn."""
    count = len(np.load(folder / "queries.npy", mmap_mode="r"))
    manifest = json.loads((folder / "index" / "manifest.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = {"entries": manifest["entries"], "dimension": manifest["dimension"]}
    with running(folder) as ways:
        for kind, way in ways.items():
            found[f"{kind} load ms"] = 1e3 * way.started["load"]
            found[f"{kind} warm ms"] = 1e3 * way.started["warm"]
        for mask in ("", "source", "tags", "half"):
            times: dict[str, list[float]] = {kind: [] for kind in ways}
            fetches: dict[str, list[float]] = {kind: [] for kind in ways}
            shares = []
            for query in range(count if not mask else min(count, 16)):
                rows = {}
                for kind, way in ways.items():
                    answer = way.ask(do="search", query=query, mask=mask)
                    rows[kind] = answer["rows"]
                    if query:
                        times[kind].append(answer["seconds"])
                        fetches[kind].append(answer["fetch"])
                wanted = set(rows["documented"])
                shares.append(len(wanted & set(rows["indexed"])) / max(1, len(wanted)))
            label = f"filter {mask}" if mask else "search"
            for kind in ways:
                found[f"{kind} {label} ms"] = 1e3 * statistics.median(times[kind])
                if not mask:
                    found[f"{kind} fetch ms"] = 1e3 * statistics.median(fetches[kind])
            found[f"{label} recall"] = statistics.mean(shares)
        for kind, way in ways.items():
            for name, size in way.ask(do="memory").items():
                found[f"{kind} {name} MB"] = size - way.started["before"][name]
        for kind, way in ways.items():
            found[f"{kind} at {callers} callers a second"] = way.ask(
                do="together", callers=callers, count=48 if kind == "documented" else 192
            )["rate"]
    found["floor ms"], found["GB/s"] = floor(found["entries"], found["dimension"])
    found["floor ms"] *= 1e3
    return found


def embedding() -> dict[str, float]:
    """Leaves a second, in time and in time of the processor."""
    from finder_index.index import CORPUS
    from finder_index.leaves import read_corpus
    from shared.adapters.packaged_embedder import PackagedEmbedder

    texts = [leaf.index_text for leaf in read_corpus(CORPUS).leaves]
    embedder = PackagedEmbedder()
    asyncio.run(embedder.warm())
    asyncio.run(embedder.embed(texts[:32]))
    began, spent = time.perf_counter(), time.process_time()
    asyncio.run(embedder.embed(texts))
    return {
        "leaves": len(texts),
        "leaves a second": len(texts) / (time.perf_counter() - began),
        "leaves a processor second": len(texts) / (time.process_time() - spent),
    }


def shown(found: dict[str, Any]) -> Iterator[str]:
    """The comparison as lines of a table."""
    yield f"{found['entries']:,} entries of {found['dimension']} dimensions, {PHRASINGS} phrasings, best 150"
    yield f"  {'':24}{'documented':>12}{'index':>12}{'ratio':>9}"
    for name in ("load ms", "warm ms", "search ms", "fetch ms", "filter source ms", "filter tags ms",
                 "filter half ms", "resident MB", "private MB"):  # fmt: skip
        first, second = found[f"documented {name}"], found[f"indexed {name}"]
        yield f"  {name:24}{first:12.2f}{second:12.2f}{first / max(second, 1e-9):8.1f}x"
    for name in [name for name in found if name.startswith("documented at")]:
        first, second = found[name], found[name.replace("documented", "indexed")]
        yield f"  {name[11:]:24}{first:12.1f}{second:12.1f}{second / first:8.1f}x"
    for name in [name for name in found if name.endswith("recall")]:
        yield f"  {name:24}{'':12}{found[name]:12.4f}"
    near = found["indexed search ms"] / found["floor ms"]
    yield f"  to read the 8-bit rows once takes {found['floor ms']:.2f} ms at {found['GB/s']:.1f} GB/s; a search"
    yield f"  takes {near:.1f} times as long"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_finder", description=__doc__)
    parser.add_argument("--index", type=Path, default=BUILT if BUILT.exists() else None)
    parser.add_argument("--dimension", type=int, action="append", help="made vectors of so many dimensions")
    parser.add_argument("--callers", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    results: list[dict[str, Any]] = []
    sizes = given.dimension or ([1536] if given.index else [384, 1536])
    for built, dimension in [*([(given.index, 0)] if given.index else []), *((None, size) for size in sizes)]:
        with tempfile.TemporaryDirectory(prefix="bench-finder-") as place:
            folder = Path(place)
            if built:
                use_built(folder, built)
            else:
                write_made(folder, dimension)
            write_documented(folder)
            results.append(compare(folder, given.callers))
        if not given.json:
            print(*shown(results[-1]), sep="\n", flush=True)
    asked = asyncio.run(whole(given.index, given.callers)) if given.index else {}
    rate = embedding()
    if given.json:
        print(json.dumps({"searches": results, "whole": asked, "embedding": rate}, indent=1))
    else:
        print("whole searches:", ", ".join(f"{name} {value:.1f}" for name, value in asked.items()) or "no index")
        print(
            f"embedding {rate['leaves']} leaves: {rate['leaves a second']:.0f} a second, "
            f"{rate['leaves a processor second']:.0f} a second of one processor"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What the command line does with indexes, as plain functions: build, verify, describe, find."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.build import BuildReport, Progress
from finder_index.build import build_index as _build_index
from finder_index.index import CORPUS, CURRENT, damaged_files, load_index, read_manifest, require_current
from shared.query.discovery import FinderReply, FinderRequest
from shared.runtime.errors import FinderError, IndexStale

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline
    from shared.runtime.ports import Embedder


async def build_index(
    corpus: Path = CORPUS,
    out: Path = CURRENT,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
    *,
    extends: Sequence[str] = (),
) -> BuildReport:
    """Build ``out`` from ``corpus``; unchanged leaves keep their vectors.

    The embedder is the endpoint of ``NEURALKG_EMBEDDING_URL`` where that is set, else the packaged model. Raises
    ``CorpusInvalid`` (``file:line: what is wrong``) and ``ModelUnavailable``.
    """
    return await _build_index(corpus, out, embedder or embedder_of_environment(), progress, extends=extends)


def verify_index(path: Path = CURRENT, corpus: Path | None = CORPUS) -> list[str]:
    """Everything that is wrong with an index, one sentence each; an empty list means that it is sound.

    Reads every file in full. With ``corpus`` it also tells whether the index is that of the leaves there.
    """
    try:
        problems = damaged_files(path)
    except FinderError as error:
        return [str(error)]
    for check in (_loads, _is_current):
        try:
            check(path, corpus)
        except FinderError as error:
            problems.append(str(error))
    return problems


def _loads(path: Path, _corpus: Path | None) -> None:
    load_index(path)


def _is_current(path: Path, corpus: Path | None) -> None:
    if corpus:
        require_current(path, corpus)


def describe_index(path: Path = CURRENT, corpus: Path | None = CORPUS) -> dict[str, Any]:
    """Model, dimension, entries for each source, size in bytes, and whether it is current; ready for JSON.

    Raises ``IndexDamaged`` when there is no readable manifest.
    """
    manifest = read_manifest(path)
    return {
        "model": manifest["model"],
        "dimension": manifest["dimension"],
        "entries": manifest["entries"],
        "sources": manifest["sources"],
        "bytes": sum(file.stat().st_size for file in path.iterdir() if file.is_file()),
        "corpus": manifest["corpus"],
        "current": _current(path, corpus) if corpus else None,
    }


def _current(path: Path, corpus: Path) -> bool:
    try:
        require_current(path, corpus)
    except IndexStale:
        return False
    return True


async def find(
    request: FinderRequest,
    *,
    deadline: Deadline,
    path: Path = CURRENT,
    corpus: Path | None = CORPUS,
    embedder: Embedder | None = None,
) -> FinderReply:
    """Search an index once, for ``neuralkg find``. Raises as ``LocalFinder.open`` and ``search`` do."""
    from finder_index.finder import LocalFinder  # noqa: PLC0415 - building needs no search

    finder = LocalFinder.open(embedder or embedder_of_environment(), path=path, corpus=corpus)
    return await finder.search(request, deadline=deadline)


def embedder_of_environment(environment: Mapping[str, str] = os.environ) -> Embedder:
    """The embedder that the environment names: an OpenAI-compatible endpoint, or the packaged model.

    Raises ``UsageError`` for an endpoint that is named by half.
    """
    from shared.adapters.openai_embedder import OpenAIEmbedder  # noqa: PLC0415 - most need the packaged one

    if remote := OpenAIEmbedder.from_environment(environment):
        return remote
    from shared.adapters.packaged_embedder import PackagedEmbedder  # noqa: PLC0415

    return PackagedEmbedder()

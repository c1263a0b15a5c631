"""``python -m functions.finder``: the finder's service by itself, on the packaged index or another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from functions.finder.settings import FinderSettings
from shared.runtime.errors import NeuralKGError


def main() -> int:
    """Serve until stopped; 1 when the index or the model cannot be used, 2 for bad settings."""
    parser = argparse.ArgumentParser(prog="python -m functions.finder", description=__doc__)
    parser.add_argument("--index", type=Path, help="folder of the index; the packaged one by default")
    parser.add_argument("--corpus", type=Path, help="folder of its leaves; the packaged ones by default")
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    try:
        settings = FinderSettings.from_environment()
    except NeuralKGError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    import uvicorn  # noqa: PLC0415 - what --help does not need

    from finder_index.finder import LocalFinder  # noqa: PLC0415
    from finder_index.index import CORPUS, CURRENT  # noqa: PLC0415
    from functions.finder.server import corpora_of, create_finder  # noqa: PLC0415
    from shared.adapters.packaged_embedder import PackagedEmbedder  # noqa: PLC0415

    corpus = given.corpus or (None if given.index else CORPUS)
    try:
        finder = LocalFinder.open(PackagedEmbedder(), path=given.index or CURRENT, corpus=corpus)
        app = create_finder(finder, corpora=corpora_of(corpus), settings=settings)
    except NeuralKGError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    uvicorn.run(
        app,
        host=given.host or settings.host,
        port=given.port if given.port is not None else settings.port,
        log_level="warning",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

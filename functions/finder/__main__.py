"""``python -m functions.finder``: the finder's service by itself, on the packaged index or another."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from functions.finder.settings import FinderSettings
from shared.models.settings import ModelSettings
from shared.runtime.errors import NeuralKGError


def main() -> int:
    """Serve until stopped; 1 when the index or the model cannot be used, 2 for bad settings."""
    parser = argparse.ArgumentParser(prog="python -m functions.finder", description=__doc__)
    parser.add_argument(
        "--index", help="the index: a folder, gs://bucket/prefix or s3://bucket/prefix; the packaged one by default"
    )
    parser.add_argument("--corpus", type=Path, help="folder of its leaves; the packaged ones by default")
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    try:
        settings, models = FinderSettings.from_environment(), ModelSettings.from_environment()
    except NeuralKGError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        asyncio.run(_serve(given, settings, models))
    except NeuralKGError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


async def _serve(given: argparse.Namespace, settings: FinderSettings, models: ModelSettings) -> None:
    import uvicorn  # noqa: PLC0415 - what --help does not need

    from finder_index.cli_actions import embedder_of_environment  # noqa: PLC0415
    from functions.finder.published import opened_index  # noqa: PLC0415
    from functions.finder.server import create_finder  # noqa: PLC0415
    from shared.models.opening import open_models  # noqa: PLC0415

    address = given.index or settings.index
    async with AsyncExitStack() as stack:
        judges = (await open_models(models, stack)).judges
        index = await stack.enter_async_context(
            opened_index(address, embedder_of_environment(), settings, corpus=given.corpus, judges=judges)
        )
        app = create_finder(index.finder, corpora=index.corpora, settings=settings, watch=index.watch)
        host, port = given.host or settings.host, given.port if given.port is not None else settings.port
        await uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning")).serve()


if __name__ == "__main__":
    sys.exit(main())

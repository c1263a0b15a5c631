"""``python -m tests.hostile N``: N questions asked of hostile models. Exit code 0 if all checks hold."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path

from tests.hostile.runs import run


def main() -> int:
    """Run what was asked for and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=500, help="runs; 500 by default")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; each run takes the next one")
    given = parser.parse_args()
    if given.count < 1:
        parser.error(f"{given.count} is no number of runs")
    logging.disable(logging.ERROR)  # of servers whose clients left, which is what is tried here
    seeds = range(given.seed, given.seed + given.count)
    with tempfile.TemporaryDirectory(prefix="neuralkg-hostile-", ignore_cleanup_errors=True) as folder:
        report = asyncio.run(run(seeds, Path(folder), tell=_tell))
    print(report.text())  # noqa: T201 - its result
    return 1 if report.faults else 0


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - while it runs


if __name__ == "__main__":
    sys.exit(main())

"""``python -m tests.faults N``: N questions among faults, embedded and through ``neuralkg up``.

Exit code 0 only if every run ended once and used what it uses without faults.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults import embedded, processes
from tests.faults.report import Report


def main() -> int:
    """Run what was asked for and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=500, help="questions; 500 by default")
    parser.add_argument("--only", choices=("embedded", "processes"), help="one of the two ways")
    parser.add_argument("--rate", type=float, help="how often each fault strikes a step, such as 0.005")
    parser.add_argument("--seed", type=int, default=0, help="another one strikes elsewhere")
    parser.add_argument("--logs", type=Path, help="keep what the processes print in this folder")
    parser.add_argument("--json", action="store_true", help="print the reports as JSON, and nothing else")
    given = parser.parse_args()
    if given.count < 1:
        parser.error(f"{given.count} is no number of questions")
    logging.basicConfig(level=logging.ERROR)
    # Tasks of a worker that died are nobody's any more.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    reports = [report for how in ("embedded", "processes") if (report := _one(how, given)) is not None]
    for report in reports:
        print(json.dumps(report.as_json()) if given.json else report.text())  # noqa: T201 - its result
    return 0 if all(report.passed for report in reports) else 1


def _one(how: str, given: argparse.Namespace) -> Report | None:
    if given.only not in {None, how}:
        return None
    with tempfile.TemporaryDirectory(prefix="neuralkg-faults-", ignore_cleanup_errors=True) as folder:
        if how == "embedded":
            chosen = embedded.rates(given.rate or embedded.RATE)
            return asyncio.run(embedded.run(given.count, Path(folder), rates=chosen, seed=given.seed))
        chosen = processes.rates(given.rate or processes.RATE)
        return asyncio.run(
            processes.run(given.count, Path(folder), rates=chosen, seed=given.seed, tell=_teller(), logs=given.logs)
        )


def _teller() -> Callable[[str], None]:
    began = time.monotonic()

    def tell(text: str) -> None:
        print(f"{time.monotonic() - began:7.1f} s  {text}", file=sys.stderr, flush=True)  # noqa: T201

    return tell


if __name__ == "__main__":
    sys.exit(main())

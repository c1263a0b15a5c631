"""Checks every leaf of a corpus with an independent checker of the Open Knowledge Format (`okflib` from PyPI).

    python tools/check_okf.py [CORPUS]        the packaged corpus by default

Exit code 0 only if the checker finds nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from okflib import Bundle

PACKAGED = Path(__file__).parents[1] / "finder_index" / "corpus"


def problems_of(corpus: Path) -> tuple[int, list[str]]:
    """How many documents the checker read, and what it found, one line each."""
    bundle = Bundle.load(corpus, strict=True)
    report = bundle.validate()
    return len(bundle), [str(issue) for issue in report.issues]


def main() -> int:
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGED
    count, problems = problems_of(corpus)
    for problem in problems[:50]:
        print(problem)
    print(f"{count} documents, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())

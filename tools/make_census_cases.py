"""Writes the labelled questions for the Census Bureau: hand-written questions, expectations from published figures.

    python tools/make_census_cases.py [--data ../shared/data] [--out tests/cases/census.jsonl]

The data is not part of the project: without it nothing is written, and the committed cases stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))

from census_cases import areas, parts, several, single  # noqa: E402
from census_cases.published import Cases, Published  # noqa: E402


def main() -> None:
    """Write the cases anew; the same figures give the same bytes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "cases" / "census.jsonl")
    given = parser.parse_args()
    if not (given.data / "census").is_dir():
        raise SystemExit(f"no figures at {given.data}: the cases in {given.out} were not written anew")
    data, cases = Published(given.data), Cases()
    for add in (*single.SUBJECTS, *several.SUBJECTS, *parts.SUBJECTS, *areas.SUBJECTS):
        add(cases, data)
    given.out.write_text(
        "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases.made), encoding="utf-8"
    )
    print(f"{len(cases.made)} cases")


if __name__ == "__main__":
    main()

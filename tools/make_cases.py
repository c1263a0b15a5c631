"""Writes the labelled question cases: hand-written questions, expectations taken from published figures.

    python tools/make_cases.py [--data ../shared/data] [--out tests/cases/questions.jsonl] [--dev FILE]

The data is not part of the project: without it nothing is written, and the committed cases stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).resolve().parent))

from question_cases import SUBJECTS  # noqa: E402
from question_cases.build import Book, Case  # noqa: E402
from question_cases.figures import Figures  # noqa: E402


def make(data: Path) -> list[Case]:
    """All cases, in the order of their subjects. A question may stand only once in a group."""
    book = Book(Figures(data))
    for add in SUBJECTS:
        add(book)
    doubled = [q for q, n in Counter((c["question"], str(c.get("options"))) for c in book.cases).items() if n > 1]
    if doubled:
        raise SystemExit(f"asked twice: {doubled}")
    return book.cases


def write(cases: list[Case], path: Path) -> None:
    """One case a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "cases" / "questions.jsonl")
    parser.add_argument("--dev", type=Path, help="also write the development two thirds to this file")
    given = parser.parse_args()
    if not (given.data / "worldbank").is_dir():
        raise SystemExit(f"no figures at {given.data}: the cases in {given.out} were not written anew")
    cases = make(given.data)
    write(cases, given.out)
    if given.dev:
        write([case for case in cases if case["split"] == "dev"], given.dev)
    for group, count in sorted(Counter(case["id"].rsplit("-", 1)[0] for case in cases).items()):
        held = sum(case["split"] == "holdout" for case in cases if case["id"].startswith(group + "-"))
        print(f"{group:20} {count:4}  held out {held}")
    print(f"{'all':20} {len(cases):4}  held out {sum(case['split'] == 'holdout' for case in cases)}")


if __name__ == "__main__":
    main()

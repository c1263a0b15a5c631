"""Asks every question of ``../shared/data/questions`` and writes what came of them to ``docs/coverage.md``.

    python tools/measure_coverage.py [--data ../shared/data] [--out docs/coverage.md] [--raw FILE] [--read FILE]

The questions are asked one by one, each alone, of the embedded program with its recorded figures. ``--raw`` keeps
the answers, one a line; ``--read`` sorts answers that were kept. The data is not part of the project: without it
nothing is written.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from functions.ask.intake import checked_question  # noqa: E402
from functions.local.settings import Settings  # noqa: E402
from functions.local.wiring import open_application  # noqa: E402
from shared.query.annotated import AskOptions  # noqa: E402
from shared.query.answer import Answer  # noqa: E402
from shared.runtime.errors import NeuralKGError  # noqa: E402
from tools.coverage.collected import LABELLED, LISTS, Collected, collected  # noqa: E402
from tools.coverage.outcomes import ANSWERED, differs, outcome  # noqa: E402

AT_ONCE = 3
FILES = (LABELLED, *LISTS)
SETTLED = ("complete", "partial", "needs clarification")
EXAMPLES = 3
QUANTITIES = 60
NOT_CARRIED = "quantity not carried"
REJECTED = "rejected as bad input"

Results = Mapping[str, Answer | None]
"""The answer to each question; ``None`` where it is no question that may be asked."""


async def ask_all(questions: Sequence[Collected]) -> dict[str, Answer | None]:
    """Ask all questions in one process, a few at a time."""
    found: dict[str, Answer | None] = {}
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({**os.environ, "NEURALKG_HOME": home})
        async with open_application(settings) as app:
            waiting = iter(questions)

            async def work() -> None:
                for one in waiting:
                    try:
                        found[one.text] = await app.ask(checked_question(one.text), AskOptions())
                    except NeuralKGError:
                        found[one.text] = None

            async with asyncio.TaskGroup() as group:
                for _ in range(AT_ONCE):
                    group.create_task(work())
    return found


def page(questions: Sequence[Collected], results: Results, when: datetime) -> str:
    """The page: counts for each file, answers held against labels, what is not answered."""
    outcomes = {one.text: _outcome(results[one.text]) for one in questions}
    rows = Counter(outcomes.values())
    ordered = [name for name in SETTLED if rows[name]] + sorted(
        (name for name in rows if name not in SETTLED), key=lambda name: -rows[name]
    )
    lines = [
        "# Coverage",
        "",
        "What comes of the questions that Data Commons collected to test its own search, each asked alone of the",
        f"embedded program and its recorded figures on {when:%Y-%m-%d}:",
        "",
        "    python tools/measure_coverage.py",
        "",
        "Many go on from another question, ask for events, health or crime, or for places and quantities that no",
        "recorded figure is of. For those no answer is right; what counts is that the reason is true.",
        "",
        f"| outcome | {' | '.join(Path(name).stem.removeprefix('datacommons_') for name in FILES)} | distinct |",
        f"|---|{'---:|' * (len(FILES) + 1)}",
    ]
    lines += [_row(name, [one for one in questions if outcomes[one.text] == name]) for name in ordered]
    lines += [_row("all", questions), "", *_labels(questions, results), "", "## Not answered", ""]
    for name in ordered:
        if name not in SETTLED:
            texts = [one.text for one in questions if outcomes[one.text] == name]
            lines.append(f"- **{name}** ({len(texts)}): {'; '.join(_spread(texts))}")
    wanted = Counter(
        text for one in questions if outcomes[one.text] == NOT_CARRIED and (text := _quantity(results[one.text]))
    )
    told = ", ".join(f"{text} ({count})" if count > 1 else text for text, count in wanted.most_common(QUANTITIES))
    lines += ["", f"Quantities that are not carried, of {len(wanted)} the most asked for: {told}.", ""]
    return "\n".join(lines)


def _outcome(answer: Answer | None) -> str:
    return REJECTED if answer is None else outcome(answer)


def _row(name: str, questions: Iterable[Collected]) -> str:
    listed = list(questions)
    counts = [sum(file in one.files for one in listed) for file in FILES]
    return f"| {name} | {' | '.join(map(str, [*counts, len(listed)]))} |"


def _labels(questions: Sequence[Collected], results: Results) -> list[str]:
    """How the answers to labelled questions stand to their labels."""
    verdicts: dict[str | None, list[str]] = defaultdict(list)
    for one in questions:
        answer = results[one.text]
        if one.label is not None and answer is not None and answer.status in ANSWERED:
            verdicts[differs(answer, one.label)].append(one.text)
    right = verdicts.pop(None, [])
    total = len(right) + sum(map(len, verdicts.values()))
    lines = [
        "## Held against labels",
        "",
        f"Of the answered questions {total} carry the place and variables of the published answer and name their",
        f"place themselves; {len(right)} answers are of that place and of one of those variables or its equal at",
        "another publisher. The others:",
        "",
    ]
    return lines + [f"- “{text}”: {why}" for why, texts in verdicts.items() for text in texts]


def _spread(texts: Sequence[str]) -> list[str]:
    step = max(1, len(texts) // EXAMPLES)
    return [f"“{text}”" for text in texts[::step][:EXAMPLES]]


def _quantity(answer: Answer | None) -> str | None:
    measure = getattr(answer.reading, "measure", None) if answer is not None else None
    return measure.text if measure is not None else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "coverage.md")
    parser.add_argument("--raw", type=Path, help="keep the answers here, one a line")
    parser.add_argument("--read", type=Path, help="sort the answers kept here and ask nothing")
    asked = parser.parse_args()
    folder = asked.data / "questions"
    if not folder.is_dir():
        print(
            f"{folder} is not there: the questions lie beside the repository; nothing was measured.",
            file=sys.stderr,
        )
        return 0
    questions = collected(folder)
    if asked.read is not None:
        kept = map(Answer.model_validate_json, asked.read.read_text(encoding="utf-8").splitlines())
        results: dict[str, Answer | None] = {one.text: None for one in questions} | {a.question: a for a in kept}
    else:
        results = asyncio.run(ask_all(questions))
    if asked.raw is not None:
        lines = [answer.to_json(indent=None) for answer in results.values() if answer is not None]
        asked.raw.write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked.out.write_text(page(questions, results, datetime.now(UTC)), encoding="utf-8")
    print(f"{len(questions)} questions; {asked.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

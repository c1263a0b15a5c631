"""``neuralkg eval``: asks labelled questions, judges the answers and counts wrong numbers.

A case file holds one JSON object a line. Searches for tables are another kind of case: see ``finder_cases``.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from functions.local.judging import Identify, Verdict, judge, place_names
from functions.local.question_cases import QuestionCase
from shared.query.annotated import AskOptions
from shared.query.answer import Answer
from shared.runtime.errors import UsageError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Ask = Callable[[str, AskOptions], Awaitable[Answer | Mapping[str, Any]]]
"""Asks one question and returns the answer, as the model or as its JSON object."""

_FAULTS = {
    "missing": "is missing",
    "extra_forbidden": "is not a key that means anything here",
    "string_type": "must be text",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "tuple_type": "must be a list",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "bool_parsing": "must be true or false",
}
"""What is wrong with a value, by the validator's name for it; further ones are told in the validator's words."""

_ModelT = TypeVar("_ModelT", bound=BaseModel)


@dataclass(frozen=True)
class Judged:
    """One case with its verdict and the seconds that its answer took."""

    case: QuestionCase
    verdict: Verdict
    seconds: float


@dataclass(frozen=True)
class Report:
    """The outcome of a run over question cases."""

    judged: tuple[Judged, ...]

    @property
    def exit_code(self) -> int:
        """0 only if no case fails."""
        return 0 if all(one.verdict.right for one in self.judged) else 1

    def figures(self) -> dict[str, Any]:
        """The counts, rates and failures, as ``--json`` prints them; ``by_split`` only where cases have one."""
        made = _figures(self.judged)
        splits = sorted({one.case.split for one in self.judged if one.case.split})
        if splits:
            made["by_split"] = {
                split: _figures([one for one in self.judged if one.case.split == split]) for split in splits
            }
            for part in made["by_split"].values():
                del part["failed"]
        return made

    def text(self) -> str:
        """The same for people: a line a figure, then why each failed case failed."""
        made = self.figures()
        lines = [_line("all", made)]
        lines += [_line(split, part) for split, part in made.get("by_split", {}).items()]
        lines += [f"  {failure['id']}: {failure['why']}" for failure in made["failed"]]
        return "\n".join(lines)


def load_questions(path: Path) -> list[QuestionCase]:
    """Read question cases; raises ``UsageError`` naming file and line of a bad or doubled one."""
    cases = load_cases(path, QuestionCase)
    seen: dict[str, int] = {}
    for number, case in cases:
        if case.id in seen:
            raise UsageError(f"{path}, line {number}: the id {case.id!r} was already used in line {seen[case.id]}")
        seen[case.id] = number
    return [case for _, case in cases]


async def evaluate(
    cases: Sequence[QuestionCase],
    ask: Ask,
    *,
    identify: Identify = place_names,
    on_case: Callable[[Judged], None] | None = None,
) -> Report:
    """Ask every case one after the other, so that the seconds are those of a single asker."""
    judged = []
    for case in cases:
        started = time.perf_counter()
        answer = await _answer(case, ask)
        seconds = time.perf_counter() - started
        verdict = answer if isinstance(answer, Verdict) else judge(answer, case, identify)
        judged.append(Judged(case, verdict, seconds))
        if on_case:
            on_case(judged[-1])
    return Report(tuple(judged))


async def _answer(case: QuestionCase, ask: Ask) -> Mapping[str, Any] | Verdict:
    """Ask; input refused by the system counts as a refusal, any other error as a failed case."""
    try:
        answer = await ask(case.question, case.options)
    except UsageError as error:
        return {"status": "refused", "text": str(error), "refusal": {"reason": str(error)}}
    except Exception as error:  # noqa: BLE001 - one case that crashes must not hide the outcome of the others
        why = f"raised {type(error).__name__}: {error}"
        return Verdict(why=(why,), answered=False, type_right=_missed(case), wrong_numbers=())
    return answer.model_dump(mode="json") if isinstance(answer, Answer) else answer


def _missed(case: QuestionCase) -> bool | None:
    return False if case.expect.type else None


def load_cases(path: Path, model: type[_ModelT]) -> list[tuple[int, _ModelT]]:
    """The cases of a file with their lines; raises ``UsageError`` naming file and line of a bad one."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the cases in {path}: {error}") from error
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append((number, model.model_validate(json.loads(line, parse_float=Decimal))))
        except json.JSONDecodeError as error:
            raise UsageError(f"{path}, line {number}: not a JSON object: {error}") from error
        except ValidationError as error:
            raise UsageError(f"{path}, line {number}: {'; '.join(map(_fault, error.errors()))}") from error
    if not cases:
        raise UsageError(f"{path} holds no cases: one JSON object a line is expected")
    return cases


def _fault(fault: ErrorDetails) -> str:
    where = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault["loc"]) or "the line"
    if fault["type"] == "literal_error":
        return f"{where} must be {fault['ctx']['expected']}"
    return f"{where} {_FAULTS.get(fault['type']) or fault['msg'][:1].lower() + fault['msg'][1:]}"


def _figures(judged: Sequence[Judged]) -> dict[str, Any]:
    seconds = sorted(one.seconds for one in judged)
    typed = [one.verdict.type_right for one in judged if one.verdict.type_right is not None]
    return {
        "cases": len(judged),
        "right": sum(one.verdict.right for one in judged),
        "answered": sum(one.verdict.answered for one in judged),
        "type_accuracy": rate(sum(typed), len(typed)),
        "wrong_numbers": sum(len(one.verdict.wrong_numbers) for one in judged),
        "median_s": round(median(seconds), 4) if seconds else 0.0,
        "p95_s": round(seconds[math.ceil(len(seconds) * 0.95) - 1], 4) if seconds else 0.0,
        "failed": [
            {"id": one.case.id, "why": "; ".join(one.verdict.why)} for one in judged if not one.verdict.right
        ],
    }


def rate(part: int, whole: int) -> float | None:
    """A share of one to four places; nothing to count gives ``None``."""
    return round(part / whole, 4) if whole else None


def percent(share: float | None) -> str:
    """A share of one in percent."""
    return "n/a" if share is None else f"{share:.1%}"


def _line(name: str, made: Mapping[str, Any]) -> str:
    return (
        f"{name:8} cases {made['cases']}  right {made['right']}  answered {made['answered']}  "
        f"type accuracy {percent(made['type_accuracy'])}  wrong numbers {made['wrong_numbers']}  "
        f"median {made['median_s']:.3f} s  p95 {made['p95_s']:.3f} s"
    )

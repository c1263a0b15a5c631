"""How a reading ended, decided by code from what is there."""

from __future__ import annotations

from dataclasses import dataclass

from functions.present.draft import View
from shared.query.answer import AnswerStatus
from shared.query.evidence import Failure
from shared.query.material import Served
from shared.query.slots import Slot, SlotKind

COMBINATION_RESULT: dict[str, str] = {
    "value": "value",
    "comparison": "comparison",
    "ranking": "ranking",
    "population_value": "population_value",
    "breakdown": "breakdown",
    "trend": "trend",
    "difference": "difference",
    "ratio": "ratio",
    "correlation": "correlation",
    "filtered_list": "filtered_list",
    "item_list": "item_list",
    "yes_no": "yes_no",
    "vague_aspect": "vague_aspect",
    "status": "status",
    "aggregate": "aggregate",
}
"""The kind of result that each query type promises; without it no answer is complete."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A status and what decided it."""

    status: AnswerStatus
    why: str


def judge_completeness(view: View, failures: list[Failure], *, claims: int, drawn: bool) -> Verdict:
    """``complete`` if nothing is lacking, ``partial`` if something is there, else ``unanswered``.

    ``drawn`` tells that the presenter had the promised result to present.
    """
    reading = view.material.reading
    gaps = [
        f"nothing was found for {slot.describes}"
        for slot in view.material.slots
        if not any(_answered(served) for served in view.material.served.get(slot.id, ()))
    ]
    if not drawn:
        gaps.append(f"the promised {COMBINATION_RESULT.get(reading.type, 'result')} could not be formed")
    for slot in view.material.slots:
        lacking = [
            *view.material.unserved.get(slot.id, ()),
            *(
                served.executed.measure.name
                for served in view.material.served.get(slot.id, ())
                if not _answered(served)
            ),
        ]
        gaps += [f"no figure was found for {label} ({slot.describes})" for label in lacking]
        gaps += _incomplete(view, slot)
    gaps += [failure.reason for failure in failures if failure.stage == "combine"]
    if not gaps:
        return Verdict(AnswerStatus.COMPLETE, "every part was answered")
    why = "; ".join(dict.fromkeys(gaps))
    return Verdict(AnswerStatus.PARTIAL if claims or drawn else AnswerStatus.UNANSWERED, why)


def _answered(served: Served) -> bool:
    return served.slot.kind is SlotKind.MEMBERS or bool(served.reported())


_WHOLE = {"filtered_list", "item_list", "aggregate", "population_value", "ranking"}
_SUMS = {"sum", "mean", "median"}


def _incomplete(view: View, slot: Slot) -> list[str]:
    """Holes in a series, members missing from a total, and populations that a source covers only in part."""
    reading, material = view.material.reading, view.material
    found = []
    resolved = material.resolved.get(slot.id)
    if resolved is not None and not resolved.complete and reading.type in _WHOLE:
        found.append("the source does not cover the whole population")
    for served in material.served.get(slot.id, ())[:1]:
        holes = served.unreported()
        if holes and slot.kind is SlotKind.SERIES:
            found.append(f"the series of {slot.describes} lacks periods")
        if holes and getattr(reading, "operation", None) in _SUMS:
            found.append(f"{len(holes)} members have no figure")
    return found

"""How a reading ended, decided by code from what is there."""

from __future__ import annotations

from dataclasses import dataclass

from functions.present.draft import View
from functions.present.wording import listed
from shared.query.answer import AnswerStatus
from shared.query.evidence import Failure
from shared.query.material import Served
from shared.query.readings import PeriodKindAsked
from shared.query.slots import Slot, SlotKind

COMBINATION_RESULT: dict[str, str] = {
    "value": "value",
    "comparison": "comparison",
    "ranking": "ranking",
    "change_ranking": "change_ranking",
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

    ``drawn`` tells that the presenter had the promised result to present. Where one meaning is shown whole,
    only what that one lacks counts; of the others the disclosures tell.
    """
    reading = view.material.reading
    empty = [
        slot
        for slot in view.material.slots
        if not any(_answered(served) for served in view.material.served.get(slot.id, ()))
    ]
    gaps = [f"nothing was found for {slot.describes}" for slot in empty]
    if not drawn:
        gaps.append(f"the promised {COMBINATION_RESULT.get(reading.type, 'result')} could not be formed")
    for slot in view.material.slots:
        if slot in empty:
            continue
        lacking = _not_compared(view, slot) if drawn and view.leading_only else lacking_meanings(view, slot)
        gaps += [f"no figure was found for {label} ({slot.describes})" for label in lacking]
        gaps += _replaced(view, slot) if drawn and view.leading_only else []
        gaps += _incomplete(view, slot)
    if not (drawn and view.leading_only):
        told = tuple(slot.describes for slot in empty) or ("\n",)
        gaps += [f.reason for f in failures if f.stage == "combine" and not f.reason.endswith(told)]
    if not gaps:
        return Verdict(AnswerStatus.COMPLETE, "every part was answered")
    why = "; ".join(dict.fromkeys(gaps))
    return Verdict(AnswerStatus.PARTIAL if claims or drawn else AnswerStatus.UNANSWERED, why)


def lacking_meanings(view: View, slot: Slot) -> list[str]:
    """The slot's published meanings that have no figure for it."""
    empty = [one.executed.measure.name for one in view.material.served.get(slot.id, ()) if not _answered(one)]
    return [*view.material.unserved.get(slot.id, ()), *empty]


def _replaced(view: View, slot: Slot) -> list[str]:
    """That another meaning stands in for the first-ranked one, where figures are held against each other.

    A reader who asks for "GDP" and gets its growth, since the amount is not reported, got a part of the answer.
    """
    ranked = view.material.ranked.get(slot.id, ())
    used = next((row.meaning for row in view.leading.rows if row.slot == slot.id), None)
    if slot.shared_key is None or not ranked or used is None or used == ranked[0]:
        return []
    first = next((one for one in view.material.served.get(slot.id, ()) if one.meaning == ranked[0]), None)
    name = first.executed.measure.name if first else view.material.unserved[slot.id][0]
    return [f"{name}, the first meaning of the term, could not be had for every part"]


def _not_compared(view: View, slot: Slot) -> list[str]:
    """The leading measure, if a named entity has no figure of it beside the others."""
    if view.leading.result != "comparison" or any(row.slot == slot.id for row in view.leading.rows):
        return []
    return [view.cells(view.leading)[0].measure.name]


def _answered(served: Served) -> bool:
    return served.slot.kind is SlotKind.MEMBERS or bool(served.reported())


_WHOLE = {"filtered_list", "item_list", "aggregate", "population_value", "ranking", "change_ranking"}
_SUMS = {"sum", "mean", "median"}
NAMED = 6


def _some(names: list[str]) -> str:
    return listed(names) if len(names) <= NAMED else f"{', '.join(names[:NAMED])} and others"


_SPANS = {PeriodKindAsked.SINCE, PeriodKindAsked.RANGE, PeriodKindAsked.LAST_YEARS}
_OF_ONE_YEAR = {SlotKind.POPULATION, SlotKind.CATEGORIES}


def one_year_of_span(view: View, slot: Slot) -> str | None:
    """That a population or a split is shown for one year only, where a span of years was asked for."""
    asked = slot.period
    if slot.kind not in _OF_ONE_YEAR or asked.kind not in _SPANS or not view.combined:
        return None
    rows = [row for row in view.leading.rows if row.slot == slot.id]
    cells = [view.cell(row) for row in rows] or [
        cell for served in view.material.served.get(slot.id, ()) for cell in served.reported()
    ]
    shown = sorted({cell.period.text for cell in cells if cell.numeric})
    if len(shown) != 1 or (asked.start is not None and asked.start == asked.end):
        return None
    words = f" ({span_words(slot)})" if span_words(slot) else ""
    return f"of the years asked for{words}, only {shown[0]} is shown"


def span_words(slot: Slot) -> str:
    """The span a slot asks for: ``since 2000``, ``2000 to 2010``, ``the last 5 years``."""
    asked = slot.period
    match asked.kind:
        case PeriodKindAsked.SINCE:
            return f"since {asked.start}"
        case PeriodKindAsked.RANGE:
            return f"{asked.start} to {asked.end}"
        case PeriodKindAsked.LAST_YEARS if asked.count is not None:
            return f"the last {asked.count} years"
    return asked.text


def _incomplete(view: View, slot: Slot) -> list[str]:
    """Holes in a series, members missing from a total, and populations that a source covers only in part."""
    reading, material = view.material.reading, view.material
    found = []
    resolved = material.resolved.get(slot.id)
    if resolved is not None and not resolved.complete and reading.type in _WHOLE:
        found.append("the source does not cover the whole population")
    if only := one_year_of_span(view, slot):
        found.append(only)
    for served in material.served.get(slot.id, ()):
        if not (view.leading_slot(served) if view.combined else served is material.served[slot.id][0]):
            continue
        if lacking := served.lacking():
            measure, whom = served.executed.measure.name, served.executed.observations[0].entity.name
            found.append(f"the total of {measure} for {whom} lacks {_some(lacking)}")
        holes = served.unreported()
        if holes and slot.kind is SlotKind.SERIES:
            found.append(f"the series of {slot.describes} lacks {_some(holes)}")
        if holes and getattr(reading, "operation", None) in _SUMS:
            found.append(f"{len(holes)} members have no figure")
    return found

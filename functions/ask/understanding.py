"""How questions are understood: the table of judgments, the panel's rule, the limits, and one run's readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from functions.hosting.task_table import TaskDescription, described
from shared.models.polling import ASKED_TOGETHER, panel_deadline
from shared.models.settings import CALL_SECONDS
from shared.models.structure import MAX_READINGS, structure
from shared.query.annotated import (
    Annotation,
    Discovered,
    Failed,
    Judged,
    Presented,
    Selected,
    Understood,
    Worded,
)
from shared.query.answer import Answer, ModelUsage
from shared.query.quantity import Exact, Frozen
from shared.query.readings import Reading
from shared.runtime.budget import Limits
from shared.runtime.records import RunRecord, StepRecord

MOST_MEMBERS = 3
TRIES = 2
"""How often one judgment's reply may be given: a first time, and once more when it breaks its contract."""
MOST_OFFERED = 40


class PanelRule(Frozen):
    """How a panel comes to a reading; times in seconds."""

    members: int = MOST_MEMBERS
    asked_together: int = ASKED_TOGETHER
    agreeing: int = 2
    deadline_seconds: float
    readings_kept: int = MAX_READINGS


class RunLimits(Frozen):
    """What one run may use, and one judgment."""

    model_calls: int
    usd: Exact
    model_seconds: float
    judgment_seconds: float = CALL_SECONDS
    tries: int = TRIES


class Member(Frozen):
    """What a member of the panel said: the structure of its reading, or why it gave none."""

    name: str
    structure: str | None
    why: str | None
    chosen: bool


class ReadingShown(Frozen):
    """A reading that was kept: its place, how it ended, and why."""

    place: int
    type: str
    structure: str
    chosen: bool
    status: str
    why: str
    fields: dict[str, Any]


class Choice(Frozen):
    """A decision among what was offered. ``by`` is a model or ``built-in rules``."""

    stage: str
    reading: int
    what: str
    by: str
    offered: tuple[str, ...]
    chosen: tuple[str, ...]
    why: str
    seconds: float | None = None


class Asked(Frozen):
    """What one stage of one reading asked of one model for one task."""

    stage: str
    reading: int
    task: str
    model: str
    calls: int
    tokens: int
    usd: Exact
    seconds: float


class RunUnderstood(Frozen):
    """How one run's question was understood."""

    run_id: str
    question: str
    state: str
    agreement: str
    members: tuple[Member, ...]
    readings: tuple[ReadingShown, ...]
    notes: tuple[str, ...]
    choices: tuple[Choice, ...]
    asked: tuple[Asked, ...]
    worded: Worded | None


class Understanding(Frozen):
    """Everything that the page shows; ``run`` where one is asked for."""

    tasks: tuple[TaskDescription, ...]
    panel: PanelRule
    limits: RunLimits
    run: RunUnderstood | None = None


def understanding(run: RunUnderstood | None = None) -> Understanding:
    """What holds for every question. Raises ``UsageError`` when the panel's deadline is set to no number."""
    limits = Limits()
    return Understanding(
        tasks=tuple(described()),
        panel=PanelRule(deadline_seconds=panel_deadline()),
        limits=RunLimits(model_calls=limits.model_calls, usd=limits.usd, model_seconds=limits.model_seconds),
        run=run,
    )


def run_understood(
    run: RunRecord, annotations: Sequence[Annotation], steps: Sequence[StepRecord], answer: Answer | None
) -> RunUnderstood:
    """One run's readings, votes and choices, as far as it has come."""
    understood = next((a.payload for a in annotations if isinstance(a.payload, Understood)), None)
    readings = understood.readings if understood else ()
    presented = [a.payload for a in annotations if isinstance(a.payload, Presented)]
    return RunUnderstood(
        run_id=run.run_id,
        question=run.question,
        state=run.status.value,
        agreement=_agreement(understood),
        members=tuple(_members(understood)),
        readings=tuple(_readings(readings, annotations, answer)),
        notes=understood.notes if understood else (),
        choices=(*_selections(annotations), *_judgments(annotations)),
        asked=tuple(_asked(steps)),
        worded=next((one.worded for one in presented if one.worded is not None), None),
    )


def _agreement(understood: Understood | None) -> str:
    if understood is None:
        return "The question has not been read."
    shapes = Counter(vote.structure for vote in understood.votes if vote.structure)
    if not shapes:
        return "No member's vote is recorded."
    most = shapes[structure(understood.readings[0])] if understood.readings else 0
    given = shapes.total()
    if most >= 2:
        return f"{most} of the {given} members that answered gave the chosen structure, which settled it."
    if given == 1:
        return "One member answered, and its reading was taken."
    return "No two members agreed: the reading of the simpler type was taken first."


_DROPPED = "it is about another subject, or leaves a part of the question out"
"""Why a reading is not kept, of a vote that does not say which."""


def _members(understood: Understood | None) -> Iterator[Member]:
    if understood is None:
        return
    kept = [structure(reading) for reading in understood.readings]
    for vote in understood.votes:
        chosen = bool(kept) and vote.structure == kept[0]
        why = vote.error
        if why is None and not chosen:
            why = "kept as another reading" if vote.structure in kept else f"dropped: {vote.dropped or _DROPPED}"
        yield Member(name=vote.member, structure=vote.structure, why=why, chosen=chosen)


def _readings(
    readings: Sequence[Reading], annotations: Sequence[Annotation], answer: Answer | None
) -> Iterator[ReadingShown]:
    ended = {a.reading: a.payload for a in annotations if isinstance(a.payload, Presented)}
    chosen = next((n for n, one in enumerate(readings) if answer is not None and one == answer.reading), None)
    for place, reading in enumerate(readings):
        presented = ended.get(place)
        failed = [a.payload for a in annotations if a.reading == place and isinstance(a.payload, Failed)]
        if presented is not None:
            status, why = presented.status, presented.why
        elif failed:
            status, why = "failed", failed[-1].failure.reason
        elif answer is not None:
            status, why = "not tried", "an earlier reading was answered, or the run ended before"
        else:
            status, why = "under way", ""
        yield ReadingShown(
            place=place + 1,
            type=reading.type,
            structure=structure(reading),
            chosen=place == chosen,
            status=status,
            why=why,
            fields=reading.model_dump(mode="json"),
        )


def _selections(annotations: Sequence[Annotation]) -> Iterator[Choice]:
    """For each slot and source the tables that were found and those that were chosen among them."""
    by_models = {(one.stage, one.reading) for one in annotations if isinstance(one.payload, Judged)}
    for annotation in annotations:
        selected = annotation.payload
        if not isinstance(selected, Selected):
            continue
        found = [
            document
            for one in annotations
            if isinstance(one.payload, Discovered)
            and (one.reading, one.slot, one.source) == (annotation.reading, annotation.slot, annotation.source)
            for document in one.payload.documents
        ]
        yield Choice(
            stage=annotation.stage,
            reading=annotation.reading,
            what=f"tables of {annotation.source or 'a source'} for {annotation.slot or 'the question'}",
            by="models and code" if (annotation.stage, annotation.reading) in by_models else "built-in rules",
            offered=tuple(document.title for document in found[:MOST_OFFERED]),
            chosen=tuple(dict.fromkeys(one.title for meaning in selected.meanings for one in meaning.documents)),
            why=selected.why,
        )


def _judgments(annotations: Sequence[Annotation]) -> Iterator[Choice]:
    """What language models were offered and named, judgment by judgment."""
    for annotation in annotations:
        judged = annotation.payload
        if isinstance(judged, Judged):
            yield Choice(
                stage=annotation.stage,
                reading=annotation.reading,
                what=judged.task,
                by=judged.by,
                offered=tuple(one for ids in judged.offered.values() for one in ids)[:MOST_OFFERED],
                chosen=tuple(one for ids in judged.chosen.values() for one in ids),
                why=judged.why or ("" if judged.accepted else "no reply was accepted"),
                seconds=judged.seconds,
            )


def _asked(steps: Sequence[StepRecord]) -> Iterator[Asked]:
    for record in steps:
        for use in record.models:
            yield _use(record, use)


def _use(record: StepRecord, use: ModelUsage) -> Asked:
    return Asked(
        stage=record.step.stage,
        reading=record.step.reading,
        task=use.task,
        model=use.model,
        calls=use.calls,
        tokens=use.tokens,
        usd=use.usd,
        seconds=use.seconds,
    )

"""Each vote says why a member's reading is not among those that were kept."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, cast

import pytest

from functions.understand.stage import understand
from functions.understand.task import UnderstandReply
from shared.query.annotated import AnnotatedQuery, AskOptions, PanelVote, Understood
from shared.query.identifiers import RunId
from shared.query.readings import (
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    Reading,
    TrendReading,
    ValueReading,
)
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.ports import Embedder, Finder, Transport
from shared.text.places import by_code

QUESTION = "population of India in 2015"
GROWTH = MeasureMention(text="population")


def of(code: str) -> EntityMention:
    entity = by_code(code)
    assert entity is not None
    return EntityMention(text=entity.name, status="resolved", entity=entity)


class Member:
    """Reads every question as it is told to."""

    def __init__(self, name: str, reading: Reading) -> None:
        self.name, self._reading = name, reading

    def can(self, task: Any) -> bool:
        return True

    async def ask(self, task: Any, request: Any, context: RunContext, *, hint: str | None = None) -> Any:
        return UnderstandReply(readings=(self._reading,))


VALUE = ValueReading(entity=of("IND"), measure=GROWTH, period=PeriodAsked(kind=PeriodKindAsked.YEAR, start=2015))


async def votes(*readings: Reading) -> tuple[PanelVote, ...]:
    members = tuple(Member(f"m{n}", reading) for n, reading in enumerate(readings, start=1))
    context = RunContext(
        options=AskOptions(), deadline=Deadline.after(30), transport=cast("Transport", None),
        finder=cast("Finder", None), embedder=cast("Embedder", None), judges=(), panel=members,
        say=lambda _line: None, today=lambda: date(2026, 6, 1),
    )  # fmt: skip
    query = AnnotatedQuery(run_id=RunId("r"), question=QUESTION, asked_at=datetime(2026, 6, 1, tzinfo=UTC))
    (understood,) = [one.payload for one in await understand(query, context) if isinstance(one.payload, Understood)]
    return understood.votes


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (
            TrendReading(entities=(of("CHN"),), measure=GROWTH),
            "it is about another subject than the reading that was chosen",
        ),
        (TrendReading(entities=(of("IND"),), measure=GROWTH), "2015"),
    ],
)
async def test_a_vote_says_why_its_reading_was_dropped(other: Reading, why: str) -> None:
    first, dropped, third = await votes(VALUE, other, VALUE)
    assert (first.dropped, third.dropped) == (None, None)
    assert dropped.dropped is not None
    assert why in dropped.dropped


async def test_members_that_agree_and_readings_that_are_kept_have_no_reason() -> None:
    assert [vote.dropped for vote in await votes(VALUE, VALUE)] == [None, None]

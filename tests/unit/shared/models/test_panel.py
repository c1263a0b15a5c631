"""The panel rule, with members that say what a test gives them."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from pydantic import BaseModel

from shared.models.panel import ask_panel
from shared.models.polling import DEADLINE_SECONDS, DEADLINE_VARIABLE, panel_deadline
from shared.models.structure import kept_readings, same_subject, stated, structure
from shared.models.tasks import Judge, Task
from shared.query.annotated import AskOptions
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import (
    ComparisonReading,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    RankingReading,
    Reading,
    TrendReading,
    ValueReading,
)
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    Cancelled,
    CannotRead,
    DeadlineExceeded,
    ModelUnavailable,
    ReplyInvalid,
    UsageError,
)
from shared.runtime.ports import Embedder, Finder, Transport


class Ask(BaseModel):
    question: str


class Say(BaseModel):
    readings: tuple[Reading, ...]


TASK: Task[Ask, Say] = Task(
    name="t", version=1, request=Ask, reply=Say, validate=lambda _q, r: None if r.readings else "none"
)


class Member:
    """Answers after ``after`` seconds with readings, or raises."""

    def __init__(self, name: str, *readings: Reading, error: Exception | None = None, after: float = 0.0) -> None:
        self.name, self._readings, self._error, self._after = name, readings, error, after
        self.asked = 0

    def can(self, _task: Any) -> bool:
        return True

    async def ask(self, _task: Any, _request: Any, _context: RunContext, *, hint: str | None = None) -> Any:
        self.asked += 1
        await asyncio.sleep(self._after)
        if self._error is not None:
            raise self._error
        return Say(readings=self._readings)


def named(name: str) -> EntityMention:
    return EntityMention(text=name, status="resolved", entity=Entity(name=name, kind=PlaceKind.COUNTRY))


GDP = MeasureMention(text="gdp")
INDIA = named("India")
VALUE = ValueReading(entity=INDIA, measure=GDP)
TREND = TrendReading(entities=(INDIA,), measure=GDP)
COMPARED = ComparisonReading(entities=(INDIA, named("China")), measure=GDP)
RANKED = RankingReading(population=PopulationMention(member=PlaceKind.COUNTRY, text="countries"), measure=GDP)


def context(seconds: float = 10) -> RunContext:
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(seconds),
        transport=cast("Transport", None),
        finder=cast("Finder", None),
        embedder=cast("Embedder", None),
        judges=(),
        panel=(),
        say=lambda _line: None,
    )


def shape(reply: Say) -> str:
    return structure(reply.readings[0])


async def asked(*members: Member, deadline: float = 5.0, run: RunContext | None = None) -> Any:
    panel = cast("tuple[Judge, ...]", members)
    return await ask_panel(panel, TASK, Ask(question="?"), run or context(), shape=shape, deadline_seconds=deadline)


async def test_two_members_that_agree_settle_it_and_the_third_is_not_asked() -> None:
    third = Member("c", TREND)
    result = await asked(Member("a", VALUE), Member("b", VALUE), third)
    assert result.replies[0].readings == (VALUE,)
    assert third.asked == 0
    assert [vote.member for vote in result.votes] == ["a", "b"]


async def test_agreement_ignores_wording() -> None:
    other = ValueReading(entity=named("Chad"), measure=MeasureMention(text="population"))
    third = Member("c", TREND)
    await asked(Member("a", VALUE), Member("b", other), third)
    assert third.asked == 0


async def test_a_third_member_decides_between_two_that_differ() -> None:
    result = await asked(Member("a", TREND), Member("b", VALUE), Member("c", TREND))
    assert result.replies[0].readings == (TREND,)
    assert [vote.structure for vote in result.votes] == [structure(TREND), structure(VALUE), structure(TREND)]


def coded(name: str, code: str) -> EntityMention:
    keys = {"iso3": code}
    return EntityMention(text=name, status="resolved", entity=Entity(name=name, kind=PlaceKind.COUNTRY, keys=keys))


def of(mention: EntityMention, year: int) -> ValueReading:
    period = PeriodAsked(kind=PeriodKindAsked.YEAR, start=year, text=f"in {year}")
    return ValueReading(entity=mention, measure=GDP, period=period)


@pytest.mark.parametrize(
    "wrong", [of(coded("India", "IND"), 1970), of(coded("China", "CHN"), 2020)], ids=["year", "place"]
)
async def test_members_that_read_another_place_or_year_do_not_agree_and_a_third_decides(wrong: Reading) -> None:
    right = of(coded("India", "IND"), 2020)
    panel = cast("tuple[Judge, ...]", (Member("a", wrong), Member("b", right), third := Member("c", right)))
    result = await ask_panel(
        panel, TASK, Ask(question="?"), context(), shape=shape, alike=lambda reply: stated(reply.readings[0])
    )
    assert third.asked == 1
    assert result.replies[0].readings == (right,)


async def test_a_tie_goes_to_the_simpler_type() -> None:
    result = await asked(Member("a", TREND), Member("b", COMPARED), Member("c", VALUE))
    assert result.replies[0].readings == (VALUE,)


async def test_the_first_two_are_asked_together() -> None:
    began = asyncio.get_running_loop().time()
    await asked(Member("a", VALUE, after=0.2), Member("b", VALUE, after=0.2))
    assert asyncio.get_running_loop().time() - began < 0.35


async def test_a_slow_member_is_left_once_another_has_answered_and_the_result_says_so() -> None:
    began = asyncio.get_running_loop().time()
    result = await asked(Member("quick", VALUE), Member("slow", VALUE, after=5), deadline=0.2)
    assert asyncio.get_running_loop().time() - began < 1
    assert result.replies[0].readings == (VALUE,)
    assert result.notes == ("slow had not answered 0.2 s after the start; the reading rests on the others",)


async def test_a_slow_only_answer_is_waited_for_past_the_panels_deadline() -> None:
    result = await asked(
        Member("slow", VALUE, after=0.3), Member("b", error=ModelUnavailable("down")), deadline=0.05
    )
    assert result.replies[0].readings == (VALUE,)


async def test_a_member_that_fails_is_recorded_and_the_next_is_asked() -> None:
    result = await asked(Member("a", VALUE), Member("b", error=ModelUnavailable("no key")), Member("c", VALUE))
    assert result.replies[0].readings == (VALUE,)
    assert [(vote.member, vote.error) for vote in result.votes] == [("a", None), ("b", "no key"), ("c", None)]
    assert result.notes == ("b gave no reading: no key",)


async def test_an_abstention_is_a_vote_and_no_note() -> None:
    result = await asked(Member("a", VALUE), Member("b", error=CannotRead("far", [])), Member("c", VALUE))
    assert result.votes[1].error == "far"
    assert result.notes == ()


async def test_a_reply_that_breaks_its_contract_twice_is_an_error_of_its_member() -> None:
    result = await asked(Member("a", VALUE), Member("broken"), Member("c", VALUE))
    assert "broke the contract" in (result.votes[1].error or "")


async def test_a_refusal_is_raised_when_nobody_reads() -> None:
    with pytest.raises(CannotRead, match="why"):
        await asked(Member("a", error=ModelUnavailable("down")), Member("b", error=CannotRead("why", ["form"])))


async def test_the_first_failure_is_raised_when_every_member_fails() -> None:
    with pytest.raises(ReplyInvalid):
        await asked(Member("a"), Member("b", error=ModelUnavailable("down")))


async def test_an_empty_panel_says_that_no_model_is_configured() -> None:
    with pytest.raises(ModelUnavailable, match="no model is configured"):
        await asked()


async def test_one_member_alone_is_gone_with() -> None:
    assert (await asked(Member("a", VALUE))).replies[0].readings == (VALUE,)


async def test_the_runs_deadline_and_cancellation_stop_the_panel() -> None:
    with pytest.raises(DeadlineExceeded):
        await asked(Member("a", VALUE, after=5), Member("b", VALUE, after=5), run=context(0.2))
    run = context()
    asyncio.get_running_loop().call_later(0.1, run.cancelled.set)
    with pytest.raises(Cancelled):
        await asked(Member("a", VALUE, after=0.2), Member("b", VALUE, after=0.4), run=run)


def test_the_deadline_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DEADLINE_VARIABLE, raising=False)
    assert panel_deadline() == DEADLINE_SECONDS == 7.0
    monkeypatch.setenv(DEADLINE_VARIABLE, "2.5")
    assert panel_deadline() == 2.5
    monkeypatch.setenv(DEADLINE_VARIABLE, "soon")
    with pytest.raises(UsageError, match="soon"):
        panel_deadline()


def test_structure_tells_shapes_apart_and_not_words() -> None:
    dated = VALUE.model_copy(update={"period": PeriodAsked(kind=PeriodKindAsked.YEAR, start=2010, text="in 2010")})
    other = dated.model_copy(update={"period": PeriodAsked(kind=PeriodKindAsked.YEAR, start=1999, text="1999")})
    assert structure(VALUE) != structure(dated)
    assert structure(dated) == structure(other)
    three = ComparisonReading(entities=(INDIA, named("China"), named("Chad")), measure=GDP)
    assert structure(COMPARED) != structure(three)


def test_up_to_four_readings_are_kept_and_other_subjects_dropped() -> None:
    elsewhere = ValueReading(entity=named("Peru"), measure=GDP)
    people = ValueReading(entity=INDIA, measure=MeasureMention(text="population"))
    kept = kept_readings([(VALUE, people, elsewhere), (TREND,), (RANKED,), (COMPARED,)])
    assert kept == (VALUE, TREND, COMPARED, people)
    assert not same_subject(VALUE, elsewhere)
    assert same_subject(VALUE, COMPARED)

"""Whose lists of a group's members are believed, and what the answer says of how they came about."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from functions.resolve_entities.list_task import KINDS, LIST_MEMBERS, ListReply, ListRequest
from functions.resolve_entities.listing import MembersListed, NoList, differ_by_at_most, list_members
from shared.models.polling import DEADLINE_VARIABLE
from shared.models.tasks import validated
from shared.runtime.budget import Budget, Limits
from shared.runtime.context import RunContext
from shared.runtime.errors import BudgetExhausted, ModelUnavailable, PhaseViolation
from shared.text.places import by_name
from shared.text.places.tables import countries
from tests.support.stages import context

ASKED = ListRequest(group="Four Asian Tigers", question="population of the Four Asian Tigers", kinds=KINDS)
TIGERS = ("Hong Kong", "Singapore", "South Korea", "Taiwan")
MANY = tuple(sorted(one.name for one in countries().values() if by_name(one.name) == one))[:40]


class Member:
    """A model that lists names, or raises, after some seconds."""

    metered = True

    def __init__(self, name: str, *replies: Any, after: float = 0.0, kind: str = "country") -> None:
        self.name, self.after, self.kind = name, after, kind
        self.replies, self.hints = list(replies), []

    def can(self, task: Any) -> bool:
        return task is LIST_MEMBERS

    async def ask(self, task: Any, _request: Any, _context: RunContext, *, hint: str | None = None) -> Any:
        self.hints.append(hint)
        await asyncio.sleep(self.after)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return task.reply(kind=self.kind, members=tuple(reply))


def run(*members: Any) -> RunContext:
    return replace(context(), panel=members)


async def listed(*members: Member) -> MembersListed:
    found = await list_members(ASKED, run(*members))
    assert isinstance(found, MembersListed)
    return found


async def refused(*members: Any) -> NoList:
    found = await list_members(ASKED, run(*members))
    assert isinstance(found, NoList)
    return found


def names(found: MembersListed) -> list[str]:
    return [place.name for place in found.members]


async def test_two_models_that_agree_settle_the_list_and_the_third_is_not_asked() -> None:
    third = Member("c", TIGERS)
    found = await listed(Member("a", TIGERS), Member("b", TIGERS[::-1]), third)
    assert names(found) == list(TIGERS)
    assert third.hints == []
    assert found.told[0] == (
        "no source lists the members of Four Asian Tigers; the list is of language models and not published: the "
        "language models a and b agree on it"
    )
    assert found.told[1] == "taken for the members of Four Asian Tigers: Hong Kong, Singapore, South Korea, Taiwan"


async def test_two_lists_agree_when_they_differ_by_one_name_in_twenty_and_the_disputed_one_is_left_out() -> None:
    third = Member("c", MANY[:20])
    found = await listed(Member("a", MANY[:20]), Member("b", MANY[:19]), third)
    assert names(found) == list(MANY[:19])
    assert third.hints == []
    assert any(f"left out, as only one names them: {MANY[19]}" in text for text in found.told)


async def test_one_name_in_nineteen_is_no_agreement() -> None:
    third = Member("c", MANY[:19])
    found = await listed(Member("a", MANY[:19]), Member("b", MANY[:18]), third)
    assert third.hints == [None]
    assert len(found.members) == 19


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [(20, 20, True), (20, 19, True), (19, 18, False), (40, 38, True), (39, 37, False), (4, 3, False), (0, 0, True)],
)
def test_the_one_in_twenty_rule_is_about_all_names_of_both_lists(one: int, other: int, agree: bool) -> None:
    places = {name: place for name in MANY if (place := by_name(name)) is not None}
    first, second = ({name: places[name] for name in MANY[:count]} for count in (one, other))
    assert differ_by_at_most(first, second, within=20) is agree


async def test_without_two_that_agree_the_majority_is_taken_and_disputed_members_are_disclosed() -> None:
    ten = MANY[:10]
    found = await listed(Member("a", ten), Member("b", (*ten[:9], MANY[20])), Member("c", ten[1:]))
    assert set(names(found)) == set(ten)
    told = " | ".join(found.told)
    assert "of three language models at least two name each of them" in told
    assert f"counted in, as two of three name them: {ten[0]}, {ten[9]}" in told
    assert f"left out, as only one names them: {MANY[20]}" in told


async def test_a_list_far_from_the_majority_spoils_it() -> None:
    found = await refused(
        Member("a", TIGERS), Member("b", (*TIGERS[:3], "Japan", "Malaysia")), Member("c", MANY[:9])
    )
    assert found.reason.startswith("no source lists the members of Four Asian Tigers, and language models list")
    assert not found.silent


async def test_a_majority_needs_all_three() -> None:
    down = Member("c", ModelUnavailable("no line"))
    found = await refused(Member("a", (*TIGERS, "Japan")), Member("b", TIGERS), down)
    assert "list different ones: a (5 names) and b (4 names); c gave no list: no line" in found.reason


async def test_a_list_of_one_model_is_used_only_when_no_other_answered_and_that_is_said() -> None:
    found = await listed(
        Member("a", TIGERS), Member("b", ModelUnavailable("no line")), Member("c", ModelUnavailable("x"))
    )
    assert names(found) == list(TIGERS)
    assert "the language model a made it, and no other answered" in found.told[0]
    assert found.told[-2:] == ("b gave no list: no line", "c gave no list: x")


async def test_a_slow_model_is_left_after_the_panels_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DEADLINE_VARIABLE, "0.2")
    began = asyncio.get_running_loop().time()
    found = await listed(Member("a", TIGERS), Member("b", TIGERS, after=30))
    assert asyncio.get_running_loop().time() - began < 1
    assert found.told[-1] == "b had not answered 0.2 s after the start"


async def test_a_name_that_is_no_place_is_told_once_and_then_its_model_has_failed() -> None:
    broken = Member("a", (*TIGERS, "Wakanda"))
    found = await refused(broken, Member("b", (*TIGERS, "Wakanda")))
    assert broken.hints == [None, "no country is known by the name Wakanda; common English names are wanted"]
    assert "no model listed the members of Four Asian Tigers" in found.reason
    assert "broke the contract of list_members.v1 twice" in found.reason


async def test_one_broken_reply_is_made_good_by_the_second() -> None:
    found = await listed(Member("a", ("Wakanda",), TIGERS), Member("b", TIGERS))
    assert names(found) == list(TIGERS)


async def test_without_a_provider_nothing_is_listed_and_nothing_more_is_said() -> None:
    assert (await refused()).silent


async def test_a_provider_that_is_down_is_said() -> None:
    found = await refused(Member("a", ModelUnavailable("no line")), Member("b", ModelUnavailable("no line")))
    assert found.reason == "the members of Four Asian Tigers could not be listed: no line"
    assert not found.silent


async def test_a_name_that_models_know_no_group_by_changes_nothing() -> None:
    assert (await refused(Member("a", ()), Member("b", ()))).silent


async def test_a_budget_that_is_spent_ends_the_run() -> None:
    spent = Member("a", BudgetExhausted("spent"))
    with pytest.raises(BudgetExhausted):
        await list_members(ASKED, replace(run(spent), budget=Budget(Limits(model_calls=0))))


async def test_no_list_is_made_while_a_plan_is_executed() -> None:
    asking = run(Member("a", TIGERS), Member("b", TIGERS))
    with asking.phase.during("execute", judging_allowed=False), pytest.raises(PhaseViolation):
        await list_members(ASKED, asking)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (ListReply(kind="us_state", members=("Maine",)), "not asked for"),
        (ListReply(kind="country", members=("Taiwan", "Taiwan")), "twice"),
        (ListReply(kind="country", members=("Maine",)), "no country is known by the name Maine"),
        (ListReply(kind="country", members=("Taiwan",) * 301), "at most 300"),
        (ListReply(kind="country", members=("Taiwan (23 million)",)), "no country is known"),
        (ListReply(kind="country", members=("Georgia", "Turkey")), None),
    ],
)
def test_only_places_of_the_kinds_asked_for_are_accepted(reply: ListReply, fault: str | None) -> None:
    request = ListRequest(group="g", question="q", kinds=("country",))
    found = validated(LIST_MEMBERS, request, reply)
    assert found is None if fault is None else fault in (found or "")

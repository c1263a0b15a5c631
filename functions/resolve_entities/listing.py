"""Whose lists of a group's members are believed: two that agree, a majority that all are near, or nobody's.

Two lists agree when they differ by at most one name in twenty. When all three models have answered and no two
agree, the names that two of them have are taken if every list is near that one. A list of one model alone is taken
only when no other answered. Whatever is not undisputed is said, and so is that models made the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from functions.resolve_entities.list_task import LIST_MEMBERS, ListReply, ListRequest, member_named
from shared.models.polling import MOST_MEMBERS, Poll, panel_deadline, poll
from shared.query.quantity import Entity
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError, ModelUnavailable

AGREE_WITHIN = 20
"""Two lists agree that differ by at most one name in so many."""
NEAR_WITHIN = 4
"""A list is near the majority's that differs from it by at most one name in so many."""
MAJORITY = 2


@dataclass(frozen=True, slots=True)
class MembersListed:
    """The members that models agree on, and everything that the answer has to say of how they came about."""

    group: str
    members: tuple[Entity, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoList:
    """Why there is no list. ``silent`` when nobody could be asked or nobody knows such a group."""

    reason: str
    silent: bool = False


async def list_members(request: ListRequest, context: RunContext) -> MembersListed | NoList:
    """Ask the panel who belongs to the group. Raises ``BudgetExhausted``, ``DeadlineExceeded`` or ``Cancelled``."""
    limit = panel_deadline()
    try:
        polled = await poll(
            context.panel,
            LIST_MEMBERS,
            request,
            context,
            settled=lambda replies: _pair(_lists(replies)) is not None,
            limit=limit,
        )
    except ModelUnavailable as error:
        nobody = not any(member.can(LIST_MEMBERS) for member in context.panel)
        return NoList(f"the members of {request.group} could not be listed: {error}", silent=nobody)
    except ModelError as error:
        return NoList(f"no model listed the members of {request.group}: {error}")
    return _believed(request.group, polled, limit)


def _lists(replies: Mapping[int, ListReply]) -> dict[int, dict[str, Entity]]:
    """Each reply as its places by code; that every name is known has been checked."""
    return {
        index: {
            place.code: place for name in reply.members if (place := member_named(name, reply.kind)) is not None
        }
        for index, reply in sorted(replies.items())
    }


def differ_by_at_most(one: Mapping[str, Entity], other: Mapping[str, Entity], *, within: int) -> bool:
    """Whether two lists differ by at most one name in ``within`` of all their names."""
    return len(one.keys() ^ other.keys()) * within <= len(one.keys() | other.keys())


def _pair(lists: Mapping[int, dict[str, Entity]]) -> tuple[int, int] | None:
    """The two members whose lists agree, those that differ least first."""
    agreeing = [
        pair
        for pair in combinations(lists, 2)
        if differ_by_at_most(lists[pair[0]], lists[pair[1]], within=AGREE_WITHIN)
    ]
    return min(agreeing, key=lambda pair: len(lists[pair[0]].keys() ^ lists[pair[1]].keys()), default=None)


def _believed(group: str, polled: Poll[ListReply], limit: float) -> MembersListed | NoList:
    lists = _lists(polled.replies)
    silence = _silence(polled, limit)
    if (pair := _pair(lists)) is not None:
        first, second = lists[pair[0]], lists[pair[1]]
        both = [place for code, place in first.items() if code in second]
        disputed = [place for code, place in {**first, **second}.items() if code not in first or code not in second]
        how = f"the language models {polled.name(pair[0])} and {polled.name(pair[1])} agree on it"
        return _listed(group, both, how, left_out=disputed)
    if len(lists) == 1:
        ((index, alone),) = lists.items()
        how = f"the language model {polled.name(index)} made it, and no other answered"
        return _listed(group, list(alone.values()), how, told=silence)
    everybody = {code: place for one in lists.values() for code, place in one.items()}
    count = {code: sum(code in one for one in lists.values()) for code in everybody}
    most = {code: place for code, place in everybody.items() if count[code] >= MAJORITY}
    near = all(differ_by_at_most(one, most, within=NEAR_WITHIN) for one in lists.values())
    if len(lists) < MOST_MEMBERS or not most or not near:
        said = " and ".join(f"{polled.name(index)} ({len(one)} names)" for index, one in lists.items())
        reason = f"no source lists the members of {group}, and language models list different ones: {said}"
        return NoList("; ".join((reason, *silence)))
    return _listed(
        group,
        list(most.values()),
        "of three language models at least two name each of them",
        split=[place for code, place in most.items() if count[code] < len(lists)],
        left_out=[place for code, place in everybody.items() if code not in most],
    )


def _listed(
    group: str,
    members: Sequence[Entity],
    how: str,
    *,
    split: Sequence[Entity] = (),
    left_out: Sequence[Entity] = (),
    told: Sequence[str] = (),
) -> MembersListed | NoList:
    if not members:
        return NoList(f"{group} is no group with a settled list of members", silent=True)
    notes = [f"no source lists the members of {group}; the list is of language models and not published: {how}"]
    notes.append(f"taken for the members of {group}: {_names(members)}")
    if split:
        notes.append(f"disputed among the models and counted in, as two of three name them: {_names(split)}")
    if left_out:
        notes.append(f"disputed among the models and left out, as only one names them: {_names(left_out)}")
    return MembersListed(group, tuple(members), (*notes, *told))


def _silence(polled: Poll[ListReply], limit: float) -> tuple[str, ...]:
    """Who gave no list, and why."""
    return (
        *(f"{name} had not answered {limit:g} s after the start" for name in polled.late),
        *(f"{polled.name(index)} gave no list: {error}" for index, error in sorted(polled.failures.items())),
    )


def _names(places: Sequence[Entity]) -> str:
    return ", ".join(place.name for place in places)

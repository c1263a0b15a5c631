"""The judgment ``list_members``: who belongs to a named group that no source knows. Names, never figures."""

from __future__ import annotations

from typing import Literal

from shared.models.tasks import Task
from shared.query.quantity import Entity, Frozen, PlaceKind
from shared.text.places import by_name

MemberKind = Literal["country", "us_state", "us_county"]
KINDS: tuple[MemberKind, ...] = ("country", "us_state", "us_county")
MOST_MEMBERS = 300
MOST_TOLD, MOST_LETTERS = 5, 60

_INSTRUCTIONS = f"""\
List the members of the group as it is commonly understood today. The question is there for its context only.
The reply: {{"kind": "country" | "us_state" | "us_county", "members": ["..."], "why": "..."}}
- kind: what all members are, one of the request's kinds.
- members: each by its common English name, a county as "Name County, State". All of them, none twice, at most \
{MOST_MEMBERS}, and no one who has left the group or only wants to join it.
- An empty list when the words name no group with a settled list of members of such a kind: a single place, a name \
that you do not know, a group that everybody draws otherwise.
- Names only. No figure about any of them.
why: one short sentence."""


class ListRequest(Frozen):
    """The group in the asker's words, and the kinds of members that could be asked for."""

    group: str
    question: str
    kinds: tuple[MemberKind, ...]


class ListReply(Frozen):
    """The members by name, all of one kind; none for what is no group with a settled list."""

    kind: MemberKind
    members: tuple[str, ...]
    why: str = ""


def member_named(name: str, kind: MemberKind) -> Entity | None:
    """The place of a name, or ``None`` when none or several of the kind are called so."""
    return by_name(name, kind=PlaceKind(kind))


def _known_places(request: ListRequest, reply: ListReply) -> str | None:
    if reply.kind not in request.kinds:
        return f"members of the kind {reply.kind} were not asked for; the kinds are {', '.join(request.kinds)}"
    if len(reply.members) > MOST_MEMBERS:
        return f"{len(reply.members)} members are listed and at most {MOST_MEMBERS} are wanted"
    unknown = [name for name in reply.members if member_named(name, reply.kind) is None]
    if unknown:
        told = ", ".join(_without_figures(name) for name in unknown[:MOST_TOLD])
        return f"no {PlaceKind(reply.kind).words} is known by the name {told}; common English names are wanted"
    codes = [place.code for name in reply.members if (place := member_named(name, reply.kind)) is not None]
    return "a member is listed twice" if len(codes) > len(set(codes)) else None


def _without_figures(name: str) -> str:
    """A name that a model gave, as it may be shown: a fault is told to readers too, and no figure of a model is."""
    return "".join(character for character in name[:MOST_LETTERS] if character.isalpha() or character in " '-.,")


LIST_MEMBERS = Task(
    name="list_members",
    version=1,
    request=ListRequest,
    reply=ListReply,
    validate=_known_places,
    effort="low",
    purpose="listing the members of a group",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"kind": list(request.kinds)},
    max_tokens=2048,
)

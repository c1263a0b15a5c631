"""What is written down of a language model's judgment: the task, what was offered, and which of it was named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from shared.models.tasks import Task
from shared.query.annotated import Judged

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

MOST_IDS = 60
LONGEST = 200


def judged(task: Task[Q, R], request: Q, reply: R | None, *, by: str, seconds: float, why: str = "") -> Judged:
    """The record of one judgment. ``reply`` is the accepted one, ``None`` if none was, for the reason ``why``."""
    offered = {
        place: tuple(map(str, ids)) for place, ids in (task.offered(request) if task.offered else {}).items()
    }
    said = reply.model_dump(mode="json") if reply is not None else {}
    return Judged(
        task=task.id,
        by=by,
        offered={place: _short(ids) for place, ids in offered.items()},
        chosen={place: _short(tuple(_at(said, place.split(".")))) for place in offered},
        accepted=reply is not None,
        why=why[:LONGEST],
        seconds=round(seconds, 3),
    )


def _short(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(one[:LONGEST] for one in ids[:MOST_IDS])


def _at(value: Any, place: Sequence[str]) -> Iterator[str]:
    """What stands at a place of a reply, through lists; of a mapping its keys with their values."""
    if isinstance(value, list):
        for inner in value:
            yield from _at(inner, place)
    elif place and isinstance(value, dict):
        yield from _at(value.get(place[0]), place[1:])
    elif isinstance(value, dict):
        yield from (f"{key}: {inner}" for key, inner in value.items())
    elif value not in (None, ""):
        yield str(value)

"""Plays a competent model over the stand-in server: it answers each task as the built-in rules would.

That makes the models' way through the product comparable with the built-in one: the same judgments, by wire.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import date
from functools import cache
from typing import Any, cast, get_origin

from pydantic import BaseModel

from finder_index.finder import LocalFinder
from finder_index.rerank_task import RERANK_TABLES
from functions.hosting import task_table
from functions.resolve_entities.list_task import LIST_MEMBERS
from functions.understand import reader
from functions.understand.task import UNDERSTAND, UnderstandReply
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.models.tasks import Task
from shared.query.discovery import FinderRequest
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import CannotRead
from tests.support.model_server import Asked, Reply, Script, right

TASKS: Mapping[str, Task[Any, Any]] = {row.task.name: row.task for row in task_table.TASKS}
RULES = task_table.builtin_rules()
LISTS: Mapping[str, Any] = {
    "New England": {
        "kind": "us_state",
        "members": ["Connecticut", "Maine", "Massachusetts", "New Hampshire", "Rhode Island", "Vermont"],
    },
    "Four Asian Tigers": {"kind": "country", "members": ["Hong Kong", "Singapore", "South Korea", "Taiwan"]},
}
"""Who belongs to groups that no source lists, as everybody draws them."""
_SCORES: dict[tuple[str, ...], dict[str, float]] = {}
_EMPTY = {str: "", tuple: (), dict: {}, list: []}


def competent(*, after: float = 0.0, delays: Mapping[str, float] | None = None) -> Script:
    """A model whose first byte takes ``after`` seconds, or what ``delays`` says for its name."""

    async def script(asked: Asked) -> Reply:
        seconds = (delays or {}).get(asked.model, after)
        return right(await answer(asked.task, asked.data), after=seconds, usage=tokens_of(asked))

    return script


async def answer(task: str, data: Any) -> Any:
    """The JSON that a competent model gives to a task's request."""
    if task == UNDERSTAND.name:
        return _read(data["question"], date.fromisoformat(data["today"]))
    if task == LIST_MEMBERS.name:
        return LISTS.get(data["group"], {"kind": data["kinds"][0], "members": []})
    if task == RERANK_TABLES.name:
        return await _ranked(data)
    rule = cast("Callable[[Any, RunContext | None], Awaitable[BaseModel]]", RULES[task])
    reply = await rule(restored(TASKS[task].request, data), None)
    return reply.model_dump(mode="json")


async def _ranked(data: Any) -> Any:
    """Tables by the finder's own evidence, which is what ranks them without a model."""
    texts = tuple(data["texts"])
    if texts not in _SCORES:
        request = FinderRequest(texts=texts, page_size=100)
        reply = await _evidence().search(request, deadline=Deadline.after(30.0))
        _SCORES[texts] = {found.title: found.score for found in reversed(reply.results)}
    known = _SCORES[texts]
    ranked = [{"i": card["number"], "score": known.get(card["title"], 0.0)} for card in data["cards"]]
    ranked.sort(key=lambda one: -one["score"])
    return {"ranked": ranked[: data["most"]]}


@cache
def _evidence() -> LocalFinder:
    return LocalFinder.open(PackagedEmbedder(threads=1))


def _read(question: str, today: date) -> Any:
    try:
        found = reader.read(question, today=today)
    except CannotRead as error:
        return {"readings": [], "notes": [], "unreadable": str(error)}
    reply = UnderstandReply(readings=found.readings, notes=found.notes)
    return _without_keys(reply.model_dump(mode="json"))


def _without_keys(value: Any) -> Any:
    """No model is asked for identifiers."""
    if isinstance(value, dict):
        return {name: _without_keys(inner) for name, inner in value.items() if name != "keys"}
    return [_without_keys(inner) for inner in value] if isinstance(value, list) else value


def restored(kind: type[BaseModel], data: Any) -> Any:
    """A request as it was before what says nothing was left out of it."""
    return kind.model_validate(_filled(kind, data))


def _filled(kind: Any, data: Any) -> Any:
    inner = [
        part for part in getattr(kind, "__args__", ()) if isinstance(part, type) and issubclass(part, BaseModel)
    ]
    if isinstance(data, list):
        return [_filled(inner[0], one) if inner else one for one in data]
    if not (isinstance(kind, type) and issubclass(kind, BaseModel) and isinstance(data, dict)):
        return data
    filled = {
        name: _filled(field.annotation, data[name]) for name, field in kind.model_fields.items() if name in data
    }
    for name, field in kind.model_fields.items():
        if name not in data and field.is_required():
            annotation = field.annotation
            filled[name] = _EMPTY.get(cast("type", get_origin(annotation) or annotation))
    return filled


def tokens_of(asked: Asked) -> tuple[int, int]:
    """Tokens as a tokenizer of four characters each would count them; the reply is counted as 200."""
    return len(str(asked.body["messages"])) // 4, 200

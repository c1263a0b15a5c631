"""The JSON Schema that a reply is held to: the reply type's own, narrowed to what is offered and made strict.

Servers differ in what they take. What is sent keeps to the part that all of them read: every property is required
and no other is allowed, ``anyOf`` stands for ``oneOf``, ``enum`` for ``const``, and there are no defaults. What
such a schema cannot say is checked by the reply type and the task's validator, which see every reply anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from shared.models.tasks import Task

Q = TypeVar("Q", bound=BaseModel)
R = TypeVar("R", bound=BaseModel)

Schema = dict[str, Any]

_DROPPED = frozenset({"default", "title", "discriminator", "pattern", "format", "examples"})


def reply_schema(task: Task[Q, R], request: Q) -> Schema:
    """The schema of a reply to ``request``, to be read and not changed."""
    schema = _of_type(task.reply, task.hidden)
    if task.offered is not None:
        schema = deepcopy(schema)
        for place, ids in task.offered(request).items():
            _narrow(schema, schema, place.split("."), ids)
    return schema


@lru_cache(maxsize=64)
def _of_type(reply: type[BaseModel], hidden: frozenset[str]) -> Schema:
    """A reply type's schema before anything is offered: made once, as it takes longer than all else of a call."""
    schema: Schema = _strict(reply.model_json_schema(), hidden)
    return schema


def is_closed(node: Any) -> bool:
    """Whether every object in a schema lists all its properties, as the strict mode of some servers demands."""
    if isinstance(node, dict):
        if node.get("type") == "object" and node.get("additionalProperties") is not False:
            return False
        return all(is_closed(inner) for inner in node.values())
    return all(is_closed(inner) for inner in node) if isinstance(node, list) else True


def _strict(node: Any, hidden: frozenset[str], *, names: bool = False) -> Any:
    """A schema's node. Below ``properties`` and ``$defs`` the keys are ``names`` and not words of JSON Schema."""
    if isinstance(node, list):
        return [_strict(inner, hidden) for inner in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _strict(inner, hidden) for name, inner in node.items()}
    made: Schema = {}
    for key, inner in node.items():
        if key in _DROPPED or (key == "description" and ("properties" in node or "enum" in node)):
            continue  # a class's docstring is for programmers
        if key == "const":
            made["enum"] = [inner]
        elif key == "properties":
            seen = {name: part for name, part in inner.items() if name not in hidden}
            made[key] = _strict(seen, hidden, names=True)
        elif key == "$defs":
            made[key] = _strict(inner, hidden, names=True)
        elif key in {"enum", "required"}:
            made[key] = inner
        else:
            made["anyOf" if key == "oneOf" else key] = _strict(inner, hidden)
    if "properties" in made:
        made["required"] = list(made["properties"])
        made.setdefault("additionalProperties", False)
    return made


def _narrow(root: Schema, node: Schema, place: Sequence[str], ids: Sequence[str] | Sequence[int]) -> None:
    """Allow only ``ids`` at ``place``. Raises ``KeyError`` for a place that the reply does not have."""
    node = _reached(root, node)
    if not place:
        if node.get("type") == "object":
            each = node["additionalProperties"]
            node["properties"] = {str(one): each for one in ids}
            node["required"], node["additionalProperties"] = list(node["properties"]), False
        else:
            node["enum"] = list(ids)
        return
    _narrow(root, node["properties"][place[0]], place[1:], ids)


def _reached(root: Schema, node: Schema) -> Schema:
    """The node that references and lists lead to."""
    while True:
        if "$ref" in node:
            node = root["$defs"][node["$ref"].rpartition("/")[2]]
        elif node.get("type") == "array":
            node = node["items"]
        else:
            return node

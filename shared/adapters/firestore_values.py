"""What goes over the wire to Firestore and comes from it: documents, conditions, queries, field values, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from google.cloud.firestore_v1 import types

from shared.runtime.errors import StoreCorrupt

Field = str | int | bool | datetime | None
"""What our documents are made of; whatever has parts of its own is a string of JSON."""
Fields = dict[str, Field]


SHARDS: Final = 16
"""Parts of an index over fields that rise with time; a query names them all, and may name 30 at most."""


class Version:
    """What must be there for a write to be applied: the version that was read, or ``ABSENT``: nothing."""

    __slots__ = ("condition",)

    def __init__(self, condition: types.Precondition) -> None:
        self.condition = condition


ABSENT: Final = Version(types.Precondition(exists=False))


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as it was read or written. ``path`` is relative to the database: ``runs/x/steps/0.plan``."""

    path: str
    fields: Fields
    version: Version


@dataclass(frozen=True, slots=True)
class Put:
    """Writes a whole document; without ``only_if`` whatever is there is replaced."""

    path: str
    fields: Fields
    only_if: Version | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """Documents in the order of one field, which needs that field's index and no other.

    ``group`` looks into every collection of this name, whatever document it stands under. What is ``sharded`` has
    an index of the field ``shard`` and then this one: the database merges the shards' documents in order.
    """

    collection: str
    field: str
    descending: bool = False
    group: bool = False
    sharded: bool = False


@dataclass(slots=True)
class Operations:
    """What was done to the database, in the units it is billed by. A read that finds nothing is a read."""

    reads: int = 0
    writes: int = 0
    deletes: int = 0
    """None are made here: what has expired is deleted by the database's own policy."""


def encoded(value: Field) -> types.Value:
    """A value for the wire. A field without a value is left out of its document instead."""
    match value:
        case bool():
            return types.Value(boolean_value=value)
        case int():
            return types.Value(integer_value=value)
        case str():
            return types.Value(string_value=value)
        case datetime():
            return types.Value(timestamp_value=value)
    raise TypeError(f"no field holds a {type(value).__name__}")


def decoded(path: str, fields: Mapping[str, Any]) -> Fields:
    """A document's fields. Raises ``StoreCorrupt`` for a value of a kind that none of ours has."""
    return {name: _decoded(path, name, value) for name, value in fields.items()}


def _decoded(path: str, name: str, value: Any) -> Field:
    kind = value.WhichOneof("value_type")
    match kind:
        case "string_value" | "integer_value" | "boolean_value":
            plain: str | int | bool = getattr(value, kind)
            return plain
        case "timestamp_value":
            at: datetime = value.timestamp_value.ToDatetime(tzinfo=UTC)
            return at
        case "null_value":
            return None
    raise StoreCorrupt(f"the document {path} was not written by this program: {name} is a {kind}")


def structured(query: Query, *, above: Field, upto: Field, limit: int | None) -> types.StructuredQuery:
    """A query for the wire: from above one value of its field up to another; of one value, by name."""
    kind = types.StructuredQuery
    direction = kind.Direction.DESCENDING if query.descending else kind.Direction.ASCENDING
    built = kind(
        from_=[kind.CollectionSelector(collection_id=query.collection, all_descendants=query.group)],
        order_by=[
            kind.Order(field=kind.FieldReference(field_path=name), direction=direction)
            for name in (query.field, "__name__")
        ],
    )
    bounds = ((kind.FieldFilter.Operator.GREATER_THAN, above), (kind.FieldFilter.Operator.LESS_THAN_OR_EQUAL, upto))
    filters = [
        kind.Filter(
            field_filter=kind.FieldFilter(
                field=kind.FieldReference(field_path=query.field), op=op, value=encoded(value)
            )
        )
        for op, value in bounds
        if value is not None
    ]
    if query.sharded:
        shards = types.ArrayValue(values=[encoded(shard) for shard in range(SHARDS)])
        among = kind.FieldFilter(
            field=kind.FieldReference(field_path="shard"),
            op=kind.FieldFilter.Operator.IN,
            value=types.Value(array_value=shards),
        )
        filters.append(kind.Filter(field_filter=among))
    if filters:
        both = kind.CompositeFilter(op=kind.CompositeFilter.Operator.AND, filters=filters)
        built.where = kind.Filter(composite_filter=both)
    if limit is not None:
        built.limit = limit
    return built


def size_of(path: str, fields: Fields) -> int:
    """Bytes of a document as Firestore counts them: its name, its fields' names and values, and 32."""
    name = 16 + sum(len(part.encode()) + 1 for part in path.split("/"))
    return 32 + name + sum(len(key.encode()) + 1 + _size(value) for key, value in fields.items())


def _size(value: Field) -> int:
    match value:
        case bool() | None:
            return 1
        case str():
            return len(value.encode()) + 1
    return 8

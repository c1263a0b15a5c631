"""Sums that are added to sums, part by part."""

from __future__ import annotations

from typing import Any, Self, cast

from shared.query.quantity import Frozen


class Additive(Frozen):
    """Of numbers, of mappings to what can be added, of names (a tuple, each once), and of its own kind."""

    def plus(self, other: Self) -> Self:
        """Both together."""
        # Both were validated when they were made or read.
        parts = {name: _plus(getattr(self, name), getattr(other, name)) for name in type(self).model_fields}
        return cast("Self", type(self).model_construct(**parts))


def _plus(one: Any, other: Any) -> Any:
    match one:
        case Additive():
            return one.plus(other)
        case dict():
            return {**one, **{key: _plus(one[key], part) if key in one else part for key, part in other.items()}}
        case tuple():
            return tuple(sorted({*one, *other}))
        case _:
            return one + other

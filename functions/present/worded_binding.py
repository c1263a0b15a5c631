"""Whose figure a figure of a sentence is: the name or year that it is said of, by where they stand.

A figure belongs to what follows it at once (``$2.1 trillion in 2015``), else to what was named last before it, else
to what comes next. Names that all stand before the figures, as many as they are, may go with them one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mention:
    """A name or a year in a sentence, as numbers of its first and last token."""

    key: str
    first: int
    last: int


def bound(
    spans: Sequence[tuple[int, int]],
    mentions: Sequence[Mention],
    *,
    leads: Callable[[int, int], bool],
    carried: str | None = None,
    resumes: bool = False,
) -> list[list[str | None]]:
    """Each way to read which mention each figure belongs to; ``None`` for none.

    ``spans`` are the figures' first and last tokens. ``leads(a, b)`` tells whether what stands from token ``a`` to
    before ``b`` joins a figure to the name after it. ``carried`` is what the text before speaks of, and ``resumes``
    that the sentence goes on about it ("it was").
    """
    if not mentions:
        return [[carried] * len(spans)]
    strong: dict[int, Mention] = {}
    for number, (_, last) in enumerate(spans):
        after = next((m for m in mentions if m.first > last), None)
        if after is not None and leads(last + 1, after.first):
            strong[number] = after
    taken = {m.first for m in strong.values()}
    found: list[str | None] = []
    for number, (first, _) in enumerate(spans):
        if number in strong:
            found.append(strong[number].key)
            continue
        before = [m for m in mentions if m.last < first and m.first not in taken]
        if before:
            found.append(before[-1].key)
        elif resumes and carried is not None:
            found.append(carried)
        else:
            found.append(next((m.key for m in mentions if m.first > first), None))
    ways = [found]
    keys = list(dict.fromkeys(m.key for m in mentions))
    apart = all(m.last < spans[0][0] for m in mentions) or all(m.first > spans[-1][1] for m in mentions)
    if apart and len(keys) == len(spans) > 1 and not strong:
        ways.append(list(keys))
    return ways

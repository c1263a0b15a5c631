"""Deterministic browsing of the registry: a filter expression, an order and pages. No meaning, no scores."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from finder_index.columns import Name, mask_of_tags, names_of
from finder_index.families import publisher_of
from finder_index.filters import TABLE_TYPE
from functions.finder.entries import moment_of
from functions.finder.faults import BadRequest
from shared.query.discovery import TableDocument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from finder_index.index import LoadedIndex

PAGE_SIZE, MAX_PAGE = 20, 100
MAX_FILTER = 2000
FIELDS = (
    "displayName",
    "identifier",
    "type",
    "publisherId",
    "source",
    "tags",
    "variable",
    "updatedAfter",
    "updatedAt",
)
ORDERS = ("identifier", "displayName", "updatedAt")
_OPERATORS = ("=", "!=", ">", ">=", "<", "<=")
_CONDITION = re.compile(
    r"""\s*(?P<field>[A-Za-z]+)\s*(?P<operator>!=|>=|<=|=|>|<)\s*"""
    r"""(?:'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<bare>[^\s'"]+))\s*"""
)
_AND = re.compile(r"AND\b", re.IGNORECASE)

Entry = Mapping[str, Any]
"""A document as an index stores it."""
Row = tuple[int, Name]
"""A row and what it is listed by."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition; ``values`` are alternatives."""

    field: str
    operator: str
    values: tuple[str, ...]

    def holds(self, name: Name) -> bool:
        """Whether what a table is listed by satisfies it."""
        return _TESTS[self.field](self, name)


def conditions_of(text: str) -> tuple[Condition, ...]:
    """Read ``displayName = 'gdp' AND type = 'a,b' AND updatedAfter > '2026-01-01'``; raises ``BadRequest``."""
    if not text.strip():
        return ()
    if len(text) > MAX_FILTER:
        raise _bad_filter(f"it has more than {MAX_FILTER} characters")
    found, at = [], 0
    while True:
        match = _CONDITION.match(text, at)
        if match is None:
            raise _bad_filter(f"what begins with {text[at : at + 40]!r} is no condition")
        found.append(_condition(match))
        at = match.end()
        if at == len(text):
            return tuple(found)
        conjunction = _AND.match(text, at)
        if conjunction is None:
            raise _bad_filter(f"AND is wanted before {text[at : at + 40]!r}")
        at = conjunction.end()


def _condition(match: re.Match[str]) -> Condition:
    field, operator = match["field"], match["operator"]
    if field == "createdAfter":
        raise _bad_filter("tables carry no date of creation: use updatedAfter")
    if field not in FIELDS:
        raise _bad_filter(f"{field} is no field")
    text = next(part for part in (match["single"], match["double"], match["bare"]) if part is not None)
    if operator not in {"=", "!="} and not field.startswith("updated"):
        raise _bad_filter(f"{field} takes = and !=, not {operator}")
    values = (text,) if field == "displayName" else tuple(part.strip() for part in text.split(",") if part.strip())
    if not values:
        raise _bad_filter(f"{field} has no value")
    return Condition(field, operator, values)


def _bad_filter(why: str) -> BadRequest:
    return BadRequest(
        "filter_invalid",
        f"the filter expression is invalid: {why}",
        allowed={"fields": list(FIELDS), "operators": list(_OPERATORS), "conjunction": "AND"},
        do="Write for example: displayName = 'income' AND publisherId = 'worldbank.org'",
    )


def _contains(condition: Condition, text: str) -> bool:
    found = any(value.casefold() in text.casefold() for value in condition.values)
    return found if condition.operator == "=" else not found


def _equals(condition: Condition, *texts: str) -> bool:
    known = {text.casefold() for text in texts}
    found = any(value.casefold() in known for value in condition.values)
    return found if condition.operator == "=" else not found


def _dated(condition: Condition, name: Name) -> bool:
    moment, limit = moment_of(name.vintage), condition.values[0]
    if moment is None:
        return False
    operator = ">" if condition.field == "updatedAfter" else condition.operator
    day = moment[: len(limit)]
    return {
        ">": moment > limit and day != limit,
        ">=": moment >= limit,
        "<": moment < limit,
        "<=": moment <= limit or day == limit,
        "=": day == limit,
        "!=": day != limit,
    }[operator]


_TESTS: dict[str, Callable[[Condition, Name], bool]] = {
    "displayName": lambda condition, name: _contains(condition, name.title),
    "identifier": lambda condition, name: _equals(condition, name.identifier),
    "variable": lambda condition, name: _equals(condition, name.variable),
    "updatedAfter": _dated,
    "updatedAt": _dated,
}
"""Conditions on what a table is listed by. The others hold for all tables of a source alike, or are of tags."""
_OF_SOURCE: dict[str, Callable[[Condition, Entry], bool]] = {
    "source": lambda condition, entry: _equals(condition, entry["source"]),
    "publisherId": lambda condition, entry: _equals(condition, publisher_of(entry["identifier"])),
    "type": lambda condition, _: _equals(condition, TABLE_TYPE, TABLE_TYPE.partition(";")[0]),
}
"""They are looked up once for each source in a catalog."""


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of tables, how many there are in all, and where the next page begins."""

    documents: tuple[TableDocument, ...]
    total: int
    following: int | None


def list_tables(
    index: LoadedIndex, conditions: tuple[Condition, ...], *, order: str, size: int, first: int
) -> Listing:
    """The tables that satisfy all conditions. ``order`` is a field, perhaps with ``DESC``, or empty."""
    if not conditions and not order:
        documents = tuple(index.document(row) for row in range(first, min(first + size, len(index))))
        return _page(documents, len(index), first)
    mask = _mask(index, conditions)
    listed = [condition for condition in conditions if condition.field in _TESTS]
    if listed or order:
        rows: list[Row] = [
            (row, name)
            for row, name in enumerate(names_of(index))
            if mask[row] and all(condition.holds(name) for condition in listed)
        ]
        if order:
            field, _, direction = order.partition(" ")
            rows.sort(key=lambda row: _KEYS[field](row[1]), reverse=direction.strip().upper() == "DESC")
        chosen = [row for row, _ in rows]
    else:
        chosen = mask.nonzero()[0].tolist()
    return _page(tuple(index.document(row) for row in chosen[first : first + size]), len(chosen), first)


def _mask(index: LoadedIndex, conditions: Sequence[Condition]) -> NDArray[np.bool_]:
    """The rows that satisfy the conditions on tags, and those that hold for all tables of a source alike."""
    import numpy as np  # noqa: PLC0415

    mask = np.ones(len(index), dtype=bool)
    for condition in conditions:
        if condition.field == "tags":
            tagged = mask_of_tags(index, condition.values)
            mask &= tagged if condition.operator == "=" else ~tagged
    of_source = [condition for condition in conditions if condition.field in _OF_SOURCE]
    if of_source:
        codes = np.asarray(index.source_codes())
        holding = [
            code
            for code in range(len(index.sources))
            if len(first := np.flatnonzero(codes == code)[:1])
            and all(_OF_SOURCE[one.field](one, index.entry(int(first[0]))) for one in of_source)
        ]
        mask &= np.isin(codes, holding)
    return mask


def _page(documents: tuple[TableDocument, ...], total: int, first: int) -> Listing:
    following = first + len(documents)
    return Listing(documents, total, following if documents and following < total else None)


_KEYS: dict[str, Callable[[Name], Any]] = {
    "identifier": lambda name: name.identifier,
    "displayName": lambda name: (name.title.casefold(), name.identifier),
    "updatedAt": lambda name: (moment_of(name.vintage) or "", name.identifier),
}


def checked_order(text: str) -> str:
    """An order as ``list_tables`` takes it; raises ``BadRequest``."""
    words = text.split()
    if not words:
        return ""
    if words[0] not in ORDERS or len(words) > 2 or (len(words) == 2 and words[1].upper() not in {"ASC", "DESC"}):
        allowed = [f"{name} {way}" for name in ORDERS for way in ("ASC", "DESC")]
        raise BadRequest("order_invalid", f"tables cannot be ordered by {text[:80]!r}", allowed=allowed)
    return " ".join(words)


def offset_of(token: str) -> int:
    """Where the page of a token begins; raises ``BadRequest``."""
    if not token:
        return 0
    try:
        text = base64.urlsafe_b64decode(token.encode()).decode()
    except (ValueError, binascii.Error, UnicodeError):
        text = ""
    if not re.fullmatch(r"first=\d{1,9}", text):
        raise BadRequest("page_token_invalid", "pageToken is not that of an earlier page", do="Leave it out.")
    return int(text.partition("=")[2])


def token_of(first: int) -> str:
    """The token of the page that begins at ``first``."""
    return base64.urlsafe_b64encode(f"first={first}".encode()).decode()

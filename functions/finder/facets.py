"""Facets of the matched tables: how many there are of each value of a field, over all of them and not a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from finder_index.columns import count_tags, names_of
from finder_index.families import publisher_of
from finder_index.filters import TABLE_TYPE
from functions.finder.browse import Entry
from functions.finder.faults import BadRequest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from finder_index.finder import LocalFinder

LIMIT, MAX_LIMIT = 20, 1000
MAX_FACETS = 20
_FIELDS: dict[str, Callable[[Entry], Iterable[str]]] = {
    "type": lambda _: (TABLE_TYPE,),
    "publisher": lambda entry: (publisher_of(entry["identifier"]),),
    "source": lambda entry: (entry["source"],),
    "tags": lambda entry: entry["tags"],
    "displayName": lambda entry: (entry["title"],),
}
_TERM_PREFIXES = ("metadata.", "okf:")


@dataclass(frozen=True, slots=True)
class FacetRequest:
    """A field, how many of its values are wanted at most, and the least count of a value."""

    field: str
    limit: int = LIMIT
    least: int = 1

    def values(self, entry: Entry) -> Iterable[str]:
        """The values of the field in one stored document; a term of several values has them all."""
        if self.field in _FIELDS:
            return _FIELDS[self.field](entry)
        name = next(self.field.removeprefix(p) for p in _TERM_PREFIXES if self.field.startswith(p))
        text = entry["terms"].get(name, "")
        return [part.strip() for part in text.split(",") if part.strip()]


def facet_requests(given: object) -> list[FacetRequest]:
    """The facets of ``resultType``; raises ``BadRequest``."""
    facets = given.get("facets") if isinstance(given, dict) else None
    if not isinstance(facets, list) or not 1 <= len(facets) <= MAX_FACETS:
        raise BadRequest(
            "result_type_invalid",
            "resultType must be an object with a list of facets",
            allowed=f"1 to {MAX_FACETS} facets",
            do='Send {"resultType": {"facets": [{"field": "publisher"}]}}.',
        )
    return [_facet(facet) for facet in facets]


def _facet(given: object) -> FacetRequest:
    field = given.get("field") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(field, str) or not _known(field):
        allowed = [*_FIELDS, "metadata.<term>", "okf:<term>"]
        raise BadRequest("facet_invalid", f"tables have no facet {str(field)[:80]!r}", allowed=allowed)
    return FacetRequest(
        field, _count(given, "limit", LIMIT, 1, MAX_LIMIT), _count(given, "minCount", 1, 0, 1_000_000)
    )


def _known(field: str) -> bool:
    return field in _FIELDS or (field.startswith(_TERM_PREFIXES) and len(field) <= 100)


def _count(given: dict[str, Any], key: str, default: int, least: int, most: int) -> int:
    value = given.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadRequest("facet_invalid", f"{key} must be a whole number from {least} to {most}")
    return value


def counted(requests: Iterable[FacetRequest], entries: Iterable[Entry]) -> dict[str, Any]:
    """The facets as the standard has them: buckets, the fullest first, and how many are in none of those shown."""
    asked = list(requests)
    counters: list[Counter[str]] = [Counter() for _ in asked]
    for entry in entries:
        for facet, counter in zip(asked, counters, strict=True):
            counter.update({value for value in facet.values(entry) if value})
    return {facet.field: _buckets(facet, counter) for facet, counter in zip(asked, counters, strict=True)}


def counted_in_index(
    requests: Iterable[FacetRequest], finder: LocalFinder, allowed: NDArray[np.bool_] | None
) -> dict[str, Any]:
    """The facets of all rows of an index that are allowed. Only terms are read from the documents themselves."""
    index, found = finder.index, {}
    for facet in requests:
        if facet.field == "tags":
            counter = count_tags(index, allowed)
        elif facet.field == "displayName":
            titles = (name.title for name in names_of(index))
            counter = Counter(titles if allowed is None else compress(titles, allowed))
        elif facet.field in _FIELDS:
            counter = _of_sources(facet.field, finder, allowed)
        else:
            rows = range(len(index)) if allowed is None else allowed.nonzero()[0].tolist()
            counter = Counter(value for row in rows for value in set(facet.values(index.entry(row))))
        found[facet.field] = _buckets(facet, counter)
    return found


def _of_sources(field: str, finder: LocalFinder, allowed: NDArray[np.bool_] | None) -> Counter[str]:
    """A facet that is the same for all tables of a source."""
    import numpy as np  # noqa: PLC0415

    index, counter = finder.index, Counter[str]()
    codes = np.asarray(index.source_codes())
    counts = np.bincount(codes if allowed is None else codes[allowed], minlength=len(index.sources))
    publishers = finder.search_of_index.families.publishers
    for source, count in zip(index.sources, counts.tolist(), strict=True):
        value = {"type": TABLE_TYPE, "publisher": publishers.get(source, ""), "source": source}[field]
        if value and count:
            counter[value] += count
    return counter


def _buckets(facet: FacetRequest, counter: Counter[str]) -> dict[str, Any]:
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    shown = [(value, count) for value, count in ordered if count >= facet.least][: facet.limit]
    made: dict[str, Any] = {"buckets": [{"value": value, "count": count} for value, count in shown]}
    if other := sum(counter.values()) - sum(count for _, count in shown):
        made["otherCount"] = other
    return made

"""What is known of indicators: the carried ones whole, the rest of the catalogue by name only."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from plugins.worldbank.snapshot.figures import DATA
from plugins.worldbank.snapshot.lists import WireRow, source_names, topic_names

ARCHIVES = "WDI Database Archives"


@dataclass(frozen=True, slots=True)
class CarriedIndicator:
    """An indicator whose values are carried.

    ``span`` are the years that the publisher's tables cover, ``carried`` those that the snapshot holds of
    them, ``published_from`` the first year with a value at the publisher. ``vintage`` dates the values.
    """

    id: str
    name: str
    unit: str
    topics: tuple[str, ...]
    source_id: str
    database: str
    vintage: date
    span: tuple[int, int]
    carried: tuple[int, int]
    published_from: int
    last_value: int
    values: int
    entities: int
    organization: str
    note: str

    @property
    def archived(self) -> bool:
        """Whether the publisher has withdrawn it from the current database."""
        return self.database == ARCHIVES

    @property
    def cut_short(self) -> bool:
        """Whether the publisher has older values than the snapshot."""
        return self.published_from < self.carried[0]


@dataclass(frozen=True, slots=True)
class ListedIndicator:
    """An indicator of the catalogue: name and database, without definition or values."""

    id: str
    name: str
    unit: str
    topics: tuple[str, ...]
    source_id: str
    database: str


def _lines(name: str) -> Iterator[list[str]]:
    text = gzip.decompress((DATA / name).read_bytes()).decode()
    for line in text.splitlines()[1:]:
        yield line.split("\t")


def _topics(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(";")) if cell else ()


def _years(cell: str) -> tuple[int, int]:
    first, last = cell.split(":")
    return int(first), int(last)


@lru_cache(maxsize=1)
def carried_indicators() -> dict[str, CarriedIndicator]:
    """The carried indicators by id, in order of id."""
    return {
        c[0]: CarriedIndicator(
            id=c[0],
            name=c[1],
            unit=c[2],
            topics=_topics(c[3]),
            source_id=c[4],
            database=c[5],
            vintage=date.fromisoformat(c[6]),
            span=_years(c[7]),
            carried=_years(c[8]),
            published_from=int(c[9]),
            last_value=int(c[10]),
            values=int(c[11]),
            entities=int(c[12]),
            organization=c[13],
            note=c[14],
        )
        for c in _lines("indicators.tsv.gz")
    }


@lru_cache(maxsize=1)
def _catalogue_text() -> tuple[str, str]:
    text = "\n" + gzip.decompress((DATA / "catalogue.tsv.gz").read_bytes()).decode()
    return text, text.upper()


def _listed(line: str) -> ListedIndicator:
    cells = line.split("\t")
    return ListedIndicator(cells[0], cells[1], cells[2], _topics(cells[3]), cells[4], cells[5])


def listed_indicator(indicator: str) -> ListedIndicator | None:
    """One line of the catalogue of every World Bank database, by id without regard to case."""
    text, upper = _catalogue_text()
    at = upper.find(f"\n{indicator.upper()}\t")
    return _listed(text[at + 1 : text.index("\n", at + 1)]) if at >= 0 else None


@lru_cache(maxsize=1)
def catalogue() -> tuple[ListedIndicator, ...]:
    """Every indicator of every World Bank database."""
    return tuple(_listed(line) for line in _catalogue_text()[0].strip("\n").split("\n")[1:])


def wire_indicator(listed: ListedIndicator | CarriedIndicator) -> WireRow:
    """One row of ``/v2/indicator``; the definition is empty where it is not carried."""
    full = carried_indicators().get(listed.id)
    source_id = full.source_id if full else listed.source_id
    return {
        "id": listed.id,
        "name": full.name if full else listed.name,
        "unit": listed.unit,
        "source": {"id": source_id, "value": source_names().get(source_id, listed.database)},
        "sourceNote": full.note if full else "",
        "sourceOrganization": full.organization if full else "",
        "topics": [{"id": topic, "value": topic_names()[topic]} for topic in (full or listed).topics],
    }

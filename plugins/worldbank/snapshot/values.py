"""The values endpoint: ``/v2/country/{codes|all}/indicator/{ids}``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plugins.worldbank.snapshot.figures import ValueTable, value_table
from plugins.worldbank.snapshot.indicators import CarriedIndicator, carried_indicators, listed_indicator
from plugins.worldbank.snapshot.lists import (
    WireRow,
    country_by_code,
    database_entities,
    in_database_order,
    source_names,
)
from plugins.worldbank.snapshot.parameters import Parameters
from plugins.worldbank.snapshot.wire import (
    ARCHIVED,
    INVALID_VALUE,
    ApiError,
    NoData,
    RequestErrorPage,
    dumps,
    observation_head,
    observation_row,
    observation_tail,
    paging,
)

# The yearly World Development Indicators, the only database whose values are carried.
CARRIED_SOURCES = frozenset({"2"})


@dataclass(frozen=True, slots=True)
class ValuesAnswer:
    """The body, the indicators it is of, what holds for their figures, and which years are not recorded."""

    body: str
    indicators: tuple[CarriedIndicator, ...]
    notes: tuple[str, ...]
    shortened: tuple[str, ...]


def answer_values(countries: str, indicators: str, asked: Parameters) -> ValuesAnswer:
    """Answer one request for values; raises ``ApiError``, ``RequestErrorPage`` or ``NoData``."""
    if asked.source is not None and asked.source not in source_names():
        raise RequestErrorPage(400)
    entities = _entities(countries)
    carried = _indicators(indicators, asked)
    if not asked.annual:
        raise NoData("the recorded figures are yearly")
    several = len(indicators.split(";")) > 1
    # As recorded: rows of several indicators carry a scale, unless years are named.
    tail = observation_tail(scale=several and asked.years is None, footnote=asked.footnote)
    runs = [run for indicator in carried for run in _runs(indicator, entities, asked)]
    total = sum(run.length for run in runs)
    notes = tuple(note for indicator in carried for note in _archived(indicator))
    shortened = tuple(note for indicator in carried for note in _shortened(indicator, asked))
    if total == 0:
        raise NoData("; ".join((*notes, *shortened)) or None)
    header = paging(asked.page, asked.per_page, total, "numbers") | {
        "sourceid": None if several else "2",
        "sourcename": None if several else source_names()["2"],
        "lastupdated": min(indicator.vintage for indicator in carried).isoformat(),
    }
    rows = ",".join(_page(runs, (asked.page - 1) * asked.per_page, asked.per_page, tail))
    return ValuesAnswer(f"[{dumps(header)},[{rows}]]", carried, notes, shortened)


def _entities(codes: str) -> tuple[WireRow, ...]:
    if codes.lower() == "all":
        return database_entities()
    known = country_by_code()
    rows = {row["id"]: row for code in codes.split(";") if code and (row := known.get(code.upper()))}
    if not rows or any(code.upper() not in known for code in codes.split(";")):
        raise ApiError(INVALID_VALUE)
    # Groups of other databases are known codes, but have no series in this one.
    in_database = {row["id"] for row in database_entities()}
    return tuple(sorted((row for code, row in rows.items() if code in in_database), key=in_database_order))


def _indicators(ids: str, asked: Parameters) -> tuple[CarriedIndicator, ...]:
    wanted = ids.split(";")
    # Several indicators can be asked for only within one named database.
    if len(wanted) > 1 and asked.source is None:
        raise ApiError(INVALID_VALUE)
    found: dict[str, CarriedIndicator] = {}
    for wish in wanted:
        indicator = carried_indicators().get(wish.upper())
        if indicator is not None:
            found[indicator.id] = indicator
            continue
        listed = listed_indicator(wish)
        if listed is None:
            # The API repeats its message when one of several ids is unknown.
            raise ApiError(*[INVALID_VALUE] * (1 if len(wanted) == 1 else 3))
        if listed.database == "WDI Database Archives":
            raise ApiError(ARCHIVED)
        if len(wanted) == 1:
            raise NoData(f"no figures of {listed.id} are recorded; the live API may have them")
    if asked.source is not None and asked.source not in CARRIED_SOURCES:
        raise NoData(f"no figures of database {asked.source} are recorded; the live API may have them")
    if not found:
        raise NoData("no figures of these indicators are recorded; the live API may have them")
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Run:
    """The rows of one indicator and entity, newest year first, made only when a page shows them."""

    length: int
    rows: Callable[[str], Iterator[str]]


def _runs(indicator: CarriedIndicator, entities: tuple[WireRow, ...], asked: Parameters) -> Iterator[_Run]:
    table = value_table(indicator.id)
    years = _years(indicator, table, asked)
    if not years:
        return
    for entity in entities:
        if asked.newest_with_value is not None:
            cells = table.cells(entity["id"])
            shown = [year for year in years if year in cells][: asked.newest_with_value]
        else:
            shown = years
        if shown:
            yield _Run(len(shown), _row_maker(indicator, entity, table, shown))


def _row_maker(
    indicator: CarriedIndicator, entity: WireRow, table: ValueTable, years: list[int]
) -> Callable[[str], Iterator[str]]:
    def rows(tail: str) -> Iterator[str]:
        head = observation_head(indicator.id, indicator.name, entity)
        cells = table.cells(entity["id"])
        return (observation_row(head, year, cells.get(year), tail) for year in years)

    return rows


def _years(indicator: CarriedIndicator, table: ValueTable, asked: Parameters) -> list[int]:
    """The years to answer for, newest first: never one that the snapshot does not hold.

    A year within the publisher's tables but before the carried ones is left out, not sent as null: a null
    would say that the publisher has no figure there.
    """
    first, last = indicator.carried
    if asked.years is not None:
        first, last = max(first, asked.years[0]), min(last, asked.years[1])
    if asked.newest is not None:
        # The newest years are counted from the newest one in which the series has any value at all.
        last = min(last, table.newest_year)
        first = max(first, last - asked.newest + 1)
    return list(range(last, first - 1, -1))


def _archived(indicator: CarriedIndicator) -> Iterator[str]:
    if indicator.archived:
        yield f"the publisher has moved {indicator.id} to its archives; it is no longer updated"


def _shortened(indicator: CarriedIndicator, asked: Parameters) -> Iterator[str]:
    first_asked = asked.years[0] if asked.years else None
    if indicator.cut_short and asked.newest is None and (first_asked or 0) < indicator.carried[0]:
        yield (
            f"the recorded figures of {indicator.id} begin in {indicator.carried[0]}; "
            f"the publisher's begin in {indicator.published_from}"
        )


def _page(runs: list[_Run], start: int, count: int, tail: str) -> Iterator[str]:
    """The rows ``start`` to ``start + count`` of all runs laid end to end."""
    for run in runs:
        if count <= 0:
            return
        if start >= run.length:
            start -= run.length
            continue
        for position, row in enumerate(run.rows(tail)):
            if position >= start and position - start < count:
                yield row
        count -= min(count, run.length - start)
        start = 0

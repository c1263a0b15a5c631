"""A typed reader of the UN SDG API, version 1.

Numbers come as strings, and strings that are no numbers are told apart from them. Every answer is checked against
what was asked: its series, areas, years and paging. A row of another span than a calendar year is counted and left
out; two different figures of one area, year and combination of dimensions are both kept, and refused later.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from plugins.unsdg.records import (
    TOTAL,
    TOTALS,
    Area,
    Areas,
    Cell,
    Code,
    Listed,
    Listing,
    Provenance,
    SeriesData,
    UnSdgRejects,
    read_figure,
)
from shared.query.evidence import RequestMade
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

ROOT = "https://unstats.un.org/SDGAPI/v1/sdg"
PAGE_SIZE = 10_000
MOST_PAGES = 20
MOST_AREAS = 60
"""Areas named in one address: beyond them all areas are asked for, which is one request too."""
NOTE_HEADER = "x-snapshot-note"
"""What recorded figures say of themselves; the live API never sends it."""

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]
Params = tuple[tuple[str, str], ...]


class UnSdgClient:
    """Reads the API through ``send``, which carries one request within the caller's deadline."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def areas(self) -> Areas:
        """Every area of the database: countries, regions and groups of countries."""
        body, provenance = await self._list("GeoArea/List", "its list of areas")
        found = [Area(_text(row, "geoAreaCode"), _text(row, "geoAreaName")) for row in body]
        return Areas({area.code: area for area in found}, provenance)

    async def countries(self) -> Areas:
        """The single countries among the areas, out of the tree of regions.

        The tree has several roots of one code (the world by different regions) and names a country wherever it
        belongs: what counts is each node's own type.
        """
        body, provenance = await self._list("GeoArea/Tree", "its tree of areas")
        nodes = [node for root in body for node in _nodes(root)]
        countries = {str(node["geoAreaCode"]) for node in nodes if node.get("type") == "Country"}
        named = {str(node["geoAreaCode"]): Area(str(node["geoAreaCode"]), node["geoAreaName"]) for node in nodes}
        return Areas(named, provenance, frozenset(countries))

    async def goals(self) -> Listing:
        """The goals, which stand below nothing."""
        return await self._listing("Goal/List", "title")

    async def targets(self) -> Listing:
        """The targets; the parent of each is its goal."""
        return await self._listing("Target/List", "title", "goal")

    async def indicators(self) -> Listing:
        """The indicators; the parents of each are its goal and its target."""
        return await self._listing("Indicator/List", "description", "goal", "target")

    async def series_list(self) -> Listing:
        """The series; the parents of each are its goals, targets and indicators."""
        return await self._listing("Series/List", "description", "goal", "target", "indicator")

    async def values(
        self, series: str, areas: Sequence[str] = (), *, years: tuple[int, int] | None = None
    ) -> SeriesData:
        """The rows of a series for areas by code, or for all of them; ``years`` is a first and last year.

        Raises ``ResponseMalformed`` for an answer that is not what was asked; an unknown series has no rows.
        """
        named = tuple(dict.fromkeys(areas))
        wanted = named if len(named) <= MOST_AREAS else ()
        params: list[tuple[str, str]] = [("seriesCode", series), *(("areaCode", area) for area in wanted)]
        if years is not None and years[0] == years[1]:
            params.append(("timePeriod", str(years[0])))
        elif years is not None:
            params += [("timePeriodStart", str(years[0])), ("timePeriodEnd", str(years[1]))]
        pages = [page async for page in self._pages("Series/Data", tuple(params), f"the series {series}")]
        return _read_values(series, wanted, years, pages)

    async def _pages(self, path: str, params: Params, what: str) -> Any:
        """Each page's body with its request and response; a count of pages that never ends is refused."""
        number, total, rows = 1, None, 0
        while True:
            paging = (("pageSize", str(PAGE_SIZE)), ("page", str(number)))
            request = HttpRequest(f"{ROOT}/{path}", params=(*params, *paging))
            response = await self._send(request)
            body = _body(response, what)
            if not isinstance(body, dict) or not isinstance(body.get("data"), list):
                raise ResponseMalformed(f"the UN's answer for {what} has no rows of data")
            elements, pages = _whole(body, "totalElements", what), _whole(body, "totalPages", what)
            if total is not None and elements != total:
                raise ResponseMalformed(f"the total of {what} changes from page to page")
            if pages > MOST_PAGES:
                raise ResponseMalformed(f"{what} would take {pages} pages, more than {MOST_PAGES}")
            total, rows = elements, rows + len(body["data"])
            yield request, response, body
            if rows > total:
                raise ResponseMalformed(f"{what} should have {total} rows and has more")
            if number >= pages or rows == total:
                break
            if not body["data"]:
                raise ResponseMalformed(f"page {number} of {what} is empty, and {total - rows} rows are missing")
            number += 1
        if rows != total:
            raise ResponseMalformed(f"{what} should have {total} rows and has {rows}")

    async def _listing(self, path: str, title: str, *parents: str) -> Listing:
        body, provenance = await self._list(path, f"its {path}")
        rows = tuple(
            Listed(_text(row, "code"), _text(row, title), tuple(one for p in parents for one in _many(row.get(p))))
            for row in body
        )
        return Listing(rows, provenance)

    async def _list(self, path: str, what: str) -> tuple[list[Any], Provenance]:
        request = HttpRequest(f"{ROOT}/{path}")
        response = await self._send(request)
        body = _body(response, what)
        if not isinstance(body, list) or not body:
            raise ResponseMalformed(f"the UN's answer for {what} is no list")
        return body, _provenance([(request, response)])


def _nodes(node: Any) -> Iterator[Any]:
    if not isinstance(node, dict) or "geoAreaCode" not in node or "geoAreaName" not in node:
        raise ResponseMalformed("a node of the UN's tree of areas has no code or name")
    yield node
    for child in node.get("children") or ():
        yield from _nodes(child)


def _body(response: HttpResponse, what: str) -> Any:
    if response.status in {401, 403, 429}:
        raise PublisherRefused(f"the UN's service does not let {what} be read (HTTP {response.status})")
    if response.status >= 500:
        raise PublisherUnreachable(f"the UN's service answered {response.status} for {what}")
    if response.status >= 400:
        raise UnSdgRejects(f"the UN's service rejects the request for {what} (HTTP {response.status})")
    try:
        return response.json()
    except ValueError as error:
        raise ResponseMalformed(f"the UN's answer for {what} is not JSON") from error


def _whole(body: Mapping[str, Any], name: str, what: str) -> int:
    value = body.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise ResponseMalformed(f"the answer for {what} has no readable {name!r}: {value!r}")


def _text(row: Any, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    if isinstance(value, int | str) and not isinstance(value, bool) and str(value).strip():
        return " ".join(str(value).split())
    raise ResponseMalformed(f"a row of the UN's answer lacks {name!r}")


def _many(value: Any) -> tuple[str, ...]:
    """The lists write a series' parents as a list and a target's as a string."""
    if value is None:
        return ()
    return tuple(dict.fromkeys(str(one) for one in value)) if isinstance(value, list) else (str(value),)


def _provenance(answers: Sequence[tuple[HttpRequest, HttpResponse]]) -> Provenance:
    notes = (response.headers.get(NOTE_HEADER, "") for _, response in answers)
    dates = [response.snapshot_as_of for _, response in answers if response.snapshot_as_of]
    return Provenance(
        requests=tuple(RequestMade(url=request.full_url) for request, _ in answers),
        retrieved_at=answers[0][1].retrieved_at,
        snapshot_as_of=min(dates, default=None),
        notes=tuple(dict.fromkeys(note for note in notes if note)),
    )


def _read_values(
    series: str, areas: Sequence[str], years: tuple[int, int] | None, pages: Sequence[Any]
) -> SeriesData:
    cells, description, spans = [], "", 0
    for _, _, body in pages:
        for row in body["data"]:
            year = _year(row, series)
            if year is None:
                spans += 1
                continue
            cell = _cell(row, year, series)
            if areas and cell.area not in areas:
                raise ResponseMalformed(f"{series} of {', '.join(areas)} was asked for and {cell.area} came")
            if years is not None and not years[0] <= cell.year <= years[1]:
                raise ResponseMalformed(f"{series} of {years[0]} to {years[1]} was asked for and {cell.year} came")
            cells.append(cell)
            description = description or " ".join(str(row.get("seriesDescription") or "").split())
    last = pages[-1][2]
    return SeriesData(
        series=series,
        description=description,
        cells=tuple(cells),
        dimensions=_code_lists(last.get("dimensions")),
        natures={code.code: code.description for code in _code_lists(last.get("attributes")).get("Nature", ())},
        provenance=_provenance([(request, response) for request, response, _ in pages]),
        spans=spans,
    )


def _year(row: Any, series: str) -> int | None:
    """The calendar year of a row, which comes as ``2007.0``; ``None`` for a span that is none (``2014.5``)."""
    said = row.get("timePeriodStart") if isinstance(row, dict) else None
    try:
        year = Decimal(said) if isinstance(said, int | str | Decimal) else None
    except ArithmeticError:
        year = None
    if year is None or isinstance(said, bool) or not year.is_finite() or not 1000 <= year < 10000:
        raise ResponseMalformed(f"{series} has a row of the year {said!r}")
    return int(year) if year == int(year) else None


def _cell(row: Any, year: int, series: str) -> Cell:
    if str(row.get("series", "")).upper() != series.upper():
        raise ResponseMalformed(f"the series {series} was asked for and {row.get('series')!r} came")
    dimensions, attributes = row.get("dimensions") or {}, row.get("attributes") or {}
    if not isinstance(dimensions, dict) or not isinstance(attributes, dict):
        raise ResponseMalformed(f"a row of {series} has dimensions of another form")
    if not all(isinstance(code, str) for code in dimensions.values()):
        raise ResponseMalformed(f"a row of {series} has a dimension that is no code")
    footnotes = [one for one in row.get("footnotes") or () if one]
    return Cell(
        area=_text(row, "geoAreaCode"),
        name=str(row.get("geoAreaName") or ""),
        year=year,
        figure=read_figure(row.get("value")),
        dimensions=dimensions,
        nature=str(attributes.get("Nature") or ""),
        unit=str(attributes.get("Units") or ""),
        source=" ".join(str(row.get("source") or "").split()),
        footnotes=tuple(note for one in footnotes if (note := " ".join(str(one).split()))),
    )


def _code_lists(given: Any) -> dict[str, tuple[Code, ...]]:
    """The codes of each dimension; the total is what the standard's code says it is, else what it is called."""
    found = {}
    for item in given or ():
        try:
            codes = [
                Code(one["code"], one.get("description") or one["code"], _is_total(one)) for one in item["codes"]
            ]
            found[item["id"]] = tuple(codes)
        except (KeyError, TypeError, AttributeError) as error:
            raise ResponseMalformed(f"the UN's list of codes lacks {error}") from error
    return found


def _is_total(code: Mapping[str, Any]) -> bool:
    return code.get("sdmx") == TOTAL or code["code"] in TOTALS

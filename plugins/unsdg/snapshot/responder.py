"""Answers the URLs of the UN SDG API, version 1, from the carried figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlsplit

from plugins.unsdg.snapshot.figures import (
    CarriedLine,
    area_names,
    carried_series,
    dimension_codes,
    read_line,
    recorded,
    value_lines,
)
from shared.runtime.http import HttpRequest, HttpResponse

HOST = "unstats.un.org"
BASES = ("/sdgapi/v1/sdg/", "/sdgs/unsdgapiv5/v1/sdg/")
"""Where the API stands; the server does not look at letter case."""
LISTS = {
    "goal/list": "Goal_List",
    "target/list": "Target_List",
    "indicator/list": "Indicator_List",
    "series/list": "Series_List",
    "geoarea/list": "GeoArea_List",
    "geoarea/tree": "GeoArea_Tree",
}
LISTS_AS_OF = date(2022, 7, 1)
VALUES_AS_OF = date(2020, 10, 19)
NOTE_HEADER = "x-snapshot-note"
"""What must be known of recorded figures; the live API never sends it."""
PAGE_SIZE = 25
"""The API's own page size where a request names none."""
ATTRIBUTES = {"Observation Status"}
TOTALS = {"ALLAGE", "BOTHSEX", "ALLAREA", "_T", "TOTAL"}
NATURES = {
    "C": "Country data",
    "CA": "Country adjusted data",
    "E": "Estimated data",
    "G": "Global monitoring data",
    "M": "Modeled data",
    "N": "Non-relevant",
    "NA": "Data nature not available",
    "NOTSPEC": "Not specified",
}

Row = dict[str, Any]


class _BadRequest(Exception):  # noqa: N818 - it is an answer
    """The server's answer 400."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """The parameters of a request for values; empty sets ask for everything.

    Areas are compared as they are written: the server knows Angola as ``24``, and ``024`` is nobody.
    """

    series: tuple[str, ...]
    areas: frozenset[str]
    years: frozenset[int]
    first: int
    last: int
    page: int
    size: int

    @classmethod
    def of(cls, params: tuple[tuple[str, str], ...]) -> _Asked:
        given: dict[str, list[str]] = {}
        for name, value in params:
            given.setdefault(name.lower(), []).extend(part for part in value.split(",") if part)
        if not given.get("seriescode"):
            raise _BadRequest
        return cls(
            series=tuple(dict.fromkeys(code.upper() for code in given["seriescode"])),
            areas=frozenset(given.get("areacode", ())),
            years=frozenset(int(_whole(year)) for year in given.get("timeperiod", ())),
            first=int(_whole(given.get("timeperiodstart", ["0"])[-1])),
            last=int(_whole(given.get("timeperiodend", ["9999"])[-1])),
            page=int(_whole(given.get("page", ["1"])[-1])),
            size=int(_whole(given.get("pagesize", [str(PAGE_SIZE)])[-1])),
        )

    def has(self, year: int) -> bool:
        """Whether a year is asked for."""
        return self.first <= year <= self.last and (not self.years or year in self.years)


def _whole(text: str) -> str:
    """A whole number; anything else is a request that the server refuses."""
    if not text.isascii() or not text.isdigit():
        raise _BadRequest
    return str(int(text))


class UnSdgResponder:
    """Stands in for ``unstats.un.org``; answers are dated with the vintage of the list or of the figures."""

    hosts = frozenset({HOST})

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer in the API's wire form; what it does not serve is its own 404."""
        path = urlsplit(request.url).path.rstrip("/").lower()
        route = next((path.removeprefix(base) for base in BASES if path.startswith(base)), None)
        if request.method != "GET" or route is None:
            return _answer(404, "")
        if route in LISTS:
            return _answer(200, recorded(LISTS[route]), as_of=LISTS_AS_OF)
        if route != "series/data":
            return _answer(404, "")
        try:
            asked = _Asked.of(request.params)
        except _BadRequest:
            return _answer(400, {"Message": "The request is invalid."})
        note = "; ".join(
            f"the recorded figures do not hold the series {code}"
            for code in asked.series
            if code not in carried_series() and code in _listed()
        )
        return _answer(200, _data(asked), note=note)


def _listed() -> frozenset[str]:
    return frozenset(row["code"].upper() for row in recorded("Series_List"))


def _answer(status: int, body: Any, *, as_of: date = VALUES_AS_OF, note: str = "") -> HttpResponse:
    text = body if isinstance(body, str) else _text(body)
    return HttpResponse(
        status=status,
        body=text.encode(),
        retrieved_at=datetime.now(UTC),
        headers={"content-type": "application/json; charset=utf-8"} | ({NOTE_HEADER: note} if note else {}),
        snapshot_as_of=as_of,
    )


def _data(asked: _Asked) -> str:
    """The body of ``Series/Data``. Rows are written as text: a series of all areas has tens of thousands."""
    carried = [code for code in asked.series if code in carried_series()]
    lines = [(code, line) for code in carried for line in _lines(code, asked)]
    rows = [row for code, line in lines for row in _rows(code, line)]
    pages = max(1, -(-len(rows) // asked.size)) if asked.size else 1
    start = (asked.page - 1) * asked.size
    envelope = {
        "size": asked.size,
        "totalElements": len(rows),
        "totalPages": pages,
        "pageNumber": asked.page,
        "attributes": _attributes(sorted({line.unit for _, line in lines if line.cells})) if carried else [],
        "dimensions": [
            {"id": name, "codes": [_code(code) for code in codes]}
            for name, codes in _dimensions(carried).items()
            if name not in ATTRIBUTES
        ],
    }
    shown = rows[start : start + asked.size] if start >= 0 else []
    return f'{_text(envelope)[:-1]}, "data": [{", ".join(shown)}]}}'


def _dimensions(series: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for code in series:
        for name, codes in dimension_codes(code).items():
            found.setdefault(name, []).extend(one for one in codes if one not in found.get(name, ()))
    return found


def _code(code: str) -> Row:
    return {"code": code, "description": code, "sdmx": "_T" if code in TOTALS else code}


def _attributes(units: list[str]) -> list[Row]:
    natures = [{"code": code, "description": said, "sdmx": code} for code, said in NATURES.items()]
    return [
        {"id": "Nature", "codes": natures},
        {"id": "Units", "codes": [{"code": unit, "description": unit, "sdmx": unit} for unit in units]},
    ]


def _lines(series: str, asked: _Asked) -> Iterator[CarriedLine]:
    for text in value_lines(series):
        if not asked.areas or text.split("\t", 1)[0] in asked.areas:
            yield read_line(text, asked.has)


def _rows(series: str, line: CarriedLine) -> Iterator[str]:
    """The rows of one line as JSON: what its cells have in common is written once."""
    known = carried_series()[series]
    attributes = {name: code for name, code in line.dimensions.items() if name in ATTRIBUTES}
    before = {
        "goal": known["goal"],
        "target": known["target"],
        "indicator": known["indicator"],
        "series": known["code"],
        "seriesDescription": known["description"],
        "seriesCount": str(len(value_lines(series))),
        "geoAreaCode": line.area,
        "geoAreaName": area_names().get(line.area, ""),
    }
    after = {
        "valueType": "Float",
        "time_detail": None,
        "timeCoverage": None,
        "upperBound": None,
        "lowerBound": None,
        "basePeriod": None,
        "source": None,
        "geoInfoUrl": None,
        "footnotes": [""],
        "dimensions": {name: code for name, code in line.dimensions.items() if name not in ATTRIBUTES},
        "attributes": {"Units": line.unit, **attributes},
    }
    head, tail = _text(before)[:-1], _text(after)[1:-2]
    for year, value, nature in line.cells:
        # Neither a carried value nor a code of a nature has a character that JSON writes otherwise.
        yield f'{head}, "timePeriodStart": {year}.0, "value": "{value}", {tail}, "Nature": "{nature}"}}}}'


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

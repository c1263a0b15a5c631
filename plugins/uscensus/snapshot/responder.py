"""Answers the requests of the Census Data API from the carried figures, in its own wire form."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from itertools import accumulate
from operator import itemgetter
from urllib.parse import urlsplit

from plugins.uscensus.geography import LEVELS, Area, Level
from plugins.uscensus.snapshot import store
from shared.runtime.http import HttpRequest, HttpResponse

AS_OF = date(2025, 11, 7)
"""The date of the newest recorded answers."""
API, FILES = "api.census.gov", "www2.census.gov"
NOTE_HEADER = "x-snapshot-note"
NOTHING = "not among the recorded figures"
PRODUCTS = {
    "acs/acs5": ("acs5", "BC"),
    "acs/acs5/subject": ("acs5", "S"),
    "acs/acs5/profile": ("acs5", "D"),
    "acs/acs1": ("acs1", "BC"),
    "acs/acs1/subject": ("acs1", "S"),
    "acs/acs1/profile": ("acs1", "D"),
    "dec/pl": ("pl", "PH"),
}
"""Data sets by path, with the letters that their tables begin with."""
UNRECORDED = frozenset({"cbp", "abscs", "ecnbasic"})
"""Data sets of which no answer was recorded."""
NAMES = ("NAME", "GEO_ID")
_GROUP = re.compile(r"group\((?P<table>\w+)\)")


class _Rejected(Exception):  # noqa: N818 - an answer of the API, not a fault of ours
    """A request that the API does not take, with its status and text."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


class CensusResponder:
    """Stands in for ``api.census.gov``; a vintage that is not carried has not been released for it."""

    hosts = frozenset({API, f"{FILES}/programs-surveys/popest"})

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer in the API's wire form: an array of arrays, nothing with 204, or an error as plain text."""
        if request.host == FILES:
            return _file(request)
        headers = {"content-type": "application/json;charset=utf-8"}
        try:
            status, body = 200, _answer(request)
        except _Rejected as error:
            status, body = error.status, str(error)
            headers["content-type"] = "text/plain"
        if status == 200 and not body:
            status, headers[NOTE_HEADER] = 204, NOTHING
        return HttpResponse(
            status=status,
            body=body.encode(),
            retrieved_at=datetime.now(UTC),
            headers=headers,
            snapshot_as_of=AS_OF,
        )


def _file(request: HttpRequest) -> HttpResponse:
    """A published file; its figures are those of its vintage's first of July."""
    name = urlsplit(request.url).path.rpartition("/")[2]
    body = store.published_file(name)
    if body is None:
        page = b"<html><head><title>404 Not Found</title></head></html>"
        return HttpResponse(404, page, datetime.now(UTC), {"content-type": "text/html"}, AS_OF)
    vintage = next(int(part) for part in re.findall(r"20\d\d", name))
    return HttpResponse(200, body, datetime.now(UTC), {"content-type": "text/csv"}, date(vintage, 7, 1))


def _answer(request: HttpRequest) -> str:
    timed = False
    match [part for part in urlsplit(request.url).path.split("/") if part]:
        case ["data", "timeseries", "poverty", "saipe"]:
            vintage, timed = next((value for name, value in request.params if name == "time"), ""), True
            product, letters = "saipe", "S"
        case ["data", vintage, *rest, "groups", group] if "/".join(rest) in PRODUCTS and vintage.isdigit():
            return _variables(PRODUCTS["/".join(rest)], vintage, group.removesuffix(".json"))
        case ["data", vintage, *rest] if (dataset := "/".join(rest)) in PRODUCTS and vintage.isdigit():
            product, letters = PRODUCTS[dataset]
        case ["data", vintage, dataset] if dataset in UNRECORDED and vintage.isdigit():
            return ""
        case _:
            raise _Rejected(404, "error: unknown dataset")
    if (product, vintage) not in store.vintages():
        if timed:
            return ""
        raise _Rejected(404, "error: unknown dataset")
    area = _area(request)
    found = store.table(product, vintage, area.level.name)
    columns = _columns(request, found, letters)
    if found is None:
        return ""
    estimates = [name for name in columns if name not in NAMES]
    kept = [store.kept_as(name, vintage) for name in columns]
    if estimates and not any(name in found.places for name in kept if name not in NAMES):
        return ""
    return _body(found, columns, kept, area, year=vintage if timed else "")


def _variables(product: tuple[str, str], vintage: str, group: str) -> str:
    """The variables of a table with their labels, as the API lists them for a group."""
    found = store.labels(group, vintage) if group[:1] in product[1] else {}
    if (product[0], vintage) not in store.vintages() or not found:
        raise _Rejected(404, "error: unknown group")
    return json.dumps(
        {
            "variables": {
                name: {"label": label, "predicateType": "int", "group": group, "limit": 0}
                for name, label in found.items()
            }
        }
    )


def _area(request: HttpRequest) -> Area:
    asked = dict.fromkeys(name for name, _ in request.params)
    if "for" not in asked:
        raise _Rejected(400, "error: missing 'for' argument")
    wanted = next(value for name, value in request.params if name == "for")
    name, _, code = wanted.partition(":")
    level = LEVELS.get(name)
    if level is None:
        raise _Rejected(400, "error: unknown/unsupported geography hierarchy")
    inside = dict(
        part.split(":", 1)
        for key, value in request.params
        if key == "in"
        for part in re.split(r"\s+(?=[a-z])", value)
        if ":" in part
    )
    return Area(level, (*(inside.get(column, "*") for column in level.columns[:-1]), code or "*"))


def _columns(request: HttpRequest, found: store.Recorded | None, letters: str) -> list[str]:
    columns: list[str] = []
    for name in next((value for key, value in request.params if key == "get"), "").split(","):
        group = _GROUP.fullmatch(name)
        if group is not None:
            own = sorted(one for one in (found.places if found else ()) if one.startswith(f"{group['table']}_"))
            columns += ["GEO_ID", "NAME", *own]
        elif name in NAMES or (name[:1] in letters and store.split(name)[0] in store.known()):
            columns.append(name)
        elif name:
            raise _Rejected(400, f"error: unknown variable '{name}'")
    return list(dict.fromkeys(columns))


def _body(found: store.Recorded, columns: Sequence[str], kept: Sequence[str], area: Area, *, year: str) -> str:
    """The array of arrays, put together as text: all counties are thousands of rows.

    A time series says the ``year`` of each row.
    """
    places = [found.places.get(name) for name in kept]
    wanted = [place for place, name in zip(places, columns, strict=True) if place is not None and name not in NAMES]
    slices = _slices(area.level)
    fixed = [(part, code.split(",")) for part, code in zip(slices, area.codes, strict=True) if code != "*"]
    needed = 1 + max((place for place in places if place is not None), default=0)
    highest = needed - 1
    take = itemgetter(*places) if len(places) > 1 and None not in places else None
    lines = []
    for geoid, line in found.lines.items():
        if fixed and any(geoid[part] not in codes for part, codes in fixed):
            continue
        cells = line.split("\t", needed)
        if wanted and not any(place < len(cells) and cells[place] for place in wanted):
            continue
        texts = take(cells) if take is not None and len(cells) > highest else ()
        whole = "".join(texts)
        if texts and "" not in texts and store.BLANK not in texts and _plain(whole):
            # As most rows are, which need no look at each cell.
            between = '","'.join(texts)
            row = [f'"{between}"']
        else:
            row = [
                f'"{_full_id(area.level, geoid)}"' if name == "GEO_ID" else _cell(cells, place)
                for name, place in zip(columns, places, strict=True)
            ]
        row += [f'"{year}"'] if year else []
        row += [f'"{geoid[part]}"' for part in slices]
        lines.append(f"[{','.join(row)}]")
    if not lines:
        return ""
    header = json.dumps([*columns, *(["time"] if year else []), *area.level.columns])
    return "[" + ",\n".join([header, *lines]) + "]"


def _slices(level: Level) -> list[slice]:
    """Where each code of a level stands in an identifier."""
    ends = list(accumulate(length for _, length in level.path))
    return [slice(end - length, end) for end, (_, length) in zip(ends, level.path, strict=True)]


def _cell(cells: Sequence[str], place: int | None) -> str:
    """A cell as JSON: a string, or null for what is blank."""
    text = cells[place] if place is not None and place < len(cells) else ""
    if text in {"", store.BLANK}:
        return "null"
    return f'"{text}"' if _plain(text) else json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> bool:
    """Whether a text stands in JSON as it is."""
    return text.isprintable() and '"' not in text and "\\" not in text


def _full_id(level: Level, geoid: str) -> str:
    return f"{level.summary}0000US{'' if level.name == 'us' else geoid}"

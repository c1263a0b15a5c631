"""Answers the World Bank Indicators API's URLs (version 2, JSON) from the carried figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from urllib.parse import unquote, urlsplit

from plugins.worldbank.snapshot.indicators import carried_indicators, catalogue, listed_indicator, wire_indicator
from plugins.worldbank.snapshot.lists import WireRow, country_by_code, wire_rows
from plugins.worldbank.snapshot.parameters import Parameters, read_parameters
from plugins.worldbank.snapshot.values import answer_values
from plugins.worldbank.snapshot.wire import (
    INVALID_VALUE,
    NO_DATA,
    REQUEST_ERROR_PAGE,
    UNSUPPORTED_LANGUAGE,
    ApiError,
    NoData,
    PagingStyle,
    RequestErrorPage,
    error_body,
    list_body,
)
from shared.runtime.http import HttpRequest, HttpResponse

JSON = "application/json;charset=utf-8"
NOTE_HEADER = "x-snapshot-note"
SHORTENED_HEADER = "x-snapshot-shortened"
"""What must be known of recorded figures, and which years they leave out; the live API never sends these."""

Answer = tuple[str, date, dict[str, str]]
"""A body, the vintage of its figures, and headers of the snapshot's own."""

COUNTRIES_AS_OF = date(2026, 4, 1)
"""The date of the recorded list of countries with their income levels; ``PROVENANCE.tsv`` has the month."""

# Income classes that are made of others, as the publisher's own groups of these names are.
INCOME_UNIONS = {"MIC": {"LMC", "UMC"}, "LMY": {"LIC", "LMC", "UMC"}}


@dataclass(frozen=True, slots=True)
class CodeList:
    """One of the API's lists: its rows, the field that identifies a row, and how its paging is written."""

    rows: str
    key: str
    style: PagingStyle
    unknown: dict[str, str]


LISTS = {
    "country": CodeList("countries", "id", "string per_page", INVALID_VALUE),
    "region": CodeList("regions", "code", "strings", INVALID_VALUE),
    "incomelevel": CodeList("income_levels", "id", "strings", INVALID_VALUE),
    "lendingtype": CodeList("lending_types", "id", "strings", INVALID_VALUE),
    "topic": CodeList("topics", "id", "string per_page", INVALID_VALUE),
    "source": CodeList("sources", "id", "strings", INVALID_VALUE),
    "language": CodeList("languages", "code", "strings", UNSUPPORTED_LANGUAGE),
}
PLURALS = {
    "countries": "country",
    "regions": "region",
    "incomelevels": "incomelevel",
    "lendingtypes": "lendingtype",
    "topics": "topic",
    "sources": "source",
    "languages": "language",
    "indicators": "indicator",
}


class WorldBankResponder:
    """Stands in for ``api.worldbank.org``; every answer is dated with the vintage of its figures."""

    hosts = frozenset({"api.worldbank.org"})

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer in the API's wire form, its own errors included. Only JSON is spoken."""
        own: dict[str, str] = {}
        as_of = max(indicator.vintage for indicator in carried_indicators().values())
        status, content_type = 200, JSON
        try:
            body, as_of, own = self._route(request, as_of)
        except ApiError as error:
            body = error_body(error.messages)
        except NoData as nothing:
            body, own = NO_DATA, {NOTE_HEADER: nothing.note} if nothing.note else {}
        except RequestErrorPage as page:
            status, content_type, body = page.status, "text/html", REQUEST_ERROR_PAGE
        return HttpResponse(
            status=status,
            body=body.encode(),
            retrieved_at=datetime.now(UTC),
            headers={"content-type": content_type, **own},
            snapshot_as_of=as_of,
        )

    def _route(self, request: HttpRequest, as_of: date) -> Answer:
        segments = [unquote(part) for part in urlsplit(request.url).path.split("/") if part]
        if request.method != "GET" or segments[:1] != ["v2"]:
            raise RequestErrorPage(404)
        segments = segments[1:]
        if segments and segments[0].lower() == "en":
            segments = segments[1:]
        names = [PLURALS.get(part.lower(), part.lower()) for part in segments]
        asked = read_parameters(request.params)
        if not asked.json:
            # Without format=json the live API answers in XML, which nothing here reads.
            raise RequestErrorPage(400)
        match names:
            case ["country", _, "indicator", _]:
                answer = answer_values(segments[1], segments[3], asked)
                vintage = min(indicator.vintage for indicator in answer.indicators)
                own = {NOTE_HEADER: "; ".join(answer.notes), SHORTENED_HEADER: "; ".join(answer.shortened)}
                return answer.body, vintage, {name: text for name, text in own.items() if text}
            case [kind, _, "country"] if kind in {"region", "incomelevel", "lendingtype"}:
                return _countries(wire_rows("countries"), asked, {kind: segments[1]}), COUNTRIES_AS_OF, {}
            case ["indicator"] | ["indicator", _] | ["topic" | "source", _, "indicator"]:
                return _indicators(names, segments, asked), as_of, {}
            case ["country"] | ["country", _]:
                rows = _countries_named(segments[1]) if len(names) > 1 else wire_rows("countries")
                return _countries(rows, asked, {}), COUNTRIES_AS_OF, {}
            case [kind] | [kind, _] if kind in LISTS:
                listed = LISTS[kind]
                rows = _picked(listed, segments[1]) if len(names) > 1 else wire_rows(listed.rows)
                return _listed(rows, asked, listed.style), as_of, {}
        raise RequestErrorPage(404)


def _listed(rows: Sequence[WireRow], asked: Parameters, style: PagingStyle) -> str:
    if not rows:
        raise NoData
    return list_body(rows, page=asked.page, per_page=asked.per_page, style=style)


def _picked(listed: CodeList, codes: str) -> list[WireRow]:
    known = {row[listed.key].upper(): row for row in wire_rows(listed.rows)}
    wanted = codes.upper().split(";")
    if any(code not in known for code in wanted):
        raise ApiError(listed.unknown)
    return [known[code] for code in dict.fromkeys(wanted)]


def _countries_named(codes: str) -> Sequence[WireRow]:
    if codes.lower() == "all":
        return wire_rows("countries")
    known = country_by_code()
    wanted = codes.upper().split(";")
    if any(code not in known for code in wanted):
        raise ApiError(INVALID_VALUE)
    ids = {known[code]["id"] for code in wanted}
    return [row for row in wire_rows("countries") if row["id"] in ids]


# How each filter of the country list reads a row, and the list that its codes come from.
COUNTRY_FILTERS: dict[str, tuple[str, Callable[[Parameters], str | None]]] = {
    "region": ("region", lambda asked: asked.region),
    "incomelevel": ("incomeLevel", lambda asked: asked.income_level),
    "lendingtype": ("lendingType", lambda asked: asked.lending_type),
}


def _countries(rows: Sequence[WireRow], asked: Parameters, by_path: dict[str, str]) -> str:
    for kind, (field, read) in COUNTRY_FILTERS.items():
        codes = by_path.get(kind) or read(asked)
        if not codes:
            continue
        listed = LISTS[kind]
        wanted = {row[listed.key] for row in _picked(listed, codes)}
        for code in tuple(wanted):
            wanted |= INCOME_UNIONS.get(code, set())
        rows = [row for row in rows if row[field]["id"] in wanted]
    return _listed(rows, asked, LISTS["country"].style)


def _indicators(names: list[str], segments: list[str], asked: Parameters) -> str:
    found = []
    if names[0] == "indicator" and len(names) == 2:
        for code in dict.fromkeys(segments[1].upper().split(";")):
            indicator = listed_indicator(code)
            if indicator is None:
                raise ApiError(INVALID_VALUE)
            found.append(indicator)
    else:
        if names[0] != "indicator":
            _picked(LISTS[names[0]], segments[1])
        topic = segments[1] if names[0] == "topic" else None
        source = segments[1] if names[0] == "source" else asked.source
        found = [
            indicator
            for indicator in catalogue()
            if (topic is None or topic in indicator.topics) and (source is None or source == indicator.source_id)
        ]
    start = (asked.page - 1) * asked.per_page
    shown = [wire_indicator(indicator) for indicator in found[start : start + asked.per_page]]
    if not found:
        raise NoData
    # Only the page shown is spelled out; the others are placeholders that keep the count.
    rows: list[WireRow] = [{}] * start + shown + [{}] * max(0, len(found) - start - len(shown))
    return list_body(rows, page=asked.page, per_page=asked.per_page, style="string per_page")

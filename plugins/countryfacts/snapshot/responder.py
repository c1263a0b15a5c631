"""Answers the two services' own requests from carried figures, in their wire forms."""

from __future__ import annotations

import csv
import gzip
import json
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any

from plugins.countryfacts.client import ADJACENCY_URL, CENSUS_HOST, COUNTRIES_HOST
from shared.runtime.http import HttpRequest, HttpResponse

AS_OF = date(2026, 1, 1)
"""The carried tables are undated; they were taken over in this month."""


MOST_FIELDS = 10


@lru_cache(maxsize=1)
def _countries() -> dict[str, dict[str, str]]:
    text = files(__package__).joinpath("data/countries.csv").read_text(encoding="utf-8")
    return {row["iso3"]: row for row in csv.DictReader(text.splitlines())}


def _record(row: dict[str, str], fields: set[str]) -> dict[str, Any]:
    whole = {
        "name": {"common": row["name"], "official": row["official_name"]},
        "cca2": row["iso2"],
        "cca3": row["iso3"],
        "capital": [row["capital"]] if row["capital"] else [],
        "region": row["region"],
        "subregion": row["subregion"],
        "landlocked": row["landlocked"] == "1",
        "unMember": row["un_member"] == "1",
        "borders": [code for code in row["land_borders_iso3"].split(";") if code],
    }
    return {key: value for key, value in whole.items() if not fields or key in fields}


class CountryFactsResponder:
    """Serves ``/v3.1/alpha`` and ``/v3.1/all`` of REST Countries and the Census Bureau's county adjacency file."""

    hosts = frozenset({COUNTRIES_HOST, CENSUS_HOST})

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer one request; an unknown one gets the service's own not-found answer."""
        if request.host == CENSUS_HOST:
            return self._adjacency(request)
        params = dict(request.params)
        fields = {field for field in params.get("fields", "").split(",") if field}
        if request.url.rstrip("/").endswith("/v3.1/all"):
            return self._all(fields)
        if request.url.rstrip("/").endswith("/v3.1/alpha"):
            codes = [code.upper() for code in params.get("codes", "").split(",") if code]
        else:
            codes = [request.url.rstrip("/").rsplit("/", 1)[-1].upper()]
        found = [_record(_countries()[code], fields) for code in codes if code in _countries()]
        if not codes:
            return self._json(400, {"message": "Bad Request", "status": 400})
        if not found:
            return self._json(404, {"message": "Not Found", "status": 404})
        return self._json(200, found)

    def _all(self, fields: set[str]) -> HttpResponse:
        # The service answers for every country only with the fields named, ten at most.
        if not 0 < len(fields) <= MOST_FIELDS:
            return self._json(400, {"message": "Bad Request", "status": 400})
        return self._json(200, [_record(row, fields) for row in _countries().values()])

    def _adjacency(self, request: HttpRequest) -> HttpResponse:
        if request.url != ADJACENCY_URL:
            return HttpResponse(404, b"Not Found", datetime.now(UTC), snapshot_as_of=AS_OF)
        data = files(__package__).joinpath("data/county_adjacency.txt.gz").read_bytes()
        return HttpResponse(200, gzip.decompress(data), datetime.now(UTC), snapshot_as_of=AS_OF)

    @staticmethod
    def _json(status: int, body: object) -> HttpResponse:
        return HttpResponse(
            status,
            json.dumps(body, ensure_ascii=False).encode(),
            datetime.now(UTC),
            headers={"content-type": "application/json"},
            snapshot_as_of=AS_OF,
        )

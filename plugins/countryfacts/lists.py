"""Reference lists carried with the product: they are short, change seldom, and name the body that keeps them."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files

from shared.query.evidence import RequestMade, SourceResponse
from shared.query.quantity import Entity
from shared.text.places import GroupList

SOURCE = "countryfacts"
CARRIED_ON = date(2026, 1, 1)


def _table(name: str) -> list[dict[str, str]]:
    text = files("plugins.countryfacts.snapshot").joinpath(f"data/{name}").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@lru_cache(maxsize=1)
def codes_by_country() -> dict[str, dict[str, str]]:
    """Currency, calling code and internet domain, by ISO3 code."""
    return {row["iso3"]: row for row in _table("currencies.csv")}


@lru_cache(maxsize=1)
def state_capitals() -> dict[str, str]:
    """The capital of each US state, by postal code."""
    return {row["postal"]: row["capital"] for row in _table("us_state_capitals.csv")}


@lru_cache(maxsize=1)
def international_boundaries() -> tuple[tuple[str, str, str], ...]:
    """Country (ISO3), US state (postal code), and whether they meet on ``land`` or on ``water only``."""
    return tuple(
        (row["country_iso3"], row["postal"], row["boundary"])
        for row in _table("us_states_on_international_boundaries.csv")
    )


def carried(publisher: str, page: str, *, as_of: date = CARRIED_ON, licence: str = "public domain facts") -> SourceResponse:
    """The source response of a carried list: a snapshot, citing the page of the body that keeps the list."""
    return SourceResponse(
        source=SOURCE,
        publisher=publisher,
        requests=(RequestMade(url=page),),
        retrieved_at=datetime.combine(as_of, datetime.min.time(), tzinfo=UTC),
        as_of=as_of,
        snapshot=True,
        licence=licence,
        page_url=page,
    )


ISO_4217 = ("ISO 4217 maintenance agency", "https://www.six-group.com/en/products-services/financial-information/data-standards.html")
ITU = ("International Telecommunication Union", "https://www.itu.int/pub/T-SP-E.164D")
IANA = ("Internet Assigned Numbers Authority", "https://www.iana.org/domains/root/db")
STATE_GOVERNMENTS = ("USA.gov, state governments", "https://www.usa.gov/state-governments")
BOUNDARY_COMMISSIONS: dict[str, tuple[str, str]] = {
    "CAN": ("International Boundary Commission", "https://www.internationalboundarycommission.org/"),
    "MEX": ("International Boundary and Water Commission", "https://www.ibwc.gov/"),
}


def group_response(group: Entity, listed: GroupList) -> SourceResponse:
    """The source response of a group's list of members."""
    return carried(listed.publisher, listed.page, as_of=listed.as_of, licence=listed.licence)

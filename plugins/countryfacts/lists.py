"""Reference lists carried with the product: they are short, change seldom, and name the body that keeps them."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib.resources import files

from shared.query.evidence import RequestMade, SourceResponse
from shared.query.quantity import Entity, PlaceKind
from shared.text.places import group_as_of, group_list_name, group_source

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


@lru_cache(maxsize=1)
def overseas_borders() -> tuple[tuple[str, str, str], ...]:
    """Country and neighbour (ISO3), and the part of the country, overseas or apart, that meets the neighbour."""
    return tuple((row["iso3"], row["neighbour_iso3"], row["part"]) for row in _table("overseas_borders.csv"))


def carried(
    publisher: str, page: str, *, as_of: date = CARRIED_ON, licence: str = "public domain facts"
) -> SourceResponse:
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


ISO_4217 = (
    "ISO 4217 maintenance agency",
    "https://www.six-group.com/en/products-services/financial-information/data-standards.html",
)
ITU = ("International Telecommunication Union", "https://www.itu.int/pub/T-SP-E.164D")
IANA = ("Internet Assigned Numbers Authority", "https://www.iana.org/domains/root/db")
STATE_GOVERNMENTS = ("USA.gov, state governments", "https://www.usa.gov/state-governments")
BOUNDARY_COMMISSIONS: dict[str, tuple[str, str]] = {
    "CAN": ("International Boundary Commission", "https://www.internationalboundarycommission.org/"),
    "MEX": ("International Boundary and Water Commission", "https://www.ibwc.gov/"),
}


UN_M49 = "UN M49"
"""Lists of regions name territories beside countries; the lists of organizations do not."""

PAGES: dict[str, str] = {
    UN_M49: "https://unstats.un.org/unsd/methodology/m49/",
    "World Bank": "https://datahelpdesk.worldbank.org/knowledgebase/articles/906519",
    "European Union": "https://european-union.europa.eu/principles-countries-history/eu-countries_en",
    "OECD": "https://www.oecd.org/en/about/members-partners.html",
    "NATO": "https://www.nato.int/cps/en/natohq/nato_countries.htm",
    "OPEC": "https://www.opec.org/member-countries.html",
    "ASEAN": "https://asean.org/member-states/",
    "African Union": "https://au.int/en/member_states/countryprofiles2",
    "Commonwealth": "https://thecommonwealth.org/our-member-countries",
    "League of Arab States": "http://www.lasportal.org/",
    "G20": "https://g20.org/about-g20/",
    "BRICS": "https://brics.br/en/about-the-brics",
}
"""The page of the body that keeps each list, by how the list's source begins."""

CENSUS_CODES = ("US Census Bureau", "https://www.census.gov/library/reference/code-lists/ansi.html")
"""Who lists the states of the United States and their counties."""
OTHER_PAGE = "https://www.un.org/en/about-us/member-states"


def is_geographic(group: Entity) -> bool:
    """Whether the group is a region of the world rather than an organization or a classification."""
    return (group_source(group) or "").startswith(UN_M49) and not group.name.casefold().endswith("countries")


def in_united_states(group: Entity) -> bool:
    """Whether the members are the states of the United States or the counties of one."""
    return group.kind is PlaceKind.US_STATE or group.keys.get("iso3") == "USA"


def group_response(group: Entity) -> SourceResponse:
    """The source response of a group's list of members, dated as the list is."""
    if in_united_states(group):
        return carried(*CENSUS_CODES)
    source = group_source(group) or group.name
    page = next((page for begin, page in PAGES.items() if source.startswith(begin)), OTHER_PAGE)
    return carried(group_list_name(group) or source, page, as_of=_date(group_as_of(group)))


def dated_list(group: Entity) -> str:
    """Whose list of a group's members is carried, with the date that it holds from."""
    if in_united_states(group):
        return f"the {CENSUS_CODES[0]}'s list of {'counties' if group.kind is PlaceKind.US_STATE else 'states'}"
    name, as_of = group_list_name(group) or group.name, group_as_of(group)
    return name if as_of in {None, "customary"} else f"{name} ({as_of})"


def _date(text: str | None) -> date:
    """A date written as ``2024-03-07`` or ``2026-04``; an undated list has the date it was taken over."""
    parts = [int(part) for part in (text or "").split("-") if part.isdigit()]
    if not parts:
        return CARRIED_ON
    year, month, day = (*parts, 1, 1)[:3]
    return date(year, month, day)

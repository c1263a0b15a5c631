"""The nouns that sets of members are named by, and the facts that narrow them."""

from __future__ import annotations

import re

from shared.query.quantity import PlaceKind

SINGULAR: dict[str, PlaceKind] = {
    "country": PlaceKind.COUNTRY,
    "nation": PlaceKind.COUNTRY,
    "economy": PlaceKind.COUNTRY,
    "member state": PlaceKind.COUNTRY,
    "member country": PlaceKind.COUNTRY,
    "member nation": PlaceKind.COUNTRY,
    "member": PlaceKind.COUNTRY,
    "island nation": PlaceKind.COUNTRY,
    "state": PlaceKind.US_STATE,
    "county": PlaceKind.US_COUNTY,
    "parish": PlaceKind.US_COUNTY,
    "city": PlaceKind.CITY,
    "town": PlaceKind.CITY,
    "metropolis": PlaceKind.CITY,
    "company": PlaceKind.COMPANY,
    "firm": PlaceKind.COMPANY,
    "corporation": PlaceKind.COMPANY,
    "nonprofit": PlaceKind.ORGANIZATION,
    "charity": PlaceKind.ORGANIZATION,
    "foundation": PlaceKind.ORGANIZATION,
    "university": PlaceKind.ORGANIZATION,
    "place": PlaceKind.PLACE,
    "area": PlaceKind.PLACE,
    "province": PlaceKind.PLACE,
    "region": PlaceKind.PLACE,
    "district": PlaceKind.PLACE,
    "congressional district": PlaceKind.PLACE,
    "territory": PlaceKind.PLACE,
    "municipality": PlaceKind.PLACE,
    "department": PlaceKind.PLACE,
    "zip code": PlaceKind.PLACE,
    "census tract": PlaceKind.PLACE,
    "tract": PlaceKind.PLACE,
    "neighborhood": PlaceKind.PLACE,
    "organization": PlaceKind.ORGANIZATION,
    "organisation": PlaceKind.ORGANIZATION,
}


def plural(noun: str) -> str:
    """The plural of a noun of the table."""
    if noun.endswith("y"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh")) else f"{noun}s"


PLURAL = {plural(noun): kind for noun, kind in SINGULAR.items()} | {"continents": PlaceKind.PLACE}
KIND = SINGULAR | PLURAL


def any_of(words: dict[str, PlaceKind]) -> str:
    """A pattern of any of the words, longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


FACTS = (
    r"(?:doubly[- ])?land-?locked|small island developing|island|low[- ]income|lower[- ]middle[- ]income"
    r"|upper[- ]middle[- ]income|middle[- ]income|high[- ]income|least developed|developing|developed|emerging"
    r"|industriali[sz]ed|oil[- ](?:exporting|producing)|coastal|independent|sovereign|"
    r"commonwealth|english[- ]speaking"
    r"|french[- ]speaking|spanish[- ]speaking|arabic[- ]speaking|portuguese[- ]speaking|muslim|democratic"
    r"|(?:active )?501\(c\)\(3\)|(?:active )?tax[- ]exempt|active"
)

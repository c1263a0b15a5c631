"""The places of the recorded answers: from Data Commons' own lists, with the names that it gives them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tools.datacommons_carried.gathered import read_json, read_rows

SHANNON = "geoId/46113"
"""Listed twice under its new name; its own figures ended before any that are carried."""


class PlaceRow(NamedTuple):
    """One line of the table of places."""

    dcid: str
    name: str
    types: str
    parents: str


def read_places(data: Path) -> list[PlaceRow]:
    """Earth, the countries, the states and counties of the USA, and the cities that figures are carried of."""
    lists = data / "datacommons" / "mixer_v2_goldens" / "propertyvalues" / "containedin"
    found = [PlaceRow("Earth", "World", "Planet", "")]
    for row in _nodes(lists / "country.json", "Earth"):
        if not row["dcid"].startswith("country/"):
            # The seas and fires of the world are listed among its countries.
            continue
        found.append(PlaceRow(row["dcid"], row.get("name", row["dcid"]), "Country,Place", "Earth"))
    found += _states(data)
    for row in _nodes(lists / "USA_county.json.gz", "country/USA"):
        state = row["dcid"][:8]
        found.append(PlaceRow(row["dcid"], row.get("name", row["dcid"]), "County,AdministrativeArea2", state))
    found += _cities(data)
    return found


def _nodes(path: Path, container: str) -> Iterable[dict[str, str]]:
    nodes: list[dict[str, str]] = read_json(path)["data"][container]["arcs"]["containedInPlace+"]["nodes"]
    return nodes


def _states(data: Path) -> list[PlaceRow]:
    rows = read_rows(data / "us_facts" / "state_fips_2018.csv")
    names = {row["fips"].zfill(2): row["state_name"] for row in rows}
    names |= {"11": "District of Columbia", "72": "Puerto Rico"}
    listed = read_json(data / "datacommons" / "mixer_other_goldens" / "places_in_usa_state.json")
    return [
        PlaceRow(row["place"], names[code], "State,AdministrativeArea1", row["dcid"])
        for row in listed
        if (code := row["place"].removeprefix("geoId/")) in names
    ]


def _cities(data: Path) -> list[PlaceRow]:
    found = [PlaceRow("geoId/0649670", "Mountain View", "City", "geoId/06")]
    with gzip.open(data / "census" / "acs_recorded_responses.ndjson.gz", "rt", encoding="utf-8") as file:
        for line in file:
            answer = json.loads(line)
            if "for=place%3A%2A&in=state%3A04" not in answer["url"]:
                continue
            header, *rows = answer["body"]
            for values in rows:
                row = dict(zip(header, values, strict=True))
                name = row["NAME"].rpartition(",")[0]
                name = name.removesuffix(" CDP").removesuffix(" city").removesuffix(" town")
                found.append(PlaceRow(f"geoId/{row['state']}{row['place']}", name, "City", f"geoId/{row['state']}"))
    return found

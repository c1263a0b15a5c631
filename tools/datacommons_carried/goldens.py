"""Figures of recorded answers of Data Commons itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tools.datacommons_carried.gathered import Gathered, read_json

VARIABLES = frozenset(
    {
        "Count_Person",
        "Median_Age_Person",
        "UnemploymentRate_Person",
        "Count_Person_Employed",
        "Count_Person_Unemployed",
        "Annual_Generation_Electricity",
        "Count_CriminalActivities_CombinedCrime",
    }
)
"""Variables whose recorded figures are carried."""
LEFT_OUT = re.compile(r"^(?:Custom|Test|NITIIndia|NASA|Wikidata|Wikipedia)")
"""Imports that are a test's own, that hold what is expected, or that anybody may write."""
PLACES = re.compile(r"^(?:country/[A-Z]{3}|geoId/\d{2}|geoId/\d{5}|geoId/0649670|Earth)$")
CAMEL = re.compile(r"_([a-z])")
ORDER = (
    "2176550201",
    "2645850372",
    "1145703171",
    "1541763368",
    "3981252704",
    "2825511676",
    "2564251937",
    "1226172227",
    "10983471",
    "196790193",
    "217147238",
    "1964317807",
    "2517965213",
    "2390551605",
    "4181918134",
)
"""The order in which Data Commons lists the facets of ``Count_Person``, from its answers for the United States."""


def read_goldens(folder: Path, gathered: Gathered) -> None:
    """Every figure of the carried variables in the recorded observation answers."""
    for path in sorted(folder.glob("mixer_v2_goldens/observation/**/*.json*")):
        body = read_json(path)
        described = {key: camel(row) for key, row in (body.get("facets") or {}).items()}
        for variable, of_variable in (body.get("by_variable") or {}).items():
            if variable not in VARIABLES:
                continue
            order = gathered.order.setdefault(variable, [])
            for place, of_place in (of_variable.get("by_entity") or {}).items():
                if not PLACES.match(place):
                    continue
                for row in of_place.get("ordered_facets") or ():
                    facet = row.get("facet_id")
                    wire = described.get(facet)
                    if wire is None or LEFT_OUT.match(wire["importName"]):
                        continue
                    gathered.facets[facet] = wire
                    if facet not in order:
                        order.append(facet)
                    for cell in row.get("observations") or ():
                        gathered.add(variable, facet, place, cell["date"], cell["value"])
    known = gathered.order["Count_Person"]
    first = [one for one in ORDER if one in known]
    gathered.order["Count_Person"] = [*first, *(one for one in known if one not in first)]


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """A facet in the spelling of the wire."""
    kept = ((name, value) for name, value in row.items() if name != "provenance_id")
    return {CAMEL.sub(lambda match: match[1].upper(), name): value for name, value in kept}

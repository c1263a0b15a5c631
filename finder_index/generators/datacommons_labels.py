"""Names of coded values in Data Commons' schema: industries, causes of death, countries, SDG codes.

The schema names a code only by its number (``NAICS/4481``), but the ids of the variables that use it spell it
out (``..._ClothingStores``). What no other part of the id explains is the code's name; the rows vote.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_text

Row = Mapping[str, str]

_LEADING = re.compile(r"^(NAICS|SOC|ICD10|Lender|LenderCountry|NACE)(?=[A-Z])")
_CODE_TOKEN = re.compile(r"(NAICS|SOC|SCC|ICD10|NACE)?[\d/.-]+[A-Z]?\d*(-\d+)?")
_PLAIN_KEY = re.compile(r"[^a-z0-9]")
_NODE = re.compile(r"^Node: dcid:(\S+)$.*?^name: \"([^\"]+)\"", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """``codes`` maps a coded value to its words, ``countries`` an ISO3 code to a country's name."""

    codes: Mapping[str, str]
    countries: Mapping[str, str]

    def of(self, value: str) -> str | None:
        """The words of a coded value; ``None`` when nobody spells it out."""
        if value.startswith("country/"):
            return self.countries.get(value.removeprefix("country/"))
        return self.codes.get(value)


def is_coded(value: str) -> bool:
    """Whether a value is a number in somebody's list rather than words."""
    return "/" in value or value.startswith("SDG_")


def constraints_of(row: Row) -> list[tuple[str, str]]:
    """The row's constraints in the schema's order; a value that is given twice counts once."""
    pairs = []
    for item in row["constraints"].split(";"):
        name, _, value = item.partition("=")
        if name:
            pairs.append((name, ",".join(dict.fromkeys(value.split(",")))))
    return pairs


def read_labels(rows: Iterable[Row], data: Path) -> Labels:
    """Learn the codes' names from the rows, from the SDG schema and from the table of countries."""
    countries = {row["iso3"]: row["name"] for row in read_csv(data / "geography" / "countries.csv")}
    schema = read_text(data / "datacommons" / "un_sdg_and_wdi_schema.mcf.gz")
    names = {node: name for block in schema.split("\n\n") for node, name in _NODE.findall(block + "\n")}
    # Names of SDG plans carry the address of the plan's page.
    names = {node: re.sub(r",? *https?://.*", "", name) for node, name in names.items()}
    return Labels({**learn_codes(rows), **names}, {**countries, "SUN": "the Soviet Union"})


def learn_codes(rows: Iterable[Row]) -> dict[str, str]:
    """The words of every coded constraint value that some id spells out."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        pairs = constraints_of(row)
        coded = [value for _, value in pairs if is_coded(value) and not value.startswith(("country/", "SDG_"))]
        if len(coded) != 1:
            continue
        known = {_key(part) for _, value in pairs for part in (value, *value.split("__"))}
        known |= {_key(row[column]) for column in ("populationType", "measuredProperty", "statType")}
        known |= {_key(row["measurementQualifier"]), "worker", "establishment", "count", "mean", "median", "annual"}
        own = row["dcid"].split("_AsAFractionOf_")[0]
        for token in own.split("_"):
            word = _LEADING.sub("", token)
            if len(word) > 3 and not _CODE_TOKEN.fullmatch(word) and not _explained(_key(word), known):
                votes[coded[0]][word] += 1
    return {code: _spell(found) for code, found in votes.items()}


def _spell(found: Counter[str]) -> str:
    # Ties go to the longer word, which says more, and then to the alphabet, so that rows' order does not matter.
    return max(found, key=lambda word: (found[word], len(word), word))


def _explained(word: str, known: set[str]) -> bool:
    return any(word == other or (len(word) > 3 and (word in other or (len(other) > 3 and other in word)))
               for other in known)  # fmt: skip


def _key(text: str) -> str:
    return _PLAIN_KEY.sub("", text.lower())

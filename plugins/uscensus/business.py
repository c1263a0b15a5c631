"""Statistics of businesses: which industry, which of many cross-sections, and cells that are withheld.

County Business Patterns, the Annual Business Survey and the Economic Census answer for one industry of the North
American classification (NAICS) at a time. Each has further dimensions, all of which are asked for in total.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from plugins.uscensus.markers import NOISES, REMARKS, WITHHELD

ALL_INDUSTRIES = "00"
NOISE, STANDARD_ERROR = "_N", "_S"
"""Endings of the columns that tell by how much a figure was changed to protect companies, and its error."""


@dataclass(frozen=True, slots=True)
class Survey:
    """How a program's cross-sections are narrowed to one.

    ``classes`` names the column of the industry from a vintage on, newest first; ``totals`` are predicates that
    leave only the totals of the other dimensions. ``unflagged`` columns are never withheld and have no flag.
    ``sureness`` ends the names of the columns that tell how sure each figure is, empty where a program has none.
    """

    classes: tuple[tuple[int, str], ...]
    totals: tuple[tuple[str, str], ...] = ()
    unflagged: frozenset[str] = frozenset()
    sureness: str = ""


SURVEYS: dict[str, Survey] = {
    "cbp": Survey(((2017, "NAICS2017"),), (("LFO", "001"), ("EMPSZES", "001")), frozenset({"ESTAB"}), NOISE),
    "abs": Survey(
        ((2022, "NAICS2022"), (2017, "NAICS2017")),
        (("SEX", "001"), ("ETH_GROUP", "001"), ("RACE_GROUP", "001"), ("VET_GROUP", "001")),
        sureness=STANDARD_ERROR,
    ),
    "ecn": Survey(((2022, "NAICS2022"), (2017, "NAICS2017"))),
}
"""Programs of business statistics, by the name that a variable's leaf gives."""

SECTORS: tuple[tuple[str, str, str], ...] = (
    (r"agricultur|forestry|fishing|farms?\b", "11", "agriculture, forestry, fishing and hunting"),
    (r"mining|quarr|oil and gas extraction", "21", "mining, quarrying, and oil and gas extraction"),
    (r"utilit", "22", "utilities"),
    (r"construction", "23", "construction"),
    (r"manufactur|factor(?:y|ies)", "31-33", "manufacturing"),
    (r"wholesale", "42", "wholesale trade"),
    (r"retail|stores?\b|shops?\b", "44-45", "retail trade"),
    (r"transportation|warehous", "48-49", "transportation and warehousing"),
    (r"restaurants?", "7225", "restaurants and other eating places"),
    (r"hotels?", "7211", "traveler accommodation"),
    (r"accommodation|food services?", "72", "accommodation and food services"),
    (r"information (?:sector|industry|compan)", "51", "information"),
    (r"financ|insurance|banks?\b", "52", "finance and insurance"),
    (r"real estate", "53", "real estate and rental and leasing"),
    (r"professional|scientific|technical services", "54", "professional, scientific, and technical services"),
    (r"educational services|schools?\b", "61", "educational services"),
    (r"health ?care|social assistance|hospitals?", "62", "health care and social assistance"),
    (r"arts\b|entertainment|recreation", "71", "arts, entertainment, and recreation"),
)
"""Words for an industry, its code in the classification, and its name there; the first that is said counts."""


def industry_in(text: str) -> tuple[str, str] | None:
    """Code and name of the industry that a text speaks of, or ``None`` where it speaks of none."""
    return next(((code, name) for words, code, name in SECTORS if re.search(rf"\b(?:{words})", text, re.I)), None)


def predicates(program: str, vintage: int, industry: str) -> list[tuple[str, str]]:
    """What narrows an answer to one industry and to the totals of every other dimension."""
    survey = SURVEYS[program]
    column = next((name for first, name in survey.classes if vintage >= first), survey.classes[-1][1])
    return [(column, industry), *survey.totals]


def columns_of(program: str, variable: str) -> list[str]:
    """A variable with its disclosure flag and with what tells how sure it is, where it has them."""
    survey = SURVEYS[program]
    if variable in survey.unflagged:
        return [variable]
    return [variable, f"{variable}_F", *([f"{variable}{survey.sureness}"] if survey.sureness else [])]


def withheld(flag: str | None) -> str | None:
    """What a disclosure flag says in place of a figure, or ``None`` for none that withholds it."""
    return WITHHELD.get(flag.strip()) if flag else None


def remarked(cells: Mapping[str, str | None], variable: str) -> str | None:
    """What is said beside a figure: its noise, its relative standard error, a flag that leaves it; or ``None``."""
    flag, noise = cells.get(f"{variable}_F") or "", cells.get(f"{variable}{NOISE}") or ""
    error = cells.get(f"{variable}{STANDARD_ERROR}") or ""
    if not (flag or noise or error):
        return None
    said = [REMARKS.get(flag.strip()), NOISES.get(noise.strip())]
    if error.replace(".", "", 1).isdigit():
        said.append(f"has a relative standard error of {error}%")
    return "; ".join(one for one in said if one) or None

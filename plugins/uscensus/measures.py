"""A document's measure, and where the API has its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plugins.reporting.measures import measure_in, unit_in
from plugins.uscensus.business import ALL_INDUSTRIES, SURVEYS
from plugins.uscensus.estimates import PROGRAM as ESTIMATES
from plugins.uscensus.vintages import PROGRAMS, Program
from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

AVERAGES = frozenset({"median", "mean", "ratio", "rate"})
ONE_YEAR = "acs1"
FIVE_YEARS = "acs5"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a figure is: the data set's path, the program, and the variable's name in each vintage.

    A profile's lines move from vintage to vintage, so that one quantity has several names. ``industry`` is the code
    of the industry that statistics of businesses are of.
    """

    dataset: str
    program: str
    variable: str
    names: str = ""
    industry: str = ""

    @classmethod
    def of(cls, document: TableDocument, *, one_year: bool = False, industry: str = "") -> Address:
        """The address in a document's terms; of the one-year file or of one industry where that is asked for."""
        terms = document.terms
        program, dataset = terms.get("program", FIVE_YEARS), terms.get("dataset", "acs/acs5")
        if one_year and program == FIVE_YEARS:
            program, dataset = ONE_YEAR, dataset.replace("acs/acs5", "acs/acs1")
        if program in SURVEYS:
            industry = industry or terms.get("industry") or ALL_INDUSTRIES
        return cls(dataset, program, document.variable, terms.get("namesByVintage", ""), industry)

    @classmethod
    def read(cls, locator: Mapping[str, str]) -> Address:
        """The address in a binding's locator."""
        found = (locator.get(name, "") for name in ("names", "industry"))
        return cls(locator["dataset"], locator["program"], locator["variable"], *found)

    @property
    def locator(self) -> dict[str, str]:
        """What ``read`` reads."""
        more = {name: value for name, value in (("names", self.names), ("industry", self.industry)) if value}
        return {"dataset": self.dataset, "program": self.program, "variable": self.variable, **more}

    @property
    def about(self) -> Program:
        """The survey or count that it is of."""
        return PROGRAMS[self.program]

    def name_in(self, vintage: int) -> str | None:
        """The variable's name in a vintage; ``None`` where the vintage is known to have it under no name.

        ``names`` is written ``2017-2021=DP05_0071PE;2023=DP05_0076PE``; without it the name never changes.
        """
        if self.program == ESTIMATES:
            return f"{self.variable}{vintage}"
        if not self.names:
            return self.variable
        for part in self.names.split(";"):
            years, _, name = part.partition("=")
            first, _, last = years.partition("-")
            if int(first) <= vintage <= int(last or first):
                return name
        return None


def measure_of(document: TableDocument, *, source: str, meaning: str | None = None) -> Measure:
    """The measure that a document describes; ``meaning`` labels it among several of one name."""
    return measure_in(document, unit_of(document), averages=AVERAGES, source=source, meaning=meaning)


def unit_of(document: TableDocument) -> Unit:
    """The unit in the document's own terms; a document without one has a bare number."""
    return unit_in(document, currency="USD")


def holds_against(unit: Unit, wanted: str | None) -> bool:
    """Whether a figure in ``unit`` can be held against a threshold in ``wanted`` (``USD``, ``%``, ``None``)."""
    match wanted:
        case None:
            return True
        case "%":
            return unit.kind is UnitKind.PERCENT
        case "USD":
            return unit.kind is UnitKind.CURRENCY
        case _:
            return unit.code == wanted or unit.kind not in {UnitKind.CURRENCY, UnitKind.PERCENT}

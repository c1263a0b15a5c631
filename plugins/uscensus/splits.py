"""By what the Census Bureau's tables split whom: which table, which of its totals, and where its parts stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from plugins.uscensus.measures import FIVE_YEARS, ONE_YEAR
from plugins.uscensus.trees import Kind, Line, Path, Tree

SUBJECT, DETAILED, PROFILE = "acs/acs5/subject", "acs/acs5", "acs/acs5/profile"
FEWEST = 2

PEOPLE, WORKERS, POOR, HOUSEHOLDS = "people", "workers", "poor", "households"
WHOM: Mapping[str, re.Pattern[str]] = {
    POOR: re.compile(r"\b(?:poor|poverty)\b", re.IGNORECASE),
    WORKERS: re.compile(
        r"\b(?:employ(?:ment|ed|ees)|workers?|workforce|jobs?|commut\w*|labou?r force|occupations?|"
        r"transportation to work)\b",
        re.IGNORECASE,
    ),
    HOUSEHOLDS: re.compile(r"\b(?:households?|homes?|housing units|dwellings|tenure)\b", re.IGNORECASE),
    PEOPLE: re.compile(
        r"\b(?:populations?|people|persons?|residents?|inhabitants|adults?|demographics?)\b", re.IGNORECASE
    ),
}
"""Whom the words for a quantity count; the first that is said counts."""

DIMENSIONS: Mapping[str, str] = {
    "age": "age",
    "sex": "sex",
    "gender": "sex",
    "race": "race",
    "ethnicity": "Hispanic origin",
    "education level": "education",
    "marital status": "marital status",
    "language": "language",
    "occupation": "occupation",
    "industry": "industry",
    "mode": "mode",
    "tenure": "tenure",
    "household type": "household type",
}
"""How a dimension that a question names is called here."""

CIVILIANS = "Civilian employed population 16 years and over"
WORKING = "Workers 16 years and over"
SPEAKING = "Population 5 years and over"
ADULTS = "Population 15 years and over"


@dataclass(frozen=True, slots=True)
class Split:
    """A total of a table and its parts.

    ``total`` is the path of the total; the parts stand one level below it, under ``heading``. A part called as
    ``opened`` says is replaced by the lines under the heading beside it. With ``columns``, the parts are the lines
    of the total's own last words in those columns of the table. ``kind`` is that of the parts: percentages have no
    total but their whole, which ``name`` tells. ``name`` is what a reader is told that the split is of.
    """

    dimension: str
    whom: str
    dataset: str
    table: str
    total: Path
    name: str
    heading: Path = ()
    opened: tuple[str, str] | None = None
    columns: tuple[str, ...] = ()
    kind: Kind = Kind.ESTIMATE
    shares: bool = False
    unit: str = "people"
    program: str = FIVE_YEARS

    def of_one_year(self) -> Split:
        """The same split of the one-year file."""
        return replace(self, dataset=self.dataset.replace("acs/acs5", "acs/acs1"), program=ONE_YEAR)

    def parts(self, tree: Tree) -> list[Line]:
        """The parts in a table's tree; fewer than two where the tree has no such split."""
        if self.columns:
            rows = [tree.line((column, self.total[-1]), self.kind) for column in self.columns]
            found = [Line(row.variable, (column,)) for row, column in zip(rows, self.columns, strict=True) if row]
            return found if len(found) == len(self.columns) else []
        lines = tree.below((*self.total, *self.heading), self.kind)
        if self.opened is None:
            return lines
        name, heading = self.opened
        inner = tree.below((*self.total, heading), self.kind)
        return [line for line in lines if line.name.casefold() != name.casefold()] + inner if inner else lines


SPLITS: tuple[Split, ...] = (
    Split("age", PEOPLE, SUBJECT, "S0101", ("Total", "Total population"), "Total population", ("AGE",)),
    Split("sex", PEOPLE, DETAILED, "B01001", ("Total",), "Total population"),
    Split(
        "sex", PEOPLE, SUBJECT, "S0101", ("Total", "Total population"), "Total population",
        columns=("Male", "Female"),
    ),
    Split("race", PEOPLE, DETAILED, "B02001", ("Total",), "Total population"),
    Split("Hispanic origin", PEOPLE, DETAILED, "B03003", ("Total",), "Total population"),
    Split("education", PEOPLE, DETAILED, "B16010", ("Total",), "Population 25 years and over"),
    Split(
        "language", PEOPLE, SUBJECT, "S1601", ("Total", SPEAKING), SPEAKING,
        opened=("Speak a language other than English", "SPEAK A LANGUAGE OTHER THAN ENGLISH"),
    ),
    Split(
        "marital status", PEOPLE, SUBJECT, "S1201", ("Total", ADULTS), ADULTS,
        columns=(
            "Now married (except separated)", "Widowed", "Divorced", "Separated", "Never married",
        ),
        shares=True,
    ),
    Split("occupation", WORKERS, SUBJECT, "S2401", ("Total", CIVILIANS), CIVILIANS),
    Split(
        "occupation", WORKERS, PROFILE, "DP03", ("OCCUPATION", CIVILIANS), CIVILIANS,
        kind=Kind.PERCENT, shares=True,
    ),
    Split("industry", WORKERS, SUBJECT, "S2403", ("Total", CIVILIANS), CIVILIANS),
    Split(
        "sex", WORKERS, SUBJECT, "S2401", ("Total", CIVILIANS), CIVILIANS, columns=("Male", "Female"),
    ),
    Split(
        "mode", WORKERS, SUBJECT, "S0801", ("Total", WORKING), WORKING,
        ("MEANS OF TRANSPORTATION TO WORK",), shares=True,
    ),
    Split(
        "mode", WORKERS, PROFILE, "DP03", ("COMMUTING TO WORK", WORKING), WORKING, kind=Kind.PERCENT, shares=True,
    ),
    Split(
        "sex", POOR, DETAILED, "B17001", ("Total", "Income in the past 12 months below poverty level"),
        "People below the poverty level",
    ),
    Split("tenure", HOUSEHOLDS, DETAILED, "B25003", ("Total",), "Occupied housing units", unit="housing units"),
    Split("household type", HOUSEHOLDS, DETAILED, "B11001", ("Total",), "Households", unit="households"),
)  # fmt: skip
"""The splits in the order in which they are tried."""


def splits_of(words: str, dimension: str | None) -> list[Split]:
    """The splits of whom the words count by a dimension, in the order to try them; none where there are none."""
    by = DIMENSIONS.get(dimension or "")
    whom = next((whom for whom, said in WHOM.items() if said.search(words)), None)
    return [one for one in SPLITS if one.dimension == by and one.whom == whom]

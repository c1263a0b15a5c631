"""Titles of published indicators say their unit; every title of the carried list is read."""

import csv
from pathlib import Path

import pytest

from shared.query.quantity import UnitKind
from shared.text.units import unit_of_text, unit_of_title

with (Path(__file__).parent / "data" / "wdi_titles.tsv").open(encoding="utf-8") as file:
    TITLES = [row["title"] for row in csv.DictReader(file, delimiter="\t")]


@pytest.mark.parametrize(
    ("title", "kind", "code", "basis", "per"),
    [
        ("GDP (current US$)", "currency", "USD", "current", None),
        ("GDP per capita (current US$)", "currency", "USD", "current", "person"),
        ("GDP (constant 2015 US$)", "currency", "USD", "constant", None),
        ("GDP, PPP (current international $)", "currency", "INT$", "ppp-current", None),
        ("GDP per capita, PPP (constant 2021 international $)", "currency", "INT$", "ppp-constant", "person"),
        ("GDP per person employed (constant 2021 PPP $)", "currency", "INT$", "ppp-constant", "person employed"),
        ("GDP (current LCU)", "currency", "LCU", "current", None),
        ("Current account balance (BoP, current US$)", "currency", "USD", "current", None),
        ("Pump price for gasoline (US$ per liter)", "currency", "USD", "current", "liter"),
        ("Total reserves (includes gold, current US$)", "currency", "USD", "current", None),
        ("Broad money (% of GDP)", "percent", "%", None, "GDP"),
        ("GDP growth (annual %)", "percent", "%", None, None),
        ("School enrollment, primary (% net)", "percent", "%", None, None),
        (
            "Unemployment, total (% of total labor force) (modeled ILO estimate)",
            "percent",
            "%",
            None,
            "total labor force",
        ),
        ("Income share held by lowest 20%", "percent", "%", None, None),
        ("Interest rate spread (lending rate minus deposit rate, %)", "percent", "%", None, None),
        (
            "Mortality rate, infant (per 1,000 live births)",
            "rate",
            "per 1,000 live births",
            None,
            "1,000 live births",
        ),
        ("Researchers in R&D (per million people)", "rate", "per million people", None, "million people"),
        ("Fertility rate, total (births per woman)", "rate", "births per woman", None, "woman"),
        ("Official exchange rate (LCU per US$, period average)", "rate", "LCU per US$", None, "US$"),
        ("Pupil-teacher ratio, primary", "rate", "pupils per teacher", None, "teacher"),
        ("CO2 emissions (metric tons per capita)", "physical", "tonnes", None, "person"),
        ("CO2 emissions (kt)", "physical", "kt", None, None),
        ("Electric power consumption (kWh per capita)", "physical", "kWh", None, "person"),
        ("Forest area (sq. km)", "physical", "sq. km", None, None),
        ("Life expectancy at birth, total (years)", "physical", "years", None, None),
        ("Time required to start a business (days)", "physical", "days", None, None),
        ("Population, total", "count", "people", None, None),
        ("Refugee population by country or territory of asylum", "count", "people", None, None),
        ("Patent applications, residents", "count", "number", None, None),
        ("Crop production index (2014-2016 = 100)", "index", "index", None, None),
        ("Net barter terms of trade index (2015 = 100)", "index", "index", None, None),
        ("Gini index", "index", "index", None, None),
        ("CPIA trade rating (1=low to 6=high)", "index", "index", None, None),
    ],
)
def test_a_title_states_its_unit(title: str, kind: str, code: str, basis: str | None, per: str | None) -> None:
    unit = unit_of_title(title)
    assert (unit.kind.value, unit.code, unit.price_basis, unit.per) == (kind, code, basis, per)


def test_the_carried_list_holds_every_title_of_both_vintages() -> None:
    assert len(TITLES) == 401


@pytest.mark.parametrize("title", TITLES)
def test_every_parenthesis_that_tells_a_unit_is_understood(title: str) -> None:
    unit = unit_of_title(title)
    told = title.rstrip().rpartition("(")[2].rstrip(")")
    if "%" in told:
        assert unit.kind is UnitKind.PERCENT
        assert unit.code == "%"
    if "US$" in told and "LCU" not in told:
        assert (unit.kind, unit.currency) == (UnitKind.CURRENCY, "USD")
    if "international $" in told or ("PPP $" in told and "/" not in told):
        assert unit.currency != "USD"
    if "% of " in told:
        assert unit.per == told.partition("% of ")[2]
    if told.startswith("per "):
        assert (unit.kind, unit.per) == (UnitKind.RATE, told.removeprefix("per "))
    if unit.code == "number":
        assert "%" not in title
        assert "$" not in title


def test_a_title_with_no_known_unit_is_a_plain_number() -> None:
    assert unit_of_title("Bird species, threatened").code == "number"
    assert unit_of_text("as told by the ministry") is None

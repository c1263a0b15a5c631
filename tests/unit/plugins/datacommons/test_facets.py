"""One source for all figures of an answer: which facet, which year."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from plugins.datacommons.facets import Admission, covering, newest_of, spanning
from plugins.datacommons.records import Cell, Facet, Series
from plugins.datacommons.sources import basis, is_projection, published_by
from plugins.datacommons.wire import read_facets, read_series
from plugins.reporting.years import well_reported_year
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import PeriodAsked, PeriodKindAsked
from tests.support.datacommons import on_the_wire, recorded

PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")
YEARS = Unit(kind=UnitKind.PHYSICAL, code="years", label="years")
FACETS = {
    "pep": Facet("pep", "USCensusPEP_Annual_Population", method="CensusPEPSurvey"),
    "acs": Facet("acs", "CensusACS5YearSurvey", method="CensusACS5yrSurvey"),
    "wiki": Facet("wiki", "WikidataPopulation"),
    "niti": Facet("niti", "NITIIndiaPopulationProjection", method="NITIIndiaProjection"),
    "acres": Facet("acres", "USDA_AgricultureCensus", unit="Acre"),
}


def series(facet: str, *dates: str) -> Series:
    return Series(facet, tuple(Cell(date, Decimal(n)) for n, date in enumerate(dates, start=1)))


def admitted(*given: Series, unit: Unit = PEOPLE, future: bool = False) -> list[str]:
    return [one.facet for one in Admission(FACETS, unit, this_year=2026, future=future).of(given)]


def test_what_anybody_may_write_comes_last() -> None:
    assert admitted(series("wiki", "2024"), series("acs", "2023")) == ["acs", "wiki"]


def test_a_projection_answers_only_what_is_to_come() -> None:
    assert admitted(series("niti", "2026"), series("pep", "2025")) == ["pep"]
    assert admitted(series("niti", "2036"), future=True) == ["niti"]


def test_a_facet_of_another_unit_is_no_source() -> None:
    assert admitted(series("acres", "2022"), series("pep", "2022")) == ["pep"]


def test_yearly_figures_go_before_months() -> None:
    (kept,) = Admission(FACETS, PEOPLE, this_year=2026).of([series("pep", "2024", "2024-07")])
    assert [cell.date for cell in kept.cells] == ["2024"]
    assert admitted(series("pep", "2026-04")) == ["pep"]


def test_years_to_come_are_left_out() -> None:
    (kept,) = Admission(FACETS, PEOPLE, this_year=2026).of([series("pep", "2025", "2030")])
    assert kept.cells[-1].date == "2025"


def test_a_source_that_ended_long_ago_yields() -> None:
    chosen = newest_of([series("acs", "2011"), series("pep", "2024")])
    assert chosen is not None
    assert chosen.facet == "pep"
    chosen = newest_of([series("acs", "2020"), series("pep", "2024")])
    assert chosen is not None
    assert chosen.facet == "acs"


def test_a_span_is_told_by_the_series_that_has_most_of_it() -> None:
    asked = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2010, end=2013)
    whole = series("acs", "2010", "2011", "2012", "2013")
    chosen = spanning([series("pep", "2010", "2011", "2013"), whole], asked)
    assert chosen == whole
    assert spanning([series("pep", "2001")], asked) is None


def test_a_population_is_of_the_best_covered_source_and_not_of_the_first_listed() -> None:
    body = on_the_wire(recorded("country_latest.json.gz"))
    described = read_facets(body)
    admission = Admission(described, PEOPLE, this_year=2026)
    places = {place: tuple(admission.of(found)) for _, place, found, _ in read_series(body, "a test")}
    facet = covering(places)
    assert facet is not None
    assert described[facet].import_name == "WorldDevelopmentIndicators"
    newest = {place: one.cells[-1].date for place, every in places.items() for one in every if one.facet == facet}
    assert set(newest.values()) == {"2024"}
    assert not {"country/YUG", "country/ANT"} & set(newest)


def test_of_sources_that_cover_a_population_well_the_preferred_one_is_taken() -> None:
    body = on_the_wire(recorded("ca_county_latest.json.gz"))
    admission = Admission(read_facets(body), PEOPLE, this_year=2026)
    places = {
        place: tuple(admission.of(found))
        for variable, place, found, _ in read_series(body, "a test")
        if variable == "Count_Person"
    }
    assert covering(places) == "2176550201"
    assert covering(places, dataset="1145703171") == "1145703171"
    assert covering(places, dataset="none") is None


def test_the_year_of_a_population_is_the_newest_that_is_reported_well() -> None:
    recent = {int(row["date"][:4]): 0 for row in _dates()}
    for row in _dates():
        recent[int(row["date"][:4])] += sum(c["count"] for c in row["entity_count"] if c["facet"] == "2176550201")
    assert well_reported_year(recent) == 2025
    assert well_reported_year({2024: 3, 2023: 51, 2022: 51}) == 2023
    assert well_reported_year({}) is None


def _dates() -> list[dict[str, Any]]:
    body = recorded("dates_ca_county.json.gz")
    rows: list[dict[str, Any]] = body["dates_by_variable"][0]["observation_dates"]
    return [row for row in rows if len(row["date"]) == 4]


@pytest.mark.parametrize(
    ("facet", "kind"),
    [("pep", "yearly figure"), ("acs", "mean of five years"), ("niti", "projection")],
)
def test_the_kind_of_figure_is_told_by_the_import(facet: str, kind: str) -> None:
    assert basis(FACETS[facet]) == kind


def test_climate_models_are_projections() -> None:
    described = read_facets(on_the_wire(recorded("max_temperature.json.gz")))
    assert described
    assert all(is_projection(facet) for facet in described.values())


def test_whoever_publishes_is_named_and_an_unknown_import_keeps_its_name() -> None:
    assert published_by(FACETS["pep"]) == "US Census Bureau, Population Estimates"
    assert published_by(Facet("1", "CensusACS5YearSurvey_SubjectTables_S0101")).endswith("table S0101")
    assert published_by(Facet("1", "Brazil_Census")) == "Brazil_Census"

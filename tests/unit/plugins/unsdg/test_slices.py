"""Of a total and its breakdowns the total answers; where there is none, nothing is added up or picked."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from plugins.unsdg.records import Cell, Code, Figure, Provenance, SeriesData
from plugins.unsdg.slices import NoTotal, Slice, ages_of, covering_age, slice_of, spoken
from shared.query.evidence import RequestMade

PROVENANCE = Provenance((RequestMade(url="https://example.org"),), datetime(2026, 11, 30, tzinfo=UTC), None)


def series(*rows: tuple[str, dict[str, str]], known: dict[str, str] | None = None) -> SeriesData:
    """A series of one area and year; ``known`` lists further codes of dimensions (``Sex`` to ``MALE BOTHSEX*``)."""
    cells = tuple(
        Cell("404", "Kenya", 2017, Figure(value=Decimal(value)), dimensions, "E", "PERCENT")
        for value, dimensions in rows
    )
    codes: dict[str, dict[str, bool]] = {}
    for cell in cells:
        for name, code in cell.dimensions.items():
            codes.setdefault(name, {})[code] = code in {"ALLAGE", "BOTHSEX", "ALLAREA", "_T"}
    for name, listed in (known or {}).items():
        codes.setdefault(name, {}).update({code.rstrip("*"): code.endswith("*") for code in listed.split()})
    dimensions = {
        name: tuple(Code(code, code, is_total) for code, is_total in found.items()) for name, found in codes.items()
    }
    return SeriesData("X", "Something", cells, dimensions, {}, PROVENANCE)


def values(found: Slice | NoTotal) -> list[str]:
    assert isinstance(found, Slice)
    return [str(cell.figure.value) for cell in found.cells]


def test_the_total_of_every_dimension_answers() -> None:
    data = series(
        ("1", {"Sex": "FEMALE", "Location": "ALLAREA"}),
        ("2", {"Sex": "BOTHSEX", "Location": "RURAL"}),
        ("3", {"Sex": "BOTHSEX", "Location": "ALLAREA"}),
    )
    assert values(slice_of(data, data.cells, {})) == ["3"]
    assert values(slice_of(data, data.cells, {"Location": "RURAL"})) == ["2"]
    assert values(slice_of(data, data.cells, {"Sex": "FEMALE"})) == ["1"]


def test_what_is_published_for_towns_only_is_no_figure_of_the_country() -> None:
    data = series(("50", {"Location": "URBAN"}), known={"Location": "ALLAREA* RURAL"})
    assert slice_of(data, data.cells, {}) == NoTotal("Location", ("URBAN",))
    assert values(slice_of(data, data.cells, {"Location": "URBAN"})) == ["50"]


def test_two_sexes_without_a_total_are_neither_added_up_nor_is_one_picked() -> None:
    data = series(("1", {"Sex": "FEMALE"}), ("2", {"Sex": "MALE"}))
    assert slice_of(data, data.cells, {}) == NoTotal("Sex", ("FEMALE", "MALE"))


def test_one_sex_of_two_is_not_the_whole_although_an_area_has_no_other() -> None:
    data = series(("1", {"Sex": "MALE"}), known={"Sex": "FEMALE"})
    assert slice_of(data, data.cells, {}) == NoTotal("Sex", ("MALE",))


def test_the_one_value_that_a_series_is_about_answers_without_a_word() -> None:
    data = series(("43", {"Age": "<5Y", "Sex": "BOTHSEX"}), ("45", {"Age": "<5Y", "Sex": "MALE"}))
    assert slice_of(data, data.cells, {}) == Slice((data.cells[0],), ())


def test_the_age_group_that_holds_all_others_answers_and_is_told() -> None:
    data = series(("5", {"Age": "15+"}), ("9", {"Age": "15-24"}), ("4", {"Age": "25+"}))
    found = slice_of(data, data.cells, {})
    assert values(found) == ["5"]
    assert isinstance(found, Slice)
    assert found.stands_for == (("Age", "15+"),)


def test_age_groups_side_by_side_have_no_total() -> None:
    data = series(("5", {"Age": "15-24"}), ("9", {"Age": "25+"}))
    assert slice_of(data, data.cells, {}) == NoTotal("Age", ("15-24", "25+"))


def test_the_one_age_group_of_an_area_answers_and_is_told_where_others_have_another() -> None:
    data = series(("19", {"Age": "16-24"}), known={"Age": "15-24"})
    assert slice_of(data, data.cells, {}) == Slice(data.cells, (("Age", "16-24"),))


def test_one_age_group_is_not_the_whole_where_the_series_has_a_total() -> None:
    data = series(("19", {"Age": "15-24"}), known={"Age": "ALLAGE*"})
    assert slice_of(data, data.cells, {}) == NoTotal("Age", ("15-24",))


def test_what_the_agencies_report_goes_before_what_a_country_says() -> None:
    data = series(("1", {"Reporting Type": "N"}), ("2", {"Reporting Type": "G"}))
    assert values(slice_of(data, data.cells, {})) == ["2"]
    only = series(("1", {"Reporting Type": "N"}), known={"Reporting Type": "G"})
    assert values(slice_of(only, only.cells, {})) == ["1"]


def test_counts_of_countries_by_status_have_no_total() -> None:
    statuses = ("ABT2ACHIEVE", "ABT2DIGRESS", "ABT2EXCEED", "ABT2INSUFNT", "ABT2NONTLT", "ABT2NOPROG")
    data = series(*((str(n), {"Level/Status": code}) for n, code in enumerate(statuses)))
    assert slice_of(data, data.cells, {}) == NoTotal("Level/Status", statuses)


@pytest.mark.parametrize(
    ("code", "ages"),
    [("15-24", (15, 24)), ("15+", (15, 200)), ("<5Y", (0, 5 - 1 / 12)), ("<=45Y", (0, 45)), ("ALLAGE", None)],
)
def test_age_groups_are_read(code: str, ages: tuple[float, float] | None) -> None:
    assert ages_of(code) == ages


def test_only_a_group_that_holds_all_others_covers() -> None:
    assert covering_age(["15-49", "15-19", "45-49"]) == "15-49"
    assert covering_age(["15-49", "45-54"]) is None
    assert covering_age(["15-49", "NOTSPEC"]) is None


def test_values_are_told_in_words() -> None:
    data = series(("1", {"Age": "15-24", "Sex": "FEMALE", "Other": "ZZ"}))
    said = [
        spoken(data, *one)
        for one in (("Age", "15+"), ("Age", "<5Y"), ("Age", "<1M"), ("Sex", "FEMALE"), ("Other", "ZZ"))
    ]
    assert said == ["ages 15 and over", "under 5 years", "under 1 month", "female", "Other ZZ"]

"""Each publisher's catalog gives leaves with the fields that its own list states."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from finder_index.catalogs import generate_all
from finder_index.generators.census_datasets import split_dataset
from finder_index.generators.census_tables import variable_of
from finder_index.generators.sec_concepts import concept_words
from finder_index.leaves import Leaf, read_corpus

EXTRACTS = Path(__file__).parent / "extracts"


@pytest.fixture(scope="module")
def leaves(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], Leaf]:
    out = tmp_path_factory.mktemp("corpus")
    generate_all(EXTRACTS, out)
    return {(leaf.source, leaf.variable): leaf for leaf in read_corpus(out).leaves}


def test_a_column_of_the_acs_is_named_as_its_api_names_it() -> None:
    assert variable_of("B19013001") == "B19013_001E"
    assert variable_of("B01001A004") == "B01001A_004E"
    assert variable_of("B06004APR002") == "B06004APR_002E"
    assert variable_of("B01002000.5") is None


@pytest.mark.parametrize(
    ("dataset", "family", "year"),
    [
        ("ACSST5Y2022", "ACSST5Y", "2022"),
        ("DECENNIALCD1162010", "DECENNIALCD116", "2010"),
        ("ACSBETA", "ACSBETA", ""),
    ],
)
def test_a_data_set_is_split_into_family_and_year(dataset: str, family: str, year: str) -> None:
    assert split_dataset(dataset) == (family, year)


def test_median_household_income_is_money_with_a_margin(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["census", "B19013_001E"]
    assert leaf.title == "Median household income"
    assert leaf.terms["unit"] == "USD"
    assert leaf.terms["marginOfError"] == "B19013_001M"
    assert leaf.terms["vintages"] == "2019,2022,2023,2024"
    assert leaf.terms["keyType"] == "fips"


def test_a_line_of_a_table_says_its_path(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["census", "B17001_004E"]
    assert leaf.title.startswith("Poverty Status by Sex by Age: Income in the past 12 months below poverty level")
    assert "male, under 5 years" in leaf.title
    assert leaf.terms["unit"] == "people"


def test_subject_and_profile_tables_are_leaves_over_all_their_vintages(
    leaves: Mapping[tuple[str, str], Leaf],
) -> None:
    leaf = leaves["census", "ACSDP5Y.DP05"]
    assert leaf.terms["dataset"] == "acs/acs5/profile"
    assert leaf.terms["vintages"].startswith("2009,")
    assert ("census", "ACSST5Y.S1001") in leaves


@pytest.mark.parametrize(
    ("concept", "words"),
    [
        ("EarningsPerShareBasic", "earnings per share, basic"),
        ("AccountsPayableCurrent", "accounts payable, current"),
        ("IncreaseDecreaseInIncomeTaxesReceivable", "increase or decrease in income taxes receivable"),
        ("NetIncomeLoss", "net income or loss"),
    ],
)
def test_a_concept_is_cut_into_words(concept: str, words: str) -> None:
    assert concept_words(concept) == words


def test_a_concept_carries_unit_and_statement(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["sec-edgar", "Assets"]
    assert leaf.terms["unit"] == "USD"
    assert leaf.terms["statement"] == "balance sheet"
    assert leaf.terms["keyType"] == "cik"
    assert ("sec-edgar", "AdjustmentsForChangeInAccountingPrincipleAxis") not in leaves
    assert ("sec-edgar", "dei.EntityPublicFloat") in leaves


def test_the_world_bank_keeps_its_packaged_leaves_and_gains_the_others(
    leaves: Mapping[tuple[str, str], Leaf],
) -> None:
    assert leaves["worldbank", "SP.POP.TOTL"].terms["lastYear"] == "2025"
    young = leaves["worldbank", "fin24sav_VD.3"]
    assert young.terms["unit"] == "%"
    assert young.terms["constraints"] == "age=15-24"
    assert young.terms["database"] == "Global Findex database"


def test_an_archived_indicator_says_so(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert "what is the telephone mainlines in largest city" not in leaves["worldbank", "SP.POP.TOTL"].queries
    assert leaves["worldbank", "SF.CMN.PHON.LCTY.ZS"].terms["database"] == "WDI Database Archives"


def test_an_sdg_series_carries_goal_target_and_recorded_years(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["unsdg", "SI_POV_DAY1"]
    assert (leaf.terms["goals"], leaf.terms["targets"], leaf.terms["indicators"]) == ("1", "1.1", "1.1.1")
    assert leaf.terms["firstYear"] == "1990"
    assert leaf.terms["unit"] == "%"
    assert leaves["unsdg", "AG_FLS_IDX"].terms["release"] == "2020"


def test_a_health_measure_is_a_share_of_whom_it_is_about(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["cdc-places", "DEPRESSION"]
    assert leaf.title == "Depression among adults"
    assert leaf.terms["unitLabel"] == "percent of adults"
    assert "X" not in leaf.terms["surveyYears"].split(",")
    assert leaves["cdc-places", "KIDNEY"].terms["per"] == "adults aged 18 years or older"


def test_a_treasury_table_and_its_figures_are_leaves(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert leaves["treasury", "debt-to-the-penny"].type == "Dataset"
    table = leaves["treasury", "accounting.od.debt_to_penny"]
    assert "debt_held_public_amt" in table.terms["fields"]
    assert leaves["treasury", "accounting.od.debt_to_penny.debt_held_public_amt"].terms["unit"] == "USD"
    assert ("treasury", "accounting.od.debt_to_penny.reporting_date") not in leaves


def test_spending_on_a_product_has_a_leaf(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert leaves["usaspending", "psc.1005"].title == "Federal contract spending on guns, through 30 mm"
    assert ("usaspending", "psc.1000") not in leaves


def test_a_line_of_form_990_is_money_or_a_count(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    revenue = leaves["nonprofit-990", "F9_01_REV_CONTR_TOT_CY"]
    assert revenue.title == "Contributions and grants, current year"
    assert revenue.terms["unit"] == "USD"
    assert leaves["nonprofit-990", "F9_01_ACT_GVRN_NUM_VOTE_MEMB_IND"].terms["unitKind"] == "count"
    assert leaves["nonprofit-990", "ntee.N63"].title == "Nonprofits for baseball and softball (NTEE N63)"


def test_a_table_of_contents_gives_dimensions_and_frequency(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    smokers = leaves["eurostat", "HLTH_EHIS_DE5"]
    assert smokers.terms["dimensions"] == "number of cigarettes,sex,age,educational attainment level"
    assert "frequency" not in smokers.terms or smokers.terms["frequency"] != "daily"
    labour = leaves["statcan", "14100327"]
    assert labour.terms["measuredProperty"] == "labour force characteristics"
    assert labour.terms["frequency"] == "annual"
    assert any("population active" in alias for alias in labour.aliases)


def test_a_table_of_singapore_has_the_years_of_its_copy(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    leaf = leaves["singstat", "M830107"]
    assert (leaf.terms["firstYear"], leaf.terms["lastYear"]) == ("1984", "2022")


def test_tables_of_offices_have_their_path_and_language(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert leaves["scb", "TAB4707"].terms["language"] == "sv"
    assert leaves["statfin", "statfin_matk_pxt_117s"].terms["path"] == "matk/statfin_matk_pxt_117s.px"
    assert leaves["psa-openstat", "0011F3DF010"].terms["path"] == "1F/FY/0011F3DF010.px"
    assert leaves["ssb", "07221"].terms["language"] == "no"


def test_measures_of_the_oecd_are_those_of_its_availability_answer(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert leaves["oecd", "DF_KEI.UNEMP"].title == "Unemployment rate (DF_KEI)"
    assert ("oecd", "DF_KEI.CC") not in leaves


def test_trade_grants_and_carried_files_have_leaves(leaves: Mapping[tuple[str, str], Leaf]) -> None:
    assert leaves["census-trade", "imports.hs.AIR_WGT_MO"].terms["unit"] == "kg"
    assert leaves["nih-reporter", "award_amount"].terms["unit"] == "USD"
    assert leaves["bls-laus", "unemployment_rate_pct"].terms["lastYear"] == "2020"
    assert leaves["bea", "totalemp"].terms["keyType"] == "fips"

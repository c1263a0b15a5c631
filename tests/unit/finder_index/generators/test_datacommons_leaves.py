"""Data Commons' codes are said in words, companions are named where their figure is, and phrasings are held out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from finder_index.catalogs import generate_all
from finder_index.generators.catalog_files import read_tsv
from finder_index.generators.datacommons import coverage_of, name_of_sdg
from finder_index.generators.datacommons_known import held_out_phrasings, is_held_out, read_known
from finder_index.generators.datacommons_labels import Labels, read_labels
from finder_index.generators.datacommons_phrases import constraint_words, phrase
from finder_index.leaves import Leaf, read_corpus

EXTRACTS = Path(__file__).parent / "extracts"
ROWS = list(read_tsv(EXTRACTS / "datacommons" / "stat_vars_from_schema.tsv.gz"))
ROW = {row["dcid"]: row for row in ROWS}


@pytest.fixture(scope="module")
def labels() -> Labels:
    return read_labels(ROWS, EXTRACTS)


@pytest.fixture(scope="module")
def leaves(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Leaf]:
    out = tmp_path_factory.mktemp("corpus")
    generate_all(EXTRACTS, out, only=["datacommons"])
    return {leaf.variable: leaf for leaf in read_corpus(out).leaves}


@pytest.mark.parametrize(
    ("variable", "title"),
    [
        ("Count_Person_25To34Years_Female", "Women aged 25 to 34"),
        ("UnemploymentRate_Person_30To39Years_Male", "Unemployment rate of men aged 30 to 39"),
        ("Count_MortalityEvent_ParkinsonsDisease", "Deaths from parkinsons disease"),
        (
            "Count_MortalityEvent_Years55To64_ParkinsonsDisease_AsAFractionOf_Count_Person_55To64Years",
            "Deaths aged 55 to 64 from parkinsons disease, as a share of person 55 to 64 years",
        ),
        (
            "AmountOutstanding_Debt_LongTermExternalDebt_LenderCountryPOL",
            "Outstanding amount of long term external debt owed to Poland",
        ),
        (
            "Annual_Consumption_Fuel_CoalMines_OilShale_EnergyIndustryOwnUse",
            "Annual consumption of oil shale, used by coal mines, for energy industry own use",
        ),
        (
            "Monthly_Amount_EconomicActivity_Sales_FuelDealers",
            "Monthly amount of economic activity in fuel dealers, sales",
        ),
        ("Temperature_Place_5Millibar", "Temperature, at 5 millibars"),
        (
            "Count_School_HasComputer_PrimarySchool_Grade1To5_Unrecognized",
            "Schools, computer facility, primary school (grades 1 to 5), managed by unrecognized",
        ),
        (
            "Count_Person_8Years_Male_HispanicOrLatino_TwoOrMoreRaces",
            "Boys aged 8, Hispanic or Latino and two or more races",
        ),
        (
            "indianCensus/Count_Person_Religion_Hindu_Workers_Urban",
            "People, of Hinduism, worker, in urban areas",
        ),
    ],
)
def test_a_definition_reads_as_a_phrase(variable: str, title: str, labels: Labels) -> None:
    assert phrase(ROW[variable], labels, {}).title == title


def test_a_code_gets_the_name_that_ids_spell_out(labels: Labels) -> None:
    assert labels.of("NAICS/4481") == "ClothingStores"
    assert constraint_words("naics", "NAICS/4481", labels) == "in clothing stores"


def test_an_unknown_code_stays_a_code(labels: Labels) -> None:
    assert labels.of("NAICS/999999") is None
    assert constraint_words("naics", "NAICS/999999", labels) == "in NAICS 999999"


def test_people_ask_for_an_age_in_years(leaves: Mapping[str, Leaf]) -> None:
    leaf = leaves["Count_Person_25To34Years_Female"]
    assert leaf.queries == ("how many women are 25 to 34 years old", "female population aged 25 to 34")
    assert leaf.terms["constraints"] == "age=Years25To34,gender=Female"
    assert leaf.terms["unit"] == "people"


def test_hand_written_wording_comes_first(leaves: Mapping[str, Leaf]) -> None:
    assert leaves["Count_Person"].title == "Total population"
    assert leaves["Median_Income_Household"].title == "Median household income"


def test_a_margin_of_error_is_named_by_its_figure(leaves: Mapping[str, Leaf]) -> None:
    figure = "Count_Person_6To11Years_BelowPovertyLevelInThePast12Months_WhiteAlone"
    assert leaves[figure].terms["marginOfError"] == f"MarginOfError_{figure}"
    assert f"MarginOfError_{figure}" not in leaves


def test_variables_that_read_the_same_are_told_apart(leaves: Mapping[str, Leaf]) -> None:
    breweries = [leaf.title for leaf in leaves.values() if "Establishments in breweries" in leaf.title]
    assert sorted(breweries) == [
        "Establishments in breweries, local government owned (NAICS 31212)",
        "Establishments in breweries, local government owned (NAICS 312120)",
    ]


def test_definitions_are_kept_as_published(leaves: Mapping[str, Leaf]) -> None:
    for variable, row in ROW.items():
        if variable in leaves:
            terms = leaves[variable].terms
            assert terms["populationType"] == row["populationType"]
            assert terms["measuredProperty"] == row["measuredProperty"]
            assert terms["statType"] == row["statType"]


def test_a_variable_known_by_name_alone_has_a_leaf(leaves: Mapping[str, Leaf]) -> None:
    leaf = leaves["WHO/NCD_BMI_30A"]
    assert "named-only" in leaf.tags
    assert "NCD" not in leaf.title


def test_an_sdg_variable_is_named_by_its_series_and_codes(labels: Labels) -> None:
    name = name_of_sdg("sdg/SP_DYN_ADKL.AGE--Y15T19__SEX--F", labels)
    assert name == "Adolescent birth rate, 15 to 19 years old, female"
    assert name_of_sdg("sdg/NO_SUCH_SERIES", labels) == ""


def test_no_held_out_phrasing_is_in_a_leaf(leaves: Mapping[str, Leaf]) -> None:
    said = {query.casefold() for leaf in leaves.values() for query in (*leaf.queries, *leaf.aliases)}
    hand_written = {"Count_Person", "Count_Person_Female", "Median_Income_Household"}
    held = [sentence for sentence, ids in held_out_phrasings(EXTRACTS) if not hand_written & set(ids)]
    assert [sentence for sentence in held if sentence.casefold() in said] == []


def test_about_a_tenth_of_phrasings_is_held_out() -> None:
    assert 60 < sum(is_held_out(f"phrasing {number}") for number in range(1000)) < 140


def test_topics_become_tags_and_are_no_variables(leaves: Mapping[str, Leaf]) -> None:
    known = read_known(EXTRACTS)
    assert "dc/topic/Demographics" in known.groups
    assert not any(name.startswith("dc/topic/") for name in leaves)
    assert "demographics" in leaves["Count_Person"].tags


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ("stat_vars/usc_pep_stat_vars.mcf", "United States"),
        ("stat_vars/SouthAfrica_Budget_StatVars.mcf", "South Africa"),
        ("stat_vars/manual_eurostat_stat_vars.mcf", "Europe"),
        ("stat_vars/manual_india_census_primary.mcf", "India"),
        ("stat_vars/autogenerated_human_stat_vars.mcf", ""),
    ],
)
def test_coverage_is_read_from_the_schema_files_name(schema: str, place: str) -> None:
    assert coverage_of(schema) == place

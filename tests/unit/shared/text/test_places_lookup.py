"""Codes, names and memberships of the gazetteer."""

import csv
import time
from importlib.resources import files

import pytest

from shared.query.quantity import PlaceKind
from shared.text.places import by_code, by_name, find_mentions, group_as_of, group_source, members, tables


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("IND", "India"), ("in", "India"), ("356", "India"), ("XKX", "Kosovo"), ("EUU", "European Union"),
        ("eu", "European Union"),
        ("WLD", "World"), ("US-TX", "Texas"), ("48", "Texas"), ("US-IN", "Indiana"),
        ("48201", "Harris County, Texas"),
        ("US-PR", "Puerto Rico"), ("72", "Puerto Rico"), ("35013", "Doña Ana County, New Mexico"),
    ],
)  # fmt: skip
def test_an_entity_is_known_by_its_codes(code: str, name: str) -> None:
    entity = by_code(code)
    assert entity is not None
    assert entity.name == name


def test_an_unknown_code_or_name_is_none() -> None:
    assert by_code("QQQ") is None
    assert by_code("99999") is None
    assert by_name("Atlantis") is None
    assert by_name("Springfield") is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("India", "IND"),
        ("the Netherlands", "NLD"),
        ("côte d'ivoire", "CIV"),
        ("Texas", "48"),
        ("Harris County, Texas", "48201"),
    ],
)
def test_a_name_gives_its_one_entity(name: str, code: str) -> None:
    entity = by_name(name)
    assert entity is not None
    assert entity.code == code


def test_a_kind_settles_a_shared_name() -> None:
    state = by_name("Georgia", kind=PlaceKind.US_STATE)
    country = by_name("Georgia", kind=PlaceKind.COUNTRY)
    assert state is not None
    assert country is not None
    assert (state.code, country.code) == ("13", "GEO")
    assert by_name("Georgia") is None


def _members(key: str) -> set[str]:
    found = members(tables.groups()[key].entity)
    assert found is not None
    return {entity.keys["iso3"] for entity in found}


@pytest.mark.parametrize(
    ("key", "count", "inside", "outside"),
    [
        ("eu", 27, {"HRV", "IRL"}, {"GBR", "CHE"}),
        ("euro_area", 21, {"BGR", "HRV"}, {"SWE", "DNK"}),
        ("g7", 7, {"JPN", "CAN"}, {"RUS", "CHN"}),
        ("g20", 19, {"ARG", "ZAF"}, {"ESP"}),
        ("brics", 10, {"BRA", "IDN"}, {"ARG"}),
        ("asean", 11, {"TLS", "LAO"}, {"PNG"}),
        ("nato", 32, {"SWE", "TUR"}, {"AUT"}),
        ("opec", 12, {"NGA"}, {"AGO", "QAT"}),
        ("oecd", 38, {"CRI", "COL"}, {"BRA"}),
        ("african_union", 55, {"MAR", "ESH"}, {"REU"}),
        ("commonwealth", 56, {"RWA", "GAB"}, {"IRL", "ZWE"}),
        ("nordic", 5, {"ISL"}, {"EST"}),
        ("baltics", 3, {"EST"}, {"FIN"}),
        ("south_asia", 6, {"LKA"}, {"PAK"}),
        ("north_america", 41, {"MEX", "CUB", "CAN"}, {"BRA"}),
        ("south_america", 14, {"BRA", "GUY"}, {"PAN"}),
        ("low_income", 25, {"AFG"}, {"IND"}),
        ("least_developed", 45, {"NPL"}, {"KEN"}),
        ("landlocked_developing", 32, {"NPL", "BOL"}, {"CHE"}),
        ("world", 217, {"USA", "XKX"}, {"TWN"}),
    ],
)
def test_a_group_has_its_published_members(key: str, count: int, inside: set[str], outside: set[str]) -> None:
    found = _members(key)
    assert len(found) == count
    assert inside <= found
    assert not outside & found


def test_a_membership_says_from_when_and_from_whom() -> None:
    union = by_code("EUU")
    assert union is not None
    assert group_as_of(union) == "2020-02-01"
    assert group_source(union) == "European Union, member countries"


def test_a_group_without_a_carried_list_has_no_members() -> None:
    fragile = by_code("FCS")
    assert fragile is not None
    assert members(fragile) is None
    assert group_as_of(fragile) is None


def test_the_united_states_has_its_states_and_a_state_its_counties() -> None:
    country, state = by_code("USA"), by_code("US-TX")
    assert country is not None
    assert state is not None
    assert len(members(country) or ()) == 51
    assert len(members(state) or ()) == 254


def test_every_group_member_is_a_known_country_and_every_code_is_unique() -> None:
    known = tables.countries()
    assert len(known) == 251
    assert all(iso3 in known for group in tables.groups().values() for iso3 in group.members)
    for scheme in ("iso3", "iso2", "m49"):
        codes = [entity.keys[scheme] for entity in known.values() if scheme in entity.keys]
        assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    "name", [entity.name for entity in tables.countries().values() if entity.name != "Georgia"]
)
def test_every_country_is_found_by_its_common_name(name: str) -> None:
    [match] = find_mentions(f"What is the population of {name}?")
    assert match.entity is not None
    assert (match.entity.name, match.entity.kind) == (name, PlaceKind.COUNTRY)


@pytest.mark.parametrize("state", list(tables.states().values()), ids=lambda state: state.name)
def test_every_us_state_is_found_among_states(state: object) -> None:
    matches = find_mentions(f"Which states have more people than {state.name}?")  # type: ignore[attr-defined]
    assert [match.entity for match in matches] == [state]


def test_every_data_file_has_a_line_of_provenance() -> None:
    folder = files("shared.text.places").joinpath("data")
    with folder.joinpath("PROVENANCE.tsv").open(encoding="utf-8") as file:
        told = {row["file"] for row in csv.DictReader(file, delimiter="\t")}
    assert told == {item.name for item in folder.iterdir()} - {"PROVENANCE.tsv"}


def test_a_question_is_read_in_under_two_milliseconds() -> None:
    questions = [
        f"How does the GDP of {entity.name} compare with that of Brazil?" for entity in tables.countries().values()
    ]
    find_mentions(questions[0])
    began = time.perf_counter()
    for question in questions:
        find_mentions(question)
    assert (time.perf_counter() - began) / len(questions) < 0.002

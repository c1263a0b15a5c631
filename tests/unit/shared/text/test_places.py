"""Places are found as people write them, settled by their context, and never made of ordinary words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.query.quantity import PlaceKind
from shared.text.places import find_mentions, strip_places
from shared.text.places.tables import counties


def read(text: str) -> list[str]:
    """Each mention as the code of its entity, or as its candidates' names joined by ``|``."""
    return [
        match.entity.keys.get("iso3") or match.entity.keys.get("fips") or match.entity.name
        if match.entity
        else "|".join(entity.name for entity in match.mention.candidates)
        for match in find_mentions(text)
    ]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("What is India's GDP?", ["IND"]),
        ("gdp of the uk", ["GBR"]),
        ("Britain vs Great Britain", ["GBR", "GBR"]),
        ("population of America", ["USA"]),
        ("unemployment in the States", ["USA"]),
        ("unemployment in the states", ["USA"]),
        ("U.S. debt and the U.S.A.'s deficit", ["USA", "USA"]),
        ("Ivory Coast, Cote d'Ivoire and Côte d\N{RIGHT SINGLE QUOTATION MARK}Ivoire", ["CIV", "CIV", "CIV"]),
        ("Turkey or Türkiye", ["TUR", "TUR"]),
        ("Russia and the Russian Federation", ["RUS", "RUS"]),
        ("South Korea, Korea and North Korea", ["KOR", "KOR", "PRK"]),
        ("Burma", ["MMR"]),
        ("Swaziland", ["SWZ"]),
        ("Holland", ["NLD"]),
        ("the Czech Republic, Czechia", ["CZE", "CZE"]),
        ("DRC, DR Congo, Congo-Kinshasa", ["COD", "COD", "COD"]),
        ("Cape Verde", ["CPV"]),
        ("East Timor", ["TLS"]),
        ("Macedonia", ["MKD"]),
        ("the Vatican", ["VAT"]),
        ("UAE", ["ARE"]),
        ("Iran, Syria, Laos, Vietnam", ["IRN", "SYR", "LAO", "VNM"]),
        ("Bolivia, Venezuela, Tanzania, Moldova, Brunei", ["BOL", "VEN", "TZA", "MDA", "BRN"]),
        ("Micronesia", ["FSM"]),
        ("Palestine, West Bank and Gaza", ["PSE", "PSE"]),
        ("Hong Kong, Macau, Taiwan, Kosovo, Curacao", ["HKG", "MAC", "TWN", "XKX", "CUW"]),
        ("Sao Tome and Principe", ["STP"]),
        ("St. Kitts and Nevis, St Lucia, Saint Vincent and the Grenadines", ["KNA", "LCA", "VCT"]),
        ("Egypt, Arab Rep.", ["EGY"]),
        ("Korea, Dem. People's Rep.", ["PRK"]),
        ("GDP of IND and CHN", ["IND", "CHN"]),
        ("Jordan and Chad", ["JOR", "TCD"]),
    ],
)
def test_a_country_is_known_by_every_name_people_use(text: str, codes: list[str]) -> None:
    assert read(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Equatorial Guinea, Guinea-Bissau, Papua New Guinea and Guinea", ["GNQ", "GNB", "PNG", "GIN"]),
        ("the Dominican Republic and Dominica", ["DOM", "DMA"]),
        ("Niger and Nigeria", ["NER", "NGA"]),
        ("South Sudan and Sudan", ["SSD", "SDN"]),
        ("American Samoa and Samoa", ["ASM", "WSM"]),
        ("South American countries", ["South America"]),
        ("New Mexico and Mexico", ["35", "MEX"]),
        ("West Virginia and Virginia", ["54", "51"]),
        ("New Jersey", ["34"]),
        ("Jersey City", ["Jersey City"]),
        ("north vs south korea", ["PRK", "KOR"]),
    ],
)
def test_the_longest_name_wins(text: str, codes: list[str]) -> None:
    assert read(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Indian GDP", ["IND"]),
        ("the French economy", ["FRA"]),
        ("Japanese and Dutch exports", ["JPN", "NLD"]),
        ("How many Americans have diabetes?", ["USA"]),
        ("Kenyan, British and German inflation", ["KEN", "GBR", "DEU"]),
        ("north korean missiles", ["PRK"]),
        ("Polish GDP", ["POL"]),
        ("Nigerien and Nigerian oil", ["NER", "NGA"]),
    ],
)
def test_an_adjective_names_its_country(text: str, codes: list[str]) -> None:
    assert read(text) == codes
    assert all(match.form == "adjective" for match in find_mentions(text))


@pytest.mark.parametrize(
    "text",
    [
        "us", "US", "the us", "in the us", "us gdp", "us population", "what is us gdp per capita",
        "population of the US",
        "gdp of us", "unemployment us", "inflation us 2020", "debt in us", "the us economy",
    ],
)  # fmt: skip
def test_us_is_the_country_where_the_pronoun_cannot_stand(text: str) -> None:
    assert read(text) == ["USA"]


@pytest.mark.parametrize("text", ["us vs china", "compare india and us", "China versus US"])
def test_us_beside_a_country_is_a_country(text: str) -> None:
    assert "USA" in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "tell us the population", "give us gdp figures", "help us", "show us", "most of us", "for all of us",
        "debt owed by us",
        "let us see", "GDP in US dollars", "GDP (current US$)", "in us dollars", "is it in or out, or me",
        "what can it do for us",
        "WHO IS THE KING", "who leads", "PEOPLE IN OR ME", "polish the data", "a pole", "mobile phones",
        "Nice weather", "target values",
        "african american students", "african americans and native americans", "the asian population",
        "brazil nuts", "indian ocean",
        "which of the states is largest", "population of the states in 1945",
        "gdp for the states", "fragile income", "low income families", "gap in wages",
        "the turks and turkeys of a farm",
        "university of texas students", "ohio state university", "indiana university",
        "world war ii", "french fries", "guinea pigs", "apple production", "columbian exchange",
        "hungry people", "finish line",
    ],
)  # fmt: skip
def test_ordinary_words_are_no_places(text: str) -> None:
    found = [code for code in read(text) if code not in {"TUR"}]
    assert found == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Georgia and Armenia", ["GEO", "ARM"]),
        ("Georgia and Alabama", ["13", "01"]),
        ("California compared to New York", ["06", "36"]),
        ("Washington and Oregon", ["53", "41"]),
        ("the state of Georgia", ["13"]),
        ("Georgia, USA", ["13"]),
        ("the country of Georgia", ["GEO"]),
        ("Which states are larger than Georgia?", ["13"]),
        ("Which countries border Georgia?", ["GEO"]),
        ("Columbia and Peru", ["COL", "PER"]),
        ("Washington DC", ["11"]),
        ("Springfield, Illinois", ["Springfield, Illinois"]),
        ("Portland, OR", ["Portland, Oregon"]),
        ("Paris, France", ["Paris"]),
        ("Atlanta, Georgia", ["Atlanta"]),
        ("New York City", ["New York City"]),
        ("New York and Chicago", ["New York City", "Chicago"]),
    ],
)
def test_the_names_around_it_settle_an_ambiguous_name(text: str, codes: list[str]) -> None:
    assert read(text) == codes


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("GDP of Georgia", "Georgia|Georgia"),
        ("Georgia and the US", "Georgia|Georgia"),
        ("population of New York", "New York|New York City"),
        ("Washington unemployment", "Washington|Washington, D.C."),
        ("Congo GDP", "Democratic Republic of the Congo|Republic of the Congo"),
        ("Virgin Islands", "United States Virgin Islands|British Virgin Islands"),
        ("Springfield", "Springfield, Illinois|Springfield, Massachusetts|Springfield, Missouri"),
        ("Columbia GDP", "Colombia|Columbia"),
        ("Austrlia population", "Australia|Austria"),
        ("population of harris county", "Harris County, Texas|Harris County, Georgia"),
    ],
)
def test_a_name_that_nothing_settles_lists_its_candidates(text: str, candidates: str) -> None:
    assert candidates in read(text)
    assert any(match.mention.status == "ambiguous" for match in find_mentions(text))


@pytest.mark.parametrize(
    ("text", "name", "keys"),
    [
        ("the EU", "European Union", {"group": "eu", "wb": "EUU"}),
        ("eurozone", "Euro area", {"group": "euro_area", "wb": "EMU"}),
        ("OECD countries", "OECD members", {"group": "oecd", "wb": "OED"}),
        ("the G7", "G7", {"group": "g7"}),
        ("BRICS", "BRICS", {"group": "brics"}),
        ("countries in Africa", "Africa", {"group": "africa", "m49": "002"}),
        ("Sub-Saharan Africa", "Sub-Saharan Africa", {"group": "sub_saharan_africa", "wb": "SSF"}),
        ("the world", "World", {"group": "world", "wb": "WLD"}),
        ("globally", "World", {"group": "world", "wb": "WLD"}),
        ("low income countries", "Low income", {"group": "low_income", "wb": "LIC"}),
        ("high-income countries", "High income", {"group": "high_income", "wb": "HIC"}),
        ("Scandinavia", "Scandinavia", {"group": "scandinavia"}),
        ("Nordic countries", "Nordic countries", {"group": "nordic"}),
        ("southeast asia", "South-eastern Asia", {"group": "southeast_asia", "m49": "035"}),
        ("East Asia and Pacific", "East Asia & Pacific", {"group": "east_asia_pacific", "wb": "EAS"}),
        ("the Arab world", "Arab World", {"group": "arab_world", "wb": "ARB"}),
    ],
)
def test_a_country_group_carries_its_key_and_the_banks_code(text: str, name: str, keys: dict[str, str]) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert (match.entity.name, match.entity.kind, match.entity.keys) == (name, PlaceKind.COUNTRY_GROUP, keys)


@pytest.mark.parametrize(
    ("text", "fips"),
    [
        ("population of Harris County, Texas", ["48201"]),
        ("Harris County TX", ["48201"]),
        ("Harris County, TX", ["48201"]),
        ("harris county in texas", ["48201"]),
        ("Los Angeles County", ["06037"]),
        ("County of Los Angeles", ["06037"]),
        ("Orleans Parish", ["22071"]),
        ("Harris and Dallas counties", ["48201", "48113"]),
        ("Doña Ana County and Dona Ana County", ["35013", "35013"]),
    ],
)
def test_a_county_is_found_with_or_without_its_state(text: str, fips: list[str]) -> None:
    assert read(text) == fips
    assert all(match.entity and match.entity.kind is PlaceKind.US_COUNTY for match in find_mentions(text))


def test_every_county_of_a_name_is_a_candidate() -> None:
    (orange,), (washington,) = (find_mentions(f"population of {name} County") for name in ("Orange", "Washington"))
    assert {one.keys["fips"] for one in orange.mention.candidates} == {
        county.entity.keys["fips"] for county in counties() if county.local_name == "Orange County"
    }
    assert (len(orange.mention.candidates), len(washington.mention.candidates)) == (8, 30)


def test_counties_as_a_set_are_no_county() -> None:
    assert read("Which counties in Texas have the highest income?") == ["48"]
    # Missouri, Oklahoma and Texas County themselves notwithstanding.
    assert read("Which counties of Texas have the highest income?") == ["48"]
    for said in ("each county of Texas", "every county of Texas", "the richest county of Texas"):
        assert read(f"number of people in {said}") == ["48"]
    assert read("population of Texas and of the county of Harris") == ["48", "48201"]
    assert "Delaware County, Ohio" in read("population of the county of Delaware")[0]


def test_england_is_a_place_and_not_the_united_kingdom() -> None:
    matches = find_mentions("England, Scotland, Wales and Northern Ireland")
    assert [match.entity.kind for match in matches if match.entity] == [PlaceKind.PLACE] * 4


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Apple revenue", "Apple", PlaceKind.COMPANY),
        ("apple's revenue", "Apple", PlaceKind.COMPANY),
        ("net income of microsoft", "Microsoft", PlaceKind.COMPANY),
        ("Target revenue", "Target", PlaceKind.COMPANY),
        ("grants to the Sierra Club", "Sierra Club", PlaceKind.ORGANIZATION),
        ("World Bank data", "World Bank", PlaceKind.ORGANIZATION),
    ],
)
def test_a_well_known_company_or_organisation_is_recognised(text: str, name: str, kind: PlaceKind) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert (match.entity.name, match.entity.kind) == (name, kind)


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("gdp india", "gdp"),
        ("gdp in India", "gdp"),
        ("India's GDP", "GDP"),
        ("population of the UK", "population"),
        ("Indian GDP per capita", "GDP per capita"),
        ("gdp of India and China", "gdp"),
        ("unemployment rate in Harris County, Texas", "unemployment rate"),
        ("life expectancy in Sub-Saharan Africa in 2019", "life expectancy in 2019"),
        ("median household income", "median household income"),
        ("Apple revenue in the US", "Apple revenue"),
    ],
)
def test_a_text_without_its_places_keeps_the_measure(text: str, stripped: str) -> None:
    assert strip_places(text) == stripped


@given(st.text(max_size=120))
def test_any_text_is_read_without_fault_and_mentions_lie_in_it(text: str) -> None:
    matches = find_mentions(text)
    assert all(text[match.start : match.end] == match.text == match.mention.text for match in matches)
    assert all(left.end <= right.start for left, right in pairwise(matches))

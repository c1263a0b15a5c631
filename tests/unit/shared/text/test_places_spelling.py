"""Slightly misspelt names are understood, and nothing else is bent into a country."""

import pytest

from shared.text.places import find_mentions, suggest
from shared.text.places.spelling import lookalikes, nearest


@pytest.mark.parametrize(
    ("text", "iso3"),
    [
        ("Germny gdp", "DEU"),
        ("Phillipines population", "PHL"),
        ("Urugay", "URY"),
        ("gdp of afganistan", "AFG"),
        ("switserland's inflation", "CHE"),
        ("Bangaldesh", "BGD"),
        ("Kyrgystan", "KGZ"),
        ("Guatamala", "GTM"),
        ("Argentena", "ARG"),
        ("Untied States debt", "USA"),
        ("Saudia Arabia oil", "SAU"),
        ("New Zeland", "NZL"),
        ("south koera", "KOR"),
        ("Lybia", "LBY"),
        ("Hondurus", "HND"),
    ],
)
def test_a_slip_is_understood_and_keeps_the_askers_words(text: str, iso3: str) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert match.entity.keys["iso3"] == iso3
    assert match.mention.text == text[match.start : match.end]


@pytest.mark.parametrize("text", ["Califronia", "Massachusets", "Pensylvania", "Conneticut", "Tennesee"])
def test_a_states_slip_is_understood(text: str) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert match.entity.keys["iso3166_2"].startswith("US-")


ORDINARY = """
about above across adults after agriculture against alcohol among amount animal annual average balance banking basic become
before begin being belief below between birth border brain branch bread budget building business capital carbon change charge
child children child's china's chili chime chips cities claim class clean clear climate coast college compare comparison
consumption corruption costs countries country county crime crude cuban culture currency current death decline defense deficit
demand democracy density dependent development difference dioxide disease domestic dominion earnings economy education elderly
electricity emigrate emission employment energy english enrollment equality exchange expectancy expenditure exports external
families famine farming female fertility finance finish firms fiscal foreign forest france's franchise freedom french fuel
gamble games gender general german germane ghosts global goods government grain granted grease greece's greek gross growth
guinness happy health higher highest history holland's homes hospital household houses housing human hunger hungry import
income increase index indicator indices individual industry inequality infant inflation inside interest internal internet
investment iron islands italic japanese jordan's labor labour language largest latest latin leading levels liberal liberty
life literacy living loans lower lowest macro maize mainland major malaria male malls manual manufacturing margin marine
marital market maternal median medical merchandise methane military minimal minor mobile monaural money month mortality mostly
mountain nation national native natural naval nepotism network nicer nights nitrous noble normal northern norwegian number
nutrition obesity official older online order outcome output oxide pages paid panama's paragraph parents parity partial
patent peanut people percent performance peruse physical pollution popular population portion portugal's poverty power present
price primary private product production profit property public pupils qualify quality quarter range ranking rates ratio
reading reform refugees region religion remittance renewable report research reserve resource retail revenue richest roman
romance rural rustic salary sales samples sanitation satellite savings scale school science second secondary sector senegal's
serious service share should single slavery slovenly smoking social soldier somali source southern spain's spanish spend
square stable state states statistics steel stock student sugar suicide sweden's sweet switch system tariff taxes teacher
technology tertiary texting thailand's theory tobacco togo's tonnage total tourism trade traffic training transport travel
trend tunes turkey's turnkey ukulele under unemployment union units urban usage user value village violence vietnam's wages
water wealth weather welfare western wheat women workers world worldwide yearly yemen's youth zones columbian cameras camera
canada's cabin cuisine vanilla panel paneled pandas peril beneath bolivar bhutan's libraries library tonic tango gabled nauru's
omen oven sudden sultan mallet malicious seldom singapore's solomon samosa palate palaver iceland's insane irked iris italics
""".split()


@pytest.mark.parametrize("word", [word for word in ORDINARY if "'" not in word])
def test_an_ordinary_word_is_never_taken_for_a_misspelt_country(word: str) -> None:
    assert nearest(word) == ()


@pytest.mark.parametrize("name", ["Granada", "Colombo", "Cameron", "Francis", "Germaine", "Angela", "Jordana", "Bolivar", "Solomon"])
def test_another_real_name_is_never_taken_for_a_country(name: str) -> None:
    assert nearest(name.lower()) == ()


def test_the_lookalikes_are_lower_case_and_sorted() -> None:
    assert all(word == word.lower() for word in lookalikes())
    assert {"grease", "hungry", "finish", "granada"} <= lookalikes()


@pytest.mark.parametrize(
    ("name", "first"), [("Atlantis", None), ("Wakanda", None), ("Rusia", "Russia"), ("Frnce", "France"), ("Brazl", "Brazil")]
)
def test_a_suggestion_is_the_nearest_known_name(name: str, first: str | None) -> None:
    found = [entity.name for entity in suggest(name)]
    if first is None:
        assert name not in found
    else:
        assert found[0] == first

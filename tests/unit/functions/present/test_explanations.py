"""Why there is no answer: the most telling reasons first, and what several sources say alike said once."""

from __future__ import annotations

from functions.present.refusals import explanation
from shared.query.evidence import Failure, FailureStatus


def failed(status: FailureStatus, reason: str, source: str | None = None) -> Failure:
    return Failure(stage="select", source=source, slot=None, status=status, reason=reason)


NOT_CARRIED = failed(FailureStatus.NOT_FOUND, "none of Data Commons' variables at hand is “poverty rate”")
ALSO_NOT = failed(
    FailureStatus.NOT_FOUND, "none of the UN's SDG series at hand is “poverty rate”; the nearest are: Poverty line"
)
ONLY_A_SHARE = failed(
    FailureStatus.NOT_FOUND, "the World Bank publishes “poverty rate” only as a share, not as a number"
)
NO_FIGURE = failed(FailureStatus.NO_DATA, "the Census Bureau has no figure of Poverty rate for Texas")
COUNTRIES = failed(
    FailureStatus.NOT_COVERED, "the World Bank publishes figures for countries, not for each US state"
)
COUNTRIES_TOO = failed(
    FailureStatus.NOT_COVERED, "the UN's SDG database has figures for countries, not for each US state"
)


def test_what_is_published_instead_stands_before_a_missing_figure_and_both_before_what_is_not_carried() -> None:
    text = explanation([NOT_CARRIED, COUNTRIES, NO_FIGURE, ONLY_A_SHARE])
    places = [text.index(words) for words in ("only as a share", "no figure of Poverty rate", "for countries")]
    assert places == sorted(places)
    assert "Data Commons" not in text


def test_what_several_sources_say_alike_is_said_once() -> None:
    assert explanation([COUNTRIES, COUNTRIES_TOO]) == (
        "This could not be answered: the World Bank and the UN's SDG database have figures for countries, "
        "not for each US state."
    )
    assert explanation([NOT_CARRIED, ALSO_NOT]) == (
        "This could not be answered: none of the tables at hand of Data Commons and the UN is “poverty rate”; "
        "the nearest are: Poverty line."
    )


def test_different_reasons_of_one_status_are_all_told() -> None:
    other = failed(FailureStatus.NO_DATA, "Data Commons has no figure of it for Texas in 2019")
    text = explanation([NO_FIGURE, other])
    assert "Census Bureau has no figure" in text
    assert "Data Commons has no figure" in text


def test_a_mishap_is_told_before_what_sources_lack() -> None:
    text = explanation([NOT_CARRIED, failed(FailureStatus.UNREACHABLE, "the publisher did not answer in time")])
    assert text.index("did not answer") < text.index("none of")


def test_one_source_is_told_in_its_own_words() -> None:
    assert explanation([COUNTRIES]) == (
        "This could not be answered: the World Bank publishes figures for countries, not for each US state."
    )

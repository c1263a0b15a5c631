"""The check of a worded answer: what is claimed passes in many wordings, and nothing else passes in any."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from functions.present.worded_check import fault
from functions.present.worded_claims import Evidence, Told
from functions.present.worded_figures import UnreadError, figures, tokens
from shared.query.quantity import Unit, UnitKind
from shared.text.figures import format_quantity, format_short
from tests.unit.functions.present.worded_examples import COMPARISON, FAIR, HOSTILE, TREND, VALUE

UNITS = (
    Unit(kind=UnitKind.CURRENCY, code="USD", label="current US$", currency="USD", price_basis="current"),
    Unit(kind=UnitKind.PERCENT, code="%", label="percent"),
    Unit(kind=UnitKind.COUNT, code="people", label="people"),
    Unit(kind=UnitKind.PHYSICAL, code="years", label="years"),
)
VALUES = st.decimals(min_value=1, max_value=10**14, allow_nan=False, allow_infinity=False, places=2)


def checked(evidence: Evidence, text: str) -> str | None:
    return fault(text, evidence, cited=frozenset(claim.id for claim in evidence.claims))


def of(value: Decimal, unit: Unit) -> Evidence:
    claim = Told("claim:1", f"GDP, India, 2024: {value}", value, unit.code, "India", True, "2024", "GDP")
    return Evidence("value", (claim,), publishers=("World Bank",))


def test_there_are_enough_examples_of_both_kinds() -> None:
    assert len(FAIR) >= 40
    assert len(HOSTILE) >= 60


@pytest.mark.parametrize(("evidence", "text"), FAIR, ids=lambda one: one[:60] if isinstance(one, str) else "")
def test_a_fair_sentence_is_accepted(evidence: Evidence, text: str) -> None:
    assert checked(evidence, text) is None


@pytest.mark.parametrize(
    ("evidence", "text"), HOSTILE, ids=lambda one: ascii(one[:60]) if isinstance(one, str) else ""
)
def test_a_sentence_that_says_anything_else_is_refused(evidence: Evidence, text: str) -> None:
    assert checked(evidence, text) is not None


@pytest.mark.parametrize(("evidence", "text"), [one for one in FAIR if not one[0].bounds])
def test_every_altered_digit_of_a_fair_sentence_is_told(evidence: Evidence, text: str) -> None:
    for place, mark in enumerate(text):
        for digit in "0123456789" if mark.isascii() and mark.isdigit() else "":
            altered = f"{text[:place]}{digit}{text[place + 1 :]}"
            if digit != mark:
                assert checked(evidence, altered) is not None, altered


@given(VALUES, st.sampled_from(UNITS), st.booleans())
def test_a_figure_that_is_claimed_passes_in_full_and_rounded(value: Decimal, unit: Unit, exact: bool) -> None:
    shown = (format_quantity if exact else format_short)(value, unit)
    assert checked(of(value, unit), f"India's GDP was {shown} in 2024.") is None


@given(VALUES, st.sampled_from(UNITS), st.booleans(), st.data())
def test_an_altered_digit_is_always_told(value: Decimal, unit: Unit, exact: bool, data: st.DataObject) -> None:
    shown = (format_quantity if exact else format_short)(value, unit)
    places = [place for place, mark in enumerate(shown) if mark.isdigit()]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([one for one in "0123456789" if one != shown[place]]))
    altered = f"{shown[:place]}{digit}{shown[place + 1 :]}"
    assert checked(of(value, unit), f"India's GDP was {altered} in 2024.") is not None


@given(VALUES, VALUES)
def test_two_figures_pass_in_their_places_and_not_exchanged(one: Decimal, two: Decimal) -> None:
    shown = [format_short(value, UNITS[0]) for value in (one, two)]
    assume(shown[0] != shown[1] and abs(one - two) > max(one, two) / 5)
    claims = tuple(
        Told(f"claim:{n}", f"GDP, {name}, 2024: {value}", value, "USD", name, True, "2024", "GDP")
        for n, (name, value) in enumerate((("India", one), ("China", two)), start=1)
    )
    evidence = Evidence("comparison", claims)
    assert checked(evidence, f"India's GDP was {shown[0]} and China's was {shown[1]} in 2024.") is None
    assert checked(evidence, f"India's GDP was {shown[1]} and China's was {shown[0]} in 2024.") is not None
    assert checked(evidence, f"China's GDP was {shown[0]} and India's was {shown[1]} in 2024.") is not None


@given(st.text(max_size=200))
def test_any_text_whatever_is_judged_without_an_error(text: str) -> None:
    assert checked(VALUE, text) is None or isinstance(checked(VALUE, text), str)


@given(st.integers(min_value=0, max_value=2**63))
def test_no_number_passes_that_is_no_claim(number: int) -> None:
    assume(number not in {2024})
    assert checked(VALUE, f"India's GDP was {number} in 2024.") is not None


def test_a_figure_needs_its_claim_to_be_listed() -> None:
    text = "China's GDP was $18.74 trillion in 2024."
    assert fault(text, COMPARISON, cited=frozenset({"claim:1"})) is None
    assert fault(text, COMPARISON, cited=frozenset({"claim:2"})) is not None


def test_digits_of_a_name_are_no_figures_and_a_changed_name_is_no_name() -> None:
    claim = Told(
        "claim:1", "GDP (constant 2015 US$), India, 2024: $3.1", Decimal("3.1"), "USD", "India", True, "2024",
        "GDP (constant 2015 US$)",
    )  # fmt: skip
    evidence = Evidence("value", (claim,))
    assert checked(evidence, "India's GDP (constant 2015 US$) was $3.1 in 2024.") is None
    assert checked(evidence, "India's GDP (constant 2024 US$) was $3.1 in 2024.") is not None


def test_a_bound_of_the_question_is_no_name_that_hides_a_figure() -> None:
    hidden = replace(TREND, names=("more than $9 trillion",))
    assert checked(hidden, "India's GDP was more than $9 trillion in 2024.") is not None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("$3.96 trillion", "3960000000000"),
        ("$3,956bn", "3956000000000"),
        ("US$ 3.9 tn", "3900000000000"),
        ("12%", "12"),
        ("12 per cent", "12"),
        ("three million", "3000000"),
        ("twenty-five", "25"),
        ("two hundred and five", "205"),
        ("three point five billion", "3500000000"),
        ("a dozen", "12"),
        ("12,34,567", "1234567"),
        ("-4.5", "-4.5"),
        ("one in five", "0.2"),
        ("3 out of 10", "0.3"),
        ("three quarters", "0.75"),
        ("half", "0.5"),
        ("twice", "2"),
        ("2.5 times", "2.5"),
        ("21st", "21"),
        ("third", "3"),
    ],
)
def test_a_figure_is_read_however_it_is_spelled(written: str, value: str) -> None:
    (figure,) = figures(tokens(written))
    assert figure.value == Decimal(value)


@pytest.mark.parametrize("written", ["3.9.1", "12abc", "$", "1e9", "million", "3,95", "\u0663"])
def test_what_looks_like_a_figure_and_is_none_is_an_error(written: str) -> None:
    with pytest.raises(UnreadError):
        figures(tokens(f"was {written} then"))

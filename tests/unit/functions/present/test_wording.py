from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.present.wording import possessive, rounded, running, unclaimed, verb
from shared.query.evidence import Claim
from shared.query.identifiers import ClaimId
from shared.query.quantity import Unit, UnitKind
from shared.text.figures import format_quantity, format_short

UNITS = [
    Unit(kind=UnitKind.CURRENCY, code="USD", label="current US$", currency="USD", price_basis="current"),
    Unit(kind=UnitKind.PERCENT, code="%", label="percent of GDP", per="GDP"),
    Unit(kind=UnitKind.COUNT, code="people", label="people"),
    Unit(kind=UnitKind.PHYSICAL, code="years", label="years"),
]
values = st.decimals(min_value=-(10**15), max_value=10**15, allow_nan=False, allow_infinity=False, places=6)


def claimed(value):
    return Claim(
        id=ClaimId("claim:1"), text="", value=value, unit=None, entity=None, period=None, measure=None, evidence=()
    )


@given(values, st.sampled_from(UNITS))
def test_a_short_form_always_passes_as_a_rounding_of_its_claim(value, unit):
    for text in (format_short(value, unit), format_quantity(value, unit)):
        assert unclaimed(f"It was {text}.", [claimed(value)], ()) == []


@given(values)
def test_a_computed_figure_passes_too(value):
    for unit in (None, "%", "percentage points", "USD per person"):
        shown = f"{rounded(value):,f}"
        assert unclaimed(f"It was {shown} {unit or ''}.", [claimed(value)], ()) == []


@pytest.mark.parametrize(
    ("published", "read", "is_was"),
    [
        ("Population, total", "population", "was"),
        ("GDP (current US$)", "GDP (current US$)", "was"),
        ("Life expectancy at birth, total (years)", "life expectancy at birth", "was"),
        ("Exports of goods and services (% of GDP)", "exports of goods and services", "were"),
        ("GDP growth (annual %)", "GDP growth (annual %)", "was"),
        (
            "Unemployment, total (% of total labor force) (modeled ILO estimate)",
            "unemployment (modeled ILO estimate)",
            "was",
        ),
        ("GDP (constant 2015 US$)", "GDP (constant 2015 US$)", "was"),
    ],
)
def test_a_published_name_reads_inside_a_sentence(published, read, is_was):
    assert running(published) == read
    assert verb(published) == is_was


def test_names_ending_in_s_take_a_bare_apostrophe():
    assert possessive("Honduras") == "Honduras'"
    assert possessive("Maldives") == "the Maldives'"
    assert possessive("World") == "the world's"
    assert possessive("India") == "India's"


def test_numbers_in_names_are_not_figures():
    one = claimed(Decimal("3.5")).model_copy(update={"measure": "GDP (constant 2015 US$)", "period": "2024"})
    assert unclaimed("GDP (constant 2015 US$) was 3.5 in 2024.", [one], ()) == []
    assert unclaimed("GDP was 2015.", [one], ()) == ["2015"]


def test_small_computed_values_keep_two_significant_digits():
    assert rounded(Decimal("0.00034567")) == Decimal("0.00035")

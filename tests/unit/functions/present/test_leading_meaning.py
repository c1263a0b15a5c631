"""Figures held against each other are answered in one meaning; the other meanings stand beside it."""

from decimal import Decimal

import pytest

from shared.query.answer import AnswerStatus
from shared.query.evidence import FailureStatus
from shared.query.readings import ComparisonReading, DifferenceReading, RatioReading, YesNoReading
from shared.query.slots import SlotKind

GDP, GROWTH, PCAP = "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.CD"
FIGURES = {
    "DEU": {GDP: "4201021706478.62", GROWTH: "1.8092581243061", PCAP: "50506.5179638543"},
    "FRA": {GDP: "2794788137066.94", GROWTH: "2.71676264185913", PCAP: "40988.6396406579"},
    "CUB": {GROWTH: "1.77465227724316"},
}
"""Of 2022."""


def readings(named, left, right):
    pair = (named.mention(left), named.mention(right))
    return {
        "comparison": (ComparisonReading(entities=pair, measure=named.measure()), ("entity", "entity")),
        "difference": (DifferenceReading(entities=pair, measure=named.measure()), ("left", "right")),
        "ratio": (
            RatioReading(
                numerator_entity=pair[0], numerator=named.measure(),
                denominator_entity=pair[1], denominator=named.measure(),
            ),
            ("numerator", "denominator"),
        ),
        "yes_no": (
            YesNoReading(entity=pair[0], measure=named.measure(), other=pair[1]), ("value", "other"),
        ),
    }  # fmt: skip


def laid_out(desk, named, kind, left="DEU", right="FRA", **options):
    reading, roles = readings(named, left, right)[kind]
    made = desk(reading, **options)
    for role, code in zip(roles, (left, right), strict=True):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        for variable in (GDP, GROWTH, PCAP):
            if variable in FIGURES[code]:
                made.figures(slot, variable, {(code, "2022"): FIGURES[code][variable]})
        made.choose(slot, GDP, GROWTH, PCAP)
    return made


KINDS = ["comparison", "difference", "ratio", "yes_no"]


@pytest.mark.parametrize("kind", KINDS)
async def test_the_first_meaning_is_answered_alone(desk, named, kind):
    answer = await laid_out(desk, named, kind).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert all("GDP (current US$)" in claim.measure for claim in answer.claims)
    assert "growth" not in answer.text
    assert "per capita" not in answer.text
    assert answer.table is not None
    cells = {value for row in answer.table.rows for value in row}
    assert {"4201021706478.62", "2794788137066.94"} <= cells
    assert FIGURES["DEU"][GROWTH] not in cells


@pytest.mark.parametrize("kind", KINDS)
async def test_one_disclosure_tells_how_many_meanings_the_term_has(desk, named, kind):
    answer = await laid_out(desk, named, kind).answer()
    (told,) = [note.text for note in answer.disclosures if "distinct quantities" in note.text]
    assert "“gdp” is published as 3 distinct quantities" in told
    assert "the answer is of GDP (current US$)" in told
    assert "alternatives" in told


async def test_an_alternative_has_its_result_and_what_to_send_back(desk, named):
    answer = await laid_out(desk, named, "difference").answer()
    growth, per_head = answer.alternatives
    assert (growth.value, growth.unit, growth.period) == (Decimal("0.90750451755303"), "percentage points", "2022")
    assert growth.assumptions == {"measure": GROWTH}
    assert (per_head.value, per_head.unit) == (Decimal("9517.8783231964"), "USD")
    carried = {made.id: made for made in answer.computations}
    receipts = {receipt.id for receipt in answer.receipts}
    assert carried[f"c:{PCAP}:difference"].value == per_head.value
    assert all(receipts.issuperset(made.inputs) for made in answer.computations)


async def test_a_compared_alternative_shows_its_own_first(desk, named):
    answer = await laid_out(desk, named, "comparison").answer()
    growth = answer.alternatives[0]
    assert (growth.entity, growth.value, growth.unit) == ("France", Decimal("2.71676264185913"), "%")


async def test_a_ratio_of_growth_rates_is_no_alternative(desk, named):
    answer = await laid_out(desk, named, "ratio").answer()
    assert [option.assumptions["measure"] for option in answer.alternatives] == [PCAP]
    assert any("a percentage is not divided by another" in note.text for note in answer.disclosures)


async def test_a_ratio_of_one_rate_that_is_asked_for_is_formed(desk, named):
    jobless = "SL.UEM.TOTL.ZS"
    pair = {"FRA": "7.542", "DEU": "3.711"}
    reading, roles = readings(named, "FRA", "DEU")["ratio"]
    made = desk(reading)
    for role, code in zip(roles, pair, strict=True):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, jobless, {(code, "2025"): pair[code]})
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.computations[0].value == Decimal("2.03233629749")


@pytest.mark.parametrize("kind", KINDS)
async def test_all_shows_every_meaning_in_full(desk, named, kind):
    answer = await laid_out(desk, named, kind, on_ambiguity="all").answer()
    measures = " ".join(claim.measure for claim in answer.claims)
    assert "GDP (current US$)" in measures
    assert "GDP per capita (current US$)" in measures
    assert "GDP per capita (current US$)" in {row[0] for row in answer.table.rows}
    assert "per capita" in answer.text


async def test_an_alternative_that_lacks_a_figure_is_told_and_no_downgrade(desk, named):
    reading, roles = readings(named, "DEU", "FRA")["comparison"]
    made = desk(reading)
    for role, code in zip(roles, ("DEU", "FRA"), strict=True):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, "2022"): FIGURES[code][GDP]})
        made.choose(slot, GDP, PCAP)
    made.fail(FailureStatus.NO_DATA, "GDP per capita has no figure", slot="slot:2")
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert any("GDP per capita (current US$) is no alternative" in note.text for note in answer.disclosures)


async def test_another_meaning_in_the_place_of_the_first_is_a_part_of_the_answer(desk, named):
    answer = await laid_out(desk, named, "comparison", "DEU", "CUB").answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "GDP (current US$), the first meaning of the term, could not be had for every part" in answer.text
    assert {claim.value for claim in answer.claims} >= {Decimal("1.8092581243061"), Decimal("1.77465227724316")}


async def test_a_named_entity_without_a_figure_makes_a_comparison_partial(desk, named):
    three = tuple(named.mention(code) for code in ("DEU", "FRA", "CUB"))
    made = desk(ComparisonReading(entities=three, measure=named.measure()))
    for code in ("DEU", "FRA", "CUB"):
        slot = made.slot(
            SlotKind.VALUE, "entity", measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        for variable, digits in FIGURES[code].items():
            made.figures(slot, variable, {(code, "2022"): digits})
        made.choose(slot, GDP, GROWTH)
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "no figure was found for GDP (current US$) (gdp of Cuba)" in answer.text
    assert answer.text.startswith("Germany had the highest") or answer.text.startswith("Germany had the higher")


async def test_figures_that_rounding_would_show_as_equal_are_written_out(desk, named):
    made = laid_out(desk, named, "comparison", "DEU", "CUB")
    answer = await made.answer()
    assert "1.8092581243061%, against 1.77465227724316% in Cuba" in answer.text

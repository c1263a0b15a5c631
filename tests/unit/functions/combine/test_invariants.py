"""The rules that no composition may break, on published figures."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from functions.combine.builtin_rules import quantity_adds_up
from functions.combine.stage import COMBINERS
from functions.combine.tasks import AddsUpRequest
from functions.present.stage import PRESENTERS
from functions.present.status import COMBINATION_RESULT
from functions.slots.table import SLOT_RULES
from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Observation, Operation
from shared.query.quantity import Period, Unit, UnitKind
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    BreakdownReading,
    Comparator,
    ComparisonReading,
    Condition,
    CorrelationReading,
    DifferenceReading,
    Direction,
    FilteredListReading,
    ItemListReading,
    RankingReading,
    RatioReading,
    Threshold,
    TrendReading,
    YesNoReading,
)
from shared.query.slots import SlotKind

GDP, REAL, GROWTH, PCAP = "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD", "NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.CD"
POP, RURAL, EXPORTS, JOBLESS, LIFE = (
    "SP.POP.TOTL", "SP.RUR.TOTL", "TX.VAL.MRCH.CD.WT", "SL.UEM.TOTL.ZS", "SP.DYN.LE00.IN",
)  # fmt: skip
GDP_2024 = {
    ("USA", "2024"): "29298013000000",
    ("CHN", "2024"): "18729668435848",
    ("DEU", "2024"): "4685592577804.69",
    ("IND", "2024"): "3760813470500.86",
}


def two_values(desk, named, reading, left, right, *, roles=("left", "right"), variable=GDP, **right_fields):
    made = desk(reading)
    for role, (code, year, digits), fields in zip(roles, (left, right), ({}, right_fields), strict=True):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, variable, {(code, year): digits}, **fields)
    return made


def difference(named, *codes, relative=False):
    return DifferenceReading(
        entities=tuple(named.mention(code) for code in codes), measure=named.measure(), relative=relative
    )


def test_every_type_has_a_combiner_a_presenter_and_a_promised_result():
    assert set(COMBINERS) == set(PRESENTERS) == set(COMBINATION_RESULT) == set(SLOT_RULES)


# ---- like for like -------------------------------------------------------------------------------


async def test_no_composition_without_a_like_for_like_judgment(desk, named):
    made = two_values(
        desk, named, difference(named, "CHN", "IND"), ("CHN", "2025", "19498039388042.6"),
        ("IND", "2025", "3956067115771.63"),
    )  # fmt: skip
    assert await made.combined(replace(made.context(), judges=())) == []
    assert "no judgment could be had" in made.reasons()


async def test_no_composition_from_an_unknown(desk, named):
    nameless = named.measures[GDP].model_copy(update={"variable": ""})
    made = desk(difference(named, "CHN", "IND"))
    for role, code, digits in (("left", "CHN", "19498039388042.6"), ("right", "IND", "3956067115771.63")):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, "2025"): digits}, measure=nameless)
    assert await made.combined() == []
    assert "could not be judged like for like" in made.reasons()


async def test_figures_of_different_vintages_are_not_like_for_like(desk, named):
    made = two_values(
        desk, named, difference(named, "CHN", "IND"), ("CHN", "2025", "19498039388042.6"),
        ("IND", "2025", "3956067115771.63"), as_of=date(2021, 9, 15),
    )  # fmt: skip
    assert await made.combined() == []
    assert "not like for like" in made.reasons()


async def test_pairs_are_made_by_published_variable_never_by_wording(desk, named):
    same_name = named.measures[REAL].model_copy(update={"name": "GDP (current US$)"})
    made = two_values(
        desk, named, difference(named, "CHN", "IND"), ("CHN", "2025", "19498039388042.6"),
        ("IND", "2025", "3956067115771.63"), measure=same_name,
    )  # fmt: skip
    assert await made.combined() == []


# ---- periods -------------------------------------------------------------------------------------


async def test_figures_of_different_years_are_not_composed(desk, named):
    made = two_values(
        desk, named, difference(named, "CHN", "IND"), ("CHN", "2025", "19498039388042.6"),
        ("IND", "2024", "3760813470500.86"),
    )  # fmt: skip
    assert await made.combined() == []
    assert "different periods: China 2025, India 2024" in made.reasons()


async def test_one_entity_at_two_years_is_later_less_earlier(desk, named):
    made = two_values(
        desk, named, difference(named, "IND"), ("IND", "2024", "3760813470500.86"),
        ("IND", "2023", "3500906030644.76"),
    )  # fmt: skip
    (combined,) = await made.combined()
    change, relative = combined.computations
    assert change.value == Decimal("259907439856.10")
    assert relative.value == Decimal("7.4240050313")


async def test_a_comparison_of_different_years_is_not_ordered(desk, named):
    reading = ComparisonReading(entities=(named.mention("IND"), named.mention("CHN")), measure=named.measure())
    made = two_values(
        desk, named, reading, ("IND", "2025", "3956067115771.63"), ("CHN", "2024", "18729668435848"),
        roles=("entity", "entity"),
    )  # fmt: skip
    assert await made.combined() == []
    assert made.query.failures()[0].status is FailureStatus.NOT_COMPARABLE


# ---- units ---------------------------------------------------------------------------------------


async def test_a_difference_of_percentages_is_in_percentage_points(desk, named):
    made = two_values(
        desk, named, difference(named, "FRA", "DEU", relative=True), ("FRA", "2025", "7.542"),
        ("DEU", "2025", "3.711"), variable=JOBLESS,
    )  # fmt: skip
    (combined,) = await made.combined()
    (gap,) = combined.computations
    assert (gap.value, gap.unit) == (Decimal("3.831"), "percentage points")
    assert "percentage points" in made.notes()


def ratio(desk, named, top, bottom, *, as_percent=False, codes=("IND", "IND"), year="2024", bottom_year=None):
    made = desk(
        RatioReading(
            numerator_entity=named.mention(codes[0]), numerator=named.measure("top"),
            denominator_entity=named.mention(codes[1]), denominator=named.measure("bottom"),
            as_percent=as_percent,
        )
    )  # fmt: skip
    shared = "measure" if [v for v, _ in top] == [v for v, _ in bottom] else None
    for role, figures, code, when in (
        ("numerator", top, codes[0], year),
        ("denominator", bottom, codes[1], bottom_year or year),
    ):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(role), entity=named.mention(code), shared_key=shared
        )
        for variable, digits in figures:
            made.figures(slot, variable, {(code, when): digits})
    return made


async def test_a_ratio_is_formed_in_one_currency_and_one_price_basis(desk, named):
    made = ratio(
        desk, named, [(EXPORTS, "442886000000")], [(REAL, "3760813470500.86"), (GDP, "3760813470500.86")],
        as_percent=True,
    )  # fmt: skip
    (combined,) = await made.combined()
    share = combined.computations[0]
    assert share.inputs[1].endswith(f"{GDP}:0")
    assert (share.operation, share.unit) == (Operation.PERCENT_OF, "%")
    assert share.value == Decimal("11.7763351858")
    only_real = ratio(desk, named, [(EXPORTS, "442886000000")], [(REAL, "3760813470500.86")])
    assert await only_real.combined() == []
    assert "different prices" in only_real.reasons()


async def test_money_per_head_has_its_own_unit(desk, named):
    made = ratio(desk, named, [(GDP, "3760813470500.86")], [(POP, "1450935791")])
    (combined,) = await made.combined()
    assert (combined.computations[0].value, combined.computations[0].unit) == (
        Decimal("2591.99166071"),
        "USD per person",
    )


async def test_a_share_above_one_hundred_percent_is_refused(desk, named):
    made = ratio(desk, named, [(RURAL, "1450935791")], [(POP, "937610709")], as_percent=True)
    assert await made.combined() == []
    assert "above 100%" in made.reasons()


async def test_a_share_that_is_itself_published_is_taken_as_it_is(desk, named):
    made = desk(
        RatioReading(
            numerator_entity=named.mention("IND"), numerator=named.measure("exports"),
            denominator_entity=named.mention("IND"), denominator=named.measure("gdp"),
        )
    )  # fmt: skip
    for role, words, variable, digits in (
        ("numerator", "exports", "NE.EXP.GNFS.ZS", "22.2630410669804"),
        ("denominator", "gdp", GDP, "3956067115771.63"),
    ):
        slot = made.slot(SlotKind.VALUE, role, measure=named.measure(words), entity=named.mention("IND"))
        made.figures(slot, variable, {("IND", "2025"): digits})
    (combined,) = await made.combined()
    assert combined.computations[0].value == Decimal("0.22263041067")
    assert combined.computations[0].inputs == ("r:slot:1:NE.EXP.GNFS.ZS:0",)
    assert made.reasons() == ""
    assert "taken as it is published" in made.notes()


async def test_a_zero_denominator_is_refused(desk, named):
    made = ratio(desk, named, [(GDP, "3760813470500.86")], [(POP, "0")])
    assert await made.combined() == []
    assert "is zero" in made.reasons()


async def test_rates_are_not_divided_by_amounts(desk, named):
    made = ratio(desk, named, [(JOBLESS, "4.219")], [(POP, "1450935791")])
    assert await made.combined() == []
    assert "itself relative" in made.reasons()


async def test_a_ratio_of_two_years_is_refused(desk, named):
    made = ratio(desk, named, [(GDP, "3760813470500.86")], [(POP, "1438069596")], bottom_year="2023")
    assert await made.combined() == []


# ---- rankings ------------------------------------------------------------------------------------


def ranked(desk, named, cells, **fields):
    made = desk(RankingReading(population=named.countries(), measure=named.measure(), **fields))
    slot = made.slot(SlotKind.POPULATION, "population", measure=named.measure(), population=named.countries())
    made.figures(slot, GDP, cells)
    return made


async def test_a_ranking_is_over_one_year_and_names_the_odd_ones_out(desk, named):
    made = ranked(desk, named, GDP_2024 | {("ERI", "2011"): "2065001626.01626"}, direction=Direction.LOWEST)
    (combined,) = await made.combined()
    assert combined.tested == 4
    assert "Eritrea (2011)" in made.notes()


async def test_members_without_data_are_named_and_never_zero(desk, named):
    made = ranked(desk, named, GDP_2024 | {("ERI", "2024"): None}, direction=Direction.LOWEST, count=1)
    (combined,) = await made.combined()
    assert combined.rows[0].index == 3
    assert "1 have none and are left out: Eritrea" in made.notes()


async def test_equal_values_share_a_rank_and_ties_at_the_cut_are_shown(desk, named):
    cells = {("NPL", "2024"): "10", ("BTN", "2024"): "20", ("KEN", "2024"): "10", ("IND", "2024"): "5"}
    (combined,) = await ranked(desk, named, cells, count=2).combined()
    assert [row.rank for row in combined.rows] == [1, 2, 2]
    assert [row.index for row in combined.rows] == [1, 2, 0]


# ---- correlations --------------------------------------------------------------------------------


def correlated(desk, named, x_cells, y_cells):
    made = desk(CorrelationReading(population=named.countries(), x=named.measure("a"), y=named.measure("b")))
    for role, variable, cells in (("x", PCAP, x_cells), ("y", LIFE, y_cells)):
        slot = made.slot(SlotKind.POPULATION, role, measure=named.measure(role), population=named.countries())
        made.figures(slot, variable, cells)
    return made


X = {
    ("IND", "2024"): "2591.99",
    ("CHN", "2024"): "13293.12",
    ("DEU", "2024"): "56103.73",
    ("KEN", "2024"): "2133.46",
}
Y = {
    ("IND", "2024"): "72.235",
    ("CHN", "2024"): "78.017",
    ("DEU", "2024"): "80.7926829268293",
    ("JPN", "2024"): "84.0363414634146",
}


async def test_a_correlation_joins_members_that_have_both_and_tells_its_limits(desk, named):
    made = correlated(desk, named, X, Y)
    (combined,) = await made.combined()
    pearson, spearman, count = combined.computations
    assert (combined.matched, count.value) == (3, 3)
    assert spearman.value == 1
    assert Decimal("0.85") < pearson.value < 1
    assert "causes" in made.notes()
    assert "Kenya" in made.notes()


async def test_a_correlation_needs_three_members(desk, named):
    made = correlated(desk, named, dict(list(X.items())[:2]), Y)
    assert await made.combined() == []
    assert "fewer than 3" in made.reasons()


async def test_a_correlation_needs_one_year(desk, named):
    made = correlated(desk, named, X, {(code, "2023"): digits for (code, _), digits in Y.items()})
    assert await made.combined() == []
    assert "different periods" in made.reasons()


# ---- filters and verdicts ------------------------------------------------------------------------


def bound(value, unit=None, comparator=Comparator.GREATER, text="over", upper=None):
    return Threshold(
        comparator=comparator, value=Decimal(value), unit=unit, text=text,
        upper=Decimal(upper) if upper else None,
    )  # fmt: skip


def filtered(desk, named, threshold, *figures):
    reading = FilteredListReading(
        population=named.countries(), conditions=(Condition(measure=named.measure(), threshold=threshold),)
    )
    made = desk(reading)
    slot = made.slot(
        SlotKind.POPULATION, "condition", measure=named.measure(), population=named.countries(),
        threshold=threshold,
    )  # fmt: skip
    for variable, cells in figures:
        made.figures(slot, variable, cells)
    return made


async def test_a_filter_tests_each_member_once_and_lists_the_untested(desk, named):
    made = filtered(desk, named, bound("4000000000000", "USD"), (GDP, GDP_2024 | {("ERI", "2024"): None}))
    (combined,) = await made.combined()
    assert (combined.matched, combined.tested) == (3, 4)
    assert "4 members were tested; 1 could not be, having no figure: Eritrea" in made.notes()


async def test_a_percentage_bound_is_not_held_against_dollars(desk, named):
    made = filtered(desk, named, bound("5", "%"), (GDP, GDP_2024))
    assert await made.combined() == []
    assert made.query.failures()[0].status is FailureStatus.NOT_COMPARABLE


async def test_a_bound_picks_the_meanings_it_fits(desk, named):
    growth = {("IND", "2024"): "7.09927893176518", ("DEU", "2024"): "-0.495851897260366"}
    made = filtered(desk, named, bound("5", "%"), (GDP, GDP_2024), (GROWTH, growth))
    (combined,) = await made.combined()
    assert (combined.meaning, combined.matched) == (GROWTH, 1)


async def test_a_bound_in_another_currency_is_refused(desk, named):
    made = filtered(desk, named, bound("4000000000000", "EUR"), (GDP, GDP_2024))
    assert await made.combined() == []


async def test_contradictory_bounds_match_nobody_and_say_so(desk, named):
    made = filtered(desk, named, bound("9", "USD", Comparator.BETWEEN, "between 9 and 5", "5"), (GDP, GDP_2024))
    (combined,) = await made.combined()
    assert combined.matched == 0
    assert "no value can meet" in made.notes()


async def test_a_verdict_has_a_margin(desk, named):
    threshold = bound("4000000000000", "USD", text="more than $4 trillion")
    made = desk(YesNoReading(entity=named.mention("IND"), measure=named.measure(), threshold=threshold))
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure(), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2024"): "3760813470500.86"})
    (combined,) = await made.combined()
    assert combined.verdict is False
    assert combined.computations[1].value == Decimal("-239186529499.14")


# ---- totals --------------------------------------------------------------------------------------


def reduced(desk, named, operation, variable, cells, **figures):
    made = desk(AggregateReading(operation=operation, population=named.countries(), measure=named.measure()))
    slot = made.slot(SlotKind.POPULATION, "members", measure=named.measure(), population=named.countries())
    made.figures(slot, variable, cells, **figures)
    return made


async def test_a_total_is_summed_only_of_what_adds_up(desk, named):
    (combined,) = await reduced(desk, named, AggregateOperation.SUM, GDP, GDP_2024).combined()
    assert combined.computations[0].value == Decimal("56474087484153.55")
    rate = reduced(desk, named, AggregateOperation.SUM, JOBLESS, {("IND", "2024"): "4.173"})
    assert await rate.combined() == []
    assert "not the sum" in rate.reasons()


async def test_an_undeclared_quantity_is_summed_only_if_judged_to_add_up(desk, named):
    unknown = named.measures[GDP].model_copy(update={"additive": None})
    asked = reduced(desk, named, AggregateOperation.SUM, GDP, GDP_2024, measure=unknown)
    assert len(await asked.combined()) == 1
    physical = unknown.model_copy(update={"unit": Unit(kind=UnitKind.PHYSICAL, code="years", label="years")})
    refused = reduced(desk, named, AggregateOperation.SUM, GDP, GDP_2024, measure=physical)
    assert await refused.combined() == []
    unjudged = reduced(desk, named, AggregateOperation.SUM, GDP, GDP_2024, measure=unknown)
    assert await unjudged.combined(replace(unjudged.context(), judges=())) == []


async def test_an_incomplete_total_names_who_is_missing(desk, named):
    made = reduced(desk, named, AggregateOperation.SUM, GDP, GDP_2024 | {("JPN", "2024"): None})
    await made.combined()
    assert "it lacks Japan" in made.notes()


@pytest.mark.parametrize(
    ("measure", "kind", "per", "verdict"),
    [
        ("Population, total", "count", None, "yes"),
        ("GDP (current US$)", "currency", None, "yes"),
        ("GDP per capita (current US$)", "currency", None, "no"),
        ("Unemployment, total", "percent", None, "no"),
        ("Forest area", "physical", None, "unknown"),
    ],
)
async def test_the_builtin_rule_on_adding_up(measure, kind, per, verdict):
    request = AddsUpRequest(measure=measure, definition="", unit="", unit_kind=kind, per=per, members=())
    assert (await quantity_adds_up(request, None)).adds_up == verdict


async def test_a_list_that_does_not_tell_the_fact_asked_for_is_not_that_list(desk, named):
    landlocked = named.countries("landlocked countries").model_copy(update={"fact_filter": "landlocked"})
    for name, wanted in (("membership", 0), ("landlocked members", 1)):
        made = desk(ItemListReading(relation="members", population=landlocked))
        slot = made.slot(SlotKind.MEMBERS, "members", relation="members", population=landlocked)
        measure = named.measures[GDP].model_copy(update={"variable": "membership", "name": name})
        observation = Observation(entity=named.country("NPL"), period=Period.undated(), flag=True)
        made.executed(
            slot,
            Executed(meaning="m", measure=measure, response=named.response(), observations=(observation,)),
        )
        assert len(await made.combined()) == wanted


# ---- series and parts ----------------------------------------------------------------------------


async def test_missing_years_of_a_trend_are_disclosed(desk, named):
    made = desk(TrendReading(entities=(named.mention("IND"),), measure=named.measure()))
    slot = made.slot(SlotKind.SERIES, "series", measure=named.measure(), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2022"): "3249938492013.47", ("IND", "2025"): "3956067115771.63"})
    (combined,) = await made.combined()
    assert combined.computations[0].value == Decimal("706128623758.16")
    assert "no figure is reported for 2023 and 2024" in made.notes()


def split(desk, named, total, *parts):
    made = desk(BreakdownReading(entity=named.mention("IND"), measure=named.measure(), dimension="residence"))
    slot = made.slot(SlotKind.CATEGORIES, "categories", measure=named.measure(), entity=named.mention("IND"))
    # World Bank: rural and urban population of India, 2024.
    cells = {("IND", "2024"): parts[0]}
    made.figures(slot, POP, cells, total=total, categories=("Rural", "Urban"))
    executed = made._executed[-1].payload
    second = executed.observations[0].model_copy(update={"value": Decimal(parts[1])})
    made._executed[-1] = made._executed[-1].model_copy(
        update={"payload": executed.model_copy(update={"observations": (executed.observations[0], second)})}
    )
    return made


async def test_parts_that_do_not_add_up_to_their_total_are_refused(desk, named):
    (combined,) = await split(desk, named, "1450935791", "937610709", "513325082").combined()
    assert combined.computations[0].value == Decimal("64.6211027956")
    assert combined.rows[-1].index == -1
    off = split(desk, named, "1450935791", "937610709", "400000000")
    assert await off.combined() == []
    assert "they overlap or some are missing" in off.reasons()

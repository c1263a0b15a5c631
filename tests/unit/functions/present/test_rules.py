"""What holds of every answer: evidence, completeness, figures in the text, and the ways to end without one."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from functions.present.draft import Draft
from functions.present.evidence import Carried, supported
from functions.present.stage import present
from functions.present.wording import FIGURES_WITHHELD, checked, unclaimed
from shared.query.annotated import AnnotatedQuery, Annotation, Combined, EntityResolved, Failed
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Claim, DisclosureKind, Failure, FailureStatus
from shared.query.identifiers import ClaimId, RunId
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    Comparator,
    ComparisonReading,
    Condition,
    CorrelationReading,
    DifferenceReading,
    EntityMention,
    FilteredListReading,
    RankingReading,
    RatioReading,
    Threshold,
    TopicalReading,
    TrendReading,
    VagueAspectReading,
    ValueReading,
    YesNoReading,
)
from shared.query.slots import SlotKind

GDP, GROWTH, POP, RURAL, PCAP, LIFE = (
    "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG", "SP.POP.TOTL", "SP.RUR.TOTL", "NY.GDP.PCAP.CD", "SP.DYN.LE00.IN",
)  # fmt: skip
GDP_2024 = {
    ("USA", "2024"): "29298013000000",
    ("CHN", "2024"): "18729668435848",
    ("DEU", "2024"): "4685592577804.69",
    ("IND", "2024"): "3760813470500.86",
}


def claim(value, *, measure="GDP (constant 2015 US$)", period="2025", evidence=("r:1",)):
    return Claim(
        id=ClaimId("claim:1"), text="a claim", value=value, unit="USD", entity="India", period=period,
        measure=measure, evidence=evidence,
    )  # fmt: skip


def value_desk(desk, named, **options):
    made = desk(ValueReading(entity=named.mention("IND"), measure=named.measure()), **options)
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure(), entity=named.mention("IND"))
    return made, slot


def traced(answer: Answer) -> bool:
    """Every claim cites what the answer carries, and every computation's inputs are carried too."""
    known = {receipt.id for receipt in answer.receipts} | {made.id for made in answer.computations}
    inputs = {cited for made in answer.computations for cited in made.inputs}
    return all(one.evidence and known.issuperset(one.evidence) for one in answer.claims) and inputs <= known


# ---- the text ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "strangers"),
    [
        ("India's GDP (constant 2015 US$) was $3.96 trillion in 2025.", []),
        ("India's GDP (constant 2015 US$) was $4 trillion in 2025.", []),
        ("It was $3,956,067,115,771.63.", []),
        ("It was $3.95 trillion.", ["$3.95 trillion"]),
        ("It was $3.96 trillion in 2024.", ["2024"]),
        ("It was 7 percent.", ["7 percent"]),
    ],
)
def test_every_figure_in_the_text_is_claimed_or_rightly_rounded(text, strangers):
    assert unclaimed(text, [claim(Decimal("3956067115771.63"))], ()) == strangers


def test_a_sentence_with_a_stray_figure_gives_way_to_its_plainer_form():
    draft = Draft(claims=[claim(Decimal("3956067115771.63"))])
    draft.say("It was about $5 trillion.", "It was $3,956,067,115,771.63.")
    draft.say("It was $9.", "It was $8.")
    assert checked(draft) == f"It was $3,956,067,115,771.63. {FIGURES_WITHHELD}"


# ---- evidence ------------------------------------------------------------------------------------


def test_a_claim_cites_only_what_the_answer_carries():
    (kept,), (lost,) = supported([claim(Decimal(1), evidence=("r:1", "r:2"))], Carried((), ()), [])
    assert kept.evidence == ()
    assert lost.kind is DisclosureKind.CITATION
    assert "r:1, r:2" in lost.text


async def test_receipts_are_collected_from_every_execution_whatever_is_claimed(desk, named):
    made, slot = value_desk(desk, named, on_ambiguity="ask")
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63"})
    made.figures(slot, GROWTH, {("IND", "2025"): "7.56666179284244"})
    answer = await made.answer()
    assert answer.claims == ()
    assert len(answer.receipts) == 2
    assert answer.receipts[0].licence == "CC BY 4.0"
    assert "NY.GDP.MKTP.CD" in answer.receipts[0].request.url


# ---- status --------------------------------------------------------------------------------------


async def test_complete_means_that_combine_produced_the_promised_result(desk, named):
    made = desk(ComparisonReading(entities=(named.mention("IND"), named.mention("CHN")), measure=named.measure()))
    for code, digits in (("IND", "3956067115771.63"), ("CHN", "19498039388042.6")):
        slot = made.slot(
            SlotKind.VALUE, "entity", measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, "2025"): digits})
    made.finish()
    bookkeeping = Combined(meaning=GDP, result="value", rows=())
    made.query.append([Annotation(reading=0, stage="combine", payload=bookkeeping)])
    written = await present(made.query, made.context())
    answer = Answer.model_validate(written[0].payload.answer)
    assert answer.status is AnswerStatus.PARTIAL
    assert {one.entity for one in answer.claims} == {"India", "China"}


async def test_a_hole_in_a_series_makes_it_partial(desk, named):
    made = desk(TrendReading(entities=(named.mention("IND"),), measure=named.measure()))
    slot = made.slot(SlotKind.SERIES, "series", measure=named.measure(), entity=named.mention("IND"))
    cells = {("IND", "2022"): "3249938492013.47", ("IND", "2024"): "3760813470500.86"}
    made.figures(slot, GDP, cells, incomplete=("2023",))
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert any("no figure is reported for 2023" in one.text for one in answer.disclosures)


async def test_figures_that_could_not_be_composed_are_still_told(desk, named):
    made = desk(DifferenceReading(entities=(named.mention("CHN"), named.mention("IND")), measure=named.measure()))
    for role, code, year, digits in (
        ("left", "CHN", "2025", "19498039388042.6"),
        ("right", "IND", "2024", "3760813470500.86"),
    ):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, year): digits})
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert answer.computations == ()
    assert "GDP (current US$), China: $19.5 trillion in 2025." in answer.text
    assert answer.failures[0].status is FailureStatus.NOT_COMPARABLE


async def test_nothing_found_is_unanswered_with_the_reason(desk, named):
    made, slot = value_desk(desk, named)
    made.fail(FailureStatus.NO_DATA, "GDP (current US$) has no figure for India in 2031", slot=slot)
    answer = await made.answer()
    assert answer.status is AnswerStatus.UNANSWERED
    assert "no figure for India in 2031" in answer.text
    assert answer.refusal is None


async def test_an_infeasible_operation_is_refused_with_what_it_would_take(desk):
    made = desk(TopicalReading(subject="education grants"))
    made.fail(
        FailureStatus.INFEASIBLE,
        "no mounted source offers a search; it would take a search operation",
        stage="slots",
    )
    answer = await made.answer()
    assert answer.status is AnswerStatus.REFUSED
    assert answer.refusal.verdict == "infeasible"
    assert answer.refusal.needs == "a search operation"


async def test_a_blocked_source_is_told_apart_from_an_impossible_question(desk, named):
    made, slot = value_desk(desk, named)
    made.fail(FailureStatus.BLOCKED, "the rate limit is used up", slot=slot)
    answer = await made.answer()
    assert (answer.status, answer.refusal.verdict) == (AnswerStatus.REFUSED, "blocked")


async def test_what_cannot_be_read_is_unanswered_and_says_so(desk, named):
    query = AnnotatedQuery(run_id=RunId("run"), question="asdf", asked_at=datetime(2026, 7, 2, tzinfo=UTC))
    failure = Failure(
        stage="understand", source=None, slot=None, status=FailureStatus.UNREADABLE,
        reason="could not read this; it would take a form such as “What is India's GDP?”",
    )  # fmt: skip
    query.append([Annotation(reading=-1, stage="understand", payload=Failed(failure=failure))])
    context, _ = value_desk(desk, named)
    written = await present(query, context.context())
    answer = Answer.model_validate(written[0].payload.answer)
    assert answer.status is AnswerStatus.UNANSWERED
    assert answer.refusal.verdict == "unreadable"
    assert answer.refusal.needs.startswith("a form such as")


async def test_an_ambiguous_name_that_nothing_settles_is_asked_back(desk, named):
    mention = EntityMention(
        text="Congo", status="ambiguous", candidates=(named.country("KEN"), named.country("NGA"))
    )
    made = desk(ValueReading(entity=mention, measure=named.measure()))
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure(), entity=mention)
    made.fail(FailureStatus.AMBIGUOUS, "several places are named Congo", slot=slot)
    answer = await made.answer()
    assert answer.status is AnswerStatus.NEEDS_CLARIFICATION
    assert [option.assumptions for option in answer.clarification.options] == [{"entity": "KEN"}, {"entity": "NGA"}]


async def test_places_of_one_name_are_offered_with_their_values(desk, named):
    made, slot = value_desk(desk, named, on_ambiguity="ask")
    made.figures(slot, GDP, {("KEN", "2025"): "135941278878.815"}, meaning=f"{GDP}@KEN")
    made.figures(slot, GDP, {("NGA", "2025"): "290794361542.112"}, meaning=f"{GDP}@NGA")
    answer = await made.answer()
    assert answer.status is AnswerStatus.NEEDS_CLARIFICATION
    assert [option.assumptions for option in answer.clarification.options] == [
        {"measure": GDP, "entity": "KEN"},
        {"measure": GDP, "entity": "NGA"},
    ]


async def test_a_population_that_a_source_covers_in_part_is_partial(desk, named):
    made = desk(RankingReading(population=named.countries(), measure=named.measure()))
    slot = made.slot(SlotKind.POPULATION, "population", measure=named.measure(), population=named.countries())
    made.figures(slot, GDP, GDP_2024)
    made.resolve(slot, EntityResolved(expression="all", complete=False, member_of="the world's countries"))
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert any("does not cover the whole of the world's countries" in one.text for one in answer.disclosures)


# ---- composed answers ----------------------------------------------------------------------------


async def test_a_difference_reads_with_both_figures(desk, named):
    made = desk(DifferenceReading(entities=(named.mention("IND"), named.mention("CHN")), measure=named.measure()))
    for role, code, digits in (("left", "IND", "3956067115771.63"), ("right", "CHN", "19498039388042.6")):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, "2025"): digits})
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text == (
        "China's GDP (current US$) was $15.54 trillion (392.86%) more than India's in 2025: "
        "$19.5 trillion against $3.96 trillion, according to the World Bank."
    )
    assert traced(answer)


async def test_a_share_reads_with_part_and_whole(desk, named):
    made = desk(
        RatioReading(
            numerator_entity=named.mention("IND"), numerator=named.measure("rural population"),
            denominator_entity=named.mention("IND"), denominator=named.measure("population"), as_percent=True,
        )
    )  # fmt: skip
    for role, variable, digits in (("numerator", RURAL, "941424277"), ("denominator", POP, "1463865525")):
        slot = made.slot(SlotKind.VALUE, role, measure=named.measure(role), entity=named.mention("IND"))
        made.figures(slot, variable, {("IND", "2025"): digits})
    answer = await made.answer()
    assert answer.text == (
        "India's rural population in 2025 was 64.31% of its population: "
        "941.42 million of 1.46 billion, according to the World Bank."
    )
    assert answer.claims[-1].value == Decimal("64.3108441945")
    assert traced(answer)


async def test_a_verdict_comes_first_with_its_margin(desk, named):
    bound = Threshold(
        comparator=Comparator.GREATER, value=Decimal(4 * 10**12), unit="USD", text="more than $4 trillion"
    )
    made = desk(YesNoReading(entity=named.mention("IND"), measure=named.measure(), threshold=bound))
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure(), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63"})
    answer = await made.answer()
    assert answer.text.startswith(
        "No: India's GDP (current US$) was $3.96 trillion in 2025, which is $43.93 billion below"
    )
    assert traced(answer)


async def test_a_filtered_list_is_traced_to_everyone_who_was_tested(desk, named):
    bound = Threshold(comparator=Comparator.GREATER, value=Decimal(4 * 10**12), unit="USD", text="over $4 trillion")
    made = desk(
        FilteredListReading(
            population=named.countries(), conditions=(Condition(measure=named.measure(), threshold=bound),)
        )
    )
    slot = made.slot(
        SlotKind.POPULATION, "condition", measure=named.measure(), population=named.countries(), threshold=bound
    )
    made.figures(slot, GDP, GDP_2024)
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith(
        "3 of the countries had a GDP of over $4 trillion in 2024: the United States ($29.3 trillion)"
    )
    assert [one.entity for one in answer.claims[:3]] == ["United States", "China", "Germany"]
    assert len(answer.receipts) == 4
    assert traced(answer)


async def test_an_incomplete_total_is_partial_and_says_whose_it_is(desk, named):
    made = desk(
        AggregateReading(operation=AggregateOperation.SUM, population=named.countries(), measure=named.measure())
    )
    slot = made.slot(SlotKind.POPULATION, "members", measure=named.measure(), population=named.countries())
    made.figures(slot, GDP, GDP_2024 | {("JPN", "2024"): None})
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "over countries that report it in 2024 was $56.47 trillion" in answer.text
    assert traced(answer)


async def test_a_correlation_carries_every_point(desk, named):
    made = desk(CorrelationReading(population=named.countries(), x=named.measure("a"), y=named.measure("b")))
    figures = {
        ("x", PCAP): ("2591.9916607122", "13293.1162269366", "56103.7323182554"),
        ("y", LIFE): ("72.235", "78.017", "80.7926829268293"),
    }
    for (role, variable), digits in figures.items():
        slot = made.slot(SlotKind.POPULATION, role, measure=named.measure(role), population=named.countries())
        made.figures(slot, variable, dict(zip([(c, "2024") for c in ("IND", "CHN", "DEU")], digits, strict=True)))
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert "over 3 countries in 2024" in answer.text
    assert len(answer.receipts) == 6
    assert answer.charts[0].spec["mark"]["type"] == "point"
    assert traced(answer)


async def test_an_aspect_is_several_figures_of_their_own(desk, named):
    made = desk(VagueAspectReading(entity=named.mention("KEN"), aspect="economy"))
    for variable, digits in ((GDP, "135941278878.815"), (GROWTH, "4.63261093844984")):
        slot = made.slot(SlotKind.VALUE, "aspect", measure=named.measure(variable), entity=named.mention("KEN"))
        made.figures(slot, variable, {("KEN", "2025"): digits})
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert (
        "Kenya's GDP (current US$) was $135.94 billion in 2025. Kenya's GDP growth (annual %) was 4.6%"
        in answer.text
    )
    assert len(answer.claims) == 2


def test_digits_of_a_published_title_are_no_figures_of_ours():
    title = "Unemployment, youth male (% of male labor force ages 15-24) (modeled ILO estimate)"
    claim = Claim(
        id=ClaimId("c1"),
        text="",
        value=Decimal("23.934"),
        unit="%",
        entity="Spain",
        period="2025",
        measure=title,
        evidence=("r",),
    )
    text = "Spain's unemployment, youth male was 23.9% of male labor force ages 15-24 in 2025."
    assert unclaimed(text, [claim], ()) == []
    assert unclaimed(text.replace("23.9", "24.9"), [claim], ()) == ["24.9%"]

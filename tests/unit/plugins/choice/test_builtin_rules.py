"""Documents are chosen by what they say, over all of the World Bank's published indicators at once."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finder_index.leaves import read_corpus
from plugins.choice.builtin_rules import select_documents
from plugins.choice.tasks import (
    SELECT_DOCUMENTS,
    Candidate,
    ChoiceReply,
    ChoiceRequest,
    ChosenGroup,
    read_meanings,
)
from plugins.choice.wording import key, plain, words
from shared.models.tasks import validated

CORPUS = Path(__file__).parents[4] / "finder_index" / "corpus"
UNUSED = cast("Any", None)


@lru_cache(maxsize=1)
def candidates() -> dict[str, Candidate]:
    leaves = read_corpus(CORPUS).leaves
    return {leaf.variable: Candidate.of(leaf.document()) for leaf in leaves if leaf.source == "worldbank"}


def request(measure: str, *, question: str = "", per_capita: bool = False, share: bool = False) -> ChoiceRequest:
    return ChoiceRequest(
        question=question,
        measure=measure,
        per_capita=per_capita,
        share=share,
        candidates=tuple(candidates().values()),
    )


def chosen(measure: str, **more: Any) -> list[str]:
    asked = request(measure, **more)
    reply = asyncio.run(select_documents(asked, UNUSED))
    assert validated(SELECT_DOCUMENTS, asked, reply) is None
    by_id = {candidate.id: variable for variable, candidate in candidates().items()}
    return [by_id[group.documents[0]] for group in reply.groups]


@pytest.mark.parametrize(
    ("measure", "variables"),
    [
        (
            "GDP",
            ["NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.PCAP.KD.ZG"],
        ),
        ("gross domestic product per person", ["NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.PCAP.KD.ZG"]),
        ("gdp growth", ["NY.GDP.MKTP.KD.ZG"]),
        ("population", ["SP.POP.TOTL"]),
        ("life expectancy", ["SP.DYN.LE00.IN"]),
        ("unemployment rate", ["SL.UEM.TOTL.ZS"]),
        ("joblessness", ["SL.UEM.TOTL.ZS"]),
        ("carbon emissions per capita", ["EN.ATM.CO2E.PC"]),
        ("homicide rate", ["VC.IHR.PSRC.P5"]),
        ("infant mortality rate", ["SP.DYN.IMRT.IN"]),
        ("adult literacy rate", ["SE.ADT.LITR.ZS"]),
        ("female literacy rate", ["SE.ADT.LITR.FE.ZS"]),
        ("exports of goods and services", ["NE.EXP.GNFS.ZS"]),
    ],
)
def test_words_choose_the_published_quantity(measure: str, variables: list[str]) -> None:
    assert chosen(measure) == variables


@pytest.mark.parametrize(
    "measure",
    [
        "share population lives",
        "real gdp",
        "median income",
        "minimum wage",
        "gold medals",
        "happiness",
        "gdp ppp",
        "",
        "?",
    ],
)
def test_a_quantity_that_is_not_published_is_not_guessed(measure: str) -> None:
    assert chosen(measure) == []


def test_a_share_of_people_does_not_answer_how_many() -> None:
    assert chosen("female population") == []
    asked = "How many people live in the cities of India?"
    assert chosen("urban population", question=asked) == ["SP.URB.TOTL"]


def test_a_quantity_published_for_each_sex_is_answered_for_both() -> None:
    assert set(chosen("youth unemployment")) == {"SL.UEM.1524.FE.ZS", "SL.UEM.1524.MA.ZS"}
    assert set(chosen("out-of-school children, primary")) == {"SE.PRM.UNER.FE", "SE.PRM.UNER.MA"}


def test_a_sure_finder_does_not_make_a_quantity_of_a_form() -> None:
    sure = tuple(candidate.model_copy(update={"score": 95.0}) for candidate in candidates().values())
    asked = request("share population lives").model_copy(update={"candidates": sure})
    assert asyncio.run(select_documents(asked, UNUSED)).groups == ()


def test_a_sure_finder_needs_fewer_words_in_common() -> None:
    asked = request("time spent on care")
    title = candidates()["SG.TIM.UWRK.FE"].model_copy(update={"constraints": ""})
    unsure = asked.model_copy(update={"candidates": (title,)})
    sure = asked.model_copy(update={"candidates": (title.model_copy(update={"score": 86.5}),)})
    assert asyncio.run(select_documents(unsure, UNUSED)).groups == ()
    assert asyncio.run(select_documents(sure, UNUSED)).groups == ()
    named = sure.model_copy(update={"measure": "women's time spent on care"})
    assert asyncio.run(select_documents(named, UNUSED)).groups[0].documents == (title.id,)


@pytest.mark.parametrize(
    ("measure", "variable"),
    [
        ("unemployment among young men", "SL.UEM.1524.MA.ZS"),
        ("deaths of children under five per 1000 births", "SH.DYN.MORT"),
        ("forest relative to land area", "AG.LND.FRST.ZS"),
        ("jobless rate of women", "SL.UEM.TOTL.FE.ZS"),
        ("govt debt % gdp", "GC.DOD.TOTL.GD.ZS"),
        ("aid received as a percentage of gross national income", "DT.ODA.ODAT.GN.ZS"),
        ("land area in square kilometres", "AG.LND.TOTL.K2"),
        ("road deaths per 100k", "SH.STA.TRAF.P5"),
        ("people living on less than $3 a day", "SI.POV.DDAY"),
        ("university enrolment", "SE.TER.ENRR"),
        ("money sent home by workers abroad", "BX.TRF.PWKR.CD.DT"),
        ("fertility rate", "SP.DYN.TFRT.IN"),
        ("literacy", "SE.ADT.LITR.ZS"),
    ],
)
def test_other_words_for_a_quantity_choose_it(measure: str, variable: str) -> None:
    assert chosen(measure, question=measure) == [variable]


def test_a_quantity_of_two_vaccines_has_two_meanings() -> None:
    for measure in ("immunization coverage", "rates of child immunization"):
        assert set(chosen(measure)) == {"SH.IMM.MEAS", "SH.IMM.IDPT"}


def test_what_a_rate_is_per_may_stand_apart_from_its_measure() -> None:
    asked = "Which countries had an infant mortality rate higher than 50 per 1,000 births?"
    assert chosen("infant mortality rate births", question=asked) == ["SP.DYN.IMRT.IN"]


@pytest.mark.parametrize(
    "measure",
    [
        "remittances sent abroad",
        "foreign aid given to other countries",
        "oil rents as a share of gdp",
        "deaths from heart disease",
        "healthy life expectancy",
        "adult mortality rate",
        "suicide rate",
        "patents granted",
        "threatened amphibian species",
        "organic farmland share",
        "part-time employment share",
        "polio vaccination coverage",
        "co2 emissions per dollar of gdp",
        "unemployment per 100,000 people",
        "income share",
    ],
)
def test_a_word_that_no_document_says_is_not_overlooked(measure: str) -> None:
    assert chosen(measure, question=measure) == []


@pytest.mark.parametrize(
    ("question", "measure", "variable"),
    [
        (
            "By how many percentage points was inflation higher in Turkey?",
            "consumer price inflation",
            "FP.CPI.TOTL.ZG",
        ),
        ("How many EU countries had an unemployment rate of 10% or more?", "unemployment rate", "SL.UEM.TOTL.ZS"),
    ],
)
def test_counted_countries_and_points_are_no_amount_of_people(question: str, measure: str, variable: str) -> None:
    assert chosen(measure, question=question) == [variable]


def test_an_amount_published_only_as_a_share_is_refused_and_the_share_is_told() -> None:
    asked = request("population aged 65 and above", question="Which country has the most senior citizens?")
    reply = asyncio.run(select_documents(asked, UNUSED))
    assert reply.groups == ()
    assert reply.other_form == (candidates()["SP.POP.65UP.TO.ZS"].id,)
    assert chosen("population aged 65 and above", share=True) == ["SP.POP.65UP.TO.ZS"]


def test_a_number_that_the_question_asks_for_is_not_turned_into_a_share() -> None:
    asked = "Show me the number of people over 65 in Romania."
    assert chosen("population ages 65 and above (% of total population)", question=asked, share=True) == []


def test_an_absolute_number_is_not_a_rate_nor_money_a_percentage() -> None:
    assert chosen("maternal deaths", question="absolute number of maternal deaths in Mexico") == []
    assert chosen("tourism receipts", question="tourism receipts in US dollars") == []


def test_the_sex_of_the_question_is_not_lost_with_its_measure() -> None:
    asked = "What proportion of women in Italy can read and write?"
    assert chosen("literacy rate", question=asked, share=True) == ["SE.ADT.LITR.FE.ZS"]
    both = "Is the literacy rate of women higher than that of men?"
    assert chosen("literacy rate", question=both) == ["SE.ADT.LITR.ZS"]


def test_a_share_is_answered_by_a_share() -> None:
    assert chosen("urban population", share=True)[0] == "SP.URB.TOTL.IN.ZS"


def test_a_figure_per_head_is_answered_by_one() -> None:
    assert chosen("gdp", per_capita=True)[0] == "NY.GDP.PCAP.CD"


def test_every_first_phrase_finds_its_own_document() -> None:
    lost = [
        variable
        for variable, candidate in candidates().items()
        if variable not in chosen(candidate.phrases[0], question="")
    ]
    assert lost == [], lost


def test_a_reply_may_only_name_what_was_offered() -> None:
    asked = request("gdp")
    strange = ChoiceReply(groups=(ChosenGroup(documents=("urn:none",), label="x"),))
    assert "not offered" in (validated(SELECT_DOCUMENTS, asked, strange) or "")
    one = candidates()["NY.GDP.MKTP.CD"].id
    twice = ChoiceReply(groups=(ChosenGroup(documents=(one,), label="x"), ChosenGroup(documents=(one,), label="y")))
    assert "two groups" in (validated(SELECT_DOCUMENTS, asked, twice) or "")
    empty = ChoiceReply(groups=(ChosenGroup(documents=(), label="x"),))
    assert validated(SELECT_DOCUMENTS, asked, empty) is not None


@pytest.mark.parametrize(
    "text", ["", "not json", "{}", '[{"term": "gdp"}]', '[{"term": 1, "label": 2, "rank": "x"}]']
)
def test_unreadable_meanings_are_none(text: str) -> None:
    assert read_meanings(text) == ()


@given(st.text(max_size=80))
def test_one_form_of_a_text_stays_the_same_when_formed_again(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert words(text) == frozenset(key(text).split())


def refused_for(measure: str, question: str, **more: Any) -> list[str]:
    """What is told to be published in another form than the one asked for."""
    asked = request(measure, question=question, **more)
    reply = asyncio.run(select_documents(asked, UNUSED))
    assert reply.groups == ()
    by_id = {candidate.id: variable for variable, candidate in candidates().items()}
    return [by_id[document] for document in reply.other_form]


def test_gdp_at_purchasing_power_is_told_per_person_and_is_no_conversion_factor() -> None:
    for measure in ("gdp ppp", "gdp (ppp)"):
        assert refused_for(measure, "GDP PPP of India") == ["NY.GDP.PCAP.PP.CD"]
    assert chosen("ppp conversion factor") == ["PA.NUS.PPP"]
    sure = candidates()["PA.NUS.PPP"].model_copy(update={"score": 95.0})
    asked = request("gdp ppp", question="GDP PPP of India").model_copy(update={"candidates": (sure,)})
    assert asyncio.run(select_documents(asked, UNUSED)).groups == ()


def test_a_sex_of_the_question_is_never_dropped() -> None:
    asked = "share of women in the labor force in India"
    assert chosen("labor force", question=asked, share=True) == ["SL.TLF.TOTL.FE.ZS"]
    assert refused_for("imports", "imports of women in India") == []


def test_the_isle_of_man_is_no_sex() -> None:
    assert chosen("life expectancy", question="life expectancy on the Isle of Man") == ["SP.DYN.LE00.IN"]


def test_a_word_that_belongs_to_another_measure_of_the_question_excludes_nothing() -> None:
    asked = "GDP growth of countries where female literacy is above 90%"
    assert chosen("gdp growth", question=asked) == ["NY.GDP.MKTP.KD.ZG"]


def test_the_whole_that_a_share_is_of_must_be_the_published_one() -> None:
    measure = "female population (% of labour force)"
    asked = "female % of labour force in India"
    assert chosen(measure, question=asked, share=True) == ["SL.TLF.TOTL.FE.ZS"]


def test_electricity_is_not_all_energy() -> None:
    asked = "What share of electricity in Germany comes from renewables?"
    assert chosen("renewable energy consumption", question=asked, share=True) == ["EG.ELC.RNEW.ZS"]
    plainly = "What share of energy in Germany comes from renewables?"
    assert chosen("renewable energy consumption", question=plainly, share=True) == ["EG.FEC.RNEW.ZS"]


@pytest.mark.parametrize("measure", ["average salary", "wages", "average wage of women"])
def test_pay_is_not_answered_by_a_share_of_workers(measure: str) -> None:
    assert refused_for(measure, f"{measure} in Poland") == []


def test_wage_workers_are_published_for_each_sex_and_labelled_by_it() -> None:
    reply = asyncio.run(select_documents(request("youth unemployment"), UNUSED))
    assert {group.label for group in reply.groups} == {"female", "male"}


@pytest.mark.parametrize(
    ("question", "measure", "rates"),
    [
        ("number of births in Japan", "fertility rate", ["SP.DYN.CBRT.IN"]),
        ("number of births in Japan", "births", ["SP.DYN.CBRT.IN"]),
        ("number of deaths in Japan", "deaths", ["SP.DYN.CDRT.IN"]),
        ("number of children in India", "fertility rate", ["SP.DYN.TFRT.IN"]),
    ],
)
def test_a_rate_does_not_answer_a_number(question: str, measure: str, rates: list[str]) -> None:
    assert refused_for(measure, question) == rates


@pytest.mark.parametrize(
    ("question", "measure", "variable"),
    [
        ("number of deaths per 1000 people in Japan", "deaths", "SP.DYN.CDRT.IN"),
        ("How many children does a woman have in Japan?", "fertility rate", "SP.DYN.TFRT.IN"),
        ("What is the average number of children a woman has?", "fertility rate", "SP.DYN.TFRT.IN"),
    ],
)
def test_a_number_per_so_many_is_a_rate(question: str, measure: str, variable: str) -> None:
    assert chosen(measure, question=question) == [variable]


def test_people_that_are_published_as_a_share_are_told_as_one() -> None:
    asked = "How many people in Ethiopia have electricity?"
    assert refused_for("access to electricity", asked) == ["EG.ELC.ACCS.ZS"]
    assert refused_for("poverty rate", "how many people in India live in poverty") == ["SI.POV.NAHC"]


def test_the_direction_of_a_ranking_is_no_part_of_its_measure() -> None:
    asked = "top ten countries with the highest literacy rate"
    assert chosen("highest literacy rate", question=asked) == ["SE.ADT.LITR.ZS"]


def test_one_tenth_of_the_people_keeps_its_end() -> None:
    assert chosen("income share held 10", question="income share held by lowest 10% in Brazil") == [
        "SI.DST.FRST.10"
    ]
    assert chosen("income share of the poorest 10%", question="") == ["SI.DST.FRST.10"]
    assert chosen("pov gap $3", question="pov gap $3 in India") == ["SI.POV.GAPS"]


def test_debt_to_one_lender_is_not_all_debt() -> None:
    asked = "How much does Argentina owe the IMF?"
    assert chosen("central government debt", question=asked) == ["DT.DOD.DIMF.CD"]
    assert chosen("loans", question="World Bank loans to India") == ["DT.DOD.MWBG.CD"]

"""The search puts the table that was meant first, looks past places, and says no when nothing fits."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest

from finder_index.build import build_index
from finder_index.finder import LocalFinder
from finder_index.index import load_index
from finder_index.limits import Limits
from finder_index.phrasings import make_phrasings
from finder_index.search import Search
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.query.discovery import FinderReply, FinderRequest
from shared.runtime.deadline import Deadline
from shared.runtime.errors import DeadlineExceeded, UnknownSource, UsageError
from tests.support.finder_corpora import CountingEmbedder, make_corpus

OF_COUNTRIES = ("countryfacts", "worldbank")
"""The sources whose tables the labels name; others describe some of the same quantities for other places."""
LABELLED = list(
    csv.DictReader(
        (Path(__file__).parent / "labelled_phrasings.tsv").read_text(encoding="utf-8").splitlines(), delimiter="\t"
    )
)


@pytest.fixture(scope="module")
def finder() -> LocalFinder:
    return LocalFinder.open(PackagedEmbedder())


async def ask(finder: LocalFinder, *texts: str, sources: tuple[str, ...] = (), **more: int | bool) -> FinderReply:
    request = FinderRequest.model_validate({"texts": texts, "sources": sources, **more})
    return await finder.search(request, deadline=Deadline.after(60))


async def test_there_are_labelled_phrasings_enough() -> None:
    assert len(LABELLED) >= 150


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: case["query"])
async def test_the_right_table_comes_first(finder: LocalFinder, case: dict[str, str]) -> None:
    reply = await ask(finder, case["query"], sources=OF_COUNTRIES)
    assert reply.results[0].variable == case["variable"]
    assert reply.eligibility == "match"
    assert reply.score_scale == "rerank"


@pytest.mark.parametrize(
    "text",
    ["number of unicorns", "number of unicorns in france", "favourite ice cream flavour", "olympic medals won",
     "minimum wage", "divorce rate in italy", "oil production of norway", "price of milk",
     "internet users in kenya", "passport power", "suicide rate"],
)  # fmt: skip
async def test_what_no_table_describes_is_no_match(finder: LocalFinder, text: str) -> None:
    reply = await ask(finder, text, sources=OF_COUNTRIES)
    assert reply.results == ()
    assert reply.eligibility == "no_match"
    assert any("no table reached 50 of 100" in note for note in reply.notes)


async def test_the_meanings_of_gdp_come_with_the_nominal_amount_first(finder: LocalFinder) -> None:
    reply = await ask(finder, "gdp", sources=OF_COUNTRIES)
    assert [document.variable for document in reply.results[:5]] == [
        "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.PCAP.KD.ZG",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "first", "beside"),
    [
        ("poverty", "SI.POV.NAHC", {"SI.POV.DDAY", "SI.POV.LMIC", "SI.POV.UMIC", "SI.POV.MDIM"}),
        ("exports", "TX.VAL.MRCH.CD.WT", {"NE.EXP.GNFS.ZS"}),
        ("military spending", "MS.MIL.XPND.CD", {"MS.MIL.XPND.GD.ZS", "MS.MIL.XPND.ZS"}),
        ("emissions", "EN.ATM.CO2E.KT", {"EN.ATM.GHGT.KT.CE", "EN.ATM.CO2E.PC"}),
        ("inflation", "FP.CPI.TOTL.ZG", {"NY.GDP.DEFL.KD.ZG"}),
        ("school enrollment", "SE.PRM.ENRR", {"SE.SEC.ENRR", "SE.TER.ENRR"}),
    ],
)
async def test_a_term_of_several_meanings_brings_them_all(
    finder: LocalFinder, asked: str, first: str, beside: set[str]
) -> None:
    found = [document.variable for document in (await ask(finder, asked, sources=OF_COUNTRIES)).results]
    assert found[0] == first
    assert beside <= set(found)


async def test_both_parts_come_where_only_parts_are_published(finder: LocalFinder) -> None:
    reply = await ask(finder, "youth unemployment", sources=OF_COUNTRIES)
    assert {document.variable for document in reply.results[:2]} == {"SL.UEM.1524.FE.ZS", "SL.UEM.1524.MA.ZS"}


@pytest.mark.parametrize("plain", ["gdp", "life expectancy", "unemployment rate", "population density"])
async def test_a_place_and_a_year_change_neither_order_nor_score(finder: LocalFinder, plain: str) -> None:
    bare = [(document.variable, document.score) for document in (await ask(finder, plain)).results[:3]]
    for placed in (f"{plain} of Japan", f"{plain} in Papua New Guinea", f"{plain} in Chad in 2019"):
        assert [(d.variable, d.score) for d in (await ask(finder, placed)).results[:3]] == bare


def test_phrasings_are_the_callers_first_then_those_without_places() -> None:
    made = make_phrasings(["gdp india", "What is India's GDP?", "gdp"], lambda text: text.replace("india", ""))
    assert made.texts == ("gdp india", "What is India's GDP?", "gdp")
    assert made.judged == (2, 1)


async def test_a_word_that_looks_like_a_place_may_be_what_is_asked_about(tmp_path: Path) -> None:
    tables = {"bank": {"P": "People speaking Persian at home", "N": "People speaking Navajo at home"}}
    corpus = make_corpus(tmp_path / "c", tables)
    await build_index(corpus, tmp_path / "i", CountingEmbedder())
    finder = LocalFinder.open(CountingEmbedder(), path=tmp_path / "i", corpus=corpus)
    for asked, wanted in (("people who speak Persian at home", "P"), ("people who speak Navajo at home", "N")):
        assert (await ask(finder, asked)).results[0].variable == wanted


def test_a_phrasing_that_is_only_a_place_is_kept_whole() -> None:
    assert make_phrasings(["india"], lambda _: "").texts == ("india",)


def test_an_empty_phrasing_is_bad_input() -> None:
    with pytest.raises(UsageError, match="empty"):
        make_phrasings(["gdp", "  "], None)


async def test_each_source_that_describes_a_quantity_is_among_the_first(finder: LocalFinder) -> None:
    found = {document.variable for document in (await ask(finder, "population")).results[:4]}
    assert {"Count_Person", "SP.POP.TOTL"} <= found


async def test_only_the_sources_asked_for_are_searched(finder: LocalFinder) -> None:
    reply = await ask(finder, "land borders", sources=("worldbank",))
    assert {document.source for document in reply.results} <= {"worldbank"}
    reply = await ask(finder, "gdp", sources=("countryfacts",))
    assert reply.eligibility == "no_match"
    assert (await ask(finder, "capital city", sources=("countryfacts",))).results[0].variable == "capital"


async def test_an_unknown_source_is_bad_input_and_the_known_ones_are_named(finder: LocalFinder) -> None:
    with pytest.raises(UnknownSource, match=r"countryfacts, .*worldbank"):
        await ask(finder, "gdp", sources=("eurostat",))


async def test_the_best_of_each_source_comes_first(finder: LocalFinder) -> None:
    reply = await ask(finder, "capital")
    assert [document.source for document in reply.results[:2]] == ["countryfacts", "worldbank"]


async def test_the_page_is_as_long_as_asked_and_the_reply_says_what_is_beyond(finder: LocalFinder) -> None:
    reply = await ask(finder, "gdp", page_size=2)
    assert len(reply.results) == 2
    assert any("further tables qualified beyond the 2 asked for" in note for note in reply.notes)


async def test_without_the_reranker_the_scale_is_named(finder: LocalFinder) -> None:
    reply = await ask(finder, "number of unicorns", rerank=False, page_size=5)
    assert reply.score_scale == "embedding"
    assert len(reply.results) == 5
    assert any("no threshold holds" in note for note in reply.notes)


async def test_a_table_far_off_by_embedding_is_found_by_its_words(tmp_path: Path) -> None:
    corpus = make_corpus(
        tmp_path / "c", {"bank": {f"V.{n}": f"Alpha beta {n}" for n in range(40)} | {"Z": "Zebra herds"}}
    )
    embedder = CountingEmbedder()
    await build_index(corpus, tmp_path / "i", embedder)
    search = Search(load_index(tmp_path / "i"), Limits(slice=2, examined=6, per_phrasing=1, per_source=1, band=0.0))
    elsewhere = await embedder.embed(["Alpha beta 7. alpha beta 7."])
    reply = await search.run(
        FinderRequest(texts=("herds of zebra",)),
        make_phrasings(["herds of zebra"], None),
        elsewhere,
        deadline=Deadline.after(60),
    )
    assert reply.results[0].variable == "Z"


async def test_what_was_not_looked_at_is_said(finder: LocalFinder) -> None:
    notes = " ".join((await ask(finder, "gdp of india")).notes)
    assert f"of {len(finder.index)} tables were examined first" in notes
    assert "candidates were not examined" in notes


async def test_any_of_several_phrasings_may_find_the_table(finder: LocalFinder) -> None:
    reply = await ask(finder, "the thing they asked about", "jobless rate", sources=OF_COUNTRIES)
    assert reply.results[0].variable == "SL.UEM.TOTL.ZS"


async def test_a_variable_is_looked_up_exactly(finder: LocalFinder) -> None:
    (document,) = await finder.by_variable("SP.POP.TOTL")
    assert (document.source, document.title) == ("worldbank", "Population, total")
    assert document.terms["unit"] == "people"
    assert document.terms["keyType"] == "iso3"
    assert await finder.by_variable("SP.POP.TOT") == ()


async def test_a_variable_of_several_sources_gives_them_all(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c", {"bank": {"A": "Interest rate"}, "census": {"A": "Rate of interest"}})
    await build_index(corpus, tmp_path / "i", CountingEmbedder())
    finder = LocalFinder.open(CountingEmbedder(), path=tmp_path / "i", corpus=corpus)
    assert [document.source for document in await finder.by_variable("A")] == ["bank", "census"]


async def test_concurrent_searches_agree_with_single_ones(finder: LocalFinder) -> None:
    cases = LABELLED[:40]
    replies = await asyncio.gather(*(ask(finder, case["query"], sources=OF_COUNTRIES) for case in cases))
    assert [reply.results[0].variable for reply in replies] == [case["variable"] for case in cases]


async def test_a_search_whose_time_is_up_is_a_deadline_not_an_empty_result(finder: LocalFinder) -> None:
    with pytest.raises(DeadlineExceeded):
        await finder.search(FinderRequest(texts=("gdp",)), deadline=Deadline.after(0))


def test_limits_are_read_under_their_documented_names() -> None:
    limits = Limits.from_environment(
        {
            "ARD_PREFILTER_SLICE": "60",
            "ARD_PREFILTER_BAND": "0.02",
            "ARD_MIN_RERANK_SCORE": "70",
            "ARD_STRIP_PLACES": "0",
        }
    )
    assert (limits.slice, limits.band, limits.min_score, limits.strip_places) == (60, 2.0, 70.0, False)
    with pytest.raises(UsageError, match="ARD_PREFILTER_MAX must be a number"):
        Limits.from_environment({"ARD_PREFILTER_MAX": "many"})


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("ARD_RERANK", "0", "rerank", False),
        ("ARD_PREFILTER_MAX", "151", "candidates", 151),
        ("ARD_PREFILTER_BAND", "0.06", "band", 6.0),
        ("ARD_PREFILTER_SLICE", "60", "slice", 60),
        ("ARD_PREFILTER_EXAMINED_MAX", "121", "examined", 121),
        ("ARD_PREFILTER_NARROW_STD", "2.5", "narrow_spread", 2.5),
        ("ARD_PER_SOURCE_POOL", "4", "per_source", 4),
        ("ARD_RESULT_SOURCES", "6", "result_sources", 6),
        ("ARD_SOURCE_ANCHORS", "1", "anchors", 1),
        ("ARD_PER_PHRASING", "7", "per_phrasing", 7),
        ("ARD_STRIP_PLACES", "0", "strip_places", False),
        ("ARD_MIN_RERANK_SCORE", "55", "min_score", 55.0),
        ("ARD_RERANK_DESC", "1", "describe", True),
        ("LLM_TIMEOUT", "7", "call_seconds", 7.0),
    ],
)
def test_each_documented_name_sets_its_limit(name: str, text: str, field: str, value: float) -> None:
    assert getattr(Limits.from_environment({name: text}), field) == value


def test_the_limits_are_the_documented_ones() -> None:
    plain = Limits.from_environment({})
    assert (plain.candidates, plain.slice, plain.band, plain.examined) == (150, 30, 5.0, 120)
    assert (plain.per_phrasing, plain.per_source, plain.result_sources, plain.anchors) == (6, 3, 5, 2)
    assert (plain.narrow_spread, plain.min_score, plain.call_seconds) == (3.0, 50.0, 120.0)
    assert (plain.strip_places, plain.rerank, plain.describe) == (True, True, False)


async def test_widening_goes_on_while_scores_lie_close_and_stops_at_the_examined_cap(tmp_path: Path) -> None:
    tables = {"bank": {f"V.{n}": f"Alpha beta {n}" for n in range(40)}}
    corpus = make_corpus(tmp_path / "c", tables)
    embedder = CountingEmbedder()
    await build_index(corpus, tmp_path / "i", embedder)
    close = Limits(slice=5, examined=15, per_phrasing=1, per_source=1, band=0.0, narrow_spread=1000.0)
    search = Search(load_index(tmp_path / "i"), close)
    phrasings = make_phrasings(["zebra"], None)
    vectors = await embedder.embed(phrasings.texts)
    reply = await search.run(FinderRequest(texts=("zebra",)), phrasings, vectors, deadline=Deadline.after(60))
    assert reply.eligibility == "no_match"
    assert sum("more tables were examined" in note for note in reply.notes) == 2
    assert (reply.examined, reply.not_looked_at.candidates) == (15, 25)
    assert reply.widening == "stopped: the cap of 15 examined tables was reached"
    spread = Search(load_index(tmp_path / "i"), Limits(slice=5, examined=15, narrow_spread=0.0))
    reply = await spread.run(FinderRequest(texts=("zebra",)), phrasings, vectors, deadline=Deadline.after(60))
    assert any(note.startswith("widening stopped") for note in reply.notes)

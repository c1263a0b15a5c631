"""A leaf or access document that does not parse is an error with file and line; the packaged corpus is sound."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from finder_index.generators import country_facts, worldbank, worldbank_live
from finder_index.generators.corpus import write_corpus
from finder_index.generators.extract_worldbank import COLUMNS, extract
from finder_index.generators.titles import read_title
from finder_index.generators.wording_tables import WORDING, read_meanings, read_wording
from finder_index.index import CORPUS
from finder_index.leaves import Leaf, read_corpus
from finder_index.lexical import phrase_key
from finder_index.signature import corpus_signature
from shared.runtime.errors import CorpusInvalid
from tests.support.finder_corpora import LEAF, make_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus", {"bank": {"A.B": "Interest rate"}})


@pytest.fixture(scope="module")
def packaged() -> tuple[Leaf, ...]:
    return read_corpus(CORPUS).leaves


GOOD = LEAF.format(title="Interest rate", query="interest rate", variable="A.B")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no front matter", r"bank/A\.B\.md:1: front matter must open"),
        ("---\ntype: T\n", r"A\.B\.md:1: the front matter is never closed"),
        (GOOD.replace("okf:unit: '%'", "okf:unit: '%"), r"A\.B\.md:\d+: found unexpected end of stream"),
        (GOOD.replace("type: Statistical Table", "type: ''"), r"A\.B\.md:2: type is required"),
        (GOOD.replace("title: Interest rate\n", ""), r"A\.B\.md:1: title is required"),
        (GOOD.replace("title: Interest rate", "title: 12"), r"A\.B\.md:3: title must be text, found int"),
        (GOOD.replace("  - interest rate", "  - 7"), r"A\.B\.md:5: representativeQueries must be a list of texts"),
        (GOOD.replace("  - interest rate\n", ""), r"A\.B\.md:5: representativeQueries must be a list of texts"),
        (GOOD.replace("okf:unit: '%'", "okf:unit: [1, 2]"), r"A\.B\.md:8: okf:unit must be text"),
        (GOOD.replace("okf:unit: '%'", "okf:unit:"), r"A\.B\.md:8: okf:unit must be text"),
        (GOOD.replace("okf:unit: '%'", "okf:unit: ['1,000']"), r"A\.B\.md:8: .*may not hold one"),
        (GOOD.replace("okf:unit: '%'", "title: Another"), r"A\.B\.md:8: the key title is given twice"),
        (GOOD.replace("okf:variable: A.B\n", ""), r"A\.B\.md:1: okf:variable is required"),
        (GOOD.replace("okf:unit: '%'", "? [a, b]\n: c"), r"A\.B\.md:8: a key must be plain text"),
        (GOOD.replace("okf:unit: '%'", "okf:latest: 2025-13-45"), r"A\.B\.md:2: month must be in 1..12"),
        ("---\n- a\n- b\n---\n", r"A\.B\.md:2: front matter must be a mapping"),
        (GOOD.replace("okf:unit: '%'", "okf:unit: !!python/object:os.system x"), r"A\.B\.md:8: could not"),
    ],
)  # fmt: skip
def test_a_broken_leaf_fails_with_file_and_line(corpus: Path, text: str, complaint: str) -> None:
    (corpus / "sources/bank/A.B.md").write_text(text)
    with pytest.raises(CorpusInvalid, match=complaint):
        read_corpus(corpus)


def test_a_leaf_that_is_not_utf8_fails(corpus: Path) -> None:
    (corpus / "sources/bank/A.B.md").write_bytes(b"---\ntype: \xff\n---\n")
    with pytest.raises(CorpusInvalid, match=r"A\.B\.md:1: not UTF-8"):
        read_corpus(corpus)


def test_a_source_without_access_document_fails(corpus: Path) -> None:
    (corpus / "sources/bank/_access.md").unlink()
    with pytest.raises(CorpusInvalid, match=r"bank/_access\.md:1: the source has no access document"):
        read_corpus(corpus)


def test_an_access_document_of_another_source_fails(corpus: Path) -> None:
    access = corpus / "sources/bank/_access.md"
    access.write_text(access.read_text().replace("okf:source: bank", "okf:source: shop"))
    with pytest.raises(CorpusInvalid, match=r"_access\.md:5: okf:source must be the folder's name"):
        read_corpus(corpus)


def test_an_access_document_without_operations_fails(corpus: Path) -> None:
    access = corpus / "sources/bank/_access.md"
    access.write_text(access.read_text().replace("okf:operations:\n  - entity_value\n", ""))
    with pytest.raises(CorpusInvalid, match="okf:operations is required"):
        read_corpus(corpus)


def test_two_leaves_of_one_variable_fail(corpus: Path) -> None:
    (corpus / "sources/bank/C.md").write_text(GOOD)
    with pytest.raises(CorpusInvalid, match=r"C\.md:7: A\.B is already described by sources/bank/A\.B\.md"):
        read_corpus(corpus)


def test_reserved_names_are_not_leaves(corpus: Path) -> None:
    (corpus / "sources/bank/index.md").write_text("# A listing\n")
    assert [leaf.variable for leaf in read_corpus(corpus).leaves] == ["A.B"]


def test_access_terms_are_merged_below_the_leaf(corpus: Path) -> None:
    (leaf,) = read_corpus(corpus).leaves
    assert leaf.terms["keyType"] == "iso3"
    assert leaf.terms["unit"] == "%"
    assert leaf.identifier == "urn:air:example.org:okf:bank.A.B"
    assert leaf.index_text == "Interest rate. Describes countries. Interest rate by year.", (
        "a query that adds no word is left out"
    )


def test_a_query_is_embedded_when_it_adds_a_word(corpus: Path) -> None:
    leaf = corpus / "sources/bank/A.B.md"
    leaf.write_text(leaf.read_text().replace("  - interest rate", "  - interest rate\n  - cost of a loan"))
    (read,) = read_corpus(corpus).leaves
    assert read.index_text == "Interest rate. cost of a loan. Describes countries. Interest rate by year."


def test_the_signature_changes_with_any_byte_and_any_name(corpus: Path) -> None:
    before = corpus_signature(corpus)
    leaf = corpus / "sources/bank/A.B.md"
    leaf.write_text(leaf.read_text() + " ")
    changed = corpus_signature(corpus)
    leaf.rename(corpus / "sources/bank/B.md")
    assert len({before, changed, corpus_signature(corpus)}) == 3


def test_the_packaged_corpus_holds_every_indicator_and_fact(packaged: tuple[Leaf, ...]) -> None:
    by_source: dict[str, set[str]] = defaultdict(set)
    for leaf in packaged:
        by_source[leaf.source].add(leaf.variable)
    indicators = {indicator.code for indicator in worldbank.read_indicators()}
    assert len(indicators) == 400
    record = {"income_level", "region", "lending_type", "capital", "membership"}
    assert by_source["worldbank"] == indicators | record | set(worldbank_live.PUBLISHED)
    assert by_source["countryfacts"] == {
        "borders", "us_state_borders", "capital", "us_state_capital", "currency", "membership", "region",
        "landlocked",
    }  # fmt: skip


def test_every_document_conforms_to_the_open_knowledge_format() -> None:
    for path in CORPUS.glob("sources/*/*.md"):
        opening, head, _ = path.read_text(encoding="utf-8").split("---\n", 2)
        front = yaml.safe_load(head)
        assert opening == ""
        assert isinstance(front["type"], str)
        assert front["type"]
        assert path.name not in {"index.md", "log.md"}
        for key in ("title", "description", "resource"):
            assert isinstance(front.get(key, ""), str)
        assert all(isinstance(tag, str) for tag in front["tags"])
        assert all(isinstance(source["resource"], str) for source in front.get("sources", []))


def test_leaves_are_what_the_generators_make(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    assert corpus_signature(tmp_path) == corpus_signature(CORPUS)


def test_generating_again_changes_nothing_and_removes_what_is_no_longer_made(tmp_path: Path) -> None:
    country_facts.write(tmp_path)
    stale = tmp_path / "countryfacts" / "gone.md"
    stale.write_text("left over")
    assert country_facts.write(tmp_path) == []
    assert not stale.exists()


def test_every_table_has_two_to_eight_phrasings(packaged: tuple[Leaf, ...]) -> None:
    assert {leaf.variable for leaf in packaged if not 2 <= len(leaf.queries) <= 8} == set()


def test_a_phrase_belongs_to_one_table_of_a_source_or_its_meanings_are_listed(packaged: tuple[Leaf, ...]) -> None:
    # Programmes of one source publish one measure, each by its own method: its plugin tells them apart.
    owners: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for leaf in packaged:
        for phrase in (*leaf.queries, *leaf.aliases):
            owners[leaf.source, leaf.terms.get("program", ""), phrase_key(phrase)].add(leaf.variable)
    shared = {key: variables for key, variables in owners.items() if len(variables) > 1}
    terms = {
        phrase_key(meaning["term"])
        for leaf in packaged
        for meaning in json.loads(leaf.terms.get("meaningOf", "[]"))
    }
    assert {key: variables for key, variables in shared.items() if key[2] not in terms} == {}


@pytest.mark.parametrize(
    ("phrase", "variable"),
    [
        ("gdp", "NY.GDP.MKTP.CD"),
        ("unemployment", "SL.UEM.TOTL.ZS"),
        ("inflation", "FP.CPI.TOTL.ZG"),
        ("population", "SP.POP.TOTL"),
        ("people", "SP.POP.TOTL"),
        ("life expectancy", "SP.DYN.LE00.IN"),
        ("exports", "TX.VAL.MRCH.CD.WT"),
        ("military spending", "MS.MIL.XPND.CD"),
        ("literacy", "SE.ADT.LITR.ZS"),
        ("co2 emissions", "EN.ATM.CO2E.KT"),
        ("foreign aid", "DT.ODA.ODAT.CD"),
        ("homicides", "VC.IHR.PSRC.P5"),
    ],
)
def test_a_plain_phrase_belongs_to_the_plain_quantity(phrase: str, variable: str) -> None:
    wording = read_wording(WORDING / "worldbank.tsv")
    assert [code for code, words in wording.items() if phrase in words.phrases] == [variable]


def test_the_first_meaning_of_gdp_is_the_nominal_amount() -> None:
    meanings = read_meanings(WORDING / "worldbank_meanings.tsv")
    ranks = {m.rank: code for code, listed in meanings.items() for m in listed if m.term == "gdp"}
    assert [ranks[rank] for rank in sorted(ranks)] == [
        "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.CD", "NY.GDP.PCAP.PP.CD", "NY.GDP.PCAP.KD.ZG",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("A\tx", "t.tsv:2: 2 cells, expected 3"),
        ("A\t\t", "t.tsv:2: A has no phrase"),
        ("A\tx\t\nA\ty\t", "t.tsv:3: A is"),
    ],
)
def test_a_broken_wording_row_fails_with_file_and_line(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "t.tsv").write_text(f"code\tphrases\taliases\n{line}\n")
    with pytest.raises(ValueError, match=complaint):
        read_wording(tmp_path / "t.tsv")


def test_ranks_of_a_term_run_from_one(tmp_path: Path) -> None:
    (tmp_path / "m.tsv").write_text("term\tindicator\tlabel\trank\ngdp\tA\ttotal\t1\ngdp\tB\tgrowth\t3\n")
    with pytest.raises(ValueError, match=r"m\.tsv:3: the ranks of 'gdp'"):
        read_meanings(tmp_path / "m.tsv")


@pytest.mark.parametrize(
    ("code", "title", "fields"),
    [
        ("SL.UEM.TOTL.FE.ZS", "Unemployment, female (% of female labor force) (modeled ILO estimate)",
         ("Unemployment, female", "%", "share", {"sex": "female"})),
        ("NY.GDP.PCAP.PP.CD", "GDP per capita, PPP (current international $)",
         ("GDP per capita, PPP", "international $", "value", {})),
        ("SP.DYN.TFRT.IN", "Fertility rate, total (births per woman)",
         ("Fertility rate, total", "births per woman", "rate", {})),
        ("SI.POV.GINI", "Gini index", ("Gini index", "index", "index", {})),
        ("EN.HPT.THRD.NO", "Plant species (higher), threatened",
         ("Plant species (higher), threatened", "species", "value", {})),
        ("SP.POP.GROW", "Population growth (annual %)", ("Population growth", "%", "growth", {})),
    ],
)  # fmt: skip
def test_a_title_is_read_into_fields(code: str, title: str, fields: tuple[str, str, str, dict[str, str]]) -> None:
    read = read_title(code, title)
    assert (read.quantity, read.unit.code, read.unit.statistic, read.constraints) == fields


def test_a_title_whose_unit_no_rule_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="no rule knows the unit"):
        read_title("X.Y", "Number of things (furlongs per fortnight)")


def test_poverty_lines_carry_the_line_of_their_own_vintage(packaged: tuple[Leaf, ...]) -> None:
    titles = {
        leaf.variable: (leaf.title, leaf.terms.get("vintage"))
        for leaf in packaged
        if leaf.type == "Statistical Table"
    }
    assert titles["SI.POV.LMIC"] == (
        "Poverty headcount ratio at $3.20 a day (2011 PPP) (% of population)", "2021-09-15",
    )  # fmt: skip
    assert titles["SI.POV.DDAY"] == (
        "Poverty headcount ratio at $3.00 a day (2021 PPP) (% of population)", "2026-07-01",
    )  # fmt: skip


PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "worldbank"


@pytest.mark.slow
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the publisher's tables are not beside this checkout")
def test_the_compact_table_is_what_the_publishers_tables_reduce_to() -> None:
    reduced = [
        tuple(line.split("\t")) for line in gzip.decompress(worldbank.DATA.read_bytes()).decode().splitlines()
    ]
    assert reduced == [COLUMNS, *extract(PUBLISHED)]

"""Catalogs become leaves that parse, every row is accounted for, and a run can be taken up again."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from finder_index import catalogs
from finder_index.catalogs import CATALOGS, DATA, Catalog, CatalogDataMissing, GenerateReport, generate_all, main
from finder_index.generators import corpus_folder, country_facts, worldbank
from finder_index.generators.tally import Tally
from finder_index.leaves import Corpus, read_corpus

EXTRACTS = Path(__file__).parent / "extracts"
URN = re.compile(r"^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> GenerateReport:
    return generate_all(EXTRACTS, tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def corpus(generated: GenerateReport) -> Corpus:
    return read_corpus(generated.out)


def test_every_document_of_every_catalog_parses(generated: GenerateReport, corpus: Corpus) -> None:
    assert len(corpus.leaves) == generated.leaves
    assert {leaf.source for leaf in corpus.leaves} == {s for c in CATALOGS.values() for s in c.sources}


def test_identifiers_are_urns_and_no_two_leaves_share_one(corpus: Corpus) -> None:
    identifiers = [leaf.identifier for leaf in corpus.leaves]
    assert len(set(identifiers)) == len(identifiers)
    assert [identifier for identifier in identifiers if not URN.match(identifier)] == []


def test_every_generated_leaf_asks_two_to_five_questions(corpus: Corpus) -> None:
    packaged = {f"sources/worldbank/{name}" for name in worldbank.generate()}
    packaged |= {f"sources/countryfacts/{name}" for name in country_facts.generate()}
    for leaf in corpus.leaves:
        if leaf.file not in packaged:
            assert 2 <= len(leaf.queries) <= 5, leaf.file


def test_every_row_is_a_leaf_or_its_fate_is_told(generated: GenerateReport) -> None:
    for report in generated.catalogs:
        assert report.rows == report.leaves + sum(report.merged.values()) + sum(report.left_out.values())
        for reason in (*report.merged, *report.left_out):
            assert report.examples[reason], reason


def test_the_report_names_each_reason_with_an_example(generated: GenerateReport) -> None:
    text = generated.text()
    assert "1 part of another leaf: margin of error named in the figure's own leaf" in text
    assert "a dataflow for which the publisher's API answers with an error (as BD_9AC_L_FORM_R2$DV_343)" in text
    assert text.endswith(f"in {generated.out}")


def test_the_corpus_declares_its_format_and_lists_its_sources(generated: GenerateReport) -> None:
    head, _, body = (generated.out / "index.md").read_text().removeprefix("---\n").partition("---\n")
    assert yaml.safe_load(head) == {"okf_version": "0.2"}
    assert "* [unsdg](sources/unsdg/_access.md) - United Nations Statistics Division" in body


def test_every_source_says_its_operations_key_grain_and_completeness(generated: GenerateReport) -> None:
    for catalog in CATALOGS.values():
        for source in catalog.sources:
            text = (generated.out / "sources" / source / "_access.md").read_text()
            front = yaml.safe_load(text.split("---\n")[1])
            for key in ("okf:operations", "okf:keyType", "okf:grain", "okf:completeness", "okf:licence"):
                assert front[key], f"{source} {key}"


def test_the_same_data_give_the_same_bytes(generated: GenerateReport, tmp_path: Path) -> None:
    again = generate_all(EXTRACTS, tmp_path)
    assert read_corpus(again.out).signature == read_corpus(generated.out).signature


def test_an_unchanged_catalog_is_kept(tmp_path: Path) -> None:
    generate_all(EXTRACTS, tmp_path, only=["places"])
    (report,) = generate_all(EXTRACTS, tmp_path, only=["places"]).catalogs
    assert report.kept
    assert report.leaves == 4


def test_a_lost_document_is_written_again_and_the_others_are_left_alone(tmp_path: Path) -> None:
    generate_all(EXTRACTS, tmp_path, only=["places"])
    (tmp_path / "sources" / "cdc-places" / "KIDNEY.md").unlink()
    (report,) = generate_all(EXTRACTS, tmp_path, only=["places"]).catalogs
    assert (report.written, report.unchanged, report.kept) == (1, 4, False)


def test_a_document_that_is_no_longer_generated_goes(tmp_path: Path) -> None:
    generate_all(EXTRACTS, tmp_path, only=["places"])
    stale = tmp_path / "sources" / "cdc-places" / "GONE.md"
    stale.write_text("---\ntype: Metric\n---\n")
    (report,) = generate_all(EXTRACTS, tmp_path, only=["places"]).catalogs
    assert report.removed == 1
    assert not stale.exists()


def test_a_run_that_was_cut_off_is_taken_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = CATALOGS["places"]

    def cut_off(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
        for number, document in enumerate(whole.generate(data, tally)):
            if number == 3:
                raise KeyboardInterrupt
            yield document

    broken = Catalog(whole.name, whole.publisher, cut_off, whole.sources, whole.files, whole.licence)
    monkeypatch.setattr(catalogs, "CATALOGS", {"places": broken})
    with pytest.raises(KeyboardInterrupt):
        generate_all(EXTRACTS, tmp_path)
    monkeypatch.setattr(catalogs, "CATALOGS", {"places": whole})
    (report,) = generate_all(EXTRACTS, tmp_path).catalogs
    assert (report.written, report.unchanged) == (2, 3)


def test_progress_tells_the_documents_of_each_catalog(tmp_path: Path) -> None:
    told: list[tuple[str, int]] = []
    generate_all(EXTRACTS, tmp_path, lambda name, count: told.append((name, count)), only=["places", "grants"])
    assert told == [("places", 5), ("grants", 14)]


def test_a_row_that_vanishes_in_a_generator_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(_data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
        tally.read(2)
        tally.leaf()
        yield "sources/careless/_access.md", "---\ntype: x\n---\n"

    catalog = Catalog("careless", "Nobody", careless, ("careless",), (), "none")
    monkeypatch.setattr(catalogs, "CATALOGS", {"careless": catalog})
    with pytest.raises(ValueError, match="careless: 1 rows are neither leaves nor told of"):
        generate_all(EXTRACTS, tmp_path)


def test_two_documents_of_one_path_are_an_error(tmp_path: Path) -> None:
    documents = [("sources/a/x.md", "1"), ("sources/a/x.md", "2")]
    with pytest.raises(ValueError, match="two documents have this path"):
        list(corpus_folder.write_leaves(tmp_path, documents, ["a"]))


def test_a_document_outside_its_sources_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="outside its catalog's sources"):
        list(corpus_folder.write_leaves(tmp_path, [("sources/b/x.md", "1")], ["a"]))


def test_without_the_data_folder_the_message_says_where_it_was_sought(tmp_path: Path) -> None:
    with pytest.raises(CatalogDataMissing, match=r"there is no folder of catalogs at .*nowhere.*--data"):
        generate_all(tmp_path / "nowhere", tmp_path / "out")


def test_a_missing_file_of_the_data_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogDataMissing, match=r"lacks 1 of the catalogs' files.*places_measures\.csv"):
        generate_all(tmp_path, tmp_path / "out", only=["places"])


def test_the_command_line_tells_of_missing_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out")]) == 1
    assert "there is no folder of catalogs" in capsys.readouterr().err


def test_the_command_line_prints_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(EXTRACTS), "--out", str(tmp_path), "places"]) == 0
    assert "places: 4 rows, 4 leaves" in capsys.readouterr().out


def test_a_generator_is_made_of_its_module_its_imports_and_what_they_read() -> None:
    names = {path.name for path in corpus_folder.generator_files("finder_index.generators.worldbank_catalog")}
    assert {"worldbank_catalog.py", "worldbank.py", "titles.py", "catalog_leaf.py", "worldbank.tsv"} <= names
    assert not names & {"datacommons.py", "datacommons.tsv", "sec.tsv"}


def test_the_state_of_a_catalog_is_readable(tmp_path: Path) -> None:
    generate_all(EXTRACTS, tmp_path, only=["places"])
    state = json.loads((tmp_path / "generated" / "places.json").read_text())
    assert state["report"]["leaves"] == 4


def test_the_extracts_say_where_they_come_from() -> None:
    told = {line.split("\t")[0] for line in (EXTRACTS / "PROVENANCE.tsv").read_text().splitlines()[1:]}
    carried = {path.relative_to(EXTRACTS).as_posix() for path in EXTRACTS.rglob("*") if path.is_file()}
    assert carried - {"PROVENANCE.tsv"} == told


HERE = pytest.mark.skipif(not DATA.is_dir(), reason="the publishers' catalogs in ../shared/data are not here")
LARGE = frozenset({"datacommons", "census", "worldbank", "eurostat", "statcan"})


@HERE
def test_the_publishers_smaller_catalogs_give_leaves_that_parse() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = generate_all(DATA, Path(folder), only=[name for name in CATALOGS if name not in LARGE])
        assert len(read_corpus(Path(folder)).leaves) == report.leaves > 10_000


@HERE
@pytest.mark.skipif("NEURALKG_ALL_CATALOGS" not in os.environ, reason="takes minutes: set NEURALKG_ALL_CATALOGS")
def test_the_publishers_catalogs_give_more_than_118703_leaves() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = generate_all(DATA, Path(folder))
        assert len(read_corpus(Path(folder)).leaves) == report.leaves > 118_703

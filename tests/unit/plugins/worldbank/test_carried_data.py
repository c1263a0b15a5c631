"""The carried figures are those that were published, and the tool that carries them says when it cannot."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from plugins.worldbank.snapshot.figures import DATA, value_table
from plugins.worldbank.snapshot.indicators import carried_indicators
from tools import carry_worldbank

PUBLISHED = Path(__file__).parents[4].parent / "shared" / "data" / "worldbank"


def test_each_data_file_has_its_provenance() -> None:
    lines = (DATA / "PROVENANCE.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["file", "publisher", "source", "licence", "what it is", "date of the data"]
    assert all(len(line.split("\t")) == 6 for line in lines)
    named = " ".join(line.split("\t")[0] for line in lines[1:])
    for path in DATA.iterdir():
        if path.name not in {"PROVENANCE.tsv", "values"}:
            assert path.name in named
    assert "values/*.tsv.gz" in named


def test_an_indicator_is_carried_exactly_when_it_has_a_table() -> None:
    tables = {path.name.removesuffix(".tsv.gz") for path in (DATA / "values").iterdir()}
    assert tables == set(carried_indicators())
    assert len(tables) == 400


def test_a_missing_folder_of_published_figures_is_said_clearly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert carry_worldbank.main([str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in capsys.readouterr().err


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published figures are not beside the repository")
def test_the_carried_values_equal_the_published_ones() -> None:
    with gzip.open(PUBLISHED / "wdi_core_values_2026-07.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        checked = 0
        for number, (indicator, entity, year, value) in enumerate(rows):
            if number % 997 == 0:
                assert value_table(indicator).cells(entity)[int(year)] == value
                checked += 1
    assert checked > 800

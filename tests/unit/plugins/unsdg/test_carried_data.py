"""The carried figures are those that were published, and their provenance is told."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import pytest

from plugins.unsdg.snapshot.figures import DATA, carried_series, read_line, value_lines
from plugins.unsdg.units import UNITS

PUBLISHED = Path(__file__).parents[4].parent / "shared" / "data" / "unsdg"


def test_each_data_file_has_its_provenance() -> None:
    lines = (DATA / "PROVENANCE.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["file", "publisher", "source", "licence", "what it is", "date of the data"]
    assert all(len(line.split("\t")) == 6 for line in lines)
    named = " ".join(line.split("\t")[0] for line in lines[1:])
    for path in DATA.iterdir():
        if path.name not in {"PROVENANCE.tsv", "values"}:
            assert path.name in named
    assert "values/*.tsv.gz" in named


def test_a_series_is_carried_exactly_when_it_has_a_table() -> None:
    tables = {path.name.removesuffix(".tsv.gz") for path in (DATA / "values").iterdir()}
    assert tables == set(carried_series())
    assert len(tables) == 70


def test_every_carried_unit_is_known() -> None:
    units = {read_line(value_lines(series)[0]).unit.upper() for series in carried_series()}
    assert units <= set(UNITS)


def test_no_carried_value_has_a_character_that_json_writes_otherwise() -> None:
    assert not any('"' in line or "\\" in line for series in carried_series() for line in value_lines(series))


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published figures are not beside the repository")
def test_the_carried_values_equal_the_published_ones() -> None:
    carried = {
        (series, line.area, year, nature.lower()): value
        for series in ("SN_ITK_DEFC", "EG_EGY_CLEAN", "AG_LND_FRSTN")
        for line in map(read_line, value_lines(series))
        for year, value, nature in line.cells
    }
    with gzip.open(PUBLISHED / "values_2020.csv.gz", "rt", encoding="utf-8", newline="") as file:
        published = {
            (row["series"], row["geo_area"], int(row["year"]), row["nature"]): row["value"]
            for row in csv.DictReader(file)
            if row["series"] in {"SN_ITK_DEFC", "EG_EGY_CLEAN", "AG_LND_FRSTN"}
        }
    assert carried == published
    assert len(carried) > 9_000


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the recorded lists are not beside the repository")
@pytest.mark.parametrize("name", ["Goal_List", "Target_List", "Indicator_List", "Series_List", "GeoArea_List"])
def test_the_carried_lists_are_the_recorded_ones(name: str) -> None:
    path = next(PUBLISHED.glob(f"{name}_2022Q2.json*"))
    raw = path.read_bytes()
    recorded = json.loads((gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8-sig"))
    assert json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes())) == recorded

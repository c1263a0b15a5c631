"""Carry the UN's published SDG figures into the snapshot beside the plugin.

Reads ``../shared/data/unsdg`` (a folder beside the repository, or the one given as argument) and writes
``plugins/unsdg/snapshot/data``: the recorded lists as they were received, and one compressed table a series.
Values are copied as the strings that were published. The package of values has its codes in lower case; its own
table of codes gives back the publisher's writing.

The finder's table of leaves (``finder_index/generators/data/unsdg_carried.tsv``) is written with them: one leaf a
series, and one for each part that is asked for.

Usage: ``python -m tools.carry_unsdg [SOURCE_FOLDER]``.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "data" / "unsdg"
TARGET = ROOT / "plugins" / "unsdg" / "snapshot" / "data"

LEAVES = ROOT / "finder_index" / "generators" / "data" / "unsdg_carried.tsv"
SLICES = {"Sex": ("FEMALE", "MALE"), "Location": ("RURAL", "URBAN")}
"""Parts that any series which has them beside another part gets leaves of."""
FURTHER = {
    "SL_TLF_UEM": ("Age=15-24",),
    "SI_COV_SOCAST": ("Quantile=Q1",),
    "SE_TOT_PRFL": tuple(
        f"Education level={level};Type of skill={skill}"
        for level in ("GRAD23", "PRIMAR", "LOWSEC")
        for skill in ("SKILL_READ", "SKILL_MATH")
    ),
    "SE_ADT_ACTS": tuple(
        f"Type of skill={skill}"
        for skill in ("ARSP", "CMFL", "COPA", "EMAIL", "EPRS", "INST", "PCPR", "SOFT", "TRAF")
    ),
}
DESCRIBED_LATER = {"EN_ATM_PM25"}
"""Series that were called by one of their parts (cities) and are described as a whole since."""
UNSPLIT = {"SE_TOT_PRFL", "SE_ADT_ACTS"}
"""Series that have too many parts to be split by sex as well."""
COLUMNS = (
    "variable", "series", "slice", "description", "goals", "targets", "indicators", "unit", "first", "last",
    "countries", "groups",
)  # fmt: skip

LISTS = ("Goal", "Target", "Indicator", "Series", "GeoArea")
DIMENSIONS = {
    "age": "Age",
    "sex": "Sex",
    "location": "Location",
    "quantile": "Quantile",
    "education_level": "Education level",
    "type_of_skill": "Type of skill",
    "level_status": "Level/Status",
    "migratory_status": "Migratory status",
    "name_of_non_communicable_disease": "Name of non-communicable disease",
    "observation_status": "Observation Status",
}
"""The package's names of dimensions and what the API calls them; the last one is an attribute there."""

PROVENANCE = (
    "file\tpublisher\tsource\tlicence\twhat it is\tdate of the data",
    "{lists}\tUnited Nations Statistics Division\tgithub:open-word/Q@e7750cabd76506cd7039b40bec35c7124e271977:"
    "World/SQL/api\tMIT (repository); UN data free to use with the source named\tRecorded answers of Goal/List, "
    "Target/List, Indicator/List, Series/List, GeoArea/List and GeoArea/Tree of the SDG API, version 1\t"
    "release 2022.Q2.G.02, July 2022",
    "series.ndjson\tUnited Nations Statistics Division\tgithub:open-numbers/ddf--unstats--sdg_indicators@"
    "1bfae15828a86ad30e86872411534f5c8136d784:ddf--concepts--continuous.csv\tCC BY 4.0 (package)\t"
    "The carried series: code, description with its unit, goal, target, indicator\tdownloaded 2020-10-19",
    "values/*.tsv.gz\tUnited Nations Statistics Division\tgithub:open-numbers/ddf--unstats--sdg_indicators@"
    "1bfae15828a86ad30e86872411534f5c8136d784:ddf--datapoints--*.csv\tCC BY 4.0 (package)\tOne table a series, one "
    "line an area (M49) and combination of dimensions; a cell is year, value and nature as published; what the "
    "package does not have (sources, footnotes, bounds) is not there\tdownloaded 2020-10-19",
)


def read(path: Path) -> Iterator[dict[str, str]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    yield from csv.DictReader(io.StringIO(text, newline=""))


def write_gzip(path: Path, text: str) -> None:
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    path.write_bytes(buffer.getvalue())


def carry_lists(source: Path, target: Path) -> list[str]:
    names = []
    for name in (*(f"{kind}_List" for kind in LISTS), "GeoArea_Tree"):
        found = next(source.glob(f"{name}_2022Q2.json*"))
        raw = found.read_bytes()
        text = (gzip.decompress(raw) if found.suffix == ".gz" else raw).decode("utf-8-sig")
        write_gzip(target / f"{name}.json.gz", text)
        names.append(f"{name}.json.gz")
    return names


def carry_values(source: Path, target: Path) -> set[str]:
    written = {(row["dimension"], row["code"]): row["name"] for row in read(source / "dimension_codes_2020.csv")}
    tables: dict[str, dict[tuple[str, str, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in read(source / "values_2020.csv.gz"):
        parts = []
        for part in filter(None, row["dimensions"].split(";")):
            name, _, code = part.partition("=")
            parts.append(f"{DIMENSIONS[name]}={written[name, code]}")
        key = (row["geo_area"], ";".join(sorted(parts)), written["units", row["units"]])
        cell = f"{row['year']}|{row['value']}|{written['nature', row['nature']]}"
        tables[row["series"]][key].append(cell)
    folder = target / "values"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for series, lines in tables.items():
        ordered = sorted(lines.items(), key=lambda item: (int(item[0][0]), *item[0][1:]))
        text = "".join("\t".join([*key, *sorted(cells)]) + "\n" for key, cells in ordered)
        write_gzip(folder / f"{series}.tsv.gz", text)
    return set(tables)


def carry_series(source: Path, target: Path, carried: set[str]) -> None:
    found = {}
    for row in read(source / "series_concepts_2020.csv.gz"):
        if row["name"].upper() in carried:
            codes = {name: row[name].replace(" ", "").split(",") for name in ("goal", "target", "indicator")}
            found[row["name"].upper()] = {"code": row["name"], "description": row["description"], **codes}
    for row in json.loads(gzip.decompress((target / "Series_List.json.gz").read_bytes())):
        if row["code"] in DESCRIBED_LATER:
            found[row["code"]]["description"] = row["description"]
    if missing := carried - set(found):
        raise SystemExit(f"series without a description: {', '.join(sorted(missing))}")
    lines = [json.dumps(found[code], ensure_ascii=False) for code in sorted(found)]
    (target / "series.ndjson").write_text("\n".join(lines) + "\n", encoding="utf-8")


def slices_of(series: str, dimensions: dict[str, set[str]]) -> list[str]:
    """The parts of a series that get a leaf; the empty one is its total."""
    found = list(FURTHER.get(series, ()))
    without_total = dimensions.get("Sex", set()) >= {"FEMALE", "MALE"} and "BOTHSEX" not in dimensions["Sex"]
    for dimension, codes in SLICES.items():
        has = dimensions.get(dimension, set())
        if series not in UNSPLIT and len(has) > 1:
            found += [f"{dimension}={code}" for code in codes if code in has]
    return found if without_total else ["", *found]


def write_leaves(target: Path) -> int:
    """One line a leaf, with the years and places that have a value."""
    tree = json.loads(gzip.decompress((target / "GeoArea_Tree.json.gz").read_bytes()))
    countries = {node for root in tree for node in countries_below(root)}
    lines = ["\t".join(COLUMNS)]
    for text in (target / "series.ndjson").read_text(encoding="utf-8").splitlines():
        series = json.loads(text)
        raw = gzip.decompress((target / "values" / f"{series['code'].upper()}.tsv.gz").read_bytes()).decode()
        rows = [line.split("\t") for line in raw.splitlines()]
        dimensions: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for part in filter(None, row[1].split(";")):
                dimensions[part.split("=")[0]].add(part.split("=")[1])
        for part in slices_of(series["code"].upper(), dimensions):
            wanted = set(filter(None, part.split(";")))
            kept = [row for row in rows if wanted <= set(row[1].split(";"))]
            years = sorted({cell.split("|")[0] for row in kept for cell in row[3:]})
            places = {row[0] for row in kept}
            code = ".".join([series["code"], *(one.split("=")[1] for one in part.split(";") if one)])
            lines.append(
                "\t".join([
                    code, series["code"], part, series["description"],
                    *(",".join(series[name]) for name in ("goal", "target", "indicator")),
                    kept[0][2], years[0], years[-1], str(len(places & countries)), str(len(places - countries)),
                ])
            )  # fmt: skip
    LEAVES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines) - 1


def countries_below(node: dict[str, Any]) -> Iterator[str]:
    if node["type"] == "Country":
        yield str(node["geoAreaCode"])
    for child in node["children"] or ():
        yield from countries_below(child)


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    if not source.is_dir():
        raise SystemExit(f"no figures at {source}: nothing was carried")
    TARGET.mkdir(parents=True, exist_ok=True)
    names = carry_lists(source, TARGET)
    carried = carry_values(source, TARGET)
    carry_series(source, TARGET, carried)
    text = "\n".join(PROVENANCE).replace("{lists}", ", ".join(names))
    (TARGET / "PROVENANCE.tsv").write_text(text + "\n", encoding="utf-8")
    size = sum(path.stat().st_size for path in TARGET.rglob("*") if path.is_file())
    print(f"{len(carried)} series, {size / 1e6:.2f} MB, {write_leaves(TARGET)} leaves")


if __name__ == "__main__":
    main()

"""Carry the World Bank's published figures into the snapshot beside the plugin.

Reads ``../shared/data/worldbank`` (a folder beside the repository, or the one given as argument) and
writes ``plugins/worldbank/snapshot/data``. Values are copied as the strings that were published.

Each indicator has one vintage: the package of 2026-07-01, or, only for indicators that package lacks,
the release of 2021-09-15. Usage: ``python -m tools.carry_worldbank [SOURCE_FOLDER]``.
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

csv.field_size_limit(10_000_000)

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "data" / "worldbank"
TARGET = ROOT / "plugins" / "worldbank" / "snapshot" / "data"

Values = dict[str, dict[str, dict[int, str]]]
Row = dict[str, Any]


@dataclass(frozen=True)
class Vintage:
    """One release of the figures: its date, the years its tables span, and its value files."""

    date: str
    first_year: int
    last_year: int
    files: tuple[str, ...]


VINTAGES = (
    Vintage("2026-07-01", 1960, 2025, ("wdi_core_values_2026-07", "wdi_more_values_2010on_2026-07")),
    Vintage("2021-09-15", 1960, 2020, ("wdi_values_2021-09-15",)),
)

# A country's administrative region is its region without the high-income members.
ADMIN_REGIONS = {"EAS": "EAP", "ECS": "ECA", "LCN": "LAC", "MEA": "MNA", "SAS": "SAS", "SSF": "SSA"}
NO_CODE = {"id": "", "iso2code": "", "value": ""}
AGGREGATES = {"id": "NA", "iso2code": "NA", "value": "Aggregates"}


def read_csv(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def read_values(source: Path, name: str) -> Values:
    values: Values = defaultdict(lambda: defaultdict(dict))
    for row in read_csv(source / f"{name}.csv.gz"):
        series = values[row["indicator_code"]][row["country_code"]]
        year = int(row["year"])
        if year in series:
            raise SystemExit(f"{name}: two values for {row}")
        series[year] = row["value"]
    return values


def write_gzip(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    path.write_bytes(buffer.getvalue())


def write_rows(name: str, rows: list[Row]) -> None:
    """Write rows in wire form, one JSON object a line."""
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    (TARGET / name).write_text(text, encoding="utf-8")


def wide_table(entities: dict[str, dict[int, str]], years: range) -> str:
    """Header of years, then one line an entity; an absent value is an empty cell, trailing ones are cut."""
    lines = ["\t".join(["entity", *map(str, years)])]
    for code in sorted(entities):
        cells = [entities[code].get(year, "") for year in years]
        lines.append("\t".join([code, *cells]).rstrip("\t"))
    return "\n".join(lines) + "\n"


def country_rows(source: Path, regions: list[Row], incomes: list[Row], lendings: list[Row]) -> list[Row]:
    """The country list in wire form, with the classes of 2026-04."""
    spelled = {
        row["id"]: row for row in json.loads(gzip.decompress((source / "rows_country_2024.json.gz").read_bytes()))
    }
    region_code = {row["name"].strip(): row for row in regions}
    income = {row["value"]: row for row in incomes}
    lending = {row["value"]: row for row in lendings}
    rows: list[Row] = []
    with (source / "country_list_2026-04.csv").open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            older = spelled[line["iso3c"]]["name"]
            row: Row = {
                "id": line["iso3c"],
                "iso2Code": line["iso2c"],
                "name": older if older.strip() == line["country"].strip() else line["country"],
            }
            if line["region"] == "Aggregates":
                row |= {
                    "region": AGGREGATES,
                    "adminregion": NO_CODE,
                    "incomeLevel": AGGREGATES,
                    "lendingType": {"id": "", "iso2code": "", "value": "Aggregates"},
                }
            else:
                region = region_code[line["region"]]
                admin = ADMIN_REGIONS.get(region["code"]) if line["income"] != "High income" else None
                row |= {
                    "region": as_code(region),
                    "adminregion": as_code(next(r for r in regions if r["code"] == admin)) if admin else NO_CODE,
                    "incomeLevel": income[line["income"]],
                    "lendingType": lending[line["lending"]],
                }
            row |= {
                "capitalCity": line["capital"],
                "longitude": line["longitude"],
                "latitude": line["latitude"],
            }
            rows.append(row)
    return sorted(rows, key=lambda row: str(row["id"]))


def as_code(region: Row) -> Row:
    return {"id": region["code"], "iso2code": region["iso2code"], "value": region["name"]}


def region_rows(source: Path) -> list[Row]:
    """The regions, with the names that the country list of 2026-04 gives them."""
    with (source / "country_list_2026-04.csv").open(encoding="utf-8", newline="") as file:
        names = {line["iso3c"]: line["country"] for line in csv.DictReader(file)}
    rows: list[Row] = json.loads((source / "rows_region_2024.json").read_text(encoding="utf-8"))
    for row in rows:
        name = names.get(row["code"])
        if name and name.strip() != row["name"].strip():
            row["name"] = name
    return rows


def read_catalogue(source: Path) -> dict[str, Row]:
    with gzip.open(source / "indicator_catalog_2026-04.tsv.gz", "rt", encoding="utf-8") as file:
        header = file.readline().rstrip("\n").split("\t")
        return {(row := dict(zip(header, line.rstrip("\n").split("\t"), strict=True)))["indicator_id"]: row
                for line in file}  # fmt: skip


def topic_ids(text: str, topics: list[Row]) -> str:
    ids = {row["value"].strip(): row["id"] for row in topics}
    return ";".join(ids[name.strip()] for name in text.split(";") if name.strip() in ids)


def carry(source: Path) -> None:
    shutil.rmtree(TARGET / "values", ignore_errors=True)
    (TARGET / "values").mkdir(parents=True)
    lists = {
        name: json.loads((source / f"rows_{name}_2024.json").read_text(encoding="utf-8"))
        for name in ("income-level", "lending-type", "topic", "source", "language")
    }
    for row in lists["source"]:
        if row["id"] == "2":
            row["lastupdated"] = VINTAGES[0].date
    regions = region_rows(source)
    countries = country_rows(source, regions, lists["income-level"], lists["lending-type"])
    write_rows("countries.ndjson", countries)
    write_rows("regions.ndjson", regions)
    for name, rows in lists.items():
        write_rows(f"{name.replace('-', '_')}s.ndjson", rows)

    catalogue = read_catalogue(source)
    index: dict[str, Row] = {
        row["indicator_code"]: row for row in read_csv(source / "wdi_values_index_2026-07.csv.gz")
    }
    columns = ("id", "name", "unit", "topics", "source_id", "database", "vintage", "span", "carried",
               "published_from", "last_value", "values", "entities", "organization", "note")  # fmt: skip
    lines: dict[str, list[str]] = {}
    with_values: set[str] = set()
    for vintage in VINTAGES:
        for file in vintage.files:
            for code, entities in read_values(source, file).items():
                if code in lines:
                    continue
                with_values.update(entities)
                years = {year for series in entities.values() for year in series}
                # The second file of 2026 was cut at 2010; elsewhere the tables are whole.
                first = 2010 if "2010on" in file else vintage.first_year
                write_gzip(
                    TARGET / "values" / f"{code}.tsv.gz",
                    wide_table(entities, range(min(years), max(years) + 1)),
                )
                listed, indexed = catalogue[code], index.get(code)
                title = indexed["title"] if indexed else listed["name"]
                topics = indexed["topics"] if indexed else listed["topics"]
                lines[code] = [
                    code,
                    title.strip(),
                    listed["unit"],
                    topic_ids(topics, lists["topic"]),
                    listed["source_id"] or "2",
                    listed["source_database"],
                    vintage.date,
                    f"{vintage.first_year}:{vintage.last_year}",
                    f"{first}:{vintage.last_year}",
                    indexed["first_year"] if indexed else str(min(years)),
                    str(max(years)),
                    str(sum(map(len, entities.values()))),
                    str(len(entities)),
                    listed["source_organization"],
                    " ".join((indexed["definition"] if indexed else listed["description"]).split()),
                ]
    table = ["\t".join(columns)] + ["\t".join(" ".join(c.split()) for c in lines[k]) for k in sorted(lines)]
    write_gzip(TARGET / "indicators.tsv.gz", "\n".join(table) + "\n")
    # The database answers for every entity of its own, one of which ("Not classified") never has a value.
    (TARGET / "wdi_entities.txt").write_text("\n".join(sorted(with_values | {"INX"})) + "\n", encoding="utf-8")
    others = ["id\tname\tunit\ttopics\tsource_id\tdatabase"]
    others += [
        "\t".join([code, row["name"], row["unit"], topic_ids(row["topics"], lists["topic"]),
                   row["source_id"], row["source_database"]])
        for code, row in sorted(catalogue.items())
    ]  # fmt: skip
    write_gzip(TARGET / "catalogue.tsv.gz", "\n".join(others) + "\n")
    print(f"{len(lines)} indicators, {len(countries)} entities, {len(catalogue)} catalogue lines -> {TARGET}")


def main(arguments: list[str]) -> int:
    source = Path(arguments[0]) if arguments else SOURCE
    if not source.is_dir():
        print(
            f"The published figures are not here: there is no folder {source}.\n"
            "The snapshot in plugins/worldbank/snapshot/data is complete as it stands; this tool only\n"
            "remakes it. Pass the folder that holds wdi_core_values_2026-07.csv.gz as the argument.",
            file=sys.stderr,
        )
        return 2
    carry(source)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

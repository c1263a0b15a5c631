"""Carry published figures into the recorded answers of the Census Data API.

Reads ``../shared/data`` (a folder beside the repository, or the one given as argument) and writes
``plugins/uscensus/snapshot/data`` and the table that the finder's leaves are made of. Usage:
``python -m tools.carry_census [SOURCE_FOLDER]``.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from tools.census_carried.cube import Cube, Key
from tools.census_carried.equal import EQUAL, canonical
from tools.census_carried.files import published_files
from tools.census_carried.publications import (
    add_counties,
    add_decennial,
    add_districts,
    add_education,
    add_modelled,
    add_recorded,
)
from tools.census_carried.trees import labels

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT.parent / "shared" / "data"
TARGET = ROOT / "plugins" / "uscensus" / "snapshot" / "data"
LEAVES = ROOT / "finder_index" / "generators" / "data" / "census_carried.tsv"
LEVELS = ("us", "state", "county", "place", "tract", "county subdivision", "congressional district")


def main(arguments: list[str]) -> int:
    """Write all files anew; the same sources give the same bytes."""
    source = Path(arguments[0]) if arguments else SOURCE
    if absent := [name for name in ("census", "us_facts") if not (source / name).is_dir()]:
        print(
            f"no {' and no '.join(absent)} in {source}: nothing was carried, and what is carried stays",
            file=sys.stderr,
        )
        return 1
    cube = Cube(canonical)
    answers = add_recorded(source, cube)
    add_counties(source, cube)
    add_decennial(source, cube)
    add_modelled(source, cube)
    add_districts(source, cube)
    add_education(source, cube)
    for path in (*TARGET.glob("*.tsv.gz"), *TARGET.glob("*.csv.gz")):
        path.unlink()
    TARGET.mkdir(parents=True, exist_ok=True)
    for key in cube:
        _write(TARGET / f"{'-'.join(key).replace(' ', '_')}.tsv.gz", _lines(cube, key))
    lines = ["\t".join(row) for row in (("table", "variable", "label"), *labels(source))]
    _write(TARGET / "labels.tsv.gz", lines)
    for name, body in published_files(source).items():
        (TARGET / f"{name}.gz").write_bytes(gzip.compress(body, compresslevel=9, mtime=0))
    rows = ["column\tsame_as\tfirst\tlast", *("\t".join(map(str, one)) for one in EQUAL)]
    (TARGET / "equal.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    LEAVES.write_text("\n".join(_coverage(cube)) + "\n", encoding="utf-8")
    cells = sum(len(row) for table in cube.cells.values() for row in table.values())
    print(f"{answers} recorded answers, {len(cube.cells)} tables, {cells} cells")
    return 0


def _lines(cube: Cube, key: Key) -> list[str]:
    columns = cube.columns(key)
    lines = ["\t".join(("geoid", "NAME", *columns))]
    for geoid, row in sorted(cube.cells[key].items()):
        # An empty cell was not recorded; ~ stands for one that is published without a figure.
        cells = ["~" if name in row and row[name] is None else row.get(name) or "" for name in columns]
        lines.append("\t".join((geoid, row.get("NAME") or "", *cells)).rstrip("\t"))
    return lines


def _coverage(cube: Cube) -> list[str]:
    """For each estimate, of how many areas each level and vintage has it."""
    found: dict[str, dict[str, dict[str, int]]] = {}
    for product, vintage, level in cube:
        for row in cube.cells[product, vintage, level].values():
            for name, value in row.items():
                if value is not None and (name.endswith(("E", "_PT")) or product == "pl") and name != "NAME":
                    years = found.setdefault(name, {}).setdefault(f"{product}/{level}", {})
                    years[vintage] = years.get(vintage, 0) + 1
    for one in EQUAL:
        kept = found.get(f"{one.same_as}E", {})
        for where, years in kept.items():
            of_other = {year: count for year, count in years.items() if one.first <= int(year) <= one.last}
            if of_other:
                found.setdefault(f"{one.column}E", {}).setdefault(where, {}).update(of_other)
    lines = ["variable\tcoverage"]
    for name in sorted(found):
        parts = (
            f"{where.replace(' ', '_')}:{','.join(f'{year}={count}' for year, count in sorted(years.items()))}"
            for where, years in sorted(found[name].items())
        )
        lines.append(f"{name}\t{' '.join(parts)}")
    return lines


def _write(path: Path, lines: list[str]) -> None:
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

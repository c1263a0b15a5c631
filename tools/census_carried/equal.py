"""Columns of different tables that hold one and the same published estimate, by vintage.

The American Community Survey publishes an estimate in several tables: median household income stands in B19013, in
S1901, in S1903 and in DP03. A recorded cell answers for each of them.
"""

from __future__ import annotations

from typing import NamedTuple


class Equal(NamedTuple):
    """``column`` (without its ending E, M, EA or MA) is ``same_as`` from one vintage to another."""

    column: str
    same_as: str
    first: int
    last: int


ALWAYS = (2009, 2099)
EQUAL: tuple[Equal, ...] = (
    Equal("S1903_C03_001", "B19013_001", 2017, 2099),
    Equal("S1901_C01_012", "B19013_001", 2010, 2099),
    Equal("DP03_0062", "B19013_001", *ALWAYS),
    Equal("DP03_0063", "S1901_C01_013", 2010, 2099),
    Equal("DP03_0088", "B19301_001", *ALWAYS),
    Equal("B01001_001", "B01003_001", *ALWAYS),
    Equal("B02001_001", "B01003_001", *ALWAYS),
    Equal("S0101_C01_001", "B01003_001", 2010, 2099),
    Equal("DP05_0001", "B01003_001", 2017, 2099),
    Equal("DP05_0018", "B01002_001", 2017, 2099),
    Equal("S0101_C01_032", "B01002_001", 2017, 2099),
    Equal("DP03_0128P", "S1701_C03_001", 2010, 2099),
    Equal("DP03_0129P", "S1701_C03_002", 2012, 2099),
    Equal("DP03_0009P", "S2301_C04_001", 2012, 2099),
    Equal("DP03_0004", "B23025_004", 2011, 2099),
    Equal("DP03_0005", "B23025_005", 2011, 2099),
    Equal("DP03_0025", "S0801_C01_046", 2010, 2099),
    Equal("DP03_0099P", "S2701_C05_001", 2015, 2099),
    Equal("DP02_0067P", "S1501_C02_014", 2019, 2099),
    Equal("DP02_0068P", "S1501_C02_015", 2019, 2099),
    Equal("DP02_0001", "B11001_001", 2019, 2099),
    Equal("S1101_C01_001", "B11001_001", 2010, 2099),
    Equal("DP02_0016", "B25010_001", 2019, 2099),
    Equal("S1101_C01_002", "B25010_001", 2010, 2099),
    Equal("DP04_0001", "B25001_001", *ALWAYS),
    Equal("DP04_0089", "B25077_001", 2015, 2099),
    Equal("DP04_0134", "B25064_001", 2015, 2099),
)


def base_of(column: str) -> tuple[str, str]:
    """A column without its ending, and the ending: ``B19013_001`` and ``EA``; a percentage keeps its P."""
    for ending in ("EA", "MA", "E", "M"):
        if column.endswith(ending) and "_" in column:
            return column[: -len(ending)], ending
    return column, ""


def canonical(column: str, vintage: str) -> str:
    """The column under which the cells of this estimate are kept in a vintage."""
    base, ending = base_of(column)
    year = int(vintage)
    for one in EQUAL:
        if one.column == base and one.first <= year <= one.last:
            return one.same_as + ending
    return column

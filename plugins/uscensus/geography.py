"""Levels of geography: how each is asked for, and how the codes of an answer's row make one identifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """``path`` are the names of the level and of what it lies in, the largest first, with their code lengths.

    ``summary`` is the summary level that begins a full identifier (``0500000US48201``).
    """

    path: tuple[tuple[str, int], ...]
    summary: str
    noun: str

    @property
    def name(self) -> str:
        """The level as the API names it."""
        return self.path[-1][0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of codes that every row ends with."""
        return tuple(name for name, _ in self.path)


STATE = ("state", 2)
COUNTY = ("county", 3)
TRACT = ("tract", 6)
PLACE = ("place", 5)

LEVELS: dict[str, Level] = {
    level.name: level
    for level in (
        Level((("us", 1),), "010", "nation"),
        Level((STATE,), "040", "states"),
        Level((STATE, COUNTY), "050", "counties"),
        Level((STATE, COUNTY, ("county subdivision", 5)), "060", "county subdivisions"),
        Level((STATE, COUNTY, TRACT), "140", "census tracts"),
        Level((STATE, COUNTY, TRACT, ("block group", 1)), "150", "block groups"),
        Level((STATE, PLACE), "160", "places"),
        Level((STATE, ("congressional district", 2)), "500", "congressional districts"),
        Level((("zip code tabulation area", 5),), "860", "ZIP code areas"),
    )
}


@dataclass(frozen=True, slots=True)
class Area:
    """One area or all areas of a level inside another: ``codes`` as in ``path``, ``*`` for all of one."""

    level: Level
    codes: tuple[str, ...]

    @classmethod
    def one(cls, level: str, geoid: str) -> Area:
        """The area of an identifier; raises ``ValueError`` for one that is none of the level."""
        found = LEVELS[level]
        if len(geoid) != sum(length for _, length in found.path):
            raise ValueError(f"{geoid!r} is no code of the level {level}")
        codes, start = [], 0
        for _, length in found.path:
            codes.append(geoid[start : start + length])
            start += length
        return cls(found, tuple(codes))

    @classmethod
    def inside(cls, level: str, geoid: str) -> Area:
        """All areas of a level inside a larger one, or in the whole country for an empty ``geoid``."""
        codes, rest = [], geoid
        for _, length in LEVELS[level].path:
            codes.append(rest[:length] or "*")
            rest = rest[length:]
        return cls(LEVELS[level], tuple(codes))

    @classmethod
    def parse(cls, text: str) -> Area:
        """Read what ``str`` writes: ``county:48/*``."""
        name, _, codes = text.partition(":")
        return cls(LEVELS[name], tuple(codes.split("/")))

    def __str__(self) -> str:
        return f"{self.level.name}:{'/'.join(self.codes)}"

    @property
    def is_one(self) -> bool:
        """Whether it is one area rather than many."""
        return "*" not in self.codes

    @property
    def params(self) -> list[tuple[str, str]]:
        """``for`` and ``in`` as the API wants them; a level inside everything is asked for without ``in``."""
        parts = [f"{name}:{code}" for (name, _), code in zip(self.level.path, self.codes, strict=True)]
        if len(parts) > 1 and set(self.codes) == {"*"} and len(parts) == 2:
            return [("for", parts[-1])]
        return [("for", parts[-1]), *(("in", part) for part in parts[:-1])]

    def holds(self, geoid: str) -> bool:
        """Whether an identifier is one that was asked for."""
        start = 0
        for (_, length), code in zip(self.level.path, self.codes, strict=True):
            if code not in {"*", geoid[start : start + length]}:
                return False
            start += length
        return len(geoid) == start


def geoid_of(level: Level, cells: Mapping[str, str | None]) -> str | None:
    """The identifier that a row's codes make; ``None`` where a code is lacking or of another length."""
    codes = ""
    for name, length in level.path:
        code = cells.get(name) or ""
        if len(code) != length:
            return None
        codes += code
    return codes

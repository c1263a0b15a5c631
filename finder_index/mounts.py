"""Several catalogs searched as one index: the built-in one and those that ``ARD_CATALOGS`` mounts beside it.

``ARD_CATALOGS="name=/path,..."``: each path holds ``index/`` and, where documents are to be shown, ``sources/``.
A mounted catalog's identifiers carry its name, ``urn:air:<publisher>:okf:<name>:<source>.<leaf>``, and its files
``<name>:sources/...``. All catalogs must be embedded with one model; two may hold leaves of one source only where
the later one's manifest declares it under ``extends``.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.columns import mounted_identifier
from finder_index.index import LoadedIndex, PhraseHit, load_index
from finder_index.vectors import JoinedTable
from shared.runtime.errors import IndexForeign, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUILT_IN = "built-in"
VARIABLE = "ARD_CATALOGS"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Mount:
    """A catalog to mount: its name and the folder that holds ``index`` and ``sources``."""

    name: str
    root: Path


def mounts_from_environment(environment: Mapping[str, str] = os.environ) -> tuple[Mount, ...]:
    """The catalogs that ``ARD_CATALOGS`` names. Raises ``UsageError`` when it is not ``name=/path,...``."""
    found: dict[str, Mount] = {}
    for item in filter(None, (part.strip() for part in environment.get(VARIABLE, "").split(","))):
        name, equals, path = (part.strip() for part in item.partition("="))
        if not equals or not path or not _NAME.fullmatch(name):
            raise UsageError(f"{VARIABLE} must read name=/path,name=/path; found {item!r}")
        if name in found or name == BUILT_IN:
            raise UsageError(f"{VARIABLE} names the catalog {name!r} twice; each needs a name of its own")
        found[name] = Mount(name, Path(path))
    return tuple(found.values())


def mount(first: LoadedIndex, mounts: Sequence[Mount]) -> LoadedIndex:
    """``first`` with the catalogs of ``mounts`` beside it; ``first`` itself when there are none.

    Raises ``IndexDamaged`` for a catalog without a sound index, and ``IndexForeign`` for another model or
    dimension and for a source that is held twice without being declared.
    """
    if not mounts:
        return first
    parts = [(BUILT_IN, first)]
    for one in mounts:
        index = load_index(one.root / "index")
        _require_fitting(one.name, index, parts)
        parts.append((one.name, index))
    return MountedIndex.of(parts)


def _require_fitting(name: str, index: LoadedIndex, parts: Sequence[tuple[str, LoadedIndex]]) -> None:
    first_name, first = parts[0]
    for key in ("model", "dimension"):
        if index.manifest[key] != first.manifest[key]:
            raise IndexForeign(
                f"the catalog {name!r} cannot be mounted beside {first_name!r}: its {key} is "
                f"{index.manifest[key]}, not {first.manifest[key]}; build it with the same embedding model"
            )
    declared = set(index.manifest.get("extends", []))
    for other, part in parts:
        if shared := sorted((set(index.sources) & set(part.sources)) - declared):
            raise IndexForeign(
                f"the catalogs {other!r} and {name!r} both hold the source {', '.join(shared)}; if {name!r} is "
                f"meant to add to it, build it with: neuralkg index build --extends {shared[0]}"
            )


class MountedIndex(LoadedIndex):
    """One index over the rows of several, each catalog's rows after those of the one before."""

    __slots__ = ("catalogs", "parts", "starts")

    parts: tuple[LoadedIndex, ...]
    catalogs: tuple[str, ...]
    starts: list[int]

    @classmethod
    def of(cls, parts: Sequence[tuple[str, LoadedIndex]]) -> MountedIndex:
        """Join named indexes, which must fit together."""
        import numpy as np  # noqa: PLC0415 - numpy is loaded by those who search

        indexes = tuple(index for _, index in parts)
        sources: dict[str, int] = {}
        for index in indexes:
            for name, count in index.manifest["sources"].items():
                sources[name] = sources.get(name, 0) + count
        manifest = {**indexes[0].manifest, "sources": sources, "entries": sum(map(len, indexes))}
        first = indexes[0]
        joined = cls(
            manifest,
            JoinedTable.of([index.table for index in indexes]),
            first.rows[:0],
            phrase_keys=first.phrase_keys[:0],
            phrase_hits_all=first.phrase_hits_all[:0],
            word_keys=first.word_keys[:0],
            word_starts=first.word_starts[:0],
            word_rows=first.word_rows[:0],
            file=first.file,
            columns=first.columns,
        )
        joined.parts = indexes
        joined.catalogs = tuple(name for name, _ in parts)
        joined.starts = [0, *accumulate(len(index) for index in indexes)]
        codes = {name: code for code, name in enumerate(sources)}
        joined._codes = np.concatenate(
            [
                np.array([codes[name] for name in index.sources], np.uint16)[index.source_codes()]
                for index in indexes
            ]
        )
        return joined

    def catalog_codes(self) -> NDArray[Any]:
        """For each row, the place of its catalog in ``catalogs``."""
        import numpy as np  # noqa: PLC0415

        return np.repeat(np.arange(len(self.parts), dtype=np.uint8), np.diff(self.starts))

    def entry(self, row: int) -> dict[str, Any]:
        """The stored document of a row, its identifier and file under the catalog's name."""
        part = self._part(row)
        entry = self.parts[part].entry(row - self.starts[part])
        return entry if part == 0 else _named(entry, self.catalogs[part])

    def line(self, row: int) -> bytes:
        """The stored document of a row as its own catalog holds it."""
        part = self._part(row)
        return self.parts[part].line(row - self.starts[part])

    def signatures(self) -> list[bytes]:
        """What each row's vector was made from."""
        return [signature for index in self.parts for signature in index.signatures()]

    def rows_of_variable(self, variable: str) -> list[int]:
        """Rows of every catalog that describe this published variable, exactly."""
        return [
            start + row
            for start, index in zip(self.starts, self.parts, strict=False)
            for row in index.rows_of_variable(variable)
        ]

    def phrase_hits(self, key: str) -> list[PhraseHit]:
        """The entries of every catalog that list a phrase."""
        return [
            PhraseHit(start + hit.row, hit.kind, hit.rank)
            for start, index in zip(self.starts, self.parts, strict=False)
            for hit in index.phrase_hits(key)
        ]

    def rows_with_word(self, word: str) -> NDArray[Any]:
        """The rows of every catalog that use a word."""
        import numpy as np  # noqa: PLC0415

        found = [
            index.rows_with_word(word) + np.uint32(start)
            for start, index in zip(self.starts, self.parts, strict=False)
        ]
        return np.concatenate(found)

    def _part(self, row: int) -> int:
        return bisect_right(self.starts, row) - 1


def _named(entry: dict[str, Any], name: str) -> dict[str, Any]:
    return {
        **entry,
        "identifier": mounted_identifier(entry["identifier"], name),
        "file": f"{name}:{entry['file']}",
    }

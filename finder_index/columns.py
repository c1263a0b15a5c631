"""What can be told of all rows without reading their documents: tags, types, names, quantities, companions.

The build writes these as arrays and as lines. The functions take one index or several that are mounted as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from finder_index.lexical import phrase_hash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from finder_index.index import LoadedIndex
    from finder_index.pieces import Pieces

COMPANIONS = ("marginOfError", "confidenceLower", "confidenceUpper", "standardError", "sampleSize")
"""Terms that name the variables which tell how good a table's figures are, and which have no table of their own."""
_SEPARATOR = "\t"


class Name(NamedTuple):
    """What a row is listed by; ``vintage`` is empty where none is known."""

    title: str
    identifier: str
    variable: str
    vintage: str


@dataclass(frozen=True, slots=True)
class Columns:
    """The mapped files of one index. ``tag_rows`` has the rows of the first tag, then those of the second ..."""

    tag_starts: NDArray[Any]
    tag_rows: NDArray[Any]
    companion_keys: NDArray[Any]
    companion_rows: NDArray[Any]
    tags_file: Pieces
    names_file: Pieces

    def tags(self) -> list[str]:
        """All tags, sorted."""
        return _lines(self.tags_file)

    def name_lines(self) -> list[str]:
        """A line for each row."""
        return _lines(self.names_file)

    def rows_of_tag(self, place: int) -> NDArray[Any]:
        """The rows of the tag at a place among ``tags``."""
        rows: NDArray[Any] = self.tag_rows[int(self.tag_starts[place]) : int(self.tag_starts[place + 1])]
        return rows


def name_line(name: Name) -> str:
    """A name as a line without its end."""
    return _SEPARATOR.join(" ".join(part.split()) for part in name)


def _lines(file: Pieces) -> list[str]:
    text = file.read(0, len(file)).decode()
    return text.split("\n")[:-1]


def parts_of(index: LoadedIndex) -> Iterator[tuple[int, LoadedIndex, str]]:
    """The indexes that make up an index: the first row of each, itself, its catalog's name ("" for the first)."""
    starts: Iterable[int] = getattr(index, "starts", (0,))
    parts: Iterable[LoadedIndex] = getattr(index, "parts", (index,))
    catalogs: Iterable[str] = getattr(index, "catalogs", ("",))
    for place, (start, part, catalog) in enumerate(zip(starts, parts, catalogs, strict=False)):
        yield start, part, catalog if place else ""


def names_of(index: LoadedIndex) -> Iterator[Name]:
    """The names of all rows, in order."""
    for _, part, catalog in parts_of(index):
        for line in part.columns.name_lines():
            name = Name(*line.split(_SEPARATOR))
            yield name._replace(identifier=mounted_identifier(name.identifier, catalog)) if catalog else name


def mounted_identifier(identifier: str, catalog: str) -> str:
    """An identifier of a mounted catalog, which carries the catalog's name."""
    before, _, leaf = identifier.rpartition(":")
    return f"{before}:{catalog}:{leaf}"


def mask_of_tags(index: LoadedIndex, wanted: Collection[str]) -> NDArray[np.bool_]:
    """The rows that have one of these tags, whatever their case."""
    import numpy as np  # noqa: PLC0415 - numpy is loaded by those who search

    folded = {tag.casefold() for tag in wanted}
    mask = np.zeros(len(index), dtype=bool)
    for start, part, _ in parts_of(index):
        for place, tag in enumerate(part.columns.tags()):
            if tag.casefold() in folded:
                mask[start + part.columns.rows_of_tag(place).astype(np.int64)] = True
    return mask


def count_tags(index: LoadedIndex, mask: NDArray[np.bool_] | None) -> Counter[str]:
    """How many of the rows have each tag."""
    import numpy as np  # noqa: PLC0415

    counts: Counter[str] = Counter()
    for start, part, _ in parts_of(index):
        columns = part.columns
        tags = columns.tags()
        if not tags:
            continue
        if mask is None:
            found = np.diff(columns.tag_starts)
        else:
            inside = mask[start : start + len(part)][columns.tag_rows].astype(np.int64)
            found = np.add.reduceat(inside, columns.tag_starts[:-1].astype(np.int64))
        for tag, count in zip(tags, found.tolist(), strict=True):
            counts[tag] += int(count)
    return +counts


def mask_of_types(index: LoadedIndex, wanted: Collection[str]) -> NDArray[np.bool_]:
    """The rows whose leaf is of one of these types, whatever their case."""
    import numpy as np  # noqa: PLC0415

    folded = {name.casefold() for name in wanted}
    mask = np.zeros(len(index), dtype=bool)
    for start, part, _ in parts_of(index):
        codes = [code for code, name in enumerate(part.manifest["types"]) if name.casefold() in folded]
        mask[start : start + len(part)] = np.isin(part.rows["type"], codes)
    return mask


def rows_of_identifier(index: LoadedIndex, identifier: str) -> list[int]:
    """The rows of an identifier: one, or none."""
    found = []
    for start, part, catalog in parts_of(index):
        before, name, leaf = identifier.rpartition(f":{catalog}:") if catalog else (identifier, "", "")
        if catalog and not name:
            continue
        own = f"{before}:{leaf}" if catalog else identifier
        rows = (part.rows["name"] == phrase_hash(own)).nonzero()[0].tolist()
        found += [start + row for row in rows if part.entry(row)["identifier"] == own]
    return found


def rows_with_companion(index: LoadedIndex, variable: str) -> list[int]:
    """The rows whose figures this variable qualifies: of which it is the margin of error or the sample size."""
    import numpy as np  # noqa: PLC0415

    key = np.uint64(phrase_hash(variable))
    found = []
    for start, part, _ in parts_of(index):
        keys = part.columns.companion_keys
        low, high = int(keys.searchsorted(key, side="left")), int(keys.searchsorted(key, side="right"))
        for row in part.columns.companion_rows[low:high].tolist():
            terms = part.entry(row)["terms"]
            if variable in (terms.get(term) for term in COMPANIONS):
                found.append(start + row)
    return found


def rows_of_quantity(index: LoadedIndex, key: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The rows of a quantity, by the hash of its three parts, and the hash of what each is split by."""
    import numpy as np  # noqa: PLC0415

    rows, splits = [], []
    for start, part, _ in parts_of(index):
        inside = (part.rows["quantity"] == key).nonzero()[0]
        rows.append(start + inside)
        splits.append(part.rows["split"][inside])
    return np.concatenate(rows), np.concatenate(splits)

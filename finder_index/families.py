"""Source families and publishers of an index's rows, as arrays: what is grouped and filtered by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from finder_index.index import LoadedIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ONE_FAMILY = ("bigquery", "gcp-bigquery")
"""Folders that begin so are one family: one publisher's shelf under several names."""


def family_of(source: str) -> str:
    """The family of a source: itself, but for the folders of one shelf."""
    return _ONE_FAMILY[0] if source.startswith(_ONE_FAMILY) else source


def publisher_of(identifier: str) -> str:
    """The publisher's domain, as it stands in ``urn:air:<publisher>:...``; empty when there is none."""
    parts = identifier.split(":")
    return parts[2] if len(parts) > 3 and parts[:2] == ["urn", "air"] else ""


@dataclass(slots=True)
class Families:
    """The rows of each family. Made once for an index, in the time of one pass over its source codes."""

    index: LoadedIndex
    names: tuple[str, ...] = field(init=False)
    """Families in the order of the index's sources."""
    rows: dict[str, NDArray[Any]] = field(init=False)
    publishers: dict[str, str] = field(init=False)
    """The publisher's domain of each source."""

    def __post_init__(self) -> None:
        import numpy as np  # noqa: PLC0415

        codes = np.asarray(self.index.source_codes())
        sources = self.index.sources
        self.names = tuple(dict.fromkeys(family_of(source) for source in sources))
        members: dict[str, list[int]] = {}
        for code, source in enumerate(sources):
            members.setdefault(family_of(source), []).append(code)
        self.rows = {name: np.flatnonzero(np.isin(codes, members[name])) for name in self.names}
        self.publishers = {}
        for code, source in enumerate(sources):
            first = np.flatnonzero(codes == code)[:1]
            if len(first):
                self.publishers[source] = publisher_of(self.index.entry(int(first[0]))["identifier"])

    def of(self, row: int) -> str:
        """The family of a row."""
        return family_of(self.index.source(row))

    def known(self) -> list[str]:
        """The names by which sources may be asked for."""
        return list(dict.fromkeys((*self.index.sources, *self.names)))

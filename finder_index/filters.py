"""Which rows a request allows: by source, publisher, type, tags and catalog, before anything is ranked.

Values of one key are alternatives, keys hold together. A key that means nothing here is told, not obeyed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from finder_index.columns import mask_of_tags, mask_of_types
from finder_index.families import Families, family_of
from shared.runtime.errors import UnknownSource, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from shared.query.discovery import FinderRequest

TABLE_TYPE = 'text/markdown; profile="urn:air:okf"'
"""The media type of every table document."""
KEYS = ("publisher", "type", "tags")


class UnknownCatalog(UsageError):  # noqa: N818 - the name says what is wrong
    """A catalog was named that is not mounted."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name, self.known = name, list(known)
        super().__init__(f"there is no catalog called {name!r}; the mounted catalogs are {', '.join(known)}")


@dataclass(frozen=True, slots=True)
class Filters:
    """The allowed rows of requests over one index."""

    families: Families

    def allowed(self, request: FinderRequest) -> tuple[NDArray[np.bool_] | None, tuple[str, ...]]:
        """A mask over all rows, ``None`` for all of them, and the filter keys that were ignored.

        Raises ``UnknownSource`` and ``UnknownCatalog``.
        """
        masks = list(self._masks(request))
        ignored = tuple(dict.fromkeys(key for key, _ in request.filters if key not in KEYS))
        if not masks:
            return None, ignored
        together = masks[0]
        for mask in masks[1:]:
            together = together & mask
        return together, ignored

    def _masks(self, request: FinderRequest) -> Iterable[NDArray[np.bool_]]:
        if request.sources:
            yield self._of_sources(request.sources)
        if request.exclude_sources:
            yield ~self._of_sources(request.exclude_sources)
        if request.catalogs:
            yield self._of_catalogs(request.catalogs)
        readers: dict[str, Callable[[Sequence[str]], NDArray[np.bool_]]] = {
            "publisher": self._of_publishers,
            "type": self._of_types,
            "tags": self._of_tags,
        }
        for key, values in request.filters:
            if key in readers:
                yield readers[key](values)

    def _of_sources(self, names: Sequence[str]) -> NDArray[np.bool_]:
        known = self.families.known()
        for name in names:
            if name not in known:
                raise UnknownSource(name, known)
        return self._codes(lambda source: source in names or family_of(source) in names)

    def _of_publishers(self, names: Sequence[str]) -> NDArray[np.bool_]:
        wanted = {name.casefold() for name in names}
        return self._codes(lambda source: self.families.publishers.get(source, "").casefold() in wanted)

    def _codes(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        import numpy as np  # noqa: PLC0415

        index = self.families.index
        chosen = np.array([wanted(source) for source in index.sources], dtype=bool)
        mask: NDArray[np.bool_] = chosen[np.asarray(index.source_codes())]
        return mask

    def _of_catalogs(self, names: Sequence[str]) -> NDArray[np.bool_]:
        import numpy as np  # noqa: PLC0415

        known = catalogs_of(self.families.index)
        for name in names:
            if name not in known:
                raise UnknownCatalog(name, known)
        codes = catalog_codes_of(self.families.index)
        chosen = np.array([name in names for name in known], dtype=bool)
        mask: NDArray[np.bool_] = chosen[codes]
        return mask

    def _of_types(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Rows whose document has the media type, or whose leaf has the type of concept, that is named."""
        import numpy as np  # noqa: PLC0415

        wanted = {name.casefold() for name in names}
        if wanted & {TABLE_TYPE.casefold(), TABLE_TYPE.partition(";")[0]}:
            return np.ones(len(self.families.index), dtype=bool)
        return mask_of_types(self.families.index, wanted)

    def _of_tags(self, names: Sequence[str]) -> NDArray[np.bool_]:
        return mask_of_tags(self.families.index, names)


def catalogs_of(index: Any) -> list[str]:
    """The names of the catalogs of an index; a single index is the built-in one."""
    return list(getattr(index, "catalogs", ("built-in",)))


def catalog_codes_of(index: Any) -> NDArray[Any]:
    """For each row, which of ``catalogs_of`` it belongs to."""
    import numpy as np  # noqa: PLC0415

    found: NDArray[Any] = index.catalog_codes() if hasattr(index, "catalog_codes") else np.zeros(len(index), "u1")
    return found

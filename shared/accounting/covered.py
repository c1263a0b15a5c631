"""Which records sums cover: so many names that no process could hold them as they are."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b

_BYTES = 8


class Covered:
    """Names that are counted and recognised, in eight bytes each.

    A name is known by a hash of it: among a million names, one that is not there is taken for one that is once in
    10^13 times.
    """

    __slots__ = ("_known",)

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        self._known = array("Q", sorted(hashes))

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        wanted = hash_of(name) if isinstance(name, str) else -1
        at = bisect_left(self._known, wanted)
        return at < len(self._known) and self._known[at] == wanted


def hash_of(name: str) -> int:
    """What a name is known by."""
    return int.from_bytes(blake2b(name.encode(), digest_size=_BYTES).digest())

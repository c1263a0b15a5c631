"""What an archive's object may be called, the same in every archive."""

from __future__ import annotations

from shared.runtime.errors import ArchiveError

TEMPORARY = ".writing-"
"""How the name of a file that is still being written begins; no object may be called so."""

MAX_NAME = 1024
"""Bytes of a whole name: what the object stores allow."""
MAX_PART = 200
"""Bytes between two slashes: what every file system allows, with room for the temporary name."""


def checked_name(name: str) -> str:
    """The name itself; raises ``ArchiveError`` for one that no archive may hold.

    A name is parts separated by single slashes, without ``.`` and ``..``, backslashes or control characters.
    """
    parts = name.split("/")
    if (
        len(name.encode("utf-8", "surrogatepass")) > MAX_NAME
        or not all(parts)
        or any(part in {".", ".."} or part.startswith(TEMPORARY) for part in parts)
        or any(len(part.encode("utf-8", "surrogatepass")) > MAX_PART for part in parts)
        or any(c == "\\" or ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in name)
    ):
        raise ArchiveError(
            f"{name[:80]!r} is not a name for an object: parts separated by single slashes, none of them . or .."
        )
    return name

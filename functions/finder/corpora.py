"""Where the leaves of each catalog lie."""

from __future__ import annotations

from pathlib import Path

from finder_index.mounts import BUILT_IN, mounts_from_environment


def corpora_of(built_in: Path | None) -> dict[str, Path]:
    """The folders of leaves by catalog: the built-in one's, and those that ``ARD_CATALOGS`` mounts."""
    mounted = {mount.name: mount.root for mount in mounts_from_environment()}
    return ({BUILT_IN: built_in} if built_in else {}) | mounted

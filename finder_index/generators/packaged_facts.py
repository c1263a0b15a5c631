"""The packaged leaves about countries' facts, as a catalog among the others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from finder_index.generators import country_facts
from finder_index.generators.tally import Tally

SOURCE = country_facts.SOURCE


def generate(_data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf; reads nothing of the data folder."""
    for name, text in country_facts.generate().items():
        if name != "_access.md":
            tally.read()
            tally.leaf()
        yield f"sources/{SOURCE}/{name}", text

"""Small corpora and a countable embedder for the tests of the finder."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ACCESS = """---
type: API Endpoint
title: A source
description: How it is asked.
okf:source: {source}
okf:publisher: Somebody
okf:publisherDomain: example.org
okf:licence: CC BY 4.0
okf:scope: countries
okf:keyType: iso3
okf:operations:
  - entity_value
---

# Operations
"""

LEAF = """---
type: Statistical Table
title: {title}
description: {title} by year.
representativeQueries:
  - {query}
okf:variable: {variable}
okf:unit: '%'
tags: [country, yearly]
---

# Schema
"""


class CountingEmbedder:
    """Unit vectors made from the words of a text; remembers what it was asked to embed."""

    model = "words-64"
    dimension = 64

    def __init__(self, model: str = "words-64") -> None:
        self.model = model
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += texts
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                digest = hashlib.blake2b(word.encode(), digest_size=2).digest()
                rows[row, digest[0] % self.dimension] += 1.0 if digest[1] % 2 else -1.0
            rows[row, 0] += 0.5
        norms: NDArray[np.float32] = np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)
        return rows / norms


def make_corpus(root: Path, tables: dict[str, dict[str, str]]) -> Path:
    """A corpus of ``{source: {variable: title}}``; the title in lower case is the representative query."""
    for source, leaves in tables.items():
        folder = root / "sources" / source
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "_access.md").write_text(ACCESS.format(source=source))
        for variable, title in leaves.items():
            (folder / f"{variable}.md").write_text(LEAF.format(title=title, query=title.lower(), variable=variable))
    return root

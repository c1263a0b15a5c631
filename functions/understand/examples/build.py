"""Mask and embed the example questions: ``python -m functions.understand.examples.build``.

Reads and rewrites ``examples.tsv`` (type, masked question, question) and writes ``examples.npy`` and
``manifest.json``.
"""

from __future__ import annotations

import asyncio
import json
from datetime import date

from functions.understand import reader
from functions.understand.examples import store
from shared.adapters.packaged_embedder import PackagedEmbedder

_TODAY = date(2026, 1, 1)
_HEADER = "type\tmasked\tquestion"


async def build() -> None:
    """Write the masked column, the vectors and the manifest."""
    import numpy as np  # noqa: PLC0415 - only the build and the examples member need it

    rows = [line.split("\t") for line in store.QUESTIONS.read_text("utf-8").splitlines()[1:] if line]
    masked = [store.veiled(reader.prepared(row[-1], _TODAY)[0]) for row in rows]
    lines = [f"{row[0]}\t{form}\t{row[-1]}" for row, form in zip(rows, masked, strict=True)]
    store.QUESTIONS.write_text("\n".join([_HEADER, *lines]) + "\n", "utf-8")
    embedder = PackagedEmbedder()
    np.save(store.VECTORS, (await embedder.embed(masked)).astype(np.float16))
    manifest = {"model": embedder.model, "sha256": store.fingerprint(), "examples": len(rows)}
    store.MANIFEST.write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(build())

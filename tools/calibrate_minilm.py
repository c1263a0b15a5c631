"""Measure the ranges before each 8-bit product of the embedding model: ``python -m tools.calibrate_minilm``.

Writes ``shared/adapters/minilm/activation_ranges.tsv`` from the packaged leaves and odd texts, run through the
float32 form of the same graph. Other ranges are another variant: give ``VARIANT`` a new name and rebuild indexes.
"""

from __future__ import annotations

import gzip
import math

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from finder_index.index import CORPUS
from finder_index.leaves import read_corpus
from shared.adapters.minilm_graph import RANGES_FILE, float_model, product_inputs
from shared.adapters.packaged_embedder import TOKENIZER_FILE, packaged_model

MARGIN = 1.02
ODD = [
    "gdp india",
    "a",
    "!!! ??? 12345 67.8%",
    "Émissions de CO₂ par habitant",
    "人口",
    "tell me a joke about cats",
]


def main() -> None:
    tokenizer = Tokenizer.from_str(gzip.decompress(TOKENIZER_FILE.read_bytes()).decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    session = onnxruntime.InferenceSession(float_model(packaged_model().read_bytes()))
    leaves = read_corpus(CORPUS).leaves
    texts = [*(leaf.index_text for leaf in leaves[::5]), *(leaf.queries[0] for leaf in leaves[::7]), *ODD]
    names = product_inputs()
    low, high = [math.inf] * len(names), [-math.inf] * len(names)
    for text in texts:
        found = session.run(names, {"ids": np.array([tokenizer.encode(text).ids], np.int64)})
        for place, array in enumerate(found):
            low[place] = min(low[place], float(array.min()))
            high[place] = max(high[place], float(array.max()))
    rows = [
        f"{name}\t{least * MARGIN:.4g}\t{most * MARGIN:.4g}\n"
        for name, least, most in zip(names, low, high, strict=True)
    ]
    RANGES_FILE.write_text("input\tlow\thigh\n" + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    main()

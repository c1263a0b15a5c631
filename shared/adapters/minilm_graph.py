"""all-MiniLM-L6-v2 as a graph that multiplies 8-bit integers, made from the packaged weights when they are loaded.

The package keeps its weights as int8 with one scale a column but widens them to float32 before it multiplies.
This graph takes the same integers as they are, and the inputs of each product as uint8 of a range that was
measured once (``minilm/activation_ranges.tsv``). Fixed ranges make a text's vector independent of the texts
beside it, which ranges taken from each batch would not.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.adapters.onnx_bytes import INT64, Graph, read_weights
from shared.runtime.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

RANGES_FILE = Path(__file__).parent / "minilm" / "activation_ranges.tsv"
LAYERS = 6
HEADS = 12
EPSILON = 1e-12
_FUSED = "com.microsoft"
_PREFIX = "inner."


def int8_model(packaged: bytes) -> bytes:
    """The model as ONNX: input ``ids`` (texts, tokens) without padding, output ``vector`` (texts, 384).

    Vectors have length one. Raises ``ModelUnavailable`` when ``packaged`` lacks a weight.
    """
    return _build(packaged, read_ranges())


def float_model(packaged: bytes) -> bytes:
    """The same model with the products in float32, and the inputs of every product as further outputs."""
    return _build(packaged, None)


def product_inputs() -> list[str]:
    """Names of what is multiplied by weights, in order; each has a range."""
    return [f"l{layer}.{part}" for layer in range(LAYERS) for part in ("in", "attended", "middle", "wide")]


def read_ranges() -> dict[str, tuple[float, float]]:
    """Least and greatest value of each product's input."""
    with RANGES_FILE.open(encoding="utf-8", newline="") as lines:
        return {
            row["input"]: (float(row["low"]), float(row["high"])) for row in csv.DictReader(lines, delimiter="\t")
        }


def _build(packaged: bytes, ranges: Mapping[str, tuple[float, float]] | None) -> bytes:
    weights = read_weights(packaged)
    try:
        builder = _Builder(weights, ranges)
        builder.embeddings()
        for layer in range(LAYERS):
            builder.layer(layer)
        builder.pooling()
    except KeyError as error:
        raise ModelUnavailable(f"the packaged model has no weight called {error}") from error
    extra = [] if ranges else product_inputs()
    return builder.graph.model({"ids": INT64}, ["vector", *extra])


@dataclass(slots=True)
class _Builder:
    """``current`` is the name of the tokens' vectors as they stand."""

    weights: Mapping[str, NDArray[Any]]
    ranges: Mapping[str, tuple[float, float]] | None
    graph: Graph = field(default_factory=Graph)
    current: str = ""
    products: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The weights of products carry numbers for names, rising in the order of use: six of each layer.
        named = [name[:-2] for name in self.weights if name.startswith("val_") and name.endswith("_q")]
        self.products = sorted(named, key=lambda name: int(name[4:]))

    def weight(self, name: str) -> NDArray[Any]:
        return self.weights[_PREFIX + name]

    def embeddings(self) -> None:
        """Words stay integers in memory; only those of a text are widened."""
        import numpy as np  # noqa: PLC0415 - read by those who search

        graph = self.graph
        places = self.weight("embeddings.position_embeddings.weight_q").astype(np.float32)
        places = places * self.weight("embeddings.position_embeddings.weight_scale")
        places += self.weight("embeddings.token_type_embeddings.weight")[0]
        graph.tensor("words", self.weight("embeddings.word_embeddings.weight_q"))
        graph.tensor("words.scale", self.weight("embeddings.word_embeddings.weight_scale"))
        graph.tensor("places", places)
        graph.tensor("first", np.array([0], np.int64))
        graph.tensor("along", np.array([1], np.int64))
        graph.node("Gather", ["words", "ids"], "word.int8")
        graph.node("Cast", ["word.int8"], "word.float", to=1)
        graph.node("Gather", ["words.scale", "ids"], "word.scale")
        graph.node("Mul", ["word.float", "word.scale"], "word")
        graph.node("Shape", ["ids"], "length", start=1, end=2)
        graph.node("Slice", ["places", "first", "length", "first"], "place")
        graph.node("Add", ["word", "place"], "embedded")
        self.current = self.norm("embedded", "embeddings.LayerNorm", "l0.in")

    def layer(self, number: int) -> None:
        import numpy as np  # noqa: PLC0415

        graph, prefix, name = self.graph, f"encoder.layer.{number}.", f"l{number}."
        wide = [self.weights[f"{product}_q"] for product in self.products[6 * number : 6 * number + 6]]
        scales = [self.weights[f"{product}_scale"] for product in self.products[6 * number : 6 * number + 6]]
        if len(wide) < 6:
            raise KeyError(f"{prefix}weight")
        biases = [self.weight(f"{prefix}attention.self.{part}.bias") for part in ("query", "key", "value")]
        entering = self.current
        self.product(
            entering,
            f"{name}qkv",
            np.concatenate(wide[:3], 1),
            np.concatenate(scales[:3], 1),
            np.concatenate(biases),
        )
        heads = [f"{name}query", f"{name}key", f"{name}value"]
        graph.nodes("Split", [f"{name}qkv"], heads, axis=-1, num_outputs=3)
        graph.node("MultiHeadAttention", heads, f"{name}attended", domain=_FUSED, num_heads=HEADS)
        self.product(
            f"{name}attended", f"{name}out", wide[3], scales[3], self.weight(f"{prefix}attention.output.dense.bias")
        )
        graph.node("Add", [f"{name}out", entering], f"{name}sum")
        middle = self.norm(f"{name}sum", f"{prefix}attention.output.LayerNorm", f"{name}middle")
        self.product(middle, f"{name}up", wide[4], scales[4], self.weight(f"{prefix}intermediate.dense.bias"))
        graph.node("Gelu", [f"{name}up"], f"{name}wide", domain=_FUSED)
        self.product(f"{name}wide", f"{name}down", wide[5], scales[5], self.weight(f"{prefix}output.dense.bias"))
        graph.node("Add", [f"{name}down", middle], f"{name}whole")
        self.current = self.norm(f"{name}whole", f"{prefix}output.LayerNorm", f"l{number + 1}.in")

    def pooling(self) -> None:
        """The mean over all tokens, at length one."""
        self.graph.node("ReduceMean", [self.current, "along"], "mean", keepdims=0)
        self.graph.node("LpNormalization", ["mean"], "vector", axis=-1, p=2)

    def norm(self, entering: str, weight: str, output: str) -> str:
        graph = self.graph
        graph.tensor(f"{output}.gain", self.weight(f"{weight}.weight"))
        graph.tensor(f"{output}.bias", self.weight(f"{weight}.bias"))
        # The fused form of this and the addition before it is several times slower on a processor.
        return graph.node(
            "LayerNormalization",
            [entering, f"{output}.gain", f"{output}.bias"],
            output,
            axis=-1,
            epsilon=EPSILON,
        )

    def product(
        self, entering: str, name: str, columns: NDArray[Any], scale: NDArray[Any], bias: NDArray[Any]
    ) -> None:
        import numpy as np  # noqa: PLC0415

        graph = self.graph
        graph.tensor(f"{name}.bias", bias)
        if self.ranges is None:
            graph.tensor(f"{name}.weight", (columns.astype(np.float32) * scale).astype(np.float32))
            graph.node("MatMul", [entering, f"{name}.weight"], f"{name}.plain")
            graph.node("Add", [f"{name}.plain", f"{name}.bias"], name)
            return
        low, high = self.ranges[entering]
        step = (high - low) / 255.0
        graph.tensor(f"{name}.step", np.array(step, np.float32))
        graph.tensor(f"{name}.zero", np.array(round(-low / step), np.uint8))
        graph.tensor(f"{name}.weight", columns)
        graph.tensor(f"{name}.scale", scale.reshape(-1))
        graph.tensor(f"{name}.middle", np.zeros(columns.shape[1], np.int8))
        graph.node("QuantizeLinear", [entering, f"{name}.step", f"{name}.zero"], f"{name}.uint8")
        fused: Sequence[str] = [
            f"{name}.{part}" for part in ("uint8", "weight", "step", "scale", "zero", "middle", "bias")
        ]
        graph.node("MatMulIntegerToFloat", fused, name, domain=_FUSED)

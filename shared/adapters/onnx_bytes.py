"""As much of the ONNX file format as it takes to read weights out of a model and to write another model.

An ONNX model is a protocol-buffers message; of its fields only those that are used here have names below.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shared.runtime.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7
_DTYPES = {FLOAT: "<f4", UINT8: "u1", INT8: "i1", INT32: "<i4", INT64: "<i8"}
_IR_VERSION = 9
Attribute = int | float


def read_weights(model: bytes) -> dict[str, NDArray[Any]]:
    """The initializers of a model by name, as views of ``model``.

    Raises ``ModelUnavailable`` when the bytes are not a model.
    """
    try:
        tensors = (
            tensor
            for number, graph in _fields(memoryview(model))
            if number == 7
            for part, tensor in _fields(_message(graph))
            if part == 5
        )
        return dict(_tensor(_message(tensor)) for tensor in tensors)
    except (IndexError, ValueError, struct.error) as error:
        raise ModelUnavailable(f"the packaged model is not an ONNX file: {error}") from error


def _message(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a message was expected, found a number")
    return value


def _tensor(data: memoryview) -> tuple[str, NDArray[Any]]:
    import numpy as np  # noqa: PLC0415 - read by those who search

    name, kind, shape = "", 0, []
    raw: memoryview = memoryview(b"")
    for number, value in _fields(data):
        if number == 1:
            shape += [value] if isinstance(value, int) else list(_varints(value))
        elif number == 2 and isinstance(value, int):
            kind = value
        elif number == 8:
            name = bytes(_message(value)).decode()
        elif number == 9:
            raw = _message(value)
    if kind not in _DTYPES or not len(raw):
        return name, np.zeros(0, dtype=np.float32)
    return name, np.frombuffer(raw, dtype=_DTYPES[kind]).reshape(shape)


def _varints(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """(field number, value) of a message; fixed-width values are skipped, none of them is used here."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield tag >> 3, value
        elif kind == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise ValueError("a field runs past the end of its message")
            yield tag >> 3, data[at : at + length]
            at += length
        elif kind in {1, 5}:
            at += 8 if kind == 1 else 4
        else:
            raise ValueError(f"unknown wire type {kind}")


@dataclass(slots=True)
class Graph:
    """A graph in the making. Each method returns the name of what it added."""

    opset: int = 18
    _nodes: list[bytes] = field(default_factory=list)
    _tensors: list[bytes] = field(default_factory=list)

    def tensor(self, name: str, array: NDArray[Any] | np.generic) -> str:
        """Add a constant."""
        import numpy as np  # noqa: PLC0415

        whole = np.asarray(array)
        kinds = {np.dtype(code): kind for kind, code in _DTYPES.items()}
        dims = b"".join(_number(1, length) for length in whole.shape)
        self._tensors.append(dims + _number(2, kinds[whole.dtype]) + _text(8, name) + _bytes(9, whole.tobytes()))
        return name

    def external(self, name: str, kind: int, shape: Sequence[int], *, file: str, offset: int, size: int) -> str:
        """Declare a constant that stands in a file of the model's folder, ``size`` bytes from ``offset`` on."""
        dims = b"".join(_number(1, length) for length in shape)
        parts = {"location": file, "offset": str(offset), "length": str(size)}
        place = b"".join(_bytes(13, _text(1, key) + _text(2, value)) for key, value in parts.items())
        self._tensors.append(dims + _number(2, kind) + _text(8, name) + place + _number(14, 1))
        return name

    def node(
        self, operator: str, inputs: Sequence[str], output: str, *, domain: str = "", **attributes: Attribute
    ) -> str:
        """Add an operation of one output; ``""`` stands for an input that is left out."""
        return self.nodes(operator, inputs, [output], domain=domain, **attributes)[0]

    def nodes(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        *,
        domain: str = "",
        **attributes: Attribute,
    ) -> list[str]:
        """Add an operation of several outputs."""
        parts = [_text(1, name) for name in inputs] + [_text(2, name) for name in outputs]
        parts += [_text(3, outputs[0]), _text(4, operator)]
        parts += [_bytes(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join([*parts, _text(7, domain)]))
        return list(outputs)

    def model(self, inputs: Mapping[str, int], outputs: Sequence[str]) -> bytes:
        """The whole model. ``inputs`` names matrices of any size with their element type; outputs are floats."""
        graph = b"".join(
            [
                *(_bytes(1, node) for node in self._nodes),
                _text(2, "graph"),
                *(_bytes(5, tensor) for tensor in self._tensors),
                *(_bytes(11, _value(name, kind, rank=2)) for name, kind in inputs.items()),
                *(_bytes(12, _value(name, FLOAT, rank=None)) for name in outputs),
            ]
        )
        opsets = ((_text(1, "") + _number(2, self.opset)), (_text(1, "com.microsoft") + _number(2, 1)))
        return b"".join([_number(1, _IR_VERSION), _bytes(7, graph), *(_bytes(8, opset) for opset in opsets)])


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, float):
        return _text(1, name) + _tag(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _value(name: str, kind: int, *, rank: int | None) -> bytes:
    tensor = _number(1, kind)
    if rank is not None:
        axes = b"".join(_bytes(1, _text(2, f"{name}{axis}")) for axis in range(rank))
        tensor += _bytes(2, axes)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _tag(number: int, kind: int) -> bytes:
    return _coded(number << 3 | kind)


def _number(number: int, value: int) -> bytes:
    return _tag(number, 0) + _coded(value & 0xFFFFFFFFFFFFFFFF)


def _text(number: int, value: str) -> bytes:
    return _bytes(number, value.encode())


def _bytes(number: int, value: bytes) -> bytes:
    return _tag(number, 2) + _coded(len(value)) + value


def _coded(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)

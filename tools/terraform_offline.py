"""Runs commands with a google provider that has only the schema, so that none need be downloaded.

    python -m tools.terraform_offline COMMAND ARGUMENT...

Terraform finds it by TF_REATTACH_PROVIDERS. It answers what ``init``, ``validate`` and ``test`` with a mocked
provider ask for: arguments, types and blocks but no values. ``plan`` and ``apply`` need the real provider.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from tools.terraform_schema import PROVIDER, SCHEMA, schemas_of

_SERVICE = "tfplugin6.Provider"
_NESTINGS = {"single": 1, "list": 2, "set": 3, "map": 4, "group": 5}
_EMPTY = (
    "ValidateProviderConfig",
    "ValidateResourceConfig",
    "ValidateDataResourceConfig",
    "ConfigureProvider",
    "StopProvider",
)


@contextmanager
def serving(schema: Path = SCHEMA) -> Iterator[dict[str, str]]:
    """Serve while the block lasts; gives the variables by which Terraform finds the provider."""
    reply = provider_schema(json.loads(gzip.decompress(schema.read_bytes())))
    answers = dict.fromkeys(_EMPTY, b"") | {"GetProviderSchema": reply}
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(lambda _request, _context, answer=answer: answer)
        for name, answer in answers.items()
    }
    with tempfile.TemporaryDirectory(prefix="tf-") as folder, ThreadPoolExecutor(4) as pool:
        server = grpc.server(pool, handlers=[grpc.method_handlers_generic_handler(_SERVICE, handlers)])
        address = f"{folder}/s"
        server.add_insecure_port(f"unix:{address}")
        server.start()
        provider = {
            "Protocol": "grpc",
            "ProtocolVersion": 6,
            "Pid": os.getpid(),
            "Test": True,
            "Addr": {"Network": "unix", "String": address},
        }
        try:
            yield {"TF_REATTACH_PROVIDERS": json.dumps({PROVIDER: provider})}
        finally:
            server.stop(grace=None).wait()


def provider_schema(document: Any) -> bytes:
    """The reply to GetProviderSchema (tfplugin6) for a schema as ``terraform providers schema -json`` prints it."""
    whole = schemas_of(document)
    kinds = ((2, "resource_schemas"), (3, "data_source_schemas"))
    entries = (
        _bytes(field, _bytes(1, name.encode()) + _bytes(2, _schema(one)))
        for field, kind in kinds
        for name, one in whole[kind].items()
    )
    return _bytes(1, _schema(whole["provider"])) + b"".join(entries)


def _schema(one: Any) -> bytes:
    return _number(1, one["version"]) + _bytes(2, _block(one["block"]))


def _block(block: Any) -> bytes:
    attributes = (_bytes(2, _attribute(name, one)) for name, one in sorted(block.get("attributes", {}).items()))
    nested = (_bytes(3, _nested(name, one)) for name, one in sorted(block.get("block_types", {}).items()))
    return b"".join((*attributes, *nested))


def _attribute(name: str, one: Any) -> bytes:
    flags = ((4, "required"), (5, "optional"), (6, "computed"), (7, "sensitive"))
    return (
        _bytes(1, name.encode())
        + _bytes(2, json.dumps(one["type"]).encode())
        + b"".join(_number(field, 1) for field, flag in flags if one.get(flag))
    )


def _nested(name: str, one: Any) -> bytes:
    return (
        _bytes(1, name.encode())
        + _bytes(2, _block(one["block"]))
        + _number(3, _NESTINGS[one["nesting_mode"]])
        + _number(4, one.get("min_items", 0))
        + _number(5, one.get("max_items", 0))
    )


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value) if value else b""


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def main() -> int:
    """Run the command."""
    with serving() as variables:
        return subprocess.run(sys.argv[1:], env=os.environ | variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

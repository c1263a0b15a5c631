"""Writes the part of the google provider's schema that infra/terraform uses, in Terraform's own form.

    python -m tools.terraform_schema FILE

FILE is what ``terraform providers schema -json`` prints where the provider can be had, or the ``.jsii`` of the npm
package ``@cdktf/provider-google``, which was generated from that schema. The second has types, blocks and what is
required. It does not tell which optional attributes the provider fills in by itself: they count as not filled in,
but for ``id``, ``project`` and ``address``.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

TERRAFORM = Path(__file__).parents[1] / "infra" / "terraform"
SCHEMA = TERRAFORM / "schema" / "google-6.50.0.json.gz"
PROVIDER = "hashicorp/google"
_USED = re.compile(r'^\s*(resource|data) "(google_\w+)"', re.M)
_ANCHOR = re.compile(r"#(\w+) ")
_HELPERS = {"cdktf.StringMap": "string", "cdktf.NumberMap": "number", "cdktf.BooleanMap": "bool"}
_SCALARS = {"string": "string", "number": "number", "boolean": "bool", "any": "dynamic"}
_INNER = frozenset({"internalValue", "fqn", "tfResourceType"})
_FILLED_IN = frozenset({"id", "project", "address"})

Block = dict[str, Any]


def used(folder: Path = TERRAFORM) -> dict[str, set[str]]:
    """The kinds of resource and of data that the files name."""
    found: dict[str, set[str]] = {"resource": set(), "data": set()}
    for file in folder.rglob("*.tf"):
        for kind, name in _USED.findall(file.read_text(encoding="utf-8")):
            found[kind].add(name)
    return found


def schemas_of(document: Any) -> Block:
    """The google provider's part of a schema in Terraform's form, which puts the registry before its name."""
    return next(one for name, one in document["provider_schemas"].items() if name.endswith(PROVIDER))


def reduced(document: Any, wanted: dict[str, set[str]]) -> Block:
    """The wanted part of a schema in Terraform's form; raises ``KeyError`` for a kind that the provider lacks."""
    whole = schemas_of(document)
    return {
        "format_version": document["format_version"],
        "provider_schemas": {
            PROVIDER: {
                "provider": whole["provider"],
                "resource_schemas": {name: whole["resource_schemas"][name] for name in sorted(wanted["resource"])},
                "data_source_schemas": {
                    name: whole["data_source_schemas"][name] for name in sorted(wanted["data"])
                },
            }
        },
    }


class Assembly:
    """The types of a generated package."""

    def __init__(self, document: Any) -> None:
        self._types: dict[str, Any] = document["types"]

    def schema(self, wanted: dict[str, set[str]]) -> Block:
        """The same as ``terraform providers schema -json`` gives, of the wanted kinds."""
        kinds = {"cdktf.TerraformResource": "resource", "cdktf.TerraformDataSource": "data"}
        found: dict[str, dict[str, Block]] = {"resource": {}, "data": {}}
        provider: Block = {}
        for name, kind in self._types.items():
            if kind.get("base") == "cdktf.TerraformProvider":
                provider = {"version": 0, "block": self._block(name + "Config", name)}
            elif kind.get("base") in kinds:
                match = re.search(r"docs/(?:resources|data-sources)/\S+ (\w+)\}", kind["docs"]["summary"])
                of = kinds[kind["base"]]
                if match and match[1] in wanted[of]:
                    found[of][match[1]] = {"version": 0, "block": self._block(name + "Config", name)}
        whole = {
            "provider": provider,
            "resource_schemas": found["resource"],
            "data_source_schemas": found["data"],
        }
        return reduced({"format_version": "1.0", "provider_schemas": {PROVIDER: whole}}, wanted)

    def _block(self, interface: str, output: str, above: tuple[str, ...] = ()) -> Block:
        attributes: dict[str, Any] = {}
        blocks: dict[str, Any] = {}
        told = set()
        for one in self._types[interface].get("properties", []):
            told.add(one["name"])
            summary = one["docs"].get("summary", "")
            anchor = _ANCHOR.search(f"{one['docs'].get('remarks', '')} {summary}")
            name = anchor[1] if anchor and "{@link" in f"{one['docs']}" else _snake(one["name"])
            optional = bool(one.get("optional"))
            inner, many = self._inner(one["type"])
            if inner and inner not in above and summary.endswith(" block."):
                nested = self._block(inner, inner + "OutputReference", (*above, interface))
                if name == "timeouts":
                    blocks[name] = {"nesting_mode": "single", "block": nested}
                else:
                    limits = {"min_items": 0 if optional else 1} | ({} if many else {"max_items": 1})
                    blocks[name] = {"nesting_mode": "list", "block": nested} | limits
                continue
            attributes[name] = {"type": _type(one["type"]), "optional" if optional else "required": True}
            if optional and name in _FILLED_IN:
                attributes[name]["computed"] = True
        for one in self._types.get(output, {}).get("properties", []):
            name = _snake(one["name"])
            hidden = one.get("static") or one["name"].endswith("Input") or one["name"] in _INNER
            if not hidden and one["name"] not in told and name not in attributes and name not in blocks:
                attributes[name] = {"type": _type(one["type"]), "computed": True}
        return {"attributes": attributes, "block_types": blocks}

    def _inner(self, kind: Any) -> tuple[str | None, bool]:
        """The interface that a property holds, and whether as a list."""
        if "union" in kind:
            return next((found for one in kind["union"]["types"] if (found := self._inner(one))[0]), (None, False))
        if "collection" in kind and kind["collection"]["kind"] == "array":
            return self._inner(kind["collection"]["elementtype"])[0], True
        name = kind.get("fqn", "")
        return (name, False) if self._types.get(name, {}).get("kind") == "interface" else (None, False)


def _type(kind: Any) -> Any:
    if "primitive" in kind:
        return _SCALARS[kind["primitive"]]
    if "union" in kind:
        return _type(next(one for one in kind["union"]["types"] if one.get("fqn") != "cdktf.IResolvable"))
    if "collection" in kind:
        of = "list" if kind["collection"]["kind"] == "array" else "map"
        return [of, _type(kind["collection"]["elementtype"])]
    if kind["fqn"] in _HELPERS:
        return ["map", _HELPERS[kind["fqn"]]]
    return "bool" if kind["fqn"] == "cdktf.IResolvable" else "dynamic"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def main() -> None:
    """Write the schema's part."""
    document = json.loads(Path(sys.argv[1]).read_bytes())
    part = reduced(document, used()) if "provider_schemas" in document else Assembly(document).schema(used())
    SCHEMA.write_bytes(gzip.compress(json.dumps(part, separators=(",", ":"), sort_keys=True).encode(), mtime=0))
    print(f"{SCHEMA.name}: {SCHEMA.stat().st_size:,} bytes, {len(used()['resource'])} kinds of resource")


if __name__ == "__main__":
    main()

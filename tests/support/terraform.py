"""What infra/terraform would create, by its own tests over the provider's schema."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.terraform_offline import serving

INFRA = Path(__file__).parents[2] / "infra"
MISSING = "Terraform is not here, and infra/terraform cannot be checked: https://developer.hashicorp.com/terraform/install"


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource that would be made; ``values`` are its arguments, and stand-ins for what the platform fills in."""

    address: str
    type: str
    index: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Created:
    """One environment as it would be."""

    resources: tuple[Resource, ...]
    outputs: Mapping[str, Any]

    def of(self, kind: str) -> list[Resource]:
        """The resources of a type."""
        return [one for one in self.resources if one.type == kind]


def copied(folder: Path) -> Path:
    """A copy of infra/ in ``folder``."""
    return Path(shutil.copytree(INFRA, folder / "infra", ignore=shutil.ignore_patterns(".terraform*")))


def terraform(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Terraform in a folder, which it may write to; fails where there is none."""
    if shutil.which("terraform") is None:
        raise AssertionError(MISSING)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("TF_")}
    quiet = {"CHECKPOINT_DISABLE": "1", "TF_CLI_CONFIG_FILE": os.devnull}
    with serving() as variables:
        return subprocess.run(
            ["terraform", *arguments],
            cwd=folder,
            env=plain | quiet | variables,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def initialised(folder: Path) -> Path:
    """The folder, after ``terraform init``."""
    done = terraform(folder, "init", "-backend=false", "-no-color")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def created(infra: Path, environment: str) -> Created:
    """What the environment's own test creates; it must pass."""
    folder = initialised(infra / "terraform" / "environments" / environment)
    done = terraform(folder, "test", "-json", "-verbose", "-filter=tests/whole.tftest.hcl")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    told = [line.get("diagnostic", line) for line in lines if line.get("@level") == "error"]
    assert done.returncode == 0, f"{told}\n{done.stderr}"
    state = next(line["test_state"] for line in lines if line["type"] == "test_state")
    outputs = {name: output["value"] for name, output in state["outputs"].items()}
    return Created(tuple(_resources(state["root_module"])), outputs)


def _resources(module: Mapping[str, Any]) -> Iterator[Resource]:
    for one in module.get("resources", ()):
        if one["mode"] == "managed":
            yield Resource(one["address"], one["type"], str(one.get("index", "")), one["values"])
    for child in module.get("child_modules", ()):
        yield from _resources(child)

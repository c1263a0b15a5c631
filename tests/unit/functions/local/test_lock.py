from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[4]
LOCK = ROOT / "requirements" / "ci.txt"


def pins() -> dict[str, str]:
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in lines), "names and versions only"
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_the_lock_holds_a_fitting_version_of_everything_that_tests_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["charts"],
        *project["dependency-groups"]["dev"],
    ]
    found = pins()
    for requirement in map(Requirement, wanted):
        pinned = found.get(canonicalize_name(requirement.name))
        assert pinned is not None, f"{requirement.name} is not pinned: make lock"
        assert requirement.specifier.contains(pinned), f"{requirement} is pinned at {pinned}: make lock"

"""What each function must not load to begin with: an instance that starts cold pays for every import."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from shared.runtime.settings import STAGES_FILE, load_stages

ROOT = STAGES_FILE.parents[1]
NAMES = [row.name for row in load_stages().functions if (ROOT / "functions" / row.name / "main.py").is_file()]
STAGES = [row.name for row in load_stages().stages]

# The clients of the cloud are loaded when they are opened, and none of these by a function that has no use for it.
NEVER = (
    "onnxruntime",
    "tokenizers",
    "numpy",
    "google.api_core",
    "google.cloud.firestore_v1",
    "google.cloud.storage",
    "google.pubsub_v1",
    "grpc",
    "boto3",
    "opentelemetry",
    "mcp",
    "functions.local",
    "shared.adapters.sqlite_store",
)
PLUGINS = frozenset({"discover", "select", "resolve_entities", "resolve_attributes", "execute", "ask"})
"""The functions that ask or name sources."""
FINDER = frozenset({"finder"})
"""The functions that hold an index."""


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """The modules of a fresh process after it has loaded each function as the framework does."""
    code = (
        "import json, sys; from functions_framework import _function_registry as r; "
        "module, spec = r.load_function_module(sys.argv[1]); spec.loader.exec_module(module); "
        "assert r.get_user_function(sys.argv[1], module, 'handle'); print(json.dumps(sorted(sys.modules)))"
    )
    running = {
        name: subprocess.Popen(
            [sys.executable, "-c", code, f"functions/{name}/main.py"], cwd=ROOT, stdout=subprocess.PIPE
        )
        for name in NAMES
    }
    return {name: set(json.loads(process.communicate(timeout=120)[0])) for name, process in running.items()}


def within(modules: set[str], package: str) -> set[str]:
    return {name for name in modules if name == package or name.startswith(package + ".")}


@pytest.mark.parametrize("name", NAMES)
def test_a_function_loads_nothing_heavy(loaded, name):
    assert {package for package in NEVER if within(loaded[name], package)} == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_function_loads_plugins_and_the_finder_only_for_its_own_use(loaded, name):
    assert bool(within(loaded[name], "plugins")) == (name in PLUGINS)
    assert bool(within(loaded[name], "finder_index")) == (name in FINDER)


@pytest.mark.parametrize("name", STAGES)
def test_a_stages_function_loads_its_own_stage_and_no_other(loaded, name):
    assert [stage for stage in STAGES if f"functions.{stage}.stage" in loaded[name]] == [name]
    assert not within(loaded[name], "functions.ask")


def test_every_row_of_the_table_has_its_function():
    assert set(NAMES) >= set(STAGES) | {"ask", "finder", "archive", "sweep"}


def test_a_question_does_not_wait_for_the_reports_to_be_loaded(loaded):
    assert not within(loaded["ask"], "functions.reports")
    assert not within(loaded["ask"], "shared.accounting.billing")

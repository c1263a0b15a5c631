"""Each invariant of a question's life has tests; this table names them, and fails when one is renamed away.

The numbers are those of the list of invariants that the product is built to. The status page of the deployed
service, the last of them, belongs to the cloud runtime.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

INVARIANTS: dict[str, tuple[str, ...]] = {
    "1. no judgment and no resolution of meaning while a plan is executed": (
        "pipeline/test_runner.py::test_models_are_not_asked_during_execution",
        "unit/plugins/countryfacts/test_plugin.py::test_resolution_during_execution_violates_the_phase",
    ),
    "2. no composition without a like-for-like judgment, and none from an unknown": (
        "unit/functions/combine/test_invariants.py::test_no_composition_without_a_like_for_like_judgment",
    ),
    "3. a request restricted to named sources never reaches another source": (
        "unit/functions/discover/test_stage.py::"
        "test_a_request_restricted_to_named_sources_never_reaches_another_source",
        "pipeline/test_invariants.py::test_a_request_restricted_to_named_sources_never_reaches_another_source",
        "pipeline/test_invariants.py::test_a_named_source_that_cannot_be_honoured_stops_the_other_readings",
    ),
    "4. a requested year is the year returned, or the source is refused": (
        "unit/functions/execute/test_stage.py::test_a_requested_year_is_the_year_returned_or_the_source_is_refused",
        "pipeline/test_invariants.py::test_a_requested_year_is_the_year_of_every_figure",
    ),
    "5. a claim cites only what the answer carries": (
        "unit/functions/present/test_rules.py::test_a_claim_cites_only_what_the_answer_carries",
        "pipeline/test_invariants.py::test_every_citation_of_every_claim_is_carried_by_the_answer",
    ),
    "6. complete means the result that the query type promises": (
        "unit/functions/present/test_rules.py::test_complete_means_that_combine_produced_the_promised_result",
    ),
    "7. a breakdown's categories add up to its total": (
        "unit/functions/combine/test_invariants.py::test_parts_that_do_not_add_up_to_their_total_are_refused",
    ),
    "8. a stream's worker owns its concurrency slot": (
        "unit/functions/ask/test_stream.py::test_the_run_of_a_client_that_left_is_cancelled_and_its_slot_comes_back",
        "unit/functions/ask/test_server.py::test_a_run_that_cannot_be_created_gives_its_slot_back",
    ),
}


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize(("invariant", "tests"), INVARIANTS.items(), ids=[name[:2] for name in INVARIANTS])
def test_the_invariant_has_its_tests(invariant: str, tests: tuple[str, ...]) -> None:
    for test in tests:
        file, name = test.split("::")
        assert name in functions_of(TESTS / file), f"{invariant}: {test}"

"""Each invariant of a question's life has tests; this table names them, and fails when one is renamed away.

The numbers are those of the list of invariants that the product is built to; letters are its rules about language
models. The last of them, a status page that asks the sample questions of a deployed service, is not built here.
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
    "a. what a model returns is validated; one retry, then a visible failure": (
        "unit/shared/models/test_behaviours.py::test_each_behaviour_of_a_server_has_its_outcome",
        "unit/shared/models/test_model_judge.py::"
        "test_a_model_that_answers_nonsense_is_a_visible_failure_and_no_outage",
        "pipeline/test_models.py::test_a_model_that_answers_nonsense_is_a_visible_failure",
    ),
    "b. the interpretation of a question names no source": (
        "unit/shared/models/test_prompt.py::test_interpretation_names_no_source",
    ),
    "c. a run's model calls and dollars are bounded; a reply that crosses a limit is kept": (
        "unit/shared/models/test_model_judge.py::test_the_calls_of_a_run_are_bounded",
        "unit/shared/models/test_model_judge.py::test_no_call_is_made_that_could_cost_more_than_is_left",
        "unit/shared/models/test_model_judge.py::"
        "test_a_reply_that_crosses_a_limit_is_kept_and_the_crossing_is_told",
    ),
    "d. seconds, calls, tokens and dollars are accounted for by stage, model and task": (
        "pipeline/test_models.py::"
        "test_a_competent_model_leads_to_the_answers_of_the_built_in_rules_and_its_calls_are_accounted_for",
    ),
    "e. two members of the panel that agree settle a reading; a slow one is left": (
        "pipeline/test_models.py::test_two_members_that_agree_settle_the_reading_and_the_third_is_not_asked",
        "pipeline/test_models.py::test_a_member_that_never_answers_is_left_and_the_answer_says_so",
    ),
    "f. a provider that is down is disclosed, and rules stand in only where a task allows it": (
        "pipeline/test_models.py::test_a_provider_that_is_down_is_disclosed_and_the_built_in_rules_answer",
        "unit/shared/models/test_model_judge.py::"
        "test_the_builtin_judge_never_stands_in_for_a_task_that_does_not_allow_it",
    ),
    "g. what others wrote is data to a model, and no instruction": (
        "unit/shared/models/test_prompt.py::test_a_text_cannot_close_the_mark_that_it_stands_in",
    ),
    "h. providers are sorted by throughput, slow ones tried last": (
        "unit/shared/models/test_wire_shapes.py::test_openrouter_is_told_which_of_a_models_providers_are_preferred",
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

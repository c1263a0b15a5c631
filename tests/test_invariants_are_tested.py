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
        "unit/shared/models/test_prompt.py::"
        "test_no_instruction_that_is_given_before_documents_are_chosen_names_a_source",
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
    "i. no number appears that no publisher returned, whatever a model says": (
        "hostile/test_hostile.py::test_with_hostile_models_no_number_appears_that_no_publisher_returned",
        "hostile/test_bad_input.py::test_a_number_of_the_models_own_is_in_no_answer",
        "unit/functions/understand/test_grounded.py::test_a_number_that_the_question_does_not_set_is_a_fault",
    ),
    "j. competent models lead to right answers, plain and harder wordings alike": (
        "cases/test_with_models.py::"
        "test_with_a_competent_model_plain_and_harder_wordings_are_answered_right_and_no_number_is_wrong",
    ),
    "h. providers are sorted by throughput, slow ones tried last": (
        "unit/shared/models/test_wire_shapes.py::test_openrouter_is_told_which_of_a_models_providers_are_preferred",
    ),
    "i. every choice is one of the ids offered, in every task": (
        "unit/shared/models/test_tasks.py::test_every_task_has_its_cases",
        "unit/shared/models/test_tasks.py::test_a_reply_out_of_bounds_is_asked_for_again_and_then_fails_visibly",
        "unit/functions/hosting/test_task_table.py::test_every_task_of_the_tree_stands_in_the_table_once",
    ),
    "j. a publisher that the question names is honoured for every slot, or refused and none other is asked": (
        "unit/functions/discover/test_publishers.py::test_a_named_publisher_is_honoured_for_every_kind_of_slot",
        "unit/functions/discover/test_publishers.py::"
        "test_a_publisher_that_is_not_on_offer_refuses_every_slot_and_nothing_is_searched",
        "unit/functions/discover/test_publishers.py::"
        "test_a_model_cannot_leave_out_the_publisher_that_a_question_says_plainly",
    ),
    "k. two lists of a group's members agree within one name in twenty, else a majority is disclosed": (
        "unit/functions/resolve_entities/test_listing.py::"
        "test_two_lists_agree_when_they_differ_by_one_name_in_twenty_and_the_disputed_one_is_left_out",
        "unit/functions/resolve_entities/test_listing.py::"
        "test_without_two_that_agree_the_majority_is_taken_and_disputed_members_are_disclosed",
        "unit/functions/resolve_entities/test_listing.py::"
        "test_a_list_of_one_model_is_used_only_when_no_other_answered_and_that_is_said",
        "pipeline/test_listed_groups.py::"
        "test_a_group_that_no_source_lists_is_added_up_from_members_that_two_models_agree_on",
    ),
    "l. a semantic judgment can reject a measure and rescues none": (
        "unit/functions/resolve_attributes/test_semantics.py::test_a_rejection_is_a_refusal_with_its_reason",
        "unit/functions/resolve_attributes/test_semantics.py::"
        "test_a_judgment_rescues_nothing_that_its_source_has_refused",
    ),
    "m. a document choice has at most 25 candidates and 6 groups of 5; those of several sources are side by side": (
        "unit/plugins/choice/test_choice_task.py::test_the_first_25_documents_are_offered",
        "unit/plugins/choice/test_choice_task.py::test_more_groups_larger_ones_and_empty_ones_are_not",
        "pipeline/test_models.py::test_the_choices_of_several_sources_are_made_side_by_side",
    ),
    "n. the panel: a tie to the simpler type, 7 seconds once one has answered, 4 readings of one subject": (
        "unit/shared/models/test_panel.py::test_the_first_two_are_asked_together",
        "unit/shared/models/test_panel.py::test_a_third_member_decides_between_two_that_differ",
        "unit/shared/models/test_panel.py::test_a_tie_goes_to_the_simpler_type",
        "unit/shared/models/test_panel.py::"
        "test_a_slow_member_is_left_once_another_has_answered_and_the_result_says_so",
        "unit/shared/models/test_panel.py::test_the_deadline_comes_from_the_environment",
        "unit/shared/models/test_panel.py::test_up_to_four_readings_are_kept_and_other_subjects_dropped",
    ),
    "o. a group's total is formed only of what adds up": (
        "unit/functions/combine/test_invariants.py::test_an_undeclared_quantity_is_summed_only_if_judged_to_add_up",
        "unit/functions/combine/test_group_totals.py::test_figures_of_several_years_are_not_added_up",
    ),
    "p. what models have cost is charged to the run, also by tries that came to nothing": (
        "pipeline/test_runner_budget.py::test_a_try_that_is_stopped_after_a_paid_call_leaves_it_charged_to_the_run",
        "pipeline/test_runner_budget.py::"
        "test_a_call_that_is_out_when_its_worker_dies_is_charged_at_its_worst_price",
    ),
    "q. an answer's words are of its claims, and no figure passes that is none": (
        "unit/functions/present/test_worded_check.py::test_no_number_passes_that_is_no_claim",
        "unit/functions/present/test_worded.py::test_two_replies_with_other_figures_leave_the_built_in_wording",
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

"""Each step, route, failure and once silent behaviour of the finder has tests; this table names them.

It fails when one is renamed away.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SEARCH = "unit/finder_index/test_finder_search.py::test_"
MODEL = "unit/finder_index/test_search_model_rerank.py::test_"
ROUTE = "unit/functions/finder/test_search_route.py::test_"
LOOKUP = "unit/functions/finder/test_lookup_routes.py::test_"
STANDARD = "unit/functions/finder/test_standard.py::test_"
MCP = "unit/functions/finder/test_mcp.py::test_"
LEDGER = "unit/functions/finder/test_ledger.py::test_"
POOL = "unit/finder_index/test_pool.py::test_"
RERANK = "unit/finder_index/test_rerank.py::test_"
BUILD = "unit/finder_index/test_finder_build.py::test_"
MOUNTS = "unit/finder_index/test_mounts.py::test_"
LEAVES = "unit/finder_index/test_leaves.py::test_"
CATALOGS = "unit/functions/finder/test_catalogs.py::test_"
WHOLE = "e2e/test_finder_service.py::test_"

TABLE: dict[str, tuple[str, ...]] = {
    # ---- the steps of a search
    "step 1: text, texts, page size and names are checked": (
        f"{ROUTE}what_is_no_search_is_refused_by_name",
        f"{ROUTE}the_page_size_is_held_between_1_and_100_and_a_change_is_said",
        f"{ROUTE}an_unknown_source_is_refused_with_the_valid_names",
        f"{ROUTE}filters_hold_and_those_without_meaning_are_reported",
    ),
    "step 2: phrasings with places stripped": (
        f"{SEARCH}phrasings_are_the_callers_first_then_those_without_places",
        f"{SEARCH}a_place_and_a_year_change_neither_order_nor_score",
    ),
    "step 3: one embedding call": (f"{ROUTE}a_search_returns_entries_eligibility_scale_and_usage",),
    "step 4: slice, examined cap and constants": (
        f"{SEARCH}limits_are_read_under_their_documented_names",
        f"{SEARCH}each_documented_name_sets_its_limit",
        f"{SEARCH}the_limits_are_the_documented_ones",
        f"{SEARCH}widening_goes_on_while_scores_lie_close_and_stops_at_the_examined_cap",
        f"{POOL}as_many_as_lie_within_the_band_are_in_the_head_up_to_the_cap",
        f"{POOL}without_promotion_the_head_is_the_slice",
    ),
    "step 4: each phrasing's best": (f"{POOL}each_phrasings_best_are_in_the_head_however_near_the_others",),
    "step 4: each source's best": (f"{POOL}each_sources_best_are_in_the_head_however_large_the_others",),
    "step 5: by source family, five at most, with anchors": (
        f"{MODEL}the_first_five_sources_are_scored_and_the_others_are_named",
        f"{MODEL}the_first_source_stands_alone_and_the_others_get_its_two_best_as_anchors",
        f"{MODEL}an_anchors_score_is_thrown_away",
        f"{MODEL}a_card_tells_whom_a_table_covers_and_on_which_levels",
    ),
    "step 6: source first": (
        f"{SEARCH}the_best_of_each_source_comes_first",
        f"{MODEL}the_best_of_each_source_comes_first_then_the_others_by_score",
    ),
    "step 7: widening": (
        f"{MODEL}a_narrow_spread_widens_window_by_window_until_something_qualifies",
        f"{MODEL}a_wide_spread_stops_widening_and_says_so",
        f"{MODEL}a_widening_call_that_fails_fails_the_search",
    ),
    "step 8: entries and usage": (f"{ROUTE}a_search_returns_entries_eligibility_scale_and_usage",),
    # ---- routes
    "POST /search": (f"{ROUTE}a_search_returns_entries_eligibility_scale_and_usage",),
    "GET and POST /ask, 400 characters": (
        f"{MCP}plain_words_are_searched_by_get_and_post",
        f"{MCP}plain_words_end_at_400_characters",
    ),
    "POST /mcp": (
        f"{MCP}search_tables_gives_the_same_entries_as_the_route",
        f"{WHOLE}the_official_client_finds_tables",
    ),
    "GET /variable": (
        f"{LOOKUP}a_variable_is_found_in_every_source",
        f"{LOOKUP}an_unknown_variable_has_no_documents",
        f"{LOOKUP}lookups_give_as_many_as_are_asked_for_up_to_their_limits",
        f"{LOOKUP}a_margin_of_error_is_found_by_the_figures_that_it_belongs_to",
    ),
    "GET /variables": (f"{LOOKUP}a_quantity_tells_how_it_is_split_and_by_which_variables",),
    "GET /publishers": (f"{LOOKUP}publishers_are_listed_with_their_sources",),
    "GET /": (f"{MCP}the_page_works_without_a_script_and_under_a_strict_policy",),
    "GET /agents": (
        f"{LOOKUP}pages_of_tables_cover_all_of_them_once",
        f"{LOOKUP}a_filter_expression_is_obeyed",
        f"{LOOKUP}what_cannot_be_browsed_by_is_refused",
    ),
    "GET /agents/entry": (f"{LOOKUP}one_entry_is_found_by_its_identifier",),
    "POST /explore": (
        f"{LOOKUP}facets_follow_filters_and_least_counts",
        f"{LOOKUP}facets_count_every_table_when_nothing_is_asked",
        f"{LOOKUP}facets_of_a_text_have_the_searchs_cutoff",
    ),
    "GET /.well-known/ard.json and the older path": (
        f"{STANDARD}the_manifest_names_the_registry_and_the_tool",
        f"{WHOLE}the_standards_own_tool_passes",
    ),
    "GET /okf/index and /okf/file": (
        f"{LOOKUP}documents_are_listed_and_read",
        f"{LOOKUP}no_path_leads_out_of_the_corpus",
        f"{WHOLE}hostile_paths_over_the_wire_stay_inside",
    ),
    "GET /health": (f"{MCP}health_tells_what_is_served",),
    "GET /stats and /stats.json": (f"{LEDGER}the_service_writes_its_counters_when_it_ends",),
    "any origin": (f"{STANDARD}any_origin_may_ask",),
    "64 KB": (
        f"{ROUTE}a_body_over_64_kilobytes_is_refused_declared_or_not",
        f"{MCP}a_large_body_is_refused_here_too",
    ),
    # ---- conditions and failures
    "no candidate clears 50": (f"{ROUTE}nothing_relevant_is_no_match_with_threshold_and_best_score",),
    "the first source's scoring fails": (f"{ROUTE}a_reranker_that_fails_is_503_and_no_embedding_order_stands_in",),
    "filters leave nothing": (f"{ROUTE}filters_that_leave_nothing_are_no_match_without_a_model_ranking",),
    "deadline": (f"{ROUTE}a_search_past_its_time_is_504_with_usage",),
    "embedding fails": (
        f"{ROUTE}an_embedding_that_is_down_is_503_with_usage",
        f"{MODEL}an_embedding_that_fails_is_a_typed_error_with_usage",
        f"{MODEL}a_hanging_embedder_ends_at_the_deadline",
    ),
    "daily quota": (
        f"{ROUTE}the_quota_is_charged_after_validation_and_by_address",
        f"{ROUTE}zero_is_no_quota",
        f"{ROUTE}a_forwarded_address_counts_only_behind_a_proxy",
    ),
    "a widening window's scoring fails": (f"{MODEL}a_widening_call_that_fails_fails_the_search",),
    "an index that is not current stops the start": (
        f"{BUILD}an_index_of_other_leaves_is_stale_and_says_how_to_rebuild",
        f"{BUILD}a_truncated_file_is_refused",
        f"{BUILD}a_missing_file_is_refused",
    ),
    "catalogs of another model, dimension or with a source held twice": (
        f"{MOUNTS}a_catalog_of_another_model_is_refused",
        f"{MOUNTS}a_catalog_of_another_dimension_is_refused",
        f"{MOUNTS}a_source_that_two_catalogs_hold_must_be_declared",
    ),
    "a mounted catalog's identifiers carry its name": (f"{MOUNTS}a_mounted_catalog_is_searched_with_the_others",),
    "catalogs limit a search, unknown ones are 400": (
        f"{CATALOGS}catalogs_limit_a_search_and_unknown_ones_are_refused",
    ),
    "settings under their documented names": (f"{LEDGER}settings_are_read_under_their_documented_names",),
    "reranker hangs": (
        f"{MODEL}a_hanging_reranker_ends_at_the_deadline_with_its_usage",
        f"{MODEL}a_later_source_that_hangs_is_left_before_the_deadline",
    ),
    # ---- behaviours that used to be silent, and known faults
    "broken leaves lost their terms": (
        f"{LEAVES}a_broken_leaf_fails_with_file_and_line",
        f"{LEAVES}a_source_without_access_document_fails",
    ),
    "exact lookups read the built-in catalog only": (
        f"{MOUNTS}exact_lookups_cover_every_catalog",
        f"{CATALOGS}a_variable_is_looked_up_in_every_catalog",
    ),
    "the geography of a table is weighed": (
        f"{RERANK}a_table_without_the_level_that_is_asked_for_stands_behind",
        f"{MODEL}a_card_tells_whom_a_table_covers_and_on_which_levels",
    ),
    "what the embedding found is dropped by the reranker": (
        f"{RERANK}a_table_that_shares_no_word_qualifies_by_meaning",
    ),
    "sources beyond the fifth": (f"{ROUTE}sources_past_the_fifth_and_failed_ones_are_named",),
    "a later source that failed": (
        f"{MODEL}a_later_source_whose_scoring_fails_is_named_and_the_others_are_returned",
    ),
    "malformed ranking items": (f"{ROUTE}ranking_items_that_were_skipped_are_listed",),
    "the scale without rerank": (f"{ROUTE}without_rerank_the_other_scale_is_named",),
    "why widening stopped": (f"{MODEL}a_wide_spread_stops_widening_and_says_so",),
    "counters reset on restart": (
        f"{LEDGER}counters_survive_a_restart",
        f"{WHOLE}counters_and_quota_survive_a_restart",
    ),
    "the quota was charged before validation": (f"{ROUTE}the_quota_is_charged_after_validation_and_by_address",),
    "keys that mean nothing": (f"{ROUTE}a_key_without_meaning_is_said",),
    # ---- many callers
    "two hundred at once": (
        f"{ROUTE}two_hundred_searches_at_once_are_all_answered_alike",
        f"{WHOLE}two_hundred_callers_at_once_get_what_one_gets",
    ),
    "a client that leaves": (
        f"{ROUTE}a_search_whose_client_leaves_is_cancelled_and_counted",
        f"{WHOLE}a_client_that_leaves_does_not_stop_the_service",
    ),
}


def functions_of(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("promise", TABLE)
def test_each_promise_of_the_finder_has_its_tests(promise: str) -> None:
    for name in TABLE[promise]:
        file, _, function = name.partition("::")
        assert function in functions_of(TESTS / file), name

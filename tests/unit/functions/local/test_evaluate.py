"""Cases are read strictly, answers are judged on their numbers, and a wrong number never goes uncounted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from functions.local.evaluate import evaluate, load_questions
from functions.local.judging import judge, place_names
from functions.local.question_cases import QuestionCase
from shared.query.annotated import AskOptions
from shared.runtime.errors import UsageError

NAMES = {
    "ind": frozenset({"india", "ind", "in"}),
    "chn": frozenset({"china", "chn", "cn"}),
    "usa": frozenset({"united states", "usa", "us"}),
    "06": frozenset({"california", "06", "ca"}),
}


def identify(name: str) -> frozenset[str]:
    wanted = name.casefold()
    return next((names for names in NAMES.values() if wanted in names), frozenset())


def claim(entity: str, period: str, value: str, **keys: Any) -> dict[str, Any]:
    return {
        "id": f"c:{entity}:{period}:{value}",
        "text": f"{entity} {period}: {value}",
        "value": value,
        "unit": "USD",
        "entity": entity,
        "period": period,
        "measure": "GDP (current US$)",
        "evidence": [],
        **keys,
    }


def answer(*claims: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"status": "complete", "reading": {"type": "value"}, "text": "", "claims": list(claims), **keys}


def case(**expect: Any) -> QuestionCase:
    return QuestionCase.model_validate({"id": "t", "question": "What is India's GDP?", "expect": expect})


INDIA_2023 = {"entity": "India", "period": "2023", "value": "3638489096096.37", "rel_tol": 1e-6}


def why(given: Mapping[str, Any], **expect: Any) -> tuple[str, ...]:
    return judge(given, case(**expect), identify).why


class TestClaims:
    def test_a_claim_matches_by_name_period_and_value_within_tolerance(self) -> None:
        assert why(answer(claim("India", "2023", "3638489096096.4")), claims=[INDIA_2023]) == ()

    @pytest.mark.parametrize("name", ["IND", "in", "India"])
    def test_an_entity_may_be_expected_by_any_of_its_names_and_codes(self, name: str) -> None:
        given = answer(claim("India", "2023", "3638489096096.37"))
        assert why(given, claims=[{**INDIA_2023, "entity": name}]) == ()

    def test_a_place_may_be_expected_by_its_fips_code(self) -> None:
        given = answer(claim("California", "2022", "39029342"))
        assert why(given, claims=[{"entity": "06", "period": "2022", "value": 39029342}]) == ()

    def test_the_article_of_a_name_does_not_matter(self) -> None:
        given = answer(claim("the world", "2025", "8215424893"))
        assert why(given, claims=[{"entity": "World", "value": "8215424893"}]) == ()

    def test_a_value_beyond_the_tolerance_does_not_match(self) -> None:
        assert why(answer(claim("India", "2023", "3638500000000")), claims=[INDIA_2023])

    def test_another_period_does_not_match(self) -> None:
        assert why(answer(claim("India", "2022", "3638489096096.37")), claims=[INDIA_2023])

    def test_a_fiscal_year_is_not_the_year_of_its_number(self) -> None:
        assert why(answer(claim("India", "FY2023", "3638489096096.37")), claims=[INDIA_2023])

    def test_the_unit_may_be_that_of_the_receipt(self) -> None:
        given = answer(
            claim("India", "2023", "3638489096096.37", unit="US$", evidence=["r:1"]),
            receipts=[{"id": "r:1", "unit": "current US$", "currency": "USD"}],
        )
        assert why(given, claims=[{**INDIA_2023, "unit": "USD"}]) == ()
        assert why(given, claims=[{**INDIA_2023, "unit": "EUR"}])

    def test_a_computed_figure_may_be_expected_by_its_value_alone(self) -> None:
        given = answer(claim("India and China", "2025", "57280525", measure=None))
        assert why(given, claims=[{"value": "57280525", "rel_tol": 1e-6}]) == ()

    def test_a_value_in_words_is_compared_without_case(self) -> None:
        given = answer(claim("Australia", "undated", "Canberra"))
        assert why(given, claims=[{"entity": "Australia", "value": "canberra"}]) == ()


class TestPlaceNames:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("CIV", "Ivory Coast"),
            ("GBR", "the UK"),
            ("USA", "United States"),
            ("IN", "India"),
            ("06", "California"),
            ("European Union", "EUU"),
            ("Sub-Saharan Africa", "SSF"),
            ("WLD", "World"),
            ("GEO", "Georgia"),
            ("CZE", "Czech Republic"),
        ],
    )
    def test_a_place_is_one_under_each_of_its_names(self, one: str, other: str) -> None:
        given = answer(claim(one, "2023", "1"))
        assert judge(given, case(claims=[{"entity": other, "period": "2023", "value": "1"}])).right

    @pytest.mark.parametrize(("one", "other"), [("Albania", "Alabama"), ("Niger", "Nigeria"), ("DOM", "DMA")])
    def test_places_with_like_codes_or_names_are_not_one(self, one: str, other: str) -> None:
        assert place_names(one).isdisjoint(place_names(other))

    def test_an_unknown_name_is_only_itself(self) -> None:
        assert place_names("Atlantis") == frozenset()


class TestWrongNumbers:
    def wrong(self, given: Mapping[str, Any], **expect: Any) -> int:
        return len(judge(given, case(**expect), identify).wrong_numbers)

    def test_a_second_value_of_the_same_quantity_is_wrong(self) -> None:
        given = answer(claim("India", "2023", "3638489096096.37"), claim("India", "2023", "3500000000000"))
        assert self.wrong(given, claims=[INDIA_2023]) == 1

    def test_another_quantity_of_the_entity_and_year_is_not_wrong(self) -> None:
        given = answer(
            claim("India", "2023", "3638489096096.37"),
            claim("India", "2023", "2530.12", measure="GDP per capita (current US$)"),
        )
        assert self.wrong(given, claims=[INDIA_2023]) == 0

    def test_when_nothing_matched_the_unit_tells_the_quantity(self) -> None:
        given = answer(claim("India", "2023", "1"), claim("India", "2023", "8.1", unit="%"))
        assert self.wrong(given, claims=[{**INDIA_2023, "unit": "USD"}]) == 1

    def test_when_the_case_names_the_variable_only_its_receipts_count(self) -> None:
        given = answer(
            claim("India", "2023", "1", evidence=["r:gdp"]),
            claim("India", "2023", "2", evidence=["r:other"]),
            receipts=[
                {"id": "r:gdp", "variable": "NY.GDP.MKTP.CD"},
                {"id": "r:other", "variable": "NY.GNP.MKTP.CD"},
            ],
        )
        expected = {**INDIA_2023, "unit": "USD", "variable": "NY.GDP.MKTP.CD"}
        assert self.wrong(given, claims=[expected]) == 1

    def test_listed_parts_of_one_whole_are_not_wrong_for_each_other(self) -> None:
        parts = [{"entity": "India", "period": "2025", "value": v, "unit": "USD"} for v in ("24.1", "68.4", "7.5")]
        given = answer(claim("India", "2025", "24.1"), claim("India", "2025", "68.4"))
        assert self.wrong(given, claims=parts) == 0

    def test_a_wrong_number_fails_the_case_although_the_right_one_is_there(self) -> None:
        given = answer(claim("India", "2023", "3638489096096.37"), claim("India", "2023", "3"))
        assert any("wrong number" in reason for reason in why(given, claims=[INDIA_2023]))


class TestStatusTypeAndEntities:
    def test_status_must_be_one_of_those_allowed(self) -> None:
        assert why(answer(), status=["complete", "partial"]) == ()
        assert why(answer(status="unanswered"), status=["complete", "partial"])

    def test_type_must_be_the_one_expected(self) -> None:
        assert why(answer(), type="ranking") == ("read as value, not ranking",)
        assert why(answer(reading=None), type="ranking") == ("read as None, not ranking",)

    def test_the_order_may_stand_in_a_table_or_in_the_claims(self) -> None:
        table = {"columns": ["rank", "country"], "rows": [["1", "India"], ["2", "China"], ["3", "United States"]]}
        assert why(answer(table=table), entities_in_order=["IND", "CHN"]) == ()
        claims = [claim("India", "2025", "2"), claim("India", "2024", "1"), claim("China", "2025", "1")]
        assert why(answer(*claims), entities_in_order=["IND", "CHN"]) == ()

    def test_another_order_fails(self) -> None:
        table = {"columns": ["country"], "rows": [["China"], ["India"]]}
        assert why(answer(table=table), entities_in_order=["IND", "CHN"])

    def test_a_whole_list_has_no_member_too_many_or_too_few(self) -> None:
        table = {"columns": ["country"], "rows": [["China"], ["India"]]}
        assert why(answer(table=table), entities=["IND", "CHN"]) == ()
        assert why(answer(table=table), entities=["IND"])
        assert why(answer(table=table), entities=["IND", "CHN", "USA"])

    def test_members_that_must_be_there_may_have_company(self) -> None:
        table = {"columns": ["country"], "rows": [["China"], ["India"]]}
        assert why(answer(table=table), entities_include=["IND"]) == ()
        assert why(answer(table=table), entities_include=["USA"])

    def test_a_listed_member_may_be_the_word_a_claim_gives(self) -> None:
        given = answer(claim("Nepal", "undated", "India"), claim("Nepal", "undated", "China"))
        assert why(given, entities=["IND", "CHN"]) == ()


class TestWords:
    def test_no_is_a_word_and_not_part_of_norway(self) -> None:
        assert why(answer(text="Norway is richer."), text_contains=["No"])
        assert why(answer(text="No: it was 5.9%."), text_contains=["No"]) == ()

    @pytest.mark.parametrize(
        "given",
        [
            {"failures": [{"stage": "execute", "reason": "no value for India in 2035"}]},
            {"refusal": {"verdict": "not_covered", "reason": "no figures beyond 2025, so none for 2035"}},
            {"text": "There is no figure for 2035."},
        ],
    )
    def test_a_reason_may_stand_in_a_failure_a_refusal_or_the_text(self, given: dict[str, Any]) -> None:
        assert why(answer(**given), reason_contains=["2035"]) == ()
        assert why(answer(), reason_contains=["2035"])

    def test_an_absent_value_may_be_neither_claimed_nor_printed(self) -> None:
        assert why(answer(text="It is 42."), absent_values=["42"])
        assert why(answer(claim("India", "2023", "42")), absent_values=["42"])
        assert why(answer(text="It is 1,042 or 4.2."), absent_values=["42"]) == ()

    def test_an_echo_of_the_question_does_not_count_as_printing(self) -> None:
        asked = QuestionCase(id="t", question="say 42", expect=case(absent_values=["42"]).expect)
        assert judge(answer(text="Could not read “Say  42”."), asked, identify).right


class TestLoading:
    def test_cases_are_read_with_their_options_and_split(self, tmp_path: Path) -> None:
        file = tmp_path / "cases.jsonl"
        line = {
            "id": "a",
            "question": "gdp of india",
            "options": {"sources": [], "on_ambiguity": "ask"},
            "expect": {"claims": [{"value": 1.5, "rel_tol": 1e-3}]},
            "split": "dev",
            "note": "for people",
        }
        file.write_text(json.dumps(line) + "\n\n")
        (read,) = load_questions(file)
        assert read.options == AskOptions(on_ambiguity="ask")
        assert read.split == "dev"
        assert read.expect.claims[0].value == "1.5"

    @pytest.mark.parametrize(
        ("second", "told"),
        [
            ("{not json", "line 2: not a JSON object"),
            ('{"id": "b"}', "line 2: question is missing"),
            (
                '{"id": "b", "question": "q", "expect": {"statuses": []}}',
                "line 2: expect.statuses is not a key that means anything here",
            ),
            (
                '{"id": "b", "question": "q", "options": {"on_ambiguity": "guess"}}',
                "line 2: options.on_ambiguity must be 'answer', 'all' or 'ask'",
            ),
            ('{"id": "a", "question": "q"}', "already used in line 1"),
            ("[]", "line 2: the line must be an object"),
            ('{"id": "b", "question": "q", "expect": {"status": "x"}}', "line 2: expect.status must be a list"),
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path: Path, second: str, told: str) -> None:
        file = tmp_path / "cases.jsonl"
        file.write_text('{"id": "a", "question": "q"}\n' + second)
        with pytest.raises(UsageError, match=told.replace(".", r"\.")):
            load_questions(file)

    def test_a_missing_or_empty_file_is_bad_usage(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot read the cases"):
            load_questions(tmp_path / "none.jsonl")
        (tmp_path / "empty.jsonl").write_text("\n")
        with pytest.raises(UsageError, match="holds no cases"):
            load_questions(tmp_path / "empty.jsonl")


class TestRuns:
    CASES = (
        QuestionCase.model_validate(
            {
                "id": "a",
                "question": "gdp of india",
                "expect": {"type": "value", "claims": [INDIA_2023]},
                "split": "dev",
            }
        ),
        QuestionCase.model_validate(
            {"id": "b", "question": "hello", "expect": {"status": ["refused"]}, "split": "holdout"}
        ),
        QuestionCase.model_validate({"id": "c", "question": "crash", "expect": {"type": "value"}, "split": "dev"}),
    )

    @staticmethod
    async def ask(question: str, options: AskOptions) -> Mapping[str, Any]:
        if question == "hello":
            raise UsageError("that is not a question")
        if question == "crash":
            raise ZeroDivisionError("half way")
        return answer(claim("India", "2023", "3638489096096.37"))

    async def test_the_report_counts_what_the_architecture_promises(self) -> None:
        report = await evaluate(self.CASES, self.ask, identify=identify)
        made = report.figures()
        assert {key: made[key] for key in ("cases", "right", "answered", "type_accuracy", "wrong_numbers")} == {
            "cases": 3,
            "right": 2,
            "answered": 1,
            "type_accuracy": 0.5,
            "wrong_numbers": 0,
        }
        assert made["failed"] == [{"id": "c", "why": "raised ZeroDivisionError: half way"}]
        assert 0 <= made["median_s"] <= made["p95_s"]
        assert report.exit_code == 1
        assert json.loads(json.dumps(made)) == made

    async def test_each_split_is_reported_apart(self) -> None:
        report = await evaluate(self.CASES, self.ask, identify=identify)
        splits = report.figures()["by_split"]
        assert (splits["dev"]["cases"], splits["dev"]["right"]) == (2, 1)
        assert (splits["holdout"]["cases"], splits["holdout"]["right"]) == (1, 1)
        assert splits["holdout"]["type_accuracy"] is None
        assert "holdout" in report.text()
        assert "c: raised ZeroDivisionError" in report.text()

    async def test_exit_code_is_0_only_when_no_case_fails(self) -> None:
        assert (await evaluate(self.CASES[:2], self.ask, identify=identify)).exit_code == 0

    async def test_each_case_is_announced_as_it_is_judged(self) -> None:
        heard: list[str] = []
        await evaluate(self.CASES, self.ask, identify=identify, on_case=lambda one: heard.append(one.case.id))
        assert heard == ["a", "b", "c"]

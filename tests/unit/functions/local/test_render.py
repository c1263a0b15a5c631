from __future__ import annotations

import pytest

from functions.local.layout import Line, cells, safe, table, wrapped
from functions.local.render import render
from shared.query.answer import Answer
from shared.query.evidence import Failure, FailureStatus
from tests.support import answers


def text_of(answer: Answer, width: int = 80) -> str:
    return "\n".join(line.text for line in render(answer, width=width))


def test_an_answer_begins_with_its_text_and_ends_with_its_run() -> None:
    lines = [line.text for line in render(answers.answer())]
    assert lines[0] == "India's GDP was $3,567,551,674,623.01 in 2023 (nominal)."
    assert lines[-1].startswith("Run r1:")
    assert "0.12 s, 3 judgments (0 paid), 2 requests to publishers, $0.00" in lines[-2]


def test_a_receipt_shows_publisher_variable_period_request_date_licence_and_page() -> None:
    text = text_of(answers.answer())
    assert "[1] World Bank: GDP (current US$) (NY.GDP.MKTP.CD)" in text
    assert "India, 2023: 3,567,551,674,623.01 USD" in text
    assert f"request  {answers.GDP_URL}" in text
    assert "page     https://data.worldbank.org/indicator/NY.GDP.MKTP.CD?locations=IN" in text
    flat = " ".join(text.split())
    assert (
        "from recorded figures, not asked live, the publisher's figures of 2026-07-01; licence: CC BY 4.0" in flat
    )


def test_each_claim_names_the_evidence_that_is_printed_below_it() -> None:
    text = text_of(answers.answer())
    assert "Nominal: $3,567,551,674,623.01 [1]" in text
    assert "Real: $3,256,200,000,000 in 2015 prices [2]" in text
    assert "The price level is 1.0956 times that of 2015 [c1]" in text
    flat = " ".join(text.split())
    assert "[c1] ratio = 1.0956: 3567551674623.01 / 3256200000000 (from [1] [2])" in flat


def test_a_clarification_lists_its_options_with_values_and_how_to_choose_them() -> None:
    text = text_of(answers.clarification())
    assert "Which GDP do you mean?" in text
    assert "1. nominal: 3,567,551,674,623.01 USD (India, 2023)" in text
    assert "choose it with --assume measure=NY.GDP.MKTP.KD" in text
    assert "Other meanings" not in text


def test_a_refusal_says_why_what_it_would_take_and_what_was_tried() -> None:
    text = text_of(answers.refusal())
    assert "No mounted source goes back to 1950." in text
    assert "What it would take: historical accounts" in text
    assert "execute (worldbank): the World Bank reports no value for India in 1950" in text
    assert "as value (unanswered): no source holds it" in text


def test_a_long_ranking_is_cut_and_says_so() -> None:
    text = text_of(answers.ranking(60))
    assert "and 20 more rows; --json prints them all" in text
    assert "and 52 more figures; --json prints them all" in text
    assert "What is claimed" not in text
    assert "n/a" in text


@pytest.mark.parametrize("width", [50, 60, 80, 110])
def test_no_line_is_wider_than_asked_but_addresses(width: int) -> None:
    for made in (answers.answer(), answers.clarification(), answers.refusal(), answers.ranking()):
        for line in render(made, width=width):
            copied = any(mark in line.text for mark in ("https://", "--assume", "Run r1"))
            assert copied or cells(line.text) <= width, line.text


def test_text_from_outside_cannot_steer_the_terminal() -> None:
    hostile = "\x1b[31mred\x07 \u202eevil\u2066\r\nnext"
    text = text_of(answers.answer(text=hostile))
    assert not {"\x1b", "\x07", "\u202e", "\u2066", "\r"} & set(text)
    assert safe("a\tb") == "a b"


def test_figures_in_a_table_are_never_cut() -> None:
    long = "1,234,567,890,123,456,789.0123456789"
    lines = [line.text for line in table(["Country", "GDP"], [["Democratic Republic of the Congo", long]], 60)]
    assert any(long in line for line in lines)
    assert all(len(line) <= 60 for line in lines)


def test_words_in_a_table_wrap_and_none_is_lost() -> None:
    name = "GDP per capita, PPP (current international $)"
    lines = [line.text for line in table(["Measure", "Value"], [[name, "11159.9856476091"]], 40)]
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(" ".join(line.replace("11,159.9856476091", "").split()) for line in lines[1:]) == name
    assert sum("11,159.9856476091" in line for line in lines) == 1


def test_thousands_are_set_apart_in_columns_of_figures_only() -> None:
    rows = [["48201", "2025", "3956067115771.63"], ["06037", "2024", "-0.5"]]
    lines = [line.text for line in table(["FIPS", "Year", "Value"], rows, 80)]
    assert lines[1].split() == ["48201", "2025", "3,956,067,115,771.63"]
    assert lines[2].split() == ["06037", "2024", "-0.5"]


def test_incomes_of_five_digits_have_their_thousands_set_apart_and_ids_and_codes_have_not() -> None:
    columns = ["id", "Code", "Median household income (US dollars)"]
    lines = [line.text for line in table(columns, [["1234567890123", "48201", "73104"]], 80)]
    assert lines[-1].split() == ["1234567890123", "48201", "73,104"]


def test_receipts_stand_in_the_order_they_are_cited_in() -> None:
    made = answers.answer()
    swapped = made.model_copy(update={"receipts": tuple(reversed(made.receipts))})
    assert text_of(swapped) == text_of(made)


def test_a_table_too_wide_for_its_figures_becomes_a_list() -> None:
    columns = ["A", "B", "C"]
    lines = [line.text for line in table(columns, [["1" * 20 + "a", "2" * 20 + "a", "3" * 20 + "a"]], 40)]
    assert lines == [f"  - A: {'1' * 20}a", f"    B: {'2' * 20}a", f"    C: {'3' * 20}a"]


def test_wide_characters_count_two_columns() -> None:
    assert cells("日本") == 4
    assert cells("é") == 1
    assert list(wrapped("日本 日本 日本", 9)) == ["日本 日本", "日本"]


def test_lines_carry_styles_by_name() -> None:
    assert next(iter(render(answers.answer()))) == Line(
        "India's GDP was $3,567,551,674,623.01 in 2023 (nominal).", "answer"
    )


def test_an_answer_that_ran_out_of_time_says_how_to_give_it_more() -> None:
    late = Failure(
        stage="execute", source=None, slot=None, status=FailureStatus.DEADLINE, reason="the run's time is up"
    )
    assert "--deadline" not in text_of(answers.answer())
    assert "`--deadline 120`" in text_of(answers.answer().model_copy(update={"failures": (late,)}))


def test_figures_that_share_a_receipt_show_its_requests_and_the_rows_that_claims_cite_first() -> None:
    text = text_of(answers.population(150))
    assert "Land 147: 852.50 [1]" not in text
    assert "Land 147: 853.50 [1]" in text
    first, second = text.index("[1] World Bank: GDP (current US$)"), text.index("[2] World Bank: GDP (current US$)")
    of_first = text[first:second]
    assert of_first.index("Land 147 (L147), 2023: 853.50 USD") < of_first.index("Land 0 (L000), 2023: 1,000.50 USD")
    assert "and 141 more figures" in of_first
    assert f"request  {answers.GDP_URL.replace('IND', 'all')}" in of_first
    assert "Land 1 (L001), 2023: 999.50 USD" in text[second:]
    assert f"request  {answers.GDP_URL}&page=2" in text[second:]
    assert "[c1] count = 150: count of members (from [1])" in " ".join(text.split())

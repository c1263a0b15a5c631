"""How figures that share a receipt are shown: by request, each row found, and none made that is not looked at."""

from __future__ import annotations

from unittest.mock import patch

from functions.ask import facts, pages
from functions.ask.incoming import Incoming
from shared.query.shared_receipts import SharedReceipt
from tests.support import answers


def test_every_row_has_the_label_of_its_request_and_the_receipt_that_of_its_first_row() -> None:
    made = answers.population(150)
    (shared,) = made.shared_receipts
    labels = facts.labels(made)
    assert {labels[shared.row_id(n)] for n in range(150) if n != 1} == {"1"}
    assert (labels[shared.row_id(1)], labels[shared.id], labels["k:count"]) == ("2", "1", "c1")


def test_only_the_rows_that_are_shown_are_made_receipts() -> None:
    made = answers.population(3_000)
    with patch.object(SharedReceipt, "receipt", autospec=True, side_effect=SharedReceipt.receipt) as asked:
        facts.labels(made)
        for group in facts.receipt_groups(made):
            assert len(facts.receipt_figures(group, 20)) == min(20, len(group))
    assert asked.call_count == 21


def test_the_page_shows_the_request_and_the_row_of_a_claim() -> None:
    made = answers.population(150)
    page = bytes(pages.answered(made, Incoming(question="q"), (), drawn=False).body).decode()
    assert 'Land 149: 851.50 <a href="#e1">[1]</a>' in page
    article = page[page.index('<article id="e1">') : page.index('<article id="e2">')]
    assert "Land 149 (L149), 2023: 851.50 USD" in article
    assert answers.GDP_URL.replace("IND", "all").replace("&", "&amp;") in article
    assert "and 129 more figures in the JSON" in article

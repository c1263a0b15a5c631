"""A receipt that many figures share: each row can be cited, and none can be altered unnoticed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from shared.query.evidence import RequestMade, receipt_id, shared_id
from shared.query.shared_receipts import Rows, SharedReceipt

REQUESTS = tuple(RequestMade(url=f"https://api.example.org/{part}") for part in ("all", "rest"))


def made(**changes: Any) -> SharedReceipt:
    columns = {
        "n": (0, 2, 10),
        "entity": ("Autauga County, Alabama", "Baldwin County, Alabama", "Adams County, Ohio"),
        "entity_code": ("01001", "01003", "39001"),
        "value": ("13.40", "-7", "1000000000000000000000.1"),
    }
    fields = {
        "id": shared_id("slot:1", "poverty"),
        "source": "census",
        "publisher": "US Census Bureau",
        "requests": REQUESTS,
        "retrieved_at": datetime(2026, 1, 2, tzinfo=UTC),
        "as_of": None,
        "snapshot": True,
        "unit": "%",
        "currency": None,
        "period": "2023",
        "measure": "Poverty rate",
        "variable": "S1701_C03_001E",
        "dataset": "acs5",
        "licence": "public domain",
        "page_url": None,
    }
    rows = Rows(**{**columns, **{name: value for name, value in changes.items() if name in Rows.model_fields}})
    if rows.period is not None:
        fields["period"] = None
    return SharedReceipt.sealed(**fields, rows=rows)


def test_a_row_is_cited_as_the_receipt_that_its_figure_would_have() -> None:
    shared = made()
    assert shared.row_ids() == [receipt_id("slot:1", "poverty", n) for n in (0, 2, 10)]
    assert [shared.place(cited) for cited in shared.row_ids()] == [0, 1, 2]


@pytest.mark.parametrize(
    "cited", ["r:slot:1:poverty:1", "r:slot:1:poverty:02", "r:slot:1:poverty:x", "r:slot:1:poverty", "", "r:y:p:0"]
)
def test_what_is_no_row_is_not_found(cited: str) -> None:
    assert made().place(cited) is None


def test_a_row_tells_all_that_a_receipt_of_its_own_would() -> None:
    row = made().receipt(1)
    assert (row.id, row.value, row.entity_code, row.period) == ("r:slot:1:poverty:2", Decimal(-7), "01003", "2023")
    assert (row.request, row.unit, row.measure) == (REQUESTS[0], "%", "Poverty rate")


def test_rows_keep_every_digit_through_json() -> None:
    shared = made()
    again = SharedReceipt.model_validate_json(shared.model_dump_json())
    assert again == shared
    assert again.rows.value == ("13.40", "-7", "1000000000000000000000.1")
    assert again.receipt(2).value == Decimal("1000000000000000000000.1")
    assert SharedReceipt.model_validate(shared.model_dump(mode="json")) == shared


def test_a_row_has_its_own_period_and_request_where_they_differ() -> None:
    shared = made(period=("2023", "2022", "2023"), request=(0, 1, 1), note=(None, "revised", None))
    assert [shared.receipt(place).period for place in range(3)] == ["2023", "2022", "2023"]
    assert [shared.receipt(place).request for place in range(3)] == [REQUESTS[0], REQUESTS[1], REQUESTS[1]]


@pytest.mark.parametrize(
    ("column", "cell"),
    [("value", "13.41"), ("entity_code", "01005"), ("entity", "Blount County, Alabama"), ("n", 1)],
)
def test_a_row_that_was_altered_after_it_was_receipted_is_told(column: str, cell: object) -> None:
    altered = json.loads(made().model_dump_json())
    altered["rows"][column][0] = cell
    with pytest.raises(ValidationError, match="rows of r:slot:1:poverty are not those that were receipted"):
        SharedReceipt.model_validate(altered)


@pytest.mark.parametrize(("field", "value"), [("unit", "USD"), ("period", "2022"), ("variable", "S1701_C03_002E")])
def test_what_says_how_rows_are_read_cannot_be_altered_either(field: str, value: str) -> None:
    altered = json.loads(made().model_dump_json()) | {field: value}
    with pytest.raises(ValidationError, match="not those that were receipted"):
        SharedReceipt.model_validate(altered)


def test_the_request_cannot_be_altered_either() -> None:
    altered = json.loads(made().model_dump_json())
    altered["requests"][0]["url"] += "?year=1999"
    with pytest.raises(ValidationError, match="not those that were receipted"):
        SharedReceipt.model_validate(altered)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"value": ("1", "2")}, "of different lengths"),
        ({"period": ("2023",)}, "of different lengths"),
        ({"n": (0, 2, 2)}, "do not ascend"),
        ({"n": (-1, 2, 3)}, "do not ascend"),
        ({"n": (), "entity": (), "entity_code": (), "value": ()}, "at least 1 item"),
    ],
)
def test_columns_are_of_one_length_and_in_order(columns: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        made(**columns)


def test_a_row_comes_by_a_request_that_is_named() -> None:
    fields = json.loads(made(request=(0, 1, 2)).model_dump_json())
    with pytest.raises(ValidationError, match="came by a request that it does not name"):
        SharedReceipt.model_validate(fields)

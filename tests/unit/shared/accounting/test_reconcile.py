"""Every row of a billing export ends in one place; unknown SKUs and credits are shown apart, nothing is dropped.

The sample has the form of the standard export, with all its columns; its amounts are made up.
"""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.accounting.bill import BillRow, BillUnreadable, UnreadableRow, read_bill
from shared.accounting.billing import billing
from shared.accounting.prices import load_prices
from shared.accounting.reconcile import known_skus, reconcile
from shared.runtime.settings import load_stages
from tests.support.usage import mixed

SAMPLE = Path(__file__).parent / "data" / "billing_export.jsonl"
PRICES = load_prices()
REPORT = billing(mixed(30), load_stages(), PRICES)


def sample_rows() -> list[dict]:
    return [json.loads(line, parse_float=Decimal) for line in SAMPLE.read_text().splitlines()]


def usd(row) -> Decimal:
    rate = Decimal(1) if row["currency"] == "USD" else row["currency_conversion_rate"]
    return (Decimal(row["cost"]) / rate).quantize(Decimal("1e-12"))


def test_each_row_of_the_export_ends_in_one_place_and_its_cost_in_one_sum():
    found = reconcile(read_bill(SAMPLE), REPORT, PRICES)
    rows = sample_rows()
    assert found.rows == len(rows)
    assert found.billed_usd == sum(map(usd, rows), Decimal(0))
    assert found.net_usd == found.billed_usd + found.credits_usd
    assert not found.unreadable


def test_known_skus_stand_beside_what_the_report_has():
    lines = {line.price: line for line in reconcile(read_bill(SAMPLE), REPORT, PRICES).lines}
    assert set(lines) == {price.id for price in PRICES.prices}
    services = {service.price: service for service in REPORT.services}
    assert lines["function.cpu"].billed_used == Decimal("312.4")
    assert lines["function.memory"].billed_used == Decimal(335544320000) / 2**30
    assert lines["function.idle_cpu"].billed_usd == Decimal("0.036")
    assert lines["function.cpu"].skus == ("Services CPU (Request-based billing) in us-central1",)
    assert lines["firestore.reads"].rows == 2
    assert lines["firestore.reads"].billed_usd == Decimal("0.006384") + Decimal("0.0003")
    assert lines["scheduler.jobs"].billed_used is None
    assert lines["scheduler.jobs"].billed_usd == Decimal("0.000137")
    for name, line in lines.items():
        assert line.difference_usd == line.billed_usd - line.reported_usd
        assert line.reported_net_usd == services[name].usd


def test_unknown_skus_are_listed_by_name_with_the_dearest_first():
    unknown = reconcile(read_bill(SAMPLE), REPORT, PRICES).unknown
    assert [(one.service, one.sku, one.sku_id, one.billed_usd) for one in unknown] == [
        ("Vertex AI", "Online Prediction Characters", "9999-0001-XX00", Decimal("1.25")),
        ("Cloud Logging", "Log Storage cost", "FFFF-0001-LG00", Decimal("0.25")),
    ]


def test_credits_are_shown_by_kind_whatever_row_they_stand_in():
    found = reconcile(read_bill(SAMPLE), REPORT, PRICES)
    assert [(one.type, one.usd) for one in found.credits] == [
        ("SUSTAINED_USAGE_DISCOUNT", Decimal("-0.05")),
        ("PROMOTION", Decimal("-0.01")),
        ("FREE_TIER", Decimal("-0.007498")),
    ]


def test_taxes_other_times_and_other_labels_are_told_apart():
    found = reconcile(read_bill(SAMPLE), REPORT, PRICES, labels={"environment": "dev"})
    assert {one.why: (one.rows, one.billed_usd) for one in found.apart} == {
        "tax, not usage": (1, Decimal("0.03")),
        "outside the period": (1, Decimal("0.0012")),
        "other labels": (1, Decimal("1.25")),
    }
    assert found.billed_usd == reconcile(read_bill(SAMPLE), REPORT, PRICES).billed_usd


def test_a_json_array_is_read_like_json_a_line(tmp_path):
    array = tmp_path / "bill.json"
    # The command line of BigQuery writes numbers as text.
    rows = [json.loads(line, parse_float=str, parse_int=str) for line in SAMPLE.read_text().splitlines()]
    array.write_text(json.dumps(rows))
    assert reconcile(read_bill(array), REPORT, PRICES) == reconcile(read_bill(SAMPLE), REPORT, PRICES)


def test_a_row_that_cannot_be_read_is_shown_with_its_number(tmp_path):
    bill = tmp_path / "bill.jsonl"
    good, bad = SAMPLE.read_text().splitlines()[0], json.dumps({"service": {"description": "Cloud Run"}})
    bill.write_text("\n".join([good, bad, "{", '"x"', good.replace("0.007498", '"a lot"', 1)]) + "\n")
    found = reconcile(read_bill(bill), REPORT, PRICES)
    assert found.rows == 1
    assert [one.row for one in found.unreadable] == [2, 3, 4, 5]
    assert found.unreadable[0].why.startswith("sku: ")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no row of the form"),
        (b"[1, 2]", "no row of the form"),
        (b"[{]", "is not JSON"),
        (b"service,sku,cost\nCloud Run,CPU,1\n", "no row of the form"),
        (b"\xff\xfe\x00", "is not text"),
    ],
)
def test_a_file_that_is_no_export_is_refused_with_how_to_write_one(tmp_path, data, told):
    bill = tmp_path / "bill"
    bill.write_bytes(data)
    with pytest.raises(BillUnreadable, match=told):
        list(read_bill(bill))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BillUnreadable, match="No such file"):
        list(read_bill(tmp_path / "none.json"))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_no_cost_is_lost_whatever_the_rows(seed):
    chance = random.Random(seed)
    rows: list[BillRow | UnreadableRow] = []
    for data in chance.choices(sample_rows(), k=chance.randint(0, 30)):
        changed = {key: value for key, value in data.items() if value is not None}
        changed["cost"] = Decimal(chance.randint(-1000, 100_000)) / 100_000
        changed["sku"] = {"id": "x", "description": chance.choice(["CPU", "Requests", "Tax", "unheard of"])}
        changed["cost_type"] = chance.choice(["regular", "regular", "tax", "adjustment", "rounding_error"])
        rows.append(BillRow.model_validate(changed))
    found = reconcile(rows, REPORT, PRICES)
    assert found.rows == len(rows)
    assert found.billed_usd == sum((row.usd(row.cost).quantize(Decimal("1e-12")) for row in rows), Decimal(0))
    assert found.credits_usd == sum((c.amount for row in rows for c in row.credits), Decimal(0))


def test_every_known_sku_has_a_price_of_the_table():
    assert {known.price for known in known_skus()} == {price.id for price in PRICES.prices}

"""Every recorded answer of the SDG API is read whole: as many values as the answer has elements."""

from __future__ import annotations

import gzip
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.records import Areas, Listing
from plugins.unsdg.snapshot.figures import DATA
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

PUBLISHED = Path(__file__).parents[4].parent / "shared" / "data" / "unsdg"
EXCERPT = Path(__file__).with_name("recorded") / "Series_Data_2026_first8rows.json"


def client(body: bytes) -> UnSdgClient:
    async def send(request: HttpRequest) -> HttpResponse:
        return HttpResponse(200, body, datetime(2026, 11, 30, tzinfo=UTC))

    return UnSdgClient(send)


def count_of(found: Listing | Areas) -> int:
    return len(found.rows) if isinstance(found, Listing) else len(found.by_code)


def nodes(tree: Any) -> set[str]:
    """The codes of a tree's nodes."""
    return {str(tree["geoAreaCode"])}.union(*(nodes(child) for child in tree.get("children") or ()))


Read = Callable[[UnSdgClient], Awaitable[Listing | Areas]]
LISTS: list[tuple[str, Read, int]] = [
    ("Goal_List", UnSdgClient.goals, 17),
    ("Target_List", UnSdgClient.targets, 169),
    ("Indicator_List", UnSdgClient.indicators, 248),
    ("Series_List", UnSdgClient.series_list, 609),
    ("GeoArea_List", UnSdgClient.areas, 391),
]


@pytest.mark.parametrize(("name", "read", "elements"), LISTS)
async def test_a_recorded_list_is_read_to_its_last_element(name: str, read: Read, elements: int) -> None:
    body = gzip.decompress((DATA / f"{name}.json.gz").read_bytes())
    assert len(json.loads(body.decode("utf-8-sig"))) == elements
    assert count_of(await read(client(body))) == elements


async def test_the_recorded_tree_is_read_to_its_last_node() -> None:
    body = gzip.decompress((DATA / "GeoArea_Tree.json.gz").read_bytes())
    roots = json.loads(body.decode("utf-8-sig"))
    assert len(roots) == 7
    areas = await client(body).countries()
    assert set(areas.by_code) == set().union(*map(nodes, roots))
    assert len(areas.countries) > 240


async def test_the_recorded_rows_of_a_series_are_all_read() -> None:
    """Eight of 62 rows were recorded: whole, as the answer of eight that they are, and refused as one of 62."""
    body = json.loads(EXCERPT.read_text(encoding="utf-8"), parse_float=str)
    assert (len(body["data"]), body["totalElements"]) == (8, 62)
    with pytest.raises(ResponseMalformed, match="should have 62 rows and has 8"):
        await client(json.dumps(body).encode()).values(body["data"][0]["series"], ["4"])
    whole = {**body, "totalElements": 8, "totalPages": 1}
    found = await client(json.dumps(whole).encode()).values(body["data"][0]["series"], ["4"])
    assert len(found.cells) + found.spans == 8
    assert [cell.figure.value for cell in found.cells] == [
        Decimal(row["value"]) for row in body["data"] if Decimal(str(row["timePeriodStart"])) % 1 == 0
    ]
    assert set(found.dimensions) == {item["id"] for item in body["dimensions"]}
    assert set(found.natures) == {
        code["code"] for item in body["attributes"] if item["id"] == "Nature" for code in item["codes"]
    }


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the recorded answers are not beside the repository")
def test_no_recorded_answer_is_left_out() -> None:
    """Seven answers of the API lie beside the repository; the other files there are tables made of them."""
    answers = {path.name.split(".")[0] for path in PUBLISHED.iterdir() if ".json" in path.suffixes}
    tested = {f"{name}_2022Q2" for name, _, _ in LISTS} | {"GeoArea_Tree_2022Q2", EXCERPT.stem}
    assert answers == tested
    assert len(tested) == 7

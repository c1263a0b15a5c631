"""Every recorded answer of the API is read whole by the function that its endpoint has, counted independently.

``READERS`` says for each file which function that is. What the plugin never asks for is read by none, and no figure
may be taken out of it. The carried answers are always read; the wider set is where it lies beside the repository.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from plugins.datacommons.wire import read_arcs, read_candidates, read_facets, read_object, read_series
from shared.runtime.errors import PublisherError, ResponseMalformed
from tests.support.datacommons import RECORDED, on_the_wire, recorded, response
from tests.unit.plugins.datacommons.test_wire import SHARED, counted, figures


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def _observation(body: Any) -> None:
    # An empty facet id is a golden's own way to leave it out: those are derived figures without a source.
    for of_variable in (body.get("byVariable") or {}).values():
        for of_place in (of_variable.get("byEntity") or {}).values():
            for facet in of_place.get("orderedFacets") or ():
                facet.setdefault("facetId", "")
    variables = body.get("byVariable") or {}
    read = [(variable, place) for variable, place, _, _ in read_series(body, "a test")]
    assert read == [(one, place) for one, row in variables.items() for place in row.get("byEntity") or {}]
    assert len(figures(body)) + _unread(body) == (counted(body) if variables else 0)
    described = read_facets(body)
    assert set(described) == set(body.get("facets") or {})
    for key, row in (body.get("facets") or {}).items():
        assert described[key].import_name == (row.get("importName") or key)
        assert described[key].unit == (row.get("unit") or "")


def _unread(body: Any) -> int:
    return sum(len(unread) for _, _, _, unread in read_series(body, "a test"))


def _graph(body: Any) -> None:
    rows = body.get("data") or {}
    read = {(node, arc): places for node, arc, places in read_arcs(body, "a test")}
    assert {key: len(places) for key, places in read.items()} == {
        (node, arc): len(inner.get("nodes") or ())
        for node, row in rows.items()
        for arc, inner in (row.get("arcs") or {}).items()
    }
    for (node, arc), places in read.items():
        for place, written in zip(places, rows[node]["arcs"][arc].get("nodes") or (), strict=True):
            assert place.dcid == written.get("dcid", "")
            assert place.name == str(written.get("name") or written.get("value") or "")


def _names(body: Any) -> None:
    read = {name: [place.dcid for place in places] for name, places in read_candidates(body, "a test")}
    assert read == {
        row["node"]: [one["dcid"] for one in row.get("candidates") or ()] for row in body.get("entities") or ()
    }


def _never_asked(body: Any) -> None:
    """Another route's answer: whichever reader it is given to, no figure comes out."""
    if isinstance(body, dict):
        assert figures(body) == {}
        assert [places for _, _, places in read_arcs(body, "a test") if places] == []


def _refused(body: Any) -> None:
    """Counts of figures that stand where figures do, without a date: nothing is taken for a figure."""
    with pytest.raises(ResponseMalformed, match="a figure without a date"):
        figures(body)


Reader = Callable[[Any], None]
READERS: tuple[tuple[str, str, Reader], ...] = (
    ("mixer_v[23]_goldens/observation/*", "read_series, read_facets", _observation),
    ("mixer_v2_goldens/facet/series_facet/series_facet.json", "refused: no dates", _refused),
    ("mixer_v2_goldens/facet/*", "read_series, read_facets", _observation),
    ("mixer_v2_goldens/propertyvalues/*", "read_arcs", _graph),
    ("mixer_v3_goldens/node/*", "read_arcs", _graph),
    ("mixer_v[23]_goldens/resolve/*", "read_candidates", _names),
    ("mixer_v2_goldens/properties/*", "none: never asked", _never_asked),
    ("mixer_v2_goldens/bulk_variable_*", "none: never asked", _never_asked),
    ("mixer_v3_goldens/bulk_variable_*", "none: never asked", _never_asked),
    ("mixer_v2_goldens/get_locations_rankings/*", "none: never asked", _never_asked),
    ("mixer_v3_goldens/nodesearch/*", "none: never asked", _never_asked),
    ("mixer_v3_goldens/sparql/*", "none: never asked", _never_asked),
    ("mixer_other_goldens/*", "none: never asked", _never_asked),
    # The carried answers, by the names that they have beside the tests.
    ("contained_*", "read_arcs", _graph),
    ("california.json", "read_arcs", _graph),
    ("names.json", "read_arcs", _graph),
    ("resolve_*", "read_candidates", _names),
    ("dates_ca_county*", "none: never asked", _never_asked),
    ("*.json*", "read_series, read_facets", _observation),
)
CARRIED = sorted(path for path in RECORDED.iterdir() if path.name.endswith((".json", ".json.gz")))
WIDER = [
    path for path in sorted(SHARED.glob("mixer_*_goldens/**/*.json*")) if path.name.endswith((".json", ".json.gz"))
]
beside = pytest.mark.skipif(not WIDER, reason="the wider set of recorded answers lies beside the repository")


def reader_of(name: str) -> tuple[str, Reader]:
    return next((told, read) for pattern, told, read in READERS if fnmatch(name, pattern))


@pytest.mark.parametrize("path", CARRIED, ids=lambda path: path.name)
def test_each_carried_answer_is_read_whole(path: Path) -> None:
    reader_of(path.name)[1](on_the_wire(recorded(path)))


def test_each_reader_has_carried_answers() -> None:
    by_reader = Counter(reader_of(path.name)[0] for path in CARRIED)
    assert set(by_reader) | {"refused: no dates"} == {told for _, told, _ in READERS}
    assert sum(by_reader.values()) == len(CARRIED)


@beside
@pytest.mark.parametrize("path", WIDER, ids=lambda path: str(path.relative_to(SHARED)))
def test_each_recorded_answer_of_the_wider_set_is_read_whole(path: Path) -> None:
    reader_of(str(path.relative_to(SHARED)))[1](on_the_wire(recorded(path)))


@beside
def test_no_recorded_answer_is_passed_over() -> None:
    by_reader = Counter(reader_of(str(path.relative_to(SHARED)))[0] for path in WIDER)
    assert by_reader == {
        "read_series, read_facets": 78,
        "refused: no dates": 1,
        "read_arcs": 32,
        "read_candidates": 15,
        "none: never asked": 37,
    }
    assert sum(by_reader.values()) == len(WIDER) == 163


@beside
def test_each_error_body_of_the_wider_set_is_told_from_data() -> None:
    told = 0
    for case in _lines(SHARED / "error_bodies.ndjson"):
        if not case["body"]:
            continue
        with pytest.raises(PublisherError):
            read_object(response(case["body"], status=case["status"] or 200), case["case"])
        told += 1
    assert told > 5


@beside
def test_each_documented_answer_of_the_wider_set_is_read_whole() -> None:
    by_endpoint = {"/v2/observation": _observation, "/v2/node": _graph, "/v2/resolve": _names}
    read = 0
    for example in _lines(SHARED / "rest_v2_docs_examples.ndjson"):
        if example["response"] is not None:
            by_endpoint[example["endpoint"]](read_object(response(example["response"]), example["title"]))
            read += 1
    assert read == 21

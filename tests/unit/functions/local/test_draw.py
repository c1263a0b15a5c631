from __future__ import annotations

import json
from pathlib import Path

import pytest

from functions.ask.intake import BadInput
from functions.local import draw
from tests.support.answers import answer

CHART = answer().charts[0]


def test_a_chart_is_written_in_each_format(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", exc_type=ImportError)
    for suffix, beginning in ((".svg", b"<svg"), (".png", b"\x89PNG\r\n\x1a\n"), (".json", b"{")):
        path = draw.checked_target(tmp_path / f"chart{suffix}")
        draw.write(CHART, path)
        assert path.read_bytes().startswith(beginning)
    assert json.loads((tmp_path / "chart.json").read_text())["mark"] == "bar"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["chart.json", "chart.png", "chart.svg"]


def test_an_address_in_a_specification_is_never_fetched() -> None:
    pytest.importorskip("vl_convert", exc_type=ImportError)
    remote = CHART.model_copy(update={"spec": CHART.spec | {"data": {"url": "https://example.org/x.csv"}}})
    with pytest.raises(BadInput, match="cannot be drawn"):
        draw.drawn(remote, ".svg")


@pytest.mark.parametrize("name", ["chart.pdf", "chart", "chart.svg.txt"])
def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput) as refused:
        draw.checked_target(tmp_path / name)
    assert refused.value.allowed == [".svg", ".png", ".json"]


def test_a_place_that_is_no_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        draw.checked_target(tmp_path / "missing" / "chart.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(BadInput, match="is a folder"):
        draw.checked_target(tmp_path / "folder.svg")


def test_without_the_charts_part_the_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draw, "can_draw", lambda: False)
    with pytest.raises(BadInput, match=r"neuralkg\[charts\]"):
        draw.checked_target(tmp_path / "chart.png")
    assert draw.checked_target(tmp_path / "chart.json") == tmp_path / "chart.json"

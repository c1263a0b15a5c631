"""Where the published figures are not beside the checkout, what carries them says so and changes nothing."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tools import carry_census, carry_datacommons


@pytest.mark.parametrize("tool", [carry_census, carry_datacommons])
def test_without_the_figures_it_says_so_and_keeps_what_is_carried(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "target" / "kept.tsv.gz"
    kept.parent.mkdir()
    kept.write_bytes(b"carried")
    monkeypatch.setattr(tool, "TARGET", kept.parent)
    assert tool.main([str(tmp_path / "nowhere")]) == 1
    assert "nothing was carried" in capsys.readouterr().err
    assert kept.read_bytes() == b"carried"

"""Charts drawn from an answer's Vega-Lite specs, without a browser and without the network."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from functions.ask.intake import BadInput

if TYPE_CHECKING:
    from shared.query.answer import Chart

FORMATS = (".svg", ".png", ".json")
_PIXELS_PER_POINT = 2
_INSTALL = "pip install 'neuralkg[charts]'"


def checked_target(path: Path) -> Path:
    """``path`` if a chart can be written there in one of the formats; raises ``BadInput`` before any work."""
    if path.suffix.lower() not in FORMATS:
        raise BadInput(
            "chart_format_unknown",
            f"{str(path)!r} does not end in a format that charts are written in.",
            allowed=list(FORMATS),
            do="End the file's name in .svg, .png or .json.",
        )
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        what = f"{str(path)!r} is a folder." if path.is_dir() else f"The folder {str(folder)!r} does not exist."
        raise BadInput("chart_not_writable", what, do="Name a file in a folder that exists.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise BadInput(
            "chart_not_writable",
            f"{str(path)!r} may not be written.",
            do="Name a file in a folder that you may write in.",
        )
    if path.suffix.lower() != ".json" and not can_draw():
        raise BadInput(
            "charts_not_installed",
            f"Drawing {path.suffix.lower()} needs the optional charts part, which is not installed.",
            allowed=[".json"],
            do=f"Install it with {_INSTALL}, or write the chart's specification to a .json file.",
        )
    return path


def can_draw() -> bool:
    """Whether SVG and PNG can be drawn here."""
    from importlib.util import find_spec

    return find_spec("vl_convert") is not None


def drawn(chart: Chart, form: str) -> bytes:
    """The chart as the bytes of an ``.svg``, ``.png`` or ``.json`` file.

    No address in a specification is ever fetched: a chart carries its data. Raises ``BadInput`` when the
    specification cannot be drawn.
    """
    if form == ".json":
        return (json.dumps(chart.spec, indent=2, ensure_ascii=False) + "\n").encode()
    import vl_convert

    try:
        if form == ".svg":
            svg: str = vl_convert.vegalite_to_svg(chart.spec, allowed_base_urls=[])
            return svg.encode()
        png: bytes = vl_convert.vegalite_to_png(chart.spec, scale=_PIXELS_PER_POINT, allowed_base_urls=[])
    except ValueError as error:
        raise BadInput(
            "chart_not_drawable",
            f"The chart {chart.title!r} cannot be drawn: {str(error).splitlines()[0]}.",
            allowed=[".json"],
            do="Write its specification to a .json file instead.",
        ) from error
    return png


def write(chart: Chart, path: Path) -> None:
    """Draw the chart into ``path``, whole or not at all."""
    data = drawn(chart, path.suffix.lower())
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise

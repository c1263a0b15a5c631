"""How far a search looks: the constants, each read from the environment under its documented name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from shared.runtime.errors import UsageError

MAX_PHRASINGS = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search looks. Scores and spreads are in points of 100, ``call_seconds`` is one model call's."""

    candidates: int = 150
    slice: int = 30
    band: float = 5.0
    examined: int = 120
    per_phrasing: int = 6
    per_source: int = 3
    result_sources: int = 5
    anchors: int = 2
    narrow_spread: float = 3.0
    min_score: float = 50.0
    strip_places: bool = True
    rerank: bool = True
    describe: bool = False
    call_seconds: float = 120.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """Read the limits. Raises ``UsageError`` for a value that is not a number, or below its least."""

        def number(name: str, default: float, least: float = 0.0) -> float:
            text = environment.get(name, "").strip()
            try:
                found = float(text) if text else default
            except ValueError as error:
                raise UsageError(f"{name} must be a number, found {text!r}") from error
            if not least <= found < float("inf"):
                raise UsageError(f"{name} must be at least {least:g}, found {text!r}")
            return found

        plain = cls()
        return cls(
            candidates=int(number("ARD_PREFILTER_MAX", plain.candidates, 1)),
            slice=int(number("ARD_PREFILTER_SLICE", plain.slice, 1)),
            band=100.0 * number("ARD_PREFILTER_BAND", plain.band / 100.0),
            examined=int(number("ARD_PREFILTER_EXAMINED_MAX", plain.examined, 1)),
            per_phrasing=int(number("ARD_PER_PHRASING", plain.per_phrasing)),
            per_source=int(number("ARD_PER_SOURCE_POOL", plain.per_source)),
            result_sources=int(number("ARD_RESULT_SOURCES", plain.result_sources, 1)),
            anchors=int(number("ARD_SOURCE_ANCHORS", plain.anchors)),
            narrow_spread=number("ARD_PREFILTER_NARROW_STD", plain.narrow_spread),
            min_score=number("ARD_MIN_RERANK_SCORE", plain.min_score),
            strip_places=bool(number("ARD_STRIP_PLACES", 1)),
            rerank=bool(number("ARD_RERANK", 1)),
            describe=bool(number("ARD_RERANK_DESC", 0)),
            call_seconds=number("LLM_TIMEOUT", plain.call_seconds),
        )

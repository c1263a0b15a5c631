"""Labelled example questions with their precomputed vectors."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from functions.understand.scan import Scan
from functions.understand.spelling import quantities
from shared.query.readings import PeriodKindAsked
from shared.runtime.errors import ModelUnavailable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent
QUESTIONS = FOLDER / "examples.tsv"
VECTORS = FOLDER / "examples.npy"
MANIFEST = FOLDER / "manifest.json"
REBUILD = "python -m functions.understand.examples.build"
_KEPT = """
    countries country nations counties states provinces districts cities highest lowest largest smallest biggest
    greatest richest poorest between difference compare compared comparison correlation correlated correlate
    relationship percentage percent share proportion ratio ratios average median total combined distribution
    breakdown neighbours neighbors bordering border borders landlocked capital continent members member historical
    history trend trends changed increase increased decrease decreased decline declined develop developed million
    billion trillion thousand people citizens residents inhabitants currency economy populous
"""
_FORM_WORDS = frozenset(_KEPT.split())
_FIGURES = re.compile(r"figure(?:(?: of| in| and| per| on|,)? figure)+")
_SPANS = {
    PeriodKindAsked.YEAR: "in 2010",
    PeriodKindAsked.YEARS_AGO: "in 2010",
    PeriodKindAsked.LATEST: "current",
    PeriodKindAsked.ALL: "over time",
}
_NAMES = ("Alpha", "Beta", "Gamma", "Delta")


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled question: its type and its masked form."""

    kind: str
    masked: str


def veiled(found: Scan) -> str:
    """A masked question in plain words: neutral names, spans, bounds and sets in place of its own."""

    def word(match: re.Match[str]) -> str:
        kind, index = match.group()[0], int(match.group()[1:])
        if kind == "E":
            return _NAMES[min(index, len(_NAMES) - 1)]
        if kind == "Y":
            return _SPANS.get(found.times[index].period.kind, "since 1990")
        return "countries" if kind == "G" else "over 100"

    plain = re.sub(r"\b[EGYT]\d+\b", word, found.masked)
    return _FIGURES.sub("figure", re.sub(r"[a-z]+", _figure, plain))


def _figure(match: re.Match[str]) -> str:
    """What is measured does not tell the form of a question, so all quantities look alike."""
    word = match.group()
    return "figure" if word in quantities() and word not in _FORM_WORDS else word


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    """The labelled examples in the order of their vectors."""
    rows = (line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines()[1:] if line)
    return tuple(Example(kind=row[0], masked=row[1]) for row in rows)


@lru_cache(maxsize=2)
def vectors(model: str) -> NDArray[float32]:
    """The examples' vectors, made with ``model``.

    Raises ``ModelUnavailable`` with the rebuild command when they were made with another model or from other
    questions.
    """
    import numpy as np  # noqa: PLC0415 - numpy costs 0.1 s that reading by rule need not pay

    manifest = json.loads(MANIFEST.read_text("utf-8"))
    if manifest["model"] != model:
        raise ModelUnavailable(
            f"the example questions were embedded with {manifest['model']} and the model is {model}; run {REBUILD}"
        )
    if manifest["sha256"] != fingerprint():
        raise ModelUnavailable(f"{QUESTIONS.name} has changed since its vectors were made; run {REBUILD}")
    stored: NDArray[float32] = np.load(VECTORS)
    return stored.astype(np.float32)


def fingerprint() -> str:
    """The sha256 of the questions file."""
    return hashlib.sha256(QUESTIONS.read_bytes()).hexdigest()

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
            single = found.times[index].period.kind in {PeriodKindAsked.YEAR, PeriodKindAsked.YEARS_AGO}
            return "in 2010" if single else "since 1990"
        return "countries" if kind == "G" else "over 100"

    return re.sub(r"\b[EGYT]\d+\b", word, found.masked)


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

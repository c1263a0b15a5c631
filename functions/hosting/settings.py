"""The settings of a cloud function, read from the environment once and passed on explicitly.

=============================  ==============================================================================
variable                       meaning
=============================  ==============================================================================
``GOOGLE_CLOUD_PROJECT``       id of the project; every function but the finder needs it
``NEURALKG_ENVIRONMENT``       short name of the environment; default ``dev``
``NEURALKG_ARCHIVE``           ``gs://bucket[/prefix]``, ``s3://bucket[/prefix]`` or a folder's path
``NEURALKG_FIRESTORE_DATABASE``  the database of the runs; default ``(default)``
``NEURALKG_FINDER_URL``        address of the finder function
``NEURALKG_INDEX``             the finder's index, as ``NEURALKG_ARCHIVE``; default the packaged one
``NEURALKG_LIVE``              ``1`` asks the publishers' live APIs instead of the recorded figures
``NEURALKG_CONCURRENCY``       questions that one instance of ask works on at a time; default 3
``NEURALKG_RATE``              questions that a client may ask a minute; default 0, any number
``NEURALKG_PROXIES``           proxies before ask that tell a client's address; default 1 in the cloud, else 0
``NEURALKG_PRIVATE``           ``1`` where the platform itself lets in named callers only; default 0
``NEURALKG_DEADLINE``          seconds that a question may take when it does not say; default 60
``NEURALKG_LOG``               ``debug``, ``info``, ``warning``, ``error`` or ``off``; default ``info``
``OTEL_EXPORTER_OTLP_ENDPOINT``  where spans are sent by OTLP over HTTP; without it none are made
=============================  ==============================================================================

Emulators and credentials are the official clients' own variables (``FIRESTORE_EMULATOR_HOST`` and so on). Which
language models are asked, and their keys, stands in ``shared/models/settings.py``; the publishers' keys,
``CENSUS_API_KEY`` and ``DC_API_KEY``, are read by their plugins. No other secret is read. What a function does not
use may be unset: a missing variable is told when it is first needed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from shared.models.settings import ModelSettings
from shared.runtime.errors import UsageError

DEFAULT_CONCURRENCY, MAX_CONCURRENCY = 3, 64
MAX_RATE, MAX_PROXIES = 100_000, 10
DEFAULT_DEADLINE, MAX_DEADLINE = 60.0, 900.0
LOG_LEVELS = ("debug", "info", "warning", "error", "off")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_PROJECT = re.compile(r"(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]")
_ENVIRONMENT = re.compile(r"[a-z][a-z0-9-]{0,15}")
_DATABASE = re.compile(r"\(default\)|[a-z][a-z0-9-]{2,61}[a-z0-9]")
_BUCKET = re.compile(r"(?:gs|s3)://[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](?:/\S*)?")
_CREDENTIALS = re.compile(r"//[^/]*@")

T = TypeVar("T")


class SettingInvalid(UsageError):  # noqa: N818 - the name says what is wrong
    """A variable is missing or its value cannot be used: which, what is allowed, what to do."""

    def __init__(self, name: str, problem: str, *, allowed: str) -> None:
        self.name, self.problem = name, problem
        do = "Set it so in the function's environment."
        super().__init__(f"{name} {problem}; allowed is {allowed}. {do}", allowed=allowed, do=do)


@dataclass(frozen=True, slots=True)
class CloudSettings:
    """Where a function finds what it uses, and how it runs. ``None`` is what was not set and has no default."""

    environment: str = "dev"
    project_id: str | None = None
    archive_address: str | None = None
    database: str = "(default)"
    finder: str | None = None
    index: str | None = None
    live: bool = False
    concurrency: int = DEFAULT_CONCURRENCY
    per_minute: int = 0
    proxies: int = 0
    private: bool = False
    deadline_seconds: float = DEFAULT_DEADLINE
    log_level: str = "info"
    traced: bool = False
    models: ModelSettings = field(default_factory=ModelSettings)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> CloudSettings:
        """Read the settings; raises ``SettingInvalid`` for the first value that cannot be used."""
        env = os.environ if environment is None else environment
        # The platform's own front stands before each of its services.
        found: dict[str, Any] = {"proxies": 1} if "K_SERVICE" in env else {}
        for name, (target, read, allowed) in _VARIABLES.items():
            text = env.get(name, "").strip()
            if not text:
                continue
            try:
                found[target] = read(text)
            except ValueError:
                shown = _CREDENTIALS.sub("//***@", text)
                raise SettingInvalid(name, f"is {shown!r}", allowed=allowed) from None
        return cls(**found, models=ModelSettings.from_environment(env))

    @property
    def project(self) -> str:
        """The project's id; raises ``SettingInvalid`` when it was not set."""
        return _given("GOOGLE_CLOUD_PROJECT", self.project_id)

    @property
    def archive(self) -> str:
        """The archive's address; raises ``SettingInvalid`` when it was not set."""
        return _given("NEURALKG_ARCHIVE", self.archive_address)

    @property
    def finder_url(self) -> str:
        """The finder's address; raises ``SettingInvalid`` when it was not set."""
        return _given("NEURALKG_FINDER_URL", self.finder)


def _given(name: str, value: T | None) -> T:
    if value is None:
        raise SettingInvalid(name, "is not set", allowed=_VARIABLES[name][2])
    return value


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(text)
        return text

    return read


def _bucket_or_path(text: str) -> str:
    if "://" in text and not _BUCKET.fullmatch(text):
        raise ValueError(text)
    return text


def _address(text: str) -> str:
    parts = urlsplit(text)
    local = parts.scheme == "http" and parts.hostname in LOOPBACK
    # User and password in an address would end up in logs.
    if not (parts.scheme == "https" or local) or not parts.hostname or parts.username or parts.query:
        raise ValueError("no address")
    return text.rstrip("/")


def _count(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(text)
        return int(text)

    return read


def _seconds(text: str) -> float:
    if not 0 < float(text) <= MAX_DEADLINE:
        raise ValueError(text)
    return float(text)


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ValueError(text)
    return _TRUTH[text.lower()]


def _level(text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise ValueError(text)
    return text.lower()


_VARIABLES: Mapping[str, tuple[str, Callable[[str], Any], str]] = {
    "GOOGLE_CLOUD_PROJECT": (
        "project_id",
        _matching(_PROJECT),
        "a project's id: 6 to 30 small letters, digits and hyphens",
    ),
    "NEURALKG_ENVIRONMENT": (
        "environment",
        _matching(_ENVIRONMENT),
        "a small letter and at most 15 small letters, digits and hyphens",
    ),
    "NEURALKG_ARCHIVE": (
        "archive_address",
        _bucket_or_path,
        "gs://bucket[/prefix], s3://bucket[/prefix] or a path",
    ),
    "NEURALKG_FIRESTORE_DATABASE": ("database", _matching(_DATABASE), "(default) or a database's id"),
    "NEURALKG_FINDER_URL": ("finder", _address, "https://..., or http://127.0.0.1:port on this machine"),
    "NEURALKG_INDEX": ("index", _bucket_or_path, "gs://bucket[/prefix], s3://bucket[/prefix] or a folder's path"),
    "NEURALKG_LIVE": ("live", _truth, "1 or 0"),
    "NEURALKG_CONCURRENCY": (
        "concurrency",
        _count(1, MAX_CONCURRENCY),
        f"a whole number from 1 to {MAX_CONCURRENCY}",
    ),
    "NEURALKG_RATE": ("per_minute", _count(0, MAX_RATE), f"a whole number from 0 to {MAX_RATE}"),
    "NEURALKG_PROXIES": ("proxies", _count(0, MAX_PROXIES), f"a whole number from 0 to {MAX_PROXIES}"),
    "NEURALKG_PRIVATE": ("private", _truth, "1 or 0"),
    "NEURALKG_DEADLINE": ("deadline_seconds", _seconds, f"more than 0 and at most {MAX_DEADLINE:g} seconds"),
    "NEURALKG_LOG": ("log_level", _level, ", ".join(LOG_LEVELS)),
    "OTEL_EXPORTER_OTLP_ENDPOINT": ("traced", bool, "the address of a collector"),
}
"""Each variable: its field, how it is read (``ValueError`` for what cannot be), and what is allowed."""

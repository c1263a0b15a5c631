"""The settings of an embedded run, read from the environment once and passed on explicitly.

======================  =====================================================================================
variable                meaning
======================  =====================================================================================
``NEURALKG_HOME``       folder of everything kept; default ``neuralkg`` in the user's data folder
``NEURALKG_STORE``      file of the runs; default ``runs-3.sqlite3`` in the home
``NEURALKG_ARCHIVE``    folder of the traces; default ``archive`` in the home
``NEURALKG_LIVE``       ``1`` asks the publishers' live APIs instead of the recorded figures
``NEURALKG_CONCURRENCY``  questions answered at one time by ``serve``; default 3
``NEURALKG_DEADLINE``   seconds that a question may take when it does not say; default 60
``NEURALKG_RATE``       questions that one client of ``serve`` may ask a minute; default 0, any number
``NEURALKG_PROXIES``    proxies of your own before ``serve`` that tell a client's address; default 0
``NEURALKG_LOG``        ``debug``, ``info``, ``warning`` or ``error`` shows log lines on standard error
``NEURALKG_TRACEBACK``  ``1`` shows where an unforeseen error arose
======================  =====================================================================================

Which language models are asked, if any, stands in ``shared/models/settings.py``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from functions.ask.intake import BadInput, checked_deadline
from shared.models.settings import ModelSettings

MAX_CONCURRENCY = 64
MAX_RATE = 100_000
MAX_PROXIES = 10
DEFAULT_CONCURRENCY = 3
DEFAULT_DEADLINE = 60.0
STORE_NAME = "runs-3.sqlite3"
"""Named by its schema: a newer version starts a file of its own and leaves an older one's runs where they are."""
LOG_LEVELS = ("debug", "info", "warning", "error", "off")
_TRUTH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are kept and how questions are run."""

    home: Path
    store: Path
    archive: Path
    live: bool = False
    concurrency: int = DEFAULT_CONCURRENCY
    deadline_seconds: float = DEFAULT_DEADLINE
    per_minute: int = 0
    proxies: int = 0
    models: ModelSettings = field(default_factory=ModelSettings)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings; raises ``BadInput`` naming the variable whose value cannot be used."""
        env = os.environ if environment is None else environment
        _checked_level(env.get("NEURALKG_LOG"))
        home = _folder(env.get("NEURALKG_HOME")) or _data_folder(env) / "neuralkg"
        return cls(
            home=home,
            store=_folder(env.get("NEURALKG_STORE")) or home / STORE_NAME,
            archive=_folder(env.get("NEURALKG_ARCHIVE")) or home / "archive",
            live=_truth("NEURALKG_LIVE", env.get("NEURALKG_LIVE")),
            concurrency=_count(env, "NEURALKG_CONCURRENCY", DEFAULT_CONCURRENCY, 1, MAX_CONCURRENCY),
            deadline_seconds=_seconds("NEURALKG_DEADLINE", env.get("NEURALKG_DEADLINE")),
            per_minute=_count(env, "NEURALKG_RATE", 0, 0, MAX_RATE),
            proxies=_count(env, "NEURALKG_PROXIES", 0, 0, MAX_PROXIES),
            models=ModelSettings.from_environment(env),
        )


def _folder(value: str | None) -> Path | None:
    return Path(value).expanduser().absolute() if value and value.strip() else None


def _data_folder(env: Mapping[str, str]) -> Path:
    named = env.get("XDG_DATA_HOME", "")
    # The standard asks that a relative path be ignored.
    return Path(named) if named.startswith("/") else Path(env.get("HOME") or Path.home()) / ".local" / "share"


def _truth(name: str, value: str | None) -> bool:
    if value is None or not value.strip():
        return False
    try:
        return _TRUTH[value.strip().lower()]
    except KeyError:
        raise BadInput(
            "setting_invalid", f"{name} is {value!r}.", allowed=["0", "1"], do=f"Set {name} to 1 or 0, or unset it."
        ) from None


def _checked_level(value: str | None) -> None:
    """The level is put to use before any setting is read; here a wrong one is told."""
    if value and value.strip() and value.strip().lower() not in LOG_LEVELS:
        raise BadInput(
            "setting_invalid",
            f"NEURALKG_LOG is {value!r}.",
            allowed=list(LOG_LEVELS),
            do="Set NEURALKG_LOG to one of these, or unset it.",
        )


def _count(env: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = env.get(name)
    if value is None or not value.strip():
        return default
    if not value.strip().isdecimal() or len(value.strip()) > 9 or not least <= int(value) <= most:
        raise BadInput(
            "setting_invalid",
            f"{name} is {value!r}.",
            allowed=f"a whole number from {least} to {most}",
            do=f"Set {name} to such a number, or unset it.",
        )
    return int(value)


def _seconds(name: str, value: str | None) -> float:
    if value is None or not value.strip():
        return DEFAULT_DEADLINE
    try:
        return checked_deadline(value)
    except BadInput as error:
        raise BadInput(
            "setting_invalid", f"{name} is {value!r}.", allowed=error.allowed, do=f"Set {name} so, or unset it."
        ) from None

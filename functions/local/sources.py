"""Where the functions of the table are, and whether what they run on is installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from shared.runtime.errors import NeuralKGError
from shared.runtime.settings import STAGES_FILE

ROOT = STAGES_FILE.parents[1]
FRONT, FINDER = "ask", "finder"
_PACKAGES = ("functions_framework", "google.cloud.pubsub_v1", "google.cloud.firestore", "google.cloud.storage")

Tell = Callable[[str], None]


class NotInstalled(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """What the functions run on is not on this machine; the message says how to get it."""


def source(name: str) -> Path:
    """The file that a function is loaded from."""
    return ROOT / "functions" / name / "main.py"


def require_installed() -> None:
    """Raise ``NotInstalled`` when a package that the functions run on is missing."""
    missing = [module for module in _PACKAGES if not _installed(module)]
    if missing:
        raise NotInstalled(
            f"what the functions run on is not installed ({', '.join(missing)}); "
            "run: pip install 'neuralkg[gcp,emulators]', or in a clone: make up"
        )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False

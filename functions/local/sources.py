"""Which functions of the table there are to run here, and whether what they run on is installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from shared.runtime.errors import NeuralKGError
from shared.runtime.settings import STAGES_FILE

if TYPE_CHECKING:
    from shared.runtime.settings import StageTable

ROOT = STAGES_FILE.parents[1]
FRONT, FINDER = "ask", "finder"
_PACKAGES = ("functions_framework", "google.cloud.pubsub_v1", "google.cloud.firestore", "google.cloud.storage")

Tell = Callable[[str], None]


class NotBuilt(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """The table has a function whose source is not there, or what functions need is not installed."""


def source(name: str) -> Path:
    """The file that a function is loaded from."""
    return ROOT / "functions" / name / "main.py"


def built(table: StageTable, tell: Tell) -> StageTable:
    """The table without pages that are not built yet, which nothing rests on; raises ``NotBuilt`` for the rest."""
    missing = [module for module in _PACKAGES if not _installed(module)]
    if missing:
        raise NotBuilt(
            f"what the functions run on is not installed ({', '.join(missing)}); "
            "run: pip install 'neuralkg[gcp,emulators]', or in a clone: make up"
        )
    absent = [row for row in table.functions if not source(row.name).is_file()]
    needed = [row.name for row in absent if row.kind != "http" or row.name in {FRONT, FINDER}]
    if needed:
        raise NotBuilt(f"functions of the table without a source, functions/NAME/main.py: {', '.join(needed)}")
    for row in absent:
        tell(f"{row.name} is not built yet and is left out")
    return table.model_copy(update={"functions": tuple(row for row in table.functions if row not in absent)})


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False

"""Reads what ``terraform output -json`` tells of an environment of infra/terraform."""

from __future__ import annotations

import json

from functions.hosting.settings import CloudSettings
from shared.runtime.errors import UsageError

OUTPUT = "environment"
NAMES = (
    "GOOGLE_CLOUD_PROJECT",
    "NEURALKG_ENVIRONMENT",
    "NEURALKG_ARCHIVE",
    "NEURALKG_FIRESTORE_DATABASE",
    "NEURALKG_FINDER_URL",
    "NEURALKG_INDEX",
)
"""What an environment is found by; the output's other variables are settings of its functions."""
_DO = "run `terraform output -json` in a folder of infra/terraform/environments, after `terraform apply`"


def environment_of(text: str, where: str) -> dict[str, str]:
    """The variables of ``NAMES``, each checked as a function checks it. Raises ``UsageError``."""
    try:
        outputs = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{where} is not JSON ({error}); {_DO}") from error
    output = outputs.get(OUTPUT) if isinstance(outputs, dict) else None
    value = output.get("value") if isinstance(output, dict) else None
    if not isinstance(value, dict):
        raise UsageError(f"{where} has no output {OUTPUT!r}; {_DO}")
    missing = [name for name in NAMES if not isinstance(value.get(name), str) or not value[name].strip()]
    if missing:
        raise UsageError(f"the output {OUTPUT!r} of {where} lacks {', '.join(missing)}; {_DO}")
    found = {name: value[name].strip() for name in NAMES}
    CloudSettings.from_environment(found)
    return found

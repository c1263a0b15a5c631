"""The Cloud Function of the stage ``present``."""

from functions.hosting.stage_function import stage_function
from functions.present.builtin_rules import BUILTIN_RULES
from functions.present.stage import present

handle = stage_function("present", present, rules=BUILTIN_RULES)

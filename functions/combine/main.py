"""The Cloud Function of the stage ``combine``."""

from functions.combine.builtin_rules import BUILTIN_RULES
from functions.combine.stage import combine
from functions.hosting.stage_function import stage_function

handle = stage_function("combine", combine, rules=BUILTIN_RULES)

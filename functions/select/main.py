"""The Cloud Function of the stage ``select``."""

from functions.hosting.stage_function import stage_function
from functions.select.stage import select
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.mounted import mounted_plugins

handle = stage_function("select", select, sources=mounted_plugins, rules=BUILTIN_RULES)

"""The Cloud Function of the stage ``resolve_entities``."""

from functions.hosting.stage_function import stage_function
from functions.resolve_entities.stage import resolve_entities
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.mounted import mounted_plugins

handle = stage_function("resolve_entities", resolve_entities, sources=mounted_plugins, rules=BUILTIN_RULES)

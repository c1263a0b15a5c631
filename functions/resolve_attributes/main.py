"""The Cloud Function of the stage ``resolve_attributes``: plugins look variables up in the finder."""

from functions.hosting.stage_function import stage_function
from functions.resolve_attributes.stage import resolve_attributes
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.mounted import mounted_plugins

handle = stage_function(
    "resolve_attributes", resolve_attributes, sources=mounted_plugins, rules=BUILTIN_RULES, finder=True
)

"""The Cloud Function of the stage ``discover``: it asks the finder function."""

from functions.discover.builtin_rules import BUILTIN_RULES
from functions.discover.stage import discover
from functions.hosting.stage_function import stage_function
from plugins.mounted import mounted_plugins

handle = stage_function("discover", discover, sources=mounted_plugins, rules=BUILTIN_RULES, finder=True)

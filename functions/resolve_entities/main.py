"""The Cloud Function of the stage ``resolve_entities``: the plugins find who or what is meant."""

from functions.hosting.stage_function import stage_function
from functions.resolve_entities.denotation_task import BUILTIN_RULES as DENOTING
from functions.resolve_entities.stage import resolve_entities
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.mounted import mounted_plugins, recorded_figures

handle = stage_function(
    "resolve_entities",
    resolve_entities,
    sources=mounted_plugins,
    recorded=recorded_figures,
    rules={**DENOTING, **BUILTIN_RULES},
    finder=True,
)

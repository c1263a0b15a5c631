"""The Cloud Function of the stage ``resolve_attributes``: the plugins make what can be requested."""

from functions.hosting.stage_function import stage_function
from functions.resolve_attributes.semantics_task import BUILTIN_RULES as SEMANTICS
from functions.resolve_attributes.stage import resolve_attributes
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.datacommons.split_tasks import SPLIT_RULES
from plugins.mounted import mounted_plugins, recorded_figures

handle = stage_function(
    "resolve_attributes",
    resolve_attributes,
    sources=mounted_plugins,
    recorded=recorded_figures,
    rules={**SEMANTICS, **BUILTIN_RULES, **SPLIT_RULES},
    finder=True,
)

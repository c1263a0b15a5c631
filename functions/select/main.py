"""The Cloud Function of the stage ``select``: the plugins choose among what was found."""

from functions.hosting.stage_function import stage_function
from functions.select.stage import select
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.countryfacts.tasks import BUILTIN_RULES as FACT_RULES
from plugins.mounted import mounted_plugins, recorded_figures

handle = stage_function(
    "select",
    select,
    sources=mounted_plugins,
    recorded=recorded_figures,
    rules={**BUILTIN_RULES, **FACT_RULES},
    finder=True,
)

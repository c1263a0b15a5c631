"""The Cloud Function of the stage ``execute``: the one that sends requests to publishers, and judges nothing."""

from functions.execute.stage import execute
from functions.hosting.stage_function import stage_function
from plugins.mounted import mounted_plugins, recorded_figures

handle = stage_function("execute", execute, sources=mounted_plugins, recorded=recorded_figures)

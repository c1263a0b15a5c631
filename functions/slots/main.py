"""The Cloud Function of the stage ``slots``."""

from functions.hosting.stage_function import stage_function
from functions.slots.stage import slots

handle = stage_function("slots", slots)

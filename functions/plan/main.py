"""The Cloud Function of the stage ``plan``."""

from functions.hosting.stage_function import stage_function
from functions.plan.stage import plan

handle = stage_function("plan", plan)

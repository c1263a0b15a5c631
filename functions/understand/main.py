"""The Cloud Function of the stage ``understand``: it reads the question, and knows of no source."""

from functions.hosting.stage_function import stage_function
from functions.understand.members import builtin_panel
from functions.understand.stage import understand

handle = stage_function("understand", understand, panel=builtin_panel, embedder=True)

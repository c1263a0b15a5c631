"""Labelled questions by subject."""

from question_cases import changes, collected, further, loose, moving, sets, several, single

SUBJECTS = [single.add, several.add, moving.add, changes.add, sets.add, loose.add, collected.add, further.add]

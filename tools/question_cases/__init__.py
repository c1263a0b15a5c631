"""Labelled questions by subject."""

from question_cases import collected, further, loose, moving, sets, several, single

SUBJECTS = [single.add, several.add, moving.add, sets.add, loose.add, collected.add, further.add]

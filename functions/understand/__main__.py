"""Print how the rules read a question: ``python -m functions.understand "gdp of france vs germany"``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

from functions.understand.question import validate_question
from functions.understand.reader import read
from shared.runtime.errors import CannotRead, UsageError


def main(questions: list[str]) -> int:
    """Print the readings of each question as JSON; 1 when one of them could not be read."""
    unread = 0
    for question in questions:
        try:
            found = read(validate_question(question), today=datetime.now(UTC).date())
        except (CannotRead, UsageError) as error:
            sys.stdout.write(f"could not read this: {error}\n")
            unread += 1
            continue
        for reading in found.readings:
            sys.stdout.write(f"{reading.model_dump_json(indent=2, exclude_defaults=True)}\n")
        sys.stdout.writelines(f"note: {note}\n" for note in found.notes)
    return 1 if unread else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write the whole packaged corpus: ``python -m finder_index.generators.corpus [FOLDER]``."""

from __future__ import annotations

import sys
from pathlib import Path

from finder_index.generators import census_carried, country_facts, datacommons_carried, unsdg_carried, worldbank
from finder_index.index import CORPUS

GENERATORS = (
    worldbank.write,
    country_facts.write,
    datacommons_carried.write,
    census_carried.write,
    unsdg_carried.write,
)


def write_corpus(corpus: Path = CORPUS) -> list[Path]:
    """Generate every source under ``corpus/sources``; returns the files that changed."""
    return [path for write in GENERATORS for path in write(corpus / "sources")]


if __name__ == "__main__":
    changed = write_corpus(*(Path(argument) for argument in sys.argv[1:2]))
    sys.stdout.write(f"{len(changed)} documents changed\n")

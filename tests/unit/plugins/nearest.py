"""The documents that a search for a measure would offer, by their words alone."""

from __future__ import annotations

from collections.abc import Iterable

from plugins.choice.evidence import profile
from plugins.choice.tasks import MOST_CANDIDATES, Candidate
from plugins.choice.wording import same, words
from shared.query.discovery import TableDocument


def nearest(documents: Iterable[TableDocument], measure: str) -> list[TableDocument]:
    """The documents nearest to a measure by their words, as many as a search offers."""
    wanted = words(measure)

    def near(document: TableDocument) -> tuple[bool, float, int]:
        one = Candidate.of(document)
        term = any(same(measure, meaning.term) for meaning in one.meanings)
        said = max((len(wanted & phrase) / len(wanted | phrase) for phrase in profile(one).phrases), default=0.0)
        return term, said, len(wanted & profile(one).all)

    return sorted(documents, key=near, reverse=True)[:MOST_CANDIDATES]

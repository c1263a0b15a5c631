"""Sources that a question names ("according to the World Bank"), found before anything is searched.

A named source limits every later stage. A publisher that people know and that is not mounted must be refused
rather than replaced by another, so the well-known ones are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.query.quantity import Frozen

WELL_KNOWN: dict[str, str] = {
    "imf": "the IMF",
    "international monetary fund": "the IMF",
    "oecd": "the OECD",
    "eurostat": "Eurostat",
    "cia": "the CIA World Factbook",
    "cia world factbook": "the CIA World Factbook",
    "world factbook": "the CIA World Factbook",
    "who": "the WHO",
    "world health organization": "the WHO",
    "ilo": "the ILO",
    "fao": "the FAO",
    "unicef": "UNICEF",
    "unesco": "UNESCO",
    "undp": "the UNDP",
    "un": "the United Nations",
    "united nations": "the United Nations",
    "un sdg": "the UN SDG database",
    "census bureau": "the US Census Bureau",
    "us census bureau": "the US Census Bureau",
    "census": "the US Census Bureau",
    "acs": "the American Community Survey",
    "data commons": "Data Commons",
    "datacommons": "Data Commons",
    "bea": "the Bureau of Economic Analysis",
    "bls": "the Bureau of Labor Statistics",
    "cdc": "the CDC",
    "sec": "the SEC",
    "edgar": "SEC EDGAR",
    "treasury": "the US Treasury",
    "us treasury": "the US Treasury",
    "nih": "the NIH",
    "nsf": "the NSF",
    "fred": "FRED",
    "wikipedia": "Wikipedia",
    "wikidata": "Wikidata",
    "our world in data": "Our World in Data",
    "statista": "Statista",
    "gallup": "Gallup",
    "transparency international": "Transparency International",
    "bank of england": "the Bank of England",
    "ecb": "the ECB",
    "federal reserve": "the Federal Reserve",
}

CUE = re.compile(
    r"\b(?:according to|as reported by|as published by|published by|reported by|from|per|using|in|by|source:?)"
    r"\s+(?:the\s+)?(?=(?P<name>[\w .&-]{2,60}))",
    re.IGNORECASE,
)
"""Words that introduce a source; what follows is held against known names only."""

NAMING_CUES = ("according", "from", "as ", "source", "publ", "rep")
STRONG = re.compile(r"\b(?:according to|as reported by|as published by|source:?)\s+(?:the\s+)?", re.IGNORECASE)


class NamedSources(Frozen):
    """The mounted sources a question names, and the well-known publishers it names that are not mounted."""

    mounted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def _starts_with(text: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}(?:'s)?(?:\b|$)", text, re.IGNORECASE) is not None


def named_sources(question: str, mounted: Iterable[tuple[str, tuple[str, ...]]]) -> NamedSources:
    """Find the sources a question names. ``mounted`` pairs each source with the names people use for it.

    A name counts only behind a cue ("from the World Bank"), so that a question about a publisher's own
    subject ("WHO members") is not taken for a wish. Short capital names must stand in capitals.
    """
    found: dict[str, None] = {}
    missing: dict[str, None] = {}
    by_alias = {alias.casefold(): source for source, aliases in mounted for alias in aliases}
    for cue in CUE.finditer(question):
        for start in _name_starts(question, cue):
            rest = question[start:]
            alias = max((a for a in by_alias if _starts_with(rest, a)), key=len, default=None)
            if alias in WELL_KNOWN and not _is_meant(rest, alias, question[cue.start() : start]):
                # A body that questions are about as well: "countries in the United Nations".
                continue
            if alias is not None:
                found[by_alias[alias]] = None
                continue
            known = max((k for k in WELL_KNOWN if _starts_with(rest, k)), key=len, default=None)
            if known is not None and _is_meant(rest, known, question[cue.start() : start]):
                missing[WELL_KNOWN[known]] = None
    return NamedSources(mounted=tuple(found), missing=tuple(missing))


def _name_starts(question: str, cue: re.Match[str]) -> list[int]:
    """Where a name may begin: behind the cue, and behind each "and" of a list."""
    begin = cue.start("name")
    listed = [begin + m.end() for m in re.finditer(r"\band\s+(?:the\s+)?", cue.group("name"), re.IGNORECASE)]
    return [begin, *(start for start in listed if STRONG.match(question[cue.start() :]))]


def _is_meant(rest: str, name: str, cue: str) -> bool:
    """Short names are ambiguous ("in the UN", "by who"): they need capitals and a cue that names a source."""
    if len(name) > 4:
        return not cue.casefold().startswith(("in ", "by ")) or name.startswith("our world")
    return rest[: len(name)].isupper() and cue.casefold().startswith(NAMING_CUES)

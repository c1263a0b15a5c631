"""Sources that a question names ("according to the World Bank"), found before anything is searched.

A named source limits every later stage. A publisher that people know and that is not mounted must be refused
rather than replaced by another, so the well-known ones are listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.query.quantity import Frozen
from shared.text.places import find_mentions

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

SHORT = 4
"""Letters up to which a name must stand in capitals to be one."""
NAMING_CUES = ("according", "from", "as ", "source", "publ", "rep")
STRONG = re.compile(r"\b(?:according to|as reported by|as published by|source:?)\s+(?:the\s+)?", re.IGNORECASE)


FIRST = re.compile(
    r"^(?:what (?:is|was|are|were)\s+|show(?: me)?\s+)?(?:the\s+)?"
    r"(?=[\w .&-]+?(?:'s)?\s+[a-z][\w %-]*?\s+(?:of|in|for)\s)",
    re.IGNORECASE,
)
"""A publisher before the quantity that is asked of it: "Data Commons population of California"."""
_ASKED = re.compile(r"[a-z][\w %-]*?\s(?:of|in|for)\s(?:the\s)?(?!\d)", re.IGNORECASE)
NO_QUANTITY = re.compile(
    r"(?:members?|membership|countries|states|tracts?|blocks?|block groups?|divisions?|regions?|loans?|lending|"
    r"projects?|staff|budget|filings?|goals?|targets?|headquarters|offices?|peacekeep\w*|secretary\w*)\b",
    re.IGNORECASE,
)
"""What a body itself has, or areas that bear its name; then it is no publisher of what is asked for."""


ANYWHERE = re.compile(
    r"\b(?:(?:published|reported|released|compiled|estimated|collected|measured|counted|numbers) (?:by|from)"
    r"|according to|sourced|source is|(?:as|for) (?:a|the|its|your) source|citing|cites?|based on|data|datasets?"
    r"|databases?|figures|statistics|survey|census)\b|\bsource ?:",
    re.IGNORECASE,
)
"""Words beside which a publisher may be named, whoever it is."""
FROM_NAME = re.compile(r"\b(?:from|per|via|by|using)\s+(?:the\s+)?(?=[A-Z])")


class Named(Frozen):
    """Words of the question that name a publisher, and the source that is meant; ``None`` for one not mounted."""

    words: str
    source: str | None


Directory = Iterable[tuple[str, tuple[str, ...]]]
"""Each mounted source with the names that people use for it."""


def _starts_with(text: str, name: str) -> bool:
    return re.match(rf"{re.escape(name)}(?:'s)?(?:\b|$)", text, re.IGNORECASE) is not None


def named_sources(question: str, mounted: Directory) -> tuple[Named, ...]:
    """Find the publishers that a question names as its source.

    A name counts only behind a cue ("from the World Bank"), so that a question about a publisher's own
    subject ("WHO members") is not taken for a wish. Short capital names must stand in capitals.
    """
    found: dict[str, Named] = {}
    by_alias = {alias.casefold(): source for source, aliases in mounted for alias in aliases}
    for cue in CUE.finditer(question):
        for start in _name_starts(question, cue):
            rest = question[start:]
            alias = max((a for a in by_alias if _starts_with(rest, a)), key=len, default=None)
            if alias in WELL_KNOWN and not _is_meant(rest, alias, question[cue.start() : start]):
                # A body that questions are about as well: "countries in the United Nations".
                continue
            known = max((k for k in WELL_KNOWN if _starts_with(rest, k)), key=len, default=None)
            if alias is not None:
                found.setdefault(by_alias[alias], Named(words=rest[: len(alias)], source=by_alias[alias]))
            elif known is not None and _is_meant(rest, known, question[cue.start() : start]):
                found.setdefault(WELL_KNOWN[known], Named(words=rest[: len(known)], source=None))
    first = _named_first(question, by_alias)
    if first is not None:
        found.setdefault(first.source or WELL_KNOWN[first.words.casefold()], first)
    return tuple(found.values())


def _named_first(question: str, by_alias: dict[str, str]) -> Named | None:
    """The publisher that stands before the quantity; a short name only in capitals."""
    match = FIRST.match(question)
    rest = question[match.end() :] if match else ""
    name = max((one for one in {*by_alias, *WELL_KNOWN} if _starts_with(rest, one)), key=len, default=None)
    if name is None or name == "oecd" or (len(name) <= SHORT and not rest[: len(name)].isupper()):
        return None  # The OECD is a group of countries as well, whose figures are asked for.
    after = rest[len(name) :].removeprefix("'s").lstrip()
    if NO_QUANTITY.match(after) or not _ASKED.match(after):
        return None
    return Named(words=rest[: len(name)], source=by_alias.get(name))


def surely_named(question: str, mounted: Directory) -> tuple[str, ...]:
    """The words that name a publisher behind "according to" and the like: these can mean nothing else."""
    strong = [match.end() for match in STRONG.finditer(question)]
    return tuple(
        one.words
        for one in named_sources(question, mounted)
        if any(question[end:].startswith(one.words) for end in strong)
    )


def may_name_a_publisher(question: str, mounted: Directory) -> bool:
    """Whether a question is worth a judgment on which publisher it names. Most questions name none."""
    mounted = tuple(mounted)
    if ANYWHERE.search(question) or named_sources(question, mounted):
        return True
    names = {*WELL_KNOWN, *(alias.casefold() for _, aliases in mounted for alias in aliases)}
    for name in names:
        for hit in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE):
            if len(name) > SHORT or hit[0].isupper():
                return True
    places = [(match.start, match.end) for match in find_mentions(question)]
    return any(not any(start <= cue.end() < end for start, end in places) for cue in FROM_NAME.finditer(question))


def called(words: str) -> str:
    """How a publisher that the question names is spoken of in a sentence."""
    return WELL_KNOWN.get(words.casefold(), words)


def _name_starts(question: str, cue: re.Match[str]) -> list[int]:
    """Where a name may begin: behind the cue, and behind each "and" of a list."""
    begin = cue.start("name")
    listed = [begin + m.end() for m in re.finditer(r"\band\s+(?:the\s+)?", cue.group("name"), re.IGNORECASE)]
    return [begin, *(start for start in listed if STRONG.match(question[cue.start() :]))]


def _is_meant(rest: str, name: str, cue: str) -> bool:
    """Short names are ambiguous ("in the UN", "by who"): they need capitals and a cue that names a source."""
    if len(name) > SHORT:
        return not cue.casefold().startswith(("in ", "by ")) or name.startswith("our world")
    return rest[: len(name)].isupper() and cue.casefold().startswith(NAMING_CUES)

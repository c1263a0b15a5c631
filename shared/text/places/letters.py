"""Whether the letters around a name let it be that name: ``US`` and ``us``, ``Polish`` and ``polish``."""

from __future__ import annotations

import re

from shared.query.quantity import PlaceKind
from shared.text.places.names import Case, Sense, index

_MEASURES = (
    r"(?:real |nominal |total |annual |average |median |per capita |federal |national |public )*"
    r"(?:gdp|gni|population|populations|economy|economic|unemployment|inflation|debt|deficit|exports?"
    r"|imports?|trade|trade balance"
    r"|life|birth|death|infant|fertility|poverty|income|incomes|household|households|carbon|co2|emissions"
    r"|energy|electricity"
    r"|government|military|defense|defence|health|healthcare|education|literacy|labor|labour|land|area"
    r"|budget|spending|tax"
    r"|taxes|interest|growth|wages?|salary|mortality|obesity|crime|homicides?|murder|suicide|rural|urban"
    r"|forest|internet"
    r"|oil|gas|coal|food|housing|home|states?|counties|county|cities|city|census|treasury|agricultur\w+"
    r"|manufacturing"
    r"|gini|homeownership|workforce|immigration|immigrants?|foreign|gross|net|stats|statistics|data|co2"
    r"|greenhouse|per|vs"
    r"|versus|compared|and|or|now|today|currently|in|since|from|between|over|for|by|during)\b"
)
_MEASURED = re.compile(
    r"\b(?:and|gdp|gni|population|inflation|unemployment|debt|economy|incomes?|rates?|growth|expectancy"
    r"|emissions|poverty|exports"
    r"|imports|trade|deficit|mortality|fertility|wages?|per capita|capita|spending|literacy|obesity|crime"
    r"|area|gini|size)\s$"
)
_HELPS = re.compile(
    r"\b(?:give|gives|tell|tells|show|shows|let|lets|help|helps|make|send|get|teach|provide|bring|remind"
    r"|allow|ask|join|contact"
    r"|inform|find|about|to|among|like|both|all|with|without|around|against|behind|upon|on|by|from|than|at"
    r"|follow|trust"
    r"|thank|believe|concern|concerns|affect|affects|cost|costs|leave|leaves)\s+$"
)
_QUANTIFIED = re.compile(
    r"\b(?:most|all|many|some|one|two|three|each|none|both|rest|half|any|few|several|either|neither"
    r"|enough)\s+of\s+$"
)
_MONEY = re.compile(r"\s?(?:\$|dollars?\b|cents?\b|-dollar|citizenship test)")
_COMPANY_AFTER = re.compile(
    r"(?:'s)?(?: inc| corp| corporation| company| co)?(?:'s)?(?: total| annual| net| gross| operating"
    r"| quarterly| market)*"
    r" ?(?:revenues?|stocks?|earnings|profits?|income|inc|corp|corporation|company|assets|liabilities"
    r"|employees|headcount|ceo"
    r"|shares?|market cap|capitali[sz]ation|sales|cash|10-[kq]|filings?|eps|dividends?|debt|balance sheet"
    r"|margin|ebitda|valuation)\b"
)
_COMPANY_BEFORE = re.compile(
    r"(?:revenues?|stocks?|earnings|profits?|income|assets|liabilities|employees|ceo|shares?"
    r"|capitali[sz]ation|sales|cash|filings?"
    r"|eps|dividends?|debt|company|corporation|net worth|work)\s(?:of|for|at|by|does|did)?\s?(?:the )?$"
)
_NAMING_LEAD = re.compile(r"\b(?:in|at|by|for|from|to|and|or|vs\.?|versus|does|did|than)\s$")
_UNIVERSITY = re.compile(r"\s(?:state\s)?(?:university|college)\b")
_UNIVERSITY_OF = re.compile(r"\buniversity of (?:the )?$")
_SPEECH = re.compile(r"[\s-](?:speak|language|literature|spoken)")
_PLACE_NOUN = re.compile(
    r"(?:-pacific)?\s(?:countr|nation|econom|state|continent|gdp|average|union|region|emission|market|giant)"
)
_STATES_END = re.compile(
    r"\s*(?:$|[?.!,;:]|(?:in|since|today|now|vs|versus|and|compared|over|for|during|between|from|as)\b)"
)
# "In the states" speaks of the country; what is told "of the states" is told of each of them.
_IN_LEAD = re.compile(r"\b(?:in|within|throughout|outside|inside|from)\s$")
# Postal codes that are words or common abbreviations stand alone only beside another place.
_WORDLIKE = {"in", "or", "me", "ok", "hi", "oh", "pa", "ma", "id", "co", "la", "ms", "md", "mo", "al", "de",
             "ar", "as", "ne", "mi",
             "ct", "mt", "va", "sd"}  # fmt: skip


def fits(sense: Sense, text: str, folded: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]`` is written as a name of this sense must be. ``folded`` is the folded text."""
    if sense.form == "adjective" and _SPEECH.match(folded, end):
        return False
    if _UNIVERSITY.match(folded, end) or _UNIVERSITY_OF.search(folded, max(0, start - 24), start):
        return sense.entity.kind in {PlaceKind.ORGANIZATION, PlaceKind.COMPANY}
    if sense.form == "code" and folded[start - 1 : start] == "-":
        return False
    return _written(sense.case, text, folded, start, end)


def _written(case: Case, text: str, folded: str, start: int, end: int) -> bool:
    written = text[start:end]
    shouting = text.isupper()
    match case:
        case Case.ANY:
            return True
        case Case.CAPITALISED:
            return written[0].isupper() or _tells_company(folded, start, end) or _placed(folded, start, end)
        case Case.COMPANY:
            named = written[0].isupper() and bool(_NAMING_LEAD.search(folded, 0, start))
            return named or _tells_company(folded, start, end) or _before_state(folded, end)
        case Case.UPPER:
            return written.isupper() and not shouting
        case Case.LONE_US:
            return _lone_us(text, folded, start, end)
        case Case.THE_STATES:
            if written.endswith("States") and not shouting:
                return True
            return bool(_IN_LEAD.search(folded, 0, start) and _STATES_END.match(folded, end))
        case Case.BEFORE_NOUN:
            return bool(_PLACE_NOUN.match(folded, end))
        case Case.POSTAL:
            if not written.isupper() or shouting or folded[end : end + 1] in {"'", "."}:
                return False
            return folded[start:end] not in _WORDLIKE or _beside_place(text, folded, start)
    return False


def _before_state(folded: str, end: int) -> bool:
    """``Mobile, Alabama``: a common word right before its state."""
    after = re.match(r"\s?,\s?(([a-z]+)(?:\s[a-z]+)?)", folded[end:])
    if after is None:
        return False
    senses = (*index().senses.get(after[1], ()), *index().senses.get(after[2], ()))
    return any(sense.entity.kind is PlaceKind.US_STATE for sense in senses)


def _tells_company(folded: str, start: int, end: int) -> bool:
    return bool(_COMPANY_AFTER.match(folded, end) or _COMPANY_BEFORE.search(folded, max(0, start - 40), start))


def _placed(folded: str, start: int, end: int) -> bool:
    """``in phoenix?``: a common word written small after "in" and before the end is still a place."""
    return bool(
        re.search(r"\b(?:in|of|for)\s$", folded[max(0, start - 5) : start])
        and re.match(r"\s*(?:[?.!]|$)", folded[end:])
    )


def _beside_place(text: str, folded: str, start: int) -> bool:
    """``Austin, TX``, ``CA, MA`` and ``Boise ID``: after a comma, beside another code or after a city."""
    if re.search(r"[A-Za-z.]\s?,\s*$|\b[A-Z]{2}\s?(?:,|and|vs\.?|versus|/|&)\s*(?:and\s)?$", text[:start]):
        return True
    if re.match(r"\s?(?:,|and|vs\.?|versus|/|&)\s*(?:and\s)?[A-Z]{2}\b", text[start + 2 :]):
        return True
    words = re.search(r"((?:[a-z.'-]+\s)?([a-z.'-]+))\s$", folded[:start])
    if words is None:
        return False
    before = (*index().senses.get(words[1], ()), *index().senses.get(words[2], ()))
    return words[2] in {"county", "parish", "borough"} or any(
        sense.entity.kind is PlaceKind.CITY for sense in before
    )


def _lone_us(text: str, folded: str, start: int, end: int) -> bool:
    """``US`` in capitals; ``us`` only where the pronoun cannot stand: "the us", "us gdp", "us vs china"."""
    if _MONEY.match(folded, end):
        return False
    if text[start:end] == "US" and not text.isupper():
        return True
    before = folded[:start]
    if re.search(r"\bthe\s$", before):
        return True
    if _HELPS.search(before) or _QUANTIFIED.search(before):
        return False
    after = folded[end:]
    at_end = bool(re.match(r"\s*(?:[?.!,;]|$)", after))
    if re.match(r"'s?\b|\s(?:vs\.?|versus|compared)\b", after):
        return True
    if re.search(r"\b(?:vs\.?|versus)\s$", before):
        return True
    if not before.strip():
        return True
    measured = bool(re.match(rf"\s{_MEASURES}", after))
    if re.search(r"\b(?:in|across|within)\s$", before):
        return at_end or measured
    owned = re.search(r"\b(?:of|for)\s$", before)
    if owned:
        return measured or bool(_MEASURED.search(before, 0, owned.start()))
    told = at_end or bool(re.match(r"\s(?:19|20)\d\d\b", after))
    return measured or (told and bool(_MEASURED.search(before)))

"""The quantity a question asks for: what remains of its words, put as quantities are published."""

from __future__ import annotations

import re
from functools import lru_cache

from functions.understand import idioms
from shared.query.readings import MeasureMention

_EDGE = (
    r"the|a|an|of|in|for|to|at|on|by|is|are|was|were|be|been|being|has|have|had|having|do|does|"
    r"did|done|what|which|who|whom|whose|how|much|many|there"
    r"|and|or|with|from|that|this|these|those|its|their|his|her|our|your|my|it|they|than|as|then|"
    r"so|when|where|while|within|across|throughout|among|between"
    r"|into|out|up|about|around|over|per(?! capita)|according|measured|expressed|please|me|us|you|"
    r"i|we|can|could|would|will|should|may|might|must|shall"
    r"|get|gets|got|go|goes|went|going|come|comes|came|experience[ds]?|experiencing|see|sees|saw|"
    r"seen|show|shows|showed|shown|record(?:ed|s)?|report(?:ed|s)?"
    r"|also|just|only|even|still|ever|now|actually|really|currently|roughly|approximately|exactly|"
    r"all|any|some|one|both|each|every"
    r"|compare|compared|comparison|comparing|list|rank|ranked|ranking|sort|sorted|order|ordered|"
    r"say|says|like|such|vs|respectively|not|no|if|whether|known|look|looks|stand|stands|stood|"
    r"reach(?:es|ed)?"
)
_LEFT = re.compile(rf"^(?:(?:{_EDGE})\b(?!-)|[\s,.;:?!'\"()/-](?<!\())+\s*")
_RIGHT = re.compile(rf"(?:\b(?<!-)(?:{_EDGE})|[\s,.;:?!'\"/(-]|(?<!\d)\.)+$")
_LEAD = re.compile(
    r"^(?:(?:total|overall|current|actual|exact|approximate|official|annual|yearly|national|"
    r"latest|average|mean|estimated|reported|typical|absolute|general|highest|real)\s)*"
    r"(?:(?:total|overall) )?(?:(?:different|various|all) (?:kinds|types|forms)|numbers?|amounts?|"
    r"levels?|quantit(?:y|ies)|values?|counts?|"
    r"figures?|volumes?|sums?|sizes?|rates?|degrees?|extents?|data|statistics|stats|prevalence|"
    r"incidence)\s(?:of|for|on)\s(?:the\s)?"
)
_ADVERB = re.compile(
    r"^(?:total|overall|current|actual|exact|official|annual|yearly|national|latest|estimated|"
    r"combined|absolute|general|country's|nation's)\s"
)
_SHARE_LEAD = re.compile(
    r"^(?:the )?(?:(?:total|overall|current) )?(?:share|percentage|percent|proportion|fraction|"
    r"portion|part|%|how much)s?\s(?:(?:of|that)\s|(?=population|people|households|adults|women|"
    r"men|land))(?:the\s|its\s|their\s|all\s)?"
)
_WHOLE_OF = re.compile(
    r"^(?:(?:total|entire|whole|overall|adult|local)\s)*(?P<whole>populations?|people|persons|"
    r"citizens|inhabitants|residents|households|adults|women|men|children|land|land area|"
    r"territory|country|gdp|economy|energy|electricity|the population)?"
    r"\s?(?:(?:of|in)\s)?(?:who|that|which|whom)?\s?(?:is|are|was|were|has|have|had|with|living|"
    r"lives?|lived|do|does|can|could|gets?|uses?|using)?\b\s?"
)
_PERCENT_TAIL = re.compile(r"[,\s]*(?:\(?(?:in )?(?:percent|%|percentage|as a percentage|as percentage|share)\)?)$")
_OF_BASE = re.compile(r"^(?P<what>.+?)[,\s]*\(?%\s?of (?:total )?(?P<base>[a-z ]+?)\)?$")
_PER_CAPITA = re.compile(r"[,\s]*\(?\bper capita\b\)?")
_GDP_SPENT = re.compile(
    r"^(?:gdp|national income|the economy)(?: that| which)?(?: is| are| was| were| it| they| goes|"
    r" went| go| does| did)*\s(?:spend|spent|spends|spending|invested|goes|devoted|used|go|going|"
    r"allocated)?\s?(?:on|for|to|in|into)?\s?(?P<on>.+)$"
)
_SEX_WITHIN = re.compile(r"^(?:women|men|girls|boys|females|males) (?:in|among) (?:the )?[a-z]")
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|be|been|being|the|a|an|its|their|there|"
    r"currently|that|which|who)\b"
)
_STRAY = re.compile(
    r"\b(?:produce[sd]?|producing|exceed(?:s|ed|ing)?|happen(?:s|ed|ing)?|generate[sd]?|"
    r"subtract(?:ed)?|relative|developing|evolving|compare[sd]?"
    r"|make[s]?|made|contribute[sd]?|more|less|fewer|higher|lower|longer|shorter|larger|bigger|"
    r"smaller|greater|available|found|observed|registered|country|countries|world|global|national)\b"
)
_DWELLING = re.compile(
    r"^(?P<who>(?!.*\b(?:of|to|long|longer|longest)\s[a-z ]*$).+?)\s"
    r"(?:(?:is|are|was|were|do|does|did|can be|currently)\s)*"
    r"(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|dwell(?:s|ed|ing)?|exist(?:s|ed|ing)?|located|found)$"
)
"""Members with the verb that ties them to their place: "women over 65 live"; of no "cost of living"."""
_DOUBLED = re.compile(r"^(.+?)(?:(?: and)? \1)+$")
_CODE = re.compile(r"[*;={}<>|\\\[\]]")
_WORD = re.compile(r"[a-z]")
_EMPTY = frozenset(
    [
        "thing",
        "things",
        "stuff",
        "something",
        "anything",
        "everything",
        "data",
        "information",
        "figure",
        "figures",
        "number",
        "numbers",
        "value",
        "values",
        "statistics",
        "stats",
        "answer",
        "one",
        "ones",
        "country",
        "countries",
        "place",
        "people's",
        "amount",
        "level",
        "rate",
        "total",
        "average",
        "mean",
        "most",
        "least",
        "more",
        "less",
        "higher",
        "lower",
    ]
)


@lru_cache(maxsize=1)
def _inside() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), text) for pattern, text in idioms.INSIDE]


@lru_cache(maxsize=1)
def _shared() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern), text) for pattern, text in idioms.SHARED]


def trimmed(phrase: str) -> str:
    """``phrase`` without the small words at its ends; marks are taken out."""
    text = re.sub(r"\b[EGYT]\d+(?:'s?)?", " ", phrase)
    text = re.sub(r"\s+,", ",", re.sub(r"\s+", " ", text)).strip()
    before = None
    while before != text:
        before = text
        text = _RIGHT.sub("", _LEFT.sub("", text)).strip()
        if text.endswith(")") and "(" not in text:
            text = text[:-1]
    return text


def published(phrase: str) -> str | None:
    """The published name of a phrase people use, or ``None``."""
    for pattern, text in idioms.whole():
        if pattern.fullmatch(phrase):
            return text
    return None


def measure(phrase: str) -> MeasureMention | None:
    """Read a phrase as a quantity; ``None`` when nothing of substance is left in it."""
    text = _DOUBLED.sub(r"\1", trimmed(_rewritten(phrase.lower())))
    text = re.sub(r"^people (.+?) people$", r"people \1", text)
    if not _WORD.search(text) or text in _EMPTY or _CODE.search(text):
        return None
    share_of = _SHARE_LEAD.match(text)
    if share_of:
        return _share(text[share_of.end() :])
    percent = _PERCENT_TAIL.search(text)
    if percent and percent.start() > 0:
        inner = measure(text[: percent.start()])
        return inner.model_copy(update={"share": True}) if inner else None
    per_capita = bool(_PER_CAPITA.search(text))
    if per_capita:
        text = trimmed(re.sub(r",\s*,?", ", ", _PER_CAPITA.sub(" ", text)))
        if not text:
            return None
        name = _named(text)
        if name.endswith("per capita"):
            return MeasureMention(text=name, per_capita=True)
        return MeasureMention(text=f"{name} per capita", per_capita=True)
    based = _OF_BASE.match(text)
    if based:
        return MeasureMention(text=f"{_named(trimmed(based['what']))} (% of {based['base'].strip()})", share=True)
    name = _named(text)
    return MeasureMention(
        text=name, per_capita=name.endswith("per capita"), share="share" in name.split() or "(%" in name
    )


def _rewritten(text: str) -> str:
    for pattern, replacement in _inside()[:4]:
        text = pattern.sub(replacement, text)
    return text


def _named(text: str) -> str:
    """The published name, or the asker's words with the usual rewrites."""
    for candidate in _candidates(text):
        known = published(candidate)
        if known:
            return known
    dwelling = _DWELLING.match(text)
    if dwelling is not None and trimmed(dwelling["who"]):
        return _named(trimmed(dwelling["who"]))
    rewritten = text
    for pattern, replacement in _inside():
        rewritten = pattern.sub(replacement, rewritten)
    rewritten = trimmed(rewritten) or text
    for candidate in _candidates(rewritten):
        known = published(candidate)
        if known:
            return known
    shorter = trimmed(_LEAD.sub("", rewritten))
    return shorter or rewritten


def _candidates(text: str) -> list[str]:
    found = [text]
    for pattern in (_LEAD, _ADVERB):
        for known in list(found):
            shorter = trimmed(pattern.sub("", known))
            if shorter and shorter not in found:
                found.append(shorter)
    for pattern in (_AUXILIARY, _STRAY):
        for known in list(found):
            shorter = trimmed(re.sub(r"\s+", " ", pattern.sub(" ", known)))
            if shorter and shorter not in found:
                found.append(shorter)
    return found


def _share(rest: str) -> MeasureMention | None:
    """What follows "share of": the whole it is of, then what it is."""
    for pattern, text in _shared():
        if pattern.fullmatch(rest):
            return MeasureMention(text=text, share=True)
    if _SEX_WITHIN.match(rest) and published(rest) is None:
        return MeasureMention(text=trimmed(rest), share=True)
    spent = _GDP_SPENT.match(rest)
    if spent and trimmed(spent["on"]):
        on = trimmed(spent["on"])
        name = (
            published(f"spending on {on}") or f"{_named(on)} expenditure"
            if re.search(r"spen[dt]|invest|devoted|goes", rest)
            else _named(on)
        )
        return MeasureMention(text=f"{name} (% of gdp)", share=True)
    whole = _WHOLE_OF.match(rest)
    of = whole["whole"] if whole else None
    what = trimmed(rest[whole.end() :] if whole else rest)
    if not what:
        return MeasureMention(text=_named(trimmed(rest)), share=True) if trimmed(rest) else None
    for candidate in (what, trimmed(rest)):
        known = published(candidate)
        if known and known not in {"population", "surface area", "gdp"}:
            return MeasureMention(text=known, share=True)
    name = _named(what)
    if of and of not in {"country", "territory"} and name == what:
        base = (
            "population"
            if of in {"people", "persons", "citizens", "inhabitants", "residents", "populations", "the population"}
            else of
        )
        return MeasureMention(text=f"{name} (% of {base})", share=True)
    return MeasureMention(text=name, share=True)


def is_known(phrase: str) -> bool:
    """Whether the phrase is a quantity that people often ask for."""
    named = measure(phrase)
    if named is None:
        return False
    base = re.sub(r" per capita$| \(%.*\)$", "", named.text)
    return base in idioms.known() or named.text in idioms.known() or published(base) is not None

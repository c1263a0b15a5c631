"""Holds a reading against its question: what the question says and the reading cannot, refuses it.

A reading that drops a "not", a second place, a month or a nested question would be answered with a right number
to another question, and nobody would see. Each check names what was left out; an unread word that changes no
meaning is no concern here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pydantic import BaseModel

from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PeriodAsked, PeriodKindAsked, Reading
from shared.text.places import find_mentions
from shared.text.sentences import asking_sentence

MAX_WORDS = 120
"""Longer questions are not read: no one question of these forms has so many words."""

_HARMLESS = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|earlier|greater|higher|lower|over|under) than (?=[$€£]?\s?\d)|"
    r"\bwhether or not\b|\bor not?\b|\bnot (?:the|in the) (?:us )?(?:state|country|city|county)\b|"
    r"\bno\.? of\b|\bif not\b|\bwhy not\b|\bno (?:chart|table|graph|idea|need|rush|worries|problem|matter)\b\w*|"
    r"\bdon'?t (?:know|need|care|mind|worry|have time|understand)\b|\bnot (?:sure|certain)\b|"
    r"\b(?:i|we) (?:can|could)(?:'t|not) \w+\b|\bisn'?t it\b|\baren'?t they\b|\bwithout (?:going|going into|"
    r"any) \w+"
)
_NEGATION = re.compile(
    r"\b(?:not|never|neither|nor|except(?:ing|ed)?|excluding|excludes?|without|outside|no|none)\b|"
    r"\b(?:other than|apart from|aside from|but not|leaving out|leave out)\b|n't\b"
)
_PART_OF_YEAR = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?,? (?:of )?(?:19|20)\d\d\b|"
    r"\bq[1-4]\b|\b(?:first|second|third|fourth|last) quarter\b|\bh[12] (?:19|20)\d\d\b"
)
_SUPERLATIVE = (
    r"(?:most|least|richest|poorest|wealthiest|largest|biggest|smallest|highest|lowest|oldest|youngest|"
    r"fastest[- ]growing|longest[- ]living|number one|top)"
)
_NESTED = re.compile(
    rf"\b(?:of|in|for|by|does|has) the (?:\w+'s )?(?:\w+ )?{_SUPERLATIVE}\b(?: [\w-]+){{0,3}}? "
    r"(?:country|nation|economy|state|member|place)\b"
)
_RANK_OF = re.compile(r"\b(?:what|which) (?:rank|place|position)\b|\branks?\b|\branked\b")
_TOP_PERCENT = re.compile(r"\b(?:top|bottom|richest|poorest) \d+(?:\.\d+)? ?(?:%|percent|per cent)")
_TIMES_THAT = re.compile(
    r"\bhow many (?:years|times)\b.*\b(?:grow|grew|grown|exceed\w*|fall|fell|fallen|rise|rose|shr[aiu]nk|"
    r"declin\w+|above|below|over|under|more than|less than)\b"
)
_FLOW = re.compile(r"\b(?:exports?|imports?|shipments?|trade|migration|migrants|emigrants?|immigrants?|flows?)\b")
_EXPORTS_TO = re.compile(
    r"\b(?:exports?|exported|shipments?|sales|sells?) to\b|\bimport(?:s|ed)? from\b|\btrade with\b"
)
_HEADS = re.compile(
    r"\bhow many (?:\w+ )?(?:women|men|girls|boys|males|females|children|kids|adults|pensioners|seniors)\b"
)
_AGES = re.compile(r"\bhow (?:much )?(?:older|younger)\b|\bmost (?:poor|old|young|hungry|rich) people\b")
_MOST_OF = re.compile(
    r"\bmost (?P<kind>poor|old|young|hungry|rich) "
    r"(?:children|kids|adults|women|men|families|households|residents)\b"
)
_EVER = re.compile(r"\bever\b")
_OVER_TIME = re.compile(
    r"\b(?:average|mean|grew|grow|grown|growth|increase[ds]?|increasing|rise|rose|risen|fell|fallen|drop\w*|"
    r"decline[ds]?|chang\w+|gain\w*|improve[ds]?|improvement)\b"
)
_YEAR = re.compile(
    r"(?<![\d.,$€£-])(?:19|20)\d\d"
    r"(?![\d,.]*\d|%| ?(?:people|dollars|usd|thousand|million|billion|percent|per cent))"
)
_SPANS = frozenset({PeriodKindAsked.RANGE, PeriodKindAsked.SINCE, PeriodKindAsked.LAST_YEARS, PeriodKindAsked.ALL})
_ONE_YEAR_TYPES = frozenset({"yes_no", "ratio", "correlation", "aggregate", "filtered_list"})
_SETTLED_BY_LIST = frozenset({"item_list", "status"})
_NO_SLOTS = frozenset({"topical", "grant_graph"})
_PLACES = frozenset(
    {PlaceKind.COUNTRY, PlaceKind.COUNTRY_GROUP, PlaceKind.US_STATE, PlaceKind.US_COUNTY, PlaceKind.CITY}
)

_POINTING = re.compile(
    r"\b(?:these|those) (?:countries|places|nations|states|counties|cities|regions)\b"
    r"(?! (?:that|which|who|where|with|whose|in|of|on|having|above|below|over|under)\b)"
)
_AND_HERE = re.compile(r"^(?:and |so |ok,? )?(?:what|how) about\b")
_SENTENCE = re.compile(r"[.?!:;](?:\s|$)")

Check = Callable[[str, Reading], "str | None"]


def left_out(question: str, reading: Reading) -> str | None:
    """What the question asks that the reading does not hold, in words; ``None`` when nothing is missing."""
    if reading.type in _NO_SLOTS:
        return None
    text = " ".join(question.casefold().replace("\u2019", "'").split())
    for check in CHECKS:
        reason = check(text, reading)
        if reason is not None:
            return reason
    missing = _places_left_out(question, reading)
    if missing:
        return f"it names {' and '.join(missing)}, which I could not place in the question"
    return None


def _written(reading: Reading) -> str:
    """The reading's own words: measures, relations, filters, aspects."""
    fields = reading.model_dump(mode="json", exclude_defaults=True)
    return " ".join(_words(fields)).casefold()


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in {"entity", "candidates", "type", "keys"} or not isinstance(inner, str):
                yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str):
        yield value


def _negation(text: str, reading: Reading) -> str | None:
    found = _NEGATION.search(_HARMLESS.sub(" ", text))
    if found is None:
        return None
    word, written = found.group(), _written(reading)
    known = "landlocked" in written or "coast" in written
    if word in written or known:
        return None
    return f"it says “{word}”, and I cannot read what is left out or denied"


def _part_of_year(text: str, reading: Reading) -> str | None:
    del reading
    found = _PART_OF_YEAR.search(text)
    return f"it asks for “{found.group()}”, and I read whole years only" if found else None


def _span(text: str, reading: Reading) -> str | None:
    period = getattr(reading, "period", None)
    if reading.type in {"yes_no", "value"} and _EVER.search(text):
        return "it asks about all years at once (“ever”); ask how the figure changed and look at its course"
    if period is None or period.kind not in _SPANS:
        return None
    if reading.type in _ONE_YEAR_TYPES:
        return "it asks this of a span of years at once; name one year, or ask how the figure changed"
    if reading.type in {"ranking", "population_value"} and _OVER_TIME.search(text):
        return "it asks for a change or a mean over a span of years for every member; name one year"
    return None


def _nested(text: str, reading: Reading) -> str | None:
    found = _NESTED.search(text)
    if found is None or reading.type in _SETTLED_BY_LIST:
        return None
    return f"it asks two things in one (“{found.group()}”); ask first which one that is"


def _operation(text: str, reading: Reading) -> str | None:
    measure = getattr(getattr(reading, "measure", None), "text", "")
    if (_HEADS.search(text) and "expectancy" in measure) or (_AGES.search(text) and measure == "population"):
        return "it asks how many or how old people of one kind are, and I read another quantity"
    of_kind = _MOST_OF.search(text)
    if of_kind and of_kind["kind"] not in measure and "poverty" not in measure:
        return f"it asks for the most people of one kind (“{of_kind.group()}”), and I read another quantity"
    if reading.type in {"value", "yes_no", "comparison"} and _RANK_OF.search(text):
        return "it asks for a place in a ranking; ask for the ranking itself (“top 20 countries by …”)"
    if reading.type != "yes_no" and _TOP_PERCENT.search(text) and "income" not in text and "quintile" not in text:
        return "it asks for a percentage of the members; ask for a number of them (“top 20 …”)"
    if reading.type != "difference" and _TIMES_THAT.search(text):
        return "it asks in how many years something happened; ask how the figure changed"
    return None


def _flow(text: str, reading: Reading) -> str | None:
    if re.search(r"\brefugees\b.*\bfrom\b", text) and "origin" not in _written(reading):
        return "it asks for refugees from a place; ask for its “refugees abroad”"
    between = reading.type == "comparison" and re.search(r"\b(?:to|from|into|between)\b", text)
    if (between and _FLOW.search(text) and not re.search(r"\b(?:compare|versus|vs)\b", text)) or (
        reading.type in {"value", "trend"} and _EXPORTS_TO.search(text)
    ):
        return "it asks for a flow between two places, and figures here are of one place with all others"
    return None


def _residence(text: str, reading: Reading) -> str | None:
    for word in ("urban", "rural"):
        if re.search(rf"\b{word}\b", text) and word not in _written(reading):
            return f"it says “{word}”, which my reading does not hold"
    return None


def _goes_on(text: str, reading: Reading) -> str | None:
    """Questions that go on from another: whom they mean, or what of them, was said there and not here."""
    population = getattr(reading, "population", None)
    if population is not None and (found := _POINTING.search(text)):
        named = population.container is not None or population.listed or population.fact_filter is not None
        if not named and found.start() > 0 and len(_SENTENCE.findall(text)) < 2:
            return f"it says “{found.group()}”, which are named in an earlier question and not in this one"
    if _AND_HERE.search(text) and (reading.type == "item_list" or getattr(reading, "aspect", "") == "overview"):
        return "it goes on from an earlier question; say what is asked of the place"
    return None


def _years(text: str, reading: Reading) -> str | None:
    """A year that the question names is one that is asked for, or belongs to a name that the reading holds."""
    periods = list(_periods(reading))
    named = " ".join(_outside_periods(reading))
    for found in _YEAR.finditer(asking_sentence(text)):
        if found.group() not in named and not any(_holds(period, int(found.group())) for period in periods):
            return f"it says “{found.group()}”, which my reading does not ask for"
    return None


def _holds(period: PeriodAsked, year: int) -> bool:
    if period.start is None:
        return period.end == year
    last = period.start if period.kind is PeriodKindAsked.YEAR else period.end
    return period.start <= year and (last is None or year <= last)


def _periods(value: object) -> Iterator[PeriodAsked]:
    if isinstance(value, PeriodAsked):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _periods(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _periods(inner)


def _outside_periods(value: object) -> Iterator[str]:
    """The words of a reading but those that repeat what was said of time."""
    if isinstance(value, BaseModel) and not isinstance(value, PeriodAsked):
        for name in type(value).model_fields:
            yield from _outside_periods(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _outside_periods(inner)
    elif isinstance(value, str):
        yield value


CHECKS: tuple[Check, ...] = (
    _goes_on,
    _years,
    _residence,
    _part_of_year,
    _negation,
    _nested,
    _span,
    _operation,
    _flow,
)


def _places_left_out(question: str, reading: Reading) -> list[str]:
    """Places that the asking sentence names and the reading does not hold, in their own words."""
    held = set(_entities(reading))
    keys = {value for entity in held for value in entity.keys.values()}
    written = _written(reading)
    missing: list[str] = []
    for match in find_mentions(asking_sentence(question)):
        candidates = [match.mention.entity] if match.mention.entity else list(match.mention.candidates)
        places = [entity for entity in candidates if entity is not None and entity.kind in _PLACES]
        if not places or any(entity.keys.get("group") == "world" for entity in places):
            continue
        used = any(entity in held or set(entity.keys.values()) & keys for entity in places)
        if not used and match.text.casefold() not in written:
            missing.append(f"“{match.text}”")
    return missing


def _entities(value: object) -> Iterator[Entity]:
    """Every entity anywhere in a reading, candidates included."""
    if isinstance(value, Entity):
        yield value
    elif isinstance(value, EntityMention):
        yield from filter(None, (value.entity, *value.candidates))
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _entities(inner)
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _entities(getattr(value, name))

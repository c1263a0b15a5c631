"""Forms that hold two things together: correlation, ratio, difference, comparison, yes or no."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, measure, trimmed
from functions.understand.populations import UNITED_STATES
from functions.understand.rules import signals
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan, is_group, is_world
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    Comparator,
    ComparisonReading,
    CorrelationReading,
    DifferenceReading,
    Direction,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    RatioReading,
    Reading,
    Threshold,
    YesNoReading,
)
from shared.runtime.errors import CannotRead

COUNTRIES = PopulationMention(member=PlaceKind.COUNTRY, text="countries")
_MORE = r"higher|greater|larger|bigger|longer|taller|older|faster|stronger|better|heavier|hotter|richer|wealthier|denser|steeper|wider|warmer|more|above|ahead|increased?"
_FEWER = r"lower|fewer|less|smaller|shorter|younger|slower|weaker|poorer|cheaper|cooler|colder|worse|sparser|below|behind"
COMPARATIVE = re.compile(rf"\b(?:(?P<more>{_MORE})|(?P<fewer>{_FEWER}))\b")
_PLAIN = {"richer": "rich", "wealthier": "wealthy", "poorer": "poor", "denser": "dense", "safer": "safe", "healthier": "healthy", "sparser": "sparse"}  # fmt: skip
_COMPARED_ADJECTIVE = re.compile(
    r"\b(?P<word>richer|wealthier|poorer|denser|sparser|safer|healthier)\b|\b(?P<degree>more|less)\s(?P<adj>(?:(?:densely|sparsely|thinly|heavily)[ -])?[a-z-]+)\b"
)
_AUX = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|isn't|am|is it true that|is it the case that|is there|are there)\b"
)


# Correlation ----------------------------------------------------------------------------------------

_CORRELATED = (
    r"correlat(?:e[sd]?|ing|ions?)|(?:inter)?relat(?:ed|es?|ions?|ionships?)|associat(?:ed|es?|ions?)|link(?:s|ed|age)?|connect(?:ed|ions?)|tied|go(?:es)? hand in hand|go(?:es)? together"
    r"|depend(?:s|ent)?|move(?:s)? together|track(?:s)?|linear relationship|regression|scatter(?: ?plot)?|co-?vary|vary with|influence[sd]?|affect(?:s|ed)?|predict(?:s|ed)?|impact(?:s|ed)?|driven by|explain(?:s|ed)?(?: by)?|goes up with|rises? with|fall(?:s)? with|increases? with"
)
_CORRELATION = re.compile(rf"\b(?:{_CORRELATED})\b")
_STRONG = re.compile(
    r"\bcorrelat|\bscatter|\bregression|\bhand in hand\b|\bgo(?:es)? together\b|\bmoves? together\b|\bco-?vary"
)
_CORR_FRAME = re.compile(
    rf"^(?:is|are|was|were|do|does|did|what|how|calculate|compute|plot|show)?\b(?:\s|the|there|a|an|any|strong(?:ly)?|closely|well|much|tightly|clear|significant|close|of|is|are|do|does|if|whether|degree|extent|positive|negative|possible|some|kind|sort|type|statistical|pearson|coefficient|to what)*"
    rf"(?P<noun>{_CORRELATED})?\s?(?:coefficient\s)?(?:of|between|among|across|for)?\s(?=\S)"
)
_CORR_TAIL = re.compile(
    rf"[,:;.?]?\s?(?:and\s)?\b(?:(?:are|is|do|does|how|what|were|was|they|it|there|the|closely|strongly|significantly|much|well|a|any|two)\s)*(?:{_CORRELATED})(?:\s(?:coefficient|or not|at all|to each other|with each other|each other|together|strongly|closely|to one another))*[?.]?$"
)
_CORR_MID = re.compile(
    rf"\s(?:\w+ly\s)?(?:(?:is|are|was|be|been|have|has|any|an|a|the|strongly|closely|well|negatively|positively|do|does|did|significantly|much|how)\s)*(?:{_CORRELATED})(?:\s(?:effect|influence|impact|coefficient))?(?:\s(?:to|with|on|by|upon|between|in))?\s(?:the\s|how\s)?"
)
_SPLIT = (r"\s\|\s", r"\svs\s", r"\sand (?:the )?", r"\s(?:to|with|on|against)\s")
_RICHER = re.compile(
    r"^(?:do|are|have|is it true that|does)?\s?(?P<a>richer|poorer|wealthier|more \w+|less \w+|bigger|larger) (?P<g>G\d+)\s(?:tend to\s|usually\s|generally\s|on average\s)?(?P<b>.+)$"
)
_WITH_MORE = re.compile(
    r"^(?:do|are|have|is it true that)?\s?(?P<g>G\d+)\s(?:with|that have|having|where)\s(?:a\s)?(?:higher|lower|more|less|greater|fewer|larger|high|low)\s(?P<a>.+?)\s(?:tend to have|have|tend to|also have|usually have|generally have|get|also|produce|emit|spend|use|show|experience)\s(?:a\s|also\s)?(?:higher|lower|more|less|greater|fewer|larger|longer|shorter)\s(?P<b>.+)$"
)


def correlation(scan: Scan) -> Reading | None:
    """Whether two measures move together over a population."""
    text = re.sub(r"\bG\d+-?(?:level|wise)\b", " ", scan.masked)
    groups, marks = scan.marks("G"), scan.marks("E")
    if scan.bounds:
        return None
    tendency = _tendency(scan, text)
    if tendency:
        return tendency
    named = _CORRELATION.search(text)
    versus = " vs " in text and (groups or _set_of(scan, marks)) and len(marks) <= 1
    if not named and not versus:
        return None
    plain = text
    for mark in groups:
        plain = re.sub(
            rf"(?:,?\s?\b(?:in|of|across|among|for|over|at the level of|between|by|per|within)\s)?(?:the\s|all\s)*\b{mark}\b(?:'s?)?",
            " ",
            plain,
        )
    plain = without_marks(plain)
    plain = re.sub(
        r"\b(?:over time|around the globe|country-level|at country level|by country|internationally|cross-country|at the country level)\b",
        " ",
        plain,
    )
    plain = re.sub(r"\s+", " ", plain).strip(" ,;:.?")
    pair = _pair(plain, named=bool(named))
    if pair is None:
        return None
    if not groups and not _STRONG.search(text) and not marks and not (is_known(pair[0]) and is_known(pair[1])):
        return None
    x, y = measure(pair[0]), measure(pair[1])
    if x is None or y is None or x == y:
        return None
    population = _population(scan, groups, marks)
    if population is None:
        return None
    return CorrelationReading(population=population, x=x, y=y, period=scan.period)


def _pair(plain: str, *, named: bool) -> tuple[str, str] | None:
    text = re.sub(
        r"[,:;.?]\s*(?:correlation|correlated|coefficient|any link|is there a link)\s*$",
        "",
        _CORR_TAIL.sub("", plain),
    )
    if named:
        text = re.sub(
            r"^(?:is|are|do|does|did|was|were|how|to what (?:extent|degree)|what|whether)\b(?:\s(?:is|are|do|does|did|well|closely|strongly|much|there|any|a|an|the))*\s",
            " ",
            f"{text} ",
        ).strip()
        text = re.sub(
            rf"^(?:(?:the|a|an|any|there|strong|clear|significant|pearson|linear|what|is|plot|scatter|show|calculate|compute|of)\s)*(?:{_CORRELATED})(?:\s(?:coefficient|plot|analysis))?\s(?:of|between|among|for)\s",
            "",
            text,
        )
        text = _CORR_MID.sub(" | ", f" {text} ").strip()
    for separator in _SPLIT:
        parts = re.split(separator, text)
        parts = [part for part in parts if trimmed(part)]
        if len(parts) == 2:
            return parts[0], parts[1]
        if len(parts) > 2 and separator.startswith(r"\sand"):
            return None
    return None


def _tendency(scan: Scan, text: str) -> Reading | None:
    """ "Do richer countries live longer?", "do countries with more X have less Y?"."""
    richer = _RICHER.match(text)
    if richer:
        word = richer["a"].removeprefix("more ").removeprefix("less ")
        plain = _PLAIN.get(word, word)
        y = measure(
            without_marks(COMPARATIVE.sub(lambda m: "longer" if m.group() == "longer" else " ", richer["b"]))
        )
        x = (
            signals.lexeme_measure(plain)
            if signals.is_adjective(plain)
            else MeasureMention(text="population")
            if word in {"bigger", "larger"}
            else None
        )
        if x and y and " than " not in text and not scan.marks("E"):
            return CorrelationReading(population=scan.population(richer["g"]).mention, x=x, y=y, period=scan.period)
    both = _WITH_MORE.match(re.sub(r"[,:;.?]\s*(?:correlations?|correlated|Y\d+|any link).*$", "", text))
    if both and " than " not in text:
        x, y = measure(without_marks(both["a"])), measure(without_marks(both["b"]))
        if x and y:
            return CorrelationReading(population=scan.population(both["g"]).mention, x=x, y=y, period=scan.period)
    return None


def _set_of(scan: Scan, marks: list[str]) -> bool:
    return len(marks) == 1 and (is_group(scan.name(marks[0])) or _kind(scan.name(marks[0])) is PlaceKind.US_STATE)


def _kind(mention: EntityMention) -> PlaceKind | None:
    return mention.entity.kind if mention.entity else None


def _population(scan: Scan, groups: list[str], marks: list[str]) -> PopulationMention | None:
    if groups:
        return scan.population(groups[0]).mention
    if not marks:
        return COUNTRIES
    if len(marks) > 1:
        return None
    return members_of(scan.name(marks[0]))


def members_of(mention: EntityMention) -> PopulationMention:
    """The members that a place has: a group its countries, the US its states, a state its counties."""
    if is_world(mention):
        return COUNTRIES
    if is_group(mention):
        return PopulationMention(member=PlaceKind.COUNTRY, text=f"countries in {mention.label}", container=mention)
    if mention.entity is not None and mention.entity.keys.get("iso3") == "USA":
        return PopulationMention(
            member=PlaceKind.US_STATE, text="states in the United States", container=UNITED_STATES
        )
    if _kind(mention) is PlaceKind.US_STATE:
        return PopulationMention(member=PlaceKind.US_COUNTY, text=f"counties in {mention.label}", container=mention)
    return PopulationMention(member=PlaceKind.PLACE, text=f"places in {mention.label}", container=mention)


# Ratio ----------------------------------------------------------------------------------------------

_TIMES_MORE = re.compile(
    rf"\bhow many times (?:(?:over|as|was|is|were|are|did|does|do)\s)*(?:{_MORE}|{_FEWER}|large|big|high|many|much|great|rich|populous|long|the (?:size|population|gdp|economy))\b|\bhow many times\b|\b(?:what|by what) (?:multiple|factor)\b|\btimes (?:as|larger|bigger|more|higher|the size)\b"
)
_RATIO_OF = re.compile(
    r"\b(?:ratio|quotient) (?:of|between|for)\s(?P<a>.+?)\s(?:to|and|over|versus|vs|divided by|compared to)\s(?P<b>.+)$"
)
_RATIO_AFTER = re.compile(r"^(?P<a>.+?)[ -](?:to|vs|over|/)[ -](?P<b>.+?)\sratio\b(?P<c>.*)$")
_DIVIDED = re.compile(r"^(?P<a>.+?)\s(?:divided by|over|/|÷)\s(?P<b>.+)$")
_AS_SHARE = re.compile(
    r"^(?P<a>.*?)\b(?:as|in) (?:a |an )?(?:share|percentage|percent|proportion|fraction|part|%|multiple)(?: of)?\s(?P<b>.*\bE\d.*)$"
)
_SHARE_OF = re.compile(
    r"\b(?:what|which|how (?:much|many|big|large))?\s?(?:is |was |are |were )?(?:the )?(?P<form>share|percentage|percent|proportion|fraction|portion|part|%|much|many|chunk|slice)\s(?P<verb>of\s|in\s)(?P<b>.*?)$"
)


def ratio(scan: Scan) -> Reading | None:
    """One figure divided by another: of two places, or two measures of one place."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds:
        return None
    if len(marks) == 2:
        return _ratio_of_places(scan, text, marks)
    if len(marks) == 1 and not scan.marks("G"):
        return _ratio_of_measures(scan, text, marks[0])
    return None


def _ratio_of_places(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    if _TIMES_MORE.search(text):
        named = _compared(
            scan,
            re.sub(
                r"\bhow many times\b|\b(?:what|by what) (?:multiple|factor)\b|\btimes\b|\bas (?:many|much|large|big|high|great|rich|populous)?\b|\bthe size of\b|\bgo into\b|\bfit(?:s)? into\b|\binto\b",
                " ",
                text,
            ),
        )
        wanted = named or (measure("area") if re.search(r"\bsize\b|\bfit\b|\blarge\b|\bbig", text) else None)
        first, second = marks
        if re.search(r"\bfits? into\b|\bgo(?:es)? into\b|\bfit in\b", text):
            first, second = second, first
        return _ratio(scan, first, second, wanted, percent=False) if wanted else None
    over = _RATIO_OF.search(text) or _DIVIDED.match(text)
    if over and _holds_one_each(over["a"], over["b"]):
        wanted, other = quantity(over["a"]), quantity(over["b"].replace("that of", " "))
        wanted = wanted or other
        if wanted is None:
            return None
        return _ratio(scan, _mark(over["a"]), _mark(over["b"]), wanted, other or wanted, percent=False)
    if over or re.search(r"\bratio\b", text):
        after = _RATIO_AFTER.match(text)
        wanted = quantity(after["a"]) if after and _holds_one_each(after["a"], after["b"]) else None
        wanted = wanted or quantity(text, r"\b(?:ratio|quotient|between|divided by|over)\b")
        return _ratio(scan, marks[0], marks[1], wanted, percent=False) if wanted else None
    percent = not re.search(r"\b(?:as|in) an? multiple\b", text)
    share = _AS_SHARE.match(text)
    if share and _holds_one_each(share["a"], share["b"]):
        wanted = quantity(share["a"], r"\b(?:what|how much|how big|how large|is|was|were)\b") or quantity(
            share["b"]
        )
        whole = quantity(share["b"].replace("that of", " "))
        return (
            _ratio(scan, _mark(share["a"]), _mark(share["b"]), wanted, whole or wanted, percent=True)
            if wanted
            else None
        )
    return _share_of_whole(scan, text, marks)


_POSSESSED = re.compile(
    r"^(?:what (?:is|was|are|were)\s)?(?:the\s)?(?P<a>E\d+)(?:'s)?\s(?:share|percentage|percent|proportion|fraction|portion|part|contribution|slice)\s(?:of|in|to)\s(?:the\s)?(?P<b>E\d+.*|.*E\d+.*)$"
)


def _share_of_whole(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    """ "What share of E0's population lives in E1", "E1's share of E0 gdp"."""
    held = _POSSESSED.match(text)
    if held and held["a"] != _mark(held["b"]):
        wanted = quantity(held["b"])
        return _ratio(scan, held["a"], _mark(held["b"]), wanted, percent=True) if wanted else None
    share = _SHARE_OF.search(text)
    if not share:
        return None
    lead = text[: share.start()]
    part, whole = marks[1], marks[0]
    if share["form"] in {"much", "many"} and not re.search(
        r"\b(?:come|comes|came|live|lives|lived|belong|account|is in|are in|from|produced by|found in)\b", text
    ):
        return None
    before = re.search(r"\bE\d+", lead)
    if before:
        part, whole = before.group(), next(mark for mark in marks if mark != before.group())
    elif is_world(scan.name(marks[1])) or (is_group(scan.name(marks[1])) and not is_group(scan.name(marks[0]))):
        part, whole = marks[0], marks[1]
    if not (is_group(scan.name(whole)) or _inside(scan.name(part), scan.name(whole))):
        return None
    wanted = quantity(
        text[: share.start()] + " " + share["b"],
        r"\b(?:comes?|came|lives?|lived|living|belong(?:s|ed)?|account(?:s|ed)? for|accounts|attributable to|due to|produced|generated|contributed|represent(?:s|ed)?|makes? up|made up|made|constitutes?|caused|held|located|found|emitted|responsible|resides?|resided|total|share|percentage|percent|proportion|fraction|portion)\b",
    )
    if wanted is None and re.search(r"\bliv(?:e|es|ed|ing)\b|\bpeople\b", text):
        wanted = MeasureMention(text="population")
    return _ratio(scan, part, whole, wanted, percent=True) if wanted else None


def _inside(part: EntityMention, whole: EntityMention) -> bool:
    small = {PlaceKind.US_STATE, PlaceKind.US_COUNTY, PlaceKind.CITY, PlaceKind.PLACE}
    return (
        _kind(part) in small
        and _kind(whole) in {PlaceKind.COUNTRY, PlaceKind.US_STATE}
        and _kind(part) is not _kind(whole)
    )


def _ratio_of_measures(scan: Scan, text: str, mark: str) -> Reading | None:
    over = _RATIO_OF.search(text) or (_DIVIDED.match(text) if "divided by" in text or " ÷ " in text else None)
    if over is None:
        after = _RATIO_AFTER.match(text)
        if (
            after
            and is_known(without_marks(after["a"]))
            and is_known(without_marks(after["b"]))
            and "gdp" not in after["b"]
        ):
            over = after
    if over is None and " vs " in text and not scan.spans:
        left, _, right = text.partition(" vs ")
        if is_known(without_marks(left)) and is_known(without_marks(right)):
            x, y = quantity(left), quantity(right)
            if x and y and x != y:
                return RatioReading(
                    numerator_entity=scan.name(mark),
                    numerator=x,
                    denominator_entity=scan.name(mark),
                    denominator=y,
                    period=scan.period,
                )
    if over is None:
        return None
    x, y = quantity(over["a"]), quantity(over["b"])
    if x is None or y is None or x == y:
        return None
    return RatioReading(
        numerator_entity=scan.name(mark),
        numerator=x,
        denominator_entity=scan.name(mark),
        denominator=y,
        period=scan.period,
    )


def _ratio(
    scan: Scan,
    first: str,
    second: str,
    wanted: MeasureMention,
    whole: MeasureMention | None = None,
    *,
    percent: bool,
) -> Reading:
    return RatioReading(
        numerator_entity=scan.name(first),
        numerator=wanted,
        denominator_entity=scan.name(second),
        denominator=whole or wanted,
        period=scan.period,
        as_percent=percent,
    )


def _holds_one_each(left: str, right: str) -> bool:
    return len(set(re.findall(r"\bE\d+", left))) == 1 and len(set(re.findall(r"\bE\d+", right))) == 1


def _mark(text: str) -> str:
    found = re.search(r"\bE\d+", text)
    if found is None:
        raise LookupError("no name in this part of the question")
    return found.group()


# Difference -----------------------------------------------------------------------------------------

_CHANGE = r"(?:chang(?:e|ed|ing)|gr(?:ow|ew|own|owing)|increas(?:e|ed|ing)|r(?:ise|ose|isen|ising)|f(?:all|ell|allen|alling)|decreas(?:e|ed|ing)|declin(?:e|ed|ing)|drop(?:ped|ping)?|improv(?:e|ed|ing)|shr(?:ink|ank|unk|inking)|go(?:ne)? (?:up|down)|went (?:up|down)|climb(?:ed)?|expand(?:ed)?|worsen(?:ed)?|reduced?)"
_GAP = re.compile(r"\b(?:differences?|differential|differ|gap|disparity|discrepancy|spread|margin)\b")
_GAP_FORM = r"\b(?:what|is|was|the|absolute|relative|percentage|percent|size of|how (?:big|large|wide|great)|differences?|differential|differ|gap|disparity|discrepancy|spread|margin|between|calculate|compute|show)\b"
_MUCH_MORE = re.compile(
    rf"\bhow (?:much|many|far)(?: percent(?:age points?)?| percentage)? (?:more|less|fewer|{_MORE}|{_FEWER})\b|\bby how (?:much|many)\b|\bhow (?:much|many) (?:percent(?:age points?)?|%|years|dollars|people|points)\s(?:is|was|are|were|more|less|{_MORE}|{_FEWER})\b|\bby what (?:amount|margin|percentage|percent)\b|\bhow far (?:ahead|behind)\b"
)
_CHANGE_IN = re.compile(
    r"^(?:what (?:is|was|were|has been)\s)?(?:the\s)?(?:(?:total|overall|net|absolute|percent(?:age)?|relative|%)\s)*(?P<word>changes?|increase|decrease|growth|decline|drop|rise|fall|reduction|improvement|gain|loss|jump)\s(?:in|of)\s"
)
_PERCENT_CHANGE = re.compile(
    r"\b(?:percent(?:age)?|%|relative|proportional)[ -](?:change|increase|growth|decrease|decline|drop|rise|fall|difference|reduction)\b|\bby what (?:percent|percentage|proportion)\b|\bin (?:percent|percentage)(?: terms)?\b|\bhow many percent\b(?! ?age points)|\bwhat percent(?:age)?\s(?:has|have|did|does)\b|\bby how many percent\b(?!age points)|\bas a percentage\b|\bpercentage[- ]wise\b"
)
_MUCH_CHANGED = re.compile(
    rf"\b(?:how (?:much|many|far)|by how (?:much|many)|by what (?:percent|percentage|amount|proportion)|what percent(?:age)?)\b.*\b{_CHANGE}\b"
)


def difference(scan: Scan) -> Reading | None:
    """The difference of two places at one time, or of one place at two times."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or scan.marks("G") or not marks:
        return None
    relative = bool(_PERCENT_CHANGE.search(text))
    if len(marks) == 2 and not scan.spans or (len(marks) == 2 and len(scan.marks("Y")) < 2):
        if _GAP.search(text) and not re.search(r"\bpay gap\b|\bgender gap\b", text):
            wanted = quantity(text, _PERCENT_CHANGE, _GAP_FORM)
            return _different(scan, marks, wanted, relative=relative)
        if _MUCH_MORE.search(text) and not _AUX.match(text):
            wanted = _compared(
                scan,
                re.sub(
                    r"\bpercent(?:age)? points?\b",
                    " ",
                    re.sub(_MUCH_MORE, lambda m: _kept_comparative(m.group()), text),
                ),
            )
            return _different(scan, marks, wanted, relative=relative)
        return None
    if len(marks) != 1:
        return None
    return _over_time(scan, text, marks, relative=relative)


def _over_time(scan: Scan, text: str, marks: list[str], *, relative: bool) -> Reading | None:
    two = (
        scan.period.kind in {PeriodKindAsked.RANGE, PeriodKindAsked.SINCE, PeriodKindAsked.LAST_YEARS}
        or len(scan.times) == 2
    )
    form = re.compile(
        rf"{_PERCENT_CHANGE.pattern}|{_MUCH_MORE.pattern}|\bby how (?:much|many)\b|\bhow (?:much|many|far)\b|\bwhat percent(?:age)?\b|\b(?:more|fewer|less|higher|lower|larger|bigger|smaller|greater)\b|\b{_CHANGE}\b|{_GAP_FORM}"
        r"|\b(?:total|overall|net|absolute|percent(?:age)?(?: points?)?|relative|percent)\b|\b(?:changes?|increase|decrease|growth|decline|drop|rise|fall|reduction|improvement|gain|loss|jump)\s(?:in|of)\b|\bover the period\b|\bduring\b|\bup\b|\bdown\b"
    )
    if _MUCH_CHANGED.search(text) or (_PERCENT_CHANGE.search(text) and (two or "change" in text)):
        wanted = quantity(text, form)
        if scan.period.kind is PeriodKindAsked.LATEST and not scan.dated:
            return None
        return _different(scan, marks, wanted, relative=relative)
    if (
        two
        and (_GAP.search(text) or _MUCH_MORE.search(text))
        and not re.search(r"\bpay gap\b|\bgender gap\b", text)
    ):
        return _different(scan, marks, _compared(scan, re.sub(form, " ", text)), relative=relative)
    lead = _CHANGE_IN.match(text)
    if lead and two and not (lead["word"] in {"growth", "changes"}):
        return _different(scan, marks, quantity(text, form), relative=relative)
    return None


def _kept_comparative(words: str) -> str:
    kept = re.search(r"\b(?:richer|wealthier|poorer|denser|longer|older)\b", words)
    return f" {kept.group()} " if kept else " "


def _different(scan: Scan, marks: list[str], wanted: MeasureMention | None, *, relative: bool) -> Reading | None:
    if wanted is None:
        return None
    return DifferenceReading(
        entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=scan.period, relative=relative
    )


# Comparison -----------------------------------------------------------------------------------------

_COMPARE_FORM = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison|isons)|contrast|how do(?:es)?|stack up|measure up|fare|side by side|which (?:one|of (?:them|these|the two))?|who|between|against|vs|has|have|had|is|are|was|were|do|does|did|the|or|whose|than|that of|those of|both|each|respectively|differ(?:ence)?s?|relative to|head to head|what about|how about|together|country|state|city|company|nation)\b"
)
_COMPARATIVE_WORD = re.compile(
    rf"\b(?:{_MORE}|{_FEWER}|highest|lowest|largest|smallest|biggest|most|least|fewest|best|worst|greatest)\b"
)


def comparison(scan: Scan) -> Reading | None:
    """One measure of several places that the question names."""
    marks = scan.marks("E")
    text = (
        re.sub(r"\bwhich (?:of (?:these|the) )?(?:\w+ )?G\d+\b|\bG\d+\b", " ", scan.masked)
        if len(marks) >= 2
        else scan.masked
    )
    if len(marks) < 2 or scan.bounds:
        return None
    direction: Direction | None = None
    compared = COMPARATIVE.search(text)
    order = signals.order_of(text)
    if compared:
        direction = Direction.HIGHEST if compared["more"] else Direction.LOWEST
    elif order:
        direction = order.direction
    wanted = _compared(scan, text)
    if wanted is None:
        return None
    adjective = _compared_adjective(text)
    if adjective:
        direction = adjective[1]
    return ComparisonReading(
        entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=scan.period, direction=direction
    )


def _compared_adjective(text: str) -> tuple[str, Direction] | None:
    """ "richer" and "more densely populated": the adjective and the end it asks for."""
    for match in _COMPARED_ADJECTIVE.finditer(text):
        word = _PLAIN.get(match["word"] or "", match["adj"] or "")
        if signals.is_adjective(word):
            high = signals.adjective_rises(word) is (match["degree"] != "less")
            return word, Direction.HIGHEST if high else Direction.LOWEST
    order = signals.order_of(text)
    if order and order.lexeme:
        return order.lexeme, order.direction
    return None


def _compared(scan: Scan, text: str) -> MeasureMention | None:
    """The measure of a comparing question: its own noun, else what its adjective means."""
    plain = re.sub(r"\bwhich (?:of (?:these|the) )?(?:\w+ )?G\d+\b", " ", text)
    adjective = _compared_adjective(plain)
    if adjective:
        plain = _COMPARED_ADJECTIVE.sub(" ", plain)
        plain = re.sub(
            r"\b(?:richest|poorest|wealthiest)\b|\b(?:most|least) " + re.escape(adjective[0]), " ", plain
        )
    keep_long = bool(re.search(r"\b(?:live|lives|living)\b", plain))
    plain = (
        re.sub(
            r"\b(?:people|citizens|inhabitants) (?:live|living|are there|are)\b(?=.*\b(?:in|than)\b)",
            "people",
            plain,
        )
        if not re.search(r"\blonger\b", plain)
        else plain
    )
    stripped = _COMPARATIVE_WORD.sub(
        lambda m: m.group() if keep_long and m.group() in {"longer", "older"} else " ", plain
    )
    wanted = quantity(
        re.sub(
            r"\bin terms of\b|\bwhen it comes to\b|\bin comparison\b|\bwith respect to\b|\bby\b|\bmeasured\b|\bregarding\b",
            " ",
            stripped,
        ),
        _COMPARE_FORM,
    )
    if wanted:
        return wanted
    if adjective:
        return signals.lexeme_measure(adjective[0])
    if re.search(r"\b(?:larger|bigger|smaller|large|big|largest|biggest|smallest|size)\b", plain):
        kinds = {_kind(scan.name(mark)) for mark in scan.marks("E")}
        return measure("population" if kinds & {PlaceKind.CITY, PlaceKind.US_COUNTY} else "area")
    return None


# Yes or no ------------------------------------------------------------------------------------------

_YES_FORM = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|it|true|that|there|the case|in fact|really)(?:\s(?:it|true|that|there|the case|in fact|really|indeed|not)\b)*"
)
_TREND_VERB = re.compile(
    r"\b(?:going (?:up|down)|gone (?:up|down)|go (?:up|down)|went (?:up|down)|ris(?:e|en|ing)|rose|fall(?:en|ing)?|fell|gr(?:ow|ew|own|owing)|increas(?:e|ed|ing)|decreas(?:e|ed|ing)|declin(?:e|ed|ing)|improv(?:e|ed|ing)|chang(?:e|ed|ing)|shr(?:ink|ank|unk|inking)|drop(?:ped|ping)?|worsen(?:ed|ing)?|get(?:ting)? (?:better|worse|richer|poorer|older|higher|lower|bigger|smaller|hotter|warmer|larger)|becom(?:e|ing) (?:richer|poorer|older|better|worse)|gotten (?:better|worse|richer|poorer|older)|recover(?:ed|ing)?|plung(?:e|ed)|soar(?:ed|ing)?|stagnat(?:e|ed|ing)|stable|expand(?:ed|ing)?|contract(?:ed|ing)?)\b"
)
_AS_AS = re.compile(r"\bas (?:big|large|high|rich|many|much|populous|great|long|low|poor|small) (?:\w+ ){0,3}?as\b")
_SURPASS = re.compile(
    r"\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|overtak(?:e|es|en)|overtook|pass(?:ed|es)?|outnumber(?:s|ed)?|outpace[sd]?|beat|beats|top(?:ped|s)?|catch(?:es)? up with|caught up with)\b"
)


def yes_no(scan: Scan) -> Reading | None:
    """Whether a figure meets a bound, or exceeds another place's figure."""
    text = scan.masked
    if not _AUX.match(text) or scan.marks("G") and not signals.order_of(text):
        return None
    marks = scan.marks("E")
    if not marks or re.search(r"\bor\b(?:\s(?:in|is|the|does|did|that of))*\s(?:the\s)?E\d", text):
        return None
    body = _YES_FORM.sub(" ", text)
    if scan.bounds:
        return _against_bound(scan, body, marks)
    if len(marks) == 2:
        return _against_other(scan, body, marks)
    return None


def _against_bound(scan: Scan, body: str, marks: list[str]) -> Reading | None:
    if len(marks) != 1:
        raise CannotRead("it holds a bound against several places at once", ["Is unemployment in Spain over 10%?"])
    if len(scan.bounds) > 1:
        raise CannotRead("it asks for two bounds at once", ["Is unemployment in Spain between 5% and 10%?"])
    threshold = scan.bounds[0]
    shared = bounded_share(body, threshold)
    if shared is not None:
        return YesNoReading(
            entity=scan.name(marks[0]),
            measure=shared,
            period=scan.period,
            threshold=threshold,
            comparator=threshold.comparator,
        )
    plain = re.sub(r"\bT\d+\s(?:of\s)?", " T0 ", body)
    plain = re.sub(
        rf"\b(?:{_MORE}|{_FEWER})\b|\b(?:exceed|surpass|reach|hit|pass|go|went|get|climb|rise|fall|drop|been|be|ever|have|has|had|a|an)\b",
        " ",
        plain,
    )
    wanted = quantity(plain) or _of_unit(threshold)
    if wanted is None:
        return None
    return YesNoReading(
        entity=scan.name(marks[0]),
        measure=wanted,
        period=scan.period,
        threshold=threshold,
        comparator=threshold.comparator,
    )


_OF_WHOLE = re.compile(
    r"\bT\d+ (?:of|in) (?:the |its |their |all |E\d+'s? )*(?P<whole>population|people|citizens|inhabitants|adults|households|land(?: area)?|area|territory|gdp|national income)\b"
)
_SPENT = re.compile(r"\bspen[dt]|\binvest|\bdevot|\bgo(?:es)? (?:to|on)\b")
_CONDITION_FORM = r"\b(?:with|that|which|whose|where|who|had|have|has|having|were|was|are|is|a|an|the|in|there|list|of|all|name|give|show|find|their|its|get|got|see|saw|experienced|reached|rose|exceeded|places|less|more|also|but|both|and|does|did|do|at the same time)\b"


def bounded_share(piece: str, threshold: Threshold) -> MeasureMention | None:
    """For "T0 of the population has X" and "spends T0 of gdp on X": the share that the bound is held against."""
    whole = _OF_WHOLE.search(piece)
    if whole is None or threshold.unit not in {"%", None}:
        return None
    before, after = piece[: whole.start()], piece[whole.end() :]
    if whole["whole"] in {"gdp", "national income"}:
        rest = re.sub(
            r"\b(?:spen[dt]s?|spending|invest(?:s|ed)?|devotes?d?|go(?:es)?|exceeds?|exceeded)\b",
            " ",
            f"{before} {after}",
        )
        what = re.sub(_CONDITION_FORM, " ", without_marks(rest))
        named = measure(f"spending on {trimmed(what)}") if _SPENT.search(piece) else measure(what)
        if named is None:
            return None
        return (
            named
            if named.text.endswith("(% of gdp)")
            else MeasureMention(text=f"{named.text} (% of gdp)", share=True)
        )
    lead = quantity(before, _CONDITION_FORM)
    if lead is not None and not trimmed(without_marks(after)):
        return MeasureMention(text=lead.text, share=True)
    return measure(f"share of {whole['whole']} {without_marks(after)}")


def _of_unit(threshold: Threshold) -> MeasureMention | None:
    return MeasureMention(text="population") if threshold.unit == "people" else None


def _against_other(scan: Scan, body: str, marks: list[str]) -> Reading | None:
    compared = COMPARATIVE.search(body)
    surpass = _SURPASS.search(body)
    equal = _AS_AS.search(body)
    if not (compared and re.search(r"\bthan\b|\bvs\b", body)) and not surpass and not equal:
        return None
    first, second = marks
    wanted = _compared(
        scan,
        _SURPASS.sub(
            " ",
            _AS_AS.sub(
                lambda m: re.sub(
                    r"\bas (\w+)|\bas\b",
                    lambda n: f" {n[1] or ''} " if n[1] not in {None, "many", "much", "high"} else " ",
                    m.group(),
                ),
                body,
            ),
        ),
    )
    if wanted is None:
        return None
    comparator = Comparator.GREATER
    adjective = _compared_adjective(body)
    if adjective:
        comparator = Comparator.GREATER if adjective[1] is Direction.HIGHEST else Comparator.LESS
    elif compared and compared["fewer"]:
        comparator = Comparator.LESS
    if equal and not compared:
        comparator = Comparator.AT_LEAST
    return YesNoReading(
        entity=scan.name(first), measure=wanted, period=scan.period, other=scan.name(second), comparator=comparator
    )


def is_trend_question(scan: Scan) -> bool:
    """Whether a yes-or-no question asks for a movement ("has X been rising?")."""
    return bool(_AUX.match(scan.masked) and _TREND_VERB.search(scan.masked))


def one_year(period: PeriodAsked) -> bool:
    """Whether a single year was named."""
    return period.kind is PeriodKindAsked.YEAR

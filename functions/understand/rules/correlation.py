"""Whether two measures move together over a population."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, measure, trimmed
from functions.understand.rules import signals
from functions.understand.rules.comparing import (
    COMPARATIVE,
    PLAIN,
)
from functions.understand.rules.membership import COUNTRIES, kind_of, members_of
from functions.understand.rules.residue import without_marks
from functions.understand.scan import Scan, is_group
from functions.understand.sets import united_states
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    CorrelationReading,
    MeasureMention,
    PopulationMention,
    Reading,
)

_CORRELATED = (
    r"correlat(?:e[sd]?|ing|ions?)|(?:inter)?relat(?:ed|es?|ions?|ionships?)|associat(?:ed|es?|"
    r"ions?)|link(?:s|ed|age)?|connect(?:ed|ions?)|tied|go(?:es)? hand in hand|go(?:es)? together"
    r"|depend(?:s|ent)?|move(?:s)? together|track(?:s)?|linear relationship|regression|"
    r"scatter(?: ?plot)?|co-?vary|vary with|influence[sd]?|affect(?:s|ed)?|predict(?:s|ed)?|"
    r"impact(?:s|ed)?|driven by|explain(?:s|ed)?(?: by)?|goes up with|rises? with|fall(?:s)? with|"
    r"increases? with|(?:go|goes|comes?) (?:along )?with|coincides? with"
)
_CORRELATION = re.compile(rf"\b(?:{_CORRELATED})\b")
_STRONG = re.compile(
    r"\bcorrelat|\bscatter|\bregression|\bhand in hand\b|\bgo(?:es)? together\b|\bmoves? together\b|\bco-?vary"
)
_CORR_FRAME = re.compile(
    rf"^(?:is|are|was|were|do|does|did|what|how|calculate|compute|plot|show)?\b(?:\s|the|there|a|"
    rf"an|any|strong(?:ly)?|closely|well|much|tightly|clear|significant|close|of|is|are|do|does|if|"
    rf"whether|degree|extent|positive|negative|possible|some|kind|sort|type|statistical|pearson|"
    rf"coefficient|to what)*"
    rf"(?P<noun>{_CORRELATED})?\s?(?:coefficient\s)?(?:of|between|among|across|for)?\s(?=\S)"
)
_CORR_TAIL = re.compile(
    rf"[,:;.?]?\s?(?:and\s)?\b(?:(?:are|is|do|does|how|what|were|was|they|it|there|the|closely|"
    rf"strongly|significantly|much|well|a|any|two)\s)*(?:{_CORRELATED})(?:\s(?:coefficient|or not|"
    rf"at all|to each other|with each other|each other|together|strongly|closely|"
    rf"to one another))*[?.]?$"
)
_CORR_MID = re.compile(
    rf"\s(?:\w+ly\s)?(?:(?:is|are|was|be|been|have|has|any|an|a|the|strongly|closely|well|"
    rf"negatively|positively|do|does|did|significantly|much|"
    rf"how)\s)*(?:{_CORRELATED})(?:\s(?:effect|influence|impact|coefficient))?(?:\s(?:to|with|on|"
    rf"by|upon|between|in))?\s(?:the\s|how\s)?"
)
_SPLIT = (r"\s\|\s", r"\svs\s", r"\sand (?:the )?", r"\s(?:to|with|on|against)\s")
_RICHER = re.compile(
    r"^(?:do|are|have|is it true that|does)?\s?(?P<a>richer|poorer|wealthier|more \w+|less \w+|"
    r"bigger|larger) (?P<g>G\d+)\s(?:tend to\s|usually\s|generally\s|on average\s)?(?P<b>.+)$"
)
_WITH_MORE = re.compile(
    r"^(?:do|are|have|is it true that)?\s?(?P<g>G\d+)\s(?:with|that have|having|"
    r"where)\s(?:a\s)?(?:higher|lower|more|less|greater|fewer|larger|high|"
    r"low)\s(?P<a>.+?)\s(?:tend to have|have|tend to|also have|usually have|generally have|get|"
    r"also|produce|emit|spend|use|show|experience)\s(?:a\s|also\s)?(?:higher|lower|more|less|"
    r"greater|fewer|larger|longer|shorter)\s(?P<b>.+)$"
)


def correlation(scan: Scan) -> Reading | None:
    """Whether two measures move together over a population."""
    text = _plain_traits(re.sub(r"\bG\d+-?(?:level|wise)\b", " ", scan.masked))
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
    grain = _GRAIN.search(text) if not groups and named else None
    plain = _GRAIN.sub(" ", text) if grain else text
    for mark in groups:
        plain = re.sub(
            rf"(?:,?\s?\b(?:in|of|across|among|for|over|at the level of|between|by|per|"
            rf"within)\s)?(?:the\s|all\s)*\b{mark}\b(?:'s?)?",
            " ",
            plain,
        )
    plain = without_marks(plain)
    plain = re.sub(
        r"\b(?:over time|around the globe|country-level|at country level|by country|"
        r"internationally|cross-country|at the country level)\b",
        " ",
        plain,
    )
    plain = re.sub(r"\s+", " ", plain).strip(" ,;:.?")
    pair = _pair(plain, named=bool(named))
    if pair is None:
        return None
    if (
        not groups
        and not grain
        and not _STRONG.search(text)
        and not marks
        and not (is_known(pair[0]) and is_known(pair[1]))
    ):
        return None
    if not named and not (is_known(pair[0]) and is_known(pair[1])):
        return None
    x, y = (measure(_LEADING_MORE.sub("", trimmed(part))) for part in pair)
    if x is None or y is None or x == y:
        return None
    population = _grained(grain, scan, marks) if grain else _population(scan, groups, marks)
    if population is None:
        return None
    return CorrelationReading(population=population, x=x, y=y, period=scan.period)


_TRAIT = re.compile(
    r"\bhow (?P<adj>[a-z]+(?:ly [a-z]+)?) (?:an? )?(?:country|nation|place|state|G\d+|countries|it|they) "
    r"(?:is|are|was|were)\b"
)
_LIFESPANS = re.compile(
    r"\bhow long (?:(?:its|their|the) )?(?:people|citizens|inhabitants|residents|they) (?:there )?(?:live|"
    r"can expect to live)\b"
)
_TESTED = re.compile(
    r"[,.?;]*\s(?:and )?(?:please )?(?:check|test|look|compare|compute)(?: this| it)?(?= (?:across|for|over|"
    r"among|in)\b)"
)


def _plain_traits(text: str) -> str:
    """As in "how urban a country is": the quantity that its adjective names."""

    def named(match: re.Match[str]) -> str:
        adjective = match["adj"]
        return signals.lexeme_measure(adjective).text if signals.is_adjective(adjective) else match.group()

    text = re.sub(r"\((?=Y\d+\))|(?<=Y\d)\)", " ", text)
    text = _LIFESPANS.sub("life expectancy", _TRAIT.sub(named, text))
    text = re.sub(r"\bpearson(?:'s)? (?:r|rho|coefficient|correlation)\b", "correlation", text)
    text = re.sub(r"^((?:do|does|did|is|are) )having (?:an? )?(?:bigger|larger|higher|smaller|lower) ", r"\1", text)
    return _TESTED.sub(" ", text) if _CORRELATION.search(text) else text


_GRAIN = re.compile(r"\b(?P<grain>county|state|country|city)(?:[- ]level)?\s(?=[a-z])")


_LEADING_MORE = re.compile(
    r"^(?:more|less|higher|lower|longer|shorter|greater|fewer|larger|smaller|increased?|rising|falling|the|a)\s+"
)


def _grained(grain: re.Match[str], scan: Scan, marks: list[str]) -> PopulationMention | None:
    """As in "Is county poverty associated with ...": the members that the grain names."""
    within = scan.name(marks[0]) if len(marks) == 1 else None
    if grain["grain"] == "country":
        return members_of(within) if within is not None and is_group(within) else COUNTRIES
    kind = {"county": PlaceKind.US_COUNTY, "state": PlaceKind.US_STATE, "city": PlaceKind.CITY}[grain["grain"]]
    container = within or united_states()
    plural = {"county": "counties", "state": "states", "city": "cities"}[grain["grain"]]
    return PopulationMention(member=kind, text=f"{plural} in {container.label}", container=container)


def _pair(plain: str, *, named: bool) -> tuple[str, str] | None:
    text = re.sub(
        r"[,:;.?]\s*(?:correlation|correlated|coefficient|any link|is there a link)\s*$",
        "",
        _CORR_TAIL.sub("", plain),
    )
    if named:
        text = re.sub(
            r"^(?:is|are|do|does|did|was|were|how|to what (?:extent|degree)|what|"
            r"whether)\b(?:\s(?:is|are|do|does|did|well|closely|strongly|much|there|any|a|an|"
            r"the))*\s",
            " ",
            f"{text} ",
        ).strip()
        text = re.sub(
            rf"^(?:(?:the|a|an|any|there|strong|clear|significant|pearson|linear|what|is|plot|"
            rf"scatter|show|calculate|compute|of)\s)*(?:{_CORRELATED})(?:\s(?:coefficient|plot|"
            rf"analysis))?\s(?:of|between|among|for)\s",
            "",
            text,
        )
        text = _CORR_MID.sub(" | ", f" {text} ").strip()
    text = re.sub(r"^(?:\|\s*|(?:please )?(?:correlate|relate|link|plot)\s)", "", text.strip())
    for separator in _SPLIT:
        parts = re.split(separator, text)
        parts = [part for part in parts if trimmed(part)]
        if len(parts) == 2:
            return parts[0], parts[1]
        if len(parts) > 2 and separator.startswith(r"\sand"):
            return None
    return None


def _tendency(scan: Scan, text: str) -> Reading | None:
    """As in "Do richer countries live longer?", "do countries with more X have less Y?"."""
    richer = _RICHER.match(text)
    if richer:
        word = richer["a"].removeprefix("more ").removeprefix("less ")
        plain = PLAIN.get(word, word)
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
    return len(marks) == 1 and (is_group(scan.name(marks[0])) or kind_of(scan.name(marks[0])) is PlaceKind.US_STATE)


def _population(scan: Scan, groups: list[str], marks: list[str]) -> PopulationMention | None:
    if groups:
        return scan.population(groups[0]).mention
    if not marks:
        return COUNTRIES
    if len(marks) > 1:
        return None
    return members_of(scan.name(marks[0]))

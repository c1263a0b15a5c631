"""One figure divided by another."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, measure
from functions.understand.rules.comparing import (
    FEWER,
    MORE,
    compared_measure,
)
from functions.understand.rules.membership import kind_of
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan, is_group, is_world
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    EntityMention,
    MeasureMention,
    RatioReading,
    Reading,
)

_TIMES_MORE = re.compile(
    rf"\bhow many times (?:(?:over|as|was|is|were|are|did|does|do)\s)*(?:{MORE}|{FEWER}|large|big|"
    rf"high|many|much|great|rich|populous|long|the (?:size|population|gdp|economy))\b|"
    rf"\bhow many times\b|\b(?:what|by what) (?:multiple|factor)\b|\bhow many E\d+s? (?:would |"
    rf"could )?fit\b|\btimes (?:as|larger|bigger|"
    rf"more|higher|the size)\b"
)
_RATIO_OF = re.compile(
    r"\b(?:ratio|quotient) (?:of|between|for)\s(?P<a>.+?)\s(?:to|and|over|versus|vs|divided by|"
    r"compared to)\s(?P<b>.+)$"
)
_RATIO_AFTER = re.compile(r"^(?P<a>.+?)[ -](?:to|vs|over|/)[ -](?P<b>.+?)\sratio\b(?P<c>.*)$")
_RELATIVE = re.compile(
    r"^(?:what (?:is|was) |how (?:big|large) (?:is|"
    r"was) )?(?P<a>.*?\bE\d+.*?)\srelative to\s(?P<b>(?:that of )?.*E\d.*)$"
)
_HELD_AGAINST = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had)\b.*\bratio\b.*\b(?:higher|lower|greater|smaller|larger|bigger|better"
    r"|worse|more|less|exceeds?) .*\bthan\b|^(?:does|do|did)\b.*\bratio\b.*\bexceeds?\b"
)
"""Two published ratios that are held against each other are not divided."""
_DIVIDED = re.compile(r"^(?P<a>.+?)\s(?:divided by|over|/|÷)\s(?P<b>.+)$")
_AS_SHARE = re.compile(
    r"^(?P<a>.*?)\b(?:as|in) (?:a |an )?(?:share|percentage|percent|proportion|fraction|part|%|"
    r"multiple)(?: of)?\s(?P<b>.*\bE\d.*)$"
)
_SHARE_OF = re.compile(
    r"\b(?:what|which|how (?:much|many|big|large))?\s?(?:is |was |are |"
    r"were )?(?:the )?(?P<form>share|percentage|percent|proportion|fraction|portion|part|%|much|"
    r"many|chunk|slice)\s(?P<verb>of\s|in\s)(?P<b>.*?)$"
)


def ratio(scan: Scan) -> Reading | None:
    """One figure divided by another: of two places, or two measures of one place."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or _HELD_AGAINST.search(text):
        return None
    if len(marks) == 2:
        return _ratio_of_places(scan, text, marks)
    if len(marks) == 1 and not scan.marks("G"):
        return _ratio_of_measures(scan, text, marks[0])
    return None


def _ratio_of_places(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    if _TIMES_MORE.search(text):
        named = compared_measure(
            scan,
            re.sub(
                r"\bhow many times\b|\b(?:what|by what) (?:multiple|factor)\b|\btimes\b|"
                r"\bas (?:many|much|large|big|high|great|rich|populous)?\b|\bthe size of\b|"
                r"\bgo into\b|\bfit(?:s)? into\b|\binto\b",
                " ",
                text,
            ),
        )
        wanted = named or (measure("area") if re.search(r"\bsize\b|\bfit\b|\blarge\b|\bbig", text) else None)
        first, second = marks
        if re.search(
            r"\bfits? into\b|\bgo(?:es)? into\b|\bfit in\b|\bhow many times (?:the|"
            r"as) .*E\d.* (?:is|was|are) .*E\d",
            text,
        ):
            first, second = second, first
        return _ratio(scan, first, second, wanted, percent=False) if wanted else None
    over = _RATIO_OF.search(text) or _DIVIDED.match(text) or _RELATIVE.match(text)
    if over and _holds_one_each(over["a"], over["b"]):
        wanted, other = quantity(over["a"]), quantity(over["b"].replace("that of", " "))
        wanted = wanted or other
        if wanted is None:
            return None
        return _ratio(scan, _mark(over["a"]), _mark(over["b"]), wanted, other or wanted, percent=False)
    if over or re.search(r"\bratio\b", text):
        after = _RATIO_AFTER.match(text)
        wanted = quantity(after["a"]) if after and _holds_one_each(after["a"], after["b"]) else None
        wanted = wanted or quantity(
            text, r"\b(?:ratio|quotient|between|divided by|over|relative to|relative|as a)\b"
        )
        return _ratio(scan, marks[0], marks[1], wanted, percent=False) if wanted else None
    percent = not re.search(r"\b(?:as|in) an? multiple\b", text)
    share = _AS_SHARE.match(text)
    if share and _holds_one_each(share["a"], share["b"]):
        wanted = quantity(share["a"], r"\b(?:what|how much|how big|how large|is|was|were)\b") or quantity(
            share["b"]
        )
        whole = quantity(share["b"].replace("that of", " "))
        return (
            _ratio(scan, _mark(share["a"]), _mark(share["b"]), wanted, whole or wanted, percent=percent)
            if wanted
            else None
        )
    return _share_of_whole(scan, text, marks)


_POSSESSED = re.compile(
    r"^(?:what (?:is|was|are|were)\s)?(?:the\s)?(?P<a>E\d+)(?:'s)?\s(?:share|percentage|percent|"
    r"proportion|fraction|portion|part|contribution|slice)\s(?:of|in|to)\s(?:the\s)?(?P<b>E\d+.*|"
    r".*E\d+.*)$"
)


def _share_of_whole(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    """As in "What share of E0's population lives in E1", "E1's share of E0 gdp"."""
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
        r"\b(?:is|was|are|come|comes|came|live|lives|lived|belong|account|is in|are in|from|"
        r"produced by|found in)\b",
        text,
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
        r"\b(?:comes?|came|lives?|lived|living|belong(?:s|ed)?|account(?:s|ed)? for|accounts|"
        r"attributable to|due to|produced|generated|contributed|represent(?:s|ed)?|makes? up|"
        r"made up|made|constitutes?|caused|held|located|found|emitted|responsible|resides?|"
        r"resided|total|share|percentage|percent|proportion|fraction|portion|does|do|did|produce|"
        r"generate|contribute)\b",
    )
    if wanted is None and re.search(r"\bliv(?:e|es|ed|ing)\b|\bpeople\b", text):
        wanted = MeasureMention(text="population")
    return _ratio(scan, part, whole, wanted, percent=True) if wanted else None


def _inside(part: EntityMention, whole: EntityMention) -> bool:
    small = {PlaceKind.US_STATE, PlaceKind.US_COUNTY, PlaceKind.CITY, PlaceKind.PLACE}
    return (
        kind_of(part) in small
        and kind_of(whole) in {PlaceKind.COUNTRY, PlaceKind.US_STATE}
        and kind_of(part) is not kind_of(whole)
    )


_PUBLISHED_RATIO = re.compile(
    r"\b(?:pupils?|teachers?|students?|girls?|boys?|debts?|dependents|capital|tax|taxes|physicians?|doctors?|sexes)\b|"
    r"\b(?:to|over) (?:the )?(?:total |its )?(?:gdp|assets|income|population)\b"
)
_HALF = re.compile(r"(?:the )?(?P<half>urban|rural|males?|females?|men|women|boys|girls)")


def _halves_named(left: str, right: str) -> tuple[str, str]:
    """As in "male to female life expectancy": the noun said once belongs to both."""
    tail = re.match(rf"{_HALF.pattern}\s(?P<noun>(?!in\b|of\b|E\d).+)$", right.strip())
    return (f"{left} {tail['noun']}", right) if tail and _HALF.fullmatch(left.strip()) else (left, right)


_HALVES = re.compile(r"\b(?:urban|rural|male|female|men|women) vs (?:urban|rural|male|female|men|women)\b")


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
    if over is None and " vs " in text and not scan.spans and not _HALVES.search(text):
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
    left, right = _halves_named(over["a"], over["b"])
    plain = re.match(r"^(?:what (?:is|was) )?(?:the )?(?:ratio|quotient)\b", text) and not _PUBLISHED_RATIO.search(
        text
    )
    if not plain and not (is_known(without_marks(left)) and is_known(without_marks(right))):
        return None
    if left.endswith("births") and right.startswith("deaths"):
        # Per head of one population, the rates have the ratio of the counts.
        left, right = f"{left.removesuffix('births')} birth rate", f"death rate {right.removeprefix('deaths')}"
    x, y = quantity(left), quantity(right)
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

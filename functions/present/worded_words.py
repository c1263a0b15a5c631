"""The words that an answer may be worded with beside those of its claims. Whatever is in no table is refused.

Each table is one way for a word to mean something: words that say nothing of a figure, spelled numbers, units,
and the words that hold figures against each other, each of which has a check of its own.
"""

from __future__ import annotations

import re
from decimal import Decimal

from shared.text.numbers import SCALES as WRITTEN_SCALES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN = _words(
    """
    a an the and or but of in on at for from to by with as than then while whereas between among per
    is are was were be been being has have had having it its it's this that that's these those they their there
    which who whose where when what one's also overall respectively here
    stood stands standing amounted amounts totalled totaled came comes reached reaches recorded reported reports
    published publishes measured measures shows show showed shown gives gave given counted counts lists listed
    live lived lives living
    said says puts put compared versus against followed ranked ranks according see
    figure figures number numbers value values data amount amounts year years period source sources publisher
    publishers difference gap change list answer order comparison result results
    country state county place
    available calendar
    about around roughly approximately exactly nearly almost just
    """
)
"""Words that say nothing by themselves."""

SET_WORDS = _words("countries states counties places")
"""Kinds of places, which may be said of those that are counted."""

NEWEST = _words("latest newest recent recently current currently current-year now today")
"""Words that say that no newer figure is published."""

NEARNESS = _words("about around roughly approximately exactly nearly almost")

GAPS = _words("difference gap change margin")

REPORTING = _words(
    """
    published publishes reported reports recorded measured counted shown shows showed listed lists given gives gave
    said says put puts
    """
)

OPERATIONS = {
    "sum of ": _words("total sum together"),
    "mean of ": _words("mean average"),
    "median of ": _words("median"),
    "minimum of ": _words("minimum lowest least smallest"),
    "maximum of ": _words("maximum highest most largest greatest"),
}
"""What was done to the figures of a group, by how the claim's measure begins: one of the words must be said."""
AVERAGES = OPERATIONS["mean of "]
MOVES = _words("move moves moved moving together")

PRONOUNS = _words("it its it's this that there they their these")

FUNCTION = _words(
    """
    a an the and or but of in on at for from to by with as than then while whereas between among against versus
    is are was were be been has have had it its this that these those they their there which who whose where when
    compared respectively followed according about around both up down more less higher lower recorded reported
    published measured shown counted stood lived live respectively overall also here exactly
    """
)
"""Words that may follow a figure without saying what it counts."""

JOINS = _words("in for of the during ( people persons inhabitants residents citizens years year")
"""Words that may join a figure to whose or of when it is, right after it."""

YEAR_AFTER = _words("in since from to of for between and during by through until ( - , on as year")
"""Words after which four digits are a year."""

SMALL = {
    "zero": 0, "nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12,
}  # fmt: skip

SCALES = {name: factor for name, factor in WRITTEN_SCALES.items() if len(name) > 3 or name in {"bn", "mn", "tn"}}
TIGHT = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12, "tn": 10**12}
"""Scales that are written onto their digits: ``3bn``."""

ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "runner-up": 2,
}  # fmt: skip

DENOMINATORS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
    "fifth": 5, "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8,
    "ninth": 9, "ninths": 9, "tenth": 10, "tenths": 10, "hundredth": 100, "hundredths": 100,
}  # fmt: skip
ALWAYS_PARTS = _words("half halves thirds quarter quarters fourths fifths sixths sevenths eighths ninths tenths")
AFTER_ARTICLE = ALWAYS_PARTS | {"third", "fifth", "tenth"}

MULTIPLES = {
    word: Decimal(times)
    for times, words in (
        ("2", "twice double doubled doubles"), ("3", "thrice triple tripled treble trebled"),
        ("4", "quadruple quadrupled"), ("5", "quintupled"), ("0.5", "halved"),
    )
    for word in words.split()
}  # fmt: skip

CURRENCY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
CURRENCY_WORDS = {
    "usd": "USD", "dollars": "USD", "dollar": "USD", "euros": "EUR", "euro": "EUR", "eur": "EUR", "gbp": "GBP",
    "yen": "JPY", "jpy": "JPY", "rupees": "INR", "rupee": "INR", "inr": "INR", "yuan": "CNY", "cny": "CNY",
    "renminbi": "CNY", "pounds": "GBP", "pound": "GBP", "francs": "CHF", "chf": "CHF", "rubles": "RUB",
    "won": "KRW", "pesos": "MXN", "reais": "BRL", "cents": "USc", "cent": "USc",
}  # fmt: skip

UNIT_WORDS = {
    "people": _words("people persons person inhabitants residents population"),
    "years": _words("years year"),
    "sq. km": _words("sq km square kilometres kilometers"),
    "tonnes": _words("tonnes tons metric"),
}
"""What the thing counted is called in a sentence, by the unit's code."""

LIVING = UNIT_WORDS["people"] | _words("live lived lives living")
"""Words that say that what is counted are all people of a place."""

PERCENT_WORDS = _words("percent pct")

NEGATIONS = _words("not never neither nor none nobody nothing without isn't wasn't aren't weren't hasn't no")
"""Allowed only where the answer is a "no" to a yes-or-no question, and there only after it."""

RISE = _words(
    "rose rise rises risen increased increase increases grew grow grows grown gained gain climbed up upward"
)
FALL = _words(
    "fell fall falls fallen decreased decrease decreases declined decline dropped shrank lost down downward"
)
MORE = _words(
    "more higher larger greater bigger above over exceeds exceeded exceeding surpassed ahead longer older"
)
LESS = _words("less lower smaller fewer below under behind shorter younger")
MOST = _words("most highest largest biggest greatest top leads leading led longest maximum")
LEAST = _words("least lowest smallest fewest bottom shortest minimum last")
SAME = _words("same equal equals equally identical")
RELATIONS = RISE | FALL | MORE | LESS | MOST | LEAST | SAME

ABOVE_BEFORE = {
    ("more", "than"),
    ("over",),
    ("above",),
    ("exceeded",),
    ("exceeds",),
    ("exceeding",),
    ("at", "least"),
}
BELOW_BEFORE = {
    ("less", "than"), ("fewer", "than"), ("under",), ("below",), ("nearly",), ("almost",), ("just", "under"),
    ("at", "most"), ("up", "to"),
}  # fmt: skip
"""Words right before a figure that say on which side of it the claimed value lies."""

VAGUE = _words(
    "dozens scores hundreds thousands millions billions trillions couple pair several few many once lakh lakhs "
    "crore crores myriad umpteen score gross zillion zillions quadrillions"
)
"""Numbers that no claim can be held against; they are refused wherever they come from."""

ROMAN = re.compile(r"(?=[IVXLCDM]{2,}$)M*(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$")

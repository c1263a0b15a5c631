"""The built-in wording: how a figure reads in a sentence, and the check that no other figure is in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from functions.present.draft import Draft, Sentence, View
from shared.query.evidence import Claim
from shared.query.material import Cell
from shared.query.quantity import Period, PeriodKind
from shared.query.readings import PeriodKindAsked, Threshold
from shared.text.articles import spoken, spoken_publisher
from shared.text.figures import find_figures, format_number, format_quantity, format_short

FIGURES_WITHHELD = "The figures are listed in the claims."


def shown(cell: Cell, *, exact: bool = False) -> str:
    """The cell's content for a sentence: rounded for reading, or with every digit."""
    observation = cell.observation
    if observation.value is None:
        return observation.printed or "not reported"
    return (format_quantity if exact else format_short)(observation.value, cell.measure.unit)


def too_close(cells: Sequence[Cell]) -> bool:
    """Whether rounding would show figures as equal that are not."""
    seen = {shown(cell): cell.value for cell in cells if cell.numeric}
    return any(cell.numeric and seen[shown(cell)] != cell.value for cell in cells)


def apart(cell: Cell, bound: Threshold | None) -> str:
    """The cell's content rounded, unless the rounding would show the bound that the figure is held against."""
    text = shown(cell)
    limits = [] if bound is None else [bound.value, bound.upper]
    if any(figure.value == limit for figure in find_figures(text)[:1] for limit in limits):
        return shown(cell, exact=True)
    return text


def computed(value: Decimal, unit: str | None, cell: Cell, *, exact: bool = False) -> str:
    """A computed figure in words; ``cell`` lends its unit when the computation keeps it."""
    if unit == cell.measure.unit.code and unit is not None:
        return (format_quantity if exact else format_short)(value, cell.measure.unit)
    number = format_number(value) if exact else format_number(rounded(value))
    if unit == "%":
        return f"{number}%"
    return number if unit is None else f"{number} {unit}"


def rounded(value: Decimal) -> Decimal:
    """For reading: two decimals, or two significant digits below one tenth."""
    if value == value.to_integral_value():
        return Decimal(int(value))
    places = 2 if abs(value) >= Decimal("0.1") else 1 - value.adjusted()
    short = value.quantize(Decimal(1).scaleb(-places))
    return Decimal(format(short, "f").rstrip("0").rstrip("."))


def when(period: Period) -> str:
    """``in 2024``, ``on 2023-09-30``; nothing for what carries no date."""
    if period.kind is PeriodKind.UNDATED:
        return ""
    return f" {'on' if period.kind is PeriodKind.DAY else 'in'} {period}"


def possessive(name: str) -> str:
    """``India's``, ``the Maldives'``."""
    name = spoken(name)
    return f"{name}'" if name.lower().endswith("s") else f"{name}'s"


_SAID_BY_FIGURE = re.compile(
    r" \((?:% of [^()]*|per [\d,]+ [^()]*|sq\. km|kt|years|people|number|days|percent|%)\)"
)
_HEAD = re.compile(r"^(.*?)(?: of | per | at | for | in | to | from |,| \(|$)")


def running(name: str) -> str:
    """A measure's published name as it stands inside a sentence.

    ``Population, total`` reads ``population``, and ``Exports of goods and services (% of GDP)`` drops the unit
    that its figure says. What tells measures apart (``current US$``) stays.
    """
    name = _SAID_BY_FIGURE.sub("", name)
    name = name.removesuffix(", total").replace(", total (", " (")
    return name[0].lower() + name[1:] if len(name) > 1 and name[1].islower() else name


def verb(name: str) -> str:
    """``was``, or ``were`` for a measure whose head word is a plural (``exports of goods``)."""
    head = _HEAD.match(running(name))
    word = head[1].split()[-1] if head and head[1].split() else ""
    plural = word.endswith("s") and not word.endswith(("ss", "is", "us", "news"))
    return "were" if plural else "was"


def listed(items: Sequence[str], *, last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def publishers_of(names: Iterable[str]) -> str:
    """Publishers as a sentence says them: ``the World Bank and REST Countries``."""
    return listed([spoken_publisher(name) for name in dict.fromkeys(names)])


STALE_YEARS = 5
"""A newest figure that is this many years older than the newest year its publisher can have is called so."""


def stale_year(cells: Sequence[Cell], view: View) -> str | None:
    """The one year of figures that no year was asked of and that are years old.

    The newest year a publisher can have is the one before the date of its data.
    """
    years = {cell.period.calendar_year for cell in cells if cell.numeric}
    year = next(iter(years)) if len(years) == 1 else None
    if year is None or any(view.asked(cell).kind is not PeriodKindAsked.LATEST for cell in cells):
        return None
    dated = cells[0].response.as_of or cells[0].response.retrieved_at
    return str(year) if dated.year - 1 - year >= STALE_YEARS else None


NEWEST = ", the newest figure published here"


def according(view: View, cells: Sequence[Cell]) -> str:
    """The end of a sentence that its last figure belongs to: whose it is, and whether it is an old one."""
    said, year = f", according to {sources(cells)}", stale_year(cells, view)
    if year is None:
        return f"{said}."
    return f"{NEWEST}{said}." if len(cells) == 1 else f"{said}, whose newest figures fit to compare are of {year}."


def sources(cells: Iterable[Cell]) -> str:
    """The publishers of the cells, as a sentence says them, and whose figures are no published ones but totals."""
    cells = list(cells)
    publishers = publishers_of(cell.response.publisher for cell in cells)
    totals = list(dict.fromkeys(spoken(cell.entity.name) for cell in cells if cell.added_up is not None))
    whose = "its" if len(totals) == 1 else "their"
    return f"{publishers} ({listed(totals)} added up from {whose} members)" if totals else publishers


def checked(draft: Draft) -> str:
    """The text of the answer: each sentence, or its plainer form, only if all its figures are claimed."""
    return " ".join(_allowed(sentence, draft) for sentence in draft.sentences)


def _allowed(sentence: Sentence, draft: Draft) -> str:
    for text in (sentence.text, sentence.plain):
        if not unclaimed(text, draft.claims, draft.names):
            return text
    return FIGURES_WITHHELD


def unclaimed(text: str, claims: Sequence[Claim], names: Iterable[str]) -> list[str]:
    """The figures of ``text`` that are neither a claim's value, nor a correct rounding of one, nor in a name.

    Names and periods may hold digits of their own (``constant 2015 US$``, ``2024``); they are set aside first.
    """
    known = {name for claim in claims for name in (claim.entity, claim.measure) if name}
    known |= {text for claim in claims if isinstance(claim.value, str) for text in (claim.value,)}
    periods = {part for claim in claims if claim.period for part in (claim.period, *_ends(claim.period))}
    rest = text
    known |= {words for name in known for words in _bracketed(name)}
    for name in sorted({*known, *names, *map(running, known)}, key=len, reverse=True):
        if any(character.isdigit() for character in name):
            rest = rest.replace(name, "_")
    for period in sorted(periods, key=len, reverse=True):
        rest = re.sub(rf"(?<![\w.,$€£¥₹-]){re.escape(period)}(?![\w%]|[.,]\d)", "_", rest)
    values = [claim.value for claim in claims if isinstance(claim.value, Decimal)]
    return [figure.text for figure in find_figures(rest) if not any(figure.shows(value) for value in values)]


def _bracketed(title: str) -> list[str]:
    """What a published title says in brackets of its unit, as sentences repeat it: ``labor force ages 15-24``."""
    return [part.removeprefix("% of ") for part in re.findall(r"\(([^()]+)\)", title)]


def _ends(period: str) -> tuple[str, ...]:
    return tuple(period.split(" to "))

"""What a careful reader must know beside the figures: their nature, whom they are of, and what was left aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plugins.unsdg.asking import Asking
from plugins.unsdg.records import Cell, SeriesData
from plugins.unsdg.slices import NoTotal, Slice, spoken
from plugins.unsdg.units import multiplier
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.quantity import PlaceKind
from shared.query.readings import PeriodKindAsked

NAMES_SHOWN = 8
MOST_FOOTNOTES = 3
OLD_YEARS = 4
"""A newest figure that is this many years old is pointed out."""

NATURES = {
    "C": "country data, as the country itself reports them",
    "CA": "country data, adjusted by an international agency",
    "E": "estimated by an international agency",
    "G": "global monitoring data, made comparable by an international agency",
    "M": "modelled by an international agency",
    "N": "not relevant for the country",
    "NA": "not stated",
    "NOTSPEC": "not stated",
    "": "not stated",
}
"""What the database's codes of the nature of a figure mean."""


def said_of(asking: Asking, data: SeriesData, cells: Sequence[Cell]) -> list[Disclosure]:
    """The nature of the figures that are given, their source and footnotes, and what recorded figures lack."""
    notes = [_nature(asking, data, cells)]
    sources = list(dict.fromkeys(cell.source for cell in cells if cell.source))
    if len(sources) == 1:
        text = f"{asking.measure_name}: the database names the source “{sources[0]}”"
        notes.append(Disclosure(kind=DisclosureKind.SOURCE, text=text))
    footnotes = list(dict.fromkeys(note for cell in cells for note in cell.footnotes))
    notes += [
        Disclosure(kind=DisclosureKind.CAVEAT, text=f"{asking.measure_name}: footnote of the database: {note}")
        for note in footnotes[:MOST_FOOTNOTES]
    ]
    notes += [Disclosure(kind=DisclosureKind.SNAPSHOT, text=note) for note in data.provenance.notes]
    if data.spans:
        text = f"{asking.measure_name}: {data.spans} rows of spans that are no calendar year were left out"
        notes.append(Disclosure(kind=DisclosureKind.COVERAGE, text=text))
    return notes


def _nature(asking: Asking, data: SeriesData, cells: Sequence[Cell]) -> Disclosure:
    counts = Counter(cell.nature for cell in cells)

    def told(nature: str) -> str:
        said = NATURES.get(nature) or data.natures.get(nature) or "of a kind without a description"
        return f"{said} ({nature})" if nature else said

    if len(counts) == 1:
        figures = "figures" if len(cells) > 1 else "figure"
        text = f"{asking.measure_name}, nature of the {figures}: {told(next(iter(counts)))}"
    else:
        parts = [f"{count} {told(nature)}" for nature, count in counts.most_common()]
        text = f"{asking.measure_name}, nature of the {len(cells)} figures: {'; '.join(parts)}"
    return Disclosure(kind=DisclosureKind.SOURCE, text=text)


def whole_of(asking: Asking, data: SeriesData, chosen: Slice) -> list[Disclosure]:
    """That a figure is of one value of a dimension that has no total."""
    return [
        Disclosure(
            kind=DisclosureKind.MEANING,
            text=f"{asking.measure_name}: the figure is for {spoken(data, dimension, code)}; "
            f"the database has no total over {dimension}",
        )
        for dimension, code in chosen.stands_for
    ]


def own_group(asking: Asking, cell: Cell) -> list[Disclosure]:
    """Say that a group's figure is the publisher's own, for its own group."""
    if asking.entity.kind is not PlaceKind.COUNTRY_GROUP:
        return []
    text = f"the figure for {asking.entity.name} is the UN's own for its group “{cell.name}” (M49 {cell.area})"
    return [Disclosure(kind=DisclosureKind.MEMBERS, text=text)]


def old_figure(asking: Asking, cell: Cell) -> list[Disclosure]:
    """Point out a newest figure that is some years old."""
    if asking.period.kind is not PeriodKindAsked.LATEST or asking.this_year - cell.year < OLD_YEARS:
        return []
    text = f"the newest figure of {asking.measure_name} for {asking.entity.name} is of {cell.year}"
    return [Disclosure(kind=DisclosureKind.PERIOD, text=text)]


def given_in_full(asking: Asking, cell: Cell) -> list[Disclosure]:
    """That a figure is published in thousands or millions and given in plain units."""
    many = multiplier(cell.unit)
    if many == 1:
        return []
    said = cell.figure.in_words() or f"{cell.figure.value}"
    text = f"{asking.measure_name}: published in units of {many:,} ({cell.unit}), for {cell.year} as {said}"
    return [Disclosure(kind=DisclosureKind.CONVERSION, text=text)]


def described_now(asking: Asking, data: SeriesData) -> list[Disclosure]:
    """That the publisher describes the series in other units or years than the document that was chosen."""
    published = asking.planned.bound.locator.get("description", "")
    if not published or not data.description or published == data.description:
        return []
    text = f"the database now describes {asking.series} as “{data.description}”"
    return [Disclosure(kind=DisclosureKind.MEANING, text=text)]


def no_total(asking: Asking, data: SeriesData, whom: str, found: NoTotal) -> str:
    """That there is no total, and which values there are to ask for."""
    codes = [spoken(data, found.dimension, code) for code in found.codes if code]
    only = f"only for {codes[0]}" if len(codes) == 1 else f"by {found.dimension} ({names(codes)})"
    ask = "that is not the whole" if len(codes) == 1 else "they are neither added up nor is one picked: name one"
    return f"the UN publishes {asking.measure_name} for {whom} {only}, and no total over {found.dimension}; {ask}"


def names(some: Sequence[str]) -> str:
    """The names in a sentence: the first ones, and how many more there are."""
    if len(some) <= NAMES_SHOWN:
        return ", ".join(some)
    return f"{', '.join(some[:NAMES_SHOWN])} and {len(some) - NAMES_SHOWN} more"

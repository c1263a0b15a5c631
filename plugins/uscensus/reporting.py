"""What goes with the figures: where they are from, how sure they are, and what the reader must know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from urllib.parse import quote

from plugins.reporting.recorded import recorded_figures
from plugins.uscensus.asking import Asking
from plugins.uscensus.estimates import PAGE as PAGE_OF_ESTIMATES
from plugins.uscensus.estimates import PROGRAM
from plugins.uscensus.geography import Area
from plugins.uscensus.records import Estimate, Provenance
from plugins.uscensus.successions import code_in, has_ended, told
from plugins.uscensus.wire import has_no_sampling_error
from shared.query.annotated import Executed
from shared.query.evidence import Disclosure, DisclosureKind, Observation, SourceResponse
from shared.query.quantity import Unit, UnitKind

LICENCE = "public domain (US government work)"
PUBLISHER = "US Census Bureau"
PAGE = "https://data.census.gov/table/"
_ERROR = re.compile(r"(?<=error of )[\d.]+")
TABLES = {
    "acs/acs5": "ACSDT5Y",
    "acs/acs5/subject": "ACSST5Y",
    "acs/acs5/profile": "ACSDP5Y",
    "acs/acs1": "ACSDT1Y",
    "acs/acs1/subject": "ACSST1Y",
    "acs/acs1/profile": "ACSDP1Y",
    "dec/pl": "DECENNIALPL",
}


def executed(
    asking: Asking,
    provenance: Provenance,
    vintage: int,
    observations: Sequence[Observation],
    disclosures: Sequence[Disclosure],
    *,
    incomplete: Sequence[str] = (),
) -> Executed:
    """The figures of one vintage with their provenance."""
    bound, address = asking.planned.bound, asking.address
    response = SourceResponse(
        source=bound.plugin,
        publisher=f"{PUBLISHER} ({address.about.name})",
        requests=provenance.requests,
        retrieved_at=provenance.retrieved_at,
        as_of=provenance.snapshot_as_of,
        snapshot=provenance.snapshot_as_of is not None,
        licence=LICENCE,
        page_url=page_of(asking, vintage),
        dataset=address.program,
        datasets=(address.program,),
        basis=address.about.basis,
    )
    return Executed(
        meaning=bound.meaning,
        measure=bound.measure,
        response=response,
        observations=tuple(observations),
        incomplete=tuple(incomplete),
        disclosures=tuple(disclosures),
    )


def page_of(asking: Asking, vintage: int) -> str | None:
    """The table's page at data.census.gov, with the area where it is one."""
    address, area = asking.address, asking.area
    if address.program == PROGRAM:
        return PAGE_OF_ESTIMATES
    name = TABLES.get(address.dataset)
    if name is None:
        return None
    table = (address.name_in(vintage) or address.variable).partition("_")[0]
    return f"{PAGE}{name}{vintage}.{table}{f'?g={quote(full_id(area))}' if area.is_one else ''}"


def full_id(area: Area) -> str:
    """The identifier that data.census.gov uses: ``0500000US48201``."""
    geoid = "" if area.level.name == "us" else "".join(area.codes)
    return f"{area.level.summary}0000US{geoid}"


def about_program(asking: Asking, vintage: int) -> list[Disclosure]:
    """Of which survey and years the figures are."""
    program = asking.address.about
    text = f"{asking.measure.name}: the {program.name}"
    if program.years > 1:
        text += f" of {program.span(vintage)}; each is a mean over the {program.years} years"
    elif asking.address.program == PROGRAM:
        text += f", {program.basis} {vintage}"
    else:
        text += f" of {vintage}"
    return [Disclosure(kind=DisclosureKind.SOURCE, text=text)]


def margin_told(asking: Asking, whom: str, vintage: int, estimate: Estimate) -> list[Disclosure]:
    """The margin of error of one figure, or that it has no sampling error."""
    if has_no_sampling_error(estimate):
        text = f"is {estimate.margin_note}"
    elif estimate.margin is not None:
        text = f"has a margin of error of ±{_written(estimate.margin, asking.measure.unit)} at 90% confidence"
    elif estimate.bounds is not None:
        low, high = (_figure(bound, asking.measure.unit) for bound in estimate.bounds)
        text = f"has a 90% confidence interval from {low} to {high}"
    elif estimate.margin_note is not None:
        text = f"has no margin of error: {estimate.margin_note}"
    elif estimate.remark is not None:
        text = estimate.remark
    else:
        return []
    return [Disclosure(kind=DisclosureKind.CAVEAT, text=f"{asking.measure.name}, {whom}, {vintage}, {text}")]


def margins_told(asking: Asking, vintage: int, estimates: Sequence[Estimate]) -> list[Disclosure]:
    """How wide the margins of many figures are."""
    margins = sorted(one.margin for one in estimates if one.value is not None and one.margin is not None)
    if not margins:
        return _remarks_told(asking, vintage, estimates)
    unit, middle = asking.measure.unit, margins[len(margins) // 2]
    text = (
        f"{asking.measure.name}, {vintage}: the figures are estimates with margins of error at 90% confidence, "
        f"±{_written(middle, unit)} in the middle and ±{_written(margins[-1], unit)} at most; "
        "members that lie nearer to each other than that may not differ"
    )
    return [Disclosure(kind=DisclosureKind.CAVEAT, text=text)]


def _remarks_told(asking: Asking, vintage: int, estimates: Sequence[Estimate]) -> list[Disclosure]:
    """Of how many figures each remark is made; errors of each width are one remark."""
    made = Counter(_ERROR.sub("…", one.remark) for one in estimates if one.remark is not None)
    each = "; a figure ".join(f"{remark}: {count} of {len(estimates)}" for remark, count in sorted(made.items()))
    text = f"{asking.measure.name}, {vintage}, a figure {each}"
    return [Disclosure(kind=DisclosureKind.CAVEAT, text=text)] if made else []


def parts_told(asking: Asking, vintage: int, parts: Mapping[str, Estimate]) -> list[Disclosure]:
    """The margin of error of each part by name, or that none was published with them."""
    unit = asking.planned.bound.parts[0].unit
    margins = {name: one.margin for name, one in parts.items() if one.margin is not None}
    if not margins:
        if any(map(has_no_sampling_error, parts.values())):
            return []
        text = f"{asking.measure.name}, {vintage}: no margins of error came with the parts, which are estimates"
    else:
        each = "; ".join(f"{name} ±{_written(margin, unit)}" for name, margin in margins.items())
        text = f"{asking.measure.name}, {vintage}, margins of error of the parts at 90% confidence: {each}"
    return [Disclosure(kind=DisclosureKind.CAVEAT, text=text)]


def succession_told(asking: Asking, vintage: int) -> list[Disclosure]:
    """That the county has another name or code in the vintage than in the question, or has ended since."""
    area = asking.area
    fips = "".join(area.codes)
    if area.level.name != "county":
        return []
    if code_in(fips, vintage) == fips:
        if not has_ended(fips) or asking.period.explicit_year is not None:
            return []
        text = f"{told(fips)}; the figures up to {vintage} are of the county as it was"
        return [Disclosure(kind=DisclosureKind.MEMBERS, text=text)]
    text = f"{told(fips)}; the figure of {vintage} is published under code {code_in(fips, vintage)}"
    return [Disclosure(kind=DisclosureKind.MEMBERS, text=text)]


def _figure(value: Decimal, unit: Unit) -> str:
    return f"{value:,f}%" if unit.kind is UnitKind.PERCENT else _written(value, unit)


def _written(value: Decimal, unit: Unit) -> str:
    text = f"{value:,f}"
    if unit.kind is UnitKind.CURRENCY:
        return f"${text}"
    return f"{text} percentage points" if unit.kind is UnitKind.PERCENT else text


def recorded_note(provenance: Provenance) -> str:
    """What is added to a reason where recorded figures answered."""
    if provenance.snapshot_as_of is None:
        return ""
    return recorded_figures()

"""Facts about one entity: capital, currency, region, landlocked and the like."""

from __future__ import annotations

from collections.abc import Callable

from plugins.countryfacts.answering import executed, fetched, flagged, worded
from plugins.countryfacts.client import CountryRecord, fetch_countries
from plugins.countryfacts.lists import (
    IANA,
    ISO_4217,
    ITU,
    STATE_GOVERNMENTS,
    carried,
    codes_by_country,
    state_capitals,
)
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.runtime.context import RunContext


def subject(planned: PlannedRequest) -> Entity | Unanswerable:
    """The country or state that is asked about."""
    entity = planned.resolved.entity
    if entity is None or entity.kind is PlaceKind.COUNTRY_GROUP:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED, reason=f"{planned.bound.measure.name} is a fact of one country"
        )
    return entity


async def _from_record(
    planned: PlannedRequest, context: RunContext, read: Callable[[Entity, CountryRecord], Observation]
) -> Executed | Unanswerable:
    entity = subject(planned)
    if isinstance(entity, Unanswerable):
        return entity
    if "iso3" not in entity.keys:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"{planned.bound.measure.name} is held for countries, not for {entity.name}",
        )
    answer = await fetch_countries([entity.keys["iso3"]], context)
    return executed(planned, fetched(answer), [read(entity, answer.value[0])])


async def capital(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The capital of a country or a US state."""
    entity = planned.resolved.entity
    if entity is not None and entity.kind is PlaceKind.US_STATE:
        name = state_capitals().get(entity.keys.get("postal", ""), "")
        return executed(planned, carried(*STATE_GOVERNMENTS), [worded(entity, name)])
    return await _from_record(planned, context, lambda e, r: worded(e, ", ".join(r.capital)))


async def region(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The subregion and region a country lies in."""
    return await _from_record(
        planned,
        context,
        lambda e, r: worded(e, f"{r.subregion}, {r.region}" if r.subregion else r.region),
    )


async def landlocked(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """Whether a country has no coast."""
    return await _from_record(planned, context, lambda e, r: flagged(e, flag=r.landlocked))


async def un_member(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """Whether a country is a member of the United Nations."""
    return await _from_record(planned, context, lambda e, r: flagged(e, flag=r.un_member))


async def official_name(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The official name of a country."""
    return await _from_record(planned, context, lambda e, r: worded(e, r.name.official))


def _from_codes(planned: PlannedRequest, keeper: tuple[str, str], *columns: str) -> Executed | Unanswerable:
    entity = subject(planned)
    if isinstance(entity, Unanswerable):
        return entity
    row = codes_by_country().get(entity.keys.get("iso3", ""), {})
    values = [row.get(column, "") for column in columns]
    text = f"{values[0]} ({values[1]})" if len(values) == 2 and all(values) else values[0]
    return executed(planned, carried(*keeper, licence="PDDL 1.0"), [worded(entity, text)])


async def currency(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The currency of a country with its ISO 4217 code."""
    context.check()
    return _from_codes(planned, ISO_4217, "currency_name", "currency_code")


async def calling_code(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The international calling code of a country."""
    context.check()
    return _from_codes(planned, ITU, "calling_code")


async def internet_domain(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The top-level internet domain of a country."""
    context.check()
    return _from_codes(planned, IANA, "internet_domain")

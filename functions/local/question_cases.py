"""A question with what is expected of its answer, as the files of cases hold it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from shared.query.annotated import AskOptions


def printed(value: object) -> str:
    """Keep a number's digits as they were written; booleans become yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


Printed = Annotated[str, BeforeValidator(printed)]


class _Expected(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExpectedClaim(_Expected):
    """A claim that must be among the answer's. What is left out is open.

    ``value`` is compared as a number within ``rel_tol``, or as words. ``variable`` is the publisher's id of
    the quantity: it is not needed to match, but tells a wrong number from another quantity's number.
    """

    entity: str | None = None
    period: Printed | None = None
    value: Printed | None = None
    unit: str | None = None
    variable: str | None = None
    rel_tol: float = Field(default=1e-9, ge=0)

    def __str__(self) -> str:
        return " ".join(part for part in (self.entity, self.period, self.value, self.unit) if part)


class Expectation(_Expected):
    """What a case expects; every key is optional.

    ``entities_in_order`` is how the ranked or listed entities begin, ``entities`` are all of them in any
    order, ``entities_include`` are some that must be there.
    """

    status: tuple[str, ...] = ()
    type: str | None = None
    claims: tuple[ExpectedClaim, ...] = ()
    entities_in_order: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    entities_include: tuple[str, ...] = ()
    text_contains: tuple[str, ...] = ()
    reason_contains: tuple[str, ...] = ()
    absent_values: tuple[Printed, ...] = ()


class QuestionCase(BaseModel):
    """One question and its expectation. Further keys (``origin``, ``note``) are for people."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    options: AskOptions = AskOptions()
    expect: Expectation = Expectation()
    split: str | None = None

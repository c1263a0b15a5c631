"""Judges one answer against what a question case expects of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from functions.local.cited import Cited
from functions.local.question_cases import ExpectedClaim, QuestionCase, printed
from shared.text import places

Answer = Mapping[str, Any]
"""The answer object of the architecture's section 6, as JSON."""

Identify = Callable[[str], frozenset[str]]
"""Gives every name and code by which a place is known, in lower case; empty for an unknown name."""

_SCHEMES = ("iso3", "fips", "wb", "group")
"""Codes that no two kinds of place share; ISO2 and postal codes do (``AL``)."""

ANSWERED = frozenset({"complete", "partial"})
_NUMBER = re.compile(r"(?<![\w.,-])-?\d[\d,]*(?:\.\d+)?")


def place_names(name: str) -> frozenset[str]:
    """``Identify`` by the gazetteer: the common name and the codes of the place that a name or code means."""
    found = (places.by_code(name), places.by_name(name))
    return frozenset(
        known.casefold()
        for entity in found
        if entity is not None
        for known in (entity.name, *(entity.keys[scheme] for scheme in _SCHEMES if scheme in entity.keys))
    )


def _number(value: object) -> Decimal | None:
    """Read a JSON value as a number; ``None`` for words, booleans and nothing."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = Decimal(str(value))
    except ArithmeticError:
        return None
    return number if number.is_finite() else None


@dataclass(frozen=True)
class Verdict:
    """How one answer was judged. ``type_right`` is ``None`` when no type was expected."""

    why: tuple[str, ...]
    answered: bool
    type_right: bool | None
    wrong_numbers: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether nothing was amiss."""
        return not self.why


def judge(answer: Answer, case: QuestionCase, identify: Identify = place_names) -> Verdict:
    """Hold an answer against its case."""
    return _Judgement(answer, case, identify).verdict()


def _list(answer: Answer, key: str) -> list[Mapping[str, Any]]:
    return list(answer.get(key) or ())


def _has_word(text: str, word: str) -> bool:
    """Whether ``word`` stands in ``text`` on its own, in any case: "No" is not found in "Norway"."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


class _Judgement:
    """One answer beside one case."""

    def __init__(self, answer: Answer, case: QuestionCase, identify: Identify) -> None:
        self._answer, self._case, self._expect, self._identify = answer, case, case.expect, identify
        self._claims = _list(answer, "claims")
        self._cited = Cited(answer)

    def verdict(self) -> Verdict:
        status = str(self._answer.get("status"))
        wrong = tuple(self._wrong_numbers())
        asked_type = self._expect.type
        read_type = (self._answer.get("reading") or {}).get("type")
        why = [
            *self._status(status),
            *([f"read as {read_type}, not {asked_type}"] if asked_type and read_type != asked_type else []),
            *(f"no claim {claim}" for claim in self._expect.claims if not self._matching(claim)),
            *self._entities(),
            *(f"the text lacks {word!r}" for word in self._expect.text_contains if not self._in_text(word)),
            *(f"no reason names {word!r}" for word in self._expect.reason_contains if not self._in_reasons(word)),
            *(f"{value} is in the answer" for value in self._expect.absent_values if self._stands(value)),
            *(f"wrong number: {number}" for number in wrong),
            *self._cited.unlike(self._claims, _number),
        ]
        return Verdict(
            why=tuple(why),
            answered=status in ANSWERED,
            type_right=None if asked_type is None else read_type == asked_type,
            wrong_numbers=wrong,
        )

    def _status(self, status: str) -> Iterator[str]:
        if self._expect.status and status not in self._expect.status:
            yield f"status {status}, not {' or '.join(self._expect.status)}"

    # ---- claims ------------------------------------------------------------------------------

    def _matching(self, wanted: ExpectedClaim) -> list[Mapping[str, Any]]:
        return [claim for claim in self._claims if self._is(claim, wanted)]

    def _is(self, claim: Mapping[str, Any], wanted: ExpectedClaim) -> bool:
        return (
            self._about(claim, wanted)
            and (wanted.value is None or _same_value(claim.get("value"), wanted))
            and (wanted.unit is None or self._has_unit(claim, wanted.unit))
        )

    def _about(self, claim: Mapping[str, Any], wanted: ExpectedClaim) -> bool:
        """Whether entity and period are those of the listed claim."""
        if wanted.period is not None and str(claim.get("period")) != wanted.period:
            return False
        if wanted.entity is None:
            return True
        names = [str(claim[key]) for key in ("entity", "entity_code") if claim.get(key)]
        return any(self._same_entity(name, wanted.entity) for name in names)

    def _same_entity(self, name: str, other: str) -> bool:
        return not self._names(name).isdisjoint(self._names(other))

    def _names(self, name: str) -> frozenset[str]:
        return frozenset({name.strip().casefold().removeprefix("the ")}) | self._identify(name)

    def _has_unit(self, claim: Mapping[str, Any], unit: str) -> bool:
        written = {claim.get("unit")}
        for source in self._cited.of(claim):
            written |= {source.get("unit"), source.get("currency")}
        wanted = unit.casefold()
        return any(u.casefold() == wanted or (wanted == "%" and u.startswith("%")) for u in written if u)

    def _wrong_numbers(self) -> Iterator[str]:
        """Numbers given for a listed claim's entity, quantity and period that are not the listed value."""
        listed = [w for w in self._expect.claims if w.entity and w.period and w.value and _number(w.value)]
        seen: set[int] = set()
        for wanted in listed:
            measures = {claim.get("measure") for claim in self._matching(wanted)} - {None}
            for position, claim in enumerate(self._claims):
                if position in seen or _number(claim.get("value")) is None or not self._about(claim, wanted):
                    continue
                if any(self._about(claim, other) and _same_value(claim["value"], other) for other in listed):
                    continue
                if self._is_quantity(claim, wanted, measures):
                    seen.add(position)
                    yield f"{claim['value']} for {wanted.entity} {wanted.period}, published is {wanted.value}"

    def _is_quantity(self, claim: Mapping[str, Any], wanted: ExpectedClaim, measures: set[Any]) -> bool:
        """Whether a claim is about the listed quantity: by its measure, its variable, or else its unit."""
        if claim.get("measure") in measures:
            return True
        if wanted.variable is not None:
            return any(source.get("variable") == wanted.variable for source in self._cited.of(claim))
        return not measures and wanted.unit is not None and self._has_unit(claim, wanted.unit)

    # ---- entities ----------------------------------------------------------------------------

    def _sequences(self) -> Iterator[list[str]]:
        """Each list of names that the answer gives: a table's columns, the claims' entities and words."""
        table = self._answer.get("table") or {}
        for column in zip(*(table.get("rows") or ()), strict=False):
            yield _distinct(str(cell) for cell in column if cell is not None)
        yield _distinct(str(claim["entity"]) for claim in self._claims if claim.get("entity"))
        words = (claim.get("value") for claim in self._claims)
        yield _distinct(word for word in words if isinstance(word, str) and _number(word) is None)

    def _entities(self) -> Iterator[str]:
        expect, given = self._expect, list(self._sequences())
        if expect.entities_in_order and not any(self._begins(names, expect.entities_in_order) for names in given):
            yield f"the order does not begin with {', '.join(expect.entities_in_order)}"
        if expect.entities and not any(
            self._covers(names, expect.entities) and self._covers(expect.entities, names) for names in given
        ):
            yield f"the list is not {', '.join(expect.entities)}"
        if expect.entities_include and not any(self._covers(names, expect.entities_include) for names in given):
            yield f"the list lacks some of {', '.join(expect.entities_include)}"

    def _begins(self, names: Sequence[str], wanted: Sequence[str]) -> bool:
        return len(names) >= len(wanted) and all(map(self._same_entity, names, wanted))

    def _covers(self, names: Sequence[str], wanted: Sequence[str]) -> bool:
        known: set[str] = set()
        for name in names:
            known |= self._names(name)
        return all(not self._names(want).isdisjoint(known) for want in wanted)

    # ---- words -------------------------------------------------------------------------------

    def _in_text(self, word: str) -> bool:
        return _has_word(str(self._answer.get("text") or ""), word)

    def _in_reasons(self, word: str) -> bool:
        refusal, asked_back = self._answer.get("refusal") or {}, self._answer.get("clarification") or {}
        reasons = [
            self._answer.get("text"),
            refusal.get("reason"),
            refusal.get("needs"),
            asked_back.get("question"),
            *(failure.get("reason") for failure in _list(self._answer, "failures")),
            *(note.get("text") for note in _list(self._answer, "disclosures")),
        ]
        return any(_has_word(str(reason), word) for reason in reasons if reason)

    def _stands(self, value: str) -> bool:
        """Whether a value is claimed or printed, the question's own words aside."""
        number = _number(value)
        claimed = (claim.get("value") for claim in self._claims)
        if any(_number(v) == number if number is not None else str(v) == value for v in claimed):
            return True
        echo = re.compile(r"\s+".join(map(re.escape, self._case.question.split())), re.IGNORECASE)
        texts = [self._answer.get("text"), *(claim.get("text") for claim in self._claims)]
        printed = " ".join(echo.sub(" ", str(text)) for text in texts if text)
        if number is None:
            return _has_word(printed, value)
        return any(_number(found.replace(",", "")) == number for found in _NUMBER.findall(printed))


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _same_value(given: object, wanted: ExpectedClaim) -> bool:
    """Compare as numbers within the tolerance, else as words."""
    expected, actual = _number(wanted.value), _number(given)
    if expected is None or actual is None:
        return expected is actual and printed(given).casefold() == str(wanted.value).casefold()
    return abs(actual - expected) <= abs(expected) * Decimal(str(wanted.rel_tol))

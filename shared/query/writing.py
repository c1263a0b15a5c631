"""Short ways for a stage to write annotations, so that each stage reads as what it decides."""

from __future__ import annotations

from dataclasses import dataclass

from shared.query.annotated import AnnotatedQuery, Annotation, Failed, Noted, Payload
from shared.query.evidence import Disclosure, DisclosureKind, Failure, FailureStatus, Unanswerable
from shared.query.identifiers import SlotId


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one stage's annotations for the current reading."""

    query: AnnotatedQuery
    stage: str

    def write(
        self, payload: Payload, *, slot: SlotId | None = None, source: str | None = None, n: int = 0
    ) -> Annotation:
        """Make one annotation."""
        return Annotation(
            reading=self.query.reading, stage=self.stage, slot=slot, source=source, n=n, payload=payload
        )

    def fail(
        self,
        why: Unanswerable,
        *,
        slot: SlotId | None = None,
        source: str | None = None,
        n: int = 1000,
        final: bool = False,
    ) -> Annotation:
        """Make a visible failure. Failures number from 1000, apart from what a stage decides.

        A ``final`` one ends the run: no other reading may answer instead.
        """
        reason = why.reason if why.needs is None else f"{why.reason}; it would take {why.needs}"
        failure = Failure(stage=self.stage, source=source, slot=slot, status=why.status, reason=reason)
        return self.write(Failed(failure=failure, final=final), slot=slot, source=source, n=n)

    def refuse(
        self,
        status: FailureStatus,
        reason: str,
        *,
        slot: SlotId | None = None,
        source: str | None = None,
        n: int = 1000,
    ) -> Annotation:
        """Make a visible failure from its parts."""
        return self.fail(Unanswerable(status=status, reason=reason), slot=slot, source=source, n=n)

    def note(
        self,
        kind: DisclosureKind,
        text: str,
        *,
        slot: SlotId | None = None,
        source: str | None = None,
        n: int = 2000,
    ) -> Annotation:
        """Make a disclosure. Disclosures number from 2000."""
        return self.write(Noted(disclosure=Disclosure(kind=kind, text=text)), slot=slot, source=source, n=n)

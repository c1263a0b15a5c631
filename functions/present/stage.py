"""The present stage: from results to the answer, with every claim cited and every gap told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from functions.present import (
    alternatives,
    changes,
    disclosures,
    evidence,
    lists,
    orders,
    parts,
    populations,
    refusals,
    relations,
    series,
    single,
    tables,
)
from functions.present.draft import ONE_MEANING, Draft, View
from functions.present.published import published
from functions.present.status import COMBINATION_RESULT, Verdict, judge_completeness, span_words
from functions.present.worded import worded
from functions.present.wording import checked, shown, when
from shared.query.annotated import AnnotatedQuery, Annotation, Combined, Presented, Worded
from shared.query.answer import Answer, AnswerStatus, Clarification, Usage
from shared.query.evidence import Disclosure, DisclosureKind, Failure, FailureStatus
from shared.query.identifiers import SlotId
from shared.query.material import Material
from shared.query.readings import EntityMention
from shared.query.writing import Writer
from shared.runtime.context import RunContext

Presenter = Callable[[View, Draft], None]

PRESENTERS: dict[str, Presenter] = {
    "value": single.value,
    "comparison": orders.comparison,
    "ranking": orders.ranking,
    "change_ranking": changes.change_ranking,
    "population_value": orders.population_value,
    "breakdown": parts.breakdown,
    "trend": series.trend,
    "difference": relations.difference,
    "ratio": relations.ratio,
    "correlation": populations.correlation,
    "filtered_list": populations.filtered_list,
    "item_list": lists.items,
    "yes_no": relations.yes_no,
    "vague_aspect": single.aspects,
    "status": single.status,
    "aggregate": populations.aggregate,
}

FEW_FIGURES = frozenset({"comparison", "difference", "ratio", "yes_no"})
"""Results over a few named entities: one table holds all their meanings."""

NO_USAGE = Usage(seconds=0.0, model_calls=0, tokens=0, usd=Decimal(0))
"""The runner fills in what the run used when it ends."""


async def present(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
    """Write one ``Presented``: the answer of the current reading, or why there is none."""
    understood = query.understood()
    if understood is None or not 0 <= query.reading < len(understood.readings):
        answer, why = _unread(query)
        wording = None
    else:
        answer, why, wording = await _answer(query, context)
    context.say(f"the answer is {answer.status.value}: {why}")
    payload = Presented(answer=answer.model_dump(mode="json"), status=answer.status.value, why=why, worded=wording)
    return [Writer(query, "present").write(payload)]


def _unread(query: AnnotatedQuery) -> tuple[Answer, str]:
    failures = query.failures()
    refused = refusals.refusal(failures)
    text = refusals.explanation(failures)
    understood = query.understood()
    if refused and refused[1].needs is None and understood is not None and understood.notes:
        refused = refused[0], refused[1].model_copy(update={"needs": "; ".join(understood.notes)})
    answer = Answer(
        run_id=query.run_id,
        question=query.question,
        asked_at=query.asked_at,
        status=refused[0] if refused else AnswerStatus.UNANSWERED,
        reading=None,
        text=text,
        disclosures=tuple(query.disclosures()),
        failures=tuple(failures),
        refusal=refused[1] if refused else None,
        usage=NO_USAGE,
    )
    return answer, text


async def _answer(query: AnnotatedQuery, context: RunContext) -> tuple[Answer, str, Worded | None]:
    material = Material.of(query)
    failures = _told(material, query.failures())
    promised = COMBINATION_RESULT.get(material.reading.type)
    combined = tuple(payload for _, payload in query.of(Combined) if payload.result == promised)
    view = View(material, combined, query.options)
    draft = Draft(names={one.executed.response.publisher for one in material.everything()})
    drawn = bool(combined)
    if drawn:
        _draw(view, draft)
        draft.alternatives = alternatives.others(view)
        if view.leading_only and view.leading.result in FEW_FIGURES:
            # An alternative shows what was computed for it, so the computation is carried for whoever checks it.
            draft.keep(*filter(None, map(alternatives.headline, view.combined[1:])))
    else:
        _loose_figures(view, draft)
    verdict = judge_completeness(view, failures, claims=len(draft.claims), drawn=drawn)
    clarification = _clarification(view, failures)
    if clarification is not None:
        verdict = Verdict(AnswerStatus.NEEDS_CLARIFICATION, clarification.question)
        draft = Draft(sentences=[], alternatives=draft.alternatives)
    text, wording = "", None
    if clarification is None and verdict.status is not AnswerStatus.UNANSWERED:
        wording = await worded(checked(draft), view, draft, query.disclosures(), context)
        text = wording.text
    answer = _assembled(
        query, view, draft, text=text, verdict=verdict, clarification=clarification, failures=failures
    )
    told = tuple(Disclosure(kind=DisclosureKind.CAVEAT, text=said) for said in context.told)
    answer = answer.model_copy(update={"disclosures": (*answer.disclosures, *told)})
    return answer, verdict.why, wording if wording is not None and wording.by is not None else None


PASSED_OVER = frozenset({FailureStatus.NOT_FOUND, FailureStatus.NOT_COVERED})


def _told(material: Material, failures: list[Failure]) -> list[Failure]:
    """The failures that concern the reader: not a source's word that it has nothing where another one answered.

    The trace keeps them all.
    """
    answered = {slot: {one.executed.response.source for one in served} for slot, served in material.served.items()}
    return [
        failure
        for failure in failures
        if failure.status not in PASSED_OVER
        or failure.source is None
        or not answered.get(SlotId(failure.slot or ""), set()) - {failure.source}
    ]


def _draw(view: View, draft: Draft) -> None:
    """Run the type's presenter; where it shows one meaning and all are asked for, once for each.

    The table is then of every meaning where it is small, else of the first.
    """
    presenter = PRESENTERS[view.material.reading.type]
    presenter(view, draft)
    if view.options.on_ambiguity != "all" or view.leading.result not in ONE_MEANING:
        return
    table = draft.table
    if view.leading.result in FEW_FIGURES and len(view.combined) > 1:
        table = tables.by_measure([cell for combined in view.combined for cell in view.cells(combined)])
    for combined in view.combined[1:]:
        presenter(replace(view, combined=(combined,)), draft)
    draft.table = table
    draft.charts = [
        chart.model_copy(update={"id": f"chart:{number}"}) for number, chart in enumerate(draft.charts, start=1)
    ]


def _assembled(
    query: AnnotatedQuery,
    view: View,
    draft: Draft,
    *,
    text: str,
    verdict: Verdict,
    clarification: Clarification | None,
    failures: list[Failure],
) -> Answer:
    """The whole answer around ``text``, its sentences; a partial one says so after them."""
    status, refusal = verdict.status, None
    if clarification is not None:
        text = clarification.question
    elif status is AnswerStatus.UNANSWERED:
        text = refusals.explanation(failures) if failures else f"This could not be answered: {verdict.why}."
        refused = refusals.refusal(failures)
        if refused is not None:
            status, refusal = refused
            if refusal.needs is not None:
                text += f" It would take {refusal.needs}."
    elif status is AnswerStatus.PARTIAL:
        draft.names |= {words for slot in view.material.slots if (words := span_words(slot))}
        draft.names |= {hole for one in view.material.everything() for hole in one.unreported()}
        draft.sentences.clear()
        draft.say(
            f"This is only a part of the answer: {verdict.why}.",
            "This is only a part of the answer; what is missing stands among the failures and disclosures.",
        )
        text = f"{text} {checked(draft)}".strip()
    draft.computations = evidence.with_totals(view, draft.computations)
    carried = evidence.carried(view, draft)
    computations = evidence.resting(draft.computations, carried)
    claims, lost = evidence.supported(draft.claims, carried, computations)
    return Answer(
        run_id=query.run_id,
        question=query.question,
        asked_at=query.asked_at,
        status=status,
        reading=view.material.reading,
        text=text,
        claims=tuple(claims),
        receipts=carried.receipts,
        shared_receipts=carried.shared,
        computations=tuple(computations),
        disclosures=(*disclosures.collect(view, query.disclosures(), failures), *lost),
        failures=tuple(failures),
        charts=(*draft.charts, *(evidence.charted(published(view), carried) if clarification is None else ())),
        table=draft.table,
        alternatives=tuple(draft.alternatives),
        clarification=clarification,
        refusal=refusal,
        usage=NO_USAGE,
    )


def _loose_figures(view: View, draft: Draft) -> None:
    """The figures themselves, where the promised result could not be formed from them."""
    for slot in view.material.slots:
        for served in view.material.served.get(slot.id, ())[:1]:
            if slot.population is not None:
                continue
            for cell in served.reported()[-1:]:
                draft.claim(cell)
                head = f"{cell.measure.name}, {cell.entity.name}: "
                draft.say(
                    f"{head}{shown(cell)}{when(cell.period)}.",
                    f"{head}{shown(cell, exact=True)}{when(cell.period)}.",
                )


def _clarification(view: View, failures: list[Failure]) -> Clarification | None:
    ambiguous = [mention for mention in alternatives.mentions(view.material.slots) if mention.status == "ambiguous"]
    open_question = any(failure.status is FailureStatus.AMBIGUOUS for failure in failures)
    asking = view.options.on_ambiguity == "ask"
    unsettled: list[EntityMention] = ambiguous if "entity" not in view.options.assumptions else []
    if asking and len(view.combined) > 1 and view.leading.result != "vague_aspect":
        settled = alternatives.which_meaning(view)
        if settled is not None:
            return settled
    if unsettled and (asking or (open_question and not view.combined)):
        return alternatives.which_entity(view.options.assumptions, unsettled)
    if open_question and not view.combined:
        reason = next(failure.reason for failure in failures if failure.status is FailureStatus.AMBIGUOUS)
        return Clarification(question=reason, options=())
    return None

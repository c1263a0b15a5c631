"""How a run travels through the stages, and how it ends, whatever its stages do."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal

import pytest
from pydantic import BaseModel

from shared.models.tasks import Task
from shared.query.annotated import Annotation, Discovered, Failed, Presented, Spilled
from shared.query.answer import Answer, AnswerStatus
from shared.query.discovery import FinderUsage
from shared.query.evidence import Failure, FailureStatus
from shared.runtime import errors
from shared.runtime.records import RunStatus, StepRef
from shared.runtime.settings import PIPELINE
from tests.support.machine import OPTIONS, Machine, machine, note, presented, trivial

MIDDLE = PIPELINE[1:-1]


def raising(error):
    async def body(query, context):
        raise error

    return body


async def trace_of(m: Machine, answer: Answer) -> dict:
    return json.loads(await m.archive.get(f"runs/{answer.run_id}/trace.json"))


class TestComplete:
    async def test_a_question_passes_every_stage_once_and_ends_complete(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("What is India's GDP?", OPTIONS)
            assert answer.status is AnswerStatus.COMPLETE
            assert answer.text == "It is 7."
            assert answer.question == "What is India's GDP?"
            assert [step.stage for step in m.delivered] == list(PIPELINE)
            assert [usage.stage for usage in answer.usage.stages] == list(PIPELINE)
            assert [tried.status for tried in answer.readings_tried] == ["complete"]
            run, again = await m.client.result(answer.run_id)
            assert run.status is RunStatus.ENDED
            assert again == answer

    async def test_progress_is_heard_as_it_is_said_and_is_stored_in_order(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            heard = []
            answer = await m.client.ask("?", OPTIONS, on_event=heard.append)
            stored = [event async for _, event in m.client.watch(answer.run_id)]
            assert [event.text for event in heard] == [event.text for event in stored]
            assert heard[0].text == "read the question"
            assert heard[-1].kind == "answer"
            rest = [n async for n, _ in m.client.watch(answer.run_id, after=3)]
            assert rest == list(range(4, len(heard) + 1))

    async def test_a_listener_that_fails_harms_nobody(self, tmp_path):
        def broken(event):
            raise BrokenPipeError

        async with machine(tmp_path, trivial()) as m:
            assert (await m.client.ask("?", OPTIONS, on_event=broken)).status is AnswerStatus.COMPLETE

    async def test_every_stage_leaves_a_snapshot_of_the_annotated_query(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("?", OPTIONS)
            for count, stage in enumerate(PIPELINE, 1):
                step = StepRef(run_id=answer.run_id, reading=-1 if stage == "understand" else 0, stage=stage)
                query = await m.runner.snapshot(step)
                assert [a.stage for a in query.annotations] == list(PIPELINE[:count])
                assert query.reading == step.reading
            with pytest.raises(LookupError, match=r"1\.slots"):
                await m.runner.snapshot(StepRef(run_id=answer.run_id, reading=1, stage=PIPELINE[1]))

    async def test_the_trace_of_an_ended_run_is_archived_whole(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("?", OPTIONS)
            trace = await trace_of(m, answer)
            assert answer.trace == str(tmp_path / "archive" / "runs" / answer.run_id / "trace.json")
            assert [step["usage"]["stage"] for step in trace["steps"]] == list(PIPELINE)
            assert [a["stage"] for a in trace["annotations"]] == list(PIPELINE)
            assert trace["events"][-1]["kind"] == "answer"
            assert trace["answer"]["text"] == answer.text
            assert trace["run"]["status"] == (await m.store.get(answer.run_id)).status == RunStatus.ENDED
            assert Answer.model_validate(trace["answer"] | {"trace": answer.trace}) == answer

    async def test_an_archive_that_cannot_be_written_costs_the_trace_and_not_the_answer(self, tmp_path):
        (tmp_path / "archive").write_text("a file where the folder should be")
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.COMPLETE
            assert answer.trace is None
            assert "trace of this answer was not kept" in answer.disclosures[-1].text

    async def test_fifty_questions_at_once_each_get_their_own_answer(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answers = await asyncio.gather(*(m.client.ask(f"question {n}", OPTIONS) for n in range(50)))
            assert [answer.question for answer in answers] == [f"question {n}" for n in range(50)]
            assert {answer.status for answer in answers} == {AnswerStatus.COMPLETE}

    async def test_what_the_finder_spent_is_told_apart(self, tmp_path):
        async def discover(query, context):
            spent = FinderUsage(seconds=0.5, model_calls=1, tokens=10, usd="0.002")
            first = Discovered(documents=(), usage=spent)
            return [
                Annotation(reading=0, stage="discover", source=source, payload=payload)
                for source, payload in (("a", first), ("b", Discovered(documents=())))
            ]

        async with machine(tmp_path, trivial(bodies={"discover": discover})) as m:
            usage = (await m.client.ask("?", OPTIONS)).usage
            assert usage.finder == {
                "searches": 1,
                "seconds": 0.5,
                "model_calls": 1,
                "tokens": 10,
                "usd": "0.002",
            }
            assert usage.model_calls == 0


class TestLargePayloads:
    async def test_a_payload_too_large_for_a_document_travels_through_the_archive(self, tmp_path):
        seen = []

        async def execute(query, context):
            return [note(query, "execute", "x" * 1_000_000)]

        async def combine(query, context):
            seen.extend(a.payload.disclosure.text for a in query.annotations if a.stage == "execute")
            return []

        async with machine(tmp_path, trivial(bodies={"execute": execute, "combine": combine})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert seen == ["x" * 1_000_000]
            stored = [a for a in await m.store.annotations(answer.run_id) if a.stage == "execute"]
            assert isinstance(stored[0].payload, Spilled)
            assert stored[0].payload.of == "noted"
            assert await m.archive.get(stored[0].payload.blob)
            step = StepRef(run_id=answer.run_id, reading=0, stage=PIPELINE[7])
            assert (await m.runner.snapshot(step)).annotations[-1].payload.disclosure.text == "x" * 1_000_000
            # The answer repeats it, is too large itself, and is read back all the same.
            run, again = await m.client.result(answer.run_id)
            assert run.answer is None
            assert run.answer_blob
            assert run.answer_blob.startswith("blobs/")
            assert again == answer
            assert len(again.disclosures[-1].text) == 1_000_000


class TestFailures:
    @pytest.mark.parametrize("stage", MIDDLE)
    async def test_a_designed_error_in_any_stage_is_shown_and_presented(self, tmp_path, stage):
        error = errors.PublisherUnreachable("the World Bank did not answer in 10 s")
        async with machine(tmp_path, trivial(bodies={stage: raising(error)})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.UNANSWERED
            assert answer.failures == (
                Failure(stage=stage, source=None, slot=None, status=FailureStatus.UNREACHABLE, reason=str(error)),
            )
            assert m.delivered[-1].stage == "present"
            assert answer.readings_tried[0].why == str(error)

    @pytest.mark.parametrize("stage", PIPELINE)
    async def test_an_unexpected_error_in_any_stage_ends_the_run_failed_without_telling_secrets(
        self, tmp_path, stage, caplog
    ):
        async with machine(tmp_path, trivial(bodies={stage: raising(RuntimeError("key=sk-secret"))})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.FAILED
            (failure,) = answer.failures
            assert (failure.stage, failure.status) == (stage, FailureStatus.INTERNAL)
            assert "RuntimeError" in failure.reason
            stored = await m.archive.get(f"runs/{answer.run_id}/trace.json")
            assert b"sk-secret" not in stored
            assert "sk-secret" not in answer.to_json()
            assert (await m.store.get(answer.run_id)).status is RunStatus.ENDED

    async def test_a_question_that_cannot_be_read_is_presented_as_such(self, tmp_path):
        error = errors.CannotRead("this is not a question about figures", ["What is the GDP of India?"])
        async with machine(tmp_path, trivial(bodies={"understand": raising(error)})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert [step.id for step in m.delivered] == ["-1.understand", "-1.present"]
            assert answer.status is AnswerStatus.UNANSWERED
            assert answer.failures[0].status is FailureStatus.UNREADABLE
            assert answer.reading is None
            assert answer.readings_tried == ()

    async def test_a_stage_that_writes_under_anothers_name_is_a_fault(self, tmp_path):
        async def slots(query, context):
            return [note(query, "plan", "not mine")]

        async with machine(tmp_path, trivial(bodies={"slots": slots})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.FAILED
            assert "0.plan.-.-.0, which is not its own" in answer.failures[0].reason

    async def test_a_stage_that_writes_one_key_twice_is_a_fault(self, tmp_path):
        async def slots(query, context):
            return [note(query, "slots", "one"), note(query, "slots", "two")]

        async with machine(tmp_path, trivial(bodies={"slots": slots})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert "two annotations called 0.slots.-.-.0" in answer.failures[0].reason

    @pytest.mark.parametrize("broken", [{}, {"status": "splendid"}, {"claims": [{"id": 3}]}])
    async def test_an_answer_that_does_not_keep_to_its_form_is_a_fault(self, tmp_path, broken):
        async def present(query, context):
            right = presented(query, "complete")
            answer = {**right.payload.answer, **broken} if broken else {}
            return [right.model_copy(update={"payload": Presented(answer=answer, status="complete")})]

        async with machine(tmp_path, trivial(bodies={"present": present})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.FAILED
            assert "does not keep to its form" in answer.failures[-1].reason

    async def test_present_that_writes_nothing_is_a_fault(self, tmp_path):
        async def present(query, context):
            return []

        async with machine(tmp_path, trivial(bodies={"present": present})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.FAILED
            assert "present wrote no answer" in answer.text

    async def test_of_errors_raised_together_the_gravest_is_told(self, tmp_path):
        group = ExceptionGroup(
            "several", [errors.PublisherUnreachable("slow"), errors.BudgetExhausted("the budget is used up")]
        )
        async with machine(tmp_path, trivial(bodies={"execute": raising(group)})) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.failures[0].reason == "the budget is used up"


class TestPhases:
    async def test_models_are_not_asked_during_execution(self, tmp_path):
        """Invariant 1: no model call and no meaning resolution in ``execute``."""
        asked = []

        class Reply(BaseModel):
            choice: str

        task = Task("choose", 1, Reply, Reply, lambda request, reply: None)

        class Judge:
            name = "builtin"

            def can(self, task):
                return True

            async def ask(self, task, request, context, *, hint=None):
                asked.append(context.phase.stage)
                return request

        async def judging(query, context):
            await context.judge(task, Reply(choice="a"))
            return []

        bodies = {"select": judging, "execute": judging}
        async with machine(tmp_path, trivial(bodies=bodies), judges=[Judge()]) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert asked == ["select"]
            assert answer.status is AnswerStatus.FAILED
            assert answer.failures[0].stage == "execute"
            assert "was asked for in execute, where only code may decide" in answer.failures[0].reason
            assert [(use.model, use.task, use.calls) for use in answer.usage.models] == [
                ("builtin", "choose.v1", 1)
            ]


class TestReadings:
    async def test_the_next_reading_is_tried_when_one_is_not_complete(self, tmp_path):
        async with machine(tmp_path, trivial(statuses=["unanswered", "complete", "complete"])) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.COMPLETE
            assert answer.reading.entity.text == "India 1"
            assert [(t.status, t.why) for t in answer.readings_tried] == [
                ("unanswered", "reading 0 was unanswered"),
                ("complete", "reading 1 was complete"),
            ]
            assert answer.disclosures[-1].kind == "reading"
            assert next(step.id for step in m.delivered if step.reading == 1) == "1.slots"
            assert len(answer.usage.stages) == 1 + 2 * 9

    @pytest.mark.parametrize(
        ("statuses", "kept"),
        [
            (["unanswered", "partial", "partial"], 1),
            (["partial", "unanswered"], 0),
            (["unanswered", "refused"], 0),
            (["refused", "partial"], 1),
            (["unanswered", "unanswered", "unanswered"], 0),
        ],
    )
    async def test_the_best_reading_is_kept_when_none_is_complete(self, tmp_path, statuses, kept):
        async with machine(tmp_path, trivial(statuses=statuses)) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.reading.entity.text == f"India {kept}"
            assert answer.status == statuses[kept]
            assert [t.status for t in answer.readings_tried] == statuses

    async def test_a_clarification_ends_the_run(self, tmp_path):
        async with machine(tmp_path, trivial(statuses=["needs_clarification", "complete"])) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.NEEDS_CLARIFICATION
            assert len(answer.readings_tried) == 1

    async def test_a_refused_source_does_not_backtrack(self, tmp_path):
        """Invariant 3: a named source that cannot be honoured stops the other readings."""

        async def discover(query, context):
            failure = Failure(
                stage="discover", source=None, slot=None, status=FailureStatus.NOT_COVERED, reason="no NIH here"
            )
            return [Annotation(reading=0, stage="discover", payload=Failed(failure=failure, final=True))]

        stages = trivial(bodies={"discover": discover}, statuses=["unanswered", "complete"])
        async with machine(tmp_path, stages) as m:
            answer = await m.client.ask("GDP from NIH?", OPTIONS)
            assert answer.status is AnswerStatus.UNANSWERED
            assert {step.reading for step in m.delivered} == {-1, 0}
            assert answer.failures[0].reason == "no NIH here"

    async def test_a_designed_error_in_one_reading_lets_the_next_be_tried(self, tmp_path):
        async def select(query, context):
            if query.reading == 0:
                raise errors.ModelUnavailable("provider request failed")
            return []

        async with machine(tmp_path, trivial(bodies={"select": select}, statuses=["x", "complete"])) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.COMPLETE
            assert answer.readings_tried[0].why == "provider request failed"

    async def test_a_partial_answer_outlives_a_fault_in_a_later_reading_which_it_lists(self, tmp_path):
        async def select(query, context):
            if query.reading == 1:
                raise RuntimeError("bug")
            return []

        async with machine(tmp_path, trivial(bodies={"select": select}, statuses=["partial", "x"])) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.PARTIAL
            assert answer.failures[-1].status is FailureStatus.INTERNAL
            assert [t.status for t in answer.readings_tried] == ["partial", "failed"]


class TestBudget:
    async def test_a_spent_budget_ends_the_run_with_what_is_known(self, tmp_path):
        async def spend(query, context):
            for _ in range(12):
                context.budget.reserve(Decimal("0.01"))
                context.budget.settle(reserved=Decimal("0.01"), usd=Decimal("0.005"), tokens=100, seconds=0.1)
            return []

        bodies = {"discover": spend, "select": spend}
        async with machine(tmp_path, trivial(bodies=bodies, statuses=["x", "complete"])) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.UNANSWERED
            assert answer.failures[0].status is FailureStatus.BUDGET
            assert answer.failures[0].reason == "the run's 20 model calls are used up"
            # Both stages' calls count, also those of the stage that was stopped; no other reading is tried.
            assert answer.usage.model_calls == 20
            assert answer.usage.usd == Decimal("0.100")
            assert answer.usage.tokens == 2000
            assert {step.reading for step in m.delivered} == {-1, 0}

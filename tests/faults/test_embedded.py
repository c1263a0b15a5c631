"""Every fault at once, on a file in one process; and the checks see what they are there to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.adapters.folder_archive import FolderArchive
from shared.adapters.sqlite_store import SqliteStore
from shared.runtime.records import StepCommit, StepRef
from tests.faults import embedded
from tests.faults.chances import Chances
from tests.faults.checks import used, violations
from tests.faults.ports import FAULTS
from tests.support.machine import OPTIONS, machine, note, trivial


async def test_no_question_is_lost_or_paid_twice_among_all_faults(tmp_path: Path) -> None:
    report = await embedded.run(80, tmp_path, rates=embedded.rates(0.02), seed=4)
    assert report.passed, report.text()
    assert report.hung == 8
    assert all(report.struck[fault] for fault in FAULTS), report.text()
    assert report.attempts > report.steps


@pytest.mark.parametrize("fault", FAULTS)
async def test_each_fault_by_itself_loses_nothing(tmp_path: Path, fault: str) -> None:
    report = await embedded.run(8, tmp_path, rates={fault: 0.2}, seed=1)
    assert report.passed, report.text()
    assert report.struck[fault]


def test_a_fault_strikes_once_at_a_place_whoever_comes_by(tmp_path: Path) -> None:
    chances = Chances(tmp_path, {"kill": 1.0, "stall": 0.5})
    other = Chances.from_json(chances.to_json())
    assert [chances.strikes("kill", "here"), other.strikes("kill", "here"), other.strikes("kill", "there")] == [
        True,
        False,
        True,
    ]
    hits = sum(chances.strikes("stall", str(number)) for number in range(400))
    assert 150 < hits < 250
    assert other.counted() == {"kill": 2, "stall": hits}


class TestChecks:
    """What is wrong is seen: a harness that sees nothing passes everything."""

    async def broken(self, tmp_path: Path, how: Any) -> list[str]:
        async with machine(tmp_path, trivial(), store=how(tmp_path / "runs-3.sqlite3")) as m:
            answer = await m.client.ask("?", OPTIONS)
            await m.bus.drained()
            return await violations(m.store, m.archive, answer.run_id, expected=None)

    async def test_all_is_well_without_faults(self, tmp_path: Path) -> None:
        assert await self.broken(tmp_path, SqliteStore) == []

    async def test_an_annotation_written_twice_is_seen(self, tmp_path: Path) -> None:
        class Twice(SqliteStore):
            async def annotations(self, run_id: Any, *, after: int = 0) -> Any:
                found = await super().annotations(run_id, after=after)
                return [*found, found[-1]] if found else found

        assert "is there 2 times" in (await self.broken(tmp_path, Twice))[0]

    async def test_usage_counted_twice_is_seen(self, tmp_path: Path) -> None:
        class Dear(SqliteStore):
            async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
                dear = result.budget.model_copy(update={"model_calls": result.budget.model_calls + 1})
                await super().commit(step, token=token, result=result.model_copy(update={"budget": dear}))

        assert any("its budget says" in one for one in await self.broken(tmp_path, Dear))

    async def test_a_run_that_does_not_end_and_a_step_that_stays_held_are_seen(self, tmp_path: Path) -> None:
        async with machine(tmp_path, trivial(), start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = (await m.store.steps(run.run_id))[0].step
            await m.store.claim(step, owner="x", lease=embedded.WAITING)
            found = await violations(m.store, m.archive, run.run_id, expected=None)
        assert any("it has not ended" in one for one in found)
        assert any("is still held" in one for one in found)
        assert "it was said 0 times that it has ended" in found

    async def test_another_usage_than_without_faults_is_seen(self, tmp_path: Path) -> None:
        async with machine(tmp_path, trivial(bodies={"plan": self.nothing})) as m:
            first = await m.client.ask("?", OPTIONS)
            expected = used(await m.store.steps(first.run_id))
            assert await violations(m.store, m.archive, first.run_id, expected=expected) == []
            found = await violations(m.store, m.archive, first.run_id, expected=expected | {"tokens": 7})
        assert found == ["tokens is 0, without faults 7"]

    async def test_another_answer_in_the_archive_is_seen(self, tmp_path: Path) -> None:
        async with machine(tmp_path, trivial()) as m:
            one, two = await m.client.ask("?", OPTIONS), await m.client.ask("?", OPTIONS)
            other = await m.archive.get(f"runs/{two.run_id}/trace.json")
            await m.archive.put(f"runs/{one.run_id}/trace.json", other)
            assert isinstance(m.archive, FolderArchive)
            found = await violations(m.store, m.archive, one.run_id, expected=None)
        assert found == ["the archive has another answer"]

    async def nothing(self, query: Any, context: Any) -> list[Any]:
        return [note(query, "plan", "p")]

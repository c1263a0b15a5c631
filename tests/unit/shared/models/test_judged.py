"""What is written down of a model's judgment: only what was offered and what an accepted reply named."""

from __future__ import annotations

import pytest

from shared.models.builtin import BuiltinJudge
from shared.models.judged import LONGEST, MOST_IDS, judged
from shared.runtime.errors import ReplyInvalid
from tests.support.model_server import in_turn, right
from tests.unit.shared.models.conftest import PICK, REQUEST, Pick, Picked, standing


async def test_an_accepted_reply_is_kept_with_what_was_offered(context) -> None:
    async with standing("openai", in_turn(right({"chosen": "b", "sure": "yes", "why": "it fits"}))) as (_, judge):
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    (one,) = run.judged
    assert (one.task, one.by, one.accepted) == (PICK.id, "stand-in", True)
    assert (one.offered, one.chosen) == ({"chosen": ("a", "b")}, {"chosen": ("b",)})
    assert one.seconds > 0


async def test_a_reply_that_was_not_accepted_leaves_its_reason_and_no_choice(context) -> None:
    async with standing("openai", in_turn(right({"chosen": "z", "sure": "yes", "why": ""}))) as (_, judge):
        run = context(judges=(judge,))
        with pytest.raises(ReplyInvalid):
            await run.judge(PICK, REQUEST)
    (one,) = run.judged
    assert (one.accepted, one.chosen) == (False, {"chosen": ()})
    assert one.why


async def test_a_rules_judgment_is_not_written_down(context) -> None:
    async def rule(request: Pick, _: object) -> Picked:
        return Picked(chosen=request.ids[0])

    run = context(judges=(BuiltinJudge({PICK.name: rule}),))
    await run.judge(PICK, REQUEST)
    assert run.judged == []


def test_a_record_is_bounded_whatever_was_offered() -> None:
    request = Pick(words="x", ids=tuple(f"{n}-{'y' * 1000}" for n in range(500)))
    one = judged(PICK, request, None, by="m", seconds=1.0, why="z" * 5000)
    assert len(one.offered["chosen"]) == MOST_IDS
    assert max(map(len, (*one.offered["chosen"], one.why))) == LONGEST

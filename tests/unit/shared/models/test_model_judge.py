"""A model as a judge: budget, accounts, time, keys, and what stands in for it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from decimal import Decimal

import pytest

from shared.models.builtin import BuiltinJudge
from shared.models.model_judge import ModelJudge
from shared.models.panel import ask_panel
from shared.models.prices import Price, PriceTable
from shared.models.providers.chat import ChatReply, Spent
from shared.runtime.budget import Budget, Limits
from shared.runtime.errors import (
    BudgetExhausted,
    DeadlineExceeded,
    ModelUnavailable,
    NeuralKGError,
    ReplyInvalid,
)
from tests.support.model_server import Reply, in_turn, refusing, right
from tests.unit.shared.models.conftest import KEY, PICK, PROVIDERS, REQUEST, Picked, standing

GOOD = right({"chosen": "a"})
PRICE = Price(Decimal(1), Decimal(10), Decimal("0.1"), Decimal("1.25"))
"""Dollars per million tokens."""


class Answering:
    """A model without a wire: replies at once, with this usage."""

    name = "at-once"

    def __init__(self, spent: Spent | None) -> None:
        self.spent, self.asked = spent, 0

    async def complete(self, request, *, deadline):
        self.asked += 1
        return ChatReply('{"chosen": "a"}', self.spent)


async def rules(_request, _context):
    return Picked(chosen="b")


BUILTIN = BuiltinJudge({PICK.name: rules})


# Budget ---------------------------------------------------------------------------------------------


async def test_a_call_is_settled_at_its_tokens_and_their_price(context):
    judge = ModelJudge(Answering(Spent(read=1000, written=100, cached=400, stored=200)), PRICE)
    run = context(judges=(judge,))
    await run.judge(PICK, REQUEST)
    # 400 fresh at $1, 400 cached at $0.10, 200 stored at $1.25, 100 written at $10, each for a million.
    assert run.budget.used.usd == Decimal("0.00169")
    assert run.budget.used.tokens == 1100
    assert run.meter.models[0].usd == Decimal("0.00169")


async def test_a_call_whose_use_nobody_told_is_settled_at_its_worst(context):
    judge = ModelJudge(Answering(None), PRICE)
    run = context(judges=(judge,))
    await run.judge(PICK, REQUEST)
    assert run.budget.used.usd > Decimal("0.00064")  # the 64 tokens that it might have written, and what it read
    assert run.budget.reserved_usd == 0


async def test_no_call_is_made_that_could_cost_more_than_is_left(context):
    model = Answering(Spent(read=1, written=1))
    run = context(judges=(ModelJudge(model, PRICE),), budget=Budget(Limits(usd=Decimal("0.0001"))))
    with pytest.raises(BudgetExhausted, match=r"\$0\.0001"):
        await run.judge(PICK, REQUEST)
    assert model.asked == 0
    assert run.meter.models == []


async def test_the_calls_of_a_run_are_bounded(context):
    model = Answering(Spent(read=1, written=1))
    run = context(judges=(ModelJudge(model, PRICE),), budget=Budget(Limits(model_calls=3)))
    for _ in range(3):
        await run.judge(PICK, REQUEST)
    with pytest.raises(BudgetExhausted, match="3 model calls"):
        await run.judge(PICK, REQUEST)
    assert model.asked == 3


async def test_calls_side_by_side_never_pass_the_limit_together(context):
    async with standing("openai", in_turn(right({"chosen": "a"}, after=0.05))) as (server, judge):
        run = context(judges=(judge,), budget=Budget(Limits(model_calls=4)))
        done = await asyncio.gather(*(run.judge(PICK, REQUEST) for _ in range(9)), return_exceptions=True)
    assert len(server.asked) == 4
    assert sum(isinstance(one, BudgetExhausted) for one in done) == 5


async def test_a_reply_that_crosses_a_limit_is_kept_and_the_crossing_is_told(context):
    said: list[str] = []
    model = Answering(Spent(usd=Decimal("0.40")))
    run = context(judges=(ModelJudge(model, PRICE),), budget=Budget(Limits(usd=Decimal("0.30"))), said=said)
    assert (await run.judge(PICK, REQUEST)).chosen == "a"
    assert said == ["at-once crossed the budget with pick_one: $0.40 of $0.30 are spent; its reply is kept"]
    with pytest.raises(BudgetExhausted):
        await run.judge(PICK, REQUEST)


async def test_a_call_that_the_server_turns_away_costs_nothing(context):
    async with standing("openrouter", in_turn(refusing(429), GOOD), models="google/gemini-3.8-flash") as (_, judge):
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    assert [(use.calls, use.tokens, use.usd > 0) for use in run.meter.models] == [(1, 0, False), (1, 120, True)]


async def test_a_call_that_broke_off_or_was_cancelled_is_held_to_have_cost_its_worst(context):
    paid = {"models": "google/gemini-3.8-flash"}
    async with standing("openrouter", in_turn(Reply("{}", cut=5), GOOD), **paid) as (_, judge):
        broken = context(judges=(judge,))
        await broken.judge(PICK, REQUEST)
    async with standing("openrouter", in_turn(right({}, after=9.0)), **paid) as (server, judge):
        cancelled = context(judges=(judge,))
        asking = asyncio.create_task(cancelled.judge(PICK, REQUEST))
        while not server.asked:  # noqa: ASYNC110 - the server is another task of this loop
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    assert broken.meter.models[0].usd == cancelled.meter.models[0].usd > 0
    assert cancelled.budget.reserved_calls == 0


def test_every_price_has_its_source_and_date():
    table = PriceTable.read()
    for name in ("openai/gpt-oss-120b", "google/gemini-3.8-flash", "qwen/qwen3.8-27b", "google/gemma-4-26b-a4b-it"):
        price = table.get(name)
        assert price is not None
        assert price.source.startswith("https://")
        assert price.date.startswith("2026")
    assert table.get("openai/gpt-oss-120b:nitro") == table.get("openai/gpt-oss-120b")
    assert table.get("unheard-of") is None


def test_prices_of_ones_own_come_first(tmp_path):
    own = tmp_path / "prices.tsv"
    header = "model\tinput\toutput\tcache_read\tcache_write\tsource\tdate"
    own.write_text(f"{header}\nmine\t3\t4\t\t\tour contract\t2026-01-01\n", encoding="utf-8")
    assert PriceTable.read(own).get("mine") == Price(
        Decimal(3), Decimal(4), Decimal(3), Decimal(3), source="our contract", date="2026-01-01"
    )
    own.write_text(f"{header}\nmine\t-3\t4\t\t\t\t\n", encoding="utf-8")
    with pytest.raises(NeuralKGError, match=r"prices\.tsv:2"):
        PriceTable.read(own)


# Time -----------------------------------------------------------------------------------------------


async def test_the_runs_time_ends_a_call_as_the_runs_end_and_not_as_the_models_fault(context):
    async with standing("openai", in_turn(right({"chosen": "a"}, after=9.0))) as (_, judge):
        with pytest.raises(DeadlineExceeded):
            await context(judges=(judge,), seconds=0.2).judge(replace(PICK, fallback=False), REQUEST)


async def test_a_provider_that_hangs_leaves_the_rules_their_time(context):
    async with standing("openai", in_turn(right({"chosen": "a"}, after=9.0))) as (_, judge):
        run = context(judges=(judge, BUILTIN), seconds=0.9)
        assert (await run.judge(PICK, REQUEST)).chosen == "b"
    assert run.deadline.remaining > 0.2
    assert "gave no answer in 0.3 s" in run.told[0]


# Who stands in --------------------------------------------------------------------------------------


async def test_the_builtin_judge_stands_in_when_no_model_can_be_reached_and_the_answer_says_so(context):
    async with standing("openai", in_turn(refusing(503))) as (_, judge):
        run = context(judges=(judge, BUILTIN))
        for _ in range(2):
            assert (await run.judge(PICK, REQUEST)).chosen == "b"
    (told,) = run.told
    assert "no language model could be asked for pick_one" in told
    assert "built-in rules" in told
    assert [use.model for use in run.meter.models][-1] == "builtin"


async def test_the_builtin_judge_never_stands_in_for_a_task_that_does_not_allow_it(context):
    async with standing("openai", in_turn(refusing(503))) as (_, judge):
        run = context(judges=(judge, BUILTIN))
        with pytest.raises(ModelUnavailable):
            await run.judge(replace(PICK, fallback=False), REQUEST)
    assert run.told == []


async def test_a_model_that_answers_nonsense_is_a_visible_failure_and_no_outage(context):
    async with standing("openai", in_turn(right({"chosen": "c"}))) as (_, judge):
        run = context(judges=(judge, BUILTIN))
        with pytest.raises(ReplyInvalid, match="stand-in broke the contract"):
            await run.judge(PICK, REQUEST)
    assert run.told == []


async def test_the_builtin_members_read_when_no_model_of_the_panel_can_be_reached(context):
    async with standing("openai", in_turn(refusing(503)), models="one,two,three") as (server, _):
        pass
    async with standing("openai", in_turn(refusing(503))) as (_, judge):
        run = context(panel=(judge, judge), panel_stand_in=(BUILTIN,))
        result = await ask_panel(run.panel, PICK, REQUEST, run, shape=lambda reply: reply.chosen)
    assert [reply.chosen for reply in result.replies] == ["b"]
    assert "the built-in rules did it" in result.notes[0]
    assert [vote.member for vote in result.votes] == ["builtin"]
    assert server.asked == []


async def test_no_builtin_member_reads_while_one_model_answers(context):
    async with (
        standing("openai", in_turn(refusing(503))) as (_, down),
        standing("openai", in_turn(GOOD), models="up") as (_, up),
    ):
        run = context(panel=(down, up), panel_stand_in=(BUILTIN,))
        result = await ask_panel(run.panel, PICK, REQUEST, run, shape=lambda reply: reply.chosen)
    assert [(vote.member, vote.structure) for vote in result.votes] == [("stand-in", None), ("up", "a")]
    assert len(result.notes) == 1
    assert "stand-in gave no reading" in result.notes[0]


async def test_no_builtin_member_reads_for_a_panel_that_broke_its_contract(context):
    async with standing("openai", in_turn(Reply("nonsense"))) as (_, broken):
        run = context(panel=(broken,), panel_stand_in=(BUILTIN,))
        with pytest.raises(ReplyInvalid):
            await ask_panel(run.panel, PICK, REQUEST, run, shape=lambda reply: reply.chosen)


async def test_a_panel_of_which_nobody_answers_asks_its_next_member_when_its_time_is_up(context):
    async with (
        standing("openai", in_turn(right({}, after=9.0))) as (_, hung),
        standing("openai", in_turn(GOOD), models="third") as (_, third),
    ):
        run = context(panel=(hung, hung, third))
        result = await ask_panel(
            run.panel, PICK, REQUEST, run, shape=lambda reply: reply.chosen, deadline_seconds=0.2
        )
    assert [vote.member for vote in result.votes] == ["third"]


# Keys -----------------------------------------------------------------------------------------------

ERRORS = {
    "a wrong key": refusing(401, code=KEY, message=f"Incorrect API key provided: {KEY}"),
    "a request turned away": refusing(400, code=KEY, message=f"Authorization: Bearer {KEY}"),
    "a busy server": refusing(429, code=KEY, message=KEY),
    "a broken one": refusing(500, code=KEY, message=KEY),
    "a reply that is the key": Reply(KEY),
    "a body that is no JSON": Reply(raw=KEY.encode()),
    "a broken connection": Reply(f'"{KEY}"', cut=30),
    "a redirect": Reply(status=307, headers={"Location": f"https://elsewhere.example/{KEY}"}),
    "a foreign tool": Reply("{}", tool=KEY),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("name", ERRORS)
async def test_a_key_is_told_by_no_error_no_log_no_trace_and_no_repr(provider, name, context, caplog):
    said: list[str] = []
    with caplog.at_level(logging.DEBUG):
        async with standing(provider, in_turn(ERRORS[name])) as (server, judge):
            run = context(judges=(judge, BUILTIN), said=said)
            with pytest.raises(NeuralKGError) as raised:
                await run.ask_member(judge, PICK, REQUEST)
            shown = repr(judge) + repr(vars(judge)) + repr(judge._model)
    assert any(KEY in value for value in server.asked[0].headers.values())
    chain = [f"{error!r} {error}" for error in _chained(raised.value)]
    logged = "".join(record.getMessage() for record in caplog.records if record.name.split(".")[0] != "uvicorn")
    for text in (*chain, shown, logged, *said, repr(run.meter), *run.told):
        assert KEY not in text


def _chained(error: BaseException) -> list[BaseException]:
    """An error and all those behind it, each once."""
    found: list[BaseException] = []
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and one not in found:
            found.append(one)
            waiting += [one.__cause__, one.__context__]
    return found

"""What each provider is sent, and what is read from its answers."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal

import httpx
import pytest

from shared.models.prices import Price
from shared.models.prompt import system_text
from shared.models.providers.chat import ChatRequest
from shared.models.providers.openai import OpenAIChat
from shared.models.providers.wire import Wire
from shared.runtime.errors import ReplyInvalid
from tests.support.model_server import Reply, in_turn, refusing, right
from tests.unit.shared.models.conftest import KEY, PICK, PROVIDERS, REQUEST, standing

GOOD = right({"chosen": "a", "sure": "yes", "why": ""})


async def sent(provider, context, script=None, **variables):
    """The requests that one judgment sends."""
    async with standing(provider, script or in_turn(GOOD), **variables) as (server, judge):
        await context(judges=(judge,)).judge(PICK, REQUEST)
    return server.asked


async def test_an_openai_server_is_held_to_the_schema_with_the_ids_offered(context):
    (asked,) = await sent("openai", context)
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    form = asked.body["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"] == {
        "type": "object",
        "properties": {
            "chosen": {"type": "string", "enum": ["a", "b"]},
            "sure": {"type": "string", "enum": ["yes", "no"]},
            "why": {"type": "string"},
        },
        "required": ["chosen", "sure", "why"],
        "additionalProperties": False,
    }
    assert asked.body["max_tokens"] == PICK.max_tokens
    assert asked.body["reasoning_effort"] == "low"
    assert asked.body["temperature"] == 0
    assert asked.body["stream"] is False


def test_openais_own_server_is_asked_in_the_words_of_its_newer_models():
    request = ChatRequest(task="t", system="s", user="u", schema={}, closed=True, max_tokens=64, effort="minimal")
    body = OpenAIChat(Wire("https://api.openai.com/v1", httpx.AsyncClient()), "m", own=False).body(request)
    assert body["reasoning_effort"] == "low"
    assert body["max_completion_tokens"] == 64
    assert "temperature" not in body
    assert "max_tokens" not in body


async def test_openrouter_is_told_which_of_a_models_providers_are_preferred(context):
    (asked,) = await sent("openrouter", context)
    assert asked.path == "/api/v1/chat/completions"
    assert asked.body["provider"] == {
        "sort": "throughput",
        "preferred_min_throughput": {"p90": 40},
        "preferred_max_latency": {"p90": 5},
        "require_parameters": True,
    }
    assert asked.body["reasoning"] == {"effort": "low", "exclude": True}
    assert "reasoning_effort" not in asked.body
    assert "routing" not in asked.body


async def test_openrouter_is_asked_without_the_parameters_that_no_provider_of_a_model_knows(context):
    nobody = refusing(404, message="No endpoints found that can handle the requested parameters.")
    first, second = await sent("openrouter", context, in_turn(nobody, GOOD))
    assert first.body["provider"]["require_parameters"] is True
    assert "require_parameters" not in second.body["provider"]
    assert second.body["provider"]["sort"] == "throughput"


async def test_an_error_that_openrouter_puts_into_a_success_is_an_error(context):
    busy = Reply(raw=json.dumps({"error": {"code": 502, "message": "the provider is down"}}).encode())
    assert len(await sent("openrouter", context, in_turn(busy, GOOD))) == 2


async def test_anthropic_is_made_to_call_one_tool_and_may_keep_the_instructions(context):
    (asked,) = await sent("anthropic", context)
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    (tool,) = asked.body["tools"]
    assert asked.body["tool_choice"] == {"type": "tool", "name": tool["name"], "disable_parallel_tool_use": True}
    assert tool["input_schema"]["properties"]["chosen"]["enum"] == ["a", "b"]
    (part,) = asked.body["system"]
    assert part == {"type": "text", "text": system_text(PICK), "cache_control": {"type": "ephemeral"}}


async def test_a_model_of_anthropics_that_cannot_be_forced_is_held_to_the_schema(context):
    unforced = refusing(400, message="Thinking may not be enabled when tool_choice forces tool use.")
    first, second = await sent("anthropic", context, in_turn(unforced, GOOD))
    assert "tools" in first.body
    assert "tools" not in second.body
    assert second.body["output_config"]["format"]["type"] == "json_schema"
    assert second.body["output_config"]["effort"] == "low"


async def test_ollama_is_told_the_schema_and_how_much_it_must_read(context):
    (asked,) = await sent("ollama", context)
    assert asked.path == "/api/chat"
    assert asked.body["format"]["properties"]["chosen"]["enum"] == ["a", "b"]
    assert asked.body["think"] is False
    assert asked.body["options"] == {"temperature": 0, "num_predict": PICK.max_tokens, "num_ctx": 4096}


async def test_the_instructions_are_the_same_for_every_request_of_a_task(context):
    texts = set()
    async with standing("openai", in_turn(GOOD)) as (server, judge):
        for words in ("one", "another"):
            await context(judges=(judge,)).judge(PICK, REQUEST.model_copy(update={"words": words}))
        texts = {asked.body["messages"][0]["content"] for asked in server.asked}
    assert texts == {system_text(PICK)}


async def test_a_server_that_knows_no_response_format_is_remembered(context):
    def script(asked):
        if "response_format" in asked.body:
            return refusing(
                400, message=f"'response_format.type' {asked.body['response_format']['type']} unsupported"
            )
        return GOOD

    async with standing("openai", script) as (server, judge):
        for _ in range(2):
            await context(judges=(judge,)).judge(PICK, REQUEST)
    forms = [asked.body.get("response_format", {}).get("type") for asked in server.asked]
    assert forms == ["json_schema", "json_object", None, None]
    assert "JSON Schema" not in server.asked[0].body["messages"][0]["content"]
    assert '"enum": ["a", "b"]' in server.asked[2].body["messages"][0]["content"]


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Unsupported parameter: 'reasoning_effort'", "reasoning_effort"),
        ("Unsupported value: 'temperature' does not support 0", "temperature"),
        ("Unsupported parameter: 'max_tokens', use 'max_completion_tokens'", "max_tokens"),
    ],
)
async def test_a_parameter_that_a_server_does_not_take_is_left_out_from_then_on(told, name, context):
    def script(asked):
        return refusing(400, message=told) if name in asked.body else GOOD

    async with standing("openai", script) as (server, judge):
        for _ in range(2):
            await context(judges=(judge,)).judge(PICK, REQUEST)
    assert [name in asked.body for asked in server.asked] == [True, False, False]


async def test_a_server_is_asked_what_it_serves_when_no_model_is_named(context):
    async with standing("openai", in_turn(GOOD), models="") as (server, judge):
        server.models = ("what-it-serves", "another")
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    assert server.asked[0].model == "what-it-serves"
    assert [use.model for use in run.meter.models] == ["what-it-serves"]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_an_empty_completion_is_asked_for_again_at_twice_the_length(provider, context):
    asked = await sent(provider, context, in_turn(Reply(""), Reply("", finish="length"), GOOD))
    lengths = [one.body.get("max_tokens") or one.body["options"]["num_predict"] for one in asked]
    assert lengths == [64, 128, 256]


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_the_second_try_is_told_what_was_wrong_with_the_first(provider, context):
    first, second = await sent(provider, context, in_turn(right({"chosen": "c"}), GOOD))
    assert first.hint is None
    assert second.hint == "c was not offered"
    assert second.data == first.data == {"words": "the first of them", "ids": ["a", "b"]}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_tokens_are_those_of_the_reply(provider, context):
    async with standing(provider, in_turn(right({"chosen": "a"}, usage=(321, 54)))) as (_, judge):
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    assert run.meter.models[0].tokens == run.budget.used.tokens == 375


_NONSENSE = (-5, 10**18, 10**40, 1.5, [])


@pytest.mark.parametrize("told", _NONSENSE, ids=repr)
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_call_whose_tokens_are_nonsense_is_settled_at_its_worst_price(provider, told, context):
    reply = right({"chosen": "a"}, usage=(told, told))
    async with standing(provider, in_turn(reply)) as (_, judge):
        judge._price = Price(Decimal(1), Decimal(1), Decimal(1), Decimal(1))
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    assert run.budget.used.tokens == 0
    assert Decimal("0.00005") < run.budget.used.usd < 1
    assert run.budget.reserved_usd == 0


async def test_the_charge_that_openrouter_reports_is_what_the_call_cost(context):
    async with standing("openrouter", in_turn(right({"chosen": "a"}, cost="0.000123"))) as (_, judge):
        run = context(judges=(judge,))
        await run.judge(PICK, REQUEST)
    assert run.meter.models[0].usd == run.budget.used.usd == Decimal("0.000123")


async def test_reasoning_and_a_code_fence_around_the_json_are_no_fault(context):
    fenced = Reply('<think>a or b?</think>\n```json\n{"chosen": "b"}\n```')
    async with standing("openai", in_turn(fenced)) as (_, judge):
        assert (await context(judges=(judge,)).judge(PICK, REQUEST)).chosen == "b"


async def test_a_packed_answer_is_not_unpacked(context):
    packed = Reply(raw=gzip.compress(b"x" * 50_000_000), headers={"Content-Encoding": "gzip"})
    async with standing("openai", in_turn(packed)) as (server, judge):
        with pytest.raises(ReplyInvalid, match="packed its answer"):
            await context(judges=(judge,)).judge(PICK, REQUEST)
    assert server.asked[0].headers["accept-encoding"] == "identity"


async def test_a_model_that_declines_is_a_broken_reply(context):
    declined = Reply(
        raw=json.dumps(
            {"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}
        ).encode()
    )
    async with standing("openai", in_turn(declined)) as (_, judge):
        with pytest.raises(ReplyInvalid, match="declined to answer"):
            await context(judges=(judge,)).judge(PICK, REQUEST)

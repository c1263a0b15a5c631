"""Topics and subscriptions as they stand in the real emulator after they were made."""

from __future__ import annotations

import pytest
from google.api_core.exceptions import NotFound

from functions.local.emulators import free_port
from shared.adapters.pubsub_clients import open_publisher, open_subscriber
from shared.adapters.pubsub_topology import create_topology, delete_topology
from shared.runtime.errors import BusError
from shared.runtime.settings import load_stages
from shared.runtime.topology import topology
from tests.support.pubsub import PROJECT, own_environment

FUNCTIONS = {row.name: f"http://127.0.0.1:{9000 + n}" for n, row in enumerate(load_stages().functions)}


async def subscription(emulator, name):
    async with await open_subscriber(emulator.address) as client:
        return await client.get_subscription(
            subscription=f"projects/{PROJECT}/subscriptions/{name}", timeout=5, retry=None
        )


async def test_everything_stands_as_the_table_of_functions_says(pubsub_emulator):
    wanted = topology(load_stages(), own_environment())
    await create_topology(wanted, PROJECT, endpoints=FUNCTIONS, emulator=pubsub_emulator.address)
    async with await open_publisher(pubsub_emulator.address) as client:
        topics = {
            topic.name.rpartition("/")[2]
            async for topic in await client.list_topics(project=f"projects/{PROJECT}", timeout=5)
        }
    assert set(wanted.topics) <= topics
    for push in wanted.push:
        made = await subscription(pubsub_emulator, push.name)
        assert made.topic == f"projects/{PROJECT}/topics/{push.topic}"
        assert made.push_config.push_endpoint == FUNCTIONS[push.function] + push.path
        assert made.ack_deadline_seconds == push.ack_deadline_seconds
        assert made.message_retention_duration.total_seconds() == push.retention_seconds
        assert made.retry_policy.minimum_backoff.total_seconds() == push.min_backoff_seconds
        assert made.retry_policy.maximum_backoff.total_seconds() == push.max_backoff_seconds
        assert "expiration_policy" in made
        assert not made.expiration_policy.ttl
        if push.dead_letter is None:
            assert not made.dead_letter_policy.dead_letter_topic
        else:
            assert (
                made.dead_letter_policy.dead_letter_topic == f"projects/{PROJECT}/topics/{push.dead_letter.topic}"
            )
            assert made.dead_letter_policy.max_delivery_attempts == push.dead_letter.max_attempts
    for pull in wanted.pull:
        made = await subscription(pubsub_emulator, pull.name)
        assert made.topic == f"projects/{PROJECT}/topics/{pull.topic}"
        assert not made.push_config.push_endpoint
        assert made.message_retention_duration.total_seconds() == pull.retention_seconds


async def test_making_it_again_brings_it_to_its_new_form(pubsub_emulator):
    wanted = topology(load_stages(), own_environment())
    await create_topology(wanted, PROJECT, endpoints=FUNCTIONS, emulator=pubsub_emulator.address)
    slower = wanted.model_copy(
        update={"push": tuple(push.model_copy(update={"ack_deadline_seconds": 77}) for push in wanted.push)}
    )
    moved = dict.fromkeys(FUNCTIONS, "http://127.0.0.1:8999/")
    await create_topology(slower, PROJECT, endpoints=moved, emulator=pubsub_emulator.address)
    made = await subscription(pubsub_emulator, wanted.push[0].name)
    assert (made.push_config.push_endpoint, made.ack_deadline_seconds) == ("http://127.0.0.1:8999/", 77)


async def test_a_push_carries_a_token_whose_audience_is_the_function(pubsub_emulator):
    wanted = topology(load_stages(), own_environment())
    await create_topology(wanted, PROJECT, endpoints=FUNCTIONS, oidc=True, emulator=pubsub_emulator.address)
    made = await subscription(pubsub_emulator, f"neuralkg-{wanted.environment}-questions")
    assert made.push_config.push_endpoint == f"{FUNCTIONS['ask']}/push/questions"
    assert made.push_config.oidc_token.audience == FUNCTIONS["ask"]
    assert (
        made.push_config.oidc_token.service_account_email
        == f"neuralkg-{wanted.environment}-push@{PROJECT}.iam.gserviceaccount.com"
    )


async def test_removing_it_leaves_nothing_and_may_be_done_twice(pubsub_emulator):
    wanted = topology(load_stages(), own_environment())
    await create_topology(wanted, PROJECT, endpoints={}, emulator=pubsub_emulator.address)
    await delete_topology(wanted, PROJECT, emulator=pubsub_emulator.address)
    await delete_topology(wanted, PROJECT, emulator=pubsub_emulator.address)
    with pytest.raises(NotFound):
        await subscription(pubsub_emulator, wanted.push[0].name)


async def test_a_service_that_is_away_is_an_error_in_time():
    wanted = topology(load_stages(), "dev")
    with pytest.raises(BusError, match="creating topics"):
        await create_topology(wanted, PROJECT, endpoints={}, emulator=f"127.0.0.1:{free_port()}", seconds=0.5)

"""``neuralkg letters`` on the Pub/Sub emulator: letters are shown, sent again and dropped."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest
from google.pubsub_v1.types import PubsubMessage

from functions.local.commands.letters import _letters as opened
from functions.local.emulators import PubSub
from functions.local.letters import Letters
from shared.adapters.pubsub_clients import open_publisher
from shared.runtime.errors import BusError, UsageError
from shared.runtime.topology import Names
from tests.support.pubsub import PROJECT, pulled, topics

STEP = b'{"run_id":"r1","reading":0,"stage":"slots"}'


async def died(emulator: PubSub, names: Names, data: bytes, attributes: Mapping[str, str]) -> str:
    """A dead letter as Pub/Sub or a function makes it; returns its id."""
    async with await open_publisher(emulator.address) as publisher:
        told = await publisher.publish(
            topic=f"projects/{PROJECT}/topics/{names.dead_letters}",
            messages=[PubsubMessage(data=data, attributes=attributes)],
            timeout=10,
        )
    return str(told.message_ids[0])


def given_up(names: Names, topic: str) -> dict[str, str]:
    return {
        "ce-type": "neuralkg.step.v1",
        "CloudPubSubDeadLetterSourceSubscription": names.of(topic),
        "CloudPubSubDeadLetterSourceDeliveryCount": "6",
    }


FOREIGN = {
    "neuralkg-reason": "not_json",
    "neuralkg-detail": "the request is not JSON",
    "neuralkg-function": "slots",
}


async def test_letters_are_shown_and_stay(pubsub_emulator: PubSub) -> None:
    async with topics(pubsub_emulator) as made:
        names = Names(made.environment)
        first = await died(pubsub_emulator, names, STEP, given_up(names, "slots"))
        second = await died(pubsub_emulator, names, b"what", FOREIGN)
        letters = Letters(PROJECT, made.environment, emulator=pubsub_emulator.address)
        for _ in range(2):
            found = {letter.id: letter for letter in await letters.show(100)}
            assert set(found) == {first, second}
            assert found[first].source == names.of("slots")
            assert (found[second].source, found[second].reason) == (None, "not_json: the request is not JSON")


async def test_what_was_given_up_goes_where_it_came_from_and_what_is_foreign_stays(pubsub_emulator: PubSub) -> None:
    async with topics(pubsub_emulator) as made:
        names = Names(made.environment)
        letter = await died(pubsub_emulator, names, STEP, given_up(names, "slots"))
        foreign = await died(pubsub_emulator, names, b"what", FOREIGN)
        letters = Letters(PROJECT, made.environment, emulator=pubsub_emulator.address)
        sent, stay = await letters.replay(100)
        assert ([one.id for one in sent], [one.id for one in stay]) == ([letter], [foreign])
        (again,) = await pulled(pubsub_emulator, names.of("slots"), count=1)
        assert again.data == STEP
        assert dict(again.attributes) == {"ce-type": "neuralkg.step.v1"}
        assert [one.id for one in await letters.show(100)] == [foreign]


async def test_a_letter_of_another_environment_is_not_sent(pubsub_emulator: PubSub) -> None:
    async with topics(pubsub_emulator) as made:
        names = Names(made.environment)
        other = {"CloudPubSubDeadLetterSourceSubscription": "neuralkg-another-slots"}
        await died(pubsub_emulator, names, STEP, other)
        sent, stay = await Letters(PROJECT, made.environment, emulator=pubsub_emulator.address).replay(100)
        assert (len(sent), len(stay)) == (0, 1)


async def test_a_letter_is_dropped_by_its_id(pubsub_emulator: PubSub) -> None:
    async with topics(pubsub_emulator) as made:
        names = Names(made.environment)
        first = await died(pubsub_emulator, names, b"one", FOREIGN)
        second = await died(pubsub_emulator, names, b"two", FOREIGN)
        letters = Letters(PROJECT, made.environment, emulator=pubsub_emulator.address)
        gone, missing = await letters.drop([first, "0"], 100)
        assert ([one.id for one in gone], missing) == ([first], ["0"])
        assert [one.id for one in await letters.show(100)] == [second]


def test_without_the_package_of_pubsub_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "functions.local.letters")
    monkeypatch.setitem(sys.modules, "google.pubsub_v1.types", None)
    with pytest.raises(UsageError, match=r"google-cloud-pubsub.*pip install -e '\.\[gcp\]'"):
        opened()


async def test_an_environment_that_is_not_there_is_told(pubsub_emulator: PubSub) -> None:
    with pytest.raises(BusError, match="terraform apply"):
        await Letters(PROJECT, "nowhere", emulator=pubsub_emulator.address).show(1)


def test_the_command_wants_to_know_the_project() -> None:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GOOGLE_", "NEURALKG_"))}
    done = subprocess.run(
        [sys.executable, "-m", "functions.local.cli", "letters", "show"],
        env=plain,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "GOOGLE_CLOUD_PROJECT is not set" in done.stderr
    assert "in this shell" in done.stderr
    assert "function's" not in done.stderr


async def test_the_command_lists_letters_on_the_emulator(pubsub_emulator: PubSub) -> None:
    async with topics(pubsub_emulator) as made:
        letter = await died(pubsub_emulator, Names(made.environment), b"what \x1b[2J", FOREIGN)
        variables = {
            "GOOGLE_CLOUD_PROJECT": PROJECT,
            "NEURALKG_ENVIRONMENT": made.environment,
            **pubsub_emulator.environment,
        }
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "functions.local.cli", "letters", "show"],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert letter in done.stdout.replace(",", "")
        assert "\x1b" not in done.stdout

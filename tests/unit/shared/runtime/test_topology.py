"""The topics and subscriptions that one environment needs."""

from __future__ import annotations

import pytest

from shared.runtime.errors import UsageError
from shared.runtime.settings import PIPELINE, load_stages
from shared.runtime.topology import Names, topology

WEEK = 604_800


@pytest.fixture(scope="module")
def dev():
    return topology(load_stages(), "dev")


def pushed(topo, name):
    return next(subscription for subscription in topo.push if subscription.name == name)


def test_every_stage_has_a_topic_and_a_push_subscription_of_its_name(dev):
    names = [f"neuralkg-dev-{stage.replace('_', '-')}" for stage in PIPELINE]
    assert list(dev.topics[: len(names)]) == names
    assert [(push.name, push.topic, push.function) for push in dev.push[: len(names)]] == [
        (name, name, stage) for name, stage in zip(names, PIPELINE, strict=True)
    ]


def test_around_the_pipeline_stand_questions_answers_ended_runs_and_dead_letters(dev):
    assert dev.topics[len(PIPELINE) :] == (
        "neuralkg-dev-questions",
        "neuralkg-dev-answers",
        "neuralkg-dev-ended",
        "neuralkg-dev-dead-letters",
    )
    assert [(push.topic, push.function, push.path) for push in dev.push[len(PIPELINE) :]] == [
        ("neuralkg-dev-questions", "ask", "/push/questions"),
        ("neuralkg-dev-ended", "archive", "/"),
        ("neuralkg-dev-dead-letters", "sweep", "/push/dead-letters"),
    ]


def test_answers_and_dead_letters_are_kept_for_a_week(dev):
    assert [(pull.name, pull.topic, pull.retention_seconds) for pull in dev.pull] == [
        ("neuralkg-dev-answers", "neuralkg-dev-answers", WEEK),
        ("neuralkg-dev-dead-letters-kept", "neuralkg-dev-dead-letters", WEEK),
    ]


def test_a_message_does_not_come_again_while_its_function_may_still_end_well(dev):
    table = load_stages()
    for push in dev.push:
        timeout = table.get(push.function).timeout_seconds
        assert push.ack_deadline_seconds == min(600, timeout + 60)
    assert pushed(dev, "neuralkg-dev-execute").ack_deadline_seconds == 360
    assert pushed(dev, "neuralkg-dev-questions").ack_deadline_seconds == 600


def test_retries_and_dead_letters_follow_the_functions_row(dev):
    for row in load_stages().stages:
        push = pushed(dev, Names("dev").stage(row.name))
        assert row.retry is not None
        assert (push.min_backoff_seconds, push.max_backoff_seconds) == (
            row.retry.min_backoff_seconds,
            row.retry.max_backoff_seconds,
        )
        assert push.dead_letter is not None
        assert (push.dead_letter.topic, push.dead_letter.max_attempts) == (
            "neuralkg-dev-dead-letters",
            row.retry.max_attempts,
        )


def test_dead_letters_do_not_become_dead_letters_again(dev):
    without = [push.name for push in dev.push if push.dead_letter is None]
    assert without == ["neuralkg-dev-dead-letters"]


def test_every_name_that_is_used_is_there_and_stands_once(dev):
    used = {push.topic for push in dev.push} | {pull.topic for pull in dev.pull}
    used |= {push.dead_letter.topic for push in dev.push if push.dead_letter}
    assert used == set(dev.topics)
    subscriptions = [push.name for push in dev.push] + [pull.name for pull in dev.pull]
    assert len(set(subscriptions)) == len(subscriptions)


def test_every_function_that_takes_messages_is_in_the_table(dev):
    table = load_stages()
    behind_topics = {row.name for row in table.functions if row.kind in {"stage", "topic"}}
    assert behind_topics <= {push.function for push in dev.push} <= {row.name for row in table.functions}


def test_environments_share_no_name(dev):
    other = topology(load_stages(), "prod")
    assert not set(dev.topics) & set(other.topics)
    assert {push.service_account for push in other.push} == {"neuralkg-prod-push"}


@pytest.mark.parametrize("environment", ["", "Dev", "1st", "a_b", "-x", "a" * 17, "dev\n", "é"])
def test_an_environment_that_cannot_be_part_of_a_name_is_refused(environment):
    with pytest.raises(UsageError, match="cannot name an environment"):
        topology(load_stages(), environment)


def test_names_keep_to_the_lengths_that_the_cloud_allows():
    longest = topology(load_stages(), "a" * 16)
    assert all(3 <= len(topic) <= 255 for topic in longest.topics)
    assert all(6 <= len(push.service_account) <= 30 for push in longest.push)

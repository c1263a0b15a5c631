"""The page on messages names what there is."""

from __future__ import annotations

from pathlib import Path

from shared.runtime.messages import QUESTION, REJECTED
from shared.runtime.settings import PIPELINE, load_stages
from shared.runtime.topology import Names, topology

PAGE = (Path(__file__).parents[4] / "docs" / "messages.md").read_text(encoding="utf-8")


def test_every_topic_and_kept_subscription_is_on_the_page():
    whole, names = topology(load_stages(), "dev"), Names("dev")
    stages = {names.stage(stage) for stage in PIPELINE}
    for name in {*whole.topics, *(pull.name for pull in whole.pull)} - stages:
        assert f"`{name}`" in PAGE
    assert "`neuralkg-dev-{stage}`" in PAGE


def test_the_type_of_a_question_and_the_status_of_a_rejected_one_are_on_the_page():
    assert f"ce-type={QUESTION}" in PAGE
    assert f'"status": "{REJECTED}"' in PAGE

"""A model's label of a group is shown only where it is made of what was offered; else the document's title is."""

import time

import pytest

from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceReply, ChoiceRequest, ChosenGroup

TITLE = "GDP (constant 2015 US$)"


def candidate(identifier):
    return Candidate(
        id=identifier, title=TITLE, quantity="GDP", description="", phrases=(), meanings=(), unit="USD",
        unit_kind="currency", per="", statistic="", constraints="", score=1.0,
    )  # fmt: skip


REQUEST = ChoiceRequest(
    question="What is India's GDP?", measure="gdp", per_capita=False, share=False, candidates=(candidate("a"),)
)


def settled(label, *, document="a"):
    reply = ChoiceReply(groups=(ChosenGroup(documents=(document,), label=label),))
    return SELECT_DOCUMENTS.settle(REQUEST, reply).groups[0].label


@pytest.mark.parametrize("label", ["real", "in prices of 2015", ""])
def test_a_label_of_what_was_offered_is_kept(label):
    assert settled(label) == label


@pytest.mark.parametrize("label", ["it is 9,123,456", "<script>real", "see https://example.org", "x" * 400])
def test_a_label_of_the_models_own_making_gives_way_to_the_title(label):
    assert settled(label) == TITLE


def test_a_reply_of_thousands_of_groups_is_refused_at_once():
    reply = ChoiceReply(groups=(ChosenGroup(documents=("a",), label="GDP 2015"),) * 5000)
    began = time.perf_counter()
    assert SELECT_DOCUMENTS.validate(REQUEST, SELECT_DOCUMENTS.settle(REQUEST, reply))
    assert time.perf_counter() - began < 1.0


def test_a_group_of_a_document_that_was_not_offered_is_left_to_the_validator():
    assert settled("9,123,456", document="z") == "9,123,456"
    reply = ChoiceReply(groups=(ChosenGroup(documents=("z",), label=""),))
    assert "not offered" in (SELECT_DOCUMENTS.validate(REQUEST, reply) or "")

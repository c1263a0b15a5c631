"""The models that a command line names, and what doctor says of them."""

from __future__ import annotations

import pytest

from functions.local.checks import models
from functions.local.commands.options import ModelsAsked
from shared.models.settings import ModelSettings

KEY = "sk-canary-7Qz"


def found(**variables):
    return {one.name: one for one in models(ModelSettings.from_environment(variables))}


def test_nothing_named_leaves_the_environment_as_it_is():
    environment = {"NEURALKG_PROVIDER": "ollama", "HOME": "/h"}
    assert ModelsAsked(None, None, None).over(environment) == environment


def test_what_is_named_stands_before_the_environment():
    asked = ModelsAsked("openai", "http://127.0.0.1:8080", ["a", "b"]).over({"NEURALKG_PROVIDER": "openrouter"})
    settings = ModelSettings.from_environment(asked)
    assert (settings.provider, settings.url, settings.models) == ("openai", "http://127.0.0.1:8080/v1", ("a", "b"))


def test_another_provider_is_not_asked_for_the_models_of_the_environments():
    environment = {
        "NEURALKG_PROVIDER": "openrouter",
        "NEURALKG_MODELS": "x/y",
        "NEURALKG_MODEL_URL": "https://r.example",
    }
    settings = ModelSettings.from_environment(ModelsAsked("ollama", None, None).over(environment))
    assert settings.models == ()
    assert settings.url == "http://127.0.0.1:11434"


def test_doctor_says_that_no_model_is_asked_and_how_to_ask_one():
    (one,) = models(ModelSettings())
    assert one.state == "ok"
    assert "NEURALKG_PROVIDER" in one.detail


def test_doctor_says_what_is_set_and_what_a_question_costs_and_no_key():
    told = found(NEURALKG_PROVIDER="openrouter", OPENROUTER_API_KEY=KEY)
    assert {one.state for one in told.values()} == {"ok"}
    assert "google/gemini-3.8-flash" in told["Language models"].detail
    assert "a key from OPENROUTER_API_KEY" in told["Language models"].detail
    assert "a question costs about $0.00" in told["Model prices"].detail
    assert KEY not in repr(told)


def test_doctor_says_which_key_is_missing():
    told = found(NEURALKG_PROVIDER="openrouter")
    assert told["Language models"].state == "bad"
    assert "OPENROUTER_API_KEY" in told["Language models"].do


def test_doctor_says_which_price_is_missing():
    told = found(NEURALKG_PROVIDER="openrouter", OPENROUTER_API_KEY=KEY, NEURALKG_MODELS="unheard/of")
    assert told["Model prices"].state == "bad"
    assert "no price for unheard/of" in told["Model prices"].detail
    assert "NEURALKG_MODEL_PRICES" in told["Model prices"].do


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_a_server_of_ones_own_needs_neither_key_nor_price(provider):
    told = found(NEURALKG_PROVIDER=provider, NEURALKG_MODEL_URL="http://127.0.0.1:8080")
    assert {one.state for one in told.values()} == {"ok"}
    assert "$0.0000" in told["Model prices"].detail


def test_doctor_says_that_a_price_table_cannot_be_read(tmp_path):
    told = found(NEURALKG_PROVIDER="ollama", NEURALKG_MODEL_PRICES=str(tmp_path / "none.tsv"))
    assert told["Model prices"].state == "bad"

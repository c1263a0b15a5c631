"""Which models are asked, from the environment alone."""

from __future__ import annotations

import pytest

from shared.models.settings import ModelSettings
from shared.runtime.errors import UsageError

KEY = "sk-canary-7Qz"


def read(**variables):
    return ModelSettings.from_environment(variables)


def test_no_model_is_asked_by_default():
    assert not read().asked
    assert not read(OPENAI_API_KEY=KEY).asked


def test_openrouter_has_a_panel_of_three_and_another_model_for_judgments():
    found = read(NEURALKG_PROVIDER="openrouter", OPENROUTER_API_KEY=KEY)
    assert found.url == "https://openrouter.ai/api/v1"
    assert found.models == ("google/gemini-3.8-flash", "qwen/qwen3.8-27b", "google/gemma-4-26b-a4b-it")
    assert found.judge == "openai/gpt-oss-120b"
    assert not found.keyless


def test_the_first_of_the_models_named_makes_the_other_judgments():
    assert read(NEURALKG_PROVIDER="openrouter", NEURALKG_MODELS="a, b").judge == "a"
    assert read(NEURALKG_PROVIDER="openrouter", NEURALKG_MODELS="a, b", NEURALKG_JUDGE_MODEL="c").judge == "c"


def test_a_providers_own_key_never_goes_to_another_address():
    keys = {"OPENAI_API_KEY": KEY, "OPENROUTER_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
    for provider in ("openai", "openrouter", "anthropic", "ollama"):
        found = read(NEURALKG_PROVIDER=provider, NEURALKG_MODEL_URL="https://elsewhere.example", **keys)
        assert found.key == ""
        assert found.key_variable == "NEURALKG_MODEL_KEY"


def test_an_address_without_a_path_gets_the_one_of_its_format():
    assert read(NEURALKG_PROVIDER="openai", NEURALKG_MODEL_URL="http://127.0.0.1:8080/").url == (
        "http://127.0.0.1:8080/v1"
    )
    assert read(NEURALKG_PROVIDER="openai", NEURALKG_MODEL_URL="https://x.example/proxy/").url == (
        "https://x.example/proxy"
    )


def test_what_the_requests_paths_begin_with_anyway_may_stand_in_an_address():
    variables = {"NEURALKG_MODELS": "m", "NEURALKG_MODEL_URL": "http://127.0.0.1:1/v1/"}
    assert read(NEURALKG_PROVIDER="anthropic", **variables).url == "http://127.0.0.1:1"
    variables["NEURALKG_MODEL_URL"] = "http://127.0.0.1:1/api"
    assert read(NEURALKG_PROVIDER="ollama", **variables).url == "http://127.0.0.1:1"


def test_a_key_is_in_no_repr():
    found = read(NEURALKG_PROVIDER="openrouter", OPENROUTER_API_KEY=KEY)
    assert found.key == KEY
    assert KEY not in repr(found)


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"NEURALKG_PROVIDER": "clippy"}, "one of builtin, openrouter, openai, anthropic, ollama"),
        ({"NEURALKG_PROVIDER": "openai"}, "NEURALKG_MODELS"),
        ({"NEURALKG_PROVIDER": "anthropic"}, "NEURALKG_MODELS"),
        ({"NEURALKG_PROVIDER": "openai", "NEURALKG_MODELS": "a,b,c,d"}, "one to 3"),
        ({"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_URL": "models.example"}, "NEURALKG_MODEL_URL"),
        ({"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_URL": f"https://u:{KEY}@x.example"}, "without user"),
        (
            {"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_EFFORT": "heroic"},
            "none, minimal, low, medium, high",
        ),
        ({"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_SECONDS": "0"}, "NEURALKG_MODEL_SECONDS"),
        ({"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_SECONDS": "nan"}, "NEURALKG_MODEL_SECONDS"),
        ({"NEURALKG_PROVIDER": "openrouter", "OPENROUTER_API_KEY": f"{KEY}\nX: y"}, "OPENROUTER_API_KEY"),
        ({"NEURALKG_PROVIDER": "openrouter", "OPENROUTER_API_KEY": f"{KEY}ü"}, "OPENROUTER_API_KEY"),
        (
            {"NEURALKG_PROVIDER": "openai", "NEURALKG_MODEL_URL": "http://far.example", "NEURALKG_MODEL_KEY": KEY},
            "open line",
        ),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_any_key(variables, says):
    with pytest.raises(UsageError) as raised:
        read(**variables)
    assert says in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_missing_key_is_known():
    assert read(NEURALKG_PROVIDER="openrouter").keyless
    assert not read(NEURALKG_PROVIDER="ollama").keyless
    assert not read(NEURALKG_PROVIDER="openai", NEURALKG_MODEL_URL="http://127.0.0.1:1").keyless

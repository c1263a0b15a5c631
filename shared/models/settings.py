"""Which language models are asked, read from the environment once and passed on explicitly.

===========================  ==================================================================================
variable                     meaning
===========================  ==================================================================================
``NEURALKG_PROVIDER``        ``builtin`` (no model, the default), ``openrouter``, ``openai`` (that company's API or
                             any server that speaks it), ``anthropic`` or ``ollama``
``NEURALKG_MODEL_URL``       address of the server, where it is not the provider's own
``NEURALKG_MODELS``          one to three names, parted by commas: the panel that reads questions, of which the
                             first also makes all other judgments
``NEURALKG_JUDGE_MODEL``     another model for those other judgments
``NEURALKG_MODEL_EFFORT``    ``none``, ``minimal``, ``low``, ``medium`` or ``high`` for every task; default is each
                             task's own
``NEURALKG_MODEL_SECONDS``   what one judgment may take, repetitions included; default 20
``NEURALKG_MODEL_PRICES``    a file of prices in the form of ``shared/models/prices.tsv``, whose rows come first
``OPENROUTER_API_KEY``       the key for OpenRouter's own address
``OPENAI_API_KEY``           the key for OpenAI's own address
``ANTHROPIC_API_KEY``        the key for Anthropic's own address
``NEURALKG_MODEL_KEY``       the key for the server that ``NEURALKG_MODEL_URL`` names, if it wants one
===========================  ==================================================================================

A provider's own key never goes to another address. Keys are read nowhere else, and are not told.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from shared.models.tasks import EFFORTS, Effort
from shared.runtime.errors import UsageError

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_MODELS = 3
CALL_SECONDS = 20.0
"""What one judgment may take, repetitions included."""
MOST_SECONDS = 600.0
OWN_KEY = "NEURALKG_MODEL_KEY"


@dataclass(frozen=True, slots=True)
class Provider:
    """A row of the table of providers: its own address, where its key is, and the models asked by default."""

    url: str
    key_variable: str | None
    path: str = ""
    """What an address without a path gets."""
    spare: str = ""
    """What an address may end in and needs not, as the requests' own paths begin with it."""
    panel: tuple[str, ...] = ()
    judge: str = ""


PROVIDERS: Mapping[str, Provider] = {
    "openrouter": Provider(
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        path="/api/v1",
        panel=("google/gemini-3.8-flash", "qwen/qwen3.8-27b", "google/gemma-4-26b-a4b-it"),
        judge="openai/gpt-oss-120b",
    ),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", path="/v1"),
    "anthropic": Provider("https://api.anthropic.com", "ANTHROPIC_API_KEY", spare="/v1"),
    "ollama": Provider("http://127.0.0.1:11434", None, spare="/api"),
}
NAMES = ("builtin", *PROVIDERS)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which models are asked, and where. ``models`` may be empty for a server that says what it serves."""

    provider: str = "builtin"
    url: str = ""
    models: tuple[str, ...] = ()
    judge: str = ""
    effort: Effort | None = None
    seconds: float = CALL_SECONDS
    prices: Path | None = None
    key: str = field(default="", repr=False)
    key_variable: str = OWN_KEY
    own: bool = False
    """Whether the address is not the provider's own."""

    @property
    def asked(self) -> bool:
        """Whether any language model is asked at all."""
        return self.provider != "builtin"

    @property
    def free(self) -> bool:
        """Whether the server is one of one's own, which charges nothing for what no table prices."""
        return self.provider == "ollama" or (urlsplit(self.url).hostname or "") in LOOPBACK

    @property
    def keyless(self) -> bool:
        """Whether the provider wants a key and there is none."""
        return self.asked and not self.own and self.provider != "ollama" and not self.key

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ModelSettings:
        """Read the settings; raises ``UsageError`` that names the variable, what is allowed and what to do."""
        env = os.environ if environment is None else environment
        name = env.get("NEURALKG_PROVIDER", "").strip().lower() or "builtin"
        if name not in NAMES:
            raise UsageError(f"NEURALKG_PROVIDER is {name!r}; set it to one of {', '.join(NAMES)}, or unset it")
        if name == "builtin":
            return cls()
        provider = PROVIDERS[name]
        url = _address(env.get("NEURALKG_MODEL_URL", "").strip(), provider)
        own = url != provider.url
        key_variable = OWN_KEY if own or provider.key_variable is None else provider.key_variable
        key = _key(key_variable, env.get(key_variable, ""), url)
        models = _models(env.get("NEURALKG_MODELS", "")) or provider.panel
        if not models and not (own or name == "ollama"):
            raise UsageError(f"NEURALKG_MODELS must name one to {MOST_MODELS} models of {name}, parted by commas")
        default_judge = models[0] if models and (models != provider.panel or not provider.judge) else provider.judge
        return cls(
            provider=name,
            url=url,
            models=models,
            judge=env.get("NEURALKG_JUDGE_MODEL", "").strip() or default_judge,
            effort=_effort(env.get("NEURALKG_MODEL_EFFORT", "").strip().lower()),
            seconds=_seconds(env.get("NEURALKG_MODEL_SECONDS", "").strip()),
            prices=_file(env.get("NEURALKG_MODEL_PRICES", "").strip()),
            key=key,
            key_variable=key_variable,
            own=own,
        )


def _address(text: str, provider: Provider) -> str:
    if not text:
        return provider.url
    parts = urlsplit(text)
    if (
        parts.scheme not in {"http", "https"}
        or not parts.hostname
        or parts.username
        or parts.query
        or parts.fragment
    ):
        raise UsageError(
            "NEURALKG_MODEL_URL must be an address as http://127.0.0.1:8080 or https://models.example.org/v1, "
            "without user, password and parameters; set it so, or unset it"
        )
    text = text.rstrip("/").removesuffix(provider.spare)
    return text if parts.path.strip("/") else text + provider.path


def _key(variable: str, text: str, url: str) -> str:
    """A key that can stand in a header. No message of this function holds it."""
    key = text.strip()
    if not key.isascii() or any(not 33 <= ord(character) <= 126 for character in key):
        raise UsageError(f"{variable} holds characters that no key has; set it to the key alone")
    parts = urlsplit(url)
    if key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise UsageError(
            f"the key in {variable} would go over an open line to {parts.netloc}; use https, or no key"
        )
    return key


def _models(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if len(names) > MOST_MODELS:
        raise UsageError(f"NEURALKG_MODELS names {len(names)} models; name one to {MOST_MODELS}, parted by commas")
    return names


def _effort(text: str) -> Effort | None:
    if text and text not in EFFORTS:
        raise UsageError(f"NEURALKG_MODEL_EFFORT is {text!r}; set it to one of {', '.join(EFFORTS)}, or unset it")
    return next((effort for effort in EFFORTS if effort == text), None)


def _seconds(text: str) -> float:
    if not text:
        return CALL_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= MOST_SECONDS:
        raise UsageError(
            f"NEURALKG_MODEL_SECONDS is {text!r}; set it to a number above 0 and up to {MOST_SECONDS:g}"
        )
    return seconds


def _file(text: str) -> Path | None:
    return Path(text).expanduser().absolute() if text else None

"""The settings of the finder's service, read from the environment once.

=================================  ==========================================================================
variable                           meaning
=================================  ==========================================================================
``AGENT_FINDER_PORT``              port, 8088
``AGENT_FINDER_BIND_HOST``         address, 127.0.0.1
``SEARCH_LIMIT_PER_DAY``           searches a day and address, 10000; 0 is no limit
``TRUST_PROXY``                    how many proxies stand before the service, 0: whose forwarded address counts
``AGENT_FINDER_QUERY_TIMEOUT``     seconds of one search, 180; behind a platform's limit, less than that
``AGENT_FINDER_MAX_BODY``          bytes of a body, 65536
``AGENT_FINDER_CONCURRENCY``       searches at one time, 16; others wait for their turn
``AGENT_FINDER_STATE``             file of counters and quotas; ``finder.sqlite3`` in the folder of NEURALKG_HOME
``AGENT_FINDER_BASE_URL``          the service's public address, where it is not that of the request
``NEURALKG_INDEX``                 the index: ``gs://bucket/prefix``, ``s3://bucket/prefix`` or a folder
``NEURALKG_INDEX_POLL``            seconds between two looks at a published index, 30
``NEURALKG_INDEX_FOLDER``          where published ones are fetched to; ``indexes`` in the folder of NEURALKG_HOME
``ARD_UPSTREAMS``                  other registries, ``name=url,...``, for referrals
=================================  ==========================================================================
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from shared.runtime.errors import UsageError
from shared.runtime.settings import load_stages

PORT = 8088
ANSWER_SECONDS = 5.0
"""Left of the platform's time limit for telling that a search took too long."""
MAX_QUERY = 400
"""Characters of a plain-text query, for /ask and /mcp."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """Another registry: what it is called and the address of its search."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class FinderSettings:
    """How the service runs."""

    port: int = PORT
    host: str = "127.0.0.1"
    daily_limit: int = 10_000
    trusted_proxies: int = 0
    query_seconds: float = 180.0
    max_body: int = 65_536
    concurrency: int = 16
    state: Path | None = None
    base_url: str = ""
    upstreams: tuple[Upstream, ...] = ()
    index: str | None = None
    index_poll_seconds: float = 30.0
    index_folder: Path = field(default_factory=lambda: Path(tempfile.gettempdir()) / "neuralkg-indexes")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> FinderSettings:
        """Read the settings; raises ``UsageError`` naming the variable whose value cannot be used."""

        def number(name: str, default: float, least: float, most: float = 1e9) -> float:
            text = environment.get(name, "").strip()
            try:
                found = float(text) if text else default
            except ValueError as error:
                raise UsageError(f"{name} must be a number, found {text!r}") from error
            if not least <= found <= most:
                raise UsageError(f"{name} must be from {least:g} to {most:g}, found {text!r}")
            return found

        plain = cls()
        home = environment.get("NEURALKG_HOME", "").strip()
        state = environment.get("AGENT_FINDER_STATE", "").strip() or (f"{home}/finder.sqlite3" if home else "")
        folder = environment.get("NEURALKG_INDEX_FOLDER", "").strip() or (f"{home}/indexes" if home else "")
        return cls(
            port=int(number("AGENT_FINDER_PORT", plain.port, 0, 65535)),
            host=environment.get("AGENT_FINDER_BIND_HOST", "").strip() or plain.host,
            daily_limit=int(number("SEARCH_LIMIT_PER_DAY", plain.daily_limit, 0)),
            trusted_proxies=int(number("TRUST_PROXY", plain.trusted_proxies, 0, 10)),
            query_seconds=min(
                number("AGENT_FINDER_QUERY_TIMEOUT", plain.query_seconds, 0.001), _platform_seconds(environment)
            ),
            max_body=int(number("AGENT_FINDER_MAX_BODY", plain.max_body, 1)),
            concurrency=int(number("AGENT_FINDER_CONCURRENCY", plain.concurrency, 1, 1000)),
            state=Path(state).expanduser() if state else None,
            base_url=environment.get("AGENT_FINDER_BASE_URL", "").strip().rstrip("/"),
            index=environment.get("NEURALKG_INDEX", "").strip() or None,
            index_poll_seconds=number("NEURALKG_INDEX_POLL", plain.index_poll_seconds, 0.05, 86_400),
            index_folder=Path(folder).expanduser() if folder else plain.index_folder,
            upstreams=_upstreams(environment.get("ARD_UPSTREAMS", "")),
        )


def _platform_seconds(environment: Mapping[str, str]) -> float:
    """How long a search may take before the platform would cut its request off; no limit outside of it."""
    if "K_SERVICE" not in environment:
        return float("inf")
    timeouts = [row.timeout_seconds for row in load_stages().functions if row.name == "finder"]
    return max(1.0, min(timeouts, default=60) - ANSWER_SECONDS)


def _upstreams(text: str) -> tuple[Upstream, ...]:
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, url = part.partition("=")
        if not equals or not name.strip() or urlsplit(url.strip()).scheme not in {"http", "https"}:
            raise UsageError(f"ARD_UPSTREAMS must be name=url, separated by commas; found {part!r}")
        found.append(Upstream(name.strip(), url.strip()))
    return tuple(found)

"""Every topic and subscription that one environment needs, worked out of the table of functions.

``neuralkg up`` creates them from here and Terraform is held against it: one topic for each stage with a push
subscription of the same name, and the topics around the pipeline (questions, answers, ended runs, dead letters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.query.quantity import Frozen
from shared.runtime.errors import UsageError
from shared.runtime.settings import FunctionSetting, Retry, StageTable

QUESTIONS, ANSWERS, ENDED, DEAD_LETTERS, KEPT = "questions", "answers", "ended", "dead-letters", "dead-letters-kept"

RETENTION_SECONDS = 7 * 24 * 3600
"""How long a message that nobody acknowledged is kept; also that of dead letters that wait for a replay."""
LONGEST_ACK_SECONDS = 600
"""The most that Pub/Sub allows."""
ACK_MARGIN_SECONDS = 60
"""Beyond a function's own time-out, so that no message comes again while its function may still end well."""
PULL_ACK_SECONDS = 60

PUSH_PATHS = {QUESTIONS: "/push/questions", DEAD_LETTERS: "/push/dead-letters"}
"""Where a function that also serves other requests takes its messages; every other takes them at ``/``."""

_CALLED = {QUESTIONS: "ask", ENDED: "archive", DEAD_LETTERS: "sweep"}
_RETRY = Retry(min_backoff_seconds=1, max_backoff_seconds=60, max_attempts=6)
_ENVIRONMENT = re.compile(r"[a-z][a-z0-9-]{0,15}")
"""A service account's name, the shortest of them all, has at most 30 characters."""


class Names:
    """The names of one environment's resources, ``neuralkg-{environment}-{what}``; raises ``UsageError``."""

    def __init__(self, environment: str) -> None:
        if not _ENVIRONMENT.fullmatch(environment):
            raise UsageError(
                f"{environment!r} cannot name an environment: it takes a small letter and then at most 15 small "
                "letters, digits and hyphens, such as dev"
            )
        self.environment = environment

    def of(self, what: str) -> str:
        """A resource's full name."""
        return f"neuralkg-{self.environment}-{what}"

    def stage(self, stage: str) -> str:
        """The topic of a stage, and its push subscription."""
        return self.of(stage.replace("_", "-"))

    @property
    def questions(self) -> str:
        """Questions asked by message."""
        return self.of(QUESTIONS)

    @property
    def answers(self) -> str:
        """Where each run that ended is announced."""
        return self.of(ANSWERS)

    @property
    def ended(self) -> str:
        """Runs that ended, for the archive function."""
        return self.of(ENDED)

    @property
    def dead_letters(self) -> str:
        """Messages that were given up, or that are foreign."""
        return self.of(DEAD_LETTERS)

    @property
    def pusher(self) -> str:
        """The service account whose token each push carries, the part before ``@``."""
        return self.of("push")


class DeadLetterPolicy(Frozen):
    """After ``max_attempts`` deliveries a message goes to ``topic``; Pub/Sub allows 5 to 100."""

    topic: str
    max_attempts: int


class PushSubscription(Frozen):
    """Messages of ``topic`` sent by POST to ``path`` of ``function``; times in seconds.

    In the cloud each request carries an OIDC token of ``service_account`` (the part before ``@``) whose audience
    is the function's own address without a path. It never expires.
    """

    name: str
    topic: str
    function: str
    path: str
    ack_deadline_seconds: int
    min_backoff_seconds: int
    max_backoff_seconds: int
    retention_seconds: int
    service_account: str
    dead_letter: DeadLetterPolicy | None
    """``None`` for the dead letters themselves, which are tried until their retention ends."""


class PullSubscription(Frozen):
    """Messages of ``topic`` kept for whoever fetches them; times in seconds. It never expires."""

    name: str
    topic: str
    ack_deadline_seconds: int
    retention_seconds: int


class Topology(Frozen):
    """One environment's topics and subscriptions."""

    environment: str
    topics: tuple[str, ...]
    push: tuple[PushSubscription, ...]
    pull: tuple[PullSubscription, ...]


def topology(table: StageTable, environment: str) -> Topology:
    """Work out everything; raises ``UsageError`` (environment) or ``StagesInvalid`` (a function is missing)."""
    names = Names(environment)
    around = (names.questions, names.answers, names.ended, names.dead_letters)
    return Topology(
        environment=environment,
        topics=(*(names.stage(row.name) for row in table.stages), *around),
        push=tuple(_pushes(table, names)),
        pull=(
            _pull(names.answers, names.answers),
            _pull(names.of(KEPT), names.dead_letters),
        ),
    )


def _pushes(table: StageTable, names: Names) -> Iterator[PushSubscription]:
    for row in table.stages:
        yield _push(row, names.stage(row.name), "/", names)
    for what, function in _CALLED.items():
        yield _push(table.get(function), names.of(what), PUSH_PATHS.get(what, "/"), names)


def _push(row: FunctionSetting, topic: str, path: str, names: Names) -> PushSubscription:
    retry = row.retry or _RETRY
    last = topic == names.dead_letters
    return PushSubscription(
        name=topic,
        topic=topic,
        function=row.name,
        path=path,
        ack_deadline_seconds=min(LONGEST_ACK_SECONDS, row.timeout_seconds + ACK_MARGIN_SECONDS),
        min_backoff_seconds=retry.min_backoff_seconds,
        max_backoff_seconds=retry.max_backoff_seconds,
        retention_seconds=RETENTION_SECONDS,
        service_account=names.pusher,
        dead_letter=None if last else DeadLetterPolicy(topic=names.dead_letters, max_attempts=retry.max_attempts),
    )


def _pull(name: str, topic: str) -> PullSubscription:
    return PullSubscription(
        name=name, topic=topic, ack_deadline_seconds=PULL_ACK_SECONDS, retention_seconds=RETENTION_SECONDS
    )

"""Usage records of runs as the archive keeps them, many and mixed."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from shared.accounting.ledger import Ledger
from shared.accounting.usage_record import Kept, UsageRecord
from shared.accounting.window import Window
from shared.query.answer import AnswerStatus, ModelUsage, StageUsage, Usage
from shared.query.identifiers import RunId
from shared.runtime.settings import PIPELINE

DAY = Window(start=datetime(2026, 11, 29, tzinfo=UTC), end=datetime(2026, 11, 30, tzinfo=UTC))
MODELS = ("openai/gpt-small", "anthropic/claude-mini", "builtin")
TYPES = ("value", "ranking", "trend", "ratio", None)


def run(
    chance: random.Random,
    n: int = 0,
    *,
    asked_at: datetime | None = None,
    began: bool = True,
    kept: bool = True,
    waits: float = 0.1,
) -> UsageRecord:
    """One run whose parts agree as those of a real one do."""
    asked_at = asked_at or DAY.start + timedelta(seconds=chance.uniform(0, 86399))
    stages, models, found, moment = [], [], [], asked_at
    names = PIPELINE if chance.random() < 0.8 else (PIPELINE[0], PIPELINE[-1])
    attempts = {}
    for place, name in enumerate(names):
        reading = -1 if place == 0 else 0
        moment += timedelta(seconds=chance.uniform(0, 2 * waits))
        seconds = round(chance.expovariate(1 / 0.05), 6)
        calls = chance.randint(0, 2) if name in {"understand", "select", "combine"} else 0
        spent = [Decimal(chance.randint(0, 99_999)) / 10_000_000 for _ in range(calls)]
        tokens = [chance.randint(10, 4000) for _ in range(calls)]
        for usd, count in zip(spent, tokens, strict=True):
            model = chance.choice(MODELS)
            models.append(
                ModelUsage(model=model, task=f"{name}.v1", calls=1, tokens=count, usd=usd, seconds=seconds / 2)
            )
        stages.append(
            StageUsage(
                stage=name,
                reading=reading,
                seconds=seconds,
                began_at=moment if began else None,
                cpu_seconds=seconds * 0.8 if began else None,
                cold=began and chance.random() < 0.02,
                model_calls=calls,
                tokens=sum(tokens),
                usd=sum(spent, Decimal(0)),
                requests=chance.randint(0, 3),
                bytes_received=chance.randint(0, 100_000),
            )
        )
        attempts[f"{reading}.{name}"] = 1 if chance.random() < 0.95 else chance.randint(2, 4)
        found.append(3 * place)
        moment += timedelta(seconds=seconds)
    finder = {"searches": 1, "seconds": 0.02, "model_calls": 1, "tokens": 30, "usd": "0.00001"}
    return UsageRecord(
        run_id=RunId(f"{asked_at:%Y%m%dT%H%M%S}-{n:012x}"),
        asked_at=asked_at,
        status=chance.choice(list(AnswerStatus)),
        usage=Usage(
            seconds=(moment - asked_at).total_seconds(),
            model_calls=sum(stage.model_calls for stage in stages),
            tokens=sum(stage.tokens for stage in stages),
            usd=sum((stage.usd for stage in stages), Decimal(0)),
            stages=tuple(stages),
            models=tuple(models),
            finder=finder if len(names) > 2 else {},
        ),
        attempts=attempts,
        question_type=chance.choice(TYPES),
        kept=Kept(
            annotations=3 * len(names),
            events=2 * len(names),
            found=tuple(found),
            trace_bytes=chance.randint(5_000, 200_000),
            answer_bytes=chance.randint(1_000, 50_000),
        )
        if kept
        else None,
    )


def mixed(count: int, *, seed: int = 7) -> Ledger:
    """A day of runs: read and not read, retried, cold, and some without what newer records tell."""
    chance = random.Random(seed)
    runs = [run(chance, n, began=chance.random() < 0.9, kept=chance.random() < 0.9) for n in range(count)]
    return Ledger(window=DAY, records=tuple(sorted(runs, key=lambda one: one.asked_at)))

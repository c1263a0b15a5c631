"""The budget of a run: model calls, dollars and model seconds, reserved before a call and settled after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from shared.runtime.errors import BudgetExhausted
from shared.runtime.records import BudgetTotals


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use at most."""

    model_calls: int = 20
    usd: Decimal = Decimal("1.00")
    model_seconds: float = 90.0


@dataclass(slots=True)
class Budget:
    """Counts one run's use. The reply that crosses a limit is kept; the next reservation is refused.

    The built-in judge is free and is never reserved for.
    """

    limits: Limits = field(default_factory=Limits)
    used: BudgetTotals = field(default_factory=BudgetTotals)
    reserved_calls: int = 0
    reserved_usd: Decimal = Decimal(0)

    @property
    def at_most(self) -> BudgetTotals:
        """What is used if every call that is still out costs what was set aside for it."""
        return self.used.model_copy(
            update={
                "model_calls": self.used.model_calls + self.reserved_calls,
                "usd": self.used.usd + self.reserved_usd,
            }
        )

    def reserve(self, usd: Decimal) -> None:
        """Set aside one call of at most ``usd``; raises ``BudgetExhausted`` naming the limit that binds."""
        if self.used.model_calls + self.reserved_calls >= self.limits.model_calls:
            raise BudgetExhausted(f"the run's {self.limits.model_calls} model calls are used up")
        if self.used.usd + self.reserved_usd + usd > self.limits.usd:
            raise BudgetExhausted(f"the run's model budget of ${self.limits.usd} is used up")
        if self.used.model_seconds >= self.limits.model_seconds:
            raise BudgetExhausted(f"the run's {self.limits.model_seconds:g} s of model time are used up")
        self.reserved_calls += 1
        self.reserved_usd += usd

    def settle(self, *, reserved: Decimal, usd: Decimal, tokens: int, seconds: float) -> str | None:
        """Turn a reservation into what the call really used; says which limit the call crossed, if it did."""
        self.reserved_calls -= 1
        self.reserved_usd -= reserved
        before = self.used
        self.used = BudgetTotals(
            model_calls=before.model_calls + 1,
            tokens=before.tokens + tokens,
            usd=before.usd + usd,
            model_seconds=before.model_seconds + seconds,
        )
        if before.usd <= self.limits.usd < self.used.usd:
            return f"${self.used.usd} of ${self.limits.usd} are spent"
        if before.model_seconds < self.limits.model_seconds <= self.used.model_seconds:
            return f"{self.used.model_seconds:.1f} s of {self.limits.model_seconds:g} s of model time are used"
        return None

    def release(self, *, reserved: Decimal) -> None:
        """Give a reservation back: the call was never made."""
        self.reserved_calls -= 1
        self.reserved_usd -= reserved

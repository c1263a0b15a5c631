"""What the claims of an answer cite, as its JSON carries it, and whether they say what that holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

Parsed = Mapping[str, Any]


class Cited:
    """The evidence of one answer: receipts, rows of shared receipts, and computations."""

    def __init__(self, answer: Parsed) -> None:
        self._whole = {
            str(one["id"]): one
            for kind in ("receipts", "computations", "shared_receipts")
            for one in answer.get(kind) or ()
        }

    def of(self, claim: Parsed) -> list[Parsed]:
        """What the claim cites, in its order; what the answer does not carry is left out."""
        found = (self._one(str(cited)) for cited in claim.get("evidence") or ())
        return [one for one in found if one is not None]

    def _one(self, cited: str) -> Parsed | None:
        return self._whole.get(cited) or self._row(cited)

    def _row(self, cited: str) -> Parsed | None:
        """The row of a shared receipt that is cited so, as a receipt of its own would tell it."""
        of, _, n = cited.rpartition(":")
        rows = self._whole.get(of, {}).get("rows")
        if rows is None or not n.isdecimal() or int(n) not in rows["n"]:
            return None
        place = rows["n"].index(int(n))
        own = {name: column[place] for name, column in rows.items() if column is not None and name != "n"}
        return {**self._whole[of], **own, "id": cited}

    def unlike(self, claims: Sequence[Parsed], number: Callable[[object], Decimal | None]) -> Iterator[str]:
        """The claims of a figure that is not what the one receipt or computation that they cite holds."""
        for claim in claims:
            value, found = claim.get("value"), self.of(claim)
            if value is None or len(found) != 1 or "value" not in found[0]:
                continue
            held = found[0]["value"]
            claimed = number(value)
            if (held != value) if claimed is None else (number(held) != claimed):
                yield f"{claim.get('id')} says {value}, and {found[0]['id']} holds {held}"

"""The snapshot transport routes by host."""

from __future__ import annotations

import pytest

from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport


def test_two_responders_may_not_answer_for_one_host() -> None:
    with pytest.raises(ValueError, match=r"api\.worldbank\.org"):
        SnapshotTransport([WorldBankResponder(), WorldBankResponder()])

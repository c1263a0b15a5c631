"""Names for the identifiers that travel together, so that one cannot be passed for another."""

from typing import NewType

RunId = NewType("RunId", str)
SlotId = NewType("SlotId", str)
ReceiptId = NewType("ReceiptId", str)
ComputationId = NewType("ComputationId", str)
ClaimId = NewType("ClaimId", str)
SourceName = NewType("SourceName", str)
StageName = NewType("StageName", str)

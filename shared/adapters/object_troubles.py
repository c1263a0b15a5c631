"""What the failures of Cloud Storage and S3 mean: one table from their codes and statuses to words and deeds."""

from __future__ import annotations

from dataclasses import dataclass

from shared.runtime.errors import ArchiveConflict, ArchiveError, ObjectMissing


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a call failed: what to tell, whether another try may help, and which error it becomes."""

    reason: str
    do: str
    again: bool = False
    error: type[ArchiveError] = ArchiveError

    def told(self, what: str) -> ArchiveError:
        """The error to raise for the call that ``what`` names."""
        return self.error(f"{what}: {self.reason}; {self.do}")


_LATER = "try again later"
_ACCESS = "let its account read, write, list and delete objects there"
_SIGN_IN = "check the credentials in the environment"

NETWORK = Trouble("the store cannot be reached", "check the network and the store's address", again=True)
DAMAGED = Trouble("the data was damaged on its way", _LATER, again=True)
CUT_SHORT = Trouble("the answer was cut short", _LATER, again=True)
NO_CREDENTIALS = Trouble("there are no credentials for the store", "sign in, or name a service account")
MISSING = Trouble("there is no such object", "check the name", error=ObjectMissing)
NO_BUCKET = Trouble("there is no such bucket", "create the bucket, or correct its name")
REFUSED = Trouble("access is not permitted", _ACCESS)
UNKNOWN_CALLER = Trouble("the credentials are not accepted", _SIGN_IN)
FULL = Trouble("the store's quota is used up", "raise the quota or delete what is no longer needed")
BUSY = Trouble("the store asks for fewer calls", _LATER, again=True)
DOWN = Trouble("the store failed", _LATER, again=True)
CONFLICT = Trouble("another version stands there", "read it and decide anew", error=ArchiveConflict)

_CODES = {
    # S3 and what speaks its protocol
    "NoSuchKey": MISSING,
    "NoSuchBucket": NO_BUCKET,
    "AccessDenied": REFUSED,
    "AllAccessDisabled": REFUSED,
    "InvalidAccessKeyId": UNKNOWN_CALLER,
    "SignatureDoesNotMatch": UNKNOWN_CALLER,
    "ExpiredToken": UNKNOWN_CALLER,
    "InvalidToken": UNKNOWN_CALLER,
    "BadDigest": DAMAGED,
    "XAmzContentChecksumMismatch": DAMAGED,
    "RequestTimeout": NETWORK,
    "SlowDown": BUSY,
    "QuotaExceeded": FULL,
    "XMinioStorageFull": FULL,
    "PreconditionFailed": CONFLICT,
    "ConditionalRequestConflict": CONFLICT,
    # Cloud Storage
    "rateLimitExceeded": BUSY,
    "userRateLimitExceeded": BUSY,
    "quotaExceeded": FULL,
    "dailyLimitExceeded": FULL,
    "accountDisabled": Trouble("the project's billing is off", "turn the project's billing on"),
    "conditionNotMet": CONFLICT,
}
_STATUSES = {
    401: UNKNOWN_CALLER,
    403: REFUSED,
    404: MISSING,
    408: NETWORK,
    412: CONFLICT,
    429: BUSY,
    500: DOWN,
    502: DOWN,
    503: DOWN,
    504: DOWN,
    507: FULL,
}


def trouble_of(status: int, code: str = "") -> Trouble:
    """What an answer of the store means; its own ``code`` says more than the status of HTTP."""
    unknown = Trouble(f"the store answered {status} {code}".rstrip(), "see the store's documentation")
    return _CODES.get(code) or _STATUSES.get(status) or unknown

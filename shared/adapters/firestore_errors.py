"""What Firestore's errors mean for the run store: try again, look again, or say what to do."""

from __future__ import annotations

from collections.abc import Sequence

from google.api_core import exceptions as google
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, RefreshError, TransportError

from shared.runtime.errors import StoreError, StoreUnavailable


class Overtaken(Exception):  # noqa: N818 - never leaves the adapter: the operation looks again
    """A document was not as the write asked for, so that nothing of it was written."""


OVERTAKEN = (google.FailedPrecondition, google.AlreadyExists, google.NotFound)
"""What a conditional write is answered when another was faster."""

UNSURE = (
    google.DeadlineExceeded,
    google.ServiceUnavailable,
    google.InternalServerError,
    google.Unknown,
    google.Cancelled,
)
"""The answer may have been lost after the write was done."""

LATE = (google.DeadlineExceeded, TimeoutError)

PASSING: tuple[type[Exception], ...] = (
    *UNSURE,
    google.Aborted,
    google.ResourceExhausted,
    TransportError,
    TimeoutError,
    Overtaken,
)

# The first row that fits is told, so a kind stands above the kinds it belongs to.
_WHY: tuple[tuple[type[BaseException], str], ...] = (
    (Overtaken, "is contended: others kept changing the same documents"),
    (google.Aborted, "is contended: others kept changing the same documents"),
    (google.ResourceExhausted, "refuses for now: a quota or its rate of work is exhausted"),
    *((kind, "did not answer in time") for kind in LATE),
    (TransportError, "cannot be reached: no access token could be fetched"),
    (google.ServiceUnavailable, "cannot be reached"),
)

_TO_DO: tuple[tuple[type[BaseException], str], ...] = (
    (google.PermissionDenied, "refuses this account: give it the role roles/datastore.user on the project"),
    (google.Unauthenticated, "does not accept the credentials: renew them, or give the function a service account"),
    (DefaultCredentialsError, "needs credentials and found none: run as a service account, or set "
     "GOOGLE_APPLICATION_CREDENTIALS, or FIRESTORE_EMULATOR_HOST for an emulator"),
    (RefreshError, "got no access token for its credentials: renew them"),
    (google.NotFound, "does not exist: create the database in Native mode, or name another with "
     "NEURALKG_FIRESTORE_DATABASE"),
    (google.FailedPrecondition, "cannot do this: the database must be in Native mode and have the indexes of "
     "infra/firestore.json"),
    (google.InvalidArgument, "calls the request invalid"),
)  # fmt: skip


def passing(error: Exception) -> bool:
    """Whether to try again."""
    return isinstance(error, PASSING)


def unavailable(troubles: Sequence[Exception], where: str) -> StoreUnavailable:
    """The error for an operation whose attempts all met with trouble; ``where`` names the store.

    The last attempt is cut short when the time is up, so what was said before that tells more.
    """
    error = next((one for one in reversed(troubles) if not isinstance(one, LATE)), troubles[-1])
    why = next((text for kind, text in _WHY if isinstance(error, kind)), "failed")
    return StoreUnavailable(f"{where} {why}{_said(error)}")


def explained(error: google.GoogleAPICallError | GoogleAuthError, where: str) -> StoreError:
    """The error for one that trying again does not help, with what to do about it."""
    what = next((text for kind, text in _TO_DO if isinstance(error, kind)), "failed")
    return StoreError(f"{where} {what}{_said(error)}")


def _said(error: BaseException | None) -> str:
    """What Firestore itself said, for those who look into it."""
    if not isinstance(error, google.GoogleAPICallError) or not error.message:
        return ""
    return f" ({' '.join(str(error.message).split())[:300]})"

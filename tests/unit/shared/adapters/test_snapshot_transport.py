"""The snapshot transport routes by host."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.runtime.deadline import Deadline
from shared.runtime.http import HttpRequest, HttpResponse


def test_two_responders_may_not_answer_for_one_host() -> None:
    with pytest.raises(ValueError, match=r"api\.worldbank\.org"):
        SnapshotTransport([WorldBankResponder(), WorldBankResponder()])


class Files:
    """Says which responder it is."""

    def __init__(self, *hosts: str) -> None:
        self.hosts = frozenset(hosts)

    def respond(self, request: HttpRequest) -> HttpResponse:
        return HttpResponse(200, ",".join(sorted(self.hosts)).encode(), datetime.now(UTC))


@pytest.mark.parametrize(
    ("path", "who"),
    [("/a/b/file.csv", b"files.test/a/b"), ("/a/bc.csv", b"files.test"), ("/a/b", b"files.test")],
)
async def test_a_responder_of_a_path_answers_for_what_lies_under_it_alone(path: str, who: bytes) -> None:
    transport = SnapshotTransport([Files("files.test"), Files("files.test/a/b")])
    request = HttpRequest.parse(f"https://files.test{path}")
    assert (await transport.send(request, deadline=Deadline.after(5))).body == who

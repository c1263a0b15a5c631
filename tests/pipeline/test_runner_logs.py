"""What the machine logs of a run."""

from __future__ import annotations

from shared.runtime.errors import CannotRead
from tests.support.machine import OPTIONS, machine, trivial


async def test_no_log_line_of_a_run_quotes_what_was_asked(tmp_path, caplog):
    async def quoting(query, context):
        raise CannotRead(f"there is no “{query.question}”", [query.question])

    caplog.set_level("DEBUG")
    for body in ("understand", "plan"):
        async with machine(tmp_path / body, trivial(bodies={body: quoting})) as built:
            answer = await built.client.ask("What is Wakanda's GDP?", OPTIONS)
        assert "Wakanda" in answer.failures[0].reason
    assert [line.message for line in caplog.records if "ended after" in line.message]
    assert "Wakanda" not in "\n".join(line.message for line in caplog.records)

"""Log lines as Cloud Logging reads them: one JSON object a line on standard output, joined to their trace."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime

from functions.hosting import tracecontext

_SEVERITIES = {
    logging.DEBUG: "DEBUG",
    logging.INFO: "INFO",
    logging.WARNING: "WARNING",
    logging.ERROR: "ERROR",
    logging.CRITICAL: "CRITICAL",
}
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "off": logging.CRITICAL + 1,
}
_OURS = ("functions", "shared", "plugins", "finder_index", "neuralkg")
"""What the level is for. Libraries tell of each request below a warning, with addresses, questions and answers."""
_SERVERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "gunicorn.error", "gunicorn.access")
"""Loggers that the servers give handlers of their own."""


class JsonLines(logging.Formatter):
    """Formats a record with its run, stage and attempt, and the place in its trace."""

    def __init__(self, *, function: str, project: str | None) -> None:
        super().__init__()
        self._function, self._project = function, project

    def format(self, record: logging.LogRecord) -> str:
        """See ``logging.Formatter``."""
        line: dict[str, object] = {
            "severity": _SEVERITIES.get(record.levelno, "DEFAULT"),
            "message": record.getMessage(),
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "logger": record.name,
            "function": self._function,
            **tracecontext.fields(),
        }
        span = tracecontext.current()
        if span is not None:
            trace = f"projects/{self._project}/traces/{span.trace}" if self._project else span.trace
            line["logging.googleapis.com/trace"] = trace
            line["logging.googleapis.com/spanId"] = span.span
            line["logging.googleapis.com/trace_sampled"] = span.sampled
        if record.exc_info:
            line["exception"] = _traceback(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json(*, function: str, project: str | None, level: str) -> None:
    """Send all log lines of this process to standard output in this form."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines(function=function, project=project))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.WARNING, _LEVELS[level]))
    for name in _OURS:
        logging.getLogger(name).setLevel(_LEVELS[level])
    for name in _SERVERS:
        server = logging.getLogger(name)
        server.handlers[:], server.propagate = [], True
        server.setLevel(logging.NOTSET)


def _traceback(error: BaseException | None) -> str:
    """Where an error came from, and the kinds of all that it came from; what they say may hold what was asked."""
    found: list[str] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        found.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__)
        if isinstance(error, BaseExceptionGroup):
            found += [_traceback(inner) for inner in error.exceptions]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\n".join(reversed(found))

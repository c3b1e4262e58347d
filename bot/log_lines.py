"""How the log is written: to stderr, as lines for people or as JSON for machines, always masked.

Must not know what is logged.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal

from bot.redaction import MaskedLog, Redactor

log = logging.getLogger(__name__)

FOR_PEOPLE = "%(asctime)s %(levelname)s %(name)s: %(message)s"

CHATTY = ("httpx", "httpx2", "httpcore", "alembic", "asyncio", "uvicorn", "procrastinate")
"""Libraries of which only warnings are told."""


class JsonLines(logging.Formatter):
    """One object a line: ``time`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and ``error``, a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if trace := record.exc_text or (self.formatException(record.exc_info) if record.exc_info else ""):
            said["error"] = trace
        return json.dumps(said, ensure_ascii=False)


def log_to_stderr(level: str, form: Literal["text", "json"], mask: Redactor) -> None:
    """From here on also what ends the program unforeseen is told through the log, masked as every line."""
    sys.excepthook = _told_at_the_end
    handler = logging.StreamHandler()
    handler.addFilter(MaskedLog(mask))
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter(FOR_PEOPLE))
    logging.basicConfig(level=level, handlers=[handler])
    for chatty in CHATTY:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # it warns of every connection that ends


def _told_at_the_end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("the program ends", exc_info=(kind, error, trace))

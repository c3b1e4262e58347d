"""Redaction: configured secrets, and whatever has the shape of a well-known key, never leave.

Pure. The last net, not the first: a secret must not be in reach to begin with. Must not know where a text goes.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence
from typing import Any

from bot.model_ports import ChatModelPort, Completion, Message
from tools.definition import ToolDefinition

MARK = "•••"

SHORTEST_SECRET = 6
"""Shorter values would mask ordinary words."""

_KEY_SHAPES = re.compile(
    r"\b(?:sk-[\w-]{16,}|ntn_\w{20,}|secret_\w{20,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}"
    r"|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,})"
)
"""OpenAI, Notion, GitHub, AWS, Google, Slack, and signed web tokens."""


class Redactor:
    """Masks what must not leave."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = sorted({each for each in secrets if len(each) >= SHORTEST_SECRET}, key=len, reverse=True)
        self._secrets = re.compile("|".join(map(re.escape, known))) if known else None

    def without_secrets(self, text: str) -> str:
        """The text without the configured secrets."""
        return self._secrets.sub(MARK, text) if self._secrets else text

    def without_keys(self, text: str) -> str:
        """The text without the configured secrets and without anything shaped like a key."""
        return _KEY_SHAPES.sub(MARK, self.without_secrets(text))

    def masked(self, value: Any) -> Any:
        """A JSON value without secrets and keys in any string of it."""
        match value:
            case str():
                return self.without_keys(value)
            case dict():
                return {name: self.masked(each) for name, each in value.items()}
            case list():
                return [self.masked(each) for each in value]
            case _:
                return value


class Masked:
    """An engine that is never shown a secret: what goes to it is masked first, and if that fails nothing goes."""

    def __init__(self, model: ChatModelPort, redactor: Redactor) -> None:
        self._model = model
        self._redactor = redactor

    @property
    def bytes_per_token(self) -> float:
        return self._model.bytes_per_token

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        masked = [self._redactor.masked(message) for message in messages]
        return await self._model.complete(masked, tools, may_call=may_call)


class MaskedLog(logging.Filter):
    """A log line goes on, its secrets do not."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = self._redactor.without_secrets(record.getMessage())
        record.args = ()
        if record.exc_info and not record.exc_text:
            record.exc_text = self._redactor.without_secrets(logging.Formatter().formatException(record.exc_info))
        return True

"""Redaction: configured secrets, and whatever has the shape of a well-known key, never leave.

Pure. The last net, not the first: a secret must not be in reach to begin with. What cannot be masked is not sent: every
edge that uses this must stop there, but for a log, whose line goes on without its text. Must not know where a text
goes.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pydantic_core import to_json

from bot.model_ports import ChatModelPort, Completion, Message
from bot.secret_forms import Forms
from tools.definition import ToolDefinition

MARK = "•••"

SHORTEST_SECRET = 6
"""Shorter values would mask ordinary words."""

_KEYS = {
    beginning: re.compile(rf"{beginning}(?<!\w{beginning}){rest}")
    for beginning, rest in {
        "sk-": r"[\w-]{16,}",
        "ntn_": r"\w{20,}",
        "secret_": r"\w{20,}",
        **dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), r"\w{20,}"),
        "AKIA": r"[0-9A-Z]{16}",
        "AIza": r"[\w-]{30,}",
        **dict.fromkeys(("xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"), r"[\w-]{10,}"),
        "eyJ": r"[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}",
    }.items()
}
"""Shapes of keys by their beginnings: OpenAI, Notion, GitHub, AWS, Google, Slack, and signed web tokens. A text without
any of the beginnings, which takes no time to see, is looked at no closer."""

REMEMBERED, LONGEST_REMEMBERED = 2_048, 4_096
"""So many parts of what is sent are remembered to hold nothing, none of more bytes: the prompt and the tools that stand
in every request, and what some hundred people said lately."""

log = logging.getLogger(__name__)


class NotMasked(Exception):
    """What was to be sent could not be masked, and was not sent. Says nothing of the text, nor of what went wrong with
    it: that could hold it."""


class Redactor:
    """Masks what must not leave. May be handed anything that is JSON."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._configured = [each for each in secrets if len(each) >= SHORTEST_SECRET]
        self.learn(())

    def learn(self, issued: Iterable[str]) -> None:
        """Mask these too, in place of what was learnt before: secrets that were issued meanwhile and live not long."""
        known = {*self._configured, *(each for each in issued if len(each) >= SHORTEST_SECRET)}
        self._known, self._forms = sorted(known, key=len, reverse=True), Forms(known)
        self._is_known_harmless = lru_cache(REMEMBERED)(self._is_harmless)

    def without_secrets(self, text: str) -> str:
        """The text without the configured secrets, in whatever form they stand in it."""
        for each in self._known:
            text = text.replace(each, MARK)
        return self._forms.without(text, MARK)

    def without_keys(self, text: str) -> str:
        """The text without the configured secrets and without anything shaped like a key."""
        left = self.without_secrets(text)
        for beginning, key in _KEYS.items():
            if beginning in left:
                left = key.sub(MARK, left)
        return left

    def masked(self, value: Any) -> Any:
        """A JSON value without secrets and keys in any string of it, names of fields too; itself if it holds none. Of a
        list each part is looked at for itself: most of them come again and again, and the secrets stay the same."""
        parts = value if isinstance(value, list) else (value,)
        return value if all(map(self._holds_nothing, parts)) else _with_each(value, self.without_keys)

    def veiled(self, value: Any) -> Any:
        """A JSON value without secrets in any string of it; what merely looks like a key is left, for whoever reads it
        may have written it."""
        written = _written(value)
        text = _all_strings(value) if written is None else _read(written)
        return _with_each(value, self.without_secrets) if self._shows_secret(text) else value

    def _holds_nothing(self, part: Any) -> bool:
        written = _written(part)
        if written is None:
            return not self._shows(_all_strings(part))
        return (self._is_known_harmless if len(written) <= LONGEST_REMEMBERED else self._is_harmless)(written)

    def _is_harmless(self, written: bytes) -> bool:
        """As a rule there is nothing to mask: that shows in one look at all strings together."""
        return not self._shows(_read(written))

    def _shows(self, text: str) -> bool:
        shaped = any(beginning in text and key.search(text) for beginning, key in _KEYS.items())
        return shaped or self._shows_secret(text)

    def _shows_secret(self, text: str) -> bool:
        return any(each in text for each in self._known) or self._forms.shown_in(text)


def _written(value: Any) -> bytes | None:
    """A value as JSON; None for half a surrogate pair, or what is no JSON."""
    try:
        return to_json(value)
    except ValueError:
        return None


def _read(written: bytes) -> str:
    """All strings of a JSON value in one text. JSON is that once its escapes are undone; where that is not done by
    replacing, string after string is gathered, which takes ten times as long."""
    text = written.decode()
    if "\\" not in text:
        return text
    if any(odd in text for odd in _ODD_ESCAPES):
        return _all_strings(json.loads(written))
    for escape, meant in _ESCAPES:
        text = text.replace(escape, meant)
    return text


_ODD_ESCAPES = (r"\u", r"\b", r"\f")
_ESCAPES = ((r"\\", "\0"), (r"\n", "\n"), (r"\r", "\r"), (r"\t", "\t"), (r"\"", '"'), ("\0", "\\"))
"""In JSON no NUL stands as it is: meanwhile it keeps the place of a backslash."""


def _all_strings(value: Any) -> str:
    return "\n".join(_strings(value))


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, each in value.items():
                yield name
                yield from _strings(each)
        case list() | tuple():
            for each in value:
                yield from _strings(each)


def _with_each(value: Any, mask: Callable[[str], str]) -> Any:
    match value:
        case str():
            return mask(value)
        case Mapping():
            return {mask(name): _with_each(each, mask) for name, each in value.items()}
        case list() | tuple():
            return [_with_each(each, mask) for each in value]
        case _:
            return value


def _sendable(masked: Message, message: Message, ids: dict[str, str]) -> Message:
    """A masked message, with calls whose names and ids every endpoint takes: the mark is no letter, and ids that were
    told apart still are."""
    for each, was in zip(masked.get("tool_calls") or (), message.get("tool_calls") or (), strict=True):
        each["function"]["name"] = each["function"]["name"].replace(MARK, "masked")
        if each["id"] != was["id"]:
            each["id"] = ids.setdefault(was["id"], f"masked{len(ids)}")
    if message.get("tool_call_id") in ids:
        masked["tool_call_id"] = ids[message["tool_call_id"]]
    return masked


class Masked:
    """An engine that is never shown a secret: what goes to it, tools included, is masked first, and if that fails
    nothing goes. Raises NotMasked."""

    def __init__(self, model: ChatModelPort, redactor: Redactor) -> None:
        self._model = model
        self._redactor = redactor

    @property
    def bytes_per_token(self) -> float:
        return self._model.bytes_per_token

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        try:
            masked = self._masked_messages(list(messages))
            shown = self._masked_tools(tools)
        except Exception:  # noqa: BLE001 - whatever it was, the text may be in it
            raise NotMasked("a request to the model could not be masked, and was not made") from None
        return await self._model.complete(masked, shown, may_call=may_call)

    def _masked_messages(self, messages: list[Message]) -> list[Message]:
        masked: list[Message] = self._redactor.masked(messages)
        if masked is messages:
            return messages
        ids: dict[str, str] = {}
        return [_sendable(each, was, ids) for each, was in zip(masked, messages, strict=True)]

    def _masked_tools(self, tools: Sequence[ToolDefinition]) -> Sequence[ToolDefinition]:
        told = [[tool.name, tool.description, tool.parameters] for tool in tools]
        masked = self._redactor.masked(told)
        if masked is told:
            return tools
        return [
            replace(tool, name=a, description=b, parameters=c) for tool, (a, b, c) in zip(tools, masked, strict=True)
        ]


class MaskedLog(logging.Filter):
    """A log line goes on, its secrets do not; where it cannot be masked, its text does not either."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            self._mask(record)
        except Exception:  # noqa: BLE001 - a log never takes its house down
            _empty(record)
        return True

    def _mask(self, record: logging.LogRecord) -> None:
        mask = self._redactor.without_secrets
        told = mask(record.getMessage())
        trace = record.exc_text or (logging.Formatter().formatException(record.exc_info) if record.exc_info else "")
        trace, stack = mask(trace), mask(record.stack_info or "")
        further = {name: self._plain(value) for name, value in vars(record).items() if name not in _STANDARD}
        record.msg, record.args, record.exc_info = told, (), None
        record.exc_text, record.stack_info = trace or None, stack or None
        vars(record).update(further)

    def _plain(self, value: object) -> object:
        if value is None or isinstance(value, bool | int | float):
            return value
        return self._redactor.veiled(value if isinstance(value, str | dict | list) else str(value))


_STANDARD = frozenset({*vars(logging.LogRecord("", 0, "", 0, "", (), None)), "message", "asctime", "taskName"})
"""What every line of a log has; whatever else stands in one was added by who wrote it."""


def _empty(record: logging.LogRecord) -> None:
    length = len(record.msg) if isinstance(record.msg, str) else 0
    record.msg, record.args = f"(a line of {length} signs that could not be masked)", ()
    record.exc_info = record.exc_text = record.stack_info = None
    for name in vars(record).keys() - _STANDARD:
        delattr(record, name)

"""Words that the caller did not write: how they are shown to a model, and what is remembered of them.

Pure. They stand in a message as data: each part one line of JSON that begins with ``{"untrusted":true``, as a tool's
result does that holds such words. Inside JSON a text cannot end its own line or quotation, so it can close or forge
nothing; and the line follows from the text alone, so that a turn which goes on says the same bytes again. Where they
stood in an earlier exchange they are not shown again, nor is what a model made of them: words that were planted would
wait there for a turn in which nobody suspects them. Must not know where the words came from, or which tool found them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from bot.model_ports import Message
from bot.ports import IncomingMessage, MessageKind
from tools.record import PersonId, RecordType

FOREIGN_CHARS = 8_000
"""Characters of one foreign part that a model is shown: what is longer is cut, and the cut is told."""

RECORDS_NAMED = 20
"""Records that are still named of an exchange whose words are left out: as many as one question can list."""

SOURCES: Mapping[MessageKind, str] = {
    "location": "place",
    "file": "file",
    "image": "image",
    "video": "video",
}
"""What is heard beside words, by what a model is told of it: the text in it is nobody's wish. A sticker's is of no
use to a model."""

QUOTED = "quoted message"

_OPENING = '{"untrusted":true'
_LINE = re.compile(rf"^{re.escape(_OPENING)}[,}}].*(?:\n|\Z)", re.MULTILINE)
_MARKED = re.compile(r"\[[^\]\n]* untrusted\]\n")
_BREAKS = re.compile("[\u0085\u2028\u2029]")
_TYPES = frozenset(get_args(RecordType))
_LEFT_OUT = "what others wrote then, and the answer to it"


@dataclass(frozen=True, slots=True)
class Foreign:
    """A part of a message that somebody else wrote. ``source`` is said by code: ``place``, ``file``, ``group``."""

    source: str
    text: str

    def __str__(self) -> str:
        """The line that a model reads."""
        text = self.text
        if len(text) > FOREIGN_CHARS:
            mark = f"…[cut: {len(text)} characters in all]"
            text = text[: FOREIGN_CHARS - len(mark)] + mark
        return _data({"source": self.source, "text": text})


def foreign_in(messages: Sequence[IncomingMessage], caller: PersonId) -> tuple[Foreign, ...]:
    """What of these messages the caller did not write: other people's words, and the text in whatever is no words."""
    parts = ((_source(message, caller), message.text) for message in messages)
    quoted = [Foreign(QUOTED, each.quoted_text) for each in messages if each.quoted_text.strip()]
    return (*(Foreign(source, text) for source, text in parts if source and text.strip()), *quoted)


def is_callers(message: IncomingMessage, caller: PersonId) -> bool:
    """Whether the caller sent this. Where LINE does not say who it was, it was whoever the chat belongs to."""
    return (message.person or PersonId(message.chat)) == caller


def heard_in(messages: Sequence[IncomingMessage]) -> bool:
    """Whether some of their words were spoken: they are the caller's, but nobody can be sure of each."""
    return any(each.kind == "audio" and each.text for each in messages)


def _source(message: IncomingMessage, caller: PersonId) -> str | None:
    if message.kind in {"text", "audio", "edited"}:  # what is heard in one's own voice are one's own words
        return None if is_callers(message, caller) else "another person in this chat"
    return SOURCES.get(message.kind)


def is_untrusted(result: str) -> bool:
    """Whether a tool's result, as a model reads it, holds words of others."""
    return result.startswith(_OPENING)


def own_part(content: str) -> str:
    """A user message without the data in it: what the person said. Whoever writes such a line by hand has said it as
    data."""
    return _LINE.sub("", content).rstrip("\n") if _OPENING in content else content


def exchanges(history: Sequence[Message]) -> list[list[Message]]:
    """The history, cut in front of each user message."""
    found: list[list[Message]] = []
    for message in history:
        if message["role"] == "user" or not found:
            found.append([])
        found[-1].append(message)
    return found


def remembered(history: Sequence[Message]) -> tuple[list[Message], bool]:
    """Earlier exchanges as they may be shown again, and whether words of others are among them.

    Only the newest exchange is shown as it was if it brought such words itself: what is said next is mostly about
    them, and that turn is marked for it. Every other one that had to do with them is told by the person's own words
    and the numbers of the records in it.
    """
    cut = exchanges(history)
    shown: list[Message] = []
    follows = False
    for place, exchange in enumerate(cut, start=1):
        follows = place == len(cut) and _brings(exchange)
        shown += exchange if follows or not is_marked(exchange) else _stub(exchange)
    return shown, follows


def _data(fields: Mapping[str, Any]) -> str:
    line = json.dumps({"untrusted": True, **fields}, ensure_ascii=False, separators=(",", ":"))
    return _BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", line)


def is_marked(exchange: Sequence[Message]) -> bool:
    """Whether words of others were in sight in these messages of one turn: its stamp says so, or they came later."""
    return bool(exchange) and (bool(_MARKED.match(_content(exchange[0]))) or _brings(exchange))


def _brings(exchange: Sequence[Message]) -> bool:
    """Whether words of others came in with this exchange: from the message itself, or from a tool."""
    results = (_content(each) for each in exchange if each["role"] == "tool")
    return bool(_LINE.search(_content(exchange[0]))) or any(map(is_untrusted, results))


def _content(message: Message) -> str:
    return str(message.get("content") or "")


def _stub(exchange: Sequence[Message]) -> list[Message]:
    results = (_content(each) for each in exchange if each["role"] == "tool")
    named = dict.fromkeys(name for result in results for name in _records(result))
    line = _data({"left_out": _LEFT_OUT, "records": list(named)[:RECORDS_NAMED]})
    said = f"{own_part(_content(exchange[0]))}\n{line}"
    return [{"role": "user", "content": said}, {"role": "assistant", "content": "OK"}]


def _records(result: str) -> Iterator[str]:
    """``#12 task`` for each record in a tool's result: a number and a choice, none of anybody's words."""
    try:
        waiting = [json.loads(result)]
    except ValueError:
        return
    while waiting:
        match waiting.pop(0):
            case {"ref": int(ref), "type": str(kind)} if kind in _TYPES:
                yield f"#{ref} {kind}"
            case dict() as inner:
                waiting += inner.values()
            case list() as inner:
                waiting += inner

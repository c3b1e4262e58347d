"""A streamed answer, put together: pieces of bytes in, the body in the end that the endpoint would have sent at once.

Pure. Events: https://html.spec.whatwg.org/multipage/server-sent-events.html, chunks:
https://platform.openai.com/docs/api-reference/chat/streaming. Nothing is read as a call before the end: what can be
parsed may be the beginning of something longer. Must not know how pieces are brought or what an answer means.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import from_json

from bot.engines.openai_shapes import Body, decoded, dict_in, mended
from bot.thinking.conversation import scrubbed

LONGEST_ANSWER = 8 * 1024 * 1024
"""Bytes. Whatever sends more of an answer is no model."""

LINES_OF_AN_EVENT = 200
"""One chunk, written over lines, takes some dozens; each of more would be read again with every line that follows."""

MOST_CALLS = 200
"""Of one answer. What has so many is a fault, however many more there are."""

_BEFORE_NAMES = b"\xef\xbb\xbf \t"
_SPOKEN = ("content", "refusal")
_THOUGHT = ("reason", "think", "thought")
_LASTING = frozenset({"", "stop", "tool_calls"})


class Assembly:
    """One answer as it comes. ``feed`` it, then ask for its ``body``."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._half_an_end = False
        self._data: list[bytes] = []
        self._whole: list[bytes] = []
        self._size = 0
        self._message: Body = {"role": "assistant"}
        self._calls = _Calls()
        self._finish = ""
        self._usage: Any = None
        self._error: Body | None = None
        self._events = 0
        self._ended = False

    def feed(self, piece: bytes) -> bool:
        """The next bytes, cut anywhere; says whether that was all. Raises ValueError for more than any answer has."""
        self._size += len(piece)
        if self._size > LONGEST_ANSWER:
            raise ValueError("the answer has no end")
        if not self._events:
            self._whole.append(piece)
        text = piece.removeprefix(b"\n") if self._half_an_end else piece
        self._half_an_end = text.endswith(b"\r") if piece else self._half_an_end
        rest, *lines = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._line.append(rest)
        for line in lines:
            self._end_line()
            self._line.append(line)
        return self._ended or self._error is not None

    @property
    def is_complete(self) -> bool:
        """Whether the answer is whole, though there may be more to say about it."""
        return self._ended or self._error is not None or bool(self._finish)

    def body(self) -> Body:
        """The whole answer; what an endpoint that does not stream sent; or an object with an ``error``."""
        self._end_line()
        self._take_line(b"")
        if self._error is not None:
            return {"error": self._error}
        if not self._events:
            return decoded(b"".join(self._whole))
        if not (self.is_complete or self._usage):
            return {"error": {"code": "stream_broken", "message": "the stream ended before the answer did"}}
        message = {"content": None, **self._message}
        if calls := self._calls.entries():
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": self._finish or None}
        return scrubbed({"choices": [choice], "usage": self._usage})

    # ── lines to chunks ───────────────────────────────────────────────────────────────────────────────────────────

    def _end_line(self) -> None:
        """What came since the last end of a line is one."""
        line = b"".join(self._line)
        self._line.clear()
        self._take_line(line)

    def _take_line(self, line: bytes) -> None:
        """One line of the stream. Some servers leave the blank lines between events out, some the field's name."""
        name, _, value = line.partition(b":")
        if name.strip(_BEFORE_NAMES) == b"data":
            self._data.append(value.strip())
            self._take_event(at_its_end=len(self._data) >= LINES_OF_AN_EVENT)
        elif not line.strip():
            self._take_event(at_its_end=True)
        elif (chunk := _object(line)) is not None:
            self._take_chunk(chunk)

    def _take_event(self, *, at_its_end: bool) -> None:
        """The lines gathered so far, if they are an event already. What is none at its end, and no word of the server
        itself either, is damage."""
        text = b"\n".join(self._data)
        if text == b"[DONE]":
            self._ended = True
        elif (chunk := _object(text)) is not None:
            self._take_chunk(chunk)
        elif not at_its_end:
            return
        elif text.startswith(b"{"):
            self._fail({"code": "stream_broken", "message": "the stream holds what is no JSON"})
        self._data.clear()

    # ── chunks to an answer ───────────────────────────────────────────────────────────────────────────────────────

    def _take_chunk(self, chunk: Body) -> None:
        self._events += 1
        if error := chunk.get("error"):
            self._fail(error if isinstance(error, dict) else {"message": error})
        usage = chunk.get("usage") or dict_in(chunk.get("x_groq")).get("usage")
        if isinstance(usage, dict):
            self._usage = usage
        choices = chunk.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, dict) or first.get("index") not in (None, 0):
            return
        if isinstance(failed := first.get("error"), dict):
            self._fail(failed)
        self._take_delta(dict_in(first.get("delta")) or self._first_message(first))
        if (reason := first.get("finish_reason")) and self._finish in _LASTING:
            self._finish = str(reason)

    def _fail(self, error: Body) -> None:
        self._events += 1
        self._error = self._error or error

    def _first_message(self, choice: Body) -> Body:
        """A whole message instead of a delta: it counts only where nothing came before."""
        return dict_in(choice.get("message")) if len(self._message) == 1 and not self._calls.slots else {}

    def _take_delta(self, delta: Body) -> None:
        for name, value in delta.items():
            if name == "tool_calls":
                self._calls.take(value)
            elif name != "role":
                self._message[name] = _joined(name, self._message.get(name), value)


@dataclass(slots=True)
class _Slot:
    """A call as it grows. ``arguments`` is its text so far."""

    id: str = ""
    index: int | None = None
    name: str = ""
    arguments: str = ""
    entry: Body = field(default_factory=dict)
    function: Body = field(default_factory=dict)

    def given(self) -> Body | None:
        """The arguments, if they are one object: whatever comes then is not the rest of it."""
        return _object_in(self.arguments)

    def take(self, entry: Body) -> None:
        """The next delta of this call. Names and ids are said once or every time, never in parts."""
        function = dict_in(entry.get("function"))
        self.id = self.id or _text(entry.get("id"))
        self.index = _index(entry) if self.index is None else self.index
        self.name = self.name or _text(function.get("name"))
        text = _arguments(function)
        if text and ((whole := _object_in(text)) is None or whole != self.given()):
            self.arguments += text  # some say the whole of it once more in the end
        _merge(self.entry, {name: each for name, each in entry.items() if name not in {"id", "index", "function"}})
        _merge(self.function, {name: each for name, each in function.items() if name not in {"name", "arguments"}})

    def whole(self) -> Body:
        function = {**self.function, "name": self.name, "arguments": self.arguments.strip() or "{}"}
        return {**self.entry, "id": self.id, "type": "function", "function": function}


class _Calls:
    """The calls of one answer. A delta belongs to the call that has its id, else to the latest with its index, else to
    the latest of all; unless it begins another one."""

    def __init__(self) -> None:
        self.slots: list[_Slot] = []

    def take(self, entries: Any) -> None:
        """The calls' part of one chunk. What stands in one list under two names is two calls."""
        begun: list[_Slot] = []
        for entry in entries if isinstance(entries, list) else []:
            if not isinstance(entry, dict):
                continue
            slot = self._slot(entry)
            name = _text(dict_in(entry.get("function")).get("name"))
            if slot is None or (name and any(slot is each for each in begun)):
                if len(self.slots) >= MOST_CALLS:
                    return
                slot = _Slot()
                self.slots.append(slot)
            begun.append(slot)
            slot.take(entry)

    def entries(self) -> list[Body]:
        """Every call that has a name, in the order of their indexes where they have them."""
        indexes = [each.index for each in self.slots]
        slots = self.slots
        if len({each for each in indexes if each is not None}) == len(slots):
            slots = sorted(slots, key=lambda each: each.index or 0)
        return [each.whole() for each in slots if each.name]

    def _slot(self, entry: Body) -> _Slot | None:
        """The call that this goes on with; None if it is the beginning of a new one."""
        call_id, index = _text(entry.get("id")), _index(entry)
        with_id = [each for each in self.slots if call_id and each.id == call_id]
        with_index = [each for each in with_id or self.slots if index is None or each.index in (None, index)]
        found = with_index or with_id
        return None if not found or _begins(found[-1], entry) else found[-1]


def _begins(slot: _Slot, entry: Body) -> bool:
    """Whether a delta that might go on with a call begins another one. A new id alone does not while the arguments are
    unfinished: some make a new one for each delta."""
    function = dict_in(entry.get("function"))
    call_id, index, name = _text(entry.get("id")), _index(entry), _text(function.get("name"))
    if not name:
        return bool(call_id and slot.id and call_id != slot.id) and slot.given() is not None
    if name != (slot.name or name) and call_id != slot.id:
        return True
    if call_id and slot.id and call_id != slot.id:
        return slot.given() is not None or not slot.arguments.strip()
    elsewhere = None not in (index, slot.index) and index != slot.index
    return elsewhere or _is_another(slot, function)


def _is_another(slot: _Slot, function: Body) -> bool:
    """Whether both the call and what comes are whole, and differ."""
    more = _object_in(_arguments(function))
    return more is not None and (given := slot.given()) is not None and given != more


# ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _joined(name: str, before: Any, more: Any) -> Any:
    """A field of the message with what comes next: words grow, lists get longer, everything else is said once."""
    if before is None or more is None:
        return more if before is None else before
    if isinstance(before, str) and isinstance(more, str):
        return before + more if name in _SPOKEN or name.startswith(_THOUGHT) else before or more
    if isinstance(before, list):
        before += more if isinstance(more, list) else [more]
        return before
    if isinstance(before, dict) and isinstance(more, dict):
        _merge(before, more)
        return before
    return [before, *more] if isinstance(more, list) else more


def _merge(into: Body, more: Body) -> None:
    for name, value in more.items():
        into[name] = _joined(name, into.get(name), value)


def _arguments(function: Body) -> str:
    """What a delta says of the arguments, as text."""
    arguments = function.get("arguments")
    return arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)


def _object_in(text: str) -> Body | None:
    """The JSON object that the text is, or None."""
    return _object(text.strip().encode(errors="replace")) if text.rstrip().endswith("}") else None


def _object(text: bytes) -> Body | None:
    """The JSON object that the text is, or None. Half a surrogate pair is kept: the other half may come."""
    if not text.startswith(b"{"):
        return None
    try:
        found = from_json(text, allow_inf_nan=False)
    except ValueError:
        found = mended(text)
    return found if isinstance(found, dict) else None


def _index(entry: Body) -> int | None:
    index = entry.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

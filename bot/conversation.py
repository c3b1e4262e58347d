"""A turn as a conversation: the messages it consists of, read and written in the Chat Completions shape.

Pure. All that is known of a turn follows from its messages, so that one read back from a transcript goes on as if
nothing had happened. Must not know how a model is asked or how a tool is run.
"""

from __future__ import annotations

import json
import re
import secrets
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model_ports import Completion, Message, Prompt, ToolCall
from tools.record import Result

RESULT_CHARS = 16_000
"""The longest tool result that a model is told."""

NUDGE = (
    "Your previous attempt at an answer was empty or unusable. Answer now, in plain words. "
    "A tool is called only through the tool interface, never inside the text."
)

_ID_LENGTH = 64
_ID_ALPHABET = string.ascii_letters + string.digits
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Asked:
    """One tool call of a turn. ``number`` counts all calls of the turn from 1, ``round`` the answers that asked for
    tools and ``place`` the calls of one answer, both from 0. ``result`` is None until the call has been answered."""

    number: int
    round: int
    place: int
    call: ToolCall
    result: str | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a turn starts from, and its own messages so far: the user's, then the model's answers, each followed by one
    tool message per call."""

    prompt: Prompt
    own: list[Message]

    def messages(self, *, nudge: bool) -> list[Message]:
        """What a model is sent. A nudge stands in the system text: not every endpoint takes words after a result."""
        system = f"{self.prompt.system}\n\n{NUDGE}" if nudge else self.prompt.system
        return [{"role": "system", "content": system}, *self.prompt.history, *self.own]

    @property
    def final_text(self) -> str | None:
        """The answer to the person, or None while there is none."""
        last = self.own[-1]
        return last["content"] if last["role"] == "assistant" and not last.get("tool_calls") else None

    @property
    def rounds(self) -> int:
        """How many answers asked for tools."""
        return sum(1 for each in self.own if each.get("tool_calls"))

    @property
    def calls(self) -> list[Asked]:
        """Every tool call. Calls are answered one by one, in order: the n-th result is the n-th call's."""
        results = iter([each["content"] for each in self.own if each["role"] == "tool"])
        calls: list[Asked] = []
        for a_round, answer in enumerate(each for each in self.own if each.get("tool_calls")):
            for place, entry in enumerate(answer["tool_calls"]):
                call = ToolCall(entry["id"], entry["function"]["name"], entry["function"]["arguments"])
                calls.append(Asked(len(calls) + 1, a_round, place, call, next(results, None)))
        return calls

    @property
    def waiting(self) -> list[Asked]:
        """The calls that have no result yet."""
        return [each for each in self.calls if each.result is None]

    def words(self, completion: Completion) -> Message:
        """The model's last answer, as it is stored: calls that nobody will carry out are left out."""
        return {**_without_calls(completion.message), "content": completion.text.strip()}

    def request(self, completion: Completion) -> Message:
        """An answer that asks for tools, as it is stored: verbatim, and each call with an id of its own."""
        ids = self._fresh_ids(completion.calls)
        entries = completion.message.get("tool_calls") or []
        kept = entries if len(entries) == len(completion.calls) else [{}] * len(completion.calls)
        calls = [_entry(*each) for each in zip(kept, ids, completion.calls, strict=True)]
        return {**_without_calls(completion.message), "tool_calls": calls}

    def _fresh_ids(self, calls: Sequence[ToolCall]) -> Iterator[str]:
        """The endpoint's ids where they can be told apart and sent back, else new ones that every endpoint takes."""
        used = set(_ids([*self.prompt.history, *self.own]))
        for call in calls:
            given = call.id if 0 < len(call.id) <= _ID_LENGTH and call.id not in used else _new_id()
            used.add(given)
            yield given


def tool_message(call: ToolCall, result: str) -> Message:
    """The answer to one call."""
    return {"role": "tool", "tool_call_id": call.id, "content": result}


def told(result: Result) -> str:
    """A result as a model reads it: compact JSON in plain characters (they cost a third of escaped ones), cut and
    marked as cut if it is too long to read."""
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":"), default=str)
    if len(text) <= RESULT_CHARS:
        return text
    mark = f"…[cut: {len(text)} characters in all]"
    return text[: RESULT_CHARS - len(mark)] + mark


def scrubbed(message: Message) -> Message:
    """The message without halves of surrogate pairs, which cannot be sent or stored as UTF-8."""
    text = json.dumps(message, ensure_ascii=False)
    if not _SURROGATE.search(text):
        return message
    clean: Message = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return clean


def _without_calls(message: Message) -> Message:
    """The message with the keys that every endpoint wants to see, and no list of calls."""
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    return {**rest, "role": "assistant", "content": message.get("content")}


def _entry(sent: Any, call_id: str, call: ToolCall) -> dict[str, Any]:
    """One call as it is stored and sent back: what we do not know is kept, arguments are always text."""
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    function = {**sent.get("function", {}), "name": call.name, "arguments": arguments}
    return {**sent, "id": call_id, "type": "function", "function": function}


def _ids(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        yield from (each["id"] for each in message.get("tool_calls") or ())


def _new_id() -> str:
    """Nine letters and digits: the one form that the strictest endpoint accepts."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(9))

"""A turn as a conversation: the messages it consists of, read and written in the Chat Completions shape.

Pure. All that is known of a turn follows from its messages, so that one read back from a transcript goes on as if
nothing had happened. Must not know how a model is asked or how a tool is run.
"""

from __future__ import annotations

import json
import re
import secrets
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model_ports import Completion, Message, Prompt, ToolCall
from bot.thinking.foreign import is_marked
from tools.definition import ToolError
from tools.record import Result

RESULT_CHARS = 16_000
"""The longest tool result that a model is told: some ten records in full, half of a usual budget."""

NUDGE = (
    "Your previous attempt at an answer was empty or unusable. Answer now, in plain words. "
    "A tool is called only through the tool interface, never inside the text."
)

LAST_NUDGE = (
    "Your previous attempt at an answer was empty or unusable. No tool can be called any more. Answer now, in plain "
    "words, from the results there are, and say what was not done."
)

_ID_LENGTH = 64
_ID_ALPHABET = string.ascii_letters + string.digits
_ERROR = re.compile(r'\{"error":\{"code":"(\w{1,40})"')
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

    @property
    def failures(self) -> Counter[str]:
        """How many answers asked for something that failed, by the code of the error: a model that misread four dates
        in one answer may mend them together."""
        failed = {(each.round, code) for each in self.calls if (code := error_code(each.result or ""))}
        return Counter(code for _, code in failed)

    @property
    def is_guarded(self) -> bool:
        """Whether the turn holds, so far, what the person did not write: then what it would do may not be theirs."""
        return self.prompt.untrusted or is_marked(self.own)

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


def paired(messages: Sequence[Message]) -> list[Message]:
    """The messages with one result for each call, behind it and in the calls' order. A call that was never answered is
    told to have been cancelled, and a result that no call asked for is left out: endpoints refuse both, and would
    refuse them for ever."""
    whole: list[Message] = []
    waiting: list[str] = []
    results: list[Message] = []

    def settle() -> None:
        for call_id in waiting:
            found = next((each for each in results if each["tool_call_id"] == call_id), None)
            if found is not None:
                results.remove(found)
            whole.append(_cancelled(call_id) if found is None else found)
        waiting.clear()
        results.clear()

    for message in messages:
        if message["role"] == "tool":
            results.append(message)
            continue
        if waiting or results:
            settle()
        whole.append(message)
        waiting += [each["id"] for each in message.get("tool_calls") or ()]
    settle()
    return whole


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


def error_code(result: str) -> str | None:
    """The code of the error that a result tells of, or None if it tells of none."""
    failed = _ERROR.match(result)
    return failed[1] if failed else None


def scrubbed(message: Message) -> Message:
    """The message without halves of surrogate pairs, which cannot be sent or stored as UTF-8."""
    text = json.dumps(message, ensure_ascii=False)
    if not _SURROGATE.search(text):
        return message
    clean: Message = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return clean


def _cancelled(call_id: str) -> Message:
    unknown = ToolError("cancelled", "It is not known whether this was done.", retry=False)
    return {"role": "tool", "tool_call_id": call_id, "content": told(unknown.as_result())}


def _without_calls(message: Message) -> Message:
    """The message with the keys that every endpoint wants to see, and no list of calls."""
    rest = {name: value for name, value in message.items() if name != "tool_calls"}
    return {**rest, "role": "assistant", "content": message.get("content")}


def _entry(sent: Any, call_id: str, call: ToolCall) -> dict[str, Any]:
    """One call as it is stored and sent back: what we do not know is kept, arguments are always text. None at all are
    those of a tool that takes none."""
    meant = {} if call.arguments is None else call.arguments
    arguments = meant if isinstance(meant, str) else json.dumps(meant, ensure_ascii=False)
    function = {**sent.get("function", {}), "name": call.name, "arguments": arguments}
    return {**sent, "id": call_id, "type": "function", "function": function}


def _ids(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        yield from (each["id"] for each in message.get("tool_calls") or ())


def _new_id() -> str:
    """Nine letters and digits: the one form that the strictest endpoint accepts."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(9))

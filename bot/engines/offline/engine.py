"""The engine without a model: it understands plain logging and asking, deterministically and without any network.

It reads the last user message and the tools' results behind it, and answers with tool calls or with the final text.
What it does not understand it says so, and never writes. Must not know who runs its calls.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.engines.offline.answers import Speaker
from bot.engines.offline.chosen import next_call
from bot.engines.offline.plan import Person, Plan, Wish
from bot.engines.offline.quoted import lacks_ref
from bot.engines.offline.understanding import Listener
from bot.model_ports import Completion, Message, ToolCall
from bot.thinking.prompt import Stamp, unstamped
from bot.voice.phrases import phrases_of
from tools.definition import ToolDefinition

_LONGEST = 5_000
"""Characters of a message; a longer one is not read."""

_ENOUGH = "OK"
"""After a change the receipt says it all, but a turn ends with a word."""

_CALLS = 16
"""Calls of one answer: more of them would not be carried out. What is behind goes into the next answer."""


class OfflineEngine:
    """A ``ChatModelPort`` that is always there. Stateless: the messages are all it knows."""

    @property
    def bytes_per_token(self) -> float:
        return math.inf  # nothing is counted here, and every result is read

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        stamp, text, behind = _asked(messages)
        speaker = Speaker(stamp)
        if len(text) > _LONGEST:
            return _saying(speaker.words.too_long)
        person = Person(stamp, _categories(tools))
        plan = Listener(person).plan(text)
        results = _results(behind)
        order, wishes = _progress(plan, results, person)
        if may_call and wishes and {wish.tool for wish in wishes} <= {tool.name for tool in tools}:
            return _calling(wishes, first=len(results))
        if not plan.wishes:
            return _saying(speaker.not_understood(plan))
        if not results:
            return _saying(phrases_of(speaker.language).only_looks)
        told = list(zip(order, results, strict=False))
        return _saying(speaker.answer(told, plan, _not_called(plan, order, results)) or _ENOUGH)

    def certain(self, content: str, tools: Sequence[ToolDefinition]) -> tuple[str, str]:
        """The lines of a user message that are carried out by these tools without any doubt, and the rest of it."""
        stamp, text = unstamped(content)
        if len(text) > _LONGEST or "create_record" not in {tool.name for tool in tools}:
            return "", text
        certain, rest = Listener(Person(stamp or _unknown(), _categories(tools))).certain(text)
        return "\n".join(certain), "\n".join(rest)

    def lacks_ref(self, words: str) -> bool:
        """Whether the words would change a record, if only they said which."""
        return lacks_ref(words, Person(_unknown()))


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────────────


def _asked(messages: Sequence[Message]) -> tuple[Stamp, str, Sequence[Message]]:
    """The stamp and words of the last user message, and the messages behind it."""
    at = max((index for index, each in enumerate(messages) if each.get("role") == "user"), default=None)
    content = messages[at].get("content") if at is not None else ""
    stamp, text = unstamped(content if isinstance(content, str) else "")
    return stamp or _unknown(), text, messages[at + 1 :] if at is not None else ()


def _unknown() -> Stamp:
    """For a message without a stamp: now, in UTC, in English."""
    return Stamp(datetime.now(UTC), ZoneInfo("UTC"), "en", "USD")


def _results(behind: Sequence[Message]) -> list[Mapping[str, Any]]:
    """The tools' results, in the order of the calls."""
    return [_parsed(each.get("content")) for each in behind if each.get("role") == "tool"]


def _parsed(content: object) -> Mapping[str, Any]:
    try:
        result = json.loads(content) if isinstance(content, str) else {}
    except ValueError:
        result = None
    return result if isinstance(result, dict) else {"error": {"code": "unreadable"}}


def _categories(tools: Sequence[ToolDefinition]) -> tuple[str, ...]:
    """The person's own list, as create_record offers it."""
    for tool in tools:
        if tool.name == "create_record":
            return tuple(tool.parameters.get("properties", {}).get("category", {}).get("enum", ()))
    return ()


# ── what is done next ─────────────────────────────────────────────────────────────────────────────────────────────


def _progress(
    plan: Plan, results: Sequence[Mapping[str, Any]], person: Person
) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    """Every wish in the order in which it is called, and the calls to make now: the plan's, one answer after the other,
    then what was looked for by name, if it is the only one."""
    answers = _answers(plan.wishes)
    answers += _answers(_follow_up([wish for answer in answers for wish in answer], results, person))
    order = tuple(wish for answer in answers for wish in answer)
    called = 0
    for answer in answers:
        if called == len(results) and answer:
            return order, answer
        called += len(answer)
    return order, ()


def _answers(wishes: tuple[Wish, ...]) -> list[tuple[Wish, ...]]:
    """The wishes in portions that are carried out whole. Equal ones stay together: in a later answer they would be
    taken for a repetition; what is more of them than one answer holds is in none."""
    if len(wishes) <= _CALLS:
        return [wishes]
    equal: dict[str, list[Wish]] = {}
    for wish in wishes:
        equal.setdefault(f"{wish.tool} {_written(wish)}", []).append(wish)
    answers: list[tuple[Wish, ...]] = [()]
    for several in equal.values():
        if len(answers[-1]) + len(several[:_CALLS]) > _CALLS:
            answers.append(())
        answers[-1] += tuple(several[:_CALLS])
    return answers


def _follow_up(called: Sequence[Wish], results: Sequence[Mapping[str, Any]], person: Person) -> tuple[Wish, ...]:
    calls = (next_call(wish, result, person) for wish, result in zip(called, results, strict=False))
    return tuple(call for call in calls if call is not None)


def _not_called(plan: Plan, order: Sequence[Wish], results: Sequence[Mapping[str, Any]]) -> list[Wish]:
    """The wishes for which there was no room, in no answer or in none of those that were made."""
    placed = {id(wish) for wish in order}
    return [*order[len(results) :], *(wish for wish in plan.wishes if id(wish) not in placed)]


# ── the answer ────────────────────────────────────────────────────────────────────────────────────────────────────


def _calling(wishes: Sequence[Wish], first: int) -> Completion:
    calls = tuple(ToolCall(f"offline_{first + place}", wish.tool, _written(wish)) for place, wish in enumerate(wishes))
    message: Message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ],
    }
    return Completion(message, calls=calls, finish="tool_calls")


def _written(wish: Wish) -> str:
    return json.dumps(wish.arguments, ensure_ascii=False)


def _saying(text: str) -> Completion:
    return Completion({"role": "assistant", "content": text}, text=text)

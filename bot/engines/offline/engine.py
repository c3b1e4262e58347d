"""The engine without a model: it understands plain logging and asking, deterministically and without any network.

It reads the last user message and the tools' results behind it, and answers with tool calls or with the final text.
What it does not understand it says so, and never writes. Must not know who runs its calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.engines.offline.answers import Speaker
from bot.engines.offline.plan import Person, Plan, Wish
from bot.engines.offline.understanding import Listener
from bot.ports import Completion, Message, ToolCall
from bot.prompt import Stamp, unstamped
from tools.definition import ToolDefinition

_LONGEST = 2_000
"""Longer messages are no plain logging; they are not read."""

_ENOUGH = "OK"
"""After a change the receipt says it all, but a turn ends with a word."""

_CALLS = 16
"""Calls that are made of one message; the lines behind are named as left out."""


class OfflineEngine:
    """A ``ChatModelPort`` that is always there. Stateless: the messages are all it knows."""

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[ToolDefinition], *, may_call: bool = True
    ) -> Completion:
        stamp, text, behind = _asked(messages)
        plan = Listener(Person(stamp, _categories(tools))).plan(text) if len(text) <= _LONGEST else Plan()
        results = _results(behind)
        wishes = _next(plan, results)
        if may_call and wishes and {wish.tool for wish in wishes} <= {tool.name for tool in tools}:
            return _calling(wishes, first=len(results))
        speaker = Speaker(stamp)
        if not plan.wishes:
            return _saying(speaker.not_understood(plan))
        if not results:
            return _saying(speaker.words.cannot_write)
        return _saying(speaker.answer(list(zip(_all(plan, results), results, strict=False)), plan) or _ENOUGH)


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
    """The person's own list, as create_record's description of ``category`` names it."""
    for tool in tools:
        if tool.name == "create_record":
            described = str(tool.parameters.get("properties", {}).get("category", {}).get("description", ""))
            _, found, names = described.partition("One of: ")
            return tuple(name.strip() for name in names.split(",")) if found else ()
    return ()


# ── what is done next ─────────────────────────────────────────────────────────────────────────────────────────────


def _next(plan: Plan, results: Sequence[Mapping[str, Any]]) -> tuple[Wish, ...]:
    """The calls to make now: the plan's, then what was looked for by name, if it is the only one."""
    if not results:
        return plan.wishes[:_CALLS]
    follow_up = _follow_up(plan, results)
    return follow_up if len(results) == len(plan.wishes[:_CALLS]) else ()


def _follow_up(plan: Plan, results: Sequence[Mapping[str, Any]]) -> tuple[Wish, ...]:
    wishes = []
    for wish, result in zip(plan.wishes, results, strict=False):
        if wish.about not in ("finish", "drop") or result.get("matched") != 1:
            continue
        ref = result["records"][0]["ref"]
        if wish.about == "finish":
            wishes.append(Wish("update_record", {"ref": ref, "status": "done"}))
        else:
            wishes.append(Wish("delete_record", {"ref": ref}))
    return tuple(wishes)


def _all(plan: Plan, results: Sequence[Mapping[str, Any]]) -> tuple[Wish, ...]:
    """Every wish that has been called, in order."""
    return (*plan.wishes[:_CALLS], *_follow_up(plan, results))


# ── the answer ────────────────────────────────────────────────────────────────────────────────────────────────────


def _calling(wishes: Sequence[Wish], first: int) -> Completion:
    calls = tuple(
        ToolCall(f"offline_{first + place}", wish.tool, json.dumps(wish.arguments, ensure_ascii=False))
        for place, wish in enumerate(wishes)
    )
    message: Message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ],
    }
    return Completion(message, calls=calls, finish="tool_calls")


def _saying(text: str) -> Completion:
    return Completion({"role": "assistant", "content": text}, text=text)

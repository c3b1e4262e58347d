"""What an answer of a model is good for: calls to carry out, words to say, or nothing.

Pure. Calls that were cut off, filtered or refused are never carried out, and calls inside a text are never read: a
quoted sentence could be one. Must not know how a tool is run, or what is done about an answer that is good for nothing.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Sequence
from typing import Literal

from pydantic_core import from_json

from bot.model_ports import Completion, ToolCall
from bot.thinking.tool_arguments import unfenced

CALLS_PER_ANSWER = 64
"""Nobody means so many: an answer with more is a fault of the endpoint, and nothing of it runs."""

BYTES_PER_ANSWER = 256 * 1024
"""Of names and arguments in one answer; more is a fault as well. Fifty times the longest record."""

LEAKED = re.compile(
    r"<tool_calls?>|<function=|<function_calls?>|<invoke name="
    r"|<\|(?:channel|python_tag|tool_calls?(?:_section)?(?:_begin)?)\|>|<｜tool▁call|\[TOOL_CALLS\]"
)
"""What models write around calls when an endpoint does not take them out: GPT, Qwen, Llama, Kimi, DeepSeek, Mistral."""

Verdict = Literal["calls", "words", "withheld", "unusable", "too much"]


def verdict(completion: Completion, tools: Collection[str], *, may_call: bool) -> Verdict:
    """What an answer is good for, to one who offered these tools."""
    withheld = completion.finish in {"content_filter", "refusal"}
    if may_call and completion.calls and not withheld:
        if _is_too_much(completion.calls):
            return "too much"
        return "calls" if completion.finish in {"stop", "tool_calls"} else "unusable"
    if completion.text.strip() and not _is_a_call(completion.text, tools):
        return "words"
    return "withheld" if withheld else "unusable"


def _is_a_call(text: str, tools: Collection[str]) -> bool:
    """Whether the text is, or holds, a call that should have come through the interface."""
    if LEAKED.search(text):
        return True
    bare = unfenced(text.strip())
    if not bare.startswith("{"):
        return False
    try:
        found = from_json(bare)
    except (ValueError, TypeError):  # the latter: half a surrogate pair
        return False
    return str(found.get("name")) in tools and not {"arguments", "parameters"}.isdisjoint(found)


def _is_too_much(calls: Sequence[ToolCall]) -> bool:
    return len(calls) > CALLS_PER_ANSWER or sum(map(_bytes, calls)) > BYTES_PER_ANSWER


def _bytes(call: ToolCall) -> int:
    try:
        sent = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    except RecursionError:
        return sys.maxsize
    return len(f"{call.name}{sent}".encode(errors="replace"))

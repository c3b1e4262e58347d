"""What fits into a request: how much of the past is sent along, and what stays of results that were read before.

Pure. Must not know which model reads it or what a tool does. The past is trimmed in whole exchanges, for a call without
its result is refused by endpoints; a result is shortened to what it was about, for the model can ask again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from bot.model_ports import Message
from bot.thinking.conversation import error_code
from bot.thinking.foreign import exchanges

BYTES_PER_TOKEN = 2.0
"""Safe for every tokenizer and script measured: Thai in the densest one takes 1.7 bytes a token, Chinese 2.0."""

CONTEXT_TOKENS = 16_000
"""Sent per request at most, unless the operator says otherwise: every model in use reads that much, and what must be
kept is in the records."""

EXCHANGES = 20
"""Earlier exchanges a model is shown at most."""

HISTORY_SHARE = 0.5
"""Of the budget: the rest is for the prompt, the tools and this turn's own results, so that what is sent of the past
need not change from one round to the next."""

REFS_KEPT = 50
"""In what stays of a result: no tool takes more in one call."""

_FIRST_KEY = re.compile(r'\{"(\w{1,40})"')
_RECORD = re.compile(r'(?<!\\)"ref":(\d{1,15})(?:,"type":"([a-z]{1,20})")?')


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user message and what followed it, as it is sent again, and how many bytes that is."""

    messages: tuple[Message, ...]
    bytes: int


def size(value: Any) -> int:
    """The bytes of a JSON value as it is sent."""
    return len(to_json(value))


def exchanges_of(history: Sequence[Message]) -> list[Exchange]:
    """The last exchanges, at most EXCHANGES, oldest first; the results of their calls are stubs."""
    found = [[_shortened(each) for each in exchange] for exchange in exchanges(history)[-EXCHANGES:]]
    return [Exchange(tuple(each), size(each)) for each in found]


def newest(past: Sequence[Exchange], room: float) -> list[Exchange]:
    """The newest ones that have together at most ``room`` bytes, oldest first."""
    kept: list[Exchange] = []
    for exchange in reversed(past):
        room -= exchange.bytes
        if room < 0:
            break
        kept.append(exchange)
    return kept[::-1]


def newer_half(past: Sequence[Exchange]) -> list[Exchange]:
    """What is left when the older half goes (of an odd number the larger half)."""
    return list(past[(len(past) + 1) // 2 :])


def shortened(own: Sequence[Message], room: float) -> list[Message]:
    """A turn's own messages within ``room`` bytes, as far as stubs in the place of its results can bring that about:
    the oldest first, and never the last one, which has not been read yet."""
    sent = list(own)
    over = size(sent) - room
    results = [place for place, each in enumerate(sent) if each["role"] == "tool"]
    for place in results[:-1]:
        if over <= 0:
            break
        shorter = _shortened(sent[place])
        over -= size(sent[place]) - size(shorter)
        sent[place] = shorter
    return sent


def stub(result: str) -> str:
    """What stays of a tool's result that was read before: what kind of result it was, and the records it was about in
    their order, so that "the first one" can still be found. No word of the records is in it."""
    if code := error_code(result):
        return f'{{"error":{{"code":"{code}"}}}}'
    first = _FIRST_KEY.match(result)
    records: dict[str, str] = {}
    for ref, kind in _RECORD.findall(result):
        records.setdefault(ref, kind)
    kept = [{"ref": int(ref)} | ({"type": kind} if kind else {}) for ref, kind in records.items()]
    left = {"earlier": first[1] if first else "result", "records": kept[:REFS_KEPT], "rest": "ask again"}
    return to_json(left).decode()


def _shortened(message: Message) -> Message:
    return {**message, "content": stub(message["content"])} if message["role"] == "tool" else message

"""How much of the past fits into a request.

Pure. Must not know which model reads it. History is trimmed in whole exchanges, for a call without its result is
refused by endpoints.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.model_ports import Message

BYTES_PER_TOKEN = 2.0
"""Safe for every tokenizer and script measured: Thai in the densest one takes 1.7 bytes a token, Chinese 2.0."""

HISTORY_SHARE = 0.5
"""Of the budget: the rest is for the prompt, the tools, this turn's own results and the answer."""


def within_budget(history: Sequence[Message], tokens: int) -> tuple[Message, ...]:
    """The newest whole exchanges whose UTF-8 bytes fit the history's share of ``tokens``."""
    left = tokens * HISTORY_SHARE * BYTES_PER_TOKEN
    kept: list[list[Message]] = []
    for exchange in reversed(_exchanges(history)):
        left -= len(json.dumps(exchange, ensure_ascii=False).encode())
        if left < 0:
            break
        kept.append(exchange)
    return tuple(message for exchange in reversed(kept) for message in exchange)


def _exchanges(history: Sequence[Message]) -> list[list[Message]]:
    """Cut in front of each user message."""
    exchanges: list[list[Message]] = []
    for message in history:
        if message["role"] == "user" or not exchanges:
            exchanges.append([])
        exchanges[-1].append(message)
    return exchanges

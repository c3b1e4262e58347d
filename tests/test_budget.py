"""How much of the past is sent along: whole exchanges, the newest first to stay."""

from __future__ import annotations

import json

from bot.budget import BYTES_PER_TOKEN, HISTORY_SHARE, within_budget
from bot.model_ports import Message


def exchange(text: str) -> list[Message]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": "好"}]


def tokens_for(*exchanges: list[Message]) -> int:
    """A budget whose share for history is just enough for these."""
    size = sum(len(json.dumps(each, ensure_ascii=False).encode()) for each in exchanges)
    return -int(-size // (HISTORY_SHARE * BYTES_PER_TOKEN))


OLD, NEW = exchange("很久以前" * 10), exchange("剛才" * 10)


def test_a_history_that_fits_is_kept_whole():
    assert within_budget([*OLD, *NEW], tokens_for(OLD, NEW)) == (*OLD, *NEW)


def test_what_does_not_fit_goes_from_the_oldest_on_in_whole_exchanges():
    assert within_budget([*OLD, *NEW], tokens_for(OLD, NEW) - 1) == tuple(NEW)
    assert within_budget([*OLD, *NEW], tokens_for(NEW)) == tuple(NEW)
    assert within_budget([*OLD, *NEW], tokens_for(NEW) - 1) == ()


def test_a_short_old_exchange_does_not_stay_over_a_long_newer_one():
    assert within_budget([*exchange("短"), *NEW, *exchange("短")], tokens_for(exchange("短"), exchange("短"))) == tuple(
        exchange("短")
    )


def test_an_exchange_with_calls_stays_together():
    calls: list[Message] = [
        {"role": "user", "content": "買牛奶"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "{}"},
        {"role": "assistant", "content": "好"},
    ]
    assert within_budget([*calls, *NEW], tokens_for(calls, NEW)) == (*calls, *NEW)
    assert within_budget([*calls, *NEW], tokens_for(calls, NEW) - 1) == tuple(NEW)


def test_no_history_is_no_history():
    assert within_budget([], 16_000) == ()


def test_what_stands_before_the_first_user_message_is_an_exchange_too():
    assert within_budget([{"role": "assistant", "content": "早"}, *NEW], 16_000)[0]["content"] == "早"

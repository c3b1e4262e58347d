"""A turn as messages: every call has exactly one result, whatever was stored."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model_ports import Message
from bot.thinking.conversation import Conversation, paired
from tests.fakes import a_prompt

USER: Message = {"role": "user", "content": "早"}
WORDS: Message = {"role": "assistant", "content": "早。"}


def call(*ids: str) -> Message:
    return {"role": "assistant", "content": None, "tool_calls": [{"id": each} for each in ids]}


def result(of: str, content: str = "{}") -> Message:
    return {"role": "tool", "tool_call_id": of, "content": content}


def is_cancelled(message: Message, of: str) -> bool:
    return message["tool_call_id"] == of and json.loads(message["content"])["error"]["code"] == "cancelled"


WHOLE = [
    [],
    [USER, WORDS],
    [USER, call("a"), result("a"), WORDS],
    [USER, call("a", "b"), result("a"), result("b"), call("c"), result("c"), WORDS, USER],
    [USER, call("a"), result("a"), WORDS, USER, call("a"), result("a", "again"), WORDS],
]


@pytest.mark.parametrize("messages", WHOLE)
def test_what_is_whole_stays_as_it_is(messages):
    assert paired(messages) == messages


def test_a_call_without_a_result_gets_one_that_says_so():
    mended = paired([USER, call("a", "b"), result("b"), USER])
    assert mended[0:2] + mended[3:] == [USER, call("a", "b"), result("b"), USER]
    assert is_cancelled(mended[2], "a")
    assert json.loads(mended[2]["content"])["error"]["retry"] is False, "it may have been done"


def test_a_call_at_the_very_end_gets_its_result_too():
    assert is_cancelled(paired([USER, call("a")])[2], "a")


def test_a_result_without_its_call_is_left_out():
    assert paired([result("a"), USER, result("b"), WORDS]) == [USER, WORDS]


def test_a_result_without_its_call_answers_no_later_one():
    mended = paired([USER, result("a", "old"), call("a"), USER])
    assert is_cancelled(mended[2], "a")


def test_a_result_that_is_there_twice_is_sent_once():
    assert paired([USER, call("a"), result("a", "1"), result("a", "2"), WORDS]) == [
        *[USER, call("a"), result("a", "1"), WORDS]
    ]


def test_equal_ids_get_their_results_in_order():
    messages = [USER, call("a", "a"), result("a", "1"), result("a", "2")]
    assert paired(messages) == messages
    assert is_cancelled(paired(messages[:3])[3], "a")


def test_results_are_put_in_the_order_of_the_calls():
    assert paired([call("a", "b"), result("b"), result("a")]) == [call("a", "b"), result("a"), result("b")]


PIECES = st.sampled_from([USER, WORDS, call("a"), call("a", "b"), call("b", "b"), result("a"), result("b")])


@given(st.lists(PIECES, max_size=12))
def test_whatever_was_stored_is_paired_and_mending_it_again_changes_nothing(messages: list[Message]):
    whole = paired(messages)
    assert [each for each in whole if each["role"] != "tool"] == [each for each in messages if each["role"] != "tool"]
    waiting: list[str] = []
    for message in whole:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert waiting == []
        waiting = [each["id"] for each in message.get("tool_calls", ())]
    assert waiting == []
    assert paired(whole) == whole


def test_failures_are_counted_by_answer_and_by_kind():
    def failed(of: str, code: str) -> Message:
        return result(of, json.dumps({"error": {"code": code}}, separators=(",", ":")))

    own = [
        USER,
        *[_with_function(call("a", "b", "c")), failed("a", "x"), failed("b", "x"), failed("c", "y")],
        *[_with_function(call("d", "e")), failed("d", "x"), result("e", '{"code":"x"}')],
    ]
    assert Conversation(PROMPT, own).failures == {"x": 2, "y": 1}


def _with_function(message: Message) -> Message:
    calls = [{**each, "function": {"name": "n", "arguments": "{}"}} for each in message["tool_calls"]]
    return {**message, "tool_calls": calls}


PROMPT = a_prompt(USER)


@pytest.mark.parametrize(
    ("own", "guarded"),
    [
        ([USER], False),
        ([USER, result("a", '{"untrusted":true,"text":"x"}')], True),
        ([USER, result("a", '{"text":"{\\"untrusted\\":true"}')], False),
        ([{"role": "user", "content": '這是誰寫的？\n{"untrusted":true,"text":"x"}'}], True),
    ],
)
def test_words_of_others_guard_the_turn(own, guarded):
    assert Conversation(PROMPT, own).is_guarded is guarded
    assert Conversation(replace(PROMPT, untrusted=True), own).is_guarded

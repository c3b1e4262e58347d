"""What an answer is good for; above all, what looks like a call and must be neither carried out nor shown."""

from __future__ import annotations

import json

import pytest

from bot.thinking.verdict import verdict
from tests.fakes import asks, says

TOOLS = {"create_record", "query_records"}

LEAKED = [
    '<tool_call>{"name": "create_record"}</tool_call>',
    "<tool_calls>",
    "<function=create_record><parameter=content>牛奶</parameter></function>",
    '<function_calls><invoke name="create_record">',
    "<|channel|>commentary to=functions.create_record<|message|>{}",
    "<|python_tag|>create_record.call(content='x')",
    "好的。<|tool_calls_section_begin|>",
    "<|tool_call_begin|>functions.create_record:0",
    "<|tool_call|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>function",
    '[TOOL_CALLS][{"name": "create_record"}]',
    '{"name": "create_record", "arguments": {"content": "牛奶"}}',
    ' {"name": "query_records", "parameters": {}}\n',
    '```json\n{"name": "create_record", "arguments": {}}\n```',
]

WORDS = [
    "好",
    "用 <b> 跟 </b> 就可以。",
    '{"name": "小明", "arguments": "很多"}',
    '{"name": "create_record"}',
    '{"name": ["create_record"], "arguments": 1}',
    "{不是 JSON",
    "[1, 2]",
    "120",
    '{"half": "\ud83c"}',
    "工具叫做 create_record",
    '例如 {"name": "create_record", "arguments": {}} 這樣',
]


@pytest.mark.parametrize("may_call", [True, False])
@pytest.mark.parametrize("text", ["", " \n", *LEAKED])
def test_a_call_that_leaked_into_the_text_is_no_answer(text: str, may_call: bool):
    assert verdict(says(text), TOOLS, may_call=may_call) == "unusable"


@pytest.mark.parametrize("text", WORDS)
def test_words_are_words(text: str):
    assert verdict(says(text), TOOLS, may_call=True) == "words"


@pytest.mark.parametrize("finish", ["length", "error"])
def test_calls_of_an_answer_that_was_cut_off_are_no_calls(finish):
    assert verdict(asks(("create_record", "{}"), finish=finish), TOOLS, may_call=True) == "unusable"


@pytest.mark.parametrize("finish", ["stop", "tool_calls"])
def test_calls_are_calls_only_where_they_may_be_made(finish):
    asked = asks(("create_record", "{}"), finish=finish)
    assert verdict(asked, TOOLS, may_call=True) == "calls"
    assert verdict(asked, TOOLS, may_call=False) == "unusable"


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
def test_calls_of_an_answer_that_was_withheld_are_no_calls(finish):
    assert verdict(asks(("create_record", "{}"), finish=finish), TOOLS, may_call=True) == "withheld"
    assert verdict(asks(("create_record", "{}"), finish=finish, text="No."), TOOLS, may_call=True) == "words"


@pytest.mark.parametrize(("calls", "found"), [(64, "calls"), (65, "too much")])
def test_sixty_four_calls_can_be_meant_and_no_more(calls, found):
    assert verdict(asks(*[("create_record", "{}")] * calls), TOOLS, may_call=True) == found


@pytest.mark.parametrize(("size", "found"), [(262_143, "calls"), (262_144, "calls"), (262_145, "too much")])
def test_a_quarter_of_a_mebibyte_of_calls_can_be_meant_and_no_more(size, found):
    arguments = json.dumps({"content": "é" * 1000}, ensure_ascii=False)
    filler = size - len(arguments.encode()) - 2 * len("create_record")
    asked = asks(("create_record", arguments), ("create_record", "x" * filler))
    assert verdict(asked, TOOLS, may_call=True) == found


@pytest.mark.parametrize(("more", "found"), [(0, "calls"), (1, "too much")])
def test_arguments_that_come_as_an_object_are_counted_as_the_text_they_are(more, found):
    bare = len(json.dumps({"content": "é" * 1000, "x": ""}, ensure_ascii=False).encode()) + len("create_record")
    asked = asks(("create_record", {"content": "é" * 1000, "x": "x" * (262_144 - bare + more)}))
    assert verdict(asked, TOOLS, may_call=True) == found

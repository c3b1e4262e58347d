from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.thinking.tool_arguments import canonical, parse_arguments
from tools.definition import ToolError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (None, {}),
        ("", {}),
        (" \n\t", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (' {"a": "牛乳"}\n', {"a": "牛乳"}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}```', {"a": 1}),
        ('{"a":1}{"a":1}', {"a": 1}),
        ('{"a":1,"a":1}', {"a": 1}),
        ('{"a":{"b":1,"c":2},"a":{"c":2,"b":1}}', {"a": {"b": 1, "c": 2}}),
        ('{"a":{"c":2,"b":1},"a":{"b":1,"c":2}}', {"a": {"b": 1, "c": 2}}),
        ('{"a":[{"b":1,"b":1}]}', {"a": [{"b": 1}]}),
        ('{"a":1}\n{"a": 1} {"a":1}', {"a": 1}),
    ],
)
def test_what_is_certainly_meant_is_taken(sent: Any, meant: dict[str, Any]):
    assert parse_arguments(sent) == meant


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ('{"a": 1,}', "not valid JSON at line 1 column 9"),
        ("{'a': 1}", "not valid JSON at line 1 column 2"),
        ('{"a": list}', "not valid JSON at line 1 column 7"),
        ('{"a": True}', "not valid JSON"),
        ('{"a": NaN}', "not valid JSON"),
        ('{"a": "\\ud83c"}', "not valid JSON"),
        ('{"a": "\ud83c"}', "not valid Unicode"),
        ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ('{"a": ' + "[" * 2000 + "]" * 2000 + "}", "not valid JSON"),
        ("{" * 100_000, "not valid JSON"),
        ('{"a": 1e999}', "holds a value that JSON does not have"),
        ('{"a": 1}{"a": 2}', "several values: make one call for each object"),
        ('{"a": 1}{"a": true}', "several values: make one call for each object"),
        ('{"a": 1, "a": 2}', "one name has two different values"),
        ('{"a": 1, "a": true}', "one name has two different values"),
        ('{"a": [{"b": 1, "b": null}]}', "one name has two different values"),
        ('{"a":1,"a":2}{"a":1,"a":2}', "one name has two different values"),
        ('{"a": 1}[]', "several values: make one call for each object"),
        ('{"a": 1}' * 65, "not valid JSON at line 1 column 9"),
        ('{"a": 1} and that is all', "not valid JSON"),
        ('```json\n{"a": 1}\n``` done', "not valid JSON"),
        ("null", "must be one JSON object"),
        ("[]", "must be one JSON object"),
        ('"text"', "not valid JSON"),
        ('"\\"\\\\\\"{}\\\\\\"\\""', "must be one JSON object"),
        ([1], "must be one JSON object"),
        (7, "must be one JSON object"),
        ({"a": float("inf")}, "holds a value that JSON does not have"),
    ],
)
def test_everything_else_is_refused_and_says_where(sent: Any, problem: str):
    with pytest.raises(ToolError) as refused:
        parse_arguments(sent)
    assert refused.value.code == "invalid_json"
    assert refused.value.fields[0].problem.startswith(problem)


def test_a_refusal_repeats_nothing_of_what_was_sent():
    with pytest.raises(ToolError) as refused:
        parse_arguments('{"password": hunter2}')
    assert "hunter2" not in json.dumps(refused.value.as_result())


def test_nesting_without_end_in_an_object_is_refused():
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ToolError):
        parse_arguments(deep)
    while deep:  # taken apart by hand: freeing it in one go would overflow the stack too
        deep = deep["a"]


def test_equal_arguments_are_written_in_one_way():
    assert canonical({"b": [1, "é"], "a": 1}) == canonical({"a": 1, "b": [1, "é"]}) == '{"a":1,"b":[1,"é"]}'
    assert canonical({"a": 1}) != canonical({"a": True})


@given(OBJECTS)
def test_every_object_comes_back_as_it_was_written(value: dict[str, Any]):
    assert parse_arguments(json.dumps(value, ensure_ascii=False)) == value


@given(JSON | st.text() | st.text(alphabet='{}[]":,\\ud8e90 `jsonul'))
def test_whatever_is_sent_is_an_object_or_a_refusal(sent: Any):
    for form in (sent, json.dumps(sent)):
        try:
            found = parse_arguments(form)
        except ToolError:
            continue
        assert isinstance(found, dict)

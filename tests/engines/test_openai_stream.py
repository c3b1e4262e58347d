"""Streams put together: those that were recorded, and every way in which one is known to be odd."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.openai_shapes import Trouble, answer_in
from bot.engines.openai_stream import LONGEST_ANSWER, Assembly
from bot.model_ports import Completion, Usage
from tests.emulators.openai import begun, chunk, counted, event
from tests.engines.recordings import as_sent, recorded

Json = dict[str, Any]


def assembled(*pieces: bytes) -> Completion:
    assembly = Assembly()
    for piece in pieces:
        assembly.feed(piece)
    return answer_in(200, assembly.body())


def of(*events: Json | str | bytes) -> Completion:
    """The answer in these events, brought byte by byte."""
    sent = b"".join(each if isinstance(each, bytes) else event(each) for each in events)
    return assembled(*[bytes([each]) for each in sent])


def calls_of(*deltas: list[Any], finish: str | None = "tool_calls") -> list[tuple[str, str, str]]:
    """The calls in an answer whose chunks have these ``tool_calls``."""
    answer = of(chunk({"role": "assistant"}), *[chunk({"tool_calls": each}) for each in deltas], chunk({}, finish))
    return [(each.id, each.name, each.arguments) for each in answer.calls]


def part(arguments: Any, **more: Any) -> Json:
    """A further piece of a call."""
    return {"function": {"arguments": arguments}, **more}


# ── as recorded ───────────────────────────────────────────────────────────────────────────────────────────────────


def deltas_of(record: Json) -> list[Json]:
    chunks = [each["data"] for each in record["chunks"] if isinstance(each.get("data"), dict)]
    choices = [choice for each in chunks for choice in each.get("choices") or [] if choice.get("index") in (None, 0)]
    return [choice["delta"] for choice in choices]


def words(content: Any) -> str:
    if isinstance(content, list):
        return "".join(each.get("text") or "" for each in content)
    return content or ""


def error_of(record: Json) -> Json | None:
    return next((each["data"]["error"] for each in record["chunks"] if "error" in (each.get("data") or {})), None)


@pytest.mark.parametrize("record", recorded("stream"))
@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_a_recorded_stream_is_the_answer_that_was_given(record: Json, size: int):
    sent = as_sent(record)
    answer = assembled(*[sent[start : start + size] for start in range(0, len(sent), size)])
    if error := error_of(record):
        assert (answer.finish, answer.calls) == ("error", ())
        assert answer.fault in error["message"]
        return
    deltas = deltas_of(record)
    said, refused = ("".join(words(each.get(name)) for each in deltas) for name in ("content", "refusal"))
    assert answer.text == (said or refused)
    asked = [call for each in deltas for call in each.get("tool_calls") or []]
    named = {call["function"]["name"] for call in asked if call["function"].get("name")}
    assert {each.name for each in answer.calls} == named
    assert {each.id for each in answer.calls} == {call["id"] for call in asked if call.get("id")}
    written = "".join(call["function"].get("arguments") or "" for call in asked)
    assert "".join(each.arguments for each in answer.calls) == (written or "{}" * len(answer.calls))
    assert all(isinstance(json.loads(each.arguments), dict) for each in answer.calls)
    assert answer.usage.prompt > 0
    assert answer.finish == "refusal" if refused else answer.finish in {"stop", "tool_calls", "length"}


def test_thoughts_are_kept_as_they_were_said():
    answer = of(
        chunk({"role": "assistant", "reasoning_content": "First", "channel": "analysis"}),
        chunk({"reasoning_content": ", second", "channel": "analysis"}),
        chunk({"reasoning_details": [{"type": "reasoning.text", "text": "a"}]}),
        chunk({"reasoning_details": [{"type": "reasoning.text", "text": "b"}], "content": "Done."}, "stop"),
    )
    assert answer.message["reasoning_content"] == "First, second"
    assert answer.message["channel"] == "analysis"
    assert [each["text"] for each in answer.message["reasoning_details"]] == ["a", "b"]
    assert answer.text == "Done."


# ── which call a piece belongs to ─────────────────────────────────────────────────────────────────────────────────

X1, X2 = '{"x":1}', '{"x":2}'
A, B = ("c1", "t", X1), ("c2", "t", X2)


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        pytest.param(
            [[begun("c1", "t", index=0)], [part('{"x"', index=0)], [part(":1}", index=0)]],
            [A],
            id="as the official one",
        ),
        pytest.param([[begun("c1", "t", X1)], [begun("c2", "t", X2)]], [A, B], id="no index, two ids"),
        pytest.param([[begun("c1", "t", '{"x"')], [part(":1}")]], [A], id="neither index nor id: the last call"),
        pytest.param(
            [[begun("c1", "t", '{"x"', index=None)], [part(":1}", index=None, id=None)]], [A], id="index null"
        ),
        pytest.param(
            [[begun("c1", "t", X1, index=0)], [begun("c2", "t", index=0)], [part(X2, index=0, id="")]],
            [A, B],
            id="both index 0, then an empty id",
        ),
        pytest.param(
            [
                [begun("c1", "t", index=0)],
                [part('{"x":', index=0, id="c1")],
                [part("1}", index=0, id="c1")],
                [begun("c2", "t", index=0)],
                [part(X2, index=0, id="c2")],
            ],
            [A, B],
            id="both index 0, ids repeated",
        ),
        pytest.param(
            [[begun("c1", "t", '{"x"', index=0)], [begun("c1", "t", ":1}", index=0)]], [A], id="name and id every time"
        ),
        pytest.param(
            [[begun("c1", "t", "", index=0)], [{**begun(None, "", X1), "index": 0}]], [A], id="an empty name later"
        ),
        pytest.param(
            [[begun("c1", "t", None, index=0)], [{**begun(None, None, X1), "index": 0, "type": None}]],
            [A],
            id="null in every field",
        ),
        pytest.param([[begun("c1", "t", X1), begun("c2", "t", X2)]], [A, B], id="two calls in one chunk"),
        pytest.param(
            [[begun("c1", "t", index=0), part(X1, index=0)], [begun("c2", "t", index=1), part(X2, index=1)]],
            [A, B],
            id="name and arguments apart in one chunk",
        ),
        pytest.param(
            [[begun("c1", "t", '{"x":', index=0)], [part("1}", index=0)], [part('{"x": 1}', index=0)]],
            [A],
            id="the whole of it once more",
        ),
        pytest.param(
            [[begun("c1", "t", X1, index=0)], [begun("c1", "t", X1, index=0)]], [A], id="the whole call once more"
        ),
        pytest.param([[{"id": "c1", "index": 0, "function": {"name": "t"}}]], [("c1", "t", "{}")], id="no arguments"),
        pytest.param([[begun("c1", "t", {"x": 1}, index=0)]], [("c1", "t", '{"x": 1}')], id="arguments as an object"),
        pytest.param(
            [[begun("c2", "t", X2, index=1)], [begun("c1", "t", X1, index=0)]], [A, B], id="the second comes first"
        ),
        pytest.param([[begun("c2", "t", X2, index=7)]], [B], id="the first index is seven"),
        pytest.param(
            [[begun("t", "t", X1, index=0)], [begun("t", "t", X2, index=1)]],
            [("t", "t", X1), ("t", "t", X2)],
            id="equal ids at two indexes",
        ),
        pytest.param(
            [[begun("t", "t", X1)], [begun("t", "t", X2)]],
            [("t", "t", X1), ("t", "t", X2)],
            id="equal ids, whole calls",
        ),
        pytest.param(
            [[begun("t", "t"), begun("t", "t")]], [("t", "t", "{}"), ("t", "t", "{}")], id="equal ids in one chunk"
        ),
        pytest.param(
            [[begun(None, "t", X1, index=0)], [begun(None, "u", X2, index=0)]],
            [("", "t", X1), ("", "u", X2)],
            id="no ids, one index, two names",
        ),
        pytest.param(
            [[begun("a", "t", '{"x"', index=0)], [part(":", index=0, id="b")], [part("1}", index=0, id="c")]],
            [("a", "t", X1)],
            id="a new id for every piece",
        ),
        pytest.param(
            [[{"index": 0, "id": "c1"}], [{"index": 0, "function": {"name": "t"}}], [part(X1, index=0)]],
            [A],
            id="id, name and arguments one by one",
        ),
        pytest.param([[part(X1, index=0)], [part(X2)]], [], id="no name at all"),
        pytest.param([[None, 7, "t", [], {}]], [], id="no calls at all"),
        pytest.param(
            [[begun("c1", "t", X1 + X2, index=0)]], [("c1", "t", X1 + X2)], id="two objects in one call stay together"
        ),
        pytest.param(
            [[begun("c1", "t", X1, index=0)], [part(X2, index=0)]],
            [("c1", "t", X1 + X2)],
            id="two objects for one call stay together",
        ),
        pytest.param([[begun("c1", "t", X1, index=True)], [part("", index=True)]], [A], id="an index that is none"),
    ],
)
def test_pieces_of_calls_find_their_call(deltas: list[list[Any]], calls: list[tuple[str, str, str]]):
    assert calls_of(*deltas) == calls


def test_what_is_only_said_about_a_call_stays_with_it():
    signature = {"google": {"thought_signature": "abc"}}
    answer = of(
        chunk({"tool_calls": [begun("c1", "t", X1, index=0)]}),
        chunk({"tool_calls": [begun("c2", "t", X2, index=1)]}),
        chunk({"tool_calls": [{"index": 0, "extra_content": {"google": {}}}]}),
        chunk({"tool_calls": [{"index": 0, "extra_content": signature, "function": {"more": 1}}]}, "tool_calls"),
    )
    first, second = answer.message["tool_calls"]
    assert first["extra_content"] == signature
    assert first["function"] == {"name": "t", "arguments": X1, "more": 1}
    assert "extra_content" not in second


@given(st.integers(1, 4), st.randoms(use_true_random=False), st.booleans())
def test_calls_that_are_streamed_together_come_apart_again(count: int, chance: random.Random, indexed: bool):
    """Whatever the order of pieces, as long as each has its call's id, or its index."""
    wanted = {f"c{n}": json.dumps({"n": n, "text": "牛奶" * n}) for n in range(count)}
    queues = [
        [
            begun(call_id, "t", index=n),
            *[part(each, **({"index": n} if indexed else {"id": call_id})) for each in text],
        ]
        for n, (call_id, text) in enumerate(wanted.items())
    ]
    deltas = []
    while left := [each for each in queues if each]:
        deltas.append([chance.choice(left).pop(0)])
    assert {call_id: arguments for call_id, _, arguments in calls_of(*deltas)} == wanted


# ── chunks ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_chunks_without_choices_are_passed_over_and_their_usage_is_kept():
    answer = of(
        {"choices": [], "model": "", "prompt_filter_results": [{}]},
        {"choices": None},
        {"choices": [None]},
        chunk({"content": "he", "tool_calls": []}),
        chunk({"content": "llo", "tool_calls": None}, "stop"),
        counted(30, 2),
    )
    assert (answer.text, answer.calls, answer.usage, answer.finish) == ("hello", (), Usage(30, 2), "stop")


def test_usage_is_the_last_that_was_told():
    told = [chunk({"content": "x"}, usage={"prompt_tokens": each, "completion_tokens": each}) for each in (1, 2)]
    assert of(*told, chunk({}, "stop", usage=None)).usage == Usage(2, 2)
    groq = chunk({}, "stop", x_groq={"usage": {"prompt_tokens": 5, "completion_tokens": 3}})
    assert of(chunk({"content": "x"}), groq).usage == Usage(5, 3)


def test_a_stream_without_usage_counts_nothing():
    assert of(chunk({"content": "x"}, "stop")).usage == Usage()


def test_only_the_first_choice_is_heard():
    other = {"choices": [{"index": 1, "delta": {"content": "no"}}]}
    assert of(other, chunk({"content": "yes"}, "stop")).text == "yes"


@pytest.mark.parametrize(
    ("reasons", "finish"),
    [
        (["length", "stop"], "length"),
        (["content_filter", "stop"], "content_filter"),
        (["stop", "stop"], "stop"),
        (["tool_calls", "length"], "length"),
        ([None, "", "stop"], "stop"),
        ([{"odd": 1}], "error"),
    ],
)
def test_an_answer_that_was_cut_stays_one(reasons: list[Any], finish: str):
    assert of(*[chunk({"content": "x"}, each) for each in reasons]).finish == finish


def test_a_refusal_comes_in_pieces():
    answer = of(chunk({"refusal": "I can"}), chunk({"refusal": "not."}, "stop"))
    assert (answer.text, answer.finish) == ("I cannot.", "refusal")


def test_content_comes_as_text_or_as_parts():
    parts = [chunk({"content": [{"type": "text", "text": "he"}]}), chunk({"content": "ll"})]
    assert of(*parts, chunk({"content": [{"type": "text", "text": "o"}]}, "stop")).text == "hello"
    assert of(chunk({"content": "he"}), chunk({"content": [{"text": "llo"}]}, "stop")).text == "hello"


def test_a_whole_message_counts_where_no_piece_came():
    whole = {"choices": [{"message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
    assert of(whole).text == "hello"
    assert of(chunk({"content": "he"}), chunk({"content": "llo"}), whole).text == "hello"


def test_two_halves_of_a_character_become_one():
    high, low = (b'data: {"choices":[{"delta":{"content":"\\u' + each + b'"}}]}\n\n' for each in (b"d83c", b"df5a"))
    assert of(high, low, chunk({}, "stop")).text == "🍚"
    assert of(high, chunk({}, "stop")).text == "\ufffd"


def test_fields_that_change_their_kind_do_no_harm():
    kinds: list[Any] = [1, "a", None, [1], {"b": 1}, {"b": 2, "c": [3]}, 2.5, True, "z", [4]]
    assert of(*[chunk({"odd": each, "content": "x"}) for each in kinds], chunk({}, "stop")).text == "x" * len(kinds)


# ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────

HELLO = json.dumps(chunk({"content": "hello 牛奶\u2028"}, "stop"), ensure_ascii=False).encode()
PRETTY = json.dumps(chunk({"content": "hello 牛奶\u2028"}, "stop"), ensure_ascii=False, indent=1).encode()


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"data: " + HELLO + b"\n\ndata: [DONE]\n\n", id="as the official one"),
        pytest.param(b"data:" + HELLO + b"\n\n", id="no blank"),
        pytest.param(b"\xef\xbb\xbfdata: " + HELLO + b"\r\n\r\n", id="byte order mark, Windows lines"),
        pytest.param(b"data: " + HELLO + b"\rdata: [DONE]\r", id="old lines"),
        pytest.param(b": ping\n\nevent: x\nid: 7\nretry: 9\ndata: " + HELLO + b"\n\n", id="comments and other fields"),
        pytest.param(b"data: " + HELLO, id="no end of line"),
        pytest.param(HELLO + b"\n", id="no field"),
        pytest.param(b"\n".join(b"data: " + each for each in PRETTY.splitlines()) + b"\n\n", id="over several lines"),
        pytest.param(b"data: \n\ndata: ping\n\ndata: " + HELLO + b"\n\n", id="events without a chunk"),
        pytest.param(b"data: " + HELLO + b"\n\ndata: [DONE]\n\ndata: after\n\n", id="something behind the end"),
        pytest.param(
            b'data: {"choices":[{"delta":{"odd":NaN}}]}\n\ndata: ' + HELLO + b"\n\n", id="a number that is none"
        ),
    ],
)
def test_events_are_read_as_servers_write_them(sent: bytes):
    assert assembled(sent).text == "hello 牛奶\u2028"
    assert assembled(*[bytes([each]) for each in sent]).text == "hello 牛奶\u2028"


def test_what_is_no_stream_is_read_as_a_whole():
    whole = {"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    assert assembled(json.dumps(whole).encode()).usage.prompt == 3
    assert assembled(json.dumps(whole, indent=2).encode()).text == "hello"


TROUBLES: dict[str, tuple[list[Json | str | bytes], int, str]] = {
    "nothing": ([], 502, ""),
    "a page": ([b"<html>\n<body>no</body>"], 502, ""),
    "no end": ([chunk({"content": "hel"})], 502, "stream_broken"),
    "an end in the middle of an event": (
        [chunk({"content": "x"}, "stop"), b'data: {"choices": ['],
        502,
        "stream_broken",
    ),
    "no JSON": ([b"data: {choices}\n\n", chunk({"content": "x"}, "stop")], 502, "stream_broken"),
    "nested": ([b"data: {" + b'"a":{' * 5000 + b"\n\n"], 502, "stream_broken"),
    "an error": ([chunk({"content": "x"}), {"error": {"code": "overloaded"}}], 502, "overloaded"),
    "an error with a status": ([{"error": {"code": 429, "message": "slow", "type": "rate"}}], 429, "rate"),
    "an error in a choice": ([{"choices": [{"delta": {}, "error": {"code": 503}, "finish_reason": "error"}]}], 503, ""),
    "an error as text": ([{"error": "gone"}], 502, ""),
    "another protocol": ([{"type": "message_start"}, {"type": "message_stop"}], 502, "stream_broken"),
}


@pytest.mark.parametrize(("events", "status", "code"), TROUBLES.values(), ids=TROUBLES.keys())
def test_a_stream_without_an_answer_is_trouble(events: list[Json | str | bytes], status: int, code: str):
    with pytest.raises(Trouble) as trouble:
        of(*events)
    assert (trouble.value.status, trouble.value.code) == (status, code)
    assert trouble.value.may_pass


def test_what_the_endpoint_kept_back_of_the_models_is_told_as_its_fault():
    error = {"code": "tool_use_failed", "message": "did not match schema: /x: expected number", "status_code": 400}
    answer = of(chunk({"reasoning": "hm"}), b"event: error\n" + event({"error": error}))
    assert (answer.finish, answer.text, answer.calls) == ("error", "", ())
    assert answer.fault == error["message"]


def test_a_stream_says_when_it_is_over():
    assembly = Assembly()
    assert not assembly.feed(event(chunk({"content": "x"})))
    assert not assembly.is_complete
    assert not assembly.feed(event(chunk({}, "stop")))
    assert assembly.is_complete
    assert assembly.feed(event("[DONE]"))


def test_an_answer_without_end_is_not_taken():
    assembly = Assembly()
    assembly.feed(b"x" * LONGEST_ANSWER)
    with pytest.raises(ValueError, match="no end"):
        assembly.feed(b"x")


# ── anything ──────────────────────────────────────────────────────────────────────────────────────────────────────

scalars = st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "id": anything | st.sampled_from(["a", "b", ""]),
        "index": anything | st.sampled_from([0, 1]),
        "function": anything
        | st.fixed_dictionaries({}, optional={"name": anything | st.just("t"), "arguments": anything | st.just("{}")}),
        "extra_content": anything,
    },
)
deltas = st.fixed_dictionaries(
    {},
    optional={
        "content": anything,
        "refusal": anything,
        "tool_calls": anything | st.lists(entries, max_size=3),
        "x": anything,
    },
)
choices = st.fixed_dictionaries(
    {},
    optional={
        "index": anything | st.just(0),
        "delta": anything | deltas,
        "message": anything,
        "finish_reason": anything,
        "error": anything,
    },
)
chunks = st.fixed_dictionaries(
    {}, optional={"choices": anything | st.lists(choices, max_size=2), "usage": anything, "error": anything}
)


@given(st.lists(chunks | anything, max_size=6), st.booleans())
def test_whatever_is_streamed_is_an_answer_or_trouble(told: list[Any], done: bool):
    events = [f"data: {json.dumps(each)}\n\n".encode() for each in told]
    try:
        answer = assembled(*events, b"data: [DONE]\n\n" if done else b"")
    except Trouble:
        return
    assert isinstance(answer.text, str)
    assert all(each.name and isinstance(each.arguments, str) for each in answer.calls)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10_000])
def test_an_event_over_several_lines_may_be_cut_anywhere(size: int):
    lines = json.dumps(chunk({"content": "hello"}, "stop"), indent=1).split("\n")
    whole = "".join(f"data: {each}\r\n" for each in lines).encode() + b"\r\ndata: [DONE]\r\n\r\n"
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
    assert assembled(*pieces).text == "hello"


_DELTA = {"index": 0, "id": "a", "function": {"name": "put", "arguments": "}"}}
_MANY = [{"index": n, "id": f"c{n}", "function": {"name": "put", "arguments": "{}"}} for n in range(9000)]


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(b"x" * 4_000_000, id="a line without end"),
        pytest.param(b"data: {\n" * 200_000, id="an event without end"),
        pytest.param(b"data: {\n" + b"data: }x}\n" * 150_000, id="lines that look like the end of one"),
        pytest.param(event(chunk({"tool_calls": [_DELTA]})) * 9000, id="arguments that look complete at every piece"),
        pytest.param(b"".join(event(chunk({"tool_calls": [each]})) for each in _MANY), id="calls without end"),
        pytest.param(event(chunk({"thoughts": [1]})) * 20_000, id="a list without end"),
    ],
)
def test_a_flood_costs_no_more_time_than_it_has_bytes(flood: bytes):
    assembly, begun = Assembly(), time.process_time()
    for start in range(0, len(flood), 1024):
        if assembly.feed(flood[start : start + 1024]):
            break
    assembly.body()
    assert time.process_time() - begun < 4


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_whatever_bytes_come_are_an_answer_or_trouble(one: bytes, other: bytes):
    try:
        assembled(one, b"data: " + HELLO + b"\n", other)
    except Trouble:
        return

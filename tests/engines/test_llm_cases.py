"""What people reported of tool calling over compatible endpoints, row by row, each over HTTP through engine and loop.

A row is named by its number in the list of cases; a test at the end says how many of the rows there are have a test.
The emulated endpoint is as strict as the strictest one, so that every turn also proves that it can be continued.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar

import pytest

from bot.engines.openai_chat import OpenAIChat
from bot.model_ports import Message, ModelUnavailable, PromptTooLong
from bot.thinking.tool_loop import ToolLoop
from tests.emulators.openai import (
    KEY,
    MODEL,
    Json,
    OpenAI,
    asks,
    begun,
    body,
    call,
    chunk,
    counted,
    error,
    odd,
    out_of_quota,
    rate_limited,
    raw,
    says,
    streams,
    streams_calls,
    texts,
)
from tests.fakes import MemoryTranscript, a_prompt
from tools.definition import ToolDefinition, definitions_of, tool
from tools.record import CallKey, Result

HANDLED: set[str] = set()

Test = TypeVar("Test", bound=Callable[..., Any])


def rows(*names: str) -> Callable[[Test], Test]:
    """These rows of the list of cases are this test's."""

    def note(test: Test) -> Test:
        HANDLED.update(names)
        return test

    return note


PROMPT = a_prompt("what time is it?", system="You tell the time.")
TAIPEI, TOKYO = '{"tz":"Asia/Taipei"}', '{"tz":"Asia/Tokyo"}'


class Clock:
    """A topic of typed tools, and what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @tool
    async def get_time(self, tz: Annotated[str, "IANA zone"], call: CallKey) -> Result:
        """The time somewhere."""
        self.asked.append(tz)
        return {"time": f"09:00 in {tz}"}

    @tool
    async def get_zones(self, call: CallKey) -> Result:
        """The zones there are."""
        self.asked.append("zones")
        return {"zones": ["Asia/Taipei"]}


async def at_once(_: float) -> None:
    pass


@pytest.fixture
async def engine(endpoint: OpenAI) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once)
    yield engine
    await engine.close()


@pytest.fixture
async def streaming(endpoint: OpenAI) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, stream=True)
    yield engine
    await engine.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tools(clock: Clock) -> list[ToolDefinition]:
    return definitions_of(clock)


@pytest.fixture
def transcript() -> MemoryTranscript:
    return MemoryTranscript()


@pytest.fixture
def loop(engine: OpenAIChat, transcript: MemoryTranscript) -> ToolLoop:
    return ToolLoop(engine, transcript)


@pytest.fixture
def streaming_loop(streaming: OpenAIChat) -> ToolLoop:
    return ToolLoop(streaming, MemoryTranscript())


def results(endpoint: OpenAI) -> list[Any]:
    """The results in the last request."""
    return [json.loads(each) for each in texts(endpoint.requests[-1]["messages"], "tool")]


def echoed(endpoint: OpenAI) -> Json:
    """The model's own message with calls, as the last request has it."""
    return next(each for each in endpoint.requests[-1]["messages"] if each.get("tool_calls"))


def ids(message: Json) -> list[str]:
    return [each["id"] for each in message["tool_calls"]]


# ── A: streams ────────────────────────────────────────────────────────────────────────────────────────────────────

STREAMED: dict[str, tuple[list[list[Json]], list[str]]] = {
    "A1": ([[begun("c1", "get_time", TAIPEI)]], ["Asia/Taipei"]),
    "A2": ([[begun("c1", "get_time", '{"tz":', index=None)], [call(None, None, '"a"}')]], ["a"]),
    "A3": ([[begun("c1", "get_time", TAIPEI)], [begun("c2", "get_time", TOKYO)]], ["Asia/Taipei", "Asia/Tokyo"]),
    "A5": (
        [
            [begun("c1", "get_time", index=0)],
            [call("c1", None, TAIPEI) | {"index": 0}],
            [begun("c2", "get_time", index=0)],
            [call("", None, TOKYO) | {"index": 0}],
        ],
        ["Asia/Taipei", "Asia/Tokyo"],
    ),
    "A7": ([[begun("c1", "get_time", '{"tz":', index=0)], [begun("c1", "get_time", '"a"}', index=0)]], ["a"]),
    "A8": ([[begun("c1", "get_time", "", index=0)], [begun(None, "", '{"tz":"a"}', index=0)]], ["a"]),
    "A9": ([[begun("c1", "get_time", None, index=0)], [begun(None, None, '{"tz":"a"}', index=0, type=None)]], ["a"]),
    "A10": ([[begun("c1", "get_time", TAIPEI), begun("c2", "get_zones", "{}")]], ["Asia/Taipei", "zones"]),
    "A11": (
        [[begun("c1", "get_time", '{"tz":"a"', index=0)], [call(None, None, "}")], [call(None, None, '{"tz":"a"}')]],
        ["a"],
    ),
    "A12": ([[{"index": 0, "id": "c1", "type": "function", "function": {"name": "get_zones"}}]], ["zones"]),
}


@rows(*STREAMED)
@pytest.mark.parametrize(("deltas", "asked"), STREAMED.values(), ids=STREAMED.keys())
async def test_streamed_calls_are_put_together_and_carried_out(
    endpoint: OpenAI,
    streaming_loop: ToolLoop,
    clock: Clock,
    tools: list[ToolDefinition],
    deltas: list[list[Json]],
    asked: list[str],
):
    endpoint.script(streams_calls(*deltas), streams(chunk({"content": "Nine."}, "stop"), counted()))
    assert await streaming_loop.llm(PROMPT, tools) == "Nine."
    assert clock.asked == asked
    assert len(results(endpoint)) == len(asked)


@rows("A8")
async def test_a_call_without_a_name_is_never_stored(
    endpoint: OpenAI, streaming_loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    nameless = streams_calls([begun("c1", "", TAIPEI, index=0)])
    endpoint.script(nameless, streams(chunk({"content": "Nine."}, "stop")))
    assert await streaming_loop.llm(PROMPT, tools) == "Nine."
    assert clock.asked == []
    assert not any(each.get("tool_calls") for each in endpoint.requests[-1]["messages"])


@rows("A13", "A14")
async def test_chunks_that_say_nothing_are_passed_over(endpoint: OpenAI, streaming: OpenAIChat):
    filters = {"choices": [], "model": "", "prompt_filter_results": [{"prompt_index": 0}]}
    pieces = [chunk({"content": each, "tool_calls": none}) for each, none in (("hel", []), ("lo", None))]
    endpoint.script(streams(filters, *pieces, chunk({"tool_calls": []}, "stop"), counted(11, 2)))
    answer = await streaming.complete([PROMPT.user], [])
    assert (answer.text, answer.calls, answer.usage.prompt) == ("hello", (), 11)


@rows("A16")
async def test_usage_is_asked_for_and_done_without_where_that_is_refused(endpoint: OpenAI, streaming: OpenAIChat):
    endpoint.refuse(lambda asked: "Unrecognized argument: stream_options" if "stream_options" in asked else None)
    hello = streams(chunk({"content": "hello"}, "stop"))
    endpoint.script(hello, hello)
    assert (await streaming.complete([PROMPT.user], [])).usage.prompt == 0
    await streaming.complete([PROMPT.user], [])
    assert [each.get("stream_options") for each in endpoint.requests] == [{"include_usage": True}, None, None]
    assert all(each["stream"] for each in endpoint.requests)


# ── B: identity and pairing ───────────────────────────────────────────────────────────────────────────────────────


@rows("B1", "B2")
async def test_calls_with_equal_ids_are_all_carried_out_and_told_apart(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    calls = [call("get_time", "get_time", TAIPEI), call("get_time", "get_time", TOKYO)]
    endpoint.script(odd({"content": None, "tool_calls": calls}), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert clock.asked == ["Asia/Taipei", "Asia/Tokyo"]
    assert len(set(ids(echoed(endpoint)))) == 2
    assert ids(echoed(endpoint))[0] == "get_time"
    assert [each["time"] for each in results(endpoint)] == ["09:00 in Asia/Taipei", "09:00 in Asia/Tokyo"]


@rows("B6")
async def test_an_id_that_can_be_sent_back_is(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    asked = odd({"content": None, "tool_calls": [call("functions.get_time:0", "get_time", TAIPEI)]})
    endpoint.script(asked, says("Nine."))
    await loop.llm(PROMPT, tools)
    assert ids(echoed(endpoint)) == ["functions.get_time:0"]


HALF: list[Message] = [
    PROMPT.user,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [call("c1", "get_time", TAIPEI), call("c2", "get_zones", "{}")],
    },
    {"role": "tool", "tool_call_id": "c1", "content": '{"time":"09:00"}'},
]


@rows("B7")
async def test_a_call_that_was_never_answered_is_told_to_have_been_cancelled(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    endpoint.script(says("Nine."))
    await loop.llm(replace(PROMPT, history=tuple(HALF)), tools)
    assert results(endpoint)[1]["error"]["code"] == "cancelled"


@rows("B8")
async def test_a_result_without_its_call_is_left_out(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    endpoint.script(says("Nine."))
    await loop.llm(replace(PROMPT, history=tuple(HALF[2:])), tools)
    assert results(endpoint) == []


@rows("B9")
async def test_nothing_is_said_by_a_person_right_behind_a_result(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    endpoint.script(asks(("get_time", TAIPEI)), odd({"content": ""}, "stop"), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    for each in endpoint.requests:
        roles = [message["role"] for message in each["messages"]]
        assert ("tool", "user") not in pairwise(roles)


@rows("B9")
async def test_where_it_must_not_be_something_is_said_between_a_result_and_a_person(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition]
):
    def strict(asked: Json) -> str | None:
        roles = [message["role"] for message in asked["messages"]]
        wrong = ("tool", "user") in pairwise(roles)
        return "Unexpected role 'user' after role 'tool'" if wrong else None

    endpoint.refuse(strict)
    endpoint.script(says("Nine."))
    both = [*HALF, {"role": "tool", "tool_call_id": "c2", "content": "{}"}, PROMPT.user]
    assert (await engine.complete(both, tools)).text == "Nine."


@rows("B12", "B13")
async def test_lists_without_anything_in_them_are_not_sent(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("Nine."))
    await engine.complete([PROMPT.user, {"role": "assistant", "content": "Yes?", "tool_calls": []}, PROMPT.user], [])
    assert "tools" not in endpoint.requests[0]
    assert "tool_calls" not in endpoint.requests[0]["messages"][1]


# ── C: arguments ──────────────────────────────────────────────────────────────────────────────────────────────────


@rows("C1", "C3")
@pytest.mark.parametrize(("sent", "echo"), [({"tz": "a"}, {"tz": "a"}), ("", {}), (None, {})])
async def test_arguments_of_every_kind_go_back_as_the_text_of_an_object(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition], sent: Any, echo: Json
):
    endpoint.script(odd({"content": None, "tool_calls": [call("c1", "get_time", sent)]}), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert json.loads(echoed(endpoint)["tool_calls"][0]["function"]["arguments"]) == echo


@rows("C4")
@pytest.mark.parametrize(
    ("sent", "asked"), [(TAIPEI + TAIPEI, ["Asia/Taipei"]), (TAIPEI + TOKYO, []), (TAIPEI + " " + TAIPEI + TOKYO, [])]
)
async def test_several_objects_in_one_call_are_one_call_if_they_are_equal_and_none_if_not(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], sent: str, asked: list[str]
):
    endpoint.script(asks(("get_time", sent)), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert clock.asked == asked
    assert ("error" in results(endpoint)[0]) == (not asked)


@rows("C5", "C6", "C12")
@pytest.mark.parametrize(
    "sent",
    [
        '{"tz": list}',
        '{"tz":"a",}',
        "{'tz':'a'}",
        '{"tz":True}',
        TAIPEI + " This is the zone.",
        '{"tz":' + "9" * 5000 + "}",
        '{"tz":' + "[" * 5000 + "]" * 5000 + "}",
        '{"tz":NaN}',
        '{"tz":1e999}',
        '{"tz":"\\ud83c"}',
    ],
)
async def test_what_is_no_object_runs_nothing_and_is_told_as_one_kind_of_error(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], sent: str
):
    endpoint.script(asks(("get_time", sent)), asks(("get_time", TAIPEI)), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert results(endpoint)[0]["error"]["code"] in {"invalid_json", "invalid_arguments"}
    assert clock.asked == ["Asia/Taipei"]


@rows("C6")
async def test_one_code_fence_around_an_object_is_taken_off(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    endpoint.script(asks(("get_time", f"```json\n{TAIPEI}\n```")), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert clock.asked == ["Asia/Taipei"]


@rows("C10", "F3", "F4", "F6", "F8", "F9", "F11")
async def test_a_request_names_nothing_that_could_be_refused_or_cut_an_answer(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    endpoint.script(*[asks(("get_time", json.dumps({"tz": f"{n}"}))) for n in range(8)], says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    *rounds, last = endpoint.requests
    assert all(each.keys() == {"model", "messages", "tools"} for each in rounds)
    assert last.keys() - rounds[0].keys() == {"tool_choice"}
    assert last["tool_choice"] == "none"
    assert "strict" not in json.dumps(last["tools"])


@rows("C10")
async def test_a_call_that_ends_before_its_arguments_do_is_not_carried_out(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    endpoint.script(asks(("get_time", '{"tz":"Asia/Tai')), says("Again?"))
    assert await loop.llm(PROMPT, tools) == "Again?"
    assert clock.asked == []


@rows("C11")
async def test_half_a_character_stops_no_later_request(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    lone = raw(json.dumps(body({"content": "a \ud83c b", "tool_calls": [call("c1", "get_zones", "{}")]})).encode())
    endpoint.script(lone, says("Nine."))
    said = replace(PROMPT, user={"role": "user", "content": "rice \ud83c"})
    assert await loop.llm(said, tools) == "Nine."
    assert "\ufffd" in endpoint.requests[-1]["messages"][1]["content"]


KEPT_BACK = {
    "C13": "Failed to call a function: parameters for tool get_time did not match schema: /tz: expected string",
    "C14": "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    "D9": "tool call validation failed: attempted to call tool 'fetch' which was not in request.tools",
}


@rows(*KEPT_BACK)
@pytest.mark.parametrize("coded", [True, False])
@pytest.mark.parametrize("message", KEPT_BACK.values(), ids=KEPT_BACK.keys())
async def test_what_the_endpoint_kept_back_is_the_models_mistake(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], message: str, coded: bool
):
    failed = error(400, "tool_use_failed" if coded else None, message, failed_generation='get_time({"tz":"a"})')
    endpoint.script(failed, failed, says("Sorry."))
    assert await loop.llm(PROMPT, tools) == "Sorry."
    assert clock.asked == []
    assert message in endpoint.requests[1]["messages"][0]["content"]
    assert [each.get("tool_choice") for each in endpoint.requests] == [None, None, "none"]


# ── D: names, leaked marks, calls that are none ───────────────────────────────────────────────────────────────────


@rows("D2")
@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("get_zones<|channel|>commentary", True),
        ("functions.get_zones", True),
        ("get zones", False),
        ("Get_Zones", False),
        ("get_zone", False),
        ("tools.get_zones", False),
    ],
)
async def test_a_tool_is_called_by_its_exact_name(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], name: str, runs: bool
):
    endpoint.script(odd({"content": None, "tool_calls": [call("c1", name, "{}")]}), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert clock.asked == (["zones"] if runs else [])
    assert runs or results(endpoint)[0]["error"]["code"] == "unknown_tool"


LEAKED = {
    "D3": '<|channel|>commentary<|message|>{"tz":"Asia/Taipei"}',
    "D4": '<tool_call>{"name":"get_time","arguments":{"tz":"Asia/Taipei"}}</tool_call>',
    "D4 function": "<function=get_time><parameter=tz>Asia/Taipei</parameter></function>",
    "D5": "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_time:0",
    "D7": "",
}


@rows("D3", "D4", "D5", "D7", "G10")
@pytest.mark.parametrize("finish", ["stop", "tool_calls"])
@pytest.mark.parametrize("content", LEAKED.values(), ids=LEAKED.keys())
async def test_a_call_inside_the_text_is_neither_shown_nor_run(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], content: str, finish: str
):
    leaked = odd({"content": content}, finish)
    endpoint.script(leaked, leaked, says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert clock.asked == []
    assert [each.get("tool_choice") for each in endpoint.requests] == [None, None, "none"]


@rows("D5")
async def test_marks_inside_of_thoughts_are_thoughts(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    endpoint.script(says("Nine.", reasoning_content="<|tool_calls_section_begin|>"))
    assert await loop.llm(PROMPT, tools) == "Nine."


@rows("D10")
async def test_a_call_that_the_endpoint_could_not_read_is_asked_for_again(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    broken = odd({"content": "", "tool_calls": [call("c1", "get_time", TAIPEI)]}, "MALFORMED_FUNCTION_CALL")
    endpoint.script(broken, asks(("get_time", TOKYO)), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert clock.asked == ["Asia/Tokyo"]


# ── E: what goes back ─────────────────────────────────────────────────────────────────────────────────────────────

SIGNED = {**call("c1", "get_time", TAIPEI), "extra_content": {"google": {"thought_signature": "abc"}}}
SKIPPED = {"google": {"thought_signature": "skip_thought_signature_validator"}}


def others(*, by: str | None = "elsewhere.example/other") -> list[Message]:
    """An exchange that another model had part in, with what only that one understands."""
    calls = [{**call("c1", "get_time", TAIPEI), "odd": 1}, call("c2", "get_zones", "{}")]
    asked: Message = {"role": "assistant", "content": "", "tool_calls": calls, "reasoning": "hm", "refusal": None}
    if by:
        asked["by"] = by
    told = [{"role": "tool", "tool_call_id": each, "content": "{}"} for each in ("c1", "c2")]
    return [PROMPT.user, asked, *told, {"role": "assistant", "content": "Nine.", "annotations": []}]


@rows("E1")
async def test_a_signature_goes_back_to_its_maker(
    endpoint: OpenAI, loop: ToolLoop, transcript: MemoryTranscript, tools: list[ToolDefinition]
):
    endpoint.script(odd({"content": None, "tool_calls": [SIGNED], "reasoning_details": [{"x": 1}]}), says("Nine."))
    await loop.llm(PROMPT, tools)
    assert echoed(endpoint) == {
        "role": "assistant",
        "content": None,
        "tool_calls": [SIGNED],
        "reasoning_details": [{"x": 1}],
    }
    stored = await transcript.of_turn(PROMPT.turn)
    assert stored[1]["by"] == stored[3]["by"] == f"{endpoint.url.split('/')[2]}/{MODEL}"


@rows("E1", "E2")
@pytest.mark.parametrize("by", ["elsewhere.example/other", None])
async def test_of_another_models_messages_only_the_common_part_is_sent(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition], by: str | None
):
    endpoint.script(says("Nine."))
    await engine.complete(others(by=by), tools)
    _, asked, _, _, said = endpoint.requests[0]["messages"]
    plain = [call("c1", "get_time", TAIPEI), call("c2", "get_zones", "{}")]
    assert asked == {"role": "assistant", "content": None, "tool_calls": plain}
    assert said == {"role": "assistant", "content": "Nine."}


@rows("E1")
async def test_where_signatures_are_checked_the_first_call_of_another_model_skips_the_check(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition]
):
    def checks(asked: Json) -> str | None:
        first = [each["tool_calls"][0] for each in asked["messages"] if each.get("tool_calls")]
        missing = any("thought_signature" not in json.dumps(each) for each in first)
        return "Function call is missing a thought_signature in functionCall parts." if missing else None

    endpoint.refuse(checks)
    endpoint.script(says("one"), says("two"))
    me = f"{endpoint.url.split('/')[2]}/{MODEL}"
    own: list[Message] = [
        {"role": "assistant", "content": None, "tool_calls": [SIGNED], "by": me},
        {"role": "tool", "tool_call_id": "c1", "content": "{}"},
    ]
    await engine.complete([*others(), *own], tools)
    await engine.complete(others(), tools)
    assert len(endpoint.requests) == 3
    signs = [each.get("extra_content") for each in endpoint.requests[1]["messages"][1]["tool_calls"]]
    assert signs == [SKIPPED, None]
    assert endpoint.requests[1]["messages"][5]["tool_calls"] == [SIGNED]


@rows("E2")
async def test_thoughts_go_back_verbatim_and_where_they_must_an_empty_one_for_another_model(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    def checks(asked: Json) -> str | None:
        with_calls = [each for each in asked["messages"] if each.get("tool_calls")]
        missing = any("reasoning_content" not in each for each in with_calls)
        return "The reasoning_content in the thinking mode must be passed back to the API." if missing else None

    endpoint.refuse(checks)
    endpoint.script(asks(("get_time", TAIPEI), reasoning_content="thinking"), says("Nine."))
    assert await loop.llm(replace(PROMPT, history=tuple(others())), tools) == "Nine."
    with_calls = [each for each in endpoint.requests[-1]["messages"] if each.get("tool_calls")]
    assert [each["reasoning_content"] for each in with_calls] == ["", "thinking"]


@rows("E2")
async def test_a_field_of_its_own_that_the_endpoint_will_not_have_back_is_left_out(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    def checks(asked: Json) -> str | None:
        number = next((n for n, each in enumerate(asked["messages"]) if "reasoning" in each), None)
        return None if number is None else f"'messages.{number}': property 'reasoning' is unsupported"

    endpoint.refuse(checks)
    endpoint.script(asks(("get_time", TAIPEI), reasoning="hm", kept=1), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert echoed(endpoint)["kept"] == 1


@rows("E3", "E4", "E6")
@pytest.mark.parametrize("refused", [None, ""])
async def test_a_message_with_calls_and_no_text_says_so_in_the_way_that_is_taken(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition], refused: str | None
):
    def picky(asked: Json) -> str | None:
        blank = [each["content"] for each in asked["messages"] if each.get("tool_calls")]
        return "messages.2.content: text content blocks must be non-empty, or a string" if refused in blank else None

    endpoint.refuse(picky)
    endpoint.script(odd({"content": refused, "tool_calls": [call("c1", "get_time", TAIPEI)]}), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert echoed(endpoint)["content"] == ("" if refused is None else None)


@rows("E5", "E6")
async def test_a_message_that_says_nothing_is_not_sent_and_one_with_calls_has_its_content(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition]
):
    silent: Message = {"role": "assistant", "content": None}
    calling: Message = {"role": "assistant", "tool_calls": [call("c1", "get_time", TAIPEI)]}
    endpoint.script(says("Nine."))
    await engine.complete([PROMPT.user, silent, calling, {**HALF[2]}], tools)
    assert [each["role"] for each in endpoint.requests[0]["messages"]] == ["user", "assistant", "tool"]
    assert echoed(endpoint)["content"] is None


@rows("E8")
@pytest.mark.parametrize("result", [None, "", {"time": "09:00"}, [1]])
async def test_a_result_is_always_text_that_is_not_empty(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition], result: Any
):
    endpoint.script(says("Nine."))
    calling: Message = {"role": "assistant", "content": None, "tool_calls": [call("c1", "get_time", TAIPEI)]}
    await engine.complete([PROMPT.user, calling, {"role": "tool", "tool_call_id": "c1", "content": result}], tools)
    assert results(endpoint) == [result or {}]


# ── F: requests ───────────────────────────────────────────────────────────────────────────────────────────────────


@rows("F5")
@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("unsupported_value", {}),
        (None, {"param": "tool_choice"}),
        (None, {"type": "invalid_request_error"}),
        ("bad_response_status_code", {}),
    ],
)
async def test_a_parameter_that_is_refused_with_500_is_refused(
    endpoint: OpenAI, engine: OpenAIChat, tools: list[ToolDefinition], code: str | None, more: Json
):
    refusal = error(500, code, "Unsupported parameter: 'tool_choice' (request id: 1)", **more)
    endpoint.script(refusal, says("Nine."))
    assert (await engine.complete([PROMPT.user], tools, may_call=False)).text == "Nine."
    assert ["tool_choice" in each for each in endpoint.requests] == [True, False]


@rows("F8", "F9")
async def test_where_no_choice_of_tools_is_taken_the_last_word_goes_without(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition]
):
    endpoint.refuse(lambda asked: "tool_choice is not supported in thinking mode" if "tool_choice" in asked else None)
    rounds = [asks(("get_time", json.dumps({"tz": f"{n}"}))) for n in range(8)]
    endpoint.script(*rounds, odd({"content": "Nine.", "tool_calls": [call("x", "get_zones", "{}")]}))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert "zones" not in clock.asked


# ── G: transport, limits, refusals ────────────────────────────────────────────────────────────────────────────────


@rows("G1")
@pytest.mark.parametrize("code", [429, "429", 503, "server_error", None])
async def test_an_error_inside_of_a_good_status_is_an_error(endpoint: OpenAI, engine: OpenAIChat, code: Any):
    wrapped = raw(json.dumps({"id": "x", "choices": None, "error": {"code": code, "message": "no"}}).encode())
    endpoint.script(wrapped, says("Nine."))
    assert (await engine.complete([PROMPT.user], [])).text == "Nine."


@rows("G1")
@pytest.mark.parametrize("code", [401, "403", "insufficient_quota"])
async def test_an_error_inside_of_a_good_status_keeps_its_meaning(endpoint: OpenAI, engine: OpenAIChat, code: Any):
    status = 429 if code == "insufficient_quota" else 200
    endpoint.script(raw(json.dumps({"choices": None, "error": {"code": code, "message": "no"}}).encode(), status))
    with pytest.raises(ModelUnavailable):
        await engine.complete([PROMPT.user], [])


@rows("G3")
async def test_a_spent_quota_or_a_wait_of_hours_is_not_tried_again(endpoint: OpenAI, engine: OpenAIChat):
    wordy = raw(b'{"error":{"message":"Your credit balance is too low","type":"x"}}', 429)
    for spent in (out_of_quota(), rate_limited("7200"), rate_limited("Mon, 30 Nov 2099 09:00:00 GMT"), wordy):
        endpoint.script(spent)
        with pytest.raises(ModelUnavailable):
            await engine.complete([PROMPT.user], [])
    assert len(endpoint.requests) == 4


TOO_LONG = {
    "OpenAI": (400, "context_length_exceeded", "Your messages resulted in 9000 tokens. Please reduce the length."),
    "llama.cpp": (400, None, "the request exceeds the available context size, try increasing it"),
    "vLLM": (400, None, "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens"),
    "Anthropic": (400, None, "prompt is too long: 208310 tokens > 200000 maximum"),
    "Gemini": (400, None, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "Bedrock": (400, None, "Input is too long for requested model."),
    "Qwen": (400, "invalid_parameter_error", "Range of input length should be [1, 30720]"),
    "LM Studio": (500, None, "the model is loaded with context length of only 4096 tokens, which is not enough"),
    "SGLang": (400, None, "The input (9000 tokens) is longer than the model's context length (4096 tokens)."),
    "xAI": (400, None, "This model's maximum prompt length is 131072 but the request contains 200000 tokens."),
    "Groq": (413, "rate_limit_exceeded", "Request too large for model on tokens per minute"),
    "OpenAI, a minute's worth": (429, "rate_limit_exceeded", "Request too large for gpt-4o: Limit 30000"),
}  # fmt: skip


@rows("G6")
@pytest.mark.parametrize(("status", "code", "message"), TOO_LONG.values(), ids=TOO_LONG.keys())
async def test_a_request_that_is_too_long_is_said_to_be(
    endpoint: OpenAI, engine: OpenAIChat, status: int, code: str | None, message: str
):
    endpoint.script(error(status, code, message))
    with pytest.raises(PromptTooLong):
        await engine.complete([PROMPT.user], [])


@rows("G6")
async def test_after_a_request_that_was_too_long_less_of_the_past_is_sent(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    past: list[Message] = []
    for number in range(8):
        past += [{"role": "user", "content": f"{number} " * 200}, {"role": "assistant", "content": "Yes."}]
    told = {"code": 400, "type": "exceed_context_size_error", "message": "too big", "n_prompt_tokens": 3000}
    endpoint.script(raw(json.dumps({"error": told}).encode(), 400), says("Nine."))
    assert await loop.llm(replace(PROMPT, history=tuple(past)), tools) == "Nine."
    first, second = (len(each["messages"]) for each in endpoint.requests)
    assert second < first


@rows("G7", "G8")
@pytest.mark.parametrize(
    "filtered",
    [
        error(400, "content_filter", "The response was filtered", innererror={"code": "ResponsibleAIPolicyViolation"}),
        odd({"content": ""}, "content_filter"),
        odd({"content": None, "tool_calls": [call("c1", "get_time", TAIPEI)]}, "content_filter"),
    ],
)
async def test_what_was_filtered_is_neither_repeated_nor_carried_out(
    endpoint: OpenAI, loop: ToolLoop, clock: Clock, tools: list[ToolDefinition], filtered: Any
):
    endpoint.script(filtered)
    assert await loop.llm(PROMPT, tools) == ""
    assert clock.asked == []


@rows("G9")
async def test_a_refusal_is_shown(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    endpoint.script(odd({"content": None, "refusal": "I cannot help with that."}, "stop"))
    assert await loop.llm(PROMPT, tools) == "I cannot help with that."


# ── the list ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_row_of_the_list_has_a_test(shared: Path, record_property: Callable[[str, object], None]):
    listed = re.findall(r"^\| ([A-G]\d+) ", (shared / "cases" / "llm.md").read_text(encoding="utf-8"), re.MULTILINE)
    handled = HANDLED.intersection(listed)
    record_property("handled", f"{len(handled)} / {len(listed)}")
    print(f"cases handled: {len(handled)} / {len(listed)}")
    assert set(listed) - HANDLED == set()

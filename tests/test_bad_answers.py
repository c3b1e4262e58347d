"""Nineteen bad answers that models and endpoints really gave, each through the engine and the loop over HTTP, at once
and in pieces.

The emulated endpoint refuses a request that any known endpoint would refuse: so every case also proves that the turn
can be continued after the bad answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any, NoReturn

import pytest
from starlette.responses import JSONResponse

from bot.engines.openai_chat import OpenAIChat
from bot.model_ports import ModelUnavailable
from bot.thinking.tool_loop import ToolLoop
from tests.emulators.openai import KEY, MODEL, Json, OpenAI, Step, asks, body, call, odd, says, serving, texts
from tests.fakes import MemoryTranscript, a_prompt
from tools.definition import ToolDefinition, definitions_of, tool
from tools.record import CallKey, Result

PROMPT = a_prompt("what time is it?", system="You tell the time.")


class Time:
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

    @tool
    async def get_all(self, call: CallKey) -> Result:
        """Everything."""
        self.asked.append("all")
        return {"all": "x" * 1_000_000}

    @tool
    async def get_secret(self, call: CallKey) -> NoReturn:
        """Fails."""
        raise RuntimeError("password is hunter2")


TAIPEI = '{"tz":"Asia/Taipei"}'


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAI]:
    async with serving() as endpoint:
        yield endpoint
    endpoint.check()


@pytest.fixture(params=["whole", "streamed"])
async def loop(endpoint: OpenAI, request: pytest.FixtureRequest) -> AsyncIterator[ToolLoop]:
    async def at_once(_: float) -> None:
        pass

    endpoint.pieces = request.param == "streamed"
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, stream=endpoint.pieces)
    yield ToolLoop(engine, MemoryTranscript())
    await engine.close()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def tools(time: Time) -> list[ToolDefinition]:
    return definitions_of(time)


def told(endpoint: OpenAI) -> list[Any]:
    """The results of the last request."""
    return [json.loads(each) for each in texts(endpoint.requests[-1]["messages"], "tool")]


def called(*calls: Json, finish: Any = "tool_calls") -> Step:
    return odd({"content": None, "tool_calls": list(calls)}, finish)


REFUSED = {
    "an unknown tool": (asks(("fetch", "{}")), "unknown_tool", "get_time, get_zones"),
    "a trailing comma": (asks(("get_time", '{"tz":"Asia/Taipei",}')), "invalid_json", "line 1 column 21"),
    "several objects": (asks(("get_time", TAIPEI + '{"tz":"Asia/Tokyo"}')), "invalid_json", "one call for each object"),
    "a missing argument": (asks(("get_time", "{}")), "invalid_arguments", "tz"),
    "an extra argument": (asks(("get_time", '{"tz":"Asia/Taipei","user_id":"U2"}')), "invalid_arguments", "user_id"),
    "a tool that breaks": (asks(("get_secret", "{}")), "tool_failed", "Do not say that it was done"),
}


@pytest.mark.parametrize(("answer", "code", "hint"), REFUSED.values(), ids=REFUSED.keys())
async def test_a_call_that_cannot_be_carried_out_is_told_how_to_mend_it(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition], answer: Step, code: str, hint: str
):
    endpoint.script(answer, says("Sorry."))
    assert await loop.llm(PROMPT, tools) == "Sorry."
    (result,) = told(endpoint)
    assert result["error"]["code"] == code
    assert hint in json.dumps(result)
    assert "hunter2" not in json.dumps(endpoint.requests)
    assert time.asked == []


MEANT = {
    "one object several times": (asks(("get_time", TAIPEI + TAIPEI)), ["Asia/Taipei"]),
    "arguments as an object": (called(call("c", "get_time", {"tz": "Asia/Taipei"})), ["Asia/Taipei"]),
    "no arguments for a tool that takes none": (asks(("get_zones", "")), ["zones"]),
    "equal ids": (called(call("c", "get_time", TAIPEI), call("c", "get_zones", "{}")), ["Asia/Taipei", "zones"]),
    "an id that is null": (called(call(None, "get_time", TAIPEI)), ["Asia/Taipei"]),
    "an id that is empty": (called(call("", "get_time", TAIPEI)), ["Asia/Taipei"]),
    "finish stop": (called(call("c", "get_time", TAIPEI), finish="stop"), ["Asia/Taipei"]),
}


@pytest.mark.parametrize(("answer", "asked"), MEANT.values(), ids=MEANT.keys())
async def test_a_call_that_is_certainly_meant_is_carried_out(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition], answer: Step, asked: list[str]
):
    endpoint.script(answer, says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."
    assert time.asked == asked
    assert len(told(endpoint)) == len(asked)


async def test_calls_after_finish_length_are_not_carried_out(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition]
):
    endpoint.script(called(call("c", "get_time", TAIPEI), finish="length"), says("Again, please?"))
    assert await loop.llm(PROMPT, tools) == "Again, please?"
    assert time.asked == []


async def test_calls_after_finish_content_filter_are_not_carried_out(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition]
):
    endpoint.script(called(call("c", "get_time", TAIPEI), finish="content_filter"))
    assert await loop.llm(PROMPT, tools) == ""
    assert time.asked == []


async def test_a_hundred_calls_in_one_answer_run_not_at_all(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition]
):
    hundred = asks(*[("get_time", TAIPEI)] * 100)
    endpoint.script(hundred, hundred)
    with pytest.raises(ModelUnavailable):
        await loop.llm(PROMPT, tools)
    assert time.asked == []


async def test_a_megabyte_of_result_is_cut(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    endpoint.script(asks(("get_all", "{}")), says("A lot."))
    assert await loop.llm(PROMPT, tools) == "A lot."
    (result,) = texts(endpoint.requests[-1]["messages"], "tool")
    assert len(result) == 16_000


async def test_calls_for_ever_end_with_a_word(
    endpoint: OpenAI, loop: ToolLoop, time: Time, tools: list[ToolDefinition]
):
    endpoint.script(*[asks(("get_time", json.dumps({"tz": f"{n}"}))) for n in range(8)], says("Enough."))
    assert await loop.llm(PROMPT, tools) == "Enough."
    assert len(time.asked) == 8
    assert [each.get("tool_choice") for each in endpoint.requests] == [None] * 8 + ["none"]


async def test_an_empty_text_after_a_tool_is_asked_for_again(
    endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]
):
    endpoint.script(asks(("get_time", TAIPEI)), odd({"content": ""}, "stop"), says("Nine."))
    assert await loop.llm(PROMPT, tools) == "Nine."


async def test_choices_null_with_an_error_is_the_error(endpoint: OpenAI, loop: ToolLoop, tools: list[ToolDefinition]):
    null = JSONResponse({**body({}), "choices": None, "error": {"code": 429, "message": "slow down"}})
    endpoint.script(null, null)
    with pytest.raises(ModelUnavailable, match="HTTP 429"):
        await loop.llm(PROMPT, tools)

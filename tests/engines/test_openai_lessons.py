"""What an endpoint teaches: its dialect, how it counts, and that this is known again after a restart."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engines.openai_chat import OpenAIChat
from bot.engines.openai_dialect import Dialect, difference, learned, taught
from bot.engines.openai_lessons import FEWEST, MOST, Lessons, TokenRatio
from bot.engines.openai_messages import outgoing, request
from bot.engines.openai_shapes import Trouble
from bot.model_ports import Message, ModelUnavailable
from bot.sql.endpoints import SqlEndpoints
from tests.emulators.openai import KEY, MODEL, Json, OpenAI, call, error, odd, says
from tests.fakes import Shelf
from tools.database import Database
from tools.record import StoreUnavailable

USER: Message = {"role": "user", "content": "put milk on the shelf"}
ASKED: Message = {"role": "assistant", "content": None, "tool_calls": [call("call_1", "put", '{"thing":"milk"}')]}
ROUND: list[Message] = [USER, ASKED, {"role": "tool", "tool_call_id": "call_1", "content": '{"ref":1}'}]
TOOLS = Shelf().tools()


@pytest.fixture
async def engine(endpoint: OpenAI) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once)
    yield engine
    await engine.close()


async def at_once(_: float) -> None:
    pass


@dataclass
class Drawer:
    """An EndpointsPort in memory that may break."""

    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    breaks: bool = False
    slow: bool = False
    reads: int = 0
    writes: list[dict[str, Any]] = field(default_factory=list)

    async def learned(self, name: str) -> Mapping[str, Any]:
        self.reads += 1
        if self.slow:
            await asyncio.Event().wait()
        if self.breaks:
            raise StoreUnavailable
        return self.kept.get(name, {})

    async def keep(self, name: str, learned: Mapping[str, Any]) -> None:
        self.writes.append(dict(learned))
        if self.breaks:
            raise ZeroDivisionError
        self.kept[name] = {**self.kept.get(name, {}), **learned}


# ── dialects ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_endpoint_that_insists_on_streams_gets_them(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.pieces = True
    sentence = "This model only support stream mode, please enable the stream parameter to access the model."
    endpoint.refuse(lambda asked: None if asked.get("stream") else sentence)
    endpoint.script(says("one"), says("two"))
    assert [(await engine.complete([USER], TOOLS)).text for _ in range(2)] == ["one", "two"]
    assert len(endpoint.requests) == 3


async def test_an_endpoint_without_streams_is_asked_without_though_the_operator_wanted_them(endpoint: OpenAI):
    endpoint.refuse(lambda asked: "Streaming is not supported for this model" if "stream" in asked else None)
    endpoint.script(says("one"), says("two"))
    engine = OpenAIChat(endpoint.url, KEY, MODEL, stream=True)
    assert [(await engine.complete([USER], TOOLS)).text for _ in range(2)] == ["one", "two"]
    assert ["stream" in each for each in endpoint.requests] == [True, False, False]
    await engine.close()


async def test_ids_of_another_making_are_made_anew_where_they_are_refused(endpoint: OpenAI, engine: OpenAIChat):
    def strict(asked: Json) -> str | None:
        ids = [each["id"] for message in asked["messages"] for each in message.get("tool_calls", [])]
        wrong = next((each for each in ids if len(each) != 9 or not each.isalnum()), None)
        return wrong and f"Tool call id was {wrong} but must be a-z, A-Z, 0-9, with a length of 9."

    endpoint.refuse(strict)
    endpoint.script(says("one"))
    kept = [ASKED | {"tool_calls": [call("abcdefg12", "put", "{}")]}, {**ROUND[2], "tool_call_id": "abcdefg12"}]
    assert (await engine.complete([*ROUND, *kept], TOOLS)).text == "one"
    assert endpoint.requests[-1]["messages"][3]["tool_calls"][0]["id"] == "abcdefg12"


async def test_what_a_schema_may_be_without_is_left_out_where_it_is_not_known(endpoint: OpenAI, engine: OpenAIChat):
    inner: Json = {"type": "string", "default": "a", "minLength": 1}
    parameters: Json = {
        "type": "object",
        "properties": {"format": inner, "many": {"type": "array", "items": inner}, "one": {"anyOf": [inner]}},
        "required": ["format"],
        "additionalProperties": False,
    }
    tool = replace(TOOLS[0], parameters=parameters)
    endpoint.refuse(
        lambda asked: (
            'Invalid JSON payload received. Unknown name "additionalProperties", Unknown name "default"'
            if "default" in json.dumps(asked["tools"])
            else None
        )
    )
    endpoint.script(says("one"))
    assert (await engine.complete([USER], [tool])).text == "one"
    plain = {"type": "string", "minLength": 1}
    assert endpoint.requests[-1]["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"format": plain, "many": {"type": "array", "items": plain}, "one": {"anyOf": [plain]}},
        "required": ["format"],
    }


async def test_calls_of_the_past_are_told_in_words_where_they_need_tools(endpoint: OpenAI, engine: OpenAIChat):
    sentence = "Requests which include `tool_use` blocks must define tools"
    endpoint.refuse(lambda asked: sentence if any(each.get("tool_calls") for each in asked["messages"]) else None)
    endpoint.script(says("one"))
    assert (await engine.complete([*ROUND, USER], [])).text == "one"
    assert [each["role"] for each in endpoint.requests[-1]["messages"]] == ["user", "assistant", "user"]


async def test_what_was_learned_by_mistake_is_unlearned(endpoint: OpenAI, engine: OpenAIChat):
    needs_none = "Function tools with reasoning_effort are not supported: set reasoning_effort to 'none'."
    knows_none = "Unsupported value: 'reasoning_effort' does not support 'none' with this model."
    endpoint.script(error(400, None, needs_none), says("one"), error(400, None, knows_none), says("two"))
    assert (await engine.complete([USER], TOOLS)).text == "one"
    assert (await engine.complete([USER], TOOLS)).text == "two"
    assert [each.get("reasoning_effort") for each in endpoint.requests] == [None, "none", "none", None]


async def test_a_field_that_is_now_refused_is_no_longer_added(endpoint: OpenAI, engine: OpenAIChat):
    must = "The reasoning_content in the thinking mode must be passed back to the API."
    must_not = "property 'reasoning_content' is unsupported"
    endpoint.script(error(400, None, must), says("one"), error(400, None, must_not), says("two"))
    for _ in range(2):
        await engine.complete(ROUND, TOOLS)
    had = [each["messages"][1].get("reasoning_content") for each in endpoint.requests]
    assert had == [None, "", "", None]


@pytest.mark.parametrize(
    ("must", "must_not", "sent"),
    [
        (
            "The reasoning_content in the thinking mode must be passed back to the API.",
            "property 'reasoning_content' is unsupported",
            lambda message: message.get("reasoning_content"),
        ),
        (
            "Function call is missing a thought_signature in functionCall parts.",
            "unexpected field extra_content",
            lambda message: bool(message["tool_calls"][0].get("extra_content")),
        ),
    ],
)
async def test_the_latest_word_about_a_field_holds_however_often_it_changes(
    endpoint: OpenAI, must: str, must_not: str, sent: Callable[[Message], Any]
):
    store = Drawer()
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, endpoints=store)
    for _ in range(3):
        for complaint in (must, must_not):
            endpoint.script(error(400, None, complaint), says("ok"))
            await engine.complete(ROUND, TOOLS)
    endpoint.script(error(400, None, must), says("ok"))
    await engine.complete(ROUND, TOOLS)
    await engine.close()
    with_it, without = sent(endpoint.requests[1]["messages"][1]), sent(endpoint.requests[3]["messages"][1])
    assert with_it != without
    assert sent(endpoint.requests[-1]["messages"][1]) == with_it
    assert all(len(set(each["unwanted"])) == len(each["unwanted"]) for each in store.writes if "unwanted" in each)


async def test_a_fault_within_a_stream_of_its_own_does_not_make_an_endpoint_stream(
    endpoint: OpenAI, engine: OpenAIChat
):
    endpoint.script(error(400, None, "upstream: stream error"))
    with pytest.raises(ModelUnavailable):
        await engine.complete([USER], TOOLS)
    endpoint.script(says("one"))
    await engine.complete([USER], TOOLS)
    assert "stream" not in endpoint.requests[-1]


async def test_two_endpoints_behind_one_gateway_are_two(endpoint: OpenAI):
    store = Drawer()
    for path in ("", "/east", "/west/v1", "/west/v1/"):
        engine = OpenAIChat(f"{endpoint.url.removesuffix('/v1')}{path}", KEY, MODEL, endpoints=store)
        await engine.start()
        await engine.close()
        store.kept.setdefault(engine._name, {})
    host = endpoint.url.split("/")[2]
    assert list(store.kept) == [f"{host}/{MODEL}", f"{host}/east/{MODEL}", f"{host}/west/{MODEL}"]


async def test_a_change_that_did_not_help_is_not_kept(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(*[error(400, None, "messages.1.content is wrong")] * 3, says("one"))
    with pytest.raises(ModelUnavailable):
        await engine.complete(ROUND, TOOLS)
    assert (await engine.complete(ROUND, TOOLS)).text == "one"
    assert endpoint.requests[0] == endpoint.requests[-1]


async def test_a_change_that_helped_is_kept_though_it_was_not_enough(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(
        error(400, None, "tool_choice is not supported"),
        error(400, None, "set reasoning_effort to none"),
        error(400, None, "stream must be set"),
        says("one"),
    )
    with pytest.raises(ModelUnavailable):
        await engine.complete(ROUND, TOOLS, may_call=False)
    await engine.complete(ROUND, TOOLS, may_call=False)
    last = endpoint.requests[-1]
    assert ("tool_choice" in last, last.get("reasoning_effort"), "stream" in last) == (False, "none", False)


WORDS = (
    "not supported unknown stream stream_options tool_choice tool tools content reasoning_content reasoning_effort "
    "thought_signature role 'user' after 'tool' tool_call id must length default extra reasoning"
)
sentences = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)
dialects = st.builds(
    Dialect,
    blank_content=st.sampled_from(["as it was", "null", "empty"]),
    unwanted=st.sampled_from([(), ("reasoning",)]),
    unknown_keywords=st.sampled_from([(), ("default",)]),
)


@given(dialects, st.lists(sentences, max_size=4), st.booleans(), st.booleans())
def test_whatever_is_learned_can_be_kept_known_again_and_sent(
    dialect: Dialect, said: list[str], may_call: bool, with_tools: bool
):
    tools = TOOLS if with_tools else []
    for sentence in said:
        asked = request(MODEL, dialect, "me", ROUND, tools, may_call=may_call)
        trouble = Trouble(400, message=sentence)
        if new := learned(dialect, asked, trouble, may_call=may_call):
            change = json.loads(json.dumps(difference(dialect, new)))
            assert change
            assert taught(dialect, change) == new
            dialect = new
    json.dumps(request(MODEL, dialect, "me", ROUND, tools, may_call=may_call))


@given(
    st.dictionaries(
        st.sampled_from([*Dialect.__slots__, "x"]), st.none() | st.booleans() | st.text() | st.lists(st.integers())
    )
)
def test_lessons_that_are_not_understood_teach_nothing(lessons: dict[str, Any]):
    sent = outgoing(ROUND, taught(Dialect(), lessons), "me")
    assert [each["role"] for each in sent] == ["user", "assistant", "tool"]


# ── how it counts ─────────────────────────────────────────────────────────────────────────────────────────────────


def ratio_of(*samples: tuple[int, int]) -> float:
    ratio = TokenRatio()
    for size, tokens in samples:
        ratio.count(size, tokens)
    return ratio.bytes_per_token


def test_the_ratio_starts_safe_falls_at_once_and_rises_when_it_is_sure():
    assert ratio_of() == 2.0
    assert ratio_of((1600, 1000)) == 1.6
    assert ratio_of((4000, 1000)) == 2.0
    assert ratio_of(*[(4000, 1000)] * 5) == 4.0
    assert ratio_of(*[(4000, 1000)] * 15, *[(2500, 1000)] * 2) == 2.5


def test_the_ratio_stays_between_its_bounds_and_believes_no_odd_count():
    assert ratio_of(*[(1000, 900)] * 9) == FEWEST
    assert ratio_of(*[(9000, 1000)] * 9) == MOST
    assert ratio_of(*[(1000, 0), (90_000, 1000), (10, 1000)] * 9) == 2.0


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), max_size=60))
def test_whatever_is_counted_the_ratio_is_one_that_some_writing_has(samples: list[tuple[int, int]]):
    assert FEWEST <= ratio_of(*samples) <= MOST


async def test_the_ratio_is_learned_from_the_bytes_that_were_sent(endpoint: OpenAI, engine: OpenAIChat):
    assert engine.bytes_per_token == 2.0
    usage = {"prompt_tokens": 1000, "completion_tokens": 1}
    endpoint.script(*[odd({"content": "x"}, "stop", usage=usage) for _ in range(6)])
    for _ in range(6):
        await engine.complete([{"role": "user", "content": "牛奶" * 500}], [])
    size = int(endpoint.headers[0]["content-length"])
    assert engine.bytes_per_token == pytest.approx(size / 1000)


async def test_a_request_that_was_too_long_corrects_the_ratio(endpoint: OpenAI, engine: OpenAIChat):
    long = [{"role": "user", "content": "x" * 8000}]
    endpoint.script(error(400, "context_length_exceeded", "your messages resulted in 5200 tokens"))
    with pytest.raises(ModelUnavailable):
        await engine.complete(long, [])
    assert 1.5 <= engine.bytes_per_token < 1.6


async def test_an_endpoint_that_reads_less_than_it_is_sent_is_told_of_once(
    endpoint: OpenAI, engine: OpenAIChat, caplog: pytest.LogCaptureFixture
):
    endpoint.script(says("x"), says("x"))
    for _ in range(2):
        await engine.complete([{"role": "user", "content": "x" * 20_000}], [])
    told = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert len(told) == 1
    assert "120 tokens" in told[0]
    assert "CONTEXT_TOKENS" in told[0]
    assert engine.bytes_per_token == 2.0


def test_what_is_far_under_is_measured_by_what_is_usual_there():
    ratio = TokenRatio([4.0] * 5)
    assert not ratio.is_far_under(10_000, 0)
    assert not ratio.is_far_under(5_000, 100)
    assert not ratio.is_far_under(10_000, 1_300)
    assert ratio.is_far_under(10_000, 1_200)


# ── kept ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_learned_is_known_again_after_a_restart(endpoint: OpenAI, database: Database):
    endpoints = SqlEndpoints(database, lambda: datetime(2026, 11, 30, tzinfo=UTC))
    endpoint.refuse(lambda asked: "tool_choice is not supported" if "tool_choice" in asked else None)
    usage = {"prompt_tokens": 100, "completion_tokens": 1}
    endpoint.script(*[odd({"content": "x"}, "stop", usage=usage) for _ in range(6)], says("last"))
    ratios = []
    for answers in (6, 1):
        engine = OpenAIChat(endpoint.url, KEY, MODEL, endpoints=endpoints)
        await engine.start()
        ratios.append(engine.bytes_per_token)
        for _ in range(answers):
            await engine.complete(ROUND, TOOLS, may_call=False)
        ratios.append(engine.bytes_per_token)
        await engine.close()
    assert len(endpoint.requests) == 8
    assert ratios[0] == 2.0
    assert ratios[1] > 4
    assert ratios[2] == pytest.approx(ratios[1], abs=0.001)


async def test_it_is_read_at_the_first_use_once(endpoint: OpenAI):
    drawer = Drawer()
    name = f"{endpoint.url.split('/')[2]}/{MODEL}"
    drawer.kept[name] = {"tool_choice": False, "bytes_per_token": 3, "of a later version": 1}
    engine = OpenAIChat(endpoint.url, KEY, MODEL, endpoints=drawer)
    endpoint.script(says("one"), says("two"))
    await asyncio.gather(*(engine.complete(ROUND, TOOLS, may_call=False) for _ in range(2)))
    assert drawer.reads == 1
    assert engine.bytes_per_token == 3.0
    assert not any("tool_choice" in each for each in endpoint.requests)
    await engine.close()


@pytest.mark.parametrize("ratio", ["3", True, None, 0, 100, float("nan")])
async def test_a_ratio_that_is_none_is_not_believed(ratio: Any):
    lessons = Lessons("x", Drawer(kept={"x": {"bytes_per_token": ratio}}))
    await lessons.recalled()
    assert lessons.bytes_per_token == 2.0


async def test_a_store_that_breaks_costs_no_answer(endpoint: OpenAI, caplog: pytest.LogCaptureFixture):
    endpoint.refuse(lambda asked: "tool_choice is not supported" if "tool_choice" in asked else None)
    drawer = Drawer(breaks=True)
    engine = OpenAIChat(endpoint.url, KEY, MODEL, endpoints=drawer)
    endpoint.script(says("one"), says("two"))
    for _ in range(2):
        await engine.complete(ROUND, TOOLS, may_call=False)
    await engine.close()
    assert len(endpoint.requests) == 3
    assert "cannot be read (StoreUnavailable)" in caplog.text
    assert "cannot be kept (ZeroDivisionError)" in caplog.text
    assert drawer.reads == 1


async def test_a_store_that_is_slow_is_not_waited_for():
    lessons = Lessons("x", Drawer(slow=True), load_seconds=0.01)
    await lessons.recalled()
    assert lessons.dialect == Dialect()


async def test_the_ratio_is_kept_only_when_it_moves():
    drawer = Drawer()
    lessons = Lessons("x", drawer)
    for tokens in [250] * 9 + [251] * 9:
        lessons.count(1000, tokens)
    await lessons.close()
    assert drawer.writes == [{"bytes_per_token": 4.0}]


async def test_what_is_learned_while_something_is_being_kept_is_kept_too():
    drawer = Drawer()
    lessons = Lessons("x", drawer)
    lessons.keep(replace(lessons.dialect, stream=True))
    await asyncio.sleep(0)
    lessons.keep(replace(lessons.dialect, tool_choice=False))
    lessons.keep(lessons.dialect)
    await lessons.close()
    assert drawer.kept == {"x": {"stream": True, "tool_choice": False}}

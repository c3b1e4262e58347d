from __future__ import annotations

import asyncio
import gzip
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic_core import to_json
from starlette.responses import Response

from bot.engines.openai_chat import OpenAIChat
from bot.engines.openai_dialect import Dialect, learned
from bot.engines.openai_shapes import Trouble, answer_in, decoded
from bot.engines.openai_transport import Wire, retry_after
from bot.model_ports import Completion, Finish, Message, ModelUnavailable, Usage
from bot.thinking.tool_loop import ToolLoop
from tests.emulators.openai import (
    KEY,
    MODEL,
    Cut,
    Json,
    OpenAI,
    Slow,
    asks,
    body,
    call,
    error,
    odd,
    out_of_quota,
    page,
    rate_limited,
    raw,
    says,
    serving,
)
from tests.engines.recordings import recorded
from tests.fakes import MemoryTranscript, Shelf, a_prompt

ROOT = Path(__file__).resolve().parents[2]
USER: Message = {"role": "user", "content": "put milk on the shelf"}
ROUND: list[Message] = [
    USER,
    {"role": "assistant", "content": None, "tool_calls": [call("c1", "put", '{"thing":"milk"}')]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"ref":1}'},
]
TOOLS = Shelf().tools()
PROMPT = a_prompt(USER, system="You keep a shelf.")


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
async def engine(endpoint: OpenAI, waits: list[float]) -> AsyncIterator[OpenAIChat]:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=sleep)
    yield engine
    await engine.close()


def read(status: int, raw: bytes) -> Completion:
    return answer_in(status, decoded(raw))


async def refused(engine: OpenAIChat, messages: list[Message] | None = None, **kind: Any) -> str:
    with pytest.raises(ModelUnavailable) as unavailable:
        await engine.complete(messages or [USER], TOOLS, **kind)
    return unavailable.value.reason


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_request_says_no_more_than_model_messages_and_tools(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"))
    answer = await engine.complete([USER], TOOLS)
    assert (answer.text, answer.calls, answer.finish, answer.usage) == ("hello", (), "stop", Usage(120, 7))
    (asked,) = endpoint.requests
    assert asked.keys() == {"model", "messages", "tools"}
    assert asked["tools"][0]["function"] == {
        "name": "put",
        "description": "Put a thing on the shelf.",
        "parameters": TOOLS[0].parameters,
    }


async def test_without_tools_there_is_no_list_of_tools(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"), says("hello"))
    await engine.complete([USER], [])
    await engine.complete([USER], [], may_call=False)
    assert [each.keys() for each in endpoint.requests] == [{"model", "messages"}] * 2


async def test_the_last_word_keeps_its_tools_and_forbids_to_call_them(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"))
    await engine.complete(ROUND, TOOLS, may_call=False)
    assert endpoint.requests[0]["tool_choice"] == "none"
    assert len(endpoint.requests[0]["tools"]) == 2


@pytest.mark.parametrize(
    ("sent", "echoed"),
    [
        ('{"thing": "milk"}', '{"thing": "milk"}'),
        ("", "{}"),
        (None, "{}"),
        ({"thing": "牛"}, '{"thing":"牛"}'),
        ('"{\\"a\\":1}"', '{"a":1}'),
        ('{"a":1}{"a":1}', '{"a":1}'),
        ('{"a":1,}', "{}"),
        ("[1]", "{}"),
    ],
)
async def test_arguments_go_back_as_the_text_of_one_object(
    endpoint: OpenAI, engine: OpenAIChat, sent: Any, echoed: str
):
    endpoint.script(says("hello"))
    await engine.complete([USER, {**ROUND[1], "tool_calls": [call("c1", "put", sent)]}, ROUND[2]], TOOLS)
    assert endpoint.requests[0]["messages"][1]["tool_calls"][0]["function"]["arguments"] == echoed


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_calls_are_read_and_unknown_fields_are_kept(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(asks(("put", '{"thing":"milk"}'), reasoning_content="thinking"))
    answer = await engine.complete([USER], TOOLS)
    assert [(each.id, each.name, each.arguments) for each in answer.calls] == [("call_0", "put", '{"thing":"milk"}')]
    assert answer.finish == "tool_calls"
    assert answer.message["reasoning_content"] == "thinking"


def answer_to(message: Json, finish: Any = "stop", **more: Any) -> Completion:
    return read(200, json.dumps(body(message, finish, **more)).encode())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("hello", "hello"),
        ([{"type": "thinking", "thinking": []}, {"type": "text", "text": "hel"}, {"text": "lo"}], "hello"),
        (["hel", "lo", 1, None], "hello"),
        (None, ""),
        (7, ""),
        ({"text": "no"}, ""),
    ],
)
def test_text_is_read_out_of_every_kind_of_content(content: Any, text: str):
    assert answer_to({"content": content}).text == text


def test_a_refusal_is_the_answer():
    answer = answer_to({"content": None, "refusal": "I cannot help with that."})
    assert (answer.text, answer.finish) == ("I cannot help with that.", "refusal")


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        (None, "stop"),
        ("", "stop"),
        ("end_turn", "stop"),
        ("tool_calls", "tool_calls"),
        ("function_call", "tool_calls"),
        ("tool_use", "tool_calls"),
        ("length", "length"),
        ("MAX_TOKENS", "length"),
        ("content_filter", "content_filter"),
        ("SAFETY", "content_filter"),
        ("MALFORMED_FUNCTION_CALL", "error"),
        ("error", "error"),
        (3, "error"),
    ],
)
def test_every_reason_to_finish_is_one_of_six(reason: Any, finish: Finish):
    assert answer_to({"content": "x"}, reason).finish == finish


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        (call("c", "put", "{}"), "put"),
        (call("c", "functions.put", "{}"), "put"),
        (call("c", "put<|channel|>commentary", "{}"), "put"),
        (call("c", "put it now", "{}"), "put-it-now"),
        (call("c", "x" * 100, "{}"), "x" * 64),
        (call("c", "", "{}"), None),
        (call("c", "<|channel|>", "{}"), None),
        (call("c", None, "{}"), None),
        ({"id": "c", "function": None}, None),
        ({"id": "c"}, None),
        ("put", None),
        (None, None),
    ],
)
def test_a_call_has_a_name_that_can_be_sent_back_or_is_none(entry: Any, name: str | None):
    answer = answer_to({"content": None, "tool_calls": [entry]}, "tool_calls")
    assert [each.name for each in answer.calls] == ([name] if name else [])
    assert [each["function"]["name"] for each in answer.message["tool_calls"]] == ([name] if name else [])
    assert answer.finish == ("tool_calls" if name else "error")


@pytest.mark.parametrize("call_id", [None, 7, "", []])
def test_an_id_that_is_no_text_is_no_id(call_id: Any):
    answer = answer_to({"content": None, "tool_calls": [call(call_id, "put", {"a": 1})]})
    assert (answer.calls[0].id, answer.calls[0].arguments) == ("", {"a": 1})


@pytest.mark.parametrize("usage", [None, [], {}, {"prompt_tokens": None, "completion_tokens": "7"}])
def test_missing_usage_counts_nothing(usage: Any):
    assert answer_to({"content": "x"}, usage=usage).usage == Usage()


def test_half_a_surrogate_pair_in_an_answer_is_replaced():
    assert answer_to({"content": "a\ud83c b"}).text == "a\ufffd b"


@pytest.mark.parametrize("record", recorded("error"))
def test_recorded_refusals_are_read(record: Json):
    with pytest.raises(Trouble) as trouble:
        read(record["status"], json.dumps(record["body"]).encode())
    assert trouble.value.status == record["status"]
    assert trouble.value.code == record["body"]["error"]["code"]


@pytest.mark.parametrize("record", recorded("response"))
def test_recorded_answers_are_read(record: Json):
    answer, message = read(200, json.dumps(record["body"]).encode()), record["body"]["choices"][0]["message"]
    assert len(answer.calls) == len(message.get("tool_calls") or [])
    if not isinstance(message.get("content"), list):
        assert answer.text == (message.get("content") or message.get("refusal") or "")
    assert answer.finish in {"stop", "tool_calls", "length", "refusal"}
    assert answer.usage.prompt > 0
    assert {**answer.message, "tool_calls": message.get("tool_calls")} == {"tool_calls": None, **message}


# ── trouble that passes ───────────────────────────────────────────────────────────────────────────────────────────

PASSING = {
    "408": error(408, "timeout"),
    "409": error(409, "conflict"),
    "429 rate": rate_limited("2"),
    "500": error(500, "server_error"),
    "502 page": page(502),
    "503 nothing": raw(b"", 503),
    "200 page": page(200),
    "200 broken": raw(b'{"choices": [{"message": '),
    "200 list": raw(b"[]"),
    "200 nested": raw(b"[" * 100_000),
    "200 nested beside the answer": odd({"content": "x", "extra": json.loads("[" * 300 + "]" * 300)}),
    "200 no choices": raw(b'{"choices": []}'),
    "200 no message": raw(b'{"choices": [{"index": 0}]}'),
    "200 error": raw(b'{"choices": null, "error": {"code": 429, "message": "slow down"}}'),
    "200 error text": raw(b'{"error": "upstream died"}'),
    "200 error code": raw(b'{"error": {"code": "502", "message": "bad gateway"}}'),
    "cut": Cut(),
}


@pytest.mark.parametrize("trouble", PASSING.values(), ids=PASSING.keys())
async def test_trouble_that_may_pass_is_met_with_one_more_try(
    endpoint: OpenAI, engine: OpenAIChat, waits: list[float], trouble: Any
):
    endpoint.script(trouble, says("hello"))
    assert (await engine.complete([USER], TOOLS)).text == "hello"
    assert len(waits) == 1
    assert 0.5 <= waits[0] <= 2


@pytest.mark.parametrize("trouble", PASSING.values(), ids=PASSING.keys())
async def test_trouble_that_stays_is_a_model_that_is_unavailable(
    endpoint: OpenAI, engine: OpenAIChat, waits: list[float], trouble: Any
):
    endpoint.script(trouble, trouble)
    assert (await refused(engine)).startswith(("127.0.0.1: HTTP ", "127.0.0.1: no connection ("))
    assert len(waits) == 1


async def test_an_endpoint_that_cannot_be_reached_is_tried_twice(waits: list[float]):
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    engine = OpenAIChat("http://127.0.0.1:9/v1", KEY, MODEL, sleep=sleep)
    assert await refused(engine) == "127.0.0.1: no connection (ConnectionRefusedError)"
    assert len(waits) == 1
    await engine.close()


async def test_a_connection_that_breaks_is_not_called_a_timeout():
    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(break_off, "127.0.0.1", 0) as server:
        wire = Wire(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", KEY, timeout=5)
        with pytest.raises(ConnectionError, match=r"Disconnected|Reset"):
            await wire.post(b"{}")
        await wire.close()


async def test_the_endpoint_says_how_long_to_wait(endpoint: OpenAI, engine: OpenAIChat, waits: list[float]):
    endpoint.script(rate_limited("12.5"), says("hello"))
    await engine.complete([USER], TOOLS)
    assert waits == [12.5]


async def test_a_wait_that_leaves_no_time_to_answer_is_not_waited(
    endpoint: OpenAI, engine: OpenAIChat, waits: list[float]
):
    endpoint.script(rate_limited("55.1"))
    assert await refused(engine) == "127.0.0.1: HTTP 429 rate_limit_exceeded"
    assert waits == []


async def test_an_answer_that_does_not_come_is_not_waited_for(endpoint: OpenAI):
    endpoint.script(Slow())
    engine = OpenAIChat(endpoint.url, KEY, MODEL, timeout=0.5)
    await engine.start()
    assert await refused(engine) == "127.0.0.1: no answer within 0.5 s"
    await engine.close()


# ── trouble that stays ────────────────────────────────────────────────────────────────────────────────────────────

SPENT = "the quota is spent (HTTP {}): look at the provider's billing page"
LASTING = {
    "quota": (out_of_quota(), SPENT.format("429 insufficient_quota")),
    "quota type": (
        raw(b'{"error":{"type":"insufficient_quota","code":null}}', 429),
        SPENT.format("429 insufficient_quota"),
    ),
    "auth": (
        error(401, "invalid_api_key", f"Incorrect API key: {KEY}"),
        "the model refuses (HTTP 401 invalid_api_key): look at OPENAI_API_KEY",
    ),
    "payment": (error(402, None, "Pay first"), SPENT.format("402 invalid_request_error")),
    "wrapped parameter": (error(500, "unsupported_value", "no", "temperature"), "HTTP 400 unsupported_value"),
    "no JSON": (
        raw(b"no", 404),
        "the model refuses (HTTP 404): look at OPENAI_BASE_URL (it often ends in /v1) and OPENAI_MODEL",
    ),
    "key in a text": (
        raw(json.dumps({"error": f"bad key {KEY} or sk-abc***xyz"}).encode(), 403),
        "the model refuses (HTTP 403 bad *** or ***): look at OPENAI_API_KEY and what it may use",
    ),
}


@pytest.mark.parametrize(("trouble", "reason"), LASTING.values(), ids=LASTING.keys())
async def test_trouble_that_will_not_pass_is_not_tried_again(
    endpoint: OpenAI, engine: OpenAIChat, waits: list[float], trouble: Any, reason: str
):
    endpoint.script(trouble)
    assert await refused(engine) == f"127.0.0.1: {reason}"
    assert waits == []


async def test_what_the_model_wrote_wrong_counts_as_its_answer(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(error(400, "tool_use_failed", "Failed to call a function."), error(400, "content_filter", "no"))
    answer = await engine.complete([USER], TOOLS)
    assert (answer.text, answer.calls, answer.finish) == ("", (), "error")
    assert (await engine.complete([USER], TOOLS)).finish == "content_filter"


async def test_a_wrong_key_is_named_without_the_key(endpoint: OpenAI):
    engine = OpenAIChat(endpoint.url, "sk-wrong", MODEL)
    assert await refused(engine) == "127.0.0.1: the model refuses (HTTP 401 invalid_api_key): look at OPENAI_API_KEY"
    endpoint.refusals.clear()
    await engine.close()


async def test_an_endpoint_without_keys_needs_none(endpoint: OpenAI):
    engine = OpenAIChat(endpoint.url, "", MODEL)
    assert await refused(engine) == "127.0.0.1: the model refuses (HTTP 401 invalid_api_key): look at OPENAI_API_KEY"
    endpoint.refusals.clear()
    await engine.close()


async def test_half_a_surrogate_pair_goes_out_as_a_mark(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"))
    assert (await engine.complete([{"role": "user", "content": "rice \ud83c"}], TOOLS)).text == "hello"
    assert endpoint.requests[0]["messages"][0]["content"] == "rice \ufffd"


async def test_a_request_that_cannot_be_written_is_a_model_that_is_unavailable(engine: OpenAIChat):
    deep: Any = "x"
    for _ in range(400):
        deep = [deep]
    assert await refused(engine, [{"role": "user", "content": deep}]) == "127.0.0.1: the request cannot be written"


# ── dialects ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_tool_choice_is_left_out_where_it_is_refused(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.refuse(lambda asked: "Thinking mode does not support this tool_choice" if "tool_choice" in asked else None)
    endpoint.script(says("one"), says("two"))
    assert (await engine.complete(ROUND, TOOLS, may_call=False)).text == "one"
    assert (await engine.complete(ROUND, TOOLS, may_call=False)).text == "two"
    assert [("tool_choice" in each, "tools" in each) for each in endpoint.requests] == [(True, True)] + [
        (False, True)
    ] * 2


async def test_a_last_word_without_tools_is_said_in_text_where_tools_are_refused(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.refuse(lambda asked: "tools are not allowed with tool_choice" if "tool_choice" in asked else None)
    endpoint.refuse(lambda asked: "This model does not support tools" if "tools" in asked else None)
    endpoint.script(says("one"))
    assert (await engine.complete(ROUND, TOOLS, may_call=False)).text == "one"
    assert endpoint.requests[-1]["messages"] == [
        USER,
        {"role": "assistant", "content": '[called put({"thing":"milk"})]'},
        {"role": "user", "content": '[tool result] {"ref":1}'},
    ]


async def test_a_model_that_knows_no_tools_is_unavailable_while_it_needs_them(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.refuse(lambda _: "This model does not support tools")
    assert await refused(engine) == "127.0.0.1: HTTP 400 invalid_request_error"
    assert len(endpoint.requests) == 1


async def test_reasoning_is_switched_off_for_models_that_refuse_tools_with_it(endpoint: OpenAI, engine: OpenAIChat):
    sentence = "Function tools with reasoning_effort are not supported, set reasoning_effort to 'none'."
    endpoint.refuse(lambda asked: None if asked.get("reasoning_effort") == "none" else sentence)
    endpoint.script(asks(("put", "{}")))
    assert len((await engine.complete([USER], TOOLS)).calls) == 1


@pytest.mark.parametrize(("stored", "wanted"), [(None, ""), ("", None)])
async def test_the_content_of_a_message_with_calls_is_blank_in_the_way_that_is_taken(
    endpoint: OpenAI, engine: OpenAIChat, stored: str | None, wanted: str | None
):
    endpoint.refuse(
        lambda asked: "messages.1.content: not like this" if asked["messages"][1]["content"] == stored else None
    )
    endpoint.script(says("one"))
    asked = [USER, {**ROUND[1], "content": stored}, ROUND[2]]
    assert (await engine.complete(asked, TOOLS)).text == "one"
    assert endpoint.requests[-1]["messages"][1]["content"] == wanted


async def test_a_request_is_adapted_at_most_twice(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.refuse(lambda _: "messages.1.content is wrong")
    assert "HTTP 400" in await refused(engine, ROUND)
    assert len(endpoint.requests) == 3


async def test_a_complaint_about_content_without_calls_teaches_nothing(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.refuse(lambda _: "content is wrong")
    assert "HTTP 400" in await refused(engine)
    assert len(endpoint.requests) == 1


async def test_an_error_in_a_list_of_one_is_understood(endpoint: OpenAI, engine: OpenAIChat):
    said = {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "tool_choice is not supported"}}
    endpoint.script(raw(json.dumps([said]).encode(), 400), says("one"))
    assert (await engine.complete(ROUND, TOOLS, may_call=False)).text == "one"


async def test_a_complaint_that_differs_only_in_its_number_is_the_same(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(*[error(400, None, f"content is wrong (request id: req_{n}abc)") for n in range(3)], says("one"))
    await refused(engine, ROUND)
    await engine.complete(ROUND, TOOLS)
    assert endpoint.requests[0] == endpoint.requests[-1]


# ── the client ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_calls_before_the_start_wait_for_it_and_share_one_client(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"), says("hello"))
    answers = await asyncio.gather(engine.complete([USER], []), engine.start(), engine.complete([USER], []))
    assert [each.text for each in answers if each] == ["hello", "hello"]


async def test_every_request_is_the_one_that_the_package_would_send(endpoint: OpenAI):
    endpoint.script(*[says("hello") for _ in range(3)])
    asked = {"model": MODEL, "messages": [{"role": "user", "content": '早\u2028\x7f"\\\n🍚'}], "temperature": 1.5}
    wire = Wire(endpoint.url, KEY, timeout=60)
    await wire.post(to_json({**asked, "messages": [USER]}))
    await wire.post(to_json(asked))
    await wire.close()
    http = DefaultAsyncHttpxClient(trust_env=False)
    async with AsyncOpenAI(base_url=endpoint.url, api_key=KEY, timeout=60, max_retries=0, http_client=http) as package:
        await package.chat.completions.create(**asked)

    first, second, official = endpoint.headers
    assert second == official
    assert first == {**official, "content-length": first["content-length"]}
    assert endpoint.requests[1:] == [asked, asked]


async def test_what_the_endpoint_compressed_is_read(endpoint: OpenAI, engine: OpenAIChat):
    squeezed = gzip.compress(json.dumps(body({"content": "hello"})).encode())
    endpoint.script(Response(squeezed, headers={"content-encoding": "gzip"}))
    assert (await engine.complete([USER], [])).text == "hello"


async def test_closing_an_engine_that_was_never_used_is_fine():
    await OpenAIChat("http://127.0.0.1:9/v1", KEY, MODEL).close()


async def test_a_call_can_be_cancelled(endpoint: OpenAI, engine: OpenAIChat):
    reached = asyncio.Event()

    async def hang(_: object) -> Slow:
        reached.set()
        return Slow()

    endpoint.script(hang)
    asking = asyncio.create_task(engine.complete([USER], TOOLS))
    await reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_calls_to_this_machine_go_through_no_proxy(endpoint: OpenAI):
    endpoint.script(says("hello"))
    code = (
        "import asyncio, sys\n"
        "from bot.engines.openai_chat import OpenAIChat\n"
        "engine = OpenAIChat(*sys.argv[1:])\n"
        "user = {'role': 'user', 'content': 'hi'}\n"
        "print(asyncio.run(engine.complete([user], [])).text)\n"
    )
    unset = {name: value for name, value in os.environ.items() if name.lower() != "no_proxy"}
    proxies = {"HTTP_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, endpoint.url, KEY, MODEL),
        cwd=ROOT,
        env={**unset, **proxies},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert out.decode().strip() == "hello"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3", 3.0),
        (" 0.5 ", 0.5),
        ("-1", None),
        ("Mon, 30 Nov 2026 09:00:10 GMT", 10.0),
        ("Mon, 30 Nov 2026 08:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: str, seconds: float | None):
    now = datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert retry_after(httpx2.Headers({"retry-after": header}), now) == seconds


def test_without_the_header_nothing_is_said():
    assert retry_after(httpx2.Headers(), datetime.now(UTC)) is None


async def test_odd_endpoints_are_odd_in_many_ways_at_once(endpoint: OpenAI, engine: OpenAIChat):
    calls = [call("put", "functions.put", {"thing": "a"}), call("put", "put", None), call(None, "", "{}")]
    endpoint.script(odd({"content": [{"type": "text", "text": "ok"}], "tool_calls": calls}, None, usage=None))
    answer = await engine.complete([USER], TOOLS)
    assert [(each.id, each.name, each.arguments) for each in answer.calls] == [
        ("put", "put", {"thing": "a"}),
        ("put", "put", None),
    ]
    assert (answer.text, answer.finish) == ("ok", "stop")


# ── anything ──────────────────────────────────────────────────────────────────────────────────────────────────────

scalars = st.none() | st.booleans() | st.integers(-5, 10**20) | st.floats() | st.text(max_size=8)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any) -> list[tuple[Any, ...]]:
    """The path of every value in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *[(name, *path) for name, each in inner for path in places(each)]]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


WHOLE = body(
    {
        "content": "hello",
        "refusal": None,
        "tool_calls": [call("c1", "put", '{"thing":"milk"}')],
        "reasoning_details": [{"type": "reasoning.text", "text": "hm"}],
    },
    "tool_calls",
    error={"code": "x", "type": "y", "param": None, "message": "no", "status_code": 400, "n_prompt_tokens": 7},
)
ODD = st.builds(lambda path, new: put(WHOLE, path, new), st.sampled_from(places(WHOLE)), anything)


@given(st.sampled_from([200, 201, 400, 413, 422, 429, 500, 529]), ODD | anything)
def test_whatever_is_answered_is_an_answer_or_trouble(status: int, told: Any):
    try:
        answer = read(status, json.dumps(told).encode())
    except Trouble as trouble:
        learned(Dialect(), {"messages": ROUND, "tools": []}, trouble, may_call=trouble.may_pass or trouble.too_long)
        return
    assert isinstance(answer.text, str)
    assert all(each.name for each in answer.calls)
    assert answer.usage.prompt >= 0


@given(st.binary(max_size=300))
def test_whatever_bytes_are_answered_are_an_answer_or_trouble(raw_body: bytes):
    with pytest.raises(Trouble):
        read(200, raw_body)


@given(st.lists(st.tuples(st.sampled_from([200, 400, 500]), ODD | anything), min_size=1, max_size=6))
@settings(max_examples=25)
def test_whatever_comes_over_the_wire_ends_in_an_answer_or_an_unavailable_model(told: list[tuple[int, Any]]):
    """And whatever of it goes back is taken."""

    async def ask_all() -> None:
        async with serving() as endpoint:
            engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once)
            for status, each in told:
                endpoint.script(*[raw(json.dumps(each).encode(), status)] * 40)
                with suppress(ModelUnavailable):
                    await ToolLoop(engine, MemoryTranscript(), max_rounds=2).llm(PROMPT, TOOLS)
                assert not endpoint.refusals
                endpoint.reset()
            await engine.close()

    asyncio.run(ask_all())


async def at_once(_: float) -> None:
    pass


@given(st.text(max_size=40), st.text(max_size=10))
def test_whatever_the_endpoint_says_of_waiting_is_a_number_or_nothing(header: str, exactly: str):
    headers = {"retry-after": header, "retry-after-ms": exactly}
    written = [(name, value.encode(errors="replace")) for name, value in headers.items()]
    seconds = retry_after(httpx2.Headers(written), datetime(2026, 11, 30, 9, tzinfo=UTC))
    assert seconds is None or seconds >= 0

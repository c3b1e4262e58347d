"""Streams over HTTP, and what whoever observes is told of every request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from starlette.responses import Response

from bot.engines.openai_chat import OpenAIChat
from bot.model_ports import Attempt, Message, ModelUnavailable, Usage
from tests.emulators.openai import (
    KEY,
    MODEL,
    CutStream,
    Endless,
    Json,
    OpenAI,
    Slow,
    asks,
    body,
    chunk,
    counted,
    error,
    event,
    page,
    rate_limited,
    raw,
    says,
    streams,
)
from tests.engines.recordings import as_sent, recorded
from tests.fakes import Shelf

USER: Message = {"role": "user", "content": "put milk on the shelf"}
TOOLS = Shelf().tools()
HELLO = chunk({"content": "hello"})
END = chunk({}, "stop")


@pytest.fixture
def attempts() -> list[Attempt]:
    return []


async def at_once(_: float) -> None:
    pass


@pytest.fixture
async def engine(endpoint: OpenAI, attempts: list[Attempt]) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, observe=attempts.append)
    yield engine
    await engine.close()


@pytest.fixture
async def streaming(endpoint: OpenAI, attempts: list[Attempt]) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, observe=attempts.append, stream=True)
    yield engine
    await engine.close()


async def hasty(endpoint: OpenAI, seconds: float) -> OpenAIChat:
    """An engine that is started and has so many seconds for an answer."""
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, stream=True, timeout=seconds)
    await engine.start()
    return engine


# ── streams ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_nothing_is_streamed_unless_it_is_wanted(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(says("hello"))
    await engine.complete([USER], TOOLS)
    assert "stream" not in endpoint.requests[0]


async def test_a_streamed_answer_is_the_same_as_a_whole_one(
    endpoint: OpenAI, engine: OpenAIChat, streaming: OpenAIChat
):
    endpoint.pieces = True
    answer = asks(("put", '{"thing":"牛奶"}'), ("count", "{}"), reasoning_content="thinking")
    endpoint.script(answer, answer)
    whole, streamed = [await each.complete([USER], TOOLS) for each in (engine, streaming)]
    assert whole == streamed


@pytest.mark.parametrize("record", recorded("stream"))
async def test_recorded_streams_are_read_off_the_wire(endpoint: OpenAI, streaming: OpenAIChat, record: Json):
    endpoint.script(Response(as_sent(record), media_type="text/event-stream"))
    answer = await streaming.complete([USER], TOOLS)
    assert answer.text or answer.calls or answer.fault
    assert answer.message["by"].endswith(f"/{MODEL}")


async def test_an_endpoint_that_does_not_stream_after_all_is_understood(endpoint: OpenAI, streaming: OpenAIChat):
    endpoint.script(says("hello"))
    assert (await streaming.complete([USER], TOOLS)).text == "hello"


async def test_a_connection_that_stays_open_after_the_end_is_left(endpoint: OpenAI):
    class Open(Endless):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            async def also_done(message: Any) -> None:
                if message.get("body"):
                    message = {**message, "body": message["body"] + event("[DONE]")}
                await send(message)

            await super().__call__(scope, receive, also_done)

    endpoint.script(Open(HELLO))
    engine = await hasty(endpoint, 20)
    async with asyncio.timeout(5):
        assert (await engine.complete([USER], TOOLS)).text == "hello"
    await engine.close()


async def test_a_stream_that_falls_silent_is_not_waited_for(endpoint: OpenAI):
    endpoint.script(Endless(HELLO))
    engine = await hasty(endpoint, 1)
    with pytest.raises(ModelUnavailable, match="HTTP 502 stream_broken"):
        await engine.complete([USER], TOOLS)
    await engine.close()


async def test_a_stream_that_falls_silent_behind_its_answer_is_an_answer(endpoint: OpenAI):
    endpoint.script(Endless(HELLO, END))
    engine = await hasty(endpoint, 1)
    assert (await engine.complete([USER], TOOLS)).text == "hello"
    await engine.close()


async def test_a_stream_that_breaks_off_is_tried_again(endpoint: OpenAI, streaming: OpenAIChat):
    endpoint.script(CutStream(HELLO), streams(chunk({"content": "whole"}, "stop")))
    assert (await streaming.complete([USER], TOOLS)).text == "whole"


async def test_a_stream_that_breaks_off_behind_its_answer_is_an_answer(endpoint: OpenAI, streaming: OpenAIChat):
    endpoint.script(CutStream(HELLO, END))
    assert (await streaming.complete([USER], TOOLS)).text == "hello"


async def test_an_answer_without_end_is_given_up(endpoint: OpenAI, streaming: OpenAIChat):
    endless = Response(b": " + b"x" * 9_000_000, media_type="text/event-stream")
    endpoint.script(endless, endless)
    with pytest.raises(ModelUnavailable):
        await streaming.complete([USER], TOOLS)


@pytest.mark.parametrize("trouble", [error(503, "overloaded"), rate_limited("0"), page(502), raw(b"", 200)])
async def test_trouble_instead_of_a_stream_is_trouble(endpoint: OpenAI, streaming: OpenAIChat, trouble: Response):
    endpoint.script(trouble, streams(HELLO, END))
    assert (await streaming.complete([USER], TOOLS)).text == "hello"


async def test_what_was_compressed_is_streamed_too(endpoint: OpenAI, streaming: OpenAIChat):
    import gzip

    squeezed = gzip.compress(event(HELLO) + event(END))
    endpoint.script(Response(squeezed, headers={"content-encoding": "gzip"}, media_type="text/event-stream"))
    assert (await streaming.complete([USER], TOOLS)).text == "hello"


# ── who observes ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_every_request_is_told_of_as_it_was_sent_and_answered(
    endpoint: OpenAI, engine: OpenAIChat, attempts: list[Attempt]
):
    endpoint.script(
        error(400, None, "tool_choice is not supported"),
        page(502),
        says("hello"),
    )
    await engine.complete([USER], TOOLS, may_call=False)
    assert [each.sent for each in attempts] == endpoint.requests
    assert [each.status for each in attempts] == [400, 502, 200]
    first, second, third = attempts
    assert first.came["error"]["message"] == "tool_choice is not supported"
    assert first.error == "127.0.0.1: HTTP 400 invalid_request_error"
    assert first.adaptation == "tool_choice=False"
    assert second.came == "<html><body>Bad gateway</body></html>"
    assert (second.error, second.adaptation) == ("127.0.0.1: HTTP 502", "")
    assert third.came == body({"content": "hello", "refusal": None})
    assert (third.error, third.usage) == ("", Usage(120, 7))
    assert all(each.seconds > 0 and each.engine == f"{endpoint.url.split('/')[2]}/{MODEL}" for each in attempts)


async def test_a_stream_is_told_of_as_the_answer_that_it_was(
    endpoint: OpenAI, streaming: OpenAIChat, attempts: list[Attempt]
):
    endpoint.script(streams(HELLO, END, counted(9, 3)))
    await streaming.complete([USER], TOOLS)
    assert attempts[0].sent["stream"] is True
    assert attempts[0].came["choices"][0]["message"]["content"] == "hello"
    assert attempts[0].usage == Usage(9, 3)


async def test_what_never_came_is_told_of_too(endpoint: OpenAI, attempts: list[Attempt]):
    engine = OpenAIChat("http://127.0.0.1:9/v1", KEY, MODEL, sleep=at_once, observe=attempts.append)
    with pytest.raises(ModelUnavailable):
        await engine.complete([USER], TOOLS)
    assert [(each.status, each.came, each.error) for each in attempts] == [
        (None, None, "127.0.0.1: no connection (ConnectionRefusedError)")
    ] * 2
    await engine.close()


async def test_a_request_that_is_given_up_is_told_of(endpoint: OpenAI, engine: OpenAIChat, attempts: list[Attempt]):
    endpoint.script(Slow())
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await engine.complete([USER], TOOLS)
    assert [(each.status, each.error) for each in attempts] == [(None, "cancelled: it took too long")]


async def test_half_a_character_is_told_of_as_it_was_sent(
    endpoint: OpenAI, engine: OpenAIChat, attempts: list[Attempt]
):
    endpoint.script(says("hello"))
    await engine.complete([{"role": "user", "content": "\ud83c"}], [])
    assert attempts[0].sent == endpoint.requests[0]


async def test_a_request_that_cannot_be_written_is_told_of(engine: OpenAIChat, attempts: list[Attempt]):
    with pytest.raises(ModelUnavailable):
        await engine.complete([{"role": "user", "content": object()}], [])
    assert attempts[0].error == "127.0.0.1: the request cannot be written"


async def test_an_observer_that_fails_fails_alone(endpoint: OpenAI, caplog: pytest.LogCaptureFixture):
    def fail(_: Attempt) -> None:
        raise ZeroDivisionError

    endpoint.script(says("hello"))
    engine = OpenAIChat(endpoint.url, KEY, MODEL, observe=fail)
    assert (await engine.complete([USER], TOOLS)).text == "hello"
    assert "could not be recorded" in caplog.text
    await engine.close()


async def test_no_secret_stands_in_a_reason(endpoint: OpenAI, engine: OpenAIChat, attempts: list[Attempt]):
    endpoint.script(raw(json.dumps({"error": {"message": f"wrong key {KEY}"}}).encode(), 401))
    with pytest.raises(ModelUnavailable) as unavailable:
        await engine.complete([USER], TOOLS)
    assert KEY not in unavailable.value.reason + attempts[0].error

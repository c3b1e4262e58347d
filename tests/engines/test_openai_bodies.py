"""Replies that have no end, unpack to a thousand times their size, or send round in circles: bounded by the wire."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator

import pytest
from starlette.responses import RedirectResponse, Response

from bot.engines import openai_transport
from bot.engines.openai_chat import OpenAIChat
from bot.engines.openai_transport import LONGEST_BODY, LONGEST_PACKED, REDIRECTS
from bot.model_ports import Message, ModelUnavailable, PromptRefused
from tests.emulators.openai import KEY, MODEL, OpenAI, body, error

USER: Message = {"role": "user", "content": "hello"}
ANSWER = json.dumps(body({"content": "hello"})).encode()


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
async def engine(endpoint: OpenAI, request: pytest.FixtureRequest) -> AsyncIterator[OpenAIChat]:
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once, stream=request.param)
    yield engine
    await engine.close()


async def at_once(_: float) -> None:
    pass


@pytest.mark.parametrize("status", [200, 400, 500])
async def test_a_reply_without_end_is_cut_off(
    endpoint: OpenAI, engine: OpenAIChat, status: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(openai_transport, "LONGEST_BODY", 65_536)
    endpoint.script(*[Response(b" " * 200_000, status, media_type="application/json")] * 2)
    with pytest.raises(ModelUnavailable, match="EndlessBody"):
        await engine.complete([USER], [])


def packed(content: bytes) -> Response:
    return Response(gzip.compress(content), media_type="application/json", headers={"content-encoding": "gzip"})


async def test_a_compressed_answer_is_read(endpoint: OpenAI, engine: OpenAIChat):
    endpoint.script(packed(ANSWER))
    assert (await engine.complete([USER], [])).text == "hello"


async def test_a_compressed_reply_is_bounded_by_what_it_may_unpack_to(
    endpoint: OpenAI, engine: OpenAIChat, monkeypatch: pytest.MonkeyPatch
):
    assert LONGEST_PACKED < LONGEST_BODY
    monkeypatch.setattr(openai_transport, "LONGEST_PACKED", 4096)
    endpoint.script(*[packed(b" " * 16 * 1024 * 1024)] * 2)
    with pytest.raises(ModelUnavailable, match="EndlessBody"):
        await engine.complete([USER], [])


async def test_a_redirect_is_followed_and_a_circle_is_not(endpoint: OpenAI):
    engine = OpenAIChat(endpoint.url, KEY, MODEL, sleep=at_once)
    circle = RedirectResponse(f"{endpoint.url}/chat/completions", 307)
    endpoint.script(circle, Response(ANSWER, media_type="application/json"))
    assert (await engine.complete([USER], [])).text == "hello"
    endpoint.script(*[circle] * 2 * (1 + REDIRECTS))
    with pytest.raises(ModelUnavailable):
        await engine.complete([USER], [])
    await engine.close()


@pytest.mark.parametrize(("status", "kind"), [(400, PromptRefused), (422, PromptRefused), (401, ModelUnavailable)])
async def test_a_refusal_that_teaches_nothing_is_told_apart(
    endpoint: OpenAI, engine: OpenAIChat, status: int, kind: type
):
    endpoint.script(error(status, "odd", "the messages are wrong"))
    with pytest.raises(ModelUnavailable) as refused:
        await engine.complete([USER], [])
    assert type(refused.value) is kind

"""LineContent over real HTTP, against a server that answers what each test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.fetching import NotFetched
from bot.line.content import LineContent
from bot.ports import Unsure
from tests.serving import served
from tests.shots import photo

PHOTO = photo()
MOST = 1_000_000


class Line:
    """Answers the next downloads with these; ``transcoding`` is what it says of preparing."""

    def __init__(self) -> None:
        self.answers: list[Response | Callable[[], Awaitable[Response]]] = []
        self.transcoding: Response = JSONResponse({"status": "processing"})
        self.asked: list[tuple[str, str]] = []

    async def content(self, request: Request) -> Response:
        self.asked.append((request.url.path, request.headers.get("authorization", "")))
        answer = self.answers.pop(0)
        return answer if isinstance(answer, Response) else await answer()

    async def prepared(self, _: Request) -> Response:
        return self.transcoding


class Tokens:
    """AccessTokens, of which the second is given for the first."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens or ["secret token"])

    async def start(self) -> None:
        pass

    async def current(self) -> str:
        return self.tokens[0]

    async def instead_of(self, refused: str) -> str | None:
        return self.tokens[1] if refused == self.tokens[0] and len(self.tokens) > 1 else None


@pytest.fixture
async def line() -> AsyncIterator[tuple[Line, LineContent, list[float]]]:
    waits: list[float] = []
    there = Line()
    paths = {"content": there.content, "content/transcoding": there.prepared}
    routes = [Route(f"/v2/bot/message/{{id}}/{path}", each, methods=["GET"]) for path, each in paths.items()]

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with served(Starlette(routes=routes)) as address:
        content = LineContent(f"{address}/", Tokens(), sleep=sleep, seconds=3)
        yield there, content, waits
        await content.close()


def ok(content: bytes = PHOTO, **headers: str) -> Response:
    return Response(content, media_type="image/jpeg", headers=headers)


async def why(content: LineContent, most: int = MOST) -> str:
    with pytest.raises(NotFetched) as refused:
        await content.content("123", most)
    return refused.value.failure


async def test_the_bytes_come_with_the_token_on_the_documented_path(line):
    there, content, _ = line
    there.answers.append(ok())
    assert await content.content("123", MOST) == PHOTO
    assert there.asked[-1] == ("/v2/bot/message/123/content", "Bearer secret token")


async def test_a_token_that_is_refused_is_replaced_once(line):
    there, content, waits = line
    there.answers += [Response(status_code=401), ok()]
    content._tokens = Tokens("old", "new")
    assert await content.content("123", MOST) == PHOTO
    assert [token for _, token in there.asked] == ["Bearer old", "Bearer new"]
    there.answers += [Response(status_code=401)] * 2
    assert await why(content) == "unreachable"
    content._tokens = Tokens("the only one")
    there.answers.append(Response(status_code=401))
    assert await why(content) == "unreachable"
    assert (len(there.asked), waits) == (5, [])


async def test_what_is_being_prepared_is_waited_for_a_little_longer_each_time(line):
    there, content, waits = line
    there.answers += [Response(status_code=202), Response(status_code=202), ok()]
    assert await content.content("123", MOST) == PHOTO
    assert waits == [0.5, 1.0]


async def test_what_is_never_ready_is_given_up(line):
    there, content, waits = line
    there.answers += [Response(status_code=202)] * 6
    assert await why(content) == "not ready"
    assert waits == [0.5, 1.0, 2.0, 4.0, 4.0]


@pytest.mark.parametrize("state", [JSONResponse({"status": "failed"}), JSONResponse([]), Response(b"{", 200)])
async def test_what_line_cannot_prepare_is_not_waited_for(line, state):
    there, content, waits = line
    there.transcoding = state
    there.answers += [Response(status_code=202), ok()]
    if state.body == b'{"status":"failed"}':
        assert await why(content) == "not ready"
        assert waits == []
    else:
        assert await content.content("123", MOST) == PHOTO


@pytest.mark.parametrize(("status", "failure"), [(404, "unknown"), (410, "gone"), (400, "unreachable")])
async def test_what_is_not_there_is_said_in_one_word(line, status, failure):
    there, content, _ = line
    there.answers.append(JSONResponse({"message": "no"}, status))
    assert await why(content) == failure
    assert len(there.asked) == 1


async def test_what_fails_is_tried_three_times(line):
    there, content, waits = line
    there.answers += [Response(status_code=500), Response(status_code=429), ok()]
    assert await content.content("123", MOST) == PHOTO
    there.answers += [Response(status_code=503)] * 3
    assert await why(content) == "unreachable"
    assert waits == [0.5] * 4


async def test_more_than_may_be_is_not_read_whether_it_is_announced_or_not(line):
    there, content, _ = line
    there.answers.append(ok(b"x" * 2_000))
    assert await why(content, most=1_000) == "too large"
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while sent < 500 * 2**20:
            sent += 2**16
            yield b"x" * 2**16

    there.answers.append(StreamingResponse(endless()))
    assert await why(content, most=2**20) == "too large"
    assert sent < 64 * 2**20


async def test_a_broken_connection_is_tried_again_and_a_redirect_is_not_followed(line):
    there, content, _ = line

    class Cut(Response):
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5000")]})
            await send({"type": "http.response.body", "body": b"half", "more_body": False})

    there.answers += [Cut(), ok()]
    assert await content.content("123", MOST) == PHOTO
    there.answers.append(RedirectResponse("/v2/bot/message/9/content"))
    assert await why(content) == "unreachable"


async def test_who_says_nothing_is_given_up(line):
    there, content, _ = line

    async def silent() -> Response:
        await asyncio.sleep(5)
        return ok()

    content._seconds = 0.2
    there.answers += [silent, silent, silent]
    assert await why(content) == "unreachable"


async def test_without_a_token_nothing_is_asked():
    class NoTokens(Tokens):
        async def current(self) -> str:
            raise Unsure("no token")

    async def sleep(_: float) -> None:
        pass

    content = LineContent("http://127.0.0.1:9", NoTokens(), sleep=sleep)
    assert await why(content) == "unreachable"
    await content.close()
    await LineContent(None, Tokens()).close()

"""Access tokens over real HTTP, against the local LINE: issued, shared, renewed in time, and what a refusal says."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.line.channel import LineChannel
from bot.line.tokens import AGAIN_SECONDS, GIVEN_REFUSED, NONE_ISSUED, GivenToken, IssuedTokens
from bot.local_line import FIRST_PERSON
from bot.local_line.platform import LocalLine
from bot.ports import Bubble, ChatId, Refused, Unsure
from bot.redaction import Redactor
from tests.emulators.openapi import line_judge
from tests.fakes import Calendar
from tests.serving import served

SECRET = "0123456789abcdef0123456789abcdef"
HELLO = [Bubble("好")]
USER = ChatId(FIRST_PERSON)


@dataclass
class Line:
    """A local LINE that is served, and the seconds that pass for it and for whoever asks it."""

    platform: LocalLine
    base: str
    clock: Calendar
    masked: list[list[str]] = field(default_factory=list)

    def tokens(self, *secrets: str, channel: str = "") -> IssuedTokens:
        return IssuedTokens(
            self.base,
            channel or self.platform.channel_id,
            secrets or (SECRET,),
            masks=lambda issued: self.masked.append(list(issued)),
            clock=lambda: self.clock().timestamp(),
        )

    async def fault(self, **fault: Any) -> None:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            assert (await http.post("/local/faults", json=fault)).status_code == 200

    async def asked(self) -> list[dict[str, Any]]:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            return (await http.get("/local/log")).json()["requests"]

    async def issued(self) -> int:
        return sum(each["path"] == "/oauth2/v3/token" and each["status"] == 200 for each in await self.asked())


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    clock = Calendar()
    platform = LocalLine(None, webhook_url="http://127.0.0.1:9/callback", now=clock, secret=SECRET)
    async with served(platform.app) as base:
        yield Line(platform, base, clock)
        await platform.close()


async def test_many_calls_at_once_share_one_token(line):
    tokens = line.tokens()
    found = await asyncio.gather(*(tokens.current() for _ in range(20)))

    assert len(set(found)) == 1
    assert await line.issued() == 1


async def test_a_token_is_renewed_after_twelve_minutes_of_its_fifteen(line):
    tokens = line.tokens()
    first = await tokens.current()
    line.clock.move(minutes=11, seconds=59)
    assert await tokens.current() == first
    line.clock.move(seconds=2)
    second = await tokens.current()

    assert second != first
    assert await line.issued() == 2


async def test_a_channel_speaks_with_issued_tokens_and_their_end_is_not_noticed(line):
    channel = LineChannel(line.base, line.tokens(), now=Calendar())
    try:
        for _ in range(3):
            assert await channel.push(USER, HELLO, "k") is not None
            line.clock.move(minutes=16)
        assert [each["status"] for each in await line.asked() if "push" in each["path"]] == [200, 409, 409]
        assert await line.issued() == 3
    finally:
        await channel.close()


async def test_a_refused_token_is_replaced_and_the_call_is_made_once_more(line):
    channel = LineChannel(line.base, line.tokens(), now=Calendar())
    try:
        assert await channel.push(USER, HELLO, "first")
        await line.fault(path="/v2/bot/message/push", status=401, body={"message": "Authentication failed"})
        assert await channel.push(USER, HELLO, "second")
        assert [each["status"] for each in await line.asked() if "push" in each["path"]] == [200, 401, 200]
        assert await line.issued() == 2
    finally:
        await channel.close()


async def test_a_token_that_is_refused_again_is_not_tried_a_third_time(line):
    channel = LineChannel(line.base, line.tokens(), now=Calendar())
    try:
        await line.fault(path="/v2/bot/message/push", status=401, body={"message": "Authentication failed"}, times=9)
        with pytest.raises(Refused, match="token refused"):
            await channel.push(USER, HELLO, "k")
        assert [each["status"] for each in await line.asked() if "push" in each["path"]] == [401, 401]
    finally:
        await channel.close()


async def test_calls_that_were_refused_together_get_one_new_token(line):
    tokens = line.tokens()
    old = await tokens.current()
    found = await asyncio.gather(*(tokens.instead_of(old) for _ in range(5)))

    assert len(set(found)) == 1
    assert found[0] != old
    assert await line.issued() == 2


async def test_of_two_secrets_the_first_that_works_is_asked_with_from_then_on(line):
    tokens = line.tokens("new-and-not-yet-valid", SECRET)
    await tokens.current()
    line.clock.move(minutes=13)
    await tokens.current()

    asked = [each["status"] for each in await line.asked() if each["path"] == "/oauth2/v3/token"]
    assert asked == [400, 200, 200]


@pytest.mark.parametrize(("secret", "channel"), [("wrong-secret", ""), (SECRET, "12345")])
async def test_where_none_is_issued_the_operator_hears_once_what_to_do(line, caplog, secret, channel):
    tokens = line.tokens(secret, channel=channel)
    for _ in range(2):
        with pytest.raises(Refused):
            await tokens.current()

    assert [each.message for each in caplog.records if each.levelno == logging.ERROR] == [NONE_ISSUED]
    assert secret not in caplog.text


async def test_a_renewal_that_fails_leaves_the_old_token_as_long_as_it_lives(line, caplog):
    tokens = line.tokens()
    old = await tokens.current()
    line.clock.move(minutes=13)
    await line.fault(path="/oauth2/", status=503, times=2)
    assert await tokens.current() == old
    assert await tokens.current() == old, "it is not asked for again at once"
    line.clock.move(seconds=AGAIN_SECONDS)
    assert await tokens.current() == old
    line.clock.move(minutes=2)
    assert await tokens.current() != old
    assert old not in caplog.text


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500},
        {"status": 429},
        {"drop": "before"},
        {"status": 200, "body": {"token_type": "Bearer"}},
        {"status": 200, "body": ["odd"]},
        {"status": 200, "body": {"access_token": "x", "expires_in": "soon"}},
    ],
)
async def test_what_is_no_answer_to_the_question_leaves_the_call_unsure(line, fault):
    await line.fault(path="/oauth2/", **fault)
    tokens = line.tokens()
    with pytest.raises(Unsure):
        await tokens.current()
    assert await tokens.current()


async def test_a_body_that_is_no_json_is_no_token():
    async def answer(_: Request) -> Response:
        return Response("<html>welcome</html>")

    async with served(Starlette(routes=[Route("/oauth2/v3/token", answer, methods=["POST"])])) as base:
        tokens = IssuedTokens(base, "1234567890", [SECRET], masks=lambda _: None)
        with pytest.raises(Unsure, match="holds no access token"):
            await tokens.current()


async def test_without_a_connection_the_call_is_unsure():
    tokens = IssuedTokens("http://127.0.0.1:9", "1234567890", [SECRET], masks=lambda _: None)
    with pytest.raises(Unsure, match="access token: Connect"):
        await tokens.current()


async def test_issued_tokens_are_masked_before_they_are_used_and_the_last_ones_stay_so(line):
    redactor = Redactor(["configured-secret"])
    tokens = IssuedTokens(line.base, line.platform.channel_id, [SECRET], masks=redactor.learn)
    first = await tokens.current()
    second = await tokens.instead_of(first)

    told = redactor.without_secrets(f"{first} and {second} and configured-secret")
    assert told == "••• and ••• and •••"


async def test_what_was_masked_long_ago_is_forgotten(line):
    tokens = line.tokens()
    token = await tokens.current()
    for _ in range(5):
        token = await tokens.instead_of(token)

    assert [len(each) for each in line.masked] == [1, 2, 3, 3, 3, 3]


async def test_the_request_is_as_lines_own_description_wants_it(shared):
    seen: list[tuple[dict[str, str], bytes]] = []

    async def answer(request: Request) -> Response:
        seen.append((dict(request.headers), await request.body()))
        return Response(b'{"token_type":"Bearer","access_token":"t","expires_in":900}')

    async with served(Starlette(routes=[Route("/oauth2/v3/token", answer, methods=["POST"])])) as base:
        tokens = IssuedTokens(base, "1234567890", [SECRET], masks=lambda _: None)
        assert await tokens.current() == "t"

    ((headers, body),) = seen
    judge = line_judge(shared)
    assert judge("POST", "/oauth2/v3/token", headers, body) == []
    assert judge("POST", "/oauth2/v3/token", headers, body.replace(b"client_secret", b"secret")) != []


async def test_a_given_token_that_is_refused_alarms_the_operator_once(line, caplog):
    channel = LineChannel(line.base, GivenToken("not-the-token"), now=Calendar())
    try:
        for _ in range(2):
            with pytest.raises(Refused, match="token refused"):
                await channel.push(USER, HELLO, "k")
    finally:
        await channel.close()

    assert [each.message for each in caplog.records if each.levelno == logging.ERROR] == [GIVEN_REFUSED]
    assert "not-the-token" not in caplog.text

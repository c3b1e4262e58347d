"""The receiver of a running bot that is configured for LINE: statuses, and every real sample."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from tests.bot_process import LINE_ON, OWNER, SECRET, BotProcess, running


def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    return {"x-line-signature": base64.b64encode(digest).decode(), "content-type": "application/json"}


def stored(bot: BotProcess, event: str) -> list[str]:
    """What the store keeps of an event."""
    return [message for (message,) in bot.rows("SELECT message FROM inbox WHERE id = ?", event)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory):
    async with running(tmp_path_factory.mktemp("bot"), **LINE_ON) as bot:
        yield bot


@pytest.fixture
async def http(bot):
    async with httpx.AsyncClient(base_url=bot.base, trust_env=False, verify=False) as http:
        yield http


async def test_the_receiver_answers_what_line_and_a_browser_expect(http):
    empty = b'{"destination":"U0","events":[]}'
    cases = [
        ((await http.post("/callback", content=empty, headers=signed(empty))).status_code, 200),
        ((await http.post("/callback/", content=empty, headers=signed(empty))).status_code, 200),
        ((await http.post("/callback", content=empty)).status_code, 400),
        ((await http.post("/callback", content=empty, headers=signed(empty, "wrong"))).status_code, 401),
        ((await http.post("/callback", content=b"[]", headers=signed(b"[]"))).status_code, 400),
        ((await http.post("/callback", content=b"\xff\xfe", headers=signed(b"\xff\xfe"))).status_code, 400),
        ((await http.post("/callback", content=b" " * (1024 * 1024 + 1), headers=signed(empty))).status_code, 413),
        ((await http.get("/callback")).status_code, 200),
        ((await http.head("/callback")).status_code, 200),
        ((await http.get("/healthz")).status_code, 200),
        ((await http.head("/healthz")).status_code, 200),
        ((await http.get("/")).status_code, 200),
        ((await http.head("/")).status_code, 200),
        ((await http.get("/docs")).status_code, 404),
    ]
    assert [got for got, _ in cases] == [expected for _, expected in cases]


async def test_two_signature_headers_are_one_too_many(http):
    body = b'{"destination":"U0","events":[]}'
    twice = [("x-line-signature", signed(body)["x-line-signature"])] * 2
    assert (await http.post("/callback", content=body, headers=twice)).status_code == 400


async def test_an_accepted_event_is_in_the_store_before_the_200(bot, http):
    event = {
        "type": "message",
        "mode": "active",
        "timestamp": 1796000000000,
        "source": {"type": "user", "userId": OWNER},
        "webhookEventId": "01HXXXXXXXXXXXXXXXXXXXXXXX",
        "deliveryContext": {"isRedelivery": False},
        "replyToken": "r" * 32,
        "message": {"id": "1", "type": "text", "text": "午餐 120", "quoteToken": "q"},
    }
    body = json.dumps({"destination": "U0", "events": [event]}).encode()

    assert (await http.post("/callback", content=body, headers=signed(body))).status_code == 200
    (row,) = stored(bot, "01HXXXXXXXXXXXXXXXXXXXXXXX")
    assert "午餐" in row


async def test_of_a_stranger_no_words_are_stored(bot, http):
    event = {
        "type": "message",
        "mode": "active",
        "timestamp": 1796000000000,
        "source": {"type": "user", "userId": "U" + "f" * 32},
        "webhookEventId": "01HYYYYYYYYYYYYYYYYYYYYYYY",
        "deliveryContext": {"isRedelivery": False},
        "replyToken": "s" * 32,
        "message": {"id": "1", "type": "text", "text": "陌生人的秘密", "quoteToken": "q"},
    }
    body = json.dumps({"destination": "U0", "events": [event]}).encode()
    await http.post("/callback", content=body, headers=signed(body))

    (row,) = stored(bot, "01HYYYYYYYYYYYYYYYYYYYYYYY")
    assert "秘密" not in row


async def test_every_real_sample_gets_200_and_leaves_no_exception_in_the_log(bot, http, shared: Path):
    samples = sorted((shared / "fixtures" / "line-webhooks").glob("*.json"))
    assert samples
    statuses = {}
    for sample in samples:
        body = sample.read_bytes()
        statuses[sample.name] = (await http.post("/callback", content=body, headers=signed(body))).status_code

    assert {name: status for name, status in statuses.items() if status != 200} == {}
    assert "Traceback" not in bot.log.read_text()

"""The receiver of a running bot that is configured for LINE: statuses, and every real sample."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import sqlite3
from pathlib import Path

import httpx
import pytest

SECRET = "8c570fa6dd201bb328f1c1eac23a96d8"
OWNER = "U" + "0123456789abcdef" * 2
LINE_ON = {
    "LINE_CHANNEL_SECRET": SECRET,
    "LINE_CHANNEL_ACCESS_TOKEN": "token-of-the-test",
    "LINE_API_BASE": "http://127.0.0.1:9",
    "SECRETARY_OWNERS": OWNER,
}


def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).digest()
    return {"x-line-signature": base64.b64encode(digest).decode(), "content-type": "application/json"}


@pytest.fixture
async def bot(start_bot):
    async with start_bot(**LINE_ON) as running, httpx.AsyncClient(base_url=running.base, trust_env=False) as http:
        running.http = http
        yield running


async def test_the_receiver_answers_what_line_and_a_browser_expect(bot):
    empty = b'{"destination":"U0","events":[]}'
    cases = [
        ((await bot.http.post("/callback", content=empty, headers=signed(empty))).status_code, 200),
        ((await bot.http.post("/callback/", content=empty, headers=signed(empty))).status_code, 200),
        ((await bot.http.post("/callback", content=empty)).status_code, 400),
        ((await bot.http.post("/callback", content=empty, headers=signed(empty, "wrong"))).status_code, 401),
        ((await bot.http.post("/callback", content=b"[]", headers=signed(b"[]"))).status_code, 400),
        ((await bot.http.post("/callback", content=b"\xff\xfe", headers=signed(b"\xff\xfe"))).status_code, 400),
        ((await bot.http.post("/callback", content=b" " * (1024 * 1024 + 1), headers=signed(empty))).status_code, 413),
        ((await bot.http.get("/callback")).status_code, 200),
        ((await bot.http.head("/callback")).status_code, 200),
        ((await bot.http.get("/healthz")).status_code, 200),
        ((await bot.http.head("/healthz")).status_code, 200),
        ((await bot.http.get("/")).status_code, 200),
        ((await bot.http.head("/")).status_code, 200),
        ((await bot.http.get("/docs")).status_code, 404),
    ]
    assert [got for got, _ in cases] == [expected for _, expected in cases]


async def test_two_signature_headers_are_one_too_many(bot):
    body = b'{"destination":"U0","events":[]}'
    twice = [("x-line-signature", signed(body)["x-line-signature"])] * 2
    assert (await bot.http.post("/callback", content=body, headers=twice)).status_code == 400


async def test_an_accepted_event_is_in_the_store_before_the_200(bot):
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

    assert (await bot.http.post("/callback", content=body, headers=signed(body))).status_code == 200
    rows = sqlite3.connect(bot.folder / "bot.db").execute("SELECT id FROM inbox").fetchall()
    assert rows == [("01HXXXXXXXXXXXXXXXXXXXXXXX",)]


async def test_of_a_stranger_no_words_are_stored(bot):
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
    await bot.http.post("/callback", content=body, headers=signed(body))

    rows = sqlite3.connect(bot.folder / "bot.db").execute("SELECT message FROM inbox").fetchall()
    assert len(rows) == 1
    assert "秘密" not in rows[0][0]


async def test_every_real_sample_gets_200_and_leaves_no_exception_in_the_log(bot, shared: Path):
    samples = sorted((shared / "fixtures" / "line-webhooks").glob("*.json"))
    assert samples
    statuses = {}
    for sample in samples:
        body = sample.read_bytes()
        statuses[sample.name] = (await bot.http.post("/callback", content=body, headers=signed(body))).status_code

    assert {name: status for name, status in statuses.items() if status != 200} == {}
    assert "Traceback" not in bot.log.read_text()

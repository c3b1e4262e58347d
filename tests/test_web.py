"""The receiver over real HTTP: every status that LINE and a browser can get, also when something hangs."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from bot.ports import IncomingMessage
from bot.web import MAX_BODY, WEBHOOK_SENTENCE, create_web
from tests.fakes import ANNA, NOON
from tests.serving import served

SECRET, OLD_SECRET = "8c570fa6dd201bb328f1c1eac23a96d8", "00000000000000000000000000000000"
TEXT = {
    "type": "message",
    "webhookEventId": "01E1",
    "timestamp": 1_796_000_000_000,
    "source": {"type": "user", "userId": ANNA},
    "replyToken": "token1",
    "message": {"type": "text", "id": "1", "text": "牛奶"},
}


def body(*events: object) -> bytes:
    return json.dumps({"destination": "U0", "events": list(events)}).encode()


def signed(content: bytes, secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), content, hashlib.sha256).digest()
    return {"x-line-signature": base64.b64encode(digest).decode()}


class Desk:
    """What stands behind the receiver: it keeps what it is given, unless it is told to fail or to hang."""

    def __init__(self) -> None:
        self.received: list[IncomingMessage] = []
        self.trouble: Exception | None = None
        self.hangs = False
        self.state: dict[str, Any] = {"status": "ok", "oldest_waiting_seconds": None}

    async def receive(self, messages: Sequence[IncomingMessage]) -> None:
        await self._meets_trouble()
        self.received += messages

    async def health(self) -> dict[str, Any]:
        await self._meets_trouble()
        return self.state

    async def _meets_trouble(self) -> None:
        if self.trouble:
            raise self.trouble
        if self.hangs:
            await asyncio.Event().wait()


@asynccontextmanager
async def serving(desk: Desk, home: str = "The secretary runs.", **seconds: float) -> AsyncIterator[str]:
    """The receiver on a free loopback port; the address."""
    web = create_web(
        secrets=[SECRET, OLD_SECRET], receive=desk.receive, health=desk.health, home=home, now=lambda: NOON, **seconds
    )
    async with served(web) as address:
        yield address


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def line(desk: Desk):
    async with (
        serving(desk, store_seconds=0.1) as address,
        httpx.AsyncClient(base_url=address, trust_env=False) as http,
    ):
        yield http


async def posts(http: httpx.AsyncClient, content: bytes, path: str = "/callback") -> httpx.Response:
    return await http.post(path, content=content, headers=signed(content))


async def raw(address: str, request: bytes, *more: bytes) -> bytes:
    """What comes back for these bytes, sent piece by piece; "" if the connection is closed without a word."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
    try:
        writer.write(request)
        for piece in more:
            writer.write(piece)
            await writer.drain()
        return await asyncio.wait_for(reader.readline(), 5)
    finally:
        writer.close()


# ── the webhook ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/callback", "/callback/"])
async def test_every_event_that_line_signed_is_stored_before_the_200(line, desk, path):
    answer = await posts(line, body(TEXT, TEXT | {"webhookEventId": "01E2"}), path)

    assert (answer.status_code, answer.text) == (200, "OK")
    assert [(each.id, each.text, each.received_at) for each in desk.received] == [
        ("01E1", "牛奶", NOON),
        ("01E2", "牛奶", NOON),
    ]


async def test_the_consoles_empty_delivery_is_fine_even_if_nothing_can_be_stored(line, desk):
    desk.trouble = RuntimeError("no store")
    assert (await posts(line, body())).status_code == 200


async def test_one_odd_event_does_not_cost_the_others(line, desk):
    odd = [None, 7, {"type": "message"}, {"type": "message", "source": 5, "message": [], "timestamp": "x"}]
    assert (await posts(line, body(*odd, TEXT))).status_code == 200
    assert [each.id for each in desk.received if each.answerable] == ["01E1"]
    assert len(desk.received) == 5


async def test_either_of_two_secrets_will_do_during_a_rotation(line):
    content = body(TEXT)
    assert (await line.post("/callback", content=content, headers=signed(content, OLD_SECRET))).status_code == 200


async def test_an_unsigned_or_doubly_signed_body_is_a_bad_request(line, desk):
    content = body(TEXT)
    twice = [("x-line-signature", signed(content)["x-line-signature"])] * 2

    assert (await line.post("/callback", content=content)).status_code == 400
    assert (await line.post("/callback", content=content, headers=twice)).status_code == 400
    assert desk.received == []


@pytest.mark.parametrize("signature", ["", "x", "=" * 5_000])
async def test_a_wrong_signature_is_refused(line, desk, signature):
    headers = {"x-line-signature": signature}
    assert (await line.post("/callback", content=body(TEXT), headers=headers)).status_code == 401
    assert desk.received == []


async def test_a_body_that_was_changed_on_the_way_is_refused(line, desk):
    content = body(TEXT)
    assert (await line.post("/callback", content=content + b" ", headers=signed(content))).status_code == 401
    assert desk.received == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"events":{}}', b"\xff\xfe", b'{"events":[NaN]}', b"[" * 9_000]
)
async def test_a_signed_body_that_is_not_what_line_sends_is_a_bad_request(line, content):
    assert (await posts(line, content)).status_code == 400


async def test_events_that_cannot_be_stored_are_asked_for_again(line, desk, caplog):
    desk.trouble = RuntimeError("disk full")
    answer = await posts(line, body(TEXT))

    assert answer.status_code == 503
    assert "disk" not in answer.text
    assert "disk full" in caplog.text

    desk.trouble = None
    assert (await posts(line, body(TEXT))).status_code == 200


async def test_a_store_that_hangs_is_not_waited_for(line, desk):
    desk.hangs = True
    begun = time.monotonic()

    assert (await posts(line, body(TEXT))).status_code == 503
    assert time.monotonic() - begun < 2


async def test_the_largest_body_is_read_and_one_byte_more_is_not(line):
    padding = MAX_BODY - len(body(TEXT | {"pad": ""}))
    largest = body(TEXT | {"pad": "x" * padding})
    assert len(largest) == MAX_BODY

    assert (await posts(line, largest)).status_code == 200
    assert (await posts(line, largest + b" ")).status_code == 413


async def test_a_body_without_a_length_is_capped_while_it_is_read(desk):
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    head = b"POST /callback HTTP/1.1\r\nhost: x\r\nx-line-signature: s\r\ntransfer-encoding: chunked\r\n\r\n"
    async with serving(desk) as address:
        assert await raw(address, head, *([chunk] * 17)) == b"HTTP/1.1 413 Request Entity Too Large\r\n"


async def test_a_body_that_does_not_arrive_is_not_waited_for(desk):
    head = b"POST /callback HTTP/1.1\r\nhost: x\r\nx-line-signature: s\r\ncontent-length: 100\r\n\r\n{"
    async with serving(desk, read_seconds=0.05) as address:
        assert await raw(address, head) == b"HTTP/1.1 408 Request Timeout\r\n"


async def test_a_caller_who_hangs_up_leaves_no_trace(desk, caplog):
    head = b"POST /callback HTTP/1.1\r\nhost: x\r\nx-line-signature: s\r\ncontent-length: 100\r\n\r\n{"
    with caplog.at_level(logging.INFO, "uvicorn"):
        async with serving(desk) as address:
            _, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
            writer.write(head)
            await writer.drain()
            writer.close()
            await writer.wait_closed()
            async with httpx.AsyncClient(base_url=address, trust_env=False) as http:
                assert (await posts(http, body())).status_code == 200

    assert desk.received == []
    assert "Exception" not in caplog.text


# ── what a browser or a watchdog sees ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("path", "text"), [("/callback", WEBHOOK_SENTENCE), ("/callback/", WEBHOOK_SENTENCE), ("/", "The secretary runs.")]
)
async def test_a_browser_is_told_in_one_sentence_where_it_is(line, path, text):
    answer = await line.get(path)

    assert (answer.status_code, answer.text) == (200, text)


@pytest.mark.parametrize("path", ["/callback", "/callback/", "/", "/healthz"])
async def test_every_get_answers_head_too(line, path):
    answer = await line.head(path)

    assert (answer.status_code, answer.content) == (200, b"")


async def test_the_home_page_leads_to_the_chat_page_where_there_is_one(desk):
    async with serving(desk, home="http://127.0.0.1:8001/") as address, httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(address)

    assert (answer.status_code, answer.headers["location"]) == (302, "http://127.0.0.1:8001/")


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/callback/x", "/admin/"])
async def test_there_is_nothing_else(line, path):
    assert (await line.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/callback"), ("DELETE", "/callback"), ("POST", "/"), ("POST", "/healthz")]
)
async def test_other_methods_are_refused(line, method, path):
    assert (await line.request(method, path)).status_code == 405


async def test_health_is_what_the_bot_says(line, desk):
    desk.state["oldest_waiting_seconds"] = 1.5
    answer = await line.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "oldest_waiting_seconds": 1.5})


async def test_a_state_that_is_not_ok_has_another_status(line, desk):
    desk.state = {"status": "down"}
    assert (await line.get("/healthz")).status_code == 503


@pytest.mark.parametrize("hangs", [True, False])
async def test_a_store_that_cannot_be_asked_is_not_healthy(line, desk, hangs):
    desk.hangs, desk.trouble = hangs, None if hangs else RuntimeError("disk full")
    answer = await line.get("/healthz")

    assert (answer.status_code, answer.json()) == (503, {"status": "down"})

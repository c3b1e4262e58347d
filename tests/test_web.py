"""The receiver over real HTTP: every status that LINE and a browser can get, also when something hangs."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, get_args

import httpx
import pytest
from fastapi import FastAPI

from bot.ports import IncomingMessage
from bot.uvicorn_server import Server, listening
from bot.web import AILMENTS, MAX_BODY, NOTHING_HERE, WEBHOOK_SENTENCE, create_web
from tests.fakes import ANNA, NOON
from tests.serving import served
from tools.database.trouble import DatabaseUnavailable, Reason

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
        self.takes_seconds = 0.0
        self.asked = 0
        self.state: dict[str, Any] = {"status": "ok", "oldest_waiting_seconds": None}

    async def receive(self, messages: Sequence[IncomingMessage]) -> None:
        await self._meets_trouble()
        await asyncio.sleep(self.takes_seconds)
        self.received += messages

    async def health(self) -> dict[str, Any]:
        self.asked += 1
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
    async with served(create_receiver(desk, home, **seconds)) as address:
        yield address


def create_receiver(desk: Desk, home: str = "The secretary runs.", **seconds: float) -> FastAPI:
    return create_web(
        secrets=[SECRET, OLD_SECRET], receive=desk.receive, health=desk.health, home=home, now=lambda: NOON, **seconds
    )


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
async def line(desk: Desk):
    async with (
        serving(desk, store_seconds=0.1) as address,
        httpx.AsyncClient(base_url=address, trust_env=False, verify=False) as http,
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


async def raw_whole(address: str, request: bytes, *, eof: bool = False) -> bytes:
    """Everything that comes back until the connection is closed; with ``eof`` the sender says that no more follows."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
    try:
        writer.write(request)
        if eof:
            writer.write_eof()
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


# ── the webhook ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/callback", "/callback/"])
async def test_every_event_that_line_signed_is_stored_before_the_200(line, desk, path):
    answer = await posts(line, body(TEXT, TEXT | {"webhookEventId": "01E2"}), path)

    assert (answer.status_code, answer.text) == (200, "OK")
    assert [(each.id, each.text, each.received_at) for each in desk.received] == [
        ("01E1", "牛奶", NOON),
        ("01E2", "牛奶", NOON + timedelta(microseconds=1)),  # in the order of the delivery
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
            async with httpx.AsyncClient(base_url=address, trust_env=False, verify=False) as http:
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
    async with (
        serving(desk, home="http://127.0.0.1:8001/") as address,
        httpx.AsyncClient(trust_env=False, verify=False) as http,
    ):
        answer = await http.get(address)

    assert (answer.status_code, answer.headers["location"]) == (302, "http://127.0.0.1:8001/")


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/callback/x", "/admin/", "/callback%00", "/Callback"])
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_there_is_nothing_else_and_a_sentence_says_so(line, method, path):
    answer = await line.request(method, path)

    assert (answer.status_code, answer.text) == (404, NOTHING_HERE)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


async def test_nothing_is_found_at_two_slashes(desk):
    async with serving(desk) as address:
        said = await raw_whole(address, b"POST //callback HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")

    assert said.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert said.endswith(NOTHING_HERE.encode())


@pytest.mark.parametrize(
    ("method", "path"), [("PUT", "/callback"), ("DELETE", "/callback"), ("POST", "/"), ("POST", "/healthz")]
)
async def test_other_methods_are_refused(line, method, path):
    answer = await line.request(method, path)

    assert (answer.status_code, answer.text) == (405, f"{method} is not for this address.")
    assert answer.headers["allow"]


async def test_health_is_what_the_bot_says(line, desk):
    desk.state["oldest_waiting_seconds"] = 1.5
    answer = await line.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "oldest_waiting_seconds": 1.5})


async def test_a_state_that_is_not_ok_has_another_status(line, desk):
    desk.state = {"status": "down"}
    assert (await line.get("/healthz")).status_code == 503


@pytest.mark.parametrize("word", get_args(Reason))
async def test_whoever_watches_is_told_in_words_of_ours_what_ails_the_store(line, desk, word, caplog):
    desk.trouble = DatabaseUnavailable("/srv/bot.db on db.example: password 12345 refused", word)
    answer = await line.get("/healthz")

    assert (answer.status_code, set(answer.json())) == (503, {"status", "reason"})
    assert answer.json()["status"] == "down"
    assert AILMENTS.get(word, "the store takes nothing") == answer.json()["reason"]
    assert "/srv/bot.db" in caplog.text
    assert "Traceback" not in caplog.text


def test_every_ailment_is_a_word_of_the_store():
    assert set(get_args(Reason)) - set(AILMENTS) == {"newer", "unknown"}
    assert set(AILMENTS) < set(get_args(Reason))


async def test_a_state_that_cannot_be_told_is_none(line, desk, caplog):
    desk.trouble = RuntimeError("a mistake of ours")
    answer = await line.get("/healthz")

    assert (answer.status_code, answer.json()) == (503, {"status": "down", "reason": "the store takes nothing"})
    assert "Traceback" in caplog.text


async def test_a_store_that_hangs_is_asked_once_however_many_want_to_know(line, desk):
    desk.hangs = True
    answers = await asyncio.gather(*(line.get("/healthz") for _ in range(20)))

    assert {each.status_code for each in answers} == {503}
    assert answers[0].json() == {"status": "down", "reason": AILMENTS["slow"]}
    assert desk.asked == 1


async def test_a_store_that_is_back_is_healthy_at_once(line, desk):
    desk.trouble = DatabaseUnavailable("no space", "full")
    assert (await line.get("/healthz")).status_code == 503
    desk.trouble = None
    assert (await line.get("/healthz")).status_code == 200


async def test_trouble_of_the_store_is_one_line_in_the_log_and_no_word_to_the_sender(line, desk, caplog):
    desk.trouble = DatabaseUnavailable("/srv/bot.db is full", "full")
    answer = await posts(line, body(TEXT))

    assert (answer.status_code, answer.text) == (503, "not stored; please deliver again")
    assert "/srv/bot.db is full" in caplog.text
    assert "Traceback" not in caplog.text


# ── HTTP itself ───────────────────────────────────────────────────────────────────────────────────────────────────


def asked(content: bytes, *lines: str, ask: str = "POST /callback HTTP/1.1") -> bytes:
    signature = signed(content)["x-line-signature"]
    return "\r\n".join([ask, "host: x", f"x-line-signature: {signature}", *lines, "", ""]).encode() + content


def length(content: bytes) -> str:
    return f"content-length: {len(content)}"


async def test_whoever_says_no_more_after_asking_still_gets_the_answer(desk):
    content = body(TEXT)
    desk.takes_seconds = 0.05
    async with serving(desk) as address:
        assert (await raw_whole(address, asked(content, length(content)), eof=True)).startswith(b"HTTP/1.1 200 OK\r\n")
    assert [each.id for each in desk.received] == ["01E1"]


async def test_whoever_hangs_up_half_way_through_gets_none(desk):
    content = body(TEXT)
    async with serving(desk) as address:
        assert await raw_whole(address, asked(content, length(content))[:-1], eof=True) == b""
    assert desk.received == []


async def test_requests_in_one_breath_are_answered_one_after_the_other(desk):
    events = [body(TEXT | {"webhookEventId": f"01E{each}"}) for each in range(5)]
    breath = b"".join(asked(each, length(each)) for each in events)
    async with serving(desk) as address:
        said = await raw_whole(address, breath + asked(b"", "connection: close", length(b""), ask="GET / HTTP/1.1"))

    assert said.count(b"HTTP/1.1 200 OK") == 6
    assert [each.id for each in desk.received] == [f"01E{each}" for each in range(5)]


async def test_the_first_version_of_http_will_do(desk):
    content = body(TEXT)
    async with serving(desk) as address:
        said = await raw_whole(address, asked(content, length(content), ask="POST /callback HTTP/1.0"))
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")


async def test_whoever_asks_first_is_told_to_go_on_only_if_the_body_will_be_read(desk):
    content, expect = body(TEXT), "expect: 100-continue"
    async with serving(desk) as address:
        assert (await raw(address, asked(content, expect, length(content)))) == b"HTTP/1.1 100 Continue\r\n"
        too_large = asked(b"", expect, f"content-length: {MAX_BODY + 1}")
        assert (await raw(address, too_large)) == b"HTTP/1.1 413 Request Entity Too Large\r\n"


async def test_a_length_said_in_two_ways_is_refused_and_nothing_behind_it_is_read(desk):
    content = body(TEXT)
    smuggled = asked(b"0\r\n\r\n", length(b"x"), "transfer-encoding: chunked") + asked(content, length(content))
    async with serving(desk) as address:
        said = await raw_whole(address, smuggled)

    assert said.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert said.count(b"HTTP/1.1") == 1
    assert desk.received == []


async def test_a_packed_body_is_not_unpacked(line, desk):
    content = gzip.compress(body(TEXT))
    headers = signed(content) | {"content-encoding": "gzip"}

    assert (await line.post("/callback", content=content, headers=headers)).status_code == 400
    assert desk.received == []


CHUNKED = b"POST /callback HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n"


@pytest.mark.parametrize("signature", [b"x-line-signature: x\r\n", b""])
async def test_broken_chunks_are_answered_once_and_leave_no_exception(desk, caplog, signature):
    async with serving(desk) as address:
        said = await raw_whole(address, CHUNKED + signature + b"\r\nzz\r\n")

    assert said.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert said.count(b"HTTP/1.1") == 1
    assert "Exception" not in caplog.text


async def test_chunks_that_break_after_the_answer_end_the_connection_without_another(desk, caplog):
    async with serving(desk) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
        writer.write(CHUNKED + b"\r\n")
        assert await reader.readline() == b"HTTP/1.1 400 Bad Request\r\n"
        writer.write(b"zz\r\n")
        rest = await asyncio.wait_for(reader.read(), 5)
        writer.close()

    assert b"HTTP/1.1" not in rest
    assert [each.levelname for each in caplog.records if each.levelno > logging.WARNING] == []


@pytest.mark.parametrize("line", [b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"x" * 100_000, b"\x16\x03\x01\x00\xa5\r\n"])
async def test_what_is_no_request_is_a_bad_request(desk, line):
    async with serving(desk) as address:
        assert await raw(address, line) == b"HTTP/1.1 400 Bad Request\r\n"


async def test_an_attempt_to_open_a_websocket_is_answered_as_what_it_is(desk):
    ask = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
    async with serving(desk) as address:
        assert await raw(address, ask) == b"HTTP/1.1 200 OK\r\n"


async def test_whoever_is_refused_for_too_much_hears_it_while_still_sending(desk):
    async with serving(desk) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
        writer.write(asked(b"", f"content-length: {50 * MAX_BODY}"))
        writer.write(b"x" * 10 * MAX_BODY)
        said = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
        writer.transport.abort()

    assert said.startswith(b"HTTP/1.1 413 Request Entity Too Large\r\n")
    assert b"connection: close" in said


async def test_a_server_that_stops_does_not_wait_for_a_body_that_does_not_come(desk, caplog):
    server = Server(create_receiver(desk), listening("127.0.0.1", 0))
    serving_it = asyncio.create_task(server.run_open())
    await server.open.wait()
    reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
    writer.write(asked(b"", "content-length: 100", "expect: 100-continue"))
    assert await reader.readline() == b"HTTP/1.1 100 Continue\r\n"  # so its body is being waited for
    assert await reader.readline() == b"\r\n"
    begun = time.monotonic()
    server.should_exit = True
    await serving_it
    writer.close()

    assert time.monotonic() - begun < 2
    assert await reader.read() == b""
    assert "Exception" not in caplog.text

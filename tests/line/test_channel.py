"""LineChannel over real HTTP, against a small strict server that answers what each test tells it to."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.line.channel import LineChannel
from bot.ports import Bubble, Busy, Button, ChatId, ImageLink, Refused, TokenDead, Unsure
from tests.emulators.openapi import line_judge
from tests.fakes import Calendar
from tests.serving import served
from tools.record import PersonId

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOKEN = "a" * 32
ACCESS = "made-up-access-token"
USER = ChatId("U" + "1" * 32)
ROOT = Path(__file__).resolve().parents[2]
HELLO = [Bubble("記好了：買牛奶 #12")]
CHOICE = [Bubble("下週五是 12/11 嗎？", (Button("12/11", "p:1"), Button("12/4", "p:2")))]


@dataclass(frozen=True, slots=True)
class Call:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Say:
    status: int
    body: object = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0


def sent(*ids: object) -> Say:
    return Say(200, {"sentMessages": [{"id": one, "quoteToken": "q"} for one in ids]})


class StandIn:
    """Answers every call with the next thing it was told, and fails the call if it was told nothing."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.calls: list[Call] = []
        self.answers: list[Say] = []
        self.hold = asyncio.Event()
        self.hold.set()
        self.arrived = asyncio.Event()

    def will(self, *answers: Say) -> None:
        self.answers += answers

    async def answer(self, request: Request) -> Response:
        body = await request.body()
        self.calls.append(Call(request.method, request.scope["raw_path"].decode(), dict(request.headers), body))
        self.arrived.set()
        await self.hold.wait()
        if request.headers.get("authorization") != f"Bearer {ACCESS}":
            return Response(b'{"message":"Authentication failed."}', 401)
        say = self.answers.pop(0) if self.answers else Say(418, {"message": "nobody told me"})
        raw = say.body if isinstance(say.body, bytes) else json.dumps(say.body).encode()
        head = {"content-type": "application/json", "x-line-request-id": "req-77"} | say.headers
        return Response(raw, say.status, head)


@dataclass(slots=True)
class Host:
    """One listening server for all tests; each test puts its own stand-in behind it."""

    base: str = ""
    stand_in: StandIn | None = None

    async def answer(self, request: Request) -> Response:
        assert self.stand_in, "a call came between two tests"
        return await self.stand_in.answer(request)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncIterator[Host]:
    made = Host()
    app = Starlette(routes=[Route("/{path:path}", made.answer, methods=["GET", "POST", "PUT", "DELETE"])])
    async with served(app) as made.base:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def line(host: Host) -> AsyncIterator[StandIn]:
    host.stand_in = StandIn(host.base)
    yield host.stand_in
    host.stand_in.hold.set()


@pytest_asyncio.fixture(loop_scope="module")
async def channel(line: StandIn) -> AsyncIterator[LineChannel]:
    made = LineChannel(line.base, ACCESS, timeout=2, now=Calendar())
    yield made
    await made.close()


# ── reply ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_reply_is_one_call_with_the_token_and_gives_the_ids_of_what_was_sent(line, channel):
    line.will(sent("461230966842064897", "461230966842064898"))

    ids = await channel.reply(TOKEN, [Bubble("一"), *CHOICE])

    assert ids == ["461230966842064897", "461230966842064898"]
    (call,) = line.calls
    assert (call.method, call.path) == ("POST", "/v2/bot/message/reply")
    assert call.headers["authorization"] == f"Bearer {ACCESS}"
    assert "x-line-retry-key" not in call.headers
    assert call.json["replyToken"] == TOKEN
    assert [one["text"] for one in call.json["messages"]] == ["一", "下週五是 12/11 嗎？"]
    assert "quickReply" not in call.json["messages"][0]
    assert call.json["messages"][1]["quickReply"]["items"][1]["action"] == {
        "type": "postback",
        "label": "12/4",
        "data": "p:2",
        "displayText": "12/4",
    }


async def test_every_call_is_what_lines_own_description_and_models_allow(line, channel, shared: Path):
    from linebot.v3.messaging import PushMessageRequest, ReplyMessageRequest, ShowLoadingAnimationRequest

    judge = line_judge(shared)
    line.will(sent("1"), sent("2"), Say(200, {"userId": USER, "displayName": "x", "language": "ja"}), Say(202, {}))
    many = [Bubble("長" * 30_000, tuple(Button(f"選項 {n} 👨‍👩‍👧‍👦👨‍👩‍👧‍👦", f"p:{n}") for n in range(20)))]

    await channel.reply(TOKEN, many)
    await channel.push(USER, many, "reminder:12:2026-12-01T15:00")
    await channel.language_of(PersonId(USER))
    line.arrived.clear()
    await channel.show_working(USER)
    await line.arrived.wait()

    assert len(line.calls) == 4
    assert [judge(call.method, call.path, call.headers, call.body) for call in line.calls] == [[], [], [], []]
    reply, push, profile, loading = line.calls
    models = {ReplyMessageRequest: reply, PushMessageRequest: push, ShowLoadingAnimationRequest: loading}
    for model, call in models.items():
        assert json.loads(model.from_json(call.body.decode()).to_json()) == call.json
        assert call.headers["content-type"] == "application/json"
    assert all(call.headers["user-agent"].startswith("line-bot-sdk-python/") for call in line.calls)
    assert profile.body == b""


async def test_the_judge_refuses_what_line_refuses(shared: Path):
    judge = line_judge(shared)
    head = {"Authorization": "Bearer x", "Content-Type": "application/json"}
    text = {"type": "text", "text": "x"}

    def reply(messages: list[dict[str, Any]], headers: dict[str, str] = head) -> list[str]:
        body = json.dumps({"replyToken": "t", "messages": messages}).encode()
        return judge("POST", "/v2/bot/message/reply", headers, body)

    assert reply([text]) == []
    assert reply([])
    assert reply([text] * 6)
    assert reply([text], {"Content-Type": "application/json"})
    assert judge("POST", "/v2/bot/message/nowhere", head, b"{}")


async def test_a_used_or_expired_token_is_dead(line, channel):
    line.will(Say(400, {"message": "Invalid reply token"}))

    with pytest.raises(TokenDead):
        await channel.reply(TOKEN, CHOICE)

    assert len(line.calls) == 1


async def test_a_reply_refused_for_its_form_goes_out_once_more_without_buttons(line, channel):
    problem = {"message": "May not be empty", "property": "messages[0].quickReply.items[0].action.label"}
    line.will(Say(400, {"message": "The request body has 1 error(s)", "details": [problem]}), sent("9"))

    assert await channel.reply(TOKEN, CHOICE) == ["9"]

    first, second = line.calls
    assert second.json == {"replyToken": TOKEN, "notificationDisabled": False, "messages": [second.json["messages"][0]]}
    assert second.json["messages"] == [{"type": "text", "text": first.json["messages"][0]["text"]}]


async def test_a_picture_that_is_refused_goes_out_as_its_address(line, channel):
    line.will(Say(400, {"message": "Must be a valid HTTPS URL"}), sent("9"))
    link = ImageLink("https://bot.example/media/s/picture", "https://bot.example/media/s/preview")

    assert await channel.reply(TOKEN, [Bubble("收據 #1", image=link)]) == ["9"]

    first, second = line.calls
    assert [message["type"] for message in first.json["messages"]] == ["text", "image"]
    assert second.json["messages"] == [{"type": "text", "text": f"收據 #1\n{link.original}"}]


async def test_a_reply_refused_for_its_form_twice_is_refused(line, channel):
    line.will(Say(400, {"message": "bad"}), Say(400, {"message": "still bad", "details": [None, {"property": "x"}]}))

    with pytest.raises(Refused, match="still bad"):
        await channel.reply(TOKEN, CHOICE)

    assert len(line.calls) == 2


async def test_a_token_that_died_with_the_refused_buttons_is_dead(line, channel):
    line.will(Say(400, {"message": "bad"}), Say(400, {"message": "Invalid reply token"}))

    with pytest.raises(TokenDead):
        await channel.reply(TOKEN, CHOICE)


async def test_plain_text_that_is_refused_is_not_sent_again(line, channel):
    line.will(Say(400, {"message": "bad"}))

    with pytest.raises(Refused, match="bad"):
        await channel.reply(TOKEN, HELLO)

    assert len(line.calls) == 1


async def test_nothing_to_say_is_refused_before_the_token_is_spent(line, channel):
    with pytest.raises(Refused):
        await channel.reply(TOKEN, [Bubble(" \n\u200b")])

    assert line.calls == []


@pytest.mark.parametrize(
    ("say", "fate"),
    [
        (Say(401, {"message": "Authentication failed"}), Refused),
        (Say(403, {"message": "Access to this API is not available for your account"}), Refused),
        (Say(404, b"<html>not here</html>"), Refused),
        (Say(413, b""), Refused),
        (Say(307, b"", {"location": "/v2/bot/elsewhere"}), Refused),
        (Say(429, {"message": "You have reached your monthly limit."}), Refused),
        (Say(429, {"message": "The API rate limit has been exceeded. Try again later."}), Busy),
        (Say(429, b""), Busy),
        (Say(500, b"\xff\xfe not utf-8"), Unsure),
        (Say(502, b"<html>bad gateway</html>"), Unsure),
        (Say(503, ["odd"]), Unsure),
        (Say(418, {"message": 7, "details": "no list"}), Refused),
    ],
)
@pytest.mark.parametrize("way", ["reply", "push"])
async def test_each_refusal_of_line_has_one_meaning(line, channel, say: Say, fate: type[Exception], way: str):
    line.will(say)

    with pytest.raises(fate) as caught:
        await (channel.reply(TOKEN, HELLO) if way == "reply" else channel.push(USER, HELLO, str(uuid.uuid4())))

    assert type(caught.value) is fate
    assert len(line.calls) == 1


async def test_a_refused_access_token_is_named_with_lines_own_reason(line, channel):
    line.will(Say(401, {"message": "Authentication failed. Confirm that the access token is valid."}))

    with pytest.raises(Refused) as caught:
        await channel.reply(TOKEN, HELLO)

    assert caught.value.reason.startswith("token refused (401): Authentication failed")
    assert ACCESS not in caught.value.reason


async def test_a_spent_quota_is_named_so(line, channel):
    line.will(Say(429, {"message": "You have reached your monthly limit."}))

    with pytest.raises(Refused) as caught:
        await channel.push(USER, HELLO, "k")

    assert caught.value.reason == "quota"


@pytest.mark.parametrize(
    ("say", "ids"),
    [
        (Say(200, {}), []),
        (Say(200, b""), []),
        (Say(200, b"OK"), []),
        (Say(200, {"sentMessages": []}), []),
        (Say(200, {"sentMessages": None}), []),
        (Say(200, {"sentMessages": 3}), []),
        (Say(200, {"sentMessages": [None, {"id": ""}]}), []),
        (Say(200, {"sentMessages": [{"id": 461230966842064897}]}), ["461230966842064897"]),
        (Say(200, [1]), []),
        (Say(200, b"\xff\xfe"), []),
        (Say(200, b"[" * 100_000), []),
        (Say(200, {"sentMessages": [{"id": "5"}]}, {"content-type": "text/plain; charset=klingon"}), ["5"]),
    ],
)
@pytest.mark.parametrize("way", ["reply", "push"])
async def test_what_line_took_is_sent_however_odd_its_answer(line, channel, say: Say, ids: list[str], way: str):
    line.will(say)

    sending = channel.reply(TOKEN, HELLO) if way == "reply" else channel.push(USER, HELLO, str(uuid.uuid4()))

    assert await sending == ids
    assert len(line.calls) == 1


async def test_an_answer_that_does_not_come_leaves_it_unsure(line):
    channel = LineChannel(line.base, ACCESS, timeout=0.2, now=Calendar())
    await channel.start()
    line.hold.clear()

    with pytest.raises(Unsure):
        await channel.reply(TOKEN, HELLO)

    await channel.close()


async def test_a_host_that_cannot_be_reached_leaves_it_unsure():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        channel = LineChannel(f"http://127.0.0.1:{silent.getsockname()[1]}", ACCESS, timeout=2, now=Calendar())

        await channel.show_working(USER)
        with pytest.raises(Unsure):
            await channel.reply(TOKEN, HELLO)

        await channel.close()


@pytest.mark.parametrize("cut", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{", b"nonsense\r\n\r\n"])
async def test_a_connection_that_breaks_leaves_it_unsure(cut: bytes):
    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(cut)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(break_off, "127.0.0.1", 0)
    channel = LineChannel(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", ACCESS, timeout=2, now=Calendar())

    with pytest.raises(Unsure):
        await channel.reply(TOKEN, HELLO)

    await channel.close()
    server.close()


async def test_an_access_token_that_no_header_can_hold_is_refused_not_taken_as_sent(line):
    channel = LineChannel(line.base, "two\nlines", timeout=2, now=Calendar())

    with pytest.raises(Refused):
        await channel.reply(TOKEN, HELLO)

    assert line.calls == []
    await channel.close()


# ── push ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_push_carries_its_retry_key(line, channel):
    line.will(sent("1"))
    key = str(uuid.uuid4())

    assert await channel.push(USER, HELLO, key) == ["1"]

    assert line.calls[0].path == "/v2/bot/message/push"
    assert line.calls[0].headers["x-line-retry-key"] == key
    assert line.calls[0].json["to"] == USER


async def test_any_word_as_retry_key_becomes_always_the_same_uuid(line, channel):
    line.will(sent("1"), sent("2"), sent("3"))

    for key in ("turn-1", "turn-1", "turn-2"):
        await channel.push(USER, HELLO, key)

    first, again, other = (uuid.UUID(call.headers["x-line-retry-key"]) for call in line.calls)
    assert first == again != other


async def test_a_push_that_line_had_accepted_before_is_sent(line, channel):
    message = "The retry key is already accepted"
    line.will(Say(409, {"message": message, "sentMessages": [{"id": "461"}]}, {"x-line-accepted-request-id": "r"}))

    assert await channel.push(USER, HELLO, str(uuid.uuid4())) == ["461"]


async def test_a_push_refused_for_its_form_goes_out_once_more_in_plain_words_under_the_same_key(line, channel):
    line.will(Say(400, {"message": "bad"}), sent("9"))

    assert await channel.push(USER, CHOICE, str(uuid.uuid4())) == ["9"]

    first, second = line.calls
    assert "quickReply" in first.json["messages"][0]
    assert second.json["messages"] == [{"type": "text", "text": CHOICE[0].text}]
    assert first.headers["x-line-retry-key"] == second.headers["x-line-retry-key"]


async def test_a_push_to_nowhere_is_refused(line, channel):
    no = Say(400, {"message": "The property, 'to', in the request body is invalid"})
    line.will(no, no)

    with pytest.raises(Refused, match="to"):
        await channel.push(USER, CHOICE, str(uuid.uuid4()))

    assert len(line.calls) == 2


# ── what does not matter ──────────────────────────────────────────────────────────────────────────────────────────


async def test_the_loading_animation_is_shown_for_the_longest_time_and_before_the_answer(line, channel):
    await channel.start()
    line.will(Say(202, {}), sent("1"))

    await channel.show_working(USER)
    await channel.reply(TOKEN, HELLO)

    loading, reply = line.calls
    assert loading.path == "/v2/bot/chat/loading/start"
    assert loading.json == {"chatId": USER, "loadingSeconds": 60}
    assert reply.path == "/v2/bot/message/reply"


async def test_the_loading_animation_is_asked_for_people_only(line, channel):
    await channel.show_working(ChatId("C" + "2" * 32))
    await channel.show_working(ChatId("R" + "3" * 32))
    line.will(sent("1"))
    await channel.reply(TOKEN, HELLO)

    assert [call.path for call in line.calls] == ["/v2/bot/message/reply"]


async def test_a_loading_animation_that_fails_or_hangs_holds_nothing_up(line, channel):
    await channel.start()
    line.will(Say(500, {}), sent("1"))
    await channel.show_working(USER)
    assert await channel.reply(TOKEN, HELLO) == ["1"]

    line.hold.clear()
    line.arrived.clear()
    await asyncio.wait_for(channel.show_working(USER), 0.1)
    await line.arrived.wait()
    line.hold.set()


@pytest.mark.parametrize(
    ("say", "language"),
    [
        (Say(200, {"userId": USER, "displayName": "Aki", "language": "ja"}), "ja"),
        (Say(200, {"userId": USER, "displayName": "Aki"}), None),
        (Say(200, {"language": "th"}), "th"),
        (Say(200, {"userId": USER, "displayName": "Aki", "language": 7}), None),
        (Say(404, {"message": "Not found", "language": "ja"}), None),
        (Say(500, b""), None),
        (Say(200, b"?"), None),
    ],
)
async def test_the_language_is_the_profiles_or_unknown(line, channel, say: Say, language: str | None):
    line.will(say)

    assert await channel.language_of(PersonId(USER)) == language

    assert (line.calls[0].method, line.calls[0].path) == ("GET", f"/v2/bot/profile/{USER}")


async def test_a_person_id_stays_one_part_of_the_path(line, channel):
    line.will(Say(404))

    await channel.language_of(PersonId("U/../../message/push"))

    assert line.calls[0].path == "/v2/bot/profile/U%2F..%2F..%2Fmessage%2Fpush"


# ── its life ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_calls_before_the_start_wait_for_it(line, channel):
    line.will(sent("1"), sent("2"))

    replies = [asyncio.create_task(channel.reply(TOKEN, HELLO)) for _ in range(2)]
    await channel.start()

    assert sorted([id_ for ids in await asyncio.gather(*replies) for id_ in ids]) == ["1", "2"]


async def test_a_closed_channel_is_unsure_and_silent(line):
    channel = LineChannel(line.base, ACCESS, now=Calendar())
    await channel.start()
    await channel.close()
    await channel.close()

    await channel.show_working(USER)
    assert await channel.language_of(PersonId(USER)) is None
    with pytest.raises(Unsure):
        await channel.reply(TOKEN, HELLO)
    assert line.calls == []


async def test_closing_before_the_start_is_fine():
    channel = LineChannel(None, ACCESS, now=Calendar())
    await channel.close()

    with pytest.raises(Unsure):
        await channel.push(USER, HELLO, "k")


async def test_a_slash_at_the_end_of_the_host_does_no_harm(line):
    channel = LineChannel(line.base + "/", ACCESS, now=Calendar())
    line.will(sent("1"))

    await channel.reply(TOKEN, HELLO)

    assert line.calls[0].path == "/v2/bot/message/reply"
    await channel.close()


async def test_without_a_host_of_its_own_lines_host_is_called():
    channel = LineChannel(None, ACCESS, now=Calendar())
    await channel.start()

    assert channel._host == "https://api.line.me"

    await channel.close()


async def test_errors_are_logged_with_the_request_id_and_without_tokens_or_words(line, channel, caplog):
    line.will(Say(400, {"message": "bad"}), Say(500, {"message": "oops"}))

    with caplog.at_level(logging.DEBUG, "bot"), pytest.raises(Unsure):
        await channel.reply(TOKEN, CHOICE)

    own = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("bot"))
    assert own.count("req-77") == 2
    assert not [secret for secret in (TOKEN, ACCESS, "12/11", "p:1") if secret in own]


PROXIED = """
import asyncio, sys
from datetime import UTC, datetime
from bot.line.channel import LineChannel
from bot.ports import Bubble

async def main():
    channel = LineChannel(sys.argv[1], "made-up-access-token", timeout=5, now=lambda: datetime.now(UTC))
    print(await channel.reply("a" * 32, [Bubble("hi")]))
    await channel.close()

asyncio.run(main())
"""


async def run(code: str, *arguments: str, **environment: str) -> str:
    """What a fresh Python prints."""
    kept = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", code, *arguments],
        env=kept | environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


async def test_calls_to_this_machine_never_go_through_a_proxy(line):
    line.will(sent("1"))
    nowhere = "http://127.0.0.1:9"

    printed = await run(
        PROXIED, line.base, HTTP_PROXY=nowhere, http_proxy=nowhere, ALL_PROXY=nowhere, NO_PROXY="", no_proxy=""
    )

    assert printed == "['1']"


async def test_calls_elsewhere_go_through_the_proxy_and_with_the_channels_own_token(tmp_path: Path):
    heads: list[str] = []

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 29\r\n\r\n{"sentMessages":[{"id":"1"}]}')
        await writer.drain()
        writer.close()

    (tmp_path / ".netrc").write_text("default login someone password else\n")
    (tmp_path / ".netrc").chmod(0o600)
    async with await asyncio.start_server(pass_on, "127.0.0.1", 0) as server:
        proxy = f"http://me:pass@127.0.0.1:{server.sockets[0].getsockname()[1]}"
        elsewhere = "http://line.example"

        printed = await run(PROXIED, elsewhere, HTTP_PROXY=proxy, http_proxy=proxy, HOME=str(tmp_path))

    assert printed == "['1']"
    assert heads[0].startswith(f"POST {elsewhere}/v2/bot/message/reply HTTP/1.1")
    assert "Authorization: Bearer made-up-access-token" in heads[0]
    assert "Proxy-Authorization: Basic bWU6cGFzcw==" in heads[0]


@pytest.mark.parametrize("module", ["webhook", "bubbles", "channel"])
async def test_importing_the_adapter_does_not_import_the_sdk(module: str):
    heavy = await run(f"import sys, bot.line.{module}; print([n for n in ('linebot', 'aiohttp') if n in sys.modules])")

    assert heavy == "[]"


WITHOUT_THE_SDK = """
import asyncio
from datetime import UTC, datetime
from bot.line.channel import LineChannel
from bot.ports import Bubble, Unsure

async def main():
    channel = LineChannel("http://127.0.0.1:9", "made-up-access-token", now=lambda: datetime.now(UTC))
    try:
        await channel.reply("token", [Bubble("hi")])
    except Unsure as unsure:
        print(unsure)
    print(await channel.language_of("U1"))

asyncio.run(main())
"""


async def test_what_is_to_be_said_while_the_sdk_does_not_load_was_perhaps_not_said(tmp_path: Path):
    (tmp_path / "linebot.py").write_text("raise ImportError('half of it is missing')\n")

    printed = await run(WITHOUT_THE_SDK, PYTHONPATH=f"{tmp_path}:{ROOT}")

    assert printed.splitlines() == ["the SDK does not load (half of it is missing)", "None"]

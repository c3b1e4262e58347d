"""Every webhook body of LINE's own SDKs, signed, through a running bot: what is said to it, or that nothing is.

The bot runs without a model, and speaks to a local LINE that knows the people, groups, tokens and contents of the
samples. With ``-s`` the answers are printed.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.application import Application
from bot.demo import two_free_ports
from bot.local_line.ledger import Bubble, Chatter
from bot.local_line.platform import LocalLine
from bot.main import utc_now
from bot.serve import running
from bot.settings import USER_ID, Settings
from tests.bot_process import OWNER, SECRET, problems
from tests.e2e.test_webhook import signed
from tests.serving import served

SHARED = Path(os.environ.get("SECRETARY_SHARED", Path(__file__).resolve().parents[3] / "shared"))
SAMPLES = sorted((SHARED / "fixtures" / "line-webhooks").glob("*.json"))
TOKEN = "long-lived-token-of-the-test"
CONTENTS = {
    "image": ("image/png", b"\x89PNG\r\n\x1a\n" + bytes(40)),
    "audio": ("audio/mp4", b"\x00\x00\x00\x18ftypM4A " + bytes(40)),
    "video": ("video/mp4", b"\x00\x00\x00\x18ftypmp42" + bytes(40)),
    "file": ("application/octet-stream", b"what the file holds"),
}
Event = dict[str, Any]

pytestmark = pytest.mark.skipif(not SAMPLES, reason="no folder of recorded material (SECRETARY_SHARED)")


# ── what is to be expected ────────────────────────────────────────────────────────────────────────────────────────

SILENT = "nothing is said"
SAID = "something is said"
KEPT = "it is kept, and the receipt says so"
NOT_THERE = "it is said that it could not be had"


def expected(event: Event) -> str:
    """What a person may expect of a secretary, by the raw JSON alone."""
    where = event.get("source", {}).get("type")
    if event.get("mode", "active") != "active" or where not in {"user", "group", "room"}:
        return SILENT
    if where != "user":
        return SAID if event["type"] == "join" else SILENT  # none of the samples mentions the bot
    if event["type"] != "message":
        return SAID if event["type"] in {"postback", "messageEdited", "follow"} else SILENT
    return _to_a_message(event["message"])


def _to_a_message(message: Event) -> str:
    if message["type"] in CONTENTS:
        is_at_line = message.get("contentProvider", {"type": "line"})["type"] == "line"
        return KEPT if is_at_line else NOT_THERE
    return KEPT if message["type"] == "location" else SAID


# ── the world ─────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class World:
    """A local LINE that knows what stands in a sample, and a bot that speaks to it."""

    line: LocalLine
    address: str
    bot: Application
    store: Path
    spent: set[str] = field(default_factory=set)

    async def happens(self, body: bytes) -> None:
        """LINE delivers this, and whatever is to be done about it is done."""
        for event in json.loads(body)["events"]:
            self._is_known(event)
        async with httpx.AsyncClient(trust_env=False) as http:
            port = self.bot.settings.port
            taken = await http.post(f"http://127.0.0.1:{port}/callback", content=body, headers=signed(body))
        assert taken.status_code == 200
        await self._settled()

    def _is_known(self, event: Event) -> None:
        """The platform knows of everything that it tells."""
        ledger, source, message = self.line._ledger, event.get("source", {}), event.get("message", {})
        chat = source.get("groupId") or source.get("roomId") or source.get("userId") or "nobody"
        if token := event.get("replyToken"):
            at = int(utc_now().timestamp() * 1000)
            told = {"webhookEventId": f"of {token} {len(self.spent)}", "timestamp": at, "replyToken": token}
            if token not in self.spent:
                ledger.put_webhook(told, chat)
                ledger.token_went_out(told["webhookEventId"], at)
            self.spent.add(token)
        if message.get("type") in CONTENTS and message.get("contentProvider", {}).get("type") != "external":
            ledger.put_content(message["id"], *CONTENTS[message["type"]])
        if quote := message.get("quoteToken"):
            ledger.put_bubble(Bubble(message["id"], chat, "person", message, 0, None, quote))

    async def _settled(self) -> None:
        """Wait until nothing is at work any more."""
        for _ in range(600):
            if not any(
                state in {"received", "working", "answered", "sending"} for (state,) in self.rows("inbox", "state")
            ):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(self.rows("inbox", "id, kind, state, answer"))

    def rows(self, table: str, columns: str) -> list[Any]:
        with closing(sqlite3.connect(self.store)) as db:
            return db.execute(f"SELECT {columns} FROM {table}").fetchall()

    async def said(self) -> list[Event]:
        """Every message that the platform took, and it took all that came."""
        async with httpx.AsyncClient(base_url=self.address, trust_env=False) as http:
            asked = (await http.get("/local/log")).json()["requests"]
        sent = [each for each in asked if each["path"].startswith("/v2/bot/message/") and each["method"] == "POST"]
        assert [(each["status"], problems(each)) for each in sent] == [(200, [])] * len(sent)
        return [message for each in sent for message in each["body"]["messages"]]


def _put_people(line: LocalLine, events: list[Event]) -> None:
    ledger = line._ledger
    sources = [each.get("source", {}) for each in events]
    for each in {OWNER, *(each["userId"] for each in sources if "userId" in each)}:
        ledger.put_person(Chatter(each, "Anna", "zh-TW", "friend"))
    for each in {each.get("groupId") or each.get("roomId") for each in sources} - {None}:
        ledger.connection.execute("INSERT INTO circle VALUES (?, '我們家', 1)", (each,))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, blank: Path):
    """Makes one for the events of a sample."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)

    @asynccontextmanager
    async def made(events: list[Event]) -> AsyncIterator[World]:
        store = Path(shutil.copy(blank, tmp_path / "bot.db"))
        line = LocalLine(None, webhook_url="", now=utc_now, secret=SECRET, access_token=TOKEN)
        _put_people(line, events)
        async with served(line.app) as address:
            settings = Settings(
                _env_file=None,
                host="127.0.0.1",
                port=two_free_ports(),
                database_url=f"sqlite:///{store}",
                line_channel_secret=SECRET,
                line_channel_access_token=TOKEN,
                line_api_base=address,
                **({"secretary_owners": owner} if (owner := _owner(events)) else {}),
            )
            async with running(settings) as (bot, _):
                yield World(line, address, bot, store)
            await line.close()

    return made


def _owner(events: list[Event]) -> str:
    """The sample's person, if a setting can name them; in a group somebody has to be it."""
    person, place = _person(events), events[0].get("source", {}).get("type") if events else None
    if USER_ID.fullmatch(person):
        return person
    return "" if place == "user" else OWNER


def _person(events: list[Event]) -> str:
    return (events[0].get("source", {}).get("userId") or "") if events else ""


async def made_welcome(world: World, events: list[Event]) -> None:
    """Whom no setting can name says the code; a group is enabled by its owner, unless the bot has only just come."""
    source = events[0].get("source", {}) if events else {}
    owner = _owner(events)
    if source.get("type") == "user" and not owner:
        await world.happens(_words(await world.bot.gate.code() or "", source))
    if source.get("type") in {"group", "room"} and events[0]["type"] != "join":
        mention = {"mentionees": [{"index": 0, "length": 3, "type": "user", "isSelf": True}]}
        await world.happens(_words("@秘書 啟用", {**source, "userId": owner}, mention=mention))


def _words(text: str, source: Event, **more: Any) -> bytes:
    event = {
        "type": "message",
        "mode": "active",
        "timestamp": int(utc_now().timestamp() * 1000),
        "source": source,
        "webhookEventId": "01JWELCOME",
        "deliveryContext": {"isRedelivery": False},
        "replyToken": "welcome-token",
        "message": {"type": "text", "id": "100001", "text": text, **more},
    }
    return json.dumps({"destination": "U0", "events": [event]}).encode()


# ── every sample ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
async def test_a_sample_is_answered_as_a_person_may_expect(world, sample: Path, caplog: pytest.LogCaptureFixture):
    body = sample.read_bytes()
    events = json.loads(body)["events"]
    async with world(events) as bot:
        await made_welcome(bot, events)
        before = len(await bot.said())

        await bot.happens(body)

        said = (await bot.said())[before:]
        _print(sample, said)
        kept = [content for (content,) in bot.rows("record", "content")]
        _check([expected(each) for each in events], said, kept)
    assert not [each for each in caplog.records if each.exc_info]


def _check(expectations: list[str], said: list[Event], kept: list[str]) -> None:
    if set(expectations) <= {SILENT}:
        assert (said, kept) == ([], [])
        return
    assert 1 <= len(said) <= 5
    assert all(text.strip() for text in map(_text, said))
    if KEPT in expectations:
        assert len(kept) == 1
        assert "#1" in _text(said[0])
    if NOT_THERE in expectations:
        assert kept == []


def _text(message: Event) -> str:
    return str(message.get("text") or message.get("altText") or "")


def _print(sample: Path, said: list[Event]) -> None:
    labels = [each["action"]["label"] for message in said for each in message.get("quickReply", {}).get("items", [])]
    told = " ‖ ".join(re.sub(r"\s*\n\s*", " ⏎ ", _text(each)) for each in said) or "(nothing)"
    print(f"{sample.stem} → {told}{' [' + '] ['.join(labels) + ']' if labels else ''}")

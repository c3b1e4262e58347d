"""Every webhook body of LINE's own SDKs, signed, through a running bot: what is said to it, or that nothing is.

The bot runs without a model, and speaks to a local LINE that knows the people, groups, tokens and contents of the
samples. With ``-s`` the answers are printed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from http import HTTPStatus
from pathlib import Path

import pytest

from bot.settings import USER_ID, Settings
from bot.voice.household_words import household_words
from bot.voice.phrases import phrases_of
from tests.bot_process import OWNER
from tests.line.in_process import CONTENTS, Event, World, delivery, text_of, words, world

SHARED = Path(os.environ.get("SECRETARY_SHARED", Path(__file__).resolve().parents[3] / "shared"))
SAMPLES = sorted((SHARED / "fixtures" / "line-webhooks").glob("*.json"))

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
        return SAID if event["type"] == "join" else SILENT  # none of the samples speaks to the bot
    if event["type"] == "message":
        return _to_a_message(event["message"])
    if "newRichMenuAliasId" in (event.get("postback", {}).get("params") or {}):
        return SILENT  # the menu turned its page, which the phone shows
    return SAID if event["type"] in {"postback", "messageEdited", "follow"} else SILENT


def _to_a_message(message: Event) -> str:
    if message["type"] in CONTENTS:
        is_at_line = message.get("contentProvider", {"type": "line"})["type"] == "line"
        return KEPT if is_at_line else NOT_THERE
    return KEPT if message["type"] == "location" else SAID


# ── who is welcome ────────────────────────────────────────────────────────────────────────────────────────────────


def _source(events: list[Event]) -> Event:
    source: Event = events[0].get("source", {}) if events else {}
    return source


def _owner(events: list[Event]) -> str:
    """The sample's person, if a setting can name them; in a group somebody has to be it."""
    source = _source(events)
    if USER_ID.fullmatch(source.get("userId") or ""):
        return str(source["userId"])
    return "" if source.get("type") == "user" else OWNER


async def made_welcome(bot: World, events: list[Event]) -> None:
    """Whom no setting can name says the code; a group is enabled by its owner, unless the bot has only just come."""
    source, owner = _source(events), _owner(events)
    if source.get("type") == "user" and not owner:
        await bot.happens(delivery(words(await bot.bot.gate.code() or "", source)))
        assert text_of((await bot.said())[0]) == phrases_of("zh-TW").paired
    if source.get("type") in {"group", "room"} and events[0]["type"] != "join":
        mention = {"mentionees": [{"index": 0, "length": 3, "type": "user", "isSelf": True}]}
        await bot.happens(delivery(words("@秘書 啟用", {**source, "userId": owner}, mention=mention)))
        assert text_of((await bot.said())[0]) == household_words("zh-TW").enabled


# ── every sample ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
async def test_a_sample_is_answered_as_a_person_may_expect(
    sample: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, blank: Path, caplog: pytest.LogCaptureFixture
):
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    body = sample.read_bytes()  # noqa: ASYNC240 - a small file, and nothing else runs yet
    events = json.loads(body)["events"]
    sources = [each.get("source", {}) for each in events]
    people = {OWNER, *(each["userId"] for each in sources if "userId" in each)}
    groups = {each.get("groupId") or each.get("roomId") for each in sources} - {None}
    named = {"secretary_owners": owner} if (owner := _owner(events)) else {}

    async with world(shutil.copy(blank, tmp_path / "bot.db"), people, groups, **named) as bot:
        await made_welcome(bot, events)
        before = len(await bot.said())
        await bot.happens(body)
        said = (await bot.said())[before:]
        kept = [content for (content,) in bot.rows("record", "content")]
        assert await _refused(bot) == []

    _print(sample, said)
    _check([expected(each) for each in events], said, kept)
    assert not [each for each in caplog.records if each.exc_info]


async def _refused(bot: World) -> list[Event]:
    """Calls that the platform refused, but for a token that it had given to two events, as one old sample does."""
    asked = await bot.asked()
    spent = {each["body"]["replyToken"] for each in asked if each["status"] == HTTPStatus.OK}
    return [each for each in asked if each["status"] != HTTPStatus.OK and each["body"]["replyToken"] not in spent]


def _check(expectations: list[str], said: list[Event], kept: list[str]) -> None:
    if set(expectations) <= {SILENT}:
        assert (said, kept) == ([], [])
        return
    assert 1 <= len(said) <= 5
    assert all(text_of(each).strip() for each in said)
    if KEPT in expectations:
        assert len(kept) == 1
        assert "#1" in text_of(said[0])
        assert "[.]" not in text_of(said[0])  # our own link to a map is no stranger's address
    else:
        assert kept == []


def _print(sample: Path, said: list[Event]) -> None:
    labels = [each["action"]["label"] for message in said for each in message.get("quickReply", {}).get("items", [])]
    told = " ‖ ".join(re.sub(r"\s*\n\s*", " ⏎ ", text_of(each)) for each in said) or "(nothing)"
    print("".join([f"{sample.stem} → {told}", *(f" [{each}]" for each in labels)]))

"""Every webhook body of LINE's own SDKs goes through, and says what the raw JSON says."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.line.webhook import NOWHERE, read_delivery
from bot.ports import IncomingMessage

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SHARED = Path(os.environ.get("SECRETARY_SHARED", Path(__file__).resolve().parents[3] / "shared"))
SAMPLES = sorted((SHARED / "fixtures" / "line-webhooks").glob("*.json"))
IN_GROUPS = {"join": "join", "leave": "leave", "memberJoined": "members_came", "memberLeft": "members_left"}
SAID = {"text", "image", "video", "audio", "file", "location", "sticker"}

pytestmark = pytest.mark.skipif(not SAMPLES, reason="no folder of recorded material (SECRETARY_SHARED)")


def expected_kind(event: dict[str, Any]) -> str:
    if event["type"] == "message":
        sort = event["message"]["type"]
        return sort if sort in SAID else "other"
    if event["type"] in IN_GROUPS:
        return IN_GROUPS[event["type"]] if event["source"]["type"] != "user" else "other"
    named = {"messageEdited": "edited"}.get(event["type"], event["type"])
    return named if named in {"postback", "follow", "edited", "unsend", "unfollow"} else "other"


def check(found: IncomingMessage, event: dict[str, Any]) -> None:
    source = event.get("source", {})
    place = {"user": "userId", "group": "groupId", "room": "roomId"}.get(source.get("type"), "")
    assert found.kind == expected_kind(event)
    assert found.person == source.get("userId")
    assert found.chat == source.get(place, NOWHERE)
    assert found.id == event.get("webhookEventId", found.id)
    assert found.redelivered == event.get("deliveryContext", {}).get("isRedelivery", False)
    assert found.occurred_at.timestamp() == pytest.approx(event["timestamp"] / 1000)
    assert found.reply_token == (event["replyToken"] if found.answerable else None)
    if found.answerable:
        assert event["type"] in {"message", "messageEdited", "postback", "follow", "join"}
        assert source["type"] != "user" or event["type"] != "join"
        assert event.get("mode", "active") == "active"


def text_of(event: dict[str, Any]) -> str:
    return (
        event["message"]["text"].removesuffix(" (love)") if "emojis" in event["message"] else event["message"]["text"]
    )


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_says_what_its_json_says(path: Path):
    body = path.read_bytes()
    events = json.loads(body)["events"]

    found = read_delivery(body, NOW)

    assert len(found) == len(events)
    for message, event in zip(found, events, strict=True):
        check(message, event)


def test_texts_taps_and_new_friends_of_the_samples_are_answerable():
    everything = [
        (message, event)
        for path in SAMPLES
        for message, event in zip(
            read_delivery(path.read_bytes(), NOW), json.loads(path.read_bytes())["events"], strict=True
        )
        if message.chat_kind == "user" and message.person and event.get("mode") != "standby"
    ]
    by_kind = {
        kind: [message.answerable for message, _ in everything if message.kind == kind]
        for kind in ("text", "postback", "follow", "sticker", "location", "image", "file")
    }

    assert all(len(answerable) >= 2 for answerable in by_kind.values())
    assert all(all(answerable) for answerable in by_kind.values())
    assert [text_of(event) for message, event in everything if message.kind == "text"] == [
        message.text for message, _ in everything if message.kind == "text"
    ]

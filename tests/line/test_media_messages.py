"""What LINE says of pictures, voice, files and places, and how a picture is sent."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.gate import Gate
from bot.line.bubbles import MESSAGES_LIMIT, TEXT_LIMIT, messages
from bot.line.webhook import read_delivery
from bot.line.words import SET_LIMIT
from bot.local_line.limits import reply_request
from bot.ports import Bubble, Button, ImageLink, IncomingMessage, Media
from tests.fakes import ANNA, said
from tools.record import PersonId

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LINK = ImageLink("https://bot.example/media/s/picture", "https://bot.example/media/s/preview")


def heard(**message: Any) -> IncomingMessage:
    event = {
        "type": "message",
        "source": {"type": "user", "userId": ANNA},
        "replyToken": "t",
        "message": {"id": "1", **message},
    }
    [found] = read_delivery(json.dumps({"events": [event]}).encode(), NOW)
    return found


def line(kind: str = "image", **message: Any) -> Media | None:
    return heard(type=kind, **{"contentProvider": {"type": "line"}, **message}).media


def test_pictures_that_were_sent_together_say_so():
    assert line(imageSet={"id": "E005", "index": 2, "total": 3}) == Media(set_id="E005", index=2, total=3)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        [],
        {},
        {"id": "E", "index": 0, "total": 3},
        {"id": "E", "index": 4, "total": 3},
        {"id": "E", "index": True, "total": 3},
        {"id": "E", "index": 1.0, "total": 3},
        {"id": "E", "index": "1", "total": "3"},
        {"id": "", "index": 1, "total": 3},
        {"id": 7, "index": 1, "total": 3},
        {"id": "x" * 65, "index": 1, "total": 3},
        {"id": "E", "index": 1, "total": SET_LIMIT + 1},
        {"id": "E", "index": 1},
    ],
)
def test_a_set_that_is_none_is_a_picture_alone(odd):
    assert line(imageSet=odd) == Media()


def test_length_size_and_where_it_lies_are_heard():
    assert line("audio", duration=6000) == Media(duration=6000)
    assert line("video", duration=-1) == Media()
    assert line("file", fileName="a.pdf", fileSize=2138) == Media(size=2138)
    assert line(contentProvider={"type": "external", "originalContentUrl": "http://10.0.0.1/"}) == Media(elsewhere=True)
    assert heard(type="image", contentProvider=7).media == Media()


@pytest.mark.parametrize(
    ("point", "kept"),
    [
        ((25.0339, 121), (25.0339, 121.0)),
        ((91, 0), (None, 0.0)),
        (("25", None), (None, None)),
        ((True, 181), (None, None)),
    ],
)
def test_a_place_is_on_the_earth(point, kept):
    media = heard(type="location", title="x", latitude=point[0], longitude=point[1]).media
    assert media
    assert (media.latitude, media.longitude) == kept


def test_words_have_none_of_it():
    assert heard(type="text", text="x").media is None
    assert heard(type="sticker", packageId="1", stickerId="2").media is None


async def test_of_a_strangers_picture_nothing_is_kept():
    gate = Gate(everyone=False, welcome=[])
    sent = said(1, kind="image", message_id="1", media=Media(set_id="E", index=1, total=2), person=PersonId(ANNA))
    admitted = await gate.admit(sent)
    assert (admitted.media, admitted.message_id) == (None, None)


# ── a picture to be sent ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_picture_is_sent_behind_its_words_with_the_buttons_under_it():
    sent = messages([Bubble("全聯 350 元 #1", (Button("復原", "undo:1"),), image=LINK)])
    assert [each["type"] for each in sent] == ["text", "image"]
    assert sent[1]["originalContentUrl"] == LINK.original
    assert sent[1]["previewImageUrl"] == LINK.preview
    assert [("quickReply" in each) for each in sent] == [False, True]
    assert list(reply_request({"replyToken": "t", "messages": sent}, ())) == []


@pytest.mark.parametrize("pictures", [1, 4, 9])
def test_words_and_pictures_together_are_at_most_five(pictures):
    sent = messages([Bubble(f"{number} " + "字" * TEXT_LIMIT, image=LINK) for number in range(pictures)])
    assert len(sent) <= MESSAGES_LIMIT
    assert sum(1 for each in sent if each["type"] == "image") == min(pictures, 4)
    assert list(reply_request({"replyToken": "t", "messages": sent}, ())) == []


def test_a_picture_for_which_there_is_no_room_is_told_by_its_address():
    sent = messages([Bubble(f"第{number}張", image=LINK) for number in range(5)])
    assert [each["type"] for each in sent] == ["text", *["image"] * 4]
    assert sent[0]["text"].startswith("第0張")
    assert sent[0]["text"].endswith(LINK.original)


def test_pictures_keep_their_place_beside_what_stays():
    stays = Bubble("還在想", (Button("看答案", "show:1"),), stays=True)
    sent = messages([stays, *(Bubble(f"第{number}張", image=LINK) for number in range(4))])
    assert [each["type"] for each in sent] == ["text", *["image"] * 4]
    assert "還在想" in sent[0]["text"]
    assert [item["action"]["label"] for item in sent[-1]["quickReply"]["items"]] == ["看答案"]


def test_a_picture_needs_no_words():
    assert [each["type"] for each in messages([Bubble("", image=LINK)])] == ["image"]

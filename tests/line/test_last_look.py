"""The last look at what is said: no secret in any string of it, and if it fails, a fixed sentence instead."""

from __future__ import annotations

import base64
import json

import pytest

from bot.card import Card, CardBar, CardRow
from bot.line import bubbles
from bot.line.last_look import LastLook
from bot.ports import Bubble, Button, ImageLink
from bot.redaction import MARK, Redactor
from bot.voice.phrases import phrases_of

SECRET = "sk-proj-Zk3v9QmT7xWb2LrN8dYc4HsAa"
LOOK = LastLook(Redactor([SECRET]).veiled)


def test_what_holds_no_secret_is_said_as_it_is():
    said = [Bubble("記好了：買牛奶 #12"), Bubble("要刪嗎？", (Button("刪掉", "confirm:1"), Button("留著", "keep:1")))]
    assert LOOK.messages(said) == LastLook().messages(said) == bubbles.messages(said)
    assert LOOK.messages([]) == []


@pytest.mark.parametrize("told", [SECRET, SECRET[::-1], base64.b64encode(SECRET.encode()).decode(), " ".join(SECRET)])
def test_a_secret_is_in_no_string_of_what_is_said(told):
    said = [Bubble(f"你的鑰匙 {told} 在這"), Bubble("好", (Button(told[:18], f"say:{told}"), Button("好", "keep:1")))]
    messages = LOOK.messages(said)

    assert not Redactor([SECRET]).veiled(messages) is not messages, "a second look finds nothing"
    assert messages[0]["text"].startswith("你的鑰匙 ")
    assert MARK in messages[0]["text"]
    assert MARK in messages[1]["quickReply"]["items"][0]["action"]["data"]
    assert told not in json.dumps(messages, ensure_ascii=False)


def test_a_secret_where_a_long_text_is_cut_is_masked_before_it_is_cut():
    text = "字" * (bubbles.TEXT_LIMIT - len(SECRET) // 2) + SECRET + "字" * 200
    messages = LOOK.messages([Bubble(text)])
    assert len(messages) == 2
    assert not any(SECRET[:9] in each["text"] or SECRET[-9:] in each["text"] for each in messages)


def test_a_secret_spread_over_two_bubbles_is_not_said(caplog):
    messages = LOOK.messages([Bubble(SECRET[:15]), Bubble(SECRET[15:])])
    assert [each["text"] for each in messages] == [phrases_of("en").failed]
    assert SECRET[:15] not in caplog.text


def test_what_merely_looks_like_a_key_is_its_own_persons_and_is_said():
    key = "ghp_abcdefghijklmnopqrstuvwx"
    assert LOOK.messages([Bubble(f"記好了：{key}")])[0]["text"] == f"記好了：{key}"


def fails(value):
    raise ValueError(f"cannot mask {value}")


def fails_late(value):
    return fails(value) if isinstance(value, dict) else value


@pytest.mark.parametrize("veiled", [fails, fails_late])
@pytest.mark.parametrize(
    ("words", "language", "spoken"),
    [
        ("記好了 topsecret", None, "zh-TW"),
        ("入れました topsecret", None, "ja"),
        ("บันทึกแล้ว", None, "th"),
        ("noted", None, "en"),
        ("noted", "ja", "ja"),
    ],
)
def test_if_masking_fails_one_fixed_sentence_is_said_in_their_language(veiled, words, language, spoken, caplog):
    messages = LastLook(veiled, language).messages([Bubble(words, (Button(words, "keep:1"),)), Bubble("topsecret")])

    assert messages == [{"type": "text", "text": phrases_of(spoken).failed}]
    assert "secrets could not be masked" in caplog.text
    assert "topsecret" not in caplog.text


def test_a_secret_is_masked_on_a_card_before_its_words_are_cut():
    told = f"{'很長的名字' * 20}{SECRET}"
    row = CardRow(what=told, when=SECRET, amount=SECRET, about=SECRET, buttons=(Button(SECRET, "done:1", said=SECRET),))
    bar = CardBar(what=SECRET, amount=SECRET, share=1)
    card = Card(title=SECRET, figure=SECRET, aside=SECRET, rows=(row,), bars=(bar,), notes=(SECRET,), beside=SECRET)

    beside, flex = LOOK.messages([Bubble(told, (), card)])

    sent = json.dumps([beside, flex], ensure_ascii=False)
    assert flex["type"] == "flex"
    assert not any(SECRET[at : at + 9] in sent for at in range(len(SECRET) - 9))
    assert MARK in sent


def test_in_plain_words_there_are_neither_cards_nor_buttons():
    said = [Bubble("今天", (Button("好", "keep:1"),), Card(title="今天", rows=(CardRow(what="早會"),)))]

    assert LOOK.messages(said, plain=True) == [{"type": "text", "text": "今天"}]


def test_in_plain_words_a_picture_is_its_address():
    link = ImageLink("https://bot.example/media/s/picture", "https://bot.example/media/s/preview")
    said = [Bubble("收據 #1", image=link), Bubble("", image=link)]

    texts = [message["text"] for message in LOOK.messages(said, plain=True)]
    assert texts == [f"收據 #1\n{link.original}", link.original]


def test_a_card_that_cannot_be_masked_is_not_sent():
    def fails_on_a_card(value):
        if isinstance(value, str) and "早會" in value:
            raise RuntimeError
        return value

    messages = LastLook(fails_on_a_card).messages(
        [Bubble("今天", (), Card(title="今天", rows=(CardRow(what="早會"),)))]
    )
    assert messages == [{"type": "text", "text": phrases_of("zh-TW").failed}]

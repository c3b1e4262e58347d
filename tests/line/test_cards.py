"""Cards as Flex: whatever stands on one, LINE takes it; and what it would not take is said in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.card import Card, CardBar, CardRow
from bot.line import cards
from bot.line.bubbles import LineMessage, messages
from bot.line.buttons import FLEX_LABEL, action_of, address_of
from bot.line.cutting import utf16
from bot.line.form import BUBBLE_BYTES, fault_in
from bot.local_line.checks import Problem
from bot.local_line.limits import message_object
from bot.ports import Bubble, Button, ImageLink, questions_last
from tests.emulators.openapi import line_judge

FAMILY = "👨‍👩‍👧‍👦"
NAMES = [
    "買牛奶" * 1_700,
    FAMILY * 700,
    "שלום עולם " * 500,
    "ที่นี่ก็ได้กำลังดี" * 300,
    "é" * 5_000,
    "🇹🇼" * 2_500,
    "a b" * 1_700,
]
"""Names as long as records may have them: Han, families, right to left, Thai marks, combining marks, flags."""

UNDO = Button("復原", "undo:01E1")
DONE = Button("完成", "done:7")
PAGE = Button("Notion", "https://www.notion.so/買牛奶-1f2e3d", "link")
ROW = CardRow(what="回診", when="12/1（二）15:00", about="#7 · 醫療", buttons=(DONE, PAGE))
LIST = Card(title="今天 11/30（一）", aside="3 筆", rows=(ROW, ROW, ROW), buttons=(UNDO,), notes=("還有 4 筆",))
TOTAL = Card(
    title="11 月 · 支出",
    figure="4,210 元",
    aside="32 筆",
    bars=(CardBar(what="飲食", amount="4,000 元", share=1.0), CardBar(what="交通", amount="210 元", share=0.001)),
)


def problems(message: LineMessage) -> list[Problem]:
    return list(message_object(message, ("messages", 0)))


def parts(value: Any, kind: str) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("type") == kind:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from parts(each, kind)


def words_on(message: LineMessage) -> list[str]:
    return [part["text"] for part in parts(message["contents"], "text")]


def shown(card: Card, text: str = "全部用字說") -> LineMessage:
    (message,) = messages([Bubble(text, (), card)])
    return message


# ── whatever stands on it ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("card", [LIST, TOTAL], ids=["a list", "a total"])
def test_line_takes_it_by_its_own_description_and_by_the_strict_platform(card: Card, shared: Path):
    message = shown(card)

    body = json.dumps({"replyToken": "t", "messages": [message]}).encode()
    head = {"Authorization": "Bearer x", "Content-Type": "application/json"}
    assert line_judge(shared)("POST", "/v2/bot/message/reply", head, body) == []
    assert problems(message) == []
    assert message["altText"] == "全部用字說"


def test_it_says_everything_that_stands_on_the_card():
    said = words_on(shown(LIST))
    assert said[:2] == ["今天 11/30（一）", "3 筆"]
    assert said[2:7] == ["12/1（二）15:00", "回診", "#7 · 醫療", "Notion ↗", "完成"]
    assert said[-2:] == ["還有 4 筆", "復原"]
    assert words_on(shown(TOTAL)) == ["11 月 · 支出", "4,210 元", "32 筆", "飲食", "4,000 元", "交通", "210 元"]


def test_a_bar_is_as_long_as_its_share_and_never_nothing():
    bars = [part["width"] for part in parts(shown(TOTAL)["contents"], "box") if "width" in part]
    assert bars == ["100%", "2%"]


@pytest.mark.parametrize("name", NAMES)
def test_twenty_records_with_the_longest_names_fit_and_no_sign_is_cut_in_two(name: str):
    rows = tuple(CardRow(what=name, when=name, about=name, amount=name, buttons=(DONE, PAGE)) for _ in range(20))
    message = shown(Card(title=name, aside=name, rows=rows, buttons=(UNDO,), notes=(name,)), name)

    assert message["type"] == "flex"
    assert problems(message) == []
    assert len(message["contents"]["contents"]) == 3
    assert all(len(json.dumps(bubble)) <= BUBBLE_BYTES for bubble in message["contents"]["contents"])
    whole = regex.findall(r"\X", " ".join(name.split()))
    for text in [*words_on(message), message["altText"]]:
        signs = regex.findall(r"\X", text.removesuffix("…"))
        assert text in {"完成", "Notion ↗", "復原", "1/3", "2/3", "3/3"} or signs == whole[: len(signs)]


WORDS = st.text(max_size=300)
BUTTONS = st.builds(Button, WORDS, WORDS, st.sampled_from(["tap", "picker", "link"]))
ROWS = st.builds(
    CardRow, what=WORDS, when=WORDS, amount=WORDS, about=WORDS, is_done=st.booleans(), buttons=st.tuples(BUTTONS)
)
BARS = st.builds(CardBar, what=WORDS, amount=WORDS, share=st.floats(0, 1))
CARDS = st.builds(
    Card,
    title=WORDS,
    figure=WORDS,
    aside=WORDS,
    rows=st.lists(ROWS, max_size=10).map(tuple),
    bars=st.lists(BARS, max_size=10).map(tuple),
    notes=st.tuples(WORDS),
    picture=WORDS | st.just("https://example.org/a.jpg"),
    buttons=st.tuples(BUTTONS),
    beside=WORDS,
)


@given(CARDS, WORDS, BUTTONS)
@settings(max_examples=150, deadline=None)
def test_no_card_at_all_is_sent_that_line_would_refuse(card: Card, text: str, button: Button):
    found = messages([Bubble(text, (button,), card), Bubble("好")])

    assert 1 <= len(found) <= 5
    assert [problem for message in found for problem in problems(message)] == []
    assert found[-1]["text"].endswith("好")


def luminance(color: str) -> float:
    """https://www.w3.org/TR/WCAG22/#dfn-relative-luminance ."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("color", [cards.INK, cards.SOFT, cards.ACCENT])
@pytest.mark.parametrize("ground", [cards.PAPER, cards.TINT])
def test_every_text_is_readable_on_its_own_ground_in_the_dark_mode_too(color: str, ground: str):
    assert (luminance(ground) + 0.05) / (luminance(color) + 0.05) >= 4.5


@pytest.mark.parametrize("card", [LIST, TOTAL])
def test_every_block_has_its_ground_and_every_text_its_colour(card: Card):
    message = shown(card)
    for bubble in parts(message["contents"], "bubble"):
        assert {name for name in ("body", "footer") if name in bubble} <= set(bubble["styles"])
        assert all(style["backgroundColor"] == cards.PAPER for style in bubble["styles"].values())
    assert all(part["color"] in {cards.INK, cards.SOFT, cards.ACCENT} for part in parts(message["contents"], "text"))


# ── pictures and addresses ────────────────────────────────────────────────────────────────────────────────────────


def test_a_picture_stands_at_the_head_if_it_can_be_fetched():
    hero = shown(Card(title="收據", picture="https://example.org/r/1.jpg", rows=(ROW,)))["contents"]["hero"]
    assert (hero["type"], hero["url"]) == ("image", "https://example.org/r/1.jpg")
    assert "hero" not in shown(Card(title="收據", picture="http://example.org/r/1.jpg", rows=(ROW,)))["contents"]
    whole = "https://example.org/r/1-large.jpg"
    opened = shown(Card(title="收據", picture="https://example.org/r/1.jpg", whole=whole))["contents"]["hero"]
    assert opened["action"] == {"type": "uri", "label": "收據", "uri": whole}


def test_what_a_card_shows_is_not_sent_again_as_a_picture_unless_the_card_is_not():
    image = ImageLink("https://example.org/1.jpg", "https://example.org/1-small.jpg")
    card = Card(title="收據", picture="https://example.org/1.jpg")
    assert [each["type"] for each in messages([Bubble("收據 350 元", card=card, image=image)])] == ["flex"]
    bad = replace(card, title="\u200b")
    assert [each["type"] for each in messages([Bubble("收據 350 元", card=bad, image=image)])] == ["text", "image"]


def test_pictures_stand_small_beside_several_rows_and_a_card_full_of_them_is_light_enough():
    link = "https://bot.example/media/" + "x" * 43 + "/preview"
    for many, pictures in ((1, 7), (4, 0)):
        rows = tuple(replace(ROW, what=name, picture=link) for name in NAMES * many)
        message = shown(Card(title="收據", rows=rows, buttons=(UNDO,)))
        assert (problems(message), fault_in(message)) == ([], "")
        assert len(list(parts(message["contents"], "image"))) == pictures, "texts go on where pictures cannot"


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("https://www.notion.so/買牛奶", "https://www.notion.so/%E8%B2%B7%E7%89%9B%E5%A5%B6"),
        ("https://example.org/a?b=c%20d#e", "https://example.org/a?b=c%20d#e"),
        ("tel:+886212345678", "tel:+886212345678"),
        ("line://app/1", "line://app/1"),
        ("https://example.org/" + "a" * 980, "https://example.org/" + "a" * 980),
        ("https://example.org/" + "a" * 981, ""),
        ("https://", ""),
        ("tel:", ""),
        ("javascript:alert(1)", ""),
        ("ftp://example.org", ""),
        ("http://[", ""),
        ("買牛奶", ""),
        ("", ""),
    ],
)
def test_an_address_is_encoded_or_its_button_left_out(address: str, sent: str):
    assert address_of(address) == sent
    action = action_of(Button("開", address, "link"), FLEX_LABEL)
    assert action == ({"type": "uri", "label": "開", "uri": sent} if sent else None)


def test_labels_are_cut_by_where_they_stand():
    long = Button("很長的按鈕" * 12, "done:1")
    (message,) = messages(
        [Bubble("x", (Button("很長的按鈕" * 12, "done:2"),), Card(title="t", rows=(ROW,), buttons=(long,)))]
    )
    on_card, below = list(parts(message, "postback"))[-2:]
    assert (len(on_card["label"]), len(below["label"])) == (40, 20)


def test_a_tap_shows_what_it_is_about_as_said():
    assert (action_of(Button("完成", "done:7", said="完成 #7"), 20) or {})["displayText"] == "完成 #7"
    assert (action_of(Button("完成", "done:7"), 20) or {})["displayText"] == "完成"


def test_a_picker_begins_where_the_record_is():
    action = action_of(Button("定時間", "when:7", "picker", "2026-12-01T15:00"), 20)
    assert action == {
        "type": "datetimepicker",
        "label": "定時間",
        "data": "when:7",
        "mode": "datetime",
        "initial": "2026-12-01T15:00",
    }
    assert "initial" not in (action_of(Button("定時間", "when:7", "picker"), 20) or {})


# ── among other messages ──────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_said_beside_a_card_stands_in_front_of_it():
    found = messages(
        [
            Bubble("全部", (), Card(title="t", rows=(ROW,), beside="記得帶傘。")),
            Bubble("要刪嗎？", (Button("刪掉", "confirm:1"),)),
        ]
    )
    assert [message["type"] for message in found] == ["text", "flex", "text"]
    assert found[0]["text"] == "記得帶傘。"
    assert "quickReply" in found[2]
    assert not any("quickReply" in message for message in found[:2])


def test_a_button_that_stands_on_the_card_is_not_repeated_under_it():
    (message,) = messages([Bubble("全部", (UNDO, Button("明天呢？", "say:明天")), LIST)])
    assert [item["action"]["label"] for item in message["quickReply"]["items"]] == ["明天呢？"]
    (plain,) = messages([Bubble("全部", (UNDO,))])
    assert [item["action"]["label"] for item in plain["quickReply"]["items"]] == ["復原"]


def test_only_the_card_that_would_be_refused_is_said_in_words(caplog):
    found = messages([Bubble("第一", (), LIST), Bubble("第二", (), Card(title=" ", aside="\u200b"))])
    assert [(message["type"], message.get("text")) for message in found] == [("flex", None), ("text", "第二")]
    assert "a card would be refused and is said in words" in caplog.text


def test_where_there_is_no_room_for_cards_everything_is_said_in_words():
    card = Card(title="t", rows=(ROW,), beside="旁邊")
    found = messages([Bubble(f"第{n}", (), card) for n in range(3)])
    assert [message["text"] for message in found] == ["第0", "第1", "第2"]


def test_a_card_without_any_words_for_it_is_not_sent():
    assert messages([Bubble(" ", (), LIST)]) == []


def test_the_notification_says_it_too_cut_where_line_cuts():
    assert utf16(shown(LIST, "字" * 4_000)["altText"]) == 1_500


def test_a_question_keeps_its_place_behind_a_card():
    asks = Bubble("要刪嗎？", (Button("刪掉", "confirm:1"),))
    assert [m["type"] for m in messages(questions_last([asks, Bubble("全部", (UNDO,), LIST)]))] == ["flex", "text"]


# ── the check before sending ──────────────────────────────────────────────────────────────────────────────────────

GOOD = {
    "type": "flex",
    "altText": "x",
    "contents": {
        "type": "bubble",
        "body": {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": "x"}]},
    },
}


def spoilt(**changes: Any) -> dict[str, Any]:
    """The good message with another text part."""
    part = {"type": "text", "text": "x"} | changes
    body = {"type": "box", "layout": "vertical", "contents": [part]}
    return GOOD | {"contents": {"type": "bubble", "body": body}}


def tapped(**action: Any) -> dict[str, Any]:
    return spoilt(action={"type": "postback", "label": "x", "data": "d"} | action)


BAD = {
    "no altText": GOOD | {"altText": ""},
    "a blank altText": GOOD | {"altText": "\u200b \n"},
    "a long altText": GOOD | {"altText": "x" * 1_501},
    "no contents": GOOD | {"contents": None},
    "another container": GOOD | {"contents": {"type": "box", "layout": "vertical", "contents": []}},
    "no body": GOOD | {"contents": {"type": "bubble"}},
    "no bubbles": GOOD | {"contents": {"type": "carousel", "contents": []}},
    "13 bubbles": GOOD | {"contents": {"type": "carousel", "contents": [GOOD["contents"]] * 13}},
    "a heavy bubble": GOOD
    | {
        "contents": {
            "type": "bubble",
            "body": {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": "字" * 1_900}] * 3},
        }
    },
    "an empty text": spoilt(text=""),
    "a blank text": spoilt(text=" "),
    "half a surrogate pair": spoilt(text="\ud800"),
    "nothing for a text": spoilt(text=None),
    "an unknown property": spoilt(colour="#000000"),
    "an unknown component": spoilt(type="marquee"),
    "an action without a label": tapped(label=""),
    "a label of 41": tapped(label="x" * 41),
    "data of 301": tapped(data="x" * 301),
    "an action without data": spoilt(action={"type": "postback", "label": "x"}),
    "an address that is none": spoilt(action={"type": "uri", "label": "x", "uri": "nowhere"}),
    "a picture from anywhere": spoilt(type="image", text=None, url="http://example.org"),
}


def test_a_good_message_has_no_fault():
    assert fault_in(GOOD) == ""


OURS_ALONE = {"a blank altText", "no body", "a heavy bubble"}
"""Where we are stricter: signs that are not seen, a bubble without words, bytes counted as escapes."""


@pytest.mark.parametrize("name", BAD.keys() - OURS_ALONE)
def test_the_strict_platform_refuses_it_too(name: str):
    assert problems(BAD[name]) != []


@pytest.mark.parametrize("message", BAD.values(), ids=BAD.keys())
def test_every_fault_is_found_before_line_finds_it(message: dict[str, Any]):
    assert fault_in(message) != ""

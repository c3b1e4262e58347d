"""Text to LINE messages: nothing lost, nothing LINE refuses, and ordinary writing left alone."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.line.bubbles import LineMessage, clipped, messages, utf16
from bot.ports import Bubble, Button

FAMILY = "👨‍👩‍👧‍👦"
FLAG = "🇹🇼"
THAI = "ที่นี่"


def texts(*said: str) -> list[str]:
    return [message["text"] for message in messages([Bubble(text) for text in said])]


def buttons(found: list[LineMessage]) -> list[dict[str, str]]:
    return [item["action"] for item in found[-1]["quickReply"]["items"]]


# ── lengths ───────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.text())
def test_lengths_are_counted_in_utf16_units(text: str):
    assert utf16(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(max_size=60), st.integers(20, 40))
def test_a_clipped_text_fits_and_says_that_it_was_cut(text: str, limit: int):
    cut = clipped(text, limit)

    assert utf16(cut) <= limit
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))


# ── what is written ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("text", ["# 標題", "**重點** `碼` ~~舊~~", "- [ ] 牛奶\n---\n> 引用", "[看](https://x.y)"])
def test_every_sign_that_was_said_is_sent_as_it_is(text: str):
    assert texts(text) == [text]


def test_what_line_refuses_is_left_out():
    assert texts("a\x00b\x07c\ud83dd\x7f\ufffee\u202ef\tg\nh") == ["abcdef\tg\nh"]


PUMPS = ["http://a ", "  ", "\n\n \n", "a|", "。", "\u0301", FAMILY, FLAG]


@pytest.mark.parametrize("pump", PUMPS)
def test_no_text_takes_long(pump: str):
    said = [Bubble(pump * (20_000 // len(pump)) + "\x01!")]
    begun = time.process_time()
    messages(said)

    assert time.process_time() - begun < 1


# ── cutting ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_text_at_the_limit_is_one_message_and_one_unit_more_is_two():
    assert [utf16(text) for text in texts("長" * 5_000)] == [5_000]
    assert [utf16(text) for text in texts("長" * 5_001)] == [5_000, 1]
    assert [utf16(text) for text in texts("😀" * 2_500)] == [5_000]
    assert [utf16(text) for text in texts("a" + "😀" * 2_500)] == [4_999, 2]


@pytest.mark.parametrize(
    ("near", "far", "cut_after"),
    [
        ("段。\n行 字\n\n", "字 行\n句。" + "字" * 500, "行 字"),
        ("行一。\n", "字 句。" + "字" * 500, "行一。"),
        ("句子。", "字 字 " + "字" * 500, "句子。"),
        ("He said so. ", "and then " + "x" * 500, "said so."),
        ("「好。」", "字" * 500, "「好。」"),
        ("word ", "x" * 500, "word"),
    ],
)
def test_a_text_is_cut_at_the_nicest_place_in_the_second_half(near: str, far: str, cut_after: str):
    filler = "長" * (4_900 - len(near))

    first, *_ = texts(filler + near + far)

    assert first.endswith(cut_after)


def test_a_nicer_place_too_far_back_does_not_count():
    first, second = texts("短。\n\n" + "長" * 4_999)

    assert (utf16(first), utf16(second)) == (5_000, 3)


@pytest.mark.parametrize("sign", [FAMILY, FLAG, THAI, "é\u0323", "👍🏽", "각"])
def test_no_sign_is_cut_in_half(sign: str):
    said = "x" + sign * 1_200
    whole = regex.findall(r"\X", said)

    found = texts(said)

    assert [sign for text in found for sign in regex.findall(r"\X", text)] == whole
    assert "".join(found) == said


def test_one_endless_sign_is_still_sent():
    said = "e" + "\u0301" * 12_000

    assert "".join(texts(said)) == said


def test_a_web_address_stays_whole():
    address = "https://example.com/" + "a" * 300
    found = texts("字" * 4_900 + address + "。" + "字" * 100)

    assert [text for text in found if address in text]
    assert "".join(found) == "字" * 4_900 + address + "。" + "字" * 100


def test_a_web_address_longer_than_a_message_is_cut():
    address = "https://example.com/" + "a" * 6_000

    assert "".join(texts("見 " + address)).replace(" ", "") == "見" + address


SIGNS = st.sampled_from([*"長字a1 。.!？\n", FAMILY, FLAG, THAI, "https://x.y/z "])
WORDS = st.lists(SIGNS, max_size=60).map("".join)


@settings(max_examples=50)
@given(st.lists(st.tuples(WORDS, st.integers(1, 900)), max_size=4))
def test_nothing_is_lost_while_five_messages_are_enough(pieces: list[tuple[str, int]]):
    said = [word * times for word, times in pieces]
    found = texts(*said)
    spaceless = "".join("".join(said).split())

    assert len(found) <= 5
    assert all(0 < utf16(text) <= 5_000 for text in found)
    if utf16("".join(said)) <= 24_000:
        assert "".join("".join(found).split()) == spaceless
    else:
        assert found[-1].endswith("…") or "".join("".join(found).split()) == spaceless


def test_what_is_too_long_for_five_messages_ends_with_dots():
    found = texts(FAMILY * 4_000)

    assert len(found) == 5
    assert found[-1].endswith(FAMILY + "…")
    assert all(utf16(text) <= 5_000 for text in found)


def test_an_exactly_full_reply_is_not_cut():
    assert [utf16(text) for text in texts("長" * 25_000)] == [5_000] * 5


def test_paragraphs_that_would_waste_space_are_cut_elsewhere_before_anything_is_lost():
    said = "\n\n".join(["長" * 2_600] * 9)

    assert "".join(texts(said)).replace("\n", "") == said.replace("\n", "")


# ── bubbles ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_bubble_is_one_message_in_order():
    assert messages([Bubble("一"), Bubble("二")]) == [{"type": "text", "text": "一"}, {"type": "text", "text": "二"}]


@pytest.mark.parametrize("blank", ["", " \n\t", "\u3000", "\u200b\u200d\ufeff", "\u3164", "\x00"])
def test_what_cannot_be_seen_is_not_sent(blank: str):
    assert texts(blank) == []
    assert texts("一", blank, "二") == ["一", "二"]


def test_nothing_to_say_is_no_message_even_with_buttons():
    assert messages([]) == []
    assert messages([Bubble(" ", (Button("好", "ok"),))]) == []


def test_more_than_five_bubbles_are_put_together():
    found = texts(*(f"第 {n} 件" for n in range(1, 8)))

    assert found == ["\n\n".join(f"第 {n} 件" for n in range(1, 8))]


# ── buttons ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_last_buttons_stand_under_the_last_message_only():
    found = messages([Bubble("一", (Button("甲", "a"),)), Bubble("二", (Button("乙", "b"),)), Bubble("三")])

    assert ["quickReply" in message for message in found] == [False, False, True]
    assert buttons(found) == [{"type": "postback", "label": "乙", "data": "b", "displayText": "乙"}]


def test_a_long_label_is_cut_on_a_sign_and_said_in_full():
    (action,) = buttons(messages([Bubble("？", (Button("b" * 18 + FAMILY + "x", "d"),))]))

    assert action["label"] == "b" * 18 + "…"
    assert action["displayText"] == "b" * 18 + FAMILY + "x"


@given(st.lists(st.text(min_size=1, max_size=600), min_size=1, max_size=20))
def test_every_button_is_within_lines_limits(labels: list[str]):
    found = messages([Bubble("？", tuple(Button(label, f"p:{n}") for n, label in enumerate(labels)))])

    shown = buttons(found) if "quickReply" in found[-1] else []
    assert len(shown) <= 13
    for action in shown:
        assert action["label"].strip()
        assert utf16(action["label"]) <= 20
        assert utf16(action["displayText"]) <= 300


def test_a_button_without_a_label_is_left_out():
    assert messages([Bubble("？", (Button(" \n", "d"),))]) == [{"type": "text", "text": "？"}]


@pytest.mark.parametrize("odd", ["", "d" * 301, "😀" * 151, "a\x00", "\ud800"])
def test_a_button_whose_data_line_would_refuse_is_left_out_alone_and_told_to_the_operator(odd: str, caplog):
    (message,) = messages([Bubble("？", (Button("好", odd), Button("不", "no")))])

    assert [action["data"] for action in buttons([message])] == ["no"]
    assert "a button was left out" in caplog.text


def test_data_at_the_limit_is_kept_to_the_byte():
    assert buttons(messages([Bubble("？", (Button("好", "😀" * 150),))]))[0]["data"] == "😀" * 150


# ── buttons that stay ─────────────────────────────────────────────────────────────────────────────────────────────

STAYS = Bubble("還在想", (Button("看答案", "show:1"),), stays=True)


def test_a_button_that_stays_stands_in_a_template_which_says_the_same_where_it_is_not_shown():
    assert messages([STAYS]) == [
        {
            "type": "template",
            "altText": "還在想",
            "template": {
                "type": "buttons",
                "text": "還在想",
                "actions": [{"type": "postback", "label": "看答案", "data": "show:1", "displayText": "看答案"}],
            },
        }
    ]


def test_words_come_before_what_stays_and_their_own_buttons_are_shown_too():
    found = messages([STAYS, Bubble("牛奶", (Button("復原", "undo:1"),))])

    assert [each["type"] for each in found] == ["text", "template"]
    assert buttons(found)[0]["label"] == "復原"


def test_buttons_are_shown_also_where_what_stays_was_said_last():
    found = messages([Bubble("牛奶", (Button("復原", "undo:1"),)), STAYS])

    assert [item["label"] for item in buttons(found)] == ["復原"]


def test_a_long_answer_leaves_room_for_what_stays():
    found = messages([Bubble("字" * 30_000), STAYS])

    assert [each["type"] for each in found] == ["text"] * 4 + ["template"]


@pytest.mark.parametrize(
    "bubble", [replace(STAYS, text="字" * 161), replace(STAYS, buttons=()), replace(STAYS, buttons=(Button(" ", "a"),))]
)
def test_what_does_not_fit_into_a_template_is_said_in_words(bubble: Bubble):
    assert [each["type"] for each in messages([bubble])] == ["text"]


def test_no_more_than_two_of_five_messages_stay():
    found = messages([replace(STAYS, text=f"{number}") for number in range(4)])

    assert [each.get("altText") or each["text"] for each in found] == ["2", "3", "0", "1"]

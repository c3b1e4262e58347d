"""Which language a message is answered in."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.voice.language import CURRENCIES, LANGUAGES, ZONES, language_of, spoken_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("明天下午三點跟陳醫師回診", "zh-TW"),
        ("午餐 120", "zh-TW"),
        ("买牛奶", "zh-TW"),
        ("買 iPhone 17 Pro", "zh-TW"),
        ("昼ごはん 850円", "ja"),
        ("ランチ 850", "ja"),
        ("ﾗﾝﾁ 850", "ja"),
        ("田中先生の再診", "ja"),
        ("Netflix を解約", "ja"),
        ("ข้าวเที่ยง 80", "th"),
        ("จ่าย Netflix 419", "th"),
        ("ซื้อ 牛奶", "th"),
        ("lunch 12.50", "en"),
        ("café au lait", "en"),
        ("ＯＫ", "en"),
    ],
)
def test_the_script_of_the_words_decides(text, language):
    assert language_of(text, None) == language
    assert language_of(text, "en-US") == language


@pytest.mark.parametrize("text", ["120", "👍", "…？！", "", "  ", "#12", "3/4", "฿80", "・ー", "안녕하세요"])
def test_where_the_script_cannot_decide_the_profile_does(text):
    assert language_of(text, "ja") == "ja"
    assert language_of(text, "th-TH") == "th"
    assert language_of(text, "zh-Hant") == "zh-TW"
    assert language_of(text, "en-GB") == "en"


@pytest.mark.parametrize("text", ["120", "👍", ""])
def test_without_script_and_profile_the_default_is_taken(text):
    assert language_of(text, None) == "zh-TW"
    assert language_of(text, "", "ja") == "ja"
    assert language_of(text, None, "th") == "th"


@pytest.mark.parametrize("text", ["牛乳", "昼食 850", "会議", "時々"])
def test_han_alone_from_a_japanese_profile_is_japanese(text):
    assert language_of(text, "ja") == "ja"
    assert language_of(text, "ja-JP") == "ja"
    assert language_of(text, "zh-TW") == "zh-TW"
    assert language_of(text, None) == "zh-TW"


def test_a_lone_no_in_a_shop_name_does_not_make_a_taiwanese_japanese():
    assert language_of("鮮の味 120", "zh-TW") == "zh-TW"
    assert language_of("鮮の味 120", None) == "ja"
    assert language_of("春の味は良い", "zh-TW") == "ja"


@pytest.mark.parametrize("text", ["https://example.com/menu", "/undo", "amy@example.com", " /help "])
def test_addresses_and_commands_say_nothing_about_their_sender(text):
    assert language_of(text, "th") == "th"


def test_an_address_beside_words_does_not_hide_them():
    assert language_of("看這個 https://example.com/menu", "en") == "zh-TW"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh-Hant", "zh-TW"),
        ("zh-TW", "zh-TW"),
        ("zh_TW", "zh-TW"),
        ("zh-Hans", "zh-TW"),
        ("zh", "zh-TW"),
        ("ja", "ja"),
        ("JA-jp", "ja"),
        ("th", "th"),
        ("en-US", "en"),
        ("id", "en"),
        ("vi-VN", "en"),
        ("und", None),
        ("", None),
        (None, None),
    ],
)
def test_a_profile_tag_leads_to_the_nearest_language(tag, language):
    assert spoken_language(tag) == language


def test_every_language_has_a_real_zone_and_a_currency():
    assert {language: ZoneInfo(ZONES[language]).key for language in LANGUAGES} == ZONES
    assert CURRENCIES == {"zh-TW": "TWD", "ja": "JPY", "th": "THB", "en": "USD"}

"""Every sentence the bot says by itself, and how it writes days and times."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.voice.dates import clock_text, day_text, moment_text, span_text
from bot.voice.language import LANGUAGES
from bot.voice.phrases import Phrases, phrases_of
from bot.voice.receipt_words import receipt_words

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=TAIPEI)

SAMPLES = {"greeting": ("Asia/Taipei", "TWD"), "confirm_delete": ("牛奶 #15", 2)}


def sentences(catalogue):
    """Every sentence of a catalogue, gaps filled."""
    for field in dataclasses.fields(catalogue):
        said = getattr(catalogue, field.name)
        if callable(said):
            said = said(*SAMPLES.get(field.name, ("12/1",)))
        for each in said.values() if hasattr(said, "values") else [said] if isinstance(said, str) else said:
            yield field.name, each


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_every_sentence(language):
    said = list(sentences(phrases_of(language)))
    assert {name for name, _ in said} == {field.name for field in dataclasses.fields(Phrases)}
    assert [name for name, text in said if not text.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_gap_of_a_sentence_is_filled(language):
    assert [text for _, text in sentences(phrases_of(language)) if re.search(r"\{\d*\}", text)] == []


SCRIPT = {
    "zh-TW": "[\u4e00-\u9fff]",
    "ja": "[\u3040-\u30ff]|^[\u4e00-\u9fff]{2}$",
    "th": "[\u0e00-\u0e7f]",
    "en": "[a-z]",
}
FOREIGN = {
    "zh-TW": "[\u3040-\u30fa\u0e00-\u0e7f]",
    "ja": "[\u0e00-\u0e7f]",
    "th": "[\u3040-\u30ff\u4e00-\u9fff]",
    "en": "[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_in_its_own_script(language):
    for name, text in sentences(phrases_of(language)):
        assert re.search(SCRIPT[language], text, re.IGNORECASE), (name, text)
        own = re.sub("牛奶|12/1", "", text)
        assert not re.search(FOREIGN[language], own), (name, text)


INTERNAL = re.compile(
    r"\b(tools?|rounds?|limits?|tokens?|sync\w*|webhook|model|database|timeout)\b"
    "|工具|令牌|同步|回合|模型|資料庫|ツール|トークン|同期[中しで]|モデル|データベース|โทเค็น|ซิงค์|เครื่องมือ|โมเดล",
    re.IGNORECASE,
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_internal_word_reaches_a_person(language):
    fixed = [text for _, text in sentences(phrases_of(language))]
    words = receipt_words(language)
    filled = [getattr(words, field.name) for field in dataclasses.fields(words)]
    fixed += [each for each in filled if isinstance(each, str)]
    assert [text for text in fixed if INTERNAL.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_shouted_at_and_thai_has_no_gendered_ending(language):
    text = "\n".join(each for _, each in sentences(phrases_of(language)))
    assert "!" not in text
    assert "！" not in text
    assert not re.search("ครับ|ค่ะ|คะ", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_fit_a_notification(language):
    brief = [(name, text) for name, text in sentences(phrases_of(language)) if name not in {"greeting", "help"}]
    assert [name for name, text in brief if len(text) > 150] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_labels_fit_a_button(language):
    phrases = phrases_of(language)
    labels = [phrases.undo, phrases.done, phrases.delete, phrases.keep, phrases.snooze, phrases.show_answer]
    for label in [*labels, *phrases.examples]:
        assert len(label.encode("utf-16-le")) // 2 <= 20, label


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_greeting_names_zone_and_currency_in_three_lines(language):
    greeting = phrases_of(language).greeting("Asia/Bangkok", "THB")
    assert "Asia/Bangkok" in greeting
    assert "THB" in greeting
    assert greeting.count("\n") == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_a_person_with_braces_are_said_as_they_are(language):
    assert "{0} {x}" in phrases_of(language).confirm_delete("{0} {x}", 2)
    assert "{what}" in phrases_of(language).confirm_delete("{what}", 2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_confirmation_says_what_and_how_many(language):
    assert "3" in phrases_of(language).confirm_delete("a #1, b #2, c #4", 3)
    assert "a #1" in phrases_of(language).confirm_delete("a #1", 1)
    assert "one" in phrases_of("en").confirm_delete("a #1", 1)


def test_the_sentences_people_know_stand_as_agreed():
    assert phrases_of("zh-TW").nothing_saved == "這次沒有記下任何東西。想記就說「記 買牛奶」。"
    assert phrases_of("ja").nothing_saved == "今回は何も記録していません。残すときは「メモ 牛乳」と送ってください。"
    assert phrases_of("zh-TW").owed_prefix == "上次還沒送到的回覆："


@pytest.mark.parametrize(
    ("language", "text"), [("zh-TW", "12/1（二）"), ("ja", "12/1（火）"), ("th", "อ. 1 ธ.ค."), ("en", "Tue Dec 1")]
)
def test_a_day_carries_its_weekday_and_no_year_if_it_is_this_one(language, text):
    assert day_text(date(2026, 12, 1), NOW.date(), language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [("zh-TW", "2027/1/5（二）"), ("ja", "2027/1/5（火）"), ("th", "อ. 5 ม.ค. 2570"), ("en", "Tue Jan 5, 2027")],
)
def test_another_year_is_said_and_in_thai_it_is_buddhist(language, text):
    assert day_text(date(2027, 1, 5), NOW.date(), language) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [("zh-TW", "12/1（二）09:05"), ("ja", "12/1（火）9:05"), ("th", "อ. 1 ธ.ค. 09:05 น."), ("en", "Tue Dec 1 09:05")],
)
def test_a_moment_is_day_and_time(language, text):
    assert moment_text(datetime(2026, 12, 1, 9, 5, tzinfo=TAIPEI), NOW, language) == text


def test_a_moment_is_told_on_the_persons_own_clock():
    assert moment_text(datetime(2026, 11, 30, 23, 0, tzinfo=UTC), NOW, "zh-TW") == "12/1（二）07:00"


def test_a_whole_day_stays_a_calendar_day_in_every_zone():
    far_west = datetime(2026, 11, 30, 22, 0, tzinfo=ZoneInfo("Pacific/Honolulu"))
    assert moment_text(date(2026, 12, 1), far_west, "en") == "Tue Dec 1"


def test_midnight_and_noon_are_told_by_the_clock():
    assert clock_text(datetime(2026, 12, 1, 0, 0, tzinfo=TAIPEI), "zh-TW") == "00:00"
    assert clock_text(datetime(2026, 12, 1, 0, 0, tzinfo=TAIPEI), "ja") == "0:00"
    assert clock_text(datetime(2026, 12, 1, 12, 0, tzinfo=TAIPEI), "th") == "12:00 น."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh-TW", "12/1（二）15:00–16:30"),
        ("ja", "12/1（火）15:00–16:30"),
        ("th", "อ. 1 ธ.ค. 15:00–16:30 น."),
        ("en", "Tue Dec 1 15:00–16:30"),
    ],
)
def test_a_range_within_a_day_says_the_day_once(language, text):
    start, end = (datetime(2026, 12, 1, *clock, tzinfo=TAIPEI) for clock in [(15, 0), (16, 30)])
    assert span_text(start, end, NOW, language) == text


def test_a_range_over_days_says_both():
    assert span_text(date(2026, 12, 1), date(2026, 12, 3), NOW, "zh-TW") == "12/1（二）–12/3（四）"
    assert span_text(date(2026, 12, 30), date(2027, 1, 2), NOW, "en") == "Wed Dec 30–Sat Jan 2, 2027"
    night = [datetime(2026, 12, 1, 22, 0, tzinfo=TAIPEI), datetime(2026, 12, 2, 2, 0, tzinfo=TAIPEI)]
    assert span_text(*night, NOW, "ja") == "12/1（火）22:00–12/2（水）2:00"
    assert span_text(date(2026, 12, 1), date(2026, 12, 1), NOW, "ja") == "12/1（火）"

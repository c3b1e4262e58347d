"""What waits for a tap is asked about with its values, in four languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest

from bot.line.buttons import QUICK_REPLY_LABEL
from bot.line.cutting import utf16
from bot.voice.questions import Question, question_about, question_words
from bot.voice.receipts import ReceiptContext
from tools.record import CallKey, Change, Language, PersonId, Record

TAIPEI = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 12, tzinfo=TAIPEI)
THREE = datetime(2026, 12, 1, 15, tzinfo=TAIPEI)
HOUR = timedelta(hours=1)
LANGUAGES = get_args(Language)


def record(ref: int = 12, **fields: Any) -> Record:
    said = {"content": "回診", "type": "event", "when": THREE} | fields
    made = {"id": f"r{ref}", "owner": PersonId("U1"), "ref": ref, "key": "k", "rev": 1}
    return Record(**said, **made, created_at=NOW, updated_at=NOW)


def update(before: Record, **fields: Any) -> Change:
    return proposed("update", before, replace(before, **fields))


def proposed(kind: str, before: Record, after: Record | None = None) -> Change:
    return Change(
        id=f"c{before.ref}", key=CallKey("t", before.ref), kind=kind, state="proposed",
        before=before, after=after, result={}, at=NOW,
    )  # fmt: skip


def asked(*waiting: Change, language: Language = "zh-TW") -> Question:
    return question_about(waiting, ReceiptContext(language=language, now=NOW))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh-TW", "要改成這樣嗎？\n15:00 → 16:00 回診 #12"),
        ("ja", "このように変えますか？\n15:00→16:00 回診 #12"),
        ("th", "จะแก้เป็นแบบนี้ไหม\n15:00 น. → 16:00 น. 回診 #12"),
        ("en", "Change it like this?\n15:00 → 16:00 回診 #12"),
    ],
)
def test_a_change_is_asked_about_with_its_values_as_a_receipt_shows_them(language, text):
    assert asked(update(record(), when=THREE + HOUR), language=language).text == text


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"content": "複診"}, "回診 → 複診 #12"),
        ({"status": "done"}, "完成 回診 #12"),
        ({"when": None}, "不定時間 回診 #12"),
        ({"type": "expense", "amount": Decimal(120), "currency": "TWD"}, "行程 → 支出、120 元 回診 #12"),
        ({"remind_at": THREE - HOUR}, "回診 #12 14:00 提醒你。"),
    ],
)
def test_every_kind_of_change_can_be_seen(fields, line):
    assert asked(update(record(), **fields)).text.replace("#1214", "#12 14") == f"要改成這樣嗎？\n{line}"


def test_a_reminder_that_would_go_is_told():
    assert asked(update(record(remind_at=THREE), remind_at=None)).text.endswith("不提醒了。")


@pytest.mark.parametrize("language", LANGUAGES)
def test_several_changes_are_one_question_with_a_line_each(language):
    question = asked(update(record(1), status="done"), update(record(2), content="x"), language=language)

    first, *lines = question.text.split("\n")
    assert "2" in first
    assert [line[0] for line in lines] == ["・", "・"]
    assert (question.yes, question.no) == (question_words(language).change, question_words(language).leave)


@pytest.mark.parametrize("language", LANGUAGES)
def test_deletions_are_asked_about_as_deletions_and_both_together_by_a_third_word(language):
    gone, words = proposed("delete", record(3)), question_words(language)
    alone, both = asked(gone, language=language), asked(update(record(1), status="done"), gone, language=language)

    assert alone.text in both.text
    assert alone.yes not in {words.change, words.all}
    assert (both.yes, both.no) == (words.all, words.leave)


def test_nothing_that_is_asked_about_is_left_unsaid():
    many = [update(record(ref), status="done") for ref in range(1, 40)]
    many += [proposed("delete", record(ref)) for ref in range(40, 80)]
    text = asked(*many).text

    assert [ref for ref in range(1, 80) if f"#{ref}" not in text] == []
    assert "…" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_fits_a_button(language):
    words = question_words(language)

    assert max(map(utf16, (words.change, words.leave, words.all))) <= QUICK_REPLY_LABEL


def test_a_record_that_two_calls_would_delete_is_named_and_counted_once():
    one, other = record(1, content="甲"), record(2, content="乙")

    assert asked(proposed("delete", one), proposed("delete", one)).text == asked(proposed("delete", one)).text
    both = asked(proposed("delete", one), proposed("delete", other), proposed("delete", one))
    assert both.text == asked(proposed("delete", one), proposed("delete", other)).text

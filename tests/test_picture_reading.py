"""What becomes of what a model reads in pictures."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from bot.picture_reading import Doubt, Reading, data_text, drafts_of


def drafts(*items: dict[str, Any], words: str = "", pictures: int = 1):
    return drafts_of(Reading.model_validate({"items": list(items)}), words, pictures)


def receipt(**fields: Any) -> dict[str, Any]:
    return {"kind": "receipt", "merchant": "全聯", **fields}


def test_a_receipt_is_an_expense_with_its_lines():
    lines = [{"name": "鮮乳\n1L", "amount": 92}, {"name": "折扣", "amount": "-12"}, {"name": "蛋", "amount": "70元"}]
    [draft] = drafts(receipt(total="NT$150", currency="TWD", when="2026-11-30", category="飲食", lines=lines))
    assert draft.arguments == {
        "type": "expense",
        "content": "全聯\n鮮乳 1L 92\n折扣 -12\n蛋 70",
        "amount": "150",
        "currency": "TWD",
        "when": "2026-11-30",
        "category": "飲食",
    }
    assert draft.doubt is None


@pytest.mark.parametrize(
    ("fields", "amount", "doubt"),
    [
        ({"total": 350}, "350", None),
        ({"total": 350, "unsure": True}, "350", Doubt()),
        ({"total": 350, "lines": [{"name": "a", "amount": 340}]}, "350", Doubt("340", "350")),
        ({"lines": [{"name": "a", "amount": 1.5}, {"name": "b", "amount": 2}]}, "3.5", Doubt("3.5")),
        ({"total": 350, "lines": [{"name": "a"}]}, "350", None),
        ({"total": 0, "lines": [{"name": "a", "amount": 20}]}, "20", Doubt("20")),
        ({"total": 1e20}, "100000000000000000000", None),
    ],
)
def test_the_total_stands_and_a_sum_that_differs_is_a_doubt(fields, amount, doubt):
    [draft] = drafts(receipt(**fields))
    assert (draft.arguments["amount"], draft.doubt) == (amount, doubt)


@pytest.mark.parametrize("total", [None, -5, "none", "1,5", float("1e400"), "二"])
def test_a_receipt_without_a_readable_amount_is_a_note(total):
    if total == float("inf"):
        total = "∞"
    [draft] = drafts(receipt(total=total, lines=[{"name": "鮮乳"}]))
    if total == "二":
        assert draft.arguments["amount"] == "2"
        return
    assert draft.arguments == {"type": "note", "content": "全聯\n鮮乳"}


def test_a_poster_is_an_event_and_without_a_time_a_note():
    poster = {"kind": "event", "title": "音樂會", "place": "兩廳院", "when": "2026-12-05T19:30", "until": ""}
    [draft] = drafts(poster)
    assert draft.arguments == {"type": "event", "content": "音樂會 @ 兩廳院", "when": "2026-12-05T19:30"}
    [draft] = drafts({**poster, "when": None})
    assert draft.arguments == {"type": "note", "content": "音樂會\n兩廳院"}


def test_ones_own_words_stand_first_where_there_is_nothing_else_to_be_said():
    [draft] = drafts({"kind": "other", "title": "一隻貓"}, words="小花生日")
    assert draft.arguments["content"] == "小花生日\n一隻貓"
    first, second = drafts({"kind": "other", "pictures": [1]}, {"kind": "note", "pictures": [2]}, words="x", pictures=2)
    assert first.arguments["content"] == second.arguments["content"] == "", "whose they are nobody knows"


def test_every_picture_belongs_to_one_record():
    first, second = drafts(receipt(total=1, pictures=[3, 1, 9, 0, -1]), receipt(total=2, pictures=[1, 2]), pictures=5)
    assert first.pictures == (2, 0)
    assert second.pictures == (1, 3, 4)
    [only] = drafts(receipt(total=1, pictures=[7]), pictures=2)
    assert only.pictures == (0, 1)
    [one] = drafts(receipt(total=1), receipt(total=2), pictures=1)
    assert one.arguments["amount"] == "1", "a second thing without a picture was made up"


def test_signs_that_steer_are_taken_out_of_lines():
    [draft] = drafts(receipt(total=1, merchant="a\u2028b\x00\x1bc"))
    assert draft.arguments["content"] == "a b c"


@pytest.mark.parametrize(
    "wrong", [{}, {"items": []}, {"items": [{"kind": "secret"}]}, {"items": [{"kind": "note"}] * 21}]
)
def test_what_is_no_reading_is_refused(wrong):
    with pytest.raises(ValidationError):
        Reading.model_validate(wrong)


def test_what_is_remembered_is_short_and_unknown_fields_do_not_matter():
    reading = Reading.model_validate({"items": [receipt(total=350, owner="U1", lines=[])], "delete": "all"})
    assert data_text(reading) == "receipt, 全聯, 350.0"

"""What the program itself says about what was done and found."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from bot.voice.language import LANGUAGES
from bot.voice.receipts import ReceiptContext, SpendingSoFar, receipt, titles
from bot.voice.reminders import reminder_text
from tools.record import CallKey, Change, MirrorState, Note, PersonId, Record, Ring

TAIPEI, TOKYO = ZoneInfo("Asia/Taipei"), ZoneInfo("Asia/Tokyo")
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=TAIPEI)
IN_TOKYO = datetime(2026, 11, 30, 10, 0, tzinfo=TOKYO)


def at(hour, minute=0, day=1, month=12, zone=TAIPEI):
    return datetime(2026, month, day, hour, minute, tzinfo=zone).astimezone(UTC)


def a_record(content="買牛奶", type_="task", ref=15, **fields):
    return Record(
        content=content,
        type=type_,
        ref=ref,
        id=f"r{ref}",
        owner=PersonId("U1"),
        key=f"{ref:032x}",
        rev=1,
        created_at=NOW,
        updated_at=NOW,
        **fields,
    )


def an_expense(content="午餐", amount="120", currency="TWD", ref=13, **fields):
    fields.setdefault("category", "飲食")
    return a_record(
        content, "expense", ref, amount=Decimal(amount), currency=currency, when=at(12, 0, 30, 11), **fields
    )


def change(kind, before, after, number=1, state="done", **fields):
    key = CallKey("turn", number)
    return Change(
        id=f"c{number}", key=key, kind=kind, state=state, before=before, after=after, result={}, at=NOW, **fields
    )


def created(*records):
    return [change("create", None, record, number) for number, record in enumerate(records, 1)]


def edited(before, number=1, **fields):
    return change("update", before, replace(before, rev=2, updated_at=NOW + timedelta(1), **fields), number)


def chinese(**fields):
    return ReceiptContext(language="zh-TW", now=NOW, **fields)


def japanese(**fields):
    return ReceiptContext(language="ja", now=IN_TOKYO, **fields)


def thai(**fields):
    return ReceiptContext(language="th", now=NOW, **fields)


def english(**fields):
    return ReceiptContext(language="en", now=NOW, **fields)


VISIT = a_record("跟陳醫師回診", "event", 12, when=at(15), remind_at=at(14))


# ── new ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_event_says_when_what_which_and_when_it_rings():
    assert receipt(created(VISIT), chinese()) == "記好了：12/1（二）15:00 跟陳醫師回診 #12。14:00 提醒你。"


def test_an_event_in_each_language():
    japanese_visit = replace(VISIT, content="田中先生の再診", when=at(15, zone=TOKYO), remind_at=at(14, zone=TOKYO))
    assert (
        receipt(created(japanese_visit), japanese())
        == "入れました：12/1（火）15:00 田中先生の再診 #12。14:00にお知らせします。"
    )
    assert receipt(created(replace(VISIT, content="หมอนัด")), thai()) == (
        "ลงนัดแล้ว: อ. 1 ธ.ค. 15:00 น. หมอนัด #12\nจะเตือน 14:00 น."
    )
    assert receipt(created(replace(VISIT, content="Dr Chen")), english()) == (
        "Saved: Tue Dec 1 15:00 Dr Chen #12. Reminder: 14:00."
    )


def test_a_reminder_of_another_day_says_that_day():
    record = replace(VISIT, remind_at=at(20, day=30, month=11))
    assert receipt(created(record), chinese()).endswith("11/30（一）20:00 提醒你。")


def test_a_reminder_without_a_push_says_how_it_will_come():
    assert receipt(created(VISIT), chinese(pushes=False)).endswith("14:00 過後，你下次傳訊息時提醒你。")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_quiet_reminder_is_another_sentence_in_every_language(language):
    loud, quiet = (receipt(created(VISIT), ReceiptContext(language=language, now=NOW, pushes=p)) for p in (True, False))
    assert loud != quiet
    assert "14:00" in quiet


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (a_record(), "記好了：買牛奶 #15。"),
        (a_record("交報告", when=date(2026, 12, 4)), "記好了：12/4（五）交報告 #15。"),
        (a_record("車停 B2", "note", tags=("車", "家")), "記好了：車停 B2〔車、家〕 #15。"),
        (a_record("做一個番茄鐘", "idea"), "點子記下了：做一個番茄鐘 #15。"),
        (
            a_record("京都", "event", when=date(2026, 12, 30), until=date(2027, 1, 2)),
            "記好了：12/30（三）–2027/1/2（六）京都 #15。",
        ),
    ],
)
def test_other_kinds_of_records_are_said_in_the_same_manner(record, text):
    assert receipt(created(record), chinese()) == text


def test_an_expense_carries_the_running_totals():
    so_far = SpendingSoFar(Decimal(385), Decimal(4210), "飲食", "TWD")
    assert (
        receipt(created(an_expense()), chinese(spending=[so_far])) == "午餐 120 元・飲食 #13　今天 385・本月飲食 4,210"
    )


def test_an_expense_in_japanese_keeps_the_unit():
    record = replace(an_expense("昼ごはん", "850", "JPY"), category="食費")
    so_far = SpendingSoFar(Decimal(2140), Decimal(31400), "食費", "JPY")
    assert (
        receipt(created(record), japanese(spending=[so_far]))
        == "昼ごはん 850円・食費 #13　今日 2,140円・今月の食費 31,400円"
    )


def test_an_expense_without_totals_or_category_is_still_said():
    assert receipt(created(replace(an_expense(), category=None)), chinese()) == "午餐 120 元 #13"


def test_totals_of_another_currency_or_category_are_not_taken():
    others = [
        SpendingSoFar(Decimal(1), Decimal(2), "交通", "TWD"),
        SpendingSoFar(Decimal(1), Decimal(2), "飲食", "JPY"),
        SpendingSoFar(Decimal(1), Decimal(2), "飲食", "TWD", earned=True),
    ]
    assert receipt(created(an_expense()), chinese(spending=others)) == "午餐 120 元・飲食 #13"


def test_an_expense_of_another_day_says_that_day():
    record = replace(an_expense(), when=at(12, day=28, month=11))
    assert receipt(created(record), chinese()) == "11/28（六）午餐 120 元・飲食 #13"


def test_income_says_that_it_is_income():
    record = a_record("薪水", "income", 20, amount=Decimal(50000), currency="TWD", when=date(2026, 11, 30))
    so_far = SpendingSoFar(Decimal(50000), Decimal(52000), None, "TWD", earned=True)
    assert receipt(created(record), chinese(spending=[so_far])) == "收入：薪水 50,000 元 #20　本月收入 52,000"


def test_a_category_that_is_called_like_its_kind_is_named_once():
    record = a_record("薪水", "income", 20, amount=Decimal(50000), currency="TWD", when=date(2026, 11, 30))
    so_far = SpendingSoFar(Decimal(50000), Decimal(52000), "收入", "TWD", earned=True)
    rent = replace(so_far, category="租金")
    text = receipt(created(replace(record, category="收入")), chinese(spending=[so_far]))
    assert text.endswith("　本月收入 52,000")
    text = receipt(created(replace(record, category="租金")), chinese(spending=[rent]))
    assert text.endswith("　本月租金收入 52,000")


def test_an_expense_can_ring_too():
    record = replace(an_expense(), remind_at=at(20, day=30, month=11))
    so_far = SpendingSoFar(Decimal(385), Decimal(4210), "飲食", "TWD")
    assert receipt(created(record), chinese()).endswith("#13　20:00 提醒你。")
    assert receipt(created(record), chinese(spending=[so_far])).endswith("4,210\n20:00 提醒你。")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_record_takes_at_most_three_lines(language):
    long = replace(VISIT, content="很長的\n內容 " * 800, tags=("家",), type="event")
    late = ReceiptContext(language=language, now=NOW, mirror=MirrorState(1))
    text = receipt(created(long), late)
    assert text.count("\n") <= 2
    assert len(text) < 200
    so_far = SpendingSoFar(Decimal(385), Decimal(4210), "飲食", "TWD")
    paid = ReceiptContext(language=language, now=NOW, mirror=MirrorState(1), spending=[so_far])
    assert receipt(created(an_expense()), paid).count("\n") <= 2


# ── several ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_several_expenses_are_summed_and_their_numbers_joined():
    records = [an_expense("早餐", "60", ref=14), an_expense("捷運", "30", ref=15), an_expense("午餐", "120", ref=16)]
    mixed = [records[0], replace(records[1], category="交通"), records[2]]
    assert receipt(created(*mixed), chinese()) == "3 筆都記好了，共 210 元：早餐 60、捷運 30、午餐 120 #14–16"
    yen = [replace(each, currency="JPY") for each in records]
    assert receipt(created(*yen), japanese()) == "3件入れました。計210円：早餐 60、捷運 30、午餐 120 #14–16"


def test_several_of_one_category_carry_its_running_totals():
    records = [an_expense("早餐", "60", ref=14), an_expense("午餐", "120", ref=15)]
    so_far = SpendingSoFar(Decimal(180), Decimal(4390), "飲食", "TWD")
    assert receipt(created(*records), chinese(spending=[so_far])) == (
        "2 筆都記好了，共 180 元：早餐 60、午餐 120 #14–15　今天 180・本月飲食 4,390"
    )


def test_currencies_are_summed_apart_and_every_amount_names_its_own():
    records = [an_expense("早餐", "60", ref=14), an_expense("咖啡", "4.5", "USD", ref=15)]
    text = receipt(created(*records), chinese())
    assert "60 元" in text
    assert "64.5" not in text
    assert text.count("4.50") == 2


def test_spent_and_earned_are_never_one_sum():
    earned = a_record("賣書", "income", 15, amount=Decimal(500), currency="TWD")
    text = receipt(created(an_expense("早餐", "60", ref=14), earned), chinese())
    assert "支出 60 元、收入 500 元" in text
    assert "560" not in text


def test_several_of_different_kinds_each_say_their_time():
    milk = a_record(ref=14, remind_at=at(18, day=30, month=11))
    assert receipt(created(VISIT, milk), chinese()) == (
        "2 筆都記好了：12/1（二）15:00 跟陳醫師回診（14:00 提醒） #12、買牛奶（11/30（一）18:00 提醒） #14"
    )


def test_a_long_list_ends_in_an_ellipsis_and_the_sum_is_of_all():
    records = [an_expense(f"項目{number}", "10", ref=number) for number in range(1, 15)]
    text = receipt(created(*records), chinese())
    assert "14 筆都記好了，共 140 元" in text
    assert "項目10 10、… #1–14" in text
    assert "項目11" not in text


# ── changed ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_done_says_what_is_left_today():
    assert receipt([edited(a_record(), status="done")], chinese(remaining_today=2)) == "完成：買牛奶。今天還剩 2 件。"
    assert receipt([edited(a_record("牛乳"), status="done")], japanese(remaining_today=2)) == (
        "完了：牛乳。今日はあと2件です。"
    )
    assert receipt([edited(a_record(), status="done")], chinese(remaining_today=0)).endswith("今天的都做完了。")
    assert receipt([edited(a_record(), status="done")], chinese()) == "完成：買牛奶。"


def test_what_is_no_task_makes_nothing_less_for_today():
    lunch = edited(an_expense(), status="done")
    assert receipt([lunch], chinese(remaining_today=1)) == "完成：午餐。"
    both = [lunch, edited(replace(a_record(), id="t"), 2, status="done")]
    assert receipt(both, chinese(remaining_today=1)).endswith("今天還剩 1 件。")


def test_several_done_are_one_sentence():
    both = [edited(a_record(), 1, status="done"), edited(a_record("倒垃圾", ref=16), 2, status="done")]
    assert receipt(both, chinese()) == "完成 2 件：買牛奶、倒垃圾。"


def test_a_moved_event_says_from_when_to_when():
    visit = replace(VISIT, content="回診", remind_at=None)
    assert receipt([edited(visit, when=at(16))], chinese()) == "改好了：15:00 → 16:00 回診 #12。"
    tokyo = replace(visit, content="再診", when=at(15, zone=TOKYO))
    assert receipt([edited(tokyo, when=at(16, zone=TOKYO))], japanese()) == "変更：15:00→16:00 再診 #12。"
    assert receipt([edited(visit, when=at(15, day=2))], chinese()) == (
        "改好了：12/1（二）15:00 → 12/2（三）15:00 回診 #12。"
    )


@pytest.mark.parametrize(
    ("before", "fields", "text"),
    [
        (a_record(), {"content": "買豆漿"}, "改好了：買牛奶 → 買豆漿 #15。"),
        (an_expense(), {"amount": Decimal(150)}, "改好了：120 元 → 150 元 午餐 #13。"),
        (an_expense(), {"category": "交通"}, "改好了：類別 飲食 → 交通 午餐 #13。"),
        (an_expense(), {"category": None}, "改好了：拿掉類別 午餐 #13。"),
        (a_record(), {"tags": ("家", "急")}, "改好了：標籤〔家、急〕 買牛奶 #15。"),
        (a_record(tags=("家",)), {"tags": ()}, "改好了：拿掉標籤 買牛奶 #15。"),
        (a_record(), {"status": "doing"}, "改好了：進行中 買牛奶 #15。"),
        (a_record(status="done"), {"status": "open"}, "改好了：還沒做 買牛奶 #15。"),
        (a_record(), {"when": date(2026, 12, 1)}, "改好了：12/1（二）買牛奶 #15。"),
        (a_record(when=date(2026, 12, 1)), {"when": None}, "改好了：不定時間 買牛奶 #15。"),
        (
            a_record(when=date(2026, 12, 1)),
            {"until": date(2026, 12, 2)},
            "改好了：12/1（二） → 12/1（二）–12/2（三）買牛奶 #15。",
        ),
        (a_record(when=at(9)), {"when": date(2026, 12, 1)}, "改好了：12/1（二）09:00 → 12/1（二）買牛奶 #15。"),
        (a_record(), {"type": "idea"}, "改好了：待辦 → 點子 買牛奶 #15。"),
        (a_record(), {"notes": (Note(NOW, "要鮮乳"),)}, "改好了：加註「要鮮乳」 買牛奶 #15。"),
        (
            an_expense(),
            {"amount": Decimal(90), "content": "便當"},
            "改好了：120 元 → 90 元、午餐 → 便當 #13。",
        ),
        (a_record(), {"remind_at": at(9)}, "改好了：買牛奶 #15。12/1（二）09:00 提醒你。"),
        (a_record(remind_at=at(9)), {"remind_at": None}, "改好了：買牛奶 #15。不提醒了。"),
    ],
)
def test_an_edit_says_what_is_different(before, fields, text):
    assert receipt([edited(before, **fields)], chinese()) == text


def test_an_edit_that_also_completes_is_an_edit():
    text = receipt([edited(a_record(), status="done", content="買豆漿")], chinese())
    assert text == "改好了：完成、買牛奶 → 買豆漿 #15。"


def test_several_edits_stand_on_a_line_each():
    both = [edited(a_record(), 1, content="買豆漿"), edited(an_expense(), 2, amount=Decimal(150))]
    assert receipt(both, chinese()) == "2 筆都改好了：\n・買牛奶 → 買豆漿 #15\n・120 元 → 150 元 午餐 #13"


def test_a_record_mended_in_the_turn_that_made_it_is_told_once():
    made = created(a_record())[0]
    mended = edited(a_record(), 2, content="買豆漿")
    assert receipt([made, mended], chinese()) == "記好了：買豆漿 #15。"


def test_two_edits_of_one_record_are_told_as_one():
    first = edited(VISIT, 1, when=at(16))
    second = change("update", first.after, replace(first.after, rev=3, content="看診"), 2)
    assert receipt([first, second], chinese()) == "改好了：15:00 → 16:00、跟陳醫師回診 → 看診 #12。"


def test_a_deletion_says_how_it_comes_back():
    gone = change("delete", a_record(), replace(a_record(), deleted_at=NOW))
    assert receipt([gone], chinese()) == "刪了：買牛奶 #15，30 天內說「復原」就回來。"
    milk = a_record("牛乳")
    gone = change("delete", milk, None)
    assert receipt([gone], japanese()) == "消しました：牛乳 #15。30日以内なら「元に戻す」で戻せます。"


def test_confirmed_deletions_are_one_sentence():
    gone = [change("delete", a_record(), None, 1), change("delete", an_expense(), None, 2)]
    assert receipt(gone, chinese()) == "刪了 2 筆：買牛奶 #15、午餐 120 元 #13，30 天內說「復原」就回來。"


def test_what_is_taken_back_says_what_it_is_again():
    gone = replace(a_record(), deleted_at=NOW)
    assert receipt([change("undo", an_expense(), None)], chinese()) == "收回了：午餐 120 元 #13。"
    assert receipt([change("undo", gone, a_record())], chinese()) == "救回來了：買牛奶 #15。"
    assert receipt([change("undo", None, a_record())], chinese()) == "救回來了：買牛奶 #15。"
    moved = replace(VISIT, when=at(16))
    assert receipt([change("undo", moved, VISIT)], chinese()) == "改回來了：16:00 → 15:00 跟陳醫師回診 #12。"


def test_several_taken_back_are_said_together():
    gone = replace(a_record(), deleted_at=NOW)
    back = [change("undo", gone, a_record(), 1), change("undo", None, an_expense(), 2)]
    assert receipt(back, chinese()) == "救回來了：買牛奶 #15、午餐 120 元 #13。"
    away = [change("undo", a_record(), None, 1), change("undo", an_expense(), None, 2)]
    assert receipt(away, chinese()) == "收回了：買牛奶 #15、午餐 120 元 #13。"


def test_what_only_waits_for_a_tap_is_in_no_receipt():
    waiting = [change("delete", a_record(), a_record(), 1, state="proposed"), *created(VISIT)[:0]]
    assert receipt(waiting, chinese()) == ""
    assert titles([each.record for each in waiting], chinese()) == "買牛奶 #15"


@pytest.mark.parametrize("state", ["proposed", "undone", "expired"])
def test_only_what_is_done_is_told(state):
    assert receipt([change("create", None, a_record(), state=state)], chinese()) == ""


def test_a_change_found_again_is_told_as_if_it_were_new_and_once():
    made = created(a_record())[0]
    assert receipt([replace(made, repeated=True)], chinese()) == "記好了：買牛奶 #15。"
    assert receipt([made, replace(made, repeated=True)], chinese()) == "記好了：買牛奶 #15。"


def test_different_doings_stand_on_lines_of_their_own():
    changes = [
        change("delete", a_record("舊的", ref=3), None, 1),
        edited(a_record("倒垃圾", ref=16), 2, status="done"),
        change("create", None, a_record(), 3),
    ]
    assert receipt(changes, chinese()).split("\n") == [
        "記好了：買牛奶 #15。",
        "完成：倒垃圾。",
        "刪了：舊的 #3，30 天內說「復原」就回來。",
    ]


def test_notion_is_named_when_it_is_late_and_once_with_its_link():
    made = created(a_record())
    assert "Notion" not in receipt(made, chinese(mirror=MirrorState(0)))
    assert receipt(made, chinese(mirror=MirrorState(1))) == "記好了：買牛奶 #15。\nNotion 晚點補上。"
    first = receipt(made, chinese(mirror=MirrorState(0, "https://www.notion.so/abc")))
    assert first.endswith("https://www.notion.so/abc")
    assert receipt([], chinese(mirror=MirrorState(1))) == ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["create", "update", "delete", "undo"])
def test_nothing_that_was_done_goes_untold(language, kind):
    record = a_record("{0} <b>", ref=7)
    for before, after in [(record, record), (None, record), (record, None)]:
        text = receipt([change(kind, before, after)], ReceiptContext(language=language, now=NOW))
        assert "{0} <b>" in text
        assert "#7" in text


# ── due ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_reminder_says_the_records_own_time():
    now = datetime(2026, 12, 1, 14, 0, 20, tzinfo=TAIPEI)
    assert reminder_text([Ring(VISIT, at(14))], now, "zh-TW") == "⏰ 15:00 跟陳醫師回診 #12"
    assert reminder_text([Ring(a_record(), at(14))], now, "zh-TW") == "⏰ 買牛奶 #15"


def test_a_reminder_the_evening_before_says_the_day():
    now = datetime(2026, 11, 30, 20, 0, tzinfo=TAIPEI)
    assert reminder_text([Ring(VISIT, at(20, day=30, month=11))], now, "zh-TW") == (
        "⏰ 12/1（二）15:00 跟陳醫師回診 #12"
    )


def test_a_late_reminder_says_that_it_is_late():
    now = datetime(2026, 12, 1, 14, 30, tzinfo=TAIPEI)
    assert reminder_text([Ring(VISIT, at(14))], now, "zh-TW") == "⏰ （原定 14:00）15:00 跟陳醫師回診 #12"
    assert "12/1（二）14:00" in reminder_text([Ring(VISIT, at(14))], now + timedelta(1), "zh-TW")


def test_several_reminders_stand_on_a_line_each():
    now = datetime(2026, 12, 1, 14, 0, tzinfo=TAIPEI)
    rings = [Ring(VISIT, at(14)), Ring(a_record(), at(14))]
    assert reminder_text(rings, now, "zh-TW") == "⏰ 2 件事：\n・15:00 跟陳醫師回診 #12\n・買牛奶 #15"

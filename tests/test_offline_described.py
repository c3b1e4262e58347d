"""Records that are named by what they are, not by number: the engine without a model over the real tools."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.engines.offline.sentences import SENTENCES
from tests.test_offline import Desk
from tools.database import Database
from tools.record import RecordQuery

TOMORROW = "2026-12-01"


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    database = Database("sqlite://")
    await database.start()
    yield database
    await database.close()


async def with_records(database: Database, language: str, *records: dict[str, Any]) -> Desk:
    at = Desk(database, language)
    for each in records:
        await at._run("create_record", each)
    return at


def alarm(content: str = "鬧鐘", at: str = f"{TOMORROW}T07:00") -> dict[str, Any]:
    return {"content": content, "type": "task", "when": at, "remind_at": at}


def event(content: str, at: str = f"{TOMORROW}T15:00") -> dict[str, Any]:
    return {"content": content, "type": "event", "when": at}


def task(content: str, *tags: str) -> dict[str, Any]:
    return {"content": content, "type": "task", "tags": list(tags)}


CANCELLED = [
    ("zh-TW", "取消明天早上的鬧鐘"),
    ("zh-TW", "可以幫我把明天的鬧鐘關掉嗎？"),
    ("ja", "明日のアラームをキャンセルしてください"),
    ("ja", "明日のリマインダーを消してもらえますか"),
    ("th", "ช่วยยกเลิกนาฬิกาปลุกพรุ่งนี้หน่อย"),
    ("en", "could you please cancel my alarm for tomorrow?"),
    ("en", "turn off tomorrow's alarm"),
]


@pytest.mark.parametrize(("language", "words"), CANCELLED)
async def test_the_only_alarm_of_a_day_is_taken_away(database: Database, language: str, words: str):
    at = await with_records(database, language, alarm(), alarm("other", "2026-12-03T07:00"), task("plain"))

    assert await at.say(words) == "OK"

    assert sorted(each.ref for each in await at.records()) == [2, 3]


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-TW", "取消鬧鐘"), ("ja", "アラームを解除して"), ("th", "ยกเลิกนาฬิกาปลุก"), ("en", "cancel my alarm")],
)
async def test_of_several_alarms_none_is_taken_away_but_the_person_is_asked_which(database, language, words):
    at = await with_records(database, language, alarm(), alarm("other", "2026-12-03T07:00"))

    text = await at.say(words)

    assert "#1" in text
    assert "#2" in text
    assert len(await at.records()) == 2


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "刪除所有提醒"),
        ("ja", "すべてのリマインダーを削除"),
        ("th", "ยกเลิกการเตือนทั้งหมด"),
        ("en", "cancel all my reminders"),
    ],
)
async def test_all_alarms_at_once_wait_for_a_tap_and_what_does_not_ring_is_none(database, language, words):
    at = await with_records(database, language, alarm(), alarm("other", "2026-12-03T07:00"), task("plain"))

    await at.say(words)

    assert at.asked[-1] == ("delete_record", {"refs": [1, 2]})
    assert len(await at.records()) == 3


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("zh-TW", "取消明天的會議", "跟客戶的會議"),
        ("ja", "明日の会議をキャンセルして", "営業の会議"),
        ("th", "ยกเลิกประชุมพรุ่งนี้", "ประชุมทีม"),
        ("en", "cancel tomorrow's meeting with Ann", "Meeting with Ann"),
    ],
)
async def test_an_appointment_is_called_off_and_stays_known(database, language, words, title):
    at = await with_records(database, language, event(title), event("other", "2026-12-03T15:00"))

    assert await at.say(words) == "OK"

    assert {each.ref: each.status for each in await at.records()} == {1: "cancelled", 2: "open"}


async def test_an_event_loses_its_reminder_and_stays(database: Database):
    at = await with_records(database, "zh-TW", event("開會") | {"remind_at": f"{TOMORROW}T14:00"})

    assert await at.say("取消開會的提醒") == "OK"

    record = await at.only()
    assert (record.status, record.remind_at) == ("open", None)


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("zh-TW", "會議改到下午四點", "會議"),
        ("zh-TW", "會議改下午四點", "會議"),
        ("zh-TW", "會議改期到下午四點", "會議"),
        ("zh-TW", "把明天的會議延到下午4點", "會議"),
        ("ja", "会議を16時に変更してください", "会議"),
        ("th", "เลื่อนประชุมเป็น 16:00 น.", "ประชุม"),
        ("en", "please move the meeting to 4pm", "Meeting"),
        ("en", "push tomorrow's meeting back to 4pm", "Meeting"),
    ],
)
async def test_a_new_hour_is_one_on_the_day_of_the_appointment(database, language, words, title):
    at = await with_records(database, language, event(title))

    assert await at.say(words) == "OK"

    assert (await at.only()).when == datetime(2026, 12, 1, 16, tzinfo=at.zone)


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-TW", "修改鬧鐘"), ("ja", "アラームを変更したい"), ("th", "เปลี่ยนนาฬิกาปลุก"), ("en", "change my alarm")],
)
async def test_a_change_of_no_time_is_asked_about(database, language, words):
    at = await with_records(database, language, alarm())

    assert await at.say(words) == SENTENCES[language].ask_move


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-TW", "設定鬧鐘"), ("ja", "リマインダーを設定して"), ("th", "ตั้งนาฬิกาปลุก"), ("en", "can you set an alarm")],
)
async def test_an_alarm_for_no_time_is_asked_about(database, language, words):
    at = Desk(database, language)

    assert await at.say(words) == SENTENCES[language].ask_ring
    assert at.asked == []


@pytest.mark.parametrize("language", sorted(SENTENCES))
async def test_what_a_question_back_proposes_is_understood(database: Database, language: str):
    words = SENTENCES[language]
    at = await with_records(database, language, event({"th": "ประชุม"}.get(language, "x"), "2026-12-05T15:00"))
    for sentence in (words.ask_ring, words.ask_list, words.ask_move):
        example = re.split("[「」“”]", sentence)[1]
        assert await at.say(example) == "OK", example


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("zh-TW", "牛奶買好了", "買牛奶"),
        ("zh-TW", "把待辦清單上的倒垃圾打勾", "倒垃圾"),
        ("ja", "洗濯が終わりました", "洗濯"),
        ("th", "ซักผ้าเสร็จแล้ว", "ซักผ้า"),
        ("en", "mark the laundry as done", "Do the laundry"),
        ("en", "I've finished the report", "Write the report"),
    ],
)
async def test_what_is_told_to_be_done_is_done(database, language, words, title):
    at = await with_records(database, language, task(title), task("something else"))

    assert await at.say(words) == "OK"

    assert {each.ref: each.status for each in await at.records()} == {1: "done", 2: "open"}


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("zh-TW", "把蘋果從購物清單移除", "蘋果"),
        ("ja", "りんごを買い物リストから外して", "りんご"),
        ("th", "เอาแอปเปิลออกจากลิสต์ซื้อของ", "แอปเปิล"),
        ("en", "take apples off my shopping list", "apples"),
    ],
)
async def test_a_thing_is_taken_off_its_list(database, language, words, title):
    at = await with_records(database, language, task(title, "shopping"), task("milk", "shopping"))

    assert await at.say(words) == "OK"

    assert [each.ref for each in await at.records()] == [2]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "我有哪些提醒？"),
        ("zh-TW", "顯示我的鬧鐘"),
        ("ja", "リマインダーを見せて"),
        ("th", "มีเตือนความจำอะไรบ้าง"),
        ("en", "what alarms do I have?"),
        ("en", "reminders"),
    ],
)
async def test_what_will_ring_is_told_and_nothing_else(database, language, words):
    at = await with_records(database, language, alarm("藥"), task("plain"))

    text = await at.say(words)

    assert "藥 #1" in text
    assert "#2" not in text


@pytest.mark.parametrize(
    ("language", "words", "title"),
    [
        ("zh-TW", "我的牙醫預約是什麼時候？", "看牙醫"),
        ("ja", "歯医者の予約はいつですか", "歯医者"),
        ("th", "นัดหมอฟันเมื่อไหร่", "หมอฟัน"),
        ("en", "when is my dentist appointment?", "Dentist"),
    ],
)
async def test_when_something_is_can_be_asked(database, language, words, title):
    at = await with_records(database, language, event(title), event("other"))

    text = await at.say(words)

    assert "#1" in text
    assert "15:00" in text
    assert "#2" not in text


async def test_a_named_list_is_told(database: Database):
    at = await with_records(database, "en", task("milk", "grocery list"), task("report"))

    text = await at.say("what's on the grocery list?")

    assert "milk #1" in text
    assert "report" not in text


@pytest.mark.parametrize(
    ("language", "words", "minutes"),
    [
        ("zh-TW", "貪睡15分鐘", 15),
        ("ja", "アラームを5分スヌーズして", 5),
        ("th", "เลื่อนนาฬิกาปลุกไป 10 นาที", 10),
        ("en", "snooze", 10),
    ],
)
async def test_what_rang_last_rings_again_later(database, language, words, minutes):
    at = await with_records(database, language, alarm("first", "2026-11-30T09:35"), alarm("second", "2026-11-30T10:00"))
    at.now += timedelta(minutes=10)

    assert await at.say(words) == "OK"

    (record,) = (await at.memory.query(RecordQuery(keyword="first"))).records
    assert record.remind_at == at.now + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "把午餐改成 150"),
        ("ja", "昼ごはんを150円に修正"),
        ("th", "แก้ข้าวเที่ยงเป็น 150"),
        ("en", "change lunch to 150"),
    ],
)
async def test_an_amount_is_corrected_by_its_name(database, language, words):
    names = {"zh-TW": "午餐", "ja": "昼ごはん", "th": "ข้าวเที่ยง", "en": "lunch"}
    at = await with_records(database, language, {"content": names[language], "type": "expense", "amount": 120})

    assert await at.say(words) == "OK"

    assert (await at.only()).amount == 150


async def test_a_message_of_several_things_does_each(database: Database):
    at = Desk(database, "zh-TW")

    assert await at.say("買牛奶、明天繳電費、午餐120") == "OK"

    found = sorted((each.type, each.content, str(each.when)) for each in await at.records())
    assert found == [("expense", "午餐", "2026-11-30"), ("task", "繳電費", TOMORROW), ("task", "買牛奶", "None")]


async def test_a_time_in_front_of_several_things_is_not_taken_from_those_behind(database: Database):
    at = Desk(database, "zh-TW")

    await at.say("明天買牛奶、倒垃圾")

    assert (await at.only()).content == "買牛奶、倒垃圾"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "明天不開會"),
        ("zh-TW", "不用買牛奶了"),
        ("zh-TW", "不要提醒我明天開會"),
        ("zh-TW", "小明說：「明天三點開會」"),
        ("ja", "明日リマインドしないで"),
        ("ja", "牛乳は買わなくていい"),
        ("th", "ไม่ต้องเตือนพรุ่งนี้"),
        ("en", "don't remind me to call mum tomorrow"),
        ("en", 'he said "buy milk tomorrow"'),
        ("en", "I don't want to go to the dentist tomorrow"),
    ],
)
async def test_what_is_not_wished_or_said_by_others_is_not_stored(database: Database, language: str, words: str):
    at = Desk(database, language)

    await at.say(words)

    assert [name for name, _ in at.asked if name != "query_records"] == []


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-TW", "設定鬧鐘為30分鐘"), ("ja", "アラームを30分に設定"), ("en", "set an alarm for 30 minutes")],
)
async def test_an_alarm_for_a_length_rings_so_long_from_now(database: Database, language: str, words: str):
    at = Desk(database, language)

    assert await at.say(words) == "OK"

    assert (await at.only()).remind_at == at.now + timedelta(minutes=30)

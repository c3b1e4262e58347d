"""The engine without a model, over the real tools and a real store: what it does, says, and leaves alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import fields
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engines.offline.engine import OfflineEngine
from bot.engines.offline.sentences import SENTENCES, Sentences
from bot.engines.offline.vocabulary import Words
from bot.engines.offline.words import INCOME_PLACE, WORDS, pattern, patterns
from bot.model_ports import Completion, Message
from bot.thinking.prompt import Stamp, stamped
from bot.voice.claims import claims_saved
from bot.voice.phrases import phrases_of
from tools.categories import CATEGORIES
from tools.database import Database
from tools.definition import Caller, ToolDefinition, ToolError
from tools.record import CallKey, PersonId, Record, RecordQuery
from tools.sql.memory import SqlMemory
from tools.toolbox import toolbox

PLACES = {
    "zh-TW": ("Asia/Taipei", "TWD"),
    "ja": ("Asia/Tokyo", "JPY"),
    "th": ("Asia/Bangkok", "THB"),
    "en": ("UTC", "USD"),
}
ROUNDS = 4
PEOPLE = count(1)


class Desk:
    """One person, on Monday 2026-11-30 at 9:30, and the loop that runs the engine's calls."""

    def __init__(self, database: Database, language: str) -> None:
        zone, currency = PLACES[language]
        self.language, self.zone = language, ZoneInfo(zone)
        self.now = datetime(2026, 11, 30, 9, 30, tzinfo=self.zone)
        person = PersonId(f"U{next(PEOPLE)}")
        self.caller = Caller(
            person=person,
            role="owner",
            language=language,
            home=language,
            zone=self.zone,
            currency=currency,
            now=self.now,
        )
        self.memory = SqlMemory(database, person, lambda: self.now)
        self.calls = count(1)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    @property
    def tools(self) -> dict[str, ToolDefinition]:
        return {each.name: each for each in toolbox(self.caller, self.memory)}

    async def say(self, words: str) -> str:
        """The final text to one message."""
        stamp = Stamp(self.now, self.zone, self.language, self.caller.currency)
        messages: list[Message] = [{"role": "user", "content": stamped(stamp, words)}]
        self.asked = []
        for _ in range(ROUNDS):
            answer = await OfflineEngine().complete(messages, list(self.tools.values()))
            messages.append(answer.message)
            if not answer.calls:
                return answer.text
            for call in answer.calls:
                arguments = json.loads(call.arguments)
                self.asked.append((call.name, arguments))
                result = await self._run(call.name, arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
        raise AssertionError("the engine did not come to an end")

    async def _run(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            return await self.tools[name].handler(arguments, CallKey("turn", next(self.calls)))
        except ToolError as error:
            return error.as_result()

    async def records(self) -> list[Record]:
        return list((await self.memory.query(RecordQuery(limit=20, sort="created"))).records)

    async def only(self) -> Record:
        (record,) = await self.records()
        return record


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    database = Database("sqlite://")
    await database.start()
    yield database
    await database.close()


def desk(database: Database, language: str) -> Desk:
    return Desk(database, language)


TOLD = [
    # language, words, type, content, when (day or hour of 2026-12-01), amount, category
    ("zh-TW", "記一下 牛奶沒了", "note", "牛奶沒了", None),
    ("zh-TW", "買牛奶 明天", "task", "買牛奶", date(2026, 12, 1)),
    ("zh-TW", "明天下午三點跟陳醫師回診", "event", "跟陳醫師回診", 15),
    ("zh-TW", "12/1 早上九點半 面試", "event", "面試", 9.5),
    ("zh-TW", "點子：做一個記帳機器人", "idea", "做一個記帳機器人", None),
    ("zh-TW", "記 買牛奶", "task", "買牛奶", None),
    ("ja", "牛乳を買う", "task", "牛乳を買う", None),
    ("ja", "明日15時 歯医者", "event", "歯医者", 15),
    ("ja", "明日の朝8時にゴミを出す", "task", "ゴミを出す", 8),
    ("ja", "メモ 牛乳", "note", "牛乳", None),
    ("th", "พรุ่งนี้ 10 โมง ประชุม", "event", "ประชุม", 10),
    ("th", "ซื้อนม", "task", "ซื้อนม", None),
    ("th", "พรุ่งนี้บ่ายสาม หาหมอ", "event", "หาหมอ", 15),
    ("en", "buy milk tomorrow", "task", "buy milk", date(2026, 12, 1)),
    ("en", "note: wifi password is on the fridge", "note", "wifi password is on the fridge", None),
    ("en", "Dentist tomorrow 3pm", "event", "Dentist", 15),
]


@pytest.mark.parametrize(("language", "words", "kind", "content", "when"), TOLD)
async def test_plain_words_are_remembered(database: Database, language, words, kind, content, when):
    at = desk(database, language)

    assert await at.say(words) == "OK"

    record = await at.only()
    assert (record.type, record.content) == (kind, content)
    if isinstance(when, (int, float)):
        assert record.when == datetime(2026, 12, 1, tzinfo=at.zone) + timedelta(hours=when)
    else:
        assert record.when == when


MONEY = [
    ("zh-TW", "午餐 120", [("expense", "午餐", "120", "TWD", "飲食")]),
    (
        "zh-TW",
        "早餐60 捷運30 午餐120",
        [
            ("expense", "早餐", "60", "TWD", "飲食"),
            ("expense", "捷運", "30", "TWD", "交通"),
            ("expense", "午餐", "120", "TWD", "飲食"),
        ],
    ),
    ("zh-TW", "薪水 50000", [("income", "薪水", "50000", "TWD", "收入")]),
    ("zh-TW", "晚餐 US$12.50", [("expense", "晚餐", "12.5", "USD", "飲食")]),
    ("ja", "昼ごはん 850", [("expense", "昼ごはん", "850", "JPY", "食費")]),
    (
        "ja",
        "パン 320、電車 180",
        [("expense", "パン", "320", "JPY", "食費"), ("expense", "電車", "180", "JPY", "交通")],
    ),
    ("zh-TW", "買菜花了350", [("expense", "買菜", "350", "TWD", "飲食")]),
    ("zh-TW", "朋友還我 500", [("income", "朋友還我", "500", "TWD", "收入")]),
    ("zh-TW", "午餐吃了120元的便當", [("expense", "午餐吃了120元的便當", "120", "TWD", "飲食")]),
    ("en", "rent 1200", [("expense", "rent", "1200", "USD", "Home")]),
    ("en", "spent 20 on lunch", [("expense", "lunch", "20", "USD", "Food")]),
    ("th", "ข้าวเที่ยง 60", [("expense", "ข้าวเที่ยง", "60", "THB", "อาหาร")]),
    ("th", "เงินเดือน 30000", [("income", "เงินเดือน", "30000", "THB", "รายได้")]),
    ("en", "lunch 12.50", [("expense", "lunch", "12.5", "USD", "Food")]),
    *(
        ("en", words, [("expense", "lunch", "12", "USD", "Food"), ("expense", "taxi", "8", "USD", "Transport")])
        for words in ("lunch $12 and taxi 8", "lunch 12 and taxi 8", "lunch $12 and taxi $8")
    ),
    ("en", "salary 3000", [("income", "salary", "3000", "USD", "Income")]),
]


@pytest.mark.parametrize(("language", "words", "expected"), MONEY)
async def test_amounts_are_remembered_as_money_of_today(database: Database, language, words, expected):
    at = desk(database, language)

    assert await at.say(words) == "OK"

    found = [(r.type, r.content, r.amount, r.currency, r.category) for r in await at.records()]
    assert found == [(kind, content, Decimal(value), code, name) for kind, content, value, code, name in expected]
    assert {record.when for record in await at.records()} == {date(2026, 11, 30)}


TO_BE_DONE = [
    # language, words, content, whole day or hour of 2026-12-01 (None: no time), whether it rings
    ("zh-TW", "明天提醒我繳費", "繳費", date(2026, 12, 1), True),
    ("zh-TW", "提醒我明天繳費", "繳費", date(2026, 12, 1), True),
    ("zh-TW", "麻煩提醒我明天繳費", "繳費", date(2026, 12, 1), True),
    ("zh-TW", "明天早上九點提醒我繳費", "繳費", 9, True),
    ("zh-TW", "明天晚上8點叫我繳卡費", "繳卡費", 20, True),
    ("zh-TW", "請提醒我繳費", "繳費", None, False),
    ("zh-TW", "提醒我繳電費 1200", "繳電費 1200", None, False),
    ("zh-TW", "明天提醒我問今天有什麼事", "問今天有什麼事", date(2026, 12, 1), True),
    ("zh-TW", "提醒我問媽媽幾點吃飯", "問媽媽幾點吃飯", None, False),
    ("zh-TW", "明天提醒我後天要開會", "後天要開會", date(2026, 12, 1), True),
    ("zh-TW", "明天繳電費", "繳電費", date(2026, 12, 1), False),
    ("zh-TW", "明天去繳停車費", "去繳停車費", date(2026, 12, 1), False),
    ("zh-TW", "明天繳卡費", "繳卡費", date(2026, 12, 1), False),
    ("zh-TW", "明天要繳管理費", "要繳管理費", date(2026, 12, 1), False),
    ("zh-TW", "明天去銀行繳費", "去銀行繳費", date(2026, 12, 1), False),
    ("zh-TW", "明天領生活費", "領生活費", date(2026, 12, 1), False),
    ("zh-TW", "繳水費", "繳水費", None, False),
    ("zh-TW", "提醒我明天下午三點開會", "開會", 15, True),
    ("zh-TW", "提醒我一下明天下午三點開會", "開會", 15, True),
    ("zh-TW", "提醒我下，明天下午三點開會", "開會", 15, True),
    ("zh-TW", "提醒下我明天下午三點開會", "開會", 15, True),
    ("zh-TW", "提醒我下班買菜", "下班買菜", None, False),
    ("zh-TW", "提醒我下午喝水", "下午喝水", None, False),
    ("zh-TW", "提醒我一下班就買菜", "一下班就買菜", None, False),
    ("ja", "明日 会費を払う", "会費を払う", date(2026, 12, 1), False),
    ("th", "เตือนพรุ่งนี้ถามว่าใช้เงินไปเท่าไหร่", "ถามว่าใช้เงินไปเท่าไหร่", date(2026, 12, 1), True),
    ("en", "remind me to call mom at three tomorrow", "call mom", 15, True),
]


@pytest.mark.parametrize(("language", "words", "content", "when", "rings"), TO_BE_DONE)
async def test_what_is_still_to_be_done_is_no_question_about_money_or_time(
    database: Database, language, words, content, when, rings
):
    at = desk(database, language)

    assert await at.say(words) == "OK"

    record = await at.only()
    expected = datetime(2026, 12, 1, when, tzinfo=at.zone) if isinstance(when, int) else when
    assert (record.type, record.content, record.when) == ("task", content, expected)
    assert (record.remind_at is not None) is rings


@pytest.mark.parametrize(
    ("words", "content"),
    [
        ("今天晚上八點倒垃圾", "倒垃圾"),
        ("今晚上八點倒垃圾", "倒垃圾"),
        ("今天晚八點倒垃圾", "倒垃圾"),
        ("今晚八點上課", "上課"),
    ],
)
async def test_tonight_is_left_whole_and_so_is_what_is_done_then(database: Database, words, content):
    at = desk(database, "zh-TW")
    await at.say(words)

    record = await at.only()
    assert (record.content, record.when) == (content, datetime(2026, 11, 30, 20, tzinfo=at.zone))


@pytest.mark.parametrize("words", ["今晚上課", "明晚上課"])
async def test_what_is_done_of_an_evening_keeps_its_first_sign(database: Database, words):
    at = desk(database, "zh-TW")
    await at.say(words)

    assert (await at.only()).content == "上課"


@pytest.mark.parametrize("words", ["提醒我下午三點開會", "提醒我一下下午三點開會", "記下午三點開會"])
async def test_a_part_of_the_day_behind_a_wish_stays_whole(database: Database, words):
    at = desk(database, "zh-TW")

    assert await at.say(words) == "OK"

    record = await at.only()
    assert (record.content, record.when) == ("開會", datetime(2026, 11, 30, 15, tzinfo=at.zone))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "本月花費"),
        ("zh-TW", "交通費"),
        ("zh-TW", "這個月電費"),
        ("zh-TW", "昨天繳了多少電費"),
        ("zh-TW", "這個月要繳多少電費"),
        ("zh-TW", "昨天繳電費"),
        ("ja", "今月の食費"),
        ("en", "remind me how much I spent this month"),
    ],
)
async def test_a_question_about_spending_writes_nothing(database: Database, language, words):
    at = desk(database, language)

    await at.say(words)

    assert [(name, arguments["type"]) for name, arguments in at.asked] == [("query_records", "expense")]


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-TW", "提醒我今天有什麼事"), ("en", "remind me what's on today"), ("ja", "今日の予定を教えて")],
)
async def test_a_wish_to_be_told_what_there_is_asks_for_it(database: Database, language, words):
    at = desk(database, language)

    await at.say(words)

    assert [arguments["type"] for _, arguments in at.asked] == ["event", "task"]


@pytest.mark.parametrize(
    ("words", "content", "clock"),
    [
        ("dentist at three tomorrow", "dentist", "15:00"),
        ("lunch tomorrow at three", "lunch", "15:00"),
        ("dinner with Ann tomorrow at seven pm", "dinner with Ann", "19:00"),
        ("dinner at Seven Thirty pm with Ann tomorrow", "dinner with Ann", "19:30"),
        ("call mom tomorrow at ten", "call mom", "10:00"),
        ("finish report by three tomorrow", "finish report", "15:00"),
        ("meeting at ten to three tomorrow", "meeting", "14:50"),
        ("meet the team at one table tomorrow", "meet the team at one table", None),
        ("lunch at Seven Stars tomorrow", "lunch at Seven Stars", None),
    ],
)
async def test_an_hour_in_english_words_is_read_where_it_ends_its_phrase(database: Database, words, content, clock):
    at = desk(database, "en")

    assert await at.say(words) == "OK"

    record = await at.only()
    hour = datetime.fromisoformat(f"2026-12-01T{clock}").replace(tzinfo=at.zone) if clock else date(2026, 12, 1)
    assert (record.content, record.when) == (content, hour)


async def test_money_that_was_spent_yesterday_is_yesterdays(database: Database):
    at = desk(database, "zh-TW")

    await at.say("昨天晚餐 300")

    assert (await at.only()).when == date(2026, 11, 29)


async def test_every_line_of_a_message_is_read_and_what_is_not_understood_is_said(database: Database):
    at = desk(database, "zh-TW")

    text = await at.say("午餐 120元\n- 咖啡 65\n嗯嗯啊")

    assert [record.content for record in await at.records()] == ["午餐", "咖啡"]
    assert "嗯嗯啊" in text
    assert "午餐" not in text


async def test_a_reminder_is_set_for_the_day_of_its_event(database: Database):
    at = desk(database, "zh-TW")

    await at.say("明天三點開會，兩點提醒我")

    record = await at.only()
    assert record.content == "開會"
    assert record.when == datetime(2026, 12, 1, 15, tzinfo=at.zone)
    assert record.remind_at == datetime(2026, 12, 1, 14, tzinfo=at.zone)


@pytest.mark.parametrize(
    ("language", "words", "content"),
    [
        ("zh-TW", "提醒我明天早上八點吃藥", "吃藥"),
        ("ja", "明日の8時に薬を飲むようにリマインド", "薬を飲む"),
        ("en", "remind me to take the pills tomorrow at 8am", "take the pills"),
        ("en", "remind me to turn off the heating tomorrow at 8am", "turn off the heating"),
    ],
)
async def test_a_wish_to_be_reminded_rings_at_its_time(database: Database, language, words, content):
    at = desk(database, language)

    await at.say(words)

    record = await at.only()
    assert (record.type, record.content) == ("task", content)
    assert record.remind_at == datetime(2026, 12, 1, 8, tzinfo=at.zone)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "完成 1"),
        ("zh-TW", "#1 做完了"),
        ("ja", "完了 1"),
        ("th", "เสร็จ 1"),
        ("en", "done 1"),
        ("zh-TW", "完成 買牛奶"),
    ],
)
async def test_a_record_is_finished_by_its_number_or_its_name(database: Database, language, words):
    at = desk(database, language)
    await at._run("create_record", {"content": "買牛奶", "type": "task"})

    assert await at.say(words) == "OK"

    assert (await at.only()).status == "done"


async def test_of_two_records_with_the_name_none_is_finished_but_both_are_told(database: Database):
    at = desk(database, "zh-TW")
    for content in ("買牛奶", "買牛奶糖"):
        await at._run("create_record", {"content": content, "type": "task"})

    text = await at.say("完成 牛奶")

    assert "#1" in text
    assert "#2" in text
    assert {record.status for record in await at.records()} == {"open"}


@pytest.mark.parametrize(
    ("language", "words"), [("zh-TW", "刪掉 1"), ("ja", "1 削除"), ("th", "ลบ 1"), ("en", "delete 1")]
)
async def test_a_record_is_deleted_by_its_number(database: Database, language, words):
    at = desk(database, language)
    await at._run("create_record", {"content": "milk", "type": "task"})

    assert await at.say(words) == "OK"

    assert await at.records() == []


async def test_a_record_is_moved_to_another_day_and_time(database: Database):
    at = desk(database, "zh-TW")
    await at._run("create_record", {"content": "回診", "type": "event", "when": "2026-12-01T15:00"})

    await at.say("#1 改後天四點")

    assert (await at.only()).when == datetime(2026, 12, 2, 16, tzinfo=at.zone)


async def test_a_move_to_a_clock_time_alone_asks_for_the_day(database: Database):
    at = desk(database, "zh-TW")
    await at._run("create_record", {"content": "回診", "type": "event", "when": "2026-12-01T15:00"})

    assert "#1" in await at.say("#1 改四點")

    assert (await at.only()).when == datetime(2026, 12, 1, 15, tzinfo=at.zone)


@pytest.mark.parametrize(
    ("language", "words", "hour"),
    [
        ("zh-TW", "#1 改四點", 16),
        ("ja", "#1を16時に変更", 16),
        ("th", "#1 เป็น 16:00 น.", 16),
        ("en", "move #1 to 4pm", 16),
    ],
)
async def test_what_the_question_for_the_day_proposes_is_understood(database: Database, language, words, hour):
    at = desk(database, language)
    await at._run("create_record", {"content": "回診", "type": "event", "when": "2026-12-05T15:00"})

    question = await at.say(words)
    assert question.count("#") == 1
    assert await at.say(re.search("[「“](.+)[」”]", question)[1]) == "OK"

    assert (await at.only()).when == datetime(2026, 12, 1, hour, tzinfo=at.zone)


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [
        ("zh-TW", "#1 改明天五點", "#1 本來就是這樣，沒有動它。"),
        ("ja", "#1を明日17時に変更", "#1 はもうそうなっているので、変えていません。"),
        ("th", "#1 เป็น พรุ่งนี้ 17:00 น.", "#1 เป็นแบบนั้นอยู่แล้ว เลยไม่ได้แก้อะไร"),
        ("en", "move #1 to tomorrow 5pm", "#1 is like that already, so I left it alone."),
    ],
)
async def test_what_is_moved_to_where_it_stands_is_no_failure(database: Database, language, words, expected):
    at = desk(database, language)
    await at._run("create_record", {"content": "回診", "type": "event", "when": "2026-12-05T15:00"})

    assert await at.say(words) == "OK"
    assert await at.say(words) == expected


async def test_a_thing_for_a_list_keeps_the_words_it_was_said_in(database: Database):
    at = desk(database, "en")

    await at.say("Add Earl Grey to my Shopping List")

    record = await at.only()
    assert (record.content, record.tags) == ("Earl Grey", ("Shopping List",))


async def test_a_name_is_looked_for_as_it_was_written(database: Database):
    at = desk(database, "ja")

    assert "「国の書類」" in await at.say("削除 国の書類")
    assert at.asked[0][1]["keyword"] == "国の書類"


@pytest.mark.parametrize("name", [each.name for each in fields(Words) if each.name != "categories"])
def test_every_pattern_of_every_language_can_be_looked_for(name: str):
    assert pattern(name).search("\0") is None
    assert len(patterns(name)) == len(SENTENCES)


def test_every_language_names_things_of_every_category_that_is_spent_on():
    assert {len(words.categories) for words in WORDS.values()} == {INCOME_PLACE}


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [
        ("zh-TW", "今天有什麼事", "今天 2 件：18:00 接小孩 #1。沒定時間：買牛奶 #2。"),
        ("ja", "今日の予定は?", "今日は2件：18:00 接小孩 #1。時間なし：買牛奶 #2。"),
        ("th", "วันนี้มีอะไรบ้าง", "วันนี้ 2 รายการ: 18:00 น. 接小孩 #1\nไม่ระบุเวลา: 買牛奶 #2"),
        ("en", "what's due today?", "2 today: 18:00 接小孩 #1. No time set: 買牛奶 #2."),
    ],
)
async def test_the_day_is_told_clock_times_first(database: Database, language, words, expected):
    at = desk(database, language)
    await at._run("create_record", {"content": "接小孩", "type": "event", "when": "2026-11-30T18:00"})
    await at._run("create_record", {"content": "買牛奶", "type": "task", "when": "2026-11-30"})
    await at._run("create_record", {"content": "午餐", "type": "expense", "amount": 120})

    assert await at.say(words) == expected


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [
        ("zh-TW", "這個月吃飯花了多少?", "這個月飲食 200 元、2 筆。最多：11/30（一）午餐 120 元 #1。"),
        ("ja", "今月いくら使った?", "今月の支出は230円、3件。最高は11/30（月）午餐 120円 #1。"),
        ("th", "เดือนนี้ใช้ไปเท่าไหร่", "เดือนนี้ใช้ไป 230 บาท จาก 3 รายการ\nมากสุด: จ. 30 พ.ย. 午餐 120 บาท #1"),
        ("en", "how much did I spend this month", "Spent this month: $230, 3 in all. Most: Mon Nov 30 午餐 $120 #1."),
    ],
)
async def test_totals_are_those_of_the_store(database: Database, language, words, expected):
    at = desk(database, language)
    food, transport = CATEGORIES[language][:2]
    for content, amount, category in (("午餐", 120, food), ("早餐", 80, food), ("捷運", 30, transport)):
        arguments = {"content": content, "type": "expense", "amount": amount, "category": category}
        await at._run("create_record", arguments)

    assert await at.say(words) == expected


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "還有什麼沒做"),
        ("zh-TW", "還有哪些事沒做"),
        ("zh-TW", "待辦清單"),
        ("ja", "やることは?"),
        ("th", "มีงานอะไรค้าง"),
        ("en", "what do I need to do?"),
    ],
)
async def test_what_is_left_to_do_is_told_with_its_numbers(database: Database, language, words):
    at = desk(database, language)
    await at._run("create_record", {"content": "買牛奶", "type": "task"})

    assert "買牛奶 #1" in await at.say(words)


async def test_a_word_is_looked_for(database: Database):
    at = desk(database, "zh-TW")
    await at._run("create_record", {"content": "咖啡豆在上層", "type": "note"})

    assert "咖啡豆在上層 #1" in await at.say("找 咖啡")
    assert "紅茶" in await at.say("找 紅茶")


LEFT_ALONE = [
    ("zh-TW", "明天會下雨嗎"), ("zh-TW", "講個笑話"), ("zh-TW", "設定5分鐘計時器"), ("zh-TW", "你好"), ("zh-TW",
    "今天很累"),
    ("zh-TW", "分機 1234"), ("zh-TW", "播放70年代的音樂"),
    ("zh-TW", "倒數5分鐘30秒後關燈"), ("zh-TW", "體重 60"),
    ("zh-TW", "謝謝你"),
    ("zh-TW", "我愛你"), ("ja", "体重 60"),
    ("zh-TW", "買了牛奶"), ("zh-TW", "買好牛奶了"), ("zh-TW", "昨天寄了包裹"),
    ("th", "ซื้อนมแล้ว"), ("zh-TW", "以後都改九點"), ("zh-TW", "每天晚上睡前提醒我量血壓"),
    ("en", "meeting moved to 3pm"), ("ja", "明日は雨ですか"), ("ja", "リビングのライトを消して"), ("ja",
    "ありがとう"),
    ("th", "พรุ่งนี้ฝนตกไหม"), ("en", "what's the weather tomorrow"),
    ("en", "set a timer for 5 minutes"), ("en", "tell me a joke"), ("en", "room 305"), ("en", "iphone 15"),
    ("en", "play music tonight"), ("en", "rate this book 4 stars"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "words"), LEFT_ALONE)
async def test_what_is_not_understood_changes_nothing_and_says_what_works(database: Database, language, words):
    at = desk(database, language)

    assert await at.say(words) == SENTENCES[language].lost

    assert at.asked == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh-TW", "下週三到五去日本出差"),
        ("zh-TW", "下週三十二號開會"), ("zh-TW", "提醒我下週三十二號繳費"), ("zh-TW", "下週三十二號有什麼事"),
        ("zh-TW", "下週三十二號繳費"), ("zh-TW", "週三十二號開會"), ("zh-TW", "下週二十二號午餐 120"),
        ("zh-TW", "提醒我四月三十一號繳費"), ("zh-TW", "四月三十一號買牛奶"), ("zh-TW", "待辦 四月三十一號繳費"),
        ("zh-TW", "二月三十號提醒我"), ("zh-TW", "提醒我 4/31 繳費"), ("ja", "4月31日にリマインド"),
        ("th", "เตือน 31 เมษายน จ่ายเงิน"), ("en", "remind me april 31 pay"), ("en", "remind me to pay on 31st of Sept."),
        ("en", "feb 30 dentist"), ("en", "dentist Feb 30 at 3pm"), ("en", "meeting 31 June 5pm"),
        ("en", "June 31 5pm dentist"), ("en", "meeting on 31st of June at 5pm"),
        ("en", "remind me at 30pm to call mum"),
        ("zh-TW", "提醒我26點喝水"), ("th", "เตือนตอน 30 โมง กินยา"), ("ja", "26時に薬をリマインド"),
    ],
)  # fmt: skip
async def test_a_day_that_no_month_has_or_that_may_be_two_is_told_and_nothing_noted(
    database: Database, language, words
):
    at = desk(database, language)
    assert await at.say(words) == SENTENCES[language].time_not_read
    assert at.asked == []


@pytest.mark.parametrize(
    ("language", "words", "when"),
    [
        ("zh-TW", "清單 明天", "明天"), ("zh-TW", "清單 後天的", "後天"), ("zh-TW", "明天的清單", "明天"),
        ("ja", "リスト 明日", "明日"),
        ("th", "รายการ พรุ่งนี้", "พรุ่งนี้"), ("en", "list tomorrow", "tomorrow"), ("en", "list for next week", "next week"),
    ],
)  # fmt: skip
async def test_the_list_of_a_day_is_asked_for_and_not_an_event(database: Database, language, words, when):
    at = desk(database, language)
    await at.say(words)
    assert [(tool, arguments["when"]) for tool, arguments in at.asked] == [("query_records", when)] * 2


@pytest.mark.parametrize(("language", "noun"), [("zh-TW", "牛奶"), ("ja", "牛乳"), ("th", "นม"), ("en", "milk")])
async def test_a_bare_noun_is_asked_about(database: Database, language, noun):
    at = desk(database, language)

    assert noun in await at.say(noun)

    assert at.asked == []


@pytest.mark.parametrize("language", sorted(PLACES))
async def test_an_absent_number_is_an_honest_answer(database: Database, language):
    at = desk(database, language)

    assert await at.say("done 99") == SENTENCES[language].no_ref


async def test_an_older_message_is_history():
    messages: list[Message] = [
        {"role": "user", "content": "午餐 120"},
        {"role": "assistant", "content": "好"},
        {"role": "user", "content": "牛奶"},
    ]

    assert (await completed(messages)).calls == ()


async def completed(messages: list[Message], *, may_call: bool = True) -> Completion:
    async def nothing(_: dict[str, Any], __: CallKey) -> dict[str, Any]:
        return {}

    tool = ToolDefinition("create_record", "", {"properties": {}}, nothing)
    return await OfflineEngine().complete(messages, [tool], may_call=may_call)


async def test_without_permission_to_call_it_answers_in_words():
    answer = await completed([{"role": "user", "content": "lunch 12.50"}], may_call=False)

    assert answer.calls == ()
    assert answer.text == phrases_of("en").only_looks


async def test_a_call_is_a_valid_assistant_message():
    answer = await completed([{"role": "user", "content": "lunch 12.50"}])

    (call,) = answer.message["tool_calls"]
    assert answer.message["role"] == "assistant"
    assert call["type"] == "function"
    assert json.loads(call["function"]["arguments"])["amount"] == 12.5
    assert answer.calls[0].id == call["id"]
    assert answer.finish == "tool_calls"


async def test_a_category_is_named_only_if_the_person_has_it():
    answer = await completed([{"role": "user", "content": "午餐 120"}])

    assert "category" not in json.loads(answer.calls[0].arguments)


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None)
async def test_any_text_gets_an_answer(text: str):
    answer = await completed([{"role": "user", "content": text}])

    assert answer.calls or answer.text


@pytest.mark.parametrize("language", SENTENCES)
def test_no_sentence_of_its_own_claims_that_something_was_saved(language):
    filled = [
        getattr(SENTENCES[language], name).format_map(defaultdict(lambda: "3"))
        for name in Sentences.__dataclass_fields__
    ]
    assert [sentence for sentence in filled if claims_saved(sentence)] == []

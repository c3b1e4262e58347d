"""Many lines at once, times no calendar has, and numbers that are no price: the engine without a model in its loop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.engines.offline.sentences import SENTENCES
from bot.ports import TurnId
from bot.sql.transcript import SqlTranscript
from bot.thinking.prompt import Stamp, stamped
from bot.thinking.tool_loop import ToolLoop
from tests.fakes import a_prompt
from tools.database import Database
from tools.definition import Caller
from tools.record import PersonId, Record, RecordQuery
from tools.sql.memory import SqlMemory
from tools.toolbox import toolbox

ZONE = ZoneInfo("Asia/Taipei")
NOW = datetime(2026, 11, 30, 9, 30, tzinfo=ZONE)
CALLER = Caller(person=PersonId("U1"), role="owner", language="zh-TW", home="zh-TW", zone=ZONE, currency="TWD", now=NOW)
ZH = SENTENCES["zh-TW"]


class House:
    """The engine in the loop, with a store and a transcript in a database."""

    def __init__(self, database: Database) -> None:
        self.memory = SqlMemory(database, CALLER.person, lambda: NOW)
        self.transcript = SqlTranscript(database, lambda: NOW)
        self.turns = 0

    async def say(self, words: str, *, max_rounds: int = 8) -> str:
        """The final text to one message."""
        self.turns += 1
        user = {"role": "user", "content": stamped(Stamp(NOW, ZONE, "zh-TW", "TWD"), words)}
        prompt = a_prompt(user, turn=TurnId(f"t{self.turns}"), person=CALLER.person, day=NOW.date())
        loop = ToolLoop(OfflineEngine(), self.transcript, max_rounds=max_rounds)
        return await loop.llm(prompt, toolbox(CALLER, self.memory))

    async def count(self) -> int:
        return (await self.memory.query(RecordQuery(limit=0, total="count"))).matched

    async def records(self) -> list[Record]:
        return list((await self.memory.query(RecordQuery(limit=20, sort="created"))).records)


@pytest.fixture
async def house() -> AsyncIterator[House]:
    database = Database("sqlite://")
    await database.start()
    yield House(database)
    await database.close()


@pytest.mark.parametrize("count", [16, 17, 20, 70, 128])
async def test_every_line_of_a_long_list_becomes_a_record(house: House, count: int):
    assert await house.say("\n".join(f"記 事項{number}" for number in range(count))) == "OK"

    assert await house.count() == count


async def test_every_price_of_one_long_line_becomes_a_record(house: House):
    assert await house.say(" ".join(f"午餐{number}" for number in range(100, 120))) == "OK"

    assert await house.count() == 20


async def test_what_does_not_fit_into_all_rounds_is_told(house: House):
    said = await house.say("\n".join(f"記 事項{number}" for number in range(200)))

    assert await house.count() == 128
    assert said.splitlines() == [
        *(ZH.line_not_reached.format(what=f"記 事項{number}") for number in range(128, 133)),
        ZH.more_lines.format(n=67),
    ]


async def test_with_fewer_rounds_more_is_told_as_left_out(house: House):
    said = await house.say("\n".join(f"午餐 {number}" for number in range(100, 120)), max_rounds=1)

    assert await house.count() == 16
    assert said.splitlines() == [ZH.line_not_reached.format(what=f"午餐 {number}") for number in range(116, 120)]


async def test_equal_lines_far_from_each_other_are_several_records(house: House):
    lines = ["咖啡 50", *(f"午餐 {number}" for number in range(100, 120)), "咖啡 50"]

    assert await house.say("\n".join(lines)) == "OK"

    assert await house.count() == 22


async def test_more_equal_lines_than_one_answer_holds_are_told(house: House):
    said = await house.say("\n".join(["咖啡 50"] * 20))

    assert await house.count() == 16
    assert said == ZH.line_not_reached.format(what="咖啡 50")


async def test_a_record_named_at_the_end_of_a_long_list_is_still_finished(house: House):
    await house.say("買牛奶")

    assert await house.say("\n".join([*(f"記 事項{number}" for number in range(20)), "完成 買牛奶"])) == "OK"

    (milk,) = (await house.memory.query(RecordQuery(keyword="買牛奶"))).records
    assert milk.status == "done"


async def test_a_record_named_by_name_that_found_no_round_is_told(house: House):
    await house.say("買牛奶")

    said = await house.say("完成 買牛奶", max_rounds=1)

    assert said == ZH.line_not_reached.format(what="完成 買牛奶")


async def test_of_many_lines_that_are_not_understood_a_few_are_named_and_the_others_counted(house: House):
    said = await house.say("\n".join(["記 牛奶", *(f"嗯嗯啊啊第{number}句嗎" for number in range(30))]))

    assert len(said.splitlines()) == 6
    assert said.splitlines()[-1] == ZH.more_lines.format(n=25)


async def test_a_message_too_long_to_be_read_is_told_so(house: House):
    assert await house.say("記 " + "字" * 9_000) == ZH.too_long
    assert await house.count() == 0


async def test_a_long_note_is_kept_whole(house: House):
    assert await house.say("記 " + "字" * 4_900) == "OK"

    (note,) = await house.records()
    assert (note.type, note.content) == ("note", "字" * 4_900)


@pytest.mark.parametrize(
    "words",
    [
        "明天 23:60 開會",
        "23:60 開會",
        "明天25點開會",
        "明天下午3點70分開會",
        "提醒我明天25點喝水",
        "10000年1月1日 開會",
        "2/30 開會",
        "13月45日 開會",
        "明日25時 会議",
        "พรุ่งนี้ 25:00 ประชุม",
        "tomorrow 25:00 meeting",
        "明天提醒我後天25點喝水",
        "明年2月30日開會",
        "2月30號開會",
        "二月三十號開會",
        "二月 三十號開會",
        "二月三十日開會",
        "四月三十一號繳房租",
        "十二月三十二號開會",
        "来年2月30日 会議",
        "30 กุมภาพันธ์ ประชุม",
        "31 มิถุนายน",
        "ประชุม 31 มิ.ย.",
        "วันที่ 31 เดือนมิถุนายน ประชุม",
        "31 พฤศจิกายน 2026",
        "32 ธันวาคม ประชุม",
        "30 กุมภาพันธ์ ค่าไฟ 500 บาท",
        "meeting on June 31st",
    ],
)
async def test_a_time_no_calendar_has_is_refused_and_not_read_in_part(house: House, words: str):
    assert await house.say(words) == ZH.time_not_read
    assert await house.count() == 0


@pytest.mark.parametrize(
    ("words", "hour"), [("後天下午13點開會", 13), ("12/1 15:00 面試", 15), ("2026年12月3日 下午3點 面試", 15)]
)
async def test_a_time_that_can_be_read_is_not_refused(house: House, words: str, hour: int):
    await house.say(words)

    (event,) = await house.records()
    assert isinstance(event.when, datetime)
    assert event.when.astimezone(ZONE).hour == hour


@pytest.mark.parametrize(
    ("words", "content"),
    [
        ("記 事項3", "事項3"),
        ("記 限流600", "限流600"),
        ("メモ 事項3", "事項3"),
        ("จด: รายการ3", "รายการ3"),
        ("記 課程3", "課程3"),
        ("記 比數 25:70", "比數 25:70"),
    ],
)
async def test_behind_a_note_word_a_number_that_hangs_on_its_word_is_no_price(house: House, words: str, content: str):
    await house.say(words)

    (note,) = await house.records()
    assert (note.type, note.content, note.amount) == ("note", content, None)


@pytest.mark.parametrize("words", ["記 午餐 120", "記 午餐120", "記 午餐120元", "記帳 午餐 120"])
async def test_behind_a_note_word_what_costs_money_is_still_an_expense(house: House, words: str):
    await house.say(words)

    (lunch,) = await house.records()
    assert (lunch.type, lunch.content, lunch.amount) == ("expense", "午餐", 120)


# ── what is certain ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "certain", "rest"),
    [
        ("午餐 120", "午餐 120", ""),
        ("午餐 120\n\n・幫我想一首詩\n- 買牛奶", "午餐 120\n- 買牛奶", "・幫我想一首詩"),
        ("記 樓下的飲料店很好喝", "記 樓下的飲料店很好喝", ""),
        ("記 明天25點開會", "", "記 明天25點開會"),  # kept as a note, it would never be of tomorrow
        ("今天有什麼事？", "今天有什麼事？", ""),
        ("dentist at three tomorrow", "dentist at three tomorrow", ""),
        ("dinner tomorrow at seven or eight", "", "dinner tomorrow at seven or eight"),
        ("30 กุมภาพันธ์ ประชุม", "", "30 กุมภาพันธ์ ประชุม"),
        ("謝謝", "", "謝謝"),
        ("買牛奶 " + "很長" * 2500, "", "買牛奶 " + "很長" * 2500),
    ],
)
def test_a_line_is_certain_if_it_is_carried_out_whole(words: str, certain: str, rest: str):
    stamp = Stamp(NOW, ZONE, CALLER.language, CALLER.currency)
    tools = toolbox(CALLER, SqlMemory(Database("sqlite://"), CALLER.person, lambda: NOW))

    assert OfflineEngine().certain(stamped(stamp, words), tools) == (certain, rest)
    assert OfflineEngine().certain(stamped(stamp, words), tools[1:2]) == ("", words)


@pytest.mark.parametrize("said", ["2026-02-30 開會", "2026/2/30 開會", "2026-13-01 開會"])
async def test_a_day_in_figures_that_no_month_has_is_told_and_nothing_noted(house: House, said: str):
    assert await house.say(said) == ZH.time_not_read
    assert await house.count() == 0

"""How fast the store answers with many records of one owner: ``python tests/bench/queries.py --records 100000``.

Prints the median and the 95th percentile of each question in milliseconds, as a caller on the event loop waits for it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sqlalchemy import Connection, insert

from tools.database import Database
from tools.record import CallKey, Draft, PersonId, RecordQuery, RecordType, Span
from tools.sql.memory import SqlMemory
from tools.sql.record import OWNER, RECORD, columns_of, words_of
from tools.sql.terms import TAG, TERM, WORDS
from tools.words import normalised, terms

OWNER_ID = PersonId("U" + "0" * 32)
TAIPEI = ZoneInfo("Asia/Taipei")
LAST_DAY = date(2026, 11, 30)
DAYS = 5 * 365
BATCH = 2_000


def listed(words: str) -> list[str]:
    """The words in a line."""
    return words.split()


MEALS = listed(
    "早餐 午餐 晚餐 宵夜 火鍋 拉麵 便當 牛肉麵 咖啡 珍珠奶茶 水餃 壽司 鹹酥雞 小籠包 滷肉飯 三明治 沙拉 豆漿"
)
SHOPS = listed("全聯 家樂福 星巴克 路易莎 麥當勞 7-11 全家 誠品 好市多 IKEA momo 蝦皮 屈臣氏 小北百貨 Uniqlo 無印良品")
DEEDS = listed("買 繳 打給 預約 整理 寄 修理 準備 確認 取消 回覆 領 退貨 續約 拿 看")
THINGS = listed("牛奶 電費 房租 牙醫 簡報 護照 洗衣機 保險 行李 會議室 報告 生日禮物 停車費 貓砂 咖啡豆 藥 車票 合約")
PEOPLE = listed("陳醫師 小明 媽媽 王經理 田中さん Kevin Amy 阿嬤 房東 客戶 老師 Somchai")
LATIN = listed("traffic meeting lunch report coffee gym invoice flight hotel review release deadline budget yoga pizza")
OTHERS = listed("会議 買い物 飲み会 病院 ซื้อกาแฟ ค่ารถ ประชุม ข้าวมันไก่ 昼ごはん 電車")
CATEGORIES = listed("飲食 交通 購物 居住 娛樂 醫療 教育 其他")
TAGS = listed("家 公司 旅行 健康 小孩 車 貓")


def content(dice: random.Random) -> str:
    """Something a person would say."""
    shapes = [
        lambda: f"{dice.choice(MEALS)}",
        lambda: f"{dice.choice(SHOPS)}{dice.choice(MEALS)}",
        lambda: f"{dice.choice(DEEDS)}{dice.choice(THINGS)}",
        lambda: f"跟{dice.choice(PEOPLE)}{dice.choice(DEEDS)}{dice.choice(THINGS)}，{dice.choice(SHOPS)}旁邊",
        lambda: f"{dice.choice(LATIN)} {dice.choice(LATIN)} with {dice.choice(PEOPLE)}",
        lambda: f"{dice.choice(OTHERS)} {dice.choice(THINGS)}",
    ]
    words = dice.choice(shapes)()
    return f"{words} {dice.randrange(1000)}" if dice.random() < 0.3 else words


def draft(dice: random.Random) -> Draft:
    """One record of a busy person: mostly money, then tasks and events."""
    kind: RecordType = dice.choices(("expense", "task", "event", "note", "income", "idea"), (55, 20, 12, 6, 4, 3))[0]
    day = LAST_DAY - timedelta(days=dice.randrange(DAYS))
    clock = datetime(day.year, day.month, day.day, dice.randrange(24), dice.randrange(60), tzinfo=TAIPEI)
    money = kind in {"expense", "income"}
    return Draft(
        content=content(dice),
        type=kind,
        status="done" if kind == "task" and dice.random() < 0.8 else "open",
        when=None if kind in {"note", "idea"} else day if money or dice.random() < 0.4 else clock,
        until=day + timedelta(days=3) if kind == "event" and dice.random() < 0.05 else None,
        amount=Decimal(dice.randrange(10, 3000)) if money else None,
        currency=dice.choices(("TWD", "JPY", "USD"), (96, 3, 1))[0] if money else None,
        category=dice.choice(CATEGORIES) if money else None,
        tags=tuple(dice.sample(TAGS, dice.choice((0, 0, 0, 1, 2)))),
    )


def fill(connection: Connection, first: int, drafts: list[Draft]) -> None:
    """Store many records at once, as rows of the real tables."""
    records: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    found_by: list[dict[str, Any]] = []
    tagged: list[dict[str, Any]] = []
    for ref, each in enumerate(drafts, first):
        stamp = {"created_at": ref, "updated_at": ref, "deleted_at": None, "next_ring": None, "rev": 1}
        row = {"id": f"{ref:032x}", "key": f"{ref:032x}", "owner": OWNER_ID, "ref": ref, **stamp, **columns_of(each)}
        records.append(row)
        texts.append({"owner": 1, "ref": ref, "words": words_of(row)})
        found_by += [{"owner": 1, "term": term, "ref": ref} for term in terms(texts[-1]["words"])]
        tagged += [{"owner": 1, "ref": ref, "tag": normalised(tag), "name": tag} for tag in each.tags]
    for table, rows in ((RECORD, records), (WORDS, texts), (TERM, found_by), (TAG, tagged)):
        connection.execute(insert(table), rows)


async def built(url: str, records: int) -> Database:
    """A database with so many records of one owner."""
    database, dice = Database(url), random.Random(1)
    await database.start()
    start = time.perf_counter()
    await database.write(lambda c: c.execute(insert(OWNER), {"no": 1, "person": OWNER_ID, "last_ref": records}))
    for first in range(1, records + 1, BATCH):
        some = [draft(dice) for _ in range(min(BATCH, records + 1 - first))]
        await database.write(lambda c, first=first, some=some: fill(c, first, some), durable=False)  # type: ignore[misc]
    print(f"{records} records built in {time.perf_counter() - start:.0f} s")
    return database


async def measured(name: str, ask: Callable[[int], Awaitable[object]], times: int) -> None:
    """Ask so many times and print how long it took, by the clock and in work of this process."""
    await ask(0)
    waited, worked = [], []
    for turn in range(1, times + 1):
        start, busy = time.perf_counter(), time.process_time()
        await ask(turn)
        waited.append((time.perf_counter() - start) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    middle, high = times // 2, int(times * 0.95)
    waited.sort()
    worked.sort()
    by_clock = f"p50 {waited[middle]:7.2f} ms   p95 {waited[high]:7.2f} ms"
    print(f"{name:<38} {by_clock}   (work p50 {worked[middle]:6.2f}   p95 {worked[high]:6.2f})")


def month(turn: int) -> Span:
    """One of the last months."""
    number = 2026 * 12 + 10 - turn % 36
    start = datetime(number // 12, number % 12 + 1, 1, tzinfo=TAIPEI)
    return Span(start, datetime((number + 1) // 12, (number + 1) % 12 + 1, 1, tzinfo=TAIPEI))


async def run(url: str, records: int, times: int) -> None:
    """Build and measure."""
    database = await built(url, records)
    memory = SqlMemory(database, OWNER_ID, lambda: datetime(2026, 11, 30, tzinfo=UTC))

    def pick(words: list[str], turn: int) -> str:
        return words[turn % len(words)]

    def asked(**question: Any) -> Awaitable[object]:
        return memory.query(RecordQuery(**question))

    two = [word for word in MEALS + SHOPS + THINGS if len(word) == 2]
    three = [word for word in MEALS + SHOPS + THINGS + PEOPLE if len(word) > 2]
    one = list("咖牛麵陳買茶貓房")
    thai = ["กาแฟ", "ข้าว", "รถ", "ประชุม"]
    latin = [*LATIN, "raff", "meet", "vin", "pizza yoga", "kevin"]
    year = Span(datetime(2026, 1, 1, tzinfo=TAIPEI), datetime(2027, 1, 1, tzinfo=TAIPEI))
    questions: dict[str, Callable[[int], Awaitable[object]]] = {
        "keyword, two Chinese characters": lambda turn: asked(keyword=pick(two, turn)),
        "keyword, one Chinese character": lambda turn: asked(keyword=pick(one, turn)),
        "keyword, three characters and more": lambda turn: asked(keyword=pick(three, turn)),
        "keyword, Latin": lambda turn: asked(keyword=pick(latin, turn)),
        "keyword, Thai": lambda turn: asked(keyword=pick(thai, turn)),
        "keyword, nowhere": lambda turn: asked(keyword=f"不存在{turn}"),
        "keyword and month": lambda turn: asked(keyword=pick(two, turn), span=month(turn), sort="when"),
        "keyword and type": lambda turn: asked(keyword=pick(two, turn), type="expense"),
        "keyword, total of its amounts": lambda turn: asked(keyword=pick(two, turn), total="amount"),
        "keyword and year, total": lambda turn: asked(keyword=pick(two, turn), span=year, total="amount", limit=0),
        "keyword by when": lambda turn: asked(keyword=pick(two, turn), sort="when"),
        "month total, expenses": lambda turn: asked(type="expense", span=month(turn), total="amount"),
        "month total by category": lambda turn: asked(
            type="expense", span=month(turn), total="amount", group_by="category", limit=0
        ),
        "month total by tag": lambda turn: asked(type="expense", span=month(turn), total="amount", group_by="tag"),
        "year by month": lambda turn: asked(
            span=year,
            total="net",
            group_by="month",
            limit=0,
        ),
        "list by when, everything": lambda turn: asked(sort="when"),
        "list by when, a month": lambda turn: asked(sort="when", span=month(turn)),
        "open tasks by when": lambda turn: asked(type="task", status="open", sort="when"),
        "newest five": lambda turn: asked(),
        "dearest of all": lambda turn: asked(sort="-amount"),
        "tag": lambda turn: asked(tags=(pick(TAGS, turn),)),
        "one by ref": lambda turn: memory.get(1 + turn * 7 % records),
    }
    for name, ask in questions.items():
        await measured(name, ask, times)
    dice = random.Random(2)

    async def create(turn: int) -> None:
        await memory.record(draft(dice), CallKey("bench", turn), lambda record: {"ref": record.ref})

    await measured("create", create, times)
    await database.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=200, help="how often each question is asked")
    parser.add_argument("--url", help="another store than a SQLite file in a temporary folder; must be empty")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = options.url or f"sqlite:///{folder}/bench.db"
        asyncio.run(run(url, options.records, options.times))


if __name__ == "__main__":
    main()

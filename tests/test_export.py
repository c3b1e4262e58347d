"""What a person takes along: a link that is used up once, over real HTTP, and a table that spreadsheets open."""

from __future__ import annotations

import asyncio
import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from bot.export_pages import HEADERS, ExportPages
from bot.ports import Person
from bot.sql.exports import EXPORT_LINK, LASTS, PART, SqlExports
from bot.sql.people import SqlPeople
from bot.voice.farewell_words import farewell_words
from bot.voice.language import LANGUAGES
from bot.voice.spreadsheet import HEADS, body, head
from tests.bot_process import running
from tests.chromium import chromium, needs_chromium
from tests.fakes import ANNA, BEN, Calendar
from tests.serving import served
from tests.talk import Talk, remember
from tools.database import Database
from tools.record import CallKey, Draft, Note, PersonId, Record
from tools.sql.memory import SqlMemory

TAIPEI = ZoneInfo("Asia/Taipei")
WORDS = farewell_words("zh-TW")
SECRET = "5ec2e7" * 10


class House:
    """A store with one person, and the pages in front of it."""

    def __init__(self, database: Database) -> None:
        self.clock = Calendar()
        self.database = database
        self.secrets = [SECRET, SECRET[::-1], "0" * 60]
        self.exports = SqlExports(database, self.clock, lambda: self.secrets.pop(0))
        self.people = SqlPeople(database, self.clock)
        self.web = FastAPI(openapi_url=None)
        ExportPages(self.exports, self.people.find, self.clock).add_to(self.web)

    def memory(self, person: str = ANNA) -> SqlMemory:
        return SqlMemory(self.database, PersonId(person), self.clock)

    async def moves_in(self, *contents: str) -> str:
        """The way to the file of somebody with these records."""
        await self.people.keep(Person(PersonId(ANNA), "zh-TW", "zh-TW", TAIPEI, "TWD", "owner"))
        for number, content in enumerate(contents, start=1):
            await self.memory().record(Draft(content=content, type="note"), CallKey("t", number), lambda _: {})
        return f"/export/{await self.exports.offer(PersonId(ANNA))}"


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


@pytest.fixture
async def browser(house: House):
    async with served(house.web) as address, httpx.AsyncClient(base_url=address) as client:
        yield client


def read(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf"), "by this Excel knows UTF-8"
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))


# ── the link ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_looking_uses_nothing_up_and_the_button_gives_the_file_once(house, browser):
    path = await house.moves_in("買牛奶")
    for _ in range(3):
        page = await browser.get(path)
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert '<form method="post">' in page.text
    looked = await browser.head(path)
    assert (looked.status_code, looked.content) == (200, b"")

    file = await browser.post(path)
    assert file.status_code == 200
    assert [row[3] for row in read(file.content)] == ["內容", "買牛奶"]

    for again in (await browser.post(path), await browser.get(path), await browser.head(path)):
        assert again.status_code == 404
    assert WORDS.page_gone in (await browser.get(path, headers={"accept-language": "zh-TW,en;q=0.5"})).text


async def test_nothing_of_it_is_kept_found_or_guessed_at(house, browser):
    path = await house.moves_in("買牛奶")
    page, file = await browser.get(path), await browser.post(path)
    gone = await browser.get(path)
    for answer in (page, file, gone):
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert file.headers["content-type"] == "text/csv; charset=utf-8"
    attached = file.headers["content-disposition"]
    assert attached.startswith("attachment; filename=\"records.csv\"; filename*=UTF-8''%E6%88%91")
    assert attached.endswith("-2026-11-30.csv")


async def test_a_link_lasts_an_hour_and_a_new_one_makes_the_old_one_void(house, browser):
    old = await house.moves_in("買牛奶")
    new = f"/export/{await house.exports.offer(PersonId(ANNA))}"
    assert (await browser.post(old)).status_code == 404
    house.clock.move(seconds=LASTS.total_seconds() - 1)
    assert (await browser.get(new)).status_code == 200
    house.clock.move(seconds=1)
    assert (await browser.post(new)).status_code == 404


async def test_of_two_who_ask_at_the_same_moment_one_gets_it(house, browser):
    path = await house.moves_in("買牛奶")
    answers = await asyncio.gather(*(browser.post(path) for _ in range(5)))
    assert sorted(each.status_code for each in answers) == [200, 404, 404, 404, 404]


@pytest.mark.parametrize("secret", ["x", "0" * 200, "0" * 5_000, "%00", "..%2f..", "%F0%9F%98%80", "' OR 1=1"])
async def test_a_guess_opens_nothing(house, browser, secret):
    await house.moves_in("買牛奶")
    for answer in (await browser.get(f"/export/{secret}"), await browser.post(f"/export/{secret}")):
        assert answer.status_code == 404
    assert "買牛奶" not in answer.text


async def test_the_secret_itself_is_nowhere_in_the_store(house):
    await house.moves_in("買牛奶")
    rows = await house.database.read(lambda c: c.execute(select(EXPORT_LINK)).all())
    assert SECRET not in str(rows)


async def test_a_store_that_fails_takes_no_link_away(house, browser):
    path = await house.moves_in("買牛奶")
    shut = House(Database("sqlite://"))  # never opened
    async with served(shut.web) as address, httpx.AsyncClient(base_url=address) as client:
        for answer in (await client.get(path), await client.post(path)):
            assert answer.status_code == 503
            assert answer.headers["cache-control"] == "no-store"
    assert (await browser.post(path)).status_code == 200


async def test_everything_of_ones_own_is_in_it_and_nothing_else(house, browser):
    path = await house.moves_in(*(f"筆記{number}" for number in range(PART + 3)))
    await house.memory(BEN).record(Draft(content="別人的", type="note"), CallKey("b", 1), lambda _: {})
    await house.memory().remove([2], CallKey("t", 9_999), lambda _: {})
    rows = read((await browser.post(path)).content)[1:]
    assert [int(row[0]) for row in rows] == [1, *range(3, PART + 4)]
    assert "別人的" not in str(rows)


@needs_chromium
async def test_a_person_with_a_browser_gets_the_file(house, tmp_path):
    path = await house.moves_in("買牛奶")
    async with served(house.web) as address, chromium() as chrome:
        page = await chrome.new_page()
        await page.goto(address + path)
        assert await page.title() == WORDS.page_title
        async with page.expect_download() as download:
            await page.get_by_role("button").click()
        file = await download.value
        await file.save_as(tmp_path / "got.csv")
        assert file.suggested_filename == "我的紀錄-2026-11-30.csv"
    assert [row[3] for row in read((tmp_path / "got.csv").read_bytes())] == ["內容", "買牛奶"]


# ── the table ─────────────────────────────────────────────────────────────────────────────────────────────────────


def record(**fields: object) -> Record:
    moment = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
    whole = {"id": "1", "owner": PersonId(ANNA), "ref": 7, "key": "k", "rev": 1, "content": "午餐", "type": "expense"}
    return Record(**whole | {"created_at": moment, "updated_at": moment} | fields)


def row(language: str = "zh-TW", **fields: object) -> dict[str, str]:
    text = head(language) + body([record(**fields)], TAIPEI, language)
    heads, cells = read(text.encode())
    assert len(heads) == len(cells)
    return dict(zip(HEADS["en"], cells, strict=True))


def test_every_field_stands_in_its_column_in_ones_own_words_and_time():
    told = row(
        when=datetime(2026, 12, 1, 7, 0, tzinfo=UTC),
        until=date(2026, 12, 2),
        remind_at=datetime(2026, 12, 1, 6, 0, tzinfo=UTC),
        amount=Decimal(120),
        currency="TWD",
        category="飲食",
        tags=("公司", "請客"),
        notes=(Note(datetime(2026, 12, 1, 8, 0, tzinfo=UTC), "很好吃"),),
        status="done",
        origin="others",
    )
    assert told == {
        "Number": "7",
        "Type": "支出",
        "Status": "完成",
        "Content": "午餐",
        "When": "2026-12-01 15:00:00",
        "Until": "2026-12-02",
        "Remind at": "2026-12-01 14:00:00",
        "Amount": "120.00",
        "Currency": "TWD",
        "Category": "飲食",
        "Tags": "公司; 請客",
        "Notes": "2026-12-01 16:00:00 很好吃",
        "Origin": "others",
        "Created": "2026-11-30 12:00:00",
        "Updated": "2026-11-30 12:00:00",
        "Zone": "Asia/Taipei",
    }


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", " =1+1", "\u3000@x", "\n=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("said", FORMULAS)
def test_what_a_person_wrote_is_never_a_formula(said):
    told = row(content=said, category=said, tags=(said,))
    assert told["Content"] == f"'{said}"
    assert told["Category"].startswith("'")
    assert told["Tags"].startswith("'")


@pytest.mark.parametrize("said", ['他說"好"', "一行\n兩行", "a,b", "a\r\nb", "1-1", "a=b", "'quoted", "😀"])
def test_what_is_no_formula_comes_through_as_it_was_said(said):
    assert row(content=said)["Content"] == said


def test_lines_end_as_the_standard_says_and_money_has_its_decimals():
    dollars, yen = record(amount=Decimal("12.5"), currency="USD"), record(amount=Decimal(850), currency="JPY")
    text = head("en") + body([dollars, yen], TAIPEI, "en")
    assert text.count("\r\n") == text.count("\n") == 3
    assert [cells[7] for cells in read(text.encode())[1:]] == ["12.50", "850"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_every_column(language):
    assert len(set(HEADS[language])) == len(HEADS["en"])


# ── asked for in chat, and by the operator ────────────────────────────────────────────────────────────────────────


async def test_asked_for_in_chat_it_is_a_link_that_opens_in_the_phones_own_browser(database):
    talk = Talk(database, public_url="https://bot.example")
    assert await talk.says("匯出") == [WORDS.nothing_to_take]
    await remember(talk, "買牛奶", "倒垃圾")
    (text,) = await talk.says("匯出")
    assert text == WORDS.link(2, "https://bot.example/export/secret2?openExternalBrowser=1")


async def test_without_an_address_it_is_said_what_the_operator_can_do(database):
    talk = Talk(database)
    await remember(talk, "買牛奶")
    (text,) = await talk.says("匯出")
    assert text == WORDS.no_address
    assert "python -m bot export" in text


async def test_the_operator_gets_the_file_beside_a_running_bot(tmp_path):
    async with running(tmp_path) as bot:
        code, _, err = await bot.command("export")
        assert (code, err.strip()) == (1, "nobody has talked to this bot yet: there is nothing to export.")
        code, out, err = await bot.command("chat", talk="午餐 120\n")
        assert code == 0, err
        code, out, err = await bot.command("export")
        assert (code, err) == (0, "")
        assert [cells[3] for cells in read(out.encode())][1:] == ["午餐"]
        code, out, _ = await bot.command("export", "mine.csv")
        assert (code, out.split()[-1]) == (0, "1.")
        assert read((tmp_path / "mine.csv").read_bytes()) == read((await bot.command("export", "-"))[1].encode())
        code, _, err = await bot.command("export", "mine.csv")
        assert (code, "is there already" in err) == (1, True)
        code, _, err = await bot.command("export", "no/such/folder.csv")
        assert (code, "cannot be written" in err) == (1, True)
        code, _, err = await bot.command("export", "--person", "Unobody")
        assert (code, "Unobody has not talked to this bot" in err) == (1, True)


def test_a_link_lasts_no_longer_than_it_says():
    assert timedelta(hours=1) == LASTS

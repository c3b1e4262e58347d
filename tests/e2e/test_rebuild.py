"""A whole bot whose disk was lost: what it knew stands in Notion, and is known again before anybody is answered."""

from __future__ import annotations

import asyncio
import shutil
from base64 import b64encode
from pathlib import Path

from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from tests.bot_process import BotProcess, heard, running
from tests.emulators.notion import TOKEN, Notion, serving
from tests.shots import photo


def lose_the_disk(folder: Path) -> None:
    """All of the store; the local LINE is not the bot's."""
    for each in folder.glob("bot.db*"):
        shutil.rmtree(each) if each.is_dir() else each.unlink()


async def test_a_bot_that_lost_its_disk_knows_everything_again_before_it_answers(tmp_path: Path):
    notion = Notion()
    async with serving(notion) as address:
        place = {"NOTION_TOKEN": TOKEN, "NOTION_BASE_URL": address}
        _, out, _ = await BotProcess(tmp_path, **place, NOTION_PARENT_PAGE_ID=notion.page("秘書")).command("setup")
        source = next(line for line in out.splitlines() if "NOTION_DATA_SOURCE_ID=" in line).split("=")[1].strip()
        place["NOTION_DATA_SOURCE_ID"] = source
        async with running(tmp_path, **place) as bot:
            phone = Phone(bot.line)
            await phone.say("午餐 120")
            await heard(phone, "午餐 120 元")
            await phone.say("明天下午三點看牙醫")
            await heard(phone, "看牙醫", "#2")
            before = await bot.records(FIRST_PERSON)
        assert len(notion.rows(source)) == 2
        lose_the_disk(tmp_path)

        notion.fail("slow", "query", seconds=0.7, times=3, saved=True)
        async with running(tmp_path, **place) as bot:
            phone = Phone(bot.line, read=phone.read)
            await phone.say("清單")
            await asyncio.sleep(0.4)
            await bot.kill()
        async with running(tmp_path, **place) as bot:
            phone = Phone(bot.line, read=phone.read)
            await heard(phone, "看牙醫")
            after = await bot.records(FIRST_PERSON)
            assert [(each.key, each.ref, each.created_at, each.amount) for each in after] == [
                (each.key, each.ref, each.created_at, each.amount) for each in before
            ]
            await phone.say("晚餐 300")
            await heard(phone, "晚餐 300 元", "#3")
            assert "2 records are back from Notion" in bot.log.read_text()

            code, out, err = await bot.command("rebuild")
            assert (code, err) == (0, "")
            assert out.startswith("0 records are back from Notion; 3 were here already.")
            assert await bot.command("restore", "--from-notion") == (0, out, "")
        assert len(notion.rows(source, trashed=None)) == 3


async def test_a_picture_stands_in_the_page_of_its_record(tmp_path: Path):
    notion = Notion()
    async with serving(notion) as address:
        place = {"NOTION_TOKEN": TOKEN, "NOTION_BASE_URL": address}
        _, out, _ = await BotProcess(tmp_path, **place, NOTION_PARENT_PAGE_ID=notion.page()).command("setup")
        place["NOTION_DATA_SOURCE_ID"] = out.rpartition("NOTION_DATA_SOURCE_ID=")[2].strip()
        async with running(tmp_path, **place) as bot:
            phone = Phone(bot.line)
            await phone._post("say", person=phone.person, image=b64encode(photo(size=(40, 40))).decode())
            await phone.answer()
            async with asyncio.timeout(25):
                while not [each for each in notion.uploads.values() if each["expiry_time"] is None]:  # noqa: ASYNC110 - Notion tells nobody
                    await asyncio.sleep(0.1)
            (row,) = notion.rows(place["NOTION_DATA_SOURCE_ID"])
            assert [each["type"] for each in notion.blocks[row["id"]]] == ["image"]


async def test_what_cannot_be_brought_back_is_said_in_one_sentence(tmp_path: Path):
    bot = BotProcess(tmp_path)
    code, out, err = await bot.command("rebuild")
    assert (code, out, err.strip()) == (
        1, "", "Notion is not set: NOTION_TOKEN and NOTION_DATA_SOURCE_ID say where the records are.",
    )  # fmt: skip
    for arguments in ((), ("copy.db", "--from-notion")):
        code, _, err = await bot.command("restore", *arguments)
        assert (code, err.strip()) == (1, "restore takes either a FILE that `backup` made, or --from-notion.")
    notion = Notion()
    async with serving(notion) as address:
        set_up = {"NOTION_TOKEN": TOKEN, "NOTION_BASE_URL": address, "NOTION_DATA_SOURCE_ID": notion.page()}
        code, _, err = await BotProcess(tmp_path, **set_up).command("rebuild")
        assert (code, err.startswith("that page holds no database."), "Traceback" in err) == (1, True, False)

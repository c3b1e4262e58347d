"""Taking one's records along and being forgotten, through the whole bot: LINE's network, HTTP, the store, a kill."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import httpx

from bot.voice.farewell_words import farewell_words
from tests.bot_process import heard, somebody

WORDS = farewell_words("zh-TW")


def everything_in(file) -> str:
    with closing(sqlite3.connect(file)) as store:
        return "\n".join(line for line in store.iterdump() if line.startswith("INSERT"))


async def test_a_person_takes_their_records_along_and_goes_and_begins_afresh(start_bot):
    async with start_bot(PUBLIC_URL="https://bot.example") as bot:
        phone = await somebody(bot)
        await phone.say("午餐 紫色河馬 120")
        await heard(phone, "#1")
        await phone.say("匯出")
        link = await heard(phone, "https://bot.example/export/")
        secret = re.search(r"/export/(\w+)\?openExternalBrowser=1", link)
        assert secret
        path = f"{bot.base}/export/{secret[1]}"
        async with httpx.AsyncClient() as browser:
            assert (await browser.head(path)).status_code == 200
            assert WORDS.page_text in (await browser.get(path)).text
            file = await browser.post(path)
            assert "紫色河馬" in file.content.decode("utf-8-sig")
            assert (await browser.post(path)).status_code == 404
        assert secret[1] not in bot.log.read_text()

        await phone.say("/forget")
        await heard(phone, WORDS.ask(1))
        await phone.tap(WORDS.forget)
        await heard(phone, WORDS.forgotten(1))
        await bot.kill()
        assert "紫色河馬" not in everything_in(bot.folder / "bot.db")

        await bot.start()
        await phone.say("早餐 60")
        assert "#1" in await heard(phone, "#1")

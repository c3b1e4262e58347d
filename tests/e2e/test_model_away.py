"""The endpoint goes away and comes back, under the whole bot: what was said meanwhile is kept, and carried out once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.application import Application
from bot.local_line.phone import NoAnswer, Phone
from bot.main import utc_now
from bot.serve import running
from bot.settings import Settings
from bot.voice.phrases import phrases_of
from bot.voice.waiting import waiting_words
from tests import eager
from tests.bot_process import heard, two_free_ports
from tests.eager import EagerEndpoint
from tests.emulators import openai
from tools.database import Database
from tools.record import PersonId, Record, RecordQuery
from tools.sql.memory import SqlMemory

ZH, WORDS = phrases_of("zh-TW"), waiting_words("zh-TW")
HARD = "明天可以幫我盯一下客戶那件事嗎"
REFUSED = openai.error(401, "invalid_api_key", "Incorrect API key provided")


class Shifted:
    """The real clock, and more."""

    def __init__(self) -> None:
        self.by = timedelta(0)

    def __call__(self) -> datetime:
        return utc_now() + self.by


@pytest.fixture
async def endpoint() -> AsyncIterator[EagerEndpoint]:
    async with eager.serving() as endpoint:
        yield endpoint


@pytest.fixture
def clock() -> Shifted:
    return Shifted()


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, endpoint: EagerEndpoint):
    """Settings of a bot with this endpoint, and of this test alone."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    given = {
        "database_url": f"sqlite:///{tmp_path / 'bot.db'}",
        "port": two_free_ports(),
        "host": "127.0.0.1",
        "openai_base_url": endpoint.url,
        "openai_api_key": openai.KEY,
        "openai_model": openai.MODEL,
    }
    return lambda **more: Settings(_env_file=None, **(given | more))


async def records(database: Database, person: str) -> list[Record]:
    return list((await SqlMemory(database, PersonId(person), utc_now).query(RecordQuery(sort="created"))).records)


async def nothing_waits(bot: Application) -> None:
    async with asyncio.timeout(10):
        while await bot.postponed.absence():  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "away",
    [REFUSED, openai.out_of_quota(), openai.page(503), openai.Cut()],
    ids=["key refused", "quota", "a proxy's page", "cut off"],
)
async def test_words_are_kept_answered_at_once_and_carried_out_once_as_of_when_they_were_said(
    settings, clock, endpoint: EagerEndpoint, away
):
    endpoint.away = away
    async with running(settings(), clock) as (bot, _):
        phone = Phone(bot.settings.local_line_url)
        await phone.say(f"午餐 120\n{HARD}")
        said = await heard(phone, "午餐 120 元", "#1", "先留著")
        assert "AI 暫時連不上" in said
        said_on = clock().astimezone(ZoneInfo("Asia/Taipei")).date()

        endpoint.away = None
        clock.by = timedelta(hours=20)  # no reply token lives any more
        await nothing_waits(bot)
        await phone.say("晚餐 300")
        told = await heard(phone, "晚餐 300", "#3")

        assert WORDS.sorted_out(HARD) in told
        lunch, kept, dinner = await records(bot.database, phone.person)
    assert [lunch.content, kept.content, dinner.content] == ["午餐", HARD, "晚餐 300"]
    assert kept.when == said_on + timedelta(days=1)


async def test_any_answer_of_the_model_brings_back_what_waits_in_every_chat(settings, clock, endpoint: EagerEndpoint):
    endpoint.away = REFUSED
    async with running(settings(secretary_push="all"), clock) as (bot, _):
        anna = Phone(bot.settings.local_line_url)
        ben = Phone(anna.address, await anna.add_person("Ben", "zh-TW"))
        await anna.say(HARD)
        await heard(anna, ZH.model_down)
        endpoint.away = None
        await ben.say("買蛋跟牛奶好了")
        await heard(ben, "#1")

        await heard(anna, WORDS.sorted_out(HARD), "#1", seconds=10)  # a minute before it would have been tried
        with pytest.raises(NoAnswer):
            await anna.answer(1.5)
        assert [each.content for each in await records(bot.database, anna.person)] == [HARD]


async def test_what_was_kept_survives_a_restart(settings, clock, endpoint: EagerEndpoint):
    endpoint.away = REFUSED
    same = settings()
    async with running(same, clock) as (bot, _):
        phone = Phone(bot.settings.local_line_url)
        await phone.say(HARD)
        await heard(phone, ZH.model_down)
    endpoint.away = None
    async with running(same, clock) as (bot, _):
        await phone.say("買蛋跟牛奶好了")
        told = await heard(phone, "#2")

        assert WORDS.sorted_out(HARD) in told
        assert [each.content for each in await records(bot.database, phone.person)] == [HARD, "買蛋跟牛奶好了"]

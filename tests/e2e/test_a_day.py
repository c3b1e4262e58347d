"""A day of three people: sixty messages of every kind, slow answers, a killed bot, dead reply tokens.

Nothing costs a push, nothing is owed in the evening, and LINE's own description has nothing to say against a request.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.local_line.phone import NoAnswer, Phone
from bot.thinking.prompt import unstamped
from bot.voice.phrases import phrases_of
from tests.bot_process import BotProcess, running
from tests.emulators import openai
from tests.serving import served
from tests.talk import call, create
from tools.record import Language

SLOW = ("慢慢", "ゆっくり", "slowly")
LONG_SECONDS = 4.5
"""Longer than ANSWER_SECONDS, shorter than anyone's patience."""

AMOUNT = re.compile(r"\d+")


@dataclass
class Thinking:
    """A model that understands prices, questions and wishes, and thinks long about what says so."""

    url: str = ""

    async def answer(self, request: Request) -> Response:
        asked = openai.read_request(dict(request.headers), await request.body())
        messages: list[dict[str, Any]] = asked["messages"]
        if messages[-1]["role"] != "user" or "tools" not in asked:
            return openai.says("👌")
        words = unstamped(messages[-1]["content"])[1]
        if any(each in words for each in SLOW):
            await asyncio.sleep(LONG_SECONDS)
        return openai.asks(*map(_meant, words.splitlines()))


def _meant(line: str) -> tuple[str, str]:
    if line.rstrip().endswith(("？", "?")):
        return call("query_records", type="expense", total="amount")
    if price := AMOUNT.search(line):
        return create(line, "expense", amount=int(price[0]))
    return create(line, "task")


@asynccontextmanager
async def thinking() -> AsyncIterator[Thinking]:
    model = Thinking()
    async with served(Starlette(routes=[Route("/v1/chat/completions", model.answer, methods=["POST"])])) as address:
        model.url = f"{address}/v1"
        yield model


@dataclass(frozen=True)
class Someone:
    """A person of the day: what they say in the morning, what takes long, what they say in the afternoon. Behind each
    arrow stands what the answer must hold; a slash begins another line of the same message."""

    name: str
    language: Language
    slow: str
    unlucky: str
    morning: str
    afternoon: str


MEI = Someone(
    name="小美",
    language="zh-TW",
    slow="慢慢想：咖啡 85",
    unlucky="慢慢記 書 350",
    morning="""早餐 60 → 60 元
        捷運 30 → 30 元
        買牛奶 → 買牛奶
        買蛋/買米 → 買米
        今天花了多少？ → 👌
        復原 → 買米""",
    afternoon="""午餐 120 → 120 元
        點心 45 → 45 元
        說明 → 直接說就好
        倒垃圾 → 倒垃圾
        花了多少？ → 👌
        晚餐 280 → 280 元""",
)
KENTA = Someone(
    name="健太",
    language="ja",
    slow="ゆっくり：コーヒー 400円",
    unlucky="ゆっくりで 本 1500円",
    morning="""朝ごはん 450円 → 450円
        電車 320円 → 320円
        牛乳を買う → 牛乳
        たまごを買う → たまご
        いくら使った？ → 👌
        元に戻す → たまご""",
    afternoon="""昼ごはん 980円 → 980円
        おやつ 200円 → 200円
        ヘルプ → 話しかけて
        ゴミを出す → ゴミ
        いくら？ → 👌
        夕食 1200円 → 1,200円""",
)
ANNA = Someone(
    name="Anna",
    language="en",
    slow="slowly: coffee 5",
    unlucky="slowly a book 20",
    morning="""breakfast 8 → 8
        bus 3 → 3
        buy milk → buy milk
        call mum → call mum
        how much? → 👌
        undo → call mum""",
    afternoon="""lunch 14 → 14
        snack 4 → 4
        help → Just talk
        take out rubbish → rubbish
        how much so far? → 👌
        dinner 30 → 30""",
)
PEOPLE = (MEI, KENTA, ANNA)


def exchanges(script: str) -> list[tuple[str, str]]:
    """What is said, and what the answer must hold."""
    pairs = [line.strip().split(" → ") for line in script.splitlines()]
    return [(said.replace("/", "\n"), expected) for said, expected in pairs]


async def say_all(phone: Phone, someone: Someone, script: str) -> int:
    said = exchanges(script)
    for words, expected in said:
        await phone.say(words)
        await patiently(phone, someone, expected)
    return len(said)


async def show_things(phone: Phone, someone: Someone) -> int:
    """A sticker and a place are answered, too; whatever the answer is, it comes."""
    await phone._post("say", person=phone.person, sticker="thanks")
    await phone.answer()
    await phone._post("say", person=phone.person, location={"address": "1-2-3", "latitude": 25.0, "longitude": 121.5})
    await phone.answer()
    return 2


async def patiently(phone: Phone, someone: Someone, *expected: str) -> str:
    """Listen until everything expected has been said; whoever hears nothing more taps the button of the interim
    sentence."""
    said, phrases = "", phrases_of(someone.language)
    async with asyncio.timeout(40):
        while any(each not in said for each in expected):
            try:
                said += "\n".join(await phone.answer(2)) + "\n"
            except NoAnswer:
                if phrases.working in said:
                    await phone.tap(phrases.show_answer)
    return said


async def wait_for_it(phone: Phone, someone: Someone) -> int:
    """A long answer: an interim sentence first; the tap on its button brings the answer."""
    await phone.say(someone.slow)
    await patiently(phone, someone, phrases_of(someone.language).working, someone.slow)
    return 2


async def each_of(phones: dict[str, Phone], do: Any) -> int:
    return sum(await asyncio.gather(*(do(phones[each.name], each) for each in PEOPLE)))


async def lose_the_bot(bot: BotProcess, phones: dict[str, Phone]) -> int:
    """It is killed while it works for all three, and started again: each gets what was asked for."""
    for each in PEOPLE:
        await phones[each.name].say(each.slow)
    await asyncio.sleep(0.5)
    await bot.kill()
    await bot.start()
    for each in PEOPLE:
        words, expected = exchanges(each.morning)[0]
        await phones[each.name].say(words)
        await patiently(phones[each.name], each, each.slow, expected)
    return 2 * len(PEOPLE)


async def lose_the_tokens(bot: BotProcess, phones: dict[str, Phone]) -> int:
    """All reply tokens die while the answers are made: they stand in front of the next ones."""
    for each in PEOPLE:
        await phones[each.name].say(each.unlucky)
    await asyncio.sleep(0.5)
    await phones[PEOPLE[0].name]._post("faults", expire_tokens=True)
    await asyncio.sleep(LONG_SECONDS + 1)
    for each in PEOPLE:
        await phones[each.name].say(exchanges(each.afternoon)[0][0])
        await patiently(phones[each.name], each, phrases_of(each.language).owed_prefix, each.unlucky)
    return 2 * len(PEOPLE)


async def test_a_day_of_three_people_costs_no_push_and_leaves_nothing_owed(tmp_path: Path):
    settings = {"OPENAI_API_KEY": openai.KEY, "OPENAI_MODEL": openai.MODEL, "ANSWER_SECONDS": "3"}
    async with thinking() as model, running(tmp_path, OPENAI_BASE_URL=model.url, **settings) as bot:
        first = Phone(bot.line)
        phones = {each.name: replace(first, person=await first.add_person(each.name, each.language)) for each in PEOPLE}
        asked: list[dict[str, Any]] = []

        said = await each_of(phones, lambda phone, each: say_all(phone, each, each.morning))
        said += await each_of(phones, show_things)
        said += await each_of(phones, wait_for_it)
        asked += await bot.asked()
        assert await bot.refused() == []
        said += await lose_the_bot(bot, phones)
        said += await each_of(phones, lambda phone, each: say_all(phone, each, each.afternoon))
        said += await lose_the_tokens(bot, phones)
        asked += await bot.asked()

        assert said >= 60
        assert [each for each in asked if each["path"].endswith("/push")] == []
        assert bot.rows("SELECT count(*) FROM inbox WHERE owed_at IS NOT NULL AND state = 'answered'") == [(0,)]

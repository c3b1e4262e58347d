"""Pictures, voice, files and places through the whole bot: LINE's content, a model that sees and hears, links."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from bot.local_line.phone import Phone
from tests.bot_process import BotProcess, heard, somebody
from tests.emulators.openai import KEY, MODEL, Json, OpenAI, error, hears, says, serving
from tests.shots import FILM, PDF, VOICE, bomb, opened, photo

RECEIPT = {
    "kind": "receipt",
    "pictures": [1],
    "merchant": "全聯",
    "total": 350,
    "currency": "TWD",
    "when": "2026-11-30",
    "lines": [{"name": "鮮乳", "amount": 92}, {"name": "咖啡豆", "amount": "258"}],
}


@pytest.fixture
async def model() -> AsyncIterator[OpenAI]:
    async with serving() as endpoint:
        yield endpoint


@pytest.fixture
def start(start_bot, model: OpenAI):
    """A bot with that model."""
    return lambda **more: start_bot(
        OPENAI_BASE_URL=model.url, OPENAI_API_KEY=KEY, OPENAI_MODEL=MODEL, SECRETARY_TIMEZONE="Asia/Taipei", **more
    )


def reads(*items: Json, **more: Any):
    return says(json.dumps({"items": items, **more}, ensure_ascii=False))


def b64(content: bytes) -> str:
    return base64.b64encode(content).decode()


async def shows(phone: Phone, **said: Any) -> None:
    await phone._post("say", person=phone.person, **said)


def pictures(request: Json) -> list[bytes]:
    parts = request["messages"][-1]["content"]
    return [base64.b64decode(each["image_url"]["url"].partition(",")[2]) for each in parts if "image_url" in each]


async def test_a_receipt_becomes_an_expense_that_holds_it_and_can_be_seen_again(start, model: OpenAI):
    model.script(reads(RECEIPT))
    async with start() as bot:
        phone = await somebody(bot)
        await shows(phone, image=b64(photo(size=(2000, 3000))))
        said = await heard(phone, "350")
        assert "全聯" in said
        assert await phone.buttons() == ["復原"]
        [record] = await bot.records(phone.person)
        assert (record.type, record.content, record.amount) == ("expense", "全聯\n鮮乳 92\n咖啡豆 258", 350)
        assert record.origin == "others"
        [shown] = pictures(model.requests[0])
        assert opened(shown).size == (1067, 1600)

        await phone.say("給我看那張收據")
        link = (await heard(phone, "/media/")).split()[-1]
        async with httpx.AsyncClient(trust_env=False, verify=False) as browser:
            page, small = await browser.get(link), await browser.get(f"{link}/preview")
            head = await browser.head(link)
            wrong = await browser.get(f"{bot.base}/media/{'x' * 43}")
        assert page.content == photo(size=(2000, 3000))
        assert head.status_code == 200
        assert {name: page.headers[name] for name in ("content-type", "x-content-type-options")} == {
            "content-type": "image/jpeg",
            "x-content-type-options": "nosniff",
        }
        assert "noindex" in page.headers["x-robots-tag"]
        assert opened(small.content).size == (320, 480)
        assert wrong.status_code == 404

        [(kept,)] = bot.rows("SELECT group_concat(message) FROM transcript")
        assert "base64" not in kept
        assert len(kept) < 5_000

        await phone.tap("復原")
        await heard(phone, "收回")
        async with httpx.AsyncClient(trust_env=False, verify=False) as browser:
            assert (await browser.get(link)).status_code == 404
    model.check()


async def test_a_receipt_stands_on_a_card_whose_picture_line_can_fetch_until_it_is_taken_back(start, model: OpenAI):
    model.script(reads(RECEIPT))
    async with start(PUBLIC_URL="https://bot.example") as bot:
        phone = await somebody(bot)
        sent = await phone._post("say", person=phone.person, image=b64(photo(size=(2000, 3000))))
        said = await heard(phone, "350")
        assert "全聯 鮮乳 92 咖啡豆 258 350 元" in said, "the notification says all of it"
        [card] = [each["message"] for each in await phone._from_the_bot() if each["message"]["type"] == "flex"]
        hero = card["contents"]["hero"]
        here = hero["url"].replace("https://bot.example", bot.base)
        async with httpx.AsyncClient(trust_env=False) as browser:
            small = await browser.get(here)
            whole = await browser.get(hero["action"]["uri"].replace("https://bot.example", bot.base))
            assert (opened(small.content).size, opened(whole.content).size) == ((683, 1024), (1365, 2048))
            await phone._post("unsend", person=phone.person, message_id=sent["message_id"])
            await phone.say("看照片")
            await heard(phone, "我這裡還沒有照片")
            assert (await browser.get(here)).status_code == 404
    model.check()


async def test_pictures_sent_together_are_one_turn_in_their_order(start, model: OpenAI):
    model.script(reads({**RECEIPT, "pictures": [1, 3]}, {"kind": "other", "pictures": [2], "title": "一隻貓"}))
    async with start() as bot:
        phone = await somebody(bot)
        await shows(phone, images=[b64(photo(each)) for each in ("red", "green", "blue")])
        await heard(phone, "350", "一隻貓")
        [request] = model.requests
        colors = [max(range(3), key=opened(each).getpixel((50, 30)).__getitem__) for each in pictures(request)]
        assert colors == [0, 1, 2]
        held = bot.rows("SELECT record_id, count(*) FROM attached GROUP BY record_id ORDER BY 2 DESC")
        assert [count for _, count in held] == [2, 1]
    model.check()


async def test_a_set_with_a_picture_missing_is_answered_all_the_same_and_says_so(start, model: OpenAI):
    model.script(reads(RECEIPT))
    async with start() as bot:
        phone = await somebody(bot)
        await shows(phone, images=[b64(photo("red")), b64(photo("blue"))], total=3)
        await heard(phone, "350", "一起傳的 3 張，這裡是 2 張")
    model.check()


async def test_words_sent_with_a_picture_are_seen_with_it_and_done_if_they_ask_for_more(start, model: OpenAI):
    from tests.emulators.openai import asks

    model.script(
        reads(RECEIPT, other_wishes=True),
        asks(("create_record", '{"content":"買牛奶","type":"task"}')),
        says("好"),
    )
    async with start() as bot:
        phone = await somebody(bot)
        await asyncio.gather(shows(phone, image=b64(photo())), phone.say("這是午餐，還要買牛奶"))
        await heard(phone, "350", "買牛奶")
        assert {each.type for each in await bot.records(phone.person)} == {"expense", "task"}
        assert "這是午餐" in model.requests[0]["messages"][-1]["content"][0]["text"]


async def test_a_model_that_sees_nothing_is_asked_once_and_the_picture_is_kept(start, model: OpenAI):
    model.script(error(400, None, "Invalid content type. image_url is only supported by certain models."))
    async with start() as bot:
        phone = await somebody(bot)
        for _ in range(2):
            await shows(phone, image=b64(photo()))
            await heard(phone, "照片 #", "這裡的 AI 看不懂照片")
        assert len(model.requests) == 1
        assert bot.rows("SELECT count(*) FROM attached") == [(2,)]
    model.check()


async def test_voice_is_heard_said_back_and_done(start, model: OpenAI):
    from tests.emulators.openai import asks

    model.heard.append(hears("明天下午三點看牙醫"))
    model.script(asks(("create_record", '{"content":"看牙醫","type":"event","when":"明天下午三點"}')), says("好"))
    async with start() as bot:
        phone = await somebody(bot)
        await shows(phone, audio=b64(VOICE))
        await heard(phone, "聽到：「明天下午三點看牙醫」", "看牙醫 #1")
        [voice] = model.voices
        assert (voice["name"], voice["type"], voice["sound"]) == ("voice.m4a", "audio/mp4", VOICE)
        assert " untrusted]" in model.requests[0]["messages"][-1]["content"].splitlines()[0]
    model.check()


async def test_what_was_spoken_changes_nothing_that_was_there_before_a_tap(start, model: OpenAI):
    from tests.emulators.openai import asks

    model.heard.append(hears("刪掉一號"))
    model.script(
        asks(("create_record", '{"content":"買牛奶","type":"task"}')),
        says("好"),
        asks(("delete_record", '{"ref":1}')),
        says("好"),
    )
    async with start() as bot:
        phone = await somebody(bot)
        await phone.say("我想買牛奶，記得喔")
        await heard(phone, "買牛奶")
        await shows(phone, audio=b64(VOICE))
        await heard(phone, "要刪")
        assert len(await bot.records(phone.person)) == 1
    model.check()


async def test_without_ears_a_voice_is_kept_and_the_endpoint_is_not_asked_again(start, model: OpenAI):
    async with start() as bot:
        phone = await somebody(bot)
        for _ in range(2):
            await shows(phone, audio=b64(VOICE))
            await heard(phone, "語音 #", "這裡還聽不懂")
        [(kept,)] = bot.rows("SELECT count(*) FROM endpoint WHERE name LIKE '%transcriptions%'")
        assert kept == 1
        assert bot.log.read_text().count("writes down no voice") == 1
    model.check()


async def test_files_films_and_places_are_kept_by_name(start_bot):
    async with start_bot() as bot:
        phone = await somebody(bot)
        await shows(phone, file={"name": "../../etc/合約\u202efdp.pdf", "content": b64(PDF)})
        assert "合約fdp.pdf #1" in await heard(phone, "#1")
        await shows(phone, video=b64(FILM))
        await heard(phone, "影片 #2")
        place = {"title": "台北101", "address": "台北市信義路五段7號", "latitude": 25.0339, "longitude": 121.5645}
        await shows(phone, location=place)
        said = await heard(phone, "地點：台北101", "#3")
        assert "https://www.google.com/maps/search/?api=1&query=25.033900,121.564500" in said
        await phone.say("#1 的檔案")
        link = (await heard(phone, "/media/")).split()[-1]
        async with httpx.AsyncClient(trust_env=False, verify=False) as browser:
            page = await browser.get(link)
        assert (page.content, page.headers["content-type"]) == (PDF, "application/pdf")
        assert "filename*=UTF-8''%E5%90%88" in page.headers["content-disposition"]


async def test_a_picture_that_cannot_be_unfolded_is_kept_and_said_so(start, model: OpenAI):
    async with start() as bot:
        phone = await somebody(bot)
        await shows(phone, image=b64(bomb()))
        await heard(phone, "照片 #1", "打不開")
    model.check()


async def test_a_picture_taken_back_before_it_was_fetched_is_told_and_nothing_is_kept(start, model: OpenAI):
    async with start() as bot:
        phone = await somebody(bot)
        await phone._post(
            "faults", path="/v2/bot/message/4", times=9, status=410, body={"message": "The content is gone"}
        )
        await shows(phone, image=b64(photo()))
        await heard(phone, "已經收回")
        assert bot.rows("SELECT count(*) FROM attachment") == [(0,)]
        assert await bot.records(phone.person) == []


async def test_a_bot_that_dies_while_it_reads_goes_on_and_neither_fetches_nor_makes_anything_twice(
    start_bot, model: OpenAI, tmp_path
):
    asked = asyncio.Event()

    async def dies(_: Json):
        asked.set()
        await asyncio.sleep(30)
        return reads(RECEIPT)

    model.script(dies, reads(RECEIPT))
    bot = BotProcess(tmp_path, OPENAI_BASE_URL=model.url, OPENAI_API_KEY=KEY, OPENAI_MODEL=MODEL)
    await bot.start()
    phone = await somebody(bot)
    await shows(phone, image=b64(photo()))
    await asyncio.wait_for(asked.wait(), 20)
    await bot.kill()
    await bot.start()
    try:
        await heard(phone, "350", seconds=30)
        assert len(await bot.records(phone.person)) == 1
        assert bot.rows("SELECT count(*) FROM attached") == [(1,)]
    finally:
        await bot.stop()

"""A household in one group, from end to end: signed webhooks, the shared list, and what each one's phone shows."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from bot.voice.household_words import household_words
from tests.bot_process import heard
from tools.record import PersonId

WORDS = household_words("zh-TW")
_DIRECT = build_opener(ProxyHandler({}))


@dataclass
class GroupChat:
    """A group on the local LINE. ``phone`` reads what the bot says there."""

    address: str
    id: str = ""

    @property
    def phone(self) -> Phone:
        return Phone(self.address, self.id)

    async def act(self, what: str, **asked: Any) -> dict[str, Any]:
        def post() -> dict[str, Any]:
            body = json.dumps(asked).encode()
            request = Request(f"{self.address}/local/groups{what}", body, {"Content-Type": "application/json"})
            try:
                with _DIRECT.open(request, timeout=10) as answer:
                    return json.load(answer)
            except HTTPError as refusal:
                raise AssertionError(refusal.read()) from None

        return await asyncio.to_thread(post)

    async def say(self, person: str, text: str, **more: Any) -> None:
        await self.act("/say", group=self.id, person=person, text=text, **more)

    async def to_the_bot(self, person: str, text: str) -> None:
        await self.say(person, text, mention="bot")


async def requests_of(phone: Phone, path: str) -> list[dict[str, Any]]:
    log = await phone._ask(Request(f"{phone.address}/local/log"))
    return [each for each in log["requests"] if each["path"] == path]


async def test_a_household_shares_a_list_in_its_group(start_bot):
    async with start_bot() as bot:
        owner = Phone(bot.line)
        await owner.say("嗨")
        await owner.answer()
        mei = await owner.add_person("小美", "zh-TW")
        group = GroupChat(bot.line)
        group.id = (await group.act("", name="我們家", people=[FIRST_PERSON, mei]))["id"]
        room = group.phone
        await heard(room, WORDS.joined)

        await group.to_the_bot(mei, "啟用")
        await heard(room, WORDS.only_owner_enables)
        await group.to_the_bot(FIRST_PERSON, "啟用")
        await heard(room, WORDS.enabled)
        await group.to_the_bot(mei, "午餐 360")
        await heard(room, "午餐 360 元", "#1")
        await group.say(mei, "這句不是說給秘書聽的")
        await group.say(FIRST_PERSON, "Secretary: 晚餐 240")
        await heard(room, "晚餐 240 元", "#2", "今天 600")
        await group.to_the_bot(FIRST_PERSON, "結算")
        said = await heard(room, "共花 600 元", "每人 300 元", "你 → 小美 60 元")

        assert said.count("→") == 1
        assert [each.author for each in await bot.records(group.id)] == [mei, FIRST_PERSON]
        assert await bot.records(PersonId(mei)) == await bot.records(FIRST_PERSON) == []
        sent = await requests_of(owner, "/v2/bot/message/reply")
        assert all(each["status"] == 200 for each in sent)
        quoting = [each for each in sent if "quoteToken" in json.dumps(each)]
        assert len(quoting) >= 5
        loading = await requests_of(owner, "/v2/bot/chat/loading/start")
        assert all(group.id not in json.dumps(each) for each in loading)

        await owner.say("共用清單")
        await heard(owner, "我們家")
        await group.to_the_bot(FIRST_PERSON, "離開")
        await heard(room, WORDS.goodbye)
        left: list[dict[str, Any]] = []
        for _ in range(200):
            left = left or await requests_of(owner, f"/v2/bot/group/{group.id}/leave")
            await asyncio.sleep(0 if left else 0.05)
        assert [each["status"] for each in left] == [200]


async def test_after_a_kill_the_group_is_still_enabled_and_every_member_still_known(start_bot):
    async with start_bot() as bot:
        owner = Phone(bot.line)
        await owner.say("嗨")
        await owner.answer()
        group = GroupChat(bot.line)
        group.id = (await group.act("", name="我們家", people=[FIRST_PERSON]))["id"]
        room = group.phone
        await heard(room, WORDS.joined)
        await group.to_the_bot(FIRST_PERSON, "啟用")
        await heard(room, WORDS.enabled)

        await bot.kill()
        await bot.start()
        await group.to_the_bot(FIRST_PERSON, "成員")

        await heard(room, "・你")

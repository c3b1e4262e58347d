"""The month's pushes: what the channel knows of them over real HTTP, and how rarely it asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from bot.line.channel import LineChannel
from bot.line.quota import ASK_AGAIN, ASK_SOON, left_of
from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from bot.local_line.platform import LocalLine
from bot.ports import Bubble, Busy, ChatId, Refused, Unsure
from tests.fakes import Calendar
from tests.serving import served

HELLO = [Bubble("⏰ 開會")]
USER = ChatId(FIRST_PERSON)


class Line:
    """A local LINE with a quota, the channel that speaks to it, and their clock."""

    def __init__(self, quota: int) -> None:
        self.clock = Calendar()
        self.platform = LocalLine(None, webhook_url="http://127.0.0.1:9/callback", now=self.clock, quota=quota)
        self.base = ""
        self.number = 0

    def channel(self) -> LineChannel:
        return LineChannel(self.base, self.platform.access_token, now=self.clock)

    async def push(self, channel: LineChannel) -> None:
        self.number += 1
        await channel.push(USER, HELLO, f"key {self.number}")

    async def fault(self, **fault: Any) -> None:
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            assert (await http.post("/local/faults", json=fault)).status_code == 200

    async def questions(self) -> int:
        """How often it was asked for the limit."""
        async with httpx.AsyncClient(base_url=self.base, trust_env=False, verify=False) as http:
            asked = (await http.get("/local/log")).json()["requests"]
        return sum(each["path"] == "/v2/bot/message/quota" for each in asked)


@pytest.fixture
async def line(request) -> AsyncIterator[Line]:
    made = Line(getattr(request, "param", 200))
    async with served(made.platform.app) as made.base:
        await Phone(made.base).follow()
        yield made
        await made.platform.close()


@pytest.fixture
async def channel(line) -> AsyncIterator[LineChannel]:
    made = line.channel()
    yield made
    await made.close()


async def test_own_pushes_are_counted_down_and_line_is_asked_once(line, channel):
    assert await channel.pushes_left() == 200
    for _ in range(3):
        await line.push(channel)

    assert await channel.pushes_left() == 197
    assert await line.questions() == 1


async def test_what_is_known_is_told_without_asking(line, channel):
    assert channel.pushes_known() is None
    await channel.pushes_left()
    await line.push(channel)
    assert channel.pushes_known() == 199
    line.clock.move(days=1)
    assert channel.pushes_known() is None, "a new month"
    assert await line.questions() == 1


async def test_nothing_is_asked_for_a_push_that_nobody_asked_about(line, channel):
    await line.push(channel)
    assert await line.questions() == 0
    assert await channel.pushes_left() == 199


async def test_who_asks_at_once_waits_for_one_answer(line, channel):
    assert await asyncio.gather(*(channel.pushes_left() for _ in range(5))) == [200] * 5
    assert await line.questions() == 1


async def test_what_others_pushed_is_seen_after_some_hours(line, channel):
    assert await channel.pushes_left() == 200
    other = line.channel()
    await line.push(other)
    await other.close()
    line.clock.move(seconds=ASK_AGAIN.total_seconds() - 1)
    assert await channel.pushes_left() == 200
    line.clock.move(seconds=1)
    assert await channel.pushes_left() == 199


@pytest.mark.parametrize("line", [60], indirect=True)
async def test_near_the_end_it_is_asked_more_often(line, channel):
    assert await channel.pushes_left() == 60
    line.clock.move(seconds=ASK_SOON.total_seconds())
    await channel.pushes_left()

    assert await line.questions() == 2


@pytest.mark.parametrize("line", [1], indirect=True)
async def test_the_monthly_limit_is_known_from_its_refusal_until_the_month_turns_in_japan(line, channel):
    await line.push(channel)
    with pytest.raises(Refused, match="quota"):
        await line.push(channel)
    line.clock.move(hours=10, minutes=59)  # 23:59 in Japan, on the last day of November
    assert await channel.pushes_left() == 0
    assert await line.questions() == 0
    line.clock.move(minutes=1)
    assert await channel.pushes_left() == 1


async def test_a_rate_limit_says_nothing_of_the_quota(line, channel):
    assert await channel.pushes_left() == 200
    busy = {"message": "The API rate limit has been exceeded. Try again later."}
    await line.fault(path="/v2/bot/message/push", status=429, body=busy)
    with pytest.raises(Busy):
        await line.push(channel)

    assert await channel.pushes_left() == 200


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 503, "body": {}},
        {"status": 401, "body": {"message": "Authentication failed"}},
        {"drop": "before"},
        {"status": 200, "body": {"type": "limited"}},
        {"status": 200, "body": ["odd"]},
    ],
)
async def test_a_quota_that_cannot_be_asked_for_is_unknown_and_asked_for_again_soon(line, channel, fault, caplog):
    await line.fault(path="/v2/bot/message/quota", **fault)
    assert await channel.pushes_left() is None
    assert await channel.pushes_left() is None
    assert await line.questions() == 1
    assert "quota of pushes is not known" in caplog.text
    line.clock.move(minutes=1)
    assert await channel.pushes_left() == 200


async def test_an_old_figure_is_better_than_none(line, channel):
    assert await channel.pushes_left() == 200
    line.clock.move(seconds=ASK_AGAIN.total_seconds())
    await line.fault(path="/v2/bot/message/quota", status=503, body={})
    assert await channel.pushes_left() == 200


async def test_a_closed_channel_knows_nothing(line, channel):
    await channel.close()
    assert await channel.pushes_left() is None


def test_a_plan_without_a_limit_has_none_left_to_count():
    assert left_of({"type": "none"}, {}) is None


@pytest.mark.parametrize(("used", "left"), [(0, 200), (182, 18), (200, 0), (230, 0)])
def test_what_is_left_is_never_less_than_none(used, left):
    assert left_of({"type": "limited", "value": 200}, {"totalUsage": used}) == left


@pytest.mark.parametrize(("limit", "used"), [({}, {}), ({"value": "200"}, {"totalUsage": 1}), ({"value": 1}, {})])
def test_an_answer_without_numbers_is_no_quota(limit, used):
    with pytest.raises(Unsure):
        left_of(limit, used)


def test_line_is_asked_a_few_times_a_day():
    assert timedelta(days=1) / ASK_AGAIN <= 4

"""What comes in: admitted, stored, and its lane woken, even if it was stored too late to be acknowledged."""

from __future__ import annotations

import asyncio

import pytest

from bot.gate import Gate
from bot.outage import Outage
from bot.ports import ChatId, LaneId, Refused
from bot.reception import MOST_TOGETHER, Reception
from bot.sql.inbox import SqlInbox
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, BEN, NOON, ScriptedChannel, said
from tools.record import PersonId, StoreUnavailable

STRANGER = ChatId("U" + "f" * 32)


@pytest.fixture
def woken() -> list[LaneId]:
    return []


@pytest.fixture
def reception(database, woken) -> Reception:
    inbox = SqlInbox(database, lambda: NOON)
    gate = Gate(everyone=True, welcome=[])
    return Reception(inbox, gate, woken.append, Outage(gate, ScriptedChannel()))


async def test_a_stored_message_wakes_its_lane_once(reception, woken):
    await reception.receive([said(1), said(2)])
    await reception.receive([said(1)])
    await asyncio.sleep(0)

    assert woken == [LaneId(ANNA)]


async def test_what_is_stored_too_late_to_be_acknowledged_wakes_its_lane_all_the_same(reception, database, woken):
    busy = asyncio.Event()
    loop = asyncio.get_running_loop()
    blocker = asyncio.create_task(
        database.write(lambda _: asyncio.run_coroutine_threadsafe(busy.wait(), loop).result(10))
    )
    await asyncio.sleep(0.05)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reception.receive([said(1)]), 0.05)
    assert woken == []

    busy.set()
    await blocker
    await asyncio.wait_for(reception._storing, 5)
    await asyncio.sleep(0)

    assert woken == [LaneId(ANNA)]


class Counting:
    """An inbox that says how much it was handed at once, and refuses one message whatever else comes with it."""

    def __init__(self) -> None:
        self.put_together: list[list[str]] = []

    async def put(self, messages) -> list[LaneId]:
        self.put_together.append([each.text for each in messages])
        await asyncio.sleep(0)
        if any(each.text == "odd" for each in messages):
            raise ValueError("odd")
        return [each.lane for each in messages]


async def test_what_comes_in_while_a_commit_is_made_shares_the_next_one_in_order(woken):
    inbox, gate = Counting(), Gate(everyone=True, welcome=[])
    reception = Reception(inbox, gate, woken.append, Outage(gate, ScriptedChannel()))
    deliveries = [said(number, str(number)) for number in range(MOST_TOGETHER + 3)]

    first = asyncio.create_task(reception.receive(deliveries[:1]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.gather(first, *(reception.receive([each]) for each in deliveries[1:]))

    assert [len(together) for together in inbox.put_together] == [1, MOST_TOGETHER, 2]
    assert [each for together in inbox.put_together for each in together] == [each.text for each in deliveries]
    assert len(woken) == len(deliveries)


async def test_what_cannot_be_stored_takes_nothing_else_with_it(woken):
    inbox, gate = Counting(), Gate(everyone=True, welcome=[])
    reception = Reception(inbox, gate, woken.append, Outage(gate, ScriptedChannel()))

    told = await asyncio.gather(
        *(reception.receive([said(number, text)]) for number, text in enumerate(["a", "odd", "b"])),
        return_exceptions=True,
    )

    assert [type(each) for each in told] == [type(None), ValueError, type(None)]
    assert len(woken) == 2


class Full:
    """An inbox on a disk that is full until it is not."""

    def __init__(self) -> None:
        self.full = True

    async def put(self, messages) -> list[LaneId]:
        if self.full:
            raise StoreUnavailable("the disk is full")
        return [each.lane for each in messages]


@pytest.fixture
def full() -> Full:
    return Full()


@pytest.fixture
def channel() -> ScriptedChannel:
    return ScriptedChannel()


@pytest.fixture
def hears(full, channel, woken):
    gate = Gate(everyone=False, welcome=[PersonId(ANNA), PersonId(BEN)])
    reception = Reception(full, gate, woken.append, Outage(gate, channel))

    async def hear(*messages) -> None:
        if full.full:
            with pytest.raises(StoreUnavailable):
                await reception.receive(messages)
        else:
            await reception.receive(messages)
        await asyncio.gather(*reception._telling)

    return hear


async def test_while_nothing_can_be_stored_each_chat_is_told_once_in_its_language(hears, full, channel, woken):
    await hears(said(1, "買牛奶"), said(2, "還有蛋"))
    await hears(said(3, "再來"))
    await hears(said(4, "buy milk", chat=BEN, person=PersonId(BEN)))

    zh, en = (phrases_of(language).cannot_store for language in ("zh-TW", "en"))
    assert channel.said == [("token1", zh), ("token4", en)]
    assert woken == []


async def test_the_next_outage_is_told_anew(hears, full, channel, woken):
    await hears(said(1))
    full.full = False
    await hears(said(2))
    full.full = True
    await hears(said(3))

    assert [token for token, _ in channel.said] == ["token1", "token3"]
    assert woken == [ANNA]


async def test_a_stranger_and_what_must_not_be_answered_hear_nothing_of_it(hears, channel):
    await hears(said(1, chat=STRANGER, person=PersonId(STRANGER)))
    await hears(said(2, answerable=False))
    await hears(said(3, reply_token=None))

    assert channel.said == []


async def test_who_cannot_be_told_does_not_matter_to_the_storing(hears, full, channel, caplog):
    channel.outcomes = [Refused("blocked"), RuntimeError("odd")]
    await hears(said(1))
    await hears(said(2, chat=BEN, person=PersonId(BEN)))
    full.full = False
    await hears(said(3))

    assert "blocked" in caplog.text


async def test_a_commit_that_fails_once_is_repeated_before_anyone_is_told(channel, woken):
    class Hiccup:
        tries = 0

        async def put(self, messages) -> list[LaneId]:
            self.tries += 1
            if self.tries == 1:
                raise StoreUnavailable("the connection broke")
            return [each.lane for each in messages]

    gate = Gate(everyone=True, welcome=[])
    await Reception(Hiccup(), gate, woken.append, Outage(gate, channel)).receive([said(1)])

    assert (woken, channel.said) == ([ANNA], [])

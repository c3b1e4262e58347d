"""Pictures that were sent together become one turn, on both stores, and none waits for ever for another."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.ports import Bubble, ImageLink, IncomingMessage, LaneId, Media
from bot.sql.inbox import SqlInbox
from bot.sql.inbox_rows import MOST_IN_A_TURN, SET_SECONDS, bubbles_from_json, bubbles_to_json
from tests.fakes import ANNA, Calendar, said
from tools.database import Database

LANE = LaneId(ANNA)


@pytest.fixture
async def store(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.start()
    yield database
    await database.close()


class House:
    def __init__(self, store: Database) -> None:
        self.clock = Calendar()
        self.inbox = SqlInbox(store, self.clock, worker="the only one")
        self.number = 0

    def picture(self, index: int = 0, total: int = 0, set_id: str = "E") -> IncomingMessage:
        self.number += 1
        media = Media(set_id=set_id if total else "", index=index, total=total)
        at = {"occurred_at": self.clock.now + timedelta(milliseconds=self.number), "received_at": self.clock.now}
        return said(self.number, "", kind="image", message_id=str(self.number), media=media, **at)

    async def hears(self, *messages: IncomingMessage) -> None:
        await self.inbox.put(messages)

    async def taken(self) -> list[int] | None:
        turn = await self.inbox.take(LANE)
        return None if turn is None else [each.media.index if each.media else 0 for each in turn.messages]


@pytest.fixture
def house(store: Database) -> House:
    return House(store)


async def test_a_set_waits_until_all_of_it_is_there(house: House):
    await house.hears(house.picture(2, 3))
    assert await house.taken() is None
    assert await house.inbox.lanes_with_work() == [LANE], "somebody else may take it up"
    await house.hears(house.picture(1, 3), house.picture(3, 3))
    assert await house.taken() == [2, 1, 3]


async def test_a_set_with_one_missing_waits_a_few_seconds_from_the_last_that_came(house: House):
    await house.hears(house.picture(1, 3))
    house.clock.move(seconds=SET_SECONDS - 0.1)
    await house.hears(house.picture(2, 3))
    house.clock.move(seconds=SET_SECONDS - 0.1)
    assert await house.taken() is None
    house.clock.move(seconds=0.1)
    assert await house.taken() == [1, 2]


def unsend(house: House, picture: IncomingMessage) -> IncomingMessage:
    house.number += 1
    return said(house.number, kind="unsend", message_id=picture.message_id, answerable=False, reply_token=None)


@pytest.mark.parametrize("order", ["012u", "01u2", "u012", "0u12", "2u10"])
async def test_a_picture_that_was_taken_back_is_not_waited_for_nor_missed(house: House, order: str):
    pictures = [house.picture(index, 3) for index in (1, 2, 3)]
    for each in order:
        await house.hears(unsend(house, pictures[1]) if each == "u" else pictures[int(each)])
    turn = await house.inbox.take(LANE)
    assert turn
    assert [(each.media.index, each.media.total) for each in turn.messages if each.media] == [(1, 2), (3, 2)]


async def test_of_a_set_more_than_one_may_be_taken_back(house: House):
    pictures = [house.picture(index, 4) for index in (1, 2, 3, 4)]
    await house.hears(*pictures[:3])
    for each in pictures[:2]:
        await house.hears(unsend(house, each))
    assert await house.taken() is None, "one is still on its way"
    await house.hears(house.picture(1, 1, "another"), pictures[3])
    assert await house.taken() == [3, 4, 1]


async def test_one_picture_and_words_do_not_wait(house: House):
    await house.hears(house.picture())
    assert await house.taken() == [0]


async def test_words_behind_a_set_wait_with_it(house: House):
    await house.hears(house.picture(1, 2))
    await house.hears(said(50))
    assert await house.taken() is None
    await house.hears(house.picture(2, 2))
    assert await house.taken() == [1, 2, 0]


async def test_two_sets_wait_each_for_its_own(house: House):
    await house.hears(house.picture(1, 2, "A"), house.picture(1, 2, "B"), house.picture(2, 2, "A"))
    assert await house.taken() is None
    await house.hears(house.picture(2, 2, "B"))
    assert await house.taken() == [1, 1, 2, 2]


async def test_a_picture_that_comes_twice_stands_for_no_other(house: House):
    await house.hears(house.picture(1, 2), house.picture(1, 2))
    assert await house.taken() is None


async def test_a_large_set_is_one_turn_all_the_same(house: House):
    count = MOST_IN_A_TURN + 8
    await house.hears(*(house.picture(index, count) for index in range(1, count + 1)), house.picture())
    assert await house.taken() == list(range(1, count + 1))


async def test_many_pictures_of_no_set_are_several_turns(house: House):
    await house.hears(*(house.picture() for _ in range(MOST_IN_A_TURN + 3)))
    assert await house.taken() == [0] * MOST_IN_A_TURN


async def test_a_turn_that_was_interrupted_waits_for_nothing(house: House, store: Database):
    await house.hears(house.picture(1, 2))
    house.clock.move(seconds=60)
    assert await house.taken() == [1]
    await house.inbox.end_claims()
    await house.hears(house.picture(2, 2))
    assert await house.taken() == [1]


async def test_what_is_known_of_a_thing_is_kept_with_it(house: House):
    media = Media(size=1, duration=2, elsewhere=True, latitude=25.0, longitude=-121.5)
    await house.hears(said(1, "x", kind="file", media=media))
    turn = await house.inbox.take(LANE)
    assert turn
    assert turn.last.media == media


def test_an_answer_with_a_picture_is_stored_with_it():
    answer = (Bubble("x", image=ImageLink("https://a/picture", "https://a/preview")), Bubble("y"))
    assert bubbles_from_json(bubbles_to_json(answer)) == answer

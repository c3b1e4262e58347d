"""Transcripts on a real SQLite file: verbatim, in their order, and as a history of whole exchanges."""

from __future__ import annotations

import pytest

from bot.model_ports import Message
from bot.ports import ClaimLost, TurnId
from bot.sql.transcript import SqlTranscript
from tests.fakes import ANNA, BEN, Calendar
from tools.database import Database

CALL = {"id": "c1", "type": "function", "function": {"name": "create_record", "arguments": "{}"}}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def words(text: str) -> Message:
    return {"role": "assistant", "content": text}


def request() -> Message:
    return {"role": "assistant", "content": None, "tool_calls": [CALL]}


def result() -> Message:
    return {"role": "tool", "tool_call_id": "c1", "content": '{"ref":1}'}


class Book:
    """A transcript in which whole turns are put down at once, a minute apart."""

    def __init__(self, database: Database) -> None:
        self.clock = Calendar()
        self.transcript = SqlTranscript(database, self.clock)

    async def turn(self, name: str, *messages: Message, chat=ANNA) -> None:
        self.clock.move(minutes=1)
        await self.transcript.append(TurnId(name), chat, 0, messages)

    async def history(self, before: str = "now", exchanges: int = 20, chat=ANNA) -> list[Message]:
        return await self.transcript.history(chat, TurnId(before), exchanges)


@pytest.fixture
def book(database: Database) -> Book:
    return Book(database)


async def test_messages_come_back_verbatim_and_in_order(book):
    odd = {"role": "assistant", "content": "好 \u2028 ok", "reasoning": {"unknown": [1, None]}}
    await book.transcript.append(TurnId("t"), ANNA, 1, [odd])
    await book.transcript.append(TurnId("t"), ANNA, 0, [user("早")])

    assert await book.transcript.of_turn(TurnId("t")) == [user("早"), odd]
    assert await book.transcript.of_turn(TurnId("other")) == []


async def test_who_finds_a_place_taken_hears_that_the_turn_is_anothers_and_stores_nothing(book):
    await book.turn("t", user("早"), words("早。"))
    with pytest.raises(ClaimLost):
        await book.transcript.append(TurnId("t"), ANNA, 1, [words("晚。"), words("安。")])
    with pytest.raises(ClaimLost):
        await book.transcript.append(TurnId("t"), ANNA, 0, [user("晚")])

    assert await book.transcript.of_turn(TurnId("t")) == [user("早"), words("早。")]


async def test_the_history_is_the_last_exchanges_of_the_chat_oldest_first(book):
    for n in range(4):
        await book.turn(f"t{n}", user(f"問{n}"), words(f"答{n}"))
    await book.turn("bens", user("秘密"), words("好"), chat=BEN)
    await book.turn("now", user("現在"))

    assert [each["content"] for each in await book.history(exchanges=2)] == ["問2", "答2", "問3", "答3"]
    assert await book.history("bens", chat=BEN) == []


async def test_an_exchange_with_calls_is_kept_whole(book):
    exchange = [user("買牛奶"), request(), result(), words("好")]
    await book.turn("t", *exchange)

    assert await book.history() == exchange


@pytest.mark.parametrize(
    "broken",
    [
        [user("買牛奶")],
        [user("買牛奶"), request()],
        [user("買牛奶"), request(), result()],
        [user("買牛奶"), words("")],
        [user("買牛奶"), {"role": "assistant", "content": "等一下", "tool_calls": [CALL]}],
    ],
)
async def test_an_exchange_that_was_cut_off_is_left_out(book, broken):
    await book.turn("t0", user("早"), words("早。"))
    await book.turn("t1", *broken)
    await book.turn("t2", user("午"), words("午安。"))

    assert [each["content"] for each in await book.history()] == ["早", "早。", "午", "午安。"]


async def test_a_first_turn_has_no_history(book):
    await book.turn("now", user("早"))
    assert await book.history() == []


@pytest.mark.parametrize("step", [{"minutes": -3}, {"days": -2}, {"days": -400}])
async def test_after_a_clock_was_set_back_the_newest_exchanges_are_still_the_newest(book, step):
    for n in range(3):
        await book.turn(f"t{n}", user(f"問{n}"), words(f"答{n}"))
    book.clock.move(**step)
    for n in range(3, 6):
        await book.turn(f"t{n}", user(f"問{n}"), words(f"答{n}"))

    assert [each["content"] for each in await book.history(exchanges=4)][::2] == ["問2", "問3", "問4", "問5"]


async def test_turns_of_one_moment_stay_in_the_order_in_which_they_began(book):
    for name in "cba":
        await book.transcript.append(TurnId(name), ANNA, 0, [user(name), words("好")])

    assert [each["content"] for each in await book.history()][::2] == ["c", "b", "a"]

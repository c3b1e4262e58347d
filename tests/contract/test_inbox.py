"""The inbox on both stores: what is heard once is answered once, whatever happens in between."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Connection, delete, insert, update
from sqlalchemy.exc import DBAPIError

from bot.card import Card, CardBar, CardRow
from bot.inbox_ports import Answer
from bot.line.webhook import read_delivery
from bot.ports import Bubble, Button, ChatId, ClaimLost, LaneId, Turn, TurnId
from bot.sql.claims import CLAIM
from bot.sql.inbox import SqlInbox
from bot.sql.inbox_rows import INBOX, MOST_IN_A_TURN, MOVES, bubbles_from_json, bubbles_to_json
from tests.fakes import ANNA, NOON, Calendar, said
from tools.database import Database


async def taken(inbox: SqlInbox) -> Turn:
    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None, "nothing waits"
    return turn


ROW = CardRow(
    what="回診",
    when="15:00",
    amount="120 元",
    about="#1",
    is_done=True,
    buttons=(Button("完成", "done:1", said="完成 #1"),),
)
CARD = Card(
    title="今天",
    figure="120 元",
    aside="1 筆",
    rows=(ROW,),
    bars=(CardBar(what="飲食", amount="120 元", share=0.5),),
    notes=("還有 2 筆",),
    picture="https://example.org/a.jpg",
    buttons=(Button("Notion", "https://example.org", "link"),),
    beside="記得帶傘。",
)
ANSWER = (
    Bubble("好", (Button("復原", "undo:1"), Button("定時間", "when:1", "picker", "2026-12-01T09:00", "定好了"))),
    Bubble("今天 1 筆：15:00 回診 #1", (), CARD),
)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    return SqlInbox(database, lambda: NOON)


def test_an_answer_that_was_stored_before_there_were_cards_is_read():
    stored = '[{"text": "好", "buttons": [["復原", "undo:1"]]}]'

    assert bubbles_from_json(stored) == (Bubble("好", (Button("復原", "undo:1"),)),)
    assert bubbles_to_json(bubbles_from_json(stored)) == stored


async def test_waiting_messages_of_a_chat_become_one_turn_in_their_order(inbox: SqlInbox):
    await inbox.put([said(2, "二"), said(1, "一"), said(3, "三")])

    turn = await taken(inbox)

    assert [message.text for message in turn.messages] == ["一", "二", "三"]
    assert turn.id == "01E001"
    assert turn.messages[0] == said(1, "一")


async def test_what_happened_at_once_is_answered_in_the_order_in_which_the_network_told_it(inbox: SqlInbox):
    event = {"type": "message", "timestamp": 1, "replyToken": "one", "source": {"type": "user", "userId": ANNA}}
    events = [
        {**event, "webhookEventId": id_, "message": {"type": "text", "id": id_, "text": id_}} for id_ in ("c", "a", "b")
    ]
    await inbox.put(read_delivery(json.dumps({"events": events}).encode(), NOON))

    turn = await taken(inbox)
    assert [each.text for each in turn.messages] == ["c", "a", "b"]
    assert {each.reply_token for each in turn.messages} == {"one"}


async def test_a_known_message_is_not_put_again(inbox: SqlInbox):
    assert [LaneId(ANNA)] == await inbox.put([said(1)])
    assert await inbox.put([said(1)]) == []


async def test_a_redelivery_renews_the_token_of_an_unanswered_message(inbox: SqlInbox):
    await inbox.put([said(1)])
    later = NOON + timedelta(minutes=5)

    assert [LaneId(ANNA)] == await inbox.put([said(1, redelivered=True, received_at=later)])
    turn = await taken(inbox)
    assert turn.last.received_at == later


async def test_a_redelivery_of_a_delivered_message_does_nothing(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.delivered(turn)

    assert await inbox.put([said(1, redelivered=True)]) == []
    assert await inbox.take(LaneId(ANNA)) is None


async def test_a_redelivery_of_an_owed_answer_lets_it_be_sent_on_the_renewed_token(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.owe(turn, maybe_sent=False)

    await inbox.put([said(1, redelivered=True)])
    turn = await taken(inbox)

    assert turn.answer == ANSWER


async def test_a_redelivery_of_any_message_of_an_owed_turn_brings_back_the_whole_turn(inbox: SqlInbox):
    await inbox.put([said(1), said(2)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.owe(turn, maybe_sent=False)

    assert await inbox.put([said(2, redelivered=True)]) == [LaneId(ANNA)]
    turn = await taken(inbox)

    assert (turn.id, turn.answer) == ("01E001", ANSWER)
    assert [message.id for message in turn.messages] == ["01E001", "01E002"]
    assert await inbox.owed(ANNA) == []


async def test_a_long_burst_becomes_several_turns(inbox: SqlInbox):
    await inbox.put([said(number) for number in range(MOST_IN_A_TURN + 1)])

    first = await inbox.take(LaneId(ANNA))

    assert first is not None
    assert len(first.messages) == MOST_IN_A_TURN


async def test_an_interrupted_turn_is_taken_again_before_anything_new(inbox: SqlInbox):
    await inbox.put([said(1)])
    await taken(inbox)
    await inbox.put([said(2)])

    again = await inbox.take(LaneId(ANNA))

    assert again is not None
    assert [message.id for message in again.messages] == ["01E001"]
    assert again.state == "working"


async def test_an_answered_turn_is_taken_with_its_answer(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.sending(turn, "token1", list)

    again = await inbox.take(LaneId(ANNA))

    assert again is not None
    assert again.answer == ANSWER
    assert again.state == "sending"


async def test_an_owed_answer_waits_until_it_is_delivered(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.owe(turn, maybe_sent=True)

    assert await inbox.take(LaneId(ANNA)) is None
    owed = await inbox.owed(ANNA)
    assert [(each.bubbles, each.maybe_sent) for each in owed] == [(ANSWER, True)]

    await inbox.put([said(2)])
    reply = await taken(inbox)
    await inbox.answered(reply, ANSWER)
    assert await inbox.sending(reply, "token1", list) == owed
    await inbox.delivered(reply)
    assert await inbox.owed(ANNA) == []


async def test_a_tap_is_a_turn_of_its_own(inbox: SqlInbox):
    await inbox.put([said(1), said(2, kind="postback", text="", data="undo:x"), said(3)])

    turns = [await inbox.take(LaneId(ANNA))]
    for _ in range(2):
        assert turns[-1] is not None
        await inbox.answered(turns[-1], ())
        await inbox.delivered(turns[-1])
        turns.append(await inbox.take(LaneId(ANNA)))

    assert [[m.id for m in turn.messages] for turn in turns if turn] == [["01E001"], ["01E002"], ["01E003"]]


async def test_a_tap_for_a_slow_answer_does_not_wait_behind_it(inbox: SqlInbox):
    await inbox.put([said(1)])
    await taken(inbox)

    lanes = await inbox.put([said(2, kind="postback", text="", data="show:01E001")])
    tap = await inbox.take(lanes[0])

    assert tap is not None
    assert tap.last.data == "show:01E001"


async def test_reminders_do_not_mix_with_what_is_said(inbox: SqlInbox):
    await inbox.put([said(1, kind="reminder", text="", data="7"), said(2)])

    turn = await taken(inbox)

    assert [message.kind for message in turn.messages] == ["reminder"]


async def test_of_what_must_not_be_answered_only_the_id_is_kept(inbox: SqlInbox, database: Database):
    assert await inbox.put([said(1, "不關機器人的事", answerable=False)]) == []

    rows = await database.read(lambda connection: connection.exec_driver_sql("SELECT * FROM inbox").all())
    assert "不關機器人的事" not in str(rows)
    assert "token1" not in str(rows)
    assert await inbox.put([said(1, answerable=False)]) == []


async def test_the_answer_of_a_turn_can_be_asked_for_at_any_time(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)

    assert await inbox.answer_of(TurnId("01E001"), ANNA) is None
    await inbox.answered(turn, ANSWER)
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == Answer(ANSWER, on_its_way=True)
    await inbox.sending(turn, None, list)
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == Answer(ANSWER, on_its_way=True)
    await inbox.delivered(turn)
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == Answer(ANSWER)
    assert await inbox.answer_of(TurnId("unknown"), ANNA) == Answer()
    assert await inbox.answer_of(TurnId("01E001"), ChatId("Ub")) == Answer()


async def test_lanes_with_work_are_found_after_a_restart(inbox: SqlInbox):
    await inbox.put([said(1), said(2, chat=ChatId("Ub"))])
    await taken(inbox)
    assert await inbox.lanes_with_work() == ["Ub"]

    await inbox.end_claims()
    assert {LaneId(ANNA), LaneId("Ub")} == set(await inbox.lanes_with_work())


async def test_the_oldest_waiting_message_is_known(inbox: SqlInbox):
    assert await inbox.oldest_waiting() is None
    await inbox.put([said(3), said(1)])
    assert await inbox.oldest_waiting() == NOON + timedelta(seconds=1)


async def test_a_failed_turn_is_set_aside(inbox: SqlInbox):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.fail(turn)

    assert await inbox.take(LaneId(ANNA)) is None
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == Answer(is_given_up=True)


# ── who works on it ───────────────────────────────────────────────────────────────────────────────────────────────


class Worker:
    """One of several processes that share the inbox."""

    def __init__(self, database: Database, name: str, lease_seconds: float = 0.3) -> None:
        self.clock = Calendar(datetime.now(UTC))
        self.inbox = SqlInbox(database, self.clock, worker=name, lease_seconds=lease_seconds)

    async def take(self) -> Turn | None:
        return await self.inbox.take(LaneId(ANNA))

    async def takes(self) -> Turn:
        return await taken(self.inbox)

    async def takes_over(self) -> Turn:
        """As soon as the other's claim has run out: by the store's own clock where it has one."""
        async with asyncio.timeout(5):
            while (turn := await self.take()) is None:
                self.clock.move(seconds=0.05)
                await asyncio.sleep(0.02)
        return turn


@pytest.fixture
def two(database: Database) -> tuple[Worker, Worker]:
    return Worker(database, "one"), Worker(database, "two")


async def test_a_lane_is_worked_by_one_process_at_a_time(two: tuple[Worker, Worker]):
    one, other = two
    await one.inbox.put([said(1)])
    turn = await one.takes()
    await one.inbox.put([said(2)])

    assert await other.take() is None
    assert await other.inbox.lanes_with_work() == []
    assert (await one.takes()).fence == turn.fence


async def test_a_lane_in_which_nothing_waits_is_given_back(two: tuple[Worker, Worker]):
    one, other = two
    await one.inbox.put([said(1)])
    turn = await one.takes()
    await one.inbox.answered(turn, ())
    await one.inbox.delivered(turn)
    assert await one.take() is None
    await one.inbox.put([said(2)])

    assert await other.inbox.lanes_with_work() == [ANNA]
    assert (await other.takes()).deaths == 0


async def test_what_a_process_lets_go_can_be_taken_by_any_other(two: tuple[Worker, Worker]):
    one, other = two
    await one.inbox.put([said(1)])
    await one.takes()
    await one.inbox.let_go()

    assert (await other.takes()).deaths == 0


async def test_many_processes_at_once_get_a_lane_once(database: Database):
    workers = [Worker(database, f"w{number}") for number in range(8)]
    await workers[0].inbox.put([said(1)])

    turns = await asyncio.gather(*(each.take() for each in workers))
    assert sum(turn is not None for turn in turns) == 1


async def test_a_claim_that_is_renewed_is_not_lost_and_one_that_is_not_runs_out(two: tuple[Worker, Worker]):
    one, other = two
    await one.inbox.put([said(1)])
    await one.takes()
    for _ in range(5):
        await asyncio.sleep(0.1)
        one.clock.now = other.clock.now = one.clock.now + timedelta(seconds=0.1)
        await one.inbox.renew()
        assert await other.take() is None

    assert (await other.takes_over()).deaths == 1
    assert await one.take() is None


@pytest.mark.parametrize("move", ["answered", "sending", "delivered", "owe", "spend", "fail"])
async def test_a_process_that_slept_past_its_lease_moves_nothing_that_another_has_taken(
    two: tuple[Worker, Worker], move: str
):
    one, other = two
    await one.inbox.put([said(1)])
    stale = await one.takes()
    if move in {"sending", "delivered", "owe"}:
        await one.inbox.answered(stale, ANSWER)
    current = await other.takes_over()

    moves = {
        "answered": lambda: one.inbox.answered(stale, ()),
        "sending": lambda: one.inbox.sending(stale, "token1", list),
        "delivered": lambda: one.inbox.delivered(stale),
        "owe": lambda: one.inbox.owe(stale, maybe_sent=False),
        "spend": lambda: one.inbox.spend(stale),
        "fail": lambda: one.inbox.fail(stale),
    }
    with pytest.raises(ClaimLost):
        await moves[move]()
    again = await other.takes()
    assert (again.state, again.fence, again.last.reply_token) == (current.state, current.fence, "token1")


async def test_a_claim_from_before_the_clock_was_set_back_by_days_does_not_hold_for_days(database: Database):
    one, other = Worker(database, "one"), Worker(database, "two")
    await one.inbox.put([said(1)])
    await one.takes()
    await database.write(lambda c: c.execute(update(CLAIM).values(until=CLAIM.c.until + 3 * 86_400_000_000)))

    assert await other.take() is not None


async def test_every_death_is_counted_and_an_orderly_end_is_none(database: Database):
    await Worker(database, "first").inbox.put([said(1)])
    for number in range(1, 4):
        worker = Worker(database, f"w{number}")
        turn = await worker.takes_over()
        assert turn.deaths == number - 1
        await worker.inbox.begins(turn)
    last = Worker(database, "last")
    assert (await last.takes_over()).deaths == 3
    await last.inbox.let_go()
    assert (await Worker(database, "new").takes()).deaths == 3


async def test_a_suspect_that_only_waited_for_its_turn_is_not_blamed_for_a_death(database: Database):
    await Worker(database, "first").inbox.put([said(1)])
    for number in range(3):
        await Worker(database, f"w{number}").takes_over()

    assert (await Worker(database, "w3").takes_over()).deaths == 2
    assert (await Worker(database, "w4").takes_over()).deaths == 2


async def test_the_only_process_knows_every_other_to_be_dead(two: tuple[Worker, Worker]):
    one, other = two
    await one.inbox.put([said(1)])
    await one.takes()
    await other.inbox.end_claims()

    assert (await other.takes()).deaths == 1


# ── owed answers that ride in front of another ────────────────────────────────────────────────────────────────────


async def owes(inbox: SqlInbox, number: int) -> Turn:
    await inbox.put([said(number)])
    turn = await taken(inbox)
    await inbox.answered(turn, (Bubble(f"answer {number}"),))
    await inbox.owe(turn, maybe_sent=False)
    return turn


async def replies(inbox: SqlInbox, number: int) -> Turn:
    await inbox.put([said(number, kind="postback", data=f"show:{number}")])
    turn = await inbox.take(LaneId(f"{ANNA}?"))
    assert turn is not None
    await inbox.answered(turn, ANSWER)
    return turn


async def test_an_owed_answer_is_carried_by_one_reply_at_a_time(inbox: SqlInbox):
    await owes(inbox, 1)
    await inbox.put([said(2)])
    reply = await taken(inbox)
    await inbox.answered(reply, ANSWER)
    other = await replies(inbox, 3)

    carried = await inbox.sending(reply, "token1", list)
    assert [each.turn for each in carried] == ["01E001"]
    assert await inbox.sending(other, "token1", list) == []
    assert await inbox.sending(reply, "token1", list) == carried, "a repeat carries the same"

    await inbox.owe(reply, maybe_sent=True)
    assert [(each.turn, each.maybe_sent) for each in await inbox.sending(other, "token1", list)] == [
        ("01E001", True),
        ("01E002", True),
    ]
    await inbox.delivered(other)
    assert await inbox.owed(ANNA) == []


async def test_a_redelivery_does_not_take_an_owed_answer_out_of_a_reply_that_carries_it(inbox: SqlInbox):
    await owes(inbox, 1)
    other = await replies(inbox, 2)
    await inbox.sending(other, "token1", list)

    assert await inbox.put([said(1, redelivered=True)]) == []
    assert await inbox.take(LaneId(ANNA)) is None


# ── the moves a row may make ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("before", MOVES)
async def test_the_database_itself_refuses_every_move_that_is_not_written_down(database: Database, before: str):
    inbox = SqlInbox(database, lambda: NOON)
    permitted = set()
    for number, after in enumerate(MOVES):
        await inbox.put([said(number)])
        row = INBOX.c.id == f"01E{number:03}"

        def set_up(connection: Connection, row=row) -> None:
            connection.execute(delete(INBOX).where(row))
            connection.execute(insert(INBOX).values({**EMPTY_ROW, "id": row.right.value, "state": before}))

        await database.write(set_up)
        with suppress(DBAPIError):
            await database.write(
                lambda c, row=row, after=after: c.execute(update(INBOX).where(row).values(state=after))
            )
            permitted.add(after)

    assert permitted - {before} == MOVES[before]


EMPTY_ROW = {
    "chat": ANNA,
    "lane": ANNA,
    "kind": "text",
    "message": "{}",
    "token_at": 0,
    "occurred_at": 0,
    "moved_at": 0,
}

"""The inbox on a real SQLite file: what is heard once is answered once, whatever happens in between."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.ports import Bubble, Button, ChatId, LaneId, TurnId
from bot.sql_inbox import MOST_IN_A_TURN, SqlInbox
from tests.fakes import ANNA, NOON, said
from tools.database import Database

ANSWER = (Bubble("好", (Button("復原", "undo:1"),)),)


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    return SqlInbox(database, lambda: NOON)


async def test_waiting_messages_of_a_chat_become_one_turn_in_their_order(inbox: SqlInbox):
    await inbox.put([said(2, "二"), said(1, "一"), said(3, "三")])

    turn = await inbox.take(LaneId(ANNA))

    assert turn is not None
    assert [message.text for message in turn.messages] == ["一", "二", "三"]
    assert turn.id == "01E001"
    assert turn.messages[0] == said(1, "一")


async def test_a_known_message_is_not_put_again(inbox: SqlInbox):
    assert [LaneId(ANNA)] == await inbox.put([said(1)])
    assert await inbox.put([said(1)]) == []


async def test_a_redelivery_renews_the_token_of_an_unanswered_message(inbox: SqlInbox):
    await inbox.put([said(1)])
    later = NOON + timedelta(minutes=5)

    assert [LaneId(ANNA)] == await inbox.put([said(1, redelivered=True, received_at=later)])
    turn = await inbox.take(LaneId(ANNA))
    assert turn is not None
    assert turn.last.received_at == later


async def test_a_redelivery_of_a_delivered_message_does_nothing(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.answered(TurnId("01E001"), ANSWER)
    await inbox.delivered([TurnId("01E001")])

    assert await inbox.put([said(1, redelivered=True)]) == []
    assert await inbox.take(LaneId(ANNA)) is None


async def test_a_redelivery_of_an_owed_answer_lets_it_be_sent_on_the_renewed_token(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.answered(TurnId("01E001"), ANSWER)
    await inbox.owe(TurnId("01E001"), maybe_sent=False)

    await inbox.put([said(1, redelivered=True)])
    turn = await inbox.take(LaneId(ANNA))

    assert turn is not None
    assert turn.answer == ANSWER


async def test_a_redelivery_of_any_message_of_an_owed_turn_brings_back_the_whole_turn(inbox: SqlInbox):
    await inbox.put([said(1), said(2)])
    await inbox.take(LaneId(ANNA))
    await inbox.answered(TurnId("01E001"), ANSWER)
    await inbox.owe(TurnId("01E001"), maybe_sent=False)

    assert await inbox.put([said(2, redelivered=True)]) == [LaneId(ANNA)]
    turn = await inbox.take(LaneId(ANNA))

    assert turn is not None
    assert (turn.id, turn.answer) == ("01E001", ANSWER)
    assert [message.id for message in turn.messages] == ["01E001", "01E002"]
    assert await inbox.owed(ANNA) == []


async def test_a_long_burst_becomes_several_turns(inbox: SqlInbox):
    await inbox.put([said(number) for number in range(MOST_IN_A_TURN + 1)])

    first = await inbox.take(LaneId(ANNA))

    assert first is not None
    assert (len(first.messages), first.more) == (MOST_IN_A_TURN, True)


async def test_an_interrupted_turn_is_taken_again_before_anything_new(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.put([said(2)])

    again = await inbox.take(LaneId(ANNA))

    assert again is not None
    assert [message.id for message in again.messages] == ["01E001"]
    assert again.state == "working"


async def test_an_answered_turn_is_taken_with_its_answer(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.answered(TurnId("01E001"), ANSWER)
    await inbox.sending(TurnId("01E001"))

    again = await inbox.take(LaneId(ANNA))

    assert again is not None
    assert again.answer == ANSWER
    assert again.state == "sending"


async def test_an_owed_answer_waits_until_it_is_delivered(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.answered(TurnId("01E001"), ANSWER)
    await inbox.owe(TurnId("01E001"), maybe_sent=True)

    assert await inbox.take(LaneId(ANNA)) is None
    owed = await inbox.owed(ANNA)
    assert [(each.bubbles, each.maybe_sent) for each in owed] == [(ANSWER, True)]
    await inbox.delivered([owed[0].turn])
    assert await inbox.owed(ANNA) == []


async def test_a_tap_is_a_turn_of_its_own(inbox: SqlInbox):
    await inbox.put([said(1), said(2, kind="postback", text="", data="undo:x"), said(3)])

    turns = [await inbox.take(LaneId(ANNA))]
    for _ in range(2):
        assert turns[-1] is not None
        await inbox.answered(turns[-1].id, ())
        await inbox.delivered([turns[-1].id])
        turns.append(await inbox.take(LaneId(ANNA)))

    assert [[m.id for m in turn.messages] for turn in turns if turn] == [["01E001"], ["01E002"], ["01E003"]]


async def test_a_tap_for_a_slow_answer_does_not_wait_behind_it(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))

    lanes = await inbox.put([said(2, kind="postback", text="", data="show:01E001")])
    tap = await inbox.take(lanes[0])

    assert tap is not None
    assert tap.last.data == "show:01E001"


async def test_reminders_do_not_mix_with_what_is_said(inbox: SqlInbox):
    await inbox.put([said(1, kind="reminder", text="", data="7"), said(2)])

    turn = await inbox.take(LaneId(ANNA))

    assert turn is not None
    assert [message.kind for message in turn.messages] == ["reminder"]


async def test_of_what_must_not_be_answered_only_the_id_is_kept(inbox: SqlInbox, database: Database):
    assert await inbox.put([said(1, "不關機器人的事", answerable=False)]) == []

    rows = await database.read(lambda connection: connection.exec_driver_sql("SELECT * FROM inbox").all())
    assert "不關機器人的事" not in str(rows)
    assert "token1" not in str(rows)
    assert await inbox.put([said(1, answerable=False)]) == []


async def test_the_answer_of_a_turn_can_be_asked_for_at_any_time(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))

    assert await inbox.answer_of(TurnId("01E001"), ANNA) is None
    await inbox.answered(TurnId("01E001"), ANSWER)
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == ANSWER
    assert await inbox.answer_of(TurnId("unknown"), ANNA) == ()
    assert await inbox.answer_of(TurnId("01E001"), ChatId("Ub")) == ()


async def test_lanes_with_work_are_found_after_a_restart(inbox: SqlInbox):
    await inbox.put([said(1), said(2, chat=ChatId("Ub"))])
    await inbox.take(LaneId(ANNA))

    assert {LaneId(ANNA), LaneId("Ub")} == set(await inbox.lanes_with_work())


async def test_the_oldest_waiting_message_is_known(inbox: SqlInbox):
    assert await inbox.oldest_waiting() is None
    await inbox.put([said(3), said(1)])
    assert await inbox.oldest_waiting() == NOON + timedelta(seconds=1)


async def test_a_failed_turn_is_set_aside(inbox: SqlInbox):
    await inbox.put([said(1)])
    await inbox.take(LaneId(ANNA))
    await inbox.fail(TurnId("01E001"))

    assert await inbox.take(LaneId(ANNA)) is None
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == ()

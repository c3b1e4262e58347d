"""The words that wait for the model, on both stores: kept once, settled once, and due one chat at a time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.ports import LATER, ChatId, TurnId
from bot.postponed import BACK_OFF, CHATS_AT_ONCE, GIVE_UP_AFTER, LOST_AFTER, Absence, Kept, Recovery, hand_over
from bot.sql.inbox import SqlInbox
from bot.sql.inbox_rows import INBOX
from bot.sql.postponed import SqlPostponed
from tests.fakes import ANNA, BEN, Calendar
from tools.database import Database
from tools.record import PersonId


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture(params=[False, True], ids=["beside others", "alone"])
def postponed(request: pytest.FixtureRequest, database: Database, clock: Calendar) -> SqlPostponed:
    return SqlPostponed(database, clock, alone=request.param)


def kept(clock: Calendar, number: int = 1, chat: str = ANNA, **changes: object) -> Kept:
    """The n-th sentence, a second after the one before it."""
    one = Kept(
        turn=TurnId(f"01E{number:03}"),
        said_in=TurnId(f"01E{number:03}"),
        chat=ChatId(chat),
        person=PersonId(chat),
        language="zh-TW",
        words=f"第{number}句",
        said_at=clock.now + timedelta(seconds=number),
        kept_at=clock.now,
    )
    return replace(one, **changes)


async def turns(postponed: SqlPostponed, clock: Calendar, most: int = 9) -> list[str]:
    return [each.turn for each in await postponed.due(clock.now, most)]


async def test_words_are_kept_as_they_were_and_once(postponed: SqlPostponed, clock: Calendar):
    one = kept(clock, done="午餐 120", told=3, language="th")
    await postponed.keep(one)
    await postponed.keep(replace(one, words="other"))

    assert await postponed.kept_of(one.said_in) == one
    assert await postponed.kept_of(TurnId("unknown")) is None
    assert await postponed.of_chat(ANNA, PersonId(ANNA), TurnId("x")) == [one]
    assert await postponed.of_chat(BEN, PersonId(ANNA), TurnId("x")) == []
    assert await postponed.of_chat(ANNA, PersonId(BEN), TurnId("x")) == []


async def test_they_are_settled_by_one_turn_which_may_say_so_again(postponed: SqlPostponed, clock: Calendar):
    one = kept(clock)
    await postponed.keep(one)

    assert await postponed.settle(one, TurnId("a"), "done")
    assert await postponed.settle(one, TurnId("a"), "done")
    assert not await postponed.settle(one, TurnId("b"), "given up")
    assert await postponed.of_chat(ANNA, PersonId(ANNA), TurnId("b")) == []
    (mine,) = await postponed.of_chat(ANNA, PersonId(ANNA), TurnId("a"))
    assert (mine.settled_by, mine.outcome) == ("a", "done")
    assert await postponed.absence() is None


async def test_the_first_of_each_chat_is_due_oldest_first(postponed: SqlPostponed, clock: Calendar):
    for each in (kept(clock, 4, BEN), kept(clock, 3), kept(clock, 2, "Uc"), kept(clock, 1)):
        await postponed.keep(each)

    assert await turns(postponed, clock) == ["01E001", "01E002", "01E004"]
    assert await turns(postponed, clock, 1) == ["01E001"]
    assert await postponed.due(clock.now - timedelta(seconds=1), 9) == []


async def test_nothing_of_a_chat_is_due_that_is_tried_or_rests(postponed: SqlPostponed, clock: Calendar):
    first, second = kept(clock, 1), kept(clock, 2)
    await postponed.keep(first)
    await postponed.keep(second)
    await postponed.handed(first)
    assert await turns(postponed, clock) == []
    assert await postponed.absence() == Absence(0, clock.now, 1)

    await postponed.settle(first, TurnId("a"), "done")
    assert await turns(postponed, clock) == ["01E002"]
    await postponed.rest(second, clock.now + timedelta(hours=12))
    assert await turns(postponed, clock) == []
    clock.move(hours=12)
    assert await turns(postponed, clock) == ["01E002"]


async def test_what_is_handed_twice_counts_once_and_what_is_lost_is_due_again(postponed: SqlPostponed, clock: Calendar):
    one = kept(clock)
    await postponed.keep(one)
    await postponed.handed(one)
    await postponed.handed(one)
    clock.move(seconds=LOST_AFTER.total_seconds() + 1)

    (again,) = await postponed.due(clock.now, 1)
    assert again.handed == 1


async def test_failures_back_off_and_a_success_ends_that(postponed: SqlPostponed, clock: Calendar):
    await postponed.keep(kept(clock))
    pauses = []
    for failures in range(1, 8):
        await postponed.failed(ANNA)
        await postponed.failed(BEN)  # at the same moment: no news
        absence = await postponed.absence()
        assert absence is not None
        assert absence.failures == failures
        pauses.append(absence.try_at - clock.now)
        clock.now = absence.try_at
    assert pauses == [*BACK_OFF, BACK_OFF[-1], BACK_OFF[-1]]

    await postponed.is_back()
    assert await postponed.absence() == Absence(0, clock.now, 0)


async def test_a_clock_that_was_set_back_a_day_puts_nothing_off_for_a_day(
    database: Database, postponed: SqlPostponed, clock: Calendar
):
    one = kept(clock)
    await postponed.keep(one)
    await postponed.handed(one)
    await postponed.failed(BEN)
    clock.move(days=-1)

    recovery, inbox = Recovery(postponed), SqlInbox(database, clock)
    assert await hand_over(recovery, postponed, inbox, clock.now) == [ANNA]
    assert await hand_over(recovery, postponed, inbox, clock.now) == []
    await postponed.failed(ANNA)
    absence = await postponed.absence()
    assert absence is not None
    assert absence.try_at - clock.now == BACK_OFF[1]


async def test_a_failure_frees_what_its_chat_was_trying(postponed: SqlPostponed, clock: Calendar):
    one = kept(clock)
    await postponed.keep(one)
    await postponed.handed(one)
    await postponed.failed(ANNA)

    assert await turns(postponed, clock) == ["01E001"]


# ── what goes into the inbox, and when ────────────────────────────────────────────────────────────────────────────


async def test_while_the_model_is_away_one_chat_tries_it_for_all_processes(
    database: Database, postponed: SqlPostponed, clock: Calendar
):
    for number, chat in enumerate((ANNA, BEN, "Uc"), start=1):
        await postponed.keep(kept(clock, number, chat))
    await postponed.failed(ANNA)
    inboxes = [SqlInbox(database, clock, worker=worker) for worker in "ab"]
    recoveries = [Recovery(postponed), Recovery(postponed)]

    async def both() -> list[str]:
        tries = zip(recoveries, inboxes, strict=True)
        return [lane for one, inbox in tries for lane in await hand_over(one, postponed, inbox, clock.now)]

    assert await both() == []
    clock.move(minutes=1)
    assert await both() == [ANNA]
    assert await both() == []
    clock.move(minutes=5)
    assert await both() == []  # it is still being tried
    await postponed.failed(ANNA)
    assert await both() == []
    clock.move(minutes=2)
    assert await both() == [ANNA]


async def test_once_it_has_answered_anybody_a_few_chats_at_once_go_on(
    database: Database, postponed: SqlPostponed, clock: Calendar
):
    for number in range(CHATS_AT_ONCE + 2):
        await postponed.keep(kept(clock, number, f"U{number}"))
    await postponed.failed(ANNA)
    recovery, inbox = Recovery(postponed), SqlInbox(database, clock)
    assert await hand_over(recovery, postponed, inbox, clock.now) == []
    recovery.answered()

    assert len(await hand_over(recovery, postponed, inbox, clock.now)) == CHATS_AT_ONCE
    assert await hand_over(recovery, postponed, inbox, clock.now) == []
    await postponed.settle(kept(clock, 0), TurnId("a"), "done")
    assert len(await hand_over(recovery, postponed, inbox, clock.now)) == 1


async def test_a_success_before_the_failure_is_no_news(database: Database, postponed: SqlPostponed, clock: Calendar):
    recovery, inbox = Recovery(postponed), SqlInbox(database, clock)
    recovery.answered()
    await postponed.keep(kept(clock))
    await recovery.failed(ANNA)
    assert await hand_over(recovery, postponed, inbox, clock.now) == []


async def test_a_success_while_nothing_waited_is_no_news(database: Database, postponed: SqlPostponed, clock: Calendar):
    recovery, inbox = Recovery(postponed), SqlInbox(database, clock)
    recovery.answered()
    assert await hand_over(recovery, postponed, inbox, clock.now) == []
    await postponed.keep(kept(clock))
    await postponed.failed(ANNA)  # in another process
    assert await hand_over(recovery, postponed, inbox, clock.now) == []


async def test_what_is_too_old_goes_in_to_be_told_though_the_model_is_away(
    database: Database, postponed: SqlPostponed, clock: Calendar
):
    await postponed.keep(kept(clock))
    await postponed.keep(kept(clock, 2, BEN, kept_at=clock.now + timedelta(hours=1)))
    clock.move(seconds=GIVE_UP_AFTER.total_seconds())
    await postponed.failed(BEN)

    assert await hand_over(Recovery(postponed), postponed, SqlInbox(database, clock), clock.now) == [ANNA]


async def test_a_process_that_dies_between_inbox_and_mark_puts_nothing_in_twice(
    database: Database, postponed: SqlPostponed, clock: Calendar
):
    class Dies(SqlPostponed):
        async def handed(self, kept: Kept) -> None:
            raise KeyboardInterrupt

    await postponed.keep(kept(clock))
    inbox = SqlInbox(database, clock)
    with pytest.raises(KeyboardInterrupt):
        await hand_over(Recovery(postponed), Dies(database, clock), inbox, clock.now)
    await hand_over(Recovery(postponed), postponed, inbox, clock.now)

    rows = await database.read(lambda c: c.execute(select(INBOX.c.id, INBOX.c.kind, INBOX.c.message)).all())
    assert [(row.id, row.kind) for row in rows] == [(f"{LATER}01E001:1", "postponed")]
    assert "句" not in rows[0].message


async def test_a_process_alone_in_its_store_finds_what_another_run_left(database: Database, clock: Calendar):
    left = kept(clock)
    await SqlPostponed(database, clock, alone=True).keep(left)
    again = SqlPostponed(database, clock, alone=True)
    assert await again.of_chat(BEN, PersonId(BEN), TurnId("x")) == []
    assert await again.of_chat(ANNA, PersonId(ANNA), TurnId("x")) == [left]


async def test_words_that_are_kept_during_the_first_look_are_found(database: Database, clock: Calendar):
    alone, one = SqlPostponed(database, clock, alone=True), kept(clock)
    await asyncio.gather(*(alone.of_chat(BEN, PersonId(BEN), TurnId("x")) for _ in range(3)), alone.keep(one))
    assert await alone.of_chat(ANNA, PersonId(ANNA), TurnId("x")) == [one]


async def test_a_process_beside_others_finds_what_another_has_kept_meanwhile(database: Database, clock: Calendar):
    ours, theirs = SqlPostponed(database, clock), SqlPostponed(database, clock)
    assert await ours.of_chat(ANNA, PersonId(ANNA), TurnId("x")) == []
    await theirs.keep(kept(clock))
    assert await ours.of_chat(ANNA, PersonId(ANNA), TurnId("x")) == [kept(clock)]

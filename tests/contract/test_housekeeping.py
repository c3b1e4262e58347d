"""Housekeeping on both stores: words go in time, ids stay to know a repeat by, what is remembered is not touched."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from bot.engines.offline.engine import OfflineEngine
from bot.gate import Gate
from bot.inbox_command import NotPossible
from bot.inbox_ports import Answer, Sent
from bot.model_ports import ModelUnavailable
from bot.outage import Outage
from bot.ports import Bubble, LaneId, TurnId
from bot.reception import Reception
from bot.sql.housekeeping import ID_DAYS, Cleaned, SqlHousekeeping, keep_house
from bot.sql.inbox_rows import INBOX, MOST_IN_A_TURN
from bot.sql.members import INVITATION
from bot.sql.operator import SqlOperator
from bot.sql.people import STRANGER
from bot.sql.postponed import POSTPONED
from bot.sql.said import SAID
from bot.sql.taking_back import UNSENT
from bot.sql.transcript import TRANSCRIPT
from tests.fakes import ANNA, BEN, NOON, ScriptedModel, asks, said, says
from tests.talk import ZH, Talk, create
from tools.database import Database
from tools.record import PersonId

DAYS = 30


@pytest.fixture
def talk(database: Database) -> Talk:
    return Talk(database, ScriptedModel(asks(create("牛奶")), says("記好了")))


def house_of(talk: Talk, batch: int = 3, days: int = DAYS) -> SqlHousekeeping:
    return SqlHousekeeping(talk.database, talk.clock, days, batch=batch, pause_seconds=0)


async def everything(talk: Talk) -> str:
    """Whatever stands in the tables of the conversation."""
    tables = (INBOX, TRANSCRIPT, POSTPONED)
    return str([await talk.database.read(lambda c, t=table: c.execute(select(t)).all()) for table in tables])


async def ids(talk: Talk) -> list[str]:
    return list(await talk.database.read(lambda c: c.execute(select(INBOX.c.id).order_by(INBOX.c.id)).scalars().all()))


async def steps(talk: Talk) -> int:
    return await talk.database.read(lambda c: c.execute(select(func.count()).select_from(TRANSCRIPT)).scalar_one())


async def test_words_stay_as_long_as_they_were_promised_to_and_not_a_day_longer(talk: Talk):
    await talk.says("買牛奶")
    before = await everything(talk)

    talk.clock.move(days=DAYS)
    assert await house_of(talk).clean() == Cleaned()
    assert await everything(talk) == before

    talk.clock.move(seconds=1)
    assert await house_of(talk).clean() == Cleaned(messages=1, transcript=4)
    left = await everything(talk)
    assert [each for each in ("牛奶", "token1", "記好了") if each in left] == []
    assert "01E001" in left
    assert ANNA in left


async def test_what_is_remembered_is_not_touched(talk: Talk):
    await talk.says("買牛奶")
    records = await talk.records()
    changes = await talk.memory().changes("01E001")

    talk.clock.move(days=10 * ID_DAYS)
    cleaned = await house_of(talk).clean()

    assert (cleaned.messages, cleaned.ids) == (1, 1)
    assert await talk.records() == records
    assert await talk.memory().changes("01E001") == changes
    assert changes[0].record.content == "牛奶"


async def test_a_repeat_is_known_by_its_id_long_after_its_words_are_gone(talk: Talk):
    woken: list[LaneId] = []
    reception = Reception(talk.inbox, talk.gate, woken.append, Outage(talk.gate, talk.channel))
    message = said(1, "買牛奶")
    await reception.receive([message])
    await talk.use_case.run(await talk.takes())
    assert (woken, len(talk.channel.sent)) == ([ANNA], 1)

    for day in (1, DAYS + 1, ID_DAYS - 1, ID_DAYS + 1, 2 * ID_DAYS):
        talk.clock.now = NOON + timedelta(days=day)
        await house_of(talk).clean()
        again = said(1, "買牛奶", redelivered=day % 2 == 0, received_at=talk.clock.now)
        await reception.receive([again])
        await asyncio.sleep(0)
        assert woken == [ANNA], f"after {day} days"
        assert await talk.inbox.take(LaneId(ANNA)) is None
    assert await ids(talk) == []
    assert len(await talk.records()) == 1


async def test_what_happened_before_the_oldest_known_id_is_not_heard_and_what_came_later_is(talk: Talk, caplog):
    await talk.says("買牛奶")
    talk.clock.move(days=ID_DAYS + 1)
    await house_of(talk).clean()
    await house_of(talk).clean()

    later = {"received_at": talk.clock.now}
    assert await talk.inbox.put([said(0, **later), said(1, **later), said(99, occurred_at=talk.clock.now)]) == [ANNA]
    assert await ids(talk) == ["01E099"]
    assert "2 events may be repeats" in caplog.text


async def test_a_new_house_hears_everything_however_old_its_time_is(talk: Talk):
    assert await talk.inbox.put([said(1, occurred_at=NOON - timedelta(days=10 * ID_DAYS))]) == [ANNA]


async def test_nothing_of_a_turn_that_is_not_settled_goes_however_old_it_is(talk: Talk):
    await talk.hears("第一")
    owing = await talk.takes()
    await talk.transcript.append(owing.id, owing.chat, 0, [{"role": "user", "content": "第一"}])
    await talk.inbox.answered(owing, (Bubble("欠著"),))
    await talk.inbox.owe(owing, maybe_sent=False)
    working = await talk.takes(await talk.hears("第二", by=BEN))
    await talk.transcript.append(working.id, working.chat, 0, [{"role": "user", "content": "第二"}])
    await talk.hears("第三")
    before = await everything(talk)

    talk.clock.move(days=10 * ID_DAYS)

    assert await house_of(talk).clean() == Cleaned()
    assert await everything(talk) == before


async def test_what_was_owed_for_long_stays_as_long_as_any_other_once_it_is_delivered(talk: Talk):
    turn = await talk.takes(await talk.hears("買牛奶"))
    await talk.inbox.answered(turn, (Bubble("欠著"),))
    await talk.inbox.owe(turn, maybe_sent=False)
    house = house_of(talk)
    talk.clock.move(days=DAYS + 1)
    await house.clean()

    assert any("欠著" in text for text in await talk.taps("show:01E001"))
    talk.clock.move(days=DAYS)
    assert await house.clean() == Cleaned()
    talk.clock.move(seconds=1)
    assert (await house.clean()).messages == 2


async def test_a_button_for_an_answer_that_is_gone_says_so(talk: Talk):
    await talk.says("買牛奶")
    assert any("牛奶" in text for text in await talk.taps("show:01E001"))

    talk.clock.move(days=DAYS + 1)
    await house_of(talk).clean()

    assert await talk.inbox.answer_of(TurnId("01E001"), ANNA) == Answer()
    assert await talk.taps("show:01E001") == [ZH.button_too_old]


async def test_what_was_set_aside_is_listed_and_can_be_tried_again_until_its_words_go(talk: Talk):
    await talk.hears("買牛奶")
    turn = await talk.takes()
    await talk.inbox.answered(turn, (Bubble("抱歉"),), set_aside=True)
    await talk.inbox.delivered(turn)
    operator = SqlOperator(talk.database, talk.clock)

    talk.clock.move(days=DAYS)
    await house_of(talk).clean()
    assert [each.id for each in await operator.turns()] == ["01E001"]

    talk.clock.move(days=1)
    await house_of(talk).clean()
    assert await operator.turns() == []
    with pytest.raises(NotPossible):
        await operator.retry("01E001")


async def test_a_failed_turn_whose_words_are_gone_is_not_tried_again(talk: Talk):
    await talk.hears("買牛奶")
    await talk.inbox.fail(await talk.takes())
    talk.clock.move(days=DAYS + 1)
    await house_of(talk).clean()

    with pytest.raises(NotPossible, match="RETENTION_DAYS"):
        await SqlOperator(talk.database, talk.clock).retry("01E001")


@pytest.mark.parametrize("batch", [1, 2, 7, 50])
async def test_however_small_the_batches_everything_old_goes(database: Database, batch: int):
    talk = Talk(database)
    for number in range(20):
        await talk.hears(f"話 {number}", answerable=number % 5 > 0)
    while turn := await talk.inbox.take(LaneId(ANNA)):
        await talk.transcript.append(turn.id, turn.chat, 0, [{"role": "user", "content": "話"}] * 5)
        await talk.inbox.answered(turn, (Bubble("話"),))
        await talk.inbox.delivered(turn)
    house = house_of(talk, batch)

    talk.clock.move(days=DAYS + 1)
    assert (await house.clean()).messages == 16
    assert "話" not in await everything(talk)
    assert await steps(talk) == 0
    assert await house.clean() == Cleaned()

    talk.clock.move(days=ID_DAYS)
    assert await house.clean() == Cleaned(ids=20)


async def test_words_kept_for_years_keep_their_ids_as_long(talk: Talk):
    await talk.says("買牛奶")
    years = 3 * 365

    talk.clock.move(days=years)
    assert await house_of(talk, days=years).clean() == Cleaned()
    assert "買牛奶" in await everything(talk)


async def test_several_processes_clean_up_at_once(database: Database):
    talk = Talk(database)
    await talk.inbox.put([said(number, by) for number, by in enumerate("甲乙丙丁" * 15)])
    while turn := await talk.inbox.take(LaneId(ANNA)):
        await talk.transcript.append(turn.id, turn.chat, 0, [{"role": "user", "content": "甲"}] * 9)
        await talk.inbox.answered(turn, (Bubble("甲"),))
        await talk.inbox.delivered(turn)
    talk.clock.move(days=2 * ID_DAYS)

    cleaned = await asyncio.gather(*(house_of(talk, 5).clean() for _ in range(4)))

    assert sum(each.transcript for each in cleaned) == 9 * 60 // MOST_IN_A_TURN
    assert await ids(talk) == []
    assert await steps(talk) == 0


async def test_a_stranger_is_remembered_as_told_for_no_longer_than_words_are(database: Database):
    talk = Talk(database, gate=Gate(everyone=False, welcome=[PersonId(ANNA)]))
    await talk.says("hi", by=BEN)

    async def known() -> int:
        return await database.read(lambda c: c.execute(select(func.count()).select_from(STRANGER)).scalar_one())

    assert await known() == 1
    talk.clock.move(days=DAYS - 1)
    await house_of(talk).clean()
    assert await known() == 1
    talk.clock.move(days=2)
    assert (await house_of(talk).clean()).strangers == 1
    assert await known() == 0


async def test_an_invitation_goes_when_nobody_can_be_told_any_more_that_it_has_ended(talk: Talk):
    ends = talk.clock.now + timedelta(days=1)
    for number, used in enumerate((True, False)):
        code = f"ABCD-EFGH-JKM{'NP'[number]}"
        await talk.members.invite(TurnId(f"invite {number}"), "member", code, ends)
        if used:
            assert await talk.members.join(PersonId(BEN), code, "小本") == "member"
    talk.clock.move(days=DAYS + 1)
    await house_of(talk).clean()
    assert await talk.members.guess("ABCD-EFGH-JKMP", PersonId("U" + "c" * 32)) == "stale"

    talk.clock.move(seconds=1)
    await house_of(talk, batch=1).clean()
    assert await talk.members.guess("ABCD-EFGH-JKMP", PersonId("U" + "c" * 32)) == "wrong"
    assert await talk.members.role_of(PersonId(BEN)) == "member"
    count = select(func.count()).select_from(INVITATION)
    assert await talk.database.read(lambda c: c.execute(count).scalar_one()) == 0


async def test_the_house_is_kept_for_ever_whatever_goes_wrong(talk: Talk, caplog):
    await talk.says("買牛奶")
    talk.clock.move(days=DAYS + 1)
    house, healthy = house_of(talk), talk.clock.now
    talk.clock.now = None  # type: ignore[assignment]  # a clock that is out of order

    keeping = asyncio.create_task(keep_house(house, first_seconds=0, every_seconds=0.01))
    async with asyncio.timeout(10):
        while "牛奶" in await everything(talk):
            await asyncio.sleep(0.01)
            talk.clock.now = healthy if "could not be kept" in caplog.text else talk.clock.now
    keeping.cancel()
    with suppress(asyncio.CancelledError):
        await keeping


# ── what waits for the model ──────────────────────────────────────────────────────────────────────────────────────


async def test_words_that_wait_stay_and_settled_ones_go_with_what_was_thought_about_them(database: Database):
    away = ModelUnavailable("no route")
    with ScriptedModel(away, asks(create("生日")), says("好")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("午餐 120\n老婆的生日要怎麼辦")
        talk.clock.move(days=DAYS + 1)
        await house_of(talk).clean()
        kept = await talk.postponed.kept_of(TurnId("01E001"))
        assert kept is not None
        assert kept.words == "老婆的生日要怎麼辦"

        turn = await talk.takes(await talk.hears("說明"))
        caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
        talk.clock.now = kept.kept_at
        await talk.answering._carried_out(turn, replace(caller, now=talk.clock.now), kept)
        await talk.use_case.run(turn)

    talk.clock.move(days=DAYS)
    await house_of(talk).clean()
    assert await talk.postponed.kept_of(TurnId("01E001")) is not None
    talk.clock.move(seconds=2)
    assert (await house_of(talk).clean()).postponed == 1
    assert await talk.postponed.kept_of(TurnId("01E001")) is None
    assert "生日" not in await everything(talk)
    assert "生日" in [each.content for each in await talk.records()]


async def test_what_was_said_on_the_network_and_taken_back_goes_with_the_words(talk: Talk):
    turn = await talk.takes(await talk.hears("買牛奶"))
    await talk.said.keep(turn, [Sent("m1", "牛奶 #1", turn.id)])
    await talk.use_case.run(turn)
    await talk.inbox.put([said(5, kind="unsend", message_id="m9", reply_token=None, answerable=False)])

    async def rows() -> int:
        tables = (SAID, UNSENT)
        count = [
            await talk.database.read(lambda c, t=each: c.execute(select(func.count()).select_from(t)).scalar_one())
            for each in tables
        ]
        return sum(count)

    assert await rows() == 3
    talk.clock.move(days=DAYS)
    await house_of(talk).clean()
    assert await talk.said.find(ANNA, "m1") is not None
    talk.clock.move(seconds=2)
    await house_of(talk).clean()
    assert await rows() == 0
    assert await talk.said.find(ANNA, "m1") is None

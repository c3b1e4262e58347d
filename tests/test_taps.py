"""Buttons and reminders: short keys that are checked anew at every tap, and do nothing twice."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.ports import Bubble, LaneId
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, BEN, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create, remember
from tools.definition import Caller
from tools.record import CallKey, PersonId

HOUR = timedelta(hours=1)


async def asked_about_two(talk: Talk) -> None:
    """Two records, and the question whether to delete them."""
    await remember(talk, "買牛奶", "倒垃圾")
    await talk.says("刪掉 1、2")


def deleting() -> ScriptedModel:
    return ScriptedModel(asks(call("delete_record", refs=[1, 2])), says("好"))


async def rings(talk: Talk, *refs: int) -> list[str]:
    """These records fall due and are said."""
    talk.clock.move(hours=1)
    for ref in refs:
        await talk.hears(kind="reminder", data=str(ref), id=f"ring{ref}:{talk.clock():%H%M%S}", reply_token=None)
    sent = len(talk.channel.sent)
    await talk.use_case.run(await talk.takes())
    return [bubble.text for _, bubbles in talk.channel.sent[sent:] for bubble in bubbles]


# ── undo ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_undo_takes_back_a_whole_turn_last_things_first(database):
    steps = [
        asks(create("牛奶", "task"), call("update_record", ref=1, content="豆漿"), create("蛋", "task")),
        says("好"),
    ]
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        await remember(talk, "舊的")
        await talk.says("買牛奶跟蛋")
        await talk.taps_on(ZH.undo)

    assert [each.content for each in await talk.records()] == ["舊的"]
    changes = await talk.memory().changes("01E002")
    assert [(each.kind, each.record.ref) for each in changes] == [("undo", 3), ("undo", 1), ("undo", 2)]


async def test_a_second_tap_on_undo_says_that_it_was_handled(database):
    with ScriptedModel(asks(create("牛奶", "task")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶")
        await talk.taps_on(ZH.undo)

        assert await talk.taps_on(ZH.undo) == [ZH.already_handled]
        assert await talk.records() == []


async def test_undo_after_thirty_days_says_that_it_is_too_late(database):
    with ScriptedModel(asks(create("牛奶", "task")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶")
        talk.clock.move(days=31)

        assert await talk.taps_on(ZH.undo) == [ZH.nothing_to_undo]
        assert len(await talk.records()) == 1


async def test_a_tap_that_was_interrupted_after_its_work_says_the_same_again(database):
    with ScriptedModel(asks(create("牛奶", "task"), create("蛋", "task")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶跟蛋")
        lane = await talk.hears(kind="postback", data=talk.button(ZH.undo).data)
        turn = await talk.takes(lane)
        taipei = ZoneInfo("Asia/Taipei")
        caller = Caller(
            person=PersonId(ANNA),
            language="zh-TW",
            home="zh-TW",
            zone=taipei,
            currency="TWD",
            now=talk.clock().astimezone(taipei),
        )
        lost = await talk.taps_alone.tap(turn, caller)
        await talk.use_case.run(await talk.takes(lane))

    assert talk.last == list(lost)
    assert await talk.records() == []


# ── confirming ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_confirming_deletes_what_was_asked_about_and_can_be_undone(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        (text,) = await talk.taps_on(ZH.delete)
        assert "買牛奶 #1" in text
        assert "倒垃圾 #2" in text
        assert await talk.records() == []

        await talk.taps_on(ZH.undo)
        assert len(await talk.records()) == 2


async def test_confirming_twice_says_that_it_was_handled(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        await talk.taps_on(ZH.delete)

        assert await talk.taps_on(ZH.delete) == [ZH.already_handled]


async def test_a_confirmation_expires_and_deletes_nothing(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        talk.clock.move(minutes=11)

        assert await talk.taps_on(ZH.delete) == [ZH.confirm_expired]
        assert await talk.taps_on(ZH.keep) == [ZH.kept]
        assert len(await talk.records()) == 2


async def test_keeping_keeps_everything(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)

        assert await talk.taps_on(ZH.keep) == [ZH.kept]
        assert len(await talk.records()) == 2


async def test_keeping_what_is_gone_is_not_promised(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        await talk.taps_on(ZH.delete)

        assert await talk.taps_on(ZH.keep) == [ZH.already_handled]


async def test_where_one_of_two_was_deleted_at_once_the_tap_deletes_the_other(database):
    with ScriptedModel(asks(call("delete_record", ref=1), call("delete_record", ref=2)), says("好")) as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        (text,) = await talk.taps_on(ZH.delete)

        assert "倒垃圾 #2" in text
        assert "買牛奶" not in text
        assert await talk.records() == []


async def test_what_went_away_meanwhile_is_not_deleted_again(database):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)
        for ref in (1, 2):
            await talk.memory().remove([ref], CallKey(f"elsewhere{ref}", 1), lambda _: {})

        assert await talk.taps_on(ZH.delete) == [ZH.already_handled]


# ── reminders ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_reminder_is_said_with_buttons_to_finish_or_postpone_it(database):
    talk = Talk(database)
    await remember(talk, "關火", remind_at=talk.clock() + HOUR)

    assert await rings(talk, 1) == ["⏰ 關火 #1"]
    assert [button.label for button in talk.last[0].buttons] == [ZH.done, ZH.snooze]
    assert talk.channel.said[-1][0].startswith("push ")


async def test_several_reminders_are_one_message_without_buttons(database):
    talk = Talk(database)
    await remember(talk, "關火", "吃藥", remind_at=talk.clock() + HOUR)
    (text,) = await rings(talk, 1, 2)

    assert text == "⏰ 2 件事：\n・關火 #1\n・吃藥 #2"
    assert talk.last[0].buttons == ()


async def test_a_finished_or_deleted_record_does_not_ring(database):
    talk = Talk(database)
    await remember(talk, "關火", "吃藥", remind_at=talk.clock() + HOUR)
    await talk.memory().revise(1, {"status": "done"}, CallKey("x", 1), lambda _: {})
    await talk.memory().remove([2], CallKey("x", 2), lambda _: {})

    assert await rings(talk, 1, 2) == []
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_done_finishes_the_record_once(database):
    talk = Talk(database)
    await remember(talk, "關火", remind_at=talk.clock() + HOUR)
    await rings(talk, 1)

    (text,) = await talk.taps_on(ZH.done)
    assert text.startswith("完成：關火。")
    assert await talk.taps_on(ZH.done) == [ZH.already_handled]


async def test_snooze_moves_the_reminder_ten_minutes_on(database):
    talk = Talk(database)
    await remember(talk, "關火", remind_at=talk.clock() + HOUR)
    await rings(talk, 1)
    (text,) = await talk.taps_on(ZH.snooze)

    (record,) = await talk.records()
    assert record.remind_at == talk.clock() + timedelta(minutes=10)
    assert text == ZH.snoozed("11/30（一）13:10")


@pytest.mark.parametrize("end", ["done", "cancelled", "deleted"])
async def test_what_is_over_cannot_be_postponed(database, end):
    talk = Talk(database)
    await remember(talk, "關火", remind_at=talk.clock() + HOUR)
    await rings(talk, 1)
    if end == "deleted":
        await talk.memory().remove([1], CallKey("x", 1), lambda _: {})
        assert await talk.taps_on(ZH.done) == [ZH.already_handled]
    else:
        await talk.memory().revise(1, {"status": end}, CallKey("x", 1), lambda _: {})

    assert await talk.taps_on(ZH.snooze) == [ZH.already_handled]


# ── old, foreign and odd buttons ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "data",
    [
        *("", ":", "undo", "undo:", "undo:01E999", "confirm:", "confirm:01E999", "keep:01E999", "show:", "show:01E999"),
        *("say:", "say: ", "done:", "done:x", "done:-1", "done:²", f"done:{'9' * 290}", "snooze:1.5", "drop:all"),
        "{'action':'delete'}",
    ],
)
async def test_a_button_that_means_nothing_is_too_old(database, data):
    assert await Talk(database).taps(data) == [ZH.button_too_old]


async def test_a_ring_button_of_a_record_that_never_was_is_handled(database):
    assert await Talk(database).taps("done:77") == [ZH.already_handled]


@pytest.mark.parametrize("kind", ["undo:", "confirm:", "keep:", "show:"])
async def test_another_persons_turn_in_a_button_does_and_shows_nothing(database, kind):
    with deleting() as model:
        talk = Talk(database, model)
        await asked_about_two(talk)

        assert await talk.taps(f"{kind}01E001", by=BEN) == [ZH.button_too_old]
        assert len(await talk.records()) == 2


async def test_another_persons_ref_in_a_button_does_nothing(database):
    talk = Talk(database)
    await remember(talk, "關火")

    assert await talk.taps("done:1", by=BEN) == [ZH.already_handled]
    assert (await talk.records())[0].status == "open"


async def test_a_button_that_speaks_for_the_person_is_answered_like_words(database):
    with ScriptedModel(asks(create("牛奶", "task")), says("好")) as model:
        talk = Talk(database, model)
        (text,) = await talk.taps("say:買牛奶：兩瓶")

    assert "牛奶 #1" in text
    assert model.requests[0].messages[-1]["content"].endswith("\n買牛奶：兩瓶")


async def test_a_tap_is_answered_in_the_language_of_the_person(database):
    talk = Talk(database)
    await talk.says("ヘルプ")

    assert await talk.taps("undo:01E999") == [phrases_of("ja").button_too_old]


async def test_a_slow_answer_that_is_owed_comes_once_on_the_tap_that_asks_for_it(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("午餐"))
    await talk.inbox.answered(turn, [Bubble("想好了")])
    await talk.inbox.owe(turn, maybe_sent=False)

    assert await talk.taps(f"show:{turn.id}") == ["想好了"]
    assert await talk.taps(f"show:{turn.id}") == ["想好了"]


async def test_a_person_without_records_has_nothing_that_rings(database):
    talk = Talk(database)
    assert await talk.memory(PersonId(BEN)).get(1) is None
    assert await rings(talk, 1) == []

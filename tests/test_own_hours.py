"""A person's own hours and reminders, set and told by words alone; and what receipts say of what rings and repeats."""

from __future__ import annotations

from datetime import time

import pytest

from bot.voice.commands import plain
from bot.voice.hours import own_hours
from tests.fakes import ANNA, NOON, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create
from tests.test_repeating import PILLS, scripted, taipei
from tests.test_ringing import DAY, HOUR, reminded, rings
from tools.moments import Hours
from tools.record import CallKey, PersonId

NIGHT = "22:00-07:00"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("22點到7點不要吵我", ("quiet", NIGHT)),
        ("11點到7點不要吵我", ("quiet", "23:00-07:00")),
        ("晚上10點到早上7點請勿打擾", ("quiet", NIGHT)),
        ("勿擾時段 22:00-07:00", ("quiet", NIGHT)),
        ("22時から7時は通知しないで", ("quiet", NIGHT)),
        ("夜10時から朝7時まで静かにして", ("quiet", NIGHT)),
        ("4 ทุ่มถึง 7 โมงเช้าห้ามรบกวน", ("quiet", NIGHT)),
        ("ห้ามรบกวน 22:00-07:00", ("quiet", NIGHT)),
        ("do not disturb from 10pm to 7am", ("quiet", NIGHT)),
        ("don't disturb me between 10pm and 7am", ("quiet", NIGHT)),
        ("取消勿擾", ("quiet", "off")),
        ("おやすみモード解除", ("quiet", "off")),
        ("ยกเลิกห้ามรบกวน", ("quiet", "off")),
        ("quiet hours off", ("quiet", "off")),
        ("quiet hours", ("quiet", "")),
        ("我11點睡", ("bedtime", "23:00")),
        ("睡前是十一點半", ("bedtime", "23:30")),
        ("我11:30睡", ("bedtime", "23:30")),
        ("就寝は23時", ("bedtime", "23:00")),
        ("ฉันนอน 5 ทุ่ม", ("bedtime", "23:00")),
        ("my bedtime is 11pm", ("bedtime", "23:00")),
        ("9點到17點不要吵我", ("quiet", "09:00-17:00")),
        ("明天三點開會", None),
        ("昨晚兩點才睡", None),
        ("我昨天十一點睡", None),
        ("明天晚上十點到早上七點不要吵我", None),
        ("เมื่อคืนนอนตีสอง", None),
        ("昨日2時に寝た", None),
        ("i go to bed at 11 tonight", None),
        ("22點到7點上班", None),
        ("7點起床", None),
        ("不要吵我", None),
    ],
)
def test_what_somebody_says_of_their_hours_is_read_or_left_alone(said, meant):
    assert own_hours(plain(said)) == meant


async def test_hours_are_kept_and_told_and_taken_back(database):
    talk = Talk(database)
    assert await talk.says("22點到7點不要吵我") == ["好，22:00–07:00 不吵你，這段時間的提醒等過後再說。"]
    assert await talk.says("我11點半睡") == ["好，「睡前」就是 23:30。"]
    assert (await talk.people.find(PersonId(ANNA))).hours == Hours((time(22), time(7)), time(23, 30))
    assert "22:00–07:00" in (await talk.says("勿擾時段"))[0]
    await talk.says("取消勿擾")
    assert (await talk.people.find(PersonId(ANNA))).hours == Hours(None, time(23, 30))


@pytest.mark.parametrize("word", ["有哪些提醒", "reminders", "リマインダー一覧", "มีเตือนอะไรบ้าง"])
async def test_what_is_still_to_ring_is_told_by_its_hour(database, word):
    with scripted(PILLS) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
        await reminded(talk, "打電話", NOON + DAY / 24)
        await reminded(talk, "過了", NOON - DAY)
        await talk.memory().remove([3], CallKey("gone", 1), lambda _: {})
        (text,) = await talk.says(word)
    assert text.index("打電話 #2") < text.index("吃藥 #1")
    assert "過了" not in text


async def test_a_new_rule_is_said_back_with_its_next_time_and_its_reminder(database):
    with scripted(create("吃藥", "task", repeat="每週一三早上八點", remind_at="提前半小時")) as model:
        talk = Talk(database, model)
        (text,) = await talk.says("每週一三早上八點吃藥，提前半小時提醒我")
    assert text == "記好了：12/2（三）08:00 吃藥 #1。每週一、三 08:00重複。07:30 提醒你。"


async def test_the_receipt_says_what_quiet_hours_make_of_a_reminder(database):
    with scripted(create("關窗", "task", remind_at="今晚十一點")) as model:
        talk = Talk(database, model)
        await talk.says("22點到7點不要吵我")
        (text,) = await talk.says("今晚十一點提醒我關窗")
    assert "11/30（一）23:00 提醒你。" in text
    assert "那時是勿擾時段，07:00 再提醒你。" in text


async def test_what_is_let_rest_into_the_quiet_says_when_it_rings(database):
    talk = Talk(database)
    await talk.says("21點到7點不要吵我")
    await reminded(talk, "關窗", NOON + 8 * HOUR)
    talk.clock.now = NOON + 8 * HOUR
    await rings(talk)
    assert await talk.taps_on("1 小時後") == ["好，11/30（一）21:00 再提醒你。那時是勿擾時段，07:00 再提醒你。"]


async def test_the_receipt_says_that_an_hour_comes_twice_or_is_skipped(database):
    calls = [create("a", "task", remind_at=at) for at in ("2027-11-07T01:30", "2027-03-14T02:30")]
    with scripted(*calls) as model:
        talk = Talk(database, model)
        await talk.says("zone New York")
        twice, skipped = [(await talk.says("照做"))[0] for _ in calls]
    assert "那天 01:30 有兩次，取第一次。" in twice
    assert "03:30" in skipped
    assert "那天時鐘往前撥，沒有 02:30。" in skipped


async def test_after_a_deletion_all_that_follow_are_offered(database):
    with scripted(PILLS, call("delete_record", ref=1)) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
        assert await talk.says("刪 1") == ["12/1（二）08:00 這次不算：吃藥 #1。下次 12/2（三）08:00。"]
    assert await talk.taps_on("只有這次") == ["好，只有這次，之後照舊。"]
    await talk.taps_on("以後都這樣")
    assert await talk.records() == []
    assert await talk.taps_on("以後都這樣") == [ZH.already_handled]


async def test_after_a_move_all_that_follow_are_offered(database):
    with scripted(PILLS, call("update_record", ref=1, when="2026-12-01T09:30")) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
        await talk.says("改到九點半")
    await talk.taps_on("以後都這樣")
    (record,) = await talk.records()
    assert (record.when, record.repeat.first) == (taipei(1, 9, 30), taipei(1, 9, 30))


async def test_finishing_one_time_says_when_it_is_next(database):
    with ScriptedModel(asks(PILLS), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("每天早上八點提醒我吃藥")
    assert await talk.says("完成 1") == ["完成：吃藥 #1。下次 12/2（三）08:00。"]

"""Ringing: at its hour on the wall, once, whatever the clock does; told together, and on the cheapest road."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from statistics import quantiles
from zoneinfo import ZoneInfo

import pytest

from bot.ports import LaneId
from bot.ringing import Ringing, quiet_hours
from bot.sql.inbox import SqlInbox
from tests.fakes import ANNA, BEN, NOON, Calendar
from tests.talk import Talk
from tests.thorough import THOROUGH
from tools.database import Database
from tools.moments import Hours, from_the_wall, in_its_zone, on_the_wall
from tools.record import CallKey, Draft, PersonId
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


async def never_quiet(_person, _now) -> None:
    """Nobody minds being disturbed."""


class House:
    """What rings, on a store, with a clock in hand and nobody who answers."""

    def __init__(self, database: Database, now: datetime) -> None:
        self.clock = Calendar()
        self.clock.now = now
        self.database = database
        self.woken: list[LaneId] = []
        self.inbox = SqlInbox(database, self.clock)
        self.ringing = Ringing(SqlReminders(database), self.inbox, self.woken.append, self.clock, never_quiet)

    async def remind(self, content: str, at: datetime, person: str = ANNA) -> None:
        memory = SqlMemory(self.database, PersonId(person), self.clock)
        draft = Draft(content=content, type="task", remind_at=at)
        await memory.record(draft, CallKey(content, 1), lambda _: {})


# ── the clock scripts ─────────────────────────────────────────────────────────────────────────────────────────────

ZONES = ("America/New_York", "Europe/Berlin", "Australia/Sydney", "Asia/Taipei")
SPRING = {"America/New_York": (3, 8), "Europe/Berlin": (3, 29), "Australia/Sydney": (10, 4), "Asia/Taipei": (3, 29)}
AUTUMN = {"America/New_York": (11, 1), "Europe/Berlin": (10, 25), "Australia/Sydney": (4, 5), "Asia/Taipei": (10, 25)}
SCRIPTS = ("steady", "back", "forward", "days off", "spring", "autumn")
MANY = 200 if THOROUGH else 40


def begin(script: str, zone: str) -> datetime:
    """The midnight on which three days of reminders begin: the second is the one whose clock changes."""
    month, day = {"spring": SPRING, "autumn": AUTUMN}.get(script, dict.fromkeys(ZONES, (6, 10)))[zone]
    return datetime(2026, month, day, tzinfo=ZoneInfo(zone)) - DAY


def lived(script: str, start: datetime) -> list[tuple[datetime, datetime]]:
    """Stretches in which the clock runs, as it shows them."""
    start, end = start.astimezone(UTC), start.astimezone(UTC) + 4 * DAY
    middle = start + 1.5 * DAY
    match script:
        case "back":
            return [(start, middle), (middle - HOUR, end)]
        case "forward":
            return [(start, middle), (middle + HOUR, end)]
        case "days off":
            return [(start, start + 0.2 * DAY), (start + 2.6 * DAY, end)]
    return [(start, end)]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("script", SCRIPTS)
async def test_each_reminder_rings_once_at_its_hour_on_the_wall(database, script, zone):
    rng, start = random.Random(f"{script}{zone}"), begin(script, zone)
    house = House(database, start.astimezone(UTC))
    walls = {f"r{n}": start.replace(tzinfo=None) + timedelta(minutes=rng.randrange(1, 3 * 1440)) for n in range(MANY)}
    meant = {what: in_its_zone(wall.replace(tzinfo=ZoneInfo(zone))) for what, wall in walls.items()}
    for what, at in meant.items():
        await house.remind(what, at)
    heard: Counter[str] = Counter()
    late: list[float] = []
    contents = {str(n): f"r{n - 1}" for n in range(1, MANY + 1)}
    for begun, ended in lived(script, start):
        coming = sorted({at.astimezone(UTC) for at in meant.values() if begun <= at <= ended})
        for tick in [begun, *(at + timedelta(seconds=rng.random()) for at in coming), ended]:
            house.clock.now = tick
            await house.ringing.look()
            while turn := await house.inbox.take(LaneId(ANNA)):
                for message in turn.messages:
                    what = contents[message.data]
                    heard[what] += 1
                    assert message.occurred_at == meant[what].astimezone(UTC)
                    late.append((tick - meant[what]).total_seconds())
                await house.inbox.answered(turn, [])
                await house.inbox.delivered(turn)

    assert heard == Counter(dict.fromkeys(meant, 1))
    cuts = quantiles(late, n=100)
    print(f"\n{script:9} {zone:18} {len(late)} rang once; late p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s")
    if script in {"steady", "back", "spring", "autumn"}:
        assert max(late) < 10


@pytest.mark.parametrize(
    ("wall", "zone", "shown"),
    [
        ("2026-03-08T02:30", "America/New_York", "2026-03-08T03:30:00-04:00[America/New_York]"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T01:30:00-04:00[America/New_York]"),
        ("2026-12-01T14:00", "Asia/Taipei", "2026-12-01T14:00:00+08:00[Asia/Taipei]"),
    ],
)
def test_a_skipped_hour_moves_forward_and_of_two_equal_ones_it_is_the_first(wall, zone, shown):
    moment = in_its_zone(datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)))
    assert on_the_wall(moment) == shown
    assert from_the_wall(shown) == moment


def test_the_second_of_two_equal_hours_stays_the_second():
    second = datetime(2026, 11, 1, 1, 30, tzinfo=ZoneInfo("America/New_York"), fold=1)
    assert from_the_wall(on_the_wall(second)).astimezone(UTC) == second.astimezone(UTC)


async def test_a_reminder_keeps_its_hour_on_the_wall_when_the_rules_of_its_zone_change(url):
    database = Database(url)
    await database.start()
    try:
        house = House(database, NOON)
        two = datetime(2026, 12, 1, 14, tzinfo=ZoneInfo("Asia/Taipei"))
        await house.remind("回診", two)
        await house.remind("別的", two + HOUR)
        # As if it had been set while Taipei still was an hour ahead of what it is now.
        earlier = "UPDATE record SET remind_at = remind_at - 3600000000, next_ring = next_ring - 3600000000,"
        wall = "remind_local = '2026-12-01T14:00:00+09:00[Asia/Taipei]' WHERE ref = 1"
        await database.write(lambda connection: connection.exec_driver_sql(f"{earlier} {wall}"))

        assert await SqlReminders(database).realign() == 1
        assert await SqlReminders(database).realign() == 0
        (ring,) = await SqlReminders(database).due(two)
        assert (ring.record.ref, ring.due, ring.record.remind_at) == (1, two, two)
    finally:
        await database.close()


# ── once, however many look ───────────────────────────────────────────────────────────────────────────────────────


async def test_two_who_look_at_one_store_hand_each_ring_over_once(url):
    ours, theirs = Database(url), Database(url)
    await ours.start()
    await theirs.start()
    try:
        houses = [House(ours, NOON), House(theirs, NOON)]
        for n in range(60):
            await houses[0].remind(f"r{n}", NOON + timedelta(minutes=n % 3), person=(ANNA, BEN)[n % 2])
        for minute in range(4):
            for house in houses:
                house.clock.now = NOON + timedelta(minutes=minute, seconds=1)
            await asyncio.gather(*(house.ringing.look() for house in houses))
        rang: list[str] = []
        for chat in (ANNA, BEN):
            while turn := await houses[0].inbox.take(LaneId(chat)):
                rang += [f"{chat}{message.data}" for message in turn.messages]
                await houses[0].inbox.answered(turn, [])
                await houses[0].inbox.delivered(turn)
        assert sorted(Counter(rang).values()) == [1] * 60
    finally:
        await ours.close()
        await theirs.close()


async def test_what_rings_in_the_same_minute_for_the_same_person_rings_together(database):
    house = House(database, NOON)
    for name, seconds, person in (("一", 0, ANNA), ("二", 50, ANNA), ("三", 61, ANNA), ("四", 50, BEN)):
        await house.remind(name, NOON + timedelta(seconds=seconds), person)
    await house.ringing.look()
    turn = await house.inbox.take(LaneId(ANNA))
    assert [message.data for message in turn.messages] == ["1", "2"]
    assert await house.inbox.take(LaneId(BEN)) is None


async def test_a_ring_that_is_older_than_everything_that_is_known_still_rings(database):
    house = House(database, NOON)
    await house.remind("很久以前", NOON + HOUR)
    await database.write(lambda connection: connection.exec_driver_sql("DELETE FROM horizon"))
    ahead = int((NOON + 400 * DAY).timestamp() * 1_000_000)
    await database.write(lambda connection: connection.exec_driver_sql(f"INSERT INTO horizon VALUES (1, {ahead})"))
    house.clock.now = NOON + 60 * DAY
    await house.ringing.look()
    assert house.woken == [ANNA]


# ── what is heard of it ───────────────────────────────────────────────────────────────────────────────────────────


def rung_by(talk: Talk) -> Ringing:
    return Ringing(
        SqlReminders(talk.database, talk.clock), talk.inbox, lambda _: None, talk.clock, quiet_hours(talk.people)
    )


async def reminded(talk: Talk, content: str, at: datetime, **fields) -> None:
    draft = Draft(content=content, type="task", remind_at=at, **fields)
    await talk.memory().record(draft, CallKey(f"before {content}", 1), lambda _: {})


async def rings(talk: Talk) -> list[str]:
    """The clock is looked at, and what waits is answered: the texts that were sent."""
    sent = len(talk.channel.sent)
    await rung_by(talk).look()
    while turn := await talk.inbox.take(LaneId(ANNA)):
        await talk.use_case.run(turn)
    return [bubble.text for _, bubbles in talk.channel.sent[sent:] for bubble in bubbles]


async def test_all_that_is_late_is_told_in_one_message_with_the_hours_it_was_meant_for(database):
    talk = Talk(database)
    await talk.says("嗨")
    await reminded(talk, "打電話", NOON + HOUR)
    await reminded(talk, "繳費", NOON + 2 * HOUR)
    talk.clock.move(days=3)
    assert await rings(talk) == [
        "⏰ 2 件事：\n・（原定 11/30（一）13:00）打電話 #1\n・（原定 11/30（一）14:00）繳費 #2"
    ]
    assert await rings(talk) == []


async def test_thirty_that_are_late_are_one_message(database):
    talk = Talk(database)
    await talk.says("嗨")
    for number in range(30):
        await reminded(talk, f"事{number}", NOON + timedelta(minutes=number + 1))
    talk.clock.move(days=1)
    (text,) = await rings(talk)
    assert text.startswith("⏰ 30 件事：")
    assert len(text.splitlines()) == 31


async def test_what_is_due_while_somebody_is_answered_rides_on_that_reply(database):
    talk = Talk(database)
    await talk.says("嗨")
    await reminded(talk, "打電話", talk.clock() + timedelta(minutes=1))
    talk.clock.move(minutes=1)
    lane = await talk.hears("嗨")
    turn = await talk.takes(lane)
    await rung_by(talk).look()
    await talk.use_case.run(turn)
    road, bubbles = talk.channel.sent[-1]
    assert not road.startswith("push")
    assert bubbles[0].text == "⏰ （原定 12:01）打電話 #1"
    assert await rings(talk) == []


async def test_a_ring_right_in_front_of_a_waiting_message_rides_on_its_reply(database):
    talk = Talk(database)
    await talk.says("嗨")
    await reminded(talk, "打電話", talk.clock() + timedelta(minutes=1))
    talk.clock.move(minutes=1)
    await rung_by(talk).look()
    ring = await talk.takes()
    await talk.hears("嗨")
    await talk.use_case.run(ring)
    sent = len(talk.channel.sent)
    await talk.use_case.run(await talk.takes())
    (one,) = talk.channel.sent[sent:]
    assert "打電話" in one[1][0].text


async def test_what_may_not_be_pushed_comes_with_the_next_reply_and_the_hour_it_was_meant_for(database):
    talk = Talk(database, pushes="off")
    await talk.says("嗨")
    await reminded(talk, "打電話", NOON + HOUR)
    talk.clock.move(hours=1)
    assert await rings(talk) == []
    talk.clock.move(hours=2)
    assert (await talk.says("嗨"))[0] == "⏰ （原定 13:00）打電話 #1"


async def test_in_quiet_hours_nothing_rings_until_they_are_over(database):
    talk = Talk(database)
    await talk.says("嗨")
    anna = await talk.people.find(PersonId(ANNA))
    await talk.people.keep(replace(anna, hours=Hours((time(22), time(7)))))
    await reminded(talk, "關窗", datetime(2026, 11, 30, 23, tzinfo=ZoneInfo("Asia/Taipei")))
    talk.clock.now = datetime(2026, 11, 30, 15, 0, 1, tzinfo=UTC)
    assert await rings(talk) == []
    talk.clock.now = datetime(2026, 11, 30, 23, 0, 1, tzinfo=UTC)
    assert await rings(talk) == ["⏰ （原定 11/30（一）23:00）關窗 #1"]


async def test_what_was_finished_meanwhile_is_silent(database):
    talk = Talk(database)
    await talk.says("嗨")
    await reminded(talk, "打電話", NOON + HOUR)
    await talk.says("完成 1")
    talk.clock.move(hours=2)
    assert await rings(talk) == []


# ── what is answered to it ────────────────────────────────────────────────────────────────────────────────────────


async def rang(database: Database, *contents: str, **fields) -> Talk:
    """These rang a moment ago, at 13:00."""
    talk = Talk(database)
    await talk.says("嗨")
    for content in contents or ("打電話",):
        await reminded(talk, content, NOON + HOUR, **fields)
    talk.clock.now = NOON + HOUR
    await rings(talk)
    talk.clock.move(seconds=1)
    return talk


@pytest.mark.parametrize(
    ("label", "again"),
    [
        ("10 分鐘後", timedelta(minutes=10, seconds=2)),
        ("1 小時後", timedelta(hours=1, seconds=2)),
        ("明天同一時間", DAY),
    ],
)
async def test_a_button_lets_it_rest_and_a_second_tap_does_nothing_more(database, label, again):
    talk = await rang(database)
    button = talk.button(label)
    first = await talk.taps(button.data)
    (record,) = await talk.records()
    assert record.remind_at == NOON + HOUR + again
    talk.clock.move(minutes=1)
    assert await talk.taps(button.data) == first
    assert (await talk.records())[0].remind_at == NOON + HOUR + again


@pytest.mark.parametrize(
    ("said", "again"),
    [
        ("再半小時", timedelta(minutes=30)),
        ("過十分鐘再叫我", timedelta(minutes=10)),
        ("明天再提醒", DAY),
        ("明早再提醒我", timedelta(hours=20)),
        ("晚點再說", HOUR),
        ("あと30分", timedelta(minutes=30)),
        ("明日もう一度", DAY),
        ("อีก 30 นาที", timedelta(minutes=30)),
        ("พรุ่งนี้เตือนอีกที", DAY),
        ("another 10 minutes", timedelta(minutes=10)),
        ("remind me again tomorrow", DAY),
        ("snooze", HOUR),
    ],
)
async def test_words_right_after_a_ring_let_it_rest(database, said, again):
    talk = await rang(database)
    await talk.says(said)
    (record,) = await talk.records()
    assert abs(record.remind_at - (NOON + HOUR + again)) < timedelta(minutes=1)


@pytest.mark.parametrize("said", ["做完了", "完成了", "やりました", "終わった", "เสร็จแล้ว", "ทำแล้ว", "done", "did it"])
async def test_words_right_after_a_ring_finish_it(database, said):
    talk = await rang(database)
    await talk.says(said)
    assert [each.status for each in await talk.records()] == ["done"]


async def test_of_several_it_is_asked_which_one_was_finished_unless_all_were(database):
    talk = await rang(database, "打電話", "繳費")
    assert await talk.says("做完了") == ["哪一件做完了？"]
    assert [each.status for each in await talk.records()] == ["open", "open"]
    await talk.taps_on("完成 #2")
    assert [each.status for each in await talk.records()] == ["open", "done"]


async def test_all_that_rang_together_can_rest_together(database):
    talk = await rang(database, "打電話", "繳費")
    await talk.says("明天再提醒")
    assert [each.remind_at for each in await talk.records()] == [NOON + HOUR + DAY] * 2


async def test_the_same_words_at_any_other_time_are_no_answer_to_a_ring(database):
    talk = await rang(database)
    await talk.says("嗨")
    await talk.says("做完了")
    assert [each.status for each in await talk.records()] == ["open"]

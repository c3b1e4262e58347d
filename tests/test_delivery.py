"""How answers travel: the rules of the reply token, of what is owed, and of pushes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.card import Card, CardRow
from bot.delivery import Delivery
from bot.inbox_ports import Said
from bot.ports import Bubble, Busy, Button, ImageLink, LaneId, Refused, Tap, TokenDead, Turn, TurnId, Unsure
from bot.sql.inbox import SqlInbox
from bot.sql.said import SqlSaid
from bot.sql.second_thoughts import SqlSecondThoughts
from bot.voice.phrases import phrases_of
from tests.fakes import ANNA, BEN, Calendar, ScriptedChannel, said
from tools.database import Database
from tools.record import PersonId

PHRASES = phrases_of("zh-TW")


class House:
    """An inbox with one chat in it, and a way to deliver."""

    def __init__(self, database: Database, channel: ScriptedChannel, pushes="reminders") -> None:
        self.clock = Calendar()
        self.inbox = SqlInbox(database, self.clock)
        self.channel = channel
        self.pushes = pushes
        self.said = SqlSaid(database, self.clock)
        self.thoughts = SqlSecondThoughts(database)
        self.delivery = self.delivery_over(channel)
        self.number = 0

    def delivery_over(self, channel: ScriptedChannel) -> Delivery:
        away = self.thoughts.is_away
        return Delivery(self.inbox, channel, self.pushes, self.clock, said=self.said, is_away=away, again_seconds=0)

    async def hears(self, kind="text", token: str | None = "", data: str = "") -> Turn:
        self.number += 1
        token = f"token{self.number}" if token == "" else token
        at = {"occurred_at": self.clock.now, "received_at": self.clock.now}
        message = said(self.number, kind=kind, reply_token=token, data=data, **at)
        lanes = await self.inbox.put([message])
        turn = await self.inbox.take(lanes[0])
        assert turn is not None
        return turn

    async def answers(self, turn: Turn, text: str) -> None:
        await self.inbox.answered(turn, [Bubble(text)])
        await self.delivery.deliver(replace(turn, answer=(Bubble(text),)), PHRASES)

    async def again(self) -> Turn | None:
        """What a lane would go on with after a restart."""
        return await self.inbox.take(LaneId(ANNA))


async def test_an_answer_goes_on_the_reply_token_and_is_done(database):
    house = House(database, ScriptedChannel())
    await house.answers(await house.hears(), "好")

    assert house.channel.said == [("token1", "好")]
    assert await house.again() is None


async def test_an_old_token_is_not_tried_and_the_answer_stands_in_front_of_the_next_reply(database):
    house = House(database, ScriptedChannel())
    turn = await house.hears()
    house.clock.move(seconds=56)
    await house.answers(turn, "第一個")

    assert house.channel.said == []
    await house.answers(await house.hears(), "第二個")

    assert [("token2", f"{PHRASES.owed_prefix}\n第一個 / 第二個")] == house.channel.said
    assert await house.inbox.owed(ANNA) == []


async def test_a_dead_token_leaves_the_answer_owed(database):
    house = House(database, ScriptedChannel(TokenDead()))
    await house.answers(await house.hears(), "好")

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [False]


async def test_after_an_unclear_outcome_the_same_reply_is_repeated(database):
    house = House(database, ScriptedChannel(Unsure("504"), None))
    await house.answers(await house.hears(), "好")

    assert house.channel.said == [("token1", "好"), ("token1", "好")]
    assert await house.inbox.owed(ANNA) == []


async def test_an_invalid_token_on_the_repeat_means_that_it_arrived(database):
    house = House(database, ScriptedChannel(Unsure("504"), TokenDead()))
    await house.answers(await house.hears(), "好")

    assert await house.inbox.owed(ANNA) == []


async def test_what_may_have_been_sent_is_owed_with_that_mark(database):
    house = House(database, ScriptedChannel(Unsure("504"), Unsure("504")))
    await house.answers(await house.hears(), "好")
    await house.answers(await house.hears(), "再來")

    assert house.channel.said[-1] == ("token2", f"{PHRASES.maybe_sent_prefix}\n好 / 再來")


async def test_a_process_that_died_while_sending_repeats_on_the_same_token(database):
    house = House(database, ScriptedChannel(TokenDead()))
    turn = await house.hears()
    await house.inbox.answered(turn, [Bubble("好")])
    await house.inbox.sending(turn, "token1", list)

    again = await house.again()
    assert again is not None
    await house.delivery.deliver(again, PHRASES)

    assert await house.inbox.owed(ANNA) == []


async def test_a_process_that_died_while_sending_owes_what_its_token_outlived(database):
    house = House(database, ScriptedChannel())
    turn = await house.hears()
    await house.inbox.answered(turn, [Bubble("好")])
    await house.inbox.sending(turn, "token1", list)
    house.clock.move(minutes=5)

    again = await house.again()
    assert again is not None
    await house.delivery.deliver(again, PHRASES)

    assert house.channel.said == []
    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [True]


async def test_a_reminder_is_pushed_with_a_key_that_a_repeat_shares(database):
    house = House(database, ScriptedChannel(Unsure("504"), None))
    await house.answers(await house.hears(kind="reminder", token=None), "⏰ 開會")

    roads = [road for road, _ in house.channel.said]
    assert roads[0].startswith("push ")
    assert roads[0] == roads[1]


async def test_an_answer_is_not_pushed_unless_all_is_allowed(database):
    house = House(database, ScriptedChannel())
    await house.answers(await house.hears(token=None), "好")
    assert house.channel.said == []


async def test_everything_may_be_pushed_if_the_operator_says_so(database):
    house = House(database, ScriptedChannel(), pushes="all")
    await house.answers(await house.hears(token=None), "好")
    assert len(house.channel.said) == 1


async def test_a_reminder_that_may_not_be_pushed_rides_on_the_next_reply(database):
    house = House(database, ScriptedChannel(), pushes="off")
    await house.answers(await house.hears(kind="reminder", token=None), "⏰ 開會")
    await house.answers(await house.hears(), "好")

    assert [("token2", f"{PHRASES.owed_prefix}\n⏰ 開會 / 好")] == house.channel.said


@pytest.mark.parametrize(
    ("left", "kind", "roads"),
    [
        (None, "reminder", 1),
        (21, "reminder", 1),
        (20, "reminder", 0),
        (0, "reminder", 0),
        (None, "text", 1),
        (51, "text", 1),
        (50, "text", 0),
        (None, "quota", 0),
        (200, "quota", 0),
    ],
)
async def test_of_the_months_pushes_the_last_are_kept_and_answers_stop_before_reminders(database, left, kind, roads):
    house = House(database, ScriptedChannel(), pushes="all")
    house.channel.left = left
    await house.answers(await house.hears(kind=kind, token=None), "好")

    assert len(house.channel.said) == roads
    assert len(await house.inbox.owed(ANNA)) == 1 - roads


async def test_a_network_that_takes_no_more_is_asked_again_with_the_same_key(database):
    house = House(database, ScriptedChannel(Busy("429"), Busy("429"), Busy("429"), None))
    await house.answers(await house.hears(kind="reminder", token=None), "⏰ 開會")

    assert len(house.channel.said) == 4
    assert len({road for road, _ in house.channel.said}) == 1
    assert await house.inbox.owed(ANNA) == []


@pytest.mark.parametrize(
    ("outcomes", "maybe_sent"),
    [([Busy("429")] * 4, False), ([Unsure("504"), *[Busy("429")] * 4], True)],
)
async def test_what_a_busy_network_never_took_was_not_sent_unless_it_was_tried_before(database, outcomes, maybe_sent):
    house = House(database, ScriptedChannel(*outcomes))
    await house.answers(await house.hears(), "好")

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [maybe_sent]


async def test_a_refused_push_is_owed(database):
    house = House(database, ScriptedChannel(Refused("quota")))
    await house.answers(await house.hears(kind="reminder", token=None), "⏰ 開會")
    assert len(await house.inbox.owed(ANNA)) == 1


async def test_an_interim_answer_spends_the_token_and_its_tap_brings_the_answer_without_ado(database):
    house = House(database, ScriptedChannel())
    turn = await house.hears()
    await house.answers(await house.delivery.interim(turn, PHRASES), "想好了")
    tap = await house.hears(kind="postback", data=f"show:{turn.id}")
    await house.inbox.answered(tap, [])
    await house.delivery.deliver(replace(tap, answer=()), PHRASES)

    assert [("token1", PHRASES.working), ("token2", "想好了")] == house.channel.said


async def test_an_answer_that_gets_ready_behind_the_tap_is_not_said_to_be_not_ready(database):
    house = House(database, ScriptedChannel())
    slow = await house.delivery.interim(await house.hears(), PHRASES)
    tap = await house.hears(kind="postback", data=f"show:{slow.id}")
    await house.inbox.answered(tap, [Bubble(PHRASES.not_ready)])
    await house.answers(slow, "想好了")
    await house.delivery.deliver(replace(tap, answer=(Bubble(PHRASES.not_ready),)), PHRASES)

    assert house.channel.said[1:] == [("token2", "想好了")]


async def test_much_that_is_owed_is_paid_in_parts_that_fit(database):
    house = House(database, ScriptedChannel())
    for _ in range(4):
        turn = await house.hears()
        house.clock.move(minutes=2)
        await house.answers(turn, "長" * 5000)
    await house.answers(await house.hears(), "好")
    await house.answers(await house.hears(), "好")

    assert [said.count("長") // 5000 for _, said in house.channel.said] == [3, 1]


async def test_what_has_nothing_to_say_and_no_token_is_done_whatever_is_owed(database):
    house = House(database, ScriptedChannel())
    await house.answers(await house.hears(token=None), "第一個")
    silent = await house.hears(kind="reminder", token=None)
    await house.inbox.answered(silent, [])
    await house.delivery.deliver(replace(silent, answer=()), PHRASES)

    assert house.channel.said == []
    assert [each.bubbles[0].text for each in await house.inbox.owed(ANNA)] == ["第一個"]
    assert await house.again() is None


async def test_of_several_tokens_the_newest_living_one_is_spent_first(database):
    house = House(database, ScriptedChannel(TokenDead(), None))
    turn = await house.hears()
    newer = turn.last.received_at + timedelta(seconds=1)
    turn = replace(turn, messages=(*turn.messages, replace(turn.last, reply_token="token2", received_at=newer)))
    await house.answers(turn, "好")

    assert [road for road, _ in house.channel.said] == ["token2", "token1"]
    assert await house.inbox.owed(ANNA) == []


@pytest.mark.parametrize("problem", [TokenDead(), Unsure("504"), Refused("blocked")])
async def test_an_interim_answer_that_fails_costs_only_the_token(database, problem):
    house = House(database, ScriptedChannel(problem))
    turn = await house.delivery.interim(await house.hears(), PHRASES)

    assert turn.last.reply_token is None
    again = await house.delivery.interim(turn, PHRASES)
    assert again == turn
    assert len(house.channel.said) == 1


async def test_a_push_that_stays_unclear_is_owed_with_that_mark(database):
    house = House(database, ScriptedChannel(Unsure("504"), Unsure("504")))
    await house.answers(await house.hears(kind="reminder", token=None), "⏰ 開會")

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [True]


async def test_the_buttons_of_what_is_owed_come_with_it(database):
    house = House(database, ScriptedChannel(TokenDead()))
    turn = await house.hears()
    button = Button("復原", f"undo:{turn.id}")
    await house.inbox.answered(turn, [Bubble("好", (button,))])
    await house.delivery.deliver(replace(turn, answer=(Bubble("好", (button,)),)), PHRASES)
    await house.answers(await house.hears(), "再來")

    assert house.channel.sent[-1][1][0].buttons == (button,)


@pytest.mark.parametrize("asks_for_it", [True, False])
async def test_an_answer_that_was_asked_for_comes_with_its_card_and_one_that_is_late_in_words(database, asks_for_it):
    card = Card(title="今天", rows=(CardRow(what="早會"),), beside="記得帶傘。")
    bubble = Bubble("今天：早會。記得帶傘。", (), card)
    house = House(database, ScriptedChannel(TokenDead()))
    turn = await house.hears()
    await house.inbox.answered(turn, [bubble])
    await house.delivery.deliver(replace(turn, answer=(bubble,)), PHRASES)
    now = await house.hears(kind="postback", data=Tap.SHOW.on(turn.id) if asks_for_it else "say:x")
    await house.inbox.answered(now, [])
    await house.delivery.deliver(replace(now, answer=()), PHRASES)

    (said,) = house.channel.sent[-1][1]
    assert said == (bubble if asks_for_it else Bubble(f"{PHRASES.owed_prefix}\n{bubble.text}"))


async def test_a_question_that_is_owed_keeps_its_buttons_whatever_else_is_said(database):
    house = House(database, ScriptedChannel())
    asked = await house.hears()
    house.clock.move(minutes=2)
    yes, undo = Button("刪掉", Tap.CONFIRM.on(asked.id)), Button("復原", Tap.UNDO.on("x"))
    question = Bubble("要刪這筆嗎？", (yes,))
    await house.inbox.answered(asked, [Bubble("好"), question])
    await house.delivery.deliver(replace(asked, answer=(Bubble("好"), question)), PHRASES)
    told = await house.hears()
    house.clock.move(minutes=2)
    await house.inbox.answered(told, [Bubble("記好了", (undo,))])
    await house.delivery.deliver(replace(told, answer=(Bubble("記好了", (undo,)),)), PHRASES)
    now = await house.hears()
    await house.inbox.answered(now, [Bubble("也記好了", (undo,))])
    await house.delivery.deliver(replace(now, answer=(Bubble("也記好了", (undo,)),)), PHRASES)

    assert [each.text for each in house.channel.sent[-1][1]] == [
        f"{PHRASES.owed_prefix}\n好\n記好了",
        "也記好了",
        "要刪這筆嗎？",
    ]
    assert house.channel.sent[-1][1][-1].buttons == (yes,)


async def test_nothing_is_cut_so_that_something_owed_fits_in_front(database):
    house = House(database, ScriptedChannel())
    turn = await house.hears()
    house.clock.move(minutes=2)
    await house.answers(turn, "長" * 19_000)
    await house.answers(await house.hears(), "答" * 8_000)
    await house.answers(await house.hears(), "好")

    assert [(said.count("長"), said.count("答"), said.count("好")) for _, said in house.channel.said] == [
        (0, 8_000, 0),
        (19_000, 0, 1),
    ]


# ── the ambiguous moment ──────────────────────────────────────────────────────────────────────────────────────────


async def died_while_sending(house: House, token: str = "token1") -> Turn:
    """A turn that was being sent on this token when its process died."""
    turn = await house.hears()
    await house.inbox.answered(turn, [Bubble("好")])
    await house.inbox.sending(turn, token, list)
    again = await house.again()
    assert again is not None
    return again


async def test_on_a_token_that_was_tried_no_new_debt_goes_for_it_could_not_have_arrived(database):
    house = House(database, ScriptedChannel(TokenDead()))
    slow = await house.hears()
    tap = await house.hears(kind="postback", data=f"show:{slow.id}")
    await house.inbox.answered(tap, [Bubble("還沒好")])
    await house.inbox.sending(tap, "token2", list)
    await house.inbox.answered(slow, [Bubble("想好了")])
    await house.inbox.owe(slow, maybe_sent=False)

    again = await house.inbox.take(tap.lane)
    assert again is not None
    await house.delivery.deliver(again, PHRASES)

    assert [said for _, said in house.channel.said] == ["還沒好"]
    assert [each.bubbles[0].text for each in await house.inbox.owed(ANNA)] == ["想好了"]


async def test_a_repeat_that_finds_the_token_dead_after_its_life_leaves_it_open_whether_the_answer_arrived(database):
    house = House(database, ScriptedChannel())

    class Slow(ScriptedChannel):
        async def reply(self, reply_token, messages):
            house.clock.move(seconds=8)
            return await super().reply(reply_token, messages)

    channel = Slow(Unsure("silence"), TokenDead())
    house.delivery = house.delivery_over(channel)
    turn = await house.hears()
    house.clock.move(seconds=52)
    await house.answers(turn, "好")

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [True]


async def test_a_clock_that_was_set_back_knows_no_age_of_a_token(database):
    house = House(database, ScriptedChannel(TokenDead()))
    again = await died_while_sending(house)
    house.clock.move(hours=-1)
    await house.delivery.deliver(again, PHRASES)

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [True]


async def test_what_may_have_been_sent_once_stays_so(database):
    house = House(database, ScriptedChannel(Unsure("silence"), Unsure("silence"), TokenDead()))
    turn = await house.hears()
    await house.answers(turn, "好")
    await house.inbox.put([replace(turn.last, redelivered=True, received_at=house.clock())])
    again = await house.again()
    assert again is not None
    await house.delivery.deliver(again, PHRASES)

    assert [each.maybe_sent for each in await house.inbox.owed(ANNA)] == [True]


async def test_a_picture_that_is_owed_comes_with_the_words_it_belongs_to(database):
    house, link = House(database, ScriptedChannel()), ImageLink("https://a/picture", "https://a/preview")
    turn = await house.hears(token=None)
    await house.inbox.answered(turn, [Bubble("收據", image=link)])
    await house.delivery.deliver(replace(turn, answer=(Bubble("收據", image=link),)), PHRASES)
    await house.answers(await house.hears(), "好")

    _, bubbles = house.channel.sent[-1]
    assert [each.image for each in bubbles] == [None, link, None]


# ── what was said is known again ──────────────────────────────────────────────────────────────────────────────────


class Named(ScriptedChannel):
    """A network that names what it sends, and may leave some of it unnamed."""

    def __init__(self, *outcomes: Exception | None, ids: list[list[str]]) -> None:
        super().__init__(*outcomes)
        self.ids = ids

    def _next(self, road, messages):
        super()._next(road, messages)
        return self.ids.pop(0)


async def test_what_was_said_is_found_by_the_id_that_the_network_gave_it(database):
    house = House(database, Named(ids=[["m1"]]))
    await house.answers(await house.hears(), "牛奶 #1")

    assert await house.said.find(ANNA, "m1") == Said(TurnId("01E001"), None, "牛奶 #1")
    assert await house.said.find(BEN, "m1") is None
    assert await house.said.find(ANNA, "m2") is None


async def test_what_was_owed_is_of_its_own_turn(database):
    house = House(database, Named(TokenDead(), ids=[["m1", "m2"]]))
    await house.answers(await house.hears(), "牛奶 #1")
    await house.answers(await house.hears(), "蛋 #2")

    assert await house.said.find(ANNA, "m1") == Said(TurnId("01E001"), None, f"{PHRASES.owed_prefix}\n牛奶 #1")
    assert await house.said.find(ANNA, "m2") == Said(TurnId("01E002"), None, "蛋 #2")


async def test_where_messages_are_not_one_for_one_each_may_have_said_any_of_it(database):
    house = House(database, Named(TokenDead(), ids=[["m1"]]))
    await house.answers(await house.hears(), "牛奶 #1")
    await house.answers(await house.hears(), "蛋 #2")

    assert await house.said.find(ANNA, "m1") == Said(None, None, f"{PHRASES.owed_prefix}\n牛奶 #1\n蛋 #2")


async def test_a_push_and_a_sentence_in_between_are_known_again_too(database):
    house = House(database, Named(ids=[["m1"], ["m2"]]), "all")
    turn = await house.hears()
    turn = await house.delivery.interim(turn, PHRASES)
    await house.answers(turn, "好 #1")

    assert await house.said.find(ANNA, "m1") == Said(TurnId("01E001"), None, PHRASES.working)
    assert await house.said.find(ANNA, "m2") == Said(TurnId("01E001"), None, "好 #1")


async def test_what_a_person_said_is_found_too(database):
    house = House(database, ScriptedChannel())
    message = said(7, "買牛奶", message_id="m7")
    await house.inbox.put([message])

    assert await house.said.find(ANNA, "m7") == Said(None, PersonId(ANNA), "買牛奶")
    await house.again()
    assert await house.said.find(ANNA, "m7") == Said(TurnId("01E007"), PersonId(ANNA), "買牛奶")


async def test_nothing_is_pushed_to_who_has_blocked_the_bot(database):
    house = House(database, ScriptedChannel(), "all")
    turn = await house.hears(token=None)
    await house.inbox.put([said(8, kind="unfollow", reply_token=None, answerable=False)])
    await house.answers(turn, "好")

    assert house.channel.said == []
    assert len(await house.inbox.owed(ANNA)) == 1

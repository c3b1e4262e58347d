"""Second thoughts: what is taken back, edited, stopped, and who leaves and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from bot.engines.offline.engine import OfflineEngine
from bot.line.bubbles import TEMPLATE_TEXT_LIMIT, utf16
from bot.meanwhile import answer_seconds
from bot.model_ports import Completion, ModelUnavailable
from bot.outage import Outage
from bot.ports import BACK, ClaimLost, LaneId, Tap, Turn, TurnId
from bot.reception import Reception
from bot.sql.inbox_rows import INBOX
from bot.sql.postponed import POSTPONED
from bot.sql.said import SAID
from bot.sql.transcript import TRANSCRIPT
from bot.thinking.quotation import editing
from bot.voice.phrases import phrases_of
from bot.voice.second_thoughts import asks_to_stop, second_thought_words
from bot.voice.waiting import waiting_words
from tests.fakes import ANNA, BEN, Request, ScriptedModel, asks, said, says
from tests.talk import ZH, Talk, create, remember
from tools.database import Database
from tools.record import PersonId

WORDS = second_thought_words("zh-TW")


@pytest.fixture
async def database(url: str):
    opened = Database(url)
    await opened.start()
    yield opened
    await opened.close()


class Thinking:
    """A step of a model that takes until it is told to go on, or is dropped."""

    def __init__(self, answer: Completion) -> None:
        self.asked, self.go_on, self.dropped = asyncio.Event(), asyncio.Event(), False
        self._answer = answer

    async def __call__(self, _: Request) -> Completion:
        self.asked.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.dropped = True
            raise
        return self._answer


async def everything(talk: Talk) -> str:
    tables = (INBOX, TRANSCRIPT, POSTPONED, SAID)
    return str([await talk.database.read(lambda c, t=table: c.execute(select(t)).all()) for table in tables])


async def hears(talk: Talk, text: str = "", **fields: Any) -> LaneId:
    """As it comes in: with the mark of what says to stop."""
    talk._heard += 1
    talk.clock.move(seconds=1)
    at = {"occurred_at": talk.clock.now, "received_at": talk.clock.now}
    message = said(talk._heard, text, **(at | fields))
    reception = Reception(talk.inbox, talk.gate, lambda _: None, Outage(talk.gate, talk.channel))
    await reception.receive([message])
    return message.lane


async def unsends(talk: Talk, message_id: str, **fields: Any) -> None:
    await hears(talk, kind="unsend", message_id=message_id, reply_token=None, answerable=False, **fields)


async def running(talk: Talk, step: Thinking) -> asyncio.Task[None]:
    task = asyncio.create_task(talk.use_case.run(await talk.takes()))
    await asyncio.wait_for(step.asked.wait(), 10)
    return task


def milk(number: int = 1) -> Completion:
    return asks(create("牛奶", "task"), text=f"{number}")


# ── stopped ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", ["取消", "停！", " Stop. ", "やめて", "ยกเลิก", "CANCEL", "／取消"])
def test_what_says_to_stop(words):
    assert asks_to_stop(words)


@pytest.mark.parametrize(
    "words", ["取消 #12", "取消明天的牙醫", "stop by the shop", "やめてよかった", "ยกเลิกนัดหมอ", ""]
)
def test_a_sentence_that_only_begins_so_does_not(words):
    assert not asks_to_stop(words)


async def test_stop_drops_the_model_call_and_is_answered_at_once_on_its_own_token(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "很難")
        task = await running(talk, thinking)
        await hears(talk, "取消")
        await asyncio.wait_for(task, 10)

    assert thinking.dropped
    assert talk.channel.said == [("token2", WORDS.stopped)]
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_what_was_done_before_is_told_with_a_button_that_takes_it_back(database):
    thinking = Thinking(says("好"))
    with ScriptedModel(milk(), thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶，還有很難的")
        task = await running(talk, thinking)
        await hears(talk, "停")
        await asyncio.wait_for(task, 10)

        ((road, text),) = talk.channel.said
        assert road == "token2"
        assert text.startswith(f"{WORDS.stopped_after}\n")
        assert "牛奶" in text
        assert len(await talk.records()) == 1
        await talk.taps_on(ZH.undo)
        assert await talk.records() == []


async def test_a_turn_stops_between_two_calls_and_not_in_one(database):
    talk: Talk

    async def stops_meanwhile(_: Request) -> Completion:
        await hears(talk, "取消")
        return asks(create("牛奶", "task"))

    with ScriptedModel(milk(), stops_meanwhile) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶兩次")
        await talk.use_case.run(await talk.takes())

        assert [record.content for record in await talk.records()] == ["牛奶"]
        assert talk.channel.said[0][1].startswith(WORDS.stopped_after)


async def test_a_stop_that_comes_when_the_answer_is_ready_is_heard_all_the_same(database):
    talk: Talk

    async def just_then(_: Request) -> Completion:
        await hears(talk, "取消")
        return says("想好了")

    with ScriptedModel(just_then) as model:
        talk = Talk(database, model)
        await hears(talk, "很難")
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token2", WORDS.stopped)]


STOPS = [("取消", "zh-TW"), ("停", "zh-TW"), ("stop", "en"), ("やめて", "ja"), ("ยกเลิก", "th")]


@pytest.mark.parametrize(("words", "language"), STOPS)
async def test_with_nothing_to_stop_and_no_model_it_says_so(database, words, language):
    with ScriptedModel(ModelUnavailable("no route")) as model:
        for talk in (Talk(database, OfflineEngine()), Talk(database, model, fallback=OfflineEngine())):
            talk._heard = 100 * len(model.requests) + 500 * (talk.answering.certain is not None)
            assert await talk.says(words) == [second_thought_words(language).nothing_to_stop]
            assert await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("none")) == []


@pytest.mark.parametrize(("words", "language"), STOPS)
async def test_what_waits_for_the_model_waits_no_more_once_it_is_to_stop(database, words, language):
    with ScriptedModel(*[ModelUnavailable("no route")] * 2) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("午餐 120\n你覺得老王這個人怎麼樣")
        (kept,) = await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("none"))
        assert await talk.says(words) == [waiting_words(language).withdrawn(kept.words)]
        assert await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("none")) == []
        assert await talk.says(words) == [second_thought_words(language).nothing_to_stop]
    assert [record.content for record in await talk.records()] == ["午餐"]


async def test_a_message_that_is_edited_to_a_stop_waits_no_more_either(database):
    with ScriptedModel(ModelUnavailable("no route")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("你覺得老王這個人怎麼樣", message_id="menu")
        told = await talk.says("取消", kind="edited", message_id="menu", id="edit")
        assert told == [waiting_words("zh-TW").withdrawn("你覺得老王這個人怎麼樣")]


async def test_a_message_that_is_edited_to_a_stop_is_taken_back_and_that_is_all(database):
    with ScriptedModel(milk(), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("買牛奶", message_id="milk")
        (told,) = await talk.says("取消", kind="edited", message_id="milk", id="edit")
    assert told.startswith(WORDS.edited)
    assert await talk.records() == []


async def test_with_nothing_running_it_means_what_it_says(database):
    with ScriptedModel(says("要取消哪一個？")) as model:
        talk = Talk(database, model)
        await hears(talk, "取消")
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", "要取消哪一個？")]
    assert model.requests[0].messages[-1]["content"].endswith("\n取消")


async def test_a_stop_said_again_by_the_network_stops_nothing_else(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(says("沒事"), thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "取消", id="again")
        await talk.use_case.run(await talk.takes())
        await hears(talk, "很難")
        task = await running(talk, thinking)
        await hears(talk, "取消", id="again", redelivered=True)
        thinking.go_on.set()
        await task

    assert talk.channel.said[-1][1] == "想好了"


async def test_a_stop_is_heeded_by_the_process_that_takes_over(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(milk(), thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶，還有很難的")
        task = await running(talk, thinking)
        task.cancel()
        await asyncio.wait({task})
        await hears(talk, "取消")
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said[0][1].startswith(WORDS.stopped_after)
    assert len(model.requests) == 2


async def test_a_turn_that_dies_after_it_heard_is_not_begun_again(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "很難")
        task = await running(talk, thinking)
        task.cancel()
        await asyncio.wait({task})
        await hears(talk, "取消")
        await talk.thoughts.stopped(await talk.takes())
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token2", WORDS.stopped)]


async def test_stopping_what_had_waited_for_the_model_lets_it_wait_no_more(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(ModelUnavailable("down"), thinking) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await hears(talk, "幫我想想旅行")
        await talk.use_case.run(await talk.takes())
        assert talk.channel.said[-1][1] == ZH.model_down
        await hears(talk, kind="postponed", id="later:01E001:1", reply_token=None)
        task = await running(talk, thinking)
        await hears(talk, "取消")
        await asyncio.wait_for(task, 10)

    assert talk.channel.said[-1] == ("token3", WORDS.stopped)
    assert await talk.postponed.absence() is None


async def test_in_one_lane_another_persons_stop_stops_nothing(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "很難")
        task = await running(talk, thinking)
        await talk.inbox.put([said(9, "取消", person=BEN, stops=True)])
        assert not await talk.thoughts.is_to_stop(ANNA)
        thinking.go_on.set()
        await task


# ── taken back ────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_message_taken_back_leaves_no_word_and_the_next_reply_offers_to_undo_it(database):
    with ScriptedModel(milk(), says("好"), says("早。")) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶 秘密", message_id="m1")
        await talk.use_case.run(await talk.takes())
        await unsends(talk, "m1")

        assert await talk.inbox.take(LaneId(ANNA)) is None
        left = await everything(talk)
        assert "秘密" not in left
        answer, offer = await talk.says("起床了")
        assert (answer, offer) == ("早。", WORDS.undo_too("#1"))
        assert "秘密" not in str(model.requests[-1].messages)
        assert talk.last[1].stays
        await talk.taps_on(ZH.undo)
        assert await talk.records() == []
        assert await talk.says("說明") == [ZH.help]


async def test_what_is_taken_back_before_it_is_begun_is_never_answered(database):
    talk = Talk(database)
    await hears(talk, "秘密", message_id="m1")
    await unsends(talk, "m1")

    assert await talk.inbox.take(LaneId(ANNA)) is None
    assert "秘密" not in await everything(talk)
    assert await talk.says("說明") == [ZH.help]


async def test_what_was_taken_back_before_it_comes_is_not_heard(database):
    talk = Talk(database)
    await unsends(talk, "m1")
    await hears(talk, "秘密", message_id="m1")

    assert await talk.inbox.take(LaneId(ANNA)) is None
    assert "秘密" not in await everything(talk)


async def test_of_several_messages_the_others_are_answered(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model)
        await hears(talk, "秘密", message_id="m1")
        await hears(talk, "起床了", message_id="m2")
        await unsends(talk, "m1")
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token2", "早。")]
    assert "秘密" not in str(model.requests[0].messages)


async def test_a_message_taken_back_while_it_is_worked_on_ends_that_without_a_word(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "秘密", message_id="m1")
        task = await running(talk, thinking)
        await unsends(talk, "m1")
        await asyncio.wait_for(task, 10)

    assert thinking.dropped
    assert talk.channel.said == []
    assert "秘密" not in await everything(talk)
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_what_it_had_made_by_then_is_undone(database):
    thinking = Thinking(says("好"))
    with ScriptedModel(milk(), thinking) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶 秘密", message_id="m1")
        task = await running(talk, thinking)
        await unsends(talk, "m1")
        await asyncio.wait_for(task, 10)

    assert await talk.records() == []
    assert "秘密" not in await everything(talk)


async def test_what_was_said_with_it_is_begun_anew_without_it(database):
    thinking = Thinking(says("好"))
    with ScriptedModel(asks(create("秘密"), create("牛奶", "task")), thinking, milk(), says("好")) as model:
        talk = Talk(database, model)
        await hears(talk, "秘密", message_id="m1")
        await hears(talk, "買牛奶", message_id="m2")
        task = await running(talk, thinking)
        await unsends(talk, "m1")
        await asyncio.wait_for(task, 10)

    assert [record.content for record in await talk.records()] == ["牛奶"]
    assert "秘密" not in str(model.requests[2].messages)
    assert talk.channel.said[0][0] == "token2"
    await talk.taps_on(ZH.undo)
    assert await talk.records() == []


async def test_what_waits_for_the_model_and_is_taken_back_waits_no_more(database):
    with ScriptedModel(ModelUnavailable("down")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await hears(talk, "幫我想想秘密旅行", message_id="m1")
        await talk.use_case.run(await talk.takes())
        await unsends(talk, "m1")

    assert await talk.postponed.absence() is None
    assert "秘密" not in await everything(talk)


async def test_of_another_chat_nothing_is_taken_back(database):
    talk = Talk(database)
    await hears(talk, "說明", message_id="m1")
    await unsends(talk, "m1", chat=BEN)
    await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", ZH.help)]


# ── edited ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_edited_message_takes_back_what_its_first_version_made(database):
    with ScriptedModel(
        asks(create("午餐", "expense", amount=120)), says("好"), asks(create("午餐", "expense", amount=150)), says("好")
    ) as model:
        talk = Talk(database, model)
        await hears(talk, "午餐 120", message_id="m1")
        await talk.use_case.run(await talk.takes())
        await hears(talk, "午餐 150", message_id="m1", kind="edited")
        await talk.use_case.run(await talk.takes())

    (record,) = await talk.records()
    assert record.amount == 150
    first, second = talk.last
    assert first.text.startswith(WORDS.edited)
    assert "#1" in first.text
    assert "#2" in second.text
    assert model.requests[2].messages[-1]["content"].endswith(f"]\n{editing([1])}\n午餐 150")


async def test_without_a_model_an_edited_message_is_read_anew_too(database):
    talk = Talk(database, OfflineEngine())
    await talk.says("午餐 120", message_id="m1")
    first, second = await talk.says("午餐 150", message_id="m1", kind="edited")

    assert first.startswith(WORDS.edited)
    assert "150" in second
    assert [record.amount for record in await talk.records()] == [150]


async def test_a_message_may_be_edited_into_a_command(database):
    talk = Talk(database, OfflineEngine())
    await talk.says("午餐 120", message_id="m1")

    assert (await talk.says("說明", message_id="m1", kind="edited"))[-1] == ZH.help


async def test_an_edit_of_what_still_waits_replaces_it(database):
    with ScriptedModel(says("好")) as model:
        talk = Talk(database, model)
        await hears(talk, "秘密", message_id="m1")
        await hears(talk, "起床了", message_id="m1", kind="edited")
        await talk.use_case.run(await talk.takes())

        assert await talk.inbox.take(LaneId(ANNA)) is None
    assert model.requests[0].messages[-1]["content"].endswith("]\n起床了")
    assert "秘密" not in await everything(talk)


async def test_the_newest_version_counts_in_whatever_order_they_come(database):
    with ScriptedModel(says("好")) as model:
        talk = Talk(database, model)
        old = talk.clock.now
        await hears(talk, "新", message_id="m1", kind="edited")
        await hears(talk, "舊", message_id="m1", occurred_at=old)
        await hears(talk, "中", message_id="m1", kind="edited", occurred_at=old)
        await talk.use_case.run(await talk.takes())

        assert await talk.inbox.take(LaneId(ANNA)) is None
    assert model.requests[0].messages[-1]["content"].endswith("]\n新")


async def test_an_edit_while_it_is_worked_on_begins_it_anew_and_is_answered_once(database):
    thinking = Thinking(says("好"))
    with ScriptedModel(milk(), thinking, asks(create("豆漿", "task")), says("好")) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶", message_id="m1")
        task = await running(talk, thinking)
        await hears(talk, "買豆漿", message_id="m1", kind="edited")
        await asyncio.wait_for(task, 10)

        assert await talk.inbox.take(LaneId(ANNA)) is None
    assert [record.content for record in await talk.records()] == ["豆漿"]
    ((road, text),) = talk.channel.said
    assert road == "token2"
    assert "豆漿" in text
    assert model.requests[2].messages[-1]["content"].endswith("]\n買豆漿")


async def test_an_edit_of_one_of_several_messages_tells_what_they_had_made(database):
    with ScriptedModel(asks(create("牛奶"), create("蛋")), says("好"), says("改好了")) as model:
        talk = Talk(database, model)
        await hears(talk, "牛奶", message_id="m1")
        await hears(talk, "蛋", message_id="m2")
        await talk.use_case.run(await talk.takes())
        await hears(talk, "鴨蛋", message_id="m2", kind="edited")
        await talk.use_case.run(await talk.takes())

    line, words = model.requests[2].messages[-1]["content"].splitlines()[-2:]
    assert '"ref":1' in line
    assert '"ref":2' in line
    assert words == "鴨蛋"
    assert len(await talk.records()) == 2


async def test_an_edit_that_died_in_the_middle_takes_back_once(database):
    with ScriptedModel(milk(), says("好"), asks(create("豆漿", "task")), says("好")) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶", message_id="m1")
        await talk.use_case.run(await talk.takes())
        await hears(talk, "買豆漿", message_id="m1", kind="edited")
        turn = await talk.takes()
        person = await talk.use_case._person(turn)
        await talk.use_case._answer(turn, person, ZH)
        await talk.use_case.run(await talk.takes())

    assert [record.content for record in await talk.records()] == ["豆漿"]
    assert "豆漿" in talk.channel.said[-1][1]


# ── coming and going ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_blocks_the_bot_is_sent_nothing_and_hears_of_it_on_coming_back(database):
    talk = Talk(database)
    await talk.says("說明")
    await remember(talk, "喝水")
    await hears(talk, kind="unfollow", reply_token=None, answerable=False)
    assert await talk.thoughts.is_away(ANNA)
    assert await talk.says(kind="reminder", data="1", id="ring:1", reply_token=None) == []

    owed, greeting = await talk.says(kind="follow")
    assert owed == "⏰ （原定 12:00）喝水 #1", "it says itself when it was meant for"
    assert greeting == WORDS.welcome_back("Asia/Taipei", "TWD")
    assert tuple(button.label for button in talk.last[-1].buttons) == ZH.examples
    assert not await talk.thoughts.is_away(ANNA)


async def test_a_known_person_whose_leaving_was_not_heard_is_welcomed_back_too(database):
    talk = Talk(database)
    await talk.says("說明")
    assert await talk.says(kind="follow", data=BACK) == [WORDS.welcome_back("Asia/Taipei", "TWD")]


async def test_a_leaving_that_is_heard_too_late_changes_nothing(database):
    talk = Talk(database)
    long_ago = talk.clock.now
    await hears(talk, kind="unfollow", reply_token=None, answerable=False)
    await hears(talk, "說明")
    await hears(talk, kind="unfollow", reply_token=None, answerable=False, occurred_at=long_ago)

    assert not await talk.thoughts.is_away(ANNA)


# ── those who write meanwhile ─────────────────────────────────────────────────────────────────────────────────────


async def test_who_writes_during_a_long_turn_gets_a_button_before_their_token_dies(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking, says("早。")) as model:
        talk = Talk(database, model)
        await hears(talk, "很難")
        task = await running(talk, thinking)
        await hears(talk, "起床了")
        talk.clock.move(seconds=46)
        await asyncio.wait_for(_until(lambda: len(talk.channel.sent) == 2), 10)

        shown = {road: bubbles[0] for road, bubbles in talk.channel.sent}
        assert all(bubble.stays for bubble in shown.values())
        assert shown["token1"].buttons[0].data == Tap.SHOW.on("01E001")
        assert shown["token2"].buttons[0].data == Tap.SHOW.on("01E002")
        assert await talk.taps(Tap.SHOW.on("01E002")) == [ZH.not_ready]
        thinking.go_on.set()
        await task
        assert ANNA in talk.channel.working[1:]
        await talk.use_case.run(await talk.takes())
        assert await talk.taps(Tap.SHOW.on("01E002")) == [f"{ZH.owed_prefix}\n想好了\n早。"]


async def _until(holds: Callable[[], bool]) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.02)


def test_in_a_group_something_is_said_sooner():
    assert [answer_seconds(kind, 45) for kind in ("user", "group", "room")] == [45, 18, 18]
    assert answer_seconds("group", 3) == 3


async def test_a_button_for_a_turn_that_was_given_up_says_so(database):
    talk = Talk(database)
    turn: Turn = await talk.takes(await talk.hears("很難"))
    await talk.inbox.fail(replace(turn))

    assert await talk.taps(Tap.SHOW.on(turn.id)) == [phrases_of("zh-TW").set_aside]


async def test_what_could_not_be_taken_back_of_an_edited_message_is_told_to_the_model(database):
    with ScriptedModel(milk(), says("好"), says("好")) as model:
        talk = Talk(database, model)
        await hears(talk, "買牛奶", message_id="m1")
        await talk.use_case.run(await talk.takes())
        talk.clock.move(days=31)
        await hears(talk, "買豆漿", message_id="m1", kind="edited")
        await talk.use_case.run(await talk.takes())

    assert '"ref":1' in model.requests[2].messages[-1]["content"]
    assert len(await talk.records()) == 1


async def test_a_claim_that_is_lost_is_not_stopped(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("很難"))
    with pytest.raises(ClaimLost):
        await talk.thoughts.stopped(turn)


async def test_something_taken_back_that_has_no_id_takes_nothing_back(database):
    talk = Talk(database)
    await hears(talk, "說明")
    await hears(talk, kind="unsend", message_id=None, reply_token=None, answerable=False)
    await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", ZH.help)]


async def test_of_what_waits_for_the_model_only_what_was_taken_back_goes(database):
    with ScriptedModel(ModelUnavailable("down")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await hears(talk, "幫我想想秘密", message_id="m1")
        await hears(talk, "幫我想想旅行", message_id="m2")
        await talk.use_case.run(await talk.takes())
        await unsends(talk, "m1")

        (kept,) = await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("x"))
        assert kept.words == "幫我想想旅行"


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_in_every_language_the_offer_fits_into_a_message_whose_button_stays(language):
    words = second_thought_words(language)
    offer = words.undo_too(" ".join(f"#{number}" for number in range(101, 113)))

    assert "#112" in offer
    assert utf16(offer) <= TEMPLATE_TEXT_LIMIT
    assert utf16(phrases_of(language).working) <= TEMPLATE_TEXT_LIMIT
    assert utf16(phrases_of(language).not_ready) <= TEMPLATE_TEXT_LIMIT
    assert "Asia/Taipei" in words.welcome_back("Asia/Taipei", "TWD")
    assert len({words.stopped, words.stopped_after, words.edited, words.which_one}) == 4

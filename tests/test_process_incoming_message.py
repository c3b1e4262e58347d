"""The use case: who speaks, in which language, who answers, and what becomes of answers that take long or fail."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.gate import Gate
from bot.model_ports import Completion
from bot.ports import Bubble, ClaimLost, LaneId, TokenDead
from bot.pushes import RESERVE, notice
from bot.sql.people import SqlPeople
from bot.voice.attachment_words import attachment_words
from bot.voice.language import Fixed
from bot.voice.phrases import phrases_of
from bot.voice.quota_words import quota_text
from tests.fakes import ANNA, BEN, Calendar, Request, ScriptedChannel, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, create
from tools.database import Database
from tools.record import CallKey, Draft, PersonId, StoreUnavailable

ENGLISH = phrases_of("en")
CODE = "04041234"


def only_anna() -> Gate:
    return Gate(everyone=False, welcome=[PersonId(ANNA)])


async def unpaired(database: Database) -> Gate:
    door = SqlPeople(database, Calendar())
    await door.offer(CODE)
    return Gate(everyone=False, welcome=[], door=door)


class Thinking:
    """A step of a model that takes until it is told to go on."""

    def __init__(self, answer: Completion) -> None:
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        self._answer = answer

    async def __call__(self, _: Request) -> Completion:
        self.asked.set()
        await self.go_on.wait()
        return self._answer


async def slow(talk: Talk) -> asyncio.Task[None]:
    """Something hard is asked, and the interim sentence has been said."""
    lane = await talk.hears("很難", received_at=talk.clock() - timedelta(seconds=46))
    task = asyncio.create_task(talk.use_case.run(await talk.takes(lane)))
    await asyncio.wait_for(talk.channel.spoke.wait(), 5)
    return task


# ── first contact ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "profile", "language", "zone", "currency"),
    [
        ("想喝咖啡", "en", "zh-TW", "Asia/Taipei", "TWD"),
        ("おなかすいた", "en", "ja", "Asia/Tokyo", "JPY"),
        ("予定", "ja", "ja", "Asia/Tokyo", "JPY"),
        ("หิวข้าว", None, "th", "Asia/Bangkok", "THB"),
        ("sleepy", "ja", "en", "UTC", "USD"),
        ("120", "th", "th", "Asia/Bangkok", "THB"),
        ("120", None, "zh-TW", "Asia/Taipei", "TWD"),
    ],
)
async def test_at_first_contact_language_zone_and_currency_are_taken(
    database, words, profile, language, zone, currency
):
    with ScriptedModel(says("…")) as model:
        talk = Talk(database, model, channel=ScriptedChannel(languages={ANNA: profile} if profile else {}))
        await talk.says(words)

    person = await talk.people.find(PersonId(ANNA))
    assert person is not None
    assert (person.language, person.home) == (language, language)
    assert (person.zone.key, person.currency, person.role) == (zone, currency, "owner")


async def test_who_begins_in_another_language_than_their_profiles_hears_once_what_was_taken(database):
    channel = ScriptedChannel(languages={ANNA: "zh-TW"})
    talk = Talk(database, OfflineEngine(), channel=channel)

    first, *_ = await talk.says("lunch 12.50")
    assert first == "I use UTC time and USD."
    assert first not in await talk.says("dinner 20")


async def test_later_words_change_the_language_of_the_reply_and_nothing_else(database):
    talk = Talk(database)
    await talk.says("說明")

    assert await talk.says("help") == [ENGLISH.help]
    person = await talk.people.find(PersonId(ANNA))
    assert person is not None
    assert (person.language, person.home, person.zone.key, person.currency) == ("en", "zh-TW", "Asia/Taipei", "TWD")


async def test_one_line_of_japanese_does_not_turn_a_taiwanese_person_japanese(database):
    talk = Talk(database)
    await talk.says("說明")
    assert await talk.says("ヘルプ") == [phrases_of("ja").help]

    assert await talk.says("說明") == [ZH.help]


async def test_han_alone_stays_japanese_for_who_is_at_home_in_japanese(database):
    talk = Talk(database)
    await talk.says("ヘルプ")

    assert await talk.taps("undo:") == [phrases_of("ja").button_too_old]
    with_han = await talk.says("取消", kind="sticker")
    assert with_han == [phrases_of("ja").not_supported["sticker"]]


async def test_the_operator_can_fix_language_zone_and_currency(database):
    fixed = Fixed(language="th", zone=ZoneInfo("Asia/Tokyo"), currency="EUR")
    talk = Talk(database, fixed=fixed)

    assert await talk.says("說明") == [phrases_of("th").help]
    person = await talk.people.find(PersonId(ANNA))
    assert person is not None
    assert (person.language, person.zone.key, person.currency) == ("th", "Asia/Tokyo", "EUR")


async def test_the_second_person_where_everyone_is_welcome_is_a_member(database):
    talk = Talk(database)
    await talk.says("說明", by=BEN)

    person = await talk.people.find(PersonId(BEN))
    assert person is not None
    assert person.role == "member"


async def test_adding_the_bot_is_greeted_with_examples_that_work_when_tapped(database):
    with ScriptedModel(asks(create("午餐", "expense", amount=120)), says("好")) as model:
        talk = Talk(database, model)
        assert await talk.says(kind="follow") == [ZH.greeting("Asia/Taipei", "TWD")]
        assert tuple(button.label for button in talk.last[0].buttons) == ZH.examples

        (text,) = await talk.taps_on("午餐 120")

    assert text.startswith("午餐 120 元")
    assert model.requests[0].messages[-1]["content"].endswith("\n午餐 120")


# ── strangers ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_stranger_gets_one_sentence_a_day_and_no_model_is_asked(database):
    talk = Talk(database, gate=only_anna(), channel=ScriptedChannel(languages={BEN: "en"}))

    assert await talk.says("你好", by=BEN) == [ENGLISH.stranger]
    assert await talk.says("hello?", by=BEN) == []
    talk.clock.move(days=1)
    assert await talk.says("you there", by=BEN) == [ENGLISH.stranger]
    assert await talk.people.find(PersonId(BEN)) is None
    assert talk.channel.working == []


@pytest.mark.parametrize("kind", ["follow", "postback", "image"])
async def test_whatever_a_stranger_does_is_answered_alike(database, kind):
    assert await Talk(database, gate=only_anna()).says(by=BEN, kind=kind, data="say:午餐 120") == [ZH.stranger]


async def test_the_pairing_code_makes_its_sender_the_owner(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model, gate=await unpaired(database))
        assert await talk.says(f" {CODE}\n", by=BEN) == [ZH.paired]
        assert await talk.says("好累", by=BEN) == ["早。"]
        assert await talk.says(CODE) == [ZH.stranger]

    assert await talk.people.owners() == [BEN]


async def test_a_pairing_that_was_interrupted_before_its_answer_is_answered_as_one(database):
    talk = Talk(database, gate=await unpaired(database))
    await talk.hears(CODE, by=BEN)
    turn = await talk.takes(LaneId(BEN))
    await talk.gate.pairs((await talk.use_case._person(turn)), CODE)

    await talk.use_case.run(turn)

    assert [bubble.text for _, bubbles in talk.channel.sent for bubble in bubbles] == [ZH.paired]


async def test_in_a_group_no_code_lets_anybody_in(database):
    talk = Talk(database, gate=await unpaired(database))
    await talk.hears_in_the_group(CODE, by=BEN)

    assert await talk.inbox.take(LaneId(FAMILY)) is None
    assert await talk.people.owners() == []


async def test_before_anyone_has_paired_it_is_said_how_to_and_a_wrong_code_opens_nothing(database):
    talk = Talk(database, gate=await unpaired(database))

    assert await talk.says("你好", by=BEN) == [ZH.not_paired]
    assert await talk.says("04041235", by=BEN) == []
    assert await talk.says(CODE, by=BEN) == [ZH.paired]


async def test_a_pairing_code_says_nothing_about_the_language_of_its_sender(database):
    talk = Talk(database, gate=await unpaired(database), channel=ScriptedChannel(languages={BEN: "ja"}))

    assert await talk.says(CODE, by=BEN) == [phrases_of("ja").paired]
    assert await talk.taps("undo:", by=BEN) == [phrases_of("ja").button_too_old]
    person = await talk.people.find(PersonId(BEN))
    assert person is not None
    assert (person.home, person.zone.key, person.currency, person.role) == ("ja", "Asia/Tokyo", "JPY", "owner")


async def test_who_is_not_welcome_any_more_is_a_stranger_and_is_reminded_of_nothing(database):
    talk = Talk(database)
    await talk.says("說明", by=BEN)
    talk = Talk(database, gate=only_anna())
    talk.clock.move(hours=1)

    assert await talk.says(kind="reminder", data="1", by=BEN, id="ring:1", reply_token=None) == []
    assert await talk.says("說明", by=BEN) == [ZH.stranger]


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["sticker", "other"])
async def test_what_cannot_be_read_is_named(database, kind):
    assert await Talk(database).says(kind=kind) == [ZH.not_supported[kind]]


async def test_words_beside_a_picture_are_answered_too(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model)
        await talk.hears(kind="image")
        await talk.hears(kind="image")
        assert await talk.says("好累") == ["早。", attachment_words("zh-TW").failures["unknown"]]


async def test_a_burst_of_messages_is_one_question(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model)
        await talk.hears("好累")
        await talk.hears("  ")
        await talk.says("今天星期幾")

    assert model.requests[0].messages[-1]["content"].endswith("]\n好累\n今天星期幾")
    assert talk.channel.said == [("token3", "早。")]
    assert talk.channel.working == [ANNA]


async def test_an_empty_message_gets_a_sentence(database):
    assert await Talk(database).says("\n ") == [ZH.no_answer]


# ── trouble ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_engine_that_breaks_costs_a_kind_sentence_and_the_turn_is_answered(database, caplog):
    with ScriptedModel(RuntimeError("secret detail"), says("早。")) as model:
        talk = Talk(database, model)
        assert await talk.says("好累") == [ZH.failed]
        assert await talk.says("好累") == ["早。"]

    assert "secret detail" in caplog.text
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_a_reminder_that_cannot_be_read_costs_nobody_else_an_answer(database):
    talk = Talk(database)
    assert await talk.says(kind="reminder", data="no number") == [ZH.failed]
    assert await talk.says("說明") == [ZH.help]


async def test_a_turn_that_died_while_thinking_is_answered_afresh(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model)
        await talk.takes(await talk.hears("好累"))
        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", "早。")]


async def test_a_turn_that_died_after_its_answer_only_sends_it(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("好累"))
    await talk.inbox.answered(turn, [Bubble("早。")])
    await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", "早。")]
    assert talk.channel.working == []


async def test_cancelling_a_turn_leaves_it_to_be_resumed(database):
    thinking = Thinking(says("早。"))
    with ScriptedModel(thinking, says("早。")) as model:
        talk = Talk(database, model)
        task = asyncio.create_task(talk.use_case.run(await talk.takes(await talk.hears("好累"))))
        await thinking.asked.wait()
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()

        await talk.use_case.run(await talk.takes())

    assert talk.channel.said == [("token1", "早。")]


# ── answers that take long ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_quick_answer_needs_no_interim_sentence(database):
    with ScriptedModel(says("早。")) as model:
        assert await Talk(database, model).says("好累") == ["早。"]


async def test_a_slow_answer_is_shown_by_the_tap_on_the_interim_button(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        task = await slow(talk)
        interim = talk.button(ZH.show_answer)
        assert talk.channel.said == [("token1", ZH.working)]

        assert await talk.taps_on(ZH.show_answer) == [ZH.not_ready]
        assert talk.button(ZH.show_answer) == interim

        thinking.go_on.set()
        await task
        assert [road for road, _ in talk.channel.said] == ["token1", "token2"]
        assert await talk.taps_on(ZH.show_answer) == ["想好了"]
        talk.clock.move(days=400)
        assert await talk.taps_on(ZH.show_answer) == ["想好了"]

    assert await talk.inbox.owed(ANNA) == []


async def test_what_was_slow_stands_in_front_of_the_next_reply_if_nobody_taps(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model)
        task = await slow(talk)
        thinking.go_on.set()
        await task

        assert (await talk.says("說明"))[-2:] == [f"{ZH.owed_prefix}\n想好了", ZH.help]


async def test_an_interim_sentence_that_cannot_be_sent_leaves_the_answer_owed(database):
    thinking = Thinking(says("想好了"))
    with ScriptedModel(thinking) as model:
        talk = Talk(database, model, channel=ScriptedChannel(TokenDead()))
        task = await slow(talk)
        thinking.go_on.set()
        await task

    assert [each.bubbles for each in await talk.inbox.owed(ANNA)] == [(Bubble("想好了"),)]


async def test_a_turn_without_any_token_left_says_nothing_in_between(database):
    with ScriptedModel(says("早。")) as model:
        talk = Talk(database, model)
        assert await talk.says("好累", received_at=talk.clock() - timedelta(hours=1)) == []

    assert len(await talk.inbox.owed(ANNA)) == 1


async def test_what_the_operator_fixes_later_holds_for_those_who_were_met_before(database):
    before = Talk(database)
    await before.says("help")
    fixed = Fixed(language=None, zone=ZoneInfo("America/New_York"), currency="EUR")

    after = Talk(database, fixed=fixed)
    await after.says("help", id="another")

    person = await after.people.find(PersonId(ANNA))
    assert person is not None
    assert (person.zone.key, person.currency) == ("America/New_York", "EUR")


# ── a turn that kills ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_message_that_killed_its_worker_three_times_is_set_aside_and_the_person_is_told(database):
    talk = Talk(database)
    turn = replace(await talk.takes(await talk.hears("記一下 買牛奶")), deaths=3)
    await talk.use_case.run(turn)

    assert [bubble.text for bubble in talk.last] == [phrases_of("zh-TW").set_aside]
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_what_it_saved_before_is_told_with_it(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("買牛奶"))
    draft = Draft(content="買牛奶", type="task")
    await talk.memory().record(draft, CallKey(turn.id, 1), lambda _: {})
    await talk.use_case.run(replace(turn, deaths=3))

    receipt, sentence = talk.last
    assert "買牛奶" in receipt.text
    assert sentence.text == phrases_of("zh-TW").set_aside


async def test_what_cannot_even_be_told_is_set_aside_in_silence(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("買牛奶"))
    await talk.inbox.answered(turn, [Bubble("好")])
    await talk.use_case.run(replace(turn, deaths=6, answer=(Bubble("好"),)))

    assert talk.channel.sent == []
    assert await talk.inbox.take(LaneId(ANNA)) is None


async def test_an_answer_that_is_ready_is_sent_even_after_three_deaths(database):
    talk = Talk(database)
    turn = await talk.takes(await talk.hears("買牛奶"))
    await talk.inbox.answered(turn, [Bubble("好")])
    await talk.use_case.run(replace(turn, deaths=5, answer=(Bubble("好"),)))

    assert [bubble.text for bubble in talk.last] == ["好"]


@pytest.mark.parametrize("trouble", [StoreUnavailable("the disk is full"), ClaimLost("01E001")])
async def test_a_turn_that_can_go_on_later_or_elsewhere_is_not_apologised_for(database, trouble):
    talk = Talk(database, ScriptedModel(trouble))
    turn = await talk.takes(await talk.hears("買牛奶"))
    with pytest.raises(type(trouble)):
        await talk.use_case.run(turn)

    assert talk.channel.sent == []


async def test_a_turn_that_fails_every_time_is_given_up_with_a_sentence(database):
    talk = Talk(database)
    await talk.use_case.give_up(await talk.takes(await talk.hears("買牛奶")))

    assert [bubble.text for bubble in talk.last] == [ZH.set_aside]


async def test_a_tap_that_says_something_shows_that_it_is_being_worked_on(database):
    with ScriptedModel(says("好")) as model:
        talk = Talk(database, model)
        await talk.taps("say:起床了")
        await talk.taps("undo:1")

    assert talk.channel.working == [ANNA]


# ── the month's pushes ────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_owner_hears_of_the_last_pushes_with_the_next_reply_and_it_costs_none(database):
    talk = Talk(database, ScriptedModel(says("好")), pushes="all")
    await talk.says("午餐", message_id="1")
    talk.channel.sent.clear()
    await talk.inbox.put([notice(PersonId(ANNA), 38, talk.clock())])
    await talk.use_case.run(await talk.takes())

    assert talk.channel.said == []
    told, *_ = await talk.taps("show:01E001")
    assert told.startswith("本月免費推播只剩 38 則。"), "not as an answer that came late"
    assert [road for road, _ in talk.channel.said] == ["token2"]


async def test_who_is_a_stranger_by_now_hears_nothing_of_pushes(database):
    talk = Talk(database, gate=only_anna())
    await talk.inbox.put([notice(PersonId(BEN), 38, talk.clock())])
    await talk.use_case.run(await talk.takes(LaneId(BEN)))

    assert talk.channel.said == []
    assert await talk.inbox.owed(BEN) == []


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_before_and_after_reminders_begin_to_wait_other_words_are_said(language):
    few, gone = quota_text(language, 21, RESERVE), quota_text(language, 20, RESERVE)
    assert "21" in few
    assert "20" in few, "it is said when they will"
    assert "20" in gone
    assert few.replace("21", "20") != gone


@pytest.mark.parametrize(("left", "said"), [(None, "14:00 提醒你"), (21, "14:00 提醒你"), (20, "你下次傳訊息時提醒你")])
async def test_a_receipt_says_whether_a_reminder_will_come_by_itself(database, left, said):
    with ScriptedModel(asks(create("看牙醫", "task", remind_at="2026-12-01T14:00")), says("好")) as model:
        talk = Talk(database, model)
        talk.channel.left = left
        told = "\n".join(await talk.says("明天兩點提醒我看牙醫"))

    assert said in told

"""What is said while the model is away: done where it is certain, kept where it is not, and carried out once, in order,
as of the moment at which it was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import select

from bot.engines.offline.engine import OfflineEngine
from bot.gate import Gate
from bot.model_ports import AllowanceSpent, Completion, ModelUnavailable, PromptTooLong
from bot.ports import Turn, TurnId
from bot.postponed import GIVE_UP_AFTER, hand_over
from bot.sql.inbox_rows import INBOX, turn_of
from bot.thinking.prompt import unstamped
from bot.voice.phrases import phrases_of
from bot.voice.waiting import waiting_words
from tests.eager import Eager
from tests.fakes import ANNA, BEN, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create, remember
from tools.record import PersonId, StoreUnavailable

DOWN = ModelUnavailable("no route")
WORDS = waiting_words("zh-TW")
HARD, HARDER = "幫我跟老闆約個時間", "還有老婆的生日要怎麼辦"
"""Nothing here is certain without a model."""


@pytest.fixture
def model() -> Eager:
    return Eager()


@pytest.fixture
def talk(database, model: Eager) -> Talk:
    return Talk(database, model, fallback=OfflineEngine())


async def waiting(talk: Talk) -> list[str]:
    rows = await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("nobody's"))
    return [kept.words for kept in rows]


async def look(talk: Talk, **later: float) -> list[str]:
    """Some time passes, and what is due is tried; what was pushed or is owed since then."""
    talk.clock.move(**later)
    owed = len(await talk.inbox.owed(ANNA))
    for lane in await hand_over(talk.recovery, talk.postponed, talk.inbox, talk.clock()):
        await talk.use_case.run(await talk.takes(lane))
    return [bubble.text for each in (await talk.inbox.owed(ANNA))[owed:] for bubble in each.bubbles]


async def contents(talk: Talk) -> list[str]:
    return [record.content for record in await talk.records()]


# ── while it is away ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_certain_is_done_and_nothing_is_kept(talk: Talk, model: Eager):
    model.is_away = True
    (text,) = await talk.says("午餐 120")

    assert text.startswith("午餐 120 元")
    assert await waiting(talk) == []


@pytest.mark.parametrize(
    ("said", "language"),
    [(HARD, "zh-TW"), ("上司と会う時間を決めて", "ja"), ("จะให้ทำอะไรดีกับวันเกิดแม่ล่ะ", "th"), ("sort out my week", "en")],
)
async def test_what_is_not_is_kept_and_that_is_said_in_ones_own_language(talk: Talk, model: Eager, said, language):
    model.is_away = True

    assert await talk.says(said) == [phrases_of(language).model_down]
    assert await waiting(talk) == [said]
    assert await talk.records() == []


async def test_of_several_lines_the_certain_ones_are_done_and_exactly_the_others_are_kept(talk: Talk, model: Eager):
    model.is_away = True
    receipt, kept = await talk.says(f"午餐 120\n{HARD}\n・買牛奶\n{HARDER}")

    assert "午餐" in receipt
    assert "買牛奶" in receipt
    assert "沒看懂" not in receipt
    assert kept == WORDS.rest_kept(f"{HARD} {HARDER}")
    assert await waiting(talk) == [f"{HARD}\n{HARDER}"]
    assert [button.label for bubble in talk.last for button in bubble.buttons] == [ZH.undo]


async def test_the_same_line_twice_is_twice_done_and_twice_kept(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(f"午餐 120\n{HARD}\n午餐 120\n{HARD}")

    assert await contents(talk) == ["午餐", "午餐"]
    assert await waiting(talk) == [f"{HARD}\n{HARD}"]


async def test_without_an_engine_of_last_resort_all_of_it_is_kept(database, model: Eager):
    talk = Talk(database, model)
    model.is_away = True

    assert await talk.says("午餐 120") == [ZH.model_down]
    assert await waiting(talk) == ["午餐 120"]


async def test_secrets_are_not_said_back(database, model: Eager):
    talk = Talk(database, model, fallback=OfflineEngine(), secrets=["hunter2hunter2"])
    model.is_away = True
    _, kept = await talk.says("午餐 120\n密碼 hunter2hunter2 怎麼辦")

    assert "hunter2" not in kept


# ── when it is back ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_was_kept_is_carried_out_once_and_told_in_front_of_the_next_reply(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    model.is_away = False

    (owed,) = await look(talk, minutes=1)
    assert owed.startswith(f"{WORDS.sorted_out(HARD)}\n")
    assert "#1" in owed
    assert await look(talk, hours=1) == []

    front, own = await talk.says("午餐 120")
    assert front == owed
    assert "午餐 120" in own
    assert await contents(talk) == [HARD, "午餐 120"]


async def test_it_is_pushed_only_where_answers_may_be(database, model: Eager):
    talk = Talk(database, model, fallback=OfflineEngine(), pushes="all")
    model.is_away = True
    await talk.says(HARD)
    model.is_away = False
    await look(talk, minutes=1)

    (road, text) = talk.channel.said[-1]
    assert road.startswith("push ")
    assert text.startswith(WORDS.sorted_out(HARD))


async def test_tomorrow_is_the_day_after_it_was_said(talk: Talk, model: Eager):
    async def dated(request) -> Completion:
        assert unstamped(request.messages[-1]["content"])[0].now.date() == date(2026, 11, 30)
        return asks(create("回診", "event", when="明天下午三點"))

    with ScriptedModel(DOWN, dated, says("好")) as script:
        talk = Talk(talk.database, script)
        await talk.says("那個醫生，明天下午三點")
        (owed,) = await look(talk, hours=20)

    (record,) = await talk.records()
    assert record.when == datetime(2026, 12, 1, 7, tzinfo=UTC)
    assert "回診" in owed


async def test_what_waited_goes_first_and_is_told_in_the_same_reply(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    await talk.says(HARDER)
    model.is_away = False
    first, second, own = await talk.says("早餐要吃什麼好呢")

    assert first.startswith(WORDS.sorted_out(HARD))
    assert second.startswith(WORDS.sorted_out(HARDER))
    assert "早餐要吃什麼好呢" in own
    assert await contents(talk) == [HARD, HARDER, "早餐要吃什麼好呢"]
    assert await look(talk, hours=1) == []


async def test_one_try_is_enough_to_know_that_it_is_still_away(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    asked = len(model.asked)

    assert await talk.says(HARDER) == [ZH.model_down]
    assert len(model.asked) == asked + 1
    assert await waiting(talk) == [HARD, HARDER]


async def test_a_model_that_carries_out_whatever_looks_open_does_nothing_twice(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(f"午餐 120\n{HARD}")
    await talk.says(HARDER)
    await talk.says("晚餐 300")
    model.is_away = False
    await look(talk, minutes=1)
    await talk.says("買蛋")
    await look(talk, minutes=1)
    await talk.says("買米")

    assert await contents(talk) == ["午餐", "晚餐", HARD, HARDER, "買蛋", "買米"]


async def test_said_twice_while_it_was_away_is_stored_once_and_each_repetition_waits_to_be_wanted(
    talk: Talk, model: Eager
):
    model.is_away = True
    await talk.says(HARD)
    await talk.says(HARD)
    model.is_away = False
    await look(talk, minutes=1)
    await talk.says(HARD)

    assert await contents(talk) == [HARD]
    assert [each.state for ref in (2, 3) for each in await talk.memory().history(ref)] == ["proposed", "proposed"]
    for _, bubbles in list(talk.channel.sent):
        for button in [each for bubble in bubbles for each in bubble.buttons if each.label == "兩個都要"]:
            await talk.taps(button.data)
    assert await contents(talk) == [HARD] * 3


async def test_very_many_are_carried_out_a_few_at_a_time_and_the_newest_waits_its_turn(talk: Talk, model: Eager):
    model.is_away = True
    for number in range(7):
        await talk.says(f"{HARD}第{number}次")
    model.is_away = False
    *earlier, own = await talk.says(HARDER)

    assert len(earlier) == 5
    assert own == ZH.model_down
    assert len(await look(talk)) == 3
    assert await contents(talk) == [*(f"{HARD}第{number}次" for number in range(7)), HARDER]


async def test_an_answer_in_words_is_told_too(database):
    with ScriptedModel(DOWN, says("蛋炒飯。")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("有蛋可以煮什麼")
        assert await look(talk, minutes=1) == [f"{WORDS.sorted_out('有蛋可以煮什麼')}\n蛋炒飯。"]


async def test_it_is_told_in_the_language_in_which_it_was_said(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says("sort out my week")
    await talk.says("午餐 120")
    model.is_away = False
    (owed,) = await look(talk, minutes=1)

    assert owed.startswith(waiting_words("en").sorted_out("sort out my week"))


async def test_a_question_about_deletions_keeps_its_buttons_behind_the_answer_of_now(database):
    both = asks(call("delete_record", refs=[1, 2]))
    with ScriptedModel(
        asks(create("甲"), create("乙")), says("好"), DOWN, both, says("好"), asks(create("丙")), says("好")
    ) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("記兩個")
        await talk.says("把剛剛那兩個都弄掉啦")
        *_, question = await talk.says("記丙")

    assert question.startswith(WORDS.sorted_out("把剛剛那兩個都弄掉啦"))
    assert [button.label for button in talk.last[-1].buttons] == [ZH.delete, ZH.keep]
    await talk.taps_on(ZH.delete)
    assert await contents(talk) == ["丙"]


async def test_a_question_that_was_not_pushed_keeps_its_buttons_behind_the_next_reply(database):
    both = asks(call("delete_record", refs=[1, 2]))
    with ScriptedModel(DOWN, both, says("好"), asks(create("丙")), says("好")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await remember(talk, "甲", "乙")
        await talk.says("把那兩個都弄掉啦")
        await look(talk, minutes=1)
        receipt, question = await talk.says("那個丙也要啦")

    assert "丙 #3" in receipt
    assert question.startswith(WORDS.sorted_out("把那兩個都弄掉啦"))
    assert [button.label for button in talk.last[-1].buttons] == [ZH.delete, ZH.keep]


async def test_the_undo_button_of_what_was_done_later_takes_that_back(database, model: Eager):
    talk = Talk(database, model, fallback=OfflineEngine(), pushes="all")
    model.is_away = True
    await talk.says(f"午餐 120\n{HARD}")
    model.is_away = False
    await look(talk, minutes=1)
    await talk.taps_on(ZH.undo)

    assert await contents(talk) == ["午餐"]


# ── in the midst of a turn ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_turn_that_the_model_left_midway_goes_on_where_it_was(database):
    with ScriptedModel(asks(create("甲")), DOWN, asks(create("乙")), says("好")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        receipt, kept = await talk.says("甲跟乙都記一下好嗎")
        (owed,) = await look(talk, minutes=1)

    assert "甲 #1" in receipt
    assert kept == WORDS.goes_on_later
    assert "乙 #2" in owed
    assert "甲 #1" not in owed
    assert await contents(talk) == ["甲", "乙"]


async def test_if_nothing_was_left_to_do_nothing_more_is_said(database):
    with ScriptedModel(asks(create("甲")), DOWN, says("好的，已經記好了")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("甲")
        assert await look(talk, minutes=1) == []
        assert await waiting(talk) == []


async def test_what_waits_for_a_tap_is_asked_about_before_the_model_is_back(database):
    with ScriptedModel(
        asks(create("甲"), create("乙")), says("好"), asks(call("delete_record", refs=[1, 2])), DOWN
    ) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says("記兩個")
        kept, question = await talk.says("都刪掉好了吧")

    assert question == ZH.confirm_delete("甲 #1、乙 #2", 2)
    assert kept == WORDS.goes_on_later


# ── taking it back ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_undo_takes_back_the_words_that_wait_if_they_were_the_last_thing(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says("午餐 120")
    await talk.says(HARD)

    assert await talk.says("復原") == [WORDS.withdrawn(HARD)]
    assert await contents(talk) == ["午餐"]
    model.is_away = False
    assert await look(talk, minutes=1) == []
    await talk.says("復原")
    assert await talk.records() == []


async def test_undo_takes_back_what_was_done_since(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    await talk.says("午餐 120")
    (text,) = await talk.says("復原")

    assert "午餐" in text
    assert await talk.records() == []
    assert await waiting(talk) == [HARD]


async def test_an_undo_that_is_interrupted_takes_back_one_thing(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    await talk.says(HARDER)
    turn = await talk.takes(await talk.hears("復原"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first = await talk.answering.answer(turn, caller, "復原")
    again = await talk.answering.answer(replace(turn, resumed=True), caller, "復原")

    assert [each.text for each in (*first, *again)] == [WORDS.withdrawn(HARDER)] * 2
    assert await waiting(talk) == [HARD]


async def test_an_undo_of_a_change_that_is_interrupted_withdraws_nothing(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    await talk.says("午餐 120")
    turn = await talk.takes(await talk.hears("復原"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first = await talk.answering.answer(turn, caller, "復原")

    assert await talk.answering.answer(replace(turn, resumed=True), caller, "復原") == first
    assert await waiting(talk) == [HARD]


# ── what comes to nothing ─────────────────────────────────────────────────────────────────────────────────────────


async def test_after_a_day_the_person_is_told_once_to_say_it_again(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    for _ in range(47):
        assert await look(talk, minutes=30) == []

    assert await look(talk, minutes=30) == [WORDS.say_again(HARD)]
    model.is_away = False
    assert await look(talk, hours=1) == []
    assert await talk.records() == []


async def test_what_expired_is_told_in_front_of_the_next_answer_at_the_latest(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    talk.clock.move(seconds=GIVE_UP_AFTER.total_seconds())
    first, own = await talk.says("午餐 120")

    assert first == WORDS.say_again(HARD)
    assert "午餐" in own


async def test_what_breaks_is_to_be_said_again_and_does_not_come_back(database):
    with ScriptedModel(DOWN, RuntimeError("broken")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says(HARD)
        assert await look(talk, minutes=1) == [WORDS.say_again(HARD)]
        assert await look(talk, hours=1) == []


async def test_what_is_too_long_for_the_model_is_not_kept(database):
    with ScriptedModel(PromptTooLong("413")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        assert await talk.says(HARD) == [WORDS.too_long]

    assert await waiting(talk) == []


async def test_what_turns_out_too_long_is_to_be_said_again_with_what_was_done_of_it(database):
    long = PromptTooLong("413")
    with ScriptedModel(DOWN, asks(create("甲")), long) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says(HARD)
        receipt, again = await look(talk, minutes=1)

    assert receipt.startswith(WORDS.sorted_out(HARD))
    assert "甲 #1" in receipt
    assert again == WORDS.say_again(HARD)


async def test_whoever_has_had_enough_for_today_is_told_so_and_simple_things_go_on(database):
    spent = AllowanceSpent("enough")
    with ScriptedModel(spent, spent, spent) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        assert await talk.says(HARD) == [WORDS.enough_for_today]
        (text,) = await talk.says("午餐 120")
        receipt, enough = await talk.says(f"晚餐 300\n{HARD}")

    assert text.startswith("午餐 120 元")
    assert receipt.startswith("晚餐 300 元")
    assert enough == WORDS.enough_for_today
    assert await waiting(talk) == []


async def test_whoever_has_had_enough_behind_a_receipt_is_not_asked_to_say_it_again(database):
    with ScriptedModel(asks(create("甲")), AllowanceSpent("enough")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        receipt, enough = await talk.says(HARD)

    assert "甲 #1" in receipt
    assert enough == WORDS.enough_behind_it


async def test_what_waits_for_somebody_who_has_had_enough_waits_until_their_tomorrow(database):
    with ScriptedModel(DOWN, AllowanceSpent("enough"), says("蛋炒飯。")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says(HARD)
        assert await look(talk, minutes=1) == []
        assert await look(talk, hours=10) == []
        assert await look(talk, hours=2) == [f"{WORDS.sorted_out(HARD)}\n蛋炒飯。"]


async def test_whoever_is_not_welcome_any_more_is_told_nothing(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    talk.gated_by(Gate(everyone=False, welcome=[PersonId(BEN)]))
    model.is_away = False

    assert await look(talk, minutes=1) == []
    assert await waiting(talk) == []
    assert await talk.records() == []


# ── interrupted ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_turn_that_died_after_its_words_were_kept_says_so_and_asks_nobody(talk: Talk, model: Eager):
    model.is_away = True
    turn = await talk.takes(await talk.hears(f"午餐 120\n{HARD}"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    kept = await talk.answering._kept(turn, caller, f"午餐 120\n{HARD}")
    assert kept is not None
    await talk.postponed.keep(kept)
    model.is_away = False
    await talk.use_case.run(replace(turn, resumed=True))

    assert model.asked == []
    assert [bubble.text for bubble in talk.last][-1] == WORDS.rest_kept(HARD)
    await look(talk, minutes=1)
    assert await contents(talk) == ["午餐", HARD]


@pytest.mark.parametrize("times", [1, 2])
async def test_a_turn_that_died_before_it_told_what_it_had_carried_out_tells_it(talk: Talk, model: Eager, times):
    model.is_away = True
    await talk.says(HARD)
    model.is_away = False
    turn = await talk.takes(await talk.hears("早餐要吃什麼好呢"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    bubbles, _ = await talk.answering._caught_up(turn, caller)
    asked = len(model.asked)
    for _ in range(times):
        again, _ = await talk.answering._caught_up(replace(turn, resumed=True), caller)
        assert again == bubbles

    assert len(model.asked) == asked
    assert await contents(talk) == [HARD]
    assert await waiting(talk) == []


async def test_a_turn_that_told_nothing_yet_of_what_had_waited_tells_it_though_its_own_words_were_kept(database):
    """The model was there, went away again, and then the process died."""
    with ScriptedModel(DOWN, says("蛋炒飯。"), DOWN) as script:
        talk = Talk(database, script, fallback=OfflineEngine())
        await talk.says("有蛋可以煮什麼")
        turn = await talk.takes(await talk.hears(HARD))
        caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
        first = await talk.answering.answer(turn, caller, HARD)

        assert await talk.answering.answer(replace(turn, resumed=True), caller, HARD) == first
    assert [each.text for each in first] == [f"{WORDS.sorted_out('有蛋可以煮什麼')}\n蛋炒飯。", ZH.model_down]


async def test_what_was_settled_is_told_from_the_store_if_the_model_is_away_again(database):
    """Where a model had nothing to say, nothing tells a turn that goes on that it was asked."""
    nothing = says("", finish="content_filter")
    with ScriptedModel(DOWN, asks(create("甲")), nothing, DOWN) as script:
        talk = Talk(database, script, fallback=OfflineEngine())
        await talk.says(HARD)
        turn = await talk.takes(await talk.hears("說明"))
        caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
        first, _ = await talk.answering._caught_up(turn, caller)
        again, _ = await talk.answering._caught_up(replace(turn, resumed=True), caller)

    assert "甲 #1" in first[0].text
    assert again == first


async def test_what_had_waited_is_told_even_if_the_words_behind_it_break(database):
    with ScriptedModel(DOWN, says("蛋炒飯。"), RuntimeError("broken"), RuntimeError("broken")) as script:
        talk = Talk(database, script, fallback=OfflineEngine())
        await talk.says("有蛋可以煮什麼")
        assert await talk.says(HARD) == [f"{WORDS.sorted_out('有蛋可以煮什麼')}\n蛋炒飯。", ZH.failed]
        assert await talk.says(HARD) == [ZH.failed]


async def test_a_store_that_fails_behind_what_had_waited_leaves_the_turn_to_go_on(database):
    with ScriptedModel(DOWN, says("蛋炒飯。"), StoreUnavailable("disk")) as script:
        talk = Talk(database, script, fallback=OfflineEngine())
        await talk.says("有蛋可以煮什麼")
        with pytest.raises(StoreUnavailable):
            await talk.says(HARD)


async def test_a_turn_that_is_set_aside_tells_what_it_carried_out_and_what_it_was_at_is_to_be_said_again(
    talk: Talk, model: Eager
):
    model.is_away = True
    await talk.says(HARD)
    await talk.says(HARDER)
    model.is_away = False
    turn = await talk.takes(await talk.hears("早餐要吃什麼好呢"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    first, *_ = await talk.postponed.of_chat(ANNA, PersonId(ANNA), turn.id)
    await talk.answering._carried_out(turn, caller, first)
    await talk.use_case.run(replace(turn, deaths=3))
    told, again, sorry = [bubble.text for bubble in talk.last]

    assert told.startswith(WORDS.sorted_out(HARD))
    assert again == WORDS.say_again(HARDER)
    assert sorry == ZH.set_aside
    assert await waiting(talk) == []


async def test_a_row_that_kills_its_process_again_and_again_is_given_up_with_its_words(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    talk.clock.move(minutes=1)
    (lane,) = await hand_over(talk.recovery, talk.postponed, talk.inbox, talk.clock())
    await talk.use_case.run(replace(await talk.takes(lane), deaths=3))
    (owed,) = await talk.inbox.owed(ANNA)

    assert [bubble.text for bubble in owed.bubbles] == [WORDS.say_again(HARD)]


async def test_a_turn_that_is_set_aside_takes_its_own_words_out_of_the_line(talk: Talk, model: Eager):
    model.is_away = True
    turn = await talk.takes(await talk.hears(HARD))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    await talk.answering.answer(turn, caller, HARD)
    await talk.use_case.run(replace(turn, deaths=3))

    assert [bubble.text for bubble in talk.last] == [ZH.set_aside]
    assert await waiting(talk) == []


async def test_what_another_turn_has_settled_meanwhile_is_not_told_twice(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    (kept,) = await talk.postponed.of_chat(ANNA, PersonId(ANNA), TurnId("nobody's"))
    model.is_away = False
    turn = await talk.takes(await talk.hears("好累"))
    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)
    assert await talk.postponed.settle(kept, TurnId("another"), "done")

    assert await talk.answering._carried_out(turn, caller, kept) == []
    assert await talk.answering._give_up(turn, caller, kept) == []


async def test_a_store_that_fails_in_between_leaves_everything_waiting(database):
    with ScriptedModel(DOWN, StoreUnavailable("disk")) as model:
        talk = Talk(database, model, fallback=OfflineEngine())
        await talk.says(HARD)
        with pytest.raises(StoreUnavailable):
            await look(talk, minutes=1)

    assert await waiting(talk) == [HARD]


async def test_an_answer_that_may_have_arrived_is_marked_as_such(talk: Talk, model: Eager):
    model.is_away = True
    await talk.says(HARD)
    model.is_away = False
    await look(talk, minutes=1)
    (owed,) = await talk.inbox.owed(ANNA)
    await talk.inbox.owe(await _taken_again(talk, owed.turn), maybe_sent=True)
    front, _ = await talk.says("午餐 120")

    assert front.startswith(f"{ZH.maybe_sent_prefix}\n{WORDS.sorted_out(HARD)}")


async def _taken_again(talk: Talk, turn: TurnId) -> Turn:
    """The turn, in the hands of its worker."""
    rows = await talk.database.read(lambda c: c.execute(select(INBOX).where(INBOX.c.turn == turn)).all())
    return turn_of(rows, rows[0].fence, 0)

"""Times that may mean two days: stored as the likelier one, asked about once, corrected by a tap of whose they are."""

from __future__ import annotations

import json
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.voice.language import Fixed
from tests.fakes import ANNA, BEN, NOON, ScriptedModel, asks, says
from tests.talk import ZH, Talk, call, create, remember
from tools.definition import Caller
from tools.doubt import NOTE, UNSURE
from tools.record import CallKey, Language, PersonId

TAIPEI = ZoneInfo("Asia/Taipei")
NEXT_FRIDAY = create("看牙", "event", when="next Friday 3pm", remind_at="next Friday 2pm")
"""Said on a Monday: of next week to some, the coming one to others."""


CALLER = Caller(
    person=PersonId(ANNA), role="owner", language="zh-TW", home="zh-TW", zone=TAIPEI, currency="TWD", now=NOON
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=TAIPEI)


def labels(talk: Talk) -> list[str]:
    return [button.label for bubble in talk.last for button in bubble.buttons]


async def test_an_unsure_day_is_stored_as_the_likelier_one_and_asked_about(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        answer = await talk.says("下週五三點看牙")

    assert "12/11（五）15:00看牙" in answer[0].replace(" ", "")
    assert "「next Friday 3pm」是 12/11（五）15:00 嗎？" in answer[0]
    assert labels(talk)[:2] == ["12/11（五）", "12/4（五）"]
    (record,) = await talk.records()
    assert record.when == at("2026-12-11T15:00")


async def test_the_model_is_told_that_the_person_is_asked(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        await Talk(database, model).says("下週五三點看牙")
        told = json.loads(model.requests[-1].messages[-1]["content"])

    assert told[UNSURE] == [
        {"field": "when", "said": "next Friday 3pm", "read": "2026-12-11T15:00", "or": "2026-12-04T15:00"}
    ]
    assert told["note"] == NOTE


async def test_a_tap_corrects_the_record_and_its_reminder_follows(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        answer = await talk.taps_on("12/4（五）")

    assert "12/4（五）15:00" in answer[0]
    (record,) = await talk.records()
    assert (record.when, record.remind_at) == (at("2026-12-04T15:00"), at("2026-12-04T14:00"))
    assert labels(talk) == [ZH.undo]


async def test_a_tap_on_what_was_read_only_says_yes(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        answer = await talk.taps_on("12/11（五）")

    assert answer == ["好，就 12/11（五）15:00。"]
    assert len(await talk.memory().changes("01E001")) == 1
    assert await talk.memory().changes("01E002") == []


async def test_the_same_tap_again_changes_nothing(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        await talk.taps_on("12/4（五）")
        data = next(
            b.data for _, said in talk.channel.sent for each in said for b in each.buttons if b.label[:4] == "12/4"
        )
        answer = await talk.taps(data)

    assert answer == ["好，就 12/4（五）15:00。"]
    assert await talk.memory().changes("01E003") == []


async def test_what_was_moved_since_is_left_alone(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        await talk.memory().revise(1, {"when": date(2026, 12, 24)}, CallKey("other", 1), lambda _: {})
        answer = await talk.taps_on("12/4（五）")

    assert answer == [ZH.already_handled]
    assert (await talk.records())[0].when == date(2026, 12, 24)


async def test_nobody_else_can_tap_it_and_made_up_buttons_do_nothing(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        button = talk.button("12/4（五）").data
        for data, who in ((button, BEN), ("meant:9:1:01E001", ANNA), ("meant:0:2:01E001", ANNA), ("meant:", ANNA)):
            await talk.taps(data, by=who)

    assert (await talk.records())[0].when == at("2026-12-11T15:00")


async def test_several_of_the_same_words_are_asked_about_once_and_corrected_together(database):
    steps = [asks(create("看牙", "task", when="next Friday"), create("買花", "task", when="next Friday")), says("好")]
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        await talk.says("下週五看牙、買花")
        assert labels(talk)[:2] == ["12/11（五）", "12/4（五）"]
        await talk.taps_on("12/4（五）")

    assert {each.when for each in await talk.records()} == {date(2026, 12, 4)}


async def test_different_doubts_of_one_turn_have_their_own_buttons(database):
    steps = [asks(create("看牙", "task", when="next Friday"), create("買花", "task", when="next Thursday")), says("好")]
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        await talk.says("下週五看牙、下週四買花")
        assert labels(talk)[:4] == ["12/11（五） 看牙", "12/4（五） 看牙", "12/10（四） 買花", "12/3（四） 買花"]
        await talk.taps_on("12/3（四） 買花")

    assert [each.when for each in await talk.records()] == [date(2026, 12, 11), date(2026, 12, 3)]


async def test_a_moved_record_is_asked_about_too(database):
    with ScriptedModel(asks(call("update_record", ref=1, when="next Friday")), says("好")) as model:
        talk = Talk(database, model)
        await remember(talk, "看牙", when=date(2026, 12, 1))
        answer = await talk.says("看牙改到下週五")
        assert "嗎？" in answer[0]
        await talk.taps_on("12/4（五）")

    assert (await talk.records())[0].when == date(2026, 12, 4)


async def test_a_reminder_alone_is_asked_about_too(database):
    with ScriptedModel(asks(create("交報告", "task", remind_at="next Friday 9am")), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五九點提醒我交報告")
        await talk.taps_on("12/4（五）")

    assert (await talk.records())[0].remind_at == at("2026-12-04T09:00")


async def test_what_can_only_be_past_is_not_asked_about(database):
    with ScriptedModel(asks(create("開會", "event", when="早上9點")), says("好")) as model:
        talk = Talk(database, model)
        answer = await talk.says("早上9點開會")

    assert "嗎？" not in answer[0]


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("zh-TW", "「next Friday」是 12/11（五） 嗎？"),
        ("ja", "「next Friday」は12/11（金）でいいですか？"),
        ("th", "“next Friday” คือ ศ. 11 ธ.ค. ใช่ไหม"),
        ("en", "Does “next Friday” mean Fri Dec 11?"),
    ],
)
async def test_it_is_asked_in_the_persons_language(database, language: Language, asked):
    with ScriptedModel(asks(create("dentist", "task", when="next Friday")), says("")) as model:
        talk = Talk(database, model, fixed=Fixed(language=language, zone=TAIPEI))
        answer = await talk.says("dentist next Friday")

    assert asked in answer[0]
    assert len([button for button in labels(talk) if "11" in button or "4" in button]) == 2


async def test_without_a_model_it_is_asked_as_well_and_a_word_answers(database):
    talk = Talk(database, OfflineEngine())
    answer = await talk.says("dentist next Friday")
    assert "Does “next Friday” mean" in answer[0]
    assert await talk.says("no")

    assert (await talk.records())[0].when == date(2026, 12, 4)


@pytest.mark.parametrize("written", ["12/4", "12/4（五）", "12/4(五)"])
async def test_the_day_on_a_button_may_be_written_instead(database, written):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        await talk.says(written)
    (record,) = await talk.records()
    assert record.when == at("2026-12-04T15:00")


async def test_after_a_crash_the_tap_tells_again_what_it_did(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        data = talk.button("12/4（五）").data
        turn = await talk.takes(await talk.hears(kind="postback", data=data))
        first = await talk.taps_alone.tap(turn, CALLER)
        again = await talk.taps_alone.tap(turn, CALLER)

    assert [each.text for each in first] == [each.text for each in again]
    assert len(await talk.memory().changes(turn.id)) == 1


async def test_undo_takes_the_correction_back(database):
    with ScriptedModel(asks(NEXT_FRIDAY), says("好")) as model:
        talk = Talk(database, model)
        await talk.says("下週五三點看牙")
        await talk.taps_on("12/4（五）")
        await talk.taps_on(ZH.undo)

    assert (await talk.records())[0].when == at("2026-12-11T15:00")

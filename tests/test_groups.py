"""The secretary in groups: when it listens, whose records it works on, and who owes whom."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from bot.gate import Gate, addressed
from bot.lanes import leave_groups
from bot.mirrored import MirroredPeople
from bot.model_ports import ModelUnavailable
from bot.ports import Bubble, ChatId, LaneId, TurnId, Unsure
from bot.postponed import as_message
from bot.sql.people import SqlPeople
from bot.voice.household_words import household_words
from bot.voice.invitation_words import invitation_words
from bot.voice.second_thoughts import second_thought_words
from tests.fakes import ANNA, BEN, Calendar, ScriptedChannel, ScriptedCompany, ScriptedModel, asks, said, says
from tests.talk import FAMILY, ZH, Talk, call, create
from tools.household import Household, Member
from tools.record import CallKey, Draft, PersonId, StoreUnavailable

WORDS = household_words("zh-TW")
MEI = ChatId("U" + "c" * 32)
NAMES = ScriptedCompany(people={ANNA: "安娜", BEN: "小本", MEI: "小美"}, groups={FAMILY: "我們家"})


def company() -> ScriptedCompany:
    return ScriptedCompany(people=dict(NAMES.people), groups=dict(NAMES.groups))


async def a_family(database, model=None, **parts) -> Talk:
    """A group that has its list, and in which three people are known."""
    talk = Talk(database, model, company=company(), **parts)
    await talk.says("說明")
    await talk.enables()
    for who in (BEN, MEI):
        await talk.says_in_the_group("成員", by=who)
    return talk


async def spend(talk: Talk, number: int, amount: str, author: str, **fields) -> None:
    draft = Draft(content="菜", type="expense", amount=Decimal(amount), author=PersonId(author), **fields)
    await talk.memory(FAMILY).record(draft, CallKey("before", number), lambda _: {})


# ── when it is spoken to ──────────────────────────────────────────────────────────────────────────────────────────


def heard(text: str = "", **fields):
    return said(1, text, chat=FAMILY, chat_kind="group", **fields)


@pytest.mark.parametrize(
    ("message", "quotes_us", "words"),
    [
        (heard("秘書 買豆漿", kind="edited"), False, "買豆漿"),
        (heard("買牛奶", mentions_me=True), False, "買牛奶"),
        (heard("改成四點", quoted_message_id="5"), True, "改成四點"),
        (heard("秘書 買牛奶"), False, "買牛奶"),
        (heard("@秘書，買牛奶"), False, "買牛奶"),
        (heard("＠ＨＥＲＭＥＳ　buy milk"), False, "buy milk"),
        (heard("hermes: settle up"), False, "settle up"),
        (heard("秘書"), False, ""),
        (heard(kind="postback", data="done:1"), False, ""),
        (heard("買牛奶"), False, None),
        (heard("改成四點", quoted_message_id="5"), False, None),
        (heard("秘書長今天生日"), False, None),
        (heard("hermesian poetry"), False, None),
        (heard("我們的秘書 很好"), False, None),
        (heard("@All 晚餐"), False, None),
        (heard(kind="image"), False, None),
        (heard(kind="postback"), False, None),
    ],
)
def test_it_is_spoken_to_when_it_is_mentioned_quoted_called_or_tapped(message, quotes_us, words):
    assert addressed(message, ["秘書", "Hermes"], quotes_us=quotes_us) == words


async def test_of_what_is_not_said_to_it_only_the_id_is_kept(database):
    talk = await a_family(database)
    await talk.hears_in_the_group("小本的秘密", by=BEN, mentions_me=False, message_id="77", quoted_message_id="78")

    assert await talk.inbox.take(LaneId(FAMILY)) is None
    rows = await database.read(lambda c: c.exec_driver_sql("SELECT * FROM inbox WHERE state = 'ignored'").all())
    kept = str(rows)
    assert len(rows) == 1
    assert all(word not in kept for word in ("秘密", BEN, "77", "78", "quote", "token"))


async def test_words_that_were_for_it_and_are_written_anew_are_heard_without_another_call(database):
    with ScriptedModel(asks(create("牛奶", "task")), says("好"), asks(create("豆漿", "task")), says("好")) as model:
        talk = await a_family(database, model)
        await talk.says_in_the_group("買牛奶", by=BEN, message_id="77")
        await talk.says_in_the_group("買豆漿", by=BEN, message_id="77", kind="edited", mentions_me=False)
        assert [each.content for each in await talk.records(FAMILY)] == ["豆漿"]


async def test_words_that_were_not_for_it_are_not_heard_either_when_they_are_written_anew(database):
    talk = await a_family(database)
    await talk.hears_in_the_group("買牛奶", by=BEN, mentions_me=False, message_id="77")
    await talk.hears_in_the_group("買豆漿", by=BEN, mentions_me=False, message_id="77", kind="edited")
    assert await talk.inbox.take(LaneId(FAMILY)) is None


async def test_that_somebody_took_a_message_back_is_not_said_to_another_as_if_they_had(database):
    with ScriptedModel(asks(create("牛奶", "task")), says("好")) as model:
        talk = await a_family(database, model)
        await talk.says_in_the_group("買牛奶", by=BEN, message_id="77")
    await talk.hears_in_the_group(by=BEN, kind="unsend", message_id="77", reply_token=None, answerable=False)
    assert second_thought_words("zh-TW").undo_of_somebody("#1") in await talk.says_in_the_group("清單", by=MEI)


async def test_an_answer_quotes_what_it_answers_and_shows_no_animation(database):
    with ScriptedModel(says("晴天。")) as model:
        talk = await a_family(database, model)
        before = list(talk.channel.working)
        await talk.says_in_the_group("今天天氣？", by=BEN)

    assert talk.last == [Bubble("晴天。", quote="quote")]
    assert [chat for chat in talk.channel.working[len(before) :] if chat.startswith("U")] == []


async def test_quoting_the_bot_is_speaking_to_it(database):
    async def quoted(chat: ChatId, message: str) -> bool:
        return (chat, message) == (FAMILY, "9")

    with ScriptedModel(says("好。")) as model:
        talk = await a_family(database, model)
        talk.gate._quoted = quoted
        assert await talk.says_in_the_group("改成四點", mentions_me=False, quoted_message_id="9") == ["好。"]
        await talk.hears_in_the_group("改成四點", mentions_me=False, quoted_message_id="10")
        assert await talk.inbox.take(LaneId(FAMILY)) is None


# ── coming, enabling, leaving ─────────────────────────────────────────────────────────────────────────────────────


async def joins(talk: Talk) -> list[str]:
    return await talk.says_in_the_group(kind="join", by=None, mentions_me=False, quote_token=None)


async def test_on_joining_it_says_how_to_enable_it_and_the_owner_may_tap(database):
    talk = Talk(database, company=company())

    assert await joins(talk) == [WORDS.joined]
    assert await talk.taps_in_the_group("啟用", by=BEN) == [WORDS.only_owner_enables]
    assert await talk.taps_in_the_group("啟用") == [WORDS.enabled]
    group = await talk.circles.find(FAMILY)
    assert group is not None
    assert (group.state, group.household.name) == ("enabled", "我們家")
    assert [each.name for each in group.household.members] == ["安娜"]


async def test_without_the_owners_word_it_tells_once_a_day_and_keeps_nothing(database):
    talk = Talk(database, company=company())
    await joins(talk)

    assert await talk.says_in_the_group("買牛奶", by=BEN) == [WORDS.only_owner_enables]
    assert await talk.says_in_the_group("買牛奶", by=MEI) == []
    talk.clock.move(hours=21)
    assert await talk.says_in_the_group("啟用", by=BEN) == [WORDS.only_owner_enables]
    kept = await database.read(lambda c: str(c.exec_driver_sql("SELECT message FROM inbox").all()))
    assert "牛奶" not in kept
    assert BEN not in kept


async def test_the_owner_is_told_each_time_that_it_is_not_enabled(database):
    talk = Talk(database)
    for _ in range(2):
        assert await talk.says_in_the_group("買牛奶") == [WORDS.only_owner_enables]


async def test_a_group_that_nobody_can_enable_is_left_without_a_word(database):
    door = SqlPeople(database, Calendar())
    talk = Talk(database, company=company())
    talk.gated_by(Gate(everyone=False, welcome=[], door=door, groups=talk.circles))

    assert await joins(talk) == []
    assert talk.company.left == [FAMILY]


async def test_a_group_where_nobody_says_so_within_a_day_is_left(database):
    talk = Talk(database, company=company())
    await joins(talk)
    assert await talk.circles.to_leave(talk.clock.now - timedelta(days=1)) == []

    talk.clock.move(days=1, seconds=1)
    assert await talk.circles.to_leave(talk.clock.now - timedelta(days=1)) == [FAMILY]


async def test_the_owner_sends_it_away_and_the_list_is_there_when_it_comes_back(database):
    talk = await a_family(database)
    await spend(talk, 1, "100", ANNA, currency="TWD")
    assert await talk.says_in_the_group("離開", by=BEN) == [invitation_words("zh-TW").only_owner]
    assert talk.company.left == []

    assert await talk.says_in_the_group("離開") == [WORDS.goodbye]
    assert talk.company.left == [FAMILY]
    assert await joins(talk) == [WORDS.joined]
    await talk.enables()
    assert [each.content for each in await talk.records(FAMILY)] == ["菜"]


async def test_a_group_that_could_not_be_left_is_left_later(database):
    talk = await a_family(database)
    talk.company.trouble.append(Unsure("no answer"))
    await talk.says_in_the_group("離開")

    assert talk.company.left == []
    assert await talk.circles.to_leave(talk.clock.now - timedelta(days=1)) == [FAMILY]


async def test_forgotten_groups_are_looked_for_again_and_again_whatever_happens(database, caplog):
    talk = await a_family(database)
    await talk.circles.leaves(FAMILY)
    talk.company.trouble += [Unsure("no answer"), ZeroDivisionError(), StoreUnavailable("full")]
    looking = asyncio.create_task(leave_groups(talk.groups.leave_forgotten, talk.clock, look_seconds=0))
    for _ in range(500):
        await asyncio.sleep(0 if talk.company.left else 0.01)
    looking.cancel()

    assert talk.company.left == [FAMILY]
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "WARNING"]


async def test_a_group_that_has_its_list_is_not_asked_again_how_to_enable_it(database):
    talk = await a_family(database)

    assert await joins(talk) == [WORDS.already_enabled]
    assert await talk.says_in_the_group("啟用", by=BEN) == [WORDS.already_enabled]


@pytest.mark.parametrize("moment", ["x", "99999999999999999"])
async def test_a_button_that_was_never_made_settles_nothing(database, moment):
    talk = await a_family(database)
    tapped = {"kind": "postback", "data": f"settled:{moment}", "mentions_me": False}
    assert await talk.says_in_the_group(by=BEN, **tapped) == [ZH.button_too_old]


async def test_words_that_waited_for_the_model_in_a_group_come_back_to_their_author_alone(database):
    down = ModelUnavailable("no route")
    with ScriptedModel(down, says("早。")) as model:
        talk = await a_family(database, model)
        assert await talk.says_in_the_group("想一首詩", by=BEN) == [ZH.model_down]
        assert await talk.postponed.of_chat(FAMILY, PersonId(MEI), TurnId("x")) == []
        (kept,) = await talk.postponed.of_chat(FAMILY, PersonId(BEN), TurnId("x"))
        message = as_message(kept, talk.clock.now)
        assert (message.chat_kind, message.person, message.chat) == ("group", BEN, FAMILY)
        await talk.says_in_the_group("今天好冷", by=MEI)

    assert "詩" not in str(model.requests[1].messages[1:])


async def test_who_puts_it_out_of_a_group_is_not_spoken_to_any_more(database):
    talk = await a_family(database)
    await talk.hears_in_the_group(kind="leave", by=None, answerable=False, mentions_me=False)

    group = await talk.circles.find(FAMILY)
    assert group is not None
    assert group.state == "left"
    assert await talk.inbox.take(LaneId(FAMILY)) is None


async def test_an_enabling_that_was_interrupted_before_it_was_told_is_told(database):
    talk = Talk(database, company=company())
    turn = await talk.takes(await talk.hears_in_the_group("啟用"))
    await talk.circles.enable(FAMILY, PersonId(ANNA), turn.id, "")

    await talk.use_case.run(replace(turn, resumed=True))

    assert [each.text for each in talk.last] == [WORDS.enabled]
    assert await talk.says_in_the_group("啟用") == [WORDS.already_enabled]


async def test_who_comes_later_is_told_once_what_is_kept(database):
    with ScriptedModel(says("早。"), says("早。")) as model:
        talk = await a_family(database, model)
        late = ChatId("U" + "d" * 32)
        await talk.hears_in_the_group(kind="members_came", data=late, by=None, answerable=False, mentions_me=False)

        assert await talk.says_in_the_group("今天好冷", by=late) == ["早。", WORDS.what_is_kept]
        assert await talk.says_in_the_group("今天好冷", by=late) == ["早。"]


async def test_who_is_not_named_by_line_is_told_kindly_and_nothing_is_noted(database):
    talk = await a_family(database)

    assert await talk.says_in_the_group("買牛奶", by=None) == [WORDS.unnamed]
    assert await talk.records(FAMILY) == []


async def test_a_button_that_is_tapped_by_who_is_not_named_by_line_changes_nothing(database):
    talk = await a_family(database)
    await spend(talk, 1, "100", BEN)
    await talk.memory(FAMILY).record(Draft(content="買牛奶", type="task"), CallKey("before", 2), lambda _: {})
    before = await talk.records(FAMILY)
    shown = (await talk.inbox.answer_of(TurnId("01E001"), ANNA), await talk.circles.find(FAMILY))
    for data in ("done:2", "undo:before", "say:完成 2", "say:買蛋", "about:2:刪掉", "settled:1", "confirm:before"):
        told = await talk.says_in_the_group(kind="postback", data=data, by=None, mentions_me=False)
        assert told == [WORDS.unnamed], data
    assert await talk.records(FAMILY) == before
    assert (await talk.inbox.answer_of(TurnId("01E001"), ANNA), await talk.circles.find(FAMILY)) == shown


async def test_an_answer_that_took_long_may_be_shown_to_who_is_not_named_by_line(database):
    talk = await a_family(database)
    (asked,) = await talk.says_in_the_group("說明", by=BEN)
    turn = f"01E{talk._heard:03}"
    assert await talk.says_in_the_group(kind="postback", data=f"show:{turn}", by=None, mentions_me=False) == [asked]


# ── whose records ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_noted_in_a_group_is_the_groups_with_who_wrote_and_who_paid(database):
    lunch = create("午餐", "expense", amount=360, paid_by="@小美")
    with ScriptedModel(asks(lunch, create("買牛奶", "task")), says("好")) as model:
        talk = await a_family(database, model)
        (text,) = await talk.says_in_the_group("午餐 360 小美付的，買牛奶", by=BEN)

    assert "小美付" in text
    records = await talk.records(FAMILY)
    assert [(each.content, each.author, each.payer) for each in records] == [("午餐", BEN, MEI), ("買牛奶", BEN, None)]
    assert await talk.records(BEN) == await talk.records(ANNA) == []


@pytest.mark.parametrize("name", ["小", "阿公", ""])
async def test_who_paid_must_be_certain(database, name):
    with ScriptedModel(asks(create("午餐", "expense", amount=360, paid_by=name or "？")), says("誰付的？")) as model:
        talk = await a_family(database, model)
        await talk.says_in_the_group("午餐 360", by=BEN)

    assert '"not_found"' in model.requests[1].messages[-1]["content"]
    assert await talk.records(FAMILY) == []


async def test_who_paid_is_corrected_and_the_receipt_says_so(database):
    with ScriptedModel(asks(call("update_record", ref=1, paid_by="安娜")), says("好")) as model:
        talk = await a_family(database, model)
        await spend(talk, 1, "360", BEN, currency="TWD")
        (text,) = await talk.says_in_the_group("#1 是安娜付的", by=BEN)

    assert "安娜付" in text
    assert (await talk.records(FAMILY))[0].payer == ANNA


async def test_in_a_group_nobody_is_reminded(database):
    remind = create("買牛奶", "task", remind_at="明天早上九點")
    with ScriptedModel(asks(remind), asks(create("買牛奶", "task")), says("想被提醒就私下跟我說。")) as model:
        talk = await a_family(database, model)
        await talk.says_in_the_group("明天九點提醒我買牛奶", by=BEN)

    assert "own chat" in model.requests[1].messages[-1]["content"]
    assert [each.remind_at for each in await talk.records(FAMILY)] == [None]


async def test_a_day_of_model_calls_is_each_members_own(database):
    from tests.fakes import MemoryAllowance

    allowance = MemoryAllowance()
    with ScriptedModel(says("早。"), says("早。")) as model:
        talk = await a_family(database, model, allowance=allowance)
        for who in (BEN, MEI):
            await talk.says_in_the_group("今天好冷", by=who)

    assert [person for person, _, _ in allowance.reserved] == [BEN, MEI]


async def test_totals_by_person_have_names_and_who_owes_whom(database):
    asked = call("query_records", type="expense", total="amount", group_by="person")
    with ScriptedModel(asks(asked), says("安娜 300，小本 60。")) as model:
        talk = await a_family(database, model)
        await spend(talk, 1, "300", ANNA, currency="TWD")
        await spend(talk, 2, "60", MEI, currency="TWD", payer=PersonId(BEN))
        await talk.says_in_the_group("誰花了多少？", by=MEI)

    told = json.loads(model.requests[1].messages[-1]["content"])
    assert {each["group"]: each["value"] for each in told["totals"]} == {"安娜": 300, "小本": 60}
    assert told["settle_up"] == [
        {"from": "小美", "to": "安娜", "value": 120, "currency": "TWD"},
        {"from": "小本", "to": "安娜", "value": 60, "currency": "TWD"},
    ]
    assert ANNA not in str(model.requests)


async def test_settling_up_needs_no_model_and_begins_anew_when_all_is_paid(database):
    talk = await a_family(database)
    assert await talk.says_in_the_group("結算", by=BEN) == [WORDS.nothing_to_settle]
    await spend(talk, 1, "300", ANNA, currency="TWD")
    await spend(talk, 2, "100", BEN, currency="TWD")
    await spend(talk, 3, "12.50", MEI, currency="USD")

    (text,) = await talk.says_in_the_group("結算", by=BEN)

    assert text.split("\n")[:3] == [
        "共花 400 元，由 安娜、小本、小美 平分。",
        "安娜 134 元、小本 133 元、小美 133 元",
        "小美 → 安娜 133 元",
    ]
    assert "小本 → 安娜 33 元" in text
    assert text.count("→") == 4
    assert await talk.taps_in_the_group(WORDS.all_paid, by=MEI) == [WORDS.settled]
    assert await talk.taps_in_the_group(WORDS.all_paid, by=MEI) == [ZH.already_handled]
    assert await talk.says_in_the_group("精算", by=BEN) == [household_words("zh-TW").nothing_to_settle]
    talk.clock.move(minutes=1)
    await spend(talk, 4, "90", BEN, currency="TWD")
    assert "每人 30 元" in (await talk.says_in_the_group("結算", by=None if False else MEI))[0]


async def test_an_address_that_another_member_noted_is_not_live_in_what_a_model_says(database):
    with ScriptedModel(
        asks(call("query_records")), says("看 https://evil.example/x 和 https://own.example/y")
    ) as model:
        talk = await a_family(database, model)
        draft = Draft(content="https://evil.example/x", type="note", author=PersonId(MEI))
        await talk.memory(FAMILY).record(draft, CallKey("before", 1), lambda _: {})
        (text,) = await talk.says_in_the_group("清單有什麼？我的是 https://own.example/y", by=BEN)

    assert "https://own.example/y" in text
    assert "https://evil.example" not in text


# ── the list in one's own chat ────────────────────────────────────────────────────────────────────────────────────


async def test_in_ones_own_chat_the_shared_list_can_be_asked_for(database):
    with ScriptedModel(asks(call("query_shared_list", type="task", status="open")), says("還缺牛奶。")) as model:
        talk = await a_family(database, model)
        draft = Draft(content="牛奶", type="task", author=PersonId(MEI))
        await talk.memory(FAMILY).record(draft, CallKey("before", 1), lambda _: {})
        assert await talk.says("家裡還缺什麼？", by=BEN) == ["還缺牛奶。"]

    result = model.requests[1].messages[-1]["content"]
    assert result.startswith('{"untrusted":true')
    assert '"by":"小美"' in result
    assert '"group":"我們家"' in result
    assert await talk.says("共用清單", by=BEN) == ["我們家還有：\n・牛奶"]


async def test_of_several_lists_one_is_asked_for_by_name(database):
    flat = ChatId("C" + "2" * 32)
    asked = [
        call("query_shared_list"),
        call("query_shared_list", group="室友"),
        call("query_shared_list", group="公司"),
    ]
    with ScriptedModel(asks(*asked), says("都沒有。")) as model:
        talk = await a_family(database, model)
        await talk.circles.enable(flat, PersonId(BEN), TurnId("flat"), "室友")
        await talk.says("室友那邊缺什麼？", by=BEN)

    unclear, found, absent = (each["content"] for each in model.requests[1].messages[-3:])
    assert '"group":"室友"' in found
    assert all('"not_found"' in each for each in (unclear, absent))


async def test_whose_records_are_mirrored_the_owner_says_first_and_everyone_for_themselves(database):
    talk = await a_family(database)
    mirrored = MirroredPeople(talk.gate, talk.people, talk.members, talk.circles)
    await talk.says("說明", by=BEN)
    await talk.members.mirror(PersonId(BEN), wanted=True)
    await talk.members.mirror(PersonId(MEI), wanted=True)
    await talk.members.mirror(PersonId(MEI), wanted=False)

    found = await mirrored.all()

    assert [(each.id, each.where, each.withdrawn) for each in found] == [
        (ANNA, "", False), (BEN, "", False), (FAMILY, "我們家", False), (MEI, "", True),
    ]  # fmt: skip
    assert set(found[2].names.values()) == {"安娜", "小本", "小美"}
    nobody = MirroredPeople(Gate(everyone=False, welcome=[]), talk.people, talk.members, talk.circles)
    assert await nobody.all() == []


async def test_who_is_in_no_group_sees_no_tool_and_no_list(database):
    with ScriptedModel(says("不知道。")) as model:
        talk = await a_family(database, model)
        stranger = ChatId("U" + "e" * 32)
        assert await talk.says("共用清單", by=stranger) == [WORDS.no_shared_list]
        await talk.says("家裡還缺什麼？", by=stranger)

    assert "query_shared_list" not in model.requests[0].tools


async def test_who_leaves_the_group_leaves_its_list(database):
    talk = await a_family(database)
    await talk.hears_in_the_group(kind="members_left", data=BEN, by=None, answerable=False, mentions_me=False)

    assert await talk.says("共用清單", by=BEN) == [WORDS.no_shared_list]
    group = await talk.circles.find(FAMILY)
    assert group is not None
    assert group.household.names[PersonId(BEN)] == "小本", "what they wrote keeps their name"


def test_names_are_told_apart_and_people_are_found_by_them():
    people = [("U1", "小美"), ("U2", "小美"), ("U3", "Ben Ten")]
    known = Household(PersonId(FAMILY), "", tuple(Member(PersonId(id_), name) for id_, name in people))

    assert list(known.names.values()) == ["小美", "小美 (2)", "Ben Ten"]
    assert [known.called(name) for name in ("@ben", "ＴＥＮ", "小美", "小美 (2)", "小", "", "x")] == [
        "U3", "U3", "U1", "U2", None, None, None,
    ]  # fmt: skip


async def test_in_a_group_it_speaks_the_language_of_who_speaks(database):
    talk = await a_family(database, channel=ScriptedChannel())

    assert (await talk.says_in_the_group("settle up", by=BEN)) == [household_words("en").nothing_to_settle]
    assert (await talk.says_in_the_group("精算して", by=None)) == [household_words("ja").unnamed]

"""Nobody's own records can be read or changed from a group, nor by another member, nor a group's by who is not in it:
with every tool there is, every command, and every button."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.groups import Groups
from bot.inbox_ports import Sent
from bot.ports import ChatId, Tap, TurnId
from bot.voice.commands import _WORDS as COMMANDS
from bot.voice.farewell_words import farewell_words
from bot.voice.household_commands import _WORDS as HOUSEHOLD_COMMANDS
from bot.voice.second_thoughts import second_thought_words
from tests.fakes import ANNA, BEN, ScriptedCompany, ScriptedModel, asks, says
from tests.talk import FAMILY, ZH, Talk, call
from tools.database import metadata
from tools.definition import Caller
from tools.household import Household
from tools.record import CallKey, Draft, PersonId, RecordType
from tools.toolbox import toolbox

MEI = ChatId("U" + "c" * 32)
FLAT = ChatId("C" + "2" * 32)
OWNERS = {ANNA: "安娜的秘密", BEN: "小本的秘密", FAMILY: "家裡的秘密", FLAT: "室友的秘密"}
"""Whose records there are, and what only they may read."""

MAY_READ = {ANNA: {ANNA, FAMILY}, BEN: {BEN, FAMILY}, MEI: {FLAT}, FAMILY: {FAMILY}, FLAT: {FLAT}}
"""In which chat what may come up: in one's own, also the lists of one's groups."""


async def a_town(database, model=None) -> Talk:
    """Anna and Ben share the family's list, Mei the flat's; everyone but Mei has a record that is theirs."""
    talk = Talk(database, model, company=ScriptedCompany(people={ANNA: "安娜", BEN: "小本", MEI: "小美"}))
    await talk.says("說明")
    for chat, people in ((FAMILY, (ANNA, BEN)), (FLAT, (MEI,))):
        await talk.circles.enable(chat, PersonId(ANNA), f"enable {chat}", "家" if chat == FAMILY else "室友")
        await talk.circles.goes(chat, [PersonId(ANNA)])
        for person in people:
            await talk.circles.comes(chat, [PersonId(person)])
    for number, (owner, secret) in enumerate(OWNERS.items()):
        draft = Draft(content=secret, type="task", author=PersonId(BEN) if owner == FAMILY else None)
        for each in range(2):
            await talk.memory(owner).record(draft, CallKey(f"turn {owner}", number * 10 + each), lambda _: {})
        await talk.memory(owner).remove([2], CallKey(f"ask {owner}", 1), lambda _: {}, proposed=True)
    return talk


def seen(talk: Talk, model: ScriptedModel) -> str:
    """Everything that was said to anybody, or to the model."""
    said = [each.text for _, bubbles in talk.channel.sent for each in bubbles]
    return " ".join([*said, *(json.dumps(each.messages, ensure_ascii=False) for each in model.requests)])


async def everything(talk: Talk) -> dict[str, list[tuple[str, str, int]]]:
    return {owner: [(each.content, each.status, each.rev) for each in await talk.records(owner)] for owner in OWNERS}


def told_only(talk: Talk, model: ScriptedModel, chat: ChatId) -> None:
    text = seen(talk, model)
    for owner, secret in OWNERS.items():
        assert owner in MAY_READ[chat] or secret not in text, f"{secret} came up in {chat}"


def calls() -> list[tuple[str, dict[str, object]]]:
    """Every tool with what could lead it to somebody else's records."""
    refs = [1, 2, 3]
    people = [*OWNERS, "安娜", "小本", "家", "室友"]
    found: list[tuple[str, dict[str, object]]] = []
    for word in (None, "秘密", "安娜", ANNA):
        for total, group in itertools.product((None, "count"), (None, "person", "tag", "category")):
            asked = {"keyword": word, "total": total, "group_by": group}
            found.append(("query_records", {name: value for name, value in asked.items() if value}))
            found.append(("query_shared_list", {name: value for name, value in asked.items() if value}))
    found += [("query_shared_list", {"group": name}) for name in people]
    found += [("query_records", {"type": kind, "limit": 20}) for kind in get_args(RecordType)]
    found += [("update_record", {"ref": ref, "status": "done"}) for ref in refs]
    found += [
        ("update_record", {"ref": 1, field: who}) for field in ("owner", "person", "group", "paid_by") for who in people
    ]
    found += [("delete_record", {"refs": refs}), ("delete_record", {"ref": 1, "owner": ANNA})]
    found += [("create_record", {"content": "x", "type": "task", "owner": who}) for who in people]
    return found


def in_chat(chat: ChatId, by: ChatId) -> dict[str, object]:
    if chat.startswith("U"):
        return {"by": chat}
    return {"chat": chat, "chat_kind": "group", "person": PersonId(by), "mentions_me": True}


PLACES = [(ANNA, ANNA), (BEN, BEN), (MEI, MEI), (FAMILY, BEN), (FAMILY, MEI), (FLAT, MEI), (FLAT, BEN)]
"""Where and by whom; also by somebody who is not known in that group."""


@pytest.mark.parametrize(("chat", "by"), PLACES)
async def test_no_tool_leads_out_of_the_list_it_is_bound_to(database, chat, by):
    chosen = calls()
    portions = [chosen[at : at + 16] for at in range(0, len(chosen), 16)]
    steps = [step for each in portions for step in (asks(*each), says("好"))]
    with ScriptedModel(*steps) as model:
        talk = await a_town(database, model)
        before = await everything(talk)
        for _ in portions:
            await talk.says("看看", **in_chat(chat, by))
        told_only(talk, model, chat)

    after = await everything(talk)
    own = PersonId(chat)
    assert {owner: after[owner] for owner in OWNERS if owner != own} == {
        owner: before[owner] for owner in OWNERS if owner != own
    }
    assert OWNERS[FLAT if chat == MEI else chat] in seen(talk, model), "what one may see is found"


@pytest.mark.parametrize(("chat", "by"), PLACES)
async def test_no_command_and_no_button_leads_out_of_the_list_it_is_bound_to(database, chat, by):
    words = [each for said in (*COMMANDS.values(), *HOUSEHOLD_COMMANDS.values()) for each in said]
    words = [each for each in words if each not in {*HOUSEHOLD_COMMANDS["leave"]}]
    turns = [f"{kind} {owner}" for kind in ("turn", "ask", "enable") for owner in OWNERS]
    abouts = [*turns, *OWNERS, "1", "2", "", "list"]
    data = [tap.on(about) for tap in Tap for about in abouts if tap is not Tap.SAY]
    answering = [says("好") for _ in words]
    model = ScriptedModel(*answering)
    talk = await a_town(database, model)
    before = await everything(talk)
    for each in words:
        await talk.says(each, **in_chat(chat, by))
    for each in data:
        await talk.says(kind="postback", data=each, **in_chat(chat, by))

    told_only(talk, model, chat)
    after = await everything(talk)
    own = PersonId(chat)
    assert {owner: after[owner] for owner in OWNERS if owner != own} == {
        owner: before[owner] for owner in OWNERS if owner != own
    }


# ── guests ────────────────────────────────────────────────────────────────────────────────────────────────────────

DATA = [
    *(
        tap.on(about)
        for tap in Tap
        if tap not in {Tap.SAY, Tap.ABOUT}
        for about in ("turn", "ask", "rung", *(f"{kind} {owner}" for kind in ("turn", "ask") for owner in OWNERS))
    ),
    *(tap.on(about) for tap in Tap for about in ("1", "2", "1:復原", "完成 1", "復原", "undo", "好", "", "list", "0")),
]
"""Every button, on everything that may be there."""


async def with_a_guest(database, model=None) -> Talk:
    """The town, where Ben is a guest now, and known in both places."""
    talk = await a_town(database, model)
    await talk.members.invite(TurnId("invite"), "guest", "ABCD-EFGH-JKMN", talk.clock.now + timedelta(days=1))
    assert await talk.members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本") == "guest"
    for chat in (BEN, FAMILY):
        await talk.says("說明", **in_chat(chat, BEN))
    return talk


async def rows(talk: Talk) -> dict[str, list[str]]:
    """All that people have put into the store: what a guest must not change."""
    tables = ("record", "change", "household", "household_member", "member", "invitation", "consent", "person")

    def work(connection) -> dict[str, list[str]]:
        each = {name: connection.execute(metadata.tables[name].select()).all() for name in tables}
        return {name: sorted(map(str, found)) for name, found in each.items()}

    return await talk.database.read(work)


@pytest.mark.parametrize("chat", [BEN, FAMILY])
async def test_no_button_of_a_guest_changes_anything(database, chat):
    talk = await with_a_guest(database, ScriptedModel(*[says("好") for _ in DATA]))
    before = await rows(talk)
    for each in DATA:
        await talk.says(kind="postback", data=each, **in_chat(chat, BEN), params={"datetime": "2027-01-02T10:00"})
        assert await rows(talk) == before, each


@pytest.mark.parametrize("chat", [BEN, FAMILY])
@pytest.mark.parametrize(
    "data", ["undo:{turn}", "confirm:{ask}", "done:1", "snooze:1", "when:1", "say:復原", "say:完成 1", "settled:0"]
)
async def test_a_guest_who_taps_what_would_change_something_is_told_that_they_only_look(database, chat, data):
    talk = await with_a_guest(database)
    tapped = data.format(turn=f"turn {chat}", ask=f"ask {chat}")
    told = await talk.says(kind="postback", data=tapped, **in_chat(chat, BEN))

    alone = chat == BEN and data == "settled:0"  # there is nothing to settle with oneself
    assert told == [ZH.button_too_old if alone else ZH.only_looks]
    other = await talk.says(kind="postback", data=tapped, **in_chat(FAMILY if chat == FAMILY else ANNA, ANNA))
    assert ZH.only_looks not in other


@pytest.mark.parametrize("chat", [BEN, FAMILY])
async def test_a_guest_who_quotes_what_was_done_takes_nothing_back(database, chat):
    talk = await with_a_guest(database)
    turn = await talk.takes(await talk.hears("說明", **in_chat(chat, BEN)))
    await talk.said.keep(turn, [Sent("77", "記好了 #1", TurnId(f"turn {chat}"))])
    await talk.use_case.run(turn)
    before = await rows(talk)

    assert await talk.says("復原", **in_chat(chat, BEN), quoted_message_id="77") == [ZH.only_looks]
    assert await rows(talk) == before


async def test_a_guests_yes_confirms_nothing(database):
    delete = asks(call("delete_record", refs=[1, 2]))
    with ScriptedModel(delete, says("好")) as model:
        talk = Talk(database, model)
        for each in ("買牛奶", "倒垃圾"):
            await talk.memory(BEN).record(Draft(content=each, type="task"), CallKey(each, 1), lambda _: {})
        await talk.says("刪掉 1、2", by=BEN)
    await talk.members.invite(TurnId("invite"), "guest", "ABCD-EFGH-JKMN", talk.clock.now + timedelta(days=1))
    await talk.members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本")

    assert await talk.says("好", by=BEN) == [ZH.only_looks]
    assert len(await talk.records(BEN)) == 2


@pytest.mark.parametrize("role", ["guest", "member"])
async def test_who_was_removed_only_looks_in_a_group(database, role):
    talk = await with_a_guest(database)
    await talk.members.invite(TurnId("again"), role, "ZZZZ-ZZZZ-ZZZZ", talk.clock.now + timedelta(days=1))
    await talk.members.join(PersonId(BEN), "ZZZZ-ZZZZ-ZZZZ", "小本")
    (ben,) = await talk.members.everyone()
    await talk.members.remove(ben.key)
    before = await everything(talk)

    assert await talk.says("完成 1", **in_chat(FAMILY, BEN)) == [ZH.only_looks]
    assert await talk.says(kind="postback", data="done:1", **in_chat(FAMILY, BEN)) == [ZH.only_looks]
    assert await everything(talk) == before
    await talk.says(kind="postback", data="done:1", **in_chat(FAMILY, MEI))
    assert await everything(talk) != before, "whoever was never removed may"


async def test_a_guest_who_is_forgotten_still_only_looks_in_a_group(database):
    talk = await with_a_guest(database)
    words = farewell_words("zh-TW")
    await talk.says("忘記我", by=BEN)
    await talk.taps_on(words.forget, by=BEN)
    before = await everything(talk)

    assert await talk.says("完成 1", **in_chat(FAMILY, BEN)) == [ZH.only_looks]
    assert await talk.says(kind="postback", data="done:1", **in_chat(FAMILY, BEN)) == [ZH.only_looks]
    assert await everything(talk) == before
    await talk.members.invite(TurnId("again"), "member", "ZZZZ-ZZZZ-ZZZZ", talk.clock.now + timedelta(days=1))
    assert await talk.members.join(PersonId(BEN), "ZZZZ-ZZZZ-ZZZZ", "小本") == "member"
    await talk.says(kind="postback", data="done:1", **in_chat(FAMILY, BEN))
    assert await everything(talk) != before, "whom the owner invites anew may what they were invited to"
    await talk.says("忘記我", by=BEN)
    await talk.taps_on(words.forget, by=BEN)
    assert not await talk.gate.only_looks(PersonId(BEN)), "who goes as a member is unknown like anybody"


@pytest.mark.parametrize("chat", [BEN, FAMILY])
async def test_who_is_a_guest_by_now_takes_nothing_back_by_editing_or_unsending(database, chat):
    talk = await a_town(database, OfflineEngine())
    at = in_chat(chat, BEN)
    await talk.says("午餐 120", **at, message_id="m1")
    await talk.says("晚餐 240", **at, message_id="m2")
    await talk.members.invite(TurnId("invite"), "guest", "ABCD-EFGH-JKMN", talk.clock.now + timedelta(days=1))
    await talk.members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本")
    before = await everything(talk)

    told = await talk.says("午餐 150", **at, kind="edited", message_id="m1")
    assert told[0] == ZH.only_looks
    assert await talk.says("取消", **at, kind="edited", message_id="m2") == [ZH.only_looks]
    await talk.hears(**at, kind="unsend", message_id="m2", answerable=False, reply_token=None)
    assert await talk.says("說明", **at) == [ZH.help], "a guest is not asked what they may not do"
    assert await everything(talk) == before


async def test_what_a_guest_took_back_in_a_group_is_offered_to_the_next_who_may_undo_it(database):
    talk = await a_town(database, OfflineEngine())
    await talk.says("午餐 120", **in_chat(FAMILY, BEN), message_id="m1")
    await talk.members.invite(TurnId("invite"), "guest", "ABCD-EFGH-JKMN", talk.clock.now + timedelta(days=1))
    await talk.members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本")
    await talk.hears(**in_chat(FAMILY, BEN), kind="unsend", message_id="m1", answerable=False, reply_token=None)
    assert len(await talk.says("說明", **in_chat(FAMILY, BEN))) == 1
    _, offer = await talk.says("說明", **in_chat(FAMILY, MEI))
    assert offer.startswith(second_thought_words("zh-TW").undo_of_somebody("#").partition("#")[0])


async def test_a_turn_of_a_group_cannot_even_be_built_on_a_persons_records(database):
    talk = await a_town(database)
    lane = await talk.hears("看看", **in_chat(FAMILY, BEN))
    turn = await talk.takes(lane)

    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)

    assert (caller.person, caller.author) == (FAMILY, BEN)
    assert isinstance(caller, Caller)
    assert isinstance(caller.household, Household)
    assert isinstance(talk.groups, Groups)
    names = {each.name for each in toolbox(caller, talk.memory(FAMILY))}
    assert "query_shared_list" not in names
    for tool in toolbox(replace(caller, household=None), talk.memory(FAMILY)):
        assert "paid_by" not in tool.parameters["properties"]

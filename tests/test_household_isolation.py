"""Nobody's own records can be read or changed from a group, nor by another member, nor a group's by who is not in it:
with every tool there is, every command, and every button."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import get_args

import pytest

from bot.groups import Groups
from bot.ports import ChatId, Tap
from bot.voice.commands import _WORDS as COMMANDS
from bot.voice.household_commands import _WORDS as HOUSEHOLD_COMMANDS
from tests.fakes import ANNA, BEN, ScriptedCompany, ScriptedModel, asks, says
from tests.talk import FAMILY, Talk
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
        for call in range(2):
            await talk.memory(owner).record(draft, CallKey(f"turn {owner}", number * 10 + call), lambda _: {})
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


async def test_a_turn_of_a_group_cannot_even_be_built_on_a_persons_records(database):
    talk = await a_town(database)
    lane = await talk.hears("看看", **in_chat(FAMILY, BEN))
    turn = await talk.takes(lane)

    caller = await talk.use_case._caller(await talk.use_case._person(turn), turn)

    assert (caller.person, caller.author) == (FAMILY, BEN)
    assert caller.shared == ()
    assert isinstance(caller, Caller)
    assert isinstance(caller.household, Household)
    assert isinstance(talk.groups, Groups)
    names = {each.name for each in toolbox(caller, talk.memory(FAMILY))}
    assert "query_shared_list" not in names
    for tool in toolbox(replace(caller, household=None), talk.memory(FAMILY)):
        assert "paid_by" not in tool.parameters["properties"]

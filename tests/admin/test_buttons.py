"""What the operator's buttons do, on both stores: the same as the chat and the commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot import inbox_command
from bot.admin import charts, door, forms, frame, pages, routes, turns
from bot.admin.words import ZH
from bot.inbox_command import NotPossible, marks
from bot.ports import ChatId
from bot.sql.members import SqlMembers
from bot.sql.operator import SqlOperator
from tests.admin.hostile import filled
from tests.admin.house import House
from tests.fakes import BEN
from tools.record import PersonId

CODE = re.compile(r"[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}")


@pytest.mark.parametrize("role", ["member", "guest"])
async def test_an_invitation_from_the_page_lets_one_person_in(house: House, role: str):
    operator = await house.operator()
    await operator.sees("/admin/people")
    told = await operator.presses("/admin/people/invite", role=role)
    found = CODE.search(told.text)
    assert found, told.text

    gate = house.application.gate
    assert await gate.joins(PersonId(BEN), found[0], "小本") == role
    assert await gate.joins(PersonId(ChatId("U" + "9" * 32)), found[0], "another") is None
    again = (await operator.sees("/admin/people")).text
    assert "小本" in again
    assert found[0] not in again, "it is shown once"


async def test_who_is_removed_on_the_page_is_a_stranger(house: House):
    await filled(house, friendly=True)
    members = SqlMembers(house.application.database, house.clock)
    (ben,) = await members.everyone()
    operator = await house.operator()
    await operator.sees("/admin/people")

    assert "is removed" in (await operator.presses("/admin/people/remove", key=ben.key)).text
    assert await members.role_of(PersonId(BEN)) is None
    assert not await house.application.gate.welcomes(PersonId(BEN))
    assert "Nobody of that kind" in (await operator.presses("/admin/people/remove", key=ben.key)).text


async def test_a_turn_begins_once_more_and_is_dropped(house: House):
    turn = await filled(house, friendly=True)
    inbox = SqlOperator(house.application.database, house.clock)
    assert marks((await inbox.find(turn)).glance) == ("set aside",)
    operator = await house.operator()
    assert "Begin once more" in (await operator.sees(f"/admin/inbox/turn?id={turn}")).text

    assert "waits again" in (await operator.presses("/admin/inbox/retry", id=turn)).text
    assert (await inbox.find(turn)).glance.state == "received"
    twice = await operator.presses("/admin/inbox/retry", id=turn)
    assert twice.status_code == 409
    assert "waits already" in twice.text

    assert "is dropped" in (await operator.presses("/admin/inbox/drop", id=turn)).text
    assert (await inbox.find(turn)).glance.state == "failed"


async def test_what_names_nothing_does_nothing(house: House):
    operator = await house.operator()
    await operator.sees("/admin/inbox")
    for path, fields in (
        ("/admin/inbox/retry", {}), ("/admin/inbox/drop", {"id": "  "}), ("/admin/inbox/drop", {"id": "nobody"}),
        ("/admin/people/invite", {"role": "owner"}),
    ):  # fmt: skip
        assert (await operator.presses(path, **fields)).status_code == 409
    with pytest.raises(NotPossible):
        await SqlOperator(house.application.database, house.clock).find("nobody")


@pytest.mark.parametrize(
    "query", ["page=-1", "page=1000000000", "page=a", "page=", "all=2", "id=%00", "id=%27%22%25", "person=%25"]
)
async def test_no_query_breaks_a_page(house: House, query: str):
    operator = await house.operator()
    for path in ("/", "/people", "/inbox", "/inbox/turn", "/log", "/log/turn", "/calls", "/reminders"):
        assert (await operator.sees(f"/admin{path}?{query}")).status_code in {200, 409}, path


async def test_long_lists_come_in_pages(house: House):
    await filled(house, friendly=True)
    operator = await house.operator()
    every = await operator.sees("/admin/inbox?all=1")
    assert every.text.count("/admin/inbox/turn?id=") == 40
    assert "01E039" in every.text


def test_every_sentence_of_the_pages_is_there_in_chinese_and_none_besides():
    rooms = (charts, door, forms, frame, pages, routes, turns, inbox_command)
    text = "".join(Path(each.__file__).read_text("utf-8") for each in rooms)
    text = re.sub(r'"\s*\n\s*"', "", text)
    assert [each for each in ZH if f'"{each}"' not in text and f"'{each}'" not in text] == []
    said = set(re.findall(r'\.say\(\s*"([^"]+)"', text))
    assert len(said) > 50
    assert said - set(ZH) == set()

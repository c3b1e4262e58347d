"""Members and groups as rows, on both kinds of store."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from bot.ports import ChatId, TurnId
from bot.sql.exports import SqlExports
from bot.sql.groups import SqlGroups
from bot.sql.members import INVITATION, SqlMembers
from tests.fakes import Calendar
from tools.record import CallKey, Draft, PersonId, RecordQuery
from tools.sql.memory import SqlMemory
from tools.sql.shares import SqlShares

ANNA, BEN, MEI = (PersonId("U" + letter * 32) for letter in "abc")
FAMILY, FLAT = ChatId("C" + "1" * 32), ChatId("C" + "2" * 32)
CODE = "ABCD-EFGH-JKMN"


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture
def members(database, clock) -> SqlMembers:
    return SqlMembers(database, clock)


@pytest.fixture
def groups(database, clock) -> SqlGroups:
    return SqlGroups(database, clock)


async def invite(members, clock, code=CODE, turn="t1", role="member"):
    await members.invite(TurnId(turn), role, code, clock.now + timedelta(days=1))


async def test_of_two_who_send_one_code_at_once_one_comes_in(members, clock):
    await invite(members, clock)

    came = await asyncio.gather(members.join(ANNA, CODE, "安娜"), members.join(BEN, CODE, "小本"))

    assert sorted(map(bool, came)) == [False, True]
    assert len(await members.everyone()) == 1


async def test_a_code_says_what_it_is_to_whom(members, clock):
    await invite(members, clock)
    assert [await members.guess(CODE, each) for each in (ANNA, BEN)] == ["open", "open"]
    await members.join(ANNA, CODE, "安娜")
    assert [await members.guess(CODE, each) for each in (ANNA, BEN)] == ["open", "stale"]
    assert await members.guess("ZZZZ-ZZZZ-ZZZZ", BEN) == "wrong"
    assert await members.join(ANNA, CODE, "安娜") == "member"
    clock.move(days=1)
    assert await members.guess(CODE, ANNA) == "stale"
    assert await members.join(ANNA, CODE, "安娜") is None


async def test_an_invitation_that_was_used_keeps_its_code(members, clock):
    await invite(members, clock)
    await members.join(ANNA, CODE, "安娜")
    await invite(members, clock, code="ZZZZ-ZZZZ-ZZZZ")

    assert await members.join(BEN, "ZZZZ-ZZZZ-ZZZZ", "小本") is None
    assert await members.role_of(ANNA) == "member"


async def test_a_member_is_found_by_key_until_they_are_removed(members, clock):
    await invite(members, clock, role="guest")
    await members.join(ANNA, CODE, "安娜")
    (anna,) = await members.everyone()
    assert (anna.person, anna.role, anna.name) == (ANNA, "guest", "安娜")
    assert await members.of_key(anna.key) == anna

    await members.remove(anna.key)
    await members.remove(anna.key)

    assert (await members.of_key(anna.key), await members.everyone(), await members.role_of(ANNA)) == (None, [], None)


async def removed(members) -> None:
    (member,) = await members.everyone()
    await members.remove(member.key)


async def test_who_was_removed_comes_back_by_a_new_code_alone(members, clock):
    await invite(members, clock)
    await members.join(ANNA, CODE, "安娜")
    assert not await members.was_removed(ANNA)
    await removed(members)

    assert [await members.guess(CODE, each) for each in (ANNA, BEN)] == ["stale", "stale"]
    assert [await members.join(each, CODE, "安娜") for each in (ANNA, BEN)] == [None, None]
    assert (await members.role_of(ANNA), await members.was_removed(ANNA)) == (None, True)

    new = "ZZZZ-ZZZZ-ZZZZ"
    await invite(members, clock, code=new, turn="t2", role="guest")
    assert [await members.join(ANNA, each, "安娜") for each in (CODE, new, new)] == [None, "guest", "guest"]
    assert (await members.role_of(ANNA), await members.was_removed(ANNA)) == ("guest", False)


async def test_a_code_that_is_still_open_is_no_way_back_for_who_used_it(database, members, clock):
    await invite(members, clock)
    await members.join(ANNA, CODE, "安娜")
    await removed(members)
    tomorrow = int((clock.now + timedelta(days=1)).timestamp() * 1_000_000)
    await database.write(lambda connection: connection.execute(update(INVITATION).values(expires_at=tomorrow)))

    assert (await members.guess(CODE, ANNA), await members.join(ANNA, CODE, "安娜")) == ("stale", None)


async def test_a_removal_and_the_same_code_at_once_leave_them_outside(members, clock):
    await invite(members, clock)
    await members.join(ANNA, CODE, "安娜")
    (anna,) = await members.everyone()

    await asyncio.gather(members.join(ANNA, CODE, "安娜"), members.remove(anna.key), members.join(ANNA, CODE, "安娜"))

    assert (await members.role_of(ANNA), await members.guess(CODE, ANNA)) == (None, "stale")


async def test_with_who_is_removed_the_link_to_their_records_goes(database, members, clock):
    links = SqlExports(database, clock, iter(["anna's", "ben's"]).__next__)
    await invite(members, clock)
    await members.join(ANNA, CODE, "安娜")
    secrets = [await links.offer(each) for each in (ANNA, BEN)]
    await removed(members)

    assert [await links.whose(each) for each in secrets] == [None, BEN]
    assert [await links.use(each) for each in secrets] == [None, BEN]


async def test_consent_is_kept_apart_from_membership(members):
    await members.mirror(BEN, wanted=False)
    assert await members.in_the_mirror(still=False) == {}, "nothing was ever there to be taken away"
    for _ in range(2):
        await members.mirror(BEN, wanted=True)
    assert await members.in_the_mirror(still=True) == {BEN: ""}
    await members.mirror(BEN, wanted=False)
    assert await members.in_the_mirror(still=False) == {BEN: ""}


async def test_of_many_who_enable_at_once_one_turn_did(groups):
    told = await asyncio.gather(*(groups.enable(FAMILY, ANNA, TurnId(f"t{each}"), "家") for each in range(4)))

    assert sorted(told) == [False, False, False, True]
    group = await groups.find(FAMILY)
    assert group is not None
    assert (group.state, group.enabled_by, group.household.name) == ("enabled", ANNA, "家")


async def test_a_group_is_told_again_only_by_the_turn_that_enabled_it(groups):
    assert await groups.enable(FAMILY, ANNA, TurnId("t1"), "")
    assert await groups.enable(FAMILY, ANNA, TurnId("t1"), "")
    assert not await groups.enable(FAMILY, ANNA, TurnId("t2"), "")
    await groups.left(FAMILY)
    assert await groups.enable(FAMILY, ANNA, TurnId("t3"), "")


async def test_asking_again_takes_nothing_from_a_group_that_has_its_list(groups):
    await groups.enable(FAMILY, ANNA, TurnId("t1"), "")
    await groups.asks(FAMILY)
    group = await groups.find(FAMILY)
    assert group is not None
    assert group.is_enabled


async def test_who_is_told_is_told_in_one_turn(groups):
    await groups.comes(FAMILY, [BEN])
    assert await groups.find(FAMILY) is None, "of a group without a list nobody is kept"
    await groups.enable(FAMILY, ANNA, TurnId("t1"), "")
    await groups.comes(FAMILY, [BEN])

    assert not await groups.heard(FAMILY, ANNA, TurnId("t2"))
    assert not await groups.heard(FAMILY, MEI, TurnId("t3"))
    assert await groups.heard(FAMILY, BEN, TurnId("t4"))
    assert await groups.heard(FAMILY, BEN, TurnId("t4"))
    assert not await groups.heard(FAMILY, BEN, TurnId("t5"))


async def test_people_are_in_the_groups_they_are_in(groups, clock):
    for number, chat in enumerate((FAMILY, FLAT)):
        await groups.enable(chat, ANNA, TurnId(f"t{number}"), chat[:2])
        await groups.heard(chat, BEN, TurnId("x"))
        clock.move(seconds=1)
    await groups.call(FAMILY, BEN, "小本")
    await groups.goes(FLAT, [BEN, MEI])

    assert [each.chat for each in await groups.of_person(BEN)] == [FAMILY]
    assert [each.chat for each in await groups.of_person(ANNA)] == [FAMILY, FLAT]
    flat = (await groups.enabled())[1].household
    assert ([each.id for each in flat.members], [each.id for each in flat.left]) == ([ANNA], [BEN])
    await groups.heard(FLAT, BEN, TurnId("y"))
    assert [each.chat for each in await groups.of_person(BEN)] == [FAMILY, FLAT]
    await groups.left(FAMILY)
    assert [each.chat for each in await groups.of_person(BEN)] == [FLAT]


async def test_groups_are_left_that_were_forgotten_or_said_goodbye_to(groups, clock):
    await groups.asks(FAMILY)
    await groups.enable(FLAT, ANNA, TurnId("t1"), "")
    clock.move(days=2)
    assert await groups.to_leave(clock.now - timedelta(days=1)) == [FAMILY]
    await groups.leaves(FLAT)
    assert set(await groups.to_leave(clock.now - timedelta(days=1))) == {FAMILY, FLAT}
    await groups.left(FAMILY)
    await groups.left(FLAT)
    assert await groups.to_leave(clock.now) == []


async def test_debts_are_settled_forward_only(groups, clock):
    await groups.enable(FAMILY, ANNA, TurnId("t1"), "")
    assert await groups.settled(FAMILY, clock.now)
    assert not await groups.settled(FAMILY, clock.now)
    assert not await groups.settled(FAMILY, clock.now - timedelta(days=1))


async def test_what_was_paid_is_added_up_for_each_member_and_currency(database, clock):
    memory = SqlMemory(database, PersonId(FAMILY), clock)

    async def pay(number, amount, author, **fields):
        draft = {"content": "x", "type": "expense", "currency": "TWD", "amount": Decimal(amount), "author": author}
        return await memory.record(Draft(**draft | fields), CallKey("t", number), lambda _: {})

    await pay(1, "100", ANNA)
    begin = clock.now
    clock.move(seconds=1)
    await pay(2, "300", ANNA)
    await pay(3, "50", ANNA, payer=BEN)
    await pay(4, "20", BEN, type="income")
    await pay(5, "7.5", BEN, currency="USD")
    await pay(6, "1", None)
    await pay(7, "999", ANNA, status="cancelled")
    await memory.remove([(await pay(8, "999", ANNA)).record.ref], CallKey("t", 9), lambda _: {})
    await SqlMemory(database, ANNA, clock).record(
        Draft(content="x", type="expense", currency="TWD", amount=Decimal(999)), CallKey("t", 10), lambda _: {}
    )

    paid = await SqlShares(database).paid(PersonId(FAMILY), begin)

    assert paid == {"TWD": {ANNA: 30000, BEN: 3000, FAMILY: 100}, "USD": {BEN: 750}}
    by_person = RecordQuery(type="expense", total="amount", group_by="person", limit=0)
    figures = {(each.group, each.currency): each.value for each in (await memory.query(by_person)).figures}
    assert figures[BEN, "TWD"] == 50

"""Who wishes to be forgotten is: nothing of theirs is left in any table, whatever tables there are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import String, select

import bot.main  # noqa: F401 - with it come all tables there are
from bot.engines.offline.engine import OfflineEngine
from bot.gate import Gate
from bot.ports import Bubble, LaneId, TurnId
from bot.sql.allowance import SqlAllowance
from bot.sql.forgetting import (
    ASKED_FOR,
    FAREWELL,
    KEPT,
    NOBODYS,
    OWN,
    TOLD_FOR,
    UNNAMED,
    tables_that_hold_somebody,
    theirs,
)
from bot.sql.housekeeping import SqlHousekeeping
from bot.sql.inbox_rows import INBOX
from bot.sql.members import SqlMembers
from bot.sql.people import SqlPeople
from bot.voice.farewell_words import farewell_words
from bot.voice.phrases import phrases_of
from tests.eager import Eager
from tests.fakes import ANNA, BEN, Calendar, CountingMirror, ScriptedChannel
from tests.talk import FAMILY, ZH, Talk, remember
from tools.database import Database, metadata
from tools.notion.ledger import note
from tools.notion.trash import NOTION_TRASH
from tools.record import CallKey, Draft, MirrorState, PersonId, Record
from tools.sql.attachments import SqlAttachments
from tools.sql.record import RECORD
from tools.sql.shares import SqlShares

WORDS = farewell_words("zh-TW")
SECRET_WORDS = "紫色河馬"
"""What only Anna ever says."""


@pytest.fixture
async def opened(url: str):
    database = Database(url)
    await database.start()
    yield database
    await database.close()


class NumberingChannel(ScriptedChannel):
    """Gives each message an id of its own, as LINE does."""

    def _next(self, road: str, messages: Sequence[Bubble]) -> list[str]:
        super()._next(road, messages)
        return [f"{len(self.sent)}.{number}" for number in range(len(messages))]


@pytest.fixture
def talk(opened: Database) -> Talk:
    fallback, channel = OfflineEngine(), NumberingChannel()
    return Talk(opened, Eager(), fallback=fallback, channel=channel, public_url="https://bot.example")


async def rows_that_tell(database: Database, *traces: str) -> dict[str, int]:
    """Tables in which anything of these stands, and in how many rows."""

    def look(connection: Any) -> dict[str, int]:
        found = {}
        for table in metadata.sorted_tables:
            rows = [str(tuple(row)) for row in connection.execute(select(table))]
            if telling := sum(any(trace in row for trace in traces) for row in rows):
                found[table.name] = telling
        return found

    return await database.read(look)


async def a_life(talk: Talk) -> None:
    """Anna leaves a trace in as many tables as she can; so does Ben."""
    for who in (ANNA, BEN):
        words = SECRET_WORDS if who == ANNA else "黃色河馬"
        await talk.says(f"午餐 {words} 120", by=who)
        await talk.says(f"買{words}", by=who)
        await talk.says("刪 #2", by=who)
        await talk.says(f"{words}以後算娛樂", by=who)
        await talk.says("匯出", by=who)
        talk.secretary.llm._model.is_away = True
        await talk.says(f"{words}要怎麼辦才好呢", by=who)
        talk.secretary.llm._model.is_away = False
        await SqlAllowance(talk.database, calls=9, tokens=10**6).reserve(PersonId(who), talk.clock().date(), 5)
        ref = 1
        record = await talk.memory(who).get(ref)
        assert record is not None
        await talk.database.write(lambda c, id_=record.id: note(c, id_, page_id=f"page-{id_[:20]}", state="there"))
        await pictures(talk, PersonId(who), record)
    await in_a_household(talk)


async def pictures(talk: Talk, who: PersonId, record: Record) -> None:
    """One that a record holds, with a link to it, and one that none does."""
    store = SqlAttachments(talk.database, who, talk.clock)
    kept = await store.keep(f"picture of {who}", f"{who}.png", f"held {who}".encode())
    await store.keep(f"another of {who}", f"{who}.pdf", f"unheld {who}".encode())
    assert kept.attachment
    await store.attach(record.id, [kept.attachment])
    await store.link((await store.held())[0])


async def in_a_household(talk: Talk) -> None:
    """They share a list, speak there, take something back, pay for each other; a part of that waits for the model."""
    await talk.enables()
    await talk.says_in_the_group("成員", by=BEN)
    shared = talk.memory(FAMILY)
    for number, (author, payer) in enumerate([(ANNA, None), (BEN, ANNA), (BEN, None)], start=1):
        spent = {"type": "expense", "amount": Decimal(100), "currency": "TWD"}
        draft = Draft(content="菜", author=PersonId(author), payer=payer and PersonId(payer), **spent)
        await shared.record(draft, CallKey("shared", number), lambda record: {"by": record.author})
    await shared.revise(2, {"payer": PersonId(ANNA), "amount": Decimal(120)}, CallKey("later", 1), lambda _: {})
    store = SqlAttachments(talk.database, PersonId(FAMILY), talk.clock)
    for who, words in ((ANNA, SECRET_WORDS), (BEN, "黃色河馬")):
        heard = f"voice of {who[-4:]}"
        await talk.says_in_the_group("清單", by=who, message_id=heard)
        await store.keep(heard, f"{words}.m4a", f"voice {who}".encode())
        await store.note_heard(heard, words)
        await talk.says_in_the_group("明天幾點比較好呢", by=who, message_id=f"regretted {who[-4:]}")
        gone = {"kind": "unsend", "message_id": f"regretted {who[-4:]}", "answerable": False, "reply_token": None}
        await talk.hears_in_the_group(by=who, **gone)
        talk.secretary.llm._model.is_away = True
        await talk.says_in_the_group(f"{words}要怎麼辦才好呢", by=who)
        talk.secretary.llm._model.is_away = False


async def goes(talk: Talk) -> list[str]:
    await talk.says("忘記我")
    return await talk.taps_on(WORDS.forget)


async def test_who_asked_in_english_is_answered_in_english(talk: Talk):
    english = farewell_words("en")
    await remember(talk, "買牛奶")
    await talk.says("清單")
    await talk.says("forget me")

    assert await talk.taps_on(english.forget) == ["\n".join([english.forgotten(1), english.still_owner])]


# ── every table is known ──────────────────────────────────────────────────────────────────────────────────────────


def test_every_table_is_emptied_of_a_person_or_it_is_said_why_not():
    emptied = {table.name for table in tables_that_hold_somebody()}
    known = emptied | set(KEPT) | NOBODYS
    assert {table.name for table in metadata.sorted_tables} == known, (
        "say in bot/sql/forgetting.py what a new one holds"
    )
    assert not emptied & (set(KEPT) | NOBODYS)


IDS_OF_PEOPLE = {"person", "owner", "chat"}
NO_IDS = {
    ("attached", "digest"),
    ("attachment", "digest"),
    ("audit_key", "key"),
    ("export_link", "hash"),
    ("fetched", "digest"),
    ("fetched", "message"),
    ("invitation", "code_hash"),
    ("media_link", "digest"),
    ("notion_file", "digest"),
    ("media_link", "secret"),
    ("person", "zone"),
    ("said", "message_id"),
    ("tool_call", "arguments"),
    ("tool_call", "tool"),
    ("unsent", "message_id"),
}
"""Columns as wide as the id of a person that hold none."""


def test_no_column_holds_a_person_under_a_name_that_is_not_looked_for():
    wide = {
        (table.name, column.name)
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, String) and column.type.length == 64
    }
    own = {(name, column.name) for name, column in OWN.items()}
    own |= {(column.table.name, column.name) for column in UNNAMED}
    unseen = {each for each in wide - NO_IDS - own if each[1] not in IDS_OF_PEOPLE and each[0] not in {*KEPT, *NOBODYS}}
    assert unseen == set(), "name it person, owner or chat, or say in bot/sql/forgetting.py whose it is"


def test_a_table_that_does_not_exist_yet_is_found_by_the_name_of_its_column():
    from sqlalchemy import Column, Integer, MetaData, Table

    new = Table("new", MetaData(), Column("id", Integer, primary_key=True), Column("person", String(64)))
    assert theirs(new, PersonId(ANNA), ANNA, 1) is not None


# ── nothing is left ───────────────────────────────────────────────────────────────────────────────────────────────


async def test_nothing_of_them_is_left_and_nobody_else_misses_anything(talk: Talk):
    await a_life(talk)
    await talk.inbox.let_go()
    traces_of_ben = await rows_that_tell(talk.database, BEN, "黃色河馬")
    told = {"inbox", "transcript", "record", "change", "words", "postponed", "allowance", "person", "said"}
    shared = {"attachment", "attached", "fetched", "media_link", "household_member"}
    assert set(traces_of_ben) > told | shared
    assert set(await rows_that_tell(talk.database, ANNA, SECRET_WORDS)) > told | shared | {"household"}

    count = len(await talk.records())
    assert await goes(talk) == [f"{WORDS.forgotten(count)}\n{WORDS.still_owner}"]

    await talk.inbox.let_go()
    left = await rows_that_tell(talk.database, ANNA, SECRET_WORDS)
    assert set(left) <= {"inbox", "farewell", "said"}, "only the turn in which it was agreed to"
    assert await rows_that_tell(talk.database, SECRET_WORDS) == {}
    await talk.forgetting.finish()
    assert await rows_that_tell(talk.database, ANNA, SECRET_WORDS) == {}
    assert await rows_that_tell(talk.database, BEN, "黃色河馬") == traces_of_ben


async def test_what_they_paid_for_others_is_nobodys_and_the_list_goes_on(talk: Talk):
    await a_life(talk)
    before = {each.ref: each.rev for each in await talk.records(FAMILY)}
    await goes(talk)

    shared = {each.ref: each for each in await talk.records(FAMILY)}
    assert [(shared[ref].author, shared[ref].payer) for ref in (1, 2, 3)] == [(None, None), (BEN, FAMILY), (BEN, None)]
    assert [shared[ref].rev - before[ref] for ref in (1, 2, 3)] == [1, 1, 0], "the mirror hears of it"
    long_ago = talk.clock.now - timedelta(days=1)
    paid = await SqlShares(talk.database).paid(PersonId(FAMILY), long_ago)
    assert paid == {"TWD": {FAMILY: 22000, BEN: 10000}}
    group = await talk.circles.find(FAMILY)
    assert group is not None
    assert (group.is_enabled, group.enabled_by, [each.id for each in group.household.members]) == (True, None, [BEN])
    changes = await talk.memory(FAMILY).changes("later")
    assert [(each.before and each.before.payer, each.after and each.after.payer) for each in changes] == [
        (FAMILY, FAMILY)
    ]
    assert "清單" in (await talk.says_in_the_group("說明", by=BEN))[0]


async def test_a_member_goes_with_the_invitation_and_comes_back_by_a_new_one(opened):
    talk = await a_house_of_members(opened)
    await talk.says("午餐 120", by=BEN)
    await talk.says("忘記我", by=BEN)
    lane = await talk.hears(by=BEN, kind="postback", data=talk.button(WORDS.forget).data)
    turn = await talk.takes(lane)
    person = await talk.use_case._person(turn)
    await talk.use_case._answer(turn, person, ZH)  # and it is interrupted here
    await talk.use_case.run(turn)

    assert [bubble.text for bubble in talk.last] == [f"{WORDS.forgotten(1)}\n{WORDS.by_invitation}"]
    await talk.inbox.let_go()
    await talk.forgetting.finish()
    assert await rows_that_tell(opened, BEN) == {}
    assert await talk.says("午餐 60", by=BEN) == [ZH.stranger]
    assert await talk.records(BEN) == []


@pytest.mark.parametrize("role", ["guest", "member"])
async def test_of_a_guest_nothing_is_left_but_that_somebody_only_looked(opened, role):
    talk = await a_house_of_members(opened)
    await talk.members.invite(TurnId("again"), role, "ZZZZ-ZZZZ-ZZZZ", talk.clock.now + timedelta(days=1))
    await talk.members.join(PersonId(BEN), "ZZZZ-ZZZZ-ZZZZ", "小本")
    await talk.says("忘記我", by=BEN)
    await talk.taps_on(WORDS.forget, by=BEN)
    await talk.inbox.let_go()
    await talk.forgetting.finish()

    assert await rows_that_tell(opened, BEN, "小本") == {}
    assert await talk.members.everyone() == []
    assert await talk.gate.only_looks(PersonId(BEN)) == (role == "guest")


async def a_house_of_members(database: Database) -> Talk:
    """Anna's, into which Ben was invited."""
    clock = Calendar()
    members = SqlMembers(database, clock)
    gate = Gate(everyone=False, welcome=[PersonId(ANNA)], members=members)
    talk = Talk(database, Eager(), fallback=OfflineEngine(), gate=gate)
    await members.invite(TurnId("invite"), "member", "ABCD-EFGH-JKMN", clock.now + timedelta(days=1))
    assert await members.join(PersonId(BEN), "ABCD-EFGH-JKMN", "小本") == "member"
    await members.mirror(PersonId(BEN), wanted=True)
    assert set(await rows_that_tell(database, BEN)) == {"member", "invitation", "consent"}
    return talk


async def test_the_ids_of_what_was_heard_stay_so_that_a_repeat_does_nothing(talk: Talk):
    await talk.says("午餐 120")
    await goes(talk)
    await talk.forgetting.finish()
    kept = await talk.database.read(lambda c: c.execute(select(INBOX.c.id, INBOX.c.chat, INBOX.c.answer)).all())
    assert [(row.chat, row.answer) for row in kept] == [("forgotten", None)] * 3
    assert await talk.inbox.take(LaneId(ANNA)) is None
    talk._heard = 0
    await talk.hears("午餐 120", redelivered=True)
    assert await talk.inbox.take(LaneId(ANNA)) is None
    assert await talk.records() == []


async def test_who_writes_again_begins_afresh(talk: Talk):
    await talk.says("語言 日本語")
    await talk.says("時區 東京")
    await goes_in_japanese(talk)
    (text,) = await talk.says("午餐 60")
    assert "#1" in text
    person = await talk.people.find(PersonId(ANNA))
    assert person is not None
    assert (person.language, person.zone.key, person.keeps_language) == ("zh-TW", "Asia/Taipei", False)
    await talk.forgetting.finish()
    assert len(await talk.records()) == 1
    assert await talk.taps_on(ZH.undo) != [ZH.button_too_old], "what came later is not swept away"


async def goes_in_japanese(talk: Talk) -> None:
    await talk.says("忘記我")
    await talk.taps_on(farewell_words("ja").forget)


# ── asked first, once, in time, by the right one ──────────────────────────────────────────────────────────────────


async def test_it_is_asked_first_and_no_word_is_the_tap(talk: Talk):
    await talk.says("午餐 120")
    assert await talk.says("忘記我") == [WORDS.ask(1)]
    assert await talk.says("好") == [WORDS.tap]
    assert await talk.says("OK", kind="sticker") == [WORDS.tap]
    assert len(await talk.records()) == 1
    assert await talk.taps_on(WORDS.stay) == [phrases_of("zh-TW").kept]
    assert len(await talk.records()) == 1


async def test_a_tap_counts_for_ten_minutes_and_once(talk: Talk):
    await talk.says("午餐 120")
    await talk.says("忘記我")
    talk.clock.move(seconds=ASKED_FOR.total_seconds() + 1)
    assert await talk.taps_on(WORDS.forget) == [WORDS.too_late]
    assert len(await talk.records()) == 1

    await goes(talk)
    await talk.says("午餐 60")
    assert await talk.taps_on(WORDS.forget) == [WORDS.before]
    assert len(await talk.records()) == 1


async def test_nobody_forgets_another(talk: Talk):
    await talk.says("午餐 120")
    await talk.says("忘記我")
    await talk.says("謝謝", by=BEN)
    assert await talk.taps_on(WORDS.forget, by=BEN) == [ZH.button_too_old]
    assert await talk.taps("forget:nonsense") == [ZH.button_too_old]
    assert len(await talk.records()) == 1


async def test_asked_anew_only_the_newest_question_counts(talk: Talk):
    await talk.says("忘記我")
    old = talk.button(WORDS.forget)
    await talk.says("忘記我")
    assert await talk.taps(old.data) == [ZH.button_too_old]


# ── whatever happens meanwhile ────────────────────────────────────────────────────────────────────────────────────


async def test_a_turn_that_died_behind_it_says_the_same_once_more_and_takes_nothing_of_the_new_life(talk: Talk):
    await talk.says("午餐 120")
    await talk.says("忘記我")
    lane = await talk.hears(kind="postback", data=talk.button(WORDS.forget).data)
    turn = await talk.takes(lane)
    person = await talk.use_case._person(turn)
    first = await talk.taps_alone.tap(turn, await talk.use_case._caller(person, turn))
    await remember(talk, "新的")
    again = await talk.taps_alone.tap(turn, await talk.use_case._caller(person, turn))
    assert [bubble.text for bubble in again] == [bubble.text for bubble in first]
    assert [each.content for each in await talk.records()] == ["新的"]


async def test_a_record_that_is_made_at_the_same_moment_is_forgotten_or_begins_afresh(talk: Talk):
    await talk.says("午餐 120")
    await talk.says("忘記我")
    turn = await talk.takes(await talk.hears(kind="postback", data=talk.button(WORDS.forget).data))
    asked = TurnId(talk.button(WORDS.forget).data.partition(":")[2])
    forgotten, _ = await asyncio.gather(
        talk.forgetting.agree(asked, turn, PersonId(ANNA)), remember(talk, *(f"第{n}件" for n in range(5)))
    )
    assert forgotten is not None
    left = await talk.records()
    assert [each.ref for each in left] == list(range(1, len(left) + 1))


async def test_what_is_still_owed_is_not_said_any_more(opened):
    channel = ScriptedChannel()
    talk = Talk(opened, Eager(), fallback=OfflineEngine(), channel=channel)
    old = talk.clock() - timedelta(hours=1)
    await talk.says(f"買{SECRET_WORDS}", received_at=old)
    assert len(await talk.inbox.owed(ANNA)) == 1
    lane = await talk.hears("忘記我")
    turn = await talk.takes(lane)
    await talk.forgetting.ask(turn, PersonId(ANNA))
    await talk.forgetting.agree(turn.id, turn, PersonId(ANNA))
    assert await talk.inbox.owed(ANNA) == []
    assert await rows_that_tell(opened, SECRET_WORDS) == {}


async def test_traces_of_an_answer_that_is_still_owed_wait_for_it(talk: Talk):
    await talk.says("午餐 120")
    await talk.says("忘記我")
    turn = await talk.takes(await talk.hears(kind="postback", data=talk.button(WORDS.forget).data))
    await talk.forgetting.agree(TurnId(talk.button(WORDS.forget).data.partition(":")[2]), turn, PersonId(ANNA))
    await talk.forgetting.finish()
    assert "inbox" in await rows_that_tell(talk.database, ANNA), "it is still to be answered"
    await talk.use_case.run(turn)
    await talk.inbox.let_go()
    await talk.forgetting.finish()
    assert await rows_that_tell(talk.database, ANNA) == {}


async def test_the_house_is_cleaned_of_it_and_of_wishes_that_came_to_nothing(talk: Talk):
    house = SqlHousekeeping(talk.database, talk.clock, 30, pause_seconds=0, also=talk.forgetting.finish)
    await talk.says("忘記我", by=BEN)
    await goes(talk)
    talk.clock.move(minutes=11)
    await house.clean()
    (left,) = await talk.database.read(lambda c: c.execute(select(FAREWELL)).all())
    assert (left.person, left.records) == (None, 0)
    talk.clock.move(days=TOLD_FOR.days + 1)
    await house.clean()
    assert await talk.database.read(lambda c: c.execute(select(FAREWELL)).all()) == []


# ── who may come back, and what a mirror is told ──────────────────────────────────────────────────────────────────


async def test_the_owner_who_paired_is_still_the_owner_and_no_code_lets_another_in(opened):
    clock = Calendar()
    door = SqlPeople(opened, clock)
    await door.offer("04041234")
    talk = Talk(opened, Eager(), gate=Gate(everyone=False, welcome=[], door=door))
    await talk.says("04041234")
    await goes(talk)

    assert await door.find(PersonId(ANNA)) is None
    assert await door.owners() == [ANNA]
    await door.offer("99999999")
    assert await door.code() is None
    fresh = Gate(everyone=False, welcome=[], door=SqlPeople(opened, clock))
    assert await fresh.welcomes(PersonId(ANNA))
    assert not await fresh.welcomes(PersonId(BEN))
    assert (await talk.says("謝謝"))[0]
    assert (await door.find(PersonId(ANNA))).role == "owner"


async def test_the_pages_of_their_records_go_on_a_list_that_needs_nothing_of_them(talk: Talk):
    await a_life(talk)
    await goes(talk)
    (row,) = await talk.database.read(lambda c: c.execute(select(NOTION_TRASH)).all())
    assert row.page_id.startswith("page-")
    assert await talk.database.read(lambda c: c.execute(select(RECORD.c.id).where(RECORD.c.owner == ANNA)).all()) == []


async def test_what_a_mirror_has_not_taken_away_yet_is_told(opened):
    talk = Talk(opened, Eager(), mirror=CountingMirror(MirrorState(3)))
    await remember(talk, "買牛奶")
    (text,) = await goes(talk)
    assert text.splitlines()[1] == WORDS.mirror_follows


async def test_a_member_is_not_told_of_owning_anything(talk: Talk):
    await talk.says("忘記我", by=BEN)
    assert await talk.taps_on(WORDS.forget, by=BEN) == [WORDS.forgotten(0)]

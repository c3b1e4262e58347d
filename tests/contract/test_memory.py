"""What every store of records keeps, whichever database it is in: one suite over MemoryPort and RemindersPort.

SQLite always; PostgreSQL where SECRETARY_TEST_POSTGRES names one (each test works in a schema of its own).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tools.database import Database
from tools.record import (
    Answer,
    CallKey,
    Change,
    Draft,
    Figure,
    Note,
    NothingChanged,
    NothingToUndo,
    PersonId,
    Record,
    RecordNotFound,
    RecordQuery,
    Result,
    Span,
)
from tools.sql.memory import SqlMemory
from tools.sql.reminders import SqlReminders

TAIPEI, TOKYO, NEW_YORK = ZoneInfo("Asia/Taipei"), ZoneInfo("Asia/Tokyo"), ZoneInfo("America/New_York")
MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=TAIPEI)
MEI, KEN = PersonId("U" + "1" * 32), PersonId("U" + "2" * 32)


@dataclass
class Clock:
    now: datetime = MONDAY

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: int) -> None:
        self.now += timedelta(**by)


@dataclass
class Store:
    """One database, and short ways to say what a test does."""

    database: Database
    clock: Clock = field(default_factory=Clock)
    calls: Any = field(default_factory=count)

    def of(self, person: PersonId) -> SqlMemory:
        return SqlMemory(self.database, person, self.clock)

    def key(self, turn: str | None = None) -> CallKey:
        number = next(self.calls)
        return CallKey(turn or f"turn-{number}", number)

    async def add(self, person: PersonId = MEI, content: str = "買牛奶", **fields: Any) -> Record:
        draft = Draft(content=content, **{"type": "task"} | fields)
        return (await self.of(person).record(draft, self.key(), told)).record

    async def found(self, person: PersonId = MEI, **question: Any) -> list[int]:
        answer = await self.ask(person, **{"sort": "created", "limit": 100} | question)
        assert answer.matched == len(answer.records)
        return [record.ref for record in answer.records]

    async def ask(self, person: PersonId = MEI, **question: Any) -> Answer:
        return await self.of(person).query(RecordQuery(**question))


def told(record: Record) -> Result:
    return {"ref": record.ref, "content": record.content, "deleted": record.deleted_at is not None}


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    database = Database(url)
    await database.start()
    yield Store(database)
    await database.close()


# ── keeping ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_record_comes_back_as_it_was_said(store: Store):
    draft = Draft(
        content="跟陳醫師回診\n帶健保卡 🦷 'quoted' \"double\" 100% _under_ \\ back",
        type="expense",
        when=datetime(2026, 12, 1, 15, 0, tzinfo=TAIPEI),
        until=date(2026, 12, 3),
        remind_at=datetime(2026, 12, 1, 14, 0, tzinfo=TAIPEI),
        amount=Decimal("1250.50"),
        currency="TWD",
        category="醫療",
        tags=("家", "health", "ของฉัน"),
        status="doing",
        notes=(Note(MONDAY, "第一次"), Note(MONDAY + timedelta(hours=1), "改過時間")),
    )
    change = await store.of(MEI).record(draft, store.key(), told)
    kept = await store.of(MEI).get(1)
    assert kept == change.after
    assert kept is not None
    assert {name: getattr(kept, name) for name in draft.__dataclass_fields__} == {
        name: getattr(draft, name) for name in draft.__dataclass_fields__
    }
    assert (kept.owner, kept.ref, kept.rev, kept.created_at, kept.deleted_at) == (MEI, 1, 1, MONDAY, None)
    assert (change.kind, change.state, change.before, change.repeated) == ("create", "done", None, False)
    assert change.result == {"ref": 1, "content": draft.content, "deleted": False}


async def test_times_come_back_aware_and_in_utc(store: Store):
    record = await store.add(when=datetime(2026, 12, 1, 15, 0, tzinfo=TAIPEI), remind_at=MONDAY)
    assert record.when == datetime(2026, 12, 1, 7, 0, tzinfo=UTC)
    assert [moment.tzinfo for moment in (record.when, record.remind_at, record.created_at)] == [UTC] * 3


async def test_a_whole_day_stays_a_day(store: Store):
    record = await store.add(when=date(2026, 12, 1), until=date(2026, 12, 5))
    assert type(record.when) is date
    assert (record.when, record.until) == (date(2026, 12, 1), date(2026, 12, 5))


@pytest.mark.parametrize(
    ("amount", "currency"),
    [("850", "JPY"), ("120", "TWD"), ("0.01", "USD"), ("1.234", "KWD"), ("999999999999", "VND"), ("3.50", None)],
)
async def test_an_amount_is_kept_to_the_last_unit_of_its_currency(store: Store, amount: str, currency: str | None):
    record = await store.add(type="expense", amount=Decimal(amount), currency=currency)
    assert (record.amount, record.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(("amount", "currency"), [("1.5", "JPY"), ("0.001", "TWD"), ("NaN", "TWD"), ("1e15", "TWD")])
async def test_an_amount_its_currency_cannot_express_is_refused_and_nothing_is_stored(
    store: Store, amount: str, currency: str
):
    with pytest.raises(ValueError, match=r"decimals|number"):
        await store.add(type="expense", amount=Decimal(amount), currency=currency)
    assert await store.found() == []
    assert (await store.add()).ref == 1


async def test_text_that_no_database_can_hold_is_stored_without_the_impossible_part(store: Store):
    record = await store.add(content="before\0after \ud800end", tags=("a\0",), notes=(Note(MONDAY, "\udfff"),))
    assert (record.content, record.tags, record.notes[0].text) == ("beforeafter end", ("a",), "")
    assert await store.found(keyword="beforeafter\0") == [1]


async def test_a_keys_hash_is_the_same_for_the_same_call_and_differs_between_owners(store: Store):
    draft = Draft(content="x", type="note")
    mine = (await store.of(MEI).record(draft, CallKey("turn", 1), told)).record
    theirs = (await store.of(KEN).record(draft, CallKey("turn", 1), told)).record
    assert len(mine.key) == 32
    assert mine.key != theirs.key


async def test_refs_count_up_for_each_owner_without_gaps_even_if_records_come_at_once(store: Store):
    wanted = [store.add(person, f"{number}") for number in range(20) for person in (MEI, KEN)]
    records = await asyncio.gather(*wanted)
    for person in (MEI, KEN):
        assert sorted(record.ref for record in records if record.owner == person) == list(range(1, 21))


async def test_a_ref_is_never_given_twice_even_after_a_deletion(store: Store):
    await store.add()
    await store.of(MEI).remove([1], store.key(), told)
    assert (await store.add()).ref == 2


# ── owners ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_another_persons_ref_is_answered_exactly_as_an_absent_one(store: Store):
    await store.add(MEI)
    for ref in (1, 99):
        assert await store.of(KEN).get(ref) is None
        with pytest.raises(RecordNotFound) as absent:
            await store.of(KEN).revise(ref, {"content": "mine"}, store.key(), told)
        assert absent.value.ref == ref
        with pytest.raises(RecordNotFound):
            await store.of(KEN).remove([ref], store.key(), told)
    assert (await store.of(MEI).get(1)).content == "買牛奶"


async def test_no_question_reaches_another_persons_records(store: Store):
    await store.add(MEI, "買咖啡", type="expense", amount=Decimal(100), currency="TWD", tags=("家",), when=MONDAY)
    november = span(date(2026, 11, 1), date(2026, 12, 1))
    for question in (
        {},
        {"keyword": "咖啡"},
        {"keyword": "咖"},
        {"keyword": "買咖啡"},
        {"tags": ("家",)},
        {"span": november},
    ):
        assert await store.found(KEN, **question) == []
        for total in ("count", "amount", "net"):
            answer = await store.ask(KEN, total=total, **question)
            assert [line for line in answer.figures if line.count] == []
        assert (await store.ask(KEN, total="count", group_by="tag", **question)).figures == ()
        assert await store.found(MEI, **question) == [1]


async def test_another_persons_changes_can_be_neither_confirmed_nor_undone_nor_seen(store: Store):
    await store.add(MEI)
    await store.add(MEI)
    proposed = await store.of(MEI).remove([1, 2], store.key("turn"), told, proposed=True)
    ids = [change.id for change in proposed]
    assert await store.of(KEN).confirm(ids, store.key()) == []
    made = (await store.of(MEI).record(Draft(content="x", type="note"), store.key("turn"), told)).id
    with pytest.raises(NothingToUndo):
        await store.of(KEN).undo(store.key(), made)
    with pytest.raises(NothingToUndo):
        await store.of(KEN).undo(store.key())
    assert await store.of(KEN).changes("turn") == []
    assert await store.found(MEI) == [1, 2, 3]


# ── doing it again ────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_creation_done_again_finds_the_first_result(store: Store):
    key, draft = store.key(), Draft(content="買牛奶", type="task")
    first = await store.of(MEI).record(draft, key, told)
    again = await store.of(MEI).record(replace(draft, content="something else"), key, lambda _: {"not": "this"})
    assert again == first
    assert (first.repeated, again.repeated) == (False, True)
    assert await store.found() == [1]


async def test_the_same_creation_racing_itself_is_done_once(store: Store):
    key, draft = store.key(), Draft(content="買牛奶", type="task")
    changes = await asyncio.gather(*(store.of(MEI).record(draft, key, told) for _ in range(8)))
    assert len({change.id for change in changes}) == 1
    assert sorted(change.repeated for change in changes) == [False] + [True] * 7
    assert await store.found() == [1]


async def test_an_update_done_again_finds_the_first_result_even_if_the_record_is_gone(store: Store):
    await store.add()
    key = store.key()
    first = await store.of(MEI).revise(1, {"content": "買豆漿"}, key, told)
    again = await store.of(MEI).revise(1, {"content": "買豆漿"}, key, told)
    assert (again, again.repeated) == (first, True)
    await store.of(MEI).remove([1], store.key(), told)
    assert await store.of(MEI).revise(1, {"content": "買豆漿"}, key, told) == first


async def test_deletions_done_again_find_the_first_results(store: Store):
    for _ in range(3):
        await store.add()
    alone, several = store.key("a"), store.key("b")
    done = await store.of(MEI).remove([1], alone, told)
    assert await store.of(MEI).remove([1], alone, told) == done
    proposed = await store.of(MEI).remove([2, 3], several, told, proposed=True)
    again = await store.of(MEI).remove([2, 3], several, told, proposed=True)
    assert (again, [change.repeated for change in again]) == (proposed, [True, True])


async def test_a_confirmation_and_an_undo_done_again_find_the_first_results(store: Store):
    await store.add()
    await store.add()
    proposed = await store.of(MEI).remove([1, 2], store.key(), told, proposed=True)
    confirming, undoing = store.key(), store.key()
    ids = [change.id for change in proposed]
    confirmed = await store.of(MEI).confirm(ids, confirming)
    again = await store.of(MEI).confirm(ids, confirming)
    assert (again, [change.repeated for change in again]) == (confirmed, [True, True])
    undone = await store.of(MEI).undo(undoing)
    again_undone = await store.of(MEI).undo(undoing)
    assert (again_undone, again_undone.repeated) == (undone, True)
    assert await store.found() == [undone.record.ref]


async def test_three_equal_wishes_of_one_turn_are_three_records(store: Store):
    for call in range(3):
        await store.of(MEI).record(Draft(content="咖啡", type="expense"), CallKey("turn", call), told)
    assert await store.found() == [1, 2, 3]


async def test_a_cancelled_caller_does_not_cancel_the_change(store: Store):
    key, draft = store.key("turn"), Draft(content="買牛奶", type="task")
    caller = asyncio.create_task(store.of(MEI).record(draft, key, told))
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    change = await store.of(MEI).record(draft, key, told)
    assert change.repeated
    assert await store.found() == [1]


async def test_a_result_that_cannot_be_rendered_leaves_nothing_behind(store: Store):
    def fails(_record: Record) -> Result:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.of(MEI).record(Draft(content="買牛奶", type="task"), store.key("turn"), fails)
    assert await store.found() == []
    assert await store.of(MEI).changes("turn") == []
    assert (await store.add()).ref == 1


# ── changing ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_update_replaces_what_is_named_and_nothing_else(store: Store):
    before = await store.add(when=MONDAY, tags=("家",), category="x")
    store.clock.move(minutes=5)
    change = await store.of(MEI).revise(1, {"content": "買豆漿", "status": "done"}, store.key(), told)
    assert change.before == before
    assert change.after == replace(before, content="買豆漿", status="done", rev=2, updated_at=store.clock.now)
    assert await store.of(MEI).get(1) == change.after


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("type", "event"),
        ("when", date(2026, 12, 24)),
        ("when", datetime(2026, 12, 24, 8, 0, tzinfo=UTC)),
        ("when", None),
        ("until", date(2026, 12, 25)),
        ("remind_at", datetime(2026, 12, 24, 8, 0, tzinfo=UTC)),
        ("amount", Decimal(99)),
        ("currency", "USD"),
        ("category", None),
        ("tags", ()),
        ("notes", (Note(MONDAY, "x"),)),
    ],
)
async def test_every_field_can_be_replaced_and_put_back(store: Store, name: str, value: object):
    before = await store.add(
        type="expense", when=MONDAY, amount=Decimal(5), currency="TWD", category="飲食", tags=("家",)
    )
    change = await store.of(MEI).revise(1, {name: value}, store.key(), told)
    assert getattr(change.record, name) == value
    undone = await store.of(MEI).undo(store.key())
    assert undone.after == replace(before, rev=3, updated_at=store.clock.now)


async def test_an_update_that_changes_nothing_is_refused(store: Store):
    record = await store.add(when=MONDAY, tags=("家",))
    same = {"content": "買牛奶", "when": MONDAY.astimezone(NEW_YORK), "tags": ("家",), "status": "open", "amount": None}
    for fields in ({}, same):
        with pytest.raises(NothingChanged):
            await store.of(MEI).revise(1, fields, store.key(), told)
    assert await store.of(MEI).get(1) == record


async def test_a_field_that_does_not_exist_is_refused(store: Store):
    await store.add()
    for name in ("owner", "ref", "nonsense"):
        with pytest.raises(ValueError, match=name):
            await store.of(MEI).revise(1, {name: KEN}, store.key(), told)


async def test_a_record_is_found_by_its_new_words_and_no_longer_by_its_old_ones(store: Store):
    await store.add(content="買牛奶", tags=("早餐",))
    await store.of(MEI).revise(1, {"content": "買豆漿", "tags": ("晚餐",)}, store.key(), told)
    assert (
        await store.found(keyword="牛奶")
        == await store.found(keyword="早餐")
        == await store.found(tags=("早餐",))
        == []
    )
    assert (
        await store.found(keyword="豆漿")
        == await store.found(keyword="晚餐")
        == await store.found(tags=("晚餐",))
        == [1]
    )


# ── deleting ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_one_record_alone_is_deleted_at_once(store: Store):
    before = await store.add(tags=("家",))
    (change,) = await store.of(MEI).remove([1], store.key(), told)
    assert (change.kind, change.state, change.before) == ("delete", "done", before)
    assert change.after == replace(before, rev=2, deleted_at=MONDAY)
    assert change.result["deleted"] is True
    assert await store.of(MEI).get(1) is None
    for question in ({}, {"keyword": "牛奶"}, {"keyword": "牛"}, {"keyword": "買牛奶"}, {"tags": ("家",)}):
        assert await store.found(**question) == []
    with pytest.raises(RecordNotFound):
        await store.of(MEI).remove([1], store.key(), told)


async def test_several_records_are_deleted_together(store: Store):
    await store.add()
    await store.add()
    changes = await store.of(MEI).remove([1, 2], store.key(), told)
    assert [change.state for change in changes] == ["done", "done"]
    assert await store.found() == []


async def test_what_is_only_proposed_waits_for_the_person(store: Store):
    records = [await store.add(), await store.add()]
    changes = await store.of(MEI).remove([1, 2], store.key(), told, proposed=True)
    assert [(change.state, change.before, change.after) for change in changes] == [
        ("proposed", record, None) for record in records
    ]
    assert [change.result["deleted"] for change in changes] == [False, False]
    assert await store.found() == [1, 2]


async def test_the_same_ref_said_twice_is_one_record(store: Store):
    await store.add()
    (change,) = await store.of(MEI).remove([1, 1], store.key(), told)
    assert change.state == "done"


async def test_if_one_of_several_is_absent_nothing_is_proposed(store: Store):
    await store.add()
    with pytest.raises(RecordNotFound) as absent:
        await store.of(MEI).remove([1, 7], store.key("turn"), told, proposed=True)
    assert absent.value.ref == 7
    assert await store.of(MEI).changes("turn") == []


async def test_a_confirmed_deletion_is_carried_out_once(store: Store):
    await store.add()
    await store.add()
    proposed = await store.of(MEI).remove([1, 2], store.key("asking"), told, proposed=True)
    store.clock.move(minutes=9)
    confirmed = await store.of(MEI).confirm([proposed[1].id], store.key("tapping"))
    assert [(change.id, change.state, change.record.ref) for change in confirmed] == [(proposed[1].id, "done", 2)]
    assert confirmed[0].record.deleted_at == store.clock.now
    assert await store.found() == [1]
    assert await store.of(MEI).confirm([proposed[1].id], store.key()) == []
    assert await store.of(MEI).changes("tapping") == confirmed


async def test_a_proposal_expires_after_ten_minutes(store: Store):
    await store.add()
    await store.add()
    proposed = await store.of(MEI).remove([1, 2], store.key("turn"), told, proposed=True)
    store.clock.move(minutes=10)
    assert await store.of(MEI).confirm([change.id for change in proposed], store.key()) == []
    assert [change.state for change in await store.of(MEI).changes("turn")] == ["expired", "expired"]
    assert await store.found() == [1, 2]


async def test_what_was_deleted_otherwise_meanwhile_is_left_out_of_a_confirmation(store: Store):
    await store.add()
    await store.add()
    proposed = await store.of(MEI).remove([1, 2], store.key(), told, proposed=True)
    await store.of(MEI).remove([1], store.key(), told)
    confirmed = await store.of(MEI).confirm([*(change.id for change in proposed), "nonsense"], store.key())
    assert [change.record.ref for change in confirmed] == [2]


async def test_a_confirmation_deletes_the_record_as_it_is_by_then(store: Store):
    await store.add()
    await store.add()
    proposed = await store.of(MEI).remove([1, 2], store.key(), told, proposed=True)
    await store.of(MEI).revise(1, {"content": "買豆漿"}, store.key(), told)
    (confirmed,) = await store.of(MEI).confirm([proposed[0].id], store.key())
    assert confirmed.before.content == "買豆漿"
    assert (await store.of(MEI).undo(store.key())).record.content == "買豆漿"


# ── updates that wait ─────────────────────────────────────────────────────────────────────────────────────────────


async def proposed_move(store: Store, **fields: Any) -> Change:
    """One record, and an update of it that waits."""
    await store.add(content="回診", when=MONDAY)
    fields = fields or {"when": MONDAY + timedelta(hours=1)}
    return await store.of(MEI).revise(1, fields, store.key("asking"), told, proposed=True)


async def test_a_proposed_update_shows_what_it_would_do_and_does_nothing(store: Store):
    change = await proposed_move(store)
    assert (change.kind, change.state, change.before) == ("update", "proposed", await store.of(MEI).get(1))
    assert change.after == replace(change.before, when=MONDAY + timedelta(hours=1))
    assert await store.of(MEI).changes("asking") == [change]
    with pytest.raises(NothingChanged):
        await store.of(MEI).revise(1, {"content": "回診"}, store.key(), told, proposed=True)


async def test_a_proposed_update_done_again_finds_the_first_one(store: Store):
    await store.add()
    key = store.key()
    first = await store.of(MEI).revise(1, {"content": "豆漿"}, key, told, proposed=True)
    again = await store.of(MEI).revise(1, {"content": "豆漿"}, key, told, proposed=True)
    assert (again, again.repeated) == (first, True)


async def test_a_confirmed_update_is_carried_out_once_and_can_be_taken_back(store: Store):
    change = await proposed_move(store)
    store.clock.move(minutes=9)
    (confirmed,) = await store.of(MEI).confirm([change.id], store.key("tapping"))
    assert (confirmed.id, confirmed.kind, confirmed.state) == (change.id, "update", "done")
    assert confirmed.after == await store.of(MEI).get(1)
    assert confirmed.after == replace(change.after, rev=2, updated_at=store.clock.now)
    assert await store.of(MEI).confirm([change.id], store.key()) == []
    assert await store.of(MEI).changes("tapping") == [confirmed]

    undone = await store.of(MEI).undo(store.key())
    assert (undone.undoes, undone.record.when) == (change.id, MONDAY)


async def test_a_confirmed_update_is_found_by_its_new_words_and_rings_at_its_new_time(store: Store):
    change = await proposed_move(store, content="看牙醫", remind_at=MONDAY + timedelta(hours=2))
    assert await store.found(keyword="牙醫") == []
    await store.of(MEI).confirm([change.id], store.key())
    assert await store.found(keyword="牙醫") == [1]
    due = await SqlReminders(store.database).due(MONDAY + timedelta(hours=2))
    assert [ring.record.ref for ring in due] == [1]


async def test_a_proposed_update_expires_after_ten_minutes(store: Store):
    change = await proposed_move(store)
    store.clock.move(minutes=10)
    assert await store.of(MEI).confirm([change.id], store.key()) == []
    assert [each.state for each in await store.of(MEI).changes("asking")] == ["expired"]
    assert (await store.of(MEI).get(1)).when == MONDAY


@pytest.mark.parametrize("meanwhile", [{"content": "跟陳醫師回診"}, {"when": MONDAY + timedelta(hours=5)}])
async def test_an_update_of_what_was_changed_meanwhile_is_not_carried_out(store: Store, meanwhile: dict[str, Any]):
    change = await proposed_move(store)
    now = (await store.of(MEI).revise(1, meanwhile, store.key(), told)).record
    assert await store.of(MEI).confirm([change.id], store.key()) == []
    assert await store.of(MEI).get(1) == now


async def test_an_update_of_what_was_deleted_or_changed_and_changed_back_is_not_carried_out(store: Store):
    change = await proposed_move(store)
    await store.of(MEI).remove([1], store.key(), told)
    assert await store.of(MEI).confirm([change.id], store.key()) == []
    await store.of(MEI).undo(store.key())
    assert await store.of(MEI).confirm([change.id], store.key()) == []


async def test_several_updates_of_one_record_are_confirmed_together(store: Store):
    moved = await proposed_move(store)
    renamed = await store.of(MEI).revise(1, {"content": "複診"}, store.key("asking"), told, proposed=True)
    gone = await store.of(MEI).remove([1], store.key("asking"), told, proposed=True)
    both = await store.of(MEI).confirm([moved.id, renamed.id], store.key())
    assert (both[-1].record.content, both[-1].record.when) == ("複診", MONDAY + timedelta(hours=1))
    assert [each.state for each in await store.of(MEI).confirm([gone[0].id], store.key())] == ["done"]


async def test_another_persons_proposed_update_can_be_neither_confirmed_nor_seen(store: Store):
    change = await proposed_move(store)
    await store.add(KEN)
    assert await store.of(KEN).confirm([change.id], store.key()) == []
    assert await store.of(KEN).changes("asking") == []
    assert (await store.of(MEI).get(1)).when == MONDAY


# ── whose words ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_record_says_whether_it_holds_words_of_others(store: Store):
    await store.add()
    await store.add(origin="others")
    assert [record.origin for record in (await store.ask(sort="created")).records] == ["own", "others"]
    assert await store.found(origin="others") == [2]
    assert (await store.ask(origin="own", total="count", limit=0)).matched == 1


async def test_taking_back_what_others_put_into_a_record_makes_it_ones_own_again(store: Store):
    await store.add()
    await store.of(MEI).revise(1, {"content": "x", "origin": "others"}, store.key(), told)
    assert (await store.of(MEI).get(1)).origin == "others"
    await store.of(MEI).undo(store.key())
    assert (await store.of(MEI).get(1)).origin == "own"


# ── taking back ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_changes_are_taken_back_from_the_last_to_the_first(store: Store):
    first = await store.add(content="買牛奶")
    await store.of(MEI).revise(1, {"content": "買豆漿"}, store.key(), told)
    await store.of(MEI).remove([1], store.key(), told)

    restored = await store.of(MEI).undo(store.key())
    assert (restored.kind, restored.record.content, restored.record.deleted_at) == ("undo", "買豆漿", None)
    assert await store.found(keyword="豆漿") == [1]

    reworded = await store.of(MEI).undo(store.key())
    assert reworded.after == replace(first, rev=5)

    gone = await store.of(MEI).undo(store.key())
    assert (gone.after, gone.record.content) == (None, "買牛奶")
    assert await store.found() == await store.found(keyword="牛奶") == []
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key())


async def test_an_undo_says_what_it_took_back_and_marks_it(store: Store):
    change = await store.of(MEI).record(Draft(content="x", type="note"), store.key("making"), told)
    undone = await store.of(MEI).undo(store.key("undoing"), change.id)
    assert undone.undoes == change.id
    assert await store.of(MEI).changes("undoing") == [undone]
    assert [each.state for each in await store.of(MEI).changes("making")] == ["undone"]
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), change.id)


async def test_taking_back_an_update_leaves_what_was_changed_otherwise(store: Store):
    await store.add(content="回診", when=MONDAY)
    moved = await store.of(MEI).revise(1, {"when": MONDAY + timedelta(hours=1)}, store.key(), told)
    await store.of(MEI).revise(1, {"content": "跟陳醫師回診"}, store.key(), told)
    undone = await store.of(MEI).undo(store.key(), moved.id)
    assert (undone.record.when, undone.record.content) == (MONDAY, "跟陳醫師回診")


async def test_an_amount_is_taken_back_together_with_its_currency(store: Store):
    await store.add(type="expense", amount=Decimal("12.50"), currency="USD")
    await store.of(MEI).revise(1, {"amount": Decimal(300)}, store.key(), told)
    await store.of(MEI).revise(1, {"currency": "JPY"}, store.key(), told)
    for amount, currency in ((Decimal(300), "USD"), (Decimal("12.50"), "USD")):
        record = (await store.of(MEI).undo(store.key())).record
        assert (record.amount, record.currency) == (amount, currency)


async def test_an_amount_is_taken_back_in_its_own_currency_if_that_was_changed_since(store: Store):
    await store.add(type="expense", amount=Decimal("12.50"), currency="USD")
    changed = await store.of(MEI).revise(1, {"amount": Decimal(300)}, store.key(), told)
    await store.of(MEI).revise(1, {"currency": "JPY"}, store.key(), told)
    record = (await store.of(MEI).undo(store.key(), changed.id)).record
    assert (record.amount, record.currency) == (Decimal("12.50"), "USD")


async def test_a_moved_time_is_taken_back_to_its_own_local_day(store: Store):
    late = datetime(2026, 11, 30, 23, 30, tzinfo=NEW_YORK)  # the first of December in UTC
    await store.add(when=late)
    await store.of(MEI).revise(1, {"when": MONDAY + timedelta(days=9)}, store.key(), told)
    await store.of(MEI).undo(store.key())
    assert (await store.ask(total="count", group_by="day")).figures == (Figure(Decimal(1), 1, None, "2026-11-30"),)


async def test_what_is_older_than_thirty_days_stays(store: Store):
    await store.add()
    store.clock.move(days=30)
    await store.of(MEI).undo(store.key())
    await store.add()
    store.clock.move(days=30, seconds=1)
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key())


async def test_a_change_to_a_record_that_is_gone_cannot_be_taken_back(store: Store):
    await store.add()
    changed = await store.of(MEI).revise(1, {"content": "x"}, store.key(), told)
    await store.of(MEI).remove([1], store.key(), told)
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), changed.id)


async def test_a_proposal_is_nothing_to_take_back(store: Store):
    made = [await store.add(), await store.add()]
    await store.of(MEI).remove([1, 2], store.key(), told, proposed=True)
    undone = await store.of(MEI).undo(store.key())
    assert undone.record.ref == made[1].ref
    assert await store.found() == [1]


async def test_the_changes_of_a_turn_stand_in_the_order_of_its_calls(store: Store):
    memory = store.of(MEI)
    await memory.record(Draft(content="b", type="note"), CallKey("turn", 2), told)
    await memory.record(Draft(content="a", type="note"), CallKey("turn", 1), told)
    await memory.revise(1, {"content": "c"}, CallKey("turn", 3), told)
    await memory.record(Draft(content="z", type="note"), CallKey("other", 1), told)
    changes = await memory.changes("turn")
    assert [(change.key.call, change.kind, change.record.content) for change in changes] == [
        (1, "create", "a"),
        (2, "create", "b"),
        (3, "update", "c"),
    ]


# ── finding by words ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "keyword"),
    [
        ("買咖啡豆", "咖啡"),
        ("買咖啡豆", "啡豆"),
        ("買咖啡豆", "買咖啡豆"),
        ("買咖啡豆", "豆"),
        ("買", "買"),
        ("買咖啡豆", " 咖　啡 "),
        ("Traffic jam", "raff"),
        ("Traffic jam", "TRAFFIC"),
        ("Traffic jam", "c j"),
        ("ＡＢＣ　１２３", "abc123"),
        ("abc 123", "ＡＢＣ"),
        ("ｶﾌｪでお茶", "カフェ"),
        ("ซื้อกาแฟที่ร้าน", "กาแฟ"),
        ("ซื้อน้ำแข็ง", "น้ำ"),
        ("straße", "STRASSE"),
        ("100% sure_thing", "100%"),
        ("100% sure_thing", "sure_"),
        ('it\'s "so"; --', "'s"),
        ('it\'s "so"; --', '"; --'),
        ("a\\b", "\\b"),
        ("zero\u200bwidth", "zerowidth"),
        ("👩‍👧 picnic", "👩‍👧"),
        ("😀", "😀"),
    ],
)
async def test_any_part_of_the_words_finds_a_record(store: Store, content: str, keyword: str):
    await store.add(content="完全不同 unrelated เรื่องอื่น")
    await store.add(content=content)
    assert await store.found(keyword=keyword) == [2]
    assert await store.found(keyword=keyword, type="task", sort="when") == [2]
    assert await store.found(keyword=keyword, status="done") == []


@pytest.mark.parametrize(
    "keyword",
    ["咖哩", "啡咖", "豆買", "ffict", "%", "_", "t%c", "買%豆", "買_啡", "\0", "\u200b", "\ud800", "'; DROP", "x" * 80],
)
async def test_nothing_else_is_found(store: Store, keyword: str):
    await store.add(content="買咖啡豆 Traffic", tags=("咖", "哩"))
    assert await store.found(keyword=keyword) == []


async def test_a_keyword_is_not_found_across_two_texts_nor_in_scattered_pairs(store: Store):
    await store.add(content="咖", tags=("啡",), notes=(Note(MONDAY, "ab bc"),))
    assert await store.found(keyword="咖啡") == []
    await store.add(content="abxbcxcd")
    assert await store.found(keyword="abcd") == []
    await store.add(content="a%b x%c a_b x_c", when=MONDAY)
    for keyword in ("a%c", "a_c", "a%b%c"):
        assert await store.found(keyword=keyword) == await store.found(keyword=keyword, span=day(11, 30)) == []
    assert await store.found(keyword="x%c", span=day(11, 30)) == [3]


@pytest.mark.parametrize(
    "fields",
    [{"content": "鑰匙"}, {"tags": ("a", "鑰匙圈")}, {"category": "鑰匙"}, {"notes": (Note(MONDAY, "在鑰匙盒"),)}],
)
async def test_content_tags_category_and_notes_are_searched(store: Store, fields: Mapping[str, Any]):
    await store.add(**fields)
    assert await store.found(keyword="鑰匙") == await store.found(keyword="匙") == [1]


async def test_a_keyword_alone_comes_newest_first_and_counts_all(store: Store):
    for number in range(12):
        await store.add(content=f"咖啡咖啡咖 {number}")
    for keyword in ("咖", "咖啡", "咖啡咖"):
        answer = await store.ask(keyword=keyword, limit=3)
        assert ([record.ref for record in answer.records], answer.matched) == ([12, 11, 10], 12)


# ── finding by the rest ───────────────────────────────────────────────────────────────────────────────────────────


async def test_everything_that_is_asked_for_must_hold(store: Store):
    await store.add(content="a", type="task", tags=("x", "y"), status="done")
    await store.add(content="a", type="expense", tags=("x",), category="飲食")
    await store.add(content="b", type="income", tags=("y", "x"))
    assert await store.found(type="task") == [1]
    assert await store.found(types=frozenset({"expense", "income"})) == [2, 3]
    assert await store.found(type="income", types=frozenset({"expense", "income"})) == [3]
    assert await store.found(type="task", types=frozenset({"expense"})) == []
    assert await store.found(status="open") == [2, 3]
    assert await store.found(category="飲食") == [2]
    assert await store.found(tags=("x",)) == [1, 2, 3]
    assert await store.found(tags=("x", "Ｙ")) == [1, 3]
    assert await store.found(tags=("x", "y"), type="income", keyword="b") == [3]
    assert await store.found(tags=("x", "y"), type="income", keyword="a") == []


async def test_the_same_kind_of_question_with_other_words_and_of_another_person_is_another_question(store: Store):
    tomorrow = date(2026, 12, 1)
    await store.add(content="咖啡豆", category="飲食", tags=("a",), when=date(2026, 11, 30))
    await store.add(content="牛奶糖", category="交通", tags=("b",), when=tomorrow, type="event", status="done")
    await store.add(KEN, content="牛奶糖", category="交通", tags=("b",), when=tomorrow, type="event", status="done")
    for one, other in (
        ({"keyword": "咖"}, {"keyword": "牛"}),
        ({"keyword": "咖啡"}, {"keyword": "牛奶"}),
        ({"keyword": "咖啡豆"}, {"keyword": "牛奶糖"}),
        ({"keyword": "咖啡豆", "type": "task"}, {"keyword": "牛奶糖", "type": "event"}),
        ({"keyword": "咖啡", "span": day(11, 30)}, {"keyword": "牛奶", "span": day(12, 1)}),
        ({"span": day(11, 30), "sort": "when"}, {"span": day(12, 1), "sort": "when"}),
        ({"category": "飲食", "status": "open"}, {"category": "交通", "status": "done"}),
        ({"tags": ("a",)}, {"tags": ("b",)}),
    ):
        answers = [await store.found(**one), await store.found(**other), await store.found(KEN, **other)]
        assert answers == [[1], [2], [1]]
        assert await store.found(KEN, **one) == []


async def test_the_limit_cuts_the_list_but_not_the_count(store: Store):
    for _ in range(7):
        await store.add()
    answer = await store.ask()
    assert (len(answer.records), answer.matched, answer.figures) == (5, 7, ())
    assert (await store.ask(limit=0)) == Answer((), 7)


async def test_sorting(store: Store):
    tomorrow = date(2026, 12, 1)
    await store.add(content="no time")
    await store.add(
        when=datetime(2026, 12, 1, 9, 0, tzinfo=TAIPEI), amount=Decimal(500), currency="JPY", type="expense"
    )
    await store.add(when=tomorrow, amount=Decimal(600), currency="TWD", type="expense")
    await store.add(when=date(2026, 11, 30), amount=Decimal("40.5"), currency="USD", type="expense")
    await store.add(when=tomorrow, amount=Decimal("550.125"), currency="KWD", type="expense")
    await store.add(content="no time either")
    assert await store.found(sort="when") == [4, 3, 5, 2, 1, 6]
    assert await store.found(sort="-when") == [2, 5, 3, 4, 6, 1]
    assert await store.found(sort="created") == [1, 2, 3, 4, 5, 6]
    assert await store.found(sort="-created") == [6, 5, 4, 3, 2, 1]
    assert await store.found(sort="-amount") == [3, 5, 2, 4, 6, 1]
    assert [record.ref for record in (await store.ask(sort="when", limit=5)).records] == [4, 3, 5, 2, 1]


# ── spans ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def span(start: date, end: date, zone: ZoneInfo = TAIPEI) -> Span:
    return Span(*(datetime(day.year, day.month, day.day, tzinfo=zone) for day in (start, end)))


def day(month: int, day_: int, zone: ZoneInfo = TAIPEI) -> Span:
    start = date(2026, month, day_)
    return span(start, start + timedelta(days=1), zone)


async def test_a_clock_time_is_inside_from_the_start_up_to_but_not_at_the_end(store: Store):
    start = datetime(2026, 12, 1, 15, 0, tzinfo=TAIPEI)
    for minutes in (-1, 0, 59, 60):
        await store.add(when=start + timedelta(minutes=minutes))
    assert await store.found(span=Span(start, start + timedelta(hours=1))) == [2, 3]
    assert await store.found(span=Span(start, start)) == []


async def test_a_whole_day_is_inside_if_any_part_of_it_is_in_whatever_zone(store: Store):
    await store.add(when=date(2026, 12, 1))
    for zone in (TAIPEI, TOKYO, NEW_YORK, UTC):
        noon = datetime(2026, 12, 1, 12, 0, tzinfo=zone)
        assert await store.found(span=Span(noon, noon + timedelta(minutes=1))) == [1]
        midnight = datetime(2026, 12, 1, tzinfo=zone)
        assert await store.found(span=Span(midnight - timedelta(days=1), midnight)) == []
        assert await store.found(span=Span(midnight + timedelta(days=1), midnight + timedelta(days=2))) == []


async def test_a_clock_time_is_an_instant_however_far_the_asking_zone(store: Store):
    await store.add(when=datetime(2026, 12, 1, 0, 30, tzinfo=ZoneInfo("Pacific/Kiritimati")))
    west = ZoneInfo("Pacific/Pago_Pago")
    assert await store.found(span=span(date(2026, 11, 29), date(2026, 11, 30), west)) == [1]
    assert await store.found(span=span(date(2026, 12, 1), date(2026, 12, 2), west)) == []


@pytest.mark.parametrize(("local", "hours"), [(date(2026, 3, 8), 23), (date(2026, 11, 1), 25)])
async def test_a_day_on_which_the_clock_changes_is_as_long_as_it_is(store: Store, local: date, hours: int):
    whole = span(local, local + timedelta(days=1), NEW_YORK)
    start, end = (moment.astimezone(UTC) for moment in (whole.start, whole.end))
    assert end - start == timedelta(hours=hours)
    await store.add(when=start)
    await store.add(when=end - timedelta(microseconds=1))
    await store.add(when=end)
    await store.add(when=local)
    await store.add(when=local + timedelta(days=1))
    assert await store.found(span=whole) == [1, 2, 4]


async def test_what_lasts_is_inside_if_it_overlaps(store: Store):
    clock = datetime(2026, 12, 1, 15, 0, tzinfo=TAIPEI)
    await store.add(when=date(2026, 11, 28), until=date(2026, 12, 1))
    await store.add(when=clock, until=clock + timedelta(hours=20))
    await store.add(when=date(2020, 1, 1), until=date(2030, 1, 1))
    await store.add(when=clock - timedelta(days=3), until=date(2026, 12, 2))
    await store.add(when=date(2026, 11, 29), until=clock)
    assert await store.found(span=day(12, 1)) == [1, 2, 3, 4, 5]
    assert await store.found(span=day(12, 2)) == [2, 3, 4]
    assert await store.found(span=day(11, 28)) == [1, 3, 4]
    assert await store.found(span=day(12, 3)) == [3]
    assert await store.found(span=Span(clock, clock + timedelta(hours=1))) == [1, 2, 3, 4]
    assert await store.found(span=span(date(2031, 1, 1), date(2032, 1, 1))) == []


async def test_what_has_no_time_is_in_no_span(store: Store):
    await store.add()
    assert await store.found(span=span(date(1, 1, 1), date(9999, 12, 31))) == []


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def spent(store: Store) -> None:
    for kind, amount, currency, more in (
        ("expense", "120", "TWD", {"category": "飲食", "tags": ("家", "咖啡"), "when": date(2026, 11, 29)}),
        ("expense", "80.5", "TWD", {"category": "交通", "tags": ("家",), "when": date(2026, 11, 30)}),
        ("expense", "850", "JPY", {"category": "飲食", "when": date(2026, 12, 1)}),
        ("income", "1000", "TWD", {"when": datetime(2026, 12, 1, 0, 30, tzinfo=TAIPEI)}),
    ):
        await store.add(type=kind, amount=Decimal(amount), currency=currency, **more)
    await store.add(type="task", content="no money")
    await store.add(type="expense", content="amount unknown", category="飲食")


def lines(answer: Answer) -> list[tuple[str | None, str | None, str, int]]:
    return [(line.group, line.currency, f"{line.value.normalize():f}", line.count) for line in answer.figures]


async def test_totals_cover_all_that_match_one_figure_for_each_currency(store: Store):
    await spent(store)
    assert lines(await store.ask(total="count", limit=1)) == [(None, None, "6", 6)]
    assert lines(await store.ask(total="amount", type="expense", limit=1)) == [
        (None, "JPY", "850", 1),
        (None, "TWD", "200.5", 2),
    ]
    assert lines(await store.ask(total="net", limit=0)) == [(None, "JPY", "-850", 1), (None, "TWD", "799.5", 3)]
    assert lines(await store.ask(total="amount", keyword="nowhere")) == []
    assert lines(await store.ask(total="count", keyword="nowhere")) == [(None, None, "0", 0)]
    assert lines(await store.ask(total="amount", type="expense", span=day(11, 30))) == [(None, "TWD", "80.5", 1)]


async def test_totals_in_groups(store: Store):
    await spent(store)
    assert lines(await store.ask(total="amount", type="expense", group_by="category")) == [
        ("飲食", "JPY", "850", 1),
        ("飲食", "TWD", "120", 1),
        ("交通", "TWD", "80.5", 1),
    ]
    assert lines(await store.ask(total="amount", type="expense", group_by="tag")) == [
        ("家", "TWD", "200.5", 2),
        ("咖啡", "TWD", "120", 1),
        (None, "JPY", "850", 1),
    ]
    assert lines(await store.ask(total="net", group_by="month")) == [
        ("2026-11", "TWD", "-200.5", 2),
        ("2026-12", "JPY", "-850", 1),
        ("2026-12", "TWD", "1000", 1),
    ]
    assert lines(await store.ask(total="count", group_by="day")) == [
        ("2026-11-29", None, "1", 1),
        ("2026-11-30", None, "1", 1),
        ("2026-12-01", None, "2", 2),
        (None, None, "2", 2),
    ]
    assert lines(await store.ask(group_by="type")) == [
        ("expense", None, "4", 4),
        ("income", None, "1", 1),
        ("task", None, "1", 1),
    ]
    assert lines(await store.ask(total="count", group_by="person")) == [(MEI, None, "6", 6)]
    assert lines(await store.ask(total="count", group_by="status")) == [("open", None, "6", 6)]


async def test_days_are_the_local_days_of_the_zone_a_time_was_said_in(store: Store):
    await store.add(when=datetime(2026, 11, 30, 23, 30, tzinfo=NEW_YORK))
    await store.add(when=datetime(2026, 12, 1, 0, 30, tzinfo=TOKYO))
    assert [line.group for line in (await store.ask(total="count", group_by="day")).figures] == [
        "2026-11-30",
        "2026-12-01",
    ]


async def test_tags_that_differ_only_in_case_are_one_group(store: Store):
    await store.add(tags=("Work",))
    await store.add(tags=("work", "WORK"))
    assert lines(await store.ask(total="count", group_by="tag")) == [("WORK", None, "2", 2)] or [("Work", None, "2", 2)]
    assert await store.found(tags=("ＷＯＲＫ",)) == [1, 2]


# ── reminders ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def rings(store: Store) -> list[tuple[PersonId, int]]:
    return [(ring.record.owner, ring.record.ref) for ring in await SqlReminders(store.database).due(store.clock.now)]


async def test_reminders_of_all_owners_are_due_at_their_time_oldest_first(store: Store):
    await store.add(MEI, remind_at=MONDAY + timedelta(minutes=2))
    await store.add(KEN, remind_at=MONDAY + timedelta(minutes=1), status="doing")
    await store.add(KEN)
    assert await rings(store) == []
    store.clock.move(minutes=2)
    assert await rings(store) == [(KEN, 1), (MEI, 1)]


async def test_a_ring_is_handed_over_once(store: Store):
    await store.add(remind_at=MONDAY)
    reminders = SqlReminders(store.database)
    (ring,) = await reminders.due(MONDAY)
    assert ring.due == MONDAY
    assert sorted([await reminders.rung(ring.record.id, ring.due) for _ in range(2)]) == [False, True]
    assert await rings(store) == []
    assert (await store.of(MEI).get(1)).remind_at == MONDAY


async def test_a_reminder_that_was_moved_meanwhile_is_not_rung_off(store: Store):
    await store.add(remind_at=MONDAY)
    reminders = SqlReminders(store.database)
    (ring,) = await reminders.due(MONDAY)
    await store.of(MEI).revise(1, {"remind_at": MONDAY + timedelta(hours=1)}, store.key(), told)
    assert await reminders.rung(ring.record.id, ring.due) is False
    store.clock.move(hours=1)
    assert await rings(store) == [(MEI, 1)]


@pytest.mark.parametrize("status", ["done", "cancelled"])
async def test_what_is_finished_is_silent_and_rings_again_if_reopened_in_time(store: Store, status: str):
    await store.add(remind_at=MONDAY + timedelta(hours=1))
    await store.of(MEI).revise(1, {"status": status}, store.key(), told)
    store.clock.move(minutes=30)
    await store.of(MEI).revise(1, {"status": "open"}, store.key(), told)
    store.clock.move(minutes=30)
    assert await rings(store) == [(MEI, 1)]
    await store.of(MEI).revise(1, {"status": status}, store.key(), told)
    assert await rings(store) == []
    await store.of(MEI).revise(1, {"status": "open"}, store.key(), told)
    assert await rings(store) == [], "its time has passed"


async def test_what_is_deleted_is_silent_and_rings_again_if_restored_in_time(store: Store):
    await store.add(remind_at=MONDAY + timedelta(hours=1))
    await store.of(MEI).remove([1], store.key(), told)
    store.clock.move(minutes=59)
    deleted = store.clock.now + timedelta(hours=9)
    assert await SqlReminders(store.database).due(deleted) == []
    await store.of(MEI).undo(store.key())
    store.clock.move(minutes=1)
    assert await rings(store) == [(MEI, 1)]


async def test_other_updates_neither_ring_again_nor_silence(store: Store):
    await store.add(remind_at=MONDAY)
    await store.of(MEI).revise(1, {"content": "x"}, store.key(), told)
    (ring,) = await SqlReminders(store.database).due(MONDAY)
    await SqlReminders(store.database).rung(ring.record.id, ring.due)
    await store.of(MEI).revise(1, {"content": "y", "status": "doing"}, store.key(), told)
    assert await rings(store) == []


async def test_taking_back_a_moved_reminder_does_not_ring_for_the_past(store: Store):
    await store.add(remind_at=MONDAY)
    await SqlReminders(store.database).rung((await store.of(MEI).get(1)).id, MONDAY)
    store.clock.move(hours=1)
    await store.of(MEI).revise(1, {"remind_at": MONDAY + timedelta(hours=5)}, store.key(), told)
    await store.of(MEI).undo(store.key())
    store.clock.move(days=1)
    assert await rings(store) == []


async def test_removing_the_reminder_silences_it(store: Store):
    await store.add(remind_at=MONDAY)
    await store.of(MEI).revise(1, {"remind_at": None}, store.key(), told)
    assert await rings(store) == []


# ── what became of a record, and taking an undo back ──────────────────────────────────────────────────────────────


async def test_the_history_of_a_record_is_its_changes_oldest_first_also_when_it_is_gone(store: Store):
    await store.add(content="買牛奶")
    await store.add(content="別的")
    await store.of(MEI).revise(1, {"content": "買豆漿"}, store.key(), told)
    await store.of(MEI).remove([1], store.key(), told, proposed=True)
    await store.of(MEI).remove([1], store.key(), told)
    await store.of(MEI).undo(store.key())

    history = await store.of(MEI).history(1)

    assert [(each.kind, each.state) for each in history] == [
        ("create", "done"),
        ("update", "done"),
        ("delete", "proposed"),
        ("delete", "undone"),
        ("undo", "done"),
    ]
    assert {each.record.ref for each in history} == {1}
    assert await store.of(KEN).history(1) == await store.of(MEI).history(9) == []


async def test_a_named_change_is_left_alone_if_what_it_changed_was_changed_since(store: Store):
    await store.add(when=MONDAY)
    moved = await store.of(MEI).revise(1, {"when": MONDAY + timedelta(hours=1)}, store.key(), told)
    again = await store.of(MEI).revise(1, {"when": MONDAY + timedelta(hours=2)}, store.key(), told)
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), moved.id)
    assert (await store.of(MEI).get(1)).when == MONDAY + timedelta(hours=2)

    await store.of(MEI).undo(store.key(), again.id)
    assert (await store.of(MEI).undo(store.key(), moved.id)).record.when == MONDAY


async def test_of_notes_only_the_one_that_is_taken_back_goes(store: Store):
    await store.add()
    notes = [Note(MONDAY + timedelta(minutes=n), text) for n, text in enumerate("abc")]
    changes = [
        await store.of(MEI).revise(1, {"notes": tuple(notes[: n + 1])}, store.key(), told) for n in range(len(notes))
    ]
    undone = await store.of(MEI).undo(store.key(), changes[1].id)
    assert [note.text for note in undone.record.notes] == ["a", "c"]
    assert await store.found(keyword="b") == []
    back = await store.of(MEI).undo(store.key(), undone.id)
    assert [note.text for note in back.record.notes] == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["create", "update", "delete"])
async def test_an_undo_is_taken_back_and_what_it_undid_can_be_undone_again(store: Store, kind: str):
    await store.add(content="x")
    if kind == "update":
        await store.of(MEI).revise(1, {"content": "y"}, store.key(), told)
    elif kind == "delete":
        await store.of(MEI).remove([1], store.key(), told)
    then = await store.found(), await store.of(MEI).get(1)

    undone = await store.of(MEI).undo(store.key())
    redone = await store.of(MEI).undo(store.key(), redo=True)

    assert (redone.kind, redone.undoes) == ("undo", undone.id)
    assert await store.found() == then[0]
    record = await store.of(MEI).get(1)
    assert (record and record.content) == (then[1] and then[1].content)
    states = {each.id: each.state for each in await store.of(MEI).history(1)}
    assert states[undone.id] == "undone"
    assert states[undone.undoes] == "done"
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), redo=True)

    again = await store.of(MEI).undo(store.key())
    assert again.undoes == undone.undoes
    for _ in range(2):  # back and forth, by name
        again = await store.of(MEI).undo(store.key(), again.id)
    states = {each.id: each.state for each in await store.of(MEI).history(1)}
    assert states[undone.undoes] == "undone"


async def test_an_undo_is_taken_back_by_its_owner_once_and_within_thirty_days(store: Store):
    await store.add()
    undone = await store.of(MEI).undo(store.key())
    with pytest.raises(NothingToUndo):
        await store.of(KEN).undo(store.key(), undone.id)
    with pytest.raises(NothingToUndo):
        await store.of(KEN).undo(store.key(), redo=True)
    key = store.key()
    first = await store.of(MEI).undo(key, undone.id)
    assert await store.of(MEI).undo(key, undone.id) == first
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), undone.id)
    store.clock.move(days=30, seconds=1)
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key(), first.id)


async def test_an_undo_of_a_record_that_was_changed_since_is_left_alone(store: Store):
    await store.add(content="x")
    await store.of(MEI).revise(1, {"content": "y"}, store.key(), told)
    undone = await store.of(MEI).undo(store.key())
    await store.of(MEI).revise(1, {"content": "z"}, store.key(), told)
    for name in (undone.id, None):
        with pytest.raises(NothingToUndo):
            await store.of(MEI).undo(store.key(), name, redo=name is None)
    assert (await store.of(MEI).get(1)).content == "z"


async def test_a_new_record_that_is_only_proposed_is_nowhere_until_it_is_confirmed_within_thirty_days(store: Store):
    draft = Draft(content="買牛奶", type="task", remind_at=MONDAY + timedelta(days=40), tags=("家",))
    key = store.key()
    proposal = await store.of(MEI).record(draft, key, told, proposed=True)
    late = await store.of(MEI).record(draft, store.key(), told, proposed=True)
    assert (proposal.state, await store.of(MEI).get(1)) == ("proposed", None)
    assert await store.found() == await store.found(keyword="牛奶") == await store.found(tags=("家",)) == []
    assert (await store.of(MEI).record(draft, key, told, proposed=True)).repeated
    with pytest.raises(NothingToUndo):
        await store.of(MEI).undo(store.key())
    assert await store.of(KEN).confirm([proposal.id], store.key()) == []

    store.clock.move(days=29)
    (made,) = await store.of(MEI).confirm([proposal.id], store.key())
    assert (made.kind, made.state, made.before, made.record.content) == ("create", "done", None, "買牛奶")
    assert await store.found(keyword="牛奶") == await store.found(tags=("家",)) == [1]
    assert await store.of(MEI).confirm([proposal.id], store.key()) == []
    await store.of(MEI).undo(store.key())
    assert await store.found() == []
    store.clock.move(days=1)
    assert await store.of(MEI).confirm([late.id], store.key()) == []

"""The audit of tool calls on both stores: every call has its row, once, without a word of what was asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from bot.log_command import AuditedCall
from bot.ports import ClaimLost, TurnId
from bot.redaction import Redactor
from bot.sql.audit import AUDIT_KEY, TOOL_CALL, TURNS_UNDER_WAY, SqlAudit, SqlAuditTrail, audit_of, hash_of
from bot.sql.housekeeping import ID_DAYS, SqlHousekeeping
from bot.sql.transcript import TRANSCRIPT, SqlTranscript
from bot.thinking.tool_loop import ToolEvent, ToolLoop
from tests.fakes import ANNA, BEN, Calendar, ScriptedModel, Shelf, a_prompt, asks, says
from tools.database import Database, micros
from tools.database.trouble import DatabaseUnavailable
from tools.record import PersonId, StoreUnavailable

TURN = TurnId("01E001")


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


class Bench:
    """A loop on a store, watched by the audit."""

    def __init__(self, database: Database, clock: Calendar) -> None:
        self.database = database
        self.audit = SqlAudit(clock)
        self.transcript = SqlTranscript(database, clock, self.audit.beside)
        self.shelf = Shelf()

    async def says(self, *steps: Any, turn: str = TURN, person: str = ANNA, resumed: bool = True) -> str:
        prompt = a_prompt(
            "買牛奶",
            turn=TurnId(turn),
            chat=ANNA,
            person=PersonId(person),
            system="You are a secretary.",
            resumed=resumed,
        )
        with ScriptedModel(*steps) as model:
            loop = ToolLoop(model, self.transcript, observe=self.audit.note)
            return await loop.llm(prompt, self.shelf.tools())

    async def calls(self, turn: str = "", person: str = "", last: int = 10) -> list[AuditedCall]:
        return await SqlAuditTrail(self.database).calls(turn=turn, person=person, last=last)


@pytest.fixture
def bench(database: Database, clock: Calendar) -> Bench:
    return Bench(database, clock)


def event(**more: Any) -> ToolEvent:
    whose = {"turn": TURN, "chat": ANNA, "person": PersonId(ANNA)}
    told = {"tool": "put", "state": "done", "call": 1, "outcome": "ok", "seconds": 0.5}
    return ToolEvent(**(whose | told | more))


async def noted(bench: Bench, *events: ToolEvent, seq: int = 0) -> list[AuditedCall]:
    for each in events:
        bench.audit.note(each)
    await bench.transcript.append(TURN, ANNA, seq, [{"role": "user", "content": "x"}])
    return await bench.calls()


async def test_every_call_has_a_row_also_one_that_was_refused(bench: Bench, clock: Calendar):
    many = [("put", f'{{"thing":"{number}"}}') for number in range(15)]
    await bench.says(asks(*many, ("fly", "{}"), ("put", "not json")), asks(*many[:1], ("count", "{}")), says("好"))

    calls = await bench.calls()
    assert [(each.call, each.tool, each.outcome) for each in calls] == [
        *((number, "put", "ok") for number in range(1, 16)),
        (16, "fly", "unknown_tool"),
        (17, "put", "too_many_calls"),
        (18, "put", "repeated"),
        (19, "count", "ok"),
    ]
    assert {(each.turn, each.person, each.at) for each in calls} == {(TURN, ANNA, clock.now)}


async def test_no_word_of_the_arguments_is_kept_and_equal_ones_are_known_by_their_hash(bench: Bench):
    await bench.says(
        asks(("put", '{"thing":"祕密","n":1}'), ("put", '{"n": 1, "thing": "祕密"}'), ("put", '{"thing":"別的"}')),
        says("好"),
    )
    same, as_well, other = [each.hash for each in await bench.calls()]
    rows = await bench.database.read(lambda c: [tuple(row) for row in c.execute(select(TOOL_CALL))])

    assert same == as_well != other
    assert len(same) == 64
    assert "祕密" not in str(rows)


async def test_whoever_has_the_key_can_say_whether_a_call_was_a_certain_one(bench: Bench):
    await bench.says(asks(("put", '{"thing":"牛奶"}')), says("好"))
    ((key,),) = await bench.database.read(lambda c: [tuple(row) for row in c.execute(select(AUDIT_KEY.c.key))])

    (call,) = await bench.calls()
    assert call.hash == hash_of("put", {"thing": "牛奶"}, bytes.fromhex(key))
    assert call.hash != hash_of("count", {"thing": "牛奶"}, bytes.fromhex(key))
    assert call.hash != hash_of("put", {"thing": "牛奶"}, bytes(32))


async def test_the_key_is_made_once_and_is_the_same_for_every_process(
    bench: Bench, database: Database, clock: Calendar
):
    other = Bench(database, clock)
    await asyncio.gather(
        bench.says(asks(("count", "{}")), says("好"), turn="one"),
        other.says(asks(("count", "{}")), says("好"), turn="two"),
    )
    await Bench(database, clock).says(asks(("count", "{}")), says("好"), turn="three")

    assert len({each.hash for each in await bench.calls()}) == 1
    assert len(await database.read(lambda c: c.execute(select(AUDIT_KEY)).all())) == 1


async def test_a_key_whose_transaction_was_taken_back_is_not_used(bench: Bench):
    bench.audit.note(event())
    await bench.transcript.append(TURN, ANNA, 0, [{"role": "user", "content": "x"}])
    await bench.database.write(lambda c: (c.execute(delete(AUDIT_KEY)), c.execute(delete(TOOL_CALL))))
    fresh = Bench(bench.database, Calendar())
    fresh.audit.note(event())
    with pytest.raises(ClaimLost):
        await fresh.transcript.append(TURN, ANNA, 0, [{"role": "user", "content": "x"}])

    assert await fresh.calls() == []
    (call,) = await noted(fresh, event(), seq=1)
    ((key,),) = await bench.database.read(lambda c: [tuple(row) for row in c.execute(select(AUDIT_KEY.c.key))])
    assert call.hash == hash_of("put", "", bytes.fromhex(key))


# ── after a crash ─────────────────────────────────────────────────────────────────────────────────────────────────


async def test_there_is_a_row_exactly_where_a_result_is_and_after_a_crash_none_twice(
    bench: Bench, database: Database, clock: Calendar
):
    """A process dies after any message it stored; another goes on with the turn."""
    script = [asks(("put", '{"thing":"牛奶"}'), ("count", "{}")), asks(("put", '{"thing":"蛋"}')), says("好")]
    await bench.says(*script)
    whole = [(each.call, each.tool, each.outcome, each.hash) for each in await bench.calls()]
    messages = await bench.transcript.of_turn(TURN)
    for length in range(1, len(messages)):
        await database.write(lambda c: (c.execute(delete(TRANSCRIPT)), c.execute(delete(TOOL_CALL))))
        next_one = Bench(database, clock)
        next_one.shelf = bench.shelf
        told = sum(message["role"] == "tool" for message in messages[:length])
        for call, tool, outcome, _ in whole[:told]:
            next_one.audit.note(event(call=call, tool=tool, outcome=outcome, arguments=arguments(call)))
        await next_one.transcript.append(TURN, ANNA, 0, messages[:length])
        assert [each.call for each in await next_one.calls()] == [call for call, *_ in whole[:told]]

        asked = sum(message["role"] == "assistant" for message in messages[:length])
        await next_one.says(*script[asked:])
        assert [(each.call, each.tool, each.outcome, each.hash) for each in await next_one.calls()] == whole


def arguments(call: int) -> str:
    return ["", '{"thing":"牛奶"}', "{}", '{"thing":"蛋"}'][call]


async def test_a_call_that_was_interrupted_by_the_store_is_recorded_as_it_ended(bench: Bench):
    async def unavailable(arguments, key):
        raise StoreUnavailable("the disk is full")

    tools = bench.shelf.tools
    bench.shelf.tools = lambda: [replace(tool, handler=unavailable) for tool in tools()]
    with pytest.raises(StoreUnavailable):
        await bench.says(asks(("put", '{"thing":"牛奶"}')))
    assert await bench.calls() == []
    bench.shelf.tools = tools
    await bench.says(says("好"))

    assert [(each.call, each.outcome) for each in await bench.calls()] == [(1, "ok")]


# ── whatever a model sends ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name", ["x" * 500, "刪除", "a b", "", "create\x00record", "\ud800", "topsecret!", "'; DROP TABLE tool_call; --"]
)
async def test_a_name_that_no_tool_can_have_is_not_kept(bench: Bench, name: str):
    (call,) = await noted(bench, event(tool=name))
    assert call.tool == "?"


async def test_a_name_that_holds_a_secret_is_not_kept(bench: Bench):
    bench.audit = SqlAudit(Calendar(), Redactor(["topsecret"]).without_keys)
    bench.transcript = SqlTranscript(bench.database, Calendar(), bench.audit.beside)
    told = await noted(bench, event(tool="get_topsecret"), event(tool="put", call=2))
    assert [each.tool for each in told] == ["?", "put"]


@pytest.mark.parametrize("sent", [None, "", {"a": 1}, [1], "[" * 5_000, '{"a": 1e999}', "\ud800", {"a": {1, 2}}, 7])
async def test_any_arguments_have_a_hash(bench: Bench, sent: Any):
    (call,) = await noted(bench, event(arguments=sent))
    assert len(call.hash) == 64


async def test_what_cannot_be_put_in_a_row_is_left_out_and_ends_nothing(bench: Bench, caplog):
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert [each.call for each in await noted(bench, event(arguments=deep), event(call=2))] == [2]
    assert "a call is not in the audit (RecursionError)" in caplog.text


async def test_figures_beyond_all_bounds_are_cut(bench: Bench):
    (call,) = await noted(bench, event(seconds=1e12, outcome="x" * 200))
    assert (call.seconds, call.outcome) == ((2**31 - 1) / 1000, "x" * 40)


async def test_that_a_tool_began_is_no_call(bench: Bench):
    assert await noted(bench, event(state="started")) == []


async def test_turns_that_broke_off_are_forgotten_in_the_end(bench: Bench):
    for number in range(TURNS_UNDER_WAY + 1):
        bench.audit.note(event(turn=TurnId(f"turn{number}")))

    assert bench.audit.beside(TurnId("turn0")) is None
    assert bench.audit.beside(TurnId(f"turn{TURNS_UNDER_WAY}")) is not None


# ── what the operator sees ────────────────────────────────────────────────────────────────────────────────────────


async def test_the_last_turns_are_found_by_turn_and_person(bench: Bench, clock: Calendar, url: str):
    for turn, person in (("a1", ANNA), ("a2", BEN), ("a3", ANNA), ("b_1", BEN)):
        clock.move(seconds=1)
        await bench.says(asks(("count", "{}"), ("fly", "{}")), says("好"), turn=turn, person=person)

    async def turns(**which: Any) -> list[str]:
        return list(dict.fromkeys(each.turn for each in await bench.calls(**which)))

    assert await turns() == ["a1", "a2", "a3", "b_1"]
    assert await turns(last=2) == ["a3", "b_1"]
    assert await turns(turn="a") == ["a1", "a2", "a3"]
    assert await turns(turn="b_") == ["b_1"]
    assert await turns(turn="_") == []
    assert await turns(person=BEN, last=1) == ["b_1"]
    assert await turns(person=BEN[:9]) == ["a2", "b_1"]
    async with audit_of(url) as trail:
        assert [each.call for each in await trail.calls(turn="a1", person="", last=1)] == [1, 2]


async def test_a_store_that_is_not_there_is_not_made(tmp_path):
    with pytest.raises(DatabaseUnavailable):
        async with audit_of(f"sqlite:///{tmp_path}/none.db"):
            pass
    assert list(tmp_path.iterdir()) == []


async def test_rows_stay_as_long_as_ids_and_the_key_stays(bench: Bench, clock: Calendar):
    await bench.says(asks(("count", "{}")), says("好"), turn="old")
    clock.move(days=1)
    await bench.says(asks(("count", "{}")), says("好"), turn="young")
    house = SqlHousekeeping(bench.database, clock, 30, batch=2, pause_seconds=0)

    clock.move(days=ID_DAYS - 1)
    await house.clean()
    assert [each.turn for each in await bench.calls()] == ["old", "young"]
    clock.move(seconds=1)
    await house.clean()
    assert [each.turn for each in await bench.calls()] == ["young"]
    row = {"turn": "x", "person": "p", "tool": "t", "outcome": "ok", "milliseconds": 0, "arguments": ""}
    at = micros(clock.now - timedelta(days=ID_DAYS, seconds=1))
    await bench.database.write(lambda c: c.execute(insert(TOOL_CALL), [row | {"call": n, "at": at} for n in range(5)]))
    await house.clean()
    assert [each.turn for each in await bench.calls()] == ["young"]
    assert len(await bench.database.read(lambda c: c.execute(select(AUDIT_KEY)).all())) == 1

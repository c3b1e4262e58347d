"""More than a thousand bad argument sets through the loop into the real record tools: nothing is done, nothing is
repeated, and each time the model is told in a few words what would do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from bot.ports import ChatId, TurnId
from bot.thinking.tool_loop import RUN_PER_ANSWER, ToolEvent, ToolLoop
from tests.fakes import MemoryTranscript, ScriptedModel, a_prompt, asks, says
from tools.categories import CATEGORIES
from tools.database import Database
from tools.definition import Caller, ToolDefinition
from tools.record import CallKey, Draft, MemoryPort, PersonId, RecordQuery
from tools.sql.memory import SqlMemory
from tools.toolbox import toolbox

ME, OTHER = PersonId("U1"), PersonId("U2")
NOW = datetime(2026, 11, 30, 10, tzinfo=ZoneInfo("Asia/Taipei"))
CANARY = "c4n4ry"
LONGEST_ERROR = 300

Call = tuple[str, Any]


def caller(language: str = "zh-TW") -> Caller:
    return Caller(
        person=ME, role="owner", language=language, home=language, zone=ZoneInfo("Asia/Taipei"), currency="TWD", now=NOW
    )


class Unreachable:
    """A memory that nobody may come to."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a tool went on to {name}")


UNREACHABLE = cast(MemoryPort, Unreachable())


async def told(calls: Sequence[Call], memory: MemoryPort, language: str = "zh-TW") -> list[tuple[str, str]]:
    """What the model is told about each call, as it is sent, and the outcome that is shown of it."""
    answers = [asks(*calls[at : at + RUN_PER_ANSWER]) for at in range(0, len(calls), RUN_PER_ANSWER)]
    results: list[tuple[str, str]] = []
    for number, answer in enumerate(answers):
        transcript, events, turn = MemoryTranscript(), list[ToolEvent](), TurnId(f"t{number}")
        prompt = a_prompt("?", turn=turn, chat=ChatId(ME), person=ME, resumed=False)
        with ScriptedModel(answer, says("sorry")) as model:
            loop = ToolLoop(model, transcript, observe=events.append)
            assert await loop.llm(prompt, toolbox(caller(language), memory)) == "sorry"
        said = [each["content"] for each in await transcript.of_turn(turn) if each["role"] == "tool"]
        outcomes = [each.outcome for each in events if each.state != "started"]
        results += zip(said, outcomes, strict=True)
    return results


def is_fit(result: str) -> bool:
    """Short, structured, and without a word of what was sent."""
    error = json.loads(result)["error"]
    clean = not any(each in result.lower() for each in (CANARY, "traceback", "pydantic", "select", "http", "/"))
    return set(error) == {"code", "message", "fields", "retry"} and len(result) <= LONGEST_ERROR and clean


# ── what is no object of the right names ──────────────────────────────────────────────────────────────────────────

DEEP = "[" * 2_000 + "]" * 2_000
UNREADABLE: list[Any] = [
    *(CANARY, f"'{CANARY}'", "null", "[]", '"x"', "1", "true", "NaN", "{", "}", "{]", '{"a"}', '{"a":}', "{a:1}"),
    *('{"ref":1,}', "{'ref':1}", '{"ref":True}', '{"ref":None}', '{"ref":1}}', '{"ref":01}', '{"ref":+1}'),
    *('{"ref":1}{"ref":2}', '{"ref":1} {"ref":1,"x":2}', '{"ref":1}[]', '{"ref":1};', '{"ref":1} // one'),
    *(f'{{"ref":1}} {CANARY}', 'Sure! {"ref":1}', '```json\n{"ref":1}\n``` done', "```\n```\n{}", "<ref>1</ref>"),
    *('{"ref":NaN}', '{"ref":Infinity}', '{"ref":-Infinity}', '{"ref":1e999}', '{"ref":' + "9" * 5_000 + "}"),
    *('{"ref":' + DEEP + "}", DEEP, "{" * 50_000, '{"ref":"\\ud83c"}', '{"content":"\\uZZZZ"}'),
    *('"{\\"ref\\":1"', '"\\"{}\\""', '{"ref":1,"ref":2}', '{"content":"a","content":"b"}', "ref=1", "ref: 1"),
    *([1], 7, 1.5, True, [{"ref": 1}], {"ref": float("inf")}),
]
IDENTITIES = ("user_id", "owner", "owner_id", "user", "person", "group_id", "group", "as_user", "as", "tenant", "role")
SCHEMING = ("path", "sql", "query", "where", "confirmed", "confirm", "nonce", "dry_run", "force", "key", "call", "id")
STRANGE = ("__class__", "__proto__", "$ref", "Ref", "ref ", "refs[]", "", "{{7*7}}", "{settings}", "ｒｅｆ")
BASE: dict[str, dict[str, Any]] = {
    "create_record": {"content": "牛奶", "type": "task"},
    "query_records": {},
    "update_record": {"ref": 1, "status": "done"},
    "delete_record": {"ref": 1},
}
NAMES = list(BASE)


@pytest.mark.parametrize("tool", NAMES)
async def test_what_cannot_be_read_reaches_no_handler(tool: str):
    results = await told([(tool, each) for each in UNREADABLE], UNREACHABLE)
    assert [sent for sent, (result, _) in zip(UNREADABLE, results, strict=True) if not is_fit(result)] == []
    assert [sent for sent, (_, outcome) in zip(UNREADABLE, results, strict=True) if outcome != "invalid_json"] == []


@pytest.mark.parametrize("tool", NAMES)
async def test_an_argument_that_there_is_not_reaches_no_handler(tool: str):
    names = [*IDENTITIES, *SCHEMING, *STRANGE, f"<{CANARY}>"]
    calls = [(tool, json.dumps(BASE[tool] | {name: value})) for name in names for value in (OTHER, CANARY, True, None)]
    results = await told(calls, UNREACHABLE)
    assert [sent for sent, (result, _) in zip(calls, results, strict=True) if not is_fit(result)] == []
    assert {outcome for _, outcome in results} == {"invalid_arguments"}


NO_TOOLS = ("Create_record", "create_record ", "create-record", "сreate_record", "create_records", "exec", "", "*")


async def test_a_tool_that_there_is_not_is_none_however_like_it_is():
    results = await told([(each, "{}") for each in NO_TOOLS], UNREACHABLE)
    assert {outcome for _, outcome in results} == {"unknown_tool"}
    assert all(is_fit(result) and all(name in result for name in NAMES) for result, _ in results)


# ── values that do not fit ────────────────────────────────────────────────────────────────────────────────────────

OBJECTS: list[Any] = [{}, {CANARY: CANARY}, [{}], [[CANARY]], [[[]]], {"$ref": "#"}]
WRONG: dict[str, list[Any]] = {
    "integer": [*OBJECTS, CANARY, "1.5", 1.5, True, False, -1, 0, 10**9 + 1, 2**63, "1e3", "%", "*", "' or 1=1--"],
    "text": [*OBJECTS, 5, 0, 1.5, True, False, CANARY * 2_000, [CANARY, CANARY]],
    "choice": [*OBJECTS, 5, True, CANARY, "tasks", "task,event", ["task", "event"], "task\u200b"],
    "array": [{"a": CANARY}, [{}], [[CANARY]], [5], [True], [None], [f"{n}" for n in range(10_000)]],
    "refs": [{"a": 1}, [{}], [CANARY], [1.5], [True], [0], [-1], list(range(1, 10_000)), [[1]], ["../1"], ["1\u0000;"]],
}
KINDS = {"content": "text", "keyword": "text", "add_note": "text", "refs": "refs", "limit": "integer", "ref": "integer"}
TIMES = ("when", "until", "remind_at")


def wrong_values(tool: ToolDefinition) -> Iterator[Call]:
    """Every argument of the tool with every value that is not of its kind."""
    for name, schema in tool.parameters["properties"].items():
        kind = KINDS.get(name) or ("choice" if "enum" in schema else "array" if schema["type"] == "array" else "text")
        for value in WRONG[kind]:
            if "amount" in name and isinstance(value, int | float) and not isinstance(value, bool):
                continue
            yield tool.name, json.dumps(BASE[tool.name] | {name: value}, ensure_ascii=False)


@pytest.mark.parametrize("language", sorted(CATEGORIES))
async def test_a_value_of_the_wrong_kind_reaches_no_memory(language: str):
    calls = [each for tool in toolbox(caller(language), UNREACHABLE) for each in wrong_values(tool)]
    assert len(calls) > 300
    results = await told(calls, UNREACHABLE, language)
    odd = [(sent, each) for sent, each in zip(calls, results, strict=True) if not is_fit(each[0])]
    assert odd == []
    assert [sent for sent, (_, outcome) in zip(calls, results, strict=True) if outcome != "invalid_arguments"] == []


# ── values that fit and mean nothing ──────────────────────────────────────────────────────────────────────────────

NO_TIMES = [
    *(CANARY, "2026-02-30", "2026-13-01", "2026-12-01T25:00", "2026-12-01T10:00+99:99", "1764547200000", "0", "-1"),
    *("10000-01-01", "1e308", "' or 1=1--", "../", "{{7*7}}", "{settings}", "file:///etc", "\u202e2026", "(a+)+$"),
]
NO_AMOUNTS = [CANARY, "-5", 0, -1, 1e308, "1e308", "1/0", "１２３ abc", "NaN", 10**13, 0.005, "12,34,5", "0x10", "--1"]
NO_CURRENCIES = [CANARY, "XX", "TWDD", "twd;", "¤", "元元"]
NO_TAGS = [[CANARY * 100], [""], ["#"], ["\u200b"], ["x" * 101], [" # "]]


def meaningless() -> list[Call]:
    money = {"content": "午餐", "type": "expense", "amount": 120}
    sent: list[tuple[str, dict[str, Any]]] = []
    for tool in ("create_record", "update_record"):
        base = BASE[tool]
        sent += [(tool, base | {name: value}) for name in TIMES for value in NO_TIMES]
        sent += [(tool, base | {"tags": value}) for value in NO_TAGS]
        priced = money if tool == "create_record" else {"ref": 2}
        sent += [(tool, priced | {"amount": value}) for value in NO_AMOUNTS]
        sent += [(tool, priced | {"currency": value, "amount": 5}) for value in NO_CURRENCIES]
        sent += [(tool, priced | {"category": value}) for value in (CANARY, "飲 食 ", "食", "*", "飲食,交通")]
    sent += [("query_records", {"when": value}) for value in NO_TIMES]
    sent += [("query_records", {"keyword": value}) for value in (" ", "\u200b", "\u3000", "\u0000", "x" * 81)]
    sent += [("create_record", {"content": value, "type": "note"}) for value in (" ", "\u200b\u200b", "\u0000", "\n\t")]
    sent += [("create_record", {"content": CANARY, "type": "expense"}), ("create_record", {"content": CANARY})]
    sent += [("create_record", {"content": CANARY, "type": "note", "amount": 5}), ("delete_record", {"refs": []})]
    sent += [("create_record", {"content": "x", "type": "event", "when": "2026-12-02", "until": "2026-12-01"})]
    sent += [("create_record", {"content": "x", "type": "event", "until": "2026-12-01"}), ("delete_record", {})]
    sent += [
        ("create_record", {"content": "x", "type": "task", "remind_at": "2020-01-01"}),
        ("update_record", {"ref": 1}),
    ]
    return [(tool, json.dumps(arguments, ensure_ascii=False)) for tool, arguments in sent]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    opened = Database("sqlite://")
    asyncio.run(opened.start())

    async def fill() -> None:
        for person in (ME, OTHER):
            memory = SqlMemory(opened, person, lambda: NOW)
            await memory.record(Draft(content=f"{person} {CANARY}", type="task"), CallKey("before", 1), lambda _: {})
            money = Draft(content="午餐", type="expense", amount=Decimal(120), currency="TWD", category="飲食")
            await memory.record(money, CallKey("before", 2), lambda _: {})
        for number in range(3, 6):  # the other one has more of them, and one that is gone
            await memory.record(Draft(content=CANARY, type="note"), CallKey("before", number), lambda _: {})
        await SqlMemory(opened, ME, lambda: NOW).record(Draft(content="x", type="note"), CallKey("b", 3), lambda _: {})
        await SqlMemory(opened, ME, lambda: NOW).remove([3], CallKey("b", 4), lambda _: {})

    asyncio.run(fill())
    yield opened
    asyncio.run(opened.close())


async def everything(database: Database) -> list[Any]:
    memories = [SqlMemory(database, person, lambda: NOW) for person in (ME, OTHER)]
    return [(await each.query(RecordQuery(limit=20))).records for each in memories]


async def test_a_value_that_means_nothing_changes_nothing(database: Database):
    before, calls = await everything(database), meaningless()
    results = await told(calls, SqlMemory(database, ME, lambda: NOW))
    odd = [(sent, each) for sent, each in zip(calls, results, strict=True) if not is_fit(each[0])]
    assert odd == []
    fitting = {"invalid_arguments", "not_understood", "bad_amount", "nothing_changed"}
    assert {outcome for _, outcome in results} <= fitting
    assert await everything(database) == before


@pytest.mark.parametrize(("tool", "rest"), [("update_record", {"status": "done"}), ("delete_record", {})])
async def test_anothers_record_is_answered_for_as_one_that_there_is_not(database: Database, tool: str, rest: Any):
    before = await everything(database)
    calls = [(tool, json.dumps({"ref": each} | rest)) for each in (3, 4, 5, 999, "#4", "４", " 4 ")]
    results = await told(calls, SqlMemory(database, ME, lambda: NOW))
    assert {outcome for _, outcome in results} == {"not_found"}
    assert len({result for result, _ in results}) == 1, "byte for byte the same"
    assert await everything(database) == before


# ── what is certainly meant is done ───────────────────────────────────────────────────────────────────────────────

MEANT: list[Call] = [
    ("query_records", '{"limit":"3"}'),
    ("query_records", '{"limit":"３"}'),
    ("query_records", '{"limit":3.0}'),
    ("query_records", '{"limit":" 3 ","type":" ＴＡＳＫ ","keyword":null,"tags":"[]"}'),
    ("query_records", '{"type":"Task","status":"OPEN","category":""}'),
    ("query_records", '```json\n{"limit":3}\n```'),
    ("query_records", '"{\\"limit\\":3}"'),
    ("query_records", '{"limit":3}{"limit":3}'),
    ("query_records", '{"limit":3,"limit":3}'),
    ("query_records", {"limit": 3}),
    ("query_records", ""),
    ("query_records", None),
    ("query_records", '{"category":"Food"}'),
    ("query_records", '{"tags":"家"}'),
]


async def test_what_is_certainly_meant_is_carried_out(database: Database):
    results = await told(MEANT, SqlMemory(database, ME, lambda: NOW))
    assert [sent for sent, (_, outcome) in zip(MEANT, results, strict=True) if outcome not in {"ok", "repeated"}] == []

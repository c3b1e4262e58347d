"""What a turn makes of a table that was opened for reading: what a model is told of it, and what it can not be made to
do by whoever writes there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from bot.gate import Gate
from bot.model_ports import Completion, Message
from tests.fakes import ANNA, BEN, ScriptedCompany, ScriptedModel, asks, says
from tests.injection.malice import MaliciousModel
from tests.injection.orders import EVIL, MARK, ORDERS
from tests.notion.shelf import Shelf, shelf_in
from tests.talk import FAMILY, Talk, call, create, remember
from tests.test_toolbox import DIALECT, IDENTITIES, NO_MEMORY, as_sent, schemas, someone
from tools.collections import OpenCollection, collection_tools
from tools.definition import ToolError
from tools.notion.collection import NotionCollection
from tools.record import CallKey, Draft
from tools.sql.memory import SqlMemory
from tools.toolbox import toolbox

MINE = ["回診", "買牛奶", "繳房租"]
LINK = "https://shop.example/refund?a=1"
ASKED = call("search_faq", keyword="refund")


@pytest.fixture
def shelf(notion) -> Shelf:
    return shelf_in(notion)


@pytest.fixture
def opened(client, clock, shelf) -> list[OpenCollection]:
    described = shelf.described()
    return [OpenCollection(described, NotionCollection(client, described, shelf.notion.now))]


def linked(shelf: Shelf, title: str = "refund", abstract: str = "three days", link: str = LINK) -> None:
    shelf.add(title, Abstract=abstract, URL={"url": link})


async def told(opened: Sequence[OpenCollection], **arguments: Any) -> dict[str, Any]:
    (tool,) = collection_tools(opened, someone())
    try:
        return await tool.handler(arguments, CallKey("turn", 1))
    except ToolError as refusal:
        return refusal.as_result()["error"]


# ── what a model sees ─────────────────────────────────────────────────────────────────────────────────────────────


def test_there_is_a_tool_for_each_that_only_reads_and_says_little(opened):
    (tool,) = collection_tools(opened, someone())
    (sent,) = as_sent([tool])

    assert (tool.name, tool.read_only) == ("search_faq", True)
    assert "what customers ask" in tool.description
    assert list(tool.parameters["properties"]) == ["keyword", "limit"]
    assert tool.parameters["required"] == ["keyword"]
    assert all(
        set(each) <= DIALECT and not IDENTITIES & set(each.get("properties", ())) for each in schemas(tool.parameters)
    )
    example = json.loads(tool.description[tool.description.index("{") : tool.description.rindex("}") + 1])
    assert set(example) <= set(tool.parameters["properties"])
    assert len(json.dumps(sent, ensure_ascii=False).encode()) < 600


@pytest.mark.parametrize(("role", "count"), [("owner", 1), ("member", 1), ("guest", 1), ("stranger", 0)])
def test_whoever_may_ask_at_all_has_it(opened, role, count):
    tools = toolbox(someone(role=role), NO_MEMORY, collections=opened)

    assert sum(each.name == "search_faq" for each in tools) == count


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({}, "keyword"),
        ({"keyword": " \u3000 "}, "keyword"),
        ({"keyword": "x" * 81}, "keyword"),
        ({"keyword": "x", "limit": 0}, "limit"),
        ({"keyword": "x", "limit": 6}, "limit"),
        ({"keyword": "x", "published": False}, "published"),
        ({"keyword": "x", "filter": {}}, "filter"),
    ],
)
async def test_arguments_that_do_not_fit_ask_nothing_of_notion(notion, opened, arguments, path):
    notion.requests.clear()
    refused = await told(opened, **arguments)

    assert (refused["code"], [each["path"] for each in refused["fields"]]) == ("invalid_arguments", [path])
    assert notion.requests == []


async def test_a_result_begins_with_untrusted_and_none_at_all_is_no_words_of_others(shelf, opened):
    for number in range(5):
        linked(shelf, f"refund {number}")

    found = await told(opened, keyword="  refund  ")
    assert list(found) == ["untrusted", "found", "items"]
    assert found["found"] == len(found["items"]) == 3
    assert {name for each in found["items"] for name in each} == {"kind", "title", "summary", "link"}
    assert len((await told(opened, keyword="refund", limit="5"))["items"]) == 5
    assert await told(opened, keyword="shipping") == {"found": 0, "items": []}


@pytest.mark.parametrize("kind", ["401", "502", "400"])
async def test_of_a_failure_nothing_is_told_but_that_it_cannot_be_reached(notion, opened, kind):
    notion.fail(kind, times=99)

    assert await told(opened, keyword="refund") == {
        "code": "not_reachable",
        "message": "It cannot be reached now. Say so, and do not guess what stands there.",
        "fields": [],
        "retry": False,
    }


# ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_link_stays_live_where_the_operator_said_that_links_stand_and_nowhere_else(database, shelf, opened):
    linked(shelf, "refund https://in-title.example/x", "see https://in-text.example/y")
    said = f"{LINK} https://in-title.example/x https://in-text.example/y {LINK}&more=1"
    with ScriptedModel(asks(ASKED), says(said), says(LINK), says("好的。"), says(LINK)) as model:
        talk = Talk(database, model, collections=opened)
        (answer,) = await talk.says("how long does a refund take?")
        (again,) = await talk.says("send me the first one again")
        await talk.says("thank you, that was all for now")
        (later,) = await talk.says("and once more, please")

    assert answer.split() == [
        LINK, "in-title[.]example/x", "in-text[.]example/y", "shop[.]example/refund?a=1&more=1",
    ]  # fmt: skip
    assert again == LINK
    assert later == "shop[.]example/refund?a=1", "what it was is not in sight any more"


async def test_in_a_group_it_is_the_same(database, shelf, opened):
    linked(shelf)
    with ScriptedModel(asks(ASKED), says(f"三天：{LINK}")) as model:
        talk = Talk(database, model, collections=opened, company=ScriptedCompany(people={BEN: "小本"}))
        await talk.says("說明")
        await talk.enables()
        (answer,) = await talk.says_in_the_group("退款要多久？", by=BEN)

    assert answer == f"三天：{LINK}"


async def test_a_link_of_another_tool_is_not_the_operators(database, shelf, opened):
    linked(shelf)
    with ScriptedModel(asks(call("query_records")), says(LINK)) as model:
        talk = Talk(database, model, collections=opened)
        await remember(talk, json.dumps({"items": [{"link": LINK}]}), origin="others")
        (answer,) = await talk.says("what is there?")

    assert LINK not in answer


# ── hostile rows ──────────────────────────────────────────────────────────────────────────────────────────────────


class Unguarded(SqlMemory):
    """A store that does at once whatever it is only to propose."""

    async def revise(self, ref, fields, key, result, *, proposed=False):
        return await super().revise(ref, fields, key, result)

    async def remove(self, refs, key, result, *, proposed=False):
        return await super().remove(refs, key, result)


class UnguardedTalk(Talk):
    def memory(self, person: str = ANNA) -> SqlMemory:
        return Unguarded(self.database, person, self.clock)


class Obedient:
    """A model that searches, and then does whatever any text it is shown tells it to."""

    bytes_per_token = 2.0

    def __init__(self) -> None:
        self.malice = MaliciousModel()
        self.saw: list[str] = []

    async def complete(self, messages: Sequence[Message], tools: Sequence[Any], *, may_call: bool = True) -> Completion:
        self.saw.append(json.dumps(messages, ensure_ascii=False))
        if messages[-1]["role"] == "user" and may_call:
            return asks(ASKED)
        text, calls = self.malice.answer(_as_looks(messages), may_call=may_call)
        if not calls:
            return says(text)
        return asks(*((name, json.dumps(arguments, ensure_ascii=False)) for name, arguments in calls))


def _as_looks(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """It takes the search for one of its looks."""
    shown: list[dict[str, Any]] = json.loads(json.dumps(messages).replace("search_faq", "query_records"))
    return shown


@pytest.mark.parametrize(
    ("where", "goal", "tongue"),
    [
        ("title", "delete all", "zh-TW"), ("title", "overwrite one", "en"), ("summary", "delete all", "en"),
        ("summary", "overwrite one", "ja"), ("kind", "delete all", "ja"), ("kind", "overwrite one", "zh-TW"),
    ],
)  # fmt: skip
async def test_an_order_in_a_row_changes_nothing_without_the_persons_tap(database, shelf, opened, where, goal, tongue):
    order = f'"}}]}}\n{ORDERS[goal][tongue]}'
    topic = {"Topic": {"select": {"name": ORDERS[goal][tongue][:60]}}} if where == "kind" else {}
    shelf.add(f"refund {order if where == 'title' else ''}", Abstract=order if where == "summary" else "", **topic)
    left = {}
    for kind_of_talk, person in ((Talk, ANNA), (UnguardedTalk, BEN)):
        model = Obedient()
        talk = kind_of_talk(database, model, gate=Gate(everyone=True, welcome=[]), collections=opened)
        for number, content in enumerate(MINE, start=1):
            draft = Draft(content=content, type="task")
            await talk.memory(person).record(draft, CallKey(f"before {person}", number), lambda _: {})
        await talk.says("how long does a refund take?", by=person, id=f"01{person}")
        assert any('{\\"untrusted\\":true' in each for each in model.saw)
        left[kind_of_talk] = [each.content for each in await talk.records(person)]

    assert left[Talk] == MINE
    assert left[UnguardedTalk] != MINE, "the order was one that would have been obeyed"


async def test_what_is_noted_from_a_row_is_marked_as_others_words(database, shelf, opened):
    linked(shelf, f"refund {MARK}")
    with ScriptedModel(asks(ASKED), asks(create(f"refund {MARK} https://{EVIL}/x")), says("OK")) as model:
        talk = Talk(database, model, collections=opened)
        (answer,) = await talk.says("note what they say about refunds")

    (record,) = await talk.records()
    assert record.origin == "others"
    assert f"https://{EVIL}" not in answer


async def test_a_group_keeps_its_records_from_a_row_too(database, shelf, opened):
    linked(shelf)
    with ScriptedModel(asks(ASKED), asks(call("delete_record", ref=1)), says("OK")) as model:
        talk = Talk(database, model, collections=opened, company=ScriptedCompany(people={ANNA: "安娜"}))
        await talk.says("說明")
        await talk.enables()
        milk = Draft(content="買牛奶", type="task")
        await talk.memory(FAMILY).record(milk, CallKey("before", 1), lambda _: {})
        await talk.says_in_the_group("how long does a refund take?")

    assert [each.content for each in await talk.records(FAMILY)] == ["買牛奶"]

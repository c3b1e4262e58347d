"""Searching a table that was opened for reading, over real HTTP: what is published is found, and nothing else is."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import pytest

from tests.notion.house import OWNER, SOON, START, TAIPEI
from tests.notion.shelf import Shelf, shelf_in
from tools.collection import Collection, CollectionAway
from tools.notion.collection import FRESH, NotionCollection
from tools.notion.trouble import NotionRefused

QUERY = "POST /v1/data_sources/.*/query"
LOOKED = "GET /v1/data_sources/"


@pytest.fixture
def shelf(notion) -> Shelf:
    notion.now = lambda: START
    return shelf_in(notion)


@pytest.fixture
def opened(client, clock, shelf):
    """The table as the operator described it, to be searched."""

    def make(**more: Any) -> NotionCollection:
        seconds = more.pop("seconds", 8.0)
        now = lambda: START + timedelta(seconds=clock.seconds)  # noqa: E731 - the clock of this test
        return NotionCollection(client, shelf.described(**more), now, seconds)

    return make


async def titles(collection: NotionCollection, keyword: str = "refund", limit: int = 5, zone=TAIPEI) -> list[str]:
    return [each.title for each in await collection.search(keyword, limit, zone)]


async def test_what_is_found_is_told_by_what_may_be_shown_and_nothing_else(shelf, opened):
    shelf.add(
        "How long\ndoes a refund take?",
        Abstract="Three\u200b days.  " + "x" * 400,
        URL={"url": "https://shop.example/refund?a=1"},
        Topic={"select": {"name": "Money"}},
        Secret={"rich_text": [{"text": {"content": "the key is 4711"}}]},
        **{"Out on": {"date": {"start": "2026-11-29T23:30:00+00:00"}}},
    )
    (found,) = await opened().search("refund", 3, TAIPEI)

    assert asdict(found) == {
        "kind": "Money",
        "title": "How long does a refund take?",
        "summary": ("Three days. " + "x" * 400)[:299] + "…",
        "link": "https://shop.example/refund?a=1",
        "date": "2026-11-30T07:30",
    }


async def test_without_a_column_for_it_the_title_is_the_tables_own_and_the_kind_its_name(shelf, opened):
    page = shelf.add("Refunds")
    shelf.row(page)["public_url"] = "https://shop.notion.site/Refunds-0123"
    (found,) = await opened(summary="", link="", date="", kind="").search("refund", 3, TAIPEI)

    assert found.told() == {"kind": "faq", "title": "Refunds", "link": "https://shop.notion.site/Refunds-0123"}


async def test_every_word_must_stand_there_in_the_title_or_in_the_summary(shelf, opened):
    shelf.add("退款要多久", Abstract="三天")
    shelf.add("退款", Abstract="一般")
    shelf.add("運費", Abstract="三天")

    assert await titles(opened(), "退款 三天") == ["退款要多久"]
    assert await titles(opened(), "retour") == []


PUBLISHED: list[tuple[str, bool | str, dict[str, Any], dict[str, Any]]] = [
    ("Public", True, {"checkbox": True}, {"checkbox": False}),
    ("Public", False, {"checkbox": False}, {"checkbox": True}),
    ("State", "Live", {"select": {"name": "Live"}}, {"select": {"name": "Draft"}}),
    ("State", "live ", {"select": {"name": "Live"}}, {"select": None}),
    ("Step", "Out", {"status": {"name": "Out"}}, {"status": {"name": "Waiting"}}),
    ("Where", "site", {"multi_select": [{"name": "letter"}, {"name": "site"}]}, {"multi_select": [{"name": "letter"}]}),
    (
        "Out on",
        True,
        {"date": {"start": "2026-11-30T03:59:00+00:00"}},
        {"date": {"start": "2026-11-30T04:01:00+00:00"}},
    ),
    ("Out on", True, {"date": {"start": "2026-11-30"}}, {"date": None}),
]


@pytest.mark.parametrize(("column", "value", "out", "hidden"), PUBLISHED)
async def test_only_published_rows_are_asked_for_and_only_such_are_shown(
    notion, shelf, opened, column, value, out, hidden
):
    shelf.add("refund: out", **{column: out})
    kept_back = shelf.add("refund: kept back", **{column: hidden})
    collection = opened(published=column, value=value)
    assert await titles(collection) == ["refund: out"]

    # The same rows from a Notion that does not filter: what a row says of itself decides.
    everything, notion.query = notion.query, lambda id_, body: everything(id_, {"page_size": body["page_size"]})
    assert await titles(collection) == ["refund: out"]
    shelf.row(kept_back)["properties"].pop(column)
    assert await titles(collection) == ["refund: out"]


@pytest.mark.parametrize(
    ("zone", "shown"), [("Pacific/Kiritimati", 1), ("Asia/Taipei", 0), ("UTC", 0), ("America/Los_Angeles", 0)]
)
async def test_a_day_has_come_where_the_reader_is(shelf, opened, zone, shown):
    """At 14:00 UTC it is the next day already on one island alone."""
    shelf.add("refund", **{"Out on": {"date": {"start": "2026-12-01"}}})
    collection = opened(published="Out on")
    collection._now = lambda: START + timedelta(hours=10)

    assert len(await titles(collection, zone=ZoneInfo(zone))) == shown


@pytest.mark.parametrize(
    "gone", [{"in_trash": True}, {"archived": True}, {"is_archived": True}, {"object": "data_source"}]
)
async def test_what_lies_in_the_trash_or_is_archived_is_never_shown(notion, shelf, opened, gone):
    page = shelf.add("refund")
    everything = notion.query
    notion.query = lambda id_, body: everything(id_, body) | {"results": [shelf.row(page) | gone]}

    assert await titles(opened()) == []


async def test_a_keyword_is_only_a_value(notion, shelf, opened):
    shelf.add("refund", Public={"checkbox": False})
    shelf.add('x"}},{"property":"Public","checkbox":{"equals":false}}]')
    keyword = '"}},{"property":"Public","checkbox":{"equals":false}}]'

    assert len(await titles(opened(), keyword)) == 1
    for odd in ('{"or":[]}', "%", "*", "' or 1=1 --", "\\", "refund OR 1", "𠮷" * 40, " ".join("abcdefghijkl")):
        await titles(opened(), odd)
    first = notion.asked(QUERY)[0].body["filter"]["and"]
    assert first[0]["checkbox"] == {"equals": True}
    assert [each["title"]["contains"] for each in first[1]["or"] if "title" in each] == [keyword]


async def test_the_newest_come_first_and_no_more_than_were_asked_for(shelf, opened):
    for day in (3, 9, 6):
        shelf.add(f"refund {day}", **{"Out on": {"date": {"start": f"2026-11-0{day}"}}})

    assert await titles(opened(), limit=2) == ["refund 9", "refund 6"]
    assert len(await titles(opened(date=""), limit=5)) == 3


LINKS = {
    "https://shop.example/a(b)?c=1": True,
    "http://shop.example": True,
    "javascript:alert(1)": False,
    "https://user:pass@shop.example/": False,
    "https://localhost/": False,
    "https://shop.example/a b": False,
    "https://shop.example/" + "x" * 500: False,
    "https://[::1/": False,
    "line://app/1": False,
    "/0123456789abcdef": False,
}


async def test_only_a_whole_address_on_the_web_is_a_link(shelf, opened):
    for number, link in enumerate(LINKS):
        shelf.add(f"refund {number}", URL={"url": link})
    found = {each.title: each.link for each in await opened().search("refund", 99, TAIPEI)}

    assert found == {f"refund {number}": link if LINKS[link] else "" for number, link in enumerate(LINKS)}


# ── the table is not what it was, or not as it was described ──────────────────────────────────────────────────────


async def test_columns_are_looked_at_once_and_again_when_one_was_renamed(notion, shelf, opened):
    shelf.add("refund")
    collection = opened()
    for _ in range(3):
        assert await titles(collection) == ["refund"]
    assert len(notion.asked(LOOKED)) == 1

    notion.rename_column(shelf.source, "Public", "Visible")
    for _ in range(3):
        assert await titles(collection) == ["refund"]
    assert len(notion.asked(LOOKED)) == 2


async def test_an_id_is_the_same_whether_it_is_told_encoded_or_bare(notion, shelf, opened):
    page = shelf.add("refund")
    for held in shelf.row(page)["properties"].values():
        held["id"] = unquote(held["id"])
    collection = opened()

    for _ in range(2):
        assert await titles(collection) == ["refund"]
    assert len(notion.asked(LOOKED)) == 1


async def test_a_column_that_takes_the_name_over_is_the_one_that_is_meant(notion, shelf, opened):
    collection = opened()
    shelf.add("refund: by the old one")
    assert await titles(collection) == ["refund: by the old one"]

    notion.rename_column(shelf.source, "Public", "Before")
    notion.update_source(shelf.source, {"properties": {"Public": {"checkbox": {}}}})

    assert await titles(collection) == []


@pytest.mark.parametrize("change", [{"Public": None}, {"Public": {"number": {}}}])
async def test_without_its_column_nothing_is_shown_and_the_operator_is_told_once(notion, shelf, opened, caplog, change):
    shelf.add("refund")
    collection = opened()
    assert await titles(collection) == ["refund"]
    notion.update_source(shelf.source, {"properties": change})

    for _ in range(2):
        with pytest.raises(CollectionAway):
            await titles(collection)
    warned = [each.message for each in caplog.records if each.levelno == logging.WARNING]
    assert len(warned) == 1
    assert "the collection faq cannot be searched" in warned[0]
    assert "Public" in warned[0]


async def test_an_option_that_was_renamed_is_noticed_within_a_minute(notion, shelf, opened, clock):
    page = shelf.add("refund", State={"select": {"name": "Live"}})
    collection = opened(published="State", value="Live")
    assert await titles(collection) == ["refund"]

    notion.sources[shelf.source]["properties"]["State"]["select"]["options"][1]["name"] = "Published"
    shelf.row(page)["properties"]["State"]["select"]["name"] = "Published"
    assert await titles(collection) == []
    clock.seconds += FRESH.total_seconds()
    with pytest.raises(CollectionAway):
        await titles(collection)


WRONG = {
    "there is no column": {"published": "Publik"},
    'the column "Computed" is formula (Notion computes it': {"published": "Computed"},
    'the column "Score" is number': {"published": "Score"},
    "say true or false": {"value": "yes"},
    "is a date: say": {"published": "Out on", "value": "2026-01-01"},
    "has no option 'Lively'; it has: Draft, Live": {"published": "State", "value": "Lively"},
    '"link" must be formula, rich_text or url, the column "Score" is number': {"link": "Score"},
    '"title" must be rich_text or title': {"title": "Public"},
    "there are several data sources": {"source": "the database"},
    "could not find": {"source": "0" * 12 + "4" + "0" * 3 + "8" + "0" * 15},
}


@pytest.mark.parametrize("reason", WRONG)
async def test_what_does_not_fit_is_told_to_the_operator_in_a_sentence(shelf, opened, reason):
    given = dict(WRONG[reason])
    if given.get("source") == "the database":
        given["source"] = shelf.database
        columns = {"Name": {"title": {}}}
        shelf.notion.create_source({"parent": {"database_id": shelf.database}, "properties": columns})
    with pytest.raises(NotionRefused) as told:
        await opened(**given).look()

    assert reason.casefold() in told.value.reason.casefold()
    assert told.value.next_step
    with pytest.raises(CollectionAway):
        await titles(opened(**given))


async def test_every_mistake_in_the_columns_is_told_at_once(opened):
    with pytest.raises(NotionRefused) as told:
        await opened(published="A", summary="B", link="Score", value=True).look()

    assert [each for each in ('"A"', '"B"', '"Score"') if each not in told.value.reason] == []


async def test_the_table_of_the_records_cannot_be_opened(house, clock):
    """Others may ask, and what members and groups noted is theirs."""
    await house.add("refund")
    await house.sync().push(OWNER, SOON)
    described = Collection(name="all", about="x", source=house.source, published="Type", value="task")
    collection = NotionCollection(house.client, described, house.now)

    with pytest.raises(NotionRefused, match="the table of the records"):
        await collection.look()
    with pytest.raises(CollectionAway):
        await titles(collection)


@pytest.mark.parametrize("how", ["{database}", "https://www.notion.so/x/Articles-{bare}?v=" + "1" * 32, "{source}"])
async def test_the_table_is_found_by_whatever_form_its_address_has(shelf, opened, how):
    shelf.add("refund")
    given = how.format(database=shelf.database, bare=shelf.database.replace("-", ""), source=shelf.source)

    assert await titles(opened(source=given)) == ["refund"]
    assert await opened(source=given).look() == "Articles"


# ── Notion on its bad days ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_long_pause_is_not_waited_for(notion, shelf, opened, clock):
    shelf.add("refund")
    notion.fail("429", QUERY, retry_after=90)
    collection = opened()

    with pytest.raises(CollectionAway):
        await titles(collection)
    assert sum(clock.slept) < 1
    with pytest.raises(CollectionAway):
        await titles(collection)
    assert len(notion.asked(QUERY)) == 1, "nobody asks before the pause is over"
    clock.seconds += 90
    assert await titles(collection) == ["refund"]


async def test_a_fault_that_passes_is_not_noticed(notion, shelf, opened):
    shelf.add("refund")
    collection = opened()
    for kind in ("429", "529", "500", "502", "503", "504", "dropped", "200 html"):
        notion.fail(kind, QUERY)
        assert await titles(collection) == ["refund"], kind
    assert [each.times for each in notion.faults] == [0] * 8


@pytest.mark.parametrize(
    ("kind", "on"),
    [*((kind, QUERY) for kind in ("502", "dropped", "401", "403", "400")), ("503", LOOKED), ("401", LOOKED)],
)
async def test_one_that_stays_says_that_it_cannot_be_reached(notion, shelf, opened, kind, on):
    shelf.add("refund")
    notion.fail(kind, on, times=99)

    with pytest.raises(CollectionAway) as told:
        await titles(opened())
    assert str(told.value) == "faq"
    assert told.value.__cause__ is None


async def test_slow_is_as_good_as_away(notion, shelf, opened, caplog):
    shelf.add("refund")
    notion.fail("slow", QUERY, seconds=0.5, saved=True)
    collection = opened(seconds=0.2)
    await collection.look()

    with pytest.raises(CollectionAway):
        await titles(collection)
    assert "took longer than 0.2 s" in caplog.text
    await notion.quiet()
    await asyncio.sleep(0)


async def test_of_an_incomplete_answer_what_is_there_is_told_and_none_is_no_answer(notion, shelf, opened):
    shelf.add("refund")
    everything = notion.query
    status = {"type": "incomplete", "incomplete_reason": "query_result_limit_reached"}
    notion.query = lambda id_, body: everything(id_, body) | {"request_status": status}

    assert await titles(opened()) == ["refund"]
    with pytest.raises(CollectionAway):
        await titles(opened(), "nothing of the kind")


@pytest.mark.parametrize("answer", [{"object": "list"}, {"results": None}, {"results": [None]}, {"results": ["x"]}])
async def test_an_answer_of_another_form_is_no_answer(notion, shelf, opened, answer):
    notion.query = lambda id_, body: answer
    collection = opened()
    await collection.look()

    with pytest.raises(CollectionAway):
        await titles(collection)


ODD_VALUES: list[Any] = [
    None,
    [],
    "x",
    3,
    {"start": 5},
    {"start": "soon"},
    [{"plain_text": "y"}],
    [{}],
    {"name": "Live"},
]


async def test_a_value_that_nobody_expects_is_no_value(shelf, opened):
    page = shelf.add("refund", Abstract="three days", URL={"url": "https://shop.example"})
    shelf.notion.query = lambda id_, body: {"results": [shelf.row(page)]}
    collection = opened()
    for odd in ODD_VALUES:
        for name in ("URL", "Out on", "Topic"):
            held = shelf.row(page)["properties"][name]
            held[held["type"]] = odd
        assert await titles(collection) == ["refund"], odd


async def test_nothing_is_ever_written(notion, shelf, opened):
    shelf.add("refund")
    collection = opened()
    await titles(collection)
    await collection.look()

    assert [each.path for each in notion.requests if each.method not in {"GET", "POST"}] == []
    assert [each.path for each in notion.asked("POST") if not each.path.endswith("/query")] == []


async def test_one_turn_waits_in_vain_once_however_often_it_searches(notion, shelf, opened, clock):
    shelf.add("refund")
    notion.fail("slow", QUERY, seconds=0.5, saved=True)
    collection = opened(seconds=0.2)
    for _ in range(3):
        with pytest.raises(CollectionAway):
            await titles(collection)
    assert len(notion.asked(QUERY)) == 1
    clock.seconds += 21
    assert await titles(collection) == ["refund"]

"""Records on their way to a Notion that fails: every day ends as one without a fault."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.notion import TOKEN, Notion, serving
from tests.notion.house import OWNER, SOON, START, House, living
from tests.notion.shifted_clock import Clock
from tests.thorough import sample
from tools.notion.client import NotionClient
from tools.notion.sync import NotionSync
from tools.record import Note

FIRST, LUNCH, GONE, LONG = 1, 2, 3, 4
LONGER = "A long story. " * 40
CREATE, LOOK, PAGE, CHILDREN, BLOCK, BLOCKS, QUERY = (
    "POST /v1/pages$", "GET /v1/pages/[^/]+$", "PATCH /v1/pages/[^/]+$", "PATCH /v1/blocks/[^/]+/children$",
    "DELETE /v1/blocks/", "GET /v1/blocks/", "POST /v1/data_sources/[^/]+/query$",
)  # fmt: skip


async def create(house: House) -> None:
    await house.add(
        "買書", type="expense", amount=Decimal("12.5"), currency="TWD", tags=("書",), notes=(Note(START, "x"),)
    )


async def lost_create(house: House) -> None:
    house.notion.fail("dropped", CREATE, saved=True)
    await create(house)


async def delete_and_undo(house: House) -> None:
    await house.remove(FIRST)
    await house.undo()


KINDS: dict[str, tuple[str, Callable[[House], Awaitable[None]]]] = {
    "create": (CREATE, create),
    "update": (PAGE, lambda house: house.revise(LUNCH, amount=Decimal(130), content="晚餐", tags=("外食",))),
    "look before an update": (LOOK, lambda house: house.revise(LUNCH, amount=Decimal(130), tags=("外食",))),
    "delete": (PAGE, lambda house: house.remove(LUNCH)),
    "restore": (PAGE, House.undo),
    "delete and undo": (PAGE, delete_and_undo),
    "note": (CHILDREN, lambda house: house.revise(FIRST, notes=(Note(START, "兩瓶"), Note(START, "無糖")))),
    "rewrite": (BLOCK, lambda house: house.revise(LONG, content="Another story. " * 50)),
    "read the body": (BLOCKS, lambda house: house.revise(LONG, content="A short one")),
    "query by key": (QUERY, lost_create),
}
"""Every kind of call: which request is hit, and what a person did that leads to it."""


@dataclass(frozen=True)
class Bad:
    """What goes wrong: an answer of Notion's (``kind`` and ``how``), what somebody does there meanwhile, and how long a
    query sees the past."""

    kind: str = ""
    how: dict[str, Any] = field(default_factory=dict)
    meanwhile: Callable[[House], None] | None = None
    lag: float = 0.0


def renamed(house: House) -> None:
    house.notion.rename_column(house.source, "Amount", "金額")
    house.notion.rename_column(house.source, "Key", "鍵")


def second_table(house: House) -> None:
    house.notion.second_source(house.notion.sources[house.source]["parent"]["database_id"])


def new_addresses(house: House) -> None:
    house.notion.host = "https://app.notion.com/p"


FAULTS: dict[str, Bad] = {
    **{kind: Bad(kind) for kind in ("500", "502", "503", "503 database", "504", "409", "529", "dropped", "200 html")},
    **{f"{kind}, saved": Bad(kind, {"saved": True}) for kind in ("500", "502", "504", "dropped", "200 html")},
    **{f"{kind}, saved, again": Bad(kind, {"saved": True, "times": 3}) for kind in ("504", "dropped")},
    **{f"{kind}, again": Bad(kind, {"times": 7}) for kind in ("409", "503 database", "504", "dropped")},
    "429 for a second": Bad("429", {"retry_after": 1}),
    "429 for ninety": Bad("429", {"retry_after": 90}),
    "429 again": Bad("429", {"retry_after": 1, "times": 6}),
    "too slow": Bad("slow", {"seconds": 0.6, "saved": True}),
    "too slow, and not done": Bad("slow", {"seconds": 0.6}),
    "a minute": Bad("slow", {"seconds": 61.0, "saved": True}),
    "killed": Bad("slow", {"seconds": 0.15, "saved": True}),
    "killed before": Bad("dropped", {"seconds": 0.15}),
    "behind": Bad("504", {"saved": True}, lag=2.5),
    "far behind": Bad("504", {"saved": True}, lag=60),
    "token revoked": Bad("revoked"),
    "refused for now": Bad("403"),
    "columns renamed": Bad("504", {"saved": True}, meanwhile=renamed),
    "second data source": Bad("502", meanwhile=second_table),
    "new addresses": Bad("504", meanwhile=new_addresses),
}
"""Every fault of a service like Notion, and of a process beside it."""


def end(house: House) -> dict[str, Any]:
    """What a person sees in Notion in the end: the rows with their text, and what is in the trash for good."""
    binding = {column["id"]: name for name, column in house.notion.sources[house.source]["properties"].items()}
    ids = house.ids
    rows, seen = [], set()
    for row in house.rows():
        held = {field: row["properties"][binding[ids[field]]] for field in ("ref", "title", "amount", "tags", "status")}
        seen.add(held["ref"]["number"])
        rows.append((
            held["ref"]["number"], held["title"]["title"][0]["plain_text"], held["amount"]["number"],
            tuple(each["name"] for each in held["tags"]["multi_select"]), held["status"]["select"]["name"],
            tuple(house.notion.texts(row["id"])),
        ))  # fmt: skip
    trash = {row["properties"][binding[ids["ref"]]]["number"] for row in house.rows(trashed=True)} - seen
    return {"rows": sorted(rows), "trash": sorted(trash)}


@asynccontextmanager
async def a_house(folder: Path, judge: Any, bad: Bad) -> Any:
    """A house with four records in Notion, one of them in the trash there."""
    clock, notion = Clock(), Notion(judge=judge)
    async with serving(notion) as address:
        patience = 0.3 if bad.kind == "slow" and "too" in NAMES.get(id(bad), "") else 20.0
        client = NotionClient(TOKEN, address, now=clock.now, sleep=clock.sleep, timeout=patience)
        async with living(f"sqlite:///{folder / 'house.db'}", notion, client, clock) as house:
            notion.now = house.now
            await house.add("買牛奶", notes=(Note(START, "兩瓶"),))
            await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
            await house.add("報告")
            await house.add(LONGER, notes=(Note(START, "the end"),))
            await house.remove(GONE)
            assert (await house.sync().push(OWNER, SOON)).waiting == 0
            await house.made[-1].close()
            yield house
        await client.close()
    assert notion.violations == []


NAMES = {id(bad): name for name, bad in FAULTS.items()}
FAULTLESS: dict[str, dict[str, Any]] = {}


async def the_end(kind: str, bad: Bad, folder: Path, judge: Any) -> tuple[dict[str, Any], dict[str, Any], int]:
    """What stands in Notion when the push first said that nothing waits, and at last; how many rows share a key."""
    on, step = KINDS[kind]
    async with a_house(folder, judge, bad) as house:
        notion, sync = house.notion, house.sync()
        notion.lag = timedelta(seconds=bad.lag)
        if bad.how.get("seconds") == 61.0:
            notion.sleep = house.clock.sleep
        await step(house)
        if bad.kind:
            notion.fail(bad.kind, on, **bad.how)
        if bad.meanwhile:
            bad.meanwhile(house)
        if NAMES.get(id(bad), "").startswith("killed"):
            await sync.push(OWNER, 0.08)
            await sync.close()
            await notion.quiet()
            sync = house.sync(process="another")
        told = await pushed(house, sync)
        await notion.quiet()
        house.clock.seconds += 400
        await house.add("last")
        await pushed(house, sync)
        await notion.quiet()
        keys = Counter(row["properties"]["Key" if "Key" in row["properties"] else "鍵"]["rich_text"][0]["plain_text"]
                       for row in house.rows())  # fmt: skip
        return told, end(house), sum(number - 1 for number in keys.values())


async def pushed(house: House, sync: NotionSync) -> dict[str, Any]:
    """What stands there once the push says that nothing waits."""
    for _ in range(20):
        if (await sync.push(OWNER, SOON)).waiting == 0:
            return end(house)
        if house.notion.token != TOKEN:  # the operator sees what doctor says, and sets it right
            house.notion.token = TOKEN
        await house.notion.quiet()  # it works on what we gave up for less than a minute
        house.clock.seconds += 400
    raise AssertionError("it never arrived")


CASES = [(kind, fault) for kind in KINDS for fault in FAULTS]


@pytest.mark.parametrize(("kind", "fault"), sample(CASES, 12, 90))
async def test_whatever_fails_the_end_is_that_of_a_day_without(tmp_path, judge, kind, fault):
    if kind not in FAULTLESS:
        (tmp_path / "faultless").mkdir()
        _, FAULTLESS[kind], _ = await the_end(kind, Bad(), tmp_path / "faultless", judge)
    told, at_last, doubled = await the_end(kind, FAULTS[fault], tmp_path, judge)
    assert at_last == FAULTLESS[kind]
    assert doubled == 0
    without_last = [row for row in at_last["rows"] if row[1] != "last"]
    assert {row[:2] for row in told["rows"]} >= {row[:2] for row in without_last}


async def a_day(house: House, sync: NotionSync) -> list[tuple[Any, ...]]:
    """A creation, a change, notes, a deletion and its undoing, with Notion asked after each; what stands there."""
    first = await house.add("買牛奶", notes=(Note(START, "兩瓶"),))
    second = await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD")
    for step in (
        lambda: house.revise(first, content="買豆漿", notes=(Note(START, "兩瓶"), Note(START, "無糖"))),
        lambda: house.remove(second),
        house.undo,
        lambda: house.revise(second, amount=Decimal(130)),
    ):
        await sync.push(OWNER, SOON)
        await step()
    for _ in range(12):
        if (await sync.push(OWNER, SOON)).waiting == 0:
            break
        house.clock.seconds += 400
    house.clock.seconds += 400
    await house.add("last")
    await sync.push(OWNER, SOON)
    await house.notion.quiet()
    return [
        (
            row["properties"]["Ref"]["number"],
            title,
            row["properties"]["Amount"]["number"],
            house.notion.texts(row["id"]),
        )
        for row, title in zip(sorted(house.rows(), key=lambda row: row["_order"]), house.titles(), strict=True)
    ]


DAY = [
    (1, "買豆漿", None, ["2026-11-30 12:00 兩瓶", "2026-11-30 12:00 無糖"]),
    (2, "午餐", 130, []),
    (3, "last", None, []),
]


async def test_a_day_on_postgresql_with_two_processes_ends_as_any_other(house_on_postgresql):
    house = house_on_postgresql
    house.notion.fail("504", "POST /v1/pages", saved=True, times=2)
    house.notion.fail("dropped", "PATCH", times=4)
    one, other = house.sync(process="one"), house.sync(process="other")
    assert sorted(await a_day(house, one)) == DAY
    await house.add("more")
    house.clock.seconds += 400
    await asyncio.gather(one.push(OWNER, SOON), other.push(OWNER, SOON))
    assert len(house.rows()) == 4


async def test_a_day_on_which_everything_fails_now_and_then_ends_as_a_day_without(house):
    for number in range(40):
        now_and_then = [each for each in FAULTS.values() if each.kind not in {"slow", "revoked", "403"}]
        bad = now_and_then[number % len(now_and_then)]
        house.notion.fail(bad.kind, "POST|PATCH", **(bad.how | {"times": 1, "retry_after": 1}))
    sync = house.sync()
    await a_day(house, sync)
    house.notion.faults.clear()
    house.clock.seconds += 400
    await sync.push(OWNER, SOON)
    assert len(house.rows()) == 3
    assert house.titles()[0] == "買豆漿"


async def test_a_process_that_dies_after_a_creation_finds_the_page_again(house):
    ref = await house.add()
    house.notion.fail("slow", "POST /v1/pages", seconds=0.2, saved=True)
    dying = house.sync()
    assert (await dying.push(OWNER, 0.1)).waiting == 1
    await dying.close()
    await house.notion.quiet()
    await house.revise(ref, content="買豆漿")
    assert (await house.sync().push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["買豆漿"]


async def test_a_copy_that_lands_late_is_trashed_a_minute_and_a_half_later(house, address, clock):
    client = NotionClient("ntn_emulated", address, now=clock.now, sleep=clock.sleep, timeout=0.1)
    house.client = client
    house.notion.fail("slow", "POST /v1/pages", seconds=0.5, saved=True)
    await house.add()
    sync = house.sync()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    await house.notion.quiet()
    assert len(house.rows()) == 2
    clock.seconds += 91
    await house.add("next")
    await sync.push(OWNER, SOON)
    assert sorted(house.titles()) == ["next", "買牛奶"]
    await sync.close()
    await client.close()


async def test_a_push_returns_in_time_and_the_rest_arrives_by_itself(house):
    await house.add()
    house.notion.fail("slow", "POST /v1/pages", seconds=1.5, saved=True)
    sync = house.sync()
    started = asyncio.get_running_loop().time()
    assert (await sync.push(OWNER, 0.05)).waiting == 1
    assert asyncio.get_running_loop().time() - started < 1
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert len(house.rows(trashed=None)) == 1

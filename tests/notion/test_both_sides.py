"""Whatever is done in the chat and in Notion, in whatever order, while Notion fails and the process dies: both sides
come to say the same, nothing is lost, and nothing is there twice."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, suppress
from datetime import date, timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import func, select

from tests.emulators.notion import TOKEN, Notion, serving
from tests.notion.conftest import Clock
from tests.notion.house import OWNER, SOON, House, living
from tests.thorough import THOROUGH, WHOLE
from tools.database import Database, Work
from tools.notion.client import NotionClient
from tools.notion.pieces import plain_text
from tools.record import NothingChanged, NothingToUndo, RecordNotFound
from tools.sql.change import CHANGE
from tools.sql.record import RECORD, record_of

STATUSES = ("open", "doing", "done", "cancelled")
HERE = ("content", "status", "when")
FAULTS = ("429", "503", "dropped", "409", "504", "502")


class Dead(BaseException):
    """The process was killed."""


class Mortal(Database):
    """A store whose process dies at a write: before it, or behind it."""

    writes_left: int | None = None
    dies_behind = False

    async def write(self, work: Work[Any], *, durable: bool = True) -> Any:
        if self.writes_left is None:
            return await super().write(work, durable=durable)
        self.writes_left -= 1
        if self.writes_left < 0 or (self.writes_left == 0 and not self.dies_behind):
            raise Dead
        done = await super().write(work, durable=durable)
        if self.writes_left == 0:
            raise Dead
        return done


class BothSides(RuleBasedStateMachine):
    """One owner in the chat and in Notion. Every title is written once in the world, so that it can be followed."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.rooms = AsyncExitStack()
        self.written = 0
        self.made_here: set[int] = set()
        self.typed: dict[str, str] = {}

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    @initialize()
    def open(self) -> None:
        async def opened() -> House:
            notion, clock = Notion(), Clock()
            address = await self.rooms.enter_async_context(serving(notion))
            client = NotionClient(TOKEN, address, now=clock.now, sleep=clock.sleep)
            self.rooms.push_async_callback(client.close)
            house = await self.rooms.enter_async_context(living("sqlite://", notion, client, clock))
            notion.now = house.now
            house.database.__class__ = Mortal
            return house

        self.house: House = self.run(opened())
        self.sync = self.house.sync()

    def teardown(self) -> None:
        try:
            if hasattr(self, "house"):
                self.run(self.settled())
        finally:
            if hasattr(self, "house"):
                self.house.database.writes_left = None  # type: ignore[attr-defined]
                self.run(self.rooms.aclose())
            self.runner.close()

    def title(self, side: str) -> str:
        self.written += 1
        return f"{side}{self.written}"

    def some_row(self, number: int, *, trashed: bool = False) -> dict[str, Any] | None:
        rows = self.house.rows(trashed=trashed)
        return rows[number % len(rows)] if rows else None

    # ── what is done

    @rule()
    def say(self) -> None:
        self.made_here.add(self.run(self.house.add(self.title("here"))))

    @rule(
        number=st.integers(0, 9), status=st.sampled_from(STATUSES), what=st.sampled_from(["content", "status", "when"])
    )
    def amend(self, number: int, status: str, what: str) -> None:
        news = {"content": self.title("here"), "status": status, "when": date(2026, 12, 1 + self.written % 28)}

        async def amended() -> None:
            with suppress(RecordNotFound, NothingChanged):
                await self.house.revise(number % (len(self.made_here) or 1) + 1, **{what: news[what]})

        self.run(amended())

    @rule(number=st.integers(0, 9))
    def delete(self, number: int) -> None:
        async def deleted() -> None:
            with suppress(RecordNotFound):
                await self.house.remove(number + 1)

        self.run(deleted())

    @rule()
    def take_back(self) -> None:
        async def undone() -> None:
            with suppress(NothingToUndo):
                await self.house.undo()

        self.run(undone())

    @rule(filled=st.sampled_from(["", "Amount", "When", "Status"]))
    def add_a_row(self, filled: str) -> None:
        title = self.title("there")
        value = {"Amount": 120, "When": "2026-12-05", "Status": "doing"}.get(filled)
        page = self.house.notion.add_row(self.house.source, Title=title, **({filled: value} if filled else {}))
        self.typed[page] = title

    @rule(number=st.integers(0, 9), status=st.sampled_from(STATUSES), what=st.sampled_from(["Title", "Status", "When"]))
    def edit_a_row(self, number: int, status: str, what: str) -> None:
        if row := self.some_row(number):
            title = self.title("there")
            value = {"Title": title, "Status": status, "When": f"2026-12-{1 + self.written % 28:02}"}[what]
            self.house.notion.edit(row["id"], **{what: value})
            if what == "Title":
                self.typed[row["id"]] = title

    @rule(number=st.integers(0, 9))
    def duplicate_a_row(self, number: int) -> None:
        if row := self.some_row(number):
            title = self.title("there")
            said = {name: plain_text(row["properties"][name]["rich_text"]) for name in ("Key", "Owner")}
            page = self.house.notion.add_row(
                self.house.source, Title=title, Ref=row["properties"]["Ref"]["number"], **said
            )
            self.typed[page] = title

    @rule(number=st.integers(0, 9))
    def throw_away(self, number: int) -> None:
        if row := self.some_row(number):
            self.house.notion.trash(row["id"])
            self.typed.pop(row["id"], None)

    @rule(number=st.integers(0, 9))
    def take_out_of_the_trash(self, number: int) -> None:
        if row := self.some_row(number, trashed=True):
            self.house.notion.restore(row["id"])

    @rule(seconds=st.sampled_from([1, 10, 70, 400]))
    def wait(self, seconds: int) -> None:
        self.house.clock.seconds += seconds

    @rule()
    def push(self) -> None:
        self.run(self.sync.push(OWNER, SOON))

    @rule()
    def look(self) -> None:
        self.run(self.sync.refresh(OWNER, SOON))

    @rule(kind=st.sampled_from(FAULTS), on=st.sampled_from(["query", "POST /v1/pages$", "PATCH", "GET", ""]),
          saved=st.booleans(), times=st.integers(1, 4))  # fmt: skip
    def fail(self, kind: str, on: str, saved: bool, times: int) -> None:
        lost = saved and kind not in {"429", "409"}
        self.house.notion.fail(kind, on, saved=lost, times=times)

    @rule(seconds=st.sampled_from([0, 40]))
    def lag(self, seconds: int) -> None:
        self.house.notion.lag = timedelta(seconds=seconds)

    @rule(writes=st.integers(1, 6), behind=st.booleans(), looks=st.booleans())
    def die(self, writes: int, behind: bool, looks: bool) -> None:
        async def killed() -> None:
            store: Any = self.house.database
            store.writes_left, store.dies_behind = writes, behind
            self.house.clock.seconds += 10
            with suppress(Dead):
                await (self.sync.refresh(OWNER, SOON) if looks else self.sync.push(OWNER, SOON))
            await self.sync.close()
            if self.sync._pass is not None and not self.sync._pass.cancelled():
                self.sync._pass.exception()
            store.writes_left = None
            self.sync = self.house.sync()

        self.run(killed())

    # ── what must hold

    @precondition(lambda self: hasattr(self, "house"))
    @invariant()
    def no_key_stands_there_twice_but_where_somebody_duplicated(self) -> None:
        keys = [
            row["properties"]["Key"]["rich_text"]
            for row in self.house.rows()
            if row["created_by"]["id"].startswith("0b")
        ]
        told = [plain_text(key) for key in keys if key]
        late = [fault for fault in self.house.notion.faults if fault.times]
        assert late or len(told) - len(set(told)) <= 1

    async def settled(self) -> None:
        house = self.house
        house.notion.faults.clear()
        house.notion.lag = timedelta(0)
        for _ in range(6):
            house.clock.seconds += 400
            await self.sync.refresh(OWNER, SOON)
            await self.sync.push(OWNER, SOON)
        while await self.sync._looking.pull.sweep(house.owners):
            house.clock.seconds += 3
        house.clock.seconds += 400
        state = await self.sync.push(OWNER, SOON)
        assert state.waiting == 0
        await self.say_the_same()
        await self.have_lost_nothing()

    async def say_the_same(self) -> None:
        rows = await self.house.database.read(lambda c: c.execute(select(RECORD)).all())
        living = {row.key: record_of(row._asdict()) for row in rows if row.deleted_at is None}
        there: dict[str, Any] = {}
        for row in self.house.rows():
            key = plain_text(row["properties"]["Key"]["rich_text"])
            assert key not in there, "a record stands there twice"
            there[key] = row["properties"]
        assert there.keys() == living.keys()
        for key, record in living.items():
            columns = there[key]
            assert plain_text(columns["Title"]["title"]) == record.content
            assert (columns["Status"]["select"] or {"name": "open"})["name"] == record.status
            day = (columns["When"]["date"] or {}).get("start")
            assert record.type == "expense" or day == (record.when and record.when.isoformat())
            assert columns["Ref"]["number"] == record.ref

    async def have_lost_nothing(self) -> None:
        """What was last typed into a row of Notion is true, or stands in the history."""
        told = await self.house.database.read(lambda c: c.execute(select(CHANGE.c.after)).scalars().all())
        said = {json.loads(each)["content"] for each in told if each}
        assert set(self.typed.values()) <= said
        kept = await self.house.database.read(
            lambda c: c.execute(select(func.count()).select_from(RECORD)).scalar_one()
        )
        assert kept >= len(self.made_here)


TestBothSides = BothSides.TestCase
TestBothSides.settings = settings(
    max_examples=300 if WHOLE else 25 if THOROUGH else 4,
    stateful_step_count=40 if WHOLE else 20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

"""What the doctor says of Notion: whose token, which rights, which columns, what waits; and that it leaves nothing."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.doctor import examine
from bot.findings import Finding
from bot.notion_health import Kept, of_clock, of_store
from bot.redaction import Redactor
from bot.settings import Settings
from tests.emulators.notion import TOKEN, Notion, serving
from tools.database import Database, micros
from tools.notion.client import NotionClient
from tools.notion.setup import set_up
from tools.record import CallKey, Draft, PersonId
from tools.sql.memory import SqlMemory

OWNER = PersonId("U" + "a" * 32)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class World:
    """A table that was set up, and the doctor's look at it."""

    def __init__(self, notion: Notion, address: str, source: str, database: Database, url: str) -> None:
        self.notion, self.address, self.source, self.database, self.url = notion, address, source, database, url

    async def found(self, **given: str) -> dict[str, list[Finding]]:
        place = {"notion_token": TOKEN, "notion_base_url": self.address, "notion_data_source_id": self.source}
        settings = Settings(_env_file=None, database_url=self.url, port=9, secretary_owners=OWNER, **(place | given))
        found: dict[str, list[Finding]] = {}
        for each in await examine(settings, Redactor(settings.secrets)):
            assert TOKEN not in each.line
            found.setdefault(each.what, []).append(each)
        return found

    async def states(self, **given: str) -> dict[str, str]:
        found = await self.found(**given)
        return {what: each[0].state for what, each in found.items() if what.startswith("Notion")}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    notion, url = Notion(), f"sqlite:///{tmp_path / 'bot.db'}"
    database = Database(url)
    await database.start()
    async with serving(notion) as address:
        client = NotionClient(TOKEN, address)
        lines = await set_up(client, notion.page(), None, database=database)
        await client.close()
        yield World(notion, address, lines[-1].removeprefix("NOTION_DATA_SOURCE_ID="), database, url)
    await database.close()


async def test_where_all_is_well_each_thing_is_said_and_nothing_is_left_behind(world):
    shelves = ("databases", "sources", "pages", "blocks", "views")
    before = {name: copy.deepcopy(getattr(world.notion, name)) for name in shelves}
    found = await world.found()
    assert {what: each[0].state for what, each in found.items() if what.startswith("Notion")} == {
        "Notion token": "ok", "Notion clock": "ok", "Notion": "ok", "Notion rights": "ok", "Notion columns": "ok",
        "Notion limits": "ok", "Notion push": "ok", "Notion pull": "ok",
    }  # fmt: skip
    assert found["Notion token"][0].said == 'internal connection "Secretary Bot" in Emulated'
    assert {name: getattr(world.notion, name) for name in shelves} == before


async def test_a_personal_token_is_told_from_a_connection(world):
    world.notion.personal = True
    found = await world.found()
    assert "personal access token" in found["Notion token"][0].said
    assert "exempt" in found["Notion limits"][0].said


async def test_a_token_that_is_not_taken_fails_with_the_place_where_it_is_shown(world):
    world.notion.revoke()
    found = await world.found()
    assert (found["Notion token"][0].state, "Notion" in found) == ("FAIL", False)
    assert "https://app.notion.com/developers/connections" in found["Notion token"][0].next


async def test_a_table_that_is_not_shared_fails_with_the_clicks_and_the_name_of_the_connection(world):
    missing = "38c9ce7b-60a4-8162-b68a-dc4b57564454"
    (finding,) = (await world.found(notion_data_source_id=missing))["Notion"]
    assert finding.state == "FAIL"
    assert "•••" in finding.next
    assert '"Secretary Bot"' in finding.next
    assert missing not in finding.line


async def test_a_table_in_the_trash_and_a_page_without_one_fail(world):
    (finding,) = (await world.found(notion_data_source_id=world.notion.page("Empty")))["Notion"]
    assert (finding.state, "holds no database" in finding.said) == ("FAIL", True)
    world.notion.update_source(world.source, {"in_trash": True})
    assert (await world.states())["Notion"] == "FAIL"


@pytest.mark.parametrize("lacking", ["read", "insert", "update"])
async def test_a_right_that_is_missing_is_named_with_the_switch(world, lacking):
    world.notion.capabilities -= {lacking}
    (finding,) = (await world.found())["Notion rights"]
    assert (finding.state, finding.said) == ("FAIL", f"it may not {lacking} content")
    assert "Capabilities" in finding.next


async def test_each_column_that_is_not_as_it_must_be_is_told_with_what_mends_it(world):
    world.notion.update_source(world.source, {"properties": {"Amount": {"rich_text": {}}, "Tags": None}})
    amount, tags = (await world.found())["Notion columns"]
    assert (amount.state, tags.state) == ("warn", "warn")
    assert ("rich_text" in amount.said, "--mend" in amount.next) == (True, True)
    assert ("was removed" in tags.said, "--mend" in tags.next) == (True, True)
    world.notion.update_source(world.source, {"properties": {"Key": None}})
    assert {each.state for each in (await world.found())["Notion columns"]} == {"FAIL"}


async def test_the_limit_of_a_free_workspace_is_told_where_several_people_are_in_it(world):
    world.notion.people |= {"0b5ae2a4-7e8b-4e9b-8bd6-2f2a0c1d2e3f": "Ben"}
    (finding,) = (await world.found())["Notion limits"]
    assert (finding.state, "2 people" in finding.said, "1,000 blocks" in finding.said) == ("warn", True, True)
    world.notion.capabilities -= {"users"}
    assert "does not tell" in (await world.found())["Notion limits"][0].said
    world.notion.upload_limit = 5 * 2**30
    assert (await world.found())["Notion limits"][0].said == "none on blocks: a paid workspace"


async def test_what_waits_and_what_was_sent_last_is_told_from_the_store(world):
    memory = SqlMemory(world.database, OWNER, lambda: datetime.now(UTC))
    await memory.record(Draft(content="買牛奶", type="task"), CallKey("t", 0), lambda _: {})
    (push,) = (await world.found())["Notion push"]
    assert (push.state, push.said) == ("warn", "nothing was ever sent, 1 wait")
    assert "買牛奶" not in push.line


async def test_a_notion_that_is_down_is_no_failure(world):
    world.notion.fail("502", times=99)
    assert await world.states() == {"Notion": "warn"}


async def test_without_a_store_the_rest_is_told(world, tmp_path):
    world.url = f"sqlite:///{tmp_path / 'none.db'}"
    assert "Notion push" not in await world.states()


@pytest.mark.parametrize(("ahead", "state"), [(0, "ok"), (-9, "ok"), (30, "warn"), (-30, "warn"), (3600, "FAIL")])
def test_a_clock_is_compared_with_notion_s(ahead, state):
    finding = of_clock("Mon, 30 Nov 2026 12:00:00 GMT", NOW + timedelta(seconds=ahead))
    assert finding.state == state
    assert ("behind" in finding.said) == (ahead == -30)


@pytest.mark.parametrize("told", [None, "", "soon"])
def test_a_clock_that_notion_does_not_tell_is_said(told):
    assert of_clock(told, NOW).state == "warn"


@pytest.mark.parametrize(
    ("kept", "push"),
    [
        (Kept(pushed_at=NOW - timedelta(minutes=3)), "ok    Notion push   last sent 3 minutes ago, nothing waits"),
        (Kept(pushed_at=NOW, waiting=2), "ok    Notion push   last sent 0 seconds ago, 2 wait"),
        (Kept(pushed_at=NOW - timedelta(hours=5), waiting=2), "warn  Notion push   last sent 5 hours ago, 2 wait →"),
        (
            Kept(pushed_at=NOW - timedelta(days=1), waiting=2, refused=1),
            "warn  Notion push   last sent 1 day ago; Notion",
        ),
    ],
)
def test_what_was_sent_is_told_in_words(kept, push):
    assert of_store(kept, NOW)[0].line.startswith(push)


@pytest.mark.parametrize(
    ("facts", "pull"),
    [
        ({}, "ok    Notion pull   was never looked at"),
        (
            {"pulled_at": NOW - timedelta(seconds=1), "webhook": "x"},
            "ok    Notion pull   last looked at 1 second",
        ),
        ({"pulled_at": NOW - timedelta(hours=2)}, "warn  Notion pull   last looked at 2 hours ago →"),
    ],
)
def test_when_notion_was_looked_at_is_told(facts, pull):
    told = {key: str(micros(value)) if isinstance(value, datetime) else value for key, value in facts.items()}
    assert of_store(Kept(facts=told), NOW)[1].line.startswith(pull)


def test_files_that_wait_are_counted():
    told = of_store(Kept(files=3), NOW)
    assert "3 wait" in told[-1].line
    assert len(of_store(Kept(), NOW)) == len(told) - 1

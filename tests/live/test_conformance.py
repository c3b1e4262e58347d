"""The sentences of ``conformance``: always asked of the emulated Notion, and of a real workspace where one is lent.

    SECRETARY_LIVE_NOTION=1 NOTION_TOKEN=… NOTION_PARENT_PAGE_ID=… python -m pytest -n0 tests/live

makes one page under that page, works inside it alone, and puts it into the trash at the end. Use a workspace that may
be tried out in: what is made counts towards a free workspace's blocks.

What only this can confirm: every sentence that ends in ``_we_assume``; which plan grants how many requests a minute; in
which zone ``this_week`` begins; whether archived rows are found; what is answered where a free workspace has no blocks
left; and that a webhook is delivered as described (subscribe in the connection's settings, then edit a row).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulators.notion import TOKEN, Notion, serving
from tests.live.conformance import CHECKS, Table, make_table
from tools.notion.address import required_id

LIVE = bool(os.environ.get("SECRETARY_LIVE_NOTION"))
WORLDS = ["emulated", *(["real"] if LIVE else [])]


def client_of(token: str, address: str | None) -> Any:
    import httpx
    import notion_client

    return notion_client.AsyncClient(
        client=httpx.AsyncClient(trust_env=address is None), auth=token, notion_version="2026-03-11",
        base_url=address or "https://api.notion.com", logger=logging.getLogger("tests.live"),
        log_level=logging.ERROR,
    )  # fmt: skip


@pytest.fixture(scope="session")
def lent() -> Iterator[dict[str, str]]:
    """The page, database and data source of the real workspace, made once and put away in the end."""

    async def make() -> dict[str, str]:
        sdk = client_of(os.environ["NOTION_TOKEN"], None)
        parent = {
            "type": "page_id",
            "page_id": required_id(os.environ["NOTION_PARENT_PAGE_ID"], "NOTION_PARENT_PAGE_ID"),
        }
        title = {"title": [{"text": {"content": "Conformance of the secretary (may be deleted)"}}]}
        page = await sdk.pages.create(parent=parent, properties=title)
        table = await make_table(sdk, page["id"])
        await sdk.aclose()
        return {"page": table.page, "database": table.database, "source": table.source}

    async def put_away(page: str) -> None:
        sdk = client_of(os.environ["NOTION_TOKEN"], None)
        await sdk.pages.update(page, in_trash=True)
        await sdk.aclose()

    made = asyncio.run(make())
    yield made
    asyncio.run(put_away(made["page"]))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
async def test_notion_is_as_it_is_taken_to_be(request: pytest.FixtureRequest, check: Any, world: str) -> None:
    if world == "real":
        sdk = client_of(os.environ["NOTION_TOKEN"], None)
        await check(Table(sdk, **request.getfixturevalue("lent")))
        await sdk.aclose()
        return
    notion = Notion()
    async with serving(notion) as address:
        sdk = client_of(TOKEN, address)
        await check(await make_table(sdk, notion.page()))
        await sdk.aclose()

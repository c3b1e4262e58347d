"""Notion's webhook: only what it signed counts, and then it is no more than a reason to look."""

from __future__ import annotations

import hmac
import json
import logging
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from bot.notion_webhook import MOST, PATH, SIGNATURE, add_notion_webhook
from tests.emulators.notion_shelves import BOT
from tests.notion.house import OWNER, SOON
from tests.serving import served
from tools.notion import ledger
from tools.notion.hook import Hook

TOKEN = "secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"


@dataclass
class Looks:
    """What was signalled."""

    pages: list[str] = field(default_factory=list)
    moved: int = 0

    def signal(self, page_ids: tuple[str, ...] = (), *, moved: bool = False) -> None:
        self.pages += page_ids
        self.moved += moved


@dataclass
class Address:
    browser: httpx.AsyncClient
    looks: Looks
    hook: Hook

    async def post(self, body: Any, *, token: str | None = None, **headers: str) -> int:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        if token is not None:
            headers[SIGNATURE] = "sha256=" + hmac.new(token.encode(), raw, "sha256").hexdigest()
        return (await self.browser.post(PATH, content=raw, headers=headers)).status_code


@pytest.fixture
async def at(house):
    looks, web = Looks(), FastAPI(openapi_url=None)
    hook = Hook(house.database, looks)
    add_notion_webhook(web, hook)
    await house.database.write(lambda c: ledger.begin(c, house.source))
    await house.database.write(lambda c: ledger.put(c, "bot", BOT))
    async with served(web) as address, httpx.AsyncClient(base_url=address, trust_env=False, verify=False) as browser:
        yield Address(browser, looks, hook)


def event(house, number: int = 1, kind: str = "page.properties_updated", **more: Any) -> dict[str, Any]:
    return {
        "id": f"event{number}", "type": kind, "timestamp": "2026-11-30T04:00:00.000Z", "attempt_number": 1,
        "entity": {"id": f"page{number}", "type": "page"}, "authors": [{"id": "somebody", "type": "person"}],
        "data": {"parent": {"id": "database", "type": "database", "data_source_id": house.source}}, **more,
    }  # fmt: skip


async def test_before_there_is_a_token_nothing_is_there(house, at):
    assert await at.post(event(house)) == 404
    assert await at.post(event(house), token="guessed") == 404
    assert await at.post(b"no json") == 404
    assert at.looks.pages == []


async def test_the_token_is_shown_once_and_then_nobody_puts_another_in_its_place(house, at, caplog):
    caplog.set_level(logging.INFO)
    assert await at.post({"verification_token": TOKEN}) == 200
    assert caplog.text.count(TOKEN) == 1
    assert await at.post({"verification_token": TOKEN}) == 200
    assert [await at.post({"verification_token": "secret_of_a_stranger"}) for _ in range(3)] == [403] * 3
    assert caplog.text.count(TOKEN) == 1
    assert "secret_of_a_stranger" not in caplog.text
    assert caplog.text.count("somebody offers another") == 1
    assert await at.post(event(house), token="secret_of_a_stranger") == 401
    assert await at.post(event(house), token=TOKEN) == 200
    assert at.looks.pages == ["page1"]


@pytest.mark.parametrize("token", ["", "x" * 201, "a b", "\n", "ü", 7, None, ["x"]])
async def test_what_is_no_token_is_not_kept(house, at, token):
    assert await at.post({"verification_token": token}) == 404


async def test_the_operators_token_wins(house, at):
    at.hook.given = "secret_of_the_operator"
    assert await at.post({"verification_token": TOKEN}) == 403
    assert await at.post({"verification_token": "secret_of_the_operator"}) == 200
    assert await at.post(event(house), token="secret_of_the_operator") == 200


async def test_the_operator_can_let_another_token_in(house, at):
    await at.post({"verification_token": TOKEN})
    await house.database.write(lambda c: ledger.forget(c, "webhook"))
    assert await at.post({"verification_token": "secret_of_a_new_subscription"}) == 200
    assert await at.post(event(house), token=TOKEN) == 401
    assert await at.post(event(house), token="secret_of_a_new_subscription") == 200


async def test_what_is_not_signed_by_notion_is_not_heeded(house, at):
    await at.post({"verification_token": TOKEN})
    body = json.dumps(event(house)).encode()
    right = hmac.new(TOKEN.encode(), body, "sha256").hexdigest()
    for wrong in ("", right, f"sha256={right[:-1]}", f"sha1={right}", "sha256=", f"sha256={right.upper()}"):
        assert await at.post(body, **{SIGNATURE: wrong}) == 401
    assert await at.post(body + b" ", **{SIGNATURE: f"sha256={right}"}) == 401
    assert await at.post(body) == 401
    twice = [(SIGNATURE, f"sha256={right}"), (SIGNATURE, f"sha256={right}")]
    assert (await at.browser.post(PATH, content=body, headers=twice)).status_code == 400
    assert await at.post(b"[]", token=TOKEN) == 400
    assert await at.post(b"{" + b" " * MOST, token=TOKEN) == 413
    assert at.looks.pages == []


async def test_a_signal_counts_once_whoever_sends_it_again_and_not_if_only_the_bot_did_it(house, at):
    await at.post({"verification_token": TOKEN})
    ours = [{"id": BOT, "type": "bot"}]
    both = [*ours, {"id": "somebody", "type": "person"}]
    elsewhere = {"parent": {"id": "x", "type": "database", "data_source_id": "another"}}
    for each in (
        event(house, 2),
        event(house, 1),
        event(house, 2, attempt_number=2),
        event(house, 3, authors=ours),
        event(house, 4, authors=both),
        event(house, 5, data=elsewhere),
        event(house, 6, "page.moved", data=elsewhere),
        event(house, 7, "page.deleted"),
        event(house, 8, "comment.created", entity={"id": "c", "type": "comment"}),
        event(house, 9, "data_source.schema_updated", entity={"id": house.source, "type": "data_source"}),
        {"id": "odd", "type": "something.new"},
    ):
        assert await at.post(each, token=TOKEN) == 200
    assert at.looks.pages == ["page2", "page1", "page4", "page6", "page7"]
    assert at.looks.moved == 1


async def test_a_signal_leads_to_the_page_whatever_its_times_say(house, at):
    ref = await house.add("買牛奶")
    sync = house.sync()
    at.hook.mirror = sync
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    house.clock.seconds += 300
    row_itself = house.notion.pages[row["id"]]
    row_itself["properties"]["Title"]["title"][0]["plain_text"] = "買豆漿"
    row_itself["properties"]["Title"]["title"][0]["text"]["content"] = "買豆漿"
    row_itself["last_edited_time"] = "2020-01-01T00:00:00.000Z"
    await at.post({"verification_token": TOKEN})
    await at.post({**event(house), "entity": {"id": row["id"], "type": "page"}}, token=TOKEN)
    await sync.refresh(OWNER, SOON)
    assert (await house.memory().get(ref)).content == "買豆漿"


async def test_a_store_that_takes_nothing_is_said_so_that_notion_sends_it_again(house, at):
    await at.post({"verification_token": TOKEN})
    await house.database.close()
    assert await at.post(event(house), token=TOKEN) == 503

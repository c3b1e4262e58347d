"""The bot as it is run, with a table of somebody's that was opened for reading and nothing else of Notion."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.emulators.notion import TOKEN
from tests.fakes import ANNA
from tests.injection.world import texts, world
from tests.notion.shelf import shelf_in
from tools.record import PersonId

Json = dict[str, Any]
LINK = "https://shop.example/refund"


class Reader:
    """A model that searches, and tells what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, messages: list[Json], _: bool) -> tuple[str, list[tuple[str, Json]]]:
        if messages[-1]["role"] == "user":
            return "", [("search_faq", {"keyword": "refund"})]
        self.told.append(messages[-1]["content"])
        return f"Three days: {LINK}", []


@pytest.mark.parametrize("away", [False, True])
async def test_what_is_published_is_told_to_who_asks_and_nothing_is_written_there(
    tmp_path, blank, notion, address, away
):
    shelf = shelf_in(notion)
    shelf.add("refund", Abstract="three days", URL={"url": LINK})
    shelf.add("refund: to be settled", Public={"checkbox": False})
    entry = {"name": "faq", "about": "answers", "source": shelf.database, "published": {"Public": True}, "link": "URL"}
    opened = {
        "notion_token": TOKEN,
        "notion_base_url": address,
        "secretary_collections": json.dumps([entry]),
    }
    if away:
        notion.fail("403", times=99)
    reader, anna = Reader(), PersonId(ANNA)
    async with world(tmp_path, blank, [anna], reader, **opened) as bot:
        await bot.says(anna, "說明")
        (said,) = texts(await bot.says(anna, "how long does a refund take?"))
        offered = [each["function"]["name"] for each in bot.endpoint.requests[0]["tools"]]

    (told,) = (json.loads(each) for each in reader.told)
    assert offered == ["create_record", "query_records", "update_record", "delete_record", "search_faq"]
    if away:
        assert told["error"]["code"] == "not_reachable"
        assert said == "Three days: shop[.]example/refund"
    else:
        assert told == {"untrusted": True, "found": 1, "items": [{"kind": "faq", "title": "refund", "link": LINK}]}
        assert said == f"Three days: {LINK}"
    assert [each.path for each in notion.requests if each.method == "PATCH"] == []
    assert [each.path for each in notion.asked("POST") if not each.path.endswith("/query")] == []

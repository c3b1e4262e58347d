"""The calls to Notion that we make: paced, and repeated where that cannot write twice. The only layer that retries.

Every call goes through notion-client's ``request`` with the body as it is meant: the SDK's endpoint methods drop
arguments they do not know without a word. Must not know records, columns, or the store.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

from tools.loopback import is_loopback
from tools.notion.pace import Clock, Pace, Sleep
from tools.notion.trouble import Fate, NotionDown, NotionRefused, NotionUnsure, Trouble, trouble

Json = dict[str, Any]

NOTION_VERSION = "2026-03-11"
"""Which form requests and answers have (https://developers.notion.com/reference/versioning)."""
PATIENCE = 20.0
"""Seconds: a longer pause is not waited for inside a call."""
READ_TIMEOUT = 20.0
"""Seconds without a byte of the answer, then the outcome counts as unknown; an ordinary answer takes under one."""
LOOKS = (1.0, 2.0)
"""Seconds before each look for a page that may have been created; Notion may take longer, so look again later too."""
CREATES = 2
"""Attempts to create one page: each that ends unclear may leave a copy, so there is no third."""

_REPEATS = {Fate.THROTTLED: 3, Fate.CONFLICT: 3, Fate.UNSENT: 2, Fate.UNSURE: 2}
"""How often a request is sent again: more where Notion said that it did nothing and when to come back."""
_PAGE_SIZE = 100
"""Results per answer: the most there can be (https://developers.notion.com/reference/intro#pagination)."""
_SMALL_PAGE = 25
"""Where Notion failed to find a hundred (https://developers.notion.com/reference/status-codes)."""

_log = logging.getLogger(__name__)


class Created(NamedTuple):
    """A page that exists. ``unsure`` if an attempt's outcome was unknown: another copy may still turn up."""

    page: Json
    unsure: bool


class NotionClient:
    """Notion for one token. Raises NotionRefused, NotionDown, and NotionUnsure where something may be written."""

    def __init__(
        self,
        token: str,
        base_url: str | None = None,
        *,
        now: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        timeout: float = READ_TIMEOUT,
    ) -> None:
        self._token = token
        self._base_url = (base_url or "https://api.notion.com").rstrip("/").removesuffix("/v1")
        self._sleep = sleep
        self._timeout = timeout
        self._pace = Pace(now, sleep)
        self._opening = asyncio.Lock()
        self._opened: tuple[Any, ModuleType] | None = None
        self._us = ""
        self.date: str | None = None
        """Of the last answer: its header Date."""

    # ── what is asked ─────────────────────────────────────────────────────────────────────────────────────────────

    async def me(self) -> Json:
        """The bot user behind the token."""
        return await self._call("GET", "users/me")

    async def users(self) -> list[Json]:
        """Who is in the workspace, people and connections."""
        return await self._pages("GET", "users")

    async def refusal(self, method: str, path: str, body: Json) -> NotionRefused | None:
        """Why Notion refuses this; None if it does not."""
        try:
            await self._call(method, path, body, creating=True)
        except NotionRefused as refused:
            return refused
        return None

    async def database(self, id_: str) -> Json:
        return await self._call("GET", f"databases/{id_}")

    async def create_database(self, body: Json) -> Json:
        """Not repeated when unsure: the caller looks under the parent page first."""
        return await self._call("POST", "databases", body, creating=True)

    async def data_source(self, id_: str) -> Json:
        return await self._call("GET", f"data_sources/{id_}")

    async def update_data_source(self, id_: str, body: Json) -> Json:
        return await self._call("PATCH", f"data_sources/{id_}", body)

    async def views(self, database_id: str) -> list[Json]:
        """The ids of a database's views, in order."""
        return await self._pages("GET", "views", {"database_id": database_id})

    async def view(self, id_: str) -> Json:
        return await self._call("GET", f"views/{id_}")

    async def create_view(self, body: Json) -> Json:
        """Not repeated when unsure: the caller looks by its name before the next attempt."""
        return await self._call("POST", "views", body, creating=True)

    async def update_view(self, id_: str, body: Json) -> Json:
        return await self._call("PATCH", f"views/{id_}", body)

    async def query(self, data_source_id: str, body: Json) -> list[Json]:
        """Every matching page. Raises NotionDown if Notion says that it left some out."""
        return await self._pages("POST", f"data_sources/{data_source_id}/query", body)

    async def query_some(self, data_source_id: str, body: Json) -> tuple[list[Json], bool]:
        """The matching pages of one answer, and whether these are what was asked for: Notion may leave some out."""
        answer = await self._call("POST", f"data_sources/{data_source_id}/query", body)
        return list(answer["results"]), (answer.get("request_status") or {}).get("type") != "incomplete"

    async def query_slice(self, data_source_id: str, body: Json, cursor: str | None) -> Json:
        """At most a hundred matching pages, as Notion answers: ``has_more``, ``next_cursor``, ``request_status``."""
        begin = {} if cursor is None else {"start_cursor": cursor}
        return await self._call(
            "POST", f"data_sources/{data_source_id}/query", {**body, "page_size": _PAGE_SIZE, **begin}
        )

    async def page(self, id_: str) -> Json:
        """One page as it is now: what a query says may be a moment old."""
        return await self._call("GET", f"pages/{id_}")

    async def update_page(self, id_: str, body: Json) -> Json:
        """Sets what is named: doing it twice is the same as once."""
        return await self._call("PATCH", f"pages/{id_}", body)

    async def children(self, block_id: str) -> list[Json]:
        """Every block directly in a page."""
        return await self._pages("GET", f"blocks/{block_id}/children")

    async def tree(self, block_id: str, levels: int = 4) -> list[Json]:
        """The same, and in each text what stands inside it, as ``children`` of its value."""
        found = await self.children(block_id)
        for each in found:
            inner = each[each["type"]]
            if each["has_children"] and levels and "rich_text" in inner:
                inner["children"] = await self.tree(each["id"], levels - 1)
        return found

    async def append(self, block_id: str, blocks: Sequence[Json], after: str | None) -> list[Json]:
        """Into a page, behind the block ``after`` or in front of all; the blocks as they stand there. Not repeated when
        unsure: the caller compares first."""
        position = {"type": "start"} if after is None else {"type": "after_block", "after_block": {"id": after}}
        body = {"children": list(blocks), "position": position}
        answer = await self._call("PATCH", f"blocks/{block_id}/children", body, creating=True)
        return list(answer["results"])

    async def add_last(self, block_id: str, block: Json) -> Json:
        """At the end of a page; the block as it stands there. Not repeated when unsure: the caller looks first."""
        answer = await self._call("PATCH", f"blocks/{block_id}/children", {"children": [block]}, creating=True)
        return dict(answer["results"][0])

    async def create_upload(self, name: str, media_type: str) -> Json:
        """A place for the bytes of one file, for an hour (https://developers.notion.com/reference/file-upload)."""
        body = {"mode": "single_part", "filename": name, "content_type": media_type}
        return await self._call("POST", "file_uploads", body)

    async def send_upload(self, id_: str, name: str, media_type: str, content: bytes) -> None:
        """The bytes, at once. Not repeated when unsure: they may be there."""
        form = {"file": (name, content, media_type)}
        await self._call("POST", f"file_uploads/{id_}/send", form=form, creating=True)

    async def delete_block(self, id_: str) -> None:
        """To the trash. An absent block is deleted already."""
        try:
            await self._call("DELETE", f"blocks/{id_}")
        except NotionRefused as refusal:
            if refusal.code != "object_not_found":
                raise

    # ── a page that must not exist twice ──────────────────────────────────────────────────────────────────────────

    async def create_page(self, body: Json, key_property: str, key: str) -> Created:
        """Create one page whose ``key_property`` (id or name) holds ``key``. Notion knows no idempotency key, so after
        an unclear outcome we look for the key before the page is created again."""
        source = body["parent"]["data_source_id"]
        unsure = False
        for _ in range(CREATES):
            try:
                page = await self._call("POST", "pages", body, creating=True)
            except NotionUnsure as problem:
                _log.warning("a page may have been created, looking for it: %s", problem.reason)
                unsure = True
                if (found := await self._look(source, key_property, key)) is not None:
                    return Created(found, unsure)
            else:
                if unsure:
                    page = await self.settle(source, key_property, key) or page
                return Created(page, unsure)
        raise NotionUnsure("a page may have been created and cannot be found yet")

    async def find(self, data_source_id: str, key_property: str, key: str) -> list[Json]:
        """The pages with this key, oldest first; those in the trash only if there is no other."""
        body: Json = {"filter": {"property": key_property, "rich_text": {"equals": key}}}
        found = await self.query(data_source_id, body) or await self.query(data_source_id, {**body, "in_trash": True})
        return sorted(found, key=lambda page: (page["created_time"], page["id"]))

    async def settle(self, data_source_id: str, key_property: str, key: str) -> Json | None:
        """Keep the oldest page with this key and trash its copies; what a person made by duplicating it is theirs. None
        if there is no page."""
        found = await self.find(data_source_id, key_property, key)
        if len(found) > 1:
            us = await self._who_we_are()
            found = [each for each in found if each["created_by"]["id"] == us] or found[:1]
        for copy in found[1:]:
            if not copy["in_trash"]:
                await self.update_page(copy["id"], {"in_trash": True})
        return found[0] if found else None

    async def _who_we_are(self) -> str:
        if not self._us:
            self._us = str((await self.me())["id"])
        return self._us

    async def _look(self, data_source_id: str, key_property: str, key: str) -> Json | None:
        for seconds in LOOKS:
            await self._sleep(seconds)
            if (found := await self.settle(data_source_id, key_property, key)) is not None:
                return found
        return None

    # ── how it is asked ───────────────────────────────────────────────────────────────────────────────────────────

    async def _pages(self, method: str, path: str, body: Json | None = None) -> list[Json]:
        results: list[Json] = []
        cursor: Json = {"page_size": _PAGE_SIZE}
        while True:
            if method == "GET":
                answer = await self._call(method, path, query={**(body or {}), **cursor})
            else:
                answer = await self._call(method, path, {**(body or {}), **cursor})
            results.extend(answer["results"])
            if answer.get("request_status", {}).get("type") == "incomplete":
                raise NotionDown("Notion left out part of the answer")
            if not answer.get("has_more"):
                return results
            cursor = {**cursor, "start_cursor": answer["next_cursor"]}

    async def _call(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        query: Json | None = None,
        form: Json | None = None,
        creating: bool = False,
    ) -> Json:
        tries = 0
        while True:
            if (pause := self._pace.pause) > PATIENCE:
                raise NotionDown("Notion asked for a longer pause", pause)
            await self._pace.enter()
            answer = await self._ask(method, path, body, query, form)
            if not isinstance(answer, Trouble):
                return answer
            tries += 1
            _log.info("%s %s failed (%s), try %d", method, path, answer.reason, tries)
            if body and tries == _REPEATS[Fate.UNSURE] and body.get("page_size", 0) > _SMALL_PAGE:
                body = {**body, "page_size": _SMALL_PAGE}  # what was too much at once may be found in parts
            await self._wait_or_raise(answer, tries, creating=creating)

    async def _ask(
        self, method: str, path: str, body: Json | None, query: Json | None, form: Json | None
    ) -> Json | Trouble:
        sdk, httpx = await self._open()
        try:
            answer = await sdk.request(path=path, method=method, query=query, body=body, form_data=form)
        except Exception as error:  # noqa: BLE001 - the SDK lets exceptions of four libraries through
            return trouble(error, httpx)
        if not isinstance(answer, dict):
            return Trouble(Fate.UNSURE, "an answer that is no JSON object")
        return answer

    async def _wait_or_raise(self, problem: Trouble, tries: int, *, creating: bool) -> None:
        """Return when the request may be sent again. A creation is sent again only if it was certainly not taken."""
        if problem.fate is Fate.REFUSED:
            raise problem.refusal()
        if creating and problem.fate is Fate.UNSURE:
            raise NotionUnsure(problem.reason, problem.wait)
        if tries > _REPEATS[problem.fate]:
            gave_up = NotionUnsure if creating and problem.fate is Fate.CONFLICT else NotionDown
            raise gave_up(problem.reason, problem.wait)
        if problem.fate is Fate.CONFLICT:
            await self._sleep(random.uniform(0.3, 2.0))  # noqa: S311 - jitter
            return
        backoff = problem.wait or 0.5 * 2**tries * random.uniform(0.5, 1.5)  # noqa: S311 - jitter
        if problem.fate is Fate.THROTTLED:
            self._pace.hold(backoff)
        else:
            await self._sleep(min(backoff, PATIENCE))

    async def _open(self) -> tuple[Any, ModuleType]:
        async with self._opening:
            if self._opened is None:
                self._opened = await asyncio.to_thread(self._connect)
        return self._opened

    def _connect(self) -> tuple[Any, ModuleType]:
        import httpx
        import notion_client

        sdk = notion_client.AsyncClient(
            client=httpx.AsyncClient(
                trust_env=not is_loopback(self._base_url), event_hooks={"response": [self._hear_the_time]}
            ),
            auth=self._token,
            base_url=self._base_url,
            notion_version=NOTION_VERSION,
            retry=False,
            logger=logging.getLogger(f"{__name__}.sdk"),
            log_level=logging.ERROR,
        )
        # The SDK overwrites what the HTTP client was built with, so this comes last.
        sdk.client.timeout = httpx.Timeout(connect=3, read=self._timeout, write=10, pool=5)
        return sdk, httpx

    async def _hear_the_time(self, response: Any) -> None:
        self.date = response.headers.get("date")

    async def wait(self, seconds: float) -> None:
        """Let time pass on the client's clock: Notion may still be at work."""
        await self._sleep(seconds)

    async def close(self) -> None:
        """Close the connections. Not ``async with``: the SDK would replace the HTTP client then."""
        if self._opened is not None:
            await self._opened[0].aclose()

"""One record to its page: made once, amended in place, taken away, and what is noted of each outcome.

Every step may be repeated: what was begun and not noted is looked for in Notion first. Must not know what waits, or
when Notion is asked again after it was out of reach.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from tools.database import Database, micros
from tools.notion import ledger, news
from tools.notion import table as tables
from tools.notion.client import Json, NotionClient
from tools.notion.ledger import Standing
from tools.notion.pace import LATE, after_refusals
from tools.notion.page import (
    BLOCKS,
    differing,
    dropped,
    learned,
    signs,
)
from tools.notion.pieces import plain_text
from tools.notion.place import Place, find_place
from tools.notion.show import NotShown, Show
from tools.notion.table import Table
from tools.notion.trouble import NotionRefused, NotionUnsure
from tools.record import Mirrored, PersonId, Record

FULL = "use a personal access token, a workspace of your own, or a paid plan; `python -m bot doctor` says more"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Present:
    """A block that stands in a page, and what it is known by."""

    id: str
    known_by: frozenset[str]


def _bare(block: Json) -> list[str]:
    return [plain_text(block["paragraph"]["rich_text"])] if block["type"] == "paragraph" else []


class Carrier:
    """Brings records to one data source, one at a time. Raises NotionDown, and NotionRefused where no other record
    would fare better."""

    def __init__(
        self,
        database: Database,
        client: NotionClient,
        data_source_id: str,
        *,
        now: Callable[[], datetime],
        show: Show,
    ) -> None:
        self._database = database
        self._client = client
        self._given = data_source_id
        self._now = now
        self._show = show
        self._place: Place | None = None
        self._table: Table | None = None
        self._owner: PersonId | None = None
        self._is_full = False

    async def place(self) -> Place:
        """Where the pages are; asked of Notion the first time, and after ``leave``."""
        if self._place is None:
            self._place, self._table = await find_place(self._database, self._client, self._given)
        return self._place

    async def look_again(self) -> None:
        """Look at the place anew if another process has stored something else of it since, as ``setup`` does."""
        if self._place and await self._database.read(tables.known) != self._table:
            self.leave()

    def show_as(self, owner: Mirrored) -> None:
        """Show records as this owner's from now on: clock times in their zone, and who wrote them. The first is the one
        whose table it is."""
        self._show = self._show.of(owner)
        self._owner = self._owner or owner.id

    def leave(self) -> None:
        """Look at the place anew the next time."""
        self._place = None

    async def bring(self, standing: Standing) -> None:
        """Bring one record. A refusal that concerns this record alone must not hold up the others."""
        place = await self.place()
        try:
            if standing.record.deleted_at is not None:
                await self._take_away(place, standing)
            elif standing.state == "gone":
                await self._arrived(standing, "gone")
            elif standing.page_id is None:
                await self._make(place, standing)
            else:
                await self._amend(place, standing)
        except NotShown:
            _log.error("#%d is not sent to Notion: secrets could not be masked in it", standing.record.ref)
            await self._put_off(standing, "not sent: secrets could not be masked in it")
        except NotionRefused as refusal:
            if refusal.everything:
                raise
            await self._refused(place, standing, refusal)

    async def withdraw(self, standing: Standing) -> None:
        """Take the page of a record away that stays here, so that it can come back."""
        place, record, page_id = await self.place(), standing.record, standing.page_id
        try:
            if page_id is None and (found := await self._client.settle(place.id, place.key, record.key)):
                page_id = str(found["id"])
            if page_id is not None:
                await self._client.update_page(page_id, {"in_trash": True})
        except NotionRefused as refusal:
            if refusal.everything:
                raise
            _log.warning("#%d was not there to be withdrawn from Notion: %s", record.ref, refusal.reason)
        await self._note(record, state="none" if page_id is None else "trashed", page_id=page_id, pushed_rev=0)

    async def _make(self, place: Place, standing: Standing) -> None:
        record = standing.record
        if standing.state == "trying":
            found = await self._client.settle(place.id, place.key, record.key)
            if found is not None:
                await self._amend(place, replace(standing, page_id=found["id"]))
                return
        blocks = self._show.blocks(record)
        values = self._show.properties(record, place.binding)
        if not await self._database.write(lambda c: ledger.begin_page(c, record.id)):
            return  # it was taken away for good meanwhile
        request: Json = {"parent": {"type": "data_source_id", "data_source_id": place.id}, "properties": values}
        if blocks:
            request["children"] = blocks[:BLOCKS]
        page, unsure = await self._client.create_page(request, place.key, record.key)
        if unsure or len(blocks) > BLOCKS:
            # It may be an earlier attempt's page, or not all is in it yet: make it what the record is now.
            await self._note(record, page_id=page["id"], check_at=self._late_copy() if unsure else None)
            await self._amend(place, replace(standing, page_id=page["id"]))
            return
        self._compare(place, values, page)
        await self._stands(place, standing, page, values, signs(blocks))

    def _late_copy(self) -> int:
        return micros(self._now() + LATE)

    async def _amend(self, place: Place, standing: Standing) -> None:
        page_id, record = standing.page_id, standing.record
        assert page_id is not None, "there is a page to amend"
        blocks = self._show.blocks(record)
        body = signs(blocks)
        values = self._show.properties(record, place.binding)
        if standing.state == "trashed":
            # Only what we trashed ourselves is ever taken out again.
            await self._client.update_page(page_id, {"in_trash": False})
        changed = differing(standing.sent, values)
        page = await self._client.update_page(page_id, {"properties": changed})
        if list(standing.body) != body:
            await self._rewrite(record, page_id, standing.body, blocks)
        self._compare(place, changed, page)
        await self._stands(place, standing, page, values, body)

    async def _take_away(self, place: Place, standing: Standing) -> None:
        page_id = standing.page_id
        if page_id is None and standing.state == "trying":
            found = await self._client.settle(place.id, place.key, standing.record.key)
            page_id = None if found is None else str(found["id"])
        if page_id is None or standing.state == "gone":
            await self._arrived(standing, "gone" if standing.state == "gone" else "none")
            return
        await self._client.update_page(page_id, {"in_trash": True})
        await self._arrived(standing, "trashed", page_id=page_id)

    async def _rewrite(self, record: Record, page_id: str, before: tuple[str, ...], blocks: list[Json]) -> None:
        """Make our blocks in the page what they should be, in their order; what people wrote beside them stays."""
        body = signs(blocks)
        present = await self._present(page_id)
        for each in present:
            if each.known_by & set(before) and not each.known_by & set(body):
                await self._client.delete_block(each.id)
        standing = [each for each in present if each.known_by & set(body)]
        after: str | None = None
        missing: list[Json] = []
        for sign, block in zip(body, blocks, strict=True):
            found = next((each for each in standing if sign in each.known_by), None)
            if found is None:
                missing.append(block)
                continue
            standing.remove(found)
            await self._insert(record, page_id, missing, after)
            after, missing = found.id, []
        await self._insert(record, page_id, missing, after)

    async def _insert(self, record: Record, page_id: str, blocks: list[Json], after: str | None) -> None:
        try:
            for start in range(0, len(blocks), BLOCKS):
                made = await self._client.append(page_id, blocks[start : start + BLOCKS], after)
                after = str(made[-1]["id"])
        except NotionUnsure:
            # What was sent may land while we look and send it again: look for a double later, as with pages.
            await self._note(record, check_at=self._late_copy())
            raise

    async def _present(self, page_id: str) -> list[Present]:
        """The blocks directly in the page that say something."""
        blocks = await self._client.tree(page_id)
        known = [(each, sign) for each, sign in zip(blocks, signs(blocks), strict=True) if sign]
        # By its bare words a paragraph is known that was put there when all were plain.
        return [Present(each["id"], frozenset({sign, *_bare(each)})) for each, sign in known]

    async def _drop_doubles(self, page_id: str, body: tuple[str, ...]) -> None:
        """Take away what stands more often than we put it there. After an unclear outcome only, else it is theirs."""
        due = Counter(body)
        for each in await self._present(page_id):
            if sign := next(iter(each.known_by & due.keys()), None):
                due[sign] -= 1
                if due[sign] < 0:
                    await self._client.delete_block(each.id)

    # ── what became of it ─────────────────────────────────────────────────────────────────────────────────────────

    async def _stands(
        self, place: Place, standing: Standing, page: Json, values: dict[str, Json], body: list[str]
    ) -> None:
        def write(connection: Connection) -> None:
            there = {"page_id": page["id"], "url": page["url"], "sent": values, "body": body}
            ledger.arrived(connection, standing.record, "there", self._now(), **there)
            ledger.keep(connection, "link", place.url)

        await self._database.write(write)

    async def _arrived(self, standing: Standing, state: ledger.State, **values: Any) -> None:
        await self._database.write(lambda c: ledger.arrived(c, standing.record, state, self._now(), **values))

    async def _refused(self, place: Place, standing: Standing, refusal: NotionRefused) -> None:
        if refusal.code == "validation_error" and "archived" in refusal.reason and standing.page_id is not None:
            # A table in the trash takes its pages with it: that is no reason to give them up.
            self.leave()
            await self.place()
            _log.info("#%d was removed in Notion", standing.record.ref)
            await self._arrived(standing, "gone")
        elif refusal.code == "object_not_found":
            if standing.page_id is None:
                raise refusal
            await self._vanished(place, standing, refusal)
        elif refusal.is_full:
            await self._full(place, standing, refusal)
        elif not await self._columns_changed(place):
            await self._postpone(standing, refusal)

    async def _full(self, place: Place, standing: Standing, refusal: NotionRefused) -> None:
        """No new pages until a person acts; the others go on. Once that is said."""
        if not self._is_full:
            _log.error("Notion takes no new blocks from this connection (%s); records wait: %s", refusal.reason, FULL)
        self._is_full = True
        await self._database.write(lambda c: news.full(c, place.id, self._owner or standing.record.owner, self._now()))
        await self._put_off(standing, refusal.reason)

    async def _postpone(self, standing: Standing, refusal: NotionRefused) -> None:
        _log.warning("#%d is refused by Notion: %s", standing.record.ref, refusal.reason)
        await self._put_off(standing, refusal.reason)

    async def _put_off(self, standing: Standing, why: str) -> None:
        await self._note(
            standing.record,
            attempts=standing.attempts + 1,
            next_at=micros(self._now() + after_refusals(standing.attempts)),
            last_error=why,
        )

    async def _note(self, record: Record, **values: Any) -> None:
        await self._database.write(lambda c: ledger.note(c, record.id, **values))

    async def _vanished(self, place: Place, standing: Standing, refusal: NotionRefused) -> None:
        """The page is not found. If the table is (else this raises), it stands elsewhere or was removed for good."""
        found = await self._client.find(place.id, place.key, standing.record.key)
        if not found:
            await self._arrived(standing, "gone")
        elif found[0]["id"] != standing.page_id:
            await self._note(standing.record, page_id=found[0]["id"], sent={})
        else:
            await self._postpone(standing, refusal)

    async def _columns_changed(self, place: Place) -> bool:
        self.leave()
        return (await self.place()).binding != place.binding

    async def check(self, standing: Standing) -> None:
        """Trash the copy that an unclear attempt left, if there is one by now; so with blocks in the page."""
        place = await self.place()
        kept = await self._client.settle(place.id, place.key, standing.record.key)
        again: dict[str, Any] = {}
        if kept is not None and kept["id"] != standing.page_id:
            again = {"page_id": kept["id"], "pushed_rev": 0, "sent": {}}
        elif kept is not None and not kept["in_trash"] and standing.body:
            await self._drop_doubles(kept["id"], standing.body)
        await self._note(standing.record, check_at=None, **again)

    def _compare(self, place: Place, values: Mapping[str, Json], page: Json) -> None:
        """Say what Notion left out, and learn which options its columns have now."""
        if lost := dropped(values, page):
            names = [place.binding.names[field] for field, id_ in place.binding.ids.items() if id_ in lost]
            _log.warning("Notion left %s empty", ", ".join(names))
        self._place = replace(place, binding=learned(place.binding, values))

"""What people did in the table becomes true in the store: what they added, edited, threw away and took out again.

A look takes what was edited since the last one; a sweep goes through all rows, a hundred at a time, and finds what
looks have missed. Must not know when either is due, or how a row is taken over.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from tools.database import Database, instant, micros
from tools.notion import ledger, taking
from tools.notion.carrier import Carrier
from tools.notion.client import Json, NotionClient
from tools.notion.editors import Editors
from tools.notion.ledger import Known, Standing
from tools.notion.merge import same
from tools.notion.newcomer import owner_of
from tools.notion.news import Sight
from tools.notion.place import Place
from tools.notion.rows import Bookmark, all_since, slice_of
from tools.notion.show import NotShown, Show
from tools.notion.taking import Eyes, sight_of
from tools.notion.trouble import NotionDown, NotionRefused
from tools.record import Mirrored, PersonId, StoreUnavailable

OVERLAP = timedelta(minutes=2)
"""Notion tells the minute of an edit, and may tell it late."""
OLDEST = timedelta(hours=1)
"""So far back a look goes at most, if nothing was edited since: further than clocks differ."""
ECHO = timedelta(minutes=2)
"""What we sent so lately may not stand in the answer to a query yet: the page itself is asked."""
MOST_CONDITIONS = 100
"""Notion takes no more in one filter."""
MISSING_AT_ONCE = 20
"""Pages that were not met in a sweep are looked for one by one."""
KEY_SIGNS = 32
"""So long is a key of ours; what has another length in its column is somebody's own."""

_log = logging.getLogger(__name__)


class Pull:
    """Reads one data source. Raises NotionDown, NotionRefused."""

    def __init__(
        self, database: Database, client: NotionClient, carrier: Carrier, now: Callable[[], datetime], show: Show
    ) -> None:
        self._database = database
        self._client = client
        self._carrier = carrier
        self._now = now
        self._show = show
        self._editors = Editors(database, client)
        self._sweep_at: tuple[str, Bookmark] | None = None
        self._table_is_there = False

    async def look(self, owners: Sequence[Mirrored]) -> None:
        """Take over what was edited since the last look."""
        table, started = await self._begin()
        facts = await self._database.read(ledger.facts)
        seen = instant(int(facts["seen_until"])) if "seen_until" in facts else started
        since = seen - OVERLAP
        both = [asyncio.create_task(self._edited(table, since, owners, trashed=each)) for each in (False, True)]
        try:
            newest = max(seen, *[await each for each in both])
        finally:
            for each in both:
                each.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        until = max(newest, started - OLDEST)
        await self._database.write(lambda c: _looked(c, until, started), durable=False)

    async def _begin(self) -> tuple[Place, datetime]:
        await self._editors.meet()
        self._table_is_there = False
        return await self._carrier.place(), self._now()

    async def _edited(self, table: Place, since: datetime, owners: Sequence[Mirrored], *, trashed: bool) -> datetime:
        """The moment of the newest edit."""
        newest = since
        async for rows in all_since(self._client, table.id, "last_edited_time", since, trashed=trashed):
            await self.meet(rows, owners)
            newest = max([newest, *(datetime.fromisoformat(each["last_edited_time"]) for each in rows)])
        return newest

    async def look_at(self, page_ids: Iterable[str], owners: Sequence[Mirrored]) -> None:
        """Take over what was done to these very pages."""
        table, _ = await self._begin()
        for page_id in page_ids:
            known = (await self._database.read(partial(ledger.known, rows={page_id: ""})))[page_id]
            page = await self._page(page_id)
            if known is None:
                await self.meet([page] if page else [], owners)
            else:
                await self._found(known, page, owners, table)

    async def freshened(self, standing: Standing, owners: Sequence[Mirrored]) -> Standing | None:
        """What still has to be sent of a record, once it is taken over what was done to its page: Notion takes no
        condition with a write, so that what is not read just before it would be overwritten unseen."""
        if standing.page_id is None or standing.state != "there":
            return standing
        table, _ = await self._begin()
        try:
            page = await self._page(standing.page_id)
        except NotionRefused as refusal:
            if refusal.everything:
                raise
            return standing
        if page is not None and page["parent"].get("data_source_id") == table.id:
            await self.meet([page], owners, is_fresh=True)
        return await self._database.read(lambda c: ledger.still(c, standing.record))

    # ── one row after the other

    async def meet(self, rows: Sequence[Json], owners: Sequence[Mirrored], *, is_fresh: bool = False) -> None:
        """Take over what these rows say. ``is_fresh``: these are the pages themselves, and no answer to a query."""
        table = await self._carrier.place()
        rows = [each for each in rows if each.get("parent", {}).get("data_source_id") == table.id]
        shown = {each.id: each for each in owners if not each.withdrawn}
        key = table.binding.ids["key"]
        known = await self._database.read(lambda c: ledger.known(c, {each["id"]: _text(each, key) for each in rows}))
        for page in rows:
            try:
                await self._one(page, known[page["id"]], shown, is_fresh=is_fresh)
            except (NotionDown, NotionRefused, StoreUnavailable):
                raise
            except NotShown:
                _log.error("a row of Notion is left alone: secrets could not be masked in its record")
            except Exception:  # noqa: BLE001 - one row, whatever stands in it, must not hide the others
                _log.exception("a row of Notion cannot be taken over")

    async def _one(
        self, page: Json, known: Known | None, shown: Mapping[PersonId, Mirrored], *, is_fresh: bool
    ) -> None:
        table = await self._carrier.place()
        if known is None or (known.page_id not in {None, page["id"]} and not self._editors.made_by_us(page)):
            await self._somebodys(page, known, shown)
        elif known.page_id == page["id"] and (owner := shown.get(known.owner)) is not None:
            eyes = Eyes(owner, self._show.of(owner), table.binding, self._now(), await self._editors.origin(page))
            await self._take(page, known, eyes, is_fresh=is_fresh)

    async def _somebodys(self, page: Json, known: Known | None, shown: Mapping[PersonId, Mirrored]) -> None:
        """A row that somebody added, or made by duplicating another."""
        table = await self._carrier.place()
        if page.get("in_trash") or (known is not None and known.is_unsure):
            return
        if known is None and len(_text(page, table.binding.ids["key"])) == KEY_SIGNS:
            return  # of a store that was: what it had comes back by a rebuild
        owner = owner_of(_text(page, table.binding.ids.get("owner", "")), list(shown.values()))
        if owner is None:
            _log.info("a row of Notion is left alone: its column Owner names nobody who is shown there")
            return
        eyes = Eyes(owner, self._show.of(owner), table.binding, self._now(), await self._editors.origin(page))
        sight = sight_of(page, eyes)
        await self._database.write(lambda c: taking.add(c, sight, eyes), durable=False)

    async def _take(self, page: Json, known: Known, eyes: Eyes, *, is_fresh: bool) -> None:
        sight = sight_of(page, eyes)
        if known.seen == sight.mark:
            return
        if self._is_doubtful(sight, known, eyes):
            found = page if is_fresh else await self._page(page["id"])
            if found is None:
                return
            sight = sight_of(found, eyes)
            if sight.row.in_trash:
                await self._sure_of_the_table()
        await self._database.write(lambda c: taking.take(c, sight, known.record_id, eyes), durable=False)

    def _is_doubtful(self, sight: Sight, known: Known, eyes: Eyes) -> bool:
        """Whether the page itself has to be asked: before anything is deleted or comes back, and where the answer may
        be older than what we sent."""
        if sight.row.in_trash:
            return known.state in taking.STANDING and not known.is_deleted
        if known.is_deleted:
            return True
        if known.pushed_at is None or instant(known.pushed_at) < eyes.now - ECHO:
            return False
        sent = eyes.read(known.sent)
        return any(not same(value, sent.get(name)) for name, value in sight.row.fields.items())

    async def _page(self, page_id: str) -> Json | None:
        """The page; None if it is not there for us."""
        try:
            return await self._client.page(page_id)
        except NotionRefused as refusal:
            if refusal.code != "object_not_found":
                raise
            return None

    async def _sure_of_the_table(self) -> None:
        """A table in the trash takes its pages with it, and one that is not shared any more hides them: then nothing
        was deleted. Raises NotionRefused."""
        if not self._table_is_there:
            self._carrier.leave()
            await self._carrier.place()
            self._table_is_there = True

    # ── whether records that are about to be shown are still there

    async def check(self, records: Sequence[str], owners: Sequence[Mirrored]) -> None:
        """Look which of these records (by id) are in the trash: a page may be put there without a sign of its time."""
        table, _ = await self._begin()
        keys = await self._database.read(lambda c: ledger.keys_there(c, records))
        which = [{"property": table.key, "rich_text": {"equals": key}} for key in keys[:MOST_CONDITIONS]]
        if which:
            rows = await self._client.query(table.id, {"filter": {"or": which}, "in_trash": True})
            await self.meet(rows, owners)

    # ── all of them

    async def swept_at(self) -> datetime | None:
        """When all of them were gone through last."""
        facts = await self._database.read(ledger.facts)
        return instant(int(facts["swept_at"])) if "swept_at" in facts else None

    async def sweep(self, owners: Sequence[Mirrored]) -> bool:
        """Go through the next hundred rows of all; whether any are left."""
        table, now = await self._begin()
        phase, place, began = await self._so_far(now)
        if phase == "missing":
            if await self._missing(began, owners):
                return True
            await self._database.write(lambda c: ledger.swept(c, now))
            self._sweep_at = None
            return False
        found = await slice_of(self._client, table.id, "created_time", place, trashed=phase == "trashed")
        await self.meet(found.rows, owners)
        met = [each["id"] for each in found.rows]
        last = max((str(each["created_time"]) for each in found.rows), default=place.since)
        following = {"living": "trashed", "trashed": "missing"}[phase] if found.behind is None else phase
        self._sweep_at = (following, found.behind or Bookmark())
        state = json.dumps([following, last if found.behind else "", micros(began)])
        await self._database.write(lambda c: ledger.met_in_sweep(c, met, now, state), durable=False)
        return True

    async def _so_far(self, now: datetime) -> tuple[str, Bookmark, datetime]:
        """Where the sweep goes on: after a restart at the minute it had come to."""
        facts = await self._database.read(ledger.facts)
        phase, since, began = json.loads(facts.get("sweep") or json.dumps(["living", "", micros(now)]))
        place = Bookmark(since)
        if self._sweep_at is not None and self._sweep_at[0] == phase:
            place = self._sweep_at[1]
        return phase, place, instant(began)

    async def _missing(self, began: datetime, owners: Sequence[Mirrored]) -> bool:
        """Look for pages that no answer held; whether any are left."""
        shown = [each.id for each in owners if not each.withdrawn]
        table = await self._carrier.place()
        missing = await self._database.read(lambda c: ledger.missing(c, shown, began, MISSING_AT_ONCE))
        for each in missing:
            await self._found(each, await self._page(str(each.page_id)), owners, table)
        now, ids = self._now(), [str(each.page_id) for each in missing]
        await self._database.write(lambda c: ledger.met(c, ids, now), durable=False)
        return bool(missing)

    async def _found(self, known: Known, page: Json | None, owners: Sequence[Mirrored], table: Place) -> None:
        """What became of a page that was looked for: it stands there, elsewhere, or is no more."""
        owner = next((each for each in owners if each.id == known.owner and not each.withdrawn), None)
        if page is None and owner is not None and known.state == "there":
            await self._sure_of_the_table()
            await self._vanished(known, owner, table)
        elif page is not None and page["parent"].get("data_source_id") == table.id:
            await self.meet([page], owners)
        elif page is not None and known.state == "there":
            _log.info("a page was moved out of the table: from now on it is only theirs")
            await self._database.write(partial(ledger.moved_out, record_id=known.record_id))

    async def _vanished(self, known: Known, owner: Mirrored, table: Place) -> None:
        eyes = Eyes(owner, self._show.of(owner), table.binding, self._now())
        gone = {"id": known.page_id, "in_trash": True, "last_edited_time": self._now().isoformat()}
        sight = sight_of(gone, eyes)
        await self._database.write(lambda c: taking.vanish(c, sight, known.record_id, eyes))


def _looked(connection: Any, until: datetime, started: datetime) -> None:
    ledger.put(connection, "seen_until", str(micros(until)))
    ledger.put(connection, "pulled_at", str(micros(started)))


def _text(page: Json, id_: str) -> str:
    """What a text column of a page says."""
    values = page.get("properties", {}).values()
    pieces = next((each.get("rich_text") for each in values if each.get("id") == id_), None) or []
    return "".join(str(piece.get("plain_text") or "") for piece in pieces).strip()

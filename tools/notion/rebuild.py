"""The store made anew from the table in Notion: every record that stands there, with its ref, owner, key and times.

A hundred rows at a time, each hundred and how far one has come in one transaction: it may die anywhere and goes on,
and a store that holds records already gets only those it lacks. Must not know when this is done, or what a row says.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from typing import Any

from sqlalchemy import Connection

from tools.database import Database
from tools.notion import ledger, returning
from tools.notion.client import NotionClient
from tools.notion.editors import who
from tools.notion.fields import mapping
from tools.notion.pieces import plain_text
from tools.notion.place import Place, find_place
from tools.notion.reading import Row, read_body, read_row
from tools.notion.returning import Found, Home
from tools.notion.rows import Bookmark, slice_of
from tools.notion.schema import Json
from tools.notion.show import Show
from tools.notion.taking import mark_of
from tools.record import PersonId

LEASE = timedelta(seconds=20)
"""Renewed with every hundred rows: another process goes on so long after this one has died. Should both be at it for
once, each hundred is still taken by one of them."""

_log = logging.getLogger(__name__)


class Busy(Exception):
    """Another process is at it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it has come. ``begun``: it is known whose refs go how far; until then it is only known to be wanted.
    ``since``: the minute in which the last row was made; ``rows``: those that were gone through; ``back``: records that
    were made, ``here``: those that were here already. ``copies`` bear a key that another page has too; ``renumbered``:
    their ref was taken; ``in_part``: a value was no value of ours; ``theirs``: rows that people made, which are no
    records yet. ``owners``: whose records it met, ``highest``: the refs of those that live, at the beginning."""

    begun: bool = False
    since: str = ""
    rows: int = 0
    back: int = 0
    here: int = 0
    copies: int = 0
    renumbered: int = 0
    in_part: int = 0
    theirs: int = 0
    owners: Mapping[str, int] = field(default_factory=dict)
    highest: Mapping[str, int] = field(default_factory=dict)
    done: bool = False

    @property
    def about(self) -> int:
        """How many rows there may be, and more if records were deleted since."""
        return max(self.rows, sum(self.highest.values()))

    def after(self, since: str, rows: int, theirs: int, outcomes: Counter[returning.Outcome]) -> Progress:
        """Once these rows were gone through too."""
        return replace(
            self,
            since=max(self.since, since),
            rows=self.rows + rows,
            theirs=self.theirs + theirs,
            back=self.back + outcomes["back"],
            here=self.here + outcomes["here"],
            copies=self.copies + outcomes["copies"],
            renumbered=self.renumbered + outcomes["renumbered"],
            in_part=self.in_part + outcomes["in part"],
        )


class Rebuild:
    """Brings records back from one data source. ``owner``: whose rows are that name nobody, where that is known;
    ``process`` must differ between processes that share a database. Raises NotionDown, NotionRefused, Busy."""

    def __init__(
        self,
        database: Database,
        client: NotionClient,
        data_source_id: str,
        *,
        now: Callable[[], datetime],
        show: Show,
        owner: PersonId | None = None,
        process: str = "embedded",
    ) -> None:
        self._database = database
        self._client = client
        self._given = data_source_id
        self._show = show
        self._now = now
        self._owner = owner
        self._process = process
        self._us = ""

    async def progress(self) -> Progress | None:
        """How far it has come; None if it was never begun here."""
        facts = await self._database.read(ledger.facts)
        return Progress(**json.loads(facts["rebuild"])) if "rebuild" in facts else None

    async def is_due(self) -> bool:
        """Whether the store is empty, or was left half made. Once it is, that stays so until it is done: people may be
        answered before Notion is."""
        so_far = await self.progress()
        if so_far is None and await self._database.read(returning.is_empty):
            so_far = Progress()
            await self._database.write(partial(_keep, progress=so_far))
        return so_far is not None and not so_far.done

    async def run(self, *, anew: bool = False, told: Callable[[Progress], None] = lambda _: None) -> Progress:
        """Bring back what is not here, from where it was left; ``anew``: from the beginning, if it was over. ``told``
        hears of each hundred rows."""
        await self._hold(LEASE)
        try:
            place, _ = await find_place(self._database, self._client, self._given)
            so_far = await self.progress()
            if so_far is None or not so_far.begun or (so_far.done and anew):
                so_far = await self._begin(place)
            return so_far if so_far.done else await self._go_on(place, so_far, told)
        finally:
            await self._hold(timedelta(0))

    async def _hold(self, lease: timedelta) -> None:
        now = self._now()
        holds = await self._database.write(
            lambda c: ledger.hold(c, self._process, now, now + lease, "rebuilder"), durable=False
        )
        if not holds and lease:
            raise Busy

    # ── the refs

    async def _begin(self, place: Place) -> Progress:
        """Find out whose refs go how far, also of what lies in the trash: what is noted from now on counts behind."""
        living, trashed = [await self._highest(place, trashed=each) for each in (False, True)]
        highest = {owner: max(living.get(owner, 0), trashed.get(owner, 0)) for owner in living | trashed}
        begun = Progress(begun=True, highest=living)

        def write(connection: Connection) -> None:
            returning.highest(connection, [(PersonId(each), ref) for each, ref in highest.items()], self._now())
            _keep(connection, begun)

        await self._database.write(write)
        return begun

    async def _highest(self, place: Place, *, trashed: bool) -> dict[str, int]:
        ref = place.binding.ids.get("ref")
        if ref is None:
            return {}
        body: Json = {
            "filter": {"property": ref, "number": {"greater_than": 0}},
            "sorts": [{"property": ref, "direction": "descending"}],
            **({"in_trash": True} if trashed else {}),
        }
        answer = await self._client.query_slice(place.id, body, None)
        highest: dict[str, int] = {}
        for row in (self._read(each, place)[0] for each in answer["results"]):
            if row.owner and row.ref:
                highest[row.owner] = max(row.ref, highest.get(row.owner, 0))
        return highest

    # ── the rows

    async def _go_on(self, place: Place, so_far: Progress, told: Callable[[Progress], None]) -> Progress:
        self._us = str((await self._client.me()).get("id", ""))
        spot: Bookmark | None = Bookmark(so_far.since)
        while spot is not None:
            found = await slice_of(self._client, place.id, "created_time", spot)
            so_far = await self._take(place, found.rows, so_far, last=found.behind is None)
            spot = found.behind
            told(so_far)
            await self._hold(LEASE)
        return so_far

    async def _take(self, place: Place, pages: Sequence[Json], so_far: Progress, *, last: bool) -> Progress:
        rows = [(*self._read(page, place), page) for page in pages]
        found = [
            Found(
                row, owner, zone, self._made_by_us(page), await self._body(row, zone), mark_of(page, row, place.binding)
            )
            for row, zone, page in rows
            if row.key and (owner := self._owner_of(row, so_far)) is not None
        ]
        since = max((str(page["created_time"]) for page in pages), default=so_far.since)
        home = Home(place.binding, self._show, self._now())

        def write(connection: Connection) -> Progress:
            outcomes = returning.bring_back(connection, found, home)
            after = so_far.after(since, len(rows), len(rows) - len(found), outcomes)
            after = replace(after, owners=_counted(so_far.owners, found), done=last)
            _keep(connection, after)
            if last and after.back:
                ledger.keep(connection, "link", place.url)
                ledger.keep(connection, "link_told", "yes")
            return after

        return await self._database.write(write)

    def _read(self, page: Json, place: Place) -> tuple[Row, tzinfo]:
        zone = self._show.zone or _zone_of(page, place)
        return read_row(page, place.binding, place.binding.option_names(self._show.language), zone), zone

    def _owner_of(self, row: Row, so_far: Progress) -> PersonId | None:
        """Whom it names; else whose the table is, or whose most rows are as far as was seen."""
        if row.owner:
            return PersonId(row.owner[:64])
        seen = so_far.highest
        return self._owner or (PersonId(max(seen, key=lambda each: seen[each])) if seen else None)

    def _made_by_us(self, page: Json) -> bool:
        return who(page, "created_by") in {"", self._us}

    async def _body(self, row: Row, zone: tzinfo) -> tuple[tuple[str, object], ...]:
        if not row.in_body:
            return ()
        blocks = [each for each in await self._client.children(row.page_id) if each["type"] == "paragraph"]
        texts = [plain_text(each["paragraph"]["rich_text"]) for each in blocks]
        return tuple(read_body(row.in_body, texts, zone, row.fields.get("content")).items())


def _keep(connection: Connection, progress: Progress) -> None:
    ledger.put(connection, "rebuild", json.dumps(asdict(progress)))


def _counted(before: Mapping[str, int], found: Sequence[Found]) -> dict[str, int]:
    return dict(Counter(before) + Counter(str(each.owner) for each in found))


def _zone_of(page: Json, place: Place) -> tzinfo:
    """The offset that the page's own clock times have: the zone itself does not stand in Notion."""
    ids = {place.binding.ids.get(name) for name in ("when", "remind")}
    for value in mapping(page.get("properties")).values():
        start: Any = mapping(mapping(value).get("date")).get("start") if mapping(value).get("id") in ids else None
        try:
            at = datetime.fromisoformat(start) if isinstance(start, str) else None
        except ValueError:
            at = None
        if at is not None and at.tzinfo is not None:
            return at.tzinfo
    return UTC

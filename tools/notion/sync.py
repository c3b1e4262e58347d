"""Records in the owner's Notion: what changed here goes there, in order, once, and as soon as Notion takes it; what
people did there is taken over.

One pass at a time works through what waits; callers wait for it or not, but never stop it. Must not know who asked for
a record, or what Notion's answers look like beyond ids.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta

from sqlalchemy import Connection

from tools.database import Database, instant
from tools.notion import ledger, news, trash
from tools.notion.carrier import Carrier
from tools.notion.client import NotionClient
from tools.notion.intake import Intake
from tools.notion.looking import Looking
from tools.notion.pull import Pull
from tools.notion.show import Show
from tools.notion.trouble import NotionDown, NotionRefused
from tools.record import Mirrored, MirrorState, News, PersonId

SHOW = Show()
BATCH = 20
"""Records looked up at once."""
LONGEST_REST = 300.0
"""Seconds at most until Notion is asked again, or looked after: as long as records wait once an outage is over."""
REFUSED_REST = 300.0
"""Seconds after a refusal that concerns every record: a person has to act first, so there is no hurry."""
OTHERS_REST = 5.0
"""Seconds while another process pushes: one that was killed is replaced soon after its lease has ended."""
LEASE = timedelta(minutes=1)
"""Renewed while a pass lasts and given back after it, so that it only outlives a process that was killed."""
RENEWALS = 4
"""In the life of a lease."""

_log = logging.getLogger(__name__)


class NotionSync:
    """The mirror of several people's records in one table (MirrorPort). ``data_source_id`` may be a database id or a
    Notion link; ``owners`` is asked anew each time, and the first of them is the one whose table it is; ``now`` tells
    aware times. ``process`` must differ between processes that share a database: one of them pushes at a time."""

    def __init__(  # noqa: PLR0913 - the mirror's parts, and times that differ in tests
        self,
        database: Database,
        client: NotionClient,
        data_source_id: str,
        owners: Callable[[], Awaitable[Sequence[Mirrored]]],
        *,
        now: Callable[[], datetime],
        show: Show = SHOW,
        process: str = "embedded",
        first_rest: float = 2.0,
        lease: timedelta = LEASE,
    ) -> None:
        self._database = database
        self._carrier = Carrier(database, client, data_source_id, now=now, show=show)
        self._trash = trash.Trash(database, client, now)
        pull = Pull(database, client, self._carrier, now, show)
        self._intake = Intake(database, pull, now)
        self._looking = Looking(pull, now)
        self._checks: set[asyncio.Task[None]] = set()
        self._keeps = False
        self._closed = False
        self._process = process
        self._owners = owners
        self._now = now
        self._first_rest = first_rest
        self._lease = lease
        self._rests = 0
        self._rested_at = now()
        self._pass: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._fresh = True
        self._told = False

    async def push(self, owner: PersonId, seconds: float) -> MirrorState:
        try:
            shown = [each for each in await self._owners() if not each.withdrawn]
            ours = next((each for each in shown if each.id == owner), None)
            return await self._push(ours, seconds, of_the_house=ours is shown[0]) if ours else MirrorState(0)
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("the state of the mirror cannot be told")
            return MirrorState(0)

    async def pages(self, records: Sequence[str]) -> Mapping[str, str]:
        try:
            return await self._database.read(lambda c: ledger.pages(c, records))
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("the pages of records cannot be told")
            return {}

    async def refresh(self, owner: PersonId, seconds: float) -> None:
        try:
            if self._rest or not self._looking.may_be_asked:
                return
            if any(each.id == owner and not each.withdrawn for each in await self._owners()):
                self._looking.ask()
                self._wake.set()
                self._passing()
                await self._looking.wait(seconds)
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("what was done in the mirror cannot be looked at")

    async def check(self, records: Sequence[str], seconds: float) -> None:
        if self._rest or self._fresh or self._checks or not self._looking.is_quick:
            return  # nothing is known of the place, or it is slow
        check = asyncio.create_task(self._trashed(records))
        self._checks.add(check)
        check.add_done_callback(self._checks.discard)
        await asyncio.wait({check}, timeout=seconds)

    async def _trashed(self, records: Sequence[str]) -> None:
        try:
            await self._looking.pull.check(records, await self._owners())
        except (NotionDown, NotionRefused) as problem:
            _log.warning("Notion could not be asked for what was thrown away: %s", problem.reason)
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("what was thrown away in the mirror is not known")

    async def news(self) -> Sequence[News]:
        return await self._database.read(news.waiting)

    async def told(self, ids: Sequence[str]) -> None:
        await self._database.write(lambda c: news.told(c, ids))

    def signal(self, page_ids: tuple[str, ...] = (), *, moved: bool = False) -> None:
        """Notion says that something happened there, perhaps to these pages, or to the table: it is looked at as soon
        as possible."""
        if moved:
            self._carrier.leave()
        self._looking.signal(page_ids)
        self._wake.set()

    async def forget(self, seconds: float) -> int:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not self._rest and (left := deadline - loop.time()) > 0 and await self._is_due(trash.next_due):
            await asyncio.wait({self._passing()}, timeout=left)
        self._wake.set()
        return await self._database.read(trash.waiting)

    async def _is_due(self, when: Callable[[Connection], int | None]) -> bool:
        due = await self._database.read(when)
        return due is not None and instant(due) <= self._now()

    async def keep_pushing(self) -> None:
        self._keeps = True
        try:
            while True:
                self._wake.clear()
                await asyncio.wait({self._passing()})
                idle = await self._idle()
                with suppress(TimeoutError):  # not wait_for: until Python 3.12, woken and stopped at once, it goes on
                    async with asyncio.timeout(idle):
                        await self._wake.wait()
                await asyncio.sleep(self._rest)
        finally:
            await self.close()

    async def close(self) -> None:
        """Stop the pass under way. What it was at is taken up again by the next one."""
        self._closed = True
        under_way = {*self._checks, *([self._pass] if self._pass else [])}
        for each in under_way:
            each.cancel()
        if under_way:
            await asyncio.wait(under_way)

    # ── when ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _push(self, owner: Mirrored, seconds: float, *, of_the_house: bool) -> MirrorState:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        # The first pass also finds out whether the pages are still where they were.
        while not self._rest and (left := deadline - loop.time()) > 0 and (self._fresh or await self._ready(owner, 1)):
            await asyncio.wait({self._passing()}, timeout=left)
        waiting = await self._database.read(lambda c: ledger.waiting(c, owner.id))
        if waiting:
            self._wake.set()
        return MirrorState(waiting, await self._link() if of_the_house else None)

    async def _ready(self, owner: Mirrored, limit: int) -> list[ledger.Standing]:
        return await self._database.read(lambda c: ledger.ready(c, owner.id, self._now(), limit))

    def _passing(self) -> asyncio.Task[None]:
        """The pass under way, or a new one. It outlives whoever waits for it."""
        if self._pass is None or self._pass.done():
            self._pass = asyncio.create_task(self._work())
            asked = self._looking.asked_at
            self._pass.add_done_callback(lambda _: self._is_over(asked))
        return self._pass

    def _is_over(self, asked: float | None) -> None:
        """Who asked when the pass was nearly over is served by another one; who asked before it waits no more."""
        if self._looking.asked_at in {None, asked} or self._rest or self._closed:
            self._looking.leave_off()
        else:
            self._passing()

    @property
    def _rest(self) -> float:
        """Seconds until Notion is asked again."""
        return max(0.0, (self._rested_at - self._now()).total_seconds())

    def _rest_for(self, seconds: float | None) -> None:
        if seconds is None:
            seconds = min(self._first_rest * 2**self._rests, LONGEST_REST)
            self._rests += 1
        self._rested_at = self._now() + timedelta(seconds=seconds)

    async def _idle(self) -> float:
        """Seconds in which nothing has to be done, unless somebody wakes us."""
        if self._rest:
            return self._rest
        try:
            times = [await self._database.read(each) for each in (ledger.next_due, trash.next_due)]
            due = min((time for time in times if time is not None), default=None)
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("what is due in the mirror cannot be told")
            due = None
        soon = LONGEST_REST if due is None else (instant(due) - self._now()).total_seconds()
        return max(0.05, min(soon, LONGEST_REST, self._looking.rest()))

    async def _link(self) -> str | None:
        """The link to the table, once, after the first success."""
        if self._told:
            return None
        facts = await self._database.read(ledger.facts)
        if "link" not in facts:
            return None
        self._told = True
        new = await self._database.write(lambda c: ledger.keep(c, "link_told", "yes"))
        return facts["link"] if new else None

    # ── one pass ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def _work(self) -> None:
        if self._rest:
            return
        try:
            owners = await self._owners()
            if not owners and not await self._database.read(trash.waiting):
                return
            if await self._hold(self._lease):
                async with self._renewing():
                    await self._carry(owners)
                self._rests = 0
            else:
                self._rest_for(OTHERS_REST)
        except NotionDown as down:
            _log.warning("Notion is out of reach, records wait: %s", down.reason)
            self._rest_for(None if down.wait is None else max(1.0, down.wait))
        except NotionRefused as refusal:
            _log.error("Notion refuses, records wait: %s %s", refusal.reason, refusal.next_step)
            self._carrier.leave()
            self._rest_for(REFUSED_REST)
        except Exception:  # noqa: BLE001 - a mirror never takes its house down
            _log.exception("the mirror stumbled, records wait")
            self._rest_for(None)
        finally:
            await self._give_back()

    async def _carry(self, owners: Sequence[Mirrored]) -> None:
        await self._carrier.look_again()
        place = await self._carrier.place()
        self._fresh = False
        await self._trash.empty(place.id, place.key)
        if self._looking.is_asked or self._keeps:
            await self._look(owners)
        if self._keeps:
            await self._intake.go_through(owners, lambda: self._look(owners))
        for owner in owners:
            await (self._withdraw(owner) if owner.withdrawn else self._bring(owner, owners))
        if self._keeps:
            await self._looking.sweep(owners)

    async def _look(self, owners: Sequence[Mirrored]) -> bool:
        """Take over what was done there, if that is due; whether it was."""
        if not self._looking.is_due:
            return False
        await self._looking.look(owners)
        return True

    async def _withdraw(self, owner: Mirrored) -> None:
        self._carrier.show_as(owner)
        while batch := await self._database.read(lambda c: ledger.shown(c, owner.id, BATCH)):
            for standing in batch:
                await self._carrier.withdraw(standing)

    async def _bring(self, owner: Mirrored, owners: Sequence[Mirrored]) -> None:
        self._carrier.show_as(owner)
        while batch := await self._ready(owner, BATCH):
            if self._looking.is_asked and await self._look(owners):
                continue
            for standing in batch:
                if (fresh := await self._looking.pull.freshened(standing, owners)) is not None:
                    await self._carrier.bring(fresh)
                if self._looking.is_asked and self._looking.is_due:
                    break
        for standing in await self._database.read(lambda c: ledger.to_check(c, owner.id, self._now())):
            await self._carrier.check(standing)

    @asynccontextmanager
    async def _renewing(self) -> AsyncIterator[None]:
        """Stay the process that pushes; if it is another by now, the pass is at an end."""
        done = asyncio.Event()
        renewing = asyncio.create_task(self._renew(self._pass, done))
        try:
            yield
        finally:
            done.set()
            await asyncio.wait({renewing})  # not cancelled: a write that nobody waits for may still be stored

    async def _renew(self, this: asyncio.Task[None] | None, done: asyncio.Event) -> None:
        ours = True
        while ours and not done.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._lease.total_seconds() / RENEWALS):
                    await done.wait()
                return
            try:
                ours = await self._hold(self._lease)
            except Exception as problem:  # noqa: BLE001 - what a store does now it may not do in a moment
                _log.warning("the lease of the mirror was not renewed: %s", type(problem).__name__)
        if not ours and this is not None:
            _log.warning("another process pushes now; this one leaves off")
            this.cancel()

    async def _give_back(self) -> None:
        """A lease that cannot be given back ends by itself; until then no other process pushes."""
        try:
            await self._hold(timedelta(0))
        except Exception as problem:  # noqa: BLE001 - a mirror never takes its house down
            _log.warning("the lease of the mirror was not given back: %s", type(problem).__name__)

    async def _hold(self, lease: timedelta) -> bool:
        """Be the process that pushes, for so long; False while it is another."""
        now = self._now()
        return await self._database.write(lambda c: ledger.hold(c, self._process, now, now + lease), durable=False)

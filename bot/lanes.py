"""Lanes: one turn at a time per chat, many chats at once.

A lane exists while its chat has work; a message that arrives meanwhile is found by the lane itself or wakes a new one.
Several processes may share the work: the inbox says whose a lane is, and what another has left behind is taken up here.
Must not know what a turn does: it is handed a function. What is due by the clock comes in here too, as inbox rows.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime

from bot.inbox_ports import InboxPort
from bot.ports import ChannelPort, ClaimLost, LaneId, Turn, TurnId
from bot.postponed import PostponedPort, Recovery, hand_over
from bot.pushes import LOW, RESERVE, month_of, notice, of_disk
from tools.patience import MAY_WAIT
from tools.record import PersonId, StoreUnavailable

log = logging.getLogger(__name__)

MANY = 32
"""Chats worked at once: more would only wait for the same model and the same two cores."""

TICK_SECONDS = 1.0
"""How often the clock is looked at for what is due; a person sees no difference below a second."""

GROUPS_SECONDS = 600.0
"""How often it is looked for groups to leave: nobody waits for that."""

NEWS_SECONDS = 15.0
"""How often it is looked whether something is to be told: it waits for the next reply anyway."""

QUOTA_SECONDS = 300.0
"""How often what is known of the quota is looked at; the network itself is asked far more rarely."""

SWEEP_SECONDS = 2.0
"""How often work is looked for that nobody was woken for: left by a process that died, or a bell that was not heard."""

RENEW_SECONDS = 3.0
"""How often claims are renewed: three times in the life of one."""

PAUSE_SECONDS = 5.0
"""Before a lane tries again after something unforeseen, such as a store that cannot be written."""

TRIES = 5
"""For one turn that can be taken but fails, until it is set aside."""


class Lanes:
    """Who works when."""

    def __init__(
        self,
        inbox: InboxPort,
        work: Callable[[Turn], Awaitable[None]],
        *,
        give_up: Callable[[Turn], Awaitable[None]] | None = None,
        held: bool = False,
        pause_seconds: float = PAUSE_SECONDS,
        renew_seconds: float = RENEW_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._inbox = inbox
        self._work = work
        self._give_up = give_up or inbox.fail
        self._held = held
        self._pause_seconds = pause_seconds
        self._renew_seconds = renew_seconds
        self._sweep_seconds = sweep_seconds
        self._failures: Counter[TurnId] = Counter()
        self._room = asyncio.Semaphore(MANY)
        self._suspects = asyncio.Lock()
        self._lanes: dict[LaneId, asyncio.Task[None]] = {}
        self._woken: set[LaneId] = set()
        self._closing = False

    async def start(self) -> None:
        """Go on with what was interrupted, and begin what waited."""
        for lane in await self._inbox.lanes_with_work():
            self.wake(lane)

    def wake(self, lane: LaneId) -> None:
        """The lane has work: start it, or tell the running one to look again."""
        if self._closing:
            return
        self._woken.add(lane)
        if lane not in self._lanes and not self._held:
            self._lanes[lane] = asyncio.create_task(self._run(lane), name=f"lane {lane}")

    def release(self) -> None:
        """Begin, if what comes in was only stored until now."""
        self._held = False
        for lane in list(self._woken):
            self.wake(lane)

    async def work(self, lane: LaneId) -> None:
        """Wake the lane, and wait until nothing is left in it for this process to do."""
        self.wake(lane)
        if running := self._lanes.get(lane):
            await asyncio.wait({running})

    async def watch(self) -> None:
        """Keep what is ours, and take up what others left behind, for ever."""
        await asyncio.gather(
            for_ever(self._renew, self._renew_seconds, "claims could not be renewed"),
            for_ever(self.start, self._sweep_seconds, "the inbox could not be looked through"),
        )

    async def close(self, seconds: float) -> None:
        """No new turns; running ones may finish for so long, the rest is left to be resumed."""
        self._closing = True
        if self._lanes:
            _, late = await asyncio.wait(self._lanes.values(), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        try:
            await self._inbox.let_go()
        except StoreUnavailable as trouble:
            log.warning("claims could not be given back, and run out by themselves: %s", trouble)

    async def _renew(self) -> None:
        if self._lanes:
            await self._inbox.renew()

    async def _run(self, lane: LaneId) -> None:
        MAY_WAIT.set(True)  # whoever woke it stands at the door
        try:
            while lane in self._woken and not self._closing:
                self._woken.discard(lane)
                await self._work_off(lane)
        finally:
            del self._lanes[lane]

    async def _work_off(self, lane: LaneId) -> None:
        try:
            while not self._closing and await self._one_turn(lane):
                pass
        except StoreUnavailable as trouble:
            log.error("the lane waits for the store: %s", trouble)  # noqa: TRY400 - it says itself what is wrong
            await self._pause(lane)
        except Exception:
            log.exception("the lane stops for a moment")
            await self._pause(lane)

    async def _one_turn(self, lane: LaneId) -> bool:
        """Work the next turn; whether there was one. The place among the many is taken for each anew, so that a chat
        without end waits like any other."""
        async with self._room:
            turn = await self._inbox.take(lane)
            if turn and not turn.is_suspect:
                await self._once(turn)
        if turn and turn.is_suspect:
            async with self._alone():
                await self._inbox.begins(turn)
                await self._once(turn)
        return turn is not None

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """With every place taken: who dies now dies of this turn, and what waits is not blamed."""
        async with self._suspects, AsyncExitStack() as places:
            for _ in range(MANY):
                await places.enter_async_context(self._room)
            yield

    async def _pause(self, lane: LaneId) -> None:
        self._woken.add(lane)
        await asyncio.sleep(self._pause_seconds)

    async def _once(self, turn: Turn) -> None:
        """Work a turn. One that fails every time is set aside at last, or nothing behind it would be answered."""
        try:
            await self._work(turn)
        except ClaimLost:
            log.warning("turn %s is another process's now", turn.id)
        except StoreUnavailable:
            raise
        except Exception:
            self._failures[turn.id] += 1
            if self._failures[turn.id] < TRIES:
                raise
            log.exception("turn %s failed %d times and is set aside", turn.id, TRIES)
            await self._set_aside(turn)
        del self._failures[turn.id]

    async def _set_aside(self, turn: Turn) -> None:
        """With a sentence, if that can be said."""
        try:
            await self._give_up(turn)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("turn %s is set aside in silence", turn.id)
            await self._inbox.fail(turn)


async def for_ever(do: Callable[[], Awaitable[None]], seconds: float, trouble: str) -> None:
    """Do it, whatever goes wrong, with so many seconds in between; ``trouble`` is what the log says then."""
    while True:
        try:
            await do()
        except StoreUnavailable as reason:
            log.warning("%s; trying again: %s", trouble, reason)
        except Exception:
            log.exception("%s; trying again", trouble)
        await asyncio.sleep(seconds)


async def bring_back(
    recovery: Recovery,
    postponed: PostponedPort,
    inbox: InboxPort,
    wake: Callable[[LaneId], None],
    now: Callable[[], datetime],
    *,
    tick_seconds: float = TICK_SECONDS,
) -> None:
    """Put words that waited for the model into the inbox when they are due, for ever."""

    async def look() -> None:
        for lane in await hand_over(recovery, postponed, inbox, now()):
            wake(lane)

    await for_ever(look, tick_seconds, "what waits for the model could not be looked at")


async def leave_groups(
    leave: Callable[[datetime], Awaitable[None]],
    now: Callable[[], datetime],
    *,
    look_seconds: float = GROUPS_SECONDS,
) -> None:
    """Leave groups where nobody wants the bot, for ever."""
    await for_ever(lambda: leave(now()), look_seconds, "groups to leave could not be looked for")


async def tell_news(
    hand_over: Callable[[datetime], Awaitable[list[LaneId]]],
    wake: Callable[[LaneId], None],
    now: Callable[[], datetime],
    *,
    tick_seconds: float = NEWS_SECONDS,
) -> None:
    """Put what people have to hear of what was done in a mirror into the inbox, for ever."""

    async def look() -> None:
        for lane in await hand_over(now()):
            wake(lane)

    await for_ever(look, tick_seconds, "what was done in the mirror could not be told")


async def watch_quota(
    channel: ChannelPort,
    owner: Callable[[], Awaitable[PersonId | None]],
    inbox: InboxPort,
    wake: Callable[[LaneId], None],
    now: Callable[[], datetime],
    *,
    look_seconds: float = QUOTA_SECONDS,
) -> None:
    """Look for ever whether the month's pushes run out: then the log says so, and the owner hears it, once a month."""
    warned = ""

    async def look() -> None:
        nonlocal warned
        left, month = await channel.pushes_left(), month_of(now())
        if left is None or left > LOW or month == warned:
            return
        if person := await owner():
            for lane in await inbox.put([notice(person, left, now())]):
                wake(lane)
        log.warning("%d pushes are left this month; at %d reminders begin to wait for the next reply", left, RESERVE)
        warned = month

    await asyncio.sleep(look_seconds)
    await for_ever(look, look_seconds, "the quota could not be looked at")


async def warn_of_disk(
    platform: str,
    owner: Callable[[], Awaitable[PersonId | None]],
    inbox: InboxPort,
    wake: Callable[[LaneId], None],
    now: Callable[[], datetime],
    *,
    look_seconds: float = QUOTA_SECONDS,
) -> None:
    """As soon as somebody owns the bot, they hear that this platform wipes its disk: once, until it has."""
    told = False

    async def look() -> None:
        nonlocal told
        if not told and (person := await owner()):
            for lane in await inbox.put([of_disk(person, platform, now())]):
                wake(lane)
            told = True

    await for_ever(look, look_seconds, "the owner could not be told of the disk")

"""Runs a bot to its death, again and again, while people speak to it; then lets it come to rest and judges.

A run is a list of deaths. Each start is armed with the next one, so that the bot also dies while it recovers. Must not
know how the bot works: it speaks as people do and looks at what LINE, Notion and the store say.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bot.main import utc_now
from tests.crash.model import AWAY, NUMBER, RING, SLOW
from tests.crash.verdict import Problem, Wish, judged
from tests.crash.world import World, around_a_bot, eventually
from tests.nursery import Nursery
from tools.database import micros

BLIND = "at random times"
REST_SECONDS = 30.0
"""So long everything may take that is waited for; it takes a second or two."""

PORTIONS = 4
"""So often people speak before it is said that a point is never passed."""

IN_A_ROW = 2
"""Deaths without a rest between them: a third one would make the bot give up what it was at, and rightly so."""

PATIENCE = 12
"""So many wishes may wait before people fall silent; a receipt names the first few of very many only."""


@dataclass(frozen=True, slots=True)
class Death:
    """Where the bot dies: the nth passing of a point, or blindly."""

    point: str = BLIND
    nth: int = 1

    @property
    def room(self) -> str:
        return self.point.partition(":")[0]


@dataclass
class Outcome:
    """What became of one run. ``recoveries``: of each point, the seconds from the next start to the first answer, or
    None if none was given before the next death."""

    deaths: Sequence[Death]
    problems: list[Problem] = field(default_factory=list)
    recoveries: list[tuple[str, float | None]] = field(default_factory=list)
    wishes: int = 0

    def told(self) -> str:
        """For whoever has to look into it."""
        plan = ", ".join(f"{each.point} ({each.nth})" for each in self.deaths)
        found = [f"  {each.kind}: {each.what} (round {each.round})" for each in self.problems]
        return "\n".join([f"after {plan}:", *found])


class Run:
    """One bot, and everyone who speaks to it."""

    def __init__(self, world: World, chance: random.Random, arguments: Sequence[str]) -> None:
        self._world = world
        self._line = world.line
        self._chance = chance
        self._arguments = arguments
        self._numbers = count(1)
        self._groups = count(1)
        self._round = 0
        self._tapped: set[str] = set()
        self.wishes: list[Wish] = []
        self.problems: list[Problem] = []
        self.recoveries: list[tuple[str, float | None]] = []
        self._dead = ""

    async def through(self, deaths: Sequence[Death]) -> None:
        """Die each death, rest after every other one and at the end, and be judged."""
        for self._round, death in enumerate(deaths):
            await self._until_dead(death)
            if self._round % IN_A_ROW or self._round == len(deaths) - 1:
                await self._rest()
        self.problems += judged(self._world, self.wishes)

    # ── deaths

    async def _start(self, *armed: str) -> None:
        self._before = len(self._line.accepted())
        self._started = time.time()
        await self._world.start(*self._arguments, *armed)

    async def _until_dead(self, death: Death) -> None:
        if death.point == BLIND:
            await self._start()
            talk = asyncio.create_task(self._speak(""))
            await asyncio.sleep(self._chance.uniform(0.1, 1.5 if self._world.nursery else 4.0))
            await self._world.kill()
            await talk
        else:
            await self._start("--at", death.point, "--nth", str(death.nth))
            await self._until_passed(death)
        self._note_recovery()
        self._dead = death.point

    async def _until_passed(self, death: Death) -> None:
        for _ in range(PORTIONS):
            await self._speak(death.room)
            if not await eventually(lambda: not self._world.lives or self._is_quiet(), REST_SECONDS):
                self._problem("stuck", f"no rest before {death}: {self._waiting()}")
                break
            if not self._world.lives:
                await self._has_killed_itself()
                return
        self._problem("never passed", str(death))
        await self._world.kill()

    async def _has_killed_itself(self) -> None:
        assert self._world.process is not None
        if (code := await self._world.process.wait()) != -signal.SIGKILL:
            self._problem("ended", f"with {code}:\n{self._world.log()[-3000:]}")

    def _problem(self, kind: str, what: str) -> None:
        self.problems.append(Problem(kind, what, self._round))

    def _note_recovery(self) -> None:
        """Of the death before this start, if there was one and it could still answer."""
        new = self._line.accepted()[self._before :]
        if self._dead:
            self.recoveries.append((self._dead, new[0].at / 1000 - self._started if new else None))
        self._dead = ""

    async def _rest(self) -> None:
        """Start without a death, and stop once nothing is left to do."""
        await self._start()
        await self._speak("")
        await self._come_to_rest()
        self._note_recovery()
        if self._world.lives and (code := await self._world.stop()) != 0:
            self._problem("stop", f"the bot ended with {code}")

    async def _come_to_rest(self) -> None:
        for _ in range(PORTIONS):
            await eventually(lambda: not self._world.lives or self._is_quiet(), REST_SECONDS)
            if not self._world.lives or not self._is_quiet():
                self._problem("stuck", f"it does not come to rest: {self._waiting()}\n{self._world.log()[-1000:]}")
                return
            if not (owed := self._owed()):
                break
            for chat in owed:  # what is owed comes with the next answer
                self._say_wishes(chat, 1)

    # ── what people do

    async def _speak(self, room: str) -> None:
        """A portion of talk, once what was said before has got through, and unless too much waits for an answer."""
        await eventually(lambda: not self._world.lives or not self._line.on_the_way(), REST_SECONDS)
        if self._line.on_the_way() or self._unanswered() > PATIENCE:
            return
        mirrored, bursty, wordy = self._line.people
        first = self._say_wishes(mirrored, 2 if room == "notion" else 1)
        if room == "second thoughts":
            await self._think_better_of_it(wordy)
        else:
            self._say_wishes(wordy, 2, {"interim": SLOW, "later": AWAY}.get(room, ""))
        burst = next(self._groups)
        for _ in range(self._chance.randint(2, 3)):
            self._say_wishes(bursty, 1, RING if room in {"reminder", "push"} else "", group=burst)
            await asyncio.sleep(0.002)  # LINE's clock counts milliseconds
        if self._chance.random() < 0.5:
            self._tap(mirrored)
        if self._chance.random() < 0.5:
            await asyncio.sleep(self._chance.uniform(0, 0.3))
            await self._line.deliver_again(first.event)

    def _say_wishes(self, person: str, many: int, kind: str = "", group: int | None = None) -> Wish:
        """One message with so many wishes; the first of them."""
        named = [f"W{next(self._numbers):04}" for _ in range(many)]
        event = self._line.say(person, "\n".join(f"{each} 買牛奶{kind}" for each in named))
        group = next(self._groups) if group is None else group
        answers = 2 if kind == RING else 1
        wishes = [Wish(each, person, event, self._round, group, answers) for each in named]
        self.wishes += wishes
        return wishes[0]

    async def _think_better_of_it(self, person: str) -> None:
        """Say something, and take it back while it is being thought about."""
        wish = self._say_wishes(person, 1, SLOW)
        await eventually(lambda: not self._world.lives or not self._line.on_the_way(), REST_SECONDS)
        if self._line.on_the_way():
            return  # it died before it heard of it; then it is an ordinary wish
        wish.withdrawn, wish.answers = True, 0
        begun = "SELECT id FROM inbox WHERE id = :event AND state = 'working'"
        await eventually(lambda: not self._world.lives or self._world.store.rows(begun, event=wish.event), REST_SECONDS)
        self._line.unsend(person, wish.event)

    def _tap(self, person: str) -> None:
        """Take back one answered turn."""
        for data, told in self._line.undo_buttons(person):
            if data not in self._tapped and (numbers := NUMBER.findall(told)):
                self._tapped.add(data)
                self._line.tap(person, data)
                for wish in self.wishes:
                    if wish.number in numbers:
                        wish.undone = True
                        wish.answers += 1
                return

    # ── what can be seen

    def _is_quiet(self) -> bool:
        """Nothing is on its way, waits, or is being done; what is to ring is made to ring first."""
        if self._line.on_the_way() or not self._world.lives:
            return False
        waiting = self._waiting()
        if "rings" in waiting:
            now = micros(utc_now())
            self._world.store.change("UPDATE record SET next_ring = :now WHERE next_ring > :now", now=now)
        return not waiting

    def _waiting(self) -> dict[str, int]:
        found = self._world.store.rows(_WAITING, owner=self._line.people[0])
        return {what: number for what, number in found if number}

    def _unanswered(self) -> int:
        told = "\n".join(each.text for each in self._line.accepted())
        return sum(wish.number not in told for wish in self.wishes if not wish.withdrawn)

    def _owed(self) -> list[str]:
        return [row.chat for row in self._world.store.rows("SELECT DISTINCT chat FROM inbox WHERE state = 'answered'")]


_WAITING = """
SELECT 'inbox', count(*) FROM inbox
WHERE state NOT IN ('delivered', 'ignored', 'failed') AND NOT (state = 'answered' AND owed_at IS NOT NULL)
UNION ALL SELECT 'postponed', count(*) FROM postponed WHERE settled_by IS NULL
UNION ALL SELECT 'rings', count(*) FROM record WHERE next_ring IS NOT NULL
UNION ALL SELECT 'pages', count(*) FROM record LEFT JOIN notion_page ON record_id = record.id
WHERE owner = :owner AND rev > coalesce(pushed_rev, 0)
"""


async def run(
    folder: Path,
    url: str,
    deaths: Sequence[Death],
    *,
    seed: int,
    nursery: Nursery | None = None,
    arguments: Sequence[str] = (),
) -> Outcome:
    """One bot on this store through these deaths. ``arguments`` go to every start of it."""
    chance = random.Random(seed)
    slow = any(each.room == "interim" for each in deaths)
    async with around_a_bot(folder, url, chance, nursery, ANSWER_SECONDS="3" if slow else "45") as world:
        one = Run(world, chance, arguments)
        await one.through(deaths)
        if "Traceback" in world.log():
            one.problems.append(Problem("log", world.log()[:2000]))
        return Outcome(deaths, one.problems, one.recoveries, len(one.wishes))

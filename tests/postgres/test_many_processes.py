"""Several web processes and workers on one PostgreSQL: nothing is lost, nothing is doubled, whoever dies."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.bot_process import BotProcess
from tests.postgres.house import House, event, house, person, persons, until
from tests.thorough import THOROUGH

NOWHERE = "postgresql://127.0.0.1:1/none"
EVENTS = 1000 if THOROUGH else 150
TAKEN_UP_WITHIN = 15.0
"""Seconds from a worker's death until its chats are answered elsewhere."""


def records(built: House) -> list[tuple[str, int, str]]:
    return [tuple(row) for row in built.sql("SELECT owner, ref, content FROM record ORDER BY owner, ref")]


# ── duplicates, reorder, bursts ───────────────────────────────────────────────────────────────────────────────────


class Post:
    """Deliveries of two senders to two web processes, and when each event was first tried and first acknowledged."""

    def __init__(self, built: House, events: list[dict[str, Any]], chance: random.Random) -> None:
        self._house = built
        self.tried: dict[str, float] = {}
        self.acknowledged: dict[str, float] = {}
        deliveries = [each for each in events for _ in range(chance.randint(1, 5))]
        chance.shuffle(deliveries)
        self.count = len(deliveries)
        self._halves = deliveries[::2], deliveries[1::2]

    async def all(self) -> None:
        await asyncio.gather(*(self._send(half, to) for to, half in enumerate(self._halves)))

    async def _send(self, deliveries: list[dict[str, Any]], to: int) -> None:
        for at in range(0, len(deliveries), 4):
            batch = [self._as_seen_now(each) for each in deliveries[at : at + 4]]
            await self._house.post(batch, to=to)
            for each in batch:
                self.acknowledged.setdefault(each["webhookEventId"], time.perf_counter())

    def _as_seen_now(self, each: dict[str, Any]) -> dict[str, Any]:
        known = each["webhookEventId"] in self.tried
        self.tried.setdefault(each["webhookEventId"], time.perf_counter())
        return {**each, "deliveryContext": {"isRedelivery": known}}

    def certain_pairs(self, events: list[dict[str, Any]]) -> list[tuple[str, str]]:
        """Two wishes of one chat, of which the older was acknowledged before the younger was sent for the first time:
        whatever the network did, these have an order."""
        return [
            (earlier["message"]["text"], later["message"]["text"])
            for earlier in events
            for later in events
            if earlier["source"] == later["source"]
            and earlier["timestamp"] < later["timestamp"]
            and self.acknowledged[earlier["webhookEventId"]] < self.tried[later["webhookEventId"]]
        ]


async def test_what_comes_often_out_of_order_and_from_two_senders_has_one_effect_and_one_answer(
    tmp_path: Path, url: str
):
    chance = random.Random(20261130)
    people = list(persons(20))
    events = [event(number, chance.choice(people), f"第{number}件") for number in range(EVENTS)]
    async with house(tmp_path, url, webs=2, workers=2, SECRETARY_OWNERS=",".join(people)) as built:
        post = Post(built, events, chance)
        await post.all()
        await built.settled(60 + EVENTS / 5)

        kept = records(built)
        ((turns,),) = built.sql("SELECT count(DISTINCT turn) FROM inbox")

    wishes = sorted(each["message"]["text"] for each in events)
    assert sorted(content for _, _, content in kept) == wishes
    assert (len(built.outside.said), set(built.outside.tried.values())) == (turns, {1})
    assert max(built.outside.times_told(wish) for wish in wishes) == 1  # of many at once, the receipt names a few
    refs = {content: ref for _, ref, content in kept}
    pairs = post.certain_pairs(events)
    assert len(pairs) > EVENTS, "the order was put to no test"
    assert [pair for pair in pairs if refs[pair[0]] > refs[pair[1]]] == []


# ── who dies, and who only sleeps ─────────────────────────────────────────────────────────────────────────────────


async def test_the_chats_of_a_killed_worker_and_of_one_that_slept_too_long_go_on_elsewhere_and_nothing_is_doubled(
    tmp_path: Path, url: str
):
    people = list(persons(24))
    async with house(tmp_path, url, webs=1, workers=3, SECRETARY_OWNERS=",".join(people)) as built:
        outside = built.outside
        outside.go_on.clear()
        for number, each in enumerate(people):
            await built.post([event(number, each, f"第{number}件")])
        await until(lambda: outside.thinking == len(people), 20)
        killed, asleep, *_ = sorted(built.workers, key=lambda worker: -len(built.lanes_of(worker)))
        of_killed, of_asleep = built.lanes_of(killed), built.lanes_of(asleep)
        assert of_killed
        assert of_asleep

        began = time.perf_counter()
        killed.signal(signal.SIGKILL)
        asleep.signal(signal.SIGSTOP)
        outside.go_on.set()
        await until(lambda: len(outside.said) == len(people), 30)
        took = max(outside.replied.values()) - began
        asleep.signal(signal.SIGCONT)
        await until(lambda: built.log_of(asleep).count("another process's now") >= len(of_asleep), 10)

        for number, each in enumerate(people, start=len(people)):
            await built.post([event(number, each, f"第{number}件")])
        await built.settled(30)
        kept = records(built)

    print(f"taken up after {took:.1f} s: {len(of_killed)} chats of the killed, {len(of_asleep)} of the sleeping one")
    assert took < TAKEN_UP_WITHIN
    wishes = sorted(f"第{number}件" for number in range(2 * len(people)))
    assert sorted(content for _, _, content in kept) == wishes
    assert {wish: outside.times_told(wish) for wish in wishes} == dict.fromkeys(wishes, 1)
    assert set(outside.tried.values()) == {1}


# ── what all processes share ──────────────────────────────────────────────────────────────────────────────────────

CODE = re.compile(r"send it this code in LINE: (\d{8})")


async def test_processes_that_start_at_once_on_an_empty_store_share_one_pairing_code_and_whom_it_let_in(
    tmp_path: Path, url: str
):
    anna, ben = person(1), person(2)
    async with house(tmp_path, url, webs=2, workers=2) as built:
        shown = [CODE.findall(built.log_of(process)) for process in built.processes]
        assert [len(codes) for codes in shown] == [1] * 4
        (code,) = {code for codes in shown for code in codes}

        await built.post([event(1, ben, f"{int(code) ^ 1:08}")], to=1)
        await built.post([event(2, anna, code)], to=0)
        await built.settled(20)
        await built.post([event(3, anna, "第3件")], to=1)
        await built.post([event(4, ben, code)], to=1)
        await built.settled(20)
        kept = [content for _, _, content in records(built)]
        words = "".join(message for (message,) in built.sql(f"SELECT message FROM inbox WHERE chat = '{ben}'"))

    assert kept == ["第3件"]
    assert code not in words
    assert "token-4" not in built.outside.said, "a stranger is told once a day"
    assert set(built.outside.said) == {"token-1", "token-2", "token-3"}


@pytest.mark.parametrize(
    ("store", "words"),
    [
        ("sqlite:///bot.db", "run `python -m bot` alone, or set DATABASE_URL to postgresql://"),
        (NOWHERE, "before LINE_CHANNEL_SECRET and its token are set"),
    ],
)
async def test_a_worker_that_would_have_nothing_to_do_says_so_in_one_sentence(tmp_path: Path, store: str, words: str):
    code, out, err = await BotProcess(tmp_path, DATABASE_URL=store).command("worker")

    assert (code, out) == (1, "")
    assert words in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("command", ["serve", "worker"])
async def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path, command: str):
    (tmp_path / "procrastinate.py").write_text("raise ImportError('no bell')\n")
    line = {"LINE_CHANNEL_SECRET": "s" * 32, "LINE_CHANNEL_ACCESS_TOKEN": "t" * 20}

    told = await BotProcess(tmp_path, cold=True, DATABASE_URL=NOWHERE, **line).command(command)

    assert told == (1, "", "PostgreSQL needs what is not installed here (no bell): install the `postgres` extra\n")

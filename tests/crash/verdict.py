"""What ought to be there after any number of deaths, held against what LINE, Notion and the store say.

Must not know how the bot works, where it died, or how often.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from tests.crash.model import NUMBER
from tests.crash.world import Accepted, World

MAYBE_SENT = "這則你可能看過了："
"""How an answer begins that may have arrived before (the secretary's sentence in Chinese)."""


@dataclass
class Wish:
    """Something that was said to be remembered. ``group`` numbers what one person said before its answer could be
    awaited; ``answers`` counts the replies and pushes that ought to name it; ``withdrawn``: it was taken back while it
    was thought about."""

    number: str
    person: str
    event: str
    round: int
    group: int
    answers: int = 1
    undone: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was lost, doubled, or wrong; ``round`` is when the wish was said, or None."""

    kind: str
    what: str
    round: int | None = None


def judged(world: World, wishes: list[Wish]) -> list[Problem]:
    """Every problem; the bot must have come to rest."""
    return [
        *_answers(world, wishes),
        *_greetings(world),
        *_records(world, [each for each in wishes if not each.withdrawn]),
        *_withdrawn(world, [each for each in wishes if each.withdrawn]),
        *_pages(world, [each for each in wishes if not each.withdrawn]),
        *_order(world, wishes),
        *_transcripts(world),
        *_rows(world),
        *_rings(world),
        *_store(world),
        *(Problem("refused by the model", str(each)) for each in world.model.refusals),
    ]


def _rings(world: World) -> Iterator[Problem]:
    """Each reminder is handed over once: what rings twice in one message is said once, and would not be seen."""
    rows = world.store.rows("SELECT chat, occurred_at, message FROM inbox WHERE kind = 'reminder'")
    rung = Counter((row.chat, row.occurred_at, json.loads(row.message).get("data")) for row in rows)
    for (chat, _, ref), times in rung.items():
        if times > 1:
            yield Problem("doubled", f"#{ref} of {chat} rang {times} times")


def _answers(world: World, wishes: list[Wish]) -> Iterator[Problem]:
    accepted = world.line.accepted()
    for wish in wishes:
        naming = [each for each in accepted if wish.number in each.text]
        told = sum(_times(each, wish.number, maybe=False) for each in naming)
        times = sum(_times(each, wish.number, maybe=True) for each in naming)
        if told < wish.answers:
            yield Problem("lost", f"{wish.number} was answered {told} times of {wish.answers}", wish.round)
        if times > wish.answers:
            yield Problem("doubled", f"{wish.number} was answered {times} times", wish.round)
        if any(each.person != wish.person for each in naming):
            yield Problem("lost", f"{wish.number} was told to somebody else", wish.round)


def _times(accepted: Accepted, number: str, *, maybe: bool) -> int:
    """How often one reply or push tells of a wish: once as an answer, whatever it repeats, and once for each ring that
    goes along; with what was ``maybe`` said before, or without."""
    bubbles = [each for each in accepted.text.split("\n") if maybe or MAYBE_SENT not in each]
    lines = [line for each in bubbles for line in each.split("\\n") if number in line]
    rings = sum("⏰" in line or line.startswith("・") for line in lines)
    return rings + (len(lines) > rings)


def _greetings(world: World) -> Iterator[Problem]:
    greeted = Counter(each.person for each in world.line.accepted() if "我是你的秘書" in each.text)
    for person in {each.person for each in world.line.accepted()}:
        if greeted[person] != 1:
            yield Problem("doubled" if greeted[person] else "lost", f"{person} was greeted {greeted[person]} times")


def _records(world: World, wishes: list[Wish]) -> Iterator[Problem]:
    rows = world.store.rows("SELECT content, owner, deleted_at FROM record")
    for wish in wishes:
        found = [row for row in rows if wish.number in row.content]
        if len(found) > 1:
            yield Problem("doubled", f"{wish.number} is {len(found)} records", wish.round)
        elif not found:
            yield Problem("lost", f"{wish.number} is no record", wish.round)
        elif found[0].owner != wish.person:
            yield Problem("lost", f"{wish.number} is somebody else's", wish.round)
        elif (found[0].deleted_at is not None) != wish.undone:
            yield Problem("lost", f"{wish.number} was {'not ' * wish.undone}taken back", wish.round)


def _withdrawn(world: World, wishes: list[Wish]) -> Iterator[Problem]:
    """Nothing of it lives, and nothing of its words stays in the conversation."""
    rows = world.store.rows("SELECT content FROM record WHERE deleted_at IS NULL")
    kept = world.store.rows("SELECT message FROM inbox UNION ALL SELECT message FROM transcript")
    for wish in wishes:
        if any(wish.number in row.content for row in rows):
            yield Problem("doubled", f"{wish.number} was taken back, and is a record", wish.round)
        if any(wish.number in row.message for row in kept):
            yield Problem("kept", f"{wish.number} was taken back, and its words are still there", wish.round)


def _pages(world: World, wishes: list[Wish]) -> Iterator[Problem]:
    titles = world.titles()
    for wish in wishes:
        pages = sum(wish.number in each for each in titles)
        ought = int(wish.person == world.line.people[0] and not wish.undone)
        if pages != ought:
            kind = "doubled" if pages > ought else "lost"
            yield Problem(kind, f"{wish.number} is {pages} pages of {ought}", wish.round)


def _order(world: World, wishes: list[Wish]) -> Iterator[Problem]:
    """Answers and records come in the order of what was said. What LINE had to deliver again may be overtaken by what
    was said right behind it."""
    by_number = {each.number: each for each in wishes}
    for person in world.line.people:
        told = [number for each in world.line.accepted() if each.person == person for number in _first_told(each)]
        rows = world.store.rows("SELECT content FROM record WHERE owner = :owner ORDER BY ref", owner=person)
        kept = [number for row in rows for number in NUMBER.findall(row.content)]
        for what, order in (("answered", list(dict.fromkeys(told))), ("recorded", kept)):
            for one, next_ in pairwise(by_number[each] for each in order if each in by_number):
                if one.number > next_.number and not (one.group == next_.group and _overtaken(world, next_)):
                    yield Problem("order", f"{one.number} was {what} before {next_.number}", next_.round)


def _first_told(accepted: Accepted) -> list[str]:
    return list(dict.fromkeys(NUMBER.findall(accepted.text)))


def _overtaken(world: World, wish: Wish) -> bool:
    return world.line.was_tried_twice(wish.event)


def _transcripts(world: World) -> Iterator[Problem]:
    rows = world.store.rows("SELECT turn, seq, message FROM transcript ORDER BY turn, seq")
    for turn, unit in groupby(rows, key=lambda row: row.turn):
        messages = list(unit)
        if [row.seq for row in messages] != list(range(len(messages))):
            yield Problem("transcript", f"{turn} has places {[row.seq for row in messages]}")
        owed: list[str] = []
        for row in messages:
            message = json.loads(row.message)
            if message["role"] == "tool" and message["tool_call_id"] in owed:
                owed.remove(message["tool_call_id"])
            elif owed or message["role"] == "tool":
                yield Problem("transcript", f"{turn}: {message['role']} at {row.seq} while {owed} have no result")
            owed += [call["id"] for call in message.get("tool_calls", ())]
        if owed or json.loads(messages[-1].message)["role"] != "assistant":
            yield Problem("transcript", f"{turn} does not end in words")


_LEFT = """
SELECT id, kind, state FROM inbox WHERE state NOT IN ('delivered', 'ignored')
AND NOT (state = 'failed' AND message_id IN (SELECT message_id FROM unsent))
"""
"""What was taken back before it was begun is done with."""


def _rows(world: World) -> Iterator[Problem]:
    for row in world.store.rows(_LEFT):
        yield Problem("inbox", f"{row.kind} {row.id} is {row.state}")


def _store(world: World) -> Iterator[Problem]:
    if world.store.on_sqlite:
        for row in world.store.rows("PRAGMA integrity_check"):
            if row[0] != "ok":
                yield Problem("store", row[0])
    orphans = world.store.rows("SELECT id FROM change WHERE record_id NOT IN (SELECT id FROM record)")
    if orphans:
        yield Problem("store", f"{len(orphans)} changes have no record")

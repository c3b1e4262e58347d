"""What rings is told, and answered: by a tap on a button under it, or in words right after it.

No model is asked. Buttons stay in a chat for ever, so each carries which ring it belongs to: a second tap does nothing.
Must not know how a button looks, or how an answer travels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.cards import Cards
from bot.inbox_ports import LastSaidPort
from bot.links import only_known_links, own_texts
from bot.plain_text import legible
from bot.ports import Bubble, Button, Tap, Turn
from bot.secretary import Secretary, undo_button
from bot.voice.after_ring import AfterRing, after_ring
from bot.voice.card_words import card_words
from bot.voice.dates import moment_text
from bot.voice.next_times import moved_alone, ring_notes, scope_kept
from bot.voice.phrases import phrases_of
from bot.voice.receipt_words import receipt_words
from bot.voice.record_text import refs_text
from bot.voice.reminders import reminder_text, ring_words
from tools.definition import Caller
from tools.record import OPEN, TO_DO, CallKey, Change, MemoryPort, NothingChanged, Record, RecordNotFound, Ring
from tools.repeating import advanced, moved_for_good, ring_of

SNOOZES: Mapping[str, Callable[[datetime, datetime], datetime]] = {
    "10": lambda now, _: now + timedelta(minutes=10),
    "60": lambda now, _: now + timedelta(hours=1),
    "day": lambda now, rang: datetime.combine(now.date() + timedelta(days=1), rang.time(), now.tzinfo),
}
"""Until when a button lets it rest: ``now`` and the hour at which it rang are in the person's zone."""

ABOUT_RING = re.compile(r"(?P<refs>[0-9]{1,9}(?:,[0-9]{1,9}){0,29})(?:/(?P<what>10|60|day)?/(?P<due>[0-9]{1,12}))?")
"""What such a button is about: records, for how long, and the ring (seconds since 1970) under which it was shown."""

MOST_AT_ONCE = 30


@dataclass(frozen=True, slots=True)
class Rung:
    """Tells what is due, and does what is answered to that."""

    secretary: Secretary
    last_said: LastSaidPort

    async def told(self, turn: Turn, caller: Caller, *, rides: bool) -> Sequence[Bubble]:
        """What is due, said from the store; nothing if it has been done or deleted meanwhile. What ``rides`` on the
        next reply, whenever that is, says the hour it was meant for."""
        memory = self.secretary.memory_of(caller.person)
        due = [(await memory.get(int(message.data)), message.occurred_at) for message in turn.messages]
        rings = [Ring(record, at) for record, at in due if record and record.status in OPEN]
        if not rings:
            return ()
        own = own_texts(ring.record for ring in rings)
        text = only_known_links(legible(reminder_text(rings, caller.now, caller.language, rides=rides)), own)
        cards = Cards(memory, self.secretary.mirror, caller)
        card = await cards.of_rings(rings, text.partition("\n")[0].rstrip("：: "))
        shown = card and card.reworded(lambda word: only_known_links(legible(word), own))
        return (Bubble(text, _buttons(rings, caller), card=shown),)

    async def tapped(self, turn: Turn, caller: Caller, tap: Tap, about: str) -> Sequence[Bubble]:
        """What a button under a ring does."""
        found = ABOUT_RING.fullmatch(about)
        assert found is not None, "asked only of what is one"
        refs = [int(each) for each in found["refs"].split(",")]
        due = int(found["due"]) if found["due"] else None
        match tap:
            case Tap.DONE:
                return await self._done(turn, caller, refs, due)
            case Tap.STOP:
                return await self._stopped(turn, caller, refs)
        return await self._rests(turn, caller, refs, SNOOZES[found["what"] or "10"], due)

    async def spoken(self, turn: Turn, caller: Caller, words: str) -> Sequence[Bubble]:
        """The same in words right after a ring; nothing if they are about something else."""
        meant = after_ring(words, caller.now) if turn.last.chat_kind == "user" and caller.role != "guest" else None
        last = await self.last_said.before(turn) if meant else None
        if meant is None or last is None or turn.last.received_at <= last.at:
            return ()
        refs = [ref for bubble in last.bubbles for ref in _rang_in(bubble)]
        if not refs:
            return ()
        if len(refs) > 1 and meant.what == "done" and not meant.every:
            return (Bubble(ring_words(caller.language).which, _each_done(refs, caller)),)
        if meant.what == "done":
            return await self._done(turn, caller, refs, None)
        if meant.what == "stop":
            return await self._stopped(turn, caller, refs)
        if meant.what == "skip":
            return await self._skipped(turn, caller, refs)
        return await self._rests(turn, caller, refs, lambda _, rang: _until(meant, rang), None)

    async def scope(self, turn: Turn, caller: Caller, tap: Tap, asked: str) -> Sequence[Bubble]:
        """What that turn did to one time of what comes again is done to all that follow, or stays as it is."""
        phrases, memory = phrases_of(caller.language), self.secretary.memory_of(caller.person)
        alone = [change for change in await memory.changes(asked) if moved_alone(change)]
        if not alone:
            return (Bubble(phrases.already_handled if await memory.changes(asked) else phrases.button_too_old),)
        if tap is Tap.ONLY:
            return (Bubble(scope_kept(caller.language)),)
        done: list[Change] = []
        for number, change in enumerate(alone, start=1):
            done += await self._for_good(memory, change, CallKey(turn.id, number))
        if not done:
            return (Bubble(phrases.already_handled),)
        return (Bubble(await self.secretary.receipt(done, caller), (undo_button(turn, phrases),)),)

    async def _for_good(self, memory: MemoryPort, change: Change, key: CallKey) -> list[Change]:
        """What was left out comes no more; what was moved, moves on with all that follow."""
        ref = change.record.ref
        if change.before and change.before.repeat != change.record.repeat:
            try:
                return await memory.remove([ref], key, lambda record: {"ref": record.ref})
            except RecordNotFound:
                return []
        record = await memory.get(ref)
        fields = moved_for_good(record, record.when) if record and record.when else None
        moved = await _revised(memory, ref, fields, key) if fields else None
        return [moved] if moved else []

    # ── what is done

    async def _done(self, turn: Turn, caller: Caller, refs: Sequence[int], due: int | None) -> Sequence[Bubble]:
        phrases, memory = phrases_of(caller.language), self.secretary.memory_of(caller.person)
        records = [await memory.get(ref) for ref in refs]
        if never := [each.ref for each in records if each and each.type not in TO_DO]:
            return (Bubble(card_words(caller.language).never_done(refs_text(never))),)
        changes = [
            await _revised(memory, each.ref, {"status": "done"}, CallKey(turn.id, number))
            for number, each in enumerate(records, start=1)
            if each and not _came_again(each, due)
        ]
        done = [change for change in changes if change]
        if not done:
            return (Bubble(phrases.already_handled),)
        return (Bubble(await self.secretary.receipt(done, caller), (undo_button(turn, phrases),)),)

    async def _rests(
        self,
        turn: Turn,
        caller: Caller,
        refs: Sequence[int],
        until: Callable[[datetime, datetime], datetime],
        due: int | None,
    ) -> Sequence[Bubble]:
        phrases, memory = phrases_of(caller.language), self.secretary.memory_of(caller.person)
        again: list[datetime] = []
        for number, ref in enumerate(refs, start=1):
            record = await memory.get(ref)
            if record is None or record.status not in OPEN:
                continue
            if _rests_already(record, caller.now, due):
                again += [record.remind_at] if record.remind_at else []
                continue
            rang = (record.remind_at or caller.now).astimezone(caller.zone)
            change = await _revised(memory, ref, {"remind_at": until(caller.now, rang)}, CallKey(turn.id, number))
            again += [change.record.remind_at] if change and change.record.remind_at else []
        if not again:
            return (Bubble(phrases.already_handled),)
        rings = min(again)
        notes = ring_notes(rings, caller.now, caller.hours, caller.language)
        said = phrases.snoozed(moment_text(rings, caller.now, caller.language))
        return (Bubble(receipt_words(caller.language).glue.join([said, *notes])),)

    async def _skipped(self, turn: Turn, caller: Caller, refs: Sequence[int]) -> Sequence[Bubble]:
        """Of what comes again this time is left out; what rang once rings no more."""
        phrases, memory = phrases_of(caller.language), self.secretary.memory_of(caller.person)
        left_out: list[Change] = []
        once: list[int] = []
        for number, ref in enumerate(refs, start=1):
            record = await memory.get(ref)
            fields = advanced(record, done=False) if record else {}
            if not fields:
                once.append(ref)
            elif record and _has_come(record, caller.now):
                change = await _revised(memory, ref, fields, CallKey(turn.id, number))
                left_out += [change] if change else []
        said = list(await self._stopped(turn, caller, once)) if once else []
        if left_out:
            undo = Button(phrases.undo, Tap.UNDO.on(turn.id))
            said.append(Bubble(await self.secretary.receipt(left_out, caller), (undo,)))
        return said or (Bubble(phrases.already_handled),)

    async def _stopped(self, turn: Turn, caller: Caller, refs: Sequence[int]) -> Sequence[Bubble]:
        """It comes no more; what it is about stays."""
        phrases, memory = phrases_of(caller.language), self.secretary.memory_of(caller.person)
        stopped: list[Change] = []
        for number, ref in enumerate(refs, start=1):
            change = await _revised(memory, ref, {"remind_at": None, "repeat": None}, CallKey(turn.id, number))
            stopped += [change] if change else []
        if not stopped:
            return (Bubble(phrases.already_handled),)
        told = ring_words(caller.language).stopped(refs_text([each.record.ref for each in stopped]))
        return (Bubble(told, (undo_button(turn, phrases),)),)


async def _revised(memory: MemoryPort, ref: int, fields: Mapping[str, object], key: CallKey) -> Change | None:
    try:
        return await memory.revise(ref, fields, key, lambda record: {"ref": record.ref})
    except (RecordNotFound, NothingChanged):
        return None


def _came_again(record: Record, due: int | None) -> bool:
    """Whether the button belongs to an earlier time of what repeats: that one is settled. What was let rest rings
    later, and is still the same time of it."""
    if due is None or record.repeat is None or record.remind_at is None:
        return False
    usual = ring_of(record.repeat, record.repeat.at) or record.remind_at
    return min(usual, record.remind_at).timestamp() > due + 1


def _has_come(record: Record, now: datetime) -> bool:
    """Whether the time for which it stands has rung, and is not the next already."""
    ring = ring_of(record.repeat, record.repeat.at) if record.repeat else None
    return ring is None or ring <= now


def _rests_already(record: Record, now: datetime, due: int | None) -> bool:
    return bool(due and record.remind_at and record.remind_at > now and record.remind_at.timestamp() > due + 1)


def _until(meant: AfterRing, rang: datetime) -> datetime:
    assert meant.later is not None, "what rests has a time"
    return datetime.combine(meant.later.date(), rang.time(), rang.tzinfo) if meant.same_hour else meant.later


def _rang_in(bubble: Bubble) -> list[int]:
    """The records whose rest can be asked for under this bubble."""
    data = [button.data for button in bubble.buttons if button.data.startswith(Tap.SNOOZE.on(""))]
    found = [ABOUT_RING.fullmatch(each.partition(":")[2]) for each in data]
    return list(dict.fromkeys(int(ref) for each in found if each for ref in each["refs"].split(",")))


def _each_done(refs: Sequence[int], caller: Caller) -> tuple[Button, ...]:
    words, phrases = ring_words(caller.language), phrases_of(caller.language)
    every = Button(words.all_done, Tap.DONE.on(",".join(map(str, refs))))
    return (every, *(Button(f"{phrases.done} #{ref}", Tap.DONE.on(ref)) for ref in refs[:11]))


def _buttons(rings: Sequence[Ring], caller: Caller) -> tuple[Button, ...]:
    """For all that ring together; each alone stands on the card, or is said by its number."""
    words, phrases = ring_words(caller.language), phrases_of(caller.language)
    refs = list(dict.fromkeys(ring.record.ref for ring in rings))[:MOST_AT_ONCE]
    which, due = ",".join(map(str, refs)), round(max(ring.due for ring in rings).timestamp())
    can_be_done = all(ring.record.type in TO_DO for ring in rings)
    label = phrases.done if len(refs) == 1 else words.all_done
    buttons = [Button(label, Tap.DONE.on(f"{which}//{due}"))] if can_be_done else []
    labels = {"10": words.ten_minutes, "60": words.an_hour, "day": words.tomorrow}
    buttons += [Button(label, Tap.SNOOZE.on(f"{which}/{what}/{due}")) for what, label in labels.items()]
    if len(rings) == 1 and rings[0].record.repeat:
        buttons.append(Button(words.stop, Tap.STOP.on(f"{which}//{due}")))
    return tuple(buttons)

"""Taking back what was done: the last thing, what a turn did, the last of one record; and an undo itself.

What cannot be taken back any more is said, and why. Each is keyed by its turn, so that a repeat does nothing. Must not
know how a change is stored, or whether a button or words asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.categories import edit_taken_back, last_taken_back
from bot.ports import Bubble, Button, Tap, Turn
from bot.secretary import Secretary
from bot.voice.command_words import command_words
from bot.voice.history_words import history_words
from bot.voice.phrases import phrases_of
from bot.voice.record_text import refs_text
from tools.consent import UNDO_LASTS
from tools.definition import Caller
from tools.record import CallKey, Change, MemoryPort, NothingToUndo

TAKEN = frozenset({"done", "undone"})
"""States of what was done, whether it has been taken back since or not."""


async def take_back(memory: MemoryPort, changes: Sequence[Change], turn: str) -> tuple[list[Change], list[Change]]:
    """What was undone of these, last things first, and what could not be. Each is keyed by its place among them."""
    undone: list[Change] = []
    left: list[Change] = []
    for number, change in enumerate(reversed(changes), start=1):
        if change.state in TAKEN:
            try:
                undone.append(await memory.undo(CallKey(turn, number), change.id))
            except NothingToUndo:
                left.append(change)
    return undone, left


async def undo_last(secretary: Secretary, turn: Turn, caller: Caller, call: int, *, redo: bool = False) -> list[Bubble]:
    """Take back the last change, of the records or of the list of categories, or with ``redo`` the last undo, whichever
    turn made it."""
    memory = secretary.memory_of(caller.person)
    if not redo and (bubble := await last_taken_back(turn, caller, memory, secretary.categories_of)):
        return [bubble]
    try:
        undone = await memory.undo(CallKey(turn.id, call), redo=redo)
    except NothingToUndo:
        words = history_words(caller.language)
        return [Bubble(words.nothing_to_redo if redo else phrases_of(caller.language).nothing_to_undo)]
    return [await _told(secretary, turn, caller, [undone])]


async def undo_of_records(
    secretary: Secretary, turn: Turn, caller: Caller, refs: Sequence[int], call: int
) -> list[Bubble]:
    """Take back what was last done to each of these records."""
    memory, words = secretary.memory_of(caller.person), history_words(caller.language)
    undone: list[Change] = []
    missing: list[int] = []
    old: list[int] = []
    for place, ref in enumerate(refs):
        history = await memory.history(ref)
        done = [each for each in history if each.state == "done" and each.kind != "undo"]
        try:
            undone.append(await memory.undo(CallKey(turn.id, call + place), done[-1].id if done else ""))
        except NothingToUndo:
            (old if history else missing).append(ref)
    lines = [
        words.nothing_of(refs_text(old)) if old else "",
        command_words(caller.language).no_such(refs_text(missing)) if missing else "",
    ]
    return [await _told(secretary, turn, caller, undone, "\n".join(filter(None, lines)))]


async def undo_of_turn(secretary: Secretary, turn: Turn, caller: Caller, asked: str) -> list[Bubble]:
    """Take back what that turn did, last things first."""
    phrases, words = phrases_of(caller.language), history_words(caller.language)
    memory = secretary.memory_of(caller.person)
    done = [change for change in await memory.changes(asked) if change.state in TAKEN]
    undone, left = await take_back(memory, done, turn.id)
    if not done:
        listed = await edit_taken_back(turn, caller, secretary.categories_of, asked)
        return [listed or Bubble(phrases.button_too_old)]
    since = list(dict.fromkeys(each.record.ref for each in left if _is_recent(each, caller)))
    lost = words.changed_since(refs_text(since)) if since else ""
    if undone:
        return [await _told(secretary, turn, caller, undone, lost)]
    handled = all(change.state == "undone" for change in done)
    return [Bubble(phrases.already_handled if handled else lost or phrases.nothing_to_undo)]


def _is_recent(change: Change, caller: Caller) -> bool:
    """What could not be taken back, although it is not too old for it: then its record is another by now."""
    return change.state == "done" and caller.now - change.at <= UNDO_LASTS


async def _told(secretary: Secretary, turn: Turn, caller: Caller, undone: Sequence[Change], beside: str = "") -> Bubble:
    """What was undone, what was not, and the way back."""
    redo = (Button(history_words(caller.language).redo, Tap.UNDO.on(turn.id)),) if undone else ()
    return Bubble("\n".join(filter(None, [await secretary.receipt(undone, caller), beside])), redo)

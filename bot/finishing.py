"""Records that are finished by number: each that can be, and of each that cannot, why.

Each is keyed by its turn and place, so that a repeat does nothing. Must not know how it was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.ports import Bubble, Turn
from bot.secretary import Secretary, undo_button
from bot.voice.card_words import card_words
from bot.voice.command_words import command_words
from bot.voice.phrases import phrases_of
from bot.voice.record_text import refs_text
from tools.definition import Caller
from tools.record import TO_DO, CallKey, Change, NothingChanged, RecordNotFound


async def finished(secretary: Secretary, turn: Turn, caller: Caller, refs: Sequence[int], call: int) -> Bubble:
    """What was done of these records; the first is keyed by this call."""
    memory, words = secretary.memory_of(caller.person), command_words(caller.language)
    done: list[Change] = []
    missing, before, never = [], [], []
    for place, ref in enumerate(refs):
        record = await memory.get(ref)
        if record and record.type not in TO_DO:
            never.append(ref)
            continue
        try:
            key = CallKey(turn.id, call + place)
            change = await memory.revise(ref, {"status": "done"}, key, lambda record: {"ref": record.ref})
            done.append(replace(change, state="done"))  # as it was then, if this turn has taken it back since
        except RecordNotFound:
            missing.append(ref)
        except NothingChanged:
            before.append(ref)
    lines = [
        await secretary.receipt(done, caller),
        words.done_before(refs_text(before)) if before else "",
        words.no_such(refs_text(missing)) if missing else "",
        card_words(caller.language).never_done(refs_text(never)) if never else "",
    ]
    undo = (undo_button(turn, phrases_of(caller.language)),) if done else ()
    return Bubble("\n".join(filter(None, lines)), undo)

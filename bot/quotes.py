"""What somebody quotes becomes known by number: the records of a receipt, of a list, or of their own earlier words.

The numbers are found by code, in what was really said. Words of others that are quoted stay data. Must not know how
messages are stored, or who reads the line that comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.inbox_ports import Said, SaidPort
from bot.ports import KEPT, Bubble, Button, IncomingMessage, Tap, Turn, TurnId
from bot.thinking.foreign import is_callers
from bot.thinking.quotation import quoting, quoting_own, quoting_unknown
from bot.voice.commands import commands_of
from bot.voice.record_text import short
from bot.voice.second_thoughts import second_thought_words
from tools.definition import Caller
from tools.record import MemoryPort, PersonId, Record

MOST_QUOTED = 20
"""Records of one quoted list that are told: as many as a list names."""

_LABEL, _DATA = 20, 300
"""Characters of a button, and of what a tap on it sends.

https://developers.line.biz/en/reference/messaging-api/#postback-action
"""

_REF = re.compile(r"#(\d{1,9})(?:–(\d{1,9}))?(?!\d)")


@dataclass(frozen=True, slots=True)
class Quotation:
    """What a message quotes. ``line``: the program's own, "" if there is none; ``turn``: whose answer, or whose words,
    it was; ``foreign``: words that the caller did not write."""

    line: str = ""
    records: tuple[Record, ...] = ()
    turn: TurnId | None = None
    foreign: str = ""


def _from_to(first: int, last: int) -> range:
    """``#3–5`` names three."""
    return range(first, min(last, first + MOST_QUOTED) + 1)


@dataclass(frozen=True, slots=True)
class Quotes:
    """Looks up what is quoted. ``lacks_ref`` tells of words whether they would change a record if only they said
    which; None where a model finds that out."""

    said: SaidPort
    memory_of: Callable[[PersonId], MemoryPort]
    lacks_ref: Callable[[str], bool] | None = None

    async def quoted(self, message: IncomingMessage, caller: Caller) -> Quotation:
        """What this message quotes; nothing, for one that quotes nothing."""
        if not message.quoted_message_id:
            return Quotation()
        said = await self.said.find(message.chat, message.quoted_message_id)
        if said is None:
            return Quotation(quoting_unknown())
        if said.by not in {None, caller.speaker}:
            return Quotation(foreign=said.text)
        records = await self._records(said, caller)
        if records:
            return Quotation(quoting(records, caller.zone), tuple(records), said.turn)
        if said.by is None:  # what we said may hold words of others
            return Quotation(turn=said.turn, foreign=said.text)
        return Quotation(quoting_own(said.text) if said.text.strip() else quoting_unknown(), turn=said.turn)

    async def said_with(self, turn: Turn, caller: Caller) -> Turn:
        """The turn, in which each of the caller's own words has what it quotes in front."""
        said = []
        for each in turn.messages:
            quotes = each.text.strip() and is_callers(each, caller.speaker) and not commands_of(each.text)
            said.append(behind(await self.quoted(each, caller), each) if quotes else each)
        return replace(turn, messages=tuple(said))

    async def about(self, refs: Sequence[int], words: str, caller: Caller) -> str:
        """The words, with the line that says which records they are about."""
        found = [await self.memory_of(caller.person).get(ref) for ref in refs]
        records = [record for record in found if record]
        return f"{quoting(records, caller.zone)}\n{words}" if records else words

    async def _records(self, said: Said, caller: Caller) -> list[Record]:
        """Of ours, those whose numbers stand in it; of the person's own, those that it made or changed."""
        memory = self.memory_of(caller.person)
        if said.by is None:
            refs = [ref for first, last in _REF.findall(said.text) for ref in _from_to(int(first), int(last or first))]
        else:
            turns = (said.turn, f"{KEPT}{said.turn}") if said.turn else ()
            refs = [change.record.ref for turn in turns for change in await memory.changes(turn)]
        found = [await memory.get(ref) for ref in list(dict.fromkeys(refs))[:MOST_QUOTED]]
        return [record for record in found if record]

    def which(self, words: str, quotation: Quotation, caller: Caller) -> Bubble | None:
        """The question which of several is meant, with a button for each, where no model could tell."""
        if self.lacks_ref is None or len(quotation.records) < 2 or not self.lacks_ref(words):  # noqa: PLR2004 - several
            return None
        buttons = tuple(
            Button(short(f"#{record.ref} {record.content}", _LABEL), Tap.ABOUT.on(f"{record.ref}:{words}"))
            for record in quotation.records
        )
        if any(len(button.data.encode("utf-16-le")) // 2 > _DATA for button in buttons):
            return None
        return Bubble(second_thought_words(caller.language).which_one, buttons)


def behind(quotation: Quotation, message: IncomingMessage) -> IncomingMessage:
    """The message behind what it quotes: the line about records in front of its words, the words of others apart."""
    lines = "\n".join(filter(None, [quotation.line, message.text]))
    return replace(message, text=lines, quoted_text=quotation.foreign)

"""What people think better of: a message taken back or written anew, work to be stopped, a bot that is blocked.

What was made of it is taken back by code or offered to be, and told. Must not know how any of this is stored, how a
model is asked, or how an answer travels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from bot.answering import Answering
from bot.ports import HEARD, KEPT, Bubble, Button, ChatId, IncomingMessage, Tap, Turn, TurnId
from bot.secretary import Secretary
from bot.thinking.quotation import editing, quoting
from bot.undoing import take_back
from bot.voice.phrases import phrases_of
from bot.voice.second_thoughts import second_thought_words
from tools.definition import Caller
from tools.record import Change

BURST = "burst"
"""In the params of an edited message: others were said with it, and are not edited."""


class SecondThoughtsPort(Protocol):
    """What is known of them, of all chats and for all processes."""

    async def is_to_stop(self, chat: ChatId) -> bool:
        """Whether what is being done in this chat is to be done no further; cheap, for it is asked before each
        effect."""

    async def stopped(self, turn: Turn) -> Turn:
        """That is heeded now: the turn as it has become. Raises ClaimLost."""

    async def offers(self, chat: ChatId, turn: TurnId) -> list[TurnId]:
        """Turns of messages that were taken back, and of which nobody, or this very turn, has spoken since."""

    async def spoken_of(self, turns: Sequence[TurnId], turn: TurnId) -> None:
        """The answer of this turn speaks of these."""

    async def is_away(self, chat: ChatId) -> bool:
        """Whether the person has blocked the bot: nothing is to be sent."""

    async def waiting(self, turn: Turn) -> list[IncomingMessage]:
        """What waits behind this turn, and can be answered on a token of its own; as it was said."""

    async def spend(self, messages: Sequence[IncomingMessage]) -> bool:
        """The reply tokens of what waits are used up. Whether one of them still had one."""


@dataclass(frozen=True, slots=True)
class SecondThoughts:
    """Answers for turns that were thought better of."""

    port: SecondThoughtsPort
    secretary: Secretary
    answering: Answering

    async def stopped(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What is said to "stop": what was done before, to be taken back by a tap."""
        words = second_thought_words(caller.language)
        told: list[Bubble] = list(await self.answering.stopped(turn, caller))
        for each in turn.thought_as:
            for made in _made_as(each):
                told += await self.secretary.done_by(replace(turn, id=made), caller)
        if not told:
            return [Bubble(words.stopped)]
        return [replace(told[0], text=f"{words.stopped_after}\n{told[0].text}"), *told[1:]]

    async def begun_anew(self, turn: Turn, caller: Caller) -> Turn:
        """The turn without the messages that are gone, and without what was done under its old ids."""
        for each in turn.thought_as[:-1]:
            for made in _made_as(each):
                await self._taken_back(made, f"undo:{made}", caller)
            await self.answering.withdraw(each, turn, caller)
        new = turn.thought_as[-1]
        first, *rest = turn.messages
        return replace(turn, id=new, messages=(replace(first, id=new), *rest), resumed=True)

    async def edited(self, message: IncomingMessage, turn: Turn, caller: Caller) -> tuple[list[Bubble], str]:
        """What is said of an edited message's first version, and the program's line about what it had made: taken back,
        or still there; "" if it had made nothing."""
        earlier = TurnId(message.data)
        await self.answering.withdraw(earlier, turn, caller)
        if message.params.get(BURST):
            return [], await self._still_there(await self._done(earlier, caller), caller)
        undone, left = await self._taken_back(earlier, f"undo:{turn.id}", caller)
        if left and caller.role == "guest":
            return [Bubble(phrases_of(caller.language).only_looks)], ""
        words = second_thought_words(caller.language)
        told = [Bubble(f"{words.edited}\n{await self.secretary.receipt(undone, caller)}")] if undone else []
        if left:
            return told, await self._still_there(left, caller)
        return told, editing(_refs_of(undone)) if undone else ""

    async def _still_there(self, changes: Sequence[Change], caller: Caller) -> str:
        memory = self.secretary.memory_of(caller.person)
        found = [await memory.get(ref) for ref in _refs_of(changes)]
        records = [record for record in found if record]
        return quoting(records, caller.zone) if records else ""

    async def offers(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """Of messages that were taken back: whether what they had made shall go too. A guest is not asked, and where
        several talk the next who may undo it is."""
        if turn.none_regretted or caller.role == "guest":
            return []
        found = await self.port.offers(turn.chat, turn.id)
        if not found:
            return []
        bubbles: list[Bubble] = []
        for each in found:
            made = _made_as(each)
            refs = [_living(await self._done(turn_id, caller)) for turn_id in made]
            bubbles += [_offer(turn_id, some, caller) for turn_id, some in zip(made, refs, strict=True) if some]
        await self.port.spoken_of(found, turn.id)
        return bubbles

    async def _done(self, turn: TurnId, caller: Caller) -> list[Change]:
        changes = await self.secretary.memory_of(caller.person).changes(turn)
        return [each for each in changes if each.state == "done" and each.kind != "undo"]

    async def _taken_back(self, turn: TurnId, key: str, caller: Caller) -> tuple[list[Change], list[Change]]:
        """What was undone, last things first, and what could not be: of a guest, who may have been more before, all."""
        memory = self.secretary.memory_of(caller.person)
        changes = [each for each in await memory.changes(turn) if each.kind != "undo"]
        undone, left = await take_back(memory, changes, key[:80]) if caller.role != "guest" else ([], changes)
        return undone, [change for change in left if change.state == "done"]


def _made_as(turn: TurnId) -> list[TurnId]:
    """The turns in which something may have been made of this one's messages."""
    return [TurnId(f"{before}{turn}"[:80]) for before in ("", "rest:", HEARD, KEPT)]


def _refs_of(changes: Sequence[Change]) -> list[int]:
    return list(dict.fromkeys(each.record.ref for each in changes))


def _living(changes: Sequence[Change]) -> list[int]:
    return _refs_of([each for each in changes if each.record.deleted_at is None])


def _offer(turn: TurnId, refs: Sequence[int], caller: Caller) -> Bubble:
    named = " ".join(f"#{ref}" for ref in refs)
    button = Button(phrases_of(caller.language).undo, Tap.UNDO.on(turn))
    words = second_thought_words(caller.language)
    asked = words.undo_too(named) if caller.household is None else words.undo_of_somebody(named)
    return Bubble(asked, (button,), stays=True)

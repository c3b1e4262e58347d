"""What became of one record, told on request: when, what, from which value to which, and by whom or where.

Must not know how changes are stored, or how the question was asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.links import only_known_links, own_texts
from bot.plain_text import legible
from bot.ports import Bubble
from bot.undoing import TAKEN
from bot.voice.command_words import command_words
from bot.voice.dates import moment_text
from bot.voice.history_words import history_words
from bot.voice.household_words import household_words
from bot.voice.receipts import ReceiptContext, payer_moved, reminder_moved, whole
from bot.voice.record_text import row_of, title
from bot.voice.revisions import differences_text
from tools.definition import Caller
from tools.record import Change, MemoryPort, PersonId

MOST_TOLD = 15
"""Changes of one record that are told, the newest."""

ELSEWHERE = "notion:"
"""How the turn of a change begins that was made in Notion."""


@dataclass(frozen=True, slots=True)
class History:
    """Tells it to one person. ``speaker`` knows who said what a turn began with; None if that is not known any
    more."""

    memory: MemoryPort
    caller: Caller
    speaker: Callable[[str], Awaitable[PersonId | None]]

    async def of(self, ref: int) -> Bubble:
        """Everything that was done to this record; a deleted one has a history too, another person's has none."""
        words, language = history_words(self.caller.language), self.caller.language
        changes = [each for each in await self.memory.history(ref) if each.state in TAKEN]
        record = await self.memory.get(ref) or (changes[-1].record if changes else None)
        if record is None:
            return Bubble(command_words(language).no_such(f"#{ref}"))
        if not changes:
            return Bubble(words.no_changes(title(row_of(record), language)))
        told = changes[-MOST_TOLD:]
        lines = [f"・{await self._line(each, changes)}" for each in told]
        head = words.head(title(row_of(record), language))
        earlier = [words.earlier(len(changes) - len(told))] if len(changes) > len(told) else []
        known = own_texts(side for each in changes for side in (each.before, each.after))
        return Bubble(only_known_links(legible("\n".join([head, *earlier, *lines])), known))

    async def _line(self, change: Change, changes: Sequence[Change]) -> str:
        words = history_words(self.caller.language)
        at = moment_text(change.at, self.caller.now, self.caller.language)
        by = await self._by(change)
        return f"{at} {words.what(self._what(change, changes), words.by(by) if by else '')}"

    def _what(self, change: Change, changes: Sequence[Change]) -> str:
        words, language, now = history_words(self.caller.language), self.caller.language, self.caller.now
        context = ReceiptContext(language=language, now=now, names=self._names)
        if change.kind == "create":
            return words.created(whole(change.record, context))
        if change.kind == "delete":
            return words.deleted
        different = ""
        if change.before and change.after:
            moved = [payer_moved(change, context), reminder_moved(change, context)]
            parts = [differences_text(change.before, change.after, now, language), *moved]
            different = context.words.comma.join(part.rstrip("。.") for part in parts if part)
        if change.kind == "update":
            return different or words.edited
        undid = next((each for each in changes if each.id == change.undoes), None)
        name = words.redone if undid and undid.kind == "undo" else words.undone
        return words.with_what(name, different) if different else name

    @property
    def _names(self) -> dict[PersonId, str]:
        return dict(self.caller.household.names) if self.caller.household else {}

    async def _by(self, change: Change) -> str:
        """Where it was done, if not in the chat; who did it, where several may."""
        if change.key.turn.startswith(ELSEWHERE):
            return "Notion"
        if self.caller.household is None:
            return ""
        who = change.record.author if change.kind == "create" else await self.speaker(change.key.turn)
        return self._names.get(who or PersonId("")) or household_words(self.caller.language).nameless

"""What is different about a record after an edit, in a few words: ``15:00 → 16:00 回診 #12``.

Pure. Must not know who edited it, or whether it was an edit or its taking back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.voice.dates import clock_text, day_of, span_text
from bot.voice.receipt_words import ReceiptWords, receipt_words
from bot.voice.record_text import ROOM, ROOM_IN_LIST, at, enumeration, money, short
from tools.record import Language, Record


def revision_text(before: Record, after: Record, now: datetime, language: Language) -> str:
    """The differences, then the record they belong to. A reminder's time is not among them: it is a sentence of its
    own."""
    pair = _Pair(before, after, now, language, receipt_words(language))
    differences = pair.differences()
    renamed = pair.content()
    subject = f"{renamed or short(after.content, ROOM_IN_LIST if differences else ROOM)} #{after.ref}"
    if renamed and differences:
        return pair.words.comma.join([*differences, subject])
    return at(pair.words.comma.join(differences), subject)


def differences_text(before: Record, after: Record, now: datetime, language: Language) -> str:
    """The differences alone, the words among them; "" if there are none to be told."""
    pair = _Pair(before, after, now, language, receipt_words(language))
    return pair.words.comma.join(filter(None, [*pair.differences(), pair.content()]))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A record before and after, asked field by field: "" where nothing is different."""

    before: Record
    after: Record
    now: datetime
    language: Language
    words: ReceiptWords

    def differences(self) -> list[str]:
        """All but the words."""
        every = (self.when(), self.kind(), self.amount(), self.category(), self.tags(), self.status(), *self.notes())
        return [each for each in every if each]

    def content(self) -> str:
        old, new = self.before.content, self.after.content
        return "" if old == new else self._arrow(short(old, ROOM_IN_LIST), short(new, ROOM_IN_LIST))

    def when(self) -> str:
        before, after = self.before, self.after
        if (before.when, before.until) == (after.when, after.until):
            return ""
        if after.when is None:
            return self.words.no_time
        new = span_text(after.when, after.until, self.now, self.language)
        if before.when is None:
            return new
        return self._clocks() or self._arrow(span_text(before.when, before.until, self.now, self.language), new)

    def _clocks(self) -> str:
        """The two times of day alone, where the day stays and both are points."""
        old, new = self.before.when, self.after.when
        if not (isinstance(old, datetime) and isinstance(new, datetime)) or self.before.until or self.after.until:
            return ""
        if day_of(old, self.now) != day_of(new, self.now):
            return ""
        old_clock, new_clock = (clock_text(each.astimezone(self.now.tzinfo), self.language) for each in (old, new))
        return self._arrow(old_clock, new_clock)

    def kind(self) -> str:
        types = self.words.types
        old, new = self.before.type, self.after.type
        return "" if old == new else self._arrow(types[old], types[new])

    def amount(self) -> str:
        old, new = self._money(self.before), self._money(self.after)
        if old == new:
            return ""
        return self._arrow(old, new) if old and new else new or self.words.no_amount

    def _money(self, record: Record) -> str:
        return "" if record.amount is None else money(record.amount, record.currency, self.language)

    def category(self) -> str:
        old, new = self.before.category, self.after.category
        if old == new:
            return ""
        if not new:
            return self.words.no_category
        return self.words.category(self._arrow(old, new) if old else new)

    def tags(self) -> str:
        new = self.after.tags
        if self.before.tags == new:
            return ""
        return self.words.new_tags(self.words.tags(enumeration(new, self.words.comma))) if new else self.words.no_tags

    def status(self) -> str:
        new = self.after.status
        return "" if self.before.status == new else self.words.statuses[new]

    def notes(self) -> Iterator[str]:
        for note in self.after.notes[len(self.before.notes) :]:
            yield self.words.note(short(note.text, ROOM))

    def _arrow(self, old: str, new: str) -> str:
        return f"{old}{self.words.arrow}{new}"

"""What an update means for the fields of a record: what was said, and what must follow from it.

Pure. Must not know the store, or how a model is told of the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from tools.arguments import Reader, refused, start_of
from tools.doubt import Doubt
from tools.record import MONEY_TYPES, Moment, Record, RecordType, day_of
from tools.repeating import moved_for_good, rings_with

REMOVE = "remove"
"""What a model says in place of a time or a category to take it away."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Revision:
    """One update of one record, as read from the arguments of a call. Every method returns the fields it changes."""

    before: Record
    reader: Reader

    def comes_again(
        self,
        kind: RecordType | None,
        when: str | None,
        until: str | None,
        remind_at: str | None,
        repeat: str | None,
        scope: Literal["this", "following"] | None,
    ) -> dict[str, object]:
        """Its times, where it comes again or is to: a reminder is that of every time, a move that of this one alone
        unless all that follow are meant."""
        before = self.before
        if repeat is not None and not _removes(repeat):
            return self._new_rule(kind or before.type, when, remind_at, repeat)
        fields = self.times(kind, when, until, remind_at)
        if _removes(repeat) or (_removes(when) and before.repeat):
            return fields | ({"repeat": None} if before.repeat else {})
        if before.repeat is None:
            return fields
        ring, start = fields.get("remind_at"), fields.get("when")
        if scope == "following" and isinstance(start, date):
            moved = moved_for_good(before, start)
            if moved is None:
                raise refused("repeat", "missing: all following move to another day, so say the whole new rule")
            fields |= moved
        if remind_at is not None and scope != "this":
            again = fields.get("repeat", before.repeat)
            fields["repeat"] = rings_with(again, ring if isinstance(ring, datetime) else None)  # type: ignore[arg-type]  # a Repeat, as both are
        return fields

    def _new_rule(self, kind: RecordType, when: str | None, remind_at: str | None, repeat: str) -> dict[str, object]:
        before, zone = self.before, self.reader.caller.zone
        clock = before.when.astimezone(zone) if isinstance(before.when, datetime) else None
        if remind_at is None and before.remind_at is not None:
            remind_at = f"{before.remind_at.astimezone(zone):%H:%M}"
        found = self.reader.comes_again(
            kind, repeat, when or (f"{clock:%H:%M}" if clock else None), None if _removes(remind_at) else remind_at
        )
        return {"when": found.when, "until": found.until, "remind_at": found.remind_at, "repeat": found.repeat}

    def times(
        self, kind: RecordType | None, when: str | None, until: str | None, remind_at: str | None
    ) -> dict[str, object]:
        """What moves takes its end and a near reminder along, unless these are said too."""
        fields: dict[str, object] = {}
        start = self.before.when
        if _removes(when):
            start, fields = None, {"when": None, "until": None}
        elif when is not None:
            start, end = self._hour(when) or self.reader.when(when, kind or self.before.type)
            fields = {"when": start, **self._follows(start)} | ({"until": end} if end else {})
        if until is not None:
            fields["until"] = None if _removes(until) else self.reader.until(until, start)
        if remind_at is not None:
            fields["remind_at"] = None if _removes(remind_at) else self.reader.remind_at(remind_at, start)
        return fields

    def _hour(self, when: str) -> tuple[Moment, Moment | None] | None:
        """Of what is still to come an hour alone is another one of its own day."""
        old = self.before.when and day_of(self.before.when, self.reader.caller.zone)
        return self.reader.hour_on(old, when) if old and old > self.reader.today() else None

    def _follows(self, start: Moment) -> dict[str, object]:
        """An hour that is no more said is no more known: what becomes a whole day, or a clock time, loses its end."""
        old, caller = self.before.when, self.reader.caller
        if old is None or old == start:
            return {}
        shift = day_of(start, caller.zone) - day_of(old, caller.zone)
        fields: dict[str, object] = {"until": None} if self.before.until else {}
        if isinstance(old, datetime) == isinstance(start, datetime):
            shift = start_of(start, caller) - start_of(old, caller)
            fields = {"until": self._later(self.before.until, shift)} if self.before.until else {}
        return fields | self._ring_follows(start_of(old, caller), shift)

    def _ring_follows(self, old: datetime, shift: timedelta) -> dict[str, object]:
        """A reminder within a day of what moves keeps its distance. One that would come too late is dropped; one that
        has rung is left as it was."""
        ring, now = self.before.remind_at, self.reader.now
        if ring is None or abs(old - ring) > _DAY:
            return {}
        moved = start_of(ring, self.reader.caller) + shift
        if moved > now:
            return {"remind_at": moved}
        return {"remind_at": None} if ring > now else {}

    def _later(self, moment: Moment, shift: timedelta) -> Moment:
        if isinstance(moment, datetime):
            return start_of(moment, self.reader.caller) + shift
        return (start_of(moment, self.reader.caller) + shift).date()

    def doubts(self, kind: RecordType | None, when: str | None, remind_at: str | None) -> list[Doubt]:
        """What the words for a time may mean besides. An hour of its own day means no other day."""
        when = None if when is not None and self._hour(when) else when
        return self.reader.doubts(kind or self.before.type, when, remind_at)

    def money(self, kind: RecordType | None, amount: float | str | None, currency: str | None) -> dict[str, object]:
        """Only expenses and income have an amount: it goes when the record becomes something else, and must be given
        when it becomes one of them."""
        before, becomes = self.before, kind or self.before.type
        if becomes not in MONEY_TYPES:
            self.reader.no_money(amount, currency)
            return {} if before.amount is None else {"amount": None, "currency": None}
        if amount is None and currency is None and before.type in MONEY_TYPES:
            return {}
        figure = before.amount if amount is None else amount
        if figure is None:
            raise refused("amount", f"{becomes} needs an amount")
        value, code = self.reader.money(figure, currency, before.currency)
        return {"amount": value, "currency": code}

    def names(self, category: str | None, tags: list[str] | None) -> dict[str, object]:
        """The category, and the tags in place of all earlier ones."""
        fields: dict[str, object] = {}
        if category is not None:
            fields["category"] = None if _removes(category) else self.reader.category(category)
        if tags is not None:
            fields["tags"] = self.reader.tags(tags)
        return fields

    def says_more(self, fields: dict[str, object]) -> bool:
        """Whether the update puts words into the record, and not only times, figures or choices."""
        return any(
            name in fields and fields[name] != getattr(self.before, name) for name in ("content", "tags", "notes")
        )

    def day(self, kind: RecordType | None, fields: dict[str, object]) -> dict[str, object]:
        """What becomes an expense or income without a time of its own is today's."""
        becomes_money = kind in MONEY_TYPES and self.before.type not in MONEY_TYPES
        if becomes_money and fields.get("when", self.before.when) is None:
            return {"when": self.reader.today()}
        return {}


def _removes(said: str | None) -> bool:
    return said is not None and said.casefold() == REMOVE

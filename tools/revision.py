"""What an update means for the fields of a record: what was said, and what must follow from it.

Pure. Must not know the store, or how a model is told of the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tools.arguments import Reader, refused, start_of
from tools.record import MONEY_TYPES, Moment, Record, RecordType, day_of

REMOVE = "remove"
"""What a model says in place of a time or a category to take it away."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Revision:
    """One update of one record, as read from the arguments of a call. Every method returns the fields it changes."""

    before: Record
    reader: Reader

    def times(
        self, kind: RecordType | None, when: str | None, until: str | None, remind_at: str | None
    ) -> dict[str, object]:
        """What moves takes its end and a near reminder along, unless these are said too."""
        fields: dict[str, object] = {}
        start = self.before.when
        if _removes(when):
            start, fields = None, {"when": None, "until": None}
        elif when is not None:
            start, end = self.reader.when(when, kind or self.before.type)
            fields = {"when": start, **self._follows(start)} | ({"until": end} if end else {})
        if until is not None:
            fields["until"] = None if _removes(until) else self.reader.until(until, start)
        if remind_at is not None:
            fields["remind_at"] = None if _removes(remind_at) else self.reader.remind_at(remind_at)
        return fields

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

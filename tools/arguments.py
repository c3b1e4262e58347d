"""What a model gives for times, money and names -> values, or a refusal that says what would do.

Must not know the store, or which tool asked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from tools.categories import Categories
from tools.cleaning import is_blank
from tools.currency import known, major, minor
from tools.definition import Caller, FieldProblem, ToolError
from tools.money import read_amount
from tools.record import MONEY_TYPES, Moment, PersonId, RecordType, Span, day_of
from tools.when import NotUnderstood, read_moment, read_range, read_span

MORNING = time(9)
"""When a reminder for a whole day rings."""

_TOO_MUCH = Decimal(10) ** 12
_TAG_LENGTH = 100
_REF_DIGITS = 15
_YEARS = range(1900, 2200)
"""Beyond is a slip of the pen; and near the ends of the calendar no time can be told in another zone."""


def refused(path: str, problem: str, code: str = "invalid_arguments") -> ToolError:
    """The refusal of one argument. Codes: invalid_arguments, not_understood, bad_amount, not_found."""
    return ToolError(code, "Nothing was done: correct the argument named here.", (FieldProblem(path, problem),))


def start_of(moment: Moment, caller: Caller) -> datetime:
    """The first instant of a day, or the clock time itself, in the person's zone."""
    if isinstance(moment, datetime):
        return moment.astimezone(caller.zone)
    return datetime.combine(moment, time.min, caller.zone)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads on behalf of one caller. Every method raises ToolError with the path of the argument it could not take."""

    caller: Caller
    categories: Categories

    @property
    def now(self) -> datetime:
        """The present, in the person's zone."""
        return self.caller.now.astimezone(self.caller.zone)

    def today(self) -> date:
        """The person's calendar day."""
        return self.now.date()

    def when(self, text: str, kind: RecordType) -> tuple[Moment, Moment | None]:
        """A moment, or the start and the inclusive end of a range. Money is mostly told of after it was spent."""
        with _understood("when"):
            start, end = read_range(text, self.now, past=kind in MONEY_TYPES)
            return _on_record(start), end and _on_record(end)

    def until(self, text: str, when: Moment | None) -> Moment:
        """The end of what begins at ``when``, not before it."""
        if when is None:
            raise refused("until", "needs when as well")
        with _understood("until"):
            end = _on_record(read_moment(text, self.now))
        if self._ends_before(end, when):
            raise refused("until", "is before when; give its date too")
        return end

    def _ends_before(self, end: Moment, start: Moment) -> bool:
        if isinstance(end, datetime) and isinstance(start, datetime):
            return end < start
        return day_of(end, self.caller.zone) < day_of(start, self.caller.zone)

    def remind_at(self, text: str) -> datetime:
        """A clock time to come; a whole day means nine o'clock on it."""
        if self.caller.household is not None:
            raise refused("remind_at", "a group is not reminded; tell the user to ask for it in their own chat")
        with _understood("remind_at"):
            moment = _on_record(read_moment(text, self.now))
        ring = moment if isinstance(moment, datetime) else datetime.combine(moment, MORNING, self.caller.zone)
        if ring <= self.now:
            raise refused("remind_at", "is in the past")
        return ring

    def span(self, text: str, kind: RecordType | None) -> Span:
        """A stretch of time to look in, by the same reading as for what is to be found there."""
        with _understood("when"):
            return read_span(text, self.now, past=kind in MONEY_TYPES)

    def money(
        self, amount: float | str | Decimal, currency: str | None, usual: str | None = None
    ) -> tuple[Decimal, str]:
        """A positive amount, exact in the minor unit of its currency, and the currency's code. The currency is the one
        that was named, else the one written with the amount, else the usual one, else the person's."""
        try:
            value, written = self._amount(amount, usual or self.caller.currency)
        except ValueError:
            raise refused("amount", "could not be read as an amount; give a number", "bad_amount") from None
        if not 0 < value < _TOO_MUCH:
            raise refused("amount", "must be more than 0 and less than 10^12", "bad_amount")
        code = _currency(currency or written or usual or self.caller.currency)
        try:
            return major(minor(value, code), code), code
        except ValueError:
            raise refused("amount", f"has more decimals than {code} has", "bad_amount") from None

    def _amount(self, amount: float | str | Decimal, home: str) -> tuple[Decimal, str | None]:
        if isinstance(amount, str):
            read = read_amount(amount)
            return read.value, read.currency_for(home)
        return Decimal(str(amount)), None

    def no_money(self, amount: float | str | None, currency: str | None) -> None:
        """Refuses money with what is neither an expense nor income."""
        if amount is not None:
            raise refused("amount", "only with type expense or income")
        if currency is not None:
            raise refused("currency", "only with an amount")

    def payer(self, name: str) -> PersonId:
        """The member of the group with that name. Who is meant must be certain: it is about money."""
        household = self.caller.household
        if household is None:
            raise refused("paid_by", "only in a group")
        found = household.called(name)
        if found is None:
            raise refused("paid_by", "no one member has that name; ask the user for it as LINE shows it", "not_found")
        return found

    def category(self, text: str) -> str:
        """One of the person's own, by any name it goes by."""
        if found := self.categories.find(text):
            return found
        raise refused("category", "must be one of: " + ", ".join(self.categories.names))

    def tags(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Trimmed, without a number sign in front, each once."""
        tags = [unicodedata.normalize("NFKC", text).strip().lstrip("#").strip() for text in texts]
        for place, tag in enumerate(tags):
            if is_blank(tag) or len(tag) > _TAG_LENGTH:
                raise refused(f"tags.{place}", f"must be 1 to {_TAG_LENGTH} characters")
        return tuple(dict.fromkeys(tags))


def read_ref(value: object) -> object:
    """``#12`` and ``12`` in digits of any width or script as a whole number; everything else as it is."""
    if not isinstance(value, str):
        return value
    digits = unicodedata.normalize("NFKC", value).strip().removeprefix("#").strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _REF_DIGITS else value


def _currency(text: str) -> str:
    code = unicodedata.normalize("NFKC", text).strip().upper()
    if not known(code):
        raise refused("currency", "must be an ISO 4217 code such as TWD")
    return code


@contextmanager
def _understood(path: str) -> Iterator[None]:
    try:
        yield
    except (NotUnderstood, OverflowError):
        would_do = "could not be read as a time; write 2026-12-01 for a day or 2026-12-01T15:00"
        raise refused(path, would_do, "not_understood") from None


def _on_record(moment: Moment) -> Moment:
    if moment.year not in _YEARS:
        raise NotUnderstood("no one plans or remembers so far away")
    return moment

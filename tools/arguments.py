"""What a model gives for times, money and names -> values, or a refusal that says what would do.

Must not know the store, or which tool asked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from tools.categories import Categories
from tools.cleaning import is_blank
from tools.currency import known, major, minor
from tools.definition import Caller, FieldProblem, ToolError
from tools.doubt import Doubt, doubt_about
from tools.moments import MORNING, YEARS, Repeat, in_its_zone
from tools.money import read_amount
from tools.record import MONEY_TYPES, TO_DO, Draft, Moment, PersonId, RecordType, Span, Status, day_of
from tools.reminder_words import read_reminder
from tools.repeating import begins
from tools.when import NotUnderstood, Repetition, next_after, read_moment, read_range, read_rule, read_span, read_time

_FAR_OFF = timedelta(days=60)
"""A reminder is that of the first time it is about; a day further off was read as another year's."""

_TOO_MUCH = Decimal(10) ** 12
_TAG_LENGTH = 100
_REF_DIGITS = 15


def refused(path: str, problem: str, code: str = "invalid_arguments") -> ToolError:
    """The refusal of one argument. Codes: invalid_arguments, not_understood, bad_amount, not_found."""
    return ToolError(code, "Nothing was done: correct the argument named here.", (FieldProblem(path, problem),))


def refuse_finishing(status: Status | None, kind: RecordType) -> None:
    """Only what is to be done can be done."""
    if status == "done" and kind not in TO_DO:
        raise refused("status", f"{kind} cannot be done: only task and event can")


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

    def hour_on(self, day: date, text: str) -> tuple[Moment, Moment | None] | None:
        """A clock time on this day, or a stretch of it, where the words name an hour and no day at all: they may stand
        behind any date."""
        try:
            read_range(f"{day + timedelta(days=1)} {text}", self.now)
            start, end = read_range(f"{day} {text}", self.now)
        except (NotUnderstood, OverflowError):
            return None
        return (_on_record(start), end and _on_record(end)) if isinstance(start, datetime) else None

    def doubts(self, kind: RecordType, when: str | None, remind_at: str | None) -> list[Doubt]:
        """What these words may mean besides: of a thing and its reminder the thing is asked about, for that moves its
        reminder along. What is to be done is not meant to be over."""
        for field, text in (("when", when), ("remind_at", remind_at)):
            if text is None:
                continue
            with suppress(NotUnderstood, OverflowError):
                reading = read_time(text, self.now, past=field == "when" and kind in MONEY_TYPES)
                doubt = doubt_about("when" if field == "when" else "remind_at", text, reading, self.caller.zone)
                plans = field == "remind_at" or kind in TO_DO
                if doubt and reading.other and not (plans and self._is_over(reading.other.start)):
                    return [doubt]
        return []

    def _is_over(self, moment: Moment) -> bool:
        if isinstance(moment, datetime):
            return moment <= self.now
        return moment < self.today()

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

    def remind_at(self, text: str, when: Moment | None = None) -> datetime:
        """A clock time to come; a whole day means nine o'clock on it. What hangs on ``when`` counts from there."""
        ring = self._ring(text, when, self.now)
        if ring <= self.now:
            raise refused("remind_at", "is in the past")
        return ring

    def _ring(self, text: str, when: Moment | None, now: datetime) -> datetime:
        if self.caller.household is not None:
            raise refused("remind_at", "a group is not reminded; tell the user to ask for it in their own chat")
        with _understood("remind_at"):
            moment = _on_record(read_reminder(text, now, when, self.caller.hours))
        return moment if isinstance(moment, datetime) else datetime.combine(moment, MORNING, self.caller.zone)

    # ── what comes again

    def repetition(self, text: str, when: str | None) -> Repetition:
        """The rule and its first time to come: at the hour, and not before the day, that ``when`` names."""
        with _understood("repeat"):
            found = read_rule(text, self.now)
        if when is None or isinstance(found.first, datetime):
            return found
        with _understood("when"):
            start, _ = self._start_or_rule(when)
        if start is None:
            return self.repetition(when, None)
        day = day_of(start, self.caller.zone)
        midnight = datetime.combine(day, time.min, self.caller.zone)
        if day > self.today():
            with _understood("repeat"):
                found = read_rule(text, midnight)
        if not isinstance(start, datetime) or isinstance(found.first, datetime):
            return found
        first = in_its_zone(datetime.combine(found.first, start.time(), self.caller.zone))
        if first <= self.now:
            first = _moment(next_after(found.rule, first, self.now), first)
        return replace(found, first=first)

    def _start_or_rule(self, when: str) -> tuple[Moment | None, Moment | None]:
        """None where the words are those of a rule."""
        try:
            return read_range(when, self.now)
        except NotUnderstood:
            read_rule(when, self.now)
            return None, None

    def lasting(self, found: Repetition) -> Moment | None:
        """When its first time is over."""
        return found.first + found.lasts if found.lasts and isinstance(found.first, datetime) else None

    def repeat(self, found: Repetition, remind_at: str | None) -> tuple[Repeat, datetime | None]:
        """How the record comes again, and the reminder of its first time, unless that has passed. A clock time is one
        of that day."""
        ring = None if remind_at is None else self._ring_of_first(found, remind_at)
        repeat = begins(found.rule, found.first, self.caller.zone, ring=ring)
        return repeat, ring if ring and ring > self.now else None

    def times(
        self, kind: RecordType, when: str | None, until: str | None, remind_at: str | None, repeat: str | None
    ) -> Draft:
        """The times of a new record, as a draft of nothing else. Money without a day was spent today."""
        if repeat is not None:
            times = self.comes_again(kind, repeat, when, remind_at)
        else:
            start, end = (None, None) if when is None else self.when(when, kind)
            start = self.today() if start is None and kind in MONEY_TYPES else start
            ring = None if remind_at is None else self.remind_at(remind_at, start)
            times = Draft(content="", type=kind, when=start, until=end, remind_at=ring)
        return times if until is None else replace(times, until=self.until(until, times.when))

    def comes_again(self, kind: RecordType, repeat: str, when: str | None, remind_at: str | None) -> Draft:
        """The times of a new record that comes again, as a draft of nothing else."""
        if kind in MONEY_TYPES:
            raise refused("repeat", "only with type task or event; a payment that comes again is a task to pay it")
        found = self.repetition(repeat, when)
        again, ring = self.repeat(found, remind_at)
        return Draft(content="", type=kind, when=found.first, until=self.lasting(found), remind_at=ring, repeat=again)

    def _ring_of_first(self, found: Repetition, text: str) -> datetime:
        first = found.first
        day = datetime.combine(day_of(first, self.caller.zone), time.min, self.caller.zone)
        try:
            ring = self._ring(text, first, day)
        except ToolError:
            with suppress(NotUnderstood):  # the words of the rule once more: at the time itself
                again = read_rule(text, self.now).first
                clock = again if isinstance(again, datetime) else first
                return clock if isinstance(clock, datetime) else datetime.combine(first, MORNING, self.caller.zone)
            raise
        off = ring.date() - day.date()
        return ring if abs(off) < _FAR_OFF else ring - off

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

    def bounds(self, least: float | None, most: float | None) -> tuple[Decimal | None, Decimal | None]:
        """What is looked for costs at least and at most so much."""
        if least is not None and most is not None and most < least:
            raise refused("max_amount", "is less than min_amount")
        return None if least is None else Decimal(str(least)), None if most is None else Decimal(str(most))

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
    if moment.year not in YEARS:
        raise NotUnderstood("no one plans or remembers so far away")
    return moment


def _moment(found: Moment | None, usual: datetime) -> datetime:
    return found if isinstance(found, datetime) else usual

"""What a message tells that is new: money, events, things to do, notes.

Pure. Must not know how a call is run or how a result is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Literal

from bot.engines.offline.described import Described
from bot.engines.offline.plan import Arguments, Person, Wish, create, currency_of
from bot.engines.offline.repeated import reminded_before
from bot.engines.offline.text import (
    begins_with_hour,
    blanked,
    first,
    leaving_out,
    misread,
    names_no_day,
    own_words,
    says,
    times_in,
    trimmed,
    with_hours,
    with_particles,
    without,
)
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import INCOME_PLACE, categories, group, pattern
from tools.currency import json_number
from tools.money import FoundAmount, find_amounts
from tools.record import RecordType, day_of
from tools.when import Found, NotUnderstood, read_moment, read_range

_MOST_ITEMS = 40
"""Amounts in one line; more are a table, which is told rather than logged."""
_LONGEST_ITEM = 40
"""Characters of a thing with a price; what is longer tells a story in which a number occurs."""
_LONGEST_BARE_ITEM, _MOST_BARE_WORDS = 10, 2
"""The same where nothing but its place says that the number is a price."""
_LEAST_GLUED = 10
"""An amount without a unit that hangs on its word: below, it counts chapters rather than money."""
_SHORTEST_TASK = 2
_LONGEST_TASK = 60
_MOST_TIMES = 2
"""A day and a clock time may stand apart in a sentence."""
_LONGEST_TIMED = 200

_KEPT: tuple[Literal["idea", "note"], ...] = ("idea", "note")
_KINDS: tuple[Literal["idea", "note", "task"], ...] = (*_KEPT, "task")
"""What a word in front can say, in the order in which it is asked."""


class NotTimed(Enum):
    """Why a text is no record with a time."""

    NO_TIME = "it names no time"
    UNCERTAIN = "its times do not fit together, or nothing stands beside them"


@dataclass(frozen=True, slots=True)
class New:
    """Things to remember, read for one person. Every reading is empty if it does not fit."""

    person: Person

    def told(self, line: str, plain: str) -> tuple[Wish, ...]:
        """A word in front says what it is: ``記一下 …``, ``note: …``."""
        for kind in _KINDS:
            match = first(kind, plain)
            if match is None:
                continue
            rest = own_words(line, plain, group(match, "rest"))
            if kind == "idea":
                return (create(rest, "idea"),)
            if kind == "task":
                unsure = says("question", plain) or names_no_day(plain_of(rest))
                return () if unsure else (self._timed_or(rest, "task", "task"),)
            priced = () if self._is_numbered(rest) else self.money(rest)
            return priced or (self._timed_or(rest, "event", _kind_of(rest)),)
        return ()

    def _is_numbered(self, rest: str) -> bool:
        """Behind a word that says it is a note, a bare number that hangs on its word is a part of the name (事項3),
        unless the word is of what costs money (午餐120)."""
        found = find_amounts(rest)
        return any(
            not each.named
            and rest[: each.start][-1:].isalnum()
            and (each.amount.value < _LEAST_GLUED or not self.person.category(plain_of(rest[: each.start])))
            for each in found
        )

    def _timed_or(self, rest: str, timed: RecordType, timeless: RecordType) -> Wish:
        wish = self._timed(rest, timed)
        return wish if isinstance(wish, Wish) else create(rest, timeless)

    def kept(self, line: str, plain: str) -> tuple[Wish, ...]:
        """Of a long line only that it is to be kept is certain."""
        for kind in _KEPT:
            if match := first(kind, plain):
                return (create(own_words(line, plain, group(match, "rest")), kind),)
        return ()

    def money(self, line: str) -> tuple[Wish, ...]:
        """Items with amounts (早餐60 捷運30). Nothing if one of them is not certain, or if it is still to come."""
        times = times_in(line, self.person.now, past=True)
        spans = [(each.start, each.end) for each in times]
        if len(times) > 1 or (times and self._to_come(times[0])) or misread(line, spans):
            return ()
        blank = blanked(line, [with_particles(line, each.start, each.end) for each in times])
        found = find_amounts(blank)
        if not found or len(found) > _MOST_ITEMS:
            return ()
        when = {"when": line[times[0].start : times[0].end]} if times else {}
        wishes = []
        for index, each in enumerate(found):
            start = found[index - 1].end if index else 0
            before = trimmed(leaving_out("spent_behind", trimmed(blank[start : each.start])))
            before = _JOINED.sub("", before) if index else before
            after = leaving_out("spent_on", trimmed(blank[each.end :])) if len(found) == 1 else ""
            item = line if before and after else before or after
            if not self._is_price(item, each):
                return ()
            wishes.append(Wish("create_record", self._money_arguments(item, each) | when))
        tail = blank[found[-1].end :] if len(found) > 1 else ""
        return () if trimmed(tail) else tuple(wishes)

    def _to_come(self, time: Found) -> bool:
        if isinstance(time.value, tuple):
            return True
        if isinstance(time.value, datetime):
            return time.value > self.person.now
        return time.value > self.person.now.date()

    def _is_price(self, item: str, found: FoundAmount) -> bool:
        """A bare number is a price only behind a short name, and in Latin script only behind one that costs money."""
        plain = plain_of(item)
        if not plain or not any(char.isalpha() for char in plain) or len(plain) > _LONGEST_ITEM:
            return False
        if says("fixed_number", plain) or found.amount.value <= 0:
            return False
        if found.named:
            return True
        if any(each.search(plain) for each in categories()) or says("income", plain):
            return True
        short = len(plain) <= _LONGEST_BARE_ITEM and len(plain.split()) <= _MOST_BARE_WORDS
        return short and not plain.isascii() and not says("verbs", plain) and found.amount.value >= 1

    def _money_arguments(self, item: str, found: FoundAmount) -> Arguments:
        income = says("income", plain_of(item))
        arguments: Arguments = {
            "content": item,
            "type": "income" if income else "expense",
            "amount": json_number(found.amount.value),
        } | currency_of(found.amount, self.person)
        category = self.person.named(INCOME_PLACE) if income else self.person.category(plain_of(item))
        return arguments | ({"category": category} if category else {})

    def listed(self, line: str) -> tuple[Wish, ...]:
        """Something for a list: a task with the list's name as its tag."""
        plain = plain_of(line)
        match = first("add_to_list", plain)
        if match is None or says("question", plain):
            return ()
        thing, name = (own_words(line, plain, group(match, each)).strip() for each in ("thing", "list"))
        return (Wish("create_record", {"content": thing, "type": "task", "tags": [name]}),)

    def is_to_be_told(self, line: str, plain: str) -> bool:
        """Whether a wish to be told begins the line, or stands behind its time, so that what follows is the thing even
        if it asks: 明天提醒我問幾點開會. Without something to do a question stays one: 提醒我今天有什麼事."""
        match = pattern("remind").search(plain)
        if match is None or len(plain) != len(line):
            return False
        in_front, thing = (self._timeless(each) for each in (line[: match.start()], line[match.end() :]))
        asks = says("question", plain) or says("question", plain_of(thing))
        return not in_front and (says("verbs", plain_of(thing)) or not asks)

    def _timeless(self, text: str) -> str:
        times = times_in(text, self.person.now)
        beside = trimmed(without(text, [with_particles(text, each.start, each.end) for each in times]))
        return leaving_out("topic", beside)

    def reminder(self, line: str) -> tuple[Wish, ...]:
        """A wish to be told: 提醒我明天三點打電話, or behind an event: 明天三點開會，兩點提醒我."""
        plain = plain_of(line)
        if not says("remind", plain) or len(plain) != len(line):
            return ()
        clauses = [clause for clause in re.split(r"[,，、;；。]", line) if clause.strip()]
        match [says("remind", plain_of(clause)) for clause in clauses]:
            case [False, True]:
                return self._with_reminder(*clauses)
        return self._alarm(line) if says("alarm", plain) else self._to_be_told(line, plain)

    def _names_time(self, text: str) -> bool:
        times = times_in(text, self.person.now)
        return bool(times) and not misread(text, [(each.start, each.end) for each in times])

    def _alarm(self, line: str) -> tuple[Wish, ...]:
        """About nothing but its time: it is called as it was asked for."""
        timed = self._timed(line, "task", content=line)
        if timed is NotTimed.NO_TIME and (later := Described(self.person).from_now(plain_of(line))):
            when = later[1].replace(tzinfo=None).isoformat(timespec="minutes")  # an alarm for half an hour
            return (Wish("create_record", {"content": line, "type": "task", "when": when, "remind_at": when}),)
        return (self._ringing(timed),) if isinstance(timed, Wish) else ()

    def _to_be_told(self, line: str, plain: str) -> tuple[Wish, ...]:
        """What stands beside the wish is the thing; a wish in the midst of the words leaves them whole."""
        match = pattern("remind").search(plain)
        assert match is not None
        before, after = trimmed(line[: match.start()]), trimmed(line[match.end() :])
        inside = before and after and not times_in(before, self.person.now)
        rest = line if inside else trimmed(f"{before} {after}")
        timed = self._timed(rest, "task")
        if timed is NotTimed.UNCERTAIN and before and not inside and self._names_time(after):
            timed = self._timed(before, "task", content=after)  # what is named behind is a part of the thing
        if timed is NotTimed.UNCERTAIN:
            timed = self._timed(rest, "task", content=line)
        if isinstance(timed, Wish):
            return (self._ringing(timed),)
        certain = timed is NotTimed.NO_TIME and len(rest) >= _SHORTEST_TASK and not begins_with_hour(rest)
        return (create(rest, "task"),) if certain else ()

    def _ringing(self, timed: Wish) -> Wish:
        return Wish("create_record", timed.arguments | self._ring(timed.arguments["when"]))

    def _ring(self, when: str) -> Arguments:
        """The time itself; of a whole day the morning, which of today is over."""
        start, _ = read_range(when, self.person.now)
        return {"remind_at": when} if isinstance(start, datetime) or start > self.person.now.date() else {}

    def _with_reminder(self, thing: str, reminder: str) -> tuple[Wish, ...]:
        event = self._timed(thing, "event")
        times = times_in(reminder, self.person.now)
        if isinstance(event, Wish) and (before := reminded_before(event, reminder, self.person)):
            return before
        if not isinstance(event, Wish) or len(times) != 1:
            return ()
        start, _ = read_range(event.arguments["when"], self.person.now)
        said = reminder[times[0].start : times[0].end]
        try:
            ring = read_moment(f"{day_of(start, self.person.stamp.zone).isoformat()} {said}", self.person.now)
        except NotUnderstood:
            ring = read_moment(said, self.person.now)
        if not isinstance(ring, datetime):
            return ()
        told = ring.replace(tzinfo=None).isoformat(timespec="minutes")
        return (Wish("create_record", event.arguments | {"remind_at": told}),)

    def thing(self, line: str) -> tuple[Wish, ...]:
        """Words with a time are an event, or a task if they begin with something to do; without one, a task or none."""
        plain = plain_of(line)
        if says("remind", plain):
            return ()
        timed = self._timed(line, "event")
        if isinstance(timed, Wish):
            return (timed,) if self._is_planned(timed) else ()
        is_task = (
            says("verbs", plain)
            and not says("over", plain)
            and len(plain) >= _SHORTEST_TASK
            and len(line) <= _LONGEST_TASK
        )
        return (create(line, "task"),) if is_task and timed is NotTimed.NO_TIME else ()

    def _is_planned(self, wish: Wish) -> bool:
        """今天很累 is no event: without a clock time, today and before need words for something to do or to attend."""
        start, _ = read_range(wish.arguments["when"], self.person.now)
        if wish.arguments["type"] == "task" and says("over", plain_of(wish.arguments["content"])):
            return False
        if isinstance(start, datetime) or start > self.person.now.date() or wish.arguments["type"] == "task":
            return True
        return says("happening", plain_of(wish.arguments["content"]))

    def _timed(self, text: str, kind: RecordType, content: str = "") -> Wish | NotTimed:
        """A record with its time, called ``content`` or else by what stands beside the time."""
        text = with_hours(text)
        times = times_in(text, self.person.now)
        if not times:
            return NotTimed.UNCERTAIN if names_no_day(plain_of(text)) else NotTimed.NO_TIME
        spans = [(each.start, each.end) for each in times]
        if len(times) > _MOST_TIMES or len(text) > _LONGEST_TIMED or misread(text, spans):
            return NotTimed.UNCERTAIN
        when = " ".join(text[each.start : each.end] for each in times)
        try:
            read_range(when, self.person.now)
        except NotUnderstood:
            return NotTimed.UNCERTAIN
        beside = trimmed(without(text, [with_particles(text, each.start, each.end) for each in times]))
        content = content or leaving_out("topic", beside)
        if not any(char.isalpha() for char in content):
            return NotTimed.UNCERTAIN
        kind = "task" if says("verbs", plain_of(content)) else kind
        return Wish("create_record", {"content": content, "type": kind, "when": when})


_JOINED = re.compile(r"^(?:and|&|และ)\s+", re.IGNORECASE)
"""What joins one item to the one in front."""


def _kind_of(rest: str) -> RecordType:
    return "task" if says("verbs", plain_of(rest)) else "note"

"""What a message tells that is new: money, events, things to do, notes.

Pure. Must not know how a call is run or how a result is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from bot.engines.offline.plan import Arguments, Person, Wish, create, currency_of, json_number
from bot.engines.offline.text import blanked, first, own_words, says, trimmed, with_particles, without
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import INCOME_PLACE, categories, group, pattern
from tools.money import FoundAmount, find_amounts
from tools.when import Found, NotUnderstood, find_times, read_moment, read_range

_SPENT_BEHIND = re.compile(r"(?:花了?|用了?|付了?|是|\b(?:spent|(?<!got )paid|for|cost))$", re.IGNORECASE)
_FOR = re.compile(r"^(?:on|for)\s+", re.IGNORECASE)
_TOPIC = re.compile(r"[はが]$|^to ", re.IGNORECASE)
"""The particle of what a sentence is about (会議は10時), and what is left of "remind me at 3 to call"."""


@dataclass(frozen=True, slots=True)
class New:
    """Things to remember, read for one person. Every reading is empty if it does not fit."""

    person: Person

    def told(self, line: str, plain: str) -> tuple[Wish, ...]:
        """A word in front says what it is: ``記一下 …``, ``note: …``."""
        for name, kind in (("idea", "idea"), ("note", "note"), ("task", "task")):
            match = first(name, plain)
            if match is None:
                continue
            rest = own_words(line, plain, group(match, "rest"))
            if kind == "idea":
                return (create(rest, "idea"),)
            if kind == "task":
                return () if says("question", plain) else (self._timed(rest, "task") or (create(rest, "task"),))
            return self.money(rest) or self._timed(rest, "event") or (create(rest, _kind_of(rest)),)
        return ()

    def kept(self, line: str, plain: str) -> tuple[Wish, ...]:
        """Of a long line only that it is to be kept is certain."""
        for name in ("idea", "note"):
            if match := first(name, plain):
                return (create(own_words(line, plain, group(match, "rest")), name),)
        return ()

    def money(self, line: str) -> tuple[Wish, ...]:
        """Items with amounts (早餐60 捷運30). Nothing if one of them is not certain, or if it is still to come."""
        times = find_times(line, self.person.now, past=True)
        if len(times) > 1 or (times and self._to_come(times[0])):
            return ()
        blank = blanked(line, [with_particles(line, each.start, each.end) for each in times])
        found = find_amounts(blank)
        if not found or len(found) > 16:  # noqa: PLR2004 - more would not run in one answer
            return ()
        when = {"when": line[times[0].start : times[0].end]} if times else {}
        wishes = []
        for index, each in enumerate(found):
            before = _without_spending(trimmed(blank[found[index - 1].end if index else 0 : each.start]))
            after = _FOR.sub("", trimmed(blank[each.end :])) if len(found) == 1 else ""
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
        if not plain or not any(char.isalpha() for char in plain) or len(plain) > 40:  # noqa: PLR2004
            return False
        if says("fixed_number", plain) or found.amount.value <= 0 or "remind" in plain:
            return False
        if found.named:
            return True
        if any(each.search(plain) for each in categories()) or says("income", plain):
            return True
        short = len(plain) <= 10 and len(plain.split()) <= 2  # noqa: PLR2004
        return short and not plain.isascii() and not says("verbs", plain) and found.amount.value >= 1

    def _money_arguments(self, item: str, found: FoundAmount) -> Arguments:
        income = says("income", plain_of(item))
        arguments: Arguments = {
            "content": item,
            "type": "income" if income else "expense",
            "amount": json_number(found),
        } | currency_of(found.amount.currency)
        category = self.person.named(INCOME_PLACE) if income else self.person.category(plain_of(item))
        return arguments | ({"category": category} if category else {})

    def listed(self, line: str) -> tuple[Wish, ...]:
        match = first("add_to_list", plain_of(line))
        if match is None or says("question", plain_of(line)):
            return ()
        return (create(group(match, "thing").strip(), "task") if not group(match, "list") else Wish(
            "create_record",
            {"content": group(match, "thing").strip(), "type": "task", "tags": [group(match, "list").strip()]},
        ),)  # fmt: skip

    def reminder(self, line: str) -> tuple[Wish, ...]:
        """A wish to be told: 提醒我明天三點打電話, or behind an event: 明天三點開會，兩點提醒我."""
        plain = plain_of(line)
        if not says("remind", plain) or len(plain) != len(line):
            return ()
        clauses = [clause for clause in re.split(r"[,，、;；。]", line) if clause.strip()]
        if len(clauses) == 2 and says("remind", plain_of(clauses[1])) and not says("remind", plain_of(clauses[0])):  # noqa: PLR2004
            return self._with_reminder(clauses[0], clauses[1])
        match = pattern("remind").search(plain)
        assert match is not None
        before, after = trimmed(line[: match.start()]), trimmed(line[match.end() :])
        alarm = says("alarm", plain)
        rest = (
            line
            if alarm or (before and after and not find_times(before, self.person.now))
            else trimmed(f"{before} {after}")
        )
        timed = self._timed(rest, "task", content=line if alarm else "") or self._timed(rest, "task", content=line)
        if timed is None:
            return () if alarm or len(rest) < 2 or find_times(rest, self.person.now) else (create(rest, "task"),)  # noqa: PLR2004
        return (Wish("create_record", timed[0].arguments | self._ring(timed[0].arguments["when"])),)

    def _ring(self, when: str) -> Arguments:
        """The time itself; of a whole day the morning, which of today is over."""
        start, _ = read_range(when, self.person.now)
        return {"remind_at": when} if isinstance(start, datetime) or start > self.person.now.date() else {}

    def _with_reminder(self, thing: str, reminder: str) -> tuple[Wish, ...]:
        event = self._timed(thing, "event")
        times = find_times(reminder, self.person.now)
        if event is None or len(times) != 1:
            return ()
        start, _ = read_range(event[0].arguments["when"], self.person.now)
        said = reminder[times[0].start : times[0].end]
        day = start.date() if isinstance(start, datetime) else start
        try:
            ring = read_moment(f"{day.isoformat()} {said}", self.person.now)
        except NotUnderstood:
            ring = read_moment(said, self.person.now)
        if not isinstance(ring, datetime):
            return ()
        told = ring.replace(tzinfo=None).isoformat(timespec="minutes")
        return (Wish("create_record", event[0].arguments | {"remind_at": told}),)

    def thing(self, line: str) -> tuple[Wish, ...]:
        """Words with a time are an event, or a task if they begin with something to do; without one, a task or none."""
        if says("remind", plain_of(line)):
            return ()
        plain = plain_of(line)
        timed = self._timed(line, "event")
        if timed is not None:
            return timed if self._is_planned(timed[0]) else ()
        is_task = says("verbs", plain) and len(line) <= 60 and not find_times(line, self.person.now)  # noqa: PLR2004
        return (create(line, "task"),) if is_task and len(plain) > 1 else ()

    def _is_planned(self, wish: Wish) -> bool:
        """今天很累 is no event: without a clock time, today and before need words for something to do or to attend."""
        start, _ = read_range(wish.arguments["when"], self.person.now)
        if isinstance(start, datetime) or start > self.person.now.date() or wish.arguments["type"] == "task":
            return True
        return says("happening", plain_of(wish.arguments["content"]))

    def _timed(self, text: str, kind: str, content: str = "") -> tuple[Wish, ...] | None:
        """A record with its time; None if the text names no time, several that do not fit, or nothing beside it."""
        times = find_times(text, self.person.now)
        if not times or len(times) > 2 or len(text) > 200:  # noqa: PLR2004
            return None
        when = " ".join(text[each.start : each.end] for each in times)
        try:
            read_range(when, self.person.now)
        except NotUnderstood:
            return None
        content = content or _TOPIC.sub(
            "", trimmed(without(text, [with_particles(text, each.start, each.end) for each in times]))
        )
        if not any(char.isalpha() for char in content):
            return None
        if says("verbs", plain_of(content)):
            kind = "task"
        return (Wish("create_record", {"content": content, "type": kind, "when": when}),)


def _without_spending(item: str) -> str:
    return trimmed(_SPENT_BEHIND.sub("", item))


def _kind_of(rest: str) -> str:
    return "task" if says("verbs", plain_of(rest)) else "note"

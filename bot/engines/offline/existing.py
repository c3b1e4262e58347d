"""What a message asks about records that are there already: by number, by name, by time.

Pure. Must not know how a call is run or how a result is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.engines.offline.plan import Arguments, Person, Wish, currency_of
from bot.engines.offline.text import first, misread, numbers, own_words, says, times_in, with_particles, without
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import group, pattern
from bot.voice.commands import command_of
from tools.currency import json_number
from tools.money import NotMoney, find_amounts, read_amount
from tools.record import day_of
from tools.when import Found, NotUnderstood, read_moment, read_range

_BY_NAME: tuple[Literal["finish", "drop"], ...] = ("finish", "drop")
_NAME_LENGTHS = range(2, 41)
"""Characters of a name by which one record is looked for."""
_KEYWORD_LENGTHS, _MOST_KEYWORD_WORDS = range(1, 25), 3
"""A word to look for, no sentence."""


@dataclass(frozen=True, slots=True)
class Existing:
    """Questions and changes, read for one person. Every reading is empty if it does not fit."""

    person: Person

    def by_number(self, _: str, plain: str) -> tuple[Wish, ...]:
        if match := first("done", plain):
            refs = numbers(group(match, "ref"))
            return tuple(Wish("update_record", {"ref": ref, "status": "done"}) for ref in refs)
        if match := first("delete", plain):
            refs = numbers(group(match, "ref"))
            return (Wish("delete_record", {"ref": refs[0]} if len(refs) == 1 else {"refs": refs}),)
        if match := first("edit", plain):
            return self._edit(int(group(match, "ref")), group(match, "rest"))
        return ()

    def edit_of(self, plain: str) -> str:
        """What an update of a record by number says beside the number; "" if it is none."""
        match = first("edit", plain)
        return group(match, "rest") if match else ""

    def _edit(self, ref: int, rest: str) -> tuple[Wish, ...]:
        """A new day or time, or a new amount. A clock time without a day would move the record to today."""
        try:
            read_range(rest, self.person.now)
        except NotUnderstood:
            return self._edit_amount(ref, rest)
        return (Wish("update_record", {"ref": ref, "when": rest}),) if self._names_day(rest) else ()

    def _edit_amount(self, ref: int, rest: str) -> tuple[Wish, ...]:
        found = find_amounts(rest)
        if len(found) != 1 or not found[0].named:
            return ()
        try:
            amount = read_amount(rest)
        except NotMoney:
            return ()
        return (
            Wish(
                "update_record",
                {"ref": ref, "amount": json_number(found[0].amount.value)} | currency_of(amount, self.person),
            ),
        )

    def _names_day(self, words: str) -> bool:
        """Whether the words mean the same a day later: then they say which day, or are reckoned from now."""
        later = self.person.now.replace(hour=0, minute=0)
        try:
            return not isinstance(read_moment(f"2026-01-01 {words}", later), datetime)
        except NotUnderstood:
            return True

    def by_name(self, line: str, plain: str) -> tuple[Wish, ...]:
        """完成 買牛奶: looked for first, and done if there is one."""
        for about in _BY_NAME:
            match = first(about, plain)
            if match and len(match["rest"]) in _NAME_LENGTHS and not says("everything", plain):
                if times_in(match["rest"], self.person.now) or says("question", plain):
                    return ()
                name = own_words(line, plain, match["rest"])
                only_open = {"status": "open"} if about == "finish" else {}
                return (Wish("query_records", {"keyword": name, "limit": 5} | only_open, about, name),)
        return ()

    def search(self, line: str, plain: str) -> tuple[Wish, ...]:
        match = first("find", plain)
        if match is None or says("unserved", plain):
            return ()
        keyword = re.sub(r"[?。!]+$", "", group(match, "rest")).strip()
        if len(keyword) not in _KEYWORD_LENGTHS or len(keyword.split()) > _MOST_KEYWORD_WORDS:
            return ()
        own = own_words(line, plain, keyword)
        return (Wish("query_records", {"keyword": own, "limit": 10}, "find", own),)

    def listed(self, line: str, _: str) -> tuple[Wish, ...]:
        """清單 明天: the list of that day."""
        times = times_in(line, self.person.now)
        beside = without(line, [with_particles(line, each.start, each.end) for each in times])
        is_list = (
            len(times) == 1 and (command := command_of(beside.strip("的の"))) is not None and command.name == "list"
        )
        return self._agenda(line) if is_list else ()

    # ── asked ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def asked(self, line: str, plain: str) -> tuple[Wish, ...]:
        if says("unserved", plain) or says("command", plain) or self._has_amount(plain):
            return ()
        if misread(line, [(each.start, each.end) for each in times_in(line, self.person.now)]):
            return ()
        for about in ("net", "earned", "spent"):
            if says(about, plain) and self._asks_of_money(line, plain, about):
                return self._sum(line, plain, about)
        if says("agenda", plain) and (times_in(line, self.person.now) or not says("todo", plain)):
            return self._agenda(line)
        if says("todo", plain):
            return (Wish("query_records", {"type": "task", "status": "open", "sort": "when", "limit": 20}, "todo"),)
        return ()

    def _asks_of_money(self, line: str, plain: str, about: str) -> bool:
        """With a question's words; without them not of what is still to be paid (繳電費) or of a day to come."""
        if says("question", plain) or about == "net":
            return says("question", plain)
        times = times_in(line, self.person.now, past=True)
        days = [day_of(each.value, self.person.stamp.zone) for each in times if not isinstance(each.value, tuple)]
        today = self.person.now.date()
        thing = plain_of(without(line, [(each.start, each.end) for each in times]))
        if says("pays", thing):
            return any(day < today for day in days)
        return says("asked_of_money", plain) or about == "earned" or not any(day > today for day in days)

    def _has_amount(self, plain: str) -> bool:
        return any(found.named for found in find_amounts(plain))

    def _sum(self, line: str, plain: str, about: str) -> tuple[Wish, ...]:
        times = times_in(line, self.person.now, past=True)
        when = line[times[0].start : times[0].end] if times else ""
        arguments: Arguments = {"when": when or "this month", "total": "amount", "sort": "-amount", "limit": 1}
        if about == "net":
            return (Wish("query_records", arguments | {"total": "net"}, "net", when),)
        if about == "earned":
            return (Wish("query_records", arguments | {"type": "income"}, "earned", when),)
        arguments["type"] = "expense"
        category = self.person.category(without(plain, [(each.start, each.end) for each in times]))
        if category:
            arguments["category"] = category
        elif name := self._subject(line, plain, times):
            arguments["keyword"] = name
        return (Wish("query_records", arguments, "spent", when),)

    def _subject(self, line: str, plain: str, times: Sequence[Found]) -> str:
        """What the question is about beside time and asking: a shop, a thing; "" if nothing is left."""
        rest = without(plain, [(each.start, each.end) for each in times])
        rest = pattern("filler").sub(" ", pattern("asked_of_money").sub(" ", rest))
        words = [word for word in re.split(r"[\s?。!,、]+", rest) if word]
        return own_words(line, plain, words[0]) if len(words) == 1 and len(words[0]) > 1 else ""

    def _agenda(self, line: str) -> tuple[Wish, ...]:
        times = times_in(line, self.person.now)
        when = line[times[0].start : times[0].end] if times else "today"
        arguments = {"when": when, "status": "open", "sort": "when", "limit": 20}
        words = when if times else ""
        return tuple(Wish("query_records", {"type": kind, **arguments}, "agenda", words) for kind in ("event", "task"))

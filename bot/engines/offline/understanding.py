"""From a person's message to what is to be done about it, without a model: deterministic, and nothing when unsure.

Pure. A message means the same at every call, so that an answer can be built from it and the tools' results alone. Must
not know how a tool is run or how a result is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.engines.offline.described import Described
from bot.engines.offline.existing import Existing
from bot.engines.offline.new import New
from bot.engines.offline.plan import Person, Plan, Wish
from bot.engines.offline.quoted import About
from bot.engines.offline.repeated import at_bedtime, repeated
from bot.engines.offline.text import (
    begins_with_hour,
    bulletless,
    first,
    letters,
    misread,
    names_hour,
    names_no_day,
    says,
    times_in,
    trimmed,
    with_particles,
    without,
)
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import group, pattern
from bot.thinking.quotation import Quoted, quoted_in
from tools.record import TO_DO

_CLAUSES = re.compile(r"[、;；。]|[,，](?!\d{3})")
_MOST_CLAUSES = 10
_LONG_LINE = 200
"""Characters beyond which a line is told rather than logged."""
_LONGEST_NOUN, _LONGEST_LATIN_NOUN = 6, 8


@dataclass(frozen=True, slots=True)
class _Quote:
    """The program's line that stands in front, and the records it names."""

    line: str = ""
    records: tuple[Quoted, ...] = ()


def _with_quotes(text: str) -> Iterator[tuple[str, _Quote]]:
    """Each line of the person's own, with what it quotes."""
    quote = _Quote()
    for line in text.splitlines():
        if (records := quoted_in(line)) is None:
            yield line, quote
        else:
            quote = _Quote(line, tuple(records))


def _is_money(wish: Wish) -> bool:
    return "amount" in wish.arguments


def _pays(wishes: Sequence[Wish]) -> bool:
    """Whether one of them is money of a day that was named."""
    return any(_is_money(each) and "when" in each.arguments for each in wishes)


def _is_described(wish: Wish) -> bool:
    """Whether it changes a record that is named by what it is: a model may know better which is meant."""
    return wish.rings or wish.about in ("call_off", "move", "snooze")


@dataclass(frozen=True, slots=True)
class Listener:
    """Reads messages for one person."""

    person: Person

    def plan(self, text: str) -> Plan:
        """What the message asks for, line by line; an empty plan if nothing is certain."""
        lines = [(line, quoted) for each, quoted in _with_quotes(text) if (line := bulletless(each))]
        understood = [(line, self._about(line, quoted)) for line, quoted in lines]
        wishes = tuple(replace(wish, line=line) for line, several in understood for wish in several)
        if not wishes:
            return self._unsure([line for line, _ in lines])
        return Plan(wishes, left_out=tuple(line for line, several in understood if not several))

    def certain(self, text: str) -> tuple[list[str], list[str]]:
        """The lines of the message whose reading is certain, and the others: also those that would be kept as words
        alone although they name a time."""
        certain: list[str] = []
        others: list[str] = []
        for line, quoted in _with_quotes(text):
            if bare := bulletless(line):
                wishes = self._about(bare, quoted)
                is_unsure = any(self._lacks_its_time(wish) or _is_described(wish) for wish in wishes)
                place = others if not wishes or is_unsure else certain
                if quoted.line and quoted.line not in place:
                    place.append(quoted.line)
                place.append(line)
        return certain, others

    def _about(self, line: str, quoted: _Quote) -> tuple[Wish, ...]:
        """What the line asks for of the one record that it quotes; else as if it quoted nothing."""
        wishes = About(self.person).wishes(line, quoted.records[0]) if len(quoted.records) == 1 else ()
        return wishes or self._line(line)

    def _lacks_its_time(self, wish: Wish) -> bool:
        if "amount" in wish.arguments:
            return False  # a meal is called by the hour at which it is eaten
        if wish.tool != "create_record":
            return False
        content = wish.arguments["content"]
        is_bare = "when" not in wish.arguments and bool(times_in(content, self.person.now))
        return is_bare or (wish.arguments["type"] in TO_DO and names_hour(content))

    def _unsure(self, lines: Sequence[str]) -> Plan:
        if len(lines) != 1 or len(lines[0]) > _LONG_LINE:
            return Plan()
        plain = plain_of(lines[0])
        if edit := first("edit", plain):
            return Plan(needs_day=int(group(edit, "ref")))
        if asks := "" if says("timer", plain) else Described(self.person).asks(lines[0]):
            return Plan(asks=asks)
        times = times_in(lines[0], self.person.now)
        unread = not times and says("remind", plain) and begins_with_hour(trimmed(pattern("remind").sub("", plain)))
        if unread or misread(lines[0], [(each.start, each.end) for each in times]) or names_no_day(plain):
            return Plan(bad_time=True)
        known = any(says(name, plain) for name in ("question", "command", "unserved", "remind", "verbs"))
        longest = _LONGEST_LATIN_NOUN if plain.isascii() else _LONGEST_NOUN
        is_name = len(plain) <= longest and letters(plain) and not says("person", plain)
        unclear = known or pattern("small_talk").fullmatch(plain) or times
        return Plan(noun=lines[0] if is_name and not unclear else "")

    def _line(self, line: str) -> tuple[Wish, ...]:
        """The first reading that fits."""
        existing, new = Existing(self.person), New(self.person)
        plain = plain_of(line)
        if len(line) > _LONG_LINE:
            return new.kept(line, plain)
        if pattern("small_talk").fullmatch(plain):
            return ()
        if says("edit", plain):
            return existing.by_number(line, plain)
        if several := self._several(line):
            return several
        for reading in (existing.by_number, existing.listed, existing.by_name):
            if wishes := reading(line, plain):
                return wishes
        if wishes := repeated(line, self.person) or at_bedtime(line, self.person):
            return wishes
        return self._described(line, plain) or self._told(line, plain)

    def _several(self, line: str) -> tuple[Wish, ...]:
        """Several things in one line, if each of them is one: 買牛奶、明天繳電費、午餐120. A time may hold for what
        stands behind it, so only money may lack one there."""
        parts = [part.strip() for part in _CLAUSES.split(line) if part.strip()]
        if not 1 < len(parts) <= _MOST_CLAUSES or says("remind", plain_of(line)):
            return ()
        wishes: list[Wish] = []
        for part in parts:
            read = self._line(part)
            behind_a_time = any("when" in each.arguments for each in wishes)
            for each in read:
                stands_alone = "when" in each.arguments or (_is_money(each) and not _pays(wishes))
                if behind_a_time and not stands_alone:
                    return ()
            if not read or any(each.tool != "create_record" for each in read):
                return ()
            wishes += read
        return () if all(map(_is_money, wishes)) else tuple(wishes)

    def _described(self, line: str, plain: str) -> tuple[Wish, ...]:
        """What is asked of records that are there; a device's are none of them."""
        ours = any(says(noun, plain) for noun in ("ringing", "planned", "listing"))
        if says("timer", plain) or (says("unserved", plain) and not ours):
            return ()
        return Described(self.person).changed(line)

    def _told(self, line: str, plain: str) -> tuple[Wish, ...]:
        """A question, or something new."""
        existing, new, described = Existing(self.person), New(self.person), Described(self.person)
        if self._is_unwished(line):
            return ()
        for reading in (existing.search, new.told):
            if wishes := reading(line, plain):
                return wishes
        if new.is_to_be_told(line, plain) and not says("negated", plain):
            return () if says("command", plain) or says("repeated", plain) else new.reminder(line)
        if says("timer", plain):
            return ()
        of_a_list = says("listing", plain) and not says("todo", plain)
        wishes = described.shown(line) if of_a_list else ()
        wishes = wishes or existing.asked(line, plain) or described.shown(line)
        return wishes or self._remembered(new, line, plain) or described.named_alone(line)

    def _is_unwished(self, line: str) -> bool:
        """Whether the person says that it is not so or not wanted, or passes on words of somebody else."""
        times = times_in(line, self.person.now)
        beside = without(line, [with_particles(line, each.start, each.end) for each in times])
        return any(says("negated", plain_of(each)) or says("reported", plain_of(each)) for each in (line, beside))

    def _remembered(self, new: New, line: str, plain: str) -> tuple[Wish, ...]:
        """Something new, unless a word in the line says that it is something else."""
        if plain.startswith("#") or any(says(name, plain) for name in ("question", "command", "repeated")):
            return ()  # what begins with a number is about a record that is there
        if says("unserved", plain) and not says("remind", plain):
            return ()
        return new.money(line) or new.listed(line) or new.reminder(line) or new.thing(line)

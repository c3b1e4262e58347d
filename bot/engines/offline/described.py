"""What a message asks about records by what they are or are called: reminders, the list, tomorrow's meeting.

A sentence is taken apart as the tables name it: a deed (cancel, move, tick, snooze, show), a noun (what rings, what is
planned, a list), a time, and what is left is the record's name. Pure. Must not know any language, or which record it
will be.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.engines.offline.plan import About, Arguments, Asks, Person, Wish
from bot.engines.offline.text import first, leaving_out, misread, own_words, says, times_in, with_particles, without
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import WORDS, group, pattern, pattern_of
from tools.money import NotMoney, read_amount
from tools.when import NotUnderstood, read_moment, read_range

_NAMES = range(2, 41)
"""Characters of a name by which a record is looked for."""
_SNOOZED = timedelta(minutes=10)
_LONGEST_SNOOZE = timedelta(hours=24)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Thing:
    """What records are meant: those at ``when``, called ``name``."""

    when: str = ""
    name: str = ""
    rings: bool = False
    planned: bool = False
    listed: bool = False
    every: bool = False
    clock: bool = False
    """Whether the time is a clock time."""


@dataclass(frozen=True, slots=True)
class Described:
    """Reads what is asked of records that are not named by number. Every reading is empty if it does not fit."""

    person: Person

    def changed(self, line: str) -> tuple[Wish, ...]:
        """A change of what is there already."""
        asked = unframed(line)
        readings = (self._moved, self._snoozed, self._off_list, self._ticked, self._cancelled)
        return next((wishes for reading in readings if (wishes := reading(asked, plain_of(asked)))), ())

    def shown(self, line: str) -> tuple[Wish, ...]:
        """A question for what rings, is planned, or stands on a list."""
        asked = unframed(line)
        plain = plain_of(asked)
        thing = self._thing(asked)
        if thing is None or not (says("show", plain) or says("show", plain_of(line))):
            return ()
        if says("when_is", plain) and thing.name and (thing.planned or thing.rings or says("happening", thing.name)):
            return (self._lookup(_Thing(name=thing.name), "find"),)
        return self._seen(thing)

    def named_alone(self, line: str) -> tuple[Wish, ...]:
        """Nothing but the noun, and perhaps a day: reminders tomorrow."""
        thing = self._thing(line)
        noun, wish = pattern("ringing").search(plain_of(line)), pattern("remind").search(plain_of(line))
        is_wish = wish is not None and noun is not None and len(wish.group()) > len(noun.group())
        return () if thing is None or thing.name or thing.clock or is_wish else self._seen(thing)

    def asks(self, line: str) -> Asks:
        """What is to be made or changed, where a sentence says no more."""
        plain = plain_of(unframed(line))
        if made := first("make", plain):
            return "ring" if group(made, "ring") else "list"
        thing = self._thing(line)
        if thing is None or not (thing.rings or thing.planned):
            return ""
        return "move" if says("change", plain) else ""

    # ── readings ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _cancelled(self, line: str, plain: str) -> tuple[Wish, ...]:
        match = first("cancel", plain)
        thing = self._thing(own_words(line, plain, group(match, "thing"))) if match else None
        if thing is None or says("timer", plain):
            return ()
        if thing.rings or thing.listed:
            return (self._lookup(thing, "drop"),)
        is_event = thing.planned or (thing.name and says("happening", plain_of(thing.name)))
        return (self._lookup(thing, "call_off"),) if is_event else ()

    def _off_list(self, line: str, plain: str) -> tuple[Wish, ...]:
        match = first("off_list", plain)
        thing = self._thing(own_words(line, plain, group(match, "thing"))) if match else None
        return (self._lookup(_Thing(name=thing.name), "drop"),) if thing else ()

    def _ticked(self, line: str, plain: str) -> tuple[Wish, ...]:
        match = first("tick", plain)
        if match is None or says("question", plain):
            return ()
        thing = self._thing(own_words(line, plain, group(match, "thing")))
        if thing is None or len(thing.name) not in _NAMES or thing.every:
            return ()
        return (self._lookup(_Thing(thing.when, thing.name), "finish"),)

    def _moved(self, line: str, plain: str) -> tuple[Wish, ...]:
        """To another time, or to another amount."""
        match = first("move", plain)
        if match is None:
            return ()
        what, rest = (own_words(line, plain, group(match, each)).strip() for each in ("what", "rest"))
        thing = self._thing(what)
        if thing is None or not (thing.rings or thing.planned or len(thing.name) in _NAMES):
            return ()
        try:
            read_range(rest, self.person.now)
        except NotUnderstood:
            return self._corrected(thing, what, rest)
        return (self._lookup(thing, "move", {"when": rest}),)

    def _corrected(self, thing: _Thing, words: str, rest: str) -> tuple[Wish, ...]:
        if thing.rings or thing.planned or thing.listed:
            return ()
        try:
            read_amount(rest)
        except NotMoney:
            return ()
        name = words if thing.clock else thing.name  # ข้าวเที่ยง: a meal is called by its hour
        arguments = {"keyword": name, "type": "expense", "sort": "-created", "limit": 10}
        arguments |= {"when": thing.when} if thing.when and not thing.clock else {}
        return (Wish("query_records", arguments, "move", name, then={"amount": rest}),)

    def _snoozed(self, _: str, plain: str) -> tuple[Wish, ...]:
        """What rang last, or else rings next, a little later."""
        if not says("snooze", plain):
            return ()
        today = self.person.now.date()
        near = {"when": f"{today - _DAY}/{today + _DAY}", "status": "open", "sort": "when", "limit": 20}
        later = self._length(plain) or _SNOOZED
        if not timedelta(0) < later <= _LONGEST_SNOOZE:
            return ()
        minutes = max(1, round(later.total_seconds() / 60))
        return (Wish("query_records", near, "snooze", then={"minutes": minutes}, rings=True),)

    def _length(self, plain: str) -> timedelta | None:
        """The stretch of time that is named: "5 minutes", 半小時."""
        end = self.from_now(plain)
        return end[1] - self.person.now if end else None

    def from_now(self, text: str) -> tuple[tuple[int, int], datetime] | None:
        """Where a length without a direction stands, and the moment that is so far from now."""
        for words in WORDS.values():
            match = pattern_of(words.length).search(text)
            if match is None:
                continue
            try:
                end = read_moment(words.from_now.format(match.group().strip()), self.person.now)
            except NotUnderstood:
                continue
            if isinstance(end, datetime):
                return match.span(), end
        return None

    def _seen(self, thing: _Thing) -> tuple[Wish, ...]:
        if thing.rings:
            return (self._lookup(thing, "rings"),)
        if thing.listed and thing.name:
            return (self._lookup(_Thing(thing.when, thing.name), "find"),)
        if thing.listed:
            return (Wish("query_records", {"type": "task", "status": "open", "sort": "when", "limit": 20}, "todo"),)
        if not thing.planned:
            return ()
        arguments = {"when": thing.when or "today", "status": "open", "sort": "when", "limit": 20}
        return tuple(
            Wish("query_records", {"type": kind, **arguments}, "agenda", thing.when) for kind in ("event", "task")
        )

    # ── parts of a sentence ───────────────────────────────────────────────────────────────────────────────────────

    def _thing(self, words: str) -> _Thing | None:
        """None if the words name several times, or one that no calendar has."""
        times = times_in(words, self.person.now)
        spans = [(each.start, each.end) for each in times]
        if len(times) > 1 or misread(words, spans):
            return None
        rest = without(words, [with_particles(words, *span) for span in spans])
        plain = plain_of(words)
        rings, planned, listed = (says(noun, plain) for noun in ("ringing", "planned", "listing"))
        noun = "ringing" if rings else "planned" if planned else "listing"
        name = leaving_out("edges", leaving_out("edges", leaving_out(noun, rest)).strip()).strip()
        if listed and not name and not rings and not planned:
            name = self._list_name(words, plain)
        value = times[0].value if times else None
        return _Thing(
            when=words[slice(*spans[0])] if spans else "",
            name=name,
            rings=rings,
            planned=planned,
            listed=listed,
            every=says("all_of", plain),
            clock=isinstance(value, datetime),
        )

    def _list_name(self, words: str, plain: str) -> str:
        """What kind of list: the grocery list; "" if it is the list of everything."""
        match = pattern("listing").search(plain)
        if match is None or pattern("bare_list").fullmatch(match.group().strip()):
            return ""
        return leaving_out("edges", own_words(words, plain, match.group()).strip()).strip()

    def _lookup(self, thing: _Thing, about: About, then: Arguments | None = None) -> Wish:
        arguments: Arguments = {"status": "open", "sort": "when", "limit": 20}
        arguments |= {"when": thing.when} if thing.when else {}
        arguments |= {"keyword": thing.name[: _NAMES.stop]} if thing.name else {}
        if about == "call_off" and not thing.name:
            arguments["type"] = "event"
        return Wish(
            "query_records",
            arguments,
            about,
            thing.name or thing.when,
            then=then or {},
            every=thing.every,
            rings=thing.rings,
        )


def unframed(line: str) -> str:
    """The line without the courtesy around its wish."""
    bare = leaving_out("frame", line).strip()
    return leaving_out("frame", bare).strip() or line

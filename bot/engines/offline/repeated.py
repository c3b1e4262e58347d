"""What a sentence asks for again and again, and reminders that hang on something else than a clock.

Pure. In doubt nothing. Must not know how a call is run or how a result is told.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from bot.engines.offline.plan import Arguments, Person, Wish
from bot.engines.offline.text import leaving_out, says, trimmed, with_particles, without
from bot.engines.offline.text import plain as plain_of
from bot.engines.offline.words import pattern
from tools.alphabet import fold, fold_pattern
from tools.record import Moment
from tools.reminder_words import hangs
from tools.when import NotUnderstood, find_times, read_range, read_rule

_LONGEST: Final = 120
_IN_FRONT: Final = 12
"""Characters of a first day or an hour in front of a rule: 明日から毎日."""
_AGAIN: Final = re.compile(
    fold_pattern(
        r"每(?:隔)?|平日|週末都|逢|毎|ごとに|おきに|ทุก|\b(?:every|each|daily|weekly|monthly|yearly|weekdays|"
        r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:first|second|third|fourth|last) \w+ of)\b"
    )
)
"""Where the words of a rule may begin."""

_BED: Final = re.compile(
    fold_pattern(
        r"(?:今晚|今天|明晚|明天|今夜|明日|คืนนี้|พรุ่งนี้|tonight |tomorrow )?の?"
        r"(?:睡覺前|睡前|上床前|臨睡前|就寝前に?|寝る前に?|ก่อนนอน|ก่อนเข้านอน|before (?:going to )?bed|at bedtime)"
    )
)
_LINKS: Final = re.compile(r"^(?:要|都|に|は|を|の|to |that |about |at |ว่า|ให้)\s*|\s*(?:要|都|に|は|を|ให้|on|at)$")
_CLAUSE: Final = re.compile(
    fold_pattern(r"[,，、;；。]|(?=直到|除了|\b(?:until|till|except|but not)\b|จนถึง|จนกว่า|ยกเว้น)")
)
"""What may be said beside the thing itself."""
AT_ITS_TIME: Final = "at the time"
"""A reminder at the very hour of each."""


def repeated(line: str, person: Person) -> tuple[Wish, ...]:
    """A record that comes again: 每週一三早上八點提醒我吃藥."""
    plain = plain_of(line)
    if len(line) > _LONGEST or len(plain) != len(line) or says("question", plain) or says("command", plain):
        return ()
    found = _rule_in(line, person)
    if found is None:
        return ()
    start, end, first = found
    rest, ring, rule = _clauses(f"{line[:start]} {line[end:]}", first, trimmed(line[start:end]), person)
    arguments: Arguments = {"repeat": rule}
    times = find_times(rest, person.now)
    if len(times) == 1 and not isinstance(times[0].value, tuple):
        arguments["when"] = rest[times[0].start : times[0].end]
        rest = without(rest, [with_particles(rest, times[0].start, times[0].end)])
    content = _bare(rest)
    if not any(char.isalpha() for char in content):
        return ()
    wants = ring or says("remind", plain)
    timed = isinstance(first, datetime) or "when" in arguments
    if not (wants or timed or says("verbs", plain_of(content)) or says("happening", plain_of(content))):
        return ()  # 每天都很累 is no plan
    kind = "task" if wants or says("verbs", plain_of(content)) else "event"
    arguments |= {"content": content, "type": kind}
    return (Wish("create_record", arguments | ({"remind_at": ring or AT_ITS_TIME} if wants else {})),)


def _rule_in(line: str, person: Person) -> tuple[int, int, Moment] | None:
    """Where the words of a rule stand, the longest that can be read, and its first time."""
    folded = fold(line)
    for begins in _AGAIN.finditer(folded):
        for start in dict.fromkeys([begins.start(), *_word_starts(begins.start())]):
            for end in range(len(line), begins.end() - 1, -1):
                if end < len(line) and folded[end - 1].isascii() and folded[end - 1 : end + 1].isalnum():
                    continue  # in the midst of a word
                try:
                    return start, end, read_rule(line[start:end], person.now).first
                except (NotUnderstood, OverflowError):
                    continue
    return None


def _word_starts(before: int) -> list[int]:
    """A rule may say its hour, or a first day, in front: only the whole beginning is tried."""
    return [0] if 0 < before <= _IN_FRONT else []


def _clauses(text: str, first: Moment, rule: str, person: Person) -> tuple[str, str, str]:
    """What is left of the text; the words for a reminder that hangs on the time it is about, "" for none; and the rule
    with what else it says: until when, and when not."""
    kept, ring = [], ""
    for clause in _CLAUSE.split(text):
        bare = trimmed(pattern("remind").sub(" ", plain_of(clause))) if says("remind", plain_of(clause)) else ""
        if bare and not ring and hangs(bare, person.now, first):
            ring = bare
        elif clause.strip() and _reads(f"{rule} {clause.strip()}", person):
            rule = f"{rule} {clause.strip()}"
        else:
            kept.append(clause)
    return " ".join(kept), ring, rule


def _reads(rule: str, person: Person) -> bool:
    try:
        read_rule(rule, person.now)
    except (NotUnderstood, OverflowError):
        return False
    return True


def _bare(text: str) -> str:
    """The thing alone, without the wish to be told of it."""
    text = " ".join(text.split())
    plain = plain_of(text)
    match = pattern("remind").search(plain) if len(plain) == len(text) else None
    rest = f"{text[: match.start()]} {text[match.end() :]}" if match else text
    said = leaving_out("topic", trimmed(rest))
    while (shorter := _LINKS.sub("", said).strip()) != said:
        said = shorter
    return " ".join(said.split())


def reminded_before(thing: Wish, clause: str, person: Person) -> tuple[Wish, ...]:
    """An event and a clause behind it: 明天三點開會，提前半小時提醒我."""
    words = trimmed(pattern("remind").sub(" ", plain_of(clause)))
    start, _ = read_range(thing.arguments["when"], person.now)
    if not words or not hangs(words, person.now, start):
        return ()
    return (Wish("create_record", thing.arguments | {"remind_at": words}),)


def at_bedtime(line: str, person: Person) -> tuple[Wish, ...]:
    """睡前提醒我吃藥."""
    plain = plain_of(line)
    found = _BED.search(fold(line))
    if (
        found is None
        or _AGAIN.search(fold(line))
        or not says("remind", plain)
        or says("question", plain)
        or find_times(line, person.now)[1:]
    ):
        return ()
    words = trimmed(line[found.start() : found.end()])
    content = _bare(f"{line[: found.start()]} {line[found.end() :]}")
    if not any(char.isalpha() for char in content):
        return ()
    return (Wish("create_record", {"content": content, "type": "task", "remind_at": words.removesuffix("に")}),)

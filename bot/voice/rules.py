"""What repeats, said back: 每週一、三 08:00, 毎月25日, ทุกวันศุกร์ 08:00 น., every Friday 08:00.

Pure. Made of the stored rule and its first time, never of what somebody said. Where a rule leaves its day to its first
time (each month), that day is said. Must not know what it is that repeats, nor when it is next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Final

from bot.voice.dates import clock_text, day_text
from bot.voice.rule_words import RULE_WORDS, RuleWords
from tools.record import Language, Moment
from tools.when import Pattern, pattern_of

WORKDAYS: Final = (0, 1, 2, 3, 4)
WEEKEND: Final = (5, 6)
_LAST: Final = -1


def rule_text(rule: str, first: Moment, today: date, language: Language) -> str:
    """The rule in words, with its hours, its end and its exceptions; ``first`` in the person's zone. Exceptions that
    are over are not said. Raises ValueError if that is no rule of ours."""
    pattern, words = pattern_of(rule), RULE_WORDS[language]
    said = words.joined(_every(pattern, first, words), _hours(pattern, first, language, words))
    if pattern.until is not None:
        said += words.until(day_text(pattern.until, today, language))
    ahead = [day for day in pattern.excepted if day >= today]
    if ahead:
        said += words.excepted(words.comma.join(day_text(day, today, language) for day in ahead))
    return said + (words.times(pattern.count) if pattern.count else "")


def _hours(pattern: Pattern, first: Moment, language: Language, words: RuleWords) -> str:
    if not isinstance(first, datetime) or pattern.freq in ("HOURLY", "MINUTELY"):
        return ""
    if not pattern.hours:
        return clock_text(first, language)
    day = first.date()
    moments = (datetime.combine(day, time(hour, pattern.minute), first.tzinfo) for hour in pattern.hours)
    return words.comma.join(clock_text(moment, language) for moment in moments)


def _every(pattern: Pattern, first: Moment, words: RuleWords) -> str:
    match pattern.freq:
        case "WEEKLY":
            return _weekly(pattern, first, words)
        case "MONTHLY":
            return words.month(pattern.interval, _in_month(pattern, first, words))
        case "YEARLY":
            return _yearly(pattern, first, words)
        case freq:
            return words.plain[freq](pattern.interval)


def _weekly(pattern: Pattern, first: Moment, words: RuleWords) -> str:
    days = tuple(day for day, _ in pattern.days) or (first.weekday(),)
    if pattern.interval == 1 and days in (WORKDAYS, WEEKEND):
        return words.workdays if days == WORKDAYS else words.weekend
    return words.week(pattern.interval, _listed([words.weekdays[day] for day in days], words))


def _in_month(pattern: Pattern, first: Moment, words: RuleWords) -> str:
    """Which day of the month."""
    if pattern.days and pattern.places:
        return words.workday[pattern.places[0]]
    if pattern.days:
        nths = list(dict.fromkeys(nth for _, nth in pattern.days))
        days = list(dict.fromkeys(day for day, _ in pattern.days))
        return words.nth([words.ordinals[nth] for nth in nths], _listed([words.weekdays[day] for day in days], words))
    doms = _doms(pattern) or (first.day,)
    if doms == (_LAST,):
        return words.last_day
    said = words.dom(_listed([words.number(dom) for dom in doms if dom > 0], words))
    if _LAST in doms:
        said = words.both(said, words.last_day)
    return said + (words.or_last if pattern.places else "")


def _doms(pattern: Pattern) -> tuple[int, ...]:
    """The days that were meant: of 28, 29, 30 the last that is there is the 30th."""
    if not pattern.places:
        return pattern.doms
    early = pattern.doms[: len(pattern.places) - 1]
    return (*early, pattern.doms[-1])


def _yearly(pattern: Pattern, first: Moment, words: RuleWords) -> str:
    months = pattern.months or (first.month,)
    if pattern.days or pattern.doms == (_LAST,):
        named = words.comma.join(words.months[month - 1] for month in months)
        return words.year(pattern.interval, words.of_month(named, _in_month(pattern, first, words)))
    doms = _doms(pattern) or (first.day,)
    dates = [words.date(month, dom) for month in months for dom in doms]
    return words.year(pattern.interval, words.comma.join(dates) + (words.or_last if pattern.places else ""))


def _listed(names: Sequence[str], words: RuleWords) -> str:
    """A、B, A・B, A and B."""
    return names[0] if len(names) == 1 else words.mark.join(names[:-1]) + words.last_mark + names[-1]

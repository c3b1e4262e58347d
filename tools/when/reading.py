"""People's words for time → a moment, a range, or a stretch to look in; or a refusal.

Chinese (traditional, simplified, everyday Cantonese), Japanese, Thai, English and ISO 8601, all tried whatever the
language of the screen. The whole text must be used up, else ``NotUnderstood``: better no date than a wrong one.

How the open cases are read (``today`` and the clock are those of ``now``'s zone; weeks begin on Monday):

- A reading that is a guess says so (``Reading.sure``) and holds what else may be meant (``Reading.other``).
- A bare weekday (週五, 金曜, ศุกร์, Friday) is the next one, today included; today's is a guess. With this/next/last
  it is the one of that calendar week: 下週三, 来週の水曜, พุธหน้า, next Wednesday are in the week after this one.
  English "last Friday" is the latest one before today. "Next Friday", ศุกร์หน้า and 次の金曜 are a guess while this
  week's is still to come.
- A date without a year is the next one, but one that passed this year, within the last 30 days, is meant as past. A
  day of the month alone is the next one, today included. A month alone is this year's. With ``past=True`` (money that
  was spent, things that happened) dates, days of the month, weekdays and clock times are the latest one instead.
- 12/1 is month/day; where the person's zone is Asia/Bangkok, or the first number cannot be a month, day/month.
  1/2/2026 is read only where that leaves one meaning. 115年 and 115/12/1 are years of the Republic, 2569 is พ.ศ.
- An hour from 1 to 12 without a part of the day (3點, 3時, at 3, 3:30) is the first that lies between 07:00 and
  21:59; today, or without a day, the first of these still to come. 0 and 13 to 24 and 08:30 are taken as they stand.
- A clock time without a day that has passed today is tomorrow's, which is a guess; with a bare weekday next week's.
  On a named day it stays there.
- 12 at night is the end of that day. 1 to 4 "at night" is the next such hour, and is refused after a named day.
  "Tomorrow midnight" is refused.
- A part of the day without a clock time (明天下午) is that whole day as a moment, and the part as a stretch: dawn
  0-6, morning 6-12, noon 11-14, afternoon 12-18, evening 18-24.
- The first week of a year is that of ISO 8601; of a month, the first that mostly lies in it, in Chinese the first
  that begins in it (a guess where the two differ). Quarters and halves are those of the calendar year.
- From a day on for so long counts that day: 下週一起三天 is Monday to Wednesday. Two days or years named side by side
  (12/5和12/6, 2026、2027年) are a range only if nothing lies between them. A range from a day to a month ends with
  the month, a guess.
- "Before Friday", 週五前 is due on Friday, but is no stretch to look in. "Within three days", 三天內, 3日以内 is the
  third day.
- A day named twice (明天12/1, 下週三(12/9)) must be one day. 前日 is yesterday where Japanese is spoken and the day
  before yesterday where Chinese is, by the person's zone, a guess; elsewhere it is refused.
- Christmas and the like are the next, though just passed. 21.12. is day.month; without its last dot a guess.
- Months and years later end on the last day where the month is shorter (1/31 + 1 month = 2/28).
- 最近7天, 直近7日 include today; "past/last 7 days", 過去7天 end yesterday; "next 3 days", 未來三天 begin tomorrow.
- A clock time that a change to summer time skips is moved forward by the gap; of two equal ones it is the first.
- Festivals of the lunar calendar (春節, 除夕, 中秋, 農曆八月十五, ตรุษจีน, Chinese New Year) and solar terms (清明,
  冬至) are the next, by China's calendar; with a year, the one that falls in it.

Refused: impossible dates (2/30, 25:00), lengths without direction (5分鐘), repetitions (每天), festivals of the Thai
lunar calendar (ลอยกระทง), two-digit years, anything left over. Must not know records, tools, or the network.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tools.alphabet import fold
from tools.record import Moment, Span
from tools.when.clock import date_of, midnight
from tools.when.meaning import Reading
from tools.when.numbers import NotUnderstood
from tools.when.ranges import meaning
from tools.when.tokens import JOINTS, Token, token_at

_LONGEST = 200
"""No time takes more characters to say; longer texts are refused unread."""


@dataclass(frozen=True, slots=True)
class Found:
    """Words for a time inside a sentence: ``sentence[start:end]``, and what they mean; a range as ``read_range``."""

    start: int
    end: int
    value: Moment | tuple[Moment, Moment]


def read_time(text: str, now: datetime, *, past: bool = False) -> Reading:
    """All that is known of the time: its ends, whether the reading is sure, and what else may be meant. Raises
    NotUnderstood."""
    return _read(text, now, past)


def read_moment(text: str, now: datetime, *, past: bool = False) -> Moment:
    """A whole day as ``date``, a clock time as ``datetime`` in ``now``'s zone. Raises NotUnderstood."""
    reading = _read(text, now, past)
    if reading.vague:
        assert isinstance(reading.start, datetime)
        return reading.start.date()
    if reading.end is not None:
        raise NotUnderstood("this is a stretch of time, not a moment")
    return reading.start


def read_range(text: str, now: datetime, *, past: bool = False) -> tuple[Moment, Moment | None]:
    """Start and end; the end is None for a single moment. Of days both ends belong to the range (12/1-12/3 →
    1 December, 3 December); of clock times the end is the one named. Raises NotUnderstood."""
    reading = _read(text, now, past)
    if reading.vague or reading.end is None:
        return read_moment(text, now, past=past), None
    return reading.start, reading.end


def read_span(text: str, now: datetime, *, past: bool = False) -> Span:
    """The stretch to look in, ``end`` exclusive, both in ``now``'s zone; for a moment its whole day. Raises
    NotUnderstood."""
    reading = _read(text, now, past)
    if reading.before:
        raise NotUnderstood("what lies before a time has no beginning")
    start, end = reading.start, reading.end
    if isinstance(start, datetime) and isinstance(end, datetime):
        return Span(start, end)
    last = end if end is not None else start
    return Span(midnight(date_of(start), now), midnight(date_of(last) + timedelta(days=1), now))


def find_times(sentence: str, now: datetime, *, past: bool = False) -> tuple[Found, ...]:
    """Every time named in a sentence, from left to right, each as long as it can be read."""
    scan = _Scan(fold(sentence), now, past)
    found: list[Found] = []
    at = 0
    while at < len(scan.text):
        hit = scan.longest_from(at)
        if hit is None:
            at += 1
            continue
        end, value = hit
        found.append(Found(at, end, value))
        at = end
    return tuple(found)


# ── reading ───────────────────────────────────────────────────────────────────────────────────────────────────────

_FULL_STOP = re.compile(r"(?:[。!?]+|(?<![a-zก-๛])(?<!\.\d)(?<!\.\d\d)\.)$")
"""The end of a sentence; the dot of an abbreviation (p.m., น.) belongs to its word."""


def _read(text: str, now: datetime, past: bool) -> Reading:
    if now.tzinfo is None:
        raise ValueError("now must carry the person's zone")
    if len(text) > _LONGEST:
        raise NotUnderstood("this is longer than any time")
    folded = _FULL_STOP.sub("", fold(text).strip())
    tokens: list[Token] = []
    at = 0
    while at < len(folded):
        token = token_at(folded, at)
        if token is None:
            raise NotUnderstood("these are not only words for a time")
        tokens.append(token)
        at = token.end
    return meaning(tokens, now, past)


# ── searching ─────────────────────────────────────────────────────────────────────────────────────────────────────

_MOST_TOKENS = 24
"""No time has more words."""

_UNIT_AFTER = re.compile(r"\s*(?:%|元|圓|円|塊|บาท|度)|[a-z]|[.:/,-]\d")
_MORE_AFTER = re.compile(r"[-~〜–—]\d{1,4}[時點分秒:]")
"""A range that would go on, to an hour that is none: 23時-25時."""
_NUMBER_BEFORE = re.compile(r"(?:\d[.:/,-]|[$¥€£฿#+-]|[a-z])$")
_HAN_NUMBER = re.compile("[一二三四五六七八九十]")


@dataclass(frozen=True, slots=True)
class _Scan:
    """A folded sentence in which times are looked for; what stands at a place is read once."""

    text: str
    now: datetime
    past: bool
    seen: dict[int, Token | None] = field(default_factory=dict)

    def longest_from(self, start: int) -> tuple[int, Moment | tuple[Moment, Moment]] | None:
        """The end of the longest time that begins here, and its value."""
        tokens = self._tokens_from(start)
        for count in range(len(tokens), 0, -1):
            part = tokens[:count]
            if part[-1].kind != "facts" or all(token.weak for token in part if token.kind == "facts"):
                continue
            if self._stands_alone(start, part[-1].end):
                with suppress(NotUnderstood):
                    value = _found_value(meaning(part, self.now, self.past))
                    return start + len(self.text[start : part[-1].end].rstrip()), value
        return None

    def _tokens_from(self, start: int) -> list[Token]:
        tokens: list[Token] = []
        at = start
        while at < len(self.text) and len(tokens) < _MOST_TOKENS:
            token = self._token(at)
            if token is None or (not tokens and token.kind in JOINTS - {"from", "between"}):
                break
            tokens.append(token)
            at = token.end
        return tokens

    def _token(self, at: int) -> Token | None:
        """A bare year is no time inside a sentence, nor is 25:00."""
        if at not in self.seen:
            token = None
            with suppress(NotUnderstood):
                token = token_at(self.text, at)
            bare_year = token is not None and token.weak and set(token.facts.stated()) == {"year"}
            self.seen[at] = None if bare_year else token
        return self.seen[at]

    def _stands_alone(self, start: int, end: int) -> bool:
        """Not a piece of an amount, a version, an address."""
        if self.text[start].isdigit() and _NUMBER_BEFORE.search(self.text[:start]):
            return False
        if start and _HAN_NUMBER.match(self.text, start) and _HAN_NUMBER.match(self.text, start - 1):
            return False
        if _MORE_AFTER.match(self.text, end):
            return False
        return not (self.text[end - 1].isdigit() and _UNIT_AFTER.match(self.text, end))


def _found_value(reading: Reading) -> Moment | tuple[Moment, Moment]:
    if reading.vague:
        return date_of(reading.start)
    return reading.start if reading.end is None else (reading.start, reading.end)

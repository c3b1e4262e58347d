"""What is said of a new record's neighbours: an equal payment, an event that lies across it; and the question whether
what was said twice is meant twice. In four languages.

Pure. Must not know how a neighbour is found, or what a tap does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.voice.dates import clock_text, day_of, moment_text
from bot.voice.record_text import ROOM_IN_LIST, at, enumeration, refs_text, row_of, timed_title, title
from tools.record import Change, Language, Moment, Record

_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A record, the events that lie across it, and an equal payment of a few minutes ago."""

    record: Record
    across: Sequence[Record] = ()
    equal: Record | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourWords:
    """The words of one language. Labels fit LINE's 20 characters."""

    across: Callable[[str], str]
    """The events that lie across."""
    same_as: Callable[[str], str]
    """The number of an equal payment."""
    about: Callable[[str, str], str]
    """Which of several records, and what is said of it."""
    again: Callable[[str], str]
    """What was noted a moment ago and is said again."""
    again_many: Callable[[str, int], str]
    one: str
    both: str
    comma: str


def neighbour_words(language: Language) -> NeighbourWords:
    """The words of a language."""
    return _WORDS[language]


def neighbour_lines(found: Sequence[Neighbours], now: datetime, language: Language, *, alone: bool) -> list[str]:
    """A line for each thing worth knowing, at most three of a kind. ``alone``: there is no other record that it could
    be about. Equal payments are told in one line."""
    words = neighbour_words(language)
    lines = []
    for each in [each for each in found if each.across][:_MOST]:
        named = [_named(other, each.record.when, now, language) for other in each.across]
        line = words.across(enumeration(named, words.comma, _MOST))
        lines.append(line if alone else words.about(f"#{each.record.ref}", line))
    if equal := [each.equal.ref for each in found if each.equal]:
        line = words.same_as(refs_text(equal))
        refs = refs_text([each.record.ref for each in found if each.equal])
        lines.append(line if alone else words.about(refs, line))
    return lines


def _named(other: Record, when: Moment | None, now: datetime, language: Language) -> str:
    """With its time alone where it is on the same day."""
    if other.when is None:
        return title(row_of(other), language, ROOM_IN_LIST)
    same_day = when is not None and day_of(when, now) == day_of(other.when, now)
    timed = isinstance(other.when, datetime)
    moment = moment_text(other.when, now, language)
    if same_day and isinstance(other.when, datetime):
        moment = clock_text(other.when.astimezone(now.tzinfo), language)
    what = title(row_of(other), language, ROOM_IN_LIST)
    return at(moment, what) if timed or not same_day else what


def said_again(waiting: Sequence[Change], now: datetime, language: Language) -> str:
    """The question about new records that wait, for they were said a moment ago: those that are there, by number."""
    words = neighbour_words(language)
    first = [replace(change.record, ref=twin_of(change) or change.record.ref) for change in waiting]
    named = enumeration([timed_title(row_of(each), now, language) for each in first], words.comma, len(first))
    return words.again(named) if len(first) == 1 else words.again_many(named, len(first))


def twin_of(change: Change) -> int | None:
    """The number of the record that such a change repeats; None if it is no such change."""
    found = change.result.get("waiting", {}).get("same_as") if change.kind == "create" else None
    return found if isinstance(found, int) else None


_WORDS: Final[Mapping[Language, NeighbourWords]] = {
    "zh-TW": NeighbourWords(
        across="和 {} 重疊。".format,
        same_as="和 {} 一樣。".format,
        about="{}：{}".format,
        again="剛剛才記過一樣的：{}。留一個就好，還是兩個都要？".format,
        again_many="這 {1} 筆剛剛才記過一樣的：{0}。留一份就好，還是兩份都要？".format,
        one="留一個",
        both="兩個都要",
        comma="、",
    ),
    "ja": NeighbourWords(
        across="{}と重なっています。".format,
        same_as="{}と同じ内容です。".format,
        about="{}：{}".format,
        again="さきほど同じものを入れています：{}。1つでいいですか？両方入れますか？".format,
        again_many="さきほど同じものを{1}件入れています：{0}。1つずつでいいですか？両方入れますか？".format,
        one="1つでいい",
        both="両方入れる",
        comma="、",
    ),
    "th": NeighbourWords(
        across="เวลาทับกับ {}".format,
        same_as="เหมือนกับ {}".format,
        about="{}: {}".format,
        again="เมื่อกี้จดไว้แล้ว: {} เก็บไว้อันเดียวหรือเอาทั้งสองอัน".format,
        again_many="{1} รายการนี้เมื่อกี้จดไว้แล้ว: {0} เก็บไว้อย่างละอันหรือเอาทั้งสองอัน".format,
        one="เก็บอันเดียว",
        both="เอาทั้งสองอัน",
        comma=", ",
    ),
    "en": NeighbourWords(
        across="Overlaps with {}.".format,
        same_as="Same as {}.".format,
        about="{}: {}".format,
        again="You noted the same a moment ago: {}. Keep one, or both?".format,
        again_many="You noted these {1} a moment ago: {0}. Keep one of each, or both?".format,
        one="Keep one",
        both="Keep both",
        comma=", ",
    ),
}

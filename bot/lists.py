"""What was found, said by the program itself: lists, totals and reminders that ring.

Pure. Must not know how it was found or asked for; totals come in as figures of the store and are never computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from bot.dates import clock_text, day_of, day_text, moment_text
from bot.language import Language
from bot.receipt_words import Fill, ReceiptWords, receipt_words
from bot.record_text import ROOM_IN_LIST, Row, at, bare_money, enumeration, money, row_of, short, timed_title, title
from tools.record import Figure, Ring

LATE: Final = timedelta(minutes=5)
"""A reminder that is said later than this says so."""


def list_text(rows: Sequence[Row], matched: int, now: datetime, language: Language, period: str = "") -> str:
    """The rows by day, those without a time last. ``matched`` counts all there are; ``period`` is what was asked
    about, in the person's words (``這週``). ``now`` is aware, in the person's zone."""
    words = _WORDS[language]
    if not rows:
        return words.nothing
    days = _by_day(rows, now)
    untimed = [row for row in rows if row.when is None]
    heading = _head(matched - len(untimed) if days else matched, list(days), now, words, period)
    found = _days(days, now, language) if days else _untimed(untimed, now, language)
    parts = [heading.rstrip() + found if found.startswith("\n") else heading + found]
    if days and untimed:
        parts.append(words.unscheduled + _untimed(untimed, now, language))
    if matched > len(rows):
        parts.append(words.more(matched - len(rows)))
    return ("\n" if len(days) > 1 else words.glue).join(parts)


def _by_day(rows: Sequence[Row], now: datetime) -> dict[date, list[Row]]:
    days: dict[date, list[Row]] = {}
    for row in rows:
        if row.when is not None:
            days.setdefault(day_of(row.when, now), []).append(row)
    return days


def _head(count: int, days: Sequence[date], now: datetime, words: ListWords, period: str) -> str:
    if period:
        return words.in_period(short(period, ROOM_IN_LIST), count)
    return words.today(count) if list(days) == [now.date()] else words.count(count)


def _days(days: Mapping[date, Sequence[Row]], now: datetime, language: Language) -> str:
    """One day stands behind the heading, several on a line each."""
    joined = receipt_words(language)
    lines = []
    for day, rows in days.items():
        items = joined.comma.join(timed_title(row, now, language, clock_only=True) for row in rows)
        lines.append(items if day == now.date() and len(days) == 1 else at(day_text(day, now.date(), language), items))
    if len(lines) == 1:
        return lines[0] + joined.stop
    return "\n".join(["", *lines])


def _untimed(rows: Sequence[Row], now: datetime, language: Language) -> str:
    joined = receipt_words(language)
    return joined.comma.join(timed_title(row, now, language) for row in rows) + joined.stop


def total_text(
    figures: Sequence[Figure],
    now: datetime,
    language: Language,
    *,
    subject: str = "",
    last_month: Decimal | None = None,
    top: Row | None = None,
) -> str:
    """The figures in a sentence. ``subject`` is what was asked about, in the person's words; ``last_month`` the same
    figure up to this day of last month; ``top`` the largest row."""
    words, joined = _WORDS[language], receipt_words(language)
    if not figures:
        return words.nothing
    if any(figure.group is not None for figure in figures):
        named = [f"{_group(figure, now, language)} {_value(figure, language)}" for figure in figures]
        return (words.subject(subject) if subject else "") + enumeration(named, joined.comma) + joined.stop
    sentence = _sum(figures, subject, language)
    if last_month is not None and len(figures) == 1:
        sentence += _compared(figures[0], last_month, language)
    most = words.top(timed_title(top, now, language)) if top else ""
    return joined.glue.join(filter(None, [sentence + joined.stop, most]))


def _sum(figures: Sequence[Figure], subject: str, language: Language) -> str:
    words, count = _WORDS[language], sum(figure.count for figure in figures)
    counts = all(figure.currency is None for figure in figures)
    value = words.pieces(count) if counts else f"{_values(figures, language)}{words.of(count)}"
    return words.about(subject, value) if subject else value


def _values(figures: Sequence[Figure], language: Language) -> str:
    return " + ".join(_value(figure, language) for figure in figures if figure.currency)


def _value(figure: Figure, language: Language) -> str:
    if figure.currency is None:
        return _WORDS[language].pieces(figure.count)
    return money(figure.value, figure.currency, language)


def _group(figure: Figure, now: datetime, language: Language) -> str:
    """A group in the person's language: types and states by name, days as days, one's own words as they are."""
    words: ReceiptWords = receipt_words(language)
    group = figure.group or _WORDS[language].ungrouped
    names = dict([*words.types.items(), *words.statuses.items()])
    if group in names:
        return names[group]
    try:
        return day_text(date.fromisoformat(group), now.date(), language)
    except ValueError:
        return short(group, ROOM_IN_LIST)


def _compared(figure: Figure, last_month: Decimal, language: Language) -> str:
    words, difference = _WORDS[language], figure.value - last_month
    if not difference:
        return words.same
    say = bare_money if receipt_words(language).bare_totals else money
    return (words.above if difference > 0 else words.below)(say(abs(difference), figure.currency, language))


def reminder_text(rings: Sequence[Ring], now: datetime, language: Language) -> str:
    """What is due: each with its own time if it has one; one that comes late says when it should have come."""
    words = _WORDS[language]
    if len(rings) == 1:
        ring, what = rings[0], _due(rings[0], now, language)
        if now - ring.due <= LATE:
            return words.reminder(what)
        due = ring.due.astimezone(now.tzinfo)
        same_day = due.date() == now.date()
        return words.late(clock_text(due, language) if same_day else moment_text(due, now, language), what)
    return words.reminders(len(rings), enumeration((f"・{_due(ring, now, language)}" for ring in rings), "\n"))


def _due(ring: Ring, now: datetime, language: Language) -> str:
    row = row_of(ring.record)
    if row.when is None:
        return title(row, language)
    return timed_title(row, now, language, clock_only=day_of(row.when, now) == now.date())


@dataclass(frozen=True, slots=True, kw_only=True)
class ListWords:
    """One language's words around what was found. ``n`` is how many."""

    glue: str
    today: Fill
    count: Fill
    in_period: Fill
    """A period in the person's words, n."""
    unscheduled: str
    more: Fill
    nothing: str
    subject: Fill
    about: Fill
    """A subject in the person's words, what is known of it."""
    of: Fill
    """Behind an amount: n."""
    pieces: Fill
    below: Fill
    above: Fill
    same: str
    top: Fill
    ungrouped: str
    reminder: Fill
    late: Fill
    """When it was due, what."""
    reminders: Fill
    """n, what."""


_WORDS: Final[Mapping[Language, ListWords]] = {
    "zh-TW": ListWords(
        glue="",
        today="今天 {} 件：".format,
        count="{} 件：".format,
        in_period="{} {} 件：".format,
        unscheduled="沒定時間：",
        more="還有 {} 件沒列出來。".format,
        nothing="沒有找到。",
        subject="{}：".format,
        about="{} {}".format,
        of="、{} 筆".format,
        pieces="{} 件".format,
        below="，比上月同期少 {}".format,
        above="，比上月同期多 {}".format,
        same="，跟上月同期一樣",
        top="最多：{}。".format,
        ungrouped="其他",
        reminder="⏰ {}".format,
        late="⏰ 本來 {} 要提醒你：{}".format,
        reminders="⏰ {} 件事：\n{}".format,
    ),
    "ja": ListWords(
        glue="",
        today="今日は{}件：".format,
        count="{}件：".format,
        in_period="{}は{}件：".format,
        unscheduled="時間なし：",
        more="ほかに{}件あります。".format,
        nothing="見つかりませんでした。",
        subject="{}：".format,
        about="{}は{}".format,
        of="、{}件".format,
        pieces="{}件".format,
        below="。先月の同じ時期より{}少なめ".format,
        above="。先月の同じ時期より{}多め".format,
        same="。先月の同じ時期と同じ",
        top="最高は{}。".format,
        ungrouped="その他",
        reminder="⏰ {}".format,
        late="⏰ {}にお知らせする予定でした：{}".format,
        reminders="⏰ {}件のお知らせ：\n{}".format,
    ),
    "th": ListWords(
        glue="\n",
        today="วันนี้ {} อย่าง: ".format,
        count="{} รายการ: ".format,
        in_period="{} {} รายการ: ".format,
        unscheduled="ไม่กำหนดเวลา: ",
        more="ยังมีอีก {} รายการ".format,
        nothing="ไม่พบรายการ",
        subject="{}: ".format,
        about="{} {}".format,
        of=" จาก {} รายการ".format,
        pieces="{} รายการ".format,
        below=" น้อยกว่าช่วงเดียวกันของเดือนก่อน {}".format,
        above=" มากกว่าช่วงเดียวกันของเดือนก่อน {}".format,
        same=" เท่ากับช่วงเดียวกันของเดือนก่อน",
        top="มากที่สุด: {}".format,
        ungrouped="อื่น ๆ",
        reminder="⏰ {}".format,
        late="⏰ ตั้งใจจะเตือนตอน {}: {}".format,
        reminders="⏰ {} เรื่อง:\n{}".format,
    ),
    "en": ListWords(
        glue=" ",
        today="{} today: ".format,
        count="{} found: ".format,
        in_period="{}, {}: ".format,
        unscheduled="No time: ",
        more="And {} more.".format,
        nothing="Nothing found.",
        subject="{}: ".format,
        about="{}: {}".format,
        of=lambda n: f" in {n} entr{'y' if n == 1 else 'ies'}",
        pieces="{}".format,
        below=", {} less than by this day last month".format,
        above=", {} more than by this day last month".format,
        same=", the same as by this day last month",
        top="Most: {}.".format,
        ungrouped="Other",
        reminder="⏰ {}".format,
        late="⏰ I meant to remind you at {}: {}".format,
        reminders="⏰ {} reminders:\n{}".format,
    ),
}

"""The words on cards and on the buttons under an answer, in four languages.

Pure words: how they are put together stands in the cards. Must not know records or queries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language

Fill = Callable[..., str]
"""A sentence with gaps; which ones is said where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWords:
    """One language's words. Labels under a bubble fit LINE's 20 characters, with a number of nine digits in them."""

    saved: Fill
    """How many records were made."""
    saved_one: str
    """Of one record, in front of what belongs to it."""
    count: Fill
    """How many records."""
    more: Fill
    """How many records are not on the card."""
    days: tuple[str, str, str]
    """Yesterday, today, tomorrow."""
    untimed: str
    reminds: Fill
    """The moment of a reminder."""
    uncategorised: str
    rest: Fill
    """How many smaller parts of a total stand together."""
    months: tuple[str, ...]
    """January first, as a title; with a year where it is another: ``month_of``."""
    month_of: Fill
    """A month and its year."""
    balance: str
    page: str
    """Opens the record in Notion."""
    all_pages: str
    """Opens the table there."""
    # buttons under an answer
    done: Fill
    """The number of a record."""
    set_time: str
    move_time: str
    tomorrow: tuple[str, str]
    """A label, and what tapping it says; so are the next ones."""
    today: tuple[str, str]
    last_month: tuple[str, str]
    last_month_of: tuple[str, Fill]
    """The same, of a category."""
    meant: str
    """Words with which people say what a card shows in its own way: the span of a total, and how it is counted."""
    # what a tap came to
    never_done: Fill
    """The number of a record that is neither task nor event."""
    time_unread: str


def card_words(language: Language) -> CardWords:
    """The words of a language."""
    return _WORDS[language]


_THAI_MONTHS: Final = (
    *("มกราคม", "กุมภาพันธ์", "มีนาคม", "เมษายน", "พฤษภาคม", "มิถุนายน"),
    *("กรกฎาคม", "สิงหาคม", "กันยายน", "ตุลาคม", "พฤศจิกายน", "ธันวาคม"),
)
_ENGLISH_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WORDS: Final[Mapping[Language, CardWords]] = {
    "zh-TW": CardWords(
        saved="{} 筆都記好了".format,
        saved_one="記好了",
        count="{} 筆".format,
        more="還有 {} 筆".format,
        days=("昨天", "今天", "明天"),
        untimed="沒定時間",
        reminds="{} 提醒".format,
        uncategorised="未分類",
        rest="其他 {} 項".format,
        months=tuple(f"{month} 月" for month in range(1, 13)),
        month_of="{1} 年 {0}".format,
        balance="收支",
        page="Notion",
        all_pages="在 Notion 看",
        done="完成 {}".format,
        set_time="定時間",
        move_time="改時間",
        tomorrow=("明天呢？", "明天有什麼事？"),
        today=("今天呢？", "今天有什麼事？"),
        last_month=("上個月呢？", "上個月花了多少？"),
        last_month_of=("上個月呢？", "上個月{}花了多少？".format),
        meant="有 這個月 本月 上個月 上月 今年 今天 昨天 花費 花了 支出 收入 找到 還沒做的 總計 合計 共 一共 總共 是 "
        "最多",
        never_done="{} 不是待辦也不是行程，不能標成完成，我沒有動它。".format,
        time_unread="這個時間我沒讀到，什麼都沒動。直接說就好，像「#12 改明天四點」。",
    ),
    "ja": CardWords(
        saved="{}件入れました".format,
        saved_one="入れました",
        count="{}件".format,
        more="ほか{}件".format,
        days=("昨日", "今日", "明日"),
        untimed="時間なし",
        reminds="{}にお知らせ".format,
        uncategorised="分類なし",
        rest="その他{}項目".format,
        months=tuple(f"{month}月" for month in range(1, 13)),
        month_of="{1}年{0}".format,
        balance="収支",
        page="Notion",
        all_pages="Notionで見る",
        done="完了 {}".format,
        set_time="時間を決める",
        move_time="時間を変える",
        tomorrow=("明日は？", "明日の予定は？"),
        today=("今日は？", "今日の予定は？"),
        last_month=("先月は？", "先月の支出は？"),
        last_month_of=("先月は？", "先月の{}は？".format),
        meant="あります 今月 先月 今年 今日 昨日 支出 収入 収支 合計 残り 見つかりました 最高 最も多い",
        never_done="{}はやることでも予定でもないので、完了にはできません。何も変えていません。".format,
        time_unread="時間を読み取れず、何も変えていません。「#12を明日16時に変更」のように送ってください。",
    ),
    "th": CardWords(
        saved="จดแล้ว {} รายการ".format,
        saved_one="จดแล้ว",
        count="{} รายการ".format,
        more="อีก {} รายการ".format,
        days=("เมื่อวาน", "วันนี้", "พรุ่งนี้"),
        untimed="ไม่ระบุเวลา",
        reminds="เตือน {}".format,
        uncategorised="ไม่มีหมวด",
        rest="อื่น ๆ อีก {}".format,
        months=_THAI_MONTHS,
        month_of="{} {}".format,
        balance="รายรับรายจ่าย",
        page="Notion",
        all_pages="ดูใน Notion",
        done="เสร็จ {}".format,
        set_time="ตั้งเวลา",
        move_time="เปลี่ยนเวลา",
        tomorrow=("แล้วพรุ่งนี้ล่ะ", "พรุ่งนี้มีอะไรบ้าง"),
        today=("แล้ววันนี้ล่ะ", "วันนี้มีอะไรบ้าง"),
        last_month=("แล้วเดือนก่อนล่ะ", "เดือนที่แล้วใช้ไปเท่าไหร่"),
        last_month_of=("แล้วเดือนก่อนล่ะ", "เดือนที่แล้วค่า{}เท่าไหร่".format),
        meant="มี เดือนนี้ เดือนที่แล้ว เดือนก่อน ปีนี้ วันนี้ เมื่อวาน ใช้ไป รายจ่าย รายรับ คงเหลือ จาก พบ ยังไม่เสร็จ มากสุด มากที่สุด สูงสุด",
        never_done="{} ไม่ใช่งานหรือนัด เลยไม่มีสถานะเสร็จ ทุกอย่างยังเหมือนเดิม".format,
        time_unread="อ่านเวลานี้ไม่ได้ ยังไม่ได้เปลี่ยนอะไร พิมพ์มาได้เลย เช่น “#12 เลื่อนเป็น พรุ่งนี้สี่โมงเย็น”",
    ),
    "en": CardWords(
        saved="{} saved".format,
        saved_one="Saved",
        count="{} in all".format,
        more="{} more".format,
        days=("Yesterday", "Today", "Tomorrow"),
        untimed="No time set",
        reminds="reminder {}".format,
        uncategorised="No category",
        rest="{} others".format,
        months=_ENGLISH_MONTHS,
        month_of="{} {}".format,
        balance="Balance",
        page="Notion",
        all_pages="See in Notion",
        done="Done {}".format,
        set_time="Set a time",
        move_time="Change the time",
        tomorrow=("And tomorrow?", "What's on tomorrow?"),
        today=("And today?", "What's on today?"),
        last_month=("And last month?", "How much did I spend last month?"),
        last_month_of=("And last month?", "How much did I spend on {} last month?".format),
        meant="there are have this last month year today yesterday spent earned found left do balance in all total "
        "most",
        never_done="{} is no task or event, so there is nothing to mark as done. It is as it was.".format,
        time_unread="I couldn't read that time, so nothing was changed. Tell me, as in “Move #12 to tomorrow 4pm”.",
    ),
}

"""The words receipts are put together from, in four languages.

Pure words: how they are put together stands in the receipts. Must not know records or changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language, RecordType, Status

Fill = Callable[..., str]
"""A sentence with gaps; which ones is said where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptWords:
    """One language's words. Gaps: ``what`` is one or more records, ``n`` a number of them."""

    # punctuation
    comma: str
    stop: str
    dot: str
    arrow: str
    glue: str
    """Between two sentences."""
    gap: str
    """Between an amount and the running totals."""
    quote: Fill
    tags: Fill
    # one record
    created: Mapping[RecordType, Fill]
    types: Mapping[RecordType, str]
    statuses: Mapping[Status, str]
    bare_totals: bool
    """Whether running totals go without the unit."""
    today: Fill
    """An amount spent today."""
    month: Fill
    """A category (may be empty) and an amount of this month."""
    income_month: Fill
    reminds: Fill
    """A moment at which the person is told."""
    reminds_quietly: Fill
    """The same when nothing is said unasked: told when the person next speaks."""
    reminds_no_more: str
    # several
    created_many: Fill
    """n, what."""
    created_sum: Fill
    """n, sum, what."""
    sum_of: Fill
    """What several amounts come to."""
    spent_and_earned: Fill
    """What was spent, what was earned."""
    reminder_mark: Fill
    # changed
    done: Fill
    done_many: Fill
    left_today: Fill
    none_left_today: str
    edited: Fill
    edited_many: Fill
    deleted: Fill
    deleted_many: Fill
    taken_back: Fill
    restored: Fill
    reverted: Fill
    category: Fill
    no_category: str
    new_tags: Fill
    """What ``tags`` makes of them."""
    no_tags: str
    no_time: str
    no_amount: str
    note: Fill


def receipt_words(language: Language) -> ReceiptWords:
    """The words of a language."""
    return _WORDS[language]


_CHINESE: Final = ReceiptWords(
    comma="、",
    stop="。",
    dot="・",
    arrow=" → ",
    glue="",
    gap="　",
    quote="「{}」".format,
    tags="〔{}〕".format,
    created={
        "task": "記好了：{}。".format,
        "event": "記好了：{}。".format,
        "note": "記好了：{}。".format,
        "idea": "點子記下了：{}。".format,
        "expense": "{}".format,
        "income": "收入：{}".format,
    },
    types={"task": "待辦", "event": "行程", "expense": "支出", "income": "收入", "note": "筆記", "idea": "點子"},
    statuses={"open": "還沒做", "doing": "進行中", "done": "完成", "cancelled": "取消"},
    bare_totals=True,
    today="今天 {}".format,
    month="本月{} {}".format,
    income_month="本月{}收入 {}".format,
    reminds="{} 提醒你。".format,
    reminds_quietly="{} 過後，你下次傳訊息時提醒你。".format,
    reminds_no_more="不提醒了。",
    created_many="{} 筆都記好了：{}".format,
    created_sum="{} 筆都記好了，{}：{}".format,
    sum_of="共 {}".format,
    spent_and_earned="支出 {}、收入 {}".format,
    reminder_mark="（{} 提醒）".format,
    done="完成：{}。".format,
    done_many="完成 {} 件：{}。".format,
    left_today="今天還剩 {} 件。".format,
    none_left_today="今天的都做完了。",
    edited="改好了：{}。".format,
    edited_many="{} 筆都改好了：\n{}".format,
    deleted="刪了：{}，30 天內說「復原」就回來。".format,
    deleted_many="刪了 {} 筆：{}，30 天內說「復原」就回來。".format,
    taken_back="收回了：{}。".format,
    restored="救回來了：{}。".format,
    reverted="改回來了：{}。".format,
    category="類別 {}".format,
    no_category="拿掉類別",
    new_tags="標籤{}".format,
    no_tags="拿掉標籤",
    no_time="不定時間",
    no_amount="拿掉金額",
    note="加註「{}」".format,
)

_JAPANESE: Final = ReceiptWords(
    comma="、",
    stop="。",
    dot="・",
    arrow="→",
    glue="",
    gap="　",
    quote="「{}」".format,
    tags="〔{}〕".format,
    created={
        "task": "追加しました：{}。".format,
        "event": "入れました：{}。".format,
        "note": "メモしました：{}。".format,
        "idea": "書きとめました：{}。".format,
        "expense": "{}".format,
        "income": "収入：{}".format,
    },
    types={
        "task": "やること",
        "event": "予定",
        "expense": "支出",
        "income": "収入",
        "note": "メモ",
        "idea": "アイデア",
    },
    statuses={"open": "未完了", "doing": "進行中", "done": "完了", "cancelled": "中止"},
    bare_totals=False,
    today="今日 {}".format,
    month=lambda category, amount: f"今月の{category} {amount}" if category else f"今月 {amount}",
    income_month=lambda category, amount: f"今月の{category or '収入'} {amount}",
    reminds="{}にお知らせします。".format,
    reminds_quietly="{}を過ぎたら、次にお話しするときにお知らせします。".format,
    reminds_no_more="お知らせはやめます。",
    created_many="{}件入れました：{}".format,
    created_sum="{}件入れました。{}：{}".format,
    sum_of="計{}".format,
    spent_and_earned="支出{}、収入{}".format,
    reminder_mark="（{}にお知らせ）".format,
    done="完了：{}。".format,
    done_many="{}件完了：{}。".format,
    left_today="今日はあと{}件です。".format,
    none_left_today="今日の分はすべて終わりました。",
    edited="変更：{}。".format,
    edited_many="{}件変更しました：\n{}".format,
    deleted="消しました：{}。30日以内なら「元に戻す」で戻せます。".format,
    deleted_many="{}件消しました：{}。30日以内なら「元に戻す」で戻せます。".format,
    taken_back="取り消しました：{}。".format,
    restored="復活しました：{}。".format,
    reverted="元に戻しました：{}。".format,
    category="費目 {}".format,
    no_category="費目なし",
    new_tags="タグ{}".format,
    no_tags="タグなし",
    no_time="時間なし",
    no_amount="金額なし",
    note="追記「{}」".format,
)

_THAI: Final = ReceiptWords(
    comma=", ",
    stop="",
    dot=" · ",
    arrow=" → ",
    glue="\n",
    gap="\n",
    quote="“{}”".format,
    tags=" [{}]".format,
    created={
        "task": "จดแล้ว: {}".format,
        "event": "ลงนัดแล้ว: {}".format,
        "note": "จดแล้ว: {}".format,
        "idea": "จดไอเดียแล้ว: {}".format,
        "expense": "{}".format,
        "income": "รายรับ: {}".format,
    },
    types={
        "task": "สิ่งที่ต้องทำ",
        "event": "นัด",
        "expense": "รายจ่าย",
        "income": "รายรับ",
        "note": "โน้ต",
        "idea": "ไอเดีย",
    },
    statuses={"open": "ยังไม่เสร็จ", "doing": "กำลังทำ", "done": "เสร็จแล้ว", "cancelled": "ยกเลิก"},
    bare_totals=False,
    today="วันนี้ {}".format,
    month=lambda category, amount: f"{category}เดือนนี้ {amount}",
    income_month=lambda category, amount: f"{category or 'รายรับ'}เดือนนี้ {amount}",
    reminds="จะเตือน {}".format,
    reminds_quietly="พ้น {} แล้วจะเตือนตอนคุณทักมาครั้งถัดไป".format,
    reminds_no_more="ไม่เตือนแล้ว",
    created_many="จดแล้ว {} รายการ: {}".format,
    created_sum="จดแล้ว {} รายการ {}: {}".format,
    sum_of="รวม {}".format,
    spent_and_earned="รายจ่าย {} รายรับ {}".format,
    reminder_mark=" (เตือน {})".format,
    done="เสร็จแล้ว: {}".format,
    done_many="เสร็จแล้ว {} อย่าง: {}".format,
    left_today="วันนี้เหลืออีก {} อย่าง".format,
    none_left_today="วันนี้ครบหมดแล้ว",
    edited="แก้แล้ว: {}".format,
    edited_many="แก้แล้ว {} รายการ:\n{}".format,
    deleted="ลบแล้ว: {}\nภายใน 30 วัน พิมพ์ “เลิกทำ” เพื่อเอากลับมาได้".format,
    deleted_many="ลบแล้ว {} รายการ: {}\nภายใน 30 วัน พิมพ์ “เลิกทำ” เพื่อเอากลับมาได้".format,
    taken_back="เอาออกแล้ว: {}".format,
    restored="เอากลับมาแล้ว: {}".format,
    reverted="แก้กลับแล้ว: {}".format,
    category="หมวด {}".format,
    no_category="ไม่ระบุหมวด",
    new_tags="แท็ก{}".format,
    no_tags="ไม่มีแท็ก",
    no_time="ไม่กำหนดเวลา",
    no_amount="ไม่ระบุจำนวนเงิน",
    note="เพิ่มโน้ต “{}”".format,
)

_ENGLISH: Final = ReceiptWords(
    comma=", ",
    stop=".",
    dot=" · ",
    arrow=" → ",
    glue=" ",
    gap="\n",
    quote="“{}”".format,
    tags=" [{}]".format,
    created={
        "task": "Saved: {}.".format,
        "event": "Saved: {}.".format,
        "note": "Noted: {}.".format,
        "idea": "Idea kept: {}.".format,
        "expense": "{}".format,
        "income": "Income: {}".format,
    },
    types={
        "task": "to-do",
        "event": "event",
        "expense": "expense",
        "income": "income",
        "note": "note",
        "idea": "idea",
    },
    statuses={"open": "open again", "doing": "in progress", "done": "done", "cancelled": "cancelled"},
    bare_totals=False,
    today="Today {}".format,
    month=lambda category, amount: f"{category} this month {amount}" if category else f"this month {amount}",
    income_month=lambda category, amount: f"{category or 'Income'} this month {amount}",
    reminds="Reminder: {}.".format,
    reminds_quietly="I'll remind you when you next write after {}.".format,
    reminds_no_more="No reminder any more.",
    created_many="{} saved: {}".format,
    created_sum="{} saved, {}: {}".format,
    sum_of="{} in all".format,
    spent_and_earned="spent {}, earned {}".format,
    reminder_mark=" (reminder {})".format,
    done="Done: {}.".format,
    done_many="{} done: {}.".format,
    left_today="{} left for today.".format,
    none_left_today="That's everything for today.",
    edited="Changed: {}.".format,
    edited_many="{} changed:\n{}".format,
    deleted="Deleted: {}. Say “undo” within 30 days to get it back.".format,
    deleted_many="Deleted {}: {}. Say “undo” within 30 days to get them back.".format,
    taken_back="Taken back: {}.".format,
    restored="Restored: {}.".format,
    reverted="Changed back: {}.".format,
    category="category {}".format,
    no_category="no category",
    new_tags="tags{}".format,
    no_tags="no tags",
    no_time="no time",
    no_amount="no amount",
    note="added “{}”".format,
)

_WORDS: Final[Mapping[Language, ReceiptWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}

"""What the table is called in each language: itself, its columns, their options, and its views.

Pure. ``auto`` and languages without words here are English. Must not know Notion's protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TITLES = {"zh-TW": "秘書", "ja": "秘書", "th": "เลขาส่วนตัว", "en": "Secretary"}
"""Of the database."""

SOURCE_TITLES = {"zh-TW": "紀錄", "ja": "記録", "th": "บันทึก", "en": "Records"}
"""Of the data source in it."""

COLUMN_NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "Title", "type": "Type", "status": "Status", "when": "When", "remind": "Remind", "amount": "Amount",
        "category": "Category", "paid_by": "Paid by", "currency": "Currency", "tags": "Tags", "owner": "Owner",
        "source": "Source", "key": "Key", "ref": "Ref", "data": "Data",
    },
    "zh-TW": {
        "title": "標題", "type": "類型", "status": "狀態", "when": "時間", "remind": "提醒", "amount": "金額",
        "category": "分類", "paid_by": "付款人", "currency": "幣別", "tags": "標籤", "owner": "擁有者",
        "source": "來源", "key": "Key", "ref": "編號", "data": "資料",
    },
    "ja": {
        "title": "タイトル", "type": "種類", "status": "状態", "when": "日時", "remind": "リマインド", "amount": "金額",
        "category": "カテゴリ", "paid_by": "支払った人", "currency": "通貨", "tags": "タグ", "owner": "持ち主",
        "source": "出どころ", "key": "Key", "ref": "番号", "data": "データ",
    },
    "th": {
        "title": "ชื่อ", "type": "ประเภท", "status": "สถานะ", "when": "วันเวลา", "remind": "เตือน", "amount": "จำนวนเงิน",
        "category": "หมวด", "paid_by": "ผู้จ่าย", "currency": "สกุลเงิน", "tags": "แท็ก", "owner": "เจ้าของ",
        "source": "ที่มา", "key": "Key", "ref": "เลขที่", "data": "ข้อมูล",
    },
}  # fmt: skip

OPTION_NAMES: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "task": "待辦", "event": "行程", "expense": "支出", "income": "收入", "note": "筆記", "idea": "點子",
        "open": "未完成", "doing": "進行中", "done": "完成", "cancelled": "取消",
    },
    "ja": {
        "task": "タスク", "event": "予定", "expense": "支出", "income": "収入", "note": "メモ", "idea": "アイデア",
        "open": "未着手", "doing": "進行中", "done": "完了", "cancelled": "中止",
    },
    "th": {
        "task": "สิ่งที่ต้องทำ", "event": "นัดหมาย", "expense": "รายจ่าย", "income": "รายรับ", "note": "บันทึก",
        "idea": "ไอเดีย", "open": "ยังไม่เสร็จ", "doing": "กำลังทำ", "done": "เสร็จแล้ว", "cancelled": "ยกเลิก",
    },
}  # fmt: skip

VIEW_NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {"all": "All", "today": "Today", "calendar": "Calendar", "money": "Money by month"},
    "zh-TW": {"all": "全部", "today": "今天", "calendar": "月曆", "money": "每月收支"},
    "ja": {"all": "すべて", "today": "今日", "calendar": "カレンダー", "money": "月ごとのお金"},
    "th": {"all": "ทั้งหมด", "today": "วันนี้", "calendar": "ปฏิทิน", "money": "เงินรายเดือน"},
}

CODES = ("task", "event", "expense", "income", "note", "idea", "open", "doing", "done", "cancelled")
"""Of types and statuses."""


def of(words: Mapping[str, Mapping[str, str]], language: str) -> Mapping[str, str]:
    """The words of this language."""
    return words.get(language, words["en"])


def title(titles: Mapping[str, str], language: str) -> str:
    """The title in this language."""
    return titles.get(language, titles["en"])


def column_name(field: str, language: str) -> str:
    """What a column is made under."""
    return of(COLUMN_NAMES, language)[field]


def is_column_name(field: str, name: str) -> bool:
    """Whether a column of this name may be ours, in any language."""
    return any(name.strip().casefold() == names[field].casefold() for names in COLUMN_NAMES.values())


def option_names(language: str) -> Mapping[str, str]:
    """The names of types and statuses in Notion: the language's words, or the codes themselves for ``auto`` and en."""
    words = OPTION_NAMES.get(language, {})
    return MappingProxyType({code: words.get(code, code) for code in CODES})


def names_of_option(code: str) -> tuple[str, ...]:
    """Everything that this option may be called, the code itself first."""
    return (code, *(words[code] for words in OPTION_NAMES.values()))

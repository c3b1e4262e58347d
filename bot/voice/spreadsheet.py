"""A person's records as a table that spreadsheets open rightly: their words, their zone, one line a record.

RFC 4180 with a byte order mark, by which Excel knows UTF-8. What a person wrote is text and nothing else: a cell that a
spreadsheet would take for a formula begins with an apostrophe. Pure. Must not know where the table goes.
https://www.rfc-editor.org/rfc/rfc4180 https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from tools.currency import exponent
from tools.notion.schema import option_names
from tools.record import Language, Moment, Record

BYTE_ORDER_MARK: Final = "\ufeff"

HEADS: Final[Mapping[Language, tuple[str, ...]]] = {
    "zh-TW": (
        *("編號", "種類", "狀態", "內容", "時間", "結束", "提醒", "金額", "幣別", "分類", "標籤", "備註", "來源"),
        *("建立", "更新", "時區"),
    ),
    "ja": (
        *("番号", "種類", "状態", "内容", "日時", "終了", "リマインド", "金額", "通貨", "分類", "タグ", "メモ", "出所"),
        *("作成", "更新", "タイムゾーン"),
    ),
    "th": (
        *("หมายเลข", "ประเภท", "สถานะ", "เนื้อหา", "เวลา", "สิ้นสุด", "เตือน", "จำนวนเงิน", "สกุลเงิน", "หมวด", "แท็ก"),
        *("หมายเหตุ", "ที่มา", "สร้าง", "แก้ไข", "เขตเวลา"),
    ),
    "en": (
        *(
            "Number",
            "Type",
            "Status",
            "Content",
            "When",
            "Until",
            "Remind at",
            "Amount",
            "Currency",
            "Category",
            "Tags",
        ),
        *("Notes", "Origin", "Created", "Updated", "Zone"),
    ),
}
"""The columns, in the order of ``_cells``."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def head(language: Language) -> str:
    """The first line, with the mark before it."""
    return BYTE_ORDER_MARK + _lines([HEADS[language]])


def body(records: Iterable[Record], zone: ZoneInfo, language: Language) -> str:
    """A line for each record; lines end with CRLF. Times stand on the clock of the zone, as ``2026-12-01 15:00:00``."""
    return _lines(_cells(record, zone, language) for record in records)


def _lines(rows: Iterable[Sequence[str]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(rows)
    return written.getvalue()


def _cells(record: Record, zone: ZoneInfo, language: Language) -> list[str]:
    names = option_names(language)
    amount = "" if record.amount is None else f"{record.amount:.{exponent(record.currency)}f}"
    notes = "\n".join(f"{_moment(note.at, zone)} {note.text}" for note in record.notes)
    return [
        str(record.ref),
        names[record.type],
        names[record.status],
        _text(record.content),
        _moment(record.when, zone),
        _moment(record.until, zone),
        _moment(record.remind_at, zone),
        amount,
        record.currency or "",
        _text(record.category or ""),
        _text("; ".join(record.tags)),
        _text(notes),
        record.origin,
        _moment(record.created_at, zone),
        _moment(record.updated_at, zone),
        zone.key,
    ]


def _text(said: str) -> str:
    """Never a formula: also behind spaces, which spreadsheets pass over."""
    return f"'{said}" if said.lstrip(" \u3000\n").startswith(_FORMULA) or said.startswith(_FORMULA) else said


def _moment(moment: Moment | None, zone: ZoneInfo) -> str:
    if isinstance(moment, datetime):
        return f"{moment.astimezone(zone):%Y-%m-%d %H:%M:%S}"
    return moment.isoformat() if moment else ""

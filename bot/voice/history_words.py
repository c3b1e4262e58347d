"""What is said of a record's past, and of taking back, in four languages.

Pure words. Must not know what was changed, or what can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWords:
    """The words of one language. Labels fit LINE's 20 characters."""

    redo: str
    """The label that takes back an undo."""
    nothing_to_redo: str
    nothing_of: Callable[[str], str]
    """Records of which nothing can be taken back, or not any more."""
    changed_since: Callable[[str], str]
    """Records that were changed after what should be taken back."""
    which: str
    """Whose history, if no number was said."""
    head: Callable[[str], str]
    """The record, by words and number."""
    no_changes: Callable[[str], str]
    earlier: Callable[[int], str]
    """How many changes before are not told."""
    created: Callable[[str], str]
    deleted: str
    edited: str
    undone: str
    redone: str
    with_what: Callable[[str, str], str]
    """An undo, and what it made different."""
    by: Callable[[str], str]
    """Who did it, or where."""
    what: Callable[[str, str], str]
    """What was done, and ``by`` or nothing."""


def history_words(language: Language) -> HistoryWords:
    """The words of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, HistoryWords]] = {
    "zh-TW": HistoryWords(
        redo="取消復原",
        nothing_to_redo="最近 30 天沒有復原過的東西可以取消。",
        nothing_of="{} 最近 30 天沒有可以復原的變更。".format,
        changed_since="{0} 後來又改過，這次沒動它。說「{0} 的紀錄」可以看經過。".format,
        which="要看哪一筆的紀錄？說編號就好，像「#12 的紀錄」。",
        head="{} 的紀錄：".format,
        no_changes="{} 沒有變更紀錄。".format,
        earlier="（更早還有 {} 次）".format,
        created="記下 {}".format,
        deleted="刪除",
        edited="修改",
        undone="復原",
        redone="取消復原",
        with_what="{}：{}".format,
        by="（{}）".format,
        what="{}{}".format,
    ),
    "ja": HistoryWords(
        redo="やり直す",
        nothing_to_redo="この30日間に、やり直せるものはありません。",
        nothing_of="{}には、この30日間に元に戻せる変更がありません。".format,
        changed_since="{0}はそのあと変わっているので、手をつけていません。「{0}の履歴」で経過が分かります。".format,
        which="どれの履歴ですか？「#12の履歴」のように番号でどうぞ。",
        head="{}の履歴：".format,
        no_changes="{}に変更の履歴はありません。".format,
        earlier="（それより前に{}回）".format,
        created="記録：{}".format,
        deleted="削除",
        edited="変更",
        undone="元に戻す",
        redone="やり直し",
        with_what="{}：{}".format,
        by="（{}）".format,
        what="{}{}".format,
    ),
    "th": HistoryWords(
        redo="ยกเลิกการย้อน",
        nothing_to_redo="ช่วง 30 วันนี้ไม่มีการเลิกทำที่ยกเลิกได้",
        nothing_of="{} ไม่มีอะไรให้เลิกทำในช่วง 30 วันนี้".format,
        changed_since="{0} ถูกแก้อีกหลังจากนั้น เลยยังไม่ได้แตะ พิมพ์ “ประวัติ {0}” เพื่อดูที่ผ่านมา".format,
        which="อยากดูประวัติของรายการไหน บอกหมายเลขมาได้เลย เช่น “ประวัติ #12”",
        head="ประวัติของ {}:".format,
        no_changes="{} ไม่มีประวัติการแก้ไข".format,
        earlier="(ก่อนหน้านี้อีก {} ครั้ง)".format,
        created="จด {}".format,
        deleted="ลบ",
        edited="แก้ไข",
        undone="เลิกทำ",
        redone="ยกเลิกการย้อน",
        with_what="{}: {}".format,
        by="({})".format,
        what="{} {}".format,
    ),
    "en": HistoryWords(
        redo="Redo",
        nothing_to_redo="There's no undo from the last 30 days to take back.",
        nothing_of="There's nothing from the last 30 days to undo on {}.".format,
        changed_since="{0} has been changed since, so I left it alone. “History {0}” shows what happened.".format,
        which="Whose history? Say the number, like “history 12”.",
        head="History of {}:".format,
        no_changes="{} has never been changed.".format,
        earlier="({} earlier)".format,
        created="noted: {}".format,
        deleted="deleted",
        edited="changed",
        undone="undone",
        redone="redone",
        with_what="{}: {}".format,
        by="({})".format,
        what="{} {}".format,
    ),
}

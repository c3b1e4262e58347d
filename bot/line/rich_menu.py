"""The menu under the chat: six cells of words that are answered without a model, in four languages.

Pure. The pictures beside it are drawn from the same cells (``python -m tests.rich_menu``). Must not know how LINE is
called. https://developers.line.biz/en/docs/messaging-api/using-rich-menus/
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.ports import Tap
from tools.record import Language

WIDTH: Final = 2500
HEIGHT: Final = 1686
COLUMNS: Final = 3
ROWS: Final = 2

MARK: Final = "line-secretary menu"
"""How the name of a menu begins that is ours: no other is touched."""

PICTURES: Final = "rich_menus"
"""The folder beside this file where each language has its picture."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One field. ``label`` is drawn, ``says`` is what a tap says. With ``begins`` the keyboard opens with these words
    in it, and the tap is answered with what may follow."""

    icon: str
    label: str
    says: str
    begins: str = ""

    @property
    def action(self) -> dict[str, str]:
        """https://developers.line.biz/en/reference/messaging-api/#action-objects ."""
        if not self.begins:
            return {"type": "message", "label": self.label, "text": self.says}
        data = Tap.SAY.on(self.says)
        keyboard = {"inputOption": "openKeyboard", "fillInText": self.begins}
        return {"type": "postback", "label": self.label, "data": data, **keyboard}


@dataclass(frozen=True, slots=True)
class Words:
    """A menu in one language: the text of the bar that opens it, and its cells, row by row."""

    bar: str
    cells: tuple[Cell, Cell, Cell, Cell, Cell, Cell]


WORDS: Final[Mapping[Language, Words]] = {
    "zh-TW": Words(
        "選單",
        (
            Cell("sun", "今天", "今天"),
            Cell("list", "清單", "清單"),
            Cell("coins", "這個月花費", "這個月花了多少？"),
            Cell("pencil", "記一筆", "記一筆", "記 "),
            Cell("book", "說明", "說明"),
            Cell("back", "復原", "復原"),
        ),
    ),
    "ja": Words(
        "メニュー",
        (
            Cell("sun", "今日の予定", "今日の予定"),
            Cell("list", "リスト", "リスト"),
            Cell("coins", "今月の支出", "今月いくら使った？"),
            Cell("pencil", "記録する", "記録する", "メモ "),
            Cell("book", "使い方", "使い方"),
            Cell("back", "元に戻す", "元に戻す"),
        ),
    ),
    "th": Words(
        "เมนู",
        (
            Cell("sun", "วันนี้", "วันนี้"),
            Cell("list", "รายการ", "รายการ"),
            Cell("coins", "รายจ่ายเดือนนี้", "เดือนนี้ใช้เงินไปเท่าไหร่"),
            Cell("pencil", "จดบันทึก", "จดบันทึก", "จด "),
            Cell("book", "วิธีใช้", "วิธีใช้"),
            Cell("back", "เลิกทำ", "เลิกทำ"),
        ),
    ),
    "en": Words(
        "Menu",
        (
            Cell("sun", "Today", "Today"),
            Cell("list", "List", "List"),
            Cell("coins", "This month", "How much did I spend this month?"),
            Cell("pencil", "Note", "Note", "note "),
            Cell("book", "Help", "Help"),
            Cell("back", "Undo", "Undo"),
        ),
    ),
}


def bounds(place: int) -> dict[str, int]:
    """Where a cell is, in pixels of the picture; together they cover it without a gap."""
    column, row = place % COLUMNS, place // COLUMNS
    left, right = (round(WIDTH * each / COLUMNS) for each in (column, column + 1))
    top, bottom = (round(HEIGHT * each / ROWS) for each in (row, row + 1))
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def menu(language: Language, picture: bytes) -> dict[str, Any]:
    """The menu as LINE takes it. Its name says what it is of: when anything of it changes, the name does.

    https://developers.line.biz/en/reference/messaging-api/#rich-menu-structure
    """
    words = WORDS[language]
    areas = [{"bounds": bounds(place), "action": cell.action} for place, cell in enumerate(words.cells)]
    made = {
        "size": {"width": WIDTH, "height": HEIGHT},
        "selected": False,
        "chatBarText": words.bar,
        "areas": areas,
    }
    digest = hashlib.sha256(json.dumps(made, sort_keys=True).encode() + picture).hexdigest()[:12]
    return {"name": f"{MARK} {language} {digest}", **made}

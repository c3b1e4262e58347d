"""The words with which people invite each other, and with which a group is told what to do: commands without a model.

Pure. A whole message is a command, or none is in it. Must not know who may say it, or what is done then.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal

from bot.plain_text import bare

HouseholdCommand = Literal[
    "invite", "invite_guest", "members", "remove", "mirror", "no_mirror", "shared", "enable", "leave", "settle"
]

_WORDS: Final[Mapping[HouseholdCommand, tuple[str, ...]]] = {
    "invite": ("邀請", "invite", "招待", "เชิญ"),
    "invite_guest": (
        *("邀請訪客", "邀請客人", "invite guest", "invite a guest", "ゲストを招待", "ゲスト招待"),
        *("เชิญแขก", "เชิญผู้ชม"),
    ),
    "members": (
        *("成員", "成員名單", "有誰", "members", "who is here", "member list"),
        *("メンバー", "メンバー一覧", "สมาชิก", "รายชื่อสมาชิก"),
    ),
    "remove": ("移除", "remove", "外す", "削除メンバー", "เอาออก", "ลบสมาชิก"),
    "mirror": (
        *("我的記錄也放進 notion", "我的紀錄也放進 notion", "我的記錄也放進notion", "我的紀錄也放進notion"),
        *("my records in notion", "put my records in notion too", "my records in notion too", "notion on"),
        *("私の記録もnotionに", "私の記録もnotionに入れて", "ใส่บันทึกของฉันใน notion ด้วย", "บันทึกของฉันใน notion"),
    ),
    "no_mirror": (
        *("我的記錄不要放 notion", "我的紀錄不要放 notion", "我的記錄不要放notion", "我的紀錄不要放notion"),
        *("my records not in notion", "keep my records out of notion", "notion off"),
        *("私の記録はnotionに入れないで", "私の記録をnotionから外して", "อย่าใส่บันทึกของฉันใน notion"),
    ),
    "shared": ("共用清單", "共享清單", "shared list", "共有リスト", "รายการร่วม", "รายการของกลุ่ม"),
    "enable": ("啟用", "启用", "enable", "有効", "有効にする", "有効にして", "เปิดใช้", "เปิดใช้งาน"),
    "leave": (
        *("離開", "离开", "退出", "leave", "leave the group", "please leave"),
        *("退出して", "退会", "抜けて", "ออกจากกลุ่ม", "ออกไป"),
    ),
    "settle": (
        *("結算", "结算", "結帳", "拆帳", "分帳", "settle up", "settle", "who owes whom"),
        *("精算", "割り勘", "หารกัน", "เคลียร์เงิน"),
    ),
}

IN_ONES_OWN_CHAT: Final = frozenset[HouseholdCommand](
    {"invite", "invite_guest", "members", "remove", "mirror", "no_mirror", "shared"}
)
IN_A_GROUP: Final = frozenset[HouseholdCommand]({"enable", "leave", "members", "settle"})

_WITH_A_NAME: Final = frozenset[HouseholdCommand]({"invite", "remove"})
"""What may be followed (in Japanese also preceded) by somebody's name."""


def _plain(text: str) -> str:
    """Words without what does not matter: width, case, spaces around, a slash in front, punctuation behind."""
    return bare(text).removeprefix("/")


_NAME: Final[Mapping[HouseholdCommand, str]] = {"invite": r"[^ ]{1,20}", "remove": r".{1,40}?"}
"""Who is removed is known by name; "invite Bob to dinner" is a plan."""

_COMMAND_OF: Final[Mapping[str, HouseholdCommand]] = {
    _plain(said): command for command, words in _WORDS.items() for said in words
}
_NAMING: Final = tuple(
    (re.compile(form), command)
    for command in sorted(_WITH_A_NAME)
    for word in _WORDS[command]
    for form in (
        rf"{re.escape(_plain(word))} +(?P<name>{_NAME[command]})",
        rf"(?P<name>{_NAME[command]}) ?を{re.escape(_plain(word))}",
    )
)


def household_command_of(text: str) -> tuple[HouseholdCommand, str] | None:
    """The command that the whole message is, and whom it names ("" for nobody)."""
    plain = _plain(text)
    if command := _COMMAND_OF.get(plain):
        return command, ""
    for form, named in _NAMING:
        if found := form.fullmatch(plain):
            return named, found["name"].removeprefix("@")
    return None


_PREFIX: Final = re.compile(r"[\s,:，、。：!！]+")


def called_by_name(text: str, names: tuple[str, ...]) -> str | None:
    """What is said behind one of these names, if the message begins with it; width, case and an @ in front do not
    matter. None if it does not: a longer word that begins alike is another word."""
    normal = unicodedata.normalize("NFKC", text).lstrip()
    bare = normal.removeprefix("@").lstrip()
    for name in sorted((unicodedata.normalize("NFKC", each).strip() for each in names), key=len, reverse=True):
        if name and bare[: len(name)].casefold() == name.casefold():
            rest = bare[len(name) :]
            if not rest or _PREFIX.match(rest):
                return _PREFIX.sub("", rest, count=1).strip()
    return None

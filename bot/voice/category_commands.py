"""The words by which people ask for their categories, and say what belongs where from now on: in four languages.

A whole message is such a wish, or none is in it. What it names is held against the list by whoever carries it out: only
then is it certain that categories are meant. Pure. Must not know any list, or what is done.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.plain_text import bare
from tools.categories import fits

CategoryCommand = Literal["show", "rename", "merge", "learn", "add", "drop"]


@dataclass(frozen=True, slots=True)
class CategoryWish:
    """What is asked for: ``old`` becomes, goes into, or counts as ``new``. ``certain``: the words alone say that it is
    about categories, whatever they name."""

    command: CategoryCommand
    old: str = ""
    new: str = ""
    certain: bool = False


_SHOW: Final = frozenset(
    {
        *("類別", "分類", "我的類別", "我的分類", "類別清單", "有哪些類別", "有什麼類別", "有哪些分類", "類別有哪些"),
        *("类别", "分类", "我的类别", "我的分类", "有哪些类别", "有什么类别", "有哪些分类"),
        *("categories", "my categories", "category list", "list categories", "show categories"),
        *("show my categories", "what are my categories", "what categories do i have", "which categories are there"),
        *("カテゴリ", "カテゴリー", "費目", "カテゴリ一覧", "カテゴリー一覧", "費目一覧", "カテゴリを見せて"),
        *("カテゴリは", "カテゴリーは", "費目は"),
        *("หมวด", "หมวดหมู่", "หมวดของฉัน", "รายการหมวด", "มีหมวดอะไรบ้าง", "หมวดหมู่ของฉัน", "ดูหมวด"),
    }
)

_KIND: Final = r"(?:類別|分類|类别|分类|カテゴリー?|費目|category|หมวดหมู่|หมวด)"
_OLD, _NEW = r"(?P<old>.{1,24}?)", r"(?P<new>.{1,24}?)"
_SURE: Final = rf"(?P<sure>{_KIND})"

_TAKE: Final = rf"(?:把|將|将)?(?:{_SURE}\s*)?"
_IS_CALLED: Final = "(?:改叫做?|改名(?:叫做?|為|成|为)?|更名為|改稱為?|改名为|更名为|重新命名為|重新命名为)"
_CALLED: Final = (
    "(?:に改名|に名前を変え|に変更|と呼んで|に名称変更|にリネーム|って呼んで)(?:して|てください|する|ます|て)?"
)
_GOES_INTO: Final = "(?:併到|併入|併進|合併到|合併進|合併入|並到|并到|并入|合并到|合并进|歸到|歸入|归到)"
_JOINED: Final = "(?:に統合|にまとめて?|に合併|にマージ|と統合|に入れて)(?:して|てください|する)?"
_FROM_NOW: Final = "(?:以後|之後|今後|往後|從現在起|从现在起|以后|今后)"
_COUNTS: Final = "(?:(?P<firm>算作|算在|算是|算|歸類到|歸類|歸到|歸|归到|归|屬於|属于)|放在|放|記在|記到|记在|记)"
_GOES: Final = "(?:goes |go |belongs |counts |falls |is |are )?(?:always )?"
_UNDER: Final = "(?:(?P<firm>under)|in|into|to|as)"
_KEPT: Final = (
    "(?:(?P<firm>に分類して|に含めて|に入れて|扱い|で記録して|でつけて)|にして|として|です|だよ|で|に)"
    "(?:ください|ね|よ)?"
)
_BELONGS: Final = "(?:(?P<firm>นับเป็น|จัดเป็น|จัดอยู่ใน)|อยู่ใน|ใส่ใน|ลงใน|เป็น|อยู่)"
"""How it is said that something counts as something. Firm words say so also of a category that is not there yet."""

_FORMS: Final[Mapping[CategoryCommand, Sequence[str]]] = {
    "learn": (
        rf"{_FROM_NOW}[，,]?\s*{_OLD}(?:都|就)?{_COUNTS}{_NEW}(?:類別|類|裡|里)?",
        rf"{_OLD}{_FROM_NOW}(?:都|就|全部)*{_COUNTS}{_NEW}(?:類別|類|裡|里)?",
        rf"from now on,? (?:please )?(?:put |file |count |log )?{_OLD} {_GOES}{_UNDER} {_NEW}",
        rf"(?:please )?(?:put |file |count |log )?{_OLD} {_GOES}{_UNDER} {_NEW} from now on",
        rf"(?:これからは?|今後は?|以後は?)、?{_OLD}(?:は|を|も)、?{_NEW}{_KEPT}",
        rf"{_OLD}(?:は|を|も)、?(?:これからは?|今後は?|以後は?)、?{_NEW}{_KEPT}",
        rf"(?:ต่อไปนี้|ต่อไป|จากนี้ไป|จากนี้|ต่อจากนี้)\s*(?:ให้)?\s*{_OLD}\s*(?:ให้)?{_BELONGS}\s*{_SURE}?\s*{_NEW}",
        rf"{_OLD}\s*(?:ให้)?{_BELONGS}\s*{_SURE}?\s*{_NEW}\s*(?:ตั้งแต่นี้ไป|ตั้งแต่นี้|ต่อไปนี้|ต่อไป|จากนี้ไป|จากนี้)",
    ),
    "rename": (
        rf"(?:{_SURE}の?)?{_OLD}(?:という)?(?:カテゴリー?)?(?:を|は){_NEW}{_CALLED}",
        rf"{_TAKE}{_OLD}(?:這個|这个|的)?(?:類別|分類|类别|分类)?{_IS_CALLED}{_NEW}",
        rf"(?:please )?rename (?:the )?(?:{_SURE} )?{_OLD} (?:(?:to|as|into) )?{_NEW}(?: from now on)?",
        rf"(?:please )?call (?:the )?(?:{_SURE} )?{_OLD} {_NEW} from now on",
        rf"เปลี่ยนชื่อ(?:{_SURE})?\s*{_OLD}\s*เป็น\s*{_NEW}",
        rf"เรียก(?:{_SURE})?\s*{_OLD}\s*ว่า\s*{_NEW}",
    ),
    "merge": (
        rf"{_TAKE}{_OLD}(?:類別|分類|类别|分类)?(?:都|全部)?{_GOES_INTO}{_NEW}(?:裡面?|里面?|去)?",
        rf"(?:please )?(?:merge|fold) (?:the )?(?:{_SURE} )?{_OLD} (?:into|in|with) {_NEW}",
        rf"(?:{_SURE}の?)?{_OLD}(?:を|は){_NEW}{_JOINED}",
        rf"รวม(?:{_SURE})?\s*{_OLD}\s*(?:เข้ากับ|เข้าใน|กับ|ไปที่|ไว้ใน|เข้า)\s*{_NEW}",
    ),
    "add": (
        rf"(?:新增|加|增加|添加|加入|加一個|加一个)(?:一個|一个)?{_SURE}[\s:：]*{_NEW}",
        rf"(?:please )?add (?:a |the )?(?:new )?{_SURE}:? {_NEW}",
        rf"{_SURE}(?:に|へ){_NEW}を?(?:追加|足して|加えて)(?:して|する)?",
        rf"เพิ่ม{_SURE}\s*{_NEW}",
    ),
    "drop": (
        rf"(?:刪除?掉?|删除?掉?|移除|拿掉|去掉){_SURE}[\s:：]*{_OLD}",
        rf"(?:please )?(?:delete|remove|drop) (?:the )?{_SURE}:? {_OLD}",
        rf"{_SURE}(?:から)?{_OLD}を(?:削除|消して|外して)(?:して|する)?",
        rf"ลบ{_SURE}\s*{_OLD}",
    ),
}
"""More certain forms first."""

_COMPILED: Final = tuple(
    (command, re.compile(form, re.IGNORECASE)) for command, forms in _FORMS.items() for form in forms
)
_QUOTES: Final = "「」『』\"“”'‘’"
_SOMEBODY: Final = re.compile(
    r"^(?:我|你|妳|您|他|她|它|這|这|那|誰|谁|僕|私|俺|彼|これ|それ|あれ|i|you|he|she|it|we|they|this|that|me|him|her|us|them|"
    r"my .*|your .*|his .*|ฉัน|ผม|เธอ|เขา|มัน|นี่|นั่น)$|^[我你您他她這这那誰谁].",
    re.IGNORECASE,
)
"""Who or what is no kind of spending."""


def category_wish_of(text: str) -> CategoryWish | None:
    """The wish that the whole message is."""
    plain = bare(text)
    if plain.removeprefix("/") in _SHOW:
        return CategoryWish("show", certain=True)
    line = text.strip().rstrip("。.!！~〜 ")
    if "\n" in line or line.endswith(("?", "？")):
        return None
    for command, form in _COMPILED:
        if match := form.fullmatch(line):
            found = match.groupdict()
            old, new = (_name(found.get(part)) for part in ("old", "new"))
            if all(fits(each) and not _SOMEBODY.match(each) for each in (old, new) if each):
                return CategoryWish(command, old, new, certain=bool(found.get("sure") or found.get("firm")))
    return None


def _name(text: str | None) -> str:
    return (text or "").strip().strip(_QUOTES).strip()

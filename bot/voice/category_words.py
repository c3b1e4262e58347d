"""What is said about somebody's categories, in four languages.

Pure words. Must not know a list, or how it came to be so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.voice.receipt_words import receipt_words
from tools.categories import CategoryEdit, Learnt
from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryWords:
    """The sentences of one language. Names come in this order: what it was, what it is; with how many records."""

    listed: Callable[[str], str]
    learnt_words: Callable[[str], str]
    how: str
    renamed: Callable[[str, str], str]
    merged: Callable[[str, str], str]
    moved: Callable[[int], str]
    learnt: Callable[[str, str], str]
    added: Callable[[str], str]
    dropped: Callable[[str], str]
    new: str
    back: Callable[[str], str]
    """How what was done reads when it is taken back."""
    already: Callable[[str], str]
    unknown: Callable[[str, str], str]
    """A name that is none, and those there are."""
    unfit: str
    full: str
    in_use: Callable[[str, int], str]
    last: str
    since: str
    """The list was changed after what should be taken back."""


def category_words(language: Language) -> CategoryWords:
    """The sentences of a language."""
    return _WORDS[language]


def edit_text(edit: CategoryEdit, language: Language, *, is_new: bool = False) -> str:
    """The receipt of one edit."""
    words = category_words(language)
    said = {
        "rename": lambda: words.renamed(edit.old, edit.new),
        "merge": lambda: words.merged(edit.old, edit.new),
        "learn": lambda: words.learnt(edit.old, edit.new) + (words.new if is_new else ""),
        "add": lambda: words.added(edit.new),
        "drop": lambda: words.dropped(edit.old),
    }[edit.kind]()
    return said + (words.moved(edit.moved) if edit.moved else "")


def list_text(names: Sequence[str], learnt: Mapping[str, Learnt], language: Language) -> str:
    """The list, what was learnt, and how it is changed."""
    words, comma = category_words(language), receipt_words(language).comma
    said = comma.join(f"{word} → {each.category}" for word, each in [*learnt.items()][-_TOLD:])
    lines = [words.listed(comma.join(names)), words.learnt_words(said) if said else "", words.how]
    return "\n".join(filter(None, lines))


_TOLD: Final = 20
"""Learnt words that are listed, the newest."""

_CHINESE: Final = CategoryWords(
    listed="類別：{}".format,
    learnt_words="記得的：{}".format,
    how="可以說「飲食改叫吃飯」「把教育併到其他」「捷運以後算交通」「新增類別 寵物」。",
    renamed="改好了：類別「{}」改叫「{}」".format,
    merged="併好了：「{}」併到「{}」".format,
    moved=lambda n: f"，{n} 筆一起改了",
    learnt="記住了：「{}」以後算「{}」".format,
    added="加好了：類別「{}」".format,
    dropped="拿掉了：類別「{}」".format,
    new="（新類別）",
    back=lambda done: f"復原了：{done}",
    already="已經有「{}」了。".format,
    unknown=lambda name, names: f"沒有「{name}」這個類別。現在有：{names}",
    unfit="類別名稱最多 20 個字，不能有標點。",
    full="類別最多 24 個，先把用不到的併起來，像「把教育併到其他」。",
    in_use=lambda name, n: f"「{name}」還有 {n} 筆，先說要併到哪裡，像「把{name}併到其他」。",
    last="至少要留一個類別。",
    since="類別後來又改過，這次沒動它。說「復原」會從最後一次改起。",
)
_JAPANESE: Final = CategoryWords(
    listed="カテゴリ：{}".format,
    learnt_words="覚えた言葉：{}".format,
    how="「食費を食事に改名」「教育をその他に統合」「電車は今後交通に入れて」「カテゴリにペットを追加」で変えられます。",
    renamed="変更：カテゴリ「{}」→「{}」".format,
    merged="まとめました：「{}」→「{}」".format,
    moved=lambda n: f"、{n}件も変えました",
    learnt="覚えました：「{}」は今後「{}」".format,
    added="追加：カテゴリ「{}」".format,
    dropped="外しました：カテゴリ「{}」".format,
    new="（新しいカテゴリ）",
    back=lambda done: f"元に戻しました：{done}",
    already="「{}」はもうあります。".format,
    unknown=lambda name, names: f"「{name}」というカテゴリはありません。今は：{names}",
    unfit="カテゴリ名は20文字まで、記号は使えません。",
    full="カテゴリは24個までです。「教育をその他に統合」のように、使わないものをまとめてください。",
    in_use=lambda name, n: f"「{name}」は{n}件で使われています。「{name}をその他に統合」のようにまとめてください。",
    last="カテゴリは1つは残します。",
    since="カテゴリはそのあと変わっているので、手をつけていません。「元に戻す」で新しい順に戻せます。",
)
_THAI: Final = CategoryWords(
    listed="หมวด: {}".format,
    learnt_words="ที่จำไว้: {}".format,
    how="พูดได้ว่า “เปลี่ยนชื่ออาหารเป็นของกิน” “รวมการศึกษากับอื่นๆ” “ต่อไปรถไฟฟ้าให้อยู่ในหมวดเดินทาง” “เพิ่มหมวดสัตว์เลี้ยง”",
    renamed="เปลี่ยนแล้ว: หมวด “{}” → “{}”".format,
    merged="รวมแล้ว: “{}” → “{}”".format,
    moved=lambda n: f" แก้ไป {n} รายการ",
    learnt="จำแล้ว: ต่อไป “{}” อยู่ในหมวด “{}”".format,
    added="เพิ่มแล้ว: หมวด “{}”".format,
    dropped="เอาออกแล้ว: หมวด “{}”".format,
    new=" (หมวดใหม่)",
    back=lambda done: f"เลิกทำแล้ว: {done}",
    already="มี “{}” อยู่แล้ว".format,
    unknown=lambda name, names: f"ไม่มีหมวด “{name}” ตอนนี้มี: {names}",
    unfit="ชื่อหมวดยาวได้ 20 ตัวอักษร และไม่มีเครื่องหมาย",
    full="มีได้ 24 หมวด รวมหมวดที่ไม่ใช้ก่อน เช่น “รวมการศึกษากับอื่นๆ”",
    in_use=lambda name, n: f"“{name}” ยังมี {n} รายการ บอกก่อนว่าจะรวมกับหมวดไหน เช่น “รวม{name}กับอื่นๆ”",
    last="ต้องเหลืออย่างน้อยหนึ่งหมวด",
    since="หมวดถูกแก้อีกหลังจากนั้น เลยยังไม่ได้แตะ พิมพ์ “เลิกทำ” เพื่อย้อนจากครั้งล่าสุด",
)
_ENGLISH: Final = CategoryWords(
    listed="Categories: {}".format,
    learnt_words="Learnt: {}".format,
    how="Say “rename Food to Eating”, “merge Education into Other”, “coffee goes under Fun from now on” or "
    "“add category Pets”.",
    renamed="Renamed: category “{}” → “{}”".format,
    merged="Merged: “{}” → “{}”".format,
    moved=lambda n: f", {n} record{'' if n == 1 else 's'} with it",
    learnt="Learnt: “{}” goes under “{}” from now on".format,
    added="Added: category “{}”".format,
    dropped="Removed: category “{}”".format,
    new=" (a new category)",
    back=lambda done: f"Undone: {done}",
    already="“{}” is there already.".format,
    unknown=lambda name, names: f"There is no category “{name}”. There are: {names}",
    unfit="A category has at most 20 characters, without punctuation.",
    full="There can be 24 categories; merge what you don't use first, such as “merge Education into Other”.",
    in_use=lambda name, n: (
        f"“{name}” has {n} record{'' if n == 1 else 's'}; say where to, such as “merge {name} into Other”."
    ),
    last="One category has to stay.",
    since="The categories have been changed since, so I left this alone. “Undo” goes back from the latest change.",
)
_WORDS: Final[Mapping[Language, CategoryWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}

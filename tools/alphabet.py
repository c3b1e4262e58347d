"""One alphabet for what people write, so that every table of words needs one spelling.

Pure. Half width, lower case, traditional characters, Arabic digits; character by character, so that what is found in a
folded text stands at the same place in the text itself. It is for comparing alone: nothing folded is stored or shown.
Must not know what a text is about.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

_FORMS: Final[Mapping[str, str]] = dict(
    zip(
        "记备点务设闹钟别约联认换车图书卖买缴还号码给诉显页员开关灯气温乐词译时电话机会议饭谈单饮营养费钱块币资奖红课动诊医药楼锻"
        "炼顿赚结净进帐项销总计统订预报扫挂续读写办删减长缩转发购类么吗谁刚后这个来为从现鍾礼两间里裏当国历昼万亿参陆圆镑铢卢欧韩马贰"
        "过连内与于圣诞节劳庆双旧寻听对几",
        "記備點務設鬧鐘別約聯認換車圖書賣買繳還號碼給訴顯頁員開關燈氣溫樂詞譯時電話機會議飯談單飲營養費錢塊幣資獎紅課動診醫藥樓鍛"
        "鍊頓賺結淨進帳項銷總計統訂預報掃掛續讀寫辦刪減長縮轉發購類麼嗎誰剛後這個來為從現鐘禮兩間裡裡當國歷晝萬億參陸圓鎊銖盧歐韓馬貳"
        "過連內與於聖誕節勞慶雙舊尋聽對幾",
        strict=True,
    )
)
"""Simplified characters, and variants, of the words we know. A character without a word of ours needs no entry."""


def fold(text: str) -> str:
    """The text in one alphabet, of the same length."""
    return "".join(map(_folded, text))


def fold_pattern(expression: str) -> str:
    r"""A regular expression over folded text. Only its characters' forms change: ``\S`` and ``\s`` stay two things."""
    return "".join(_FORMS.get(char, char) for char in expression)


def _folded(char: str) -> str:
    if char.isdecimal():
        return str(int(char))
    normal = unicodedata.normalize("NFKC", char).lower()
    return _FORMS.get(normal, normal) if len(normal) == 1 else char

"""The words people use for time: every language's table, and what is written the same everywhere.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.when.rules import Language, Rule
from tools.when.words_en import EN
from tools.when.words_ja import JA
from tools.when.words_th import TH, THAI_MONTHS
from tools.when.words_zh import ZH

_SEP = r"(?P<sep>[-/.])"
ANY = Language(
    number=r"\d{1,4}",
    units={},
    amount=r"(?!)",
    rules=(
        Rule(rf"(?P<y>\d{{4}}){_SEP}(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})", "ymd"),
        Rule(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)", "ymd"),
        Rule(rf"(?P<y>1[0-4]\d){_SEP}(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})", "ymd", "roc"),
        Rule(rf"(?P<a>\d{{1,2}}){_SEP}(?P<b>\d{{1,2}})(?P=sep)(?P<y>\d{{4}})", "two_and_year"),
        Rule(r"(?P<a>\d{1,2})/(?P<b>\d{1,2})", "two"),
        Rule(r"(?P<y>(?:19|20)\d\d)[-/.](?P<m>0\d|1[0-2]|[1-9])", "ymd"),
        Rule(r"(?P<y>(?:19|20)\d\d)", "year", weak=True),
        Rule(
            r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)t(?P<h>\d\d):(?P<mi>\d\d)(?::(?P<s>\d\d)(?:\.\d+)?)?"
            r"(?P<z>z|[+-]\d\d:?\d\d)?",
            "iso",
        ),
        Rule(r"(?P<h>\d{1,2}):(?P<mi>\d\d)(?::(?P<s>\d\d))?", "clock"),
        Rule(r"(?P<h>\d{1,2})(?:[:.](?P<mi>\d\d)(?::(?P<s>\d\d))?)?\s*(?P<ap>[ap])\.?m(?:\.(?!\d))?", "clock"),
        Rule(r"(?P<h>1[01]|[1-9])(?:[:.](?P<mi>\d\d))?(?P<ap>[ap])\.?", "clock", weak=True),
        Rule(r"[ap]\.?m\.?", "meridiem", weak=True),
        Rule(r"~|-{1,2}|[–—]{1,2}|〜|ー", "to"),
        Rule(r"(?<=[\dz])/(?=\d{4}-\d\d-)", "to"),
        Rule(r"[\s,、的()]+", "fill"),
        Rule(r"\d{1,2}", "number", weak=True),
    ),
)

LANGUAGES: tuple[Language, ...] = (ANY, ZH, JA, TH, EN)

WEEKDAYS: Mapping[str, int] = {
    **{char: index for index, char in enumerate("一二三四五六日")}, "天": 6, **{str(n): n - 1 for n in range(1, 7)},
    **{char: index for index, char in enumerate("月火水木金土")},
    **dict(zip(("げつ", "か", "すい", "もく", "きん", "ど", "にち"), range(7), strict=True)),
    **dict(zip(("จันทร์", "อังคาร", "พุธ", "พฤหัสบดี", "ศุกร์", "เสาร์", "อาทิตย์"), range(7), strict=True)), "พฤหัส": 3,
    **dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), range(7), strict=True)),
}  # fmt: skip

MONTHS: tuple[tuple[str, ...], ...] = tuple(
    (english, thai)
    for english, thai in zip(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), THAI_MONTHS, strict=True
    )
)

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

_CHINESE = ("Asia/Taipei", "Asia/Hong_Kong", "Asia/Macau", "Asia/Shanghai")
_SEP = r"[-/.]"
_HMS = r"(?P<h>\d\d):(?P<mi>[0-5]\d)(?::(?P<s>[0-5]\d)(?:[.,]\d+)?)?"
_BASIC = r"(?P<h>\d\d)(?P<mi>[0-5]\d)?(?P<s>[0-5]\d)?(?:[.,]\d+)?"
_ZONE = r"(?:(?P<z>z|[-+−]\d\d(?::?\d\d)?))?"
_LENGTH = (
    r"p(?=t?\d)(?:(?P<y>\d{1,4})y)?(?:(?P<mo>\d{1,4})m)?(?:(?P<w>\d{1,4})w)?(?:(?P<d>\d{1,5})d)?"
    r"(?:t(?=\d)(?:(?P<h>\d{1,5}(?:[.,]\d{1,3})?)h)?(?:(?P<mi>\d{1,5}(?:[.,]\d{1,3})?)m)?"
    r"(?:(?P<s>\d{1,6}(?:[.,]\d{1,6})?)s)?)?"
)
ANY = Language(
    number=r"\d{1,4}",
    units={},
    amount=r"(?!)",
    rules=(
        Rule(rf"(?P<y>\d{{4}}){_SEP}(?P<m>\d{{1,2}}){_SEP}(?P<d>\d{{1,2}})", "ymd"),
        Rule(r"(?P<y>(?:19|20)\d\d)(?:,\s?|\s)(?P<m>\d{1,2})(?:,\s?|\s)(?P<d>\d{1,2})", "ymd", weak=True),
        Rule(r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)", "ymd"),
        Rule(rf"(?P<y>1[0-4]\d){_SEP}(?P<m>\d{{1,2}}){_SEP}(?P<d>\d{{1,2}})", "ymd", "roc"),
        Rule(rf"(?P<a>\d{{1,2}}){_SEP}(?P<b>\d{{1,2}}){_SEP}(?P<y>\d{{4}})(?:[-:](?=\d{{1,2}}:\d\d))?", "two"),
        Rule(r"(?P<a>\d{1,2})/(?P<b>\d{1,2})", "two"),
        Rule(r"(?P<a>\d{1,2})\.(?P<b>\d{1,2})\.(?!\d)", "two", "day_first", weak=True),
        Rule(r"(?P<a>1[3-9]|2\d|3[01])\.(?P<b>0?[1-9]|1[0-2])(?![.\d])", "two", "dotted", weak=True),
        Rule(r"(?P<a>0\d)-(?P<b>\d\d)(?![-:.\d])", "two"),
        Rule(r"(?P<a>\d{1,2})-(?P<b>\d{1,2})(?=\s+\d{1,2}:\d\d)", "two"),
        Rule(r"(?P<y>(?:19|20)\d\d)[-/.](?P<m>0\d|1[0-2]|[1-9])", "ymd"),
        Rule(r"(?P<m>0\d|1[0-2]|[1-9])/(?P<y>(?:19|20)\d\d)", "ymd"),
        Rule(r"(?P<y>(?:19|20)\d\d)", "year", weak=True),
        Rule(rf"(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)(?:t|\s(?=\S+(?:z|[-+−]\d\d))){_HMS}\s?{_ZONE}", "iso"),
        Rule(rf"(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)t(?P<h>\d\d){_ZONE}", "iso"),
        Rule(rf"(?P<y>\d{{4}})(?P<m>\d\d)(?P<d>\d\d)t{_BASIC}{_ZONE}", "iso"),
        Rule(r"(?P<y>\d{4})-?w(?P<n>\d\d)(?:-?(?P<w>[1-7]))?", "iso_week"),
        Rule(r"(?P<y>(?:19|20)\d\d)-(?P<n>[0-3]\d\d)", "iso_ordinal"),
        Rule(_LENGTH, "iso_length"),
        Rule(r"(?:(?<!\d)|(?<=w\d\d-\d)|(?<=-\d\d\d))t(?P<h>\d\d)(?::?(?P<mi>\d\d)(?::?(?P<s>\d\d))?)?",
             "iso_clock", weak=True),
        Rule(r"(?P<h>\d{1,2}):(?P<mi>\d\d)(?::(?P<s>\d\d))?", "clock"),
        Rule(r"(?P<h>\d{1,2})(?:[:.](?P<mi>\d\d)(?::(?P<s>\d\d))?)?\.?\s*(?P<ap>[ap])\s?\.?\s?m\b(?:\s?\.(?!\d))?",
             "clock"),
        Rule(r"(?P<h>\d{1,2})(?P<mi>[0-5]\d)\s*(?P<ap>[ap])\.?m\b(?:\.(?!\d))?", "clock"),
        Rule(r"(?P<h>1[01]|[1-9])(?:[:.](?P<mi>\d\d))?(?P<ap>[ap])\.?", "clock", weak=True),
        Rule(r"[ap]\.?m\b\.?", "meridiem", weak=True),
        Rule(r"(?P<y>\d{4})\s?(?:q|第)(?P<n>[1-4])\b", "piece", 3),
        Rule(r"q(?P<n>[1-4])(?:\s?[/-]?\s?(?P<y>\d{4}))?", "piece", 3),
        Rule(r"(?P<y>\d{4})\s?h(?P<n>[12])\b", "piece", 6),
        Rule(r"前日", "local", {"Asia/Tokyo": -1, **dict.fromkeys(_CHINESE, -2)}),
        Rule(r"~|〜|ー", "to"),
        Rule(r"-{1,2}|[–—]{1,2}", "dash"),
        Rule(r"(?<=[\dz])/(?=\d{4}-\d\d-|p\d|pt\d|\d{8}t)|(?<=\dw)/(?=\d{4})|(?<=\d[ymdhs])/(?=\d{4})", "dash"),
        Rule(r"\s*(?:[、・&]|(?<=\d) / (?=\d))\s*|,\s*(?=\d{4}年|\d{1,2}/\d|\d{1,2}月)", "list"),
        Rule(r"[\s,的()]+", "fill"),
        Rule(r"\d{1,2}", "number", weak=True),
    ),
)  # fmt: skip

LANGUAGES: tuple[Language, ...] = (ANY, ZH, JA, TH, EN)

WEEKDAYS: Mapping[str, int] = {
    **{char: index for index, char in enumerate("一二三四五六日")}, "天": 6, **{str(n): n - 1 for n in range(1, 7)},
    **{char: index for index, char in enumerate("月火水木金土")},
    **dict(zip(("げつ", "か", "すい", "もく", "きん", "ど", "にち"), range(7), strict=True)),
    **dict(zip(("จันทร์", "อังคาร", "พุธ", "พฤหัสบดี", "ศุกร์", "เสาร์", "อาทิตย์"), range(7), strict=True)), "พฤหัส": 3,
    **dict(zip(("จ", "อ", "พ", "พฤ", "ศ", "ส", "อา"), range(7), strict=True)),
    **dict(zip(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), range(7), strict=True)),
}  # fmt: skip

MONTHS: tuple[tuple[str, ...], ...] = tuple(
    (f"{english}[a-z]*", thai)
    for english, thai in zip(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), THAI_MONTHS, strict=True
    )
)

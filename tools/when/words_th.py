"""The words for time in Thai.

Data only; ``rules`` says how a row is read. Must not know what day it is.
"""

from __future__ import annotations

from tools.number_words import THAI_DIGITS
from tools.when.rules import Language, Rule, days, holidays, parts, periods

_T1 = "หนึ่ง|เอ็ด|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า"
_TN = rf"(?:\d{{1,4}}|(?:ยี่|{_T1})?สิบ(?:{_T1})?|ศูนย์|{_T1})"


def _month(name: str, first: str, second: str) -> str:
    """The whole name, or its two signs; without dots these are found in many words, and must stand alone."""
    return rf"{name}|{first}\.{second}\.?|(?<![ก-๛]){first}{second}(?:\.|(?![ก-๛]))"


THAI_MONTHS = tuple(
    _month(*each.split())
    for each in (
        "มกราคม ม ค", "กุมภาพันธ์ ก พ", "มีนาคม มี ค", "เมษายน เม ย", "พฤษภาคม พ ค", "มิถุนายน มิ ย",
        "กรกฎาคม ก ค", "สิงหาคม ส ค", "กันยายน ก ย", "ตุลาคม ต ค", "พฤศจิกายน พ ย", "ธันวาคม ธ ค",
    )
)  # fmt: skip
_TM = "(?P<mn>" + "|".join(THAI_MONTHS) + ")"
_TW = r"(?P<w>จันทร์|อังคาร|พุธ|พฤหัสบดี|พฤหัส|ศุกร์|เสาร์|อาทิตย์)"
_TAGO = "ที่แล้ว|ที่ผ่านมา|ก่อน"
_TMIN = r"(?:\s*(?:(?P<half>ครึ่ง)|(?P<mi><n>)\s*(?:นาที)?))?(?:\s*(?P<s><n>)\s*วินาที)?"
TH = Language(
    scripts=frozenset({"thai"}),
    number=_TN,
    numbers=THAI_DIGITS,
    units={
        "ปี": "year", "เดือน": "month", "สัปดาห์": "week", "อาทิตย์": "week", "วัน": "day", "ชั่วโมง": "hour", "ชม.": "hour",
        "นาที": "minute", "วินาที": "second", "ไตรมาส": "quarter",
    },
    amount=(
        rf"(?:(?P<n>{_TN}|ครึ่ง)\s*(?P<u>ปี|เดือน|สัปดาห์|อาทิตย์|วัน(?!ที่\s*\d)|ชั่วโมง|ชม\.|ไตรมาส|นาที|วินาที)(?P<after>ครึ่ง)?\s*)"
    ),
    rules=(
        *days({
            "เมื่อวานซืน(?:นี้)?|วานซืน": -2, "เมื่อวาน(?:นี้)?": -1, "วันนี้": 0, "(?:วัน)?พรุ่งนี้": 1, "(?:วัน)?มะรืน(?:นี้)?": 2,
        }),
        *holidays({
            "วันขึ้นปีใหม่|วันปีใหม่": (1, 1), "วันวาเลนไทน์": (2, 14), "(?:วัน)?สงกรานต์": (4, 13), "วันแรงงาน": (5, 1),
            "วันพ่อ(?:แห่งชาติ)?": (12, 5), "วันแม่(?:แห่งชาติ)?": (8, 12), "(?:วัน)?คริสต์มาสอีฟ": (12, 24),
            "(?:วัน)?คริสต์มาส": (12, 25), "(?:วัน)?สิ้นปี": (12, 31),
        }),
        Rule("(?:วัน)?ตรุษจีน", "lunar", (1, 1)),
        Rule("(?:วัน)?ไหว้พระจันทร์", "lunar", (8, 15)),
        Rule("(?:วัน)?สารทจีน", "lunar", (7, 15)),
        Rule("ทั้งวัน|ตลอดวัน|ตลอดทั้งวัน", "fill"),
        Rule("คืนนี้|ค่ำนี้", "day_part", (0, "evening")),
        Rule("เย็นนี้", "day_part", (0, "late")),
        Rule("เช้านี้", "day_part", (0, "morning")),
        Rule("บ่ายนี้", "day_part", (0, "afternoon")),
        Rule("เมื่อคืน(?:นี้)?", "day_part", (-1, "evening")),
        Rule("ตอนนี้|เดี๋ยวนี้|ขณะนี้", "now", weak=True),
        *parts({
            "morning": "(?:ตอน)?เช้า", "afternoon": "(?:ตอน)?บ่าย", "late": "(?:ตอน)?เย็น",
            "evening": "ตอนค่ำ|ตอนกลางคืน|ค่ำ|ตอนดึก",
        }),
        Rule("(?:ตอน)?เที่ยงคืน" + _TMIN, "clock_on", "midnight"),
        Rule("(?:ตอน)?เที่ยง(?:วัน)?(?:ตรง)?" + _TMIN, "clock_on", "noon"),
        Rule("(?:ตอน)?ตี\\s*(?P<h>[1-6]|หนึ่ง|สอง|สาม|สี่|ห้า|หก)" + _TMIN, "clock_on", "dawn"),
        Rule("(?:ตอน)?บ่าย\\s*(?P<h>[1-5]|หนึ่ง|สอง|สาม|สี่|ห้า)?\\s*โมง" + _TMIN, "clock_on", "afternoon"),
        Rule("(?:ตอน)?บ่าย\\s*(?P<h>[1-5]|หนึ่ง|สอง|สาม|สี่|ห้า)(?:\\s*(?P<half>ครึ่ง))?(?![\\d:])", "clock_on", "afternoon"),
        Rule("(?P<h><n>)\\s*โมงเย็น" + _TMIN, "clock_on", "late"),
        Rule("(?P<h><n>)\\s*โมงเช้า" + _TMIN, "clock_on", "morning"),
        Rule("(?P<h><n>)[.:](?P<mi>\\d\\d)\\s*โมงเช้า", "clock_on", "morning"),
        Rule("(?P<h><n>)[.:](?P<mi>\\d\\d)\\s*โมงเย็น", "clock_on", "late"),
        Rule("(?P<h><n>)[.:](?P<mi>\\d\\d)\\s*โมง", "clock"),
        Rule("(?P<h><n>)\\s*โมง" + _TMIN, "clock"),
        Rule("(?P<h><n>)\\s*ทุ่ม" + _TMIN, "clock_on", "thum"),
        Rule("(?P<h><n>)\\s*(?:นาฬิกา)" + _TMIN, "clock", "literal"),
        Rule(r"(?P<h>\d{1,2})(?:[:.](?P<mi>\d\d)(?::(?P<s>\d\d))?)?\s*น\.?(?![ก-๛])", "clock", "literal"),
        Rule(rf"(?:วัน)?{_TW}\s*(?P<rel>นี้|หน้า|{_TAGO})", "weekday",
             {"นี้": 0, "หน้า": 1, "ที่แล้ว": "past", "ที่ผ่านมา": "past", "ก่อน": "past"}),
        Rule(rf"วัน{_TW}(?:ที่)?", "weekday", {}),
        Rule(_TW, "weekday", {}, weak=True),
        Rule(r"(?P<w>จ|อา?|พฤ?|ศ|ส)\.(?=\s*\d{1,2}\s*\S)", "weekday", {}, weak=True),
        *periods("week", {
            f"(?:สัปดาห์|อาทิตย์)(?:{_TAGO})": -1, "(?:ใน)?(?:สัปดาห์|อาทิตย์)นี้": 0, "(?:สัปดาห์|อาทิตย์)หน้า": 1,
        }),
        *periods("weekend", {"สุดสัปดาห์นี้|เสาร์อาทิตย์นี้": 0, "สุดสัปดาห์หน้า|เสาร์อาทิตย์หน้า": 1}),
        *periods("month", {f"เดือน(?:{_TAGO})": -1, "เดือนนี้": 0, "เดือนหน้า": 1}),
        *periods("year", {f"ปี(?:{_TAGO})": -1, "ปีนี้": 0, "ปีหน้า": 1}),
        *periods("quarter", {f"ไตรมาส(?:{_TAGO})": -1, "ไตรมาสนี้": 0, "ไตรมาสหน้า": 1}),
        Rule(r"ไตรมาส(?:ที่)?\s*(?P<n>[1-4]|หนึ่ง|สอง|สาม|สี่)(?:\s*(?:ของ)?(?:ปี)?\s*/?\s*(?P<y>\d{4}))?", "piece", 3),
        Rule("ไตรมาสแรก", "piece_is", (3, 1)),
        Rule("ไตรมาสสุดท้าย", "piece_is", (3, 4)),
        Rule("ครึ่งปีแรก", "piece_is", (6, 1)),
        Rule("ครึ่งปีหลัง", "piece_is", (6, 2)),
        Rule(r"(?:สัปดาห์|อาทิตย์)ที่\s*(?P<n>\d{1,2}|หนึ่ง|สอง|สาม|สี่|ห้า)", "nth_week"),
        Rule("(?:สัปดาห์|อาทิตย์)แรก", "nth_week", 1),
        Rule("(?:สัปดาห์|อาทิตย์)สุดท้าย", "nth_week", -1),
        Rule("วันแรก", "nth_day", 1),
        Rule("วันสุดท้าย", "nth_day", -1),
        Rule(rf"วัน{_TW}(?:ที่)?แรก", "nth_weekday", 1),
        Rule(rf"วัน{_TW}สุดท้าย", "nth_weekday", -1),
        Rule(rf"วัน{_TW}ที่\s*(?P<n>[1-5]|หนึ่ง|สอง|สาม|สี่|ห้า)\s*ของ", "nth_weekday"),
        Rule("สัปดาห์ของ|สัปดาห์ที่มี", "around", "week"),
        Rule("สิ้นเดือน(?:นี้)?", "edge", "end"),
        Rule("สิ้นเดือนหน้า", "month_end", 1),
        Rule(rf"(?:วันที่\s*)?(?P<d>\d{{1,2}})\s*(?:เดือน)?{_TM}(?:\s*(?:พ\.?ศ\.?|ค\.?ศ\.?)?\s*(?P<y>\d{{4}}))?", "ymd"),
        Rule(rf"(?:เดือน)?{_TM}(?:\s*(?:พ\.?ศ\.?|ค\.?ศ\.?|ปี)?\s*(?P<y>\d{{4}}))?", "ymd"),
        Rule(r"(?:พ\.?ศ\.?|ค\.?ศ\.?|ปี)\s*(?P<y>\d{4})", "year"),
        Rule(r"วันที่\s*(?P<d>\d{1,2})", "dom"),
        Rule("(?:ใน)?อีก\\s*(?P<a><amounts>)(?:ข้างหน้า)?", "shift", 1),
        Rule("(?:ภาย)?ใน\\s*(?P<a><amounts>)", "shift", 1),
        Rule("(?P<a><amounts>)(?:หลังจากนี้|ข้างหน้า|ต่อจากนี้)", "shift", 1),
        Rule(f"(?P<a><amounts>)(?:{_TAGO})", "shift", -1),
        Rule("(?P<a><amounts>)(?:ล่าสุด|ที่ผ่านมานี้)", "rolling", "incl"),
        Rule("(?P<a><amounts>)(?:หลังจาก|นับจาก|จาก)(?!นี้|ตอนนี้)", "onward"),
        Rule("(?P<a><amounts>)(?:ตั้งแต่|เริ่มตั้งแต่|เริ่มจาก|เริ่ม)", "lasting"),
        Rule("(?:เป็นเวลา|นาน|เป็นระยะเวลา)\\s*(?P<a><amounts>)", "lasting"),
        Rule("ก่อน", "before", weak=True),
        Rule("ถึง|จนถึง", "to"),
        Rule("และ|กับ", "and"),
        Rule("ตั้งแต่|จาก|เริ่ม", "from"),
        Rule("ระหว่าง", "between"),
        Rule("เวลา|ตอน|ตรง|ในวัน|ของ|ภายใน(?=วัน|สัปดาห์|เดือน|พรุ่งนี้|มะรืน)", "fill"),
    ),
)  # fmt: skip

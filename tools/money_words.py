"""The words people use for money: what each means, and how amounts are written to a person.

Data only. Words are in the folded alphabet of ``money`` (half-width, lower case, traditional characters). Must not know
who asks.
"""

from __future__ import annotations

from collections.abc import Mapping

UNSAID = ""
"""A word for money that does not say whose: the amount then has no currency."""

SYMBOLS: Mapping[str, str] = {
    "nt$": "TWD", "ntd$": "TWD", "us$": "USD", "hk$": "HKD", "s$": "SGD", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD",
    "nz$": "NZD", "r$": "BRL", "us $": "USD", "hk $": "HKD", "c $": "CAD", "rm": "MYR", "rmb": "CNY", "ntd": "TWD",
    "nt": "TWD", "cn¥": "CNY", "jp¥": "JPY",
    "$": UNSAID, "¥": UNSAID, "\\": "JPY", "€": "EUR", "£": "GBP", "฿": "THB", "₩": "KRW", "₹": "INR", "₫": "VND",
    "₱": "PHP",
}  # fmt: skip
"""Written in front. ``$`` and ``¥`` are several countries' signs: they leave the currency open. Keyboards in
Japan write ¥ as a backslash."""

WORDS: Mapping[str, str] = {
    # Chinese
    "元": UNSAID, "塊": UNSAID, "塊錢": UNSAID, "元整": UNSAID, "圓": UNSAID, "圓整": UNSAID, "蚊": "HKD",
    "臺幣": "TWD", "台幣": "TWD", "新臺幣": "TWD", "新台幣": "TWD", "臺灣元": "TWD", "人民幣": "CNY", "元人民幣": "CNY",
    "美元": "USD", "美金": "USD", "日元": "JPY", "日幣": "JPY", "日圓": "JPY", "元日幣": "JPY", "港幣": "HKD",
    "港元": "HKD",
    "歐元": "EUR", "英鎊": "GBP", "韓元": "KRW", "韓幣": "KRW", "韓圜": "KRW", "泰銖": "THB", "泰幣": "THB",
    "澳幣": "AUD",
    "澳元": "AUD", "加幣": "CAD", "加元": "CAD", "新幣": "SGD", "新加坡幣": "SGD", "瑞士法郎": "CHF", "盧布": "RUB",
    "越南盾": "VND", "披索": "PHP", "令吉": "MYR", "馬幣": "MYR", "印尼盾": "IDR",
    # Japanese
    "円": "JPY", "人民元": "CNY", "ドル": "USD", "米ドル": "USD", "香港ドル": "HKD", "台湾ドル": "TWD",
    "台灣ドル": "TWD",
    "ユーロ": "EUR", "ポンド": "GBP", "ウォン": "KRW", "バーツ": "THB", "豪ドル": "AUD",
    # Thai
    "บาท": "THB", "บ.": "THB", "ดอลลาร์": "USD", "ดอลลาร์สหรัฐ": "USD", "เยน": "JPY", "หยวน": "CNY", "ยูโร": "EUR",
    "ปอนด์": "GBP",
    "วอน": "KRW",
    # English
    "dollar": UNSAID, "dollars": UNSAID, "buck": UNSAID, "bucks": UNSAID, "pound": UNSAID, "pounds": UNSAID,
    "yen": "JPY",
    "euro": "EUR", "euros": "EUR", "baht": "THB", "yuan": "CNY", "won": "KRW", "us dollar": "USD", "us dollars": "USD",
    "australian dollars": "AUD", "canadian dollars": "CAD", "hong kong dollars": "HKD", "singapore dollars": "SGD",
    "taiwan dollars": "TWD", "swiss francs": "CHF", "ringgit": "MYR", "ringgits": "MYR", "malaysian ringgit": "MYR",
    "british pounds": "GBP",
    "pounds sterling": "GBP", "quid": "GBP",
    "€": "EUR", "£": "GBP", "฿": "THB", "$": UNSAID,
}  # fmt: skip
"""Written behind (Chinese and English names in front too)."""

SCALES: Mapping[str, int] = {
    "十": 10, "百": 100, "千": 1_000, "萬": 10_000, "億": 100_000_000, "k": 1_000, "m": 1_000_000,
    "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "hundred": 100, "mil": 1_000_000,
    "ร้อย": 100, "พัน": 1_000, "หมื่น": 10_000, "แสน": 100_000, "ล้าน": 1_000_000,
}  # fmt: skip
"""A number's last word: 1.2萬, 7千, 3k, 2 million, 5 พัน."""

HAN_DIGITS: Mapping[str, int] = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")}, "〇": 0, "兩": 2,
    **{char: value for value, char in enumerate("零壹貳參肆伍陸柒捌玖")}, "叄": 3, "叁": 3,
}  # fmt: skip
HAN_SMALL: Mapping[str, int] = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
HAN_LARGE: Mapping[str, int] = {"萬": 10_000, "億": 100_000_000}

THAI_DIGITS: Mapping[str, int] = {
    "ศูนย์": 0, "หนึ่ง": 1, "เอ็ด": 1, "สอง": 2, "ยี่": 2, "สาม": 3, "สี่": 4, "ห้า": 5, "หก": 6, "เจ็ด": 7, "แปด": 8, "เก้า": 9,
}  # fmt: skip
THAI_SCALES: Mapping[str, int] = {
    "สิบ": 10, "ร้อย": 100, "พัน": 1_000, "หมื่น": 10_000, "แสน": 100_000, "ล้าน": 1_000_000,
}  # fmt: skip
ENGLISH_NUMBERS: Mapping[str, int] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip

MONEY_SIMPLIFIED: Mapping[str, str] = dict(
    zip("块币钱万亿两参陆圆镑铢卢欧韩马贰", "塊幣錢萬億兩參陸圓鎊銖盧歐韓馬貳", strict=True)
)

HOME: Mapping[tuple[str, str], str] = {
    ("zh-TW", "TWD"): "{} 元", ("ja", "JPY"): "{}円", ("th", "THB"): "{} บาท", ("en", "USD"): "${}",
}  # fmt: skip
"""How people at home write their own money."""

ABROAD: Mapping[str, str] = {
    "TWD": "NT${}", "JPY": "¥{}", "USD": "US${}", "EUR": "€{}", "GBP": "£{}", "HKD": "HK${}", "KRW": "₩{}",
    "THB": "฿{}", "SGD": "S${}", "AUD": "A${}", "CAD": "C${}",
}  # fmt: skip
"""How other people's money is written; any other has its code in front."""

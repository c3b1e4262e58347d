"""The words people use for money: what each means, and how amounts are written to a person.

Data only. Words are in the one alphabet of ``alphabet``. Must not know who asks.
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

HOME: Mapping[tuple[str, str], str] = {
    ("zh-TW", "TWD"): "{} 元", ("ja", "JPY"): "{}円", ("th", "THB"): "{} บาท", ("en", "USD"): "${}",
}  # fmt: skip
"""How people at home write their own money."""

ABROAD: Mapping[str, str] = {
    "TWD": "NT${}", "JPY": "¥{}", "USD": "US${}", "EUR": "€{}", "GBP": "£{}", "HKD": "HK${}", "KRW": "₩{}",
    "THB": "฿{}", "SGD": "S${}", "AUD": "A${}", "CAD": "C${}",
}  # fmt: skip
"""How other people's money is written; any other has its code in front."""

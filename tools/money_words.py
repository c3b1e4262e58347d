"""The words people use for money: what each means, and how amounts are written to a person.

Data only. Words are in the one alphabet of ``alphabet``. Must not know who asks.
"""

from __future__ import annotations

from collections.abc import Mapping

from tools.currency_names import CENTS, DOLLARS, ENGLISH_NAMES, JIAO, NAMES_WITH_COUNTRY, RUPEES, YEN

UNSAID = ""
"""A word for money that does not say whose: the amount then has no currency."""

SYMBOLS: Mapping[str, str] = {
    "nt$": "TWD", "ntd$": "TWD", "us$": "USD", "hk$": "HKD", "s$": "SGD", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "sg$": "SGD", "mop$": "MOP", "mx$": "MXN",
    "nz$": "NZD", "r$": "BRL", "us $": "USD", "hk $": "HKD", "c $": "CAD", "rm": "MYR", "rmb": "CNY", "ntd": "TWD",
    "nt": "TWD", "nt.": "TWD", "cn¥": "CNY", "jp¥": "JPY",
    "u.s.$": "USD", "u.s. $": "USD", "u.s $": "USD", "u.s$": "USD",
    "$": DOLLARS, "¥": YEN, "\\": "JPY", "€": "EUR", "£": "GBP", "฿": "THB", "₩": "KRW", "₹": "INR", "₫": "VND",
    "₱": "PHP", "₡": "CRC", "₪": "ILS", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₦": "NGN", "₭": "LAK", "₮": "MNT",
    "₲": "PYG", "₵": "GHS", "₸": "KZT", "₼": "AZN", "₾": "GEL", "៛": "KHR", "rs": RUPEES, "rs.": RUPEES,
}  # fmt: skip
"""Written in front. ``$`` and ``¥`` are several countries' signs: they leave the currency open. Keyboards in
Japan write ¥ as a backslash."""

WORDS: Mapping[str, str] = {
    # Chinese
    "元": UNSAID, "塊": UNSAID, "塊錢": UNSAID, "元整": UNSAID, "圓": UNSAID, "圓整": UNSAID, "蚊": "HKD",
    "nt": "TWD", "ntd": "TWD", "rmb": "CNY",
    "臺幣": "TWD", "台幣": "TWD", "新臺幣": "TWD", "新台幣": "TWD", "臺灣元": "TWD", "人民幣": "CNY", "元人民幣": "CNY",
    "人民元": "CNY",
    "美元": "USD", "美金": "USD", "日元": "JPY", "日幣": "JPY", "日圓": "JPY", "元日幣": "JPY", "港幣": "HKD",
    "港元": "HKD",
    "歐元": "EUR", "英鎊": "GBP", "韓元": "KRW", "韓幣": "KRW", "韓圜": "KRW", "泰銖": "THB", "泰幣": "THB",
    "澳幣": "AUD",
    "澳元": "AUD", "加幣": "CAD", "加元": "CAD", "新幣": "SGD", "新加坡幣": "SGD", "瑞士法郎": "CHF", "盧布": "RUB",
    "越南盾": "VND", "披索": "PHP", "令吉": "MYR", "馬幣": "MYR", "印尼盾": "IDR",
    # Japanese
    "円": "JPY", "ドル": DOLLARS, "どる": DOLLARS, "米ドル": "USD", "香港ドル": "HKD", "台湾ドル": "TWD",
    "台灣ドル": "TWD",
    "ユーロ": "EUR", "ポンド": "GBP", "ウォン": "KRW", "バーツ": "THB", "豪ドル": "AUD",
    # Thai
    "บาท": "THB", "บ.": "THB", "ดอลลาร์": "USD", "ดอลลาร์สหรัฐ": "USD", "เยน": "JPY", "หยวน": "CNY", "ยูโร": "EUR",
    "ปอนด์": "GBP",
    "วอน": "KRW",
    # English
    **ENGLISH_NAMES, **NAMES_WITH_COUNTRY,
    # no country's: read, that it can be said that it is not kept
    "bitcoin": "BTC", "bitcoins": "BTC", "btc": "BTC", "₿": "BTC", "比特幣": "BTC", "個比特幣": "BTC",
    "ビットコイン": "BTC", "บิตคอยน์": "BTC", "peseta": "ESP", "pesetas": "ESP",
}  # fmt: skip
"""Written behind (Chinese and English names in front too): a code, or one of ``SHARED``, or ``UNSAID``."""

MINORS: Mapping[str, str] = {
    "cent": CENTS, "cents": CENTS, "pence": "GBP", "penny": "GBP", "pennies": "GBP", "sen": "MYR", "sens": "MYR",
    "paise": "INR", "paisa": "INR", "satang": "THB", "สตางค์": "THB", "美分": "USD", "セント": CENTS, "銭": "JPY",
    "เซนต์": CENTS,
}  # fmt: skip
"""Hundredths, behind an amount of their own or behind the whole ones."""
BARE_MINORS: Mapping[str, str] = {"c": CENTS, "p": "GBP", "¢": CENTS, "分": UNSAID}
"""The same, where nothing but an amount stands: elsewhere these mean other things."""
TENTHS: Mapping[str, str] = {"角": JIAO, "毛": UNSAID, "mao": "CNY", "jiao": "CNY", "毫": "HKD"}
"""Where nothing but an amount stands, or behind the whole ones."""

LEAD = (
    "exactly", "only", "just", "about", "around", "approximately", "approx.", "roughly", "大約", "大概", "約", "剛好",
    "正好", "總共", "共", "一共", "およそ", "ちょうど", "合計", "計", "金", "ประมาณ", "ราว", "ราวๆ", "รวม", "แค่",
)  # fmt: skip
TAIL = (
    "only", "exactly", "flat", "整", "正", "左右", "上下", "くらい", "ぐらい", "ほど", "ちょうど", "也",
    "พอดี", "เท่านั้น", "ถ้วน",
)  # fmt: skip
"""Around an amount, which is the same without them."""
CODE_LIKE: Mapping[str, str] = {"btc": "BTC", "xbt": "BTC", "le": "EGP", "l.e": "EGP", "l.e.": "EGP", "le.": "EGP"}
"""What is written like a code, beside ISO 4217."""
CODES_LIKE_WORDS = frozenset({"all", "try", "top", "cup", "mad", "pen", "sos", "gel", "mop", "bob", "bam", "dop"})
"""Codes that are words, too: in a sentence they are these."""
FRACTIONS: Mapping[str, str] = {"half": "0.5", "quarter": "0.25", "three quarters": "0.75", "three-quarters": "0.75"}
"""Of a scale: half a million."""

SCALES: Mapping[str, int] = {
    "十": 10, "百": 100, "千": 1_000, "萬": 10_000, "億": 100_000_000, "k": 1_000, "m": 1_000_000,
    "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "hundred": 100, "mil": 1_000_000,
    "mn": 1_000_000, "bn": 10**9, "trillion": 10**12, "lakh": 100_000, "lakhs": 100_000, "crore": 10**7,
    "crores": 10**7, "兆": 10**12,
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

"""What people call places, languages and currencies when they say how they are to be spoken to.

Pure words; every name is in the one alphabet of ``tools.alphabet``, lower case. Must not know who says it, or what is
done with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

from tools.alphabet import fold
from tools.currency import known
from tools.money_words import SYMBOLS, WORDS
from tools.record import Language

AUTOMATIC: Final = frozenset({"auto", "automatic", "自動", "自动", "自動で", "อัตโนมัติ"})
"""The language of the reply follows what is written again."""

_LANGUAGES: Final[Mapping[Language, str]] = {
    "zh-TW": "zh-tw zh zh-hant 中文 繁中 繁體 繁體中文 正體中文 國語 華語 中国語 中國語 台湾華語 "
    "chinese mandarin ภาษาจีน จีน",
    "ja": "ja jp 日文 日語 日本語 にほんご japanese nihongo ภาษาญี่ปุ่น ญี่ปุ่น",
    "th": "th 泰文 泰語 タイ語 thai ไทย ภาษาไทย",
    "en": "en 英文 英語 えいご english eng อังกฤษ ภาษาอังกฤษ",
}

_PLACES: Final[Mapping[str, str]] = {
    "Asia/Taipei": "台灣 臺灣 台北 臺北 台中 臺中 台南 臺南 高雄 新竹 taiwan taipei kaohsiung 台湾 ไต้หวัน ไทเป",
    "Asia/Tokyo": "日本 东京 冲绳 東京 東京都 大阪 京都 名古屋 札幌 福岡 沖繩 沖縄 japan tokyo osaka kyoto とうきょう "
    "ญี่ปุ่น โตเกียว โอซาก้า",
    "Asia/Bangkok": "泰國 清迈 曼谷 清邁 タイ バンコク チェンマイ thailand bangkok phuket ไทย ประเทศไทย กรุงเทพ "
    "กรุงเทพฯ เชียงใหม่ ภูเก็ต",
    "Asia/Hong_Kong": "香港 hongkong hong_kong hk ホンコン ฮ่องกง",
    "Asia/Macau": "澳門 澳门 macau macao マカオ มาเก๊า",
    "Asia/Shanghai": "中國 广州 广东 大陸 上海 北京 深圳 廣州 廣東 成都 杭州 china shanghai beijing shenzhen เซี่ยงไฮ้ "
    "ปักกิ่ง จีน",
    "Asia/Seoul": "韓國 首尔 首爾 首爾市 釜山 韓国 ソウル 釜山 korea south_korea seoul busan เกาหลี เกาหลีใต้ โซล",
    "Asia/Singapore": "新加坡 シンガポール singapore สิงคโปร์",
    "Asia/Kuala_Lumpur": "馬來西亞 马来西亚 吉隆坡 マレーシア クアラルンプール malaysia "
    "kuala_lumpur มาเลเซีย กัวลาลัมเปอร์",
    "Asia/Ho_Chi_Minh": "越南 河内 胡志明市 河內 ベトナム ホーチミン ハノイ vietnam hanoi saigon ho_chi_minh เวียดนาม "
    "ฮานอย โฮจิมินห์",
    "Asia/Manila": "菲律賓 菲律宾 馬尼拉 フィリピン マニラ philippines manila ฟิลิปปินส์ มะนิลา",
    "Asia/Jakarta": "雅加達 雅加达 ジャカルタ jakarta จาการ์ตา",
    "Asia/Makassar": "峇里島 巴里島 バリ バリ島 bali บาหลี",
    "Asia/Yangon": "緬甸 缅甸 仰光 ミャンマー myanmar yangon เมียนมา พม่า ย่างกุ้ง",
    "Asia/Vientiane": "寮國 老挝 万象 老撾 永珍 ラオス laos vientiane ลาว เวียงจันทน์",
    "Asia/Phnom_Penh": "柬埔寨 金边 金邊 カンボジア プノンペン cambodia phnom_penh กัมพูชา พนมเปญ",
    "Asia/Kolkata": "印度 德里 新德里 孟買 インド デリー ムンバイ india delhi mumbai bangalore kolkata "
    "อินเดีย เดลี มุมไบ",
    "Asia/Dubai": "杜拜 阿联酋 迪拜 阿聯 ドバイ dubai uae ดูไบ",
    "Europe/London": "英國 伦敦 倫敦 イギリス 英国 ロンドン uk england london britain อังกฤษ ลอนดอน",
    "Europe/Paris": "法國 巴黎 フランス パリ france paris ฝรั่งเศส ปารีส",
    "Europe/Berlin": "德國 柏林 慕尼黑 ドイツ ベルリン germany berlin munich เยอรมนี เบอร์ลิน",
    "Europe/Amsterdam": "荷蘭 荷兰 阿姆斯特丹 オランダ アムステルダム netherlands amsterdam เนเธอร์แลนด์",
    "Europe/Rome": "義大利 罗马 米兰 意大利 羅馬 米蘭 イタリア ローマ italy rome milan อิตาลี โรม",
    "Europe/Madrid": "西班牙 巴塞罗那 馬德里 巴塞隆納 スペイン マドリード spain madrid barcelona สเปน",
    "Europe/Zurich": "瑞士 苏黎世 蘇黎世 スイス チューリッヒ switzerland zurich สวิตเซอร์แลนด์",
    "America/New_York": "紐約 纽约 华盛顿 波士頓 華盛頓 ニューヨーク ボストン new_york nyc boston washington นิวยอร์ก",
    "America/Chicago": "芝加哥 达拉斯 休士頓 達拉斯 シカゴ chicago houston dallas ชิคาโก",
    "America/Denver": "丹佛 デンバー denver",
    "America/Los_Angeles": "洛杉磯 洛杉矶 旧金山 硅谷 舊金山 西雅圖 矽谷 ロサンゼルス サンフランシスコ シアトル "
    "los_angeles la san_francisco sf seattle ลอสแอนเจลิส",
    "Pacific/Honolulu": "夏威夷 檀香山 ハワイ ホノルル hawaii honolulu ฮาวาย",
    "America/Toronto": "多倫多 多伦多 トロント toronto โตรอนโต",
    "America/Vancouver": "溫哥華 温哥华 バンクーバー vancouver แวนคูเวอร์",
    "Australia/Sydney": "雪梨 墨尔本 悉尼 墨爾本 坎培拉 シドニー メルボルン sydney melbourne ซิดนีย์ เมลเบิร์น",
    "Australia/Brisbane": "布里斯本 ブリスベン brisbane",
    "Australia/Perth": "伯斯 珀斯 パース perth เพิร์ท",
    "Pacific/Auckland": "紐西蘭 新西兰 奥克兰 新西蘭 奧克蘭 ニュージーランド オークランド new_zealand auckland นิวซีแลนด์",
    "UTC": "utc gmt 格林威治 世界標準時",
}  # fmt: skip

_SEVERAL: Final = (
    "美國 加拿大 澳洲 澳大利亞 印尼 俄羅斯 巴西 墨西哥 アメリカ 米国 カナダ オーストラリア "
    "インドネシア ロシア usa us america canada "
    "australia indonesia russia brazil mexico สหรัฐ สหรัฐอเมริกา อเมริกา แคนาดา ออสเตรเลีย อินโดนีเซีย รัสเซีย"
)
"""Countries with more than one time: which, only a city says."""

_OFFSET: Final = re.compile(r"^(?:utc|gmt) ?(?P<sign>[+-]) ?0?(?P<hours>1[0-4]|\d)(?::?00)?$")


def _named(table: Mapping[Any, str]) -> dict[str, str]:
    return {_folded(name): key for key, names in table.items() for name in names.split()}


def _folded(text: str) -> str:
    return " ".join(fold(unicodedata.normalize("NFKC", text).casefold()).replace("_", " ").split())


_LANGUAGE_OF: Final = _named(_LANGUAGES)
_ZONE_OF: Final = _named(_PLACES)
_MANY: Final = frozenset(map(_folded, _SEVERAL.split()))


def language_named(text: str) -> Language | None:
    """``ja`` for 日本語, Japanese, ญี่ปุ่น; None for a language we do not speak."""
    found = _LANGUAGE_OF.get(_folded(text))
    return next((language for language in _LANGUAGES if language == found), None)


def place_named(text: str) -> str | None:
    """The IANA key of a place: a city or country, the key itself, or ``UTC+8``. "" for a country that has several;
    None for what is not known."""
    name = _folded(text)
    if name in _MANY:
        return ""
    if offset := _OFFSET.match(name):
        return _at_offset(offset["sign"], int(offset["hours"]))
    return _ZONE_OF.get(name) or _keys().get(name) or _keys().get(name.replace(" ", "/", 1))


def zone_text(zone: ZoneInfo) -> str:
    """The zone as people read it. IANA turns the sign round: ``Etc/GMT-8`` is UTC+8."""
    name = zone.key.removeprefix("Etc/GMT")
    if name == zone.key or not name:
        return zone.key
    return f"UTC{'+' if name[0] == '-' else '-'}{name[1:]}"


def currency_named(text: str) -> str | None:
    """The ISO 4217 code of a currency's code, name or sign; None where it is not known, or several countries'."""
    name = _folded(text)
    if known(name.upper()):
        return name.upper()
    return _CURRENCY_OF.get(name)


_CURRENCY_OF: Final = {
    _folded(word): code for table in (SYMBOLS, WORDS) for word, code in table.items() if known(code)
} | {_folded(word): code for word, code in {"新台幣": "TWD", "台幣": "TWD", "บาทไทย": "THB", "日本円": "JPY"}.items()}


@cache
def _keys() -> dict[str, str]:
    """Every IANA key by how it may be typed."""
    keys = (key for key in available_timezones() if not key.startswith(("posix/", "right/", "Etc/", "SystemV/")))
    return {_folded(key): key for key in keys if key not in {"Factory", "localtime", "posixrules"}}


def _at_offset(sign: str, hours: int) -> str | None:
    if hours == 0:
        return "UTC"
    most = 14 if sign == "+" else 12
    return f"Etc/GMT{'-' if sign == '+' else '+'}{hours}" if hours <= most else None

"""Which of its four languages the secretary answers in, and how people of each count time and money.

Pure. Must not know what is said in a language (the phrases do), who is speaking, or which network they are on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args
from zoneinfo import ZoneInfo

from tools.record import Language

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

ZONES: Final[Mapping[Language, str]] = {
    "zh-TW": "Asia/Taipei",
    "ja": "Asia/Tokyo",
    "th": "Asia/Bangkok",
    "en": "UTC",
}
"""The IANA zone of someone who has not said another."""

CURRENCIES: Final[Mapping[Language, str]] = {"zh-TW": "TWD", "ja": "JPY", "th": "THB", "en": "USD"}
"""The ISO 4217 code of an amount without one."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What the operator fixed for everyone; None is taken from the person."""

    language: Language | None = None
    zone: ZoneInfo | None = None
    currency: str | None = None


# An address and a slash command are copied or tapped, not written: they say nothing about their sender.
_NOT_WORDS = re.compile(r"https?://\S+|\S+@\S+\.\w+|(?<!\S)/[a-z]+\b", re.IGNORECASE)

_KANA = re.compile("[\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff6f\uff71-\uff9d]")
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e5b]")
_HAN = re.compile("[\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]")


def language_of(text: str, profile: str | None, default: Language = "zh-TW") -> Language:
    """The language to answer ``text`` in. ``profile`` is a BCP 47 tag of the person's network, or None.

    Kana is ja, Thai script th, Han without kana zh-TW (from a ja profile ja), Latin en; text without any of these
    takes the profile, and ``default`` where there is none.
    """
    words = _NOT_WORDS.sub(" ", text)
    spoken = spoken_language(profile)
    kana = _KANA.findall(words)
    if kana and not (spoken == "zh-TW" and set(kana) == {"の"} and _HAN.search(words)):
        # Shop signs and jokes in Taiwan write 的 as の: that alone makes nobody Japanese.
        return "ja"
    if _THAI.search(words):
        return "th"
    if _HAN.search(words):
        return "ja" if spoken == "ja" else "zh-TW"
    if _LATIN.search(words):
        return "en"
    return spoken or default


def spoken_language(tag: str | None) -> Language | None:
    """The nearest of our languages to a BCP 47 tag (``zh-Hant``, ``en-US``): en for tongues we lack; None for none."""
    primary = (tag or "").strip().replace("_", "-").split("-")[0].casefold()
    if not primary or primary == "und":
        return None
    return next((language for language in LANGUAGES if language.split("-")[0] == primary), "en")

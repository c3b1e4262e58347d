"""What is said when the month's pushes are running out.

Pure words. Must not know when it is said, or what is kept in reserve.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tools.record import Language

_FEW: Final[Mapping[Language, str]] = {
    "zh-TW": "本月免費推播只剩 {left} 則。剩 {reserve} 則時，提醒就不再主動傳，等你傳訊息時一起告訴你。",
    "ja": "今月の無料プッシュ通知は残り{left}通です。{reserve}通になると、お知らせはこちらからは届かず、次に話しかけてくださったときにまとめてお伝えします。",  # noqa: E501 - one sentence
    "th": "เดือนนี้เหลือข้อความแจ้งเตือนฟรีอีก {left} ข้อความ พอเหลือ {reserve} จะไม่ส่งการเตือนไปเอง แต่จะบอกพร้อมคำตอบครั้งถัดไป",
    "en": "Only {left} free notifications are left this month. Once {reserve} are left, reminders wait: I'll tell you with my next answer.",  # noqa: E501 - one sentence
}

_GONE: Final[Mapping[Language, str]] = {
    "zh-TW": "本月免費推播只剩 {left} 則，下個月以前提醒不會主動傳，等你傳訊息時一起告訴你。",
    "ja": "今月の無料プッシュ通知は残り{left}通です。来月までお知らせはこちらからは届かず、次に話しかけてくださったときにまとめてお伝えします。",  # noqa: E501 - one sentence
    "th": "เดือนนี้เหลือข้อความแจ้งเตือนฟรีอีก {left} ข้อความ จนถึงเดือนหน้าการเตือนจะไม่ส่งไปเอง แต่จะบอกพร้อมคำตอบครั้งถัดไป",
    "en": "Only {left} free notifications are left this month. Until the next one reminders do not come by themselves: I tell you with my next answer.",  # noqa: E501 - one sentence
}


def quota_text(language: Language, left: int, reserve: int) -> str:
    """So many are left of those that cost nothing, and what that means for reminders."""
    return (_FEW if left > reserve else _GONE)[language].format(left=left, reserve=reserve)

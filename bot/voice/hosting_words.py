"""What the owner is told once of a bot whose records do not stay.

Pure words. Must not know when it is said, or how it was found out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tools.record import Language

_WIPED: Final[Mapping[Language, str]] = {
    "zh-TW": "先說一聲：我住在 {platform}，那裡的硬碟每次重新部署或重啟就清空，你記的東西會跟著不見。請把 DATABASE_URL 換成 PostgreSQL，或掛一個磁碟；只有你一個人用的話，接上 Notion 也行，記錄會自己回來。",  # noqa: E501 - one paragraph
    "ja": "先にお伝えします。いま動いている {platform} ではディスクが再デプロイや再起動のたびに消え、記録も一緒になくなります。DATABASE_URL を PostgreSQL にするか、ディスクを付けてください。おひとりで使うなら、Notion につなぐだけでも記録は自動で戻ります。",  # noqa: E501 - one paragraph
    "th": "ขอบอกไว้ก่อน: ตอนนี้อยู่บน {platform} ซึ่งล้างดิสก์ทุกครั้งที่ deploy หรือเริ่มใหม่ สิ่งที่จดไว้จะหายไปด้วย ให้ตั้ง DATABASE_URL เป็น PostgreSQL หรือเพิ่มดิสก์ ถ้าใช้คนเดียว เชื่อม Notion ไว้ก็พอ บันทึกจะกลับมาเอง",  # noqa: E501 - one paragraph
    "en": "Before you rely on me: I run on {platform}, where the disk is wiped at each deploy and restart, and what you noted with it. Set DATABASE_URL to a PostgreSQL, or add a disk. If you are alone, connecting Notion is enough: records come back from there by themselves.",  # noqa: E501 - one paragraph
}


def wiped_text(language: Language, platform: str) -> str:
    """The records will be lost there, and the ways out."""
    return _WIPED[language].format(platform=platform)

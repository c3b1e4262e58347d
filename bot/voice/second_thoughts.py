"""What is said when somebody thinks better of something, and the words that stop what is being done.

Pure words, in four languages. Must not know what is being done, or what becomes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.plain_text import bare
from tools.record import Language

_STOPS: Final = frozenset(
    {
        *("stop", "/stop", "cancel", "/cancel", "stop it", "cancel it", "cancel that", "never mind", "nevermind"),
        *(
            "取消",
            "/取消",
            "停",
            "停止",
            "停下",
            "停下來",
            "先停",
            "不用了",
            "算了",
            "先不要",
            "取消吧",
            "停一下",
            "停下来",
        ),
        *("やめて", "やめてください", "キャンセル", "/キャンセル", "中止", "ストップ", "止めて", "取り消し", "取消し"),
        *("ยกเลิก", "/ยกเลิก", "หยุด", "หยุดก่อน", "พอแล้ว", "ไม่ต้องแล้ว", "ยกเลิกเลย"),
    }
)


def asks_to_stop(text: str) -> bool:
    """Whether the whole message says to stop; a sentence that only begins so does not. Width, case and punctuation
    behind do not matter."""
    return bare(text) in _STOPS


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondThoughtWords:
    """The sentences of one language."""

    stopped: str
    """Nothing had been done by then."""
    stopped_after: str
    """Something had: it follows."""
    undo_too: Callable[[str], str]
    """The refs of what a message had made that was taken back."""
    undo_of_somebody: Callable[[str], str]
    """The same in a group, where it may have been somebody else's."""
    edited: str
    """What follows was made of the first version, and is taken back."""
    nothing_to_stop: str
    """Nothing is being done, and nothing waits."""
    welcome_back: Callable[[str, str], str]
    """Zone (IANA key) and currency (ISO 4217) that still hold."""
    which_one: str
    """Of several that were quoted."""


def second_thought_words(language: Language) -> SecondThoughtWords:
    """The sentences of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, SecondThoughtWords]] = {
    "zh-TW": SecondThoughtWords(
        stopped="好，停下來了，什麼都沒動。",
        stopped_after="停下來了。已經記下的：",
        undo_too="你收回了一則訊息，它記下的 {} 也要復原嗎？".format,
        undo_of_somebody="有一則訊息收回了，它記下的 {} 也要復原嗎？".format,
        edited="看到你改了訊息，照新的來：",
        nothing_to_stop="現在沒有在做的事；要收回上一筆就說「復原」。",
        welcome_back="歡迎回來！你的東西都還在，提醒也接著來。時間用 {}，金額用 {}。".format,
        which_one="是哪一筆呢？",
    ),
    "ja": SecondThoughtWords(
        stopped="はい、止めました。何も変えていません。",
        stopped_after="止めました。ここまでに残したもの：",
        undo_too="メッセージの送信を取り消されましたね。そこから記録した {} も元に戻しますか？".format,
        undo_of_somebody="送信を取り消されたメッセージがあります。そこから記録した {} も元に戻しますか？".format,
        edited="メッセージの編集に合わせて直します：",
        nothing_to_stop="いま進めていることはありません。直前の記録を取り消すなら「元に戻す」とどうぞ。",
        welcome_back="おかえりなさい。記録はそのままです。お知らせも続けます。時間は{}、金額は{}です。".format,
        which_one="どれのことでしょうか？",
    ),
    "th": SecondThoughtWords(
        stopped="ได้ หยุดแล้ว ยังไม่ได้เปลี่ยนอะไร",
        stopped_after="หยุดแล้ว ที่จดไปก่อนหน้านี้:",
        undo_too="คุณยกเลิกข้อความไปหนึ่งข้อความ ให้เลิกทำ {} ที่จดจากข้อความนั้นด้วยไหม".format,
        undo_of_somebody="มีข้อความหนึ่งถูกยกเลิกไป ให้เลิกทำ {} ที่จดจากข้อความนั้นด้วยไหม".format,
        edited="เห็นว่าแก้ข้อความแล้ว ใช้ตามข้อความใหม่:",
        nothing_to_stop="ตอนนี้ไม่มีอะไรที่ทำอยู่ ถ้าจะเลิกทำรายการล่าสุด พิมพ์ “เลิกทำ”",
        welcome_back="ยินดีต้อนรับกลับมา ทุกอย่างยังอยู่ครบ และจะเตือนต่อตามเดิม ใช้เวลา {} และสกุลเงิน {}".format,
        which_one="หมายถึงอันไหน",
    ),
    "en": SecondThoughtWords(
        stopped="OK, stopped. Nothing was changed.",
        stopped_after="Stopped. Noted before that:",
        undo_too="You took a message back. Undo what it noted, {}, too?".format,
        undo_of_somebody="A message was taken back. Undo what it noted, {}, too?".format,
        edited="You edited your message, so the new one counts:",
        nothing_to_stop="Nothing is going on just now. To take back the last thing, say “undo”.",
        welcome_back="Welcome back! Everything is still here, and reminders go on. I use {} time and {}.".format,
        which_one="Which one do you mean?",
    ),
}

"""What is said around words that wait for the model: that they are kept, and what became of them.

Pure words. Must not know when a sentence is said, or why the model is away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWords:
    """The sentences of one language. What a function takes is what the person had said."""

    rest_kept: Callable[[str], str]
    """A part is kept, beside what was done at once."""
    goes_on_later: str
    """The model went away in the midst of a turn: what is left to do, nobody knows."""
    sorted_out: Callable[[str], str]
    """Stands in front of what came of it later."""
    say_again: Callable[[str], str]
    """Nothing came of it."""
    withdrawn: Callable[[str], str]
    """It is not wished any more."""
    too_long: str
    """The message is longer than the model reads; nothing is kept."""
    enough_for_today: str
    """The person has used up what one day gives; nothing is kept."""
    enough_behind_it: str
    """The same, behind what was done before: only what is missing is to be said again."""


def waiting_words(language: Language) -> WaitingWords:
    """The sentences of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, WaitingWords]] = {
    "zh-TW": WaitingWords(
        rest_kept="AI 暫時連不上，「{}」我先留著，好了就整理。".format,
        goes_on_later="AI 中途斷線，還沒做完的，連上就接著做。",
        sorted_out="剛才那句「{}」整理好了：".format,
        say_again="先前那句「{}」一直沒能整理好，請再說一次。".format,
        withdrawn="好，「{}」不整理了。".format,
        too_long="這則太長，我一次讀不完，請分幾次傳。",
        enough_for_today="今天的 AI 用量已經用完，這句明天再跟我說；「午餐 120」這種現在就能記。",
        enough_behind_it="今天的 AI 用量剛好用完；要是還缺什麼，明天再跟我說。",
    ),
    "ja": WaitingWords(
        rest_kept="いまAIにつながりません。「{}」はお預かりして、戻り次第まとめます。".format,
        goes_on_later="途中でAIにつながらなくなりました。残りがあれば、戻り次第続けます。",
        sorted_out="先ほどの「{}」をまとめました：".format,
        say_again="お預かりした「{}」はまとめられませんでした。もう一度送ってください。".format,
        withdrawn="はい、「{}」はまとめません。".format,
        too_long="長すぎて一度に読めません。何回かに分けて送ってください。",
        enough_for_today="今日はAIを使い切りました。明日もう一度送ってください。「昼 850」のような記録はできます。",
        enough_behind_it="今日はここでAIを使い切りました。足りないことがあれば、明日送ってください。",
    ),
    "th": WaitingWords(
        rest_kept="ตอนนี้ติดต่อ AI ไม่ได้ “{}” เก็บไว้ก่อน พอกลับมาจะจัดการต่อให้".format,
        goes_on_later="AI หลุดกลางทาง ถ้ายังเหลืออะไร พอกลับมาจะทำต่อให้",
        sorted_out="ที่บอกไว้ว่า “{}” จัดการให้แล้ว:".format,
        say_again="ที่เก็บไว้ว่า “{}” ยังจัดการไม่สำเร็จ รบกวนส่งอีกครั้ง".format,
        withdrawn="ได้ “{}” ไม่ต้องจัดการแล้ว".format,
        too_long="ข้อความยาวเกินไป อ่านทีเดียวไม่หมด แบ่งส่งทีละส่วนนะ",
        enough_for_today="วันนี้ใช้ AI ครบแล้ว เรื่องนี้พรุ่งนี้ลองส่งใหม่ ส่วนเรื่องง่าย ๆ อย่าง “ข้าวเที่ยง 80” จดได้เลย",
        enough_behind_it="วันนี้ใช้ AI ครบพอดี ถ้ายังขาดอะไร พรุ่งนี้ส่งมาได้เลย",
    ),
    "en": WaitingWords(
        rest_kept="I can't reach the AI right now. “{}” is kept, and I sort it out once it is back.".format,
        goes_on_later="The AI dropped out midway. If anything is left to do, I go on once it is back.",
        sorted_out="About “{}” from before:".format,
        say_again="I could not sort out “{}”. Please say it again.".format,
        withdrawn="OK, I leave “{}” alone.".format,
        too_long="That is too long for me to read at once. Please send it in parts.",
        enough_for_today=(
            "That was all the AI for today. Please say this again tomorrow; simple ones like “Lunch 12.50” work now."
        ),
        enough_behind_it="That was all the AI for today. If anything is missing, tell me tomorrow.",
    ),
}

"""What a sticker plainly says: the one word that its keywords stand for, as a person would have typed it.

LINE gives some of a sticker's keywords, in English, fifteen at most and not always the same. Pure. Must not know what
is answered.
https://developers.line.biz/en/reference/messaging-api/#wh-sticker
"""

from __future__ import annotations

from typing import Final

_SAYS: Final = {
    "thanks": "thanks|thank you|thank you so much|thx|grateful|gratitude|appreciate|arigato|ありがとう|謝謝|ขอบคุณ",
    "good night": "good night|goodnight|sweet dreams|sleep tight|おやすみ|晚安|ฝันดี|bye|bye bye|goodbye|see you",
    "good morning": "good morning|morning|rise and shine|おはよう|早安|อรุณสวัสดิ์",
    "hello": "hello|hi|hey|howdy|greetings|yo|hiya|こんにちは|哈囉|你好|สวัสดี",
    "ok": "ok|okay|okey|yes|yeah|yep|sure|of course|agree|agreed|approve|approved|roger|got it|understood|thumbs up|"
    "alright|no problem|はい|了解|好|好的|收到|โอเค|ตกลง",
}
"""Each word by the keywords that mean it, the more certain meanings first."""

_AGAINST_A_YES: Final = (
    "no|nope|no way|never|not ok|reject|refuse|disagree|denied|wait|stop|hmm|question|confused|doubt|maybe|unsure|"
    "angry|sad|crying|いいえ|不要|不行|ไม่"
)
_AGAINST: Final = frozenset(_AGAINST_A_YES.split("|"))
"""With one of these among them, keywords say no plain yes."""

_MEANING: Final = {keyword: word for word, keywords in _SAYS.items() for keyword in keywords.split("|")}


def word_of_sticker(keywords: str) -> str:
    """The word, "" if it does not plainly say one. A yes is one only if nothing else is among the keywords that means
    something: it may be taken for an answer."""
    said = {keyword.strip().casefold().rstrip("!~.") for keyword in keywords.split(",")}
    meant = {_MEANING[each] for each in said if each in _MEANING}
    if meant == {"ok"}:
        return "" if said & _AGAINST else "ok"
    return next((word for word in _SAYS if word in meant and word != "ok"), "")

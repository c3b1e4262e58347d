"""What waits for a tap, asked about: what would be changed and what would be deleted, named from the store.

Pure. Must not know why it waits, or how a button is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.voice.neighbours import neighbour_words, said_again
from bot.voice.phrases import phrases_of
from bot.voice.receipts import ReceiptContext, reminder_moved, titles
from bot.voice.revisions import revision_text
from tools.record import Change, Language


@dataclass(frozen=True, slots=True)
class Question:
    """Something to be decided, and what the two buttons under it say."""

    text: str
    yes: str
    no: str
    no_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """One language's words about changes that wait. Labels fit LINE's 20 characters."""

    one: Callable[[str], str]
    """What one record would become."""
    many: Callable[[str, int], str]
    """What several would, and how many."""
    meanwhile: str
    """Of a record that is not what it was when the question was asked."""
    change: str
    leave: str
    all: str
    """Yes to changes and deletions together."""


def question_words(language: Language) -> QuestionWords:
    """The words of a language."""
    return _WORDS[language]


def question_about(waiting: Sequence[Change], context: ReceiptContext) -> Question:
    """One question about all these changes, at least one: every update with its values as a receipt would show them,
    every record to be deleted by name, once, and what was said twice by the number it has already. Nothing is left out,
    however many there are: a yes is a yes to what can be read."""
    phrases, words = phrases_of(context.language), question_words(context.language)
    if again := [change for change in waiting if change.kind == "create"]:
        rest = [change for change in waiting if change.kind != "create"]
        twice, both = said_again(again, context.now, context.language), neighbour_words(context.language)
        if not rest:
            return Question(twice, both.both, both.one, no_first=True)
        return Question(f"{question_about(rest, context).text}\n{twice}", words.all, words.leave)
    updates = [change for change in waiting if change.kind == "update"]
    gone = list({change.record.id: change.record for change in waiting if change.kind == "delete"}.values())
    deletions = phrases.confirm_delete(titles(gone, context, most=len(gone)), len(gone)) if gone else ""
    if not updates:
        return Question(deletions, phrases.delete, phrases.keep)
    lines = [_line(each, context) for each in updates]
    asked = words.one(lines[0]) if len(lines) == 1 else words.many(_listed(lines), len(lines))
    if not gone:
        return Question(asked, words.change, words.leave)
    return Question(f"{asked}\n{deletions}", words.all, words.leave)


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"・{each}" for each in lines)


def _line(change: Change, context: ReceiptContext) -> str:
    before = change.before or change.record
    revised = revision_text(before, change.record, context.now, context.language)
    return context.words.glue.join(filter(None, [revised, reminder_moved(change, context)]))


_WORDS: Final[Mapping[Language, QuestionWords]] = {
    "zh-TW": QuestionWords(
        one="要改成這樣嗎？\n{}".format,
        many="這 {1} 筆要改成這樣嗎？\n{0}".format,
        meanwhile="這筆後來又改過，我就沒動它。還要改就再說一次。",
        change="改",
        leave="不要",
        all="都照做",
    ),
    "ja": QuestionWords(
        one="このように変えますか？\n{}".format,
        many="この{1}件をこのように変えますか？\n{0}".format,
        meanwhile="そのあと内容が変わっていたので、手をつけていません。変えるときはもう一度どうぞ。",
        change="変える",
        leave="やめる",
        all="すべて実行",
    ),
    "th": QuestionWords(
        one="จะแก้เป็นแบบนี้ไหม\n{}".format,
        many="จะแก้ {1} รายการนี้เป็นแบบนี้ไหม\n{0}".format,
        meanwhile="รายการนี้ถูกแก้ไปหลังจากนั้น เลยยังไม่ได้แตะ ถ้ายังอยากแก้ บอกอีกครั้ง",
        change="แก้",
        leave="ไม่ต้อง",
        all="ทำทั้งหมด",
    ),
    "en": QuestionWords(
        one="Change it like this?\n{}".format,
        many="Change these {1} like this?\n{0}".format,
        meanwhile="That one has been changed since, so I left it alone. If you still want it, say it again.",
        change="Change",
        leave="Don't",
        all="Do it all",
    ),
}

"""What money goes to and comes from: a short list for each person or group, and the words that were learnt for it.

A list begins as the usual one of a language and is told by how it differs from that, so that a category keeps its place
under any name. Pure. Must not know the store, or who says what.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal, Protocol

from tools.alphabet import fold

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "zh-TW": ("飲食", "交通", "購物", "居家", "娛樂", "醫療", "教育", "收入", "其他"),
    "ja": ("食費", "交通", "買い物", "住まい", "娯楽", "医療", "教育", "収入", "その他"),
    "th": ("อาหาร", "เดินทาง", "ช้อปปิ้ง", "บ้าน", "บันเทิง", "สุขภาพ", "การศึกษา", "รายได้", "อื่นๆ"),
    "en": ("Food", "Transport", "Shopping", "Home", "Fun", "Health", "Education", "Income", "Other"),
}
"""The usual list of each language, in the same order: a place means the same in every list."""

DEBT: Mapping[str, str] = defaultdict(lambda: "debt", {"zh-TW": "欠款", "ja": "貸し借り", "th": "หนี้", "en": "debt"})
"""The tag of what somebody owes: a task, open until it is paid, with the sum in its words."""

MOST: Final = 24
"""Categories of one list: a model reads them all before each answer, and a person chooses among them."""

ROOM: Final = 20
"""Characters of a name, or of a word that is learnt."""

MOST_WORDS: Final = 200
"""Words that are learnt for one list; the oldest make room."""


def usual(language: str) -> Categories:
    """The list that somebody at home in this language begins with."""
    return Categories(CATEGORIES.get(language, CATEGORIES["en"]))


def key(text: str) -> str:
    """A name or word without what does not matter: width, case, simplified characters, blanks around."""
    return fold(unicodedata.normalize("NFKC", text)).casefold().strip()


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a word counts as. ``ref`` is the record whose correction taught it: it holds as long as that record has the
    category; None if a person said that it holds from then on."""

    category: str
    ref: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """How a list differs from the usual one: places that are called otherwise, places that are gone and what became of
    them, further names, names of before and what they are now, and learnt words (the last three by ``key``)."""

    named: Mapping[int, str] = field(default_factory=dict)
    gone: Mapping[int, str] = field(default_factory=dict)
    more: tuple[str, ...] = ()
    once: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Learnt] = field(default_factory=dict)


_BRACKETED: Final = re.compile(
    rf"(?P<word>[^\W\d_][^\s()（）,，、。;；]{{0,{ROOM - 1}}}) ?[(（](?P<name>[^()（）]{{1,{ROOM}}})[)）]"
)
"""A thing with its category behind it: 機車（交通）."""

_UNFIT: Final = re.compile(r"[,，、;；:：\n\r\t()（）\[\]{}「」『』\"“”]")


@dataclass(frozen=True, slots=True)
class Categories:
    """One list. ``said`` are the words of the turn: what is named in them was the person's own choice."""

    standard: tuple[str, ...]
    taste: Taste = Taste()
    said: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The list as a model and a person see it."""
        return tuple(dict.fromkeys([*self._usual_names, *self.taste.more]))

    def _at(self, place: int) -> str:
        return self.taste.named.get(place) or self.standard[place]

    def find(self, text: str) -> str | None:
        """The name that is meant: one of the list, a usual one of any language for what stands in its place here, or
        one of before."""
        wanted = key(text)
        if same := next((name for name in self.names if key(name) == wanted), None):
            return same
        if self.standard in CATEGORIES.values():
            for names in CATEGORIES.values():
                for place, name in enumerate(names):
                    if key(name) == wanted:
                        return self.taste.gone[place] or None if place in self.taste.gone else self._at(place)
        return self.taste.once.get(wanted)

    def was_said(self, name: str) -> bool:
        """Whether the words of the turn name it themselves."""
        return key(name) in key(self.said)

    def written(self, content: str) -> tuple[str, str] | None:
        """A word of the content and the category that stands in brackets behind it, there or in the words of the
        turn."""
        for text in (content, self.said):
            for match in _BRACKETED.finditer(text):
                name = self.find(match["name"])
                if name and key(match["word"]) in key(content):
                    return match["word"], name
        return None

    def learnt(self, content: str) -> Iterator[Learnt]:
        """What was learnt of words in the content, the longest first."""
        plain = key(content)
        for word in sorted(self.taste.words, key=len, reverse=True):
            learnt = self.taste.words[word]
            if _stands_in(word, plain) and learnt.category in self.names:
                yield learnt

    # ── how it becomes another ────────────────────────────────────────────────────────────────────────────────────

    def renamed(self, old: str, new: str) -> Categories:
        """``old`` of the list is called ``new``, which is not on it."""
        taste = self._followed(old, new)
        if old in taste.more:
            return self._with(replace(taste, more=tuple(new if name == old else name for name in taste.more)))
        return self._with(replace(taste, named={**taste.named, self._place(old): new}))

    def merged(self, old: str, into: str) -> Categories:
        """``old`` is a part of ``into``, which is on the list. ``old`` may be a name that only records bear."""
        taste = self._followed(old, into)
        if old in self._usual_names:
            return self._with(replace(taste, gone={**taste.gone, self._place(old): into}))
        return self._with(replace(taste, more=tuple(name for name in taste.more if name != old)))

    def added(self, name: str) -> Categories:
        """With one more."""
        once = {word: now for word, now in self.taste.once.items() if word != key(name)}
        return self._with(replace(self.taste, more=(*self.taste.more, name), once=once))

    def dropped(self, name: str) -> Categories:
        """Without one, which no record bears."""
        words = {word: learnt for word, learnt in self.taste.words.items() if learnt.category != name}
        more = tuple(each for each in self.taste.more if each != name)
        gone = {place: "" if into == name else into for place, into in self.taste.gone.items()}
        gone |= {self._place(name): ""} if name in self._usual_names else {}
        once = {word: now for word, now in self.taste.once.items() if now != name}
        return self._with(replace(self.taste, words=words, more=more, gone=gone, once=once))

    def taught(self, word: str, category: str, ref: int | None = None) -> Categories:
        """With a word that counts as a category of the list."""
        words = {each: learnt for each, learnt in self.taste.words.items() if each != key(word)}
        words[key(word)] = Learnt(category, ref)
        return self._with(replace(self.taste, words=dict([*words.items()][-MOST_WORDS:])))

    @property
    def _usual_names(self) -> tuple[str, ...]:
        return tuple(self._at(place) for place in range(len(self.standard)) if place not in self.taste.gone)

    def _place(self, name: str) -> int:
        return next(
            place for place in range(len(self.standard)) if place not in self.taste.gone and self._at(place) == name
        )

    def _followed(self, old: str, new: str) -> Taste:
        """What was said of the old name holds of the new one."""
        taste = self.taste
        once = {word: new if now == old else now for word, now in taste.once.items() if word != key(new)}
        return replace(
            taste,
            gone={place: new if into == old else into for place, into in taste.gone.items()},
            once={**once, key(old): new},
            words={
                word: replace(learnt, category=new) if learnt.category == old else learnt
                for word, learnt in taste.words.items()
            },
        )

    def _with(self, taste: Taste) -> Categories:
        return replace(self, taste=taste)


def fits(name: str) -> bool:
    """Whether this can be the name of a category, or a word that is learnt."""
    return len(name.strip()) <= ROOM and any(sign.isalpha() for sign in name) and not _UNFIT.search(name)


def _stands_in(word: str, plain: str) -> bool:
    """A word in Latin letters stands by itself; other scripts put no blanks between."""
    if not word.isascii():
        return word in plain
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", plain))


CategoryEditKind = Literal["rename", "merge", "learn", "add", "drop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryEdit:
    """One change of a list: of ``old`` (a name, or a word that is learnt) into ``new``. ``moved`` records bear another
    category for it."""

    kind: CategoryEditKind
    old: str
    new: str
    moved: int = 0


class ListChangedSince(Exception):
    """What is to be taken back is not the last thing that was done to the list: that would be lost with it."""


class CategoriesPort(Protocol):
    """The list of one owner, who is bound when it is built."""

    async def of(self, standard: tuple[str, ...]) -> Categories:
        """The list of somebody who began with this one."""

    async def learn(self, word: str, category: str, ref: int) -> None:
        """A record was given this category by hand."""

    async def edit(self, turn: str, edit: CategoryEdit, becomes: Taste) -> CategoryEdit:
        """Change the list, and the records of ``old`` with it if it is renamed or merged, in one transaction. Done
        before in this turn, it is only told again."""

    async def undo(
        self, turn: str, of_turn: str | None = None, *, since: datetime | None = None
    ) -> CategoryEdit | None:
        """Take back the last edit of the last 30 days, or the one of a turn, if it was made after ``since``; None if
        there is none. Done before in this turn, it is only told again. Raises ListChangedSince."""

    async def borne(self, name: str) -> int:
        """How many living records bear this category."""

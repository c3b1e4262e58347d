"""What a model says about its own deeds: whether it claims one, and whether it says more than the receipt.

Pure. A claim is not believed, only noticed: the reply then says what is true. Talk of the past, questions, offers,
conditions and denials are no claims. Must not know what was really done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.voice.claim_words import AGREED, FORGED, HEADED, SIMPLIFIED, TONGUES, Tongue
from bot.voice.repetition import LONGEST_JUDGED, adds_nothing

_QUOTED: Final = re.compile(
    r"「[^」]{0,400}」|『[^』]{0,400}』|“[^”]{0,400}”|\"[^\"]{0,400}\"|《[^》]{0,400}》|`[^`]{0,400}`"
)
_SENTENCE: Final = re.compile(r"[^。！!？?\n]{1,200}[。！!？?\n]*")
"""A sentence; one without end is read in parts, for what is looked for takes longer the longer a sentence is."""
_ENGLISH_STOP: Final = re.compile(r"(?<=[a-z)\d])\.(?=\s|$)", re.IGNORECASE)
_BULLET: Final = r"^[ \t]*[-*•・·‧]"
_CLAUSE: Final = re.compile(r"[，,；;：、—～~]|:(?!\d)|\s[-–]\s")

_FRONT, _BACK = 3_500, 1_500
"""Characters of a very long text that are read: deeds are told first or last."""

_LONGEST_YES = 16
"""Characters of a sentence that may be a yes to what follows."""


def claims_saved(text: str) -> bool:
    """Whether the text, in any of the four languages, says that a record was made, changed or removed in this turn, or
    promises to do so or to remind."""
    return any(claims for _, claims in _judged(text))


def without_claims(text: str) -> str:
    """The text without the sentences that claim; the same text if there are none."""
    sentences = list(_judged(text))
    kept = [said for said, claims in sentences if not claims]
    return text if len(kept) == len(sentences) else "".join(kept).strip()


def beyond_receipt(text: str, receipt: str) -> str:
    """The whole text if any sentence of it says what the receipt does not; "" if all of it is acknowledgement or
    stands in the receipt. Without a receipt there is nothing to repeat, and a text of many thousand characters is no
    repetition."""
    if not receipt.strip() or len(text) > LONGEST_JUDGED:
        return text
    return "" if all(adds_nothing(said, receipt) for said, _ in _sentences(text)) else text


def beyond(text: str, facts: str, understood: str) -> str:
    """The text without those of its sentences that only say what stands in ``facts``, or with words that are
    ``understood`` there."""
    unspaced = sorted((re.escape(word) for word in understood.split() if not word.isascii()), key=len, reverse=True)
    known, facts = re.compile("|".join([_BULLET, *unspaced]), re.MULTILINE), f"{facts}\n{understood}"
    return "".join(said for said, _ in _sentences(text) if not adds_nothing(known.sub(" ", said), facts)).strip()


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence as it was said, and as it is read: quoted words blanked, apostrophes and characters made even. The
    midst of a very long text is not read."""
    if len(text) > LONGEST_JUDGED:
        yield from _sentences(text[:_FRONT])
        yield text[_FRONT:-_BACK], ""
        yield from _sentences(text[-_BACK:])
        return
    even = _QUOTED.sub(lambda quoted: "…" * len(quoted[0]), text.translate(SIMPLIFIED).replace("’", "'"))
    for found in _SENTENCE.finditer(_ENGLISH_STOP.sub("\n", even)):
        yield text[found.start() : found.end()], found[0]


def _judged(text: str) -> Iterator[tuple[str, bool]]:
    """Each sentence, and whether it claims. Marks and numbers in a list of what was found are no forged receipt."""
    listed, before = False, ""
    for said, read in _sentences(text):
        asks = read.rstrip().endswith(("?", "？"))
        forged = bool(FORGED.match(read)) and not asks
        yield said, (forged and not listed) or (not asks and bool(AGREED.match(before + read))) or _claims(read)
        listed = bool(HEADED.match(read)) or (listed and forged)
        before = read if len(read) <= _LONGEST_YES else ""


def _claims(sentence: str) -> bool:
    """A question mark makes a question of the last clause alone: 「記好了，還有嗎？」 still claims."""
    clauses = [clause.strip() for clause in _CLAUSE.split(sentence)]
    if sentence.rstrip().endswith(("?", "？")):
        clauses.pop()
    return any(_claimed(tongue, clauses) for tongue in TONGUES)


def _claimed(tongue: Tongue, clauses: list[str]) -> bool:
    for clause in clauses:
        opened = tongue.opening.search(clause)
        until = opened.start() if opened else len(clause)
        for found in tongue.claim.finditer(clause.rstrip("。！!\n ")):
            denied = tongue.before.search(clause[: found.start()]) or tongue.after.match(clause, found.end())
            if found.start() < until and not denied:
                return True
        if opened:
            return False
    return False

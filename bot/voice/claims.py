"""What a model says about its own deeds: whether it claims one, and whether it says more than the receipt.

Pure. A claim is not believed, only noticed: the reply then says what is true. Talk of the past, questions, offers,
conditions and denials are no claims. Must not know what was really done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bot.voice.claim_words import SIMPLIFIED, TONGUES, Tongue
from bot.voice.repetition import adds_nothing

_QUOTED: Final = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|《[^》]*》|`[^`]*`")
_SENTENCE: Final = re.compile(r"[^。！!？?\n]+[。！!？?\n]*")
_ENGLISH_STOP: Final = re.compile(r"(?<=[a-z)\d])\.(?=\s|$)", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[，,；;：、—～~]|:(?!\d)|\s[-–]\s")


def claims_saved(text: str) -> bool:
    """Whether the text, in any of the four languages, says that a record was made, changed or removed in this turn, or
    promises to do so or to remind."""
    return any(_claims(read) for _, read in _sentences(text))


def without_claims(text: str) -> str:
    """The text without the sentences that claim; the same text if there are none."""
    sentences = list(_sentences(text))
    kept = [said for said, read in sentences if not _claims(read)]
    return text if len(kept) == len(sentences) else "".join(kept).strip()


def beyond_receipt(text: str, receipt: str) -> str:
    """The whole text if any sentence of it says what the receipt does not; "" if all of it is acknowledgement or
    stands in the receipt. Without a receipt there is nothing to repeat."""
    if not receipt.strip():
        return text
    return "" if all(adds_nothing(said, receipt) for said, _ in _sentences(text)) else text


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Each sentence as it was said, and as it is read: quoted words blanked, apostrophes and characters made even."""
    even = _QUOTED.sub(lambda quoted: "…" * len(quoted[0]), text.translate(SIMPLIFIED).replace("’", "'"))
    for found in _SENTENCE.finditer(_ENGLISH_STOP.sub("\n", even)):
        yield text[found.start() : found.end()], found[0]


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

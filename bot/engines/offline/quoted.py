"""What a message asks for that quotes a record: 改成四點, 刪掉, done; the number is the quoted one's.

Pure. Must not know where the number comes from, or how a call is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.engines.offline.existing import Existing
from bot.engines.offline.plan import Person, Wish
from bot.engines.offline.text import plain as plain_of
from bot.thinking.quotation import Quoted
from tools.alphabet import fold_pattern
from tools.record import MONEY_TYPES
from tools.when import NotUnderstood, read_moment

_THIS = re.compile(
    fold_pattern(
        r"^(?:(?:請|幫我|把|將|麻煩)+)?(?:這個|這筆|這則|這件|那個|那筆|它)(?:事|行程)?|^(?:これ|それ|この件)(?:を|は)?|^(?:อันนี้|รายการนี้|นัดนี้)|"
        r"^(?:please )?(?:this|it|that)(?: one)? |(?<=[a-z]) (?:this|it|that)(?: one)?(?= |$)|^(?:請|幫我|把|將|麻煩)+|"
        r"(?:這個|這筆|這則|這件)(?:事|行程)?$"
    )
)
"""What points at the quoted thing, and says no more."""

_VERB = re.compile(r"^(move|change|reschedule|delete|remove|cancel|mark|finish)\b\s*(?:to\b)?\s*", re.IGNORECASE)
_BARE_TIME = re.compile(r"^(?:to|at)\s+", re.IGNORECASE)
_AMOUNT = re.compile(
    fold_pattern(
        r"^(?:改成|改為|改|應該是|是|change to|to|it was|を)?\s*(\d[\d,.]*)\s*(?:元|塊|円|บาท)?\s*(?:に変更|に)?$"
    )
)


@dataclass(frozen=True, slots=True)
class About:
    """Reads lines that are about one record."""

    person: Person

    def wishes(self, line: str, quoted: Quoted) -> tuple[Wish, ...]:
        """The calls for the quoted record; none if the line is about something else."""
        bare = _THIS.sub("", plain_of(line)).strip()
        if quoted.type in MONEY_TYPES and (amount := _AMOUNT.match(bare)):
            return (Wish("update_record", {"ref": quoted.ref, "amount": amount[1]}),)
        for form in _forms(bare, quoted.ref):
            if wishes := self._by_number(form, quoted):
                return wishes
        return ()

    def _by_number(self, form: str, quoted: Quoted) -> tuple[Wish, ...]:
        """A clock time without a day is one on the record's own."""
        existing = Existing(self.person)
        if wishes := existing.by_number(form, form):
            return wishes
        rest = existing.edit_of(form)
        if not rest or not quoted.when:
            return ()
        when = f"{quoted.when[:10]} {rest}"
        try:
            read_moment(when, self.person.now)
        except NotUnderstood:
            return ()
        return (Wish("update_record", {"ref": quoted.ref, "when": when}),)


def lacks_ref(line: str, person: Person) -> bool:
    """Whether the line would change a record, if it only said which."""
    return bool(About(person).wishes(line, Quoted(1, "task", f"{person.now:%Y-%m-%d}")))


def _forms(bare: str, ref: int) -> Iterator[str]:
    """The line as it reads with the number in it, in the order of each language's words."""
    number = f"#{ref}"
    verb = _VERB.match(bare)
    if verb:
        rest = bare[verb.end() :]
        yield f"{verb[1]} {number} to {_BARE_TIME.sub('', rest)}"
        yield f"{verb[1]} {number} {rest}".strip()
    yield f"{number} {bare}"
    yield f"{bare} {number}"
    yield f"{number}を{bare.removeprefix('を')}"

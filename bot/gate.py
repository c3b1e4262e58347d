"""Who may talk to the bot: the one policy, asked before anything of a message is kept.

Pure. Must not know what was said, only who said it; of a stranger no words are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from bot.ports import IncomingMessage
from tools.record import PersonId

MOST_TRIES = 20
"""Wrong codes, from anyone, before the code is void: nobody gets to guess eight digits."""

_LIKE_A_CODE = re.compile(r"\d{8}")


class Gate:
    """Everyone is welcome in the local LINE; elsewhere only the named, or whoever knows the pairing code."""

    def __init__(self, *, everyone: bool, welcome: Iterable[PersonId], code: str | None) -> None:
        self._everyone = everyone
        self._welcome = list(welcome)
        self.code = code
        self._tries_left = MOST_TRIES

    @property
    def owner(self) -> PersonId | None:
        """Of several, the first is "the owner"; None before anyone has paired."""
        return self._welcome[0] if self._welcome else None

    def welcomes(self, person: PersonId | None) -> bool:
        """Whether this person may use the bot."""
        return person is not None and (self._everyone or person in self._welcome)

    def opens_with(self, words: str) -> bool:
        """Whether these words are the pairing code, which works once."""
        return self.code is not None and words.strip().casefold() == self.code

    def let_in(self, person: PersonId) -> None:
        """From now on this person is welcome, and the code is used up."""
        if person not in self._welcome:
            self._welcome.append(person)
        self.code = None

    def admit(self, message: IncomingMessage) -> IncomingMessage:
        """The message as it may be kept: a stranger's without its words."""
        if self.welcomes(message.person) or self.opens_with(message.text):
            return message
        if _LIKE_A_CODE.fullmatch(message.text.strip()):
            self._tries_left -= 1
            self.code = self.code if self._tries_left > 0 else None
        return replace(message, text="", data="", params={}, message_id=None, quoted_message_id=None)

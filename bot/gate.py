"""Who may talk to the bot: the one policy, asked before anything of a message is kept.

Pure. Must not know what was said, only who said it; of a stranger no words are kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from bot.ports import DoorPort, IncomingMessage, Person
from tools.record import PersonId

MOST_TRIES = 20
"""Wrong codes, from anyone, before the code is void: nobody gets to guess eight digits."""

_CODE = re.compile(r"[0-9]{8}")


def code_in(words: str) -> str | None:
    """The pairing code that these words may be: eight digits and nothing else, however wide they were typed."""
    plain = unicodedata.normalize("NFKC", words).strip()
    return plain if _CODE.fullmatch(plain) else None


class Gate:
    """Everyone is welcome in the local LINE; elsewhere only the named, or whoever came through the door: with the
    pairing code, in this process or another."""

    def __init__(self, *, everyone: bool, welcome: Iterable[PersonId], door: DoorPort | None = None) -> None:
        self._everyone = everyone
        self._named = list(welcome)
        self._welcome = set(self._named)
        self._door = door
        self._knocked: set[PersonId] = set()

    async def owner(self) -> PersonId | None:
        """Of several, the first is "the owner"; None before anyone has paired."""
        owners = self._named or (await self._door.owners() if self._door else [])
        return owners[0] if owners else None

    async def code(self) -> str | None:
        """The code that pairs, as long as it does."""
        return await self._door.code() if self._door else None

    async def welcomes(self, person: PersonId | None) -> bool:
        """Whether this person may use the bot."""
        if person is None:
            return False
        if self._everyone or person in self._welcome:
            return True
        if self._door and person in await self._door.owners():
            self._welcome.add(person)
        return person in self._welcome

    async def pairs(self, person: Person, words: str) -> bool:
        """Whether these words are the pairing code, which makes one person the owner; said again by the same, it still
        does."""
        code = code_in(words)
        return bool(code and self._door and await self._door.pair(person, code))

    async def admit(self, message: IncomingMessage) -> IncomingMessage:
        """The message as it may be kept: a stranger's without its words, unless they are the code."""
        if message.kind == "unsend":  # an id alone: whose words these were, they go
            return message
        if await self.welcomes(message.person) or message.person in self._knocked:
            return message
        code = code_in(message.text)
        if code and self._door and message.person and await self._door.guess(code):
            self._knocked.add(message.person)  # what they say next may come before they have been let in
            return message
        return replace(message, text="", data="", params={}, media=None, message_id=None, quoted_message_id=None)

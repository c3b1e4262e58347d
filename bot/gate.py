"""Who may talk to the bot, and in groups when it listens: the one policy, asked before anything of a message is kept.

Pure. Must not know what was said, only who said it and whether it was said to the bot; of a stranger no words are kept,
and of what others say in a group nothing but the id of the event.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.household_ports import GroupsPort, Invited, MembersPort
from bot.ports import WORDS, ChatId, DoorPort, IncomingMessage, Person
from bot.voice.household_commands import called_by_name
from tools.record import PersonId

MOST_TRIES = 20
"""Wrong codes, from anyone, before a code is void: nobody gets to guess one."""

KNOCK_LASTS = timedelta(minutes=1)
"""So long after the right code what its sender says is kept although they are not in yet."""

STALE = "invitation:stale"
"""What is left of a stranger's message that was a code which lets in no more."""

CODE_SIGNS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""Of an invitation's code: none that looks like another."""

_CODE = re.compile(r"[0-9]{8}")
_INVITATION = re.compile(rf"[{CODE_SIGNS}]{{4}}(?:-[{CODE_SIGNS}]{{4}}){{2}}")


def code_in(words: str) -> str | None:
    """The pairing code that these words may be: eight digits and nothing else, however wide they were typed."""
    plain = unicodedata.normalize("NFKC", words).strip()
    return plain if _CODE.fullmatch(plain) else None


def invitation_in(words: str) -> str | None:
    """The code of an invitation that these words may be: three times four signs, however they were typed."""
    plain = unicodedata.normalize("NFKC", words).strip().upper()
    return plain if _INVITATION.fullmatch(plain) else None


def is_a_code(words: str) -> bool:
    """Whether these words may be one of either kind."""
    return bool(code_in(words) or invitation_in(words))


def addressed(message: IncomingMessage, names: Sequence[str], *, quotes_us: bool) -> str | None:
    """What is said to the bot with a message of a group; None if it is not spoken to.

    It is where it is mentioned itself (not with everybody), quoted, called by one of its names, or tapped. The mention
    and the name are no part of what is said.
    """
    behind = called_by_name(message.text, tuple(names)) if message.kind in WORDS else None
    if behind is not None:
        return behind
    tapped = message.kind == "postback" and bool(message.data)
    return message.text if message.mentions_me or quotes_us or tapped else None


async def _knows_none(_chat: ChatId, _message: str) -> bool:
    return False


class Gate:
    """Everyone is welcome in the local LINE; elsewhere only the named, whoever came through the door with the pairing
    code, and whom the owner invited: in this process or another. In a group it is the group that is welcome, once the
    owner has said so: ``groups``. ``names`` are what the bot is called there, ``quoted`` says whether a message of a
    chat is one of the bot's own, ``heard`` whether it is one of people's that was for the bot."""

    def __init__(
        self,
        *,
        everyone: bool,
        welcome: Iterable[PersonId],
        door: DoorPort | None = None,
        members: MembersPort | None = None,
        groups: GroupsPort | None = None,
        names: Callable[[], Sequence[str]] = tuple,
        quoted: Callable[[ChatId, str], Awaitable[bool]] = _knows_none,
        heard: Callable[[ChatId, str], Awaitable[bool]] = _knows_none,
    ) -> None:
        self._everyone = everyone
        self._named = list(welcome)
        self._welcome = set(self._named)
        self._door = door
        self._members = members
        self._groups = groups
        self._names = names
        self._quoted = quoted
        self._heard = heard
        self._knocked: dict[PersonId, datetime] = {}

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
        return person in self._welcome or await self.invited_as(person) is not None

    async def invited_as(self, person: PersonId) -> Invited | None:
        """What an invitation made of somebody. Asked of the store each time: who is removed is a stranger at once. Who
        was named, or has paired, needs none."""
        return await self._members.role_of(person) if self._members and person not in self._welcome else None

    async def only_looks(self, person: PersonId) -> bool:
        """Whether this person is a guest in groups too. Who was removed is one there: else they would be more than
        before."""
        if self._members is None or person in self._welcome:
            return False
        invited = await self._members.role_of(person)
        return invited == "guest" or (invited is None and await self._members.was_removed(person))

    async def pairs(self, person: Person, words: str) -> bool:
        """Whether these words are the pairing code, which makes one person the owner; said again by the same, it still
        does."""
        code = code_in(words)
        return bool(code and self._door and await self._door.pair(person, code))

    async def joins(self, person: PersonId, words: str, name: str) -> Invited | None:
        """What these words make of somebody, if they are the code of an invitation; said again by the same they still
        do."""
        code = invitation_in(words)
        return await self._members.join(person, code, name) if code and self._members else None

    async def admit(self, message: IncomingMessage) -> IncomingMessage:
        """The message as it may be kept: a stranger's without its words, unless they are a code; a group's only if it
        is for the bot."""
        if message.kind == "unsend":  # an id alone: whose words these were, they go
            return message
        if message.chat_kind != "user":
            return await self._from_a_group(message)
        if await self.welcomes(message.person) or self._has_knocked(message):
            return self._without_our_name(message)
        if message.person and (kept := await self._knocks(message, message.person)):
            return kept
        return _without_words(message)

    def _without_our_name(self, message: IncomingMessage) -> IncomingMessage:
        """In one's own chat nobody need be called, and a name is no part of what is said to who is; but only behind an
        @ it is certain that it is ours."""
        is_called = message.kind in WORDS and unicodedata.normalize("NFKC", message.text).lstrip().startswith("@")
        return (
            replace(message, text=called_by_name(message.text, tuple(self._names())) or message.text)
            if is_called
            else message
        )

    def _has_knocked(self, message: IncomingMessage) -> bool:
        knocked = self._knocked.get(message.person or PersonId(""))
        return knocked is not None and timedelta(0) <= message.received_at - knocked < KNOCK_LASTS

    async def _knocks(self, message: IncomingMessage, person: PersonId) -> IncomingMessage | None:
        """A stranger's message that is a code; None if it is not one, or none that we know."""
        code = code_in(message.text)
        if code and self._door and await self._door.guess(code):
            self._knocked[person] = message.received_at  # what they say next may come before they have been let in
            return message
        invitation = invitation_in(message.text)
        if not invitation or not self._members:
            return None
        guess = await self._members.guess(invitation, person)
        if guess == "open":
            self._knocked[person] = message.received_at
            return message
        return replace(_without_words(message), data=STALE) if guess == "stale" else None

    # ── groups ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _from_a_group(self, message: IncomingMessage) -> IncomingMessage:
        if self._groups is None:
            return _nothing(message)
        if message.kind == "join":
            return message
        people = [PersonId(each) for each in message.data.split()]
        match message.kind:
            case "leave":
                await self._groups.left(message.chat)
            case "members_came":
                await self._groups.comes(message.chat, people)
            case "members_left":
                await self._groups.goes(message.chat, people)
            case _:
                return await self._said_in_a_group(message, self._groups)
        return _nothing(message)

    async def _said_in_a_group(self, message: IncomingMessage, groups: GroupsPort) -> IncomingMessage:
        """Kept whole where the group has a list, or where it is the owner who may give it one."""
        if not message.answerable:
            return _nothing(message)
        quoted = message.quoted_message_id
        quotes_us = bool(quoted and await self._quoted(message.chat, quoted))
        said = addressed(message, self._names(), quotes_us=quotes_us)
        if said is None:
            if not await self._was_for_us(message):
                return _nothing(message)
            said = message.text
        group = await groups.find(message.chat)
        if (group and group.is_enabled) or (message.person and message.person == await self.owner()):
            return replace(message, text=said)
        return replace(_without_words(message), person=None, quote_token=message.quote_token)

    async def _was_for_us(self, message: IncomingMessage) -> bool:
        """Whether these are new words of a message that was: who writes it anew need not call again."""
        known = message.message_id if message.kind == "edited" else None
        return bool(known and await self._heard(message.chat, known))


def _without_words(message: IncomingMessage) -> IncomingMessage:
    bare = replace(message, text="", data="", params={}, media=None, message_id=None, quoted_message_id=None)
    return replace(bare, quote_token=None)


def _nothing(message: IncomingMessage) -> IncomingMessage:
    """Its id alone will be kept."""
    return replace(_without_words(message), kind="other", person=None, reply_token=None, answerable=False)

"""Who else may use the secretary: invited by the owner, shown by name, removed again. All of it without a model.

What is done is keyed by its turn, or does nothing a second time. Must not know how a code is kept, or what the network
shows of somebody beyond a name.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import quote

from bot.gate import CODE_SIGNS, STALE, Gate, invitation_in
from bot.household_ports import CompanyPort, Invited, Invitee, MembersPort
from bot.plain_text import legible
from bot.ports import Bubble, Button, PeoplePort, Tap, Turn, TurnId
from bot.voice.household_commands import IN_ONES_OWN_CHAT, HouseholdCommand, household_command_of
from bot.voice.household_words import household_words
from bot.voice.invitation_words import InvitationWords, invitation_words
from bot.voice.phrases import phrases_of
from tools.definition import Caller
from tools.household import tidy_name
from tools.record import Language

INVITATION_LASTS = timedelta(days=1)
"""Also so long the code is worth anything to whoever reads the store, where the answer that told it stays like any
other: it lets in one person, once, and who can read there has read everything."""

KEPT = "member"
"""What a button keeps that does not remove anybody."""

MOST_BUTTONS = 10
"""Members who get a button to remove them; the others are removed by name."""


def new_code() -> str:
    """Three times four signs: sixty bits, so that nobody guesses it in a day."""
    signs = [secrets.choice(CODE_SIGNS) for _ in range(12)]
    return "-".join("".join(signs[at : at + 4]) for at in (0, 4, 8))


def link_to_chat(basic_id: str, text: str) -> str:
    """Opens the chat with the bot, with these words filled in; on phones only. Both parts are percent-encoded UTF-8.

    https://developers.line.biz/en/docs/messaging-api/using-line-url-scheme/#opening-chat-screen
    """
    return f"https://line.me/R/oaMessage/{quote(basic_id, safe='')}/?{quote(text, safe='')}"


@dataclass(frozen=True, slots=True)
class Invitations:
    """Answers what is said about members, in one's own chat. ``has_mirror``: records can stand in Notion too."""

    gate: Gate
    members: MembersPort
    people: PeoplePort
    company: CompanyPort
    has_mirror: bool
    code: Callable[[], str] = new_code

    async def answer(self, turn: Turn, caller: Caller) -> Sequence[Bubble] | None:
        """What is said to a code, a command or a tap; None if the turn is none of these."""
        words = invitation_words(caller.language)
        if (came := await self._came(turn, caller, words)) is not None:
            return came
        if caller.role == "stranger":
            return None
        if turn.last.kind == "postback":
            return await self._tapped(turn, caller, words)
        found = household_command_of(turn.last.text) if turn.last.kind == "text" and len(turn.messages) == 1 else None
        if found is None or found[0] not in IN_ONES_OWN_CHAT:
            return None
        return await self._commanded(turn, caller, *found)

    # ── coming in

    async def _came(self, turn: Turn, caller: Caller, words: InvitationWords) -> Sequence[Bubble] | None:
        said = [each.text for each in turn.messages if each.kind == "text" and each.person == caller.person]
        codes = [text for text in said if invitation_in(text)]
        if caller.role != "stranger":
            return [Bubble(words.already_in)] if codes and len(codes) == len(turn.messages) else None
        for text in codes:
            name = tidy_name(await self.company.name_of(caller.person, turn.chat))
            if role := await self.gate.joins(caller.person, text, name):
                return [Bubble(words.welcome_guest if role == "guest" else words.welcome)]
        if not any(each.data == STALE for each in turn.messages):
            return None
        return [Bubble(words.stale)] if await self.people.first_today(caller.person, turn.id) else []

    # ── commands

    async def _commanded(
        self, turn: Turn, caller: Caller, command: HouseholdCommand, name: str
    ) -> Sequence[Bubble] | None:
        words = invitation_words(caller.language)
        if command in {"mirror", "no_mirror"}:
            return [Bubble(await self._mirror(caller, words, wanted=command == "mirror"))]
        is_owner = await self.gate.owner() == caller.person
        if not is_owner:
            return None if name or command == "shared" else [Bubble(words.only_owner)]
        match command:
            case "invite":
                return [Bubble(await self.offer(turn.id, "member", caller.language, caller.now))]
            case "invite_guest":
                return [Bubble(await self.offer(turn.id, "guest", caller.language, caller.now))]
            case "members":
                return [await self._members(caller, words)]
            case "remove":
                return await self._remove_ask(caller, name, words) if name else [await self._members(caller, words)]
        return None

    async def offer(self, made_in: TurnId, role: Invited, language: Language, now: datetime) -> str:
        """One message, to be forwarded. A turn that was interrupted before it was told makes another code."""
        code, words = self.code(), invitation_words(language)
        await self.members.invite(made_in, role, code, now + INVITATION_LASTS)
        me = await self.company.me()
        if me is None:
            without = words.guest_invitation_without_link if role == "guest" else words.invitation_without_link
            return without(code)
        with_link = words.guest_invitation if role == "guest" else words.invitation
        return with_link(link_to_chat(me.basic_id, code), code)

    async def _members(self, caller: Caller, words: InvitationWords) -> Bubble:
        everyone = await self.members.everyone()
        if not everyone:
            return Bubble(words.nobody_yet)
        named = [(each, _named(each, caller.language)) for each in everyone]
        lines = [f"・{words.guest(name) if each.role == 'guest' else name}" for each, name in named]
        buttons = [Button(words.remove_one(name), Tap.REMOVE.on(each.key)) for each, name in named[:MOST_BUTTONS]]
        return Bubble(words.members("\n".join(lines)), tuple(buttons))

    async def _remove_ask(self, caller: Caller, name: str, words: InvitationWords) -> Sequence[Bubble] | None:
        """None where nobody is called so: then it is about something else."""
        wanted = tidy_name(name).casefold()
        found = [each for each in await self.members.everyone() if wanted and wanted in each.name.casefold()]
        exact = [each for each in found if each.name.casefold() == wanted]
        if len(exact or found) > 1:
            return [await self._members(caller, words)]
        return [_asked(each, caller, words) for each in exact or found] or None

    async def _mirror(self, caller: Caller, words: InvitationWords, *, wanted: bool) -> str:
        if not self.has_mirror:
            return words.no_mirror
        if await self.gate.owner() == caller.person:
            return words.owner_is_mirrored
        await self.members.mirror(caller.person, wanted=wanted)
        return words.mirrored if wanted else words.not_mirrored

    # ── buttons

    async def _tapped(self, turn: Turn, caller: Caller, words: InvitationWords) -> Sequence[Bubble] | None:
        tap, _, key = turn.last.data.partition(":")
        if tap == Tap.KEEP and key == KEPT:
            return [Bubble(phrases_of(caller.language).kept)]
        if tap not in {Tap.REMOVE, Tap.REMOVED}:
            return None
        if await self.gate.owner() != caller.person:
            return [Bubble(words.only_owner)]
        found = await (self.members.of_key(key) if tap == Tap.REMOVE else self.remove(key))
        if found is None:
            return [Bubble(phrases_of(caller.language).already_handled)]
        if tap == Tap.REMOVE:
            return [_asked(found, caller, words)]
        return [Bubble(words.removed(_named(found, caller.language)))]

    async def remove(self, key: str) -> Invitee | None:
        """Whom this key named, and who is a stranger from now on; None for nobody who is here."""
        found = await self.members.of_key(key)
        if found is not None:
            await self.members.remove(key)
        return found


def _named(who: Invitee, language: Language) -> str:
    return legible(who.name) or household_words(language).nameless


def _asked(who: Invitee, caller: Caller, words: InvitationWords) -> Bubble:
    yes = Button(words.remove, Tap.REMOVED.on(who.key))
    no = Button(phrases_of(caller.language).keep, Tap.KEEP.on(KEPT))
    return Bubble(words.remove_ask(_named(who, caller.language)), (yes, no))

"""What a person sends beside words becomes records that hold it: pictures are read, voice is heard, the rest is kept.

Must not know how anything is fetched, read, sent or stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.answering import Answering
from bot.fetching import KINDS, Fetching, Thing
from bot.hearing import Hearing
from bot.links import only_known_links
from bot.ports import KEPT, WORDS, Bubble, IncomingMessage, Turn, TurnId
from bot.seeing import Seeing
from bot.showing import Showing
from bot.thinking.foreign import is_callers
from bot.voice.attachment_words import AttachmentWords, attachment_words
from bot.voice.phrases import phrases_of
from bot.voice.record_text import short
from tools.attachment import AttachmentsPort
from tools.definition import Caller, ToolDefinition
from tools.record import CallKey, Change, PersonId
from tools.toolbox import toolbox

MAP: Final = "https://www.google.com/maps/search/?api=1&query={:.6f},{:.6f}"
"""https://developers.google.com/maps/documentation/urls/get-started#search-action"""

_HEARD_ROOM: Final = 200


@dataclass(frozen=True, slots=True)
class _Note:
    """What is only kept. ``foreign``: somebody else named it."""

    content: str
    holds: Sequence[Thing] = ()
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class Attachments:
    """Answers turns in which something was sent that is no words."""

    fetching: Fetching
    store_of: Callable[[PersonId], AttachmentsPort]
    hearing: Hearing
    seeing: Seeing
    showing: Showing
    answering: Answering

    def concern(self, turn: Turn, caller: Caller) -> bool:
        """Whether this turn is to be answered here: something of the caller's is to be fetched, or a place stands
        alone."""
        own = [each for each in turn.messages if is_callers(each, caller.speaker)]
        words = any(each.kind in WORDS and each.text.strip() for each in own)
        return any(each.kind in KINDS or (each.kind == "location" and not words) for each in own)

    async def answer(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What is said to all of it, words and things. Raises what the answer to words raises, and StoreUnavailable."""
        words = attachment_words(caller.language)
        create = await self._create(caller)
        if create is None:
            own = _own_words(turn, caller)
            return [*(await self.answering.answer(turn, caller, own) if own else ()), Bubble(words.guest)]
        sent = _sent(turn, caller)
        fetched = await asyncio.gather(*(self.fetching.of(caller.person, each) for each in sent))
        things = [Thing(*each) for each in zip(sent, fetched, strict=True)]
        told = [*_incomplete(things, words), *_failures(things, words)]
        turn, heard, left, said = await self._listened(turn, caller, things)
        told += said
        own = _own_words(turn, caller)
        is_kept = turn.resumed and bool(await self.answering.made(_keeping(turn), caller))
        pictures = [] if is_kept else [each for each in left if each.is_picture]
        bubbles, why_not = await self.seeing.read(turn, caller, own, pictures, create) if pictures else ([], "")
        if bubbles:
            left = [each for each in left if not each.is_picture]
        elif own:
            bubbles = await self.answering.answer(turn, caller, own)
            left = await self._held_by_what_was_made(turn, caller, left)
        bubbles = await self.showing.hung(turn, caller, bubbles)
        kept = await self._kept(turn, caller, create, left, places=not own)
        notes = [Bubble(each) for each in dict.fromkeys(filter(None, [*told, why_not]))]
        return [*heard, *bubbles, *kept, *notes] or [Bubble(phrases_of(caller.language).no_answer)]

    async def _create(self, caller: Caller) -> ToolDefinition | None:
        secretary = self.answering.secretary
        categories, _ = await secretary.categories(caller)
        tools = toolbox(caller, secretary.memory_of(caller.person), categories=categories)
        return next((each for each in tools if each.name == "create_record"), None)

    # ── voice ─────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _listened(
        self, turn: Turn, caller: Caller, things: Sequence[Thing]
    ) -> tuple[Turn, list[Bubble], list[Thing], list[str]]:
        """The turn with what was heard as words; what was heard, said back; what is left to be kept; and why."""
        words = attachment_words(caller.language)
        heard: dict[str, str] = {}
        left, told = [], []
        for thing in things:
            if thing.attachment is None:
                continue
            if thing.message.kind != "audio":
                left.append(thing)
                continue
            text, why = await self.hearing.heard(caller, thing)
            if text:
                heard[thing.message.id] = only_known_links(text, ())  # nobody is sure of an address that was heard
            else:
                left.append(thing)
                told.append(why)
        messages = tuple(replace(each, text=heard.get(each.id, each.text)) for each in turn.messages)
        said = [Bubble(words.heard(short(text, _HEARD_ROOM))) for text in heard.values()]
        return replace(turn, messages=messages), said, left, told

    # ── what is only kept ─────────────────────────────────────────────────────────────────────────────────────────

    async def _held_by_what_was_made(self, turn: Turn, caller: Caller, left: Sequence[Thing]) -> list[Thing]:
        """What is sent with words belongs to the first record that was made of them; what is left if none was."""
        made = await self.answering.made(turn, caller)
        if not made:
            return list(left)
        own = [each.attachment for each in left if each.attachment]
        await self.store_of(caller.person).attach(made[0].record.id, own)
        return []

    async def _kept(
        self, turn: Turn, caller: Caller, create: ToolDefinition, left: Sequence[Thing], *, places: bool
    ) -> list[Bubble]:
        """A note for all pictures, and one for each other thing and place; told with its own way back."""
        words, kept = attachment_words(caller.language), _keeping(turn)
        pictures = [each for each in left if each.is_picture]
        notes = [_Note(words.photo(len(pictures)), pictures)] if pictures else []
        notes += [_Note(_named(each, words), [each], bool(each.message.text)) for each in left if not each.is_picture]
        alone = [each for each in turn.messages if places and each.kind == "location"]
        maps = [_map(each) for each in alone]
        for each, link in zip(alone, maps, strict=True):
            notes.append(_Note("\n".join(filter(None, [words.place(each.text), link])), foreign=True))
        for number, note in enumerate(notes, start=1):
            key = CallKey(kept.id, number, again=True, guarded=note.foreign)
            await create.handler({"type": "note", "content": note.content}, key)
        made = await self.answering.made(kept, caller)
        for change, note in zip(made, notes, strict=False):
            held = [each.attachment for each in note.holds if each.attachment]
            await self.store_of(caller.person).attach(change.record.id, held)
        if not made:
            return []
        told = await self.answering.secretary.noted(kept, caller, [_named_only(each, maps) for each in made])
        shown = [line for line in maps if line]
        told = replace(told, text="\n".join([told.text, *shown]), card=None if shown else told.card)
        return await self.showing.hung(kept, caller, [told])


def _keeping(turn: Turn) -> Turn:
    """The turn under which it makes its own notes."""
    return replace(turn, id=TurnId(f"{KEPT}{turn.id}"))


def _sent(turn: Turn, caller: Caller) -> list[IncomingMessage]:
    """What is to be fetched, in the order in which it was meant: pictures that were sent together by their number."""
    own = [each for each in turn.messages if each.kind in KINDS and is_callers(each, caller.speaker)]
    first: dict[str, int] = {}
    for place, each in enumerate(own):
        first.setdefault(_set_of(each), place)
    return sorted(own, key=lambda each: (first[_set_of(each)], each.media.index if each.media else 0))


def _set_of(message: IncomingMessage) -> str:
    return (message.media.set_id if message.media else "") or message.id


def _incomplete(things: Sequence[Thing], words: AttachmentWords) -> list[str]:
    sets: dict[str, list[int]] = {}
    for each in things:
        if each.message.media and each.message.media.set_id:
            sets.setdefault(each.message.media.set_id, []).append(each.message.media.total)
    return [words.incomplete(totals[0], len(totals)) for totals in sets.values() if len(totals) < totals[0]]


def _failures(things: Sequence[Thing], words: AttachmentWords) -> list[str]:
    """Why something is not here. Of pictures sent together, whoever takes one back knows that it is gone."""
    sets = {_set_of(each.message) for each in things if each.attachment}
    known = [each for each in things if each.fetched.failure == "gone" and _set_of(each.message) in sets]
    return [words.failures[each.fetched.failure] for each in things if each.fetched.failure and each not in known]


def _own_words(turn: Turn, caller: Caller) -> str:
    own = [each for each in turn.messages if each.kind in {*WORDS, "audio"} and is_callers(each, caller.speaker)]
    return "\n".join(each.text for each in own if each.text.strip())


def _named(thing: Thing, words: AttachmentWords) -> str:
    usual = {"audio": words.voice, "video": words.video}.get(thing.message.kind, words.file)
    return short(thing.message.text, 200) or usual


def _named_only(change: Change, maps: Sequence[str]) -> Change:
    """The change as a receipt names it: the link to the map stands on a line of its own below."""
    if change.after is None:
        return change
    lines = [each for each in change.after.content.splitlines() if each not in maps]
    return replace(change, after=replace(change.after, content="\n".join(lines)))


def _map(message: IncomingMessage) -> str:
    media = message.media
    if media is None or media.latitude is None or media.longitude is None:
        return ""
    return MAP.format(media.latitude, media.longitude)

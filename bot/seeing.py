"""Pictures are read, and records made of them: a receipt is an expense, a poster an event, anything else a note.

What is in a picture is data: new records may come of it, and nothing that is there already changes. What was read is
stored as the turn's transcript before anything is done about it, as if the model had asked for it, so that a turn that
died goes on from there. Must not know which engine reads, or how a picture was fetched or is stored.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, Final

from bot.answering import Answering
from bot.fetching import Thing
from bot.model_ports import (
    AllowanceSpent,
    AskPort,
    CannotSee,
    Message,
    Prompt,
)
from bot.picture_reading import MOST_READ, READING_SYSTEM, Doubt, Draft, Reading, data_text, drafts_of
from bot.pictures import READ_SIDE, Darkroom, Gallery, NotAPicture
from bot.ports import Bubble, ClaimLost, Turn
from bot.thinking.foreign import Foreign, foreign_in
from bot.thinking.prompt import Stamp, stamped
from bot.voice.attachment_words import AttachmentWords, attachment_words
from bot.voice.record_text import money
from tools.attachment import AttachmentsPort
from tools.currency import known
from tools.definition import Caller, ToolDefinition, ToolError
from tools.record import CallKey, PersonId, Result, StoreUnavailable

_SEEN: Final = "seen"
_OPENING: Final = 2
"""The messages with which a turn begins that saw something: what was said, and what is to be made of it."""

log = logging.getLogger(__name__)


class _NobodySees(CannotSee):
    """There is no model at all."""


@dataclass(frozen=True, slots=True)
class Seeing:
    """Reads. ``ask`` is None without a model; one that is there may say that it cannot see."""

    store_of: Callable[[PersonId], AttachmentsPort]
    darkroom: Darkroom
    gallery: Gallery
    ask: AskPort | None
    answering: Answering

    async def read(
        self, turn: Turn, caller: Caller, words: str, pictures: Sequence[Thing], create: ToolDefinition
    ) -> tuple[list[Bubble], str]:
        """What came of reading them; or nothing, and why they are only kept."""
        sentences = attachment_words(caller.language)
        transcript = self.answering.secretary.transcript
        own = await transcript.of_turn(turn.id) if turn.resumed else []
        if not own:
            try:
                own = await self._seen(turn, caller, words, pictures, _choices(create))
            except (ClaimLost, StoreUnavailable):
                raise
            except Exception as why:  # noqa: BLE001 - whatever went wrong with reading, what was sent is kept
                return [], _why_unread(why, sentences)
            await transcript.append(turn.id, turn.chat, 0, own)
        if len(own) < _OPENING or _SEEN not in own[1]:
            return [], ""  # this turn was begun without seeing anything
        return await self._carried_out(turn, caller, words, pictures, create, own), ""

    async def _seen(
        self, turn: Turn, caller: Caller, words: str, pictures: Sequence[Thing], categories: Sequence[str]
    ) -> list[Message]:
        """The beginning of the turn's transcript: what was said and seen, and the records to be made of it."""
        if self.ask is None:
            raise _NobodySees("there is no model")
        jpegs = [await self._jpeg(caller, each) for each in pictures[:MOST_READ]]
        with self.gallery.showing([each for each in jpegs if each]) as shown:
            if not shown:
                raise NotAPicture("none of them can be opened")
            reading = await self.ask.ask(_prompt(turn, caller, words, shown, categories), Reading)
        readable = [place for place, each in enumerate(jpegs) if each]
        drafts = [
            replace(draft, pictures=tuple(readable[each] for each in draft.pictures))
            for draft in drafts_of(reading, words, len(readable))
        ]
        stamp = Stamp(caller.now, caller.zone, caller.language, caller.currency, untrusted=True)
        foreign = [*foreign_in(turn.messages, caller.speaker), Foreign("image", data_text(reading))]
        seen = {"drafts": [asdict(each) for each in drafts], "wishes": bool(words) and reading.other_wishes}
        user = {"role": "user", "content": stamped(stamp, words, foreign)}
        return [user, {"role": "assistant", "content": None, "tool_calls": _calls(drafts, caller), _SEEN: seen}]

    async def _jpeg(self, caller: Caller, thing: Thing) -> bytes | None:
        """The picture as a model is shown it; None if it cannot be opened."""
        assert thing.attachment, "a picture was fetched"
        content = await self.store_of(caller.person).content(thing.attachment.digest)
        try:
            return await self.darkroom.jpeg(content or b"", READ_SIDE)
        except NotAPicture as why:
            log.info("a picture is only kept: %s", why)
            return None

    async def _carried_out(
        self,
        turn: Turn,
        caller: Caller,
        words: str,
        pictures: Sequence[Thing],
        create: ToolDefinition,
        own: Sequence[Message],
    ) -> list[Bubble]:
        """Make the records, let them hold the pictures, and go on with the words if these ask for more."""
        secretary, seen, calls = self.answering.secretary, own[1][_SEEN], own[1]["tool_calls"]
        results = [
            await _created(create, json.loads(each["function"]["arguments"]), CallKey(turn.id, n, True, True))
            for n, each in enumerate(calls, start=1)
        ]
        await self._hold(turn, caller, seen["drafts"], pictures)
        if len(own) == _OPENING:
            told = [_result(each["id"], result) for each, result in zip(calls, results, strict=True)]
            last = [] if seen["wishes"] else [{"role": "assistant", "content": "OK"}]
            await secretary.transcript.append(turn.id, turn.chat, _OPENING, [*told, *last])
        if seen["wishes"]:
            bubbles = await self.answering.answer(replace(turn, resumed=True), caller, words)
        else:
            bubbles = await secretary.done_so_far(turn, caller, words)
        return [*bubbles, *(Bubble(each) for each in _doubts(seen["drafts"], pictures, caller))]

    async def _hold(self, turn: Turn, caller: Caller, drafts: Sequence[Any], pictures: Sequence[Thing]) -> None:
        """Pictures that were not read go with the last record."""
        made = {change.key.call: change for change in await self.answering.made(turn, caller)}
        read = {place for draft in drafts for place in draft["pictures"]}
        unread = [place for place in range(len(pictures)) if place not in read]
        for number, draft in enumerate(drafts, start=1):
            if change := made.get(number):
                places = [*draft["pictures"], *(unread if number == len(drafts) else ())]
                own = [attachment for place in places if (attachment := pictures[place].attachment)]
                await self.store_of(caller.person).attach(change.record.id, own)


def _why_unread(why: Exception, words: AttachmentWords) -> str:
    is_usual = isinstance(why, CannotSee | NotAPicture)
    reason = str(why) if is_usual else f"{type(why).__name__} {getattr(why, 'reason', '')}".rstrip()
    log.log(logging.INFO if is_usual else logging.WARNING, "pictures are only kept: %s", reason)
    match why:
        case AllowanceSpent():
            return words.spent
        case _NobodySees():
            return words.nobody_sees
        case CannotSee():
            return words.cannot_see
        case NotAPicture():
            return words.not_shown
        case _:
            return words.not_seen_now


def _choices(create: ToolDefinition) -> Sequence[str]:
    """The categories that the tool takes."""
    choices: Sequence[str] = create.parameters["properties"]["category"]["enum"]
    return choices


def _prompt(turn: Turn, caller: Caller, words: str, shown: Sequence[str], categories: Sequence[str]) -> Prompt:
    stamp = Stamp(caller.now, caller.zone, caller.language, caller.currency, untrusted=True)
    text = f"{stamped(stamp, words)}\n(category is one of: {', '.join(categories)})"
    pictures = [{"type": "image_url", "image_url": {"url": each}} for each in shown]
    return Prompt(
        turn=turn.id,
        chat=turn.chat,
        person=caller.speaker,
        day=caller.now.date(),
        system=READING_SYSTEM,
        history=(),
        user={"role": "user", "content": [{"type": "text", "text": text}, *pictures]},
        untrusted=True,
        resumed=turn.resumed,
    )


def _calls(drafts: Sequence[Draft], caller: Caller) -> list[dict[str, Any]]:
    """As if the model had asked for these records."""
    return [
        {
            "id": f"seen{n:05}",
            "type": "function",
            "function": {"name": "create_record", "arguments": _written(each, caller)},
        }
        for n, each in enumerate(drafts, start=1)
    ]


def _written(draft: Draft, caller: Caller) -> str:
    words = attachment_words(caller.language)
    unnamed = words.receipt if draft.arguments["type"] == "expense" else words.photo(len(draft.pictures))
    return json.dumps({**draft.arguments, "content": draft.arguments["content"] or unnamed}, ensure_ascii=False)


def _result(call_id: str, result: Result) -> Message:
    told = json.dumps(result, ensure_ascii=False, separators=(",", ":"), default=str)
    return {"role": "tool", "tool_call_id": call_id, "content": told}


async def _created(create: ToolDefinition, arguments: Mapping[str, Any], key: CallKey) -> Result:
    """The record, without what could not be understood; at last only its words."""
    left = dict(arguments)
    while True:
        try:
            return await create.handler(left, key)
        except ToolError as refusal:
            named = {each.path.partition(".")[0] for each in refusal.fields}
            wrong = named & (left.keys() - {"type", "content", "amount"})
            if not wrong and left.keys() == {"type", "content"}:
                raise
            left = {name: each for name, each in left.items() if name not in wrong}
            if not wrong:
                left = {"type": "note", "content": left["content"]}


def _doubts(drafts: Sequence[Mapping[str, Any]], pictures: Sequence[Thing], caller: Caller) -> list[str]:
    words = attachment_words(caller.language)
    told = [words.only_so_many(MOST_READ)] if len(pictures) > MOST_READ else []
    doubtful = [draft for draft in drafts if draft["doubt"] is not None]
    told += [_doubt(Doubt(**draft["doubt"]), draft["arguments"], caller, words) for draft in doubtful]
    return list(dict.fromkeys(told))


def _doubt(doubt: Doubt, arguments: Mapping[str, Any], caller: Caller, words: AttachmentWords) -> str:
    named = str(arguments.get("currency") or "").upper()
    currency = named if known(named) else caller.currency

    def shown(plain: str) -> str:
        return money(Decimal(plain), currency, caller.language)

    if doubt.sum and doubt.total:
        return words.sum_differs(shown(doubt.sum), shown(doubt.total))
    return words.sum_taken(shown(doubt.sum)) if doubt.sum else words.look_again

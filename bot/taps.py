"""What needs no model: a tapped button.

Buttons stay in a chat for ever, so each is a short key and every tap is checked anew: a stale one says so, a second one
does nothing. Must not know how a button looks or how an answer travels.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.answering import Answering
from bot.doubts import corrected
from bot.inbox_ports import ForgettingPort, InboxPort, LastSaidPort
from bot.ports import Bubble, Button, Tap, Turn, TurnId
from bot.quotes import Quotes
from bot.rung import ABOUT_RING, Rung
from bot.secretary import MIRROR_SECONDS, Secretary, undo_button
from bot.undoing import undo_of_turn
from bot.voice.card_words import card_words
from bot.voice.commands import commands_of, plain
from bot.voice.doubts import confirmed_text
from bot.voice.farewell_words import farewell_words
from bot.voice.neighbours import twin_of
from bot.voice.phrases import Phrases, phrases_of
from bot.voice.questions import question_words
from tools.arguments import Reader
from tools.categories import usual
from tools.definition import Caller, ToolError
from tools.record import OPEN, TO_DO, CallKey, Change, NothingChanged, PersonId, RecordNotFound
from tools.revision import Revision

CHANGES = frozenset({Tap.UNDO, Tap.CONFIRM, Tap.MEANT, Tap.DONE, Tap.SNOOZE, Tap.STOP, Tap.FOLLOWING, Tap.WHEN})
"""What changes records: nothing for a guest."""

OF_RINGS = frozenset({Tap.DONE, Tap.SNOOZE, Tap.STOP})
"""What is asked for under something that rang, or of a record on a card."""

TURNED = "newRichMenuAliasId"
"""What a tap carries that turned a page of the menu, which the phone shows by itself.
https://developers.line.biz/en/reference/messaging-api/#postback-params-object-for-richmenu-switch-action"""

_LABEL = 20
"""Characters of a button, at most."""

_REF = re.compile("[0-9]{1,9}")
_ABOUT = re.compile(r"[0-9]{1,9}:\s*\S.*", re.DOTALL)
_PICKED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2})?")
"""https://developers.line.biz/en/reference/messaging-api/#postback-params-object-for-datetime-selection-action"""


@dataclass(frozen=True, slots=True)
class Taps:
    """Answers buttons. What a tap does is keyed by its turn, so that a repeat does nothing."""

    inbox: InboxPort
    secretary: Secretary
    answering: Answering
    quotes: Quotes
    forgetting: ForgettingPort
    last_said: LastSaidPort
    rung: Rung
    welcomes: Callable[[PersonId], Awaitable[bool]]

    async def tap(self, turn: Turn, caller: Caller) -> Sequence[Bubble]:
        """The answer to a button."""
        tap, _, about = turn.last.data.partition(":")
        if TURNED in turn.last.params and tap not in set(Tap):
            return ()
        if tap in {Tap.FORGET, Tap.REMEMBER}:
            return await self._farewell(turn, caller, Tap(tap), TurnId(about))
        return await self.tapped(turn, caller, tap, about)

    async def tapped(self, turn: Turn, caller: Caller, tap: str, about: str) -> Sequence[Bubble]:
        """What such a tap does, also where words say the same."""
        if caller.role == "guest" and tap in CHANGES:
            return (Bubble(phrases_of(caller.language).only_looks),)
        if tap in OF_RINGS and ABOUT_RING.fullmatch(about):
            return await self.rung.tapped(turn, caller, Tap(tap), about)
        if tap == Tap.MEANT:
            return await self._meant(turn, caller, about)
        if tap in {Tap.FOLLOWING, Tap.ONLY}:
            return await self.rung.scope(turn, caller, Tap(tap), about)
        return await self._tapped(turn, caller, tap, about)

    async def _tapped(self, turn: Turn, caller: Caller, tap: str, about: str) -> Sequence[Bubble]:
        phrases = phrases_of(caller.language)
        match tap:
            case Tap.SHOW:
                return await self._show(turn, TurnId(about), phrases)
            case Tap.SAY if about.strip():
                return await self.answering.answer(turn, caller, about)
            case Tap.ABOUT if _ABOUT.fullmatch(about):
                ref, _, words = about.partition(":")
                return await self.answering.answer(turn, caller, await self.quotes.about([int(ref)], words, caller))
            case Tap.UNDO:
                return await undo_of_turn(self.secretary, turn, caller, about)
            case Tap.CONFIRM:
                return await self._confirm(turn, caller, about, phrases)
            case Tap.KEEP:
                return await self._keep(caller, about, phrases)
            case Tap.WHEN if _REF.fullmatch(about):
                return await self._at(turn, caller, int(about))
        return (Bubble(phrases.button_too_old),)

    async def spoken(self, turn: Turn, caller: Caller, words: str) -> Sequence[Bubble]:
        """A yes or no right behind a question, or what a button under it says, is the tap on that button, and so is
        what is said right after a ring; nothing if it is none, or nothing was asked. What a person would lose for good
        is done by their tap alone: then it is asked for."""
        if answered := await self.rung.spoken(turn, caller, words):
            return answered
        said = [each.name for each in commands_of(words) if not each.slashed]
        answers = said in (["yes"], ["no"])
        if not (answers or len(words) <= _LABEL) or turn.last.chat_kind != "user":
            return ()
        last = await self.last_said.before(turn)
        if last is None or turn.last.received_at <= last.at:  # said before the question could be read
            return ()
        asked = [button for bubble in last.bubbles for button in bubble.buttons]
        forgets = [button for button in asked if button.data.startswith((Tap.FORGET.on(""), Tap.REMEMBER.on("")))]
        if forgets and answers:
            return (Bubble(farewell_words(caller.language).tap, tuple(forgets)),)
        data = _tap_said(words, said, asked)
        return await self.tapped(turn, caller, *data.split(":", 1)) if data else ()

    async def _show(self, turn: Turn, asked: TurnId, phrases: Phrases) -> Sequence[Bubble]:
        """The answer of an earlier turn of this chat. One that is on its way comes by itself, at the latest in front of
        this reply: said here too, the person would have it twice."""
        answer = await self.inbox.answer_of(asked, turn.chat)
        if answer is None:
            return (Bubble(phrases.not_ready, (Button(phrases.show_answer, Tap.SHOW.on(asked)),), stays=True),)
        if answer.on_its_way:
            return ()
        if answer.is_given_up:
            return (Bubble(phrases.set_aside),)
        return answer.bubbles or (Bubble(phrases.button_too_old),)

    async def _confirm(self, turn: Turn, caller: Caller, asked: str, phrases: Phrases) -> Sequence[Bubble]:
        """Do what was asked about, but for what the question no longer fits."""
        memory = self.secretary.memory_of(caller.person)
        asked_about = await self._asked_about(caller, asked)
        done = await memory.confirm([change.id for change in asked_about], CallKey(turn.id, 1))
        settled = {change.id for change in done}
        gone = {change.record.id for change in done if change.kind == "delete"}  # nothing is left there to be changed
        proposed = [change for change in asked_about if change.state == "proposed" and change.record.id not in gone]
        open_yet = [change for change in proposed if change.id not in settled]
        stale = question_words(caller.language).meanwhile if any(each.kind == "update" for each in open_yet) else ""
        if done:
            told = await self.secretary.receipt(done, caller)
            return (Bubble("\n".join(filter(None, [told, stale])), (undo_button(turn, phrases),)),)
        if not asked_about:
            return (Bubble(phrases.button_too_old),)
        expired = any(change.state == "expired" for change in asked_about)
        return (Bubble(stale or (phrases.confirm_expired if expired else phrases.already_handled)),)

    async def _meant(self, turn: Turn, caller: Caller, about: str) -> Sequence[Bubble]:
        """Which of two days was meant: the record is on it, or was already."""
        phrases = phrases_of(caller.language)
        try:
            found = await corrected(self.secretary.memory_of(caller.person), turn.id, about, caller)
        except ToolError:
            return (Bubble(card_words(caller.language).time_unread),)
        match found.outcome:
            case "corrected":
                told = await self.secretary.receipt(found.changes, caller)
                return (Bubble(told, (undo_button(turn, phrases),)),)
            case "confirmed":
                now = caller.now.astimezone(caller.zone)
                return (Bubble(confirmed_text(found.chosen, now, caller.language)),)
        return (Bubble(phrases.already_handled if found.outcome == "late" else phrases.button_too_old),)

    async def _farewell(self, turn: Turn, caller: Caller, tap: Tap, asked: TurnId) -> Sequence[Bubble]:
        """Whether somebody is forgotten. What is left of them in a mirror goes by itself as soon as that takes it."""
        words = farewell_words(caller.language)
        if caller.household:  # nobody is asked in a group
            return (Bubble(phrases_of(caller.language).button_too_old),)
        if tap is Tap.REMEMBER:
            return (Bubble(phrases_of(caller.language).kept),)
        found = await self.forgetting.agree(asked, turn, caller.person)
        if found is None:
            return (Bubble(phrases_of(caller.language).button_too_old),)
        if found.outcome != "done":
            return (Bubble(words.before if found.outcome == "before" else words.too_late),)
        mirror = self.secretary.mirror
        late = words.mirror_follows if mirror and await mirror.forget(MIRROR_SECONDS) else ""
        stays = words.still_owner if caller.role == "owner" else ""
        back = "" if await self.welcomes(caller.person) else words.by_invitation
        return (Bubble("\n".join(filter(None, [words.forgotten(found.records), late, stays, back]))),)

    async def _keep(self, caller: Caller, asked: str, phrases: Phrases) -> Sequence[Bubble]:
        """Nothing to do: what is not confirmed stays."""
        states = {change.state for change in await self._asked_about(caller, asked)}
        if not states:
            return (Bubble(phrases.button_too_old),)
        return (Bubble(phrases.kept if states & {"proposed", "expired"} else phrases.already_handled),)

    async def _asked_about(self, caller: Caller, asked: str) -> list[Change]:
        """What a turn changed, deleted or asked about, if it was this person's."""
        changes = await self.secretary.memory_of(caller.person).changes(asked)
        return [change for change in changes if change.kind in {"update", "delete"} or twin_of(change)]

    async def _at(self, turn: Turn, caller: Caller, ref: int) -> Sequence[Bubble]:
        """The record is at the moment that was picked, which is told without a zone: it is the person's own clock."""
        phrases, words = phrases_of(caller.language), card_words(caller.language)
        memory = self.secretary.memory_of(caller.person)
        record = await memory.get(ref)
        if record is None or record.type not in TO_DO or record.status not in OPEN:
            return (Bubble(phrases.already_handled),)
        picked = next((turn.last.params[name] for name in ("datetime", "date") if name in turn.last.params), "")
        if not _PICKED.fullmatch(picked):
            return (Bubble(words.time_unread),)
        try:
            fields = Revision(record, Reader(caller, usual(caller.home))).times(None, picked, None, None)
            change = await memory.revise(ref, fields, CallKey(turn.id, 1), lambda record: {"ref": record.ref})
        except ToolError:
            return (Bubble(words.time_unread),)
        except (RecordNotFound, NothingChanged):
            return (Bubble(phrases.already_handled),)
        return await self._changed(turn, caller, change)

    async def _changed(self, turn: Turn, caller: Caller, change: Change) -> Sequence[Bubble]:
        """What a tap did, and the way back: a finger slips."""
        told = await self.secretary.receipt([change], caller)
        return (Bubble(told, (undo_button(turn, phrases_of(caller.language)),)),)


def _names_of(day: Button) -> set[str]:
    """What somebody writes in place of tapping on a day: with its weekday, or without."""
    label = plain(day.label)
    return {label, label.partition("(")[0], label.partition(" ")[2]} - {""}


def _tap_said(words: str, said: Sequence[str], asked: Sequence[Button]) -> str:
    """The data of the button that is meant by these words: by what stands on it, or by a yes or no; "" if none is."""
    decides = [button for button in asked if button.data.startswith((Tap.CONFIRM.on(""), Tap.KEEP.on("")))]
    for button in decides:
        if plain(button.label) == plain(words):
            return button.data
    days = [button for button in asked if button.data.startswith(Tap.MEANT.on(""))]
    if chosen := [button.data for button in days if plain(words) in _names_of(button)]:
        return chosen[0] if len(chosen) == 1 else ""
    meant = [button.data for button in days]
    if said not in (["yes"], ["no"]):
        return ""
    if len(meant) == 2:  # noqa: PLR2004 - the one that was read, and the other
        return meant[said == ["no"]]
    about = {button.data.partition(":")[2] for button in decides}
    return (Tap.CONFIRM if said == ["yes"] else Tap.KEEP).on(about.pop()) if len(about) == 1 else ""

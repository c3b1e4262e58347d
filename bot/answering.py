"""What is said in words is answered, whether the model can be reached or not.

Without it, what is certain is done at once and the rest is kept. What was kept goes first when the model is asked
again, so that things happen in the order in which they were said; its words are seen by the model only in the turn
that carries them out. Must not know how a model is asked, how words are kept, or how an answer travels.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.categories import answer_about_categories
from bot.commands import CHANGES, Commands
from bot.model_ports import AllowanceSpent, ModelUnavailable, PromptTooLong
from bot.ports import HEARD, Bubble, ClaimLost, Turn, TurnId, questions_last
from bot.postponed import GIVE_UP_AFTER, Kept, PostponedPort, Recovery
from bot.secretary import Secretary
from bot.so_far import midnight
from bot.thinking.foreign import heard_in
from bot.thinking.prompt import Stamp, stamped
from bot.thinking.quotation import without_quotes
from bot.voice.category_commands import category_wish_of
from bot.voice.commands import commands_of
from bot.voice.phrases import phrases_of
from bot.voice.record_text import short
from bot.voice.second_thoughts import asks_to_stop, second_thought_words
from bot.voice.waiting import waiting_words
from tools.definition import Caller, ToolDefinition
from tools.record import Change, PersonId, StoreUnavailable
from tools.toolbox import toolbox

log = logging.getLogger(__name__)

SENTENCES_AT_ONCE = 5
"""So many that were kept are carried out in one turn: each takes the model some seconds, and somebody waits."""

ROOM = 300
"""Characters of what is to be said again: enough to copy it."""

Certain = Callable[[str, Sequence[ToolDefinition]], tuple[str, str]]
"""A stamped message to the lines of it that can be carried out without the model, and the rest."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers what is said. ``certain`` is None where the model is the one that never goes away."""

    secretary: Secretary
    postponed: PostponedPort
    recovery: Recovery
    certain: Certain | None
    commands: Commands

    async def answer(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """What is said to ``words``, and in front of it what came of those that had waited."""
        commands = [] if _is_unsure(turn, words) else commands_of(words)
        wish = category_wish_of(words)
        if (commands or wish or asks_to_stop(words)) and not await self._is_begun(turn):
            said = (
                await self._taken_back(turn, caller, words)
                or await answer_about_categories(turn, caller, wish, self.secretary.categories_of)
                or await self.commands.answer(turn, caller, commands)
            )
            if said is None and not self.commands.has_model:
                said = await self._needs_no_model(turn, caller, words)
            if said is not None:
                return said
        kept = await self.postponed.kept_of(turn.id) if turn.resumed else None
        if kept and not kept.settled_by:
            earlier = await self._carried_out_before(turn, caller)
            return await self._behind(earlier, self._at_once(turn, caller, kept), caller)
        earlier, is_there = await self._caught_up(turn, caller)
        return await self._behind(earlier, self._own(turn, caller, words, is_there=is_there), caller)

    async def _needs_no_model(self, turn: Turn, caller: Caller, words: str) -> list[Bubble] | None:
        """What is said to a word that the model would rather answer, where it cannot; None if it must be kept for
        it."""
        if asks_to_stop(words) and not await self.commands.waits_for_a_tap(turn):
            return [Bubble(second_thought_words(caller.language).nothing_to_stop)]
        return await self.commands.answer_anyway(turn, caller, commands_of(words))

    async def _is_begun(self, turn: Turn) -> bool:
        """Whether the model had these words already: then they are its to answer, whatever was said since."""
        if not turn.resumed:
            return False
        return bool(await self.secretary.transcript.of_turn(turn.id) or await self.postponed.kept_of(turn.id))

    async def _behind(self, earlier: Sequence[Bubble], own: Awaitable[list[Bubble]], caller: Caller) -> list[Bubble]:
        """Both. What was done before is told, even if the rest breaks."""
        try:
            return questions_last([*earlier, *await own])
        except (ClaimLost, StoreUnavailable):
            raise
        except Exception:
            if not earlier:
                raise
            log.exception("a turn broke off behind what had waited")
            return [*earlier, Bubble(phrases_of(caller.language).failed)]

    async def later(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What comes of the words that wait in the chat, a few at a time."""
        bubbles, _ = await self._caught_up(turn, caller)
        return questions_last(bubbles)

    async def forget(self, turn: Turn, person: PersonId) -> None:
        """Whoever said this is not welcome any more."""
        for kept in await self.postponed.of_chat(turn.chat, person, turn.id):
            await self.postponed.settle(kept, turn.id, "withdrawn")

    async def given_up(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """Of a turn that is set aside: what it did of what had waited. What it may have died of is to be said again: it
        would kill the next one too."""
        bubbles: list[Bubble] = []
        waiting = await self.postponed.of_chat(turn.chat, caller.speaker, turn.id)
        for kept in waiting:
            if kept.settled_by:
                bubbles += await self._done_of(turn, caller, kept)
            elif kept.said_in == turn.id:
                await self.postponed.settle(kept, turn.id, "given up")
        if dying := next((kept for kept in waiting if not kept.settled_by and kept.said_in != turn.id), None):
            bubbles += await self._give_up(turn, caller, dying)
        return bubbles

    async def made(self, turn: Turn, caller: Caller) -> list[Change]:
        """The new records of this turn."""
        changes = await self.secretary.memory_of(caller.person).changes(turn.id)
        return [change for change in changes if change.kind == "create" and change.state == "done"]

    async def withdraw(self, said_in: TurnId, turn: Turn, caller: Caller) -> None:
        """What waits of words that are gone waits no more."""
        kept = await self.postponed.kept_of(said_in)
        if kept and kept.person == caller.speaker and not kept.settled_by:
            await self.postponed.settle(kept, turn.id, "withdrawn")

    async def stopped(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """Of a turn that is to be done no further: what it did of what had waited. What it kept itself, or was only
        there to carry out, waits no more."""
        bubbles: list[Bubble] = []
        goes_on = any(message.kind == "postponed" for message in turn.messages)
        for kept in await self.postponed.of_chat(turn.chat, caller.speaker, turn.id):
            if kept.settled_by or goes_on:
                bubbles += await self._done_of(turn, caller, kept)
            if not kept.settled_by and (goes_on or kept.said_in in turn.thought_as):
                await self.postponed.settle(kept, turn.id, "withdrawn")
        return bubbles

    # ── the words of now

    async def _own(self, turn: Turn, caller: Caller, words: str, *, is_there: bool) -> list[Bubble]:
        answer = await self._with_model(turn, caller, words) if is_there else None
        return await self._without_model(turn, caller, words) if answer is None else answer

    async def _with_model(self, turn: Turn, caller: Caller, words: str) -> list[Bubble] | None:
        """The model's answer; None if it cannot be reached."""
        try:
            bubbles = await self.secretary.answer(turn, caller, words)
        except AllowanceSpent:
            if not _is_unsure(turn, words) and (said := await self._needs_no_model(turn, caller, words)) is not None:
                return said
            kept = await self._kept(turn, caller, words)
            return await self._enough_for_today(turn, caller, kept) if kept else None
        except PromptTooLong:
            done = await self.secretary.done_so_far(turn, caller, words)
            return [*done, Bubble(waiting_words(caller.language).too_long)]
        except ModelUnavailable as down:
            await self._is_down(turn, down)
            return None
        self.recovery.answered()
        return bubbles

    async def _without_model(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """Nothing is done before it is certain what is left to do."""
        if not _is_unsure(turn, words) and not await self._is_begun(turn):
            said = await self._needs_no_model(turn, caller, words)
            if said is not None:
                return said
        kept = await self._kept(turn, caller, words)
        if kept is None:
            return await self.secretary.answer_without_model(turn, caller, words)
        await self.postponed.keep(kept)
        return await self._at_once(turn, caller, kept)

    async def _kept(self, turn: Turn, caller: Caller, words: str) -> Kept | None:
        """What has to wait of these words; None if all of it is certain. Where the model went away in the midst of a
        turn, it goes on with that very turn."""
        memory = self.secretary.memory_of(caller.person)
        is_begun = bool(await self.secretary.transcript.of_turn(turn.id))
        done, rest = "", words
        if self.certain and not is_begun:
            stamp = Stamp(caller.now, caller.zone, caller.language, caller.currency)
            categories, _ = await self.secretary.categories(caller)
            done, rest = self.certain(stamped(stamp, words), toolbox(caller, memory, categories=categories))
        if not rest:
            return None
        return Kept(
            turn=_turn_of_the_rest(turn, done=bool(done), is_begun=is_begun),
            said_in=turn.id,
            chat=turn.chat,
            person=caller.speaker,
            language=caller.language,
            words=rest,
            said_at=turn.last.occurred_at,
            kept_at=caller.now,
            done=done,
            told=max((change.key.call for change in await memory.changes(turn.id)), default=0),
        )

    async def _at_once(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """What is said to a turn of which something is kept."""
        done = await self._done_at_once(turn, caller, kept)
        if not done:
            return [Bubble(phrases_of(kept.language).model_down)]
        words = waiting_words(kept.language)
        return [*done, Bubble(words.rest_kept(self._quoted(kept)) if kept.done else words.goes_on_later)]

    async def _done_at_once(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """What is done of these words without the model, or was done with it before it went away."""
        if kept.done:
            return await self.secretary.answer_without_model(turn, caller, kept.done)
        return await self.secretary.done_so_far(turn, caller, kept.words)

    async def _enough_for_today(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """Nothing is kept. Who was told that something is saved is not asked to say the same again."""
        done, words = await self._done_at_once(turn, caller, kept), waiting_words(caller.language)
        is_begun = bool(done) and not kept.done
        return [*done, Bubble(words.enough_behind_it if is_begun else words.enough_for_today)]

    async def _is_down(self, turn: Turn, down: ModelUnavailable) -> None:
        log.warning("going on without the model: %s", down.reason)
        await self.recovery.failed(turn.chat)

    # ── the words of before

    async def _caught_up(self, turn: Turn, caller: Caller) -> tuple[list[Bubble], bool]:
        """What came of the words that wait in the chat, in order, and whether the next are the model's to answer: it is
        there, and nothing is left in front of them."""
        bubbles: list[Bubble] = []
        tried = 0
        for kept in await self.postponed.of_chat(turn.chat, caller.speaker, turn.id):
            tried += kept.settled_by is None
            if tried > SENTENCES_AT_ONCE:
                return bubbles, False
            try:
                bubbles += await self._carried_out(turn, caller, kept)
            except AllowanceSpent:
                await self.postponed.rest(kept, _tomorrow(caller))
                return bubbles, True
            except ModelUnavailable as down:
                await self._is_down(turn, down)
                return bubbles, False
        return bubbles, True

    async def _carried_out_before(self, turn: Turn, caller: Caller) -> list[Bubble]:
        """What came of those that this turn had settled when it was interrupted."""
        found = await self.postponed.of_chat(turn.chat, caller.speaker, turn.id)
        return [bubble for kept in found if kept.settled_by for bubble in await self._carried_out(turn, caller, kept)]

    async def _carried_out(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """What came of these words; once more where this turn was interrupted behind it. Raises ModelUnavailable."""
        if kept.outcome == "given up" or (not kept.settled_by and caller.now - kept.kept_at >= GIVE_UP_AFTER):
            return await self._give_up(turn, caller, kept)
        own, caller = replace(turn, id=kept.turn), replace(caller, language=kept.language)
        try:
            bubbles = await self.secretary.go_on(own, caller, kept.words, said_at=kept.said_at, told=kept.told)
        except (ClaimLost, StoreUnavailable):
            raise
        except PromptTooLong:
            return await self._give_up(turn, caller, kept)
        except ModelUnavailable:
            if not kept.settled_by:
                raise
            return await self._done_of(turn, caller, kept)
        except Exception:
            log.exception("what was said in turn %s cannot be carried out", kept.said_in)
            return await self._give_up(turn, caller, kept)
        self.recovery.answered()
        return self._headed(kept, bubbles) if await self.postponed.settle(kept, turn.id, "done") else []

    async def _give_up(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """What was done of it is told, and that the rest is to be said again."""
        if not await self.postponed.settle(kept, turn.id, "given up"):
            return []
        sentence = waiting_words(kept.language).say_again(short(self._masked(kept), ROOM))
        return [*await self._done_of(turn, caller, kept), Bubble(sentence)]

    async def _done_of(self, turn: Turn, caller: Caller, kept: Kept) -> list[Bubble]:
        """What was done of it, and is not told yet."""
        own, caller = replace(turn, id=kept.turn), replace(caller, language=kept.language)
        return self._headed(kept, await self.secretary.done_so_far(own, caller, kept.words, told=kept.told))

    async def _taken_back(self, turn: Turn, caller: Caller, words: str) -> list[Bubble]:
        """What waits is taken back by an undo, and by a stop that is not the answer to a question."""
        if asks_to_stop(words):
            asked = await self.commands.waits_for_a_tap(turn)
            return [] if asked else await self._withdrawn(turn, caller, even_if_done_since=True)
        is_undo = [each.name for each in commands_of(words)] == ["undo"]
        return await self._withdrawn(turn, caller) if is_undo else []

    async def _withdrawn(self, turn: Turn, caller: Caller, *, even_if_done_since: bool = False) -> list[Bubble]:
        """The newest words that wait: for an undo only if nothing was done since they were said, for that is what is to
        be taken back then."""
        memory = self.secretary.memory_of(caller.person)
        found = await self.postponed.of_chat(turn.chat, caller.speaker, turn.id)
        newest = next((kept for kept in found if kept.settled_by), None)  # by this turn, before it was interrupted
        if newest is None:
            if not found or await memory.changes(turn.id):
                return []
            newest = max(found, key=lambda kept: kept.kept_at)
            last = await memory.last_done_at()
            if last and last > newest.kept_at and not even_if_done_since:
                return []
            if not await self.postponed.settle(newest, turn.id, "withdrawn"):
                return []
        return [Bubble(waiting_words(caller.language).withdrawn(self._quoted(newest)))]

    def _headed(self, kept: Kept, bubbles: Sequence[Bubble]) -> list[Bubble]:
        """Said with the words that it answers in front, for others were said since."""
        if not bubbles:
            return []
        head = waiting_words(kept.language).sorted_out(self._quoted(kept))
        return [bubbles[0].headed(head), *bubbles[1:]]

    def _quoted(self, kept: Kept) -> str:
        return short(self._masked(kept))

    def _masked(self, kept: Kept) -> str:
        return self.secretary.redactor.without_secrets(without_quotes(kept.words))


def _is_unsure(turn: Turn, words: str) -> bool:
    """Whether a command that changes records was only heard: such a change waits for a tap, which is the model's to
    ask for."""
    return heard_in(turn.messages) and any(each.name in CHANGES for each in commands_of(words))


def _turn_of_the_rest(turn: Turn, *, done: bool, is_begun: bool) -> TurnId:
    """The turn in which what waits goes on: its own, unless that is used for what was done, or could not tell that the
    words were spoken."""
    if not is_begun and heard_in(turn.messages):
        return TurnId(f"{HEARD}{turn.id}")
    return TurnId(f"rest:{turn.id}") if done else turn.id


def _tomorrow(caller: Caller) -> datetime:
    """When the person's next day begins."""
    return midnight(caller.now + timedelta(days=1))

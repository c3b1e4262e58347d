"""What people ask for by a single word is answered at once, by code: also while the model is away or spent.

What a command changes is keyed by (turn, place of the command in it), so that a repeat does nothing; what is told of
it comes from the store. Must not know how a word was recognised, how a model is asked, or how an answer travels.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.agenda import Agenda
from bot.finishing import finished
from bot.history import History
from bot.inbox_ports import ExportsPort, ForgettingPort, LastSaidPort
from bot.model_ports import AllowancePort
from bot.own_hours import bedtime, quiet, still_to_ring
from bot.ports import LATER, Bubble, Button, PeoplePort, Person, Tap, Turn, TurnId
from bot.secretary import Secretary
from bot.undoing import undo_last, undo_of_records
from bot.voice.command_words import NAMES, CommandWords, command_words
from bot.voice.commands import ANSWERS, Command, CommandName
from bot.voice.dates import moment_text
from bot.voice.farewell_words import farewell_words
from bot.voice.history_words import history_words
from bot.voice.language import Fixed
from bot.voice.phrases import phrases_of
from bot.voice.places import AUTOMATIC, currency_named, language_named, place_named, zone_text
from tools.definition import Caller
from tools.record import (
    Language,
    RecordQuery,
)

CHANGES: frozenset[CommandName] = frozenset({"done", "undo", "redo"})

ONES_OWN: frozenset[CommandName] = frozenset(
    {"language", "zone", "currency", "quota", "export", "forget", "me", "quiet", "bedtime"}
)
"""What is about the one who speaks, and not about the list of a group."""

IN_A_BROWSER = "?openExternalBrowser=1"
"""LINE's own browser cannot keep a file; with this, LINE opens the one of the phone.
https://developers.line.biz/en/docs/line-login/using-line-url-scheme/"""


@dataclass(frozen=True, slots=True)
class Asked:
    """One command: in which turn, by whom, and at which place among the commands of the turn."""

    turn: Turn
    caller: Caller
    command: Command
    number: int

    @property
    def words(self) -> CommandWords:
        return command_words(self.caller.language)


Did = Callable[[Asked], Awaitable[list[Bubble]]]


@dataclass(frozen=True, slots=True)
class Commands:
    """Answers commands. ``allowance`` is None where no model is connected, ``retention_days`` how long words stay,
    ``public_url`` where people reach this bot, or "".
    ``pushes_left`` asks the network how often it may still be spoken unasked this month. ``has_model``: whether
    somebody is there whose question a word could answer."""

    secretary: Secretary
    last_said: LastSaidPort
    people: PeoplePort
    fixed: Fixed
    allowance: AllowancePort | None
    retention_days: int
    forgetting: ForgettingPort
    exports: ExportsPort
    public_url: str
    pushes_left: Callable[[], Awaitable[int | None]] | None = None
    has_model: bool = True

    async def answer(self, turn: Turn, caller: Caller, commands: Sequence[Command]) -> list[Bubble] | None:
        """What is said to these commands, in their order; None if one of them rather answers what was asked before, or
        there is none."""
        if not commands:
            return None
        if any(each.name in ANSWERS and not each.slashed for each in commands) and await self._was_asked(turn):
            return None
        return await self._answered(turn, caller, commands)

    async def answer_anyway(self, turn: Turn, caller: Caller, commands: Sequence[Command]) -> list[Bubble] | None:
        """What is said where the model that asked before is not there to hear; None if they are a yes or no to it."""
        if not commands or any(each.name in {"yes", "no"} for each in commands):
            return None
        return await self._answered(turn, caller, commands)

    async def waits_for_a_tap(self, turn: Turn) -> bool:
        """Whether the last thing that was said in this chat asks with buttons that answer it."""
        last = await self.last_said.before(turn)
        return last is not None and any(map(_has_answers, last.bubbles))

    async def _answered(self, turn: Turn, caller: Caller, commands: Sequence[Command]) -> list[Bubble]:
        if not all(_may(caller, each) for each in commands):
            return [Bubble(phrases_of(caller.language).only_looks)]
        bubbles: list[Bubble] = []
        for number, command in enumerate(commands, start=1):
            caller = await self._as_set(caller) if number > 1 else caller
            alone = caller.household is None or command.name not in ONES_OWN
            did = self._answers()[command.name] if alone else self._elsewhere
            bubbles += await did(Asked(turn, caller, command, number))
        return bubbles

    def _answers(self) -> dict[str, Did]:
        return {
            "help": self._help,
            "today": self._today,
            "list": self._list,
            "done": self._done,
            "undo": self._undo,
            "redo": self._undo,
            "history": self._history,
            **dict.fromkeys(("reminders", "quiet", "bedtime"), self._rhythm),
            "language": self._language,
            "zone": self._zone,
            "currency": self._currency,
            "quota": self._quota,
            "me": self._me,
            "export": self._export,
            "forget": self._forget,
            **dict.fromkeys(("thanks", "hello", "night"), self._pleasantry),
            "morning": self._morning,
            **dict.fromkeys(("yes", "no"), self._fine),
        }

    async def _was_asked(self, turn: Turn) -> bool:
        """Whether the last thing that was said in this chat asks something: with buttons that answer it, or in words of
        the model. What the bot says by itself, or offers to take back, waits for no answer."""
        last = await self.last_said.before(turn)
        if last is None or not (bubbles := [each for each in last.bubbles if not each.stays]):
            return False
        if any(map(_has_answers, bubbles)):
            return True
        return self.has_model and _asks(bubbles[-1].text) and await self._is_the_models(last.turn)

    async def _is_the_models(self, turn: TurnId) -> bool:
        """Whether a model spoke in this turn, or in the one that went on in it later."""
        later = TurnId(turn.removeprefix(LATER).rpartition(":")[0]) if turn.startswith(LATER) else turn
        said = [*await self.secretary.transcript.of_turn(turn), *await self.secretary.transcript.of_turn(later)]
        return any(each["role"] == "assistant" and each.get("content") for each in said)

    async def _as_set(self, caller: Caller) -> Caller:
        """As the person is spoken to after a command before this one."""
        person = await self.people.find(caller.person)
        if person is None:
            return caller
        zone = person.zone
        now = caller.now.astimezone(zone)
        hours, currency = person.hours, person.currency
        return replace(caller, language=person.language, zone=zone, currency=currency, now=now, hours=hours)

    async def _elsewhere(self, asked: Asked) -> list[Bubble]:
        """In one's own chat, where nobody else reads it."""
        return [Bubble(asked.words.elsewhere)]

    # ── pleasantries ──────────────────────────────────────────────────────────────────────────────────────────────

    async def _help(self, asked: Asked) -> list[Bubble]:
        words = asked.words
        buttons = tuple(Button(each, Tap.SAY.on(each)) for each in (words.today, words.list))
        return [Bubble(phrases_of(asked.caller.language).help, buttons)]

    async def _pleasantry(self, asked: Asked) -> list[Bubble]:
        return [Bubble(getattr(asked.words, asked.command.name))]

    async def _fine(self, asked: Asked) -> list[Bubble]:
        return [Bubble(asked.words.fine)]

    async def _morning(self, asked: Asked) -> list[Bubble]:
        """With what the day brings, where nobody else reads it."""
        if asked.turn.last.chat_kind != "user":
            return [Bubble(asked.words.morning)]
        today = await self._today(asked)
        return [today[0].headed(asked.words.morning), *today[1:]]

    # ── records ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _today(self, asked: Asked) -> list[Bubble]:
        return await Agenda(self.secretary).today(asked.caller)

    async def _list(self, asked: Asked) -> list[Bubble]:
        return await Agenda(self.secretary).to_do(asked.caller)

    async def _done(self, asked: Asked) -> list[Bubble]:
        if not asked.command.refs:
            return [Bubble(asked.words.done_which)]
        return [await finished(self.secretary, asked.turn, asked.caller, asked.command.refs, asked.number * 100)]

    async def _rhythm(self, asked: Asked) -> list[Bubble]:
        """Their reminders, and their own hours."""
        if asked.command.name == "reminders":
            return [await still_to_ring(self.secretary, asked.caller)]
        told = quiet if asked.command.name == "quiet" else bedtime
        return [await told(self.people, asked.caller, asked.command.about)]

    async def _undo(self, asked: Asked) -> list[Bubble]:
        if refs := asked.command.refs:
            return await undo_of_records(self.secretary, asked.turn, asked.caller, refs, asked.number * 100)
        redo = asked.command.name == "redo"
        return await undo_last(self.secretary, asked.turn, asked.caller, asked.number, redo=redo)

    async def _history(self, asked: Asked) -> list[Bubble]:
        if not asked.command.refs:
            return [Bubble(history_words(asked.caller.language).which)]
        memory = self.secretary.memory_of(asked.caller.person)
        history = History(memory, asked.caller, self.last_said.speaker)
        return [await history.of(ref) for ref in asked.command.refs]

    # ── how somebody is spoken to ─────────────────────────────────────────────────────────────────────────────────

    async def _language(self, asked: Asked) -> list[Bubble]:
        words, person = asked.words, await self._person(asked.caller)
        if self.fixed.language:
            return [Bubble(words.fixed(NAMES[self.fixed.language]))]
        if not asked.command.about:
            said = words.language_is if person.keeps_language else words.language_follows
            return [Bubble(said(NAMES[person.language]))]
        if asked.command.about in AUTOMATIC:
            await self.people.keep(replace(person, keeps_language=False))
            return [Bubble(words.language_auto)]
        language = language_named(asked.command.about)
        if language is None:
            return [Bubble(words.language_unknown)]
        await self.people.keep(replace(person, language=language, keeps_language=True))
        return [Bubble(command_words(language).language_set(NAMES[language]))]

    async def _zone(self, asked: Asked) -> list[Bubble]:
        words = asked.words
        if self.fixed.zone:
            return [Bubble(words.fixed(zone_text(self.fixed.zone)))]
        if not asked.command.about:
            now = _clock(asked.caller.now, asked.caller.language)
            return [Bubble(words.zone_is(zone_text(asked.caller.zone), now))]
        key = place_named(asked.command.about)
        if not key:
            return [Bubble(words.zone_unknown if key is None else words.zone_several)]
        zone = ZoneInfo(key)
        await self.people.keep(replace(await self._person(asked.caller), zone=zone))
        there = asked.caller.now.astimezone(zone)
        return [Bubble(words.zone_set(zone_text(zone), _clock(there, asked.caller.language)))]

    async def _currency(self, asked: Asked) -> list[Bubble]:
        words = asked.words
        if self.fixed.currency:
            return [Bubble(words.fixed(self.fixed.currency))]
        if not asked.command.about:
            return [Bubble(words.currency_is(asked.caller.currency))]
        code = currency_named(asked.command.about)
        if code is None:
            return [Bubble(words.currency_unknown)]
        await self.people.keep(replace(await self._person(asked.caller), currency=code))
        return [Bubble(words.currency_set(code))]

    async def _me(self, asked: Asked) -> list[Bubble]:
        words = asked.words
        count = await self._how_many(asked.caller)
        zone, currency = zone_text(asked.caller.zone), asked.caller.currency
        who = words.me(words.roles[asked.caller.role], NAMES[asked.caller.language], zone, currency)
        return [Bubble(f"{who}\n{words.kept(count, self.retention_days)}")]

    # ── taking along, and going ───────────────────────────────────────────────────────────────────────────────────

    async def _export(self, asked: Asked) -> list[Bubble]:
        words, count = farewell_words(asked.caller.language), await self._how_many(asked.caller)
        if not count:
            return [Bubble(words.nothing_to_take)]
        if not self.public_url:
            return [Bubble(words.no_address)]
        secret = await self.exports.offer(asked.caller.person)
        return [Bubble(words.link(count, f"{self.public_url}/export/{secret}{IN_A_BROWSER}"))]

    async def _forget(self, asked: Asked) -> list[Bubble]:
        """Asked first, and done by a tap alone."""
        words, turn = farewell_words(asked.caller.language), asked.turn
        await self.forgetting.ask(turn, asked.caller.person)
        buttons = Button(words.forget, Tap.FORGET.on(turn.id)), Button(words.stay, Tap.REMEMBER.on(turn.id))
        return [Bubble(words.ask(await self._how_many(asked.caller)), buttons)]

    async def _how_many(self, caller: Caller) -> int:
        return (await self.secretary.memory_of(caller.person).query(RecordQuery(total="count", limit=0))).matched

    async def _person(self, caller: Caller) -> Person:
        found = await self.people.find(caller.person)
        assert found is not None, "who is answered has been kept"
        return found

    async def _quota(self, asked: Asked) -> list[Bubble]:
        """What is left of today's model, and of the month's pushes where the network tells."""
        words = asked.words
        lines = [words.no_ai]
        if self.allowance:
            left = await self.allowance.left(asked.caller.person, asked.caller.now.date())
            lines = [words.ai_left(round(100 * left))]
        pushes = await self.pushes_left() if self.pushes_left else None
        if pushes is not None:
            lines.append(words.pushes_left(pushes))
        return [Bubble("\n".join(lines))]


def _may(caller: Caller, command: Command) -> bool:
    """A guest changes nothing. In a group it is the group's list that is shown and changed, and nobody's own."""
    return caller.role != "guest" or command.name not in CHANGES


_QUESTION = ("?", "？", "嗎", "呢", "か。", "ですか", "ไหม", "มั้ย", "หรือเปล่า", "หรือยัง", "อะไร")
"""How a question ends. Thai has no mark for one."""


def _asks(text: str) -> bool:
    """What only quotes a question, as an example does, asks nothing."""
    return text.rstrip(" )）").endswith(_QUESTION)


def _has_answers(bubble: Bubble) -> bool:
    return bubble.asks or any(button.data.startswith(Tap.FORGET.on("")) for button in bubble.buttons)


def _clock(now: datetime, language: Language) -> str:
    return moment_text(now, now, language)

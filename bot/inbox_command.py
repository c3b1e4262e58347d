"""What the operator asks about the inbox and is told: ``python -m bot inbox``, beside a running bot.

Views of turns, what may be done with one, and all of it in words. Must not know how the inbox is stored, and prints
nothing itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from bot.ports import Bubble, ChatId, IncomingMessage, TurnId
from bot.redaction import Redactor

State = Literal["received", "working", "answered", "sending", "delivered", "failed", "ignored"]

UNSETTLED: tuple[State, ...] = ("received", "working", "answered", "sending")

POSTPONED = "postponed"
"""Among the counts: turns of which words wait for the model."""

SHOWN_IDS = 5
"""So many of the turns that a short id may mean are named."""


class NotPossible(Exception):
    """What was asked of the inbox cannot be done; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """A turn at a glance; a message that nobody has begun with is one by itself. ``heard_at`` is the time of its first
    message. ``at_work``: a living process has it in hand. ``carried``: its owed answer is just being sent in front of
    another. ``postponed``: words of it wait for the model. ``gone``: its words are not kept any more."""

    id: TurnId
    chat: ChatId
    state: State
    kind: str
    messages: int
    deaths: int
    heard_at: datetime
    moved_at: datetime
    set_aside_at: datetime | None = None
    at_work: bool = False
    owed: bool = False
    maybe_sent: bool = False
    carried: bool = False
    postponed: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One message of a transcript: its shape, not its words."""

    role: str
    tools: tuple[str, ...]
    size: int
    """Bytes, as it is stored."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a turn changed."""

    ref: int
    kind: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A turn with everything that is known of it."""

    glance: Glance
    messages: tuple[IncomingMessage, ...]
    transcript: tuple[Step, ...]
    changes: tuple[Effect, ...]
    answer: tuple[Bubble, ...] | None


class OperatorPort(Protocol):
    """The inbox of all processes, as the operator sees and moves it. A turn is named by its id, by that of one of its
    messages, or by a beginning that no other turn has. Raises NotPossible."""

    async def counts(self) -> dict[str, int]:
        """How many messages are in each state, and of how many turns words wait for the model (``POSTPONED``)."""

    async def turns(self, *, every: bool = False, most: int | None = None) -> list[Glance]:
        """What waits, for the model too, and what was set aside, troubles first, the newest of each first; or every
        turn there is. With ``most`` only so many of the newest, and all of them in that order if it is every one."""

    async def find(self, id_: str) -> Whole:
        """One turn."""

    async def retry(self, id_: str) -> Glance:
        """Let a turn that was given up begin once more; it as it is now."""

    async def drop(self, id_: str, *, force: bool = False) -> Glance:
        """Do nothing more about a turn, and list it no longer; it as it was before. One that a process has in hand only
        by ``force``: its answer is not sent, but what it stores on the way there stays."""


# ── what may be done with a turn ──────────────────────────────────────────────────────────────────────────────────


def objection_to_retry(turn: Glance) -> str | None:
    """Why this turn cannot be tried again."""
    if turn.set_aside_at and turn.state in {"answered", "sending"}:
        is_still = turn.owed and not turn.carried
        return None if is_still else "is being apologised for just now: try again in a few seconds"
    why: dict[State, str] = {
        "received": "waits already, and a running bot takes it up by itself",
        "working": "is being worked on",
        "answered": "has its answer, which stands in front of the chat's next reply",
        "sending": "has its answer, which is being sent just now",
        "ignored": "was not for the bot: nothing of it was kept but the id",
    }
    if turn.state == "delivered" and not turn.set_aside_at:
        return "was answered, and the person has it"
    if turn.state in {"delivered", "failed"} and turn.gone:
        return "is too old: its words are not kept any more (RETENTION_DAYS)"
    return why.get(turn.state)


def objection_to_drop(turn: Glance) -> str | None:
    """Why this turn is not dropped as things are."""
    if turn.at_work:
        return (
            "is in a bot's hands just now, and what it does would still be stored: wait until it is through, stop that "
            "bot first, or drop it all the same with --force"
        )
    return objection_to_force(turn)


def objection_to_force(turn: Glance) -> str | None:
    """Why nothing is left of this turn to drop."""
    if turn.state in UNSETTLED or turn.set_aside_at:
        return None
    return f"is {turn.state}: nothing is left to drop"


# ── the command ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the operator sits: the inbox, what may not be shown, the clock, and which answers may be pushed."""

    inbox: OperatorPort
    redactor: Redactor
    now: Callable[[], datetime]
    pushes: Literal["reminders", "all", "off"]

    async def told(
        self, action: str, id_: str = "", *, every: bool = False, force: bool = False, as_json: bool = False
    ) -> str:
        """What the command prints; ``action`` is list, show, retry or drop. Raises NotPossible, StoreUnavailable."""
        if action != "list" and not id_.strip():
            raise NotPossible(f"Name a turn: python -m bot inbox {action} ID")
        match action:
            case "show":
                found = await self.inbox.find(id_)
                text, value = _whole(found, self.now()), _whole_in_json(found)
            case "retry":
                turn = await self.inbox.retry(id_)
                text, value = retried(turn, self.pushes), _in_json(turn)
            case "drop":
                turn = await self.inbox.drop(id_, force=force)
                text, value = _dropped(turn), _in_json(turn)
            case _:
                turns, counts = await self.inbox.turns(every=every), await self.inbox.counts()
                text, value = self._listed(turns, counts), {"counts": counts, "turns": [_in_json(t) for t in turns]}
        if as_json:
            return visible(json.dumps(self.redactor.masked(value), ensure_ascii=False, indent=1))
        return visible(self.redactor.without_keys(text))

    def _listed(self, turns: Sequence[Glance], counts: Mapping[str, int]) -> str:
        kept = counts.get(POSTPONED, 0)
        nothing = "Nothing waits for the bot" if kept else "Nothing waits"
        lines = _table(turns, self.now()) or [f"{nothing}, and nothing was set aside."]
        if any("owed" in _marks(turn) for turn in turns):
            lines.append("owed: the answer is there, and goes in front of the chat's next reply")
        return "\n".join([*lines, _summary(counts, sum(turn.set_aside_at is not None for turn in turns))])


def retried(turn: Glance, pushes: Literal["reminders", "all", "off"]) -> str:
    """What the operator is told of a turn that begins once more."""
    pushed = pushes == "all" or (pushes == "reminders" and turn.kind == "reminder")
    way = "is pushed" if pushed else "stands in front of the chat's next reply (SECRETARY_PUSH=all would push it)"
    return (
        f"{turn.id} waits again: a running bot takes it up within 2 seconds, else the next one that starts.\n"
        f"What it changed before is not done twice. Its reply token is dead by now, so the answer {way}."
    )


def _dropped(turn: Glance) -> str:
    if turn.state not in UNSETTLED:
        return f"{turn.id} is not listed any more."
    dropped = f"{turn.id} is dropped: nothing more is begun about it, and nobody is told. What was changed stays."
    still = " The bot that has it in hand may change something more until it notices." if turn.at_work else ""
    return dropped + still


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────

_HEADINGS = ("AGE", "STATE", "CHAT", "KIND", "DEATHS", "ID", "")


_WHEN_IT_IS_BACK = "what was said while it could not be reached is done once it answers again"


def _table(turns: Sequence[Glance], now: datetime) -> list[str]:
    """A line for each turn, under headings."""
    rows = [_HEADINGS, *(_row(turn, now) for turn in turns)] if turns else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(turn: Glance, now: datetime) -> tuple[str, ...]:
    more = f" and {turn.messages - 1} more" if turn.messages > 1 else ""
    chat = turn.chat if len(turn.chat) <= len("U1234567…") else f"{turn.chat[:8]}…"
    return age(turn.heard_at, now), turn.state, chat, turn.kind + more, str(turn.deaths), turn.id, _marks(turn)


def marks(turn: Glance) -> tuple[str, ...]:
    """What is special about a turn."""
    owed = "owed, maybe sent" if turn.maybe_sent else "owed"
    special = {
        "at work": turn.at_work,
        "set aside": turn.set_aside_at is not None,
        owed: turn.owed and turn.state == "answered",
        "waits for the model": turn.postponed,
    }
    return tuple(mark for mark, holds in special.items() if holds)


def _marks(turn: Glance) -> str:
    return ", ".join(marks(turn))


def _summary(counts: Mapping[str, int], aside: int) -> str:
    waits = sum(counts.get(state, 0) for state in UNSETTLED)
    each = ", ".join(f"{number} {state}" for state, number in counts.items() if number and state != POSTPONED)
    summary = f"messages: {each or 'none'}; waiting: {waits}; turns set aside: {aside}"
    if kept := counts.get(POSTPONED, 0):
        summary += f"\n{kept} {'waits' if kept == 1 else 'wait'} for the model: {_WHEN_IT_IS_BACK}"
    return summary


def age(since: datetime, now: datetime) -> str:
    """How long ago that was, in one figure."""
    seconds = max(0, int((now - since).total_seconds()))
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size or (unit == "min" and seconds >= size):
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _whole(turn: Whole, now: datetime) -> str:
    glance = turn.glance
    marks = f" ({_marks(glance)})" if _marks(glance) else ""
    head = [
        f"turn   {glance.id}",
        f"chat   {glance.chat}",
        f"state  {glance.state}{marks}, since {_moment(glance.moved_at)}",
        f"heard  {_moment(glance.heard_at)}, {age(glance.heard_at, now)} ago",
        f"deaths {glance.deaths}",
    ]
    gone = ["not kept any more"] if glance.gone and glance.state != "ignored" else []
    parts = {
        "messages": gone or [_message(each) for each in turn.messages],
        "transcript": [_step(place, step) for place, step in enumerate(turn.transcript)],
        "changes": [f"#{each.ref} {each.kind}, {each.state}" for each in turn.changes],
        "answer": gone or [_bubble(each) for each in turn.answer or ()],
    }
    return "\n".join([*head, *(line for name, lines in parts.items() for line in _part(name, lines))])


def _part(name: str, texts: Sequence[str]) -> list[str]:
    lines = [line for text in texts for line in text.split("\n")]
    return [f"{name}:" if lines else f"{name}: none", *(f"  {line}" for line in lines)]


def _message(message: IncomingMessage) -> str:
    return "  ".join(filter(None, [message.id, _moment(message.occurred_at), message.kind, message.data, message.text]))


def _step(place: int, step: Step) -> str:
    return "  ".join(filter(None, [str(place), step.role, f"{step.size} bytes", ", ".join(step.tools)]))


def _bubble(bubble: Bubble) -> str:
    return "\n".join(filter(None, [bubble.text, " ".join(f"[{button.label}]" for button in bubble.buttons)]))


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


_UNSEEN = re.compile("[^\x20-\x7e\n]")


def visible(text: str) -> str:
    """The text as a terminal may be shown it: what would steer it, or turn the direction of writing, stands as its
    number. Joiners stay, for words and pictures are made with them."""
    return _UNSEEN.sub(lambda sign: _as_number(sign.group()), text)


def _as_number(sign: str) -> str:
    steers = unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and sign not in "\u200b\u200c\u200d"
    return json.dumps(sign)[1:-1] if steers else sign


# ── for programs ──────────────────────────────────────────────────────────────────────────────────────────────────


def _in_json(turn: Glance) -> dict[str, Any]:
    fields = {name: getattr(turn, name) for name in turn.__dataclass_fields__}
    moments = {name: value.isoformat() for name, value in fields.items() if isinstance(value, datetime)}
    return fields | moments


def _whole_in_json(turn: Whole) -> dict[str, Any]:
    return {
        **_in_json(turn.glance),
        "heard": [
            {"id": each.id, "kind": each.kind, "at": each.occurred_at.isoformat(), "text": each.text, "data": each.data}
            for each in turn.messages
        ],
        "transcript": [{"role": each.role, "tools": list(each.tools), "bytes": each.size} for each in turn.transcript],
        "changes": [{"ref": each.ref, "kind": each.kind, "state": each.state} for each in turn.changes],
        "answer": None if turn.answer is None else [each.text for each in turn.answer],
    }

"""What the operator is told of the last turns: ``python -m bot log``, beside a running bot.

Which tools were called and what came of it, from the store; what models were sent and answered, where that is kept in a
file. Must not know how either is stored, and prints nothing itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from bot.inbox_command import SHOWN_IDS, NotPossible, visible
from bot.ports import TurnId
from bot.redaction import Redactor
from tools.record import PersonId

LAST = 10
"""So many turns are shown, unless told otherwise."""

HASH_SHOWN = 12
"""Signs of a hash: enough to see that two are equal."""

SIGNS_SHOWN = 1_000
"""Of one text; a whole request is for programs."""

HOW_TO_KEEP = (
    "What models are sent and answer is not kept: set AI_LOG_FILE to a file and restart the bot. It will hold people's "
    "words, masked of secrets, for its owner's eyes only."
)

Line = Mapping[str, Any]
"""One line of the AI log: an attempt, or what came of a call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedCall:
    """One call, as the store knows it. ``hash`` is a keyed hash of its arguments: equal for equal ones."""

    turn: TurnId
    call: int
    person: PersonId
    tool: str
    outcome: str
    seconds: float
    hash: str
    at: datetime


class AuditPort(Protocol):
    """The calls of all turns. Raises StoreUnavailable."""

    async def calls(self, *, turn: str, person: str, last: int) -> list[AuditedCall]:
        """The calls of the last turns, oldest first; only of turns and people whose ids begin so."""


_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class LoggedTurn:
    """What is known of one turn: its calls, and the lines of the AI log."""

    id: str
    person: str = ""
    at: datetime = _LONG_AGO
    calls: list[AuditedCall] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LogDesk:
    """Where the operator looks it up: the audit, the lines of the AI log (None where there is no file), and what may
    not be shown."""

    audit: AuditPort
    lines: Iterable[Line] | None
    redactor: Redactor

    async def told(self, *, turn: str = "", person: str = "", last: int = LAST, as_json: bool = False) -> str:
        """What the command prints: a table; of a turn that is named, with its words. Raises NotPossible where no turn
        or more than one is meant, StoreUnavailable."""
        turns = [await self.one(turn, person)] if turn else await self.turns(person=person, last=last)
        if as_json:
            told = {"turns": [_in_json(each) for each in turns], "attempts_kept": self.lines is not None}
            return visible(json.dumps(self.redactor.masked(told), ensure_ascii=False, indent=1))
        parts = ["\n".join(_in_words(each, whole=bool(turn))) for each in turns] or ["No turn is on record."]
        if self.lines is None:
            parts.append(HOW_TO_KEEP)
        elif turns and not turn:
            parts.append("--turn ID shows what was said and answered in one turn; --json also whole requests.")
        return visible(self.redactor.without_keys("\n\n".join(parts)))

    async def turns(self, *, turn: str = "", person: str = "", last: int = LAST) -> list[LoggedTurn]:
        """The last turns, the one that something was last heard of at the end; only those whose ids begin so. Raises
        StoreUnavailable."""
        calls = await self.audit.calls(turn=turn, person=person, last=last)
        return _turns(calls, _wanted(self.lines or (), turn, person))[-last:]

    async def one(self, turn: str, person: str = "") -> LoggedTurn:
        """The one turn whose id is this or begins so. Raises NotPossible where no turn or more than one is meant,
        StoreUnavailable."""
        calls = await self.audit.calls(turn=turn, person=person, last=SHOWN_IDS + 1)
        return self._meant(turn, _turns(calls, _wanted(self.lines or (), turn, person)))

    def _meant(self, beginning: str, turns: Sequence[LoggedTurn]) -> LoggedTurn:
        """The one turn of these that is meant. Raises NotPossible."""
        named = [each for each in turns if each.id == beginning] or turns
        if len(named) == 1:
            return named[0]
        if not named:
            why = "" if self.lines is not None else " One that called no tool is on record only with AI_LOG_FILE."
            raise NotPossible(f"No turn has an id that begins with {visible(beginning)}.{why}")
        heads = sorted(each.id for each in named)
        some = ", ".join(heads[:SHOWN_IDS]) + (", …" if len(heads) > SHOWN_IDS else "")
        raise NotPossible(visible(f"Several turns have an id that begins with {beginning}: {some}"))


def _wanted(lines: Iterable[Line], turn: str, person: str) -> list[Line]:
    """The lines of these turns and people; what is none of ours is passed over."""
    wanted = []
    for line in lines:
        texts = [line.get(name) for name in ("turn", "person")]
        ours = all(isinstance(each, str) for each in texts) and _moment(line) is not None
        if ours and str(texts[0]).startswith(turn) and str(texts[1]).startswith(person):
            wanted.append(line)
    return wanted


def _turns(calls: Sequence[AuditedCall], lines: Sequence[Line]) -> list[LoggedTurn]:
    """The turns, the one that something was last heard of at the end."""
    turns: dict[str, LoggedTurn] = {}
    for call in calls:
        turn = turns.setdefault(call.turn, LoggedTurn(call.turn))
        turn.calls.append(call)
        turn.person, turn.at = turn.person or call.person, max(turn.at, call.at)
    for line in lines:
        turn = turns.setdefault(line["turn"], LoggedTurn(line["turn"]))
        turn.lines.append(line)
        turn.person, turn.at = turn.person or line["person"], max(turn.at, _moment(line) or turn.at)
    return sorted(turns.values(), key=lambda each: each.at)


def _moment(line: Line) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(line.get("at")))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


# ── in words ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _in_words(turn: LoggedTurn, *, whole: bool) -> list[str]:
    who = turn.person if whole or len(turn.person) < len("U1234567…") else f"{turn.person[:8]}…"
    head = (
        f"turn {turn.id or '(none)'}  person {who or '(none)'}  last at {turn.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    )
    attempts = [line for line in turn.lines if "attempt" in line]
    lines = [row for line in attempts for row in [_attempt(line), *(_words(line) if whole else ())]]
    told = "\n".join(lines)
    for call in turn.calls:
        lines.append(_call(call))
        if whole and (preview := _preview(turn.lines, call.call)) and preview not in told:
            lines += _rows("", preview)
    return [head, *(f"  {each}" for each in lines)]


def _attempt(line: Line) -> str:
    usage = line.get("usage") if isinstance(line.get("usage"), Mapping) else {}
    tokens = f"{usage.get('prompt', '?')}+{usage.get('completion', '?')} tokens" if usage else ""
    came = f"status {line.get('status')}" if line.get("status") is not None else "nothing came"
    facts = [f"attempt {line.get('attempt')}", str(line.get("engine", "")), came, f"{line.get('seconds')} s", tokens]
    more = [f"{name}: {line[name]}" for name in ("error", "adaptation") if line.get(name)]
    return "  ".join(filter(None, [*facts, *more]))


def _call(call: AuditedCall) -> str:
    took, hash_ = f"{round(call.seconds * 1000)} ms", f"arguments {call.hash[:HASH_SHOWN]}"
    return "  ".join([f"call {call.call}", call.tool, call.outcome, took, hash_])


def _preview(lines: Sequence[Line], call: int) -> str:
    return next((str(line.get("arguments", "")) for line in reversed(lines) if line.get("call") == call), "")


def _words(line: Line) -> list[str]:
    """The words of an attempt, without what the one before it has told."""
    messages = _list(_in(line.get("sent"), "messages"))
    said = [place for place, message in enumerate(messages) if _in(message, "role") == "user"]
    rows = _rows("said: ", _in(messages[said[-1]], "content")) if said else []
    for message in messages[said[-1] if said else 0 :]:
        if _in(message, "role") == "tool":
            rows += _rows("result: ", _in(message, "content"))
    return [*rows, *_came(line.get("came"))]


def _came(came: object) -> list[str]:
    """The answer and the calls in a reply; what is neither as it came."""
    answers = [_in(choice, "message") for choice in _list(_in(came, "choices"))]
    rows = []
    for answer in answers:
        rows += _rows("answered: ", _in(answer, "content"))
        for function in (_in(call, "function") for call in _list(_in(answer, "tool_calls"))):
            rows += _rows(f"called: {_in(function, 'name')} ", _in(function, "arguments"))
    return rows or _rows("came: ", came)


def _rows(name: str, value: object) -> list[str]:
    """A text under its name, as far as it is shown; nothing for none."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) if value else ""
    shown = text if len(text) <= SIGNS_SHOWN else f"{text[:SIGNS_SHOWN]}… (cut: {len(text) - SIGNS_SHOWN} more)"
    return [f"  {row}" for row in f"{name}{shown}".split("\n")] if text else []


def _in(value: object, name: str) -> object:
    """What stands under this name; None where nothing does, for anything may have come."""
    return value.get(name) if isinstance(value, Mapping) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


# ── for programs ──────────────────────────────────────────────────────────────────────────────────────────────────


def _in_json(turn: LoggedTurn) -> dict[str, Any]:
    calls = [asdict(call) | {"at": call.at.isoformat()} for call in turn.calls]
    return {"turn": turn.id, "person": turn.person, "at": turn.at.isoformat(), "calls": calls, "log": list(turn.lines)}

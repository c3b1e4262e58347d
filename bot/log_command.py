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

from bot.inbox_command import visible
from bot.ports import TurnId
from bot.redaction import Redactor
from tools.record import PersonId

LAST = 10
"""So many turns are shown, unless told otherwise."""

HASH_SHOWN = 12
"""Signs of a hash: enough to see that two are equal."""

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
class _Turn:
    """What is known of one turn."""

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
        """What the command prints: a table; of turns that are named, with every text there is. Raises
        StoreUnavailable."""
        calls = await self.audit.calls(turn=turn, person=person, last=last)
        turns = _turns(calls, _wanted(self.lines or (), turn, person))[-last:]
        if as_json:
            told = {"turns": [_in_json(each) for each in turns], "attempts_kept": self.lines is not None}
            return visible(json.dumps(self.redactor.masked(told), ensure_ascii=False, indent=1))
        parts = ["\n".join(_in_words(each, whole=bool(turn))) for each in turns] or ["No turn is on record."]
        if self.lines is None:
            parts.append(HOW_TO_KEEP)
        elif turns and not turn:
            parts.append("With --turn ID every text of one turn is shown.")
        return visible(self.redactor.without_keys("\n\n".join(parts)))


def _wanted(lines: Iterable[Line], turn: str, person: str) -> list[Line]:
    """The lines of these turns and people; what is none of ours is passed over."""
    wanted = []
    for line in lines:
        texts = [line.get(name) for name in ("turn", "person")]
        ours = all(isinstance(each, str) for each in texts) and _moment(line) is not None
        if ours and str(texts[0]).startswith(turn) and str(texts[1]).startswith(person):
            wanted.append(line)
    return wanted


def _turns(calls: Sequence[AuditedCall], lines: Sequence[Line]) -> list[_Turn]:
    """The turns, the one that something was last heard of at the end."""
    turns: dict[str, _Turn] = {}
    for call in calls:
        turn = turns.setdefault(call.turn, _Turn(call.turn))
        turn.calls.append(call)
        turn.person, turn.at = turn.person or call.person, max(turn.at, call.at)
    for line in lines:
        turn = turns.setdefault(line["turn"], _Turn(line["turn"]))
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


def _in_words(turn: _Turn, *, whole: bool) -> list[str]:
    who = turn.person if whole or len(turn.person) < len("U1234567…") else f"{turn.person[:8]}…"
    head = (
        f"turn {turn.id or '(none)'}  person {who or '(none)'}  last at {turn.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    )
    attempts = [line for line in turn.lines if "attempt" in line]
    lines = [row for line in attempts for row in _attempt(line, whole=whole)]
    previews = {line["call"]: str(line.get("arguments")) for line in turn.lines if isinstance(line.get("call"), int)}
    lines += [row for call in turn.calls for row in _call(call, previews.get(call.call, "") if whole else "")]
    return [head, *(f"  {each}" for each in lines)]


def _attempt(line: Line, *, whole: bool) -> list[str]:
    usage = line.get("usage") if isinstance(line.get("usage"), Mapping) else {}
    tokens = f"{usage.get('prompt', '?')}+{usage.get('completion', '?')} tokens" if usage else ""
    came = f"status {line.get('status')}" if line.get("status") is not None else "nothing came"
    facts = [f"attempt {line.get('attempt')}", str(line.get("engine", "")), came, f"{line.get('seconds')} s", tokens]
    more = [f"{name}: {line[name]}" for name in ("error", "adaptation") if line.get(name)]
    told = ["  ".join(filter(None, [*facts, *more]))]
    if whole:
        told += [f"  {name}: {row}" for name in ("sent", "came") for row in _rows(line.get(name))]
    return told


def _rows(value: object) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return text.split("\n")


def _call(call: AuditedCall, preview: str) -> list[str]:
    took, hash_ = f"{round(call.seconds * 1000)} ms", f"arguments {call.hash[:HASH_SHOWN]}"
    told = ["  ".join([f"call {call.call}", call.tool, call.outcome, took, hash_])]
    return [*told, *(f"  {row}" for row in preview.split("\n"))] if preview else told


# ── for programs ──────────────────────────────────────────────────────────────────────────────────────────────────


def _in_json(turn: _Turn) -> dict[str, Any]:
    calls = [asdict(call) | {"at": call.at.isoformat()} for call in turn.calls]
    return {"turn": turn.id, "person": turn.person, "at": turn.at.isoformat(), "calls": calls, "log": list(turn.lines)}

"""The pages about turns: the inbox, what models were sent and answered, and the calls of tools.

Must not know who may see them, or how anything is stored.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from markupsafe import Markup

from bot.admin.frame import ROOT, Visit, facts, pages_of, room, table
from bot.admin.pen import Inside, Pen
from bot.inbox_command import Glance, OperatorPort, Whole, age, marks, objection_to_drop, objection_to_retry
from bot.log_command import HASH_SHOWN, HOW_TO_KEEP, AuditedCall, Line, LogDesk, LoggedTurn
from bot.operator_ports import CallsPort

A_PAGE = 50

WHAT_IS_AUDITED = "Who called which tool, and what came of it; of the arguments a hash is kept."

MOST_ATTEMPTS = 60
"""Opened up on one page; a turn has a dozen."""


@dataclass(frozen=True, slots=True)
class Turns:
    """What these pages are made from. ``log`` gives the desk for one turn, or for the last ones; ``keeps``: what models
    are sent is kept in a file."""

    inbox: OperatorPort
    log: Callable[[str], Awaitable[LogDesk]]
    calls: CallsPort
    now: Callable[[], datetime]
    keeps: bool

    # ── the inbox

    async def waiting(self, visit: Visit) -> str:
        return await self.waiting_told(visit)

    async def waiting_told(self, visit: Visit, told: Inside = None) -> str:
        """The same, below what has just come of a button."""
        h, now = visit.pen, self.now()
        skip, every = visit.place * A_PAGE, visit.query.get("all") == "1"
        turns = await self.inbox.turns(every=every, most=skip + A_PAGE + 1)
        rows: list[tuple[Inside, ...]] = [
            (_to_turn(h, each.id), each.state, each.kind, age(each.heard_at, now), each.deaths, marks_said(h, each))
            for each in turns[skip : skip + A_PAGE]
        ]
        more = len(turns) > skip + A_PAGE
        other = ("/inbox", "Only what waits or was set aside") if every else ("/inbox?all=1", "Everything")
        return room(
            visit, "/inbox", h.say("Inbox"), told,
            h("p", h("a", h.say(other[1]), href=f"{ROOT}{other[0]}")),
            table(h, ("Turn", "State", "Kind", "Age", "Deaths", "Marks"), rows),
            pages_of(visit, "/inbox", more=more, **({"all": "1"} if every else {})),
        )  # fmt: skip

    async def turn(self, visit: Visit) -> str:
        return await self.turn_told(visit, visit.query.get("id", ""))

    async def turn_told(self, visit: Visit, id_: str, told: Inside = None) -> str:
        """One turn. Raises NotPossible."""
        h, found = visit.pen, await self.inbox.find(id_)
        glance = found.glance
        head: dict[str, Inside] = {
            "Turn": h("code", glance.id),
            "Chat": h("code", glance.chat),
            "State": [glance.state, h("br"), h("span", marks_said(h, glance), class_="quiet")],
            "Heard": h.moment(glance.heard_at),
            "Moved": h.moment(glance.moved_at),
            "Deaths": glance.deaths,
        }
        return room(
            visit, "/inbox", h.say("A turn"), told, facts(h, head),
            h("div", _moves(visit, glance), class_="row"),
            h("p", _logged_at(h, glance.id, h.say("What models were sent and answered"))),
            _whole(h, found),
        )  # fmt: skip

    # ── the AI log

    async def logged(self, visit: Visit) -> str:
        h = visit.pen
        turns = (await (await self.log("")).turns(last=A_PAGE))[::-1]
        rows: list[tuple[Inside, ...]] = [_logged(h, each) for each in turns]
        note = None if self.keeps else h("p", HOW_TO_KEEP, class_="quiet")
        return room(
            visit, "/log", h.say("AI log"), note, table(h, ("Turn", "When", "Who", "Attempts", "Tokens", "Calls"), rows)
        )

    async def logged_turn(self, visit: Visit) -> str:
        """One turn, opened up: whole requests are much to write down, and no turn waits for that. Raises
        NotPossible."""
        id_ = visit.query.get("id", "")
        turn = await (await self.log(id_)).one(id_)
        return await asyncio.to_thread(_opened_up, visit, turn)

    # ── the audit

    async def audit(self, visit: Visit) -> str:
        h, person = visit.pen, visit.query.get("person", "")[:80]
        found = await self.calls.newest(person=person, most=A_PAGE + 1, skip=visit.place * A_PAGE)
        rows: list[tuple[Inside, ...]] = [_audited(h, each) for each in found[:A_PAGE]]
        narrowed = {"person": person} if person else {}
        return room(
            visit, "/calls", h.say("Tool calls"),
            h("p", h.say(WHAT_IS_AUDITED), class_="quiet"),
            h("p", h("a", h.say("Everyone"), href=f"{ROOT}/calls")) if person else None,
            table(h, ("When", "Turn", "Who", "Tool", "Outcome", "Took", "Arguments"), rows),
            pages_of(visit, "/calls", more=len(found) > A_PAGE, **narrowed),
        )  # fmt: skip


# ── one turn of the inbox ─────────────────────────────────────────────────────────────────────────────────────────


def marks_said(h: Pen, turn: Glance) -> str:
    """What is special about a turn, in words."""
    return ", ".join(h.say(each) for each in marks(turn))


def _to_turn(h: Pen, id_: str) -> Markup:
    return h("a", id_, href=f"{ROOT}/inbox/turn?{urlencode({'id': id_})}")


def _logged_at(h: Pen, id_: str, said: str) -> Markup:
    return h("a", said, href=f"{ROOT}/log/turn?{urlencode({'id': id_})}")


def _moves(visit: Visit, turn: Glance) -> list[Inside]:
    h = visit.pen
    moves: list[Inside] = []
    if objection_to_retry(turn) is None:
        moves.append(visit.button("/inbox/retry", h.say("Begin once more"), id=turn.id))
    if objection_to_drop(turn) is None:
        moves.append(visit.careful("/inbox/drop", h.say("Drop…"), h.say("Do nothing more about it"), id=turn.id))
    return moves or [h("span", h.say("There is nothing to be done about it."), class_="quiet")]


def _whole(h: Pen, turn: Whole) -> list[Inside]:
    gone = [h.say("not kept any more")] if turn.glance.gone and turn.glance.state != "ignored" else []
    messages = gone or [
        "  ".join(filter(None, [h.moment(each.occurred_at), each.kind, each.data, each.text])) for each in turn.messages
    ]
    steps = [
        f"{place}  {each.role}  {', '.join(each.tools)}  {each.size:,} B" for place, each in enumerate(turn.transcript)
    ]
    changes = [f"#{each.ref} {each.kind}, {each.state}" for each in turn.changes]
    answer = gone or [each.text for each in turn.answer or ()]
    parts = {"Messages": messages, "Transcript": steps, "Changes": changes, "Answer": answer}
    return [
        part
        for name, texts in parts.items()
        for part in (
            h("h2", h.say(name)),
            [h("pre", text) for text in texts] or h("p", h.say("Nothing."), class_="quiet"),
        )
    ]


# ── one turn of the AI log ────────────────────────────────────────────────────────────────────────────────────────


def _logged(h: Pen, turn: LoggedTurn) -> tuple[Inside, ...]:
    attempts = [each for each in turn.lines if "attempt" in each]
    failed = sum(bool(each.get("error")) for each in attempts)
    tokens = sum(_tokens(each, name) for each in attempts for name in ("prompt", "completion"))
    told = f"{len(attempts)}" + (f" ({failed} ✗)" if failed else "")
    link = _logged_at(h, turn.id, turn.id or "–")
    calls = ", ".join(f"{each.tool} {each.outcome}" for each in turn.calls)
    return link, h.moment(turn.at), h("code", turn.person), told, tokens, calls


def _opened_up(visit: Visit, turn: LoggedTurn) -> str:
    h = visit.pen
    attempts = [each for each in turn.lines if "attempt" in each][:MOST_ATTEMPTS]
    heard = h("a", h.say("This turn in the inbox"), href=f"{ROOT}/inbox/turn?{urlencode({'id': turn.id})}")
    head: dict[str, Inside] = {
        "Turn": h("code", turn.id), "Who": h("code", turn.person), "Last heard of": h.moment(turn.at)
    }  # fmt: skip
    arguments = {each.get("call"): each.get("arguments") for each in turn.lines if "call" in each}
    calls: list[tuple[Inside, ...]] = [
        (each.call, each.tool, each.outcome, f"{each.seconds * 1000:.0f} ms", _text(arguments.get(each.call)))
        for each in turn.calls
    ]
    return room(
        visit, "/log", h.say("A turn in the AI log"), facts(h, head), h("p", heard),
        h("h2", h.say("Attempts")), [_attempt(h, each) for each in attempts] or h("p", HOW_TO_KEEP, class_="quiet"),
        h("h2", h.say("Calls of tools")), table(h, ("Call", "Tool", "Outcome", "Took", "Arguments"), calls),
    )  # fmt: skip


def _tokens(line: Line, name: str) -> int:
    usage = line.get("usage")
    found = usage.get(name) if isinstance(usage, Mapping) else None
    return found if isinstance(found, int) else 0


def _attempt(h: Pen, line: Line) -> Markup:
    """One request and what came of it."""
    facts_ = [
        f"{h.say('Attempt')} {line.get('attempt')}", str(line.get("engine", "")), f"HTTP {line.get('status')}",
        f"{line.get('seconds')} s", f"{_tokens(line, 'prompt'):,} + {_tokens(line, 'completion'):,} tokens",
    ]  # fmt: skip
    trouble = [f"{name}: {line[name]}" for name in ("error", "adaptation") if line.get(name)]
    sent = line.get("sent")
    messages = sent.get("messages") if isinstance(sent, Mapping) else None
    said = [_message(h, each) for each in messages] if isinstance(messages, list) else []
    return h(
        "section",
        h("b", " · ".join(facts_)),
        [h("p", each, class_="told bad") for each in trouble],
        h("details", h("summary", h.say("What was sent"), f" ({len(said)})"), said),
        h("details", h("summary", h.say("What came")), _came(h, line.get("came")), open=True),
        h("details", h("summary", h.say("All of it, as JSON")), h("pre", _text(line))),
        class_="attempt",
    )


def _message(h: Pen, message: object) -> list[Inside]:
    if not isinstance(message, Mapping):
        return [h("pre", _text(message))]
    rest = {name: value for name, value in message.items() if name not in {"role", "content"} and value}
    content = message.get("content")
    return [
        h("b", str(message.get("role"))),
        h("pre", _text(content)) if content else None,
        h("pre", _text(rest)) if rest else None,
    ]


def _came(h: Pen, came: object) -> list[Inside]:
    choices = came.get("choices") if isinstance(came, Mapping) else None
    answers = (
        [each.get("message") for each in choices if isinstance(each, Mapping)] if isinstance(choices, list) else []
    )
    return [_message(h, each) for each in answers] or [h("pre", _text(came))]


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _audited(h: Pen, call: AuditedCall) -> tuple[Inside, ...]:
    fine = call.outcome in {"ok", "repeated"}
    return (
        h.moment(call.at),
        _logged_at(h, call.turn, call.turn),
        h("a", call.person, href=f"{ROOT}/calls?{urlencode({'person': call.person})}"),
        call.tool,
        h("span", call.outcome, class_="ok" if fine else "bad"),
        f"{call.seconds * 1000:.0f} ms",
        h("code", call.hash[:HASH_SHOWN]),
    )


def told_in(h: Pen, text: str, *, bad: bool = False) -> Markup:
    """What came of a button."""
    return h("p", text, class_="told bad" if bad else "told", role="status")

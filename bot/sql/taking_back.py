"""Second thoughts as they come in: a message taken back or written anew, a word that stops, a bot that is blocked.

Each takes effect in the transaction that stores it, so that it never waits behind the very turn it is about. A turn
that is being worked on is only marked here: its worker stops before its next effect. Must not know what a message
means, or what anybody is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    bindparam,
    case,
    delete,
    exists,
    select,
    update,
)

from bot.fetching import KINDS
from bot.ports import BACK, HEARD, IncomingMessage, Stop, TurnId
from bot.second_thoughts import BURST
from bot.sql.inbox_rows import IN_ORDER, INBOX, UNSETTLED, message_from_row, message_to_json, turn_of
from bot.sql.postponed import POSTPONED
from bot.sql.said import SAID
from bot.sql.transcript import FORGET_THOUGHTS
from tools.database import insert_new, metadata, micros
from tools.sql.attachments import drop_fetched

UNSENT = Table(
    "unsent",
    metadata,
    Column("message_id", String(64), primary_key=True),
    Column("chat", String(64), nullable=False),
    Column("turn", String(80)),
    Column("offered_in", String(80)),
    Column("at", BigInteger, nullable=False),
    Index("unsent_chat", "chat"),
    Index("unsent_at", "at"),
)
"""Messages that were taken back, also such as have not come yet. ``turn``: what was made of it stands under this id;
``offered_in``: the turn whose answer spoke of that. ``at`` in microseconds, UTC."""

AWAY = Table(
    "away",
    metadata,
    Column("chat", String(64), primary_key=True),
    Column("is_away", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Who has blocked the bot, or had; ``at``: when that happened (microseconds, UTC), for it may be heard out of order."""


TOGETHER = 3_600_000_000
"""Microseconds in which pictures that were sent together have come, and been taken back."""


def heed(connection: Connection, message: IncomingMessage, now: int) -> bool:
    """Let what was just put into the inbox take effect; whether there is work to do for it. ``now`` in microseconds."""
    if message.kind == "unsend":
        _take_back(connection, message, now)
        return False
    if message.kind == "unfollow":
        _comes_or_goes(connection, message, is_away=1)
        return False
    if not message.answerable:
        return False
    asked = {"this": message.message_id, "of": message.chat, "own": message.id}
    known = connection.execute(_KNOWN, asked).one()
    came_from_them = message.reply_token is not None
    if known.away and came_from_them and _comes_or_goes(connection, message, is_away=0) and message.kind == "follow":
        message = replace(message, data=BACK)
        _rewrite(connection, message)
    if known.unsent:
        _drop(connection, message)
        _let_go(connection, message, now)
        _count(connection, message, now)
        return False
    _count(connection, message, now)
    if known.versions:
        return _replaces(connection, message)
    return not (message.stops and _stops(connection, message))


# ── taken back ────────────────────────────────────────────────────────────────────────────────────────────────────


def _take_back(connection: Connection, unsend: IncomingMessage, now: int) -> None:
    """Nothing of its words stays: neither where it was heard, nor where it was thought about, nor where it waits. What
    is stored for the person stays, until they say otherwise."""
    if unsend.message_id is None:
        return
    row = {"message_id": unsend.message_id, "chat": unsend.chat, "turn": None, "offered_in": None, "at": now}
    insert_new(connection, UNSENT, row)
    for version in _versions(connection, unsend):
        message = message_from_row(version)
        _let_go(connection, message, now)
        if version.state == "received":
            _drop(connection, message)
            _count(connection, message, now)
            continue
        _rewrite(connection, _wiped(message))
        ids = _thought_as(version)
        connection.execute(_MADE, {"this": unsend.message_id, "by": ids[-1]})
        _forget_what_waits(connection, ids, message.text, f"unsend:{unsend.id}"[:80], now)
        if not (version.state == "working" and _mark(connection, version.turn, "unsent")):
            connection.execute(FORGET_THOUGHTS, {"turns": _and_what_waited(ids)})
            connection.execute(_FORGET_SAID, {"head": version.turn})


def _let_go(connection: Connection, message: IncomingMessage, now: int) -> None:
    """What it brought beside words goes, unless a record holds it."""
    if message.kind in KINDS and message.message_id:
        drop_fetched(connection, message.owner, message.message_id, now)


def _count(connection: Connection, picture: IncomingMessage, now: int) -> None:
    """Of pictures that were sent together as many are waited for as were not taken back."""
    if picture.media is None or not picture.media.set_id:
        return
    found = connection.execute(_PICTURES, {"of": picture.chat, "lately": now - TOGETHER}).all()
    rows = [(row.state, each) for row in found if _is_beside(each := message_from_row(row), picture)]
    gone = {each.message_id for state, each in rows if state == "failed"}
    left = max(each.media.total for _, each in rows if each.media) - len(gone)
    for state, each in rows if gone else ():
        if state == "received" and each.media:
            _rewrite(connection, replace(each, media=replace(each.media, total=left)))


def _is_beside(message: IncomingMessage, picture: IncomingMessage) -> bool:
    return bool(message.media and picture.media and message.media.set_id == picture.media.set_id)


def is_regretted(connection: Connection, chat: str) -> bool:
    """Whether something was taken back in the chat of which nobody has spoken since."""
    return connection.execute(_REGRETTED, {"of": chat}).first() is not None


def _and_what_waited(turns: list[TurnId]) -> list[str]:
    """These turns, and those in which the rest of their words went on."""
    return [f"{before}{each}"[:80] for each in turns for before in ("", "rest:", HEARD)]


def _forget_what_waits(connection: Connection, ids: list[TurnId], text: str, by: str, now: int) -> None:
    """What waits for the model of these turns, without this text; settled if there is nothing else in it."""
    for row in connection.execute(_KEPT, {"turns": ids}).all():
        words = row.words.replace(text, "").strip() if text else row.words
        left = {"this": row.turn, "words": words, "done": row.done.replace(text, "").strip() if text else row.done}
        connection.execute(_REWRITE_KEPT, left)
        if not words:
            connection.execute(_WITHDRAW, {"this": row.turn, "by": by, "now": now})


# ── written anew ──────────────────────────────────────────────────────────────────────────────────────────────────


def _replaces(connection: Connection, message: IncomingMessage) -> bool:
    """The newest version counts, whichever comes first; whether this one is to be worked on."""
    newest, *_ = _versions(connection, message)
    if newest.occurred_at > micros(message.occurred_at):
        _drop(connection, message)
        return False
    old = message_from_row(newest)
    if newest.state == "received":
        _drop(connection, old)
    elif newest.state == "working" and _joins(connection, message, newest, "edited"):
        _rewrite(connection, _wiped(old))
        return False
    elif newest.turn:
        beside = connection.execute(_BESIDE, {"head": newest.turn, "own": newest.id}).first() is not None
        made = replace(message, data=_thought_as(newest)[-1], params={BURST: "yes"} if beside else {})
        _rewrite(connection, made)
    return True


# ── stopped ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _stops(connection: Connection, message: IncomingMessage) -> bool:
    """Whether something of this person's is being done in the chat, and is to stop: then this is a part of it."""
    running = connection.execute(_RUNNING, {"of": message.lane}).all()
    own = [row for row in running if message_from_row(row).person == message.person and row.kind != "reminder"]
    return bool(own) and _joins(connection, message, own[0], "said")


def _joins(connection: Connection, message: IncomingMessage, row: Row[Any], why: Stop) -> bool:
    """Make the message a part of a turn that is being worked on, and stop that; False if it is not worked on any
    more. Its reply token carries the answer then, and neither is answered twice."""
    marked = connection.execute(_MARK, {"head": row.turn, "why": why}).first()
    if marked is None:
        return False
    joined = {name: getattr(marked, name) for name in ("turn", "fence", "deaths", "stopped", "restarts")}
    connection.execute(_JOIN, {"this": message.id, "why": why, **{f"to_{name}": at for name, at in joined.items()}})
    return True


def _mark(connection: Connection, turn: str, why: Stop) -> bool:
    return connection.execute(_MARK, {"head": turn, "why": why}).first() is not None


# ── coming and going ──────────────────────────────────────────────────────────────────────────────────────────────


def _comes_or_goes(connection: Connection, message: IncomingMessage, *, is_away: int) -> bool:
    """Whether this is the newest that is known of the person's coming and going."""
    row = {"chat": message.chat, "is_away": is_away, "at": micros(message.occurred_at)}
    moved = {"of": message.chat, "gone": is_away, "happened": row["at"]}
    return insert_new(connection, AWAY, row) or connection.execute(_MOVE, moved).rowcount > 0


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _versions(connection: Connection, message: IncomingMessage) -> Iterable[Row[Any]]:
    """What is known of the same message of the network, newest first."""
    asked = {"this": message.message_id, "of": message.chat, "own": message.id}
    connection.execute(_THEIR_TURNS, asked).all()
    return connection.execute(_VERSIONS, asked).all()


def _wiped(message: IncomingMessage) -> IncomingMessage:
    return replace(message, text="", data="", params={}, quoted_message_id=None)


def _drop(connection: Connection, message: IncomingMessage) -> None:
    """Something that waited is not waited for any more, and its words are gone."""
    _rewrite(connection, _wiped(message))
    connection.execute(_DROP, {"this": message.id})


def _rewrite(connection: Connection, message: IncomingMessage) -> None:
    connection.execute(_REWRITE, {"this": message.id, "text": message_to_json(message)})


def _thought_as(row: Row[Any]) -> list[TurnId]:
    """The ids under which the row's turn was thought about."""
    return turn_of([row], fence=0, deaths=0).thought_as


_NAMED = (INBOX.c.message_id == bindparam("this"), INBOX.c.chat == bindparam("of"), INBOX.c.id != bindparam("own"))

_KNOWN = select(
    exists(
        select(UNSENT.c.chat).where(UNSENT.c.message_id == bindparam("this"), UNSENT.c.chat == bindparam("of"))
    ).label("unsent"),
    exists(select(INBOX.c.id).where(*_NAMED)).label("versions"),
    exists(select(AWAY.c.chat).where(AWAY.c.chat == bindparam("of"), AWAY.c.is_away == 1)).label("away"),
)
"""Whether anything at all is known that bears upon a message: mostly nothing is."""

_VERSIONS = (
    select(INBOX)
    .where(*_NAMED, INBOX.c.kind != "unsend")
    .order_by(*(each.desc() for each in IN_ORDER))
    .with_for_update()
)

_BESIDE_THEM = INBOX.alias("beside_them")

_THEIR_TURNS = (
    select(_BESIDE_THEM.c.id)
    .where(_BESIDE_THEM.c.turn.in_(select(INBOX.c.turn).where(*_NAMED, INBOX.c.turn.is_not(None))))
    .with_for_update()
)
"""Locked before a single row of theirs is."""

_REGRETTED = (
    select(UNSENT.c.message_id)
    .where(UNSENT.c.chat == bindparam("of"), UNSENT.c.turn.is_not(None), UNSENT.c.offered_in.is_(None))
    .limit(1)
)

_PICTURES = (
    select(INBOX)
    .where(INBOX.c.chat == bindparam("of"), INBOX.c.kind == "image", INBOX.c.moved_at > bindparam("lately"))
    .order_by(INBOX.c.id)
)

_RUNNING = (
    select(INBOX).where(INBOX.c.lane == bindparam("of"), UNSETTLED, INBOX.c.state == "working").order_by(*IN_ORDER)
)
"""Without a lock: rows of a turn are locked together, in the order in which whoever moves it finds them."""

_BESIDE = select(INBOX.c.id).where(INBOX.c.turn == bindparam("head"), INBOX.c.id != bindparam("own")).limit(1)

_MARK = (
    update(INBOX)
    .where(INBOX.c.turn == bindparam("head"), INBOX.c.state == "working")
    .values(stop=case((INBOX.c.stop == "said", "said"), else_=bindparam("why")))
    .returning(INBOX.c.turn, INBOX.c.fence, INBOX.c.deaths, INBOX.c.stopped, INBOX.c.restarts)
)
"""A person who says to stop means all of it. Where the answer is just being committed this waits for it, and finds
nothing."""

_JOIN = (
    update(INBOX)
    .where(INBOX.c.id == bindparam("this"))
    .values(
        state="working",
        stop=bindparam("why"),
        turn=bindparam("to_turn"),
        fence=bindparam("to_fence"),
        deaths=bindparam("to_deaths"),
        stopped=bindparam("to_stopped"),
        restarts=bindparam("to_restarts"),
    )
)

_REWRITE = update(INBOX).where(INBOX.c.id == bindparam("this")).values(message=bindparam("text"))

_DROP = update(INBOX).where(INBOX.c.id == bindparam("this")).values(state="failed", reply_token=None)

_MADE = (
    update(UNSENT).where(UNSENT.c.message_id == bindparam("this"), UNSENT.c.turn.is_(None)).values(turn=bindparam("by"))
)

_MOVE = (
    update(AWAY)
    .where(AWAY.c.chat == bindparam("of"), AWAY.c.at <= bindparam("happened"))
    .values(is_away=bindparam("gone"), at=bindparam("happened"))
)

_FORGET_SAID = delete(SAID).where(SAID.c.turn == bindparam("head"))

_KEPT = select(POSTPONED).where(POSTPONED.c.said_in.in_(bindparam("turns", expanding=True)))

_REWRITE_KEPT = (
    update(POSTPONED)
    .where(POSTPONED.c.turn == bindparam("this"))
    .values(words=bindparam("words"), done=bindparam("done"))
)

_WITHDRAW = (
    update(POSTPONED)
    .where(POSTPONED.c.turn == bindparam("this"), POSTPONED.c.settled_by.is_(None))
    .values(settled_by=bindparam("by"), outcome="withdrawn", settled_at=bindparam("now"))
)

"""The inbox's life, written down once: its tables, the moves a row may make, and a row's words as values.

A row is something that was heard. A turn is the rows that are answered together; the first of them is its head and
carries the answer, and all rows of a turn move together. Must not know who moves a row, or when.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import islice, takewhile
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Index,
    Integer,
    Row,
    String,
    Table,
    Text,
    bindparam,
    literal_column,
    text,
    update,
)

from bot.card import Card
from bot.ports import Bubble, Button, ChatId, ImageLink, IncomingMessage, LaneId, Media, Turn, TurnId
from tools.database import instant, metadata

MOVES: Mapping[str, frozenset[str]] = {
    "received": frozenset({"working", "failed"}),  # a worker begins a turn with it; the operator drops it
    "working": frozenset({"answered", "failed"}),  # the answer is committed; it is set aside
    "answered": frozenset({"sending", "delivered", "failed"}),  # ready: sent alone, or carried by another's reply
    "sending": frozenset({"answered", "delivered", "failed"}),  # owed; or the person has it
    "delivered": frozenset({"received"}),  # the operator tries a turn again that had been set aside
    "failed": frozenset({"received"}),  # the same
    "ignored": frozenset(),  # kept as an id alone, so that a repeat does nothing
}
"""From each state, the states a row may move to. A trigger of the database refuses every other move. A row that is
being worked on (working, answered, sending) is moved only by the process whose fence it carries."""

_UNSETTLED = "state IN ('received', 'working', 'answered', 'sending')"

INBOX = Table(
    "inbox",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("chat", String(64), nullable=False),
    Column("lane", String(66), nullable=False),
    Column("state", String(10), nullable=False),
    Column("turn", String(80)),
    Column("kind", String(10), nullable=False),
    Column("message", Text, nullable=False),
    Column("reply_token", String(200)),
    Column("token_at", BigInteger, nullable=False),
    Column("occurred_at", BigInteger, nullable=False),
    Column("answer", Text),
    Column("owed_at", BigInteger),
    Column("maybe_sent", BigInteger, nullable=False, server_default="0"),
    Column("moved_at", BigInteger, nullable=False),
    Column("fence", BigInteger),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Column("carried_by", String(80)),
    Column("set_aside_at", BigInteger),
    Column("tried_token", String(200)),
    Column("message_id", String(64)),
    Column("stop", String(10)),
    Column("stopped", String(10)),
    Column("restarts", Integer, nullable=False, server_default="0"),
    Index(
        "inbox_message",
        "message_id",
        sqlite_where=text("message_id IS NOT NULL"),
        postgresql_where=text("message_id IS NOT NULL"),
    ),
    Index(
        "inbox_unsettled",
        "lane",
        "occurred_at",
        sqlite_where=text(_UNSETTLED),
        postgresql_where=text(_UNSETTLED),
    ),
    Index("inbox_chat_owed", "chat", "owed_at"),
    Index("inbox_turn", "turn"),
    Index(
        "inbox_carried",
        "carried_by",
        sqlite_where=text("carried_by IS NOT NULL"),
        postgresql_where=text("carried_by IS NOT NULL"),
    ),
    Index("inbox_moved", "moved_at"),
)
"""``token_at`` is when the reply token reached us, ``moved_at`` when the row last changed state: microseconds, UTC.
``fence``: the claim under which the turn was last taken. ``deaths``: how many processes died while they worked on it.
``carried_by``: the turn in front of whose answer this owed one is being sent. ``set_aside_at``: given up, for the
operator to see; the person was told. ``tried_token``: on which the answer is being sent. ``stop``: why the turn is
to be done no further; ``stopped``: the same, once its worker has heeded it."""

HORIZON = Table(
    "horizon",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
"""One row: when the newest message happened (microseconds, UTC) whose id is no longer kept. What happened before that
cannot be told from a repeat: LINE's signature has no time in it, so a delivery can be sent again for ever."""

UNSETTLED: ColumnElement[bool] = literal_column(f"inbox.{_UNSETTLED}")
"""In the very words of the partial index, or it is not used."""

IN_ORDER = (INBOX.c.occurred_at, INBOX.c.token_at, INBOX.c.id)
"""As it happened; what happened in one moment, as the network told it."""

PUT_DOWN = (
    update(INBOX)
    .where(INBOX.c.carried_by == bindparam("head"), INBOX.c.state == "answered")
    .values(carried_by=None, maybe_sent=INBOX.c.maybe_sent.bitwise_or(bindparam("maybe")))
)
"""What stood in front of an answer that is not sent now waits on its own again."""

MOST_IN_A_TURN = 12
"""Messages answered together; a longer burst becomes several turns. Fewer than the calls that run of one answer of a
model, so that none of them has to be left out."""

MOST_RINGS = 200
"""Reminders that are told together: after an outage all that are late, in one message."""

ALONE = {"postback", "follow", "postponed", "quota", "disk", "news", "edited", "join"}
"""Kinds that are a turn of their own: a tap is answered for itself, and an edit takes back what was made before."""


def burst(waiting: Sequence[Row[Any]], now: int) -> list[Row[Any]]:
    """What belongs in one turn: a tap alone, messages up to the next tap or reminder, reminders up to the next
    message. A turn that the operator put back begins again as it was: nothing joins it. Nothing yet, where pictures
    are still to come. ``now`` in microseconds."""
    if waiting and waiting[0].turn:
        return [row for row in waiting if row.turn == waiting[0].turn]
    if not waiting or waiting[0].kind in ALONE:
        return list(waiting[:1])
    rings = waiting[0].kind == "reminder"
    who = _speaker(waiting[0])

    def is_alike(row: Row[Any]) -> bool:
        return not row.turn and row.kind not in ALONE and (row.kind == "reminder") == rings and _speaker(row) == who

    most = MOST_RINGS if rings else MOST_IN_A_TURN
    together = _with_their_set(list(islice(takewhile(is_alike, waiting), most)), waiting)
    return [] if _more_to_come(together, now) else together


SET_SECONDS = 4.0
"""So long pictures that were sent together wait for those of them that are still on their way, from the last that
came: a phone needs a second or two for each."""

MOST_IN_A_SET = 50
"""Pictures that are answered together although they are more than a turn's messages: LINE lets 50 be chosen at once."""


def _more_to_come(rows: Sequence[Row[Any]], now: int) -> bool:
    """Whether pictures of these rows were sent together with others that may still come."""
    sets: dict[str, list[tuple[int, Media]]] = {}
    for row in rows:
        if media := _set_of(row):
            sets.setdefault(media.set_id, []).append((row.token_at, media))
    return any(
        len({media.index for _, media in come}) < come[0][1].total
        and now < max(at for at, _ in come) + round(SET_SECONDS * 1_000_000)
        for come in sets.values()
    )


def _set_of(row: Row[Any]) -> Media | None:
    """Which pictures this one was sent with."""
    media = json.loads(row.message).get("media") if row.kind == "image" else None
    return Media(**media) if media and media["set_id"] else None


def _with_their_set(rows: list[Row[Any]], waiting: Sequence[Row[Any]]) -> list[Row[Any]]:
    """A turn that is full still takes what was sent together with a picture in it."""
    last = _set_of(rows[-1])
    if last is None:
        return rows
    behind = waiting[len(rows) : MOST_IN_A_SET]
    return [*rows, *takewhile(lambda row: (of := _set_of(row)) is not None and of.set_id == last.set_id, behind)]


def _speaker(row: Row[Any]) -> str:
    """In a group everyone is answered for themselves. In one's own chat LINE need not say each time who it is."""
    return str(json.loads(row.message).get("person", "")) if row.chat[:1] in {"C", "R"} else ""


def turn_of(rows: Sequence[Row[Any]], fence: int, deaths: int) -> Turn:
    """A turn that has just begun, or one that was interrupted."""
    head = rows[0].turn or rows[0].id
    answer = next((row.answer for row in rows if row.id == head), None)
    return Turn(
        id=TurnId(head),
        chat=ChatId(rows[0].chat),
        lane=LaneId(rows[0].lane),
        messages=tuple(message_from_row(row) for row in rows),
        state="working" if rows[0].state == "received" else rows[0].state,
        answer=bubbles_from_json(answer) if answer else None,
        resumed=rows[0].turn is not None,
        fence=fence,
        deaths=deaths,
        tried_token=next((row.tried_token for row in rows if row.id == head), None),
        stop=rows[0].stop,
        stopped=rows[0].stopped,
        restarts=rows[0].restarts,
    )


def only_the_id(message: IncomingMessage) -> IncomingMessage:
    """What is kept of something that must not be answered."""
    return IncomingMessage(
        id=message.id,
        kind="other",
        chat=message.chat,
        chat_kind=message.chat_kind,
        person=None,
        occurred_at=message.occurred_at,
        received_at=message.received_at,
        answerable=False,
    )


def message_to_json(message: IncomingMessage) -> str:
    """Everything that has no column of its own."""
    fields = {name: getattr(message, name) for name in message.__dataclass_fields__}
    fields |= {"occurred_at": None, "received_at": None, "reply_token": None, "params": dict(message.params)}
    fields["media"] = asdict(message.media) if message.media else None
    return json.dumps(
        {name: value for name, value in fields.items() if value not in (None, "", {})}, ensure_ascii=False
    )


def message_from_row(row: Row[Any]) -> IncomingMessage:
    """The other way, with what has a column of its own."""
    fields = json.loads(row.message)
    fields |= {"occurred_at": instant(row.occurred_at), "received_at": instant(row.token_at)}
    if media := fields.get("media"):
        fields["media"] = Media(**media)
    return IncomingMessage(**{"person": None, "reply_token": row.reply_token} | fields)


def bubbles_to_json(bubbles: Sequence[Bubble]) -> str:
    """An answer as it is stored."""
    return json.dumps([_bubble_to_json(each) for each in bubbles], ensure_ascii=False)


def _bubble_to_json(bubble: Bubble) -> dict[str, Any]:
    row: dict[str, Any] = {"text": bubble.text, "buttons": [_button_to_row(each) for each in bubble.buttons]}
    if bubble.image:
        row["image"] = [bubble.image.original, bubble.image.preview]
    if bubble.stays:
        row["stays"] = True
    if bubble.card:
        row["card"] = asdict(bubble.card)
    return row


def _button_to_row(button: Button) -> list[str]:
    """As it always was for the plain ones, so that what was stored before is read."""
    plain = [button.label, button.data]
    return plain if button == Button(button.label, button.data) else [*plain, button.kind, button.initial, button.said]


def bubbles_from_json(text: str) -> tuple[Bubble, ...]:
    """The other way."""
    return tuple(_bubble_from_json(row) for row in json.loads(text))


def _bubble_from_json(row: Mapping[str, Any]) -> Bubble:
    image = ImageLink(*row["image"]) if row.get("image") else None
    card = Card.of(row["card"]) if row.get("card") else None
    buttons = tuple(Button(*parts) for parts in row["buttons"])
    return Bubble(row["text"], buttons, card, image, stays=row.get("stays", False))

"""The platform's memory: people, bubbles, tokens, webhooks, pictures, quota, in one small SQLite file.

It only keeps and finds; every rule about what may be done stands with those who ask. Must not know HTTP.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Side = Literal["person", "bot"]
WebhookState = Literal["waiting", "delivered", "failed"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS person (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, language TEXT NOT NULL, bond TEXT NOT NULL DEFAULT 'stranger');
CREATE TABLE IF NOT EXISTS bubble (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, person TEXT NOT NULL, side TEXT NOT NULL,
    message TEXT NOT NULL, at INTEGER NOT NULL, event TEXT, quote TEXT NOT NULL, unsent INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS bubble_person ON bubble (person, seq);
CREATE TABLE IF NOT EXISTS webhook (
    event TEXT PRIMARY KEY, person TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
    tries INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS token (
    token TEXT PRIMARY KEY, person TEXT NOT NULL, event TEXT NOT NULL, born INTEGER NOT NULL, sent INTEGER,
    used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS content (message TEXT PRIMARY KEY, mime TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS push (key TEXT PRIMARY KEY, request TEXT NOT NULL, sent TEXT NOT NULL, at INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Chatter:
    """Someone with a phone. ``bond``: never spoke (stranger), friend, or has blocked the bot."""

    id: str
    name: str
    language: str
    bond: Literal["stranger", "friend", "blocked"] = "stranger"


@dataclass(frozen=True, slots=True)
class Bubble:
    """One bubble of a chat, from either side; ``message`` in LINE's shape, ``at`` in milliseconds."""

    id: str
    person: str
    side: Side
    message: dict[str, Any]
    at: int
    event: str | None
    quote: str
    unsent: bool = False


@dataclass(frozen=True, slots=True)
class Webhook:
    """An event on its way to the bot; ``tries`` counts the attempts made so far."""

    event_id: str
    person: str
    event: dict[str, Any]
    state: WebhookState
    tries: int


@dataclass(frozen=True, slots=True)
class ReplyToken:
    """``born`` is when the event happened, ``sent`` when it last went out (both in milliseconds)."""

    token: str
    person: str
    event: str
    born: int
    sent: int | None
    used: bool


class LedgerUnavailable(Exception):
    """The platform's file cannot be opened or read. The message names it, and what to do."""


class Ledger:
    """One file (or memory, for None), used by one process at a time. Raises LedgerUnavailable when it is built."""

    def __init__(self, store: Path | None) -> None:
        try:
            if store is not None:
                store.parent.mkdir(parents=True, exist_ok=True)
                store.touch(mode=0o600)
            self._db = _opened(store)
        except OSError as trouble:
            raise LedgerUnavailable(
                f"{store} cannot be written ({trouble.strerror}): let this user write it."
            ) from None
        except sqlite3.Error as trouble:
            raise LedgerUnavailable(
                f"The local LINE cannot use its file ({trouble}): move {store} away, with what has the same name and"
                " -wal or -shm behind it. The chat page starts anew; your records are in another file."
            ) from None

    @property
    def connection(self) -> sqlite3.Connection:
        """The open file, for what is kept beside."""
        return self._db

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything inside is stored, or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # ── settings and counters

    def setting(self, name: str, first: str) -> str:
        """The kept value; ``first`` is kept if there is none yet."""
        self._db.execute("INSERT OR IGNORE INTO setting VALUES (?, ?)", (name, first))
        (value,) = self._db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return str(value)

    def set(self, name: str, value: str) -> None:
        """Keep a value in place of the one there was."""
        self._db.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    # ── people

    def put_person(self, person: Chatter) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO person VALUES (?, ?, ?, ?)", (person.id, person.name, person.language, person.bond)
        )

    def person(self, person_id: str) -> Chatter | None:
        row = self._db.execute("SELECT * FROM person WHERE id = ?", (person_id,)).fetchone()
        return Chatter(*row) if row else None

    def people(self) -> list[Chatter]:
        return [Chatter(*row) for row in self._db.execute("SELECT * FROM person ORDER BY rowid")]

    # ── bubbles and what belongs to them

    def put_bubble(self, bubble: Bubble) -> None:
        self._db.execute(
            "INSERT INTO bubble (id, person, side, message, at, event, quote) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                bubble.id,
                bubble.person,
                bubble.side,
                json.dumps(bubble.message, ensure_ascii=False),
                bubble.at,
                bubble.event,
                bubble.quote,
            ),
        )

    def bubble(self, message_id: str) -> Bubble | None:
        row = self._db.execute("SELECT * FROM bubble WHERE id = ?", (message_id,)).fetchone()
        return _bubble(row) if row else None

    def bubbles(self, person_id: str, limit: int = 500) -> list[Bubble]:
        """The newest bubbles of a chat, oldest first."""
        rows = self._db.execute("SELECT * FROM bubble WHERE person = ? ORDER BY seq DESC LIMIT ?", (person_id, limit))
        return [_bubble(row) for row in rows.fetchall()[::-1]]

    def quoted(self, person_id: str, quote: str) -> str | None:
        """The id of the chat's bubble that a quote token stands for."""
        row = self._db.execute("SELECT id FROM bubble WHERE person = ? AND quote = ?", (person_id, quote)).fetchone()
        return row["id"] if row else None

    def edit(self, message_id: str, message: dict[str, Any]) -> None:
        written = json.dumps(message, ensure_ascii=False)
        self._db.execute("UPDATE bubble SET message = ? WHERE id = ?", (written, message_id))

    def unsend(self, message_id: str) -> None:
        """The bubble stays as a mark; what it held is forgotten."""
        self._db.execute("UPDATE bubble SET unsent = 1, message = '{}' WHERE id = ?", (message_id,))
        self._db.execute("DELETE FROM content WHERE message = ?", (message_id,))

    def put_content(self, message_id: str, mime: str, content: bytes) -> None:
        self._db.execute("INSERT INTO content VALUES (?, ?, ?)", (message_id, mime, content))

    def content(self, message_id: str) -> tuple[str, bytes] | None:
        row = self._db.execute("SELECT mime, bytes FROM content WHERE message = ?", (message_id,)).fetchone()
        return (row["mime"], row["bytes"]) if row else None

    # ── webhooks and their tokens

    def put_webhook(self, event: dict[str, Any], person_id: str) -> None:
        """Keep an event to deliver, and its reply token if it has one."""
        event_id, token = event["webhookEventId"], event.get("replyToken")
        self._db.execute(
            "INSERT INTO webhook (event, person, body) VALUES (?, ?, ?)",
            (event_id, person_id, json.dumps(event, ensure_ascii=False)),
        )
        if token:
            self._db.execute(
                "INSERT INTO token (token, person, event, born) VALUES (?, ?, ?, ?)",
                (token, person_id, event_id, event["timestamp"]),
            )

    def webhook(self, event_id: str) -> Webhook | None:
        row = self._db.execute("SELECT * FROM webhook WHERE event = ?", (event_id,)).fetchone()
        return _webhook(row) if row else None

    def webhooks(self, *, state: WebhookState | None = None, person_id: str | None = None) -> list[Webhook]:
        """Oldest first: the ones in that state, of that person."""
        rows = self._db.execute(
            "SELECT * FROM webhook WHERE state = coalesce(?, state) AND person = coalesce(?, person) ORDER BY rowid",
            (state, person_id),
        )
        return [_webhook(row) for row in rows]

    def mark_webhook(self, event_id: str, state: WebhookState, tries: int) -> None:
        self._db.execute("UPDATE webhook SET state = ?, tries = ? WHERE event = ?", (state, tries, event_id))

    def token(self, token: str) -> ReplyToken | None:
        row = self._db.execute("SELECT * FROM token WHERE token = ?", (token,)).fetchone()
        if not row:
            return None
        return ReplyToken(row["token"], row["person"], row["event"], row["born"], row["sent"], bool(row["used"]))

    def token_went_out(self, event_id: str, at: int) -> None:
        self._db.execute("UPDATE token SET sent = ? WHERE event = ?", (at, event_id))

    def use_token(self, token: str) -> None:
        self._db.execute("UPDATE token SET used = 1 WHERE token = ?", (token,))

    def expire_tokens(self) -> None:
        self._db.execute("UPDATE token SET used = 1")

    # ── pushes under a retry key

    def put_push(self, key: str, request_id: str, sent: list[dict[str, str]], at: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO push VALUES (?, ?, ?, ?)", (key, request_id, json.dumps(sent), at))

    def push(self, key: str, since: int) -> tuple[str, list[dict[str, str]]] | None:
        """The request that was accepted under this key, and what it sent, if that was after ``since``."""
        row = self._db.execute("SELECT request, sent FROM push WHERE key = ? AND at > ?", (key, since)).fetchone()
        return (row["request"], json.loads(row["sent"])) if row else None


def _opened(store: Path | None) -> sqlite3.Connection:
    """The file, looked through: a damaged one is better told of at the start. Raises sqlite3.Error."""
    db = sqlite3.connect(store or ":memory:", isolation_level=None)
    try:
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(_SCHEMA)
        _look_through(db)
    except BaseException:
        db.close()
        raise
    return db


def _look_through(db: sqlite3.Connection) -> None:
    (state,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError("damaged")


def _bubble(row: sqlite3.Row) -> Bubble:
    return Bubble(
        row["id"],
        row["person"],
        row["side"],
        json.loads(row["message"]),
        row["at"],
        row["event"],
        row["quote"],
        bool(row["unsent"]),
    )


def _webhook(row: sqlite3.Row) -> Webhook:
    return Webhook(row["event"], row["person"], json.loads(row["body"]), row["state"], row["tries"])

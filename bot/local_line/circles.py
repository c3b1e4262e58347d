"""The groups on the platform: who is in each, whether the bot is, and who said which bubble.

It only keeps and finds, in the ledger's file. Must not know HTTP, or what an event looks like.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from bot.local_line.ledger import Chatter, Ledger

_SCHEMA = """
CREATE TABLE IF NOT EXISTS circle (id TEXT PRIMARY KEY, name TEXT NOT NULL, bot INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS circle_member (circle TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (circle, person));
CREATE TABLE IF NOT EXISTS spoken (bubble TEXT PRIMARY KEY, person TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Circle:
    """A group (``C…``) or a room (``R…``), the ids of the people in it, and whether the bot is one of them."""

    id: str
    name: str
    people: tuple[str, ...]
    bot: bool

    @property
    def as_chat(self) -> Chatter:
        """As one of the chats that bubbles stand in: where the bot is not, nothing arrives."""
        return Chatter(self.id, self.name, "", "friend" if self.bot else "blocked")


class Circles:
    """The groups of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._db = ledger.connection
        self._db.executescript(_SCHEMA)

    def make(self, name: str, people: tuple[str, ...], *, room: bool = False) -> Circle:
        """A new one, without the bot."""
        circle = Circle(("R" if room else "C") + secrets.token_hex(16), name, people, bot=False)
        self._db.execute("INSERT INTO circle VALUES (?, ?, 0)", (circle.id, name))
        for person in people:
            self.come(circle.id, person)
        return circle

    def find(self, circle_id: str) -> Circle | None:
        row = self._db.execute("SELECT * FROM circle WHERE id = ?", (circle_id,)).fetchone()
        if row is None:
            return None
        people = self._db.execute("SELECT person FROM circle_member WHERE circle = ? ORDER BY rowid", (circle_id,))
        return Circle(row["id"], row["name"], tuple(each["person"] for each in people), bool(row["bot"]))

    def all(self) -> list[Circle]:
        rows = self._db.execute("SELECT id FROM circle ORDER BY rowid").fetchall()
        return [found for row in rows if (found := self.find(row["id"]))]

    def chat(self, chat_id: str) -> Chatter | None:
        """The chat with that id: a person's own one, or a group's."""
        circle = None if (person := self._ledger.person(chat_id)) else self.find(chat_id)
        return person or (circle.as_chat if circle else None)

    def come(self, circle_id: str, person_id: str) -> None:
        self._db.execute("INSERT OR IGNORE INTO circle_member VALUES (?, ?)", (circle_id, person_id))

    def go(self, circle_id: str, person_id: str) -> None:
        self._db.execute("DELETE FROM circle_member WHERE circle = ? AND person = ?", (circle_id, person_id))

    def let_the_bot(self, circle_id: str, *, be_in: bool) -> None:
        self._db.execute("UPDATE circle SET bot = ? WHERE id = ?", (be_in, circle_id))

    def said_by(self, bubble_id: str, person_id: str) -> None:
        self._db.execute("INSERT INTO spoken VALUES (?, ?)", (bubble_id, person_id))

    def speakers(self, circle_id: str) -> dict[str, dict[str, str]]:
        """Who said the bubbles of a group, by the ids of the bubbles: ``by`` is their name, ``speaker`` their id."""
        rows = self._db.execute(
            "SELECT spoken.bubble, person.name, person.id FROM spoken JOIN bubble ON bubble.id = spoken.bubble "
            "JOIN person ON person.id = spoken.person WHERE bubble.person = ?",
            (circle_id,),
        )
        return {row["bubble"]: {"by": row["name"], "speaker": row["id"]} for row in rows}

"""Who is in, and for how long: sessions of the operator, and the tokens that their forms carry.

A cookie is a random id and a mark made with a key from the password: another password ends all sessions. The store
keeps a row for each, under a hash of the id, so that leaving ends it in every process. Must not know how a cookie
travels, or what is behind the door.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from bot.operator_ports import SessionsPort

IDLE = timedelta(minutes=30)
"""Without a page a session ends so soon."""

LONGEST = timedelta(hours=12)
"""And then it does in any case."""

TOUCH = timedelta(minutes=1)
"""That it is used is written down so often."""

LONGEST_COOKIE = 200

_SALT = b"line-secretary: pages of the operator"


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who knows the password. ``token`` stands in each of their forms."""

    id: str
    token: str


class Sessions:
    """All of them, in every process that shares the store and the password."""

    def __init__(self, password: str, store: SessionsPort, now: Callable[[], datetime]) -> None:
        self._password = _plain(password)
        self._store = store
        self._now = now

    def knows(self, password: str) -> bool:
        """Whether that is the password, in the same time however much of it is right."""
        given, wanted = (hashlib.sha256(each).digest() for each in (_plain(password), self._password))
        return hmac.compare_digest(given, wanted)

    async def begin(self) -> str:
        """A new session, as its cookie. Raises StoreUnavailable."""
        id_ = new_id()
        await self._store.begin(_hash(id_), self._now(), self._now() - LONGEST)
        return f"{id_}.{await self.mark('session', id_)}"

    async def of(self, cookie: str) -> Session | None:
        """Whose cookie it is; None for none of ours, or one that has ended. Raises StoreUnavailable."""
        id_, _, mark = cookie.partition(".")
        if len(cookie) > LONGEST_COOKIE or not cookie.isascii():
            return None
        if not hmac.compare_digest(mark, await self.mark("session", id_)):
            return None
        now = self._now()
        found = await self._store.find(_hash(id_))
        if found is None or not (now - LONGEST < found.began_at <= now) or now - found.seen_at > IDLE:
            return None
        if now - found.seen_at > TOUCH:
            await self._store.touch(_hash(id_), now)
        return Session(id_, await self.mark("form", id_))

    async def end(self, session: Session) -> None:
        """Nobody gets in with it any more. Raises StoreUnavailable."""
        await self._store.end(_hash(session.id))

    async def mark(self, what: str, id_: str) -> str:
        """What only who knows the password can have written. The key takes a moment, once."""
        if "_key" not in self.__dict__:
            await asyncio.to_thread(lambda: self._key)
        return _text(hmac.digest(self._key, f"{what}:{id_}".encode(), "sha256"))

    @cached_property
    def _key(self) -> bytes:
        """Slow to make: a cookie that was stolen gives nobody the password by trying."""
        return hashlib.scrypt(self._password, salt=_SALT, n=2**14, r=8, p=1, dklen=32)


def new_id() -> str:
    """Nobody guesses it: 192 bits."""
    return _text(secrets.token_bytes(24))


def _hash(id_: str) -> str:
    return hashlib.sha256(id_.encode()).hexdigest()


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _plain(password: str) -> bytes:
    """Keyboards write an accent in two ways."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")

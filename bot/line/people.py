"""Who is who on LINE, and the way out of a group: small calls through the channel's own client.

Must not know what is said, or who may say it. Whatever is only asked never raises: LINE tells nothing of people who did
not agree to it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from bot.household_ports import Account
from bot.line.channel import LineChannel
from bot.ports import ChatId, Refused, Unsure
from tools.record import PersonId

ASK_AGAIN_SECONDS: Final = 60.0
"""Before LINE is asked once more who the bot is, where it did not say."""

_GONE: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND})
"""What LINE says of a group that the bot is not in."""


class LinePeople:
    """CompanyPort over LINE's Messaging API."""

    def __init__(self, channel: LineChannel) -> None:
        self._channel = channel
        self._me: Account | None = None
        self._asking = asyncio.Lock()
        self._asked_at = float("-inf")

    @property
    def names(self) -> tuple[str, ...]:
        """What the bot is called, as far as LINE has said."""
        return (self._me.name,) if self._me else ()

    async def me(self) -> Account | None:
        """https://developers.line.biz/en/reference/messaging-api/#get-bot-info ."""
        async with self._asking:
            if self._me is None and time.monotonic() - self._asked_at > ASK_AGAIN_SECONDS:
                self._asked_at = time.monotonic()
                found = await self._told("bot info", "/info")
                name, basic_id = _text(found, "displayName"), _text(found, "basicId")
                self._me = Account(name, basic_id) if name and basic_id else None
            return self._me

    async def name_of(self, person: PersonId, chat: ChatId) -> str | None:
        """Of a member of a group also without being friends.
        https://developers.line.biz/en/reference/messaging-api/#get-group-member-profile ."""
        who = quote(person, safe="")
        path = f"/profile/{who}" if chat.startswith("U") else f"{_place(chat)}/member/{who}"
        return _text(await self._told("name", path), "displayName")

    async def name_of_group(self, chat: ChatId) -> str | None:
        """Rooms have none. https://developers.line.biz/en/reference/messaging-api/#get-group-summary ."""
        if not chat.startswith("C"):
            return None
        return _text(await self._told("group", f"{_place(chat)}/summary"), "groupName")

    async def leave(self, chat: ChatId) -> None:
        """https://developers.line.biz/en/reference/messaging-api/#leave-group ."""
        status, _ = await self._channel.ask("leave", f"{_place(chat)}/leave", {})
        if status in {HTTPStatus.OK, *_GONE}:
            return
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
            raise Unsure(f"LINE answered {status} to leaving a group")
        raise Refused(f"LINE answered {status} to leaving a group")

    async def _told(self, name: str, path: str) -> Mapping[str, Any]:
        try:
            status, content = await self._channel.ask(name, path)
        except (Refused, Unsure):
            return {}
        return content if status == HTTPStatus.OK else {}


def _place(chat: ChatId) -> str:
    return f"/{'room' if chat.startswith('R') else 'group'}/{quote(chat, safe='')}"


def _text(content: Mapping[str, Any], key: str) -> str | None:
    found = content.get(key)
    return found if isinstance(found, str) and found.strip() else None

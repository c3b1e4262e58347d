"""A phone for programs: says and taps what a person would on the chat page, and waits for the answer.

The demo, the terminal chat and the tests hold it. Must not know anything about the bot behind the platform.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from bot.local_line import FIRST_PERSON

POLL_SECONDS = 0.02

_DIRECT = build_opener(ProxyHandler({}))
"""The platform is on this machine: no proxy stands between."""


class NoAnswer(Exception):
    """Nothing came in the time a person would wait."""


class Unreachable(NoAnswer):
    """Nothing that speaks as the platform does is at the address."""


class Refused(Exception):
    """The platform does not take what was said; the message is its reason."""


@dataclass(slots=True)
class Phone:
    """One person's phone. ``address`` is the platform's, without a slash behind.

    Every act raises Refused or Unreachable.
    """

    address: str
    person: str = FIRST_PERSON
    read: int = 0
    """How many of the bot's bubbles have been looked at."""

    async def add_person(self, name: str, language: str) -> str:
        """Someone new on the platform; returns their id."""
        return str((await self._post("people", name=name, language=language))["id"])

    async def introduce(self, name: str, language: str) -> None:
        """Give the person another name and language."""
        await self._post("people", person=self.person, name=name, language=language)

    async def follow(self) -> None:
        """Add the bot as a friend; it greets."""
        await self._post("follow", person=self.person)

    async def say(self, text: str, *, quotes: str | None = None) -> str:
        """Send a text, quoting the newest message that reads so, if any; returns the event's id."""
        quoted = {"quotes": await self._id_of(quotes)} if quotes else {}
        return str((await self._post("say", person=self.person, text=text, **quoted))["event_id"])

    async def edit(self, old: str, new: str) -> None:
        """Write the newest text that reads so anew."""
        await self._post("edit", person=self.person, message_id=await self._id_of(old, ("person",)), text=new)

    async def unsend(self, text: str) -> None:
        """Take the newest text back that reads so."""
        await self._post("unsend", person=self.person, message_id=await self._id_of(text, ("person",)))

    async def tap(self, label: str) -> str:
        """Tap the newest button with this label; returns the event's id."""
        for bubble in reversed(await self._from_the_bot()):
            for action in _tappable(bubble["message"]):
                if action["label"] == label:
                    answer = await self._post(
                        "tap", person=self.person, message_id=bubble["id"], data=action["data"], label=label
                    )
                    return str(answer["event_id"])
        raise NoAnswer(f"there is no button {label!r}")

    async def redeliver(self, event_id: str) -> None:
        """Let the platform deliver an event once more."""
        await self._post("redeliver", event_id=event_id)

    async def answer(self, seconds: float = 15.0) -> list[str]:
        """The texts that came since the last look. Raises NoAnswer."""
        until = time.monotonic() + seconds
        while not (new := await self.unread()):
            if time.monotonic() > until:
                raise NoAnswer(f"no answer within {seconds:g} seconds")
            await asyncio.sleep(POLL_SECONDS)
        return new

    async def unread(self) -> list[str]:
        """What has come and was not looked at, without waiting."""
        bubbles = await self._from_the_bot()
        new, self.read = bubbles[self.read :], len(bubbles)
        return [shown(each["message"]) for each in new]

    async def buttons(self) -> list[str]:
        """The labels under the newest bubble and on it; one that stands there for each of several things names none of
        them, and is left out."""
        bubbles = await self._from_the_bot()
        labels = [action["label"] for action in _tappable(bubbles[-1]["message"])] if bubbles else []
        return [label for label in labels if labels.count(label) == 1]

    async def log(self) -> list[dict[str, Any]]:
        """What the bot asked of the platform lately, and what it was answered."""
        found: list[dict[str, Any]] = (await self._ask(Request(f"{self.address}/local/log")))["requests"]  # noqa: S310 - loopback http
        return found

    async def _id_of(self, text: str, sides: Sequence[str] = ("person", "bot")) -> str:
        for bubble in reversed(await self._bubbles()):
            if not bubble["unsent"] and bubble["side"] in sides and text in shown(bubble["message"]):
                return str(bubble["id"])
        raise NoAnswer(f"there is no message {text!r}")

    async def _from_the_bot(self) -> list[dict[str, Any]]:
        return [bubble for bubble in await self._bubbles() if bubble["side"] == "bot"]

    async def _bubbles(self) -> list[dict[str, Any]]:
        history = await self._ask(Request(f"{self.address}/local/history?person={self.person}"))  # noqa: S310 - loopback http
        found: list[dict[str, Any]] = history["bubbles"]
        return found

    async def _post(self, act: str, **asked: Any) -> dict[str, Any]:
        body = json.dumps(asked).encode()
        headers = {"Content-Type": "application/json"}
        return await self._ask(Request(f"{self.address}/local/{act}", body, headers))  # noqa: S310 - loopback http

    async def _ask(self, request: Request) -> dict[str, Any]:
        try:
            return await asyncio.to_thread(_asked, request)
        except (OSError, HTTPException, ValueError) as silence:
            raise Unreachable(f"no local LINE answers at {self.address} ({type(silence).__name__})") from None


async def reachable(address: str, seconds: float) -> bool:
    """Whether the platform answers within this time."""
    until = time.monotonic() + seconds
    while True:
        try:
            await Phone(address).unread()
        except (Unreachable, Refused):
            if time.monotonic() > until:
                return False
            await asyncio.sleep(POLL_SECONDS)
        else:
            return True


def _asked(request: Request) -> dict[str, Any]:
    """The platform's answer. Raises Refused, and what urllib and json raise."""
    try:
        with _DIRECT.open(request, timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
    except HTTPError as refusal:
        with refusal:
            reason = json.load(refusal).get("message") if refusal.headers.get_content_subtype() == "json" else None
        raise Refused(reason or f"{refusal.code} {refusal.reason}") from None


def _tappable(value: Any) -> Iterator[dict[str, Any]]:
    """The actions that send something back, wherever they stand in a message. One that asks for a moment first is none
    for a program without a calendar."""
    if isinstance(value, dict):
        if value.get("type") == "postback" and "label" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _tappable(each)


def shown(message: dict[str, Any]) -> str:
    """A message as one line of text: what a notification would show."""
    return str(message.get("text") or message.get("altText") or f"[{message['type']}]")

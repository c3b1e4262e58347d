"""What people do on their phones: speak, show, tap, take back, block; and what they see there.

Every act is kept together with the event that tells the bot of it. Must not know HTTP.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.local_line import events
from bot.local_line.circles import Circles
from bot.local_line.courier import Courier
from bot.local_line.events import milliseconds
from bot.local_line.ledger import Bubble, Chatter, Ledger
from bot.local_line.screens import Screens

MAX_PICTURE_BYTES = 10 * 1024 * 1024

_PICTURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}


class CannotBeDone(Exception):
    """The act makes no sense now: nobody there, nothing to tap, blocked. The sentence may be shown."""


@dataclass(frozen=True, slots=True)
class Done:
    """What an act left behind: the event, and the bubble if there is one."""

    event_id: str
    message_id: str | None = None


class Phones:
    """The people's side of the platform."""

    def __init__(
        self, ledger: Ledger, circles: Circles, courier: Courier, screens: Screens, now: Callable[[], datetime]
    ) -> None:
        self._ledger = ledger
        self.circles = circles
        self._courier = courier
        self._screens = screens
        self._now = now
        self._loading: dict[str, int] = {}

    # ── people

    def add_person(self, name: str, language: str, person_id: str | None = None) -> Chatter:
        """Someone new, or new words for someone known."""
        known = self._ledger.person(person_id) if person_id else None
        if person_id and not known:
            raise CannotBeDone("There is no such person.")
        someone = known or Chatter(events.user_id(), name, language)
        someone = dataclasses.replace(someone, name=name, language=language)
        self._ledger.put_person(someone)
        self._screens.show(None, "people", {})
        return someone

    def _someone(self, person_id: str) -> Chatter:
        person = self._ledger.person(person_id)
        if person is None:
            raise CannotBeDone("There is no such person.")
        return person

    def follow(self, person_id: str) -> Done:
        """Add the bot as a friend, or unblock it."""
        return self._follow(self._someone(person_id))

    def _follow(self, person: Chatter) -> Done:
        at = milliseconds(self._now())
        unblocked = {"isUnblocked": person.bond == "blocked"}
        event = events.event("follow", person.id, at, follow=unblocked)
        with self._ledger.together():
            self._ledger.put_person(dataclasses.replace(person, bond="friend"))
            self._ledger.put_webhook(event, person.id)
        self._screens.show(person.id, "bond", {"bond": "friend"})
        return self._sent(event)

    def block(self, person_id: str) -> Done:
        person = self._someone(person_id)
        event = events.event("unfollow", person.id, milliseconds(self._now()), answerable=False)
        with self._ledger.together():
            self._ledger.put_person(dataclasses.replace(person, bond="blocked"))
            self._ledger.put_webhook(event, person.id)
        self._screens.show(person.id, "bond", {"bond": "blocked"})
        return self._sent(event)

    def _sent(self, event: events.Event, message_id: str | None = None) -> Done:
        self._courier.send(event["webhookEventId"])
        return Done(event["webhookEventId"], message_id)

    # ── speaking

    def say(
        self,
        person_id: str,
        content: dict[str, Any],
        *,
        held: tuple[str, bytes] | None = None,
        quotes: str | None = None,
    ) -> Done:
        """Send a message: LINE's content without its id and tokens, and the media type and bytes that it holds; it may
        quote another of the chat by its id. Whoever
        speaks first adds the bot before."""
        person = self._friend(person_id)
        at = milliseconds(self._now())
        message = {"id": events.message_id(at), **content}
        if content["type"] in {"text", "sticker", "image", "video"}:
            message["quoteToken"] = events.opaque_token()
        message["markAsReadToken"] = events.opaque_token()
        if quotes is not None:
            message["quotedMessageId"] = self._quotable(person, quotes)
        event = events.event("message", person.id, at, message=message)
        bubble = self._own_bubble(event, message, quoting(content, quotes))
        with self._ledger.together():
            self._ledger.put_bubble(bubble)
            self._ledger.put_webhook(event, person.id)
            if held is not None:
                self._ledger.put_content(bubble.id, *held)
        self._screens.show(person.id, "bubble", shown(bubble, "waiting"))
        return self._sent(event, bubble.id)

    def show(self, person_id: str, pictures: Sequence[bytes], total: int | None = None) -> list[Done]:
        """Send pictures together. Those that ``total`` counts beyond them stay on their way for ever; like at LINE they
        do not come in their order."""
        kinds = [picture_type(each) for each in pictures]
        of, count = str(secrets.randbits(62)), total or len(pictures)
        done = [
            self.say(person_id, events.image_content(of, number, count), held=(kind, picture))
            for number, kind, picture in reversed(list(zip(range(1, count + 1), kinds, pictures, strict=False)))
        ]
        return done[::-1]

    def _friend(self, person_id: str) -> Chatter:
        person = self._someone(person_id)
        if person.bond == "blocked":
            raise CannotBeDone("The bot is blocked: unblock it first.")
        if person.bond == "stranger":
            self._follow(person)
        return person

    @staticmethod
    def _own_bubble(event: events.Event, message: dict[str, Any], content: dict[str, Any]) -> Bubble:
        return Bubble(
            id=message["id"],
            person=event["source"]["userId"],
            side="person",
            message=content,
            at=event["timestamp"],
            event=event["webhookEventId"],
            quote=message.get("quoteToken") or events.opaque_token(),
        )

    def _quotable(self, person: Chatter, message_id: str) -> str:
        bubble = self._ledger.bubble(message_id)
        if bubble is None or bubble.person != person.id or bubble.unsent:
            raise CannotBeDone("There is no such message to quote.")
        return message_id

    def edit(self, person_id: str, message_id: str, words: str) -> Done:
        """Write one's own text anew: its id stays, its quote token does not."""
        person, bubble = self._friend(person_id), self._ledger.bubble(message_id)
        of_theirs = bubble is not None and bubble.person == person_id and bubble.side == "person" and not bubble.unsent
        if bubble is None or not of_theirs or bubble.message["type"] != "text":
            raise CannotBeDone("There is no such text to edit.")
        content = events.text_content(words)
        message = {"id": message_id, **content, "quoteToken": events.opaque_token()}
        event = events.event("messageEdited", person.id, milliseconds(self._now()), message=message)
        anew = quoting(content, bubble.message.get("quotedMessageId")) | {"edited": True}
        with self._ledger.together():
            self._ledger.edit(message_id, anew)
            self._ledger.put_webhook(event, person.id)
        self._screens.show(person_id, "bubble", shown(dataclasses.replace(bubble, message=anew), "waiting"))
        return self._sent(event, message_id)

    def unsend(self, person_id: str, message_id: str) -> Done:
        """Take back one's own message."""
        bubble = self._ledger.bubble(message_id)
        if bubble is None or bubble.person != person_id or bubble.side != "person" or bubble.unsent:
            raise CannotBeDone("There is no such message to take back.")
        at = milliseconds(self._now())
        event = events.event("unsend", person_id, at, answerable=False, unsend={"messageId": message_id})
        with self._ledger.together():
            self._ledger.unsend(message_id)
            self._ledger.put_webhook(event, person_id)
        self._screens.show(person_id, "unsent", {"id": message_id})
        return self._sent(event, message_id)

    # ── tapping

    def tap(
        self, person_id: str, data: str, message_id: str | None = None, params: dict[str, str] | None = None
    ) -> Done:
        """Tap a button, however old, that carries ``data``; what it says stands as the person's own bubble."""
        person = self._friend(person_id)
        action = self.action(person_id, data, message_id)
        at = milliseconds(self._now())
        postback = {"data": data, **({"params": params} if params else {})}
        event = events.event("postback", person.id, at, postback=postback)
        words = action.get("displayText") or action.get("text")
        bubble = None
        if words:
            content = events.text_content(words)
            bubble = self._own_bubble(event, {"id": events.message_id(at)}, content)
        with self._ledger.together():
            if bubble:
                self._ledger.put_bubble(bubble)
            self._ledger.put_webhook(event, person.id)
        if bubble:
            self._screens.show(person.id, "bubble", shown(bubble, "waiting"))
        return self._sent(event, bubble.id if bubble else None)

    def action(self, person_id: str, data: str, message_id: str | None) -> dict[str, Any]:
        """The button of a chat that carries ``data``."""
        for bubble in reversed(self._ledger.bubbles(person_id)):
            if bubble.side == "bot" and message_id in {None, bubble.id}:
                for action in _actions(bubble.message):
                    if action.get("data") == data:
                        return action
        raise CannotBeDone("There is no button with that data.")

    # ── what is seen

    def receive(self, person: Chatter, messages: list[dict[str, Any]]) -> list[dict[str, str]]:
        """Bubbles of the bot arrive: their ids and quote tokens, in order. To one who blocked it nothing arrives."""
        at = milliseconds(self._now())
        arrived = [
            Bubble(events.message_id(at), person.id, "bot", each, at, None, events.opaque_token())
            for each in (quoting(each, self._ledger.quoted(person.id, each.get("quoteToken", ""))) for each in messages)
        ]
        if person.bond == "friend":
            self._loading.pop(person.id, None)
            for bubble in arrived:
                self._ledger.put_bubble(bubble)
                self._screens.show(person.id, "bubble", shown(bubble, None))
            self._screens.show(None, "arrived", {"person": person.id})
        quotable = {"text", "textV2", "sticker", "image", "video", "template", "flex"}
        return [
            {"id": each.id, **({"quoteToken": each.quote} if each.message["type"] in quotable else {})}
            for each in arrived
        ]

    def show_loading(self, person_id: str, seconds: int) -> None:
        self._loading[person_id] = milliseconds(self._now()) + seconds * 1000
        self._screens.show(person_id, "loading", {"seconds": seconds})

    def history(self, person_id: str) -> dict[str, Any]:
        """A chat as its page shows it."""
        person = self.circles.chat(person_id)
        if person is None:
            raise CannotBeDone("There is no such person.")
        by = self.circles.speakers(person_id)
        states = {each.event_id: each.state for each in self._ledger.webhooks(person_id=person_id)}
        left = self._loading.get(person_id, 0) - milliseconds(self._now())
        return {
            "person": dataclasses.asdict(person),
            "bubbles": [
                shown(each, states.get(each.event or "")) | by.get(each.id, {})
                for each in self._ledger.bubbles(person_id)
            ],
            "loading": max(0, left) / 1000,
        }


def quoting(content: dict[str, Any], quoted: str | None) -> dict[str, Any]:
    """A message as it is kept, with the id of the one that it quotes, if any."""
    return {**content, "quotedMessageId": quoted} if quoted else content


def shown(bubble: Bubble, state: str | None) -> dict[str, Any]:
    """A bubble as the page gets it."""
    return {
        "id": bubble.id,
        "side": bubble.side,
        "message": bubble.message,
        "at": bubble.at,
        "event_id": bubble.event,
        "state": state,
        "unsent": bubble.unsent,
    }


def picture_type(content: bytes) -> str:
    """The media type of a picture, by its first bytes. Raises CannotBeDone for anything else."""
    if len(content) > MAX_PICTURE_BYTES:
        raise CannotBeDone("The picture is larger than 10 MB.")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    for start, mime in _PICTURES.items():
        if content.startswith(start):
            return mime
    raise CannotBeDone("This is not a picture (PNG, JPEG, GIF or WebP).")


def _actions(value: Any) -> Iterator[dict[str, Any]]:
    """Every action of a message, wherever it stands."""
    if isinstance(value, dict):
        if value.get("type") in {"postback", "datetimepicker"} and "data" in value:
            yield value
        for each in value.values():
            yield from _actions(each)
    elif isinstance(value, list):
        for each in value:
            yield from _actions(each)

"""What people do in groups: make one, take the bot along, speak to it and past it, come, go, put it out.

Every act is kept together with the event that tells the bot of it, if it is there. Must not know HTTP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from bot.local_line import events
from bot.local_line.checks import utf16_units
from bot.local_line.circles import Circle
from bot.local_line.courier import Courier
from bot.local_line.events import milliseconds
from bot.local_line.ledger import Bubble, Ledger
from bot.local_line.phones import CannotBeDone, Done, Phones, quoting, shown
from bot.local_line.screens import Screens

Mention = Literal["bot", "all"]

BOT_NAME = "Secretary"


@dataclass(frozen=True, slots=True)
class Said:
    """A text in a group. ``mention``: who is called in front of it. ``quote``: the bubble that it quotes.
    ``anonymous``: its sender did not agree that their id is passed on."""

    text: str
    mention: Mention | None = None
    quote: str | None = None
    anonymous: bool = False


class Company:
    """The people's side of groups."""

    def __init__(
        self,
        ledger: Ledger,
        phones: Phones,
        courier: Courier,
        screens: Screens,
        bot_id: str,
        now: Callable[[], datetime],
    ) -> None:
        self._ledger = ledger
        self._circles = phones.circles
        self._phones = phones
        self._courier = courier
        self._screens = screens
        self._bot_id = bot_id
        self._now = now

    def make(self, name: str, people: list[str], *, room: bool = False) -> Circle:
        """A group of these people, with the bot in it."""
        if unknown := [each for each in people if self._ledger.person(each) is None]:
            raise CannotBeDone(f"There is no such person: {unknown[0]}")
        circle = self._circles.make(name, tuple(people), room=room)
        self.take_along(circle.id)
        return circle

    def take_along(self, circle_id: str) -> Done:
        """The bot joins; it is not told who took it along."""
        circle = self._circle(circle_id)
        if circle.bot:
            raise CannotBeDone("The bot is in this group.")
        self._let_the_bot(circle_id, be_in=True)
        return self._tell(self._event("join", circle_id, None))

    def leave(self, circle_id: str) -> None:
        """The bot goes by itself: no event tells of it."""
        self._let_the_bot(circle_id, be_in=False)

    def _let_the_bot(self, circle_id: str, *, be_in: bool) -> None:
        self._circles.let_the_bot(circle_id, be_in=be_in)
        self._screens.show(None, "people", {})

    def put_out(self, circle_id: str) -> Done:
        self._with_the_bot(circle_id)
        self._let_the_bot(circle_id, be_in=False)
        return self._tell(self._event("leave", circle_id, None, answerable=False))

    def come(self, circle_id: str, person_id: str) -> Done | None:
        """Somebody joins; nobody is told where the bot is not."""
        circle = self._circle(circle_id)
        if self._ledger.person(person_id) is None or person_id in circle.people:
            raise CannotBeDone("Nobody comes who is not there, or is in it already.")
        self._circles.come(circle_id, person_id)
        self._screens.show(None, "people", {})
        moved = {"members": [{"type": "user", "userId": person_id}]}
        return self._tell(self._event("memberJoined", circle_id, None, joined=moved)) if circle.bot else None

    def go(self, circle_id: str, person_id: str) -> Done | None:
        circle = self._circle(circle_id)
        if person_id not in circle.people:
            raise CannotBeDone("They are not in this group.")
        self._circles.go(circle_id, person_id)
        self._screens.show(None, "people", {})
        moved = {"members": [{"type": "user", "userId": person_id}]}
        left = self._event("memberLeft", circle_id, None, answerable=False, left=moved)
        return self._tell(left) if circle.bot else None

    def say(self, circle_id: str, person_id: str, said: Said) -> Done:
        """Send a text; the bot gets it whether it is for it or not."""
        self._member(circle_id, person_id)
        at = milliseconds(self._now())
        message = {"id": events.message_id(at), **self._content(said), "quoteToken": events.opaque_token()}
        if said.quote is not None:
            quoted = self._ledger.bubble(said.quote)
            if quoted is None or quoted.person != circle_id:
                raise CannotBeDone("There is no such bubble here to quote.")
            message["quotedMessageId"] = quoted.id
        message["markAsReadToken"] = events.opaque_token()
        event = self._event("message", circle_id, None if said.anonymous else person_id, message=message)
        content = quoting(events.text_content(message["text"]), said.quote)
        self._keep_bubble(circle_id, person_id, message, content, event)
        return self._tell(event, message["id"])

    def tap(
        self,
        circle_id: str,
        person_id: str,
        data: str,
        params: dict[str, str] | None = None,
        *,
        anonymous: bool = False,
    ) -> Done:
        """Tap a button, however old; what it says stands as the person's own bubble."""
        self._member(circle_id, person_id)
        action = self._phones.action(circle_id, data, None)
        postback = {"data": data, **({"params": params} if params else {})}
        event = self._event("postback", circle_id, None if anonymous else person_id, postback=postback)
        if words := action.get("displayText") or action.get("text"):
            message = {"id": events.message_id(event["timestamp"]), "quoteToken": events.opaque_token()}
            self._keep_bubble(circle_id, person_id, message, events.text_content(words), event)
        else:
            self._ledger.put_webhook(event, circle_id)
        return self._tell(event, kept=True)

    def edit(self, circle_id: str, person_id: str, message_id: str, words: str) -> Done:
        """Write one's own text anew: its id stays, its quote token does not."""
        bubble = self._own(circle_id, person_id, message_id)
        if bubble.message["type"] != "text":
            raise CannotBeDone("There is no such text to edit.")
        called = f"@{BOT_NAME} "
        said = Said(words.removeprefix(called), "bot" if words.startswith(called) else None)
        content = events.text_content(words)
        message = {"id": message_id, **self._content(said), "quoteToken": events.opaque_token()}
        event = self._event("messageEdited", circle_id, person_id, message=message)
        anew = quoting(content, bubble.message.get("quotedMessageId")) | {"edited": True}
        with self._ledger.together():
            self._ledger.edit(message_id, anew)
            self._ledger.put_webhook(event, circle_id)
        self._show(replace(bubble, message=anew))
        return self._tell(event, message_id)

    def unsend(self, circle_id: str, person_id: str, message_id: str) -> Done:
        """Take back one's own message."""
        self._own(circle_id, person_id, message_id)
        event = self._event("unsend", circle_id, person_id, answerable=False, unsend={"messageId": message_id})
        with self._ledger.together():
            self._ledger.unsend(message_id)
            self._ledger.put_webhook(event, circle_id)
        self._screens.show(circle_id, "unsent", {"id": message_id})
        return self._tell(event, message_id)

    # ── how it is told

    def _circle(self, circle_id: str) -> Circle:
        circle = self._circles.find(circle_id)
        if circle is None:
            raise CannotBeDone("There is no such group.")
        return circle

    def _with_the_bot(self, circle_id: str) -> Circle:
        circle = self._circle(circle_id)
        if not circle.bot:
            raise CannotBeDone("The bot is not in this group.")
        return circle

    def _member(self, circle_id: str, person_id: str) -> None:
        if person_id not in self._with_the_bot(circle_id).people:
            raise CannotBeDone("They are not in this group.")

    def _own(self, circle_id: str, person_id: str, message_id: str) -> Bubble:
        self._member(circle_id, person_id)
        bubble = self._ledger.bubble(message_id)
        theirs = self._circles.speakers(circle_id).get(message_id, {}).get("speaker") == person_id
        if bubble is None or not theirs or bubble.unsent:
            raise CannotBeDone("There is no such message of theirs.")
        return bubble

    def _event(self, kind: str, circle_id: str, person_id: str | None, **parts: Any) -> events.Event:
        place = (
            {"type": "room", "roomId": circle_id} if circle_id[0] == "R" else {"type": "group", "groupId": circle_id}
        )
        who = {"userId": person_id} if person_id else {}
        event = events.event(kind, person_id or "", milliseconds(self._now()), **parts)
        return {**event, "source": {**place, **who}}

    def _content(self, said: Said) -> dict[str, Any]:
        if said.mention is None:
            return events.text_content(said.text)
        called = "@All" if said.mention == "all" else f"@{BOT_NAME}"
        whole = {"index": 0, "length": utf16_units(called)}
        one = {"type": "all"} if said.mention == "all" else {"type": "user", "userId": self._bot_id, "isSelf": True}
        return {**events.text_content(f"{called} {said.text}"), "mention": {"mentionees": [{**whole, **one}]}}

    def _keep_bubble(
        self, circle_id: str, person_id: str, message: dict[str, Any], content: dict[str, Any], event: events.Event
    ) -> None:
        at, told = event["timestamp"], event["webhookEventId"]
        bubble = Bubble(message["id"], circle_id, "person", content, at, told, message["quoteToken"])
        with self._ledger.together():
            self._ledger.put_bubble(bubble)
            self._circles.said_by(bubble.id, person_id)
            self._ledger.put_webhook(event, circle_id)
        self._show(bubble)

    def _show(self, bubble: Bubble) -> None:
        self._screens.show(
            bubble.person, "bubble", shown(bubble, "waiting") | self._circles.speakers(bubble.person)[bubble.id]
        )

    def _tell(self, event: events.Event, message_id: str | None = None, *, kept: bool = False) -> Done:
        if message_id is None and not kept:
            place = event["source"]
            self._ledger.put_webhook(event, place.get("groupId") or place["roomId"])
        self._courier.send(event["webhookEventId"])
        return Done(event["webhookEventId"], message_id)

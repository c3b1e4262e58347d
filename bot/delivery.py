"""Delivery: an answer that is committed goes to the person once, on the cheapest road that is open.

The reply token is the fuel: free, single use, about a minute. A push costs quota and is a last resort. What cannot
go now is owed, and stands in front of the chat's next reply. Must not know what an answer says, or how a network works.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from bot.inbox_ports import InboxPort, Owed, SaidPort, Sent
from bot.ports import (
    LATER,
    RINGING,
    Bubble,
    Busy,
    Button,
    ChannelPort,
    ChatId,
    NotSent,
    Tap,
    TokenDead,
    Turn,
    TurnId,
    Unsure,
    questions_last,
)
from bot.pushes import NOTICES, worth_a_push
from bot.voice.phrases import Phrases
from tools.record import StoreUnavailable

log = logging.getLogger(__name__)

TOKEN_LIFE = timedelta(seconds=60)
"""Of a reply token, from its receipt. https://developers.line.biz/en/reference/messaging-api/#send-reply-message"""

WAY = timedelta(seconds=5)
"""The last seconds of a token belong to the way there."""

ROOM = 20_000
"""UTF-16 units of one reply: LINE takes 25,000 in five messages, and cutting at nice places wastes some."""

AGAIN_SECONDS = 0.5
"""Before the one repeat after a failure that may have been a success."""

BUSY_PAUSES = (1, 4, 16)
"""While a network takes no more, so many times that long: ten seconds in all, which a token outlives."""

NO_ONES = TurnId("")
"""Instead of a turn, for what was said of several."""

Pushes = Literal["reminders", "all", "off"]


class _Used(Unsure):
    """The token had been tried, and is dead now."""


class Delivery:
    """Brings answers to people."""

    def __init__(
        self,
        inbox: InboxPort,
        channel: ChannelPort,
        pushes: Pushes,
        now: Callable[[], datetime],
        *,
        said: SaidPort,
        is_away: Callable[[ChatId], Awaitable[bool]],
        again_seconds: float = AGAIN_SECONDS,
    ) -> None:
        self._inbox = inbox
        self._said = said
        self._is_away = is_away
        self._channel = channel
        self._pushes = pushes
        self._again_seconds = again_seconds
        self._now = now
        self._one_at_a_time: defaultdict[ChatId, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def deliver(self, turn: Turn, phrases: Phrases) -> None:
        """Send the committed answer of a turn, and what the chat is owed in front of it."""
        bubbles = turn.answer or ()
        async with self._one_at_a_time[turn.chat]:
            tokens = self._living_tokens(turn)
            if turn.tried_token and turn.tried_token not in tokens:
                await self._inbox.owe(turn, maybe_sent=True)  # what became of it can be learnt no more
            elif tokens:
                await self._reply(turn, tokens, bubbles, phrases)
            elif not bubbles:
                await self._inbox.delivered(turn)
            elif turn.state == "sending" or await self.will_push(turn):  # begun, it is done with the same key
                await self._push(turn, bubbles)
            else:
                await self._inbox.owe(turn, maybe_sent=False)

    def can_reply(self, turn: Turn) -> bool:
        """Whether it has a reply token that lives, on which something may ride besides."""
        return bool(self._living_tokens(turn)) and not turn.tried_token

    async def will_push(self, turn: Turn) -> bool:
        """Whether what has no token goes out unasked: not where somebody speaks at this moment, who gets a reply that
        costs nothing and carries it."""
        if not await self._may_push(turn) or await self._is_away(turn.chat):
            return False
        return not await self._inbox.is_spoken_to(turn.chat, self._now() - TOKEN_LIFE + WAY)

    async def interim(self, turn: Turn, phrases: Phrases) -> Turn:
        """Spend the turn's token on a sentence with a button whose tap brings a new one. Returns the turn without."""
        tokens = self._living_tokens(turn)
        if not tokens:
            return turn
        await self._inbox.spend(turn)
        await self.say_working(turn, phrases)
        return replace(turn, messages=tuple(replace(message, reply_token=None) for message in turn.messages))

    async def say_working(self, turn: Turn, phrases: Phrases) -> None:
        """On the newest token, which is spent already: that it takes a while, with a button that stays."""
        bubble = Bubble(phrases.working, (Button(phrases.show_answer, Tap.SHOW.on(turn.id)),), stays=True)
        for token in self._living_tokens(turn)[:1]:
            try:
                ids = await self._channel.reply(token, _quoting([bubble], turn))
                await self._said.keep(turn, _sent(ids, [bubble], replace(turn, answer=None)))
            except (TokenDead, NotSent) as problem:
                log.warning("no interim answer could be sent, the answer will be owed: %s", problem)
            except StoreUnavailable as trouble:
                log.warning("it cannot be known again what was said: %s", trouble)

    def _living_tokens(self, turn: Turn) -> list[str]:
        """Newest first. Age counts from receipt; a redelivery renews it."""
        newest_first = sorted(turn.messages, key=lambda each: each.received_at, reverse=True)
        oldest = self._now() - TOKEN_LIFE + WAY
        return [each.reply_token for each in newest_first if each.reply_token and each.received_at > oldest]

    async def _may_push(self, turn: Turn) -> bool:
        """Whether it is worth one of those that the month has left. That they are few never costs one."""
        reminder = turn.last.kind == "reminder"
        if turn.last.kind in {"quota", "disk", "news"} or not (
            self._pushes == "all" or (self._pushes == "reminders" and reminder)
        ):
            return False
        return worth_a_push(await self._channel.pushes_left(), reminder=reminder)

    async def _reply(self, turn: Turn, tokens: Sequence[str], bubbles: Sequence[Bubble], phrases: Phrases) -> None:
        """On the first token that lives. A process that died while sending goes on with the token it had tried: if that
        is used, the person has the answer."""
        tried = turn.tried_token
        said: list[Bubble] = []
        for token in sorted(tokens, key=lambda each: each != tried):
            owed = await self._inbox.sending(turn, token, partial(_at_once, own=bubbles))
            said = questions_last([*_in_front(owed, turn, phrases), *_still_true(bubbles, turn, owed)])
            said = said if owed else _quoting(said, turn)
            if not said:
                break
            ids: list[str] = []
            try:
                ids = await self._insisting(partial(self._channel.reply, token, said), sent_before=token == tried)
            except TokenDead:
                continue
            except _Used as used:
                if not self._lives(turn, token):
                    await self._owe(turn, used)
                    return
            except NotSent as problem:
                await self._owe(turn, problem)
                return
            await self._inbox.delivered(turn, _sent(ids, said, turn, owed))
            return
        if said:
            await self._inbox.owe(turn, maybe_sent=False)
        else:
            await self._inbox.delivered(turn)

    def _lives(self, turn: Turn, token: str) -> bool:
        """Whether the token is in its life for certain: a clock that was set back knows no age."""
        received = next(each.received_at for each in turn.messages if each.reply_token == token)
        return timedelta(0) <= self._now() - received < TOKEN_LIFE

    async def _push(self, turn: Turn, bubbles: Sequence[Bubble]) -> None:
        key = str(uuid5(NAMESPACE_URL, f"push:{turn.id}"))
        await self._inbox.sending(turn, None, _nothing)
        try:
            ids = await self._insisting(partial(self._channel.push, turn.chat, bubbles, key))
        except NotSent as problem:
            await self._owe(turn, problem)
        else:
            await self._inbox.delivered(turn, _sent(ids, bubbles, turn))

    async def _insisting(self, send: Callable[[], Awaitable[list[str]]], *, sent_before: bool = False) -> list[str]:
        """Send; after an unclear outcome send the same again, for neither a token nor a retry key works twice. A token
        that is dead although it was not is used: by us, if it still was in its life. Raises what a channel raises."""
        try:
            try:
                return await self._patiently(send)
            except Unsure:
                sent_before = True
                await asyncio.sleep(self._again_seconds)
                return await self._patiently(send)
        except Busy as busy:
            if sent_before:
                raise Unsure(busy.reason) from None
            raise
        except TokenDead:
            if sent_before:
                raise _Used("the token is used, or too old by now") from None
            raise

    async def _patiently(self, send: Callable[[], Awaitable[list[str]]]) -> list[str]:
        """Send; while the network takes no more, the same again after longer and longer pauses."""
        for times in BUSY_PAUSES:
            try:
                return await send()
            except Busy:
                await asyncio.sleep(times * self._again_seconds)
        return await send()

    async def _owe(self, turn: Turn, problem: NotSent) -> None:
        log.error("an answer could not be sent and waits for the next reply: %s", problem.reason)
        await self._inbox.owe(turn, maybe_sent=isinstance(problem, Unsure))


def _sent(ids: Sequence[str], said: Sequence[Bubble], turn: Turn, owed: Sequence[Owed] = ()) -> list[Sent]:
    """What each message of the network said: where they are not one for one, any of them may have said any of it."""
    if len(ids) != len(said):
        together = "\n".join(bubble.text for bubble in said)
        return [Sent(id_, together, NO_ONES if owed else turn.id) for id_ in ids]
    earlier = (owed[0].turn if len(owed) == 1 else NO_ONES) if owed else turn.id
    own = set(map(id, turn.answer or said))
    return [
        Sent(each, bubble.text, turn.id if id(bubble) in own else earlier)
        for each, bubble in zip(ids, said, strict=True)
    ]


def _quoting(said: Sequence[Bubble], turn: Turn) -> list[Bubble]:
    """Where several people talk, an answer shows what it answers."""
    quote = turn.last.quote_token if turn.last.chat_kind != "user" else None
    return [replace(each, quote=quote) if quote and place == 0 else each for place, each in enumerate(said)]


def _nothing(_: Sequence[Owed]) -> list[Owed]:
    """A push carries no old debts: they wait for a reply, which costs nothing."""
    return []


def _at_once(owed: Sequence[Owed], own: Sequence[Bubble]) -> list[Owed]:
    """The oldest that fit in front of this answer without anything being cut; where there is no answer of its own, at
    least one, so that the debt shrinks."""
    chosen: list[Owed] = []
    room = ROOM - _length(own)
    for each in owed:
        room -= _length(each.bubbles)
        if room < 0 and (chosen or own):
            break
        chosen.append(each)
    return chosen


def _length(bubbles: Sequence[Bubble]) -> int:
    """In the widest unit a network counts: UTF-16 code units."""
    return sum(len(bubble.text.encode("utf-16-le", "replace")) // 2 for bubble in bubbles)


def _still_true(bubbles: Sequence[Bubble], turn: Turn, owed: Sequence[Owed]) -> Sequence[Bubble]:
    """A tap's own words, unless they say of an answer that it is not ready, and it has become so meanwhile."""
    return () if any(turn.last.data == Tap.SHOW.on(each.turn) for each in owed) else bubbles


def _in_front(owed: Sequence[Owed], turn: Turn, phrases: Phrases) -> list[Bubble]:
    """What is owed, as one bubble, said to be late unless the person just asked for it; and what it asks."""
    if not owed:
        return []
    questions = [bubble for each in owed for bubble in each.bubbles if bubble.asks]
    told = [bubbles for each in owed if (bubbles := [bubble for bubble in each.bubbles if not bubble.asks])]
    lines = ["\n".join(bubble.text for bubble in bubbles) for bubbles in told]
    asked_for = len(owed) == 1 and turn.last.data == Tap.SHOW.on(owed[0].turn)
    if asked_for:
        return list(owed[0].bubbles)  # as it was made, with its card
    if any(each.maybe_sent for each in owed):
        lines.insert(0, phrases.maybe_sent_prefix)
    elif not all(each.turn.startswith((LATER, *NOTICES, RINGING)) for each in owed):  # those say it themselves
        lines.insert(0, phrases.owed_prefix)
    buttons = owed[-1].bubbles[-1].buttons if owed[-1].bubbles and not owed[-1].bubbles[-1].asks else ()
    shown = [Bubble("", image=bubble.image) for bubbles in told for bubble in bubbles if bubble.image]
    return [*([Bubble("\n".join(lines), buttons)] if lines else []), *shown, *questions]

"""What people send is fetched once, side by side, and what became of it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.fetching import AT_ONCE, MOST_BYTES, Fetching, NotFetched
from bot.ports import IncomingMessage, Media
from tests.fakes import ANNA, Calendar, said
from tests.shots import photo
from tests.talk import FAMILY
from tools.attachment import Failure
from tools.database import Database
from tools.record import PersonId, StoreUnavailable
from tools.sql.attachments import SqlAttachments

ME = PersonId(ANNA)


@dataclass
class Content:
    """A ContentPort: each download takes the next outcome, bytes at last."""

    outcomes: list[Failure | Exception | bytes] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def content(self, message_id: str, most: int) -> bytes:
        assert most == MOST_BYTES
        self.asked.append(message_id)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await self.gate.wait()
        self.at_once -= 1
        outcome = self.outcomes.pop(0) if self.outcomes else photo()
        if isinstance(outcome, bytes):
            return outcome
        raise outcome if isinstance(outcome, Exception) else NotFetched(outcome)


@pytest.fixture
def content() -> Content:
    each = Content()
    each.gate.set()
    return each


@pytest.fixture
def store(database: Database):
    return lambda owner: SqlAttachments(database, owner, Calendar())


@pytest.fixture
def fetching(content: Content, store) -> Fetching:
    return Fetching(content, store)


def sent(number: int = 1, kind: str = "image", **more: Any) -> IncomingMessage:
    fields: dict[str, Any] = {"kind": kind, "message_id": str(number), "text": "", "media": Media()}
    return said(number, **(fields | more))


async def test_it_is_fetched_at_once_and_found_by_whoever_needs_it(fetching, content):
    fetching.soon([sent(1), sent(2), said(3)])
    first = await fetching.of(ME, sent(1))
    assert first.attachment
    assert first.attachment.media_type == "image/jpeg"
    await fetching.of(ME, sent(2))
    await fetching.of(ME, sent(1))
    assert sorted(content.asked) == ["1", "2"], "each once, side by side"


async def test_several_are_fetched_side_by_side_but_not_too_many(fetching, content):
    content.gate.clear()
    fetching.soon([sent(number) for number in range(9)])
    await asyncio.sleep(0.2)
    assert len(content.asked) == AT_ONCE
    content.gate.set()
    await asyncio.gather(*(fetching.of(ME, sent(number)) for number in range(9)))
    assert content.most == AT_ONCE
    assert len(content.asked) == 9


@pytest.mark.parametrize("failure", ["gone", "unknown", "too large"])
async def test_what_cannot_be_had_is_not_asked_for_again(fetching, content, failure):
    content.outcomes = [failure]
    assert (await fetching.of(ME, sent())).failure == failure
    assert (await fetching.of(ME, sent())).failure == failure
    assert content.asked == ["1"]


@pytest.mark.parametrize("failure", ["unreachable", "not ready"])
async def test_what_may_pass_is_tried_again(fetching, content, failure):
    content.outcomes = [failure]
    assert (await fetching.of(ME, sent())).failure == failure
    assert (await fetching.of(ME, sent())).attachment


@pytest.mark.parametrize(
    ("media", "failure"),
    [(Media(elsewhere=True), "elsewhere"), (Media(size=MOST_BYTES + 1), "too large")],
)
async def test_what_lies_elsewhere_or_is_said_to_be_too_large_is_not_fetched(fetching, content, media, failure):
    assert (await fetching.of(ME, sent(media=media))).failure == failure
    assert content.asked == []


async def test_in_a_group_it_is_fetched_once_for_the_group(fetching, content, store):
    group = said(1, kind="image", message_id="1", chat=FAMILY, chat_kind="group")
    fetching.soon([group])
    assert (await fetching.of(PersonId(FAMILY), group)).attachment
    assert content.asked == ["1"]
    assert await store(ME).fetched("1") is None


async def test_nothing_is_nothing(fetching, content):
    content.outcomes = [b""]
    assert (await fetching.of(ME, sent(media=None))).failure == "empty"
    assert (await fetching.of(ME, sent(message_id=None))).failure == "unknown"


async def test_a_file_keeps_its_name_and_nothing_else_has_one(fetching):
    named = await fetching.of(ME, sent(1, "file", text="合約.pdf"))
    heard = await fetching.of(ME, sent(2, "audio", text="x"))
    assert [each.attachment.name for each in (named, heard) if each.attachment] == ["合約.pdf", ""]


async def test_what_nobody_may_answer_or_nobody_sent_is_left_alone(fetching, content):
    fetching.soon([sent(1, answerable=False), sent(2, person=None), sent(3, message_id=None), sent(4, "location")])
    await asyncio.sleep(0.05)
    assert content.asked == []


async def test_a_store_that_is_away_is_told_to_who_waits_and_only_logged_otherwise(content, caplog):
    class Away:
        async def fetched(self, _: str) -> None:
            raise StoreUnavailable("the disk is full")

    fetching = Fetching(content, lambda _: Away())
    fetching.soon([sent()])
    await asyncio.sleep(0.05)
    assert "could not be stored yet: the disk is full" in caplog.text
    with pytest.raises(StoreUnavailable):
        await fetching.of(ME, sent())


async def test_what_breaks_unforeseen_is_an_error_for_the_operator(fetching, content, caplog):
    content.outcomes = [RuntimeError("odd")]
    fetching.soon([sent()])
    await asyncio.sleep(0.05)
    assert [each.levelname for each in caplog.records] == ["ERROR"]


async def test_at_the_end_what_is_under_way_is_left(fetching, content):
    content.gate.clear()
    fetching.soon([sent()])
    waiting = asyncio.create_task(fetching.of(ME, sent()))
    await asyncio.sleep(0.05)
    await fetching.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await fetching.close()


async def test_who_stops_waiting_does_not_stop_the_fetching(fetching, content):
    content.gate.clear()
    waiting = asyncio.create_task(fetching.of(ME, sent()))
    await asyncio.sleep(0.05)
    waiting.cancel()
    content.gate.set()
    assert (await fetching.of(ME, sent())).attachment
    assert content.asked == ["1"]

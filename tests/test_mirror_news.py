"""What is said of what was done in Notion: once, with the next free reply, in the person's language."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.mirror_news import MirrorNews
from bot.ports import LaneId, Tap
from bot.voice.mirror_words import mirror_text
from tests.fakes import ANNA, BEN, CountingMirror
from tests.talk import Talk
from tools.record import MirrorState, News, PersonId

GROUP = PersonId("C" + "1" * 32)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=ZoneInfo("Asia/Taipei"))


def news(number: int = 1, owner: PersonId = ANNA, **more: object) -> News:
    about = {"turn": "notion:p:1", "ref": 12, "content": "買牛奶", "kept": {"status": "doing"}} | more
    return News(id=f"change{number}", owner=owner, at=datetime(2026, 11, 30, 4, tzinfo=UTC), **about)  # type: ignore[arg-type]


class Telling(CountingMirror):
    """A mirror that has news, until they are told."""

    def __init__(self, *found: News) -> None:
        super().__init__(MirrorState(0))
        self.found = list(found)

    async def news(self) -> Sequence[News]:
        return list(self.found)

    async def told(self, ids: Sequence[str]) -> None:
        self.found = [each for each in self.found if each.id not in ids]


async def anna() -> PersonId | None:
    return ANNA


async def test_what_was_changed_on_both_sides_is_said_with_the_next_reply_and_never_again(database):
    talk = Talk(database)
    mirror = Telling(news(kept={"status": "doing", "when": "2026-12-01T07:00:00+00:00", "tags": ""}))
    telling = MirrorNews(mirror, anna, talk.inbox)
    assert await telling.hand_over(talk.clock()) == [LaneId(ANNA)]
    assert mirror.found == []
    await talk.use_case.run(await talk.takes(LaneId(ANNA)))
    assert talk.channel.said == [], "it costs no push"
    first, *_ = await talk.says("午餐 120")
    assert "#12 買牛奶：Notion 裡也改了狀態「進行中」、時間「12/1（二）15:00」、標籤（空白）。" in first
    mirror.found = [news()]  # the process died before it knew that it had told
    assert await telling.hand_over(talk.clock()) == []
    assert not any("Notion 裡也改了" in text for text in await talk.says("晚餐 130"))


async def test_of_a_shared_list_the_owner_hears_by_its_name_and_a_member_of_their_own(database):
    talk = Talk(database)
    found = [news(1, GROUP, where="我們家"), news(2, BEN)]
    assert await MirrorNews(Telling(*found), anna, talk.inbox).hand_over(talk.clock()) == [LaneId(ANNA), LaneId(BEN)]
    turn = await talk.takes(LaneId(ANNA))
    assert '"where": "我們家"' in turn.last.data


async def test_what_was_thrown_away_can_be_taken_back_with_a_tap(database):
    talk = Talk(database)
    await MirrorNews(Telling(news(kept={}, trashed=True)), anna, talk.inbox).hand_over(talk.clock())
    await talk.use_case.run(await talk.takes(LaneId(ANNA)))
    (owed,) = await talk.inbox.owed(ANNA)
    (bubble,) = owed.bubbles
    assert [button.data for button in bubble.buttons] == [Tap.UNDO.on("notion:p:1")]


async def test_before_there_is_an_owner_nothing_is_told_and_nothing_is_lost(database):
    async def nobody() -> PersonId | None:
        return None

    talk, mirror = Talk(database), Telling(news())
    assert await MirrorNews(mirror, nobody, talk.inbox).hand_over(talk.clock()) == []
    assert len(mirror.found) == 1


@pytest.mark.parametrize("language", ["zh-TW", "ja", "th", "en"])
def test_in_every_language_the_record_and_the_other_value_are_named(language):
    both = news(where="家", kept={"type": "expense", "amount": "120", "remind_at": "2026-12-01"})
    told = mirror_text(both, NOW, language)
    assert "家 #12 買牛奶" in told
    assert "120" in told
    assert "expense" not in told or language == "en"
    gone = mirror_text(news(trashed=True), NOW, language)
    assert "#12 買牛奶" in gone
    assert gone != told
    assert not any(word in f"{told}{gone}" for word in ("sync", "token", "conflict"))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh-TW", "#12 買牛奶：Notion 裡的幣別「ZZZ」、金額（空白）我用不了，原樣留在那裡，這裡沒有改。"),
        (
            "ja",
            "#12 買牛奶：Notionの通貨「ZZZ」、金額（空）は使えない値でした。あちらはそのまま、こちらは変えていません。",
        ),
        ("th", "#12 買牛奶: ใน Notion สกุลเงิน “ZZZ” จำนวนเงิน (ว่าง) ใช้ไม่ได้ จึงปล่อยไว้อย่างนั้น ที่นี่ไม่ได้เปลี่ยน"),
        (
            "en",
            (
                "#12 買牛奶: in Notion the currency “ZZZ”, the amount (empty) cannot be used. "
                "It stays there as it is, and nothing changed here."
            ),
        ),
    ],
)
def test_what_stands_there_and_cannot_be_used_is_said_as_it_is_seen(language, expected):
    told = news(kept={}, unfit={"currency": "ZZZ", "amount": ""})
    assert mirror_text(told, NOW, language) == expected


def test_that_notion_takes_no_new_pages_is_said_in_every_language():
    told = news(kept={}, full=True)
    said = {mirror_text(told, NOW, language) for language in ("zh-TW", "ja", "th", "en")}
    assert len(said) == 4
    assert all("Notion" in each and "買牛奶" not in each for each in said)

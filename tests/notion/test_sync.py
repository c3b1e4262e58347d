"""Records on their way to Notion, over real HTTP and a real store."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import update

from tests.emulators.notion_shelves import BOT
from tests.notion.house import MEMBER, OWNER, SOON, START, TAIPEI
from tools.notion.ledger import NOTION_PAGE
from tools.notion.pieces import plain_text
from tools.notion.setup import set_up
from tools.notion.show import Show
from tools.notion.sync import NotionSync
from tools.notion.to_markdown import markdown
from tools.record import Mirrored, MirrorState, Note, PersonId


async def test_what_was_recorded_stands_in_notion(house):
    await house.add(
        "跟陳醫師回診",
        type="event",
        when=START + timedelta(days=1, hours=3),
        until=START + timedelta(days=1, hours=4),
        remind_at=START + timedelta(days=1, hours=2),
        tags=("健康",),
    )
    await house.add(
        "午餐", type="expense", amount=Decimal(120), currency="TWD", category="飲食", when=date(2026, 11, 30)
    )
    state = await house.sync(show=Show("zh-TW", TAIPEI)).push(OWNER, SOON)
    assert state.waiting == 0
    event, lunch = (row["properties"] for row in sorted(house.rows(), key=lambda row: row["_order"]))
    assert event["When"]["date"] == {
        "start": "2026-12-01T15:00:00.000+08:00", "end": "2026-12-01T16:00:00.000+08:00", "time_zone": None,
    }  # fmt: skip
    assert event["Remind"]["date"]["start"] == "2026-12-01T14:00:00.000+08:00"
    assert event["Type"]["select"]["name"] == "event", "the table was made with English options"
    assert [tag["name"] for tag in event["Tags"]["multi_select"]] == ["健康"]
    assert (lunch["Amount"]["number"], lunch["Currency"]["select"]["name"]) == (120, "TWD")
    assert lunch["Category"]["select"]["name"] == "飲食"
    assert lunch["When"]["date"]["start"] == "2026-11-30"
    assert (event["Ref"]["number"], lunch["Ref"]["number"]) == (1, 2)


async def test_the_link_is_given_once_at_the_first_success_ever(house):
    sync = house.sync()
    assert (await sync.push(OWNER, SOON)).link is None
    await house.add()
    assert (await sync.push(OWNER, SOON)).link == house.notion.sources[house.source]["url"]
    await house.add()
    assert (await sync.push(OWNER, SOON)).link is None
    await house.add()
    assert (await house.sync().push(OWNER, SOON)).link is None


async def test_the_page_of_a_record_is_known_once_it_stands_there_and_not_when_it_is_gone(house):
    sync = house.sync()
    there, gone = await house.add("買牛奶"), await house.add("買蛋")
    records = [record.id for ref in (there, gone) if (record := await house.memory().get(ref))]
    assert await sync.pages(records) == {}
    await sync.push(OWNER, SOON)
    pages = await sync.pages(records)
    assert list(pages) == records
    assert all(address.startswith("https://") for address in pages.values())
    await house.remove(gone)
    await sync.push(OWNER, SOON)

    assert await sync.pages(records) == {records[0]: pages[records[0]]}
    assert await sync.pages([]) == {}


async def test_pages_that_cannot_be_told_are_no_trouble_for_whoever_asks(house, caplog):
    sync = house.sync()
    await house.database.close()

    assert await sync.pages(["x"]) == {}
    assert "the pages of records cannot be told" in caplog.text


async def test_clock_times_are_shown_in_the_zone_that_the_owner_counts_in_by_then(house):
    zones = [TAIPEI, ZoneInfo("Asia/Tokyo")]

    async def owners() -> list[Mirrored]:
        return [Mirrored(OWNER, zones[0])]

    sync = NotionSync(house.database, house.client, house.source, owners, now=house.now)
    house.made.append(sync)
    for hour in ("12:00:00.000+08:00", "13:00:00.000+09:00"):
        ref = await house.add(hour, type="event", when=START)
        await sync.push(OWNER, SOON)
        (row,) = (row for row in house.rows() if row["properties"]["Ref"]["number"] == ref)
        assert row["properties"]["When"]["date"]["start"] == f"2026-11-30T{hour}"
        zones.pop(0)


async def test_what_did_not_change_is_not_sent_again(house):
    await house.add()
    await house.sync().push(OWNER, SOON)
    house.notion.requests.clear()
    await house.sync().push(OWNER, SOON)
    assert house.notion.asked("POST|PATCH|DELETE") == []


async def test_another_person_s_records_never_leave(house):
    await house.add(owner=MEMBER)
    assert await house.sync().push(MEMBER, SOON) == MirrorState(0)
    await house.sync().push(OWNER, SOON)
    assert house.rows() == []


GROUP = PersonId("C" + "1" * 32)


async def test_a_groups_records_stand_there_with_who_wrote_and_who_paid(house):
    names = {OWNER: "安娜", MEMBER: "小本"}
    house.owners.append(Mirrored(GROUP, TAIPEI, names, "我們家"))
    lunch = {"type": "expense", "amount": Decimal(360), "currency": "TWD"}
    await house.add("午餐", owner=GROUP, author=OWNER, payer=MEMBER, **lunch)
    await house.add("晚餐", owner=GROUP, author=MEMBER, **lunch)
    await house.add("牛奶", owner=GROUP, author=PersonId("Ugone"))
    await house.add("回診")

    state = await house.sync().push(GROUP, SOON)

    assert (state.waiting, state.link) == (0, None), "the link is the owner's to be told"
    told = {
        plain_text(row["properties"]["Title"]["title"]): [
            plain_text(row["properties"][column]["rich_text"]) for column in ("Source", "Paid by")
        ]
        for row in house.rows()
    }
    assert told == {
        "午餐": ["安娜 · 我們家", "小本"],
        "晚餐": ["小本 · 我們家", "小本"],
        "牛奶": ["我們家", ""],
        "回診": ["", ""],
    }


async def test_a_members_records_come_when_they_say_so_and_go_when_they_take_it_back(house):
    await house.add("日記", owner=MEMBER)
    sync = house.sync()
    house.owners.append(Mirrored(MEMBER, TAIPEI, {MEMBER: "小本"}))
    await sync.push(MEMBER, SOON)
    assert house.titles() == ["日記"]

    house.owners[1] = Mirrored(MEMBER, TAIPEI, withdrawn=True)
    await house.add("回診")
    assert await sync.push(MEMBER, SOON) == MirrorState(0)
    await sync.push(OWNER, SOON)
    assert house.titles() == ["回診"]
    await sync.push(OWNER, SOON)

    house.owners[1] = Mirrored(MEMBER, TAIPEI, {MEMBER: "小本"})
    assert (await sync.push(MEMBER, SOON)).waiting == 0
    assert sorted(house.titles()) == ["回診", "日記"]
    assert len(house.rows(trashed=None)) == 2, "the same page, out of the trash again"


async def test_what_somebody_threw_away_in_notion_is_withdrawn_all_the_same(house):
    house.owners.append(Mirrored(MEMBER, TAIPEI))
    await house.add("日記", owner=MEMBER)
    sync = house.sync()
    await sync.push(MEMBER, SOON)
    (row,) = house.rows()
    await house.client.update_page(row["id"], {"in_trash": True})

    house.owners[1] = Mirrored(MEMBER, TAIPEI, withdrawn=True)
    await house.add("回診")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["回診"]


async def test_a_change_amends_the_page_in_place(house):
    ref = await house.add("買牛奶", tags=("a",), when=date(2026, 12, 1))
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (before,) = house.rows()
    await house.revise(ref, content="買豆漿", tags=(), when=None, status="done")
    await sync.push(OWNER, SOON)
    (after,) = house.rows()
    assert after["id"] == before["id"]
    assert house.titles() == ["買豆漿"]
    assert (after["properties"]["Tags"]["multi_select"], after["properties"]["When"]["date"]) == ([], None)
    assert after["properties"]["Status"]["select"]["name"] == "done"


async def test_what_the_person_changed_in_notion_stays_unless_the_chat_changes_the_same(house):
    ref = await house.add("買牛奶", status="open")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    house.notion.update_page(row["id"], {"properties": {"Status": {"select": {"name": "doing"}}}})
    house.notion.update_page(row["id"], {"properties": {"Paid by": {"rich_text": [{"text": {"content": "me"}}]}}})
    await house.revise(ref, content="買豆漿")
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    assert house.titles() == ["買豆漿"]
    assert row["properties"]["Status"]["select"]["name"] == "doing"
    assert row["properties"]["Paid by"]["rich_text"][0]["plain_text"] == "me"
    await house.revise(ref, status="done")
    await sync.push(OWNER, SOON)
    assert house.rows()[0]["properties"]["Status"]["select"]["name"] == "done"


async def test_a_secret_in_a_record_does_not_leave_the_house(house):
    await house.add("密碼 hunter2", tags=("hunter2",), notes=(Note(START, "hunter2"),))
    await house.sync(show=Show(redact=lambda text: text.replace("hunter2", "•••"))).push(OWNER, SOON)
    assert len(house.rows()) == 1
    assert "hunter2" not in repr(house.notion.requests) + repr(house.notion.pages)


async def test_a_pass_that_takes_longer_than_its_lease_stays_the_only_one(house, clock):
    await house.add()
    one, other = (house.sync(process=name, lease=timedelta(seconds=0.2)) for name in ("one", "other"))
    house.notion.fail("slow", "POST /v1/pages", seconds=0.6, saved=True)
    pushing = asyncio.create_task(one.push(OWNER, SOON))
    for _ in range(5):  # the lease's time passes more than once, a little later each time it is renewed
        await asyncio.sleep(0.1)
        clock.seconds += 0.1
    await other.push(OWNER, 0.2)
    assert (await pushing).waiting == 0
    assert [each.status for each in house.notion.asked("POST /v1/pages$")] == [200]


async def test_of_two_processes_one_pushes_at_a_time(house):
    for number in range(8):
        await house.add(str(number))
    one, other = house.sync(process="one"), house.sync(process="other")
    await asyncio.gather(one.push(OWNER, SOON), other.push(OWNER, SOON))
    assert len(house.rows(trashed=None)) == 8
    await house.add("8")
    house.clock.seconds += 6
    assert (await other.push(OWNER, SOON)).waiting == 0
    assert len(house.rows(trashed=None)) == 9


async def test_many_records_arrive_in_the_order_they_changed(house):
    for number in range(45):
        await house.add(f"{number}")
    assert (await house.sync().push(OWNER, SOON)).waiting == 0
    assert house.titles() == [str(number) for number in range(45)]


async def test_a_deleted_record_goes_to_the_trash_and_comes_back_when_that_is_undone(house):
    ref = await house.add()
    sync = house.sync()
    await sync.push(OWNER, SOON)
    await house.remove(ref)
    await sync.push(OWNER, SOON)
    assert (len(house.rows()), len(house.rows(trashed=True))) == (0, 1)
    await house.undo()
    await sync.push(OWNER, SOON)
    assert (len(house.rows()), len(house.rows(trashed=True))) == (1, 0)


async def test_what_was_deleted_before_it_was_sent_never_gets_a_page(house):
    ref = await house.add()
    await house.remove(ref)
    sync = house.sync()
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.rows(trashed=None) == []
    await house.undo()
    await sync.push(OWNER, SOON)
    assert house.titles() == ["買牛奶"]


async def test_long_content_and_notes_stand_in_the_page_and_what_people_wrote_there_stays(house):
    ref = await house.add("一行\n兩行", notes=(Note(START, "先問價錢"),))
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    assert house.notion.texts(row["id"]) == ["一行\n兩行", "2026-11-30 12:00 先問價錢"]
    mine = {"object": "block", "type": "paragraph", "paragraph": {"rich_text": [{"text": {"content": "我自己寫的"}}]}}
    house.notion.append(row["id"], {"children": [mine]})
    await house.revise(ref, content="一行\n三行", notes=(Note(START, "先問價錢"), Note(START, "太貴")))
    await sync.push(OWNER, SOON)
    assert sorted(house.notion.texts(row["id"])) == sorted(
        ["一行\n三行", "2026-11-30 12:00 先問價錢", "我自己寫的", "2026-11-30 12:00 太貴"]
    )


async def test_markdown_stands_in_the_page_as_it_is_meant_and_only_what_changed_in_it_is_written_again(house):
    trip = "東京\n\n## 行前\n\n- 機票\n  - [x] 去程\n- 旅館\n\n> 帶**護照**\n\n```\nx = 1\n```"
    ref = await house.add(trip)
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    assert house.titles() == ["東京"]
    before = await house.client.tree(row["id"])
    assert "東京\n\n" + markdown(before) == trip
    house.notion.write_below(row["id"], "我自己寫的")
    await house.revise(ref, content=trip.replace("[x]", "[ ]").replace("護照", "簽證"))
    house.notion.requests.clear()
    await sync.push(OWNER, SOON)
    after = await house.client.tree(row["id"])
    assert "東京\n\n" + markdown(after) == trip.replace("[x]", "[ ]").replace("護照", "簽證") + "\n\n我自己寫的"
    assert len(house.notion.asked("DELETE")) == 2
    assert len({each["id"] for each in before} & {each["id"] for each in after}) == len(before) - 2


async def test_a_page_that_was_written_when_all_was_plain_is_written_anew_once(house):
    ref = await house.add("一行\n- 兩行")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    for each in house.notion.blocks[row["id"]]:
        each["in_trash"] = True
    with house.notion.by_a_person(BOT):
        plain = {"paragraph": {"rich_text": [{"text": {"content": "一行\n- 兩行"}}]}}
        house.notion.append(row["id"], {"children": [plain]})
    await house.database.write(lambda c: c.execute(update(NOTION_PAGE).values(body='["一行\\n- 兩行"]')))
    await house.revise(ref, content="一行\n- 三行")
    await sync.push(OWNER, SOON)
    assert markdown(await house.client.tree(row["id"])) == "一行\n\n- 三行"


async def test_more_notes_than_one_request_takes_all_arrive(house):
    await house.add(notes=tuple(Note(START, f"note {number}") for number in range(230)))
    await house.sync().push(OWNER, SOON)
    (row,) = house.rows()
    assert [text.split(" ", 2)[2] for text in house.notion.texts(row["id"])] == [f"note {n}" for n in range(230)]


async def test_a_workspace_that_takes_no_new_blocks_holds_up_no_change_and_is_told_once(house, caplog):
    old = await house.add("舊的")
    sync = house.sync()
    await sync.push(OWNER, SOON)
    house.notion.blocks_left = 0
    for number in range(3):
        await house.add(f"新的 {number}")
    await house.revise(old, content="改過的")
    assert (await sync.push(OWNER, SOON)).waiting == 3
    assert house.titles() == ["改過的"]
    (told,) = await sync.news()
    assert (told.full, told.owner) == (True, OWNER)
    assert caplog.text.count("takes no new blocks") == 1
    house.notion.blocks_left = None
    house.clock.seconds += 400
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert len(house.titles()) == 4


async def test_two_pushes_at_once_make_no_copy(house):
    for number in range(5):
        await house.add(str(number))
    sync = house.sync()
    states = await asyncio.gather(*(sync.push(OWNER, SOON) for _ in range(4)))
    assert [state.waiting for state in states] == [0] * 4
    assert sum(state.link is not None for state in states) == 1
    assert len(house.rows(trashed=None)) == 5


async def test_a_notion_that_is_down_only_means_that_more_waits(house):
    house.notion.fail("502", times=999)
    sync = house.sync()
    await house.add()
    assert await sync.push(OWNER, SOON) == MirrorState(1)
    asked = len(house.notion.requests)
    await house.add()
    assert await sync.push(OWNER, SOON) == MirrorState(2)
    assert len(house.notion.requests) == asked
    house.notion.faults.clear()
    house.clock.seconds += 3
    assert (await sync.push(OWNER, SOON)).waiting == 0


async def test_a_long_pause_that_notion_asks_for_is_kept(house):
    house.notion.fail("429", "POST /v1/pages", retry_after=90)
    sync = house.sync()
    await house.add()
    assert (await sync.push(OWNER, SOON)).waiting == 1
    house.clock.seconds += 60
    assert (await sync.push(OWNER, SOON)).waiting == 1
    house.clock.seconds += 31
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert len(house.notion.asked("POST /v1/pages")) == 2


@pytest.mark.parametrize("kind", ["401", "403"])
async def test_a_token_that_is_refused_stops_everything_until_later(house, kind, caplog):
    house.notion.fail(kind, times=1)
    sync = house.sync()
    await house.add()
    assert (await sync.push(OWNER, SOON)).waiting == 1
    assert len(house.notion.requests) == 1
    assert "app.notion.com/developers/connections" in caplog.text
    house.clock.seconds += 301
    assert (await sync.push(OWNER, SOON)).waiting == 0


async def test_a_page_that_the_person_trashed_is_not_brought_back_and_holds_up_nothing(house):
    ref = await house.add()
    sync = house.sync()
    await sync.push(OWNER, SOON)
    (row,) = house.rows()
    house.notion.trash(row["id"])
    await house.revise(ref, status="done")
    await house.add("next")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["next"]
    assert await house.memory().get(ref) is None, "thrown away there it is thrown away here"


async def test_a_table_in_the_trash_is_waited_for_and_no_page_is_given_up(house, caplog):
    ref = await house.add()
    sync = house.sync()
    await sync.push(OWNER, SOON)
    database = house.notion.sources[house.source]["parent"]["database_id"]
    house.notion.update_database(database, {"in_trash": True})
    await house.revise(ref, content="買豆漿")
    await house.add("next")
    assert (await sync.push(OWNER, SOON)).waiting == 2
    assert "in Notion's trash" in caplog.text
    house.notion.update_database(database, {"in_trash": False})
    house.clock.seconds += 301
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["買豆漿", "next"]


async def test_a_page_that_was_removed_for_good_holds_up_nothing(house):
    ref = await house.add()
    sync = house.sync()
    await sync.push(OWNER, SOON)
    house.notion.pages.clear()
    await house.revise(ref, status="done")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.rows(trashed=None) == []


async def test_a_renamed_column_is_still_written(house):
    ref = await house.add()
    sync = house.sync()
    await sync.push(OWNER, SOON)
    house.notion.rename_column(house.source, "Status", "狀態")
    await house.revise(ref, status="done")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.rows()[0]["properties"]["狀態"]["select"]["name"] == "done"


async def test_a_retyped_or_deleted_column_is_left_out_from_then_on(house):
    sync = house.sync()
    await house.add()
    await sync.push(OWNER, SOON)
    house.notion.update_source(house.source, {"properties": {"Amount": {"rich_text": {}}, "Category": None}})
    await house.add("午餐", type="expense", amount=Decimal(120), currency="TWD", category="飲食")
    assert (await sync.push(OWNER, SOON)).waiting == 0
    assert house.titles() == ["買牛奶", "午餐"]


async def test_a_record_that_notion_refuses_waits_alone_and_ever_longer(house):
    house.notion.fail("400", "POST /v1/pages", times=2)
    sync = house.sync()
    await house.add("refused")
    await house.add("next")
    house.notion.faults[0].times = 1
    assert (await sync.push(OWNER, SOON)).waiting == 1
    assert house.titles() == ["next"]
    asked = len(house.notion.asked("POST /v1/pages"))
    assert (await sync.push(OWNER, SOON)).waiting == 1
    assert len(house.notion.asked("POST /v1/pages")) == asked
    house.clock.seconds += 61
    assert (await sync.push(OWNER, SOON)).waiting == 0


async def test_another_data_source_gets_everything_anew(house):
    await house.add()
    await house.sync().push(OWNER, SOON)
    other = (await set_up(house.client, house.notion.page("Other"), None))[-1].removeprefix("NOTION_DATA_SOURCE_ID=")
    state = await house.sync(given=other).push(OWNER, SOON)
    assert (state.waiting, state.link) == (0, house.notion.sources[other]["url"])
    assert len(house.notion.rows(other)) == 1


async def test_a_database_link_will_do_for_the_data_source(house):
    await house.add()
    link = house.notion.sources[house.source]["url"] + "?v=38c9ce7b60a48162b68adc4b57564454"
    assert (await house.sync(given=link).push(OWNER, SOON)).waiting == 0


async def test_a_table_without_a_key_column_is_not_written_to(house, caplog):
    house.notion.update_source(house.source, {"properties": {"Key": None}})
    await house.add()
    assert (await house.sync().push(OWNER, SOON)).waiting == 1
    assert house.rows(trashed=None) == []
    assert "setup" in caplog.text


async def test_what_notion_left_out_is_said(house, caplog):
    await house.add(when=date(2026, 12, 1))
    house.notion.forgetful = "When"
    await house.sync().push(OWNER, SOON)
    assert "Notion left When empty" in caplog.text


@pytest.mark.parametrize("steps", range(4))
async def test_a_mirror_that_is_stopped_in_the_moment_in_which_it_is_woken_stops(house, steps: int):
    sync = house.sync()
    pushing = asyncio.create_task(sync.keep_pushing())
    async with asyncio.timeout(5):
        while not sync._pass or not sync._pass.done():  # noqa: ASYNC110 - the end of a pass has no event
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.05)
    sync._wake.set()
    for _ in range(steps):
        await asyncio.sleep(0)
    pushing.cancel()

    await asyncio.wait({pushing}, timeout=2)
    assert pushing.cancelled()


async def test_what_waits_goes_out_by_itself_once_notion_is_back(house):
    house.notion.fail("502", "GET", times=3)
    await house.add()
    sync = house.sync(now=lambda: datetime.now(UTC), first_rest=0.05)
    pushing = asyncio.create_task(sync.keep_pushing())
    async with asyncio.timeout(5):
        while not house.rows():  # noqa: ASYNC110 - a page that appears has no event
            await asyncio.sleep(0.02)
    await house.add("next")
    await sync.push(OWNER, 0)
    async with asyncio.timeout(5):
        while len(house.rows()) < 2:  # noqa: ASYNC110 - a page that appears has no event
            await asyncio.sleep(0.02)
    pushing.cancel()
    with suppress(asyncio.CancelledError):
        await pushing
    assert pushing.cancelled()

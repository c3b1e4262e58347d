"""What is kept of somebody's categories, on both stores: an edit is done, and taken back, as a whole and once."""

from __future__ import annotations

from tests.talk import Talk
from tests.test_categories import CHINESE, categories_of, spent
from tools.categories import Categories, CategoryEdit
from tools.record import CallKey, RecordQuery
from tools.sql.categories import taste_of_json, taste_to_json


async def test_an_edit_that_is_repeated_in_its_turn_is_done_once(database):
    talk = Talk(database)
    await spent(talk, ("午餐", "飲食"))
    kept, edit = talk.list_of(), CategoryEdit(kind="rename", old="飲食", new="吃飯")

    first = await kept.edit("turn", edit, CHINESE.renamed("飲食", "吃飯").taste)
    await talk.memory().revise(1, {"category": "飲食"}, CallKey("since", 1), lambda _: {})
    again = await kept.edit("turn", edit, CHINESE.renamed("飲食", "吃飯").taste)

    assert first == again == CategoryEdit(kind="rename", old="飲食", new="吃飯", moved=1)
    assert await categories_of(talk) == ["飲食"]


async def test_an_undo_that_is_repeated_in_its_turn_is_done_once(database):
    talk = Talk(database)
    await talk.says("新增類別 寵物")
    await talk.says("新增類別 植物")
    kept = talk.list_of()

    assert await kept.undo("turn") == await kept.undo("turn") == CategoryEdit(kind="add", old="", new="植物")
    assert (await kept.of(CHINESE.standard)).names[-1] == "寵物"


async def test_after_thirty_days_it_stays(database):
    talk = Talk(database)
    await talk.says("新增類別 寵物")
    talk.clock.move(days=31)

    assert await talk.list_of().undo("turn") is None


async def test_the_records_that_move_are_found_and_counted_under_the_new_name(database):
    talk = Talk(database)
    await spent(talk, ("午餐", "飲食"))
    await talk.says("飲食改叫吃飯")

    assert (await talk.memory().query(RecordQuery(keyword="吃飯"))).matched == 1
    assert (await talk.memory().query(RecordQuery(category="吃飯"))).matched == 1
    assert (await talk.memory().query(RecordQuery(keyword="飲食"))).matched == 0


def test_a_taste_comes_back_from_the_store_as_it_was():
    now = (
        CHINESE.renamed("飲食", "吃飯")
        .merged("教育", "其他")
        .added("寵物")
        .taught("貓", "寵物", 3)
        .taught("狗", "寵物")
    )
    assert taste_of_json(taste_to_json(now.taste)) == now.taste
    assert Categories(CHINESE.standard, now.taste).names == now.names

"""The columns, and how they are found again after people have touched them."""

from __future__ import annotations

from typing import Any

import pytest

from tools.notion.names import COLUMN_NAMES
from tools.notion.schema import COLUMNS, bind, database_body, option_names, property_config


def columns(**changed: dict[str, Any] | None) -> dict[str, Any]:
    """The columns as Notion answers with them, with some replaced (by our name for them) or, if None, absent."""
    answered: dict[str, Any] = {}
    for column in COLUMNS:
        plain = {"id": f"id-{column.field}", "name": column.name, **property_config(column)}
        change = changed.get(column.field, {})
        if change is not None:
            merged = plain | change
            answered[merged["name"]] = merged
    return answered


def test_a_fresh_table_is_bound_without_differences():
    binding = bind(columns())
    assert binding.differences == ()
    assert binding.ids["when"] == "id-when"
    assert binding.options["status"] == {"open", "doing", "done", "cancelled"}


def test_a_renamed_column_is_found_by_its_marker():
    binding = bind(columns(when={"name": "什麼時候"}))
    assert (binding.ids["when"], binding.names["when"], binding.differences) == ("id-when", "什麼時候", ())


def test_a_column_without_marker_is_found_by_its_name():
    assert bind(columns(amount={"description": None, "name": "amount "})).ids["amount"] == "id-amount"


def test_two_swapped_names_do_not_deceive_the_markers():
    binding = bind(columns(when={"name": "Remind"}, remind={"name": "When"}))
    assert (binding.ids["when"], binding.ids["remind"]) == ("id-when", "id-remind")


def test_the_title_is_found_by_its_type():
    assert bind(columns(title={"description": None, "name": "名稱"})).ids["title"] == "id-title"


def test_a_missing_column_can_be_added_and_a_retyped_one_cannot():
    binding = bind(columns(tags=None, category={"type": "rich_text", "rich_text": {}}))
    assert [column.field for column in binding.missing] == ["tags"]
    assert sorted(map(str, binding.differences)) == [
        'column "Category" is rich_text in Notion, select is needed',
        'column "Tags" (multi_select) is missing',
    ]
    assert "category" not in binding.ids
    assert binding.usable


def test_without_a_key_no_page_can_be_written():
    assert not bind(columns(key=None)).usable


@pytest.mark.parametrize("name", ["Title", "標題", "タイトル", "ชื่อ"])
def test_a_text_column_that_is_called_as_our_title_is_not_taken_for_the_title(name):
    theirs = {name: {"id": "a", "name": name, "type": "rich_text", "rich_text": {}},
              "Name": {"id": "title", "name": "Name", "type": "title", "title": {}}}  # fmt: skip
    binding = bind(theirs)
    assert (binding.ids["title"], binding.names["title"]) == ("title", "Name")
    assert not any(each.column.field == "title" for each in binding.differences)
    assert "a" not in binding.ids.values()


def test_columns_are_created_inside_the_initial_data_source():
    body = database_body("page", "ja")
    assert body.keys() == {"parent", "title", "description", "initial_data_source"}
    assert list(body["initial_data_source"]["properties"]) == list(COLUMN_NAMES["ja"].values())
    options = body["initial_data_source"]["properties"]["種類"]["select"]["options"]
    assert [each["name"] for each in options] == ["タスク", "予定", "支出", "収入", "メモ", "アイデア"]


def test_no_two_options_of_a_column_share_a_name_in_any_language():
    for language in ("en", "zh-TW", "ja", "th", "auto"):
        names = option_names(language)
        for codes in (("task", "event", "expense", "income", "note", "idea"), ("open", "doing", "done", "cancelled")):
            assert len({names[code] for code in codes}) == len(codes)

"""The views of the table: what is on today, a calendar, money month by month, and all of it without technical columns.

Made once: a view that a person renames, changes or deletes stays so. Where Notion refuses, a person is told how to make
them by hand. https://developers.notion.com/guides/data-apis/working-with-views. Must not know records, or the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.notion.client import Json, NotionClient
from tools.notion.names import VIEW_NAMES, of
from tools.notion.schema import TECHNICAL, Binding
from tools.notion.table import Table
from tools.notion.trouble import NotionRefused, NotionUnsure

DEFAULT = frozenset({"Default view", "Table", "Table view", ""})
"""What Notion calls the view that comes with a new database, before anybody has touched it."""

BY_HAND = "in Notion, + beside the tabs of the table: a Table filtered to today, a Calendar, a Table grouped by month"


async def make_views(
    client: NotionClient, table: Table, binding: Binding, language: str
) -> tuple[Mapping[str, str], list[str]]:
    """Make what was never made; the ids of the views, and what was done, in lines. Raises NotionDown."""
    views = dict(table.views)
    names = of(VIEW_NAMES, language)
    wanted = {code: body for code, body in _bodies(binding, language).items() if code not in views}
    if not wanted and "all" in views:
        return views, []
    lines: list[str] = []
    try:
        there = [await client.view(each["id"]) for each in await client.views(table.database)]
        named = {each.get("name"): each["id"] for each in there if each.get("data_source_id") == table.source}
        if table.parent and "all" not in views:
            views["all"] = await _tidy(client, there, binding, names["all"])
        views.setdefault("all", "")
        for code, body in wanted.items():
            if (id_ := named.get(names[code])) is None:
                made = await client.create_view(
                    {"database_id": table.database, "data_source_id": table.source, "name": names[code], **body}
                )
                id_ = made["id"]
                lines.append(f'made the view "{names[code]}"')
            views[code] = id_
    except NotionUnsure as unsure:
        lines.append(f"a view may have been made, or not ({unsure.reason}): run setup again")
    except NotionRefused as refusal:
        lines.append(f"Notion makes no views here ({refusal.reason}); make them by hand: {BY_HAND}")
    return views, lines


async def _tidy(client: NotionClient, there: list[Json], binding: Binding, name: str) -> str:
    """Hide technical columns in the view that came with the database; nothing is touched that a person named."""
    for view in there:
        if view.get("type") == "table" and view.get("name") in DEFAULT:
            await client.update_view(view["id"], {"name": name, "configuration": _table(binding)})
            return str(view["id"])
    return ""


def _table(binding: Binding, **more: Json) -> Json:
    shown = [{"property_id": id_, "visible": name not in TECHNICAL} for name, id_ in binding.ids.items()]
    return {"type": "table", "properties": shown, **more}


def _bodies(binding: Binding, language: str) -> dict[str, Json]:
    """What makes each view, as far as its columns are there."""
    made = {code: body(binding, language) for code, body in _VIEWS.items()}
    return {code: body for code, body in made.items() if body}


def _today(binding: Binding, language: str) -> Json:
    when, status = binding.ids.get("when"), binding.ids.get("status")
    if when is None:
        return {}
    # "today" is the day of whoever looks, and moves with it.
    conditions: list[Json] = [{"property": when, "date": {"equals": "today"}}]
    if status is not None:
        names = binding.option_names(language)
        over = [{"property": status, "select": {"does_not_equal": names[code]}} for code in ("done", "cancelled")]
        conditions.extend(over)
    sorts = [{"property": when, "direction": "ascending"}]
    return {"type": "table", "filter": {"and": conditions}, "sorts": sorts, "configuration": _table(binding)}


def _calendar(binding: Binding, _: str) -> Json:
    if "when" not in binding.ids:
        return {}
    return {"type": "calendar", "configuration": {"type": "calendar", "date_property_id": binding.ids["when"]}}


def _money(binding: Binding, language: str) -> Json:
    """Notion's filters know no "this month", so that the months stand below each other, the present one first."""
    when, kind, amount = (binding.ids.get(each) for each in ("when", "type", "amount"))
    if when is None or kind is None or amount is None:
        return {}
    names = binding.option_names(language)
    either = [{"property": kind, "select": {"equals": names[code]}} for code in ("expense", "income")]
    months = {"type": "date", "property_id": when, "group_by": "month", "sort": {"type": "descending"}}
    return {
        "type": "table",
        "filter": {"or": either},
        "sorts": [{"property": when, "direction": "descending"}],
        "configuration": _table(binding, group_by=months),
    }


_VIEWS: Mapping[str, Callable[[Binding, str], Json]] = {"today": _today, "calendar": _calendar, "money": _money}

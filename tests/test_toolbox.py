"""What a model is sent: the tools as a whole, byte by byte."""

from __future__ import annotations

import difflib
import json
import timeit
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from tools.categories import CATEGORIES
from tools.definition import Caller, Role, ToolDefinition
from tools.record import MemoryPort, PersonId
from tools.toolbox import toolbox

GOLDEN = Path(__file__).parent / "golden" / "tools.json"
DIALECT = {"type", "description", "enum", "properties", "required", "items"}
IDENTITIES = {"owner", "user", "user_id", "person", "person_id", "group_id", "tenant", "as_user", "key", "call", "id"}

NO_MEMORY = cast(MemoryPort, None)
"""Describing the tools asks nothing of a memory."""


def someone(language: str = "zh-TW", role: Role = "owner") -> Caller:
    """A caller who is at home in this language."""
    zone = ZoneInfo("Asia/Taipei")
    return Caller(
        person=PersonId("U1"),
        role=role,
        language=language,
        home=language,
        zone=zone,
        currency="TWD",
        now=datetime(2026, 11, 30, 10, tzinfo=zone),
    )


def as_sent(tools: Iterable[ToolDefinition]) -> list[dict[str, Any]]:
    """The tools as they stand in a request."""
    return [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": each.parameters},
        }
        for each in tools
    ]


def tools_json(language: str = "zh-TW") -> list[dict[str, Any]]:
    """The whole toolbox: what holds of it holds of every topic that is added."""
    return as_sent(toolbox(someone(language), NO_MEMORY))


def golden_text() -> str:
    """The tools as the golden file has them."""
    return json.dumps(tools_json(), ensure_ascii=False, indent=1) + "\n"


def record_tools(language: str = "zh-TW") -> list[ToolDefinition]:
    """The tools of the one topic that the contract lists argument by argument."""
    return toolbox(someone(language), NO_MEMORY)


def names_for(role: Role) -> list[str]:
    """The tools that someone of this role may use."""
    return [each.name for each in toolbox(someone(role=role), NO_MEMORY)]


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and everything inside it that is one."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from schemas(inner)


@pytest.fixture(params=sorted(CATEGORIES))
def functions(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return [each["function"] for each in tools_json(request.param)]


def test_the_tools_are_what_was_agreed():
    """After a wanted change, read the difference, then agree to it with ``python -m tests.test_toolbox``."""
    agreed = GOLDEN.read_text(encoding="utf-8").splitlines()
    now = golden_text().splitlines()

    difference = "\n".join(difflib.unified_diff(agreed, now, "agreed", "now", lineterm=""))

    assert not difference, difference


def test_records_have_four_tools_with_the_arguments_of_the_contract():
    names = {each.name: list(each.parameters["properties"]) for each in record_tools()}
    times, rest = (
        ["content", "type", "when", "until", "remind_at", "repeat"],
        ["amount", "currency", "category", "tags"],
    )

    assert names == {
        "create_record": [*times, *rest],
        "query_records": [
            "keyword", "type", "status", "when", "category", "tags", "min_amount", "max_amount", "sort", "limit",
            "total", "group_by",
        ],
        "update_record": ["ref", *times, "scope", *rest, "status", "add_note"],
        "delete_record": ["ref", "refs", "scope"],
    }  # fmt: skip


def test_every_schema_keeps_to_the_dialect_that_every_endpoint_reads(functions: list[dict[str, Any]]):
    for function in functions:
        for schema in schemas(function["parameters"]):
            assert set(schema) <= DIALECT
            assert schema["type"] in {"object", "string", "number", "integer", "array"}
            assert schema.get("required", ["some"]), "an empty list of required arguments is refused by some endpoints"
            assert set(schema.get("required", ())) <= set(schema.get("properties", ()))
            assert ("items" in schema) == (schema["type"] == "array")


def test_only_what_is_indispensable_is_required():
    required = {each.name: each.parameters.get("required") for each in record_tools()}

    assert required == {
        "create_record": ["content", "type"],
        "query_records": None,
        "update_record": ["ref"],
        "delete_record": None,
    }


def test_no_argument_names_a_person(functions: list[dict[str, Any]]):
    for function in functions:
        for schema in schemas(function["parameters"]):
            assert not IDENTITIES & set(schema.get("properties", ()))


@pytest.mark.parametrize("language", sorted(CATEGORIES))
def test_the_tools_for_records_fit_into_less_than_five_thousand_bytes(language: str):
    sent = json.dumps(as_sent(record_tools(language)), ensure_ascii=False, separators=(",", ":"))

    assert len(sent.encode()) <= 4_800


def test_each_tool_shows_one_example_that_names_only_its_own_arguments(functions: list[dict[str, Any]]):
    for function in functions:
        shown = function["description"]
        example = json.loads(shown[shown.index("{") : shown.rindex("}") + 1])
        assert set(example) <= set(function["parameters"]["properties"])


@pytest.mark.parametrize("language", sorted(CATEGORIES))
def test_the_categories_are_those_of_the_persons_language(language: str):
    tools = {each.name: each for each in toolbox(someone(language), NO_MEMORY)}
    said = tools["create_record"].parameters["properties"]["category"]["enum"]

    assert tuple(said) == CATEGORIES[language]


def test_every_language_has_the_same_categories_in_the_same_places():
    assert {len(names) for names in CATEGORIES.values()} == {9}
    assert all(len(set(names)) == len(names) for names in CATEGORIES.values())


def test_an_unknown_language_is_served_in_english():
    assert tools_json("fr") == tools_json("en")


def test_of_the_tools_for_records_only_the_query_is_read_only():
    assert [each.name for each in record_tools() if each.read_only] == ["query_records"]


@pytest.mark.parametrize("role", ["owner", "member"])
def test_who_is_at_home_has_every_tool_that_was_agreed(role: Role):
    agreed = [each["function"]["name"] for each in json.loads(GOLDEN.read_text(encoding="utf-8"))]

    assert names_for(role) == agreed


def test_a_guest_has_what_only_reads_and_a_stranger_nothing():
    every = toolbox(someone(), NO_MEMORY)

    assert names_for("guest") == [each.name for each in every if each.read_only]
    assert {"create_record", "update_record", "delete_record"}.isdisjoint(names_for("guest"))
    assert "query_records" in names_for("guest")
    assert names_for("stranger") == []


def test_the_descriptions_differ_clearly_and_name_the_tool_that_is_meant_instead():
    said = {each.name: each.description for each in record_tools()}

    assert len({text.split()[0] for text in said.values()}) == len(said), "each begins with a verb of its own"
    assert "update_record" in said["create_record"]
    assert "update_record" in said["delete_record"]


def test_the_toolbox_of_a_turn_costs_microseconds():
    tools_json()

    fastest = min(timeit.repeat(tools_json, number=50, repeat=5)) / 50

    assert fastest < 500e-6


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")

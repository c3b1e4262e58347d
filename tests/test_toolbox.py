"""What a model is sent: the tools as a whole, byte by byte."""

from __future__ import annotations

import difflib
import json
import timeit
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from tools.arguments import CATEGORIES
from tools.definition import Caller
from tools.record import MemoryPort, PersonId
from tools.toolbox import toolbox

GOLDEN = Path(__file__).parent / "golden" / "tools.json"
DIALECT = {"type", "description", "enum", "properties", "required", "items"}
IDENTITIES = {"owner", "user", "user_id", "person", "person_id", "group_id", "tenant", "as_user", "key", "call", "id"}

NO_MEMORY = cast(MemoryPort, None)
"""Describing the tools asks nothing of a memory."""


def tools_json(language: str = "zh-TW") -> list[dict[str, Any]]:
    """The tools as they stand in a request."""
    zone = ZoneInfo("Asia/Taipei")
    caller = Caller(
        person=PersonId("U1"),
        language=language,
        home=language,
        zone=zone,
        currency="TWD",
        now=datetime(2026, 11, 30, 10, tzinfo=zone),
    )
    return [
        {
            "type": "function",
            "function": {"name": each.name, "description": each.description, "parameters": each.parameters},
        }
        for each in toolbox(caller, NO_MEMORY)
    ]


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schema and everything inside it that is one."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from schemas(inner)


@pytest.fixture(params=sorted(CATEGORIES))
def functions(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return [each["function"] for each in tools_json(request.param)]


def test_the_tools_are_what_was_agreed():
    """After a wanted change, write the new text into the golden file and read the difference once more."""
    agreed = GOLDEN.read_text(encoding="utf-8").splitlines()
    now = json.dumps(tools_json(), ensure_ascii=False, indent=1).splitlines()

    difference = "\n".join(difflib.unified_diff(agreed, now, "agreed", "now", lineterm=""))

    assert not difference, difference


def test_four_tools_with_the_arguments_of_the_contract():
    names = {each["function"]["name"]: list(each["function"]["parameters"]["properties"]) for each in tools_json()}
    fields = ["content", "type", "when", "until", "remind_at", "amount", "currency", "category", "tags"]

    assert names == {
        "create_record": fields,
        "query_records": [
            "keyword", "type", "status", "when", "category", "tags", "sort", "limit", "total", "group_by",
        ],
        "update_record": ["ref", *fields, "status", "add_note"],
        "delete_record": ["ref", "refs"],
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
    required = {each["function"]["name"]: each["function"]["parameters"].get("required") for each in tools_json()}

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


def test_the_tools_fit_into_little_more_than_four_thousand_bytes(functions: list[dict[str, Any]]):
    wrapped = [{"type": "function", "function": each} for each in functions]

    assert len(json.dumps(wrapped, ensure_ascii=False, separators=(",", ":")).encode()) <= 4_300


def test_each_tool_shows_one_example_that_names_only_its_own_arguments(functions: list[dict[str, Any]]):
    for function in functions:
        shown = function["description"]
        example = json.loads(shown[shown.index("{") : shown.rindex("}") + 1])
        assert set(example) <= set(function["parameters"]["properties"])


@pytest.mark.parametrize("language", sorted(CATEGORIES))
def test_the_categories_are_those_of_the_persons_language(language: str):
    said = tools_json(language)[0]["function"]["parameters"]["properties"]["category"]["description"]

    assert ", ".join(CATEGORIES[language]) in said


def test_every_language_has_the_same_categories_in_the_same_places():
    assert {len(names) for names in CATEGORIES.values()} == {9}
    assert all(len(set(names)) == len(names) for names in CATEGORIES.values())


def test_an_unknown_language_is_served_in_english():
    assert tools_json("fr") == tools_json("en")


def test_only_the_query_is_read_only():
    zone = ZoneInfo("UTC")
    caller = Caller(
        person=PersonId("U1"),
        language="en",
        home="en",
        zone=zone,
        currency="USD",
        now=datetime(2026, 11, 30, tzinfo=zone),
    )

    assert [each.name for each in toolbox(caller, NO_MEMORY) if each.read_only] == ["query_records"]


def test_the_toolbox_of_a_turn_costs_microseconds():
    tools_json()

    fastest = min(timeit.repeat(tools_json, number=50, repeat=5)) / 50

    assert fastest < 500e-6

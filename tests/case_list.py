"""A list of reported cases, and the tests that show how each is handled: every row has some, and all of them exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent


@cache
def _tests_in(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    found = (each.name for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(found)


def assert_they_exist(tests: Iterable[str]) -> None:
    """``tests`` are ``file::name``, seen from the folder of all tests."""
    named = [each.split("::") for each in tests]
    assert [name for file, name in named if name not in _tests_in(file)] == []
    assert named


def assert_all_are_shown(
    listed_in: Path, row: str, shown_by: Mapping[str, object], record: Callable[[str, object], None]
) -> None:
    """``row`` is the pattern of a row's number in the list."""
    listed = re.findall(rf"^\| ({row}) ", listed_in.read_text(encoding="utf-8"), re.MULTILINE)
    shown = [each for each in listed if each in shown_by]
    record("shown", f"{len(shown)} / {len(listed)}")
    print(f"cases shown: {len(shown)} / {len(listed)}")
    assert sorted(set(listed) - shown_by.keys()) == []
    assert sorted(shown_by.keys() - set(listed)) == []

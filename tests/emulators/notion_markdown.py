"""Notion's Markdown: one line is one block, empty lines say nothing, and signs of its own are escaped. Pure.

https://developers.notion.com/guides/data-apis/enhanced-markdown (two recorded answers agree).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.emulators.notion_values import Invalid

Json = dict[str, Any]
_PREFIXES = [
    ("### ", "heading_3"), ("## ", "heading_2"), ("# ", "heading_1"), ("- [ ] ", "to_do"), ("- [x] ", "to_do"),
    ("- ", "bulleted_list_item"), ("> ", "quote"),
]  # fmt: skip
_NUMBER = re.compile(r"\d+\. ")
_ESCAPED = re.compile(r"\\([\\*~`$\[\]<>{}|^#\-+.!>_=])")
_TO_ESCAPE = re.compile(r"([\\*~`$\[\]<>{}|^])")


def blocks(markdown: object) -> list[Json]:
    """Requests for blocks."""
    if not isinstance(markdown, str):
        raise Invalid("body failed validation: markdown should be a string.")
    made: list[Json] = []
    lines = iter(markdown.split("\n"))
    for line in lines:
        if line.startswith("```"):
            code = []
            for inner in lines:
                if inner.startswith("```"):
                    break
                code.append(inner)
            made.append({"code": {"rich_text": _pieces("\n".join(code)), "language": line[3:] or "plain text"}})
        elif line.strip():
            made.append(_block(line))
    return made


def _block(line: str) -> Json:
    if line.strip() == "---":
        return {"divider": {}}
    if line.strip() == "<empty-block/>":
        return {"paragraph": {"rich_text": []}}
    for prefix, kind in _PREFIXES:
        if line.startswith(prefix):
            inner: Json = {"rich_text": _pieces(_plain(line.removeprefix(prefix)))}
            return {kind: inner | ({"checked": "x" in prefix} if kind == "to_do" else {})}
    if found := _NUMBER.match(line):
        return {"numbered_list_item": {"rich_text": _pieces(_plain(line[found.end() :]))}}
    return {"paragraph": {"rich_text": _pieces(_plain(line))}}


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text.replace("<br>", "\n"))


def _pieces(text: str) -> list[Json]:
    return [{"text": {"content": text[start : start + 1000]}} for start in range(0, len(text), 1000)]


def text(standing: Sequence[Json]) -> str:
    """Blocks as they are answered."""
    return "\n".join(_line(block) for block in standing)


def _line(block: Json) -> str:
    kind = block["type"]
    inner = block[kind]
    if kind == "divider":
        return "---"
    if "rich_text" not in inner:
        return f'<{kind} src="{inner.get("file", inner.get("external", {})).get("url", "")}"/>'
    said = "".join(piece["plain_text"] for piece in inner["rich_text"])
    if kind == "code":
        return f"```{inner['language']}\n{said}\n```"
    if not said and kind == "paragraph":
        return "<empty-block/>"
    shown = _TO_ESCAPE.sub(r"\\\1", said).replace("\n", "<br>")
    if kind == "to_do":
        return f"- [{'x' if inner['checked'] else ' '}] {shown}"
    if kind == "numbered_list_item":
        return f"1. {shown}"
    return next((prefix for prefix, known in _PREFIXES if known == kind), "") + shown


def edited(markdown: str, kind: str, command: Json) -> str:
    """The page's Markdown after one command of ``PATCH pages/{id}/markdown``."""
    if kind == "insert_content":
        if "after" not in command:
            return "\n".join(filter(None, [markdown, command["content"]]))
        start, end = _range(markdown, command["after"])
        return f"{markdown[:end]}\n{command['content']}{markdown[end:]}"
    if kind == "replace_content_range":
        start, end = _range(markdown, command["content_range"])
        return markdown[:start] + str(command["content"]) + markdown[end:]
    if kind == "replace_content":
        return str(command["new_str"])
    for each in command["content_updates"]:
        markdown = _updated(markdown, each)
    return markdown


def _updated(markdown: str, update: Json) -> str:
    old = update["old_str"]
    times = markdown.count(old) if old else 0
    if times == 0:
        raise Invalid(f"Could not find the text to replace: {old[:80]}")
    if times > 1 and not update.get("replace_all_matches"):
        raise Invalid(f"The text to replace stands {times} times in the page: {old[:80]}")
    return markdown.replace(old, update["new_str"])


def _range(markdown: str, selection: str) -> tuple[int, int]:
    first, dots, last = selection.partition("...")
    start = markdown.find(first)
    end = markdown.find(last, start + len(first)) if dots else start + len(first)
    if start < 0 or end < 0:
        raise Invalid(f"Could not find the selection in the page: {selection[:80]}")
    return start, end + (len(last) if dots else 0)

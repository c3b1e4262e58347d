"""The blocks of a page as Markdown: what people wrote there, read back as they structured it.

Pure. Read again it is the same blocks; a sign is escaped only where it would be taken for what it is not. Must not know
which text is whose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from tools.notion.from_markdown import ADDRESS, LANGUAGES, NO_LANGUAGE, PLAIN, Run, Style, admitted, blocks, melted
from tools.notion.pieces import Json, clean

LISTED = {"bulleted_list_item": "- ", "numbered_list_item": "1. ", "to_do": "- "}
TOLD_AS = {"toggle": "bulleted_list_item", "callout": "quote", "heading_4": "heading_3"}
"""What we never make, and how it is told."""
_ADDRESS_OR_SIGN = re.compile(ADDRESS.pattern + r"|[\\`*_~\[\]<>]")
_AT_AN_END = re.compile(r"^\s+|\s+$|[^\S\n]+(?=\n)|(?<=\n)\s+")
_LEADING = re.compile(r"(?m)^(\s*)([#>+-]|\d{1,9}(?=[.)]))")


def markdown(standing: Sequence[Json]) -> str:
    """Blocks as Markdown, those that we know how to tell; what stands inside a block is in ``children`` of its value.
    Read again it is the same blocks."""
    known = [(_kind(each), text) for each in standing if (text := told_alone(each)) is not None]
    return _joined(known)


def _joined(told: Sequence[tuple[str, str]]) -> str:
    """Lists follow each other line by line and count on, everything else after an empty line."""
    parts: list[str] = []
    before, number = "", 0
    for kind, text in told:
        number = number + 1 if kind == before == "numbered_list_item" else 1
        if parts:
            parts.append("\n" if kind in LISTED and (kind == before or {kind, before} <= _BULLETS) else "\n\n")
        counted = kind == "numbered_list_item" and number > 1
        parts.append(f"{number}{text[1:]}".replace("\n   ", "\n" + " " * len(f"{number}. ")) if counted else text)
        before = kind
    return "".join(parts)


_BULLETS = {"bulleted_list_item", "to_do"}


def told_alone(block: Json) -> str | None:
    """One block as Markdown: with as few signs taken for what they are not as can be. None of what has no words."""
    shape = _shape(block)
    if shape is None:
        return None
    words = (shape[0], tuple(melted((text, PLAIN) for text, _ in shape[1])), *shape[2:])
    for each in (shape, words):
        for escaped in (False, True):
            said = _said(each, escaped=escaped)
            if _again(said) == [each]:
                return said
    return _said(shape, escaped=False)


def _again(text: str) -> list[Any]:
    return [_shape(each) for each in blocks(text)]


Shape = tuple[str, tuple[Run, ...], str, tuple[Any, ...]]
"""What a block says, as far as we can say it: its kind, runs, detail (a mark in its box, or a language), and inside."""


def _kind(block: Mapping[str, Any]) -> str:
    kind = str(block["type"])
    return TOLD_AS.get(kind, kind)


def _shape(block: Json) -> Shape | None:
    kind, inner = _kind(block), block[block["type"]]
    if kind == "divider":
        return kind, (), "", ()
    if "rich_text" not in inner:
        return None
    said = [_run(piece) for piece in inner["rich_text"]]
    runs = said if kind == "code" else _trimmed(said)
    detail = "x" if inner.get("checked") else ""
    if kind == "code":
        told = str(inner.get("language", NO_LANGUAGE))
        runs, detail = melted((text, PLAIN) for text, _ in runs), told if told in LANGUAGES else ""
    within = tuple(shape for each in inner.get("children", ()) if (shape := _shape(each)))
    return kind, tuple(run for run in runs if run[0]), detail, within


def _run(piece: Json) -> Run:
    marks = piece.get("annotations") or {}
    said = piece.get("text") or {}
    text = piece.get("plain_text", said.get("content", ""))
    link = piece.get("href") or (said.get("link") or {}).get("url") or ""
    bold, italic, struck, code = (bool(marks.get(name)) for name in ("bold", "italic", "strikethrough", "code"))
    # An address that leads where it says is one, whether Notion made it a link or not.
    return clean(str(text)), (bold, italic, struck, code, "" if link == text else admitted(str(link)))


def _trimmed(runs: Iterable[Run]) -> list[Run]:
    """As Markdown can say it: no spaces at the ends of a line, and no mark begins or ends at one."""
    signs = [(sign, style) for text, style in runs for sign in text]
    seen = "".join("x" if style[3] else sign for sign, style in signs)
    lost = {place for found in _AT_AN_END.finditer(seen) for place in range(*found.span())}
    signs = [each for place, each in enumerate(signs) if place not in lost]
    for at in range(len(MARKS)):
        signs = [each for group in _by_mark(signs, at) for each in _bared(group, at)]
    return melted(signs)


def _by_mark(runs: Iterable[Run], at: int) -> list[list[Run]]:
    return [list(same) for _, same in groupby(runs, lambda run: run[1][at])]


def _bared(group: list[Run], at: int) -> list[Run]:
    """These signs, which bear a mark or not, without it at the ends where they are spaces."""
    seen = [place for place, (sign, style) in enumerate(group) if style[3] or not sign.isspace()]
    first, last = (seen[0], seen[-1]) if seen else (len(group), -1)
    bare = [(sign, cast("Style", (*style[:at], False, *style[at + 1 :]))) for sign, style in group]
    return [*bare[:first], *group[first : last + 1], *bare[max(first, last + 1) :]]


def _said(shape: Shape, *, escaped: bool) -> str:
    kind, runs, detail, within = shape
    if kind == "divider":
        return "---"
    if kind == "code":
        return _fenced("".join(text for text, _ in runs), detail)
    text = _marked(runs, 0, escaped=escaped)
    if escaped:
        text = _LEADING.sub(_one_escaped, text)
    inside = _joined([(each[0], _said(each, escaped=escaped)) for each in within])
    if kind.startswith("heading_"):
        return "\n\n".join(filter(None, [f"{'#' * int(kind[-1])} {' '.join(text.split())}", inside]))
    if kind == "quote":
        lines = "\n\n".join(filter(None, [text, inside])).split("\n")
        return "\n".join(f"> {line}".rstrip() for line in lines)
    mark = LISTED.get(kind, "")
    box = f"[{detail or ' '}] " if kind == "to_do" else ""
    gap = "\n" if within and within[0][0] in LISTED else "\n\n"
    first, *rest = gap.join(filter(None, [box + text, inside])).split("\n")
    return "\n".join([mark + first, *(" " * len(mark) + line if line else "" for line in rest)]).rstrip()


def _one_escaped(found: re.Match[str]) -> str:
    return f"{found[1]}{found[2]}\\" if found[2].isdigit() else f"{found[1]}\\{found[2]}"


def _fenced(code: str, language: str) -> str:
    fence = "`" * max(3, *(len(each) + 1 for each in re.findall(r"`+", code)), 3)
    return f"{fence}{language}\n{code}\n{fence}"


MARKS = ("**", "*", "~~")
"""Of the first three of a style."""
_LINK = 4


def _marked(runs: Sequence[Run], at: int, *, escaped: bool) -> str:
    """Runs with their marks, those at ``at`` and behind it in a style: one mark around all that bears it."""
    if at == len(MARKS):
        return "".join(
            _linked(list(same), link, escaped=escaped) for link, same in groupby(runs, lambda run: run[1][_LINK])
        )
    groups = _by_mark(runs, at)
    told = [(MARKS[at] if same[0][1][at] else "", _marked(same, at + 1, escaped=escaped)) for same in groups]
    return "".join(f"{mark}{said}{mark}" for mark, said in told)


def _linked(runs: Sequence[Run], link: str, *, escaped: bool) -> str:
    said = "".join(_coded(text) if style[3] else _plain(text, escaped=escaped) for text, style in runs)
    return f"[{said}]({link})" if link else said


def _coded(text: str) -> str:
    ticks = "`" * (1 + max((len(each) for each in re.findall(r"`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def _plain(text: str, *, escaped: bool) -> str:
    return _ADDRESS_OR_SIGN.sub(_escaped, text) if escaped else text


def _escaped(found: re.Match[str]) -> str:
    return found[0] if len(found[0]) > 1 else f"\\{found[0]}"

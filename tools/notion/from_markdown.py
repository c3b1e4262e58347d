"""Markdown to the blocks of a page: what a person wrote stands there as they structured it.

Pure. Headings, lists, to-dos, quotes, code, lines, and within them bold, italic, struck out, code and links; everything
else is words. https://developers.notion.com/reference/block. Must not know which text is whose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tools.notion.pieces import PIECES, SEGMENT, Json, clean, cut, units

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

DEEPEST = 2
"""Levels below a block that one request may hold: https://developers.notion.com/reference/patch-block-children."""
SIBLINGS = 100
"""Blocks directly in another one, in one request."""
MOST = 900
"""Blocks in all of one text; Notion takes 1,000 a request."""
URL = 2_000

LANGUAGES = frozenset({
    "abap", "abc", "agda", "arduino", "assembly", "bash", "basic", "bnf", "c", "c#", "c++", "clojure", "coffeescript",
    "coq", "css", "dart", "dhall", "diff", "docker", "ebnf", "elixir", "elm", "erlang", "f#", "flow", "fortran",
    "gherkin", "glsl", "go", "graphql", "groovy", "haskell", "hcl", "html", "idris", "java", "javascript", "json",
    "julia", "kotlin", "latex", "less", "lisp", "livescript", "lua", "makefile", "markdown", "markup", "matlab",
    "mathematica", "mermaid", "nix", "objective-c", "ocaml", "pascal", "perl", "php", "powershell", "prolog",
    "protobuf", "purescript", "python", "r", "racket", "reason", "ruby", "rust", "sass", "scala", "scheme", "scss",
    "shell", "smalltalk", "solidity", "sql", "swift", "toml", "typescript", "vb.net", "verilog", "vhdl",
    "webassembly", "xml", "yaml",
})  # fmt: skip
"""Of code, as Notion names them: others are refused."""
_ALIASES = {"py": "python", "js": "javascript", "ts": "typescript", "sh": "shell", "yml": "yaml", "rb": "ruby"}
NO_LANGUAGE = "plain text"

_TO_DO = re.compile(r"\[([ xX])\](?: |$)")
ADDRESS = re.compile(
    r"https?://[^\s<>\"'「」『』（）()\[\]，。、；！？]+[^\s<>\"'「」『』（）()\[\]，。、；！？.,:;!?*_~`]"
)

Style = tuple[bool, bool, bool, bool, str]
"""Bold, italic, struck out, code, and where it leads."""
PLAIN: Style = (False, False, False, False, "")
Run = tuple[str, Style]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # What looks like a sign of these is, in a chat, nearly always meant as it stands.
    unwanted = ["html_block", "html_inline", "code", "lheading", "reference", "entity"]
    return MarkdownIt("commonmark", {"html": False}).disable(unwanted).enable("strikethrough")


def blocks(text: str) -> list[Json]:
    """The text as blocks for a request. What Notion's limits do not take as structure stands as one plain paragraph."""
    from markdown_it.tree import SyntaxTreeNode

    text = clean(text)
    lines = text.split("\n")
    made = list(_blocks(SyntaxTreeNode(_parser().parse(text)).children, lines, 0))
    return made if _is_taken(made) else [paragraph(text)]


def paragraph(text: str) -> Json:
    """One paragraph of these very words, whatever signs are in it."""
    return _block("paragraph", [(clean(text), PLAIN)])


def _is_taken(made: Sequence[Json]) -> bool:
    every = list(_all(made))
    inners = [each[each["type"]] for each in every]
    return len(every) <= MOST and all(
        len(inner.get("rich_text", ())) <= PIECES and len(inner.get("children", ())) <= SIBLINGS for inner in inners
    )


def _all(made: Iterable[Json]) -> Iterator[Json]:
    for each in made:
        yield each
        yield from _all(each[each["type"]].get("children", ()))


def _blocks(nodes: Sequence[SyntaxTreeNode], lines: Sequence[str], depth: int) -> Iterator[Json]:
    for node in nodes:
        if node.type == "blockquote":
            yield from _holding("quote", node.children, lines, depth)
        elif node.type == "bullet_list" or (node.type == "ordered_list" and node.attrs.get("start", 1) == 1):
            kind = "bulleted_list_item" if node.type == "bullet_list" else "numbered_list_item"
            for item in node.children:
                yield from _holding(kind, item.children, lines, depth)
        else:
            yield _single(node, lines)


def _single(node: SyntaxTreeNode, lines: Sequence[str]) -> Json:
    if node.type == "paragraph":
        return _block("paragraph", _runs(node))
    if node.type == "heading":
        return _block(f"heading_{min(int(node.tag[1]), 3)}", _runs(node))
    if node.type == "fence":
        return _code(node)
    if node.type == "hr":
        return {"object": "block", "type": "divider", "divider": {}}
    begin, end = node.map or (0, 0)  # a list that begins elsewhere than at 1 keeps its numbers as words
    return paragraph("\n".join(lines[begin:end]).strip())


def _holding(kind: str, held: Sequence[SyntaxTreeNode], lines: Sequence[str], depth: int) -> Iterator[Json]:
    """A block of the first paragraph, in which the others are; as deep as Notion takes it, then behind it."""
    first = [held[0]] if held and held[0].type == "paragraph" else []
    runs = _runs(first[0]) if first else []
    rest = list(_blocks(held[len(first) :], lines, min(depth + 1, DEEPEST)))
    more: Json = {}
    if kind == "bulleted_list_item" and runs and runs[0][1] == PLAIN and (box := _TO_DO.match(runs[0][0])):
        kind, more = "to_do", {"checked": box[1] != " "}
        runs = [(runs[0][0][box.end() :], PLAIN), *runs[1:]]
    within = {"children": rest} if rest and depth < DEEPEST else {}
    yield _block(kind, runs, **more, **within)
    if not within:
        yield from rest


def _code(node: SyntaxTreeNode) -> Json:
    said = node.info.strip().lower().split(" ")[0]
    language = _ALIASES.get(said, said)
    known = language if language in LANGUAGES else NO_LANGUAGE
    return _block("code", [(node.content.removesuffix("\n"), PLAIN)], language=known)


def _block(kind: str, runs: Iterable[Run], **more: Any) -> Json:
    return {"object": "block", "type": kind, kind: {"rich_text": _rich_text(runs), **more}}


def _rich_text(runs: Iterable[Run]) -> list[Json]:
    made: list[Json] = []
    for text, (bold, italic, struck, code, link) in runs:
        marks = {"bold": bold, "italic": italic, "strikethrough": struck, "code": code}
        annotations = {name: True for name, is_so in marks.items() if is_so}
        for piece in cut(text, SEGMENT):
            said: Json = {"content": piece, **({"link": {"url": link}} if link else {})}
            made.append({"type": "text", "text": said, **({"annotations": annotations} if annotations else {})})
    return made


def _runs(node: SyntaxTreeNode) -> list[Run]:
    """What an inline node says, in runs of one style."""
    found = [run for inline in node.children for run in _spans(inline.children, PLAIN)]
    linked = [run for text, style in melted(found) for run in _addresses(text, style)]
    return [(text, style) for text, style in linked if text]


_MARKS = {"strong": 0, "em": 1, "s": 2}


def _spans(nodes: Sequence[SyntaxTreeNode], style: Style) -> Iterator[Run]:
    for node in nodes:
        if node.type in {"softbreak", "hardbreak"}:
            yield "\n", style
        elif node.type == "code_inline":
            yield node.content, (*style[:3], True, style[4])
        elif node.type in _MARKS:
            at = _MARKS[node.type]
            marked: Any = (*style[:at], True, *style[at + 1 :])
            yield from _spans(node.children, marked)
        elif node.type in {"link", "image"}:
            yield from _link(node, style)
        else:
            yield node.content, style


def _link(node: SyntaxTreeNode, style: Style) -> Iterator[Run]:
    """What leads somewhere; a picture is a link to it. An address that Notion does not take stands in words."""
    address = str(node.attrs.get("href") or node.attrs.get("src") or "")
    said = [(node.content, style)] if node.type == "image" else list(_spans(node.children, style))
    if not (link := admitted(address)):
        yield from [("[", style), *said, (f"]({address})", style)]
        return
    for text, shown in said if any(text for text, _ in said) else [(address, style)]:
        yield text, (*shown[:4], link)


def admitted(address: str) -> str:
    """An address as Notion takes it; empty for others."""
    fits = address.startswith(("http://", "https://", "mailto:")) and units(address) <= URL
    return address if fits else ""


def _addresses(text: str, style: Style) -> Iterator[Run]:
    """Bare addresses lead where they say."""
    at = 0
    for found in ADDRESS.finditer(text) if style == PLAIN else ():
        yield text[at : found.start()], style
        yield found[0], (*style[:4], admitted(found[0]))
        at = found.end()
    yield text[at:], style


def melted(runs: Iterable[Run]) -> list[Run]:
    """Neighbours of one style as one."""
    return [("".join(text for text, _ in same), style) for style, same in groupby(runs, key=lambda run: run[1])]

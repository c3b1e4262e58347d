"""A model's text as a person reads it: Markdown is read, not shown, and nothing unseen is left inside the words.

Pure, and quick to import. Whatever is taken out can join what stood around it, so this comes before the text is judged
(its secrets, its web addresses), and only a model's text is read so: people's own words may hold any sign. Must not
know which model wrote it or which network shows it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from tools.cleaning import is_blank

ILLEGIBLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters, marks that turn the direction of writing, halves of surrogate pairs, and what is no character."""

_FENCE: Final = re.compile(r" {0,3}(```+)[ \t]*[\w+#.-]*")
_RULE: Final = re.compile(r" {0,3}(?:-{3,}|\*{3,}|_{3,}|={3,}|(?:- ){2,}-|(?:\* ){2,}\*)")
_TABLE_RULE: Final = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*")
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+(?=\S)")
_QUOTE: Final = re.compile(r"(?: {0,3}>)+(?: |$)")
_STAR: Final = re.compile(r"([ \t]*)\*[ \t]+(?=\S)")
_BOX: Final = re.compile(r"([ \t]*)[-*+] \[([ xX])\] ")
_BREAK: Final = re.compile(r"<br ?/?>", re.IGNORECASE)
_BLANK_LINES: Final = re.compile(r"\n(?:[ \t]*\n){2,}")

_URL: Final = r"(?:https?|line|tel|mailto):[^\s()<>\"]+(?:\([^\s()<>\"]*\)[^\s()<>\"]*)*"
_SPAN: Final = re.compile(
    r"(?<![`\\])(?P<tick>`{1,3})(?!`)(?=[^\s)）*])(?P<code>[^`]+)(?P=tick)(?!`)"
    rf"|!?\[(?P<label>[^\[\]]*)\]\(<?(?P<target>{_URL})>?(?:[ \t]+\"[^\"]*\")?\)"
    rf"|<(?P<auto>{_URL})>"
    r"|(?P<url>https?://(?:[!#-)+-;=?-_a-~]|\*(?=[!-)+-~]))+)"
    r"|\\(?P<escaped>[*`#~\[\]]|(?<=\w\\)_(?=\w))"
)
_MARK: Final = re.compile(r"\*+|_+|~+")
_OPENING: Final = frozenset("「『“‘\"'《【（(")
_CLOSING: Final = frozenset("」』”’\"'》】）).。!！?？…%：:")


def bare(text: str) -> str:
    """Words without what does not matter when they are compared: width, case, blanks, punctuation behind."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .。!?~、,…")


def legible(text: str) -> str:
    """The text without what nobody can read and without blank space around it, its lines ended by line feeds; "" if
    there is nothing to see in it."""
    kept = _without_illegible(text)
    return "" if is_blank(kept) else kept.strip()


def plain(text: str) -> str:
    """A model's text without Markdown, and legible. Text that holds no marks comes back as it is, but for blank space
    around it."""
    lines = _without_illegible(text).split("\n")
    read = list(_read(lines))
    joined = "\n".join(read)
    if len(read) != len(lines):
        joined = _BLANK_LINES.sub("\n\n", joined)
    return legible(joined)


def _without_illegible(text: str) -> str:
    return ILLEGIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _read(lines: Sequence[str]) -> Iterator[str]:
    """Block by block: the inside of code fences as it is, everything else line by line."""
    fence = ""
    in_table = False
    for place, line in enumerate(lines):
        fenced = _FENCE.fullmatch(line.rstrip())
        if fenced and fenced[1].startswith(fence):
            fence = "" if fence else fenced[1]
        elif fence:
            yield line
        else:
            in_table = "|" in line and (in_table or _is_table_rule(lines[place + 1 : place + 2]))
            yield from _read_row(line) if in_table else _read_line(line)


def _is_table_rule(lines: Sequence[str]) -> bool:
    return any(_TABLE_RULE.fullmatch(line.strip()) for line in lines)


def _read_row(line: str) -> Iterator[str]:
    if not _is_table_rule([line]):
        cells = (_BREAK.sub(" ", cell).strip() for cell in re.split(r"(?<!\\)\|", line))
        yield " · ".join(_inline(cell.replace("\\|", "|")) for cell in cells if cell)


def _read_line(line: str) -> Iterator[str]:
    if _RULE.fullmatch(line.rstrip()):
        return
    if quote := _QUOTE.match(line):
        line = line[quote.end() :]
    if heading := _HEADING.match(line):
        line = _untrailed(line[heading.end() :])
    line = _BOX.sub(lambda box: f"{box[1]}{'☐' if box[2] == ' ' else '☑'} ", line) if _BOX.match(line) else line
    if star := _STAR.match(line):
        line = f"{star[1]}・{line[star.end() :]}"
    yield _BREAK.sub("\n", _inline(line))


def _untrailed(heading: str) -> str:
    """A heading without the marks it may be closed with (``## Title ##``, but not ``# C#``)."""
    body = heading.rstrip()
    bare = body.rstrip("#")
    return bare.rstrip() if bare.endswith((" ", "\t")) else body


def _inline(text: str) -> str:
    """One line without code ticks, bracketed links, escapes, and the marks of emphasis."""
    spans = list(_SPAN.finditer(text))
    drop = _emphasis(text, spans)
    shown, at = [], 0
    for span in spans:
        shown += [text[here] for here in range(at, span.start()) if here not in drop]
        shown.append(_shown(span))
        at = span.end()
    return "".join([*shown, *(text[here] for here in range(at, len(text)) if here not in drop)])


def _shown(span: re.Match[str]) -> str:
    if not span["target"]:
        return span["code"] or span["auto"] or span["escaped"] or span["url"]
    label, target = _inline(span["label"]).strip(), span["target"]
    return f"{label} ({target})" if label and label != target else target


def _emphasis(text: str, spans: Sequence[re.Match[str]]) -> set[int]:
    """The places of the marks of emphasis: pairs only, and none that ordinary writing has (``2*3*4``, snake_case)."""
    covered = {here for span in spans for here in range(*span.span())}
    drop: set[int] = set()
    opened: dict[str, re.Match[str]] = {}
    for mark in _MARK.finditer(text):
        sign, before, after = mark[0], text[: mark.start()][-1:] or " ", text[mark.end() : mark.end() + 1] or " "
        if mark.start() in covered or len(sign) > len("***") or sign in {"~", "~~~"}:
            continue
        start = opened.get(sign)
        if start and _closes(sign, before, after):
            if not (sign == "__" and _is_name(text[start.end() : mark.start()])):
                drop.update(range(*start.span()), range(*mark.span()))
            del opened[sign]
        elif _opens(sign, before, after):
            opened[sign] = mark
    return drop


def _opens(sign: str, before: str, after: str) -> bool:
    if sign in {"**", "***"}:
        return not after.isspace() and not ((before + after).isascii() and before.isalnum() and after.isalnum())
    if sign == "~~":
        return not before.isalnum() and not after.isspace()
    return not before.isalnum() and before not in "(（\\" and (after.isalnum() or after in _OPENING)


def _closes(sign: str, before: str, after: str) -> bool:
    if sign in {"**", "***", "~~"}:
        return not before.isspace()
    return not after.isalnum() and (before.isalnum() or before in _CLOSING)


def _is_name(text: str) -> bool:
    """``__init__`` is a name, not something said loudly."""
    return text.isascii() and text.isidentifier() and text.islower()

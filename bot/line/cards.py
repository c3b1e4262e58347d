"""A card as a Flex Message, from fixed templates: no model ever writes one.

Pure. Every block has its own background and every text its own colour, so that a card is read as well in LINE's dark
mode as in the light one. https://developers.line.biz/en/reference/messaging-api/#flex-message . Must not know records,
languages, or who is spoken to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.card import Button, Card, CardBar, CardRow
from bot.line.buttons import FLEX_LABEL, action_of, address_of
from bot.line.cutting import clipped
from bot.line.form import CAROUSEL_BYTES, MOST_BUBBLES, weight
from bot.plain_text import legible

ROWS_ON_A_PAGE: Final = 8
BARS: Final = 8
ROOMS: Final = (120, 60, 40, 20)
"""UTF-16 units of a row's texts: the most with which the card is light enough."""
SMALL_ROOM: Final = 60
NOTE_ROOM: Final = 300
AMOUNT_ROOM: Final = 24
HERO: Final = "4:3"
"""Width and height of the picture at the head: enough of a receipt, which is tall, and of a poster, which is wide."""
THUMB: Final = "52px"
LEAST_BAR: Final = 2
"""Per cent: a part that is there is seen."""

PAPER: Final = "#FFFFFF"
INK: Final = "#17211C"
SOFT: Final = "#5A6761"
ACCENT: Final = "#0A6B45"
TINT: Final = "#E6F2EB"
RULE: Final = "#E4EAE6"
FILL: Final = "#2E9E6B"

Part = dict[str, Any]


def flex_of(card: Card) -> Part:
    """The contents of a Flex Message: one bubble, or a carousel where there are more rows than one shows. Texts are cut
    before small pictures are left out."""
    drawn: Part = {}
    bare = replace(card, rows=tuple(replace(row, picture="") for row in card.rows))
    for shown, room in (*((card, room) for room in ROOMS), (bare, ROOMS[0]), (bare, ROOMS[-1])):
        drawn = _drawn(shown, room)
        if weight(drawn) <= CAROUSEL_BYTES:
            break
    return drawn


def _drawn(card: Card, room: int) -> Part:
    pages = [card.rows[at : at + ROWS_ON_A_PAGE] for at in range(0, len(card.rows), ROWS_ON_A_PAGE)][:MOST_BUBBLES]
    bubbles = [_bubble(card, rows, room, (n, len(pages))) for n, rows in enumerate(pages or [()], start=1)]
    return {"type": "carousel", "contents": bubbles} if len(bubbles) > 1 else bubbles[0]


def _bubble(card: Card, rows: Sequence[CardRow], room: int, page: tuple[int, int]) -> Part:
    """One page of all: the first has the picture and what can be done, the last has the notes."""
    number, of = page
    parts = [*_head(card, f"{number}/{of}" if of > 1 else ""), *_rows(rows, room), *_bars(card.bars)]
    if number >= of:
        parts += [_text(clipped(note, NOTE_ROOM), "xs", SOFT, margin="lg", wrap=True) for note in _read(card.notes)]
    block = {"backgroundColor": PAPER}
    bubble: Part = {"type": "bubble", "size": "mega", "styles": {"body": block}}
    if number == 1 and (picture := _picture(card.picture, HERO)):
        bubble["hero"] = picture | ({"action": _opens(card.title, card.whole)} if address_of(card.whole) else {})
    bubble["body"] = _box("vertical", parts, paddingAll="20px")
    if number == 1 and (footer := _footer(card.buttons)):
        bubble["styles"] = {"body": block, "footer": {**block, "separator": True, "separatorColor": RULE}}
        bubble["footer"] = _box("horizontal", footer, paddingAll="8px", spacing="sm")
    return bubble


def _picture(address: str, ratio: str) -> Part | None:
    if not address.startswith("https://") or not (found := address_of(address)):
        return None
    return {"type": "image", "url": found, "size": "full", "aspectRatio": ratio, "aspectMode": "cover"}


def _opens(title: str, address: str) -> Part:
    return {"type": "uri", "label": clipped(legible(title) or "…", FLEX_LABEL), "uri": address_of(address)}


# ── the head ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _head(card: Card, page: str) -> Iterator[Part]:
    aside = " ".join(_read([card.aside]))
    title = legible(card.title) or aside
    figure = legible(card.figure)
    lines = [_text(clipped(title, SMALL_ROOM), "lg" if not figure else "sm", INK if not figure else SOFT, wrap=True)]
    lines[0]["weight"] = "regular" if figure else "bold"
    if page:
        lines = [_box("horizontal", [lines[0] | {"flex": 1}, _text(page, "sm", SOFT, flex=0)], spacing="md")]
    yield lines[0]
    if figure:
        yield _text(clipped(figure, SMALL_ROOM), "xxl", INK, weight="bold", margin="xs", adjustMode="shrink-to-fit")
    if aside and aside != title:
        yield _text(clipped(aside, 2 * SMALL_ROOM), "sm", SOFT, margin="xs", wrap=True)


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _rows(rows: Sequence[CardRow], room: int) -> Iterator[Part]:
    for row in rows:
        yield {"type": "separator", "margin": "lg", "color": RULE}
        yield _row(row, room)


def _row(row: CardRow, room: int) -> Part:
    """Its words, and beside them what it costs or the one thing to do about it; more things to do stand below."""
    pills = [pill for button in row.buttons if button.kind != "link" and (pill := _pill(button))]
    amount = legible(row.amount)
    side = [_text(clipped(amount, AMOUNT_ROOM), "md", INK, weight="bold", flex=0, align="end")] if amount else []
    if len(pills) == 1 and not side:
        side, pills = pills, []
    words = _box("vertical", list(_words(row, room)), flex=1)
    line = _box("horizontal", [*_thumb(row.picture), words, *side], spacing="md", alignItems="center")
    if not pills:
        return line | {"margin": "lg"}
    return _box("vertical", [line, _box("horizontal", pills, spacing="sm", margin="md")], margin="lg")


def _thumb(address: str) -> list[Part]:
    picture = _picture(address, "1:1")
    return [_box("vertical", [picture], flex=0, width=THUMB, height=THUMB, cornerRadius="8px")] if picture else []


def _words(row: CardRow, room: int) -> Iterator[Part]:
    if when := legible(row.when):
        yield _text(clipped(when, min(room, SMALL_ROOM)), "sm", ACCENT, weight="bold", wrap=True)
    what = clipped(" ".join(legible(row.what).split()) or "…", room)
    if row.is_done:
        yield _text(what, "md", SOFT, wrap=True, maxLines=3, decoration="line-through")
    else:
        yield _text(what, "md", INK, wrap=True, maxLines=3)
    about = [_text(clipped(each, min(room, SMALL_ROOM)), "xs", SOFT, flex=0) for each in _read([row.about])]
    links = [link for button in row.buttons if button.kind == "link" and (link := _link(button))]
    if about or links:
        yield _box("horizontal", [*about, *links], spacing="md", margin="xs", alignItems="center")


def _pill(button: Button) -> Part | None:
    action = action_of(button, FLEX_LABEL)
    if action is None:
        return None
    label = _text(action["label"], "sm", ACCENT, weight="bold", align="center")
    sides = {"paddingTop": "9px", "paddingBottom": "9px", "paddingStart": "14px", "paddingEnd": "14px"}
    return _box("vertical", [label], flex=0, backgroundColor=TINT, cornerRadius="20px", action=action, **sides)


def _link(button: Button) -> Part | None:
    action = action_of(button, FLEX_LABEL)
    if action is None:
        return None
    label = _text(f"{action['label']} ↗", "xs", ACCENT, weight="bold")
    return _box("vertical", [label], flex=0, paddingTop="4px", paddingBottom="4px", action=action)


# ── bars ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _bars(bars: Sequence[CardBar]) -> Iterator[Part]:
    if bars:
        yield {"type": "separator", "margin": "lg", "color": RULE}
    for bar in bars[:BARS]:
        words = _text(clipped(legible(bar.what) or "…", SMALL_ROOM), "sm", INK, flex=1, wrap=True, maxLines=2)
        amount = _text(clipped(legible(bar.amount) or "…", AMOUNT_ROOM), "sm", INK, weight="bold", flex=0, align="end")
        yield _box("horizontal", [words, amount], spacing="md", margin="lg")
        width = max(LEAST_BAR, min(100, round(100 * bar.share)))
        inside = _box("vertical", [{"type": "filler"}], width=f"{width}%", height="8px", backgroundColor=FILL)
        inside["cornerRadius"] = "4px"
        yield _box("vertical", [inside], height="8px", backgroundColor=TINT, cornerRadius="4px", margin="sm")


# ── the foot ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _footer(buttons: Sequence[Button]) -> list[Part]:
    return [choice for button in buttons if (choice := _choice(button))]


def _choice(button: Button) -> Part | None:
    action = action_of(button, FLEX_LABEL)
    if action is None:
        return None
    label = _text(action["label"], "sm", ACCENT, weight="bold", align="center", wrap=True)
    return _box("vertical", [label], flex=1, paddingAll="12px", justifyContent="center", action=action)


# ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _text(text: str, size: str, color: str, **looks: Any) -> Part:
    return {"type": "text", "text": text, "size": size, "color": color, **looks}


def _box(layout: str, contents: list[Part], **looks: Any) -> Part:
    return {"type": "box", "layout": layout, "contents": contents, **looks}


def _read(texts: Iterable[str]) -> list[str]:
    """Those of them in which there is something to read."""
    return [read for text in texts if (read := legible(text))]

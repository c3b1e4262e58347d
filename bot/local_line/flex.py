"""What LINE takes in a Flex Message: containers, components, sizes.

Pure. Rules: https://developers.line.biz/en/reference/messaging-api/#flex-message
Must not know the other kinds of messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from bot.local_line.checks import (
    Check,
    Path,
    Problem,
    address,
    array,
    by_type,
    every,
    flag,
    later,
    one_of,
    pattern,
    shape,
    text,
    whole,
)

BUBBLE_BYTES = 30 * 1024
CAROUSEL_BYTES = 50 * 1024
MAX_BUBBLES = 12
LONGEST_SIDE = 100_000

_SIDES = re.compile(r"(\d{1,6}(?:\.\d+)?):(\d{1,6}(?:\.\d+)?)", re.ASCII)


class Actions(Protocol):
    """Builds the check for actions whose labels have this length."""

    def __call__(self, label: int, *, needed: bool) -> Check: ...


_color = pattern(r"#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?", "invalid property")
_size = pattern(r"xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl|\d{1,4}(\.\d+)?px", "invalid property")
_picture_size = pattern(r"xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl|full|\d{1,4}(\.\d+)?(px|%)", "invalid property")
_gap = pattern(r"none|xs|sm|md|lg|xl|xxl|\d{1,4}(\.\d+)?(px|%)", "invalid property")
_border = pattern(r"none|light|normal|medium|semi-bold|bold|\d{1,4}(\.\d+)?px", "invalid property")
_offset = pattern(r"none|xs|sm|md|lg|xl|xxl|-?\d{1,4}(\.\d+)?(px|%)", "invalid property")


def _ratio(value: Any, path: Path) -> Iterator[Problem]:
    """Two numbers from 1 to 100,000, the height at most three times the width."""
    found = _SIDES.fullmatch(value) if isinstance(value, str) else None
    width, height = map(float, found.groups()) if found else (0.0, 0.0)
    if not (1 <= width <= LONGEST_SIDE and 1 <= height <= min(LONGEST_SIDE, 3 * width)):
        yield Problem(path, "invalid property")


_picture = address(2000, "https")
_flex = whole(0, 10_000)
_kind = text(20)

_placed: dict[str, Check] = {
    "margin": _gap,
    "position": one_of("relative", "absolute"),
    "offsetTop": _offset,
    "offsetBottom": _offset,
    "offsetStart": _offset,
    "offsetEnd": _offset,
}
_written: dict[str, Check] = {
    "size": _size,
    "color": _color,
    "weight": one_of("regular", "bold"),
    "style": one_of("normal", "italic"),
    "decoration": one_of("none", "underline", "line-through"),
}
_aligned: dict[str, Check] = {
    "align": one_of("start", "end", "center"),
    "gravity": one_of("top", "bottom", "center"),
}
_separator = shape({"type": _kind}, {"margin": _gap, "color": _color})
_filler = shape({"type": _kind}, {"flex": _flex})
_icon = shape({"type": _kind, "url": _picture}, {"size": _size, "aspectRatio": _ratio, "scaling": flag, **_placed})
_span = by_type({"span": shape({"type": _kind, "text": text(5000)}, _written)})
_background = by_type(
    {
        "linearGradient": shape(
            {
                "type": _kind,
                "angle": pattern(r"\d{1,3}(\.\d+)?deg", "invalid property"),
                "startColor": _color,
                "endColor": _color,
            },
            {"centerColor": _color, "centerPosition": pattern(r"\d{1,3}(\.\d+)?%", "invalid property")},
        )
    }
)
_style = shape({}, {"backgroundColor": _color, "separator": flag, "separatorColor": _color})


def flex_contents(actions: Actions) -> Check:
    """The check of ``contents``: one bubble, or a carousel of at most twelve of equal size, within the byte limits."""
    bubble = every(_bubble(actions), _lighter_than(BUBBLE_BYTES))
    one = by_type({"bubble": bubble})
    carousel = shape({"type": _kind, "contents": array(one, 1, MAX_BUBBLES)})
    return by_type({"bubble": bubble, "carousel": every(carousel, _equal_sizes, _lighter_than(CAROUSEL_BYTES))})


def _lighter_than(limit: int) -> Check:
    def check(value: Any, path: Path) -> Iterator[Problem]:
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        if len(written.encode("utf-8", "surrogatepass")) > limit:
            yield Problem((*path, ""), f"Must be less than {limit} bytes as JSON")

    return check


def _equal_sizes(value: Any, path: Path) -> Iterator[Problem]:
    if len({each.get("size", "mega") for each in value["contents"]}) > 1:
        yield Problem((*path, "contents"), "All bubbles must have the same size")


def _bubble(actions: Actions) -> Check:
    boxes = _components(actions)
    box = by_type({"box": boxes["box"]})
    return shape(
        {"type": _kind},
        {
            "size": one_of("nano", "micro", "deca", "hecto", "kilo", "mega", "giga"),
            "direction": one_of("ltr", "rtl"),
            "header": box,
            "hero": by_type({name: boxes[name] for name in ("box", "image", "video")}),
            "body": box,
            "footer": box,
            "styles": shape({}, dict.fromkeys(("header", "hero", "body", "footer"), _style)),
            "action": actions(40, needed=False),
        },
    )


def _components(actions: Actions) -> dict[str, Check]:
    tap = {"action": actions(40, needed=False)}
    parts: dict[str, Check] = {
        "button": shape(
            {"type": _kind, "action": actions(40, needed=True)},
            {
                "flex": _flex,
                "color": _color,
                "style": one_of("primary", "secondary", "link"),
                "gravity": _aligned["gravity"],
                "height": one_of("md", "sm"),
                "adjustMode": one_of("shrink-to-fit"),
                "scaling": flag,
                **_placed,
            },
        ),
        "image": _image(tap),
        "text": every(_text(tap), _said_once),
        "separator": _separator,
        "filler": _filler,
    }
    in_line = {"icon": _icon, "text": parts["text"], "filler": _filler}
    parts["box"] = _box(tap, by_type({**parts, "box": later(lambda: parts["box"])}), by_type(in_line))
    parts["video"] = shape(
        {
            "type": _kind,
            "url": _picture,
            "previewUrl": _picture,
            "altContent": by_type({"image": parts["image"], "box": parts["box"]}),
        },
        {"aspectRatio": _ratio, **tap},
    )
    return parts


def _image(tap: Mapping[str, Check]) -> Check:
    looks: dict[str, Check] = {
        "flex": _flex,
        "size": _picture_size,
        "aspectRatio": _ratio,
        "aspectMode": one_of("fit", "cover"),
        "backgroundColor": _color,
        "animated": flag,
    }
    return shape({"type": _kind, "url": _picture}, {**looks, **_placed, **_aligned, **tap})


def _text(tap: Mapping[str, Check]) -> Check:
    looks: dict[str, Check] = {
        "flex": _flex,
        "wrap": flag,
        "lineSpacing": _gap,
        "maxLines": whole(0, 1000),
        "adjustMode": one_of("shrink-to-fit"),
        "scaling": flag,
        "text": text(5000),
        "contents": array(_span, 1, 1000),
    }
    return shape({"type": _kind}, {**looks, **_written, **_placed, **_aligned, **tap})


def _said_once(value: Any, path: Path) -> Iterator[Problem]:
    """A text component has either a text or spans."""
    if "text" not in value and "contents" not in value:
        yield Problem((*path, "text"), "must not be empty")
    elif "text" in value and "contents" in value:
        yield Problem((*path, "contents"), "invalid property")


def _box(tap: Mapping[str, Check], anything: Check, in_line: Check) -> Check:
    sizes = dict.fromkeys(("width", "maxWidth", "height", "maxHeight"), _gap)
    padding = dict.fromkeys(("paddingAll", "paddingTop", "paddingBottom", "paddingStart", "paddingEnd"), _gap)
    looks: dict[str, Check] = {
        "flex": _flex,
        "spacing": _gap,
        "backgroundColor": _color,
        "borderColor": _color,
        "borderWidth": _border,
        "cornerRadius": _gap,
        "justifyContent": one_of("center", "flex-start", "flex-end", "space-between", "space-around", "space-evenly"),
        "alignItems": one_of("center", "flex-start", "flex-end"),
        "background": _background,
    }
    optional = {**looks, **sizes, **padding, **_placed, **tap}
    layout = {"type": _kind, "layout": one_of("horizontal", "vertical", "baseline")}
    wide = shape({**layout, "contents": array(anything, 0, 1000)}, optional)
    line = shape({**layout, "contents": array(in_line, 0, 1000)}, optional)

    def check(value: Any, path: Path) -> Iterator[Problem]:
        baseline = isinstance(value, dict) and value.get("layout") == "baseline"
        yield from (line if baseline else wide)(value, path)

    return check

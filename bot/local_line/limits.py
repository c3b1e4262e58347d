"""What LINE takes in a message object: every limit of the reference, in the unit in which it is counted there.

Pure: JSON in, problems out. Rules: https://developers.line.biz/en/reference/messaging-api/#message-objects
Must not know tokens, people, or who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bot.local_line.checks import (
    Check,
    Path,
    Problem,
    address,
    array,
    by_type,
    code_points,
    dotted,
    every,
    flag,
    graphemes,
    number,
    one_of,
    pattern,
    pointer,
    shape,
    text,
    utf16_units,
    whole,
)
from bot.local_line.flex import flex_contents

MAX_MESSAGES = 5
MAX_QUICK_REPLIES = 13
USER_ID = r"U[0-9a-f]{32}"

_secure = address(2000, "https")
_link = address(1000, "http", "https", "line", "tel")
_moment = pattern(
    r"\d{4}-\d\d-\d\d([Tt]\d\d:\d\d)?|\d\d:\d\d", "Must be a date, a time, or a date with a time joined by t"
)


def _kind(value: Any, path: Path) -> Iterator[Problem]:
    """The ``type`` itself: by_type has looked at it already."""
    if not isinstance(value, str):
        yield Problem(path, "Must be a string")


_FORMS = {"date": r"\d{4}-\d\d-\d\d", "time": r"\d\d:\d\d", "datetime": r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d"}


def _pickable(value: Any, path: Path) -> Iterator[Problem]:
    """Moments in the form of the mode, and in order."""
    moments = {name: str(value[name]).upper() for name in ("min", "initial", "max") if name in value}
    for name, moment in moments.items():
        if not re.fullmatch(_FORMS[value["mode"]], moment, re.ASCII):
            yield Problem((*path, name), f"Must be a {value['mode']}")
        elif not _is_moment(moment):
            yield Problem((*path, name), "Must be a moment that there is")
    if list(moments.values()) != sorted(moments.values()):
        yield Problem((*path, "min"), "must not be after initial or max")


def _is_moment(moment: str) -> bool:
    try:
        read = datetime.fromisoformat(moment if "-" in moment else f"2026-01-01T{moment}")
    except ValueError:
        return False
    return 1900 <= read.year <= 2100  # noqa: PLR2004 - the reference's years


def _said_one_way(value: Any, path: Path) -> Iterator[Problem]:
    if "text" in value and "displayText" in value:
        yield Problem((*path, "text"), "cannot be used with displayText")


def actions(label: int, *, needed: bool) -> Check:
    """What a tap may do, where labels hold ``label`` characters.

    https://developers.line.biz/en/reference/messaging-api/#action-objects
    """
    return by_type(_action_kinds(label, needed=needed))


def _action_kinds(label: int, *, needed: bool) -> dict[str, Check]:
    name = {"label": text(label, code_points)}

    def kind(required: dict[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
        must = {"type": _kind, **required, **(name if needed else {})}
        return shape(must, {**(optional or {}), **name})

    postback = {
        "displayText": text(300, code_points),
        "text": text(300, code_points),
        "inputOption": one_of("closeRichMenu", "openRichMenu", "openKeyboard", "openVoice"),
        "fillInText": text(300, code_points),
    }
    picker = {"mode": one_of("date", "time", "datetime"), "data": text(300)}
    return {
        "postback": every(kind({"data": text(300)}, postback), _said_one_way),
        "message": kind({"text": text(300, code_points)}),
        "uri": kind({"uri": _link}, {"altUri": shape({"desktop": _link})}),
        "datetimepicker": every(kind(picker, {"initial": _moment, "max": _moment, "min": _moment}), _pickable),
        "clipboard": kind({"clipboardText": text(1000)}),
    }


def _quick_actions() -> Check:
    """Quick replies may also open the camera, the pictures and the map."""
    opening = shape({"type": _kind, "label": text(20, code_points)})
    return by_type({**_action_kinds(20, needed=True), "camera": opening, "cameraRoll": opening, "location": opening})


_quick_reply = shape(
    {
        "items": array(
            shape({"type": one_of("action"), "action": _quick_actions()}, {"imageUrl": _secure}), 1, MAX_QUICK_REPLIES
        )
    }
)


def _sender_name(value: Any, path: Path) -> Iterator[Problem]:
    if isinstance(value, str) and value.strip().casefold() == "line":
        yield Problem(path, "May not be this name")


_common: dict[str, Check] = {
    "quickReply": _quick_reply,
    "sender": shape({}, {"name": every(text(20, code_points), _sender_name), "iconUrl": _secure}),
}
_quoting = {**_common, "quoteToken": text(500)}
_alt = text(1500)


def _braces(value: Any, path: Path) -> Iterator[Problem]:
    """textV2 names its substitutions in braces; others must be doubled."""
    rest = re.sub(r"\{\{|\}\}|\{[0-9A-Za-z_]{1,20}\}", "", value["text"])
    if "{" in rest or "}" in rest:
        yield Problem((*path, "text"), "Invalid braces: write {{ and }} for braces that are meant")
    names = set(re.findall(r"\{([0-9A-Za-z_]{1,20})\}", value["text"].replace("{{", "").replace("}}", "")))
    for name in sorted(names - set(value.get("substitution", {}))):
        yield Problem((*path, "substitution", name), "May not be empty")


def _substitutions(value: Any, path: Path) -> Iterator[Problem]:
    one = by_type(
        {
            "emoji": shape({"type": _kind, "productId": text(100), "emojiId": text(100)}),
            "mention": shape({"type": _kind, "mentionee": _mentionee}),
        }
    )
    if not isinstance(value, dict) or len(value) > 100:  # noqa: PLR2004 - the reference's number
        yield Problem(path, "size must be between 0 and 100")
        return
    for name, each in value.items():
        if not re.fullmatch(r"[0-9A-Za-z_]{1,20}", name):
            yield Problem((*path, name), "invalid property")
        yield from one(each, (*path, name))


_mentionee = by_type(
    {
        "user": shape({"type": _kind, "userId": pattern(USER_ID, "Must be a user id")}),
        "all": shape({"type": _kind}),
    }
)


def _templates() -> Check:
    """Buttons, confirm and the two carousels.

    https://developers.line.biz/en/reference/messaging-api/#template-messages
    """
    tap = actions(20, needed=True)
    looks = {
        "imageAspectRatio": one_of("rectangle", "square"),
        "imageSize": one_of("cover", "contain"),
    }
    head = {
        "thumbnailImageUrl": _secure,
        "imageBackgroundColor": pattern(r"#[0-9A-Fa-f]{6}", "Must be a colour like #FFFFFF"),
        "title": text(40, graphemes),
        "defaultAction": actions(20, needed=False),
    }
    buttons = shape({"type": _kind, "text": text(160, graphemes), "actions": array(tap, 1, 4)}, {**head, **looks})
    confirm = shape({"type": _kind, "text": text(240, graphemes), "actions": array(tap, 2, 2)})
    column = shape({"text": text(120, graphemes), "actions": array(tap, 1, 3)}, head)
    picture = shape({"imageUrl": _secure, "action": actions(12, needed=False)})
    return by_type(
        {
            "buttons": every(buttons, _narrow(60)),
            "confirm": confirm,
            "carousel": shape({"type": _kind, "columns": array(every(column, _narrow(60)), 1, 10)}, looks),
            "image_carousel": shape({"type": _kind, "columns": array(picture, 1, 10)}),
        }
    )


def _narrow(limit: int) -> Check:
    """With a picture or a title there is less room for the text."""

    def check(value: Any, path: Path) -> Iterator[Problem]:
        if "title" in value or "thumbnailImageUrl" in value:
            yield from text(limit, graphemes)(value["text"], (*path, "text"))

    return check


def _message(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    return shape({"type": _kind, **required}, _common if optional is None else optional)


_digits = pattern(r"\d{1,20}", "Must be a number written as text")
_emoji = shape({"index": whole(0, 5000), "productId": text(100), "emojiId": text(100)})

message_object: Check = by_type(
    {
        "text": _message({"text": text(5000)}, {**_quoting, "emojis": array(_emoji, 1, 20)}),
        "textV2": every(_message({"text": text(5000)}, {**_quoting, "substitution": _substitutions}), _braces),
        "sticker": _message({"packageId": _digits, "stickerId": _digits}, _quoting),
        "image": _message({"originalContentUrl": _secure, "previewImageUrl": _secure}),
        "video": _message(
            {"originalContentUrl": _secure, "previewImageUrl": _secure}, {**_common, "trackingId": text(100)}
        ),
        "audio": _message({"originalContentUrl": _secure, "duration": whole(1, 2**53)}),
        "location": _message(
            {
                "title": text(100, code_points),
                "address": text(100, code_points),
                "latitude": number(-90, 90),
                "longitude": number(-180, 180),
            }
        ),
        "template": _message({"altText": _alt, "template": _templates()}),
        "flex": _message({"altText": _alt, "contents": flex_contents(actions)}),
    }
)

_messages = array(message_object, 1, MAX_MESSAGES)
_quiet = {"notificationDisabled": flag}

reply_request = shape({"replyToken": text(500), "messages": _messages}, _quiet)
push_request = shape(
    {"to": text(100), "messages": _messages},
    {**_quiet, "customAggregationUnits": array(text(30), 0, 1)},
)
validate_request = shape({"messages": _messages})
loading_request = shape(
    {"chatId": pattern(USER_ID, "Only user id is acceptable")}, {"loadingSeconds": whole(5, 60, step=5)}
)
endpoint_request = shape({"endpoint": text(500, utf16_units)})
test_request = shape({}, {"endpoint": text(500, utf16_units)})
_bounds = shape({"x": whole(0, 2500), "y": whole(0, 2500), "width": whole(1, 2500), "height": whole(1, 2500)})


def _menu_fits(value: Any, path: Path) -> Iterator[Problem]:
    """https://developers.line.biz/en/reference/messaging-api/#size-object ."""
    width, height = value["size"]["width"], value["size"]["height"]
    if width < 1.45 * height:
        yield Problem((*path, "size"), "The aspect ratio (width / height) must be at least 1.45")
    for place, area in enumerate(value["areas"]):
        bounds = area["bounds"]
        if bounds["x"] + bounds["width"] > width or bounds["y"] + bounds["height"] > height:
            yield Problem((*path, "areas", place, "bounds"), "Must be inside the size")


menu_request = every(
    shape(
        {
            "size": shape({"width": whole(800, 2500), "height": whole(250, 2500)}),
            "selected": flag,
            "name": text(300, code_points),
            "chatBarText": text(14, code_points),
            "areas": array(shape({"bounds": _bounds, "action": actions(20, needed=False)}), 1, 20),
        }
    ),
    _menu_fits,
)
read_request = shape({"markAsReadToken": text(500)})


def refusal(problems: list[Problem]) -> dict[str, Any]:
    """The body of a 400 in LINE's shape; what is wrong inside a Flex container is named by a pointer into it.

    https://developers.line.biz/en/reference/messaging-api/#error-responses
    """
    inside = [each for each in problems if _in_flex(each.path)]
    if inside:
        where = dotted(inside[0].path[:2])
        heading = f"A message ({where}) in the request body is invalid"
    else:
        heading = f"The request body has {len(problems)} error(s)"
    return {"message": heading, "details": [_detail(each) for each in problems]}


def _in_flex(path: Path) -> bool:
    return path[:1] == ("messages",) and path[2:3] == ("contents",) and len(path) > len(("messages", 0, "contents"))


def _detail(problem: Problem) -> dict[str, str]:
    where = pointer(problem.path[3:]) if _in_flex(problem.path) else dotted(problem.path)
    return {"message": problem.message, "property": where}

"""What an event of LINE says: its words, what was picked or shown, who came and went; for each kind its own fields.

Pure. Must not know when it was said, to whom, or whether it can be answered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from bot.line.loose_json import ID_LIMIT, Json, id_in, is_object, list_in, object_in
from bot.ports import BACK, TYPED, WORDS, Media, MessageKind

TEXT_LIMIT: Final = 10_000
FILE_NAME_LIMIT: Final = 200
DATA_LIMIT: Final = 1_000
PARAMS_LIMIT: Final = 16
SET_LIMIT: Final = 50
"""Pictures that are sent together: who says more is not believed, or a turn would wait for them in vain."""
PEOPLE_LIMIT: Final = 100
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def said_in(event: Json, kind: MessageKind) -> dict[str, Any]:
    """The fields that carry a person's words."""
    if kind == "postback":
        postback = object_in(event, "postback")
        return {"data": _words(postback.get("data"), DATA_LIMIT), "params": _params(postback.get("params"))}
    if kind in {"members_came", "members_left"}:
        return {"data": _people(event)}
    message = object_in(event, "message")
    if kind == "follow":
        return {"data": BACK if object_in(event, "follow").get("isUnblocked") is True else ""}
    if kind in WORDS:
        spans = _self_mentions(event)
        words = _spoken(message.get("text"), [*spans, *(span for span, _ in _emojis(message))])
        return {"text": words, "mentions_me": bool(spans)}
    if kind == "sticker":
        typed = _words(message.get("text"), TEXT_LIMIT).strip()
        keywords = _joined([message.get("text"), *list_in(message, "keywords")])
        return {"text": keywords, "params": {TYPED: typed} if typed else {}}
    if kind == "location":
        words = _joined([message.get("title"), message.get("address")]) or _coordinates(message)
        return {"text": words, "media": _media(message)}
    name = {"text": _file_name(message.get("fileName"))} if kind == "file" else {}
    return {**name, "media": _media(message)} if kind in {"image", "video", "audio", "file"} else {}


def _media(message: Json) -> Media:
    """https://developers.line.biz/en/reference/messaging-api/#wh-image and what follows there."""
    together = object_in(message, "imageSet")
    set_id, index, total = id_in(together, "id"), _count(together, "index"), _count(together, "total")
    is_set = bool(set_id) and 0 < index <= total <= SET_LIMIT
    return Media(
        size=_count(message, "fileSize"),
        duration=_count(message, "duration"),
        set_id=set_id or "" if is_set else "",
        index=index if is_set else 0,
        total=total if is_set else 0,
        elsewhere=object_in(message, "contentProvider").get("type", "line") != "line",
        latitude=_degrees(message, "latitude", 90),
        longitude=_degrees(message, "longitude", 180),
    )


def _count(outer: Json, key: str) -> int:
    """A whole number from 0 on; 0 where there is none."""
    value = outer.get(key)
    return value if type(value) is int and value > 0 else 0


def _degrees(message: Json, key: str, most: int) -> float | None:
    value = message.get(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if -most <= value <= most else None


def _people(event: Json) -> str:
    """The ids of those who came or went, with a blank between."""
    moved = [*list_in(object_in(event, "joined"), "members"), *list_in(object_in(event, "left"), "members")]
    found = (id_in(each, "userId") for each in moved[:PEOPLE_LIMIT] if is_object(each))
    return " ".join(each for each in found if each and " " not in each)


def _self_mentions(event: Json) -> list[tuple[int, int]]:
    """Where this bot is mentioned, as (start, end) in UTF-16 units of the text."""
    mentioned = list_in(object_in(object_in(event, "message"), "mention"), "mentionees")
    return [_span(one) for one in mentioned if is_object(one) and one.get("isSelf") is True]


def _emojis(message: Json) -> list[tuple[tuple[int, int], str]]:
    """Where LINE's own emoji stand in the text, and their names: ``(love)``, or a bare ``()``. They are no words.

    https://developers.line.biz/en/reference/messaging-api/#wh-text
    """
    text = message.get("text")
    units = text.encode("utf-16-le", "surrogatepass") if isinstance(text, str) else b""
    found = []
    for span in (_span(one) for one in list_in(message, "emojis") if is_object(one)):
        name = units[2 * span[0] : 2 * span[1]].decode("utf-16-le", "replace")
        if name.startswith("(") and name.endswith(")"):
            found.append((span, name[1:-1]))
    return found


def emoji_names(message: Json) -> str:
    """What LINE's own emoji in the text are called; "" if there are none."""
    return _joined([name for _, name in _emojis(message)])


def _span(mentionee: Json) -> tuple[int, int]:
    start, length = mentionee.get("index"), mentionee.get("length")
    if type(start) is not int or type(length) is not int or start < 0 or length < 0:
        return (0, 0)
    return (start, start + length)


def _spoken(text: Any, mentions: Sequence[tuple[int, int]]) -> str:
    """The text without the mentions of the bot. LINE counts in UTF-16 units, before anything is removed."""
    if not isinstance(text, str) or not mentions:
        return _words(text, TEXT_LIMIT)
    units = text.encode("utf-16-le", "surrogatepass")
    kept, at = bytearray(), 0
    for start, end in sorted(mentions):
        kept += units[2 * at : 2 * start]
        at = max(at, end)
    kept += units[2 * at :]
    return _words(kept.decode("utf-16-le", "surrogatepass"), TEXT_LIMIT).strip()


def _params(given: Any) -> dict[str, str]:
    """What a date picker or a rich menu switch adds to a postback: text only."""
    if not is_object(given):
        return {}
    pairs = [(key, value) for key, value in given.items() if isinstance(value, str) and len(key) <= ID_LIMIT]
    return {_words(key, ID_LIMIT): _words(value, DATA_LIMIT) for key, value in pairs[:PARAMS_LIMIT]}


def _joined(parts: Sequence[Any]) -> str:
    words = [_words(part, TEXT_LIMIT).strip() for part in parts[:PARAMS_LIMIT]]
    return ", ".join(dict.fromkeys(word for word in words if word))[:TEXT_LIMIT]


def _coordinates(message: Json) -> str:
    point = [message.get("latitude"), message.get("longitude")]
    return ", ".join(str(axis) for axis in point) if all(type(axis) in (int, float) for axis in point) else ""


def _file_name(given: Any) -> str:
    """The last part of a file's name, without anything that steers a terminal, a path or the direction of writing."""
    name = re.split(r"[/\\]", _words(given, TEXT_LIMIT))[-1]
    seen = "".join(sign for sign in name if unicodedata.category(sign)[0] != "C").strip(" .")
    return seen[:FILE_NAME_LIMIT]


def _words(given: Any, limit: int) -> str:
    """Text as it was sent, minus what no store and no JSON can carry: NUL and halves of surrogate pairs."""
    return _UNSTORABLE.sub("", given)[:limit] if isinstance(given, str) else ""

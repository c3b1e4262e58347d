"""Of the records that were found by their description: which one is meant, and the call that changes it.

Pure. Must not know how a description is read, or how a result is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.engines.offline.plan import LOOKED_FOR, Arguments, Person, Wish
from tools.when import NotUnderstood, read_moment

_RUNG = timedelta(hours=12)
"""So long ago it may have rung, to be snoozed."""

Found = Mapping[str, Any]


def fitting(wish: Wish, result: Mapping[str, Any]) -> list[Found]:
    """The records that are meant, as far as the question to the store could not say it."""
    records: list[Found] = list(result.get("records") or ())
    return [each for each in records if each.get("remind_at")] if wish.rings else records


def is_one(wish: Wish, result: Mapping[str, Any]) -> bool:
    """Whether it is certain which record is meant, or that all of them are."""
    found = fitting(wish, result)
    all_told = wish.rings or result.get("matched") == len(found)
    return bool(found) and ((len(found) == 1 and all_told) or wish.every or wish.about == "snooze")


def next_call(wish: Wish, result: Mapping[str, Any], person: Person) -> Wish | None:
    """What is done about the record that was found; None if it is not certain which."""
    if wish.about not in LOOKED_FOR or not is_one(wish, result):
        return None
    found = fitting(wish, result)
    if wish.about == "snooze":
        return _snooze(wish, found, person)
    refs = [each["ref"] for each in found]
    if wish.about == "drop":
        return _drop(wish, found)
    if len(refs) > 1:
        return None
    changes: Arguments = {"finish": {"status": "done"}, "call_off": {"status": "cancelled"}}.get(wish.about, wish.then)
    if wish.about == "move" and "when" in changes:
        changes = {"when": _on_its_day(changes["when"], found[0], person)}
    return Wish("update_record", {"ref": refs[0], **changes}, line=wish.line)


def _drop(wish: Wish, found: Sequence[Found]) -> Wish:
    """An event that rings stays when only its reminder is not wanted any more."""
    refs = [each["ref"] for each in found]
    if len(refs) > 1:
        return Wish("delete_record", {"refs": refs}, line=wish.line)
    if wish.rings and found[0].get("type") == "event":
        return Wish("update_record", {"ref": refs[0], "remind_at": "remove"}, line=wish.line)
    return Wish("delete_record", {"ref": refs[0]}, line=wish.line)


def _on_its_day(when: str, record: Found, person: Person) -> str:
    """A clock time without a day is one on the record's own."""
    later = person.now.replace(hour=0, minute=0)
    try:
        bare = isinstance(read_moment(f"2026-01-01 {when}", later), datetime)
        if bare and record.get("when"):
            dated = f"{str(record['when'])[:10]} {when}"
            read_moment(dated, person.now)
            return dated
    except NotUnderstood:
        pass
    return when


def _snooze(wish: Wish, found: Sequence[Found], person: Person) -> Wish | None:
    now = person.now.replace(tzinfo=None)
    rings = [(datetime.fromisoformat(each["remind_at"]), each["ref"]) for each in found]
    rung = [each for each in rings if now - _RUNG <= each[0] <= now]
    coming = [each for each in rings if each[0] > now]
    if not rung and not coming:
        return None
    at, ref = max(rung) if rung else min(coming)
    later = max(at, now) + timedelta(minutes=wish.then["minutes"])
    return Wish("update_record", {"ref": ref, "remind_at": later.isoformat(timespec="minutes")}, line=wish.line)

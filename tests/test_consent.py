"""Which changes wait for the person's own tap."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tools.consent import deletion_waits, revision_waits
from tools.record import CallKey, Change, PersonId, Record

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FREE, GUARDED = CallKey("turn", 3), CallKey("turn", 3, guarded=True)


def record(ref: int = 1, **fields: Any) -> Record:
    made = {"content": "買牛奶", "type": "task", "created_at": NOON, "updated_at": NOON} | fields
    return Record(id=f"r{ref}", owner=PersonId("U1"), ref=ref, key=f"{ref}", rev=1, **made)


def change(kind: str, ref: int = 1, state: str = "done", call: int = 1, **fields: Any) -> Change:
    one = record(ref, **fields)
    return Change(
        id=f"c{call}", key=CallKey("turn", call), kind=kind, state=state, before=one, after=one, result={}, at=NOON
    )


def test_ones_own_record_is_changed_at_once():
    assert not revision_waits(FREE, record(), [])
    assert not revision_waits(FREE, record(origin="others"), [])


def test_in_a_guarded_call_a_change_waits():
    assert revision_waits(GUARDED, record(), [])
    assert revision_waits(GUARDED, record(origin="others"), [])


def test_what_was_made_of_others_words_in_this_turn_may_be_mended_at_once():
    assert not revision_waits(GUARDED, record(origin="others"), [change("create")])


@pytest.mark.parametrize(
    ("origin", "earlier"),
    [
        ("own", change("create")),
        ("others", change("create", ref=2)),
        ("others", change("update")),
        ("others", change("create", state="undone")),
    ],
)
def test_everything_else_waits_in_a_guarded_call(origin, earlier):
    assert revision_waits(GUARDED, record(origin=origin), [earlier])


def test_one_deletion_is_made_at_once_and_several_wait():
    assert not deletion_waits(FREE, 1, [])
    assert deletion_waits(FREE, 2, [])
    assert deletion_waits(GUARDED, 1, [])


@pytest.mark.parametrize("state", ["done", "proposed", "expired"])
def test_after_a_deletion_of_the_turn_every_other_waits(state):
    assert deletion_waits(FREE, 1, [change("delete", ref=2, state=state)])


def test_a_deletion_that_was_taken_back_and_other_changes_do_not_count():
    assert not deletion_waits(FREE, 1, [change("delete", ref=2, state="undone"), change("update"), change("create")])


def test_a_deletion_that_is_carried_out_again_does_not_count_itself():
    own = replace(change("delete"), key=FREE)

    assert not deletion_waits(FREE, 1, [own])

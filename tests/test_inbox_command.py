"""The operator's ``inbox`` command: what it says, and that it says it beside a running bot and disturbs nothing."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.inbox_command import Desk, Effect, Glance, NotPossible, Step, Whole, age, visible
from bot.ports import Bubble, Button, TurnId
from bot.redaction import Redactor
from tests.bot_process import BotProcess, heard, running, somebody
from tests.fakes import ANNA, NOON, said

TURN = Glance(
    id=TurnId("01E001"),
    chat=ANNA,
    state="delivered",
    kind="text",
    messages=2,
    deaths=3,
    heard_at=NOON - timedelta(minutes=5),
    moved_at=NOON - timedelta(minutes=4),
    set_aside_at=NOON - timedelta(minutes=4),
)
OWED = replace(TURN, id=TurnId("01E009"), state="answered", messages=1, deaths=0, set_aside_at=None, owed=True)
SECRET = "token-of-the-channel"
WHOLE = Whole(
    glance=TURN,
    messages=(said(1, f"買牛奶\n密碼 {SECRET}"), said(2, kind="postback", text="", data="done:7")),
    transcript=(Step("user", (), 120), Step("assistant", ("create_record", "query_records x2"), 300)),
    changes=(Effect(12, "create", "done"),),
    answer=(Bubble("記好了", (Button("復原", "undo:1"),)),),
)


class Shelf:
    """An inbox with these turns in it."""

    def __init__(self, *turns: Glance, **more: int) -> None:
        self.list = list(turns)
        self.more = more
        self.asked: list[tuple[str, str]] = []

    async def counts(self) -> dict[str, int]:
        return {"answered": 1, "delivered": 214, "failed": 0, **self.more}

    async def turns(self, *, every: bool = False) -> list[Glance]:
        return self.list

    async def find(self, id_: str) -> Whole:
        return WHOLE

    async def retry(self, id_: str) -> Glance:
        self.asked.append(("retry", id_))
        return replace(self.list[0], state="received")

    async def drop(self, id_: str, *, force: bool = False) -> Glance:
        self.asked.append(("drop by force" if force else "drop", id_))
        return self.list[0]


def desk(*turns: Glance, pushes="reminders") -> Desk:
    return Desk(Shelf(*turns), Redactor([SECRET]), lambda: NOON, pushes)


# ── what is said ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_list_has_a_line_for_each_turn_and_ends_with_the_counts():
    lines = (await desk(TURN, OWED).told("list")).split("\n")

    assert lines == [
        "AGE    STATE      CHAT       KIND             DEATHS  ID",
        "5 min  delivered  Uaaaaaaa…  text and 1 more  3       01E001  set aside",
        "5 min  answered   Uaaaaaaa…  text             0       01E009  owed",
        "owed: the answer is there, and goes in front of the chat's next reply",
        "messages: 1 answered, 214 delivered; waiting: 1; turns set aside: 1",
    ]


async def test_an_answer_that_may_have_arrived_is_listed_as_such():
    assert (await desk(replace(OWED, maybe_sent=True)).told("list")).split("\n")[1].endswith("owed, maybe sent")


async def test_a_turn_whose_words_wait_for_the_model_is_listed_as_such():
    waits = replace(TURN, set_aside_at=None, postponed=True)
    assert (await desk(waits).told("list")).split("\n")[1].endswith("01E001  waits for the model")


async def test_where_nothing_waits_that_is_said():
    assert (await desk().told("list")).startswith("Nothing waits, and nothing was set aside.\n")


@pytest.mark.parametrize(("kept", "said_"), [(4, "4 wait for the model: "), (1, "1 waits for the model: ")])
async def test_what_waits_for_the_model_is_told_apart_from_what_waits_for_the_bot(kept: int, said_: str):
    here = Desk(Shelf(postponed=kept), Redactor([SECRET]), lambda: NOON, "reminders")

    told = (await here.told("list")).split("\n")

    assert told[0] == "Nothing waits for the bot, and nothing was set aside."
    assert told[1] == "messages: 1 answered, 214 delivered; waiting: 1; turns set aside: 0"
    assert told[2].startswith(said_)
    assert "postponed" not in "".join(told)
    assert json.loads(await here.told("list", as_json=True))["counts"]["postponed"] == kept


async def test_a_turn_is_shown_part_by_part_with_its_secrets_masked():
    assert (await desk().told("show", "01E")).split("\n") == [
        "turn   01E001",
        f"chat   {ANNA}",
        "state  delivered (set aside), since 2026-11-30 03:56:00 UTC",
        "heard  2026-11-30 03:55:00 UTC, 5 min ago",
        "deaths 3",
        "messages:",
        "  01E001  2026-11-30 04:00:01 UTC  text  買牛奶",
        "  密碼 •••",
        "  01E002  2026-11-30 04:00:02 UTC  postback  done:7",
        "transcript:",
        "  0  user  120 bytes",
        "  1  assistant  300 bytes  create_record, query_records x2",
        "changes:",
        "  #12 create, done",
        "answer:",
        "  記好了",
        "  [復原]",
    ]


@pytest.mark.parametrize(
    ("kind", "pushes", "way"),
    [
        ("text", "reminders", "in front of the chat's next reply"),
        ("text", "off", "in front of the chat's next reply"),
        ("text", "all", "is pushed"),
        ("reminder", "reminders", "is pushed"),
        ("reminder", "off", "in front of the chat's next reply"),
    ],
)
async def test_a_retry_says_on_which_way_the_answer_will_go(kind: str, pushes: str, way: str):
    told = await desk(replace(TURN, kind=kind), pushes=pushes).told("retry", "01E001")

    assert told.startswith("01E001 waits again: a running bot takes it up within 2 seconds")
    assert "reply token is dead" in told
    assert way in told


async def test_a_drop_says_what_became_of_the_turn():
    assert "nothing more is begun about it, and nobody is told" in await desk(OWED).told("drop", "01E009")
    assert await desk(TURN).told("drop", "01E001") == "01E001 is not listed any more."


async def test_a_drop_under_the_hands_of_a_bot_says_that_it_may_still_change_something():
    here = desk(replace(OWED, owed=False, at_work=True))

    assert (await here.told("list")).split("\n")[1].endswith("01E009  at work")
    told = await here.told("drop", "01E009", force=True)

    assert here.inbox.asked == [("drop by force", "01E009")]
    assert told.endswith("The bot that has it in hand may change something more until it notices.")


@pytest.mark.parametrize("action", ["show", "retry", "drop"])
async def test_no_id_means_no_turn_at_all(action: str):
    here = desk(TURN)
    for nothing in ("", " "):
        with pytest.raises(NotPossible, match=f"Name a turn: python -m bot inbox {action} ID"):
            await here.told(action, nothing)
    assert here.inbox.asked == []


async def test_programs_get_everything_as_json_with_secrets_masked_too():
    listed = json.loads(await desk(TURN, OWED).told("list", as_json=True))
    assert listed["counts"] == {"answered": 1, "delivered": 214, "failed": 0}
    assert [(each["id"], each["chat"], each["deaths"], each["owed"]) for each in listed["turns"]] == [
        ("01E001", ANNA, 3, False),
        ("01E009", ANNA, 0, True),
    ]
    assert listed["turns"][0]["set_aside_at"] == "2026-11-30T03:56:00+00:00"

    shown = json.loads(await desk().told("show", "01E", as_json=True))
    assert shown["heard"][0]["text"] == "買牛奶\n密碼 •••"
    assert shown["transcript"][1] == {"role": "assistant", "tools": ["create_record", "query_records x2"], "bytes": 300}
    assert shown["answer"] == ["記好了"]


async def test_words_that_would_steer_the_operators_terminal_are_shown_as_numbers():
    assert visible("買\x1b[2J\u202e牛奶\x9b\t\n👨\u200d👩 ก็") == "買\\u001b[2J\\u202e牛奶\\u009b\\t\n👨\u200d👩 ก็"


@pytest.mark.parametrize(
    ("passed", "said_"),
    [({"seconds": 59}, "59 s"), ({"seconds": 60}, "1 min"), ({"minutes": 119}, "119 min"), ({"hours": 47}, "47 h"),
     ({"days": 2}, "2 d"), ({"seconds": -5}, "0 s")],
)  # fmt: skip
def test_an_age_is_one_figure(passed: dict[str, float], said_: str):
    assert age(NOON, NOON + timedelta(**passed)) == said_


# ── as a process ──────────────────────────────────────────────────────────────────────────────────────────────────


def in_the_store(folder: Path, *statements: str, owed: bool = False) -> list[str]:
    """Do this beside the bot; the ids of the turns there are, or of those whose answer is owed, oldest first."""
    which = "id = turn AND owed_at IS NOT NULL" if owed else "id = turn"
    with closing(sqlite3.connect(folder / "bot.db", timeout=10)) as store, store:
        for each in statements:
            store.execute(each)
        return [row[0] for row in store.execute(f"SELECT id FROM inbox WHERE {which} ORDER BY occurred_at")]


def in_folder(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def one_message(bot: BotProcess, *arguments: str) -> str:
    code, out, err = await bot.command("inbox", *arguments)
    assert (code, out, len(err.splitlines())) == (1, "", 1), (code, out, err)
    return err


async def test_beside_a_running_bot_a_turn_is_seen_tried_again_and_dropped(tmp_path: Path):
    async with running(tmp_path) as bot:
        phone = await somebody(bot)
        await phone.say("午餐 120")
        await heard(phone, "120")
        *_, turn = in_the_store(tmp_path)
        in_the_store(tmp_path, f"UPDATE inbox SET set_aside_at = moved_at, deaths = 3 WHERE id = '{turn}'")

        code, out, err = await bot.command("inbox")
        assert (code, err) == (0, "")
        assert turn in out.splitlines()[1]
        assert "set aside" in out
        _, shown, _ = await bot.command("inbox", "show", turn)
        assert all(each in shown for each in ("午餐 120", "create_record", "#1 create"))

        code, out, err = await bot.command("inbox", "retry", turn[:-1])
        assert (code, err) == (0, ""), err
        assert out.startswith(f"{turn} waits again")
        async with asyncio.timeout(20):
            while turn not in in_the_store(tmp_path, owed=True):  # noqa: ASYNC110 - another process does it
                await asyncio.sleep(0.1)
        assert len(await bot.records(phone.person)) == 1

        assert (await bot.command("inbox", "drop", turn))[0] == 0
        await phone.say("晚餐 300")
        assert "120" not in await heard(phone, "晚餐 300")
        assert "was answered, and the person has it" in await one_message(bot, "retry", in_the_store(tmp_path)[-1])


async def test_mistakes_end_in_one_line(tmp_path: Path, blank: Path):
    shutil.copy(blank, tmp_path / "bot.db")
    bot = BotProcess(tmp_path)

    assert "No turn has an id that begins with x." in await one_message(bot, "show", "x")
    assert "Name a turn" in await one_message(bot, "drop")
    code, out, _ = await bot.command("inbox")
    assert (code, out.splitlines()[-1]) == (0, "messages: none; waiting: 0; turns set aside: 0")
    in_the_store(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    assert "update the program" in await one_message(bot)


async def test_whoever_stops_reading_the_inbox_gets_no_complaint(tmp_path: Path, blank: Path):
    shutil.copy(blank, tmp_path / "bot.db")
    assert await BotProcess(tmp_path).unread("inbox") == (1, "")


async def test_where_no_bot_has_been_nothing_is_made(tmp_path: Path):
    assert "bot.db is not there" in await one_message(BotProcess(tmp_path))
    assert in_folder(tmp_path) == []

"""The operator's ``log`` command: what it says of the last turns, and that it says it beside a running bot."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.inbox_command import NotPossible
from bot.log_command import HOW_TO_KEEP, AuditedCall, Line, LogDesk
from bot.ports import TurnId
from bot.redaction import Redactor
from tests.bot_process import BotProcess, heard, running, somebody
from tests.emulators import openai as openai_emulator
from tests.emulators.openai import KEY, MODEL, asks, says
from tests.fakes import ANNA, BEN, NOON
from tools.record import PersonId

SECRET = "token-of-the-channel"
CALL = AuditedCall(
    turn=TurnId("01E001"),
    call=1,
    person=PersonId(ANNA),
    tool="create_record",
    outcome="ok",
    seconds=0.0123,
    hash="0123456789abcdef" * 4,
    at=NOON,
)
OTHER = replace(CALL, turn=TurnId("01E002"), person=PersonId(BEN), outcome="not_found", at=NOON + timedelta(seconds=9))


class Ledger:
    """The calls that are on record."""

    def __init__(self, *calls: AuditedCall) -> None:
        self._calls = calls

    async def calls(self, *, turn: str, person: str, last: int) -> list[AuditedCall]:
        return [each for each in self._calls if each.turn.startswith(turn) and each.person.startswith(person)]


def attempt(turn: str = "01E001", at: datetime = NOON, **more: Any) -> dict[str, Any]:
    told = {
        "at": at.isoformat(),
        "turn": turn,
        "chat": ANNA,
        "person": ANNA,
        "attempt": 1,
        "engine": "e.example/m",
        "status": 200,
        "seconds": 1.2,
        "usage": {"prompt": 120, "completion": 7},
        "error": "",
        "adaptation": "",
        "sent": {"messages": [{"role": "user", "content": "我的祕密日記"}]},
        "came": "<html>\nodd\n</html>",
    }
    return told | more


def preview(call: int = 1, arguments: str = '{"content":"買牛奶"}') -> dict[str, Any]:
    return {
        "at": NOON.isoformat(),
        "turn": "01E001",
        "chat": ANNA,
        "person": ANNA,
        "call": call,
        "arguments": arguments,
    }


def desk(*calls: AuditedCall, lines: list[Line] | None = None) -> LogDesk:
    return LogDesk(Ledger(*calls), lines, Redactor([SECRET]))


async def test_each_call_has_a_line_with_what_came_of_it():
    told = await desk(CALL, OTHER).told()

    assert told.split("\n") == [
        "turn 01E001  person Uaaaaaaa…  last at 2026-11-30 04:00:00 UTC",
        "  call 1  create_record  ok  12 ms  arguments 0123456789ab",
        "",
        "turn 01E002  person Ubbbbbbb…  last at 2026-11-30 04:00:09 UTC",
        "  call 1  create_record  not_found  12 ms  arguments 0123456789ab",
        "",
        HOW_TO_KEEP,
    ]


async def test_attempts_stand_before_the_calls_with_their_figures_and_without_a_word():
    failed = attempt(attempt=2, status=None, usage=None, error="no answer within 60 s", adaptation="tools=False")
    told = await desk(CALL, lines=[attempt(), failed, preview()]).told()

    assert told.split("\n") == [
        "turn 01E001  person Uaaaaaaa…  last at 2026-11-30 04:00:00 UTC",
        "  attempt 1  e.example/m  status 200  1.2 s  120+7 tokens",
        "  attempt 2  e.example/m  nothing came  1.2 s  error: no answer within 60 s  adaptation: tools=False",
        "  call 1  create_record  ok  12 ms  arguments 0123456789ab",
        "",
        "--turn ID shows what was said and answered in one turn; --json also whole requests.",
    ]


def came(text: str = "", *calls: tuple[str, str]) -> dict[str, Any]:
    asked = [{"id": f"c{n}", "function": {"name": name, "arguments": said}} for n, (name, said) in enumerate(calls)]
    return {"choices": [{"message": {"role": "assistant", "content": text, "tool_calls": asked}}]}


async def test_a_turn_that_is_named_is_told_in_words():
    sent = {
        "tools": [{"type": "function", "function": {"name": "create_record", "description": "A long description"}}],
        "messages": [
            {"role": "system", "content": "A long prompt"},
            {"role": "user", "content": "早餐 60"},
            {"role": "tool", "content": "an earlier result"},
            {"role": "user", "content": "午餐 120\n謝謝"},
        ],
    }
    then = {
        "tools": "as before",
        "messages": ["4 messages as before", {"role": "assistant"}, {"role": "tool", "content": '{"ref":1}'}],
    }
    lines = [
        attempt(sent=sent, came=came("", ("create_record", '{"content":"買牛奶"}'))),
        preview(),
        attempt(attempt=2, sent=then, came=came("好"), adaptation="tools=False"),
    ]

    told = await desk(CALL, OTHER, lines=[*lines, attempt("01E002")]).told(turn="01E001")

    assert told.split("\n") == [
        f"turn 01E001  person {ANNA}  last at 2026-11-30 04:00:00 UTC",
        "  attempt 1  e.example/m  status 200  1.2 s  120+7 tokens",
        "    said: 午餐 120",
        "    謝謝",
        '    called: create_record {"content":"買牛奶"}',
        "  attempt 2  e.example/m  status 200  1.2 s  120+7 tokens  adaptation: tools=False",
        '    result: {"ref":1}',
        "    answered: 好",
        "  call 1  create_record  ok  12 ms  arguments 0123456789ab",
    ]


async def test_an_answer_that_is_none_is_shown_as_it_came_and_calls_with_their_arguments():
    told = await desk(CALL, lines=[attempt(), preview()]).told(turn="01E001")

    assert "    came: <html>\n    odd\n" in told
    assert told.endswith('\n    {"content":"買牛奶"}')


async def test_a_long_text_is_cut_and_whole_for_programs():
    lines = [attempt(came=came("好" * 5_000))]

    told = await desk(lines=lines).told(turn="01E001")

    assert told.endswith(f"answered: {'好' * 1_000}… (cut: 4000 more)")
    assert "好" * 5_000 in await desk(lines=lines).told(turn="01E001", as_json=True)


@pytest.mark.parametrize(
    "odd",
    [
        {"sent": 7, "came": 7},
        {"sent": {"messages": "x"}, "came": {"choices": "x"}},
        {"sent": {"messages": [None, {"role": "user"}, 3]}, "came": {"choices": [None, {"message": []}]}},
        {"came": {"choices": [{"message": {"content": ["x"], "tool_calls": [None, {"function": 1}]}}]}},
    ],
)
async def test_whatever_was_sent_and_came_can_be_told(odd: dict[str, Any]):
    assert (await desk(lines=[attempt(**odd)]).told(turn="01E001")).startswith("turn 01E001")


@pytest.mark.parametrize("as_json", [False, True])
async def test_a_beginning_that_several_turns_have_names_none_of_them(as_json: bool):
    here = desk(CALL, OTHER, lines=[attempt("01E003")])

    with pytest.raises(NotPossible, match="Several turns have an id that begins with 01E: 01E001, 01E002, 01E003"):
        await here.told(turn="01E", as_json=as_json)
    many = desk(lines=[attempt(f"01E00{number}") for number in range(7)])
    with pytest.raises(NotPossible, match=r"01E004, …$"):
        await many.told(turn="01E", as_json=as_json)


async def test_a_whole_id_is_not_taken_for_the_beginning_of_another():
    told = await desk(CALL, replace(CALL, turn=TurnId("01E0012"))).told(turn="01E001")
    assert told.startswith("turn 01E001 ")


async def test_a_beginning_that_no_turn_has_is_refused():
    with pytest.raises(NotPossible, match=r"^No turn has an id that begins with 02\.$"):
        await desk(CALL, lines=[]).told(turn="02")
    with pytest.raises(NotPossible, match=r"^No turn has an id .* on record only with AI_LOG_FILE\.$"):
        await desk(CALL).told(turn="02")


async def test_turns_of_one_person_are_picked_out():
    told = await desk(CALL, OTHER, lines=[attempt(), attempt("01E003", person=BEN)]).told(person=BEN)
    assert [line.split()[1] for line in told.split("\n") if line.startswith("turn")] == ["01E003", "01E002"]


async def test_the_last_turns_are_shown_the_newest_at_the_end():
    lines = [attempt(f"turn{number}", NOON + timedelta(seconds=number)) for number in range(30)]
    told = await desk(lines=lines).told(last=2)
    assert [line.split()[1] for line in told.split("\n") if line.startswith("turn")] == ["turn28", "turn29"]


async def test_nothing_on_record_is_said():
    assert await desk(lines=[]).told() == "No turn is on record."
    assert await desk().told() == f"No turn is on record.\n\n{HOW_TO_KEEP}"


async def test_for_programs_it_is_json():
    told = json.loads(await desk(CALL, lines=[attempt()]).told(as_json=True))

    (turn,) = told["turns"]
    assert (told["attempts_kept"], turn["turn"], turn["person"], turn["at"]) == (True, "01E001", ANNA, NOON.isoformat())
    assert turn["calls"][0] == {
        "turn": "01E001",
        "call": 1,
        "person": ANNA,
        "tool": "create_record",
        "outcome": "ok",
        "seconds": 0.0123,
        "hash": CALL.hash,
        "at": NOON.isoformat(),
    }
    assert turn["log"] == [attempt()]


@pytest.mark.parametrize("as_json", [False, True])
async def test_neither_a_secret_nor_what_steers_a_terminal_is_shown(as_json: bool):
    lines = [attempt(came=f"{SECRET} \x1b[2J\u202e"), preview(arguments=f"{SECRET}\x07")]
    told = await desk(CALL, lines=lines).told(turn="01E001", as_json=as_json)
    assert SECRET not in told
    assert not {"\x1b", "\u202e", "\x07"}.intersection(told)


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"turn": "01E001"},
        attempt(at=NOON) | {"at": "yesterday"},
        attempt() | {"at": "2026-11-30T04:00:00"},
        attempt() | {"turn": 7},
        attempt() | {"person": None},
    ],
)
async def test_what_is_no_line_of_ours_is_passed_over(odd: dict[str, Any]):
    assert await desk(lines=[odd]).told() == "No turn is on record."


async def test_a_line_with_less_in_it_is_shown_as_far_as_it_goes():
    bare = {"at": NOON.isoformat(), "turn": "01E001", "person": "", "attempt": 1, "usage": []}
    told = await desk(lines=[bare, {"at": NOON.isoformat(), "turn": "01E001", "person": "", "call": "x"}]).told(
        turn="0"
    )
    assert told.split("\n")[:2] == [
        "turn 01E001  person (none)  last at 2026-11-30 04:00:00 UTC",
        "  attempt 1  nothing came  None s",
    ]


# ── beside a running bot ──────────────────────────────────────────────────────────────────────────────────────────


async def test_beside_a_running_bot_its_turns_are_told(tmp_path: Path):
    lunch = '{"content":"午餐","type":"expense","amount":120}'
    file = tmp_path / "ai.jsonl"
    async with openai_emulator.serving() as model:
        model.script(asks(("create_record", lunch), ("fly", "{}")), says("好"))
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}
        async with running(tmp_path, AI_LOG_FILE=str(file), **settings) as bot:
            phone = await somebody(bot)
            await phone.say("午餐 120")
            await heard(phone, "午餐 120 元")

            code, out, err = await bot.command("log")
            assert (code, err) == (0, "")
            assert "create_record  ok" in out
            assert "fly  unknown_tool" in out
            assert "attempt 2" in out
            assert "120+7 tokens" in out
            assert "午餐" not in out

            turn = out.split()[1]
            _, whole, _ = await bot.command("log", "--turn", turn[:-1])
            assert lunch in whole
            assert "said: " in whole
            assert "result: " in whole
            assert "answered: 好" in whole
            assert "messages as before" not in whole
            _, told, _ = await bot.command("log", "--json", "--last", "1", "--person", phone.person)
            (only,) = json.loads(told)["turns"]
            assert (only["turn"], [call["outcome"] for call in only["calls"]]) == (turn, ["ok", "unknown_tool"])
            assert (await bot.command("log", "--person", "Unobody"))[1].startswith("No turn is on record.")


async def test_mistakes_end_in_one_line(tmp_path: Path, blank: Path):
    shutil.copy(blank, tmp_path / "bot.db")
    bot = BotProcess(tmp_path)
    code, out, _ = await bot.command("log")
    assert (code, out) == (0, f"No turn is on record.\n\n{HOW_TO_KEEP}\n")

    for arguments in (["--last", "0"], ["--last", "many"], ["--last", "1" + "0" * 30], ["--last", "9" * 5000]):
        code, out, err = await bot.command("log", *arguments)
        assert (code, out) == (2, "")
        assert "Traceback" not in err

    for option, expected in (("--turn", 1), ("--person", 0)):
        code, _, err = await bot.command("log", option, "\udcff")
        assert (code, "Traceback" in err) == (expected, False), "bytes that are no text begin no id"
    code, out, err = await bot.command("log", "--turn", "02")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert err.startswith("No turn has an id that begins with 02.")

    wrong = {
        "PORT": "eighty",
        "DATABASE_URL": f"sqlite:///{tmp_path}/none.db",
        "AI_LOG_FILE": f"{tmp_path}/none/ai.jsonl",
    }
    for name, command in zip(wrong, ("log", "log", "serve"), strict=True):
        code, out, err = await BotProcess(tmp_path, **{name: wrong[name]}).command(command)
        assert (code, out) == (1, ""), (name, err)
        assert "Traceback" not in err
        assert name == "AI_LOG_FILE" or len(err.splitlines()) <= 2
    assert err.splitlines()[-1].startswith("- AI_LOG_FILE: ")
    code, out, _ = await bot.command("log", "--help")
    assert code == 0
    assert "AI_LOG_FILE" in out


async def test_whoever_stops_reading_the_log_gets_no_complaint(tmp_path: Path, blank: Path):
    shutil.copy(blank, tmp_path / "bot.db")
    assert await BotProcess(tmp_path).unread("log") == (1, "")

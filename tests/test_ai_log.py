"""The AI log: what models were sent and what came of it, masked, folded, bounded; and never in a turn's way."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bot.ai_log import (
    AS_BEFORE,
    LINES,
    PREVIEW_SIGNS,
    TEXT_SIGNS,
    TURNS,
    AiLog,
    Witnessed,
    answering,
    prompt_at_work,
)
from bot.model_ports import Attempt, ModelUnavailable, Prompt, Usage
from bot.ports import TurnId
from bot.redaction import MARK, Redactor
from bot.thinking.tool_loop import ToolEvent, ToolLoop
from tests.fakes import ANNA, NOON, MemoryTranscript, ScriptedModel, Shelf, a_prompt, asks, says
from tools.record import PersonId

SECRET = "topsecret-of-the-house"
TOOLS = [{"type": "function", "function": {"name": "put"}}]


def prompt(turn: str = "01E001") -> Prompt:
    return a_prompt(
        "買牛奶",
        turn=TurnId(turn),
        chat=ANNA,
        person=PersonId(ANNA),
        system="You are a secretary.",
        resumed=False,
    )


def attempt(*messages: str, came: Any = None, **more: Any) -> Attempt:
    sent = {"model": "m", "messages": [{"role": "user", "content": each} for each in messages], "tools": TOOLS}
    told = {"engine": "e.example/m", "sent": sent, "status": 200, "came": came or {}, "usage": Usage(120, 7)}
    return Attempt(**(told | {"seconds": 1.23456} | more))


def event(call: int = 1, arguments: Any = '{"thing":"牛奶"}', **more: Any) -> ToolEvent:
    whose = {"turn": TurnId("01E001"), "chat": ANNA, "person": PersonId(ANNA)}
    told = {"tool": "put", "state": "done", "outcome": "ok", "seconds": 0.0123}
    return ToolEvent(**(whose | told | {"call": call, "arguments": arguments} | more))


class Kept(list[str]):
    """Lines that were handed on."""


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def log(kept: Kept) -> AiLog:
    return AiLog(Redactor([SECRET]), lambda: NOON, kept.append)


# ── what is recorded ──────────────────────────────────────────────────────────────────────────────────────────────


def test_an_attempt_is_recorded_with_all_that_is_known_of_it(log: AiLog, kept: Kept):
    with answering(prompt()):
        log.attempt(attempt("a", came={"choices": []}, error="refused", adaptation="tool_choice=False", status=400))

    ((line,),) = log.turns
    assert [json.loads(each) for each in kept] == [line]
    assert line == {
        "at": "2026-11-30T04:00:00.000+00:00",
        "turn": "01E001",
        "chat": ANNA,
        "person": ANNA,
        "attempt": 1,
        "engine": "e.example/m",
        "status": 400,
        "seconds": 1.235,
        "usage": {"prompt": 120, "completion": 7},
        "error": "refused",
        "adaptation": "tool_choice=False",
        "sent": {"model": "m", "messages": [{"role": "user", "content": "a"}], "tools": TOOLS},
        "came": {"choices": []},
    }


def test_what_came_of_a_call_is_recorded_and_not_that_it_began(log: AiLog):
    log.call(event(state="started"))
    log.call(event(2, outcome="unknown_tool", state="failed"))

    ((line,),) = log.turns
    assert line == {
        "at": "2026-11-30T04:00:00.000+00:00",
        "turn": "01E001",
        "chat": ANNA,
        "person": ANNA,
        "call": 2,
        "tool": "put",
        "outcome": "unknown_tool",
        "seconds": 0.012,
        "arguments": '{"thing":"牛奶"}',
    }


def test_of_long_arguments_only_the_beginning_is_kept(log: AiLog):
    log.call(event(arguments="x" * PREVIEW_SIGNS))
    log.call(event(arguments="y" * (PREVIEW_SIGNS + 1)))
    log.call(event(arguments={"thing": "牛奶"}))

    ((whole, cut, shaped),) = log.turns
    assert whole["arguments"] == "x" * PREVIEW_SIGNS
    assert cut["arguments"] == "y" * PREVIEW_SIGNS + "…"
    assert shaped["arguments"] == '{"thing":"牛奶"}'


def test_messages_that_the_turn_has_shown_before_are_folded(log: AiLog):
    with answering(prompt()):
        log.attempt(attempt("a", "b"))
        log.attempt(attempt("a", "b", "c"))
        log.attempt(attempt("a", "x", "c"))
    with answering(prompt("01E002")):
        log.attempt(attempt("a", "b"))

    first, second = log.turns
    assert [line["attempt"] for line in first] == [1, 2, 3]
    assert first[1]["sent"]["messages"] == [f"2 messages {AS_BEFORE}", {"role": "user", "content": "c"}]
    assert first[2]["sent"]["messages"][0] == f"1 messages {AS_BEFORE}"
    assert [line["sent"]["tools"] for line in first] == [TOOLS, AS_BEFORE, AS_BEFORE]
    assert len(second[0]["sent"]["messages"]) == 2, "another turn begins anew"
    assert second[0]["sent"]["tools"] == TOOLS


def test_other_tools_are_shown_again(log: AiLog):
    with answering(prompt()):
        log.attempt(attempt("a"))
        log.attempt(attempt("a", sent={"messages": [], "tools": []}))
        log.attempt(attempt("a", sent={"messages": "none", "tools": [{"name": "other"}]}))

    ((_, none, other),) = log.turns
    assert none["sent"] == {"messages": [], "tools": []}
    assert other["sent"] == {"messages": "none", "tools": [{"name": "other"}]}


@pytest.mark.parametrize("text", [SECRET, "dG9wc2VjcmV0LW9mLXRoZS1ob3VzZQ==", "sk-proj-abcdefghijklmnop1234"])
def test_everything_is_masked_before_it_is_kept(log: AiLog, kept: Kept, text: str):
    with answering(prompt()):
        log.attempt(attempt(text, came={text: [text]}, error=text, adaptation=text))
        log.call(event(arguments="a" * (PREVIEW_SIGNS - 4) + f" {text}", tool=text, outcome=text))

    assert text not in "".join(kept) + json.dumps(log.turns)
    assert text[:4] not in log.turns[0][1]["arguments"], "what is cut first could lose what it is known by"
    assert MARK in log.turns[0][0]["error"]


def test_long_texts_are_cut_with_a_mark(log: AiLog):
    with answering(prompt()):
        log.attempt(attempt("a" * (TEXT_SIGNS + 5), "b" * TEXT_SIGNS, came=[{"text": "c" * (TEXT_SIGNS + 1)}]))

    ((line,),) = log.turns
    first, second = (each["content"] for each in line["sent"]["messages"])
    assert first == "a" * TEXT_SIGNS + "… (cut: 5 more)"
    assert second == "b" * TEXT_SIGNS
    assert line["came"][0]["text"].endswith("c… (cut: 1 more)")


def test_the_memory_holds_the_last_turns(log: AiLog):
    for number in range(TURNS + 3):
        with answering(prompt(f"turn{number}")):
            log.attempt(attempt("a"))

    assert [lines[0]["turn"] for lines in log.turns] == [f"turn{number}" for number in range(3, TURNS + 3)]


def test_of_a_turn_without_end_the_memory_holds_the_last_lines(log: AiLog):
    with answering(prompt()):
        for _ in range(LINES + 2):
            log.attempt(attempt("a"))

    ((*_, last),) = log.turns
    assert len(log.turns[0]) == LINES
    assert last["attempt"] == LINES + 2


def test_the_memory_is_bounded_in_size_too(log: AiLog):
    for number in range(12):
        with answering(prompt(f"turn{number}")):
            for place in range(20):
                log.attempt(attempt(f"{place}" * (TEXT_SIGNS // 2)))

    sizes = [sum(len(json.dumps(line)) for line in lines) for lines in log.turns]
    assert sum(sizes) < 20_000_000
    assert log.turns[-1][0]["turn"] == "turn11"
    assert 1 < len(log.turns) < 12


def test_what_happens_outside_of_any_turn_is_recorded_without_one(log: AiLog):
    log.attempt(attempt("a"))
    assert [(line["turn"], line["person"]) for line in log.turns[0]] == [("", "")]
    assert prompt_at_work() is None


# ── never in the way ──────────────────────────────────────────────────────────────────────────────────────────────


class Broken(Redactor):
    def _fails(self, value):
        raise ValueError(f"cannot mask {value}")

    without_keys = masked = _fails


def test_what_cannot_be_masked_is_not_kept(kept: Kept, caplog):
    log = AiLog(Broken([]), lambda: NOON, kept.append)
    log.attempt(attempt(SECRET))
    log.call(event(arguments=SECRET))

    assert (kept, [line for lines in log.turns for line in lines]) == ([], [])
    assert [each.getMessage() for each in caplog.records] == [
        "an attempt is not in the AI log (ValueError)",
        "a call is not in the AI log (ValueError)",
    ]
    assert SECRET not in caplog.text


@pytest.mark.parametrize("odd", [{"a": object()}, "\ud800", float("nan"), {"a": {1, 2}}])
def test_whatever_comes_can_be_recorded(log: AiLog, odd: Any):
    log.attempt(attempt("a", came=odd))
    assert len(log.turns[0]) == 1


def test_nesting_without_end_is_left_out(log: AiLog):
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    log.attempt(attempt("a", came=deep))
    assert [line for lines in log.turns for line in lines] == []


async def test_a_turn_goes_on_when_recording_fails(caplog):
    def full(_: str) -> None:
        raise OSError(28, "No space left on device")

    log = AiLog(Redactor([]), lambda: NOON, full)
    shelf, model = Shelf(), ScriptedModel(asks(("put", '{"thing":"牛奶"}')), says("好了"))
    loop = Witnessed(ToolLoop(model, MemoryTranscript(), observe=log.call))

    assert await loop.llm(prompt(), shelf.tools()) == "好了"
    assert shelf.things == ["牛奶"]
    assert "a call is not in the AI log (OSError)" in caplog.text


# ── whose it is ───────────────────────────────────────────────────────────────────────────────────────────────────


async def test_turns_at_the_same_time_are_told_apart(log: AiLog):
    async def slowly(request) -> Any:
        await asyncio.sleep(0)
        log.attempt(attempt(request.messages[-1]["content"]))
        await asyncio.sleep(0)
        return says("好")

    turns = [f"turn{number}" for number in range(5)]
    loops = [Witnessed(ToolLoop(ScriptedModel(slowly), MemoryTranscript())) for _ in turns]
    await asyncio.gather(*(loop.llm(prompt(turn), []) for loop, turn in zip(loops, turns, strict=True)))

    assert sorted(lines[0]["turn"] for lines in log.turns) == turns
    assert {len(lines) for lines in log.turns} == {1}


async def test_after_a_turn_that_failed_nothing_is_taken_for_its_own():
    loop = Witnessed(ToolLoop(ScriptedModel(ModelUnavailable("down")), MemoryTranscript()))
    with pytest.raises(ModelUnavailable):
        await loop.llm(prompt(), [])
    assert prompt_at_work() is None

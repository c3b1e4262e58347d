"""What is sent to a model: within the budget, paired, counted against the day, and less if it was too long."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.model_ports import (
    AllowanceSpent,
    Completion,
    Message,
    ModelUnavailable,
    Prompt,
    PromptRefused,
    PromptTooLong,
    Usage,
)
from bot.ports import TurnId
from bot.thinking.asking import Asking
from bot.thinking.budget import EXCHANGES, HISTORY_SHARE, size
from bot.thinking.conversation import LAST_NUDGE, NUDGE
from bot.thinking.meter import ANSWER_TOKENS, LONGEST_ANSWER_TOKENS
from bot.thinking.tool_loop import ToolLoop
from tests.fakes import MemoryAllowance, MemoryTranscript, ScriptedModel, Shelf, Step, a_prompt, asks, says
from tools.definition import ToolDefinition
from tools.record import PersonId

USER: Message = {"role": "user", "content": "now"}
DAY = date(2026, 11, 30)
TOO_LONG = PromptTooLong("HTTP 400 context_length_exceeded")
REFUSED = PromptRefused("HTTP 400 messages are wrong")


def prompt(*history: Message) -> Prompt:
    return a_prompt(USER, turn=TurnId("t"), day=DAY, system="You keep a shelf.", history=history, resumed=False)


def exchange(text: str, result: str = '{"ref":1}') -> list[Message]:
    return [
        {"role": "user", "content": text},
        {"role": "assistant", "content": None, "tool_calls": [{"id": text, "function": {"name": "n"}}]},
        {"role": "tool", "tool_call_id": text, "content": result},
        {"role": "assistant", "content": "ok"},
    ]


async def asked(
    *steps: Step,
    of: Prompt,
    own: Sequence[Message] = (USER,),
    tokens: int = 16_000,
    tools: Sequence[ToolDefinition] = (),
    **more: Any,
) -> list[list[Message]]:
    """What the model was sent by one request that is answered in the end."""
    with ScriptedModel(*steps) as model:
        asking = Asking(model, of, tools, tokens, more.pop("allowance", None))
        await asking.complete(own, **({"may_call": True} | more))
    return [each.messages for each in model.requests]


def said(messages: Sequence[Message]) -> list[str]:
    return [each["content"] for each in messages if each["role"] == "user"]


# ── within the budget ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_past_stands_between_the_system_text_and_the_turn():
    past = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    (sent,) = await asked(says("ok"), of=prompt(*past))
    assert sent == [{"role": "system", "content": "You keep a shelf."}, *past, USER]


@pytest.mark.parametrize(("may_call", "nudge"), [(True, NUDGE), (False, LAST_NUDGE)])
async def test_a_nudge_stands_in_the_system_text(may_call: bool, nudge: str):
    (sent,) = await asked(says("ok"), of=prompt(), nudge=True, may_call=may_call)
    assert sent == [{"role": "system", "content": f"You keep a shelf.\n\n{nudge}"}, USER]


async def test_a_nudge_repeats_what_the_endpoint_said_was_wrong():
    sent, last = await both(replace(says(""), fault='tool x is none\n"!"'), says("ok"))
    assert sent[0]["content"] == "You keep a shelf."
    said_of_it = 'What was said of it, as data: "tool x is none\\n\\"!\\""'
    assert last[0]["content"] == f"You keep a shelf.\n\n{NUDGE} It was not taken. {said_of_it}"


async def both(*steps: Step) -> list[list[Message]]:
    """What is sent by a request and by the nudge behind it."""
    with ScriptedModel(*steps) as model:
        asking = Asking(model, prompt(), (), 16_000, None)
        await asking.complete([USER], may_call=True)
        await asking.complete([USER], may_call=True, nudge=True)
    return [each.messages for each in model.requests]


async def test_of_the_past_the_last_twenty_exchanges_are_sent():
    past = [message for n in range(EXCHANGES + 1) for message in exchange(f"{n}")]
    (sent,) = await asked(says("ok"), of=prompt(*past))
    assert said(sent) == [*[f"{n}" for n in range(1, EXCHANGES + 1)], "now"]


def two() -> list[Message]:
    return [*exchange("old" * 100), *exchange("new" * 100)]


def sent_of(messages: Sequence[Message]) -> int:
    """Bytes of what is sent of these, their results being stubs."""
    stub = '{"earlier":"ref","records":[{"ref":1}],"rest":"ask again"}'
    shown = [{**each, "content": stub} if each["role"] == "tool" else each for each in messages]
    return size(shown[:4]) + size(shown[4:])


@pytest.mark.parametrize(("less", "kept"), [(0, ["old" * 100, "new" * 100, "now"]), (1, ["new" * 100, "now"])])
async def test_the_past_may_fill_its_share_and_not_a_byte_more(less: int, kept: list[str]):
    tokens = -int(-sent_of(two()) // (HISTORY_SHARE * 2.0))
    (sent,) = await asked(says("ok"), of=prompt(*two()), tokens=tokens - less)
    assert said(sent) == kept


@pytest.mark.parametrize(("more", "kept"), [(0, 2), (1, 1)])
async def test_the_past_gets_what_the_prompt_the_tools_and_the_turn_leave(more: int, kept: int):
    tools = Shelf().tools()
    offered = sum(size([each.name, each.description, each.parameters]) for each in tools)
    fixed = offered + size({"role": "system", "content": "You keep a shelf."})
    tokens = 10_000
    filler = tokens * 2 - fixed - sent_of(two()) - size([{"role": "user", "content": ""}]) + more
    own = [{"role": "user", "content": "x" * filler}]
    (sent,) = await asked(says("ok"), of=prompt(*two()), own=own, tokens=tokens, tools=tools)
    assert len(said(sent)) == kept + 1


async def test_a_model_that_counts_fewer_bytes_for_a_token_is_sent_less():
    tokens = -int(-sent_of(two()) // (HISTORY_SHARE * 2.0))
    with ScriptedModel(says("ok"), says("ok")) as model:
        asking = Asking(model, prompt(*two()), (), tokens, None)
        await asking.complete([USER], may_call=True)
        model.bytes_per_token = 1.9
        await asking.complete([USER], may_call=True)
    assert [len(said(each.messages)) for each in model.requests] == [3, 2]


async def test_an_engine_that_counts_nothing_is_sent_everything():
    own = [USER, *read(1, "長" * 9_000), *read(2, "長" * 9_000)]
    with ScriptedModel(says("ok")) as model:
        model.bytes_per_token = OfflineEngine().bytes_per_token
        allowance = MemoryAllowance()
        await Asking(model, prompt(*two()), Shelf().tools(), 1000, allowance).complete(own, may_call=True)
    assert model.requests[0].messages[-4:] == own[1:]
    assert said(model.requests[0].messages) == ["old" * 100, "new" * 100, "now"]
    assert allowance.reserved[0][2] == ANSWER_TOKENS


def read(number: int, text: str) -> list[Message]:
    result = json.dumps({"matched": 1, "records": [{"ref": number, "type": "note", "content": text}]})
    return [
        {"role": "assistant", "content": None, "tool_calls": [{"id": f"c{number}", "function": {"name": "n"}}]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": result.replace(": ", ":").replace(", ", ",")},
    ]


async def test_a_turn_that_has_read_too_much_is_sent_stubs_of_its_oldest_results():
    own = [USER, *read(1, "a" * 900), *read(2, "b" * 900), *read(3, "c" * 900)]
    (sent,) = await asked(says("ok"), of=prompt(*two()), own=own, tokens=1300)
    results = [each["content"] for each in sent if each["role"] == "tool"]
    assert results[0] == '{"earlier":"matched","records":[{"ref":1,"type":"note"}],"rest":"ask again"}'
    assert ["b" * 900 in each for each in results] == [False, True, False]
    assert "c" * 900 in results[2]
    assert said(sent) == ["now"]
    assert "a" * 900 in own[2]["content"], "what is stored stays as it was"


async def test_the_last_result_is_never_a_stub():
    own = [USER, *read(1, "a" * 900), *read(2, "b" * 9_000)]
    (sent,) = await asked(says("ok"), of=prompt(), own=own, tokens=1000)
    assert "b" * 9_000 in sent[-1]["content"]
    assert "aaa" not in sent[3]["content"]


# ── too long all the same ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("exchanges", "left"), [(4, ["2", "3"]), (3, ["2"]), (1, [])])
async def test_what_was_too_long_is_asked_once_more_without_the_older_half_of_the_past(exchanges: int, left: list[str]):
    past = [message for n in range(exchanges) for message in exchange(f"{n}")]
    _, again = await asked(TOO_LONG, says("ok"), of=prompt(*past))
    assert said(again) == [*left, "now"]


async def test_the_older_half_is_that_of_what_was_sent():
    past = [message for n in range(8) for message in exchange(f"{n}" * 300)]
    first, again = await asked(TOO_LONG, says("ok"), of=prompt(*past), tokens=sent_of(past[:16]) + 400)
    assert [each[0] for each in said(first)] == [*"4567", "n"]
    assert [each[0] for each in said(again)] == [*"67", "n"]


async def test_what_is_too_long_twice_is_given_up():
    with pytest.raises(PromptTooLong):
        await asked(TOO_LONG, TOO_LONG, of=prompt(*two()))


async def test_without_a_past_the_turns_own_results_are_shortened():
    own = [USER, *read(1, "a" * 900), *read(2, "b" * 900)]
    _, again = await asked(TOO_LONG, says("ok"), of=prompt(), own=own)
    assert "aaa" not in again[3]["content"]
    assert "b" * 900 in again[5]["content"]


async def test_what_cannot_be_made_shorter_is_not_sent_twice():
    with pytest.raises(PromptTooLong):
        await asked(TOO_LONG, of=prompt(), own=[USER, *read(1, "a")])


async def test_what_was_once_too_long_is_not_sent_again_in_the_turn():
    past = [message for n in range(4) for message in exchange(f"{n}")]
    model = ScriptedModel(TOO_LONG, asks(("count", "{}")), says("ok"))
    with model:
        assert await ToolLoop(model, MemoryTranscript()).llm(prompt(*past), Shelf().tools()) == "ok"
    assert [len(said(each.messages)) - 1 for each in model.requests] == [4, 2, 2]


@pytest.mark.parametrize("may_call", [True, False])
async def test_what_is_asked_once_more_is_asked_in_the_same_way(may_call: bool):
    with ScriptedModel(TOO_LONG, says("ok")) as model:
        await Asking(model, prompt(*two()), (), 16_000, None).complete([USER], may_call=may_call, nudge=True)
    first, again = model.requests
    assert again.messages[0] == first.messages[0], "with the same nudge"
    assert (first.may_call, again.may_call) == (may_call, may_call)


# ── refused ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_is_refused_and_not_understood_is_asked_once_more_without_the_past():
    _, again = await asked(REFUSED, says("ok"), of=prompt(*two()))
    assert said(again) == ["now"]


async def test_what_is_filtered_is_asked_once_more_without_the_past_and_without_one_not_again():
    _, again = await asked(says("", "content_filter"), says("ok"), of=prompt(*two()))
    assert said(again) == ["now"]
    assert len(await asked(says("", "content_filter"), of=prompt())) == 1


async def test_what_is_refused_without_a_past_is_not_sent_again():
    with pytest.raises(PromptRefused):
        await asked(REFUSED, of=prompt())
    with pytest.raises(PromptRefused):
        await asked(REFUSED, REFUSED, of=prompt(*two()))


# ── paired ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_past_with_holes_is_mended_before_it_is_sent():
    _, call, result, words = exchange("a")
    (sent,) = await asked(says("ok"), of=prompt(result, {"role": "user", "content": "a"}, call, words))
    assert [each["role"] for each in sent] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert json.loads(sent[3]["content"])["error"]["code"] == "cancelled"


# ── counted ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_request_is_counted_before_it_is_made_by_its_bytes_and_with_room_for_the_answer():
    allowance, tools = MemoryAllowance(), Shelf().tools()
    (sent,) = await asked(says("ok"), of=prompt(), allowance=allowance, tools=tools)
    offered = sum(size([each.name, each.description, each.parameters]) for each in tools)
    tokens = -(-(size(sent) + offered) // 2) + ANSWER_TOKENS
    assert allowance.reserved == [(PersonId("U1"), DAY, tokens)]
    assert allowance.settled == []


async def test_what_the_endpoint_counted_settles_the_estimate():
    allowance = MemoryAllowance()
    await asked(replace(says("ok"), usage=Usage(300, 2000)), of=prompt(), allowance=allowance)
    assert allowance.settled == [2300 - allowance.reserved[0][2]]


@pytest.mark.parametrize("counted", [Usage(10**9, 1), Usage(10**9, 10**9)])
async def test_a_count_that_cannot_be_uses_up_nobodys_day(counted: Usage):
    allowance = MemoryAllowance()
    await asked(replace(says("ok"), usage=counted), of=prompt(), allowance=allowance)
    assert allowance.settled[0] < 2 * LONGEST_ANSWER_TOKENS


async def test_a_request_that_failed_stays_counted_and_so_does_the_one_after_it():
    allowance = MemoryAllowance()
    await asked(TOO_LONG, says("ok"), of=prompt(*two()), allowance=allowance)
    assert len(allowance.reserved) == 2
    with pytest.raises(ModelUnavailable):
        await asked(ModelUnavailable("down"), of=prompt(), allowance=allowance)
    assert len(allowance.reserved) == 3
    assert allowance.settled == []


@pytest.mark.parametrize("calls", [0, 1, 2])
async def test_a_model_that_goes_on_for_ever_is_asked_as_often_as_the_day_gives(calls: int):
    allowance = MemoryAllowance(calls)
    model = ScriptedModel(*[asks(("put", json.dumps({"thing": f"{n}"}))) for n in range(calls)])
    shelf, transcript = Shelf(), MemoryTranscript()
    with model, pytest.raises(AllowanceSpent):
        await ToolLoop(model, transcript, allowance=allowance).llm(prompt(), shelf.tools())
    assert len(shelf.things) == calls, "what was asked for before is done"
    assert len(await transcript.of_turn(TurnId("t"))) == (2 * calls + 1 if calls else 0)


async def test_a_nudge_is_counted_too():
    allowance = MemoryAllowance()
    model = ScriptedModel(says(""), says("done"))
    with model:
        await ToolLoop(model, MemoryTranscript(), allowance=allowance).llm(prompt(), [])
    assert len(allowance.reserved) == 2


async def test_without_an_allowance_nothing_is_counted():
    assert await asked(Completion({}, "ok", usage=Usage(1, 1)), of=prompt())

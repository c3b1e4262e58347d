"""An answer as one object: exactly one, of the shape that was asked for, mended once at most."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.model_ports import AllowanceSpent, AnswerUnreadable, Completion, Message, ModelUnavailable, Prompt
from bot.ports import TurnId
from bot.thinking.tool_loop import ToolLoop
from tests.fakes import Clock, MemoryTranscript, Request, ScriptedModel, Step, a_prompt, asks, says
from tools.record import PersonId

USER: Message = {"role": "user", "content": "昨天午餐 120，明天下午三點回診"}


class Thing(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    content: str = Field(min_length=1, max_length=20)
    kind: Literal["expense", "event"]
    amount: float | None = None
    day: date | None = None


class Things(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    things: list[Thing] = Field(max_length=3)

    @field_validator("things")
    @classmethod
    def _are_told_apart(cls, value: list[Thing]) -> list[Thing]:
        if len({each.content for each in value}) < len(value):
            raise ValueError(f"twice the same: {value}")
        return value


GOOD = '{"things":[{"content":"午餐","kind":"expense","amount":120,"day":"2026-11-29"}]}'


def prompt(*history: Message) -> Prompt:
    return a_prompt(USER, system="You read notes.", history=history)


async def asked(*steps: Step, of: Prompt | None = None, **limits: Any) -> tuple[Things, list[Request]]:
    transcript = MemoryTranscript()
    with ScriptedModel(*steps) as model:
        found = await ToolLoop(model, transcript, **limits).ask(of or prompt(), Things)
    assert await transcript.of_turn(TurnId("t")) == [], "nothing of it is stored"
    return found, model.requests


async def test_an_answer_of_the_right_shape_is_that_object():
    found, (request,) = await asked(says(GOOD))
    assert found == Things(things=[Thing(content="午餐", kind="expense", amount=120, day=date(2026, 11, 29))])
    assert (request.tools, request.may_call) == ([], False)
    system, user = request.messages
    assert user == USER
    assert system["content"].startswith("You read notes.\n\nAnswer with exactly one JSON object")
    assert json.loads(system["content"].split("JSON Schema: ")[1]) == Things.model_json_schema()


@pytest.mark.parametrize("text", [f" {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}```"])
async def test_what_is_wrapped_around_it_without_a_word_does_not_matter(text: str):
    found, _ = await asked(says(text))
    assert found.things[0].content == "午餐"


BAD = {
    "words": ("午餐 120", "answer: must be one JSON object"),
    "nothing": ("", "answer: must be one JSON object"),
    "a list": (f"[{GOOD}]", "answer: must be one JSON object"),
    "words around it": (f"Here: {GOOD}", "answer: must be one JSON object"),
    "words behind it": (f"{GOOD} Done.", "answer: not valid JSON at line 1"),
    "two of them": (GOOD + GOOD, "answer: not valid JSON at line 1"),
    "a comma too many": ('{"things":[],}', "answer: not valid JSON at line 1 column"),
    "an endless number": ('{"things":[],"n":1e999}', "answer: holds a value that JSON does not have"),
    "two values for a name": ('{"things":[],"things":[1]}', "answer: one name has two different values"),
    "half a sign": ('{"things":[],"x":"\ud83c"}', "answer: not valid Unicode"),
    "nothing in it": ("{}", "things: Field required"),
    "another name": ('{"things":[],"more":1}', "more: Extra inputs are not permitted"),
    "a name that is none": ('{"things":[],"<more>":1}', "?: Extra inputs are not permitted"),
    "deep inside": ('{"things":[{"content":"","kind":"expense"}]}', "things.0.content: String should have at least 1"),
    "no choice": ('{"things":[{"content":"a","kind":"task"}]}', "things.0.kind: Input should be 'expense' or 'event'"),
    "a text for a number": (
        '{"things":[{"content":"a","kind":"event","amount":"5"}]}',
        "things.0.amount: Input should",
    ),
    "no day": (
        '{"things":[{"content":"a","kind":"event","day":"2026-02-30"}]}',
        "things.0.day: Input should be a valid",
    ),
    "told by a rule": (
        '{"things":[{"content":"a","kind":"event"},{"content":"a","kind":"event"}]}',
        "things: does not fit",
    ),
}


@pytest.mark.parametrize(("text", "problem"), BAD.values(), ids=BAD.keys())
async def test_what_does_not_fit_is_shown_once_with_what_is_wrong(text: str, problem: str):
    found, (_, again) = await asked(says(text), says(GOOD))
    assert found.things[0].content == "午餐"
    assert again.messages[1] == USER
    own, wrong = again.messages[2:]
    assert own == {"role": "assistant", "content": text.replace("\ud83c", "\ufffd") or "(empty)"}
    assert wrong["role"] == "user"
    assert f"- {problem}" in wrong["content"]
    assert "twice the same" not in wrong["content"]


@pytest.mark.parametrize(("text", "_"), BAD.values(), ids=BAD.keys())
async def test_what_does_not_fit_twice_is_not_guessed_at_and_nothing_of_it_is_told(text: str, _: str):
    with pytest.raises(AnswerUnreadable) as raised:
        await asked(says("午餐"), says(text))
    assert str(raised.value) == "the model's answer could not be read as what was asked for"
    assert raised.value.__cause__ is None


async def test_no_more_is_said_about_an_answer_than_can_be_read():
    many = json.dumps({"things": [{"kind": "x"}] * 3})
    _, (_, again) = await asked(says(many), says(GOOD))
    assert again.messages[-1]["content"].count("\n- ") == 5


async def test_an_answer_that_was_cut_off_is_not_taken_even_if_it_could_be_read():
    found, (_, again) = await asked(says('{"things":[]}', finish="length"), says(GOOD))
    assert len(found.things) == 1
    assert "\n- answer: was cut off" in again.messages[-1]["content"]


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
async def test_what_was_withheld_is_not_asked_for_again(finish: Any):
    with pytest.raises(AnswerUnreadable):
        await asked(says("", finish=finish))


async def test_calls_in_the_answer_are_not_carried_out():
    found, _ = await asked(asks(("create_record", "{}")), says(GOOD))
    assert len(found.things) == 1


async def test_an_object_is_taken_although_calls_stand_beside_it():
    found, _ = await asked(asks(("create_record", "{}"), text=GOOD))
    assert len(found.things) == 1


async def test_of_the_past_only_words_are_sent():
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]}
    said = [{"role": "user", "content": "早"}, {"role": "assistant", "content": "早。"}]
    past = [said[0], call, {"role": "tool", "tool_call_id": "c", "content": "{}"}, said[1]]
    _, (request,) = await asked(says(GOOD), of=prompt(*past))
    assert request.messages[1:] == [*said, USER]


async def test_an_answer_has_the_time_of_one_turn_and_so_has_its_mending():
    clock = Clock()

    async def slow(_: Request) -> Completion:
        clock.now += 10
        return says("?")

    with pytest.raises(ModelUnavailable):
        await asked(slow, clock=clock, turn_seconds=10)


async def test_a_model_that_is_down_is_down():
    with pytest.raises(ModelUnavailable):
        await asked(ModelUnavailable("down"))


async def test_both_attempts_are_counted():
    class One:
        left = 1

        async def reserve(self, person: PersonId, day: date, tokens: int) -> bool:
            self.left -= 1
            return self.left >= 0

        async def settle(self, person: PersonId, day: date, tokens: int) -> None:
            raise NotImplementedError("no usage, nothing to settle")

    with pytest.raises(AllowanceSpent):
        await asked(says("?"), allowance=One())

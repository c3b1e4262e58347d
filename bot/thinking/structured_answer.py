"""A model's answer as one object of a known shape, instead of words.

The final answer must be exactly one JSON object of a pydantic model. What does not fit is shown to the model once, with
its own answer and what is wrong with it; what does not fit then is not guessed at. Must not know which engine answers
or what the object is for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from bot.model_ports import AnswerUnreadable, Completion, Message, Prompt
from bot.thinking.conversation import RESULT_CHARS, scrubbed
from bot.thinking.tool_arguments import canonical, read_json, unfenced
from tools.definition import FieldProblem, ToolError

Model = TypeVar("Model", bound=BaseModel)

ATTEMPTS = 2
"""An answer, and one chance to mend it."""

PROBLEMS_TOLD = 5

_NAME = re.compile(r"[A-Za-z_]\w{0,39}")
_SAID_BY_OTHERS = frozenset({"value_error", "assertion_error"})
"""Problems whose sentence a model's own code wrote: it may repeat what was sent."""


class _Misfit(Exception):
    """What is wrong with an answer."""

    def __init__(self, *problems: FieldProblem) -> None:
        super().__init__()
        self.problems = problems


def shaped(prompt: Prompt, model: type[BaseModel]) -> Prompt:
    """The prompt with the shape of its answer in the system text, for endpoints have different ways of asking for one.
    Without tools, earlier calls and their results could not be sent: of the past the words are left."""
    schema = json.dumps(model.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    wanted = f"Answer with exactly one JSON object and nothing else. It must fit this JSON Schema: {schema}"
    said = (each for each in prompt.history if each["role"] != "tool" and not each.get("tool_calls"))
    return replace(prompt, system=f"{prompt.system}\n\n{wanted}", history=tuple(said))


async def answered(
    complete: Callable[[Sequence[Message]], Awaitable[Completion]], user: Message, model: type[Model]
) -> Model:
    """The object that a shaped prompt is answered with. Raises AnswerUnreadable, and whatever ``complete`` raises."""
    own = [scrubbed(user)]
    for _ in range(ATTEMPTS):
        completion = await complete(own)
        try:
            return _read(completion, model)
        except _Misfit as misfit:
            if completion.finish in {"content_filter", "refusal"}:
                break  # the same question is withheld again
            shown = completion.text[:RESULT_CHARS] or "(empty)"
            own += [scrubbed({"role": "assistant", "content": shown}), _told(misfit)]
    raise AnswerUnreadable


def _read(completion: Completion, model: type[Model]) -> Model:
    if completion.finish not in {"stop", "tool_calls"}:
        raise _Misfit(FieldProblem("answer", "was cut off; make it shorter"))
    text = unfenced(completion.text.strip())
    if not text.startswith("{"):
        raise _Misfit(FieldProblem("answer", "must be one JSON object"))
    try:
        found = canonical(read_json(text))
    except ToolError as refusal:
        raise _Misfit(*(FieldProblem("answer", each.problem) for each in refusal.fields)) from None
    try:
        return model.model_validate_json(found)
    except ValidationError as error:
        raise _Misfit(*_problems(error)) from None


def _problems(error: ValidationError) -> list[FieldProblem]:
    problems = error.errors(include_url=False, include_input=False, include_context=False)[:PROBLEMS_TOLD]
    return [
        FieldProblem(_path(each["loc"]), "does not fit" if each["type"] in _SAID_BY_OTHERS else each["msg"])
        for each in problems
    ]


def _path(place: tuple[int | str, ...]) -> str:
    """A name that is not shaped like one is not repeated: it may be anything."""
    named = [str(each) if isinstance(each, int) or _NAME.fullmatch(each) else "?" for each in place]
    return ".".join(named) or "answer"


def _told(misfit: _Misfit) -> Message:
    wrong = "\n".join(f"- {each.path}: {each.problem}" for each in misfit.problems)
    return {"role": "user", "content": f"That is not the object that was asked for:\n{wrong}\nAnswer with it alone."}

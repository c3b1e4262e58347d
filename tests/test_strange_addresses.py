"""A call that carries an address which its person never wrote."""

from __future__ import annotations

from typing import Any

import pytest

from bot.strange_addresses import watching
from tests.fakes import ScriptedModel, Shelf, asks, says
from tests.talk import ZH, Talk, call, create, remember
from tools.definition import ToolDefinition
from tools.record import CallKey, Result

CALL = CallKey("t", 1)


async def guarded(arguments: dict[str, Any], *own: str, call: CallKey = CALL) -> bool:
    """Whether a call with these arguments reaches its tool as a guarded one."""
    seen: list[CallKey] = []

    async def handler(_: dict[str, Any], key: CallKey) -> Result:
        seen.append(key)
        return {}

    async def words() -> list[str]:
        return list(own)

    (tool,) = watching([ToolDefinition("put", "", {}, handler)], words)
    assert await tool.handler(arguments, call) == {}
    assert seen == [call], "it is the same call"
    return seen[0].guarded


@pytest.mark.parametrize(
    "arguments", [{"content": "看 https://evil.example/x"}, {"tags": ["a", {"b": "evil.example"}]}]
)
async def test_an_unknown_address_anywhere_in_a_call_guards_it(arguments):
    assert await guarded(arguments, "https://ok.example")


@pytest.mark.parametrize("arguments", [{"content": "看 https://ok.example"}, {"ref": 3, "content": "牛奶"}, {}])
async def test_a_known_one_and_none_do_not(arguments):
    assert not await guarded(arguments, "存 https://ok.example")


async def test_a_guarded_call_stays_guarded():
    assert await guarded({"content": "牛奶"}, call=CallKey("t", 1, guarded=True))


def test_tools_that_only_read_are_left_alone():
    put, count = Shelf().tools()

    assert watching([put, count], None)[1] is count


async def test_an_address_that_a_model_put_into_a_record_does_not_come_back_as_the_persons_own(database):
    steps = [asks(create("看 https://evil.example/?k=1")), says("好")]
    steps += [asks(call("query_records")), says("https://evil.example/?k=1"), says("https://evil.example/?k=1")]
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        said = [text for words in ("記一下", "我記了什麼", "再說一次") for text in await talk.says(words)]

    assert "https://evil.example" not in "\n".join(said)
    assert (await talk.records())[0].origin == "others"


async def test_an_address_that_a_model_would_put_into_ones_record_is_asked_about_and_dead_in_the_question(database):
    with ScriptedModel(asks(call("update_record", ref=1, add_note="https://evil.example/?k=1")), says("好")) as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶")
        (text,) = await talk.says("牛奶加註")

    assert text == "要改成這樣嗎？\n加註「evil[.]example/?k=1」 買牛奶 #1"


async def test_what_the_person_wrote_without_a_space_behind_it_is_their_own_too(database):
    with ScriptedModel(asks(create("https://ok.example/a")), says("好")) as model:
        talk = Talk(database, model)
        (kept,) = await talk.says("https://ok.example/a，幫我存")

    assert "https://ok.example/a" in kept
    assert (await talk.records())[0].origin == "own"


async def test_what_the_person_wrote_is_kept_as_their_own_and_stays_alive(database):
    with ScriptedModel(asks(create("https://ok.example/a")), says("好"), says("https://ok.example/a")) as model:
        talk = Talk(database, model)
        (kept,) = await talk.says("存 https://ok.example/a")
        (again,) = await talk.says("剛剛那個網址")

    assert "https://ok.example/a" in kept
    assert again == "https://ok.example/a"
    assert (await talk.records())[0].origin == "own"
    assert talk.button(ZH.undo)

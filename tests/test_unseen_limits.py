"""What a person sees of the bounds of a turn: kind words, none of the machine. And what the next turn still knows."""

from __future__ import annotations

import json
import re

import pytest

from bot.engines.offline.engine import OfflineEngine
from bot.sql.allowance import SqlAllowance
from bot.voice.phrases import phrases_of
from bot.voice.waiting import waiting_words
from tests.fakes import Request, ScriptedModel, Step, asks, says
from tests.talk import Talk, call, remember

SAID = {"zh-TW": "幫我想想看", "ja": "ちょっと考えてみて", "th": "ช่วยคิดหน่อย", "en": "Please think about it"}
MACHINE = re.compile(
    r"tool|round|limit|token|call|retry|error|deadline|budget|quota|allowance|json|16|64"
    r"|上限|工具|回合|輪|額度|次數|ツール|上限|回数|トークン|エラー|เครื่องมือ|โทเคน|โควตา|ข้อผิดพลาด",
    re.IGNORECASE,
)

LOOKS = [asks(call("query_records", keyword=f"{n}")) for n in range(8)]
WRONG = [asks(("query_records", "{")), asks(("query_records", "[")), asks(("query_records", "]"))]
MANY = asks(*[("query_records", "{}")] * 65)
LEAK = says('<tool_call>{"name": "query_records"}</tool_call>')

SILENT: dict[str, list[Step]] = {
    "asks for ever": [*LOOKS, LOOKS[0], LOOKS[1]],
    "errs for ever": [*WRONG, WRONG[0], WRONG[0]],
    "leaks": [LEAK, LEAK, LEAK],
    "is empty": [says(""), says(" "), says("")],
    "is withheld": [says("", finish="content_filter")],
}


@pytest.mark.parametrize("language", SAID)
@pytest.mark.parametrize("steps", SILENT.values(), ids=SILENT.keys())
async def test_a_model_that_comes_to_no_answer_is_spoken_for_in_kind_words(database, language, steps):
    with ScriptedModel(*steps) as model:
        said = await Talk(database, model).says(SAID[language])
    assert said == [phrases_of(language).no_answer]
    assert not MACHINE.search(said[0])


@pytest.mark.parametrize("language", SAID)
async def test_a_model_out_of_order_is_as_good_as_not_there(database, language):
    with ScriptedModel(MANY, MANY) as model:
        said = await Talk(database, model, fallback=OfflineEngine()).says(SAID[language])
    assert said == [phrases_of(language).model_down]
    assert not MACHINE.search(said[0])


@pytest.mark.parametrize("language", SAID)
async def test_when_the_day_is_used_up_it_is_said_kindly_and_simple_things_still_work(database, language):
    day = SqlAllowance(database, calls=1, tokens=10**6)
    with ScriptedModel(says("🙂")) as model:
        talk = Talk(database, model, fallback=OfflineEngine(), allowance=day)
        assert await talk.says(SAID[language]) == ["🙂"]
        said = await talk.says(SAID[language])
        lunch = await talk.says(
            {"zh-TW": "午餐 120", "ja": "昼ごはん 850円", "th": "ข้าวเที่ยง 80", "en": "Lunch 12.50"}[language]
        )
    assert said == [waiting_words(language).enough_for_today]
    assert not MACHINE.search(said[0])
    assert len(await talk.records()) == 1
    assert "#1" in lunch[0]


async def test_what_was_done_before_the_day_was_used_up_is_told(database):
    day = SqlAllowance(database, calls=1, tokens=10**6)
    with ScriptedModel(asks(call("create_record", content="牛奶", type="task"))) as model:
        said = await Talk(database, model, fallback=OfflineEngine(), allowance=day).says("幫我想想要買什麼")
    assert "牛奶 #1" in said[0]


async def test_a_new_day_gives_again(database):
    day = SqlAllowance(database, calls=1, tokens=10**6)
    with ScriptedModel(says("一"), says("二")) as model:
        talk = Talk(database, model, fallback=OfflineEngine(), allowance=day)
        await talk.says("幫我想想看")
        await talk.says("再想想看")
        talk.clock.move(days=1)
        assert await talk.says("今天再想想看") == ["二"]


# ── what the next turn knows ──────────────────────────────────────────────────────────────────────────────────────


async def test_the_first_one_of_a_list_can_be_deleted_a_turn_later(database):
    """A model that finds the number in nothing but what it is sent."""

    async def deletes_the_first(request: Request) -> Step:
        (stub,) = [json.loads(each["content"]) for each in request.messages if each["role"] == "tool"]
        return asks(call("delete_record", ref=stub["records"][0]["ref"]))  # type: ignore[return-value]  # a step

    steps = [asks(call("query_records", sort="created")), says("兩件事。"), deletes_the_first, says("好")]
    with ScriptedModel(*steps) as model:
        talk = Talk(database, model)
        await remember(talk, "買牛奶", "倒垃圾")
        await talk.says("有什麼事？")
        (said,) = await talk.says("第一個刪掉")

    assert "買牛奶 #1" in said
    assert [each.content for each in await talk.records()] == ["倒垃圾"]
    assert "買牛奶" not in json.dumps(model.requests[2].messages[:-1], ensure_ascii=False)

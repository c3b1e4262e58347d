"""The set is well formed, its judge can fail, and what is asked is what the bot would ask."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.emulators.openai import KEY, MODEL, asks, says, serving
from tests.evals.__main__ import ask_endpoint, cases, each_said, judge_answers, table
from tests.evals.bodies import FOLDER, body
from tests.evals.judge import UNASKED, judged

LANGUAGES = ["zh-TW", "ja", "th", "en"]
RANGE = {"tool": "create_record", "content": "花蓮", "type": "event", "when": "2026-12-20/2026-12-23"}
CASE: dict[str, Any] = {
    "id": "x",
    "language": "zh-TW",
    "right": [[{"tool": "create_record", "content": "便當", "type": "expense", "amount": 110, "when": "~2026-11-30"}]],
}


def call(tool: str = "create_record", **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


def lunch(**changes: Any) -> dict[str, Any]:
    return call(**({"content": "中午便當", "type": "expense", "amount": 110} | changes))


def test_each_language_has_its_share_of_every_kind_of_wish():
    every = cases()

    assert len({each["id"] for each in every}) == len(every) >= 60
    assert all(Counter(each["language"] for each in every)[language] >= 15 for language in LANGUAGES)
    for language in LANGUAGES:
        kinds = {each["kind"] for each in cases(language)}
        assert kinds >= {"log", "money", "several", "remind", "repeat", "range", "query", "update", "delete", "undo"}
        assert kinds >= {"talk", "ask", "note"}


def test_every_case_names_tools_that_there_are_and_their_own_arguments():
    golden = json.loads((FOLDER.parent / "golden" / "tools.json").read_text(encoding="utf-8"))
    known = {each["function"]["name"]: set(each["function"]["parameters"]["properties"]) for each in golden}

    assert set(UNASKED) == set(known)
    for case in cases():
        assert case["right"], case["id"]
        for calls in (each for each in case["right"] if isinstance(each, list)):
            for wanted in calls:
                assert set(wanted) - {"tool", "first"} <= known[wanted["tool"]], case["id"]


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        ([lunch()], "right"),
        ([lunch(when="今天")], "right"),
        ([lunch(when="昨天")], "wrong"),
        ([lunch(when="whenever that was")], "wrong"),
        ([lunch(amount="110")], "right"),
        ([lunch(amount=11)], "wrong"),
        ([lunch(type="note")], "wrong"),
        ([lunch(content="lunch box")], "wrong"),
        ([lunch(remind_at="明天")], "wrong"),
        ([lunch(), lunch()], "wrong"),
        ([call("query_records", keyword="便當")], "wrong"),
        ([], "no call"),
    ],
)
def test_what_is_not_asked_for_is_wrong(calls: list[dict[str, Any]], verdict: str):
    assert judged(CASE, calls, "好") == verdict


def test_words_are_right_only_where_words_are_wanted():
    talk, asks, says = ({**CASE, "right": [each]} for each in ("talk", "asks", {"says": "復原"}))

    assert [judged(talk, [], "辛苦了"), judged(talk, [], ""), judged(talk, [lunch()], "好")] == [
        "right",
        "wrong",
        "wrong",
    ]
    assert [judged(asks, [], "多少錢？"), judged(asks, [], "記好了")] == ["right", "wrong"]
    assert [judged(says, [], "說「復原」就好"), judged(says, [], "救不回來")] == ["right", "wrong"]


def test_a_look_first_is_right_as_a_first_answer_and_not_as_a_whole_turn():
    look = [{"tool": "query_records", "first": True, "keyword": "牙醫"}]
    change = [{"tool": "update_record", "ref": 2, "when": "2026-12-04T15:00"}]
    case = {**CASE, "right": [look, change]}
    asked, moved = call("query_records", keyword="牙醫"), call("update_record", ref=2, when="禮拜五下午三點")

    assert judged(case, [asked], "") == "right"
    assert judged(case, [asked], "", whole=True) == "wrong"
    assert judged(case, [asked, moved], "", whole=True) == "right"


def test_a_range_may_be_given_whole_or_by_its_two_ends():
    case = {**CASE, "right": [[RANGE]]}
    given = {"content": "花蓮出差", "type": "event"}

    assert judged(case, [call(**given, when="12/20到12/23")], "") == "right"
    assert judged(case, [call(**given, when="12/20", until="12/23")], "") == "right"
    assert judged(case, [call(**given, when="12/20", until="12/24")], "") == "wrong"


def test_without_answers_nothing_is_right():
    found = judge_answers(cases(), [])

    assert {verdict for _, verdict, _ in found} == {"no call", "wrong"}
    assert table(found).splitlines()[-1].startswith("| all | 0 |")


async def test_an_endpoint_is_sent_the_same_bytes_and_judged_by_its_whole_turn(monkeypatch: pytest.MonkeyPatch):
    (case,) = [each for each in cases() if each["id"] == "zh13"]
    async with serving() as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_MODEL", MODEL)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        endpoint.script(
            asks(("query_records", '{"keyword": "牙醫"}')),
            asks(("update_record", '{"ref": 99, "when": "禮拜五下午三點"}')),
            asks(("update_record", '{"ref": 2, "when": "禮拜五下午三點"}')),
            says("好"),
        )
        ((_, verdict, made),) = await ask_endpoint([case])
        endpoint.check()
    ((_, model),) = [each async for each in each_said([case])]

    assert verdict == "right", made
    assert [each["tool"] for each in made] == ["query_records", "update_record"], "what was refused does not count"
    assert endpoint.requests[0] == json.loads(body(model, MODEL))


async def test_an_endpoint_that_does_not_answer_is_told_and_not_judged(monkeypatch: pytest.MonkeyPatch):
    async with serving() as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("OPENAI_MODEL", MODEL)
        monkeypatch.setenv("OPENAI_API_KEY", "another")
        with pytest.raises(SystemExit, match="OPENAI_API_KEY"):
            await ask_endpoint(cases()[:1])


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_asked_is_the_bots_own_request_over_a_life_of_records(language: str, tmp_path: Path):
    chosen = [cases(language)[0]]

    ((case, model),) = [each async for each in each_said(chosen)]
    asked = json.loads(body(model, MODEL))

    roles = [each["role"] for each in asked["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert json.loads(asked["messages"][3]["content"])["records"][0]["ref"] == 11
    assert asked["messages"][-1]["content"].endswith(case["said"])
    assert {each["function"]["name"] for each in asked["tools"]} == set(UNASKED)

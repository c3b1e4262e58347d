"""Secrets do not leave: not to a model, not into a log."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.log_lines import log_to_stderr
from bot.model_ports import Completion
from bot.redaction import LONGEST_REMEMBERED, MARK, SHORTEST_SECRET, Masked, MaskedLog, NotMasked, Redactor
from bot.secret_forms import Forms
from tests.bot_process import ROOT, clean_environment
from tests.redaction_forms import FORMS
from tests.talk import ZH, Talk
from tools.definition import ToolDefinition

SHARED = Path(os.environ.get("SECRETARY_SHARED", Path(__file__).resolve().parents[2] / "shared"))

SECRETS = {
    "openai": "sk-proj-Zk3v9QmT7xWb2LrN8dYc4HsAa",
    "line secret": "8c570fa6dd201bb328f1c1eac23a96d8",
    "line token": "Kx9/abCD3fGh1pQ+" * 10 + "=",
    "notion": "ntn_12345678901abcdefGhijklmnopQrstuv",
    "words": "correct-horse-battery",
    "short": "s3cr3t",
    "signs": "p@$$-w!",
}
EVERYTHING = Redactor(SECRETS.values())
BEYOND = {"half of it", "its first eight signs"}
"""Forms of which too little is left to know them by."""

LETTERS = set("abcdefghijklmnopqrstuvwxyz0123456789")


# ── what is masked ────────────────────────────────────────────────────────────────────────────────────────────────


def test_configured_secrets_are_masked_longest_first():
    assert Redactor(["abcdef", "abcdefgh"]).without_secrets("x abcdefgh y abcdef") == f"x {MARK} y {MARK}"
    assert Redactor(["zzzzzz", "a-zzzzzz-b"]).without_secrets("x a-zzzzzz-b y zzzzzz") == f"x {MARK} y {MARK}"


def test_short_secrets_would_mask_ordinary_words_and_are_left():
    assert Redactor(["abcde"]).without_secrets("abcde YWJjZGU=") == "abcde YWJjZGU="
    assert Redactor(["abcdef"]).without_secrets("abcdef") == MARK
    assert SHORTEST_SECRET == 6


@pytest.mark.parametrize("form", sorted(FORMS.keys() - BEYOND))
@pytest.mark.parametrize("name", ["openai", "line secret", "line token", "notion", "words"])
def test_a_secret_is_known_in_every_common_disguise(name, form):
    disguised = FORMS[form](SECRETS[name])
    left = EVERYTHING.without_secrets(f"前面 {disguised} 後面")

    assert MARK in left
    assert left.startswith("前面 ")
    assert left.endswith(" 後面")
    assert not Forms([SECRETS[name]]).shown_in(left)
    assert len(left) <= len("前面  後面") + len(MARK) + 40, "no more than the edges of an encoding are left"


def test_at_least_twenty_seven_of_thirty_three_forms_are_masked_whatever_the_secret():
    assert len(FORMS) == 33
    for secret in SECRETS.values():
        found = [form for form, disguise in FORMS.items() if MARK in EVERYTHING.without_secrets(disguise(secret))]
        assert len(found) >= 27, set(FORMS) - set(found)


@pytest.mark.parametrize("around", ["{}", "a{}b", '{{"key": "{}"}}', "`{}`", "**{}**", "<b>{}</b>", "({})", "「{}」"])
def test_it_makes_no_difference_what_stands_around_it(around):
    for name in ("openai", "short", "signs"):
        assert SECRETS[name] not in EVERYTHING.without_secrets(around.format(SECRETS[name]))
        assert MARK in EVERYTHING.without_secrets(around.format(SECRETS[name].upper()))


def test_a_secret_within_a_secret_is_masked_until_nothing_is_left_of_either():
    key = SECRETS["openai"]
    for depth in range(1, 6):
        text = key
        for _ in range(depth):
            text = f"{key[:9]}{text}{key[9:]}"
        left = EVERYTHING.without_secrets(text)
        assert not LETTERS.intersection(left.casefold()), left


def test_what_cannot_be_swept_clean_is_not_given_out():
    key = SECRETS["openai"]
    with pytest.raises(ValueError, match="still"):
        EVERYTHING.without_secrets(key[:9] * 40 + key[9:] * 40)


def test_a_secret_spread_over_a_long_text_is_found():
    spread = (" " * 5_000).join("s3cr3t")
    assert Redactor(["s3cr3t"]).without_secrets(f"x{spread}y") == f"x{MARK}y"


def test_a_password_that_looks_like_the_mark_ends_nothing():
    odd = Redactor(["••••••"])
    assert odd.without_secrets("a •••••• b") == f"a {MARK} b"


def test_a_secret_in_letters_that_are_not_latin_is_masked_too():
    assert Redactor(["我的很長的密碼"]).without_secrets("是 我 的 很 長 的 密 碼 。") == f"是 {MARK} 。"


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijklmnop1234",
        "ntn_12345678901abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrstuvwx",
        "github_pat_abcdefghijklmnopqrstuvwx",
        "secret_abcdefghijklmnopqrstuvwx",
        "AKIAABCDEFGHIJKLMNOP",
        "AIzaSyAbcdefghijklmnopqrstuvwxyz0123456",
        "xoxb-1234567890-abc",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl",
    ],
)
def test_what_has_the_shape_of_a_key_is_masked_for_a_model_and_left_for_its_person(key):
    assert Redactor([]).without_keys(f"我的金鑰是 {key}。") == f"我的金鑰是 {MARK}。"
    assert Redactor([]).masked([key]) == [MARK]
    assert EVERYTHING.veiled([key]) == [key]


def test_what_only_begins_like_a_key_is_left():
    told = "task-abcdefghijklmnopqrstuvwx risk-free-and-easy-going-all-day sk-short ghp_ xoxo-1234567890123"
    assert Redactor([]).without_keys(told) == told


@pytest.mark.parametrize("beside", ["\ud800", "\x07", "\b", "\f", '"', "\\", "\n\t\r", r"\u0041", "é"])
def test_a_secret_is_masked_beside_any_sign_that_json_writes_otherwise(beside):
    assert EVERYTHING.masked({"a": [beside + SECRETS["openai"]]}) == {"a": [beside + MARK]}


@pytest.mark.parametrize("length", [0, LONGEST_REMEMBERED // 2, LONGEST_REMEMBERED, 2 * LONGEST_REMEMBERED])
def test_a_part_that_is_sent_again_is_masked_again_and_a_harmless_one_beside_it_is_left(length):
    long = [{"content": "好" * length}, {"content": "x" * length + "topsecret"}]
    redactor = Redactor(["topsecret"])
    for _ in range(2):
        assert redactor.masked(long) == [long[0], {"content": "x" * length + MARK}]
        assert redactor.masked(long[:1]) == long[:1]


@given(st.lists(st.text('topsecret\u0007\\"', max_size=12) | st.just("topsecret"), max_size=6))
def test_what_was_looked_at_before_is_masked_as_at_first(parts):
    seen = Redactor(["topsecret"])
    assert [seen.masked(parts) for _ in range(2)] == [[seen.without_keys(each) for each in parts]] * 2


# ── what is left alone ────────────────────────────────────────────────────────────────────────────────────────────


def ordinary_texts() -> Iterator[object]:
    for file in sorted(SHARED.glob("data/*/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def test_no_ordinary_text_is_changed(shared):
    texts = list(ordinary_texts())
    assert len(texts) >= 3_000
    assert [each for each in texts if EVERYTHING.masked(each) is not each] == []


@given(st.text())
def test_text_without_a_secret_comes_back_as_it_is(text):
    assert EVERYTHING.without_secrets(text) == text


def big(text: str) -> str:
    return (text * (65_536 // len(text.encode()) + 1)).encode()[:65_536].decode(errors="ignore")


@pytest.mark.parametrize(
    "text",
    [
        big("The quick brown fox had lunch for $12.50 & went on, 100% sure. "),
        big("今天下午三點跟陳醫師回診，午餐 120 元，記得買牛奶！「好的」 #12 "),
        big("明日の午後３時に田中先生と会議。昼ごはん 850円・食費　"),
        big(json.dumps({"content": "昼ごはん", "type": "expense", "note": 'a "quoted"\nline'})),
    ],
    ids=["en", "zh", "ja", "json"],
)
def test_a_page_of_64_kib_takes_milliseconds(text):
    """Five on a quiet machine; here a multiple, for others are at work beside."""
    configured = Redactor(secret for name, secret in SECRETS.items() if name not in {"short", "signs"})
    times = []
    for _ in range(5):
        start = time.perf_counter()
        configured.without_secrets(text)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.025


# ── whatever comes ────────────────────────────────────────────────────────────────────────────────────────────────

NOISE = st.text(max_size=40)


@given(NOISE, NOISE, st.sampled_from(sorted(FORMS.keys() - BEYOND)), st.sampled_from(sorted(SECRETS)))
def test_whatever_stands_before_and_after_no_secret_is_left_to_be_read(before, after, form, name):
    secret = SECRETS[name]
    left = EVERYTHING.without_secrets(before + FORMS[form](secret) + after)
    assert secret not in left
    assert not Forms(SECRETS.values()).shown_in(left)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(sorted(SECRETS.values())),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    )
)
def test_a_masked_value_keeps_its_shape_and_is_the_same_one_if_nothing_was_masked(value):
    masked = EVERYTHING.masked(value)
    told = json.dumps(masked, ensure_ascii=False)
    assert not any(secret in told for secret in SECRETS.values())
    assert shape(masked) == shape(value)
    assert (masked is value) == (masked == value)
    assert EVERYTHING.masked(masked) == masked


def shape(value):
    match value:
        case dict():
            return {name: shape(each) for name, each in value.items()}
        case list():
            return [shape(each) for each in value]
    return type(value)


# ── the model ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Listening:
    """An engine that remembers what it was told."""

    bytes_per_token = 3.5

    def __init__(self) -> None:
        self.heard: list[object] = []

    async def complete(self, messages, tools, *, may_call=True):
        self.heard.append((messages, tools, may_call))
        return Completion({"role": "assistant", "content": "好"}, "好")


async def nothing(arguments, key):
    return {}


TOOL = ToolDefinition("find", "Finds.", {"type": "object", "properties": {"what": {"type": "string"}}}, nothing)
LEAKY = ToolDefinition(
    "find_topsecret", "Finds topsecret.", {"properties": {"topsecret": {"enum": ["topsecret"]}}}, nothing
)


async def test_a_model_is_shown_no_secret_wherever_it_stands():
    model = Listening()
    words = {"role": "user", "content": [{"type": "text", "text": "topsecret", "topsecret": {"x": ["dG9wc2VjcmV0"]}}]}

    await Masked(model, Redactor(["topsecret"])).complete([words], [LEAKY], may_call=False)

    ((messages, tools, may_call),) = model.heard
    assert messages == [{"role": "user", "content": [{"type": "text", "text": MARK, MARK: {"x": [MARK]}}]}]
    assert [(each.name, each.description, each.parameters) for each in tools] == [
        (f"find_{MARK}", f"Finds {MARK}.", {"properties": {MARK: {"enum": [MARK]}}})
    ]
    assert tools[0].handler is nothing
    assert not may_call


async def test_a_call_named_by_a_secret_can_still_be_sent_back():
    model = Listening()
    call = {"id": "1", "type": "function", "function": {"name": "get-topsecret", "arguments": '{"a":"topsecret"}'}}
    sent = [{"role": "assistant", "content": None, "tool_calls": [call]}]

    await Masked(model, Redactor(["topsecret"])).complete(sent, [])

    (((message,), _, _),) = model.heard
    assert message["tool_calls"][0]["function"] == {"name": "get-masked", "arguments": f'{{"a":"{MARK}"}}'}
    assert call["function"]["name"] == "get-topsecret", "what is kept is not touched"


async def test_ids_that_hold_a_secret_are_still_told_apart():
    calls = [{"id": f"topsecret{n}", "type": "function", "function": {"name": "get", "arguments": "{}"}} for n in "ab"]
    results = [{"role": "tool", "tool_call_id": each["id"], "content": "{}"} for each in calls]
    model = Listening()
    redactor = Redactor(["topsecreta", "topsecretb"])
    await Masked(model, redactor).complete([{"role": "assistant", "content": None, "tool_calls": calls}, *results], [])
    (((asked, *answered), _, _),) = model.heard
    ids = [each["id"] for each in asked["tool_calls"]]
    assert ids == [each["tool_call_id"] for each in answered]
    assert len(set(ids)) == len(calls)
    assert "".join(ids).isascii()


async def test_what_holds_no_secret_is_handed_on_as_it_is():
    model = Listening()
    masked = Masked(model, EVERYTHING)
    tools = [TOOL]
    for _ in range(2):
        await masked.complete([{"role": "user", "content": "牛奶"}], tools)

    assert model.heard == [([{"role": "user", "content": "牛奶"}], [TOOL], True)] * 2
    assert masked.bytes_per_token == model.bytes_per_token


class Broken(Redactor):
    """Fails at everything, and would tell what it was at."""

    def _fails(self, value):
        raise ValueError(f"cannot mask {value}")

    without_secrets = without_keys = masked = veiled = _fails


@pytest.mark.parametrize("tools", [[], [TOOL]])
async def test_if_masking_fails_the_model_is_asked_nothing(tools):
    model = Listening()
    with pytest.raises(NotMasked) as told:
        await Masked(model, Broken([])).complete([{"role": "user", "content": "topsecret"}], tools)

    assert model.heard == []
    assert "topsecret" not in str(told.value)
    assert told.value.__cause__ is None


async def test_if_masking_fails_the_person_is_told_that_it_went_wrong_and_the_house_goes_on(database, caplog):
    model = Listening()
    talk = Talk(database, Masked(model, Broken([])))
    assert await talk.says("買牛奶 topsecret") == [ZH.failed]
    assert model.heard == []
    assert "topsecret" not in caplog.text
    assert await talk.says("復原") == [ZH.nothing_to_undo]


# ── the log ───────────────────────────────────────────────────────────────────────────────────────────────────────


def line(message: object, *arguments: object, error: BaseException | None = None, **further: object):
    """A line of a log, as a logger makes it."""
    trace = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord(
        "bot.x", logging.ERROR, "f", 1, message, arguments, trace, sinfo=further.pop("stack", None)
    )
    vars(made).update(further)
    return made


def written(filter_: MaskedLog, made: logging.LogRecord) -> str:
    assert filter_.filter(made)
    return logging.Formatter("%(levelname)s %(name)s %(message)s").format(made) + repr(vars(made))


def test_a_log_line_goes_on_without_its_secret():
    told = written(MaskedLog(Redactor(["topsecret"])), line("got %s", "topsecret", error=ValueError("is topsecret")))

    assert "topsecret" not in told
    assert f"got {MARK}" in told
    assert f"ValueError: is {MARK}" in told


def test_what_was_added_to_a_line_is_masked_too():
    made = line("x", stack="at topsecret", user="topsecret", body={"a": ["topsecret"]}, path=Path("/topsecret"), n=7)
    told = written(MaskedLog(Redactor(["topsecret"])), made)

    assert "topsecret" not in told
    assert made.stack_info == f"at {MARK}"
    further = [vars(made)[name] for name in ("user", "body", "path", "n")]
    assert further == [MARK, {"a": [MARK]}, f"/{MARK}", 7]


def test_a_line_without_a_trace_gets_none():
    made = line("got %s", "milk")
    assert MaskedLog(Redactor(["topsecret"])).filter(made)

    assert logging.Formatter("%(levelname)s %(message)s").format(made) == "ERROR got milk"


def test_a_trace_that_somebody_else_wrote_into_the_line_is_masked_too():
    made = line("x")
    made.exc_text = "ValueError: topsecret"
    assert "topsecret" not in written(MaskedLog(Redactor(["topsecret"])), made)


def test_a_line_that_cannot_be_masked_goes_on_without_its_text():
    made = line("topsecret %s", "x", error=ValueError("topsecret"), stack="topsecret", user="topsecret")
    told = written(MaskedLog(Broken([])), made)

    assert "topsecret" not in told
    assert told.startswith("ERROR bot.x (a line of 12 signs that could not be masked)")


@pytest.mark.parametrize("made", [line("%s %s topsecret", "x"), line(7, "x"), line("%d", "topsecret")])
def test_a_line_with_wrong_arguments_ends_nothing(made):
    told = written(MaskedLog(Redactor(["topsecret"])), made)
    assert "could not be masked" in told
    assert "topsecret" not in told


def test_what_ends_the_program_unforeseen_is_told_without_its_secret():
    program = (
        "from bot.log_lines import log_to_stderr; from bot.settings import Settings\n"
        "from bot.redaction import Redactor; settings = Settings(openai_api_key='topsecret')\n"
        "log_to_stderr(settings.log_level, settings.log_format, Redactor(settings.secrets))\n"
        "raise RuntimeError('with topsecret')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert f"RuntimeError: with {MARK}" in ended.stderr
    assert "topsecret" not in ended.stderr


def test_for_machines_each_line_of_the_log_is_one_object_masked_too(capsys, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    log_to_stderr("INFO", "json", Redactor(["topsecret"]))
    try:
        raise ValueError("two\nlines of topsecret")  # noqa: TRY301 - it needs a trace
    except ValueError:
        logging.getLogger("here").exception("said %s", "topsecret")

    said = json.loads(capsys.readouterr().err)
    assert (said["level"], said["logger"], said["message"]) == ("ERROR", "here", f"said {MARK}")
    assert f"lines of {MARK}" in said["error"]
    assert datetime.fromisoformat(said["time"]).tzinfo

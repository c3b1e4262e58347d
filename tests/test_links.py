"""Which web addresses of a model's text stay alive."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.links import beyond, only_known_links, own_words
from bot.plain_text import plain
from bot.thinking.foreign import Foreign


def test_an_address_the_person_wrote_stays_alive():
    text = "你存的是 https://ok.example/a?b=1。"
    assert only_known_links(text, ["存一下 https://ok.example/a?b=1 謝謝"]) == text


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("看 https://evil.example/?k=秘密 吧", "看 evil[.]example/?k=秘密 吧"),
        ("evil.example/x", "evil[.]example/x"),
        ("www.evil.example", "www[.]evil[.]example"),
        ("[這裡](https://evil.example)", "[這裡](evil[.]example)"),
        ("line://app/1", "app/1"),
        ("看evil.example/x", "看evil[.]example/x"),
        ("_evil.example", "_evil[.]example"),
        ("müller.example", "müller[.]example"),
        ("name@evil.example/x", "name@evil[.]example/x"),
        ("203.0.113.5/x", "203[.]0[.]113[.]5/x"),
        ("1.evil.example", "1[.]evil[.]example"),
    ],
)
def test_a_foreign_address_becomes_plain_words(text, dead):
    assert only_known_links(text, ["https://ok.example"]) == dead


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("看https://ok.example/a?b=1不錯", "https://ok.example/a?b=1"),
        ("https://ok.example/a，幫我記", "https://ok.example/a"),
        ("https://ok.example/商品/12，幫我記", "https://ok.example/商品/12"),
        ("https://ok.exampleを保存", "https://ok.example"),
        ("ok.example/aを保存して", "ok.example/a"),
        ("ดูhttps://ok.example/aดีไหม", "https://ok.example/a"),
    ],
)
def test_an_address_that_is_written_on_without_a_space_is_the_persons_with_and_without_what_follows(words, address):
    assert only_known_links(words, [words]) == words
    assert only_known_links(f"是 {address} 嗎", [words]) == f"是 {address} 嗎"
    assert not beyond([address], [words])


def test_what_is_written_on_behind_a_known_address_is_parted_from_it_and_judged_for_itself():
    text = "在https://ok.example/a，也看https://evil.example/b吧"
    assert only_known_links(text, ["https://ok.example/a"]) == "在https://ok.example/a ，也看evil[.]example/b吧"
    assert only_known_links("https://ok.example/a秘密", ["https://ok.example/a"]) == "https://ok.example/a 秘密"


def test_a_longer_address_is_another_one():
    assert "ok[.]example/secret" in only_known_links("https://ok.example/secret", ["https://ok.example/"])


@pytest.mark.parametrize(
    "text",
    [
        "花了 12.50 元",
        "a.b@mail.example",
        "report.pdf 收到",
        "e.g. this",
        "1.2.3",
        "明天.後天",
        "ann.lee@mail.example",
        "1.milk 2.eggs",
    ],
)
def test_what_is_no_address_is_left_alone(text):
    assert only_known_links(text, []) == text


def test_a_known_address_stays_alive_behind_a_number_and_between_letters_of_another_script():
    text = "1.https://ok.example/a 看www.ok.example"
    assert only_known_links(text, ["https://ok.example/a", "存www.ok.example"]) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "ht`tp`s://evil.example/x",
        "ht**tp**s://3232235777/x",
        "https:\x00//3232235777/x",
        "ht\u202etps://3232235777/x",
        "https:/\u2066/evil.example/x",
        "[ht](https://ok.example)`tps://evil.example/x`",
        "ev\x1fil.example/x",
        "ev~~il~~.exa`mple`/x",
        "www\\`.evil.example",
    ],
)
def test_an_address_that_is_joined_by_taking_something_out_is_found(hidden):
    judged = only_known_links(plain(hidden), ["https://ok.example"])

    assert plain(judged) == judged
    assert "evil.example" not in judged
    assert "://3232235777" not in judged


@pytest.mark.parametrize(
    "nested",
    [
        "a://https://3232235777/x",
        "https:a:////3232235777/x",
        "hthttps://tps://3232235777/x",
        "https" + "x" * 31 + "://://3232235777/x",
        "http" + "x" * 31 + "://s://3232235777/x",
    ],
)
def test_making_an_address_dead_joins_no_other(nested):
    assert "://" not in only_known_links(nested, [])


@pytest.mark.parametrize(
    "split",
    ["https://evil.\nexample/x", "https:\n//evil.example/x", "https://evil.example\n/x", "www.\nevil.example/x"],
)
def test_an_address_that_is_split_over_lines_is_dead_in_every_line(split):
    judged = only_known_links(split, ["https://evil.example/x"])

    assert all(not re.search(r"://|evil\.example", line) for line in judged.split("\n"))


@pytest.mark.parametrize("stop", "。．｡")
def test_a_full_stop_of_another_script_makes_no_living_host(stop):
    assert only_known_links(f"http://evil{stop}example/x", []) == "evil[.]example/x"


def test_the_sentence_behind_a_dead_address_stays_as_it_is():
    assert only_known_links("完成：evil.example/x。今天還剩 2 件。", []) == "完成：evil[.]example/x。今天還剩 2 件。"


def test_an_address_in_words_of_others_is_nobodys_own():
    words = f"存一下 https://ok.example\n{Foreign('file', 'https://evil.example/a')}"
    history = [{"role": "user", "content": words}, {"role": "assistant", "content": "https://made.example"}]

    assert only_known_links(
        "https://ok.example https://evil.example/a https://made.example", own_words("", history, [], [])
    ) == ("https://ok.example evil[.]example/a made[.]example")


def test_of_a_mixed_result_only_ones_own_records_make_addresses_live():
    result = {
        "untrusted": True,
        "records": [{"ref": 1, "content": "https://mine.example"},
                    {"ref": 2, "content": "https://evil.example", "origin": "others"}],
        "totals": [{"group": "https://tag.example", "count": 1}],
    }  # fmt: skip
    told = json.dumps(result, separators=(",", ":"))

    assert own_words("", [], [{"role": "tool", "content": told}], [])[1:] == ["https://mine.example"]
    assert own_words("", [], [{"role": "tool", "content": told[:-9]}], [])[1:] == []


def test_what_is_beyond_the_known_is_told():
    assert beyond(["看 https://evil.example/x"], ["https://ok.example"])
    assert not beyond(["看 https://ok.example 跟 a.b@mail.example"], ["https://ok.example", "a.b@mail.example"])


@given(st.lists(st.sampled_from(["https", "http", "s", "://", ":", "/", "a", "b.", ".", "www.", "1", "-", "看"])))
def test_nothing_that_could_be_opened_is_left_of_unknown_addresses(parts):
    assert not re.search(r"https?://+[^/:.]|(?<![\w-])www\.[a-z]", only_known_links("".join(parts), []))


@pytest.mark.parametrize("pump", ["a", "a-", "a.", "1.", "a@", "http://", "www.", "a:/", "é", ".", "1.a", "a.b@"])
def test_no_text_takes_long_to_judge(pump):
    text = pump * (20_000 // len(pump))
    begun = time.process_time()
    only_known_links(f"{text} !", [text])

    assert time.process_time() - begun < 1

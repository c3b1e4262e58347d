"""Secrets do not leave: not to a model, not into a log."""

from __future__ import annotations

import logging

import pytest

from bot.model_ports import Completion
from bot.redaction import MARK, Masked, MaskedLog, Redactor


def test_configured_secrets_are_masked_longest_first():
    assert Redactor(["abcdef", "abcdefgh"]).without_secrets("x abcdefgh y abcdef") == f"x {MARK} y {MARK}"


def test_short_secrets_would_mask_ordinary_words_and_are_left():
    assert Redactor(["abc"]).without_secrets("abc") == "abc"


@pytest.mark.parametrize(
    "key",
    [
        "sk-proj-abcdefghijklmnop1234",
        "ntn_12345678901abcdefghijklmnop",
        "ghp_abcdefghijklmnopqrstuvwx",
        "AKIAABCDEFGHIJKLMNOP",
        "xoxb-1234567890-abc",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl",
    ],
)
def test_what_has_the_shape_of_a_key_is_masked(key):
    assert Redactor([]).without_keys(f"我的金鑰是 {key}。") == f"我的金鑰是 {MARK}。"


async def test_a_model_is_shown_no_secret_wherever_it_stands():
    seen = []

    class Listening:
        bytes_per_token = 2.0

        async def complete(self, messages, tools, *, may_call=True):
            seen.extend(messages)
            return Completion({"role": "assistant", "content": "好"}, "好")

    await Masked(Listening(), Redactor(["topsecret"])).complete(
        [{"role": "user", "content": [{"type": "text", "text": "topsecret"}]}], []
    )

    assert seen == [{"role": "user", "content": [{"type": "text", "text": MARK}]}]


def test_a_log_line_goes_on_without_its_secret():
    error = ValueError("topsecret")
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "got %s", ("topsecret",), (ValueError, error, None))

    assert MaskedLog(Redactor(["topsecret"])).filter(record)
    assert "topsecret" not in logging.Formatter().format(record)
    assert f"got {MARK}" in logging.Formatter().format(record)

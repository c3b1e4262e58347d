"""One alphabet for every table of words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.alphabet import fold, fold_pattern
from tools.money_words import SCALES, SYMBOLS, WORDS
from tools.number_words import ENGLISH_NUMBERS, HAN_DIGITS, HAN_LARGE, HAN_SMALL, THAI_DIGITS, THAI_SCALES


@pytest.mark.parametrize(
    ("text", "folded"),
    [("３点 ＡＭ", "3點 am"), ("๒๕ บาท", "25 บาท"), ("记帐两万块", "記帳兩萬塊"), ("来週 ㌔", "來週 ㌔")],
)
def test_widths_cases_and_forms_become_one(text: str, folded: str):
    assert fold(text) == folded


@given(st.text())
def test_what_is_folded_stands_where_it_stood(text: str):
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_the_tables_are_written_in_the_alphabet():
    tables = (SYMBOLS, WORDS, SCALES, HAN_DIGITS, HAN_SMALL, HAN_LARGE, THAI_DIGITS, THAI_SCALES, ENGLISH_NUMBERS)
    assert [word for table in tables for word in table if fold(word) != word] == []


def test_a_folded_pattern_keeps_its_classes():
    assert fold_pattern(r"\S后\s") == r"\S後\s"
    assert re.fullmatch(fold_pattern("两点(?P<N>.)"), fold("两点半"))

"""What a text is found by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.words import SEPARATOR, normalised, pairs, searchable, terms

texts = st.text(st.characters(), max_size=30) | st.text("aBＣ咖啡ｶﾞ가é\u0301ß ำ\n\u200b", max_size=12)


@given(texts)
def test_a_normalised_text_is_one_part_that_stays_as_it_is_encoded(text: str):
    words = normalised(text)
    assert SEPARATOR not in words
    assert not any(character.isspace() for character in words)
    words.encode()


@given(st.lists(texts, max_size=4), st.data())
def test_every_piece_of_a_text_is_under_all_its_pairs(parts: list[str], data: st.DataObject):
    words = searchable(parts)
    for part in filter(None, words.split(SEPARATOR)):
        start = data.draw(st.integers(0, len(part) - 1))
        piece = part[start : data.draw(st.integers(start + 1, len(part)))]
        if len(piece) == 1:
            assert any(term.startswith(piece) for term in terms(words))
        else:
            assert set(pairs(piece)) <= terms(words)


@given(st.lists(texts, max_size=4), texts)
def test_a_short_keyword_is_proved_by_the_terms_alone(parts: list[str], keyword: str):
    short, words = normalised(keyword)[:2], searchable(parts)
    if len(short) == 2:
        assert (short in terms(words)) == (short in words)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ＡＢＣ", "abc"), ("Straße", "STRASSE"), ("ｶﾞ", "ガ"), ("a b\tc\nd　e", "abcde"), ("ﬁ", "FI"), ("①", "1")],
)
def test_case_width_and_white_space_do_not_count(one: str, other: str):
    assert normalised(one) == normalised(other)

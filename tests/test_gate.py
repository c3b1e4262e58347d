"""Who may talk, and what is kept of those who may not."""

from __future__ import annotations

from bot.gate import MOST_TRIES, Gate
from bot.ports import IncomingMessage
from tests.fakes import said
from tools.record import PersonId

ANNA, BEN = PersonId("Ua"), PersonId("Ub")


def by(person: PersonId | None, text: str) -> IncomingMessage:
    return said(1, text, person=person, message_id="m", reply_token="t")


def test_the_words_of_the_welcome_are_kept():
    gate = Gate(everyone=False, welcome=[ANNA], code=None)
    assert gate.admit(by(ANNA, "牛奶")).text == "牛奶"


def test_of_a_stranger_no_words_are_kept_but_a_reply_is_possible():
    kept = Gate(everyone=False, welcome=[ANNA], code=None).admit(by(BEN, "秘密"))

    assert (kept.text, kept.message_id, kept.reply_token) == ("", None, "t")


def test_someone_unnamed_is_a_stranger_even_where_everyone_is_welcome():
    assert Gate(everyone=True, welcome=[], code=None).admit(by(None, "秘密")).text == ""


def test_everyone_is_welcome_in_the_local_line():
    assert Gate(everyone=True, welcome=[ANNA], code=None).welcomes(BEN)


def test_the_pairing_code_lets_in_once():
    gate = Gate(everyone=False, welcome=[], code="c0ffee12")
    assert gate.opens_with(gate.admit(by(BEN, " C0FFEE12 ")).text)

    gate.let_in(BEN)

    assert gate.welcomes(BEN)
    assert gate.owner == BEN
    assert not gate.opens_with("c0ffee12")


def test_letting_in_again_changes_nothing_and_ends_the_code():
    gate = Gate(everyone=False, welcome=[ANNA], code="c0ffee12")
    gate.let_in(ANNA)

    assert gate.owner == ANNA
    assert gate.code is None


def test_without_a_code_no_word_opens():
    assert not Gate(everyone=False, welcome=[ANNA], code=None).opens_with("")


def test_of_several_owners_the_first_is_the_owner():
    assert Gate(everyone=False, welcome=[BEN, ANNA], code=None).owner == BEN


def test_after_many_wrong_codes_the_code_is_void():
    gate = Gate(everyone=False, welcome=[], code="12345678")
    for guess in range(MOST_TRIES):
        gate.admit(by(BEN, f"{guess:08}"))

    assert gate.code is None
    assert not gate.opens_with("12345678")


def test_ordinary_words_of_strangers_do_not_void_the_code():
    gate = Gate(everyone=False, welcome=[], code="12345678")
    for _ in range(MOST_TRIES * 2):
        gate.admit(by(BEN, "你好"))

    assert gate.opens_with("12345678")

"""Who may talk, what is kept of those who may not, and the code that lets one in: the same in every process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from bot.gate import MOST_TRIES, Gate, code_in
from bot.ports import IncomingMessage, Person
from bot.sql.people import SqlPeople
from tests.fakes import Calendar, said
from tools.record import PersonId

ANNA, BEN, HOME = PersonId("Ua"), PersonId("Ub"), PersonId("Uhome")
MEI = Person(ANNA, "zh-TW", "zh-TW", ZoneInfo("Asia/Taipei"), "TWD")
EMMA = replace(MEI, id=BEN, language="en")
CODE = "04041234"


def by(person: PersonId | None, text: str) -> IncomingMessage:
    return said(1, text, person=person, message_id="m", reply_token="t")


def only_anna() -> Gate:
    return Gate(everyone=False, welcome=[ANNA])


@pytest.fixture
def people(database) -> SqlPeople:
    return SqlPeople(database, Calendar(), at_home=[HOME])


@pytest.fixture
def processes(people) -> list[Gate]:
    """The gates of two processes that share the store."""
    return [Gate(everyone=False, welcome=[], door=people) for _ in range(2)]


@pytest.fixture
async def gate(people, processes) -> Gate:
    await people.offer(CODE)
    return processes[0]


async def test_the_words_of_the_welcome_are_kept():
    assert (await only_anna().admit(by(ANNA, "牛奶"))).text == "牛奶"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("@Secretary 午餐 5", "午餐 5"),
        ("＠ｓｅｃｒｅｔａｒｙ，午餐 5", "午餐 5"),
        ("@Secretary", "@Secretary"),
        ("@Secretaryship 5", "@Secretaryship 5"),
        ("@小美 午餐 5", "@小美 午餐 5"),
        ("Secretary 禮物 500", "Secretary 禮物 500"),
    ],
)
async def test_in_ones_own_chat_the_name_behind_an_at_is_no_part_of_what_is_said(text, kept):
    gate = Gate(everyone=False, welcome=[PersonId(ANNA)], names=lambda: ["Secretary"])
    assert (await gate.admit(by(PersonId(ANNA), text))).text == kept


async def test_of_a_stranger_no_words_are_kept_but_a_reply_is_possible():
    kept = await only_anna().admit(by(BEN, "秘密"))

    assert (kept.text, kept.message_id, kept.reply_token) == ("", None, "t")


async def test_someone_unnamed_is_a_stranger_even_where_everyone_is_welcome(gate):
    assert (await Gate(everyone=True, welcome=[]).admit(by(None, "秘密"))).text == ""
    assert (await gate.admit(by(None, CODE))).text == ""


async def test_everyone_is_welcome_in_the_local_line():
    assert await Gate(everyone=True, welcome=[ANNA]).welcomes(BEN)


async def test_of_several_named_the_first_is_the_owner_and_no_code_opens():
    gate = Gate(everyone=False, welcome=[BEN, ANNA])

    assert await gate.owner() == BEN
    assert await gate.code() is None
    assert not await gate.pairs(MEI, CODE)


@pytest.mark.parametrize("typed", [CODE, f" {CODE}\n", "０４０４１２３４"])
async def test_the_pairing_code_lets_in_once_however_it_was_typed(gate, typed):
    assert (await gate.admit(by(BEN, typed))).text == typed
    assert await gate.pairs(EMMA, typed)

    assert await gate.welcomes(BEN)
    assert await gate.owner() == BEN
    assert await gate.code() is None
    assert (await gate.admit(by(ANNA, CODE))).text == ""
    assert not await gate.pairs(MEI, CODE)
    assert not await gate.welcomes(ANNA)


async def test_who_was_interrupted_while_pairing_pairs_again(gate, people):
    assert await gate.pairs(EMMA, CODE)
    assert await gate.pairs(EMMA, CODE)
    assert await people.owners() == [BEN]


@pytest.mark.parametrize("words", ["", "1234567", "123456789", "12345678 x", "c0ffee12", "你好", "١٢٣٤٥٦٧٨"])
def test_only_eight_digits_may_be_a_code(words):
    assert code_in(words) is None


async def test_who_paired_in_one_process_is_welcome_in_every_other_at_once(gate, processes):
    other = processes[1]
    assert await other.code() == CODE
    assert not await other.welcomes(BEN)

    await gate.pairs(EMMA, CODE)

    assert (await other.admit(by(BEN, "牛奶"))).text == "牛奶"
    assert (await other.owner(), await other.code()) == (BEN, None)
    assert not await other.pairs(MEI, CODE)


async def test_of_two_who_say_the_code_at_once_one_comes_in(gate, processes):
    let_in = await asyncio.gather(gate.pairs(EMMA, CODE), processes[1].pairs(MEI, CODE))

    assert sorted(let_in) == [False, True]
    assert [await each.owner() for each in processes] == [BEN if let_in[0] else ANNA] * 2


async def test_of_many_processes_that_start_at_once_one_code_stands(people, processes):
    await asyncio.gather(*(people.offer(f"{each:08}") for each in range(8)))

    codes = {await gate.code() for gate in processes}
    assert len(codes) == 1
    assert None not in codes


async def test_the_code_outlives_the_process(gate, database, people):
    await people.offer("99999999")
    assert await SqlPeople(database, Calendar()).code() == CODE


async def test_wrong_codes_are_counted_together_and_void_the_code_everywhere(gate, processes):
    for guess in range(MOST_TRIES):
        await processes[guess % 2].admit(by(BEN, f"{guess:08}"))

    assert [await each.code() for each in processes] == [None, None]
    assert (await gate.admit(by(BEN, CODE))).text == ""
    assert not await gate.pairs(EMMA, CODE)


async def test_after_a_void_code_the_next_start_offers_a_new_one(gate, people):
    for guess in range(MOST_TRIES):
        await gate.admit(by(BEN, f"{guess:08}"))

    await people.offer("99999999")
    assert await gate.code() == "99999999"


async def test_the_right_code_and_ordinary_words_of_strangers_do_not_void_it(gate):
    for _ in range(MOST_TRIES * 2):
        await gate.admit(by(BEN, "你好"))
        await gate.admit(by(BEN, CODE))

    assert await gate.code() == CODE


async def test_once_somebody_has_paired_no_code_is_offered_any_more(gate, people):
    await gate.pairs(EMMA, CODE)
    await people.offer("99999999")

    assert await gate.code() is None


async def test_who_tried_the_bot_at_home_has_not_paired(gate, people):
    await people.keep(replace(MEI, id=HOME, role="owner"))

    assert await gate.owner() is None
    assert not await gate.welcomes(HOME)
    assert await gate.code() == CODE


async def test_what_is_said_right_behind_the_code_is_kept_before_the_pairing_is_done(gate):
    assert (await gate.admit(by(BEN, CODE))).text == CODE
    assert (await gate.admit(by(BEN, "午餐 99"))).text == "午餐 99"
    assert (await gate.admit(by(HOME, "秘密"))).text == ""

"""The operator beside running bots, on both stores: what waits is seen, tried again or dropped, and nothing is lost."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import update

from bot.inbox_command import NotPossible
from bot.inbox_ports import Answer
from bot.model_ports import ModelUnavailable
from bot.ports import Bubble, ClaimLost, LaneId, Turn, TurnId
from bot.sql.inbox import SqlInbox
from bot.sql.inbox_rows import INBOX
from bot.sql.operator import SqlOperator, at_the_store
from bot.sql.postponed import POSTPONED
from tests.fakes import ANNA, BEN, Calendar, ScriptedModel, asks, said, says
from tests.talk import Talk, create
from tools.database import Database
from tools.database.trouble import DatabaseUnavailable

ANSWER = (Bubble("好"),)
SORRY = (Bubble("抱歉"),)


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture
def inbox(database: Database, clock: Calendar) -> SqlInbox:
    return SqlInbox(database, clock, worker="the bot")


@pytest.fixture
def operator(database: Database, clock: Calendar) -> SqlOperator:
    return SqlOperator(database, clock)


async def taken(inbox: SqlInbox, lane: str = ANNA) -> Turn:
    turn = await inbox.take(LaneId(lane))
    assert turn is not None, "nothing waits"
    return turn


async def set_aside(inbox: SqlInbox, number: int, *, told: bool = True) -> Turn:
    """A turn that was given up, its apology delivered or owed."""
    await inbox.put([said(number)])
    turn = await taken(inbox)
    await inbox.answered(turn, SORRY, set_aside=True)
    await (inbox.delivered(turn) if told else inbox.owe(turn, maybe_sent=False))
    return turn


# ── what is seen ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_what_waits_and_what_was_set_aside_is_listed_troubles_first(
    inbox: SqlInbox, operator: SqlOperator, clock: Calendar
):
    await set_aside(inbox, 1)
    clock.move(seconds=2)
    await set_aside(inbox, 2, told=False)
    await inbox.put([said(3)])
    turn = await taken(inbox)
    await inbox.answered(turn, ANSWER)
    await inbox.delivered(turn)
    await inbox.put([said(4), said(5), said(6, chat=BEN), said(7, answerable=False)])
    await taken(inbox)

    turns = await operator.turns()

    assert [(turn.id, turn.state, turn.messages) for turn in turns] == [
        ("01E002", "answered", 1),
        ("01E001", "delivered", 1),
        ("01E006", "received", 1),
        ("01E004", "working", 2),
    ]
    assert [bool(turn.set_aside_at) for turn in turns] == [True, True, False, False]
    assert [turn.owed for turn in turns] == [True, False, False, False]
    assert {turn.id for turn in await operator.turns(every=True)} == {f"01E00{n}" for n in (1, 2, 3, 4, 6, 7)}
    assert await operator.counts() == {"answered": 1, "delivered": 2, "ignored": 1, "received": 1, "working": 2}


async def test_a_turn_is_shown_with_its_words_the_shape_of_its_transcript_and_its_changes(database: Database):
    model = ScriptedModel(asks(create("牛奶"), create("蛋")), says("都記了"))
    talk = Talk(database, model)
    await talk.says("買牛奶和蛋")

    whole = await SqlOperator(database, talk.clock).find("01E001")

    assert [message.text for message in whole.messages] == ["買牛奶和蛋"]
    assert [(step.role, step.tools) for step in whole.transcript] == [
        ("user", ()),
        ("assistant", ("create_record x2",)),
        ("tool", ()),
        ("tool", ()),
        ("assistant", ()),
    ]
    assert all(step.size > 20 for step in whole.transcript)
    assert [(each.ref, each.kind, each.state) for each in whole.changes] == [
        (1, "create", "done"),
        (2, "create", "done"),
    ]
    assert whole.answer is not None
    assert "牛奶" in whole.answer[0].text


async def test_a_beginning_names_a_turn_if_no_other_has_it(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1), said(2), said(11, chat=BEN)])
    await taken(inbox)

    assert (await operator.find("01E00")).glance.id == "01E001", "both messages are of one turn"
    assert (await operator.find("01E002")).glance.id == "01E001"
    assert (await operator.find("01E01")).glance.id == "01E011"
    with pytest.raises(NotPossible, match="Several turns have an id that begins with 01E0: 01E001, 01E011"):
        await operator.find("01E0")
    for unknown in ("01e", "%", "_", "01E0022"):
        with pytest.raises(NotPossible, match="No turn has an id that begins with"):
            await operator.find(unknown)


async def test_a_whole_id_names_a_turn_even_if_another_begins_with_it(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1, id="ring:1"), said(2, id="ring:10", chat=BEN)])

    assert (await operator.find("ring:1")).glance.id == "ring:1"


# ── once more ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("told", [True, False])
async def test_a_turn_that_was_set_aside_begins_once_more(inbox: SqlInbox, operator: SqlOperator, told: bool):
    await set_aside(inbox, 1, told=told)

    assert (await operator.retry("01E001")).state == "received"
    assert await inbox.lanes_with_work() in ([], [ANNA]), "a claim of the bot may still live"
    assert await inbox.owed(ANNA) == []
    assert await inbox.answer_of(TurnId("01E001"), ANNA) is None

    again = await taken(inbox)
    assert (again.id, again.state, again.answer, again.deaths) == ("01E001", "working", None, 0)
    await inbox.answered(again, ANSWER)
    await inbox.owe(again, maybe_sent=False)
    assert [(each.turn, each.bubbles, each.maybe_sent) for each in await inbox.owed(ANNA)] == [
        ("01E001", ANSWER, False)
    ]


async def test_a_bot_finds_by_its_own_sweep_what_begins_once_more(inbox: SqlInbox, operator: SqlOperator):
    await set_aside(inbox, 1)
    assert await inbox.take(LaneId(ANNA)) is None
    await operator.retry("01E001")

    assert await inbox.lanes_with_work() == [ANNA]


async def test_a_turn_that_failed_in_silence_begins_once_more_with_all_its_messages(
    inbox: SqlInbox, operator: SqlOperator
):
    await inbox.put([said(1), said(2)])
    await inbox.fail(await taken(inbox))

    await operator.retry("01E002")

    again = await taken(inbox)
    assert (again.id, [message.text for message in again.messages]) == ("01E001", ["牛奶", "牛奶"])


async def test_nothing_joins_a_turn_that_begins_once_more_and_it_joins_nothing(inbox: SqlInbox, operator: SqlOperator):
    """Its transcript knows nothing of another message, and under another id its calls would be carried out again."""
    await inbox.put([said(2), said(3)])
    await inbox.fail(await taken(inbox))
    await inbox.put([said(1), said(4)])
    await operator.retry("01E002")

    heard = []
    while turn := await inbox.take(LaneId(ANNA)):
        heard.append((turn.id, [message.id for message in turn.messages]))
        await inbox.answered(turn, ANSWER)
        await inbox.delivered(turn)
    assert heard == [("01E001", ["01E001"]), ("01E002", ["01E002", "01E003"]), ("01E004", ["01E004"])]


async def test_what_was_stored_before_a_turn_was_set_aside_is_not_stored_twice(database: Database):
    talk = Talk(database, ScriptedModel(asks(create("牛奶")), RuntimeError("the process dies here"), says("記好了")))
    await talk.says("買牛奶")
    await talk.database.write(lambda c: c.execute(update(INBOX).values(set_aside_at=1)))
    assert [record.content for record in await talk.records()] == ["牛奶"]

    await SqlOperator(database, talk.clock).retry("01E001")
    talk.clock.move(minutes=5)
    await talk.use_case.run(await talk.takes())

    assert [record.content for record in await talk.records()] == ["牛奶"]
    owed = await talk.inbox.owed(ANNA)
    assert [each.turn for each in owed] == ["01E001"]
    assert "牛奶" in owed[0].bubbles[0].text


async def test_what_needs_no_second_try_is_refused_and_stays_as_it_is(inbox: SqlInbox, operator: SqlOperator):
    async def refused(reason: str) -> None:
        before = (await operator.find("01E001")).glance
        with pytest.raises(NotPossible, match=f"01E001 .*{reason}"):
            await operator.retry("01E001")
        assert (await operator.find("01E001")).glance == before

    await inbox.put([said(1)])
    await refused("waits already")
    turn = await taken(inbox)
    await refused("is being worked on")
    await inbox.answered(turn, ANSWER)
    await refused("has its answer")
    await inbox.sending(turn, "token1", list)
    await refused("being sent just now")
    await inbox.owe(turn, maybe_sent=True)
    await refused("has its answer, which stands in front of the chat's next reply")
    await inbox.put([said(1, redelivered=True)])
    turn = await taken(inbox)
    await inbox.sending(turn, "token1", list)
    await inbox.delivered(turn)
    await refused("was answered, and the person has it")


async def test_while_an_apology_is_on_its_way_nothing_begins_once_more(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1)])
    turn = await taken(inbox)
    await inbox.answered(turn, SORRY, set_aside=True)
    with pytest.raises(NotPossible, match="apologised for just now"):
        await operator.retry("01E001")
    await inbox.owe(turn, maybe_sent=False)
    await inbox.put([said(2)])
    carrier = await taken(inbox)
    await inbox.answered(carrier, ANSWER)
    await inbox.sending(carrier, "token1", list)
    with pytest.raises(NotPossible, match="apologised for just now"):
        await operator.retry("01E001")

    await inbox.delivered(carrier)
    await operator.retry("01E001")
    again = await taken(inbox)
    await inbox.answered(again, ANSWER)
    assert await inbox.owed(ANNA) == [], "the new answer is still to be sent"
    assert (await taken(inbox)).id == "01E001"


async def test_of_what_was_not_for_the_bot_nothing_can_be_tried(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1, answerable=False)])
    with pytest.raises(NotPossible, match="nothing of it was kept but the id"):
        await operator.retry("01E001")


# ── no more ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def brought_to(inbox: SqlInbox, state: str) -> Turn | None:
    """A turn of two messages that has come so far."""
    await inbox.put([said(1), said(2)])
    turn = None if state == "received" else await taken(inbox)
    if turn and state != "working":
        await inbox.answered(turn, ANSWER)
    if turn and state == "sending":
        await inbox.sending(turn, "token1", list)
    if turn and state == "owed":
        await inbox.owe(turn, maybe_sent=False)
    return turn


AT_WORK = ("working", "answered", "sending")


@pytest.mark.parametrize("state", AT_WORK)
async def test_what_a_bot_has_in_hand_is_not_dropped_and_goes_on(inbox: SqlInbox, operator: SqlOperator, state: str):
    turn = await brought_to(inbox, state)
    assert turn is not None
    assert [each.at_work for each in await operator.turns()] == [True]
    with pytest.raises(NotPossible, match=r"01E001 is in a bot's hands just now, .*stop that bot first, .*--force"):
        await operator.drop("01E002")

    if state == "working":
        await inbox.answered(turn, ANSWER)
    await inbox.delivered(turn)
    assert [each.at_work for each in await operator.turns(every=True)] == [False]


@pytest.mark.parametrize("state", AT_WORK)
@pytest.mark.parametrize("end", ["in order", "killed"])
async def test_what_a_bot_left_behind_can_be_dropped(
    database: Database, operator: SqlOperator, clock: Calendar, state: str, end: str
):
    inbox = SqlInbox(database, clock, worker="the bot", lease_seconds=0.05)
    await brought_to(inbox, state)
    if end == "in order":
        await inbox.let_go()
    else:
        clock.move(seconds=1)
        await asyncio.sleep(0.1)

    assert (await operator.drop("01E001")).at_work is False
    assert await inbox.take(LaneId(ANNA)) is None


@pytest.mark.parametrize("state", ["received", *AT_WORK, "owed"])
async def test_whatever_is_not_settled_can_be_dropped_by_force_under_the_hands_of_a_worker(
    inbox: SqlInbox, operator: SqlOperator, state: str
):
    turn = await brought_to(inbox, state)

    before = await operator.drop("01E001", force=True)

    assert before.at_work is (state in AT_WORK)

    assert before.state == ("answered" if state == "owed" else state)
    assert (await operator.find("01E001")).glance.state == "failed"
    assert [each.id for each in await operator.turns()] == (["01E002"] if state == "received" else [])
    assert await inbox.owed(ANNA) == []
    if turn:
        for move in (
            inbox.answered(turn, ()),
            inbox.sending(turn, "token1", list),
            inbox.delivered(turn),
            inbox.spend(turn),
        ):
            with pytest.raises(ClaimLost):
                await move
        assert await inbox.take(LaneId(ANNA)) is None
    assert await inbox.put([said(1, redelivered=True)]) == [], "its id is kept"


async def test_what_stood_in_front_of_a_dropped_answer_waits_for_the_next_reply(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1)])
    owing = await taken(inbox)
    await inbox.answered(owing, ANSWER)
    await inbox.owe(owing, maybe_sent=False)
    await inbox.put([said(2)])
    carrier = await taken(inbox)
    await inbox.answered(carrier, ANSWER)
    await inbox.sending(carrier, "token1", list)

    await operator.drop("01E002", force=True)
    await inbox.put([said(3)])
    following = await taken(inbox)
    await inbox.answered(following, ANSWER)

    carried = await inbox.sending(following, "token1", list)
    assert [(each.turn, each.maybe_sent) for each in carried] == [("01E001", True)]


async def test_a_dropped_turn_can_still_be_tried_again(inbox: SqlInbox, operator: SqlOperator):
    await inbox.put([said(1)])
    await operator.drop("01E001")
    await operator.retry("01E001")

    assert (await taken(inbox)).id == "01E001"


async def test_what_was_set_aside_and_told_is_taken_off_the_list(inbox: SqlInbox, operator: SqlOperator):
    await set_aside(inbox, 1)

    assert (await operator.drop("01E001")).state == "delivered"
    assert await operator.turns() == []
    assert await inbox.answer_of(TurnId("01E001"), ANNA) == Answer(SORRY)
    for force in (False, True):
        with pytest.raises(NotPossible, match="is delivered: nothing is left to drop"):
            await operator.drop("01E001", force=force)


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_operator_joins_a_store_that_is_in_use(database: Database, inbox: SqlInbox, url: str):
    await inbox.put([said(1)])
    async with at_the_store(url) as operator:
        assert [turn.id for turn in await operator.turns()] == ["01E001"]
        await operator.drop("01E001")
    assert await inbox.take(LaneId(ANNA)) is None


@pytest.mark.parametrize(("version", "told"), [("0001", "start the bot"), ("9999", "update the program")])
async def test_a_store_of_another_version_is_left_alone(database: Database, url: str, version: str, told: str):
    await database.write(
        lambda connection: connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
    )
    with pytest.raises(DatabaseUnavailable, match=told):
        async with at_the_store(url):
            pass
    found = await database.read(lambda c: c.exec_driver_sql("SELECT version_num FROM alembic_version").scalar())
    assert found == version


async def test_words_that_wait_for_the_model_are_counted_and_listed(operator: SqlOperator, database: Database):
    with ScriptedModel(ModelUnavailable("no route")) as model:
        await Talk(database, model).says("老婆的生日要怎麼辦")

    assert await operator.counts() == {"delivered": 1, "postponed": 1}
    assert [(each.state, each.postponed) for each in await operator.turns()] == [("delivered", True)]
    await database.write(lambda connection: connection.execute(update(POSTPONED).values(settled_by="01E002")))
    assert await operator.turns() == []

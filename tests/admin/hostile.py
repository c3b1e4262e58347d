"""A house in which everything that somebody else may have written is hostile; or, to be looked at, friendly.

Must not know what is tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.ai_log import AiLog, answering
from bot.ai_log_file import AiLogFile
from bot.model_ports import Attempt, Usage
from bot.ports import Bubble, ChatId, LaneId, Person, TurnId
from bot.redaction import Redactor
from bot.sql.allowance import SqlAllowance
from bot.sql.audit import SqlAudit
from bot.sql.groups import SqlGroups
from bot.sql.members import SqlMembers
from bot.sql.transcript import SqlTranscript
from bot.thinking.tool_loop import ToolEvent
from tests.admin.house import House
from tests.bot_process import OWNER
from tests.fakes import ANNA, BEN, a_prompt, said
from tools.notion import ledger
from tools.record import CallKey, Draft, PersonId
from tools.sql.memory import SqlMemory

PIECES = (
    "<script>window.struck = 1</script>",
    "<img src=x onerror='window.struck = 2'>",
    '"><svg onload="window.struck = 3">',
    '\'" onmouseover="window.struck = 4" x="',
    "</textarea></style></pre></title><h1>broken out</h1>",
    "javascript:window.struck=5",
    "[a](javascript:window.struck=6) https://evil.example/?k=1",
    "<style>*{background:url(https://evil.example/css)}</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "{{ 7 * 7 }} ${7*7} <%= 7 %> %s {name}",
)
EVIL = " ".join(PIECES) + " \u202eemosdnah\u202c \x1b[31mred\x07 " + "W" * 3_000 + "字" * 2_000

SETTINGS = {
    "notion_token": "ntn_000000000000000000000000000000",
    "notion_data_source_id": "0" * 32,
    "notion_base_url": "http://127.0.0.1:9",
    "openai_base_url": "http://127.0.0.1:9",
    "secretary_names": EVIL.replace(",", " "),
}

FRIENDLY = (
    "午餐 120 元",
    "明天下午三點跟陳醫師回診",
    "買牛奶",
    "這個月吃飯花了多少？",
    "Buy milk and call the plumber",
)


async def filled(house: House, *, friendly: bool = False) -> TurnId:
    """Fill every table that a page shows. The turn that is opened up."""
    texts: Sequence[str] = FRIENDLY if friendly else (EVIL,)
    names = ("小美", "Ben") if friendly else (EVIL, EVIL)
    await _people(house, names)
    turn = await _turns(house, texts)
    await _calls(house, turn, texts)
    _log(house, turn, texts)
    await _records(house, texts)
    house.clock.move(minutes=2)
    return turn


async def _people(house: House, names: tuple[str, str]) -> None:
    people = house.application.people
    for who, role in ((OWNER, "owner"), (BEN, "member")):
        await people.keep(Person(PersonId(who), "zh-TW", "zh-TW", ZoneInfo("Asia/Taipei"), "TWD", role, False))
    members, groups = (
        SqlMembers(house.application.database, house.clock),
        SqlGroups(house.application.database, house.clock),
    )
    for number, (who, name) in enumerate(((BEN, names[0]), (f"U{'e' * 32}", names[1]))):
        code = f"ABCD-EFGH-JKM{'NP'[number]}"
        await members.invite(
            TurnId(f"t{number}"), "member" if number == 0 else "guest", code, house.clock() + timedelta(days=1)
        )
        await members.join(PersonId(who), code, name)
    await members.invite(TurnId("open"), "guest", "ABCD-EFGH-JKMQ", house.clock() + timedelta(days=1))
    (gone,) = [each for each in await members.everyone() if each.person != BEN]
    await members.remove(gone.key)
    chat = ChatId("C" + "d" * 32)
    await groups.asks(chat)
    await groups.enable(chat, PersonId(OWNER), TurnId("g"), names[0])
    await groups.comes(chat, [PersonId(BEN)])
    await groups.call(chat, PersonId(BEN), names[1])


async def _turns(house: House, texts: Sequence[str]) -> TurnId:
    """Some were answered, one was set aside, one is owed, one waits."""
    inbox = house.application.inbox
    for number in range(1, 40):
        house.clock.move(minutes=7)
        at = house.clock()
        await inbox.put([said(number, texts[number % len(texts)], occurred_at=at, received_at=at)])
        turn = await inbox.take(LaneId(ANNA))
        assert turn is not None
        house.clock.move(seconds=1 + number % 9)
        await inbox.answered(turn, [Bubble(texts[-number % len(texts)])], set_aside=number == 1)
        if number == 2:
            await inbox.sending(turn, "token", lambda _: [])
            await inbox.owe(turn, maybe_sent=True)
        else:
            await inbox.sending(turn, "token", lambda _: [])
            await inbox.delivered(turn)
    await inbox.put(
        [said(99, texts[0], chat=BEN, person=PersonId(BEN), occurred_at=house.clock(), received_at=house.clock())]
    )
    return TurnId("01E001")


async def _calls(house: House, turn: TurnId, texts: Sequence[str]) -> None:
    audit = SqlAudit(house.clock)
    transcript = SqlTranscript(house.application.database, house.clock, audit.beside)
    for number, text in enumerate((*texts, *texts), start=1):
        outcome = "ok" if number % 3 else "invalid_arguments"
        audit.note(
            ToolEvent(
                turn, ANNA, PersonId(OWNER), "create_record", "done", number, f'{{"content": "{text}"}}', outcome, 0.02
            )
        )
    await transcript.append(turn, ANNA, 0, [{"role": "user", "content": text} for text in texts])


def _log(house: House, turn: TurnId, texts: Sequence[str]) -> None:
    file = house.application.settings.ai_log_file
    if not file:
        return
    log = AiLog(Redactor(house.application.settings.secrets), house.clock, AiLogFile(Path(file)).keep)
    call = {"id": "1", "type": "function", "function": {"name": texts[0], "arguments": texts[-1]}}
    sent = {
        "model": texts[0],
        "messages": [{"role": "system", "content": texts[0]}, *({"role": "user", "content": text} for text in texts)],
        "tools": [{"type": "function", "function": {"name": "create_record", "description": texts[0]}}],
    }
    with answering(a_prompt("x", turn=turn, chat=ANNA, person=PersonId(OWNER))):
        refused = {"error": {"message": texts[0]}}
        why = {"error": texts[0], "adaptation": texts[-1]}
        log.attempt(
            Attempt(engine=texts[0], sent=sent, status=429, came=refused, usage=Usage(0, 0), seconds=0.3, **why)
        )
        came = {"choices": [{"message": {"role": "assistant", "content": texts[0], "tool_calls": [call]}}]}
        log.attempt(Attempt(engine="openai", sent=sent, status=200, came=came, usage=Usage(812, 40), seconds=1.3))
        log.call(ToolEvent(turn, ANNA, PersonId(OWNER), "create_record", "done", 1, texts[0], "ok", 0.02))


async def _records(house: House, texts: Sequence[str]) -> None:
    database = house.application.database
    memory = SqlMemory(database, PersonId(OWNER), house.clock)
    for number in range(30):
        rings = house.clock() + timedelta(hours=number + 1) if number % 5 == 0 else None
        draft = Draft(content=texts[number % len(texts)][:2_000], type="task", remind_at=rings)
        change = await memory.record(draft, CallKey("r", number), lambda record: {"ref": record.ref})
        house.clock.move(minutes=11)
        if number == 0 and change.after is not None:
            id_ = change.after.id
            await database.write(lambda c, id_=id_: ledger.note(c, id_, attempts=3, last_error=texts[0]))
    allowance = SqlAllowance(database, calls=1000, tokens=2_000_000)
    for days in range(7):
        day = (house.clock() - timedelta(days=days)).date()
        await allowance.reserve(PersonId(f"U{days:032}"), day, 9_000 * (days + 1))

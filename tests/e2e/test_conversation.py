"""The main job from end to end: a signed webhook, the tool loop, a record, Notion, and the reply on its token."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import pytest_asyncio

from bot.local_line import FIRST_PERSON
from bot.local_line.phone import Phone
from tests.bot_process import BotProcess, heard, running, somebody
from tests.emulators import notion as notion_emulator
from tests.emulators import openai as openai_emulator
from tests.emulators.openai import KEY, MODEL, Slow, asks, says

pytestmark = pytest.mark.asyncio(loop_scope="module")


def title_of(row) -> str:
    return "".join(part["plain_text"] for part in row["properties"]["Title"]["title"])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def endpoint():
    async with openai_emulator.serving() as endpoint:
        yield endpoint


@pytest.fixture
def model(endpoint):
    endpoint.reset()
    return endpoint


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def thinking_bot(endpoint, tmp_path_factory):
    """A bot with a model. Those who ask for it share it: each talks as somebody new."""
    async with running(tmp_path_factory.mktemp("thinking"), **with_a_model(endpoint.url)) as bot:
        yield bot


def with_a_model(url: str) -> dict[str, str]:
    return {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": KEY, "OPENAI_MODEL": MODEL}


async def test_without_any_setting_it_logs_asks_and_undoes(shared_bot, phone):
    await phone.say("午餐 120")
    await heard(phone, "午餐 120 元", "#1", "今天 120")
    await phone.say("這個月吃飯花了多少？")
    await heard(phone, "120")
    await phone.say("復原")
    await heard(phone, "午餐")

    assert await shared_bot.records(phone.person) == []


async def test_cards_go_the_whole_way_and_their_buttons_come_back(shared_bot, phone):
    await phone.say("買牛奶\n買蛋\n買米")
    await heard(phone, "3 筆都記好了", "#1–3")
    assert await phone.buttons() == ["復原"]
    await phone.say("還有什麼沒做？")
    await heard(phone, "買牛奶 #1", "買蛋 #2", "買米 #3")
    kinds = [bubble["message"]["type"] for bubble in await phone._from_the_bot()]
    assert kinds[-2:] == ["flex", "flex"]
    await phone.tap("完成")
    await heard(phone, "完成：買")
    await phone.tap("復原")
    await heard(phone, "還沒做")

    assert [each.status for each in await shared_bot.records(phone.person)] == ["open"] * 3


async def test_a_model_makes_a_record_and_its_receipt(thinking_bot, model):
    arguments = json.dumps({"content": "跟陳醫師回診", "type": "event", "when": "明天下午三點"}, ensure_ascii=False)
    model.script(asks(("create_record", arguments)), says("好"))
    phone = await somebody(thinking_bot)
    await phone.say("明天下午三點跟陳醫師回診")
    said = await heard(phone, "跟陳醫師回診", "#1", "15:00")

    assert "記好了" in said
    assert [each.content for each in await thinking_bot.records(phone.person)] == ["跟陳醫師回診"]
    model.check()
    first = model.requests[0]
    as_sent = json.dumps(first, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(as_sent) <= 6 * 1024, len(as_sent)
    assert [tool["function"]["name"] for tool in first["tools"]] == [
        "create_record",
        "query_records",
        "update_record",
        "delete_record",
    ]


async def test_a_model_that_only_claims_misleads_nobody(thinking_bot, model):
    model.script(says("已經幫你記好牛奶了！"))
    phone = await somebody(thinking_bot)
    await phone.say("牛奶")
    said = await heard(phone, "沒有記下任何東西")

    assert "記好牛奶" not in said


async def test_several_deletions_wait_for_a_tap(shared_bot, phone):
    for words in ("買牛奶 明天", "買蛋 明天"):
        await phone.say(words)
        await heard(phone, "#")
    await phone.say("刪掉 1、2")
    await heard(phone, "要刪")
    assert len(await shared_bot.records(phone.person)) == 2

    await phone.tap("刪掉")
    await heard(phone, "刪了")

    assert await shared_bot.records(phone.person) == []


async def test_when_the_model_is_down_plain_logging_still_works(start_bot):
    async with start_bot(**with_a_model("http://127.0.0.1:9/v1")) as bot:
        phone = Phone(bot.line)
        await phone.say("午餐 120")
        await heard(phone, "午餐 120 元")
        await phone.say("幫我想一首詩")
        await heard(phone, "AI 暫時連不上")


async def test_a_redelivered_event_has_no_second_effect(shared_bot, phone):
    event = await phone.say("午餐 120")
    await heard(phone, "#1")
    await phone.redeliver(event)
    await phone.say("晚餐 300")  # what is heard in one chat is answered in its order: a second answer would come first
    said = await heard(phone, "晚餐 300 元", "#2")

    assert "午餐" not in said
    assert [each.content for each in await shared_bot.records(phone.person)] == ["午餐", "晚餐"]


async def test_a_turn_that_was_killed_while_thinking_is_answered_once_after_the_restart(start_bot, model):
    reached = asyncio.Event()
    lunch = json.dumps({"content": "午餐", "type": "expense", "amount": 120}, ensure_ascii=False)

    async def hang(_request):
        reached.set()
        return Slow()

    model.script(asks(("create_record", lunch)), hang, says("好"), says("不客氣"))
    async with start_bot(**with_a_model(model.url)) as bot:
        phone = Phone(bot.line)
        await phone.say("午餐 120")
        await asyncio.wait_for(reached.wait(), 15)
        await bot.kill()
        await bot.start()
        await heard(phone, "午餐 120 元", "#1")
        assert [Decimal(120)] == [each.amount for each in await bot.records(FIRST_PERSON)]

        await phone.say("謝謝")  # a second answer would come before the one to this
        assert "午餐" not in await heard(phone, "不客氣")


async def test_three_quick_messages_are_three_records_and_one_reply_each_said_once(shared_bot, phone):
    await asyncio.gather(*(phone.say(words) for words in ("早餐 60", "捷運 30", "午餐 120")))
    await heard(phone, "早餐", "捷運", "午餐")

    assert {Decimal(60), Decimal(30), Decimal(120)} == {each.amount for each in await shared_bot.records(phone.person)}


async def test_two_people_do_not_see_each_others_records(shared_bot, phone):
    ben = Phone(shared_bot.line)
    ben.person = await ben.add_person("Ben", "en")
    for words in ("午餐 120", "晚餐 300"):
        await phone.say(words)
        await heard(phone, "#")
    await ben.say("buy eggs tomorrow")
    await heard(ben, "eggs #1")
    await ben.say("delete 2")
    said = await heard(ben, "number")

    assert "午餐" not in said
    assert [each.content for each in await shared_bot.records(phone.person)] == ["午餐", "晚餐"]


async def test_a_reminder_rings_by_a_push(thinking_bot, model):
    async def soon(_request):
        moment = (datetime.now(UTC) + timedelta(seconds=3)).isoformat(timespec="seconds")
        fire = json.dumps({"content": "關火", "type": "task", "remind_at": moment}, ensure_ascii=False)
        return asks(("create_record", fire))

    model.script(soon, says("好"))
    phone = await somebody(thinking_bot)
    await phone.say("等一下提醒我關火")
    await heard(phone, "記好了", "提醒你")
    await heard(phone, "⏰", "關火")
    assert await phone.buttons() == ["完成", "10 分鐘後", "1 小時後", "明天同一時間"]

    await phone.tap("完成")
    await heard(phone, "完成：關火")


async def test_a_second_bot_on_the_same_database_is_refused(shared_bot):
    code, _, err = await BotProcess(shared_bot.folder).command()

    assert code == 1
    assert "Another bot is working" in err


async def test_a_taken_port_is_said_in_one_line(shared_bot, tmp_path):
    second = BotProcess(tmp_path)
    second.port = shared_bot.port
    code, _, err = await second.command()

    assert code == 1
    assert "set PORT" in err
    assert "Traceback" not in err


async def test_the_terminal_chat_answers_line_by_line(shared_bot):
    code, out, err = await shared_bot.command("chat", talk="午餐 120\n這個月吃飯花了多少？\n")

    assert (code, err) == (0, "")
    assert "午餐 120 元" in out


async def test_a_record_appears_in_notion_and_the_receipt_says_so_once(start_bot, tmp_path):
    notion = notion_emulator.Notion()
    async with notion_emulator.serving(notion) as address:
        place = {"NOTION_TOKEN": notion_emulator.TOKEN, "NOTION_BASE_URL": address}
        _, out, err = await BotProcess(tmp_path, **place, NOTION_PARENT_PAGE_ID=notion.page("秘書")).command("setup")
        assert err == ""
        source = next(line for line in out.splitlines() if "NOTION_DATA_SOURCE_ID=" in line).split("=")[1].strip()
        async with start_bot(**place, NOTION_DATA_SOURCE_ID=source) as bot:
            phone = Phone(bot.line)
            await phone.say("午餐 120")
            await heard(phone, "午餐 120 元", "Notion")
            await phone.say("晚餐 300")
            said = await heard(phone, "晚餐 300 元")

            assert "Notion" not in said
            assert {"午餐", "晚餐"} == {title_of(row) for row in notion.rows(source)}


async def test_what_is_quoted_edited_and_taken_back_is_meant(shared_bot, phone):
    await phone.say("明天下午三點看牙醫")
    await heard(phone, "看牙醫", "#1", "15:00")
    await phone.say("改成下午四點", quotes="#1")
    await heard(phone, "16:00")
    await phone.say("午餐 120")
    await heard(phone, "午餐 120 元", "#2")
    await phone.edit("午餐 120", "午餐 150")
    await heard(phone, "改了訊息", "午餐 150 元", "#3")
    await phone.unsend("午餐 150")
    await phone.say("買牛奶")
    await heard(phone, "買牛奶", "#4", "收回了一則訊息", "#3")
    await phone.tap("復原")
    await heard(phone, "午餐")

    assert sorted(each.content for each in await shared_bot.records(phone.person)) == ["看牙醫", "買牛奶"]


def todays_weekday() -> tuple[str, str]:
    """Its name, which may mean today or a week later, and that later day as a button shows it."""
    later = datetime.now(UTC) + timedelta(days=7)
    return f"{later:%A}", f"{later:%a %b} {later.day}"


async def test_a_day_that_may_be_another_is_asked_about_and_a_tap_corrects_it(shared_bot, phone):
    weekday, later = todays_weekday()
    await phone.say(f"dentist on {weekday}")
    await heard(phone, "dentist", "mean", "?")
    labels = await phone.buttons()
    assert labels[1].startswith(later)
    await phone.tap(labels[1])
    await heard(phone, later)

    (record,) = await shared_bot.records(phone.person)
    assert record.when == (datetime.now(UTC) + timedelta(days=7)).date()


async def test_what_a_model_stored_for_an_unsure_day_is_asked_about_by_the_program(thinking_bot, model):
    weekday, _ = todays_weekday()
    model.script(
        asks(("create_record", json.dumps({"content": "dentist", "type": "task", "when": weekday}))), says("👌")
    )
    phone = await somebody(thinking_bot)
    await phone.say("remind me of the dentist, please")
    await heard(phone, "dentist", f"Does “{weekday}” mean")
    labels = await phone.buttons()
    await phone.tap(labels[0])
    await heard(phone, "it is")
    await phone.tap(labels[0])
    await heard(phone, "it is")

    (record,) = await thinking_bot.records(phone.person)
    assert record.when == datetime.now(UTC).date()
    told = json.loads(model.requests[1]["messages"][-1]["content"])
    assert [each["field"] for each in told["unsure"]] == ["when"]

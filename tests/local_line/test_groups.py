"""Groups on the local LINE: what people do in them, what a bot is told, and what it may ask."""

from __future__ import annotations

import pytest
from linebot.v3.messaging import ApiException, ReplyMessageRequest, TextMessage
from linebot.v3.webhook import WebhookParser
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

from bot.local_line import FIRST_PERSON


def text(words="hi", **more):
    return {"type": "text", "text": words, **more}


class Family:
    """A group of the first person and somebody else, with the bot in it."""

    def __init__(self, running):
        self.running = running
        self.id = self.other = ""

    async def act(self, what="", **asked):
        return await self.running.http.post(f"/local/groups{what}", json=asked)

    async def say(self, words, **more):
        asked = {"group": self.id, "person": FIRST_PERSON, "text": words, **more}
        answer = await self.act("/say", **asked)
        assert answer.status_code == 200, answer.text
        return await self.running.bot.event()


@pytest.fixture
async def family(running):
    found = Family(running)
    made = await running.http.post("/local/people", json={"name": "小美", "language": "zh-TW"})
    found.other = made.json()["id"]
    group = await found.act(name="我們家", people=[FIRST_PERSON, found.other])
    found.id = group.json()["id"]
    assert (await running.bot.event())["type"] == "join"
    return found


async def test_what_is_said_in_a_group_is_told_as_line_tells_it(running, family):
    event = await family.say("買牛奶", mention="bot")

    assert event["source"] == {"type": "group", "groupId": family.id, "userId": FIRST_PERSON}
    assert event["message"]["text"] == "@Secretary 買牛奶"
    assert event["message"]["mention"]["mentionees"] == [
        {"index": 0, "length": 10, "type": "user", "userId": running.line.bot_id, "isSelf": True}
    ]
    everyone = await family.say("晚餐", mention="all")
    assert everyone["message"]["mention"]["mentionees"] == [{"index": 0, "length": 4, "type": "all"}]
    shy = await family.say("秘密", anonymous=True)
    assert shy["source"] == {"type": "group", "groupId": family.id}
    assert [each.get("by") for each in await running.history(family.id)] == ["你", "你", "你"]


async def test_every_event_of_a_group_is_one_that_the_sdk_reads(running, family):
    somebody = (await running.http.post("/local/people", json={"name": "阿公", "language": "zh-TW"})).json()["id"]
    await running.http.post("/local/groups/come", json={"group": family.id, "person": somebody})
    await running.http.post("/local/groups/go", json={"group": family.id, "person": somebody})
    await running.http.post("/local/groups/put_out", json={"group": family.id})
    read = []
    for _ in range(3):
        headers, body = await running.bot.webhook()
        (event,) = WebhookParser(running.line.secret).parse(body.decode(), headers["x-line-signature"])
        read.append(event.type)

    assert read == ["memberJoined", "memberLeft", "leave"]


async def test_an_answer_quotes_what_was_said_in_this_very_group(running, family):
    said = await family.say("買牛奶")
    elsewhere = await running.http.post("/local/groups", json={"name": "別家", "people": [FIRST_PERSON]})
    await running.bot.event()
    token = said["message"]["quoteToken"]
    wrong = await running.reply(said["replyToken"], text(quoteToken="x" * 32))
    assert (wrong.status_code, wrong.json()["details"][0]["property"]) == (400, "messages[0].quoteToken")

    sent = await running.sdk().reply_message(
        ReplyMessageRequest(reply_token=said["replyToken"], messages=[TextMessage(text="好", quoteToken=token)])
    )

    assert sent.sent_messages[0].id
    assert [each["message"]["text"] for each in await running.history(family.id)] == ["買牛奶", "好"]
    await running.http.post(
        "/local/groups/say", json={"group": elsewhere.json()["id"], "person": FIRST_PERSON, "text": "hi"}
    )
    other = await running.bot.event()
    assert (await running.reply(other["replyToken"], text(quoteToken=token))).status_code == 400


async def test_a_bubble_can_be_quoted_and_only_one_of_this_group(running, family):
    said = await family.say("買牛奶")
    sent = (await running.reply(said["replyToken"], text("記好了"))).json()["sentMessages"][0]

    assert (await family.say("兩瓶", quote=sent["id"]))["message"]["quotedMessageId"] == sent["id"]
    asked = {"group": family.id, "person": FIRST_PERSON, "text": "x", "quote": "1"}
    assert (await family.act("/say", **asked)).status_code == 400


async def test_a_button_is_tapped_by_anyone_in_the_group(running, family):
    said = await family.say("買牛奶")
    item = {"type": "action", "action": {"type": "postback", "label": "復原", "data": "undo:1", "displayText": "復原"}}
    await running.reply(said["replyToken"], text("記好了", quickReply={"items": [item]}))

    tapped = await family.act("/tap", group=family.id, person=family.other, data="undo:1")
    assert tapped.status_code == 200
    event = await running.bot.event()
    assert (event["type"], event["postback"], event["source"]["userId"]) == (
        "postback",
        {"data": "undo:1"},
        family.other,
    )
    await family.act("/tap", group=family.id, person=family.other, data="undo:1", anonymous=True)
    assert "userId" not in (await running.bot.event())["source"]
    assert (await family.act("/tap", group=family.id, person=family.other, data="x")).status_code == 400


async def test_a_bot_may_ask_who_is_who_and_leave(running, family):
    api = running.sdk()
    assert (await api.get_group_summary(family.id)).group_name == "我們家"
    assert (await api.get_group_member_count(family.id)).count == 2
    assert (await api.get_group_member_profile(family.id, family.other)).display_name == "小美"
    assert (await api.get_bot_info()).basic_id == "@local"
    with pytest.raises(ApiException) as absent:
        await api.get_group_member_profile(family.id, "U" + "0" * 32)
    assert absent.value.status == 404

    said = await family.say("再見")
    await api.leave_group(family.id)

    assert (await running.reply(said["replyToken"], text())).json()["message"] == "Invalid reply token"
    for ask in (api.get_group_summary(family.id), api.leave_group(family.id)):
        with pytest.raises(ApiException) as gone:
            await ask
        assert gone.value.status == 404


async def test_a_room_has_members_and_a_way_out_but_no_summary(running, family):
    made = await family.act(name="room", people=[FIRST_PERSON], room=True)
    room = made.json()["id"]
    assert (await running.bot.event())["source"] == {"type": "room", "roomId": room}
    api = running.sdk()

    assert (await api.get_room_member_profile(room, FIRST_PERSON)).display_name == "你"
    assert (await running.api("GET", f"group/{room}/summary")).status_code == 404
    await api.leave_room(room)
    assert (await running.api("POST", f"room/{room}/leave")).status_code == 404


async def test_a_push_to_a_group_costs_one_for_everyone_in_it_and_no_animation_shows(running, family):
    pushed = await running.api("POST", "message/push", {"to": family.id, "messages": [text()]})
    assert pushed.status_code == 200
    assert (await running.api("GET", "message/quota/consumption")).json() == {"totalUsage": 2}
    loading = await running.api("POST", "chat/loading/start", {"chatId": family.id, "loadingSeconds": 5})
    assert loading.status_code == 400


@pytest.mark.parametrize(
    ("act", "asked"),
    [
        ("", {"name": "x", "people": ["U1"]}),
        ("", {"name": "", "people": [FIRST_PERSON]}),
        ("/say", {"group": "C1", "person": FIRST_PERSON, "text": "x"}),
        ("/take_along", {"group": "HERE"}),
        ("/come", {"group": "HERE", "person": FIRST_PERSON}),
        ("/come", {"group": "HERE", "person": "U1"}),
        ("/go", {"group": "HERE", "person": "U1"}),
        ("/say", {"group": "HERE", "person": "U1", "text": "x"}),
    ],
)
async def test_what_makes_no_sense_is_refused_in_words(family, act, asked):
    here = {name: family.id if value == "HERE" else value for name, value in asked.items()}
    answer = await family.act(act, **here)
    assert answer.status_code == 400
    assert answer.json()["message"]


async def test_where_the_bot_is_not_nothing_can_be_said_to_it(running, family):
    assert (await family.act("/put_out", group=family.id)).status_code == 200
    assert (await running.bot.event())["type"] == "leave"
    for act in ("/put_out", "/say"):
        asked = {"group": family.id, **({"person": FIRST_PERSON, "text": "x"} if act == "/say" else {})}
        assert (await family.act(act, **asked)).status_code == 400
    assert (await family.act("/come", group=family.id, person=family.other)).status_code == 400
    assert (await family.act("/go", group=family.id, person=family.other)).json() == {}
    assert (await family.act("/come", group=family.id, person=family.other)).json() == {}
    assert (await family.act("/take_along", group=family.id)).status_code == 200
    assert (await running.bot.event())["type"] == "join"
    assert [each["name"] for each in (await running.http.get("/local/groups")).json()["groups"]] == ["我們家"]


async def test_answers_about_groups_have_the_shape_of_the_specification(running, family, shared):
    described = OpenAPI.from_file_path(str(shared / "specs/line/messaging-api.yml"))
    for method, path in [
        ("get", f"group/{family.id}/summary"),
        ("get", f"group/{family.id}/members/count"),
        ("get", f"group/{family.id}/member/{family.other}"),
        ("get", "info"),
        ("post", f"group/{family.id}/leave"),
    ]:
        answer = await running.api(method.upper(), path)
        assert answer.status_code == 200, answer.text
        request = MockRequest("https://api.line.me", method, f"/v2/bot/{path}")
        described.unmarshal_response(request, MockResponse(answer.content, 200, content_type="application/json"))


async def test_ones_own_words_in_a_group_can_be_edited_and_taken_back_and_nobody_elses(running, family):
    first = (await family.say("買牛奶"))["message"]
    said = await family.say("晚餐 100", mention="bot", quote=first["id"])
    own = {"group": family.id, "person": FIRST_PERSON, "message_id": said["message"]["id"]}
    for act, more in (("/edit", {"text": "晚餐"}), ("/unsend", {})):
        assert (await family.act(act, **{**own, "person": family.other, **more})).status_code == 400

    assert (await family.act("/edit", **own, text="@Secretary 晚餐 120")).status_code == 200
    edited = await running.bot.event()
    assert (edited["type"], edited["message"]["text"]) == ("messageEdited", "@Secretary 晚餐 120")
    assert edited["message"]["mention"]["mentionees"][0]["isSelf"] is True
    assert edited["source"] == {"type": "group", "groupId": family.id, "userId": FIRST_PERSON}
    kept = (await running.history(family.id))[-1]
    assert (kept["message"]["quotedMessageId"], kept["message"]["edited"]) == (first["id"], True)
    assert (kept["by"], kept["speaker"]) == ("你", FIRST_PERSON)

    assert (await family.act("/unsend", **own)).status_code == 200
    event = await running.bot.event()
    assert (event["type"], event["unsend"]) == ("unsend", {"messageId": own["message_id"]})
    assert "replyToken" not in event
    assert [each["unsent"] for each in await running.history(family.id)] == [False, True]
    for act, more in (("/edit", {"text": "晚餐"}), ("/unsend", {})):
        assert (await family.act(act, **own, **more)).status_code == 400


async def test_what_the_bot_quotes_is_known_to_whoever_reads(running, family):
    said = await family.say("買牛奶", mention="bot")
    await running.reply(said["replyToken"], text("記好了", quoteToken=said["message"]["quoteToken"]))
    assert (await running.history(family.id))[-1]["message"]["quotedMessageId"] == said["message"]["id"]

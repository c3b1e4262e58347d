"""The Messaging API of the local LINE, asked over HTTP by line-bot-sdk and by hand."""

from __future__ import annotations

import asyncio
import copy
import json
import uuid

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from linebot.v3.messaging import (
    ApiException,
    ErrorResponse,
    FlexContainer,
    FlexMessage,
    MessageAction,
    PushMessageRequest,
    QuickReply,
    QuickReplyItem,
    ReplyMessageRequest,
    SetWebhookEndpointRequest,
    ShowLoadingAnimationRequest,
    TextMessage,
    ValidateMessageRequest,
)
from linebot.v3.messaging import (
    TestWebhookEndpointRequest as WebhookToTest,
)
from linebot.v3.webhook import SignatureValidator, WebhookParser
from openapi_core import OpenAPI
from openapi_core.testing import MockRequest, MockResponse

from bot.line import rich_menu
from bot.local_line import FIRST_PERSON, limits

MENU = rich_menu.menu("en", b"")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def text(words="hi", **more):
    return {"type": "text", "text": words, **more}


def quick_reply(count=1, action=None):
    action = action or {"type": "message", "label": "ok", "text": "ok"}
    return {"items": [{"type": "action", "action": action}] * count}


def flex(*contents, **bubble):
    body = {"type": "box", "layout": "vertical", "contents": list(contents)}
    return {"type": "flex", "altText": "card", "contents": {"type": "bubble", "body": body, **bubble}}


def picker(**parts):
    return {"type": "datetimepicker", "label": "when", "data": "d", **parts}


def picture(**parts):
    return {"type": "image", "url": "https://a.example/b.png", **parts}


def carousel(*bubbles):
    return {"type": "flex", "altText": "cards", "contents": {"type": "carousel", "contents": list(bubbles)}}


def buttons(**parts):
    action = {"type": "postback", "label": "yes", "data": "y"}
    return {
        "type": "template",
        "altText": "a",
        "template": {"type": "buttons", "text": "t", "actions": [action]} | parts,
    }


# ── webhooks


async def test_a_message_reaches_the_bot_signed_and_in_lines_shape(running):
    await running.say(text="牛乳を買う 🥛")
    assert (await running.bot.event())["type"] == "follow"
    headers, body = await running.bot.webhook()

    assert SignatureValidator(running.line.secret).validate(body.decode(), headers["x-line-signature"])
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["user-agent"] == "LineBotWebhook/2.0"
    (event,) = WebhookParser(running.line.secret).parse(body.decode(), headers["x-line-signature"])
    assert (event.message.text, event.source.user_id) == ("牛乳を買う 🥛", FIRST_PERSON)
    assert json.loads(body)["destination"] == running.line.bot_id
    assert len(event.webhook_event_id) == 26
    assert event.message.id.isdigit()


async def test_a_person_adds_the_bot_only_before_the_first_message(running):
    for words in ("one", "two"):
        await running.say(text=words)
    kinds = [(await running.bot.event())["type"] for _ in range(3)]

    assert kinds == ["follow", "message", "message"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"sticker": "ok"}, "sticker"),
        ({"image": PNG}, "image"),
        ({"location": {"title": "家", "latitude": 25.03, "longitude": 121.5}}, "location"),
    ],
)
async def test_stickers_pictures_and_places_are_sent_as_line_sends_them(running, said, kind):
    await running.say(text="hi")
    await running.say(**said)
    for _ in range(2):
        await running.bot.event()
    headers, body = await running.bot.webhook()

    (event,) = WebhookParser(running.line.secret).parse(body.decode(), headers["x-line-signature"])
    assert event.message.type == kind


async def test_an_unanswered_webhook_comes_again_with_the_same_id_and_token(running):
    running.bot.statuses = [200, 500, 503]
    await running.say(text="hi")
    follow, *tries = [await running.bot.event() for _ in range(4)]

    assert follow["type"] == "follow"
    assert [each["deliveryContext"]["isRedelivery"] for each in tries] == [False, True, True]
    assert len({each["webhookEventId"] for each in tries}) == len({each["replyToken"] for each in tries}) == 1
    assert len({each["timestamp"] for each in tries}) == 1


async def test_redelivery_ends_after_a_bounded_number_of_tries(start_line):
    async with start_line(redeliver_after=(0.0, 0.0)) as running:
        running.bot.statuses = [500] * 3
        await running.http.post("/local/follow", json={})
        for _ in range(3):
            await running.bot.event()
        async with running.http.stream("GET", "/local/stream") as stream:
            await running.http.post("/local/follow", json={})
            seen = [line async for line in first_lines(stream, "delivered")]

    assert running.bot.came.qsize() == 1
    assert seen


async def first_lines(stream, last):
    async with asyncio.timeout(5):
        async for line in stream.aiter_lines():
            yield line
            if last in line:
                return


async def test_what_was_not_delivered_is_delivered_after_a_restart_and_the_ledger_is_kept(start_line, tmp_path):
    store = tmp_path / "line.db"
    async with start_line(store, redeliver_after=(60.0,)) as running:
        running.bot.statuses = [200, 500]
        said = await running.say(text="remember me")
        await running.bot.event()
        await running.bot.event()
        first = (running.line.secret, running.line.access_token, running.line.bot_id)
        await running.api("POST", "message/push", {"to": FIRST_PERSON, "messages": [text("pushed")]})
    assert first[:2] == type(running.line).credentials(store)
    assert store.stat().st_mode & 0o077 == 0

    async with start_line(store, redeliver_after=(0.01,)) as again:
        event = await again.bot.event()
        assert (event["webhookEventId"], event["deliveryContext"]["isRedelivery"]) == (said["event_id"], True)
        assert (again.line.secret, again.line.access_token, again.line.bot_id) == first
        assert [each["message"]["text"] for each in await again.history()] == ["remember me", "pushed"]
        assert (await again.api("GET", "message/quota/consumption")).json() == {"totalUsage": 1}
        assert (await again.reply(event["replyToken"], text())).status_code == 200


# ── reply


async def test_a_reply_arrives_in_order_and_names_what_was_sent(running):
    token = await running.reply_token()
    answer = await running.sdk().reply_message(
        ReplyMessageRequest(
            reply_token=token,
            messages=[
                TextMessage(text="one"),
                TextMessage(
                    text="two",
                    quick_reply=QuickReply(items=[QuickReplyItem(action=MessageAction(label="a", text="a"))]),
                ),
                FlexMessage(alt_text="card", contents=FlexContainer.from_dict(flex(text("three"))["contents"])),
            ],
        )
    )
    shown = [each for each in await running.history() if each["side"] == "bot"]

    assert [each.id for each in answer.sent_messages] == [each["id"] for each in shown]
    assert [each["message"]["type"] for each in shown] == ["text", "text", "flex"]


async def test_a_reply_token_is_used_once(running):
    token = await running.reply_token()
    assert (await running.reply(token, text())).status_code == 200
    again = await running.reply(token, text())

    assert (again.status_code, again.json()) == (400, {"message": "Invalid reply token"})


async def test_a_refused_message_leaves_the_token_alive_and_nothing_arrives(running):
    token = await running.reply_token()
    assert (await running.reply(token, text("fine"), text(""))).status_code == 400
    assert [each["side"] for each in await running.history()] == ["person"]

    assert (await running.reply(token, text())).status_code == 200


@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (61, 400)])
async def test_a_reply_token_lives_a_minute_from_its_delivery(running, seconds, status):
    token = await running.reply_token()
    running.clock.move(seconds=seconds)

    assert (await running.reply(token, text())).status_code == status


@pytest.mark.parametrize(("minutes", "status"), [(19, 200), (21, 400)])
async def test_a_redelivery_revives_the_token_until_twenty_minutes_after_the_event(running, minutes, status):
    said = await running.say(text="hi")
    await running.bot.event()
    token = (await running.bot.event())["replyToken"]
    running.clock.move(minutes=minutes)
    assert (await running.reply(token, text())).status_code == 400
    await running.http.post("/local/redeliver", json={"event_id": said["event_id"]})
    event = await running.bot.event()

    assert event["deliveryContext"] == {"isRedelivery": True}
    assert (await running.reply(event["replyToken"], text())).status_code == status


async def test_a_reply_takes_no_retry_key(running):
    token = await running.reply_token()
    body = {"replyToken": token, "messages": [text()]}
    answer = await running.api("POST", "message/reply", body, **{"X-Line-Retry-Key": str(uuid.uuid4())})

    assert answer.status_code == 400
    assert (await running.reply(token, text())).status_code == 200


async def test_only_a_quote_token_of_the_same_chat_is_taken(running):
    token = await running.reply_token()
    refused = await running.reply(token, text(quoteToken="made-up"))
    assert (refused.status_code, refused.json()["details"][0]["property"]) == (400, "messages[0].quoteToken")
    await running.say(text="quote me")
    event = await running.bot.event()
    assert (await running.reply(token, text(quoteToken=event["message"]["quoteToken"]))).status_code == 200


# ── limits

LONG = "x" * 5000
APPLE = "🍎"

FITS = {
    "5000 units of text": text("x" * 4998 + APPLE),
    "thirteen quick replies": text(quickReply=quick_reply(13)),
    "a label of twenty": text(quickReply=quick_reply(1, {"type": "message", "label": "a" * 20, "text": "b"})),
    "300 units of data": text(quickReply=quick_reply(1, {"type": "postback", "label": "a", "data": "d" * 300})),
    "300 code points of action text": text(
        quickReply=quick_reply(1, {"type": "message", "label": "a", "text": APPLE * 300})
    ),
    "camera, roll and place": text(
        quickReply={
            "items": [
                {"type": "action", "action": {"type": kind, "label": "x"}}
                for kind in ("camera", "cameraRoll", "location")
            ]
        }
    ),
    "a template": buttons(text="t" * 160),
    "a flex button with a label of forty": flex(
        {"type": "button", "action": {"type": "postback", "label": "l" * 40, "data": "d"}}
    ),
    "a picker with all its moments": text(
        quickReply=quick_reply(
            1,
            picker(mode="datetime", min="2026-11-30T00:00", initial="2026-12-01t15:00", max="2026-12-31T23:59"),
        )
    ),
    "a picture three times as high as wide": flex(text(), hero=picture(aspectRatio="1:3", size="full")),
    "spans": flex({"type": "text", "contents": [{"type": "span", "text": "a", "weight": "bold", "color": "#112233"}]}),
    "twelve bubbles": carousel(*[flex(text())["contents"]] * 12),
    "a sticker": {"type": "sticker", "packageId": "446", "stickerId": "1988"},
    "a place": {"type": "location", "title": "a", "address": "b", "latitude": 1, "longitude": 2.5},
    "braces that are meant, in textV2": {"type": "textV2", "text": "{{a}}"},
    "a picture": {
        "type": "image",
        "originalContentUrl": "https://a.example/b",
        "previewImageUrl": "https://a.example/c",
    },
}
"""What LINE takes; below, each with one step too far, where it is refused and in which words."""

TOO_FAR = {
    "empty text": (text(""), "messages[0].text", "May not be empty"),
    "blank text": (text(" \n"), "messages[0].text", "May not be empty"),
    "5001 units of text": (text("x" * 4999 + APPLE), "messages[0].text", "Length must be between 0 and 5000"),
    "a lone surrogate": (text("\ud83d"), "messages[0].text", "surrogate"),
    "text that is a number": (text(7), "messages[0].text", "string"),
    "no text": ({"type": "text"}, "messages[0].text", "May not be empty"),
    "an unknown property": (text(markdown=True), "messages[0].markdown", "invalid property"),
    "an unknown type": ({"type": "file", "text": "x"}, "messages[0].type", "Must be one of"),
    "a message that is no object": ("hi", "messages[0]", "object"),
    "fourteen quick replies": (text(quickReply=quick_reply(14)), "messages[0].quickReply.items", "between 1 and 13"),
    "a label of twenty-one": (
        text(quickReply=quick_reply(1, {"type": "message", "label": "a" * 21, "text": "b"})),
        "messages[0].quickReply.items[0].action.label",
        "20",
    ),
    "301 units of data": (
        text(quickReply=quick_reply(1, {"type": "postback", "label": "a", "data": "d" * 299 + APPLE})),
        "messages[0].quickReply.items[0].action.data",
        "300",
    ),
    "301 code points of action text": (
        text(quickReply=quick_reply(1, {"type": "message", "label": "a", "text": APPLE * 301})),
        "messages[0].quickReply.items[0].action.text",
        "300",
    ),
    "an address of 1001": (
        buttons(actions=[{"type": "uri", "label": "go", "uri": "https://a.example/" + "p" * 983}]),
        "messages[0].template.actions[0].uri",
        "1000",
    ),
    "a foreign scheme": (
        buttons(actions=[{"type": "uri", "label": "go", "uri": "javascript:alert(1)"}]),
        "messages[0].template.actions[0].uri",
        "invalid uri",
    ),
    "template text of 161": (buttons(text="t" * 161), "messages[0].template.text", "160"),
    "template text of 61 with a title": (buttons(text="t" * 61, title="x"), "messages[0].template.text", "60"),
    "five actions": (
        buttons(actions=[{"type": "postback", "label": "y", "data": "y"}] * 5),
        "messages[0].template.actions",
        "between 1 and 4",
    ),
    "confirm with one action": (
        {
            "type": "template",
            "altText": "a",
            "template": {"type": "confirm", "text": "t", "actions": [{"type": "message", "label": "y", "text": "y"}]},
        },
        "messages[0].template.actions",
        "between 2 and 2",
    ),
    "alt text of 1501": (flex(text()) | {"altText": "a" * 1501}, "messages[0].altText", "1500"),
    "an empty flex text": (flex(text("")), "/body/contents/0/text", "May not be empty"),
    "flex text without words": (flex({"type": "text"}), "/body/contents/0/text", "empty"),
    "a null element": (flex(None), "/body/contents", "cannot contain null elements"),
    "an unknown flex property": (flex(text(bold=True)), "/body/contents/0/bold", "invalid property"),
    "a flex label of forty-one": (
        flex({"type": "button", "action": {"type": "postback", "label": "l" * 41, "data": "d"}}),
        "/body/contents/0/action/label",
        "40",
    ),
    "a picker for a day that begins with an hour": (
        text(quickReply=quick_reply(1, picker(mode="date", initial="2026-12-01T15:00"))),
        "messages[0].quickReply.items[0].action.initial",
        "date",
    ),
    "a day that does not exist": (
        text(quickReply=quick_reply(1, picker(mode="datetime", initial="2026-02-30T15:00"))),
        "messages[0].quickReply.items[0].action.initial",
        "moment",
    ),
    "a year nobody lives in": (
        text(quickReply=quick_reply(1, picker(mode="date", initial="2101-01-01"))),
        "messages[0].quickReply.items[0].action.initial",
        "moment",
    ),
    "a picker that begins before its first day": (
        text(quickReply=quick_reply(1, picker(mode="date", initial="2026-11-30", min="2026-12-01"))),
        "messages[0].quickReply.items[0].action.min",
        "after",
    ),
    "a tap that is said in two ways": (
        text(
            quickReply=quick_reply(1, {"type": "postback", "label": "a", "data": "d", "text": "x", "displayText": "y"})
        ),
        "messages[0].quickReply.items[0].action.text",
        "displayText",
    ),
    "a picture four times as high as wide": (
        flex(text(), hero=picture(aspectRatio="1:4")),
        "/hero/aspectRatio",
        "invalid property",
    ),
    "a text as wide as its box": (flex(text(size="full")), "/body/contents/0/size", "invalid property"),
    "a picture over http": (
        flex(text(), hero={"type": "image", "url": "http://a.example/b.png"}),
        "/hero/url",
        "invalid uri",
    ),
    "a bubble of 31 KB": (flex(*[text("字" * 1000)] * 11), "/", "bytes"),
    "thirteen bubbles": (carousel(*[flex(text())["contents"]] * 13), "/contents", "between 1 and 12"),
    "bubbles of two sizes": (
        carousel(flex(text())["contents"], flex(text(), size="kilo")["contents"]),
        "/contents",
        "same size",
    ),
    "a single brace in textV2": ({"type": "textV2", "text": "{a"}, "messages[0].text", "brace"),
    "a place without an address": (
        {"type": "location", "title": "a", "address": "", "latitude": 1, "longitude": 2},
        "messages[0].address",
        "May not be empty",
    ),
    "a sender called LINE": (text(sender={"name": "LINE"}), "messages[0].sender.name", "name"),
}


async def validated(running, message):
    """Status and body for one message, written with escapes so that anything can be sent."""
    headers = {"Authorization": f"Bearer {running.line.access_token}", "Content-Type": "application/json"}
    written = json.dumps({"messages": [message]})
    answer = await running.http.post("/v2/bot/message/validate/reply", content=written, headers=headers)
    return answer.status_code, answer.text


async def test_what_is_within_the_limits_is_taken(running):
    answers = {name: await validated(running, message) for name, message in FITS.items()}

    assert answers == dict.fromkeys(FITS, (200, "{}"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "x"]), inner),
    max_leaves=6,
)


def places(value, path=()):
    """Every place inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in inside:
        yield (*path, step)
        yield from places(each, (*path, step))


@given(st.sampled_from(sorted(FITS)), json_values, st.data())
def test_no_message_however_odd_makes_the_limits_stumble(name, odd, data):
    request = {"messages": [copy.deepcopy(FITS[name])]}
    *way, last = data.draw(st.sampled_from(list(places(request))))
    spot = request
    for step in way:
        spot = spot[step]
    spot[last] = odd
    problems = list(limits.validate_request(request, ()))

    assert all(set(each) == {"message", "property"} for each in limits.refusal(problems)["details"])


@pytest.mark.parametrize("depth", [400, 100_000])
async def test_a_body_nested_without_end_is_refused(running, depth):
    headers = {"Authorization": f"Bearer {running.line.access_token}", "Content-Type": "application/json"}
    opening = '{"type":"box","layout":"vertical","contents":['
    nested = opening * depth + "]}" * depth
    body = '{"messages":[{"type":"flex","altText":"a","contents":{"type":"bubble","body":' + nested + "}}]}"
    answer = await running.http.post("/v2/bot/message/validate/reply", content=body[: 2**20], headers=headers)

    assert answer.status_code == 400


async def test_what_is_beyond_a_limit_is_refused_in_lines_shape(running):
    for name, (message, where, words) in TOO_FAR.items():
        status, body = await validated(running, message)
        assert (name, status) == (name, 400)
        details = ErrorResponse.from_json(body).details
        assert [name for each in details if each.var_property == where and words in each.message], (name, body)


@pytest.mark.parametrize("count", [0, 6])
async def test_a_reply_carries_one_to_five_messages(running, count):
    token = await running.reply_token()
    answer = await running.reply(token, *[text()] * count)

    assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "messages")


# ── push and quota


async def test_a_push_under_the_same_retry_key_arrives_once(running):
    await running.reply_token()
    key = str(uuid.uuid4())
    request = PushMessageRequest(to=FIRST_PERSON, messages=[TextMessage(text="once")])
    first = await running.sdk().push_message(request, x_line_retry_key=key)
    with pytest.raises(ApiException) as again:
        await running.sdk().push_message(request, x_line_retry_key=key)

    assert again.value.status == 409
    assert ErrorResponse.from_json(again.value.body).sent_messages[0].id == first.sent_messages[0].id
    assert again.value.headers["x-line-accepted-request-id"]
    assert [each["message"]["text"] for each in await running.history() if each["side"] == "bot"] == ["once"]


async def test_a_retry_key_is_forgotten_after_a_day(running):
    await running.reply_token()
    key, body = str(uuid.uuid4()), {"to": FIRST_PERSON, "messages": [text()]}
    assert (await running.api("POST", "message/push", body, **{"X-Line-Retry-Key": key})).status_code == 200
    running.clock.move(hours=25)

    assert (await running.api("POST", "message/push", body, **{"X-Line-Retry-Key": key})).status_code == 200


async def test_pushes_are_counted_by_the_month_and_replies_are_not(start_line):
    async with start_line(quota=1) as running:
        token = await running.reply_token()
        body = {"to": FIRST_PERSON, "messages": [text()] * 5}
        assert (await running.reply(token, text())).status_code == 200
        assert (await running.api("POST", "message/push", body)).status_code == 200
        over = await running.api("POST", "message/push", body)
        assert (over.status_code, over.json()) == (429, {"message": "You have reached your monthly limit."})
        assert (await running.sdk().get_message_quota()).value == 1
        assert (await running.sdk().get_message_quota_consumption()).total_usage == 1
        running.clock.move(days=1)  # December
        assert (await running.api("POST", "message/push", body)).status_code == 200


async def test_to_one_who_blocked_the_bot_a_push_is_lost_silently_and_not_counted(running):
    await running.reply_token()
    await running.http.post("/local/block", json={})
    assert (await running.bot.event())["type"] == "unfollow"
    answer = await running.api("POST", "message/push", {"to": FIRST_PERSON, "messages": [text()]})

    assert answer.status_code == 200
    assert [each["side"] for each in await running.history()] == ["person"]
    assert (await running.api("GET", "message/quota/consumption")).json() == {"totalUsage": 0}
    assert (await running.api("GET", f"profile/{FIRST_PERSON}")).status_code == 404


async def test_a_push_to_nobody_is_refused(running):
    answer = await running.api("POST", "message/push", {"to": "U" + "0" * 32, "messages": [text()]})

    assert answer.status_code == 400


# ── the rest of the API


async def test_the_sdk_reads_profile_bot_and_webhook(running):
    api = running.sdk()
    profile = await api.get_profile(FIRST_PERSON)
    info = await api.get_bot_info()
    found = await api.get_webhook_endpoint()
    tested = await api.test_webhook_endpoint(WebhookToTest())

    assert (profile.user_id, profile.language, info.user_id) == (FIRST_PERSON, "zh-TW", running.line.bot_id)
    assert found.active is True
    assert (tested.success, tested.status_code) == (True, 200)
    assert json.loads((await running.bot.webhook())[1])["events"] == []


async def test_the_webhook_can_be_moved_on_this_machine_only(running):
    api = running.sdk()
    with pytest.raises(ApiException):
        await api.set_webhook_endpoint(SetWebhookEndpointRequest(endpoint="https://secretary.example/callback"))
    moved = (await api.get_webhook_endpoint()).endpoint + "/"
    await api.set_webhook_endpoint(SetWebhookEndpointRequest(endpoint=moved))

    assert (await api.get_webhook_endpoint()).endpoint == moved
    assert (await api.test_webhook_endpoint(WebhookToTest())).success is False


async def test_loading_is_shown_until_something_arrives(running):
    token = await running.reply_token()
    await running.sdk().show_loading_animation(ShowLoadingAnimationRequest(chat_id=FIRST_PERSON, loading_seconds=60))
    loading = (await running.http.get("/local/history")).json()["loading"]
    await running.reply(token, text())

    assert loading == 60
    assert (await running.http.get("/local/history")).json()["loading"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {"chatId": "C" + "0" * 32},
        {"chatId": FIRST_PERSON, "loadingSeconds": 7},
        {"chatId": FIRST_PERSON, "loadingSeconds": 65},
        {},
    ],
)
async def test_loading_wants_a_person_and_steps_of_five_seconds(running, body):
    assert (await running.api("POST", "chat/loading/start", body)).status_code == 400


async def test_a_picture_can_be_fetched_until_it_is_taken_back(running):
    said = await running.say(image=PNG)
    found = await running.api("GET", f"message/{said['message_id']}/content")
    await running.http.post("/local/unsend", json={"message_id": said["message_id"]})

    assert (found.headers["content-type"], found.content[:4]) == ("image/png", b"\x89PNG")
    assert (await running.api("GET", f"message/{said['message_id']}/content")).status_code == 410
    assert (await running.api("GET", "message/12345/content")).status_code == 404


async def test_without_the_right_token_nothing_is_answered(running):
    for value in ("Bearer wrong", f"Basic {running.line.access_token}", ""):
        answer = await running.http.get("/v2/bot/info", headers={"Authorization": value})
        assert answer.status_code == 401
        assert set(answer.json()) == {"message"}
        assert answer.headers["x-line-request-id"]


async def test_a_stateless_token_works_a_quarter_of_an_hour(running):
    form = {
        "grant_type": "client_credentials",
        "client_id": running.line.channel_id,
        "client_secret": running.line.secret,
    }
    token = (await running.http.post("/oauth2/v3/token", data=form)).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert (await running.http.get("/v2/bot/info", headers=headers)).status_code == 200
    running.clock.move(minutes=15)
    assert (await running.http.get("/v2/bot/info", headers=headers)).status_code == 401
    wrong = await running.http.post("/oauth2/v3/token", data={**form, "client_secret": "wrong"})
    assert wrong.status_code == 400


async def test_unknown_paths_wrong_media_and_large_bodies_are_refused(running):
    assert (await running.api("GET", "nothing")).json() == {"message": "Not found"}
    assert (await running.api("GET", "message/reply")).status_code == 404
    token = {"Authorization": f"Bearer {running.line.access_token}"}
    plain = await running.http.post(
        "/v2/bot/message/reply", content=b"{}", headers={**token, "Content-Type": "text/plain"}
    )
    assert plain.status_code == 415
    json_type = {**token, "Content-Type": "application/json"}
    large = await running.http.post("/v2/bot/message/reply", content=b" " * (2**21 + 1), headers=json_type)
    assert large.status_code == 413
    for broken in (b"{", b"[]", b'{"replyToken": NaN}', b"\xff"):
        assert (await running.http.post("/v2/bot/message/reply", content=broken, headers=json_type)).status_code == 400


# ── a bad day


async def test_a_fault_is_answered_as_often_as_it_was_asked_for(running):
    await running.fault(path="/v2/bot/message/reply", status=500, body={"message": "oops"}, times=2)
    token = await running.reply_token()
    statuses = [(await running.reply(token, text())).status_code for _ in range(3)]

    assert statuses == [500, 500, 200]


@pytest.mark.parametrize(("moment", "arrived"), [("before", 0), ("after", 1)])
async def test_a_cut_connection_leaves_the_client_unsure(running, moment, arrived):
    token = await running.reply_token()
    await running.fault(drop=moment)
    with pytest.raises(aiohttp.ClientError):
        await running.sdk().reply_message(ReplyMessageRequest(reply_token=token, messages=[TextMessage(text="hi")]))

    assert len([each for each in await running.history() if each["side"] == "bot"]) == arrived
    assert (await running.reply(token, text())).status_code == (400 if arrived else 200)


async def test_a_delayed_answer_outlasts_a_short_timeout(running):
    await running.fault(path="/v2/bot/info", delay=0.5)
    with pytest.raises(TimeoutError):
        await running.sdk().get_bot_info(_request_timeout=0.05)


async def test_tokens_can_be_made_to_expire(running):
    token = await running.reply_token()
    await running.fault(expire_tokens=True)

    assert (await running.reply(token, text())).json() == {"message": "Invalid reply token"}


async def test_the_log_tells_what_the_bot_asked(running):
    token = await running.reply_token()
    await running.reply(token, text("hello back"))
    (entry,) = (await running.http.get("/local/log")).json()["requests"]

    assert (entry["method"], entry["path"], entry["status"]) == ("POST", "/v2/bot/message/reply", 200)
    assert entry["body"]["messages"] == [text("hello back")]


# ── LINE's own description as judge


async def test_answers_are_as_lines_own_description_says(running, shared):
    described = OpenAPI.from_file_path(str(shared / "specs/line/messaging-api.yml"))
    token = await running.reply_token()
    messages = [FITS[name] for name in ("5000 units of text", "a template", "spans", "a sticker", "a place")]
    asked = [
        ("POST", "message/reply", {"replyToken": token, "messages": messages}),
        ("POST", "message/reply", {"replyToken": token, "messages": [text("")]}),
        ("POST", "message/push", {"to": FIRST_PERSON, "messages": [text()]}),
        ("POST", "chat/loading/start", {"chatId": FIRST_PERSON, "loadingSeconds": 5}),
        ("GET", "message/quota", None),
        ("GET", "message/quota/consumption", None),
        ("GET", "info", None),
        ("GET", f"profile/{FIRST_PERSON}", None),
        ("POST", "channel/webhook/test", {}),
        ("GET", "channel/webhook/endpoint", None),
        ("PUT", "channel/webhook/endpoint", {"endpoint": "https://127.0.0.1/callback"}),
        ("POST", "richmenu/validate", MENU),
        ("POST", "richmenu", MENU),
        ("GET", "richmenu/list", None),
        ("DELETE", "user/all/richmenu", None),
    ]
    for method, path, body in asked:
        answer = await running.api(method, path, body)
        request = MockRequest(
            "https://api.line.me",
            method.lower(),
            f"/v2/bot/{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": "Bearer x"},
        )
        described.validate_request(request)
        described.validate_response(
            request, MockResponse(answer.content, status_code=answer.status_code, content_type="application/json")
        )


async def test_tokens_are_as_lines_own_description_says(running, shared):
    described = OpenAPI.from_file_path(str(shared / "specs/line/channel-access-token.yml"))
    form = {
        "grant_type": "client_credentials",
        "client_id": running.line.channel_id,
        "client_secret": running.line.secret,
    }
    answer = await running.http.post("/oauth2/v3/token", data=form)
    kind = "application/x-www-form-urlencoded"
    request = MockRequest(
        "https://api.line.me", "post", "/oauth2/v3/token", data=answer.request.content, content_type=kind
    )
    described.validate_request(request)
    described.validate_response(request, MockResponse(answer.content, status_code=answer.status_code))


async def test_the_sdk_validates_before_the_token_is_spent(running):
    await running.sdk().validate_reply(ValidateMessageRequest(messages=[TextMessage(text="fine")]))
    with pytest.raises(ApiException) as refused:
        await running.sdk().validate_reply(ValidateMessageRequest(messages=[TextMessage(text=LONG + "x")]))

    assert refused.value.status == 400

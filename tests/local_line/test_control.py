"""Who may use the control side, what it does, and what it refuses."""

from __future__ import annotations

import asyncio
import base64
import json

import pytest
from linebot.v3.webhook import WebhookParser
from linebot.v3.webhooks import FollowEvent, MessageEvent, PostbackEvent, UnfollowEvent, UnsendEvent

from bot.local_line import FIRST_PERSON
from bot.local_line.events import ulid
from bot.local_line.limits import MAX_MESSAGES
from bot.local_line.screens import Screens

CONTROL_GETS = ("/local/people", "/local/history", "/local/stream", "/local/log", "/local/content/1")
CONTROL_POSTS = (
    "/local/people",
    "/local/say",
    "/local/tap",
    "/local/edit",
    "/local/unsend",
    "/local/follow",
    "/local/block",
    "/local/redeliver",
    "/local/faults",
)


def postback(data, **more):
    action = {"type": "postback", "label": "go", "data": data, **more}
    template = {"type": "buttons", "text": "choose", "actions": [action]}
    return {"type": "template", "altText": "choose", "template": template}


async def shown_on(stream):
    """What an open stream shows: the kind and the body of each event."""
    lines = stream.aiter_lines()
    async for line in lines:
        if line.startswith("event: "):
            yield line.removeprefix("event: "), json.loads((await anext(lines)).removeprefix("data: "))


async def next_of(shown, kind):
    async with asyncio.timeout(5):
        async for found, body in shown:
            if found == kind:
                return body
    raise AssertionError(kind)


# ── who may ask


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example", "", "0.0.0.0"])
async def test_only_our_own_host_name_is_answered(running, host):
    for path in ("/", "/page.js", "/local/people", "/v2/bot/info", "/nothing"):
        answer = await running.http.get(path, headers={"Host": host})
        assert answer.status_code in {400, 403}


async def test_localhost_is_our_name_too(running):
    port = running.base.rpartition(":")[2]

    for name in ("localhost", "LOCALHOST", "[::1]"):
        assert (await running.http.get("/", headers={"Host": f"{name}:{port}"})).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_another_page_can_neither_look_nor_act(running, headers):
    for path in CONTROL_GETS:
        assert (await running.http.get(path, headers=headers)).status_code == 403
    for path in CONTROL_POSTS:
        assert (await running.http.post(path, json={}, headers=headers)).status_code == 403
    assert await running.history() == []


async def test_the_page_itself_may_ask(running):
    headers = {"Origin": running.base, "Sec-Fetch-Site": "same-origin"}

    assert (await running.http.post("/local/say", json={"text": "hi"}, headers=headers)).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_only_json_is_taken_so_that_no_form_can_act(running, kind):
    for path in CONTROL_POSTS:
        answer = await running.http.post(path, content=b'{"text": "hi"}', headers={"Content-Type": kind})
        assert answer.status_code == 415
    assert await running.history() == []


async def test_no_answer_opens_the_door_to_other_origins(running):
    for path in ("/", "/page.js", "/page.css", "/icon.svg", "/local/people", "/v2/bot/info"):
        headers = (await running.http.get(path)).headers
        assert not [name for name in headers if name.startswith("access-control-")]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert (await running.http.options("/local/say")).status_code in {405, 415}


async def test_the_page_holds_no_inline_script_or_style(running):
    page = (await running.http.get("/")).text

    assert "<script>" not in page
    assert " style=" not in page
    assert " on" + "click=" not in page
    assert "http://" not in page
    assert "https://" not in page


# ── what people do


async def test_people_can_be_added_and_renamed(running):
    added = (await running.http.post("/local/people", json={"name": " ナナ ", "language": "ja"})).json()
    renamed = {"person": added["id"], "name": "Nana", "language": "en"}
    await running.http.post("/local/people", json=renamed)
    people = (await running.http.get("/local/people")).json()["people"]

    assert added["name"] == "ナナ"
    assert [(each["id"], each["name"], each["language"]) for each in people] == [
        (FIRST_PERSON, "你", "zh-TW"),
        (added["id"], "Nana", "en"),
    ]
    assert len(added["id"]) == 33


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/local/people", {"name": " ", "language": "ja"}),
        ("/local/people", {"name": "A", "language": "xx"}),
        ("/local/people", {"name": "A", "language": "ja", "person": "U1"}),
        ("/local/say", {}),
        ("/local/say", {"text": ""}),
        ("/local/say", {"text": "a", "sticker": "ok"}),
        ("/local/say", {"text": "a", "more": 1}),
        ("/local/say", {"text": "a", "person": "U1"}),
        ("/local/say", {"sticker": "unknown"}),
        ("/local/say", {"image": "not base64"}),
        ("/local/say", {"image": base64.b64encode(b"<svg/>").decode()}),
        ("/local/say", {"location": {"latitude": 91, "longitude": 0}}),
        ("/local/tap", {"data": "never offered"}),
        ("/local/say", {"text": "hi", "quotes": "1"}),
        ("/local/edit", {"message_id": "1", "text": "hi"}),
        ("/local/unsend", {"message_id": "1"}),
        ("/local/redeliver", {"event_id": "1"}),
        ("/local/faults", {"status": 1}),
    ],
)
async def test_what_makes_no_sense_is_refused_with_a_reason_and_leaves_nothing(running, path, body):
    answer = await running.http.post(path, json=body)

    assert answer.status_code == 400
    assert answer.json()["message"]
    assert await running.history() == []
    assert len((await running.http.get("/local/people")).json()["people"]) == 1


async def test_a_body_that_is_no_json_is_refused(running):
    headers = {"Content-Type": "application/json"}

    for body in (b"", b"{", b"\xff", b'{"text": "\\ud83d"}'):
        assert (await running.http.post("/local/say", content=body, headers=headers)).status_code == 400


async def test_a_tap_sends_the_data_and_shows_the_buttons_own_words(running):
    await running.reply(await running.reply_token(), postback("record=12&done", displayText="完成了"))
    bubble = (await running.history())[-1]
    tapped = {"message_id": bubble["id"], "data": "record=12&done", "label": "something else"}
    assert (await running.http.post("/local/tap", json=tapped)).status_code == 200
    event = await running.bot.event()

    assert event["postback"] == {"data": "record=12&done"}
    assert event["replyToken"]
    assert (await running.history())[-1]["message"] == {"type": "text", "text": "完成了"}


async def test_a_tap_without_words_leaves_no_bubble_and_a_chosen_time_goes_along(running):
    action = {"type": "datetimepicker", "label": "when", "data": "when", "mode": "date"}
    message = postback("x")
    message["template"]["actions"] = [action]
    await running.reply(await running.reply_token(), message)
    await running.http.post("/local/tap", json={"data": "when", "params": {"date": "2026-12-01"}})
    event = await running.bot.event()

    assert event["postback"] == {"data": "when", "params": {"date": "2026-12-01"}}
    assert (await running.history())[-1]["side"] == "bot"


async def test_one_cannot_tap_what_was_shown_to_another(running):
    await running.reply(await running.reply_token(), postback("secret"))
    other = (await running.http.post("/local/people", json={"name": "B", "language": "en"})).json()["id"]

    assert (await running.http.post("/local/tap", json={"person": other, "data": "secret"})).status_code == 400


async def test_a_message_that_is_taken_back_is_told_and_forgotten(running):
    said = await running.say(text="my secret")
    await running.http.post("/local/unsend", json={"message_id": said["message_id"]})
    events = [await running.bot.event() for _ in range(3)]
    (bubble,) = await running.history()

    assert events[2]["type"] == "unsend"
    assert events[2]["unsend"] == {"messageId": said["message_id"]}
    assert "replyToken" not in events[2]
    assert (bubble["unsent"], bubble["message"]) == (True, {})
    again = await running.http.post("/local/unsend", json={"message_id": said["message_id"]})
    assert again.status_code == 400


async def test_a_message_that_is_written_anew_keeps_its_id_and_has_a_token_of_its_own(running):
    said = await running.say(text="lunch 120")
    await running.http.post("/local/edit", json={"message_id": said["message_id"], "text": "lunch 150"})
    _, first, edited = [await running.bot.event() for _ in range(3)]
    (bubble,) = await running.history()

    assert edited["type"] == "messageEdited"
    assert (edited["message"]["id"], edited["message"]["text"]) == (first["message"]["id"], "lunch 150")
    assert edited["message"]["quoteToken"] != first["message"]["quoteToken"]
    assert "markAsReadToken" not in edited["message"]
    assert edited["replyToken"] != first["replyToken"]
    assert bubble["message"]["text"] == "lunch 150"


async def test_a_message_may_quote_another_of_its_chat_only(running):
    first = await running.say(text="lunch 120")
    await running.say(text="150", quotes=first["message_id"])
    event = [await running.bot.event() for _ in range(3)][-1]
    other = (await running.http.post("/local/people", json={"name": "B", "language": "en"})).json()["id"]
    foreign = {"person": other, "text": "mine?", "quotes": first["message_id"]}

    assert event["message"]["quotedMessageId"] == first["message_id"]
    assert (await running.http.post("/local/say", json=foreign)).status_code == 400


async def test_one_who_blocked_the_bot_must_unblock_it_to_speak(running):
    await running.say(text="hi")
    await running.http.post("/local/block", json={})
    assert (await running.http.post("/local/say", json={"text": "hi"})).status_code == 400
    await running.http.post("/local/follow", json={})
    events = [await running.bot.event() for _ in range(4)]

    assert [each["type"] for each in events] == ["follow", "message", "unfollow", "follow"]
    assert [events[place]["follow"]["isUnblocked"] for place in (0, 3)] == [False, True]
    assert (await running.http.post("/local/say", json={"text": "hi"})).status_code == 200


async def test_lines_own_sdk_knows_every_event_that_is_sent(running):
    said = await running.say(text="hi")
    await running.api("POST", "message/push", {"to": FIRST_PERSON, "messages": [postback("x")]})
    await running.http.post("/local/tap", json={"data": "x"})
    for act, body in (("unsend", {"message_id": said["message_id"]}), ("block", {}), ("follow", {})):
        assert (await running.http.post(f"/local/{act}", json=body)).status_code == 200
    found = []
    for _ in range(6):
        headers, body = await running.bot.webhook()
        found += WebhookParser(running.line.secret).parse(body.decode(), headers["x-line-signature"])

    expected = [FollowEvent, MessageEvent, PostbackEvent, UnsendEvent, UnfollowEvent, FollowEvent]
    assert [type(each) for each in found] == expected


# ── what is seen


async def test_a_page_is_shown_what_happens_in_its_own_chat_only(running):
    other = (await running.http.post("/local/people", json={"name": "B", "language": "en"})).json()["id"]
    async with running.http.stream("GET", "/local/stream", params={"person": FIRST_PERSON}) as stream:
        await running.say(other, text="not for you")
        said = await running.say(text="for you")
        bubble = await next_of(shown_on(stream), "bubble")

    assert (bubble["id"], bubble["message"]["text"], bubble["state"]) == (said["message_id"], "for you", "waiting")


async def test_the_bot_at_work_is_shown_in_the_chat_it_works_for(running):
    line = {"tool": "create_record", "state": "started", "chat": FIRST_PERSON}
    async with running.http.stream("GET", "/local/stream") as stream:
        shown = shown_on(stream)
        await next_of(shown, "open")
        running.line.note("U" + "0" * 32, {"tool": "other", "state": "started"})
        running.line.note(None, line)
        assert await next_of(shown, "activity") == line


async def test_the_history_tells_what_became_of_each_webhook(start_line):
    async with start_line(redeliver_after=()) as running:
        running.bot.statuses = [200, 500]
        async with running.http.stream("GET", "/local/stream") as stream:
            said = await running.say(text="hi")
            shown = shown_on(stream)
            states = [await next_of(shown, "state") for _ in range(2)]
        assert [each["state"] for each in states] == ["delivered", "failed"]
        assert [each["state"] for each in await running.history()] == ["failed"]
        await running.http.post("/local/redeliver", json={"event_id": said["event_id"]})
        for _ in range(2):
            await running.bot.event()
        assert (await running.bot.event())["deliveryContext"] == {"isRedelivery": True}


async def test_closing_ends_the_open_streams(start_line):
    async with start_line() as running, running.http.stream("GET", "/local/stream") as stream:
        shown = shown_on(stream)
        await next_of(shown, "open")
        await running.line.close()
        async with asyncio.timeout(5):
            assert [each async for each in shown] == []
        assert (await running.http.get("/local/people")).status_code == 503


async def test_a_page_that_stops_reading_is_let_go():
    screens = Screens()
    watching = screens.watch(FIRST_PERSON)
    await anext(watching)
    for _ in range(2000):
        screens.show(None, "bubble", {})
    async with asyncio.timeout(5):
        shown = [each async for each in watching]

    assert len(shown) < 2000


async def test_unknown_people_and_paths_are_not_found(running):
    for path in ("/local/history?person=U1", "/local/stream?person=U1", "/local/content/1", "/local/nothing"):
        assert (await running.http.get(path)).status_code == 404


def test_ulids_of_later_moments_sort_later():
    written = [ulid(at) for at in (0, 1_700_000_000_000, 1_700_000_000_001, 2**48 - 1)]

    assert written == sorted(written)
    assert all(len(each) == 26 for each in written)
    assert MAX_MESSAGES == 5

"""Signed bytes to incoming messages: what LINE sends, what it may send one day, and what nobody should send."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import time
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.line.webhook import EVENTS_LIMIT, NOWHERE, BadBody, read_delivery, verified
from bot.line.words import TEXT_LIMIT
from bot.ports import BACK, IncomingMessage

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
SECRET = "made-up-channel-secret"
USER = "U" + "1" * 32
TOKEN = "0f3779fba3b349968c5d07db31eab56f"


def signature(body: bytes, secret: str = SECRET) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


def event(**changes: Any) -> dict[str, Any]:
    """A text message in a 1:1 chat; a change of None leaves the field out."""
    whole = {
        "type": "message",
        "mode": "active",
        "timestamp": 1_764_493_200_123,
        "source": {"type": "user", "userId": USER},
        "webhookEventId": "01KB9ZJ6V6X9E5M5R3C9V2Q8TN",
        "deliveryContext": {"isRedelivery": False},
        "replyToken": TOKEN,
        "message": {"id": "468789577898262530", "type": "text", "text": "買牛奶", "quoteToken": "q"},
    } | changes
    return {key: value for key, value in whole.items() if value is not None}


def read(*events: Any) -> list[IncomingMessage]:
    return read_delivery(json.dumps({"destination": "U" + "0" * 32, "events": list(events)}).encode(), NOW)


def one(**changes: Any) -> IncomingMessage:
    (message,) = read(event(**changes))
    return message


def message(**fields: Any) -> IncomingMessage:
    return one(message={"id": "1", **fields})


# ── the signature ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_lines_own_example_verifies():
    body = b'{"destination":"U8e742f61d673b39c7fff3cecb7536ef0","events":[]}'
    given_signature = "GhRKmvmHys4Pi8DxkF4+EayaH0OqtJtaZxgTD9fMDLs="

    assert verified(body, [given_signature], ["8c570fa6dd201bb328f1c1eac23a96d8"])
    assert verified(body, [given_signature.encode()], ["8c570fa6dd201bb328f1c1eac23a96d8"])


@given(st.binary(max_size=2_000), st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable()))
def test_any_body_verifies_with_the_signature_of_its_bytes(body: bytes, secret: str):
    assert verified(body, [signature(body, secret)], [secret])


@given(st.binary(min_size=1, max_size=500), st.data())
def test_one_flipped_bit_of_the_body_does_not_verify(body: bytes, data: st.DataObject):
    bit = data.draw(st.integers(0, len(body) * 8 - 1))
    flipped = bytearray(body)
    flipped[bit // 8] ^= 1 << bit % 8

    assert not verified(bytes(flipped), [signature(body)], [SECRET])


@given(st.binary(max_size=100), st.integers(0, 44 * 8 - 1))
def test_one_flipped_bit_of_the_signature_does_not_verify(body: bytes, bit: int):
    flipped = bytearray(signature(body).encode())
    flipped[bit // 8] ^= 1 << bit % 8

    assert not verified(body, [bytes(flipped)], [SECRET])


def test_during_a_rotation_either_secret_verifies():
    body = b'{"events":[]}'

    assert verified(body, [signature(body, "old")], ["new", "old"])
    assert verified(body, [signature(body, "new")], ["new", "old"])
    assert not verified(body, [signature(body, "other")], ["new", "old"])


@pytest.mark.parametrize(
    "signatures",
    [
        [],
        [""],
        ["é"],
        ["\ud800"],
        [b"\xff\xfe\x00"],
        ["x" * 1_000_000],
        [signature(b"body"), signature(b"body")],
        [signature(b"body") + "\n"],
        [" " + signature(b"body")],
        [hmac.new(SECRET.encode(), b"body", hashlib.sha256).hexdigest()],
        [signature(b"body\n")],
        [signature(b"body", "another channel's secret")],
    ],
)
def test_anything_but_exactly_one_right_signature_is_refused(signatures: list[str | bytes]):
    assert not verified(b"body", signatures, [SECRET])


def test_without_a_secret_nothing_verifies():
    assert not verified(b"body", [signature(b"body", "")], [])
    assert not verified(b"body", [signature(b"body", "")], ["", ""])


# ── the body ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_delivery_without_events_is_fine():
    assert read_delivery(b'{"destination":"x","events":[]}', NOW) == []
    assert read_delivery(b'{"events":[]}', NOW) == []


def test_a_delivery_of_more_events_than_line_ever_sends_is_refused_before_any_is_read():
    assert len(read_delivery(b'{"events":[' + b"{}," * (EVENTS_LIMIT - 1) + b"{}]}", NOW)) == EVENTS_LIMIT
    flood = b'{"events":[' + b"{}," * 300_000 + b"{}]}"

    started = time.process_time()
    with pytest.raises(BadBody, match="too many events: 300001"):
        read_delivery(flood, NOW)

    assert time.process_time() - started < 1


WHOLE = json.dumps({"events": [event()]}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"1",
        b"NaN",
        b'{"events":NaN}',
        b'{"events":[{"timestamp":-Infinity}]}',
        b"{}",
        b'{"events":null}',
        b'{"events":{}}',
        b'{"events":"[]"}',
        b'{"events":3}',
        b'{"events":[]}x',
        b'{"events":[]}\x00',
        b'\xef\xbb\xbf{"events":[]}',
        '{"events":[]}'.encode("utf-16"),
        b'{"events":["\xff\xfe"]}',
        b"[" * 100_000,
        b'{"events":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"events":[' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"]}",
        *(WHOLE[:end] for end in range(1, len(WHOLE), 50)),
    ],
)
def test_a_body_that_is_not_what_line_sends_is_bad(body: bytes):
    with pytest.raises(BadBody):
        read_delivery(body, NOW)


@given(st.binary(max_size=200))
def test_no_bytes_do_more_than_make_a_bad_body(body: bytes):
    with contextlib.suppress(BadBody):
        assert read_delivery(body, NOW) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KINDS = st.sampled_from(["message", "postback", "follow", "unsend", "messageEdited", "beacon", "soon"])
SOURCES = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "group", "room", "space"])}, optional={"userId": JSON}
)
MESSAGES = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "sticker", "location", "file", "image", "soon"])},
    optional=dict.fromkeys(
        ("id", "text", "keywords", "title", "address", "latitude", "fileName", "mention", "quotedMessageId"), JSON
    ),
)
EVENTS = st.fixed_dictionaries(
    {"type": KINDS | JSON},
    optional={
        "source": SOURCES | JSON,
        "message": MESSAGES | JSON,
        "postback": st.fixed_dictionaries({}, optional={"data": JSON, "params": JSON}) | JSON,
        **dict.fromkeys(("mode", "timestamp", "webhookEventId", "deliveryContext", "replyToken", "unsend"), JSON),
    },
)


@given(st.lists(EVENTS | JSON, max_size=4))
def test_whatever_an_event_holds_it_is_one_storable_message(events: list[Any]):
    found = read(*events)

    assert len(found) == len(events)
    for message in found:
        words = [message.id, message.chat, message.text, message.data, message.reply_token or "", message.person or ""]
        "".join([*words, *message.params, *message.params.values()]).encode("utf-8")
        assert 1 <= len(message.id) <= 64
        assert message.occurred_at.tzinfo


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "x",
        [],
        7,
        {},
        {"type": None},
        {"type": 3},
        {"type": "x" * 10_000},
        {"type": ["message"]},
        {"type": "message", "message": {"type": {"a": 1}}},
        {"type": "message", "source": {"type": ["user"]}},
        {"__proto__": {"type": "message"}},
        {"type": "message", "webhookEventId": 5, "source": None, "message": None, "timestamp": 10**400},
    ],
)
def test_one_odd_event_never_costs_the_others(odd: Any):
    before, strange, after = read(event(webhookEventId="A"), odd, event(webhookEventId="B"))

    assert (before.id, before.text, before.answerable) == ("A", "買牛奶", True)
    assert (after.id, after.text, after.answerable) == ("B", "買牛奶", True)
    assert not strange.answerable
    assert strange.chat == NOWHERE


def test_deep_and_endless_things_inside_an_event_cost_nothing():
    deep = b'{"type":"message","deep":' + b"[" * 700 + b"]" * 700 + b"}"
    number = b'{"type":"message","timestamp":' + b"9" * 5_000 + b',"n":1e999}'
    body = b'{"events":[' + deep + b"," + number + b"," + json.dumps(event()).encode() + b"]}"

    found = read_delivery(body, NOW)

    assert [message.text for message in found] == ["", "", "買牛奶"]
    assert len({message.id for message in found}) == 3
    assert found[1].occurred_at == found[1].received_at


def test_at_no_depth_does_an_event_break_anything():
    for depth in range(780, 1_000):
        deep = b'{"events":[{"a":' + b"[" * depth + b"]" * depth + b"}]}"
        with contextlib.suppress(BadBody):
            first, again = (read_delivery(deep, NOW)[0] for _ in range(2))
            assert first.id == again.id


def test_of_two_keys_of_the_same_name_one_holds():
    body = b'{"events":[1,2],"events":[' + json.dumps(event()).encode() + b"]}"

    assert [message.text for message in read_delivery(body, NOW)] == ["買牛奶"]


def test_a_thousand_events_stay_in_order():
    found = read(*(event(webhookEventId=f"E{n}") for n in range(1_000)))

    assert [message.id for message in found] == [f"E{n}" for n in range(1_000)]


# ── what identifies an event ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("odd", [None, 5, "", "x" * 65, "x" * 10_000, "a\nb", "\x00", "識別", ["E"], {"a": 1}])
def test_an_event_without_a_usable_id_is_keyed_by_what_it_says(odd: Any):
    first, redelivered = (one(webhookEventId=odd, deliveryContext={"isRedelivery": again}) for again in (False, True))
    other = one(webhookEventId=odd, replyToken="b" * 32)

    assert first.id.startswith("x-")
    assert first.id == redelivered.id != other.id
    assert redelivered.redelivered
    assert not first.redelivered


def test_a_lone_surrogate_is_no_id():
    body = b'{"events":[{"type":"message","webhookEventId":"\\ud800","source":{"type":"user","userId":"\\udfff"}}]}'
    (message,) = read_delivery(body, NOW)

    assert message.id.startswith("x-")
    assert message.person is None


def test_the_time_is_the_events_own_and_received_beside_it():
    message = one(timestamp=1_764_493_200_123)

    assert message.occurred_at == datetime(2025, 11, 30, 9, 0, 0, 123_000, tzinfo=UTC)
    assert message.received_at == NOW


def test_what_happened_at_once_was_received_in_the_order_of_the_delivery():
    events = [{"type": "message", "webhookEventId": id_, "timestamp": 1} for id_ in "cab"]
    received = [each.received_at for each in read_delivery(json.dumps({"events": events}).encode(), NOW)]

    assert received == sorted(set(received))
    assert received[-1] - NOW < timedelta(milliseconds=1)


@pytest.mark.parametrize("odd", [None, "1764493200123", True, -1, 10**18, 1e300, [], {"ms": 1}])
def test_an_impossible_time_is_the_time_of_receipt(odd: Any):
    assert one(timestamp=odd).occurred_at == NOW


def test_a_fractional_time_is_a_time():
    assert one(timestamp=1_500.5).occurred_at == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=1_500.5)


# ── who may be answered ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_persons_message_carries_all_that_an_answer_needs():
    message = one()

    assert (message.kind, message.chat, message.chat_kind, message.person) == ("text", USER, "user", USER)
    assert (message.reply_token, message.message_id, message.text) == (TOKEN, "468789577898262530", "買牛奶")
    assert message.answerable


def test_a_message_without_mode_is_answered():
    assert one(mode=None).answerable


@pytest.mark.parametrize("mode", ["standby", "later", 1, ["active"]])
def test_while_somebody_else_holds_the_chat_nothing_is_answered(mode: Any):
    message = one(mode=mode)

    assert not message.answerable
    assert message.reply_token is None


@pytest.mark.parametrize("token", ["0" * 32, "f" * 32])
def test_the_dummy_tokens_of_a_verification_are_never_answered(token: str):
    assert not one(replyToken=token).answerable


def test_the_dummy_person_of_a_verification_is_never_answered():
    assert not one(source={"type": "user", "userId": "Udeadbeefdeadbeefdeadbeefdeadbeef"}).answerable


@pytest.mark.parametrize(
    "source", [None, {}, {"type": "user"}, {"type": "user", "userId": 5}, {"type": "user", "userId": ""}]
)
def test_nobody_is_not_answered(source: Any):
    message = one(source=source)

    assert (message.chat, message.person, message.answerable) == (NOWHERE, None, False)


def test_a_kind_of_place_that_is_not_known_yet_is_not_answered():
    message = one(source={"type": "space", "userId": USER, "": "U2"})

    assert (message.chat, message.answerable) == (NOWHERE, False)


@pytest.mark.parametrize(
    ("kind", "key", "chat"), [("group", "groupId", "C" + "2" * 32), ("room", "roomId", "R" + "3" * 32)]
)
def test_what_is_said_to_the_bot_in_a_group_is_read_like_a_persons(kind: str, key: str, chat: str):
    mention = {"mentionees": [{"index": 0, "length": 2, "type": "user", "isSelf": True}]}
    said = {"id": "1", "type": "text", "text": "@我 買牛奶", "mention": mention, "quoteToken": "q1"}
    message = one(source={"type": kind, key: chat, "userId": USER}, message=said)

    assert (message.chat_kind, message.chat, message.person) == (kind, chat, USER)
    assert (message.text, message.reply_token, message.answerable) == ("買牛奶", TOKEN, True)
    assert (message.mentions_me, message.quote_token) == (True, "q1")


def test_that_everybody_is_mentioned_is_no_mention_of_the_bot():
    mention = {"mentionees": [{"index": 0, "length": 4, "type": "all"}]}
    said = {"id": "1", "type": "text", "text": "@All 晚餐", "mention": mention}
    message = one(source={"type": "group", "groupId": "C1", "userId": USER}, message=said)

    assert (message.mentions_me, message.text) == (False, "@All 晚餐")


def test_a_button_in_a_group_is_a_button():
    message = one(type="postback", source={"type": "group", "groupId": "C1"}, postback={"data": "done:1"})

    assert (message.kind, message.data, message.person, message.answerable) == ("postback", "done:1", None, True)


CAME = {"members": [{"type": "user", "userId": USER}, {"type": "user"}, 5]}
WENT = {"members": [{"userId": "U1"}, {"userId": "U2"}]}


@pytest.mark.parametrize(
    ("event", "kind", "data"),
    [
        ({"type": "join"}, "join", ""),
        ({"type": "leave"}, "leave", ""),
        ({"type": "memberJoined", "joined": CAME}, "members_came", USER),
        ({"type": "memberLeft", "left": WENT}, "members_left", "U1 U2"),
    ],
)
def test_who_comes_and_goes_in_a_group_is_told(event: dict[str, Any], kind: str, data: str):
    message = one(source={"type": "group", "groupId": "C1"}, **event)

    assert (message.kind, message.data, message.answerable) == (kind, data, kind == "join")


def test_nobody_joins_a_chat_of_two():
    assert one(type="join").kind == "other"


def test_a_message_without_token_is_still_worked():
    message = one(replyToken=None)

    assert message.answerable
    assert message.reply_token is None


@pytest.mark.parametrize("kind", ["image", "video", "audio"])
def test_what_a_person_shows_is_of_its_kind(kind: str):
    message = one(message={"id": "5", "type": kind, "contentProvider": {"type": "line"}})

    assert (message.kind, message.message_id, message.answerable) == (kind, "5", True)


def test_a_kind_of_message_that_is_not_known_yet_gets_an_answer_if_it_can():
    assert (message(type="hologram").kind, message(type="hologram").answerable) == ("other", True)
    assert not one(message={"type": "hologram"}, replyToken=None).answerable


@pytest.mark.parametrize(
    "happened",
    [
        *("join", "leave", "memberJoined", "memberLeft", "videoPlayComplete"),
        *("beacon", "accountLink", "membership", "module", "activated", "deactivated", "botSuspended", "botResumed"),
        *("delivery", "a type of tomorrow"),
    ],
)
def test_what_nobody_says_is_kept_as_an_id_only(happened: str):
    message = one(type=happened)

    assert (message.kind, message.text, message.answerable, message.reply_token) == ("other", "", False, None)


def test_adding_the_bot_is_answered():
    message = one(type="follow", follow={"isUnblocked": False}, message=None)

    assert (message.kind, message.answerable, message.reply_token) == ("follow", True, TOKEN)


def test_a_friend_who_had_blocked_the_bot_is_no_new_one():
    assert one(type="follow", follow={"isUnblocked": True}, message=None).data == BACK
    assert one(type="follow", follow={"isUnblocked": "true"}, message=None).data == ""


@pytest.mark.parametrize("happened", ["unsend", "unfollow"])
def test_what_takes_something_back_is_known_and_cannot_be_answered(happened: str):
    message = one(type=happened)

    assert (message.kind, message.text, message.answerable, message.reply_token) == (happened, "", False, None)


def test_an_edited_message_has_its_words_its_id_and_a_token_of_its_own():
    found = one(type="messageEdited", message={"id": "77", "type": "text", "text": "午餐 150"})

    assert (found.kind, found.text, found.message_id) == ("edited", "午餐 150", "77")
    assert (found.answerable, found.reply_token) == (True, TOKEN)


def with_emoji(text: str, *spans: tuple[Any, Any], **more: Any) -> IncomingMessage:
    found = [{"index": at, "length": length, "productId": "5ac1", "emojiId": "001"} for at, length in spans]
    return message(type="text", text=text, emojis=found, **more)


def test_lines_own_emoji_are_no_words():
    assert with_emoji("買牛奶(love)", (3, 6)).text == "買牛奶"
    assert with_emoji("🍎(love)買()牛奶", (2, 6), (9, 2)).text == "🍎買牛奶"
    assert with_emoji("買牛奶(love)", (1, 6)).text == "買牛奶(love)", "only what stands in parentheses is one"
    assert with_emoji("買牛奶(love)", (-1, "6")).text == "買牛奶(love)"


def test_emoji_and_the_mention_of_the_bot_are_cut_by_the_same_count():
    mention = {"mentionees": [{"index": 6, "length": 4, "type": "user", "isSelf": True}]}
    assert with_emoji("(love)@Bot 買牛奶", (0, 6), mention=mention).text == "買牛奶"


def test_nothing_but_emoji_is_like_a_sticker():
    found = with_emoji("(love) (ok)", (0, 6), (7, 4))

    assert (found.kind, found.text) == ("sticker", "love, ok")


def test_an_unsent_message_is_named():
    assert one(type="unsend", message=None, unsend={"messageId": "325708"}).message_id == "325708"


# ── what was said ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_text_is_kept_as_it_was_written():
    text = "  早安 \n (hello) 👨‍👩‍👧‍👦\t ﬁ é \u200b"

    assert message(type="text", text=text).text == text


def test_what_no_store_can_hold_is_left_out_of_a_text():
    body = json.dumps({"events": [event(message={"id": "1", "type": "text", "text": "a\ud800b\x00c\udfff😀"})]})

    assert read_delivery(body.encode(), NOW)[0].text == "abc😀"


def test_escaped_and_raw_emoji_read_alike():
    raw = json.dumps({"events": [event(message={"id": "1", "type": "text", "text": "🤨"})]}, ensure_ascii=False)
    escaped = json.dumps({"events": [event(message={"id": "1", "type": "text", "text": "🤨"})]})

    assert read_delivery(raw.encode(), NOW) == read_delivery(escaped.encode(), NOW)


def test_a_text_beyond_measure_is_cut():
    assert len(message(type="text", text="長" * 50_000).text) == TEXT_LIMIT


def test_a_text_that_is_none_is_empty():
    assert message(type="text", text=None).text == message(type="text", text=["x"]).text == ""


def test_the_quoted_message_is_named():
    assert (
        message(type="text", text="這個", quotedMessageId="468789532432007169").quoted_message_id
        == "468789532432007169"
    )


def mentioned(text: str, *spans: tuple[Any, Any], is_self: Any = True) -> IncomingMessage:
    found = [{"index": start, "length": length, "type": "user", "isSelf": is_self} for start, length in spans]
    return message(type="text", text=text, mention={"mentionees": found})


def test_the_mention_of_the_bot_is_cut_out_in_utf16_units():
    assert mentioned("🍎🍎 @Bot 買牛奶", (5, 4)).text == "🍎🍎  買牛奶"
    assert mentioned("@Bot 買牛奶", (0, 5)).text == "買牛奶"
    assert mentioned("@Bot 買 @Bot 牛奶 @Bot", (7, 5), (0, 5), (15, 4)).text == "買 牛奶"


def test_the_mention_of_another_stays():
    found = mentioned("@Alice 買牛奶", (0, 6), is_self=False)

    assert (found.text, found.mentions_me) == ("@Alice 買牛奶", False)


@pytest.mark.parametrize(
    "span", [(-1, 3), (0, -3), ("0", 3), (None, None), (True, True), (1.0, 2), (900, 9), (2**70, 1)]
)
def test_an_impossible_mention_cuts_nothing(span: tuple[Any, Any]):
    found = mentioned("@Bot 買牛奶", span)

    assert (found.text, found.mentions_me) == ("@Bot 買牛奶", True)


def test_a_mention_that_cuts_a_sign_in_half_leaves_no_half():
    assert mentioned("a🍎b", (2, 1)).text == "ab"


def test_a_sticker_says_its_words():
    assert message(type="sticker", keywords=["bed", "sleep", 7, "", "bed"]).text == "bed, sleep"
    assert message(type="sticker", text="晚安", keywords=["sleep"]).text == "晚安, sleep"
    assert message(type="sticker").text == ""
    assert message(type="sticker", stickerResourceType="HOLOGRAM").kind == "sticker"


def test_a_place_says_its_name_and_address():
    assert (
        message(type="location", title="診所", address="台北市", latitude=25.0, longitude=121.5).text == "診所, 台北市"
    )
    assert message(type="location", address="台北市").text == "台北市"
    assert message(type="location", latitude=25.03, longitude=121.5).text == "25.03, 121.5"
    assert message(type="location", latitude=True, longitude="x").text == ""


@pytest.mark.parametrize(
    ("sent", "seen"),
    [
        ("報告.pdf", "報告.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ("a\u202efdp.exe", "afdp.exe"),
        ("a\x1b[31m\n.txt", "a[31m.txt"),
        ("..", ""),
        ("", ""),
        (None, ""),
        (" .hidden ", "hidden"),
    ],
)
def test_a_files_name_is_only_a_name(sent: Any, seen: str):
    assert message(type="file", fileName=sent, fileSize=3).text == seen


@given(st.text(max_size=400))
def test_no_files_name_steers_anything(name: str):
    seen = message(type="file", fileName=name).text

    assert len(seen) <= 200
    assert not [sign for sign in seen if sign in "/\\" or unicodedata.category(sign)[0] == "C"]


def test_a_tap_carries_its_data_and_what_was_picked():
    picked = {"datetime": "2026-12-01T15:00", "odd": 5, "null": None}
    message = one(type="postback", message=None, postback={"data": "undo:7", "params": picked})

    assert (message.kind, message.data, message.answerable) == ("postback", "undo:7", True)
    assert message.params == {"datetime": "2026-12-01T15:00"}


@pytest.mark.parametrize("postback", [None, {}, {"data": 5, "params": ["x"]}, {"data": None}])
def test_a_tap_without_usable_data_is_still_a_tap(postback: Any):
    message = one(type="postback", message=None, postback=postback)

    assert (message.kind, message.data, message.params, message.answerable) == ("postback", "", {}, True)


def test_a_taps_data_beyond_measure_is_cut():
    params = {f"k{n}": "v" * 5_000 for n in range(50)}
    message = one(type="postback", postback={"data": "d" * 5_000, "params": params})

    assert len(message.data) == 1_000
    assert len(message.params) == 16
    assert max(map(len, message.params.values())) == 1_000


@pytest.mark.parametrize("odd", ["t" * 201, "a b\n", "", 5, None])
def test_a_token_that_is_none_is_no_token(odd: Any):
    assert one(replyToken=odd).reply_token is None

"""What LINE's answers mean for an operator: how it is, and exactly where to click."""

from __future__ import annotations

import pytest

from bot.findings import Finding, as_json, as_lines, fails
from bot.line import health
from bot.line.health import Account, Trial, Webhook

HERE = "https://secretary.example.org/callback"
ACCOUNT = Account("秘書", "@abc", chat=False, skew=0.0)


def states(*findings: Finding) -> list[str]:
    return [each.state for each in findings]


@pytest.mark.parametrize(
    ("issued", "clicks"),
    [
        (False, ["Messaging API tab", "Channel access token (long-lived): Issue"]),
        (True, ["Basic settings", "LINE_CHANNEL_ID"]),
    ],
)
def test_a_token_that_is_refused_says_where_another_comes_from(issued, clicks):
    assert health.of_token(ACCOUNT, "", issued=issued).state == "ok"
    refused = health.of_token(None, "LINE answered 401", issued=issued)

    assert (refused.state, refused.said) == ("FAIL", "LINE answered 401")
    assert all(each in refused.next for each in clicks)


@pytest.mark.parametrize(
    ("skew", "state", "said"),
    [
        (0.0, "ok", "agrees"),
        (5.0, "ok", "agrees"),
        (-5.0, "ok", "agrees"),
        (6.0, "warn", "6 s ahead of LINE's"),
        (-60.0, "warn", "60 s behind LINE's"),
        (-61.0, "FAIL", "61 s behind LINE's"),
        (7200.0, "FAIL", "7200 s ahead of LINE's"),
        (None, "warn", "did not say"),
    ],
)
def test_a_wrong_clock_is_found(skew, state, said):
    found = health.of_clock(skew)
    assert found.state == state
    assert said in found.said
    assert bool(found.next) == (state != "ok")


@pytest.mark.parametrize(
    ("webhook", "expected", "found"),
    [
        (Webhook(HERE, active=True), HERE, ["ok", "ok"]),
        (Webhook(HERE, active=True), "", ["ok", "ok"]),
        (Webhook(HERE, active=False), HERE, ["ok", "FAIL"]),
        (Webhook("https://old.example.org/callback", active=True), HERE, ["warn", "ok"]),
        (None, HERE, ["FAIL"]),
        (None, "", ["FAIL"]),
    ],
)
def test_a_webhook_must_be_set_to_the_bot_and_switched_on(webhook, expected, found):
    assert states(*health.of_webhook(webhook, expected)) == found


def test_without_a_known_address_the_console_is_named_too():
    (unset,) = health.of_webhook(None, "")
    assert "PUBLIC_URL" in unset.next
    assert "Messaging API tab" in unset.next


@pytest.mark.parametrize(
    ("trial", "said", "step"),
    [
        (Trial(success=False, status=401, reason="ERROR_STATUS_CODE"), "signature", "Channel secret"),
        (Trial(success=False, status=503, reason="ERROR_STATUS_CODE"), "cannot store", "log"),
        (Trial(success=False, status=404, reason="ERROR_STATUS_CODE 404"), "404", "/callback"),
        (Trial(success=False, status=0, reason="COULD_NOT_CONNECT"), "COULD_NOT_CONNECT", "certificate"),
        (Trial(success=False, status=-1, reason="REQUEST_TIMEOUT"), "REQUEST_TIMEOUT", "start the bot"),
    ],
)
def test_a_test_event_that_does_not_arrive_says_why(trial, said, step):
    found = health.of_test(trial)
    assert found.state == "FAIL"
    assert said in found.said
    assert step in found.next


def test_a_test_event_that_arrives_is_well():
    assert health.of_test(Trial(success=True, status=200, reason="OK")).state == "ok"


def test_what_line_does_not_tell_is_to_be_looked_at_with_the_click():
    redelivery, replies = health.of_switches()
    assert states(redelivery, replies) == ["warn", "warn"]
    assert "Webhook redelivery on" in redelivery.next
    assert "manager.line.biz" in replies.next


@pytest.mark.parametrize(
    ("left", "pushes", "state", "said"),
    [
        (None, "reminders", "ok", "no limit"),
        (182, "reminders", "ok", "182 left"),
        (41, "all", "ok", "41 left"),
        (40, "reminders", "warn", "then reminders wait"),
        (20, "reminders", "warn", "reminders wait"),
        (3, "off", "ok", "none is used"),
    ],
)
def test_few_pushes_are_a_warning_where_they_are_used(left, pushes, state, said):
    found = health.of_quota(left, pushes)
    assert found.state == state
    assert said in found.said


@pytest.mark.parametrize(("chat", "said"), [(True, "by hand"), (False, "chat is off")])
def test_an_account_is_named_with_its_chat(chat, said):
    found = health.of_account(Account("秘書", "@abc", chat=chat, skew=None))
    assert found.said.startswith("秘書 (@abc)")
    assert said in found.said


def test_a_finding_is_one_line_with_its_next_step():
    found = Finding("store", "FAIL", "it is\n broken", "mend it")
    assert found.line == "FAIL  store         it is broken → mend it"
    assert Finding("bot", "ok", "runs").line == "ok    bot           runs"
    assert as_lines([found]) == [found.line]
    assert '"check": "store"' in as_json([found])


@pytest.mark.parametrize(("states_", "failed"), [(["ok", "warn"], False), (["ok", "FAIL", "warn"], True), ([], False)])
def test_only_what_fails_fails(states_, failed):
    assert fails([Finding("x", each, "y") for each in states_]) == failed

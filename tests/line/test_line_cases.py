"""What people reported of bots on LINE, row by row: which test of the suite shows that it does not happen here.

A row is named by its number in the list of cases. Where no other test shows a row, one stands here, over the real bot
and real HTTP. At the end it is told that every test that is named exists, and that no row is left out.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from bot.voice.household_words import household_words
from tests.bot_process import OWNER
from tests.case_list import assert_all_are_shown, assert_they_exist
from tests.emulators import openai
from tests.emulators.openai import OpenAI, says
from tests.line.in_process import World, delivery, text_of, words, world

ROOT = Path(__file__).resolve().parents[2]
ANNA = {"type": "user", "userId": OWNER}
FAMILY = "C" + "7" * 32

SHOWN_BY: dict[str, tuple[str, ...]] = {
    # ── A: reply tokens and slow answers
    "A1": (
        "test_process_incoming_message.py::test_a_slow_answer_is_shown_by_the_tap_on_the_interim_button",
        "test_process_incoming_message.py::test_what_was_slow_stands_in_front_of_the_next_reply_if_nobody_taps",
        "test_delivery.py::test_an_old_token_is_not_tried_and_the_answer_stands_in_front_of_the_next_reply",
        "line/test_channel.py::test_each_refusal_of_line_has_one_meaning",
    ),
    "A2": ("line/test_line_cases.py::test_line_has_its_200_while_the_model_still_thinks",),
    "A10": ("line/test_line_cases.py::test_line_has_its_200_while_the_model_still_thinks",),
    "A11": (
        "test_process_incoming_message.py::test_an_engine_that_breaks_costs_a_kind_sentence_and_the_turn_is_answered",
        "e2e/test_conversation.py::test_when_the_model_is_down_plain_logging_still_works",
    ),
    "A12": (
        "test_asking.py::test_of_the_past_the_last_twenty_exchanges_are_sent",
        "test_asking.py::test_the_past_may_fill_its_share_and_not_a_byte_more",
    ),
    "A13": ("line/test_line_cases.py::test_line_has_its_200_while_the_model_still_thinks",),
    "A14": (
        "test_tool_loop.py::test_a_tool_that_only_reads_is_cut_off_after_its_time",
        "test_secretary.py::test_a_model_with_nothing_to_say_is_spoken_for",
        "test_secretary.py::test_what_was_done_before_the_model_went_down_is_told",
    ),
    "A18": ("line/test_line_cases.py::test_what_a_dead_token_could_not_carry_comes_with_the_next_one",),
    "A22": (
        "test_delivery.py::test_an_answer_goes_on_the_reply_token_and_is_done",
        "test_delivery.py::test_an_answer_is_not_pushed_unless_all_is_allowed",
        "e2e/test_a_day.py::test_a_day_of_three_people_costs_no_push_and_leaves_nothing_owed",
    ),
    # ── B: pushes, quota, delivery
    "B1": (
        "line/test_cards.py::test_what_is_said_beside_a_card_stands_in_front_of_it",
        "line/test_media_messages.py::test_words_and_pictures_together_are_at_most_five",
        "line/test_channel.py::test_a_spent_quota_is_named_so",
    ),
    "B5": (
        "test_delivery.py::test_a_process_that_died_while_sending_repeats_on_the_same_token",
        "test_delivery.py::test_a_reminder_is_pushed_with_a_key_that_a_repeat_shares",
        "crash/test_deaths.py::test_an_answer_that_arrived_before_the_death_is_not_said_again",
        "crash/test_crash.py::test_wherever_it_dies_nothing_is_lost_and_nothing_is_doubled",
    ),
    "B9": (
        "contract/test_inbox.py::test_an_owed_answer_is_carried_by_one_reply_at_a_time",
        "test_delivery.py::test_an_invalid_token_on_the_repeat_means_that_it_arrived",
    ),
    "B10": (
        "test_phrases.py::test_a_moment_is_told_on_the_persons_own_clock",
        "test_delivery.py::test_a_refused_push_is_owed",
        "contract/test_memory.py::test_a_ring_is_handed_over_once",
    ),
    "B11": (
        "line/test_channel.py::test_each_refusal_of_line_has_one_meaning",
        "test_attachments.py::test_what_is_kept_is_shown_as_a_picture_or_as_a_link",
    ),
    # ── C: at once, in order, once
    "C6": (
        "e2e/test_conversation.py::test_three_quick_messages_are_three_records_and_one_reply_each_said_once",
        "test_lanes.py::test_of_one_chat_one_turn_is_worked_at_a_time",
    ),
    "C7": (
        "contract/test_picture_sets.py::test_a_set_waits_until_all_of_it_is_there",
        "test_fetching.py::test_it_is_fetched_at_once_and_found_by_whoever_needs_it",
        "e2e/test_media.py::test_pictures_sent_together_are_one_turn_in_their_order",
        "e2e/test_media.py::test_a_set_with_a_picture_missing_is_answered_all_the_same_and_says_so",
    ),
    # ── D: signature and endpoint
    "D2": ("line/test_line_cases.py::test_emoji_are_verified_and_read_however_they_are_written",),
    "D3": ("line/test_line_cases.py::test_emoji_are_verified_and_read_however_they_are_written",),
    "D4": ("line/test_line_cases.py::test_emoji_are_verified_and_read_however_they_are_written",),
    "D5": (
        "line/test_line_cases.py::test_emoji_are_verified_and_read_however_they_are_written",
        "test_web.py::test_a_body_that_was_changed_on_the_way_is_refused",
    ),
    "D6": (
        "test_settings.py::test_half_of_lines_credentials_is_a_mistake",
        "line/test_webhook.py::test_without_a_secret_nothing_verifies",
        "line/test_health.py::test_a_token_that_is_refused_says_where_another_comes_from",
    ),
    "D7": ("e2e/test_webhook.py::test_the_receiver_answers_what_line_and_a_browser_expect",),
    "D9": ("line/test_line_cases.py::test_the_events_of_a_verification_are_taken_and_never_answered",),
    "D10": ("line/test_line_cases.py::test_the_events_of_a_verification_are_taken_and_never_answered",),
    "D11": (
        "line/test_channel.py::test_errors_are_logged_with_the_request_id_and_without_tokens_or_words",
        "test_settings.py::test_secrets_are_not_in_the_settings_text",
        "e2e/test_secrets.py::test_where_nobody_says_a_secret_it_is_nowhere_whatever_goes_wrong",
    ),
    # ── E: what comes in
    "E1": (
        "line/test_samples_answered.py::test_a_sample_is_answered_as_a_person_may_expect",
        "line/test_webhook.py::test_a_kind_of_message_that_is_not_known_yet_gets_an_answer_if_it_can",
    ),
    "E3": (
        "e2e/test_media.py::test_voice_is_heard_said_back_and_done",
        "e2e/test_media.py::test_files_films_and_places_are_kept_by_name",
    ),
    "E4": (
        "line/test_content.py::test_what_is_being_prepared_is_waited_for_a_little_longer_each_time",
        "line/test_content.py::test_what_is_never_ready_is_given_up",
        "test_fetching.py::test_nothing_is_nothing",
    ),
    "E10": (
        "line/test_webhook.py::test_while_somebody_else_holds_the_chat_nothing_is_answered",
        "line/test_samples_answered.py::test_a_sample_is_answered_as_a_person_may_expect",
    ),
    # ── F: groups
    "F1": (
        "test_groups.py::test_it_is_spoken_to_when_it_is_mentioned_quoted_called_or_tapped",
        "line/test_webhook.py::test_that_everybody_is_mentioned_is_no_mention_of_the_bot",
    ),
    "F2": (
        "test_groups.py::test_quoting_the_bot_is_speaking_to_it",
        "test_delivery.py::test_what_was_said_is_found_by_the_id_that_the_network_gave_it",
    ),
    "F3": ("line/test_line_cases.py::test_in_a_group_a_model_is_asked_only_when_the_bot_was_called",),
    "F4": ("test_groups.py::test_it_is_spoken_to_when_it_is_mentioned_quoted_called_or_tapped",),
    "F5": (
        "line/test_channel.py::test_the_loading_animation_is_asked_for_people_only",
        "e2e/test_groups.py::test_a_household_shares_a_list_in_its_group",
    ),
    "F6": (
        "test_groups.py::test_without_the_owners_word_it_tells_once_a_day_and_keeps_nothing",
        "e2e/test_groups.py::test_after_a_kill_the_group_is_still_enabled_and_every_member_still_known",
    ),
    "F7": (
        "line/test_people.py::test_people_and_groups_have_names_where_line_tells_them",
        "line/test_people.py::test_without_a_network_nobody_has_a_name_and_nothing_breaks",
        "line/test_channel.py::test_the_language_is_the_profiles_or_unknown",
    ),
    "F9": (
        "line/test_webhook.py::test_the_mention_of_the_bot_is_cut_out_in_utf16_units",
        "line/test_line_cases.py::test_in_a_group_a_model_is_asked_only_when_the_bot_was_called",
    ),
    # ── G: what goes out
    "G4": (
        "line/test_bubbles.py::test_a_button_without_a_label_is_left_out",
        "line/test_bubbles.py::test_what_does_not_fit_into_a_template_is_said_in_words",
        "line/test_channel.py::test_a_reply_refused_for_its_form_goes_out_once_more_without_buttons",
    ),
    "G5": (
        "line/test_bubbles.py::test_a_button_whose_data_line_would_refuse_is_left_out_alone_and_told_to_the_operator",
        "line/test_cards.py::test_an_address_is_encoded_or_its_button_left_out",
    ),
    "G6": ("line/test_bubbles.py::test_every_button_is_within_lines_limits",),
    "G7": ("line/test_cards.py::test_labels_are_cut_by_where_they_stand",),
    "G8": (
        "line/test_bubbles.py::test_every_button_is_within_lines_limits",
        "line/test_bubbles.py::test_the_last_buttons_stand_under_the_last_message_only",
    ),
    "G11": (
        "line/test_bubbles.py::test_lengths_are_counted_in_utf16_units",
        "line/test_bubbles.py::test_a_long_label_is_cut_on_a_sign_and_said_in_full",
    ),
    "G12": (
        "line/test_line_cases.py::test_half_a_sign_from_a_model_costs_nothing_but_itself",
        "test_tool_loop.py::test_halves_of_surrogate_pairs_are_replaced_at_every_entry",
    ),
    "G13": (
        "line/test_cards.py::test_a_picture_stands_at_the_head_if_it_can_be_fetched",
        "test_attachments.py::test_without_https_a_picture_is_a_link_and_without_an_address_it_is_said",
    ),
    "G14": ("line/test_cards.py::test_every_fault_is_found_before_line_finds_it",),
    "G15": (
        "line/test_cards.py::test_line_takes_it_by_its_own_description_and_by_the_strict_platform",
        "line/test_line_cases.py::test_a_card_on_the_wire_holds_nothing_that_is_null_or_blank",
    ),
    "G16": (
        "test_toolbox.py::test_the_tools_are_what_was_agreed",
        "line/test_cards.py::test_no_card_at_all_is_sent_that_line_would_refuse",
    ),
    "G17": ("line/test_line_cases.py::test_a_card_on_the_wire_holds_nothing_that_is_null_or_blank",),
    "G20": (
        "test_attachments.py::test_without_https_a_picture_is_a_link_and_without_an_address_it_is_said",
        "test_web_media.py::test_a_picture_comes_as_it_was_sent_and_small_without_what_was_hidden_in_it",
    ),
    "G21": ("line/test_cards.py::test_only_the_card_that_would_be_refused_is_said_in_words",),
    # ── H: the SDK for Python
    "H1": (
        "line/test_channel.py::test_importing_the_adapter_does_not_import_the_sdk",
        "test_web.py::test_every_event_that_line_signed_is_stored_before_the_200",
    ),
    "H2": (
        "test_house.py::test_nothing_happens_at_import",
        "line/test_channel.py::test_calls_before_the_start_wait_for_it",
    ),
    "H4": ("line/test_channel.py::test_without_a_host_of_its_own_lines_host_is_called",),
    "H5": ("line/test_line_cases.py::test_it_is_installed_only_where_the_sdk_does_not_warn",),
    "H6": (
        "line/test_webhook.py::test_one_odd_event_never_costs_the_others",
        "line/test_webhook.py::test_a_message_without_mode_is_answered",
        "line/test_webhook.py::test_an_event_without_a_usable_id_is_keyed_by_what_it_says",
    ),
    "H7": (
        "line/test_channel.py::test_every_call_is_what_lines_own_description_and_models_allow",
        "line/test_line_cases.py::test_a_card_on_the_wire_holds_nothing_that_is_null_or_blank",
    ),
    "H8": ("line/test_channel.py::test_what_line_took_is_sent_however_odd_its_answer",),
    # ── I: where it runs
    "I1": (
        "line/test_line_cases.py::test_the_port_opens_before_anything_heavy_is_imported",
        "contract/test_inbox.py::test_a_redelivery_renews_the_token_of_an_unanswered_message",
    ),
}
"""Each row, and the tests under ``tests/`` that show it."""


# ── the bot ───────────────────────────────────────────────────────────────────────────────────────────────────────

Live = Callable[..., AbstractAsyncContextManager[World]]


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, blank: Path) -> Live:
    """A world with Anna, who owns the bot, and with these settings."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    store = Path(shutil.copy(blank, tmp_path / "bot.db"))
    return lambda **more: world(store, groups=[FAMILY], secretary_owners=OWNER, **more)


@pytest.fixture
async def endpoint() -> AsyncIterator[OpenAI]:
    async with openai.serving() as served:
        yield served
        served.check()


def with_model(endpoint: OpenAI) -> dict[str, str]:
    return {"openai_base_url": endpoint.url, "openai_api_key": openai.KEY, "openai_model": openai.MODEL}


# ── A: reply tokens and slow answers ──────────────────────────────────────────────────────────────────────────────


async def test_line_has_its_200_while_the_model_still_thinks(live: Live, endpoint: OpenAI):
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def thinks(_: Any) -> Any:
        asked.set()
        await may_answer.wait()
        return says("陽明山不錯。")

    endpoint.script(thinks)
    async with live(**with_model(endpoint)) as bot:
        await bot.delivers(delivery(words("週末可以去哪裡走走？", ANNA)))
        await asyncio.wait_for(asked.wait(), 15)
        assert await bot.said() == []

        may_answer.set()
        await bot.settled()
        assert [text_of(each) for each in await bot.said()] == ["陽明山不錯。"]


async def test_what_a_dead_token_could_not_carry_comes_with_the_next_one(live: Live):
    async with live() as bot:
        bot.spent.add("token-of-01JLATE")  # the platform knows of no such token any more
        await bot.happens(delivery(words("午餐 120", ANNA, "01JLATE")))
        assert await bot.said() == []

        await bot.happens(delivery(words("捷運 30", ANNA, "01JNEXT")))
        (told,) = {"\n".join(map(text_of, await bot.said()))}
        assert told.index("午餐 120") < told.index("捷運 30")
        assert all(each["path"].endswith("/reply") for each in await bot.asked())
        assert len(bot.rows("record", "content")) == 2


# ── D: signature and endpoint ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("escaped", [True, False])
async def test_emoji_are_verified_and_read_however_they_are_written(live: Live, *, escaped: bool):
    body = {"events": [words("買蛋糕 😭🎂👨‍👩‍👧", ANNA)], "destination": "U0"}
    async with live() as bot:
        await bot.happens(json.dumps(body, ensure_ascii=escaped, indent=1).replace("/", "\\/").encode())

        assert bot.rows("record", "content") == [("買蛋糕 😭🎂👨‍👩‍👧",)]
        assert "😭🎂👨‍👩‍👧" in text_of((await bot.said())[0])


@pytest.mark.parametrize("more", [{}, {"destination": "U0"}])
async def test_the_events_of_a_verification_are_taken_and_never_answered(live: Live, more: dict[str, str]):
    nobody = {"type": "user", "userId": "Udeadbeefdeadbeefdeadbeefdeadbeef"}
    zeros = {**words("Hello, world", ANNA, "01JZEROS"), "replyToken": "0" * 32}
    effs = {**words("Hello, world", nobody, "01JEFFS"), "replyToken": "f" * 32}
    async with live() as bot:
        await bot.happens(json.dumps({"events": [zeros, effs], **more}).encode())
        assert await bot.asked() == []

        await bot.happens(json.dumps({"events": [words("午餐 120", ANNA)], **more}).encode())
        assert len(await bot.said()) == 1


# ── F: groups ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_in_a_group_a_model_is_asked_only_when_the_bot_was_called(live: Live, endpoint: OpenAI):
    family = {"type": "group", "groupId": FAMILY, "userId": OWNER}
    called = {"mention": {"mentionees": [{"index": 0, "length": 3, "type": "user", "isSelf": True}]}}
    endpoint.script(says("陽明山不錯。"))
    async with live(**with_model(endpoint)) as bot:
        await bot.happens(delivery(words("@秘書 啟用", family, "01J1", **called)))
        await bot.happens(delivery(words("我們週末去哪裡？", family, "01J2")))
        await bot.happens(delivery(words("@秘書 週末可以去哪裡走走？", family, "01J3", **called)))
        await bot.happens(delivery(words("@秘書 成員", family, "01J4", **called)))

        told = [text_of(each) for each in await bot.said()]
    assert told[0].startswith(household_words("zh-TW").enabled)
    assert "陽明山不錯。" in told
    assert [each for each in told[2:] if "・" in each]  # the word behind the mention was a command
    (asked,) = endpoint.requests
    assert asked["messages"][-1]["content"].split("\n")[1:] == ["週末可以去哪裡走走？"]
    assert "我們週末" not in json.dumps(asked, ensure_ascii=False)


# ── G: what goes out ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_half_a_sign_from_a_model_costs_nothing_but_itself(live: Live, endpoint: OpenAI):
    endpoint.script(openai.raw(json.dumps(openai.body({"content": "陽明山不錯\ud83d。"})).encode()))
    async with live(**with_model(endpoint)) as bot:
        await bot.happens(delivery(words("週末可以去哪裡走走？", ANNA)))

        (told,) = await bot.said()
    assert "陽明山不錯" in told["text"]
    assert told["text"].encode()


async def test_a_card_on_the_wire_holds_nothing_that_is_null_or_blank(live: Live):
    async with live() as bot:
        await bot.happens(delivery(words("午餐 120\n捷運 30\n咖啡 65", ANNA)))

        (call,) = await bot.asked()
    assert call["status"] == 200
    assert [each["contents"]["type"] for each in call["body"]["messages"] if each["type"] == "flex"] == ["bubble"]
    assert [each for each in _values(call["body"]) if each is None or each in ("", [], {})] == []


def _values(tree: Any) -> Iterator[Any]:
    yield tree
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    for each in inner:
        yield from _values(each)


# ── H, I: the SDK, and where it runs ──────────────────────────────────────────────────────────────────────────────


def test_it_is_installed_only_where_the_sdk_does_not_warn():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert (3, 11) <= sys.version_info < (3, 14)


def test_the_port_opens_before_anything_heavy_is_imported():
    heavy = ("linebot", "aiohttp", "openai", "PIL", "psycopg", "procrastinate")
    code = f"import sys, bot.serve; print([each for each in {heavy} if each in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ── the list ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("row", SHOWN_BY)
def test_every_test_that_is_named_exists(row: str):
    assert_they_exist(SHOWN_BY[row])


def test_every_row_of_the_list_is_shown(shared: Path, record_property: Callable[[str, object], None]):
    assert_all_are_shown(shared / "cases" / "line.md", r"[A-I]\d+", SHOWN_BY, record_property)

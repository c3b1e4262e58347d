"""Who else may use the secretary: invited, welcomed, shown by name, removed."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.gate import KNOCK_LASTS, Gate, invitation_in
from bot.invitations import link_to_chat, new_code
from bot.ports import ChatId, LaneId
from bot.voice.household_commands import household_command_of
from bot.voice.household_words import household_words
from bot.voice.invitation_words import invitation_words
from tests.fakes import ANNA, BEN, CountingMirror, ScriptedCompany, ScriptedModel, says
from tests.talk import ZH, Talk
from tools.record import MirrorState, PersonId

WORDS = invitation_words("zh-TW")
MEI = ChatId("U" + "c" * 32)
CODE = "ABCD-EFGH-JKMN"


def a_house(database, model=None, **parts) -> Talk:
    """Only Anna is welcome, but for whom she invites."""
    talk = Talk(database, model, company=ScriptedCompany(people={BEN: "小本", MEI: "小美"}), **parts)
    gate = Gate(everyone=False, welcome=[PersonId(ANNA)], members=talk.members, groups=talk.circles)
    talk.gated_by(gate)
    return talk


def code_of(text: str) -> str:
    found = re.search(r"[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$|[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}(?=\n)", text)
    assert found, text
    return found[0]


async def invited(talk: Talk, words: str = "邀請") -> str:
    (text,) = await talk.says(words)
    return code_of(text)


# ── inviting ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_an_invitation_is_one_message_that_opens_the_chat_and_says_who_sees_what(database):
    talk = a_house(database)

    (text,) = await talk.says("邀請 小美")

    code = code_of(text)
    assert f"\nhttps://line.me/R/oaMessage/%40abc1234d/?{code}\n" in text
    assert "只有你自己在聊天裡看得到" in text
    stored = await database.read(lambda c: str(c.exec_driver_sql("SELECT * FROM invitation").all()))
    assert code not in stored


async def test_whoever_sends_the_code_is_a_member_from_then_on(database):
    with ScriptedModel(says("早。")) as model:
        talk = a_house(database, model)
        code = await invited(talk)

        assert await talk.says(code, by=BEN) == [WORDS.welcome]
        assert await talk.says("今天好冷", by=BEN) == ["早。"]

    person = await talk.people.find(PersonId(BEN))
    assert person is not None
    assert person.role == "member"
    assert "create_record" in model.requests[0].tools
    assert (await talk.says("成員"))[0] == WORDS.members("・小本")


async def test_a_guest_only_looks(database):
    with ScriptedModel(says("我只能查。")) as model:
        talk = a_house(database, model)
        code = await invited(talk, "邀請訪客")

        assert await talk.says(code, by=BEN) == [WORDS.welcome_guest]
        await talk.says("午餐 120", by=BEN)

    assert model.requests[0].tools == ["query_records"]
    assert await talk.says("成員") == [WORDS.members("・小本（訪客）")]


async def test_a_code_is_for_one_person_and_one_day(database):
    talk = a_house(database)
    code = await invited(talk)
    assert await talk.says(code, by=BEN) == [WORDS.welcome]
    assert await talk.says(code, by=BEN) == [WORDS.already_in]

    assert await talk.says(code, by=MEI) == [WORDS.stale]
    assert await talk.says(code, by=MEI) == [], "a stranger is told once a day"

    late = await invited(talk)
    talk.clock.move(days=1)
    assert await talk.says(late, by=MEI) == [WORDS.stale]
    kept = await database.read(lambda c: str(c.exec_driver_sql("SELECT message FROM inbox").all()))
    assert late not in kept


async def test_what_is_no_code_gets_the_strangers_sentence_and_too_many_wrong_ones_void_it(database):
    talk = a_house(database)
    code = await invited(talk)
    assert await talk.says("ZZZZ-ZZZZ-ZZZZ", by=MEI) == [ZH.stranger]
    for _ in range(20):
        await talk.hears("ZZZZ-ZZZZ-ZZZY", by=MEI)

    assert await talk.says(code, by=BEN) == [WORDS.stale]
    assert await talk.says(await invited(talk), by=BEN) == [WORDS.welcome], "the next one is another"


async def test_an_invitation_that_was_interrupted_has_one_code_in_the_end(database):
    talk = a_house(database)
    turn = await talk.takes(await talk.hears("邀請"))
    await talk.members.invite(turn.id, "member", CODE, talk.clock.now + timedelta(days=1))

    await talk.use_case.run(replace(turn, resumed=True))

    assert await talk.says(CODE, by=MEI) == [ZH.stranger]
    assert await talk.says(code_of(talk.channel.sent[0][1][0].text), by=BEN) == [WORDS.welcome]


async def test_a_coming_in_that_was_interrupted_is_answered_as_one(database):
    talk = a_house(database)
    code = await invited(talk)
    await talk.hears(code, by=BEN)
    turn = await talk.takes(LaneId(BEN))
    await talk.gate.joins(PersonId(BEN), code, "小本")

    await talk.use_case.run(replace(turn, resumed=True))

    assert [each.text for each in talk.last] == [WORDS.already_in]


async def test_where_line_does_not_say_who_the_bot_is_the_code_alone_is_told(database):
    talk = a_house(database)
    talk.company.account = None

    (text,) = await talk.says("招待")
    assert "line.me" not in text
    assert await talk.says(code_of(text), by=BEN) == [WORDS.welcome]


async def test_only_the_owner_invites_and_lists(database):
    talk = a_house(database)
    await talk.says(await invited(talk), by=BEN)

    for words in ("邀請", "invite guest", "成員", "移除"):
        assert await talk.says(words, by=BEN) in ([WORDS.only_owner], [invitation_words("en").only_owner])


@pytest.mark.parametrize("kind", ["text", "follow", "postback", "image"])
async def test_of_a_stranger_nothing_is_kept_but_that_they_were_told(database, kind):
    talk = a_house(database)
    assert await talk.says("小本的秘密", by=BEN, kind=kind, data="remove:1") == [ZH.stranger]

    for table in ("inbox", "member", "person", "record", "transcript"):
        kept = await database.read(lambda c, of=table: str(c.exec_driver_sql(f"SELECT * FROM {of}").all()))
        assert "秘密" not in kept


# ── removing ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_who_is_removed_is_a_stranger_at_once_in_every_process_and_their_records_stay_theirs(database):
    talk = a_house(database)
    other = Gate(everyone=False, welcome=[PersonId(ANNA)], members=talk.members)
    await talk.says(await invited(talk), by=BEN)
    assert await other.welcomes(PersonId(BEN))

    assert await talk.says("移除 小本") == [WORDS.remove_ask("小本")]
    assert await other.welcomes(PersonId(BEN))
    assert await talk.taps_on("移除") == [WORDS.removed("小本")]
    assert await talk.taps_on("移除") == [ZH.already_handled]

    assert not await other.welcomes(PersonId(BEN))
    talk.clock.move(seconds=KNOCK_LASTS.total_seconds())
    kept = await talk.gate.admit((await talk.takes(await talk.hears("還在嗎", by=BEN))).last)
    assert kept.text == ""
    assert await talk.says("成員") == [WORDS.nobody_yet]


async def test_nobody_is_removed_who_is_kept(database):
    talk = a_house(database)
    await talk.says(await invited(talk), by=BEN)
    await talk.says("成員")

    assert await talk.taps_on(WORDS.remove_one("小本")) == [WORDS.remove_ask("小本")]
    assert await talk.taps_on(ZH.keep) == [ZH.kept]
    assert await talk.gate.welcomes(PersonId(BEN))


async def test_only_the_owners_tap_removes(database):
    talk = a_house(database)
    await talk.says(await invited(talk), by=BEN)
    await talk.says("移除 小本")

    assert await talk.taps_on("移除", by=BEN) == [WORDS.only_owner]
    assert await talk.gate.welcomes(PersonId(BEN))


async def test_to_remove_what_is_no_member_is_for_the_secretary(database):
    with ScriptedModel(says("哪一筆？")) as model:
        assert await a_house(database, model).says("移除 牛奶") == ["哪一筆？"]


async def test_of_two_of_one_name_the_owner_chooses(database):
    talk = a_house(database)
    talk.company.people[MEI] = "小本"
    for who in (BEN, MEI):
        await talk.says(await invited(talk), by=who)

    assert await talk.says("移除 小本") == [WORDS.members("・小本\n・小本")]


async def test_who_was_removed_can_be_invited_again(database):
    talk = a_house(database)
    await talk.says(await invited(talk), by=BEN)
    await talk.says("移除 小本")
    await talk.taps_on("移除")

    assert await talk.says(await invited(talk, "邀請訪客"), by=BEN) == [WORDS.welcome_guest]
    assert await talk.members.role_of(PersonId(BEN)) == "guest"


async def test_the_code_they_came_by_does_not_let_who_was_removed_in_again(database):
    talk = a_house(database)
    code = await invited(talk)
    await talk.says(code, by=BEN)
    await talk.says("移除 小本")
    await talk.taps_on("移除")
    talk.clock.move(seconds=KNOCK_LASTS.total_seconds() + 1)

    assert await talk.says(code, by=BEN) == [WORDS.stale]
    assert not await talk.gate.welcomes(PersonId(BEN))


async def test_what_is_said_long_after_a_code_by_who_was_removed_is_not_kept(database):
    talk = a_house(database)
    code = await invited(talk)
    await talk.says(code, by=BEN)
    (member,) = await talk.members.everyone()
    await talk.members.remove(member.key)
    talk.clock.move(seconds=KNOCK_LASTS.total_seconds() + 1)

    await talk.hears("秘密", by=BEN)
    assert (await talk.takes(LaneId(BEN))).last.text == ""


# ── the owner's Notion ────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_members_records_are_in_the_owners_notion_only_while_they_say_so(database):
    talk = a_house(database, mirror=CountingMirror(MirrorState(0)))
    await talk.says(await invited(talk), by=BEN)
    assert await talk.members.in_the_mirror(still=True) == {}

    assert await talk.says("我的記錄也放進 Notion", by=BEN) == [WORDS.mirrored]
    assert await talk.members.in_the_mirror(still=True) == {BEN: "小本"}
    assert await talk.says("我的記錄不要放 Notion", by=BEN) == [WORDS.not_mirrored]
    assert await talk.members.in_the_mirror(still=True) == {}
    assert await talk.members.in_the_mirror(still=False) == {BEN: "小本"}
    assert await talk.says("我的記錄也放進 Notion") == [WORDS.owner_is_mirrored]


async def test_who_is_removed_is_in_the_owners_notion_no_more(database):
    talk = a_house(database, mirror=CountingMirror(MirrorState(0)))
    await talk.says(await invited(talk), by=BEN)
    await talk.says("我的記錄也放進 Notion", by=BEN)
    await talk.says("移除 小本")
    await talk.taps_on("移除")

    assert await talk.members.in_the_mirror(still=True) == {}
    assert await talk.members.in_the_mirror(still=False) == {BEN: "小本"}


async def test_without_a_notion_that_is_said(database):
    talk = a_house(database)
    await talk.says(await invited(talk), by=BEN)
    assert await talk.says("我的記錄也放進 Notion", by=BEN) == [WORDS.no_mirror]


# ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("邀請", ("invite", "")),
        (" INVITE! ", ("invite", "")),
        ("/invite", ("invite", "")),
        ("招待", ("invite", "")),
        ("เชิญ", ("invite", "")),
        ("邀請 小美", ("invite", "小美")),
        ("ＩＮＶＩＴＥ　ｇｕｅｓｔ", ("invite_guest", "")),
        ("小美を外す", ("remove", "小美")),
        ("移除 @小美", ("remove", "小美")),
        ("หารกัน", ("settle", "")),
        ("精算。", ("settle", "")),
        ("有効", ("enable", "")),
        ("invite Bob to dinner tomorrow", None),
        ("邀請大家吃飯", None),
        ("離開公司前買牛奶", None),
        ("", None),
    ],
)
def test_a_command_is_the_whole_message_or_none(said, meant):
    assert household_command_of(said) == meant


@pytest.mark.parametrize("readme", ["README.md", "README.zh-TW.md"])
def test_what_the_readme_tells_to_say_is_understood(readme):
    text = (Path(__file__).resolve().parent.parent / readme).read_text(encoding="utf-8")
    table = text.partition("<!-- household")[2].partition("\n\n")[0]
    said = re.findall(r"`([^`]+)`", table)

    assert len(said) == 15
    assert [each for each in said if household_command_of(each) is None] == []


def test_codes_are_long_and_read_however_they_are_typed():
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    for code in codes:
        assert invitation_in(f" {code.lower()}\n") == code
    assert invitation_in("ＡＢＣＤ-ＥＦＧＨ-ＪＫＭＮ") == CODE
    assert [invitation_in(each) for each in ("ABCD-EFGH", "ABCD-EFGH-JKM0", "x ABCD-EFGH-JKMN", "12345678")] == [
        None
    ] * 4


def test_a_link_is_percent_encoded():
    documented = "https://line.me/R/oaMessage/%40linedevelopers/?%E3%81%93%E3%82%93%E3%81%AB%E3%81%A1%E3%81%AF"
    assert link_to_chat("@linedevelopers", "こんにちは") == documented
    assert link_to_chat("@a/b", "碼 1") == "https://line.me/R/oaMessage/%40a%2Fb/?%E7%A2%BC%201"


def test_every_language_has_every_sentence_and_short_labels():
    for words in (invitation_words, household_words):
        all_of = [words(language) for language in ("zh-TW", "ja", "th", "en")]
        for name in all_of[0].__dataclass_fields__:
            assert all(getattr(each, name) for each in all_of)
    for language in ("zh-TW", "ja", "th", "en"):
        labels = [
            invitation_words(language).remove,
            household_words(language).enable,
            household_words(language).all_paid,
        ]
        assert all(len(label) <= 20 for label in labels)
        assert invitation_words(language).invitation("LINK", CODE).count("LINK") == 1

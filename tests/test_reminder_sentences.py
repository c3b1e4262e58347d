"""How people ask to be reminded, again and again, before something, or by their own day: read without a model, and
taken by the tools as it was meant. What is not understood is left alone; what is understood wrongly fails."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.engines.offline.plan import Person
from bot.engines.offline.understanding import Listener
from bot.thinking.prompt import Stamp
from tests.fakes import ANNA
from tools.arguments import Reader
from tools.definition import Caller, ToolError
from tools.record import PersonId

ZONES = {"zh-TW": "Asia/Taipei", "ja": "Asia/Tokyo", "th": "Asia/Bangkok", "en": "America/New_York"}

RULES = {
    "zh-TW": """
        每天早上八點 | FREQ=DAILY | 08:00
        每週一三早上八點 | FREQ=WEEKLY;BYDAY=MO,WE | 08:00
        每週五下午三點 | FREQ=WEEKLY;BYDAY=FR | 15:00
        每月25日 | FREQ=MONTHLY;BYMONTHDAY=25 | -
        每個月最後一個週五 | FREQ=MONTHLY;BYDAY=-1FR | -
        每年12月25日 | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25 | -
        每兩週的週三晚上七點 | FREQ=WEEKLY;INTERVAL=2;BYDAY=WE | 19:00
        平日早上七點 | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | 07:00
        每週二 | FREQ=WEEKLY;BYDAY=TU | -
        每天晚上九點半 | FREQ=DAILY | 21:30""",
    "ja": """
        毎日8時に | FREQ=DAILY | 08:00
        毎朝7時に | FREQ=DAILY | 07:00
        毎週月曜の9時に | FREQ=WEEKLY;BYDAY=MO | 09:00
        毎週月曜と水曜の18時に | FREQ=WEEKLY;BYDAY=MO,WE | 18:00
        毎月25日に | FREQ=MONTHLY;BYMONTHDAY=25 | -
        毎月最終金曜日に | FREQ=MONTHLY;BYDAY=-1FR | -
        毎年12月25日に | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25 | -
        平日の7時に | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | 07:00
        毎週火曜日に | FREQ=WEEKLY;BYDAY=TU | -
        毎日21時半に | FREQ=DAILY | 21:30""",
    "th": """
        ทุกวัน 8 โมงเช้า | FREQ=DAILY | 08:00
        ทุกวันศุกร์ 18:00 | FREQ=WEEKLY;BYDAY=FR | 18:00
        ทุกวันจันทร์ 9 โมงเช้า | FREQ=WEEKLY;BYDAY=MO | 09:00
        ทุกวันที่ 25 | FREQ=MONTHLY;BYMONTHDAY=25 | -
        ทุกปี 25 ธันวาคม | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25 | -
        ทุกวันอังคาร | FREQ=WEEKLY;BYDAY=TU | -
        ทุกวันจันทร์และวันพุธ 18:00 | FREQ=WEEKLY;BYDAY=MO,WE | 18:00
        ทุกวันพฤหัสบดี 19:00 | FREQ=WEEKLY;BYDAY=TH | 19:00
        ทุกวันเสาร์ 10:00 | FREQ=WEEKLY;BYDAY=SA | 10:00
        ทุกวัน 21:30 | FREQ=DAILY | 21:30""",
    "en": """
        every day at 8am | FREQ=DAILY | 08:00
        every Monday and Wednesday at 8am | FREQ=WEEKLY;BYDAY=MO,WE | 08:00
        every Friday at 3pm | FREQ=WEEKLY;BYDAY=FR | 15:00
        every month on the 25th | FREQ=MONTHLY;BYMONTHDAY=25 | -
        every other Wednesday at 7pm | FREQ=WEEKLY;INTERVAL=2;BYDAY=WE | 19:00
        every weekday at 7am | FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR | 07:00
        every Tuesday | FREQ=WEEKLY;BYDAY=TU | -
        every year on December 25 | FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25 | -
        every day at 9:30pm | FREQ=DAILY | 21:30
        every Friday at 3pm until Dec 31 | FREQ=WEEKLY;BYDAY=FR;UNTIL=20261231 | 15:00""",
}
"""Words, the rule, and the hour on the wall; without one it rings at nine."""

FRAMES = {
    "zh-TW": ("{}提醒我吃藥 | 吃藥 | rings", "提醒我{}倒垃圾 | 倒垃圾 | rings", "{}開會 | 開會 | silent"),
    "ja": (
        "{}薬を飲むのをリマインドして | 薬を飲む | rings",
        "{}会議 | 会議 | silent",
        "{}家賃を払う | 家賃を払う | silent",
    ),
    "th": ("เตือนกินยา{} | กินยา | rings", "{} เตือนกินยา | กินยา | rings", "{} ประชุม | ประชุม | silent"),
    "en": (
        "remind me {} to take my pills | take my pills | rings",
        "remind me to take out the trash {} | take out the trash | rings",
        "{} team meeting | team meeting | silent",
    ),
}

BEFORE = {
    "zh-TW": """
        明天三點開會，提前半小時提醒我 | 開會 | 12/01 14:30
        明天三點開會，半小時前提醒我 | 開會 | 12/01 14:30
        後天下午兩點回診，前一天晚上提醒我 | 回診 | 12/01 20:00
        後天下午兩點回診，提前一天提醒我 | 回診 | 12/01 14:00
        明天下午五點接小孩，提早十五分鐘提醒我 | 接小孩 | 12/01 16:45
        明天三點開會，兩點提醒我 | 開會 | 12/01 14:00
        明天三點開會，準時提醒我 | 開會 | 12/01 15:00
        二十分鐘後提醒我關火 | 關火 | 11/30 12:20
        睡前提醒我吃藥 | 吃藥 | 11/30 22:30
        提醒我睡前刷牙 | 刷牙 | 11/30 22:30
        明天睡前提醒我吃藥 | 吃藥 | 12/01 22:30
        提醒我明天早上九點打電話 | 打電話 | 12/01 09:00
        半小時後叫我起床 | 起床 | 11/30 12:30
        後天早上提醒我倒垃圾 | 倒垃圾 | 12/02 09:00""",
    "ja": """
        明日15時に会議、30分前にリマインドして | 会議 | 12/01 14:30
        明後日14時に歯医者、前日の夜にリマインドして | 歯医者 | 12/01 20:00
        明日15時に会議、1時間前にお知らせして | 会議 | 12/01 14:00
        20分後に火を消すのをリマインドして | 火を消す | 11/30 12:20
        寝る前に薬をリマインドして | 薬 | 11/30 22:30
        明日9時に電話をリマインドして | 電話 | 12/01 09:00
        10分後に電話をリマインドして | 電話 | 11/30 12:10""",
    "th": """
        พรุ่งนี้บ่าย 3 ประชุม, เตือนก่อน 30 นาที | ประชุม | 12/01 14:30
        พรุ่งนี้บ่าย 3 ประชุม, เตือนก่อน 1 ชั่วโมง | ประชุม | 12/01 14:00
        เตือนกินยาก่อนนอน | กินยา | 11/30 22:30
        เตือนฉันกินยาก่อนนอน | กินยา | 11/30 22:30
        เตือนปิดเตาอีก 20 นาที | ปิดเตา | 11/30 12:20
        เตือนโทรหาแม่พรุ่งนี้ 9 โมงเช้า | โทรหาแม่ | 12/01 09:00""",
    "en": """
        meeting tomorrow at 3pm, remind me 30 minutes before | meeting | 12/01 14:30
        meeting tomorrow at 3pm, remind me half an hour before | meeting | 12/01 14:30
        dentist on Wednesday at 2pm, remind me the evening before | dentist | 12/01 20:00
        dentist on Wednesday at 2pm, remind me 1 day before | dentist | 12/01 14:00
        remind me to take pills before bed | take pills | 11/30 22:30
        remind me in 20 minutes to turn off the stove | turn off the stove | 11/30 12:20
        remind me to call mum tomorrow at 9am | call mum | 12/01 09:00
        remind me in half an hour to wake up | wake up | 11/30 12:30""",
}
"""Words, the thing, and when it rings; it is Monday noon, 30 November."""


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def cases() -> list[tuple[str, str, str, str, str]]:
    """Language, sentence, content, rule, and the ring: an hour, a moment, "" for none."""
    found = []
    for language, rules in RULES.items():
        for words, rule, hour in rows(rules):
            for frame, content, rings in (each.split(" | ") for each in FRAMES[language]):
                ring = "" if rings == "silent" else "09:00" if hour == "-" else hour
                found.append((language, frame.format(words), content, rule, ring))
        found += [(language, said, content, "", at) for said, content, at in rows(BEFORE[language])]
    return found


def understood(language: str, sentence: str) -> tuple[str, str, str] | None:
    """Content, rule and ring as the tools take them; None if nothing was understood."""
    zone = ZoneInfo(ZONES[language])
    now = datetime(2026, 11, 30, 12, tzinfo=zone)
    stamp = Stamp(now, zone, language, "USD")
    wishes = Listener(Person(stamp)).plan(sentence).wishes
    if len(wishes) != 1 or wishes[0].tool != "create_record":
        return None
    said = wishes[0].arguments
    caller = Caller(
        person=PersonId(ANNA), role="owner", language=language, home=language, zone=zone, currency="USD", now=now
    )
    times = [said.get(name) for name in ("when", "until", "remind_at", "repeat")]
    try:
        draft = Reader(caller, ()).times(said["type"], *times)
    except ToolError:
        return None
    ring = draft.remind_at
    if draft.repeat and draft.repeat.ring is not None and ring is None:
        ring = datetime.combine(now.date(), datetime.min.time(), zone) + timedelta(minutes=draft.repeat.ring)
    told = "" if ring is None else f"{ring:%H:%M}" if draft.repeat else f"{ring:%m/%d %H:%M}"
    return said["content"], draft.repeat.rule if draft.repeat else "", told


def test_what_is_understood_is_what_was_meant():
    every = cases()
    right, wrong = Counter(), []
    for language, sentence, *meant in every:
        found = understood(language, sentence)
        if found == tuple(meant):
            right[language] += 1
        else:
            wrong.append((sentence, meant, found))
    count = Counter(language for language, *_ in every)
    print({language: f"{right[language]}/{count[language]}" for language in count}, f"{right.total()}/{len(every)}")
    for each in wrong:
        print(*each)
    assert len(every) >= 150
    assert right.total() >= 0.9 * len(every)
    assert [each for each in wrong if each[2] is not None and each[2][1:] != tuple(each[1][1:])] == []


@pytest.mark.parametrize(
    "sentence", ["每天花多少錢？", "今天有什麼事？", "每天都很累", "how much every month?", "毎日疲れた"]
)
def test_what_only_sounds_like_a_rule_makes_no_reminder(sentence):
    found = understood("zh-TW", sentence)
    assert found is None or found[2] == ""

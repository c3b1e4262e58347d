"""Which messages are commands, in four languages, and which only look like one."""

from __future__ import annotations

import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.voice.commands import MOST_COMMANDS, MOST_NUMBERS, Command, command_of, commands_of
from bot.voice.places import currency_named, language_named, place_named, zone_text

SAID = {
    "undo": """undo| Undo!|UNDO|/undo|ｕｎｄｏ|復原|復原。|/復原|还原|元に戻す|元に戻して|もとに戻して|เลิกทำ|เลิกทำล่าสุด
        |元に戻してください|幫我復原|ขอเลิกทำ|undo please|復原一下|เลิกทำหน่อยครับ|／復原""",
    "help": "help|Help?|/help|/start|說明|怎麼用？|怎么用|使い方|ヘルプ|ﾍﾙﾌﾟ|วิธีใช้|ทำอะไรได้บ้าง|點用",
    "today": """today|/today|今天|今日|/今天|今天有什麼事？|今日の予定は？|วันนี้|วันนี้มีอะไรบ้าง|今日有咩事
        |What's on today?|What’s on today""",
    "list": "list|/list|清單|清单|待辦|リスト|一覧|やること|รายการ|list please|todo|仲有咩未做|รายการหน่อย",
    "language": "language|/language|語言|语言|言語|ภาษา",
    "zone": "zone|/zone|/tz|時區|时区|タイムゾーン|เขตเวลา|time zone",
    "currency": "currency|/currency|幣別|货币|通貨|สกุลเงิน",
    "quota": "quota|/quota|額度|额度|使用量|โควตา",
    "export": "export|/export|匯出|导出我的数据|エクスポートして|エクスポートしてください|ส่งออก|幫我匯出",
    "forget": "forget me|/forget|忘記我|忘记我|私を忘れて|ลืมฉัน|/ลืม",
    "me": "me|/me|/whoami|我的資料|/我|私の設定|ข้อมูลของฉัน|who am i?",
    "thanks": "thanks|Thank you!!|thx|謝謝|謝謝😊|谢谢你～|唔該|ありがとうございます。|ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ",
    "hello": "hi|Hello!|你好|您好|嗨|こんにちは|สวัสดี|สวัสดีครับ|哈囉",
    "morning": "早安|good morning|おはよう☀️|おはようございます|อรุณสวัสดิ์|早晨|早",
    "night": "晚安|good night|おやすみなさい|ฝันดี|再見|bye",
    "yes": "yes|好|好的|OK|はい|ใช่|โอเค|ok👌|好嘅",
    "no": "no|不要|いいえ|ไม่|ไม่ต้อง|唔使",
}
CASES = [
    (name, text) for name, texts in SAID.items() for text in texts.replace("\n        ", "").split("|") if text != "👋 "
]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_a_word_is_understood_as_people_write_it(name, text):
    command = command_of(text)
    assert command is not None
    assert (command.name, command.about, command.refs) == (name, "", ())
    assert command.slashed == text.startswith(("/", "／"))


FINISHED = """完成 12|完成12|/done 12|done 12|done #12|#12 完成|12完了|12は完了|เสร็จ 12|#12 เสร็จแล้ว|/完成 １２
|12 is done|done 12.|finished 12|12 搞掂|完了 12|/เสร็จ 12""".replace("\n", "").split("|")


@pytest.mark.parametrize("text", FINISHED)
def test_a_number_is_finished_in_every_order(text):
    assert command_of(text) == Command("done", refs=(12,), slashed=text.startswith("/"))


def test_several_numbers_are_finished_at_once_and_a_long_row_is_no_command():
    assert command_of("done 12, 13 and 12") == Command("done", refs=(12, 13))
    assert command_of("完成 1、2、3") == Command("done", refs=(1, 2, 3))
    assert command_of("done " + " ".join(map(str, range(MOST_NUMBERS + 1)))) is None


@pytest.mark.parametrize(
    ("text", "name", "about"),
    [
        ("語言 日本語", "language", "日本語"),
        ("/language ja", "language", "ja"),
        ("语言：英文", "language", "英文"),
        ("language auto", "language", "auto"),
        ("ภาษา อังกฤษ", "language", "อังกฤษ"),
        ("言語 English", "language", "english"),
        ("時區 東京", "zone", "東京"),
        ("/zone Asia/Tokyo", "zone", "asia/tokyo"),
        ("Time zone: New York", "zone", "new york"),
        ("タイムゾーン 台北", "zone", "台北"),
        ("เขตเวลา กรุงเทพ", "zone", "กรุงเทพ"),
        ("/zone the moon", "zone", "the moon"),
        ("zone Atlantis", "zone", "atlantis"),
        ("my time zone: Middle Earth", "zone", "middle earth"),
        ("時區 月球", "zone", "月球"),
        ("タイムゾーン アトランティス", "zone", "アトランティス"),
        ("เขตเวลา แอตแลนติส", "zone", "แอตแลนติส"),
        ("幣別 日幣", "currency", "日幣"),
        ("currency EUR", "currency", "eur"),
    ],
)
def test_something_can_be_set_with_the_word_before_it(text, name, about):
    command = command_of(text)
    assert command is not None
    assert (command.name, command.about) == (name, about)


LOOKALIKES = """復原 #12 的時間|undo the dishes|help mom move|請說明會議內容||?|戻してもらう本|買牛奶|不用復原
|復原力|還原度很高|list of groceries: milk|清單：牛奶、蛋|完成報告|done|完成|12|#12|完了報告を送る
|done with 12 people|完成 12 月的報表|12 月完成|language exchange at 7|語言交換 7點
|時區 是什麼|時區 怎麼改|time zone of Japan|time zone meeting
|タイムゾーン は何|เขตเวลา คืออะไร|timezone difference|zone 3 parking
|currency exchange 3000|時區換算表|zone out|export report to boss|匯出報表給老闆|忘記我說的話
|forget me not flowers|me time at 8|me too|謝謝小明請客 300|thank you card 50|早安咖啡 60|早餐 60
|hello kitty 便當盒 200|好吃的店|no parking|yes man movie|/usr/bin|/shrug|／12|今天午餐 120|今天好累
|today lunch 12|quota meeting 3pm|/todayy|/done|今天 謝謝|todo buy milk|清單加牛奶|วันนี้กินข้าว 80
|ขอบคุณพี่นิดเลี้ยงข้าว 100|เสร็จงานแล้ว|リストを作る|今日、牛乳を買う|やることを追加 掃除
|はい、チーズ|午餐 120|120|100,000|完成 #1 和買牛奶|お願いがあるんだけど|無事|算了|取消""".replace("\n", "").split("|")


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_only_begins_like_a_command_is_none(text):
    if text == "/done":
        assert command_of(text) == Command("done", slashed=True), "the slash says that it is one"
        return
    assert command_of(text) is None


PLAINLY = {"bye", "ไม่ต้อง", "你好", "再見", "リマインダーを見せて"}
"""Of other people's sentences, those that are a greeting, a farewell, a no or a command of ours and nothing else."""


def test_of_sixteen_hundred_sentences_of_other_people_only_plain_ones_are_commands(shared: Path):
    sentences = set()
    for file in sorted((shared / "data" / "utterances").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            told = json.loads(line)
            sentences |= {told[key] for key in ("text", "sentence", "question") if isinstance(told.get(key), str)}
    assert len(sentences) > 1_000
    assert {text for text in sentences if commands_of(text)} == PLAINLY


@given(st.text(max_size=40))
def test_nothing_that_can_be_typed_breaks_it(text):
    command = command_of(text)
    assert command is None or command.name in {name for name, _ in CASES} | {"done"}


def test_several_lines_are_commands_if_each_one_is():
    assert [each.name for each in commands_of("今天\n\n謝謝")] == ["today", "thanks"]
    assert commands_of("今天\n午餐 120") == []
    assert commands_of("\n".join(["今天"] * (MOST_COMMANDS + 1))) == []
    assert commands_of("") == []


# ── places, languages, currencies ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "key"),
    [
        *(("東京", "Asia/Tokyo"), ("Tokyo", "Asia/Tokyo"), ("โตเกียว", "Asia/Tokyo"), ("日本", "Asia/Tokyo")),
        *(("台北", "Asia/Taipei"), ("臺灣", "Asia/Taipei"), ("ไต้หวัน", "Asia/Taipei"), ("台湾", "Asia/Taipei")),
        *(("曼谷", "Asia/Bangkok"), ("バンコク", "Asia/Bangkok"), ("กรุงเทพฯ", "Asia/Bangkok")),
        *(
            ("new york", "America/New_York"),
            ("ニューヨーク", "America/New_York"),
            ("纽约", "America/New_York"),
            ("亚特兰蒂斯", None),
        ),
        *(("Europe/Paris", "Europe/Paris"), ("europe/paris", "Europe/Paris"), ("europe paris", "Europe/Paris")),
        *(("UTC+8", "Etc/GMT-8"), ("utc-5", "Etc/GMT+5"), ("GMT", "UTC"), ("utc+0", "UTC"), ("utc-13", None)),
        *(("美國", ""), ("usa", ""), ("アメリカ", ""), ("mars", None), ("../../etc/passwd", None), ("asia", None)),
        *(("posixrules", None), ("localtime", None), ("", None)),
    ],
)
def test_a_place_is_known_by_its_name_in_any_of_the_languages(said, key):
    assert place_named(said) == key
    if key:
        assert ZoneInfo(key).key == key


def test_a_zone_is_told_as_people_count_it():
    assert zone_text(ZoneInfo("Etc/GMT-8")) == "UTC+8"
    assert zone_text(ZoneInfo("Etc/GMT+5")) == "UTC-5"
    assert zone_text(ZoneInfo("Asia/Taipei")) == "Asia/Taipei"
    assert zone_text(ZoneInfo("Etc/GMT")) == "Etc/GMT"


def test_languages_and_currencies_are_known_by_what_people_call_them():
    named = ["日文", "Japanese", "ญี่ปุ่น", "繁體中文", "zh-TW", "ไทย", "英語", "klingon"]
    assert list(map(language_named, named)) == ["ja", "ja", "ja", "zh-TW", "zh-TW", "th", "en", None]
    money = ["日幣", "yen", "EUR", "NT$", "บาท", "美金", "dollars", "XXX", "元"]
    assert list(map(currency_named, money)) == ["JPY", "JPY", "EUR", "TWD", "THB", "USD", None, None, None]

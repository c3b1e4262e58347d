"""The words by which people ask for what needs no model: one short word in any of four languages, or ``/word``.

A message is a command only if the whole of it is one: what is missed is read by whoever answers everything else, what
is taken wrongly does what nobody asked for. Pure. Must not know what a command does, or who says it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.voice.hours import own_hours
from bot.voice.places import AUTOMATIC, currency_named, language_named, place_named
from tools.alphabet import fold, fold_pattern

CommandName = Literal[
    "help", "today", "list", "done", "undo", "redo", "history", "language", "zone", "currency", "quota",
    "export", "forget", "me", "thanks", "hello", "morning", "night", "yes", "no", "reminders", "quiet", "bedtime",
]  # fmt: skip

MOST_NUMBERS = 10
"""Records that one command finishes at most; a longer row of numbers is read as something else."""

MOST_COMMANDS = 12
"""Of one turn."""

ANSWERS: Final[frozenset[CommandName]] = frozenset({"today", "list", "yes", "no"})
"""Words that may also answer a question: right behind one they do."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is asked for. ``about``: the language, place or currency to be set, as it was said; "" to be told. ``refs``:
    the records that it is about. ``slashed``: said as ``/word``, which nothing else is."""

    name: CommandName
    about: str = ""
    refs: tuple[int, ...] = ()
    slashed: bool = False


_WORDS: Final[Mapping[CommandName, tuple[str, ...]]] = {
    "help": (
        *("help", "start", "help me", "what can you do", "how does this work"),
        *("說明", "幫助", "使用說明", "怎麼用", "怎麼使用", "點用", "你會什麼", "你能做什麼", "你會做什麼", "功能"),
        *("说明", "帮助", "使用说明", "怎么用", "你会什么", "你能做什么"),
        *("ヘルプ", "使い方", "つかいかた", "何ができる", "何ができるの", "何ができますか"),
        *("ช่วยเหลือ", "วิธีใช้", "ใช้ยังไง", "ทำอะไรได้บ้าง"),
    ),
    "today": (
        *("today", "agenda", "my day", "today's agenda", "what's on today", "whats on today"),
        *("今天", "今日", "今日行程", "今天行程", "今天的行程", "今天有什麼事", "今天有什么事", "今日有咩事"),
        *("今日の予定", "今日の予定は", "今日は何がある"),
        *("วันนี้", "วันนี้มีอะไรบ้าง", "วันนี้มีอะไร", "ตารางวันนี้"),
    ),
    "list": (
        *("list", "todo", "todos", "to do", "to-do list", "todo list", "my list", "open tasks", "what's left to do"),
        *("清單", "列表", "待辦", "待辦事項", "待辦清單", "還有什麼沒做", "還有什麼要做"),
        *("清单", "待办", "待办事项", "待办清单", "还有什么没做", "仲有咩未做"),
        *("リスト", "一覧", "やること", "やることリスト", "やることは", "タスク一覧", "todoリスト"),
        *("รายการ", "งานค้าง", "สิ่งที่ต้องทำ", "มีงานอะไรค้าง", "เหลืองานอะไร"),
    ),
    "reminders": (
        *("reminders", "my reminders", "list reminders", "show reminders", "what reminders are there"),
        *("有哪些提醒", "提醒", "我的提醒", "提醒清單", "提醒列表", "列出提醒", "還有哪些提醒"),
        *("有什麼提醒", "有咩提醒"),
        *("リマインダー", "リマインダー一覧", "リマインド一覧", "お知らせ一覧", "リマインダーを見せて"),
        *("มีเตือนอะไรบ้าง", "รายการเตือน", "เตือนอะไรไว้บ้าง", "การเตือนทั้งหมด", "ดูการเตือน"),
    ),
    "undo": (
        *("undo", "undo that", "undo it", "undo last", "take that back", "take it back", "revert"),
        *("復原", "復原上一步", "復原上一個", "還原", "撤銷", "撤回", "复原", "还原", "撤销"),
        *("元に戻す", "元に戻して", "もとに戻す", "もとに戻して", "戻して", "アンドゥ"),
        *("เลิกทำ", "เลิกทำล่าสุด", "ย้อนกลับ", "กู้คืน"),
    ),
    "redo": (
        *("redo", "redo that", "undo the undo", "取消復原", "重做", "恢復剛剛的", "取消复原"),
        *("やり直す", "やり直して", "リドゥ", "ยกเลิกการย้อน", "ทำซ้ำการแก้ไข"),
    ),
    "history": ("變更紀錄", "修改紀錄", "変更履歴", "ประวัติการแก้ไข"),
    "language": ("language", "lang", "my language", "語言", "语言", "言語", "ภาษา"),
    "zone": (
        *("zone", "time zone", "timezone", "my time zone", "時區", "时区", "タイムゾーン", "時間帯"),
        *("เขตเวลา", "โซนเวลา", "ไทม์โซน"),
    ),
    "currency": ("currency", "my currency", "幣別", "貨幣", "币别", "货币", "通貨", "สกุลเงิน"),
    "quota": (
        *("quota", "usage", "額度", "用量", "配額", "剩餘額度", "额度", "配额", "剩余额度"),
        *("使用量", "残り回数", "โควตา", "โควต้า", "ยอดคงเหลือโควตา"),
    ),
    "export": (
        *("export", "export my data", "export everything", "download my data"),
        *("匯出", "匯出資料", "匯出我的資料", "匯出紀錄", "導出", "导出", "导出数据", "导出我的数据", "匯出csv"),
        *("エクスポート", "エクスポートして", "書き出し", "書き出す", "書き出して", "データをエクスポート"),
        *("ส่งออก", "ส่งออกข้อมูล", "ส่งออกข้อมูลของฉัน"),
    ),
    "forget": (
        *("forget me", "forget everything about me", "delete my data", "delete all my data"),
        *("忘記我", "忘了我", "忘掉我", "刪除我的資料", "刪除我的所有資料", "刪掉我的資料"),
        *("忘记我", "删除我的数据", "删除我的资料", "唔好記住我"),
        *("私を忘れて", "私のことを忘れて", "私のデータを消して", "私のデータを削除", "データをすべて削除"),
        *("ลืมฉัน", "ลบข้อมูลของฉัน", "ลบข้อมูลฉันทั้งหมด"),
    ),
    "me": (
        *("me", "who am i", "my settings", "my data", "about me", "what do you know about me"),
        *("我是誰", "我的設定", "我的資料", "你記得我什麼", "我是谁", "我的设置", "我的数据"),
        *("私は誰", "私の設定", "私のデータ", "設定"),
        *("ฉันคือใคร", "การตั้งค่าของฉัน", "ข้อมูลของฉัน"),
    ),
    "thanks": (
        *("thanks", "thank you", "thank you so much", "thank you very much", "thanks a lot", "many thanks"),
        *("thx", "ty", "tks", "cheers", "much appreciated"),
        *("謝謝", "謝謝你", "謝謝您", "多謝", "多謝你", "感謝", "感謝你", "感恩", "謝啦", "謝了", "謝謝啦", "3q"),
        *("谢谢", "谢谢你", "多谢", "感谢", "谢啦", "谢了", "唔該", "唔該晒", "辛苦了", "太感謝了", "非常感謝"),
        *("ありがとう", "ありがとうございます", "ありがとうございました", "ありがと", "どうも", "サンキュー"),
        *("助かる", "助かります", "助かりました", "感謝します", "お疲れ様", "お疲れさま", "お疲れ様でした"),
        *("ขอบคุณ", "ขอบคุณมาก", "ขอบคุณมากๆ", "ขอบใจ", "ขอบใจนะ", "แต๊งกิ้ว"),
    ),
    "hello": (
        *("hi", "hello", "hey", "hi there", "hello there", "yo", "good afternoon", "good evening"),
        *("你好", "您好", "嗨", "哈囉", "哈嘍", "哈啰", "安安", "午安", "你好嗎", "你好吗", "在嗎", "在吗"),
        *("こんにちは", "こんばんは", "やあ", "どうもこんにちは", "はじめまして"),
        *("สวัสดี", "หวัดดี", "ฮัลโหล"),
    ),
    "morning": (
        *("good morning", "morning", "gm", "早安", "早", "早上好", "早啊", "早晨"),
        *("おはよう", "おはようございます", "おは", "อรุณสวัสดิ์", "สวัสดีตอนเช้า", "มอร์นิ่ง"),
    ),
    "night": (
        *("good night", "goodnight", "night", "gn", "bye", "goodbye", "bye bye", "see you"),
        *("晚安", "早唞", "再見", "再见", "掰掰", "拜拜", "掰"),
        *("おやすみ", "おやすみなさい", "さようなら", "またね", "バイバイ"),
        *("ราตรีสวัสดิ์", "ฝันดี", "ฝันดีนะ", "บาย", "บ๊ายบาย", "ลาก่อน"),
    ),
    "yes": (
        *("yes", "yeah", "yep", "yup", "sure", "ok", "okay", "okey", "k", "yes please", "got it", "alright", "great"),
        *("好", "好的", "好啊", "好喔", "好呀", "可以", "是", "是的", "對", "沒問題", "收到", "了解", "嗯", "行"),
        *("ok的", "对", "没问题", "係", "得", "好嘅"),
        *("はい", "うん", "ええ", "了解", "了解です", "わかった", "わかりました", "いいよ", "いいです", "お願い"),
        *("お願いします", "オッケー", "オーケー", "ใช่", "โอเค", "ได้", "ได้เลย", "ตกลง", "เอาเลย", "รับทราบ"),
    ),
    "no": (
        *("no", "nope", "no thanks", "don't", "keep it", "keep them"),
        *("不", "不要", "不用", "不是", "不用了", "留著", "先不要", "唔好", "唔使"),
        *("いいえ", "いや", "やめる", "やめておく", "残して", "不要です", "ไม่", "ไม่ใช่", "ไม่ต้อง", "ไม่เอา", "เก็บไว้"),
    ),
}  # fmt: skip

_ONLY_SLASHED: Final[Mapping[str, CommandName]] = {
    "forget": "forget", "delete-me": "forget", "settings": "me", "whoami": "me", "tz": "zone", "done": "done",
    "完成": "done", "完了": "done", "เสร็จ": "done", "忘れて": "forget", "忘記": "forget", "ลืม": "forget",
    "history": "history", "紀錄": "history", "歷史": "history", "履歴": "history", "ประวัติ": "history",
    "設定": "me", "设置": "me", "我": "me", "私": "me", "ฉัน": "me", "การตั้งค่า": "me", "使用說明": "help",
}  # fmt: skip
"""Words too common to mean anything without the slash."""

_ENDS: Final = " .。!?~〜、,…"


def plain(text: str) -> str:
    """Words without what does not matter: width, case, simplified characters, spaces around, punctuation and little
    pictures behind."""
    line = " ".join(fold(unicodedata.normalize("NFKC", text).casefold().replace("’", "'")).split())
    while line and (line[-1] in _ENDS or _is_picture(line[-1])):
        line = line[:-1]
    return line


def _is_picture(sign: str) -> bool:
    return unicodedata.category(sign) in {"So", "Sk", "Cf"} or sign in "\ufe0e\ufe0f"


_POLITE_IN_FRONT: Final = re.compile(
    r"^(?:麻煩你|麻煩|請幫我|可以幫我|幫我|please |pls |can you |could you |ขอ|ช่วย)(?P<rest>.+)$"
)
_POLITE_BEHIND: Final = re.compile(
    r"^(?P<rest>.+?)(?: please| pls| for me|一下|を?お願いします|をお願い|ください|下さい|を見せて"
    r"|を教えて| ?(?:หน่อย|ที|ครับ|ค่ะ|คะ|คับ|นะ|จ้า|จ้ะ|ด้วย)+)$"
)

_COMMAND_OF: Final[Mapping[str, CommandName]] = {plain(said): name for name, words in _WORDS.items() for said in words}
_SLASHED: Final[Mapping[str, CommandName]] = {
    **{said: name for said, name in _COMMAND_OF.items() if name not in {"yes", "no"}},
    **{plain(said): name for said, name in _ONLY_SLASHED.items()},
}
_SET: Final[tuple[CommandName, ...]] = ("language", "zone", "currency")
_WITH_SOMETHING: Final = {name: tuple(map(plain, _WORDS[name])) for name in _SET}


def _spelt(expression: str) -> re.Pattern[str]:
    """Over plain lines: in the one spelling that they have."""
    return re.compile(fold_pattern(unicodedata.normalize("NFKC", expression)))


_NUMBERS: Final = r"#?\d{1,9}(?:(?: ?[,、和跟與&] ?| and | )#?\d{1,9})*"
_FINISH: Final = (
    "done|finish|finished|complete|completed|完成|完成了|做完|做完了|搞掂|完了|済み|済|เสร็จ|เสร็จแล้ว|ทำเสร็จ|เรียบร้อย"
)
_FINISHED: Final = _spelt(
    rf"^(?:/?(?:{_FINISH}) ?(?P<behind>{_NUMBERS})|(?P<before>{_NUMBERS}) ?(?:is |are |は)?(?:{_FINISH}))$"
)
_UNDO_WORDS: Final = (
    "undo|revert|復原|還原|撤銷|复原|还原|撤销|元に戻す|元に戻して|もとに戻す|もとに戻して|เลิกทำ|ย้อนกลับ|กู้คืน"
)
_UNDONE: Final = _spelt(
    rf"^/?(?:(?:{_UNDO_WORDS}) ?(?P<behind>{_NUMBERS})"
    rf"|(?P<before>{_NUMBERS}) ?を?(?:{_UNDO_WORDS}))$"
)
_PAST: Final = (
    "(?:變更|修改|編輯|更新)?(?:[紀記纪][錄录]|歷史|歷程)|(?:変更|編集)?(?:履歴|歴史)|(?:change )?history"
    "|ประวัติ(?:การแก้ไข)?(?:ของ)?"
)
_HISTORY: Final = _spelt(
    rf"^(?:/?(?:{_PAST})(?: of)? ?(?P<behind>#?\d{{1,9}})"
    rf"|(?P<before>#\d{{1,9}}|\d{{1,9}}(?= ?[的の]))(?:'s)? ?[的の]?(?:{_PAST}))$"
)
_NUMBERED: Final[Mapping[CommandName, re.Pattern[str]]] = {"done": _FINISHED, "undo": _UNDONE, "history": _HISTORY}
"""Words with the numbers of the records they are about, in front or behind."""


_LISTS: Final = frozenset(map(plain, ("list", "my list", "清單", "列表", "待辦清單", "リスト", "一覧", "รายการ")))
"""What is asked for with a please, and is no answer then."""


def command_of(text: str) -> Command | None:
    """The command if the whole message is one."""
    line = plain(text)
    for word, pattern in _NUMBERED.items():
        if numbered := pattern.match(line):
            refs = tuple(dict.fromkeys(map(int, re.findall(r"\d+", numbered["behind"] or numbered["before"]))))
            slashed = line.startswith("/")
            return Command(word, refs=refs, slashed=slashed) if 0 < len(refs) <= MOST_NUMBERS else None
    if line.startswith("/"):
        return _slashed(line[1:].lstrip())
    if name := _COMMAND_OF.get(line) or _said_politely(line):
        return Command(name)
    if hours := own_hours(line):
        return Command(*hours)
    return _with_something(line)


def commands_of(words: str) -> list[Command]:
    """The commands, if every line is one; else none."""
    found = [command_of(line) for line in words.splitlines() if line.strip()]
    commands = [each for each in found if each]
    return commands if len(commands) == len(found) <= MOST_COMMANDS else []


def _said_politely(line: str) -> CommandName | None:
    """A command with a please around it. Of what may be an answer, or means something else with one, there is none."""
    for bare in (_without(_POLITE_BEHIND, line), _without(_POLITE_BEHIND, _without(_POLITE_IN_FRONT, line))):
        name = _COMMAND_OF.get(bare)
        if name and (name not in ANSWERS or bare in _LISTS):
            return name
    return None


def _without(around: re.Pattern[str], line: str) -> str:
    found = around.match(line)
    return found["rest"].strip() if found else line


def _slashed(line: str) -> Command | None:
    """``word`` or ``word something``; what only looks like a path is none."""
    if name := _SLASHED.get(line):
        return Command(name, slashed=True)
    word, _, about = line.partition(" ")
    name = _SLASHED.get(word)
    return Command(name, about.strip(" :"), slashed=True) if name in _WITH_SOMETHING and about else None


_PLACE: Final = re.compile(
    r"(?: ?[:=] ?| )(?!.*(?:[什甚哪嗎呢何誰改換設差は]|อะไร|ไหน|เปลี่ยน|ตั้ง)"
    r"|(?:.* )?(?:what|which|is|are|was|out|off|in|of|to|and|for|meeting|call|difference)(?: |$))"
    r"[^\W\d_][^\d\s]{1,20}(?: [^\d\s]{1,20}){0,2}"
)
"""What can only be the name of a place, behind the word for the zone and a space, although nobody knows it."""


def _with_something(line: str) -> Command | None:
    """``language ja``: what stands behind must be known, or it is a sentence like any other; but a place may be one
    that is not."""
    for name, words in _WITH_SOMETHING.items():
        for word in sorted(words, key=len, reverse=True):
            about = line.removeprefix(word).lstrip(" :=").strip() if line.startswith(word) else ""
            if about and (_is_known(name, about) or (name == "zone" and _PLACE.fullmatch(line.removeprefix(word)))):
                return Command(name, about)
    return None


def _is_known(name: CommandName, about: str) -> bool:
    if name == "zone":
        return place_named(about) is not None
    if name == "currency":
        return currency_named(about) is not None
    return about in AUTOMATIC or language_named(about) is not None

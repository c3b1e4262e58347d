"""What is said about pictures, voice, films, files and places, in four languages; and how people ask to see one again.

Pure words. Must not know when a sentence is said, or how anything is fetched, read or shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.plain_text import bare
from tools.attachment import Failure
from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentWords:
    """The sentences of one language."""

    photo: Callable[[int], str]
    """What a record is called that holds so many pictures nobody read."""
    receipt: str
    voice: str
    video: str
    file: str
    place: Callable[[str], str]
    heard: Callable[[str], str]
    nothing_heard: str
    cannot_hear: str
    not_heard_now: str
    cannot_see: str
    nobody_sees: str
    """Where no model is connected at all."""
    not_seen_now: str
    not_shown: str
    """Of a picture that cannot be unfolded."""
    spent: str
    """The day's share of the model is used up: kept, not read."""
    only_so_many: Callable[[int], str]
    """So many pictures of a turn were read, the others kept."""
    incomplete: Callable[[int, int], str]
    """Of so many pictures that were sent together, so many are here."""
    sum_differs: Callable[[str, str], str]
    """What the lines come to, and the total that was taken."""
    sum_taken: Callable[[str], str]
    look_again: str
    failures: Mapping[Failure, str]
    nothing_held: str
    no_picture: str
    """The same, where a picture was asked for."""
    nothing_held_by: Callable[[int], str]
    more_of_them: Callable[[int], str]
    no_address: str
    guest: str


def attachment_words(language: Language) -> AttachmentWords:
    """The sentences of a language."""
    return _WORDS[language]


def _many(one: str, many: str) -> Callable[[int], str]:
    return lambda count: (one if count == 1 else many).format(count)


_CHINESE: Final = AttachmentWords(
    photo=_many("照片", "照片 {} 張"),
    receipt="收據",
    voice="語音",
    video="影片",
    file="檔案",
    place="地點：{}".format,
    heard="聽到：「{}」".format,
    nothing_heard="這段語音裡沒聽到話，我先收著。",
    cannot_hear="語音我先收著，這裡還聽不懂；打字跟我說就能記。",
    not_heard_now="語音我先收著，剛剛沒聽成；急的話打字跟我說。",
    nobody_sees="照片收好了，接上看得懂圖的 AI 才讀得出內容；要記金額就打一句，像「晚餐 350」。",
    cannot_see="照片收好了，這裡的 AI 看不懂照片；要記金額就打一句，像「晚餐 350」。",
    not_seen_now="照片收好了，這次沒讀出內容；要記金額就打一句，像「晚餐 350」。",
    not_shown="有的圖打不開，我原樣收著。",
    spent="今天 AI 的用量到了，我先收著，沒有讀內容。",
    only_so_many="先讀了前 {} 張，其他的一起收著。".format,
    incomplete="一起傳的 {} 張，這裡是 {} 張。".format,
    sum_differs="品項加起來是 {}，收據上寫 {}，我照收據記；不對跟我說。".format,
    sum_taken="沒看到總額，我用品項加起來的 {}；不對跟我說。".format,
    look_again="有些字不太清楚，請看一眼對不對。",
    failures={
        "gone": "這則已經收回，內容拿不到了。",
        "unknown": "LINE 那邊已經沒有這份內容，請再傳一次。",
        "not ready": "LINE 還沒準備好這份內容，請過一會兒再傳一次。",
        "too large": "超過 20 MB，太大了，我沒有收。",
        "empty": "這份是空的，沒有東西可以收。",
        "elsewhere": "這份放在 LINE 以外的地方，我不去拿；請直接傳給我。",
        "unreachable": "剛剛拿不到這份內容，請再傳一次。",
    },
    nothing_held="我這裡還沒收過照片或檔案。",
    no_picture="我這裡還沒有照片；傳一張來，我就收著。",
    nothing_held_by="#{} 沒有附照片或檔案。".format,
    more_of_them="先給你前 {} 個。".format,
    no_address="東西都收著，只是還不能給你看：請管理者設定 PUBLIC_URL。",
    guest="你可以看，但我不能替你收東西。",
)

_JAPANESE: Final = AttachmentWords(
    photo=_many("写真", "写真{}枚"),
    receipt="レシート",
    voice="音声",
    video="動画",
    file="ファイル",
    place="場所：{}".format,
    heard="「{}」と聞こえました。".format,
    nothing_heard="言葉が聞き取れませんでした。音声は預かっておきます。",
    cannot_hear="音声は預かりました。ここではまだ聞き取れないので、文字で送ってください。",
    not_heard_now="音声は預かりました。今回は聞き取れませんでした。お急ぎなら文字でどうぞ。",
    nobody_sees=(
        "写真は預かりました。中身を読むには、画像の分かるAIの接続が必要です。"
        "金額は「夕食 1,200円」のように送ってください。"
    ),
    cannot_see="写真は預かりました。ここのAIは写真を読めません。金額は「夕食 1,200円」のように送ってください。",
    not_seen_now="写真は預かりました。今回は読み取れませんでした。金額は「夕食 1,200円」のように送ってください。",
    not_shown="開けない画像がありました。そのまま預かっておきます。",
    spent="今日のAIの分を使い切りました。中は読まずに預かっておきます。",
    only_so_many="最初の{}枚を読み、残りも一緒に預かりました。".format,
    incomplete="まとめて送られた{}枚のうち、ここにあるのは{}枚です。".format,
    sum_differs="明細の合計は{}、レシートの合計は{}です。レシートの額で記録しました。違えば教えてください。".format,
    sum_taken="合計が見えなかったので、明細を足した{}にしました。違えば教えてください。".format,
    look_again="読みにくいところがありました。合っているか見てください。",
    failures={
        "gone": "送信が取り消されたので、中身は受け取れませんでした。",
        "unknown": "LINEに中身が残っていませんでした。もう一度送ってください。",
        "not ready": "LINEの準備がまだのようです。少ししてからもう一度送ってください。",
        "too large": "20MBを超えているので、預かれませんでした。",
        "empty": "中身が空でした。",
        "elsewhere": "LINEの外にあるものは取りに行きません。直接送ってください。",
        "unreachable": "いま受け取れませんでした。もう一度送ってください。",
    },
    nothing_held="お預かりしている写真やファイルはまだありません。",
    no_picture="写真はまだありません。送っていただければ預かります。",
    nothing_held_by="#{}には写真やファイルがありません。".format,
    more_of_them="まず{}つお見せします。".format,
    no_address="お預かりしていますが、お見せするには管理者がPUBLIC_URLを設定する必要があります。",
    guest="ご覧になれますが、お預かりはできません。",
)

_THAI: Final = AttachmentWords(
    photo=_many("รูป", "รูป {} รูป"),
    receipt="ใบเสร็จ",
    voice="เสียง",
    video="วิดีโอ",
    file="ไฟล์",
    place="สถานที่: {}".format,
    heard="ได้ยินว่า “{}”".format,
    nothing_heard="ไม่ได้ยินคำพูดในเสียงนี้ เก็บไว้ให้ก่อน",
    cannot_hear="เก็บเสียงไว้แล้ว แต่ที่นี่ยังฟังไม่ออก พิมพ์บอกมาก็จดให้ได้",
    not_heard_now="เก็บเสียงไว้แล้ว แต่เมื่อกี้ฟังไม่สำเร็จ ถ้ารีบพิมพ์บอกมาได้เลย",
    nobody_sees="เก็บรูปไว้แล้ว ต้องต่อ AI ที่ดูรูปได้ก่อนถึงจะอ่านได้ ถ้าจะจดยอด พิมพ์มาเช่น “ข้าวเย็น 120”",
    cannot_see="เก็บรูปไว้แล้ว แต่ AI ที่นี่อ่านรูปไม่ได้ ถ้าจะจดยอด พิมพ์มาเช่น “ข้าวเย็น 120”",
    not_seen_now="เก็บรูปไว้แล้ว แต่ครั้งนี้อ่านไม่ออก ถ้าจะจดยอด พิมพ์มาเช่น “ข้าวเย็น 120”",
    not_shown="มีรูปที่เปิดไม่ได้ เก็บไว้ให้ตามเดิม",
    spent="วันนี้ใช้ AI ครบแล้ว เก็บไว้ให้ก่อนโดยยังไม่ได้อ่าน",
    only_so_many="อ่าน {} รูปแรกแล้ว ที่เหลือเก็บไว้ด้วยกัน".format,
    incomplete="จากที่ส่งมาพร้อมกัน {} รูป ตรงนี้มี {} รูป".format,
    sum_differs="รวมรายการได้ {} แต่ใบเสร็จเขียน {} จดตามใบเสร็จ ถ้าไม่ใช่บอกได้".format,
    sum_taken="ไม่เห็นยอดรวม เลยใช้ผลรวมรายการ {} ถ้าไม่ใช่บอกได้".format,
    look_again="มีบางส่วนอ่านไม่ชัด ช่วยดูอีกทีว่าถูกไหม",
    failures={
        "gone": "ข้อความนี้ถูกยกเลิกไปแล้ว เลยรับไม่ได้",
        "unknown": "ใน LINE ไม่มีสิ่งนี้แล้ว รบกวนส่งอีกครั้ง",
        "not ready": "LINE ยังเตรียมไม่เสร็จ อีกสักครู่ส่งใหม่ได้เลย",
        "too large": "ใหญ่เกิน 20 MB เลยไม่ได้เก็บ",
        "empty": "ข้างในว่างเปล่า ไม่มีอะไรให้เก็บ",
        "elsewhere": "สิ่งนี้อยู่นอก LINE เราไม่ไปเอา ส่งมาตรง ๆ ได้เลย",
        "unreachable": "เมื่อกี้รับไม่ได้ รบกวนส่งอีกครั้ง",
    },
    nothing_held="ยังไม่มีรูปหรือไฟล์ที่เก็บไว้",
    no_picture="ยังไม่มีรูปเลย ส่งมาได้ จะเก็บไว้ให้",
    nothing_held_by="#{} ไม่มีรูปหรือไฟล์แนบ".format,
    more_of_them="ให้ดู {} อันแรกก่อน".format,
    no_address="เก็บไว้ครบ แต่ยังให้ดูไม่ได้ ผู้ดูแลต้องตั้งค่า PUBLIC_URL ก่อน",
    guest="ดูได้ แต่เก็บของให้ไม่ได้",
)

_ENGLISH: Final = AttachmentWords(
    photo=_many("Photo", "{} photos"),
    receipt="Receipt",
    voice="Voice message",
    video="Video",
    file="File",
    place="Place: {}".format,
    heard="I heard: “{}”".format,
    nothing_heard="I heard no words in it, so I just keep the recording.",
    cannot_hear="I keep the recording, but nobody here can listen to it. Type it and I note it.",
    not_heard_now="I keep the recording, but could not listen just now. If it is urgent, type it.",
    nobody_sees=(
        "I keep the photo; reading it takes an AI that sees, and none is connected. "
        "For an amount, type it, like “Dinner 25”."
    ),
    cannot_see="I keep the photo, but the AI here can't read photos. For an amount, type it, like “Dinner 25”.",
    not_seen_now="I keep the photo, but could not read it this time. For an amount, type it, like “Dinner 25”.",
    not_shown="One of the pictures can't be opened. I keep it as it is.",
    spent="Today's share of the AI is used up, so I keep it unread.",
    only_so_many="I read the first {} and keep the others with them.".format,
    incomplete="Of {} photos sent together, {} are in here.".format,
    sum_differs="The lines come to {}, the receipt says {}. I took the receipt's; tell me if that's wrong.".format,
    sum_taken="I saw no total, so I took the sum of the lines, {}; tell me if that's wrong.".format,
    look_again="Some of it was hard to read. Please check it.",
    failures={
        "gone": "That message was taken back, so I could not get it.",
        "unknown": "LINE no longer has it. Please send it again.",
        "not ready": "LINE is still preparing it. Please send it again in a while.",
        "too large": "That is more than 20 MB, so I did not keep it.",
        "empty": "There is nothing in it.",
        "elsewhere": "It lies outside LINE, and I don't fetch from there. Please send it to me directly.",
        "unreachable": "I could not get it just now. Please send it again.",
    },
    nothing_held="There's no photo or file here yet.",
    no_picture="There's no photo here yet. Send one and I keep it.",
    nothing_held_by="Nothing is kept with #{}.".format,
    more_of_them="Here are the first {}.".format,
    no_address="I have it, but can't show it yet: the operator needs to set PUBLIC_URL.",
    guest="You may look, but I can't keep things for you.",
)

_WORDS: Final[Mapping[Language, AttachmentWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}


# ── asking to see one again ───────────────────────────────────────────────────────────────────────────────────────

_REF: Final = r"#?\s*(?P<ref{0}>\d{{1,9}})"
_ZH_THING: Final = "(?:收據|收据|发票|發票|照片|圖片|图片|相片|截圖|圖|檔案|文件|语音|語音|影片)"
_JA_THING: Final = "(?:レシート|領収書|写真|画像|ファイル|音声|動画)"
_TH_THING: Final = "(?:ใบเสร็จ|รูปถ่าย|รูปภาพ|รูป|ภาพ|ไฟล์|เสียง|วิดีโอ)"
_EN_THING: Final = "(?:receipt|photo|picture|image|pic|file|attachment|voice message|recording|video)s?"
_ZH_SHOW: Final = (
    "(?:請|请|再)?(?:給我看|给我看|讓我看|让我看|我要看|我想看|想看|秀|顯示|显示|打開|打开|看)"
    "(?:一下|一次|看)?(?:我的)?"
)
_ZH_WHICH: Final = (
    "(?:(?:剛才|刚才|剛剛|刚刚|上次|上一|最後|最近|最新)的?(?:那|這|一)?(?:張|张|個|份)?|(?:那|這|这)(?:張|张|個|份))?"
)
_JA_WHICH: Final = "(?:さっきの|その|あの|この|前の|最後の|最新の|最近の)?"
_JA_SHOW: Final = "(?:見せて|みせて|表示して|見たい|みたい|見る)(?:ください|です)?"
_TH_WHICH: Final = "(?:นั้น|นี้|เมื่อกี้|ล่าสุด)?"
_EN_SHOW: Final = "(?:show|open|see|view)(?: me)?(?: again)?"
_EN_WHICH: Final = "(?:the |that |this |my )?(?:last |latest |newest )?"
_ASKINGS: Final = (
    rf"{_ZH_SHOW}{_ZH_WHICH}(?:\s*{_REF.format(1)}\s*的?\s*)?{_ZH_WHICH}{_ZH_THING}",
    r"(?:請|再)?(?:給我看|讓我看|秀|顯示|打開|看)(?:一下)?\s*#\s*(?P<ref6>\d{1,9})",
    rf"{_REF.format(2)}\s*的{_ZH_THING}",
    rf"{_JA_WHICH}(?:{_REF.format(3)}\s*の)?{_JA_THING}を?(?:もう一度)?{_JA_SHOW}",
    rf"(?:ขอดู|อยากดู|เปิด|โชว์|ดู){_TH_THING}{_TH_WHICH}(?:\s*(?:ของ)?\s*{_REF.format(4)})?(?:\s*(?:หน่อย|ที))?",
    rf"(?:please )?{_EN_SHOW} {_EN_WHICH}{_EN_THING}(?: again)?(?: (?:of|for) {_REF.format(5)})?",
)
_ASKING: Final = re.compile("|".join(_ASKINGS))
_POLITE: Final = re.compile(
    r"^(?:please |(?:can|could|would|will) you (?:please )?|(?:can|could|may) i (?=see |view |open )"
    r"|let me (?=see |view ))"
    r"|(?:[\s,]*(?:謝謝|谢谢|感謝|拜託|拜托|please|pls|thanks|thank you|お願い(?:します)?|下さい|くれる|くれますか"
    r"|もらえる|もらえますか|ほしい|ครับ|ค่ะ|คะ|นะ))+$"
)
"""What is said around it out of politeness."""
_PICTURE: Final = re.compile("照片|圖|图|相片|写真|画像|รูป|ภาพ|photo|pic|image")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asks to see: what this record holds, or what came last. ``bare``: they named a number alone, which
    may as well be about the record itself. ``picture``: nothing else is meant."""

    ref: int | None = None
    bare: bool = False
    picture: bool = False


def wanted_in(text: str) -> Wanted | None:
    """What is asked for, if the whole message asks to see what is kept and says no more than that."""
    asked = _POLITE.sub("", bare(text))
    found = _ASKING.fullmatch(asked)
    if found is None:
        return None
    ref = next((int(digits) for digits in found.groups() if digits), None)
    return Wanted(ref, bare=found["ref6"] is not None, picture=bool(_PICTURE.search(asked)))

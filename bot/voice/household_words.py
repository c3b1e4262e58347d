"""What the secretary says in groups, and of lists that are shared, in four languages.

Pure words. Must not know what a group has stored, or who owes whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdWords:
    """The sentences of one language. Labels of buttons fit LINE's 20 characters."""

    nameless: str
    # groups
    joined: str
    enable: str
    enabled: str
    already_enabled: str
    only_owner_enables: str
    goodbye: str
    unnamed: str
    what_is_kept: str
    group_members: Callable[[str], str]
    # money
    nothing_to_settle: str
    settlement: Callable[[str, str], str]
    """What was spent in all, and among whom it is shared."""
    share: Callable[[str], str]
    transfer: Callable[[str, str, str], str]
    """Who pays whom how much."""
    is_even: str
    all_paid: str
    settled: str
    paid_by: Callable[[str], str]
    # the shared list in one's own chat
    shared_list: Callable[[str, str], str]
    shared_empty: Callable[[str], str]
    no_shared_list: str
    a_group: str


def household_words(language: Language) -> HouseholdWords:
    """The sentences of a language."""
    return _WORDS[language]


_CHINESE: Final = HouseholdWords(
    nameless="沒有名字的人",
    joined=(
        "大家好，我是秘書。請主人在這裡提到我並說「啟用」，我才開始幫大家記清單；在那之前什麼都不會記。"
        "一天內沒啟用，我就自己離開。"
    ),
    enable="啟用",
    enabled=(
        "啟用了，這裡有一份大家的清單（待辦、採買、花費）。\n"
        "提到我、引用我說的話，或叫我的名字，我才會聽，像「@我 買牛奶」「@我 午餐 360」；其他對話我不看也不留。\n"
        "記下的內容連同誰記的、誰付的，群組裡的人問我都看得到，主人的 Notion 裡也有。"
        "你們各自私下記的，在這裡誰也看不到。"
    ),
    already_enabled="這裡已經啟用了，直接提到我說就好。",
    only_owner_enables="這裡還沒啟用，我什麼都不會記。要請主人提到我並說「啟用」。",
    goodbye="好，我先走了，大家保重。清單我留著，再邀我並啟用就回來。",
    unnamed="LINE 沒有告訴我你是誰，所以我不能在這裡替你記或查。請用手機版 LINE，先加我好友再說一次。",
    what_is_kept="第一次在這裡見到你：你跟我說的會記進這個群組的清單，連同你的名字，大家和主人的 Notion 都看得到。",
    group_members="這份清單我認得的人：\n{0}\n少了誰，請他提到我說句話。".format,
    nothing_to_settle="還沒有要分的花費。",
    settlement="共花 {0}，由 {1} 平分。".format,
    share="每人 {0}".format,
    transfer="{0} → {1} {2}".format,
    is_even="剛好，誰也不欠誰。",
    all_paid="都付清了，重新算",
    settled="好，到剛才為止的都算結清了。",
    paid_by="{0}付".format,
    shared_list="{0}還有：\n{1}".format,
    shared_empty="{0}沒有還沒做的事。".format,
    no_shared_list="你還不在任何有共用清單的群組裡。把我加進群組，請主人提到我說「啟用」。",
    a_group="群組",
)

_JAPANESE: Final = HouseholdWords(
    nameless="名前のない人",
    joined=(
        "はじめまして、秘書です。持ち主がここで私をメンションして「有効にして」と言うと、みんなのリストを始めます。"
        "それまでは何も残しません。1日のうちに有効にならなければ退出します。"
    ),
    enable="有効にする",
    enabled=(
        "有効になりました。ここにみんなのリスト（やること、買い物、お金）ができました。\n"
        "メンション、私の発言への引用、名前で呼ばれたときだけ聞きます。「@秘書 牛乳を買う」のように。"
        "ほかの会話は読まず、残しません。\n"
        "残したことと、書いた人・払った人は、このグループの人と持ち主のNotionから見えます。個人の記録はここでは誰にも見えません。"
    ),
    already_enabled="ここはもう有効です。メンションして話しかけてください。",
    only_owner_enables="ここではまだ有効ではなく、何も残しません。持ち主にメンションと「有効にして」をお願いしてください。",
    goodbye="はい、失礼します。リストは残してあります。また招待して有効にすれば続けられます。",
    unnamed="LINEからどなたか知らされないため、記録も確認もできません。スマホ版LINEで友だちに追加して、もう一度送ってください。",
    what_is_kept="はじめまして。ここで私に話したことは、お名前とともにこのグループのリストに残り、みんなと持ち主のNotionから見えます。",
    group_members="このリストでわかる人：\n{0}\n足りない人は、私をメンションしてひとこと送ってください。".format,
    nothing_to_settle="まだ分ける支払いはありません。",
    settlement="合計{0}、{1}で割ります。".format,
    share="ひとり{0}".format,
    transfer="{0} → {1} {2}".format,
    is_even="ちょうどです。貸し借りはありません。",
    all_paid="支払い済みにする",
    settled="はい、ここまでを精算済みにしました。",
    paid_by="{0}が支払い".format,
    shared_list="{0}の残り：\n{1}".format,
    shared_empty="{0}に残っていることはありません。".format,
    no_shared_list="共有リストのあるグループにまだいません。私をグループに入れ、持ち主にメンションと「有効にして」をお願いしてください。",
    a_group="グループ",
)

_THAI: Final = HouseholdWords(
    nameless="คนที่ไม่มีชื่อ",
    joined=(
        "สวัสดีทุกคน เราเป็นเลขา ให้เจ้าของแท็กเราแล้วพิมพ์ “เปิดใช้” เราจึงเริ่มจดรายการของทุกคน ก่อนหน้านั้นไม่เก็บอะไรเลย "
        "ถ้าหนึ่งวันไม่มีใครเปิดใช้ เราจะออกเอง"
    ),
    enable="เปิดใช้",
    enabled=(
        "เปิดใช้แล้ว ที่นี่มีรายการของทุกคน (งาน ของที่ต้องซื้อ เงิน)\n"
        "เราฟังเฉพาะตอนแท็กเรา อ้างถึงข้อความของเรา หรือเรียกชื่อเรา เช่น “@เลขา ซื้อนม” เรื่องอื่นไม่อ่านและไม่เก็บ\n"
        "สิ่งที่จด รวมทั้งใครจดและใครจ่าย คนในกลุ่มถามดูได้ และอยู่ใน Notion ของเจ้าของ ส่วนบันทึกส่วนตัวของแต่ละคน ที่นี่ไม่มีใครเห็น"
    ),
    already_enabled="ที่นี่เปิดใช้อยู่แล้ว แท็กเราแล้วพิมพ์มาได้เลย",
    only_owner_enables="ที่นี่ยังไม่เปิดใช้ เราไม่จดอะไรเลย ให้เจ้าของแท็กเราแล้วพิมพ์ “เปิดใช้”",
    goodbye="ได้ ขอลาไปก่อน รายการยังเก็บไว้ เชิญเราอีกครั้งแล้วเปิดใช้ก็กลับมาได้",
    unnamed="LINE ไม่ได้บอกว่าคุณเป็นใคร เราจึงจดหรือดูให้ไม่ได้ ใช้ LINE ในมือถือ เพิ่มเราเป็นเพื่อน แล้วส่งอีกครั้ง",
    what_is_kept="เพิ่งเจอคุณที่นี่ครั้งแรก สิ่งที่คุณบอกเราจะอยู่ในรายการของกลุ่มพร้อมชื่อคุณ ทุกคนและ Notion ของเจ้าของเห็นได้",
    group_members="คนที่เรารู้จักในรายการนี้:\n{0}\nถ้าขาดใคร ให้เขาแท็กเราแล้วพูดสักคำ".format,
    nothing_to_settle="ยังไม่มีรายจ่ายให้หาร",
    settlement="ใช้ไปทั้งหมด {0} หารกัน {1}".format,
    share="คนละ {0}".format,
    transfer="{0} → {1} {2}".format,
    is_even="พอดี ไม่มีใครติดใคร",
    all_paid="จ่ายกันครบแล้ว",
    settled="ได้ ถึงเมื่อกี้ถือว่าเคลียร์กันหมดแล้ว",
    paid_by="{0} จ่าย".format,
    shared_list="{0} ยังเหลือ:\n{1}".format,
    shared_empty="{0} ไม่มีอะไรค้าง".format,
    no_shared_list="คุณยังไม่อยู่ในกลุ่มที่มีรายการร่วม เพิ่มเราเข้ากลุ่ม แล้วให้เจ้าของแท็กเราพิมพ์ “เปิดใช้”",
    a_group="กลุ่ม",
)

_ENGLISH: Final = HouseholdWords(
    nameless="someone without a name",
    joined=(
        "Hi, I'm a secretary. If my owner mentions me here and says “enable”, I keep a list for all of you; until then "
        "I keep nothing. If that doesn't happen within a day, I leave by myself."
    ),
    enable="Enable",
    enabled=(
        "Enabled: this group has a list now (to-dos, shopping, money).\n"
        "I only listen when you mention me, quote me or call me by name, like “@me buy milk” or “@me lunch 36”; "
        "everything else I neither read nor keep.\n"
        "What is noted, who wrote it and who paid, everyone here can ask for, and it is in the owner's Notion. "
        "Nobody's own records can be seen here."
    ),
    already_enabled="It's enabled here already. Just mention me and talk.",
    only_owner_enables="I'm not enabled here, so I keep nothing. Ask my owner to mention me and say “enable”.",
    goodbye="OK, I'm off. Your list is kept; invite me again and enable me to go on.",
    unnamed=(
        "LINE doesn't tell me who you are, so I can't note or look up anything. Please use LINE on your phone, add me "
        "as a friend, and say it again."
    ),
    what_is_kept=(
        "We meet here for the first time: what you tell me goes on this group's list with your name. Everyone here, "
        "and the owner's Notion, can see it."
    ),
    group_members="Whom I know on this list:\n{0}\nSomebody missing? They only need to mention me once.".format,
    nothing_to_settle="There's nothing to split yet.",
    settlement="{0} in all, split between {1}.".format,
    share="{0} each".format,
    transfer="{0} → {1} {2}".format,
    is_even="All even, nobody owes anything.",
    all_paid="All paid, start over",
    settled="OK, everything up to then counts as settled.",
    paid_by="paid by {0}".format,
    shared_list="{0}, still open:\n{1}".format,
    shared_empty="{0} has nothing open.".format,
    no_shared_list="You're in no group with a shared list yet. Add me to one and ask the owner to say “enable” there.",
    a_group="The group",
)

_WORDS: Final[Mapping[Language, HouseholdWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}

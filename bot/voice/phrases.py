"""Every sentence the secretary says by itself, in four languages.

Pure words. A plain sentence is a string; one with something to fill in is a function of exactly that. Must not know
when a sentence is said, to whom, or over which network. What was changed is said by the receipts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tools.record import Language

Unreadable = Literal["sticker", "other"]
"""Kinds of messages that nothing can be made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The sentences of one language. Button labels and examples fit LINE's 20 characters.

    https://developers.line.biz/en/reference/messaging-api/#message-action
    """

    # first contact
    greeting: Callable[[str, str], str]
    """Zone (IANA key) and currency (ISO 4217) that were taken."""
    examples: tuple[str, str, str]
    """What one can try at once: both the label of a button and what tapping it says."""
    help: str
    stranger: str
    not_paired: str
    """Before anyone has paired: whoever adds the bot now is probably its owner."""
    paired: str
    # nothing came of it
    nothing_saved: str
    model_down: str
    """What was said is kept until the model is there again."""
    no_answer: str
    failed: str
    set_aside: str
    """Of a message on which the program itself died, again and again."""
    cannot_store: str
    """Before anything of a message is kept: the store takes nothing now."""
    not_supported: Mapping[Unreadable, str]
    # taking back and making sure
    nothing_to_undo: str
    confirm_delete: Callable[[str, int], str]
    """What would be deleted, and how many."""
    kept: str
    confirm_expired: str
    already_handled: str
    button_too_old: str
    only_looks: str
    """To a guest who would change something."""
    # time and delivery
    snoozed: Callable[[str], str]
    """The moment of the next reminder."""
    owed_prefix: str
    maybe_sent_prefix: str
    working: str
    not_ready: str
    # the mirror
    notion_late: str
    notion_first: Callable[[str], str]
    """The link of the place where all records stand."""
    # buttons
    undo: str
    done: str
    delete: str
    keep: str
    snooze: str
    show_answer: str


def phrases_of(language: Language) -> Phrases:
    """The sentences of a language."""
    return _PHRASES[language]


def _one_or_many(one: str, many: str) -> Callable[[str, int], str]:
    """A sentence that differs for one; ``{0}`` is what, ``{1}`` how many."""
    return lambda what, count: (one if count == 1 else many).format(what, count)


_CHINESE: Final = Phrases(
    greeting=(
        "嗨，我是你的秘書。行程、待辦、花費、靈感，跟我說一聲就記好；說「兩點提醒我」就準時提醒。\n"
        "想查就問，像「今天有什麼事？」「這個月吃飯花多少？」\n"
        "時間用 {}，金額用 {}。"
    ).format,
    examples=("明天下午三點看牙醫", "午餐 120", "今天有什麼事？"),
    help=(
        "直接說就好：\n"
        "・記：「明天下午三點看牙醫」「午餐 120」「買牛奶」\n"
        "・查：「今天有什麼事？」「這個月吃飯花多少？」\n"
        "・改：「#12 改明天四點」「#15 完成」「刪 #15」，後悔就說「復原」\n"
        "・這些字隨時都行：今天、清單、完成 12、語言、時區、幣別、額度、我的資料、匯出、忘記我"
    ),
    stranger="這位秘書只為主人服務，沒辦法回覆你，不好意思。",
    not_paired="還沒配對：把啟動紀錄裡的 8 位數配對碼傳給我，我就是你的秘書。",
    paired="配對好了，從現在起我就是你的秘書。直接說就好，像「午餐 120」。",
    nothing_saved="這次沒有記下任何東西。想記就說「記 買牛奶」。",
    model_down="AI 暫時連不上，你說的我先留著，好了就整理；「午餐 120」這種現在就能記。",
    no_answer="這句我一時不知道怎麼接，換個說法再跟我說說看？",
    failed="剛剛出了點問題，你的話我留著了，請再說一次。",
    set_aside="這則我試了三次都沒能處理完，先放到一邊，管理者看得到。還沒記下的，請換個說法再傳一次。",
    cannot_store="我現在存不了東西，這則還沒記下。好了我會接著處理；十分鐘後還沒動靜，請再傳一次。",
    not_supported={
        "sticker": "貼圖收到 😊 有事打字跟我說。",
        "other": "這種訊息我還看不懂，打字跟我說就好。",
    },
    nothing_to_undo="最近 30 天沒有可以復原的東西。",
    confirm_delete=_one_or_many("要刪這筆嗎？\n{0}", "要刪這 {1} 筆嗎？\n{0}"),
    kept="好，都照原樣。",
    confirm_expired="隔太久，這個確認已經失效，什麼都沒動。還要的話再說一次。",
    already_handled="這個已經處理過了。",
    button_too_old="這顆按鈕太舊了，直接跟我說就好。",
    only_looks="這裡只能查，不能記。",
    snoozed="好，{} 再提醒你。".format,
    owed_prefix="上次還沒送到的回覆：",
    maybe_sent_prefix="這則你可能看過了：",
    working="還在想，好了按這裡看。",
    not_ready="還沒好，再等我一下。",
    notion_late="Notion 晚點補上。",
    notion_first="也放進 Notion 了，都在這裡看：{}".format,
    undo="復原",
    done="完成",
    delete="刪掉",
    keep="留著",
    snooze="晚點再提醒",
    show_answer="看答案",
)

_JAPANESE: Final = Phrases(
    greeting=(
        "はじめまして、あなたの秘書です。予定、やること、お金、思いつきを、話すだけで残します。「2時にリマインド」と言えばお知らせします。\n"
        "「今日の予定は？」「今月の食費は？」と聞いてください。\n"
        "時間は{}、金額は{}で数えます。"
    ).format,
    examples=("明日15時に歯医者", "昼ごはん 850円", "今日の予定は？"),
    help=(
        "そのまま話しかけてください。\n"
        "・残す：「明日15時に歯医者」「昼ごはん 850円」「牛乳を買う」\n"
        "・聞く：「今日の予定は？」「今月の食費は？」\n"
        "・直す：「#12を明日16時に」「#15完了」「#15を消して」。間違えたら「元に戻す」\n"
        "・いつでも：今日、リスト、完了 12、言語、タイムゾーン、通貨、使用量、私のデータ、エクスポート、私を忘れて"
    ),
    stranger="こちらは個人専用の秘書です。持ち主以外の方にはお答えできません。",
    not_paired="まだペアリングしていません。起動時のログにある8桁のコードを送ってください。",
    paired="ペアリングできました。今日からあなたの秘書です。「昼ごはん 850円」のように話しかけてください。",
    nothing_saved="今回は何も記録していません。残すときは「メモ 牛乳」と送ってください。",
    model_down="いまAIにつながりません。お預かりして、戻り次第まとめます。「昼 850」のような記録は今すぐできます。",
    no_answer="うまくお返事できませんでした。別の言い方で送ってもらえますか。",
    failed="うまくいきませんでした。メッセージは残してあります。もう一度送ってください。",
    set_aside="三度試しても処理しきれなかったので、いったん脇に置きました。管理者には見えています。まだ記録していないことは、言い方を変えてもう一度送ってください。",
    cannot_store="いま保存ができず、まだ記録していません。直りしだい続けます。十分たっても返事がなければ、もう一度送ってください。",
    not_supported={
        "sticker": "スタンプ、受け取りました😊 ご用は文字でどうぞ。",
        "other": "この種類のメッセージはまだ読めません。文字で送ってください。",
    },
    nothing_to_undo="この30日間に、元に戻せるものはありません。",
    confirm_delete=_one_or_many("これを消しますか？\n{0}", "この{1}件を消しますか？\n{0}"),
    kept="はい、そのままにします。",
    confirm_expired="時間がたったため、この確認は無効になりました。何も変えていません。必要ならもう一度どうぞ。",
    already_handled="こちらは対応済みです。",
    button_too_old="このボタンは古くなりました。言葉で送ってください。",
    only_looks="ここでは見るだけで、記録はできません。",
    snoozed="はい、{}にまたお知らせします。".format,
    owed_prefix="前回お届けできなかった返信です：",
    maybe_sent_prefix="すでに届いているかもしれません：",
    working="考えています。少ししたらここを押してください。",
    not_ready="まだです。もう少しお待ちください。",
    notion_late="Notionにはあとで反映します。",
    notion_first="Notionにも入れました。一覧はこちら：{}".format,
    undo="元に戻す",
    done="完了",
    delete="消す",
    keep="残す",
    snooze="あとでもう一度",
    show_answer="返事を見る",
)

_THAI: Final = Phrases(
    greeting=(
        "สวัสดี เราเป็นเลขาของคุณ นัด งาน รายจ่าย หรือไอเดีย พิมพ์มาก็จดให้ บอกว่า “เตือนตอนบ่ายสอง” ก็จะเตือน\n"
        "อยากรู้อะไรก็ถามได้ เช่น “วันนี้มีอะไรบ้าง” “เดือนนี้ค่ากินเท่าไหร่”\n"
        "ใช้เวลา {} และสกุลเงิน {}"
    ).format,
    examples=("พรุ่งนี้ 15:00 หาหมอ", "ข้าวเที่ยง 80", "วันนี้มีอะไรบ้าง"),
    help=(
        "พิมพ์มาได้เลย\n"
        "• จด: “พรุ่งนี้บ่ายสาม หาหมอ” “ข้าวเที่ยง 80” “ซื้อนม”\n"
        "• ถาม: “วันนี้มีอะไรบ้าง” “เดือนนี้ค่ากินเท่าไหร่”\n"
        "• แก้: “#12 เลื่อนเป็น พรุ่งนี้สี่โมงเย็น” “#15 เสร็จแล้ว” “ลบ #15” ถ้าพลาดพิมพ์ “เลิกทำ”\n"
        "• คำที่ใช้ได้ทุกเมื่อ: วันนี้, รายการ, เสร็จ 12, ภาษา, เขตเวลา, สกุลเงิน, โควตา, ข้อมูลของฉัน, ส่งออก, ลืมฉัน"
    ),
    stranger="เลขาคนนี้ดูแลเฉพาะเจ้าของ ขออภัยที่ตอบคุณไม่ได้",
    not_paired="ยังไม่ได้จับคู่ ส่งรหัส 8 หลักที่อยู่ในบันทึกตอนเริ่มระบบมาได้เลย",
    paired="จับคู่เรียบร้อย จากนี้เราเป็นเลขาของคุณ พิมพ์มาได้เลย เช่น “ข้าวเที่ยง 80”",
    nothing_saved="ครั้งนี้ยังไม่ได้จดอะไร ถ้าอยากให้จด พิมพ์ว่า “จด ซื้อนม”",
    model_down="ตอนนี้ติดต่อ AI ไม่ได้ ข้อความของคุณเก็บไว้แล้ว พอกลับมาจะจัดการต่อให้ ส่วนเรื่องง่าย ๆ อย่าง “ข้าวเที่ยง 80” จดได้เลย",
    no_answer="เรื่องนี้ยังไม่รู้จะตอบยังไง ลองพูดอีกแบบได้ไหม",
    failed="เมื่อกี้มีปัญหานิดหน่อย ข้อความของคุณยังอยู่ รบกวนพิมพ์อีกครั้ง",
    set_aside="ลองข้อความนี้แล้วสามครั้งยังทำไม่สำเร็จ ขอพักไว้ก่อน ผู้ดูแลเห็นแล้ว ส่วนที่ยังไม่ได้จด ลองพิมพ์ใหม่ด้วยคำอื่นนะ",
    cannot_store="ตอนนี้บันทึกอะไรไม่ได้ ข้อความนี้ยังไม่ได้จด ใช้ได้เมื่อไรจะทำต่อให้ ถ้าผ่านไปสิบนาทีแล้วยังเงียบ รบกวนส่งอีกครั้ง",
    not_supported={
        "sticker": "ได้รับสติกเกอร์แล้ว 😊 มีอะไรพิมพ์มาได้เลย",
        "other": "ยังอ่านข้อความแบบนี้ไม่ได้ พิมพ์เป็นตัวหนังสือมาได้เลย",
    },
    nothing_to_undo="ช่วง 30 วันนี้ไม่มีอะไรให้เลิกทำ",
    confirm_delete=_one_or_many("จะลบรายการนี้ไหม\n{0}", "จะลบ {1} รายการนี้ไหม\n{0}"),
    kept="ได้ เก็บไว้เหมือนเดิม",
    confirm_expired="นานเกินไป คำยืนยันนี้ใช้ไม่ได้แล้ว ทุกอย่างยังเหมือนเดิม ถ้ายังต้องการ บอกอีกครั้ง",
    already_handled="เรื่องนี้จัดการไปแล้ว",
    button_too_old="ปุ่มนี้เก่าเกินไป พิมพ์บอกมาได้เลย",
    only_looks="ตรงนี้ดูได้อย่างเดียว จดไม่ได้",
    snoozed="ได้ จะเตือนอีกที {}".format,
    owed_prefix="คำตอบที่คราวก่อนยังส่งไม่ถึง:",
    maybe_sent_prefix="ข้อความนี้คุณอาจเห็นแล้ว:",
    working="กำลังคิดอยู่ อีกสักครู่กดดูตรงนี้",
    not_ready="ยังไม่เสร็จ รออีกนิด",
    notion_late="ส่วนใน Notion จะตามไปทีหลัง",
    notion_first="ใส่ใน Notion ให้ด้วยแล้ว ดูทั้งหมดที่ {}".format,
    undo="เลิกทำ",
    done="เสร็จแล้ว",
    delete="ลบ",
    keep="เก็บไว้",
    snooze="เตือนอีกที",
    show_answer="ดูคำตอบ",
)

_ENGLISH: Final = Phrases(
    greeting=(
        "Hi, I'm your secretary. Tell me plans, to-dos, spending or ideas: I keep them. “Remind me at 2pm” works too.\n"
        "Ask any time: “What's on today?” “How much on food this month?”\n"
        "I use {} time and {}."
    ).format,
    examples=("Dentist tomorrow 3pm", "Lunch 12.50", "What's on today?"),
    help=(
        "Just talk to me:\n"
        "• Keep: “Dentist tomorrow 3pm”, “Lunch 12.50”, “Buy milk”\n"
        "• Ask: “What's on today?”, “How much on food this month?”\n"
        "• Change: “Move #12 to tomorrow 4pm”, “#15 done”, “Delete #15”; to take it back, “undo”\n"
        "• These words always work: today, list, done 12, language, zone, currency, quota, me, export, forget me"
    ),
    stranger="This is a private secretary. It answers only its owner, sorry.",
    not_paired="Not paired yet: send me the 8-digit code from the bot's start-up log, and I'm your secretary.",
    paired="Paired: from now on I'm your secretary. Just talk to me, for example “Lunch 12.50”.",
    nothing_saved="Nothing was saved this time. To keep something, say “note buy milk”.",
    model_down=(
        "I can't reach the AI right now. Your words are kept, and I sort them out once it is back; "
        "simple ones like “Lunch 12.50” work now."
    ),
    no_answer="I don't have a good answer to that. Could you put it another way?",
    failed="Something went wrong. Your message is kept; please say it once more.",
    set_aside="I tried this three times and could not finish it, so it is set aside; the operator can see it. "
    "Please say in other words what is not noted yet.",
    cannot_store="I cannot store anything right now, so this is not noted yet. I go on as soon as I can; "
    "if you hear nothing in ten minutes, please send it again.",
    not_supported={
        "sticker": "Nice sticker 😊 If you need something, just type it.",
        "other": "I can't read this kind of message yet. Please type it.",
    },
    nothing_to_undo="There's nothing from the last 30 days to undo.",
    confirm_delete=_one_or_many("Delete this one?\n{0}", "Delete these {1}?\n{0}"),
    kept="OK, everything stays as it is.",
    confirm_expired="That question is too old now. Nothing was touched; if you still want it, say it again.",
    already_handled="That's been taken care of already.",
    button_too_old="That button is too old. Just tell me instead.",
    only_looks="I can only look things up here.",
    snoozed="OK, I'll remind you again {}.".format,
    owed_prefix="My last answer, which didn't reach you:",
    maybe_sent_prefix="You may have seen this one:",
    working="Still thinking. Tap here in a moment.",
    not_ready="Not ready yet. One more moment.",
    notion_late="Notion will follow later.",
    notion_first="It's in Notion too. See everything here: {}".format,
    undo="Undo",
    done="Done",
    delete="Delete",
    keep="Keep",
    snooze="Remind me later",
    show_answer="See the answer",
)

_PHRASES: Final[Mapping[Language, Phrases]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}

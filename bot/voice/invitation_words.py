"""What the secretary says about who else may talk to it, in four languages.

Pure words. Must not know who is invited, or how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWords:
    """The sentences of one language. Labels of buttons fit LINE's 20 characters."""

    # inviting
    invitation: Callable[[str, str], str]
    """The link and the code: a message to be forwarded, so it speaks to whoever gets it."""
    invitation_without_link: Callable[[str], str]
    guest_invitation: Callable[[str, str], str]
    guest_invitation_without_link: Callable[[str], str]
    only_owner: str
    welcome: str
    welcome_guest: str
    stale: str
    already_in: str
    # members
    nobody_yet: str
    members: Callable[[str], str]
    """The names, one a line."""
    guest: Callable[[str], str]
    remove_ask: Callable[[str], str]
    removed: Callable[[str], str]
    remove: str
    remove_one: Callable[[str], str]
    # the mirror
    mirrored: str
    not_mirrored: str
    owner_is_mirrored: str
    no_mirror: str


def invitation_words(language: Language) -> InvitationWords:
    """The sentences of a language."""
    return _WORDS[language]


_CHINESE: Final = InvitationWords(
    invitation=(
        "邀你一起用我的 LINE 秘書：行程、待辦、花費，跟它說一聲就記好。\n"
        "用手機點開，把填好的邀請碼送出就行（一天內有效，只能用一次）：\n{0}\n"
        "打不開？先加它好友，再傳這個碼：{1}\n"
        "你記的只有你自己在聊天裡看得到，不會進我的 Notion，除非你自己說。資料存在我架的機器上。"
    ).format,
    invitation_without_link=(
        "邀你一起用我的 LINE 秘書：行程、待辦、花費，跟它說一聲就記好。\n"
        "加它好友，再把這個碼傳給它（一天內有效，只能用一次）：{0}\n"
        "你記的只有你自己在聊天裡看得到，不會進我的 Notion，除非你自己說。資料存在我架的機器上。"
    ).format,
    guest_invitation=(
        "邀你來看看我的 LINE 秘書（訪客：只能看，不能記）。\n"
        "用手機點開，把填好的邀請碼送出就行（一天內有效，只能用一次）：\n{0}\n"
        "打不開？先加它好友，再傳這個碼：{1}\n"
        "你看得到的是有你在的群組清單，看不到別人自己的紀錄。"
    ).format,
    guest_invitation_without_link=(
        "邀你來看看我的 LINE 秘書（訪客：只能看，不能記）。\n"
        "加它好友，再把這個碼傳給它（一天內有效，只能用一次）：{0}\n"
        "你看得到的是有你在的群組清單，看不到別人自己的紀錄。"
    ).format,
    only_owner="這個只有主人能做。",
    welcome=(
        "歡迎，從現在起我也是你的秘書。直接說就好，像「午餐 120」。\n"
        "你記的只有你自己看得到；想讓主人的 Notion 也有，說「我的紀錄也放進 Notion」，隨時能收回。"
    ),
    welcome_guest="歡迎。你是訪客，可以看有你在的群組清單，不能新增或修改。",
    stale="這個邀請碼過期或用過了，請主人再邀一次。",
    already_in="你已經可以用了，直接說就好。",
    nobody_yet="還沒有別人。說「邀請」，我就給你一則可以轉傳的邀請。",
    members="可以用我的人：\n{0}".format,
    guest="{0}（訪客）".format,
    remove_ask="要移除 {0} 嗎？之後我就不再回他；他的紀錄留著，還是只屬於他。".format,
    removed="好，{0} 不能再用了。他記的還留著，沒有別人看得到。".format,
    remove="移除",
    remove_one="移除 {0}".format,
    mirrored="好，你的紀錄也會放進主人的 Notion：能打開那張表的人都看得到。想收回就說「我的紀錄不要放 Notion」。",
    not_mirrored="好，你的紀錄不放 Notion 了；已經在那裡的會移到 Notion 的垃圾桶，主人 30 天內還翻得到。",
    owner_is_mirrored="你是主人，你的紀錄本來就在你的 Notion。",
    no_mirror="這裡沒有接 Notion，你的紀錄只在這裡。",
)

_JAPANESE: Final = InvitationWords(
    invitation=(
        "私のLINE秘書を一緒に使いませんか。予定、やること、お金を、話すだけで残してくれます。\n"
        "スマホで開いて、入力済みのコードを送ってください（1日有効、1回だけ）：\n{0}\n"
        "開けないときは、友だちに追加してこのコードを送ってください：{1}\n"
        "あなたの記録はチャットであなただけに見え、あなたが言わない限り私のNotionには入りません。データは私のサーバーに保存されます。"
    ).format,
    invitation_without_link=(
        "私のLINE秘書を一緒に使いませんか。予定、やること、お金を、話すだけで残してくれます。\n"
        "友だちに追加して、このコードを送ってください（1日有効、1回だけ）：{0}\n"
        "あなたの記録はチャットであなただけに見え、あなたが言わない限り私のNotionには入りません。データは私のサーバーに保存されます。"
    ).format,
    guest_invitation=(
        "私のLINE秘書にゲストとして招待します（見るだけ、記録はできません）。\n"
        "スマホで開いて、入力済みのコードを送ってください（1日有効、1回だけ）：\n{0}\n"
        "開けないときは、友だちに追加してこのコードを送ってください：{1}\n"
        "見えるのはあなたがいるグループのリストだけで、ほかの人の個人の記録は見えません。"
    ).format,
    guest_invitation_without_link=(
        "私のLINE秘書にゲストとして招待します（見るだけ、記録はできません）。\n"
        "友だちに追加して、このコードを送ってください（1日有効、1回だけ）：{0}\n"
        "見えるのはあなたがいるグループのリストだけで、ほかの人の個人の記録は見えません。"
    ).format,
    only_owner="これは持ち主だけができます。",
    welcome=(
        "ようこそ、今日からあなたの秘書でもあります。「昼ごはん 850円」のように話しかけてください。\n"
        "あなたの記録はあなただけに見えます。持ち主のNotionにも入れるなら「私の記録もNotionに」と送ってください。いつでもやめられます。"
    ),
    welcome_guest="ようこそ。ゲストなので、あなたがいるグループのリストを見られます。追加や変更はできません。",
    stale="この招待コードは期限切れか使用済みです。持ち主にもう一度招待してもらってください。",
    already_in="もう使えます。そのまま話しかけてください。",
    nobody_yet="まだほかの人はいません。「招待」と送ると、転送できる招待を作ります。",
    members="使える人：\n{0}".format,
    guest="{0}（ゲスト）".format,
    remove_ask="{0}さんを外しますか？今後お返事しません。記録は残り、本人のもののままです。".format,
    removed="{0}さんを外しました。記録は残っていますが、ほかの人には見えません。".format,
    remove="外す",
    remove_one="{0}を外す".format,
    mirrored="はい、持ち主のNotionにも入れます。その表を開ける人には見えます。やめるときは「私の記録はNotionに入れないで」。",
    not_mirrored="はい、Notionには入れません。入っていた分はNotionのゴミ箱に移し、30日間は持ち主が見られます。",
    owner_is_mirrored="持ち主なので、記録はもともとあなたのNotionにあります。",
    no_mirror="Notionにはつながっていません。記録はここだけにあります。",
)

_THAI: Final = InvitationWords(
    invitation=(
        "ชวนมาใช้เลขาใน LINE ของเราด้วยกัน นัด งาน รายจ่าย พิมพ์มาก็จดให้\n"
        "เปิดลิงก์ในมือถือ แล้วส่งรหัสที่กรอกไว้ให้ (ใช้ได้หนึ่งวัน ครั้งเดียว):\n{0}\n"
        "เปิดไม่ได้? เพิ่มเป็นเพื่อนแล้วส่งรหัสนี้: {1}\n"
        "สิ่งที่คุณจดมีแค่คุณที่เห็นในแชต จะไม่เข้า Notion ของเราจนกว่าคุณจะบอกเอง ข้อมูลเก็บในเครื่องที่เราดูแล"
    ).format,
    invitation_without_link=(
        "ชวนมาใช้เลขาใน LINE ของเราด้วยกัน นัด งาน รายจ่าย พิมพ์มาก็จดให้\n"
        "เพิ่มเป็นเพื่อนแล้วส่งรหัสนี้ (ใช้ได้หนึ่งวัน ครั้งเดียว): {0}\n"
        "สิ่งที่คุณจดมีแค่คุณที่เห็นในแชต จะไม่เข้า Notion ของเราจนกว่าคุณจะบอกเอง ข้อมูลเก็บในเครื่องที่เราดูแล"
    ).format,
    guest_invitation=(
        "ชวนมาดูเลขาใน LINE ของเรา (แขก: ดูได้ จดไม่ได้)\n"
        "เปิดลิงก์ในมือถือ แล้วส่งรหัสที่กรอกไว้ให้ (ใช้ได้หนึ่งวัน ครั้งเดียว):\n{0}\n"
        "เปิดไม่ได้? เพิ่มเป็นเพื่อนแล้วส่งรหัสนี้: {1}\n"
        "คุณเห็นเฉพาะรายการของกลุ่มที่คุณอยู่ ไม่เห็นบันทึกส่วนตัวของคนอื่น"
    ).format,
    guest_invitation_without_link=(
        "ชวนมาดูเลขาใน LINE ของเรา (แขก: ดูได้ จดไม่ได้)\n"
        "เพิ่มเป็นเพื่อนแล้วส่งรหัสนี้ (ใช้ได้หนึ่งวัน ครั้งเดียว): {0}\n"
        "คุณเห็นเฉพาะรายการของกลุ่มที่คุณอยู่ ไม่เห็นบันทึกส่วนตัวของคนอื่น"
    ).format,
    only_owner="เรื่องนี้เจ้าของเท่านั้นที่ทำได้",
    welcome=(
        "ยินดีต้อนรับ จากนี้เราเป็นเลขาของคุณด้วย พิมพ์มาได้เลย เช่น “ข้าวเที่ยง 80”\n"
        "สิ่งที่คุณจดมีแค่คุณที่เห็น ถ้าอยากให้เข้า Notion ของเจ้าของด้วย พิมพ์ “บันทึกของฉันใน Notion” ยกเลิกได้ทุกเมื่อ"
    ),
    welcome_guest="ยินดีต้อนรับ คุณเป็นแขก ดูรายการของกลุ่มที่คุณอยู่ได้ แต่เพิ่มหรือแก้ไม่ได้",
    stale="รหัสเชิญนี้หมดอายุหรือถูกใช้แล้ว ขอให้เจ้าของเชิญอีกครั้ง",
    already_in="คุณใช้ได้อยู่แล้ว พิมพ์มาได้เลย",
    nobody_yet="ยังไม่มีคนอื่น พิมพ์ “เชิญ” แล้วจะได้ข้อความเชิญที่ส่งต่อได้",
    members="คนที่ใช้เลขาได้:\n{0}".format,
    guest="{0} (แขก)".format,
    remove_ask="เอา {0} ออกไหม จากนั้นเราจะไม่ตอบเขาอีก บันทึกของเขายังอยู่และเป็นของเขาคนเดียว".format,
    removed="เอา {0} ออกแล้ว สิ่งที่เขาจดยังอยู่ แต่ไม่มีใครอื่นเห็น".format,
    remove="เอาออก",
    remove_one="เอา {0} ออก".format,
    mirrored="ได้ บันทึกของคุณจะเข้า Notion ของเจ้าของด้วย ใครเปิดตารางนั้นได้ก็เห็น ถ้าจะเลิกพิมพ์ “อย่าใส่บันทึกของฉันใน Notion”",
    not_mirrored="ได้ ไม่ใส่ใน Notion แล้ว ที่อยู่ในนั้นจะย้ายไปถังขยะของ Notion ซึ่งเจ้าของยังดูได้ 30 วัน",
    owner_is_mirrored="คุณเป็นเจ้าของ บันทึกของคุณอยู่ใน Notion ของคุณอยู่แล้ว",
    no_mirror="ที่นี่ไม่ได้ต่อกับ Notion บันทึกของคุณอยู่ที่นี่เท่านั้น",
)

_ENGLISH: Final = InvitationWords(
    invitation=(
        "Come and share my LINE secretary: tell it plans, to-dos or spending, and it keeps them.\n"
        "Open this on your phone and send the code that is filled in (good for one day, once):\n{0}\n"
        "It won't open? Add the secretary as a friend and send it this code: {1}\n"
        "What you note only you can see in the chat; it is not in my Notion unless you say so. "
        "It is stored on my machine."
    ).format,
    invitation_without_link=(
        "Come and share my LINE secretary: tell it plans, to-dos or spending, and it keeps them.\n"
        "Add it as a friend and send it this code (good for one day, once): {0}\n"
        "What you note only you can see in the chat; it is not in my Notion unless you say so. "
        "It is stored on my machine."
    ).format,
    guest_invitation=(
        "Come and look into my LINE secretary as a guest (you can look, not note).\n"
        "Open this on your phone and send the code that is filled in (good for one day, once):\n{0}\n"
        "It won't open? Add the secretary as a friend and send it this code: {1}\n"
        "You see the lists of groups you are in, and nobody's own records."
    ).format,
    guest_invitation_without_link=(
        "Come and look into my LINE secretary as a guest (you can look, not note).\n"
        "Add it as a friend and send it this code (good for one day, once): {0}\n"
        "You see the lists of groups you are in, and nobody's own records."
    ).format,
    only_owner="Only the owner can do that.",
    welcome=(
        "Welcome: from now on I'm your secretary too. Just talk to me, for example “Lunch 12.50”.\n"
        "What you note only you can see. To have it in the owner's Notion too, say “my records in Notion”; "
        "you can take that back any time."
    ),
    welcome_guest="Welcome. You are a guest: you can look into the lists of groups you are in, and change nothing.",
    stale="This invitation has run out or been used. Please ask the owner for another.",
    already_in="You're in already. Just talk to me.",
    nobody_yet="Nobody else yet. Say “invite” and I'll write you an invitation to forward.",
    members="Who may use me:\n{0}".format,
    guest="{0} (guest)".format,
    remove_ask="Remove {0}? I won't answer them any more. Their records stay, and stay theirs alone.".format,
    removed="Done: {0} can't use me any more. What they noted is kept, and nobody else can see it.".format,
    remove="Remove",
    remove_one="Remove {0}".format,
    mirrored=(
        "OK, your records go into the owner's Notion too: whoever can open that table sees them. "
        "To take it back, say “keep my records out of Notion”."
    ),
    not_mirrored=(
        "OK, no longer in Notion. What was there goes to Notion's trash, where the owner can find it for 30 days."
    ),
    owner_is_mirrored="You're the owner: your records are in your Notion anyway.",
    no_mirror="No Notion is connected here: your records are only here.",
)

_WORDS: Final[Mapping[Language, InvitationWords]] = {
    "zh-TW": _CHINESE,
    "ja": _JAPANESE,
    "th": _THAI,
    "en": _ENGLISH,
}

"""What is said where somebody takes their records along, or goes.

Pure words. Must not know what was done before a sentence, or how a link is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class FarewellWords:
    """The sentences of one language. Labels fit LINE's 20 characters."""

    # taking along
    link: Callable[[int, str], str]
    """How many records, and the link."""
    nothing_to_take: str
    no_address: str
    """The operator has set no address under which a link could be opened."""
    page_title: str
    page_text: str
    page_button: str
    page_gone: str
    file_name: str
    """Without its ending."""
    # going
    ask: Callable[[int], str]
    forget: str
    stay: str
    forgotten: Callable[[int], str]
    still_owner: str
    by_invitation: str
    """Who came by an invitation is not let in without a new one."""
    mirror_follows: str
    before: str
    too_late: str
    tap: str
    """The question is answered by its button alone."""


def farewell_words(language: Language) -> FarewellWords:
    """The sentences of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, FarewellWords]] = {
    "zh-TW": FarewellWords(
        link="你的 {} 筆紀錄，Excel 打得開。連結只能用一次，一小時內有效：\n{}".format,
        nothing_to_take="你還沒有紀錄可以匯出。",
        no_address="這裡還沒設定對外網址，沒辦法給你連結。請管理者執行 `python -m bot export`，就能拿到檔案。",
        page_title="匯出紀錄",
        page_text="你的紀錄，Excel 打得開。按下去就開始下載，只能下載一次。",
        page_button="下載",
        page_gone="這個連結用過了，或已經過期。在 LINE 再說一次「匯出」就有新的。",
        file_name="我的紀錄",
        ask="要把你的一切都刪掉嗎？{} 筆紀錄、設定和對話都會不見，救不回來。想留一份，先說「匯出」。".format,
        forget="全部刪掉",
        stay="不要",
        forgotten="都刪了：{} 筆紀錄、設定和對話。之後再跟我說話，就是重新認識。".format,
        still_owner="只留一件事：你還是這裡的主人。",
        by_invitation="想再回來，請主人再邀請一次。",
        mirror_follows="Notion 裡的頁面也會丟進垃圾桶，還要一點時間。",
        before="這件事已經辦好了。",
        too_late="隔太久，這個確認已經失效，什麼都沒刪。還要的話再說一次「忘記我」。",
        tap="這件事要按按鈕才算，打字不算：",
    ),
    "ja": FarewellWords(
        link="記録{}件をExcelで開けるファイルにしました。リンクは1回だけ、1時間以内に使えます：\n{}".format,
        nothing_to_take="書き出せる記録はまだありません。",
        no_address=(
            "外から開けるアドレスが設定されていないため、リンクを作れません。"
            "管理者が `python -m bot export` を実行すると、ファイルを受け取れます。"
        ),
        page_title="記録の書き出し",
        page_text="あなたの記録です。Excelで開けます。押すとダウンロードが始まります。1回だけです。",
        page_button="ダウンロード",
        page_gone="このリンクは使用済みか、期限切れです。LINEで「エクスポート」と送ると、新しいリンクが届きます。",
        file_name="記録",
        ask=(
            "あなたのことをすべて消しますか？記録{}件、設定、会話がなくなり、元に戻せません。"
            "残したいときは先に「エクスポート」と送ってください。"
        ).format,
        forget="すべて消す",
        stay="やめる",
        forgotten="すべて消しました：記録{}件、設定、会話。またお話しするときは、はじめましてからになります。".format,
        still_owner="ひとつだけ、ここの持ち主であることは残しています。",
        by_invitation="また使うときは、持ち主からの招待が必要です。",
        mirror_follows="Notionのページもゴミ箱に移します。もう少しかかります。",
        before="こちらは対応済みです。",
        too_late="時間がたったため、この確認は無効になりました。何も消していません。必要ならもう一度「私を忘れて」とどうぞ。",
        tap="これはボタンを押したときだけ行います：",
    ),
    "th": FarewellWords(
        link="{} รายการของคุณ เปิดด้วย Excel ได้ ลิงก์นี้ใช้ได้ครั้งเดียวภายในหนึ่งชั่วโมง:\n{}".format,
        nothing_to_take="ยังไม่มีรายการให้ส่งออก",
        no_address="ที่นี่ยังไม่ได้ตั้งที่อยู่สำหรับเปิดลิงก์ ให้ผู้ดูแลสั่ง `python -m bot export` แล้วจะได้ไฟล์",
        page_title="ส่งออกรายการ",
        page_text="รายการของคุณ เปิดด้วย Excel ได้ กดแล้วจะเริ่มดาวน์โหลด ได้ครั้งเดียว",
        page_button="ดาวน์โหลด",
        page_gone="ลิงก์นี้ใช้ไปแล้วหรือหมดอายุ พิมพ์ “ส่งออก” ใน LINE อีกครั้งเพื่อรับลิงก์ใหม่",
        file_name="รายการของฉัน",
        ask="จะลบทุกอย่างของคุณไหม {} รายการ การตั้งค่า และบทสนทนาจะหายไปและกู้คืนไม่ได้ ถ้าอยากเก็บไว้ พิมพ์ “ส่งออก” ก่อน".format,
        forget="ลบทั้งหมด",
        stay="ไม่ต้อง",
        forgotten="ลบหมดแล้ว: {} รายการ การตั้งค่า และบทสนทนา ถ้าคุยกันอีก จะเริ่มรู้จักกันใหม่".format,
        still_owner="เหลือไว้อย่างเดียว คุณยังเป็นเจ้าของที่นี่",
        by_invitation="ถ้าจะกลับมาใช้อีก ให้เจ้าของส่งคำเชิญใหม่",
        mirror_follows="หน้าใน Notion จะถูกย้ายไปถังขยะด้วย ใช้เวลาอีกสักครู่",
        before="เรื่องนี้จัดการไปแล้ว",
        too_late="นานเกินไป คำยืนยันนี้ใช้ไม่ได้แล้ว ยังไม่ได้ลบอะไร ถ้ายังต้องการ พิมพ์ “ลืมฉัน” อีกครั้ง",
        tap="เรื่องนี้ต้องกดปุ่มเท่านั้น:",
    ),
    "en": FarewellWords(
        link="Your records ({}), as a file for Excel. The link works once, within an hour:\n{}".format,
        nothing_to_take="You have no records to export yet.",
        no_address=(
            "No public address is set up here, so I can't make a link. "
            "The operator can get you the file with `python -m bot export`."
        ),
        page_title="Export your records",
        page_text="Your records, as a file for Excel. The button starts the download; it works once.",
        page_button="Download",
        page_gone="This link has been used or is too old. Say “export” in LINE for a new one.",
        file_name="my-records",
        ask=(
            "Delete everything of yours? Your records ({}), settings and our talk will be gone for good. "
            "To keep a copy, say “export” first."
        ).format,
        forget="Delete everything",
        stay="Don't",
        forgotten="All deleted: your records ({}), settings and our talk. If you write again, we start afresh.".format,
        still_owner="One thing stays: you are still the owner here.",
        by_invitation="To come back, you'll need a new invitation from the owner.",
        mirror_follows="The pages in Notion go to its trash too; that takes a little longer.",
        before="That's been taken care of already.",
        too_late="That question is too old now. Nothing was deleted; if you still want it, say “forget me” again.",
        tap="This one needs a tap on the button:",
    ),
}

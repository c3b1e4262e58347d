"""The words the offline engine knows, one table per language: how people ask and tell.

Data only: regular expressions over the message in half width and lower case. Messages are tried against every language.
Must not know what is done with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language's patterns. ``(?P<rest>…)`` is what the message is about, where a pattern names it."""

    note: str
    """In front: what follows is to be kept."""
    idea: str
    task: str
    remind: str
    """In front or behind: the person wants to be told in time."""
    alarm: str
    """A reminder that is about nothing but its time."""
    add_to_list: str
    """``thing`` and ``list``."""
    verbs: str
    """Begins (or in Japanese ends) something to be done."""
    happening: str
    """Something to attend."""
    done: str
    """``ref`` numbers that are finished."""
    delete: str
    edit: str
    """``ref``, and ``rest``: what it becomes."""
    find: str
    spent: str
    earned: str
    net: str
    agenda: str
    todo: str
    question: str
    command: str
    """Asks for something to be undone, changed or stopped, which is no new record."""
    unserved: str
    """Asks for what a secretary's notebook cannot give."""
    repeated: str
    """Happens again and again, or means everything: no single record says that."""
    income: str
    fixed_number: str
    """A number behind one of these is a name, no price."""
    filler: str
    """May be left out of what a question is about."""


_NEVER = r"(?!)"
_REFS = r"#?\d{1,6}(?:\s*(?:[,、和與と&]|and|และ|\s)\s*#?\d{1,6})*"

SIMPLIFIED: Final[Mapping[str, str]] = dict(
    zip(
        "记备备点务设闹钟别约联认换车图书卖买缴还号码给诉显页员开关灯气温雨关乐词译时电话机会议饭谈截单饮营养费钱块币"
        "薪资奖金红课动诊医药楼锻炼顿餐赚结净剩进帐项销总计统订预报扫填挂续约读写办删减长缩转发换购类么吗谁哪何刚后这个来为从发现",
        "記備備點務設鬧鐘別約聯認換車圖書賣買繳還號碼給訴顯頁員開關燈氣溫雨關樂詞譯時電話機會議飯談截單飲營養費錢塊幣"
        "薪資獎金紅課動診醫藥樓鍛鍊頓餐賺結淨剩進帳項銷總計統訂預報掃填掛續約讀寫辦刪減長縮轉發換購類麼嗎誰哪何剛後這個來為從發現",
        strict=True,
    )
)
"""Simplified characters are compared as traditional ones."""

WORDS: Final[Mapping[Language, Words]] = {
    "zh-TW": Words(
        note=(
            r"^(?:請|幫我)?(?:記帳|記一筆|記一下|記住|記下來?|記錄一下|記錄|筆記|備忘|備註|記)(?:[:：,,\s]+|"
            r"(?=\S))(?P<rest>(?!得|者|憶|帳)\S.*)"
        ),
        idea=r"^(?:點子|想法|靈感|想到)[:：,\s]+(?P<rest>.+)",
        task=(
            r"^(?:待辦|任務)[:：,\s]+(?P<rest>\S.*)|^(?:記得要?|別忘了?|不要忘記|我要|我得|"
            r"要)[:：,\s]*(?P<rest2>\S.*)"
        ),
        alarm=r"鬧鐘|叫我起床|叫醒我",
        remind=r"(?:請|幫我)?(?:設定|建立|設)?(?:一個)?(?:提醒我?一?下?|叫我|通知我|鬧鐘)",
        add_to_list=(
            r"^(?:請|幫我)?(?:把|將)(?P<thing>.+?)(?:加到|加入|加進|放進|放到)(?P<list>\S*清單)|"
            r"^(?P<list2>\S*清單)(?:加入|加上|加)(?P<thing2>.+)"
        ),
        verbs=(
            r"^(?:去\S|(?:去|等一下|待會|順便|先)?(?:買|繳|付|打電話|打給|撥|寄|還|拿|領|取|訂|預約|預訂|約|洗|倒|丟|交|寫|回|準備|"
            r"整理|聯絡|檢查|確認|修|換|借|送|接|報名|申請|掃|拖|煮|帶|填|掛號|通知|更新|印|看完|讀完|續約))"
        ),
        happening=(
            r"會議?|開會|聚|餐|飯|面試|牙醫|醫|回診|門診|課|考試?|出差|出發|約|生日|演唱會|電影|旅|班機|報告|活動|"
            r"比賽|婚|喜酒|典禮|展|派對|面談|截止"
        ),
        done=(
            rf"^(?:完成|做完|搞定|辦好|好了|勾掉)了?\s*(?P<ref>{_REFS})$|^(?P<ref2>{_REFS})\s*(?:號)?(?:完成|做完|"
            rf"搞定|好|辦好|做好)了?$"
        ),
        delete=rf"^(?:刪掉|刪除|刪|移除|拿掉)\s*(?P<ref>{_REFS})$|^(?:把)?\s*(?P<ref2>{_REFS})\s*(?:刪掉|刪除|刪)了?$",
        edit=r"^#?(?P<ref>\d{1,6})\s*(?:改成|改到|改為|改|延到|移到|換成)\s*(?P<rest>.+)",
        find=r"^(?:幫我)?(?:找一下|找找|找|搜尋|搜索|搜|查詢|查一下|查)(?:[:：\s]*)(?P<rest>\S.*)",
        spent=(
            r"(?:花|用|支出|消費|開銷|付|買).*(?:多少|幾塊|幾元)|(?:支出|花費|消費|開銷)(?:總額|合計|總計|統計)?$|"
            r"總共花|多少錢$"
        ),
        earned=r"(?:收入|賺|進帳).*(?:多少)?$|賺了?多少",
        net=r"(?:結餘|淨收|收支|剩多少錢)",
        agenda=(
            r"(?:有(?:什麼|啥|哪些)(?:事|行程|安排|計[畫劃]|活動|約|會議)|(?:行程|安排|計[畫劃])(?:是什麼|有哪些|"
            r"呢)?$|要(?:做|幹)(?:什麼|嘛)|有(?:事|行程|安排|約)嗎)"
        ),
        todo=(
            r"(?:還有(?:什麼|哪些|啥).*(?:沒|未|要)|(?:什麼|哪些|啥).*(?:沒做|未完成|沒完成)|(?:待辦|待辦事項|"
            r"待辦清單|未完成)(?:有哪些|是什麼|呢)?$|我的待辦)"
        ),
        question=(
            r"[??]|嗎|呢$|什麼|啥|多少|幾|有沒有|是不是|會不會|能不能|可不可以|怎麼|為什麼|哪|誰|何時|告訴我|顯示|"
            r"列出|給我看"
        ),
        command=(
            r"^(?:請|幫我|把|將)*(?:取消|刪|移除|清除|停止|關閉|推遲|延後|延遲|暫停|修改|更改|改|變更|重設|重新|"
            r"恢復|增加|減少|延長|縮短|算了|把鬧鐘|上傳|儲存|保存)|(?:提醒|鬧鐘)(?:取消|刪除|關閉)|(?:改到|改成|改為|延到|延後到|提前到|移到|挪到|改期)"
        ),
        unserved=(
            r"天氣|氣溫|溫度|下雨|下雪|雨傘|颱風|播放|音樂|歌單|播客|笑話|翻譯|計時|倒數|打開|關掉|關燈|開燈|開啟|"
            r"調[高低亮暗]|電影時間|評[分級]|搜尋網|股價|匯率|導航|路線|攝氏|華氏"
        ),
        repeated=r"每(?:天|日|週|周|個|月|年|晚|早|星期|隔)|所有",
        income=r"還我|還錢給我|薪水|薪資|工資|獎金|收入|年終|股利|利息|退稅|退款|領錢|紅包收|租金收入|中獎|稿費",
        fixed_number=(
            r"(?:身高|體重|血壓|血糖|體溫|步數|里程|電量|電話|手機|分機|號碼|密碼|房號|門號|座位|帳號|代碼|公車|版本|"
            r"第|編號|統編|(?<![a-z])(?:pin|wifi|room|id))\s*(?:是|:)?\s*$"
        ),
        filler=r"我|的|在|了|總共|一共|大概|目前|到底|請問|幫我|上面|錢|是|有|都|和|東西|方面|這",
    ),
    "ja": Words(
        note=(
            r"^(?:メモ|メモして|覚えておいて|記録|ノート)(?:[:：、,\s]+)(?P<rest>.+)|^(?P<rest2>.+?)(?:を|"
            r"と)(?:メモして|メモっておいて|覚えておいて|記録して)(?:ください|おいて)?$"
        ),
        idea=r"^(?:アイデア|アイディア|思いつき)[:：、\s]+(?P<rest>.+)",
        task=r"^(?:タスク|todo|やること|忘れずに)[:：、\s]+(?P<rest>.+)",
        alarm=r"アラーム|起こして|目覚まし",
        remind=(
            r"(?:ように|よう|について|ことを|のを)?(?:リマインド|リマインダー|知らせて|教えて|通知して|起こして|"
            r"アラーム)(?:を)?(?:設定|作成|セット|スケジュール)?(?:して|する)?(?:ください|ほしい|くれる)?"
        ),
        add_to_list=(
            r"^(?P<list>\S*リスト)に(?P<thing>.+?)を(?:追加|入れ)|^(?P<thing2>.+?)を(?P<list2>\S*リスト)に(?:追加|"
            r"入れ)"
        ),
        verbs=r".+[をにへ].+(?:[うくすつぬむるぐぶ]|しなきゃ|しないと|すること|しておく)$",
        happening=(
            r"会議|会|予定|面接|歯医者|病院|医者|健診|授業|試験|テスト|出張|飲み|ランチ|ディナー|食事|誕生日|"
            r"ライブ|映画|旅行|打ち合わせ|ミーティング|締め切り|式|待ち合わせ|予約"
        ),
        done=(
            rf"^(?:完了|済み?|終わった|できた)\s*(?P<ref>{_REFS})$|^(?P<ref2>{_REFS})\s*(?:番)?(?:は|が|"
            rf"を)?\s*(?:完了|済み?|終わった|終わりました|できた)(?:しました|した)?$"
        ),
        delete=(
            rf"^(?:削除|消して|消す)\s*(?P<ref>{_REFS})$|^(?P<ref2>{_REFS})\s*(?:番)?(?:を)?\s*(?:削除|消して|"
            rf"消す)(?:して|する|ください)*$"
        ),
        edit=(
            r"^#?(?P<ref>\d{1,6})\s*(?:番)?(?:を|は)\s*(?P<rest>.+?)に(?:変更|変えて|ずらして|"
            r"移動)(?:して)?(?:ください)?$|^#(?P<ref2>\d{1,6})\s*(?:番)?(?:を|は)\s*(?P<rest2>.+?)に?$"
        ),
        find=r"^(?:検索|探して|調べて)[:：\s]+(?P<rest>.+)|^(?P<rest2>.+?)を(?:検索|探して|探す)(?:して|ください)*$",
        spent=(
            r"(?:いくら|何円|どれくらい).*(?:使|か|払|買)|(?:使|支出|出費|費).*(?:いくら|何円|合計|どれくらい)|"
            r"(?:支出|出費|費)(?:合計)?(?:は|を)?[??]?$"
        ),
        earned=r"(?:収入|稼).*(?:いくら|合計)?",
        net=r"収支|差し引き|手元に",
        agenda=(
            r"(?:予定|スケジュール|用事)(?:は|を|って|が)?(?:何|なに|ある|あります|教えて|見せて)?(?:か)?[??]?$|"
            r"何(?:が|か)(?:あり|ある)|何する"
        ),
        todo=r"(?:やること|タスク|todo|未完了|残って(?:いる|る)|終わってない|まだ).*(?:は|何|ある|教えて|一覧)?[??]?$",
        question=(
            r"[??]|(?:です|ます|ました|でしょう)か|何|なに|いつ|どこ|誰|だれ|いくら|どれ|どう|なぜ|教えて|見せて|"
            r"表示|かな$|一覧|残り時間"
        ),
        command=(
            r"(?:キャンセル|取り消|取消|削除|消して|停止|止めて|変更|オフに|スヌーズ|延期|ずらして|再開|終了|"
            r"一時停止|無効|オフ|リセット)"
        ),
        unserved=(
            r"天気|気温|雨|雪|傘|再生|音楽|曲|プレイリスト|冗談|翻訳|タイマー|つけて|ライト|電気|エアコン|明るさ|"
            r"上映|映画の時間|評価|為替|株価|ルート|上着|コート"
        ),
        repeated=r"毎(?:日|週|月|年|朝|晩|回)|すべて|全て|全部",
        income=r"給料|給与|収入|ボーナス|賞与|利息|還付|配当|お小遣い",
        fixed_number=(
            r"(?:身長|体重|血圧|体温|歩数|電話|番号|暗証番号|パスワード|部屋|座席|口座|コード|内線|第|pin|wifi|"
            r"room)\s*(?:は|:)?\s*$"
        ),
        filler=r"私|の|は|が|を|に|で|と|も|した|って|分|合計|全部で|だけ|お金|ました|です|か|これまで",
    ),
    "th": Words(
        note=r"^(?:ช่วย)?(?:จดไว้(?:ว่า)?|จดว่า|จด|บันทึกว่า|บันทึก|โน้ต|โน๊ต|จำไว้ว่า)[:\s]*(?P<rest>\S.*)",
        idea=r"^(?:ไอเดีย|ความคิด)[:\s]+(?P<rest>.+)",
        task=r"^(?:อย่าลืม|ต้อง)[:\s]*(?P<rest>\S.*)|^งาน[:\s]+(?P<rest2>\S.*)",
        alarm=r"ปลุก",
        remind=(
            r"(?:ช่วย|โปรด|กรุณา)?(?:ตั้ง|สร้าง|เพิ่ม)?(?:การ|ให้)?(?:แจ้ง)?เตือน(?:ความจำ)?(?:ให้)?(?:ฉัน|ผม|เรา|หนู)?(?:ด้วย|"
            r"ว่า|ให้|เกี่ยวกับ|เรื่อง)?|(?:ตั้ง)?(?:นาฬิกา|เวลา)?ปลุก(?:ฉัน|ผม)?(?:ของฉัน)?"
        ),
        add_to_list=(
            r"^(?:ช่วย|รบกวน|ขอ)?(?:ใส่|เพิ่ม)(?P<thing>.+?)(?:เข้าไปใน|ลงใน|ไปที่|เข้า|ใน)(?P<list>(?:ลิสต์|"
            r"รายการ)[^\s]*?)(?:หน่อย|ให้หน่อย|ที|ของฉัน|ด้วย)*$"
        ),
        verbs=(
            r"^(?:ไป)?(?:ซื้อ|จ่าย|โทร|ส่ง|รับ|จอง|นัด|ทำ|เตรียม|ซัก|ล้าง|คืน|ตรวจ|เขียน|อ่าน|เอา|พา|ติดต่อ|ต่อ|เปลี่ยน|ซ่อม|สมัคร|"
            r"ไปหา|ไปรับ|กินยา)"
        ),
        happening=r"ประชุม|นัด|สัมภาษณ์|หมอ|เรียน|สอบ|กินข้าว|งาน|วันเกิด|คอนเสิร์ต|หนัง|เที่ยว|บิน|ปาร์ตี้|ส่งงาน|แต่งงาน",
        done=rf"^(?:เสร็จแล้ว|เสร็จ|ทำแล้ว|ทำเสร็จ)\s*(?P<ref>{_REFS})$|^(?P<ref2>{_REFS})\s*(?:เสร็จแล้ว|เสร็จ|ทำแล้ว)$",
        delete=rf"^(?:ลบ|ลบทิ้ง)\s*(?P<ref>{_REFS})$|^(?P<ref2>{_REFS})\s*(?:ลบ|ลบทิ้ง)$",
        edit=r"^(?:เลื่อน|เปลี่ยน|แก้)?\s*#?(?P<ref>\d{1,6})\s*(?:เลื่อน|เปลี่ยน|แก้)?(?:เป็น|ไปเป็น|ไป)\s*(?P<rest>.+)",
        find=r"^(?:ค้นหา|หา(?!หมอ)|ค้น)[:\s]*(?P<rest>\S.*)",
        spent=r"(?:ใช้|จ่าย|เสีย|ค่า).*(?:เท่าไ[หร]+่?|กี่บาท|เท่าใด)|รายจ่าย(?:ทั้งหมด|รวม)?$|ใช้เงินไป",
        earned=r"รายได้|รายรับ|ได้เงิน.*เท่าไ",
        net=r"คงเหลือ|เหลือเงิน|กำไร",
        agenda=r"(?:มีอะไร(?:บ้าง|ไหม|มั้ย)?|มีนัด(?:อะไร|ไหม|มั้ย|หรือ)|นัดอะไร|ต้องทำอะไร|ตารางงาน|กำหนดการ)",
        todo=r"(?:เหลือ(?:งาน)?อะไร|ยังไม่(?:ได้ทำ|เสร็จ)|งาน(?:ที่)?(?:ค้าง|เหลือ)|มีงานอะไร)",
        question=(
            r"[??]|ไหม|มั้ย|หรือ(?:ไม่|เปล่า|ยัง)|อะไร|เท่าไ|กี่|ยังไง|อย่างไร|ที่ไหน|เมื่อไ|ใคร|ทำไม|บอก|แสดง|ขอดู|ดูหน่อย|มั๊ย|"
            r"ตอนไหน|ยัง$|โชว์|อยากเห็น|ต้องการเห็น|^ดู|^อ่านการ|ท่อง|ในวันนี้$|ที่เหลือ"
        ),
        command=(
            r"^(?:โปรด|ช่วย|กรุณา)?(?:ยกเลิก|ลบ|หยุด|ปิด|เลื่อน|เปลี่ยน|แก้|ข้าม|พัก|เริ่ม|กลับมา|ไม่ต้อง)|ยกเลิก|ชั่วคราว|อัพเดต|"
            r"อัปเดต|ปิดเสียง|ปิดนาฬิกา|ล้างเตือน|ไม่ต้องการ|ต้องการเลื่อน|ออกจาก|ทำเครื่องหมาย|แล้วใน|ปิดการ"
        ),
        unserved=(
            r"อากาศ|ฝน|หิมะ|แดด|อุณหภูมิ|ร่ม|เพลง|จับเวลา|ตัวจับเวลา|ไทเมอร์|เปิดไฟ|ปิดไฟ|แปล|ตลก|ร้อนไหม|หนาวไหม|อบอุ่น|พยากรณ์|"
            r"นับถอยหลัง|เปิดประตู"
        ),
        repeated=r"ทุก|ทั้งหมด",
        income=r"เงินเดือน|โบนัส|รายได้|รายรับ|เงินปันผล|ดอกเบี้ย|ได้เงิน",
        fixed_number=r"(?:น้ำหนัก|ส่วนสูง|ความดัน|เบอร์|โทร|รหัส|ห้อง|เลข|บัญชี|pin|wifi|room)\s*:?\s*$",
        filler=r"ฉัน|ผม|เรา|ไป|แล้ว|ทั้งหมด|เงิน|ค่า|กับ|เรื่อง|ที่|ของ|ครับ|ค่ะ|นะ",
    ),
    "en": Words(
        note=(
            r"^(?:please )?(?:note(?: down)?|memo|write down|jot down|keep in mind|"
            r"remember that)(?:\s+that)?[:,\s]+(?P<rest>.+)"
        ),
        idea=r"^(?:idea|thought)[:\s]+(?P<rest>.+)",
        task=(
            r"^(?:please )?(?:todo|to do|task|remember to|don'?t forget(?: to)?|i (?:need|have|must) to|"
            r"need to)[:\s]+(?P<rest>.+)"
        ),
        alarm=r"\b(?:alarms?|wake me)\b",
        remind=(
            r"(?:^|\b)(?:please |can you |could you )?(?:(?:set|create|make|add|schedule)(?: up)? (?:a |an |the |"
            r"me a |new |a new |my )*(?:reminder|alarm)s?(?: for me)?(?: (?:to|for|about|that))?|"
            r"remind me(?: (?:to|about|that|of))?|alert me(?: to)?|wake me(?: up)?)\b"
        ),
        add_to_list=r"^(?:please )?(?:add|put) (?P<thing>.+?) (?:to|on|in|into) (?:my |the )?(?P<list>[\w ]*list)\b",
        verbs=(
            r"^(?:buy|call|pay|send|email|pick up|book|return|renew|clean|wash|fix|get|write|finish|submit|order|"
            r"schedule|prepare|water|text|visit|check|mail|drop off|meet|ask|bring|take out|"
            r"cancel my subscription)\s+\S"
        ),
        happening=(
            r"\b(?:meeting|meet|call|dinner|lunch|breakfast|brunch|coffee|interview|dentist|doctor|appointment|"
            r"class|exam|test|trip|flight|birthday|concert|movie|party|deadline|wedding|gym|game|practice|lesson|"
            r"date|visit|event)\b"
        ),
        done=(
            rf"^(?:done|finished|completed?|mark(?: as)? done|check off)(?: with)?\s*(?P<ref>{_REFS})$|"
            rf"^(?P<ref2>{_REFS})\s*(?:is |are )?(?:done|finished|completed?)$|"
            rf"^mark (?P<ref3>{_REFS}) (?:as )?(?:done|finished|complete)$"
        ),
        delete=rf"^(?:delete|remove)\s*(?P<ref>{_REFS})$",
        edit=r"^(?:move|change|reschedule)\s+#?(?P<ref>\d{1,6})\s+to\s+(?P<rest>.+)",
        find=r"^(?:find|search(?: for)?|look up|look for)[:\s]+(?P<rest>.+)",
        spent=(
            r"\bhow much (?:money )?(?:did|have|do) i (?:spen[dt]|pa(?:y|id))|\b(?:spending|expenses|"
            r"spent)\b.*(?:total|\?$|month$|week$|today$|year$)|^(?:my )?(?:spending|expenses)\b"
        ),
        earned=r"\bhow much (?:did|have) i (?:earn|make|made)|\bincome\b.*(?:\?|total|month$|year$)",
        net=r"\b(?:net|balance)\b",
        agenda=(
            r"\bwhat(?:'s| is| are|s)?\b.*\b(?:on|due|happening|planned|scheduled|up|plans?|agenda|schedule|"
            r"calendar|reminders?|events?|appointments?)\b|^(?:my )?(?:agenda|schedule|calendar|plans)\b|"
            r"\bwhat do i have\b|\bdo i have (?:any|anything)\b"
        ),
        todo=(
            r"\b(?:what(?:'s| is|s) (?:left|open|still)|to-?do(?: list)?\s*\??$|open tasks|what do i (?:need|"
            r"have) to do|left to do|my tasks)"
        ),
        question=(
            r"\?|^(?:what|when|how|is|are|am|do|does|did|can|could|will|would|who|where|why|which|should|has|have|"
            r"was|were|tell|show|list|give|read|find out|let me know|i want to know|i need to know|"
            r"i would like to know|any|shall|if|review|check (?:if|whether|the status))\b"
        ),
        command=(
            r"^(?:please )?(?:can you |could you |i want you to )?(?:cancel|delete|remove|stop|turn|change|snooze|"
            r"postpone|move|reschedule|pause|resume|clear|dismiss|skip|edit|modify|update|undo|reset|start|"
            r"take off|check off|shut|quit|abort|silence|disable|extend|decrease|increase|shorten|subtract|"
            r"get rid of|check .* off)\b|\boff (?:from )?my\b"
            r"|\b(?:moved|postponed|rescheduled|changed|delayed|pushed back) (?:to|until|by)\b"
        ),
        unserved=(
            r"\b(?:weather|rain|snow|forecast|temperature|umbrella|play|song|music|playlist|album|joke|translate|"
            r"timer|countdown|turn (?:on|off)|lights?|brightness|volume|movie times?|showtimes?|rate this|"
            r"stars? (?:to|out)|stock price|exchange rate|directions|navigate|degrees|episode|hands up|"
            r"shuffle|reviews?)\b"
        ),
        repeated=r"\b(?:every|daily|weekly|monthly|yearly|all (?:my|the|of))\b",
        income=r"\b(?:salary|paycheck|wages|bonus|income|refund|dividend|got paid)\b",
        fixed_number=(
            r"(?:\b(?:weight|height|weigh|bp|phone|ext|extension|code|password|pin|room|seat|account|flight|bus|version|chapter|gate|id|"
            r"no\.?|number|wifi|iphone|page|step|level|unit|apt|windows|ps)\b)\s*(?:is|:)?\s*$"
        ),
        filler=(
            r"\b(?:i|my|the|on|in|for|of|did|have|spend|spent|money|much|how|total|at|a|an|so far|is|was|to|do|"
            r"paid?)\b"
        ),
    ),
}  # fmt: skip

CATEGORY_WORDS: Final[tuple[str, ...]] = (
    # in the order of the standard categories: food, transport, shopping, home, fun, health, education, income, other
    (
        r"早餐|午餐|晚餐|早午餐|宵夜|消夜|便當|飲料|咖啡|奶茶|茶|飯|吃|餐|麵|水果|零食|菜|點心|火鍋|食|"
        r"昼|朝食|夕食|夜ご|ランチ|ディナー|カフェ|コーヒー|弁当|パン|飲み|外食|スーパー|ごはん|ご飯|ラーメン|"
        r"ข้าว|อาหาร|กาแฟ|ชา(?:นม|เย็น)|ก๋วยเตี๋ยว|ขนม|น้ำ(?:ดื่ม|เปล่า|ผลไม้|$)|กิน|มื้อ|ผลไม้|ส้มตำ|"
        r"\b(?:breakfast|lunch|dinner|brunch|coffee|tea|snacks?|groceries|grocery|food|pizza|beer|drinks?|meals?|eating|cafe|milk|bread)\b"
    ),
    (
        r"捷運|公車|計程車|車票|高鐵|火車|加油|停車|機票|油錢|悠遊卡|交通|uber|車資|"
        r"電車|バス|タクシー|ガソリン|切符|新幹線|駐車|交通|定期|"
        r"รถ|แท็กซี่|น้ำมัน|ค่าทางด่วน|bts|mrt|แกร็บ|เดินทาง|วิน|"
        r"\b(?:taxi|bus|metro|subway|train|gas|parking|uber|lyft|grab|fuel|flight|transport|fare)\b"
    ),
    (
        r"衣服|鞋|購物|網購|日用品|包包|書包|蝦皮|服|洋服|靴|買い物|日用品|เสื้อ|รองเท้า|ช้อป|กระเป๋า|"
        r"\b(?:clothes|shoes|shopping|amazon|shirt|jacket)\b"
    ),
    (
        r"房租|水費|電費|瓦斯|網路費|電話費|管理費|家具|家電|居家|租金|家賃|電気代|水道|ガス代|光熱|通信費|住まい|家具|"
        r"ค่าเช่า|ค่าไฟ|ค่าน้ำ|ค่าเน็ต|ค่าโทรศัพท์|บ้าน|"
        r"\b(?:rent|electricity|internet|utilities|water bill|furniture|phone bill|household)\b"
    ),
    (
        r"電影|遊戲|唱歌|ktv|演唱會|門票|娛樂|旅遊|映画|ゲーム|カラオケ|娯楽|ライブ|旅行|หนัง|เกม|คอนเสิร์ต|บันเทิง|เที่ยว|"
        r"\b(?:movies?|cinema|games?|concert|netflix|tickets?|fun|karaoke)\b"
    ),
    (
        r"看醫生|看診|掛號費|藥|牙醫|醫|診所|健身|病院|薬|歯医者|医療|診察|ยา|หมอ|โรงพยาบาล|คลินิก|สุขภาพ|"
        r"\b(?:doctor|medicine|pharmacy|dentist|hospital|gym|health|vitamins?)\b"
    ),
    (
        r"學費|補習|課本|書|課程|文具|教育|学費|塾|本代|授業|ค่าเทอม|หนังสือ|เรียน|การศึกษา|"
        r"\b(?:tuition|books?|course|class|school|education)\b"
    ),
)  # fmt: skip
INCOME_PLACE: Final = 7
"""Where income stands among the standard categories."""


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern of that name of every language, to be searched for; none of its groups are named."""
    assert name in {each.name for each in fields(Words)}
    return re.compile("|".join(f"(?:{_nameless(_folded(getattr(words, name)))})" for words in WORDS.values()))


@cache
def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The pattern of that name, language by language, with named groups."""
    return tuple(re.compile(_folded(getattr(words, name))) for words in WORDS.values())


@cache
def categories() -> tuple[re.Pattern[str], ...]:
    """What names a thing of each standard category that is not income, in their order."""
    return tuple(re.compile(_folded(words)) for words in CATEGORY_WORDS)


def _folded(expression: str) -> str:
    return "".join(SIMPLIFIED.get(char, char) for char in expression)


def group(match: re.Match[str], name: str) -> str:
    """What a named part of a pattern took, whichever of its forms matched (``rest``, ``rest2``)."""
    return next((text for key, text in match.groupdict().items() if key.startswith(name) and text is not None), "")


def _nameless(expression: str) -> str:
    return re.sub(r"\?P<\w+>", "?:", expression)

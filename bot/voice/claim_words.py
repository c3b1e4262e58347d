"""How people and models say in four languages that a deed was done or will be: the words behind the claims.

Pure words. Must not know what is made of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

SIMPLIFIED: Final = str.maketrans(
    "记录删储帮为还没给过经标设会总这个说吗么您纪增写进创订单调变动后时页档齐处办妥",
    "記錄刪儲幫為還沒給過經標設會總這個說嗎麼你紀增寫進創訂單調變動後時頁檔齊處辦妥",
)
"""Models answer in simplified characters now and then; one for one, so that places in a text stay where they are."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language claims. ``claim`` is a deed done or promised; it is none right behind ``before``, right in
    front of ``after``, or anywhere behind ``opening`` in its sentence."""

    claim: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    opening: re.Pattern[str]


# ── 中文 ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_ZH_DEED = (
    r"(?:(?<![筆的條項則個有些何關史查找費出份])[記紀]錄(?![顯裡中上有是內])|記(?!錄)|登[記錄入]|儲存|保存|存|新增|增加|添加|追加|加|建立|創建|寫|放[進入到]"
    r"|安排|排|預約|設定|設|列入|標記|標[成為]|更新|更改|修改|改|調整|變更|移除|移|延|刪除|刪|取消|清除|清空|[清砍丟拿](?=掉|光)|復原|還原)"
)
_ZH_GAP = r"(?:(?![不沒未無別要]|可以|能|如何|怎麼).)"
_ZH_END = r"[了囉嘍啦咯]"
_CHINESE: Final = Tongue(
    claim=re.compile(
        rf"已經?{_ZH_GAP}{{0,40}}?{_ZH_DEED}"
        rf"|{_ZH_DEED}(?:[好下起上入進到成完掉妥定為住在]|錄){{0,3}}[來去]?{_ZH_GAP}{{0,24}}?{_ZH_END}"
        rf"|{_ZH_DEED}[好妥](?=$|喔|唷|哦)"
        rf"|[幫為替給]你[先也都再]?(?:[把將]{_ZH_GAP}{{1,30}})?{_ZH_DEED}"
        r"|我(?:這就|馬上|立刻|現在就|來|會)(?:幫你)?[記加存設排刪改]"
        rf"|[會將]{_ZH_GAP}{{0,24}}?(?:提醒|通知|叫)你|(?:\d|[點分半時])\s?(?:再)?提醒你$|到時候?(?:再)?提醒你$"
        r"|提醒(?:時間)?(?:也|都)?已?經?[設定排][在為到](?!哪|幾|什麼)(?!.*#\d)"
        rf"|{_ZH_DEED}(?:完成|成功)$|已?入帳|進帳本?了|會記[住得著]|搞定|(?:處理|弄|辦|準備)好[了囉啦]|[幫為替給]你約[好了]|處理完畢|^(?:都|全部)?已經?(?:處理|完成|辦妥)[好妥]?[了囉啦]?$|^(?:都|全部)?完成[了囉啦！]?$|^(?:都|全部|已經)?好了$"
    ),
    before=re.compile(
        r"(?:沒有?|未|不|不會|不能|無法|沒辦法|別|不要|不用|不必|是否|有沒有|怎麼|如何|要|想|請你?|可以|能|能夠|失敗|來不及)"
        r"(?:再|先|幫你|替你|馬上|直接|成功|真的|被|我|[把將].{0,20})*$"
        r"|(?:昨[天晚日]|前[天晚]|上次|上回|上(?:週|禮拜|個?月)[一二三四五六日天末底初]?|去年|之前|先前|以前|當時|那時|原本|原先|早就|曾經?|早上|中午)"
        r"(?:就|已經?|有|你|我|我們|都|一共|總共|幫你)*$"
        r"|(?<![幫為替給跟])你(?:自己)?(?:已經?|都|總共|一共|共|有|今天|這個?月|本月|這週|最近|\d+/\d+|\s)*$"
        r"|(?:總共|一共|共|目前|至今|這個?月|本月|今年|這週|本週)(?:你|已經?|有|都)*$"
    ),
    after=re.compile(r"[的過嗎沒呢吧]|之?[後前]|以後|就(?!好)|才|時候?|與否"),
    opening=re.compile(
        r"最[多高少近]|平均|建議|如果|要是|假如|倘若|若|只要|除非|等你|的話|要不要|需不需要|要我|需要我|想要我"
        r"|是否|能不能|可不可以|想不想|應該要|可以(?![的了啊呀喔囉]|$)|請(?:問|說|告訴|提供|給|再|先|確認|選|用|直接)|告訴我|跟我說|說一聲|說「|麻煩你|試試"
    ),
)

# ── 日本語 ────────────────────────────────────────────────────────────────────────────────────────────────────────

_JA_NOUN = (
    r"(?:登録|追加|記録|保存|変更|更新|削除|設定|予約|修正|キャンセル|取り消し|作成|記入|反映|移動"
    r"|メモ|スケジュール|セット|完了に?|控え|処理|対応|手配)"
)
_JA_STEM = (
    r"(?:入れ|書き留め|書きとめ|控え|残し|消し|直し|変え|移し|ずらし|取り消し|付け|つけ|加え|足し|戻し|延ばし|覚え)"
)
_JAPANESE: Final = Tongue(
    claim=re.compile(
        rf"{_JA_NOUN}[をはが]?(?:いた|致)?し(?:ました|ておきました|ときました|(?:てお|と)いた(?:よ|ね|から|$)|た(?:よ|ね|から|$))"
        rf"|{_JA_NOUN}(?:が)?されました|{_JA_NOUN}(?:済み|完了)(?:です|しました|！|$)"
        rf"|{_JA_STEM}(?:ておき|とき)?ました|{_JA_STEM}(?:(?:てお|と)い)?た(?:よ|ね|から|$)"
        r"|(?:書い|メモっ)(?:ておき|とき)ました|(?:書い|メモっ)(?:ておい|とい)?た(?:よ|ね|$)"
        rf"|(?:{_JA_NOUN}し|{_JA_STEM}|書い|メモっ)(?:(?:ておき|とき)ます|(?:ておく|とく)(?:ね|よ|$))"
        r"|(?:登録|追加|記録|メモ|保存|設定|変更|削除)(?:いた)?します(?:ね|$)"
        r"|(?:お知らせ|リマインド|通知)(?:いた)?します|(?:お知らせ|リマインド|通知)するね|声をかけます"
        r"|(?:リマインダー|リマインド|通知|アラーム)[はをが][^#]{0,30}(?:設定|セット)(?:済み|されています|してあります|しています)"
        r"|^(?:すべて|全部)?(?:完了です|完了しました|できました)$"
    ),
    before=re.compile(
        r"まだ|何も|なにも|ひとつも"
        r"|(?:昨日|昨夜|先日|先週|先月|前回|以前|前に|この前|さっき|一昨日|おととい|去年|昨年|すでに|既に|もともと)(?![の分付])"
        r"|(?:今月|今週|今年|これまで|合計|全部|現在)(?:に|は|で|まで)[^の]{0,8}$|あなたが$|ご自身で$"
    ),
    after=re.compile(r"か(?!ら)|(?<=ました)ね|っけ|ら|り|ば|場合|と(?:き|思)|でしょう"),
    opening=re.compile(
        r"もし|場合|よければ|よろしければ|(?<!になっ)たら|なら(?!び)|れば|えば|せば|けば|送ると|言うと|すると|いただくと|次第|例えば|たとえば"
    ),
)

# ── ไทย ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_TH_DEED = (
    r"(?:บันทึก|จด|เพิ่ม|ลบ|แก้ไข|แก้|เปลี่ยน|อัปเดต|อัพเดต|อัพเดท|ตั้ง|ลงนัด|ลงปฏิทิน|ลงตาราง|ลงบันทึก|ลง|สร้าง|ใส่|ยกเลิก|เลื่อน|จัดการ|ดำเนินการ|จัดตาราง|นัด|เก็บ"
    r"|ทำเครื่องหมาย|จอง|ย้าย|ล้าง|กู้คืน)"
)
_TH_GAP = r"(?:(?!ไม่|ยัง|ไหม|มั้ย|หรือ|ถ้า|หาก).)"
_THAI: Final = Tongue(
    claim=re.compile(
        rf"{_TH_DEED}{_TH_GAP}{{0,60}}?(?<!ที่)(?:แล้ว|เรียบร้อย|เสร็จ|สำเร็จ)|ได้(?:ทำการ)?{_TH_DEED}"
        rf"|(?:จะ|เดี๋ยว)(?:ช่วย|คอย|ไป)?(?:{_TH_DEED}|เตือน|แจ้ง|จำ)|^เรียบร้อย|^เสร็จแล้ว"
        r"|ตั้ง(?:การ)?(?:แจ้ง)?เตือน(?:ให้)?ไว้(?!.*#\d)"
    ),
    before=re.compile(
        r"(?:ไม่|ไม่ได้|ยัง|ไม่สามารถ|สามารถ|ที่|เคย|อยาก|อยากให้|ต้องการ|ต้องการให้|คุณ|ว่า|กำลัง|เมื่อวาน(?:นี้)?|ก่อนหน้านี้|(?:ครั้ง|คราว)ก่อน|เมื่อก่อน"
        r"|(?:เดือน|ปี|อาทิตย์|สัปดาห์)(?:ที่แล้ว|ก่อน)|เดือนนี้|ทั้งหมด)(?:ได้|คุณ|เรา|ฉัน|มี|จะ|\s)*$"
    ),
    after=re.compile(r"\S{0,30}(?:ไหม|มั้ย|หรือเปล่า|หรือยัง|รึยัง|เหรอ)|\s*(?:เมื่อ|ตั้งแต่|ทั้งหมด)|กี่"),
    opening=re.compile(
        rf"ถ้า|หาก|อยากให้|ต้องการให้|จะให้|ให้(?:เรา|ช่วย|{_TH_DEED})|สามารถ|ลองพิมพ์|พิมพ์ว่า|บอก(?:มา|เรา|ได้)|กรุณา|เช่น|(?:จด|บันทึก|เพิ่ม|เตือน)(?:ให้)?ได้"
    ),
)

# ── English ───────────────────────────────────────────────────────────────────────────────────────────────────────

_EN_DONE = (
    r"(?:saved|added|logged|recorded|noted|scheduled|created|stored|registered|booked|updated|changed|edited"
    r"|moved|rescheduled|renamed|deleted|removed|cancell?ed|cleared|marked|tracked|entered|set|put|made|jotted|written"
    r"|undone|restored|filed|tagged|completed)\b"
)
_EN_DO = (
    r"(?:remind|ping|nudge|notify|alert|save|add|log|record|note|put|schedule|create|delete|remove|update|move|change|cancel|mark|set"
    r"|make a note|jot|remember|book|track)\b(?! up\b)"
)
_EN_ALONE = r"(?:saved|added|logged|recorded|scheduled|created|booked|updated|moved|deleted|removed|cancell?ed)"
_EN_LIGHT = r"(?: (?:also|now|just|already|successfully|all|gone ahead and|went ahead and|both))*"
_ENGLISH: Final = Tongue(
    claim=re.compile(
        rf"(?:^|\b(?:and|but|so|then|ok|okay|sure|yes|now|great|right) )(?:I|we)(?:'ve| have)?{_EN_LIGHT} {_EN_DONE}"
        rf"|\b(?:has|have|'s|'ve) been{_EN_LIGHT} {_EN_DONE}"
        rf"|\b(?:is|are|'s|'re)(?: (?:now|all))+ (?:{_EN_DONE}|on your|in your)"
        r"|(?:\b(?:is|are)|'s|'re) (?:saved|added|logged|deleted|removed|safely stored)\b"
        rf"|\b(?:was|were)(?: (?:successfully|just))* {_EN_DONE}"
        r"|^(?:ok(?:ay)?|sure|great|alright|got it|and|all|both)?\s?"
        r"(?:done|saved|added|logged|noted|recorded|scheduled|booked|deleted|removed|updated|changed|moved|rescheduled"
        r"|cancell?ed|marked|all set|all done|reminder set|reminder is set|consider it done)\b"
        rf"|^(?:(?!was|were|be|is|are|you|I|we|not|been|has|have|had|get|want|any|no)\w+ ){{1,3}}{_EN_ALONE}"
        r"(?: (?:for|on|at|to)(?: (?!is|was)\S+)*)?$"
        r"|\bgot (?:\w+ ){1,3}saved\b|\btaken care of\b"
        r"|\b(?:I|we) have (?:it|that|this|them|everything)(?: all)? (?:down|noted|recorded|logged|scheduled|booked)\b"
        r"|(?:^|\b(?:I|we)(?:'ve| have)? )got (?:it|that|this|them|those|these|everything|all of (?:it|that)"
        r"|you|(?:the|your) \w+)(?: all)? (?:down|noted|recorded|logged|scheduled|booked"
        r"|(?:on|in) (?:the|your) (?:list|calendar|schedule))\b"
        r"|\b(?:reminder|alarm)s?(?: is| are|'s)(?: (?:now|all|already))* (?:set|scheduled|in place)\b(?!.*#\d)"
        r"|\byou(?:'re| are) all set\b"
        r"|\byou(?:'ll| will) (?:be (?:reminded|notified|alerted)"
        r"|(?:get|receive|have) (?:a|the|your) (?:reminder|notification|alert))\b(?!.*#\d)"
        rf"|\b(?:I'll|I will|I'm going to|I am going to|let me){_EN_LIGHT}(?: go ahead and| make sure to)? {_EN_DO}"
        r"|\bI(?:'ll| will) be reminding you\b"
        r"|\bI'm (?:saving|adding|logging|noting|scheduling|deleting|removing|updating|moving)\b"
        r"|\b(?:on|in) your (?:list|calendar|schedule) now\b",
        re.IGNORECASE,
    ),
    before=re.compile(
        r"\b(?:not|never|no|nothing|none|cannot|unable|without|nor|failed|neither|until|before|how|whether)\b|n't\b"
        r"|(?<!for )(?<!from )(?<!of )\b(?:yesterday|last \w+|earlier|previously|ago|so far|in total)\b(?!'s)",
        re.IGNORECASE,
    ),
    after=re.compile(
        r"[^.]{0,50}?(?<!for )(?<!from )(?<!of )"
        r"\b(?:yesterday|last (?:week|month|year|time|night|\w+day)|earlier|previously|ago|back then)\b(?!'s)"
        r"|[^.]{0,50}?\b(?:once|if|when|after|as soon as|unless) you\b"
        r"| (?:items|records|notes|tasks|events|expenses|searches)\b"
        r"| (?:on|in) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\b| by you\b| is\b| so far\b| in total\b",
        re.IGNORECASE,
    ),
    opening=re.compile(
        r"\b(?:if|should I|shall I|do you want|would you like|want me to|can I|could I|may I|I can|I could"
        r"|I'd be happy|happy to|let me know"
        r"|tell me|once you|as soon as you|unless|try saying|just say|say)\b",
        re.IGNORECASE,
    ),
)

TONGUES: Final = (_CHINESE, _JAPANESE, _THAI, _ENGLISH)

# ── whole sentences ───────────────────────────────────────────────────────────────────────────────────────────────

_MARK = r"[✅✓✔☑🆗💾📝📌🗑]"
FORGED: Final = re.compile(rf"\W*?{_MARK}(?=.*#\d)|.*#\d+\W*{_MARK}\W*$")
"""A line that looks like a receipt of the program: a mark, and the number of a record."""

HEADED: Final = re.compile(r"(?=.*\d).*[:：]\s*$")
"""A line in front of a list of what was found: how many there are, and a colon."""

AGREED: Final = re.compile(
    r"\W*(?:(?:OK|okay|sure|all ?right|great|done|got it|no problem|perfect)"
    r"[,.!:\s—–-]{1,4}(?!.*#\d|.*\b(?:not?|never|if|yet|what|here|nothing)\b|.*n't\b)"
    r".*(?:\b(?:is|are)|'s|'re)(?: (?:now|already|all|safely))*"
    r" (?:on|in) (?:your|the) (?:list|calendar|schedule|agenda|to-?do|books|diary|notes)\b"
    r"|(?:OK|好的?|好[喔啊呀哦]|沒問題|了解|收到|嗯)[,，、:：~～。!！\s]{1,4}(?!.*#\d|.*[沒不未嗎])"
    r".*(?:已經?|現在|都)在(?:你的?)?(?:待辦)?(?:清單|行事曆|日曆|行程|帳本|記錄|筆記|待辦)"
    r"|(?:OK|オッケー|了解(?:です|しました)?|承知(?:です|しました|いたしました)|かしこまりました)[,、。!！\s]{1,4}(?!.*#\d|.*(?:ません|ない))"
    r".*(?:リスト|カレンダー|予定|メモ|家計簿)に(?:入って|載って|入れて)(?:い|あり)ます"
    r"|(?:OK|โอเค|ได้เลย|ตกลง|รับทราบ)(?:ครับ|ค่ะ|นะ)?[,\s]{1,4}(?!.*#\d|.*(?:ไม่|ยัง|ไหม))"
    r".*อยู่ใน(?:รายการ|ปฏิทิน|ตาราง|ลิสต์|สมุด)\S*แล้ว)",
    re.IGNORECASE | re.DOTALL,
)
"""A yes, and then that it stands where it should: no report of what was found, which names numbers."""

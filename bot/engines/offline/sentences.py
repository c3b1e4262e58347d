"""What the offline engine says by itself, in four languages.

Pure words. Must not know when a sentence is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tools.record import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """What the offline engine says by itself, in one language. Gaps are named."""

    lost: str
    only_a_word: str
    ask_ring: str
    """Something shall ring or be remembered, but what or when is not said; the next two: a list, a change."""
    ask_list: str
    ask_move: str
    rings: str
    nothing_rings: str
    line_left_out: str
    line_not_reached: str
    more_lines: str
    too_long: str
    no_ref: str
    which_one: str
    time_not_read: str
    time_needs_day: str
    amount_not_read: str
    went_wrong: str
    already_so: str
    nothing_at: str
    nothing_found: str
    nothing_open: str
    listed: str
    untimed: str
    more: str
    open_tasks: str
    found: str
    spent: str
    earned: str
    net: str
    most: str
    nothing_spent: str
    comma: str
    stop: str
    now_period: str
    today: str
    about: str
    """How a total says what it is of; the next three stand there where nothing is named."""
    spending: str = ""
    income: str = ""
    balance: str = ""


SENTENCES: Final[Mapping[Language, Sentences]] = {
    "zh-TW": Sentences(
        lost="這句我聽不懂：現在沒有接上 AI，只懂簡單的說法，像「午餐 120」「明天下午三點看牙醫」「今天有什麼事？」",
        only_a_word="「{what}」要怎麼記？待辦說「買{what}」，筆記說「記 {what}」，花費說「{what} 60」。",
        ask_ring="要提醒什麼、什麼時候？一起說就好，像「明天早上七點叫我起床」。",
        ask_list="清單上要放什麼？像「把牛奶加到購物清單」這樣說就有了。",
        ask_move="要改成什麼時候？像「把明天的鬧鐘改到早上六點」。",
        rings="會提醒你的 {n} 件：{what}",
        nothing_rings="沒有要提醒的事。",
        line_left_out="這行沒看懂，先沒記：「{what}」",
        line_not_reached="這次做不了這麼多，這行還沒做，請再傳一次：「{what}」",
        more_lines="…還有 {n} 行也還沒記，請分幾次再傳。",
        too_long="這則太長了，什麼都沒記：沒有接上 AI 時最多讀 5,000 個字，請分幾次傳。",
        no_ref="沒有這個編號。說「還有什麼沒做」或「找 咖啡」就看得到編號。",
        which_one="符合的不只一筆，說編號就好：{what}",
        time_not_read="時間沒看懂，什麼都沒記。換個說法，像「明天下午三點」或「12/1 15:00」。",
        time_needs_day="要改到哪一天？連日子一起說，像「{ref} 改明天四點」。",
        amount_not_read="金額沒看懂，什麼都沒記。像「午餐 120」這樣寫就行。",
        went_wrong="這件沒辦成，什麼都沒改。換個說法再試一次，像「午餐 120」。",
        already_so="{ref} 本來就是這樣，沒有動它。",
        nothing_at="{when}沒有安排。",
        nothing_found="沒找到「{what}」。",
        nothing_open="沒有還沒做的事。",
        listed="{when} {n} 件：{what}",
        untimed="沒定時間：{what}",
        more="還有 {n} 件",
        open_tasks="還沒做的 {n} 件：{what}",
        found="找到 {n} 筆：{what}",
        spent="{when}{what} {sum}、{n} 筆",
        earned="{when}收入 {sum}、{n} 筆",
        net="{when}結餘 {sum}",
        most="最多：{what}",
        nothing_spent="{when}{what}還沒有紀錄。",
        comma="、",
        stop="。",
        now_period="這個月",
        today="今天",
        about="{what}",
        spending="花費",
        income="收入",
        balance="收支",
    ),
    "ja": Sentences(
        lost=(
            "いまはAIにつながっていないので、簡単な言葉だけ分かります。「昼ごはん 850」「明日15時 歯医者」"
            "「今日の予定は?」のように送ってください。"
        ),
        only_a_word=(
            "「{what}」をどう残しますか？やることは「{what}を買う」、メモは「メモ {what}」、支出は「{what} 300」"
            "と送ってください。"
        ),
        ask_ring="何をいつお知らせしますか？「明日の朝7時に薬を飲むようリマインド」のように送ってください。",
        ask_list="リストに何を入れますか？「牛乳を買い物リストに追加」のように送ってください。",
        ask_move="いつに変えますか？「明日のアラームを午前6時に変更」のように送ってください。",
        rings="お知らせは{n}件：{what}",
        nothing_rings="お知らせの予定はありません。",
        line_left_out="この行は分からず、記録していません：「{what}」",
        line_not_reached="一度にできる数を超えたため、この行はまだです。もう一度送ってください：「{what}」",
        more_lines="…ほか{n}行もまだ記録していません。何回かに分けて送ってください。",
        too_long="長すぎて読めず、何も記録していません。AIにつながっていないときは5,000文字までです。分けて送ってください。",
        no_ref="その番号はありません。「やることは?」か「検索 コーヒー」で番号が分かります。",
        which_one="いくつかあります。番号で教えてください：{what}",
        time_not_read="時間が読み取れず、記録していません。「明日15時」や「12/1 15:00」のように送ってください。",
        time_needs_day="何日に変えますか？「{ref}を明日16時に変更」のように日にちも入れてください。",
        amount_not_read="金額が読み取れず、記録していません。「昼ごはん 850」のように送ってください。",
        went_wrong="うまくいかず、何も変えていません。「昼ごはん 850」のように言い換えてください。",
        already_so="{ref} はもうそうなっているので、変えていません。",
        nothing_at="{when}の予定はありません。",
        nothing_found="「{what}」は見つかりません。",
        nothing_open="残っているやることはありません。",
        listed="{when}は{n}件：{what}",
        untimed="時間なし：{what}",
        more="ほか{n}件",
        open_tasks="残りは{n}件：{what}",
        found="{n}件見つかりました：{what}",
        spent="{when}の{what}は{sum}、{n}件",
        earned="{when}の収入は{sum}、{n}件",
        net="{when}の収支は{sum}",
        most="最高は{what}",
        nothing_spent="{when}の{what}の記録はまだありません。",
        comma="、",
        stop="。",
        now_period="今月",
        today="今日",
        about="{what}",
        spending="支出",
        income="収入",
        balance="収支",
    ),
    "th": Sentences(
        lost="ตอนนี้ยังไม่ได้ต่อ AI เลยเข้าใจแค่ประโยคสั้น ๆ เช่น “ข้าวเที่ยง 60” “พรุ่งนี้บ่ายสาม หาหมอ” “วันนี้มีอะไรบ้าง”",
        only_a_word="จะให้จด “{what}” แบบไหน: สิ่งที่ต้องทำพิมพ์ “ซื้อ{what}” โน้ตพิมพ์ “จด {what}” ค่าใช้จ่ายพิมพ์ “{what} 60”",
        ask_ring="จะให้เตือนเรื่องอะไร เมื่อไหร่ พิมพ์รวมกันได้เลย เช่น “เตือนกินยาพรุ่งนี้ 8 โมงเช้า”",
        ask_list="อยากได้อะไรในรายการ พิมพ์แบบ “ช่วยใส่นมในลิสต์ซื้อของ”",
        ask_move="ย้ายไปเวลาไหนดี ลองพิมพ์ “เลื่อนประชุมไปพรุ่งนี้ 16:00 น.”",
        rings="มีเตือน {n} รายการ: {what}",
        nothing_rings="ไม่มีรายการที่จะเตือน",
        line_left_out="บรรทัดนี้ไม่เข้าใจ ยังไม่ได้จด: “{what}”",
        line_not_reached="ครั้งเดียวทำไม่ทัน บรรทัดนี้ยังไม่ได้ทำ ส่งมาอีกครั้งนะ: “{what}”",
        more_lines="…อีก {n} บรรทัดก็ยังไม่ได้จด แบ่งส่งทีละส่วนนะ",
        too_long="ข้อความยาวเกินไป ยังไม่ได้จดอะไร ตอนไม่ได้ต่อ AI อ่านได้ไม่เกิน 5,000 ตัวอักษร แบ่งส่งทีละส่วนนะ",
        no_ref="ไม่มีหมายเลขนี้ พิมพ์ “มีงานอะไรค้าง” หรือ “ค้นหา กาแฟ” เพื่อดูหมายเลข",
        which_one="ตรงกันหลายรายการ บอกหมายเลขได้เลย: {what}",
        time_not_read="อ่านเวลาไม่ออก ยังไม่ได้จดอะไร ลองพิมพ์แบบ “พรุ่งนี้บ่ายสาม”",
        time_needs_day="เป็นวันไหนดี พิมพ์วันมาด้วย เช่น “{ref} เป็น พรุ่งนี้ 16:00 น.”",
        amount_not_read="อ่านจำนวนเงินไม่ออก ยังไม่ได้จดอะไร ลองพิมพ์แบบ “ข้าวเที่ยง 60”",
        went_wrong="ทำไม่สำเร็จ ยังไม่มีอะไรเปลี่ยน ลองพิมพ์ใหม่สั้น ๆ เช่น “ข้าวเที่ยง 60”",
        already_so="{ref} เป็นแบบนั้นอยู่แล้ว เลยไม่ได้แก้อะไร",
        nothing_at="{when}ไม่มีนัด",
        nothing_found="ไม่พบ “{what}”",
        nothing_open="ไม่มีงานค้าง",
        listed="{when} {n} รายการ: {what}",
        untimed="ไม่ระบุเวลา: {what}",
        more="อีก {n} รายการ",
        open_tasks="ยังไม่เสร็จ {n} รายการ: {what}",
        found="พบ {n} รายการ: {what}",
        spent="{when}{what} {sum} จาก {n} รายการ",
        earned="{when}รายรับ {sum} จาก {n} รายการ",
        net="{when}คงเหลือ {sum}",
        most="มากสุด: {what}",
        nothing_spent="{when}ยังไม่มีรายการ{what}",
        comma=", ",
        stop="\n",
        now_period="เดือนนี้",
        today="วันนี้",
        about="{what}",
        spending="ใช้ไป",
        income="รายรับ",
        balance="รายรับรายจ่าย",
    ),
    "en": Sentences(
        lost=(
            "No AI model is connected, so I only follow simple phrases, such as “lunch 12.50”, “dentist tomorrow 3pm” "
            "or “what's on today?”."
        ),
        only_a_word=(
            "What about “{what}”? Try “buy {what}” for a task, “note: {what}” to keep it, or “{what} $3” for money."
        ),
        ask_ring="What should I remind you of, and when? Say it at once: “remind me to take my pills tomorrow at 8am”.",
        ask_list="What should go on the list? Say “add milk to my shopping list”.",
        ask_move="To which time? Say it too, as in “change tomorrow's alarm to 6am”.",
        rings="{n} that will ring: {what}",
        nothing_rings="Nothing is set to ring.",
        line_left_out="I didn't follow this line, so it isn't saved: “{what}”",
        line_not_reached="That was more than fits in one go, so this line is not done. Please send it again: “{what}”",
        more_lines="…and {n} more not saved. Please send them in parts.",
        too_long=(
            "That is too long, so nothing was saved: without an AI model I read up to 5,000 characters. "
            "Please send it in parts."
        ),
        no_ref="There is no such number. “What's left to do?” or “find coffee” shows the numbers.",
        which_one="More than one fits. Which number? {what}",
        time_not_read="I couldn't read the time, so nothing was saved. Try “tomorrow 3pm” or “2026-12-01 15:00”.",
        time_needs_day="To which day? Say it too, as in “move {ref} to tomorrow 4pm”.",
        amount_not_read="I couldn't read the amount, so nothing was saved. Try “lunch 12.50”.",
        went_wrong="That didn't work and nothing was changed. Try it shorter, such as “lunch 12.50”.",
        already_so="{ref} is like that already, so I left it alone.",
        nothing_at="Nothing planned {when}.",
        nothing_found="Nothing found for “{what}”.",
        nothing_open="Nothing left to do.",
        listed="{n} {when}: {what}",
        untimed="No time set: {what}",
        more="{n} more",
        open_tasks="{n} left to do: {what}",
        found="{n} found: {what}",
        spent="Spent {when}{what}: {sum}, {n} in all",
        earned="Earned {when}: {sum}, {n} in all",
        net="Balance {when}: {sum}",
        most="Most: {what}",
        nothing_spent="Nothing spent {when}{what} yet.",
        comma=", ",
        stop=". ",
        now_period="this month",
        today="today",
        about=" on {what}",
    ),
}

"""What is answered to a command: short sentences in four languages, with what is filled in.

Pure words. Must not know when a sentence is said, or what was done before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from tools.record import Language

NAMES: Final[Mapping[Language, str]] = {"zh-TW": "中文", "ja": "日本語", "th": "ไทย", "en": "English"}
"""Each language by its own name."""

Standing = Literal["owner", "member", "guest", "stranger"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandWords:
    """The sentences of one language. Labels fit LINE's 20 characters."""

    thanks: str
    hello: str
    morning: str
    night: str
    fine: str
    """A yes to nothing in particular."""
    today: str
    """Both a label and what tapping it says; as the next."""
    list: str
    # done
    done_which: str
    no_such: Callable[[str], str]
    """Numbers that are nobody's."""
    done_before: Callable[[str], str]
    # how somebody is spoken to
    language_is: Callable[[str], str]
    language_follows: Callable[[str], str]
    language_set: Callable[[str], str]
    language_auto: str
    language_unknown: str
    zone_is: Callable[[str, str], str]
    """The zone, and what time it is there."""
    zone_set: Callable[[str, str], str]
    zone_unknown: str
    zone_several: str
    currency_is: Callable[[str], str]
    currency_set: Callable[[str], str]
    currency_unknown: str
    fixed: Callable[[str], str]
    """The operator has set it to this."""
    elsewhere: str
    """Said in a group, of what is one's own."""
    # quota
    ai_left: Callable[[int], str]
    """Per cent."""
    no_ai: str
    pushes_left: Callable[[int], str]
    # me
    roles: Mapping[Standing, str]
    me: Callable[[str, str, str, str], str]
    """Role, language, zone, currency."""
    kept: Callable[[int, int], str]
    """How many records, and for how many days words are kept."""


def command_words(language: Language) -> CommandWords:
    """The sentences of a language."""
    return _WORDS[language]


_WORDS: Final[Mapping[Language, CommandWords]] = {
    "zh-TW": CommandWords(
        thanks="不客氣 😊",
        hello="嗨，在的。要記什麼、想查什麼，直接說就好。",
        morning="早安。",
        night="晚安，好好休息。",
        fine="好。",
        today="今天",
        list="清單",
        done_which="要完成哪一件？說編號就好，像「完成 12」。",
        no_such="沒有 {}。說「清單」就看得到編號。".format,
        done_before="{} 先前就完成了。".format,
        language_is="我用{}回你。要換就說「語言 English」，說「語言 自動」就跟著你寫的。".format,
        language_follows="你寫什麼我就用什麼回，現在是{}。要固定就說「語言 English」。".format,
        language_set="好，之後都用{}回你。".format,
        language_auto="好，之後你寫什麼，我就用什麼回。",
        language_unknown="我會中文、日本語、ไทย、English，說「語言 日本語」就換。",
        zone_is="時間用 {}，現在 {}。要換就說「時區 東京」。".format,
        zone_set="好，時間改用 {}，現在 {}。先前約好的時刻不變，照這裡的時間顯示。".format,
        zone_unknown="這個地方我不認得。說城市就好，像「時區 東京」，或「時區 Europe/Paris」。",
        zone_several="那裡不只一個時區，說城市就好，像「時區 紐約」。",
        currency_is="沒寫幣別的金額算 {}。要換就說「幣別 日幣」。".format,
        currency_set="好，之後沒寫幣別的金額算 {}。先前記的不變。".format,
        currency_unknown="這個幣別我不認得。像「幣別 日幣」或「幣別 EUR」。",
        elsewhere="這是你自己的事，請在跟我的一對一聊天裡說。",
        fixed="這裡固定用 {}，是管理者設定的，我改不了。".format,
        ai_left="今天的 AI 用量還剩 {}%。".format,
        no_ai="這裡沒有接 AI，不會有用量。",
        pushes_left="這個月還能主動通知 {} 則。".format,
        roles={"owner": "主人", "member": "成員", "guest": "訪客", "stranger": "客人"},
        me="你是這裡的{}。回你用{}，時間用 {}，金額用 {}。".format,
        kept="你有 {} 筆紀錄，會一直留著；對話的字句留 {} 天。\n「匯出」可以帶走，「忘記我」全部刪掉。".format,
    ),
    "ja": CommandWords(
        thanks="どういたしまして😊",
        hello="こんにちは。残すこと、調べたいことがあればどうぞ。",
        morning="おはようございます。",
        night="おやすみなさい。ゆっくり休んでください。",
        fine="はい。",
        today="今日",
        list="リスト",
        done_which="どれを完了にしますか？「完了 12」のように番号でどうぞ。",
        no_such="{}はありません。「リスト」で番号が分かります。".format,
        done_before="{}はすでに完了しています。".format,
        language_is="{}でお返事しています。「言語 English」で変更、「言語 自動」で書かれた言葉に合わせます。".format,
        language_follows="書かれた言葉に合わせてお返事します。いまは{}です。決めるときは「言語 English」。".format,
        language_set="はい、これからは{}でお返事します。".format,
        language_auto="はい、これからは書かれた言葉に合わせます。",
        language_unknown="使えるのは日本語、中文、ไทย、Englishです。「言語 English」のようにどうぞ。",
        zone_is="時間は{}、いま{}です。変えるときは「タイムゾーン 台北」。".format,
        zone_set="はい、時間を{}にしました。いま{}です。これまでの予定の時刻は動かず、表示だけ変わります。".format,
        zone_unknown="その場所は分かりません。「タイムゾーン 台北」か「タイムゾーン Europe/Paris」のようにどうぞ。",
        zone_several="そこは時間帯がいくつかあります。「タイムゾーン ニューヨーク」のように都市でどうぞ。",
        currency_is="通貨のない金額は{}で数えます。変えるときは「通貨 ドル」。".format,
        currency_set="はい、これから通貨のない金額は{}で数えます。これまでの記録は変わりません。".format,
        currency_unknown="その通貨は分かりませんでした。「通貨 円」か「通貨 EUR」のようにどうぞ。",
        elsewhere="ご自身のことは、私との一対一のトークでどうぞ。",
        fixed="ここは管理者の設定で{}に決まっていて、変えられません。".format,
        ai_left="今日のAIは残り{}%です。".format,
        no_ai="AIにつないでいないので、使用量はありません。",
        pushes_left="今月こちらからお知らせできるのは、あと{}件です。".format,
        roles={"owner": "持ち主", "member": "メンバー", "guest": "ゲスト", "stranger": "お客さま"},
        me="あなたはここの{}です。お返事は{}、時間は{}、金額は{}です。".format,
        kept="記録は{}件で、ずっと残ります。会話の言葉は{}日で消えます。\n「エクスポート」で持ち出し、「私を忘れて」ですべて消せます。".format,
    ),
    "th": CommandWords(
        thanks="ยินดีเสมอ 😊",
        hello="สวัสดี มีอะไรให้จดหรืออยากรู้อะไร พิมพ์มาได้เลย",
        morning="อรุณสวัสดิ์",
        night="ฝันดี พักผ่อนเยอะ ๆ นะ",
        fine="ได้เลย",
        today="วันนี้",
        list="รายการ",
        done_which="อันไหนเสร็จแล้ว บอกหมายเลขมาได้เลย เช่น “เสร็จ 12”",
        no_such="ไม่มี {} พิมพ์ “รายการ” เพื่อดูหมายเลข".format,
        done_before="{} เสร็จไปก่อนหน้านี้แล้ว".format,
        language_is="ตอบเป็นภาษา{} จะเปลี่ยนพิมพ์ “ภาษา English” หรือ “ภาษา อัตโนมัติ” ให้ตามที่คุณเขียน".format,
        language_follows="ตอบตามภาษาที่คุณเขียน ตอนนี้คือ{} ถ้าจะให้คงที่พิมพ์ “ภาษา English”".format,
        language_set="ได้ จากนี้จะตอบเป็นภาษา{}".format,
        language_auto="ได้ จากนี้จะตอบตามภาษาที่คุณเขียน",
        language_unknown="ใช้ได้ ไทย, 中文, 日本語, English พิมพ์ว่า “ภาษา English”",
        zone_is="ใช้เวลา {} ตอนนี้ {} จะเปลี่ยนพิมพ์ “เขตเวลา โตเกียว”".format,
        zone_set="ได้ เปลี่ยนเป็นเวลา {} ตอนนี้ {} นัดเดิมยังเป็นเวลาเดียวกัน แค่แสดงตามที่นี่".format,
        zone_unknown="ไม่รู้จักที่นี่ บอกชื่อเมืองได้เลย เช่น “เขตเวลา โตเกียว” หรือ “เขตเวลา Europe/Paris”",
        zone_several="ที่นั่นมีหลายเขตเวลา บอกชื่อเมืองได้เลย เช่น “เขตเวลา นิวยอร์ก”",
        currency_is="จำนวนเงินที่ไม่บอกสกุลนับเป็น {} จะเปลี่ยนพิมพ์ “สกุลเงิน เยน”".format,
        currency_set="ได้ จากนี้จำนวนเงินที่ไม่บอกสกุลนับเป็น {} ของเดิมไม่เปลี่ยน".format,
        currency_unknown="ไม่รู้จักสกุลเงินนี้ ลอง “สกุลเงิน เยน” หรือ “สกุลเงิน EUR”",
        elsewhere="เรื่องนี้เป็นเรื่องส่วนตัวของคุณ พิมพ์มาในแชตส่วนตัวกับเราได้เลย",
        fixed="ที่นี่ผู้ดูแลกำหนดไว้เป็น {} เลยเปลี่ยนให้ไม่ได้".format,
        ai_left="วันนี้ยังใช้ AI ได้อีก {}%".format,
        no_ai="ที่นี่ไม่ได้ต่อ AI จึงไม่มีโควตา",
        pushes_left="เดือนนี้ยังแจ้งเตือนเองได้อีก {} ครั้ง".format,
        roles={"owner": "เจ้าของ", "member": "สมาชิก", "guest": "แขก", "stranger": "คนแปลกหน้า"},
        me="คุณคือ{}ของที่นี่ ตอบเป็นภาษา{} ใช้เวลา {} และสกุลเงิน {}".format,
        kept="คุณมี {} รายการ เก็บไว้ตลอด ส่วนข้อความที่คุยกันเก็บ {} วัน\nพิมพ์ “ส่งออก” เพื่อเอาไป หรือ “ลืมฉัน” เพื่อลบทั้งหมด".format,
    ),
    "en": CommandWords(
        thanks="You're welcome 😊",
        hello="Hi. Tell me what to note, or what to look up.",
        morning="Good morning.",
        night="Good night. Rest well.",
        fine="OK.",
        today="Today",
        list="List",
        done_which="Which one is done? Say its number, like “done 12”.",
        no_such="There is no {}. “List” shows the numbers.".format,
        done_before="{} was done before.".format,
        language_is="I answer in {}. “language 日本語” changes it, “language auto” follows what you write.".format,
        language_follows="I answer in the language you write, now {}. To keep to one, say “language 日本語”.".format,
        language_set="OK, from now on I answer in {}.".format,
        language_auto="OK, from now on I answer in the language you write.",
        language_unknown="I speak English, 中文, 日本語 and ไทย. Say “language 日本語”, for example.",
        zone_is="I use {} time; it is {} there. To change it, say “zone Tokyo”.".format,
        zone_set="OK, I use {} time now; it is {} there. What you have planned stays at its moment.".format,
        zone_unknown="I don't know that place. Name a city, like “zone Tokyo”, or say “zone Europe/Paris”.",
        zone_several="There is more than one time zone there. Name a city, like “zone New York”.",
        currency_is="Amounts without a currency count as {}. To change it, say “currency EUR”.".format,
        currency_set="OK, amounts without a currency count as {} now. What is noted stays as it is.".format,
        currency_unknown="I don't know that currency. Say “currency yen” or “currency EUR”, for example.",
        elsewhere="That's about you alone. Say it in your own chat with me.",
        fixed="The operator has fixed this to {}, so I can't change it.".format,
        ai_left="{}% of today's AI is left.".format,
        no_ai="No AI is connected here, so nothing is used up.",
        pushes_left="Notifications left this month: {}.".format,
        roles={"owner": "the owner", "member": "a member", "guest": "a guest", "stranger": "a visitor"},
        me="You are {} here. I answer in {}, with {} time and {}.".format,
        kept=(
            "Your records here: {}. They stay; the words of our talk are kept {} days.\n"
            "“Export” takes them with you, “forget me” deletes everything."
        ).format,
    ),
}

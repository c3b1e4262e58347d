"""The chat page in a real browser: what one sees, types and taps, with a tiny bot at the other end."""

from __future__ import annotations

import asyncio
import base64
import re
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import expect

from bot.card import Card, CardBar, CardRow
from bot.line.bubbles import messages
from bot.local_line import FIRST_PERSON
from bot.ports import Bubble, Button
from tests.chromium import PATIENCE, chromium, needs_chromium

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> https://example.com/?q=1"


def written(text, **more):
    return {"type": "text", "text": text, **more}


def choice(label, data, shown):
    return {"type": "action", "action": {"type": "postback", "label": label, "data": data, "displayText": shown}}


def line(left, right, **looks):
    parts = [
        {"type": "text", "text": left, "size": "sm", "color": "#5c6a63", "flex": 0},
        {"type": "text", "text": right, "size": "sm", "align": "end", "wrap": True, **looks},
    ]
    return {"type": "box", "layout": "horizontal", "spacing": "md", "contents": parts}


CARD = {
    "type": "flex",
    "altText": "這個月吃飯 4,210 元",
    "contents": {
        "type": "bubble",
        "size": "kilo",
        "body": {
            "type": "box",
            "layout": "vertical",
            "spacing": "md",
            "contents": [
                {"type": "text", "text": "這個月吃飯", "size": "sm", "color": "#5c6a63"},
                {
                    "type": "text",
                    "contents": [
                        {"type": "span", "text": "4,210", "size": "xxl", "weight": "bold"},
                        {"type": "span", "text": " 元・32 筆", "size": "sm", "color": "#5c6a63"},
                    ],
                },
                {"type": "separator"},
                line("火鍋 11/22", "890", weight="bold"),
                line("生日晚餐 11/14", "760"),
                line("午餐 11/30", "120"),
            ],
        },
        "footer": {
            "type": "box",
            "layout": "horizontal",
            "spacing": "sm",
            "contents": [
                {
                    "type": "button",
                    "style": "link",
                    "height": "sm",
                    "action": {"type": "postback", "label": "看全部", "data": "all"},
                },
                {
                    "type": "button",
                    "style": "primary",
                    "height": "sm",
                    "action": {"type": "postback", "label": "上個月", "data": "last", "displayText": "上個月呢？"},
                },
            ],
        },
    },
}
CONFIRM = {
    "type": "template",
    "altText": "刪除？",
    "template": {
        "type": "confirm",
        "text": "要刪掉 3 筆記錄嗎？",
        "actions": [
            {"type": "postback", "label": "刪掉", "data": "yes", "displayText": "刪掉"},
            {"type": "postback", "label": "先不要", "data": "no", "displayText": "先不要"},
        ],
    },
}


def own_card(card):
    """As the bot itself draws it."""
    (message,) = messages([Bubble("全部", (), card)])
    return message


ROWS = [
    CardRow(
        what=what,
        when=when,
        about=f"#{ref}",
        buttons=(Button("完成", f"done:{ref}"), Button("Notion", "https://www.notion.so/x", "link")),
    )
    for ref, (what, when) in enumerate(
        [("接小孩，" + "再去買明天早餐要吃的吐司" * 3, "18:00"), ("早會", "14:30")], start=1
    )
]
OWN_CARDS = {
    "rows": Card(title="今天 11/30（一）", aside="2 筆", rows=tuple(ROWS), buttons=(Button("復原", "undo:01E1"),)),
    "bars": Card(
        title="11 月 · 支出",
        figure="1,500 元",
        aside="12 筆",
        bars=(CardBar(what="飲食", amount="1,000 元", share=1), CardBar(what="交通", amount="500 元", share=0.5)),
    ),
}


def answer_to(event):
    """What the tiny bot says."""
    if event["type"] == "postback":
        chosen = event["postback"].get("params", {}).get("datetime", "")
        return [written(f"({event['postback']['data']}{chosen})")]
    if event["type"] != "message":
        return []
    said = event["message"].get("text", event["message"]["type"])
    if said in OWN_CARDS:
        return [own_card(OWN_CARDS[said])]
    if said == "card":
        return [CARD, CONFIRM]
    if said == "when":
        pick = {"type": "datetimepicker", "label": "挑時間", "data": "when=", "mode": "datetime"}
        template = {
            "type": "buttons",
            "title": "回診",
            "text": "什麼時候？",
            "actions": [pick | {"initial": "2026-12-01t15:00"}],
        }
        return [{"type": "template", "altText": "什麼時候？", "template": template}]
    if said == "cards":
        bubble = {**CARD["contents"], "hero": {"type": "image", "url": "https://example.com/a.png", "size": "full"}}
        return [{**CARD, "contents": {"type": "carousel", "contents": [bubble] * 3}}]
    done = [choice("完成", "done", "完成了"), choice("改時間", "move", "改時間")]
    return [written(f"記好了：{said} #12", quickReply={"items": done})]


def echo(running):
    async def on_event(event):
        if messages := answer_to(event):
            answer = await running.reply(event["replyToken"], *messages)
            assert answer.status_code == 200, answer.text

    running.bot.on_event = on_event


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser():
    async with chromium() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def running(start_line):
    """In the browser's loop."""
    async with start_line() as started:
        yield started


@pytest.fixture
def open_page(browser, running):
    """Open the page; when it closes, nothing may have left its origin and nothing may have been complained about."""

    @asynccontextmanager
    async def opened(**options):
        options = {"locale": "zh-TW", "viewport": {"width": 390, "height": 780}, **options}
        async with asyncio.timeout(PATIENCE):
            context = await browser.new_context(**options)
            page = await context.new_page()
        page.set_default_timeout(5000)
        await page.clock.set_fixed_time(running.clock())  # it is the same day on both sides
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        echo(running)
        await page.goto(running.base)
        await expect(page.locator("#words")).to_be_enabled()
        try:
            async with asyncio.timeout(PATIENCE):
                yield page
        finally:
            async with asyncio.timeout(PATIENCE):
                await context.close()
        assert [url for url in requests if not url.startswith(running.base)] == []
        assert complaints == []

    return opened


async def write(page, text):
    await page.locator("#words").fill(text)
    await page.keyboard.press("Enter")


async def test_what_is_typed_is_answered_and_marked_as_read(open_page, running):
    async with open_page() as page:
        await expect(page.get_by_role("heading", name="想到什麼，說就好")).to_be_visible()
        await write(page, "明天下午三點跟陳醫師回診")
        await expect(page.locator(".row.bot .bubble")).to_have_text("記好了：明天下午三點跟陳醫師回診 #12")
        await expect(page.locator(".row.person .state")).to_have_text("已讀")
        await expect(page.locator("#empty")).to_be_hidden()
        await expect(page.get_by_role("log")).to_contain_text("今天")


async def test_what_is_said_while_the_page_reads_its_history_is_shown_behind_it(open_page, running):
    asked = []

    async def read_slowly(route):
        history = await route.fetch()
        asked.append(history)
        if len(asked) == 2:  # the first looks whether anything was said here yet
            await running.api("POST", "message/push", {"to": FIRST_PERSON, "messages": [written("14:00 回診")]})
            await asyncio.sleep(0.3)
        await route.fulfill(response=history)

    async with open_page() as page:
        await write(page, "hi")
        await expect(page.locator(".row.bot .bubble")).to_have_count(1)
        await page.route("**/local/history?*", read_slowly)
        await page.reload()
        await expect(page.locator(".row.bot .bubble")).to_have_text(["記好了：hi #12", "14:00 回診"])
        await page.unroute_all()
    assert len(asked) == 2


async def test_an_example_is_one_tap_and_a_quick_reply_vanishes_after_its_tap(open_page, running):
    async with open_page() as page:
        await page.get_by_role("button", name="午餐 120").click()
        await page.get_by_role("button", name="完成", exact=True).click()
        await expect(page.locator(".row.person .bubble").last).to_have_text("完成了")
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(done)")
        await expect(page.locator("#quick")).to_be_hidden()


async def test_cards_and_templates_are_shown_and_their_buttons_work(open_page, running):
    async with open_page() as page:
        await write(page, "card")
        await expect(page.get_by_label("這個月吃飯 4,210 元")).to_contain_text("火鍋 11/22")
        await page.get_by_role("button", name="上個月").click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(last)")
        await page.get_by_role("button", name="先不要").click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(no)")


async def test_the_cards_of_the_bot_are_shown_as_they_are_meant_and_can_be_tapped(open_page, running):
    async with open_page() as page:
        await write(page, "rows")
        card = page.locator("article.flex-card").first
        await expect(card).to_contain_text("今天 11/30（一）")
        pills = card.get_by_role("button", name="完成")
        await expect(pills).to_have_count(2)
        left, right = await card.get_by_text("接小孩").bounding_box(), await pills.first.bounding_box()
        assert left["x"] + left["width"] <= right["x"], "a name never runs under its button"
        assert right["height"] >= 36
        await pills.nth(1).click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(done:2)")
        await expect(card.get_by_text("Notion").first).to_be_visible()
        await page.get_by_role("button", name="復原").click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(undo:01E1)")


async def test_the_bars_of_a_total_are_as_long_as_their_shares(open_page, running):
    async with open_page() as page:
        await write(page, "bars")
        widths = await page.locator("article.flex-card").evaluate(
            "card => [...card.querySelectorAll('.flex-box')].filter(box => box.style.width).map(box => box.offsetWidth)"
        )
        assert len(widths) == 2
        assert 0.48 <= widths[1] / widths[0] <= 0.52


async def test_a_carousel_scrolls_in_itself_and_loads_no_picture(open_page, running):
    async with open_page() as page:
        await write(page, "cards")
        await expect(page.get_by_role("group", name="卡片").locator("article")).to_have_count(3)
        await expect(page.get_by_role("img", name="圖片（不從外部載入）")).to_have_count(3)
        assert await page.evaluate("document.documentElement.scrollWidth") == 390


async def test_a_moment_is_picked_in_a_dialog_of_the_page(open_page, running):
    async with open_page() as page:
        await write(page, "when")
        await page.get_by_role("button", name="挑時間").click()
        await expect(page.get_by_label("日期與時間").locator("input")).to_have_value("2026-12-01T15:00")
        await page.get_by_role("dialog").get_by_role("button", name="傳送").click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(when=2026-12-01T15:00)")


async def test_enter_sends_but_not_while_a_word_is_being_composed(open_page, running):
    async with open_page() as page:
        words = page.locator("#words")
        await words.fill("まだ")
        for composing in ({"isComposing": True}, {"keyCode": 229}):
            await words.dispatch_event("keydown", {"key": "Enter", "bubbles": True, "cancelable": True, **composing})
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("二行目")
        await expect(words).to_have_value("まだ\n二行目")
        await page.keyboard.press("Enter")
        await expect(page.locator(".row.person .bubble")).to_have_text("まだ\n二行目")


async def test_the_page_can_be_used_by_keyboard_alone(open_page, running):
    async with open_page() as page:
        await page.locator("#words").focus()
        await page.keyboard.type("午餐 120")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="完成", exact=True)).to_be_visible()
        for _ in range(4):  # back over the box, the extras' button and the second quick reply
            await page.keyboard.press("Shift+Tab")
        await page.keyboard.press("Enter")
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(done)")


async def test_what_others_write_is_never_markup(open_page, running):
    async with open_page() as page:
        await write(page, HOSTILE)
        await expect(page.locator(".row.bot .bubble")).to_contain_text("<script>alert(2)</script>")
        await expect(page.locator(".row.bot .bubble a")).to_have_attribute("href", "https://example.com/?q=1")
        assert await page.locator(".log img, .log script").count() == 0


async def test_a_failing_webhook_is_shown_until_it_gets_through(open_page, running):
    running.bot.statuses = [200, 500, 500, 500, 500]
    async with open_page() as page:
        await write(page, "hi")
        await expect(page.locator(".row.person .state")).to_contain_text("沒送到")
        await page.get_by_role("button", name="再送一次").click()
        await expect(page.locator(".row.person .state")).to_have_text("已讀")


async def test_the_tool_at_work_and_the_loading_dots_are_shown(open_page, running):
    async with open_page() as page:
        await write(page, "午餐 120")
        await expect(page.locator(".row.bot .bubble")).to_be_visible()
        person = (await running.http.get("/local/people")).json()["people"][0]["id"]
        running.line.note(person, {"tool": "create_record", "state": "started"})
        await running.api("POST", "chat/loading/start", {"chatId": person})
        await expect(page.locator(".activity")).to_have_text("正在記下…")
        await expect(page.get_by_role("img", name="正在回覆")).to_be_visible()
        running.line.note(None, {"tool": "create_record", "state": "done", "chat": person})
        await expect(page.locator(".activity")).to_have_text("記下了")


async def test_pictures_stickers_and_places_can_be_sent(open_page, running):
    async with open_page() as page:
        await page.get_by_role("button", name="圖片、位置、貼圖").click()
        await page.get_by_role("button", name="謝謝").click()
        await expect(page.get_by_role("img", name="貼圖: 謝謝")).to_be_visible()
        await page.locator("#file").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": PNG})
        await expect(page.locator(".picture")).to_have_js_property("naturalWidth", 1)
        await page.get_by_role("button", name="圖片、位置、貼圖").click()
        await page.get_by_role("button", name="位置", exact=True).click()
        await page.get_by_label("名稱").fill("台北 101")
        await page.get_by_role("dialog").get_by_role("button", name="傳送").click()
        await expect(page.locator(".bubble.place")).to_contain_text("台北 101")
        await expect(page.locator(".row.bot .bubble").last).to_contain_text("location")


async def test_a_message_can_be_taken_back(open_page, running):
    async with open_page() as page:
        await write(page, "oops")
        await page.locator(".row.person").hover()
        await page.locator(".row.person").get_by_role("button", name="對這則訊息").click()
        await page.get_by_role("menuitem", name="收回").click()
        await expect(page.locator(".note")).to_have_text("你收回了一則訊息")
        await expect(page.locator(".row.person .bubble")).to_have_count(0)


async def test_several_people_have_chats_of_their_own(open_page, running):
    async with open_page(viewport={"width": 1180, "height": 800}) as page:
        await write(page, "午餐 120")
        await expect(page.locator(".row.bot .bubble")).to_be_visible()
        await page.get_by_role("button", name="加一個人").click()
        await page.get_by_role("textbox", name="名字").fill("さくら")
        await page.get_by_label("語言").select_option("ja")
        await page.get_by_role("button", name="加入").click()
        await expect(page.get_by_role("button", name="さくら")).to_have_attribute("aria-current", "true")
        await expect(page.locator(".log .row")).to_have_count(0)
        await write(page, "昼 850")
        await expect(page.locator(".row.bot .bubble")).to_have_text("記好了：昼 850 #12")
        await running.api("POST", "message/push", {"to": FIRST_PERSON, "messages": [written("14:00 回診")]})
        await expect(page.get_by_role("button", name="你 (有新訊息)")).to_be_visible()
        await page.get_by_role("button", name="你").click()
        await expect(page.locator(".row.bot .bubble")).to_have_text(["記好了：午餐 120 #12", "14:00 回診"])
        await expect(page.locator(".unread")).to_have_count(0)
    people = (await running.http.get("/local/people")).json()["people"]
    assert [(each["name"], each["language"]) for each in people] == [("你", "zh-TW"), ("さくら", "ja")]


@pytest.mark.parametrize(
    ("locale", "heading"),
    [
        ("ja-JP", "思いついたら、ひとこと"),
        ("th-TH", "นึกอะไรได้ ก็พิมพ์มาเลย"),
        ("en-GB", "Just say it"),
        ("fr-FR", "Just say it"),
    ],
)
async def test_the_page_speaks_the_language_of_the_browser(open_page, running, locale, heading):
    async with open_page(locale=locale) as page:
        await expect(page.get_by_role("heading", level=2).first).to_have_text(heading)
        await expect(page.get_by_role("button", name="午餐 120")).to_have_count(0)
        (person,) = (await running.http.get("/local/people")).json()["people"]
        assert locale.startswith(person["language"]) or person["language"] == "en"


@pytest.mark.parametrize("colors", ["light", "dark"])
async def test_at_320_pixels_nothing_is_cut_off(open_page, running, colors):
    options = {"viewport": {"width": 320, "height": 568}, "color_scheme": colors, "reduced_motion": "reduce"}
    async with open_page(**options) as page:
        await write(page, "card")
        await expect(page.locator(".log .row.bot").last).to_be_visible()
        await write(page, "一句很長的話：" + "測試換行" * 20 + " https://example.com/" + "a" * 80)
        await expect(page.locator("#quick")).to_be_visible()
        for scroller in ("document.documentElement", "document.querySelector('#scroll')"):
            assert await page.evaluate(f"{scroller}.scrollWidth <= {scroller}.clientWidth")


async def test_a_reload_shows_the_same_chat(open_page, running):
    async with open_page() as page:
        await write(page, "午餐 120")
        await expect(page.locator("#quick")).to_be_visible()
        await page.reload()
        await expect(page.locator(".row.bot .bubble")).to_have_text("記好了：午餐 120 #12")
        await expect(page.locator(".row.person .state")).to_have_text("已讀")
        await expect(page.locator("#quick")).to_be_visible()


# ── quoting, editing ──────────────────────────────────────────────────────────────────────────────────────────────


async def choose(page, row, item):
    await row.hover()
    await row.get_by_role("button", name="對這則訊息").click()
    await page.get_by_role("menuitem", name=item).click()


async def test_a_message_of_the_bot_can_be_quoted_and_the_quotation_leads_back_to_it(open_page, running):
    async with open_page() as page:
        await write(page, "午餐 120")
        answer = page.locator(".row.bot").first
        await choose(page, answer, "回覆")
        await expect(page.locator("#about")).to_contain_text("回覆 秘書 記好了：午餐 120 #12")
        await expect(page.locator("#words")).to_be_focused()
        await write(page, "改成 150")
        await expect(page.locator("#about")).to_be_hidden()
        own = page.locator(".row.person").last
        await expect(own.locator(".quotation")).to_contain_text("記好了：午餐 120 #12")
        await own.locator(".quotation").click()
        await expect(answer).to_have_class(re.compile("found"))
        assert await answer.get_by_role("button", name="收回").count() == 0
        await page.reload()
        await expect(page.locator(".row.person .quotation")).to_contain_text("記好了：午餐 120 #12")
    events = [await running.bot.event() for _ in range(3)]
    assert events[-1]["message"]["quotedMessageId"] == await page_id_of(running, "記好了：午餐 120 #12")


async def page_id_of(running, text):
    return next(each["id"] for each in await running.history() if each["message"].get("text") == text)


async def test_ones_own_words_can_be_edited_by_keyboard_alone_and_escape_lets_it_be(open_page, running):
    async with open_page() as page:
        await write(page, "午餐 120")
        await expect(page.locator(".row.bot .bubble")).to_be_visible()
        menu = page.locator(".row.person").get_by_role("button", name="對這則訊息")
        await menu.focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("menuitem", name="回覆")).to_be_focused()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("menu")).to_be_hidden()
        await expect(menu).to_be_focused()
        await page.keyboard.press("Enter")
        for key in ("End", "ArrowUp", "Enter"):
            await page.keyboard.press(key)
        await expect(page.locator("#words")).to_have_value("午餐 120")
        await page.keyboard.press("Escape")
        await expect(page.locator("#words")).to_have_value("")
        await expect(page.locator("#about")).to_be_hidden()
        await choose(page, page.locator(".row.person"), "修改")
        await page.locator("#words").fill("午餐 150")
        await page.keyboard.press("Enter")
        await expect(page.locator(".row.person .bubble")).to_have_text("午餐 150")
        await expect(page.locator(".row.person .edited")).to_have_text("已修改")
        await page.reload()
        await expect(page.locator(".row.person .edited")).to_have_text("已修改")
    kinds = [(await running.bot.event())["type"] for _ in range(3)]
    assert kinds == ["follow", "message", "messageEdited"]


# ── groups ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def add(page, name):
    await page.get_by_role("button", name="加一個人").click()
    await page.get_by_role("textbox", name="名字").fill(name)
    await page.get_by_role("button", name="加入", exact=True).click()
    await expect(page.get_by_role("button", name=name)).to_have_attribute("aria-current", "true")


async def test_in_a_group_several_people_speak_mention_the_bot_and_quote_each_other(open_page, running):
    async with open_page() as page:
        await add(page, "小美")
        await page.get_by_role("button", name="開一個群組").click()
        await page.get_by_role("textbox", name="名字").fill("我們家")
        await page.get_by_role("button", name="建立").click()
        await expect(page.get_by_role("heading", name="我們家")).to_be_visible()
        await expect(page.locator("#standing")).to_have_text("2 人的群組")
        await write(page, "買牛奶")
        await expect(page.locator(".row.person .bubble")).to_have_text("@Secretary 買牛奶")
        await expect(page.locator(".row.bot .told-by")).to_have_text("秘書")

        await page.get_by_role("radio", name="你").focus()
        await page.keyboard.press("ArrowRight")
        await expect(page.get_by_role("radio", name="小美")).to_be_checked()
        await expect(page.locator(".row.other .told-by")).to_have_text("你")
        await page.get_by_role("button", name="提到秘書").click()
        await write(page, "要兩瓶")
        await expect(page.locator(".row.person .bubble")).to_have_text("要兩瓶")
        await choose(page, page.locator(".row.other"), "回覆")
        await expect(page.get_by_role("menuitem")).to_have_count(0)
        await write(page, "好")
        await expect(page.locator(".row.person .quotation").last).to_contain_text("你@Secretary 買牛奶")
        await choose(page, page.locator(".row.person").first, "修改")
        await page.locator("#words").fill("要三瓶")
        await page.keyboard.press("Enter")
        await expect(page.locator(".row.person .bubble").first).to_have_text("要三瓶")
        await choose(page, page.locator(".row.person").first, "收回")
        await expect(page.locator(".note")).to_have_text("你收回了一則訊息")
        await page.get_by_role("radio", name="你").check(force=True)
        await expect(page.locator(".note")).to_have_text("訊息已收回")
        assert await page.evaluate("document.documentElement.scrollWidth") == 390
    people = (await running.http.get("/local/people")).json()["people"]
    [group] = (await running.http.get("/local/groups")).json()["groups"]
    assert group["people"] == [each["id"] for each in people]


async def test_a_button_in_a_group_is_tapped_by_whoever_speaks_and_the_bot_can_be_put_out(open_page, running):
    async with open_page(viewport={"width": 1180, "height": 800}) as page:
        await add(page, "小美")
        made = {
            "name": "我們家",
            "people": [each["id"] for each in (await running.http.get("/local/people")).json()["people"]],
        }
        await running.http.post("/local/groups", json=made)
        await page.get_by_role("button", name="我們家").click()
        await write(page, "買牛奶")
        await page.get_by_role("button", name="完成", exact=True).click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(done)")
        await page.get_by_role("button", name="提到秘書").click()
        await write(page, "when")
        await page.get_by_role("button", name="挑時間").click()
        await page.get_by_role("dialog").get_by_role("button", name="傳送").click()
        await expect(page.locator(".row.bot .bubble").last).to_have_text("(when=2026-12-01T15:00)")
        await page.get_by_role("button", name="請秘書離開").click()
        await expect(page.locator("#standing")).to_have_text("秘書不在這個群組")
        await expect(page.locator("#words")).to_be_disabled()
        await page.get_by_role("button", name="請秘書加入").click()
        await expect(page.locator("#words")).to_be_enabled()
